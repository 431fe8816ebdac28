/* why_not.c - `why-not`: which question it is, and its reasons. See why_not.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/query/why_not.h"
#include "reader/query/writes.h"

/* ---- which question it is ---- */

/* The value that was written last, if it is not the expected one. */
static enum status ask_last_write(struct asking *a, struct error *err)
{
    struct location l;
    struct writes *writes = NULL;
    struct hs_write last = { 0 };
    struct hs_event event;
    enum status st = location_parse(a->trace, a->options->place, &l, err);
    if (st != OK) {
        location_done(&l);
        return st;
    }
    st = writes_open(a->trace, &l, &writes, err);
    if (st == OK)
        st = writes_last(writes, a->options->at, &last, err);
    const bool found = st == OK && last.left_out == 0;
    if (found)
        event = *last.event;
    writes_close(writes);
    return found ? ask_value(a, &event, err) : st == ERR_NOT_FOUND ? OK : st;
}

static enum status ask_location(struct asking *a, struct error *err)
{
    enum status st = location_parse(a->trace, a->options->place, &a->location, err);
    if (st == OK && a->location.kind == LOCATION_DATAID)
        return error_set(err, ERR_USAGE, "'%s' is no place", a->options->place);
    if (st == OK && a->expects)
        st = ask_last_write(a, err);
    return st == OK ? ask_write(a, err) : st;
}

/* The value of an event. */
static enum status ask_event(struct asking *a, struct error *err)
{
    struct hs_event e;
    const char *place = a->options->place;
    if (!a->expects)
        return error_set(err, ERR_USAGE, "'%s' is an event: specify --expect VALUE, which its value should be", place);
    const unsigned long long seq = strtoull(place, NULL, 10);
    const enum status st = event_at(a->trace, seq, &e, err);
    if (st == OK && e.kind == KIND_VOID)
        return error_set(err, ERR_NOT_FOUND, "event %s has no value", place);
    return st == OK ? ask_value(a, &e, err) : st;
}

/* A place in the code, else what is written. */
static enum status ask_either(struct asking *a, struct error *err)
{
    struct error of_place = { 0 };
    enum status st = ask_place(a, &of_place);
    if (st == ERR_NOT_FOUND || st == ERR_USAGE) {
        if (location_parse(a->trace, a->options->place, &a->location, err) == OK && a->location.kind != LOCATION_DATAID)
            return ask_write(a, err);
    }
    *err = st != OK ? of_place : *err;
    return st;
}

static enum status ask(struct asking *a, struct error *err)
{
    const char *place = a->options->place;
    if (strncmp(place, "throw ", 6) == 0)
        return ask_throw(a, place + 6, err);
    if (strspn(place, "0123456789") == strlen(place))
        return ask_event(a, err);
    if (strspn(place, "0123456789") > 0 || strchr(place, '#') != NULL || strchr(place, '[') != NULL || a->expects)
        return ask_location(a, err);
    return ask_either(a, err);
}

static enum status check_options(const struct hs_absence_options *o, struct error *err)
{
    if (o == NULL || o->size != sizeof *o)
        return error_set(err, ERR_USAGE, "struct hs_absence_options has another size than this library's");
    if (o->place == NULL || o->place[0] == '\0')
        return error_set(err, ERR_USAGE, "the place is missing");
    return OK;
}

static enum status begin(struct asking *a, struct error *err)
{
    const struct hs_absence_options *o = a->options;
    enum status st = check_options(o, err);
    if (st != OK)
        return st;
    a->least = o->times > 0 ? o->times : 1;
    a->expects = o->expect != NULL;
    return a->expects ? wanted_parse(&a->expected, o->expect, err) : OK;
}

static enum status answer(struct asking *a, const struct absent_member *member, struct hs_absence **rows,
                          struct error *err)
{
    enum status st = begin(a, err);
    if (st == OK)
        st = member != NULL ? ask_member(a, member, err) : ask(a, err);
    if (st == OK)
        st = ask_uncalled(a, err);
    if (st == OK && a->options->in != HS_NO_SEQ && a->reasons.count == 0)
        st = error_set(err, ERR_NOT_FOUND, "event %llu is not the METHOD_ENTRY of a call of '%s'",
                       (unsigned long long)a->options->in, a->options->place);
    return st == OK ? reasons_rows(a, rows, err) : st;
}

int absences_open(hs_trace *trace, const struct hs_absence_options *options, const struct absent_member *member,
                  hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "why-not");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct list_answer *list = list_answer_new();
    struct asking a = { .trace = trace, .options = options };
    struct hs_absence *rows = NULL;
    a.arena = list != NULL ? &list->arena : NULL;
    const enum status st = list != NULL ? answer(&a, member, &rows, &err) : ERR_MEMORY;
    const size_t count = a.reasons.count;
    vec_free(&a.reasons);
    vec_free(&a.asked);
    vec_free(&a.uncalled);
    location_done(&a.location);
    wanted_done(&a.expected);
    if (st != OK) {
        list_answer_free(list);
        return give(error, &err);
    }
    return cursor_over(ROW_absence, rows, sizeof *rows, count, list, out, error);
}
