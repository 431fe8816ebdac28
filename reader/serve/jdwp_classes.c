/* jdwp_classes.c - what reference types have: fields, methods, lines and variables. */
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/classfile.h"
#include "reader/serve/jdwp.h"

#define TYPE_OR_RETURN(t)                                                                                              \
    uint64_t id = read_u8(in);                                                                                         \
    struct jdwp_type *t = jdwp_type_of(d, id);                                                                         \
    if (t == NULL)                                                                                                     \
    return JDWP_INVALID_CLASS

enum { STATUS_READY = 7, OWN_ACCESS = 0x0101, ACCESS_STATIC = 0x0008 }; /* verified, prepared, initialized; native */

static const struct hs_class *class_of(struct jdwp *d, const struct jdwp_type *t)
{
    return t->class_no != NO_CLASS ? hs_class_get(d->trace, t->class_no) : NULL;
}

/* ---- lists of classes ---- */

static void class_row(struct jdwp *d, size_t i, bool generic, struct writer *out)
{
    const struct jdwp_type *t = &d->types.items[i];
    write_u1(out, t->tag);
    write_u8(out, jdwp_id(SPACE_TYPE, (uint32_t)i + 1));
    jdwp_put_signature(out, t->name);
    if (generic)
        jdwp_text(out, "");
    write_u4(out, STATUS_READY);
}

static enum jdwp_error all(struct jdwp *d, bool generic, struct writer *out)
{
    write_u4(out, (uint32_t)d->types.count);
    for (size_t i = 0; i < d->types.count; i++)
        class_row(d, i, generic, out);
    return JDWP_NONE;
}
COMMAND_OF(all_classes)
{
    (void)in;
    return all(d, false, out);
}
COMMAND_OF(all_classes_generic)
{
    (void)in;
    return all(d, true, out);
}

COMMAND_OF(classes_by_signature)
{
    const char *want = jdwp_read_text(d, in);
    struct writer rows = { 0 }, signature = { 0 };
    uint32_t count = 0;
    if (want == NULL)
        return JDWP_INVALID_STRING;
    for (size_t i = 0; i < d->types.count; i++) {
        signature.size = 0;
        jdwp_put_signature(&signature, d->types.items[i].name);
        if (signature.bad || signature.size - 4 != strlen(want) || memcmp(signature.data + 4, want, strlen(want)) != 0)
            continue;
        write_u1(&rows, d->types.items[i].tag);
        write_u8(&rows, jdwp_id(SPACE_TYPE, (uint32_t)i + 1));
        write_u4(&rows, STATUS_READY);
        count++;
    }
    rows.bad |= signature.bad;
    jdwp_put_rows(out, count, &rows);
    writer_free(&signature);
    return JDWP_NONE;
}

/* Those of the loader, and those of the boot loader that it delegates to. */
COMMAND_OF(visible_classes)
{
    uint64_t loader = read_u8(in);
    struct writer rows = { 0 };
    uint32_t count = 0;
    if (loader != 0 && loader >> 32 != SPACE_LOADER)
        return JDWP_INVALID_OBJECT;
    for (size_t i = 0; i < d->types.count; i++) {
        const struct jdwp_type *t = &d->types.items[i];
        if (t->loader != 0 && t->loader != (uint32_t)loader)
            continue;
        write_u1(&rows, t->tag);
        write_u8(&rows, jdwp_id(SPACE_TYPE, (uint32_t)i + 1));
        count++;
    }
    jdwp_put_rows(out, count, &rows);
    return JDWP_NONE;
}

/* ---- one type ---- */

