/* sequence.h - where the events of each thread lie in the global order, made in one merge: what the seqs of very many
 * events are taken from. Private to this folder. */
#ifndef READER_STREAM_SEQUENCE_H
#define READER_STREAM_SEQUENCE_H

#include "reader/stream/stream.h"

struct sequence;
/* NULL in *out: it would take more memory than it may. */
enum status sequence_new(hs_trace *t, struct sequence **out, struct error *err);
void sequence_free(struct sequence *s);
/* seq of an event. */
uint64_t sequence_seq(struct sequence *s, struct event_position at);

#endif
