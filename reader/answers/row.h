/* row.h - the text and the JSON of an answer, from its table (answers.h):
 *
 *     #define ROWS "reader/answers/classes.def"
 *     #define ROW  const struct hs_class *c
 *     #include "reader/answers/row.h"
 *
 *     classes_heading(o);      the line above the text, if it has SHOWN and LAST
 *     classes_text(o, c);      a row of it
 *     classes_json(o, c);      the same row as JSON
 *
 * With `#define ROW_END`, nothing, the object of classes_json stays open. Statements may also name `o`. It is a part of
 * the file that includes it, without a guard. */
#include "reader/answers/write.h"

#ifndef ROW_END
#define ROW_END json_end_line(&o->json);
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* of an answer whose text the command writes by itself */
/* clang-format off */
#define ANSWER(name, question, traits, summary) static __attribute__((unused)) void name##_heading(struct out *o) {
#define SHOWN(name, heading, width, type, value) answers_heading(o, heading, width);
#define LAST(name, heading, statement) out_format(o, " %s\n", heading);
#define END(name) }
#include "reader/answers/rows.h"

#define ANSWER(name, question, traits, summary) static __attribute__((unused)) void name##_text(struct out *o, ROW) {
#define SHOWN(name, heading, width, type, value) SHOWN_##type(o, width, value);
#define LAST(name, heading, statement) out_char(o, ' '); statement; out_char(o, '\n');
#define END(name) }
#include "reader/answers/rows.h"

#define ANSWER(name, question, traits, summary) static void name##_json(struct out *o, ROW) { json_object(&o->json);
#define COLUMN(name, key, type, value, meaning) JSON_##type(#key, value);
#define MEMBER(name, key, type, statement, meaning) statement;
#define ALWAYS(name, key, type, statement, meaning) statement;
#define END(name) ROW_END }
#include "reader/answers/rows.h"
/* clang-format on */
#pragma GCC diagnostic pop
#undef ROWS
#undef ROW
#undef ROW_END
