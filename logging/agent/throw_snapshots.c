/* throw_snapshots.c - freeze=: a throw at which the state is saved as it is then
 * (logging/aggregate/snapshot_requests.h).
 *
 *     uncaught   a call of the hook at the start of Thread.dispatchUncaughtException, which the JVM (and virtual
 *                threads) call for uncaught exceptions
 *     CLASS      JVMTI's Exception event: all throws, also by the JVM or in code that is not woven
 *
 * The thread that throws only takes a stamp and stores the request; the drain does the rest. An exception causes one
 * snapshot, however often it is rethrown (woven methods do that at each exit). */
#include "logging/agent/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    pthread_mutex_t mutex; /* guards the next two */
    jweak *seen;           /* exceptions that have had snapshots: room for the maximum of uncaught and of thrown ones */
    uint32_t count[2];
    atomic_bool full;
    jclass hook;
    jmethodID snapshotAtThrow;
} throw_snapshots = { .mutex = PTHREAD_MUTEX_INITIALIZER };
static _Thread_local bool inside; /* code called by the hook may throw */

bool throw_snapshots_watch_uncaught(void) { return agent.options.freeze_uncaught; }

bool throw_snapshots_possible(struct error *err)
{
    jvmtiCapabilities there;
    if (agent.options.freeze.count == 0)
        return true;
    if ((*agent.jvmti)->GetPotentialCapabilities(agent.jvmti, &there) == JVMTI_ERROR_NONE &&
        there.can_generate_exception_events)
        return true;
    return error_set(err, ERR_USAGE,
                     "option freeze=%s: this JVM reports throws only if the agent is loaded at its start; accepted "
                     "here is freeze=uncaught",
                     agent.options.freeze.items[0]) == OK;
}

/* "a.b.C" of a class; false for arrays and on failure. */
static bool class_name(jclass c, char *out, size_t size)
{
    char *signature = NULL;
    if (c == NULL || (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return false;
    bool named = signature[0] == 'L';
    (void)snprintf(out, size, "%.*s", (int)strcspn(signature, ";") - 1, signature + 1);
    for (char *p = out; *p != '\0'; p++)
        *p = *p == '/' ? '.' : *p;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return named;
}

/* By its name, or without packages and outer classes; `.` may stand for `$`, as in Java source. */
static bool is_called(const char *name, const char *given)
{
    const size_t n = strlen(name), m = strlen(given);
    if (m > n)
        return false;
    const char *tail = name + (n - m);
    if (m < n && tail[-1] != '.' && tail[-1] != '$')
        return false;
    for (size_t i = 0; i < m; i++)
        if (tail[i] != given[i] && !(tail[i] == '$' && given[i] == '.'))
            return false;
    return true;
}

/* True if it is an instance of one of the classes or of a subclass. */
static bool wanted(JNIEnv *env, jobject exception)
{
    char name[512];
    bool found = false;
    jclass c = (*env)->GetObjectClass(env, exception);
    while (c != NULL && !found) {
        for (size_t i = 0; i < agent.options.freeze.count && !found; i++)
            found = class_name(c, name, sizeof name) && is_called(name, agent.options.freeze.items[i]);
        jclass super = (*env)->GetSuperclass(env, c);
        (*env)->DeleteLocalRef(env, c);
        c = super;
    }
    (*env)->DeleteLocalRef(env, c);
    return found;
}

/* Adds the exception to `seen`; false if it is there already, or the maximum is reached. */
static bool note(JNIEnv *env, jthrowable t, bool uncaught)
{
    uint32_t max = agent.options.freezes;
    bool fresh = false;
    (void)pthread_mutex_lock(&throw_snapshots.mutex);
    if (throw_snapshots.seen == NULL)
        throw_snapshots.seen = calloc(2 * (size_t)max, sizeof *throw_snapshots.seen);
    if (throw_snapshots.seen != NULL && throw_snapshots.count[0] + throw_snapshots.count[1] < max) {
        jweak *seen = throw_snapshots.seen + (uncaught ? max : 0);
        uint32_t n = throw_snapshots.count[uncaught], i = 0;
        while (i < n && !(*env)->IsSameObject(env, seen[i], t))
            i++;
        jweak ref = i == n ? (*env)->NewWeakGlobalRef(env, t) : NULL;
        fresh = ref != NULL;
        if (fresh)
            seen[throw_snapshots.count[uncaught]++] = ref;
        throw_snapshots.full = throw_snapshots.count[0] + throw_snapshots.count[1] == max;
    }
    (void)pthread_mutex_unlock(&throw_snapshots.mutex);
    (void)agent_clear(env);
    return fresh;
}

void throw_snapshots_request(JNIEnv *env, jthrowable t, uint32_t id, const struct thread_desc *d, bool uncaught)
{
    char type[512] = "";
    if (!agent.recording || throw_snapshots.full || (d->busy & BUSY_JDK) != 0 || !note(env, t, uncaught))
        return; /* (busy: code of the JDK that runs for the recorder) */
    jclass c = (*env)->GetObjectClass(env, t);
    (void)class_name(c, type, sizeof type);
    (*env)->DeleteLocalRef(env, c);
    (void)recorder_request_snapshot(&agent.recorder, uncaught ? SNAPSHOT_UNCAUGHT : SNAPSHOT_THROW, d->thread, id,
                                    type);
}

void JNICALL throw_snapshots_on_exception(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, jlocation at,
                                          jobject exception, jmethodID catcher, jlocation catch_at)
{
    (void)jvmti, (void)catch_at;
    thrown_stacks_on_exception(env, thread, method, at, exception, catcher);
    if (agent.options.freeze.count == 0 || !agent.recording || agent_own_thread || inside || exception == NULL ||
        throw_snapshots.snapshotAtThrow == NULL)
        return;
    if (throw_snapshots.full) {
        if (!thrown_stacks_on())
            (void)agent_enable(JVMTI_EVENT_EXCEPTION, false); /* restores the normal speed of throws */
        return;
    }
    inside = true;
    if (wanted(env, exception))
        /* through HindsightHook, which has the object's id */
        (*env)->CallStaticVoidMethod(env, throw_snapshots.hook, throw_snapshots.snapshotAtThrow, exception, JNI_FALSE);
    (void)agent_clear(env);
    inside = false;
}

void throw_snapshots_begin(JNIEnv *env)
{
    if (agent.options.freeze.count > 0) {
        jclass hook = agent_find_class(env, "java/lang/HindsightHook");
        throw_snapshots.hook = hook != NULL ? (*env)->NewGlobalRef(env, hook) : NULL;
        throw_snapshots.snapshotAtThrow =
            throw_snapshots.hook != NULL
                ? (*env)->GetStaticMethodID(env, throw_snapshots.hook, "snapshotAtThrow", "(Ljava/lang/Throwable;Z)V")
                : NULL;
        (void)agent_clear(env);
        (void)agent_enable(JVMTI_EVENT_EXCEPTION, true);
    }
    if (agent.options.freeze_uncaught)
        loaded_classes_add_call(env, "java/lang/Thread");
}
