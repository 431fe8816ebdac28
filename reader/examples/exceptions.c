/* exceptions.c - which exceptions were thrown, why, and what became of them?   exceptions TRACE [lines] */
#include "reader/examples/example.h"

static void print_seq(const char *what, uint64_t seq)
{
    if (seq != HS_NO_SEQ)
        (void)printf(" %s %" PRIu64, what, seq);
}

/* With `lines`: where the instruction stands that threw it. */
static void print_line(hs_trace *trace, uint64_t thrown)
{
    const struct hs_event *event;
    const struct hs_place *place;
    if (hs_event_at(trace, thrown, &event, NULL) == 0 && hs_thrown_at(trace, event, &place, NULL) == 0 &&
        place->line >= 0)
        (void)printf(" line %d", (int)place->line);
}

static void print_held(hs_trace *trace, const struct hs_thrown *held)
{
    (void)printf("  message ");
    print_name(held->message != NULL ? held->message : "-");
    (void)printf("\n  cause ");
    print_type(trace, held->cause);
    (void)printf("\n");
    for (size_t i = 0; i < held->frame_count; i++) {
        (void)printf("  at ");
        print_name(held->frames[i]->class_name);
        (void)printf(".");
        print_name(held->frames[i]->method);
        (void)printf(":%d\n", (int)held->frames[i]->line);
    }
}

/* With format=exceptions: the variables of the frame that threw. */
static void print_variables(const struct hs_throw_stack *stack)
{
    const struct hs_throw_frame *f = stack != NULL && stack->frame_count > 0 ? stack->frames[0] : NULL;
    for (size_t i = 0; f != NULL && i < f->variable_count; i++) {
        const struct hs_throw_variable *v = f->variables[i];
        (void)printf("  variable ");
        print_name(v->name);
        if (v->redacted)
            (void)printf(" redacted\n");
        else
            (void)printf(" %c %" PRIu64 "\n", v->kind, v->value);
    }
}

int main(int argc, char **argv)
{
    hs_cursor *exceptions;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_exception *x;
    int more = -1;
    hs_trace *trace = open_trace(argc, argv, 1, "exceptions TRACE [lines]");
    if (hs_exceptions_open(trace, &exceptions, &error) == 0) {
        while ((more = hs_exception_next(exceptions, &x, &error)) > 0) {
            print_type(trace, x->id);
            print_seq("thrown", x->thrown);
            if (argc > 2)
                print_line(trace, x->thrown);
            print_seq("caught", x->caught);
            (void)printf("%s\n", x->swallowed ? " swallowed" : "");
            const struct hs_thrown *held = hs_exception_held(exceptions); /* NULL: its fields were not recorded */
            if (held != NULL)
                print_held(trace, held);
            print_variables(hs_exception_stack(exceptions));
        }
        hs_cursor_close(exceptions);
    }
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
