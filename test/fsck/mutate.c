/* mutate.c - rewrites a trace with one deliberate fault: mutate IN OUT MUTATION SEED.
 *
 * Every row is copied into a new store; the mutation changes one on the way. Events are changed in decoded chunks and
 * encoded again with checksum, count and stamps as they should be, so that only what the events mean is wrong. Exit
 * status 0: done, 3: the trace has no place for this mutation. `mutate` alone lists the mutations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/journal.h"
#include "formats/objects.h"
#include "formats/windows.h"
#include "test/fsck/copy_trace.h"

enum level { EVENTS, ROWS };
enum { NO_PLACE = 3 };

/* The chunk that is changed, decoded, and room for one more event. */
struct piece {
    hs_trace *trace;
    struct chunk_columns c;
    uint32_t at;     /* place of the fault */
    uint64_t random; /* for choosing a value */
};

struct copy {
    hs_trace *in;
    struct store *out;
    const struct mutation *mutation;
    enum schema_db db;
    uint64_t row; /* of the table, that the mutation changes */
    uint64_t seed, seen, chunk_number, chunk_thread;
    uint32_t place;      /* event of the chunk */
    uint64_t mark_begin; /* of the mark before */
    int more;            /* events that the chunk has more than before */
    struct error *err;
};

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 20;
}

/* ---- events: may the fault stand at event i? and the fault ---- */

static unsigned event_at(const struct piece *p, uint32_t i)
{
    const struct hs_dataid *d = hs_dataid_get(p->trace, p->c.ids[i]);
    return d != NULL ? d->event : 0;
}
static char kind_at(const struct piece *p, uint32_t i) { return (char)(p->trace->kinds[p->c.ids[i]] & 0x7f); }

/* How many elements an owner has is nowhere else in the trace. */
static bool is_element(unsigned e) { return e == EVENT_MULTI_NEW_ARRAY_OWNER || e == EVENT_MULTI_NEW_ARRAY_ELEMENT; }

/* Values that the operand stack or a local must have: the code takes them from what other events show. */
static bool is_used(unsigned e)
{
    return e == EVENT_LOCAL_LOAD || e == EVENT_LOCAL_INCREMENT || e == EVENT_CALL_PARAM ||
           e == EVENT_PUT_STATIC_FIELD || e == EVENT_PUT_INSTANCE_FIELD_VALUE || e == EVENT_ARRAY_STORE_VALUE ||
           e == EVENT_ARRAY_STORE_INDEX || e == EVENT_ARRAY_LOAD_INDEX || e == EVENT_LOCAL_STORE ||
           e == EVENT_METHOD_NORMAL_EXIT || e == EVENT_ARRAY_STORE || e == EVENT_ARRAY_LOAD ||
           e == EVENT_GET_INSTANCE_FIELD || e == EVENT_PUT_INSTANCE_FIELD || e == EVENT_METHOD_THROW;
}

static bool can_nothing(struct piece *p, uint32_t i) { return p->c.count > i; }
static void mutate_nothing(struct piece *p) { (void)p; }

static bool can_drop_event(struct piece *p, uint32_t i) { return !is_element(event_at(p, i)); }
static void mutate_drop_event(struct piece *p)
{
    for (uint32_t i = p->at; i + 1 < p->c.count; i++) {
        p->c.ids[i] = p->c.ids[i + 1];
        p->c.values[i] = p->c.values[i + 1];
        p->c.stamps[i] = p->c.stamps[i + 1];
    }
    p->c.count--;
}

static void insert(struct piece *p, uint32_t at, uint32_t id, uint64_t value)
{
    for (uint32_t i = p->c.count; i > at; i--) {
        p->c.ids[i] = p->c.ids[i - 1];
        p->c.values[i] = p->c.values[i - 1];
        p->c.stamps[i] = p->c.stamps[i - 1];
    }
    p->c.ids[at] = id;
    p->c.values[at] = value;
    p->c.count++;
}

static bool can_double_event(struct piece *p, uint32_t i) { return !is_element(event_at(p, i)); }
static void mutate_double_event(struct piece *p) { insert(p, p->at, p->c.ids[p->at], p->c.values[p->at]); }

