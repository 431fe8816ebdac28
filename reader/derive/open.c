/* open.c - hs_open: opens a trace that can decode derived chunks. */
#include "reader/derive/derive.h"

int hs_open(const char *dir, unsigned flags, const struct hs_open_options *options, hs_trace **out,
            struct hs_error *error)
{
    if (trace_open(dir, flags, options, out, error) != 0)
        return -1;
    derive_attach(*out);
    return 0;
}
