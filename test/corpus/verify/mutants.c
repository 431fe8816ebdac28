/* mutants.c - woven classes with one fault each, and what our verifier (weaver/verify) says of them.
 *
 *     verify_mutants OUT ROUNDS SEED JAR|FOLDER...
 *
 * Every class is woven with all groups, then ROUNDS times something of a method with hooks is changed: an instruction,
 * its operand, a branch, a frame, an exception range, max_stack, a constant. OUT/N.class is the class, and OUT/verdicts
 * has a line for each: N, name of the class, kind of the change, and `taken` or what our verifier says against it.
 * Kind `none` is the woven class without a change, `old` the same as a class of version 49, whose types are inferred;
 * so are those of the changes that have -old behind them. Verdicts.java compares that with the verdicts of a JVM. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/code.h"
#include "test/corpus/inputs.h"
#include "weaver/verify/verify.h"
#include "weaver/weave.h"

static uint64_t random_state = 1;
static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) % limit);
}

/* A copy of a woven class, and one of its methods. */
struct subject {
    uint8_t *bytes;
    struct classfile cf;
    struct code code;
    uint8_t *code_bytes; /* in `bytes` */
    const struct attribute *attribute;
};

static uint8_t *in_copy(const struct subject *s, const uint8_t *p) { return s->bytes + (p - s->cf.data); }

/* A random instruction for which `want` holds; NULL after some tries. */
static const struct insn *some_insn(const struct subject *s, bool (*want)(const struct insn *in))
{
    for (int i = 0; i < 200; i++) {
        const struct insn *in = &s->code.insns.items[random_below((uint32_t)s->code.insns.count)];
        if (want(in))
            return in;
    }
    return NULL;
}

static bool is_short(const struct insn *in) { return in->length == 1; }
static bool is_branch(const struct insn *in) { return op_table[in->op].format == OPF_BRANCH2; }
static bool is_goto(const struct insn *in) { return in->op == OPC_goto; }
static bool is_local(const struct insn *in) { return (op_table[in->op].flags & (OP_LOAD | OP_STORE)) != 0; }
static bool is_constructor_call(const struct insn *in) { return in->op == OPC_invokespecial; }
static bool has_constant(const struct insn *in)
{
    unsigned f = op_table[in->op].format;
    return f == OPF_CP1 || f == OPF_CP2 || f == OPF_INTERFACE || f == OPF_DYNAMIC || f == OPF_MULTI;
}
static bool is_any(const struct insn *in) { return in != NULL; }

/* ---- changes: false where there is nothing to change ---- */

static bool change_instruction(struct subject *s) /* another of one byte: wrong stack height, wrong types */
{
    const struct insn *in = some_insn(s, is_short);
    if (in == NULL)
        return false;
    uint8_t op = (uint8_t)random_below(OPC_monitorexit + 1);
    if (op_table[op].format != OPF_NONE || op == in->op)
        op = OPC_nop;
    s->code_bytes[in->pc] = op;
    return true;
}

static bool change_byte(struct subject *s)
{
    const struct insn *in = some_insn(s, is_any);
    s->code_bytes[in->pc + random_below(in->length)] = (uint8_t)random_below(256);
    return true;
}

static bool change_branch(struct subject *s) /* also into an instruction */
{
    const struct insn *in = some_insn(s, is_branch);
    if (in == NULL)
        return false;
    uint8_t *p = s->code_bytes + in->pc + 1;
    put_be2(p, (be2(p) + (random_below(2) ? 1 + random_below(4) : 0U - random_below(40))) & 0xffff);
    return true;
}

static bool change_local(struct subject *s) /* the same instruction for another type or slot */
{
    const struct insn *in = some_insn(s, is_local);
    if (in == NULL)
        return false;
    uint8_t *p = s->code_bytes + in->pc;
    if (in->length == 2 && random_below(2))
        p[1] = (uint8_t)(p[1] + 1 + random_below(3));
    else if (in->length == 1 || in->length == 2)
        p[0] = (uint8_t)(p[0] + 1 + random_below(8));
    return true;
}

static bool change_constant_index(struct subject *s)
{
    const struct insn *in = some_insn(s, has_constant);
    if (in == NULL)
        return false;
    uint8_t *p = s->code_bytes + in->pc + 1;
    if (op_table[in->op].format == OPF_CP1)
        *p = (uint8_t)random_below(256);
    else
        put_be2(p, random_below(s->cf.cp.count + 3));
    return true;
}

