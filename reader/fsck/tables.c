/* tables.c - checks that the rows of a trace are consistent, and that every chunk agrees with the directory.
 *
 * Rows are read from the store, not through the library's tables: those skip damaged rows and correct stamps that go
 * back, which must be reported here. */
#include "reader/fsck/tables.h"
#include "reader/fsck/marks.h"

#include <stdlib.h>
#include <string.h>

#include "formats/derived.h"
#include "formats/journal.h" /* KIND_JOINED */
#include "formats/objects.h"
#include "formats/roles.h"
#include "formats/search.h"

/* ---- classes, data IDs, kinds ---- */

struct range {
    uint64_t first, end;
    const char *what;
};
typedef VEC(struct range) range_vec;

static int by_first(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first ? 1 : x->end < y->end ? -1 : x->end > y->end;
}

/* Ranges of a numbering: no two overlap, and all numbers below `end` are in one (0: gaps are allowed). */
static void check_ranges(struct fsck *f, range_vec *v, const char *noun, uint64_t end)
{
    uint64_t at = 0;
    if (v->count > 1)
        qsort(v->items, v->count, sizeof *v->items, by_first);
    for (size_t i = 0; i < v->count; i++) {
        const struct range *r = &v->items[i];
        f->result->checked++;
        if (r->first < at)
            fsck_report(f, RULE_table, NO_SEQ, "%s: its %s from %llu belong to %s as well", r->what, noun,
                        (unsigned long long)r->first, i > 0 ? v->items[i - 1].what : "?");
        else if (r->first > at && end > 0)
            fsck_report(f, RULE_table, NO_SEQ, "%s %llu to %llu belong to no class", noun, (unsigned long long)at,
                        (unsigned long long)r->first - 1);
        if (r->end > at)
            at = r->end;
    }
    if (end > 0 && at != end)
        fsck_report(f, RULE_table, NO_SEQ, "%s: classes have %llu, there are kinds of %llu", noun,
                    (unsigned long long)at, (unsigned long long)end);
    vec_free(v);
}

static bool add_range(struct fsck *f, range_vec *v, uint64_t first, uint64_t count, const char *what)
{
    struct range *r = count > 0 ? vec_push(v) : NULL;
    if (r != NULL)
        *r = (struct range){ first, first + count, what };
    else if (count > 0)
        f->no_memory = true;
    return count == 0 || r != NULL;
}

static void check_class(struct fsck *f, const struct hs_class *c)
{
    for (uint32_t i = c->first_dataid; i < c->first_dataid + c->dataid_count; i++) {
        const struct hs_dataid *d = dataid_row(f->trace, i);
        if (d == NULL || d->class_no != c->class_no) {
            fsck_report(f, RULE_table, NO_SEQ, "data ID %u of class %s has no row", i, c->name);
            return; /* one fault, reported once */
        }
        const struct hs_method *m = method_row(f->trace, d->method_id);
        f->result->checked++;
        if (m == NULL || m->class_no != c->class_no)
            fsck_report(f, RULE_table, NO_SEQ, "data ID %u of class %s is of method %u, which is none of its own", i,
                        c->name, d->method_id);
        uint8_t kind = (uint8_t)((unsigned char)d->kind | (d->joined ? KIND_JOINED : 0u));
        if (i < f->trace->kind_count && f->trace->kinds[i] != kind)
            fsck_report(f, RULE_kind, NO_SEQ, "data ID %u of class %s is of kind %c by its row, %c by its letter", i,
                        c->name, d->kind, f->trace->kinds[i] & 0x7f);
    }
}

static void check_classes(struct fsck *f)
{
    range_vec ids = { 0 }, methods = { 0 };
    for (size_t i = 0; i < class_rows(f->trace); i++) {
        const struct hs_class *c = class_at(f->trace, i);
        (void)add_range(f, &ids, c->first_dataid, c->dataid_count, c->name);
        (void)add_range(f, &methods, c->method_count > 0 ? c->methods[0]->method_id : 0, c->method_count, c->name);
        if (c->dataid_count > 0 && c->state != HS_CLASS_WOVEN)
            fsck_report(f, RULE_table, NO_SEQ, "class %s is not woven, but has data IDs", c->name);
        check_class(f, c);
    }
    check_ranges(f, &ids, "data IDs", hs_dataid_count(f->trace));
    check_ranges(f, &methods, "method ids", 0);
}

/* ---- rows of one database ---- */

