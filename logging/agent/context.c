/* context.c - the one struct agent, and thin wrappers of JVMTI and JNI that all files of the agent use. */
#include <stdarg.h>
#include <stdio.h>

#include "formats/visible.h"
#include "logging/agent/agent.h"

struct agent agent;
_Thread_local bool agent_own_thread;

bool agent_ok(jvmtiError e, const char *what)
{
    if (e == JVMTI_ERROR_NONE)
        return true;
    if (e != JVMTI_ERROR_WRONG_PHASE && agent.recorder.error.text[0] == '\0')
        (void)error_set(&agent.recorder.error, ERR_UNSUPPORTED, "%s: JVMTI error %d", what, (int)e);
    return false;
}

bool agent_clear(JNIEnv *env)
{
    if (!(*env)->ExceptionCheck(env))
        return false;
    (*env)->ExceptionClear(env);
    return true;
}

void agent_say(const char *fmt, ...)
{
    char text[8192];
    struct writer line = { 0 };
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n > 0)
        visible_write(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1, &line);
    if (!line.bad)
        (void)fprintf(stderr, "hindsight: %.*s\n", (int)line.size, (const char *)line.data);
    writer_free(&line);
}

bool agent_enable(jvmtiEvent event, bool on)
{
    return agent_ok(
        (*agent.jvmti)->SetEventNotificationMode(agent.jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL),
        "SetEventNotificationMode");
}

JNIEnv *agent_attach(struct error *err)
{
    JNIEnv *env = NULL;
    JavaVMAttachArgs args = { .version = JNI_VERSION_1_8, .name = (char[]){ "hindsight-control" } };
    agent_own_thread = true;
    if ((*agent.vm)->AttachCurrentThreadAsDaemon(agent.vm, (void **)&env, &args) == JNI_OK)
        return env;
    (void)error_set(err, ERR_UNSUPPORTED, "this thread cannot be attached to the JVM");
    return NULL;
}

/* Capabilities are bits in the order of their declaration. */
enum { FIRST_WITH_VIRTUAL_THREADS = 21, CAN_SUPPORT_VIRTUAL_THREADS = 44 };

bool agent_has_virtual_threads(void)
{
    jint version = 0;
    return (*agent.jvmti)->GetVersionNumber(agent.jvmti, &version) == JVMTI_ERROR_NONE &&
           (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR >= FIRST_WITH_VIRTUAL_THREADS;
}

void agent_tell_virtual_ends(bool on)
{
    union {
        jvmtiCapabilities all;
        uint8_t bytes[sizeof(jvmtiCapabilities)];
    } can = { 0 }, has = { 0 }, want = { 0 };
    const unsigned at = CAN_SUPPORT_VIRTUAL_THREADS / 8, bit = 1u << CAN_SUPPORT_VIRTUAL_THREADS % 8;
    want.bytes[at] = (uint8_t)bit;
    if (!agent_has_virtual_threads() || (*agent.jvmti)->GetCapabilities(agent.jvmti, &has.all) != JVMTI_ERROR_NONE)
        return;
    if ((has.bytes[at] & bit) == 0 &&
        (!on || (*agent.jvmti)->GetPotentialCapabilities(agent.jvmti, &can.all) != JVMTI_ERROR_NONE ||
         (can.bytes[at] & bit) == 0 || (*agent.jvmti)->AddCapabilities(agent.jvmti, &want.all) != JVMTI_ERROR_NONE))
        return;
    (void)(*agent.jvmti)
        ->SetEventNotificationMode(agent.jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, (jvmtiEvent)EVENT_VIRTUAL_THREAD_END,
                                   NULL);
}
