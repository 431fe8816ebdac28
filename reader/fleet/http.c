/* http.c - see http.h. */
#include "reader/fleet/http.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader/command/interrupt.h"
#include "reader/fleet/library.h"

enum { CONNECT_S = 10, SILENT_S = 60 };

#define FUNCTIONS                                                                                                      \
    FUNCTION(easy_init)                                                                                                \
    FUNCTION(easy_setopt)                                                                                              \
    FUNCTION(easy_getinfo)                                                                                             \
    FUNCTION(easy_header)                                                                                              \
    FUNCTION(easy_perform)                                                                                             \
    FUNCTION(easy_reset)                                                                                               \
    FUNCTION(easy_cleanup)                                                                                             \
    FUNCTION(easy_strerror)                                                                                            \
    FUNCTION(slist_append)                                                                                             \
    FUNCTION(slist_free_all)

struct http {
    CURL *handle;
    char reason[CURL_ERROR_SIZE];
#define FUNCTION(name) __typeof__(curl_##name) *name;
    FUNCTIONS
#undef FUNCTION
};

enum status http_open(struct http **out, struct error *err)
{
    struct http *h = calloc(1, sizeof *h);
    bool whole = true;
    *out = NULL;
    if (h == NULL)
        return error_memory(err, "libcurl");
    void *library = library_open("libcurl", NULL, "libcurl.so.4", err);
    if (library == NULL) {
        free(h);
        return ERR_NOT_FOUND;
    }
#define FUNCTION(name) whole = library_find(library, "curl_" #name, &h->name, sizeof h->name) && whole;
    FUNCTIONS
#undef FUNCTION
    if (!whole || (h->handle = h->easy_init()) == NULL) {
        free(h);
        return error_set(err, ERR_UNSUPPORTED, "libcurl does not start");
    }
    *out = h;
    return OK;
}

void http_close(struct http *h)
{
    if (h == NULL)
        return;
    h->easy_cleanup(h->handle);
    free(h);
}

static bool add(http_text *to, const char *bytes, size_t n)
{
    if (!vec_reserve(to, to->count + n))
        return false;
    memcpy(to->items + to->count, bytes, n);
    to->count += n;
    return true;
}

bool http_append(http_text *to, const char *text) { return add(to, text, strlen(text)); }

bool http_escape(http_text *url, const char *value, bool path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    char escaped[4];
    for (; *value != '\0'; value++) {
        if (strchr(plain, *value) != NULL || (path && *value == '/'))
            (void)snprintf(escaped, sizeof escaped, "%c", *value);
        else
            (void)snprintf(escaped, sizeof escaped, "%%%02X", (unsigned char)*value);
        if (!http_append(url, escaped))
            return false;
    }
    return true;
}

/* ---- one request ---- */

struct transfer {
    struct http *h;
    const struct http_request *request;
    struct http_answer *answer;
    uint64_t sent; /* of the body */
    size_t message_used;
    int file_error; /* errno of a file of ours */
    bool too_long;
};

static size_t give(char *to, size_t size, size_t n, void *context)
{
    struct transfer *t = context;
    const struct http_request *q = t->request;
    uint64_t left = q->body_bytes - t->sent, wanted = (uint64_t)size * n < left ? (uint64_t)size * n : left;
    ssize_t got = (ssize_t)wanted;
    if (q->body_fd == NULL)
        memcpy(to, (const char *)q->body + t->sent, (size_t)wanted);
    else
        while ((got = pread(*q->body_fd, to, (size_t)wanted, (off_t)(q->body_from + t->sent))) < 0 && errno == EINTR)
            ;
    if (got < 0 || (got == 0 && left > 0)) {
        t->file_error = got < 0 ? errno : EIO; /* the file has become shorter */
        return CURL_READFUNC_ABORT;
    }
    t->sent += (uint64_t)got;
    return (size_t)got;
}

/* The body is sent again: after a redirection, or on a connection that the server had closed. */
static int rewind_body(void *context, curl_off_t offset, int origin)
{
    struct transfer *t = context;
    if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > t->request->body_bytes)
        return CURL_SEEKFUNC_FAIL;
    t->sent = (uint64_t)offset;
    return CURL_SEEKFUNC_OK;
}

static bool keep_in_file(struct transfer *t, const char *bytes, size_t n)
{
    for (ssize_t m; n > 0; bytes += m, n -= (size_t)m)
        if ((m = write(*t->answer->fd, bytes, n)) < 0) {
            if (errno != EINTR) {
                t->file_error = errno;
                return false;
            }
            m = 0;
        }
    return true;
}

