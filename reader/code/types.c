/* types.c - see types.h. Signatures are read where a type is asked for; answers are kept by a text of the question. */
#include "reader/code/types.h"

#include <stdlib.h>

#include "formats/jvm/primitive.h"
#include "formats/map.h"
#include "formats/mutf8.h"

enum { VARIABLES_MAX = 32, NESTED_MAX = 24, SUPERS_MAX = 64, TYPE_MAX = 2000 };
static const char wildcard[] = "?", object_type[] = "java.lang.Object";

/* ---- texts that are kept ---- */

struct kept_type {
    uint64_t key;
    const char *text;
    const char *answer; /* of a question */
};
struct types {
    MAP(struct kept_type) map;
};

static void types_free(void *what)
{
    struct types *x = what;
    map_free(&x->map);
    free(x);
}

/* NULL: out of memory. The entry moves with the next one. */
static struct kept_type *kept(hs_trace *t, struct text s)
{
    struct types *x = trace_attached(t, ATTACHED_TYPES);
    if (x == NULL) {
        if ((x = calloc(1, sizeof *x)) == NULL)
            return trace_no_memory(t), NULL;
        trace_attach(t, ATTACHED_TYPES, x, types_free);
    }
    uint64_t key = map_hash(s.data, s.size);
    struct kept_type *k;
    for (; (k = map_get(&x->map, key)) != NULL; key = map_next_hash(key))
        if (strlen(k->text) == s.size && (s.size == 0 || memcmp(k->text, s.data, s.size) == 0))
            return k;
    const char *copy = trace_text(t, s, false);
    if (copy == NULL || (k = map_put(&x->map, key)) == NULL)
        return trace_no_memory(t), NULL;
    k->text = copy;
    return k;
}

const char *type_kept(hs_trace *t, struct text type)
{
    const struct kept_type *k = kept(t, type);
    return k != NULL ? k->text : NULL;
}

static const char *kept_chars(hs_trace *t, const char *type)
{
    return type_kept(t, (struct text){ type, strlen(type) });
}

static const char *kept_writer(hs_trace *t, struct writer *w)
{
    const bool fits = !w->bad && w->size > 0 && w->size <= TYPE_MAX;
    if (w->bad)
        trace_no_memory(t);
    const char *type = w->bad ? NULL
                              : type_kept(t, fits ? (struct text){ (const char *)w->data, w->size }
                                                  : (struct text){ TYPE_UNSURE, strlen(TYPE_UNSURE) });
    writer_free(w);
    return type;
}

