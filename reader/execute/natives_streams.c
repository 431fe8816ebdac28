/* natives_streams.c - streams of collections, arrays and ranges; see natives.h.
 *
 *     list.stream().filter(f).mapToInt(g).sum()
 *     MADE_STREAM sum <- mapToInt, g <- filter, f <- the elements      values[0]: the stage before, [1]: its lambda
 *
 * As in the JDK nothing runs before the operation that ends the stream, which then takes one element after the other
 * through all stages, and no more than it needs. What a collection without order gives is not known. */
#include <stdio.h>

#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives_streams.h"

/* The operations that give another stream. */
static const struct operation {
    const char *name;
    enum stage_is is;
    char to; /* the kind of the new stream: A I J D; 0: as before */
} operations[] = {
    { "map", STAGE_MAP, 0 },
    { "mapToInt", STAGE_MAP, 'I' },
    { "mapToLong", STAGE_MAP, 'J' },
    { "mapToDouble", STAGE_MAP, 'D' },
    { "mapToObj", STAGE_MAP, 'A' },
    { "filter", STAGE_FILTER, 0 },
    { "limit", STAGE_LIMIT, 0 },
    { "skip", STAGE_SKIP, 0 },
    { "distinct", STAGE_DISTINCT, 0 },
    { "boxed", STAGE_BOXED, 'A' },
    { "asLongStream", STAGE_WIDER, 'J' },
    { "asDoubleStream", STAGE_WIDER, 'D' },
    { "sorted", STAGE_SORTED, 0 },
    { "takeWhile", STAGE_TAKE_WHILE, 0 },
    { "dropWhile", STAGE_DROP_WHILE, 0 },
    { "flatMap", STAGE_FLAT, 0 },
};

static const char *stream_type(char kind)
{
    return kind == 'I'   ? "java.util.stream.IntStream"
           : kind == 'J' ? "java.util.stream.LongStream"
           : kind == 'D' ? "java.util.stream.DoubleStream"
                         : "java.util.stream.Stream";
}

bool stream_source(struct machine *m, const struct jvalue *values, size_t count, char kind, struct jvalue *out)
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
    if (!entries_of(m, i->given[0], &h))
        return false;
    if (h.count > 1 && !h.ordered)
        return end_not_known(m, "the order of the entries of a collection");
    return stream_source(m, h.values, h.count, 'A', out);
}

/* Arrays.stream and Stream.of of an array. */
bool stream_of_array(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const char letter = i->ref.desc.data[2], kind = jvalue_kind(letter);
    struct jvalue length, v;
    if (!known(m, i->given[0]))
        return false;
    if (i->given[0].bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (!array_count(m, i->given[0], &length) || !known(m, length) || length.bits > UNITS_MAX)
        return m->ended == OUTCOME_VALUE && end_limit(m, "its arrays are too long");
    int32_t from = 0, to = (int32_t)length.bits;
    if (i->count > 2 && (!int_of(m, i->given[1], &from) || !int_of(m, i->given[2], &to)))
        return false;
    if (from < 0 || to < from || (uint64_t)to > length.bits)
        return throws_unsaid(m, "java.lang.ArrayIndexOutOfBoundsException");
    if (!stream_source(m, NULL, (size_t)(to - from), kind, out))
        return false;
    for (int32_t k = from; k < to; k++) {
        if (!get_element(m, i->given[0], int_value(k), kind, &v))
            return false;
        made_of(m, *out)->values[k - from] = v;
    }
    return true;
}

/* Stream.of and IntStream.of of one value, empty. */
bool stream_of_one(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const bool ints = text_is_class(i->ref.owner, "java.util.stream.IntStream");
    return stream_source(m, i->given, i->count, ints ? 'I' : 'A', out);
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
    if (!stream_source(m, NULL, count > 0 ? (size_t)count : 0, 'I', out))
        return false;
    for (int64_t k = 0; k < count; k++)
        made_of(m, *out)->values[k] = int_value(from + k);
    return true;
}

bool is_stream(struct machine *m, struct jvalue v)
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
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (parts[1].kind == 'J' && (int64_t)parts[1].bits < 0)
        return throws(m, "java.lang.IllegalArgumentException", "%lld", (long long)parts[1].bits);
    const char kind = o->to != 0 ? o->to : stream_kind(made_of(m, i->given[0]));
    if (!make_values(m, MADE_STREAM, stream_type(kind), parts, 2, kind == 'A' ? 'L' : kind, out))
        return false;
    made_of(m, *out)->at = o->is;
    return true;
}

