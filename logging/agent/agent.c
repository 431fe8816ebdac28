/* agent.c - the agent's life: see agent.h for its phases. */
#include "logging/agent/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hook_classes.h"
#include "logging/agent/vmflags.h"

struct agent agent;

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

/* 12345678 as "12,345,678". */
static void with_commas(char *out, size_t size, unsigned long long v)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%llu", v);
    size_t at = 0;
    for (int i = 0; i < n && at + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

static void closing_line(const struct recorder_totals *t)
{
    char events[48], lost[48], note[ERROR_TEXT_MAX + 96] = "";
    with_commas(events, sizeof events, t->events);
    with_commas(lost, sizeof lost, t->lost);
    if (agent.recorder.failed)
        (void)snprintf(note, sizeof note, "; recording ended early: %s", agent.recorder.error.text);
    else if (t->lost > 0)
        (void)snprintf(note, sizeof note, "; %s events lost", lost);
    char not_woven[64] = "";
    if (agent.given_up > 0)
        (void)snprintf(not_woven, sizeof not_woven, " (%u not woven)", agent.given_up);
    (void)fprintf(stderr, "hindsight: %s events of %u classes%s in %s, %.1f MB%s\n", events, agent.woven, not_woven, agent.options.output, (double)t->bytes / 1e6, note);
}

/* Everything that is known at the start, as rows of the info database. */
static void put_info(const char *option_text)
{
    struct pendinglog *p = &agent.recorder.pending;
    char groups[256] = "", number[32], *property = NULL;
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        if (agent.options.groups & (group_set)1 << g)
            (void)snprintf(groups + strlen(groups), sizeof groups - strlen(groups), "%s%s", groups[0] != '\0' ? "+" : "", group_name(g));
    (void)snprintf(number, sizeof number, "%d", SCHEMA_VERSION);
    (void)pendinglog_put_info(p, "version", number);
    (void)pendinglog_put_info(p, "hindsight", HINDSIGHT_VERSION);
    (void)pendinglog_put_info(p, "options", option_text != NULL ? option_text : "");
    (void)pendinglog_put_info(p, "format", options_format_name(agent.options.format));
    (void)pendinglog_put_info(p, "weave", agent.options.groups == GROUP_ALL ? "ALL" : groups);
    (void)pendinglog_put_info(p, "order", agent.options.order_total ? "total" : "sync");
    (void)snprintf(number, sizeof number, "%d", (int)getpid());
    (void)pendinglog_put_info(p, "pid", number);
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)agent.recorder.start_epoch_ns);
    (void)pendinglog_put_info(p, "started", number);
    (void)snprintf(number, sizeof number, "%u", agent.options.size);
    (void)pendinglog_put_info(p, "size", number);
    (void)pendinglog_put_info(p, "timed", agent.options.timestamp ? "1" : "0");
    char jvm[512] = "";
    static const char *const keys[] = { "java.vm.vendor", "java.vm.name", "java.vm.version" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, keys[i], &property) == JVMTI_ERROR_NONE) {
            (void)snprintf(jvm + strlen(jvm), sizeof jvm - strlen(jvm), "%s%s", i > 0 ? " " : "", property);
            (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)property);
        }
    (void)pendinglog_put_info(p, "jvm", jvm);
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, "sun.java.command", &property) == JVMTI_ERROR_NONE) {
        (void)pendinglog_put_info(p, "command", property);
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)property);
    }
}

static bool enable(jvmtiEvent event) { return agent_ok((*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, event, NULL), "SetEventNotificationMode"); }

/* The hook classes go into the boot loader; initializing them finds out how this JVM lays out threads and headers. */
static bool define_hooks(JNIEnv *env)
{
    static const struct {
        const char *name;
        const unsigned char *bytes;
        const size_t *size;
    } classes[] = {
        { "java/lang/HindsightHook", hook_class_HindsightHook, &hook_class_HindsightHook_size },
        { "java/lang/HindsightHookOutline", hook_class_HindsightHookOutline, &hook_class_HindsightHookOutline_size },
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        jclass c = (*env)->DefineClass(env, classes[i].name, NULL, (const jbyte *)classes[i].bytes, (jsize)*classes[i].size);
        if (agent_clear(env) || c == NULL)
            return false;
        if (i == 0) { /* any static method initializes it */
            jmethodID m = (*env)->GetStaticMethodID(env, c, "ready", "()Z");
            if (agent_clear(env) || m == NULL)
                return false;
            bool ready = (*env)->CallStaticBooleanMethod(env, c, m);
            if (agent_clear(env) || !ready)
                return false;
        }
        (*env)->DeleteLocalRef(env, c);
    }
    return true;
}