static void put(struct writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

/* ---- signatures ---- */

/* What type variables stand for. */
struct variable_type {
    struct text name;
    struct text bound; /* its signature; empty: of a variable that has none */
    const char *type;  /* NULL: its bound */
    bool busy;         /* its bound is being read */
};
struct scope {
    hs_trace *trace;
    size_t count;
    struct variable_type variables[VARIABLES_MAX];
};

static bool take(struct text *s, char c)
{
    if (s->size == 0 || s->data[0] != c)
        return false;
    s->data++;
    s->size--;
    return true;
}

static struct text take_until(struct text *s, const char *ends)
{
    size_t n = 0;
    while (n < s->size && strchr(ends, s->data[n]) == NULL)
        n++;
    const struct text part = { s->data, n };
    s->data += n;
    s->size -= n;
    return part;
}

static bool put_type(struct scope *x, struct text *s, struct writer *w, unsigned depth);

static bool put_bound(struct scope *x, struct variable_type *v, struct writer *w, unsigned depth)
{
    struct text bound = v->bound;
    if (bound.size == 0 || v->busy) {
        put(w, v->busy ? wildcard : object_type);
        return true;
    }
    v->busy = true;
    const bool good = put_type(x, &bound, w, depth + 1);
    v->busy = false;
    return good;
}

static bool put_variable(struct scope *x, struct text name, struct writer *w, unsigned depth)
{
    for (size_t i = x->count; i-- > 0;) {
        struct variable_type *v = &x->variables[i];
        if (!text_equal(v->name, name))
            continue;
        if (v->type == NULL || strcmp(v->type, wildcard) == 0)
            return put_bound(x, v, w, depth);
        put(w, v->type);
        return true;
    }
    put(w, TYPE_UNSURE);
    return true;
}

static bool put_arguments(struct scope *x, struct text *s, struct writer *w, unsigned depth)
{
    struct writer none = { 0 };
    write_u1(w, '<');
    for (bool first = true; s->size > 0 && s->data[0] != '>'; first = false) {
        if (!first)
            write_u1(w, ',');
        if (take(s, '*')) {
            put(w, wildcard);
        } else if (take(s, '-')) {
            put(w, wildcard);
            const bool good = put_type(x, s, &none, depth + 1);
            writer_free(&none);
            if (!good)
                return false;
        } else {
            (void)take(s, '+');
            if (!put_type(x, s, w, depth + 1))
                return false;
        }
    }
    write_u1(w, '>');
    return take(s, '>');
}

static bool put_class(struct scope *x, struct text *s, struct writer *w, unsigned depth)
{
    for (;;) {
        const struct text name = take_until(s, "<;.");
        for (size_t i = 0; i < name.size; i++)
            write_u1(w, name.data[i] == '/' ? '.' : (uint8_t)name.data[i]);
        const size_t plain = w->size;
        if (s->size > 0 && take(s, '<') && !put_arguments(x, s, w, depth))
            return false;
        if (!take(s, '.'))
            return take(s, ';');
        if (!w->bad && w->size > plain) /* arguments of a class around it */
            w->size = plain;
        write_u1(w, '$');
    }
}

/* Appends the type at the start of `s`, and takes it from there. False: it is malformed. */
static bool put_type(struct scope *x, struct text *s, struct writer *w, unsigned depth)
{
    if (depth > NESTED_MAX || s->size == 0 || w->size > TYPE_MAX)
        return false;
    if (take(s, '[')) {
        const bool good = put_type(x, s, w, depth + 1);
        put(w, "[]");
        return good;
    }
    if (take(s, 'T')) {
        const struct text name = take_until(s, ";");
        return take(s, ';') && put_variable(x, name, w, depth);
    }
    if (take(s, 'L'))
        return put_class(x, s, w, depth);
    const size_t n = descriptor_to_source(s->data, 1, w);
    s->data += n;
    s->size -= n;
    return n == 1;
}

/* "<T:La/Bound;U::La/Iface;>": the variables, which stand for their bounds. */
static bool take_formals(struct scope *x, struct text *s)
{
    struct writer none = { 0 };
    bool good = true;
    if (!take(s, '<'))
        return true;
    while (good && !take(s, '>')) {
        struct variable_type v = { .name = take_until(s, ":") };
        good = s->size > 0 && v.name.size > 0;
        while (good && take(s, ':')) {
            if (s->size > 0 && s->data[0] == ':')
                continue;
            const struct text from = *s;
            good = put_type(x, s, &none, 0);
            if (good && v.bound.size == 0)
                v.bound = (struct text){ from.data, from.size - s->size };
        }
        if (good && (good = x->count < VARIABLES_MAX))
            x->variables[x->count++] = v;
    }
    writer_free(&none);
    return good;
}

/* ---- arguments of a type ---- */

/* The next argument behind `at` ("<" or ","); an empty one: there is none. */
static struct text next_argument(const char **at)
{
    const char *p = *at;
    unsigned depth = 0;
    if (*p != '<' && *p != ',')
        return (struct text){ p, 0 };
    const char *from = ++p;
    for (; *p != '\0' && (depth > 0 || (*p != ',' && *p != '>')); p++)
        depth += *p == '<' ? 1u : *p == '>' ? -1u : 0u;
    *at = p;
    return (struct text){ from, (size_t)(p - from) };
}

const char *type_erased(hs_trace *t, const char *type)
{
    const char *open = strchr(type, '<'), *close = strrchr(type, '>');
    if (open == NULL || close == NULL)
        return kept_chars(t, type);
    struct writer w = { 0 };
    write_bytes(&w, type, (size_t)(open - type));
    put(&w, close + 1);
    return kept_writer(t, &w);
}

const char *type_of_element(hs_trace *t, const char *array)
{
    const size_t size = strlen(array);
    return size > 2 && strcmp(array + size - 2, "[]") == 0 ? type_kept(t, (struct text){ array, size - 2 })
                                                           : kept_chars(t, TYPE_UNSURE);
}

/* ---- members of class files ---- */

/* The signature among so many attributes, else the descriptor; in UTF-8. */
static struct text signature_of(hs_trace *t, const struct classfile *cf, uint32_t first, uint32_t count,
                                struct text desc)
{
    const struct attribute *a = classfile_attribute(cf, first, count, "Signature");
    struct text s = desc;
    struct writer w = { 0 };
    if (a != NULL && a->length == 2 && !cpool_utf8(&cf->cp, be2(a->data), &s))
        s = desc;
    (void)mutf8_to_utf8(s.data, s.size, &w);
    const char *utf8 = w.bad ? NULL : type_kept(t, (struct text){ (const char *)w.data, w.size });
    writer_free(&w);
    return utf8 != NULL ? (struct text){ utf8, strlen(utf8) } : (struct text){ "", 0 };
}

static const struct classfile *file_of(hs_trace *t, const struct lineage *c)
{
    return c != NULL && c->woven && c->row != NULL ? class_file(t, c->row, NULL) : NULL;
}

/* The variables of a class, and behind them its supertypes. With a type of it: what its arguments are. */
static bool class_scope(struct scope *x, const struct classfile *cf, const char *type, struct text *supers)
{
    *supers = signature_of(x->trace, cf, cf->first_attribute, cf->attribute_count, (struct text){ "", 0 });
    const size_t first = x->count;
    if (!take_formals(x, supers))
        return false;
    const char *at = type != NULL ? strchr(type, '<') : NULL;
    for (size_t i = first; at != NULL && i < x->count; i++) {
        const struct text argument = next_argument(&at);
        x->variables[i].type = argument.size > 0 ? type_kept(x->trace, argument) : NULL;
    }
    return true;
}

/* ---- supertypes ---- */

typedef bool wanted_fn(hs_trace *t, const char *name, const struct lineage *c, const void *wanted);

/* The type, or that among its supertypes whose class is wanted; NULL: there is none that is known. */
static const char *supertype(hs_trace *t, const char *type, uint64_t loader, wanted_fn *is_wanted, const void *wanted,
                             unsigned *budget)
{
    if (type == NULL || type_unsure(type) || *budget == 0)
        return NULL;
    --*budget;
    const char *name = type_erased(t, type), *found = NULL;
    const struct lineage *c = name != NULL ? lineage_of(t, name, loader) : NULL;
    if (name == NULL || is_wanted(t, name, c, wanted))
        return type;
    const struct classfile *cf = file_of(t, c);
    struct scope x = { .trace = t };
    struct text supers = { "", 0 };
    if (c == NULL || !c->known)
        return NULL;
    if (cf != NULL && !class_scope(&x, cf, type, &supers))
        return NULL;
    if (supers.size > 0) {
        while (supers.size > 0 && found == NULL) {
            struct writer w = { 0 };
            if (!put_type(&x, &supers, &w, 0))
                return writer_free(&w), NULL;
            found = supertype(t, kept_writer(t, &w), c->loader, is_wanted, wanted, budget);
        }
        return found;
    }
    const char *super = lineage_super_name(c);
    if (super != NULL)
        found = supertype(t, kept_chars(t, super), c->loader, is_wanted, wanted, budget);
    for (size_t i = 0; i < c->interface_count && found == NULL; i++)
        found = supertype(t, kept_chars(t, c->interfaces[i]), c->loader, is_wanted, wanted, budget);
    return found;
}

static bool is_called(hs_trace *t, const char *name, const struct lineage *c, const void *wanted)
{
    (void)t;
    (void)c;
    return strcmp(name, wanted) == 0;
}

/* A class of the JDK, or another without class file, that may be a collection. */
static bool is_outside(hs_trace *t, const char *name, const struct lineage *c, const void *wanted)
{
    (void)t;
    (void)wanted;
    return (c == NULL || !c->woven) && strcmp(name, object_type) != 0 && strcmp(name, "java.lang.Record") != 0;
}

const char *type_argument(hs_trace *t, const char *type, uint64_t loader, unsigned number)
{
    unsigned budget = SUPERS_MAX;
    const char *of = type != NULL ? supertype(t, type, loader, is_outside, NULL, &budget) : NULL;
    if (of == NULL)
        return kept_chars(t, TYPE_UNSURE);
    const char *at = strchr(of, '<');
    if (at == NULL) /* raw, if it is what was declared */
        return kept_chars(t, of == type ? object_type : TYPE_UNSURE);
    struct text argument = next_argument(&at);
    while (number-- > 0 && argument.size > 0)
        argument = next_argument(&at);
    const bool any = text_is(argument, wildcard);
    return argument.size == 0 ? kept_chars(t, TYPE_UNSURE) : any ? kept_chars(t, object_type) : type_kept(t, argument);
}

/* ---- questions ---- */

/* The variables of class `name` as a receiver of that type has them. */
static bool receiver_scope(struct scope *x, const struct classfile *cf, const char *name, const char *receiver,
                           uint64_t loader)
{
    unsigned budget = SUPERS_MAX;
    struct text supers;
    const bool generic =
        classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "Signature") != NULL && receiver != NULL;
    const char *as = generic ? supertype(x->trace, receiver, loader, is_called, name, &budget) : NULL;
    const size_t first = x->count;
    if (!class_scope(x, cf, as, &supers))
        return false;
    for (size_t i = first; generic && as == NULL && i < x->count; i++)
        x->variables[i].type = kept_chars(x->trace, TYPE_UNSURE);
    return true;
}

