/* s3.c - see s3.h. */
#include "reader/fleet/s3.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "reader/fleet/xml.h"

#define SCHEME     "s3://"
#define CRC_HEADER "x-amz-checksum-crc32"
/* Larger objects are put in parts, of which there are at most so many. */
static const uint64_t part_bytes = (uint64_t)64 << 20;
enum {
    PARTS_MAX = 10000,
    SUM_CHARS = 8,
    JOIN_S = 600,
    DELETE_AT_ONCE = 1000
}; /* to join them takes a server minutes */

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
           http_end(&s->bucket) && http_append(&s->prefix, prefix);
    free(name);
    while (done && s->prefix.count > 0 && s->prefix.items[s->prefix.count - 1] == '/')
        s->prefix.count--;
    if (done && s->prefix.count > 0)
        done = http_append(&s->prefix, "/");
    return done && http_end(&s->prefix);
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

/* A component . or .., which an address loses on its way. */
static bool has_dots(const char *path)
{
    for (size_t n; *path != '\0'; path += n + (path[n] == '/')) {
        n = strcspn(path, "/");
        if (n > 0 && n < 3 && strspn(path, ".") >= n)
            return true;
    }
    return false;
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
    if (memchr(bucket, '@', length) != NULL) /* what is before it may be a key */
        return error_set(err, ERR_USAGE,
                         "the bucket has an @ in it; keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    if (length == 0 || strlen(bucket) > KEY_MAX / 2 || has_dots(bucket))
        return error_set(err, ERR_USAGE, "%s: wanted is s3://BUCKET or s3://BUCKET/PREFIX, without . and .. in it",
                         place);
    if (endpoint != NULL && !http_is_server(endpoint)) /* what it has instead may be a password */
        return error_set(err, ERR_USAGE,
                         "the endpoint does not begin with http:// or https:// and a host, or has a user, a password, "
                         "? or # in it; keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
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
    for (size_t i = 0; i < S3_AT_ONCE; i++)
        http_close(s->more[i]);
    memset(s->more, 0, sizeof s->more);
    vec_free(&s->bucket);
    vec_free(&s->prefix);
    s->http = NULL;
}

/* ---- many at once ---- */

struct work {
    struct s3 *s3;
    size_t jobs;
    s3_job_fn *job;
    void *context;
    struct error *err; /* of the first one that failed */
    atomic_size_t next;
    atomic_bool failed;
};
struct worker {
    pthread_t thread;
    struct work *work;
    struct s3 s3; /* with a connection of its own */
};

static void *do_jobs(void *context)
{
    struct worker *w = context;
    struct work *work = w->work;
    struct error err = { 0 };
    for (size_t i; !atomic_load(&work->failed) && (i = atomic_fetch_add(&work->next, 1)) < work->jobs;)
        if (work->job(&w->s3, work->context, i, &err) != OK && !atomic_exchange(&work->failed, true))
            *work->err = err;
    return NULL;
}

enum status s3_at_once(struct s3 *s, size_t jobs, s3_job_fn *job, void *context, struct error *err)
{
    struct worker workers[S3_AT_ONCE];
    struct work work = { .s3 = s, .jobs = jobs, .job = job, .context = context, .err = err };
    size_t started = 0;
    enum status st = OK;
    for (; st == OK && started < S3_AT_ONCE && started < jobs; started++) {
        struct worker *w = &workers[started];
        if (s->more[started] == NULL && (st = http_open(&s->more[started], err)) != OK)
            break;
        *w = (struct worker){ .work = &work, .s3 = *s };
        w->s3.http = s->more[started];
        if (pthread_create(&w->thread, NULL, do_jobs, w) != 0) {
            st = error_memory(err, "a thread");
            break;
        }
    }
    if (st != OK)
        atomic_store(&work.failed, true);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(workers[i].thread, NULL);
    return st != OK || !atomic_load(&work.failed) ? st : err->status;
}

/* ---- requests ---- */

struct field {
    const char *name; /* of an element; the last one NULL */
    char *to;
    size_t size, depth; /* below the root */
};

static enum status keep_field(void *context, size_t depth, const char *name, const char *text)
{
    for (const struct field *f = context; f->name != NULL; f++)
        if (depth == f->depth && strcmp(f->name, name) == 0 && strlen(text) < f->size)
            (void)snprintf(f->to, f->size, "%s", text);
    return OK;
}

enum status s3_refused(const struct s3 *s, const struct http_answer *a, const char *name, struct error *err)
{
    char code[64] = "", message[256] = "";
    const struct field fields[] = { { "Code", code, sizeof code, 1 },
                                    { "Message", message, sizeof message, 1 },
                                    { 0 } };
    struct error none;
    (void)xml_read(a->message, strlen(a->message), "Error", keep_field, (void *)(uintptr_t)fields, &none);
    return error_set(err, a->status == 404 ? ERR_NOT_FOUND : ERR_IO, "%s: %s: the server answers %d%s%s%s%s", s->place,
                     name, a->status, code[0] != '\0' ? " " : "", code, message[0] != '\0' ? ": " : "", message);
}

bool s3_address(const struct s3 *s, const char *name, http_text *url)
{
    return http_append(url, s->bucket.items) &&
           (name == NULL ||
            (http_append(url, "/") && http_escape(url, s->prefix.items, true) && http_escape(url, name, true)));
}

enum status s3_send(struct s3 *s, struct http_request *q, http_text *url, bool whole, struct http_answer *a,
                    struct error *err)
{
    size_t n = 0;
    if (!whole || !http_end(url))
        return error_memory(err, "%s", s->place);
    q->url = url->items;
    q->again = true;
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
    const bool whole = s3_address(s, name, &url) && (parameters == NULL || http_append(&url, parameters));
    enum status st = s3_send(s, q, &url, whole, a, err);
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

/* CRC-32 of bytes of a file, of which it has as many. */
static enum status crc_of(int fd, uint64_t from, uint64_t bytes, uint32_t *out, struct error *err)
{
    unsigned char buffer[1 << 16];
    unsigned long crc = crc32(0, NULL, 0);
    for (uint64_t at = 0; at < bytes;) {
        const uint64_t left = bytes - at;
        const ssize_t n = pread(fd, buffer, left < sizeof buffer ? (size_t)left : sizeof buffer, (off_t)(from + at));
        if (n <= 0)
            return error_set(err, ERR_IO, "a file that is sent cannot be read");
        crc = crc32(crc, buffer, (unsigned)n);
        at += (uint64_t)n;
    }
    *out = (uint32_t)crc;
    return OK;
}

static void in_base64(uint32_t crc, char sum[SUM_CHARS + 1])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint64_t bits = (uint64_t)crc << 4; /* 32 bits and four zeros: six digits */
    for (unsigned i = 0; i < 6; i++)
        sum[i] = digits[bits >> (30 - 6 * i) & 63];
    (void)snprintf(sum + 6, 3, "==");
}

/* Of what a request sends, and the header with it: the server refuses what came otherwise. */
static enum status checksum(const struct http_request *q, char sum[SUM_CHARS + 1], char header[64], struct error *err)
{
    uint32_t crc = 0;
    enum status st = crc_of(*q->body_fd, q->body_from, q->body_bytes, &crc, err);
    in_base64(crc, sum);
    (void)snprintf(header, 64, CRC_HEADER ": %s", sum);
    return st;
}

/* Of an object that s3_put made, as the server names it: of parts it is the CRC-32 of theirs, and how many. */
static enum status checksum_of_object(int fd, uint64_t bytes, char out[SUM_CHARS + 16], struct error *err)
{
    unsigned parts = 0;
    uint32_t crc = 0;
    unsigned long all = crc32(0, NULL, 0);
    enum status st = bytes <= part_bytes ? crc_of(fd, 0, bytes, &crc, err) : OK;
    for (uint64_t at = 0; bytes > part_bytes && st == OK && at < bytes; at += part_bytes, parts++) {
        st = crc_of(fd, at, bytes - at < part_bytes ? bytes - at : part_bytes, &crc, err);
        const unsigned char big_endian[] = { (unsigned char)(crc >> 24), (unsigned char)(crc >> 16),
                                             (unsigned char)(crc >> 8), (unsigned char)crc };
        all = crc32(all, big_endian, sizeof big_endian);
    }
    in_base64(parts > 0 ? (uint32_t)all : crc, out);
    if (parts > 0)
        (void)snprintf(out + SUM_CHARS, 16, "-%u", parts);
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
    struct http_request q = { .method = "POST", .body = "", .headers = { "x-amz-checksum-algorithm: CRC32" } };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    struct error why;
    char id[TOKEN_MAX] = "";
    const struct field fields[] = { { "UploadId", id, sizeof id, 1 }, { 0 } };
    enum status st = object_text(u->s3, u->name, "?uploads=", &q, &a, err);
    if (st == OK && a.status >= 300)
        st = s3_refused(u->s3, &a, u->name, err);
    if (st == OK && (xml_read(a.text.items, a.text.count, "InitiateMultipartUploadResult", keep_field,
                              (void *)(uintptr_t)fields, &why) != OK ||
                     id[0] == '\0'))
        st = error_set(err, ERR_FORMAT, "%s: %s: the server begins no upload", u->s3->place, u->name);
    if (st == OK && (!http_append(&u->parameters, "uploadId=") || !http_escape(&u->parameters, id, false) ||
                     !http_end(&u->parameters) || !http_append(&u->list, "<CompleteMultipartUpload>")))
        st = error_memory(err, "%s", u->s3->place);
    vec_free(&a.text);
    return st;
}

static enum status upload_part(struct upload *u, unsigned number, struct http_request *q, struct error *err)
{
    struct http_answer a = { .text_max = LIST_MAX_BYTES, .header = "ETag" };
    http_text parameters = { 0 };
    char text[64], sum[SUM_CHARS + 1], header[64];
    enum status st = checksum(q, sum, header, err);
    q->headers[0] = header;
    (void)snprintf(text, sizeof text, "?partNumber=%u&", number);
    if (st == OK &&
        (!http_append(&parameters, text) || !http_append(&parameters, u->parameters.items) || !http_end(&parameters)))
        st = error_memory(err, "%s", u->s3->place);
    if (st == OK)
        st = object_request(u->s3, u->name, parameters.items, q, &a, err);
    if (st == OK && a.status >= 300)
        st = s3_refused(u->s3, &a, u->name, err);
    if (st == OK && strpbrk(a.value, "<&") != NULL)
        st = error_set(err, ERR_FORMAT, "%s: %s: the server's ETag is none", u->s3->place, u->name);
    (void)snprintf(text, sizeof text, "<Part><PartNumber>%u</PartNumber><ETag>", number);
    if (st == OK && (!http_append(&u->list, text) || !http_append(&u->list, a.value) ||
                     !http_append(&u->list, "</ETag><ChecksumCRC32>") || !http_append(&u->list, sum) ||
                     !http_append(&u->list, "</ChecksumCRC32></Part>")))
        st = error_memory(err, "%s", u->s3->place);
    vec_free(&parameters);
    return st;
}

static enum status ignore_element(void *context, size_t depth, const char *name, const char *text)
{
    (void)context;
    (void)depth;
    (void)name;
    (void)text;
    return OK;
}

/* The parts become an object. The server may fail after it has begun to answer with 200. If its answer was lost, the
 * upload is not there when it is asked again: whether the object is there is found out by who needs it. */
static enum status upload_end(struct upload *u, bool only_new, bool *added, struct error *err)
{
    struct http_request q = { .method = "POST",
                              .headers = { only_new ? "If-None-Match: *" : NULL },
                              .silent_s = JOIN_S };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    struct error why;
    char parameters[TOKEN_MAX + 16];
    if (!http_append(&u->list, "</CompleteMultipartUpload>"))
        return error_memory(err, "%s", u->s3->place);
    q.body = u->list.items;
    q.body_bytes = u->list.count;
    (void)snprintf(parameters, sizeof parameters, "?%s", u->parameters.items);
    enum status st = object_text(u->s3, u->name, parameters, &q, &a, err);
    *added = st == OK && (a.status < 300 || (a.status == 404 && a.sent_again));
    if (st == OK && !*added && (!only_new || a.status != 412))
        st = s3_refused(u->s3, &a, u->name, err);
    if (*added && a.status < 300 &&
        xml_read(a.text.items, a.text.count, "CompleteMultipartUploadResult", ignore_element, NULL, &why) != OK) {
        *added = false;
        st = error_set(err, ERR_IO, "%s: %s: the server cannot join its parts: %s", u->s3->place, u->name, why.text);
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
    char sum[SUM_CHARS + 1], header[64];
    struct http_request q = { .method = "PUT", .body_fd = &fd };
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
    enum status st = checksum(&q, sum, header, err);
    q.headers[0] = header;
    q.headers[1] = only_new ? "If-None-Match: *" : NULL;
    if (st == OK)
        st = object_request(s, name, NULL, &q, &a, err);
    if (st != OK)
        return st;
    *added = a.status < 300 || (only_new && a.status == 412 && a.sent_again);
    return *added || (only_new && a.status == 412) ? OK : s3_refused(s, &a, name, err);
}

enum status s3_get(struct s3 *s, const char *name, int fd, uint64_t bytes, struct error *err)
{
    struct http_request q = { 0 };
    struct http_answer a = { .fd = &fd, .fd_bytes = bytes };
    enum status st = object_request(s, name, NULL, &q, &a, err);
    return st != OK || a.status < 300 ? st : s3_refused(s, &a, name, err);
}

enum status s3_same(struct s3 *s, const char *name, int fd, int dir, bool *same, struct error *err)
{
    struct http_request q = { .method = "HEAD", .headers = { "x-amz-checksum-mode: ENABLED" } };
    struct http_answer a = { .text_max = LIST_MAX_BYTES, .header = CRC_HEADER };
    struct stat file;
    char sum[SUM_CHARS + 16];
    uint32_t own = 0, other = 0;
    if (fstat(fd, &file) != 0 || file.st_size < 0)
        return error_set(err, ERR_IO, "%s: it cannot be read", name);
    const uint64_t bytes = (uint64_t)file.st_size;
    enum status st = checksum_of_object(fd, bytes, sum, err);
    if (st == OK)
        st = object_request(s, name, NULL, &q, &a, err);
    *same = st == OK && a.status < 300 && strcmp(a.value, sum) == 0;
    if (st != OK || *same)
        return st;
    int copy = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (copy < 0)
        return error_set(err, ERR_IO, "%s: a file for it: %s", name, strerror(errno));
    st = s3_get(s, name, copy, bytes, err);
    if (st == OK)
        st = crc_of(fd, 0, bytes, &own, err);
    if (st == OK)
        st = crc_of(copy, 0, bytes, &other, err);
    (void)close(copy);
    *same = own == other;
    return st;
}

/* ---- deleting ---- */

static bool add_escaped(http_text *list, const char *text)
{
    bool done = true;
    for (; done && *text != '\0'; text++) {
        const char plain[2] = { *text, '\0' };
        done = http_append(list, *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : plain);
    }
    return done;
}

static enum status delete_one(struct s3 *s, void *context, size_t i, struct error *err)
{
    const s3_names *names = context;
    struct http_request q = { .method = "DELETE" };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    enum status st = object_request(s, names->items[i].text, NULL, &q, &a, err);
    return st != OK || a.status < 300 || a.status == 404 ? st : s3_refused(s, &a, names->items[i].text, err);
}

/* As many as one request takes. ERR_UNSUPPORTED: the server refuses the request. */
static enum status delete_some(struct s3 *s, void *context, size_t i, struct error *err)
{
    const s3_names *names = context;
    http_text list = { 0 }, url = { 0 };
    char code[64] = "", message[256] = "", sum[SUM_CHARS + 1], header[64];
    const struct field fields[] = { { "Code", code, sizeof code, 2 },
                                    { "Message", message, sizeof message, 2 },
                                    { 0 } };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    struct error why = { 0 };
    bool whole = http_append(&list, "<Delete><Quiet>true</Quiet>");
    for (size_t k = i * DELETE_AT_ONCE; whole && k < names->count && k < (i + 1) * DELETE_AT_ONCE; k++)
        whole = http_append(&list, "<Object><Key>") && add_escaped(&list, s->prefix.items) &&
                add_escaped(&list, names->items[k].text) && http_append(&list, "</Key></Object>");
    whole = whole && http_append(&list, "</Delete>") && s3_address(s, NULL, &url) && http_append(&url, "?delete=");
    in_base64((uint32_t)crc32(0, (const Bytef *)list.items, (uInt)list.count), sum);
    (void)snprintf(header, sizeof header, CRC_HEADER ": %s", sum);
    struct http_request q = { .method = "POST", .headers = { header }, .body = list.items, .body_bytes = list.count };
    enum status st = s3_send(s, &q, &url, whole, &a, err);
    if (st == OK && a.status >= 300)
        st = error_set(err, ERR_UNSUPPORTED, "%s: deleting: %d", s->place, a.status);
    if (st == OK &&
        xml_read(a.text.items, a.text.count, "DeleteResult", keep_field, (void *)(uintptr_t)fields, &why) != OK)
        st = error_set(err, ERR_FORMAT, "%s: the answer to a deletion cannot be read: %s", s->place, why.text);
    if (st == OK && code[0] != '\0')
        st = error_set(err, ERR_IO, "%s: the server does not delete all: %s: %s", s->place, code, message);
    vec_free(&a.text);
    vec_free(&list);
    vec_free(&url);
    return st;
}

enum status s3_delete(struct s3 *s, const s3_names *names, struct error *err)
{
    void *context = (void *)(uintptr_t)names;
    enum status st = names->count > 1 ? s3_at_once(s, (names->count + DELETE_AT_ONCE - 1) / DELETE_AT_ONCE, delete_some,
                                                   context, err)
                                      : ERR_UNSUPPORTED;
    return st == ERR_UNSUPPORTED ? s3_at_once(s, names->count, delete_one, context, err) : st;
}
