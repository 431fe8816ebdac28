/* methods.c - class files of a trace, and the methods in them: see method.h. */
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/mutf8.h"
#include "reader/code/code.h"

/* ---- class files ---- */

struct class_code {
    bool read;       /* reading it was tried */
    const char *why; /* it could not be read; NULL */
    char *bytes;     /* the class file, NULL if there is none */
    struct classfile cf;
    struct method *methods; /* by position in the class row; `classfile` NULL: not read */
};

struct codes {
    struct class_code *classes; /* by position in hs_trace.classes */
    size_t count;
};

static void codes_free(void *what)
{
    struct codes *codes = what;
    for (size_t i = 0; i < codes->count; i++) {
        struct class_code *k = &codes->classes[i];
        for (size_t m = 0; k->methods != NULL && m < k->cf.methods.count; m++) {
            producers_free(&k->methods[m]);
            method_control_free(&k->methods[m]);
            code_done(&k->methods[m].code);
        }
        if (k->bytes != NULL)
            classfile_done(&k->cf);
        free(k->methods);
        free(k->bytes);
    }
    free(codes->classes);
    free(codes);
}

/* Notes why a class file cannot be used. */
static void refuse(hs_trace *t, struct class_code *k, const struct error *err)
{
    if (err->status == ERR_MEMORY)
        trace_no_memory(t);
    k->why = trace_text(t, (struct text){ err->text, strlen(err->text) }, false);
}

/* Copies the class file out of the trace. */
static enum status read_bytes(hs_trace *t, const struct hs_class *c, struct class_code *k, size_t *size,
                              struct error *err)
{
    struct text value;
    enum status st = env_begin(&t->env, err);
    if (st != OK)
        return st;
    st = env_get(&t->env, DB_CLASSFILE, c->class_no, &value, err);
    if (st == OK) {
        k->bytes = malloc(value.size + 1);
        if (k->bytes == NULL)
            st = error_memory(err, "class %s", c->name);
        else
            memcpy(k->bytes, value.data, value.size);
        *size = value.size;
    } else if (st == ERR_NOT_FOUND) {
        (void)error_set(err, st, "class %s has no class file", c->name);
    }
    env_end(&t->env);
    return st;
}

static struct codes *codes_of(hs_trace *t)
{
    struct codes *codes = trace_attached(t, ATTACHED_CODES);
    if (codes != NULL)
        return codes;
    size_t count = class_rows(t);
    codes = calloc(1, sizeof *codes);
    if (codes != NULL)
        codes->classes = calloc(count + 1, sizeof *codes->classes);
    if (codes == NULL || codes->classes == NULL) {
        free(codes);
        trace_no_memory(t);
        return NULL;
    }
    codes->count = count;
    trace_attach(t, ATTACHED_CODES, codes, codes_free);
    return codes;
}

static enum status read_class(hs_trace *t, const struct hs_class *c, struct class_code *k, struct error *err)
{
    size_t size = 0;
    enum status st = read_bytes(t, c, k, &size, err);
    if (st != OK) {
        if (st != ERR_NOT_FOUND)
            trace_damaged(t, err);
        return st;
    }
    st = classfile_read(&k->cf, k->bytes, size, err);
    if (st == OK && k->cf.methods.count != c->method_count)
        st = error_set(err, ERR_FORMAT, "class %s: %zu methods in the class file, %u rows", c->name,
                       k->cf.methods.count, c->method_count);
    if (st == OK) {
        k->methods = calloc((size_t)c->method_count + 1, sizeof *k->methods);
        st = k->methods != NULL ? OK : error_memory(err, "the methods of class %s", c->name);
    }
    if (st == OK)
        return OK;
    classfile_done(&k->cf);
    free(k->bytes);
    k->bytes = NULL;
    return st;
}

static struct class_code *class_code(hs_trace *t, const struct hs_class *c)
{
    struct error err;
    struct codes *codes = codes_of(t);
    const size_t position = class_position(t, c);
    if (codes == NULL || position >= codes->count)
        return NULL;
    struct class_code *k = &codes->classes[position];
    if (!k->read) {
        k->read = true;
        if (read_class(t, c, k, &err) != OK)
            refuse(t, k, &err);
    }
    return k;
}

const struct classfile *class_file(hs_trace *t, const struct hs_class *c, const char **why)
{
    const struct class_code *k = class_code(t, c);
    if (why != NULL)
        *why = k != NULL ? k->why : NULL;
    return k != NULL && k->bytes != NULL ? &k->cf : NULL;
}

/* ---- methods ---- */

bool name_is(struct text name, const char *utf8) { return mutf8_is(name.data, name.size, utf8); }

