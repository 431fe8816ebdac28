/* agent.c - load, start and end of the agent: see agent.h for its phases. */
#include "logging/agent/agent.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/bytes.h"
#include "formats/commas.h"
#include "formats/files.h"
#include "formats/schema.h"
#include "logging/agent/class_hook.h"
#include "logging/agent/compile_policy.h"
#include "logging/agent/jdk.h"
#include "logging/agent/vmflags.h"
#include "logging/journal/cut_guard.h"
#include "logging/recording/run.h"

static void closing_line(JNIEnv *env, const struct recorder_totals *t)
{
    char events[COMMAS_MAX], lost[COMMAS_MAX], dropped[COMMAS_MAX];
    char note[2 * ERROR_TEXT_MAX + sizeof agent.beside + sizeof agent.kept] = "";
    size_t n = 0;
    (void)with_commas(events, sizeof events, t->events);
    (void)with_commas(lost, sizeof lost, t->lost);
    (void)with_commas(dropped, sizeof dropped, t->dropped);
    if (agent.recorder.failed)
        n += (size_t)snprintf(note, sizeof note, "; recording ended early: %s", agent.recorder.error.text);
    else if (windows_present(&agent.recorder.windows) && agent.options.logstart != NULL &&
             agent.recorder.windows.head->count == 0)
        n += (size_t)snprintf(note, sizeof note, "; no interval: logstart matched %u places in the code%s",
                              agent.starts_found, agent.starts_found > 0 ? ", and none was reached" : "");
    if (t->lost > 0)
        n += (size_t)snprintf(note + n, sizeof note - n, "; %s%s events lost", t->at_least ? "at least " : "", lost);
    if (t->dropped > 0)
        n += (size_t)snprintf(note + n, sizeof note - n, "; the oldest %s events were dropped", dropped);
    if (agent.beside[0] != '\0')
        n += (size_t)snprintf(note + n, sizeof note - n, "; another JVM of this run records into %s", agent.beside);
    if (agent.kept[0] != '\0')
        n += (size_t)snprintf(note + n, sizeof note - n, "; %s holds a trace of another run", agent.kept);
    if (idle_hooks_overflowed(env))
        n += (size_t)snprintf(note + n, sizeof note - n,
                              "; a StackOverflowError: recorded methods need more stack, give more with -Xss");
    if (agent.options.twice != NULL)
        n += (size_t)snprintf(note + n, sizeof note - n, "; %s= was given twice, the last one counts",
                              agent.options.twice);
    if (agent.options.groups == GROUP_BIT(PARAM))
        n += (size_t)snprintf(note + n, sizeof note - n, "; weave=PARAM alone has no events: it adds to EXEC and CALL");
    const struct saved_counts *saved = saved_classes_counts();
    if (saved->refused > 0)
        n += (size_t)snprintf(note + n, sizeof note - n, "; %u saved classes were not used: %s", saved->refused,
                              saved->refusal);
    unsigned late = secrets_late();
    if (late > 0)
        n += (size_t)snprintf(note + n, sizeof note - n,
                              "; %u text%s of redact= stored before at other places: see hindsight info", late,
                              late > 1 ? "s" : "");
    const char *glob = "";
    unsigned unmatched = secrets_unmatched(&glob);
    if (unmatched == 1)
        (void)snprintf(note + n, sizeof note - n, "; redact=%.200s matched nothing: see hindsight info", glob);
    else if (unmatched > 1)
        (void)snprintf(note + n, sizeof note - n,
                       "; redact=%.200s and %u other glob%s matched nothing: see hindsight info", glob, unmatched - 1,
                       unmatched > 2 ? "s" : "");
    char not_woven[64] = "";
    if (agent.given_up > 0)
        (void)snprintf(not_woven, sizeof not_woven, " (%u not woven)", agent.given_up);
    const char *where = strcmp(t->where, agent.recorder.dir) == 0 ? agent.options.output : t->where;
    agent_say("%s events of %u classes%s in %s, %.1f MB%s", events, agent.woven, not_woven, path_from_here(where),
              (double)t->bytes / 1e6, note);
}

/* Does the user want texts to stay out of the trace? */
static bool keeps_texts_out(void) { return !agent.options.string || agent.options.redact.globs.count > 0; }

