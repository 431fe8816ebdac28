/* threads.c - thread numbers and rows. Platform threads carry their state in JVMTI thread-local storage; virtual threads are known
 * by their Thread.threadId(), which is never reused. */
#include "logging/agent/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    jfieldID stack_size, holder, holder_stack_size, tid; /* of Thread and of Thread.FieldHolder */
} fields;

static struct {
    pthread_mutex_t mutex;
    struct virtual_thread {
        uint64_t tid; /* 0: empty */
        uint32_t number;
    } *slots;
    size_t cap, count;
} virtuals = { .mutex = PTHREAD_MUTEX_INITIALIZER };

static void put_row(const struct thread_state *t, const char *name, const char *group, bool daemon, bool is_virtual, bool ended)
{
    struct thread_row row = {
        .thread = t->number, .tid = t->tid, .name = { name, strlen(name) }, .group = { group, strlen(group) }, .daemon = daemon,
        .is_virtual = is_virtual, .start_stamp = t->start_stamp, .start_ns = t->start_ns,
        .end_stamp = ended ? journal_stamp(&agent.recorder.journal) : UINT64_MAX, .end_ns = ended ? recorder_now(&agent.recorder) : UINT64_MAX,
    };
    struct writer w = { 0 };
    thread_row_encode(&row, &w);
    (void)pendinglog_put(&agent.recorder.pending, DB_THREAD, t->number, &w);
    writer_free(&w);
}

/* Name, group and kind as the JVM tells them now. */
static void describe(JNIEnv *env, jthread thread, const struct thread_state *t, bool is_virtual, bool ended)
{
    jvmtiThreadInfo info = { 0 };
    jvmtiThreadGroupInfo group = { 0 };
    if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, thread, &info) != JVMTI_ERROR_NONE)
        memset(&info, 0, sizeof info);
    if (info.thread_group != NULL && (*agent.jvmti)->GetThreadGroupInfo(agent.jvmti, info.thread_group, &group) != JVMTI_ERROR_NONE)
        memset(&group, 0, sizeof group);
    put_row(t, info.name != NULL ? info.name : "", group.name != NULL ? group.name : "", info.is_daemon, is_virtual, ended);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)info.name);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)group.name);
    if (env != NULL) {
        (*env)->DeleteLocalRef(env, group.parent);
        (*env)->DeleteLocalRef(env, info.thread_group);
        (*env)->DeleteLocalRef(env, info.context_class_loader);
    }
}

/* The hook keeps its descriptor's address in stackSize: 0 before the thread has one. */
static void set_field(JNIEnv *env, jthread thread, jlong v)
{
    if (fields.holder_stack_size != NULL) {
        jobject holder = (*env)->GetObjectField(env, thread, fields.holder);
        if (holder != NULL)
            (*env)->SetLongField(env, holder, fields.holder_stack_size, v);
        (*env)->DeleteLocalRef(env, holder);
    } else if (fields.stack_size != NULL) {
        (*env)->SetLongField(env, thread, fields.stack_size, v);
    }
}

static void look_up_fields(JNIEnv *env)
{
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    fields.tid = (*env)->GetFieldID(env, thread, "tid", "J");
    (void)agent_clear(env);
    fields.stack_size = (*env)->GetFieldID(env, thread, "stackSize", "J");
    if (!agent_clear(env))
        return;
    fields.stack_size = NULL;
    fields.holder = (*env)->GetFieldID(env, thread, "holder", "Ljava/lang/Thread$FieldHolder;");
    (void)agent_clear(env);
    jclass holder = (*env)->FindClass(env, "java/lang/Thread$FieldHolder");
    (void)agent_clear(env);
    if (holder != NULL && fields.holder != NULL)
        fields.holder_stack_size = (*env)->GetFieldID(env, holder, "stackSize", "J");
    (void)agent_clear(env);
}

static struct thread_state *register_thread(JNIEnv *env, jthread thread)
{
    struct thread_state *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->number = agent.next_thread++;
    t->tid = fields.tid != NULL && thread != NULL ? (uint64_t)(*env)->GetLongField(env, thread, fields.tid) : 0;
    t->start_ns = recorder_now(&agent.recorder);
    t->start_stamp = journal_bump(&agent.recorder.journal);
    describe(env, thread, t, false, false);
    return t;
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
        free(t);
        t = NULL;
    }
    return t;
}

