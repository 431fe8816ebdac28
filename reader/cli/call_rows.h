/* call_rows.h - one call of a method, for `hindsight calls`: what it was given, what it gave, who called it. */
#ifndef READER_CLI_CALL_ROWS_H
#define READER_CLI_CALL_ROWS_H

#include "reader/answers/plain.h"
#include "reader/command/show.h"

struct called_row {
    uint64_t begin, end; /* seq; HS_NO_SEQ: not recorded, still running */
    uint32_t thread;
    const struct hs_class *c;
    const struct hs_method *m;
    bool has_this, threw, has_result;
    uint64_t self;
    struct hs_value result; /* or exception */
    const struct hs_value *arguments;
    size_t argument_count;
    bool known_ns;
    uint64_t ns, events;
    const char *caller;
    int32_t caller_line;
};
/* The call that this event, its exit, ends. What it points to lives in the arena. 1, 0: there is none, -1. */
int called_row_at(hs_trace *t, const struct hs_event *end, struct arena *arena, struct called_row *out,
                  struct hs_error *error);
/* A call that was not left. `caller` NULL: it is not known. False: out of memory. */
bool called_row_of(hs_trace *t, const struct hs_frame *frame, const struct hs_frame *caller, struct arena *arena,
                   struct called_row *out);

/* Copies what it points to into another arena; false: out of memory. */
bool called_row_keep(struct called_row *x, struct arena *arena);

void called_arguments_json(struct show *show, const struct called_row *x);
void called_result_json(struct show *show, const struct called_row *x);
void called_this_plain(struct plain_row *to, const struct called_row *x);
const char *called_ms(const struct called_row *x); /* until the next time; "-": not known */
/* Stock#5.find("ink") = Item#14  by Stock.deliver:29 */
void called_text_of(struct show *show, const struct called_row *x);

/* call_open.c: --open: the call that begins with this event, line by line, at most `limit`. 0, or -1. */
int call_open(struct show *show, uint64_t begin, uint64_t limit, bool json, struct hs_error *error);

#endif
