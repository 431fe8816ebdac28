/* context.c - the one struct agent, and thin wrappers of JVMTI and JNI that all files of the agent use. */
#include <stdarg.h>
#include <stdio.h>

#include "formats/object_hash.h"
#include "formats/visible.h"
#include "logging/agent/agent.h"
#include "logging/agent/vmflags.h"

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

uint64_t agent_id_of(JNIEnv *env, jclass hook, jobject o)
{
    static jmethodID method;
    if (o == NULL)
        return 0;
    if (method == NULL)
        method = (*env)->GetStaticMethodID(env, hook, "idOf", "(Ljava/lang/Object;)J");
    jlong id = agent_clear(env) || method == NULL ? 0 : (*env)->CallStaticLongMethod(env, hook, method, o);
    return agent_clear(env) ? 0 : object_id((uint64_t)id);
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

jclass agent_find_class(JNIEnv *env, const char *internal_name)
{
    /* of jvm.h: the launcher uses it */
    jclass (*find)(JNIEnv *, const char *) =
        (jclass(*)(JNIEnv *, const char *))vm_symbol("JVM_FindClassFromBootLoader");
    jclass c = find != NULL ? find(env, internal_name) : (*env)->FindClass(env, internal_name);
    return agent_clear(env) ? NULL : c;
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

bool agent_any_class(JNIEnv *env, bool (*is)(JNIEnv *env, jclass c))
{
    jint count = 0;
    jclass *all = NULL;
    if ((*env)->PushLocalFrame(env, LOCALS_MAX) != 0) {
        (void)agent_clear(env);
        return true;
    }
    bool any = !agent_ok((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &all), "GetLoadedClasses");
    for (jint i = 0; i < count && !any; i++)
        any = is(env, all[i]);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all);
    (void)(*env)->PopLocalFrame(env, NULL);
    return any;
}
