/* agent.h - shared by the files of the agent: the one `struct agent`, and the handlers of JVM events.
 *
 *     OnLoad    options, recorder, flags of the JVM, callbacks
 *     VMStart   hook class into the boot loader (before any class of the program is woven)
 *     VMInit    threads that exist, drain and ticker
 *     class hook, thread start, thread end (any thread, from VMStart on)
 *     VMDeath   stores everything, prints the closing line
 *     OnAttach  as OnLoad in a running JVM; the rest runs on a thread of the agent (on_attach.c)
 *
 * Only this folder uses JVMTI and JNI. No function here leaves a Java exception pending. */
#ifndef LOGGING_AGENT_AGENT_H
#define LOGGING_AGENT_AGENT_H

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>

#include "logging/agent/options.h"
#include "logging/recording/recorder.h"
#include "weaver/weave.h"

#define HOOK_CLASS "java/lang/HindsightHook"

struct agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct options options;
    struct recorder recorder;
    /* the requested output if another JVM of this run records there; empty: this JVM records there */
    char beside[sizeof((struct options *)0)->output];
    char kept[sizeof((struct options *)0)->output]; /* the requested output if it holds a trace of another run */
    atomic_bool hooks_ready;                        /* the hook class is defined: classes may be woven */
    atomic_bool recording;                          /* hooks may get descriptors */
    atomic_bool weaving;                            /* the class hook weaves; else it returns the original classes */
    _Atomic uint32_t starts;                        /* number of times recording was started */
    atomic_bool loaded_early;                       /* classes that are to be woven were loaded before the first time */
    group_set groups;                               /* woven by any of them */
    _Atomic uint64_t reweave_at; /* when loaded_classes_weave_unfinished runs again (clock_now), 0 never */
    bool not_wanted;             /* tests=on, and this JVM runs none */
    atomic_bool dead;            /* VMDeath has been handled */
    pthread_mutex_t weave_mutex; /* one class at a time: data IDs of a class are consecutive */
    uint32_t next_class, next_method;
    uint32_t woven, filtered, given_up; /* classes; under weave_mutex */
    /* hooks record inputs alone, where that is possible (weave_config); set back when that is not enough (inputs.c) */
    atomic_bool inputs;
    bool transformers;                 /* of a Java agent may run wherever a class is named first: known at the start */
    const char *whole_because;         /* why there are hooks for more than inputs, at the start; NULL: there are not */
    bool debugger;                     /* its agent (JDWP) is there: known at the start */
    atomic_bool code_changes;          /* of woven code, or of variables: no events follow from the code (inputs.c) */
    uint32_t hidden_places;            /* that redact= names */
    uint32_t starts_found, ends_found; /* data IDs that match logstart=, logend= */
    atomic_uint next_thread;
    pthread_mutex_t table_mutex; /* makes get and set of object ids in JVMTI tags atomic */
};
extern struct agent agent;
/* This thread belongs to the agent and is not recorded. */
extern _Thread_local bool agent_own_thread;

/* True for JVMTI_ERROR_NONE. `what` names the call; the first failure is kept for the closing line. */
bool agent_ok(jvmtiError e, const char *what);
/* One line "hindsight: ..." on standard error, made visible (formats/visible.h). */
void agent_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Clears a pending exception; true if there was one. */
bool agent_clear(JNIEnv *env);
/* The id of an object, which is described on first sight; 0: null, or it could not be. `hook` is the hook class. */
uint64_t agent_id_of(JNIEnv *env, jclass hook, jobject o);
bool agent_enable(jvmtiEvent event, bool on);
/* A class of the boot loader, not initialized; NULL if there is none. JNI's FindClass asks the loader of the program,
 * by code that a security manager is asked about, and then the JVM does not ask it when the program names the class. */
jclass agent_find_class(JNIEnv *env, const char *internal_name);
/* Defines the hook classes in the boot loader; their initializers find the layout of threads and object headers in this
 * JVM. */
bool agent_define_hooks(JNIEnv *env);
/* Has the program a security manager? */
bool security_manager_present(JNIEnv *env);
/* Before loaded classes are woven for a start: if there is a security manager, they may use the hook class. Else the
 * JVM asks it in the first hook of each, and if it is woven too, it asks for its own hooks without end. */
