/* location.c - see location.h. */
#include "reader/query/location.h"
#include "formats/nearest.h"
#include "reader/query/contents.h"
#include "reader/query/creation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parsing ---- */

/* A copy of text[0, n) with NUL. */
static char *part(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (copy != NULL) {
        memcpy(copy, text, n);
        copy[n] = '\0';
    }
    return copy;
}

static bool number(const char *text, size_t n, uint64_t *out)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || v > (UINT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (unsigned)(text[i] - '0');
    }
    *out = v;
    return n > 0;
}

static bool add_id(u32_vec *ids, uint32_t id)
{
    uint32_t *to = vec_push(ids);
    if (to != NULL)
        *to = id;
    return to != NULL;
}

/* ---- fields ---- */

static bool has_field(const struct location *l, struct field f)
{
    for (size_t i = 0; i < l->fields.count; i++)
        if (field_same(l->fields.items[i], f))
            return true;
    return false;
}

static bool add_field(struct location *l, struct field f)
{
    struct field *to = has_field(l, f) ? &f : vec_push(&l->fields);
    if (to != NULL)
        *to = f;
    return to != NULL;
}

/* Adds the fields that the name resolves to from a class on: of a type, or (NULL) all that their class declares. */
static bool add_named(hs_trace *t, struct location *l, const struct lineage *c, const char *name, const char *type)
{
    struct field f;
    if (!field_find_in(t, c, name, type, &f))
        return true;
    const struct lineage *own = type == NULL ? lineage_of(t, f.declaring, c->loader) : NULL;
    for (size_t i = 0; own != NULL && i < own->field_count; i++) {
        const struct hs_field *d = &own->fields[i];
        if (strcmp(d->name, name) == 0 && d->is_static == f.is_static &&
            !add_field(l, (struct field){ own->name, d->name, d->type, d->is_static, d->is_final, own->loader }))
            return false;
    }
    return add_field(l, f);
}

/* The data IDs of an event type that put one of the fields. */
static bool add_puts(hs_trace *t, struct location *l, unsigned event, const char *name)
{
    size_t count;
    const struct site *sites = sites_named(t, event, name, &count);
    for (size_t i = 0; i < count; i++)
        if (has_field(l, sites_field(t, sites[i].dataid)) && !add_id(&l->ids, sites[i].dataid))
            return false;
    return true;
}

/* Does a class between `own` and its superclass `c` declare the name too? */
static bool is_hidden(hs_trace *t, const struct lineage *own, const struct lineage *c, const char *name)
{
    bool unknown;
    for (; own != NULL && own != c; own = lineage_super(t, own, &unknown))
        for (size_t i = 0; i < own->field_count; i++)
            if (strcmp(own->fields[i].name, name) == 0)
                return true;
    return false;
}

/* "x, y and 3 more" of a class, for messages. */
static void field_names(hs_trace *t, const struct lineage *own, char *out, size_t size)
{
    const struct lineage *c = own;
    size_t at = 0, left = 0;
    bool unknown;
    out[0] = '\0';
    for (; c != NULL; c = lineage_super(t, c, &unknown))
        for (size_t i = 0; i < c->field_count; i++) {
            size_t n = strlen(c->fields[i].name);
            if (is_hidden(t, own, c, c->fields[i].name))
                continue;
            if (at + n + 24 >= size) {
                left++;
                continue;
            }
            at += (size_t)snprintf(out + at, size - at, "%s%s", at > 0 ? ", " : "", c->fields[i].name);
        }
    if (left > 0)
        (void)snprintf(out + at, size - at, " and %zu more", left);
}

static enum status no_class(hs_trace *t, const char *glob, const char *state, struct error *err)
{
    struct nearest n;
    char text[NEAREST_TEXT_MAX];
    nearest_init(&n, glob);
    for (size_t i = 0; lineage_name_at(t, i) != NULL; i++)
        nearest_offer_class(&n, lineage_name_at(t, i));
    return error_set(err, ERR_NOT_FOUND, "%s: no class '%s' is %s%s", t->dir, glob, state, nearest_text(&n, text));
}