static void keep_life(struct fsck *f, uint32_t thread, uint64_t start, uint64_t end)
{
    struct thread_life *to = vec_push(&f->lives); /* by ascending numbers, like the rows */
    if (to != NULL)
        *to = (struct thread_life){ thread, start, end };
    else
        f->no_memory = true;
}

static const struct thread_life *life_of(const struct fsck *f, uint32_t thread)
{
    size_t at;
    LOWER_BOUND(at, f->lives.count, f->lives.items[at].thread < thread);
    return at < f->lives.count && f->lives.items[at].thread == thread ? &f->lives.items[at] : NULL;
}

struct pass {
    struct fsck *f;
    enum schema_db db;
    uint64_t rows;
};

static enum status row_seen(void *context, struct text key, struct text value, struct error *err)
{
    struct pass *p = context;
    struct fsck *f = p->f;
    uint64_t number = env_integer(key);
    struct error why = { 0 };
    enum status st = OK;
    struct class_row c = { 0 };
    struct thread_row t;
    struct type_row y;
    struct hierarchy_row h = { 0 };
    uint64_t stated = number;
    (void)err;
    p->rows++;
    switch ((unsigned)p->db) {
    case DB_CLASS:
        st = class_row_decode(value.data, value.size, &c, &why);
        stated = c.class_no;
        class_row_done(&c);
        break;
    case DB_THREAD:
        st = thread_row_decode(value.data, value.size, &t, &why);
        stated = st == OK ? t.thread : number;
        if (st == OK && number < UINT32_MAX)
            keep_life(f, (uint32_t)number, t.start_stamp, t.end_stamp);
        break;
    case DB_TYPE:
        st = type_row_decode(value.data, value.size, &y, &why);
        stated = st == OK ? y.id : number;
        break;
    case DB_HIERARCHY:
        st = hierarchy_row_decode(value.data, value.size, &h, &why);
        hierarchy_row_done(&h);
        break;
    default: break;
    }
    f->result->checked++;
    f->no_memory |= st == ERR_MEMORY;
    if (st != OK)
        fsck_report(f, RULE_table, NO_SEQ, "%s row %llu: %s", schema_name(p->db), (unsigned long long)number, why.text);
    else if (stated != number)
        fsck_report(f, RULE_table, NO_SEQ, "%s row %llu says it is %llu", schema_name(p->db),
                    (unsigned long long)number, (unsigned long long)stated);
    return OK;
}

/* Checks that roles belong to existing data IDs with the right events. */
static enum status role_row(void *context, struct text key, struct text value, struct error *err)
{
    struct fsck *f = ((struct pass *)context)->f;
    struct reader r = reader_of(value.data, value.size);
    uint64_t id = env_integer(key);
    (void)err;
    while (!r.bad && r.at < r.size) {
        id += read_varint(&r);
        uint64_t role = read_varint(&r);
        const struct hs_dataid *d = id < hs_dataid_count(f->trace) ? dataid_row(f->trace, (uint32_t)id) : NULL;
        f->result->checked++;
        if (d == NULL || role >= ROLE_COUNT || (role == ROLE_ENTER && d->event != EVENT_METHOD_ENTRY) ||
            (role == ROLE_EXCEPTIONAL && d->event != EVENT_METHOD_EXCEPTIONAL_EXIT))
            fsck_report(f, RULE_table, NO_SEQ, "the role %llu at data ID %llu is wrong", (unsigned long long)role,
                        (unsigned long long)id);
    }
    if (r.bad)
        fsck_report(f, RULE_table, NO_SEQ, "role row %llu is malformed", (unsigned long long)env_integer(key));
    return OK;
}

/* ---- objects ---- */

/* The pass over fragments; `before` has the entries of earlier fragments of the same page. */
struct object_pass {
    struct fsck *f;
    uint64_t page;
    object_entry_vec before; /* of the same page */
    VEC(struct writer) storage;
};

static void forget_page(struct object_pass *p)
{
    for (size_t i = 0; i < p->storage.count; i++)
        writer_free(&p->storage.items[i]);
    p->storage.count = 0;
    p->before.count = 0;
}

static void check_again(struct fsck *f, const struct object_entry *a, const struct object_entry *b)
{
    f->result->checked++;
    if (a->class_id != 0 && b->class_id != 0 && a->class_id != b->class_id)
        fsck_report(f, RULE_object, NO_SEQ, "object %u is of type %u and of type %u", a->id, a->class_id, b->class_id);
    else if (a->has_string && b->has_string &&
             (a->length != b->length || a->bytes.size != b->bytes.size ||
              memcmp(a->bytes.data, b->bytes.data, a->bytes.size) != 0))
        fsck_report(f, RULE_object, NO_SEQ, "string %u has two contents", a->id);
}

