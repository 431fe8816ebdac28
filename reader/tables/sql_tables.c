/* sql_tables.c - see sql_tables.h. */
#include "reader/tables/sql_tables.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reader/command/interrupt.h"

struct sql_table {
    sqlite3_vtab base; /* first */
    const struct table *table;
    struct sql_source *source;
};
struct sql_cursor {
    sqlite3_vtab_cursor base; /* first */
    struct rows rows;
    size_t at;
    uint64_t number; /* of the row */
    bool open, ended;
};

/* ---- columns ---- */

/* Doubles have no type, as a column REAL would store -0.0 as 0. */
static const char *sql_type(enum column_type type)
{
    switch (type) {
    case COLUMN_INT:
    case COLUMN_BOOL: return " INTEGER";
    case COLUMN_DOUBLE: return "";
    case COLUMN_NAME:
    case COLUMN_TEXT:
    case COLUMN_JSON: return " TEXT";
    }
    return "";
}

char *sql_columns(const struct table *t, bool key)
{
    sqlite3_str *s = sqlite3_str_new(NULL);
    for (size_t i = 0; i < t->column_count; i++)
        sqlite3_str_appendf(s, "%s\"%w\"%s%s", i > 0 ? ", " : "", t->columns[i].name, sql_type(t->columns[i].type),
                            i == 0 && key && (t->traits & UNIQUE) != 0 ? " PRIMARY KEY" : "");
    return sqlite3_str_finish(s);
}

/* ---- the module ---- */

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
    const struct table *table = argc > 3 ? table_find(argv[3]) : NULL;
    char *columns, *sql = NULL;
    struct sql_table *t;
    int code;
    if (table == NULL) {
        *error = sqlite3_mprintf("there is no such table of a trace");
        return SQLITE_ERROR;
    }
    columns = sql_columns(table, false);
    if (columns != NULL)
        sql = sqlite3_mprintf("CREATE TABLE x(%s)", columns);
    code = sql != NULL ? sqlite3_declare_vtab(db, sql) : SQLITE_NOMEM;
    sqlite3_free(columns);
    sqlite3_free(sql);
    t = code == SQLITE_OK ? sqlite3_malloc(sizeof *t) : NULL;
    if (t == NULL)
        return code != SQLITE_OK ? code : SQLITE_NOMEM;
    *t = (struct sql_table){ .table = table, .source = aux };
    *out = &t->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base)
{
    sqlite3_free(base);
    return SQLITE_OK;
}

/* The bits of idxNum: which bounds of the first column are among the arguments of filter_rows, in this order. */
enum { BY_EQUAL = 1, BY_FROM = 2, BY_TO = 4 };

static int plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct sql_table *t = (const struct sql_table *)base;
    static const double costs[] = { [0] = 1e9, [BY_FROM] = 5e8, [BY_TO] = 5e8, [BY_FROM | BY_TO] = 1e6 };
    int place[3] = { -1, -1, -1 }, argument = 0;
    for (int i = 0; i < info->nConstraint && (t->table->traits & KEYED) == KEYED; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (!c->usable || c->iColumn != 0)
            continue;
        if (c->op == SQLITE_INDEX_CONSTRAINT_EQ)
            place[0] = i;
        else if (c->op == SQLITE_INDEX_CONSTRAINT_GE || c->op == SQLITE_INDEX_CONSTRAINT_GT)
            place[1] = i;
        else if (c->op == SQLITE_INDEX_CONSTRAINT_LE || c->op == SQLITE_INDEX_CONSTRAINT_LT)
            place[2] = i;
    }
    if (place[0] >= 0)
        place[1] = place[2] = -1;
    info->idxNum = 0;
    for (int bound = 0; bound < 3; bound++)
        if (place[bound] >= 0) {
            info->aConstraintUsage[place[bound]].argvIndex = ++argument;
            info->idxNum |= 1 << bound;
        }
    info->estimatedCost = place[0] >= 0 ? 100 : costs[info->idxNum];
    info->estimatedRows = place[0] >= 0 ? 1 : (sqlite3_int64)costs[info->idxNum] / 10;
    info->idxFlags = place[0] >= 0 ? SQLITE_INDEX_SCAN_UNIQUE : 0;
    info->idxStr = sqlite3_mprintf("%u", (unsigned)(info->colUsed & UINT32_MAX));
    info->needToFreeIdxStr = 1;
    return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
    struct sql_cursor *c = calloc(1, sizeof *c);
    (void)base;
    if (c == NULL)
        return SQLITE_NOMEM;
    *out = &c->base;
    return SQLITE_OK;
}

static void end_rows(struct sql_cursor *c)
{
    if (c->open)
        (void)rows_close(&c->rows);
    c->open = false;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    end_rows((struct sql_cursor *)base);
    free(base);
    return SQLITE_OK;
}

static int fail_rows(struct sql_cursor *c)
{
    struct sql_table *t = (struct sql_table *)c->base.pVtab;
    t->source->usage |= c->rows.usage;
    sqlite3_free(t->base.zErrMsg);
    t->base.zErrMsg = sqlite3_mprintf("%s", c->rows.error.text);
    return c->rows.error.code == HS_CANCELLED ? SQLITE_INTERRUPT : SQLITE_ERROR;
}

static int next_batch(struct sql_cursor *c)
{
    c->at = 0;
    c->ended = !rows_next(&c->rows);
    return c->rows.failed ? fail_rows(c) : SQLITE_OK;
}