static const char *type_of_signature(struct scope *x, struct text signature)
{
    struct writer w = { 0 };
    if (!put_type(x, &signature, &w, 0) && !w.bad)
        w.size = 0;
    return kept_writer(x->trace, &w);
}

static const char *variable_type(hs_trace *t, const struct method *m, const struct variable_scope *v)
{
    struct scope x = { .trace = t };
    struct text supers, own;
    const char *text = v->signature != NULL ? v->signature : v->desc;
    if (v->signature == NULL || !class_scope(&x, m->classfile, NULL, &supers))
        x.count = 0;
    const struct member *member = method_member(m->classfile, m->owner, m->row);
    if (v->signature != NULL && member != NULL) {
        own = signature_of(t, m->classfile, member->first_attribute, member->attribute_count, (struct text){ "", 0 });
        if (!take_formals(&x, &own))
            return kept_chars(t, TYPE_UNSURE);
    }
    return type_of_signature(&x, (struct text){ text, strlen(text) });
}

const char *type_of_variable(hs_trace *t, const struct method *m, const struct variable_scope *v)
{
    struct variable_scope *kept_in = (struct variable_scope *)(uintptr_t)v;
    if (kept_in->type == NULL)
        kept_in->type = variable_type(t, m, v);
    return kept_in->type;
}

