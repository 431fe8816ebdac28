/* cursor.c - see cursor.h. */
#include "reader/trace/cursor.h"

#include <stdlib.h>

#include "reader/trace/open_trace.h"

static const char *row_text(enum cursor_row row)
{
    static const char *const texts[] = {
#define CURSOR_ROW(name, text) [ROW_##name] = (text),
#include "reader/trace/cursor_rows.def"
#undef CURSOR_ROW
    };
    return texts[row];
}

static int wrong_rows(const hs_cursor *c, enum cursor_row row, struct hs_error *error)
{
    struct error err;
    (void)error_set(&err, ERR_USAGE, "this cursor gives %s, not %s", row_text(c->ops->row), row_text(row));
    return give(error, &err);
}

static int forward_only(const hs_cursor *c, struct hs_error *error)
{
    struct error err;
    (void)error_set(&err, ERR_USAGE, "a cursor over %s only goes forward", row_text(c->ops->row));
    return give(error, &err);
}

#define CURSOR_ROW(name, text)                                                                                         \
    int hs_##name##_next(hs_cursor *c, const struct hs_##name **out, struct hs_error *error)                           \
    {                                                                                                                  \
        const void *row = NULL;                                                                                        \
        if (c->ops->row != ROW_##name)                                                                                 \
            return wrong_rows(c, ROW_##name, error);                                                                   \
        int more = c->ops->next(c, &row, error);                                                                       \
        if (more > 0)                                                                                                  \
            *out = row;                                                                                                \
        return more;                                                                                                   \
    }
#include "reader/trace/cursor_rows.def"
#undef CURSOR_ROW

#define PREVIOUS(name)                                                                                                 \
    int hs_##name##_previous(hs_cursor *c, const struct hs_##name **out, struct hs_error *error)                       \
    {                                                                                                                  \
        const void *row = NULL;                                                                                        \
        if (c->ops->row != ROW_##name)                                                                                 \
            return wrong_rows(c, ROW_##name, error);                                                                   \
        if (c->ops->previous == NULL)                                                                                  \
            return forward_only(c, error);                                                                             \
        int more = c->ops->previous(c, &row, error);                                                                   \
        if (more > 0)                                                                                                  \
            *out = row;                                                                                                \
        return more;                                                                                                   \
    }
PREVIOUS(event)
PREVIOUS(write)

int hs_cursor_seek(hs_cursor *c, uint64_t position, struct hs_error *error)
{
    return c->ops->seek != NULL ? c->ops->seek(c, position, error) : forward_only(c, error);
}

void hs_cursor_close(hs_cursor *c)
{
    if (c != NULL)
        c->ops->close(c);
}

int cursor_expect(const hs_cursor *c, const struct cursor_ops *ops, const char *function, struct hs_error *error)
{
    struct error err;
    if (c->ops == ops)
        return 0;
    (void)error_set(&err, ERR_USAGE, "%s: not a cursor over %s of the kind that it works on", function,
                    row_text(ops->row));
    return give(error, &err);
}

/* ---- lists ---- */

struct list_cursor {
    hs_cursor base;
    struct cursor_ops ops; /* of its rows */
    const char *items;
    size_t stride, count, at;
    struct list_answer *answer;
};

struct list_answer *list_answer_new(void) { return calloc(1, sizeof(struct list_answer)); }

void list_answer_free(struct list_answer *answer)
{
    if (answer == NULL)
        return;
    if (answer->done != NULL) {
        answer->done(answer);
        return;
    }
    arena_done(&answer->arena);
    free(answer);
}

static int list_next(hs_cursor *base, const void **row, struct hs_error *error)
{
    struct list_cursor *c = (struct list_cursor *)base;
    if (c->at == c->count)
        return c->answer != NULL && c->answer->failed.status != OK ? give(error, &c->answer->failed) : 0;
    *row = c->items + c->stride * c->at++;
    return 1;
}

static int list_seek(hs_cursor *base, uint64_t position, struct hs_error *error)
{
    struct list_cursor *c = (struct list_cursor *)base;
    (void)error;
    c->at = position < c->count ? (size_t)position : c->count;
    return 0;
}

static void list_close(hs_cursor *base)
{
    struct list_cursor *c = (struct list_cursor *)base;
    list_answer_free(c->answer);
    free(c);
}

int cursor_over(enum cursor_row row, const void *items, size_t stride, size_t count, struct list_answer *answer,
                hs_cursor **out, struct hs_error *error)
{
    struct list_cursor *c = calloc(1, sizeof *c);
    if (c == NULL) {
        list_answer_free(answer);
        return give(error, &(struct error){ .status = ERR_MEMORY, .text = "out of memory" });
    }
    c->ops = (struct cursor_ops){ .row = row, .next = list_next, .seek = list_seek, .close = list_close };
    c->base.ops = &c->ops;
    c->items = items;
    c->stride = stride;
    c->count = count;
    c->answer = answer;
    *out = &c->base;
    return 0;
}

uint64_t hs_cursor_count(const hs_cursor *c)
{
    return c->ops->next == list_next ? ((const struct list_cursor *)c)->count : UINT64_MAX;
}

struct list_answer *cursor_answer(const hs_cursor *c, enum cursor_row row)
{
    return c->ops->row == row && c->ops->next == list_next ? ((const struct list_cursor *)c)->answer : NULL;
}

void *pointers_to(struct arena *a, const void *items, size_t stride, size_t count)
{
    const void **list = arena_array(a, count + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++)
        list[i] = (const char *)items + stride * i;
    return list;
}
