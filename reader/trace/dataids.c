/* dataids.c - loads data IDs on first use: those of one method while few of a class are asked for, since a class can
 * have thousands, then all of the class.
 *
 * The rows of a class are all decoded once before one of them is kept: of a class whose rows are damaged there is no
 * data ID. */
#include <stdlib.h>
#include <string.h>

#include "formats/search.h"
#include "reader/trace/loading.h"

/* So many methods of a class are loaded alone. */
enum { ALONE_MAX = 8 };

static enum status no_memory(const hs_trace *t, struct error *err) { return error_memory(err, "%s", t->dir); }

uint32_t hs_dataid_count(const hs_trace *t) { return t->kind_count; }

enum status dataids_prepare(hs_trace *t, struct error *err)
{
    t->dataids = calloc((size_t)t->kind_count + 1, sizeof(struct hs_dataid *));
    return t->dataids != NULL ? OK : no_memory(t, err);
}

void dataids_done(hs_trace *t)
{
    for (size_t i = 0; t->class_ids != NULL && i < t->classes.count; i++)
        vec_free(&t->class_ids[i].runs);
    free(t->class_ids);
    free(t->dataids);
}

/* ---- copies of what rows have ---- */

/* A class's rows repeat few texts, each with one address in the decoded rows, few attributes and few lists of them: the
 * copies made last are used again. */
enum { COPIES = 256, ATTRS = 1024, LISTS = 1024 };
struct copies {
    struct {
        const char *from, *copy;
        size_t size;
    } slots[COPIES];
    const struct hs_attr *attrs[ATTRS];
    struct {
        const struct hs_attr *const *attrs; /* NULL: none yet */
        uint32_t count;
    } lists[LISTS];
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

static uint64_t mix(uint64_t hash, uint64_t more) { return (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15); }

static const struct hs_attr *attr_of(hs_trace *t, struct copies *c, const struct hs_attr *a)
{
    const uint64_t hash = mix(mix(mix(0, (uintptr_t)a->name), (uintptr_t)a->text), (uint64_t)a->number);
    const struct hs_attr **slot = &c->attrs[(hash >> 32) % ATTRS];
    if (*slot != NULL && (*slot)->name == a->name && (*slot)->text == a->text && (*slot)->number == a->number)
        return *slot;
    struct hs_attr *copy = arena_array(&t->arena, 1, sizeof *copy);
    if (copy != NULL)
        *copy = *a;
    return *slot = copy;
}

static const struct hs_attr *const *list_of(hs_trace *t, struct copies *c, const struct hs_attr *const *attrs,
                                            uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++)
        hash = mix(hash, (uintptr_t)attrs[i]);
    const size_t at = (hash >> 32) % LISTS, bytes = count * sizeof *attrs;
    if (c->lists[at].attrs != NULL && c->lists[at].count == count &&
        (count == 0 || memcmp(c->lists[at].attrs, attrs, bytes) == 0))
        return c->lists[at].attrs;
    const struct hs_attr **copy = arena_array(&t->arena, (size_t)count + 1, sizeof *copy);
    if (copy != NULL && count > 0)
        memcpy(copy, attrs, bytes);
    c->lists[at].count = count;
    return c->lists[at].attrs = copy;
}

static bool keep_attrs(hs_trace *t, struct copies *copies, const struct dataid_row *row, struct hs_dataid *out)
{
    const struct hs_attr *attrs[DATAID_ATTRS_MAX];
    for (unsigned i = 0; i < row->attr_count; i++) {
        const struct attr_value *a = &row->attrs[i];
        struct hs_attr attr = { .name = attr_name(a->attr), .number = a->number };
        if (attr.name == NULL) /* of a newer version */
            continue;
        attr.type = (enum hs_attr_type)attr_type_of(a->attr);
        if (attr.type == HS_ATTR_TEXT && (attr.text = copy_of(t, copies, a->text)) == NULL)
            return false;
        attrs[out->attr_count] = attr_of(t, copies, &attr);
        if (attrs[out->attr_count++] == NULL)
            return false;
    }
    out->attrs = list_of(t, copies, attrs, out->attr_count);
    return out->attrs != NULL;
}

/* ---- rows of a class ---- */

/* In a transaction. Free with dataid_rows_close, also after a failure. */
static enum status open_rows(hs_trace *t, const struct hs_class *c, struct dataid_rows_reader *rows, struct error *err)
{
    struct text value;
    *rows = (struct dataid_rows_reader){ 0 };
    if ((uint64_t)c->first_dataid + c->dataid_count > t->kind_count)
        return error_set(err, ERR_FORMAT, "%s: class %s has data IDs behind the last", t->dir, c->name);
    enum status st = env_get(&t->env, DB_DATAID, c->class_no, &value, err);
    if (st == ERR_NOT_FOUND)
        (void)error_set(err, ERR_NOT_FOUND, "%s: class %s has no data ID rows", t->dir, c->name);
    return st == OK ? dataid_rows_open(rows, value.data, value.size, err) : st;
}

/* ERR_NOT_FOUND behind the last row. */
static enum status next_row(hs_trace *t, const struct hs_class *c, struct dataid_rows_reader *rows, struct error *err)
{
    const struct dataid_row *row = &rows->row;
    enum status st = dataid_rows_next(rows, err);
    if (st == OK && (rows->next.index > c->dataid_count || row->method >= c->method_count))
        return error_set(err, ERR_FORMAT, "%s: class %s: the row of data ID %u is damaged", t->dir, c->name,
                         c->first_dataid + rows->next.index - 1);
    if (st == ERR_NOT_FOUND && rows->count != c->dataid_count)
        return error_set(err, ERR_FORMAT, "%s: class %s has %u data ID rows, expected %u", t->dir, c->name, rows->count,
                         c->dataid_count);
    return st;
}

