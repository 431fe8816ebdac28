/* options.c - one small parser per kind of value; the names come from options.def. */
#include "logging/agent/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum option_id {
#define OPTION(name, argument, fallback, help) OPT_##name,
#include "logging/agent/options.def"
#undef OPTION
    OPT_COUNT
};
#define ANY_OPTION ((UINT64_C(1) << OPT_COUNT) - 1)

static const struct {
    const char *name, *argument;
} table[OPT_COUNT] = {
#define OPTION(name, argument, fallback, help) [OPT_##name] = { #name, argument },
#include "logging/agent/options.def"
#undef OPTION
};

static const char *const format_names[FORMAT_COUNT] = { "omni", "latest", "freq", "timing", "discard" };

const char *options_format_name(enum agent_format f) { return format_names[f]; }

static enum status wrong(enum option_id id, const char *value, struct error *err)
{
    return error_set(err, ERR_USAGE, "option %s=%s: accepted is %s", table[id].name, value, table[id].argument);
}

/* The place of `value` in a list "a|b|c", or -1. */
static int choice(const char *list, const char *value)
{
    size_t n = strlen(value);
    for (int i = 0;; i++) {
        size_t len = strcspn(list, "|");
        if (len == n && strncmp(list, value, n) == 0)
            return i;
        if (list[len] == '\0')
            return -1;
        list += len + 1;
    }
}

static enum status parse_choice(enum option_id id, const char *value, int *out, struct error *err)
{
    *out = choice(table[id].argument, value);
    return *out >= 0 ? OK : wrong(id, value, err);
}

static enum status parse_bool(enum option_id id, const char *value, bool *out, struct error *err)
{
    int c;
    enum status s = parse_choice(id, value, &c, err);
    *out = c == 0; /* true|false, on|off */
    return s;
}

/* Java's letters for date and time, as far as a file name needs them. */
static size_t put_time(char *out, size_t room, const char *pattern, size_t length)
{
    static const struct {
        const char *java, *c;
    } words[] = { { "yyyy", "%Y" }, { "MM", "%m" }, { "dd", "%d" }, { "HH", "%H" }, { "mm", "%M" }, { "ss", "%S" } };
    time_t now = time(NULL);
    struct tm tm;
    size_t n = 0;
    (void)localtime_r(&now, &tm);
    for (size_t i = 0; i < length && n + 8 < room;) {
        size_t w = 0;
        while (w < sizeof words / sizeof *words && strncmp(pattern + i, words[w].java, strlen(words[w].java)) != 0)
            w++;
        if (w < sizeof words / sizeof *words) {
            n += strftime(out + n, room - n, words[w].c, &tm);
            i += strlen(words[w].java);
        } else {
            out[n++] = pattern[i++];
        }
    }
    return n;
}

static enum status parse_output(struct options *o, const char *value, struct error *err)
{
    size_t n = 0;
    for (const char *p = value; *p != '\0' && n + 64 < sizeof o->output;) {
        const char *close = *p == '{' ? strchr(p, '}') : NULL;
        if (close != NULL && strncmp(p, "{pid}", 5) == 0)
            n += (size_t)snprintf(o->output + n, sizeof o->output - n, "%d", (int)getpid());
        else if (close != NULL && strncmp(p, "{time}", 6) == 0)
            n += put_time(o->output + n, sizeof o->output - n, "yyyyMMdd-HHmm", 13);
        else if (close != NULL && strncmp(p, "{time:", 6) == 0)
            n += put_time(o->output + n, sizeof o->output - n, p + 6, (size_t)(close - p - 6));
        else if (close != NULL)
            return error_set(err, ERR_USAGE,
                             "option output=%s: %.*s is not known; accepted are {time}, {time:yyyyMMdd} and {pid}",
                             value, (int)(close - p) + 1, p);
        else {
            o->output[n++] = *p++;
            continue;
        }
        p = close + 1;
    }
    if (strlen(value) + 64 >= sizeof o->output)
        return error_set(err, ERR_USAGE, "option output=%.40s...: accepted is a path of at most %zu characters", value,
                         sizeof o->output - 65);
    o->output[n] = '\0';
    return n > 0 ? OK : wrong(OPT_output, value, err);
}