/* The command line: without its arguments where texts stay out. */
static void put_command(void)
{
    char *value = NULL;
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, "sun.java.command", &value) != JVMTI_ERROR_NONE)
        return;
    char *arguments = strchr(value, ' ');
    if (arguments != NULL && keeps_texts_out())
        *arguments = '\0';
    (void)pendinglog_put_info(&agent.recorder.pending, "command", value);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)value);
}

static void put_property(const char *key, const char *property_name)
{
    char *value = NULL;
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, property_name, &value) != JVMTI_ERROR_NONE)
        return;
    (void)pendinglog_put_info(&agent.recorder.pending, key, value);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)value);
}

static void add_text(struct writer *w, const char *text) { write_bytes(w, text, strlen(text)); }

/* Stores a text and frees it. */
static void put_text(const char *key, struct writer *w)
{
    write_u1(w, '\0');
    if (!w->bad)
        (void)pendinglog_put_info(&agent.recorder.pending, key, (const char *)w->data);
    writer_free(w);
}

/* Sets the flags of the JVM that recording needs, and names them for info: woven methods often exceed the limit of 8000
 * bytes for compilation, objects that are not biased can have an id in their header, and compile_policy.h. */
static void set_vm_flags(bool at_start)
{
    struct writer set = { 0 };
    const bool code = !thrown_stacks_on(); /* of the program is woven */
    if (code && vmflag_set_bool("DontCompileHugeMethods", false))
        add_text(&set, "DontCompileHugeMethods=false");
    if (at_start && jdk_biases_locks() && vmflag_set_bool("UseBiasedLocking", false))
        add_text(&set, set.size > 0 ? " UseBiasedLocking=false" : "UseBiasedLocking=false");
    if (code) {
        compile_policy_relax();
        compile_policy_name(&set);
        if (agent.options.start_off)
            compile_policy_restore();
    }
    put_text("vm_flags", &set);
}

/* How the JVM was started: its arguments, class path and directory. */
static void put_start(void)
{
    struct writer w = { 0 };
    size_t count = 0;
    char *const *arguments = vm_arguments(&count), directory[PATH_MAX];
    for (size_t i = 0; arguments != NULL && i < count; i++) {
        const char *quote = strchr(arguments[i], ' ') != NULL ? "\"" : "", *value = strchr(arguments[i], '=');
        const bool hidden = keeps_texts_out() && strncmp(arguments[i], "-D", 2) == 0 && value != NULL;
        add_text(&w, i > 0 ? " " : "");
        add_text(&w, quote);
        write_bytes(&w, arguments[i], hidden ? (size_t)(value + 1 - arguments[i]) : strlen(arguments[i]));
        add_text(&w, hidden ? "(redacted)" : "");
        add_text(&w, quote);
    }
    if (arguments != NULL)
        put_text("vm_arguments", &w);
    if (getcwd(directory, sizeof directory) != NULL)
        (void)pendinglog_put_info(&agent.recorder.pending, "directory", directory);
    put_property("class_path", "java.class.path");
}

/* Writes what is known at the start as rows of the info database. */
static void put_info(const char *option_text)
{
    struct pendinglog *p = &agent.recorder.pending;
    char groups[256], number[32], *property = NULL;
    options_groups(agent.options.groups, groups, sizeof groups);
    (void)pendinglog_put_info(p, "version", SCHEMA_VERSION);
    (void)pendinglog_put_info(p, "hindsight", HINDSIGHT_VERSION);
    (void)pendinglog_put_info(p, "options", option_text != NULL ? option_text : "");
    (void)pendinglog_put_info(p, "format", format_get(agent.options.format)->name);
    (void)pendinglog_put_info(p, "weave", groups);
    (void)pendinglog_put_info(p, "order", agent.options.order_total ? "total" : "sync");
    (void)snprintf(number, sizeof number, "%d", (int)getpid());
    (void)pendinglog_put_info(p, "pid", number);
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)agent.recorder.clock.start_epoch_ns);
    (void)pendinglog_put_info(p, "started", number);
    (void)snprintf(number, sizeof number, "%u", agent.options.size);
    (void)pendinglog_put_info(p, "size", number);
    (void)snprintf(number, sizeof number, "%u", agent.options.percall);
    if (agent.options.percall > 0)
        (void)pendinglog_put_info(p, "percall", number);
    if (agent.options.index == INDEX_OFF)
        (void)pendinglog_put_info(p, "index", "off");
    secrets_put_places();
    (void)pendinglog_put_info(p, "derive", agent.recorder.sites != NULL ? "on" : "off");
    if (agent.whole_because != NULL)
        (void)pendinglog_put_info(p, "whole_because", agent.whole_because);
    (void)pendinglog_put_info(p, "timed", agent.options.timestamp ? "1" : "0");
    if (options_in_parts(&agent.options)) {
        classes_put_triggers();
        if (agent.recorder.sites != NULL)
            (void)pendinglog_put_info(p, "outside_to_drop", "1");
    }
    char jvm[512] = "";
    static const char *const keys[] = { "java.vm.vendor", "java.vm.name", "java.vm.version" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, keys[i], &property) == JVMTI_ERROR_NONE) {
            (void)snprintf(jvm + strlen(jvm), sizeof jvm - strlen(jvm), "%s%s", i > 0 ? " " : "", property);
            (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)property);
        }
    (void)pendinglog_put_info(p, "jvm", jvm);
    put_command();
    put_start();
}

