/* heap_pass.c - see heap_pass.h. */
#include "reader/query/heap_pass.h"

#include <string.h>

static uint64_t key_of(uint32_t node, uint64_t part) { return ((uint64_t)node << 32 | part) + 1; }

enum { PAGES = 1 << (32 - OBJECT_PAGE_BITS) };

uint32_t heap_node(const struct heap_pass *p, uint64_t id)
{
    const uint64_t page = id >> OBJECT_PAGE_BITS;
    return page < p->page_count && p->pages[page] != NULL ? p->pages[page][id & (OBJECT_PAGE_IDS - 1)] : 0;
}

/* The node of an object, a new one where there is none; 0: null, or out of memory. */
static uint32_t node_of(struct heap_pass *p, uint64_t id)
{
    if (id == 0 || id > UINT32_MAX)
        return 0;
    uint32_t **page = &p->pages[id >> OBJECT_PAGE_BITS];
    if (*page == NULL)
        *page = calloc(OBJECT_PAGE_IDS, sizeof **page);
    if (id >> OBJECT_PAGE_BITS >= p->page_count)
        p->page_count = (uint32_t)(id >> OBJECT_PAGE_BITS) + 1;
    uint32_t *node = *page != NULL ? &(*page)[id & (OBJECT_PAGE_IDS - 1)] : NULL;
    if (node != NULL && *node == 0) {
        struct heap_node *new = vec_push(&p->nodes);
        if (new != NULL) {
            *new = (struct heap_node){ .id = (uint32_t)id };
            *node = (uint32_t)p->nodes.count - 1;
        }
    }
    p->no_memory = p->no_memory || node == NULL || *node == 0;
    return node != NULL ? *node : 0;
}

bool heap_pass_begin(struct heap_pass *p)
{
    struct heap_node *none = vec_push(&p->nodes); /* node 0 is no object */
    p->pages = calloc(PAGES, sizeof *p->pages);
    if (none != NULL)
        *none = (struct heap_node){ 0 };
    return none != NULL && p->pages != NULL;
}

static void given_outside(void *context, uint32_t id)
{
    struct heap_pass *p = context;
    p->nodes.items[node_of(p, id)].flags |= HEAP_OUTSIDE;
}

/* The last value of a field or element; null is only kept where there was another one. */
static void put(struct heap_pass *p, uint64_t key, uint32_t value)
{
    const size_t at = (size_t)((key - 1) >> 32 >> HELD_PART_BITS);
    if (at >= p->parts.count && !vec_extend(&p->parts, at + 1)) {
        p->no_memory = true;
        return;
    }
    struct held *h = value != 0 ? map_put(&p->parts.items[at], key) : map_get(&p->parts.items[at], key);
    if (h != NULL)
        h->value = value;
    else if (value != 0)
        p->no_memory = true;
}

static struct heap_thread *thread_of(struct heap_pass *p, uint32_t thread)
{
    struct thread_number *n = map_get(&p->of_thread, (uint64_t)thread + 1);
    if (n == NULL && (n = map_put(&p->of_thread, (uint64_t)thread + 1)) != NULL) {
        struct heap_thread *new = vec_push(&p->threads);
        if (new != NULL)
            *new = (struct heap_thread){ .thread = thread };
        p->no_memory = p->no_memory || new == NULL;
        n->number = (uint32_t)p->threads.count;
    }
    p->no_memory = p->no_memory || n == NULL;
    return p->no_memory ? NULL : &p->threads.items[n->number - 1];
}

/* ---- fields ---- */

static uint32_t number_of(struct heap_pass *p, const char *declaring, const char *name)
{
    uint64_t key = map_hash(declaring, strlen(declaring)) ^ map_hash(name, strlen(name));
    key = key != 0 ? key : 1;
    for (;; key = map_next_hash(key)) {
        struct field_number *n = map_put(&p->numbers, key);
        if (n == NULL)
            break;
        if (n->number == 0) {
            struct heap_field *f = vec_push(&p->fields);
            if (f == NULL)
                break;
            *f = (struct heap_field){ declaring, name };
            return n->number = (uint32_t)p->fields.count;
        }
        const struct heap_field *f = &p->fields.items[n->number - 1];
        if (strcmp(f->declaring, declaring) == 0 && strcmp(f->name, name) == 0)
            return n->number;
    }
    p->no_memory = true;
    return 0;
}

