/* hook_natives.c - the native methods of HindsightHook. They are linked by name, since registering natives of a
 * java.lang class would make the JVM print a warning. All run on the program's threads, in native state, so they may
 * wait. */
#include "logging/agent/agent.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "formats/object_hash.h"
#include "formats/values.h"
#include "logging/agent/class_hook.h"
#include "logging/agent/jdk.h"
#include "logging/hook/shared.h"

#define HOOK(name) JNICALL Java_java_lang_HindsightHook_##name
JNIEXPORT jboolean JNICALL Java_java_lang_HindsightHookLink_there(JNIEnv *, jclass);
JNIEXPORT jboolean JNICALL Java_java_lang_HindsightHookLink_replaced(JNIEnv *, jclass);
JNIEXPORT jlong HOOK(setting)(JNIEnv *, jclass, jint);
JNIEXPORT void HOOK(unsupported)(JNIEnv *, jclass, jstring);
JNIEXPORT jlong HOOK(fieldOffset)(JNIEnv *, jclass, jclass, jstring);
JNIEXPORT jlong HOOK(enter)(JNIEnv *, jclass, jthread);
/* The records that follow in the descriptor are of that virtual thread, behind those of `from` up to `place`. */
static void put_switch(struct thread_desc *guest, uint32_t number, const struct thread_desc *from, uint64_t place)
{
    struct journal *j = &agent.recorder.journal;
    journal_serve(j, guest, number);
    uint64_t at = journal_reserve(j, guest, SWITCH_WORDS * sizeof(uint64_t));
    if (at == 0)
        return;
    uint64_t *p = (uint64_t *)(uintptr_t)at;
    p[0] = journal_stamp(j) << 32 | (REC_FIRST | REC_SWITCH);
    p[1] = guest->thread | (uint64_t)(from != NULL ? from->index : NO_DESC) << 32; /* in a new period another number */
    p[2] = place;
    guest->pos = at + SWITCH_WORDS * sizeof *p;
}

JNIEXPORT jlong HOOK(enterGuest)(JNIEnv *, jclass, jthread, jlong, jlong);
JNIEXPORT jlong HOOK(room)(JNIEnv *, jclass, jlong, jint);
JNIEXPORT void HOOK(recordCut)(JNIEnv *, jclass, jlong, jint, jint);
JNIEXPORT jboolean HOOK(moreIds)(JNIEnv *, jclass, jlong);
JNIEXPORT jlong HOOK(tableId)(JNIEnv *, jclass, jobject, jint, jlong);
JNIEXPORT jlong HOOK(header)(JNIEnv *, jclass, jlong);
JNIEXPORT void HOOK(monitor)(JNIEnv *, jclass, jobject, jboolean);
JNIEXPORT jobject HOOK(weakly)(JNIEnv *, jclass, jclass, jlong);
JNIEXPORT void HOOK(describeClass)(JNIEnv *, jclass, jclass, jint);
JNIEXPORT void HOOK(describeString)(JNIEnv *, jclass, jstring, jint, jlong, jlong);
JNIEXPORT jboolean HOOK(describeValue)(JNIEnv *, jclass, jobject, jint, jlong, jlong);
JNIEXPORT void HOOK(describeThrowable)(JNIEnv *, jclass, jthrowable, jint, jlong, jboolean, jlong);
JNIEXPORT void HOOK(recordTrigger)(JNIEnv *, jclass, jlong, jint, jboolean, jlong, jlong, jlong, jlong);
JNIEXPORT void HOOK(requestSnapshot)(JNIEnv *, jclass, jthrowable, jlong, jlong, jboolean);
JNIEXPORT jboolean HOOK(ask)(JNIEnv *, jclass, jint, jlong);
JNIEXPORT jint HOOK(answer)(JNIEnv *, jclass, jint, jlong);

JNIEXPORT jboolean JNICALL Java_java_lang_HindsightHookLink_there(JNIEnv *env, jclass c)
{
    (void)env, (void)c;
    return JNI_TRUE;
}

JNIEXPORT jboolean JNICALL Java_java_lang_HindsightHookLink_replaced(JNIEnv *env, jclass c)
{
    (void)c;
    return class_hook_replace_method(env);
}