/* ---- running ---- */

static bool sorted_values(struct machine *m, const struct made *stage, struct jvalue *out);

bool stream_begin(struct stream_run *r, struct machine *m, struct jvalue stream)
{
    *r = (struct stream_run){ .m = m };
    if (!is_stream(m, stream))
        return false;
    for (const struct made *s = made_of(m, stream);; s = made_of(m, s->values[0])) {
        if (s->at == STAGE_SORTED) { /* takes all before it gives the first */
            struct jvalue all;
            if (!sorted_values(m, s, &all))
                return false;
            s = made_of(m, all);
            r->source = s;
            return true;
        }
        if (s->at == STAGE_SOURCE) {
            r->source = s;
            return true;
        }
        if (r->count == STAGES_MAX)
            return end_limit(m, "a stream has too many stages");
        r->stages[r->count++] = (struct stage){ .is = (enum stage_is)s->at,
                                                .function = s->values[1],
                                                .from = stream_kind(made_of(m, s->values[0])),
                                                .to = stream_kind(s) };
    }
}

void stream_end(struct stream_run *r)
{
    for (size_t i = 0; i < r->count; i++)
        vec_free(&r->stages[i].kept);
}

const char *stream_word(char kind) { return kind == 'I' ? "Int" : kind == 'J' ? "Long" : kind == 'D' ? "Double" : ""; }

