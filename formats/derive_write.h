/* derive_write.h - writes derived chunks (derived.h): a chunk begins, takes the events of a thread in order, and ends.
 *
 * Events come one by one, or as a record of the hook (journal.h): several events of consecutive data IDs. What records
 * that begin with a data ID hold is found out once; most records hold nothing but what is implied, and are then only
 * counted and added to the check value. */
#ifndef FORMATS_DERIVE_WRITE_H
#define FORMATS_DERIVE_WRITE_H

#include "formats/derived.h"
#include "formats/followers.h"
#include "formats/journal.h"

/* By data ID. Borrowed; may grow while no event is put, but entries do not change. */
struct derive_tables {
    struct derive_sites sites;
    struct kind_table kinds;
    const uint8_t *roles; /* enum role, as many as there are kinds; NULL: events come one by one */
    const uint16_t *pcs;  /* of methods with SITE_INPUTS; NULL: there are none */
    bool timed;           /* behind the first word of a record comes that of its clock */
};

/* A chunk with more events takes no further record. */
enum { DERIVE_CHUNK_FULL = CHUNK_EVENTS_MAX - 2 * JOURNAL_RECORD_EVENTS };

/* Names of a chunk that a vector must have room for. */
enum { DERIVE_NAMES_ROOM = CHUNK_EVENTS_MAX + CHUNK_ROOM };

struct derive_encoder;
struct derive_encoder *derive_encoder_new(void); /* NULL: out of memory */
void derive_encoder_free(struct derive_encoder *e);

/* Begins a chunk of that thread, which is borrowed until the end. `reset`: what came before is not known, its state
 * becomes that of a new thread. */
void derive_begin(struct derive_encoder *e, struct derive_thread *t, bool reset, const struct derive_tables *tables);
/* The next event. For a METHOD_ENTRY `values` holds `known` values: its own, and those of the events that come right
 * behind it, as long as their data IDs rise by one (they are still put); else `known` may be 1. */
bool derive_put(struct derive_encoder *e, uint32_t id, uint64_t stamp, const uint64_t *values, uint32_t known);
/* The next record, whose data ID is known and whose values are at `words` (journal_value); records of the same thread
 * may follow up to `end`. Returns where the values end; NULL if nothing was put, since its events must come one by one:
 * they change what is known of constructors (roles.h), or the record is cut off, or the chunk is full (derive_full). */
const uint64_t *derive_put_record(struct derive_encoder *e, uint32_t id, uint64_t stamp, const uint64_t *words,
                                  const uint64_t *end);
/* With times: the time of the last events that were put, so many, which are of one record. */
void derive_time(struct derive_encoder *e, uint64_t time, uint32_t events);
/* Of a record that was put: its events; 0 if it was only the position of an exception (derive_is_position). */
uint32_t derive_record_events(const struct derive_encoder *e, uint32_t id, const uint64_t *words);
/* Does the record with that first word only say which instruction threw? */
bool derive_is_position(const struct derive_encoder *e, uint32_t id, uint64_t word);
/* The next records, as derive_put_record, as long as their stamps are below `below` and their data IDs are `first` or
 * greater. Stops in front of a CATCH, in front of what derive_put_record does not take, and where the chunk is full.
 * Returns where the next record begins; that is `p` at the begin of a chunk. Not with times. */
const uint64_t *derive_put_records(struct derive_encoder *e, uint32_t first, uint64_t below, const uint64_t *p,
                                   const uint64_t *end);
/* If the last event is a CATCH_LABEL: METHOD_EXCEPTIONAL_EXITs right before it that have the value `unknown` get this
 * one. */
void derive_complete(struct derive_encoder *e, uint64_t unknown, uint64_t value);
/* Is the chunk full in the middle of the events that come before a record? It takes none then. */
bool derive_full(const struct derive_encoder *e);
/* Events that were not put since the last call of this: of frames that are not known, whose records have no values. */
uint64_t derive_take_dropped(struct derive_encoder *e);
/* Events in the chunk. */
uint32_t derive_events(const struct derive_encoder *e);
/* The stamp of the last record that was put, and of the last event. */
uint64_t derive_stamp(const struct derive_encoder *e);
uint64_t derive_event_stamp(const struct derive_encoder *e);
/* The events of the chunk that are stored, with their values; `count` and these columns alone. */
const struct chunk_columns *derive_stored(const struct derive_encoder *e);
/* Appends the chunk. ERR_LIMIT: too many events, or a data ID that has no row. */
enum status derive_end(struct derive_encoder *e, struct writer *out, struct error *err);
/* The same in parts, so that another thread can do the longer one: what is behind the head of a chunk. */
struct derived_rest {
    struct chunk_columns stored;
    chunk_name_vec names; /* with room for DERIVE_NAMES_ROOM */
    struct writer lists;
};
bool derived_rest_init(struct derived_rest *r); /* false: no memory; derived_rest_done is needed */
void derived_rest_done(struct derived_rest *r);
/* Appends the head, and exchanges the rest of the chunk for `rest`. */
enum status derive_end_head(struct derive_encoder *e, struct derived_rest *rest, struct writer *out, struct error *err);
/* Packs the rest behind the head, which begins at `start`. On any thread. */
enum status derive_end_rest(struct chunk_encoder *c, struct kind_table kinds, const struct derived_rest *rest,
                            size_t start, struct writer *out, struct error *err);
/* Of all chunks so far. The reader needs what was new in a chunk to read it. */
struct followers *derive_followers(struct derive_encoder *e);

/* All at once. */
enum status derive_encode(struct derive_encoder *e, struct derive_thread *t, bool reset, struct derive_sites sites,
                          struct kind_table kinds, const struct chunk_columns *in, struct writer *out,
                          struct error *err);

#endif