static enum status no_field(hs_trace *t, const char *what, const struct lineage *c, const char *name, struct error *err)
{
    char names[200], text[NEAREST_TEXT_MAX];
    struct nearest n;
    bool unknown;
    field_names(t, c, names, sizeof names);
    nearest_init(&n, name);
    for (; c != NULL; c = lineage_super(t, c, &unknown))
        for (size_t i = 0; i < c->field_count; i++)
            nearest_offer(&n, c->fields[i].name);
    return error_set(err, ERR_NOT_FOUND, "%s: %s has no field '%s'%s%s%s", t->dir, what, name, nearest_text(&n, text),
                     names[0] != '\0' ? "; it has " : "", names);
}

/* Adds the fields that the name resolves to in classes matching the glob; *seen is one of the classes, NULL: none
 * matches. */
static enum status find_fields(hs_trace *t, struct location *l, const char *name, const char *type,
                               const struct lineage **seen, struct error *err)
{
    unsigned events[EVENT_LIMIT];
    size_t event_count = event_list(USE_READ_FIELD | USE_WRITE_FIELD, events);
    struct field f;
    *seen = NULL;
    for (size_t i = 0;; i++) {
        const char *class_name = lineage_name_at(t, i);
        if (class_name == NULL)
            break;
        if (!hs_class_matches(l->class_glob, class_name))
            continue;
        *seen = lineage_at(t, i);
        if (!add_named(t, l, *seen, name, type))
            return state_memory(t, err);
    }
    for (size_t e = 0; e < event_count; e++) { /* classes that only instructions name */
        size_t count;
        const struct site *sites = sites_named(t, events[e], name, &count);
        for (size_t i = 0; i < count; i++) {
            const struct hs_dataid *d = hs_dataid_get(t, sites[i].dataid);
            const char *owner = d != NULL ? attribute_text(d, "owner") : NULL;
            f = sites_field(t, sites[i].dataid);
            if ((type == NULL || strcmp(f.type, type) == 0) &&
                ((owner != NULL && hs_class_matches(l->class_glob, owner)) ||
                 hs_class_matches(l->class_glob, f.declaring)) &&
                !add_field(l, f))
                return state_memory(t, err);
        }
    }
    return OK;
}

static enum status add_all_puts(hs_trace *t, struct location *l, const char *name, struct error *err)
{
    for (unsigned e = 1; e < EVENT_LIMIT; e++) {
        bool wanted =
            event_has(e, USE_WRITE_FIELD) && (l->kind == LOCATION_FIELD || !event_has(e, USE_STATIC | USE_EARLY));
        if (wanted && !add_puts(t, l, e, name))
            return state_memory(t, err);
    }
    return OK;
}

static enum status parse_field(hs_trace *t, const char *class_glob, size_t n, const char *name, const char *type,
                               struct location *l, struct error *err)
{
    const struct lineage *seen;
    l->kind = LOCATION_FIELD;
    l->class_glob = part(class_glob, n);
    if (l->class_glob == NULL)
        return state_memory(t, err);
    enum status st = find_fields(t, l, name, type, &seen, err);
    if (st != OK)
        return st;
    if (l->fields.count == 0 && seen == NULL)
        return no_class(t, l->class_glob, "recorded", err);
    if (l->fields.count == 0)
        return no_field(t, seen->name, seen, name, err);
    return add_all_puts(t, l, name, err);
}

/* ---- fields and elements of one object ---- */

static bool is_shown(hs_trace *t, uint32_t id)
{
    struct walk w;
    struct hs_event e;
    walk_open_object(&w, t, id);
    bool any = walk_next(&w, &e);
    return walk_close(&w, NULL) == OK && any;
}

/* `unknown` becomes an object that events show, and that has no row: its row was dropped. */
static const struct hs_object *object_named(hs_trace *t, const char *type, size_t type_size, uint64_t id,
                                            struct hs_object *unknown, struct error *err)
{
    const struct hs_object *o = id != 0 && id <= UINT32_MAX ? hs_object_get(t, (uint32_t)id) : NULL;
    if (o == NULL && id <= UINT32_MAX && id != 0 && is_shown(t, (uint32_t)id)) {
        *unknown = (struct hs_object){ .id = (uint32_t)id };
        o = unknown;
    }
    if (o == NULL) {
        (void)error_set(err, ERR_NOT_FOUND, "%s: there is no object %llu%s", t->dir, (unsigned long long)id,
                        hs_info(t, "dropped") != NULL ? " in what was not dropped" : "");
        return NULL;
    }
    char *name = part(type, type_size);
    bool fits = type_size == 0 || (name != NULL && hs_class_matches(name, o->type != NULL ? o->type : "object"));
    if (!fits)
        (void)error_set(err, ERR_NOT_FOUND, "%s: object %llu is of type %s, not %s", t->dir, (unsigned long long)id,
                        o->type != NULL ? o->type : "unknown", name != NULL ? name : "that");
    free(name);
    return fits ? o : NULL;
}

