/* object.c - what did an object hold at a moment?   object TRACE ID [SEQ] */
#include "reader/examples/example.h"

enum { ELEMENTS_MOST = 1000 }; /* of an array */

static void print_state(hs_trace *trace, const struct hs_object_state *state)
{
    print_type(trace, state->id);
    (void)printf("\n");
    for (size_t i = 0; i < state->field_count; i++) { /* references are object ids, numbers are sign-extended */
        print_name(state->fields[i]->name);
        (void)printf(" = %" PRId64 "\n", (int64_t)state->fields[i]->value);
    }
    for (size_t i = 0; i < state->element_count; i++)
        (void)printf("[%" PRIu64 "] = %" PRId64 "\n", state->elements[i]->index, (int64_t)state->elements[i]->value);
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object_state *state;
    hs_trace *trace = open_trace(argc, argv, 2, "object TRACE ID [SEQ]");
    uint64_t seq = argc > 3 ? strtoull(argv[3], NULL, 10) : HS_NO_SEQ;
    int failed = hs_object_part_at(trace, (uint32_t)strtoul(argv[2], NULL, 10), seq, 0, ELEMENTS_MOST, &state, &error);
    if (failed == 0)
        print_state(trace, state);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