/* A refusal in the words of `hindsight record`, if that was what the user typed: `option size=x` is --option size=x
 * there, and some options have names of their own. */
static void in_words_of_record(const char *text, char *out, size_t size)
{
    static const char *const own[] = { "output", "format", "weave" };
    static const char option[] = "option ";
    size_t n = 0;
    if (strncmp(text, option, sizeof option - 1) == 0) {
        text += sizeof option - 1;
        size_t length = strcspn(text, "=: ");
        bool named = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            named |= strlen(own[i]) == length && strncmp(text, own[i], length) == 0;
        n += (size_t)snprintf(out, size, "%s%.*s", named ? "--" : "--option ", (int)length, text);
        text += length;
        if (named && *text == '=') {
            out[n++] = ' ';
            text++;
        }
    }
    (void)snprintf(out + n, size - n, "%s", text);
}

static void say_refusal(const char *before, const struct error *err)
{
    char text[ERROR_TEXT_MAX + 64];
    if (getenv(RUN_VARIABLE) != NULL)
        in_words_of_record(err->text, text, sizeof text);
    else
        (void)snprintf(text, sizeof text, "%s", err->text);
    agent_say("%s%s", before, text);
}

/* The JVM cannot be recorded. Wrong usage ends it before the program runs, with one line and exit status 1
 * (surface.md); anything else only with strict=true. Else the program runs, with one line. */
static void refuse(const struct error *err)
{
    const bool stop = agent.options.strict || err->status == ERR_USAGE;
    say_refusal(stop ? "" : "nothing is recorded: ", err);
    if (!stop)
        return;
    (void)fflush(stderr);
    _exit(1);
}

/* With strict=true: the recording has failed before the program runs. */
static void insist(void)
{
    if (!agent.options.strict)
        return;
    const struct error err = agent.recorder.error;
    recorder_abandon(&agent.recorder);
    refuse(&err);
}

static void define_hooks(JNIEnv *env)
{
    if (!agent_define_hooks(env))
        (void)error_set(&agent.recorder.error, ERR_UNSUPPORTED, "the hook class cannot be defined in this JVM");
}

static void JNICALL on_vm_start(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti;
    if (jdk_starts_early())
        define_hooks(env);
}

/* Begins to record with the first class of the program; the class hook is enabled already. */
static void begin(JNIEnv *env)
{
    struct error err;
    agent.recording = recorder_start(&agent.recorder, &err) == OK;
    if (!agent.recording) {
        agent.recorder.failed = true;
        agent.recorder.error = err;
        return;
    }
    agent.starts = 1;
    agent.groups = agent.options.groups;
    if (thrown_stacks_on() && !agent.options.output_recorded)
        (void)classes_watch(false); /* the one class that is woven is there */
    if (agent.loaded_early || filter_includes_system(&agent.options.filter))
        loaded_classes_weave(env);
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    struct error err;
    (void)jvmti, (void)thread;
    if (!jdk_starts_early())
        define_hooks(env);
    if (!agent.hooks_ready) {
        agent.recorder.failed = true;
        insist();
        return;
    }
    agent_look_up(env, !agent.options.start_off);
    inputs_begin(env);
    throw_snapshots_begin(env);
    thrown_stacks_begin(env);
    if (agent.options.output_recorded)
        loaded_classes_add_call(env, "java/io/FileOutputStream");
    if (!agent.options.start_off)
        begin(env);
    if (agent.recorder.failed)
        insist();
    if (!server_start(&err) && agent.recorder.error.text[0] == '\0') /* reported at the end; the recording continues */
        agent.recorder.error = err;
    put_command(); /* available only now */
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti, (void)env;
    if (!server_close())
        return;
    threads_at_death(env);
    agent.recording = false;
    saved_classes_put_counts();
    secrets_put_counts();
    struct recorder_totals totals;
    recorder_close(&agent.recorder, &totals);
    if (!agent.options.quiet)
        closing_line(env, &totals);
    finish_trace(totals.where);
}

