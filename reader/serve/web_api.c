/* web_api.c - a request as the command line of a command; see web.h and commands.def.
 *
 *     /api/tree?trace=shop&depth=3&limit=100      hindsight tree --json --depth=3 --limit=100 -- /path/shop
 *
 * The trace must be one that the server was started with, or of a running JVM. Every option is one argument,
 * --name=value, and operands follow --, so that no value can become another option. Options that name files are
 * refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"
#include "formats/json.h"
#include "formats/vec.h"
#include "reader/command/cli.h"
#include "reader/command/control.h"
#include "reader/serve/web.h"

enum { QUERY_MAX = 15 << 10, WORDS = 2 };

/* A command line that is being made. */
struct line {
    struct web *web;
    const struct command *command;
    const char *argv[WEB_ARGUMENTS_MAX + 1];
    size_t count;
    VEC(char *) made; /* arguments that are freed behind it */
    const char *trace, *other, *words[WORDS];
    char failure[512];
};

static bool fail(struct line *l, const char *fmt, const char *what)
{
    (void)snprintf(l->failure, sizeof l->failure, fmt, what);
    return false;
}

static bool add(struct line *l, const char *argument)
{
    if (l->count == WEB_ARGUMENTS_MAX)
        return fail(l, "more than %s options", "60");
    l->argv[l->count++] = argument;
    return true;
}

/* Adds --name=value, or --name. */
static bool add_option(struct line *l, const char *name, const char *value)
{
    char *made = NULL, **kept = vec_push(&l->made);
    if (kept == NULL || asprintf(&made, "--%s%s%s", name, value != NULL ? "=" : "", value != NULL ? value : "") < 0)
        return fail(l, "%s", "out of memory");
    *kept = made;
    return add(l, made);
}

/* The path of a trace by its name; a process id stands for itself. NULL: it is not served. */
static const char *trace_path(const struct web *w, const char *name)
{
    for (size_t i = 0; i < w->traces.count; i++)
        if (strcmp(w->traces.items[i].name, name) == 0)
            return w->traces.items[i].path;
    return control_is_pid(name) ? name : NULL;
}

