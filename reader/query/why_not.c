/* why_not.c - why a place in the code was not reached: the nearest decision that went another way, over all calls.
 *
 * A place depends on some ways of branches of its method (code/control.h), these branches on ways of others, and so on
 * up to the entry: levels. A call that does not reach the place has taken, at the nearest level of which it executed a
 * branch, another way; or it took the right one, and an exception came between:
 *
 *     a && b     place      level 1: b true     level 2: a true
 *     a false: b was not executed, so a decided; a true, b false: b decided
 *
 * One pass over the labels, entries and exits of the method keeps for each open call what its branches did last. Of a
 * method that was never entered the places are the calls of it, of a class that was not loaded those of its methods. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/query/decision.h"
#include "reader/query/place.h"

enum { CALLERS_DEEP = 6, LEVELS_MOST = 64, WAYS_MOST = 4096 };

static const struct {
    enum hs_situation situation;
    const char *word, *sentence;
} situations[] = {
#define SITUATION(name, word, sentence) { HS_SITUATION_##name, word, sentence },
#include "reader/query/situations.def"
#undef SITUATION
};

const char *hs_situation_name(enum hs_situation situation)
{
    const size_t i = (size_t)situation - 1;
    return i < sizeof situations / sizeof *situations ? situations[i].word : NULL;
}

/* ---- the question ---- */

/* A row while calls are added to it. */
struct reason {
    enum hs_situation situation;
    struct method *method; /* NULL: not known */
    uint32_t branch, to, needed;
    uint64_t calls;
    struct hs_event last;
    bool has_event;
    const char *name; /* of a class that was not loaded */
    size_t order;
};
typedef VEC(struct reason) reason_vec;

struct asking {
    hs_trace *trace;
    const struct hs_absence_options *options;
    char class_glob[512], method_glob[512];
    int32_t line; /* -1: the entry */
    reason_vec reasons;
    u32_vec asked; /* methods whose callers were looked at */
};

static struct reason *reason_of(struct asking *a, const struct reason *like)
{
    for (size_t i = 0; i < a->reasons.count; i++) {
        struct reason *r = &a->reasons.items[i];
        if (r->situation == like->situation && r->method == like->method && r->branch == like->branch &&
            r->to == like->to && r->needed == like->needed && r->name == like->name)
            return r;
    }
    struct reason *r = vec_push(&a->reasons);
    if (r != NULL) {
        *r = *like;
        r->order = a->reasons.count;
    }
    return r;
}

/* ---- ways that lead to a place ---- */

/* A way of a branch, or into a handler, on which the place depends. */
struct needed {
    uint32_t branch, to; /* branch NO_INSN: the handler at `to` */
    uint32_t level;
};
struct survey {
    struct asking *asking;
    struct method *method;
    const struct control *control;
    uint32_t insn;  /* the place */
    uint32_t first; /* data IDs of the method: its first one */
    uint32_t end;
    VEC(struct needed) needed;
    u32_vec branches; /* that have one of the ways */
    uint32_t levels;
};

static bool add_needed(struct survey *s, uint32_t branch, uint32_t to, uint32_t level)
{
    for (size_t i = 0; i < s->needed.count; i++)
        if (s->needed.items[i].branch == branch && s->needed.items[i].to == to)
            return true;
    if (s->needed.count >= WAYS_MOST)
        return true;
    struct needed *n = vec_push(&s->needed);
    if (n == NULL)
        return false;
    *n = (struct needed){ branch, to, level };
    for (size_t i = 0; i < s->branches.count; i++)
        if (s->branches.items[i] == branch)
            return true;
    uint32_t *b = branch != NO_INSN ? vec_push(&s->branches) : NULL;
    if (b != NULL)
        *b = branch;
    return branch == NO_INSN || b != NULL;
}

/* The ways on which an instruction depends directly. */
static bool add_ways_to(struct survey *s, uint32_t insn, uint32_t level)
{
    const struct code *c = &s->method->code;
    for (uint32_t b = 0; b < c->insns.count; b++) {
        struct successors next = { .code = c, .insn = b };
        if (!control_is_branch(c, b))
            continue;
        while (code_next(&next))
            if (control_decides(s->control, b, next.to, insn) && !add_needed(s, b, next.to, level))
                return false;
    }
    for (size_t i = 0; i < c->handlers.count; i++) {
        const uint32_t h = code_insn_at(c, c->handlers.items[i].handler);
        if (h != NO_INSN && control_dominates(s->control, h, insn) && control_follows(s->control, h, insn) &&
            !add_needed(s, NO_INSN, h, level))
            return false;
    }
    return true;
}

