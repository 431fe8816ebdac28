/* writes.h - every write of one location, in both directions: the one engine behind history, last-write, why and
 * object.
 *
 * A write of an instance field or element is several events of one instruction; a walk finds the first one, which names
 * the object, and gives the last one, which has the value. What an object got before an event could show it
 * (creation.h) comes before all others. */
#ifndef READER_WRITES_H
#define READER_WRITES_H

#include "reader/query/location.h"

struct writes;
/* Takes what the location holds (it is empty afterwards), also after a failure. Stands before the first write. */
enum status writes_open(hs_trace *t, struct location *l, struct writes **out, struct error *err);
void writes_close(struct writes *w);            /* NULL is allowed */
uint32_t writes_object(const struct writes *w); /* of OBJECT_FIELD and ELEMENT, else 0 */
/* Of a data ID its events are given. The result is borrowed until the next step. ERR_NOT_FOUND: there are no more
 * (`err` left alone). */
enum status writes_next(struct writes *w, const struct hs_write **out, struct error *err);
enum status writes_previous(struct writes *w, const struct hs_write **out, struct error *err);
/* Stands before the first write from event `seq` on. */
enum status writes_seek(struct writes *w, uint64_t seq, struct error *err);
/* The write whose value the location has just before event `seq`. ERR_NOT_FOUND as above. */
enum status writes_last(struct writes *w, uint64_t seq, struct hs_write *out, struct error *err);

/* The last one of a field (object 0: static) or element, for those who ask once. */
enum status last_field_write(hs_trace *t, uint32_t object, struct field f, uint64_t seq, struct hs_event *out,
                             struct error *err);
enum status last_element_write(hs_trace *t, uint32_t array, uint64_t index, uint64_t seq, struct hs_event *out,
                               struct error *err);

#endif
