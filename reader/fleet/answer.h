/* answer.h - the rows that another engine has answered, as the table temp.answer of SQLite, from where they are shown
 * like those of any other query. Integers of 64 bits stay exact, NaN is a text, and longer numbers are texts. */
#ifndef READER_FLEET_ANSWER_H
#define READER_FLEET_ANSWER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "formats/status.h"

struct answer {
    const char *engine; /* for messages */
    sqlite3 *db;
    sqlite3_stmt *row;
    char *select; /* the rows, with the names of the columns; the caller frees it with sqlite3_free */
};
/* Makes the table; several columns may have one name. answer_end in any case. */
typedef const char *answer_name_fn(void *context, size_t column);
enum status answer_begin(struct answer *a, const char *engine, sqlite3 *db, size_t columns, answer_name_fn *name,
                         void *context, struct error *err);
/* The value of a column of the next row; a column without one is null. */
void answer_double(struct answer *a, size_t column, double v);
void answer_text(struct answer *a, size_t column, const char *text, size_t n, bool number);
void answer_bool(struct answer *a, size_t column, bool v);
enum status answer_row(struct answer *a, struct error *err); /* it is complete */
void answer_end(struct answer *a);

/* The whole answer from the format TabSeparatedWithNamesAndTypes of ClickHouse, which `text` is changed by. */
enum status answer_from_tsv(struct answer *a, const char *engine, sqlite3 *db, char *text, size_t n, struct error *err);

#endif
