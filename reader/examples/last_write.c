/* last_write.c - who wrote the value that is seen at an event?   last_write TRACE WHAT SEQ */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/trace.h"

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error = { 0 };
    struct hs_write write;
    if (argc < 4) {
        (void)fprintf(stderr, "usage: last_write TRACE WHAT SEQ\n");
        return 2;
    }
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    int found = hs_last_write(trace, argv[2], strtoull(argv[3], NULL, 10), &write, &error);
    if (found > 0) {
        const struct hs_dataid *site = hs_dataid_get(trace, write.event.dataid);
        const struct hs_method *method = hs_method_get(trace, site->method_id);
        const struct hs_thread *thread = hs_thread_get(trace, write.event.thread);
        (void)printf("%" PRId64 " by %s:%d in thread %s\n", (int64_t)write.event.value, method->name, (int)site->line,
                     thread != NULL ? thread->name : "?");
    } else {
        (void)fprintf(stderr, "%s\n", found == 0 ? "never written before" : error.text);
    }
    hs_close(trace);
    return found > 0 ? 0 : 1;
}