static const char *keep_utf8(hs_trace *t, const struct classfile *cf, uint32_t index)
{
    struct text s;
    struct writer w = { 0 };
    if (!cpool_utf8(&cf->cp, index, &s))
        return NULL;
    (void)mutf8_to_utf8(s.data, s.size, &w);
    const char *kept = w.bad ? NULL : trace_text(t, (struct text){ (const char *)w.data, w.size }, false);
    if (w.bad)
        trace_no_memory(t);
    writer_free(&w);
    return kept;
}

static void read_variables(hs_trace *t, struct method *m, const struct attribute *a)
{
    struct reader r = reader_of(a->data, a->length);
    uint32_t n = read_u2(&r), kept = 0;
    struct variable_scope *v = arena_array(&t->arena, n, sizeof *v);
    for (uint32_t i = 0; v != NULL && i < n; i++) {
        uint32_t start = read_u2(&r), length = read_u2(&r), name = read_u2(&r), desc = read_u2(&r);
        uint16_t slot = read_u2(&r);
        if (r.bad || start > m->code.length || length > m->code.length - start)
            break;
        v[kept] = (struct variable_scope){ .name = keep_utf8(t, m->classfile, name),
                                           .desc = keep_utf8(t, m->classfile, desc),
                                           .start = start,
                                           .end = start + length,
                                           .slot = slot };
        kept += v[kept].name != NULL && v[kept].desc != NULL;
    }
    if (v == NULL && n > 0)
        trace_no_memory(t);
    m->variables = v;
    m->variable_count = v != NULL ? kept : 0;
}

/* LocalVariableTypeTable, whose rows javac and ecj write in the order of the other table. */
static void read_variable_types(hs_trace *t, struct method *m, const struct attribute *a)
{
    enum { LOOKS_MAX = 1 << 20 };
    struct reader r = reader_of(a->data, a->length);
    const uint32_t n = read_u2(&r);
    struct variable_scope *all = (struct variable_scope *)(uintptr_t)m->variables;
    for (uint32_t i = 0, at = 0, looks = 0; i < n; i++) {
        const uint32_t start = read_u2(&r);
        (void)read_u2(&r);
        struct text name = { "", 0 };
        const bool named = cpool_utf8(&m->classfile->cp, read_u2(&r), &name);
        const uint32_t signature = read_u2(&r);
        const uint16_t slot = read_u2(&r);
        if (r.bad || !named)
            return;
        for (uint32_t k = 0; k < m->variable_count && looks++ < LOOKS_MAX; k++) {
            struct variable_scope *v = &all[(at + k) % m->variable_count];
            if (v->slot != slot || v->start != start || !name_is(name, v->name))
                continue;
            v->signature = keep_utf8(t, m->classfile, signature);
            at = (at + k) % m->variable_count;
            break;
        }
    }
}

/* A method may have several of these attributes. */
static void read_lines(hs_trace *t, struct method *m, const struct attribute *a)
{
    struct reader r = reader_of(a->data, a->length);
    const uint32_t n = read_u2(&r);
    struct line_entry *all = arena_array(&t->arena, (size_t)m->line_count + n, sizeof *all);
    if (all == NULL) {
        trace_no_memory(t);
        return;
    }
    if (m->line_count > 0)
        memcpy(all, m->lines, m->line_count * sizeof *all);
    m->lines = all;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t pc = read_u2(&r);
        const int32_t line = read_u2(&r);
        if (r.bad)
            return;
        all[m->line_count++] = (struct line_entry){ pc, line };
    }
}

static const struct attribute *attribute_of(const struct method *m, const struct member *member, const char *name)
{
    return classfile_attribute(m->classfile, member->first_attribute, member->attribute_count, name);
}

/* Is the method annotated as an intrinsic, whose code the JVM may replace? Then calls need not enter it. */
static bool is_intrinsic(const struct method *m, const struct member *member)
{
    const struct attribute *a = attribute_of(m, member, "RuntimeVisibleAnnotations");
    const uint32_t type =
        a != NULL ? cpool_find_utf8(&m->classfile->cp, "Ljdk/internal/vm/annotation/IntrinsicCandidate;") : 0;
    for (uint32_t i = 0; type != 0 && i + 2 <= a->length; i++)
        if (be2(a->data + i) == type)
            return true;
    return false;
}

/* What its instructions say of the method. */
static void look_at_insns(struct method *m)
{
    m->has_this = !m->is_static;
    for (size_t i = 0; i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        if (in->local == 0 && (op_table[in->op].flags & OP_STORE) != 0)
            m->has_this = false;
        m->has_monitors |= in->op == OPC_monitorenter || in->op == OPC_monitorexit;
    }
}

