/* roff.h - text as roff of manual pages, on standard output. */
#ifndef READER_MAN_ROFF_H
#define READER_MAN_ROFF_H

#include <stddef.h>

/* Text in which a hyphen is a minus sign and quotes are those of a program; newlines are kept. */
void roff_text(const char *text);
void roff_text_n(const char *text, size_t n);
void roff_head(const char *name, const char *section, const char *manual, const char *summary);
void roff_section(const char *title);
void roff_fresh(void); /* a section was begun by other means */
void roff_paragraph(const char *text);
void roff_item(const char *term, const char *text);
void roff_example(const char *line);

/* The lines of a Markdown document as roff: headings, paragraphs, tables, lists and indented blocks. */
struct roff_markdown {
    int block; /* which kind of block the last line belongs to */
};
void roff_markdown_line(struct roff_markdown *m, char *line);
void roff_markdown_end(struct roff_markdown *m);

#endif
