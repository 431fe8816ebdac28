/* expression_objects.c - see expression_objects.h. */
#include "reader/query/expression_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/mutf8.h"
#include "formats/values.h"
#include "reader/code/code.h"

static const struct hs_object *object_of(void *context, uint64_t id)
{
    const struct trace_objects *o = context;
    return id - 1 < UINT32_MAX ? hs_object_get(o->trace, (uint32_t)id) : NULL;
}

static enum expression_answer string_of(void *context, uint64_t id, struct writer *out, bool *cut)
{
    const struct hs_object *o = object_of(context, id);
    if (o == NULL || !o->has_string)
        return o != NULL && o->type != NULL && strcmp(o->type, "java.lang.String") == 0 ? EXPRESSION_NOT_KNOWN
                                                                                        : EXPRESSION_NO;
    (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, out);
    *cut = o->cut;
    return EXPRESSION_YES;
}

bool object_is_box(const struct hs_object *o)
{
    static const char *const boxes[] = {
        "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double"
    };
    static const char package[] = "java.lang.";
    size_t skip = sizeof package - 1;
    if (o == NULL || o->type == NULL || strncmp(o->type, package, skip) != 0)
        return false;
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        if (strcmp(o->type + skip, boxes[i]) == 0)
            return true;
    return false;
}

static enum expression_answer number_of(void *context, uint64_t id, struct expression_value *out)
{
    const struct trace_objects *objects = context;
    const struct hs_object *o = object_of(context, id);
    const struct hs_contents *box;
    if (!object_is_box(o))
        return EXPRESSION_NO;
    const struct hs_object_value *copied = hs_object_value_get(objects->trace, (uint32_t)id, HS_NO_SEQ);
    if (copied != NULL && copied->kind != 0) {
        *out = expression_number(copied->kind, copied->bits);
        return EXPRESSION_YES;
    }
    if (object_of(context, id) == NULL ||
        hs_contents_at(objects->trace, (uint32_t)id, objects->moment, &box, NULL) <= 0 || !box->known ||
        box->entry_count != 1)
        return EXPRESSION_NOT_KNOWN;
    *out = expression_number(box->entries[0]->value->kind, box->entries[0]->value->bits);
    return EXPRESSION_YES;
}

static enum expression_answer stands_for(void *context, uint64_t id, uint64_t moment, struct expression_standing *out)
{
    const struct trace_objects *objects = context;
    const struct hs_object_value *v =
        id - 1 < UINT32_MAX ? hs_object_value_get(objects->trace, (uint32_t)id, moment) : NULL;
    if (v == NULL)
        return EXPRESSION_NO;
    *out = (struct expression_standing){
        .kind = v->kind, .bits = v->bits, .is_constant = v->is_constant, .text = v->text
    };
    const struct hs_object *o = v->is_constant ? object_of(context, id) : NULL;
    if (o != NULL && o->type != NULL) {
        out->constant_of = o->type;
        out->constant_size = value_enum_length(o->type);
    }
    return EXPRESSION_YES;
}

static const char *type_of(void *context, uint64_t id)
{
    const struct hs_object *o = object_of(context, id);
    return o != NULL ? o->type : NULL;
}

static bool matches(const void *wanted, const char *name) { return hs_class_matches(wanted, name); }

static enum expression_answer is_a(void *context, uint64_t id, const char *name, const char **full)
{
    hs_trace *trace = ((struct trace_objects *)context)->trace;
    const struct hs_object *o = object_of(context, id);
    const struct hs_type *type = o != NULL ? hs_type_get(trace, o->class_id) : NULL;
    bool unknown = false;
    if (o == NULL || o->type == NULL)
        return EXPRESSION_NOT_KNOWN;
    *full = "java.lang.Object";
    if (strcmp(name, "Object") == 0 || strcmp(name, *full) == 0)
        return EXPRESSION_YES;
    *full = o->type;
    if (hs_class_matches(name, o->type))
        return EXPRESSION_YES;
    const struct lineage *c = type != NULL ? lineage_of(trace, type->name, type->loader) : NULL;
    const char *found = lineage_above(trace, c, matches, name, &unknown);
    if (found != NULL)
        *full = found;
    return found != NULL ? EXPRESSION_YES : unknown ? EXPRESSION_NOT_KNOWN : EXPRESSION_NO;
}

/* The object that the static field of this name holds in the class of the object. */
static uint64_t constant_of(void *context, uint64_t id, const char *name)
{
    struct trace_objects *objects = context;
    const struct hs_object *o = object_of(context, id);
    const struct hs_write *w;
    if (o == NULL || o->type == NULL || o->class_id == 0)
        return 0;
    const uint64_t key = ((uint64_t)(uintptr_t)name << 20 ^ o->class_id) | 1;
    struct enum_constant *c = map_get(&objects->constants, key);
    if (c != NULL && c->name == name)
        return c->object;
    const size_t size = strlen(o->type) + strlen(name) + 2;
    char *place = malloc(size);
    c = place != NULL ? map_put(&objects->constants, key) : NULL;
    if (c != NULL) {
        c->name = name;
        (void)snprintf(place, size, "%s.%s", o->type, name);
        if (hs_last_write(objects->trace, place, HS_NO_SEQ, &w, NULL) > 0 && w->event->kind == HS_KIND_REF)
            c->object = (uint32_t)w->event->value;
    }
    free(place);
    return c != NULL ? c->object : 0;
}

const struct expression_objects trace_objects = {
    string_of, number_of, stands_for, type_of, is_a, constant_of, hs_class_matches,
};

void trace_objects_done(struct trace_objects *o)
{
    map_free(&o->constants);
    *o = (struct trace_objects){ 0 };
}
