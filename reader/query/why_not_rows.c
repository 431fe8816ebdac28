/* why_not_rows.c - the reasons as rows of the answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/query/place.h"
#include "reader/query/why_not.h"

static const struct {
    enum hs_situation situation;
    const char *word, *sentence;
} situations[] = {
#define SITUATION(name, word, sentence) { HS_SITUATION_##name, word, sentence },
#include "reader/query/situations.def"
#undef SITUATION
};

const char *hs_situation_name(enum hs_situation situation)
{
    const size_t i = (size_t)situation - 1;
    return i < sizeof situations / sizeof *situations ? situations[i].word : NULL;
}

static int by_calls(const void *x, const void *y)
{
    const struct reason *a = x, *b = y;
    if ((a->calls == 0) != (b->calls == 0)) /* what is not about calls explains the others */
        return a->calls == 0 ? -1 : 1;
    const int order = (a->order > b->order) - (a->order < b->order);
    return a->calls != b->calls ? (a->calls < b->calls) - (a->calls > b->calls) : order;
}

static void say(struct writer *out, const char *text) { write_bytes(out, text, strlen(text)); }

/* "a.b.Order.add", with the line of an instruction "a.b.Order.add:36" */
static const char *place_text(struct arena *arena, const struct method *m, int32_t line)
{
    struct writer text = { 0 };
    char number[16];
    say(&text, m->owner->name);
    say(&text, ".");
    say(&text, m->row->name);
    if (line >= 0) {
        (void)snprintf(number, sizeof number, ":%d", (int)line);
        say(&text, number);
    }
    return arena_text(arena, &text);
}

static bool shows_value(enum hs_situation s)
{
    return s == HS_SITUATION_OTHER_VALUE || s == HS_SITUATION_OTHER_ELEMENT ||
           (s >= HS_SITUATION_VALUE && s != HS_SITUATION_UNDER && s < HS_SITUATION_REMOVED);
}

static enum status add_decision(struct asking *a, const struct reason *r, const struct hs_event *last,
                                struct hs_absence *out, struct error *err)
{
    struct why w = { .trace = a->trace, .arena = a->arena, .now = *last, .control_left = 1 };
    struct writer text = { 0 };
    w.site = dataid_or_none(a->trace, last->dataid);
    enum status st = decision_make(&w, &out->decision, err);
    if (st != OK || r->needed == NO_INSN)
        return st;
    way_condition(a->trace, &(struct way){ r->method, r->branch, r->needed }, &text);
    out->needs = arena_text(a->arena, &text);
    return out->needs != NULL ? OK : state_memory(a->trace, err);
}

static struct hs_value *keep_value(struct asking *a, char kind, uint64_t bits)
{
    struct hs_value *v = arena_get(a->arena, sizeof *v);
    if (v != NULL)
        *v = (struct hs_value){ .bits = bits, .kind = kind };
    return v;
}

static enum status add_values(struct asking *a, const struct reason *r, const struct hs_event *last,
                              struct hs_absence *out, struct error *err)
{
    const char kind = element_kind_of(a->trace, last);
    out->what = r->what;
    if (r->has_value)
        out->value = keep_value(a, r->value.kind, r->value.bits);
    else if (r->has_event && shows_value(r->situation) && kind != KIND_VOID)
        out->value = keep_value(a, kind, last->value);
    else
        return OK;
    if (out->value == NULL)
        return state_memory(a->trace, err);
    if (r->has_expected && (out->expected = keep_value(a, r->expected.kind, r->expected.bits)) == NULL)
        return state_memory(a->trace, err);
    return OK;
}

static enum status make_row(struct asking *a, const struct reason *r, struct hs_absence *out, struct error *err)
{
    struct hs_event last = r->last;
    struct hs_place place = { .line = -1 };
    enum status st = r->has_event ? positions_number(a->trace, &last, err) : OK;
    *out = (struct hs_absence){ .situation = r->situation,
                                .calls = r->calls,
                                .times = r->times,
                                .exception = r->exception,
                                .line = -1,
                                .seq = r->has_event ? last.seq : HS_NO_SEQ,
                                .because = situations[r->situation - 1].sentence };
    out->method = r->method != NULL ? place_text(a->arena, r->method, -1) : r->name != NULL ? r->name : "?";
    if (st == OK && r->target != NULL) {
        const struct insn *in = &r->target->code.insns.items[r->target_insn];
        place_of_pc(a->trace, r->target, in->pc, &place);
        out->target = place_text(a->arena, r->target, r->target_insn > 0 ? place.line : -1);
        st = out->target != NULL ? OK : state_memory(a->trace, err);
        place = (struct hs_place){ .line = -1 };
    }
    if (st == OK)
        st = add_values(a, r, &last, out, err);
    if (st == OK && r->branch != NO_INSN) {
        st = add_decision(a, r, &last, out, err);
        place_of_pc(a->trace, r->method, r->method->code.insns.items[r->branch].pc, &place);
    } else if (st == OK && r->has_event) {
        st = place_of(a->trace, &last, &place, err);
    }
    out->line = place.line;
    out->file = place.file;
    return st == OK && out->method == NULL ? state_memory(a->trace, err) : st;
}

enum status reasons_rows(struct asking *a, struct hs_absence **out, struct error *err)
{
    enum status st = OK;
    if (a->reasons.count > 0)
        qsort(a->reasons.items, a->reasons.count, sizeof *a->reasons.items, by_calls);
    *out = arena_array(a->arena, a->reasons.count + 1, sizeof **out);
    if (*out == NULL)
        return state_memory(a->trace, err);
    for (size_t i = 0; st == OK && i < a->reasons.count; i++)
        st = make_row(a, &a->reasons.items[i], *out + i, err);
    return st;
}
