/* why_copies.c - elements of arrays that were copied by code that is not woven, where the JDK's specification says
 * which element went where.
 *
 *     System.arraycopy(a, 2, b, 5, 4)    b[5 .. 8] are a[2 .. 5]
 *     b = a.clone()                      b[i] is a[i]
 *     b = Arrays.copyOf(a, n)            b[i] is a[i], up to the shorter length
 *     b = Arrays.copyOfRange(a, 2, 9)    b[i] is a[2 + i] */
#include "reader/query/creation.h"
#include "reader/query/handover.h"
#include "reader/query/why_search.h"
#include "reader/query/writes.h"

#include <stdio.h>
#include <string.h>

enum { HANDOVERS_MAX = 64 };

/* One copy: the element that it came from, and the call. */
struct copy {
    struct hs_event array; /* that it came from, in the call */
    uint64_t source, index;
    uint64_t seq; /* of the call */
    bool made;    /* the array is its result */
    char name[64];
};

static bool is_call_of(const struct outside_call *c, const char *owner, const char *name)
{
    return strcmp(outside_call_owner(c), owner) == 0 && strcmp(outside_call_name(c), name) == 0;
}

/* Does System.arraycopy(source, from, array, to, length) set the element? `e` is the argument that is the array: inside
 * of one array the source is the same, and would make a second copy of the call. */
static bool copies_into(const struct outside_call *c, const struct hs_event *e, uint64_t index, struct copy *out)
{
    const struct hs_event *a = c->arguments;
    if (!is_call_of(c, "java.lang.System", "arraycopy") || c->argument_count != 5 || a[2].dataid != e->dataid)
        return false;
    uint64_t to = a[3].value, length = a[4].value;
    if (index < to || index - to >= length || object_of(&a[0]) == 0)
        return false;
    *out = (struct copy){ .array = a[0], .source = a[0].value, .index = a[1].value + (index - to) };
    (void)strncpy(out->name, "System.arraycopy", sizeof out->name - 1);
    return true;
}

/* Is the array made as a copy by this call? */
static bool copies_as_result(const struct outside_call *c, uint64_t index, struct copy *out)
{
    const struct hs_event *a = c->arguments;
    const char *name = outside_call_name(c);
    bool is_clone = strcmp(name, "clone") == 0 && c->argument_count == 0 && object_of(&c->call) != 0;
    bool is_copy = is_call_of(c, "java.util.Arrays", "copyOf") && c->argument_count >= 2;
    bool is_range = is_call_of(c, "java.util.Arrays", "copyOfRange") && c->argument_count >= 3;
    if (!is_clone && !is_copy && !is_range)
        return false;
    *out = (struct copy){ .array = is_clone ? c->call : a[0], .index = is_range ? a[1].value + index : index };
    out->source = out->array.value;
    (void)strncpy(out->name,
                  is_clone  ? "clone"
                  : is_copy ? "Arrays.copyOf"
                            : "Arrays.copyOfRange",
                  sizeof out->name - 1);
    return object_of(&out->array) != 0;
}

/* The last System.arraycopy before seq `to` and after `from` that set the element. */
static enum status find_arraycopy(struct why *w, uint32_t array, uint64_t index, uint64_t from, uint64_t to,
                                  struct copy *out, struct error *err)
{
    static const unsigned types[] = { EVENT_CALL_PARAM };
    struct walk walk;
    struct hs_event e;
    struct outside_call call;
    bool found = false;
    enum status st = OK;
    if (!search_goes_on(w, true))
        return ERR_NOT_FOUND;
    walk_open_types(&walk, w->trace, types, 1, array, to);
    walk_seek(&walk, to);
    for (unsigned i = 0; !found && search_goes_on(w, false); i++) {
        if (!walk_previous(&walk, &e) || e.seq < from)
            break;
        if (i == HANDOVERS_MAX) {
            w->search.met = true;
            break;
        }
        st = outside_call_at(w->trace, &e, &call, err);
        if (st == OK)
            found = copies_into(&call, &e, index, out);
        if (st != OK && st != ERR_NOT_FOUND)
            break;
        out->seq = e.seq;
    }
    st = walk_end(&walk, st == ERR_NOT_FOUND ? OK : st, err);
    if (st != OK)
        return st;
    return found ? OK : ERR_NOT_FOUND;
}

/* The call that made the array as a copy of another. */
static enum status find_made_copy(struct why *w, uint32_t array, uint64_t index, struct copy *out, struct error *err)
{
    struct hs_event first;
    struct outside_call call;
    enum status st = first_result_of(w, array, &first, &call, err);
    if (st != OK)
        return st;
    if (!copies_as_result(&call, index, out))
        return ERR_NOT_FOUND;
    out->seq = first.seq;
    out->made = true;
    return OK;
}

static enum status find_copy(struct why *w, uint32_t array, uint64_t index, uint64_t from, uint64_t to,
                             struct copy *out, struct error *err)
{
    enum status st = find_arraycopy(w, array, index, from, to, out, err);
    if (st != ERR_NOT_FOUND || (from != 0 && !recording_gap(w->trace, NULL, &w->now)))
        return st;
    st = find_made_copy(w, array, index, out, err);
    return st == OK && out->seq < from ? ERR_NOT_FOUND : st;
}

