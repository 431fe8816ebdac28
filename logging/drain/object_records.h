/* object_records.h - objects and their texts, collected from records of the agent, as rows of the store.
 *
 * A long text comes in pieces that follow each other, also across two groups of a descriptor: a text unfinished at the
 * end of a group is carried to the next one. */
#ifndef LOGGING_OBJECT_RECORDS_H
#define LOGGING_OBJECT_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/bytes.h"
#include "formats/objects.h"
#include "formats/status.h"
#include "formats/vec.h"
#include "logging/store/bound.h"
#include "logging/store/store.h"

/* A long text whose pieces go on in the next group of its descriptor. */
struct carried_text {
    uint32_t desc;
    struct object_entry entry;
    struct writer text;
};

/* Zero is empty. */
struct object_records {
    object_entry_vec entries; /* of the group being drained */
    struct writer text;       /* their texts; entries hold offsets into it until they are stored */
    bool text_continues;      /* the last text record was not its last piece */
    bool no_memory;           /* for an entry: object_records_store fails */
    VEC(struct carried_text) carried;
    struct writer blob; /* the row being written */
    uint32_t next_fragment;
};

void object_records_done(struct object_records *r);

/* REC_OBJECT. */
void object_records_add(struct object_records *r, uint32_t id, uint32_t class_id);
/* REC_STRING, or with `thrown` REC_THROWN, behind its first word. False: it is malformed. */
bool object_records_add_text(struct object_records *r, const uint64_t *p, uint64_t words, bool thrown);

/* Restores the text that the previous group of this descriptor left unfinished. */
void object_records_resume(struct object_records *r, uint32_t desc);
/* At the end of a group: moves the unfinished text to the carried ones. False: no memory. */
bool object_records_carry(struct object_records *r, uint32_t desc);

/* Stores what was collected. `bound` (may be NULL) records that chunk `chunk` refers to the objects. */
enum status object_records_store(struct object_records *r, struct store *store, struct bound *bound, uint64_t chunk,
                                 struct error *err);
/* Drops everything collected. */
void object_records_clear(struct object_records *r);
/* After the last group: unfinished texts are stored as cut. */
enum status object_records_store_carried(struct object_records *r, struct store *store, struct bound *bound,
                                         uint64_t chunk, struct error *err);

#endif
