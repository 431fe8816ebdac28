/* tables.c - the tables of a trace in memory: kinds, chunk directory, threads, types at opening; classes and methods
 * when first asked for; data ID rows a class at a time.
 *
 * Rows that cannot be decoded are left out and remembered as damage: one bad class must not hide the other thousand. */
#include "reader/trace/internal.h"

#include <stdlib.h>
#include <string.h>

static enum status no_memory(const hs_trace *t, struct error *err)
{
    return error_set(err, ERR_MEMORY, "%s: out of memory", t->dir);
}

/* ---- kinds ---- */

static enum status kind_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    uint64_t first = env_integer(key), end = first + value.size;
    if (end > UINT32_MAX) {
        struct error why;
        (void)error_set(&why, ERR_FORMAT, "%s: data IDs up to %llu", t->dir, (unsigned long long)end);
        trace_damaged(t, &why);
        return OK;
    }
    if (end > t->kind_count) { /* keys rise: what lies between has no class */
        size_t cap = t->kind_count, want = (size_t)end;
        void *kinds = t->kinds;
        if (!vec_grow_raw(&kinds, &cap, want, 1))
            return no_memory(t, err);
        t->kinds = kinds;
        memset(t->kinds + t->kind_count, 0, want - t->kind_count);
        t->kind_count = (uint32_t)end;
    }
    memcpy(t->kinds + first, value.data, value.size);
    return OK;
}

/* ---- chunk directory ---- */

struct directory {
    hs_trace *t;
    VEC(struct directory_row {
        uint32_t thread;
        struct chunk_ref ref;
    })
    rows;
};

static enum status directory_row(void *context, struct text key, struct text value, struct error *err)
{
    struct directory *d = context;
    struct chunk_info info;
    if (chunk_info_decode(value.data, value.size, &info) != OK || info.count > CHUNK_EVENTS_MAX ||
        info.last_stamp < info.first_stamp) {
        struct error why;
        (void)error_set(&why, ERR_FORMAT, "%s: chunk %llu: its row in the directory is damaged", d->t->dir,
                        (unsigned long long)env_integer(key));
        trace_damaged(d->t, &why);
        return OK;
    }
    if (info.count == 0)
        return OK;
    struct directory_row *row = vec_push(&d->rows);
    if (row == NULL)
        return no_memory(d->t, err);
    *row = (struct directory_row){ info.thread,
                                   { .number = env_integer(key),
                                     .first_stamp = info.first_stamp,
                                     .last_stamp = info.last_stamp,
                                     .count = info.count,
                                     .bytes = info.bytes } };
    return OK;
}

static int by_thread_stamp_number(const void *a, const void *b)
{
    const struct directory_row *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->ref.first_stamp != y->ref.first_stamp)
        return x->ref.first_stamp < y->ref.first_stamp ? -1 : 1;
    return x->ref.number < y->ref.number ? -1 : x->ref.number > y->ref.number;
}

static enum status streams_of(hs_trace *t, const struct directory_row *rows, size_t count, struct error *err)
{
    size_t streams = 0;
    for (size_t i = 0; i < count; i++)
        streams += i == 0 || rows[i].thread != rows[i - 1].thread;
    t->chunks = arena_array(&t->arena, count, sizeof *t->chunks);
    t->streams = arena_array(&t->arena, streams, sizeof *t->streams);
    if (t->chunks == NULL || t->streams == NULL)
        return no_memory(t, err);
    t->chunk_count = count;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].thread != rows[i - 1].thread)
            t->streams[t->stream_count++] = (struct thread_chunks){ .thread = rows[i].thread, .chunks = &t->chunks[i] };
        struct thread_chunks *s = &t->streams[t->stream_count - 1];
        struct chunk_ref *c = &t->chunks[i];
        *c = rows[i].ref;
        c->before = s->events;
        if (s->count > 0) { /* stamps that go back in a damaged trace count as the greatest before: see trace_decode */
            uint64_t least = c[-1].last_stamp;
            c->first_stamp = c->first_stamp < least ? least : c->first_stamp;
            c->last_stamp = c->last_stamp < least ? least : c->last_stamp;
        }
        s->events += rows[i].ref.count;
        s->count++;
        t->events += rows[i].ref.count;
    }
    return OK;
}

