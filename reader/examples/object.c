/* object.c - what did an object hold at a moment?   object TRACE ID [SEQ] */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/trace.h"

int main(int argc, char **argv)
{
    hs_trace *trace;
    struct hs_error error;
    const struct hs_object_state *state;
    if (argc < 3) {
        (void)fprintf(stderr, "usage: object TRACE ID [SEQ]\n");
        return 2;
    }
    uint64_t seq = argc > 3 ? strtoull(argv[3], NULL, 10) : HS_NO_SEQ;
    if (hs_open(argv[1], &trace, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (hs_object_at(trace, (uint32_t)strtoul(argv[2], NULL, 10), seq, &state, &error) != 0) {
        (void)fprintf(stderr, "%s\n", error.text);
        hs_close(trace);
        return 1;
    }
    const struct hs_object *object = hs_object_get(trace, state->id);
    (void)printf("%s\n", object != NULL && object->type != NULL ? object->type : "?");
    for (size_t i = 0; i < state->field_count; i++) /* references are object ids, numbers are sign-extended */
        (void)printf("%s = %" PRId64 "\n", state->fields[i].name, (int64_t)state->fields[i].value);
    for (size_t i = 0; i < state->element_count; i++)
        (void)printf("[%" PRIu64 "] = %" PRId64 "\n", state->elements[i].index, (int64_t)state->elements[i].value);
    hs_close(trace);
    return 0;
}
