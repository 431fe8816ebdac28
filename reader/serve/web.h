/* web.h - `hindsight view`: a page and its API on a port of the loopback interface. cmd_view.c starts it.
 *
 *     GET /              the page, which holds nothing secret    web.c
 *     GET /api/COMMAND   what `hindsight COMMAND --json` prints  web_api.c  a request as a command line
 *     POST /api/COMMAND  the same for commands on running JVMs   web_run.c  runs it, sends what it prints
 *     /live?token=T      WebSocket: the running JVMs             web_live.c
 *
 * Who is answered (web_answer.c): a connection of this user or of root, a Host that is this server, and no Origin but
 * this one: another user, another page in the same browser, or a name that resolves to 127.0.0.1, gets 403. Every
 * answer but the files of the page needs the token, as a bearer token or a cookie; for a WebSocket, which has no header
 * that a page can set, also in its address. The page takes the token out of the address that it is opened with, and
 * keeps it in its own storage (reader/view/api.js): a cookie would be sent to every server of 127.0.0.1, whatever its
 * port. A command is a child process of this program, so that a damaged trace can end an answer, not the server. */
#ifndef READER_SERVE_WEB_H
#define READER_SERVE_WEB_H

#include <civetweb.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "formats/vec.h"
#include "reader/command/commands.h"
#include "reader/serve/sockets.h"

enum { WEB_ARGUMENTS_MAX = 64, WEB_LIVE_MAX = 8 };

struct web_trace {
    char *name; /* of the parameter trace */
    char *path; /* absolute, or the id of a process */
};

struct web {
    struct mg_context *server;
    int port;
    char token[TOKEN_SIZE];
    char opened[PATH_MAX]; /* a file that holds the token, while `opens` */
    atomic_bool opens;
    char self[PATH_MAX]; /* this program */
    char *files[3];      /* of the page, see web.c; NULL: it was not built */
    size_t file_sizes[3];
    const char *source;           /* --source for commands that have it; NULL: none */
    VEC(struct web_trace) traces; /* only these are read; the first is the default */
    sem_t children;               /* that may be started now */
    pthread_mutex_t lock;         /* of `live` */
    struct mg_connection *live[WEB_LIVE_MAX];
};

/* Starts serving on 127.0.0.1; `port` 0: any that is free. False: `why` says why. */
bool web_start(struct web *w, int port, char *why, size_t size);
void web_stop(struct web *w);

/* web_browser.c: opens the address, which has the token, if there is a desktop. */
void web_open_browser(struct web *w, struct context *context, const char *address);
/* The file that was made for it is not needed any more. */
void web_opened(struct web *w);

/* web_api.c: answers a request below /api/. `name` is what follows. */
void web_api(struct web *w, struct mg_connection *c, const char *name);
/* The names of the traces, a JSON object each. */
void web_traces(struct web *w, struct mg_connection *c);

/* web_run.c: runs this program with the arguments and sends what it prints. argv[0] is the command. */
void web_run(struct web *w, struct mg_connection *c, const char *const *argv);
/* The same into memory, malloc'ed and ended with NUL; NULL: it failed or printed more than `max` bytes. It does not
 * wait for commands of the page. */
char *web_run_text(struct web *w, const char *const *argv, size_t max);

/* web_live.c: the running JVMs of this user, a JSON object each, malloc'ed; NULL: out of memory. */
char *web_jvms(struct web *w);
/* Sends them to the pages that listen; called once a second. */
void web_live_tick(struct web *w);
void web_live_start(struct web *w);

/* Answers with a status and {"error":...}. */
void web_fail(struct mg_connection *c, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The head of an answer of unknown length, sent in chunks; `extra`: further header lines, each with \r\n, or "". */
void web_head(struct mg_connection *c, int status, const char *type, const char *extra);
/* A whole answer. */
void web_answer(struct mg_connection *c, int status, const char *type, const char *extra, const void *body,
                size_t size);
/* What a request has to show: nothing more than that it comes from this user and from no other page; the token in a
 * header; or the token in a header or its query. */
enum web_needs { WEB_NO_TOKEN, WEB_TOKEN, WEB_TOKEN_ANYWHERE };
/* Is it answered? If not, it has been refused. */
bool web_allowed(struct web *w, struct mg_connection *c, enum web_needs needs);

#endif
