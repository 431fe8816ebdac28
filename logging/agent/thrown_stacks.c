/* thrown_stacks.c - format=exceptions: each throw that leaves its method, with its stack and the variables of each
 * frame, as calls of HindsightThrow, the one class that is woven.
 *
 * JVMTI's Exception event comes in the thread that throws, with all frames as they are. The JVM posts it again in the
 * frames below where code of the callback threw meanwhile: one flight is recorded once. Code that neither throws nor
 * is in the way of an exception runs as without the agent.
 *
 *     recorded     a throw if a method that the filter includes (only= i= e=) is between it and its handler
 *     variables    of methods that the filter includes, if they have a table of variables (javac -g)
 *                  (of JVMTI a VM operation each in JDKs before 21: of HindsightHookLocals there, if it is 17)
 *     left out     values of variables that redact= or SECRETS name; their texts then are left out everywhere
 *     limited      the first throw of each place is recorded, and later ones as long as these take less than SHARE of
 *                  the time; the trace has a call of limited once a second where a thread left some out */
#include "logging/agent/agent.h"

#include <ctype.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "logging/agent/jdk.h"

enum { FRAMES_MAX = 64, VARIABLES_MAX = 64, VARIABLES_LATE = 16 /* of a throw that is only the first of its place */ };
enum { SKIPPED_MAX = 100, REST_US = 100000 }; /* throws passed over before the event is off for so long */
enum { SHARE = 100 /* one of so many ns */, START_NS = 5000000, PLACES = 4096, PLACES_MAX = PLACES / 2 };

/* Parts of the names of variables, in any case. `word`: only where one begins, at the start of the name, after a
 * character that is no letter, or with a capital letter: creditCard, but not discard. */
static const struct {
    const char *part;
    bool word;
} SECRETS[] = { { "password", false },      { "passwd", false }, { "passphrase", false },
                { "token", false },         { "secret", false }, { "credential", false },
                { "authorization", false }, { "apikey", false }, { "card", true } };

static struct {
    jclass redact, calls; /* HindsightHookRedact, HindsightThrow */
    jmethodID frame, redacted, thrown, limited, note, intern;
    jmethodID variable['Z' + 1]; /* by the first letter of the descriptor */
    jclass locals;               /* HindsightHookLocals; NULL: variables are asked of JVMTI */
    jmethodID frames, is_known, bits;
    bool ready;
} jvm;
static _Thread_local struct {
    bool inside;                /* code called here may throw */
    jweak last;                 /* the exception recorded last, */
    jint depth;                 /* and the number of frames when it was thrown */
    uint64_t second;            /* of the last call of limited */
    int variables;              /* that are still recorded of this throw */
    jobjectArray frames;        /* of HindsightHookLocals; NULL: JVMTI is asked */
    _Atomic uint64_t *spent_ns; /* of the budget, for this throw */
} thrower;
static struct {
    clockid_t clock; /* of what recording takes: the processor time of the thread where nobody else works for it */
    uint64_t begin_ns;
    _Atomic uint64_t first_ns, later_ns; /* taken for the first throws of places, and for others */
    _Atomic uint64_t places[PLACES];     /* hashes of those that have thrown; 0: free */
    _Atomic uint32_t place_count;
    _Atomic uint32_t skipped; /* throws since the event is on */
    sem_t rest;
} budget;

bool thrown_stacks_on(void) { return agent.options.format == FORMAT_EXCEPTIONS; }

bool thrown_stacks_walk(void) { return thrown_stacks_on() && jdk_stops_for_locals() && jdk_walks_locals(); }

bool thrown_stacks_possible(struct error *err)
{
    jvmtiCapabilities there;
    if (!thrown_stacks_on())
        return true;
    if ((*agent.jvmti)->GetPotentialCapabilities(agent.jvmti, &there) == JVMTI_ERROR_NONE &&
        there.can_generate_exception_events && there.can_access_local_variables)
        return true;
    return error_set(err, ERR_USAGE,
                     "option format=exceptions: this JVM reports throws only if the agent is loaded at its start") ==
           OK;
}