static bool find_ways(struct survey *s)
{
    if (!add_ways_to(s, s->insn, 1))
        return false;
    for (size_t i = 0; i < s->needed.count; i++) {
        const struct needed n = s->needed.items[i];
        s->levels = n.level;
        if (n.branch != NO_INSN && n.level < LEVELS_MOST && !add_ways_to(s, n.branch, n.level + 1))
            return false;
    }
    return true;
}

/* ---- one call ---- */

/* What a branch did in a call. */
struct branch_seen {
    uint32_t right, other; /* times */
    struct hs_event last_other;
};
struct open_call {
    uint32_t thread;
    bool reached, wanted;
    bool caught;
    struct hs_event handler;
    struct branch_seen *branches; /* as survey.branches */
};
typedef VEC(struct open_call) open_vec;

/* The nearest level at which the place depends on a branch. The ways that are needed come level by level. */
static uint32_t level_of(const struct survey *s, uint32_t branch)
{
    for (size_t i = 0; i < s->needed.count; i++)
        if (s->needed.items[i].branch == branch)
            return s->needed.items[i].level;
    return UINT32_MAX;
}

/* Does the way lead on, at that level? In a || b the place depends on b, which is only asked if a is false: that is no
 * way of a to the place. */
static bool is_needed(const struct survey *s, uint32_t branch, uint32_t to)
{
    const uint32_t level = level_of(s, branch);
    for (size_t i = 0; i < s->needed.count; i++)
        if (s->needed.items[i].branch == branch && s->needed.items[i].to == to && s->needed.items[i].level == level)
            return true;
    return false;
}

/* The way of a branch that would have led on. */
static uint32_t way_needed(const struct survey *s, uint32_t branch)
{
    for (size_t i = 0; i < s->needed.count; i++)
        if (s->needed.items[i].branch == branch)
            return s->needed.items[i].to;
    return NO_INSN;
}

/* The branch of the nearest level that was executed; of several the one that went another way last. False: none was. */
static bool nearest(const struct survey *s, const struct open_call *c, size_t *out, bool *right)
{
    uint32_t best = UINT32_MAX;
    for (size_t i = 0; i < s->branches.count; i++) {
        const struct branch_seen *b = &c->branches[i];
        const uint32_t level = level_of(s, s->branches.items[i]);
        if (b->right + b->other == 0 || level > best)
            continue;
        if (level == best && (b->right > 0) <= *right &&
            (*right || b->last_other.seq < c->branches[*out].last_other.seq))
            continue;
        *right = b->right > 0;
        best = level;
        *out = i;
    }
    return best != UINT32_MAX;
}

static void set_event(struct reason *r, const struct hs_event *e)
{
    r->last = *e;
    r->has_event = true;
}

/* Why a call ended, by `end` (NULL: it has not), without having reached the place. */
static struct reason why_left(const struct survey *s, const struct open_call *c, const struct hs_event *end)
{
    struct reason r = {
        .situation = HS_SITUATION_UNKNOWN, .method = s->method, .branch = NO_INSN, .to = NO_INSN, .needed = NO_INSN
    };
    const bool thrown = end != NULL && event_type(s->asking->trace, end->dataid) == EVENT_METHOD_EXCEPTIONAL_EXIT;
    size_t at = 0;
    bool right = false, handler = false;
    const bool executed = nearest(s, c, &at, &right);
    for (size_t i = 0; i < s->needed.count; i++)
        handler = handler || s->needed.items[i].branch == NO_INSN;
    if (end != NULL)
        set_event(&r, end);
    if (executed && !right) {
        struct way way;
        r.situation = HS_SITUATION_DECISION;
        set_event(&r, &c->branches[at].last_other);
        if (way_of(s->asking->trace, &r.last, &way)) {
            r.branch = way.branch;
            r.to = way.to;
            r.needed = way_needed(s, way.branch);
        }
    } else if (thrown) {
        r.situation = HS_SITUATION_EXCEPTION;
    } else if (c->caught && !handler) {
        r.situation = HS_SITUATION_CAUGHT;
        set_event(&r, &c->handler);
    } else if (end == NULL) {
        r.situation = HS_SITUATION_OPEN;
    } else if (handler) {
        r.situation = HS_SITUATION_NO_EXCEPTION;
    }
    return r;
}

