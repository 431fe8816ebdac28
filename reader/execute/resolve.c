/* resolve.c - the method that Java source would call; see execute.h. JLS 15.12.2: first without boxing, then with it,
 * then with variable arity; of several that fit, the one whose parameters are the most special. */
#include "formats/jvm/arithmetic.h"
#include "reader/code/types.h"
#include "reader/execute/natives.h"

struct candidate {
    struct text desc;
    const struct hs_class *of; /* of a woven one */
    const struct hs_method *method;
    const struct native *native;
    bool boxes; /* an argument must be boxed or unboxed */
    bool many;  /* of variable arity: the last arguments become an array */
};

struct search {
    struct machine *m;
    const struct machine_call *call;
    bool unsure; /* a type that javac knows is not known here: that of the object counts, which may fit more methods */
    VEC(struct candidate) found;
};

/* Does a widening primitive conversion lead from one to the other? JLS 5.1.2. */
static bool widens(char from, char to)
{
    static const char order[] = "BSIJFD";
    const char *a = strchr(order, from == 'C' ? 'S' : from), *b = strchr(order, to);
    if (from == to)
        return true;
    if (from == 'Z' || to == 'Z' || to == 'C' || a == NULL || b == NULL)
        return false;
    return from == 'C' ? to != 'B' && to != 'S' : a < b;
}

/* A type of a descriptor, as in Java source. */
static const char *source_type(struct machine *m, struct text desc)
{
    struct writer w = { 0 };
    (void)descriptor_to_source(desc.data, desc.size, &w);
    const char *kept = w.bad ? NULL : keep_text(m, (struct text){ (const char *)w.data, w.size }, false);
    writer_free(&w);
    return kept;
}

/* Of an argument that is an object, as javac has it, else of the object; NULL: of null, or it is not known. */
static const char *argument_type(struct search *s, unsigned argument, const struct lineage **of)
{
    const struct jvalue v = s->call->arguments[argument];
    const char *known = s->call->types != NULL ? s->call->types[argument] : NULL;
    *of = NULL;
    if (v.kind != 'A')
        return NULL;
    if (known != NULL && !type_unsure(known)) {
        const char *type = type_erased(s->m->trace, known);
        *of = type != NULL ? lineage_of(s->m->trace, type, s->call->loader) : NULL;
        return type;
    }
    if (v.unknown || v.bits == 0)
        return NULL;
    s->unsure |= known != NULL;
    *of = class_of_object(s->m, v);
    return machine_type(s->m, v.bits);
}

/* Can the argument be given? `*boxes` is set if it is boxed or unboxed for that. */
static bool accepts(struct search *s, struct text param, unsigned argument, bool *boxes)
{
    struct machine *m = s->m;
    const char to = param.data[0], from = s->call->letters[argument];
    const struct jvalue v = s->call->arguments[argument];
    const struct lineage *of;
    const char *type = argument_type(s, argument, &of);
    if (jvalue_kind(to) != 'A' && v.kind != 'A')
        return widens(from, to);
    if (jvalue_kind(to) != 'A') {
        *boxes = true; /* null, too, as which it would throw */
        const struct primitive *box = type != NULL ? primitive_of_box(type) : NULL;
        return (type == NULL && !v.unknown && v.bits == 0) || (box != NULL && widens(box->letter, to));
    }
    const char *wanted = source_type(m, param);
    if (wanted == NULL)
        return false;
    if (v.kind != 'A') {
        struct jvalue box;
        *boxes = true;
        return make_box(m, from, 0, &box) &&
               is_subtype(m, machine_type(m, box.bits), class_of_object(m, box), wanted) == SURE_YES;
    }
    return type == NULL || is_subtype(m, type, of, wanted) != SURE_NO;
}

/* Parameter `number` of a descriptor. */
static struct text declared_parameter(struct text desc, unsigned number)
{
    size_t at = 1;
    for (unsigned i = 0; at < desc.size; i++) {
        const size_t size = descriptor_type_length(desc.data + at, desc.size - at);
        if (i == number || size == 0)
            return (struct text){ desc.data + at, size };
        at += size;
    }
    return (struct text){ "", 0 };
}