void thrown_stacks_want(jvmtiCapabilities *want)
{
    if (!thrown_stacks_on())
        return;
    want->can_generate_exception_events = 1;
    want->can_access_local_variables = 1;
    want->can_get_line_numbers = 1;
    want->can_get_source_file_name = 1;
}

static void find_walk(JNIEnv *env)
{
    jclass locals = thrown_stacks_walk() ? agent_find_class(env, "java/lang/HindsightHookLocals") : NULL;
    if (locals == NULL)
        return;
    jvm.frames = (*env)->GetStaticMethodID(env, locals, "frames", "(I)[[Ljava/lang/Object;");
    jvm.is_known = (*env)->GetStaticMethodID(env, locals, "isKnown", "(Ljava/lang/Object;Z)Z");
    jvm.bits = (*env)->GetStaticMethodID(env, locals, "bits", "(Ljava/lang/Object;)J");
    if (!agent_clear(env))
        jvm.locals = (*env)->NewGlobalRef(env, locals);
}

/* A thread: where the event has been switched off, it is on again after a rest. */
static void *end_rests(void *arg)
{
    struct error err;
    (void)arg;
    while (!agent.dead) {
        if (sem_wait(&budget.rest) != 0) /* a signal */
            continue;
        JNIEnv *env = NULL;
        while (!agent.dead && env == NULL) {
            (void)usleep(REST_US);
            env = agent.dead ? NULL : agent_attach(&err);
        }
        if (env == NULL)
            break;
        budget.skipped = 0;
        (void)agent_enable(JVMTI_EVENT_EXCEPTION, true);
        (void)(*agent.vm)->DetachCurrentThread(agent.vm);
    }
    return NULL;
}

void thrown_stacks_begin(JNIEnv *env)
{
    static const char types[] = "ZBCSIJFD";
    if (!thrown_stacks_on())
        return;
    jclass redact = agent_find_class(env, "java/lang/HindsightHookRedact"),
           calls = agent_find_class(env, "java/lang/HindsightThrow"),
           string = agent_find_class(env, "java/lang/String");
    if (redact == NULL || calls == NULL || string == NULL)
        return;
    jvm.redact = (*env)->NewGlobalRef(env, redact);
    jvm.calls = (*env)->NewGlobalRef(env, calls);
    jvm.intern = (*env)->GetMethodID(env, string, "intern", "()Ljava/lang/String;");
    jvm.note = (*env)->GetStaticMethodID(env, redact, "note", "(Ljava/lang/Object;)V");
    jvm.frame =
        (*env)->GetStaticMethodID(env, calls, "frame", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)V");
    jvm.redacted = (*env)->GetStaticMethodID(env, calls, "redacted", "(Ljava/lang/String;)V");
    jvm.thrown = (*env)->GetStaticMethodID(env, calls, "thrown", "(Ljava/lang/Throwable;II)V");
    jvm.limited = (*env)->GetStaticMethodID(env, calls, "limited", "()V");
    for (const char *t = types; *t != '\0'; t++) {
        const char desc[] = { '(', 'L', 'j', 'a', 'v', 'a', '/', 'l', 'a', 'n', 'g', '/',
                              'S', 't', 'r', 'i', 'n', 'g', ';', *t,  ')', 'V', '\0' };
        jvm.variable[(unsigned char)*t] = (*env)->GetStaticMethodID(env, calls, "variable", desc);
    }
    jvm.variable['L'] = (*env)->GetStaticMethodID(env, calls, "variable", "(Ljava/lang/String;Ljava/lang/Object;)V");
    find_walk(env);
    agent.recorder.few_ticks = !agent.options.output_recorded;
    pthread_t thread;
    if (sem_init(&budget.rest, 0, 0) != 0 || pthread_create(&thread, NULL, end_rests, NULL) != 0)
        return;
    (void)pthread_detach(thread);
    budget.begin_ns = clock_now(&agent.recorder.clock);
    budget.clock = jvm.locals != NULL || !jdk_stops_for_locals() ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    jvm.ready = !agent_clear(env) && agent_enable(JVMTI_EVENT_EXCEPTION, true);
}

