/* target_evaluate.c - expressions at a moment of a trace of Asked.java: le2 moment, u1 frame, then lines: an
 * expression, or the place, text and condition of a watch, divided by tabs. An expression has the same answer a second
 * time: what was executed for it changed nothing. */
#include <string.h>

#include "reader/trace.h"
#include "test/fuzz/kept.h"

enum { ROWS_MAX = 20, LINES_MAX = 16 };

struct answer {
    int status;
    char kind;
    uint64_t bits;
    char *texts[3]; /* not_recorded, throws, text */
};

static char *copied(const char *text) { return text != NULL ? strdup(text) : NULL; }
static bool same(const char *a, const char *b) { return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0); }

static struct answer ask(hs_trace *t, uint64_t seq, size_t frame, const char *expression)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_evaluation *v = NULL;
    struct answer a = { .status = hs_evaluate(t, seq, frame, expression, &v, &error) };
    if (a.status == 0) {
        FUZZ_CHECK(v->not_recorded == NULL || v->throws == NULL);
        if (v->not_recorded == NULL && v->throws == NULL) {
            a.kind = v->kind;
            a.bits = v->text == NULL ? v->bits : 0;
        }
        a.texts[0] = copied(v->not_recorded);
        a.texts[1] = copied(v->throws);
        a.texts[2] = copied(v->text);
    } else {
        FUZZ_CHECK(error.text[0] != '\0');
        a.texts[0] = copied(error.text);
    }
    return a;
}

static void evaluate(hs_trace *t, uint64_t seq, size_t frame, const char *expression)
{
    struct answer a = ask(t, seq, frame, expression), b = ask(t, seq, frame, expression);
    FUZZ_CHECK(a.status == b.status && a.kind == b.kind && a.bits == b.bits);
    for (size_t i = 0; i < FUZZ_COUNT(a.texts); i++) {
        FUZZ_CHECK(same(a.texts[i], b.texts[i]));
        free(a.texts[i]);
        free(b.texts[i]);
    }
}

static void watch(hs_trace *t, char *line)
{
    char *text = strchr(line, '\t'), *where;
    struct hs_watch_options options = HS_WATCH_OPTIONS_INIT;
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_watched *row;
    hs_cursor *cursor;
    *text++ = '\0';
    where = strchr(text, '\t');
    if (where != NULL)
        *where++ = '\0';
    options.place = line;
    options.text = text;
    options.where = where;
    if (hs_watch_open(t, &options, &cursor, &error) != 0) {
        FUZZ_CHECK(error.text[0] != '\0');
        return;
    }
    for (unsigned i = 0; i < ROWS_MAX && hs_watched_next(cursor, &row, &error) > 0; i++)
        FUZZ_CHECK(row->text != NULL && row->event != NULL);
    hs_cursor_close(cursor);
}

void fuzz_evaluate(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    hs_trace *t;
    struct hs_error error = HS_ERROR_INIT;
    FUZZ_CHECK(hs_open(kept_whole(KEPT_ASKED), HS_OPEN_READONLY, NULL, &t, &error) == 0);
    const unsigned moment = read_u1(&in) | (unsigned)read_u1(&in) << 8;
    const uint64_t seq = moment % hs_event_count(t);
    const size_t frame = read_u1(&in) % 4;
    for (unsigned i = 0; i < LINES_MAX && in.at < in.size; i++) {
        struct reader part = fuzz_part(&in, '\n');
        char *line = fuzz_text(&part);
        if (strchr(line, '\t') != NULL)
            watch(t, line);
        else
            evaluate(t, seq, frame, line);
        free(line);
    }
    hs_close(t);
}
