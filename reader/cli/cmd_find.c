/* cmd_find.c - `hindsight find VALUE`: every place where a value lived, the newest first. */
#include <ctype.h>
#include <string.h>

#include "formats/schema.h"
#include "reader/answers/write.h"
#include "reader/command/chosen_events.h"
#include "reader/command/cli.h"
#include "reader/command/show.h"

struct args {
    struct common common;
    struct chosen_args filter;
    struct texts kinds;
    bool text;
};
static const struct option_row options[] = {
    { "kind", 'k', "K,K", OPTION_TEXTS, offsetof(struct args, kinds),
      "only in these: field, element, local, parameter, argument, result, constant, exception, output, and read, which "
      "is left out if it is not named: what was read from a field, element or variable; repeatable" },
    { "text", 0, NULL, OPTION_FLAG, offsetof(struct args, text),
      "in strings that contain it, whatever it looks like; of what looks like no value that is so without it" },
    { "from", 0, "SEQ", OPTION_U64, offsetof(struct args, filter.from), "first event, by its seq" },
    { "to", 0, "SEQ", OPTION_U64, offsetof(struct args, filter.to), "last event" },
    { "thread", 't', "T", OPTION_TEXTS, offsetof(struct args, filter.threads),
      "of this thread (number, name or glob: pool-*), repeatable" },
    { "class", 'c', "GLOB", OPTION_TEXT, offsetof(struct args, filter.class_glob), "in a class: a.b.*, or Foo" },
    { "method", 'm', "GLOB", OPTION_TEXT, offsetof(struct args, filter.method_glob),
      "in a method: get*, put(String, int), or with its descriptor" },
    { "where", 'w', "CONDITION", OPTION_TEXT, offsetof(struct args, filter.where), WHERE_EVENT_NAMES },
    { 0 },
};
const struct usage usage_find = {
    .source = true,
    .about =
        "Where a value lived, the newest first: each moment at which a field, element or local variable got it, at "
        "which it was passed, returned, thrown or written. VALUE is as print shows it: 42, -1.5, true, null, 'x', "
        "\"text\", Type#12; a word that is no value is looked for inside of strings.\n" WHERE_HELP,
    .example = "hindsight find 120 --kind field,local",
    .options = options,
};

/* The events that show a value in a place. */
static const struct {
    unsigned event;
    const char *kind;
} places[] = {
    { HS_EVENT_PUT_INSTANCE_FIELD_VALUE, "field" },
    { HS_EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION, "field" },
    { HS_EVENT_PUT_STATIC_FIELD, "field" },
    { HS_EVENT_ARRAY_STORE_VALUE, "element" },
    { HS_EVENT_LOCAL_STORE, "local" },
    { HS_EVENT_LOCAL_INCREMENT, "local" },
    { HS_EVENT_METHOD_PARAM, "parameter" },
    { HS_EVENT_CALL_PARAM, "argument" },
    { HS_EVENT_INVOKE_DYNAMIC_PARAM, "argument" },
    { HS_EVENT_CALL_RETURN, "result" },
    { HS_EVENT_INVOKE_DYNAMIC_RESULT, "result" },
    { HS_EVENT_METHOD_NORMAL_EXIT, "result" },
    { HS_EVENT_OBJECT_CONSTANT_LOAD, "constant" },
    { HS_EVENT_METHOD_THROW, "exception" },
    { HS_EVENT_CATCH, "exception" },
    { HS_EVENT_GET_INSTANCE_FIELD_RESULT, "read" },
    { HS_EVENT_GET_STATIC_FIELD, "read" },
    { HS_EVENT_ARRAY_LOAD_RESULT, "read" },
    { HS_EVENT_LOCAL_LOAD, "read" },
};
enum { PLACE_COUNT = sizeof places / sizeof *places };
static const char output[] = "output"; /* a parameter of the method that has what the program writes */

#define ROWS "reader/answers/found.def"
#define ROW  struct show *show, const struct hs_event *e, const char *kind
#include "reader/answers/row.h"

/* ---- which kinds ---- */

static bool is_word(const char *word, size_t size, const char *kind)
{
    return strlen(kind) == size && memcmp(word, kind, size) == 0;
}

/* Is the kind one of those that are named? */
static bool is_named(const struct texts *kinds, const char *kind)
{
    for (size_t i = 0; i < kinds->count; i++)
        for (const char *word = kinds->items[i], *end; word != NULL; word = *end == ',' ? end + 1 : NULL) {
            end = word + strcspn(word, ",");
            if (is_word(word, (size_t)(end - word), kind))
                return true;
        }
    return kinds->count == 0 && strcmp(kind, "read") != 0;
}

static int check_kinds(struct context *context, const struct texts *kinds)
{
    for (size_t i = 0; i < kinds->count; i++)
        for (const char *word = kinds->items[i], *end; word != NULL; word = *end == ',' ? end + 1 : NULL) {
            end = word + strcspn(word, ",");
            bool known = is_word(word, (size_t)(end - word), output);
            for (size_t k = 0; k < PLACE_COUNT; k++)
                known = known || is_word(word, (size_t)(end - word), places[k].kind);
            if (!known)
                return cli_fail(EXIT_USAGE, context,
                                "--kind: '%.*s' is none of field, element, local, parameter, argument, result, "
                                "constant, exception, output and read",
                                (int)(end - word), word);
        }
    return PARSED;
}