/* The field of a read or write of a reference + 1; 0: it is none. */
static uint32_t field_of(struct heap_pass *p, uint32_t dataid)
{
    if (dataid >= p->of_dataid.count && !vec_extend(&p->of_dataid, (size_t)dataid + 1)) {
        p->no_memory = true;
        return 0;
    }
    if (p->of_dataid.items[dataid] == 0) {
        const struct hs_dataid *d = hs_dataid_get(p->trace, dataid);
        const char *declaring = hs_field_declaring(p->trace, dataid);
        const char *name = d != NULL ? attribute_text(d, "name") : NULL;
        p->of_dataid.items[dataid] = declaring != NULL && name != NULL ? number_of(p, declaring, name) : UINT32_MAX;
    }
    return p->of_dataid.items[dataid] != UINT32_MAX ? p->of_dataid.items[dataid] : 0;
}

/* ---- stores ---- */

static bool threw(struct heap_pass *p, const struct hs_event *e, unsigned event)
{
    static const char *const types[] = { "java.lang.ArrayStoreException", "java.lang.ArrayIndexOutOfBoundsException",
                                         "java.lang.NullPointerException" };
    if (event == EVENT_CATCH_LABEL)
        return true;
    if (event != EVENT_CATCH && event != EVENT_METHOD_EXCEPTIONAL_EXIT)
        return false;
    const struct hs_object *o = e->value <= UINT32_MAX ? hs_object_get(p->trace, (uint32_t)e->value) : NULL;
    for (size_t i = 0; o != NULL && o->type != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(o->type, types[i]) == 0)
            return true;
    return false;
}

static void finish_store(struct heap_pass *p, struct heap_thread *t)
{
    if (t->stores)
        put(p, t->store.key, (uint32_t)t->store.value);
    t->stores = false;
}

static void begin_store(struct heap_thread *t, uint64_t part, uint32_t value)
{
    t->stores = t->object != 0;
    t->store = (struct held){ key_of(t->object, part), value };
}

static void keep_early(struct heap_pass *p, struct heap_thread *t, uint32_t method_id, uint32_t field, uint32_t value)
{
    struct early *e = vec_push(&t->early);
    if (e == NULL)
        p->no_memory = true;
    else
        *e = (struct early){ method_id, field, value };
}

/* The constructor's object can be seen now: what it has written before belongs to it. */
static void take_early(struct heap_pass *p, struct heap_thread *t, uint32_t method_id, uint32_t object)
{
    for (; t->early.count > 0 && t->early.items[t->early.count - 1].method_id == method_id; t->early.count--)
        if (object != 0)
            put(p, key_of(object, t->early.items[t->early.count - 1].field), t->early.items[t->early.count - 1].value);
}

/* ---- events ---- */

static void apply_field(struct heap_pass *p, struct heap_thread *t, const struct hs_event *e, const struct effect *f,
                        uint32_t value)
{
    const uint32_t field = e->kind == KIND_REF ? field_of(p, e->dataid) : 0;
    if (field == 0)
        return;
    switch (f->event) {
    case EVENT_GET_INSTANCE_FIELD_RESULT:
        if (t->object != 0)
            put(p, key_of(t->object, field), value);
        break;
    case EVENT_PUT_INSTANCE_FIELD_VALUE: begin_store(t, field, value); break;
    case EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION: keep_early(p, t, f->method, field, value); break;
    default: put(p, key_of(0, field), value); break; /* of a static field */
    }
}

static void apply_element(struct heap_pass *p, struct heap_thread *t, const struct hs_event *e, unsigned event,
                          uint32_t value)
{
    if (e->kind != KIND_REF || t->index >= UINT32_MAX || t->object == 0)
        return;
    if (event == EVENT_ARRAY_LOAD_RESULT)
        put(p, key_of(t->object, t->index), value);
    else
        begin_store(t, t->index, value);
}

