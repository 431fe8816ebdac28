/* sessions.c - the connections of a port, many at once; see sockets.h.
 *
 *     accepted, of this user -> greeting, until its first message is whole -> session, a child process -> ended
 *
 * A client that sends nothing, or a byte now and then, so keeps nobody waiting: it has GREETING_S seconds, and its
 * place when others need it. When there are SESSIONS of them, the one whose client has been silent for longest ends. A
 * session that fails ends alone. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reader/command/cli.h"
#include "reader/serve/sockets.h"

enum { CLIENTS = 256, SESSIONS = 16, GREETING_S = 10, GREETING_MAX = 64 << 10, LISTENER = CLIENTS };

struct client {
    int fd;       /* 0: free */
    pid_t child;  /* 0: it greets */
    int end;      /* of a session: a pipe that closes when the child ends */
    time_t since; /* CLOCK_MONOTONIC */
};

struct server {
    const struct service *service;
    int listener, events;
    bool warned; /* that a connection was refused */
    struct client clients[CLIENTS];
};

static time_t now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

static bool watch(struct server *s, int fd, uint32_t events, size_t slot)
{
    struct epoll_event e = { .events = events, .data.u64 = slot };
    return epoll_ctl(s->events, EPOLL_CTL_ADD, fd, &e) == 0;
}

static void end_child(pid_t child)
{
    (void)kill(child, SIGKILL); /* else it has ended */
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void leave(struct client *c)
{
    if (c->child != 0) {
        end_child(c->child);
        (void)close(c->end);
    }
    (void)close(c->fd);
    *c = (struct client){ 0 };
}

/* A place for a new client: a free one, or that of the client which has been greeting for longest. */
static struct client *place(struct server *s)
{
    struct client *oldest = NULL;
    for (size_t i = 0; i < CLIENTS; i++) {
        struct client *c = &s->clients[i];
        if (c->fd == 0)
            return c;
        if (c->child == 0 && (oldest == NULL || c->since < oldest->since))
            oldest = c;
    }
    leave(oldest); /* there are fewer sessions than places */
    return oldest;
}

/* Milliseconds since the client has sent anything. */
static unsigned silence(const struct client *c)
{
    struct tcp_info info = { 0 };
    socklen_t size = sizeof info;
    return getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_last_data_recv : UINT32_MAX;
}

/* Leaves room for one more session. */
static void make_room(struct server *s)
{
    struct client *silent = NULL;
    size_t sessions = 0;
    for (size_t i = 0; i < CLIENTS; i++) {
        struct client *c = &s->clients[i];
        if (c->child == 0)
            continue;
        sessions++;
        if (silent == NULL || silence(c) > silence(silent))
            silent = c;
    }
    if (sessions < SESSIONS)
        return;
    (void)cli_fail(0, s->service->command, "more than %d sessions: the one that was silent for longest is ended",
                   SESSIONS);
    leave(silent);
}

/* In the child: nothing of the other connections may stay open. */
static void run_session(struct server *s, const struct client *c)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)close(s->listener);
    (void)close(s->events);
    for (size_t i = 0; i < CLIENTS; i++) {
        const struct client *other = &s->clients[i];
        if (other->fd != 0 && other != c)
            (void)close(other->fd);
        if (other->child != 0)
            (void)close(other->end);
    }
    s->service->serve(s->service->context, c->fd);
    exit(EXIT_DONE);
}

static bool begin_session(struct server *s, struct client *c)
{
    int ends[2];
    make_room(s);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        run_session(s, c);
    }
    (void)close(ends[1]);
    if (child < 0 || !watch(s, ends[0], 0, (size_t)(c - s->clients))) {
        (void)close(ends[0]);
        if (child > 0)
            end_child(child);
        return false;
    }
    c->child = child;
    c->end = ends[0];
    (void)epoll_ctl(s->events, EPOLL_CTL_DEL, c->fd, NULL);
    return true;
}

