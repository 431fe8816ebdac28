/* options.c - the rows of options.def: one reader for each type of value. */
#include "logging/agent/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum option_id {
#define OPTION(name, type, argument, fallback, help) OPT_##name,
#include "formats/options.def"
#undef OPTION
    OPT_COUNT
};
#define OPTION_BIT(name) (UINT64_C(1) << OPT_##name)
#define ANY_OPTION       ((UINT64_C(1) << OPT_COUNT) - 1)

struct row;
/* Reads a value into `o`, into row->field if the row has one. */
typedef enum status parse_fn(const struct row *row, const char *value, struct options *o, struct error *err);

struct row {
    const char *name, *argument, *fallback;
    parse_fn *parse;
    size_t field;      /* offset in struct options */
    uint64_t min, max; /* NUMBER, BYTES; the number of the first word of CHOICE; the size of TEXT */
    bool repeatable;   /* each value is added to the others */
};

static void *field_of(const struct row *row, struct options *o) { return (char *)o + row->field; }

static enum status wrong(const struct row *row, const char *value, struct error *err)
{
    return error_set(err, ERR_USAGE, "option %s=%s: accepted is %s", row->name, value, row->argument);
}

/* The index of `value` in a list "a|b|c", or -1. */
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

static enum status parse_choice(const struct row *row, const char *value, struct options *o, struct error *err)
{
    int at = choice(row->argument, value);
    if (at < 0)
        return wrong(row, value, err);
    *(unsigned *)field_of(row, o) = (unsigned)(row->min + (unsigned)at);
    return OK;
}

static enum status parse_flag(const struct row *row, const char *value, struct options *o, struct error *err)
{
    int at = choice(row->argument, value);
    if (at < 0)
        return wrong(row, value, err);
    *(bool *)field_of(row, o) = at == 0;
    return OK;
}

static enum status parse_second(const struct row *row, const char *value, struct options *o, struct error *err)
{
    int at = choice(row->argument, value);
    if (at < 0)
        return wrong(row, value, err);
    *(bool *)field_of(row, o) = at == 1;
    return OK;
}

static enum status parse_number(const struct row *row, const char *value, struct options *o, struct error *err)
{
    char *end;
    errno = 0;
    unsigned long v = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || errno != 0 || v < row->min || v > row->max)
        return error_set(err, ERR_USAGE, "option %s=%s: accepted is a number from %llu to %llu", row->name, value,
                         (unsigned long long)row->min, (unsigned long long)row->max);
    *(uint32_t *)field_of(row, o) = (uint32_t)v;
    return OK;
}

/* Units are powers of 1024. */
static enum status parse_bytes(const struct row *row, const char *value, struct options *o, struct error *err)
{
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long v = strtoull(value, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    unsigned shift = unit != NULL ? 10 * (unsigned)(unit - units + 1) : 0;
    bool good = *value >= '0' && *value <= '9' && errno == 0 && (*end == '\0' || (unit != NULL && end[1] == '\0')) &&
                v <= UINT64_MAX >> 16 >> shift;
    if (!good || v << shift < row->min)
        return error_set(err, ERR_USAGE,
                         "option %s=%s: accepted is a number of bytes of at least %lluM, with K, M, G or T", row->name,
                         value, (unsigned long long)(row->min >> 20));
    *(uint64_t *)field_of(row, o) = v << shift;
    return OK;
}

static enum status parse_text(const struct row *row, const char *value, struct options *o, struct error *err)
{
    if (*value == '\0')
        return wrong(row, value, err);
    if (strlen(value) >= row->max)
        return error_set(err, ERR_USAGE, "option %s=%.40s...: accepted is a text of less than %llu bytes", row->name,
                         value, (unsigned long long)row->max);
    (void)snprintf(field_of(row, o), row->max, "%s", value);
    return OK;
}

static enum status parse_pattern(const struct row *row, const char *value, struct options *o, struct error *err)
{
    struct error why;
    enum status s = pattern_add(field_of(row, o), value, &why);
    if (s == OK)
        return OK;
    return error_set(err, s, "option %s=%.200s: %.200s; accepted is %s", row->name, value, why.text, row->argument);
}

static enum status parse_format(const struct row *row, const char *value, struct options *o, struct error *err)
{
    const struct format *f = format_find(value);
    if (f == NULL)
        return wrong(row, value, err);
    o->format = f->id;
    return OK;
}

/* Java's pattern letters for date and time that are useful in a file name. `good` becomes false where the pattern has
 * other letters, or none of these. */
static size_t put_time(char *out, size_t room, const char *pattern, size_t length, bool *good)
{
    static const struct {
        const char *java, *c;
    } words[] = { { "yyyy", "%Y" }, { "MM", "%m" }, { "dd", "%d" }, { "HH", "%H" }, { "mm", "%M" }, { "ss", "%S" } };
    bool any = false;
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
            any = true;
        } else {
            *good = *good && !(pattern[i] >= 'a' && pattern[i] <= 'z') && !(pattern[i] >= 'A' && pattern[i] <= 'Z');
            out[n++] = pattern[i++];
        }
    }
    *good = *good && any;
    return n;
}

