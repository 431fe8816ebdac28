/* hprof.c - writes the format hprof (hprof.h): JAVA PROFILE 1.0.2, identifiers of 4 bytes, big-endian.
 *
 *     header | STRING ... | STACK TRACE | LOAD CLASS ... | segment(CLASS DUMP) ... | segment(object) ... | roots | END
 *     record:  | tag 1 | time 4 | length 4 | ...
 *
 * An object has its id of the trace. The byte arrays that hold the contents of strings, which are fields `value` and
 * `coder` as in the JDK from version 9 on, and classes whose class object is not in the trace get the ids behind. An
 * array is written with at most ELEMENTS_MOST elements. */
#include "reader/export/hprof.h"
#include "formats/jvm/primitive.h"

#include <stdlib.h>
#include <string.h>

#include "formats/bytes.h"
#include "formats/search.h"

enum tag { TAG_STRING = 1, TAG_LOAD_CLASS = 2, TAG_STACK_TRACE = 5, TAG_SEGMENT = 0x1c, TAG_END = 0x2c };
enum sub_tag {
    ROOT_STICKY_CLASS = 5,
    ROOT_THREAD = 8,
    CLASS_DUMP = 0x20,
    INSTANCE_DUMP = 0x21,
    OBJECT_ARRAY = 0x22,
    PRIMITIVE_ARRAY = 0x23
};
enum { ID_BYTES = 4, STACK_SERIAL = 1, ELEMENTS_MOST = 1 << 26, STRING_FIELDS = 2, STRING_FIELDS_BYTES = 5 };
#define FIRST_TEXT 1

struct dump {
    struct export_job *job;
    struct hprof_classes classes;
    struct heap heap;
    const struct hprof_class *string;
    uint64_t next_id; /* above those of objects */
};

/* ---- bytes ---- */

static void u1(struct dump *d, unsigned v) { out_char(d->job->out, (char)v); }
static void big_endian(struct dump *d, uint64_t v, unsigned bytes)
{
    while (bytes-- > 0)
        u1(d, (unsigned)(v >> 8 * bytes) & 0xff);
}
static void u2(struct dump *d, size_t v) { big_endian(d, v, 2); }
static void u4(struct dump *d, uint64_t v) { big_endian(d, v, 4); }
static void id(struct dump *d, uint64_t v) { big_endian(d, v, ID_BYTES); }

static void record(struct dump *d, enum tag tag, uint64_t length)
{
    u1(d, tag);
    u4(d, 0);
    u4(d, length);
}

static const struct {
    char kind;
    unsigned char type, bytes;
} kinds[] = { { 'L', 2, 4 }, { 'Z', 4, 1 }, { 'C', 5, 2 },  { 'F', 6, 4 }, { 'D', 7, 8 },
              { 'B', 8, 1 }, { 'S', 9, 2 }, { 'I', 10, 4 }, { 'J', 11, 8 } };
static size_t kind_at(char kind)
{
    size_t i = 0;
    while (i + 1 < sizeof kinds / sizeof *kinds && kinds[i].kind != kind)
        i++;
    return i;
}
static unsigned type_of(char kind) { return kinds[kind_at(kind)].type; }
static unsigned bytes_of(char kind) { return kinds[kind_at(kind)].bytes; }
static void value(struct dump *d, char kind, uint64_t v) { big_endian(d, kind == 'Z' ? v != 0 : v, bytes_of(kind)); }

static uint64_t make_id(struct dump *d)
{
    if (d->next_id > UINT32_MAX)
        (void)export_fail(d->job, "more than %u objects", UINT32_MAX);
    return d->next_id++;
}

/* ---- names ---- */

static uint64_t class_text(const struct dump *d, const struct hprof_class *c)
{
    return FIRST_TEXT + (uint64_t)(c - d->classes.classes.items);
}
static uint64_t field_text(const struct dump *d, size_t field) { return FIRST_TEXT + d->classes.classes.count + field; }
static uint64_t string_text(const struct dump *d, size_t field) /* 0 value, 1 coder */
{
    return field_text(d, d->classes.fields.count + field);
}

static void put_text(struct dump *d, uint64_t text, const char *s, size_t n)
{
    record(d, TAG_STRING, ID_BYTES + n);
    id(d, text);
    out_bytes(d->job->out, s, n);
}

