/* web_run.c - a command as a child process, and its output as an answer; see web.h.
 *
 * Up to HELD_MAX bytes are held until the command has ended, so that its exit status is in the head of the answer:
 * 0 200, 1 422, 2 400, 3 200 with Hindsight-Incomplete: why (percent-encoded). What is longer is sent as it comes; if
 * such a command fails, the connection is closed before the last chunk. A page that goes away ends its command. */
#include <errno.h>
#include <string.h>

#include "reader/command/cli.h"
#include "reader/serve/web.h"

enum { HELD_MAX = 1 << 20, SENT_MAX = 256 << 20 /* bytes of one answer */, TIME_S = 120 };

/* The output of a command. */
struct sending {
    struct mg_connection *c;
    struct writer held;
    size_t sent;
    bool streams, refused;
};

static int send_piece(void *to, const void *bytes, size_t n)
{
    struct sending *s = to;
    bool begins = !s->streams && s->held.size + n > HELD_MAX;
    if (begins) {
        s->streams = true;
        web_head(s->c, 200, "application/x-ndjson", "");
        s->refused = mg_send_chunk(s->c, (const char *)s->held.data, (unsigned)s->held.size) < 0;
    }
    s->sent += n;
    if (!s->streams)
        write_bytes(&s->held, bytes, n);
    else if (!s->refused)
        s->refused = s->sent > SENT_MAX || mg_send_chunk(s->c, bytes, (unsigned)n) < 0;
    return s->refused ? ECANCELED : 0;
}

/* Runs the words, which end with NULL, by command_run. */
static int run(const struct web *w, const char *const *argv, out_sink_fn *sink, void *to, struct host *h)
{
    int argc = 0;
    while (argv[argc] != NULL)
        argc++;
    *h = (struct host){
        .program = w->self, .sink = sink, .to = to, .deadline_ms = host_now_ms() + (uint64_t)TIME_S * 1000
    };
    int status = command_run(h, argc, (char **)(uintptr_t)argv);
    int failed = errno;
    write_u1(&h->messages, '\0');
    errno = failed;
    return status;
}

/* "Name: text\r\n" with the text percent-encoded. */
static void header_line(struct writer *to, const char *name, const char *text)
{
    static const char hex[] = "0123456789ABCDEF";
    write_bytes(to, name, strlen(name));
    write_bytes(to, ": ", 2);
    for (; *text != '\0'; text++) {
        unsigned char b = (unsigned char)*text;
        if (b > ' ' && b < 0x7f && b != '%') {
            write_u1(to, b);
        } else {
            write_u1(to, '%');
            write_u1(to, (unsigned char)hex[b >> 4]);
            write_u1(to, (unsigned char)hex[b & 15]);
        }
    }
    write_bytes(to, "\r\n", 3); /* with the NUL */
}

static void send_held(struct mg_connection *c, int status, const struct writer *held, const struct writer *messages)
{
    const char *message = messages->bad ? "" : (const char *)messages->data;
    struct writer extra = { 0 };
    if (status == EXIT_FAILED || status == EXIT_USAGE) {
        web_fail(c, status == EXIT_USAGE ? 400 : 422, "%s", *message != '\0' ? message : "it failed");
        return;
    }
    if (status == EXIT_INCOMPLETE)
        header_line(&extra, "Hindsight-Incomplete", message);
    web_answer(c, 200, "application/x-ndjson", extra.size > 0 && !extra.bad ? (const char *)extra.data : "", held->data,
               held->size);
    writer_free(&extra);
}

void web_run(struct web *w, struct mg_connection *c, const char *const *argv)
{
    struct sending s = { .c = c };
    struct host h;
    (void)sem_wait(&w->children);
    int status = run(w, argv, send_piece, &s, &h);
    if (status == COMMAND_NOT_STARTED)
        web_fail(c, 500, "the command cannot be started: %s", strerror(errno));
    else if (!s.streams && h.late)
        web_fail(c, 504, "it took more than %d s: ask for less, by --limit or --from and --to", TIME_S);
    else if (!s.streams && s.held.bad)
        web_fail(c, 500, "out of memory");
    else if (!s.streams)
        send_held(c, status, &s.held, &h.messages);
    else if (!h.late && !s.refused && (status == EXIT_DONE || status == EXIT_INCOMPLETE))
        (void)mg_send_chunk(c, "", 0);
    else
        mg_disable_connection_keep_alive(c); /* without the last chunk, the page sees that the answer was cut */
    (void)sem_post(&w->children);
    writer_free(&h.messages);
    writer_free(&s.held);
}

struct text_of {
    struct writer text;
    size_t max;
};

static int keep_piece(void *to, const void *bytes, size_t n)
{
    struct text_of *t = to;
    if (t->text.size + n > t->max)
        return ENOSPC;
    write_bytes(&t->text, bytes, n);
    return 0;
}

char *web_run_text(struct web *w, const char *const *argv, size_t max)
{
    struct text_of t = { .max = max };
    struct host h;
    bool ok = run(w, argv, keep_piece, &t, &h) == EXIT_DONE && !h.late;
    writer_free(&h.messages);
    write_u1(&t.text, 0);
    if (ok && !t.text.bad)
        return (char *)t.text.data;
    writer_free(&t.text);
    return NULL;
}
