/* sql_count.c - SELECT count(*) FROM calls, or events: as many as the index counts, which is no walk over them. Other
 * queries are left to SQLite. */
#include <string.h>
#include <strings.h>

#include "formats/event.h"
#include "reader/tables/sql_tables.h"

/* A part of the query that is still to be read. */
static void skip_blanks(const char **at) { *at += strspn(*at, " \t\r\n"); }

static bool take(const char **at, const char *word)
{
    const size_t n = strlen(word);
    skip_blanks(at);
    if (strncasecmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

static struct span take_name(const char **at)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    skip_blanks(at);
    const struct span name = { *at, strspn(*at, letters) };
    *at += name.bytes;
    return name;
}

/* Is it that query? `column`: what the column is called; `events`: of the table events, not calls. */
static bool read_query(const char *sql, struct span *column, bool *events)
{
    const char *at = sql;
    if (!take(&at, "select") || strspn(at, " \t\r\n") == 0)
        return false;
    skip_blanks(&at);
    column->text = at;
    if (!take(&at, "count") || !take(&at, "(") || !take(&at, "*") || !take(&at, ")"))
        return false;
    column->bytes = (size_t)(at - column->text);
    if (strspn(at, " \t\r\n") == 0)
        return false;
    const char *const behind = at;
    if (take_name(&at).bytes == 2 && strncasecmp(at - 2, "as", 2) == 0)
        *column = take_name(&at);
    else
        at = behind;
    if (!take(&at, "from") || strspn(at, " \t\r\n") == 0 || column->bytes == 0)
        return false;
    const struct span table = take_name(&at);
    skip_blanks(&at);
    *events = table.bytes == 6 && strncasecmp(table.text, "events", 6) == 0;
    return at[strspn(at, "; \t\r\n")] == '\0' &&
           (*events || (table.bytes == 5 && strncasecmp(table.text, "calls", 5) == 0));
}

static uint64_t add_up(hs_trace *t, const uint64_t *counts, bool events)
{
    uint64_t sum = 0;
    for (uint32_t id = 0; id < hs_dataid_count(t); id++) {
        const struct hs_dataid *d = counts[id] > 0 ? hs_dataid_get(t, id) : NULL;
        if (counts[id] > 0 && (events || (d != NULL && d->event == EVENT_METHOD_ENTRY)))
            sum += counts[id];
    }
    return sum;
}

char *sql_count(const struct sql_source *source, const char *sql)
{
    hs_trace *t = source->trace;
    struct hs_error error = HS_ERROR_INIT;
    struct span column;
    bool events;
    if (source->without != NULL || source->filter != NULL || hs_event_count(t) == 0 ||
        !read_query(sql, &column, &events))
        return NULL;
    const struct hs_index_info *index = hs_index_info(t);
    if (index == NULL || index->indexed < index->chunks)
        return NULL;
    uint64_t *counts = calloc((size_t)hs_dataid_count(t) + 1, sizeof *counts);
    char *as = NULL;
    if (counts != NULL && hs_count_dataids(t, counts, NULL, &error) == 0)
        as = sqlite3_mprintf("SELECT %lld AS \"%.*w\"", (sqlite3_int64)add_up(t, counts, events), (int)column.bytes,
                             column.text);
    free(counts);
    return as;
}
