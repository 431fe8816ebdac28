/* call.c - one call of a tool: checks its arguments, runs its command, and makes the answer.
 *
 * The answer is one text: the lines of the command, notes, questions that may come next as calls of tools, and a last
 * line with the tokens that were used. All of it has room in the budget. The `next` of a further page is our own:
 *
 *     line-31-1f00...    the number of lines of the pages before, and the hash of the arguments it belongs to */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "formats/nearest.h"
#include "reader/serve/mcp/mcp.h"

/* Integers up to here are exact in JSON numbers that are read as doubles. */
#define EXACT_MAX 9007199254740992.0

typedef VEC(char *) words_vec;

enum { ARGV_MAX = 40, NEXT_ROOM = 64, TAIL_BYTES = 700, LAST_LINE_BYTES = 144, NOTE_MAX = 300 };

bool call_fail(struct call *c, const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    c->error.size = 0;
    int n = vasprintf(&text, fmt, ap);
    if (n >= 0)
        write_bytes(&c->error, text, (size_t)n);
    free(text);
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
        o = tool_find_parameter(c->tool, v->string);
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

/* Of all arguments but the page and its size. */
static uint64_t hash_arguments(const struct call *c)
{
    const cJSON *v;
    uint64_t sum = XXH3_64bits(c->tool->name, strlen(c->tool->name));
    cJSON_ArrayForEach(v, c->arguments)
    {
        if (word_in("next budget", v->string))
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

static void write_next(const struct call *c, uint64_t lines, char next[NEXT_ROOM])
{
    (void)snprintf(next, NEXT_ROOM, "line-%" PRIu64 "-%016" PRIx64, lines, hash_arguments(c));
}

static bool read_next(struct call *c)
{
    char number[JSON_NUMBER_MAX], expected[NEXT_ROOM], digits[24] = "";
    const char *text = call_text(c, "next", number);
    if (text == NULL)
        return true;
    const char *dash = strrchr(text, '-');
    if (dash != NULL && dash - text > 5 && dash - text - 5 < (ptrdiff_t)sizeof digits)
        memcpy(digits, text + 5, (size_t)(dash - text - 5));
    if (cli_u64(digits, &c->skip)) {
        write_next(c, c->skip, expected);
        if (strcmp(expected, text) == 0)
            return true;
    }
    return call_fail(c, "next: expects the `next` of an answer to the same arguments; without it the answer begins "
                        "with the first line");
}

static struct trace *call_trace(struct call *c)
{
    struct traces *all = &c->mcp->traces;
    struct hs_error error = HS_ERROR_INIT;
    char number[JSON_NUMBER_MAX], text[NEAREST_TEXT_MAX];
    const char *name = call_text(c, "trace", number);
    struct nearest n;
    struct trace *trace = name != NULL ? traces_find(all, name) : traces_default(all);
    if (name == NULL && trace == NULL) {
        (void)call_fail(c, "trace: %s",
                        all->list.count == 0 ? "there is none yet: `record` makes one"
                                             : "say which one; overview without arguments lists them");
        return NULL;
    }
    if (trace == NULL) {
        nearest_init(&n, name);
        for (size_t i = 0; i < all->list.count; i++)
            nearest_offer(&n, all->list.items[i].name);
        (void)call_fail(c, "trace: no trace is called '%s'%s; overview without arguments lists them", name,
                        nearest_text(&n, text));
        return NULL;
    }
    if (traces_open(all, trace, &error) == 0)
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
static bool failed(struct call *c)
{
    struct host *h = &c->host;
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

bool call_command(struct call *c, struct page *page, const char *const *words, size_t count)
{
    char *argv[ARGV_MAX + 1];
    int argc = 0;
    bool room = count <= ARGV_MAX;
    c->host.trace = c->trace->open;
    c->host.sink = page_sink;
    c->host.to = page;
    c->host.assistant = true;
    for (size_t i = 0; room && i < count; i++)
        room = (argv[argc] = strdup(words[i])) != NULL && ++argc > 0;
    argv[argc] = NULL;
    int status = room ? command_run(&c->host, argc, argv) : EXIT_FAILED;
    while (argc > 0)
        free(argv[--argc]);
    if (!room)
        return call_fail(c, "out of memory");
    return status == EXIT_DONE || status == EXIT_INCOMPLETE || failed(c);
}

/* Adds --OPTION=VALUE for an option of a form: its name, or OPTION=ARGUMENT. */
static bool add_option(struct call *c, const char *option, size_t n, words_vec *made)
{
    char name[48] = "", number[JSON_NUMBER_MAX];
    memcpy(name, option, n < sizeof name ? n : sizeof name - 1);
    char *equals = strchr(name, '=');
    const char *argument = equals != NULL ? equals + 1 : name;
    if (equals != NULL)
        *equals = '\0';
    const char *text = call_text(c, argument, number);
    if (strcmp(argument, "budget") == 0) { /* the room that the page has */
        (void)snprintf(number, sizeof number, "%zu", c->page.room / TOKEN_BYTES);
        text = number;
    }
    if (text == NULL)
        return true;
    const bool flag = tool_find_parameter(c->tool, argument)->type == OPTION_FLAG;
    char **word = vec_push(made);
    return word != NULL && asprintf(word, flag ? "--%s%s" : "--%s=%s", name, text) >= 0;
}

bool call_form(struct call *c, struct page *page)
{
    const struct tool_form *form = c->form;
    words_vec made = { 0 };
    const char *words[ARGV_MAX];
    char numbers[4][JSON_NUMBER_MAX], name[48];
    size_t count = 0, operands = 0;
    bool ok = true;
    char *source = NULL;
    words[count++] = form->command;
    for (const char *w = form->options; ok && w != NULL && *w != '\0'; w += strspn(w, " ")) {
        const size_t n = strcspn(w, " ");
        ok = add_option(c, w, n, &made);
        w += n;
    }
    for (size_t i = 0; ok && i < made.count; i++)
        words[count++] = made.items[i];
    if (ok && c->mcp->source != NULL && command_find(form->command)->usage->source)
        ok = asprintf(&source, "--source=%s", c->mcp->source) >= 0;
    if (ok && source != NULL)
        words[count++] = source;
    words[count++] = "--";
    words[count++] = c->trace->path;
    for (const char *w = form->operands; w != NULL && *w != '\0' && operands < 4; w += strspn(w, " ")) {
        const size_t n = strcspn(w, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)n, w);
        const char *text = call_text(c, name, numbers[operands]);
        operands += text != NULL;
        if (text != NULL)
            words[count++] = text;
        w += n;
    }
    ok = ok ? call_command(c, page, words, count) : call_fail(c, "out of memory");
    free(source);
    for (size_t i = 0; i < made.count; i++)
        free(made.items[i]);
    vec_free(&made);
    return ok;
}

/* Does the form use an argument? */
static bool form_takes(const struct tool_form *form, const char *name)
{
    char renamed[64];
    if (word_in("trace budget next", name) || word_in(form->operands, name) || word_in(form->options, name) ||
        (form->when != NULL && strcmp(form->when, name) == 0))
        return true;
    for (const char *w = form->options; w != NULL && *w != '\0'; w += strspn(w, " ")) {
        const size_t n = strcspn(w, " ");
        (void)snprintf(renamed, sizeof renamed, "%.*s", (int)n, w);
        const char *equals = strchr(renamed, '=');
        if (equals != NULL && strcmp(equals + 1, name) == 0)
            return true;
        w += n;
    }
    return false;
}

static bool is_given(const struct call *c, const char *name)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(c->arguments, name);
    return v != NULL && !cJSON_IsNull(v) && !cJSON_IsFalse(v);
}

/* The command that the arguments ask for; NULL: call_fail was called. */
static const struct tool_form *choose_form(struct call *c)
{
    const struct tool_form *form = c->tool->forms;
    const cJSON *v;
    while (form->command != NULL && form->when != NULL && !is_given(c, form->when))
        form++;
    if (form->command == NULL) {
        char all[120] = "";
        size_t used = 0;
        for (const struct tool_form *f = c->tool->forms; f->command != NULL && used < sizeof all; f++)
            if (tool_find_parameter(c->tool, f->when)->type != OPTION_FLAG)
                used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used > 0 ? ", or " : "", f->when);
        (void)call_fail(c, "%s: say %s", c->tool->name, all);
        return NULL;
    }
    cJSON_ArrayForEach(v, c->arguments)
    {
        if (is_given(c, v->string) && !form_takes(form, v->string)) {
            (void)call_fail(c, "%s: %s does not go with %s", c->tool->name, v->string,
                            form->when != NULL ? form->when : "the others");
            return NULL;
        }
    }
    return form;
}

/* ---- the answer ---- */

/* The arguments of a question that may come next; false: what it needs is not there. */
static bool fill(struct call *c, const char *arguments, char *out, size_t size)
{
    size_t used = 0;
    char number[JSON_NUMBER_MAX];
    for (const char *p = arguments; *p != '\0' && used + 1 < size; p++) {
        if (*p != '$') {
            out[used++] = *p;
            continue;
        }
        const size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz");
        uint64_t seq = n == 5 ? c->page.first : n == 4 ? c->page.last : UINT64_MAX;
        if (n == 2 && call_text(c, "at", number) != NULL)
            (void)cli_u64(call_text(c, "at", number), &seq);
        if (seq == UINT64_MAX)
            return false;
        used += (size_t)snprintf(out + used, size - used, "%" PRIu64, seq);
        p += n;
    }
    out[used < size ? used : size - 1] = '\0';
    return used < size;
}

/* Is it the question that was just answered? */
static bool is_asked(const struct call *c, const char *tool, const char *arguments)
{
    cJSON *parsed = strcmp(tool, c->tool->name) == 0 ? cJSON_Parse(arguments) : NULL;
    const bool same = parsed != NULL && cJSON_Compare(parsed, c->arguments, true);
    cJSON_Delete(parsed);
    return same;
}

static void add_tail(struct writer *tail, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_tail(struct writer *tail, const char *fmt, ...)
{
    char line[NOTE_MAX + 8];
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (n > 0 && (size_t)n < sizeof line && tail->size + (size_t)n + LAST_LINE_BYTES <= TAIL_BYTES)
        write_bytes(tail, line, (size_t)n);
}

static void add_notes(struct call *c, struct writer *tail)
{
    const char *at = (const char *)c->host.messages.data;
    size_t left = c->host.messages.size;
    struct writer line = { 0 };
    if (c->page.cut)
        add_tail(tail, "note: a line was cut: a greater budget has all of it\n");
    while (left > 0) {
        const char *end = memchr(at, '\n', left);
        const size_t n = end != NULL ? (size_t)(end - at) : left;
        line.size = 0;
        add_message(&line, at, n);
        const size_t fits = page_fit(line.data, line.size, NOTE_MAX - 16);
        add_tail(tail, "note: %.*s%s\n", (int)fits, (const char *)line.data, fits < line.size ? "..." : "");
        at += n + (end != NULL);
        left -= n + (end != NULL);
    }
    writer_free(&line);
}

static void add_questions(struct call *c, struct writer *tail)
{
    char arguments[160];
    bool any = false;
    for (const struct tool_next *n = c->tool->next; n < c->tool->next + TOOL_NEXT_MAX && n->tool != NULL; n++)
        if (fill(c, n->arguments, arguments, sizeof arguments) && !is_asked(c, n->tool, arguments)) {
            add_tail(tail, "%s%s %s\n", any ? "          " : "ask next: ", n->tool, arguments);
            any = true;
        }
}

/* The last line counts itself. */
static void add_last_line(struct call *c, struct writer *answer)
{
    char line[LAST_LINE_BYTES], more[NEXT_ROOM + 24] = "", next[NEXT_ROOM];
    if (c->page.more) {
        write_next(c, c->skip + c->page.lines, next);
        (void)snprintf(more, sizeof more, "; more: \"next\":\"%s\"", next);
    }
    uint64_t tokens = 0;
    for (int i = 0; i < 3; i++) { /* until its own digits are counted */
        int n = snprintf(line, sizeof line, "[%" PRIu64 " of %" PRIu64 " tokens%s]\n", tokens, c->budget, more);
        tokens = (answer->size + (size_t)n + TOKEN_BYTES - 1) / TOKEN_BYTES;
    }
    (void)snprintf(line, sizeof line, "[%" PRIu64 " of %" PRIu64 " tokens%s]\n", tokens, c->budget, more);
    write_bytes(answer, line, strlen(line));
}

static bool begin(struct call *c)
{
    char number[JSON_NUMBER_MAX];
    c->budget = BUDGET_DEFAULT;
    if (!check_arguments(c))
        return false;
    if (call_text(c, "budget", number) != NULL &&
        (!cli_u64(call_text(c, "budget", number), &c->budget) || c->budget < BUDGET_MIN || c->budget > BUDGET_MAX))
        return call_fail(c, "budget: expects %d to %d", BUDGET_MIN, BUDGET_MAX);
    if (!read_next(c))
        return false;
    page_init(&c->page, c->skip, (size_t)c->budget * TOKEN_BYTES - TAIL_BYTES);
    /* overview without a name lists the traces, if there are several; record needs none */
    if (c->tool->records || (c->tool->any_trace && traces_default(&c->mcp->traces) == NULL && !is_given(c, "trace")))
        return true;
    return (c->trace = call_trace(c)) != NULL;
}

static bool answer(struct call *c, struct writer *text)
{
    struct writer tail = { 0 };
    if (!begin(c))
        return false;
    if (c->tool->forms[0].command != NULL && (c->form = choose_form(c)) == NULL)
        return false;
    if (!(c->tool->run != NULL ? c->tool->run(c) : call_form(c, &c->page)))
        return false;
    write_bytes(text, c->page.text.data, c->page.text.size);
    add_notes(c, &tail);
    add_questions(c, &tail);
    write_bytes(text, tail.data, tail.size);
    add_last_line(c, text);
    bool ok = !text->bad && !tail.bad && !c->page.text.bad;
    writer_free(&tail);
    return ok || call_fail(c, "out of memory");
}

void call_tool(struct mcp *mcp, const struct tool *tool, const cJSON *arguments, struct json *result)
{
    struct writer text = { 0 };
    struct call c = { .mcp = mcp, .tool = tool, .arguments = arguments };
    c.host.deadline_ms = host_now_ms() + mcp->timeout_ms;
    const bool ok = answer(&c, &text);
    const struct writer *said = ok ? &text : &c.error;
    json_name(result, "content");
    json_array(result);
    json_object(result);
    json_member_text(result, "type", "text");
    json_name(result, "text");
    json_text_n(result, said->data, said->size);
    json_end(result);
    json_end(result);
    json_member_bool(result, "isError", !ok);
    writer_free(&text);
    page_done(&c.page);
    writer_free(&c.error);
    writer_free(&c.host.messages);
}