static enum status load_directory(hs_trace *t, struct error *err)
{
    struct directory d = { .t = t };
    enum status st = env_each(&t->env, DB_CHUNKDIR, directory_row, &d, err);
    if (st == OK) {
        if (d.rows.count > 0)
            qsort(d.rows.items, d.rows.count, sizeof *d.rows.items, by_thread_stamp_number);
        st = streams_of(t, d.rows.items, d.rows.count, err);
    }
    vec_free(&d.rows);
    return st;
}

/* ---- threads and types ---- */

static enum status thread_table_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct thread_row row = { .thread = (uint32_t)env_integer(key) };
    struct error why;
    if (thread_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    struct hs_thread *out = vec_push(&t->threads);
    if (out == NULL)
        return no_memory(t, err);
    *out = (struct hs_thread){ .thread = (uint32_t)env_integer(key),
                               .tid = row.tid,
                               .known = true,
                               .name = trace_text(t, row.name, false),
                               .group = trace_text(t, row.group, false),
                               .daemon = row.daemon,
                               .is_virtual = row.is_virtual,
                               .start_ns = row.start_ns,
                               .end_ns = row.end_ns,
                               .object_id = row.object_id };
    return out->name != NULL && out->group != NULL ? OK : no_memory(t, err);
}

static int by_number(const void *a, const void *b)
{
    const struct hs_thread *x = a, *y = b;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* A thread's events. One that recorded events but has no row (a crash came first) gets one, so that every event's
 * thread is listed. The first `rows` threads are in order. */
static enum status set_events(hs_trace *t, size_t rows, uint32_t number, uint64_t events, struct error *err)
{
    size_t low = 0, high = rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (t->threads.items[mid].thread < number)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < rows && t->threads.items[low].thread == number) {
        t->threads.items[low].events = events;
        return OK;
    }
    struct hs_thread *out = vec_push(&t->threads);
    if (out == NULL)
        return no_memory(t, err);
    *out = (struct hs_thread){
        .thread = number, .name = "", .group = "", .start_ns = HS_NO_TIME, .end_ns = HS_NO_TIME, .events = events
    };
    return OK;
}

struct tallied {
    hs_trace *t;
    size_t rows;
};

static enum status tally_row(void *context, struct text key, struct text value, struct error *err)
{
    struct tallied *x = context;
    struct reader r = reader_of(value.data, value.size);
    uint64_t events = read_varint(&r);
    return r.bad ? OK : set_events(x->t, x->rows, (uint32_t)env_integer(key), events, err);
}

static enum status add_events_to_threads(hs_trace *t, struct error *err)
{
    struct tallied x = { t, t->threads.count };
    enum status st = OK;
    for (size_t i = 0; i < t->stream_count && st == OK; i++)
        st = set_events(t, x.rows, t->streams[i].thread, t->streams[i].events, err);
    if (st == OK)
        st = env_each(&t->env, DB_TALLY, tally_row, &x, err);
    if (st == OK && t->threads.count > x.rows)
        qsort(t->threads.items, t->threads.count, sizeof *t->threads.items, by_number);
    return st;
}

static enum status type_table_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct type_row row = { .id = (uint32_t)env_integer(key) };
    struct error why;
    if (type_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    struct hs_type *out = vec_push(&t->types);
    if (out == NULL)
        return no_memory(t, err);
    *out = (struct hs_type){ .id = (uint32_t)env_integer(key),
                             .name = trace_text(t, row.name, false),
                             .loader = row.loader,
                             .access = row.access };
    return out->name != NULL ? OK : no_memory(t, err);
}

enum status tables_load(hs_trace *t, struct error *err)
{
    enum status st = env_each(&t->env, DB_KIND, kind_row, t, err);
    if (st == OK)
        st = load_directory(t, err);
    if (st == OK)
        st = env_each(&t->env, DB_THREAD, thread_table_row, t, err);
    if (st == OK)
        st = add_events_to_threads(t, err);
    if (st == OK)
        st = env_each(&t->env, DB_TYPE, type_table_row, t, err);
    if (st == OK)
        t->dataids = calloc((size_t)t->kind_count + 1, sizeof(struct hs_dataid *));
    return st != OK || t->dataids != NULL ? st : no_memory(t, err);
}

void tables_done(hs_trace *t)
{
    free(t->kinds);
    free(t->dataids);
    free(t->dataids_loaded);
    free(t->clock);
    vec_free(&t->threads);
    vec_free(&t->types);
    vec_free(&t->classes);
    vec_free(&t->by_dataid);
    vec_free(&t->by_method);
}

