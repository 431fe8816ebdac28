/* server.c - answers on the control socket (logging/control/control.h): one thread, many clients, one command at a
 * time. A slow client does not delay others.
 *
 * The thread is attached to the JVM only while a command needs it. `command_mutex` serializes commands and the end of
 * the JVM: after server_close no command is begun. */
#include "logging/agent/agent.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/json.h"
#include "formats/rows.h"
#include "logging/control/control.h"

static int listener = -1;
static pthread_mutex_t command_mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- commands: false with `err` set ---- */

static bool with_jvm(bool (*run)(JNIEnv *, const char *, struct error *), const char *argument, struct error *err)
{
    JNIEnv *env = agent_attach(err);
    if (env == NULL)
        return false;
    bool ok = run(env, argument, err);
    (void)agent_clear(env);
    (void)(*agent.vm)->DetachCurrentThread(agent.vm);
    return ok;
}

static bool run_start(const char *argument, struct error *err) { return with_jvm(period_start, argument, err); }
static bool run_stop(const char *argument, struct error *err) { return with_jvm(period_stop, argument, err); }

/* Stores everything recorded so far, so that the answer includes it. If that fails the answer reports it. */
static bool count_events(void)
{
    struct recorder *r = &agent.recorder;
    if (agent.recording && r->threads_run && !r->failed)
        (void)recorder_snapshot(r);
    return true;
}

static bool run_status(const char *argument, struct error *err)
{
    (void)argument, (void)err;
    return count_events();
}

static bool run_snapshot(const char *argument, struct error *err)
{
    struct recorder *r = &agent.recorder;
    (void)argument;
    return !r->threads_run || recorder_snapshot(r) ||
           error_set(err, ERR_IO, "recording ended early: %s", r->error.text) == OK;
}

static bool run_mark(const char *argument, struct error *err)
{
    if (*argument == '\0')
        return error_set(err, ERR_USAGE, "mark: a name is missing") == OK;
    if (!mark_name_fits((struct text){ argument, strlen(argument) }))
        return error_set(err, ERR_USAGE, "mark: the name is not UTF-8, or has control characters") == OK;
    if (!recorder_mark(&agent.recorder, argument))
        return error_set(err, ERR_MEMORY, "mark %s: the recording has ended", argument) == OK;
    return count_events();
}

static bool run_unmark(const char *argument, struct error *err)
{
    if (recorder_unmark(&agent.recorder, *argument != '\0' ? argument : NULL) > 0 || *argument == '\0')
        return count_events();
    return error_set(err, ERR_NOT_FOUND, "unmark %s: no such mark is open", argument) == OK;
}

static const struct {
    const char *name;
    bool (*run)(const char *argument, struct error *err);
} commands[] = {
    { "status", run_status }, { "start", run_start },   { "stop", run_stop },
    { "mark", run_mark },     { "unmark", run_unmark }, { "snapshot", run_snapshot },
};

/* ---- answers ---- */

static void write_status(struct json *j)
{
    struct recorder *r = &agent.recorder;
    char groups[256], path[4096 + 32];
    struct stat st = { 0 };
    (void)snprintf(path, sizeof path, "%s/%s", r->dir, TRACE_DATA_FILE);
    (void)stat(path, &st);
    options_groups(agent.options.groups, groups, sizeof groups);
    json_member_bool(j, "recording", agent.recording && !r->failed);
    if (r->failed)
        json_member_text(j, "ended_early", r->error.text);
    json_member_text(j, "format", format_get(agent.options.format)->name);
    json_member_text(j, "weave", groups);
    json_member_u64(j, "events", recorder_events(r));
    json_member_u64(j, "bytes", (uint64_t)st.st_size);
    json_name(j, "marks");
    json_array(j);
    (void)pthread_mutex_lock(&r->marks_mutex);
    for (size_t i = 0; i < r->marks.count; i++)
        json_text(j, r->marks.items[i].name);
    (void)pthread_mutex_unlock(&r->marks_mutex);
    json_end(j);
    json_member_u64(j, "starts", agent.starts);
    json_member_text(j, "trace", r->dir);
    json_member_u64(j, "pid", (uint64_t)getpid());
}

