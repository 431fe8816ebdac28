/* parameters.c - MethodParameters of classes that the JVM gives to be changed once more.
 *
 * JVMs before 21 leave this attribute out of the bytes that they make of a loaded class (JDK-8240908), so the names of
 * javac's -parameters would be gone while the class is woven, and after it was restored. The JVM still has them. It
 * gives them for a java.lang.reflect.Method, of which it reads class and number only. One is made here without its
 * constructor: reflection would load the classes of the parameters, by code of the program. */
#include <stdlib.h>

#include "formats/jvm/classfile.h"
#include "logging/agent/agent.h"
#include "logging/agent/vmflags.h"

/* Functions of libjvm that the JDK itself uses (jvm.h). The number of a method is its index in the JVM's own order. */
typedef jint count_fn(JNIEnv *, jclass);
typedef const char *text_fn(JNIEnv *, jclass, jint);
typedef jobjectArray parameters_fn(JNIEnv *, jobject);

static struct {
    count_fn *count;
    text_fn *name, *desc;
    parameters_fn *parameters;
    jclass method;
    jfieldID clazz, slot, parameter_name, modifiers;
} jvm; /* all set, or `parameters` is NULL */

void parameters_init(JNIEnv *env)
{
    enum { FIXED_IN = 21 };
    jint version = 0;
    (void)(*agent.jvmti)->GetVersionNumber(agent.jvmti, &version);
    if (((version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR) >= FIXED_IN)
        return;
    jclass method = agent_find_class(env, "java/lang/reflect/Method");
    jclass parameter = method != NULL ? agent_find_class(env, "java/lang/reflect/Parameter") : NULL;
    jvm.clazz = parameter != NULL ? (*env)->GetFieldID(env, method, "clazz", "Ljava/lang/Class;") : NULL;
    jvm.slot = jvm.clazz != NULL ? (*env)->GetFieldID(env, method, "slot", "I") : NULL;
    jvm.parameter_name = jvm.slot != NULL ? (*env)->GetFieldID(env, parameter, "name", "Ljava/lang/String;") : NULL;
    jvm.modifiers = jvm.parameter_name != NULL ? (*env)->GetFieldID(env, parameter, "modifiers", "I") : NULL;
    jvm.method = jvm.modifiers != NULL ? (*env)->NewGlobalRef(env, method) : NULL;
    jvm.count = (count_fn *)vm_symbol("JVM_GetClassMethodsCount");
    jvm.name = (text_fn *)vm_symbol("JVM_GetMethodIxNameUTF");
    jvm.desc = (text_fn *)vm_symbol("JVM_GetMethodIxSignatureUTF");
    if (jvm.method != NULL && jvm.count != NULL && jvm.name != NULL && jvm.desc != NULL)
        jvm.parameters = (parameters_fn *)vm_symbol("JVM_GetMethodParameters");
    (*env)->DeleteLocalRef(env, method);
    (*env)->DeleteLocalRef(env, parameter);
    (void)agent_clear(env);
}

/* The index in the class file of method `i` of the JVM; -1: it is none of it. */
static int find(JNIEnv *env, jclass c, const struct classfile *cf, jint i)
{
    const char *name = jvm.name(env, c, i), *desc = jvm.desc(env, c, i);
    for (uint32_t k = 0; name != NULL && desc != NULL && k < cf->methods.count; k++) {
        struct text n, d;
        const struct member *m = &cf->methods.items[k];
        if (cpool_utf8(&cf->cp, m->name, &n) && cpool_utf8(&cf->cp, m->desc, &d) && text_is(n, name) &&
            text_is(d, desc))
            return d.data[1] == ')' ? -1 : (int)k;
    }
    return -1;
}

/* The content of the attribute; empty: the method has none. */
static void put_parameters(JNIEnv *env, jobjectArray all, struct cpool *cp, struct writer *w)
{
    const jsize count = (*env)->GetArrayLength(env, all);
    write_u1(w, (unsigned)count);
    for (jsize i = 0; i < count; i++) {
        jobject p = (*env)->GetObjectArrayElement(env, all, i);
        jstring name = p != NULL ? (*env)->GetObjectField(env, p, jvm.parameter_name) : NULL;
        const char *text = name != NULL ? (*env)->GetStringUTFChars(env, name, NULL) : NULL;
        write_u2(w, text != NULL && *text != '\0' ? cpool_add_utf8(cp, text) : 0);
        write_u2(w, p != NULL ? (unsigned)(*env)->GetIntField(env, p, jvm.modifiers) & 0xffff : 0);
        if (text != NULL)
            (*env)->ReleaseStringUTFChars(env, name, text);
        (*env)->DeleteLocalRef(env, name);
        (*env)->DeleteLocalRef(env, p);
    }
}

static bool has_any(const struct classfile *cf)
{
    bool any = false;
    for (uint32_t k = 0; k < cf->methods.count && !any; k++)
        any = classfile_attribute(cf, cf->methods.items[k].first_attribute, cf->methods.items[k].attribute_count,
                                  "MethodParameters") != NULL;
    return any;
}

/* The class file with an attribute of each method whose writer in `added` has content: attributes are in the order of
 * their members. */
static bool add_attributes(struct classfile *cf, const struct writer *added, struct writer *out)
{
    const uint32_t name = cpool_add_utf8(&cf->cp, "MethodParameters");
    attribute_vec all = { 0 };
    bool ok = name != 0;
    uint32_t next = 0;
    for (uint32_t k = 0; k <= cf->methods.count && ok; k++) {
        struct member *m = k < cf->methods.count ? &cf->methods.items[k] : NULL;
        const uint32_t end = m != NULL ? m->first_attribute + m->attribute_count : (uint32_t)cf->attributes.count;
        const uint32_t moved = (uint32_t)all.count - next;
        for (; next < end && ok; next++) {
            struct attribute *a = vec_push(&all);
            ok = a != NULL;
            if (ok)
                *a = cf->attributes.items[next];
        }
        if (m == NULL) {
            cf->first_attribute += moved;
            continue;
        }
        m->first_attribute += moved;
        struct attribute *a = ok && added[k].size > 0 ? vec_push(&all) : NULL;
        ok = ok && (added[k].size == 0 || a != NULL);
        if (a != NULL) {
            *a = (struct attribute){ (uint16_t)name, (uint32_t)added[k].size, added[k].data };
            m->attribute_count++;
        }
    }
    vec_free(&cf->attributes);
    cf->attributes.items = all.items;
    cf->attributes.count = all.count;
    cf->attributes.cap = all.cap;
    if (ok && !cf->cp.added.bad)
        classfile_write(cf, out);
    return ok && out->size > 0 && !out->bad;
}

bool parameters_add(JNIEnv *env, jclass c, const void *bytes, size_t size, struct writer *out)
{
    struct classfile cf;
    struct error err;
    if (jvm.parameters == NULL)
        return false;
    if (classfile_read(&cf, bytes, size, &err) != OK || has_any(&cf)) {
        classfile_done(&cf);
        return false;
    }
    struct writer *added = calloc(cf.methods.count + 1, sizeof *added);
    jobject method = added != NULL ? (*env)->AllocObject(env, jvm.method) : NULL;
    bool any = false;
    if (method != NULL)
        (*env)->SetObjectField(env, method, jvm.clazz, c);
    const jint count = method != NULL ? jvm.count(env, c) : 0;
    for (jint i = 0; i < count; i++) {
        const int k = find(env, c, &cf, i);
        if (k < 0)
            continue;
        (*env)->SetIntField(env, method, jvm.slot, i);
        jobjectArray all = jvm.parameters(env, method);
        if (!agent_clear(env) && all != NULL) {
            put_parameters(env, all, &cf.cp, &added[k]);
            any = true;
        }
        (*env)->DeleteLocalRef(env, all);
    }
    (*env)->DeleteLocalRef(env, method);
    (void)agent_clear(env);
    bool done = any && add_attributes(&cf, added, out);
    for (uint32_t k = 0; added != NULL && k < cf.methods.count; k++)
        writer_free(&added[k]);
    free(added);
    classfile_done(&cf);
    return done;
}