/* ---- one stack ---- */

struct frame {
    char *signature, *method, *file; /* of JVMTI: of the class, La/b/C;; file NULL: unknown */
    jvmtiLocalVariableEntry *variables;
    jint variable_count;
    int32_t line;
    bool wanted; /* by the filter */
};

static void release(void *memory) { (void)(*agent.jvmti)->Deallocate(agent.jvmti, memory); } /* also NULL */

static struct text class_of(const struct frame *f)
{
    return (struct text){ f->signature + 1, strlen(f->signature) - 2 };
}

static int32_t line_of(jmethodID method, jlocation at)
{
    jvmtiLineNumberEntry *lines = NULL;
    jint count = 0, line = -1;
    jlocation best = -1;
    if (at < 0)
        return -2;
    if ((*agent.jvmti)->GetLineNumberTable(agent.jvmti, method, &count, &lines) != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++)
        if (lines[i].start_location <= at && lines[i].start_location >= best) {
            best = lines[i].start_location;
            line = lines[i].line_number;
        }
    release(lines);
    return line;
}

/* The class and name of a method. */
static bool find_method(JNIEnv *env, const jvmtiFrameInfo *info, struct frame *f)
{
    jclass c = NULL;
    if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, info->method, &c) != JVMTI_ERROR_NONE)
        return false;
    const bool known =
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &f->signature, NULL) == JVMTI_ERROR_NONE &&
        (*agent.jvmti)->GetMethodName(agent.jvmti, info->method, &f->method, NULL, NULL) == JVMTI_ERROR_NONE;
    (void)(*agent.jvmti)->GetSourceFileName(agent.jvmti, c, &f->file);
    (*env)->DeleteLocalRef(env, c);
    f->wanted = known && filter_wants(&agent.options.filter, class_of(f), (struct text){ "", 0 }, NULL);
    return known;
}

static bool is_live(const jvmtiLocalVariableEntry *v, jlocation at)
{
    return v->start_location <= at && at < v->start_location + v->length;
}

static void find_variables(const jvmtiFrameInfo *info, struct frame *f)
{
    jvmtiLocalVariableEntry *all = NULL;
    jint count = 0;
    if (info->location < 0 ||
        (*agent.jvmti)->GetLocalVariableTable(agent.jvmti, info->method, &count, &all) != JVMTI_ERROR_NONE)
        return;
    f->variables = all;
    f->variable_count = count;
}

static void free_frame(struct frame *f)
{
    for (jint i = 0; i < f->variable_count; i++) {
        release(f->variables[i].name);
        release(f->variables[i].signature);
        release(f->variables[i].generic_signature);
    }
    release(f->variables);
    release(f->signature);
    release(f->method);
    release(f->file);
}

/* ---- secrets ---- */

static bool has_part(const char *name, const char *part, bool word)
{
    const size_t n = strlen(part);
    const char *begin = name;
    for (; strlen(name) >= n; name++)
        if (strncasecmp(name, part, n) == 0 &&
            (!word || name == begin || !isalpha((unsigned char)name[-1]) || isupper((unsigned char)name[0])))
            return true;
    return false;
}

bool thrown_stacks_secret(const char *name)
{
    bool secret = false;
    for (size_t i = 0; i < sizeof SECRETS / sizeof *SECRETS && !secret; i++)
        secret = has_part(name, SECRETS[i].part, SECRETS[i].word);
    return secret;
}

static bool is_secret(const struct frame *f, const jvmtiLocalVariableEntry *v)
{
    if (thrown_stacks_secret(v->name))
        return true;
    if (agent.options.redact.globs.count == 0)
        return false;
    const struct text member = { f->method, strlen(f->method) }, local = { v->name, strlen(v->name) };
    const struct redact_place place = { .kind = REDACT_OWN, .owner = class_of(f), .member = member, .local = local };
    return redact_hides(&agent.options.redact, &place);
}

