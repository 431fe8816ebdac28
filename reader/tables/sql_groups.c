/* sql_groups.c - counts of exceptions, calls and events, as SELECT type, count(*) FROM exceptions GROUP BY type: of
 * exceptions from groups of those that are alike (hs_exception_groups_open), of calls and events from how often each
 * data ID occurs, in a table of these. Other queries are left to SQLite. */
#include <string.h>
#include <strings.h>

#include "formats/vec.h"
#include "reader/command/thrown.h"
#include "reader/tables/sql_tables.h"

enum { TYPE, CLASS, METHOD, SWALLOWED, DESC, FILE_NAME, LINE, PC, EVENT, DATAID, COLUMNS };
static const char *const columns[COLUMNS] = { "type", "class", "method", "swallowed", "desc",
                                              "file", "line",  "pc",     "event",     "dataid" };
enum {
    OF_EXCEPTION = 1 << TYPE | 1 << CLASS | 1 << METHOD | 1 << SWALLOWED,
    OF_CALL = 1 << CLASS | 1 << METHOD | 1 << DESC | 1 << FILE_NAME | 1 << LINE,
    OF_EVENT = OF_CALL | 1 << PC | 1 << EVENT | 1 << DATAID
};

typedef bool fill_fn(hs_trace *t, sqlite3_stmt *insert);
static fill_fn fill_exceptions, fill_dataids;
/* What is asked of a table is asked of groups of its rows. */
static const struct grouped {
    const char *table;
    unsigned has;       /* columns of a group */
    const char *groups; /* these, and times */
    const char *create, *insert;
    fill_fn *fill;
} tables[] = {
#define PLACES(where)                                                                                                  \
    "(SELECT d.*, c.times FROM dataids d CROSS JOIN temp.counts c ON c.id = d.dataid" where ")",                       \
        "CREATE TEMP TABLE counts(id INTEGER PRIMARY KEY, times INTEGER)", "INSERT INTO temp.counts VALUES (?, ?)",    \
        fill_dataids
    { "exceptions", OF_EXCEPTION, "temp.thrown",
      "CREATE TEMP TABLE thrown(type TEXT, class TEXT, method TEXT, swallowed INTEGER, times INTEGER)",
      "INSERT INTO temp.thrown VALUES (?, ?, ?, ?, ?)", fill_exceptions },
    { "calls", OF_CALL, PLACES(" WHERE d.event = 'METHOD_ENTRY'") },
    { "events", OF_EVENT, PLACES("") },
};

/* The query, a word at a time, and what is asked in its place. */
struct query {
    const char *at;
    struct span word;  /* a name, a number or one other character; 0 bytes: the end */
    struct span count; /* what the last count(*) is called; NULL: nothing */
    const struct grouped *of;
    sqlite3_str *out;
};

static void step(struct query *q)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    q->at += strspn(q->at, " \t\r\n");
    const size_t n = strspn(q->at, letters);
    q->word = (struct span){ q->at, n > 0 ? n : *q->at != '\0' };
    q->at += q->word.bytes;
}

static bool is(const struct query *q, const char *word)
{
    return q->word.bytes == strlen(word) && strncasecmp(q->word.text, word, q->word.bytes) == 0;
}

/* Is it the word? Then it is copied, or left out, and passed. */
static bool take(struct query *q, const char *word, bool copy)
{
    if (!is(q, word))
        return false;
    if (copy)
        sqlite3_str_appendf(q->out, " %s", word);
    step(q);
    return true;
}

/* A column: its bit; 0: it is none. */
static unsigned take_column(struct query *q)
{
    for (unsigned i = 0; i < COLUMNS; i++)
        if (take(q, columns[i], true))
            return 1u << i;
    return 0;
}

/* count(*), and with `named` what it is called. */
static bool take_count(struct query *q, bool named)
{
    const char *const begin = q->word.text;
    if (!take(q, "count", false) || !take(q, "(", false) || !take(q, "*", false) || !is(q, ")"))
        return false;
    struct span name = { begin, (size_t)(q->word.text + 1 - begin) };
    step(q);
    sqlite3_str_appendall(q->out, " coalesce(sum(times), 0)");
    if (!named)
        return true;
    if (take(q, "as", false)) {
        name = q->count = q->word;
        step(q);
    }
    sqlite3_str_appendf(q->out, " AS \"%.*w\"", (int)name.bytes, name.text);
    return name.bytes > 0;
}

/* A number of what was selected, or the name of the count. */
static bool take_selected(struct query *q)
{
    const bool number = q->word.bytes > 0 && strspn(q->word.text, "0123456789") >= q->word.bytes;
    if (!number && (q->count.text == NULL || q->word.bytes != q->count.bytes ||
                    strncasecmp(q->word.text, q->count.text, q->word.bytes) != 0))
        return false;
    sqlite3_str_appendf(q->out, " %.*s", (int)q->word.bytes, q->word.text);
    step(q);
    return true;
}

