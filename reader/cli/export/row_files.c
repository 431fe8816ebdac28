/* row_files.c - see row_files.h. */
#include "reader/cli/export/row_files.h"

#include <stdio.h>
#include <string.h>

#include "formats/nearest.h"

bool export_rows_open(struct export_job *x, const struct table *table, struct rows *r)
{
    struct rows_from from = { .trace = x->trace, .table = table, .wanted = ROWS_ALL_COLUMNS };
    from.filter = table->of_events ? x->filter : NULL;
    x->left = x->limit;
    return rows_open(r, &from);
}

bool export_rows_next(struct export_job *x, struct rows *r)
{
    if (!export_ok(x) || x->left == 0 || !rows_next(r))
        return false;
    if (r->count > x->left)
        r->count = (size_t)x->left;
    x->left -= r->count;
    return true;
}

bool export_rows_close(struct export_job *x, struct rows *r)
{
    bool done = rows_close(r);
    if (!done && r->usage)
        return export_wrong(x, "%s", r->error.text);
    return done ? export_ok(x) : export_fail(x, "%s", r->error.text);
}

static bool write_table(struct export_job *x, const struct table *table, table_writer *write)
{
    struct rows r;
    bool done = export_rows_open(x, table, &r) && write(x, &r);
    return export_rows_close(x, &r) && done;
}

static bool no_table(struct export_job *x)
{
    char names[256], text[NEAREST_TEXT_MAX];
    size_t used = 0;
    struct nearest n;
    nearest_init(&n, x->options.table);
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        nearest_offer(&n, table_list[i].name);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s ", table_list[i].name);
    }
    return export_wrong(x, "--table %s: there is no such table%s; there are %sand all", x->options.table,
                        nearest_text(&n, text), names);
}

bool export_tables(struct export_job *x, const char *suffix, table_writer *write)
{
    char name[64];
    if (x->shape != EXPORT_DIRECTORY) {
        const struct table *t = table_find(x->options.table != NULL ? x->options.table : "events");
        if (t == NULL)
            return no_table(x);
        if (!t->of_events && !x->filter->all)
            return export_wrong(x, "--table %s: its rows are no events, so options that choose events do not fit",
                                t->name);
        return write_table(x, t, write);
    }
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        (void)snprintf(name, sizeof name, "%s.%s", table_list[i].name, suffix);
        if (!export_file_open(x, name) || !write_table(x, &table_list[i], write))
            return false;
    }
    return true;
}