COMMAND_OF(signature)
{
    TYPE_OR_RETURN(t);
    jdwp_put_signature(out, t->name);
    return JDWP_NONE;
}
COMMAND_OF(signature_generic)
{
    TYPE_OR_RETURN(t);
    jdwp_put_signature(out, t->name);
    jdwp_text(out, "");
    return JDWP_NONE;
}
COMMAND_OF(class_loader)
{
    TYPE_OR_RETURN(t);
    write_u8(out, t->loader != 0 && t->loader <= UINT32_MAX ? jdwp_id(SPACE_LOADER, (uint32_t)t->loader) : 0);
    return JDWP_NONE;
}
COMMAND_OF(modifiers)
{
    TYPE_OR_RETURN(t);
    write_u4(out, t->access);
    return JDWP_NONE;
}
COMMAND_OF(type_status)
{
    TYPE_OR_RETURN(t);
    (void)t;
    write_u4(out, STATUS_READY);
    return JDWP_NONE;
}
COMMAND_OF(class_object)
{
    TYPE_OR_RETURN(t);
    (void)t;
    write_u8(out, id);
    return JDWP_NONE;
}
COMMAND_OF(reflected_type)
{
    TYPE_OR_RETURN(t);
    write_u1(out, t->tag);
    write_u8(out, id);
    return JDWP_NONE;
}
COMMAND_OF(superclass)
{
    TYPE_OR_RETURN(t);
    (void)t;
    write_u8(out, jdwp_super(d, id));
    return JDWP_NONE;
}
COMMAND_OF(class_file_version)
{
    TYPE_OR_RETURN(t);
    const struct hs_class *c = class_of(d, t);
    if (c == NULL || c->major == 0)
        return JDWP_ABSENT_INFORMATION;
    write_u4(out, c->major);
    write_u4(out, c->minor);
    return JDWP_NONE;
}
COMMAND_OF(source_file)
{
    TYPE_OR_RETURN(t);
    const struct hs_class *c = class_of(d, t);
    if (c == NULL || c->source_file[0] == '\0')
        return JDWP_ABSENT_INFORMATION;
    jdwp_text(out, c->source_file);
    return JDWP_NONE;
}
COMMAND_OF(source_debug_extension)
{
    TYPE_OR_RETURN(t);
    const struct hs_class *c = class_of(d, t);
    struct arena arena = { 0 };
    const char *text = c != NULL ? nav_source_debug_extension(d->nav, c->class_no, &arena) : NULL;
    if (text != NULL)
        jdwp_text(out, text);
    arena_done(&arena);
    return text != NULL ? JDWP_NONE : JDWP_ABSENT_INFORMATION;
}
COMMAND_OF(nested_types)
{
    TYPE_OR_RETURN(t);
    struct writer rows = { 0 };
    uint32_t count = 0;
    size_t size = strlen(t->name);
    for (size_t i = 0; i < d->types.count; i++) {
        const struct jdwp_type *n = &d->types.items[i];
        if (n->loader != t->loader || n->tag == TYPE_ARRAY || strncmp(n->name, t->name, size) != 0 ||
            n->name[size] != '$')
            continue;
        write_u1(&rows, n->tag);
        write_u8(&rows, jdwp_id(SPACE_TYPE, (uint32_t)i + 1));
        count++;
    }
    jdwp_put_rows(out, count, &rows);
    return JDWP_NONE;
}
COMMAND_OF(interfaces)
{
    TYPE_OR_RETURN(t);
    struct nav_lineage l = { 0 };
    u64_vec found = { 0 };
    (void)nav_lineage_of(d->nav, t->name, t->loader, &l);
    for (size_t i = 0; i < l.interface_count; i++) {
        uint64_t interface = jdwp_type_named(d, l.interfaces[i], t->loader), *to = NULL;
        /* clients take it for an interface, whatever it is called elsewhere */
        if (jdwp_type_tag(d, interface) == TYPE_INTERFACE && (to = vec_push(&found)) != NULL)
            *to = interface;
    }
    write_u4(out, (uint32_t)found.count);
    for (size_t i = 0; i < found.count; i++)
        write_u8(out, found.items[i]);
    vec_free(&found);
    return JDWP_NONE;
}

