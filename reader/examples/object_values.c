/* object_values.c - what do objects stand for: numbers in boxes, decimals, dates, enum constants, ...?
 * object_values TRACE */
#include "reader/examples/example.h"

static void print_value(const struct hs_object_value *v)
{
    if (v->kind != 0)
        (void)printf("%" PRIu32 " is a box of %s, bits %" PRIx64 "\n", v->id, v->text, v->bits);
    else
        (void)printf("%" PRIu32 " is %s%s\n", v->id, v->is_constant ? "the constant " : "", v->text);
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace = open_trace(argc, argv, 1, "object_values TRACE");
    hs_cursor *objects;
    const struct hs_object *object;
    int more;
    if (hs_objects_open(trace, &objects, &error) != 0)
        return fail(&error);
    while ((more = hs_object_next(objects, &object, &error)) > 0) {
        const uint32_t id = object->id;
        const struct hs_object_value *value = hs_object_value_get(trace, id, HS_NO_SEQ);
        if (value != NULL)
            print_value(value);
    }
    hs_cursor_close(objects);
    hs_close(trace);
    return more != 0 ? fail(&error) : 0;
}
