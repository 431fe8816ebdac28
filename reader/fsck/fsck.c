/* fsck.c - the check (hs_fsck): sets up what its files share, and runs tables, code and events.
 *
 *     tables.c    consistency of the rows, of chunks with their directory          rules table to object
 *     marks.c     marked intervals
 *     classes.c   classes by name, their class files
 *     hierarchy.c superclasses and interfaces
 *     members.c   which field an instruction names, what a call can do
 *     facts.c     types, fields and calls of events
 *     reach.c     where control can go from one event to the next without passing another
 *     stack.c     the operand stack: the effect of each instruction on known values
 *     objects.c   references: known, of one type, touched by one thread or several
 *     calls.c     the method that a call certainly enters
 *     heap.c      the last known values of fields and array elements
 *     frames.c    frames of a thread, violations at an event
 *     path.c      executing the code of a frame up to the next event
 *     operands.c  values of events against computed ones
 *     walk.c      the walk over the events of all threads
 *     parts.c     intervals of recordings in parts
 *     check.c     violations; the rules are rules.def
 *
 * Memory: the methods that had events, five bytes per object, a fixed table for the heap, and the open frames. */
#include <stdlib.h>
#include <string.h>

#include "reader/fsck/heap.h"
#include "reader/fsck/hierarchy.h"
#include "reader/fsck/objects.h"
#include "reader/fsck/tables.h"
#include "reader/fsck/walk.h"

/* True if the trace says that events are missing, or that frames began before the recording. */
static bool is_tolerant(const hs_trace *t)
{
    const char *lost = hs_info(t, "lost");
    return (lost != NULL && strcmp(lost, "0") != 0) || hs_info(t, "dropped") != NULL;
}

static uint64_t last_stamp(const hs_trace *t)
{
    const char *text = hs_info(t, "stamp");
    char *end = NULL;
    uint64_t stamp = text != NULL ? strtoull(text, &end, 10) : 0;
    return text != NULL && end != text && *end == '\0' ? stamp : UINT64_MAX;
}

static void report_damaged_row(void *context, const char *what)
{
    fsck_report(context, RULE_check, NO_SEQ, "%s", what);
}

static enum status check_all(struct fsck *f, struct error *err)
{
    hs_trace *t = f->trace;
    if (!fclasses_init(f) || !facts_init(f) || !objects_init(f) || !heap_init(f))
        return error_memory(err, "%s", t->dir);
    enum status st = env_verify(&t->env, report_damaged_row, f, &f->result->checked, err);
    if (st != OK)
        return st;
    index_verify(t, report_damaged_row, f);
    st = fsck_tables(f, err);
    if (st != OK)
        return st;
    st = fsck_hierarchy(f, err);
    if (st != OK)
        return st;
    fsck_code(f);
    st = fsck_walk(f, err);
    if (st != OK)
        return st;
    heap_finish(f);
    if (hs_damage(t) != NULL && f->result->violations == 0)
        fsck_report(f, t->damage != NULL ? RULE_table : RULE_check, NO_SEQ, "%s", hs_damage(t));
    return OK;
}

int hs_fsck(hs_trace *t, hs_violation_fn *report, void *context, const struct hs_fsck_result **out,
            struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "check");
    struct error err = { 0 };
    struct hs_fsck_result result = { 0 };
    struct fsck f = {
        .trace = t, .report = report, .context = context, .result = &result, .event_count = hs_dataid_count(t)
    };
    const char *end = hs_info(t, "end"), *derive = hs_info(t, "derive");
    bool no_memory = t->no_memory; /* before the check */
    f.clean = end != NULL && strcmp(end, "clean") == 0;
    f.derived = derive != NULL && strcmp(derive, "on") == 0;
    f.redacted = hs_info(t, "redacted_numbers") != NULL;
    f.tolerant = is_tolerant(t);
    f.last_stamp = last_stamp(t);
    enum status st = check_all(&f, &err);
    if (st == OK && (f.no_memory || (t->no_memory && !no_memory))) /* some violations may be none */
        st = error_memory(&err, "%s", t->dir);
    vec_free(&f.lives);
    heap_done(&f);
    objects_check_done(&f);
    facts_done(&f);
    fclasses_done(&f);
    arena_done(&f.arena);
    if (st != OK)
        return give(error, &err);
    t->fsck_result = result;
    *out = &t->fsck_result;
    return 0;
}
