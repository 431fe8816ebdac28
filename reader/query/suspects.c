/* suspects.c - what sets failing runs apart: which features (branches, values, exceptions, methods) failing runs had
 * more often than passing ones.
 *
 *     ochiai     failing / sqrt(all failing * (failing + passing))                         (Abreu, Zoeteweij 2007)
 *     increase   failing / (failing + passing)
 *                - failing that came there / all that came there                           (Liblit and others 2005)
 *
 * One pass over the labels, entries, exits, exceptions and values of each run. A run has a feature or has not: how
 * often does not count. Features are the same in several traces if their class, method, instruction and what they say
 * are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/query/decision.h"
#include "reader/query/place.h"

static const char *const kinds[] = {
    [HS_SUSPECT_BRANCH] = "branch",
    [HS_SUSPECT_VALUE] = "value",
    [HS_SUSPECT_EXCEPTION] = "exception",
    [HS_SUSPECT_METHOD] = "method",
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
} told_by[] = {
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
};
enum { TOLD = sizeof told_by / sizeof *told_by };

/* What a value may satisfy. */
enum predicate { IS_NULL, NOT_NULL, IS_FALSE, IS_TRUE, BELOW_ZERO, IS_ZERO, ABOVE_ZERO, IS_NAN, IS_EMPTY, PREDICATES };
static const char *const predicate_texts[PREDICATES] = { "== null", "!= null", "== false", "== true", "< 0",
                                                         "== 0",    "> 0",     "is NaN",   "== \"\"" };

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

/* ---- features ---- */

/* What runs had it; one without `kind` counts the runs that came there. */
struct feature {
    uint64_t key;
    uint64_t context;      /* key of the feature that counts these; 0: all runs */
    size_t last;           /* number of the last run that had it, + 1 */
    uint64_t runs[2];      /* passing, failing */
    uint32_t dataid, what; /* what: of a value its predicate */
    uint32_t first_run;    /* of the failing ones, with `never` of the passing ones */
    uint8_t told;          /* row of told_by */
    bool is_context;
    struct hs_event first;
};
/* A data ID of the trace that is being read. */
struct place_seen {
    uint64_t key;    /* the same in all traces; 0: it is not looked up yet */
    uint64_t method; /* of its method */
    size_t run;      /* number of the last run that came here, + 1 */
    unsigned had;    /* predicates in it */
    uint64_t value;
    uint8_t told;
    bool wanted;
};
struct survey {
    const struct hs_suspect_options *want;
    MAP(struct feature) features;
    VEC(struct place_seen) places; /* by data ID */
    hs_trace *trace;
    size_t run;
    uint64_t runs[2];
};

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
    for (uint8_t i = 0; i < TOLD; i++)
        if (told_by[i].event == d->event)
            p->told = i;
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
        f->what = like->what;
        f->told = like->told;
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
           note(s, key, &(struct feature){ .context = branch, .told = p->told }, e);
}

static bool take_value(struct survey *s, struct place_seen *p, const struct hs_event *e)
{
    const unsigned are = predicates_of(s->trace, e), fresh = are & ~p->had;
    bool ok = true;
    if (p->had == 0 && are != 0)
        ok = note(s, p->key, &(struct feature){ .is_context = true }, e);
    for (unsigned i = 0; ok && i < PREDICATES; i++)
        if ((fresh >> i & 1) != 0)
            ok = note(s, mix(p->key, i + 1), &(struct feature){ .context = p->key, .what = i, .told = p->told }, e);
    p->had |= are;
    return ok;
}

static bool take_exception(struct survey *s, const struct place_seen *p, const struct hs_event *e)
{
    const struct hs_object *o = e->value <= UINT32_MAX ? hs_object_get(s->trace, (uint32_t)e->value) : NULL;
    return note(s, text_key(p->key, o != NULL ? o->type : "?"), &(struct feature){ .told = p->told }, e);
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
    const enum hs_suspect_kind kind = told_by[p->told].kind;
    const bool again = p->run == s->run + 1;
    if (again && (kind == HS_SUSPECT_METHOD || p->value == e->value))
        return true;
    p->had = again ? p->had : 0;
    p->run = s->run + 1;
    p->value = e->value;
    switch (kind) {
    case HS_SUSPECT_BRANCH: return take_branch(s, p, e);
    case HS_SUSPECT_VALUE: return take_value(s, p, e);
    case HS_SUSPECT_EXCEPTION: return take_exception(s, p, e);
    case HS_SUSPECT_METHOD: return note(s, p->key, &(struct feature){ .told = p->told }, e);
    }
    return true;
}