static enum jdwp_error fields(struct jdwp *d, struct reader *in, struct writer *out, bool generic)
{
    TYPE_OR_RETURN(t);
    if (!jdwp_read_fields(d, t))
        return JDWP_OUT_OF_MEMORY;
    write_u4(out, (uint32_t)t->field_count);
    for (size_t i = 0; i < t->field_count; i++) {
        write_u8(out, (uint64_t)(uint32_t)id << 32 | (i + 1));
        jdwp_text(out, t->fields[i].name);
        jdwp_text(out, t->fields[i].desc);
        if (generic)
            jdwp_text(out, "");
        write_u4(out, t->fields[i].access);
    }
    return JDWP_NONE;
}
COMMAND_OF(fields) { return fields(d, in, out, false); }
COMMAND_OF(fields_generic) { return fields(d, in, out, true); }

static void method_row(struct writer *out, uint64_t id, const char *name, const char *desc, unsigned access,
                       bool generic)
{
    write_u8(out, id);
    jdwp_text(out, name);
    jdwp_text(out, desc);
    if (generic)
        jdwp_text(out, "");
    write_u4(out, access);
}

/* Those of the class; or of our own: the static ones are of hindsight.Time, the others of Object; and those of the JDK
 * that can be executed. */
static enum jdwp_error methods(struct jdwp *d, struct reader *in, struct writer *out, bool generic)
{
    TYPE_OR_RETURN(t);
    const struct hs_class *c = class_of(d, t);
    size_t count = c != NULL ? c->method_count : 0;
    bool time = jdwp_type_is(d, id, "hindsight.Time"), object = jdwp_type_is(d, id, "java.lang.Object") && count == 0;
    const struct jdwp_own_method *m;
    struct nav_jdk_method jdk;
    uint32_t own = 0, executed = 0;
    for (size_t i = 0; (time || object) && (m = jdwp_own(i)) != NULL; i++)
        own += m->is_static == time;
    for (size_t at = 0; t->method_count == 0 && jdwp_jdk_method(d, t, &at, &jdk);)
        executed++;
    write_u4(out, (uint32_t)count + own + executed);
    for (size_t i = 0; i < count; i++) {
        const struct hs_method *h = c->methods[i];
        method_row(out, (uint64_t)h->method_id + 1, h->name, h->desc, h->access, generic);
    }
    for (size_t i = 0; own > 0 && (m = jdwp_own(i)) != NULL; i++)
        if (m->is_static == time)
            method_row(out, METHOD_OWN + i, m->name, m->desc, OWN_ACCESS | (time ? ACCESS_STATIC : 0), generic);
    for (size_t at = 0; executed > 0 && jdwp_jdk_method(d, t, &at, &jdk); executed--)
        method_row(out, METHOD_JDK + at - 1, jdk.name, jdk.desc, OWN_ACCESS | (jdk.is_static ? ACCESS_STATIC : 0),
                   generic);
    return JDWP_NONE;
}
COMMAND_OF(methods) { return methods(d, in, out, false); }
COMMAND_OF(methods_generic) { return methods(d, in, out, true); }

/* ---- lines and variables ---- */

struct line {
    uint32_t pc;
    int32_t line;
};
typedef VEC(struct line) line_vec;

static int by_pc(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return x->pc != y->pc ? (x->pc > y->pc) - (x->pc < y->pc) : (x->line > y->line) - (x->line < y->line);
}

static const struct hs_method *method_of(struct jdwp *d, uint64_t type, uint64_t method)
{
    const struct hs_method *m = method - 1 < UINT32_MAX ? hs_method_get(d->trace, (uint32_t)(method - 1)) : NULL;
    return m != NULL && jdwp_type_of_class(d, m->class_no) == type ? m : NULL;
}

/* The lines of a method where it can have events: a row where another line begins. */
static bool read_lines(struct jdwp *d, const struct hs_method *m, line_vec *lines)
{
    const struct hs_class *c = hs_class_get(d->trace, m->class_no);
    size_t n = 0;
    for (uint32_t i = 0; c != NULL && i < c->dataid_count; i++) {
        const struct hs_dataid *row = hs_dataid_get(d->trace, c->first_dataid + i);
        if (row == NULL || row->method_id != m->method_id || row->table_line < 0 || row->pc >= m->code_length)
            continue;
        struct line *to = vec_push(lines);
        if (to == NULL)
            return false;
        *to = (struct line){ row->pc, row->table_line };
    }
    if (lines->count > 0)
        qsort(lines->items, lines->count, sizeof *lines->items, by_pc);
    for (size_t i = 0; i < lines->count; i++)
        if (n == 0 || lines->items[n - 1].line != lines->items[i].line)
            lines->items[n++] = lines->items[i];
    lines->count = n;
    return true;
}

