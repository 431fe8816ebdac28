/* virtual_threads.c - the event of JVMTI 21 for the end of a virtual thread. */
#include "logging/agent/agent.h"

/* Capabilities are bits in the order of their declaration; jvmti.h may be older than this one. */
enum { FIRST_WITH_VIRTUAL_THREADS = 21, CAN_SUPPORT_VIRTUAL_THREADS = 44 };

static bool is_possible(void)
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
    if (!is_possible() || (*agent.jvmti)->GetCapabilities(agent.jvmti, &has.all) != JVMTI_ERROR_NONE)
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

void virtual_threads_report_ends(bool on) { (void)enable(EVENT_VIRTUAL_THREAD_END, on); }
