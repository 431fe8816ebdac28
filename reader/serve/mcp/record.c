/* record.c - the tool `record`: runs `hindsight record` with the words that the server was started with, and opens the
 * trace. What the program writes is not answered but for its end. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "formats/visible.h"
#include "reader/serve/mcp/mcp.h"

enum { RECORD_MS = 3600000, KEPT_BYTES = 8192, SCRIPT_ROOM = 64 };

/* The end of the program's output. */
struct tail {
    char bytes[KEPT_BYTES];
    size_t size;
};

static int tail_sink(void *tail, const void *bytes, size_t n)
{
    struct tail *t = tail;
    const size_t part = n < KEPT_BYTES ? n : KEPT_BYTES;
    const size_t drop = t->size + part > KEPT_BYTES ? t->size + part - KEPT_BYTES : 0;
    memmove(t->bytes, t->bytes + drop, t->size - drop);
    memcpy(t->bytes + t->size - drop, (const char *)bytes + n - part, part);
    t->size += part - drop;
    return 0;
}

static void put_shown(void *page, const char *bytes, size_t n) { (void)page_sink(page, bytes, n); }

/* Only whole lines, of which the last ones have room. */
static void add_end(struct call *c, const char *title, const char *text, size_t size, size_t room)
{
    const char *from = size > room ? text + size - room : text, *end = text + size;
    if (from > text) {
        const char *line = memchr(from, '\n', (size_t)(end - from));
        from = line != NULL ? line + 1 : end;
    }
    if (from == end)
        return;
    (void)page_sink(&c->page, title, strlen(title));
    for (const char *line = from, *stop; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop != NULL ? stop : end;
        visible_each(line, (size_t)(stop - line), put_shown, &c->page);
        (void)page_sink(&c->page, "\n", 1);
    }
}

/* The last line that record --json writes; NULL: there is none. */
static cJSON *last_line(struct writer *messages, size_t *before)
{
    size_t at = messages->size;
    write_u1(messages, 0);
    while (at > 0 && messages->data[at - 1] != '\n')
        at--;
    *before = at;
    return messages->bad ? NULL : cJSON_Parse((const char *)messages->data + at);
}

static bool open_trace(struct call *c, const cJSON *said)
{
    struct traces *all = &c->mcp->traces;
    struct hs_error error = HS_ERROR_INIT;
    const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(said, "trace"));
    const char *reason = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(said, "reason"));
    if (path == NULL)
        return call_fail(c, "nothing was recorded: %s", reason != NULL ? reason : "the command could not be run");
    const size_t index = all->list.count;
    if (!traces_add(all, path, &error) || all->list.count != index + 1)
        return call_fail(c, "%s: %s", path, error.text);
    if (traces_open(all, &all->list.items[index], &error) != 0)
        return call_fail(c, "%s", error.text);
    all->recorded = index + 1;
    return true;
}

static void add_summary(struct call *c, const cJSON *said)
{
    const cJSON *member;
    char line[400];
    cJSON_ArrayForEach(member, said)
    {
        if (cJSON_IsString(member))
            (void)snprintf(line, sizeof line, "%-12s %.300s\n", member->string, member->valuestring);
        else if (cJSON_IsNumber(member))
            (void)snprintf(line, sizeof line, "%-12s %.0f\n", member->string, member->valuedouble);
        else
            continue;
        (void)page_sink(&c->page, line, strlen(line));
    }
}

bool tool_record(struct call *c)
{
    struct tail tail = { .size = 0 };
    struct host host = { .program = "/bin/sh", .sink = tail_sink, .to = &tail };
    char self[PATH_MAX], *script = NULL;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    size_t before = 0;
    if (n <= 0 || asprintf(&script, "exec \"$0\" record --json %s", c->mcp->record) < 0)
        return call_fail(c, "record: this program is not found");
    self[n] = '\0';
    char *words[] = { "-c", script, self, NULL };
    host.deadline_ms = host_now_ms() + RECORD_MS;
    const int status = command_run(&host, 3, words);
    cJSON *said = status != COMMAND_NOT_STARTED ? last_line(&host.messages, &before) : NULL;
    bool ok = open_trace(c, said);
    if (ok) {
        add_summary(c, said);
        add_end(c, "end of the output:\n", tail.bytes, tail.size, c->page.room / 4);
        add_end(c, "end of the error output:\n", (const char *)host.messages.data, before, c->page.room / 4);
    }
    cJSON_Delete(said);
    writer_free(&host.messages);
    free(script);
    return ok;
}
