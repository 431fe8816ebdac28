/* output_line.c - see output_line.h. */
#include "reader/command/output_line.h"

#include <string.h>

const char *output_stream_name(enum hs_stream stream) { return stream == HS_STDERR ? "stderr" : "stdout"; }

void output_place_members(struct show *s, const struct hs_output_part *p, bool source)
{
    const struct hs_dataid *d = p->by_program ? hs_dataid_get(s->trace, p->dataid) : NULL;
    if (d != NULL)
        show_spot_members(s, d, SPOT_OF(d), source);
}

void output_place_text(struct show *s, const struct hs_output_part *p)
{
    const struct hs_dataid *d = p->by_program ? hs_dataid_get(s->trace, p->dataid) : NULL;
    if (d != NULL)
        show_spot_text(s, d, SPOT_OF(d));
    else
        out_char(s->out, '-');
}

bool output_has(const struct hs_output_line *x, const char *text)
{
    return text == NULL || strstr(x->text, text) != NULL;
}