static enum status parse_weave(struct options *o, const char *value, struct error *err)
{
    const char *bad;
    int length;
    if (group_set_parse(value, &o->groups, &bad, &length))
        return OK;
    char names[256] = "";
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        (void)snprintf(names + strlen(names), sizeof names - strlen(names), "%s ", group_name(g));
    return error_set(err, ERR_USAGE, "option weave=%s: there is no group '%.*s'; accepted are %sand ALL, joined by +",
                     value, length, bad, names);
}

static enum status parse_number(enum option_id id, const char *value, uint32_t min, uint32_t max, uint32_t *out,
                                struct error *err)
{
    char *end;
    errno = 0;
    unsigned long v = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || v < min || v > max)
        return error_set(err, ERR_USAGE, "option %s=%s: accepted is a number from %u to %u", table[id].name, value, min,
                         max);
    *out = (uint32_t)v;
    return OK;
}

enum { MAXBYTES_LEAST = 16 << 20 };

/* Bytes, with K, M, G or T of 1024. */
static enum status parse_bytes(struct options *o, const char *value, struct error *err)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long v = strtoull(value, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    bool good = *value >= '0' && *value <= '9' && errno == 0 && (*end == '\0' || (unit != NULL && end[1] == '\0')) &&
                v <= UINT64_MAX >> 16 >> shift;
    if (!good || v << shift < MAXBYTES_LEAST)
        return error_set(err, ERR_USAGE,
                         "option maxbytes=%s: accepted is a number of bytes of at least 16M, with K, M, G or T", value);
    o->maxbytes = v << shift;
    return OK;
}

static enum status parse_pattern(enum option_id id, const char *value, struct pattern **out, struct error *err)
{
    struct error why;
    enum status s = pattern_add(out, value, &why);
    return s == OK ? OK
                   : error_set(err, s, "option %s=%.200s: %.200s; accepted is %s", table[id].name, value, why.text,
                               table[id].argument);
}

static enum status parse_freeze(struct options *o, const char *value, struct error *err)
{
    if (strcmp(value, "uncaught") == 0) {
        o->freeze_uncaught = true;
        return OK;
    }
    if (*value == '\0' || strpbrk(value, ";[#* ") != NULL)
        return wrong(OPT_freeze, value, err);
    char *name = strdup(value), **slot = name != NULL ? vec_push(&o->freeze) : NULL;
    if (slot == NULL) {
        free(name);
        return error_set(err, ERR_MEMORY, "out of memory");
    }
    *slot = name;
    for (char *p = name; *p != '\0'; p++)
        *p = *p == '/' ? '.' : *p;
    return OK;
}

/* What no one option shows. */
static enum status check_together(const struct options *o, uint64_t seen, struct error *err)
{
    static const struct {
        enum option_id id, needs, or ;
    } pairs[] = { { OPT_lognested, OPT_logstart, OPT_logend },
                  { OPT_logsave, OPT_logend, OPT_logend },
                  { OPT_freezes, OPT_freeze, OPT_freeze } };
    if (!o->lognested)
        seen &= ~(UINT64_C(1) << OPT_lognested); /* that is how it is anyway */
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((seen >> pairs[i].id & 1) && !((seen >> pairs[i].needs | seen >> pairs[i].or) & 1))
            return error_set(err, ERR_USAGE, "option %s: it is for recordings with %s=, which is not there",
                             table[pairs[i].id].name, table[pairs[i].needs].name);
    if (o->logsave != SAVE_NOTHING && o->sink == NULL)
        return error_set(err, ERR_USAGE,
                         "option logsave: format=%s has nothing to save; accepted with format=latest, freq and timing",
                         format_names[o->format]);
    if (o->format == FORMAT_DISCARD && (o->freeze_uncaught || o->freeze.count > 0))
        return error_set(
            err, ERR_USAGE,
            "option freeze: format=discard has nothing to save; accepted with format=latest, freq, timing and omni");
    const struct {
        enum option_id id;
        const struct pattern *pattern;
    } patterns[] = { { OPT_logstart, o->logstart }, { OPT_logend, o->logend } };
    for (size_t i = 0; i < 2; i++) {
        bool woven = patterns[i].pattern == NULL || o->start_off; /* a later start may weave other groups */
        for (unsigned e = 1; e < EVENT_LIMIT && !woven; e++)
            woven = (pattern_named(patterns[i].pattern) >> e & 1) && event_woven(e, o->groups);
        if (!woven) {
            char groups[256];
            options_groups(o, groups, sizeof groups);
            return error_set(
                err, ERR_USAGE,
                "option %s: none of its events is woven with weave=%s%s; accepted are events of those groups",
                table[patterns[i].id].name, groups,
                o->format == FORMAT_TIMING ? ", which is all that format=timing weaves" : "");
        }
    }
    return OK;
}

