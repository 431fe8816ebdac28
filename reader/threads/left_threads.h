/* left_threads.h - what threads are in the middle of where the intervals begin that keep=failed leaves: rows of
 * DB_PASSED (query/passed.h). */
#ifndef READER_THREADS_LEFT_THREADS_H
#define READER_THREADS_LEFT_THREADS_H

#include "formats/vec.h"
#include "reader/trace/open_trace.h"

typedef VEC(struct writer) left_vec;
/* The rows of the intervals that will be left, some empty; in either case the caller frees them. */
enum status left_threads(hs_trace *t, left_vec *out, struct error *err);

#endif
