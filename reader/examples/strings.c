/* strings.c - in which strings does a text occur, and from when to when were they seen?   strings TRACE TEXT */
#include "reader/examples/example.h"

static void print_string(hs_trace *trace, const struct hs_object *object, const struct hs_life *life)
{
    const struct hs_type *type = hs_type_get(trace, object->class_id);
    (void)printf("%" PRIu32 " of %" PRIu64 " characters", object->id, object->length);
    if (life != NULL)
        (void)printf(", seen from %" PRIu64 " to %" PRIu64, life->first, life->last);
    (void)printf("%s\n", type != NULL && type->loader != 0 ? ", of a class that a loader brought" : "");
}

/* Both lists are in the order of ids. */
static int print_strings(hs_trace *trace, const char *text, struct hs_error *error)
{
    hs_cursor *objects, *lives;
    const struct hs_object *object;
    const struct hs_life *life;
    int more;
    if (hs_objects_of_type_open(trace, "java.lang.String", &objects, error) != 0)
        return -1;
    if (hs_lives_open(trace, &lives, error) != 0) {
        hs_cursor_close(objects);
        return -1;
    }
    while ((more = hs_object_next(objects, &object, error)) > 0) {
        if (!object->has_string || !hs_string_contains(object, text))
            continue;
        bool shown = hs_cursor_seek(lives, object->id, error) == 0 && hs_life_next(lives, &life, error) > 0 &&
                     life->id == object->id;
        print_string(trace, object, shown ? life : NULL);
    }
    hs_cursor_close(lives);
    hs_cursor_close(objects);
    return more;
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace = open_trace(argc, argv, 2, "strings TRACE TEXT");
    int failed = print_strings(trace, argv[2], &error);
    hs_close(trace);
    return failed != 0 ? fail(&error) : 0;
}
