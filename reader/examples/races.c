/* races.c - which accesses of two threads does nothing order?   races TRACE */
#include "reader/examples/example.h"

/* The class and method at which an event stands; true if that class is a thread. */
static bool print_spot(hs_trace *trace, uint64_t seq)
{
    const struct hs_event *e;
    if (hs_event_at(trace, seq, &e, NULL) != 0)
        return false;
    const struct hs_dataid *d = hs_dataid_get(trace, e->dataid);
    const struct hs_class *c = d != NULL ? hs_class_get(trace, d->class_no) : NULL;
    (void)printf("%" PRIu64 " in ", seq);
    print_name(c != NULL ? c->name : NULL);
    (void)putchar('.');
    print_method(trace, d != NULL ? d->method_id : UINT32_MAX);
    if (d != NULL && hs_method_monitor(trace, d->method_id, UINT64_MAX) != 0)
        (void)printf(" (synchronized)");
    return c != NULL && hs_class_extends(trace, c->name, c->loader_id, "java.lang.Thread", NULL);
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_cursor *races;
    const struct hs_race *r;
    hs_trace *trace = open_trace(argc, argv, 1, "races TRACE");
    int more = hs_races_open(trace, &races, &error);
    if (more == 0) {
        while ((more = hs_race_next(races, &r, &error)) > 0) {
            (void)print_spot(trace, r->a);
            (void)printf(" and ");
            const bool thread = print_spot(trace, r->b);
            (void)printf(", %" PRIu64 " times%s\n", r->count, thread ? ", in a thread" : "");
        }
        if (hs_races_cut(races))
            (void)printf("and more\n");
        hs_cursor_close(races);
    }
    hs_close(trace);
    return more != 0 ? fail(&error) : 0;
}
