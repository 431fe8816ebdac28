/* filter.c - see filter.h. Names are compared as class_names.c says. */
#include "reader/cursor/filter.h"

#include <stdlib.h>
#include <string.h>

/* ---- data IDs ---- */

static bool event_wanted(const struct hs_filter *want, unsigned event)
{
    for (size_t i = 0; i < want->event_count; i++)
        if (want->events[i] == event)
            return true;
    return want->events == NULL;
}

struct marking {
    struct filter *f;
    const struct hs_filter *want;
    const struct hs_class *c;
    bool *methods; /* of the class: the glob matches */
};

static enum status mark_row(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    struct marking *m = context;
    uint32_t id = m->c->first_dataid + index;
    (void)err;
    if (m->methods[row->method] && event_wanted(m->want, row->event) && id < m->f->id_count)
        m->f->ids[id / 64] |= (uint64_t)1 << (id % 64);
    return OK;
}

static void mark_class(struct filter *f, hs_trace *t, const struct hs_filter *want, const struct hs_class *c,
                       bool *methods)
{
    struct marking m = { f, want, c, methods };
    struct error why;
    bool any = false;
    for (uint32_t i = 0; i < c->method_count; i++) {
        methods[i] = hs_method_matches(want->method_glob, c->methods[i]->name, c->methods[i]->desc);
        any |= methods[i];
    }
    if (!any || tables_skim(t, c, mark_row, &m, &why) == OK)
        return;
    trace_damaged(t, &why);
    for (uint32_t id = c->first_dataid; id - c->first_dataid < c->dataid_count && id < f->id_count; id++)
        f->ids[id / 64] &= ~((uint64_t)1 << (id % 64)); /* none of a damaged class, as hs_dataid_get */
}

/* The data IDs of some event types, kept with the trace: the trees of a thousand threads want the same ones. */
struct event_ids {
    bool events[EVENT_LIMIT];
    uint64_t *ids;
    uint32_t id_count;
};

static void event_ids_free(void *what)
{
    struct event_ids *kept = what;
    free(kept->ids);
    free(kept);
}

/* The set of the wanted types; false: other conditions count too. */
static bool event_set(const struct hs_filter *want, bool events[EVENT_LIMIT])
{
    memset(events, 0, EVENT_LIMIT * sizeof *events);
    for (size_t i = 0; i < want->event_count; i++)
        if (want->events[i] < EVENT_LIMIT)
            events[want->events[i]] = true;
    return want->events != NULL && want->class_glob == NULL && want->method_glob == NULL;
}

static size_t bitmap_bytes(uint32_t id_count) { return ((size_t)id_count / 64 + 1) * sizeof(uint64_t); }

static bool take_kept(struct filter *f, const hs_trace *t, const struct hs_filter *want)
{
    bool events[EVENT_LIMIT];
    const struct event_ids *kept = trace_attached(t, ATTACHED_EVENT_IDS);
    if (!event_set(want, events) || kept == NULL || kept->ids == NULL || kept->id_count != f->id_count ||
        memcmp(events, kept->events, sizeof events) != 0)
        return false;
    memcpy(f->ids, kept->ids, bitmap_bytes(f->id_count));
    return true;
}

/* Keeps the bitmap for the next filter, if there is memory for it. */
static void keep(const struct filter *f, hs_trace *t, const struct hs_filter *want)
{
    bool events[EVENT_LIMIT];
    struct event_ids *kept = trace_attached(t, ATTACHED_EVENT_IDS);
    if (!event_set(want, events))
        return;
    if (kept == NULL) {
        kept = calloc(1, sizeof *kept);
        if (kept == NULL)
            return;
        trace_attach(t, ATTACHED_EVENT_IDS, kept, event_ids_free);
    }
    free(kept->ids);
    kept->ids = malloc(bitmap_bytes(f->id_count));
    kept->id_count = f->id_count;
    memcpy(kept->events, events, sizeof events);
    if (kept->ids != NULL)
        memcpy(kept->ids, f->ids, bitmap_bytes(f->id_count));
}

