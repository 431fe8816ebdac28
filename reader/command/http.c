/* http.c - see http.h. */
#include "reader/command/http.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "reader/command/interrupt.h"
#include "reader/command/library.h"
#include "reader/command/progress_line.h"

/* A request is sent so often at most, and waits before it is sent again: as the AWS tools do, twice as long each time,
 * less a part by chance, so that many commands do not come back together. */
enum { CONNECT_S = 10, TRIES_MAX = 6, WAIT_MS = 200, WAIT_MAX_MS = 20000, REFUSAL_MAX_BYTES = 1 << 20 };
/* A server that sends a byte now and then would hold a command for ever. Waiting so long counts as several tries. */
enum { SLOW_S = 60, SLOW_BYTES_S = 1000, SLOW_TRIES = 3 };

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

bool http_end(http_text *to) { return add(to, "", 1); }

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

bool http_is_server(const char *url)
{
    const size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) == 0 ? 8 : 0;
    return scheme > 0 && url[scheme] != '\0' && url[scheme] != '/' && strpbrk(url, "@?#") == NULL;
}

/* ---- one request ---- */

struct transfer {
    struct http *h;
    const struct http_request *request;
    struct http_answer *answer;
    uint64_t sent; /* of the body */
    size_t message_used;
    uint64_t refusal; /* bytes of an answer that refuses */
    int file_error;   /* errno of a file of ours */
    bool too_long;
    uint64_t received; /* into the file */
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
        t->refusal += n;
        t->too_long = t->refusal > REFUSAL_MAX_BYTES;
        return !t->too_long ? n : 0;
    }
    if (a->fd != NULL) {
        t->too_long = n > a->fd_bytes - t->received;
        t->received += t->too_long ? 0 : n;
        return !t->too_long && keep_in_file(t, bytes, n) ? n : 0;
    }
    t->too_long = n > a->text_max || a->text.count > a->text_max - n;
    return !t->too_long && add(&a->text, bytes, n) ? n : 0;
}

static bool is_stopped(const struct http_request *q) { return interrupt_seen() && !q->ends; }

static int stop(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    const struct transfer *t = context;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return is_stopped(t->request);
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
    SET(LOW_SPEED_LIMIT, (long)SLOW_BYTES_S);
    SET(LOW_SPEED_TIME, q->silent_s > 0 ? (long)q->silent_s : (long)SLOW_S);
    SET(NOPROGRESS, 0L);
    SET(XFERINFOFUNCTION, stop);
    SET(XFERINFODATA, t);
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
    if (code == CURLE_ABORTED_BY_CALLBACK && is_stopped(t->request))
        return error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED));
    if (t->file_error != 0)
        return error_set(err, ERR_IO, "%.*s: %s", length, url, strerror(t->file_error));
    if (t->too_long)
        return error_set(err, ERR_LIMIT, "%.*s: the answer has more than %llu bytes", length, url,
                         (unsigned long long)(t->refusal > 0          ? REFUSAL_MAX_BYTES
                                              : t->answer->fd != NULL ? t->answer->fd_bytes
                                                                      : t->answer->text_max));
    return error_set(err, ERR_IO, "%.*s: %s", length, url, h->reason[0] != '\0' ? h->reason : h->easy_strerror(code));
}

/* ---- again ---- */

static bool passes(int status) { return status == 429 || (status >= 500 && status <= 504 && status != 501); }

/* What may work at another time: not an address that is wrong, a file of ours, or a body that is none. */
static bool may_work(const struct transfer *t, CURLcode code)
{
    return t->file_error == 0 && !t->too_long && code != CURLE_URL_MALFORMAT && code != CURLE_UNSUPPORTED_PROTOCOL &&
           code != CURLE_OUT_OF_MEMORY && code != CURLE_PEER_FAILED_VERIFICATION && code != CURLE_SSL_CACERT_BADFILE;
}

