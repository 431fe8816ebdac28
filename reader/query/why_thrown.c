/* why_thrown.c - where an exception comes from: the throw or exit of it just before, else what the instruction that
 * threw was given: the null, the index, the divisor, the arguments of the call. */
#include "reader/query/null_message.h"
#include "reader/query/outside_call.h"
#include "reader/query/place.h"
#include "reader/query/why.h"

#include <stdio.h>
#include <string.h>

static const char by_jvm[] = "thrown by the JVM or by code not woven";

/* ---- instructions of the JVM ---- */

/* The operands for which an instruction throws, of each of these exceptions; the last one is the cause. */
struct blamed {
    int depth;        /* slots above it; -1: none */
    const char *verb; /* NULL: there is no further one */
};
enum { BLAMED_MAX = 255 }; /* dimensions of multianewarray */

static bool is_type(const char *type, const char *name)
{
    return type != NULL && strncmp(type, "java.lang.", 10) == 0 && strcmp(type + 10, name) == 0;
}

/* How many there are; 0: the instruction throws no such exception because of an operand. */
static size_t find_blamed(const struct method *c, const struct insn *in, const char *type,
                          struct blamed out[BLAMED_MAX])
{
    const unsigned op = in->op;
    const int null = null_operand(c, in);
    const bool load = op >= OPC_iaload && op <= OPC_saload, store = op >= OPC_iastore && op <= OPC_sastore;
    const int value = store ? null - 1 : 0;
    if (is_type(type, "NullPointerException") && null >= 0) {
        out[0] = (struct blamed){ null, "the null" };
        return 1;
    }
    if ((load || store) && is_type(type, "ArrayIndexOutOfBoundsException")) {
        out[0] = (struct blamed){ value + 1, "the array" };
        out[1] = (struct blamed){ value, "the index" };
        return 2;
    }
    if (op == OPC_aastore && is_type(type, "ArrayStoreException")) {
        out[0] = (struct blamed){ 2, "the array" };
        out[1] = (struct blamed){ 0, "the value stored" };
        return 2;
    }
    if (is_type(type, "ArithmeticException") &&
        (op == OPC_idiv || op == OPC_irem || op == OPC_ldiv || op == OPC_lrem)) {
        out[0] = (struct blamed){ op == OPC_idiv || op == OPC_irem ? 1 : 2, "the dividend" };
        out[1] = (struct blamed){ 0, "the divisor" };
        return 2;
    }
    if (op == OPC_checkcast && is_type(type, "ClassCastException")) {
        out[0] = (struct blamed){ 0, "the object of the cast" };
        return 1;
    }
    if (is_type(type, "NegativeArraySizeException") && (op == OPC_newarray || op == OPC_anewarray)) {
        out[0] = (struct blamed){ 0, "the length" };
        return 1;
    }
    size_t n = 0;
    if (is_type(type, "NegativeArraySizeException") && op == OPC_multianewarray)
        for (int k = in->extra; k-- > 0;)
            out[n++] = (struct blamed){ k, "a length" };
    return n;
}

/* ---- calls ---- */

/* An argument of the call that threw; the receiver is number -1. */
struct given {
    struct hs_event event;
    int64_t number;
    bool constant; /* it stands in the code */
};
enum { GIVEN_MAX = CALL_ARGUMENTS_MAX + 1 };

/* Is the operand pushed by a constant of the code? */
static bool is_constant(struct why *w, struct method *c, uint32_t pc, uint32_t depth)
{
    const struct producers p = method_producers(w->trace, c, pc, depth);
    return p.count == 1 && (p.pcs[0] & PRODUCER_CAUGHT) == 0 && code_at(&c->code, p.pcs[0])->op <= OPC_ldc2_w;
}

/* What the call at `pc` was given, the last argument first; `*call` is its CALL. Returns how many. Woven code that it
 * called before it threw lies between. */
static size_t find_given(struct why *w, struct method *c, uint32_t pc, struct given out[GIVEN_MAX],
                         const struct hs_dataid **call)
{
    enum { LOOK_BACK = 260 };
    const struct event_position at = why_position(w, &w->now);
    const struct replay *state;
    struct frame_walk walk;
    struct hs_event e;
    size_t n = 0;
    uint32_t depth = 0;
    const bool framed = frames_at(w->trace, at, &state, NULL) == OK && replay_top(state) != NULL;
    if (framed)
        frame_walk_begin(&walk, w->trace, at, replay_top(state));
    *call = NULL;
    for (int64_t i = 1; i < LOOK_BACK && *call == NULL; i++) {
        if ((framed ? frame_walk_back(&walk, &e, NULL) : event_beside(w->trace, &w->now, -i, &e, NULL)) != OK)
            break;
        const struct hs_dataid *d = dataid_or_none(w->trace, e.dataid);
        if (d->event == EVENT_CATCH_LABEL && i == 1)
            continue;
        if (d->method_id != w->site->method_id || d->pc != pc)
            break;
        if (d->event == EVENT_CALL)
            *call = d;
        if (d->event != EVENT_CALL_PARAM && (d->event != EVENT_CALL || e.kind != KIND_REF))
            continue;
        if (n < GIVEN_MAX)
            out[n++] =
                (struct given){ e, *call != NULL ? -1 : attribute_number(d, "index", 0), is_constant(w, c, pc, depth) };
        depth += e.kind == KIND_LONG || e.kind == KIND_DOUBLE ? 2 : 1;
    }
    return n;
}

