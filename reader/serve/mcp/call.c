/* call.c - one call of a tool: checks its arguments, runs it, and makes the answer.
 *
 * The answer is one JSON document, once as structured content and once as text. The cursor of a further page is our
 * own:
 *
 *     row-50-1f00...    the number of rows of the pages before, and the hash of the arguments it belongs to
 *     seq-4711-1f00...  of a tool that seeks: the seq to go on from */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "formats/nearest.h"
#include "reader/serve/mcp/mcp.h"

/* Integers up to here are exact in JSON numbers that are read as doubles. */
#define EXACT_MAX  9007199254740992.0
#define CURSOR_MAX 64

enum { ARGV_MAX = 40 };

static void say(struct writer *w, const char *fmt, va_list ap)
{
    char *text = NULL;
    int n = vasprintf(&text, fmt, ap);
    if (n >= 0)
        write_bytes(w, text, (size_t)n);
    free(text);
}

bool call_fail(struct call *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    c->error.size = 0;
    say(&c->error, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- arguments ---- */

static bool is_whole(const cJSON *v)
{
    return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble < EXACT_MAX &&
           v->valuedouble == (double)(uint64_t)v->valuedouble;
}

const char *call_text(struct call *c, const char *name, char number[JSON_NUMBER_MAX])
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(c->arguments, name);
    if (cJSON_IsString(v))
        return v->valuestring;
    if (cJSON_IsTrue(v))
        return "";
    if (!is_whole(v))
        return NULL;
    (void)snprintf(number, JSON_NUMBER_MAX, "%" PRIu64, (uint64_t)v->valuedouble);
    return number;
}

bool call_u64(struct call *c, const char *name, uint64_t *value)
{
    char number[JSON_NUMBER_MAX];
    const char *text = call_text(c, name, number);
    return text != NULL && cli_u64(text, value);
}

/* Numbers may be given as text, which is exact, and the id of an object as a number. */
static bool check_type(struct call *c, const struct option_row *o, const cJSON *v)
{
    uint64_t number;
    if (cJSON_IsNull(v)) /* some clients send what is not given */
        return true;
    switch (o->type) {
    case OPTION_FLAG: return cJSON_IsBool(v) || call_fail(c, "%s: expects true or false", o->name);
    case OPTION_U64:
        return is_whole(v) || (cJSON_IsString(v) && cli_u64(v->valuestring, &number)) ||
               call_fail(c, "%s: expects a number from 0 on (above 2^53 as a text)", o->name);
    case OPTION_MOMENT:
        return is_whole(v) || cJSON_IsString(v) || call_fail(c, "%s: expects a number from 0 on, or a text", o->name);
    case OPTION_TEXT:
    case OPTION_TEXTS:
    case OPTION_EVENT:
    case OPTION_EVENTS:
    case OPTION_GROUPS:
    case OPTION_FORMAT:
    case OPTION_CHOICE:
    case OPTION_OBJECT:
    case OPTION_FILE:
    case OPTION_DIRECTORY: break;
    }
    return cJSON_IsString(v) || is_whole(v) || call_fail(c, "%s: expects a text", o->name);
}

static const struct option_row *find_parameter(const struct tool *t, const char *name)
{
    const struct option_row *o;
    for (size_t i = 0; (o = tool_parameter(t, i)) != NULL; i++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

static bool unknown_argument(struct call *c, const char *name)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX], all[512] = "";
    size_t used = 0;
    const struct option_row *o;
    nearest_init(&n, name);
    for (size_t i = 0; (o = tool_parameter(c->tool, i)) != NULL; i++) {
        nearest_offer(&n, o->name);
        if (used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, " %s", o->name);
    }
    return call_fail(c, "%s has no argument '%s'%s; it takes:%s", c->tool->name, name, nearest_text(&n, text), all);
}

static bool check_arguments(struct call *c)
{
    const cJSON *v;
    const struct option_row *o;
    if (c->arguments != NULL && !cJSON_IsObject(c->arguments))
        return call_fail(c, "arguments: expects an object");
    cJSON_ArrayForEach(v, c->arguments)
    {
        o = find_parameter(c->tool, v->string);
        if (o == NULL)
            return unknown_argument(c, v->string);
        if (!check_type(c, o, v))
            return false;
    }
    for (size_t i = 0; (o = tool_parameter(c->tool, i)) != NULL; i++) {
        v = cJSON_GetObjectItemCaseSensitive(c->arguments, o->name);
        if (word_in(c->tool->required, o->name) && (v == NULL || cJSON_IsNull(v)))
            return call_fail(c, "%s: is missing: %s", o->name, o->help);
    }
    return true;
}

/* Of all arguments but the cursor. */
static uint64_t hash_arguments(const struct call *c)
{
    const cJSON *v;
    uint64_t sum = XXH3_64bits(c->tool->name, strlen(c->tool->name));
    cJSON_ArrayForEach(v, c->arguments)
    {
        if (strcmp(v->string, "cursor") == 0 || strcmp(v->string, "limit") == 0)
            continue;
        uint64_t hash = XXH3_64bits_withSeed(v->string, strlen(v->string), (unsigned)v->type & 0xff);
        if (cJSON_IsString(v))
            hash = XXH3_64bits_withSeed(v->valuestring, strlen(v->valuestring), hash);
        else
            hash = XXH3_64bits_withSeed(&v->valuedouble, sizeof v->valuedouble, hash);
        sum += hash; /* in any order */
    }
    return sum;
}

static bool read_cursor(struct call *c)
{
    char number[JSON_NUMBER_MAX], expected[CURSOR_MAX];
    const char *text = call_text(c, "cursor", number);
    uint64_t at;
    c->seq = UINT64_MAX;
    if (text == NULL)
        return true;
    const char *kind = c->tool->seeks ? "seq" : "row", *dash = strrchr(text, '-');
    char digits[24] = "";
    if (dash != NULL && dash - text > 4 && dash - text - 4 < (ptrdiff_t)sizeof digits)
        memcpy(digits, text + 4, (size_t)(dash - text - 4));
    if (cli_u64(digits, &at) &&
        snprintf(expected, sizeof expected, "%s-%" PRIu64 "-%016" PRIx64, kind, at, hash_arguments(c)) > 0 &&
        strcmp(expected, text) == 0) {
        *(c->tool->seeks ? &c->seq : &c->skip) = at;
        return true;
    }
    return call_fail(c, "cursor: expects the `next` of an answer to the same arguments; without it the answer begins "
                        "with the first row");
}

struct trace *call_trace(struct call *c, const char *argument)
{
    struct traces *all = &c->mcp->traces;
    struct hs_error error = HS_ERROR_INIT;
    char number[JSON_NUMBER_MAX], text[NEAREST_TEXT_MAX];
    const char *name = call_text(c, argument, number);
    struct nearest n;
    if (name == NULL && (all->list.count > 1 || argument[0] != 't'))
        (void)call_fail(c, "%s: say which of the %zu traces; overview without arguments lists them", argument,
                        all->list.count);
    if (name == NULL && (all->list.count > 1 || argument[0] != 't'))
        return NULL;
    struct trace *trace = name == NULL ? &all->list.items[0] : traces_find(all, name);
    if (trace == NULL) {
        nearest_init(&n, name);
        for (size_t i = 0; i < all->list.count; i++)
            nearest_offer(&n, all->list.items[i].name);
        (void)call_fail(c, "%s: no trace is called '%s'%s; overview without arguments lists them", argument, name,
                        nearest_text(&n, text));
        return NULL;
    }
    if (traces_open(all, trace, c->trace, &error) == 0)
        return trace;
    (void)call_fail(c, "%s", error.text);
    return NULL;
}

/* ---- running commands ---- */

/* A message of a command with its options as arguments are named: ` --class Foo` becomes ` class Foo`. */
static void add_message(struct writer *to, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool begins = i == 0 || text[i - 1] == ' ' || text[i - 1] == '\'';
        if (begins && n - i > 2 && text[i] == '-' && text[i + 1] == '-' && text[i + 2] >= 'a' && text[i + 2] <= 'z')
            i += 2;
        write_u1(to, (unsigned char)text[i]);
    }
}