static void JNICALL on_vm_start(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti;
    if (define_hooks(env))
        agent.hooks_ready = true;
    else
        (void)error_set(&agent.recorder.error, ERR_UNSUPPORTED, "the hook class cannot be defined in this JVM");
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    struct error err;
    (void)jvmti, (void)thread;
    if (!agent.hooks_ready) {
        agent.recorder.failed = true;
        return;
    }
    classes_init(env);
    throwables_init(env);
    threads_init(env);
    agent.recording = recorder_start(&agent.recorder, &err) == OK;
    if (!agent.recording) {
        agent.recorder.failed = true;
        agent.recorder.error = err;
    }
    if (agent.recording && filter_includes_system(&agent.options.filter))
        classes_weave_loaded(env);
    char *property = NULL; /* known only now */
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, "sun.java.command", &property) == JVMTI_ERROR_NONE) {
        (void)pendinglog_put_info(&agent.recorder.pending, "command", property);
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)property);
    }
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti, (void)env;
    if (atomic_exchange(&agent.dead, true))
        return;
    threads_at_death(env);
    agent.recording = false;
    struct recorder_totals totals;
    recorder_close(&agent.recorder, &totals);
    if (!agent.options.quiet)
        closing_line(&totals);
}

/* Wrong usage ends the JVM before the program runs: one line, exit status 1 (surface.md). */
static void __attribute__((noreturn)) refuse(const struct error *err)
{
    (void)fprintf(stderr, "hindsight: %s\n", err->text);
    (void)fflush(stderr);
    _exit(1);
}

static bool add_capabilities(void)
{
    jvmtiCapabilities want = { 0 };
    want.can_generate_all_class_hook_events = 1;
    want.can_tag_objects = 1;
    want.can_retransform_classes = filter_includes_system(&agent.options.filter); /* else classes are woven as they load */
    return agent_ok((*agent.jvmti)->AddCapabilities(agent.jvmti, &want), "AddCapabilities");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved)
{
    struct error err = { 0 };
    (void)reserved;
    agent.vm = vm;
    (void)pthread_mutex_init(&agent.weave_mutex, NULL);
    (void)pthread_mutex_init(&agent.table_mutex, NULL);
    if (options_parse(&agent.options, text, &err) != OK)
        refuse(&err);
    if ((*vm)->GetEnv(vm, (void **)&agent.jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        (void)error_set(&err, ERR_UNSUPPORTED, "this JVM has no JVMTI");
        refuse(&err);
    }
    struct error why = { 0 };
    if (recorder_open(&agent.recorder, agent.options.output, agent.options.overwrite, agent.options.timestamp, &why) != OK) {
        (void)error_set(&err, why.status, "option output=%.200s: %.280s", agent.options.output, why.text);
        refuse(&err);
    }
    agent.recorder.bound = (struct bound){ .bytes = agent.options.maxbytes, .drop_oldest = agent.options.drop_oldest };
    agent.recorder.discard = agent.options.format == FORMAT_DISCARD;
    if (agent.options.sink != NULL && recorder_use_sink(&agent.recorder, agent.options.sink, agent.options.size, &why) != OK) {
        (void)error_set(&err, why.status, "option output=%.200s: %.280s", agent.options.output, why.text);
        refuse(&err);
    }
    (void)vmflag_set_int("hashCode", 3);               /* hashes that the JVM makes stay small: HindsightHook.JVM_HASH_MAX */
    (void)vmflag_set_bool("DontCompileHugeMethods", false); /* woven methods pass 8000 bytes easily */
    jvmtiEventCallbacks callbacks = {
        .VMStart = on_vm_start, .VMInit = on_vm_init, .VMDeath = on_vm_death, .ClassFileLoadHook = classes_on_load,
        .ThreadStart = threads_on_start, .ThreadEnd = threads_on_end,
    };
    if (!add_capabilities() || !agent_ok((*agent.jvmti)->SetEventCallbacks(agent.jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks") ||
        !enable(JVMTI_EVENT_VM_START) || !enable(JVMTI_EVENT_VM_INIT) || !enable(JVMTI_EVENT_VM_DEATH) ||
        !enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK) || !enable(JVMTI_EVENT_THREAD_START) || !enable(JVMTI_EVENT_THREAD_END))
        refuse(&agent.recorder.error);
    put_info(text);
    return JNI_OK;
}
