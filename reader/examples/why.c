/* why.c - where does a value come from?   why TRACE SEQ */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/trace.h"

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error;
    const struct hs_cause *causes;
    size_t count;
    if (argc < 3) {
        (void)fprintf(stderr, "usage: why TRACE SEQ\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (hs_why(trace, strtoull(argv[2], NULL, 10), 0, &causes, &count, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        hs_close(trace);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        const struct hs_dataid *site = hs_dataid_get(trace, causes[i].event.dataid);
        (void)printf("%s:%d %s\n", hs_event_name(site->event), (int)site->line, causes[i].because);
    }
    (void)printf("end: %s\n", causes[count - 1].end);
    hs_close(trace);
    return 0;
}