static enum status fragment(void *context, struct text key, struct text value, struct error *err)
{
    struct object_pass *p = context;
    struct fsck *f = p->f;
    uint64_t number = env_integer(key), page = number >> 32;
    object_entry_vec entries = { 0 };
    struct writer storage = { 0 }, *kept;
    struct error why = { 0 };
    if (page != p->page)
        forget_page(p);
    p->page = page;
    enum status st = objects_decode(value.data, value.size, &entries, &storage, &why);
    if (st != OK) {
        f->no_memory |= st == ERR_MEMORY;
        fsck_report(f, RULE_object, NO_SEQ, "fragment %llu of object page %llu: %s",
                    (unsigned long long)(number & UINT32_MAX), (unsigned long long)page, why.text);
        return OK;
    }
    for (size_t i = 0; i < entries.count; i++) {
        const struct object_entry *e = &entries.items[i];
        f->result->checked++;
        if (e->id >> OBJECT_PAGE_BITS != page || e->id == 0)
            fsck_report(f, RULE_object, NO_SEQ, "object %u stands in page %llu", e->id, (unsigned long long)page);
        if (e->class_id != 0 && hs_type_get(f->trace, e->class_id) == NULL)
            fsck_report(f, RULE_object, NO_SEQ, "object %u is of type %u, which has no row", e->id, e->class_id);
        if (e->is_value && !value_is_whole(f->trace, e->id))
            fsck_report(f, RULE_object, NO_SEQ, "object %u: the copy of what it stands for is malformed", e->id);
        for (size_t k = 0; k < p->before.count; k++)
            if (p->before.items[k].id == e->id)
                check_again(f, &p->before.items[k], e);
    }
    for (size_t i = 0; i < entries.count; i++) {
        struct object_entry *to = vec_push(&p->before);
        if (to == NULL)
            return error_set(err, ERR_MEMORY, "out of memory");
        *to = entries.items[i];
    }
    vec_free(&entries);
    kept = vec_push(&p->storage);
    if (kept == NULL)
        return error_set(err, ERR_MEMORY, "out of memory");
    *kept = storage;
    return OK;
}

static enum status check_objects(struct fsck *f, struct error *err)
{
    struct object_pass p = { .f = f, .page = UINT64_MAX };
    enum status st = env_each(&f->trace->env, DB_OBJECT, fragment, &p, err);
    forget_page(&p);
    vec_free(&p.storage);
    vec_free(&p.before);
    return st;
}

/* ---- chunks ---- */

struct chunk_row {
    uint64_t number;
    struct chunk_info info;
    bool has_blob;
};
struct chunk_pass {
    struct fsck *f;
    VEC(struct chunk_row) rows;
};

static enum status directory_row(void *context, struct text key, struct text value, struct error *err)
{
    struct chunk_pass *p = context;
    struct chunk_row row = { .number = env_integer(key) };
    if (chunk_info_decode(value.data, value.size, &row.info) != OK) {
        fsck_report(p->f, RULE_chunk, NO_SEQ, "chunk %llu: its row in the directory is damaged",
                    (unsigned long long)row.number);
        return OK;
    }
    struct chunk_row *to = vec_push(&p->rows);
    if (to == NULL)
        return error_set(err, ERR_MEMORY, "out of memory");
    *to = row;
    return OK;
}

static struct chunk_row *find_row(struct chunk_pass *p, uint64_t number)
{
    size_t at;
    LOWER_BOUND(at, p->rows.count, p->rows.items[at].number < number);
    return at < p->rows.count && p->rows.items[at].number == number ? &p->rows.items[at] : NULL;
}

/* A derived chunk as it is stored; the walk executes it. */
static void check_derived(struct chunk_pass *p, unsigned long long number, const struct chunk_info *in,
                          struct text value)
{
    struct fsck *f = p->f;
    hs_trace *t = f->trace;
    struct derived_chunk c = { 0 };
    struct error why = { 0 };
    enum status st = derived_chunk_read(&c, t->decoder, (struct kind_table){ t->kinds, t->kind_count }, value.data,
                                        value.size, &why);
    f->no_memory |= st == ERR_MEMORY;
    if (st != OK)
        fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu: %s", number, why.text);
    else if (c.count != in->count || value.size != in->bytes || c.stamps.count == 0)
        fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu has %u events in %zu bytes, the directory says %u in %u", number,
                    c.count, value.size, in->count, in->bytes);
    else if (c.stamps.items[0] != in->first_stamp || c.stamps.items[c.stamps.count - 1] != in->last_stamp)
        fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu goes from stamp %llu to %llu, the directory says %llu to %llu",
                    number, (unsigned long long)c.stamps.items[0],
                    (unsigned long long)c.stamps.items[c.stamps.count - 1], (unsigned long long)in->first_stamp,
                    (unsigned long long)in->last_stamp);
    derived_chunk_done(&c);
}

