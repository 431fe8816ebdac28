/* row_files.c - see row_files.h. */
#include "reader/export/row_files.h"

#include <stdio.h>
#include <string.h>

#include "formats/nearest.h"

bool export_rows_next(struct export_job *x, struct rows *r)
{
    if (!export_ok(x) || x->left == 0 || !rows_next(r))
        return false;
    if (r->count > x->left)
        r->count = (size_t)x->left;
    x->left -= r->count;
    x->rows += r->count;
    return true;
}

static bool write_table(struct export_job *x, const struct table *table, table_writer *write)
{
    struct rows_from from = { .trace = x->trace, .table = table, .to = UINT64_MAX, .wanted = ROWS_ALL_COLUMNS };
    struct rows r;
    from.filter = (table->traits & OF_EVENTS) != 0 ? x->filter : NULL;
    x->left = x->limit;
    bool done = rows_open(&r, &from) && write(x, &r);
    if (!rows_close(&r))
        return r.usage ? export_wrong(x, "%s", r.error.text) : export_fail(x, "%s", r.error.text);
    return done && export_ok(x);
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

bool export_table_fits(struct export_job *x)
{
    const struct table *t = x->options.table != NULL ? table_find(x->options.table) : NULL;
    if (t == NULL)
        return no_table(x);
    if ((t->traits & OF_EVENTS) == 0 && !x->filter->all)
        return export_wrong(x, "--table %s: its rows are no events, so options that choose events do not fit", t->name);
    return (t->traits & OF_EVENTS) == 0 || export_has_stream(x);
}

bool export_tables(struct export_job *x, const char *suffix, table_writer *write)
{
    char name[64];
    if (x->shape != EXPORT_DIRECTORY) {
        if (x->options.table == NULL)
            return export_has_stream(x) && write_table(x, &table_list[TABLE_events], write);
        return export_table_fits(x) && write_table(x, table_find(x->options.table), write);
    }
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        (void)snprintf(name, sizeof name, "%s.%s", table_list[i].name, suffix);
        if (!export_file_open(x, name) || !write_table(x, &table_list[i], write))
            return false;
    }
    return true;
}