static const struct option_row *find_option(const struct command *c, const char *name)
{
    const struct option_row *o;
    for (size_t i = 0; (o = command_option(c, i)) != NULL; i++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

/* Which operand beside the trace the parameter is; -1: none. */
static int word_number(const struct command *c, const char *name)
{
    const size_t size = strlen(name);
    const char *word = c->word;
    for (int i = 0; word != NULL && i < WORDS; i++, word = strchr(word, ' ') != NULL ? strchr(word, ' ') + 1 : NULL)
        if (strncmp(word, name, size) == 0 && (word[size] == '\0' || word[size] == ' '))
            return i;
    return -1;
}

static bool take_parameter(struct line *l, const char *name, const char *value)
{
    if (strcmp(name, "trace") == 0 || strcmp(name, "other") == 0) {
        const char *path = trace_path(l->web, value);
        *(*name == 't' ? &l->trace : &l->other) = path;
        return path != NULL || fail(l, "trace=%s: there is no such trace here; see /api/traces", value);
    }
    const int word = word_number(l->command, name);
    if (word >= 0) {
        l->words[word] = value;
        return true;
    }
    const struct option_row *o = find_option(l->command, name);
    if (o == NULL || strcmp(name, "help") == 0 || o->type == OPTION_FILE || o->type == OPTION_DIRECTORY)
        return fail(l, "there is no parameter %s of this command", name);
    if (o->type != OPTION_FLAG)
        return add_option(l, name, value);
    return strcmp(value, "false") == 0 || strcmp(name, "json") == 0 || add_option(l, name, NULL);
}

/* Decodes name or value in its place; false: it is not ended, or holds a NUL. */
static bool decode(char *text)
{
    size_t size = strlen(text);
    char *copy = strdup(text);
    int n = copy != NULL ? mg_url_decode(copy, (int)size, text, (int)size + 1, 1) : -1;
    free(copy);
    return n >= 0 && strlen(text) == (size_t)n;
}

/* Takes the parameters of the query, which is cut up. */
static bool take_query(struct line *l, char *query)
{
    for (char *rest = query, *one; (one = strsep(&rest, "&")) != NULL;) {
        char *value = strchr(one, '=');
        if (*one == '\0')
            continue;
        if (value != NULL)
            *value++ = '\0';
        if (!decode(one) || (value != NULL && !decode(value)))
            return fail(l, "parameter %s: it is not encoded as in an address", one);
        if (!take_parameter(l, one, value != NULL ? value : ""))
            return false;
    }
    return true;
}

/* Does the command read source files, and does this server know where they are? */
static bool wants_source(const struct line *l) { return l->web->source != NULL && l->command->usage->source; }

static bool add_operands(struct line *l)
{
    bool many = l->command->arguments >= 1;
    if (l->trace == NULL && l->web->traces.count > 0)
        l->trace = l->web->traces.items[0].path;
    if (many && l->trace == NULL)
        return fail(l, "%s", "no trace: name one with trace=");
    return (!wants_source(l) || add_option(l, "source", l->web->source)) && add(l, "--") &&
           (!many || add(l, l->trace)) && (l->other == NULL || add(l, l->other)) &&
           (l->words[0] == NULL || add(l, l->words[0])) && (l->words[1] == NULL || add(l, l->words[1]));
}

static void free_line(struct line *l)
{
    for (size_t i = 0; i < l->made.count; i++)
        free(l->made.items[i]);
    vec_free(&l->made);
}

/* The commands and their parameters. */
static void describe(struct mg_connection *c)
{
    struct writer body = { 0 };
    struct json j;
    json_init(&j, json_to_writer, &body);
    for (const struct command *command = commands; command->name != NULL; command++) {
        char name[COMMAND_NAME_MAX];
        const struct option_row *o;
        if (command->asked_by == ASKED_NEVER)
            continue;
        json_object(&j);
        json_member_text(&j, "command", command_name(command, name));
        json_member_text(&j, "method", command->asked_by == ASKED_BY_GET ? "GET" : "POST");
        json_member_text(&j, "summary", command->summary);
        if (command->word != NULL)
            json_member_text(&j, "word", command->word);
        json_name(&j, "parameters");
        json_array(&j);
        for (size_t k = 0; (o = command_option(command, k)) != NULL; k++)
            if (o->type != OPTION_FILE && o->type != OPTION_DIRECTORY && strcmp(o->name, "help") != 0)
                json_text(&j, o->name);
        json_end(&j);
        json_end_line(&j);
    }
    web_answer(c, 200, "application/x-ndjson", "", body.data, body.bad ? 0 : body.size);
    writer_free(&body);
}

void web_traces(struct web *w, struct mg_connection *c)
{
    struct writer body = { 0 };
    struct json j;
    json_init(&j, json_to_writer, &body);
    for (size_t i = 0; i < w->traces.count; i++) {
        json_object(&j);
        json_member_text(&j, "trace", w->traces.items[i].name);
        json_member_text(&j, "path", w->traces.items[i].path);
        json_member_bool(&j, "sources", w->source != NULL);
        json_end_line(&j);
    }
    web_answer(c, 200, "application/x-ndjson", "", body.data, body.bad ? 0 : body.size);
    writer_free(&body);
}

static void run(struct web *w, struct mg_connection *c, const struct command *command, const char *query)
{
    char name[COMMAND_NAME_MAX];
    struct line l = { .web = w, .command = command, .argv = { command_name(command, name), "--json" }, .count = 2 };
    char *copy = query != NULL ? strdup(query) : NULL;
    if (query != NULL && (copy == NULL || strlen(query) > QUERY_MAX))
        web_fail(c, 414, "the query is too long");
    else if ((copy != NULL && !take_query(&l, copy)) || !add_operands(&l))
        web_fail(c, 400, "%s: %s", name, l.failure);
    else
        web_run(w, c, l.argv);
    free_line(&l);
    free(copy);
}

static void send_jvms(struct web *w, struct mg_connection *c)
{
    char *text = web_jvms(w);
    if (text != NULL)
        web_answer(c, 200, "application/x-ndjson", "", text, strlen(text));
    else
        web_fail(c, 500, "out of memory");
    free(text);
}

void web_api(struct web *w, struct mg_connection *c, const char *name)
{
    const struct mg_request_info *r = mg_get_request_info(c);
    bool get = strcmp(r->request_method, "GET") == 0, post = strcmp(r->request_method, "POST") == 0;
    const struct command *command = command_find(name);
    if (get && *name == '\0') {
        describe(c);
        return;
    }
    if (get && strcmp(name, "traces") == 0) {
        web_traces(w, c);
        return;
    }
    if (get && strcmp(name, "jvms") == 0) {
        send_jvms(w, c);
        return;
    }
    if (command == NULL || command->asked_by == ASKED_NEVER)
        web_fail(c, 404, "%s: there is no such question; see /api/", name);
    else if (command->asked_by == ASKED_BY_GET ? get : post)
        run(w, c, command, r->query_string);
    else
        web_fail(c, 405, "%s: ask by %s", name, command->asked_by == ASKED_BY_GET ? "GET" : "POST");
}
