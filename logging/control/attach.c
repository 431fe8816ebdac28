/* attach.c - HotSpot's attach mechanism (attachListener_linux.cpp of OpenJDK documents it): the JVM makes the socket
 * /tmp/.java_pidN when it finds a file .attach_pidN and gets SIGQUIT; on the socket go a protocol version, a command
 * and three arguments.
 *
 * SIGQUIT ends a process that does not expect it, so it is sent only to one that has libjvm.so and a handler. */
#include "logging/control/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "formats/files.h"
#include "logging/control/control.h"

enum { WAIT_MS = 10000, STEP_MS = 10, ANSWER_S = 60, ARGUMENT_MAX = 1024 /* of HotSpot */ };

/* The process id in its own namespace, and whether the process handles SIGQUIT. */
static bool process_status(int pid, int *own_pid, bool *handles)
{
    char path[64], line[512];
    unsigned long long caught = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return false;
    *own_pid = pid;
    while (fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "NSpid:", 6) == 0)
            for (char *p = line + 6, *end; *own_pid = (int)strtol(p, &end, 10), *end == '\t' || *end == ' '; p = end) {
            }
        else if (strncmp(line, "SigCgt:", 7) == 0)
            caught = strtoull(line + 7, NULL, 16);
    }
    (void)fclose(f);
    *handles = (caught >> (SIGQUIT - 1) & 1) != 0;
    return true;
}

static bool has_libjvm(int pid)
{
    char path[64], *line = NULL;
    size_t size = 0;
    bool found = false;
    (void)snprintf(path, sizeof path, "/proc/%d/maps", pid);
    FILE *f = fopen(path, "r");
    while (f != NULL && !found && getline(&line, &size, f) > 0)
        found = strstr(line, "/libjvm.so") != NULL;
    if (f != NULL)
        (void)fclose(f);
    free(line);
    return found;
}

/* Tries to connect once: 0, or the errno. EPERM: another process listens. The socket is in /tmp, where any user could
 * have created it to read our options and send forged answers. */
static int connect_once(const char *path, int pid, int *fd)
{
    struct ucred peer;
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    (void)snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return errno;
    int e = connect(*fd, (const struct sockaddr *)&a, sizeof a) != 0                ? errno
            : !control_peer(*fd, &peer) || peer.uid != geteuid() || peer.pid != pid ? EPERM
                                                                                    : 0;
    if (e == 0)
        return 0;
    (void)close(*fd);
    *fd = -1;
    return e;
}

static const char *why_not(int e) { return e == EPERM ? "another process listens there" : strerror(e); }

/* Creates the file that makes the JVM open its socket on SIGQUIT; without a file of its user it would print its threads
 * instead. Links are not followed, since other users can write to the directory. A file left by an earlier attempt is
 * used again. */
static bool make_trigger(int pid, int own_pid, char path[96], struct error *err)
{
    static const char *const places[] = { "cwd", "root/tmp" };
    int fd = -1;
    for (size_t i = 0; i < sizeof places / sizeof *places && fd < 0; i++) {
        struct stat st;
        (void)snprintf(path, 96, "/proc/%d/%s/.attach_pid%d", pid, places[i], own_pid);
        fd = file_make(AT_FDCWD, path, O_WRONLY | O_EXCL);
        if (fd < 0 && errno == EEXIST) {
            if (lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid())
                return true;
            return error_set(err, ERR_IO, "%s belongs to another user, so the JVM cannot be attached to", path) == OK;
        }
    }
    if (fd < 0)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno)) == OK;
    (void)close(fd);
    return true;
}

/* Makes the JVM open its socket, and connects to it. */
static int wake_and_connect(int pid, int own_pid, const char *socket_path, struct error *err)
{
    char trigger[96];
    int fd = -1;
    if (!make_trigger(pid, own_pid, trigger, err))
        return -1;
    int e = kill(pid, SIGQUIT) == 0 ? ENOENT : errno;
    for (int waited = 0; (e == ENOENT || e == ECONNREFUSED) && waited < WAIT_MS; waited += STEP_MS) {
        (void)usleep(STEP_MS * 1000);
        e = connect_once(socket_path, pid, &fd);
    }
    (void)unlink(trigger);
    if (fd < 0)
        (void)error_set(err, ERR_IO, "the JVM cannot be attached to: %s",
                        e == ENOENT ? "no answer within 10 s" : why_not(e));
    return fd;
}

/* Reads the answer of the JVM: a status line, then a message. */
static bool read_answer(int fd, struct error *err)
{
    char text[2048];
    size_t n = 0;
    struct timeval t = { ANSWER_S, 0 }; /* it ends the connection itself */
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
    for (ssize_t k; n < sizeof text - 1 && (k = read(fd, text + n, sizeof text - 1 - n)) != 0;) {
        if (k < 0 && errno == EAGAIN)
            return error_set(err, ERR_IO, "no answer from the JVM within %d s", ANSWER_S) == OK;
        if (k < 0 && errno != EINTR)
            return error_set(err, ERR_IO, "the JVM's answer: %s", strerror(errno)) == OK;
        n += k > 0 ? (size_t)k : 0;
    }
    text[n] = '\0';
    char *words = strchr(text, '\n');
    if (words != NULL)
        *words++ = '\0';
    bool loaded = strcmp(text, "0") == 0 && words != NULL &&
                  (*words == '\0' || strncmp(words, "return code: 0", 14) == 0 || strncmp(words, "0\n", 2) == 0);
    if (!loaded && words != NULL)
        words[strcspn(words, "\n")] = '\0';
    return loaded || error_set(err, ERR_IO, "the JVM did not load the agent: %s",
                               words != NULL && *words != '\0' ? words : text) == OK;
}

bool attach_load(int pid, const char *library, const char *options, struct error *err)
{
    char path[96];
    struct stat st;
    int own_pid, fd = -1;
    bool handles;
    (void)snprintf(path, sizeof path, "/proc/%d", pid);
    if (stat(path, &st) != 0 || !process_status(pid, &own_pid, &handles))
        return error_set(err, ERR_NOT_FOUND, "there is no such process") == OK;
    if (st.st_uid != geteuid())
        return error_set(err, ERR_IO, "it runs as another user") == OK;
    if (!has_libjvm(pid))
        return error_set(err, ERR_NOT_FOUND, "it is not a JVM (it has no libjvm.so)") == OK;
    if (!handles)
        return error_set(err, ERR_IO,
                         "its JVM does not handle SIGQUIT: it has just started, or runs with -Xrs or "
                         "-XX:+ReduceSignalUsage") == OK;
    if (strlen(library) > ARGUMENT_MAX || strlen(options) > ARGUMENT_MAX)
        return error_set(err, ERR_USAGE, "the JVM accepts options of at most %d characters, these have %zu",
                         ARGUMENT_MAX, strlen(options)) == OK;
    (void)snprintf(path, sizeof path, "/proc/%d/root/tmp/.java_pid%d", pid, own_pid);
    int e = connect_once(path, pid, &fd);
    if (e == EPERM)
        return error_set(err, ERR_IO, "%s: %s", path, why_not(e)) == OK;
    if (e != 0 && (fd = wake_and_connect(pid, own_pid, path, err)) < 0)
        return false;
    const char *const words[] = { "1", "load", library, "true", options };
    bool sent = true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        sent = sent && control_write(fd, words[i], strlen(words[i]) + 1, WAIT_MS / 1000);
    bool ok = sent ? read_answer(fd, err) : error_set(err, ERR_IO, "the JVM's socket: %s", strerror(errno)) == OK;
    (void)close(fd);
    return ok;
}
