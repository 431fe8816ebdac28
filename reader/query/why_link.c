/* why_link.c - what a link of the chain says, and where it can go on: see why.h. */
#include "reader/query/loss_text.h"
#include "reader/query/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum status why_ends(struct why *w, const char *end, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(w->because, sizeof w->because, fmt, ap);
    va_end(ap);
    w->end = end;
    return OK;
}

enum status why_number(struct why *w, struct hs_event *e, struct error *err)
{
    return e->seq != UINT64_MAX ? OK : positions_number(w->trace, e, err);
}

bool why_note_loss(struct why *w, unsigned op, uint64_t a, uint64_t b)
{
    const struct loss loss = loss_of(op, a, b);
    char text[2 * LOSS_TEXT_ROOM], exact[LOSS_TEXT_ROOM];
    if (loss.kind == LOSS_NONE)
        return false;
    loss_text(op, &loss, text);
    if (loss.is_exact) {
        const size_t n = strlen(text);
        loss_exact_text(&loss, exact);
        (void)snprintf(text + n, sizeof text - n, ", exactly %s", exact);
    }
    const size_t n = strlen(w->lost);
    if (strstr(w->lost, text) == NULL)
        (void)snprintf(w->lost + n, sizeof w->lost - n, "%s%s", n > 0 ? "; " : "", text);
    return true;
}

static struct choice *find_choice(struct why *w, const struct hs_event *e)
{
    for (size_t i = 0; i < w->choice_count; i++)
        if (w->choices[i].event.seq == e->seq)
            return &w->choices[i];
    return NULL;
}

void why_prefer(struct why *w, const struct hs_event *e, enum hs_cause_by by)
{
    struct choice *found = find_choice(w, e);
    struct choice first = { .event = *e };
    if (found == NULL && w->choice_count < CHOICES_MAX)
        w->choice_count++;
    if (found == NULL)
        found = &w->choices[w->choice_count - 1];
    else
        first = *found;
    first.by = by;
    memmove(w->choices + 1, w->choices, (size_t)(found - w->choices) * sizeof *found);
    w->choices[0] = first;
}

enum status why_goes_on(struct why *w, const struct hs_event *next, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(w->because, sizeof w->because, fmt, ap);
    va_end(ap);
    w->end = NULL;
    why_prefer(w, next, HS_BY_EVENTS);
    return OK;
}

static const char *keep_role(struct why *w, const char *fmt, va_list ap)
{
    char text[TEXT_MAX];
    int n = vsnprintf(text, sizeof text, fmt, ap);
    size_t size = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    char *copy = arena_chars(w->arena, size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

enum status why_offer(struct why *w, struct hs_event *e, enum hs_cause_by by, struct error *err, const char *fmt, ...)
{
    enum status st = why_number(w, e, err);
    if (st != OK)
        return st;
    if (e->seq >= w->now.seq || find_choice(w, e) != NULL)
        return OK;
    w->more_causes |= w->choice_count == CHOICES_MAX;
    if (w->choice_count == CHOICES_MAX)
        return OK;
    va_list ap;
    va_start(ap, fmt);
    const char *role = keep_role(w, fmt, ap);
    va_end(ap);
    if (role == NULL)
        return state_memory(w->trace, err);
    w->choices[w->choice_count++] = (struct choice){ .event = *e, .role = role, .by = by };
    return OK;
}

enum status why_offer_way(struct why *w, struct hs_event *e, struct error *err, const char *role)
{
    const size_t before = w->choice_count;
    enum status st = why_offer(w, e, HS_BY_EVENTS, err, "%s", role);
    if (st == OK && w->choice_count > before)
        w->choices[before].way = true;
    return st;
}