static bool can_swap_events(struct piece *p, uint32_t i)
{
    return i + 1 < p->c.count && p->c.ids[i] != p->c.ids[i + 1] && !is_element(event_at(p, i)) &&
           !is_element(event_at(p, i + 1));
}
static void mutate_swap_events(struct piece *p)
{
    uint32_t i = p->at, id = p->c.ids[i];
    uint64_t value = p->c.values[i];
    p->c.ids[i] = p->c.ids[i + 1];
    p->c.values[i] = p->c.values[i + 1];
    p->c.ids[i + 1] = id;
    p->c.values[i + 1] = value;
}

static uint32_t another_id(struct piece *p)
{
    uint32_t n = p->trace->kind_count, id = p->c.ids[p->at];
    for (uint32_t k = 0, at = (uint32_t)(p->random % n); k < n; k++, at = (at + 1) % n) {
        const struct hs_dataid *d = hs_dataid_get(p->trace, at);
        if (at != id && p->trace->kinds[at] == p->trace->kinds[id] && d != NULL && d->event < EVENT_JUMP)
            return at;
    }
    return id;
}
static bool can_other_id(struct piece *p, uint32_t i)
{
    struct piece one = *p;
    one.at = i;
    return !is_element(event_at(p, i)) && another_id(&one) != p->c.ids[i];
}
static void mutate_other_id(struct piece *p) { p->c.ids[p->at] = another_id(p); }

static bool can_other_number(struct piece *p, uint32_t i)
{
    return is_used(event_at(p, i)) && (kind_at(p, i) == 'I' || kind_at(p, i) == 'J');
}
static void mutate_other_number(struct piece *p)
{
    p->c.values[p->at] = p->c.values[p->at] == INT32_MAX ? 0 : p->c.values[p->at] + 1;
}

/* An object that another event of the chunk shows. */
static uint64_t another_object(const struct piece *p, uint32_t i)
{
    for (uint32_t k = 0, at = (uint32_t)(p->random % p->c.count); k < p->c.count; k++, at = (at + 1) % p->c.count)
        if (kind_at(p, at) == 'L' && p->c.values[at] != 0 && p->c.values[at] != UINT64_MAX &&
            p->c.values[at] != p->c.values[i])
            return p->c.values[at];
    return p->c.values[i];
}
static bool can_other_object(struct piece *p, uint32_t i)
{
    return is_used(event_at(p, i)) && kind_at(p, i) == 'L' && another_object(p, i) != p->c.values[i];
}
static void mutate_other_object(struct piece *p) { p->c.values[p->at] = another_object(p, p->at); }

static bool can_unknown_object(struct piece *p, uint32_t i) { return kind_at(p, i) == 'L' && p->c.values[i] != 0; }
static void mutate_unknown_object(struct piece *p)
{
    uint64_t id = (p->random & 0xffff) + 1500000000;
    while (hs_object_get(p->trace, (uint32_t)id) != NULL)
        id++;
    p->c.values[p->at] = id;
}

static bool can_wild_number(struct piece *p, uint32_t i) { return strchr("ZBCSIF", kind_at(p, i)) != NULL; }
static void mutate_wild_number(struct piece *p) { p->c.values[p->at] ^= UINT64_C(1) << 40; }

static bool can_other_label(struct piece *p, uint32_t i)
{
    return event_at(p, i) == EVENT_LABEL || event_at(p, i) == EVENT_CATCH_LABEL;
}
static void mutate_other_label(struct piece *p) { p->c.values[p->at]++; }

/* After a call that certainly enters: CALL or its last argument comes right before. */
static bool can_other_argument(struct piece *p, uint32_t i)
{
    if (i < 2 || event_at(p, i) != EVENT_METHOD_PARAM || (kind_at(p, i) != 'I' && kind_at(p, i) != 'L') ||
        event_at(p, i - 1) != EVENT_METHOD_ENTRY || event_at(p, i - 2) != EVENT_CALL_PARAM ||
        p->c.values[i - 2] != p->c.values[i])
        return false;
    const struct hs_dataid *call = hs_dataid_get(p->trace, p->c.ids[i - 2]),
                           *entry = hs_dataid_get(p->trace, p->c.ids[i]);
    return call->class_no == entry->class_no && (kind_at(p, i) == 'I' || another_object(p, i) != p->c.values[i]);
}
static void mutate_other_argument(struct piece *p)
{
    if (kind_at(p, p->at) == 'L')
        mutate_other_object(p);
    else
        p->c.values[p->at] ^= 1;
}

