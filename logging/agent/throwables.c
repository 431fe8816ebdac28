/* throwables.c - describes exceptions by their fields: message, cause, suppressed, stack trace.
 *
 * No method that a program could override is called: getMessage, getCause and getStackTrace of a subclass may do
 * anything. Only the private getOurStackTrace of Throwable is, which turns the JVM's backtrace into elements, and
 * getMessage and getCause of some classes of the JDK that only read their own fields.
 * References go through HindsightHook.idOf, the hook's own way from objects to ids. */
#include "logging/agent/agent.h"

#include "formats/mutf8.h"
#include "formats/object_hash.h"

#include <string.h>

enum { FRAMES_MAX = 1024, SUPPRESSED_MAX = 256 };

static struct {
    jfieldID message, cause, suppressed;       /* of Throwable */
    jfieldID class_name, method, file, line;   /* of StackTraceElement */
    jmethodID stack, size, get;                /* Throwable.getOurStackTrace, ArrayList.size and get */
    jmethodID get_message, get_cause, fill_in; /* of Throwable */
    jmethodID get_null_message;                /* of NullPointerException: the field, or what the JVM computes then */
    jclass array_list;
} ids;

void throwables_init(JNIEnv *env)
{
    jclass throwable = agent_find_class(env, "java/lang/Throwable"),
           element = agent_find_class(env, "java/lang/StackTraceElement");
    jclass list = agent_find_class(env, "java/util/ArrayList");
    ids.message = (*env)->GetFieldID(env, throwable, "detailMessage", "Ljava/lang/String;");
    ids.cause = (*env)->GetFieldID(env, throwable, "cause", "Ljava/lang/Throwable;");
    ids.suppressed = (*env)->GetFieldID(env, throwable, "suppressedExceptions", "Ljava/util/List;");
    ids.stack = (*env)->GetMethodID(env, throwable, "getOurStackTrace", "()[Ljava/lang/StackTraceElement;");
    (void)agent_clear(env);
    ids.get_message = (*env)->GetMethodID(env, throwable, "getMessage", "()Ljava/lang/String;");
    ids.get_cause = (*env)->GetMethodID(env, throwable, "getCause", "()Ljava/lang/Throwable;");
    ids.fill_in = (*env)->GetMethodID(env, throwable, "fillInStackTrace", "()Ljava/lang/Throwable;");
    ids.get_null_message = (*env)->GetMethodID(env, (*env)->FindClass(env, "java/lang/NullPointerException"),
                                               "getMessage", "()Ljava/lang/String;");
    (void)agent_clear(env);
    ids.class_name = (*env)->GetFieldID(env, element, "declaringClass", "Ljava/lang/String;");
    ids.method = (*env)->GetFieldID(env, element, "methodName", "Ljava/lang/String;");
    ids.file = (*env)->GetFieldID(env, element, "fileName", "Ljava/lang/String;");
    ids.line = (*env)->GetFieldID(env, element, "lineNumber", "I");
    (void)agent_clear(env);
    ids.array_list = (*env)->NewGlobalRef(env, list);
    ids.size = (*env)->GetMethodID(env, list, "size", "()I");
    ids.get = (*env)->GetMethodID(env, list, "get", "(I)Ljava/lang/Object;");
    (void)agent_clear(env);
    /* getOurStackTrace initializes this class. It must not do so first for a StackOverflowError, at the end of the
     * stack: the initialization would fail, and getStackTrace of the program with it from then on. */
    if (agent.options.exception == EXCEPTION_FULL)
        (*env)->DeleteLocalRef(env, (*env)->FindClass(env, "java/lang/StackTraceElement$HashedModules"));
    (void)agent_clear(env);
}

/* The string as UTF-8, in memory of the writer `room`, which must not grow while its texts are in use: room is reserved
 * first. */
