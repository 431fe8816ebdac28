/* look_up.c - calls the look-ups of classes and fields of the other files, once; what the trace says of the locale. */
#include <stdio.h>

#include "logging/agent/agent.h"

/* System.getProperty; NULL: there is none, or it failed. */
static jstring property_of(JNIEnv *env, jclass system, jmethodID get, const char *property)
{
    const jstring name = (*env)->NewStringUTF(env, property);
    jstring value = name != NULL ? (*env)->CallStaticObjectMethod(env, system, get, name) : NULL;
    if ((*env)->ExceptionCheck(env)) { /* at once: -Xcheck:jni writes on the program's standard output */
        (*env)->ExceptionClear(env);
        value = NULL;
    }
    (*env)->DeleteLocalRef(env, name);
    return value;
}

/* "en_US": Locale.getDefault(FORMAT) when the JVM began, of which Java code alone has the properties. */
static void put_locale(JNIEnv *env)
{
    static const char *const properties[2][2] = { { "user.language.format", "user.language" },
                                                  { "user.country.format", "user.country" } };
    char locale[64] = "", part[20];
    const jclass system = (*env)->FindClass(env, "java/lang/System");
    const jmethodID get =
        system != NULL ? (*env)->GetStaticMethodID(env, system, "getProperty", "(Ljava/lang/String;)Ljava/lang/String;")
                       : NULL;
    for (size_t i = 0; get != NULL && i < 2; i++) {
        jstring value = NULL;
        for (size_t k = 0; k < 2 && value == NULL; k++)
            value = property_of(env, system, get, properties[i][k]);
        const jsize length = value != NULL ? (*env)->GetStringUTFLength(env, value) : 0;
        if (length > 0 && (size_t)length < sizeof part) {
            (*env)->GetStringUTFRegion(env, value, 0, (*env)->GetStringLength(env, value), part);
            part[length] = '\0';
            (void)snprintf(locale + strlen(locale), sizeof locale - strlen(locale), "%s%s", i > 0 ? "_" : "", part);
        }
        (*env)->DeleteLocalRef(env, value);
    }
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, system);
    if (locale[0] != '\0')
        (void)pendinglog_put_info(&agent.recorder.pending, "locale", locale);
}

void agent_look_up(JNIEnv *env, bool with_thread)
{
    class_source_init(env);
    parameters_init(env);
    throwables_init(env);
    values_init(env);
    threads_init(env, with_thread);
    put_locale(env);
}
