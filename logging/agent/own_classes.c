/* own_classes.c - no other agent changes the hook classes.
 *
 * An agent that adds code to every class would add it to the hooks too. If that code runs woven code, the hook of which
 * calls it again, the program ends; and whatever it does, it does for each event. So of each hook class the JVM gets
 * the bytes that this library has. It passes a class through the environments of JVMTI in the order in which they were
 * made: what those before ours have made of it is replaced by our class hook. For those behind ours an environment is
 * made that is the last one, for this one class, and goes when it has seen it. */
#include "logging/agent/agent.h"

#include <string.h>

#include "hook_classes.h"
#include "logging/agent/class_hook.h"
#include "logging/agent/jdk.h"

static const struct {
    const char *name;
    const unsigned char *bytes; /* NULL: idle_hooks_bytes */
    const size_t *size;
} own[] = {
    { HOOK_CLASS, NULL, NULL },
    { HOOK_CLASS "Link", hook_class_HindsightHookLink, &hook_class_HindsightHookLink_size },
    { HOOK_CLASS "Redact", hook_class_HindsightHookRedact, &hook_class_HindsightHookRedact_size },
    { HOOK_CLASS "Output", hook_class_HindsightHookOutput, &hook_class_HindsightHookOutput_size },
    { HOOK_CLASS "Locals", hook_class_HindsightHookLocals, &hook_class_HindsightHookLocals_size },
};

bool own_classes_keep(const char *name, jint *new_size, unsigned char **new_bytes)
{
    size_t i = 0, size;
    if (name == NULL || strncmp(name, HOOK_CLASS, sizeof HOOK_CLASS - 1) != 0)
        return false;
    while (i < sizeof own / sizeof *own && strcmp(name, own[i].name) != 0)
        i++;
    if (i == sizeof own / sizeof *own)
        return false;
    const unsigned char *bytes = idle_hooks_bytes(&size);
    if (own[i].bytes != NULL) {
        size = *own[i].size;
        bytes = jdk_hook_class(own[i].bytes, &size);
    }
    unsigned char *copy = NULL;
    if ((*agent.jvmti)->Allocate(agent.jvmti, (jlong)size, &copy) == JVMTI_ERROR_NONE) {
        memcpy(copy, bytes, size);
        *new_size = (jint)size;
        *new_bytes = copy;
    }
    return true;
}

static void JNICALL on_load(jvmtiEnv *last, JNIEnv *env, jclass redefined, jobject loader, const char *name,
                            jobject domain, jint size, const unsigned char *bytes, jint *new_size,
                            unsigned char **new_bytes)
{
    (void)env, (void)redefined, (void)loader, (void)domain, (void)size, (void)bytes;
    if (own_classes_keep(name, new_size, new_bytes))
        (void)(*last)->DisposeEnvironment(last);
}

void own_classes_guard(void)
{
    jvmtiEnv *last = class_hook_environment(on_load);
    if (last != NULL && (*last)->SetEventNotificationMode(last, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) !=
                            JVMTI_ERROR_NONE)
        (void)(*last)->DisposeEnvironment(last);
}

bool own_classes_is_recorded(struct text name)
{
    return (agent.options.output_recorded && text_is(name, "java/lang/HindsightOutput")) ||
           (thrown_stacks_on() && text_is(name, "java/lang/HindsightThrow"));
}

bool own_classes_want(struct text name, struct text source, struct text *why)
{
    if (!thrown_stacks_on())
        return filter_wants(&agent.options.filter, name, source, why);
    if (why != NULL)
        *why = TEXT_OF("format=exceptions records no code");
    return false;
}