static bool end_call(const struct survey *s, struct open_call *c, const struct hs_event *end)
{
    struct reason like = {
        .situation = HS_SITUATION_REACHED, .method = s->method, .branch = NO_INSN, .to = NO_INSN, .needed = NO_INSN
    };
    bool ok = true;
    if (c->wanted) {
        const struct hs_event at = c->handler;
        if (!c->reached)
            like = why_left(s, c, end);
        struct reason *r = reason_of(s->asking, &like);
        ok = r != NULL;
        if (ok && c->reached)
            set_event(r, &at);
        else if (ok && like.has_event)
            set_event(r, &like.last);
        if (ok)
            r->calls++;
    }
    free(c->branches);
    c->branches = NULL;
    return ok;
}

/* ---- all calls of a method ---- */

/* Does the data ID show that the place was reached? */
static bool shows_place(const struct survey *s, const struct hs_dataid *d)
{
    const struct code *c = &s->method->code;
    const uint32_t pc = c->insns.items[s->insn].pc;
    if (s->insn == 0)
        return d->event == EVENT_METHOD_ENTRY;
    if (event_stand(d->event)->where != AT_INSN && d->event != EVENT_LINE_NUMBER && d->event != EVENT_LABEL &&
        d->event != EVENT_CATCH_LABEL && d->event != EVENT_CATCH)
        return false;
    if (event_has(d->event, USE_STATIC_ONLY) || d->pc < pc || d->pc >= c->length)
        return false;
    for (uint32_t p = pc + 1; p <= d->pc; p++)
        if ((c->flags[p] & PC_LABEL) != 0) /* another block */
            return false;
    return true;
}

static bool follows_call(unsigned event)
{
    return event == EVENT_METHOD_ENTRY || event == EVENT_LABEL || event == EVENT_CATCH_LABEL ||
           event == EVENT_METHOD_NORMAL_EXIT || event == EVENT_METHOD_EXCEPTIONAL_EXIT;
}

static bool list_ids(const struct survey *s, u32_vec *ids, bool *recorded)
{
    bool entry = false, label = !s->method->code.has_jumps;
    for (uint32_t id = s->first; id < s->end; id++) {
        const struct hs_dataid *d = dataid_or_none(s->asking->trace, id);
        entry |= d->event == EVENT_METHOD_ENTRY;
        label |= d->event == EVENT_LABEL;
        if (!follows_call(d->event) && !shows_place(s, d))
            continue;
        uint32_t *to = vec_push(ids);
        if (to == NULL)
            return false;
        *to = id;
    }
    *recorded = entry && label;
    return true;
}

static struct open_call *call_of(open_vec *calls, uint32_t thread)
{
    for (size_t i = calls->count; i-- > 0;)
        if (calls->items[i].thread == thread)
            return &calls->items[i];
    return NULL;
}

static void note_way(const struct survey *s, struct open_call *c, const struct hs_event *e)
{
    struct way way;
    if (!way_of(s->asking->trace, e, &way))
        return;
    for (size_t i = 0; i < s->branches.count; i++) {
        if (s->branches.items[i] != way.branch)
            continue;
        if (is_needed(s, way.branch, way.to)) {
            c->branches[i].right++;
        } else {
            c->branches[i].other++;
            c->branches[i].last_other = *e;
        }
    }
}

/* False: out of memory. */
static bool take(struct survey *s, open_vec *calls, const struct hs_event *e)
{
    const struct hs_dataid *d = dataid_or_none(s->asking->trace, e->dataid);
    if (d->event == EVENT_METHOD_ENTRY) {
        struct open_call *c = vec_push(calls);
        if (c == NULL)
            return false;
        const uint64_t in = s->asking->options->in;
        *c = (struct open_call){ .thread = e->thread, .wanted = in == HS_NO_SEQ || in == e->seq };
        c->branches = calloc(s->branches.count + 1, sizeof *c->branches);
        if (c->branches == NULL)
            return false;
    }
    struct open_call *c = call_of(calls, e->thread);
    if (c == NULL)
        return true;
    if (d->event == EVENT_CATCH_LABEL && !c->reached) {
        c->caught = true;
        c->handler = *e;
    }
    note_way(s, c, e);
    if (!c->reached && shows_place(s, d)) {
        c->reached = true;
        c->handler = *e;
    }
    if (!event_has(d->event, USE_LEAVE))
        return true;
    const bool ok = end_call(s, c, e);
    const size_t at = (size_t)(c - calls->items);
    memmove(c, c + 1, (calls->count - at - 1) * sizeof *c);
    calls->count--;
    return ok;
}

