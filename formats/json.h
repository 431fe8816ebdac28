/* json.h - writes JSON as a stream: no document in memory, commas and nesting kept by the writer.
 *
 *     json_object(j);                          {
 *     json_member_u64(j, "seq", 7);            {"seq":7
 *     json_name(j, "marks");                   {"seq":7,"marks":
 *     json_array(j);                           {"seq":7,"marks":[
 *     json_text(j, "a");                       {"seq":7,"marks":["a"
 *     json_end(j);                             {"seq":7,"marks":["a"]
 *     json_end_line(j);                        {"seq":7,"marks":["a"]} and a newline
 *
 * No whitespace is written. A call that would make invalid JSON (a value without a name in an object, a name in an
 * array) is a bug and fails an assert. Several values may follow each other at top level; the caller separates them.
 *
 * Texts are UTF-8. Characters that visible.h escapes are escaped here too, as are unpaired surrogates (WTF-8); C0 80 is
 * U+0000, as in the C strings of the reader; each byte that is not part of a character becomes \ufffd. */
#ifndef FORMATS_JSON_H
#define FORMATS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void json_write_fn(void *to, const void *bytes, size_t n);

enum { JSON_DEPTH_MAX = 64, JSON_NUMBER_MAX = 40 };

struct json {
    json_write_fn *write;
    void *to;
    uint64_t objects; /* one bit a level: an object, not an array */
    unsigned depth;   /* open objects and arrays */
    bool first;       /* nothing is written yet at this level */
    bool named;       /* a name is written, its value comes next */
    bool in_text;     /* between json_text_begin and json_text_end */
};

/* The writer calls write(to, ...) for each piece. Errors are kept in `to`, not in the writer. */
void json_init(struct json *j, json_write_fn *write, void *to);
/* A json_write_fn whose `to` is a struct writer. */
void json_to_writer(void *writer, const void *bytes, size_t n);

void json_object(struct json *j);
void json_array(struct json *j);
/* Closes the innermost object or array. */
void json_end(struct json *j);
/* Closes the outermost object and writes a newline. */
void json_end_line(struct json *j);

/* The name of the next member of the open object. */
void json_name(struct json *j, const char *name);
void json_name_n(struct json *j, const void *name, size_t n);
void json_name_u64(struct json *j, uint64_t name);

void json_null(struct json *j);
void json_bool(struct json *j, bool v);
void json_u64(struct json *j, uint64_t v);
void json_i64(struct json *j, int64_t v);
/* The shortest digits that read back to the same bits, with a decimal point or an exponent. NaN and infinities are
 * texts. */
void json_float(struct json *j, uint32_t bits);
void json_double(struct json *j, uint64_t bits);
/* At most `digits` significant digits, without a needless point. NaN and infinities are texts. */
void json_rounded(struct json *j, double v, int digits);
void json_text(struct json *j, const char *s);
void json_text_n(struct json *j, const void *s, size_t n);

/* A text in parts; json_text_code takes one code point, or one unpaired surrogate. */
void json_text_begin(struct json *j);
void json_text_part(struct json *j, const void *s, size_t n);
void json_text_code(struct json *j, uint32_t code);
void json_text_end(struct json *j);

/* The caller writes the next value itself, with `write`. */
void json_raw(struct json *j);
/* Members that a writer has made before: `"a":1,"b":2`. Nothing for n = 0. */
void json_members(struct json *j, const void *bytes, size_t n);

void json_member_u64(struct json *j, const char *name, uint64_t v);
/* An array of numbers. */
void json_member_u64s(struct json *j, const char *name, const uint64_t *values, size_t n);
void json_member_i64(struct json *j, const char *name, int64_t v);
void json_member_bool(struct json *j, const char *name, bool v);
void json_member_text(struct json *j, const char *name, const char *s);

/* ---- parts that text for people uses too ---- */

/* The inside of a JSON string. */
void json_escape(json_write_fn *write, void *to, const void *s, size_t n);
void json_escape_code(json_write_fn *write, void *to, uint32_t code);
/* Length of the prefix that needs no escaping in a JSON string. ASCII only. */
size_t json_plain_run(const void *s, size_t n);
/* Digits as json_float and json_double write them; NaN, Infinity, -Infinity without quotes. */
const char *json_float_digits(uint32_t bits, char digits[JSON_NUMBER_MAX]);
const char *json_double_digits(uint64_t bits, char digits[JSON_NUMBER_MAX]);

#endif
