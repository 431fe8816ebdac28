/* kept.h - small traces as lists of rows, which inputs change.
 *
 * traces/<name>.rows holds every row of every table of a recording of faults/damage/Damaged.java, asked.rows of one of
 * Asked.java (keep.sh makes them).
 * A trace is written from them through the store, so that pages, checks and sums are right whatever the rows say: the
 * readers of rows are what is tested, not those of pages (target_data_file.c).
 *
 * An input is a byte that chooses the trace, then changes: */
#ifndef TEST_FUZZ_KEPT_H
#define TEST_FUZZ_KEPT_H

#include "test/fuzz/fuzz.h"

enum kept_change {
    CHANGE_BYTE,   /* le2 at, u1 value: a byte of the row */
    CHANGE_VALUE,  /* le2 at, u1 which: a varint of a notable value replaces the byte */
    CHANGE_CUT,    /* le2 at: the row ends there */
    CHANGE_INSERT, /* le2 at, u1 n, n bytes */
    CHANGE_ROW,    /* u1 n, n bytes: the whole row */
    CHANGE_DELETE, /* the row is not there */
    CHANGE_KEY,    /* u1 by: another key, by so much less or more */
    CHANGE_COPY,   /* u1: the bytes of another row, that many behind it */
    CHANGES
};

/* Each change: u1 enum kept_change, le2 row, then as above. Numbers are taken modulo what there is. Writes the trace
 * into fuzz_folder() and returns its path there, which is valid until the next call. */
const char *kept_changed(struct reader *in);
enum kept_trace {
    KEPT_OMNI,
    KEPT_DERIVED,
    KEPT_WITH_INDEX = 3, /* the first ones alone have one */
    KEPT_INPUTS = 6,     /* derive=on, of hooks that record inputs */
    KEPT_CHOSEN,         /* those before it a byte of an input chooses */
    KEPT_ASKED = KEPT_CHOSEN
};
/* A trace without changes, as if its recorder had died, in fuzz_folder(). */
const char *kept_unfinished(enum kept_trace which);
/* A trace whose chunks are what `edit` appends to `out` for each; in fuzz_folder(). */
typedef void kept_edit(void *context, const void *chunk, size_t size, struct writer *out);
const char *kept_edited(enum kept_trace which, kept_edit *edit, void *context);
/* The folder of a trace as it was recorded, with its index; made once. Nobody writes to it. */
const char *kept_whole(enum kept_trace which);
/* A trace in which a class has that class file; in fuzz_folder(). `name`: internal. */
const char *kept_with_class(enum kept_trace which, const char *name, const void *file, size_t size);

/* Writes all rows of a trace into a file. False: told on standard error. */
bool kept_save(const char *trace, const char *file);

#endif