/* The parameter that takes argument `number`. */
static struct text parameter(const struct candidate *c, unsigned number)
{
    const unsigned last = descriptor_count(c->desc) - 1;
    if (!c->many || number < last)
        return declared_parameter(c->desc, number);
    const struct text array = declared_parameter(c->desc, last);
    return (struct text){ array.data + 1, array.size - 1 };
}

/* Of two descriptors of methods. */
static bool same_parameters(struct text a, struct text b)
{
    const char *x = memchr(a.data, ')', a.size), *y = memchr(b.data, ')', b.size);
    return x != NULL && y != NULL &&
           text_same((struct text){ a.data, (size_t)(x - a.data) }, (struct text){ b.data, (size_t)(y - b.data) });
}

static bool add_fitting(struct search *s, struct candidate c)
{
    const unsigned count = descriptor_count(c.desc);
    if (c.many ? s->call->count + 1 < count : count != s->call->count)
        return true;
    for (unsigned i = 0; i < s->call->count; i++) {
        const struct text p = parameter(&c, i);
        if (p.size == 0 || !accepts(s, p, i, &c.boxes))
            return s->m->ended == OUTCOME_VALUE;
    }
    for (size_t i = 0; i < s->found.count; i++) /* overridden by it */
        if (same_parameters(s->found.items[i].desc, c.desc) && s->found.items[i].many == c.many)
            return true;
    struct candidate *to = vec_push(&s->found);
    if (to == NULL)
        return end_memory(s->m);
    *to = c;
    return true;
}

