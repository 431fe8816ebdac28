/* topics.h - what `hindsight help TOPIC` explains besides commands, from the tables of the project.
 *
 * A topic is written as headings, paragraphs and items; `hindsight help` gives them as text (help.c), the build as
 * parts of manual pages (reader/man/manual.c). */
#ifndef READER_COMMAND_TOPICS_H
#define READER_COMMAND_TOPICS_H

#include <stdbool.h>

/* Where a topic is written to. */
struct page {
    void *context;
    void (*paragraph)(void *context, const char *text);
    void (*item)(void *context, const char *term, const char *text); /* a row of a list */
    void (*example)(void *context, const char *command);
};
struct topic {
    const char *name, *summary;
    void (*write)(const struct page *page);
};
extern const struct topic topics[]; /* ends with a row without a name */
/* NULL: there is none of this name. */
const struct topic *topic_find(const char *name);

#endif
