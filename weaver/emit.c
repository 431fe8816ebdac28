/* emit.c - inserted code, byte by byte, with the stack it needs; and the data IDs it names. See plan.h. */
#include "weaver/plan.h"

#include "formats/journal.h"
#include "formats/windows.h"

enum { POOL_RESERVE = 8192 }; /* entries kept free for hooks and classes: integers stop before */

uint8_t plan_role_of(const struct method_plan *m, enum event e)
{
    if (!(m->groups & GROUP_BIT(EXEC)))
        return ROLE_NEUTRAL;
    return e == EVENT_METHOD_ENTRY              ? ROLE_ENTER
           : e == EVENT_METHOD_NORMAL_EXIT      ? ROLE_LEAVE
           : e == EVENT_METHOD_EXCEPTIONAL_EXIT ? ROLE_EXCEPTIONAL
           : e == EVENT_CATCH_LABEL             ? ROLE_CATCH_LABEL
           : e == EVENT_CATCH                   ? ROLE_CATCH
           : e == EVENT_EVENTS_LEFT_OUT         ? ROLE_LEFT_OUT
                                                : ROLE_NONE;
}

void plan_role(struct method_plan *m, uint8_t role)
{
    struct writer *roles = &m->c->out->dataids.roles;
    if (!(m->groups & GROUP_BIT(EXEC)) || roles->size == 0)
        return;
    roles->data[roles->size - 1] = role;
    m->open.open = false; /* the data ID is of that record */
}

/* Records the trigger role of the next data ID; returns its kind, not joined on either side of a trigger. */
static unsigned add_trigger(struct method_plan *m, enum event e, unsigned kind)
{
    enum { ANY = EDGE_START | EDGE_END };
    struct writer *triggers = &m->c->out->triggers;
    bool joined = (kind & KIND_JOINED) != 0;
    unsigned trigger =
        (m->starts >> e & 1 ? EDGE_START : 0u) | (m->ends >> e & 1 ? EDGE_END : 0u) | (joined ? EDGE_SAME_CALL : 0u);
    triggers->size = m->c->out->dataids.count; /* drops the entries of attempts that were rewound */
    bool split = joined && !triggers->bad && ((trigger | triggers->data[triggers->size - 1]) & ANY) != 0;
    write_u1(triggers, trigger);
    return split ? kind & ~KIND_JOINED : kind;
}

bool plan_is_trigger(const struct method_plan *m, enum hook hook, uint32_t id)
{
    const struct writer *triggers = &m->c->out->triggers;
    size_t first = id - m->c->config->first_dataid;
    bool any = false;
    if (m->c->config->triggers == NULL)
        return false;
    for (size_t i = first; !triggers->bad && !any && i < triggers->size; i++) {
        if (i > first && hook != HOOK_multi && !(triggers->data[i] & EDGE_SAME_CALL))
            break;
        any = (triggers->data[i] & (EDGE_START | EDGE_END)) != 0;
    }
    return any;
}

uint32_t plan_event(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, const struct attr_list *attrs)
{
    struct dataid_row row; /* filled field by field: its array of attributes is not used */
    if (m->c->config->triggers != NULL)
        kind = add_trigger(m, e, kind);
    row.method = m->index;
    row.event = e;
    row.kind = (uint8_t)(kind & ~KIND_JOINED);
    row.joined = (kind & KIND_JOINED) != 0;
    row.role = plan_role_of(m, e);
    row.pc = pc;
    row.line = m->lines[pc];
    row.attr_count = attrs != NULL ? attrs->count : 0;
    dataid_rows_add(&m->c->out->dataids, &row, attrs != NULL ? attrs->items : NULL);
    return plan_next_id(m) - 1;
}

struct text source_of_descriptor(struct class_plan *c, const char *desc, size_t size)
{
    /* the same pool entries are looked up repeatedly */
    struct source_cache *slot = &c->descriptor_sources[((uintptr_t)desc ^ size) % SOURCE_CACHE];
    if (slot->desc == desc && slot->size == size)
        return slot->source;
    size_t room = 2 * size + sizeof "boolean";
    struct writer w = { .data = (uint8_t *)arena_chars(&c->arena, room), .cap = room };
    if (w.data == NULL || descriptor_to_source(desc, size, &w) == 0)
        return TEXT_OF("");
    *slot = (struct source_cache){ desc, size, { (const char *)w.data, w.size } };
    return slot->source;
}

struct text source_of_class(struct class_plan *c, uint32_t index)
{
    struct text name;
    if (!cpool_class(&c->cf->cp, index, &name))
        return TEXT_OF("");
    if (c->sources[index] != NULL)
        return *c->sources[index];
    struct text *t = arena_get(&c->arena, sizeof *t + name.size);
    if (t == NULL)
        return TEXT_OF("");
    if (name.size > 0 && name.data[0] == '[') {
        *t = source_of_descriptor(c, name.data, name.size);
    } else {
        char *copy = (char *)(t + 1);
        for (size_t i = 0; i < name.size; i++)
            copy[i] = name.data[i] == '/' ? '.' : name.data[i];
        *t = (struct text){ copy, name.size };
    }
    c->sources[index] = t;
    return *t;
}