static const struct lineage *object_class(hs_trace *t, const struct hs_object *o)
{
    const struct hs_type *type = o != NULL ? hs_type_get(t, o->class_id) : NULL;
    return type != NULL ? lineage_of(t, type->name, type->loader) : NULL;
}

/* Fields of that name that instructions access on objects whose class the trace does not know. */
static bool fields_by_name(hs_trace *t, struct location *l, const char *class_glob, const char *name, const char *type)
{
    for (unsigned event = 1; event < EVENT_LIMIT; event++) {
        if (!event_has(event, USE_READ_FIELD | USE_WRITE_FIELD) || event_has(event, USE_STATIC))
            continue;
        size_t count;
        const struct site *sites = sites_named(t, event, name, &count);
        for (size_t i = 0; i < count; i++) {
            struct field f = sites_field(t, sites[i].dataid);
            if ((class_glob == NULL || hs_class_matches(class_glob, f.declaring)) &&
                (type == NULL || strcmp(f.type, type) == 0) && !add_field(l, f))
                return false;
        }
    }
    return true;
}

static enum status find_object_field(hs_trace *t, const struct hs_object *o, const char *class_glob, const char *name,
                                     const char *type, struct location *l, struct error *err)
{
    struct field f;
    bool unknown = false, known_class = false;
    const struct lineage *own = object_class(t, o), *c = own;
    char what[200];
    for (; c != NULL && class_glob != NULL && !hs_class_matches(class_glob, c->name); c = lineage_super(t, c, &unknown))
        ;
    known_class = c != NULL;
    if (known_class && field_find_in(t, c, name, type, &f) && f.is_static)
        return error_set(err, ERR_NOT_FOUND, "%s: %s.%s is static: name it %s.%s, without an object", t->dir,
                         f.declaring, name, f.declaring, name);
    if (known_class && !add_named(t, l, c, name, type))
        return state_memory(t, err);
    if (l->fields.count > 0)
        return OK;
    (void)snprintf(what, sizeof what, "object %u (%.150s)", o->id, o->type != NULL ? o->type : "of unknown type");
    for (c = own; c != NULL; c = lineage_super(t, c, &unknown))
        ;
    if (own == NULL || unknown) {
        if (!fields_by_name(t, l, class_glob, name, type))
            return state_memory(t, err);
        if (l->fields.count > 0)
            return OK;
    } else if (!known_class) {
        return error_set(err, ERR_NOT_FOUND, "%s: %s is not a '%s'", t->dir, what, class_glob);
    }
    return no_field(t, what, own, name, err);
}

static enum status parse_object_field(hs_trace *t, const struct hs_object *o, const char *rest, struct location *l,
                                      struct error *err)
{
    const size_t n = strcspn(rest, ":");
    const char *type = rest[n] == ':' ? rest + n + 1 : NULL;
    char *whole = part(rest, n), *dot = whole != NULL ? strrchr(whole, '.') : NULL;
    if (whole == NULL)
        return state_memory(t, err);
    const char *name = dot != NULL ? dot + 1 : whole, *class_glob = dot != NULL ? whole : NULL;
    if (name[0] == '\0' || dot == whole) {
        free(whole);
        return error_set(err, ERR_USAGE, "'%s' names no field", rest);
    }
    if (dot != NULL)
        *dot = '\0';
    l->kind = LOCATION_OBJECT_FIELD;
    l->object = o->id;
    enum status st = find_object_field(t, o, class_glob, name, type, l, err);
    if (st == OK)
        st = add_all_puts(t, l, name, err);
    free(whole);
    return st;
}

enum status location_of_field(hs_trace *t, uint32_t object, struct field f, struct location *out, struct error *err)
{
    *out = (struct location){ .kind = object != 0 ? LOCATION_OBJECT_FIELD : LOCATION_FIELD, .object = object };
    return add_field(out, f) ? add_all_puts(t, out, f.name, err) : state_memory(t, err);
}

enum status location_of_element(hs_trace *t, uint32_t array, uint64_t index, struct location *out, struct error *err)
{
    *out = (struct location){ .kind = LOCATION_ELEMENT, .object = array, .index = index };
    return walk_add_sites(t, EVENT_ARRAY_STORE, &out->ids) ? OK : state_memory(t, err);
}