size_t hs_thread_count(const hs_trace *t) { return t->threads.count; }
const struct hs_thread *hs_thread_at(const hs_trace *t, size_t i)
{
    return i < t->threads.count ? &t->threads.items[i] : NULL;
}
size_t hs_type_count(const hs_trace *t) { return t->types.count; }
const struct hs_type *hs_type_at(const hs_trace *t, size_t i) { return i < t->types.count ? &t->types.items[i] : NULL; }

/* Position of the last item whose field is <= `want`, or -1: for tables sorted by an uint32_t field. */
#define FLOOR_OF(result, items, n, field_of, want)                                                                     \
    do {                                                                                                               \
        size_t low_ = 0, high_ = (n);                                                                                  \
        while (low_ < high_) {                                                                                         \
            size_t mid_ = low_ + (high_ - low_) / 2;                                                                   \
            if (field_of((items)[mid_]) <= (want))                                                                     \
                low_ = mid_ + 1;                                                                                       \
            else                                                                                                       \
                high_ = mid_;                                                                                          \
        }                                                                                                              \
        (result) = (ptrdiff_t)low_ - 1;                                                                                \
    } while (0)

#define THREAD_OF(x)       ((x).thread)
#define ID_OF(x)           ((x).id)
#define NUMBER_OF(x)       ((x).class_no)
#define FIRST_DATAID_OF(x) (t->classes.items[x].first_dataid)
#define FIRST_METHOD_OF(x) (t->classes.items[x].methods[0].method_id)

const struct hs_thread *hs_thread_get(const hs_trace *t, uint32_t thread)
{
    ptrdiff_t i;
    FLOOR_OF(i, t->threads.items, t->threads.count, THREAD_OF, thread);
    return i >= 0 && t->threads.items[i].thread == thread ? &t->threads.items[i] : NULL;
}

const struct hs_type *hs_type_get(const hs_trace *t, uint32_t class_id)
{
    ptrdiff_t i;
    FLOOR_OF(i, t->types.items, t->types.count, ID_OF, class_id);
    return i >= 0 && t->types.items[i].id == class_id ? &t->types.items[i] : NULL;
}

/* ---- classes and methods ---- */

static enum status keep_class(hs_trace *t, const struct class_row *row, struct error *err)
{
    struct hs_method *methods = arena_array(&t->arena, row->methods.count, sizeof *methods);
    struct hs_class *c = vec_push(&t->classes);
    if (methods == NULL || c == NULL)
        return no_memory(t, err);
    bool ok = true;
    *c = (struct hs_class){ .class_no = row->class_no,
                            .state = (enum hs_class_state)row->state,
                            .name = trace_text(t, row->name, true),
                            .super = trace_text(t, row->super, true),
                            .loader = trace_text(t, row->loader, false),
                            .loader_id = row->loader_id,
                            .source = trace_text(t, row->source, false),
                            .source_file = trace_text(t, row->source_file, false),
                            .major = row->major,
                            .minor = row->minor,
                            .access = row->access,
                            .hash = row->hash,
                            .size_bytes = row->size,
                            .reason = trace_text(t, row->reason, false),
                            .first_dataid = row->first_dataid,
                            .dataid_count = row->dataid_count,
                            .method_count = (uint32_t)row->methods.count,
                            .methods = methods };
    ok = c->name && c->super && c->loader && c->source && c->source_file && c->reason;
    for (uint32_t i = 0; ok && i < c->method_count; i++) {
        const struct method_row *m = &row->methods.items[i];
        methods[i] = (struct hs_method){ .method_id = row->first_method + i,
                                         .class_no = row->class_no,
                                         .name = trace_text(t, m->name, false),
                                         .desc = trace_text(t, m->desc, false),
                                         .access = m->access,
                                         .code_length = m->code_length,
                                         .hash = m->hash,
                                         .groups = m->groups,
                                         .reason = trace_text(t, m->reason, false) };
        ok = methods[i].name && methods[i].desc && methods[i].reason;
    }
    return ok ? OK : no_memory(t, err);
}

