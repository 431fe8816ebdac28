/* jdk.c - the differences between JDKs in one place: see jdk.h.
 *
 * The hook classes are compiled once, for 17. The same class file with an older version, and with the constants that
 * jdk_names.def lists renamed, is what javac would make of the same source for an older JDK. Methods that it has not
 * at all are in branches that this JDK does not take (JDK in HindsightHook): the JVM links them when it comes there. */
#include "logging/agent/jdk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/cpool.h"
#include "hook_classes.h"
#include "logging/agent/agent.h"
#include "logging/agent/vmflags.h"

enum {
    OLDEST = 8,
    HOOK_RELEASE = 17,         /* that the hook classes are compiled for */
    CLASS_VERSION_OFFSET = 44, /* of a class file: that of release 1 is 45 */
};

/* The property, in `out`; empty: there is none. */
static void property(const char *name, char *out, size_t size)
{
    char *value = NULL;
    *out = '\0';
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, name, &value) != JVMTI_ERROR_NONE || value == NULL)
        return;
    (void)snprintf(out, size, "%s", value);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)value);
}

unsigned jdk_release(void)
{
    static unsigned release;
    if (release == 0) {
        char text[32];
        property("java.vm.specification.version", text, sizeof text); /* "1.8", "9", "17" */
        release = (unsigned)strtoul(strncmp(text, "1.", 2) == 0 ? text + 2 : text, NULL, 10);
    }
    return release;
}

bool jdk_is_supported(struct error *err)
{
    const bool hotspot = vm_symbol("gHotSpotVMStructs") != NULL;
    char name[128];
    if (hotspot && jdk_release() >= OLDEST)
        return true;
    property("java.vm.name", name, sizeof name);
    return error_set(err, ERR_UNSUPPORTED, "this JVM is %s, release %u: only HotSpot from JDK %d on can be recorded",
                     name[0] != '\0' ? name : "of an unknown kind", jdk_release(), OLDEST) == OK;
}

bool jdk_starts_early(void) { return jdk_release() >= 9; }

bool jdk_ends_pairs_with_null(void) { return jdk_release() <= 11; }

bool jdk_stops_for_locals(void) { return jdk_release() < 21; }

bool jdk_walks_locals(void) { return jdk_release() >= 17; }

bool jdk_biases_locks(void) { return jdk_release() < 15; }

const char *jdk_never(struct text name)
{
    return jdk_release() < 9 && text_is(name, "sun/misc/Unsafe") ? "the hook stores through it" : NULL;
}

bool jdk_defines_anonymous(void)
{
    jvmtiFrameInfo top;
    jint count = 0;
    char *name = NULL;
    if (jdk_release() >= 9 || /* which does not show them */
        (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, 1, &top, &count) != JVMTI_ERROR_NONE || count == 0 ||
        (*agent.jvmti)->GetMethodName(agent.jvmti, top.method, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return false;
    const bool anonymous = strcmp(name, "defineAnonymousClass") == 0;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    return anonymous;
}

/* ---- the hook classes ---- */

static struct text name_in(unsigned release, struct text now)
{
    static const struct {
        unsigned release;
        const char *now, *before;
    } names[] = {
#define NAME(release, now, before) { release, now, before },
#include "logging/agent/jdk_names.def"
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (release < names[i].release && text_is(now, names[i].now))
            return (struct text){ names[i].before, strlen(names[i].before) };
    return now;
}

/* Writes the class file as javac makes it for the older release. */
static bool translate(const unsigned char *bytes, size_t size, unsigned release, struct writer *w)
{
    struct reader r = reader_of(bytes, size);
    struct cpool cp = { 0 };
    struct error err;
    write_bytes(w, read_span(&r, 6), 6); /* magic, minor version */
    (void)read_u2(&r);
    write_u2(w, release + CLASS_VERSION_OFFSET);
    const uint32_t count = read_u2(&r);
    write_u2(w, count);
    if (cpool_read(&cp, &r, count, &err) != OK)
        return false;
    for (uint32_t i = 1; i < count; i++) {
        const uint8_t *entry = cpool_entry(&cp, i);
        struct text utf8;
        if (entry == NULL)
            continue;
        if (cpool_utf8(&cp, i, &utf8)) {
            utf8 = name_in(release, utf8);
            write_u1(w, CONSTANT_Utf8);
            write_u2(w, (unsigned)utf8.size);
            write_bytes(w, utf8.data, utf8.size);
        } else {
            write_bytes(w, entry, cpool_entry_size(&cp, i));
        }
    }
    cpool_done(&cp);
    write_bytes(w, r.data + r.at, r.size - r.at);
    return !w->bad;
}

const unsigned char *jdk_hook_class(const unsigned char *bytes, size_t *size)
{
    enum { CLASSES = HOOK_CLASS_COUNT + 1 }; /* and the idle one */
    static struct {
        const unsigned char *from;
        struct writer to;
    } made[CLASSES];
    size_t i = 0;
    if (jdk_release() >= HOOK_RELEASE)
        return bytes;
    while (i < CLASSES && made[i].from != NULL && made[i].from != bytes)
        i++;
    if (i == CLASSES)
        return bytes;
    if (made[i].from == NULL) {
        if (!translate(bytes, *size, jdk_release(), &made[i].to))
            return bytes;
        made[i].from = bytes;
    }
    *size = made[i].to.size;
    return made[i].to.data;
}

/* ---- offsets of fields ---- */

static jfieldID find_field(jclass c, const char *name)
{
    jint count = 0;
    jfieldID *all = NULL, found = NULL;
    if ((*agent.jvmti)->GetClassFields(agent.jvmti, c, &count, &all) != JVMTI_ERROR_NONE)
        return NULL;
    for (jint i = 0; i < count && found == NULL; i++) {
        char *text = NULL;
        if ((*agent.jvmti)->GetFieldName(agent.jvmti, c, all[i], &text, NULL, NULL) != JVMTI_ERROR_NONE)
            continue;
        if (strcmp(text, name) == 0)
            found = all[i];
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)text);
    }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)all);
    return found;
}

jlong jdk_field_offset(JNIEnv *env, jclass c, const char *name)
{
    const jfieldID id = find_field(c, name);
    const jclass unsafe = id != NULL ? agent_find_class(env, "sun/misc/Unsafe") : NULL;
    const jfieldID the =
        unsafe != NULL ? (*env)->GetStaticFieldID(env, unsafe, "theUnsafe", "Lsun/misc/Unsafe;") : NULL;
    const jmethodID offset =
        the != NULL ? (*env)->GetMethodID(env, unsafe, "objectFieldOffset", "(Ljava/lang/reflect/Field;)J") : NULL;
    jobject field = offset != NULL ? (*env)->ToReflectedField(env, c, id, JNI_FALSE) : NULL;
    jobject u = field != NULL ? (*env)->GetStaticObjectField(env, unsafe, the) : NULL;
    jlong at = u != NULL ? (*env)->CallLongMethod(env, u, offset, field) : -1;
    if (agent_clear(env))
        at = -1;
    (*env)->DeleteLocalRef(env, u);
    (*env)->DeleteLocalRef(env, field);
    (*env)->DeleteLocalRef(env, unsafe);
    return at;
}
