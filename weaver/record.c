/* record.c - which events share a record, that is one call of a hook. See plan.h, "records".
 *
 * A hook call costs the same for one event or three, so each event joins the last record if possible. It can if control
 * came straight from there, over instructions that neither throw, branch, call nor synchronize with another thread:
 * then no one can observe which of the two moments it was. The record grows backwards in time, since the values of its
 * first event must still be there when the hook is called for the last:
 *
 *     no value          joins without cost (LINE_NUMBER, NEW_OBJECT, CALL_RETURN of a void method)
 *     a local           its value can be pushed again, as long as nothing was stored into it
 *     top of stack      as the last one of the record, or while the program's stack is as it was
 *
 * Where events are only counted (config->counts_only) none has a value, and all of a straight piece of code join.
 *
 * With method_plan.inputs an event that follows from the code (news_bare) has no value either, and where it cannot join
 * a record none is made for it: the drain counts the events up to the next record of the method, since it knows the
 * blocks of the code. So every block has a record; a LABEL gets one if nothing else in its block does.
 *
 * Joining removes the existing hook call from the inserted code and inserts one for both. hook.def has the values that
 * one hook can take. */
#include "weaver/plan.h"

#include "formats/derived.h"
#include "formats/journal.h"

/* True if data IDs and roles allow this event and `following` others to join the open record. */
static bool may_grow(const struct method_plan *m, enum event e, unsigned following)
{
    const struct open_record *o = &m->open;
    /* one that has values needs room for them: with four events it has four at most */
    const uint32_t most = plan_counts_only(m) || m->inputs ? JOURNAL_RECORD_EVENTS : JOURNAL_RECORD_VALUES;
    return o->open && o->next == plan_next_id(m) && o->next - o->first + 1 + following <= most &&
           plain_role(plan_role_of(m, e));
}

/* Removes the code of the open record from `from` to its end; another hook call replaces it. */
static void cut(struct method_plan *m, uint32_t from)
{
    struct writer *w = &m->inserted;
    uint32_t to = m->open.end;
    m->hook_calls--;
    if (w->bad)
        return;
    memmove(w->data + from, w->data + to, w->size - to);
    w->size -= to - from;
    for (uint32_t k = 2 * m->insn + 2; k-- > 0 && m->at[k] > from;)
        m->at[k] = m->at[k] >= to ? m->at[k] - (to - from) : from;
}

uint32_t record_begin(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, const struct attr_list *attrs,
                      unsigned following)
{
    const struct open_record *o = &m->open;
    if (!o->known || o->count > 0 || !may_grow(m, e, following))
        return plan_event(m, e, pc, kind, attrs);
    (void)plan_event(m, e, pc, kind | KIND_JOINED, attrs);
    cut(m, o->call);
    return o->first;
}

/* The event planned last belongs to the open record, whose code stays as it is. */
static void join(struct method_plan *m)
{
    m->open.next++;
    if (m->open.size_at != 0 && !m->inserted.bad)
        m->inserted.data[m->open.size_at]++;
}

/* An event whose value the hook is not given. */
static void record_unvalued(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, bool release,
                            const struct attr_list *attrs)
{
    if (!release && may_grow(m, e, 0) && !m->open.passed) {
        (void)plan_event(m, e, pc, kind | KIND_JOINED, attrs);
        join(m);
    } else {
        const uint32_t id = record_begin(m, e, pc, kind, attrs, 0);
        plan_direct_leave(m);
        emit_hook(m, HOOK_v, release, id, 0);
    }
}

/* Does the block that the current instruction begins get a record, other than of its LABEL, each time that it is
 * executed to its end? */
static bool block_is_recorded(const struct method_plan *m)
{
    for (uint32_t i = m->insn; i < m->code.insns.count; i++) {
        const struct insn *in = &m->code.insns.items[i];
        const struct op_info *op = &op_table[in->op];
        if (i > m->insn && (m->code.flags[in->pc] & PC_LABEL))
            return false;
        if ((op->flags & (OP_INVOKE | OP_RETURN)) || (in->op >= OPC_iaload && in->op <= OPC_saload) ||
            in->op == OPC_getstatic || in->op == OPC_getfield || in->op == OPC_arraylength || in->op == OPC_newarray ||
            in->op == OPC_anewarray || in->op == OPC_multianewarray || in->op == OPC_instanceof ||
            in->op == OPC_invokedynamic || in->op == OPC_athrow)
            return true;
        if (op->flags & (OP_COND | OP_END))
            return false;
    }
    return false;
}

