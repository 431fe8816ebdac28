/* hits.h - breakpoints, for the other files of this folder; hits.c */
#ifndef READER_SESSION_HITS_H
#define READER_SESSION_HITS_H

#include "reader/session/session.h"

void hits_done(struct nav *nav);
/* The session has moved from one event to another: if a breakpoint is hit between them, it moves to the first hit on
 * the way instead; what is hit at `to` is noted in `stop`. */
enum status hits_between(struct nav *nav, uint64_t from, uint64_t to, enum nav_direction direction,
                         struct nav_stop *stop, struct error *err);
/* Notes what the moment's event hits. */
enum status hits_mark(struct nav *nav, struct nav_stop *stop, struct error *err);
/* From METHOD_ENTRY to the last of its METHOD_PARAM. */
enum status hits_after_parameters(struct nav *nav, struct error *err);

#endif