/* What the command said becomes the error of the call. */
static bool failed(struct call *c, const struct rows *rows)
{
    struct host *h = &c->host;
    if (rows->too_long)
        return call_fail(c,
                         "a row of the answer has more than %d bytes; ask for less: an earlier or later moment, "
                         "or an object by itself",
                         ROW_BYTES_MAX);
    if (h->late)
        return call_fail(c,
                         "this takes longer than %" PRIu64 " s; ask for a part (from, to, thread, class), or run "
                         "`hindsight index` on the trace once",
                         c->mcp->timeout_ms / 1000);
    c->error.size = 0;
    size_t n = h->messages.size;
    while (n > 0 && h->messages.data[n - 1] == '\n')
        n--;
    add_message(&c->error, (const char *)h->messages.data, n);
    h->messages.size = 0;
    return false;
}

/* The page of an object with many members goes on behind those shown. */
static void count_members(struct call *c, struct rows *rows)
{
    write_u1(&rows->page, 0); /* ends the text */
    cJSON *object = rows->page.bad ? NULL : cJSON_Parse((const char *)rows->page.data);
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(object, "members");
    c->shown = c->limit;
    c->more = cJSON_IsNumber(members) ? members->valuedouble > (double)(c->skip + c->limit)
                                      : cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, "more"));
    cJSON_Delete(object);
}