static bool change_constructor_call(struct subject *s) /* the object is used though it is not initialized */
{
    const struct insn *in = some_insn(s, is_constructor_call);
    if (in == NULL)
        return false;
    uint8_t *p = s->code_bytes + in->pc;
    p[0] = random_below(2) ? OPC_nop : OPC_pop;
    p[1] = p[2] = OPC_nop;
    return true;
}

static bool change_to_subroutine(struct subject *s)
{
    const struct insn *in = some_insn(s, is_goto);
    if (in == NULL)
        return false;
    s->code_bytes[in->pc] = OPC_jsr;
    return true;
}

static bool change_maxima(struct subject *s)
{
    uint8_t *p = in_copy(s, s->attribute->data) + (random_below(2) ? 2 : 0);
    unsigned less = 1 + random_below(2);
    if (be2(p) < less)
        return false;
    put_be2(p, be2(p) - less);
    return true;
}

static bool change_handler(struct subject *s)
{
    uint32_t n = (uint32_t)s->code.handlers.count;
    if (n == 0)
        return false;
    uint8_t *p = s->code_bytes + s->code.length + 2 + 8 * (size_t)random_below(n) + 2 * (size_t)random_below(4);
    if (random_below(2))
        put_be2(p, (be2(p) + 1 + random_below(6)) & 0xffff);
    else
        put_be2(p, s->code.insns.items[random_below((uint32_t)s->code.insns.count)].pc);
    return true;
}

static const struct attribute *table_of(const struct subject *s, const char *name)
{
    for (size_t i = 0; i < s->code.attributes.count; i++) {
        const struct attribute *a = &s->code.attributes.items[i];
        struct text t;
        if (cpool_utf8(&s->cf.cp, a->name, &t) && text_is(t, name) && a->length > 2)
            return a;
    }
    return NULL;
}

static bool change_table(struct subject *s, const char *name)
{
    const struct attribute *a = table_of(s, name);
    if (a == NULL)
        return false;
    uint8_t *p = in_copy(s, a->data) + (random_below(8) == 0 ? 0 : 2 + random_below(a->length - 2));
    *p = (uint8_t)(random_below(2) ? *p + 1U : random_below(12));
    return true;
}
static bool change_frame(struct subject *s) { return change_table(s, "StackMapTable"); }
static bool change_variables(struct subject *s) { return change_table(s, "LocalVariableTable"); }
static bool change_lines(struct subject *s) { return change_table(s, "LineNumberTable"); }

static bool change_constant(struct subject *s) /* what an entry refers to */
{
    uint32_t i = 1 + random_below(s->cf.cp.count - 1);
    const uint8_t *p = cpool_entry(&s->cf.cp, i);
    if (p == NULL || *p == CONSTANT_Utf8 || *p == CONSTANT_Integer || *p == CONSTANT_Float || *p == CONSTANT_Long ||
        *p == CONSTANT_Double)
        return false;
    uint8_t *at = in_copy(s, p) + 1;
    if (*p >= CONSTANT_Fieldref && *p <= CONSTANT_NameAndType && random_below(2))
        at += 2;
    put_be2(at, random_below(s->cf.cp.count + 2));
    return true;
}

/* In the copy: access_flags, name_index and descriptor_index are the first fields of a member. */
static bool change_member(struct subject *s)
{
    size_t fields = s->cf.fields.count, n = fields + s->cf.methods.count;
    uint32_t i = random_below((uint32_t)n), k = random_below((uint32_t)n);
    const struct member *a = i < fields ? &s->cf.fields.items[i] : &s->cf.methods.items[i - fields];
    const struct member *b = k < fields ? &s->cf.fields.items[k] : &s->cf.methods.items[k - fields];
    for (size_t at = 10 + s->cf.cp.size; at + 6 < s->cf.size; at++) {
        uint8_t *p = s->bytes + at;
        if (be2(p) != a->access || be2(p + 2) != a->name || be2(p + 4) != a->desc)
            continue;
        switch (random_below(4)) {
        case 0: put_be2(p + 2, b->name); return a != b;
        case 1: put_be2(p + 4, b->desc); return a != b;
        default: put_be2(p, a->access ^ 1U << random_below(16)); return true;
        }
    }
    return false;
}

