/* made.c - how execution ends, the objects that executed code made, and what it wrote; see machine.h. */
#include <stdarg.h>
#include <stdio.h>

#include "formats/mutf8.h"
#include "reader/execute/machine.h"

/* ---- ends ---- */

static const char *format_why(struct machine *m, const char *format, va_list list)
{
    char text[400];
    const int n = vsnprintf(text, sizeof text, format, list);
    const size_t size = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    char *copy = arena_chars(&m->arena, size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static bool end(struct machine *m, enum outcome ended, const char *why)
{
    if (m->ended == OUTCOME_VALUE || m->ended == OUTCOME_THROWN) {
        m->ended = why != NULL ? ended : OUTCOME_NO_MEMORY;
        m->why = why;
    }
    return false;
}

bool end_not_known(struct machine *m, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const char *why = format_why(m, format, list);
    va_end(list);
    return end(m, OUTCOME_NOT_KNOWN, why);
}

bool end_limit(struct machine *m, const char *what) { return end(m, OUTCOME_LIMIT, what); }
bool end_memory(struct machine *m) { return end(m, OUTCOME_NO_MEMORY, ""); }

bool spend(struct machine *m, uint64_t steps)
{
    if (m->steps + steps > STEPS_MAX)
        return end_limit(m, "it runs for more than 10,000,000 instructions");
    m->steps += (uint32_t)steps;
    return true;
}

bool known(struct machine *m, struct jvalue v)
{
    return v.unknown ? end_not_known(m, "%s", m->reasons.items[v.bits]) : true;
}

bool throws_object(struct machine *m, struct jvalue exception)
{
    m->thrown = exception;
    return end(m, OUTCOME_THROWN, "");
}

bool throws(struct machine *m, const char *type, const char *format, ...)
{
    struct jvalue e, message = null_value();
    if (format != NULL) {
        va_list list;
        va_start(list, format);
        const char *text = format_why(m, format, list);
        va_end(list);
        if (text == NULL || !make_text(m, text, strlen(text), &message))
            return end_memory(m);
    }
    const struct jvalue parts[2] = { message, null_value() };
    return make_values(m, MADE_THROWN, type, parts, 2, 'L', &e) && throws_object(m, e);
}

bool throws_unsaid(struct machine *m, const char *type)
{
    struct jvalue e;
    const struct jvalue parts[2] = { unknown(m, 'A', "the message of an exception of the JDK"), null_value() };
    return make_values(m, MADE_THROWN, type, parts, 2, 'L', &e) && throws_object(m, e);
}

/* ---- values ---- */

char jvalue_kind(char letter)
{
    switch (letter) {
    case 'Z':
    case 'B':
    case 'C':
    case 'S': return 'I';
    case '[':
    case 'L': return 'A';
    default: return letter;
    }
}

struct jvalue int_value(int64_t v) { return (struct jvalue){ .kind = 'I', .bits = (uint64_t)v }; }
struct jvalue number_value(char kind, uint64_t bits) { return (struct jvalue){ .kind = kind, .bits = bits }; }
struct jvalue null_value(void) { return (struct jvalue){ .kind = 'A' }; }

struct jvalue unknown(struct machine *m, char kind, const char *why)
{
    const char **to = vec_push(&m->reasons);
    if (to == NULL)
        (void)end_memory(m);
    else
        *to = why;
    return (struct jvalue){ .kind = kind, .unknown = true, .bits = m->reasons.count - 1 };
}

const char *keep_text(struct machine *m, struct text t, bool dots)
{
    for (size_t i = 0; i < m->names.count; i++) {
        const char *name = m->names.items[i];
        size_t n = 0;
        while (n < t.size && name[n] != '\0' && name[n] == (dots && t.data[n] == '/' ? '.' : t.data[n]))
            n++;
        if (n == t.size && name[n] == '\0')
            return name;
    }
    char *copy = arena_chars(&m->arena, t.size + 1);
    const char **to = copy != NULL ? vec_push(&m->names) : NULL;
    if (to == NULL) {
        (void)end_memory(m);
        return NULL;
    }
    for (size_t i = 0; i < t.size; i++)
        copy[i] = dots && t.data[i] == '/' ? '.' : t.data[i];
    copy[t.size] = '\0';
    return *to = copy;
}

/* ---- objects ---- */

struct made *made_of(const struct machine *m, struct jvalue v)
{
    const uint64_t at = v.bits - MADE_FIRST;
    return v.kind == 'A' && !v.unknown && v.bits >= MADE_FIRST && at < m->made.count ? m->made.items[at] : NULL;
}

struct made *make(struct machine *m, enum made_is is, const char *type, struct jvalue *out)
{
    struct made *made = arena_get(&m->arena, sizeof *made);
    struct made **to = made != NULL ? vec_push(&m->made) : NULL;
    if (to == NULL) {
        (void)end_memory(m);
        return NULL;
    }
    if (m->arena.bytes > ARENA_MAX) {
        (void)end_limit(m, "it makes too many objects");
        return NULL;
    }
    *made = (struct made){ .is = is, .type = type };
    *to = made;
    *out = (struct jvalue){ .kind = 'A', .bits = MADE_FIRST + m->made.count - 1 };
    return made;
}

bool make_string(struct machine *m, const uint16_t *units, size_t count, struct jvalue *out)
{
    if (count > UNITS_MAX)
        return end_limit(m, "a string is too long");
    struct made *s = make(m, MADE_STRING, "java.lang.String", out);
    if (s == NULL)
        return false;
    s->units = arena_array(&m->arena, count + 1, sizeof *s->units);
    if (s->units == NULL)
        return end_memory(m);
    if (count > 0)
        memcpy(s->units, units, count * sizeof *units);
    s->count = (uint32_t)count;
    return true;
}

bool make_text(struct machine *m, const char *utf8, size_t size, struct jvalue *out)
{
    uint16_t *units = arena_array(&m->arena, size + 1, sizeof *units);
    size_t n = 0;
    if (units == NULL)
        return end_memory(m);
    for (size_t i = 0; i < size;) {
        uint32_t c = (uint8_t)utf8[i];
        size_t length = 1;
        if (c == 0xc0 && i + 1 < size && (uint8_t)utf8[i + 1] == 0x80) { /* NUL, as in class files */
            c = 0;
            length = 2;
        } else if (c >= 0x80) {
            length = utf8_char((const uint8_t *)utf8 + i, size - i, &c);
            if (length == 0) {
                c = 0xfffd;
                length = 1;
            }
        }
        i += length;
        if (c > 0xffff)
            units[n++] = (uint16_t)(0xd7c0 + (c >> 10));
        units[n++] = (uint16_t)(c > 0xffff ? 0xdc00 + (c & 0x3ff) : c);
    }
    return make_string(m, units, n, out);
}

bool make_values(struct machine *m, enum made_is is, const char *type, const struct jvalue *values, size_t count,
                 char element, struct jvalue *out)
{
    const bool fits = count <= UNITS_MAX && m->arena.bytes + count * sizeof *values <= ARENA_MAX;
    struct made *a = fits ? make(m, is, type, out) : NULL;
    if (!fits)
        return end_limit(m, "its arrays are too long");
    if (a == NULL)
        return false;
    a->values = arena_array(&m->arena, count + 1, sizeof *a->values);
    if (a->values == NULL)
        return end_memory(m);
    for (size_t i = 0; i < count; i++)
        a->values[i] = values != NULL ? values[i] : (struct jvalue){ .kind = jvalue_kind(element) };
    a->count = a->cap = (uint32_t)count;
    a->element = element;
    return true;
}

/* `types`: of the array, then of what is in it, one behind the other. */
static bool make_nested(struct machine *m, const char *const *types, const int32_t *lengths, unsigned dimensions,
                        struct jvalue *out)
{
    const char letter = type_letter((struct text){ types[1], strlen(types[1]) });
    if (!spend(m, CALL_STEPS) || !make_values(m, MADE_ARRAY, types[0], NULL, (size_t)lengths[0], letter, out))
        return false;
    const struct made *a = made_of(m, *out);
    for (uint32_t i = 0; dimensions > 1 && i < a->count; i++)
        if (!make_nested(m, types + 1, lengths + 1, dimensions - 1, &a->values[i]))
            return false;
    return true;
}

bool make_arrays(struct machine *m, const char *type, const int32_t *lengths, unsigned dimensions, struct jvalue *out)
{
    enum { DIMENSIONS_MAX = 255 };
    const char *types[DIMENSIONS_MAX + 1] = { type };
    const size_t size = strlen(type);
    if (dimensions > DIMENSIONS_MAX || 2 * (size_t)dimensions >= size)
        return end_not_known(m, "an array of fewer dimensions than lengths");
    for (unsigned i = 0; i < dimensions; i++) {
        types[i + 1] = keep_text(m, (struct text){ type, size - 2 * (i + 1) }, false);
        if (types[i + 1] == NULL)
            return false;
        if (lengths[i] < 0)
            return throws(m, "java.lang.NegativeArraySizeException", "%d", (int)lengths[i]);
        if (lengths[i] > UNITS_MAX) /* the JVM makes it before it sees the next length */
            return end_limit(m, "its arrays are too long");
    }
    return make_nested(m, types, lengths, dimensions, out);
}

bool make_box(struct machine *m, char kind, uint64_t bits, struct jvalue *out)
{
    const struct jvalue value = number_value(jvalue_kind(kind), bits);
    const struct primitive *p = primitive_of_letter(kind);
    if (p == NULL)
        return end_not_known(m, "a value of kind %c has no box", kind);
    if (!make_values(m, MADE_BOX, p->box, &value, 1, kind, out))
        return false;
    made_of(m, *out)->shared = true;
    return true;
}

/* ---- members ---- */

static uint64_t key_of(uint64_t object, const void *member, uint64_t index)
{
    uint64_t h = object * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(uintptr_t)member;
    h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + index;
    h = (h ^ h >> 32) * UINT64_C(0x94d049bb133111eb);
    return h != 0 ? h : 1;
}

/* The place of a written member; NULL: it was not written, or with `add` memory is out. */
static struct written *place(struct machine *m, uint64_t object, const void *member, uint64_t index, bool add)
{
    for (uint64_t key = key_of(object, member, index);; key = key + 1 != 0 ? key + 1 : 1) {
        struct written *w = map_get(&m->written, key);
        if (w == NULL) {
            if (add && m->written.count >= WRITTEN_MAX)
                (void)end_limit(m, "it writes too many fields and elements");
            w = add && m->ended == OUTCOME_VALUE ? map_put(&m->written, key) : NULL;
            if (w == NULL)
                return NULL;
            w->object = object;
            w->member = member;
            w->index = index;
            return w;
        }
        if (w->object == object && w->member == member && w->index == index)
            return w;
    }
}

void forget_written(struct machine *m)
{
    for (size_t i = 0; i < m->written.cap; i++)
        if (m->written.slots[i].object < MADE_FIRST)
            m->written.slots[i].value.kind = 0;
}

bool begins_initializer(struct machine *m, const struct hs_method *initializer)
{
    struct written *w = place(m, 0, initializer, 0, true);
    if (w == NULL)
        return end_memory(m);
    const bool first = w->value.kind == 0;
    w->value.kind = 'V';
    return first;
}

bool written_member(struct machine *m, struct jvalue object, const struct field_site *s, struct jvalue *out)
{
    const struct written *w = place(m, object.bits, s->member, 0, false);
    if (w == NULL || w->value.kind == 0)
        return false;
    *out = w->value;
    return true;
}

void made_from(struct machine *m, struct jvalue view, struct jvalue source)
{
    struct made *made = made_of(m, view);
    made->source = made_of(m, source);
    made->source_changes = made->source != NULL ? made->source->changes : 0;
}

bool get_member(struct machine *m, struct jvalue object, const struct field_site *s, struct jvalue *out)
{
    const char *why = NULL;
    if (written_member(m, object, s, out))
        return true;
    const char kind = jvalue_kind(s->letter);
    if (object.bits >= MADE_FIRST) {
        *out = (struct jvalue){ .kind = kind };
        return true;
    }
    const bool known = object.bits == 0 ? m->heap.static_field(m->heap.context, &s->field, out, &why)
                                        : m->heap.field(m->heap.context, (uint32_t)object.bits, &s->field, out, &why);
    if (!known)
        *out = unknown(m, kind, why);
    else
        out->kind = kind;
    return m->ended == OUTCOME_VALUE;
}

bool put_member(struct machine *m, struct jvalue object, const struct field_site *s, struct jvalue v)
{
    struct written *w = place(m, object.bits, s->member, 0, true);
    if (w == NULL)
        return end_memory(m);
    w->value = v;
    return true;
}

bool array_count(struct machine *m, struct jvalue array, struct jvalue *out)
{
    const char *why = NULL;
    const struct made *made = made_of(m, array);
    uint64_t length;
    if (made != NULL && made->is != MADE_ARRAY)
        return end_not_known(m, "code that uses a %s as an array", made->type);
    if (made != NULL)
        *out = int_value(made->count);
    else if (m->heap.length(m->heap.context, (uint32_t)array.bits, &length, &why))
        *out = int_value((int64_t)length);
    else
        *out = unknown(m, 'I', why);
    return m->ended == OUTCOME_VALUE;
}

/* Throws what an access of that array would. An index that is not negative passes if the length is not known. */
static bool check_index(struct machine *m, struct jvalue array, struct jvalue index)
{
    struct jvalue length;
    if (!known(m, index))
        return false;
    if (!array_count(m, array, &length))
        return false;
    const int64_t at = (int32_t)index.bits;
    if (at < 0 && length.unknown)
        return known(m, length);
    if (!length.unknown && (at < 0 || (uint64_t)at >= length.bits))
        return throws(m, "java.lang.ArrayIndexOutOfBoundsException", "Index %d out of bounds for length %d", (int)at,
                      (int)length.bits);
    return true;
}

bool get_element(struct machine *m, struct jvalue array, struct jvalue index, char kind, struct jvalue *out)
{
    const char *why = NULL;
    if (!check_index(m, array, index))
        return false;
    const struct made *made = made_of(m, array);
    const struct written *w = made == NULL ? place(m, array.bits, NULL, index.bits, false) : NULL;
    if (made != NULL)
        *out = made->values[index.bits];
    else if (w != NULL && w->value.kind != 0)
        *out = w->value;
    else if (!m->heap.element(m->heap.context, (uint32_t)array.bits, index.bits, out, &why))
        *out = unknown(m, kind, why);
    out->kind = kind;
    return m->ended == OUTCOME_VALUE;
}

bool put_element(struct machine *m, struct jvalue array, struct jvalue index, struct jvalue v)
{
    if (!check_index(m, array, index))
        return false;
    struct made *made = made_of(m, array);
    if (made != NULL) {
        made->values[index.bits] = v;
        made->changes++;
        return true;
    }
    struct written *w = place(m, array.bits, NULL, index.bits, true);
    if (w == NULL)
        return end_memory(m);
    w->value = v;
    return true;
}