static enum status add_reason(struct asking *a, enum hs_situation situation, struct method *m, const char *name,
                              struct error *err)
{
    const struct reason r = {
        .situation = situation, .method = m, .branch = NO_INSN, .to = NO_INSN, .needed = NO_INSN, .name = name
    };
    return reason_of(a, &r) != NULL ? OK : state_memory(a->trace, err);
}

static enum status walk_calls(struct survey *s, const u32_vec *ids, uint64_t *entered, struct error *err)
{
    open_vec calls = { 0 };
    struct walk walk;
    struct hs_event e;
    bool ok = true;
    walk_open_ids(&walk, s->asking->trace, ids, 0, s->asking->options->at);
    while (ok && walk_next(&walk, &e)) {
        *entered += event_type(s->asking->trace, e.dataid) == EVENT_METHOD_ENTRY;
        ok = take(s, &calls, &e);
    }
    for (size_t i = 0; i < calls.count; i++)
        ok = end_call(s, &calls.items[i], NULL) && ok;
    vec_free(&calls);
    const enum status st = walk_close(&walk, err);
    return st == OK && !ok ? state_memory(s->asking->trace, err) : st;
}

static enum status ask_callers(struct asking *a, const struct hs_method *m, unsigned deep, struct error *err);

/* The calls of a method, and why they did not come to an instruction of it; 0: to its entry. */
static enum status survey_method(struct asking *a, struct method *m, uint32_t insn, unsigned deep, struct error *err)
{
    struct survey s = { .asking = a, .method = m, .control = method_control(a->trace, m), .insn = insn };
    const struct hs_class *c = m->owner;
    u32_vec ids = { 0 };
    uint64_t entered = 0;
    bool recorded = false;
    enum status st = OK;
    for (uint32_t id = c->first_dataid; id - c->first_dataid < c->dataid_count; id++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, id);
        if (d == NULL || d->method_id != m->row->method_id)
            continue;
        s.first = s.end == 0 ? id : s.first;
        s.end = id + 1;
    }
    if (s.control == NULL || !find_ways(&s) || !list_ids(&s, &ids, &recorded))
        st = state_memory(a->trace, err);
    else if (!recorded)
        st = add_reason(a, HS_SITUATION_NOT_RECORDED, m, NULL, err);
    else
        st = walk_calls(&s, &ids, &entered, err);
    if (st == OK && recorded && entered == 0) {
        st = add_reason(a, HS_SITUATION_NOT_CALLED, m, NULL, err);
        if (st == OK)
            st = ask_callers(a, m->row, deep, err);
    }
    vec_free(&ids);
    vec_free(&s.needed);
    vec_free(&s.branches);
    return st;
}

/* ---- calls of a method that was not entered ---- */

static bool same_name(const void *wanted, const char *name) { return strcmp(wanted, name) == 0; }

/* Can a call of `owner` enter a method of the class? */
static bool may_be_of(hs_trace *t, const struct hs_class *c, const char *owner)
{
    bool unknown = false;
    return lineage_above(t, lineage_of(t, c->name, c->loader_id), same_name, owner, &unknown) != NULL;
}

static enum status survey_site(struct asking *a, const struct hs_dataid *d, unsigned deep, struct error *err)
{
    struct method *m = method_get(a->trace, d->method_id);
    const uint32_t insn = m != NULL ? code_insn_at(&m->code, d->pc) : NO_INSN;
    return insn != NO_INSN ? survey_method(a, m, insn, deep, err) : OK;
}

static enum status ask_callers(struct asking *a, const struct hs_method *m, unsigned deep, struct error *err)
{
    const struct hs_class *c = hs_class_get(a->trace, m->class_no);
    size_t count, found = 0;
    enum status st = OK;
    for (size_t i = 0; i < a->asked.count; i++)
        if (a->asked.items[i] == m->method_id)
            return OK;
    uint32_t *asked = deep < CALLERS_DEEP && c != NULL ? vec_push(&a->asked) : NULL;
    if (asked == NULL)
        return OK;
    *asked = m->method_id;
    const struct site *sites = sites_named(a->trace, EVENT_CALL, m->name, &count);
    for (size_t i = 0; st == OK && i < count; i++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, sites[i].dataid);
        if (d == NULL || strcmp(why_text(d, "name"), m->name) != 0 || strcmp(why_text(d, "desc"), m->desc) != 0 ||
            !may_be_of(a->trace, c, why_text(d, "owner")))
            continue;
        found++;
        st = survey_site(a, d, deep + 1, err);
    }
    return st == OK && found == 0 ? add_reason(a, HS_SITUATION_NO_CALLER, method_get(a->trace, m->method_id), NULL, err)
                                  : st;
}