static void report_refused(struct server *s, const char *why)
{
    if (!s->warned) /* not once for each: a client could fill the disk with it */
        (void)cli_fail(0, s->service->command, "a connection is refused: %s (others are refused without a word)", why);
    s->warned = true;
}

static void refuse(struct server *s, struct client *c, const char *why)
{
    report_refused(s, why);
    leave(c);
}

/* Looks at what a greeting client has sent. */
static void listen_to(struct server *s, struct client *c)
{
    static char bytes[GREETING_MAX];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    const char *why = NULL;
    enum greeting g = n > 0 ? s->service->greet(bytes, (size_t)n, &why) : GREETING_PART;
    if (g == GREETING_REFUSED)
        refuse(s, c, why);
    else if (g == GREETING_PART && n == (ssize_t)sizeof bytes)
        refuse(s, c, "its first message is longer than 64 KB");
    else if (n <= 0 || (g == GREETING_WHOLE && !begin_session(s, c)))
        leave(c);
}

/* False: no more can be accepted. */
static bool enter(struct server *s)
{
    struct sockaddr_storage here = { 0 }, there = { 0 };
    socklen_t here_size = sizeof here, there_size = sizeof there;
    int fd = accept4(s->listener, (struct sockaddr *)&there, &there_size, SOCK_CLOEXEC);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
        (void)usleep(100000);
        return true;
    }
    if (fd < 0)
        return errno == EINTR || errno == ECONNABORTED || errno == EAGAIN;
    if (getsockname(fd, (struct sockaddr *)&here, &here_size) != 0 || !socket_is_own(&here, &there)) {
        report_refused(s, SOCKET_OF_ANOTHER_USER);
        (void)close(fd);
        return true;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int)); /* small answers, each awaited */
    struct client *c = place(s);
    *c = (struct client){ .fd = fd, .since = now_s() };
    /* reported once for each new piece, as what was looked at stays in the socket */
    if (!watch(s, fd, EPOLLIN | EPOLLRDHUP | EPOLLET, (size_t)(c - s->clients)))
        leave(c);
    return true;
}

/* The other end has closed it, or will write no more. */
static bool is_closed(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLRDHUP };
    return poll(&p, 1, 0) > 0;
}

/* An event of a place. Its client may have left since, and another one may be there. */
static void look_at(struct server *s, struct client *c)
{
    if (c->fd != 0 && c->child == 0)
        listen_to(s, c);
    if (c->fd != 0 && is_closed(c->child != 0 ? c->end : c->fd))
        leave(c);
}

static void end_late(struct server *s)
{
    time_t now = now_s();
    for (size_t i = 0; i < CLIENTS; i++)
        if (s->clients[i].fd != 0 && s->clients[i].child == 0 && now - s->clients[i].since > GREETING_S)
            leave(&s->clients[i]);
}

static int run(struct server *s)
{
    for (;;) {
        struct epoll_event events[64];
        int n = epoll_wait(s->events, events, 64, 1000);
        for (int i = 0; i < n; i++)
            if (events[i].data.u64 != LISTENER)
                look_at(s, &s->clients[events[i].data.u64]);
            else if (!enter(s))
                return errno;
        end_late(s);
    }
}

bool greeting_begins(const char *bytes, size_t size, const char *text)
{
    size_t n = strlen(text);
    return strncasecmp(bytes, text, size < n ? size : n) == 0;
}

int socket_serve(int fd, const struct service *service)
{
    struct server *s = calloc(1, sizeof *s);
    int failed = ENOMEM;
    (void)signal(SIGPIPE, SIG_IGN);
    if (s == NULL)
        return failed;
    *s = (struct server){ .service = service, .listener = fd, .events = epoll_create1(EPOLL_CLOEXEC) };
    failed = s->events >= 0 && watch(s, fd, EPOLLIN, LISTENER) ? run(s) : errno;
    for (size_t i = 0; i < CLIENTS; i++)
        if (s->clients[i].fd != 0)
            leave(&s->clients[i]);
    if (s->events >= 0)
        (void)close(s->events);
    free(s);
    return failed;
}
