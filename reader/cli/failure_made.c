/* failure_made.c - what a library of assertions was given before the call that failed: of assertThat(x).as("...")
 * .isEqualTo(6) the x, of the matcher is(6) the 6. Both are arguments of the call that made an object, which is found
 * by the events of the test's own frame: the library need not be woven. */
#include <fnmatch.h>
#include <string.h>

#include "reader/cli/failure_parts.h"
#include "reader/command/show.h"

enum { BACK_MAX = 100000 };

/* The calls that take the value; others return the object that they are called on, or one that has it as its own. */
static bool takes(const char *name, const char *makers)
{
    for (const char *at = makers; *at != '\0'; at += strspn(at, "|")) {
        char glob[48] = "";
        const size_t n = strcspn(at, "|");
        memcpy(glob, at, n < sizeof glob ? n : sizeof glob - 1);
        if (fnmatch(glob, name, 0) == 0)
            return true;
        at += n;
    }
    return false;
}

int failure_made_of(hs_trace *t, const struct hs_frame *frame, uint64_t object, uint64_t before, const char *makers,
                    struct hs_event *out, struct hs_error *error)
{
    struct hs_filter filter = HS_FILTER_ALL;
    const struct hs_event *e;
    struct hs_event argument = { .seq = HS_NO_SEQ };
    uint32_t pc = 0;
    bool inside = false; /* between the return of a call that gave the object and its begin */
    hs_cursor *events;
    int more, found = 0;
    filter.threads = &frame->thread;
    filter.thread_count = 1;
    filter.from = frame->entered != HS_NO_SEQ ? frame->entered : 0;
    filter.to = before;
    if (object == 0 || hs_events_open(t, &filter, &events, error) != 0)
        return object == 0 ? 0 : -1;
    more = hs_cursor_seek(events, HS_NO_SEQ, error);
    for (size_t i = 0; more >= 0 && i < BACK_MAX && (more = hs_event_previous(events, &e, error)) > 0; i++) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        if (d == NULL || d->method_id != frame->method_id)
            continue;
        if (!inside && d->event == HS_EVENT_CALL_RETURN && e->kind == HS_KIND_REF && e->value == object) {
            inside = true;
            pc = d->pc;
            argument.seq = HS_NO_SEQ;
        } else if (inside && d->pc == pc && d->event == HS_EVENT_CALL_PARAM) {
            argument = *e; /* the first one comes last */
        } else if (inside && d->pc == pc && d->event == HS_EVENT_CALL) {
            const char *name = show_text_attr(d, "name");
            if (name != NULL && takes(name, makers)) {
                found = argument.seq != HS_NO_SEQ;
                break;
            }
            if (e->kind != HS_KIND_REF || e->value == 0)
                break;
            object = e->value;
            inside = false;
        }
    }
    hs_cursor_close(events);
    if (found > 0)
        *out = argument;
    return more < 0 ? -1 : found;
}
