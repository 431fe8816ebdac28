/* relocate.c - one function per pc-carrying attribute. JVMS 4.7.12, 4.7.13, 4.7.14, 4.7.20. */
#include "weaver/relocate.h"

typedef bool relocate_fn(const struct relocation *r, struct reader *in, struct writer *w);

/* Old pc 0 maps to the start of the prologue. */
static uint32_t new_start(const struct relocation *r, uint32_t pc) { return pc == 0 ? 0 : layout_pc(r->l, r->m, pc); }
static bool known(const struct relocation *r, uint32_t pc) { return pc <= r->m->scan.code.length; }

static bool relocate_lines(const struct relocation *r, struct reader *in, struct writer *w)
{
    uint32_t n = read_u2(in);
    write_u2(w, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t pc = read_u2(in);
        if (in->bad || !known(r, pc))
            return false;
        write_u2(w, new_start(r, pc));
        write_u2(w, read_u2(in));
    }
    return true;
}

static bool move_range(const struct relocation *r, struct reader *in, struct writer *w)
{
    uint32_t start = read_u2(in), end = start + read_u2(in);
    if (in->bad || !known(r, end))
        return false;
    uint32_t from = new_start(r, start);
    write_u2(w, from);
    write_u2(w, layout_pc(r->l, r->m, end) - from);
    return true;
}

static bool relocate_locals(const struct relocation *r, struct reader *in, struct writer *w)
{
    uint32_t n = read_u2(in);
    write_u2(w, n);
    for (uint32_t i = 0; i < n; i++) {
        if (!move_range(r, in, w))
            return false;
        for (int k = 0; k < 3; k++) /* name, descriptor or signature, slot */
            write_u2(w, read_u2(in));
    }
    return !in->bad;
}

/* element_value: skipped over, since it holds no pcs. Its nesting is bounded by what a compiler could write. */
static bool skip_element(struct reader *in, int depth)
{
    unsigned tag = read_u1(in);
    uint32_t n;
    if (depth > 64)
        return false;
    switch (tag) {
    case 'e': (void)read_span(in, 4); break;
    case '@':
        (void)read_u2(in);
        n = read_u2(in);
        for (uint32_t i = 0; i < n && !in->bad; i++) {
            (void)read_u2(in);
            if (!skip_element(in, depth + 1))
                return false;
        }
        break;
    case '[':
        n = read_u2(in);
        for (uint32_t i = 0; i < n && !in->bad; i++)
            if (!skip_element(in, depth + 1))
                return false;
        break;
    default: (void)read_span(in, 2);
    }
    return !in->bad;
}

/* target_info of a type annotation, JVMS table 4.7.20-B. */
static bool move_target(const struct relocation *r, unsigned type, struct reader *in, struct writer *w)
{
    if (type == 0x40 || type == 0x41) {
        uint32_t n = read_u2(in);
        write_u2(w, n);
        for (uint32_t i = 0; i < n; i++) {
            if (!move_range(r, in, w))
                return false;
            write_u2(w, read_u2(in));
        }
    } else if (type == 0x42) {
        uint32_t index = read_u2(in);
        if (index >= r->m->scan.code.handlers.count)
            return false;
        write_u2(w, r->handler_index[index]);
    } else if (type >= 0x43 && type <= 0x4b) {
        uint32_t pc = read_u2(in);
        if (in->bad || pc >= r->m->scan.code.length || !(r->m->scan.code.flags[pc] & PC_INSN))
            return false;
        write_u2(w, r->l->insn_pc[code_index(&r->m->scan.code, pc)]);
        if (type >= 0x47)
            write_u1(w, read_u1(in));
    } else {
        return false; /* no such target in a Code attribute */
    }
    return !in->bad;
}

static bool relocate_annotations(const struct relocation *r, struct reader *in, struct writer *w)
{
    uint32_t n = read_u2(in);
    write_u2(w, n);
    for (uint32_t i = 0; i < n; i++) {
        unsigned type = read_u1(in);
        write_u1(w, type);
        if (!move_target(r, type, in, w))
            return false;
        size_t rest = in->at;
        (void)read_span(in, 2 * (size_t)read_u1(in)); /* type_path */
        (void)read_u2(in);
        uint32_t pairs = read_u2(in);
        for (uint32_t k = 0; k < pairs && !in->bad; k++) {
            (void)read_u2(in);
            if (!skip_element(in, 0))
                return false;
        }
        if (in->bad)
            return false;
        write_bytes(w, in->data + rest, in->at - rest);
    }
    return true;
}

enum relocated relocate_attribute(const struct relocation *r, struct text name, const struct attribute *a,
                                  struct writer *w)
{
    static const struct {
        const char *name;
        relocate_fn *fn;
    } policy[] = {
#define CODE_ATTRIBUTE(name, fn) { #name, fn },
#include "weaver/attributes.def"
#undef CODE_ATTRIBUTE
    };
    for (size_t i = 0; i < sizeof policy / sizeof *policy; i++)
        if (text_is(name, policy[i].name)) {
            struct reader in = reader_of(a->data, a->length);
            size_t start = w->size;
            if (policy[i].fn == NULL)
                return LEFT_OUT;
            if (policy[i].fn(r, &in, w) && in.at == in.size && !in.bad)
                return RELOCATED;
            w->size = start;
            return policy[i].fn == relocate_annotations ? LEFT_OUT : REFUSED;
        }
    return LEFT_OUT;
}