/* Calls that name a class that was not loaded. */
static enum status ask_class(struct asking *a, struct error *err)
{
    const site_vec *sites = sites_of(a->trace, EVENT_CALL);
    enum status st = add_reason(a, HS_SITUATION_NOT_LOADED, NULL, a->class_glob, err);
    for (size_t i = 0; st == OK && i < sites->count; i++) {
        const struct hs_dataid *d = hs_dataid_get(a->trace, sites->items[i].dataid);
        if (d != NULL && hs_class_matches(a->class_glob, why_text(d, "owner")) &&
            hs_method_matches(a->method_glob[0] != '\0' ? a->method_glob : NULL, why_text(d, "name"),
                              why_text(d, "desc")))
            st = survey_site(a, d, 1, err);
    }
    return st;
}

/* ---- the place ---- */

/* Class.method, Class.method:LINE, Class:LINE */
static enum status read_place(struct asking *a, struct error *err)
{
    const char *place = a->options->place != NULL ? a->options->place : "", *colon = strrchr(place, ':');
    const char *paren = strchr(place, '(');
    size_t size = colon != NULL ? (size_t)(colon - place) : strlen(place);
    char *end = NULL;
    a->line = -1;
    if (colon != NULL) {
        const unsigned long line = strtoul(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || line > 65535)
            return error_set(err, ERR_USAGE, "'%s': a line is a number up to 65535", place);
        a->line = (int32_t)line;
    }
    const size_t names = paren != NULL && (size_t)(paren - place) < size ? (size_t)(paren - place) : size;
    size_t dot = names;
    while (dot > 0 && place[dot - 1] != '.')
        dot--;
    if (size == 0 || size >= sizeof a->class_glob || (colon == NULL && dot < 2) || dot == size)
        return error_set(err, ERR_USAGE, "'%s' is not Class.method, Class.method:LINE or Class:LINE", place);
    memcpy(a->class_glob, place, size);
    if (dot >= 2) {
        memcpy(a->method_glob, place + dot, size - dot);
        a->class_glob[dot - 1] = '\0';
    }
    return OK;
}

/* The first instruction of a line; NO_INSN: the method has none. */
static uint32_t insn_of_line(const struct method *m, int32_t line)
{
    uint32_t pc = UINT32_MAX;
    for (uint32_t i = 0; i < m->line_count; i++)
        if (m->lines[i].line == line && m->lines[i].pc < pc)
            pc = m->lines[i].pc;
    return pc != UINT32_MAX ? code_insn_at(&m->code, pc) : NO_INSN;
}

static enum status ask_methods(struct asking *a, const struct hs_class *c, bool with_method, size_t *found,
                               struct error *err)
{
    enum status st = OK;
    for (uint32_t i = 0; st == OK && i < c->method_count; i++) {
        const struct hs_method *row = c->methods[i];
        if (with_method && !hs_method_matches(a->method_glob, row->name, row->desc))
            continue;
        struct method *m = method_get(a->trace, row->method_id);
        const uint32_t insn = m == NULL ? NO_INSN : a->line < 0 ? 0 : insn_of_line(m, a->line);
        if (insn == NO_INSN || m->code.insns.count == 0)
            continue;
        ++*found;
        st = survey_method(a, m, insn, 0, err);
    }
    return st;
}

static enum status ask_classes(struct asking *a, struct error *err)
{
    const struct hs_class *c;
    size_t found = 0, classes = 0;
    enum status st = OK;
    if (!tables_need_classes(a->trace))
        return state_memory(a->trace, err);
    for (int whole = 0; whole < 2 && classes == 0; whole++) { /* a.b.C:LINE has no method, though it has dots */
        if (whole == 1 && a->line >= 0 && a->method_glob[0] != '\0') {
            a->class_glob[strlen(a->class_glob)] = '.';
            a->method_glob[0] = '\0';
        }
        for (size_t i = 0; st == OK && (c = class_at(a->trace, i)) != NULL; i++) {
            if (c->dataid_count == 0 || !hs_class_matches(a->class_glob, c->name))
                continue;
            classes++;
            st = ask_methods(a, c, a->method_glob[0] != '\0', &found, err);
        }
    }
    if (st == OK && classes == 0)
        return ask_class(a, err);
    return st == OK && found == 0 ? error_set(err, ERR_NOT_FOUND, "no recorded code stands at '%s'", a->options->place)
                                  : st;
}