static enum status parse_output(const struct row *row, const char *value, struct options *o, struct error *err)
{
    size_t n = 0;
    for (const char *p = value; *p != '\0' && n + 64 < sizeof o->output;) {
        const char *close = *p == '{' ? strchr(p, '}') : NULL;
        if (close == NULL) {
            o->output[n++] = *p++;
            continue;
        }
        bool good = true;
        if (strncmp(p, "{pid}", 5) == 0)
            n += (size_t)snprintf(o->output + n, sizeof o->output - n, "%d", (int)getpid());
        else if (strncmp(p, "{time}", 6) == 0)
            n += put_time(o->output + n, sizeof o->output - n, "yyyyMMdd-HHmm", 13, &good);
        else if (strncmp(p, "{time:", 6) == 0)
            n += put_time(o->output + n, sizeof o->output - n, p + 6, (size_t)(close - p - 6), &good);
        else
            good = false;
        if (!good)
            return error_set(err, ERR_USAGE,
                             "option output=%s: %.*s is not known; accepted are {time}, {time:PATTERN} with yyyy MM dd "
                             "HH mm ss, and {pid}",
                             value, (int)(close - p) + 1, p);
        p = close + 1;
    }
    if (strlen(value) + 64 >= sizeof o->output)
        return error_set(err, ERR_USAGE, "option output=%.40s...: accepted is a path of at most %zu characters", value,
                         sizeof o->output - 65);
    o->output[n] = '\0';
    return n > 0 ? OK : wrong(row, value, err);
}