static bool change_class_flags(struct subject *s)
{
    uint8_t *p = s->bytes + 10 + s->cf.cp.size;
    put_be2(p, be2(p) ^ 1U << random_below(15)); /* not ACC_MODULE */
    return true;
}

static bool change_nothing(struct subject *s) { return s != NULL; }

static const struct {
    const char *name;
    bool (*change)(struct subject *s);
} kinds[] = {
    { "none", change_nothing },
    { "instruction", change_instruction },
    { "byte", change_byte },
    { "branch", change_branch },
    { "local", change_local },
    { "constant-index", change_constant_index },
    { "constructor", change_constructor_call },
    { "subroutine", change_to_subroutine },
    { "maximum", change_maxima },
    { "handler", change_handler },
    { "frame", change_frame },
    { "variables", change_variables },
    { "lines", change_lines },
    { "constant", change_constant },
    { "member", change_member },
    { "class-flags", change_class_flags },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static unsigned written;
static FILE *verdicts;
static const char *out_folder;

static void tell(const char *name, const char *kind, bool old, const uint8_t *bytes, size_t size)
{
    struct error err = { 0 };
    char path[4096];
    uint8_t *exact = inputs_checked(malloc(size)); /* exact size: reading past it is seen */
    memcpy(exact, bytes, size);
    bool taken = verify_class(exact, size, &err) == OK;
    free(exact);
    (void)snprintf(path, sizeof path, "%s/%u.class", out_folder, written);
    inputs_write(path, bytes, size);
    (void)fprintf(verdicts, "%u\t%s\t%s%s\t%s\n", written++, name, kind, old ? "-old" : "", taken ? "taken" : err.text);
}

/* One change of a copy. */
static void mutate(const struct class_file *f, const struct writer *woven, unsigned kind, bool old)
{
    struct subject s = { .bytes = inputs_checked(malloc(woven->size)) };
    struct error err;
    memcpy(s.bytes, woven->data, woven->size);
    if (old)
        put_be4(s.bytes + 4, 49);
    bool done = kind == 0;
    if (classfile_read(&s.cf, woven->data, woven->size, &err) == OK && s.cf.methods.count > 0) {
        const struct member *m = &s.cf.methods.items[random_below((uint32_t)s.cf.methods.count)];
        s.attribute = classfile_attribute(&s.cf, m->first_attribute, m->attribute_count, "Code");
        if (s.attribute != NULL && code_read(&s.code, s.attribute->data, s.attribute->length, &err) == OK) {
            s.code_bytes = in_copy(&s, s.code.bytes);
            done = kinds[kind].change(&s);
        }
        code_done(&s.code);
    }
    if (done)
        tell(f->name, kinds[kind].name, old, s.bytes, woven->size);
    classfile_done(&s.cf);
    free(s.bytes);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return fprintf(stderr, "verify_mutants OUT ROUNDS SEED JAR|FOLDER...\n"), 2;
    char path[4096];
    struct class_files files = { 0 };
    const struct weave_config config = { .groups = GROUP_ALL,
                                         .first_dataid = 1000,
                                         .hook_class = "java/lang/HindsightHook" };
    unsigned long rounds = strtoul(argv[2], NULL, 10);
    random_state = (strtoul(argv[3], NULL, 10) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    out_folder = argv[1];
    (void)snprintf(path, sizeof path, "%s/verdicts", out_folder);
    verdicts = inputs_checked(fopen(path, "w"));
    for (int i = 4; i < argc; i++)
        inputs_read(&files, argv[i]);
    for (size_t i = 0; i < files.count; i++) {
        struct weave_result r;
        struct error err;
        if (weave_class(files.items[i].bytes, files.items[i].size, &config, &r, &err) == OK && r.bytes.size > 0) {
            mutate(&files.items[i], &r.bytes, 0, false);
            mutate(&files.items[i], &r.bytes, 0, true);
            for (unsigned long k = 0; k < rounds; k++)
                mutate(&files.items[i], &r.bytes, 1 + (unsigned)(k % (KINDS - 1)), random_below(3) == 0);
        }
        weave_result_done(&r);
    }
    inputs_done(&files);
    (void)printf("%u classes written\n", written);
    return fclose(verdicts) != 0;
}
