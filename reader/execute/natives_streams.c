/* natives_streams.c - streams of collections, arrays and ranges; see natives.h.
 *
 *     list.stream().filter(f).mapToInt(g).sum()
 *     MADE_STREAM sum <- mapToInt, g <- filter, f <- the elements      values[0]: the stage before, [1]: its lambda
 *
 * As in the JDK nothing runs before the operation that ends the stream, which then takes one element after the other
 * through all stages, and no more than it needs. What a collection without order gives is not known. */
#include <stdio.h>

#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

enum { STAGES_MAX = 32 };
enum stage_is { STAGE_SOURCE, STAGE_MAP, STAGE_FILTER, STAGE_LIMIT, STAGE_SKIP, STAGE_DISTINCT, STAGE_BOXED };

/* The operations that give another stream. */
static const struct operation {
    const char *name;
    enum stage_is is;
    char to; /* the kind of the new stream: A I J D; 0: as before */
} operations[] = {
    { "map", STAGE_MAP, 0 },           { "mapToInt", STAGE_MAP, 'I' }, { "mapToLong", STAGE_MAP, 'J' },
    { "mapToDouble", STAGE_MAP, 'D' }, { "mapToObj", STAGE_MAP, 'A' }, { "filter", STAGE_FILTER, 0 },
    { "limit", STAGE_LIMIT, 0 },       { "skip", STAGE_SKIP, 0 },      { "distinct", STAGE_DISTINCT, 0 },
    { "boxed", STAGE_BOXED, 'A' },
};

static const char *stream_type(char kind)
{
    return kind == 'I'   ? "java.util.stream.IntStream"
           : kind == 'J' ? "java.util.stream.LongStream"
           : kind == 'D' ? "java.util.stream.DoubleStream"
                         : "java.util.stream.Stream";
}

static bool make_source(struct machine *m, const struct jvalue *values, size_t count, char kind, struct jvalue *out)
{
    if (!make_values(m, MADE_STREAM, stream_type(kind), values, count, kind == 'A' ? 'L' : kind, out))
        return false;
    made_of(m, *out)->at = STAGE_SOURCE;
    return true;
}

/* stream() of a collection. */
bool stream_opened(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    const struct made *made = made_of(m, i->given[0]);
    if (!entries_of(m, i->given[0], &h))
        return false;
    if (h.count > 1 && (!h.ordered || (made != NULL && made->unordered)))
        return end_not_known(m, "the order of the entries of a collection");
    return make_source(m, h.values, h.count, 'A', out);
}

