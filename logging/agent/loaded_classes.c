/* loaded_classes.c - the classes that are loaded already when recording begins, goes on or stops: those that the filter
 * includes are retransformed, so that the class hook (classes.c) sees them again. */
#include "logging/agent/agent.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "logging/agent/class_hook.h"

/* The classes most recently woven at load: they may not be defined yet. Under weave_mutex. */
enum { NEWCOMERS = 64, DEFINING_MS = 50 };
static struct {
    char *name;
    uint64_t ns;
} newcomers[NEWCOMERS];

void loaded_classes_note(struct text name)
{
    static unsigned next;
    free(newcomers[next].name);
    newcomers[next].name = strndup(name.data, name.size);
    newcomers[next].ns = clock_now(&agent.recorder.clock);
    next = (next + 1) % NEWCOMERS;
}

static bool is_newcomer(struct text name)
{
    bool found = false;
    uint64_t now = clock_now(&agent.recorder.clock);
    (void)pthread_mutex_lock(&agent.weave_mutex);
    for (size_t i = 0; i < NEWCOMERS && !found; i++)
        found = newcomers[i].name != NULL && now - newcomers[i].ns < UINT64_C(1000000000) &&
                (name.data == NULL ||
                 (strlen(newcomers[i].name) == name.size && memcmp(newcomers[i].name, name.data, name.size) == 0));
    (void)pthread_mutex_unlock(&agent.weave_mutex);
    return found;
}

/* The name of the class if the filter includes it, else NULL. By name alone: its code source is not known here. */
static char *wanted_name(jclass c)
{
    char *signature = NULL, *name = NULL;
    jboolean modifiable = JNI_FALSE;
    if ((*agent.jvmti)->IsModifiableClass(agent.jvmti, c, &modifiable) != JVMTI_ERROR_NONE || !modifiable ||
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return NULL;
    struct text t = { signature + 1, strlen(signature) > 2 ? strlen(signature) - 2 : 0 };
    if (signature[0] == 'L' && filter_never(t) == NULL &&
        (own_classes_is_recorded(t) || own_classes_want(t, (struct text){ "", 0 }, NULL)))
        name = strndup(t.data, t.size);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return name;
}

enum which { ALL_LOADED, NEWCOMERS_ONLY, LATE_ONLY, NOT_RUNNING };

/* Those whose methods do not run; all if that is not known, or hooks are not idle. */
static void choose_not_running(JNIEnv *env, struct unfinished_class *all, size_t count)
{
    names_vec running = { 0 };
    const bool known = idle_hooks_use(true) && idle_hooks_running(env, &running);
    for (size_t i = 0; i < count; i++)
        all[i].chosen = !known || !idle_hooks_is_running(&running, all[i].name);
    for (size_t i = 0; i < running.count; i++)
        free(running.items[i]);
    vec_free(&running);
}

/* Chooses among the classes, which are all chosen at first. */
static void choose(JNIEnv *env, struct unfinished_class *all, size_t count, enum which which)
{
    if (which == NOT_RUNNING || which == NEWCOMERS_ONLY)
        choose_not_running(env, all, count);
    if (which == LATE_ONLY) {
        (void)pthread_mutex_lock(&agent.weave_mutex);
        unfinished_classes_choose(all, count);
        (void)pthread_mutex_unlock(&agent.weave_mutex);
    }
    for (size_t i = 0; i < count && which == NEWCOMERS_ONLY; i++)
        all[i].chosen = all[i].chosen && is_newcomer((struct text){ all[i].name, strlen(all[i].name) });
}

/* Classes before those nested in them, which skip=generated wants to know (generated_classes.c): the JVM keeps the
 * order. */
static int shorter_name(const void *a, const void *b)
{
    size_t m = strlen(((const struct unfinished_class *)a)->name),
           n = strlen(((const struct unfinished_class *)b)->name);
    return m < n ? -1 : m > n;
}

/* Before the classes are retransformed: so the class hook, which needs the loaders changed, finds that done. */
static void ask_loaders(JNIEnv *env, const jclass *classes, jint count)
{
    for (jint i = 0; i < count; i++) {
        jobject loader = NULL;
        struct writer name = { 0 };
        if ((*agent.jvmti)->GetClassLoader(agent.jvmti, classes[i], &loader) != JVMTI_ERROR_NONE || loader == NULL)
            continue;
        class_source_put_loader(env, &name, loader);
        if (!class_source_is_platform((struct text){ (const char *)name.data, name.size }))
            (void)loaders_answer(env, loader);
        writer_free(&name);
        (*env)->DeleteLocalRef(env, loader);
    }
}

static void retransform(JNIEnv *env, enum which which)
{
    jint count = 0, wanted = 0;
    jclass *all = NULL;
    size_t named = 0;
    if ((*env)->PushLocalFrame(env, LOCALS_MAX) != 0) {
        (void)agent_clear(env);
        return;
    }
    if (!agent_ok((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &all), "GetLoadedClasses"))
        count = 0;
    struct unfinished_class *classes = calloc((size_t)count + 1, sizeof *classes);
    for (jint i = 0; i < count && classes != NULL; i++)
        if ((classes[named].name = wanted_name(all[i])) != NULL) {
            classes[named].c = all[i];
            classes[named++].chosen = true;
        }
    choose(env, classes, named, which);
    if (agent.options.skip_generated && named > 1)
        qsort(classes, named, sizeof *classes, shorter_name);
    /* global references: the class hook runs in between and counts local ones (-Xcheck:jni) */
    for (size_t i = 0; i < named; i++) {
        if (classes[i].chosen && (all[wanted] = (*env)->NewGlobalRef(env, classes[i].c)) != NULL)
            wanted++;
        free(classes[i].name);
    }
    free(classes);
    (void)(*env)->PopLocalFrame(env, NULL);
    if (which == ALL_LOADED) {
        ask_loaders(env, all, wanted);
        agent_show_hooks(env, all, wanted);
    }
    /* all at once stops the program only once; if the JVM rejects one class it rejects all, then they are tried one by
     * one */
    if (wanted > 0 && (*agent.jvmti)->RetransformClasses(agent.jvmti, wanted, all) != JVMTI_ERROR_NONE)
        for (jint i = 0; i < wanted; i++)
            (void)(*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &all[i]);
    (void)agent_clear(env);
    for (jint i = 0; i < wanted; i++)
        (*env)->DeleteGlobalRef(env, all[i]);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all);
}

