/* cursor.h - what all public cursors have in common, and the cursor over a list in memory.
 *
 * A cursor is a struct that begins with struct hs_cursor; its operations are a constant table. hs_event_next and the
 * others check that the cursor gives such rows, and call the operation. */
#ifndef READER_TRACE_CURSOR_H
#define READER_TRACE_CURSOR_H

#include "formats/arena.h"
#include "formats/status.h"
#include "reader/trace.h"

enum cursor_row {
#define CURSOR_ROW(name, text) ROW_##name,
#include "reader/trace/cursor_rows.def"
#undef CURSOR_ROW
    CURSOR_ROW_COUNT
};

struct cursor_ops {
    enum cursor_row row;
    /* 1, 0 or -1, as public functions. previous and seek may be NULL: the cursor only goes forward. */
    int (*next)(hs_cursor *c, const void **row, struct hs_error *error);
    int (*previous)(hs_cursor *c, const void **row, struct hs_error *error);
    int (*seek)(hs_cursor *c, uint64_t position, struct hs_error *error);
    void (*close)(hs_cursor *c); /* frees it */
};

struct hs_cursor {
    const struct cursor_ops *ops;
};

/* Fails with HS_ERR_USAGE unless the cursor has exactly these operations: for functions of one kind of cursor. */
int cursor_expect(const hs_cursor *c, const struct cursor_ops *ops, const char *function, struct hs_error *error);

/* A list whose rows are kept: `count` structs of `stride` bytes. `answer` is freed with the cursor, also when this
 * function fails. */
struct list_answer {
    struct arena arena;
    void (*done)(struct list_answer *answer); /* frees the answer; NULL: list_answer_free */
    struct error failed; /* the step behind the last row fails with this; status OK: there are no more rows */
};
/* NULL: out of memory. */
struct list_answer *list_answer_new(void);
void list_answer_free(struct list_answer *answer); /* NULL is allowed */
int cursor_over(enum cursor_row row, const void *items, size_t stride, size_t count, struct list_answer *answer,
                hs_cursor **out, struct hs_error *error);
/* The answer of a list cursor; NULL if the cursor does not give these rows from a list. */
struct list_answer *cursor_answer(const hs_cursor *c, enum cursor_row row);

/* Pointers to `count` structs of `stride` bytes, for a list inside of a public struct; NULL: out of memory. */
void *pointers_to(struct arena *a, const void *items, size_t stride, size_t count);

#endif