static bool can_other_exception(struct piece *p, uint32_t i)
{
    if (i < 2 || (event_at(p, i) != EVENT_CATCH && event_at(p, i) != EVENT_METHOD_EXCEPTIONAL_EXIT))
        return false;
    uint32_t thrown = event_at(p, i) == EVENT_CATCH ? i - 2 : i - 1;
    return event_at(p, thrown) == EVENT_METHOD_THROW && another_object(p, i) != p->c.values[i];
}
static void mutate_other_exception(struct piece *p) { mutate_other_object(p); }

static bool can_other_thread(struct piece *p, uint32_t i) { return can_other_id(p, i); }
static void mutate_other_thread(struct piece *p) { insert(p, p->at, another_id(p), 0); }

static bool can_stamp_back(struct piece *p, uint32_t i)
{
    return i > 0 && i + 1 < p->c.count && p->c.stamps[i - 1] > 0;
}
static void mutate_stamp_back(struct piece *p) { p->c.stamps[p->at] = p->c.stamps[p->at - 1] - 1; }

static bool can_stamp_beyond(struct piece *p, uint32_t i) { return i + 1 == p->c.count; }
static void mutate_stamp_beyond(struct piece *p) { p->c.stamps[p->at] += UINT64_C(1) << 40; }

/* The object that the event creates, 0 if it creates none. */
static uint64_t created_at(const struct piece *p, uint32_t i)
{
    unsigned e = event_at(p, i);
    return e == EVENT_NEW_OBJECT_CREATED || e == EVENT_NEW_ARRAY_RESULT ? p->c.values[i] : 0;
}
/* Another object of the same type that the chunk creates before event i; 0 there is none. */
static uint64_t elder_of(const struct piece *p, uint32_t i)
{
    uint64_t id = created_at(p, i), other;
    const struct hs_object *o = id != 0 ? hs_object_get(p->trace, (uint32_t)id) : NULL, *x;
    uint32_t class_id = o != NULL ? o->class_id : 0;
    for (uint32_t k = 0; k < i && class_id != 0; k++)
        if ((other = created_at(p, k)) != 0 && other != id && (x = hs_object_get(p->trace, (uint32_t)other)) != NULL &&
            x->class_id == class_id)
            return other;
    return 0;
}
static bool can_second_life(struct piece *p, uint32_t i) { return elder_of(p, i) != 0; }
static void mutate_second_life(struct piece *p)
{
    uint64_t id = created_at(p, p->at), elder = elder_of(p, p->at);
    for (uint32_t i = 0; i < p->c.count; i++)
        if (kind_at(p, i) == 'L' && p->c.values[i] == id)
            p->c.values[i] = elder;
}

/* ---- rows: the changed value in `w`, or no row at all (false) ---- */

static bool drop(struct copy *c, struct text value, struct writer *w)
{
    (void)c, (void)value, (void)w;
    return false;
}
#define DROP(name)                                                                                                     \
    static bool mutate_##name(struct copy *c, struct text v, struct writer *w) { return drop(c, v, w); }
DROP(drop_class)
DROP(drop_classfile)
DROP(drop_dataids)
DROP(drop_kinds)
DROP(drop_thread)
DROP(drop_type)
DROP(drop_objects)
DROP(drop_chunk)
DROP(drop_directory)

static bool mutate_other_kind(struct copy *c, struct text value, struct writer *w)
{
    size_t at = (size_t)(c->seed % value.size);
    write_bytes(w, value.data, value.size);
    w->data[at] = (uint8_t)((w->data[at] & 0x80) | ((w->data[at] & 0x7f) == 'I' ? 'S' : 'I'));
    return true;
}

static bool mutate_other_code(struct copy *c, struct text value, struct writer *w)
{
    write_bytes(w, value.data, value.size);
    w->data[c->seed % value.size] ^= 4;
    return true;
}

static bool mutate_damaged_chunk(struct copy *c, struct text value, struct writer *w)
{
    return mutate_other_code(c, value, w);
}

