/* api/output.h - what the program wrote to standard output and standard error, line by line.
 *
 * Recorded with stdout=true, which `hindsight record` sets. What native code and other processes wrote, and what was
 * written before the recording, is not there. */
#ifndef HINDSIGHT_API_OUTPUT_H
#define HINDSIGHT_API_OUTPUT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hs_stream { HS_STDOUT = 1, HS_STDERR = 2 };

/* What one call of the program wrote of a line. */
struct hs_output_part {
    /* The moment: the last event of the code that made the call (its CALL, or an argument of it), of the innermost
     * method that belongs to neither a log framework nor the JDK (reader/query/output_frames.def). Where there is none,
     * the event that has the text. */
    uint64_t seq;
    uint32_t dataid;  /* of that event */
    uint32_t thread;  /* that wrote it */
    uint64_t written; /* seq of the event that has the text: METHOD_PARAM of java.lang.HindsightOutput */
    uint64_t time_ns; /* of that event; HS_NO_TIME */
    bool by_program;  /* false: no recorded code was running, as at an uncaught exception */
    size_t at;        /* where it begins, in hs_output_line.bytes */
};
struct hs_output_line {
    enum hs_stream stream;
    const char *text;  /* without the end of the line; bytes that are no text in its charset are U+FFFD */
    const void *bytes; /* as they were written, with the end of the line */
    size_t byte_count;
    bool ended; /* by a newline; false: it is the last one, or longer than 1 MiB, and goes on in the next row */
    bool cut;   /* not all of it was recorded (string=, maxstring=, redact=) */
    size_t part_count;
    const struct hs_output_part *const *parts; /* one or more, in the order in which they were written */
};
/* The lines in the order in which they begin. HS_ERR_NOT_FOUND: output was not recorded. */
HS_API int hs_output_open(hs_trace *trace, hs_cursor **out, struct hs_error *error);
HS_API int hs_output_line_next(hs_cursor *cursor, const struct hs_output_line **row, struct hs_error *error);

#ifdef __cplusplus
}
#endif

#endif
