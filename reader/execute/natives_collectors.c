/* natives_collectors.c - java.util.stream.Collectors; see natives.h.
 *
 * MADE_COLLECTOR `at`: which one; values: its arguments. */
#include "formats/jvm/arithmetic.h"
#include "reader/execute/natives.h"

/* By the names of the methods. */
enum collects {
    TO_LIST,
    TO_FIXED,
    TO_SET,
    COUNTING,
    JOINING,
    TO_MAP,
    GROUPING,
    PARTITIONING,
    MAPPING,
    SUM_INT,
    SUM_LONG,
    AVERAGE
};
static const char *const names[] = {
    [TO_LIST] = "toList",       [TO_FIXED] = "toUnmodifiableList",
    [TO_SET] = "toSet",         [COUNTING] = "counting",
    [JOINING] = "joining",      [TO_MAP] = "toMap",
    [GROUPING] = "groupingBy",  [PARTITIONING] = "partitioningBy",
    [MAPPING] = "mapping",      [SUM_INT] = "summingInt",
    [SUM_LONG] = "summingLong", [AVERAGE] = "averagingInt",
};

bool collector_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    for (unsigned k = 0; k < i->count; k++)
        if (!known(m, i->given[k]) || i->given[k].bits == 0)
            return m->ended == OUTCOME_VALUE && throws_unsaid(m, "java.lang.NullPointerException");
    if (!make_values(m, MADE_COLLECTOR, "java.util.stream.Collector", i->given, i->count, 'L', out))
        return false;
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (text_is(i->ref.name, names[k]))
            made_of(m, *out)->at = k;
    return true;
}

static bool call(struct machine *m, struct jvalue function, const char *name, const char *desc, struct jvalue v,
                 struct jvalue *out)
{
    const struct jvalue given[2] = { function, v };
    const struct invocation i = { .ref = { .name = { name, strlen(name) }, .desc = { desc, strlen(desc) } },
                                  .given = given,
                                  .count = 2 };
    return m->invoke(m, &i, out) && known(m, *out);
}

static bool apply(struct machine *m, struct jvalue function, struct jvalue v, struct jvalue *out)
{
    return call(m, function, "apply", "(Ljava/lang/Object;)Ljava/lang/Object;", v, out);
}

static bool join(struct machine *m, const struct made *c, const struct jvalue *values, size_t count, struct jvalue *out)
{
    units_vec text = { 0 };
    bool good = c->count < 3 || append_text(m, &text, c->values[1], 'L');
    for (size_t k = 0; k < count && good; k++)
        good = (k == 0 || c->count == 0 || append_text(m, &text, c->values[0], 'L')) &&
               append_text(m, &text, values[k], 'L');
    good = good && (c->count < 3 || append_text(m, &text, c->values[2], 'L'));
    return good ? finish_text(m, &text, out) : (vec_free(&text), false);
}

static bool collect(struct machine *m, const struct made *c, const struct jvalue *values, size_t count,
                    struct jvalue *out);

/* Of values in groups, one for each key, what the collector of groups makes. */
static bool group(struct machine *m, const struct made *c, const struct jvalue *values, size_t count,
                  struct jvalue *out)
{
    const bool parts = c->at == PARTITIONING;
    struct jvalue *keys = arena_array(&m->arena, count + 2, sizeof *keys);
    struct jvalue *members = arena_array(&m->arena, count + 1, sizeof *members);
    uint32_t *group_of = arena_array(&m->arena, count + 1, sizeof *group_of);
    size_t groups = parts ? 2 : 0;
    if (keys == NULL || members == NULL || group_of == NULL)
        return end_memory(m);
    if (parts && (!make_box(m, 'Z', 0, &keys[0]) || !make_box(m, 'Z', 1, &keys[1])))
        return false;
    for (size_t k = 0; k < count; k++) {
        struct jvalue key;
        size_t at = 0;
        bool equal = false;
        if (parts) {
            if (!call(m, c->values[0], "test", "(Ljava/lang/Object;)Z", values[k], &key))
                return false;
            group_of[k] = key.bits != 0;
            continue;
        }
        if (!apply(m, c->values[0], values[k], &key))
            return false;
        if (key.bits == 0)
            return throws_unsaid(m, "java.lang.NullPointerException");
        for (; at < groups; at++) {
            if (!values_equal(m, key, keys[at], &equal))
                return false;
            if (equal)
                break;
        }
        if (at == groups)
            keys[groups++] = key;
        group_of[k] = (uint32_t)at;
    }
    struct jvalue *made = arena_array(&m->arena, groups + 1, sizeof *made);
    if (made == NULL)
        return end_memory(m);
    for (size_t g = 0; g < groups; g++) {
        size_t n = 0;
        for (size_t k = 0; k < count; k++)
            if (group_of[k] == g)
                members[n++] = values[k];
        const struct made *down = c->count > 1 ? made_of(m, c->values[1]) : NULL;
        if (!(c->count > 1 ? collect(m, down, members, n, &made[g])
                           : make_collection(m, "java.util.ArrayList", members, n, false, &made[g])))
            return false;
    }
    return make_map(m, parts ? "java.util.stream.Collectors$Partition" : "java.util.HashMap", keys, made, groups,
                    !parts, out);
}