/* Reads the Code attribute; false: it cannot be parsed. */
static bool read_code(hs_trace *t, struct method *m, const struct attribute *a)
{
    struct error err;
    const enum status st = code_read(&m->code, a->data, a->length, &err);
    if (st == ERR_MEMORY)
        trace_no_memory(t);
    if (st != OK)
        return false;
    (void)code_measure(&m->code, &m->classfile->cp);
    for (size_t i = 0; i < m->code.attributes.count; i++) {
        const struct attribute *inner = &m->code.attributes.items[i];
        struct text name;
        if (!cpool_utf8(&m->classfile->cp, inner->name, &name))
            continue;
        if (m->variables == NULL && text_is(name, "LocalVariableTable"))
            read_variables(t, m, inner);
        if (text_is(name, "LineNumberTable"))
            read_lines(t, m, inner);
    }
    for (size_t i = 0; i < m->code.attributes.count; i++) { /* behind the other table, wherever it stands */
        const struct attribute *inner = &m->code.attributes.items[i];
        struct text name;
        if (cpool_utf8(&m->classfile->cp, inner->name, &name) && text_is(name, "LocalVariableTypeTable"))
            read_variable_types(t, m, inner);
    }
    return true;
}

const struct member *method_member(const struct classfile *cf, const struct hs_class *c, const struct hs_method *row)
{
    const uint32_t at = c->method_count > 0 ? row->method_id - c->methods[0]->method_id : 0;
    return at < cf->methods.count ? &cf->methods.items[at] : NULL;
}

/* The method of its row in the class file; its code has no bytes if it has none, or that is malformed. */
static void read_method(hs_trace *t, struct method *m, const struct class_code *k, const struct hs_class *c,
                        const struct hs_method *row)
{
    const struct member *member = method_member(&k->cf, c, row);
    const struct attribute *a;
    struct text name, desc, result;
    unsigned arguments;
    *m = (struct method){ .row = row, .owner = c, .classfile = &k->cf, .exit_id = NO_ID };
    /* methods have rows in their order; names of the row are in UTF-8, and say nothing here */
    if (!cpool_utf8(&k->cf.cp, member->name, &name) || !cpool_utf8(&k->cf.cp, member->desc, &desc) ||
        !descriptor_measure(desc, &arguments, &result))
        return;
    m->is_static = (member->access & ACC_STATIC) != 0;
    m->is_constructor = text_is(name, "<init>");
    m->has_monitors = (member->access & ACC_SYNCHRONIZED) != 0;
    m->is_intrinsic = is_intrinsic(m, member);
    a = attribute_of(m, member, "Code");
    if (a == NULL || !read_code(t, m, a)) {
        m->code.bytes = NULL;
        return;
    }
    m->argument_slots = (uint16_t)(arguments + !m->is_static);
    look_at_insns(m);
}

struct method *method_of_row(hs_trace *t, const struct hs_method *row)
{
    const struct hs_class *c = row != NULL ? class_row(t, row->class_no) : NULL;
    const struct class_code *k = c != NULL ? class_code(t, c) : NULL;
    if (k == NULL || k->bytes == NULL)
        return NULL;
    struct method *m = &k->methods[row->method_id - c->methods[0]->method_id];
    if (m->classfile == NULL)
        read_method(t, m, k, c, row);
    return m->code.bytes != NULL ? m : NULL;
}

struct method *method_get(hs_trace *t, uint32_t method_id) { return method_of_row(t, hs_method_get(t, method_id)); }

const struct variable_scope *method_variable(const struct method *m, uint16_t slot, uint32_t pc)
{
    const struct insn *in = code_at(&m->code, pc);
    const uint32_t next_pc = in != NULL ? pc + in->length : pc;
    const struct variable_scope *next = NULL;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        const struct variable_scope *v = &m->variables[i];
        if (v->slot != slot)
            continue;
        if (v->start <= pc && pc < v->end)
            return v;
        if (v->start == next_pc && next_pc > pc)
            next = v;
    }
    return next;
}

int32_t method_line(const struct method *m, uint32_t pc)
{
    const struct line_entry *best = NULL;
    for (uint32_t i = 0; i < m->line_count; i++)
        if (m->lines[i].pc <= pc && (best == NULL || m->lines[i].pc >= best->pc))
            best = &m->lines[i];
    return best != NULL ? best->line : -1;
}

const struct variable_scope *method_stored_variable(const struct method *m, uint16_t slot, uint32_t pc)
{
    const struct variable_scope *next = method_variable(m, slot, pc);
    const uint32_t store = code_insn_at(&m->code, pc);
    if (next != NULL || store == NO_INSN)
        return next;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        const struct variable_scope *v = &m->variables[i];
        if (v->slot == slot && v->start > pc && (next == NULL || v->start < next->start))
            next = v;
    }
    for (size_t i = store + 1; next != NULL && i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        if (in->pc >= next->start)
            break;
        if ((op_table[in->op].flags & OP_STORE) != 0 && in->local == slot)
            return NULL;
    }
    return next;
}
