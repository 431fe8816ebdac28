/* nod4j.h - what the two files of the format nod4j have in common.
 *
 * They are those that NOD4J's viewer reads (github.com/k-shimari/nod4j). Its rules:
 * - a text has \" for each quotation mark, which the viewer takes back after it has parsed the JSON
 * - a variable belongs to a file by `className`: the folders below src, joined by slashes, a slash, and the name of the
 *   file. In the default package it begins with the slash
 * - `linenum` and `count` say which word of the file a variable is: the count-th of that name in the line. A count of
 *   -1 is no word: only the list of all values shows it */
#ifndef READER_EXPORT_NOD4J_H
#define READER_EXPORT_NOD4J_H

#include "formats/vec.h"
#include "reader/export/export.h"

struct source_line {
    const char *text;
    size_t size;
};
typedef VEC(struct source_line) source_lines; /* of a file, without their ends */

/* Fills `lines` with those of a source file (as in struct spot), borrowed until another one is looked at; none if there
 * is no source. False: out of memory. */
bool nod4j_lines(struct export_job *x, const struct hs_class *c, const char *file, source_lines *lines);
/* The line that declares a parameter of a method whose code begins in line `first`; `first` if it is not found. */
int32_t nod4j_parameter_line(const source_lines *lines, const struct hs_class *c, const struct hs_method *m,
                             const char *parameter, int32_t first);
/* How often a line has the word. */
size_t nod4j_count_word(const struct source_line *line, const char *word);

/* A JSON string. */
void nod4j_text(struct out *o, const char *text, size_t n);
/* varinfo.json. */
bool nod4j_variables(struct export_job *x);

#endif