static enum status class_table_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct class_row row = { .class_no = (uint32_t)env_integer(key) };
    struct error why;
    if (class_row_decode(value.data, value.size, &row, &why) != OK) {
        trace_damaged(t, &why);
        return OK;
    }
    row.class_no = (uint32_t)env_integer(key);
    enum status st = OK;
    if ((uint64_t)row.first_dataid + row.dataid_count > UINT32_MAX ||
        (uint64_t)row.first_method + row.methods.count > UINT32_MAX) {
        (void)error_set(&why, ERR_FORMAT, "%s: class %u: wild numbers of data IDs or methods", t->dir, row.class_no);
        trace_damaged(t, &why);
    } else {
        st = keep_class(t, &row, err);
    }
    class_row_done(&row);
    return st;
}

struct sort_key {
    uint32_t first, position;
};
static int by_first(const void *a, const void *b)
{
    const struct sort_key *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first ? 1 : x->position < y->position ? -1 : 1;
}

/* Positions of the classes that have any, by their first data ID or method id. */
static bool order_classes(hs_trace *t, bool methods)
{
    struct sort_key *keys = malloc((t->classes.count + 1) * sizeof *keys);
    size_t n = 0;
    for (uint32_t i = 0; keys != NULL && i < t->classes.count; i++) {
        const struct hs_class *c = &t->classes.items[i];
        if (methods ? c->method_count > 0 : c->dataid_count > 0)
            keys[n++] = (struct sort_key){ methods ? c->methods[0].method_id : c->first_dataid, i };
    }
    bool ok = keys != NULL && (methods ? vec_reserve(&t->by_method, n) : vec_reserve(&t->by_dataid, n));
    if (ok && n > 0)
        qsort(keys, n, sizeof *keys, by_first);
    for (size_t i = 0; ok && i < n; i++) {
        uint32_t *to = methods ? vec_push(&t->by_method) : vec_push(&t->by_dataid);
        *to = keys[i].position;
    }
    free(keys);
    return ok;
}

bool tables_need_classes(hs_trace *t)
{
    struct error err;
    if (t->classes_loaded)
        return true;
    t->classes_loaded = true; /* tried once: what cannot be read now will not be read later */
    enum status st = env_begin(&t->env, &err);
    if (st == OK) {
        st = env_each(&t->env, DB_CLASS, class_table_row, t, &err);
        env_end(&t->env);
    }
    if (st == OK && (!order_classes(t, false) || !order_classes(t, true) ||
                     (t->dataids_loaded = calloc(t->classes.count + 1, sizeof(bool))) == NULL))
        st = no_memory(t, &err);
    if (st != OK) {
        trace_damaged(t, &err);
        t->classes.count = t->by_dataid.count = t->by_method.count = 0;
    }
    return st == OK;
}

size_t hs_class_count(hs_trace *t) { return tables_need_classes(t) ? t->classes.count : 0; }

const struct hs_class *hs_class_at(hs_trace *t, size_t i)
{
    return tables_need_classes(t) && i < t->classes.count ? &t->classes.items[i] : NULL;
}

const struct hs_class *hs_class_get(hs_trace *t, uint32_t class_no)
{
    ptrdiff_t i;
    if (!tables_need_classes(t))
        return NULL;
    FLOOR_OF(i, t->classes.items, t->classes.count, NUMBER_OF, class_no);
    return i >= 0 && t->classes.items[i].class_no == class_no ? &t->classes.items[i] : NULL;
}

const struct hs_method *hs_method_get(hs_trace *t, uint32_t method_id)
{
    ptrdiff_t i;
    if (!tables_need_classes(t))
        return NULL;
    FLOOR_OF(i, t->by_method.items, t->by_method.count, FIRST_METHOD_OF, method_id);
    if (i < 0)
        return NULL;
    const struct hs_class *c = &t->classes.items[t->by_method.items[i]];
    uint32_t index = method_id - c->methods[0].method_id;
    return index < c->method_count ? &c->methods[index] : NULL;
}

/* ---- data IDs ---- */

uint32_t hs_dataid_count(const hs_trace *t) { return t->kind_count; }

/* A class's rows repeat few texts, each with one address in the decoded rows: the copies made last are used again. */
enum { COPIES = 256 };
struct copies {
    struct {
        const char *from, *copy;
        size_t size;
    } slots[COPIES];
};

static const char *copy_of(hs_trace *t, struct copies *c, struct text s)
{
    size_t slot = ((uintptr_t)s.data ^ (uintptr_t)s.data >> 8) % COPIES;
    if (c->slots[slot].copy != NULL && c->slots[slot].from == s.data && c->slots[slot].size == s.size)
        return c->slots[slot].copy;
    c->slots[slot].copy = trace_text(t, s, false);
    c->slots[slot].from = s.data;
    c->slots[slot].size = s.size;
    return c->slots[slot].copy;
}

