/* class_hook.c - see class_hook.h.
 *
 * InstrumentationImpl.setHasRetransformableTransformers is the native method in which libinstrument makes an
 * environment: it is replaced by one that calls it, and then makes a new one of ours. While two of ours are enabled
 * every class still comes to both, and the one that weaves is chosen by a variable. An old environment is disabled and
 * stays, since another thread may be in it: there are as many as there are Java agents. */
#include "logging/agent/class_hook.h"

#include <dlfcn.h>
#include <pthread.h>

#include "logging/agent/agent.h"

typedef void JNICALL has_transformers(JNIEnv *env, jobject instrumentation, jlong native_agent, jboolean has);
#define HAS_TRANSFORMERS "setHasRetransformableTransformers"

static jvmtiEnv *_Atomic current; /* NULL: agent.jvmti */
static struct {
    pthread_mutex_t mutex;
    jvmtiEventClassFileLoadHook on_load;
    void (*not_last)(JNIEnv *env);
    bool on;
    has_transformers *original; /* of libinstrument; NULL: not replaced yet */
} hook = { .mutex = PTHREAD_MUTEX_INITIALIZER };

void class_hook_init(jvmtiEventClassFileLoadHook on_load, void (*not_last)(JNIEnv *env))
{
    hook.on_load = on_load;
    hook.not_last = not_last;
}

static jvmtiEnv *in_use(void)
{
    jvmtiEnv *jvmti = current;
    return jvmti != NULL ? jvmti : agent.jvmti;
}

bool class_hook_is(const jvmtiEnv *jvmti) { return jvmti == in_use(); }

static bool enable(jvmtiEnv *jvmti, bool on)
{
    return agent_ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                                       JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL),
                    "SetEventNotificationMode");
}

bool class_hook_enable(bool on)
{
    (void)pthread_mutex_lock(&hook.mutex);
    const bool ok = enable(in_use(), on);
    hook.on = ok ? on : hook.on;
    (void)pthread_mutex_unlock(&hook.mutex);
    return ok;
}

jvmtiEnv *class_hook_environment(jvmtiEventClassFileLoadHook on_load)
{
    jvmtiEnv *last = NULL;
    const jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_load };
    const jvmtiCapabilities want = { .can_retransform_classes = 1 }; /* else it would be asked first */
    if ((*agent.vm)->GetEnv(agent.vm, (void **)&last, JVMTI_VERSION_1_2) != JNI_OK)
        return NULL;
    if ((*last)->AddCapabilities(last, &want) == JVMTI_ERROR_NONE &&
        (*last)->SetEventCallbacks(last, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE)
        return last;
    (void)(*last)->DisposeEnvironment(last);
    return NULL;
}

/* A new environment takes over. False: the JVM gives none. */
static bool become_last(void)
{
    (void)pthread_mutex_lock(&hook.mutex);
    jvmtiEnv *before = in_use(), *last = class_hook_environment(hook.on_load);
    const bool ok = last != NULL && (!hook.on || enable(last, true));
    if (ok) {
        current = last;
        if (hook.on)
            (void)enable(before, false);
    }
    (void)pthread_mutex_unlock(&hook.mutex);
    return ok;
}

static void JNICALL on_has_transformers(JNIEnv *env, jobject instrumentation, jlong native_agent, jboolean has)
{
    hook.original(env, instrumentation, native_agent, has);
    if (has && !become_last())
        hook.not_last(env);
}

bool class_hook_replace_method(JNIEnv *env)
{
    jclass c = agent_find_class(env, "sun/instrument/InstrumentationImpl");
    const JNINativeMethod method = { (char *)HAS_TRANSFORMERS, (char *)"(JZ)V", (void *)on_has_transformers };
    const bool ok = c != NULL && (*env)->RegisterNatives(env, c, &method, 1) == JNI_OK;
    (void)agent_clear(env);
    (*env)->DeleteLocalRef(env, c);
    return ok;
}

static has_transformers *find_original(void)
{
    void *library = dlopen("libinstrument.so", RTLD_LAZY | RTLD_NOLOAD), *found = NULL;
    if (library != NULL) {
        found = dlsym(library, "Java_sun_instrument_InstrumentationImpl_" HAS_TRANSFORMERS);
        (void)dlclose(library);
    }
    return (has_transformers *)found;
}

static bool replace_method(JNIEnv *env)
{
    jclass link = agent_find_class(env, HOOK_CLASS "Link");
    jmethodID replace = link != NULL ? (*env)->GetStaticMethodID(env, link, "replace", "()Z") : NULL;
    hook.original = find_original();
    bool ok = hook.original != NULL && replace != NULL && (*env)->CallStaticBooleanMethod(env, link, replace);
    ok = !agent_clear(env) && ok;
    if (!ok)
        hook.original = NULL;
    (*env)->DeleteLocalRef(env, link);
    return ok;
}

bool class_hook_stay_last(JNIEnv *env)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    (void)pthread_mutex_lock(&mutex);
    /* the method first: what an agent makes in between is before ours */
    const bool ok = hook.original != NULL || (replace_method(env) && become_last());
    (void)pthread_mutex_unlock(&mutex);
    return ok;
}
