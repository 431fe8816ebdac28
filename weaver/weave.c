/* weave.c - weaves a class: reads it, weaves every method, writes it. See weave.h. */
#include "weaver/weave.h"

#include <stdlib.h>
#include <xxhash.h>

#include "formats/windows.h"
#include "weaver/generated.h"
#include "weaver/method.h"
#include "weaver/plan.h"

static void describe(struct class_plan *c, struct class_row *row)
{
    const struct classfile *cf = c->cf;
    row->name = c->name;
    if (!cpool_class(&cf->cp, cf->super_class, &row->super))
        row->super = TEXT_OF("");
    row->major = cf->major;
    row->minor = cf->minor;
    row->access = cf->access;
    row->size = cf->size;
    row->hash = XXH64(cf->data, cf->size, 0);
    row->first_dataid = c->config->first_dataid;
    const struct attribute *a = classfile_attribute(cf, cf->first_attribute, cf->attribute_count, "SourceFile");
    if (a == NULL || a->length != 2 || !cpool_utf8(&cf->cp, be2(a->data), &row->source_file))
        row->source_file = TEXT_OF("");
}

/* From offsets in the added part of the constant pool to offsets in the class file. */
static void place_ids(const struct classfile *cf, struct writer *ids)
{
    enum { BEFORE_POOL = 10 }; /* magic, versions, constant_pool_count */
    for (size_t i = 0; !ids->bad && i < ids->size; i += 4)
        put_le4(ids->data + i, le4(ids->data + i) + (uint32_t)(BEFORE_POOL + cf->cp.size));
}

static enum status weave_methods(struct class_plan *c, struct class_row *row, struct error *err)
{
    struct classfile *cf = c->cf;
    for (uint32_t i = 0; i < cf->methods.count; i++) {
        struct member *m = &cf->methods.items[i];
        struct method_row *r = vec_push(&row->methods);
        unsigned slots;
        struct text result;
        if (r == NULL)
            return error_set(err, ERR_MEMORY, "no memory for the methods of a class");
        *r = (struct method_row){ .access = m->access, .reason = TEXT_OF("") };
        if (!cpool_utf8(&cf->cp, m->name, &r->name) || !cpool_utf8(&cf->cp, m->desc, &r->desc) ||
            !descriptor_measure(r->desc, &slots, &result))
            return error_set(err, ERR_FORMAT, "method %u has no valid name and descriptor", i);
        enum status s = method_weave(c, m, i, r, err);
        if (s != OK)
            return s;
    }
    return OK;
}

/* Texts of the row that live in the arena move to `strings`, which the caller keeps. */
static void keep_reasons(struct weave_result *out)
{
    size_t total = 0;
    for (size_t i = 0; i < out->row.methods.count; i++)
        total += out->row.methods.items[i].reason.size;
    if (total == 0 || !writer_reserve(&out->strings, total))
        total = 0;
    for (size_t i = 0; i < out->row.methods.count; i++) {
        struct text *t = &out->row.methods.items[i].reason;
        if (total == 0) {
            *t = TEXT_OF("");
            continue;
        }
        const char *at = (const char *)out->strings.data + out->strings.size;
        write_bytes(&out->strings, t->data, t->size);
        t->data = at;
    }
}

enum status weave_class(const void *data, size_t size, const struct weave_config *config, struct weave_result *out,
                        struct error *err)
{
    struct classfile cf;
    struct class_plan c = { .cf = &cf, .config = config, .out = out };
    *out = (struct weave_result){ 0 }; /* zero is a dataid_rows that is empty */
    enum status s = classfile_read(&cf, data, size, err);
    if (s == OK && !cpool_class(&cf.cp, cf.this_class, &c.name))
        s = error_set(err, ERR_FORMAT, "this_class is not a class");
    if (s == OK) {
        c.hooks.class_name = config->hook_class;
        c.sources = arena_get(&c.arena, cf.cp.count * sizeof *c.sources);
        c.descriptor_sources = arena_get(&c.arena, SOURCE_CACHE * sizeof *c.descriptor_sources);
        c.facts = arena_get(&c.arena, cf.cp.count * sizeof *c.facts);
        c.items = malloc(SEQUENCE_MAX * sizeof *c.items); /* not zeroed: it is large and little of it is used */
        c.bootstrap = classfile_attribute(&cf, cf.first_attribute, cf.attribute_count, "BootstrapMethods");
        c.frames_required = cf.major >= 50;
        c.release_all = config->order_total ||
                        (config->groups & (GROUP_BIT(EXEC) | GROUP_BIT(CALL))) != (GROUP_BIT(EXEC) | GROUP_BIT(CALL));
        describe(&c, &out->row);
        s = c.sources == NULL || c.items == NULL || c.facts == NULL || c.descriptor_sources == NULL
                ? error_set(err, ERR_MEMORY, "no memory to weave a class")
                : OK;
    }
    const char *generated = s == OK && config->skip_generated ? generated_class(&cf) : NULL;
    if (s == OK && generated == NULL && config->in_generated)
        generated = "nested in a generated class (skip=generated)";
    if (s == OK && generated == NULL && !(cf.access & ACC_MODULE))
        s = weave_methods(&c, &out->row, err);
    if (s == OK && out->hook_calls > 0) {
        classfile_write(&cf, &out->bytes);
        place_ids(&cf, &out->ids);
        if (out->bytes.bad || out->ids.bad || out->triggers.bad || dataid_rows_bad(&out->dataids))
            s = error_set(err, ERR_MEMORY, "no memory for the woven class");
    }
    for (uint32_t i = 0; config->triggers != NULL && !out->triggers.bad && i < out->dataids.count; i++) {
        out->starts += (out->triggers.data[i] & EDGE_START) != 0;
        out->ends += (out->triggers.data[i] & EDGE_END) != 0;
    }
    out->row.dataid_count = out->dataids.count;
    out->row.state = generated != NULL ? CLASS_FILTERED : CLASS_WOVEN;
    if (generated != NULL)
        out->row.reason = (struct text){ generated, strlen(generated) };
    keep_reasons(out); /* also for a class that failed: its row has the reason */
    classfile_done(&cf);
    map_free(&c.class_constants);
    arena_done(&c.arena);
    method_buffers_done(c.buffers);
    writer_free(&c.code);
    free(c.items);
    return s;
}

void weave_result_done(struct weave_result *out)
{
    writer_free(&out->bytes);
    writer_free(&out->strings);
    writer_free(&out->triggers);
    writer_free(&out->ids);
    dataid_rows_done(&out->dataids);
    class_row_done(&out->row);
}

enum status weave_identity(const void *data, size_t size, struct writer *out, struct error *err)
{
    struct classfile cf;
    enum status s = classfile_read(&cf, data, size, err);
    if (s == OK)
        classfile_write(&cf, out);
    classfile_done(&cf);
    return s;
}