static bool keep_attrs(hs_trace *t, struct copies *copies, const struct dataid_row *row, struct hs_dataid *out)
{
    struct hs_attr *attrs = arena_array(&t->arena, row->attr_count, sizeof *attrs);
    if (attrs == NULL)
        return false;
    for (unsigned i = 0; i < row->attr_count; i++) {
        const struct attr_value *a = &row->attrs[i];
        const char *name = attr_name(a->attr);
        if (name == NULL) /* of a newer version */
            continue;
        struct hs_attr *to = &attrs[out->attr_count++];
        *to = (struct hs_attr){ .name = name, .type = (enum hs_attr_type)attr_type_of(a->attr), .number = a->number };
        if (to->type == HS_ATTR_TEXT && (to->text = copy_of(t, copies, a->text)) == NULL)
            return false;
    }
    out->attrs = attrs;
    return true;
}

/* ---- data ID rows, kept and not ---- */

struct skim {
    hs_trace *t;
    const struct hs_class *c;
    dataid_row_fn *each;
    void *context;
    uint32_t count;
};

static enum status skim_row(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    struct skim *s = context;
    if (index >= s->c->dataid_count || row->method >= s->c->method_count || event_name(row->event) == NULL)
        return error_set(err, ERR_FORMAT, "%s: class %s: the row of data ID %u is damaged", s->t->dir, s->c->name,
                         s->c->first_dataid + index);
    s->count++;
    return s->each(s->context, index, row, err);
}

enum status tables_skim(hs_trace *t, const struct hs_class *c, dataid_row_fn *each, void *context, struct error *err)
{
    struct text value;
    struct skim s = { t, c, each, context, 0 };
    if ((uint64_t)c->first_dataid + c->dataid_count > t->kind_count)
        return error_set(err, ERR_FORMAT, "%s: class %s has data IDs behind the last", t->dir, c->name);
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_get(&t->env, DB_DATAID, c->class_no, &value, err);
    if (st == ERR_NOT_FOUND)
        (void)error_set(err, ERR_NOT_FOUND, "%s: class %s has no data ID rows", t->dir, c->name);
    if (st == OK)
        st = dataid_rows_each(value.data, value.size, skim_row, &s, err);
    env_end(&t->env);
    if (st == OK && s.count != c->dataid_count)
        st = error_set(err, ERR_FORMAT, "%s: class %s has %u data ID rows, expected %u", t->dir, c->name, s.count,
                       c->dataid_count);
    return st;
}

struct keeping {
    hs_trace *t;
    const struct hs_class *c;
    struct copies copies;
    struct hs_dataid *ids;
};

static enum status keep_dataid(void *context, uint32_t index, const struct dataid_row *row, struct error *err)
{
    struct keeping *k = context;
    k->ids[index] = (struct hs_dataid){ .dataid = k->c->first_dataid + index,
                                        .event = row->event,
                                        .kind = (char)row->kind,
                                        .joined = row->joined,
                                        .class_no = k->c->class_no,
                                        .method_id = k->c->methods[row->method].method_id,
                                        .pc = row->pc,
                                        .line = row->line };
    return keep_attrs(k->t, &k->copies, row, &k->ids[index]) ? OK : no_memory(k->t, err);
}

static enum status load_dataids(hs_trace *t, const struct hs_class *c, struct error *err)
{
    struct keeping k = { .t = t, .c = c };
    if (c->dataid_count <= t->kind_count && (k.ids = arena_array(&t->arena, c->dataid_count, sizeof *k.ids)) == NULL)
        return no_memory(t, err);
    enum status st = tables_skim(t, c, keep_dataid, &k, err);
    for (uint32_t i = 0; st == OK && i < c->dataid_count; i++)
        t->dataids[c->first_dataid + i] = &k.ids[i];
    return st;
}

const struct hs_class *tables_class_of(hs_trace *t, uint32_t dataid)
{
    ptrdiff_t i;
    if (!tables_need_classes(t))
        return NULL;
    FLOOR_OF(i, t->by_dataid.items, t->by_dataid.count, FIRST_DATAID_OF, dataid);
    return i >= 0 ? &t->classes.items[t->by_dataid.items[i]] : NULL;
}

