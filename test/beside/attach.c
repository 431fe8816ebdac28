/* attach.c - threads of native code for Threads.java: each attaches itself to the JVM, calls Java, and detaches; every
 * second one does it again, and gets another number. 16 at a time. */
#include <jni.h>
#include <pthread.h>
#include <stdio.h>

enum { AT_A_TIME = 16 };
static struct {
    JavaVM *vm;
    jclass class;
    jmethodID method;
    int count;
} all;
struct one {
    pthread_t thread;
    int number;
    int ok;
};

static int call(const char *kind, int number, int as_daemon)
{
    JNIEnv *env = NULL;
    char name[64];
    (void)snprintf(name, sizeof name, "%s-%d", kind, number);
    JavaVMAttachArgs args = { JNI_VERSION_10, name, NULL };
    if ((as_daemon ? (*all.vm)->AttachCurrentThreadAsDaemon(all.vm, (void **)&env, &args)
                   : (*all.vm)->AttachCurrentThread(all.vm, (void **)&env, &args)) != JNI_OK)
        return 0;
    (*env)->CallStaticVoidMethod(env, all.class, all.method, number);
    int ok = !(*env)->ExceptionCheck(env);
    return (*all.vm)->DetachCurrentThread(all.vm) == JNI_OK && ok;
}

static void *live(void *p)
{
    struct one *o = p;
    o->ok = call("native", o->number, o->number % 3 == 0);
    if (o->number % 2 == 0)
        o->ok &= call("again", o->number + all.count, o->number % 3 == 1);
    return NULL;
}

JNIEXPORT jboolean JNICALL Java_Threads_attach(JNIEnv *env, jclass class, jint first, jint count)
{
    if ((*env)->GetJavaVM(env, &all.vm) != JNI_OK)
        return JNI_FALSE;
    all.class = (*env)->NewGlobalRef(env, class);
    all.method = (*env)->GetStaticMethodID(env, class, "fromNative", "(I)V");
    all.count = count;
    int ok = 1;
    for (int i = 0; i < count; i += AT_A_TIME) {
        struct one some[AT_A_TIME];
        int n = 0;
        for (; n < AT_A_TIME && i + n < count; n++) {
            some[n] = (struct one){ .number = first + i + n };
            if (pthread_create(&some[n].thread, NULL, live, &some[n]) != 0)
                return JNI_FALSE;
        }
        while (n-- > 0) {
            (void)pthread_join(some[n].thread, NULL);
            ok &= some[n].ok;
        }
    }
    return ok ? JNI_TRUE : JNI_FALSE;
}