JNIEXPORT jlong HOOK(setting)(JNIEnv *env, jclass c, jint which)
{
    struct journal_head *h = agent.recorder.journal.head;
    (void)env, (void)c;
    switch (which) {
    case SETTING_STAMP: return (jlong)(uintptr_t)&h->stamp;
    case SETTING_MANY: return (jlong)(uintptr_t)&h->many;
    case SETTING_TIMED: return agent.options.timestamp;
    case SETTING_STRINGS: return agent.options.values && agent.options.string;
    case SETTING_EXCEPTIONS: return agent.options.values && agent.options.exception != EXCEPTION_NONE;
    case SETTING_VALUES: return agent.options.values;
    case SETTING_PLAIN_TYPES: return (jlong)values_plain();
    case SETTING_COUNTS: return h->counts_only;
    case SETTING_FRAMES: return options_frames_only(&agent.options);
    case SETTING_COUNTER_ROOM: return agent.recorder.counters.ring_room;
    case SETTING_SITES: return (jlong)direct_calls_sites();
    case SETTING_JDK: return jdk_release();
    case SETTING_SHAPES: return (jlong)(uintptr_t)agent.recorder.record_shapes;
    default: return 0;
    }
}

JNIEXPORT void HOOK(unsupported)(JNIEnv *env, jclass c, jstring why)
{
    (void)c;
    if (why == NULL) { /* the call of HindsightHook.ready */
        stack_traces_init(env);
        return;
    }
    const char *text = (*env)->GetStringUTFChars(env, why, NULL);
    (void)error_set(&agent.recorder.error, ERR_UNSUPPORTED, "%s", text != NULL ? text : "this JVM");
    if (text != NULL)
        (*env)->ReleaseStringUTFChars(env, why, text);
}

JNIEXPORT jlong HOOK(fieldOffset)(JNIEnv *env, jclass c, jclass of, jstring name)
{
    (void)c;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    const jlong at = text != NULL ? jdk_field_offset(env, of, text) : -1;
    if (text != NULL)
        (*env)->ReleaseStringUTFChars(env, name, text);
    return at;
}

JNIEXPORT jlong HOOK(enter)(JNIEnv *env, jclass c, jthread thread)
{
    (void)c;
    if (!agent.recording || agent_own_thread || thread == NULL)
        return 0;
    struct thread_state *t = threads_state(env, thread);
    if (t == NULL)
        return 0;
    return (jlong)(uintptr_t)threads_desc(t);
}

JNIEXPORT jlong HOOK(enterGuest)(JNIEnv *env, jclass c, jthread thread, jlong tid, jlong desc)
{
    struct thread_desc *carrier = (struct thread_desc *)(uintptr_t)desc;
    struct journal *j = &agent.recorder.journal;
    (void)c;
    if (carrier == NULL || !agent.recording)
        return 0;
    struct thread_desc *guest = (struct thread_desc *)(uintptr_t)carrier->guest;
    uint32_t number = threads_virtual(env, thread, (uint64_t)tid);
    uint64_t place = 0;
    if (guest == NULL) {
        guest = journal_desc_acquire(j, number);
        if (guest == NULL)
            return 0;
        guest->is_guest = 1;
        carrier->guest = (uint64_t)(uintptr_t)guest;
    }
    guest->tid = (uint64_t)tid;
    guest->site = SITE_NONE;
    const struct thread_desc *from = threads_virtual_moves((uint64_t)tid, guest, &place);
    if (from != NULL || guest->thread != number)
        put_switch(guest, number, from, place);
    return (jlong)(uintptr_t)guest;
}

JNIEXPORT jlong HOOK(room)(JNIEnv *env, jclass c, jlong desc, jint id)
{
    struct thread_desc *d = (struct thread_desc *)(uintptr_t)(desc & ~(jlong)FOR_AGENT);
    (void)env, (void)c;
    if (desc & FOR_AGENT)
        return (jlong)journal_reserve(&agent.recorder.journal, d, JOURNAL_RECORD_MAX_BYTES);
    uint64_t at = d != NULL ? journal_room(&agent.recorder.journal, d, JOURNAL_RECORD_MAX_BYTES) : 0;
    if (at == 0)
        recorder_count_refused(&agent.recorder, d, (uint32_t)id);
    return (jlong)at;
}

JNIEXPORT void HOOK(recordCut)(JNIEnv *env, jclass c, jlong desc, jint id, jint pc)
{
    (void)env, (void)c;
    if (desc != 0)
        recorder_record_cut(&agent.recorder, (struct thread_desc *)(uintptr_t)desc, (uint32_t)id, (uint32_t)pc);
}

JNIEXPORT jboolean HOOK(ask)(JNIEnv *env, jclass c, jint type, jlong desc)
{
    return direct_calls_ask(env, c, type, desc);
}

JNIEXPORT jint HOOK(answer)(JNIEnv *env, jclass c, jint id, jlong desc)
{
    return direct_calls_answer(env, c, (uint32_t)id, desc);
}

JNIEXPORT jboolean HOOK(moreIds)(JNIEnv *env, jclass c, jlong desc)
{
    (void)env, (void)c;
    return desc != 0 && journal_reserve_ids(&agent.recorder.journal, (struct thread_desc *)(uintptr_t)desc);
}

