/* rows.h - rows of the trace's tables: their meaning, and their encoding to and from bytes.
 *
 * All rows are sequences of varints and texts (bytes.h), each beginning with a row version (1). Decoders check every
 * length, ignore trailing bytes, which a newer version may have written, and leave strings pointing into the input.
 * Encoders append to a writer; out of memory sets its `bad`. */
#ifndef FORMATS_ROWS_H
#define FORMATS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/event.h"
#include "formats/map.h"
#include "formats/status.h"
#include "formats/vec.h"

/* A string that is not terminated and not owned. Class, member and type names are UTF-8 (modified UTF-8 converted). */
struct text {
    const char *data;
    size_t size;
};
#define TEXT_OF(literal) ((struct text){ (literal), sizeof(literal) - 1 })

enum class_state {
    CLASS_WOVEN,    /* hooks are in it (some methods may have given up groups) */
    CLASS_FILTERED, /* excluded by an option or a default */
    CLASS_GIVEN_UP, /* could not be woven and runs unchanged; `reason` says why */
};

struct method_row {
    struct text name, desc; /* "main", "([Ljava/lang/String;)V" */
    uint32_t access;        /* access_flags, JVMS 4.6 */
    uint32_t code_length;   /* of the original code, 0 if none */
    uint64_t hash;          /* XXH64 of the original bytecode, 0 if none */
    group_set groups;       /* groups woven into it */
    bool followed;          /* its events follow from its code: derived chunks (derived.h) leave them out */
    bool inputs;            /* likewise, and its hooks record what does not follow, and little else (SITE_INPUTS) */
    struct text reason;     /* why selected groups are missing; empty if none are */
};

struct class_row {
    uint32_t class_no;
    enum class_state state;
    struct text name;   /* internal name: java/lang/String */
    struct text super;  /* internal name, empty for Object and interfaces of it */
    struct text loader; /* type of the class loader, "boot" for the boot loader */
    uint64_t loader_id; /* number of the loader: name and loader_id are one class; 0 boot */
    struct text source; /* code source location, empty if unknown */
    struct text source_file;
    uint32_t major, minor, access;
    uint64_t hash;      /* XXH64 of the original class file */
    uint64_t size;      /* its bytes */
    struct text reason; /* why not woven; empty if woven */
    uint32_t first_dataid, dataid_count;
    uint32_t first_method; /* method ids of a class are consecutive */
    VEC(struct method_row) methods;
};
void class_row_encode(const struct class_row *row, struct writer *w);
/* Fills `row`; free with class_row_done. Texts point into `data`. */
enum status class_row_decode(const void *data, size_t size, struct class_row *row, struct error *err);
void class_row_done(struct class_row *row);

struct attr_value {
    enum attr attr;
    int64_t number;   /* ATTR_INT, ATTR_BOOL */
    struct text text; /* ATTR_TEXT */
};
enum { DATAID_ATTRS_MAX = 12 };

struct dataid_row {
    uint32_t method; /* index into the class's methods */
    enum event event;
    uint8_t kind; /* letter of kinds.def, without KIND_JOINED */
    bool joined;  /* its value is in the record of the data ID before (journal.h) */
    uint8_t role; /* enum role (roles.h); stored in the ROLE database, not in the row */
    uint32_t pc;
    int32_t line; /* -1 if the class has none */
    unsigned attr_count;
    struct attr_value attrs[DATAID_ATTRS_MAX];
};

/* A text of data ID rows, by its hash (map.h). */
struct dataid_string {
    uint64_t hash;
    uint32_t number, at, size; /* at: where it stands in dataid_rows.strings */
};

/* The data ID rows of one class, being written. `strings` and the rows grow side by side; rows may be taken back. */
struct dataid_rows {
    struct {
        struct text text;
        uint32_t number;
    } recent[256]; /* cache of texts by address, since the same ones are used repeatedly */
    struct writer rows;
    uint32_t count;
    struct writer kinds;   /* one letter per data ID, with KIND_JOINED */
    struct writer roles;   /* one enum role per data ID */
    struct writer places;  /* le8 per data ID: event | method << 8 (dataid_rows_place) | pc << 32 | constructor << 63 */
    struct writer strings; /* texts, in order of their number */
    uint32_t string_count;
    MAP(struct dataid_string) numbers;
    uint32_t last_method, last_pc; /* for deltas */
    int32_t last_line;
};
static inline uint32_t dataid_rows_place(const struct dataid_rows *d, uint32_t i)
{
    return le4(d->places.data + sizeof(uint64_t) * (size_t)i);
}
static inline uint32_t dataid_rows_pc(const struct dataid_rows *d, uint32_t i)
{
    return le4(d->places.data + sizeof(uint64_t) * (size_t)i + sizeof(uint32_t)) & INT32_MAX;
}
/* dataid_calls_constructor of the data ID. */
static inline bool dataid_rows_constructor(const struct dataid_rows *d, uint32_t i)
{
    return le4(d->places.data + sizeof(uint64_t) * (size_t)i + sizeof(uint32_t)) >> 31 != 0;
}
/* Is it the CALL of a constructor? `attrs` are row->attr_count of them. */
bool dataid_calls_constructor(const struct dataid_row *row, const struct attr_value *attrs);
/* Is something missing, for want of memory? */
static inline bool dataid_rows_bad(const struct dataid_rows *d)
{
    return d->rows.bad || d->kinds.bad || d->roles.bad || d->places.bad || d->strings.bad;
}
void dataid_rows_done(struct dataid_rows *d);
/* `attrs` are row->attr_count of them; those in the row are not used. Texts must not change until dataid_rows_done,
 * because they are recognized by their address. */
