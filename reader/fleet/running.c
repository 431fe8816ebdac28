/* running.c - see running.h. */
#include "reader/fleet/running.h"

#include <string.h>
#include <unistd.h>

#include "logging/control/control.h"

enum { ANSWER_S = 120 };

/* Without a control socket (control=off) what was stored until now is taken. */
enum status running_store(const char *trace, struct error *err)
{
    static const char request[] = "snapshot\n";
    static char line[CONTROL_LINE_MAX];
    struct error none;
    int fd = control_connect(trace, &none);
    if (fd < 0)
        return OK;
    const bool answered =
        control_write(fd, request, sizeof request - 1, ANSWER_S) && control_read_line(fd, line, ANSWER_S);
    (void)close(fd);
    return answered ? OK : error_set(err, ERR_IO, "%s: its recorder does not answer", trace);
}

enum status running_stage(struct push *stage, const struct fleet *f, const char *trace, hs_trace **out,
                          struct error *err)
{
    struct hs_error error = HS_ERROR_INIT;
    *out = NULL;
    enum status st = push_begin(stage, f, err);
    if (st == OK)
        st = push_running(stage, trace, err);
    if (st == OK && hs_open(stage->path, 0, NULL, out, &error) != 0)
        st = error_set(err, ERR_FORMAT, "%s: the copy of the running recording: %s", trace, error.text);
    return st;
}
