/* put_row.h - the cells of an answer, from its table (answers/answers.h):
 *
 *     #define ROWS "reader/answers/classes.def"
 *     #define ROW  const struct hs_class *c
 *     #include "reader/tables/put_row.h"        put_classes(r, c);
 *
 * Statements may also name `r`. It is a part of the file that includes it. */
#ifndef PUT_INT
#define PUT_INT(column, key, v)      put_int(r, column, (int64_t)(v))
#define PUT_SEQ(column, key, v)      put_seq(r, column, v)
#define PUT_COUNT(column, key, v)    put_id(r, column, v)
#define PUT_LINE(column, key, v)     put_seq(r, column, (v) >= 0 ? (uint64_t)(v) : HS_NO_SEQ)
#define PUT_BOOL(column, key, v)     put_bool(r, column, v)
#define PUT_MAYBE(column, key, v)    put_seq(r, column, (v) >= 0 ? (uint64_t)(v) : HS_NO_SEQ)
#define PUT_IF_TRUE(column, key, v)  put_bool(r, column, v)
#define PUT_NAME(column, key, v)     put_name(r, column, v)
#define PUT_TEXT(column, key, v)     put_any(r, column, v)
#define PUT_ROW_NAME(column, key, v) put_any(r, column, v)
#define PUT_HASH(column, key, v)     put_hash(r, column, v)
#define PUT_GROUPS(column, key, v)   put_groups(r, column, v)
#define PUT_MESSAGE(column, key, v)  put_any(r, column, (v) != NULL ? (v)->message : NULL)
#define PUT_REDACTED(column, key, v) put_bool(r, column, (v) != NULL && (v)->message_redacted)
#define PUT_KIND(column, key, v)     put_kind(r, column, v)
#define PUT_EVENT(column, key, v)
#define PUT_OF_NAME(column, key, v)
#define PUT_OF_INT(column, key, v)
/* PUT_STRING, PUT_ARRAY, PUT_OBJECT and PUT_PLACE need more: table_things.c has them for its sources. */
#endif

/* clang-format off */
#define ANSWER(name, question, traits, summary) static void put_##name(struct rows *r, ROW) {
#define COLUMN(name, key, type, value, meaning) \
    if (rows_want(r, COLUMN_##name##_##key)) { PUT_##type(COLUMN_##name##_##key, #key, value); }
#define CELL(name, column, type, statement, meaning) statement;
#define END(name) rows_end(r); }
#include "reader/answers/rows.h"
/* clang-format on */
#undef ROWS
#undef ROW