static size_t take(char *bytes, size_t size, size_t n, void *context)
{
    struct transfer *t = context;
    struct http_answer *a = t->answer;
    long status = 0;
    n *= size;
    (void)t->h->easy_getinfo(t->h->handle, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 300) {
        const size_t room = sizeof a->message - 1 - t->message_used, kept = n < room ? n : room;
        memcpy(a->message + t->message_used, bytes, kept);
        t->message_used += kept;
        return n;
    }
    if (a->fd != NULL)
        return keep_in_file(t, bytes, n) ? n : 0;
    t->too_long = n > a->text_max || a->text.count > a->text_max - n;
    return !t->too_long && add(&a->text, bytes, n) ? n : 0;
}

static int stop(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)context;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return interrupt_seen();
}

#define SET(option, value) ((void)h->easy_setopt(h->handle, CURLOPT_##option, value))

static void set_body(struct http *h, const struct http_request *q, struct transfer *t)
{
    const bool post = q->method != NULL && strcmp(q->method, "POST") == 0;
    if (q->body == NULL && q->body_fd == NULL)
        return;
    if (post) {
        SET(POST, 1L);
        SET(POSTFIELDSIZE_LARGE, (curl_off_t)q->body_bytes);
    } else {
        SET(UPLOAD, 1L);
        SET(INFILESIZE_LARGE, (curl_off_t)q->body_bytes);
    }
    SET(READFUNCTION, give);
    SET(READDATA, t);
    SET(SEEKFUNCTION, rewind_body);
    SET(SEEKDATA, t);
}

/* Options that both sides of the transfer need. Redirections are not followed: a signature is for one address. */
static void set_request(struct http *h, const struct http_request *q, struct transfer *t)
{
    h->easy_reset(h->handle);
    SET(URL, q->url);
    SET(PROTOCOLS_STR, "http,https");
    SET(ERRORBUFFER, h->reason);
    SET(NOSIGNAL, 1L);
    SET(CONNECTTIMEOUT, (long)CONNECT_S);
    SET(LOW_SPEED_LIMIT, 1L);
    SET(LOW_SPEED_TIME, q->silent_s > 0 ? (long)q->silent_s : (long)SILENT_S);
    SET(NOPROGRESS, 0L);
    SET(XFERINFOFUNCTION, stop);
    SET(WRITEFUNCTION, take);
    SET(WRITEDATA, t);
    if (q->user != NULL) {
        SET(USERNAME, q->user);
        SET(PASSWORD, q->password);
        if (q->sign != NULL)
            SET(AWS_SIGV4, q->sign);
    }
    if (q->method != NULL && strcmp(q->method, "HEAD") == 0)
        SET(NOBODY, 1L);
    set_body(h, q, t);
    if (q->method != NULL)
        SET(CUSTOMREQUEST, q->method);
}

/* The address without what follows '?'. */
static enum status failed(const struct transfer *t, CURLcode code, struct error *err)
{
    const struct http *h = t->h;
    const char *url = t->request->url;
    const int length = (int)strcspn(url, "?");
    if (code == CURLE_ABORTED_BY_CALLBACK && interrupt_seen())
        return error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED));
    if (t->file_error != 0)
        return error_set(err, ERR_IO, "%.*s: %s", length, url, strerror(t->file_error));
    if (t->too_long)
        return error_set(err, ERR_LIMIT, "%.*s: the answer has more than %llu bytes", length, url,
                         (unsigned long long)t->answer->text_max);
    return error_set(err, ERR_IO, "%.*s: %s", length, url, h->reason[0] != '\0' ? h->reason : h->easy_strerror(code));
}

enum status http_send(struct http *h, const struct http_request *q, struct http_answer *a, struct error *err)
{
    struct transfer t = { .h = h, .request = q, .answer = a };
    struct curl_slist *headers = NULL, *longer;
    enum status st = OK;
    long status = 0;
    a->status = 0;
    memset(a->message, 0, sizeof a->message);
    a->etag[0] = '\0';
    h->reason[0] = '\0';
    set_request(h, q, &t);
    for (size_t i = 0; st == OK && i < HTTP_HEADERS_MAX && q->headers[i] != NULL; i++) {
        if ((longer = h->slist_append(headers, q->headers[i])) != NULL)
            headers = longer;
        else
            st = error_memory(err, "libcurl");
    }
    SET(HTTPHEADER, headers);
    if (st == OK) {
        CURLcode code = h->easy_perform(h->handle);
        (void)h->easy_getinfo(h->handle, CURLINFO_RESPONSE_CODE, &status);
        a->status = (int)status;
        struct curl_header *etag;
        if (h->easy_header(h->handle, "ETag", 0, CURLH_HEADER, -1, &etag) == CURLHE_OK)
            (void)snprintf(a->etag, sizeof a->etag, "%s", etag->value);
        if (code != CURLE_OK)
            st = failed(&t, code, err);
    }
    h->slist_free_all(headers);
    return st;
}
