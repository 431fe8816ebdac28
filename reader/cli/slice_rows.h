/* slice_rows.h - the rows of a slice, for `slice` and `why --control`. */
#ifndef READER_CLI_SLICE_ROWS_H
#define READER_CLI_SLICE_ROWS_H

#include "reader/command/show_decision.h"

/* What the line shows already, which is not shown again. */
enum { SHOWN_MOST = 32 };
struct shown {
    const char *name; /* NULL: the value has none */
    char kind;
    uint64_t value;
};
struct slice_line {
    bool open;
    uint32_t distance, thread, method_id;
    int32_t number;
    struct shown shown[SHOWN_MOST];
    size_t shown_count;
};

/* Where an event stands; of the decision before it the branch. */
const struct hs_place *decided_place(struct show *s, const struct hs_event *e, const struct hs_decision *d);
void slice_row_json(struct show *show, const struct hs_slice *c);
/* Moments of the same line that follow each other share it. */
void slice_row_text(struct show *s, struct slice_line *l, const struct hs_slice *c);
void slice_line_close(struct show *s, struct slice_line *l);

#endif
