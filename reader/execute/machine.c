/* machine.c - the machine as a whole; see execute.h. */
#include "formats/mutf8.h"
#include "reader/code/types.h"
#include "reader/execute/natives.h"

struct machine *machine_new(hs_trace *t, const struct heap *heap)
{
    struct machine *m = calloc(1, sizeof *m);
    /* not cleared: each frame clears its locals, and a stack is read below its depth alone */
    struct jvalue *values = m != NULL ? malloc(VALUES_MAX * sizeof *values) : NULL;
    if (values == NULL) {
        free(m);
        return NULL;
    }
    *m = (struct machine){ .trace = t, .heap = *heap, .values = values, .invoke = invoke };
    return m;
}

void machine_free(struct machine *m)
{
    if (m == NULL)
        return;
    vec_free(&m->made);
    vec_free(&m->reasons);
    vec_free(&m->names);
    map_free(&m->written);
    map_free(&m->fields);
    arena_done(&m->arena);
    free(m->values);
    free(m);
}

const char *machine_why(const struct machine *m) { return m->why != NULL ? m->why : ""; }

/* Every question begins anew, over what was made and written so far. */
static void begin(struct machine *m)
{
    m->ended = OUTCOME_VALUE;
    m->why = NULL;
    m->steps = m->calls = m->used = 0;
}

/* In UTF-8; a NUL is written C0 80, as in all texts of the library, which end with one. */
static void write_units(const units_vec *units, struct writer *w)
{
    for (size_t i = 0, end; i < units->count; i = end + 1) {
        for (end = i; end < units->count && units->items[end] != 0; end++)
            ;
        if (end > i)
            utf16le_to_utf8(units->items + i, 2 * (end - i), w);
        if (end < units->count)
            write_bytes(w, "\xc0\x80", 2);
    }
}

static enum outcome text_of(struct machine *m, struct jvalue v, char letter, const char **out)
{
    units_vec units = { 0 };
    struct writer w = { 0 };
    *out = NULL;
    if (append_text(m, &units, v, letter)) {
        write_units(&units, &w);
        char *copy = w.bad ? NULL : arena_chars(&m->arena, w.size + 1);
        if (copy == NULL)
            (void)end_memory(m);
        else {
            if (w.size > 0)
                memcpy(copy, w.data, w.size);
            copy[w.size] = '\0';
            *out = copy;
        }
        writer_free(&w);
    }
    vec_free(&units);
    return m->ended;
}

/* How it ended; of an exception its text as the reason. */
static enum outcome finish(struct machine *m, bool done, struct jvalue *result)
{
    if (m->ended == OUTCOME_VALUE && !done) /* of code that the JVM would not accept */
        (void)end_not_known(m, "what malformed code does");
    if (m->ended == OUTCOME_VALUE)
        (void)known(m, *result);
    const struct made *made = m->ended == OUTCOME_VALUE ? made_of(m, *result) : NULL;
    if (made != NULL && made->is == MADE_CLASS) /* which == outside of executed code would not compare */
        (void)end_not_known(m, "an object of a class");
    if (m->ended != OUTCOME_THROWN)
        return m->ended;
    *result = m->thrown;
    const char *text;
    m->ended = OUTCOME_VALUE;
    const char *type = machine_type(m, result->bits);
    m->why = text_of(m, *result, 'L', &text) == OUTCOME_VALUE ? text : type != NULL ? type : "an exception";
    return m->ended = OUTCOME_THROWN;
}

enum outcome machine_invoke(struct machine *m, const struct hs_class *of, const struct hs_method *method,
                            const struct jvalue *arguments, unsigned count, struct jvalue *result)
{
    begin(m);
    *result = (struct jvalue){ .kind = 'V' };
    return finish(m, invoke_method(m, of, method, arguments, count, result), result);
}

enum outcome machine_dispatch(struct machine *m, const struct hs_class *from, const struct machine_method *method,
                              const struct jvalue *arguments, unsigned count, struct jvalue *result)
{
    const struct invocation i = { .ref = { .owner = { method->owner, strlen(method->owner) },
                                           .name = { method->name, strlen(method->name) },
                                           .desc = { method->desc, strlen(method->desc) } },
                                  .is_static = method->is_static,
                                  .from = from,
                                  .given = arguments,
                                  .count = count };
    begin(m);
    *result = (struct jvalue){ .kind = 'V' };
    return finish(m, invoke(m, &i, result), result);
}

bool machine_object(struct machine *m, const struct hs_class *of, struct jvalue *out)
{
    begin(m);
    struct made *made = make(m, MADE_PLAIN, of->name, out);
    if (made != NULL)
        made->class = lineage_of(m->trace, of->name, of->loader_id);
    return made != NULL;
}

