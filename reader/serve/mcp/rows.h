/* rows.h - a page of rows: what a command prints with --json, a JSON object a line, as the elements of an array.
 *
 * A page has `limit` rows at most, and ends before PAGE_BYTES unless one row alone is longer. */
#ifndef READER_SERVE_MCP_ROWS_H
#define READER_SERVE_MCP_ROWS_H

#include "formats/bytes.h"

enum { PAGE_BYTES = 256 << 10, ROW_BYTES_MAX = 4 << 20 };

struct rows {
    uint64_t skip, limit;
    uint64_t count;     /* rows of the page */
    struct writer page; /* with commas between */
    struct writer line; /* the row that is being written */
    bool more;          /* there is a row behind the page */
    uint64_t next_seq;  /* its member "seq", if that comes first; else UINT64_MAX */
    bool too_long;      /* a row has more than ROW_BYTES_MAX */
};

void rows_init(struct rows *r, uint64_t skip, uint64_t limit);
void rows_done(struct rows *r);
/* An out_sink_fn whose `to` is a struct rows. */
int rows_sink(void *rows, const void *bytes, size_t n);

#endif
