/* suspects.c - what sets failing runs apart: which features (branches, values, exceptions, methods, lines) failing runs
 * had more often than passing ones.
 *
 *     ochiai     failing / sqrt(all failing * (failing + passing))                         (Abreu, Zoeteweij 2007)
 *     increase   failing / (failing + passing)
 *                - failing that came there / all that came there                           (Liblit and others 2005)
 *
 * One pass over the labels, entries, exits, exceptions, values and calls of each run. A run has a feature or has not:
 * how often does not count. Features are the same in several traces if their class, method, instruction and what they
 * say are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/query/passed.h"
#include "reader/query/place.h"
#include "reader/query/suspects.h"

static const char *const kinds[] = {
    [HS_SUSPECT_BRANCH] = "branch", [HS_SUSPECT_VALUE] = "value", [HS_SUSPECT_EXCEPTION] = "exception",
    [HS_SUSPECT_METHOD] = "method", [HS_SUSPECT_LINE] = "line",
};

const char *hs_suspect_kind_name(enum hs_suspect_kind kind)
{
    return kind >= HS_SUSPECT_BRANCH && (size_t)kind < sizeof kinds / sizeof *kinds ? kinds[kind] : NULL;
}

/* ---- which events say what ---- */

static const struct {
    unsigned event;
    enum hs_suspect_kind kind;
    const char *word; /* of an exception; of a value what it is called if it has no name */
} signs[] = {
    { EVENT_LABEL, HS_SUSPECT_BRANCH, NULL },
    { EVENT_METHOD_ENTRY, HS_SUSPECT_METHOD, NULL },
    { EVENT_METHOD_THROW, HS_SUSPECT_EXCEPTION, "throws" },
    { EVENT_METHOD_EXCEPTIONAL_EXIT, HS_SUSPECT_EXCEPTION, "is left by" },
    { EVENT_CATCH, HS_SUSPECT_EXCEPTION, "catches" },
    { EVENT_METHOD_PARAM, HS_SUSPECT_VALUE, "parameter" },
    { EVENT_METHOD_NORMAL_EXIT, HS_SUSPECT_VALUE, "result" },
    { EVENT_CALL_RETURN, HS_SUSPECT_VALUE, "result" },
    { EVENT_PUT_INSTANCE_FIELD_VALUE, HS_SUSPECT_VALUE, "field" },
    { EVENT_PUT_STATIC_FIELD, HS_SUSPECT_VALUE, "field" },
    { EVENT_LOCAL_STORE, HS_SUSPECT_VALUE, "value" },
    { EVENT_CALL, HS_SUSPECT_LINE, NULL },
    { EVENT_INVOKE_DYNAMIC, HS_SUSPECT_LINE, NULL },
    { EVENT_ARRAY_STORE_VALUE, HS_SUSPECT_LINE, NULL },
    { EVENT_LOCAL_INCREMENT, HS_SUSPECT_LINE, NULL },
    { EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, HS_SUSPECT_LINE, NULL },
};
enum { SIGNS = sizeof signs / sizeof *signs };

/* ---- values ---- */

static bool is_empty_text(hs_trace *t, uint64_t id)
{
    const struct hs_object *o = id <= UINT32_MAX ? hs_object_get(t, (uint32_t)id) : NULL;
    return o != NULL && o->has_string && o->length == 0;
}

static unsigned sign_of(double d)
{
    return isnan(d) ? 1u << IS_NAN : d < 0 ? 1u << BELOW_ZERO : d > 0 ? 1u << ABOVE_ZERO : 1u << IS_ZERO;
}

