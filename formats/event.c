/* event.c - look-ups over the tables of event.h. */
#include "formats/event.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct condition {
    group_set groups;
    bool all; /* all of them are needed, not just one */
    unsigned first;
};

struct event_row {
    const char *name, *text;
    struct condition cond;
};

#define ONE(g)                                                                                                         \
    {                                                                                                                  \
        GROUP_BIT(g), true, GROUP_##g                                                                                  \
    }
#define BOTH(g, h)                                                                                                     \
    {                                                                                                                  \
        GROUP_BIT(g) | GROUP_BIT(h), true, GROUP_##g                                                                   \
    }
#define ANY5(a, b, c, d, e)                                                                                            \
    {                                                                                                                  \
        GROUP_BIT(a) | GROUP_BIT(b) | GROUP_BIT(c) | GROUP_BIT(d) | GROUP_BIT(e), false, GROUP_##a                     \
    }
static const struct event_row events[EVENT_LIMIT] = {
#define EVENT(no, n, c, value, at, derived, operand, origin, uses, t) [no] = { #n, t, c },
#include "formats/events.def"
#undef EVENT
};

const uint32_t event_use_bits[EVENT_LIMIT] = {
#define EVENT(no, name, cond, value, at, derived, operand, origin, uses, text) [no] = (uses),
#include "formats/events.def"
#undef EVENT
};

enum event_operand event_operand(unsigned event)
{
    static const uint8_t operands[EVENT_LIMIT] = {
#define EVENT(no, name, cond, value, at, derived, operand, ...) [no] = OPERAND_##operand,
#include "formats/events.def"
#undef EVENT
    };
    return event < EVENT_LIMIT ? operands[event] : OPERAND_NOWHERE;
}

size_t event_list(uint32_t uses, unsigned out[EVENT_LIMIT])
{
    size_t n = 0;
    for (unsigned e = 1; e < EVENT_LIMIT; e++)
        if (event_has(e, uses))
            out[n++] = e;
    return n;
}

/* A doubled number would silently override a row: make it a doubled case label instead (those of attrs.def are, in
 * event.h). */
static inline void doubled_numbers_do_not_compile(int x)
{
    switch (x) {
#define EVENT(no, ...) case no:
#include "formats/events.def"
#undef EVENT
    default: break;
    }
}

static const char *const attrs[ATTR_LIMIT] = {
#define ATTR(no, n, ty, t) [no] = #n,
#include "formats/attrs.def"
#undef ATTR
};

static const struct {
    const char *name, *text;
} groups[GROUP_COUNT] = {
#define GROUP(bit, n, t) [bit] = { #n, t },
#include "formats/groups.def"
#undef GROUP
};

const char *event_name(unsigned event) { return event < EVENT_LIMIT ? events[event].name : NULL; }
const char *event_text(unsigned event) { return event < EVENT_LIMIT ? events[event].text : NULL; }
const char *attr_name(unsigned attr) { return attr < ATTR_LIMIT ? attrs[attr] : NULL; }
const char *group_name(unsigned group) { return group < GROUP_COUNT ? groups[group].name : NULL; }
const char *group_text(unsigned group) { return group < GROUP_COUNT ? groups[group].text : NULL; }

unsigned event_find(const char *name)
{
    doubled_numbers_do_not_compile(0);
    for (unsigned i = 1; i < EVENT_LIMIT; i++)
        if (events[i].name != NULL && strcmp(events[i].name, name) == 0)
            return i;
    return 0;
}

bool event_woven(unsigned event, group_set chosen)
{
    if (event >= EVENT_LIMIT || events[event].name == NULL)
        return false;
    const struct condition *c = &events[event].cond;
    return c->all ? (chosen & c->groups) == c->groups : (chosen & c->groups) != 0;
}

group_set event_groups(unsigned event) { return event < EVENT_LIMIT ? events[event].cond.groups : 0; }
unsigned event_first_group(unsigned event) { return event < EVENT_LIMIT ? events[event].cond.first : 0; }

bool group_set_parse(const char *text, group_set *out, const char **bad, int *bad_length)
{
    group_set set = 0;
    for (const char *p = text;; p++) {
        size_t n = strcspn(p, "+");
        unsigned g = 0;
        while (g < GROUP_COUNT && !(strlen(groups[g].name) == n && strncasecmp(groups[g].name, p, n) == 0))
            g++;
        if (g < GROUP_COUNT) {
            set |= (group_set)1 << g;
        } else if (n == 3 && strncasecmp(p, "ALL", 3) == 0) {
            set = GROUP_ALL;
        } else {
            *bad = p;
            *bad_length = (int)n;
            return false;
        }
        p += n;
        if (*p == '\0')
            break;
    }
    *out = set;
    return true;
}

void group_set_text(group_set set, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (unsigned g = 0; g < GROUP_COUNT && n < size; g++)
        if ((set >> g & 1) != 0)
            n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? "+" : "", groups[g].name);
}