/* ---- calls of HindsightThrow ---- */

static jstring interned(JNIEnv *env, const char *text)
{
    jstring s = (*env)->NewStringUTF(env, text), one = NULL;
    if (s != NULL)
        one = (*env)->CallObjectMethod(env, s, jvm.intern);
    (*env)->DeleteLocalRef(env, s);
    return agent_clear(env) ? NULL : one;
}

static void set_int(char type, int32_t value, jvalue *out)
{
    switch (type) {
    case 'Z': out->z = value != 0; break;
    case 'B': out->b = (jbyte)value; break;
    case 'C': out->c = (jchar)value; break;
    case 'S': out->s = (jshort)value; break;
    default: out->i = value; break; /* of a float: its bits */
    }
}

static bool ask_value(jthread thread, jint depth, const jvmtiLocalVariableEntry *v, jvalue *out)
{
    jvmtiEnv *j = agent.jvmti;
    jint value = 0;
    switch (v->signature[0]) {
    case 'J': return (*j)->GetLocalLong(j, thread, depth, v->slot, &out->j) == JVMTI_ERROR_NONE;
    case 'F': return (*j)->GetLocalFloat(j, thread, depth, v->slot, &out->f) == JVMTI_ERROR_NONE;
    case 'D': return (*j)->GetLocalDouble(j, thread, depth, v->slot, &out->d) == JVMTI_ERROR_NONE;
    case 'L':
    case '[': return (*j)->GetLocalObject(j, thread, depth, v->slot, &out->l) == JVMTI_ERROR_NONE;
    default: break;
    }
    if ((*j)->GetLocalInt(j, thread, depth, v->slot, &value) != JVMTI_ERROR_NONE)
        return false;
    set_int(v->signature[0], value, out);
    return true;
}

/* The value in a slot of HindsightHookLocals, of which a long or double has the second of its two. */
static bool take_value(JNIEnv *env, jobjectArray slots, const jvmtiLocalVariableEntry *v, jvalue *out)
{
    const char type = v->signature[0];
    const bool reference = type == 'L' || type == '[', wide = type == 'J' || type == 'D';
    const jint at = v->slot + wide;
    if (at < 0 || at >= (*env)->GetArrayLength(env, slots))
        return false;
    jobject slot = (*env)->GetObjectArrayElement(env, slots, at);
    bool known = (*env)->CallStaticBooleanMethod(env, jvm.locals, jvm.is_known, slot, !reference);
    known = !agent_clear(env) && known;
    if (known && reference) {
        out->l = slot;
        return true;
    }
    const jlong bits = known ? (*env)->CallStaticLongMethod(env, jvm.locals, jvm.bits, slot) : 0;
    known = !agent_clear(env) && known;
    (*env)->DeleteLocalRef(env, slot);
    if (wide)
        out->j = bits;
    else
        set_int(type, (int32_t)bits, out);
    return known;
}

static bool get_value(JNIEnv *env, jthread thread, jint depth, const jvmtiLocalVariableEntry *v, jvalue *out)
{
    jobjectArray slots = thrower.frames != NULL ? (*env)->GetObjectArrayElement(env, thrower.frames, depth) : NULL;
    if (slots == NULL)
        return ask_value(thread, depth, v, out);
    const bool known = take_value(env, slots, v, out);
    (*env)->DeleteLocalRef(env, slots);
    return known;
}

/* So that no text of it is stored: before any text of the throw is. */
static void note_secret(JNIEnv *env, jthread thread, jint depth, const jvmtiLocalVariableEntry *v)
{
    jvalue value = { 0 };
    if (v->signature[0] != 'L' && v->signature[0] != '[')
        return;
    if (!get_value(env, thread, depth, v, &value) || value.l == NULL)
        return;
    (*env)->CallStaticVoidMethod(env, jvm.redact, jvm.note, value.l);
    (void)agent_clear(env);
    (*env)->DeleteLocalRef(env, value.l);
}

