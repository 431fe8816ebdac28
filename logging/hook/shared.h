/* shared.h - what the hook (java/lang/HindsightHook.java) and native code agree on, beside the layout of the journal
 * (formats/journal.h) and of counters (logging/aggregate/counters.h, logging/aggregate/counter_tables.h). The Java
 * source repeats these numbers under the same names; test/hooks.sh compares each. */
#ifndef LOGGING_HOOK_SHARED_H
#define LOGGING_HOOK_SHARED_H

/* What HindsightHook.setting(int) asks for. */
enum hook_setting {
    SETTING_STAMP,        /* address of the shared counter */
    SETTING_MANY,         /* address of the word that says whether more than one thread records */
    SETTING_TIMED,        /* every record has a clock value */
    SETTING_STRINGS,      /* contents of strings are kept */
    SETTING_HANDED_OUT,   /* object ids below this have been given to some thread */
    SETTING_EXCEPTIONS,   /* contents of exceptions are kept */
    SETTING_VALUES,       /* objects get ids */
    SETTING_COUNTER_ROOM, /* 0: no counters, 1: they count, else they keep that many entries */
    SETTING_SHAPES,       /* address of the record shapes, by data ID (enum record_shape) */
};

/* Added to a descriptor's address for HindsightHook.room: a record of the agent, also while recording is stopped. */
enum { FOR_AGENT = 1 };

#endif
