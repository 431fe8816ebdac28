/* record.h - one record of the hook (formats/journal.h), decoded: data IDs that follow each other, with one stamp. */
#ifndef LOGGING_RECORD_H
#define LOGGING_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/chunk.h"
#include "formats/journal.h"

/* How to read records of events. The owner of the drain keeps the tables up to date. */
struct record_format {
    struct kind_table kinds;
    const uint8_t *roles; /* enum role by data ID, as many as there are kinds */
    bool timed, numbered;
    uint64_t start_ns; /* clock value of time 0, subtracted from recorded times */
};

struct record {
    uint32_t id;                 /* of the first event */
    uint32_t count;              /* of events: data IDs from `id` on */
    bool mark;                   /* behind them is one of ROLE_SUPER_MARK, which is no event */
    uint64_t stamp;              /* of all */
    uint64_t time;               /* in nanoseconds, if there are times: set by the reader */
    uint64_t clock;              /* with times */
    uint64_t number;             /* of the first event among those of the thread, with numbers */
    const uint64_t *words, *end; /* the values as words; behind the record */
    uint64_t values[JOURNAL_RECORD_EVENTS];
};

/* Decodes the record at `p`, which has the data ID of an event. False: the data ID is not known, or the record reaches
 * beyond `end`. `before`: a stamp before its own. */
bool record_decode(const struct record_format *f, uint64_t before, const uint64_t *p, const uint64_t *end,
                   struct record *out);

/* What the hook needs to know of the record that begins with data ID `first` of `count` (letters with KIND_JOINED):
 * record_shape in counter_tables.h. */
uint8_t record_shape_of(const uint8_t *letters, const uint8_t *roles, uint32_t first, uint32_t count);

#endif
