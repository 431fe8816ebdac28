/* value_texts.h - the texts that toString() of classes of the JDK gives, from the values of their fields. Private to
 * code/. All append to a writer. */
#ifndef READER_VALUE_TEXTS_H
#define READER_VALUE_TEXTS_H

#include "formats/bytes.h"

void value_format(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* `count` ints of a magnitude, the highest first, little-endian each. */
void value_big_integer(struct writer *w, int64_t signum, const uint8_t *magnitude, size_t count);
void value_uuid(struct writer *w, uint64_t high, uint64_t low);
void value_date(struct writer *w, int64_t year, int64_t month, int64_t day);
void value_time(struct writer *w, int64_t hour, int64_t minute, int64_t second, int64_t nano);
void value_instant(struct writer *w, int64_t seconds, int64_t nanos);
void value_duration(struct writer *w, int64_t seconds, int64_t nanos);
void value_period(struct writer *w, int64_t years, int64_t months, int64_t days);
void value_year_month(struct writer *w, int64_t year, int64_t month);
void value_offset(struct writer *w, int64_t seconds);

#endif