static void put_variable(JNIEnv *env, jthread thread, jint depth, const struct frame *f,
                         const jvmtiLocalVariableEntry *v)
{
    const char type = v->signature[0] == '[' ? 'L' : v->signature[0];
    jvalue words[2] = { 0 };
    jstring name = interned(env, v->name);
    words[0].l = name;
    if (name != NULL && is_secret(f, v)) {
        (*env)->CallStaticVoidMethodA(env, jvm.calls, jvm.redacted, words);
    } else if (name != NULL && strchr("ZBCSIJFDL", type) != NULL && get_value(env, thread, depth, v, &words[1])) {
        (*env)->CallStaticVoidMethodA(env, jvm.calls, jvm.variable[(unsigned char)type], words);
        if (type == 'L')
            (*env)->DeleteLocalRef(env, words[1].l);
    }
    (void)agent_clear(env);
    (*env)->DeleteLocalRef(env, name);
}

static void put_frame(JNIEnv *env, jthread thread, jint depth, const jvmtiFrameInfo *info, const struct frame *f)
{
    struct writer name = { 0 };
    jvalue words[4] = { 0 };
    types_put_name(&name, f->signature);
    write_u1(&name, '\0');
    words[0].l = name.bad ? NULL : interned(env, (const char *)name.data);
    words[1].l = interned(env, f->method);
    words[2].l = interned(env, f->file != NULL ? f->file : "");
    writer_free(&name);
    words[3].i = f->line;
    (*env)->CallStaticVoidMethodA(env, jvm.calls, jvm.frame, words);
    (void)agent_clear(env);
    for (int i = 0; i < 3; i++)
        (*env)->DeleteLocalRef(env, words[i].l);
    for (jint i = 0; i < f->variable_count && thrower.variables > 0; i++)
        if (is_live(&f->variables[i], info->location)) {
            put_variable(env, thread, depth, f, &f->variables[i]);
            thrower.variables--;
        }
}

/* Is it the first throw of this instruction? False also when there are too many places. */
static bool is_first(jmethodID method, jlocation at)
{
    uint64_t hash = ((uint64_t)(uintptr_t)method + (uint64_t)at * 31) * UINT64_C(0x9e3779b97f4a7c15);
    hash += hash == 0;
    for (uint32_t i = (uint32_t)(hash >> 40); budget.place_count < PLACES_MAX; i++) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&budget.places[i % PLACES], &there, hash)) {
            budget.place_count++;
            return true;
        }
        if (there == hash)
            return false;
    }
    return false;
}

void thrown_stacks_forget(JNIEnv *env)
{
    if (thrower.last != NULL)
        (*env)->DeleteWeakGlobalRef(env, thrower.last);
    thrower.last = NULL;
}

/* Passes over a throw, and says so in the trace, once a second. Where there are very many, the JVM reports none
 * for a while, unless freeze= waits for one. */
static void skip(JNIEnv *env, uint64_t now)
{
    enum { SECOND = 1000000000 };
    const uint64_t second = now / SECOND + 1;
    if (second != thrower.second) {
        thrower.second = second;
        (*env)->CallStaticVoidMethod(env, jvm.calls, jvm.limited);
        (void)agent_clear(env);
    }
    if (++budget.skipped == SKIPPED_MAX && agent.options.freeze.count == 0 &&
        agent_enable(JVMTI_EVENT_EXCEPTION, false))
        (void)sem_post(&budget.rest);
}

/* Sets how many variables, and what its time is counted for. */
static bool is_recorded(JNIEnv *env, jmethodID method, jlocation at, uint64_t now)
{
    const uint64_t allowed = START_NS + (now - budget.begin_ns) / SHARE;
    thrower.variables = budget.first_ns + budget.later_ns >= allowed ? VARIABLES_LATE : VARIABLES_MAX;
    thrower.spent_ns = is_first(method, at) ? &budget.first_ns : &budget.later_ns;
    if (thrower.spent_ns == &budget.first_ns || budget.later_ns < allowed)
        return true;
    skip(env, now);
    return false;
}

