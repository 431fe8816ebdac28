/* places.h - places in code as sets of data IDs: what breakpoints of lines and methods stand for. */
#ifndef READER_SESSION_PLACES_H
#define READER_SESSION_PLACES_H

#include "reader/session/nav.h"

/* Appends the first data ID of a line in each method that has it: a line of a source file, or (NULL) one of
 * LineNumberTable in the classes that match the glob. Where LINE is woven that is its LINE_NUMBER. False: out of
 * memory. */
bool places_of_line(struct nav *nav, const char *source, const char *glob, int32_t line, u32_vec *ids);
/* As places_of_line, of a line as answers show it, in the methods of both globs. */
bool places_of_shown_line(struct nav *nav, const char *classes, const char *methods, int32_t line, u32_vec *ids);
/* The first event of the instruction at `pc`; if it has none, of the next one of its line, or else the one before. */
bool places_of_pc(struct nav *nav, uint32_t method_id, uint32_t pc, int32_t line, u32_vec *ids);
/* Appends the data IDs of an event type in methods that match the globs; of METHOD_ENTRY the last METHOD_PARAM behind
 * it. */
bool places_of_methods(struct nav *nav, const char *classes, const char *methods, unsigned event, u32_vec *ids);
/* The data ID of the last METHOD_PARAM behind a METHOD_ENTRY; its own if there are none. */
uint32_t places_last_parameter(hs_trace *t, const struct hs_dataid *entry);
/* For qsort and bsearch of data IDs. */
int places_rising(const void *a, const void *b);

#endif
