/* loaders.c - makes class loaders answer for the hook classes before classes of theirs are woven.
 *
 * The JVM asks the loader of a woven class for the hook class, by loadClass(String). Loaders of programs refuse what
 * they do not know, so that method of theirs, or the one that they inherit, answers first (weaver/plan_loader.c).
 * Classes that declare one are changed as they load. Those that were loaded before are retransformed when a class of
 * such a loader is to be woven; java.lang.ClassLoader too, so programs that use the JVM's own loaders alone keep it as
 * it is. No code of the program runs here. The change stays after a stop: methods that still run have hooks, which the
 * JVM may resolve any time. */
#include "logging/agent/agent.h"

#include <string.h>

#include "formats/map.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* guards `answering` */
static MAP(uint64_t) answering; /* hierarchy_hash of classes whose loadClass(String) answers, also by inheritance */
static _Thread_local uint64_t changed; /* the class that the class hook has changed last, by retransformation */

static const char method_name[] = "loadClass", method_desc[] = "(Ljava/lang/String;)Ljava/lang/Class;";

bool loaders_look_like_one(const void *bytes, size_t size)
{
    return memmem(bytes, size, method_desc, sizeof method_desc - 1) != NULL &&
           memmem(bytes, size, method_name, sizeof method_name - 1) != NULL;
}

static void note(uint64_t hash)
{
    (void)pthread_mutex_lock(&mutex);
    (void)map_put(&answering, hash); /* out of memory: it will be changed again */
    (void)pthread_mutex_unlock(&mutex);
}

static bool answers(uint64_t hash)
{
    (void)pthread_mutex_lock(&mutex);
    bool found = map_get(&answering, hash) != NULL;
    (void)pthread_mutex_unlock(&mutex);
    return found;
}

void loaders_changed(struct text name, uint64_t loader, bool redefined)
{
    if (redefined)
        changed = hierarchy_hash(name, loader); /* the JVM may still reject it */
    else
        note(hierarchy_hash(name, loader));
}

bool loaders_class_answers(struct text name, uint64_t loader) { return answers(hierarchy_hash(name, loader)); }

/* hierarchy_hash of a class; 0: unknown. */
static uint64_t hash_of(JNIEnv *env, jclass c)
{
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return 0;
    const size_t size = strlen(signature);
    uint64_t hash =
        size > 2 ? hierarchy_hash((struct text){ signature + 1, size - 2 }, hierarchy_loader_of(env, c)) : 0;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return hash;
}

static bool is_method(jmethodID m)
{
    char *name = NULL, *desc = NULL;
    if ((*agent.jvmti)->GetMethodName(agent.jvmti, m, &name, &desc, NULL) != JVMTI_ERROR_NONE)
        return false;
    bool same = strcmp(name, method_name) == 0 && strcmp(desc, method_desc) == 0;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)desc);
    return same;
}

/* JNI's GetMethodID would wait for an initialization that runs in another thread. */
static bool declares_it(jclass c)
{
    jint count = 0;
    jmethodID *methods = NULL;
    bool found = false;
    if ((*agent.jvmti)->GetClassMethods(agent.jvmti, c, &count, &methods) != JVMTI_ERROR_NONE)
        return false;
    for (jint i = 0; i < count && !found; i++)
        found = is_method(methods[i]);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)methods);
    return found;
}

/* Retransforms the class, which declares the method. */
static bool change(jclass c, uint64_t hash)
{
    changed = 0;
    return (*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &c) == JVMTI_ERROR_NONE && changed == hash;
}

bool loaders_answer(JNIEnv *env, jobject loader)
{
    jclass c = (*env)->GetObjectClass(env, loader);
    const uint64_t first = hash_of(env, c);
    bool done = answers(first);
    if (done) {
        (*env)->DeleteLocalRef(env, c);
        return true;
    }
    while (c != NULL && !declares_it(c)) {
        jclass above = (*env)->GetSuperclass(env, c);
        (*env)->DeleteLocalRef(env, c);
        c = above;
    }
    const uint64_t hash = c != NULL ? hash_of(env, c) : 0;
    done = hash != 0 && (answers(hash) || change(c, hash));
    if (done) {
        note(hash);
        note(first);
    }
    (*env)->DeleteLocalRef(env, c);
    (void)agent_clear(env);
    return done;
}