static enum status mark_ids(struct filter *f, hs_trace *t, const struct hs_filter *want, struct error *err)
{
    size_t count = class_rows(t), most = 0;
    f->id_count = t->kind_count;
    f->ids = calloc((size_t)f->id_count / 64 + 1, sizeof *f->ids);
    for (size_t i = 0; i < count; i++)
        if (class_at(t, i)->method_count > most)
            most = class_at(t, i)->method_count;
    bool *methods = calloc(most + 1, sizeof *methods);
    if (f->ids == NULL || methods == NULL) {
        free(methods);
        return error_memory(err, "%s", t->dir);
    }
    if (take_kept(f, t, want)) {
        free(methods);
        return OK;
    }
    for (size_t i = 0; i < count; i++) {
        const struct hs_class *c = class_at(t, i);
        if (c->dataid_count > 0 && hs_class_matches(want->class_glob, c->name))
            mark_class(f, t, want, c, methods);
    }
    free(methods);
    keep(f, t, want);
    return OK;
}

/* ---- values ---- */

static enum status parse_value(struct filter *f, const char *text, struct error *err)
{
    f->by_value = true;
    f->value = strdup(text);
    if (f->value == NULL)
        return error_set(err, ERR_MEMORY, "out of memory");
    return wanted_parse(&f->wanted, f->value, err);
}

bool filter_value_matters(const struct filter *f) { return f->object != 0 || f->by_value || f->by_text; }

static bool is_found(const struct filter *f, uint64_t value)
{
    uint32_t id = (uint32_t)value;
    return value <= UINT32_MAX && f->found.count > 0 &&
           bsearch(&id, f->found.items, f->found.count, sizeof id, u32_order) != NULL;
}

static bool value_passes(const struct filter *f, hs_trace *t, uint8_t kind, uint64_t value)
{
    bool reference = kind == KIND_REF;
    if (f->only_found && (reference || f->by_text))
        return reference && is_found(f, value);
    if (f->by_value && !wanted_is(&f->wanted, t, kind, value))
        return false;
    if (!f->by_text)
        return true;
    return reference && value != 0 && value <= UINT32_MAX && needle_in_object(&f->text, t, (uint32_t)value);
}

bool filter_value(const struct filter *f, hs_trace *t, uint8_t kind, uint64_t value)
{
    kind &= 0x7f;
    if (f->object != 0 && (kind != KIND_REF || value != f->object))
        return false;
    if (kind != KIND_REF || f->memos == NULL || value > UINT32_MAX)
        return value_passes(f, t, kind, value);
    uint64_t *memo = &f->memos[value % FILTER_MEMOS];
    if (*memo >> 1 != (value << 1 | 1))
        *memo = value << 2 | 2 | value_passes(f, t, kind, value);
    return (*memo & 1) != 0;
}

/* As values lie in memory: x86-64 compares 32 bits at a time. */
typedef uint32_t u32x4 __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint64_t u64x2 __attribute__((vector_size(16)));
/* The first value from `i` on that is the wanted one; `count`: none. */
static uint32_t next_value(const uint64_t *values, uint32_t i, uint32_t count, uint64_t wanted)
{
    enum { BLOCK = 16 };
    const u32x4 want = { (uint32_t)wanted, (uint32_t)(wanted >> 32), (uint32_t)wanted, (uint32_t)(wanted >> 32) };
    for (; i + BLOCK <= count; i += BLOCK) {
        u64x2 any = { 0, 0 };
        for (unsigned k = 0; k < BLOCK; k += 2) {
            const u64x2 same = (u64x2)(*(const u32x4 *)(values + i + k) == want);
            any |= same & same >> 32; /* both halves of a value, in its lower one */
        }
        if ((any[0] | any[1]) != 0)
            break;
    }
    while (i < count && values[i] != wanted)
        i++;
    return i;
}

/* What can be said of a value by its kind, without asking what a value means. */
enum quick { QUICK_ASK, QUICK_INTEGER };

static void quick_kinds(const struct filter *f, uint8_t quick[0x80])
{
    static const uint8_t integers[] = { KIND_SHORT, KIND_CHAR, KIND_INT, KIND_LONG };
    memset(quick, QUICK_ASK, 0x80);
    if (!f->by_value)
        return;
    for (size_t i = 0; i < sizeof integers; i++)
        if (integers[i] != KIND_CHAR || !f->wanted.character)
            quick[integers[i]] = QUICK_INTEGER;
    if (!f->wanted.boolean) /* an element of a boolean[] cannot be it */
        quick[KIND_BYTE] = QUICK_INTEGER;
}