/* All rows of a class, in order. */
static enum status each_row(hs_trace *t, const struct hs_class *c, struct dataid_rows_reader *rows, dataid_row_fn *each,
                            void *context, struct error *err)
{
    for (;;) {
        enum status st = next_row(t, c, rows, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        st = each(context, rows->next.index - 1, &rows->row, err);
        if (st != OK)
            return st;
    }
}

enum status tables_skim(hs_trace *t, const struct hs_class *c, dataid_row_fn *each, void *context, struct error *err)
{
    struct dataid_rows_reader rows;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = open_rows(t, c, &rows, err);
    if (st == OK)
        st = each_row(t, c, &rows, each, context, err);
    dataid_rows_close(&rows);
    env_end(&t->env);
    return st;
}

/* Finds where the rows of each method begin. */
static enum status find_runs(hs_trace *t, const struct hs_class *c, struct dataid_rows_reader *rows,
                             struct class_ids *ids, struct error *err)
{
    for (uint32_t last = UINT32_MAX;;) {
        const struct dataid_place place = rows->next;
        enum status st = next_row(t, c, rows, err);
        if (st != OK)
            return st == ERR_NOT_FOUND ? OK : st;
        struct dataid_place *run = rows->row.method != last ? vec_push(&ids->runs) : NULL;
        if (rows->row.method != last && run == NULL)
            return no_memory(t, err);
        if (run != NULL)
            *run = place;
        last = rows->row.method;
    }
}

/* Number of the run that a row is in. */
static size_t run_of(const struct class_ids *ids, uint32_t index)
{
    size_t i;
    LOWER_BOUND(i, ids->runs.count, ids->runs.items[i].index <= index);
    return i - 1;
}

/* Keeps the rows from `from` on, below the number `end`, that are not kept yet. */
static enum status keep_rows(hs_trace *t, const struct hs_class *c, struct dataid_rows_reader *rows,
                             const struct dataid_place *from, uint32_t end, struct error *err)
{
    struct copies copies = { 0 };
    struct hs_dataid *kept = arena_array(&t->arena, end - from->index, sizeof *kept);
    enum status st = kept != NULL ? OK : no_memory(t, err);
    dataid_rows_seek(rows, from);
    while (st == OK && rows->next.index < end && (st = next_row(t, c, rows, err)) == OK) {
        const struct dataid_row *row = &rows->row;
        const uint32_t id = c->first_dataid + rows->next.index - 1;
        if (t->dataids[id] != NULL)
            continue;
        *kept = (struct hs_dataid){ .dataid = id,
                                    .event = row->event,
                                    .kind = (char)row->kind,
                                    .joined = row->joined,
                                    .class_no = c->class_no,
                                    .method_id = c->methods[row->method]->method_id,
                                    .pc = row->pc,
                                    .table_line = row->line };
        const struct source_line line = source_line_of(t, c, row->line);
        kept->file = line.file;
        kept->line = line.line;
        if (!keep_attrs(t, &copies, row, kept))
            return no_memory(t, err);
        t->dataids[id] = kept++;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

/* Loads the data IDs of the method that the row is of, or all of the class. */
static enum status load(hs_trace *t, const struct hs_class *c, struct class_ids *ids, uint32_t index, struct error *err)
{
    struct dataid_rows_reader rows;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = open_rows(t, c, &rows, err);
    if (st == OK && ids->runs.count == 0)
        st = find_runs(t, c, &rows, ids, err);
    ids->complete = st != OK || ids->asked++ == ALONE_MAX;
    if (st == OK) {
        const size_t run = ids->complete ? 0 : run_of(ids, index), last = ids->complete ? ids->runs.count - 1 : run;
        const uint32_t end = last + 1 < ids->runs.count ? ids->runs.items[last + 1].index : c->dataid_count;
        const struct dataid_place from = ids->runs.items[run];
        st = keep_rows(t, c, &rows, &from, end, err);
    }
    dataid_rows_close(&rows);
    env_end(&t->env);
    return st;
}

/* ---- data IDs ---- */

const struct hs_class *tables_class_of(hs_trace *t, uint32_t dataid)
{
    size_t i;
    if (!tables_need_classes(t))
        return NULL;
    LOWER_BOUND(i, t->by_dataid.count, t->classes.items[t->by_dataid.items[i]].first_dataid <= dataid);
    return i > 0 ? &t->classes.items[t->by_dataid.items[i - 1]] : NULL;
}

const struct hs_dataid *dataid_row(hs_trace *t, uint32_t dataid)
{
    if (dataid >= t->kind_count)
        return NULL;
    const struct hs_class *c = t->dataids[dataid] == NULL ? tables_class_of(t, dataid) : NULL;
    if (c == NULL || dataid - c->first_dataid >= c->dataid_count)
        return t->dataids[dataid];
    struct class_ids *ids = &t->class_ids[c - t->classes.items];
    struct error err;
    if (!ids->complete && load(t, c, ids, dataid - c->first_dataid, &err) != OK) {
        ids->complete = true;
        trace_damaged(t, &err);
    }
    return t->dataids[dataid];
}

void dataid_siblings(hs_trace *t, const struct hs_class *c, uint32_t *first, uint32_t *end)
{
    const struct class_ids *ids = &t->class_ids[c - t->classes.items];
    const size_t run = run_of(ids, *first - c->first_dataid);
    *first = c->first_dataid + ids->runs.items[run].index;
    *end = c->first_dataid + (run + 1 < ids->runs.count ? ids->runs.items[run + 1].index : c->dataid_count);
}