static struct text string_text(JNIEnv *env, struct writer *room, jstring s)
{
    if (s == NULL)
        return (struct text){ "", 0 };
    jsize n = (*env)->GetStringLength(env, s);
    const jchar *units = (*env)->GetStringChars(env, s, NULL);
    if (units == NULL) {
        (void)agent_clear(env);
        return (struct text){ "", 0 };
    }
    size_t at = room->size;
    utf16le_to_utf8(units, 2 * (size_t)n, room);
    (*env)->ReleaseStringChars(env, s, units);
    (*env)->DeleteLocalRef(env, s);
    return (struct text){ (const char *)(uintptr_t)at, room->size - at }; /* an offset, until settle */
}

static void settle(struct text *t, const struct writer *room)
{
    t->data = t->size > 0 ? (const char *)room->data + (uintptr_t)t->data : "";
}

static void put_frames(JNIEnv *env, jthrowable t, struct thread_desc *d, struct thrown_row *row, struct writer *room)
{
    journal_mute(d);
    jobjectArray stack = ids.stack != NULL ? (*env)->CallObjectMethod(env, t, ids.stack) : NULL;
    journal_unmute(d);
    if (agent_clear(env) || stack == NULL)
        return;
    jsize n = (*env)->GetArrayLength(env, stack);
    row->has_stack = true;
    for (jsize i = 0; i < n && i < FRAMES_MAX; i++) {
        jobject e = (*env)->GetObjectArrayElement(env, stack, i);
        struct thrown_frame *f = e != NULL ? vec_push(&row->frames) : NULL;
        if (f == NULL)
            break;
        f->class_name = string_text(env, room, (*env)->GetObjectField(env, e, ids.class_name));
        f->method = string_text(env, room, (*env)->GetObjectField(env, e, ids.method));
        f->file = string_text(env, room, (*env)->GetObjectField(env, e, ids.file));
        f->line = (*env)->GetIntField(env, e, ids.line);
        (*env)->DeleteLocalRef(env, e);
    }
    (*env)->DeleteLocalRef(env, stack);
}

static void put_suppressed(JNIEnv *env, jclass hook, jobject list, struct thread_desc *d, struct thrown_row *row)
{
    /* the JDK itself keeps them in an ArrayList, or an empty sentinel of another class */
    if (list == NULL || !(*env)->IsInstanceOf(env, list, ids.array_list))
        return;
    journal_mute(d);
    jint n = (*env)->CallIntMethod(env, list, ids.size);
    journal_unmute(d);
    for (jint i = 0; !agent_clear(env) && i < n && i < SUPPRESSED_MAX; i++) {
        journal_mute(d);
        jobject o = (*env)->CallObjectMethod(env, list, ids.get, i);
        journal_unmute(d);
        uint64_t *slot = agent_clear(env) ? NULL : vec_push(&row->suppressed);
        if (slot != NULL)
            *slot = agent_id_of(env, hook, o);
        (*env)->DeleteLocalRef(env, o);
    }
}

/* The method of Throwable as the class of `t` has it. */
static jmethodID own_method(JNIEnv *env, jclass c, const char *name, const char *desc, jmethodID of_throwable)
{
    const jmethodID own = (*env)->GetMethodID(env, c, name, desc);
    return agent_clear(env) || own == NULL ? of_throwable : own;
}

/* Is it a class of the JDK in one of these packages? They end with NULL. */
static bool is_of_jdk(jclass c, const char *const *packages)
{
    jobject loader = NULL;
    char *name = NULL;
    bool found = false;
    if ((*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader) != JVMTI_ERROR_NONE || loader != NULL ||
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &name, NULL) != JVMTI_ERROR_NONE)
        return false;
    for (; *packages != NULL; packages++)
        found |= strncmp(name, *packages, strlen(*packages)) == 0;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    return found;
}

/* What a method of the JDK gives that reads fields alone; `*failed`: it threw. */
static jobject ask(JNIEnv *env, jthrowable t, jmethodID method, struct thread_desc *d, bool *failed)
{
    journal_mute(d);
    jobject o = (*env)->CallObjectMethod(env, t, method);
    journal_unmute(d);
    *failed = agent_clear(env);
    return o;
}