/* [[I of int[][], a/b/C of a.b.C */
static bool put_class_name(struct dump *d, const struct hprof_class *c)
{
    struct writer w = { 0 };
    size_t n = strlen(c->name), dimensions = 0;
    for (; n > 2 && memcmp(c->name + n - 2, "[]", 2) == 0; n -= 2)
        dimensions++;
    for (size_t i = 0; i < dimensions; i++)
        write_u1(&w, '[');
    char element[16] = "";
    if (n < sizeof element)
        memcpy(element, c->name, n);
    const char kind = dimensions > 0 ? primitive_letter(element) : HS_KIND_REF;
    if (dimensions > 0)
        write_u1(&w, (unsigned char)kind);
    for (size_t i = 0; i < n && kind == HS_KIND_REF; i++)
        write_u1(&w, c->name[i] == '.' ? '/' : (unsigned char)c->name[i]);
    if (dimensions > 0 && kind == HS_KIND_REF)
        write_u1(&w, ';');
    if (!w.bad)
        put_text(d, class_text(d, c), (const char *)w.data, w.size);
    const bool bad = w.bad;
    writer_free(&w);
    return !bad || export_fail(d->job, "out of memory");
}

static bool put_names(struct dump *d)
{
    for (size_t i = 0; i < d->classes.classes.count; i++)
        if (!put_class_name(d, &d->classes.classes.items[i]))
            return false;
    for (size_t i = 0; i < d->classes.fields.count; i++)
        put_text(d, field_text(d, i), d->classes.fields.items[i].name, strlen(d->classes.fields.items[i].name));
    put_text(d, string_text(d, 0), "value", 5);
    put_text(d, string_text(d, 1), "coder", 5);
    record(d, TAG_STACK_TRACE, 12);
    u4(d, STACK_SERIAL);
    u4(d, 0);
    u4(d, 0);
    for (size_t i = 0; i < d->classes.classes.count; i++) {
        record(d, TAG_LOAD_CLASS, 4 + ID_BYTES + 4 + ID_BYTES);
        u4(d, i + 1);
        id(d, d->classes.classes.items[i].id);
        u4(d, STACK_SERIAL);
        id(d, class_text(d, &d->classes.classes.items[i]));
    }
    return export_ok(d->job);
}

/* ---- values ---- */

/* A run of a part: what is known of one object, or of several. */
struct known {
    const struct hprof_value *items;
    size_t count;
};

static const struct hprof_value *find(struct known k, uint64_t object, uint64_t part)
{
    const uint64_t key = object << 32 | part;
    size_t at = 0;
    LOWER_BOUND(at, k.count, k.items[at].key < key);
    return at < k.count && k.items[at].key == key ? &k.items[at] : NULL;
}

static struct known known_with(const struct heap *h, uint64_t object)
{
    const hprof_part *part = hprof_part_of(h, object);
    return part != NULL ? (struct known){ part->slots, part->count } : (struct known){ 0 };
}

static const struct hprof_class *super_of(const struct dump *d, const struct hprof_class *c)
{
    return c->super != NULL ? hprof_class_find(&d->classes, c->super) : NULL;
}

/* The fields of String are its content alone. */
static size_t field_count(const struct dump *d, const struct hprof_class *c, bool is_static)
{
    size_t count = 0;
    for (size_t i = c->field; i < c->field + c->field_count; i++)
        count += d->classes.fields.items[i].is_static == is_static;
    return c == d->string ? (is_static ? 0 : STRING_FIELDS) : count;
}

static uint64_t own_bytes(const struct dump *d, const struct hprof_class *c)
{
    uint64_t bytes = 0;
    if (c == d->string)
        return STRING_FIELDS_BYTES;
    for (size_t i = c->field; i < c->field + c->field_count; i++)
        bytes += d->classes.fields.items[i].is_static ? 0 : bytes_of(d->classes.fields.items[i].kind);
    return bytes;
}

static uint64_t instance_bytes(const struct dump *d, const struct hprof_class *c)
{
    uint64_t bytes = 0;
    for (; c != NULL; c = super_of(d, c))
        bytes += own_bytes(d, c);
    return bytes;
}

/* ---- classes ---- */

static void put_static(struct dump *d, size_t field)
{
    const struct hprof_field *f = &d->classes.fields.items[field];
    const struct hprof_value *v = find(known_with(&d->heap, 0), 0, (uint64_t)field + 1);
    id(d, field_text(d, field));
    u1(d, type_of(f->kind));
    value(d, f->kind, v != NULL ? v->value : 0);
}