static enum status read_run(struct survey *s, struct error *err)
{
    const struct hs_suspect_run *run = &s->want->runs[s->run];
    struct phase phase PHASE_ENDS = trace_phase(run->trace, "suspects");
    unsigned types[TOLD];
    struct walk walk;
    struct hs_event e;
    bool ok = true;
    if (s->trace != run->trace) {
        s->places.count = 0;
        if (!vec_extend(&s->places, (size_t)hs_dataid_count(run->trace) + 1))
            return state_memory(run->trace, err);
        memset(s->places.items, 0, s->places.count * sizeof *s->places.items);
        s->trace = run->trace;
    }
    for (size_t i = 0; i < TOLD; i++)
        types[i] = told_by[i].event;
    s->runs[run->failed]++;
    walk_open_types_from(&walk, run->trace, types, TOLD, 0, run->from, run->to);
    while (ok && walk_next(&walk, &e))
        ok = (run->thread != UINT32_MAX && e.thread != run->thread) || take(s, &e);
    const enum status st = walk_close(&walk, err);
    return st == OK && !ok ? state_memory(run->trace, err) : st;
}

/* ---- rows ---- */

struct scored {
    const struct feature *feature;
    uint64_t reached[2];
    double ochiai, increase;
};
typedef VEC(struct scored) scored_vec;

/* That all passing runs did it and no failing one. Those that came there, and for which it was otherwise, say most. */
static bool score_never(const struct survey *s, const struct feature *f, struct scored *out)
{
    const double failing = (double)out->reached[1], passing = (double)(out->reached[0] - f->runs[0]);
    if (f->is_context || f->runs[1] > 0 || f->runs[0] < s->runs[0])
        return false;
    out->ochiai = 1;
    out->increase = failing == 0 ? 0 : failing / (failing + passing) - failing / (failing + (double)out->reached[0]);
    return true;
}

static bool score(struct survey *s, const struct feature *f, struct scored *out)
{
    const struct feature *context = f->context != 0 ? map_get(&s->features, f->context) : NULL;
    const uint64_t *reached = context != NULL ? context->runs : s->runs;
    const double failing = (double)f->runs[1], passing = (double)f->runs[0];
    *out = (struct scored){ .feature = f, .reached = { reached[0], reached[1] } };
    if (s->want->never)
        return score_never(s, f, out);
    if (f->is_context || f->runs[1] == 0)
        return false;
    out->ochiai = failing / sqrt((double)s->runs[1] * (failing + passing));
    out->increase = failing / (failing + passing) - (double)reached[1] / ((double)reached[0] + (double)reached[1]);
    return out->increase > 0;
}

static int order_of(double a, double b) { return (a < b) - (a > b); }

static int by_score(const void *x, const void *y)
{
    const struct scored *a = x, *b = y;
    const struct feature *f = a->feature, *g = b->feature;
    int order = order_of(a->ochiai, b->ochiai);
    if (order == 0)
        order = order_of(a->increase, b->increase);
    if (order == 0)
        order = (f->first_run > g->first_run) - (f->first_run < g->first_run);
    if (order == 0)
        order = (f->first.seq > g->first.seq) - (f->first.seq < g->first.seq);
    return order != 0 ? order : (f->key > g->key) - (f->key < g->key);
}

static char *keep_text(struct arena *arena, struct writer *w)
{
    write_u1(w, 0);
    char *out = w->bad ? NULL : arena_chars(arena, w->size);
    if (out != NULL)
        memcpy(out, w->data, w->size);
    writer_free(w);
    return out;
}

