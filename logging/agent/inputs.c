/* inputs.c - whether hooks that record inputs alone (weave_config.inputs) suffice.
 *
 * What the drain counts between two records must be the events of one thread, in their order, and the JVM must call
 * woven code only where the weaver expects it (record_mark): not when it loads a class for an
 * instruction of the program. It does so for the transformers of a Java agent that comes later, for a security
 * manager, and for system properties that are an object of a class of the program. Where there is one, all classes get
 * the hooks of every event. Threads that run continue in the code that they began with.
 *
 * The transformers of a Java agent that is named on the command line are expected: where a class is first named, the
 * drain knows how far the method has come (weave_config.asks_loader). Where our class hook cannot be asked after those
 * of Java agents (class_hook.c), they may change code that was woven. What the code does that we saw is then not what
 * the program does: nothing follows from it (method_row.followed). So it is from the moment on that a debugger is
 * connected, which sets variables and calls methods anywhere. */
#include <dlfcn.h>
#include <string.h>

#include "formats/derived.h"
#include "logging/agent/agent.h"
#include "logging/agent/class_hook.h"
#include "logging/agent/vmflags.h"

static jclass security_manager; /* a global reference; NULL: this JDK has none */

static bool is_loaded(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL)
        (void)dlclose(library);
    return library != NULL;
}

/* Has the JVM an argument that begins so and has that part? What it names may be loaded behind us. */
static bool has_argument(const char *begin, const char *part)
{
    size_t count;
    char *const *arguments = vm_arguments(&count);
    bool found = false;
    for (size_t i = 0; !found && arguments != NULL && i < count; i++)
        found = strncmp(arguments[i], begin, strlen(begin)) == 0 && strstr(arguments[i], part) != NULL;
    return found;
}

/* However it came. */
static bool has_java_agent(void) { return is_loaded("libinstrument.so"); }

static bool java_agent_present(void) { return has_java_agent() || has_argument("-javaagent:", ""); }

static bool debugger_present(void)
{
    return is_loaded("libjdwp.so") || has_argument("-agentlib:jdwp", "") || has_argument("-Xrunjdwp", "") ||
           has_argument("-agentpath:", "/libjdwp.");
}

/* NULL: events that follow from others are not stored. */
static const char *why_stored(const struct options *o, bool attached)
{
    const bool own_default = o->percall == 0 && !options_in_parts(o);
    return o->percall > 0                                 ? "percall="
           : !o->derive && !own_default                   ? "logstart= or logend= without derive=on"
           : !o->derive                                   ? "derive=off"
           : o->drop_oldest && options_in_parts(o)        ? "onfull=drop-oldest"
           : (o->groups & DERIVE_GROUPS) != DERIVE_GROUPS ? "weave= leaves out what others follow from"
           : attached && agent.debugger                   ? "a debugger may be connected"
                                                          : NULL;
}

/* NULL: nor have they hooks, as far as can be known now. */
static const char *why_hooked(const struct options *o)
{
    return o->prewoven[0] != '\0'               ? "prewoven="
           : filter_includes_system(&o->filter) ? "the filter includes classes of the JDK"
           : o->order_total                     ? "order=total"
           : o->drop_oldest                     ? "onfull=drop-oldest"
                                                : NULL;
}

void inputs_init(bool attached)
{
    const struct options *o = &agent.options;
    if (o->format != FORMAT_OMNI)
        return;
    agent.debugger = debugger_present();
    agent.whole_because = why_stored(o, attached);
    if (agent.whole_because != NULL || !recorder_use_deriver(&agent.recorder))
        return;
    agent.transformers = java_agent_present();
    agent.whole_because = why_hooked(o);
    agent.inputs = agent.whole_because == NULL;
}

static jclass class_of(JNIEnv *env, const char *name)
{
    jclass c = agent_find_class(env, name), global = c != NULL ? (*env)->NewGlobalRef(env, c) : NULL;
    (*env)->DeleteLocalRef(env, c);
    (void)agent_clear(env);
    return global;
}

/* Gives all classes the hooks of every event, if they have not got them yet. */
static void weave_whole(JNIEnv *env, bool code_changes, const char *why)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* others that need it wait here */
    (void)pthread_mutex_lock(&mutex);
    bool wanted = agent.inputs || (code_changes && !agent.code_changes);
    if (code_changes)
        agent.code_changes = true;
    if (wanted) {
        (void)pendinglog_put_info(&agent.recorder.pending, "whole_because", why);
        loaded_classes_weave_whole(env);
    }
    (void)pthread_mutex_unlock(&mutex);
}

void inputs_end(JNIEnv *env, const char *why) { weave_whole(env, false, why); }

static void nothing_follows(JNIEnv *env, const char *why)
{
    if (agent.recorder.sites != NULL)
        weave_whole(env, true, why);
}

void inputs_code_changes(JNIEnv *env) { nothing_follows(env, "a Java agent may change classes behind the hooks"); }

/* A Java agent has come: its transformers run where classes were woven for none. */
static void on_java_agent(JNIEnv *env)
{
    if (!class_hook_stay_last(env))
        inputs_code_changes(env);
    else if (!agent.transformers)
        inputs_end(env, "a Java agent has come");
}

/* A debugger is connected: the thread begins that reads its commands. */
void inputs_on_thread(JNIEnv *env, jthread thread)
{
    jvmtiThreadInfo info;
    if (!agent.debugger || agent.code_changes ||
        (*agent.jvmti)->GetThreadInfo(agent.jvmti, thread, &info) != JVMTI_ERROR_NONE)
        return;
    const bool is_reader = info.name != NULL && strcmp(info.name, "JDWP Command Reader") == 0;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
    (*env)->DeleteLocalRef(env, info.thread_group);
    (*env)->DeleteLocalRef(env, info.context_class_loader);
    if (is_reader)
        nothing_follows(env, "a debugger is connected");
}

static bool is_instrumentation(jclass c)
{
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return false;
    bool is = strcmp(signature, "Lsun/instrument/InstrumentationImpl;") == 0;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return is;
}

static const char called[] = "a security manager or class of Properties of the program is called by the JVM";

/* Is it a class of which the JVM will call methods in between? */
static bool is_called(JNIEnv *env, jclass c)
{
    return own_class_extends(env, c, security_manager) || own_properties_possible(env, c);
}

void inputs_look_again(JNIEnv *env)
{
    if (has_java_agent())
        on_java_agent(env);
    if (!agent.inputs)
        return;
    if (security_manager_present(env) || own_properties_set(env) || agent_any_class(env, is_called))
        inputs_end(env, called);
}

void inputs_begin(JNIEnv *env)
{
    if (agent.inputs) {
        security_manager = class_of(env, "java/lang/SecurityManager");
        own_properties_begin(class_of(env, "java/util/Properties"));
    }
    inputs_look_again(env);
}

void JNICALL inputs_on_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass c)
{
    if (agent.hooks_ready && is_instrumentation(c)) /* else inputs_begin sees it */
        on_java_agent(env);
    else if (agent.inputs && is_called(env, c))
        inputs_end(env, called);
    hierarchy_on_prepare(jvmti, env, thread, c);
}