static const struct member *field_member(const struct classfile *cf, const struct field *f)
{
    for (size_t i = 0; i < cf->fields.count; i++) {
        const struct member *m = &cf->fields.items[i];
        struct text name, desc;
        struct writer type = { 0 };
        if (!cpool_utf8(&cf->cp, m->name, &name) || !name_is(name, f->name) || !cpool_utf8(&cf->cp, m->desc, &desc))
            continue;
        (void)descriptor_to_source(desc.data, desc.size, &type);
        const bool same =
            type.size == strlen(f->type) && !type.bad && type.size > 0 && memcmp(type.data, f->type, type.size) == 0;
        writer_free(&type);
        if (same)
            return m;
    }
    return NULL;
}

static const char *field_type(hs_trace *t, const char *receiver, const struct field *f, uint64_t loader)
{
    const struct classfile *cf = file_of(t, lineage_of(t, f->declaring, loader));
    const struct member *m = cf != NULL ? field_member(cf, f) : NULL;
    struct scope x = { .trace = t };
    if (m == NULL || classfile_attribute(cf, m->first_attribute, m->attribute_count, "Signature") == NULL)
        return kept_chars(t, f->type);
    if (!receiver_scope(&x, cf, f->declaring, receiver, loader))
        return kept_chars(t, TYPE_UNSURE);
    return type_of_signature(
        &x, signature_of(t, cf, m->first_attribute, m->attribute_count, (struct text){ f->type, strlen(f->type) }));
}