void machine_forget(struct machine *m) { forget_written(m); }
size_t machine_made(const struct machine *m) { return m->made.count; }

enum outcome machine_call(struct machine *m, const struct machine_call *call, struct machine_answer *out)
{
    begin(m);
    *out = (struct machine_answer){ .value = { .kind = 'V' }, .letter = 'V' };
    const bool done = resolve_and_call(m, call, out);
    if (strcmp(call->name, "<init>") == 0) {
        out->letter = 'L';
        out->type = call->owner;
    }
    return finish(m, done, &out->value);
}

enum outcome machine_member(struct machine *m, struct jvalue object, const char *type, const char *name,
                            struct machine_answer *out)
{
    const struct lineage *own = class_of_object(m, object);
    const char *erased = type != NULL ? type_erased(m->trace, type) : NULL;
    const struct lineage *c = own != NULL && erased != NULL ? lineage_of(m->trace, erased, own->loader) : NULL;
    struct field f;
    begin(m);
    *out = (struct machine_answer){ .letter = 'V' };
    if ((c == NULL || !field_find_in(m->trace, c, name, NULL, &f)) &&
        (own == NULL || !field_find_in(m->trace, own, name, NULL, &f)))
        return finish(m, end_not_known(m, "a field %s of %s", name, own != NULL ? own->name : "the object"),
                      &out->value);
    const struct field_site *s = field_site_named(m, &f);
    out->letter = s != NULL ? s->letter : 'V';
    out->type = jvalue_kind(out->letter) == 'A' ? type_of_field(m->trace, type, &f, own->loader) : NULL;
    return finish(m, s != NULL && get_member(m, f.is_static ? null_value() : object, s, &out->value), &out->value);
}

enum outcome machine_element(struct machine *m, struct jvalue array, int64_t index, struct machine_answer *out)
{
    const struct made *made = made_of(m, array);
    begin(m);
    *out = (struct machine_answer){ .letter = index < 0 || made == NULL ? 'I' : made->element };
    if (made == NULL || made->is != MADE_ARRAY)
        return finish(m, end_not_known(m, "an element of an object that is no array"), &out->value);
    out->type = jvalue_kind(out->letter) == 'A' ? type_of_element(m->trace, made->type) : NULL;
    const bool done = index < 0 ? array_count(m, array, &out->value)
                                : get_element(m, array, int_value(index), jvalue_kind(made->element), &out->value);
    return finish(m, done, &out->value);
}

bool machine_static(struct machine *m, const char *owner, const char *name, struct machine_answer *out)
{
    begin(m);
    *out = (struct machine_answer){ .letter = 'L', .type = owner };
    return jdk_constant(m, owner, name, &out->value);
}

bool machine_box(struct machine *m, char letter, uint64_t bits, struct jvalue *out)
{
    begin(m);
    return make_box(m, letter, bits, out);
}

enum outcome machine_array(struct machine *m, const char *type, char element, const struct jvalue *values, size_t count,
                           struct jvalue *out)
{
    begin(m);
    const char *kept = keep_text(m, (struct text){ type, strlen(type) }, false);
    return finish(m, kept != NULL && make_values(m, MADE_ARRAY, kept, values, count, element, out), out);
}

enum outcome machine_arrays(struct machine *m, const char *type, const int32_t *lengths, unsigned dimensions,
                            struct jvalue *out)
{
    begin(m);
    const char *kept = keep_text(m, (struct text){ type, strlen(type) }, false);
    return finish(m, kept != NULL && make_arrays(m, kept, lengths, dimensions, out), out);
}

bool machine_unboxed(struct machine *m, struct jvalue v, struct jvalue *out, char *letter)
{
    const struct made *made = made_of(m, v);
    begin(m);
    return made != NULL && made->is == MADE_BOX && unboxed(m, v, out, letter);
}

int machine_is_instance(struct machine *m, struct jvalue v, const char *class_name)
{
    begin(m);
    const char *type = machine_type(m, v.bits);
    const enum sure sure = type != NULL ? is_subtype(m, type, class_of_object(m, v), class_name) : UNSURE;
    return sure == SURE_YES ? 1 : sure == SURE_NO ? 0 : -1;
}

bool machine_string(struct machine *m, const char *utf8, struct jvalue *out)
{
    begin(m);
    return make_text(m, utf8, strlen(utf8), out);
}

enum outcome machine_text(struct machine *m, struct jvalue v, char letter, const char **out)
{
    begin(m);
    struct jvalue thrown;
    return text_of(m, v, letter, out) == OUTCOME_VALUE && *out != NULL ? OUTCOME_VALUE : finish(m, false, &thrown);
}
