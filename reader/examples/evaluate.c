/* evaluate.c - what is a Java expression worth just after an event?   evaluate TRACE EXPRESSION SEQ */
#include "reader/examples/example.h"

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_evaluation *v;
    hs_trace *trace = open_trace(argc, argv, 3, "evaluate TRACE EXPRESSION SEQ");
    int failed = hs_evaluate(trace, strtoull(argv[3], NULL, 10), 0, argv[2], &v, &error);
    if (failed)
        failed = fail(&error);
    else if (v->throws != NULL)
        (void)printf("throws "), print_name(v->throws);
    else if (v->not_recorded != NULL)
        (void)printf("not recorded: "), print_name(v->not_recorded);
    else if (v->text != NULL)
        print_name(v->text);
    else
        (void)printf("%c %" PRIu64, v->kind, v->bits);
    (void)printf("\n");
    hs_close(trace);
    return failed;
}