void agent_show_hooks(JNIEnv *env, jclass *classes, jint count);
/* Is there such a class among the loaded ones? True also if they cannot be listed. */
bool agent_any_class(JNIEnv *env, bool (*is)(JNIEnv *env, jclass c));
/* Attaches this thread of the agent to the JVM until DetachCurrentThread; NULL with `err` set. */
JNIEnv *agent_attach(struct error *err);
/* Calls the functions of other files that look up classes and fields, once. With `with_thread` this thread gets the
 * first number. */
void agent_look_up(JNIEnv *env, bool with_thread);

/* other_agent.c: another agent records this program; `err` says so. */
bool other_agent_present(struct error *err);

/* test_jvm.c: does this JVM run tests, by the command that it was started with? */
bool test_jvm_is_one(void);

/* virtual_threads.c. Events of JVMTI 21: jvmti.h may be older. */
enum { EVENT_VIRTUAL_THREAD_END = 88 };
/* Enables the event for the end of a virtual thread. It costs a microsecond each time, so it is enabled only while
 * recording, and not used on JVMs without it. */
void virtual_threads_report_ends(bool on);
/* inputs.c: which events are stored and have hooks. `attached`: to a JVM that runs. */
void inputs_init(bool attached);
/* A Java agent may change code that was woven (class_hook.c): from now on every event is stored. */
void inputs_code_changes(JNIEnv *env);
/* A thread begins. */
void inputs_on_thread(JNIEnv *env, jthread thread);
/* The JVM runs: it may be known now that they do not. */
void inputs_begin(JNIEnv *env);
/* The same before classes are woven that were loaded before. */
void inputs_look_again(JNIEnv *env);
/* own_properties.c: with java.util.Properties (a global reference) or NULL; a class of the program that is loaded; one
 * that is prepared, or NULL: can system properties be of a class of the program by now? */
void own_properties_begin(jclass c);
void own_properties_look_at(const unsigned char *bytes, size_t size);
bool own_properties_possible(JNIEnv *env, jclass c);
/* Are they? */
bool own_properties_set(JNIEnv *env);
/* Does a class of the program extend that one? False for NULL. */
bool own_class_extends(JNIEnv *env, jclass c, jclass super);
/* The JVMTI event ClassPrepare: nothing has used the class yet. Calls hierarchy_on_prepare. */
void JNICALL inputs_on_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass c);
/* Inputs do not suffice, for that reason: when it returns, loaded classes have all hooks. */
void inputs_end(JNIEnv *env, const char *why);

/* periods.c: a recording that begins and ends while the program runs. False with `err` set. */
bool period_start(JNIEnv *env, const char *options, struct error *err);
bool period_stop(JNIEnv *env, const char *nothing, struct error *err);
enum { REWEAVE_DELAY_MS = 1000 };
/* Some time after a start: unfinished_classes.c. */
bool period_reweave(JNIEnv *env, const char *nothing, struct error *err);
/* on_attach.c. After set-up in a running JVM: the rest, on a separate thread. */
bool attach_begin(struct error *err);
/* Reports the failure to the attaching process by the option reply= of the text, else on standard error. */
void attach_refuse(const char *options, const struct error *err);

/* server.c: the control socket. */
bool server_start(struct error *err);
/* The same in a running JVM, and begins to record (without start=off). The first command, status too, is answered when
 * all loaded classes are woven. */
bool server_start_attached(JNIEnv *env, struct error *err);
/* Waits for the running command and accepts no more: sets agent.dead. False: it was set already. */
bool server_close(void);
/* For JVMTI functions that return as many local references as there are threads or classes: a local frame of this
 * capacity. */
enum { LOCALS_MAX = 65536 };

/* unfinished_classes.c: under weave_mutex. */
struct unfinished_class {
    char *name; /* internal */
    jclass c;
    bool chosen;
};
void unfinished_classes_begin(void); /* from now on names are noted, */
void unfinished_classes_end(void);   /* until now */
void unfinished_classes_note(struct text name);
/* Chooses those of the loaded classes that no name was noted for, and notes them. Sorts. */
void unfinished_classes_choose(struct unfinished_class *loaded, size_t count);

/* woven_before.c: under weave_mutex. What was done with a class in this period. */
struct woven_before {
    uint32_t first_dataid;
    bool few_constants; /* weave_config */
    bool as_it_is;      /* it was not woven, or is the woven code itself */
};
/* `bytes`: as the class hook is given them. False: it was not given them yet. */
bool woven_before_find(const void *bytes, size_t size, uint64_t loader_id, struct woven_before *out);
void woven_before_add(const void *bytes, size_t size, uint64_t loader_id, const struct woven_before *before);
void woven_before_forget(void); /* a new period begins */