/* The fragment once more, under another number, with the class of its last entry changed. */
static bool mutate_two_types(struct copy *c, struct text value, struct writer *w)
{
    object_entry_vec entries = { 0 };
    struct writer storage = { 0 }, again = { 0 };
    write_bytes(w, value.data, value.size);
    if (objects_decode(value.data, value.size, &entries, &storage, c->err) == OK) {
        struct object_entry *last = &entries.items[entries.count - 1];
        while (last > entries.items && last->class_id == 0)
            last--;
        size_t first = c->in->types.items[0].id == last->class_id && c->in->types.count > 1;
        last->class_id = c->in->types.items[first].id;
        if (objects_encode(last, 1, &again, c->err) == OK)
            (void)store_put(c->out, DB_OBJECT, object_key(last->id, 999999), again.data, again.size, c->err);
    }
    vec_free(&entries);
    writer_free(&storage);
    writer_free(&again);
    return true;
}

static bool put_mark(const struct mark_row *m, struct writer *w)
{
    mark_row_encode(m, w);
    return true;
}
/* The row of the mark is in `m` for the statement. */
#define MARK(name, statement)                                                                                          \
    static bool mutate_mark_##name(struct copy *c, struct text value, struct writer *w)                                \
    {                                                                                                                  \
        struct mark_row m;                                                                                             \
        if (mark_row_decode(value.data, value.size, &m, c->err) == OK) {                                               \
            statement;                                                                                                 \
            return put_mark(&m, w);                                                                                    \
        }                                                                                                              \
        return true;                                                                                                   \
    }
/* One interval of the block is in `v` for the statement. */
#define INTERVAL(name, change)                                                                                         \
    static bool mutate_interval_##name(struct copy *c, struct text value, struct writer *w)                            \
    {                                                                                                                  \
        window_vec list = { 0 };                                                                                       \
        bool ok = windows_decode(value.data, value.size, &list, c->err) == OK && list.count > 1;                       \
        if (ok) {                                                                                                      \
            struct window *v = &list.items[next_random(&c->seed) % (list.count - 1)];                                  \
            change;                                                                                                    \
            windows_encode(list.items, list.count, w);                                                                 \
        }                                                                                                              \
        vec_free(&list);                                                                                               \
        return ok && !w->bad;                                                                                          \
    }
INTERVAL(late, v->begin++)
INTERVAL(short, v->end--)
INTERVAL(start, v->start_id++)
INTERVAL(end, v->end_id--)
INTERVAL(dropped, memmove(v, v + 1, (size_t)(list.items + --list.count - v) * sizeof *v))
DROP(mark_dropped)
MARK(no_name, m.name.size = 0)
MARK(no_text, m.name = TEXT_OF("Latin-1 \xe4"))
MARK(back, m.end_stamp = m.begin_stamp - 1; m.end_ns = m.begin_ns)
MARK(late, m.end_stamp = UINT64_MAX / 2; m.end_ns = m.begin_ns)
MARK(begins_late, m.begin_stamp = UINT64_MAX / 2; m.end_stamp = m.end_ns = UINT64_MAX)
MARK(half, m.end_stamp = m.begin_stamp + 1; m.end_ns = UINT64_MAX)
MARK(order, m.begin_stamp = c->mark_begin)

/* ---- the table ---- */

typedef bool can_fn(struct piece *p, uint32_t i);
typedef void events_fn(struct piece *p);
typedef bool rows_fn(struct copy *c, struct text value, struct writer *w);

static const struct mutation {
    const char *name, *text;
    enum level level;
    can_fn *can;
    events_fn *events;
    rows_fn *rows;
} mutations[] = {
#define MUTATION(name, level, text) MUTATION_##level(name, text)
#define MUTATION_EVENTS(name, text) { #name, text, EVENTS, can_##name, mutate_##name, NULL },
#define MUTATION_ROWS(name, text)   { #name, text, ROWS, NULL, NULL, mutate_##name },
#include "test/fsck/mutations.def"
#undef MUTATION
};

