/* members.c - what objects and static fields held at the moment; see session.h.
 *
 * Known members are those of hs_object_at; fields that the class declares and nothing has shown are listed as not
 * known. */
#include "formats/arena.h"
#include "reader/session/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/code/types.h"
#include "reader/query/expression_objects.h"
#include "reader/query/past_heap.h"

static const char *format_text(struct arena *arena, const char *a, const char *b, const char *c, uint64_t n)
{
    char *text = NULL;
    int size =
        c != NULL ? snprintf(NULL, 0, "%s%s%s", a, b, c) : snprintf(NULL, 0, "%s%s%llu]", a, b, (unsigned long long)n);
    if (size < 0 || (text = arena_chars(arena, (size_t)size + 1)) == NULL)
        return NULL;
    if (c != NULL)
        (void)snprintf(text, (size_t)size + 1, "%s%s%s", a, b, c);
    else
        (void)snprintf(text, (size_t)size + 1, "%s%s%llu]", a, b, (unsigned long long)n);
    return text;
}

static struct expression_value value_of(const struct hs_member *m)
{
    return (struct expression_value){ .known = true,
                                      .kind = m->kind,
                                      .bits = m->value,
                                      .stale = m->stale,
                                      .unrecorded = m->unrecorded,
                                      .seq = m->event->seq };
}

/* "a.b.Declaring.field" or "a.b.Declaring.field:type" in its parts. */
static bool split(struct arena *arena, const char *name, struct nav_member *out)
{
    size_t end = strcspn(name, ":"), dot = end;
    while (dot > 0 && name[dot - 1] != '.')
        dot--;
    char *field = arena_chars(arena, end - dot + 1), *declaring = arena_chars(arena, dot > 0 ? dot : 1);
    if (field == NULL || declaring == NULL)
        return false;
    memcpy(field, name + dot, end - dot);
    field[end - dot] = '\0';
    if (dot > 0)
        memcpy(declaring, name, dot - 1);
    declaring[dot > 0 ? dot - 1 : 0] = '\0';
    out->name = field;
    out->declaring = declaring;
    return true;
}

static bool has_member(const struct nav_member *m, size_t count, const char *declaring, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (m[i].name != NULL && strcmp(m[i].name, name) == 0 && strcmp(m[i].declaring, declaring) == 0)
            return true;
    return false;
}

/* The class of an object, as far as the trace has it. */
static const struct lineage *class_of(hs_trace *t, uint32_t id)
{
    const struct hs_object *o = hs_object_get(t, id);
    const struct hs_type *type = o != NULL ? hs_type_get(t, o->class_id) : NULL;
    return type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
}

static size_t declared_count(hs_trace *t, const struct lineage *c)
{
    size_t n = 0;
    bool unknown;
    for (; c != NULL && c->known; c = lineage_super(t, c, &unknown))
        n += c->field_count;
    return n;
}

/* Message and cause of an exception, whose fields are not recorded, as they were when it was recorded. */
static void thrown_members(hs_trace *t, uint32_t id, struct arena *arena, struct nav_member *m, size_t *count)
{
    const struct hs_thrown *thrown = hs_thrown_get(t, id);
    if (thrown == NULL)
        return;
    static const char throwable[] = "java.lang.Throwable";
    struct expression_value none = {
        .known = true, .kind = HS_KIND_REF, .seq = HS_NO_SEQ, .note = "when it was recorded"
    };
    struct nav_member fields[] = { { .name = "detailMessage", .declaring = throwable, .value = none },
                                   { .name = "cause", .declaring = throwable, .value = none } };
    if (thrown->detail != NULL) {
        fields[0].value.kind = EXPRESSION_TEXT;
        fields[0].value.text = format_text(arena, thrown->detail, "", "", 0); /* theirs lasts until the next one */
        fields[0].value.known = fields[0].value.text != NULL;
    } else if (thrown->message_redacted) {
        fields[0].value.kind = HS_KIND_VOID;
    }
    fields[1].value.bits = thrown->cause;
    fields[1].value.known = thrown->cause != 0 || thrown->has_stack; /* with the message alone it is not recorded */
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        size_t at = 0;
        while (at < *count && (m[at].name == NULL || strcmp(m[at].name, fields[i].name) != 0 ||
                               strcmp(m[at].declaring, throwable) != 0))
            at++;
        if (!fields[i].value.known)
            continue;
        if (at == *count)
            m[(*count)++] = fields[i];
        else if (!m[at].value.known)
            m[at].value = fields[i].value;
    }
}
enum { THROWN_MEMBERS = 2 };