/* stack_traces.c: Thread.dumpThreads leaves out the frames of hooks from now on. To be called by a native method that a
 * class of java.base calls, else the JVM warns of the new binding. */
void stack_traces_init(JNIEnv *env);

/* idle_hooks.c: while recording is stopped. */
typedef VEC(char *) names_vec; /* owned */
void idle_hooks_init(JNIEnv *env, jclass hook);
/* Has a hook been given a StackOverflowError? */
bool idle_hooks_overflowed(JNIEnv *env);
/* Hooks do nothing, or record. False: the JVM refused; they are as before. Enabled by classes_watch. The class is only
 * changed when that is something else than before: a change in the middle of a start loses events of calls that run. */
bool idle_hooks_use(bool on);
const unsigned char *idle_hooks_bytes(size_t *size); /* the hook class as it is now */
/* The internal names of the classes with a method on the stack of a thread; sorted, with repetitions. */
bool idle_hooks_running(JNIEnv *env, names_vec *names);
bool idle_hooks_is_running(const names_vec *names, const char *name);

/* classes.c */
void JNICALL classes_on_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
                             jobject domain, jint size, const unsigned char *bytes, jint *new_size,
                             unsigned char **new_bytes);
/* Enables or disables the events for loaded and prepared classes. */
bool classes_watch(bool on);
void classes_put_triggers(void);

/* loaded_classes.c */
void loaded_classes_note(struct text name); /* under weave_mutex: it is woven, and is perhaps no class yet */
/* Weaves the selected classes that are already loaded, by retransformation. */
void loaded_classes_weave(JNIEnv *env);
/* Weaves classes that were being defined meanwhile: unfinished_classes.c. */
void loaded_classes_weave_unfinished(JNIEnv *env);
/* Weaves all classes that are loaded again, and those that load from now on, with the hooks of every event. */
void loaded_classes_weave_whole(JNIEnv *env);
/* Restores the original bytecode of all classes but those whose methods run. After agent.weaving has become false. */
void loaded_classes_restore(JNIEnv *env);
/* Retransforms a class of the JDK that gets a call for freeze=uncaught or stdout=true. */
void loaded_classes_add_call(JNIEnv *env, const char *name);
/* test_edges.c: of keep=failed. */
struct method_triggers test_edges_of(void *context, struct text class_name, struct text method, struct text desc);
/* Looks up the fields it reads of class loaders and code sources. VMInit. */
void class_source_init(JNIEnv *env);
/* class_source.c: does the loader run no code that is woven when the JVM asks it for a class? The loader of a module
 * layer may have one of the program as its parent. */
bool class_source_is_platform(struct text loader);
/* class_source.c: "file:/path/app.jar", or nothing; the type of a class loader, "boot" for none. `env` may be NULL. */
void class_source_put_location(JNIEnv *env, struct writer *w, jobject domain);
void class_source_put_loader(JNIEnv *env, struct writer *w, jobject loader);

/* saved_classes.c: weavecache=, prewoven=. Under weave_mutex after the start. */
struct saved_counts {
    uint32_t used, made, refused;
    char refusal[256]; /* the first one */
};
/* Opens the directories of the options; false with `err` set. */
bool saved_classes_open(struct error *err);
/* weave_class, or what was saved of it. `original`: the class file before it was woven, in `bytes` or in `r`. */
enum status saved_classes_weave(const void *bytes, size_t size, struct weave_config *config, struct weave_result *r,
                                struct text *original, struct error *err);
/* own_classes.c: no other agent changes the hook classes.
 * For the class hook: true if this is one of them. The JVM is given its bytes as they are. */
bool own_classes_keep(const char *name, jint *new_size, unsigned char **new_bytes);
/* Before one is defined: agents that are behind ours do not change it. */
void own_classes_guard(void);
/* One whose calls are recorded: with stdout=true and format=exceptions it is woven, whatever the filter says. */
bool own_classes_is_recorded(struct text name);
/* Is the class another one that the filter includes, and its code recorded? `why`: else the reason; may be NULL. */
bool own_classes_want(struct text name, struct text source, struct text *why);

