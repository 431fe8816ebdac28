/* api/absence.h - why something did not happen. */
#ifndef HINDSIGHT_API_ABSENCE_H
#define HINDSIGHT_API_ABSENCE_H

#include "history.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_situation {
    HS_SITUATION_REACHED = 1,      /* it was reached after all */
    HS_SITUATION_DECISION = 2,     /* a branch went another way */
    HS_SITUATION_EXCEPTION = 3,    /* an exception left the call before */
    HS_SITUATION_CAUGHT = 4,       /* an exception led to a handler before */
    HS_SITUATION_NO_EXCEPTION = 5, /* the place is in a handler, and nothing was thrown that it takes */
    HS_SITUATION_OPEN = 6,         /* the call had not come there yet */
    HS_SITUATION_UNKNOWN = 7,
    HS_SITUATION_NOT_CALLED = 8, /* a method, that of the place or of one that calls it */
    HS_SITUATION_NO_CALLER = 9,
    HS_SITUATION_NOT_LOADED = 10,   /* a class */
    HS_SITUATION_NOT_RECORDED = 11, /* EXEC or LABEL */
    HS_SITUATION_STOPPED = 12,      /* with `times`: it was reached fewer times, then a branch went another way */
    HS_SITUATION_ENDED = 13,        /* ... then the call ended */
    HS_SITUATION_OTHER_OBJECT = 14, /* it was done to another object, or at another index */
    HS_SITUATION_OTHER_VALUE = 15,  /* with `expect`: another value was written */
    HS_SITUATION_NO_WRITER = 16,    /* no recorded code does it */
    HS_SITUATION_HELD = 17,         /* it was there after all */
    HS_SITUATION_NOT_WOVEN = 18,    /* a class that was loaded */
    /* of a value that is not the expected one */
    HS_SITUATION_VALUE = 19,      /* where it got it */
    HS_SITUATION_UNDER = 20,      /* a branch that this stood under */
    HS_SITUATION_OPERAND = 21,    /* what would have to be `expected` */
    HS_SITUATION_NO_OPERAND = 22, /* what no other value of would do */
    HS_SITUATION_CONSTANT = 23,   /* a constant that would have to be `expected` */
    HS_SITUATION_INPUT = 24,      /* a value from outside that would have to be */
    /* of an element that a collection does not contain */
    HS_SITUATION_REMOVED = 25,          /* a call that removed it again */
    HS_SITUATION_OTHER_COLLECTION = 26, /* it was added to another one */
    HS_SITUATION_OTHER_ELEMENT = 27,    /* another one was added */
    HS_SITUATION_NOT_EQUAL = 28,        /* one was added that looks like it */
    HS_SITUATION_HASH_CHANGED = 29,     /* a write since it was added, behind which its hashCode is another one */
    HS_SITUATION_CONTENTS_LOST = 30,    /* a call that may have changed the collection unseen */
    HS_SITUATION_NOT_SEARCHED = 31,     /* so many calls were looked at, and no more */
    /* of a value, as 19 to 24: it was computed, by code that is not woven or not known what for */
    HS_SITUATION_COMPUTED = 32
};
/* "decision", "not_called", ...; NULL: no such situation. */
HS_API const char *hs_situation_name(enum hs_situation situation);

/* One reason: calls of a method that could have reached the place, and what they have in common. */
struct hs_absence {
    enum hs_situation situation;
    uint64_t calls;                          /* that are alike; 0 where it is not about calls */
    const char *method;                      /* Class.method; of a class that was not loaded its name */
    int32_t line;                            /* where they turned off; -1: not known */
    const char *file;                        /* as in struct hs_dataid */
    uint64_t seq;                            /* of the last one; HS_NO_SEQ: there is none */
    const char *target;                      /* Class.method:LINE that was not reached; NULL: it is about none */
    uint64_t times;                          /* of the last one: that it was reached, fewer than asked for */
    const char *exception;                   /* type of the one that came between; NULL: not known, or none did */
    const char *because;                     /* a sentence */
    const char *needs;                       /* the condition that would have to hold; NULL: it is no branch */
    const struct hs_decision *decision;      /* the last time; NULL: it is no branch */
    const char *what;                        /* of a value: what has it, as it may stand in source; NULL */
    const struct hs_value *value, *expected; /* what was there, and would have to be; NULL: it is about none */
};
struct hs_absence_options {
    size_t size; /* sizeof(struct hs_absence_options) */
    /* Class.method, Class.method:LINE or Class:LINE (names as in filters); what is written, as hs_history_open has it;
     * "throw TYPE": an exception of that type, or one below it; with `expect` also a number: the value of that event;
     * "LIST.contains(X)", "MAP.containsKey(X)", "MAP.containsValue(X)": LIST, MAP and X are expressions of hs_evaluate
     * at the moment `at` */
    const char *place;
    uint64_t in;        /* seq of the METHOD_ENTRY of the one call that is looked at; HS_NO_SEQ: all of them */
    uint64_t at;        /* up to this moment */
    uint64_t times;     /* a call has to come there so often; 0: once */
    const char *expect; /* the value that it should have; NULL: any */
};
#define HS_ABSENCE_OPTIONS_INIT                                                                                        \
    {                                                                                                                  \
        .size = sizeof(struct hs_absence_options), .in = UINT64_MAX, .at = UINT64_MAX                                  \
    }
/* The reasons, those of most calls first. HS_ERR_USAGE: `place` has another form; HS_ERR_NOT_FOUND: no code stands
 * there. */
HS_API int hs_absences_open(hs_trace *trace, const struct hs_absence_options *options, hs_cursor **out,
                            struct hs_error *error);
HS_API int hs_absence_next(hs_cursor *cursor, const struct hs_absence **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