static enum status parse_weave(const struct row *row, const char *value, struct options *o, struct error *err)
{
    (void)row;
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

static enum status parse_prefix(const struct row *row, const char *value, struct options *o, enum filter_kind kind,
                                struct error *err)
{
    if (*value == '\0')
        return wrong(row, value, err);
    return filter_add(&o->filter, value, kind) ? OK : error_set(err, ERR_MEMORY, "out of memory");
}

static enum status parse_include(const struct row *row, const char *value, struct options *o, struct error *err)
{
    return parse_prefix(row, value, o, FILTER_INCLUDE, err);
}

static enum status parse_exclude(const struct row *row, const char *value, struct options *o, struct error *err)
{
    return parse_prefix(row, value, o, FILTER_EXCLUDE, err);
}

static enum status parse_only(const struct row *row, const char *value, struct options *o, struct error *err)
{
    return parse_prefix(row, value, o, FILTER_ONLY, err);
}

static enum status parse_location(const struct row *row, const char *value, struct options *o, struct error *err)
{
    if (*value == '\0')
        return wrong(row, value, err);
    return filter_add_location(&o->filter, value) ? OK : error_set(err, ERR_MEMORY, "out of memory");
}

static enum status parse_redact(const struct row *row, const char *value, struct options *o, struct error *err)
{
    if (*value == '\0')
        return wrong(row, value, err);
    return redact_add(&o->redact, value) ? OK : error_set(err, ERR_MEMORY, "out of memory");
}

static enum status parse_freeze(const struct row *row, const char *value, struct options *o, struct error *err)
{
    if (strcmp(value, "uncaught") == 0) {
        o->freeze_uncaught = true;
        return OK;
    }
    if (*value == '\0' || strpbrk(value, ";[#* ") != NULL)
        return wrong(row, value, err);
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

static const char format_names[] = ""
#define FORMAT(id, name, ...) "|" #name
#include "formats/formats.def"
#undef FORMAT
    ;
#define FORMAT_CHOICE (format_names + 1)

/* The types of options.def. */
#define AT(name)                 offsetof(struct options, name)
#define FLAG(name)               parse_flag, AT(name), 0, 0
#define SECOND(name)             parse_second, AT(name), 0, 0
#define CHOICE(name, first)      parse_choice, AT(name), (first), 0
#define NUMBER(name, min_, max_) parse_number, AT(name), (min_), (max_)
#define BYTES(name, min_)        parse_bytes, AT(name), (min_), UINT64_MAX
#define TEXT(name)               parse_text, AT(name), 0, sizeof((struct options *)0)->name
#define PATTERN(name)            parse_pattern, AT(name), 0, 0, true
#define OWN(function)            function, 0, 0, 0
#define OWN_MORE(function)       function, 0, 0, 0, true

static const struct row table[OPT_COUNT] = {
#define OPTION(name, type, argument, fallback, help) [OPT_##name] = { #name, argument, fallback, type },
#include "formats/options.def"
#undef OPTION
};

static void add_name(char *out, size_t size, size_t *count, size_t last, const char *name)
{
    size_t n = strlen(out);
    const char *before = *count == 0 ? "" : *count + 1 == last ? " and " : ", ";
    (void)snprintf(out + n, size - n, "%s%s", before, name);
    (*count)++;
}

/* "latest, freq and timing": the formats that have something to save, behind them those with a stream if `streams`. */
static void name_formats(bool streams, char *out, size_t size)
{
    size_t total = 0, count = 0;
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        total += format_get(i)->snapshots || (streams && format_get(i)->stream);
    out[0] = '\0';
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if (format_get(i)->snapshots)
            add_name(out, size, &count, total, format_get(i)->name);
    for (unsigned i = 0; i < FORMAT_COUNT && streams; i++)
        if (format_get(i)->stream)
            add_name(out, size, &count, total, format_get(i)->name);
}

static enum status nothing_to_save(const struct options *o, enum option_id id, bool streams, struct error *err)
{
    char names[256];
    name_formats(streams, names, sizeof names);
    return error_set(err, ERR_USAGE, "option %s: format=%s has nothing to save; accepted with format=%s",
                     table[id].name, format_get(o->format)->name, names);
}

/* May what passed tests did be dropped (keep=)? */
static bool can_drop_tests(const struct options *o)
{
    return o->format == FORMAT_OMNI && o->percall == 0 && !options_in_parts(o) && o->prewoven[0] == '\0' &&
           o->weavecache[0] == '\0' && !o->drop_oldest && (o->groups & GROUP_BIT(EXEC)) != 0;
}

/* Checks conditions between several options. */
static enum status check_together(const struct options *o, uint64_t seen, struct error *err)
{
    static const struct {
        enum option_id id, needs, or ;
    } pairs[] = { { OPT_lognested, OPT_logstart, OPT_logend },
                  { OPT_logsave, OPT_logend, OPT_logend },
                  { OPT_freezes, OPT_freeze, OPT_freeze } };
    if (!o->lognested)
        seen &= ~OPTION_BIT(lognested); /* it is the default */
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((seen >> pairs[i].id & 1) && !((seen >> pairs[i].needs | seen >> pairs[i].or) & 1))
            return error_set(err, ERR_USAGE, "option %s: it needs %s=", table[pairs[i].id].name,
                             table[pairs[i].needs].name);
    const bool cut = options_in_parts(o) || o->redact.globs.count > 0;
    if (cut && (o->weavecache[0] != '\0' || o->prewoven[0] != '\0'))
        return error_set(err, ERR_USAGE,
                         "option %s: not accepted with logstart=, logend= or redact=, which change the hooks",
                         o->prewoven[0] != '\0' ? "prewoven" : "weavecache");
    if (o->prewoven[0] != '\0' && !o->values)
        return error_set(err, ERR_USAGE,
                         "option prewoven: accepted with a format that keeps values, as omni and latest");
    const group_set shown = GROUP_BIT(EXEC) | GROUP_BIT(PARAM);
    if (o->output_recorded && ((o->groups & shown) != shown || !o->values))
        return error_set(err, ERR_USAGE, "option stdout: it needs weave=EXEC+PARAM and a format that keeps values");
    if (o->percall > 0 && (!(o->groups & GROUP_BIT(EXEC)) || o->format != FORMAT_OMNI))
        return error_set(err, ERR_USAGE, "option percall: it needs format=omni and weave=EXEC, which shows the calls");
    if (o->derive && o->format != FORMAT_OMNI)
        return error_set(err, ERR_USAGE,
                         "option derive: it needs format=omni, which is a stream of events; here is %s%s",
                         format_get(o->format)->name, seen >> OPT_format & 1 ? "" : ", the default");
    if (o->percall > 0 && (o->derive || options_in_parts(o) || o->prewoven[0] != '\0'))
        return error_set(err, ERR_USAGE,
                         "option percall: not accepted with derive=on, logstart=, logend= or prewoven=");
    if (o->keep != KEEP_ALL && !o->tests)
        return error_set(err, ERR_USAGE, "option keep: it needs tests=on");
    if (o->keep != KEEP_ALL && !can_drop_tests(o))
        return error_set(err, ERR_USAGE,
                         "option keep: it needs format=omni and weave=EXEC, and is not accepted with percall=, "
                         "logstart=, logend=, weavecache=, prewoven= or onfull=drop-oldest");
    const struct format *format = format_get(o->format);
    if (o->logsave != SAVE_NOTHING && !format->snapshots)
        return nothing_to_save(o, OPT_logsave, false, err);
    if ((o->freeze_uncaught || o->freeze.count > 0) && format_keeps_nothing(format))
        return nothing_to_save(o, OPT_freeze, true, err);
    const struct {
        enum option_id id;
        const struct pattern *pattern;
    } patterns[] = { { OPT_logstart, o->logstart }, { OPT_logend, o->logend } };
    for (size_t i = 0; i < 2; i++) {
        bool woven = patterns[i].pattern == NULL || o->start_off; /* a later start may weave other groups */
        for (unsigned e = 1; e < EVENT_LIMIT && !woven; e++)
            woven = (pattern_named(patterns[i].pattern) >> e & 1) && event_woven(e, o->groups);
        if (!woven) {
            char groups[256], why[64] = "";
            options_groups(o->groups, groups, sizeof groups);
            if (format->groups != GROUP_ALL)
                (void)snprintf(why, sizeof why, ", which is all that format=%s weaves", format->name);
            return error_set(
                err, ERR_USAGE,
                "option %s: none of its events is woven with weave=%s%s; accepted are events of those groups",
                table[patterns[i].id].name, groups, why);
        }
    }
    return OK;
}

/* `allowed`: the options that may stand in the text; each that does is added to `seen`. */
static enum status parse_words(struct options *o, const char *text, uint64_t allowed, uint64_t *seen, struct error *err)
{
    char *copy = strdup(text != NULL ? text : ""), *next = copy;
    const char *values[OPT_COUNT] = { NULL };
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
            if (values[id] != NULL && !table[id].repeatable && strcmp(values[id], value + 1) != 0)
                o->twice = table[id].name;
            values[id] = value + 1;
            *seen |= (uint64_t)1 << id;
            s = table[id].parse(&table[id], value + 1, o, err);
        }
    }
    free(copy);
    return s;
}