/* parameters.c */
void parameters_init(JNIEnv *env);
/* For a class that is given to be changed once more: appends the class file with the attributes MethodParameters that
 * the JVM has left out of `bytes`. False: it has left out none. */
bool parameters_add(JNIEnv *env, jclass c, const void *bytes, size_t size, struct writer *out);

/* loaders.c: class loaders answer for the hook classes. */
bool loaders_look_like_one(const void *bytes, size_t size); /* the class may declare loadClass(String) */
/* The class hook gives the JVM a class whose loadClass(String) answers. */
void loaders_changed(struct text name, uint64_t loader, bool redefined);
bool loaders_class_answers(struct text name, uint64_t loader);
/* Does this loader answer, now that its class, or one above it, was changed if needed? Not under weave_mutex. */
bool loaders_answer(JNIEnv *env, jobject loader);

/* generated_classes.c: skip=generated. Under weave_mutex. */
void generated_classes_add(struct text internal_name, uint64_t loader); /* it was left out */
/* Is the class nested in one that was left out? */
bool generated_classes_hold(const void *bytes, size_t size, uint64_t loader);

/* verified.c: verify=. OK, or an error: the woven class would not be verified by the JVM, and is not to be used.
 * `saved`: it was taken from a file. */
enum status verified_woven(struct weave_result *r, bool saved, struct error *err);
bool saved_classes_have_hooks(const void *bytes, size_t size); /* Does the class call hooks already? */
/* The original of a class of prewoven=, which `r` keeps; false: the class is as it should be. */
bool saved_classes_restore(const void *bytes, size_t size, struct weave_result *r, struct text *original);
const struct saved_counts *saved_classes_counts(void);
/* The same as rows of the info database, if one of the options is given. */
void saved_classes_put_counts(void);

/* after_end.c: keep= and index=now, of a trace that is complete. */
void finish_trace(const char *dir);

/* secrets.c: redact=. */
bool secrets_wanted(void);
void secrets_init(JNIEnv *env);
/* True if the content of the string stays out of the trace. Also when it cannot be read. */
bool secrets_hide(JNIEnv *env, jstring s);
/* Rows of the info database, with redact=: which globs match, after each class where one does and at the start; and at
 * the end. */
void secrets_put_places(void);
void secrets_put_counts(void);
/* How many globs of redact= match nothing in the classes woven so far; `first` is the first one, if there is any. */
unsigned secrets_unmatched(const char **first);
/* How many texts reached such a place when their string had been stored at another one. */
unsigned secrets_late(void);

/* threads.c */
struct thread_state {
    uint32_t number, period; /* the number belongs to this period */
    uint64_t tid;
    char *name, *group; /* the last known ones; NULL: empty */
    bool daemon;
    uint64_t start_stamp, start_ns;
    struct thread_desc *desc, *guest; /* NULL until it records */
    jmethodID asked_by;               /* direct_calls.c: the method that made the call in question, NULL none, */
    uint32_t asked_type;              /* and the class of its receiver, as HindsightHook.SITES has it */
};
/* With `with_current` this thread gets the first number. */
void threads_init(JNIEnv *env, bool with_current);
void JNICALL threads_on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL threads_on_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
/* Called by JVMs from 21 on, in the thread itself, after its last event. */
void JNICALL threads_on_virtual_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
/* The state of a platform thread, created if missing; NULL: out of memory. */
struct thread_state *threads_state(JNIEnv *env, jthread thread);
/* Its descriptor, acquired if needed; called by the thread itself. */
struct thread_desc *threads_desc(struct thread_state *t);
/* For journal.renumber: a number for the current period. */
uint32_t threads_renumber(struct thread_desc *d);
/* The trace's number of a virtual thread in this period. `thread` may be NULL if the number is known already. */
uint32_t threads_virtual(JNIEnv *env, jthread thread, uint64_t tid);
/* The virtual thread records into `to` from now on. Returns the descriptor that it used before, if that is another
 * one, else NULL. Then all later events have greater stamps than those up to *place in the old one, and the next mount
 * on that calls this again, even if no other thread used it meanwhile. */
const struct thread_desc *threads_virtual_moves(uint64_t tid, struct thread_desc *to, uint64_t *place);

/* Threads still alive at VMDeath get their last names. */
void threads_at_death(JNIEnv *env);

