/* hidden.c - see hidden.h. Nodes are results of instructions, local variables without a name, and places where values
 * meet at a branch target; an edge leads from a value to its copy. HIDDEN_FROM goes along the edges, HIDDEN_TO against
 * them. */
#include "weaver/hidden.h"

#include "weaver/plan.h"

enum { HIDDEN_FROM = 1, HIDDEN_TO = 2, HIDDEN_MADE = 4 /* a reference made from a hidden number */ };
enum { PASSES_MAX = 64, NO_NODE = 0 /* nodes on the stack are numbered from 1 on */ };

struct edge {
    uint32_t from, to;
};
struct made {
    uint32_t from, insn; /* a number that is an argument of a call whose result is a reference */
};
struct element {
    uint32_t array, value;
    bool load;
};
struct pass {
    const struct method_scan *s;
    struct hidden *h;
    VEC(struct edge) edges;
    VEC(struct made) made;
    VEC(struct element) elements; /* loads and stores */
    u32_vec stack;                /* nodes by slot */
    u32_vec saved;                /* stacks at branch targets: depth, nodes */
    uint32_t *saved_at;           /* by instruction: 1 + where; 0 none */
    VEC(uint8_t) marks;           /* by node */
    bool fell, failed;            /* control comes from the instruction before; memory is out, or there is too much */
    int record_methods;           /* does a field of this record matter? -1: not known yet */
};

/* ---- the stack ---- */

static void push(struct pass *p, uint32_t node, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++) {
        uint32_t *to = vec_push(&p->stack);
        if (to != NULL)
            *to = node;
        p->failed |= to == NULL;
    }
}

static uint32_t pop(struct pass *p, unsigned slots)
{
    uint32_t node = NO_NODE;
    for (unsigned i = 0; i < slots; i++)
        node = p->stack.count > 0 ? p->stack.items[--p->stack.count] : NO_NODE;
    return node;
}

static void mark(struct pass *p, uint32_t node, uint8_t what)
{
    if (node != NO_NODE)
        p->marks.items[node - 1] |= what;
}

static void copies(struct pass *p, uint32_t from, uint32_t to)
{
    struct edge *e = from != NO_NODE && to != NO_NODE && from != to ? vec_push(&p->edges) : NULL;
    if (e != NULL)
        *e = (struct edge){ from, to };
    p->failed |= e == NULL && from != NO_NODE && to != NO_NODE && from != to;
}

/* A value that is `a` or `b`. */
static uint32_t meet(struct pass *p, uint32_t a, uint32_t b)
{
    if (a == b)
        return a;
    uint8_t *slot = vec_push(&p->marks);
    if (slot == NULL) {
        p->failed = true;
        return NO_NODE;
    }
    *slot = 0;
    uint32_t node = (uint32_t)p->marks.count;
    copies(p, a, node);
    copies(p, b, node);
    return node;
}

/* The stack here is also the one at that instruction. */
static void save(struct pass *p, uint32_t target)
{
    const size_t depth = p->stack.count;
    if (depth == 0 || target >= p->s->code.insns.count)
        return;
    if (p->saved_at[target] == 0) {
        const size_t at = p->saved.count;
        if (at + depth + 1 > CODE_SLOTS_KEPT_MAX || !vec_extend(&p->saved, at + depth + 1)) {
            p->failed = true;
            return;
        }
        p->saved_at[target] = (uint32_t)at + 1;
        p->saved.items[at] = (uint32_t)depth;
        memcpy(&p->saved.items[at + 1], p->stack.items, depth * sizeof *p->stack.items);
        return;
    }
    uint32_t *s = &p->saved.items[p->saved_at[target] - 1];
    for (size_t i = 0; i < depth && i < s[0]; i++)
        s[i + 1] = meet(p, s[i + 1], p->stack.items[i]);
}

/* The stack at a branch target. */
static void arrive(struct pass *p, uint32_t index)
{
    if (p->saved_at[index] == 0) {
        p->stack.count = p->fell ? p->stack.count : 0;
        return;
    }
    if (p->fell)
        save(p, index);
    const uint32_t *s = &p->saved.items[p->saved_at[index] - 1];
    p->stack.count = 0;
    for (uint32_t i = 0; i < s[0]; i++)
        push(p, s[i + 1], 1);
}

static void shuffle(struct pass *p, const struct insn *in)
{
    const char *order = op_dup_order(in->op);
    uint32_t popped[4];
    for (int i = 0; i < op_table[in->op].pops; i++)
        popped[i] = pop(p, 1);
    for (; *order != '\0'; order++)
        push(p, popped[*order - '0'], 1);
}