JNIEXPORT jlong HOOK(tableId)(JNIEnv *env, jclass c, jobject o, jint id, jlong desc)
{
    struct thread_desc *d = (struct thread_desc *)(uintptr_t)desc;
    jlong tag = 0;
    (void)env, (void)c;
    if (d == NULL)
        return 0;
    (void)pthread_mutex_lock(&agent.table_mutex);
    if ((*agent.jvmti)->GetTag(agent.jvmti, o, &tag) == JVMTI_ERROR_NONE && tag == 0 && id != 0) {
        if (id > 0) {
            if ((*agent.jvmti)->SetTag(agent.jvmti, o, id) == JVMTI_ERROR_NONE)
                tag = id;
        } else if (d->object_next != d->object_end || journal_reserve_ids(&agent.recorder.journal, d)) {
            jlong next = object_hash(d->object_next);
            if ((*agent.jvmti)->SetTag(agent.jvmti, o, next) == JVMTI_ERROR_NONE) {
                d->object_next++;
                tag = -next;
            }
        }
    }
    (void)pthread_mutex_unlock(&agent.table_mutex);
    return tag;
}

/* The system reads it, as the JVM may have freed the memory since. */
JNIEXPORT jlong HOOK(header)(JNIEnv *env, jclass c, jlong address)
{
    uint64_t word = 0;
    const struct iovec here = { &word, sizeof word }, there = { (void *)(uintptr_t)address, sizeof word };
    (void)env, (void)c;
    if (address == 0 ||
        process_vm_readv((pid_t)agent.recorder.journal.head->pid, &here, 1, &there, 1, 0) == sizeof word ||
        errno == EFAULT)
        return (jlong)word;
    return *(const jlong *)(uintptr_t)address; /* not allowed here; the JVM frees it only after some time */
}

JNIEXPORT void HOOK(monitor)(JNIEnv *env, jclass c, jobject o, jboolean enter)
{
    (void)c;
    if (o != NULL)
        (void)(enter ? (*env)->MonitorEnter(env, o) : (*env)->MonitorExit(env, o));
}

JNIEXPORT jobject HOOK(weakly)(JNIEnv *env, jclass c, jclass what, jlong desc)
{
    struct thread_desc *d = (struct thread_desc *)(uintptr_t)desc;
    (void)c;
    if (d == NULL)
        return NULL;
    jclass type = agent_find_class(env, "java/lang/ref/WeakReference");
    jmethodID init = type != NULL ? (*env)->GetMethodID(env, type, "<init>", "(Ljava/lang/Object;)V") : NULL;
    journal_mute(d);
    jobject reference = init != NULL ? (*env)->NewObject(env, type, init, what) : NULL;
    journal_unmute(d);
    return agent_clear(env) ? NULL : reference;
}

JNIEXPORT void HOOK(describeClass)(JNIEnv *env, jclass c, jclass described, jint id)
{
    (void)c;
    if (described != NULL)
        types_describe(env, described, object_id((uint32_t)id));
}

static bool is_high_surrogate(jchar unit) { return (unit & 0xfc00) == 0xd800; }
static bool is_low_surrogate(jchar unit) { return (unit & 0xfc00) == 0xdc00; }

/* How many units of a string are recorded: at most `maxstring`, without splitting a surrogate pair. */
static uint32_t units_kept(JNIEnv *env, jstring s, uint32_t length)
{
    uint32_t kept = agent.options.maxstring;
    jchar around[2];
    if (length <= kept || kept == 0)
        return length <= kept ? length : 0;
    (*env)->GetStringRegion(env, s, (jsize)kept - 1, 2, around);
    return is_high_surrogate(around[0]) && is_low_surrogate(around[1]) ? kept - 1 : kept;
}