void dataid_rows_add(struct dataid_rows *d, const struct dataid_row *row, const struct attr_value *attrs);
/* The event is of the record of the one in front of it; `at`: rows.size before its row was added. */
void dataid_rows_join(struct dataid_rows *d, uint32_t i, size_t at);
/* A point to go back to with dataid_rows_rewind when a method is planned again. Strings stay. */
struct dataid_mark {
    size_t rows, kinds;
    uint32_t count, last_method, last_pc;
    int32_t last_line;
};
struct dataid_mark dataid_rows_mark(const struct dataid_rows *d);
void dataid_rows_rewind(struct dataid_rows *d, struct dataid_mark m);
/* Appends the stored form: version, count, strings, rows. */
void dataid_rows_encode(const struct dataid_rows *d, struct writer *w);
/* Where a row stands: its number, and what decoding it takes from the rows before it. Zero is the first one. */
struct dataid_place {
    uint32_t index;
    size_t at;
    int64_t method, pc, line;
};
/* Reads rows in order. `row` is the one that was read last; its texts point into the data. */
struct dataid_rows_reader {
    struct reader in;
    VEC(struct text) strings;
    uint32_t count;
    struct dataid_place next;
    struct dataid_row row;
};
/* Stands before the first row. Free with dataid_rows_close, also after a failure. */
enum status dataid_rows_open(struct dataid_rows_reader *d, const void *data, size_t size, struct error *err);
void dataid_rows_seek(struct dataid_rows_reader *d, const struct dataid_place *place); /* one that `next` has been */
/* ERR_NOT_FOUND behind the last row, without a text. */
enum status dataid_rows_next(struct dataid_rows_reader *d, struct error *err);
void dataid_rows_close(struct dataid_rows_reader *d);
/* Called for each row in order. `row` is valid during the call; texts point into `data`. A result that is not OK ends
 * the decoding and is returned. */
typedef enum status dataid_row_fn(void *context, uint32_t index, const struct dataid_row *row, struct error *err);
enum status dataid_rows_each(const void *data, size_t size, dataid_row_fn *each, void *context, struct error *err);

struct thread_row {
    uint32_t thread;
    uint64_t tid; /* Thread.threadId() */
    struct text name, group;
    bool daemon, is_virtual;
    uint64_t start_stamp, end_stamp; /* of the shared counter; end UINT64_MAX while it lives */
    uint64_t start_ns, end_ns;       /* since the start of the recording; end UINT64_MAX while it lives */
    uint64_t object_id;              /* of the Thread object, 0 if not known */
};
void thread_row_encode(const struct thread_row *row, struct writer *w);
enum status thread_row_decode(const void *data, size_t size, struct thread_row *row, struct error *err);

/* A marked interval: the name of a feature, from one value of the shared counter to another. Events with a stamp of at
 * least `begin_stamp` and below `end_stamp` are inside. Intervals may nest and overlap, and several may have the same
 * name. */
struct mark_row {
    struct text name;                /* mark_name_fits */
    uint64_t begin_stamp, end_stamp; /* end UINT64_MAX: not ended */
    uint64_t begin_ns, end_ns;       /* since the start of the recording; end UINT64_MAX likewise */
};
bool mark_name_fits(struct text name); /* not empty, UTF-8, no controls */
void mark_row_encode(const struct mark_row *row, struct writer *w);
enum status mark_row_decode(const void *data, size_t size, struct mark_row *row, struct error *err);

/* What is known of a Throwable: its fields when it was first seen or last thrown. Kept with the object (objects.h). */
struct thrown_frame {
    struct text class_name, method, file; /* class name with dots; file empty if not known */
    int32_t line;                         /* -1 not known, -2 native method */
};
struct thrown_row {
    bool has_message;
    bool message_redacted;           /* there is one, which redact= left out: has_message is false */
    bool message_overridden;         /* its class has a getMessage of its own, which gives another one, or none */
    struct text message;             /* UTF-8 */
    uint64_t cause;                  /* object id, 0 none */
    VEC(uint64_t) suppressed;        /* object ids */
    bool has_stack;                  /* frames were wanted and available */
    VEC(struct thrown_frame) frames; /* innermost first */
};
void thrown_row_encode(const struct thrown_row *row, struct writer *w);
/* Free with thrown_row_done. Texts point into `data`. */
enum status thrown_row_decode(const void *data, size_t size, struct thrown_row *row, struct error *err);
void thrown_row_done(struct thrown_row *row);

/* A class object that was seen: the type of recorded objects. */
struct type_row {
    uint32_t id;      /* object id of the java.lang.Class */
    struct text name; /* as in Java source: a.b.C$D, int[][] */
    uint64_t loader;  /* number of its loader, as in class_row; 0 boot */
    uint32_t access;  /* Class.getModifiers */
};
void type_row_encode(const struct type_row *row, struct writer *w);
enum status type_row_decode(const void *data, size_t size, struct type_row *row, struct error *err);

/* A class that is not woven, but is above one that is, or the type of an object: its fields, as in its class file. */
struct hierarchy_field {
    struct text name, desc;
    uint32_t access;
};
struct hierarchy_row {
    struct text name, super; /* internal names; super empty for Object and interfaces */
    uint64_t loader;         /* number of its loader, as in class_row */
    VEC(struct text) interfaces;
    VEC(struct hierarchy_field) fields; /* that it declares itself */
};
void hierarchy_row_encode(const struct hierarchy_row *row, struct writer *w);
/* Free with hierarchy_row_done. Texts point into `data`. */
enum status hierarchy_row_decode(const void *data, size_t size, struct hierarchy_row *row, struct error *err);
void hierarchy_row_done(struct hierarchy_row *row);

#endif
