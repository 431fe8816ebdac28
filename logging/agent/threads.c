/* threads.c - thread numbers and rows. Platform threads carry their state in JVMTI thread-local storage; virtual
 * threads are identified by Thread.threadId(), which is never reused. In each period of recording (formats/journal.h) a
 * thread has another number, so its name and kind are kept: the new row is written where the JVM cannot be called. */
#include "logging/agent/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "formats/mutf8.h"

static struct {
    jfieldID holder, tid; /* of Thread */
    jclass hook;          /* HindsightHook, a global reference, and its method */
    jmethodID unbind;
} fields;

struct virtual_thread {
    uint64_t tid; /* never 0 */
    uint32_t number, period;
    uint64_t start_stamp, start_ns;
    struct thread_desc *desc; /* that it used last */
    char *name;
    bool known; /* the others are filled */
};
static struct {
    pthread_mutex_t mutex;
    MAP(struct virtual_thread) by_tid;
} virtuals = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static struct text text_of(const char *s) { return s != NULL ? (struct text){ s, strlen(s) } : TEXT_OF(""); }

static uint32_t this_period(void) { return __atomic_load_n(&agent.recorder.journal.head->period, __ATOMIC_ACQUIRE); }

static void put_row(const struct thread_state *t, bool is_virtual, bool ended)
{
    struct thread_row row = {
        .thread = t->number,
        .tid = t->tid,
        .name = text_of(t->name),
        .group = text_of(t->group),
        .daemon = t->daemon,
        .is_virtual = is_virtual,
        .start_stamp = t->start_stamp,
        .start_ns = t->start_ns,
        .end_stamp = ended ? journal_stamp(&agent.recorder.journal) : UINT64_MAX,
        .end_ns = ended ? clock_now(&agent.recorder.clock) : UINT64_MAX,
    };
    struct writer w = { 0 };
    thread_row_encode(&row, &w);
    (void)pendinglog_put(&agent.recorder.pending, DB_THREAD, t->number, &w);
    writer_free(&w);
}

static void keep(char **to, const char *text)
{
    char *copy = text != NULL && *text != '\0' ? strdup(text) : NULL;
    free(*to);
    *to = copy;
}

/* The JVM's texts are Modified UTF-8, a trace's UTF-8. */
static void keep_name(char **to, const char *mutf8)
{
    struct writer w = { 0 };
    if (mutf8 != NULL)
        (void)mutf8_to_utf8(mutf8, strlen(mutf8), &w);
    write_u1(&w, 0);
    /* a zero character stays c0 80 */
    keep(to, !w.bad && strlen((const char *)w.data) + 1 == w.size ? (const char *)w.data : mutf8);
    writer_free(&w);
}

/* The name as the trace may have it: none with string=false, and none that contains a text of redact=. */
static const char *shown_name(JNIEnv *env, const char *mutf8)
{
    if (!agent.options.string)
        return NULL;
    if (agent.options.redact.globs.count == 0 || mutf8 == NULL)
        return mutf8;
    jstring name = env != NULL ? (*env)->NewStringUTF(env, mutf8) : NULL;
    const bool hidden = name == NULL || secrets_hide(env, name);
    if (env != NULL) {
        (void)agent_clear(env);
        (*env)->DeleteLocalRef(env, name);
    }
    return hidden ? "(redacted)" : mutf8;
}

/* Reads name, group and kind from the JVM. */
static void describe(JNIEnv *env, jthread thread, struct thread_state *t, bool is_virtual, bool ended)
{
    jvmtiThreadInfo info = { 0 };
    jvmtiThreadGroupInfo group = { 0 };
    if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, thread, &info) != JVMTI_ERROR_NONE)
        memset(&info, 0, sizeof info);
    if (info.thread_group != NULL &&
        (*agent.jvmti)->GetThreadGroupInfo(agent.jvmti, info.thread_group, &group) != JVMTI_ERROR_NONE)
        memset(&group, 0, sizeof group);
    keep_name(&t->name, shown_name(env, info.name));
    keep_name(&t->group, shown_name(env, group.name));
    t->daemon = info.is_daemon;
    put_row(t, is_virtual, ended);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)group.name);
    if (env != NULL) {
        (*env)->DeleteLocalRef(env, group.parent);
        (*env)->DeleteLocalRef(env, info.thread_group);
        (*env)->DeleteLocalRef(env, info.context_class_loader);
    }
}

/* The hook keeps its descriptor's address in a field of the thread. It is final in newer JDKs: JNI may not set it. */
static void unbind(JNIEnv *env, jthread thread)
{
    if (fields.unbind != NULL)
        (*env)->CallStaticVoidMethod(env, fields.hook, fields.unbind, thread);
    (void)agent_clear(env);
}

