/* plan_direct.c - calls that enter woven code at once, where the last events are kept.
 *
 * A call of code that is not woven may release something to another thread, and so may the exit of a method that such
 * code called: both move the shared stamp, for which threads then wait. A call that enters a woven method without other
 * code in between does not, nor does its exit. So a call announces itself to the method that it enters, through
 * thread_desc.site:
 *
 *     call      (records); push the receiver, its data ID; invokestatic calls(Object, int)V, or calls(int)V
 *               sure to enter a method of this class: invokestatic direct()V
 *     method    invokestatic called()I; istore w, before everything
 *     exit      iload w; invokestatic leaving(I)V; (record)
 *
 * Which calls are direct is found out by looking at the stack, of one call among many: by the class of the receiver, a
 * call selects the same method each time (HindsightHook.calls, logging/agent/direct_calls.c).
 *
 * Where an exception comes from a call that may not have entered its method, as at the end of the stack, the mark is
 * forgotten. Where something is released without a hook, for want of a group, arrive() moves the stamp; a method in
 * which that may be so, at writes to fields of other classes, makes no direct calls. What the JVM calls by itself, in
 * the middle of a call, is never entered directly.
 *
 * The constructor of Object releases the object to the thread of finalizers alone: finalize() moves the stamp before
 * its first event. */
#include "weaver/plan.h"

#include <string.h>

/* May a call that names that class, and selects nothing by the receiver, enter woven code? */
static bool may_be_woven(struct text owner)
{
    static const char *const excluded[] = {
#define EXCLUDE(prefix) prefix,
#include "weaver/filter_defaults.def"
#undef EXCLUDE
    };
    bool woven = owner.size > 0 && owner.data[0] != '[';
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded && woven; i++) {
        const size_t n = strlen(excluded[i]);
        woven = owner.size < n || memcmp(owner.data, excluded[i], n) != 0;
    }
    return woven;
}

/* What an instruction without a hook, for want of a group, releases to other threads. */
enum release { RELEASES_NOTHING, RELEASES, MAY_RELEASE };
static enum release unseen_release(const struct method_plan *m, const struct insn *in)
{
    struct member_ref ref;
    if (in->op == OPC_monitorexit)
        return m->groups & GROUP_BIT(SYNC) ? RELEASES_NOTHING : RELEASES;
    if ((in->op != OPC_putfield && in->op != OPC_putstatic) || (m->groups & GROUP_BIT(FIELD)) ||
        !cpool_member(&m->c->cf->cp, (uint32_t)in->operand, &ref))
        return RELEASES_NOTHING;
    const enum field_fact fact = plan_field_fact(m->c, in, &ref);
    return fact == FIELD_VOLATILE ? RELEASES : fact == FIELD_ELSEWHERE ? MAY_RELEASE : RELEASES_NOTHING;
}

void plan_direct_look(struct method_plan *m)
{
    const group_set needed = GROUP_BIT(EXEC) | GROUP_BIT(CALL);
    m->direct = m->c->config->direct && (m->groups & needed) == needed && !m->c->release_all;
    for (uint32_t i = 0; i < m->scan.code.insns.count && m->direct; i++)
        m->direct = unseen_release(m, &m->scan.code.insns.items[i]) != MAY_RELEASE;
    const bool by_jvm =
        text_is(m->scan.name, "<clinit>") ||
        (text_is(m->scan.name, "loadClass") && text_is(m->scan.desc, "(Ljava/lang/String;)Ljava/lang/Class;"));
    m->kept.has_called = m->direct && !by_jvm && !(m->scan.member->access & ACC_SYNCHRONIZED);
}

void plan_direct_before(struct method_plan *m, uint32_t index, const struct insn *in)
{
    (void)index;
    if (!m->direct || unseen_release(m, in) != RELEASES)
        return;
    emit_member_call(&m->glue, MEMBER_ARRIVE, 0);
    record_close(m);
}

void plan_direct_begin(struct method_plan *m)
{
    if (m->c->config->direct && text_is(m->scan.name, "finalize") && text_is(m->scan.desc, "()V"))
        emit_member_call(&m->glue, MEMBER_ARRIVE, 0);
    if (!m->kept.has_called) {
        plan_direct_forget(m);
        return;
    }
    emit_member_call(&m->glue, MEMBER_CALLED, 1);
    emit_store(&m->glue, 'I', m->kept.called);
}

static bool selects(const struct insn *in) { return in->op == OPC_invokevirtual || in->op == OPC_invokeinterface; }

bool plan_direct_may(const struct method_plan *m, const struct insn *in, struct text owner)
{
    return m->direct && (selects(in) || may_be_woven(owner));
}

void plan_direct_call(struct method_plan *m, const struct insn *in, uint32_t id, bool spilled, unsigned arg_slots)
{
    record_close(m);
    if (selects(in) && !spilled && arg_slots > 0) { /* behind the receiver there is one slot at most (plan_call.c) */
        emit_op(&m->glue, OPC_dup2);
        emit_op(&m->glue, OPC_pop);
    } else if (selects(in)) {
        emit_op(&m->glue, OPC_dup);
    }
    emit_id(&m->glue, id);
    emit_member_call(&m->glue, selects(in) ? MEMBER_CALLS : MEMBER_CALLS_STATIC,
                     3); /* a data ID may be the sum of two numbers */
}

void plan_direct_enter(struct method_plan *m)
{
    record_close(m);
    emit_member_call(&m->glue, MEMBER_DIRECT, 0);
}

void plan_direct_leave(struct method_plan *m)
{
    if (!m->kept.has_called)
        return;
    emit_load(&m->glue, 'I', m->kept.called);
    emit_member_call(&m->glue, MEMBER_LEAVING, 1);
}

void plan_direct_forget(struct method_plan *m)
{
    if (m->c->config->direct)
        emit_member_call(&m->glue, MEMBER_FORGET, 0);
}
