/* show_contents.h - what a collection, text or single value of the JDK held (hs_contents_at), as text and JSON. */
#ifndef READER_CLI_SHOW_CONTENTS_H
#define READER_CLI_SHOW_CONTENTS_H

#include "reader/cli/show.h"

/* The entries that are shown: `limit` of them from `first` on. */
struct contents_page {
    const struct hs_contents *contents; /* NULL: the object is none */
    uint64_t first, limit;
};
/* Member "contents". */
void show_contents_json(struct show *s, const struct contents_page *page);
void show_contents_text(struct show *s, const struct contents_page *page);
/* "list", "map", ... */
const char *contents_shape_name(const struct hs_contents *c);
/* "not known since 17: given to a.b.C.m"; or that it was never known. */
void show_contents_unknown(struct show *s, const struct hs_contents *c);

#endif
