/* natives_ends.c - what ends a stream: count, reduce, forEach, toList and the others; see natives_streams.c. */
#include <stdio.h>

#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives_streams.h"

bool stream_list(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    return stream_all(m, i->given[0], "java.util.ImmutableCollections$ListN", MADE_FIXED_LIST, out);
}

/* count and sum. */
bool stream_total(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct stream_run r;
    struct jvalue v;
    uint64_t total = 0;
    const bool counts = text_is(i->ref.name, "count");
    enum step step = STEP_FAILED;
    const bool begun = stream_begin(&r, m, i->given[0]);
    const char kind = begun ? stream_kind(made_of(m, i->given[0])) : 'V';
    for (size_t k = 0; begun && counts && k < r.count; k++)
        if (r.stages[k].is == STAGE_MAP ||
            r.stages[k].is == STAGE_FLAT) /* the JDK may leave it out, with its exceptions */
            return stream_end(&r), end_not_known(m, "whether count runs what the stages before it do");
    if (begun && kind == 'D' && !counts)
        return stream_end(&r), end_not_known(m, "the sum of a DoubleStream, whose rounding depends on the JDK");
    while (begun && (step = stream_next(&r, &v)) == STEP_VALUE)
        total += counts ? 1 : v.bits;
    stream_end(&r);
    *out = counts || kind == 'J' ? number_value('J', total) : number_value('I', of_int((int32_t)total));
    return step == STEP_END;
}

/* anyMatch, allMatch, noneMatch. */
bool stream_match(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct stream_run r;
    struct jvalue v, yes;
    const bool all = text_is(i->ref.name, "allMatch"), any = text_is(i->ref.name, "anyMatch");
    bool answer = !any;
    enum step step = STEP_FAILED;
    const bool begun = known(m, i->given[1]) && stream_begin(&r, m, i->given[0]);
    if (!begun)
        return false;
    const char kind = stream_kind(made_of(m, i->given[0]));
    while ((step = stream_next(&r, &v)) == STEP_VALUE) {
        if (!stream_call(m, i->given[1], v, kind, 'Z', true, &yes)) {
            step = STEP_FAILED;
            break;
        }
        if ((yes.bits != 0) != all) {
            answer = any;
            break;
        }
    }
    stream_end(&r);
    *out = int_value(answer);
    return step != STEP_FAILED;
}

