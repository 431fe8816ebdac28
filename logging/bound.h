/* bound.h - options maxbytes and onfull: how great a trace may become, and what happens then.
 *
 * stop ends the recording. drop-oldest removes whole chunks, the oldest first; types and strings stay, since later events may
 * show them. If those alone pass the bound the recording ends as well. */
#ifndef LOGGING_BOUND_H
#define LOGGING_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"
#include "logging/store.h"

struct bound {
    uint64_t bytes;   /* of the whole directory; 0: none */
    bool drop_oldest;
    uint64_t dropped; /* events that are gone */
};

/* Before each commit, inside its transaction: makes room for the next one. ERR_FULL: the recording is to end. Info key `dropped`
 * says how many events are gone. */
enum status bound_keep(struct bound *b, struct store *store, struct error *err);

#endif