void threads_init(JNIEnv *env)
{
    look_up_fields(env);
    jint count = 0;
    jthread *all = NULL, current = NULL;
    if ((*env)->PushLocalFrame(env, LOCALS_MAX) != 0) {
        (void)agent_clear(env);
        return;
    }
    if (agent_ok((*agent.jvmti)->GetCurrentThread(agent.jvmti, &current), "GetCurrentThread"))
        (void)threads_state(env, current); /* the main thread is number 0 */
    if (agent_ok((*agent.jvmti)->GetAllThreads(agent.jvmti, &count, &all), "GetAllThreads"))
        for (jint i = 0; i < count; i++) {
            set_field(env, all[i], 0);
            (*env)->DeleteLocalRef(env, all[i]);
        }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all);
    (void)(*env)->PopLocalFrame(env, NULL);
}

void JNICALL threads_on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    if (fields.tid == NULL || agent.dead) /* before VMInit: threads_init sees it */
        return;
    set_field(env, thread, 0);
    (void)threads_state(env, thread);
}

void JNICALL threads_on_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    struct thread_state *t = NULL;
    jint frames = 0;
    /* the JVM says so too of a thread that calls System.exit, in the middle of its methods: that thread does not end, all does */
    if ((*jvmti)->GetFrameCount(jvmti, thread, &frames) == JVMTI_ERROR_NONE && frames > 0)
        return;
    if (agent.dead || (*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, thread, (void **)&t) != JVMTI_ERROR_NONE || t == NULL)
        return;
    set_field(env, thread, 0);
    (void)(*agent.jvmti)->SetThreadLocalStorage(agent.jvmti, thread, NULL);
    describe(env, thread, t, false, true);
    if (t->desc != NULL) {
        if (t->desc->guest != 0)
            journal_desc_release(&agent.recorder.journal, (struct thread_desc *)(uintptr_t)t->desc->guest);
        journal_desc_release(&agent.recorder.journal, t->desc);
    }
    free(t);
    (void)journal_bump(&agent.recorder.journal); /* who joins it comes after */
}

static bool grow_virtuals(void)
{
    size_t cap = virtuals.cap == 0 ? 256 : virtuals.cap * 2;
    struct virtual_thread *slots = calloc(cap, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < virtuals.cap; i++) {
        if (virtuals.slots[i].tid == 0)
            continue;
        size_t k = virtuals.slots[i].tid * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (cap - 1);
        while (slots[k].tid != 0)
            k = (k + 1) & (cap - 1);
        slots[k] = virtuals.slots[i];
    }
    free(virtuals.slots);
    virtuals.slots = slots;
    virtuals.cap = cap;
    return true;
}

uint32_t threads_virtual(JNIEnv *env, jthread thread, uint64_t tid)
{
    uint32_t number = 0;
    bool fresh = false;
    (void)pthread_mutex_lock(&virtuals.mutex);
    if (virtuals.count * 2 < virtuals.cap || grow_virtuals()) {
        size_t k = tid * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (virtuals.cap - 1);
        while (virtuals.slots[k].tid != 0 && virtuals.slots[k].tid != tid)
            k = (k + 1) & (virtuals.cap - 1);
        if (virtuals.slots[k].tid == 0) {
            virtuals.slots[k] = (struct virtual_thread){ tid, agent.next_thread++ };
            virtuals.count++;
            fresh = true;
        }
        number = virtuals.slots[k].number;
    }
    (void)pthread_mutex_unlock(&virtuals.mutex);
    if (fresh) {
        struct thread_state t = { .number = number, .tid = tid, .start_ns = recorder_now(&agent.recorder), .start_stamp = journal_bump(&agent.recorder.journal) };
        describe(env, thread, &t, true, false);
    }
    return number;
}

void threads_at_death(JNIEnv *env)
{
    jthread current = NULL;
    struct thread_state *t = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &current) == JVMTI_ERROR_NONE && current != NULL &&
        (*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, NULL, (void **)&t) == JVMTI_ERROR_NONE && t != NULL)
        describe(env, current, t, false, false);
}
