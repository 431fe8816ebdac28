/* plan_overflow.c - exits for whose record there is no stack.
 *
 * Near the end of the stack the hook of METHOD_EXCEPTIONAL_EXIT throws a StackOverflowError itself, and the event is
 * missing. Where the caller goes on in the same method (a recursive one), nothing would show which of its frames that
 * is. It may do so in any handler, since code that is not woven wraps the error (InvocationTargetException), or behind
 * a call, since such code swallows it (FutureTask). So the exceptional exit of a method that has handlers has one of
 * its own, which calls nothing:
 *
 *     exit:    astore e; aload e; unwound(); (hook) ...; athrow
 *     missed:  pop; notes the thread, e and the data ID in arrays of the hook class; aload e; athrow
 *     release: aload lock; monitorexit; athrow
 *
 * Each handler, each exceptional exit, also of other methods, and what follows a call in such a method begins with a
 * call of unwound(), which records what was noted by its thread: events keep their order. The thread is in a local from
 * the begin of the method on, since finding it takes a call. The arrays are shared by all threads, so it is noted in a
 * block that is synchronized: that takes no Java stack. Nothing in the block throws, but HotSpot compiles no method
 * with a monitor that an exception could leave locked (generateOopMap.cpp, do_exception_edge): so the block has the
 * handler of each synchronized statement. */
#include "weaver/plan.h"

void plan_keep_thread(struct method_plan *m)
{
    if (!m->kept.has_thread)
        return;
    emit_member(&m->glue, OPC_invokestatic, MEMBER_THREAD);
    emit_store(&m->glue, 'A', m->kept.thread);
    emit_stack(&m->glue, 1);
}

void plan_record_missed(struct method_plan *m)
{
    emit_member_call(&m->glue, MEMBER_UNWOUND, 0);
    record_close(m);
}

void plan_unwound(struct method_plan *m)
{
    if (!m->kept.has_thread)
        return;
    plan_direct_forget(m);
    plan_record_missed(m);
}

/* One of the arrays, and the index of the next entry. */
static void emit_entry(struct method_plan *m, enum woven_member array)
{
    emit_member(&m->glue, OPC_getstatic, array);
    emit_member(&m->glue, OPC_getstatic, MEMBER_MISSED);
    emit_int(&m->glue, MISSED_EXITS - 1);
    emit_op(&m->glue, OPC_iand);
}

void plan_missed_exit(struct method_plan *m, uint32_t id)
{
    const struct exit_locals *locals = &m->exit.locals;
    struct missed_exit *out = &m->exit.missed;
    size_t start = m->glue.code.size;
    emit_op(&m->glue, OPC_pop);
    emit_member(&m->glue, OPC_getstatic, MEMBER_MISSED_THREADS);
    emit_op(&m->glue, OPC_dup);
    emit_store(&m->glue, 'A', locals->lock);
    emit_op(&m->glue, OPC_monitorenter);
    out->locked = (uint32_t)(m->glue.code.size - start);
    emit_entry(m, MEMBER_MISSED_THREADS);
    emit_load(&m->glue, 'A', m->kept.thread);
    emit_op(&m->glue, OPC_aastore);
    emit_entry(m, MEMBER_MISSED_EXCEPTIONS);
    emit_load(&m->glue, 'A', locals->exception);
    emit_op(&m->glue, OPC_aastore);
    emit_entry(m, MEMBER_MISSED_IDS);
    emit_id(&m->glue, id);
    if (plan_is_trigger(m, id, 1)) {
        emit_op(&m->glue, OPC_iconst_m1);
        emit_op(&m->glue, OPC_ixor);
    }
    emit_op(&m->glue, OPC_iastore);
    emit_member(&m->glue, OPC_getstatic, MEMBER_MISSED);
    emit_op(&m->glue, OPC_iconst_1);
    emit_op(&m->glue, OPC_iadd);
    emit_member(&m->glue, OPC_putstatic, MEMBER_MISSED);
    emit_load(&m->glue, 'A', locals->lock);
    emit_op(&m->glue, OPC_monitorexit);
    out->unlocked = (uint32_t)(m->glue.code.size - start);
    emit_load(&m->glue, 'A', locals->exception);
    emit_op(&m->glue, OPC_athrow);
    out->release = (uint32_t)(m->glue.code.size - start);
    emit_load(&m->glue, 'A', locals->lock);
    emit_op(&m->glue, OPC_monitorexit);
    out->released = (uint32_t)(m->glue.code.size - start);
    emit_op(&m->glue, OPC_athrow);
    if (!m->glue.code.bad)
        write_bytes(&out->code, m->glue.code.data + start, m->glue.code.size - start);
    m->glue.code.size = start;
}