static void look_up_fields(JNIEnv *env)
{
    jclass thread = agent_find_class(env, "java/lang/Thread");
    fields.tid = (*env)->GetFieldID(env, thread, "tid", "J");
    (void)agent_clear(env);
    fields.holder = (*env)->GetFieldID(env, thread, "holder", "Ljava/lang/Thread$FieldHolder;");
    if (agent_clear(env))
        fields.holder = NULL; /* there are no virtual threads */
    jclass hook = agent_find_class(env, HOOK_CLASS);
    fields.unbind = hook != NULL ? (*env)->GetStaticMethodID(env, hook, "unbind", "(Ljava/lang/Thread;)V") : NULL;
    fields.hook = !agent_clear(env) && fields.unbind != NULL ? (*env)->NewGlobalRef(env, hook) : NULL;
    if (fields.hook == NULL)
        fields.unbind = NULL;
    (*env)->DeleteLocalRef(env, hook);
    (*env)->DeleteLocalRef(env, thread);
}

static void begin_number(struct thread_state *t)
{
    t->number = agent.next_thread++;
    t->period = this_period();
    t->start_ns = clock_now(&agent.recorder.clock);
    t->start_stamp = journal_bump(&agent.recorder.journal);
}

static struct thread_state *register_thread(JNIEnv *env, jthread thread)
{
    struct thread_state *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    begin_number(t);
    t->tid = fields.tid != NULL && thread != NULL ? (uint64_t)(*env)->GetLongField(env, thread, fields.tid) : 0;
    describe(env, thread, t, false, false);
    return t;
}

static void forget(struct thread_state *t)
{
    free(t->name);
    free(t->group);
    free(t);
}

/* Assigns a number for the current period. */
static void renew(struct thread_state *t)
{
    if (t->period == this_period())
        return;
    begin_number(t);
    put_row(t, false, false);
}

struct thread_desc *threads_desc(struct thread_state *t)
{
    if (t->desc == NULL) {
        renew(t);
        t->desc = journal_desc_acquire(&agent.recorder.journal, t->number);
        if (t->desc != NULL)
            t->desc->owner = (uint64_t)(uintptr_t)t;
    }
    return t->desc;
}

struct thread_state *threads_state(JNIEnv *env, jthread thread)
{
    struct thread_state *t = NULL;
    if ((*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, thread, (void **)&t) != JVMTI_ERROR_NONE)
        return NULL;
    if (t != NULL)
        return t;
    t = register_thread(env, thread);
    if (t != NULL && (*agent.jvmti)->SetThreadLocalStorage(agent.jvmti, thread, t) != JVMTI_ERROR_NONE) {
        forget(t);
        t = NULL;
    }
    return t;
}

void threads_init(JNIEnv *env, bool with_current)
{
    look_up_fields(env);
    jint count = 0;
    jthread *all = NULL, current = NULL;
    if ((*env)->PushLocalFrame(env, LOCALS_MAX) != 0) {
        (void)agent_clear(env);
        return;
    }
    if (with_current && agent_ok((*agent.jvmti)->GetCurrentThread(agent.jvmti, &current), "GetCurrentThread"))
        (void)threads_state(env, current); /* the main thread is number 0 */
    if (agent_ok((*agent.jvmti)->GetAllThreads(agent.jvmti, &count, &all), "GetAllThreads"))
        for (jint i = 0; i < count; i++) {
            unbind(env, all[i]);
            (*env)->DeleteLocalRef(env, all[i]);
        }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all);
    (void)(*env)->PopLocalFrame(env, NULL);
}

void JNICALL threads_on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    inputs_on_thread(env, thread);
    if (fields.tid == NULL || agent.dead) /* before VMInit: threads_init sees it */
        return;
    thrown_stacks_forget(env);
    unbind(env, thread);
    if (agent.recording && !agent_own_thread) /* else it is noted when it first records */
        (void)threads_state(env, thread);
}

void JNICALL threads_on_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    struct thread_state *t = NULL;
    jint frames = 0;
    /* the JVM also sends this for a thread that calls System.exit, in the middle of its methods: the JVM ends, not the
     * thread */
    if ((*jvmti)->GetFrameCount(jvmti, thread, &frames) == JVMTI_ERROR_NONE && frames > 0)
        return;
    if (agent.dead || (*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, thread, (void **)&t) != JVMTI_ERROR_NONE ||
        t == NULL)
        return;
    unbind(env, thread);
    (void)(*agent.jvmti)->SetThreadLocalStorage(agent.jvmti, thread, NULL);
    /* a stop of recording cuts off a thread's events: then its row keeps saying that it is alive */
    if (t->period == this_period() && !__atomic_load_n(&agent.recorder.journal.paused, __ATOMIC_ACQUIRE))
        describe(env, thread, t, false, true);
    if (t->desc != NULL) {
        if (t->desc->guest != 0)
            journal_desc_release(&agent.recorder.journal, (struct thread_desc *)(uintptr_t)t->desc->guest);
        journal_desc_release(&agent.recorder.journal, t->desc);
    }
    forget(t);
    (void)journal_bump(&agent.recorder.journal); /* so that events of threads that join it have greater stamps */
}