bool record_bare(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, bool release,
                 const struct attr_list *attrs)
{
    if (!m->inputs || !news_bare(e))
        return false;
    if (e == EVENT_LABEL)
        m->unmarked = 0;
    if (release || (e == EVENT_LABEL && !block_is_recorded(m))) {
        record_unvalued(m, e, pc, kind, release, attrs);
    } else if (may_grow(m, e, 0)) {
        (void)plan_event(m, e, pc, kind | KIND_JOINED, attrs);
        join(m);
    } else {
        m->unmarked = plan_event(m, e, pc, kind, attrs) + 1;
    }
    return true;
}

/* Classes whose initializers run no woven code: of the packages java.lang, java.util and java.io themselves, and
 * arrays. Others of the JDK may, as that of ForkJoinPool does, which makes an object of a class that a property names,
 * or that of SplittableRandom, which asks the security providers if a property says so. */
static bool is_platform(struct text name)
{
    static const char *const packages[] = { "java/lang/", "java/util/", "java/io/" };
    if (name.size > 0 && name.data[0] == '[')
        return true;
    if (text_is(name, "java/util/SplittableRandom"))
        return false;
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        size_t n = strlen(packages[i]);
        if (name.size > n && memcmp(name.data, packages[i], n) == 0)
            return memchr(name.data + n, '/', name.size - n) == NULL;
    }
    return false;
}

static void mark(struct method_plan *m)
{
    if (!m->inputs || m->unmarked == 0)
        return;
    emit_hook(m, HOOK_v, false, m->unmarked - 1, 0);
    m->open.open = false;
}

void record_mark(struct method_plan *m, uint32_t class_index)
{
    struct text name;
    if (m->c->config->asks_loader || !cpool_class(&m->c->cf->cp, class_index, &name) || !is_platform(name))
        mark(m);
}

void record_mark_named(struct method_plan *m)
{
    if (m->c->config->asks_loader)
        mark(m);
}

void record_void(struct method_plan *m, enum event e, uint32_t pc, bool release, const struct attr_list *attrs)
{
    if (record_bare(m, e, pc, KIND_VOID, release, attrs))
        return;
    record_unvalued(m, e, pc, KIND_VOID, release, attrs);
}

static void push(struct method_plan *m, unsigned kind, int32_t slot)
{
    char type = kind_local(kind);
    if (slot == SLOT_TOP)
        emit_op(m, type_slots(type) == 2 ? OPC_dup2 : OPC_dup);
    else if (slot == SLOT_ZERO)
        emit_int(m, 0);
    else
        emit_load(m, type, (unsigned)slot);
}

/* How the values of the open record and one more get onto the stack. */
enum way {
    ALONE, /* not at all: the event begins a record */
    HERE,  /* the record's values stay where they are pushed */
    MOVED, /* the record's values are pushed again, here */
    UNDER, /* likewise, below the top of the program's stack, which is kept in a scratch local */
};

static uint32_t open_shape(const struct open_record *o)
{
    uint32_t shape = 0;
    for (unsigned i = 0; i < o->count; i++)
        shape = shape_with(shape, i, kind_shape(o->values[i].kind));
    return shape;
}

/* Sets `hook` to the hook for all of them, if the event joins. */
static enum way way_for(const struct method_plan *m, unsigned kind, int32_t slot, enum hook *hook)
{
    const struct open_record *o = &m->open;
    if (!o->known)
        return ALONE;
    if (o->count == 0)
        return MOVED;
    enum hook both = hook_of_shape(shape_with(open_shape(o), o->count, kind_shape(kind)));
    if (both == HOOK_COUNT || o->end != m->inserted.size)
        return ALONE;
    bool reached = slot != SLOT_TOP || o->top == m->gap; /* pushing those does not hide it */
    enum way way = reached && o->gap == m->gap ? HERE : !o->movable ? ALONE : reached ? MOVED : UNDER;
    if (way != ALONE)
        *hook = both;
    return way;
}