static void add_rows(struct call *c, const char *key, bool single, const struct rows *rows)
{
    struct json *j = c->json;
    if (single && rows->count == 0)
        return;
    json_name(j, key);
    json_raw(j);
    if (!single)
        j->write(j->to, "[", 1);
    j->write(j->to, rows->page.data, rows->page.size);
    if (!single)
        j->write(j->to, "]", 1);
}

static void prepare(struct call *c, struct rows *rows)
{
    c->host.trace = c->trace->open;
    c->host.sink = rows_sink;
    c->host.to = rows;
}

bool call_command(struct call *c, const char *key, bool single, const char *const *words, size_t count)
{
    char *argv[ARGV_MAX + 1];
    struct rows rows;
    int argc = 0;
    bool room = count <= ARGV_MAX;
    rows_init(&rows, single ? 0 : c->skip, single ? 1 : c->limit);
    prepare(c, &rows);
    for (size_t i = 0; room && i < count; i++)
        room = (argv[argc] = strdup(words[i])) != NULL && ++argc > 0;
    argv[argc] = NULL;
    int status = room ? command_run(&c->host, argc, argv) : EXIT_FAILED;
    bool ok = status == EXIT_DONE || status == EXIT_INCOMPLETE;
    if (ok) {
        add_rows(c, key, single, &rows);
        c->more = rows.more;
        c->shown = rows.count;
        c->next_seq = rows.next_seq;
        if (c->tool->members)
            count_members(c, &rows);
    } else {
        (void)failed(c, &rows);
    }
    while (argc > 0)
        free(argv[--argc]);
    rows_done(&rows);
    return ok;
}

bool call_begin_rows(struct call *c, struct session *s, struct rows *rows)
{
    struct common common = { .limit = UINT64_MAX, .name_max = NAME_MAX_DEFAULT, .source = c->mcp->source };
    rows_init(rows, c->skip, c->limit);
    prepare(c, rows);
    c->context = (struct context){ .name = c->tool->name, .host = &c->host };
    if (session_open(s, &c->context, &common, NULL) == PARSED)
        return true;
    (void)failed(c, rows);
    rows_done(rows);
    return false;
}

bool call_end_rows(struct call *c, struct session *s, struct rows *rows, bool ok)
{
    int status = session_close(s, ok ? EXIT_DONE : EXIT_FAILED);
    ok = status == EXIT_DONE || status == EXIT_INCOMPLETE;
    if (ok) {
        add_rows(c, c->tool->key, false, rows);
        c->more = rows->more;
        c->shown = rows->count;
    } else if (c->error.size == 0) {
        (void)failed(c, rows);
    }
    rows_done(rows);
    return ok;
}