static enum status object_part(struct nav *nav, uint32_t id, uint64_t seq, struct part part, struct arena *arena,
                               struct nav_object *out, struct error *err)
{
    hs_trace *t = nav->trace;
    const struct hs_object_state *s;
    char number[24];
    bool unknown;
    const enum status st = object_part_at(t, id, seq, part, &s, err);
    if (st != OK)
        return st;
    const struct lineage *c = s->has_length || s->element_count > 0 ? NULL : class_of(t, id);
    size_t room = s->field_count + s->element_count + declared_count(t, c), n = 0;
    struct nav_member *m = arena_array(arena, room + THROWN_MEMBERS + 1, sizeof *m);
    (void)snprintf(number, sizeof number, "%u", id);
    *out = (struct nav_object){ .id = id, .has_length = s->has_length, .length = s->length, .members = m };
    if (m == NULL)
        return nav_memory(nav, err);
    for (size_t i = 0; i < s->field_count; i++, n++) {
        m[n].value = value_of(s->fields[i]);
        m[n].what = format_text(arena, number, ".", s->fields[i]->name, 0);
        if (!split(arena, s->fields[i]->name, &m[n]) || m[n].what == NULL)
            return nav_memory(nav, err);
    }
    for (size_t i = 0; i < s->element_count; i++, n++) {
        m[n] = (struct nav_member){ .index = s->elements[i]->index, .value = value_of(s->elements[i]) };
        m[n].what = format_text(arena, number, "[", NULL, m[n].index);
        if (m[n].what == NULL)
            return nav_memory(nav, err);
    }
    for (; c != NULL && c->known; c = lineage_super(t, c, &unknown)) {
        for (size_t i = 0; i < c->field_count; i++) {
            const struct hs_field *f = &c->fields[i];
            if (f->is_static || has_member(m, n, c->name, f->name))
                continue;
            m[n++] = (struct nav_member){ .name = f->name, .declaring = c->name, .value = { .seq = HS_NO_SEQ } };
        }
    }
    thrown_members(t, id, arena, m, &n);
    const struct hs_object *o = hs_object_get(t, id);
    out->type = o != NULL ? o->type : NULL;
    out->member_count = n;
    return OK;
}

enum status nav_object(struct nav *nav, uint32_t id, struct arena *arena, struct nav_object *out, struct error *err)
{
    return nav_object_at(nav, id, nav->seq, arena, out, err);
}

enum status nav_object_at(struct nav *nav, uint32_t id, uint64_t seq, struct arena *arena, struct nav_object *out,
                          struct error *err)
{
    return object_part(nav, id, seq, PART_ALL, arena, out, err);
}

enum status nav_object_part(struct nav *nav, uint32_t id, uint64_t from, uint64_t most, struct arena *arena,
                            struct nav_object *out, struct error *err)
{
    enum status st = object_part(nav, id, nav->seq, (struct part){ .from = from, .most = most }, arena, out, err);
    return st != OK || out->has_length ? st : nav_object(nav, id, arena, out, err);
}

enum status nav_element(struct nav *nav, uint32_t id, uint64_t index, struct expression_value *out, struct error *err)
{
    const struct hs_object_state *s;
    *out = (struct expression_value){ .seq = HS_NO_SEQ };
    const enum status st = object_part_at(nav->trace, id, nav->seq, (struct part){ .from = index, .most = 1 }, &s, err);
    if (st != OK)
        return st;
    if (s->has_length && index >= s->length)
        return error_set(err, ERR_NOT_FOUND, "Index %lld out of bounds for length %llu", (long long)index,
                         (unsigned long long)s->length);
    for (size_t i = 0; i < s->element_count; i++)
        if (s->elements[i]->index == index)
            *out = value_of(s->elements[i]);
    return OK;
}

