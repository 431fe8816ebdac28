/* tables.c - see tables.h: batches of rows. */
#include "reader/tables/tables.h"

static size_t cell_bytes(enum column_type type)
{
    switch (type) {
    case COLUMN_INT:
    case COLUMN_BOOL: return sizeof(int64_t);
    case COLUMN_DOUBLE: return sizeof(double);
    case COLUMN_NAME: return sizeof(uint32_t);
    case COLUMN_TEXT:
    case COLUMN_JSON: return sizeof(struct span);
    }
    return 0;
}

bool rows_open(struct rows *r, const struct rows_from *from)
{
    const struct table *t = from->table;
    *r = (struct rows){ .from = *from, .error = HS_ERROR_INIT };
    for (size_t i = 0; i < t->column_count; i++) {
        struct cells *c = &r->columns[i];
        c->present = calloc(ROWS_MAX, 1);
        c->ints = calloc(ROWS_MAX, cell_bytes(t->columns[i].type));
        if (c->present == NULL || c->ints == NULL)
            return rows_fail(r, "out of memory");
    }
    r->state = calloc(1, t->source->state_bytes + 1);
    if (r->state == NULL)
        return rows_fail(r, "out of memory");
    return t->source->open == NULL || t->source->open(r);
}

bool rows_next(struct rows *r)
{
    const struct table *t = r->from.table;
    arena_done(&r->texts);
    for (size_t i = 0; i < t->column_count && r->count > 0; i++)
        memset(r->columns[i].present, 0, r->count);
    r->count = 0;
    object_cells_clear(r);
    while (!r->ended && r->count == 0 && !r->failed)
        r->ended = !t->source->next(r);
    return r->count > 0 && !r->failed;
}

bool rows_close(struct rows *r)
{
    if (r->state != NULL && r->from.table->source->close != NULL)
        r->from.table->source->close(r);
    free(r->state);
    for (size_t i = 0; i < r->from.table->column_count; i++) {
        free(r->columns[i].present);
        free(r->columns[i].ints);
    }
    vec_free(&r->names);
    map_free(&r->by_text);
    map_free(&r->by_pointer);
    arena_done(&r->name_texts);
    arena_done(&r->texts);
    object_cells_free(r);
    return !r->failed;
}
