/* classes.c - the classes of a trace by name, and their class files, read when first needed. */
#include "reader/fsck/classes.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The entry of a name; NULL: no class has it. *hash: its key in the map, also if it is missing. */
static struct name_slot *find_name(const struct fsck *f, const char *name, size_t size, uint64_t *hash)
{
    for (*hash = map_hash(name, size);; *hash = map_next_hash(*hash)) {
        struct name_slot *s = map_get(&f->names, *hash);
        if (s == NULL)
            return NULL;
        if (strlen(s->name) == size && memcmp(s->name, name, size) == 0)
            return s;
    }
}

static bool add_name(struct fsck *f, struct fclass *c)
{
    uint64_t hash;
    const char *name = c->row->name;
    struct name_slot *s = find_name(f, name, strlen(name), &hash);
    if (s != NULL) {
        s->c = NULL;
        return true;
    }
    s = map_put(&f->names, hash);
    if (s == NULL)
        return false;
    s->name = name;
    s->c = c;
    return true;
}

bool fclasses_init(struct fsck *f)
{
    size_t n = class_rows(f->trace);
    f->classes = calloc(n + 1, sizeof *f->classes);
    if (f->classes == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct fclass *c = &f->classes[i];
        c->row = class_at(f->trace, i);
        if (!add_name(f, c))
            return false;
    }
    return true;
}

void fclasses_done(struct fsck *f)
{
    free(f->classes);
    map_free(&f->names);
}

struct fclass *class_by_name(struct fsck *f, const char *name, size_t size)
{
    uint64_t hash;
    const struct name_slot *s = find_name(f, name, size, &hash);
    return s != NULL ? s->c : NULL;
}

struct fclass *class_super(struct fsck *f, const struct fclass *c)
{
    return class_by_name(f, c->row->super, strlen(c->row->super));
}

/* While the recording goes on, class files wait in the recorder until a pack of them is full (store_flush_packs). */
static bool is_not_stored_yet(struct fsck *f, const struct fclass *c)
{
    struct text value;
    struct error err = { 0 };
    if (hs_info(f->trace, "end") != NULL || env_begin(&f->trace->env, &err) != OK)
        return false;
    const enum status st = env_get(&f->trace->env, DB_CLASSFILE, c->row->class_no, &value, &err);
    env_end(&f->trace->env);
    return st == ERR_NOT_FOUND;
}

struct fclass *class_need(struct fsck *f, struct fclass *c)
{
    const char *why = NULL;
    if (c == NULL || c->tried)
        return c != NULL && c->usable ? c : NULL;
    c->tried = true;
    if (c->row->state != HS_CLASS_WOVEN)
        return NULL;
    c->cf = class_file(f->trace, c->row, &why);
    if (c->cf == NULL) {
        if (!is_not_stored_yet(f, c))
            fsck_report(f, RULE_code, NO_SEQ, "%s", why != NULL ? why : "a class file cannot be read");
        return NULL;
    }
    if (c->cf->size != c->row->size_bytes || XXH64(c->cf->data, c->cf->size, 0) != c->row->hash) {
        fsck_report(f, RULE_code, NO_SEQ, "class %s: its class file is not the one it was woven from", c->row->name);
        return NULL;
    }
    c->fields = arena_array(&f->arena, c->cf->fields.count, sizeof *c->fields);
    if (c->fields == NULL && c->cf->fields.count > 0) {
        f->no_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < c->cf->fields.count; i++) {
        const struct member *m = &c->cf->fields.items[i];
        c->fields[i] = (struct ffield){ .declares = c,
                                        .key = ((uint64_t)c->row->class_no << 16 | i) + 1,
                                        .thread = UINT32_MAX,
                                        .is_volatile = (m->access & ACC_VOLATILE) != 0,
                                        .is_private = (m->access & ACC_PRIVATE) != 0,
                                        .is_static = (m->access & ACC_STATIC) != 0 };
    }
    c->usable = true;
    return c;
}

/* ---- the code of all classes ---- */

static void check_method(struct fsck *f, const struct fclass *c, const struct hs_method *row)
{
    const struct method *m = method_of_row(f->trace, row);
    const char *fault = m != NULL ? m->fault : "its code cannot be read";
    if (fault != NULL)
        fsck_report(f, RULE_code, NO_SEQ, "%s.%s: %s", c->row->name, row->name, fault);
}

static void check_events(struct fsck *f, const struct fclass *c)
{
    const struct hs_method *last = NULL;
    const uint32_t end = c->row->first_dataid + c->row->dataid_count;
    for (uint32_t id = c->row->first_dataid; id < end && id < f->event_count; id++) {
        const struct code_event *e = &f->events[id];
        char text[256];
        (void)method_of_event(f->trace, id);
        const struct hs_method *row = e->row != NULL ? method_row(f->trace, e->row->method_id) : NULL;
        if (row != NULL && row != last)
            check_method(f, c, row);
        last = row;
        if (e->fault == NULL)
            continue;
        code_event_text(e, text, sizeof text);
        fsck_report(f, RULE_code, NO_SEQ, "data ID %u: %s: %s", id, text, e->fault);
    }
}

void fsck_code(struct fsck *f)
{
    for (size_t i = 0; i < class_rows(f->trace); i++)
        if (f->classes[i].row->dataid_count > 0 && class_need(f, &f->classes[i]) != NULL)
            check_events(f, &f->classes[i]);
}