static void put_class(struct dump *d, const struct hprof_class *c)
{
    const struct hprof_class *super = super_of(d, c);
    const size_t statics = field_count(d, c, true), own = field_count(d, c, false);
    uint64_t length = 1 + 7 * ID_BYTES + 4 + 4 + 2 + 2 + 2 + own * (ID_BYTES + 1);
    for (size_t i = c->field; i < c->field + c->field_count && statics > 0; i++)
        if (d->classes.fields.items[i].is_static)
            length += ID_BYTES + 1 + bytes_of(d->classes.fields.items[i].kind);
    record(d, TAG_SEGMENT, length);
    u1(d, CLASS_DUMP);
    id(d, c->id);
    u4(d, STACK_SERIAL);
    id(d, super != NULL ? super->id : 0);
    for (int i = 0; i < 5; i++) /* loader, signers, protection domain, two that are reserved */
        id(d, 0);
    u4(d, instance_bytes(d, c));
    u2(d, 0); /* constant pool */
    u2(d, statics);
    for (size_t i = c->field; i < c->field + c->field_count && statics > 0; i++)
        if (d->classes.fields.items[i].is_static)
            put_static(d, i);
    u2(d, own);
    if (c == d->string) {
        id(d, string_text(d, 0));
        u1(d, type_of('L'));
        id(d, string_text(d, 1));
        u1(d, type_of('B'));
        return;
    }
    for (size_t i = c->field; i < c->field + c->field_count; i++)
        if (!d->classes.fields.items[i].is_static) {
            id(d, field_text(d, i));
            u1(d, type_of(d->classes.fields.items[i].kind));
        }
}

/* ---- objects ---- */

static void put_bytes(struct dump *d, uint64_t array, const void *data, size_t n)
{
    record(d, TAG_SEGMENT, 1 + ID_BYTES + 4 + 4 + 1 + n);
    u1(d, PRIMITIVE_ARRAY);
    id(d, array);
    u4(d, STACK_SERIAL);
    u4(d, n);
    u1(d, type_of('B'));
    out_bytes(d->job->out, data, n);
}

static void put_instance(struct dump *d, const struct hs_object *o, const struct hprof_class *class, struct known k)
{
    const uint64_t content = o->has_string && class == d->string ? make_id(d) : 0;
    const uint64_t bytes = instance_bytes(d, class);
    if (content != 0)
        put_bytes(d, content, o->data, o->data_bytes);
    record(d, TAG_SEGMENT, 1 + ID_BYTES + 4 + ID_BYTES + 4 + bytes);
    u1(d, INSTANCE_DUMP);
    id(d, o->id);
    u4(d, STACK_SERIAL);
    id(d, class->id);
    u4(d, bytes);
    for (const struct hprof_class *c = class; c != NULL; c = super_of(d, c)) {
        if (c == d->string) {
            id(d, content);
            u1(d, content != 0 && !o->latin1);
            continue;
        }
        for (size_t i = c->field; i < c->field + c->field_count; i++) {
            const struct hprof_value *v = find(k, o->id, i + 1);
            if (!d->classes.fields.items[i].is_static)
                value(d, d->classes.fields.items[i].kind, v != NULL ? v->value : 0);
        }
    }
}

/* Its length, which the events of the array itself may not show; where none do, what its known elements reach to. */
static uint64_t array_length(struct dump *d, const struct hs_object *o, struct known k)
{
    const struct hprof_value *length = find(k, o->id, HEAP_LENGTH);
    uint64_t n = length != NULL ? length->value : 0;
    const bool known = length != NULL || hs_array_length(d->job->trace, o->id, &n, NULL) > 0;
    for (size_t i = k.count; i > 0 && !known; i--)
        if ((uint32_t)k.items[i - 1].key < HEAP_LENGTH) {
            n = (uint64_t)(uint32_t)k.items[i - 1].key + 1;
            break;
        }
    return n < ELEMENTS_MOST ? n : ELEMENTS_MOST;
}

static void put_array(struct dump *d, const struct hs_object *o, const struct hprof_class *class, char kind,
                      struct known k)
{
    const uint64_t n = array_length(d, o, k);
    const bool objects = kind == HS_KIND_REF;
    size_t next = 0;
    record(d, TAG_SEGMENT, 1 + ID_BYTES + 4 + 4 + (objects ? (uint64_t)ID_BYTES : 1) + n * bytes_of(kind));
    u1(d, objects ? OBJECT_ARRAY : PRIMITIVE_ARRAY);
    id(d, o->id);
    u4(d, STACK_SERIAL);
    u4(d, n);
    if (objects)
        id(d, class->id);
    else
        u1(d, type_of(kind));
    for (uint64_t i = 0; i < n; i++) {
        const bool known = next < k.count && (uint32_t)k.items[next].key == i;
        value(d, kind, known ? k.items[next].value : 0);
        next += known;
    }
}

