/* locals.c - which methods were running, with which values?   locals TRACE SEQ */
#include "reader/examples/example.h"

static void print_variables(const struct hs_variable *const *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)printf("  ");
        print_name(v[i]->name);
        (void)printf(" = %" PRId64 "\n", (int64_t)v[i]->value);
    }
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *frames;
    const struct hs_frame *frame;
    hs_trace *trace = open_trace(argc, argv, 2, "locals TRACE SEQ");
    int failed = hs_frames_open(trace, strtoull(argv[2], NULL, 10), &frames, &error);
    if (failed == 0) {
        while (hs_frame_next(frames, &frame, NULL) > 0) { /* innermost first */
            print_method(trace, frame->method_id);
            (void)printf(":%d\n", (int)frame->line);
            print_variables(frame->parameters, frame->parameter_count);
            print_variables(frame->locals, frame->local_count);
        }
        hs_cursor_close(frames);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