JNIEXPORT void HOOK(describeString)(JNIEnv *env, jclass c, jstring s, jint id, jlong class_id, jlong desc)
{
    enum { PIECE_UNITS = 8192 };
    struct thread_desc *d = (struct thread_desc *)(uintptr_t)desc;
    struct journal *j = &agent.recorder.journal;
    if (d == NULL)
        return;
    bool hidden = secrets_hide(env, s);
    uint32_t length = hidden ? 0 : (uint32_t)(*env)->GetStringLength(env, s);
    uint32_t kept = units_kept(env, s, length), at = 0;
    (void)c;
    do {
        uint32_t units = kept - at < PIECE_UNITS ? kept - at : PIECE_UNITS;
        uint64_t room = journal_reserve(j, d, 32 + 2 * units + 8);
        if (room == 0)
            return;
        uint64_t *p = (uint64_t *)(uintptr_t)room;
        jchar *out = (jchar *)(p + 4);
        (*env)->GetStringRegion(env, s, (jsize)at, (jsize)units, out);
        if (at + units < kept && is_high_surrogate(out[units - 1]))
            units--;                       /* so that a lost next piece does not leave half a character */
        bool latin1 = kept <= PIECE_UNITS; /* all pieces of a string have the same encoding */
        for (uint32_t i = 0; i < units && latin1; i++)
            latin1 = out[i] < 0x100;
        if (latin1)
            for (uint32_t i = 0; i < units; i++)
                ((uint8_t *)out)[i] = (uint8_t)out[i];
        uint32_t bytes = latin1 ? units : 2 * units;
        at += units;
        p[0] = journal_stamp(j) << 32 | (REC_FIRST | REC_STRING);
        p[1] = (uint32_t)id | (uint64_t)bytes << 32;
        p[2] = (uint64_t)class_id;
        p[3] = (uint64_t)length << 8 | (latin1 ? STRING_LATIN1 : 0) | (at < kept ? STRING_MORE : 0) |
               (kept < length || hidden ? STRING_CUT : 0) | (at == units ? STRING_FIRST : 0);
        d->pos = room + 32 + (bytes + 7) / 8 * 8;
    } while (at < kept);
}

JNIEXPORT jboolean HOOK(describeValue)(JNIEnv *env, jclass c, jobject o, jint id, jlong class_id, jlong desc)
{
    struct thread_desc *d = (struct thread_desc *)(uintptr_t)desc;
    struct journal *j = &agent.recorder.journal;
    struct writer copy = { 0 };
    if (d == NULL)
        return JNI_FALSE;
    bool copied = values_copy(env, c, o, (uint32_t)class_id, &copy) && copy.size <= VALUE_COPY_MAX;
    uint64_t room = copied ? journal_reserve(j, d, 32 + (uint32_t)copy.size + 8) : 0;
    if (room != 0) {
        uint64_t *p = (uint64_t *)(uintptr_t)room;
        p[0] = journal_stamp(j) << 32 | (REC_FIRST | REC_STRING);
        p[1] = (uint32_t)id | (uint64_t)copy.size << 32;
        p[2] = (uint64_t)class_id;
        p[3] = STRING_VALUE | STRING_FIRST;
        memcpy(p + 4, copy.data, copy.size);
        d->pos = room + 32 + (copy.size + 7) / 8 * 8;
    }
    writer_free(&copy);
    return room != 0;
}

JNIEXPORT void HOOK(describeThrowable)(JNIEnv *env, jclass c, jthrowable t, jint id, jlong class_id, jboolean again,
                                       jlong desc)
{
    enum { PIECE_BYTES = 16384 };
    struct thread_desc *d = (struct thread_desc *)(uintptr_t)desc;
    struct journal *j = &agent.recorder.journal;
    struct writer row = { 0 };
    if (d == NULL)
        return;
    bool described = throwables_describe(env, c, t, again, d, &row);
    size_t at = 0;
    do {
        uint32_t bytes = row.size - at < PIECE_BYTES ? (uint32_t)(row.size - at) : PIECE_BYTES;
        uint64_t room = described && !row.bad ? journal_reserve(j, d, 32 + bytes + 8) : 0;
        if (room == 0)
            break;
        uint64_t *p = (uint64_t *)(uintptr_t)room;
        memcpy(p + 4, row.data + at, bytes);
        at += bytes;
        p[0] = journal_stamp(j) << 32 | (REC_FIRST | REC_THROWN);
        p[1] = (uint32_t)id | (uint64_t)bytes << 32;
        p[2] = (uint64_t)class_id;
        p[3] = (at < row.size ? STRING_MORE : 0) | (at == bytes ? STRING_FIRST : 0);
        d->pos = room + 32 + (bytes + 7) / 8 * 8;
    } while (at < row.size);
    writer_free(&row);
}

JNIEXPORT void HOOK(recordTrigger)(JNIEnv *env, jclass c, jlong desc, jint id, jboolean release, jlong a, jlong b,
                                   jlong third, jlong fourth)
{
    _Static_assert(JOURNAL_RECORD_VALUES == 4, "one parameter for each value of a record");
    const struct record_values values = { { (uint64_t)a, (uint64_t)b, (uint64_t)third, (uint64_t)fourth } };
    (void)env, (void)c;
    if (desc != 0)
        recorder_record_trigger(&agent.recorder, (struct thread_desc *)(uintptr_t)desc, (uint32_t)id, release, &values);
}

JNIEXPORT void HOOK(requestSnapshot)(JNIEnv *env, jclass c, jthrowable t, jlong id, jlong desc, jboolean uncaught)
{
    (void)c;
    if (t != NULL && desc != 0)
        throw_snapshots_request(env, t, object_id((uint64_t)id), (const struct thread_desc *)(uintptr_t)desc, uncaught);
}
