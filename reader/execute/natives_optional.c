/* natives_optional.c - Optional, OptionalInt and the others; see natives.h. */
#include "reader/execute/natives.h"

static bool call(struct machine *m, struct jvalue function, const char *name, const char *desc, struct jvalue argument,
                 unsigned count, struct jvalue *out)
{
    const struct jvalue given[2] = { function, argument };
    const struct invocation i = { .ref = { .name = { name, strlen(name) }, .desc = { desc, strlen(desc) } },
                                  .given = given,
                                  .count = 1 + count };
    return m->invoke(m, &i, out) && known(m, *out);
}

bool make_optional(struct machine *m, char kind, const struct jvalue *value, struct jvalue *out)
{
    const char *type = kind == 'I'   ? "java.util.OptionalInt"
                       : kind == 'J' ? "java.util.OptionalLong"
                       : kind == 'D' ? "java.util.OptionalDouble"
                                     : "java.util.Optional";
    return make_values(m, MADE_OPTIONAL, type, value, value != NULL, kind == 'A' ? 'L' : kind, out);
}

/* isPresent, isEmpty, get and its kin, orElse, orElseThrow. */
bool optional_asked(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    if (!entries_of(m, i->given[0], &h))
        return false;
    const bool present = h.count > 0;
    if (text_is(i->ref.name, "isPresent") || text_is(i->ref.name, "isEmpty"))
        return *out = int_value(present == text_is(i->ref.name, "isPresent")), true;
    if (present)
        return *out = h.values[0], true;
    if (text_is(i->ref.name, "orElse"))
        return *out = i->given[1], true;
    return throws(m, "java.util.NoSuchElementException", "No value present");
}

/* of, ofNullable, empty */
bool optional_made(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    const struct text owner = i->ref.owner;
    const char kind = text_is_class(owner, "java.util.OptionalInt")      ? 'I'
                      : text_is_class(owner, "java.util.OptionalLong")   ? 'J'
                      : text_is_class(owner, "java.util.OptionalDouble") ? 'D'
                                                                         : 'A';
    if (i->count > 0 && !known(m, i->given[0]))
        return false;
    const bool none = i->count == 0 || (kind == 'A' && i->given[0].bits == 0);
    if (none && text_is(i->ref.name, "of"))
        return throws_unsaid(m, "java.lang.NullPointerException");
    return make_optional(m, kind, none ? NULL : i->given, out);
}

/* map, flatMap, filter, or, orElseGet, orElseThrow, ifPresent: with a function. */
bool optional_called(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    static const char to_object[] = "(Ljava/lang/Object;)Ljava/lang/Object;";
    struct held h;
    struct jvalue v;
    const struct text name = i->ref.name;
    if (!known(m, i->given[1]) || !entries_of(m, i->given[0], &h))
        return false;
    const bool present = h.count > 0,
               supplies = text_is(name, "orElseGet") || text_is(name, "or") || text_is(name, "orElseThrow");
    *out = i->given[0];
    if (i->given[1].bits == 0 && (!supplies || text_is(name, "or") || !present))
        return text_is(name, "ifPresent") && !present ? true : throws_unsaid(m, "java.lang.NullPointerException");
    if (supplies) {
        if (present)
            return *out = text_is(name, "or") ? i->given[0] : h.values[0], true;
        if (!call(m, i->given[1], "get", "()Ljava/lang/Object;", v = null_value(), 0, &v))
            return false;
        return text_is(name, "orElseThrow")
                   ? v.bits == 0 ? throws_unsaid(m, "java.lang.NullPointerException") : throws_object(m, v)
                   : (*out = v, true);
    }
    if (text_is(name, "ifPresent")) {
        *out = (struct jvalue){ .kind = 'V' };
        return !present || call(m, i->given[1], "accept", "(Ljava/lang/Object;)V", h.values[0], 1, &v);
    }
    if (!present)
        return true;
    if (text_is(name, "filter")) {
        if (!call(m, i->given[1], "test", "(Ljava/lang/Object;)Z", h.values[0], 1, &v))
            return false;
        return v.bits != 0 || make_optional(m, 'A', NULL, out);
    }
    if (!call(m, i->given[1], "apply", to_object, h.values[0], 1, &v))
        return false;
    if (text_is(name, "flatMap"))
        return v.bits == 0 ? throws_unsaid(m, "java.lang.NullPointerException") : (*out = v, true);
    return make_optional(m, 'A', v.bits != 0 ? &v : NULL, out);
}

/* A stream of the value or of nothing. */
bool optional_stream(struct machine *m, const struct invocation *i, struct jvalue *out)
{
    struct held h;
    return entries_of(m, i->given[0], &h) &&
           make_values(m, MADE_STREAM, "java.util.stream.Stream", h.values, h.count, 'L', out);
}