/* As bits. */
static unsigned predicates_of(hs_trace *t, const struct hs_event *e)
{
    const int64_t n = (int64_t)e->value;
    switch (e->kind) {
    case HS_KIND_REF:
        if (e->value == 0)
            return 1u << IS_NULL;
        return is_empty_text(t, e->value) ? 1u << NOT_NULL | 1u << IS_EMPTY : 1u << NOT_NULL;
    case HS_KIND_BOOLEAN: return e->value == 0 ? 1u << IS_FALSE : 1u << IS_TRUE;
    case HS_KIND_FLOAT: {
        const uint32_t bits = (uint32_t)e->value;
        float f;
        memcpy(&f, &bits, sizeof f);
        return sign_of((double)f);
    }
    case HS_KIND_DOUBLE: {
        double d;
        memcpy(&d, &e->value, sizeof d);
        return sign_of(d);
    }
    case HS_KIND_BYTE:
    case HS_KIND_CHAR:
    case HS_KIND_SHORT:
    case HS_KIND_INT:
    case HS_KIND_LONG: return n < 0 ? 1u << BELOW_ZERO : n > 0 ? 1u << ABOVE_ZERO : 1u << IS_ZERO;
    default: return 0;
    }
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    const uint64_t both[2] = { a, b };
    return map_hash(both, sizeof both);
}

static uint64_t text_key(uint64_t hash, const char *s) { return mix(hash, s != NULL ? map_hash(s, strlen(s) + 1) : 0); }

/* Looks up what stands there. */
static void look_up(struct survey *s, uint32_t id, struct place_seen *p)
{
    const struct hs_dataid *d = dataid_or_none(s->trace, id);
    const struct hs_method *m = hs_method_get(s->trace, d->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    p->key = 1;
    for (uint8_t i = 0; i < SIGNS; i++)
        if (signs[i].event == d->event)
            p->sign = i;
    p->wanted = c != NULL && (s->want->class_glob == NULL || hs_class_matches(s->want->class_glob, c->name));
    if (!p->wanted)
        return;
    p->key = p->method = text_key(text_key(text_key(0, c->name), m->name), m->desc);
    if (d->event != EVENT_METHOD_ENTRY && d->event != EVENT_METHOD_EXCEPTIONAL_EXIT)
        p->key = mix(p->key, (uint64_t)(uint32_t)d->pc << 32 | (uint32_t)attribute_number(d, "index", 0));
    p->key = mix(p->key, d->event);
}

/* The run has the feature. False: out of memory. */
static bool note(struct survey *s, uint64_t key, const struct feature *like, const struct hs_event *e)
{
    struct feature *f = map_put(&s->features, key != 0 ? key : 1);
    if (f == NULL)
        return false;
    if (f->last == s->run + 1)
        return true;
    const bool failed = s->want->runs[s->run].failed;
    if (f->last == 0) {
        f->context = like->context;
        f->method = like->method;
        f->what = like->what;
        f->kind = like->kind;
        f->word = like->word;
        f->is_context = like->is_context;
    }
    if (failed != s->want->never && f->runs[failed] == 0) {
        f->first = *e;
        f->dataid = e->dataid;
        f->first_run = (uint32_t)s->run;
    }
    f->last = s->run + 1;
    f->runs[failed]++;
    return true;
}

static bool take_branch(struct survey *s, const struct place_seen *p, const struct hs_event *e)
{
    struct way way;
    if (!way_of(s->trace, e, &way))
        return true;
    const struct insn *insns = way.method->code.insns.items;
    const uint64_t branch = mix(p->method + 1, insns[way.branch].pc), key = mix(branch, insns[way.to].pc);
    return note(s, branch, &(struct feature){ .is_context = true }, e) &&
           note(s, key,
                &(struct feature){
                    .context = branch, .method = p->method, .kind = signs[p->sign].kind, .word = signs[p->sign].word },
                e);
}

static bool take_value(struct survey *s, struct place_seen *p, const struct hs_event *e)
{
    const unsigned are = predicates_of(s->trace, e), fresh = are & ~p->had;
    bool ok = true;
    if (p->had == 0 && are != 0)
        ok = note(s, p->key, &(struct feature){ .is_context = true }, e);
    for (unsigned i = 0; ok && i < PREDICATES; i++)
        if ((fresh >> i & 1) != 0)
            ok = note(s, mix(p->key, i + 1),
                      &(struct feature){ .context = p->key,
                                         .method = p->method,
                                         .what = i,
                                         .kind = signs[p->sign].kind,
                                         .word = signs[p->sign].word },
                      e);
    p->had |= are;
    return ok;
}

static bool take_exception(struct survey *s, const struct place_seen *p, const struct hs_event *e)
{
    const struct hs_object *o = e->value <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)e->value) : NULL;
    return note(s, text_key(p->key, o != NULL ? o->type : "?"),
                &(struct feature){ .method = p->method, .kind = signs[p->sign].kind, .word = signs[p->sign].word }, e);
}

