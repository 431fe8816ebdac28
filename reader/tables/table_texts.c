/* table_texts.c - see tables.h: texts and names as UTF-8, and what failed. */
#include "reader/tables/tables.h"

#include <stdarg.h>
#include <stdio.h>

#include "formats/event.h"
#include "formats/mutf8.h"

bool rows_fail(struct rows *r, const char *fmt, ...)
{
    va_list ap;
    if (r->failed)
        return false;
    r->failed = true;
    va_start(ap, fmt);
    (void)vsnprintf(r->error.text, sizeof r->error.text, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- texts ---- */

/* The text as UTF-8, copied to `arena` if `copy` or if it has to be changed. */
static struct span to_utf8(struct rows *r, struct arena *arena, const char *text, size_t bytes, bool copy, bool *exact)
{
    struct writer w = { 0 };
    struct span out = { text, bytes };
    *exact = true;
    bool same = mutf8_is_ascii(text, bytes) || utf8_is_text(text, bytes);
    if (same && !copy)
        return out;
    if (!same)
        *exact = names_to_utf8(text, bytes, &w);
    const char *from = same ? text : (const char *)w.data;
    size_t size = same ? bytes : w.size;
    char *to = w.bad ? NULL : arena_chars(arena, size + 1);
    if (to == NULL) {
        (void)rows_fail(r, "out of memory");
        out = (struct span){ "", 0 };
    } else {
        if (size > 0)
            memcpy(to, from, size);
        to[size] = '\0';
        out = (struct span){ to, size };
    }
    writer_free(&w);
    return out;
}

void put_text(struct rows *r, unsigned column, const char *text, size_t bytes)
{
    bool exact;
    r->columns[column].present[r->count] = 1;
    r->columns[column].texts[r->count] = to_utf8(r, &r->texts, text, bytes, true, &exact);
}

void put_any(struct rows *r, unsigned column, const char *text)
{
    if (text != NULL)
        put_text(r, column, text, strlen(text));
}

void put_groups(struct rows *r, unsigned column, uint32_t groups)
{
    char text[GROUP_SET_TEXT_MAX];
    group_set_text(groups, text, sizeof text);
    put_any(r, column, text);
}

void put_hash(struct rows *r, unsigned column, uint64_t hash)
{
    char digits[24];
    if (hash != 0)
        put_text(r, column, digits, (size_t)snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash));
}

struct span rows_string(struct rows *r, const struct hs_object *o, bool *exact)
{
    struct writer w = { 0 };
    bool unused;
    if (o->latin1)
        latin1_to_utf8(o->data, o->data_bytes, &w);
    else
        utf16le_to_utf8(o->data, o->data_bytes, &w);
    if (w.bad)
        (void)rows_fail(r, "out of memory");
    struct span s =
        to_utf8(r, &r->texts, w.size > 0 ? (const char *)w.data : "", w.size, true, exact != NULL ? exact : &unused);
    writer_free(&w);
    return s;
}

/* ---- names ---- */

static uint32_t new_name(struct rows *r, struct span name)
{
    struct span *to = vec_push(&r->names);
    if (to == NULL || r->names.count > UINT32_MAX) {
        (void)rows_fail(r, "out of memory");
        return 0;
    }
    *to = name;
    return (uint32_t)(r->names.count - 1);
}

/* Equal texts have one number, however many pointers there are to them. */
static uint32_t number_of_text(struct rows *r, const char *text)
{
    bool exact;
    size_t bytes = strlen(text);
    struct name_key *k;
    struct span name = to_utf8(r, &r->name_texts, text, bytes, false, &exact);
    uint64_t hash = map_hash(name.text, name.bytes);
    for (; (k = map_get(&r->by_text, hash)) != NULL; hash = map_next_hash(hash)) {
        struct span have = r->names.items[k->number];
        if (have.bytes == name.bytes && memcmp(have.text, name.text, name.bytes) == 0)
            return k->number;
    }
    uint32_t number = new_name(r, name);
    k = map_put(&r->by_text, hash);
    if (k == NULL)
        (void)rows_fail(r, "out of memory");
    else
        k->number = number;
    return number;
}

uint32_t name_number(struct rows *r, const char *text)
{
    struct name_key *k = map_get(&r->by_pointer, (uint64_t)(uintptr_t)text);
    if (k != NULL)
        return k->number;
    uint32_t number = number_of_text(r, text);
    k = map_put(&r->by_pointer, (uint64_t)(uintptr_t)text);
    if (k == NULL)
        (void)rows_fail(r, "out of memory");
    else
        k->number = number;
    return r->failed ? 0 : number;
}

void put_name(struct rows *r, unsigned column, const char *text)
{
    if (text == NULL)
        return;
    uint32_t number = name_number(r, text);
    if (!r->failed)
        put_number(r, column, number);
}