/* ---- rows ---- */

static int by_calls(const void *x, const void *y)
{
    const struct reason *a = x, *b = y;
    if ((a->calls == 0) != (b->calls == 0)) /* what is not about calls explains the others */
        return a->calls == 0 ? -1 : 1;
    const int order = (a->order > b->order) - (a->order < b->order);
    return a->calls != b->calls ? (a->calls < b->calls) - (a->calls > b->calls) : order;
}

static char *keep_format(struct arena *arena, const char *first, const char *second)
{
    const size_t n = strlen(first), m = strlen(second);
    char *out = arena_chars(arena, n + m + 2);
    if (out == NULL)
        return NULL;
    memcpy(out, first, n);
    if (m > 0)
        out[n] = '.';
    memcpy(out + n + (m > 0), second, m + 1);
    return out;
}

static enum status make_row(struct asking *a, const struct reason *r, struct arena *arena, struct hs_absence *out,
                            struct error *err)
{
    struct hs_event last = r->last;
    struct hs_place place = { .line = -1 };
    enum status st = r->has_event ? positions_number(a->trace, &last, err) : OK;
    *out = (struct hs_absence){ .situation = r->situation,
                                .calls = r->calls,
                                .line = -1,
                                .seq = r->has_event ? last.seq : HS_NO_SEQ,
                                .because = situations[r->situation - 1].sentence };
    out->method = r->method != NULL ? keep_format(arena, r->method->owner->name, r->method->row->name)
                                    : keep_format(arena, r->name != NULL ? r->name : "?", "");
    if (st == OK && r->branch != NO_INSN) {
        struct why w = { .trace = a->trace, .arena = arena, .now = last, .control_left = 1 };
        struct writer text = { 0 };
        w.site = dataid_or_none(a->trace, last.dataid);
        st = decision_make(&w, &out->decision, err);
        if (st == OK && r->needed != NO_INSN) {
            way_condition(a->trace, &(struct way){ r->method, r->branch, r->needed }, &text);
            write_u1(&text, 0);
            out->needs = text.bad ? NULL : keep_format(arena, (const char *)text.data, "");
            writer_free(&text);
        }
        place_of_pc(a->trace, r->method, r->method->code.insns.items[r->branch].pc, &place);
    } else if (st == OK && r->has_event) {
        st = place_of(a->trace, &last, &place, err);
    }
    out->line = place.line;
    out->file = place.file;
    return st == OK && out->method == NULL ? state_memory(a->trace, err) : st;
}

static enum status make_rows(struct asking *a, struct arena *arena, struct hs_absence **out, struct error *err)
{
    enum status st = OK;
    if (a->reasons.count > 0)
        qsort(a->reasons.items, a->reasons.count, sizeof *a->reasons.items, by_calls);
    *out = arena_array(arena, a->reasons.count + 1, sizeof **out);
    if (*out == NULL)
        return state_memory(a->trace, err);
    for (size_t i = 0; st == OK && i < a->reasons.count; i++)
        st = make_row(a, &a->reasons.items[i], arena, *out + i, err);
    return st;
}

int hs_absences_open(hs_trace *trace, const struct hs_absence_options *options, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "why-not");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct asking a = { .trace = trace, .options = options };
    struct hs_absence *rows = NULL;
    struct list_answer *answer = list_answer_new();
    enum status st = answer == NULL ? ERR_MEMORY
                     : options == NULL || options->size != sizeof *options
                         ? error_set(&err, ERR_USAGE, "struct hs_absence_options has another size than this library's")
                         : read_place(&a, &err);
    if (st == OK)
        st = ask_classes(&a, &err);
    if (st == OK && options->in != HS_NO_SEQ && a.reasons.count == 0)
        st = error_set(&err, ERR_NOT_FOUND, "event %llu is not the METHOD_ENTRY of a call of '%s'",
                       (unsigned long long)options->in, options->place);
    if (st == OK)
        st = make_rows(&a, &answer->arena, &rows, &err);
    const size_t count = a.reasons.count;
    vec_free(&a.reasons);
    vec_free(&a.asked);
    if (st != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_absence, rows, sizeof *rows, count, answer, out, error);
}
