/* s3.c - see s3.h. */
#include "reader/fleet/s3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "reader/command/cli.h"

#define SCHEME "s3://"
enum { KEY_MAX = 1024, LIST_MAX_BYTES = 64 << 20, TOKEN_MAX = 4096 };
/* Larger objects are put in parts, of which there are at most so many. */
static const uint64_t part_bytes = (uint64_t)64 << 20;
enum { PARTS_MAX = 10000 };

/* ---- the bucket ---- */

bool s3_is(const char *place) { return strncmp(place, SCHEME, strlen(SCHEME)) == 0; }

static const char *environment(const char *first, const char *second)
{
    const char *value = getenv(first);
    if ((value == NULL || value[0] == '\0') && second != NULL)
        value = getenv(second);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* False: out of memory. */
static bool set_addresses(struct s3 *s, const char *endpoint, const char *bucket, size_t length, const char *prefix)
{
    bool done = http_append(&s->bucket, endpoint);
    while (done && s->bucket.count > 0 && s->bucket.items[s->bucket.count - 1] == '/')
        s->bucket.count--;
    char *name = strndup(bucket, length);
    done = done && name != NULL && http_append(&s->bucket, "/") && http_escape(&s->bucket, name, false) &&
           vec_push(&s->bucket) != NULL && http_append(&s->prefix, prefix);
    free(name);
    while (done && s->prefix.count > 0 && s->prefix.items[s->prefix.count - 1] == '/')
        s->prefix.count--;
    if (done && s->prefix.count > 0)
        done = http_append(&s->prefix, "/");
    done = done && vec_push(&s->prefix) != NULL;
    if (done)
        s->bucket.items[s->bucket.count - 1] = s->prefix.items[s->prefix.count - 1] = '\0';
    return done;
}

static enum status set_keys(struct s3 *s, const char *region, struct error *err)
{
    const char *token = environment("AWS_SESSION_TOKEN", NULL);
    s->key_id = environment("AWS_ACCESS_KEY_ID", NULL);
    s->secret = environment("AWS_SECRET_ACCESS_KEY", NULL);
    if ((s->key_id == NULL) != (s->secret == NULL))
        return error_set(err, ERR_USAGE, "%s: of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY one is not set", s->place);
    int n = snprintf(s->sign, sizeof s->sign, "aws:amz:%s:s3", region);
    if (n < 0 || (size_t)n >= sizeof s->sign || strchr(region, ':') != NULL)
        return error_set(err, ERR_USAGE, "%s: AWS_REGION is not the name of a region", s->place);
    n = token != NULL ? snprintf(s->token, sizeof s->token, "x-amz-security-token: %s", token) : 0;
    if (n < 0 || (size_t)n >= sizeof s->token)
        return error_set(err, ERR_USAGE, "%s: AWS_SESSION_TOKEN is too long", s->place);
    return OK;
}

enum status s3_open(struct s3 *s, const char *place, const char *endpoint, struct error *err)
{
    char amazon[128];
    const char *bucket = place + strlen(SCHEME), *region = environment("AWS_REGION", "AWS_DEFAULT_REGION");
    const size_t length = strcspn(bucket, "/");
    *s = (struct s3){ .place = place };
    if (region == NULL)
        region = "us-east-1";
    if (endpoint == NULL)
        endpoint = environment("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
    if (length == 0 || strlen(bucket) > KEY_MAX / 2)
        return error_set(err, ERR_USAGE, "%s: wanted is s3://BUCKET or s3://BUCKET/PREFIX", place);
    if (endpoint != NULL && strncmp(endpoint, "http://", 7) != 0 && strncmp(endpoint, "https://", 8) != 0)
        return error_set(err, ERR_USAGE, "the endpoint %s does not begin with http:// or https://", endpoint);
    enum status st = set_keys(s, region, err);
    if (st != OK)
        return st;
    (void)snprintf(amazon, sizeof amazon, "https://s3.%s.amazonaws.com", region);
    if (!set_addresses(s, endpoint != NULL ? endpoint : amazon, bucket, length,
                       bucket + length + strspn(bucket + length, "/")))
        return error_memory(err, "%s", place);
    return http_open(&s->http, err);
}

void s3_close(struct s3 *s)
{
    http_close(s->http);
    vec_free(&s->bucket);
    vec_free(&s->prefix);
    s->http = NULL;
}

/* ---- requests ---- */

/* The text between <NAME> and </NAME>, from *at on, where *at moves behind it; NULL: there is none. XML of S3 has no
 * attributes in what is read here. */
static const char *element(const char **at, const char *name, size_t *length)
{
    char open[40], close[40];
    (void)snprintf(open, sizeof open, "<%s>", name);
    (void)snprintf(close, sizeof close, "</%s>", name);
    const char *from = strstr(*at, open), *to = from != NULL ? strstr(from, close) : NULL;
    if (to == NULL)
        return NULL;
    from += strlen(open);
    *length = (size_t)(to - from);
    *at = to + strlen(close);
    return from;
}

/* Replaces the entities of XML. False: it does not fit. */
static bool plain_text(const char *xml, size_t length, char *out, size_t size)
{
    static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#34;", "&#39;" };
    static const char characters[] = "&<>\"'\"'";
    size_t used = 0;
    for (size_t i = 0, step; i < length; i += step) {
        char c = xml[i];
        step = 1;
        for (size_t k = 0; c == '&' && step == 1 && k < sizeof entities / sizeof *entities; k++)
            if (strncmp(xml + i, entities[k], strlen(entities[k])) == 0) {
                c = characters[k];
                step = strlen(entities[k]);
            }
        if (used + 1 >= size)
            return false;
        out[used++] = c;
    }
    out[used] = '\0';
    return true;
}

/* What the server says of a request that it refused: its code and message. */
static enum status refused(const struct s3 *s, const struct http_answer *a, const char *name, struct error *err)
{
    char code[64] = "", message[256] = "";
    size_t length;
    const char *at = a->message, *found = element(&at, "Code", &length);
    if (found != NULL)
        (void)plain_text(found, length, code, sizeof code);
    at = a->message;
    if ((found = element(&at, "Message", &length)) != NULL)
        (void)plain_text(found, length, message, sizeof message);
    return error_set(err, a->status == 404 ? ERR_NOT_FOUND : ERR_IO, "%s: %s: the server answers %d%s%s%s%s", s->place,
                     name, a->status, code[0] != '\0' ? " " : "", code, message[0] != '\0' ? ": " : "", message);
}

/* The address of an object, or (name NULL) of the bucket. */
static bool address(const struct s3 *s, const char *name, http_text *url)
{
    return http_append(url, s->bucket.items) &&
           (name == NULL ||
            (http_append(url, "/") && http_escape(url, s->prefix.items, true) && http_escape(url, name, true)));
}

/* Sends with what all requests have, and ends the URL. */
static enum status send_signed(struct s3 *s, struct http_request *q, http_text *url, bool whole, struct http_answer *a,
                               struct error *err)
{
    size_t n = 0;
    if (!whole || vec_push(url) == NULL)
        return error_memory(err, "%s", s->place);
    url->items[url->count - 1] = '\0';
    q->url = url->items;
    while (n < HTTP_HEADERS_MAX && q->headers[n] != NULL)
        n++;
    if (s->key_id != NULL) {
        q->user = s->key_id;
        q->password = s->secret;
        q->sign = s->sign;
        q->headers[n++] = "x-amz-content-sha256: UNSIGNED-PAYLOAD"; /* open proves what was read */
        if (s->token[0] != '\0')
            q->headers[n++] = s->token;
    }
    return http_send(s->http, q, a, err);
}

/* `parameters` begin with '?'; NULL: none. a->text is left to be freed. */
static enum status object_text(struct s3 *s, const char *name, const char *parameters, struct http_request *q,
                               struct http_answer *a, struct error *err)
{
    http_text url = { 0 };
    const bool whole = address(s, name, &url) && (parameters == NULL || http_append(&url, parameters));
    enum status st = send_signed(s, q, &url, whole, a, err);
    vec_free(&url);
    return st;
}

static enum status object_request(struct s3 *s, const char *name, const char *parameters, struct http_request *q,
                                  struct http_answer *a, struct error *err)
{
    enum status st = object_text(s, name, parameters, q, a, err);
    vec_free(&a->text);
    return st;
}

/* ---- objects in parts ---- */

struct upload {
    struct s3 *s3;
    const char *name;
    http_text parameters; /* ?uploadId=ID, with a zero */
    http_text list;       /* the XML of its parts */
};

static enum status upload_begin(struct upload *u, struct error *err)
{
    struct http_request q = { .method = "POST", .body = "" };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    char id[TOKEN_MAX] = "";
    size_t length;
    enum status st = object_text(u->s3, u->name, "?uploads=", &q, &a, err);
    if (st == OK && a.status >= 300)
        st = refused(u->s3, &a, u->name, err);
    if (st == OK && vec_push(&a.text) != NULL) {
        a.text.items[a.text.count - 1] = '\0';
        const char *at = a.text.items, *found = element(&at, "UploadId", &length);
        if (found == NULL || !plain_text(found, length, id, sizeof id))
            st = error_set(err, ERR_FORMAT, "%s: %s: the server begins no upload", u->s3->place, u->name);
    }
    if (st == OK && (!http_append(&u->parameters, "uploadId=") || !http_escape(&u->parameters, id, false) ||
                     vec_push(&u->parameters) == NULL || !http_append(&u->list, "<CompleteMultipartUpload>")))
        st = error_memory(err, "%s", u->s3->place);
    if (st == OK)
        u->parameters.items[u->parameters.count - 1] = '\0';
    vec_free(&a.text);
    return st;
}

static enum status upload_part(struct upload *u, unsigned number, struct http_request *q, struct error *err)
{
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    http_text parameters = { 0 };
    char text[64];
    enum status st = OK;
    (void)snprintf(text, sizeof text, "?partNumber=%u&", number);
    if (!http_append(&parameters, text) || !http_append(&parameters, u->parameters.items) ||
        vec_push(&parameters) == NULL) {
        st = error_memory(err, "%s", u->s3->place);
    } else {
        parameters.items[parameters.count - 1] = '\0';
        st = object_request(u->s3, u->name, parameters.items, q, &a, err);
    }
    if (st == OK && a.status >= 300)
        st = refused(u->s3, &a, u->name, err);
    (void)snprintf(text, sizeof text, "<Part><PartNumber>%u</PartNumber><ETag>", number);
    if (st == OK &&
        (!http_append(&u->list, text) || !http_append(&u->list, a.etag) || !http_append(&u->list, "</ETag></Part>")))
        st = error_memory(err, "%s", u->s3->place);
    vec_free(&parameters);
    return st;
}

/* The parts become an object. The server may fail after it has begun to answer with 200. */
static enum status upload_end(struct upload *u, bool only_new, bool *added, struct error *err)
{
    struct http_request q = { .method = "POST", .headers = { only_new ? "If-None-Match: *" : NULL } };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    char parameters[TOKEN_MAX + 16];
    if (!http_append(&u->list, "</CompleteMultipartUpload>"))
        return error_memory(err, "%s", u->s3->place);
    q.body = u->list.items;
    q.body_bytes = u->list.count;
    (void)snprintf(parameters, sizeof parameters, "?%s", u->parameters.items);
    enum status st = object_text(u->s3, u->name, parameters, &q, &a, err);
    *added = st == OK && a.status < 300;
    if (st == OK && a.status >= 300 && (!only_new || a.status != 412))
        st = refused(u->s3, &a, u->name, err);
    if (*added && (a.text.count == 0 || memmem(a.text.items, a.text.count, "<Error>", 7) != NULL)) {
        *added = false;
        st = error_set(err, ERR_IO, "%s: %s: the server cannot join its parts", u->s3->place, u->name);
    }
    vec_free(&a.text);
    return st;
}

static enum status put_parts(struct s3 *s, const char *name, int fd, uint64_t bytes, bool only_new, bool *added,
                             struct error *err)
{
    struct upload u = { .s3 = s, .name = name };
    struct http_request q = { .method = "PUT", .body_fd = &fd };
    enum status st = upload_begin(&u, err);
    const bool begun = st == OK;
    for (unsigned number = 1; st == OK && q.body_from < bytes; number++) {
        struct http_request part = q;
        part.body_bytes = bytes - q.body_from < part_bytes ? bytes - q.body_from : part_bytes;
        st = upload_part(&u, number, &part, err);
        q.body_from += part_bytes;
    }
    if (st == OK)
        st = upload_end(&u, only_new, added, err);
    if (begun && !*added) { /* its parts would be kept, and paid for */
        struct http_request remove = { .method = "DELETE" };
        struct http_answer a = { .text_max = LIST_MAX_BYTES };
        char parameters[TOKEN_MAX + 16];
        (void)snprintf(parameters, sizeof parameters, "?%s", u.parameters.items);
        (void)object_request(s, name, parameters, &remove, &a, NULL);
    }
    vec_free(&u.parameters);
    vec_free(&u.list);
    return st;
}

/* ---- objects ---- */

enum status s3_put(struct s3 *s, const char *name, int fd, bool only_new, bool *added, struct error *err)
{
    struct http_request q = { .method = "PUT", .body_fd = &fd, .headers = { only_new ? "If-None-Match: *" : NULL } };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    struct stat file;
    *added = false;
    if (fstat(fd, &file) != 0 || file.st_size < 0)
        return error_set(err, ERR_IO, "%s: it cannot be read", name);
    q.body_bytes = (uint64_t)file.st_size;
    const unsigned long long most = part_bytes * PARTS_MAX;
    if (q.body_bytes > most)
        return error_set(err, ERR_LIMIT, "%s: %s has %llu bytes, and an object at most %llu", s->place, name,
                         (unsigned long long)q.body_bytes, most);
    if (q.body_bytes > part_bytes)
        return put_parts(s, name, fd, q.body_bytes, only_new, added, err);
    enum status st = object_request(s, name, NULL, &q, &a, err);
    if (st != OK || (only_new && a.status == 412))
        return st;
    *added = a.status < 300;
    return *added ? OK : refused(s, &a, name, err);
}

enum status s3_get(struct s3 *s, const char *name, int fd, struct error *err)
{
    struct http_request q = { 0 };
    struct http_answer a = { .fd = &fd };
    enum status st = object_request(s, name, NULL, &q, &a, err);
    return st != OK || a.status < 300 ? st : refused(s, &a, name, err);
}

enum status s3_has(struct s3 *s, const char *name, bool *there, struct error *err)
{
    struct http_request q = { .method = "HEAD" };
    struct http_answer a = { 0 };
    enum status st = object_request(s, name, NULL, &q, &a, err);
    *there = st == OK && a.status < 300;
    return st != OK || *there || a.status == 404 ? st : refused(s, &a, name, err);
}

enum status s3_delete(struct s3 *s, const char *name, struct error *err)
{
    struct http_request q = { .method = "DELETE" };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    enum status st = object_request(s, name, NULL, &q, &a, err);
    return st != OK || a.status < 300 || a.status == 404 ? st : refused(s, &a, name, err);
}

/* ---- lists ---- */

/* 2026-11-22T20:00:53.000Z; 0: it is none. */
static uint64_t read_time(const char *text)
{
    struct tm tm = { 0 };
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    time_t seconds = rest != NULL ? timegm(&tm) : 0;
    return seconds > 0 ? (uint64_t)seconds * 1000000000u : 0;
}

static enum status read_page(const struct s3 *s, const char *page, s3_each_fn *each, void *context, struct error *err)
{
    char key[KEY_MAX + 1], size[24], modified[40];
    const size_t prefix = strlen(s->prefix.items);
    size_t length;
    uint64_t bytes;
    enum status st = OK;
    for (const char *contents; st == OK && (contents = element(&page, "Contents", &length)) != NULL;) {
        const char *at = contents, *end = contents + length, *found = element(&at, "Key", &length);
        bool whole = found != NULL && at <= end && plain_text(found, length, key, sizeof key);
        at = contents;
        whole = whole && (found = element(&at, "Size", &length)) != NULL && at <= end &&
                plain_text(found, length, size, sizeof size) && cli_u64(size, &bytes);
        at = contents;
        whole = whole && (found = element(&at, "LastModified", &length)) != NULL && at <= end &&
                plain_text(found, length, modified, sizeof modified);
        if (!whole)
            return error_set(err, ERR_FORMAT, "%s: the server's list of objects cannot be read", s->place);
        if (strncmp(key, s->prefix.items, prefix) == 0)
            st = each(context, key + prefix, bytes, read_time(modified));
    }
    return st == OK ? OK : error_memory(err, "%s", s->place);
}

/* Parameters are in the order of their names, as the signature wants them. */
static bool page_address(const struct s3 *s, const char *name, const char *token, http_text *url)
{
    return address(s, NULL, url) && http_append(url, "?") &&
           (token[0] == '\0' ||
            (http_append(url, "continuation-token=") && http_escape(url, token, false) && http_append(url, "&"))) &&
           http_append(url, "list-type=2&prefix=") && http_escape(url, s->prefix.items, false) &&
           http_escape(url, name, false);
}

static enum status ask_page(struct s3 *s, const char *name, const char *token, http_text *page, struct error *err)
{
    struct http_request q = { 0 };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    http_text url = { 0 };
    const bool whole = page_address(s, name, token, &url);
    enum status st = send_signed(s, &q, &url, whole, &a, err);
    if (st == OK && a.status >= 300)
        st = refused(s, &a, "the list of objects", err);
    if (st == OK && vec_push(&a.text) == NULL)
        st = error_memory(err, "%s", s->place);
    if (st == OK)
        a.text.items[a.text.count - 1] = '\0';
    *page = a.text;
    vec_free(&url);
    return st;
}

enum status s3_list(struct s3 *s, const char *name, s3_each_fn *each, void *context, struct error *err)
{
    char token[TOKEN_MAX] = "", next[TOKEN_MAX];
    enum status st = OK;
    do {
        http_text page = { 0 };
        size_t length;
        st = ask_page(s, name, token, &page, err);
        if (st == OK)
            st = read_page(s, page.items, each, context, err);
        const char *at = page.items, *found = st == OK ? element(&at, "NextContinuationToken", &length) : NULL;
        next[0] = '\0';
        if (found != NULL && (!plain_text(found, length, next, sizeof next) || strcmp(next, token) == 0))
            st = error_set(err, ERR_FORMAT, "%s: the server's list of objects does not go on", s->place);
        memcpy(token, next, sizeof token);
        vec_free(&page);
    } while (st == OK && token[0] != '\0');
    return st;
}
