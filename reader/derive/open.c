/* open.c - hs_open: opens a trace that can decode derived chunks. */
#include "reader/derive/deriving.h"

static const struct derived_reader derived_reader = { derived_decode, derived_shares, derived_write_state };

int hs_open(const char *dir, unsigned flags, const struct hs_open_options *options, hs_trace **out,
            struct hs_error *error)
{
    if (trace_open(dir, flags, options, out, error) != 0)
        return -1;
    (*out)->derived = &derived_reader;
    return 0;
}
