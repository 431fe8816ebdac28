/* http.h - requests to a server over HTTP or HTTPS, one after the other, on connections that are kept. The library is
 * libcurl; it is loaded by the first command that needs it, since the others should start without it. */
#ifndef READER_COMMAND_HTTP_H
#define READER_COMMAND_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/status.h"
#include "formats/vec.h"

struct http;
enum status http_open(struct http **out, struct error *err);
void http_close(struct http *h); /* NULL: nothing */

enum { HTTP_HEADERS_MAX = 6, HTTP_MESSAGE_MAX = 4096 };
typedef VEC(char) http_text;

/* Zeros are good for all members but `url`. */
struct http_request {
    const char *method; /* NULL: GET */
    const char *url;
    const char *headers[HTTP_HEADERS_MAX]; /* "Name: value"; the first NULL ends them */
    const char *user, *password;
    const char *sign; /* how AWS wants requests signed with user and password: CURLOPT_AWS_SIGV4; NULL: they are sent */
    const void *body; /* memory, or bytes of a file */
    const int *body_fd;
    uint64_t body_from, body_bytes; /* of the file */
    unsigned silent_s;              /* how long the server may send nothing, or little; 0: a minute */
    bool ends;                      /* it is sent after Ctrl-C, too */
    bool again; /* it may be sent again: after 429, 500, 502, 503, 504, and where the connection was lost */
};
/* What came back. A status of 300 or above is an answer too: `message` has the beginning of its body. */
struct http_answer {
    const int *fd;     /* where the body goes, from the beginning of that file; NULL: `text` */
    uint64_t fd_bytes; /* how many these are: more or fewer are an error */
    http_text text;    /* to be freed by the caller */
    uint64_t text_max; /* of it; more is an error */
    int status;
    bool sent_again;    /* an earlier one may have been obeyed, though its answer was lost */
    const char *header; /* one that is wanted, and its value; "": there was none */
    char value[128];
    char message[HTTP_MESSAGE_MAX];
};
/* `err` names the server: it cannot be reached, it goes away, it is silent for too long, the file cannot be written.
 * ERR_CANCELLED: Ctrl-C. */
enum status http_send(struct http *h, const struct http_request *q, struct http_answer *a, struct error *err);
/* Appends a value to a URL, with %XX for what is not a letter, a digit or one of -._~ and, if `path`, '/'. False: out
 * of memory. */
bool http_escape(http_text *url, const char *value, bool path);
bool http_append(http_text *to, const char *text); /* without a zero behind */
bool http_end(http_text *to);                      /* adds the zero */
/* Is it http://HOST or https://HOST, without a name and password, a question or a fragment? */
bool http_is_server(const char *url);

#endif
