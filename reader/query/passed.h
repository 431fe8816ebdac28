/* passed.h - what tests did whose events keep= has dropped, as far as it sets those apart that failed. DB_PASSED:
 *
 *     0      varint tests | varint rows | for each: le8 key of a feature (suspects.h), varint tests that had it
 *     1, ... a class of tests: text its name | varint rows | for each: varint data ID less the one before
 *     PASSED_LEFT + number of an interval   what threads were in the middle of at its begin, of those that had
 *            events since the begin of the one before: varint threads | for each: varint thread | varint bytes |
 *                varint data ID + 1 of the CALL or MONITOR_ENTER in which it is (0 none) | svarint value of it |
 *                varint frames, innermost first | for each: varint method * 2 + 1 if it has a receiver |
 *                varint receiver, if it has one | varint pc | varint line + 1
 *
 * A class has the entries, labels and handlers that its dropped tests came to. */
#ifndef READER_QUERY_PASSED_H
#define READER_QUERY_PASSED_H

#include "reader/trace/open_trace.h"

typedef bool passed_feature_fn(void *context, uint64_t key, uint64_t tests);
/* The tests, and their features, until `each` returns false; 0 and none where nothing was dropped. */
enum status passed_features(hs_trace *t, passed_feature_fn *each, void *context, uint64_t *tests, struct error *err);
/* Sets the bytes of the places, below `count`, that dropped tests of the class came to. True: there were such tests. */
bool passed_places(hs_trace *t, const char *class_name, uint8_t *met, size_t count);

/* The row 0 of tests that are to be dropped. */
struct hs_suspect_run;
enum status passed_write(const struct hs_suspect_run *runs, size_t count, struct writer *out, struct error *err);

#endif