int32_t jdwp_line_of(struct jdwp *d, const struct jdwp_location *l)
{
    const struct hs_method *m = method_of(d, l->type, l->method);
    line_vec lines = { 0 };
    int32_t line = -1;
    if (m != NULL && read_lines(d, m, &lines))
        for (size_t i = 0; i < lines.count && lines.items[i].pc <= l->pc; i++)
            line = lines.items[i].line;
    if (line < 0 && lines.count > 0 && l->pc == 0)
        line = lines.items[0].line;
    vec_free(&lines);
    return line;
}

bool jdwp_begins_line(struct jdwp *d, const struct hs_method *m, uint64_t pc)
{
    line_vec lines = { 0 };
    bool begins = pc == 0;
    if (read_lines(d, m, &lines))
        for (size_t i = 0; i < lines.count && lines.items[i].pc <= pc; i++) {
            bool first = true;
            for (size_t k = 0; k < i; k++)
                first &= lines.items[k].line != lines.items[i].line;
            begins |= first && lines.items[i].pc == pc;
        }
    vec_free(&lines);
    return begins;
}

COMMAND_OF(line_table)
{
    uint64_t type = read_u8(in), method = read_u8(in);
    const struct hs_method *m = method_of(d, type, method);
    line_vec lines = { 0 };
    if (m == NULL)
        return method >= METHOD_OWN ? JDWP_ABSENT_INFORMATION : JDWP_INVALID_METHODID;
    if (!read_lines(d, m, &lines)) {
        vec_free(&lines);
        return JDWP_OUT_OF_MEMORY;
    }
    write_u8(out, 0);
    write_u8(out, m->code_length > 0 ? m->code_length - 1 : 0);
    write_u4(out, (uint32_t)lines.count);
    for (size_t i = 0; i < lines.count; i++) {
        write_u8(out, i == 0 ? 0 : lines.items[i].pc);
        write_u4(out, (uint32_t)lines.items[i].line);
    }
    vec_free(&lines);
    return JDWP_NONE;
}

static uint32_t argument_slots(const struct hs_method *m)
{
    uint32_t slots = (m->access & ACCESS_STATIC) == 0;
    for (const char *p = m->desc + (m->desc[0] == '('); *p != '\0' && *p != ')'; p++) {
        slots += type_slots(*p);
        while (*p == '[')
            p++;
        if (*p == 'L')
            p += strcspn(p, ";)");
        if (*p == '\0' || *p == ')')
            break;
    }
    return slots;
}

static enum jdwp_error variables(struct jdwp *d, struct reader *in, struct writer *out, bool generic)
{
    uint64_t type = read_u8(in), method = read_u8(in);
    const struct hs_method *m = method_of(d, type, method);
    struct nav_scope v;
    uint32_t count = 0;
    if (m == NULL)
        return method >= METHOD_OWN ? JDWP_ABSENT_INFORMATION : JDWP_INVALID_METHODID;
    while (nav_declared_variable(d->nav, m->method_id, count, &v))
        count++;
    uint32_t slots = argument_slots(m);
    if (count == 0 && slots > 0)
        return JDWP_ABSENT_INFORMATION;
    write_u4(out, slots);
    write_u4(out, count);
    for (uint32_t i = 0; i < count && nav_declared_variable(d->nav, m->method_id, i, &v); i++) {
        write_u8(out, v.start);
        jdwp_text(out, v.name);
        jdwp_text(out, v.desc);
        if (generic)
            jdwp_text(out, "");
        write_u4(out, v.end - v.start);
        write_u4(out, v.slot);
    }
    return JDWP_NONE;
}
COMMAND_OF(variable_table) { return variables(d, in, out, false); }
COMMAND_OF(variable_table_generic) { return variables(d, in, out, true); }