/* The one that the chain follows: a null of a NullPointerException, an index; else the last one that is no constant. */
static size_t preferred(const struct given *g, size_t n, const char *type)
{
    size_t best = 0;
    const bool null = is_type(type, "NullPointerException");
    const bool index = type != NULL && strstr(type, "IndexOutOfBounds") != NULL;
    for (size_t i = 0; i < n; i++)
        if (g[i].number >= 0 &&
            ((null && g[i].event.kind == KIND_REF && g[i].event.value == 0) || (index && g[i].event.kind == KIND_INT)))
            return i;
    while (best < n && (g[best].constant || g[best].number < 0))
        best++;
    return best < n ? best : 0;
}

/* The JVM throws these before the method that is called begins, be it woven or not. */
static bool is_of_jvm(const char *type)
{
    return is_type(type, "StackOverflowError") || is_type(type, "ExceptionInInitializerError") ||
           is_type(type, "NoClassDefFoundError");
}

/* Code that is not woven threw it, called at `pc`. */
static enum status from_call(struct why *w, struct method *c, uint32_t pc, const char *type, struct error *err)
{
    struct given given[GIVEN_MAX];
    const struct hs_dataid *call;
    const size_t n = find_given(w, c, pc, given, &call);
    if (call == NULL)
        return why_ends(w, by_jvm, "an exception of a call at pc %u, which is not recorded", pc);
    const char *owner = why_text(call, "owner"), *name = why_text(call, "name");
    const bool of_jvm = is_of_jvm(type);
    if (n == 0)
        return of_jvm
                   ? why_ends(w, by_jvm, "thrown by the JVM at the call of %s.%s, which was given nothing", owner, name)
                   : why_ends(w, by_jvm, "thrown by %s.%s, which is not woven and was given nothing", owner, name);
    const size_t first = preferred(given, n, type);
    for (size_t i = n; i-- > 0;) {
        const size_t before = w->choice_count;
        enum status st = given[i].number < 0
                             ? why_offer(w, &given[i].event, HS_BY_COMPUTED, err, "receiver of %s.%s", owner, name)
                             : why_offer(w, &given[i].event, HS_BY_COMPUTED, err, "argument %lld of %s.%s",
                                         (long long)given[i].number, owner, name);
        if (st != OK)
            return st;
        if (w->choice_count > before)
            w->choices[before].operand = true;
    }
    return why_goes_on(w, &given[first].event, "thrown by %s%s.%s%s, for what it was given: seq %llu",
                       of_jvm ? "the JVM at the call of " : "", owner, name, of_jvm ? "" : ", which is not woven",
                       (unsigned long long)given[first].event.seq);
}

/* ---- the question ---- */

/* The message, as a prefix of what a link says. */
static void say_message(const struct hs_thrown *thrown, char *out, size_t size)
{
    enum { SHOWN = 150 };
    *out = '\0';
    if (thrown != NULL && thrown->message != NULL && strlen(thrown->message) <= SHOWN)
        (void)snprintf(out, size, "%s: ", thrown->message);
}

static enum status from_instruction(struct why *w, struct error *err)
{
    struct method *c = method_get(w->trace, w->site->method_id);
    const struct hs_thrown *thrown =
        w->now.value <= UINT32_MAX ? hs_thrown_get(w->trace, (uint32_t)w->now.value) : NULL;
    const struct hs_type *type = hs_type_get(w->trace, objects_class(w->trace, w->now.value));
    struct blamed blamed[BLAMED_MAX];
    struct hs_place place;
    char message[TEXT_MAX / 2], verb[TEXT_MAX];
    enum status st = place_of_throw(w->trace, &w->now, &place, err);
    if (st != OK)
        return st;
    const struct insn *in = c != NULL ? code_at(&c->code, place.pc) : NULL;
    if (place.unsure || in == NULL)
        return why_ends(w, by_jvm, "an exception that no woven code threw");
    const char *name = type != NULL ? type->name : NULL;
    const bool call = (op_table[in->op].flags & OP_INVOKE) != 0;
    size_t n = find_blamed(c, in, name, blamed);
    if (call && n > 0 && (thrown == NULL || !thrown->message_computed))
        n = 0; /* it is not the receiver that was null */
    if (call && n == 0)
        return from_call(w, c, place.pc, name, err);
    say_message(thrown, message, sizeof message);
    size_t negative = n; /* of several lengths the one that is */
    for (size_t i = 0; i <= n && st == OK; i++) {
        const size_t k = i < n ? i : negative;
        if (k == n)
            continue;
        (void)snprintf(verb, sizeof verb, "%s%s", message, blamed[k].verb);
        st = why_from_operand(w, place.pc, (uint32_t)blamed[k].depth, verb, err);
        if (st == OK && in->op == OPC_multianewarray && w->end == NULL && (int32_t)w->choices[0].event.value < 0)
            negative = k;
    }
    return n > 0 ? st : why_ends(w, by_jvm, "%sthrown by %s at pc %u", message, op_table[in->op].name, place.pc);
}

enum status why_from_throw(struct why *w, struct error *err)
{
    enum { LOOK_BACK = 4 };
    struct hs_event e;
    for (int64_t i = 1; i <= LOOK_BACK; i++) {
        enum status st = event_beside(w->trace, &w->now, -i, &e, err);
        if (st == ERR_NOT_FOUND)
            break;
        if (st != OK)
            return st;
        unsigned event = event_type(w->trace, e.dataid);
        if (event != EVENT_METHOD_THROW && event != EVENT_METHOD_EXCEPTIONAL_EXIT)
            continue;
        if (e.value != w->now.value || why_gap(w, &e) != NULL)
            continue;
        st = why_number(w, &e, err);
        if (st != OK)
            return st;
        return why_goes_on(w, &e, "thrown at seq %llu", (unsigned long long)e.seq);
    }
    return from_instruction(w, err);
}
