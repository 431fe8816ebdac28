/* moment.h - a moment as users name it: the seq of an event, a time, or a text that the program wrote. */
#ifndef READER_COMMAND_MOMENT_H
#define READER_COMMAND_MOMENT_H

#include "reader/trace.h"

#define MOMENT_FORMS "SEQ, +3.5s, -2s, 12:03:04.512, or a text of the output"

#define MOMENT_NO_LINE "no line of the output contains '%.200s'; hindsight output lists them"

/* Of a text that is in several lines the moment is the first one. */
enum { MOMENTS_LISTED = 8, MOMENTS_COUNTED = 1000 };
struct moment {
    uint64_t seq;
    uint64_t listed[MOMENTS_LISTED]; /* of a text: the moments, as many as `count` says ... */
    uint64_t count;                  /* ... of so many; MOMENTS_COUNTED: or more; 0: of no text */
};
/* 0; -1: none, `error` says why. The forms are those of hs_moments_open. */
int moment_find(hs_trace *t, const char *text, struct moment *out, struct hs_error *error);

#endif