const struct local_name *plan_local_at(const struct method_plan *m, uint32_t slot, uint32_t pc)
{
    for (size_t i = 0; i < m->locals.count; i++) {
        const struct local_name *l = &m->locals.items[i];
        if (l->slot == slot && l->start <= pc && pc < (uint32_t)l->start + l->length)
            return l;
    }
    return NULL;
}

uint32_t plan_store_pc(const struct method_plan *m, uint32_t index, const struct insn *in)
{
    const struct local_name *next = NULL;
    const uint32_t behind = in->pc + in->length;
    for (size_t i = 0; i < m->locals.count; i++) {
        const struct local_name *l = &m->locals.items[i];
        if (l->slot != in->local || (uint32_t)l->start + l->length <= behind)
            continue;
        if (l->start <= behind)
            return behind;
        if (next == NULL || l->start < next->start)
            next = l;
    }
    if (next == NULL)
        return behind;
    for (size_t i = index + 1; i < m->code.insns.count && m->code.insns.items[i].pc < next->start; i++)
        if ((op_table[m->code.insns.items[i].op].flags & OP_STORE) && m->code.insns.items[i].local == in->local)
            return behind;
    return next->start;
}

static void emit_ldc(struct method_plan *m, uint32_t index)
{
    if (index < 256) {
        emit_op(m, OPC_ldc);
        write_u1(&m->inserted, index);
    } else {
        emit_op(m, OPC_ldc_w);
        write_u2(&m->inserted, index);
    }
}

void emit_int(struct method_plan *m, int32_t value)
{
    struct cpool *cp = &m->c->cf->cp;
    if (value >= -1 && value <= 5) {
        emit_op(m, (enum opcode)(OPC_iconst_0 + value));
    } else if (value >= INT8_MIN && value <= INT8_MAX) {
        emit_op(m, OPC_bipush);
        write_u1(&m->inserted, (uint8_t)value);
    } else if (value >= INT16_MIN && value <= INT16_MAX) {
        emit_op(m, OPC_sipush);
        write_u2(&m->inserted, (uint16_t)value);
    } else if (value <= UINT16_MAX && value > 0) { /* long methods: (char) value of a short */
        emit_op(m, OPC_sipush);
        write_u2(&m->inserted, (uint16_t)value);
        emit_op(m, OPC_i2c);
    } else if (cp->next + POOL_RESERVE < CPOOL_MAX) {
        uint32_t index = cpool_add_integer(cp, (uint32_t)value);
        m->full |= index == 0;
        emit_ldc(m, index);
    } else {
        m->full = true; /* only data IDs are this large, and emit_id can load them differently */
    }
}

/* Adds a constant that moves with the data IDs of the class. */
static uint32_t add_id_constant(struct method_plan *m, uint32_t id)
{
    struct cpool *cp = &m->c->cf->cp;
    uint32_t index = cpool_add_integer(cp, id);
    m->full |= index == 0;
    if (index != 0 && m->c->config->relocatable)
        write_le4(&m->c->out->ids, (uint32_t)(cp->added.size - 4));
    return index;
}

/* Loads a data ID: as one constant, or, where constants are expensive or the pool is nearly full, as a base (one for
 * every 65536 data IDs) plus a distance. */
void emit_id(struct method_plan *m, uint32_t id)
{
    struct class_plan *c = m->c;
    bool alone = !c->config->few_constants && c->cf->cp.next + POOL_RESERVE < CPOOL_MAX;
    if (c->config->relocatable && alone) {
        emit_ldc(m, add_id_constant(m, id));
        return;
    }
    if (!c->config->relocatable && (id <= UINT16_MAX || alone)) {
        emit_int(m, (int32_t)id);
        return;
    }
    uint32_t distance = id - c->config->first_dataid, block = distance >> 16;
    uint32_t *base = block < BASE_CONSTANTS ? &c->base_constants[block] : NULL;
    if (base != NULL && *base == 0)
        *base = add_id_constant(m, c->config->first_dataid + (block << 16));
    m->full |= base == NULL;
    emit_ldc(m, base != NULL ? *base : 0);
    emit_int(m, (int32_t)(distance & UINT16_MAX));
    emit_op(m, OPC_iadd);
}

static void emit_local(struct method_plan *m, unsigned op, unsigned slot)
{
    if (slot > 255)
        emit_op(m, OPC_wide);
    write_u1(&m->inserted, op);
    if (slot > 255)
        write_u2(&m->inserted, slot);
    else
        write_u1(&m->inserted, slot);
}

void emit_load(struct method_plan *m, char type, unsigned slot)
{
    if (slot < 4)
        write_u1(&m->inserted, OPC_iload_0 + 4 * type_index(type) + slot);
    else
        emit_local(m, OPC_iload + type_index(type), slot);
}

void emit_store(struct method_plan *m, char type, unsigned slot)
{
    if (slot < 4)
        write_u1(&m->inserted, OPC_istore_0 + 4 * type_index(type) + slot);
    else
        emit_local(m, OPC_istore + type_index(type), slot);
}