/* The groups that are woven when the user wants `wanted`. */
static group_set woven_groups(const struct options *o, group_set wanted)
{
    group_set most = format_get(o->format)->groups;
    return most == GROUP_ALL ? wanted : most;
}

/* tests=on: without the classes of test frameworks but those that show how tests ended; these also where only= names
 * others. */
static enum status choose_test_classes(struct options *o, struct error *err)
{
    static const struct filter_prefix classes[] = {
#define LEFT_OUT(prefix) { prefix, FILTER_EXCLUDE },
#define KEPT(prefix)     { prefix, FILTER_INCLUDE },
#include "logging/agent/test_classes.def"
    };
    bool only = false, room = true;
    for (size_t i = 0; i < o->filter.prefixes.count; i++)
        only |= o->filter.prefixes.items[i].kind == FILTER_ONLY;
    for (size_t i = 0; room && i < sizeof classes / sizeof *classes; i++) {
        room = filter_add(&o->filter, classes[i].prefix, classes[i].kind);
        if (room && only && classes[i].kind == FILTER_INCLUDE)
            room = filter_add(&o->filter, classes[i].prefix, FILTER_ONLY);
    }
    return room ? OK : error_set(err, ERR_MEMORY, "out of memory");
}

enum status options_parse(struct options *o, const char *text, struct error *err)
{
    uint64_t seen = 0;
    *o = (struct options){ 0 };
    enum status s = filter_init(&o->filter) ? OK : error_set(err, ERR_MEMORY, "out of memory");
    for (int id = 0; id < OPT_COUNT && s == OK; id++)
        if (table[id].fallback[0] != '\0')
            s = table[id].parse(&table[id], table[id].fallback, o, err);
    if (s == OK)
        s = parse_words(o, text, ANY_OPTION, &seen, err);
    if (s == OK && o->tests)
        s = choose_test_classes(o, err);
    if (s != OK)
        return s;
    const struct format *format = format_get(o->format);
    o->sink = sink_of(o->format);
    o->values = format->values;
    o->timestamp |= format->times;
    o->groups = woven_groups(o, o->groups);
    if (!(seen & OPTION_BIT(derive))) /* the default holds where it is accepted */
        o->derive = o->format == FORMAT_OMNI && o->percall == 0 && !options_in_parts(o);
    if (!(seen & OPTION_BIT(keep)))
        o->keep = o->tests && can_drop_tests(o) ? KEEP_FAILED : KEEP_ALL;
    return check_together(o, seen, err);
}