/* Callbacks are in the order of event numbers; jvmti.h may be older than the last one. */
enum { CALLBACKS = EVENT_VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL + 1 };
union callbacks {
    jvmtiEventCallbacks known;
    jvmtiEventVMInit by_number[CALLBACKS];
};

static bool add_capabilities(void)
{
    jvmtiCapabilities want = { 0 };
    want.can_generate_all_class_hook_events = 1;
    want.can_tag_objects = 1;
    want.can_generate_exception_events = agent.options.freeze.count > 0;
    want.can_retransform_classes = 1;
    thrown_stacks_want(&want);
    return agent_ok((*agent.jvmti)->AddCapabilities(agent.jvmti, &want), "AddCapabilities");
}

static enum status try_directory(const char *base, const char *suffix, const char *run, struct error *err)
{
    struct options *o = &agent.options;
    (void)snprintf(o->output, sizeof o->output, "%s%s", base, suffix);
    const struct recorder_target where = { o->output, o->overwrite, run };
    return recorder_open(&agent.recorder, &where, o->timestamp, err);
}

/* Opens the trace in the requested directory DIR; where that holds one of another run, which is kept, in the first
 * DIR-N that does not. If DIR, or that DIR-N, is of this run (`inherits`: the options may be inherited), in DIR-PID.
 * overwrite= applies to older runs only. */
static enum status open_recorder(const char *text, bool inherits, struct error *err)
{
    enum { TRIES = 1000000 };
    struct options *o = &agent.options;
    char run[RUN_NAME_MAX], base[sizeof o->output], suffix[32] = "";
    enum status s = ERR_EXISTS;
    run_name(text, run);
    size_t length = (size_t)snprintf(base, sizeof base, "%s", o->output);
    while (length > 1 && base[length - 1] == '/')
        base[--length] = '\0';
    bool ours = inherits && run_made(run, base);
    for (int n = 1; s == ERR_EXISTS && !ours && n <= TRIES; n++) {
        s = try_directory(base, suffix, run, err);
        if (suffix[0] != '\0' && s != OK && access(o->output, F_OK) == 0)
            s = ERR_EXISTS; /* what it holds is no trace */
        if (s != ERR_EXISTS)
            break;
        ours = inherits && run_made(run, o->output);
        if (!ours && o->overwrite) /* it is being recorded */
            break;
        if (!ours)
            (void)snprintf(suffix, sizeof suffix, "-%d", n);
    }
    if (!ours) {
        if (suffix[0] != '\0')
            (void)snprintf(agent.kept, sizeof agent.kept, "%s", base);
        return s;
    }
    (void)snprintf(agent.beside, sizeof agent.beside, "%.*s%s", (int)(sizeof agent.beside - sizeof suffix), base,
                   suffix);
    for (int n = 1; s == ERR_EXISTS && n <= TRIES; n++) {
        (void)snprintf(suffix, sizeof suffix, n == 1 ? "-%d" : "-%d-%d", (int)getpid(), n);
        s = try_directory(base, suffix, run, err);
    }
    return s;
}

static enum status open_trace(const char *text, bool inherits, struct error *err)
{
    const struct options *o = &agent.options;
    enum status s = open_recorder(text, inherits, err);
    if (s != OK)
        return s;
    s = recorder_use_sink(&agent.recorder, o->sink, o->size, !options_cut(o), err);
    if (s == OK && o->format == FORMAT_FREQ && !options_cut(o) && o->prewoven[0] == '\0') /* whose hooks have values */
        recorder_count_only(&agent.recorder);
    if (s == OK)
        inputs_init(!inherits);
    const struct format *format = format_get(o->format);
    agent.recorder.few_ticks = !format->stream && !format->values && !options_cut(o); /* no coarse clock */
    drain_limit_calls(&agent.recorder.drain, o->percall);
    const struct window_options windows = { .starts = o->logstart != NULL,
                                            .ends = o->logend != NULL,
                                            .later = agent.recorder.sites != NULL,
                                            .nested = o->lognested,
                                            .save = o->logsave,
                                            .keep = o->keep };
    if (s == OK && options_cut(o))
        s = recorder_use_windows(&agent.recorder, &windows, err);
    if (s == OK)
        direct_calls_init();
    if (s != OK)
        recorder_abandon(&agent.recorder);
    return s;
}