static enum status blob_row(void *context, struct text key, struct text value, struct error *err)
{
    struct chunk_pass *p = context;
    struct fsck *f = p->f;
    hs_trace *t = f->trace;
    unsigned long long number = env_integer(key);
    struct chunk_row *row = find_row(p, number);
    struct chunk_columns c;
    struct error why = { 0 };
    (void)err;
    f->result->checked++;
    if (row == NULL) {
        fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu is not in the directory", number);
        return OK;
    }
    const struct chunk_info *in = &row->info;
    row->has_blob = true;
    if ((in->flags & CHUNK_IS_DERIVED) != 0) {
        check_derived(p, number, in, value);
        return OK;
    }
    enum status st = chunk_decode(t->decoder, (struct kind_table){ t->kinds, t->kind_count }, value.data, value.size,
                                  CHUNK_IDS | CHUNK_STAMPS, &c, &why);
    if (st != OK) {
        f->no_memory |= st == ERR_MEMORY;
        fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu: %s", number, why.text);
        return OK;
    }
    if (c.count != in->count || value.size != in->bytes || c.count == 0) {
        fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu has %u events in %zu bytes, the directory says %u in %u", number,
                    c.count, value.size, in->count, in->bytes);
        return OK;
    }
    if (c.stamps[0] != in->first_stamp || c.stamps[c.count - 1] != in->last_stamp)
        fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu goes from stamp %llu to %llu, the directory says %llu to %llu",
                    number, (unsigned long long)c.stamps[0], (unsigned long long)c.stamps[c.count - 1],
                    (unsigned long long)in->first_stamp, (unsigned long long)in->last_stamp);
    for (uint32_t i = 1; i < c.count; i++)
        if (c.stamps[i] < c.stamps[i - 1]) {
            fsck_report(f, RULE_stamp, NO_SEQ, "chunk %llu of thread %u, event %u: its stamp %llu is below %llu",
                        number, in->thread, i, (unsigned long long)c.stamps[i], (unsigned long long)c.stamps[i - 1]);
            break;
        }
    for (uint32_t i = 0; i < c.count; i++)
        if (c.ids[i] >= t->kind_count || t->kinds[c.ids[i]] == 0) {
            fsck_report(f, RULE_table, NO_SEQ, "chunk %llu of thread %u, event %u: data ID %u is none", number,
                        in->thread, i, c.ids[i]);
            break;
        }
    return OK;
}

