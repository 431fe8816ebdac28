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
    for (size_t i = 0; f->classes != NULL && i < class_rows(f->trace); i++) {
        struct fclass *c = &f->classes[i];
        if (c->tried)
            classfile_done(&c->cf);
        free((void *)(uintptr_t)c->bytes.data);
    }
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

/* In a transaction: copies the class file. */
static enum status copy_bytes(struct fsck *f, struct fclass *c, struct error *err)
{
    struct text value;
    enum status st = env_get(&f->trace->env, DB_CLASSFILE, c->row->class_no, &value, err);
    if (st == ERR_NOT_FOUND)
        return error_set(err, st, "class %s has no class file", c->row->name);
    if (st != OK)
        return st;
    char *copy = malloc(value.size + 1);
    if (copy == NULL)
        return error_memory(err, "class %s", c->row->name);
    memcpy(copy, value.data, value.size);
    c->bytes = (struct text){ copy, value.size };
    return OK;
}

static enum status read_class(struct fsck *f, struct fclass *c, struct error *err)
{
    enum status st = env_begin(&f->trace->env, err);
    if (st != OK)
        return st;
    st = copy_bytes(f, c, err);
    env_end(&f->trace->env);
    if (st != OK)
        return st;
    if (c->bytes.size != c->row->size_bytes || XXH64(c->bytes.data, c->bytes.size, 0) != c->row->hash)
        return error_set(err, ERR_FORMAT, "class %s: its class file is not the one it was woven from", c->row->name);
    st = classfile_read(&c->cf, c->bytes.data, c->bytes.size, err);
    if (st != OK)
        return st;
    if (c->cf.methods.count != c->row->method_count)
        return error_set(err, ERR_FORMAT, "class %s: %zu methods in the class file, %u rows", c->row->name,
                         c->cf.methods.count, c->row->method_count);
    return OK;
}

struct fclass *class_need(struct fsck *f, struct fclass *c)
{
    struct error err = { 0 };
    if (c == NULL || c->tried)
        return c != NULL && c->usable ? c : NULL;
    c->tried = true;
    if (c->row->state != HS_CLASS_WOVEN)
        return NULL;
    enum status st = read_class(f, c, &err);
    if (st != OK) {
        f->no_memory |= st == ERR_MEMORY;
        fsck_report(f, RULE_code, NO_SEQ, "%s", err.text);
        return NULL;
    }
    c->fields = arena_array(&f->arena, c->cf.fields.count, sizeof *c->fields);
    if (c->fields == NULL && c->cf.fields.count > 0) {
        f->no_memory = true;
        return NULL;
    }
    for (size_t i = 0; i < c->cf.fields.count; i++) {
        const struct member *m = &c->cf.fields.items[i];
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
