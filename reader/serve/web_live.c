/* web_live.c - the JVMs of this user that run, and the pages that listen to them; see web.h.
 *
 * Every JVM has a file of its process id in /tmp/hsperfdata_USER. What it records is asked of its agent by `hindsight
 * status`. A page listens on the WebSocket /live; messages that it sends are ignored. */
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/bytes.h"
#include "formats/json.h"
#include "reader/command/control.h"
#include "reader/serve/web.h"

enum { STATUS_MAX = 1 << 16, COMMAND_LINE_MAX = 2000, JVMS_MAX = 64 };

/* The command line of a process, its arguments separated by blanks; false: it has ended. */
static bool command_line(const char *pid, char text[COMMAND_LINE_MAX])
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%.10s/cmdline", pid);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return false;
    size_t n = fread(text, 1, COMMAND_LINE_MAX - 1, f);
    (void)fclose(f);
    for (size_t i = 0; i < n; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    while (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    return n > 0;
}

static void add_jvm(struct web *w, struct json *j, const char *pid)
{
    char line[COMMAND_LINE_MAX], trace[PATH_MAX];
    if (!command_line(pid, line))
        return;
    json_object(j);
    json_member_text(j, "pid", pid);
    json_member_text(j, "command", line);
    if (control_trace_of(pid, trace)) {
        const char *argv[] = { "status", "--json", "--", trace, NULL };
        char *status = web_run_text(w, argv, STATUS_MAX);
        json_member_text(j, "trace", trace);
        size_t size = status != NULL ? strlen(status) : 0;
        while (size > 0 && status[size - 1] == '\n')
            size--;
        if (size > 0 && status[0] == '{') {
            json_name(j, "status");
            json_raw(j);
            j->write(j->to, status, size);
        }
        free(status);
    }
    json_end_line(j);
}

char *web_jvms(struct web *w)
{
    char folder[256];
    struct writer text = { 0 };
    struct json j;
    size_t count = 0;
    struct stat st;
    const struct passwd *user = getpwuid(geteuid());
    json_init(&j, json_to_writer, &text);
    (void)snprintf(folder, sizeof folder, "/tmp/hsperfdata_%s", user != NULL ? user->pw_name : "");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *d = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() ? fdopendir(fd) : NULL;
    if (d == NULL && fd >= 0) /* another user could have made it, to have his processes taken for ours */
        (void)close(fd);
    for (const struct dirent *e; d != NULL && count < JVMS_MAX && (e = readdir(d)) != NULL;)
        if (control_is_pid(e->d_name)) {
            add_jvm(w, &j, e->d_name);
            count++;
        }
    if (d != NULL)
        (void)closedir(d);
    write_u1(&text, 0);
    if (!text.bad)
        return (char *)text.data;
    writer_free(&text);
    return NULL;
}

/* ---- the pages that listen ---- */

static int on_connect(const struct mg_connection *c, void *context)
{
    struct web *w = context;
    return web_allowed(w, (struct mg_connection *)(uintptr_t)c, WEB_TOKEN_ANYWHERE) ? 0 : 1;
}

static void on_ready(struct mg_connection *c, void *context)
{
    struct web *w = context;
    (void)pthread_mutex_lock(&w->lock);
    size_t i = 0;
    while (i < WEB_LIVE_MAX && w->live[i] != NULL)
        i++;
    if (i < WEB_LIVE_MAX)
        w->live[i] = c;
    (void)pthread_mutex_unlock(&w->lock);
    if (i == WEB_LIVE_MAX)
        (void)mg_websocket_write(c, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, "", 0);
}

/* 1: goes on. A page has nothing to say here. */
static int on_data(struct mg_connection *c, int bits, char *data, size_t size, void *context)
{
    (void)c;
    (void)data;
    (void)size;
    (void)context;
    return (bits & 0xf) != MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE;
}

static void on_close(const struct mg_connection *c, void *context)
{
    struct web *w = context;
    (void)pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < WEB_LIVE_MAX; i++)
        if (w->live[i] == c)
            w->live[i] = NULL;
    (void)pthread_mutex_unlock(&w->lock);
}

void web_live_start(struct web *w)
{
    mg_set_websocket_handler(w->server, "/live", on_connect, on_ready, on_data, on_close, w);
}

void web_live_tick(struct web *w)
{
    bool listened = false;
    (void)pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < WEB_LIVE_MAX; i++)
        listened |= w->live[i] != NULL;
    (void)pthread_mutex_unlock(&w->lock);
    char *text = listened ? web_jvms(w) : NULL;
    if (text == NULL)
        return;
    (void)pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < WEB_LIVE_MAX; i++)
        if (w->live[i] != NULL)
            (void)mg_websocket_write(w->live[i], MG_WEBSOCKET_OPCODE_TEXT, text, strlen(text));
    (void)pthread_mutex_unlock(&w->lock);
    free(text);
}