/* Pushes the values of the open record, if needed, and the new one. */
static void push_all(struct method_plan *m, struct open_record *o, enum way way, unsigned kind, int32_t slot,
                     int32_t *scratch)
{
    if (way == UNDER) {
        *scratch = (int32_t)plan_scratch(m, kind_local(kind));
        push(m, kind, slot);
        emit_store(m, kind_local(kind), (unsigned)*scratch);
    }
    if (way == MOVED || way == UNDER) {
        o->at = (uint32_t)m->inserted.size;
        o->movable |= o->count == 0;
        for (unsigned i = 0; i < o->count; i++)
            push(m, o->values[i].kind, o->values[i].slot);
    }
    push(m, kind, way == UNDER ? *scratch : slot);
    o->values[o->count].kind = kind;
    o->values[o->count++].slot = slot;
}

void record_value(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, int32_t slot, bool release,
                  const struct attr_list *attrs)
{
    if (record_bare(m, e, pc, kind, release, attrs))
        return;
    if (kind == KIND_VOID || plan_counts_only(m)) { /* counts need no order */
        record_unvalued(m, e, pc, kind, release && !plan_counts_only(m), attrs);
        return;
    }
    struct open_record o = m->open;
    enum hook hook = hook_of_letter(kind_shape(kind));
    enum way way = may_grow(m, e, 0) ? way_for(m, kind, slot, &hook) : ALONE;
    uint32_t id = plan_event(m, e, pc, way == ALONE ? kind : kind | KIND_JOINED, attrs);
    if (way == ALONE)
        o = (struct open_record){ .first = id, .at = (uint32_t)m->inserted.size, .movable = true, .top = NO_GAP };
    else
        cut(m, way == HERE || o.count == 0 ? o.call : o.at);
    plan_direct_leave(m);
    int32_t scratch = SLOT_TOP;
    unsigned slots = 0;
    push_all(m, &o, way, kind, slot, &scratch);
    for (unsigned i = 0; i < o.count; i++)
        slots += type_slots(kind_local(o.values[i].kind));
    emit_hook(m, hook, release, o.first, slots);
    m->open.known = true;
    m->open.movable = o.movable && slot != SLOT_TOP;
    m->open.count = o.count;
    m->open.at = o.at;
    bool narrow = o.count == 2 && slots == 2;
    m->open.pair = e == EVENT_LOCAL_LOAD && narrow && o.top == m->gap ? m->gap + 1 : NO_GAP;
    /* it is recorded right before it is loaded */
    m->open.top = slot == SLOT_TOP ? m->gap : e == EVENT_LOCAL_LOAD ? m->gap + 1 : NO_GAP;
    memcpy(m->open.values, o.values, sizeof o.values);
    if (scratch != SLOT_TOP && kind_local(kind) == 'A')
        plan_clear(m, (unsigned)scratch);
}

/* True for ldc of a number; other constants are resolved on first use. */
static bool loads_number(const struct method_plan *m, const struct insn *in)
{
    if (in->op != OPC_ldc && in->op != OPC_ldc_w && in->op != OPC_ldc2_w)
        return false;
    unsigned tag = cpool_tag(&m->c->cf->cp, (uint32_t)in->operand);
    return tag == CONSTANT_Integer || tag == CONSTANT_Float || tag == CONSTANT_Long || tag == CONSTANT_Double;
}

void record_pass(struct method_plan *m, const struct insn *in)
{
    const struct op_info *op = &op_table[in->op];
    struct open_record *o = &m->open;
    if ((op->flags & (OP_THROWS | OP_COND | OP_END | OP_JSR | OP_INVOKE))
            ? !m->harmless && !loads_number(m, in) && !plan_only_fails(m, in)
            : in->op == OPC_ret)
        o->open = false;
    o->passed |= o->open && plan_only_fails(m, in);
    if ((op->flags & OP_STORE) || op->format == OPF_IINC)
        o->movable = false;
    bool same_top = in->op == OPC_dup && o->top == m->gap;
    m->gap++;
    if (same_top)
        o->top = m->gap;
}