/* The entry of a virtual thread, created if missing; NULL: no memory. With the mutex held. */
static struct virtual_thread *virtual_of(uint64_t tid)
{
    struct virtual_thread *v = map_put(&virtuals.by_tid, tid);
    if (v != NULL && !v->known)
        *v = (struct virtual_thread){ .tid = tid, .period = UINT32_MAX, .known = true };
    return v;
}

/* Is this virtual thread one of the system, as in a JVM without continuations? It records as such, and its end is
 * reported by the event of virtual ones, with a reference that JNI does not take. */
static bool end_bound(jvmtiEnv *jvmti, JNIEnv *env)
{
    jthread self = NULL;
    if ((*jvmti)->GetCurrentThread(jvmti, &self) != JVMTI_ERROR_NONE || self == NULL || fields.holder == NULL)
        return false;
    jobject holder = (*env)->GetObjectField(env, self, fields.holder);
    if (holder != NULL)
        threads_on_end(jvmti, env, self);
    (*env)->DeleteLocalRef(env, self);
    (*env)->DeleteLocalRef(env, holder);
    return holder != NULL;
}

/* Only threads that recorded have an entry. It is removed, since its number is not needed again. */
void JNICALL threads_on_virtual_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    struct virtual_thread v = { 0 };
    if (agent.dead || fields.tid == NULL || end_bound(jvmti, env))
        return;
    uint64_t tid = (uint64_t)(*env)->GetLongField(env, thread, fields.tid);
    (void)pthread_mutex_lock(&virtuals.mutex);
    struct virtual_thread *own = map_get(&virtuals.by_tid, tid);
    if (own != NULL) {
        v = *own;
        map_remove(&virtuals.by_tid, own);
    }
    (void)pthread_mutex_unlock(&virtuals.mutex);
    if (v.tid == 0)
        return;
    struct thread_state t = { .number = v.number,
                              .period = v.period,
                              .tid = tid,
                              .name = v.name,
                              .start_stamp = v.start_stamp,
                              .start_ns = v.start_ns };
    /* else as in threads_on_end */
    if (v.period == this_period() && !__atomic_load_n(&agent.recorder.journal.paused, __ATOMIC_ACQUIRE))
        describe(env, thread, &t, true, true);
    free(t.name);
    free(t.group);
    (void)journal_bump(&agent.recorder.journal); /* so that events of threads that join it have greater stamps */
}

uint32_t threads_virtual(JNIEnv *env, jthread thread, uint64_t tid)
{
    struct thread_state t = { .tid = tid };
    (void)pthread_mutex_lock(&virtuals.mutex);
    struct virtual_thread *v = virtual_of(tid);
    bool fresh = v != NULL && v->period == UINT32_MAX, old = v != NULL && v->period != this_period();
    if (old) {
        begin_number(&t);
        v->number = t.number;
        v->period = t.period;
        v->start_stamp = t.start_stamp;
        v->start_ns = t.start_ns;
        if (!fresh)
            keep(&t.name, v->name);
    }
    uint32_t number = v != NULL ? v->number : 0;
    (void)pthread_mutex_unlock(&virtuals.mutex);
    if (fresh && thread != NULL)
        describe(env, thread, &t, true, false);
    else if (old)
        put_row(&t, true, false);
    if (fresh && t.name != NULL) {
        (void)pthread_mutex_lock(&virtuals.mutex);
        if ((v = virtual_of(tid)) != NULL)
            keep(&v->name, t.name);
        (void)pthread_mutex_unlock(&virtuals.mutex);
    }
    free(t.name);
    free(t.group);
    return number;
}

const struct thread_desc *threads_virtual_moves(uint64_t tid, struct thread_desc *to, uint64_t *place)
{
    struct thread_desc *from = NULL;
    (void)pthread_mutex_lock(&virtuals.mutex);
    struct virtual_thread *v = virtual_of(tid);
    if (v != NULL) {
        from = v->desc;
        v->desc = to;
    }
    (void)pthread_mutex_unlock(&virtuals.mutex);
    if (from == NULL || from == to)
        return NULL;
    *place = journal_place(&agent.recorder.journal, from); /* before the stamp moves: no later event is before it */
    (void)journal_bump(&agent.recorder.journal);
    (void)__atomic_compare_exchange_n(&from->tid, &tid, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    return from;
}

uint32_t threads_renumber(struct thread_desc *d)
{
    struct thread_state *t = (struct thread_state *)(uintptr_t)d->owner;
    if (t == NULL)
        return d->tid != 0 ? threads_virtual(NULL, NULL, d->tid) : d->thread;
    renew(t);
    return t->number;
}

void threads_at_death(JNIEnv *env)
{
    jthread current = NULL;
    struct thread_state *t = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &current) == JVMTI_ERROR_NONE && current != NULL &&
        (*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, NULL, (void **)&t) == JVMTI_ERROR_NONE && t != NULL)
        describe(env, current, t, false, false);
}