static enum status parse_one(struct options *o, enum option_id id, const char *value, struct error *err)
{
    enum status s = OK;
    int c = 0;
    bool on;
    switch (id) {
    case OPT_output: return parse_output(o, value, err);
    case OPT_overwrite: return parse_bool(id, value, &o->overwrite, err);
    case OPT_format:
        s = parse_choice(id, strcmp(value, "nearomni") == 0 ? "latest" : value, &c, err);
        o->format = (enum agent_format)c;
        return s;
    case OPT_weave: return parse_weave(o, value, err);
    case OPT_size: return parse_number(id, value, 1, 1u << 24, &o->size, err);
    case OPT_i:
    case OPT_e:
        if (*value == '\0')
            return wrong(id, value, err);
        return filter_add(&o->filter, value, id == OPT_i) ? OK : error_set(err, ERR_MEMORY, "out of memory");
    case OPT_exlocation:
        if (*value == '\0')
            return wrong(id, value, err);
        return filter_add_location(&o->filter, value) ? OK : error_set(err, ERR_MEMORY, "out of memory");
    case OPT_string: return parse_bool(id, value, &o->string, err);
    case OPT_maxstring: return parse_number(id, value, 0, OBJECT_STRING_UNITS_MAX, &o->maxstring, err);
    case OPT_exception:
        s = parse_choice(id, value, &c, err);
        o->exception = (enum exception_detail)c;
        return s;
    case OPT_timestamp: return parse_bool(id, value, &o->timestamp, err);
    case OPT_order:
        s = parse_choice(id, value, &c, err);
        o->order_total = c == 1;
        return s;
    case OPT_dump: return parse_bool(id, value, &o->dump, err);
    case OPT_quiet: return parse_bool(id, value, &o->quiet, err);
    case OPT_control: return parse_bool(id, value, &o->control, err);
    case OPT_start:
        s = parse_bool(id, value, &on, err);
        o->start_off = !on;
        return s;
    case OPT_reply:
        if (*value == '\0')
            return wrong(id, value, err);
        (void)snprintf(o->reply, sizeof o->reply, "%s", value);
        return OK;
    case OPT_lognested: return parse_bool(id, value, &o->lognested, err);
    case OPT_logsave:
        s = parse_choice(id, value, &c, err);
        o->logsave = c == 0 ? SAVE_SNAPSHOT : SAVE_PARTIAL;
        return s;
    case OPT_logstart: return parse_pattern(id, value, &o->logstart, err);
    case OPT_logend: return parse_pattern(id, value, &o->logend, err);
    case OPT_freeze: return parse_freeze(o, value, err);
    case OPT_freezes: return parse_number(id, value, 1, 10000, &o->freezes, err);
    case OPT_onfull:
        s = parse_choice(id, value, &c, err);
        o->drop_oldest = c == 1;
        return s;
    case OPT_maxbytes: return parse_bytes(o, value, err);
    case OPT_COUNT: break;
    }
    return ERR_USAGE;
}