/* ID.field, ID[index], and either with "Type#" before it; ERR_UNSUPPORTED: the text begins otherwise. */
static enum status parse_object(hs_trace *t, const char *text, struct location *l, struct error *err)
{
    const char *hash = strchr(text, '#'), *digits = hash != NULL ? hash + 1 : text;
    size_t n = strspn(digits, "0123456789"), size = strlen(digits);
    uint64_t id = 0, index = 0;
    if (n == 0 || (digits[n] != '.' && digits[n] != '[') ||
        (hash != NULL && memchr(text, ':', (size_t)(hash - text)) != NULL))
        return ERR_UNSUPPORTED;
    bool element = digits[n] == '[';
    if (!number(digits, n, &id) ||
        (element && (size < n + 3 || digits[size - 1] != ']' || !number(digits + n + 1, size - n - 2, &index))))
        return error_set(err, ERR_USAGE, "'%s' is not ID[index] or ID.field with decimal numbers", text);
    struct hs_object unknown;
    const struct hs_object *o = object_named(t, text, hash != NULL ? (size_t)(hash - text) : 0, id, &unknown, err);
    if (o == NULL)
        return err->status;
    if (!element)
        return parse_object_field(t, o, digits + n + 1, l, err);
    if (o->type != NULL && contents_class_named(o->type) != NULL)
        return error_set(err, ERR_NOT_FOUND,
                         "%s: object %llu is of type %s, not an array: hindsight object %llu --at SEQ shows what it "
                         "held at a moment",
                         t->dir, (unsigned long long)id, o->type, (unsigned long long)id);
    if (o->type != NULL && strchr(o->type, '[') == NULL)
        return error_set(err, ERR_NOT_FOUND, "%s: object %llu is of type %s, not an array", t->dir,
                         (unsigned long long)id, o->type);
    bool known;
    uint64_t length = 0;
    enum status st = array_length(t, (uint32_t)id, &known, &length, err);
    if (st == OK && known && index >= length)
        return error_set(err, ERR_NOT_FOUND, "%s: array %llu has %llu elements, there is none at [%llu]", t->dir,
                         (unsigned long long)id, (unsigned long long)length, (unsigned long long)index);
    return st == OK ? location_of_element(t, (uint32_t)id, index, l, err) : st;
}

/* ---- local variables ---- */

struct local_name {
    const char *class_glob, *method_glob, *name;
    uint64_t slot; /* UINT64_MAX: by name */
    bool class_seen, method_seen;
};

static bool add_locals(hs_trace *t, unsigned event, struct local_name *want, struct location *l)
{
    size_t count;
    const site_vec *all = sites_of(t, event);
    const struct site *sites = want->slot != UINT64_MAX ? all->items : sites_named(t, event, want->name, &count);
    if (want->slot != UINT64_MAX)
        count = all->count;
    for (size_t i = 0; i < count; i++) {
        const struct hs_method *m = hs_method_get(t, sites[i].method_id);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        if (c != NULL && hs_class_matches(want->class_glob, c->name) &&
            hs_method_matches(want->method_glob, m->name, m->desc) &&
            (want->slot == UINT64_MAX || effects_get(t, sites[i].dataid)->slot == want->slot) &&
            !add_id(&l->ids, sites[i].dataid))
            return false;
    }
    return true;
}

/* For the message: is there such a class, and such a method in it? */
static void search_method(hs_trace *t, struct local_name *want)
{
    for (size_t i = 0; i < class_rows(t); i++) {
        const struct hs_class *c = class_at(t, i);
        if (c->state != HS_CLASS_WOVEN || !hs_class_matches(want->class_glob, c->name))
            continue;
        want->class_seen = true;
        for (uint32_t m = 0; m < c->method_count; m++)
            want->method_seen |= hs_method_matches(want->method_glob, c->methods[m]->name, c->methods[m]->desc);
    }
}

