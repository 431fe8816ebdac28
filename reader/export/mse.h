/* mse.h - what the files of the format mse have in common.
 *
 * MSE is the text format of Moose (grammar: moosetechnology.org/docs/mse): elements with attributes, and references to
 * elements by number. The model is that of Java Wiretap: the static part of FAMIX, and on it what was executed.
 *
 *     ( (FAMIX.Namespace (id: 1) (name 'a.b'))
 *       (FAMIX.Class (id: 2) (name 'C') (belongsTo (ref: 1)))
 *       (FAMIX.Method (id: 4) (name 'm') (signature 'm(int)') (belongsTo (ref: 2)))
 *       (Dynamix.Instance (id: 9) (type (ref: 2)))
 *       (Dynamix.Activation (id: 12) (method (ref: 4)) (start 3) (stop 8) (thread 0) (receiver (ref: 9))
 *         (arguments 5)) )
 *
 * Numbers of elements: namespaces, classes, methods, attributes, features as they come; an object has its id above
 * these, and activations are counted from there. */
#ifndef READER_EXPORT_MSE_H
#define READER_EXPORT_MSE_H

#include "formats/vec.h"
#include "reader/export/export.h"

/* The names that a version of FAMIX has. */
struct mse_dialect {
    const char *container, *parent, *inheritance, *behaviour;
};

/* A part of a name of the trace. */
struct mse_name {
    const char *text;
    size_t size;
};
typedef VEC(struct mse_name) mse_names; /* sorted, each once,when they are complete */

struct mse_field {
    const char *owner, *name;
    bool is_static;
};

struct mse {
    struct export_job *job;
    const struct mse_dialect *dialect;
    mse_names packages, classes;
    VEC(struct mse_field) fields; /* by owner and name, each once */
    u32_vec methods;              /* method ids, rising */
    uint64_t first_class, first_method, first_field, first_feature, first_object, first_activation;
};

bool mse_load(struct mse *m);
void mse_done(struct mse *m);
/* Everything but what was executed; sets first_activation. */
bool mse_put_model(struct mse *m);

/* 'text', with quotation marks doubled. */
void mse_text(struct out *o, const char *text, size_t n);
/* A value: a number, true, a reference to an instance; NaN, null and what redact= left out as texts. */
void mse_value(struct mse *m, char kind, uint64_t value);
/* The number of the element; 0: there is none. */
uint64_t mse_method(const struct mse *m, uint32_t method_id);
uint64_t mse_field(const struct mse *m, const struct hs_dataid *d);

#endif
