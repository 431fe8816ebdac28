/* s3_list.c - the objects of a bucket, page by page; what is no list, or not all of it, is refused (s3.h). */
#include <string.h>
#include <time.h>

#include "reader/command/cli.h"
#include "reader/fleet/s3.h"
#include "reader/fleet/xml.h"

enum { EMPTY_PAGES_MAX = 100, PAGE_TRIES = 3 };

/* 2026-11-22T20:00:53.000Z; 0: it is none. */
static uint64_t read_time(const char *text)
{
    struct tm tm = { 0 };
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    time_t seconds = rest != NULL ? timegm(&tm) : 0;
    return seconds > 0 ? (uint64_t)seconds * 1000000000u : 0;
}

/* A page of a list. Keys come in the order of their bytes, none twice. */
struct page {
    const struct s3 *s3;
    s3_each_fn *each;
    void *context;
    struct error *err;
    http_text wanted; /* what all keys begin with, with a zero */
    char key[KEY_MAX + 1], size[24], modified[40], last[KEY_MAX + 1];
    char truncated[8], token[TOKEN_MAX];
    uint64_t objects;
    bool again; /* it was asked before, and came without its end */
    const struct s3_range *range;
    bool behind; /* an object behind the range has come */
};

static enum status unreadable(const struct page *p, const char *why)
{
    return error_set(p->err, ERR_FORMAT, "%s: the server's list of objects cannot be read: %s", p->s3->place, why);
}

static enum status end_object(struct page *p)
{
    uint64_t bytes;
    if (p->key[0] == '\0' || !cli_u64(p->size, &bytes) || p->modified[0] == '\0')
        return unreadable(p, "an object without name, size or time");
    if (strncmp(p->key, p->wanted.items, strlen(p->wanted.items)) != 0)
        return unreadable(p, "an object that was not asked for");
    const bool known = strcmp(p->key, p->last) <= 0;
    const char *name = p->key + strlen(p->s3->prefix.items);
    enum status st = OK;
    if (known && !p->again)
        return unreadable(p, "an object is there twice, or not in order");
    if (!known) {
        memcpy(p->last, p->key, sizeof p->last);
        p->objects++;
        p->behind = p->behind || (p->range != NULL && p->range->to != NULL && strcmp(name, p->range->to) > 0);
        if (!p->behind && (p->range == NULL || p->range->from == NULL || strcmp(name, p->range->from) > 0))
            st = p->each(p->context, name, bytes, read_time(p->modified));
    }
    p->key[0] = p->size[0] = p->modified[0] = '\0';
    return st == ERR_LIMIT    ? error_set(p->err, st, "%s: it has too many runs", p->s3->place)
           : st == ERR_MEMORY ? error_memory(p->err, "%s", p->s3->place)
                              : st;
}

static enum status page_element(void *context, size_t depth, const char *name, const char *text)
{
    struct page *p = context;
    const struct {
        const char *name;
        char *to;
        size_t size;
    } fields[] = {
        { "Key", p->key, sizeof p->key },
        { "Size", p->size, sizeof p->size },
        { "LastModified", p->modified, sizeof p->modified },
        { "IsTruncated", p->truncated, sizeof p->truncated },
        { "NextContinuationToken", p->token, sizeof p->token },
    };
    if (depth == 1 && strcmp(name, "Contents") == 0)
        return end_object(p);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) != 0 || depth != (i < 3 ? 2 : 1))
            continue;
        if (strlen(text) >= fields[i].size)
            return unreadable(p, "a value is too long");
        memcpy(fields[i].to, text, strlen(text) + 1);
    }
    return OK;
}

/* Parameters are in the order of their names, as the signature wants them. */
static bool page_address(const struct page *p, const char *token, http_text *url)
{
    return s3_address(p->s3, NULL, url) && http_append(url, "?") &&
           (token[0] == '\0' ||
            (http_append(url, "continuation-token=") && http_escape(url, token, false) && http_append(url, "&"))) &&
           http_append(url, "list-type=2&prefix=") && http_escape(url, p->wanted.items, false) &&
           (token[0] != '\0' || p->range == NULL || p->range->from == NULL ||
            (http_append(url, "&start-after=") && http_escape(url, p->s3->prefix.items, false) &&
             http_escape(url, p->range->from, false)));
}

/* One attempt. *cut: the page is no list, or without its end. */
static enum status ask_page(struct s3 *s, struct page *p, const char *token, bool *cut)
{
    struct http_request q = { 0 };
    struct http_answer a = { .text_max = LIST_MAX_BYTES };
    struct error why = { 0 };
    http_text url = { 0 };
    const bool whole = page_address(p, token, &url);
    enum status st = s3_send(s, &q, &url, whole, &a, p->err);
    p->token[0] = p->truncated[0] = p->key[0] = p->size[0] = p->modified[0] = '\0';
    *cut = false;
    if (st == OK && a.status >= 300)
        st = s3_refused(s, &a, "the list of objects", p->err);
    if (st == OK) {
        p->err->text[0] = '\0';
        st = xml_read(a.text.items, a.text.count, "ListBucketResult", page_element, p, &why);
        *cut = st == ERR_FORMAT && p->err->text[0] == '\0';
        if (st != OK && p->err->text[0] == '\0')
            st = *cut ? unreadable(p, why.text) : error_set(p->err, st, "%s", why.text);
    }
    vec_free(&a.text);
    vec_free(&url);
    return st;
}

/* *more: there is a next one, which p->token names. */
static enum status read_page(struct s3 *s, struct page *p, bool *more)
{
    char asked[TOKEN_MAX];
    bool cut = true;
    enum status st = OK;
    memcpy(asked, p->token, sizeof asked);
    for (unsigned i = 0; cut && i < PAGE_TRIES; i++) {
        p->again = i > 0;
        st = ask_page(s, p, asked, &cut);
    }
    *more = st == OK && strcmp(p->truncated, "true") == 0;
    if (st == OK && !*more && strcmp(p->truncated, "false") != 0)
        st = unreadable(p, "it does not say whether it is the end (IsTruncated)");
    if (*more && (p->token[0] == '\0' || strcmp(p->token, asked) == 0))
        st = unreadable(p, "it goes on without a token for its next page");
    return st;
}

enum status s3_list(struct s3 *s, const char *name, struct s3_range *range, s3_each_fn *each, void *context,
                    uint64_t *objects, struct error *err)
{
    struct page p = { .s3 = s, .each = each, .context = context, .err = err, .range = range };
    enum status st = OK;
    unsigned empty = 0;
    bool more = true;
    if (!http_append(&p.wanted, s->prefix.items) || !http_append(&p.wanted, name) || !http_end(&p.wanted))
        st = error_memory(err, "%s", s->place);
    while (st == OK && more && !p.behind) {
        const uint64_t before = p.objects;
        st = read_page(s, &p, &more);
        empty = p.objects == before ? empty + 1 : 0;
        if (st == OK && more && empty > EMPTY_PAGES_MAX)
            st = unreadable(&p, "it has empty pages without an end");
        if (range != NULL && range->one_page)
            break;
    }
    if (range != NULL)
        range->more = more && !p.behind;
    *objects = p.objects;
    vec_free(&p.wanted);
    return st;
}