/* Nothing of this agent is left but its options. */
static void abandon(void)
{
    const jvmtiEventCallbacks none = { 0 };
    (void)(*agent.jvmti)->SetEventCallbacks(agent.jvmti, &none, sizeof none);
    recorder_abandon(&agent.recorder);
    agent.vm = NULL;
}

/* The part of the set-up that needs no running JVM. */
static bool set_up(JavaVM *vm, const char *text, bool inherits, struct error *err)
{
    struct error why = { 0 };
    (void)pthread_mutex_init(&agent.weave_mutex, NULL);
    (void)pthread_mutex_init(&agent.table_mutex, NULL);
    if (options_parse(&agent.options, text, err) != OK)
        return false;
    if ((*vm)->GetEnv(vm, (void **)&agent.jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        return error_set(err, ERR_UNSUPPORTED, "this JVM has no JVMTI") == OK;
    if (!jdk_is_supported(err))
        return false;
    if (agent.options.tests && !test_jvm_is_one()) {
        agent.not_wanted = true;
        return error_set(err, ERR_UNSUPPORTED, "option tests=on: this JVM runs no tests") == OK;
    }
    if (!throw_snapshots_possible(err) || !thrown_stacks_possible(err))
        return false;
    if (!saved_classes_open(err))
        return false;
    if (!vmflag_is_set("CheckJNICalls")) /* -Xcheck:jni: the JVM would complain on the program's standard output */
        cut_guard_install();
    if (open_trace(text, inherits, &why) != OK)
        return error_set(err, why.status, "option output=%.200s: %.280s", agent.options.output, why.text) == OK;
    agent.vm = vm;
    if (agent.options.maxbytes > 0)
        recorder_use_bound(&agent.recorder, agent.options.maxbytes, agent.options.drop_oldest);
    agent.recorder.journal.renumber = threads_renumber;
    agent.recorder.ended_early = compile_policy_restore;
    agent.weaving = !agent.options.start_off;
    set_vm_flags(inherits);
    union callbacks callbacks = { .known = {
                                      .VMStart = on_vm_start,
                                      .VMInit = on_vm_init,
                                      .VMDeath = on_vm_death,
                                      .ClassFileLoadHook = classes_on_load,
                                      .ThreadStart = threads_on_start,
                                      .ThreadEnd = threads_on_end,
                                      .Exception = throw_snapshots_on_exception,
                                      .ClassPrepare = inputs_on_prepare,
                                  } };
    callbacks.by_number[EVENT_VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL] = threads_on_virtual_end;
    class_hook_init(classes_on_load, inputs_code_changes);
    bool ok = add_capabilities() && hierarchy_init(vm) &&
              agent_ok((*agent.jvmti)->SetEventCallbacks(agent.jvmti, &callbacks.known, sizeof callbacks),
                       "SetEventCallbacks") &&
              agent_enable(JVMTI_EVENT_VM_DEATH, true) && agent_enable(JVMTI_EVENT_THREAD_START, true) &&
              agent_enable(JVMTI_EVENT_THREAD_END, true);
    if (ok) {
        put_info(text);
        return true;
    }
    *err = agent.recorder.error;
    abandon();
    return false;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved)
{
    struct error err = { 0 };
    (void)reserved;
    files_fill_standard();
    if (other_agent_present(&err)) {
        agent_say("%s", err.text);
        return JNI_OK;
    }
    if (!set_up(vm, text, true, &err)) {
        if (!agent.not_wanted)
            refuse(&err);
        return JNI_OK;
    }
    if (!agent_enable(JVMTI_EVENT_VM_START, true) || !agent_enable(JVMTI_EVENT_VM_INIT, true) ||
        (agent.weaving && !classes_watch(true))) {
        refuse(&agent.recorder.error);
        abandon();
        return JNI_OK;
    }
    if (agent.weaving)
        virtual_threads_report_ends(true);
    return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved)
{
    struct error err = { 0 };
    (void)reserved;
    files_fill_standard();
    bool ready = !other_agent_present(&err) && set_up(vm, text, false, &err);
    if (ready && attach_begin(&err))
        return JNI_OK;
    attach_refuse(text, &err);
    return JNI_ERR;
}