/* `value` is the node of the event's value; 0: null, or no reference. */
static void apply(struct heap_pass *p, struct heap_thread *t, const struct hs_event *e, const struct effect *f,
                  uint32_t value)
{
    switch (f->event) {
    case EVENT_GET_INSTANCE_FIELD:
    case EVENT_PUT_INSTANCE_FIELD:
    case EVENT_ARRAY_LOAD:
    case EVENT_ARRAY_STORE: t->object = value; break;
    case EVENT_ARRAY_LOAD_INDEX:
    case EVENT_ARRAY_STORE_INDEX: t->index = e->value; break;
    case EVENT_GET_INSTANCE_FIELD_RESULT:
    case EVENT_PUT_INSTANCE_FIELD_VALUE:
    case EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION:
    case EVENT_GET_STATIC_FIELD:
    case EVENT_PUT_STATIC_FIELD: apply_field(p, t, e, f, value); break;
    case EVENT_ARRAY_LOAD_RESULT:
    case EVENT_ARRAY_STORE_VALUE: apply_element(p, t, e, f->event, value); break;
    case EVENT_METHOD_OBJECT_INITIALIZED: take_early(p, t, f->method, value); break;
    case EVENT_MULTI_NEW_ARRAY_OWNER:
        t->object = value;
        t->elements = 0;
        break;
    case EVENT_MULTI_NEW_ARRAY_ELEMENT:
        if (t->object != 0 && t->elements < UINT32_MAX)
            put(p, key_of(t->object, t->elements++), value);
        break;
    default: break;
    }
}

/* The node of an event's value. What no event shows to be made by woven code, or to be a constant, may be held by the
 * code that made it. */
static uint32_t see(struct heap_pass *p, const struct hs_event *e, const struct effect *f)
{
    const bool dynamic = f->event == EVENT_INVOKE_DYNAMIC_RESULT && heap_node(p, e->value) == 0;
    const bool makes = event_has(f->event, USE_CREATE) && f->event != EVENT_METHOD_OBJECT_INITIALIZED;
    const uint32_t node = node_of(p, e->value);
    if (node != 0 && (dynamic || makes))
        p->nodes.items[node].flags |= HEAP_MADE;
    if (node != 0 && f->event == EVENT_OBJECT_CONSTANT_LOAD)
        p->nodes.items[node].flags |= HEAP_CONSTANT;
    return node;
}

void heap_pass_take(struct heap_pass *p, const struct hs_event *e)
{
    const struct effect *f = effects_get(p->trace, e->dataid);
    struct heap_thread *t = thread_of(p, e->thread);
    if (t == NULL)
        return;
    if (t->stores && threw(p, e, f->event))
        t->stores = false;
    finish_store(p, t);
    const uint32_t value = e->kind == KIND_REF ? see(p, e, f) : 0;
    if (!given_step(p->trace, &t->given, e, f, given_outside, p))
        p->no_memory = true;
    apply(p, t, e, f, value);
    t->last = *e;
}

void heap_pass_settle(struct heap_pass *p)
{
    for (size_t i = 0; i < p->threads.count; i++)
        finish_store(p, &p->threads.items[i]);
}

void heap_pass_done(struct heap_pass *p)
{
    for (size_t i = 0; i < p->threads.count; i++) {
        vec_free(&p->threads.items[i].early);
        vec_free(&p->threads.items[i].given.ids);
    }
    vec_free(&p->threads);
    map_free(&p->of_thread);
    for (size_t i = 0; i < p->parts.count; i++)
        map_free(&p->parts.items[i]);
    vec_free(&p->parts);
    for (uint32_t i = 0; p->pages != NULL && i < p->page_count; i++)
        free(p->pages[i]);
    free(p->pages);
    vec_free(&p->nodes);
    vec_free(&p->of_dataid);
    vec_free(&p->fields);
    map_free(&p->numbers);
}
