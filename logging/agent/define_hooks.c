/* define_hooks.c - defines the hook classes in the boot loader. */
#include <unistd.h>

#include "hook_classes.h"
#include "logging/agent/agent.h"

/* Calls a static method without parameters that returns a boolean. False also if it threw. */
static bool ask(JNIEnv *env, jclass c, const char *method)
{
    jmethodID m = (*env)->GetStaticMethodID(env, c, method, "()Z");
    bool yes = !agent_clear(env) && m != NULL && (*env)->CallStaticBooleanMethod(env, c, m);
    return !agent_clear(env) && yes;
}

bool agent_define_hooks(JNIEnv *env)
{
    static const struct {
        const char *name;
        const unsigned char *bytes;
        const size_t *size;
        const char *ask; /* a method that must return true; calling it initializes the class */
    } classes[] = {
        { "java/lang/HindsightHookLink", hook_class_HindsightHookLink, &hook_class_HindsightHookLink_size, "there" },
        { "java/lang/HindsightHook", hook_class_HindsightHook, &hook_class_HindsightHook_size, "ready" },
        { "java/lang/HindsightHookOutline", hook_class_HindsightHookOutline, &hook_class_HindsightHookOutline_size,
          NULL },
        { "java/lang/HindsightHookTrigger", hook_class_HindsightHookTrigger, &hook_class_HindsightHookTrigger_size,
          NULL },
        { "java/lang/HindsightHookRedact", hook_class_HindsightHookRedact, &hook_class_HindsightHookRedact_size, NULL },
    };
    enum { TRIES = 10000 };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (classes[i].bytes == hook_class_HindsightHookTrigger && agent.options.logstart == NULL &&
            agent.options.logend == NULL)
            continue;
        if (classes[i].bytes == hook_class_HindsightHookRedact && agent.options.redact.globs.count == 0)
            continue;
        jclass c =
            (*env)->DefineClass(env, classes[i].name, NULL, (const jbyte *)classes[i].bytes, (jsize)*classes[i].size);
        if (agent_clear(env) || c == NULL)
            return false;
        bool ok = classes[i].ask == NULL || ask(env, c, classes[i].ask);
        /* the JVM searches this library only after Agent_OnAttach has returned */
        for (int k = 0; i == 0 && !ok && k < TRIES; k++) {
            (void)usleep(1000);
            ok = ask(env, c, classes[i].ask);
        }
        if (!ok)
            return false;
        if (classes[i].bytes == hook_class_HindsightHook)
            idle_hooks_init(env, c);
        (*env)->DeleteLocalRef(env, c);
    }
    secrets_init(env);
    agent.hooks_ready = true;
    return true;
}
