/* moment.c - see moment.h. */
#include "reader/command/moment.h"

#include <stdio.h>

#include "reader/command/cli.h"

static int fail(struct hs_error *error, enum hs_status code, const char *what, const char *text)
{
    (void)snprintf(error->text, sizeof error->text, what, text);
    error->code = code;
    return -1;
}

int moment_find(hs_trace *t, const char *text, struct moment *out, struct hs_error *error)
{
    const struct hs_moment *x;
    hs_cursor *rows;
    int more = 0;
    *out = (struct moment){ 0 };
    if (*text == '\0')
        return fail(error, HS_ERR_USAGE, "the moment is an empty text; it is %s", MOMENT_FORMS);
    if (cli_u64(text, &out->seq)) /* one that is not there is refused where it is used */
        return 0;
    if (hs_moments_open(t, text, &rows, error) != 0)
        return -1;
    while (out->count < MOMENTS_COUNTED && (more = hs_moment_next(rows, &x, error)) > 0) {
        if (out->count == 0)
            out->seq = x->seq;
        if (x->line == NULL)
            break;
        if (out->count < MOMENTS_LISTED)
            out->listed[out->count] = x->seq;
        out->count++;
    }
    hs_cursor_close(rows);
    if (more < 0)
        return -1;
    return more > 0 || out->count > 0 ? 0 : fail(error, HS_ERR_NOT_FOUND, MOMENT_NO_LINE, text);
}