/* Calls the one method of a functional interface that takes a value of a kind: test, apply, applyAsInt, ... */
bool stream_call(struct machine *m, struct jvalue function, struct jvalue v, char from, char to, bool tests,
                 struct jvalue *out)
{
    static const char object[] = "Ljava/lang/Object;";
    char name[24], desc[64];
    const char *result = to == 'A' ? "" : stream_word(to);
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

static enum step distinct(struct stream_run *r, struct stage *s, struct jvalue v)
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

/* All that the stream has which the function gives. */
static enum step flatten(struct stream_run *r, struct stage *s, struct jvalue v)
{
    struct machine *m = r->m;
    struct jvalue inner, all;
    if (!stream_call(m, s->function, v, 'A', 'A', false, &inner))
        return STEP_FAILED;
    s->kept.count = 0;
    s->seen = 0;
    if (inner.bits == 0)
        return STEP_LEFT_OUT;
    if (m->calls >= CALLS_MAX)
        return end_limit(m, "it calls too deeply"), STEP_FAILED;
    m->calls++;
    const bool good = stream_values(m, inner, &all);
    m->calls--;
    for (uint32_t k = 0; good && k < made_of(m, all)->count; k++) {
        struct jvalue *to = vec_push(&s->kept);
        if (to == NULL)
            return end_memory(m), STEP_FAILED;
        *to = made_of(m, all)->values[k];
    }
    return good ? STEP_LEFT_OUT : STEP_FAILED;
}

static enum step stage_step(struct stream_run *r, struct stage *s, struct jvalue *v)
{
    struct machine *m = r->m;
    struct jvalue out = { .kind = 'V' };
    switch (s->is) {
    case STAGE_SOURCE: break;
    case STAGE_MAP:
        if (!stream_call(m, s->function, *v, s->from, s->to, false, &out))
            return STEP_FAILED;
        *v = out;
        break;
    case STAGE_FILTER:
        if (!stream_call(m, s->function, *v, s->from, 'Z', true, &out))
            return STEP_FAILED;
        return out.bits != 0 ? STEP_VALUE : STEP_LEFT_OUT;
    case STAGE_LIMIT: return s->seen++ < s->function.bits ? STEP_VALUE : STEP_END;
    case STAGE_SKIP: return s->seen++ < s->function.bits ? STEP_LEFT_OUT : STEP_VALUE;
    case STAGE_DISTINCT: return distinct(r, s, *v);
    case STAGE_WIDER:
        *v = number_value(s->to, s->to == 'J'     ? v->bits
                                 : s->from == 'D' ? v->bits
                                                  : of_double((double)(int64_t)v->bits));
        break;
    case STAGE_TAKE_WHILE:
    case STAGE_DROP_WHILE:
        if (s->is == STAGE_DROP_WHILE && s->seen > 0)
            return STEP_VALUE;
        if (!stream_call(m, s->function, *v, s->from, 'Z', true, &out))
            return STEP_FAILED;
        if (s->is == STAGE_TAKE_WHILE)
            return out.bits != 0 ? STEP_VALUE : STEP_END;
        s->seen = out.bits == 0;
        return out.bits != 0 ? STEP_LEFT_OUT : STEP_VALUE;
    case STAGE_FLAT: return flatten(r, s, *v);
    case STAGE_SORTED: break; /* a source by now */
    case STAGE_BOXED: return s->from == 'A' || make_box(m, s->from, v->bits, v) ? STEP_VALUE : STEP_FAILED;
    }
    return STEP_VALUE;
}

/* The next value that passes all stages. */
enum step stream_next(struct stream_run *r, struct jvalue *out)
{
    for (size_t i = 0; i < r->count; i++) /* no more is taken than a limit passes */
        if (r->stages[i].is == STAGE_LIMIT && r->stages[i].seen >= r->stages[i].function.bits)
            return STEP_END;
    for (;;) {
        size_t i = 0; /* the stage behind which the next value is */
        while (i < r->count && (r->stages[i].is != STAGE_FLAT || r->stages[i].seen == r->stages[i].kept.count))
            i++;
        if (i == r->count && r->next == r->source->count)
            break;
        if (++r->m->steps > STEPS_MAX)
            return end_limit(r->m, "it runs for more than 10,000,000 instructions"), STEP_FAILED;
        *out = i < r->count ? r->stages[i].kept.items[r->stages[i].seen++] : r->source->values[r->next++];
        if (!known(r->m, *out))
            return STEP_FAILED;
        enum step step = STEP_VALUE;
        while (i-- > 0 && step == STEP_VALUE)
            step = stage_step(r, &r->stages[i], out);
        if (step != STEP_LEFT_OUT)
            return step;
    }
    return STEP_END;
}

/* All values; false: it ended otherwise. */
bool stream_all(struct machine *m, struct jvalue stream, const char *type, enum made_is is, struct jvalue *out)
{
    struct stream_run r;
    struct jvalue v;
    VEC(struct jvalue) all = { 0 };
    enum step step = STEP_FAILED;
    if (stream_begin(&r, m, stream))
        while ((step = stream_next(&r, &v)) == STEP_VALUE) {
            struct jvalue *to = all.count < UNITS_MAX ? vec_push(&all) : NULL;
            if (to == NULL) {
                (void)end_limit(m, "a list is too long");
                step = STEP_FAILED;
                break;
            }
            *to = v;
        }
    stream_end(&r);
    const bool good = step == STEP_END && make_values(m, is, type, all.items, all.count, 'L', out);
    vec_free(&all);
    return good;
}

bool stream_values(struct machine *m, struct jvalue stream, struct jvalue *out)
{
    return stream_all(m, stream, "java.util.ArrayList", MADE_LIST, out);
}

static bool sorted_values(struct machine *m, const struct made *stage, struct jvalue *out)
{
    const struct jvalue by = stage->values[1];
    const char kind = stream_kind(stage);
    struct jvalue all;
    if (m->calls >= CALLS_MAX)
        return end_limit(m, "it calls too deeply");
    m->calls++;
    const bool good = stream_values(m, stage->values[0], &all);
    m->calls--;
    struct made *values = good ? made_of(m, all) : NULL;
    if (values == NULL)
        return false;
    for (uint32_t k = 0; k < values->count && kind != 'A'; k++)
        if (!make_box(m, kind, values->values[k].bits, &values->values[k]))
            return false;
    if (values->count > 1 && !sort_values(m, by, values->values, values->count))
        return false;
    if (kind == 'A' && values->count == 1 && by.bits == 0 && values->values[0].bits == 0)
        return end_not_known(m, "sorting of null");
    for (uint32_t k = 0; k < values->count && kind != 'A'; k++)
        values->values[k] = made_of(m, values->values[k])->values[0];
    *out = all;
    return true;
}
