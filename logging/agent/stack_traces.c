/* stack_traces.c - stack traces of other threads without the frames of hooks.
 *
 * Hooks are hidden methods, which the JVM leaves out where it makes stack traces for Java, but not in those that
 * Thread.dumpThreads returns: for Thread.getAllStackTraces, and in old JVMs for Thread.getStackTrace. So that native
 * method is bound to this file, which asks the JVM's own one. A hook calls no method of the program: what is above its
 * frame is ours, too. */
#include "logging/agent/agent.h"
#include "logging/agent/vmflags.h"

static const char prefix[] = "java.lang.Hindsight";
typedef jobjectArray(JNICALL dump_function)(JNIEnv *, jclass, jobjectArray);

static struct {
    dump_function *dump;
    jclass element;      /* StackTraceElement */
    jfieldID class_name; /* its declaringClass */
} jvm;

static bool is_hook(JNIEnv *env, jobject element)
{
    enum { UNITS = sizeof prefix - 1 };
    jchar start[UNITS];
    jstring name = (*env)->GetObjectField(env, element, jvm.class_name);
    bool same = name != NULL && (*env)->GetStringLength(env, name) >= UNITS;
    if (same)
        (*env)->GetStringRegion(env, name, 0, UNITS, start);
    for (int i = 0; i < UNITS && same; i++)
        same = start[i] == (jchar)prefix[i];
    (*env)->DeleteLocalRef(env, name);
    return same;
}

/* The number of frames from the top down to the last one of a hook. */
static jsize hook_frames(JNIEnv *env, jobjectArray trace, jsize count)
{
    jsize ours = 0;
    for (jsize i = 0; i < count; i++) {
        jobject element = (*env)->GetObjectArrayElement(env, trace, i);
        if (element != NULL && is_hook(env, element))
            ours = i + 1;
        (*env)->DeleteLocalRef(env, element);
    }
    return ours;
}

static jobjectArray JNICALL dump_threads(JNIEnv *env, jclass c, jobjectArray threads)
{
    jobjectArray traces = jvm.dump(env, c, threads);
    jsize n = traces != NULL && !(*env)->ExceptionCheck(env) ? (*env)->GetArrayLength(env, traces) : 0;
    for (jsize i = 0; i < n; i++) {
        jobjectArray trace = (*env)->GetObjectArrayElement(env, traces, i);
        jsize count = trace != NULL ? (*env)->GetArrayLength(env, trace) : 0, ours = hook_frames(env, trace, count);
        jobjectArray rest = ours > 0 ? (*env)->NewObjectArray(env, count - ours, jvm.element, NULL) : NULL;
        if (ours > 0 && rest == NULL)
            return NULL; /* OutOfMemoryError, as the JVM's own method would throw */
        for (jsize k = ours; k < count && ours > 0; k++) {
            jobject element = (*env)->GetObjectArrayElement(env, trace, k);
            (*env)->SetObjectArrayElement(env, rest, k - ours, element);
            (*env)->DeleteLocalRef(env, element);
        }
        if (ours > 0)
            (*env)->SetObjectArrayElement(env, traces, i, rest);
        (*env)->DeleteLocalRef(env, rest);
        (*env)->DeleteLocalRef(env, trace);
    }
    return traces;
}

void stack_traces_init(JNIEnv *env)
{
    static char name[] = "dumpThreads", type[] = "([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;";
    const JNINativeMethod ours = { name, type, (void *)dump_threads };
    jclass thread = agent_find_class(env, "java/lang/Thread"),
           element = agent_find_class(env, "java/lang/StackTraceElement");
    jvm.dump = (dump_function *)vm_symbol("JVM_DumpThreads");
    jvm.class_name = (*env)->GetFieldID(env, element, "declaringClass", "Ljava/lang/String;");
    jvm.element = (*env)->NewGlobalRef(env, element);
    if (!agent_clear(env) && jvm.dump != NULL && jvm.element != NULL)
        (void)(*env)->RegisterNatives(env, thread, &ours, 1);
    (void)agent_clear(env);
    (*env)->DeleteLocalRef(env, element);
    (*env)->DeleteLocalRef(env, thread);
}