/* Runs a command; false with `err` set. The answer of one that succeeded is the status after it. */
static bool run_command(const char *name, const char *argument, struct error *err)
{
    if (agent.dead)
        return error_set(err, ERR_IO, "the program has ended") == OK;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(argument, err);
    return error_set(err, ERR_USAGE, "%.40s: no such command", name) == OK;
}

static void answer(char *line, struct writer *w)
{
    struct error err = { 0 };
    struct json j;
    char *blank = strchr(line, ' ');
    const char *argument = "";
    if (blank != NULL) {
        *blank = '\0';
        argument = blank + 1;
    }
    json_init(&j, json_to_writer, w);
    json_object(&j);
    (void)pthread_mutex_lock(&command_mutex);
    if (run_command(line, argument, &err))
        write_status(&j);
    else
        json_member_text(&j, "error", err.text);
    (void)pthread_mutex_unlock(&command_mutex);
    json_end_line(&j);
}

static void refuse(struct writer *w)
{
    struct json j;
    json_init(&j, json_to_writer, w);
    json_object(&j);
    json_member_text(&j, "error", "only the user of the program may control it");
    json_end_line(&j);
}

/* ---- clients: served concurrently, so that none waits for another to write or read ---- */

enum { CLIENTS = 16, CLIENT_MS = 5000 };
struct client {
    int fd; /* 0: free */
    bool allowed;
    uint64_t until_ns; /* deadline for the whole request, then for the whole answer */
    char *line;        /* CONTROL_LINE_MAX, NULL when it is answered */
    size_t have, sent;
    struct writer reply;
};
static struct client clients[CLIENTS]; /* of the one thread that serves */

static void leave(struct client *c)
{
    (void)close(c->fd);
    free(c->line);
    writer_free(&c->reply);
    *c = (struct client){ 0 };
}

/* A slot for a new client: a free one, or that of the client which has been silent longest. */
static struct client *place(void)
{
    struct client *oldest = &clients[0];
    for (size_t i = 0; i < CLIENTS; i++)
        if (clients[i].fd == 0)
            return &clients[i];
        else if (clients[i].until_ns < oldest->until_ns)
            oldest = &clients[i];
    leave(oldest);
    return oldest;
}

static void enter(int fd)
{
    struct ucred peer = { 0 };
    struct client *c = place();
    *c = (struct client){ .fd = fd,
                          .until_ns = control_now() + CLIENT_MS * UINT64_C(1000000),
                          .line = malloc(CONTROL_LINE_MAX) };
    c->allowed = control_peer(fd, &peer) && (peer.uid == geteuid() || peer.uid == 0);
    if (c->line == NULL)
        leave(c);
}

/* Reads or writes, as the client's socket allows. */
static void serve(struct client *c)
{
    if (c->line != NULL) {
        ssize_t n = recv(c->fd, c->line + c->have, CONTROL_LINE_MAX - c->have, MSG_DONTWAIT);
        char *end = n > 0 ? memchr(c->line + c->have, '\n', (size_t)n) : NULL;
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN) ||
            (n > 0 && (c->have += (size_t)n) == CONTROL_LINE_MAX && end == NULL)) {
            leave(c);
            return;
        }
        if (end == NULL)
            return;
        *end = '\0';
        if (c->allowed)
            answer(c->line, &c->reply);
        else
            refuse(&c->reply);
        free(c->line);
        c->line = NULL;
        c->until_ns = control_now() + CLIENT_MS * UINT64_C(1000000);
    }
    ssize_t n =
        c->reply.bad ? 0 : send(c->fd, c->reply.data + c->sent, c->reply.size - c->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0)
        c->sent += (size_t)n;
    if (c->reply.bad || c->sent == c->reply.size || (n < 0 && errno != EINTR && errno != EAGAIN))
        leave(c);
}

