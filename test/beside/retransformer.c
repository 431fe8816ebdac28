/* retransformer.c - a native agent beside ours, for native-agents.sh. Options, in any order:
 *
 *     change      class files with "radius " get "RADIUS " in its place
 *     load-only   it can not retransform: the JVM asks such agents first
 *     retransform a thread retransforms the classes of Beside all the time
 *     redefine    ... redefines them with the bytes it was given last
 *
 * At the end of the program it tells on standard error how often it did, and the first error. */
#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLASSES_MAX = 64 };
static struct {
    jvmtiEnv *jvmti;
    JavaVM *vm;
    bool change, load_only, retransform, redefine;
    atomic_bool stop;
    atomic_ulong rounds, given;
    atomic_int error;
    pthread_t thread;
    bool running;
    pthread_mutex_t mutex; /* guards the next ones */
    struct {
        char name[64];
        unsigned char *bytes;
        jint size;
    } classes[CLASSES_MAX];
    int count;
} all = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void check(jvmtiError e)
{
    int none = 0;
    if (e != JVMTI_ERROR_NONE && e != JVMTI_ERROR_WRONG_PHASE)
        (void)atomic_compare_exchange_strong(&all.error, &none, (int)e);
}

static bool is_ours(const char *name) { return name != NULL && strncmp(name, "Beside", 6) == 0; }

static void keep(const char *name, const unsigned char *bytes, jint size)
{
    (void)pthread_mutex_lock(&all.mutex);
    int i = 0;
    while (i < all.count && strcmp(all.classes[i].name, name) != 0)
        i++;
    if (i < CLASSES_MAX) {
        all.count = i == all.count ? i + 1 : all.count;
        (void)snprintf(all.classes[i].name, sizeof all.classes[i].name, "%s", name);
        unsigned char *copy = realloc(all.classes[i].bytes, (size_t)size);
        if (copy != NULL)
            all.classes[i].bytes = memcpy(copy, bytes, (size_t)size);
        all.classes[i].size = size;
    }
    (void)pthread_mutex_unlock(&all.mutex);
}

static void JNICALL on_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
                            jobject domain, jint size, const unsigned char *bytes, jint *new_size,
                            unsigned char **new_bytes)
{
    static const char from[] = "radius ";
    (void)env, (void)loader, (void)domain;
    if (!is_ours(name))
        return;
    atomic_fetch_add(&all.given, 1);
    if (redefined == NULL)
        keep(name, bytes, size);
    if (!all.change)
        return;
    check((*jvmti)->Allocate(jvmti, size, new_bytes));
    memcpy(*new_bytes, bytes, (size_t)size);
    *new_size = size;
    for (unsigned char *p = *new_bytes; p + 7 < *new_bytes + size; p++)
        if (memcmp(p, from, 7) == 0)
            memcpy(p, "RADIUS ", 7);
}

/* All classes of Beside that are loaded, in one call. */
static void one_round(JNIEnv *env)
{
    jint n = 0, chosen = 0;
    jclass *loaded = NULL, classes[CLASSES_MAX];
    jvmtiClassDefinition definitions[CLASSES_MAX];
    check((*all.jvmti)->GetLoadedClasses(all.jvmti, &n, &loaded));
    (void)pthread_mutex_lock(&all.mutex);
    for (jint i = 0; i < n && chosen < CLASSES_MAX; i++) {
        char *signature = NULL;
        if ((*all.jvmti)->GetClassSignature(all.jvmti, loaded[i], &signature, NULL) != JVMTI_ERROR_NONE)
            continue;
        for (int k = 0; k < all.count; k++)
            if (strncmp(signature + 1, all.classes[k].name, strlen(signature) - 2) == 0 &&
                strlen(all.classes[k].name) == strlen(signature) - 2) {
                definitions[chosen] = (jvmtiClassDefinition){ loaded[i], all.classes[k].size, all.classes[k].bytes };
                classes[chosen++] = loaded[i];
                break;
            }
        (void)(*all.jvmti)->Deallocate(all.jvmti, (unsigned char *)signature);
    }
    (void)pthread_mutex_unlock(&all.mutex); /* the bytes stay: a class is loaded once */
    if (chosen > 0 && all.retransform)
        check((*all.jvmti)->RetransformClasses(all.jvmti, chosen, classes));
    if (chosen > 0 && all.redefine)
        check((*all.jvmti)->RedefineClasses(all.jvmti, chosen, definitions));
    atomic_fetch_add(&all.rounds, chosen > 0);
    for (jint i = 0; i < n; i++)
        (*env)->DeleteLocalRef(env, loaded[i]);
    (void)(*all.jvmti)->Deallocate(all.jvmti, (unsigned char *)loaded);
}

static void *loop(void *arg)
{
    JNIEnv *env = NULL;
    JavaVMAttachArgs args = { JNI_VERSION_10, (char[]){ "retransformer" }, NULL };
    const struct timespec pause = { .tv_nsec = 1000000 };
    (void)arg;
    if ((*all.vm)->AttachCurrentThreadAsDaemon(all.vm, (void **)&env, &args) != JNI_OK)
        return NULL;
    while (!atomic_load(&all.stop)) {
        one_round(env);
        (void)nanosleep(&pause, NULL);
    }
    (void)(*all.vm)->DetachCurrentThread(all.vm);
    return NULL;
}

static void JNICALL on_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti, (void)env, (void)thread;
    if (all.retransform || all.redefine)
        all.running = pthread_create(&all.thread, NULL, loop, NULL) == 0;
}

static void JNICALL on_death(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti, (void)env;
    atomic_store(&all.stop, true);
    if (all.running)
        (void)pthread_join(all.thread, NULL);
    (void)fprintf(stderr, "retransformer: %lu rounds, %lu classes, error %d\n", atomic_load(&all.rounds),
                  atomic_load(&all.given), atomic_load(&all.error));
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    const char *words = options != NULL ? options : "";
    all.vm = vm;
    all.change = strstr(words, "change") != NULL;
    all.load_only = strstr(words, "load-only") != NULL;
    all.retransform = strstr(words, "retransform") != NULL;
    all.redefine = strstr(words, "redefine") != NULL;
    if ((*vm)->GetEnv(vm, (void **)&all.jvmti, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    jvmtiCapabilities can = { .can_retransform_classes = !all.load_only, .can_redefine_classes = 1 };
    jvmtiEventCallbacks callbacks = { .ClassFileLoadHook = on_load, .VMInit = on_init, .VMDeath = on_death };
    check((*all.jvmti)->AddCapabilities(all.jvmti, &can));
    check((*all.jvmti)->SetEventCallbacks(all.jvmti, &callbacks, sizeof callbacks));
    const jvmtiEvent events[] = { JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        check((*all.jvmti)->SetEventNotificationMode(all.jvmti, JVMTI_ENABLE, events[i], NULL));
    return JNI_OK;
}