static size_t chosen_types(const struct texts *kinds, unsigned types[PLACE_COUNT])
{
    size_t count = 0;
    for (size_t i = 0; i < PLACE_COUNT; i++)
        if (is_named(kinds, places[i].kind) || (places[i].event == HS_EVENT_METHOD_PARAM && is_named(kinds, output)))
            types[count++] = places[i].event;
    return count;
}

/* NULL: it is none of those that are named. */
static const char *kind_of(const struct session *s, const struct args *a, const struct hs_event *e)
{
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    const struct hs_method *m = d != NULL ? hs_method_get(s->trace, d->method_id) : NULL;
    const struct hs_class *c = m != NULL ? hs_class_get(s->trace, m->class_no) : NULL;
    const char *kind = NULL;
    for (size_t i = 0; d != NULL && i < PLACE_COUNT; i++)
        if (places[i].event == d->event)
            kind = places[i].kind;
    if (c != NULL && strcmp(c->name, OUTPUT_CLASS) == 0)
        kind = output;
    return kind != NULL && is_named(&a->kinds, kind) ? kind : NULL;
}

/* ---- value or text ---- */

static bool looks_like_value(const char *word)
{
    static const char *const names[] = { "true", "false", "null", "NaN", "Infinity" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    const char *digits = word + (word[0] == '-');
    return isdigit((unsigned char)digits[0]) || strcmp(digits, "Infinity") == 0 || word[0] == '"' || word[0] == '\'' ||
           strchr(word, '#') != NULL;
}

static void text(struct show *s, const struct hs_event *e, const char *kind)
{
    struct out *o = s->out;
    const struct hs_dataid *d = hs_dataid_get(s->trace, e->dataid);
    const char *name = d != NULL ? show_text_attr(d, "name") : NULL;
    out_format(o, "%12llu %3u  %-9s  ", (unsigned long long)e->seq, e->thread, kind);
    out_colour(o, COLOUR_NAME);
    show_event_place_text(s, e);
    out_colour(o, COLOUR_NONE);
    out_text(o, "  ");
    if (name != NULL && strcmp(kind, output) != 0) {
        out_name(o, name);
        out_char(o, ' ');
    }
    out_colour(o, COLOUR_VALUE);
    s->at = e->seq;
    show_value_text(s, e->kind, e->value);
    out_colour(o, COLOUR_NONE);
    out_char(o, '\n');
}

static int find(struct session *s, struct context *context, const struct args *a, struct chosen_events *f)
{
    struct hs_error error = HS_ERROR_INIT;
    struct show show;
    unsigned types[PLACE_COUNT];
    const struct hs_event *e;
    hs_cursor *cursor;
    uint64_t left = a->common.limit;
    int more = 0;
    f->filter.event_count = chosen_types(&a->kinds, types);
    f->filter.events = types;
    int status = chosen_open(f, context, &cursor);
    if (status != PARSED)
        return session_close(s, status);
    if (!show_init(&show, s->trace, &s->out)) {
        hs_cursor_close(cursor);
        return session_fail(s, "out of memory");
    }
    more = hs_cursor_seek(cursor, UINT64_MAX, &error) == 0 ? 1 : -1;
    while (left > 0 && s->out.failed == 0 && more > 0 && (more = hs_event_previous(cursor, &e, &error)) > 0) {
        const char *kind = kind_of(s, a, e);
        if (kind == NULL)
            continue;
        left--;
        if (a->common.json)
            found_json(&s->out, &show, e, kind);
        else
            text(&show, e, kind);
    }
    show_done(&show);
    hs_cursor_close(cursor);
    status = EXIT_DONE;
    if (more == 0 && left == a->common.limit && !condition_tell_apart(f->where, s, &status))
        status = condition_tell_unknown(f->where, s, WHERE_EVENT_WORDS, true);
    if (more == 0 && status == EXIT_DONE)
        names_empty_of(s, a->common.limit - left, a->common.limit, "place with this value", types,
                       f->filter.event_count);
    return more < 0 ? session_fail(s, "%s", error.text) : session_close(s, status);
}

int cmd_find(struct context *context)
{
    struct args a = { .filter = CHOSEN_ARGS };
    struct session s;
    struct chosen_events f = { 0 };
    const char *word;
    int status = cli_parse(context, &a);
    if (status != PARSED)
        return status;
    const char *trace = cli_trace_and_word(&a.common, &word);
    if (word == NULL || word[0] == '\0')
        return cli_fail(EXIT_USAGE, context, "specify VALUE: a value as print shows it, or a text");
    if (a.text || !looks_like_value(word))
        a.filter.text = word;
    else
        a.filter.value = word;
    status = check_kinds(context, &a.kinds);
    if (status == PARSED)
        status = chosen_parse(&f, context, &a.filter);
    if (status == PARSED)
        status = session_open_stream(&s, context, &a.common, trace);
    if (status == PARSED) {
        status = chosen_resolve(&f, &s);
        status = status == PARSED ? find(&s, context, &a, &f) : session_close(&s, status);
    }
    chosen_done(&f);
    return status;
}
