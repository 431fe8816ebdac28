/* weave.h - the interface of the weaver: class bytes and a configuration in, woven class bytes and data ID rows out.
 *
 * A pure function: no files, no JVM, no state between calls; the same input gives the same bytes. Any number of threads
 * may weave at once. Memory of a result belongs to the caller until weave_result_done. */
#ifndef WEAVER_WEAVE_H
#define WEAVER_WEAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/event.h"
#include "formats/rows.h"
#include "formats/status.h"
#include "weaver/redact.h"

/* Which events of a method begin or end an interval of recording (formats/windows.h): a bit for each number. `edges`
 * more bits of enum edge for them. */
struct method_triggers {
    uint64_t starts, ends;
    uint8_t edges;
};
struct weave_triggers {
    struct method_triggers (*events)(void *context, struct text class_name, struct text method, struct text desc);
    bool total; /* an interval may begin or end in any thread between any two events: each has its own stamp */
    void *context;
};

struct weave_config {
    group_set groups;
    uint32_t first_dataid; /* the class's data IDs are consecutive from here */
    bool few_constants;    /* for redefined classes: the JVM compares every new constant with every old one */
    bool counts_only;      /* hooks are given no values, so that more events share one (group.c) */
    /* records of loops may be counted late (loops.c), or, with values, kept so (ring.c), in local variables */
    bool count_rounds;
    bool direct;      /* calls that enter woven code at once release nothing, as their exits (plan_direct.c) */
    bool order_total; /* every event gets its own stamp (design.md 4) */
    bool inputs;      /* where it is possible, events that follow from the code get no hook (formats/derived.h) */
    /* with inputs: the class loader is of the program, so that code of it may run wherever the class first names one */
    bool asks_loader;
    /* no event has a value or releases anything, and calls of this(...) and super(...) have no mark (super_calls.h) */
    bool frames_only;
    bool skip_generated; /* generated.h */
    bool fold_trivial;   /* trivial.h */
    bool in_generated;   /* with skip_generated: the class is nested in a generated one */
    bool left_out;       /* methods have EVENTS_LEFT_OUT as first data ID, which no code records (percall.h) */
    bool relocatable;    /* every data ID is in a constant of its own, so that it can be changed (saved.h) */
    /* of Thread: dispatchUncaughtException begins with a call of the hook class's uncaught(Throwable) */
    bool uncaught;
    /* of FileOutputStream: each write begins with a call of output_class's written(this, arguments) */
    bool output;
    const char *output_class;
    /* loadClass(String) answers for the hook classes before the code of a class loader does (plan_loader.c) */
    bool asked;
    const char *hook_class;                /* internal name of the class whose static methods are called (hook.def) */
    struct redact *redact;                 /* values that are kept out; NULL: none */
    const char *redact_class;              /* with redact: internal name of the class with note(Object) */
    const struct weave_triggers *triggers; /* NULL: none */
};

struct weave_result {
    struct writer bytes;  /* the woven class file; empty when nothing was woven */
    struct class_row row; /* names, versions, methods; its texts point into `strings` or the input */
    struct dataid_rows dataids;
    struct writer triggers; /* with config->triggers: an enum edge set per data ID */
    uint32_t starts, ends;  /* how many data IDs begin, end an interval */
    struct writer strings;  /* storage of texts made here (UTF-8 of names, reasons) */
    struct writer ids;      /* with config->relocatable: le4 each, where in `bytes` a data ID stands as be4 */
    uint32_t hook_calls;
    bool asked;      /* there is such a loadClass(String) */
    uint32_t hidden; /* places of config->redact in the code */
    /* Of a version up to 50, or a woven method uses jsr, has more than 32767 bytes, or lost groups: few classes are,
     * and woven code of them is verified in the JVM (verify=). Not set for classes that were saved. */
    bool rare_shape;
};

/* Weaves one class. OK: `out->bytes` is the woven class, or empty when there was nothing to weave in it (no code, no
 * group applies). On failure the class must be used as it is; `err` says why. The input must outlive `out`.
 * With skip_generated a class may be left out as a whole: its row then has the state CLASS_FILTERED, a reason and no
 * methods. Call weave_result_done in every case. */
enum status weave_class(const void *data, size_t size, const struct weave_config *config, struct weave_result *out,
                        struct error *err);
void weave_result_done(struct weave_result *out);

/* Reads and writes without weaving: byte-identical, or the error that reading found. For tests and `weave` of one
 * file. */
enum status weave_identity(const void *data, size_t size, struct writer *out, struct error *err);

#endif
