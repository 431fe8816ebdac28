/* past_heap.c - see past_heap.h. */
#include "reader/query/past_heap.h"
#include "reader/query/handover.h"

#include <stdarg.h>
#include <stdio.h>

#include "formats/mutf8.h"
#include "reader/query/state.h"

enum { PART = 1024, CONTENTS_MOST = 1 << 20 }; /* elements of an array that are asked for together; entries */

static const char *phrase(struct past_heap *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *phrase(struct past_heap *h, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const size_t size = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    char *copy = arena_chars(&h->arena, size + 1);
    if (copy == NULL)
        return "not enough memory";
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static const char *object_name(struct past_heap *h, uint32_t id)
{
    const struct hs_object *o = hs_object_get(h->trace, id);
    const char *type = o != NULL && o->type != NULL ? o->type : "object", *simple = type;
    for (const char *p = type; *p != '\0'; p++)
        if (*p == '.')
            simple = p + 1;
    return phrase(h, "%s#%u", simple, id);
}

/* NULL: nothing is known of the object. */
static const struct hs_object_state *state_of(struct past_heap *h, uint32_t id, uint64_t from)
{
    const uint64_t key = ((uint64_t)id << 31) ^ (from / PART) ^ (uint64_t)1 << 63;
    struct past_state *s = map_get(&h->states, key);
    struct error err;
    const struct hs_object_state *state = NULL;
    if (s != NULL)
        return s->state;
    if (object_state(h->trace, &h->arena, id, h->seq, (struct part){ from, PART, 0 }, &state, &err) != OK)
        state = NULL;
    if ((s = map_put(&h->states, key)) != NULL)
        s->state = state;
    return state;
}

/* `of`: of a field, the object. */
static bool member_value(struct past_heap *h, const struct hs_member *x, uint32_t of, const char *name,
                         struct jvalue *out, const char **why)
{
    if (x->kind == HS_KIND_VOID)
        *why = phrase(h, "%s was left out by redact=", name);
    else if (x->unrecorded)
        *why = phrase(h, "%s, recording was stopped since event %llu", name, (unsigned long long)x->event->seq);
    else if (x->stale && (of == 0 || !handover_harmless(h->trace, of, x->event->seq, h->seq)))
        *why = phrase(h, "%s, which code that is not woven may have written since event %llu", name,
                      (unsigned long long)x->event->seq);
    *out = (struct jvalue){ .kind = jvalue_kind(x->kind), .bits = x->value };
    return *why == NULL;
}

static const char *when(struct past_heap *h)
{
    return h->seq == HS_NO_SEQ ? "" : phrase(h, " before event %llu", (unsigned long long)h->seq + 1);
}

static void keep_field(struct past_heap *h, uint32_t object, const struct field *f, const struct hs_member *x)
{
    const struct watched_field value = { .known = true, .kind = x->kind, .bits = x->value, .seq = x->event->seq };
    struct field lasting; /* its texts live as long as the trace */
    if (h->fields != NULL && x->kind != HS_KIND_VOID && !x->unrecorded && !x->stale &&
        field_find(h->trace, f->declaring, f->name, f->type, f->loader, &lasting) && field_same(lasting, *f))
        field_watch_keep(h->fields, object, &lasting, h->seq, &value);
}

static bool field_at(void *context, uint32_t object, const struct field *f, struct jvalue *out, const char **why)
{
    struct past_heap *h = context;
    struct watched_field kept;
    if (h->fields != NULL && field_watch_get(h->fields, object, f, h->seq, &kept) && kept.known && !kept.stale) {
        *out = (struct jvalue){ .kind = jvalue_kind(kept.kind), .bits = kept.bits };
        return true;
    }
    const size_t size = strlen(f->declaring), length = strlen(f->name);
    const struct hs_object_state *state = state_of(h, object, 0);
    const char *name = phrase(h, "%s.%s", object_name(h, object), f->name);
    for (size_t i = 0; state != NULL && i < state->field_count; i++) {
        const struct hs_member *x = state->fields[i];
        if (x->name == NULL || strncmp(x->name, f->declaring, size) != 0 || x->name[size] != '.' ||
            strncmp(x->name + size + 1, f->name, length) != 0)
            continue;
        const char *type = x->name + size + 1 + length;
        if (*type != '\0' && (*type != ':' || f->type == NULL || strcmp(type + 1, f->type) != 0))
            continue;
        keep_field(h, object, f, x);
        return member_value(h, x, object, name, out, why);
    }
    *why = phrase(h, "%s, never read or written%s", name, when(h));
    return false;
}

static bool element_at(void *context, uint32_t array, uint64_t index, struct jvalue *out, const char **why)
{
    struct past_heap *h = context;
    const struct hs_object_state *state = state_of(h, array, index - index % PART);
    const char *name = phrase(h, "%s[%llu]", object_name(h, array), (unsigned long long)index);
    for (size_t i = 0; state != NULL && i < state->element_count; i++)
        if (state->elements[i]->index == index)
            return member_value(h, state->elements[i], 0, name, out, why);
    *why = phrase(h, "%s, never read or written%s", name, when(h));
    return false;
}

static bool length_of(void *context, uint32_t array, uint64_t *out, const char **why)
{
    struct past_heap *h = context;
    const int known = hs_array_length(h->trace, array, out, NULL);
    if (known <= 0)
        *why = phrase(h, "the length of %s", object_name(h, array));
    return known > 0;
}

/* ---- statics ---- */

int static_at(hs_trace *t, struct field f, uint64_t seq, struct hs_event *out, bool *unrecorded, struct error *err)
{
    static const unsigned events[] = { EVENT_PUT_STATIC_FIELD, EVENT_GET_STATIC_FIELD };
    struct walk walk;
    u32_vec ids = { 0 };
    bool found = false;
    *unrecorded = false;
    for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
        size_t count;
        const struct site *sites = sites_named(t, events[k], f.name, &count);
        for (size_t i = 0; i < count; i++) {
            if (!sites_very_field(t, sites[i].dataid, f))
                continue;
            uint32_t *to = vec_push(&ids);
            if (to == NULL) {
                vec_free(&ids);
                return trace_no_memory(t), error_set(err, ERR_MEMORY, "not enough memory"), -1;
            }
            *to = sites[i].dataid;
        }
    }
    enum status st = OK;
    if (ids.count > 0) {
        qsort(ids.items, ids.count, sizeof *ids.items, u32_order);
        walk_open_ids(&walk, t, &ids, 0, UINT64_MAX);
        walk_seek_after(&walk, seq);
        found = walk_previous(&walk, out);
        st = walk_close(&walk, err);
        const struct hs_event *moment;
        if (found && !f.is_final && hs_event_at(t, seq, &moment, NULL) == 0)
            *unrecorded = period_of(t, out->stamp) != period_of(t, moment->stamp);
    }
    vec_free(&ids);
    return st != OK ? -1 : found;
}

static const char *string_constant(hs_trace *t, const struct cpool *cp, uint32_t utf8)
{
    struct text modified;
    struct writer w = { 0 };
    const char *text = NULL;
    if (cpool_utf8(cp, utf8, &modified) && mutf8_to_utf8(modified.data, modified.size, &w) && !w.bad)
        text = trace_text(t, (struct text){ (const char *)w.data, w.size }, false);
    writer_free(&w);
    return text;
}

bool static_constant(hs_trace *t, const struct field *f, char *kind, uint64_t *bits, const char **text)
{
    *text = NULL;

    const struct hs_class *c = hs_class_find(t, f->declaring, f->loader);
    const struct classfile *cf = c != NULL ? class_file(t, c, NULL) : NULL;
    for (size_t i = 0; cf != NULL && i < cf->fields.count; i++) {
        const struct member *x = &cf->fields.items[i];
        struct text name, desc;
        if (!cpool_utf8(&cf->cp, x->name, &name) || !cpool_utf8(&cf->cp, x->desc, &desc) || desc.size == 0 ||
            !name_is(name, f->name))
            continue;
        const struct attribute *a = classfile_attribute(cf, x->first_attribute, x->attribute_count, "ConstantValue");
        const uint8_t *entry = a != NULL && a->length == 2 ? cpool_entry(&cf->cp, be2(a->data)) : NULL;
        const unsigned tag = entry != NULL ? *entry : 0;
        *kind = desc.data[0];
        if (tag == CONSTANT_Integer || tag == CONSTANT_Float)
            *bits = tag == CONSTANT_Float ? be4(entry + 1) : (uint64_t)(int32_t)be4(entry + 1);
        else if (tag == CONSTANT_Long || tag == CONSTANT_Double)
            *bits = (uint64_t)be4(entry + 1) << 32 | be4(entry + 5);
        else if (tag == CONSTANT_String)
            return (*text = string_constant(t, &cf->cp, be2(entry + 1))) != NULL;
        else
            return false;
        return true;
    }
    return false;
}

static bool static_field_at(void *context, const struct field *f, struct jvalue *out, const char **why)
{
    struct past_heap *h = context;
    struct watched_field kept;
    struct hs_event e;
    struct error err;
    bool unrecorded;
    if (h->fields != NULL && field_watch_get(h->fields, 0, f, h->seq, &kept) && kept.known && !kept.stale) {
        *out = (struct jvalue){ .kind = jvalue_kind(kept.kind), .bits = kept.bits };
        return true;
    }
    const int found = static_at(h->trace, *f, h->seq, &e, &unrecorded, &err);
    if (found > 0 && !unrecorded && e.kind != KIND_VOID) {
        kept = (struct watched_field){ .known = true, .kind = e.kind, .bits = e.value, .seq = e.seq };
        if (h->fields != NULL)
            field_watch_keep(h->fields, 0, f, h->seq, &kept);
        *out = (struct jvalue){ .kind = jvalue_kind(e.kind), .bits = e.value };
        return true;
    }
    char kind;
    const char *text;
    if (found == 0 && static_constant(h->trace, f, &kind, &out->bits, &text) && text == NULL) {
        *out = (struct jvalue){ .kind = jvalue_kind(kind), .bits = out->bits };
        return true;
    }
    if (found == 0 && lineage_of(h->trace, f->declaring, f->loader) == NULL) {
        *why = phrase(h, "%s.%s: the class was never loaded while it was recorded, or is not woven", f->declaring,
                      f->name);
        return false;
    }
    *why = phrase(h, unrecorded ? "%s.%s, recording was stopped since it was seen%s" : "%s.%s, never read or written%s",
                  f->declaring, f->name, unrecorded ? "" : when(h));
    return false;
}

static bool initialized(void *context, const struct hs_method *initializer)
{
    struct past_heap *h = context;
    const site_vec *sites = sites_of(h->trace, EVENT_METHOD_ENTRY);
    const char *begin = hs_info(h->trace, "begin");
    struct walk walk;
    struct hs_event e;
    u32_vec ids = { 0 };
    for (size_t i = 0; i < sites->count; i++)
        if (sites->items[i].method_id == initializer->method_id) {
            uint32_t *to = vec_push(&ids);
            if (to != NULL)
                *to = sites->items[i].dataid;
        }
    bool found = ids.count == 0 || (begin != NULL && strcmp(begin, "late") == 0);
    if (!found) {
        walk_open_ids(&walk, h->trace, &ids, 0, UINT64_MAX);
        walk_seek_after(&walk, h->seq);
        found = walk_previous(&walk, &e);
        if (walk_close(&walk, NULL) != OK)
            found = true;
    }
    vec_free(&ids);
    return found;
}

/* ---- what objects of the JDK held ---- */

static bool copy_entries(struct past_heap *h, const struct hs_contents *c, struct held *out)
{
    struct jvalue *keys = arena_array(&h->arena, c->entry_count + 1, sizeof *keys);
    struct jvalue *values = arena_array(&h->arena, c->entry_count + 1, sizeof *values);
    if (keys == NULL || values == NULL)
        return false;
    for (size_t i = 0; i < c->entry_count; i++) {
        const struct hs_entry *e = c->entries[i];
        values[i] = (struct jvalue){ .kind = jvalue_kind(e->value->kind), .bits = e->value->bits };
        if (e->key != NULL)
            keys[i] = (struct jvalue){ .kind = jvalue_kind(e->key->kind), .bits = e->key->bits };
    }
    *out =
        (struct held){ .shape = c->shape,
                       .ordered = c->ordered && c->shape != HS_CONTENTS_QUEUE,
                       .count = c->entry_count,
                       .keys = keys,
                       .values = values,
                       .text = c->text != NULL ? trace_text(h->trace, (struct text){ c->text, strlen(c->text) }, false)
                                               : NULL };
    return true;
}

static bool contents_of(void *context, uint32_t object, struct held *out, const char **why)
{
    struct past_heap *h = context;
    struct past_contents *found = map_get(&h->contents, object);
    if (found == NULL) {
        const struct hs_contents *c;
        struct past_contents made = { .key = object };
        const int is = hs_contents_at(h->trace, object, h->seq, &c, NULL);
        made.known = is > 0 && c->known && c->entry_count < CONTENTS_MOST && copy_entries(h, c, &made.held);
        if (!made.known)
            made.why = phrase(h, "what %s held%s%s", object_name(h, object), is > 0 && c->why != NULL ? ": " : "",
                              is > 0 && c->why != NULL ? c->why : "");
        found = map_put(&h->contents, object);
        if (found == NULL)
            return *why = "not enough memory", false;
        *found = made;
    }
    *out = found->held;
    *why = found->why;
    return found->known;
}

static const struct hs_object_value *value_of(void *context, uint32_t object)
{
    struct past_heap *h = context;
    return hs_object_value_get(h->trace, object, HS_NO_SEQ);
}

static bool message_of(void *context, uint32_t exception, const char **text, const char **why)
{
    struct past_heap *h = context;
    *why = phrase(h, "the message of %s", object_name(h, exception));
    return h->message(h->asks, exception, text);
}

struct heap past_heap(struct past_heap *h)
{
    return (struct heap){ .context = h,
                          .field = field_at,
                          .static_field = static_field_at,
                          .element = element_at,
                          .initialized = initialized,
                          .length = length_of,
                          .contents = contents_of,
                          .value = value_of,
                          .message = message_of };
}

void past_heap_done(struct past_heap *h)
{
    arena_done(&h->arena);
    map_free(&h->states);
    map_free(&h->contents);
}
