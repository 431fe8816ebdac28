/* class.c - verifies the methods of a class: their tables here, their types in check.c and infer.c. See verify.h. */
#include "weaver/verify/verify.h"

#include <stdlib.h>

#include "weaver/verify/constants.h"
#include "weaver/verify/members.h"
#include "weaver/verify/method.h"

/* ---- tables of the code ---- */

static bool attribute_is(const struct method_check *m, const struct attribute *a, const char *name)
{
    struct text t;
    return cpool_utf8(&m->t->cf->cp, a->name, &t) && text_is(t, name);
}

/* From indices of constants and pcs to types; each frame within max_locals and max_stack and at an instruction. */
static bool adapt_frames(struct method_check *m)
{
    const struct code *c = &m->code;
    for (size_t i = 0; i < m->frames.list.count; i++) {
        const struct stack_map_frame *f = &m->frames.list.items[i];
        vtype *t = m->frames.types.items + f->first;
        uint32_t slots[2] = { 0, 0 };
        if (!(c->flags[f->pc] & PC_INSN))
            return method_fault(m, "the frame at pc %u is not at an instruction", f->pc);
        for (uint32_t k = 0; k < (uint32_t)f->locals + f->stack; k++) {
            slots[k >= f->locals] += vtype_slots(t[k]);
            if (vtype_tag(t[k]) == VT_OBJECT && vtype_index(t[k]) < NAMES_FROM &&
                !types_of_class(m->t, vtype_index(t[k]), &t[k]))
                return method_fault(m, "the frame at pc %u: constant %u is no class", f->pc, vtype_index(t[k]));
            if (vtype_tag(t[k]) == VT_UNINITIALIZED &&
                (vtype_index(t[k]) >= c->length || !(c->flags[vtype_index(t[k])] & PC_INSN) ||
                 c->bytes[vtype_index(t[k])] != OPC_new))
                return method_fault(m, "the frame at pc %u: no object is made at pc %u", f->pc, vtype_index(t[k]));
        }
        if (slots[0] > m->locals || slots[1] > m->slots - m->locals)
            return method_fault(m, "the frame at pc %u does not fit max_locals and max_stack", f->pc);
    }
    return true;
}

static bool read_frames(struct method_check *m)
{
    const struct attribute *table = NULL;
    struct error err = { 0 };
    vtype initial[256];
    uint16_t count;
    for (size_t i = 0; i < m->code.attributes.count; i++)
        if (attribute_is(m, &m->code.attributes.items[i], "StackMapTable")) {
            if (table != NULL)
                return method_fault(m, "more than one StackMapTable");
            table = &m->code.attributes.items[i];
        }
    if (table == NULL)
        return true;
    if (!method_parameters(m, initial, &count))
        return false;
    enum status s = stack_map_read(&m->frames, table->data, table->length, m->code.length, initial, count, &err);
    if (s == ERR_MEMORY)
        return method_no_memory(m);
    return s == OK ? adapt_frames(m) : method_fault(m, "%s", err.text);
}

/* The entries of a LocalVariableTable, to find them again and twice. */
struct variable {
    uint64_t key;   /* start, length, name, slot; the name is not 0 */
    bool typed_too; /* LocalVariableTypeTable has it */
};
typedef MAP(struct variable) variable_map;

/* Each variable is in LocalVariableTable once, and those of LocalVariableTypeTable are in both. */
static bool note_variable(struct method_check *m, variable_map *all, uint64_t key, bool typed)
{
    struct variable *v = map_get(all, key);
    if (typed) {
        if (v != NULL)
            return method_fault(m, "a variable is in LocalVariableTable twice");
        return map_put(all, key) != NULL || method_no_memory(m);
    }
    if (v == NULL || v->typed_too)
        return method_fault(m, "a variable is in LocalVariableTypeTable %s", v == NULL ? "only" : "twice");
    return v->typed_too = true;
}

/* An entry of LocalVariableTable or, not `typed`, LocalVariableTypeTable. */
static bool check_variable(struct method_check *m, uint32_t start, uint32_t end, struct reader *r, bool typed,
                           variable_map *all)
{
    const struct code *c = &m->code;
    uint32_t name_at = read_u2(r), desc_at = read_u2(r), slot = read_u2(r);
    struct text name, desc;
    if (r->bad)
        return true; /* seen by the caller */
    if (start >= c->length || end > c->length)
        return method_fault(m, "a variable lives from pc %u to %u", start, end);
    /* as HotSpot, which does not look where it infers types */
    if (!m->inferred && (!(c->flags[start] & PC_INSN) || (end < c->length && !(c->flags[end] & PC_INSN))))
        return method_fault(m, "a variable lives from or to inside of an instruction, from pc %u to %u", start, end);
    if (!cpool_utf8(&m->t->cf->cp, name_at, &name) || !constants_is_name(name, false) ||
        !cpool_utf8(&m->t->cf->cp, desc_at, &desc) || (typed && !constants_is_field_descriptor(desc)))
        return method_fault(m, "a variable has no valid name and descriptor");
    bool wide = typed && type_slots(desc.data[0]) == 2;
    if (slot + wide >= m->locals)
        return method_fault(m, "variable %u is not below max_locals %u", slot, m->locals);
    return note_variable(m, all, (uint64_t)start << 48 | (uint64_t)(end - start) << 32 | name_at << 16 | slot, typed);
}

