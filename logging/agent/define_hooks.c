/* define_hooks.c - defines the hook classes in the boot loader. */
#include <unistd.h>

#include "hook_classes.h"
#include "logging/agent/agent.h"
#include "logging/agent/jdk.h"

/* Calls a static method without parameters that returns a boolean. False also if it threw. */
static bool ask(JNIEnv *env, jclass c, const char *method)
{
    jmethodID m = (*env)->GetStaticMethodID(env, c, method, "()Z");
    bool yes = !agent_clear(env) && m != NULL && (*env)->CallStaticBooleanMethod(env, c, m);
    return !agent_clear(env) && yes;
}

#define HOOK(name)                                                                                                     \
    "java/lang/HindsightHook" #name, hook_class_HindsightHook##name, &hook_class_HindsightHook##name##_size

static jclass define(JNIEnv *env, const char *name, const unsigned char *bytes, size_t size)
{
    bytes = jdk_hook_class(bytes, &size);
    const jclass c = (*env)->DefineClass(env, name, NULL, (const jbyte *)bytes, (jsize)size);
    return agent_clear(env) ? NULL : c;
}

static bool define_recorded(JNIEnv *env, const char *name, const unsigned char *bytes, size_t size)
{
    const jclass c = define(env, name, bytes, size);
    (*env)->DeleteLocalRef(env, c);
    return c != NULL;
}

bool agent_define_hooks(JNIEnv *env)
{
    const struct options *o = &agent.options;
    const struct {
        const char *name;
        const unsigned char *bytes;
        const size_t *size;
        const char *ask; /* a method that must return true; calling it initializes the class */
        bool needed;
    } classes[] = {
        { HOOK(Link), "there", true },
        { HOOK(), "ready", true },
        { HOOK(Redact), NULL, secrets_wanted() },
        { HOOK(Output), NULL, o->output_recorded },
        { HOOK(Locals), NULL, thrown_stacks_walk() },
    };
    enum { TRIES = 10000 };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!classes[i].needed)
            continue;
        own_classes_guard();
        jclass c = define(env, classes[i].name, classes[i].bytes, *classes[i].size);
        if (c == NULL)
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
    /* these are woven */
    return (!o->output_recorded || define_recorded(env, "java/lang/HindsightOutput", hook_class_HindsightOutput,
                                                   hook_class_HindsightOutput_size)) &&
           (!thrown_stacks_on() || define_recorded(env, "java/lang/HindsightThrow", hook_class_HindsightThrow,
                                                   hook_class_HindsightThrow_size));
}

bool security_manager_present(JNIEnv *env)
{
    jclass system = agent_find_class(env, "java/lang/System");
    jmethodID get = system != NULL
                        ? (*env)->GetStaticMethodID(env, system, "getSecurityManager", "()Ljava/lang/SecurityManager;")
                        : NULL;
    jobject manager = get != NULL ? (*env)->CallStaticObjectMethod(env, system, get) : NULL;
    bool found = !agent_clear(env) && manager != NULL;
    (*env)->DeleteLocalRef(env, manager);
    (*env)->DeleteLocalRef(env, system);
    return found;
}

/* The JVM asks a security manager once for each protection domain. */
void agent_show_hooks(JNIEnv *env, jclass *classes, jint count)
{
    if (!agent_own_thread || !security_manager_present(env)) /* its answer is no event */
        return;
    jclass type = agent_find_class(env, "java/lang/Class");
    jmethodID get = type != NULL ? (*env)->GetStaticMethodID(env, type, "forName0",
                                                             "(Ljava/lang/String;ZLjava/lang/ClassLoader;"
                                                             "Ljava/lang/Class;)Ljava/lang/Class;")
                                 : NULL;
    jstring name = !agent_clear(env) && get != NULL ? (*env)->NewStringUTF(env, "java.lang.HindsightHook") : NULL;
    for (jint i = 0; i < count && name != NULL; i++) {
        jobject loader = NULL;
        if ((*agent.jvmti)->GetClassLoader(agent.jvmti, classes[i], &loader) != JVMTI_ERROR_NONE)
            continue;
        jobject found = (*env)->CallStaticObjectMethod(env, type, get, name, JNI_FALSE, loader, classes[i]);
        (void)agent_clear(env);
        (*env)->DeleteLocalRef(env, found);
        (*env)->DeleteLocalRef(env, loader);
    }
    (*env)->DeleteLocalRef(env, name);
    (*env)->DeleteLocalRef(env, type);
}