void emit_from(struct method_plan *m, uint32_t pc)
{
    emit_int(m, (int32_t)pc);
    emit_store(m, 'I', m->from_local);
    if (m->stack_extra < 1)
        m->stack_extra = 1;
}

void emit_hook_call(struct method_plan *m, enum hook_use use, enum hook hook, bool release, uint32_t id,
                    unsigned on_stack)
{
    uint32_t ref = hook_ref(&m->c->hooks, &m->c->cf->cp, use, hook, release);
    if (ref == 0)
        m->full = true;
    if (m->stack_extra < on_stack + 2) /* an id may be the sum of two numbers */
        m->stack_extra = (uint16_t)(on_stack + 2);
    emit_id(m, id);
    emit_op(m, OPC_invokestatic);
    write_u2(&m->inserted, ref);
}

static uint32_t add_member(struct method_plan *m, bool is_field, const char *class, const char *name, const char *desc)
{
    struct cpool *cp = &m->c->cf->cp;
    uint32_t both = cpool_add_name_and_type(cp, cpool_add_utf8(cp, name), cpool_add_utf8(cp, desc));
    uint32_t of = cpool_add_class(cp, cpool_add_utf8(cp, class));
    uint32_t ref = is_field ? cpool_add_field(cp, of, both) : cpool_add_method(cp, of, both);
    m->full |= ref == 0;
    return ref;
}

uint32_t plan_method_ref(struct method_plan *m, const char *class, const char *name, const char *desc)
{
    return add_member(m, false, class, name, desc);
}

void emit_member(struct method_plan *m, enum opcode op, enum woven_member which)
{
    const struct weave_config *config = m->c->config;
    const struct {
        const char *class, *name, *desc;
    } rows[MEMBER_COUNT] = {
        [MEMBER_MISSED_THREADS] = { config->hook_class, "missedThreads", "[Ljava/lang/Object;" },
        [MEMBER_MISSED_EXCEPTIONS] = { config->hook_class, "missedExceptions", "[Ljava/lang/Object;" },
        [MEMBER_MISSED_IDS] = { config->hook_class, "missedIds", "[I" },
        [MEMBER_MISSED] = { config->hook_class, "missed", "I" },
        [MEMBER_UNWOUND] = { config->hook_class, "unwound", "()V" },
        [MEMBER_CUT] = { config->hook_class, "cut", "(II)V" },
        [MEMBER_TICK] = { config->hook_class, "tick", "(II)I" },
        [MEMBER_ADD] = { config->hook_class, "add", "(II)V" },
        [MEMBER_ADD_MANY] = { config->hook_class, "addMany", "(II)I" },
        [MEMBER_NUMBER] = { config->hook_class, "number", "()J" },
        [MEMBER_AT] = { config->hook_class, "at", "(I)J" },
        [MEMBER_LEAVE] = { config->hook_class, "leave", "(JJI)V" },
        [MEMBER_CALLS] = { config->hook_class, "calls", "(Ljava/lang/Object;I)V" },
        [MEMBER_CALLS_STATIC] = { config->hook_class, "calls", "(I)V" },
        [MEMBER_DIRECT] = { config->hook_class, "direct", "()V" },
        [MEMBER_CALLED] = { config->hook_class, "called", "()I" },
        [MEMBER_LEAVING] = { config->hook_class, "leaving", "(I)V" },
        [MEMBER_FORGET] = { config->hook_class, "forget", "()V" },
        [MEMBER_ARRIVE] = { config->hook_class, "arrive", "()V" },
        [MEMBER_NOTE] = { config->redact_class, "note", "(Ljava/lang/Object;)V" },
        [MEMBER_THREAD] = { config->hook_class, "thread", "()Ljava/lang/Object;" },
        [MEMBER_ASKED] = { config->hook_class, "asked", "(Ljava/lang/String;)Ljava/lang/Class;" },
    };
    uint32_t *ref = &m->c->members[which];
    if (*ref == 0)
        *ref = add_member(m, op != OPC_invokestatic, rows[which].class, rows[which].name, rows[which].desc);
    emit_op(m, op);
    write_u2(&m->inserted, *ref);
}

void emit_member_call(struct method_plan *m, enum woven_member which, unsigned on_stack)
{
    emit_member(m, OPC_invokestatic, which);
    m->hook_calls++;
    if (m->stack_extra < on_stack)
        m->stack_extra = (uint16_t)on_stack;
}

void plan_clear(struct method_plan *m, unsigned slot)
{
    emit_op(m, OPC_aconst_null);
    emit_store(m, 'A', slot);
    if (m->stack_extra < 1)
        m->stack_extra = 1;
}

unsigned plan_scratch(struct method_plan *m, char type)
{
    unsigned slot = m->scratch;
    m->scratch = (uint16_t)(m->scratch + type_slots(type));
    if (m->scratch > m->scratch_max)
        m->scratch_max = m->scratch;
    return slot;
}