/* Was the copy handed to code that is not woven after it was made, which can have written another value? */
static enum status written_since(struct why *w, uint32_t array, uint64_t copied, bool *out, struct error *err)
{
    struct hs_handover handed = { .seq = HS_NO_SEQ };
    enum status st =
        w->now.seq > copied + 1 ? handover_last(w->trace, array, copied + 1, w->now.seq - 1, &handed, err) : OK;
    *out = handed.seq != HS_NO_SEQ;
    return st;
}

static enum status from_later_write(struct why *w, uint32_t array, uint64_t index, const struct copy *c,
                                    struct error *err)
{
    char what[64], say[TEXT_MAX / 2];
    (void)snprintf(what, sizeof what, "element %llu of array %u", (unsigned long long)index, array);
    (void)snprintf(say, sizeof say, "written by code that is not woven after it was copied by %s at seq %llu", c->name,
                   (unsigned long long)c->seq);
    return why_from_outside_write(w, array, c->seq, what, say, err);
}

/* The array that the copy was made of has no such element: the copy is longer. */
static enum status is_padding(struct why *w, const struct copy *c, bool *out, struct error *err)
{
    uint64_t length;
    bool known = false;
    enum status st = c->made ? array_length(w->trace, (uint32_t)c->source, &known, &length, err) : OK;
    *out = st == OK && known && c->index >= length;
    return st;
}

enum status why_from_copy(struct why *w, uint32_t array, uint64_t index, uint64_t from, struct error *err)
{
    struct copy c, last = { 0 };
    struct hs_event write;
    unsigned copies = 0;
    bool unrecorded = false; /* since its last write recording was stopped: only copies behind that count */
    bool written = false;    /* the element, but another value: code that is not woven wrote it since */
    uint64_t to = w->now.seq;
    for (;; copies++) {
        enum status st = find_copy(w, array, index, from, to, &c, err);
        if (st == ERR_NOT_FOUND || (st == OK && c.seq >= to)) /* of a damaged trace */
            break;
        if (st != OK)
            return st;
        bool padding = false, since = false;
        st = why_number(w, &c.array, err);
        if (st == OK)
            st = is_padding(w, &c, &padding, err);
        if (st == OK)
            st = last_element_write(w->trace, (uint32_t)c.source, c.index, c.seq, &write, err);
        const enum status wrote = st;
        bool other =
            st == OK && write.value != w->now.value && effects_get(w->trace, write.dataid)->op != EFFECT_LEFT_OUT;
        if (st == ERR_NOT_FOUND)
            st = OK;
        if (st == OK && (other || padding))
            st = written_since(w, array, c.seq, &since, err);
        if (st != OK)
            return st;
        if ((other || padding) && since)
            return from_later_write(w, array, index, &c, err);
        if (padding)
            return why_ends(w, "default value",
                            "%s at seq %llu made array %u longer than array %u: element %llu is new", c.name,
                            (unsigned long long)c.seq, array, (unsigned)c.source, (unsigned long long)index);
        last = c;
        array = (uint32_t)c.source;
        index = c.index;
        to = c.seq;
        st = wrote;
        if (st == OK && effects_get(w->trace, write.dataid)->op == EFFECT_LEFT_OUT)
            return why_left_out(w, &write, "the element");
        if (recording_gap(w->trace, st == OK ? &write : NULL, &c.array)) {
            st = recorded_since(w->trace, &c.array, &from, err);
            unrecorded = true;
            if (st != OK)
                return st;
            continue;
        }
        if (st == OK && write.value == w->now.value) {
            st = why_goes_on(
                w, &write, "copied by %s at seq %llu from element %llu of array %u, last written at seq %llu", c.name,
                (unsigned long long)c.seq, (unsigned long long)index, array, (unsigned long long)write.seq);
            return st == OK ? why_offer(w, &c.array, HS_BY_EVENTS, err, "the array it was copied from") : st;
        }
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        written = st == OK;
        from = written ? write.seq : 0;
    }
    if (copies == 0)
        return ERR_NOT_FOUND;
    /* no woven code wrote the value: what is known of it is the array */
    enum status st = why_number(w, &last.array, err);
    if (st != OK)
        return st;
    if (unrecorded && from == 0)
        return why_ends(w, "not recorded",
                        "copied by %s at seq %llu from element %llu of array %u, which was last written before the "
                        "recording began",
                        last.name, (unsigned long long)last.seq, (unsigned long long)last.index, (unsigned)last.source);
    if (unrecorded)
        return why_ends(w, "not recorded",
                        "copied by %s at seq %llu from element %llu of array %u, which was last written before "
                        "recording went on at seq %llu, or while it was stopped",
                        last.name, (unsigned long long)last.seq, (unsigned long long)last.index, (unsigned)last.source,
                        (unsigned long long)from);
    if (w->now.value == 0 && !written && creation_of(w->trace, array, &write, err) == OK)
        return why_ends(w, "default value",
                        "copied by %s at seq %llu from element %llu of array %u, not written since it was made at seq "
                        "%llu",
                        last.name, (unsigned long long)last.seq, (unsigned long long)index, array,
                        (unsigned long long)write.seq);
    return why_goes_on(w, &last.array, "copied by %s at seq %llu from element %llu of array %u, which %s", last.name,
                       (unsigned long long)last.seq, (unsigned long long)last.index, (unsigned)last.source,
                       written ? "code that is not woven wrote" : "no woven code wrote");
}