/* Which table a mutation of rows is for, by its name. */
static enum schema_db table_of(const struct mutation *m)
{
    static const struct {
        const char *name;
        enum schema_db db;
    } tables[] = { { "drop_class", DB_CLASS },    { "drop_classfile", DB_CLASSFILE }, { "drop_dataids", DB_DATAID },
                   { "drop_kinds", DB_KIND },     { "drop_thread", DB_THREAD },       { "drop_type", DB_TYPE },
                   { "drop_objects", DB_OBJECT }, { "drop_chunk", DB_CHUNK },         { "drop_directory", DB_CHUNKDIR },
                   { "other_kind", DB_KIND },     { "other_code", DB_CLASSFILE },     { "two_types", DB_OBJECT },
                   { "damaged_chunk", DB_CHUNK } };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].name, m->name) == 0)
            return tables[i].db;
    return strncmp(m->name, "mark_", 5) == 0 ? DB_MARK : strncmp(m->name, "interval_", 9) == 0 ? DB_INTERVAL : DB_CHUNK;
}

static bool any_object_of(hs_trace *t, uint64_t class_id)
{
    hs_cursor *objects;
    const struct hs_object *o;
    bool found = false;
    if (hs_objects_open(t, &objects, NULL) != 0)
        return false;
    while (!found && hs_object_next(objects, &o, NULL) > 0)
        found = o->class_id == class_id;
    hs_cursor_close(objects);
    return found;
}

/* Rows without which the trace is as good as before: those of classes, threads and types that nothing names. */
static bool row_matters(const struct copy *c, uint64_t key)
{
    const struct hs_class *k;
    if (c->db == DB_CLASS)
        return (k = hs_class_get(c->in, (uint32_t)key)) != NULL && k->dataid_count > 0;
    if (c->db == DB_MARK)
        return strcmp(c->mutation->name, "mark_dropped") == 0 ? key + 1 < c->in->marks.count
                                                              : strcmp(c->mutation->name, "mark_order") != 0 || key > 0;
    if (c->db == DB_THREAD)
        return hs_thread_get(c->in, (uint32_t)key) != NULL && hs_thread_get(c->in, (uint32_t)key)->events > 0;
    return c->db != DB_TYPE || any_object_of(c->in, key);
}

/* ---- copying ---- */

static void decode(hs_trace *t, struct text blob, struct piece *p)
{
    struct error err = { 0 };
    struct chunk_columns c;
    if (chunk_decode(t->decoder, (struct kind_table){ t->kinds, t->kind_count }, blob.data, blob.size, CHUNK_ALL, &c,
                     &err) != OK) {
        (void)fprintf(stderr, "mutate: %s\n", err.text);
        exit(1);
    }
    *p = (struct piece){ .trace = t, .c = { .count = c.count } };
    p->c.ids = malloc((c.count + 1) * sizeof *c.ids);
    p->c.values = malloc((c.count + 1) * sizeof *c.values);
    p->c.stamps = malloc((c.count + 1) * sizeof *c.stamps);
    memcpy(p->c.ids, c.ids, c.count * sizeof *c.ids);
    memcpy(p->c.values, c.values, c.count * sizeof *c.values);
    memcpy(p->c.stamps, c.stamps, c.count * sizeof *c.stamps);
}

static void forget(struct piece *p)
{
    free(p->c.ids);
    free(p->c.values);
    free(p->c.stamps);
}

/* Chooses one place among all that the mutation can have: each in turn replaces the choice with the right
 * probability. */
static enum status choose_event(void *context, struct text key, struct text value, struct error *err)
{
    struct copy *c = context;
    struct piece p;
    (void)err;
    decode(c->in, value, &p);
    p.random = c->seed;
    for (uint32_t i = 0; i < p.c.count; i++)
        if (c->mutation->can(&p, i) && next_random(&c->seed) % ++c->seen == 0) {
            c->chunk_number = env_integer(key);
            c->place = i;
        }
    forget(&p);
    return OK;
}

static enum status choose_row(void *context, struct text key, struct text value, struct error *err)
{
    struct copy *c = context;
    (void)err;
    if (value.size > 0 && row_matters(c, env_integer(key)) && next_random(&c->seed) % ++c->seen == 0)
        c->row = env_integer(key);
    return OK;
}

static enum status changed_chunk(struct copy *c, struct text value, struct writer *w, struct error *err)
{
    struct piece p;
    decode(c->in, value, &p);
    p.at = c->place;
    p.random = next_random(&c->seed);
    uint32_t before = p.c.count;
    c->mutation->events(&p);
    c->more = (int)p.c.count - (int)before;
    struct chunk_encoder *e = chunk_encoder_new();
    enum status st = chunk_encode(e, (struct kind_table){ c->in->kinds, c->in->kind_count }, &p.c, w, err);
    chunk_encoder_free(e);
    forget(&p);
    return st;
}

