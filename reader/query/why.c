/* why.c - the chain of causes of a value, back to its origin.
 *
 * There are two kinds of links, which alternate. Between events: from a load to the last store of that local, field or
 * element, from a parameter to the caller's argument, from the result of a call to the callee's exit. Through bytecode:
 * from a store, an argument or an exit to the event of the instruction that pushed the value on the operand stack:
 *
 *     PUT_INSTANCE_FIELD_VALUE <- iadd <- GET_INSTANCE_FIELD_RESULT <- PUT_INSTANCE_FIELD_VALUE <- iload <- LOCAL_LOAD
 *
 * An instruction without events (arithmetic, conversions) is replaced by its operands: the chain follows the first of
 * them that has an event, the explanation names them all. */
#include "reader/query/why.h"

#include <stdlib.h>
#include <string.h>

enum { CHAIN_DEFAULT = 1000 };

static const char *keep_text(struct why *w, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = arena_chars(w->arena, size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

/* False: out of memory. */
static bool keep_link(struct why *w, struct hs_cause *to)
{
    struct hs_event *event = arena_get(w->arena, sizeof *event);
    if (event == NULL)
        return false;
    *event = w->now;
    *to = (struct hs_cause){ .event = event, .because = keep_text(w, w->because), .end = w->end };
    if (w->operand_count > 1) {
        uint64_t *operands = arena_array(w->arena, w->operand_count, sizeof *operands);
        if (operands == NULL)
            return false;
        memcpy(operands, w->operands, w->operand_count * sizeof *operands);
        to->operands = operands;
        to->operand_count = w->operand_count;
    }
    return to->because != NULL;
}

/* Explains w->now. */
static enum status explain_link(struct why *w, struct error *err)
{
    w->site = hs_dataid_get(w->trace, w->now.dataid);
    w->operand_count = 0;
    w->end = NULL;
    if (w->site == NULL)
        return why_ends(w, "not known", "a data ID that the trace does not explain");
    enum status st = why_explain(w, err);
    if (st != OK || w->end != NULL)
        return st;
    return why_number(w, &w->next, err);
}

/* All links from w->now on, at most `max`. */
static enum status make_chain(struct why *w, size_t max, struct hs_cause **out, size_t *count, struct error *err)
{
    VEC(struct hs_cause) chain = { 0 };
    enum status st;
    for (;; w->now = w->next) {
        struct hs_cause *to = vec_push(&chain);
        if (to == NULL) {
            st = state_memory(w->trace, err);
            goto out;
        }
        st = explain_link(w, err);
        if (st != OK)
            goto out;
        if (w->end == NULL && chain.count >= max)
            w->end = "chain cut";
        if (!keep_link(w, to)) {
            st = state_memory(w->trace, err);
            goto out;
        }
        if (w->end != NULL)
            break;
    }
    struct hs_cause *made = arena_array(w->arena, chain.count, sizeof *made);
    if (made == NULL) {
        st = state_memory(w->trace, err);
        goto out;
    }
    memcpy(made, chain.items, chain.count * sizeof *made);
    *out = made;
    *count = chain.count;
out:
    vec_free(&chain);
    return st;
}

static enum status why_chain(hs_trace *t, uint64_t seq, size_t max, struct arena *arena, struct hs_cause **out,
                             size_t *count, struct error *err)
{
    struct why w = { .trace = t, .arena = arena };
    index_wish(t);
    enum status st = event_at(t, seq, &w.now, err);
    if (st != OK)
        return st;
    if (w.now.kind == KIND_VOID)
        return error_set(err, ERR_USAGE, "event %llu (%s) has no value: name an event that has one",
                         (unsigned long long)seq, hs_event_name(event_type(t, w.now.dataid)));
    st = make_chain(&w, max > 0 ? max : CHAIN_DEFAULT, out, count, err);
    if (st != ERR_NOT_FOUND)
        return st;
    err->status = ERR_FORMAT; /* an event of the global order could not be read */
    return ERR_FORMAT;
}

int hs_why_open(hs_trace *trace, uint64_t seq, size_t max, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "why");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    struct hs_cause *causes = NULL;
    size_t count = 0;
    struct list_answer *answer = list_answer_new();
    if (answer == NULL || why_chain(trace, seq, max, &answer->arena, &causes, &count, &err) != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_cause, causes, sizeof *causes, count, answer, out, error);
}
