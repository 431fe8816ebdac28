/* put_row.h - the cells of an answer, from its table (answers/answers.h):
 *
 *     #define ROWS "reader/answers/classes.def"
 *     #define ROW  const struct hs_class *c
 *     #include "reader/tables/put_row.h"        put_classes(r, c);
 *
 * Statements may also name `r`; those that write JSON `show`, whose output is that of `s`, the struct list_state of the
 * source. It is a part of table_things.c, without a guard. */

/* clang-format off */
#define ANSWER(name, question, traits, summary) static void put_##name(struct rows *r, ROW) {
#define COLUMN(name, key, type, value, meaning) PUT_##type(COLUMN_##name##_##key, #key, value);
#define CELL(name, column, type, statement, meaning) statement;
#define END(name) rows_end(r); }
#include "reader/answers/rows.h"
/* clang-format on */
#undef ROWS
#undef ROW