/* Runs without a request, some time after a start (unfinished_classes.c). */
static void weave_late(void)
{
    struct error err;
    (void)pthread_mutex_lock(&command_mutex);
    if (!agent.dead && agent.reweave_at != 0)
        (void)with_jvm(period_reweave, "", &err);
    agent.reweave_at = 0; /* also when no thread could be attached */
    (void)pthread_mutex_unlock(&command_mutex);
}

/* Milliseconds until something is to be done without a request; -1: never. */
static int wait_ms(void)
{
    uint64_t at = agent.reweave_at, now = clock_now(&agent.recorder.clock), clock = control_now();
    /* another thread may be starting a recording: poll until it is done */
    int ms = at != 0                                         ? (int)(now < at ? (at - now) / 1000000 + 1 : 0)
             : agent.starts == 0 && !agent.options.start_off ? REWEAVE_DELAY_MS / 4
                                                             : -1;
    for (size_t i = 0; i < CLIENTS; i++)
        if (clients[i].fd != 0) {
            int left = clients[i].until_ns > clock ? (int)((clients[i].until_ns - clock) / 1000000) + 1 : 0;
            ms = ms < 0 || left < ms ? left : ms;
        }
    return ms;
}

static void *run_server(void *arg)
{
    (void)arg;
    while (!agent.dead) {
        struct pollfd p[1 + CLIENTS] = { { .fd = listener, .events = POLLIN } };
        for (size_t i = 0; i < CLIENTS; i++)
            p[1 + i] = (struct pollfd){ .fd = clients[i].fd != 0 ? clients[i].fd : -1,
                                        .events = clients[i].line != NULL ? POLLIN : POLLOUT };
        int n = poll(p, 1 + CLIENTS, wait_ms());
        if (agent.reweave_at != 0 && clock_now(&agent.recorder.clock) >= agent.reweave_at)
            weave_late();
        for (size_t i = 0; i < CLIENTS; i++)
            if (n > 0 && p[1 + i].revents != 0)
                serve(&clients[i]);
            else if (clients[i].fd != 0 && control_now() >= clients[i].until_ns)
                leave(&clients[i]);
        int fd = n > 0 && p[0].revents != 0 ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (fd >= 0)
            enter(fd);
        else if (n < 0 || p[0].revents != 0)
            (void)usleep(100000); /* no descriptors left, or a similar temporary failure */
    }
    return NULL;
}

bool server_start(struct error *err)
{
    pthread_t thread;
    if (!agent.options.control)
        return true;
    listener = control_listen(agent.recorder.dir, err);
    if (listener < 0)
        return false;
    if (pthread_create(&thread, NULL, run_server, NULL) != 0)
        return error_set(err, ERR_MEMORY, "the control thread cannot be started") == OK;
    (void)pthread_setname_np(thread, "hindsight-ctl");
    (void)pthread_detach(thread);
    return true;
}

bool server_start_attached(JNIEnv *env, struct error *err)
{
    (void)pthread_mutex_lock(&command_mutex);
    bool ok = server_start(err);
    if (ok && agent.dead)
        ok = error_set(err, ERR_IO, "the program has ended") == OK;
    else if (ok && !agent.options.start_off)
        ok = period_start(env, "", err);
    (void)pthread_mutex_unlock(&command_mutex);
    return ok;
}

bool server_close(void)
{
    (void)pthread_mutex_lock(&command_mutex);
    bool first = !atomic_exchange(&agent.dead, true);
    (void)pthread_mutex_unlock(&command_mutex);
    if (listener >= 0 && first)
        (void)unlinkat(agent.recorder.trace.fd, TRACE_CONTROL_SOCKET, 0); /* by its path it could be another trace's */
    return first;
}
