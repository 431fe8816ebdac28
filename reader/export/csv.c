/* csv.c - the format csv (RFC 4180): a heading, then one line a row. Null is nothing, an empty text is "". Texts are
 * exact, but on a terminal visible. */
#include "reader/export/row_files.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "formats/visible.h"

static void write_run(void *out, const char *bytes, size_t n) { out_bytes(out, bytes, n); }

static void write_csv_text(struct out *o, struct span s, bool visible)
{
    out_char(o, '"');
    for (size_t at = 0; at < s.bytes;) {
        const char *quote = memchr(s.text + at, '"', s.bytes - at);
        size_t run = quote != NULL ? (size_t)(quote - s.text) + 1 - at : s.bytes - at;
        if (visible)
            visible_each(s.text + at, run, write_run, o);
        else
            write_run(o, s.text + at, run);
        if (quote != NULL)
            out_char(o, '"');
        at += run;
    }
    out_char(o, '"');
}

static void write_csv_cell(struct out *o, const struct rows *r, size_t column, size_t row, bool visible)
{
    const struct cells *c = &r->columns[column];
    uint64_t bits;
    switch (r->from.table->columns[column].type) {
    case COLUMN_INT: out_i64(o, c->ints[row]); break;
    case COLUMN_BOOL:
        if (c->ints[row] != 0)
            out_bytes(o, "true", 4);
        else
            out_bytes(o, "false", 5);
        break;
    case COLUMN_DOUBLE:
        memcpy(&bits, &c->doubles[row], sizeof bits);
        out_double(o, bits);
        break;
    case COLUMN_NAME: write_csv_text(o, rows_name(r, c->names[row]), visible); break;
    case COLUMN_TEXT:
    case COLUMN_JSON: write_csv_text(o, c->texts[row], visible); break;
    }
}

static bool write_csv(struct export_job *x, struct rows *r)
{
    const struct table *t = r->from.table;
    const bool visible = isatty(x->out->fd) != 0;
    for (size_t k = 0; k < t->column_count; k++) {
        if (k > 0)
            out_char(x->out, ',');
        out_text(x->out, t->columns[k].name);
    }
    out_char(x->out, '\n');
    while (export_rows_next(x, r))
        for (size_t i = 0; i < r->count; i++) {
            for (size_t k = 0; k < t->column_count; k++) {
                if (k > 0)
                    out_char(x->out, ',');
                if (r->columns[k].present[i])
                    write_csv_cell(x->out, r, k, i, visible);
            }
            out_char(x->out, '\n');
        }
    return export_ok(x);
}

bool export_csv(struct export_job *x) { return export_tables(x, "csv", write_csv); }