/* The tool is a command: its command line from the arguments. */
static bool run_command(struct call *c)
{
    VEC(char *) made = { 0 };
    const struct tool *t = c->tool;
    const struct option_row *o;
    char limit[48], skip[48], number[JSON_NUMBER_MAX];
    const char *text;
    const char *words[ARGV_MAX];
    size_t count = 0;
    bool ok = true;
    uint64_t wanted = t->single ? c->limit : c->limit + 1 + (t->seeks ? 0 : c->skip);
    (void)snprintf(limit, sizeof limit, "--limit=%" PRIu64, wanted);
    words[count++] = t->command;
    words[count++] = "--json";
    words[count++] = limit;
    (void)snprintf(skip, sizeof skip, "--skip=%" PRIu64, c->skip);
    if (t->members)
        words[count++] = skip;
    for (size_t i = 0; ok && (o = tool_parameter(t, i)) != NULL; i++) {
        if (!word_in(t->options, o->name))
            continue;
        text = call_text(c, o->name, number);
        if (t->seeks && c->seq != UINT64_MAX && strcmp(o->name, "from") == 0) {
            (void)snprintf(number, sizeof number, "%" PRIu64, c->seq);
            text = number;
        }
        char **word = text != NULL ? vec_push(&made) : NULL;
        if (text == NULL)
            continue;
        ok = word != NULL && asprintf(word, o->type == OPTION_FLAG ? "--%s%s" : "--%s=%s", o->name, text) >= 0;
        words[count++] = ok ? *word : NULL;
    }
    char *source = NULL;
    if (ok && c->mcp->source != NULL && command_find(t->command)->usage->source)
        ok = asprintf(&source, "--source=%s", c->mcp->source) >= 0;
    if (ok && source != NULL)
        words[count++] = source;
    words[count++] = "--";
    words[count++] = c->trace->path;
    for (o = t->parameters; o != NULL && o->name != NULL; o++) /* the operands, in their order */
        if ((text = call_text(c, o->name, number)) != NULL)
            words[count++] = text;
    ok = ok ? call_command(c, t->key, t->single, words, count) : call_fail(c, "out of memory");
    free(source);
    for (size_t i = 0; i < made.count; i++)
        free(made.items[i]);
    vec_free(&made);
    return ok;
}

/* ---- the answer ---- */

static void notes(struct call *c, struct json *j)
{
    const char *at = (const char *)c->host.messages.data;
    size_t left = c->host.messages.size;
    struct writer line = { 0 };
    if (left == 0)
        return;
    json_name(j, "notes");
    json_array(j);
    while (left > 0) {
        const char *end = memchr(at, '\n', left);
        size_t n = end != NULL ? (size_t)(end - at) : left;
        line.size = 0;
        add_message(&line, at, n);
        json_text_n(j, line.data, line.size);
        at += n + (end != NULL);
        left -= n + (end != NULL);
    }
    json_end(j);
    writer_free(&line);
}

static bool begin(struct call *c)
{
    uint64_t limit;
    if (!check_arguments(c))
        return false;
    c->limit = PAGE_ROWS;
    if (call_u64(c, "limit", &limit)) {
        if (limit < 1 || limit > PAGE_ROWS)
            return call_fail(c, "limit: expects 1 to %d; a cursor goes on behind them", PAGE_ROWS);
        c->limit = limit;
    }
    if (!read_cursor(c))
        return false;
    /* overview without a name lists the traces, if there are several */
    if (c->tool->any_trace && c->mcp->traces.list.count > 1 &&
        cJSON_GetObjectItemCaseSensitive(c->arguments, "trace") == NULL)
        return true;
    return (c->trace = call_trace(c, "trace")) != NULL;
}

static bool answer(struct call *c)
{
    char cursor[CURSOR_MAX];
    struct json *j = c->json;
    json_object(j);
    if (!begin(c) || !(c->tool->run != NULL ? c->tool->run : run_command)(c))
        return false;
    if (c->more) {
        if (c->tool->seeks)
            (void)snprintf(cursor, sizeof cursor, "seq-%" PRIu64 "-%016" PRIx64, c->next_seq, hash_arguments(c));
        else
            (void)snprintf(cursor, sizeof cursor, "row-%" PRIu64 "-%016" PRIx64, c->skip + c->shown, hash_arguments(c));
        json_member_text(j, "next", cursor);
    }
    notes(c, j);
    json_end(j);
    return true;
}

void call_tool(struct mcp *mcp, const struct tool *tool, const cJSON *arguments, struct json *result)
{
    struct writer document = { 0 };
    struct json j;
    struct call c = { .mcp = mcp, .tool = tool, .arguments = arguments, .json = &j };
    json_init(&j, json_to_writer, &document);
    c.host.deadline_ms = host_now_ms() + mcp->timeout_ms;
    bool ok = answer(&c) && (!document.bad || call_fail(&c, "out of memory"));
    json_name(result, "content");
    json_array(result);
    json_object(result);
    json_member_text(result, "type", "text");
    json_name(result, "text");
    if (ok)
        json_text_n(result, document.data, document.size);
    else
        json_text_n(result, c.error.data, c.error.size);
    json_end(result);
    json_end(result);
    if (ok) {
        json_name(result, "structuredContent");
        json_raw(result);
        result->write(result->to, document.data, document.size);
    }
    json_member_bool(result, "isError", !ok);
    writer_free(&document);
    writer_free(&c.error);
    writer_free(&c.host.messages);
}