/* Methods of the JDK of variable arity. */
static bool is_many(const char *name)
{
    static const char *const names[] = { "of", "ofEntries", "asList", "format", "formatted", "hash", "join", "addAll" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool add(struct search *s, struct candidate c)
{
    enum { ACC_VARARGS = 0x80 };
    const unsigned count = descriptor_count(c.desc);
    const struct text last = count > 0 ? declared_parameter(c.desc, count - 1) : (struct text){ "", 0 };
    if (!add_fitting(s, c))
        return false;
    c.many = last.size > 1 && last.data[0] == '[' &&
             (c.method != NULL ? (c.method->access & ACC_VARARGS) != 0 : is_many(s->call->name));
    return !c.many || add_fitting(s, c);
}

static bool add_declared(struct search *s, const struct lineage *c, unsigned depth)
{
    enum { CHAIN = 64 };
    bool missing;
    for (; c != NULL && c->known && depth < CHAIN; c = lineage_super(s->m->trace, c, &missing), depth++) {
        for (uint32_t k = 0; c->woven && k < c->row->method_count; k++) {
            const struct hs_method *x = c->row->methods[k];
            const bool is_static = (x->access & ACC_STATIC) != 0;
            if (strcmp(x->name, s->call->name) != 0 || (x->access & ACC_SYNTHETIC) != 0 ||
                (!is_static && s->call->owner != NULL && strcmp(s->call->name, "<init>") != 0))
                continue;
            if (!add(s, (struct candidate){ .desc = { x->desc, strlen(x->desc) }, .of = c->row, .method = x }))
                return false;
        }
        if (strcmp(s->call->name, "<init>") == 0)
            break;
        for (size_t i = 0; i < c->interface_count; i++)
            if (!add_declared(s, lineage_of(s->m->trace, c->interfaces[i], c->loader), depth + 1))
                return false;
    }
    return true;
}

/* Are all parameters of `a` ones that `b` takes too? */
static bool more_special(struct search *s, const struct candidate *a, const struct candidate *b)
{
    for (unsigned i = 0; i < s->call->count; i++) {
        const struct text p = parameter(a, i), q = parameter(b, i);
        if (text_same(p, q))
            continue;
        if (jvalue_kind(p.data[0]) != 'A' || jvalue_kind(q.data[0]) != 'A') {
            if (jvalue_kind(p.data[0]) == 'A' || jvalue_kind(q.data[0]) == 'A' || !widens(p.data[0], q.data[0]))
                return false;
            continue;
        }
        const char *x = source_type(s->m, p), *y = source_type(s->m, q);
        if (x == NULL || y == NULL || is_subtype(s->m, x, lineage_of(s->m->trace, x, s->call->loader), y) != SURE_YES)
            return false;
    }
    return true;
}

/* JLS 15.12.2.2 to 15.12.2.4. */
static unsigned phase_of(const struct candidate *c) { return c->many ? 2 : c->boxes; }

static const struct candidate *choose(struct search *s)
{
    if (s->unsure && s->found.count > 1)
        return end_not_known(s->m, "which of several methods %s is called: cast the object and its arguments",
                             s->call->name),
               NULL;
    for (unsigned phase = 0; phase < 3; phase++) {
        const struct candidate *best = NULL;
        for (size_t i = 0; i < s->found.count; i++) {
            const struct candidate *c = &s->found.items[i];
            if (phase_of(c) == phase && (best == NULL || more_special(s, c, best)))
                best = c;
        }
        for (size_t i = 0; best != NULL && i < s->found.count; i++) {
            const struct candidate *c = &s->found.items[i];
            if (c != best && phase_of(c) == phase && !more_special(s, best, c))
                return end_not_known(s->m, "which of several methods %s is called", s->call->name), NULL;
        }
        if (best != NULL)
            return best;
    }
    return NULL;
}

/* The argument as the parameter takes it. */
static bool converted(struct search *s, struct text param, unsigned argument, struct jvalue *out)
{
    struct machine *m = s->m;
    const char to = param.data[0];
    char from = s->call->letters[argument];
    struct jvalue v = s->call->arguments[argument];
    if (jvalue_kind(to) == 'A')
        return v.kind == 'A' || v.unknown ? (*out = v, true) : make_box(m, from, v.bits, out);
    if (v.kind == 'A' && !v.unknown && v.bits == 0)
        return throws_unsaid(m, "java.lang.NullPointerException");
    if (v.kind == 'A' && !unboxed(m, v, &v, &from))
        return false;
    *out = v;
    out->kind = jvalue_kind(to);
    if (!v.unknown && jvalue_kind(from) != jvalue_kind(to))
        out->bits = to == 'J'   ? v.bits
                    : to == 'F' ? of_float((float)(int64_t)v.bits)
                                : of_double(from == 'F' ? (double)as_float(v.bits) : (double)(int64_t)v.bits);
    return true;
}

static bool run(struct search *s, const struct candidate *c, struct jvalue *out)
{
    enum { GIVEN_MAX = 256 };
    struct machine *m = s->m;
    const struct machine_call *call = s->call;
    const bool constructs = strcmp(call->name, "<init>") == 0;
    const bool is_static =
        c->method != NULL ? (c->method->access & ACC_STATIC) != 0 : c->native->nature == NATURE_STATIC;
    struct jvalue given[GIVEN_MAX], made, result = { .kind = 'V' };
    unsigned count = 0;
    if (constructs) {
        struct made *object = make(m, c->method != NULL ? MADE_PLAIN : MADE_UNWOVEN, call->owner, &made);
        if (object == NULL)
            return false;
        object->class = c->method != NULL ? lineage_of(m->trace, call->owner, call->loader) : NULL;
        given[count++] = made;
    } else if (!is_static) {
        given[count++] = call->receiver;
    }
    if (count + call->count > GIVEN_MAX)
        return end_limit(m, "a call has too many arguments");
    const unsigned parameters = descriptor_count(c->desc);
    for (unsigned i = 0; i < call->count; i++)
        if (!converted(s, parameter(c, i), i, &given[count + i]))
            return false;
    if (c->many) {
        const struct text type = declared_parameter(c->desc, parameters - 1);
        const char *source = source_type(m, type);
        struct jvalue *first = &given[count + parameters - 1];
        if (source == NULL ||
            !make_values(m, MADE_ARRAY, source, first, call->count + 1 - parameters, type.data[1], &result))
            return false;
        *first = result;
    }
    count += c->many ? parameters : call->count;
    struct invocation i = { .ref = { .name = { call->name, strlen(call->name) }, .desc = c->desc },
                            .is_static = is_static,
                            .special = constructs,
                            .from = c->of,
                            .given = given,
                            .count = count };
    const char *owner = c->method != NULL ? c->of->name : c->native->owner;
    if (owner != NULL)
        i.ref.owner = (struct text){ owner, strlen(owner) };
    if (is_static || constructs) {
        const bool done = c->method != NULL ? invoke_method(m, c->of, c->method, given, count, &result)
                                            : c->native->function(m, &i, &result);
        *out = constructs ? made : result;
        return done;
    }
    return m->invoke(m, &i, out);
}

static bool add_natives(struct search *s, const struct lineage *owner)
{
    struct machine *m = s->m;
    const struct machine_call *call = s->call;
    size_t number = 0;
    const struct text name = { call->name, strlen(call->name) };
    const struct text of = { call->owner != NULL ? call->owner : "", call->owner != NULL ? strlen(call->owner) : 0 };
    const struct native *n = native_named(name, &number);
    if (n == NULL) /* what the receiver is need not be found out */
        return m->ended == OUTCOME_VALUE;
    enum nature nature = call->owner == NULL ? nature_of(m, call->receiver) : NATURE_STATIC;
    if (strcmp(call->name, "<init>") == 0 && (owner == NULL || !owner->woven)) {
        struct jvalue made;
        if (make(m, MADE_UNWOVEN, call->owner, &made) == NULL)
            return false;
        nature = nature_of(m, made);
    }
    for (; n != NULL; n = native_named(name, &number))
        if (native_fits(n, nature, of) &&
            !add(s, (struct candidate){ .desc = { n->desc, strlen(n->desc) }, .native = n }))
            return false;
    return m->ended == OUTCOME_VALUE;
}

/* All methods that fit: of the type that javac knows of the receiver, else, as behind a cast, of its class. */
static bool find(struct search *s)
{
    struct machine *m = s->m;
    const struct machine_call *call = s->call;
    if (call->owner != NULL) {
        const struct lineage *c = lineage_of(m->trace, call->owner, call->loader);
        return add_declared(s, c, 0) && add_natives(s, c);
    }
    if (call->receiver.unknown || call->receiver.bits == 0)
        return known(m, call->receiver) && throws_unsaid(m, "java.lang.NullPointerException");
    const bool unsure = call->receiver_type != NULL && type_unsure(call->receiver_type);
    const char *type = call->receiver_type != NULL && !unsure ? type_erased(m->trace, call->receiver_type) : NULL;
    const struct lineage *own = class_of_object(m, call->receiver);
    const struct lineage *c = type != NULL ? lineage_of(m->trace, type, own != NULL ? own->loader : 0) : own;
    s->unsure |= unsure;
    if (!add_declared(s, c, 0) || !add_natives(s, c))
        return false;
    return s->found.count > 0 || own == c || add_declared(s, own, 0);
}

static const char *result_type(struct search *s, const struct candidate *c)
{
    hs_trace *t = s->m->trace;
    const struct machine_call *call = s->call;
    const char *receiver = call->owner != NULL           ? NULL
                           : call->receiver_type != NULL ? call->receiver_type
                                                         : machine_type(s->m, call->receiver.bits);
    const char *returns = memchr(c->desc.data, ')', c->desc.size);
    if (c->method != NULL)
        return type_of_result(t, receiver, c->of, c->method, call->types, call->types != NULL ? call->count : 0);
    if (c->native->nature == NATURE_ARRAY) /* clone() */
        return receiver;
    const char *generic = c->native->generic != NULL ? c->native->generic : returns != NULL ? returns + 1 : "";
    return type_of_native(t, receiver, call->loader, (struct text){ generic, strlen(generic) });
}

bool resolve_and_call(struct machine *m, const struct machine_call *call, struct machine_answer *out)
{
    struct search s = { .m = m, .call = call };
    const struct candidate *c = find(&s) ? choose(&s) : NULL;
    bool done = false;
    if (c != NULL) {
        const char *returns = memchr(c->desc.data, ')', c->desc.size);
        out->letter = returns != NULL ? returns[1] : 'V';
        done = run(&s, c, &out->value);
        if (done && jvalue_kind(out->letter) == 'A')
            out->type = result_type(&s, c);
    } else if (m->ended == OUTCOME_VALUE) {
        const char *type = call->owner != NULL ? call->owner : machine_type(m, call->receiver.bits);
        const bool absent = call->owner != NULL && lineage_of(m->trace, call->owner, call->loader) == NULL &&
                            !machine_knows(call->owner);
        done = absent ? end_not_known(m,
                                      "what %s does: the class %s was never loaded while it was recorded, or is not "
                                      "woven",
                                      strcmp(call->name, "<init>") == 0 ? "its constructor" : call->name, call->owner)
                      : end_not_known(m, "no method %s of %s with these arguments is woven", call->name,
                                      type != NULL ? type : "the object");
    }
    vec_free(&s.found);
    return done;
}
