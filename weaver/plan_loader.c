/* plan_loader.c - class loaders answer for the hook classes: config->asked.
 *
 * The JVM resolves the hook class, like every class that woven code names, by a call of loadClass(String) of the loader
 * that defined the woven class. A loader that lets only some classes pass (of plug-ins, sandboxes) would refuse it, and
 * one of an application that was stopped refuses everything. So that method begins with a call of the hook class's
 * asked(String), and returns its result unless that is null:
 *
 *     aload_1; invokestatic asked; dup; ifnull not_asked; areturn; not_asked: pop; [prologue] ...
 *
 * The program's code does not run then, and nothing is recorded: the JVM would not have asked without the agent. The
 * method is an instance method of any class; those that are no class loaders are never asked for such a name. */
#include "weaver/plan.h"

void plan_asked(struct method_plan *m)
{
    if (!m->c->config->asked || m->scan.is_static || !text_is(m->scan.name, "loadClass") ||
        !text_is(m->scan.desc, "(Ljava/lang/String;)Ljava/lang/Class;"))
        return;
    emit_load(&m->glue, 'A', 1);
    emit_member_call(&m->glue, MEMBER_ASKED, 2);
    emit_op(&m->glue, OPC_dup);
    const uint32_t branch = (uint32_t)m->glue.code.size;
    emit_op(&m->glue, OPC_ifnull);
    write_u2(&m->glue.code, 4);
    emit_op(&m->glue, OPC_areturn);
    m->planned.not_asked = branch + 4;
    emit_op(&m->glue, OPC_pop);
}