uint32_t filter_scan(const struct filter *f, hs_trace *t, const uint32_t *ids, const uint64_t *values, uint32_t i,
                     uint32_t count)
{
    uint8_t quick[0x80];
    if (f->object != 0) { /* of many values few are it */
        while ((i = next_value(values, i, count, f->object)) < count && !filter_id(f, ids[i]))
            i++;
        return i;
    }
    if (!filter_value_matters(f)) {
        while (i < count && !filter_id(f, ids[i]))
            i++;
        return i;
    }
    quick_kinds(f, quick);
    /* either may not count: then it is the other one */
    const struct wanted *w = &f->wanted;
    const uint64_t number = w->integer ? (uint64_t)w->shown.number : w->shown.pattern,
                   pattern = w->bits ? w->shown.pattern : number;
    for (; i < count; i++) {
        const uint32_t id = ids[i];
        if (!filter_id(f, id))
            continue;
        const uint8_t kind = id < t->kind_count ? t->kinds[id] & 0x7f : KIND_VOID;
        const uint64_t value = values[i];
        if (quick[kind] == QUICK_INTEGER) {
            const uint64_t low = wanted_mask(kind);
            if (((value ^ number) & low) != 0 && ((value ^ pattern) & low) != 0)
                continue;
        } else if (kind == KIND_REF && !filter_value(f, t, kind, value)) {
            continue;
        }
        return i;
    }
    return count;
}

/* Can a value of a data ID of this kind pass? Where it is BYTE it may be an element of a boolean[]. */
static bool kind_possible(const struct filter *f, uint8_t kind)
{
    if ((f->object != 0 || f->by_text) && kind != KIND_REF)
        return false;
    return !f->by_value || wanted_possible(&f->wanted, kind) ||
           (kind == KIND_BYTE && wanted_possible(&f->wanted, KIND_BOOLEAN));
}

/* Drops the data IDs whose kind cannot have the wanted value. */
static enum status mark_kinds(struct filter *f, const hs_trace *t, struct error *err)
{
    if (f->ids == NULL) {
        f->id_count = t->kind_count;
        f->ids = calloc((size_t)f->id_count / 64 + 1, sizeof *f->ids);
        if (f->ids == NULL)
            return error_memory(err, "%s", t->dir);
        memset(f->ids, 0xff, ((size_t)f->id_count / 64 + 1) * sizeof *f->ids);
    }
    for (uint32_t id = 0; id < f->id_count; id++)
        if (!kind_possible(f, t->kinds[id] & 0x7f))
            f->ids[id / 64] &= ~((uint64_t)1 << (id % 64));
    return OK;
}

/* ---- the filter ---- */

static enum status copy_threads(struct filter *f, const hs_trace *t, const struct hs_filter *want, struct error *err)
{
    f->threads = calloc(want->thread_count + 1, sizeof *f->threads);
    if (f->threads == NULL)
        return error_memory(err, "%s", t->dir);
    f->thread_count = want->thread_count;
    memcpy(f->threads, want->threads, want->thread_count * sizeof *f->threads);
    qsort(f->threads, f->thread_count, sizeof *f->threads, u32_order);
    return OK;
}

/* Is it said what strings that are wanted have, and not which one it is? */
static bool wants_strings(const struct filter *f) { return f->by_text || (f->wanted.string && !f->wanted.object); }

/* Looks for the strings and values that are wanted: those are few, and the index says which chunks hold them.
 * Without them, as in a trace whose objects cannot all be read, the object of each event is looked at. */
static enum status find_objects(struct filter *f, hs_trace *t, const struct needle *n, struct error *err)
{
    struct object_search search = { .utf16 = { (const char *)n->utf16.data, n->utf16.size }, .values = f->by_text };
    enum status st = OK;
    uint32_t id = 0;
    int more;
    if (n->fits_latin1)
        search.latin1 = (struct text){ (const char *)n->latin1.data, n->latin1.size };
    if (n->utf16.size == 0) /* all */
        search.latin1 = search.utf16 = (struct text){ "", 0 };
    while ((more = objects_search_next(t, &id, &search, NULL)) > 0 && st == OK) {
        if (f->by_text && !needle_in_object(&f->text, t, id))
            continue;
        if (f->by_value && !wanted_is(&f->wanted, t, KIND_REF, id))
            continue;
        uint32_t *to = vec_push(&f->found);
        if (to != NULL)
            *to = id;
        else
            st = error_memory(err, "%s", t->dir);
    }
    writer_free(&search.raw);
    f->only_found = more == 0;
    return st;
}