/* The entry of a question; NULL: out of memory. */
static struct kept_type *asked(hs_trace *t, struct writer *question)
{
    struct kept_type *k = question->bad ? NULL : kept(t, (struct text){ (const char *)question->data, question->size });
    return k;
}

const char *type_of_field(hs_trace *t, const char *receiver, const struct field *f, uint64_t loader)
{
    struct writer question = { 0 };
    write_u1(&question, '.');
    write_svarint(&question, (int64_t)loader);
    const char *const parts[] = { receiver != NULL ? receiver : "", f->declaring, f->name, f->type };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        put(&question, parts[i]);
        write_u1(&question, '|');
    }
    struct kept_type *k = asked(t, &question);
    const char *type = k != NULL ? k->answer : NULL;
    if (k != NULL && type == NULL) {
        type = field_type(t, receiver, f, loader);
        if ((k = asked(t, &question)) != NULL)
            k->answer = type;
    }
    writer_free(&question);
    return type;
}

/* Of a variable of the method itself: what the arguments say, each of which must say the same. `p` is the type of a
 * parameter, `type` that of its argument. */
static void infer(struct scope *x, size_t first, struct text p, const char *type)
{
    if (!take(&p, 'T'))
        return;
    const struct text name = take_until(&p, ";");
    const struct primitive *primitive = type != NULL ? primitive_named(type, strlen(type)) : NULL;
    if (primitive != NULL)
        type = primitive->box;
    for (size_t i = first; i < x->count; i++) {
        struct variable_type *v = &x->variables[i];
        if (!text_equal(v->name, name))
            continue;
        const bool new = v->type == NULL &&type != NULL;
        v->type = new                                                            ? kept_chars(x->trace, type)
                  : type != NULL && v->type != NULL &&strcmp(v->type, type) == 0 ? v->type
                                                                                 : kept_chars(x->trace, TYPE_UNSURE);
    }
}

const char *type_of_result(hs_trace *t, const char *receiver, const struct hs_class *of, const struct hs_method *m,
                           const char *const *arguments, unsigned count)
{
    const struct classfile *cf = class_file(t, of, NULL);
    const struct member *member = cf != NULL ? method_member(cf, of, m) : NULL;
    struct scope x = { .trace = t };
    const char *end = strchr(m->desc, ')');
    struct text desc = { end != NULL ? end + 1 : "", end != NULL ? strlen(end + 1) : 0 };
    if (member == NULL ||
        classfile_attribute(cf, member->first_attribute, member->attribute_count, "Signature") == NULL)
        return type_of_signature(&x, desc);
    struct text s = signature_of(t, cf, member->first_attribute, member->attribute_count, desc);
    if (!receiver_scope(&x, cf, of->name, receiver, of->loader_id))
        return kept_chars(t, TYPE_UNSURE);
    const size_t first = x.count;
    if (!take_formals(&x, &s) || !take(&s, '('))
        return kept_chars(t, TYPE_UNSURE);
    for (unsigned i = 0; !take(&s, ')'); i++) {
        const struct text from = s;
        struct writer none = { 0 };
        const bool good = put_type(&x, &s, &none, 0);
        writer_free(&none);
        if (!good)
            return kept_chars(t, TYPE_UNSURE);
        infer(&x, first, (struct text){ from.data, from.size - s.size }, i < count ? arguments[i] : NULL);
    }
    for (size_t i = first; i < x.count; i++)
        if (x.variables[i].type == NULL)
            x.variables[i].type = kept_chars(t, TYPE_UNSURE);
    return type_of_signature(&x, s);
}

const char *type_of_native(hs_trace *t, const char *receiver, uint64_t loader, struct text result)
{
    static const struct {
        const char *name;
        unsigned argument;
    } known[] = { { "E", 0 }, { "T", 0 }, { "K", 0 }, { "V", 1 } };
    struct scope x = { .trace = t };
    if (memchr(result.data, 'T', result.size) != NULL)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            x.variables[x.count++] =
                (struct variable_type){ .name = { known[i].name, 1 },
                                        .type = type_argument(t, receiver, loader, known[i].argument) };
    return type_of_signature(&x, result);
}
