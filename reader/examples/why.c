/* why.c - where does a value come from?   why TRACE SEQ [CHOOSE] */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *causes;
    const struct hs_cause *cause;
    struct hs_why_options options = HS_WHY_OPTIONS_INIT;
    hs_trace *trace = open_trace(argc, argv, 2, "why TRACE SEQ [CHOOSE]");
    options.seq = strtoull(argv[2], NULL, 10);
    options.choose = argc > 3 ? argv[3] : NULL;
    int failed = hs_causes_open(trace, &options, &causes, &error);
    if (failed == 0) {
        while (hs_cause_next(causes, &cause, NULL) > 0) {
            const struct hs_dataid *site = hs_dataid_get(trace, cause->event->dataid);
            const struct hs_place *place;
            int line = hs_place_of(trace, cause->event, &place, NULL) == 0 ? (int)place->line : -1;
            (void)printf("%s:%d ", hs_event_name(site->event), line);
            print_name(cause->because);
            (void)printf("\n");
            if (cause->end != NULL)
                (void)printf("end: %s\n", cause->end);
        }
        hs_cursor_close(causes);
    }
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