/* The run ran the line, the last time at this event. */
static bool note_line(struct survey *s, const struct place_seen *p, int32_t line, const struct hs_event *e)
{
    const uint64_t key = suspect_line_key(p->method, line);
    if (line < 0)
        return true;
    if (!note(s, key, &(struct feature){ .method = p->method, .what = (uint32_t)line, .kind = HS_SUSPECT_LINE }, e))
        return false;
    struct feature *f = map_get(&s->features, key);
    if (s->want->runs[s->run].failed != s->want->never && f->first_run == s->run && f->order <= p->order) {
        f->order = p->order;
        f->first = *e;
        f->dataid = e->dataid;
    }
    return true;
}

/* The lines of the latest event of a place: its own, and that of the branch which led there. */
static bool note_lines(struct survey *s, uint32_t id, const struct place_seen *p)
{
    const struct hs_dataid *d = dataid_or_none(s->trace, id);
    const struct hs_event e = {
        .thread = p->thread, .position = p->position, .dataid = id, .value = p->value, .kind = d->kind
    };
    struct hs_place branch = { .line = -1 };
    struct way way;
    if (d->event == EVENT_LABEL && way_of(s->trace, &e, &way))
        place_of_pc(s->trace, way.method, way.method->code.insns.items[way.branch].pc, &branch);
    if (d->event == EVENT_METHOD_EXCEPTIONAL_EXIT) /* stands behind the code */
        return true;
    return note_line(s, p, d->line, &e) && (branch.line == d->line || note_line(s, p, branch.line, &e));
}

static bool note_all_lines(struct survey *s)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->came.count; i++)
        ok = note_lines(s, s->came.items[i], &s->places.items[s->came.items[i]]);
    s->came.count = 0;
    return ok;
}

/* False: out of memory. */
static bool come(struct survey *s, struct place_seen *p, const struct hs_event *e)
{
    const bool again = p->run == s->run + 1;
    bool ok = true;
    if (!again) {
        uint32_t *id = vec_push(&s->came);
        ok = id != NULL;
        if (ok)
            *id = e->dataid;
    } else if (p->value != e->value && signs[p->sign].event == EVENT_LABEL) {
        ok = note_lines(s, e->dataid, p);
    }
    p->order = ++s->order;
    p->position = e->position;
    p->thread = e->thread;
    return ok;
}

static bool take(struct survey *s, const struct hs_event *e)
{
    if (e->dataid >= s->places.count)
        return true;
    struct place_seen *p = &s->places.items[e->dataid];
    if (p->key == 0)
        look_up(s, e->dataid, p);
    if (!p->wanted)
        return true;
    const enum hs_suspect_kind kind = signs[p->sign].kind;
    const bool again = p->run == s->run + 1;
    if (!come(s, p, e))
        return false;
    if (again && (kind == HS_SUSPECT_METHOD || p->value == e->value))
        return true;
    p->had = again ? p->had : 0;
    p->run = s->run + 1;
    p->value = e->value;
    switch (kind) {
    case HS_SUSPECT_BRANCH: return take_branch(s, p, e);
    case HS_SUSPECT_VALUE: return take_value(s, p, e);
    case HS_SUSPECT_EXCEPTION: return take_exception(s, p, e);
    case HS_SUSPECT_LINE: return true;
    case HS_SUSPECT_METHOD:
        return note(s, p->key,
                    &(struct feature){ .method = p->method, .kind = signs[p->sign].kind, .word = signs[p->sign].word },
                    e);
    }
    return true;
}

/* ---- tests whose events were dropped ---- */

