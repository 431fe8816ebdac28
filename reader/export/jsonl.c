/* jsonl.c - the format jsonl: one JSON object per line. Events are written as `print --json` does, other tables with
 * the columns that a row has. */
#include <string.h>

#include "reader/command/show.h"
#include "reader/export/row_files.h"

static void write_member(struct json *j, const struct rows *r, size_t column, size_t row)
{
    const struct cells *c = &r->columns[column];
    struct span text;
    uint64_t bits;
    json_name(j, r->from.table->columns[column].name);
    switch (r->from.table->columns[column].type) {
    case COLUMN_INT: json_i64(j, c->ints[row]); break;
    case COLUMN_BOOL: json_bool(j, c->ints[row] != 0); break;
    case COLUMN_DOUBLE:
        memcpy(&bits, &c->doubles[row], sizeof bits);
        json_double(j, bits);
        break;
    case COLUMN_NAME:
        text = rows_name(r, c->names[row]);
        json_text_n(j, text.text, text.bytes);
        break;
    case COLUMN_TEXT: json_text_n(j, c->texts[row].text, c->texts[row].bytes); break;
    case COLUMN_JSON:
        json_raw(j);
        j->write(j->to, c->texts[row].text, c->texts[row].bytes);
        break;
    }
}

static bool write_rows(struct export_job *x, struct rows *r)
{
    struct json *j = &x->out->json;
    while (export_rows_next(x, r))
        for (size_t i = 0; i < r->count; i++) {
            json_object(j);
            for (size_t k = 0; k < r->from.table->column_count; k++)
                if (r->columns[k].present[i])
                    write_member(j, r, k, i);
            json_end_line(j);
        }
    return export_ok(x);
}

static bool write_events(struct export_job *x)
{
    struct show show;
    const struct hs_event *event;
    if (!export_events_open(x))
        return false;
    if (!show_init(&show, x->trace, x->out))
        return export_fail(x, "out of memory");
    while (export_event_next(x, &event)) {
        show_event_json(&show, event);
        out_char(x->out, '\n');
    }
    show_done(&show);
    return export_ok(x);
}

static bool write_jsonl(struct export_job *x, struct rows *r)
{
    return r->from.table == &table_list[TABLE_events] ? write_events(x) : write_rows(x, r);
}

bool export_jsonl(struct export_job *x) { return export_tables(x, "jsonl", write_jsonl); }