/* `allowed`: the options that may stand in the text; each that does is added to `seen`. */
static enum status parse_words(struct options *o, const char *text, uint64_t allowed, uint64_t *seen, struct error *err)
{
    char *copy = strdup(text != NULL ? text : ""), *next = copy;
    enum status s = copy != NULL ? OK : error_set(err, ERR_MEMORY, "out of memory");
    while (s == OK && next != NULL && *next != '\0') {
        char *one = next, *comma = strchr(next, ',');
        next = comma != NULL ? comma + 1 : NULL;
        if (comma != NULL)
            *comma = '\0';
        char *value = strchr(one, '=');
        size_t length = value != NULL ? (size_t)(value - one) : strlen(one);
        int id = 0;
        while (id < OPT_COUNT &&
               !((allowed >> id & 1) && strlen(table[id].name) == length && strncmp(table[id].name, one, length) == 0))
            id++;
        if (id == OPT_COUNT) {
            char names[512] = "";
            for (int k = 0; k < OPT_COUNT; k++)
                if (allowed >> k & 1)
                    (void)snprintf(names + strlen(names), sizeof names - strlen(names), " %s", table[k].name);
            s = error_set(err, ERR_USAGE, "option %.*s: there is no such option%s; accepted are%s", (int)length, one,
                          allowed == ANY_OPTION ? "" : " here", names);
        } else if (value == NULL) {
            s = error_set(err, ERR_USAGE, "option %s: a value is missing; accepted is %s=%s", one, one,
                          table[id].argument);
        } else {
            *seen |= (uint64_t)1 << id;
            s = parse_one(o, (enum option_id)id, value + 1, err);
        }
    }
    free(copy);
    return s;
}

static group_set looked_at(const struct options *o, group_set wanted)
{
    return o->format == FORMAT_TIMING ? (group_set)1 << GROUP_EXEC : wanted;
}

enum status options_parse(struct options *o, const char *text, struct error *err)
{
    uint64_t seen = 0;
    *o = (struct options){ .string = true,
                           .format = FORMAT_LATEST,
                           .groups = GROUP_ALL,
                           .size = 32,
                           .maxstring = OBJECT_STRING_UNITS_MAX,
                           .control = true,
                           .freezes = 8 };
    enum status s = filter_init(&o->filter) ? OK : error_set(err, ERR_MEMORY, "out of memory");
    if (s == OK)
        s = parse_output(o, "hindsight-{time}-{pid}", err);
    if (s == OK)
        s = parse_words(o, text, ANY_OPTION, &seen, err);
    if (s != OK)
        return s;
    o->sink = sink_of(format_names[o->format]);
    o->values = o->format == FORMAT_OMNI || (o->sink != NULL && o->sink->values);
    o->timestamp |= o->sink != NULL && o->sink->timed;
    o->groups = looked_at(o, o->groups);
    return check_together(o, seen, err);
}

void options_done(struct options *o)
{
    filter_done(&o->filter);
    pattern_free(o->logstart);
    pattern_free(o->logend);
    for (size_t i = 0; i < o->freeze.count; i++)
        free(o->freeze.items[i]);
    vec_free(&o->freeze);
    o->logstart = o->logend = NULL;
}

enum status options_change(struct options *o, const char *text, struct error *err)
{
    const uint64_t filters = UINT64_C(1) << OPT_i | UINT64_C(1) << OPT_e | UINT64_C(1) << OPT_exlocation;
    uint64_t seen = 0;
    struct options new = { .groups = o->groups };
    enum status s = filter_init(&new.filter) ? OK : error_set(err, ERR_MEMORY, "out of memory");
    if (s == OK)
        s = parse_words(&new, text, filters | UINT64_C(1) << OPT_weave, &seen, err);
    if (s == OK)
        o->groups = looked_at(o, new.groups);
    if (s == OK && (seen & filters) != 0) {
        struct filter old = o->filter;
        o->filter = new.filter;
        new.filter = old;
    }
    filter_done(&new.filter);
    return s;
}

void options_groups(const struct options *o, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    if (o->groups == GROUP_ALL)
        (void)snprintf(out, size, "ALL");
    for (unsigned g = 0; g < GROUP_COUNT && o->groups != GROUP_ALL && n < size; g++)
        if (o->groups & (group_set)1 << g)
            n += (size_t)snprintf(out + n, size - n, "%s%s", n > 0 ? "+" : "", group_name(g));
}
