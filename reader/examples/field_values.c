/* field_values.c - what do all objects hold in the fields of this name?   field_values TRACE FIELD */
#include "reader/examples/example.h"

#include <string.h>

static void print_fields(hs_trace *trace, const struct hs_object_state *state, const char *field)
{
    for (size_t i = 0; i < state->field_count; i++) { /* a.b.Declaring.field */
        const char *dot = strrchr(state->fields[i]->name, '.');
        if (dot == NULL || strcmp(dot + 1, field) != 0)
            continue;
        print_type(trace, state->id);
        (void)printf("#%" PRIu32 " = %" PRId64 "\n", state->id, (int64_t)state->fields[i]->value);
    }
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object_state *state;
    const struct hs_object *object;
    hs_cursor *objects;
    hs_trace *trace = open_trace(argc, argv, 2, "field_values TRACE FIELD");
    int more = hs_objects_open(trace, &objects, &error);
    if (more == 0) {
        while ((more = hs_object_next(objects, &object, &error)) > 0) {
            if (!hs_type_may_have(trace, object->class_id, argv[2]))
                continue;
            if ((more = hs_object_at(trace, object->id, HS_NO_SEQ, &state, &error)) != 0)
                break;
            print_fields(trace, state, argv[2]);
        }
        hs_cursor_close(objects);
    }
    hs_close(trace);
    return more < 0 ? fail(&error) : 0;
}