/* The directory, made to fit: count, bytes, and what comes before in later chunks of the thread. */
static void changed_info(struct copy *c, uint64_t number, struct text value, struct writer *w)
{
    struct chunk_info info;
    if (chunk_info_decode(value.data, value.size, &info) != OK)
        return;
    if (number == c->chunk_number) {
        struct text blob;
        const void *data;
        size_t size;
        if (store_get(c->out, DB_CHUNK, number, &data, &size, c->err) == OK) {
            struct piece p;
            blob = (struct text){ data, size };
            decode(c->in, blob, &p);
            info.count = p.c.count;
            info.bytes = (uint32_t)size;
            info.first_stamp = p.c.stamps[0];
            info.last_stamp = p.c.stamps[p.c.count - 1];
            forget(&p);
        }
        c->chunk_thread = info.thread;
    } else if (number > c->chunk_number && info.thread == c->chunk_thread) {
        info.first_event = (uint64_t)((int64_t)info.first_event + c->more);
    }
    chunk_info_encode(&info, w);
}

static enum status copy_row(void *context, struct store *out, enum schema_db db, struct text key, struct text value,
                            struct error *err)
{
    struct copy *c = context;
    c->out = out;
    c->db = db;
    const struct mutation *m = c->mutation;
    struct writer w = { 0 };
    uint64_t number = env_integer(key);
    enum status st = OK;
    bool keep = true;
    struct mark_row mark;
    if (c->db == DB_MARK && number < c->row && mark_row_decode(value.data, value.size, &mark, err) == OK)
        c->mark_begin = mark.begin_stamp;
    if (c->db == DB_INFO)
        return copy_same(out, db, key, value, err);
    if (m->level == ROWS && c->db == table_of(m) && number == c->row)
        keep = m->rows(c, value, &w);
    else if (m->level == EVENTS && c->db == DB_CHUNK && number == c->chunk_number)
        st = changed_chunk(c, value, &w, err);
    else if (m->level == EVENTS && c->db == DB_CHUNKDIR)
        changed_info(c, number, value, &w);
    else
        write_bytes(&w, value.data, value.size);
    if (st == OK && keep)
        st = store_put(c->out, c->db, number, w.data, w.size, err);
    writer_free(&w);
    return st;
}

int main(int argc, char **argv)
{
    struct error err = { 0 };
    struct hs_error error = HS_ERROR_INIT;
    struct copy c = { .err = &err, .row = UINT64_MAX, .chunk_number = UINT64_MAX };
    for (size_t i = 0; i < sizeof mutations / sizeof *mutations; i++) {
        if (argc < 2)
            (void)printf("%s\n", mutations[i].name);
        else if (argc == 5 && strcmp(argv[3], mutations[i].name) == 0)
            c.mutation = &mutations[i];
    }
    if (argc < 2)
        return 0;
    if (c.mutation == NULL || hs_open(argv[1], 0, NULL, &c.in, &error) != 0) {
        (void)fprintf(stderr, "mutate: %s\n", c.mutation == NULL ? "IN OUT MUTATION SEED" : error.text);
        return 2;
    }
    c.seed = strtoull(argv[4], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 1;
    c.db = c.mutation->level == EVENTS ? DB_CHUNK : table_of(c.mutation);
    enum status st = env_begin(&c.in->env, &err);
    if (st == OK)
        st = env_each(&c.in->env, c.db, c.mutation->level == EVENTS ? choose_event : choose_row, &c, &err);
    env_end(&c.in->env);
    if (st == OK && c.seen == 0)
        return NO_PLACE;
    if (st == OK)
        st = copy_trace(c.in, argv[2], copy_row, &c, &err);
    if (st == OK)
        (void)printf("%s: %s: %s %llu\n", c.mutation->name, c.mutation->text,
                     c.mutation->level == EVENTS ? "event" : "row",
                     c.mutation->level == EVENTS ? (unsigned long long)c.place : (unsigned long long)c.row);
    else
        (void)fprintf(stderr, "mutate: %s\n", err.text);
    hs_close(c.in);
    return st == OK ? 0 : 1;
}