/* A bound narrows the rows that are read; SQLite checks each of them again, so that it may be too wide. */
static void take_bound(struct rows_from *from, int bound, sqlite3_value *value)
{
    sqlite3_int64 v = sqlite3_value_int64(value);
    if (sqlite3_value_type(value) != SQLITE_INTEGER)
        return;
    if (bound != BY_TO)
        from->from = v > 0 ? (uint64_t)v : 0;
    if (bound != BY_FROM)
        from->to = v > 0 ? (uint64_t)v : 0;
}

static int filter_rows(sqlite3_vtab_cursor *base, int bounds, const char *wanted, int argc, sqlite3_value **argv)
{
    struct sql_cursor *c = (struct sql_cursor *)base;
    const struct sql_table *t = (const struct sql_table *)base->pVtab;
    struct rows_from from = { .trace = t->source->trace, .table = t->table, .to = UINT64_MAX };
    end_rows(c);
    if (t->source->without != NULL && (t->table->traits & OF_EVENTS) != 0) {
        sqlite3_free(base->pVtab->zErrMsg);
        base->pVtab->zErrMsg = sqlite3_mprintf("%s: " NO_STREAM_TEXT, t->table->name, t->source->without);
        return SQLITE_ERROR;
    }
    from.wanted = (uint32_t)strtoul(wanted, NULL, 10);
    from.filter = (t->table->traits & OF_EVENTS) != 0 ? t->source->filter : NULL;
    for (int bound = BY_EQUAL, i = 0; bound <= BY_TO; bound <<= 1)
        if ((bounds & bound) != 0 && i < argc)
            take_bound(&from, bound, argv[i++]);
    c->number = 0;
    c->open = true;
    return rows_open(&c->rows, &from) ? next_batch(c) : fail_rows(c);
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct sql_cursor *c = (struct sql_cursor *)base;
    c->number++;
    return ++c->at < c->rows.count ? SQLITE_OK : next_batch(c);
}

static int at_end(sqlite3_vtab_cursor *base) { return ((struct sql_cursor *)base)->ended; }

static int row_number(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
    *out = (sqlite3_int64)((struct sql_cursor *)base)->number;
    return SQLITE_OK;
}

static void give_text(sqlite3_context *to, struct span s)
{
    sqlite3_result_text64(to, s.text, s.bytes, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void sql_give_double(sqlite3_context *to, double v)
{
    if (isnan(v))
        sqlite3_result_text(to, "NaN", -1, SQLITE_STATIC);
    else
        sqlite3_result_double(to, v);
}

static int give_cell(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
    const struct sql_cursor *c = (const struct sql_cursor *)base;
    const struct cells *cells = &c->rows.columns[column];
    if (!cells->present[c->at])
        return SQLITE_OK;
    switch (c->rows.from.table->columns[column].type) {
    case COLUMN_INT:
    case COLUMN_BOOL: sqlite3_result_int64(to, cells->ints[c->at]); break;
    case COLUMN_DOUBLE: sql_give_double(to, cells->doubles[c->at]); break;
    case COLUMN_NAME: give_text(to, rows_name(&c->rows, cells->names[c->at])); break;
    case COLUMN_TEXT:
    case COLUMN_JSON: give_text(to, cells->texts[c->at]); break;
    }
    return SQLITE_OK;
}

static const sqlite3_module module = { .iVersion = 1,
                                       .xCreate = connect_table,
                                       .xConnect = connect_table,
                                       .xBestIndex = plan,
                                       .xDisconnect = disconnect_table,
                                       .xDestroy = disconnect_table,
                                       .xOpen = open_cursor,
                                       .xClose = close_cursor,
                                       .xFilter = filter_rows,
                                       .xNext = next_row,
                                       .xEof = at_end,
                                       .xColumn = give_cell,
                                       .xRowid = row_number };

/* ---- for a connection ---- */

int sql_tables_create(sqlite3 *db, const char *schema, const char *prefix, struct sql_source *source)
{
    int code = sqlite3_create_module_v2(db, "hindsight", &module, source, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < TABLE_COUNT; i++) {
        const char *name = table_list[i].name;
        char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE %s.%s%s USING hindsight(%s)", schema, prefix, name, name);
        code = sql != NULL ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
    }
    return code;
}

int sql_views_create(sqlite3 *db, const char *schema)
{
    static const struct {
        const char *name, *query;
    } views[] = {
#define VIEW(name, query) { #name, query },
#include "reader/tables/sql_views.def"
#undef VIEW
    };
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < sizeof views / sizeof *views; i++) {
        sqlite3_str *s = sqlite3_str_new(db);
        sqlite3_str_appendf(s, "CREATE VIEW %s.%s AS ", schema, views[i].name);
        for (const char *p = views[i].query; *p != '\0'; p++) {
            if (*p == '$')
                sqlite3_str_appendall(s, schema);
            else
                sqlite3_str_appendchar(s, 1, *p);
        }
        char *sql = sqlite3_str_finish(s);
        code = sql != NULL ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
    }
    return code;
}

const char *sql_error(sqlite3 *db)
{
    int number = 0;
    if (sqlite3_errcode(db) == SQLITE_FULL)
        return strerror(ENOSPC);
    if ((sqlite3_errcode(db) & 0xff) == SQLITE_IOERR &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK && number != 0)
        return strerror(number);
    return sqlite3_errmsg(db);
}

static int stop_if_interrupted(void *unused)
{
    (void)unused;
    return interrupt_seen();
}

void sql_catch_interrupt(sqlite3 *db)
{
    enum { STEPS = 10000 };
    sqlite3_progress_handler(db, STEPS, stop_if_interrupted, NULL);
}
