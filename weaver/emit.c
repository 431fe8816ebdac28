/* emit.c - see emit.h. */
#include "weaver/emit.h"

enum { POOL_RESERVE = 8192 }; /* entries kept free for hooks and classes: integers stop before */

static void emit_ldc(struct emitter *e, uint32_t index)
{
    if (index < 256) {
        emit_op(e, OPC_ldc);
        write_u1(&e->code, index);
    } else {
        emit_op(e, OPC_ldc_w);
        write_u2(&e->code, index);
    }
}

void emit_int(struct emitter *e, int32_t value)
{
    struct cpool *cp = &e->c->cf->cp;
    if (value >= -1 && value <= 5) {
        emit_op(e, (enum opcode)(OPC_iconst_0 + value));
    } else if (value >= INT8_MIN && value <= INT8_MAX) {
        emit_op(e, OPC_bipush);
        write_u1(&e->code, (uint8_t)value);
    } else if (value >= INT16_MIN && value <= INT16_MAX) {
        emit_op(e, OPC_sipush);
        write_u2(&e->code, (uint16_t)value);
    } else if (value <= UINT16_MAX && value > 0) { /* long methods: (char) value of a short */
        emit_op(e, OPC_sipush);
        write_u2(&e->code, (uint16_t)value);
        emit_op(e, OPC_i2c);
    } else if (cp->next + POOL_RESERVE < CPOOL_MAX) {
        uint32_t index = cpool_add_integer(cp, (uint32_t)value);
        e->full |= index == 0;
        emit_ldc(e, index);
    } else {
        e->full = true; /* only data IDs are this large, and emit_id can load them differently */
    }
}

/* Adds a constant that moves with the data IDs of the class. */
static uint32_t add_id_constant(struct emitter *e, uint32_t id)
{
    struct cpool *cp = &e->c->cf->cp;
    uint32_t index = cpool_add_integer(cp, id);
    e->full |= index == 0;
    if (index != 0 && e->c->config->relocatable)
        write_le4(&e->c->out->ids, (uint32_t)(cp->added.size - 4));
    return index;
}

/* As one constant, or, where constants are expensive or the pool is nearly full, as a base (one for every 65536 data
 * IDs) plus a distance. */
void emit_id(struct emitter *e, uint32_t id)
{
    struct class_plan *c = e->c;
    bool alone = !c->config->few_constants && c->cf->cp.next + POOL_RESERVE < CPOOL_MAX;
    if (c->config->relocatable && alone) {
        emit_ldc(e, add_id_constant(e, id));
        return;
    }
    if (!c->config->relocatable && (id <= UINT16_MAX || alone)) {
        emit_int(e, (int32_t)id);
        return;
    }
    uint32_t distance = id - c->config->first_dataid, block = distance >> 16;
    uint32_t *base = block < BASE_CONSTANTS ? &c->base_constants[block] : NULL;
    if (base != NULL && *base == 0)
        *base = add_id_constant(e, c->config->first_dataid + (block << 16));
    e->full |= base == NULL;
    emit_ldc(e, base != NULL ? *base : 0);
    emit_int(e, (int32_t)(distance & UINT16_MAX));
    emit_op(e, OPC_iadd);
}

static void emit_local(struct emitter *e, unsigned op, unsigned slot)
{
    if (slot > 255)
        emit_op(e, OPC_wide);
    write_u1(&e->code, op);
    if (slot > 255)
        write_u2(&e->code, slot);
    else
        write_u1(&e->code, slot);
}

void emit_load(struct emitter *e, char type, unsigned slot)
{
    if (slot < 4)
        write_u1(&e->code, OPC_iload_0 + 4 * type_index(type) + slot);
    else
        emit_local(e, OPC_iload + type_index(type), slot);
}

void emit_store(struct emitter *e, char type, unsigned slot)
{
    if (slot < 4)
        write_u1(&e->code, OPC_istore_0 + 4 * type_index(type) + slot);
    else
        emit_local(e, OPC_istore + type_index(type), slot);
}

void emit_hook_call(struct emitter *e, enum hook_use use, enum hook hook, bool release, uint32_t id, unsigned on_stack)
{
    uint32_t ref = hook_ref(&e->c->hooks, &e->c->cf->cp, use, hook, release);
    e->calls++;
    e->full |= ref == 0;
    emit_stack(e, on_stack + ID_STACK);
    emit_id(e, id);
    emit_op(e, OPC_invokestatic);
    write_u2(&e->code, ref);
}

static uint32_t add_member(struct emitter *e, bool is_field, const char *class, const char *name, const char *desc)
{
    struct cpool *cp = &e->c->cf->cp;
    uint32_t both = cpool_add_name_and_type(cp, cpool_add_utf8(cp, name), cpool_add_utf8(cp, desc));
    uint32_t of = cpool_add_class(cp, cpool_add_utf8(cp, class));
    uint32_t ref = is_field ? cpool_add_field(cp, of, both) : cpool_add_method(cp, of, both);
    e->full |= ref == 0;
    return ref;
}

void emit_static(struct emitter *e, const char *class, const char *name, const char *desc, unsigned on_stack)
{
    uint32_t ref = add_member(e, false, class, name, desc);
    emit_stack(e, on_stack);
    emit_op(e, OPC_invokestatic);
    write_u2(&e->code, ref);
    e->calls++;
}

void emit_member(struct emitter *e, enum opcode op, enum woven_member which)
{
    const struct weave_config *config = e->c->config;
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
    uint32_t *ref = &e->c->members[which];
    if (*ref == 0)
        *ref = add_member(e, op != OPC_invokestatic, rows[which].class, rows[which].name, rows[which].desc);
    emit_op(e, op);
    write_u2(&e->code, *ref);
}

void emit_member_call(struct emitter *e, enum woven_member which, unsigned on_stack)
{
    emit_member(e, OPC_invokestatic, which);
    e->calls++;
    emit_stack(e, on_stack);
}

void emit_clear(struct emitter *e, unsigned slot)
{
    emit_op(e, OPC_aconst_null);
    emit_store(e, 'A', slot);
    emit_stack(e, 1);
}