bool stream_first(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct stream_run r;
    struct jvalue v = null_value();
    const enum step step = stream_begin(&r, m, i->given[0]) ? stream_next(&r, &v) : STEP_FAILED;
    stream_end(&r);
    if (step == STEP_FAILED)
        return false;
    if (step == STEP_VALUE && v.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    return make_values(m, MADE_OPTIONAL, "java.util.Optional", &v, step == STEP_VALUE, 'L', out);
}

/* toArray, and the array as one of numbers. */
bool stream_array(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue all;
    if (!is_stream(m, i->given[0]) || !stream_values(m, i->given[0], &all))
        return false;
    const char kind = stream_kind(made_of(m, i->given[0]));
    const struct made *values = made_of(m, all);
    const char *type = kind == 'I' ? "int[]" : kind == 'J' ? "long[]" : kind == 'D' ? "double[]" : "java.lang.Object[]";
    return make_values(m, MADE_ARRAY, type, values->values, values->count, kind == 'A' ? 'L' : kind, out);
}

bool stream_iterator(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue all;
    if (!is_stream(m, i->given[0]) || stream_kind(made_of(m, i->given[0])) != 'A' ||
        !stream_values(m, i->given[0], &all))
        return m->ended == OUTCOME_VALUE && end_not_known(m, "an iterator of numbers");
    const struct made *values = made_of(m, all);
    return make_values(m, MADE_ITERATOR, "java.util.Iterator", values->values, values->count, 'L', out);
}

/* Calls the operator of two values, of the kind A I J D. */
static bool combined(struct machine *m, struct jvalue operator, char kind, struct jvalue a, struct jvalue b,
                     struct jvalue *out)
{
    static const char objects[] = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    const char numbers[] = { '(', kind, kind, ')', kind, '\0' };
    char name[16];
    (void)snprintf(name, sizeof name, "apply%s%s", kind == 'A' ? "" : "As", stream_word(kind));
    const char *desc = kind == 'A' ? objects : numbers;
    const struct jvalue given[3] = { operator, a, b };
    const struct invocation call = { .ref = { .name = { name, strlen(name) }, .desc = { desc, strlen(desc) } },
                                     .given = given,
                                     .count = 3 };
    return m->invoke(m, &call, out) && known(m, *out);
}

/* reduce, with a first value or not. */
bool stream_reduced(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct stream_run r;
    struct jvalue v, all = i->given[1];
    bool any = i->count > 2;
    const struct jvalue operator= i->given[i->count - 1];
    enum step step = STEP_FAILED;
    if (!known(m, all) || !known(m, operator) || !stream_begin(&r, m, i->given[0]))
        return false;
    const char kind = stream_kind(made_of(m, i->given[0]));
    while ((step = stream_next(&r, &v)) == STEP_VALUE) {
        if (any && !combined(m, operator, kind, all, v, &v)) {
            step = STEP_FAILED;
            break;
        }
        all = v;
        any = true;
    }
    stream_end(&r);
    if (step == STEP_FAILED)
        return false;
    if (i->count > 2)
        return *out = all, true;
    if (any && kind == 'A' && all.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    return make_optional(m, kind, any ? &all : NULL, out);
}

/* max and min, by a comparator or of numbers. */
bool stream_extreme(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct stream_run r;
    struct jvalue v, best = null_value();
    bool any = false;
    const bool max = text_is(i->ref.name, "max");
    enum step step = STEP_FAILED;
    if ((i->count > 1 && !known(m, i->given[1])) || !stream_begin(&r, m, i->given[0]))
        return false;
    const char kind = stream_kind(made_of(m, i->given[0]));
    if (kind == 'D' || (kind == 'A') != (i->count > 1))
        return stream_end(&r), end_not_known(m, "the largest of a DoubleStream");
    while ((step = stream_next(&r, &v)) == STEP_VALUE) {
        int32_t order = (int64_t)best.bits < (int64_t)v.bits ? -1 : 1;
        if (any && kind == 'A' && !compare_values(m, i->given[1], best, v, &order)) {
            step = STEP_FAILED;
            break;
        }
        if (!any || (max ? order < 0 : order > 0))
            best = v;
        any = true;
    }
    stream_end(&r);
    if (step == STEP_FAILED)
        return false;
    if (any && kind == 'A' && best.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    return make_optional(m, kind, any ? &best : NULL, out);
}

/* average, of ints and longs */
bool stream_average(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct stream_run r;
    struct jvalue v;
    uint64_t sum = 0, n = 0;
    enum step step = STEP_FAILED;
    if (!stream_begin(&r, m, i->given[0]))
        return false;
    const char kind = stream_kind(made_of(m, i->given[0]));
    if (kind != 'I' && kind != 'J')
        return stream_end(&r), end_not_known(m, "the sum of a DoubleStream, whose rounding depends on the JDK");
    for (; (step = stream_next(&r, &v)) == STEP_VALUE; n++)
        sum += v.bits;
    stream_end(&r);
    if (step == STEP_FAILED)
        return false;
    v = number_value('D', of_double(n > 0 ? (double)(int64_t)sum / (double)n : 0));
    return make_optional(m, 'D', n > 0 ? &v : NULL, out);
}

/* forEach of a stream or a collection. */
bool stream_each(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct stream_run r = { .m = m };
    struct held h = { 0 };
    struct jvalue v;
    const bool stream = nature_of(m, i->given[0]) == NATURE_STREAM;
    const uint32_t changes = stream ? 0 : made_of(m, i->given[0]) != NULL ? made_of(m, i->given[0])->changes : 0;
    enum step step = STEP_VALUE;
    *out = (struct jvalue){ .kind = 'V' };
    if (!known(m, i->given[1]) || (stream ? !stream_begin(&r, m, i->given[0]) : !elements_of(m, i->given[0], &h)))
        return false;
    const char kind = stream ? stream_kind(made_of(m, i->given[0])) : 'A';
    const char numbers[] = { '(', kind, ')', 'V', '\0' };
    const char *desc = kind == 'A' ? "(Ljava/lang/Object;)V" : numbers;
    for (size_t k = 0; step == STEP_VALUE; k++) {
        if (stream)
            step = stream_next(&r, &v);
        else if (k < h.count)
            v = h.values[k];
        else
            break;
        const struct jvalue given[2] = { i->given[1], v };
        const struct invocation call = { .ref = { .name = TEXT_OF("accept"), .desc = { desc, strlen(desc) } },
                                         .given = given,
                                         .count = 2 };
        struct jvalue none;
        if (step == STEP_VALUE && !m->invoke(m, &call, &none))
            step = STEP_FAILED;
    }
    stream_end(&r);
    if (step != STEP_FAILED && !stream && made_of(m, i->given[0]) != NULL &&
        made_of(m, i->given[0])->changes != changes)
        return end_not_known(m, "what a change does to a collection that is gone through");
    return step != STEP_FAILED;
}

/* Stream.concat */
bool stream_joined(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue a, b;
    if (!known(m, i->given[0]) || !known(m, i->given[1]) || !stream_values(m, i->given[0], &a) ||
        !stream_values(m, i->given[1], &b))
        return false;
    const struct made *x = made_of(m, a), *y = made_of(m, b);
    if (!stream_source(m, NULL, (size_t)x->count + y->count, 'A', out))
        return false;
    struct made *all = made_of(m, *out);
    memcpy(all->values, x->values, x->count * sizeof *x->values);
    memcpy(all->values + x->count, y->values, y->count * sizeof *y->values);
    return true;
}
