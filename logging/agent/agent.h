/* agent.h - what the files of the agent share: the one `struct agent`, and who answers which event of the JVM.
 *
 *     OnLoad    options, recorder, flags of the JVM, callbacks
 *     VMStart   hook class into the boot loader (before any class of the program is woven)
 *     VMInit    threads that exist, drain and ticker
 *     class hook, thread start, thread end (any thread, from VMStart on)
 *     VMDeath   everything is stored, closing line
 *     OnAttach  as OnLoad in a running JVM; the rest happens on a thread of ours (on_attach.c)
 *
 * Only this folder knows JVMTI and JNI. No function here leaves a Java exception pending. */
#ifndef LOGGING_AGENT_AGENT_H
#define LOGGING_AGENT_AGENT_H

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>

#include "logging/agent/options.h"
#include "logging/recording/recorder.h"

struct agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct options options;
    struct recorder recorder;
    /* the output that was asked for, if another JVM of this run has it; empty: ours is that */
    char beside[sizeof((struct options *)0)->output];
    atomic_bool hooks_ready; /* the hook class is defined: classes may be woven */
    atomic_bool recording;   /* hooks may get descriptors */
    atomic_bool weaving;     /* the class hook weaves; else it gives classes back as they were */
    bool can_retransform;
    uint32_t starts;             /* how often recording began */
    _Atomic uint64_t reweave_at; /* when classes_weave_unfinished is to be done once more (clock_now), 0 never */
    atomic_bool dead;            /* VMDeath has been handled */
    pthread_mutex_t weave_mutex; /* one class at a time: data IDs of a class are consecutive */
    uint32_t next_class, next_method;
    uint32_t woven, filtered, given_up; /* classes; under weave_mutex */
    uint32_t starts_found, ends_found;  /* data IDs that match logstart=, logend= */
    atomic_uint next_thread;
    pthread_mutex_t table_mutex; /* object ids that are JVMTI tags: get and set as one */
};
extern struct agent agent;
/* This thread is the agent's own: nothing of it is recorded. */
extern _Thread_local bool agent_own_thread;

/* Name for messages of a failed call: logs nothing, returns success. The first failure is kept for the closing line. */
bool agent_ok(jvmtiError e, const char *what);
/* One line "hindsight: ..." on standard error, made visible (formats/visible.h). */
void agent_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Clears a pending exception; true if there was one. */
bool agent_clear(JNIEnv *env);
bool agent_enable(jvmtiEvent event, bool on);
/* The event VirtualThreadEnd of JVMTI 21: jvmti.h may be older. */
enum { EVENT_VIRTUAL_THREAD_END = 88 };
/* Ends of virtual threads cost a microsecond each, so they are told only while we record. A JVM that has none, or does
 * not tell, is recorded without them. */
void agent_tell_virtual_ends(bool on);
/* The hook classes go into the boot loader; initializing them finds out how this JVM lays out threads and headers. */
bool agent_define_hooks(JNIEnv *env);
/* Attaches this thread, one of ours, to the JVM until DetachCurrentThread; NULL with `err` set. */
JNIEnv *agent_attach(struct error *err);
/* What the other files look up in the JVM, once. With `with_thread` this thread gets the first number. */
void agent_look_up(JNIEnv *env, bool with_thread);

/* other_agent.c: another agent records this program; `err` says so. */
bool other_agent_present(struct error *err);

/* periods.c: a recording that begins and ends while the program runs. False with `err` set. */
bool period_start(JNIEnv *env, const char *options, struct error *err);
bool period_stop(JNIEnv *env, const char *nothing, struct error *err);
enum { REWEAVE_DELAY_MS = 1000 };
/* That long after a start: unfinished_classes.c. */
bool period_reweave(JNIEnv *env, const char *nothing, struct error *err);
/* on_attach.c. After set-up in a running JVM: everything else, on a thread of its own. */
bool attach_begin(struct error *err);
/* Reports the failure to the attaching process by the option reply= of the text, else on standard error. */
void attach_refuse(const char *options, const struct error *err);

/* server.c: the control socket. */
bool server_start(struct error *err);
/* Waits for the command that runs, and takes no more: sets agent.dead. False: it was set. */
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
size_t unfinished_classes_choose(struct unfinished_class *loaded, size_t count);

