/* web.c - the server: its start and end, and the files of the page; see web.h. */
#include "reader/serve/web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/cli.h"

/* A connection holds a thread, also one that says nothing, until its time is over: there are so many that a good one
 * finds a free one. They cost 30 KB each. */
enum { FILE_MAX = 8 << 20, THREADS = 256, CHILDREN = 4 };

/* The page, made by reader/view/build.sh; index 0 is /. */
static const struct page_file {
    const char *uri, *name, *type;
} page_files[] = {
    { "/", "index.html", "text/html; charset=utf-8" },
    { "/app.js", "app.js", "text/javascript; charset=utf-8" },
    { "/app.css", "app.css", "text/css; charset=utf-8" },
};
enum { FILES = sizeof page_files / sizeof *page_files };
static const char *const page_places[] = { "../share/hindsight/view", NULL };

/* ---- requests ---- */

static void send_file(const struct web *w, struct mg_connection *c, const char *uri)
{
    for (size_t i = 0; i < FILES; i++) {
        if (strcmp(uri, page_files[i].uri) != 0)
            continue;
        if (w->files[i] != NULL)
            web_answer(c, 200, page_files[i].type, "", w->files[i], w->file_sizes[i]);
        else
            web_fail(c, 503, "the page was not built, since npm was missing or had no network; /api/ works");
        return;
    }
    web_fail(c, 404, "there is nothing at this address");
}

static int on_request(struct mg_connection *c, void *context)
{
    static const char api[] = "/api/";
    struct web *w = context;
    const struct mg_request_info *r = mg_get_request_info(c);
    bool get = strcmp(r->request_method, "GET") == 0, asks = strncmp(r->local_uri, api, sizeof api - 1) == 0;
    if (!web_allowed(w, c, asks ? WEB_TOKEN : WEB_NO_TOKEN))
        return 1;
    if (asks)
        web_api(w, c, r->local_uri + sizeof api - 1);
    else if (!get)
        web_fail(c, 405, "the page is only read");
    else
        send_file(w, c, r->local_uri);
    return 1;
}

/* What is known of a connection is not that of the one before it in the same thread. */
static int on_connection(const struct mg_connection *c, void **known)
{
    (void)c;
    *known = NULL;
    return 0;
}

/* ---- start and end ---- */

static char *read_file(const char *folder, const char *name, size_t *size)
{
    char path[PATH_MAX + 32], *text = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long end = ftell(f);
        rewind(f);
        if (end > 0 && end <= FILE_MAX && (text = malloc((size_t)end)) != NULL)
            *size = fread(text, 1, (size_t)end, f);
    }
    (void)fclose(f);
    return text;
}

bool web_start(struct web *w, int port, char *why, size_t size)
{
    char address[32], threads[16], folder[PATH_MAX];
    (void)snprintf(address, sizeof address, "127.0.0.1:%d", port);
    (void)snprintf(threads, sizeof threads, "%d", THREADS);
    const char *options[] = { "listening_ports", address, "num_threads", threads, "request_timeout_ms", "10000",
                              "max_request_size", "16384", "enable_keep_alive", "yes", "keep_alive_timeout_ms", "5000",
                              "tcp_nodelay", "1",
                              /* else civetweb itself lets every page ask from anywhere (CORS) */
                              "access_control_allow_methods", "", "access_control_allow_origin", "", NULL };
    struct mg_callbacks callbacks = { .init_connection = on_connection };
    struct mg_server_port ports[1];
    char text[256] = "";
    struct mg_error_data error = { .text = text, .text_buffer_size = sizeof text };
    struct mg_init_data init = { .callbacks = &callbacks, .user_data = w, .configuration_options = options };
    if (!token_make(w->token) || realpath("/proc/self/exe", w->self) == NULL) {
        (void)snprintf(why, size, "no random number for the token, or no /proc");
        return false;
    }
    if (cli_find_beside(page_places, folder))
        for (size_t i = 0; i < FILES; i++)
            w->files[i] = read_file(folder, page_files[i].name, &w->file_sizes[i]);
    (void)sem_init(&w->children, 0, CHILDREN);
    (void)pthread_mutex_init(&w->lock, NULL);
    (void)mg_init_library(MG_FEATURES_WEBSOCKET);
    w->server = mg_start2(&init, &error);
    if (w->server == NULL || mg_get_server_ports(w->server, 1, ports) != 1) {
        (void)snprintf(why, size, "port %d: %s", port, *text != '\0' ? text : "cannot be listened on");
        return false;
    }
    w->port = ports[0].port;
    mg_set_request_handler(w->server, "/", on_request, w);
    web_live_start(w);
    return true;
}

void web_stop(struct web *w)
{
    if (w->server != NULL)
        mg_stop(w->server);
    (void)mg_exit_library();
    for (size_t i = 0; i < FILES; i++)
        free(w->files[i]);
    for (size_t i = 0; i < w->traces.count; i++) {
        free(w->traces.items[i].name);
        free(w->traces.items[i].path);
    }
    vec_free(&w->traces);
    (void)sem_destroy(&w->children);
    (void)pthread_mutex_destroy(&w->lock);
}
