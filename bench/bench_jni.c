/* bench_jni.c - what a hook costs when it is a native method: the comparison for bench/HookCost.java.
 *
 * The cheapest honest form: a static native with a primitive value, which appends 16 bytes to a buffer of its thread
 * and starts over when the buffer is full (no drain, no file, no object ids: a recorder would pay for those as
 * well). */
#include <jni.h>
#include <stdint.h>

enum { RECORDS = 64 * 1024 };
struct record {
    uint64_t id;
    uint64_t value;
};
static _Thread_local struct record buffer[RECORDS];
static _Thread_local uint32_t next;

static void append(jint id, jlong value)
{
    if (next == RECORDS)
        next = 0;
    buffer[next].id = (uint64_t)id;
    buffer[next].value = (uint64_t)value;
    next++;
}

JNIEXPORT void JNICALL Java_HookCost_00024Jni_hook(JNIEnv *env, jclass class, jlong value, jint id);
JNIEXPORT void JNICALL Java_HookCost_00024Jni_hook(JNIEnv *env, jclass class, jlong value, jint id)
{
    (void)env;
    (void)class;
    append(id, value);
}
