/* test_builder.c - the text of a test, why there is none, and what is known of objects and classes. */
#include <stdarg.h>
#include <stdio.h>

#include "reader/query/test_builder.h"

bool test_stopped(const struct test_builder *b) { return b->status != OK || b->why != NULL; }

void test_memory(struct test_builder *b)
{
    if (b->status == OK)
        b->status = state_memory(b->trace, b->err);
}

void test_say(struct writer *w, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (n >= 0 && (size_t)n < sizeof text) {
        write_bytes(w, text, (size_t)n);
        return;
    }
    if (n < 0 || !writer_reserve(w, (size_t)n + 1)) {
        w->bad = true;
        return;
    }
    va_start(list, format);
    (void)vsnprintf((char *)w->data + w->size, (size_t)n + 1, format, list);
    va_end(list);
    w->size += (size_t)n;
}

static const char *format_list(struct test_builder *b, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    const int n = vsnprintf(NULL, 0, format, list);
    char *out = n >= 0 ? arena_chars(b->arena, (size_t)n + 1) : NULL;
    if (out != NULL)
        (void)vsnprintf(out, (size_t)n + 1, format, again);
    va_end(again);
    return out;
}

const char *test_object(struct test_builder *b, const char *value)
{
    const bool sign = value[0] == '-';
    return test_format(b, "(Object) %s%s%s", sign ? "(" : "", value, sign ? ")" : "");
}

const char *test_format(struct test_builder *b, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const char *out = format_list(b, format, list);
    va_end(list);
    if (out == NULL)
        test_memory(b);
    return out != NULL ? out : "";
}

void test_refuse(struct test_builder *b, const char *format, ...)
{
    va_list list;
    if (test_stopped(b))
        return;
    va_start(list, format);
    b->why = format_list(b, format, list);
    va_end(list);
    if (b->why == NULL)
        test_memory(b);
}

void test_doubt(struct test_builder *b, const char *format, ...)
{
    enum { DOUBTS_MAX = 20 };
    va_list list;
    va_start(list, format);
    const char *text = format_list(b, format, list);
    va_end(list);
    for (size_t i = 0; text != NULL && i < b->doubts.count; i++)
        if (strcmp(b->doubts.items[i], text) == 0)
            return;
    const char **to = text != NULL && b->doubts.count < DOUBTS_MAX ? vec_push(&b->doubts) : NULL;
    if (to != NULL)
        *to = text;
    else if (text == NULL)
        test_memory(b);
}

/* ---- objects and classes ---- */

const char *test_object_type(struct test_builder *b, uint64_t id)
{
    const struct hs_object *o = id <= UINT32_MAX ? hs_object_get(b->trace, (uint32_t)id) : NULL;
    return o != NULL && o->type != NULL ? test_format(b, "%s", o->type) : NULL;
}

const struct hs_class *test_woven(struct test_builder *b, const char *type)
{
    const struct hs_class *c = hs_class_find(b->trace, type, b->method->owner->loader_id);
    return c != NULL && c->state == HS_CLASS_WOVEN ? c : NULL;
}

static bool same_name(const void *wanted, const char *name) { return strcmp(wanted, name) == 0; }

bool test_extends(struct test_builder *b, const char *type, const char *above)
{
    bool unknown = false;
    return lineage_above(b->trace, lineage_of(b->trace, type, b->method->owner->loader_id), same_name, above,
                         &unknown) != NULL;
}

bool test_field_before(struct test_builder *b, uint64_t id, const char *declaring, const char *name,
                       struct hs_value *out)
{
    const struct test_object *o = map_get(&b->objects, id);
    for (size_t i = 0; o != NULL && i < o->list.count; i++) {
        const struct test_member *m = &b->members.items[o->list.items[i]];
        if (m->read && m->name != NULL && strcmp(m->name, name) == 0 && strcmp(m->declaring, declaring) == 0) {
            *out = m->before;
            return true;
        }
    }
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_object_state *st;
    const size_t n = strlen(declaring);
    if (hs_object_at(b->trace, (uint32_t)id, b->entry.seq, &st, &error) != 0)
        return false;
    for (size_t i = 0; i < st->field_count; i++) {
        const struct hs_member *m = st->fields[i];
        if (strncmp(m->name, declaring, n) == 0 && m->name[n] == '.' && strcmp(m->name + n + 1, name) == 0) {
            *out = (struct hs_value){ m->value, m->kind };
            return true;
        }
    }
    return false;
}