/* How many items from the first make one record: a void one may lead, then as many values as one hook can take. */
static unsigned record_length(const struct sequence_item *items, unsigned count, enum hook *hook)
{
    const unsigned first = kind_shape(items[0].kind) == 'v';
    uint32_t shape = 0;
    unsigned length = first;
    for (unsigned n = first; n < count && n - first < JOURNAL_RECORD_VALUES; n++) {
        const char letter = kind_shape(items[n].kind);
        shape = shape_with(shape, n - first, letter);
        const enum hook all = n == first ? hook_of_letter(letter) : hook_of_shape(shape);
        if (letter == 'v' || all == HOOK_COUNT)
            break;
        *hook = all;
        length = n + 1;
    }
    return length;
}

uint32_t record_ids(struct method_plan *m, uint32_t pc, const struct sequence_item *items, unsigned count)
{
    uint32_t id = record_begin(m, items[0].event, pc, items[0].kind, &items[0].attrs, count - 1);
    for (unsigned k = 1; k < count; k++)
        (void)plan_event(m, items[k].event, pc, items[k].kind | KIND_JOINED, &items[k].attrs);
    return id;
}

/* The events of a sequence, none with a value. */
static void record_counts(struct method_plan *m, uint32_t pc, const struct sequence_item *items, unsigned count)
{
    for (unsigned i = 0, n; i < count; i += n) {
        n = count - i < JOURNAL_RECORD_EVENTS ? count - i : JOURNAL_RECORD_EVENTS;
        emit_hook(m, HOOK_v, false, record_ids(m, pc, items + i, n), 0);
    }
}

void record_pair(struct method_plan *m, uint32_t pc, const struct sequence_item items[2], bool release)
{
    const struct open_record *o = &m->open;
    if (plan_counts_only(m)) {
        record_counts(m, pc, items, 2);
        return;
    }
    if (record_bare(m, items[0].event, pc, items[0].kind, release, &items[0].attrs)) {
        (void)record_bare(m, items[1].event, pc, items[1].kind, release, &items[1].attrs);
        return;
    }
    uint32_t shape = shape_of(kind_shape(items[0].kind), kind_shape(items[1].kind), 0);
    enum hook both = o->known && o->count == 2 && o->pair == m->gap && o->end == m->inserted.size
                         ? hook_of_shape(open_shape(o) | shape << 16)
                         : HOOK_COUNT;
    if (both == HOOK_COUNT || !may_grow(m, items[0].event, 1)) {
        uint32_t id = record_ids(m, pc, items, 2);
        emit_op(m, OPC_dup2);
        emit_hook(m, hook_of_shape(shape), release, id, 2);
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        (void)plan_event(m, items[i].event, pc, items[i].kind | KIND_JOINED, &items[i].attrs);
    cut(m, o->at); /* its two values are these two */
    emit_op(m, OPC_dup2);
    emit_op(m, OPC_dup2);
    emit_hook(m, both, release, o->first, 4);
}

void record_sequence(struct method_plan *m, uint32_t pc, struct sequence_item *items, unsigned count, bool release)
{
    if (plan_counts_only(m)) {
        record_counts(m, pc, items, count);
        return;
    }
    for (unsigned i = 0; i < count;) {
        enum hook hook = HOOK_v; /* if none has a value */
        unsigned n = record_length(items + i, count - i, &hook), slots = 0;
        uint32_t id = record_ids(m, pc, items + i, n);
        for (unsigned k = i; k < i + n; k++) {
            if (items[k].kind == KIND_VOID)
                continue;
            push(m, items[k].kind, items[k].slot);
            slots += type_slots(kind_local(items[k].kind));
        }
        emit_hook(m, hook, release && i + n == count, id, slots);
        if (items[i].event == EVENT_METHOD_ENTRY && m->takes_overflow)
            m->entered = (uint32_t)m->inserted.size;
        i += n;
    }
}
