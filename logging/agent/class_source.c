/* class_source.c - where a class comes from: its file and its loader, read from fields of the loader's objects. No
 * method of the program is called. */
#include "logging/agent/agent.h"

#include "formats/mutf8.h"

/* ProtectionDomain.codesource.location and the parts of that URL. */
static struct {
    jfieldID codesource, location, protocol, file;
} fields;

void class_source_init(JNIEnv *env)
{
    static const struct {
        const char *owner, *name, *type;
        jfieldID *out;
    } wanted[] = {
        { "java/security/ProtectionDomain", "codesource", "Ljava/security/CodeSource;", &fields.codesource },
        { "java/security/CodeSource", "location", "Ljava/net/URL;", &fields.location },
        { "java/net/URL", "protocol", "Ljava/lang/String;", &fields.protocol },
        { "java/net/URL", "file", "Ljava/lang/String;", &fields.file },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        jclass c = agent_find_class(env, wanted[i].owner);
        *wanted[i].out = c != NULL ? (*env)->GetFieldID(env, c, wanted[i].name, wanted[i].type) : NULL;
        (void)agent_clear(env);
        (*env)->DeleteLocalRef(env, c);
    }
}

static void put_string(JNIEnv *env, struct writer *w, jobject url, jfieldID field)
{
    jstring s = (*env)->GetObjectField(env, url, field);
    const char *text = s != NULL ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
    if (text != NULL) {
        (void)mutf8_to_utf8(text, strlen(text), w);
        (*env)->ReleaseStringUTFChars(env, s, text);
    }
    (*env)->DeleteLocalRef(env, s);
}

void class_source_put_location(JNIEnv *env, struct writer *w, jobject domain)
{
    if (env == NULL || domain == NULL || fields.file == NULL || fields.protocol == NULL || fields.location == NULL ||
        fields.codesource == NULL)
        return;
    jobject source = (*env)->GetObjectField(env, domain, fields.codesource);
    jobject url = source != NULL ? (*env)->GetObjectField(env, source, fields.location) : NULL;
    if (url != NULL) {
        put_string(env, w, url, fields.protocol);
        write_u1(w, ':');
        put_string(env, w, url, fields.file);
    }
    (*env)->DeleteLocalRef(env, url);
    (*env)->DeleteLocalRef(env, source);
    (void)agent_clear(env);
}

void class_source_put_loader(JNIEnv *env, struct writer *w, jobject loader)
{
    char *signature = NULL;
    jclass c = env != NULL && loader != NULL ? (*env)->GetObjectClass(env, loader) : NULL;
    if (c == NULL) {
        write_bytes(w, "boot", 4);
    } else if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE) {
        for (size_t i = 1; signature[i] != '\0' && signature[i] != ';'; i++)
            write_u1(w, signature[i] == '/' ? '.' : (unsigned char)signature[i]);
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    }
    if (env != NULL)
        (*env)->DeleteLocalRef(env, c);
}

bool class_source_is_platform(struct text loader)
{
    static const char *const names[] = { "boot", "jdk.internal.loader.ClassLoaders$PlatformClassLoader",
                                         "jdk.internal.loader.ClassLoaders$AppClassLoader",
                                         "sun.misc.Launcher$ExtClassLoader", "sun.misc.Launcher$AppClassLoader" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(loader, names[i]))
            return true;
    return false;
}