/* Is the type, which may have arguments, that class? */
static bool is_class(const char *type, const char *name)
{
    const size_t size = strlen(name);
    return strncmp(type, name, size) == 0 && (type[size] == '\0' || type[size] == '<');
}

/* The class of this type, which may have arguments, among the object's; its own if there is none. */
static const struct lineage *class_as(hs_trace *t, uint32_t id, const char *as)
{
    const struct lineage *own = class_of(t, id), *c = own;
    bool unknown;
    while (as != NULL && c != NULL) {
        if (is_class(as, c->name))
            return c;
        c = c->known ? lineage_super(t, c, &unknown) : NULL;
    }
    return own;
}

/* Does another class above the one that declares the field declare one of its name, too? */
static bool hides_another(hs_trace *t, const struct lineage *own, const struct field *f)
{
    bool unknown, below = true;
    struct field other;
    for (const struct lineage *c = own; c != NULL; c = c->known ? lineage_super(t, c, &unknown) : NULL) {
        if (!below)
            return field_find_in(t, c, f->name, NULL, &other);
        below = strcmp(c->name, f->declaring) != 0;
    }
    return false;
}

/* From what a watch keeps; false: it is to be found. */
static bool kept_field(struct nav *nav, uint32_t object, const struct field *f, struct expression_value *out)
{
    struct watched_field kept;
    if (nav->fields == NULL || !field_watch_get(nav->fields, object, f, nav->seq, &kept))
        return false;
    *out = (struct expression_value){
        .known = kept.known, .kind = kept.kind, .bits = kept.bits, .stale = kept.stale, .seq = kept.seq
    };
    return true;
}

static void keep_field(struct nav *nav, uint32_t object, const struct field *f, const struct expression_value *v)
{
    const struct watched_field value = {
        .known = v->known, .stale = v->stale, .kind = v->kind, .bits = v->bits, .seq = v->seq
    };
    if (nav->fields != NULL && v->text == NULL && v->note == NULL && !v->unrecorded)
        field_watch_keep(nav->fields, object, f, nav->seq, &value);
}

/* `resolved`: the field is `f`. */
static enum status find_field(struct nav *nav, uint32_t id, const char *name, bool resolved, struct field f,
                              struct expression_value *out, struct error *err)
{
    struct arena arena = { 0 };
    struct nav_object o;
    struct part part = PART_ALL;
    part.field = resolved ? site_hash(name, strlen(name)) : 0;
    enum status st = object_part(nav, id, nav->seq, part, &arena, &o, err);
    const struct nav_member *found = NULL;
    for (size_t i = 0; st == OK && i < o.member_count; i++) {
        const struct nav_member *m = &o.members[i];
        if (m->name == NULL || strcmp(m->name, name) != 0)
            continue;
        if (found == NULL || (resolved && strcmp(m->declaring, f.declaring) == 0))
            found = m;
    }
    if (st == OK && found == NULL)
        st = error_set(err, ERR_NOT_FOUND, "%s has no field %s", o.type != NULL ? o.type : "the object", name);
    if (st == OK)
        *out = found->value;
    arena_done(&arena);
    return st;
}

/* The field of that name in the class `as`, or else in that of the object. False: it declares none, or (`*in` NULL)
 * nothing is known of it. */
static bool field_named(struct nav *nav, uint32_t id, const char *as, const char *name, const struct lineage **in,
                        struct field *out)
{
    const struct hs_object *o = hs_object_get(nav->trace, id);
    for (size_t i = 0; o != NULL && i < NAV_FIELD_NAMES; i++) {
        const struct nav_field_name *n = &nav->names[i];
        if (n->in == NULL || n->type != o->class_id || n->own != (as == NULL) || strcmp(n->field.name, name) != 0 ||
            (as != NULL && !is_class(as, n->in->name)))
            continue;
        *in = n->in;
        *out = n->field;
        return true;
    }
    *in = class_as(nav->trace, id, as);
    if (*in == NULL || !field_find_in(nav->trace, *in, name, NULL, out))
        return false;
    if (o != NULL && (as == NULL || is_class(as, (*in)->name)))
        nav->names[nav->next_name++ % NAV_FIELD_NAMES] =
            (struct nav_field_name){ .type = o->class_id, .in = *in, .own = as == NULL, .field = *out };
    return true;
}

