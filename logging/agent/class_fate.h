/* class_fate.h - what becomes of a class that the JVM loads, or asks for again: one decision, from what is known of it.
 *
 * A pure function without JVM types; classes.c gathers the facts, and acts. */
#ifndef LOGGING_CLASS_FATE_H
#define LOGGING_CLASS_FATE_H

#include <stdbool.h>

#include "formats/rows.h"

/* Classes that get a call, also when they are not recorded: of the hook's uncaught at uncaught exceptions, of
 * HindsightHookOutput at each write, of the hook's asked in class loaders (loaders.c). */
enum added_call { NO_CALL, CALL_UNCAUGHT, CALL_OUTPUT, CALL_ASKED };

/* Does its class loader answer for the hook class (loaders.c)? */
enum loader_answer {
    LOADER_FINDS_HOOKS, /* one of the JDK, which need not be asked */
    LOADER_NOT_ASKED,
    LOADER_ANSWERS,
    LOADER_REFUSES,
};

/* What was done with these bytes in this period (woven_before.c). */
enum class_seen { NOT_SEEN, SEEN_WOVEN, SEEN_AS_IT_IS };

struct class_facts {
    bool ready;           /* hooks can be called, and the JVM has not ended */
    bool stores;          /* events are stored, or at least counted as lost */
    bool weaving;         /* a period of the recording, */
    bool started;         /* and not the time before the first */
    enum added_call call; /* that it could get */
    bool output;          /* HindsightOutput, HindsightThrow: woven whatever the filter says */
    bool chosen;          /* by the filter */
    struct text why_not;  /* else: why */
    const char *never;    /* why it is never woven; NULL: it may be */
    enum loader_answer loader;
    bool redefined; /* it is loaded already */
    enum class_seen seen;
};

enum class_fate {
    FATE_IGNORED,     /* it does not concern the recorder: no row, the original */
    FATE_ASK_LOADER,  /* decide again once its loader was asked */
    FATE_SKIPPED,     /* not woven */
    FATE_CALL_ADDED,  /* not woven, but for the call */
    FATE_WOVEN,       /* with new data IDs and a row */
    FATE_WOVEN_AGAIN, /* with the data IDs that it has */
    FATE_KEPT,        /* as it is: it was not woven before, or is the woven code itself */
};

struct class_decision {
    enum class_fate fate;
    enum added_call call; /* also where it cannot be woven */
    bool early;           /* it would be woven, but recording has not begun */
    bool row;             /* of FATE_SKIPPED, FATE_CALL_ADDED: the trace has a row of it, with this: */
    enum class_state state;
    struct text why;
};

/* Needs `ready`, `stores`, `weaving`, `call` alone to find out whether it is FATE_IGNORED. */
bool class_is_ignored(const struct class_facts *f);
struct class_decision class_decide(const struct class_facts *f);
/* Is the class one of those whose events are recorded? */
static inline bool class_is_recorded(const struct class_decision *d) { return d->fate >= FATE_WOVEN; }

#endif