/* ---- places ---- */

static uint32_t node_of(uint32_t insn) { return insn + 1; }
static uint32_t slot_node(const struct pass *p, unsigned slot) { return p->h->slots + slot + 1; }

static void local(struct pass *p, uint32_t index, const struct insn *in)
{
    const bool load = (op_table[in->op].flags & OP_LOAD) != 0;
    const unsigned width = type_slots(op_local_type(in->op));
    const uint32_t pc = load ? in->pc : in->pc + in->length, result = load ? node_of(index) : pop(p, width);
    const bool named = scan_local_at(p->s, in->local, pc) != NULL;
    if (named && hides_local(p->s, in->local, pc))
        mark(p, result, load ? HIDDEN_FROM : HIDDEN_TO);
    if (!named)
        copies(p, load ? slot_node(p, in->local) : result, load ? result : slot_node(p, in->local));
    if (load)
        push(p, result, width);
}

static void field(struct pass *p, uint32_t index, const struct insn *in)
{
    struct member_ref ref;
    if (!cpool_member(&p->s->c->cf->cp, (uint32_t)in->operand, &ref))
        return;
    const bool put = in->op == OPC_putfield || in->op == OPC_putstatic;
    const bool hides = hides_field(p->s, &ref);
    if (put && hides)
        mark(p, p->stack.count > 0 ? p->stack.items[p->stack.count - 1] : NO_NODE, HIDDEN_TO);
    if (put)
        (void)pop(p, type_slots(ref.desc.data[0]));
    if (in->op == OPC_putfield || in->op == OPC_getfield)
        (void)pop(p, 1);
    if (put)
        return;
    if (hides)
        mark(p, node_of(index), HIDDEN_FROM);
    push(p, node_of(index), type_slots(ref.desc.data[0]));
}

static void keep_argument(struct pass *p, uint32_t insn, unsigned argument, uint32_t node)
{
    struct hidden_argument *a = node != NO_NODE ? vec_push(&p->h->arguments) : NULL;
    if (a != NULL)
        *a = (struct hidden_argument){ insn, argument, node };
    p->failed |= a == NULL && node != NO_NODE;
}

static bool is_box(struct text owner)
{
    static const char *const boxes[] = { "java/lang/Integer",   "java/lang/Long",    "java/lang/Short",
                                         "java/lang/Byte",      "java/lang/Float",   "java/lang/Double",
                                         "java/lang/Character", "java/lang/Boolean", "java/lang/Number" };
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++)
        if (text_is(owner, boxes[i]))
            return true;
    return false;
}

static bool is_one_of(struct text name, const char *words)
{
    for (size_t n; *words != '\0'; words += n + (words[n] != '\0')) {
        n = strcspn(words, " ");
        if (name.size == n && memcmp(name.data, words, n) == 0)
            return true;
    }
    return false;
}

/* Does the method of the JDK give what it is given in another form: its receiver, or its first argument? */
static bool converts(const struct member_ref *callee)
{
    if (is_box(callee->owner))
        return is_one_of(callee->name, "parseInt parseLong parseShort parseByte parseFloat parseDouble parseBoolean "
                                       "parseUnsignedInt parseUnsignedLong valueOf decode toString toHexString "
                                       "intValue longValue shortValue byteValue floatValue doubleValue charValue "
                                       "booleanValue");
    if (text_is(callee->owner, "java/lang/String"))
        return is_one_of(callee->name, "valueOf copyValueOf trim strip toString intern toCharArray getBytes charAt "
                                       "codePointAt hashCode");
    return text_is(callee->owner, "java/util/Objects") && is_one_of(callee->name, "requireNonNull toString hashCode");
}

/* toString and hashCode of a record show all of its fields (java.lang.runtime.ObjectMethods). */
static bool of_hidden_record(struct pass *p, const struct member_ref *site)
{
    const struct classfile *cf = p->s->c->cf;
    if (!is_one_of(site->name, "toString hashCode"))
        return false;
    if (p->record_methods < 0) {
        p->record_methods = 0;
        for (size_t i = 0; i < cf->fields.count && p->record_methods == 0; i++) {
            struct member_ref f = { .owner = p->s->c->name };
            p->record_methods = cpool_utf8(&cf->cp, cf->fields.items[i].name, &f.name) &&
                                cpool_utf8(&cf->cp, cf->fields.items[i].desc, &f.desc) && hides_field(p->s, &f);
        }
    }
    return p->record_methods > 0;
}

