/* idle_hooks.c - while recording is stopped: hooks that do nothing, for methods that still run.
 *
 * HotSpot never compiles a method again that runs while its class is redefined: restoring the class of a method that
 * does not return would leave it to the interpreter. So the classes of methods that are on a stack keep their woven
 * code, and the class HindsightHook is replaced by one that is the same but for hooks without a body (generate.c,
 * --idle). The JIT then compiles these methods without hooks. */
#include <stdlib.h>
#include <string.h>

#include "hook_classes.h"
#include "logging/agent/agent.h"
#include "logging/agent/jdk.h"

static jclass hook_class; /* a global reference */
static atomic_bool idle;

void idle_hooks_init(JNIEnv *env, jclass hook) { hook_class = (*env)->NewGlobalRef(env, hook); }

const unsigned char *idle_hooks_bytes(size_t *size)
{
    *size = idle ? hook_idle_HindsightHook_size : hook_class_HindsightHook_size;
    return jdk_hook_class(idle ? hook_idle_HindsightHook : hook_class_HindsightHook, size);
}

bool idle_hooks_overflowed(JNIEnv *env)
{
    jfieldID field = hook_class != NULL ? (*env)->GetStaticFieldID(env, hook_class, "overflowed", "Z") : NULL;
    if (field == NULL)
        (*env)->ExceptionClear(env);
    return field != NULL && (*env)->GetStaticBooleanField(env, hook_class, field);
}

bool idle_hooks_use(bool on)
{
    if (idle == on || hook_class == NULL)
        return idle == on;
    if (hook_class == NULL)
        return idle == on;
    const bool before = idle;
    idle = on;
    if ((*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &hook_class) == JVMTI_ERROR_NONE)
        return true;
    idle = before;
    return false;
}

/* ---- the classes of running methods ---- */

enum { FRAMES_MAX = 1 << 16 };

static int compare(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool add_class(JNIEnv *env, names_vec *names, jmethodID method)
{
    jclass c = NULL;
    char *signature = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, method, &c) != JVMTI_ERROR_NONE)
        return true; /* unloaded */
    bool ok =
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE || signature[0] != 'L';
    (*env)->DeleteLocalRef(env, c);
    if (!ok) {
        char **place = vec_push(names);
        ok = place != NULL && (*place = strndup(signature + 1, strlen(signature) - 2)) != NULL;
        names->count -= place != NULL && !ok;
    }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return ok;
}

bool idle_hooks_running(JNIEnv *env, names_vec *names)
{
    jvmtiStackInfo *stacks = NULL;
    jint count = 0;
    if (!agent_ok((*agent.jvmti)->GetAllStackTraces(agent.jvmti, FRAMES_MAX, &stacks, &count), "GetAllStackTraces"))
        return false;
    bool ok = true;
    for (jint i = 0; i < count && ok; i++) {
        jmethodID before = NULL;
        for (jint k = 0; k < stacks[i].frame_count && ok; k++) {
            jmethodID method = stacks[i].frame_buffer[k].method;
            ok = method == before || add_class(env, names, method); /* recursion */
            before = method;
        }
        (*env)->DeleteLocalRef(env, stacks[i].thread);
    }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)stacks);
    if (names->count > 1)
        qsort(names->items, names->count, sizeof *names->items, compare);
    return ok;
}

bool idle_hooks_is_running(const names_vec *names, const char *name)
{
    return names->count > 0 && bsearch(&name, names->items, names->count, sizeof *names->items, compare) != NULL;
}
