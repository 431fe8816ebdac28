/* writes.h - all writes of one location, in both directions; history, last-write, why and object use it.
 *
 * A write of an instance field or element is several events of one instruction: the first one names the object and is
 * what a walk finds, the last one has the value and is what is returned. Writes to an object before any event could
 * name it (creation.h) come before all others. */
#ifndef READER_WRITES_H
#define READER_WRITES_H

#include "reader/query/location.h"

struct writes;
/* Takes what the location holds (it is empty afterwards), also after a failure. Stands before the first write. */
enum status writes_open(hs_trace *t, struct location *l, struct writes **out, struct error *err);
void writes_close(struct writes *w);            /* NULL is allowed */
uint32_t writes_object(const struct writes *w); /* of OBJECT_FIELD and ELEMENT, else 0 */
/* For a data ID, its events. Where writes may be missing, there is a row with `left_out`. The result is borrowed until
 * the next step. ERR_NOT_FOUND: there are no more
 * (`err` left alone). */
enum status writes_next(struct writes *w, const struct hs_write **out, struct error *err);
enum status writes_previous(struct writes *w, const struct hs_write **out, struct error *err);
/* Stands before the first write from event `seq` on. */
enum status writes_seek(struct writes *w, uint64_t seq, struct error *err);
/* The write whose value the location has just before event `seq`. ERR_NOT_FOUND as above. */
enum status writes_last(struct writes *w, uint64_t seq, struct hs_write *out, struct error *err);

/* writes_last of a field (object 0: static) or element, for a single question. */
enum status last_field_write(hs_trace *t, uint32_t object, struct field f, uint64_t seq, struct hs_event *out,
                             struct error *err);
enum status last_element_write(hs_trace *t, uint32_t array, uint64_t index, uint64_t seq, struct hs_event *out,
                               struct error *err);

#endif