enum status nav_field(struct nav *nav, uint32_t id, const char *as, const char *name, struct expression_value *out,
                      struct error *err)
{
    const struct lineage *c;
    struct field f = { 0 };
    const bool resolved = field_named(nav, id, as, name, &c, &f);
    if (resolved && f.is_static)
        return nav_static(nav, f.declaring, f.loader, name, out, err);
    if (resolved && type_unsure(as) && hides_another(nav->trace, c, &f)) {
        *out = expression_unknown;
        out->missing = "which of several fields of this name is meant: cast the object to the class that declares it";
        return OK;
    }
    enum status st = OK;
    if (!resolved || !kept_field(nav, id, &f, out)) {
        st = find_field(nav, id, name, resolved, f, out, err);
        if (st == OK && resolved)
            keep_field(nav, id, &f, out);
    }
    if (st == OK && out->kind == HS_KIND_REF)
        out->type = resolved ? type_of_field(nav->trace, as, &f, c->loader) : TYPE_UNSURE;
    return st;
}

bool nav_has_field(struct nav *nav, uint32_t id, const char *as, const char *name)
{
    const struct lineage *c;
    struct field f;
    return field_named(nav, id, as, name, &c, &f) || c == NULL;
}

static const struct hs_class *class_called(hs_trace *t, const char *name)
{
    const struct hs_class *c, *found = NULL;
    if (!tables_need_classes(t) || strpbrk(name, "*?") != NULL)
        return NULL;
    if ((c = hs_class_find(t, name, 0)) != NULL)
        return c;
    for (size_t i = 0; (c = class_at(t, i)) != NULL; i++) {
        if (strcmp(c->name, name) == 0)
            return c;
        if (found == NULL && hs_class_matches(name, c->name))
            found = c;
    }
    return found;
}

const struct hs_class *class_typed(hs_trace *t, const char *name, uint64_t loader)
{
    const struct hs_class *c = class_called(t, name);
    const struct lineage *own = c != NULL ? lineage_of(t, c->name, loader) : NULL;
    return own != NULL && own->loader == loader && own->row != NULL ? own->row : c;
}

enum status nav_static(struct nav *nav, const char *class_name, uint64_t loader, const char *name,
                       struct expression_value *out, struct error *err)
{
    return nav_static_at(nav, class_name, loader, name, nav->seq, out, err);
}

enum status nav_static_at(struct nav *nav, const char *class_name, uint64_t loader, const char *name, uint64_t seq,
                          struct expression_value *out, struct error *err)
{
    hs_trace *t = nav->trace;
    const struct hs_class *c = class_typed(t, class_name, loader);
    struct hs_event e;
    struct field f;
    bool unrecorded;
    if (c == NULL || !field_find(t, c->name, name, NULL, c->loader_id, &f) || !f.is_static)
        return error_set(err, ERR_NOT_FOUND, "%s has no static field %s", class_name, name);
    if (seq == nav->seq && kept_field(nav, 0, &f, out)) {
        out->type = out->kind == HS_KIND_REF ? type_of_field(t, NULL, &f, c->loader_id) : NULL;
        return OK;
    }
    *out = (struct expression_value){ .seq = HS_NO_SEQ };
    const int found = static_at(t, f, seq, &e, &unrecorded, err);
    if (found > 0)
        *out = (struct expression_value){
            .known = true, .kind = e.kind, .bits = e.value, .seq = e.seq, .unrecorded = unrecorded
        };
    else if (found == 0)
        out->known = static_constant(t, &f, &out->kind, &out->bits, &out->text);
    if (out->text != NULL)
        out->kind = EXPRESSION_TEXT;
    if (found >= 0 && seq == nav->seq)
        keep_field(nav, 0, &f, out);
    if (out->kind == HS_KIND_REF)
        out->type = type_of_field(t, NULL, &f, c->loader_id);
    return found < 0 ? err->status : OK;
}