/* throwables.c */
void throwables_init(JNIEnv *env);
/* Appends the thrown_row of `t`, by its fields. `hook` is the hook class. False: there is nothing to describe (with
 * `again`, nothing that can have changed). `d`, the thread's descriptor, is muted while code of the JDK runs, which may
 * be woven. */
bool throwables_describe(JNIEnv *env, jclass hook, jthrowable t, bool again, struct thread_desc *d, struct writer *w);

/* values.c: objects that are shown by what they stand for (formats/values.def). */
void values_init(JNIEnv *env);
uint64_t values_plain(void); /* address of the types of which nothing is copied, by their last bits */
/* Appends the copy of an object whose class has the id `type`; false: nothing of it is copied. */
bool values_copy(JNIEnv *env, jclass hook, jobject o, uint32_t type, struct writer *w);

/* throw_snapshots.c: snapshots at throws (freeze=). */
bool throw_snapshots_possible(struct error *err); /* in this JVM, in its current phase */
/* True if Thread is woven to report uncaught exceptions (weave_config.uncaught). */
bool throw_snapshots_watch_uncaught(void);
/* Called once, after the hook classes are defined. */
void throw_snapshots_begin(JNIEnv *env);
void JNICALL throw_snapshots_on_exception(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, jlocation at,
                                          jobject exception, jmethodID catcher, jlocation catch_at);
/* Requests the snapshot, unless the maximum is reached or this exception has had one. `d` is that of the current
 * thread. */
void throw_snapshots_request(JNIEnv *env, jthrowable t, uint32_t id, const struct thread_desc *d, bool uncaught);

/* thrown_stacks.c: format=exceptions. */
bool thrown_stacks_on(void);
bool thrown_stacks_walk(void);                  /* HindsightHookLocals is used */
bool thrown_stacks_secret(const char *name);    /* Does the value of a variable or component of this name stay out? */
bool thrown_stacks_possible(struct error *err); /* in this JVM, in its current phase */
void thrown_stacks_want(jvmtiCapabilities *want);
/* Called once, after the hook classes are defined. */
void thrown_stacks_begin(JNIEnv *env);
/* The current thread ends. */
void thrown_stacks_forget(JNIEnv *env);
/* Of each throw, in its thread, with the instruction that throws and the method that will catch it, or NULL. */
void thrown_stacks_on_exception(JNIEnv *env, jthread thread, jmethodID method, jlocation at, jobject exception,
                                jmethodID catcher);

/* direct_calls.c: calls that enter woven code at once. Once the recorder has its sink and before a class is woven: */
void direct_calls_init(void);
uint64_t direct_calls_sites(void); /* address; 0: they are not found out */
void direct_calls_forget(void);    /* code has changed */
/* In the hook of a call, whose class HindsightHook is; then in that of a method that begins. */
bool direct_calls_ask(JNIEnv *env, jclass hooks, jint type, jlong desc);
bool direct_calls_answer(JNIEnv *env, jclass hooks, uint32_t id, jlong desc);

/* types.c, type_names.c */
void types_describe(JNIEnv *env, jclass c, uint32_t id);
/* Appends the name of a class as types have it: a.b.C$D, int[][]. */
void types_put_name(struct writer *w, const char *signature);

/* hierarchy.c */
bool hierarchy_init(JavaVM *vm);
/* The number of a class loader, or of the loader of a class; 0 is the boot loader. */
uint64_t hierarchy_loader(jobject loader);
uint64_t hierarchy_loader_of(JNIEnv *env, jclass c);
/* Of a class: its internal name and the number of its loader; never 0. */
uint64_t hierarchy_hash(struct text internal_name, uint64_t loader);
/* Notes that the trace has the class file of this class, by its hash. A class is woven again when the first virtual
 * thread starts, at each start of the recording, and when it is redefined. */
struct woven_first {
    bool in_start; /* since this start */
    bool of_file;  /* as this class file */
};
struct woven_first hierarchy_woven(struct text internal_name, uint64_t loader, uint64_t file);
bool hierarchy_is_woven(struct text internal_name, uint64_t loader);
/* Describes the supertypes of a woven class, or the type of an object and its supertypes. Each once, and none that is
 * woven. */
void hierarchy_above(JNIEnv *env, jclass woven);
void hierarchy_type(JNIEnv *env, jclass c);
void JNICALL hierarchy_on_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass c);

#endif
