/* report.h - the parts of `hindsight report`: paths, contexts of calls, and times as all of them show them. */
#ifndef READER_COMMAND_REPORT_H
#define READER_COMMAND_REPORT_H

#include "reader/command/cli.h"

struct path_choice {
    enum hs_path_kind kind;
    bool json;
    uint64_t limit;
    const char *class_glob, *method_glob;
    uint64_t from, to; /* seqs */
};
/* Shows the paths and closes the session; the exit status. */
int report_paths(struct session *s, const struct path_choice *choice);

enum context_view { CONTEXT_NONE, CONTEXT_CALLERS, CONTEXT_CALLEES, CONTEXT_TREE };
enum { DEPTH_SHOWN_MAX = 60 }; /* rows of the tree that are deeper are indented no further */
struct context_choice {
    enum context_view kind;
    bool json;
    uint64_t limit;
    const char *class_glob, *method_glob; /* of the methods whose callers or callees are asked for */
    uint64_t from, to;                    /* seqs */
};
/* Shows callers, callees or the tree and closes the session; the exit status. */
int report_contexts(struct session *s, const struct context_choice *choice);

/* ---- report_times.c ---- */

/* Times below this are not known; HS_NO_TIME: no time is. */
uint64_t report_resolution(hs_trace *t);
bool report_time_known(uint64_t ns, uint64_t resolution);
/* A member, if the time is known. */
void report_time_json(struct json *j, const char *name, uint64_t ns, uint64_t resolution);
void report_percent_json(struct json *j, const char *name, uint64_t ns, uint64_t whole_ns, uint64_t resolution);
/* A column: - if the time is not known, or no call was left. False: the clock is too coarse for it. */
bool report_time_text(struct out *o, uint64_t ns, bool left, uint64_t resolution);
/* The columns that every table begins with: calls, and total and self times with their share of `whole_ns`. They are
 * less wide on a narrow terminal. */
void report_heading(struct out *o);
void report_time_heading(struct out *o, const char *text);
bool report_costs_text(struct out *o, uint64_t calls, uint64_t total_ns, uint64_t self_ns, uint64_t whole_ns, bool left,
                       uint64_t resolution);
/* The last line of a table in which times are left out. */
void report_unknown_note(struct out *o, uint64_t resolution);
/* Total by calls: false if it is not known, as calls were nested in calls of the method, whose time total has once. */
bool report_average(const struct hs_cost *c, uint64_t *ns);
/* At least this share (in percent) of the calls took no longer. An upper bound, less than twice the right value: calls
 * are counted by powers of two. */
uint64_t report_percentile(const struct hs_cost *c, unsigned percent);

#endif
