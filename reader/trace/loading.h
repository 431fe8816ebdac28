/* loading.h - private to trace/: what open.c loads when a trace is opened, and frees when it is closed. */
#ifndef READER_LOADING_H
#define READER_LOADING_H

#include "reader/trace/open_trace.h"

enum status tables_load(hs_trace *t, struct error *err);     /* kinds, chunk directory, threads, types */
enum status dataids_prepare(hs_trace *t, struct error *err); /* after tables_load */
enum status marks_load(hs_trace *t, struct error *err);
enum status windows_load(hs_trace *t, struct error *err);  /* periods, intervals and snapshots */
enum status weavings_load(hs_trace *t, struct error *err); /* after the classes */
void tables_done(hs_trace *t);
void dataids_done(hs_trace *t); /* before the classes */
void classes_done(hs_trace *t);
void weavings_done(hs_trace *t);
void clock_done(hs_trace *t);
void marks_done(hs_trace *t);
void windows_done(hs_trace *t);

#endif
