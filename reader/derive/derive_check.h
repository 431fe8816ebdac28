/* derive_check.h - proves on a stored trace that derived chunks give back every event. */
#ifndef READER_DERIVE_CHECK_H
#define READER_DERIVE_CHECK_H

#include "reader/trace/open_trace.h"

struct derive_figures {
    uint64_t events, held, listed, chunks, wrong;
    uint64_t methods, recorded;   /* methods of woven classes; of those, not followed */
    uint64_t plain_bytes, bytes;
    double encode_s, replay_s;
};
/* Derives each chunk, replays it, compares. `report` gets a line for each chunk that differs. */
enum status derive_check_trace(hs_trace *t, struct derive_figures *out, void (*report)(const char *text),
                               struct error *err);

#endif