static void wait_before(unsigned attempt, const char *url)
{
    uint64_t most = (uint64_t)WAIT_MS << attempt, by_chance;
    if (most > WAIT_MAX_MS)
        most = WAIT_MAX_MS;
    if (getrandom(&by_chance, sizeof by_chance, 0) != sizeof by_chance)
        by_chance = 0;
    most -= by_chance % (most / 2);
    const struct timespec t = { .tv_sec = (time_t)(most / 1000), .tv_nsec = (long)(most % 1000) * 1000000 };
    if (isatty(STDERR_FILENO)) {
        progress_line_erase();
        (void)fprintf(stderr, "%.*s: no answer; asked again, %u of %d\n", (int)strcspn(url, "?"), url, attempt + 2,
                      TRIES_MAX);
    }
    (void)nanosleep(&t, NULL); /* a signal ends it */
}

/* Forgets what an attempt has brought. */
static enum status begin_again(struct http *h, struct http_answer *a, struct error *err)
{
    a->status = 0;
    memset(a->message, 0, sizeof a->message);
    a->value[0] = '\0';
    a->text.count = 0;
    h->reason[0] = '\0';
    if (a->fd != NULL && (ftruncate(*a->fd, 0) != 0 || lseek(*a->fd, 0, SEEK_SET) != 0))
        return error_set(err, ERR_IO, "a file of an answer: %s", strerror(errno));
    return OK;
}

/* One attempt, which is added to *tries; *again: another one may do. */
static enum status attempt(struct transfer *t, struct curl_slist *headers, bool *again, unsigned *tries,
                           struct error *err)
{
    struct http *h = t->h;
    struct http_answer *a = t->answer;
    struct curl_header *header;
    long status = 0;
    enum status st = begin_again(h, a, err);
    *again = false;
    if (st != OK)
        return st;
    set_request(h, t->request, t);
    SET(HTTPHEADER, headers);
    CURLcode code = h->easy_perform(h->handle);
    (void)h->easy_getinfo(h->handle, CURLINFO_RESPONSE_CODE, &status);
    a->status = (int)status;
    *tries += code == CURLE_OPERATION_TIMEDOUT ? SLOW_TRIES : 1;
    if (a->header != NULL && h->easy_header(h->handle, a->header, 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
        (void)snprintf(a->value, sizeof a->value, "%s", header->value);
    if (code == CURLE_OK && status < 300 && a->fd != NULL && t->received != a->fd_bytes) {
        *again = true;
        return error_set(err, ERR_IO, "%.*s: %llu bytes came, not %llu", (int)strcspn(t->request->url, "?"),
                         t->request->url, (unsigned long long)t->received, (unsigned long long)a->fd_bytes);
    }
    *again = code == CURLE_OK ? passes(a->status) : may_work(t, code) && !interrupt_seen();
    return code == CURLE_OK ? OK : failed(t, code, err);
}

enum status http_send(struct http *h, const struct http_request *q, struct http_answer *a, struct error *err)
{
    struct curl_slist *headers = NULL, *longer;
    enum status st = OK;
    bool again = true;
    a->sent_again = false;
    for (size_t i = 0; st == OK && i < HTTP_HEADERS_MAX && q->headers[i] != NULL; i++) {
        if ((longer = h->slist_append(headers, q->headers[i])) != NULL)
            headers = longer;
        else
            st = error_memory(err, "libcurl");
    }
    for (unsigned tries = 0; again && (st == OK || tries > 0);) {
        struct transfer t = { .h = h, .request = q, .answer = a };
        st = attempt(&t, headers, &again, &tries, err);
        again = again && q->again && tries < TRIES_MAX && !interrupt_seen();
        if (again) {
            a->sent_again = true;
            wait_before(tries - 1, q->url);
        }
    }
    h->slist_free_all(headers);
    if (st == OK && a->sent_again && err != NULL) /* what an earlier attempt said */
        *err = (struct error){ 0 };
    return is_stopped(q) && st != OK ? error_set(err, ERR_CANCELLED, "%s", status_text(ERR_CANCELLED)) : st;
}