static void put(struct writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

/* `count < 0`, `result of parse == null`, `throws a.b.C`. */
static void put_what(struct writer *w, hs_trace *t, const struct feature *f)
{
    const struct hs_dataid *d = dataid_or_none(t, f->dataid);
    const struct hs_dataid *call = d->event == EVENT_CALL_RETURN ? call_site(t, d) : NULL;
    const char *name = attribute_text(call != NULL ? call : d, "name");
    struct way way;
    switch (told_by[f->told].kind) {
    case HS_SUSPECT_BRANCH:
        if (way_of(t, &f->first, &way))
            way_condition(t, &way, w);
        break;
    case HS_SUSPECT_VALUE:
        if (d->event == EVENT_CALL_RETURN || d->event == EVENT_METHOD_NORMAL_EXIT || name == NULL)
            put(w, told_by[f->told].word);
        if (d->event == EVENT_CALL_RETURN && name != NULL)
            put(w, " of ");
        if (d->event != EVENT_METHOD_NORMAL_EXIT && name != NULL)
            put(w, name);
        put(w, " ");
        put(w, predicate_texts[f->what]);
        break;
    case HS_SUSPECT_EXCEPTION: {
        const struct hs_object *o = f->first.value <= UINT32_MAX ? hs_object_get(t, (uint32_t)f->first.value) : NULL;
        put(w, told_by[f->told].word);
        put(w, " ");
        put(w, o != NULL && o->type != NULL ? o->type : "an exception");
        break;
    }
    case HS_SUSPECT_METHOD: break;
    }
}

static enum status make_row(struct survey *s, const struct scored *from, struct arena *arena, struct hs_suspect *out,
                            struct error *err)
{
    const struct feature *f = from->feature;
    hs_trace *t = s->want->runs[f->first_run].trace;
    const struct hs_dataid *d = dataid_or_none(t, f->dataid);
    const struct hs_method *m = hs_method_get(t, d->method_id);
    struct hs_place place = { .line = -1 };
    struct hs_event first = f->first;
    struct writer name = { 0 }, what = { 0 };
    struct way way;
    enum status st = positions_number(t, &first, err);
    if (st == OK && d->event == EVENT_LABEL && way_of(t, &first, &way))
        place_of_pc(t, way.method, way.method->code.insns.items[way.branch].pc, &place);
    else if (st == OK)
        st = place_of(t, &first, &place, err);
    if (st != OK)
        return st;
    put(&name, m != NULL ? hs_class_get(t, m->class_no)->name : "?");
    put(&name, ".");
    put(&name, m != NULL ? m->name : "?");
    put_what(&what, t, f);
    *out = (struct hs_suspect){
        .kind = told_by[f->told].kind,
        .method = keep_text(arena, &name),
        .file = place.file,
        .line = place.line,
        .what = what.size > 0 ? keep_text(arena, &what) : NULL,
        .failing = f->runs[1],
        .passing = f->runs[0],
        .failing_reached = from->reached[1],
        .passing_reached = from->reached[0],
        .ochiai = from->ochiai,
        .increase = from->increase,
        .run = f->first_run,
        .seq = first.seq,
        .never = s->want->never,
    };
    return out->method != NULL ? OK : state_memory(t, err);
}

static enum status make_rows(struct survey *s, struct arena *arena, struct hs_suspect **out, size_t *count,
                             struct error *err)
{
    scored_vec scored = { 0 };
    struct scored one;
    enum status st = OK;
    for (size_t i = 0; st == OK && i < s->features.cap; i++) {
        if (s->features.slots[i].key == 0 || !score(s, &s->features.slots[i], &one))
            continue;
        struct scored *to = vec_push(&scored);
        if (to != NULL)
            *to = one;
        else
            st = state_memory(s->trace, err);
    }
    *count = scored.count;
    *out = st == OK ? arena_array(arena, scored.count + 1, sizeof **out) : NULL;
    if (st == OK && *out == NULL)
        st = state_memory(s->trace, err);
    if (st == OK && scored.count > 0)
        qsort(scored.items, scored.count, sizeof *scored.items, by_score);
    for (size_t i = 0; st == OK && i < scored.count; i++)
        st = make_row(s, &scored.items[i], arena, *out + i, err);
    vec_free(&scored);
    return st;
}

static enum status check(const struct hs_suspect_options *o, struct error *err)
{
    bool has[2] = { false, false };
    if (o == NULL || o->size != sizeof *o)
        return error_set(err, ERR_USAGE, "struct hs_suspect_options has another size than this library's");
    if (o->count > UINT32_MAX / 2)
        return error_set(err, ERR_USAGE, "there are too many runs");
    for (size_t i = 0; i < o->count; i++)
        has[o->runs[i].failed] = true;
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
        st = make_rows(&s, &answer->arena, &rows, &count, &err);
    map_free(&s.features);
    vec_free(&s.places);
    if (st != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_suspect, rows, sizeof *rows, count, answer, out, error);
}
