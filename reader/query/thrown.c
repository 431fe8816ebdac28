/* thrown.c - see thrown.h; hs_thrown_get, hs_thrown_peek. */
#include "reader/query/thrown.h"

#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "reader/cursor/cursor.h"
#include "reader/query/message.h"

static const char *text_of(hs_trace *t, struct arena *to, struct text s)
{
    return s.data != NULL ? trace_text_in(t, to, s, false) : "";
}

/* NULL: out of memory. */
static struct hs_thrown *make_thrown(hs_trace *t, struct arena *to, uint32_t id, const struct thrown_row *row)
{
    struct hs_thrown *out = arena_get(to, sizeof *out);
    uint64_t *suppressed = arena_array(to, row->suppressed.count + 1, sizeof *suppressed);
    struct hs_stack_frame *frames = arena_array(to, row->frames.count + 1, sizeof *frames);
    if (out == NULL || suppressed == NULL || frames == NULL)
        return NULL;
    for (size_t i = 0; i < row->suppressed.count; i++)
        suppressed[i] = row->suppressed.items[i];
    for (size_t i = 0; i < row->frames.count; i++) {
        const struct thrown_frame *f = &row->frames.items[i];
        frames[i] = (struct hs_stack_frame){ .class_name = text_of(t, to, f->class_name),
                                             .method = text_of(t, to, f->method),
                                             .file = text_of(t, to, f->file),
                                             .line = f->line < 0 ? -1 : f->line,
                                             .native = f->line == -2 };
        if (frames[i].class_name == NULL || frames[i].method == NULL || frames[i].file == NULL)
            return NULL;
        const struct source_line line = source_line_named(t, frames[i].class_name, frames[i].line);
        const char *slash = line.file != NULL ? strrchr(line.file, '/') : NULL;
        frames[i].line = line.line;
        if (line.file != NULL)
            frames[i].file = slash != NULL ? slash + 1 : line.file;
    }
    const struct hs_stack_frame *const *list = pointers_to(to, frames, sizeof *frames, row->frames.count);
    if (list == NULL)
        return NULL;
    *out = (struct hs_thrown){ .id = id,
                               .message = row->has_message ? text_of(t, to, row->message) : NULL,
                               .message_overridden = row->message_overridden,
                               .cause = row->cause,
                               .suppressed = suppressed,
                               .suppressed_count = row->suppressed.count,
                               .has_stack = row->has_stack,
                               .message_redacted = row->message_redacted,
                               .frames = list,
                               .frame_count = row->frames.count };
    out->detail = out->message;
    return out;
}

/* The rows that were asked for: they live until hs_close. */
struct thrown_known {
    uint64_t id;
    const struct hs_thrown *row;
};
struct thrown_rows {
    MAP(struct thrown_known) by_id;
    struct arena peeked; /* the last of hs_thrown_peek */
};

static void thrown_rows_free(void *what)
{
    struct thrown_rows *rows = what;
    map_free(&rows->by_id);
    arena_done(&rows->peeked);
    free(rows);
}

static struct thrown_rows *thrown_rows(hs_trace *t)
{
    struct thrown_rows *rows = trace_attached(t, ATTACHED_THROWN);
    if (rows == NULL && (rows = calloc(1, sizeof *rows)) != NULL)
        trace_attach(t, ATTACHED_THROWN, rows, thrown_rows_free);
    return rows;
}

const struct hs_thrown *thrown_read(hs_trace *t, uint32_t id, struct arena *to)
{
    struct thrown_row row = { 0 };
    struct error err = { 0 };
    const struct text data = objects_thrown(t, id);
    if (data.size == 0)
        return NULL;
    /* what completes it asks for other objects */
    struct writer copy = { 0 };
    write_bytes(&copy, data.data, data.size);
    enum status st = copy.bad ? state_memory(t, &err) : thrown_row_decode(copy.data, copy.size, &row, &err);
    const struct hs_thrown *out = NULL;
    if (st == OK) {
        struct hs_thrown *made = make_thrown(t, to, id, &row);
        st = made != NULL ? message_complete(t, to, &row, made, &err) : state_memory(t, &err);
        out = made;
        thrown_row_done(&row);
    }
    if (st == ERR_MEMORY)
        trace_no_memory(t);
    else if (st != OK)
        trace_damaged(t, &err);
    writer_free(&copy);
    return out;
}

const struct hs_thrown *hs_thrown_get(hs_trace *t, uint32_t id)
{
    struct thrown_rows *rows = thrown_rows(t);
    struct thrown_known *known = rows != NULL && id != 0 ? map_get(&rows->by_id, id) : NULL;
    if (known != NULL)
        return known->row;
    const struct hs_thrown *out = thrown_read(t, id, &t->arena);
    known = out != NULL && rows != NULL ? map_put(&rows->by_id, id) : NULL;
    if (known != NULL)
        known->row = out;
    return out;
}

const struct hs_thrown *hs_thrown_peek(hs_trace *t, uint32_t id)
{
    struct thrown_rows *rows = thrown_rows(t);
    if (rows == NULL) {
        trace_no_memory(t);
        return NULL;
    }
    arena_clear(&rows->peeked);
    return thrown_read(t, id, &rows->peeked);
}