static bool check_table(struct method_check *m, const struct attribute *a, bool lines, bool typed, variable_map *all)
{
    struct reader r = reader_of(a->data, a->length);
    for (uint32_t n = read_u2(&r); n > 0 && !r.bad; n--) {
        uint32_t start = read_u2(&r), end = start + read_u2(&r);
        if (lines && !r.bad && start >= m->code.length)
            return method_fault(m, "a line begins at pc %u", start);
        if (!lines && !check_variable(m, start, end, &r, typed, all))
            return false;
    }
    return (!r.bad && r.at == r.size) || method_fault(m, "a table of lines or variables does not fill its attribute");
}

/* LineNumberTable, LocalVariableTable and, behind it, LocalVariableTypeTable: their pcs, names and slots. */
static bool check_tables(struct method_check *m)
{
    static const char *const names[] = { "LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable" };
    variable_map all = { 0 };
    bool good = true;
    for (unsigned k = 0; k < 3 && good; k++)
        for (size_t i = 0; i < m->code.attributes.count && good; i++)
            if (attribute_is(m, &m->code.attributes.items[i], names[k]))
                good = check_table(m, &m->code.attributes.items[i], k == 0, k == 1, &all);
    map_free(&all);
    return good;
}

static bool check_handlers(struct method_check *m)
{
    for (size_t i = 0; i < m->code.handlers.count; i++) {
        const struct handler *h = &m->code.handlers.items[i];
        vtype type = type_known(NAME_THROWABLE);
        m->code.flags[h->start] |= PC_RANGE_START;
        if (h->type != 0 &&
            (!types_of_class(m->t, h->type, &type) || !types_assignable(m->t, type, type_known(NAME_THROWABLE))))
            return method_fault(m, "entry %zu of the exception table catches no exception", i);
    }
    return true;
}

/* ---- a method ---- */

static bool check_code(struct method_check *m, const struct attribute *code)
{
    struct error err = { 0 };
    enum status s = code_read(&m->code, code->data, code->length, &err);
    if (s == ERR_MEMORY)
        return method_no_memory(m);
    if (s != OK)
        return method_fault(m, "%s", err.text);
    m->locals = m->code.max_locals;
    m->slots = m->locals + m->code.max_stack;
    m->now.slots = malloc((m->slots + 1) * sizeof *m->now.slots);
    if (m->now.slots == NULL)
        return method_no_memory(m);
    m->inferred = m->t->cf->major < 50;
    if (!check_handlers(m))
        return false;
    if (!m->inferred && check_tables(m) && read_frames(m) && method_check_frames(m))
        return true;
    if (m->t->cf->major > 50 || m->status == ERR_MEMORY)
        return false;
    m->status = OK; /* version 50 may have a wrong table: then the JVM infers the types */
    m->at = NULL;
    m->inferred = true;
    return check_tables(m) && method_infer(m);
}

static enum status check_method(struct class_types *t, const struct member *member, struct error *err)
{
    const struct classfile *cf = t->cf;
    struct method_check m = { .t = t, .member = member, .err = err, .name = TEXT_OF("?"), .desc = TEXT_OF("") };
    const struct attribute *code = classfile_attribute(cf, member->first_attribute, member->attribute_count, "Code");
    bool named = cpool_utf8(&cf->cp, member->name, &m.name) && cpool_utf8(&cf->cp, member->desc, &m.desc);
    struct member initializer = *member;
    if (named && text_is(m.name, "<clinit>")) { /* its other flags do not count, JVMS 4.6 */
        initializer.access = ACC_STATIC;
        m.member = member = &initializer;
    }
    m.is_constructor = named && text_is(m.name, "<init>") && t->this_type != type_known(NAME_OBJECT);
    if (!named)
        (void)method_fault(&m, "no valid name and descriptor");
    else if ((code == NULL) != ((member->access & (ACC_ABSTRACT | ACC_NATIVE)) != 0))
        (void)method_fault(&m, code == NULL ? "no code" : "code of an abstract or native method");
    else if (code != NULL)
        (void)check_code(&m, code);
    if (m.status == OK && t->no_memory)
        (void)method_no_memory(&m);
    code_done(&m.code);
    stack_map_done(&m.frames);
    free(m.now.slots);
    return m.status;
}

enum status verify_class(const void *data, size_t size, struct error *err)
{
    struct classfile cf;
    struct class_types t = { 0 };
    enum status s = classfile_read(&cf, data, size, err);
    if (s == OK && (cf.access & ACC_MODULE) == 0) {
        s = constants_check(&cf, err) ? members_check(&cf, err) : ERR_FORMAT;
        s = s == OK ? types_init(&t, &cf, err) : s;
        for (size_t i = 0; i < cf.methods.count && s == OK; i++)
            s = check_method(&t, &cf.methods.items[i], err);
        types_done(&t);
    }
    classfile_done(&cf);
    return s;
}
