/* virtual_threads.c - the events of JVMTI 21 that virtual threads have, and what the first one changes.
 *
 * Hooks that record inputs alone (weave_config.inputs) need the events of a thread in their order; those of a virtual
 * thread come through the buffers of several carriers. So before the first one runs, all classes get the hooks of every
 * event. Threads that run continue in the code that they began with. */
#include <string.h>

#include "logging/agent/agent.h"

/* Capabilities are bits in the order of their declaration; jvmti.h may be older than this one. */
enum { FIRST_WITH_VIRTUAL_THREADS = 21, CAN_SUPPORT_VIRTUAL_THREADS = 44 };

bool virtual_threads_possible(void)
{
    jint version = 0;
    return (*agent.jvmti)->GetVersionNumber(agent.jvmti, &version) == JVMTI_ERROR_NONE &&
           (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR >= FIRST_WITH_VIRTUAL_THREADS;
}

/* The capability that their events need; `add`: also if it must be added first. */
static bool is_capable(bool add)
{
    union {
        jvmtiCapabilities all;
        uint8_t bytes[sizeof(jvmtiCapabilities)];
    } can = { 0 }, has = { 0 }, want = { 0 };
    const unsigned at = CAN_SUPPORT_VIRTUAL_THREADS / 8, bit = 1u << CAN_SUPPORT_VIRTUAL_THREADS % 8;
    want.bytes[at] = (uint8_t)bit;
    if (!virtual_threads_possible() || (*agent.jvmti)->GetCapabilities(agent.jvmti, &has.all) != JVMTI_ERROR_NONE)
        return false;
    return (has.bytes[at] & bit) != 0 ||
           (add && (*agent.jvmti)->GetPotentialCapabilities(agent.jvmti, &can.all) == JVMTI_ERROR_NONE &&
            (can.bytes[at] & bit) != 0 && (*agent.jvmti)->AddCapabilities(agent.jvmti, &want.all) == JVMTI_ERROR_NONE);
}

static bool enable(int event, bool on)
{
    return is_capable(on) && (*agent.jvmti)
                                     ->SetEventNotificationMode(agent.jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                                                (jvmtiEvent)event, NULL) == JVMTI_ERROR_NONE;
}

void virtual_threads_tell_ends(bool on) { (void)enable(EVENT_VIRTUAL_THREAD_END, on); }

bool virtual_threads_tell_first(void) { return enable(EVENT_VIRTUAL_THREAD_START, true); }

/* Its class is initialized by the first one. */
static bool is_used(JNIEnv *env, jclass c)
{
    (void)env;
    jint state = 0;
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return false;
    bool used = strcmp(signature, "Ljava/lang/VirtualThread;") == 0 &&
                ((*agent.jvmti)->GetClassStatus(agent.jvmti, c, &state) != JVMTI_ERROR_NONE ||
                 (state & JVMTI_CLASS_STATUS_INITIALIZED) != 0);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return used;
}

bool virtual_threads_none_yet(JNIEnv *env) { return virtual_threads_tell_first() && !agent_any_class(env, is_used); }

void JNICALL virtual_threads_on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti, (void)thread;
    inputs_end(env);
    (void)enable(EVENT_VIRTUAL_THREAD_START, false);
}