static enum status parse_local(hs_trace *t, const char *text, const char *colon, struct location *l, struct error *err)
{
    size_t n = (size_t)(colon - text), end = 0, dot = 0;
    struct local_name want = { .name = colon + 1, .slot = UINT64_MAX };
    l->kind = LOCATION_LOCAL;
    while (end < n && text[end] != '(')
        end++;
    for (size_t i = 0; i < end; i++)
        if (text[i] == '.')
            dot = i;
    if (dot == 0 || dot + 1 >= n || colon[1] == '\0' ||
        (colon[1] == '#' && !number(colon + 2, strlen(colon + 2), &want.slot)))
        return error_set(err, ERR_USAGE, "'%s' is not Class.method:local or Class.method:#slot", text);
    char *class_glob = part(text, dot), *method_glob = part(text + dot + 1, n - dot - 1);
    want.class_glob = class_glob;
    want.method_glob = method_glob;
    bool ok = class_glob != NULL && method_glob != NULL;
    for (unsigned e = 1; e < EVENT_LIMIT && ok; e++)
        ok = !event_has(e, USE_WRITE_LOCAL) || add_locals(t, e, &want, l);
    enum status st = ok ? OK : state_memory(t, err);
    if (ok && l->ids.count == 0) {
        search_method(t, &want);
        if (!want.class_seen)
            st = no_class(t, class_glob, "woven", err);
        else if (!want.method_seen)
            st = error_set(err, ERR_NOT_FOUND, "%s: class %s has no method '%s'", t->dir, class_glob, method_glob);
        else
            st = error_set(err, ERR_NOT_FOUND, "%s: no event writes a local variable '%s' in %s.%s", t->dir, want.name,
                           class_glob, method_glob);
    }
    free(class_glob);
    free(method_glob);
    return st;
}

/* "Class.field:type", as answers name a field of a class that declares several of its name. */
static enum status parse_typed_field(hs_trace *t, const char *text, const char *colon, struct location *l)
{
    struct error none;
    char *whole = part(text, (size_t)(colon - text)), *dot = whole != NULL ? strrchr(whole, '.') : NULL;
    enum status st = ERR_NOT_FOUND;
    if (dot != NULL && dot != whole) {
        location_done(l);
        *l = (struct location){ .kind = LOCATION_FIELD };
        st = parse_field(t, whole, (size_t)(dot - whole), dot + 1, colon + 1, l, &none);
    }
    free(whole);
    return st;
}

/* ---- all forms ---- */

enum status location_parse(hs_trace *t, const char *text, struct location *l, struct error *err)
{
    const char *dot = strrchr(text, '.'), *colon = strrchr(text, ':');
    uint64_t id = 0;
    *l = (struct location){ .kind = LOCATION_DATAID };
    if (number(text, strlen(text), &id)) {
        if (id >= t->kind_count)
            return error_set(err, ERR_NOT_FOUND, "%s: there is no data ID %s, the last one is %u", t->dir, text,
                             t->kind_count == 0 ? 0 : t->kind_count - 1);
        return add_id(&l->ids, same_place(t, (uint32_t)id)) ? OK : state_memory(t, err);
    }
    enum status st = parse_object(t, text, l, err);
    if (st != ERR_UNSUPPORTED)
        return st;
    if (colon != NULL) {
        st = parse_local(t, text, colon, l, err);
        return st == ERR_NOT_FOUND && parse_typed_field(t, text, colon, l) == OK ? OK : st;
    }
    if (dot != NULL && dot != text && dot[1] != '\0')
        return parse_field(t, text, (size_t)(dot - text), dot + 1, NULL, l, err);
    return error_set(err, ERR_USAGE, "'%s' is not " LOCATION_FORMS, text);
}

void location_done(struct location *l)
{
    vec_free(&l->fields);
    vec_free(&l->ids);
    free(l->class_glob);
    l->class_glob = NULL;
}

bool location_has(hs_trace *t, const struct location *l, uint32_t dataid, uint64_t object)
{
    bool unknown = false;
    if (l->kind != LOCATION_FIELD || l->class_glob == NULL || event_type(t, dataid) == EVENT_PUT_STATIC_FIELD ||
        hs_class_matches(l->class_glob, sites_field(t, dataid).declaring))
        return true;
    const struct hs_dataid *d = hs_dataid_get(t, dataid);
    const char *owner = d != NULL ? attribute_text(d, "owner") : NULL;
    if (owner != NULL && hs_class_matches(l->class_glob, owner))
        return true; /* the object is of that class: the instruction names it */
    const struct hs_object *o = object != 0 && object <= UINT32_MAX ? hs_object_get(t, (uint32_t)object) : NULL;
    for (const struct lineage *c = object_class(t, o); c != NULL; c = lineage_super(t, c, &unknown))
        if (hs_class_matches(l->class_glob, c->name))
            return true;
    return false;
}