static enum status find_strings(struct filter *f, hs_trace *t, struct error *err)
{
    struct needle whole;
    if (f->by_text)
        return find_objects(f, t, &f->text, err);
    if (!needle_init(&whole, f->wanted.shown.text)) /* up to U+0000 */
        return error_memory(err, "%s", t->dir);
    enum status st = find_objects(f, t, &whole, err);
    needle_done(&whole);
    return st;
}

static enum status init_values(struct filter *f, hs_trace *t, const struct hs_filter *want, struct error *err)
{
    if (want->value != NULL) {
        enum status st = parse_value(f, want->value, err);
        if (st != OK)
            return st;
    }
    f->by_text = want->text != NULL;
    if (f->by_text && !needle_init(&f->text, want->text))
        return error_memory(err, "%s", t->dir);
    if (f->by_value && f->wanted.object && f->object == 0)
        f->object = f->wanted.shown.object;
    /* not for an object alone: its few events are not worth reading hundreds of thousands of data IDs */
    if (!f->by_value && !f->by_text)
        return OK;
    f->memos = calloc(FILTER_MEMOS, sizeof *f->memos);
    enum status st = mark_kinds(f, t, err);
    if (st != OK || f->object != 0 || !wants_strings(f) || !index_present(t))
        return st;
    return find_strings(f, t, err);
}

enum status event_filter_init(struct filter *f, hs_trace *t, const struct hs_filter *given, struct error *err)
{
    struct hs_filter want = HS_FILTER_ALL; /* a caller built against an older header knows fewer fields */
    enum status st = OK;
    if (given->size < offsetof(struct hs_filter, text) + sizeof given->text)
        return error_set(err, ERR_USAGE, "the filter has no size: begin with HS_FILTER_ALL");
    if (given->size > sizeof want)
        return error_set(err, ERR_UNSUPPORTED, "the filter is of a newer version than this library");
    memcpy(&want, given, given->size);
    if (want.where != NULL)
        want.where->narrow(want.where, &want);
    *f = (struct filter){
        .from = want.from, .to = want.to, .object = want.object, .any_thread = want.threads == NULL, .where = want.where
    };
    if (want.threads != NULL)
        st = copy_threads(f, t, &want, err);
    if (st != OK)
        goto failed;
    if (want.events != NULL || want.class_glob != NULL || want.method_glob != NULL)
        st = mark_ids(f, t, &want, err);
    if (st != OK)
        goto failed;
    st = init_values(f, t, &want, err);
    if (st != OK)
        goto failed;
    return OK;
failed:
    event_filter_done(f);
    return st;
}

enum status filter_only_ids(struct filter *f, hs_trace *t, const uint32_t *ids, size_t count, struct error *err)
{
    uint64_t *bits = calloc((size_t)t->kind_count / 64 + 1, sizeof *bits);
    if (bits == NULL)
        return error_memory(err, "%s", t->dir);
    for (size_t i = 0; i < count; i++)
        if (ids[i] < t->kind_count && filter_id(f, ids[i]))
            bits[ids[i] / 64] |= (uint64_t)1 << (ids[i] % 64);
    free(f->ids);
    f->ids = bits;
    f->id_count = t->kind_count;
    return OK;
}

void event_filter_done(struct filter *f)
{
    vec_free(&f->keys);
    free(f->threads);
    free(f->ids);
    free(f->memos);
    vec_free(&f->found);
    needle_done(&f->text);
    wanted_done(&f->wanted);
    free(f->value);
    *f = (struct filter){ 0 };
}

bool filter_thread(const struct filter *f, uint32_t thread)
{
    return f->any_thread ||
           (f->thread_count > 0 && bsearch(&thread, f->threads, f->thread_count, sizeof thread, u32_order) != NULL);
}
