/* class_plan.h - one class being woven: what its methods share. */
#ifndef WEAVER_CLASS_PLAN_H
#define WEAVER_CLASS_PLAN_H

#include "formats/arena.h"
#include "formats/jvm/classfile.h"
#include "formats/map.h"
#include "weaver/hooks.h"
#include "weaver/weave.h"

enum { SOURCE_CACHE = 256, BASE_CONSTANTS = 256 };
struct source_cache {
    const char *desc; /* in the constant pool */
    size_t size;
    struct text source;
};

/* The pool's index of a class, by its name. */
struct class_constant {
    uint64_t hash; /* of the name (formats/map.h) */
    struct text name;
    uint32_t index; /* 0: not in the pool */
};

/* Fields and methods that inserted code uses beside the hooks (emit.c). */
enum woven_member {
    MEMBER_MISSED_THREADS,
    MEMBER_MISSED_EXCEPTIONS,
    MEMBER_MISSED_IDS,
    MEMBER_MISSED,
    MEMBER_UNWOUND,
    MEMBER_CUT,
    MEMBER_TICK,
    MEMBER_ADD,
    MEMBER_ADD_MANY,
    MEMBER_NUMBER,
    MEMBER_AT,
    MEMBER_LEAVE,
    MEMBER_CALLS,
    MEMBER_CALLS_STATIC,
    MEMBER_DIRECT,
    MEMBER_CALLED,
    MEMBER_LEAVING,
    MEMBER_FORGET,
    MEMBER_ARRIVE,
    MEMBER_NOTE,
    MEMBER_THREAD,
    MEMBER_ASKED,
    MEMBER_COUNT,
};

struct class_plan {
    struct classfile *cf;
    const struct weave_config *config;
    struct weave_result *out;
    struct arena arena;
    struct source_cache *descriptor_sources; /* SOURCE_CACHE of them */
    struct hook_refs hooks;
    struct text name;            /* internal name */
    const struct text **sources; /* by pool index: types as in Java source, made on first use */
    /* by pool index of a member: result of the analysis of field_fact.c or plan_call.c, 0 none yet */
    uint32_t *facts;
    /* indices of Integers, every 65536th data ID of the class; 0 until needed */
    uint32_t base_constants[BASE_CONSTANTS];
    uint32_t members[MEMBER_COUNT];             /* their Fieldrefs and Methodrefs, 0 until needed */
    uint32_t stack_map_utf8;                    /* index of "StackMapTable", 0 until needed */
    MAP(struct class_constant) class_constants; /* build.c */
    bool knows_constants;                       /* the constants of the pool are in it */
    struct attribute *bootstrap;                /* BootstrapMethods or NULL */
    bool frames_required;                       /* the verifier of this version wants StackMapTables */
    bool release_all;                           /* every hook is the releasing variant (design.md 4) */
    group_set groups;                           /* groups of the cached `events` */
    uint64_t events;                            /* events that these groups weave, a bit each */
    struct sequence_item *items;                /* SEQUENCE_MAX items: too large for the stack of a program's thread */
    struct plan_buffers *buffers;               /* of a method, reused by each (plan.h) */
    struct writer code;                         /* the Code attribute of a method, reused by each */
};

/* "int[]" of a descriptor; "a.b.C" of a pool index of a class. Live as long as the class plan. */
struct text source_of_descriptor(struct class_plan *c, const char *desc, size_t size);
struct text source_of_class(struct class_plan *c, uint32_t index);

#endif