static void invoke(struct pass *p, uint32_t index, const struct insn *in)
{
    const struct cpool *cp = &p->s->c->cf->cp;
    const bool dynamic = in->op == OPC_invokedynamic, is_static = dynamic || in->op == OPC_invokestatic;
    struct member_ref callee = { .owner = p->s->c->name };
    uint32_t bootstrap, nodes[256];
    unsigned slots, count = 0, widths[256];
    struct text result;
    if (!(dynamic ? cpool_dynamic(cp, (uint32_t)in->operand, &bootstrap, &callee.name, &callee.desc)
                  : cpool_member(cp, (uint32_t)in->operand, &callee)) ||
        !descriptor_measure(callee.desc, &slots, &result))
        return;
    char kinds[256];
    for (size_t i = 1; callee.desc.data[i] != ')' && count < 255; count++) {
        kinds[count] = callee.desc.data[i];
        widths[count] = type_slots(callee.desc.data[i]);
        i += descriptor_type_length(callee.desc.data + i, callee.desc.size - i);
    }
    for (unsigned i = count; i-- > 0;)
        nodes[i] = pop(p, widths[i]);
    const uint32_t receiver = is_static ? NO_NODE : pop(p, 1), node = node_of(index);
    const bool reference = descriptor_kind(result.data[0]) == KIND_REF;
    for (unsigned i = 0; i < count; i++) {
        keep_argument(p, index, i, nodes[i]);
        struct made *made =
            reference && descriptor_kind(kinds[i]) != KIND_REF && nodes[i] != NO_NODE ? vec_push(&p->made) : NULL;
        if (made != NULL)
            *made = (struct made){ nodes[i], index };
    }
    if (!dynamic && converts(&callee))
        copies(p, is_static ? (count > 0 ? nodes[0] : NO_NODE) : receiver, node);
    if (dynamic ? of_hidden_record(p, &callee) : hides_result(p->s, in, &callee))
        mark(p, node, HIDDEN_FROM);
    push(p, node, type_slots(result.data[0]));
}

static void array(struct pass *p, uint32_t index, const struct insn *in)
{
    const bool load = in->op <= OPC_saload;
    const unsigned element = load ? in->op - OPC_iaload : in->op - OPC_iastore;
    const unsigned width = element == 1 || element == 3 ? 2 : 1;
    const bool hides = hides_element(p->s, element);
    const uint32_t value = load ? node_of(index) : pop(p, width);
    if (hides)
        mark(p, value, load ? HIDDEN_FROM : HIDDEN_TO);
    (void)pop(p, 1);
    const uint32_t from = pop(p, 1);
    if (from != NO_NODE && value != NO_NODE) {
        struct element *e = vec_push(&p->elements);
        if (e != NULL)
            *e = (struct element){ from, value, load };
        p->failed |= e == NULL;
    }
    if (load)
        push(p, value, width);
    else
        keep_argument(p, index, 0, value);
}

static void step(struct pass *p, uint32_t index, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    if (op->flags & (OP_LOAD | OP_STORE)) {
        local(p, index, in);
    } else if ((op->flags & OP_INVOKE) || in->op == OPC_invokedynamic) {
        invoke(p, index, in);
    } else if (in->op >= OPC_getstatic && in->op <= OPC_putfield) {
        field(p, index, in);
    } else if (in->op >= OPC_dup && in->op <= OPC_swap) {
        shuffle(p, in);
    } else if ((in->op >= OPC_iaload && in->op <= OPC_saload) || (in->op >= OPC_iastore && in->op <= OPC_sastore)) {
        array(p, index, in);
    } else if (in->op != OPC_checkcast) {
        uint32_t top = NO_NODE;
        for (int i = in->op == OPC_multianewarray ? in->extra : op->pops; i > 0; i--) {
            uint32_t node = pop(p, 1);
            top = top == NO_NODE ? node : top;
        }
        if (op->flags & OP_RETURN)
            keep_argument(p, index, 0, top);
        if ((op->flags & OP_RETURN) && hides_return(p->s))
            mark(p, top, HIDDEN_TO);
        if (in->op >= OPC_i2l && in->op <= OPC_i2s)
            copies(p, top, node_of(index));
        push(p, node_of(index), (unsigned)op->pushes);
    }
}

