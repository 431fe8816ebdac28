/* web_run.c - a command as a child process, and its output as an answer; see web.h.
 *
 * Up to HELD_MAX bytes are held until the command has ended, so that its exit status is in the head of the answer:
 * 0 200, 1 422, 2 400, 3 200 with Hindsight-Incomplete: why (percent-encoded). What is longer is sent as it comes; if
 * such a command fails, the connection is closed before the last chunk. A page that goes away ends its command. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/bytes.h"
#include "reader/command/cli.h"
#include "reader/serve/web.h"

extern char **environ;

enum {
    HELD_MAX = 1 << 20,
    SENT_MAX = 256 << 20, /* bytes of one answer */
    TIME_S = 120,
    PIECE = 1 << 16,
    MESSAGE_MAX = 2000
};

struct child {
    pid_t pid;
    int out, err;                  /* -1: ended */
    time_t end_by;                 /* CLOCK_MONOTONIC */
    char message[MESSAGE_MAX + 1]; /* of its standard error, the end of it */
    size_t message_size;
};

static time_t now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* Starts the command with its output in pipes. The signals that the server blocks are open again in it. */
static bool start(const struct web *w, const char *const *argv, struct child *child)
{
    const char *words[WEB_ARGUMENTS_MAX + 2] = { w->self };
    int out[2] = { -1, -1 }, err[2] = { -1, -1 };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    size_t n = 0;
    for (; n < WEB_ARGUMENTS_MAX && argv[n] != NULL; n++)
        words[n + 1] = argv[n];
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    if (pipe2(err, O_CLOEXEC) != 0) {
        (void)close(out[0]);
        (void)close(out[1]);
        return false;
    }
    (void)sigemptyset(&none);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    int failed = posix_spawn(&child->pid, w->self, &actions, &attributes, (char **)(uintptr_t)words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    (void)close(out[1]);
    (void)close(err[1]);
    child->out = out[0];
    child->err = err[0];
    child->end_by = now_s() + TIME_S;
    child->message_size = 0;
    if (failed != 0) {
        (void)close(out[0]);
        (void)close(err[0]);
    }
    return failed == 0;
}

/* Keeps the end of what the command says on standard error. */
static void take_message(struct child *child)
{
    char piece[512];
    ssize_t n = read(child->err, piece, sizeof piece);
    if (n <= 0) {
        (void)close(child->err);
        child->err = -1;
        return;
    }
    size_t size = (size_t)n,
           drop = child->message_size + size > MESSAGE_MAX ? child->message_size + size - MESSAGE_MAX : 0;
    memmove(child->message, child->message + drop, child->message_size - drop);
    child->message_size -= drop;
    memcpy(child->message + child->message_size, piece, size);
    child->message_size += size;
}

enum got { GOT_BYTES, GOT_END, GOT_LATE };

/* The next bytes of its output. */
static enum got next_piece(struct child *child, void *piece, size_t *size)
{
    while (child->out >= 0 || child->err >= 0) {
        struct pollfd wait[2] = { { .fd = child->out, .events = POLLIN }, { .fd = child->err, .events = POLLIN } };
        time_t left = child->end_by - now_s();
        int ready = poll(wait, 2, left > 0 ? (int)left * 1000 : 0);
        if (ready == 0)
            return GOT_LATE;
        if (ready < 0)
            continue;
        if (wait[1].revents != 0)
            take_message(child);
        if (wait[0].revents == 0)
            continue;
        ssize_t n = read(child->out, piece, PIECE);
        if (n > 0) {
            *size = (size_t)n;
            return GOT_BYTES;
        }
        (void)close(child->out);
        child->out = -1;
    }
    return GOT_END;
}

/* Ends it if it still runs. Its exit status; EXIT_FAILED if a signal ended it. */
static int finish(struct child *child, bool kill_it)
{
    int status = 0;
    if (child->out >= 0)
        (void)close(child->out);
    if (child->err >= 0)
        (void)close(child->err);
    if (kill_it)
        (void)kill(child->pid, SIGKILL);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    while (child->message_size > 0 && strchr("\n\r ", child->message[child->message_size - 1]) != NULL)
        child->message_size--;
    child->message[child->message_size] = '\0';
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
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

static void send_held(struct mg_connection *c, int status, const struct child *child, const struct writer *held)
{
    struct writer extra = { 0 };
    if (status == EXIT_FAILED || status == EXIT_USAGE) {
        web_fail(c, status == EXIT_USAGE ? 400 : 422, "%s", child->message_size > 0 ? child->message : "it failed");
        return;
    }
    if (status == EXIT_INCOMPLETE)
        header_line(&extra, "Hindsight-Incomplete", child->message);
    web_answer(c, 200, "application/x-ndjson", extra.size > 0 && !extra.bad ? (const char *)extra.data : "", held->data,
               held->size);
    writer_free(&extra);
}

void web_run(struct web *w, struct mg_connection *c, const char *const *argv)
{
    struct child child;
    struct writer held = { 0 };
    char *piece = malloc(PIECE);
    size_t size = 0, sent = 0;
    bool streams = false;
    enum got got;
    (void)sem_wait(&w->children);
    if (piece == NULL || !start(w, argv, &child)) {
        web_fail(c, 500, "the command cannot be started: %s", strerror(errno));
        goto out;
    }
    while ((got = next_piece(&child, piece, &size)) == GOT_BYTES) {
        if (!streams && held.size + size > HELD_MAX) {
            streams = true;
            web_head(c, 200, "application/x-ndjson", "");
            if (mg_send_chunk(c, (const char *)held.data, (unsigned)held.size) < 0)
                break;
        }
        sent += size;
        if (!streams)
            write_bytes(&held, piece, size);
        else if (sent > SENT_MAX || mg_send_chunk(c, piece, (unsigned)size) < 0)
            break;
    }
    int status = finish(&child, got != GOT_END);
    if (!streams && got == GOT_LATE)
        web_fail(c, 504, "it took more than %d s: ask for less, by --limit or --from and --to", TIME_S);
    else if (!streams && held.bad)
        web_fail(c, 500, "out of memory");
    else if (!streams)
        send_held(c, status, &child, &held);
    else if (got == GOT_END && (status == EXIT_DONE || status == EXIT_INCOMPLETE))
        (void)mg_send_chunk(c, "", 0);
    else
        mg_disable_connection_keep_alive(c); /* without the last chunk, the page sees that the answer was cut */
out:
    (void)sem_post(&w->children);
    writer_free(&held);
    free(piece);
}

char *web_run_text(struct web *w, const char *const *argv, size_t max)
{
    struct child child;
    struct writer held = { 0 };
    char *piece = malloc(PIECE);
    size_t size = 0;
    enum got got = GOT_END;
    bool ok = piece != NULL && start(w, argv, &child);
    if (ok) {
        while ((got = next_piece(&child, piece, &size)) == GOT_BYTES && held.size + size <= max)
            write_bytes(&held, piece, size);
        ok = finish(&child, got != GOT_END) == EXIT_DONE && got == GOT_END;
    }
    write_u1(&held, 0);
    free(piece);
    if (ok && !held.bad)
        return (char *)held.data;
    writer_free(&held);
    return NULL;
}