/* The cause, as getCause gives it: the field of Throwable, or where a class of the JDK has one of its own, as
 * InvocationTargetException, that. */
static jobject cause_of(JNIEnv *env, jthrowable t, jclass c, struct thread_desc *d)
{
    static const char *const packages[] = { "Ljava/lang/",   "Ljava/security/", "Ljava/io/",
                                            "Lorg/xml/sax/", "Ljavax/xml/",     NULL };
    jobject cause = (*env)->GetObjectField(env, t, ids.cause);
    const jmethodID own = own_method(env, c, "getCause", "()Ljava/lang/Throwable;", ids.get_cause);
    jclass declares = NULL;
    bool failed = false;
    if (cause != NULL || own == ids.get_cause ||
        (*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, own, &declares) != JVMTI_ERROR_NONE)
        return cause;
    if (is_of_jdk(declares, packages))
        cause = ask(env, t, own, d, &failed);
    (*env)->DeleteLocalRef(env, declares);
    return failed ? NULL : cause;
}

/* The message, as getMessage gives it if that is known without running code of the program; else the field, and
 * `*overridden` is set. */
static jstring message_of(JNIEnv *env, jthrowable t, jclass c, struct thread_desc *d, bool *overridden)
{
    static const char *const joining[] = { "Ljava/nio/file/", "Ljava/util/", "Ljava/net/", NULL };
    const jmethodID own = own_method(env, c, "getMessage", "()Ljava/lang/String;", ids.get_message);
    *overridden = own != ids.get_message && own != ids.get_null_message;
    if (*overridden && is_of_jdk(c, joining)) {
        jstring message = ask(env, t, own, d, overridden);
        if (!*overridden)
            return message;
    }
    return (*env)->GetObjectField(env, t, ids.message);
}

bool throwables_describe(JNIEnv *env, jclass hook, jthrowable t, bool again, struct thread_desc *d, struct writer *w)
{
    if (ids.message == NULL || ids.cause == NULL || ids.suppressed == NULL || ids.line == NULL)
        return false;
    struct thrown_row row = { 0 };
    struct writer room = { 0 };
    jclass class = (*env)->GetObjectClass(env, t);
    jobject cause = cause_of(env, t, class, d), list = (*env)->GetObjectField(env, t, ids.suppressed);
    bool has_cause = cause != NULL && !(*env)->IsSameObject(env, cause, t);
    bool has_suppressed = list != NULL && (*env)->IsInstanceOf(env, list, ids.array_list);
    /* one that was seen in its fillInStackTrace had no message yet */
    bool was_early =
        again && own_method(env, class, "fillInStackTrace", "()Ljava/lang/Throwable;", ids.fill_in) != ids.fill_in;
    bool describe = !again || has_cause || has_suppressed || was_early;
    if (describe) {
        jstring message = message_of(env, t, class, d, &row.message_overridden);
        row.message_redacted = secrets_hide(env, message);
        row.has_message = message != NULL && !row.message_redacted;
        if (!row.has_message) {
            (*env)->DeleteLocalRef(env, message);
            message = NULL;
        }
        row.message = string_text(env, &room, message);
        row.cause = has_cause ? agent_id_of(env, hook, cause) : 0;
        put_suppressed(env, hook, list, d, &row);
        if (agent.options.exception == EXCEPTION_FULL)
            put_frames(env, t, d, &row, &room);
        settle(&row.message, &room);
        for (size_t i = 0; i < row.frames.count; i++) {
            settle(&row.frames.items[i].class_name, &room);
            settle(&row.frames.items[i].method, &room);
            settle(&row.frames.items[i].file, &room);
        }
        thrown_row_encode(&row, w);
    }
    (*env)->DeleteLocalRef(env, class);
    (*env)->DeleteLocalRef(env, cause);
    (*env)->DeleteLocalRef(env, list);
    thrown_row_done(&row);
    writer_free(&room);
    return describe;
}
