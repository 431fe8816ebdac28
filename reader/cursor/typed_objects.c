/* typed_objects.c - hs_objects_of_type_open: the classes whose names match, and the objects of these. */
#include "reader/cursor/cursor.h"

/* The objects of class 0, whose type is not known, that have a text are strings. */
static bool choose_classes(hs_trace *t, const char *type_glob, u32_vec *out)
{
    const struct hs_type *type;
    hs_cursor *types;
    bool ok = hs_types_open(t, &types, NULL) == 0;
    uint32_t *to = ok && hs_class_matches(type_glob, "java.lang.String") ? vec_push(out) : NULL;
    if (to != NULL)
        *to = 0;
    while (ok && hs_type_next(types, &type, NULL) > 0) {
        if (type->name == NULL || !hs_class_matches(type_glob, type->name))
            continue;
        to = vec_push(out);
        ok = to != NULL;
        if (ok)
            *to = type->id;
    }
    if (ok)
        hs_cursor_close(types);
    return ok;
}

int hs_objects_of_type_open(hs_trace *t, const char *type_glob, hs_cursor **out, struct hs_error *error)
{
    struct error err;
    u32_vec classes = { 0 };
    int result = -1;
    if (choose_classes(t, type_glob, &classes)) {
        result = class_pages_open(t, &classes, out, error);
    } else {
        (void)state_memory(t, &err);
        (void)give(error, &err);
    }
    vec_free(&classes);
    return result;
}