static bool to_map(struct machine *m, const struct made *c, const struct jvalue *values, size_t count,
                   struct jvalue *out)
{
    struct jvalue *keys = arena_array(&m->arena, 2 * count + 1, sizeof *keys), *of = keys + count;
    if (keys == NULL)
        return end_memory(m);
    for (size_t k = 0; k < count; k++) {
        if (!apply(m, c->values[0], values[k], &keys[k]) || !apply(m, c->values[1], values[k], &of[k]))
            return false;
        if (of[k].bits == 0)
            return throws_unsaid(m, "java.lang.NullPointerException");
        for (size_t at = 0; at < k; at++) {
            bool equal;
            if (!values_equal(m, keys[k], keys[at], &equal))
                return false;
            if (equal)
                return throws_unsaid(m, "java.lang.IllegalStateException");
        }
    }
    return make_map(m, "java.util.HashMap", keys, of, count, true, out);
}

/* summingInt, summingLong, averagingInt */
static bool total(struct machine *m, const struct made *c, const struct jvalue *values, size_t count,
                  struct jvalue *out)
{
    const bool longs = c->at == SUM_LONG;
    uint64_t sum = 0;
    for (size_t k = 0; k < count; k++) {
        struct jvalue v;
        if (!call(m, c->values[0], longs ? "applyAsLong" : "applyAsInt",
                  longs ? "(Ljava/lang/Object;)J" : "(Ljava/lang/Object;)I", values[k], &v))
            return false;
        sum += v.bits;
    }
    if (c->at == AVERAGE)
        return make_box(m, 'D', of_double(count > 0 ? (double)(int64_t)sum / (double)count : 0), out);
    return make_box(m, longs ? 'J' : 'I', longs ? sum : of_int((int32_t)(uint32_t)sum), out);
}

static bool mapped(struct machine *m, const struct made *c, const struct jvalue *values, size_t count,
                   struct jvalue *out)
{
    struct jvalue *of = arena_array(&m->arena, count + 1, sizeof *of);
    if (of == NULL)
        return end_memory(m);
    for (size_t k = 0; k < count; k++)
        if (!apply(m, c->values[0], values[k], &of[k]))
            return false;
    return collect(m, made_of(m, c->values[1]), of, count, out);
}

static bool collect(struct machine *m, const struct made *c, const struct jvalue *values, size_t count,
                    struct jvalue *out)
{
    if (c == NULL || c->is != MADE_COLLECTOR)
        return end_not_known(m, "what a collector does");
    if (m->calls >= CALLS_MAX)
        return end_limit(m, "it calls too deeply");
    m->calls++;
    bool good = false;
    switch ((enum collects)c->at) {
    case TO_LIST: good = make_collection(m, "java.util.ArrayList", values, count, false, out); break;
    case TO_FIXED: good = make_list_of(m, values, count, out); break;
    case TO_SET: good = make_set(m, values, count, out); break;
    case COUNTING: good = make_box(m, 'J', count, out); break;
    case JOINING: good = join(m, c, values, count, out); break;
    case TO_MAP: good = to_map(m, c, values, count, out); break;
    case GROUPING:
    case PARTITIONING: good = group(m, c, values, count, out); break;
    case MAPPING: good = mapped(m, c, values, count, out); break;
    case SUM_INT:
    case SUM_LONG:
    case AVERAGE: good = total(m, c, values, count, out); break;
    }
    m->calls--;
    return good;
}

bool stream_collected(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct jvalue all;
    if (!known(m, i->given[1]) || !stream_values(m, i->given[0], &all))
        return false;
    const struct made *values = made_of(m, all);
    return collect(m, made_of(m, i->given[1]), values->values, values->count, out);
}