void options_done(struct options *o)
{
    filter_done(&o->filter);
    redact_done(&o->redact);
    pattern_free(o->logstart);
    pattern_free(o->logend);
    for (size_t i = 0; i < o->freeze.count; i++)
        free(o->freeze.items[i]);
    vec_free(&o->freeze);
    o->logstart = o->logend = NULL;
}

enum status options_change(struct options *o, const char *text, struct error *err)
{
    const uint64_t filters = OPTION_BIT(only) | OPTION_BIT(i) | OPTION_BIT(e) | OPTION_BIT(exlocation);
    uint64_t seen = 0;
    struct options new = { .groups = o->groups };
    if (!filter_init(&new.filter))
        return error_set(err, ERR_MEMORY, "out of memory");
    enum status s = parse_words(&new, text, filters | OPTION_BIT(weave), &seen, err);
    if (s != OK)
        goto out;
    o->groups = woven_groups(o, new.groups);
    if ((seen & filters) != 0) {
        struct filter old = o->filter;
        o->filter = new.filter;
        new.filter = old;
    }
out:
    filter_done(&new.filter);
    return s;
}

void options_groups(group_set groups, char *out, size_t size)
{
    if (groups == GROUP_ALL)
        (void)snprintf(out, size, "ALL");
    else
        group_set_text(groups, out, size);
}
