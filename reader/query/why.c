/* why.c - the chain of causes of a value, back to its origin.
 *
 * There are two kinds of links, which alternate. Between events: from a load to the last store of that local, field or
 * element, from a parameter to the caller's argument, from the result of a call to the callee's exit. Through bytecode:
 * from a store, an argument or an exit to the event of the instruction that pushed the value on the operand stack:
 *
 *     PUT_INSTANCE_FIELD_VALUE <- iadd <- GET_INSTANCE_FIELD_RESULT <- PUT_INSTANCE_FIELD_VALUE <- iload <- LOCAL_LOAD
 *
 * An instruction without events (arithmetic, conversions) is replaced by its operands: the chain follows the first of
 * them that has an event, the explanation names them all.
 *
 * The moments that a value can come from are its choices. The chain follows one of them each; the tree follows all,
 * each moment once. */
#include "reader/query/why.h"
#include "formats/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEFAULT = 1000, SEARCH_MAX = 10000, SEARCH_MAX_ALL = 100000, CONTROL_MAX = 1000000 };

/* ---- one row ---- */

static const char *keep_text(struct why *w, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = arena_chars(w->arena, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

/* False: out of memory. */
static bool keep_operands(struct why *w, struct hs_cause *to)
{
    uint64_t seqs[CHOICES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < w->choice_count; i++)
        if (w->choices[i].operand)
            seqs[n++] = w->choices[i].event.seq;
    if (n < 2)
        return true;
    uint64_t *operands = arena_array(w->arena, n, sizeof *operands);
    if (operands == NULL)
        return false;
    memcpy(operands, seqs, n * sizeof *operands);
    to->operands = operands;
    to->operand_count = n;
    return true;
}

/* Of many causes some are offered, and not the others. */
static void say_more(struct why *w)
{
    const size_t n = strlen(w->because);
    (void)snprintf(w->because + n, sizeof w->because - n, "; there may be more causes than those offered");
}

static const char *role_of(const struct choice *c)
{
    if (c->role != NULL)
        return c->role;
    switch (c->by) {
    case HS_BY_EVENTS: return "the value";
    case HS_BY_IDENTITY: return "the same object";
    case HS_BY_EQUAL: return "an equal value";
    case HS_BY_COMPUTED: return "what it was computed from";
    case HS_BY_CONTROL: return "what it stands under";
    }
    return "the value";
}

/* False: out of memory. */
static bool keep_choices(struct why *w, struct hs_cause *to)
{
    struct hs_choice *choices = arena_array(w->arena, w->choice_count, sizeof *choices);
    struct hs_event *events = arena_array(w->arena, w->choice_count, sizeof *events);
    if (w->choice_count == 0)
        return true;
    if (choices == NULL || events == NULL)
        return false;
    for (size_t i = 0; i < w->choice_count; i++) {
        events[i] = w->choices[i].event;
        events[i].kind = element_kind_of(w->trace, &events[i]);
        choices[i] = (struct hs_choice){ &events[i], role_of(&w->choices[i]), w->choices[i].by };
    }
    to->choices = pointers_to(w->arena, choices, sizeof *choices, w->choice_count);
    to->choice_count = w->choice_count;
    return to->choices != NULL;
}

/* The explanation as a row. False: out of memory. */
static bool keep_cause(struct why *w, struct hs_cause *to)
{
    struct hs_event *event = arena_get(w->arena, sizeof *event);
    if (event == NULL)
        return false;
    *event = w->now;
    *to = (struct hs_cause){ .event = event,
                             .because = keep_text(w, w->because),
                             .end = w->end,
                             .decision = w->decision,
                             .overflow = w->overflow };
    return to->because != NULL && keep_operands(w, to) && keep_choices(w, to);
}

/* The explanation names what its arithmetic lost. */
static enum status keep_lost(struct why *w, struct error *err)
{
    const size_t n = strlen(w->because);
    if (w->lost[0] == '\0')
        return OK;
    (void)snprintf(w->because + n, sizeof w->because - n, "; %s", w->lost);
    w->overflow = keep_text(w, w->lost);
    return w->overflow != NULL ? OK : state_memory(w->trace, err);
}

/* Explains w->now, whose data ID the trace has. */
static enum status explain_site(struct why *w, bool all, bool under, struct error *err)
{
    const bool has_value = w->now.kind != KIND_VOID && event_type(w->trace, w->now.dataid) != EVENT_LABEL;
    if (w->control && !(all && has_value)) {
        const enum status decided = why_explain_control(w, err);
        return decided == OK ? keep_lost(w, err) : decided;
    }
    enum status st = why_explain(w, err);
    if (st == OK)
        st = why_check_left_out(w, err);
    if (st == OK)
        st = keep_lost(w, err);
    if (st == OK && w->control)
        st = why_add_control(w, err);
    if (st == OK && under)
        st = why_find_under(w, err);
    return st;
}

enum status why_moment(struct why *w, bool all, bool under, struct error *err)
{
    w->site = hs_dataid_get(w->trace, w->now.dataid);
    w->decision = NULL;
    w->lost[0] = '\0';
    w->overflow = NULL;
    w->constant_pc = UINT32_MAX;
    w->now.kind = element_kind_of(w->trace, &w->now);
    w->choice_count = 0;
    w->more = 0;
    w->more_causes = false;
    w->end = NULL;
    w->search.met = false;
    enum status st = w->site != NULL ? explain_site(w, all, under, err)
                                     : why_ends(w, "not known", "a data ID that the trace does not explain");
    for (size_t i = 0; st == OK && i < w->choice_count; i++)
        st = why_number(w, &w->choices[i].event, err);
    if (st != OK)
        return st;
    if (w->more_causes)
        say_more(w);
    /* causes come before effects: a chain cannot go round in a circle */
    if (w->end == NULL && w->choices[0].event.seq >= w->now.seq)
        w->end = "not known";
    return OK;
}

/* Explains w->now. */
static enum status explain(struct why *w, const struct hs_why_options *o, struct hs_cause *to, struct error *err)
{
    enum status st = why_moment(w, o->all, o->under, err);
    return st != OK || keep_cause(w, to) ? st : state_memory(w->trace, err);
}

/* ---- which choice the chain follows ---- */

/* Reads "1.2,3.1": the choice at a branch, 0 if it is not named. False: another form. */
static bool chosen_at(const char *choose, uint32_t branch, uint32_t *out)
{
    const char *at = choose;
    *out = 0;
    while (at != NULL) {
        char *end;
        unsigned long named = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || *end != '.' || end[1] < '0' || end[1] > '9')
            return false;
        unsigned long choice = strtoul(end + 1, &end, 10);
        if (named == 0 || named > UINT32_MAX || choice == 0 || choice > UINT32_MAX || (*end != ',' && *end != '\0'))
            return false;
        if (named == branch)
            *out = (uint32_t)choice;
        at = *end == ',' ? end + 1 : NULL;
    }
    return true;
}

/* The last branch that is named. */
static uint32_t last_branch(const char *choose)
{
    uint32_t last = 0;
    for (const char *at = choose; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
        unsigned long named = strtoul(at, NULL, 10);
        last = named > last && named <= UINT32_MAX ? (uint32_t)named : last;
    }
    return last;
}

/* Sets c->chosen. */
static enum status choose(const struct hs_why_options *o, struct hs_cause *c, struct error *err)
{
    uint32_t wanted = 0;
    if (c->branch > 0)
        (void)chosen_at(o->choose, c->branch, &wanted);
    if (wanted > c->choice_count)
        return error_set(err, ERR_USAGE, "branch %u, at seq %llu, has %zu choices, not %u", c->branch,
                         (unsigned long long)c->event->seq, c->choice_count, wanted);
    if (wanted > 0)
        c->end = NULL;
    else if (c->end == NULL)
        wanted = 1;
    c->chosen = wanted;
    if (wanted > 0)
        c->by = c->choices[wanted - 1]->by;
    return OK;
}

/* ---- the chain ---- */

typedef VEC(struct hs_cause) cause_vec;

static enum status make_chain(struct why *w, const struct hs_why_options *o, size_t max, cause_vec *out,
                              struct error *err)
{
    uint32_t branches = 0;
    for (;;) {
        struct hs_cause *to = vec_push(out);
        if (to == NULL)
            return state_memory(w->trace, err);
        enum status st = explain(w, o, to, err);
        if (st != OK)
            return st;
        if (to->choice_count > 1 || (to->choice_count == 1 && to->end != NULL))
            to->branch = ++branches;
        st = choose(o, to, err);
        if (st != OK)
            return st;
        if (to->end == NULL && out->count >= max) {
            to->end = "chain cut";
            return OK;
        }
        if (to->end != NULL)
            break;
        w->now = *to->choices[to->chosen - 1]->event;
        w->control = w->control && to->choices[to->chosen - 1]->by == HS_BY_CONTROL;
    }
    if (last_branch(o->choose) > branches)
        return error_set(err, ERR_USAGE, "the chain has no branch %u: %u of its moments have several choices",
                         last_branch(o->choose), branches);
    return OK;
}

/* ---- the tree ---- */

/* A moment that is not explained yet. */
struct pending {
    const struct hs_choice *choice; /* NULL: the root */
    uint32_t depth;
};

/* The moments that have their row: seq + 1. */
struct moment {
    uint64_t key;
};
typedef MAP(struct moment) moment_map;

/* The row of a moment that has one already. */
static enum status repeat(struct why *w, struct hs_cause *to, const struct hs_choice *choice, struct error *err)
{
    to->event = choice->event;
    to->because = keep_text(w, "explained above");
    to->repeated = true;
    return to->because != NULL ? OK : state_memory(w->trace, err);
}

static enum status make_tree(struct why *w, const struct hs_why_options *o, size_t max, cause_vec *out,
                             struct error *err)
{
    VEC(struct pending) left = { 0 };
    moment_map explained = { 0 };
    enum status st = OK;
    struct pending *root = vec_push(&left);
    if (root == NULL)
        return state_memory(w->trace, err);
    *root = (struct pending){ 0 };
    while (left.count > 0 && out->count < max) {
        struct pending p = left.items[--left.count];
        if (p.choice != NULL)
            w->now = *p.choice->event;
        bool known = map_get(&explained, w->now.seq + 1) != NULL;
        struct hs_cause *to = vec_push(out);
        if (to == NULL || map_put(&explained, w->now.seq + 1) == NULL) {
            st = state_memory(w->trace, err);
            goto out;
        }
        *to = (struct hs_cause){ 0 };
        st = known ? repeat(w, to, p.choice, err) : explain(w, o, to, err);
        if (st != OK)
            goto out;
        to->depth = p.depth;
        to->by = p.choice != NULL ? p.choice->by : HS_BY_EVENTS;
        if (p.depth >= o->depth && to->choice_count > 0)
            to->end = "depth";
        for (size_t i = p.depth < o->depth ? to->choice_count : 0; i > 0; i--) {
            struct pending *next = vec_push(&left);
            if (next == NULL) {
                st = state_memory(w->trace, err);
                goto out;
            }
            *next = (struct pending){ to->choices[i - 1], p.depth + 1 };
        }
    }
    if (left.count > 0)
        out->items[out->count - 1].end = "tree cut";
out:
    map_free(&explained);
    vec_free(&left);
    return st;
}

/* ---- the question ---- */

static enum status check_options(const struct hs_why_options *o, struct error *err)
{
    uint32_t choice;
    if (o == NULL || o->size != sizeof *o)
        return error_set(err, ERR_USAGE, "struct hs_why_options has another size than this library knows");
    if (o->depth > HS_WHY_DEPTH_MAX)
        return error_set(err, ERR_USAGE, "depth %u is more than %d", o->depth, HS_WHY_DEPTH_MAX);
    if (!chosen_at(o->choose, 0, &choice))
        return error_set(err, ERR_USAGE, "choose \"%s\" is not BRANCH.CHOICE, or several joined by commas, as 1.2,3.1",
                         o->choose);
    if (o->all && o->choose != NULL)
        return error_set(err, ERR_USAGE, "the tree follows all choices: choose is for the chain");
    return OK;
}

static enum status why_rows(hs_trace *t, const struct hs_why_options *o, struct arena *arena, struct hs_cause **out,
                            size_t *count, struct error *err)
{
    struct why w = { .trace = t,
                     .arena = arena,
                     .search = { .left = o->all ? SEARCH_MAX_ALL : SEARCH_MAX },
                     .control = o->control,
                     .control_left = CONTROL_MAX };
    cause_vec rows = { 0 };
    size_t max = o->max > 0 ? o->max : MAX_DEFAULT;
    enum status st = event_at(t, o->seq, &w.now, err);
    if (st != OK)
        return st;
    if (w.now.kind == KIND_VOID && !o->control) {
        const char *type = hs_event_name(event_type(t, w.now.dataid)); /* NULL: of a data ID that the trace lacks */
        return error_set(err, ERR_NOT_FOUND, "event %llu (%s) has no value: name an event that has one",
                         (unsigned long long)o->seq, type != NULL ? type : "of no known type");
    }
    index_wish(t);
    st = o->all ? make_tree(&w, o, max, &rows, err) : make_chain(&w, o, max, &rows, err);
    if (st == ERR_NOT_FOUND) { /* an event of the global order could not be read */
        err->status = ERR_FORMAT;
        st = ERR_FORMAT;
    }
    if (st != OK)
        goto out;
    struct hs_cause *made = arena_array(arena, rows.count, sizeof *made);
    if (made == NULL) {
        st = state_memory(t, err);
        goto out;
    }
    memcpy(made, rows.items, rows.count * sizeof *made);
    *out = made;
    *count = rows.count;
out:
    vec_free(&rows);
    return st;
}

int hs_causes_open(hs_trace *trace, const struct hs_why_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "why");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct hs_cause *causes = NULL;
    size_t count = 0;
    if (check_options(options, &err) != OK)
        return give(error, &err);
    struct list_answer *answer = list_answer_new();
    if (answer == NULL || why_rows(trace, options, &answer->arena, &causes, &count, &err) != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_cause, causes, sizeof *causes, count, answer, out, error);
}

int hs_why_open(hs_trace *trace, uint64_t seq, size_t max, hs_cursor **out, struct hs_error *error)
{
    struct hs_why_options o = HS_WHY_OPTIONS_INIT;
    o.seq = seq;
    o.max = max;
    return hs_causes_open(trace, &o, out, error);
}