static void walk(struct pass *p)
{
    const struct code *c = &p->s->code;
    p->fell = true;
    for (uint32_t i = 0; i < c->insns.count && !p->failed; i++) {
        const struct insn *in = &c->insns.items[i];
        if (c->flags[in->pc] & PC_HANDLER) {
            p->stack.count = 0;
            push(p, NO_NODE, 1);
        } else if (c->flags[in->pc] & PC_LABEL) {
            arrive(p, i);
        } else if (!p->fell) {
            p->stack.count = 0;
        }
        if (p->s->flow.reached[i])
            step(p, i, in);
        for (uint32_t k = 0; k < code_target_count(c, in) && !p->failed; k++)
            if (code_target(c, in, k) > in->pc)
                save(p, code_index(c, code_target(c, in, k)));
        p->fell = !(op_table[in->op].flags & OP_END);
    }
}

/* Until nothing changes. */
static bool spread(struct pass *p)
{
    for (unsigned pass = 0; pass < PASSES_MAX; pass++) {
        bool changed = false;
        for (size_t i = 0; i < p->edges.count; i++) {
            struct edge *down = &p->edges.items[i], *up = &p->edges.items[p->edges.count - 1 - i];
            uint8_t *to = &p->marks.items[down->to - 1], *from = &p->marks.items[up->from - 1];
            uint8_t a = *to | (p->marks.items[down->from - 1] & HIDDEN_FROM),
                    b = *from | (p->marks.items[up->to - 1] & HIDDEN_TO);
            changed |= a != *to;
            *to = a;
            b |= *from;
            changed |= b != *from;
            *from = b;
        }
        if (!changed)
            return true;
    }
    return false;
}

/* The elements of a hidden array are hidden, too. */
static bool spread_elements(struct pass *p)
{
    for (unsigned pass = 0; pass < PASSES_MAX; pass++) {
        bool changed = false;
        if (!spread(p))
            return false;
        for (size_t i = 0; i < p->elements.count; i++) {
            const struct element *e = &p->elements.items[i];
            const uint8_t what = e->load ? HIDDEN_FROM : HIDDEN_TO;
            uint8_t *value = &p->marks.items[e->value - 1];
            if (p->marks.items[e->array - 1] == 0 || (*value & what) != 0)
                continue;
            *value |= what;
            changed = true;
        }
        if (!changed)
            return true;
    }
    return false;
}

void hidden_look(struct method_scan *s)
{
    struct hidden *h = &s->hidden_values;
    struct pass p = { .s = s, .h = h, .record_methods = -1 };
    h->slots = (uint32_t)s->code.insns.count;
    p.saved_at = calloc(s->code.insns.count + 1, sizeof *p.saved_at);
    p.failed = p.saved_at == NULL || !vec_extend(&p.marks, (size_t)h->slots + s->code.max_locals + 1);
    if (!p.failed)
        walk(&p);
    p.failed = p.failed || !spread_elements(&p);
    for (size_t i = 0; i < p.made.count && !p.failed; i++)
        if (p.marks.items[p.made.items[i].from - 1] & HIDDEN_FROM)
            p.marks.items[p.made.items[i].insn] |= HIDDEN_MADE;
    h->all = p.failed;
    h->marks = p.marks.items;
    h->node_count = (uint32_t)p.marks.count;
    free(p.saved_at);
    vec_free(&p.edges);
    vec_free(&p.made);
    vec_free(&p.elements);
    vec_free(&p.stack);
    vec_free(&p.saved);
}

void hidden_done(struct hidden *h)
{
    free(h->marks);
    vec_free(&h->arguments);
}

static bool is_hidden(const struct hidden *h, uint32_t node)
{
    return h->all || (node < h->node_count && h->marks[node] != 0);
}

bool hidden_result(const struct method_scan *s, uint32_t insn)
{
    return s->c->config->redact != NULL && is_hidden(&s->hidden_values, insn);
}

bool hidden_slot(const struct method_scan *s, unsigned slot)
{
    return s->c->config->redact != NULL && is_hidden(&s->hidden_values, s->hidden_values.slots + slot);
}

bool hidden_argument(const struct method_scan *s, uint32_t insn, unsigned argument)
{
    const struct hidden *h = &s->hidden_values;
    bool hidden = h->all && s->c->config->redact != NULL;
    size_t low = 0, high = h->arguments.count;
    while (low < high) { /* the first of the instruction */
        size_t middle = (low + high) / 2;
        if (h->arguments.items[middle].insn < insn)
            low = middle + 1;
        else
            high = middle;
    }
    for (; !hidden && low < h->arguments.count && h->arguments.items[low].insn == insn; low++)
        hidden = h->arguments.items[low].argument == argument && is_hidden(h, h->arguments.items[low].node - 1);
    return hidden;
}
