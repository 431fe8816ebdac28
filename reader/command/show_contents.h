/* show_contents.h - what a collection, text or single value of the JDK held (hs_contents_at), as text and JSON. */
#ifndef READER_COMMAND_SHOW_CONTENTS_H
#define READER_COMMAND_SHOW_CONTENTS_H

#include "reader/command/show.h"

/* The entries that are shown: `limit` of them from `first` on. */
struct contents_page {
    const struct hs_contents *contents; /* NULL: the object is none */
    uint64_t first, limit;
};
/* Member "contents". */
void show_contents_json(struct show *s, const struct contents_page *page);
void show_contents_text(struct show *s, const struct contents_page *page);
/* In a few words: size = 3; the text; the value; since when it is not known. */
void show_contents_summary(struct show *s, const struct hs_contents *c);
/* A key or value as toString of the JDK has it: the content of a string, the number in a box, else Type#id. */
void show_contents_value(struct show *s, const struct hs_value *value, const struct hs_value *number);
/* As toString of the JDK has it, but for objects: [a, b], {k=v}; at most the first 100 entries. */
void show_contents_line(struct show *s, const struct hs_contents *c);

#endif