const struct hs_dataid *hs_dataid_get(hs_trace *t, uint32_t dataid)
{
    if (dataid >= t->kind_count)
        return NULL;
    const struct hs_class *c = t->dataids[dataid] == NULL ? tables_class_of(t, dataid) : NULL;
    if (c != NULL && !t->dataids_loaded[c - t->classes.items]) {
        struct error err;
        t->dataids_loaded[c - t->classes.items] = true;
        if (load_dataids(t, c, &err) != OK)
            trace_damaged(t, &err);
    }
    return t->dataids[dataid];
}

/* ---- clock ---- */

static enum status clock_row(void *context, struct text key, struct text value, struct error *err)
{
    hs_trace *t = context;
    struct reader r = reader_of(value.data, value.size);
    uint64_t stamp = env_integer(key), ns = 0;
    size_t cap = t->clock_count;
    while (!r.bad && r.at < r.size) {
        stamp += read_varint(&r);
        ns += read_varint(&r);
        void *points = t->clock;
        if (r.bad)
            break;
        if (!vec_grow_raw(&points, &cap, t->clock_count + 1, sizeof *t->clock))
            return no_memory(t, err);
        t->clock = points;
        if (t->clock_count == 0 ||
            (t->clock[t->clock_count - 1].stamp <= stamp && t->clock[t->clock_count - 1].ns <= ns))
            t->clock[t->clock_count++] = (struct clock_point){ stamp, ns };
    }
    return OK;
}

static void load_clock(hs_trace *t)
{
    struct error err;
    t->clock_loaded = true;
    enum status st = env_begin(&t->env, &err);
    if (st == OK) {
        st = env_each(&t->env, DB_CLOCK, clock_row, t, &err);
        env_end(&t->env);
    }
    if (st != OK)
        trace_damaged(t, &err);
}

uint64_t tables_clock_ns(hs_trace *t, uint64_t stamp, size_t *at)
{
    if (!t->clock_loaded)
        load_clock(t);
    size_t n = t->clock_count, low = *at, high = n;
    if (n == 0)
        return HS_NO_TIME;
    if (low > n || (low > 0 && t->clock[low - 1].stamp > stamp))
        low = 0;
    for (unsigned steps = 0; low < n && t->clock[low].stamp <= stamp && steps < 4; steps++)
        low++; /* mostly in the same interval as before, or the next one */
    while (low < high && t->clock[low].stamp <= stamp) {
        size_t mid = low + (high - low) / 2;
        if (t->clock[mid].stamp <= stamp)
            low = mid + 1;
        else
            high = mid;
    }
    *at = low;
    if (low == 0)
        return t->clock[0].ns;
    const struct clock_point *a = &t->clock[low - 1];
    if (low == n || a->stamp == stamp)
        return a->ns;
    const struct clock_point *b = a + 1;
    double part = (double)(stamp - a->stamp) / (double)(b->stamp - a->stamp);
    return a->ns + (uint64_t)(part * (double)(b->ns - a->ns));
}

uint64_t hs_clock_ns(hs_trace *t, uint64_t stamp)
{
    size_t at = 0;
    return tables_clock_ns(t, stamp, &at);
}

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The tick that 19 of 20 do not exceed: a busy machine makes some of them late, and between two periods lies one that
 * is none. */
uint64_t hs_clock_resolution_ns(hs_trace *t)
{
    enum { SAMPLES = 4096 };
    const char *timed = hs_info(t, "timed");
    if (timed != NULL && strcmp(timed, "1") == 0)
        return 1;
    if (!t->clock_loaded)
        load_clock(t);
    size_t ticks = t->clock_count > 0 ? t->clock_count - 1 : 0, step = ticks / SAMPLES + 1, n = 0;
    uint64_t *sizes = ticks > 0 ? malloc((ticks / step + 1) * sizeof *sizes) : NULL;
    for (size_t i = 0; sizes != NULL && i < ticks; i += step)
        sizes[n++] = t->clock[i + 1].ns - t->clock[i].ns;
    if (n == 0)
        return HS_NO_TIME;
    qsort(sizes, n, sizeof *sizes, by_size);
    uint64_t tick = sizes[(n - 1) * 19 / 20];
    free(sizes);
    return tick > 0 && tick < HS_NO_TIME / 2 ? 2 * tick : 1;
}
