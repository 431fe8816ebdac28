/* locals.c - which methods were running, with which values?   locals TRACE SEQ */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/trace.h"

static void print_variables(const struct hs_variable *v, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)printf("  %s = %" PRId64 "\n", v[i].name, (int64_t)v[i].value);
}

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error;
    const struct hs_frame *frames;
    size_t count;
    if (argc < 3) {
        (void)fprintf(stderr, "usage: locals TRACE SEQ\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (hs_frames_at(trace, strtoull(argv[2], NULL, 10), &frames, &count, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        hs_close(trace);
        return 1;
    }
    for (size_t i = 0; i < count; i++) { /* innermost first */
        const struct hs_method *method = hs_method_get(trace, frames[i].method_id);
        (void)printf("%s:%d\n", method->name, (int)frames[i].line);
        print_variables(frames[i].parameters, frames[i].parameter_count);
        print_variables(frames[i].locals, frames[i].local_count);
    }
    hs_close(trace);
    return 0;
}