/* Arrays.stream and Stream.of of an array. */
bool stream_of_array(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const char letter = i->ref.desc.data[2], kind = jvalue_kind(letter);
    struct jvalue length, v;
    if (!known(m, i->given[0]))
        return false;
    if (i->given[0].bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    if (!array_count(m, i->given[0], &length) || !known(m, length) || length.bits > UNITS_MAX)
        return m->ended == OUTCOME_VALUE && end_limit(m, "its arrays are too long");
    if (!make_source(m, NULL, length.bits, kind, out))
        return false;
    for (uint64_t k = 0; k < length.bits; k++) {
        if (!get_element(m, i->given[0], int_value((int64_t)k), kind, &v))
            return false;
        made_of(m, *out)->values[k] = v;
    }
    return true;
}

/* IntStream.range and rangeClosed. */
bool stream_of_range(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    if (!known(m, i->given[0]) || !known(m, i->given[1]))
        return false;
    const int64_t from = (int64_t)i->given[0].bits, to = (int64_t)i->given[1].bits;
    const int64_t count = to - from + text_is(i->ref.name, "rangeClosed");
    if (count > UNITS_MAX)
        return end_limit(m, "a range is too long");
    if (!make_source(m, NULL, count > 0 ? (size_t)count : 0, 'I', out))
        return false;
    for (int64_t k = 0; k < count; k++)
        made_of(m, *out)->values[k] = int_value(from + k);
    return true;
}

static char kind_of(const struct made *stream) { return jvalue_kind(stream->element); }

static bool is_stream(struct machine *m, struct jvalue v)
{
    const struct made *made = made_of(m, v);
    return made != NULL && made->is == MADE_STREAM ? true : end_not_known(m, "what a stream that exists gives");
}

/* Another stage. */
bool stream_stage(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct operation *o = NULL;
    if (!is_stream(m, i->given[0]))
        return false;
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (text_is(i->ref.name, operations[k].name))
            o = &operations[k];
    const struct jvalue parts[2] = { i->given[0], i->count > 1 ? i->given[1] : null_value() };
    if (o == NULL || !known(m, parts[1]))
        return o != NULL ? false : end_not_known(m, "an operation of a stream");
    if (i->count > 1 && parts[1].kind == 'A' && parts[1].bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    if (parts[1].kind == 'J' && (int64_t)parts[1].bits < 0)
        return throws(m, "java.lang.IllegalArgumentException", "%lld", (long long)parts[1].bits);
    const char kind = o->to != 0 ? o->to : kind_of(made_of(m, i->given[0]));
    if (!make_values(m, MADE_STREAM, stream_type(kind), parts, 2, kind == 'A' ? 'L' : kind, out))
        return false;
    made_of(m, *out)->at = o->is;
    return true;
}

/* ---- running ---- */

struct running {
    struct machine *m;
    const struct made *source;
    struct stage {
        enum stage_is is;
        struct jvalue function;
        char from, to;
        uint64_t seen;
        VEC(struct jvalue) kept; /* of distinct */
    } stages[STAGES_MAX];        /* the last one first */
    size_t count, next;
};

static bool run_begin(struct running *r, struct machine *m, struct jvalue stream)
{
    *r = (struct running){ .m = m };
    if (!is_stream(m, stream))
        return false;
    for (const struct made *s = made_of(m, stream);; s = made_of(m, s->values[0])) {
        if (s->at == STAGE_SOURCE) {
            r->source = s;
            return true;
        }
        if (r->count == STAGES_MAX)
            return end_limit(m, "a stream has too many stages");
        r->stages[r->count++] = (struct stage){ .is = (enum stage_is)s->at,
                                                .function = s->values[1],
                                                .from = kind_of(made_of(m, s->values[0])),
                                                .to = kind_of(s) };
    }
}

static void run_end(struct running *r)
{
    for (size_t i = 0; i < r->count; i++)
        vec_free(&r->stages[i].kept);
}

static const char *word_of(char kind)
{
    return kind == 'I' ? "Int" : kind == 'J' ? "Long" : kind == 'D' ? "Double" : "";
}

/* Calls the one method of a functional interface that takes a value of a kind: test, apply, applyAsInt, ... */
static bool call_function(struct machine *m, struct jvalue function, struct jvalue v, char from, char to, bool tests,
                          struct jvalue *out)
{
    static const char object[] = "Ljava/lang/Object;";
    char name[24], desc[64];
    const char *result = to == 'A' ? "" : word_of(to);
    (void)snprintf(name, sizeof name, "%s%s%s", tests ? "test" : "apply", tests || *result == '\0' ? "" : "As",
                   tests ? "" : result);
    const char letters[2][2] = { { from, '\0' }, { tests ? 'Z' : to, '\0' } };
    (void)snprintf(desc, sizeof desc, "(%s)%s", from == 'A' ? object : letters[0],
                   !tests && to == 'A' ? object : letters[1]);
    const struct jvalue given[2] = { function, v };
    const struct invocation call = { .ref = { .name = { name, strlen(name) }, .desc = { desc, strlen(desc) } },
                                     .given = given,
                                     .count = 2 };
    return m->invoke(m, &call, out) && known(m, *out);
}

enum step { STEP_VALUE, STEP_LEFT_OUT, STEP_END, STEP_FAILED };

static enum step distinct(struct running *r, struct stage *s, struct jvalue v)
{
    for (size_t i = 0; i < s->kept.count; i++) {
        bool equal = s->kept.items[i].bits == v.bits;
        if (v.kind == 'D')
            return end_not_known(r->m, "which real numbers are distinct"), STEP_FAILED;
        if (v.kind == 'A' && !values_equal(r->m, s->kept.items[i], v, &equal))
            return STEP_FAILED;
        if (equal)
            return STEP_LEFT_OUT;
    }
    struct jvalue *to = vec_push(&s->kept);
    if (to == NULL)
        return end_memory(r->m), STEP_FAILED;
    *to = v;
    return STEP_VALUE;
}

static enum step stage_step(struct running *r, struct stage *s, struct jvalue *v)
{
    struct machine *m = r->m;
    struct jvalue out = { .kind = 'V' };
    switch (s->is) {
    case STAGE_SOURCE: break;
    case STAGE_MAP:
        if (!call_function(m, s->function, *v, s->from, s->to, false, &out))
            return STEP_FAILED;
        *v = out;
        break;
    case STAGE_FILTER:
        if (!call_function(m, s->function, *v, s->from, 'Z', true, &out))
            return STEP_FAILED;
        return out.bits != 0 ? STEP_VALUE : STEP_LEFT_OUT;
    case STAGE_LIMIT: return s->seen++ < s->function.bits ? STEP_VALUE : STEP_END;
    case STAGE_SKIP: return s->seen++ < s->function.bits ? STEP_LEFT_OUT : STEP_VALUE;
    case STAGE_DISTINCT: return distinct(r, s, *v);
    case STAGE_BOXED: return s->from == 'A' || make_box(m, s->from, v->bits, v) ? STEP_VALUE : STEP_FAILED;
    }
    return STEP_VALUE;
}

/* The next value that passes all stages. */
static enum step run_next(struct running *r, struct jvalue *out)
{
    for (size_t i = 0; i < r->count; i++) /* no more is taken than a limit passes */
        if (r->stages[i].is == STAGE_LIMIT && r->stages[i].seen >= r->stages[i].function.bits)
            return STEP_END;
    while (r->next < r->source->count) {
        if (++r->m->steps > STEPS_MAX)
            return end_limit(r->m, "it runs for more than 10,000,000 instructions"), STEP_FAILED;
        *out = r->source->values[r->next++];
        if (!known(r->m, *out))
            return STEP_FAILED;
        enum step step = STEP_VALUE;
        for (size_t i = r->count; i-- > 0 && step == STEP_VALUE;)
            step = stage_step(r, &r->stages[i], out);
        if (step != STEP_LEFT_OUT)
            return step;
    }
    return STEP_END;
}

/* ---- what ends a stream ---- */

/* All values; false: it ended otherwise. */
static bool all_values(struct machine *m, struct jvalue stream, const char *type, enum made_is is, struct jvalue *out)
{
    struct running r;
    struct jvalue v;
    VEC(struct jvalue) all = { 0 };
    enum step step = STEP_FAILED;
    if (run_begin(&r, m, stream))
        while ((step = run_next(&r, &v)) == STEP_VALUE) {
            struct jvalue *to = all.count < UNITS_MAX ? vec_push(&all) : NULL;
            if (to == NULL) {
                (void)end_limit(m, "a list is too long");
                step = STEP_FAILED;
                break;
            }
            *to = v;
        }
    run_end(&r);
    const bool good = step == STEP_END && make_values(m, is, type, all.items, all.count, 'L', out);
    vec_free(&all);
    return good;
}

bool stream_list(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    return all_values(m, i->given[0], "java.util.ImmutableCollections$ListN", MADE_FIXED_LIST, out);
}

/* count and sum. */
bool stream_total(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct running r;
    struct jvalue v;
    uint64_t total = 0;
    const bool counts = text_is(i->ref.name, "count");
    enum step step = STEP_FAILED;
    const bool begun = run_begin(&r, m, i->given[0]);
    const char kind = begun ? kind_of(made_of(m, i->given[0])) : 'V';
    for (size_t k = 0; begun && counts && k < r.count; k++)
        if (r.stages[k].is == STAGE_MAP) /* the JDK may leave it out, with its exceptions */
            return run_end(&r), end_not_known(m, "whether count runs what the stages before it do");
    if (begun && kind == 'D' && !counts)
        return run_end(&r), end_not_known(m, "the sum of a DoubleStream, whose rounding depends on the JDK");
    while (begun && (step = run_next(&r, &v)) == STEP_VALUE)
        total += counts ? 1 : v.bits;
    run_end(&r);
    *out = counts || kind == 'J' ? number_value('J', total) : number_value('I', of_int((int32_t)total));
    return step == STEP_END;
}

/* anyMatch, allMatch, noneMatch. */
bool stream_match(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct running r;
    struct jvalue v, yes;
    const bool all = text_is(i->ref.name, "allMatch"), any = text_is(i->ref.name, "anyMatch");
    bool answer = !any;
    enum step step = STEP_FAILED;
    const bool begun = known(m, i->given[1]) && run_begin(&r, m, i->given[0]);
    if (!begun)
        return false;
    const char kind = kind_of(made_of(m, i->given[0]));
    while ((step = run_next(&r, &v)) == STEP_VALUE) {
        if (!call_function(m, i->given[1], v, kind, 'Z', true, &yes)) {
            step = STEP_FAILED;
            break;
        }
        if ((yes.bits != 0) != all) {
            answer = any;
            break;
        }
    }
    run_end(&r);
    *out = int_value(answer);
    return step != STEP_FAILED;
}

bool stream_first(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct running r;
    struct jvalue v = null_value();
    const enum step step = run_begin(&r, m, i->given[0]) ? run_next(&r, &v) : STEP_FAILED;
    run_end(&r);
    if (step == STEP_FAILED)
        return false;
    if (step == STEP_VALUE && v.bits == 0)
        return throws(m, "java.lang.NullPointerException", NULL);
    return make_values(m, MADE_OPTIONAL, "java.util.Optional", &v, step == STEP_VALUE, 'L', out);
}

/* Collectors.toList and joining. */
bool collector_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]) || i->given[k].bits == 0)
            return m->ended == OUTCOME_VALUE && throws(m, "java.lang.NullPointerException", NULL);
    if (!make_values(m, MADE_COLLECTOR, "java.util.stream.Collector", i->given, i->count, 'L', out))
        return false;
    made_of(m, *out)->at = text_is(i->ref.name, "joining");
    return true;
}

static bool join(struct machine *m, const struct made *collector, const struct made *all, struct jvalue *out)
{
    units_vec text = { 0 };
    bool good = collector->count < 3 || append_text(m, &text, collector->values[1], 'L');
    for (uint32_t k = 0; k < all->count && good; k++)
        good = (k == 0 || collector->count == 0 || append_text(m, &text, collector->values[0], 'L')) &&
               append_text(m, &text, all->values[k], 'L');
    good = good && (collector->count < 3 || append_text(m, &text, collector->values[2], 'L'));
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}

bool stream_collected(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct made *collector = made_of(m, i->given[1]);
    struct jvalue all;
    if (collector == NULL || collector->is != MADE_COLLECTOR)
        return end_not_known(m, "what a collector does");
    if (!all_values(m, i->given[0], "java.util.ArrayList", MADE_LIST, &all))
        return false;
    *out = all;
    return collector->at == 0 || join(m, collector, made_of(m, all), out);
}