static void put_object(struct dump *d, uint64_t object, struct known k)
{
    const struct hs_object *o = object != 0 ? hs_object_get(d->job->trace, (uint32_t)object) : NULL;
    char kind;
    if (o == NULL || hs_type_get(d->job->trace, o->id) != NULL) /* class objects are class dumps */
        return;
    const struct hprof_class *class = hprof_class_of(&d->classes, o->class_id);
    if (hprof_element(class->name, &kind))
        put_array(d, o, class, kind, k);
    else
        put_instance(d, o, class, k);
}

static bool put_objects(struct dump *d)
{
    for (size_t p = 0; p < d->heap.parts.count; p++) {
        const struct hprof_value *all = d->heap.parts.items[p].slots;
        const size_t count = d->heap.parts.items[p].count;
        for (size_t first = 0, end; first < count && export_ok(d->job); first = end) {
            for (end = first; end < count && all[end].key >> 32 == all[first].key >> 32;)
                end++;
            put_object(d, all[first].key >> 32, (struct known){ all + first, end - first });
        }
    }
    return export_ok(d->job);
}

static bool put_roots(struct dump *d)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_thread *t;
    hs_cursor *threads;
    int more;
    for (size_t i = 0; i < d->classes.classes.count; i++) {
        record(d, TAG_SEGMENT, 1 + ID_BYTES);
        u1(d, ROOT_STICKY_CLASS);
        id(d, d->classes.classes.items[i].id);
    }
    if (hs_threads_open(d->job->trace, &threads, &error) != 0)
        return export_failed(d->job, &error);
    while ((more = hs_thread_next(threads, &t, &error)) > 0) {
        if (t->object_id == 0 || t->object_id > UINT32_MAX ||
            find(known_with(&d->heap, t->object_id), t->object_id, HEAP_SEEN) == NULL)
            continue;
        record(d, TAG_SEGMENT, 1 + ID_BYTES + 4 + 4);
        u1(d, ROOT_THREAD);
        id(d, t->object_id);
        u4(d, (uint64_t)t->thread + 1);
        u4(d, STACK_SERIAL);
    }
    hs_cursor_close(threads);
    return more < 0 ? export_failed(d->job, &error) : export_ok(d->job);
}

/* The ids of what is not in the trace begin behind those of its objects. */
static void make_class_ids(struct dump *d)
{
    uint64_t last = 0;
    for (size_t p = d->heap.parts.count; p > 0 && last == 0; p--) {
        const hprof_part *part = &d->heap.parts.items[p - 1];
        last = part->count > 0 ? part->slots[part->count - 1].key >> 32 : 0;
    }
    for (size_t i = 0; i < d->classes.classes.count; i++)
        if (d->classes.classes.items[i].id != HPROF_NO_ID && d->classes.classes.items[i].id > last)
            last = d->classes.classes.items[i].id;
    d->next_id = last + 1;
    for (size_t i = 0; i < d->classes.classes.count; i++)
        if (d->classes.classes.items[i].id == HPROF_NO_ID)
            d->classes.classes.items[i].id = make_id(d);
}

static bool put_dump(struct dump *d)
{
    static const char version[] = "JAVA PROFILE 1.0.2";
    const char *started = hs_info(d->job->trace, "started");
    out_bytes(d->job->out, version, sizeof version);
    u4(d, ID_BYTES);
    big_endian(d, started != NULL ? strtoull(started, NULL, 10) / 1000000 : 0, 8);
    d->string = hprof_class_find(&d->classes, "java.lang.String");
    make_class_ids(d);
    if (!put_names(d))
        return false;
    for (size_t i = 0; i < d->classes.classes.count && export_ok(d->job); i++)
        put_class(d, &d->classes.classes.items[i]);
    if (!put_objects(d) || !put_roots(d))
        return false;
    record(d, TAG_END, 0);
    return export_ok(d->job);
}

bool export_hprof(struct export_job *x)
{
    struct dump d = { .job = x };
    if (!export_has_stream(x))
        return false;
    if (!x->filter->all || x->limit != UINT64_MAX)
        return export_wrong(x, "hprof is the heap at a moment, --at SEQ; it takes no filter");
    bool done = hprof_classes_load(&d.classes, x) && hprof_read(&d.heap, &d.classes, x->options.at) && put_dump(&d);
    hprof_done(&d.heap);
    hprof_classes_done(&d.classes);
    return done;
}
