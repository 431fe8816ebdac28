/* moment.h - a moment as users name it: the seq of an event, a time, or a text that the program wrote. */
#ifndef READER_COMMAND_MOMENT_H
#define READER_COMMAND_MOMENT_H

#include "reader/trace.h"

#define MOMENT_FORMS "SEQ, +3.5s, -2s, 12:03:04.512, or a text of the output"

/* Of a text that is in several lines the moment is the first one. */
enum { MOMENTS_LISTED = 8, MOMENTS_COUNTED = 1000 };
struct moment {
    uint64_t seq;
    uint64_t listed[MOMENTS_LISTED]; /* of a text: the moments, as many as `count` says ... */
    uint64_t count;                  /* ... of so many; MOMENTS_COUNTED: or more; 0: of no text */
};
/* 0; -1: none, `error` says why.
 *     4711                     that event
 *     +3.5s, -2s               after the start, before the end; units h m s ms us ns
 *     12:03:04.512             by the clock of this machine, also 2026-11-28T12:03:04, with a Z in UTC: the last event
 *                              up to then
 *     anything else, "text"    the call that wrote this text, as `output` has it */
int moment_find(hs_trace *t, const char *text, struct moment *out, struct hs_error *error);
/* Is it a text, whose moments are in the output? *begin and *length: the text without quotes. */
bool moment_is_text(hs_trace *t, const char *text, const char **begin, size_t *length);

#endif
