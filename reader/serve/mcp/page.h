/* page.h - a page of an answer: lines of the text that a command prints, as many as a budget has room for.
 *
 * A page begins behind `skip` lines and ends before the line that has no room any more. A line that alone is longer
 * than the page is cut. */
#ifndef READER_SERVE_MCP_PAGE_H
#define READER_SERVE_MCP_PAGE_H

#include "formats/bytes.h"

struct page {
    uint64_t skip;
    size_t room;       /* bytes of text */
    const char *words; /* not NULL: only lines that begin with one of these words, with blanks between */
    uint64_t most;     /* lines; 0: any number */
    uint64_t lines;    /* so many are on the page */
    bool more;         /* there are more */
    bool cut;          /* the line was longer than the page */
    struct writer text;
    struct writer line;   /* the one that is being written; not more of it than has room */
    uint64_t first, last; /* numbers at the begin of lines, which are seqs; UINT64_MAX: none */
};

void page_init(struct page *p, uint64_t skip, size_t room);
void page_done(struct page *p);
/* An out_sink_fn whose `to` is a struct page. ECANCELED: it is full. */
int page_sink(void *page, const void *bytes, size_t n);
/* The length of the longest begin of a text that has `n` bytes at most and ends with a whole character. */
size_t page_fit(const void *text, size_t size, size_t n);

#endif
