/* patterns.c - see patterns.h. */
#include "logging/capture/patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { CLASS, METHOD, DESC, PARTS, MATCH_STEPS = 100000 };
static const char *const part_names[PARTS] = { "class", "method", "descriptor" };

struct pattern {
    pcre2_code *parts[PARTS]; /* NULL: matches everything */
    uint64_t events;
    struct pattern *next;
};

void pattern_free(struct pattern *p)
{
    while (p != NULL) {
        struct pattern *next = p->next;
        for (int i = 0; i < PARTS; i++)
            pcre2_code_free(p->parts[i]);
        free(p);
        p = next;
    }
}

static enum status parse_part(struct pattern *p, int part, const char *text, size_t size, struct error *err)
{
    int code;
    size_t at;
    char why[128];
    if (size == 0)
        return OK;
    p->parts[part] =
        pcre2_compile((PCRE2_SPTR)text, size, PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF,
                      &code, &at, NULL);
    if (p->parts[part] != NULL)
        return OK;
    if (pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why) < 0)
        why[0] = '\0';
    return error_set(err, ERR_USAGE, "the %s '%.*s' is not a regular expression: %s, at offset %zu", part_names[part],
                     (int)size, text, why, at);
}

static uint64_t event_bits(const char *name)
{
    if (strcmp(name, "METHOD_EXIT") == 0)
        return UINT64_C(1) << EVENT_METHOD_NORMAL_EXIT | UINT64_C(1) << EVENT_METHOD_EXCEPTIONAL_EXIT;
    unsigned event = event_find(name);
    return event == 0 || event == EVENT_RESERVED || event == EVENT_EVENTS_LEFT_OUT ? 0 : UINT64_C(1) << event;
}

static enum status parse_events(struct pattern *p, const char *text, struct error *err)
{
    p->events = *text == '\0' ? ~(UINT64_C(1) << EVENT_RESERVED | UINT64_C(1) << EVENT_EVENTS_LEFT_OUT) : 0;
    while (*text != '\0') {
        char name[64];
        size_t n = strcspn(text, ";");
        (void)snprintf(name, sizeof name, "%.*s", (int)n, text);
        uint64_t bits = event_bits(name);
        if (bits == 0)
            return error_set(err, ERR_USAGE, "there is no event '%.*s'", (int)n, text);
        p->events |= bits;
        text += n + (text[n] == ';');
    }
    return OK;
}

enum status pattern_add(struct pattern **out, const char *text, struct error *err)
{
    struct pattern *p = calloc(1, sizeof *p);
    enum status s = p == NULL       ? error_set(err, ERR_MEMORY, "out of memory")
                    : *text == '\0' ? error_set(err, ERR_USAGE, "it is empty")
                                    : OK;
    for (int part = 0; part < PARTS && s == OK; part++) {
        size_t n = strcspn(text, "#");
        s = parse_part(p, part, text, n, err);
        text += n + (text[n] == '#');
    }
    if (s == OK && strchr(text, '#') != NULL)
        s = error_set(err, ERR_USAGE, "it has more than four parts");
    if (s == OK)
        s = parse_events(p, text, err);
    if (s != OK) {
        pattern_free(p);
        return s;
    }
    p->next = *out;
    *out = p;
    return OK;
}

uint64_t pattern_named(const struct pattern *p)
{
    uint64_t events = 0;
    for (; p != NULL; p = p->next)
        events |= p->events;
    return events;
}

static bool matches(const pcre2_code *code, struct text t, pcre2_match_data *data, pcre2_match_context *limits)
{
    return code == NULL || (t.data != NULL && pcre2_match(code, (PCRE2_SPTR)t.data, t.size, 0, 0, data, limits) >= 0);
}

uint64_t pattern_events(const struct pattern *p, struct text class_name, struct text method, struct text desc)
{
    const struct text texts[PARTS] = { class_name, method, desc };
    pcre2_match_data *data = p != NULL ? pcre2_match_data_create(1, NULL) : NULL;
    pcre2_match_context *limits = p != NULL ? pcre2_match_context_create(NULL) : NULL;
    uint64_t events = 0;
    if (limits != NULL)
        /* an expression that needs more steps does not match */
        (void)pcre2_set_match_limit(limits, MATCH_STEPS);
    for (; p != NULL && data != NULL && limits != NULL; p = p->next) {
        bool all = true;
        for (int i = 0; i < PARTS && all; i++)
            all = matches(p->parts[i], texts[i], data, limits);
        if (all)
            events |= p->events;
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(limits);
    return events;
}