void loaded_classes_add_call(JNIEnv *env, const char *name)
{
    jclass c = agent_find_class(env, name);
    if (c == NULL) {
        (void)agent_clear(env);
        return;
    }
    (void)class_hook_enable(true);
    (void)agent_ok((*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &c), "RetransformClasses");
    if (!agent.weaving)
        (void)class_hook_enable(false);
    (*env)->DeleteLocalRef(env, c);
    (void)agent_clear(env);
}

void loaded_classes_weave(JNIEnv *env) { retransform(env, ALL_LOADED); }

void loaded_classes_weave_unfinished(JNIEnv *env) { retransform(env, LATE_ONLY); }

/* True if a class was woven just now: it may not have been one yet when the loaded ones were listed, but is now. */
static bool wait_for_newcomers(void)
{
    bool any = is_newcomer((struct text){ NULL, 0 });
    if (any)
        (void)usleep(DEFINING_MS * 1000);
    return any;
}

void loaded_classes_weave_whole(JNIEnv *env)
{
    (void)pthread_mutex_lock(&agent.weave_mutex);
    agent.inputs = false;
    woven_before_forget(); /* their data IDs are of other hooks */
    const bool woven = agent.weaving && agent.woven > 0;
    if (woven)
        unfinished_classes_begin();
    (void)pthread_mutex_unlock(&agent.weave_mutex);
    if (!woven)
        return;
    loaded_classes_weave(env);
    (void)wait_for_newcomers();
    loaded_classes_weave_unfinished(env);
    (void)pthread_mutex_lock(&agent.weave_mutex);
    if (agent.reweave_at == 0) /* else the period that began just now still needs the names */
        unfinished_classes_end();
    (void)pthread_mutex_unlock(&agent.weave_mutex);
}

void loaded_classes_restore(JNIEnv *env)
{
    retransform(env, NOT_RUNNING);
    if (wait_for_newcomers())
        retransform(env, NEWCOMERS_ONLY);
}