static int by_thread_and_number(const void *a, const void *b)
{
    const struct chunk_row *x = a, *y = b;
    if (x->info.thread != y->info.thread)
        return x->info.thread < y->info.thread ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void check_end(struct fsck *f, const struct chunk_row *last)
{
    if (last->info.last_stamp > f->last_stamp)
        fsck_report(f, RULE_stamp, NO_SEQ, "chunk %llu of thread %u goes to stamp %llu, the recording to %llu",
                    (unsigned long long)last->number, last->info.thread, (unsigned long long)last->info.last_stamp,
                    (unsigned long long)f->last_stamp);
}

static void check_thread(struct fsck *f, const struct chunk_row *r, const struct chunk_row *last)
{
    const struct thread_life *t = life_of(f, r->info.thread);
    f->result->checked++;
    if (t == NULL)
        fsck_report(f, RULE_thread, NO_SEQ, "thread %u has events, but no row", r->info.thread);
    else if (r->info.first_stamp < t->start)
        fsck_report(f, RULE_thread, NO_SEQ, "thread %u has events at stamp %llu, it starts at %llu", t->thread,
                    (unsigned long long)r->info.first_stamp, (unsigned long long)t->start);
    else if (last->info.last_stamp > t->end)
        fsck_report(f, RULE_thread, NO_SEQ, "thread %u has events at stamp %llu, it ends at %llu", t->thread,
                    (unsigned long long)last->info.last_stamp, (unsigned long long)t->end);
}

static int by_thread_and_stamp(const void *a, const void *b)
{
    const struct chunk_row *x = a, *y = b;
    if (x->info.thread != y->info.thread)
        return x->info.thread < y->info.thread ? -1 : 1;
    if (x->info.first_stamp != y->info.first_stamp)
        return x->info.first_stamp < y->info.first_stamp ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool begins_thread(const struct chunk_pass *p, size_t i)
{
    return i == 0 || p->rows.items[i - 1].info.thread != p->rows.items[i].info.thread;
}

/* In the order in which they were stored: checks the number of earlier events of its thread in each. */
static void check_counts(struct fsck *f, struct chunk_pass *p)
{
    uint64_t events = 0;
    for (size_t i = 0; i < p->rows.count; i++) {
        const struct chunk_row *r = &p->rows.items[i];
        unsigned long long number = r->number;
        f->result->checked++;
        if (!r->has_blob)
            fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu is in the directory, but not stored", number);
        if (begins_thread(p, i)) {
            events = r->info.first_event; /* the events before were dropped by maxbytes= */
            if (events != 0 && hs_info(f->trace, "dropped") == NULL)
                fsck_report(f, RULE_chunk, NO_SEQ, "thread %u begins with event %llu", r->info.thread,
                            (unsigned long long)events);
        } else if (r->info.first_event != events) {
            fsck_report(f, RULE_chunk, NO_SEQ, "chunk %llu of thread %u begins with event %llu, %llu come before",
                        number, r->info.thread, (unsigned long long)r->info.first_event, (unsigned long long)events);
        }
        events = r->info.first_event + r->info.count;
    }
}

/* In the order in which they are read. A virtual thread's chunks are stored when its carriers' buffers are, in any
 * order. */
static void check_stamps(struct fsck *f, struct chunk_pass *p)
{
    for (size_t i = 0, first = 0; i < p->rows.count; i++) {
        const struct chunk_row *r = &p->rows.items[i];
        if (begins_thread(p, i))
            first = i;
        else if (r->info.first_stamp < r[-1].info.last_stamp)
            fsck_report(f, RULE_stamp, NO_SEQ,
                        "chunk %llu of thread %u begins at stamp %llu, the one before ended at %llu",
                        (unsigned long long)r->number, r->info.thread, (unsigned long long)r->info.first_stamp,
                        (unsigned long long)r[-1].info.last_stamp);
        if (i + 1 == p->rows.count || begins_thread(p, i + 1))
            check_thread(f, &p->rows.items[first], r), check_end(f, r);
    }
}

static void check_streams(struct fsck *f, struct chunk_pass *p)
{
    if (p->rows.count > 1)
        qsort(p->rows.items, p->rows.count, sizeof *p->rows.items, by_thread_and_number);
    check_counts(f, p);
    if (p->rows.count > 1)
        qsort(p->rows.items, p->rows.count, sizeof *p->rows.items, by_thread_and_stamp);
    check_stamps(f, p);
}

static enum status check_chunks(struct fsck *f, struct error *err)
{
    struct chunk_pass p = { .f = f };
    enum status st = env_each(&f->trace->env, DB_CHUNKDIR, directory_row, &p, err);
    if (st != OK)
        goto out;
    st = env_each(&f->trace->env, DB_CHUNK, blob_row, &p, err);
    if (st == OK)
        st = env_each(&f->trace->env, DB_CHUNKPACK, blob_row, &p, err);
    if (st != OK)
        goto out;
    check_streams(f, &p);
out:
    vec_free(&p.rows);
    return st;
}

/* In a transaction. */
static enum status check_tables(struct fsck *f, struct error *err)
{
    static const enum schema_db tables[] = { DB_CLASS, DB_THREAD, DB_TYPE, DB_HIERARCHY };
    enum status st;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        st = env_each(&f->trace->env, tables[i], row_seen, &(struct pass){ .f = f, .db = tables[i] }, err);
        if (st != OK)
            return st;
    }
    check_classes(f);
    st = env_each(&f->trace->env, DB_ROLE, role_row, &(struct pass){ .f = f, .db = DB_ROLE }, err);
    if (st != OK)
        return st;
    st = check_objects(f, err);
    if (st != OK)
        return st;
    st = check_chunks(f, err);
    if (st != OK)
        return st;
    return fsck_marks(f, err);
}

enum status fsck_tables(struct fsck *f, struct error *err)
{
    enum status st = env_begin(&f->trace->env, err);
    if (st != OK)
        return st;
    st = check_tables(f, err);
    env_end(&f->trace->env);
    return st;
}