/* Behind ORDER BY: columns, which are added to `selected`, counts, and take_selected. */
static bool take_order(struct query *q, unsigned *selected)
{
    unsigned column;
    do {
        if (is(q, "count")) {
            if (!take_count(q, false))
                return false;
        } else if ((column = take_column(q)) != 0) {
            *selected |= column;
        } else if (!take_selected(q)) {
            return false;
        }
        if (!take(q, "desc", true))
            (void)take(q, "asc", true);
    } while (take(q, ",", true));
    return true;
}

static bool take_table(struct query *q)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (take(q, tables[i].table, false)) {
            q->of = &tables[i];
            sqlite3_str_appendf(q->out, " %s", q->of->groups);
            return true;
        }
    return false;
}

static bool take_query(struct query *q)
{
    unsigned selected = 0, grouped = 0, column;
    bool counts = false;
    step(q);
    if (!take(q, "select", true))
        return false;
    do {
        if ((column = take_column(q)) == 0 && !take_count(q, true))
            return false;
        counts |= column == 0;
        selected |= column;
    } while (take(q, ",", true));
    if (!counts || !take(q, "from", true) || !take_table(q))
        return false;
    if (take(q, "group", true)) {
        if (!take(q, "by", true))
            return false;
        do {
            if ((column = take_column(q)) == 0)
                return false;
            grouped |= column;
        } while (take(q, ",", true));
    }
    if (take(q, "order", true) && (grouped == 0 || !take(q, "by", true) || !take_order(q, &selected)))
        return false;
    if ((selected & ~grouped) != 0 || (grouped & ~q->of->has) != 0) /* SQLite would give it of any row */
        return false;
    if (take(q, "limit", true)) {
        if (q->word.bytes == 0 || strspn(q->word.text, "0123456789") < q->word.bytes)
            return false;
        sqlite3_str_appendf(q->out, " %.*s", (int)q->word.bytes, q->word.text);
        step(q);
    }
    (void)take(q, ";", false);
    return q->word.bytes == 0;
}

static void bind_text(sqlite3_stmt *s, int at, const char *text)
{
    (void)(text != NULL ? sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT) : sqlite3_bind_null(s, at));
}

static bool put(sqlite3_stmt *insert)
{
    return sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
}

static bool fill_exceptions(hs_trace *t, sqlite3_stmt *insert)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_exception_group *g;
    hs_cursor *groups;
    int more;
    if (hs_exception_groups_open(t, &groups, &error) != 0)
        return false;
    while ((more = hs_exception_group_next(groups, &g, &error)) > 0) {
        const struct thrown_row row = thrown_row(t, groups, g->first, 0);
        bind_text(insert, 1, row.type);
        bind_text(insert, 2, row.class_name);
        bind_text(insert, 3, row.method);
        (void)sqlite3_bind_int(insert, 4, g->first->swallowed);
        (void)sqlite3_bind_int64(insert, 5, (sqlite3_int64)g->times);
        if (!put(insert))
            break;
    }
    hs_cursor_close(groups);
    return more == 0;
}

/* False also if there are events of a data ID that the trace does not explain. */
static bool fill_dataids(hs_trace *t, sqlite3_stmt *insert)
{
    struct hs_error error = HS_ERROR_INIT;
    const uint32_t count = hs_dataid_count(t);
    uint64_t *counts = calloc((size_t)count + 1, sizeof *counts);
    bool ok = counts != NULL && hs_count_dataids(t, counts, NULL, &error) == 0;
    for (uint32_t id = 0; ok && id < count; id++) {
        if (counts[id] == 0)
            continue;
        (void)sqlite3_bind_int64(insert, 1, id);
        (void)sqlite3_bind_int64(insert, 2, (sqlite3_int64)counts[id]);
        ok = hs_dataid_get(t, id) != NULL && put(insert);
    }
    free(counts);
    return ok;
}

char *sql_groups(const struct sql_source *source, sqlite3 *db, const char *sql)
{
    struct query q = { .at = sql, .out = sqlite3_str_new(db) };
    sqlite3_stmt *insert = NULL;
    const bool ours = source->without == NULL && source->filter == NULL && take_query(&q);
    char *as = sqlite3_str_finish(q.out);
    const struct hs_index_info *index = ours && as != NULL ? hs_index_info(source->trace) : NULL;
    const bool filled = index != NULL && index->indexed == index->chunks &&
                        sqlite3_exec(db, q.of->create, NULL, NULL, NULL) == SQLITE_OK &&
                        sqlite3_prepare_v2(db, q.of->insert, -1, &insert, NULL) == SQLITE_OK &&
                        q.of->fill(source->trace, insert);
    (void)sqlite3_finalize(insert);
    if (filled)
        return as;
    sqlite3_free(as);
    return NULL;
}
