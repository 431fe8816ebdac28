/* plain_row.h - the cells of a row of an answer (plain.h), from its table (answers.h): those of COLUMN and PLAIN.
 *
 *     #define ROWS "reader/answers/called.def"
 *     #define ROW  const struct called_row *x
 *     #include "reader/answers/plain_row.h"
 *
 *     called_plain_names(to);      the names of the cells alone
 *     called_plain(to, x);
 *
 * Statements may also name `to`. It is a part of the file that includes it, without a guard. */
#include "reader/answers/plain.h"

/* clang-format off */
#define ANSWER(name, question, traits, summary) static void name##_plain_names(struct plain_row *to) { plain_begin(to);
#define COLUMN(name, key, type, value, meaning) plain_null(to, #key);
#define PLAIN(name, column, statement) plain_null(to, #column);
#define END(name) }
#include "reader/answers/rows.h"

#define ANSWER(name, question, traits, summary) static void name##_plain(struct plain_row *to, ROW) { plain_begin(to);
#define COLUMN(name, key, type, value, meaning) PLAIN_##type(#key, value);
#define PLAIN(name, column, statement) statement;
#define END(name) }
#include "reader/answers/rows.h"
/* clang-format on */
#undef ROWS
#undef ROW