static bool take_dropped(void *context, uint64_t key, uint64_t tests)
{
    struct survey *s = context;
    struct feature *f = map_put(&s->features, key);
    if (f != NULL)
        f->runs[0] += tests;
    return f != NULL;
}

/* Those of the trace, before its first run. */
static enum status read_dropped(struct survey *s, const struct hs_suspect_run *run, struct error *err)
{
    uint64_t tests = 0;
    const bool whole = run->from == 0 && run->to == UINT64_MAX;
    const enum status st = whole ? OK : passed_features(run->trace, take_dropped, s, &tests, err);
    s->runs[0] += tests;
    return st;
}

static enum status read_run(struct survey *s, struct error *err)
{
    const struct hs_suspect_run *run = &s->want->runs[s->run];
    struct phase phase PHASE_ENDS = trace_phase(run->trace, "suspects");
    unsigned types[SIGNS];
    struct walk walk;
    struct hs_event e;
    bool ok = true;
    if (s->trace != run->trace) {
        s->places.count = 0;
        if (!vec_extend(&s->places, (size_t)hs_dataid_count(run->trace) + 1))
            return state_memory(run->trace, err);
        memset(s->places.items, 0, s->places.count * sizeof *s->places.items);
        s->trace = run->trace;
        const enum status st = read_dropped(s, run, err);
        if (st != OK)
            return st;
    }
    for (size_t i = 0; i < SIGNS; i++)
        types[i] = signs[i].event;
    s->runs[run->failed]++;
    walk_open_types_from(&walk, run->trace, types, SIGNS, 0, run->from, run->to);
    while (ok && walk_next(&walk, &e))
        ok = (run->thread != UINT32_MAX && e.thread != run->thread) || take(s, &e);
    const enum status st = walk_close(&walk, err);
    ok = ok && note_all_lines(s);
    return st == OK && !ok ? state_memory(run->trace, err) : st;
}

static enum status check(const struct hs_suspect_options *o, struct error *err)
{
    bool has[2] = { false, false };
    if (o == NULL || o->size != sizeof *o)
        return error_set(err, ERR_USAGE, "struct hs_suspect_options has another size than this library's");
    if (o->count > UINT32_MAX / 2)
        return error_set(err, ERR_USAGE, "there are too many runs");
    for (size_t i = 0; i < o->count; i++) {
        has[o->runs[i].failed] = true;
        has[0] |= o->runs[i].trace->env.has[DB_PASSED];
    }
    return has[0] && has[1]
               ? OK
               : error_set(err, ERR_USAGE, "there is no %s run to compare with", has[1] ? "passing" : "failing");
}

int hs_suspects_open(const struct hs_suspect_options *options, hs_cursor **out, struct hs_error *error)
{
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct survey s = { .want = options };
    struct hs_suspect *rows = NULL;
    size_t count = 0;
    struct list_answer *answer = list_answer_new();
    enum status st = answer == NULL ? ERR_MEMORY : check(options, &err);
    for (; st == OK && s.run < options->count; s.run++)
        st = read_run(&s, &err);
    if (st == OK)
        st = suspect_rows(&s, &answer->arena, &rows, &count, &err);
    map_free(&s.features);
    vec_free(&s.places);
    vec_free(&s.came);
    if (st != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_suspect, rows, sizeof *rows, count, answer, out, error);
}

enum status passed_write(const struct hs_suspect_run *runs, size_t count, struct writer *out, struct error *err)
{
    const struct hs_suspect_options all = { .runs = runs, .count = count };
    struct survey s = { .want = &all };
    enum status st = OK;
    for (; st == OK && s.run < count; s.run++)
        st = read_run(&s, err);
    write_varint(out, count);
    write_varint(out, s.features.count);
    for (size_t i = 0; st == OK && i < s.features.cap; i++) {
        const struct feature *f = &s.features.slots[i];
        if (f->key == 0)
            continue;
        write_le8(out, f->key);
        write_varint(out, f->runs[0]);
    }
    map_free(&s.features);
    vec_free(&s.places);
    vec_free(&s.came);
    return st == OK && out->bad ? error_memory(err, "features") : st;
}
