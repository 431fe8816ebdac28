/* stored_state.h - the state of a thread between two chunks as bytes, for the index. */
#ifndef READER_DERIVE_STORED_STATE_H
#define READER_DERIVE_STORED_STATE_H

#include "reader/derive/replay_thread.h"

void stored_state_write(const struct replay_thread *t, struct writer *w);
/* False: the bytes are malformed or do not fit the code, or memory is out; the thread is then as at its begin. */
bool stored_state_read(const struct replay_code *code, struct replay_thread *t, const void *data, size_t size);

/* Adds a state to the section of the index; reads the one before a chunk, malloc'ed, NULL: there is none. */
void stored_states_add(const struct chunk_ref *c, const struct writer *state, struct writer *section);
uint8_t *stored_states_find(hs_trace *t, const struct chunk_ref *chunk, size_t *size);
/* The same in a section that was read; borrowed from it. */
const uint8_t *stored_state_in(const uint8_t *section, size_t all, const struct chunk_ref *chunk, size_t *size);

#endif
