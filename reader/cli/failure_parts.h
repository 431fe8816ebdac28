/* failure_parts.h - what the files of failure.h give each other. */
#ifndef READER_CLI_FAILURE_PARTS_H
#define READER_CLI_FAILURE_PARTS_H

#include "reader/cli/failure.h"

int failure_no_memory(struct hs_error *error);
/* The name of the class of a method; NULL: not known. */
const char *failure_class(hs_trace *t, uint32_t method_id);
/* The same if it is one of the program, no library of tests and not the JDK; else NULL. */
const char *failure_own_class(hs_trace *t, uint32_t method_id);
/* A question that has no answer is none that failed. */
int failure_refused(const struct hs_error *error);
/* Keeps a cursor open as long as the answer; the answer points into it. */
int failure_keep(struct failure *f, hs_cursor *cursor, struct hs_error *error);
char *failure_text(struct failure *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The event before this one in its thread; NULL: none. Borrowed until the next question. */
const struct hs_event *failure_before(hs_trace *t, const struct hs_event *e);
/* The object of which this event has read a field or element; 0: it has not. */
uint32_t failure_read_object(hs_trace *t, const struct hs_event *e);

/* The frames of the program at the moment, or of the exception for which the framework or the JVM has thrown that of
 * the test; `*library` gets the frame that the innermost of them has called, NULL: none. */
int failure_find_frames(hs_trace *t, struct failure *f, const struct hs_frame **library, struct hs_error *error);

/* An object or a field that the value came by. */
struct failure_seen {
    uint32_t object;
    uint64_t write, read; /* of a field; of a collection HS_NO_SEQ and the moment at which it was used */
};
typedef VEC(struct failure_seen) failure_seen_vec;

/* A step that a page may show. */
struct failure_found {
    struct failure_step step;
    size_t of; /* the one that it explains, as number; SIZE_MAX: none */
    uint32_t method_id;
    int32_t line;
    unsigned way;  /* lines to be read up to it */
    unsigned cost; /* the same, and more for what says little: those of least cost are shown */
    bool shown;
    size_t at; /* then as which of the steps */
};
typedef VEC(struct failure_found) failure_found_vec;
/* Adds those to the steps that have room; false: out of memory. */
bool failure_choose(struct failure *f, failure_found_vec *found);

/* The first argument of the call in the frame that made an object, or what that is made from: 1, with its CALL_PARAM,
 * 0 there is none, -1. `makers`: globs of the names of such calls, separated by |. */
int failure_made_of(hs_trace *t, const struct hs_frame *frame, uint64_t object, uint64_t before, const char *makers,
                    struct hs_event *out, struct hs_error *error);
int failure_compare(hs_trace *t, struct failure *f, struct hs_error *error);
int failure_find_steps(hs_trace *t, struct failure *f, failure_seen_vec *seen, struct hs_error *error);
int failure_find_changes(hs_trace *t, struct failure *f, const failure_seen_vec *seen, struct hs_error *error);
/* What ran on an object that a thread waits for, since it does. */
int failure_find_since(hs_trace *t, struct failure *f, uint32_t object, uint64_t since, struct hs_error *error);
/* What the calls that changed collections were given, if the page is short. */
int failure_add_given(hs_trace *t, struct failure *f, struct hs_error *error);
int failure_find_threads(hs_trace *t, struct failure *f, struct hs_error *error);
int failure_find_absences(hs_trace *t, const struct failure_tests *tests, struct failure *f, struct hs_error *error);
/* Marks the places, by data ID, that the test came to up to a seq. */
int failure_count_lines(hs_trace *t, const struct hs_test *test, uint64_t to, uint8_t *met, struct hs_error *error);
int failure_find_other(hs_trace *t, const struct failure_tests *tests, struct failure *f, struct hs_error *error);

/* failure_cause.c: where the first flight of an exception begins, before this event; HS_NO_SEQ: none does. */
uint64_t failure_first_flight(hs_trace *t, uint64_t id, uint64_t before);

#endif
