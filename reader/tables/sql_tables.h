/* sql_tables.h - the tables of a trace (tables.h) as virtual tables of SQLite: what `export --to sqlite` copies from
 * and `sql` asks. https://www.sqlite.org/vtab.html */
#ifndef READER_TABLES_SQL_TABLES_H
#define READER_TABLES_SQL_TABLES_H

#include <sqlite3.h>

#include "reader/tables/tables.h"

struct sql_source {
    hs_trace *trace;
    const struct chosen_events *filter; /* NULL: all */
    struct context *reader; /* the command of a shell, whose query may name other traces; NULL: it may not */
    bool usage;             /* a table could not be read as an option is wrong */
    const char *without; /* a format of recording without a stream: its tables of events cannot be asked. NULL: they are
                          * empty */
};
/* Registers the module `hindsight` and makes the table SCHEMA.PREFIXname for each table; `source` lives as long as the
 * connection. SQLITE_OK, or a code with sqlite3_errmsg. */
int sql_tables_create(sqlite3 *db, const char *schema, const char *prefix, struct sql_source *source);
/* The table functions (sql_functions.c): alloc, diff(other), heap(at), output, overflows, watch(place, text). */
int sql_functions_create(sqlite3 *db, struct sql_source *source);
/* sql_count.c: the query with the number in place of a count of all calls or events, if the index has all of them; to
 * be freed with sqlite3_free. NULL: it is another query, or is left to SQLite. */
char *sql_count(const struct sql_source *source, const char *sql);
/* sql_groups.c: the same of counts of exceptions, calls and events by what groups of them have, which are put into a
 * table of the connection. */
char *sql_groups(const struct sql_source *source, sqlite3 *db, const char *sql);
/* Makes the views, in the schema of the tables `events` and so on. */
int sql_views_create(sqlite3 *db, const char *schema);
/* The definition of the columns of a table, to be freed with sqlite3_free; `key`: with the primary key. NULL: out of
 * memory. */
char *sql_columns(const struct table *t, bool key);
/* The result of a cell: a NaN, which is no number of SQLite, is a text, as in JSON. */
void sql_give_double(sqlite3_context *to, double v);
/* What failed in the connection, with the words of the system where SQLite has none of its own. */
const char *sql_error(sqlite3 *db);
/* From now on Ctrl-C ends what the connection does. */
void sql_catch_interrupt(sqlite3 *db);

#endif
