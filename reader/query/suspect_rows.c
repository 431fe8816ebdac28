/* suspect_rows.c - the rows of `suspects`: features with their scores, in words.
 *
 * Lines that no other row names come by their scores behind the others that have them, too; of equal ones that first
 * which ran nearest to the end of the failing run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reader/query/place.h"
#include "reader/query/suspects.h"

static const char *const predicate_texts[PREDICATES] = { "== null", "!= null", "== false", "== true", "< 0",
                                                         "== 0",    "> 0",     "is NaN",   "== \"\"" };

struct scored {
    struct feature *feature;
    uint64_t reached[2];
    double ochiai, increase;
};
typedef VEC(struct scored) scored_vec;

/* That all passing runs did it and no failing one. Those that came there, and for which it was otherwise, say most. */
static bool score_never(const struct survey *s, const struct feature *f, struct scored *out)
{
    const double failing = (double)out->reached[1], passing = (double)(out->reached[0] - f->runs[0]);
    if (f->is_context || f->last == 0 || f->runs[1] > 0 || f->runs[0] < s->runs[0])
        return false;
    out->ochiai = 1;
    out->increase = failing == 0 ? 0 : failing / (failing + passing) - failing / (failing + (double)out->reached[0]);
    return true;
}

static bool score(struct survey *s, struct feature *f, struct scored *out)
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
    return out->increase > 0 || (f->kind == HS_SUSPECT_LINE && out->increase >= 0);
}

static int order_of(double a, double b) { return (a < b) - (a > b); }

static int by_score(const void *x, const void *y)
{
    const struct scored *a = x, *b = y;
    const struct feature *f = a->feature, *g = b->feature;
    int order = order_of(a->ochiai, b->ochiai);
    if (order == 0)
        order = order_of(a->increase, b->increase);
    if (order == 0) /* a line ran because of what the others name */
        order = (f->kind == HS_SUSPECT_LINE) - (g->kind == HS_SUSPECT_LINE);
    if (order == 0)
        order = (f->first_run > g->first_run) - (f->first_run < g->first_run);
    if (order == 0)
        order = (f->order < g->order) - (f->order > g->order);
    if (order == 0)
        order = (f->first.seq > g->first.seq) - (f->first.seq < g->first.seq);
    return order != 0 ? order : (f->key > g->key) - (f->key < g->key);
}

static void put(struct writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

/* `count < 0`, `result of parse == null`, `throws a.b.C`. */
static void put_what(struct writer *w, hs_trace *t, const struct feature *f)
{
    const struct hs_dataid *d = dataid_or_none(t, f->dataid);
    const struct hs_dataid *call = d->event == EVENT_CALL_RETURN ? call_site(t, d) : NULL;
    const char *name = attribute_text(call != NULL ? call : d, "name");
    struct way way;
    switch (f->kind) {
    case HS_SUSPECT_BRANCH:
        if (way_of(t, &f->first, &way))
            way_condition(t, &way, w);
        break;
    case HS_SUSPECT_VALUE:
        if (d->event == EVENT_CALL_RETURN || d->event == EVENT_METHOD_NORMAL_EXIT || name == NULL)
            put(w, f->word);
        if (d->event == EVENT_CALL_RETURN && name != NULL)
            put(w, " of ");
        if (d->event != EVENT_METHOD_NORMAL_EXIT && name != NULL)
            put(w, name);
        put(w, " ");
        put(w, predicate_texts[f->what]);
        break;
    case HS_SUSPECT_EXCEPTION: {
        const struct hs_object *o = f->first.value <= UINT32_MAX ? hs_object_get(t, (uint32_t)f->first.value) : NULL;
        put(w, f->word);
        put(w, " ");
        put(w, o != NULL && o->type != NULL ? o->type : "an exception");
        break;
    }
    case HS_SUSPECT_METHOD:
    case HS_SUSPECT_LINE: break;
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
    if (st == OK && f->kind == HS_SUSPECT_LINE)
        place = (struct hs_place){ .line = (int32_t)f->what, .file = d->file };
    else if (st == OK && d->event == EVENT_LABEL && way_of(t, &first, &way))
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
        .kind = f->kind,
        .method = arena_text(arena, &name),
        .file = place.file,
        .line = place.line,
        .what = what.size > 0 ? arena_text(arena, &what) : NULL,
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

/* Gives each row its place; lines come last, as those that another row names have none. */
static enum status make_rows(struct survey *s, const scored_vec *scored, bool lines, struct arena *arena,
                             struct hs_suspect *out, struct error *err)
{
    enum status st = OK;
    for (size_t i = 0; st == OK && i < scored->count; i++) {
        struct feature *f = scored->items[i].feature;
        if ((f->kind == HS_SUSPECT_LINE) != lines || f->shown)
            continue;
        st = make_row(s, &scored->items[i], arena, &out[i], err);
        f->shown = true;
        struct feature *line = st == OK ? map_get(&s->features, suspect_line_key(f->method, out[i].line)) : NULL;
        if (line != NULL)
            line->shown = true;
    }
    return st;
}

enum status suspect_rows(struct survey *s, struct arena *arena, struct hs_suspect **out, size_t *count,
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
    struct hs_suspect *rows = st == OK ? arena_array(arena, scored.count + 1, sizeof *rows) : NULL;
    if (st == OK && rows == NULL)
        st = state_memory(s->trace, err);
    if (st == OK) {
        memset(rows, 0, (scored.count + 1) * sizeof *rows);
        qsort(scored.items, scored.count, sizeof *scored.items, by_score);
        st = make_rows(s, &scored, false, arena, rows, err);
    }
    if (st == OK)
        st = make_rows(s, &scored, true, arena, rows, err);
    *count = 0;
    for (size_t i = 0; st == OK && i < scored.count; i++)
        if (rows[i].method != NULL)
            rows[(*count)++] = rows[i];
    *out = rows;
    vec_free(&scored);
    return st;
}
