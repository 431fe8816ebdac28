/* api/classes.h - the classes of a trace, their methods, fields and data IDs (the places that events stand at). */
#ifndef HINDSIGHT_API_CLASSES_H
#define HINDSIGHT_API_CLASSES_H

#include "catalogue.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_attr_type { HS_ATTR_INT = 0, HS_ATTR_TEXT = 1, HS_ATTR_BOOL = 2 };
struct hs_attr {
    const char *name;
    enum hs_attr_type type;
    int64_t number;   /* INT, BOOL */
    const char *text; /* TEXT */
};
struct hs_dataid {
    uint32_t dataid;
    unsigned event; /* enum hs_event_type */
    char kind;      /* enum hs_kind */
    bool joined;    /* stands in one instruction with the data ID before it */
    uint32_t class_no, method_id;
    uint32_t pc;
    int32_t line; /* -1: the class has none */
    uint32_t attr_count;
    const struct hs_attr *const *attrs;
    /* The file that `line` is in, below the roots of sources (a/b/Util.kt); NULL: the source_file of the class. A class
     * with a SourceDebugExtension (JSR-45) names it, where its code was made from other files: inlined functions of
     * Kotlin, JSP, templates. `line` is then a line of that file, in the default stratum. */
    const char *file;
    int32_t table_line; /* the line in LineNumberTable, as the JVM has it */
};
/* Data IDs are numbers from 0 to below this. Classes that were woven again have new ones in the trace, but every answer
 * has the first one of a place: hs_dataid_get gives NULL for others, and where there is no row. */
HS_API uint32_t hs_dataid_count(const hs_trace *trace);
HS_API const struct hs_dataid *hs_dataid_get(hs_trace *trace, uint32_t dataid);

enum hs_class_state { HS_CLASS_WOVEN = 0, HS_CLASS_FILTERED = 1, HS_CLASS_GIVEN_UP = 2 };
struct hs_method {
    uint32_t method_id, class_no;
    const char *name, *desc;
    uint32_t access, code_length;
    uint64_t hash;
    uint32_t groups;    /* bit 1 << HS_GROUP_... per group woven */
    const char *reason; /* why groups are missing, "" if none are */
};
struct hs_class {
    uint32_t class_no;
    enum hs_class_state state;
    const char *name, *super;         /* with dots: a.b.C$D; super "" if none */
    const char *loader;               /* type of the loader, "boot" */
    uint64_t loader_id;               /* number of that loader, 0 boot: two classes of one name differ in it */
    const char *source, *source_file; /* "" if unknown */
    uint32_t major, minor, access;
    uint64_t hash, size_bytes;
    const char *reason; /* why not woven, "" if woven */
    uint32_t first_dataid, dataid_count;
    uint32_t method_count;
    const struct hs_method *const *methods;
};
/* Classes in the order of their numbers; rows are kept. A class that was woven several times, from one class file and
 * with the same groups, is one row. */
HS_API int hs_classes_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_class_next(hs_cursor *cursor, const struct hs_class **row, struct hs_error *error);
HS_API size_t hs_class_count(hs_trace *trace);
HS_API const struct hs_class *hs_class_get(hs_trace *trace, uint32_t class_no);
HS_API const struct hs_method *hs_method_get(hs_trace *trace, uint32_t method_id);
/* The method with the body of the lambda that events of this data ID make, an INVOKE_DYNAMIC_RESULT. NULL: they make
 * none, or that is not known; a reference to a method has it in its attributes. */
HS_API const struct hs_method *hs_lambda_body(hs_trace *trace, uint32_t dataid);
/* The object that a class is, whose monitor its static synchronized methods enter; 0: no event showed it. */
HS_API uint32_t hs_class_object(hs_trace *trace, const struct hs_class *c);
/* The class that declares the field of an instruction (JVMS 5.4.3.2), by the data ID of an event that reads or writes
 * one; NULL: it is no such event. Lives until hs_close. */
HS_API const char *hs_field_declaring(hs_trace *trace, uint32_t dataid);
/* Field `number` of those that the woven class of that name and loader (else of another loader) declares itself, from 0
 * on; NULL: it has no more. Lives until hs_close. */
struct hs_field {
    const char *name, *type; /* type as in Java source */
    bool is_static, is_final;
};
HS_API const struct hs_field *hs_field_get(hs_trace *trace, const char *class_name, uint64_t loader, size_t number);
/* So many superclasses above each other are followed at most: a trace with more is damaged, and hs_fsck finds it. */
enum { HS_SUPERCLASSES_MAX = 1000 };
/* The superclass of the class of that name and loader (else of another loader); NULL: it has none, or it is not known.
 * Lives until hs_close. */
HS_API const char *hs_class_super(hs_trace *trace, const char *name, uint64_t loader);
/* Is the class of that name and loader (else of another loader) the class `above`, or one below it? `*unknown`, which
 * may be NULL, is set to whether the classes above it are not known to the top, so that it may be. */
HS_API bool hs_class_extends(hs_trace *trace, const char *name, uint64_t loader, const char *above, bool *unknown);
/* The woven class of that name and loader (else of another loader); NULL: there is none. */
HS_API const struct hs_class *hs_class_find(hs_trace *trace, const char *name, uint64_t loader);

#ifdef __cplusplus
}
#endif

#endif