/* classes.c */
void JNICALL classes_on_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
                             jobject domain, jint size, const unsigned char *bytes, jint *new_size,
                             unsigned char **new_bytes);
/* The JVM is to tell of classes that are loaded and prepared, or not to. */
bool classes_watch(bool on);
/* Weaves what is loaded already and wanted, by retransformation. */
void classes_weave_loaded(JNIEnv *env);
/* Weaves those that were being defined when that was done: unfinished_classes.c. */
void classes_weave_unfinished(JNIEnv *env);
/* Gives every class back as it was. After agent.weaving has become false. */
void classes_restore(JNIEnv *env);
void classes_put_triggers(void);
/* Looks up the fields it reads of class loaders and code sources. VMInit. */
void classes_init(JNIEnv *env);

/* threads.c */
struct thread_state {
    uint32_t number, period; /* the number is that of this period */
    uint64_t tid;
    char *name, *group; /* as they were known last; NULL: empty */
    bool daemon;
    uint64_t start_stamp, start_ns;
    struct thread_desc *desc, *guest; /* NULL until it records */
};
/* With `with_current` this thread gets the first number. */
void threads_init(JNIEnv *env, bool with_current);
void JNICALL threads_on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL threads_on_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
/* Told by JVMs from 21 on, in the thread itself: its last event is behind it. */
void JNICALL threads_on_virtual_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
/* The state of a platform thread, made if need be; NULL: out of memory. */
struct thread_state *threads_state(JNIEnv *env, jthread thread);
/* Its descriptor, taken if need be, for the owner. */
struct thread_desc *threads_desc(struct thread_state *t);
/* For journal.renumber: a number for the present period. */
uint32_t threads_renumber(struct thread_desc *d);
/* The trace's number of a virtual thread in this period. `thread` may be NULL if it was asked for before. */
uint32_t threads_virtual(JNIEnv *env, jthread thread, uint64_t tid);
/* From now on it records into `to`. True if it did into another descriptor before: then all that follows has a greater
 * stamp than what is there, and should it come back, it is asked for again, even if nobody else was there meanwhile. A
 * chunk must not hold events from before and after. */
bool threads_virtual_moves(uint64_t tid, struct thread_desc *to);

/* Threads still alive at VMDeath get their last names. */
void threads_at_death(JNIEnv *env);

/* throwables.c */
void throwables_init(JNIEnv *env);
/* Appends the thrown_row of `t`, by its fields. `hook` is the hook class. False: there is nothing to tell (with
 * `again`, nothing that can have changed). `d`, the thread's descriptor, is mute while code of the JDK runs, which may
 * be woven. */
bool throwables_describe(JNIEnv *env, jclass hook, jthrowable t, bool again, struct thread_desc *d, struct writer *w);

/* throw_snapshots.c: snapshots at throws (freeze=). */
bool throw_snapshots_possible(struct error *err); /* in this JVM, in its present phase */
/* Is Thread to tell of uncaught exceptions (weave_config.uncaught)? */
bool throw_snapshots_watch_uncaught(void);
/* When the hooks are there; once. */
void throw_snapshots_begin(JNIEnv *env);
void JNICALL throw_snapshots_on_exception(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, jlocation at,
                                          jobject exception, jmethodID catcher, jlocation catch_at);
/* Asks for the snapshot, unless there were enough or this exception had one. `d` is that of the current thread. */
void throw_snapshots_request(JNIEnv *env, jthrowable t, uint32_t id, const struct thread_desc *d, bool uncaught);

/* types.c, type_names.c */
void types_describe(JNIEnv *env, jclass c, uint32_t id);
/* Appends the name of a class as types have it: a.b.C$D, int[][]. */
void types_put_name(struct writer *w, const char *signature);

/* hierarchy.c */
bool hierarchy_init(JavaVM *vm);
/* The number of a class loader, or of that of a class: 0 is the boot loader. */
uint64_t hierarchy_loader(jobject loader);
uint64_t hierarchy_loader_of(JNIEnv *env, jclass c);
/* This class leaves its class file in the trace. */
void hierarchy_woven(struct text internal_name, uint64_t loader);
/* Describes the classes above a woven one; the type of an object, and those above it. Each once, and none that is
 * woven. */
void hierarchy_above(JNIEnv *env, jclass woven);
void hierarchy_type(JNIEnv *env, jclass c);
void JNICALL hierarchy_on_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass c);

#endif