/* The stack down to the frame that catches it (`caught`; -1: none does), if a method the filter includes is there. */
static void record(JNIEnv *env, jthread thread, jobject exception, const jvmtiFrameInfo *info, jint count, jint caught,
                   jint depth)
{
    struct frame *frames = calloc((size_t)count + 1, sizeof *frames);
    const jint way = caught >= 0 ? caught + 1 : count;
    bool wanted = false, known = frames != NULL;
    for (jint i = 0; known && i < count; i++) {
        known = find_method(env, &info[i], &frames[i]);
        wanted |= known && i < way && frames[i].wanted;
    }
    wanted &= known;
    if (wanted)
        recorder_tick(&agent.recorder);
    if (wanted && jvm.locals != NULL) {
        thrower.frames = (*env)->CallStaticObjectMethod(env, jvm.locals, jvm.frames, count);
        if (agent_clear(env))
            thrower.frames = NULL;
    }
    for (jint i = 0; wanted && i < count; i++) {
        frames[i].line = line_of(info[i].method, info[i].location);
        if (frames[i].wanted)
            find_variables(&info[i], &frames[i]);
        for (jint k = 0; k < frames[i].variable_count; k++)
            if (is_live(&frames[i].variables[k], info[i].location) && is_secret(&frames[i], &frames[i].variables[k]))
                note_secret(env, thread, i, &frames[i].variables[k]);
    }
    for (jint i = 0; wanted && i < count; i++)
        put_frame(env, thread, i, &info[i], &frames[i]);
    if (wanted) {
        (*env)->CallStaticVoidMethod(env, jvm.calls, jvm.thrown, exception, caught, depth - count);
        (void)agent_clear(env);
    }
    thrower.frames = NULL; /* the local frame ends */
    for (jint i = 0; frames != NULL && i < count; i++)
        free_frame(&frames[i]);
    free(frames);
}

/* ---- the event ---- */

/* Does the exception go on that this thread threw last? Notes it else. */
static bool goes_on(JNIEnv *env, jobject exception, jint depth)
{
    const bool same =
        thrower.last != NULL && (*env)->IsSameObject(env, thrower.last, exception) && depth < thrower.depth;
    thrower.depth = depth;
    if (same)
        return true;
    if (thrower.last != NULL)
        (*env)->DeleteWeakGlobalRef(env, thrower.last);
    thrower.last = (*env)->NewWeakGlobalRef(env, exception);
    return agent_clear(env);
}

void thrown_stacks_on_exception(JNIEnv *env, jthread thread, jmethodID method, jlocation at, jobject exception,
                                jmethodID catcher)
{
    jvmtiFrameInfo info[FRAMES_MAX];
    jint count = 0, depth = 0, caught = -1;
    if (!jvm.ready || !agent.recording || agent_own_thread || thrower.inside || exception == NULL || method == catcher)
        return;
    thrower.inside = true;
    if ((*agent.jvmti)->GetFrameCount(agent.jvmti, thread, &depth) == JVMTI_ERROR_NONE &&
        !goes_on(env, exception, depth) && is_recorded(env, method, at, clock_now(&agent.recorder.clock)) &&
        (*agent.jvmti)->GetStackTrace(agent.jvmti, thread, 0, FRAMES_MAX, info, &count) == JVMTI_ERROR_NONE &&
        (*env)->PushLocalFrame(env, 64) == 0) {
        const uint64_t begin = clock_read(budget.clock);
        for (jint i = 0; catcher != NULL && caught < 0 && i < count; i++)
            if (info[i].method == catcher)
                caught = i;
        record(env, thread, exception, info, count, catcher != NULL && caught < 0 ? count : caught, depth);
        (void)(*env)->PopLocalFrame(env, NULL);
        *thrower.spent_ns += clock_read(budget.clock) - begin;
    }
    (void)agent_clear(env);
    thrower.inside = false;
}
