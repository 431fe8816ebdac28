/* api/moments.h - moments as people name them: a time, or a text that the program wrote. */
#ifndef HINDSIGHT_API_MOMENTS_H
#define HINDSIGHT_API_MOMENTS_H

#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hs_moment {
    uint64_t seq;
    uint32_t thread;
    uint64_t time_ns; /* since the start of the recording; HS_NO_TIME */
    /* Of a text: the line that has it, and the part of that in which it begins, whose call is the moment; NULL: of a
     * number or a time. Borrowed until the next step, as the row. */
    const struct hs_output_line *line;
    const struct hs_output_part *part;
};
/* The moments that a text names, one of a number or a time, any number of a text of the output:
 *
 *     4711                     that event
 *     +3.5s, -2s               after the start, before the end (also end-2s); units h m s ms us ns: the last event up
 *                              to then
 *     12:03:04.512             the same by the clock of this machine, also 2026-11-28T12:03:04, with a Z in UTC
 *     anything else, "text"    the calls that wrote this text, in the order of the lines
 *
 * HS_ERR_NOT_FOUND: there is no such event, the time is outside of the recording, or output was not recorded;
 * HS_ERR_USAGE: an empty text, or too high a number. */
HS_API int hs_moments_open(hs_trace *trace, const char *text, hs_cursor **out, struct hs_error *error);
HS_API int hs_moment_next(hs_cursor *cursor, const struct hs_moment **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
