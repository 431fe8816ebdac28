/* own_properties.c - may the system properties be an object of a class of the program?
 *
 * The JDK reads them while it loads and initializes classes, and then calls methods of that class. It takes a class
 * that extends Properties, and System.setProperties, whose name is looked for in the constants of the program's
 * classes, woven or not; reflection names both too. */
#include <stdatomic.h>
#include <string.h>

#include "logging/agent/agent.h"

static jclass properties;                           /* a global reference, or NULL */
static atomic_bool sets_properties, has_properties; /* classes were seen that do */

void own_properties_begin(jclass c) { properties = c; }

static bool has(const unsigned char *bytes, size_t size, const char *constant)
{
    return memmem(bytes, size, constant, strlen(constant)) != NULL;
}

void own_properties_look_at(const unsigned char *bytes, size_t size)
{
    if (!sets_properties && has(bytes, size, "setProperties") &&
        (has(bytes, size, "java/lang/System") || has(bytes, size, "java.lang.System")))
        sets_properties = true;
}

/* Is it none of the JDK? Also one of the boot loader (-Xbootclasspath/a), if it is to be woven. */
static bool is_own(JNIEnv *env, jclass c)
{
    jobject loader = NULL;
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader) != JVMTI_ERROR_NONE)
        return false;
    bool own = loader != NULL;
    (*env)->DeleteLocalRef(env, loader);
    if (!own && (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) == JVMTI_ERROR_NONE) {
        const size_t n = strlen(signature);
        const struct text name = { signature + 1, n > 2 ? n - 2 : 0 };
        own = n > 2 && filter_never(name) == NULL && filter_wants(&agent.options.filter, name, TEXT_OF(""), NULL);
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    }
    return own;
}

bool own_class_extends(JNIEnv *env, jclass c, jclass super)
{
    return super != NULL && (*env)->IsAssignableFrom(env, c, super) && !(*env)->IsSameObject(env, c, super) &&
           is_own(env, c);
}

bool own_properties_possible(JNIEnv *env, jclass c)
{
    if (c != NULL && own_class_extends(env, c, properties))
        has_properties = true;
    return sets_properties && has_properties;
}

bool own_properties_set(JNIEnv *env)
{
    jclass system = agent_find_class(env, "java/lang/System"), c = NULL;
    jfieldID field = system != NULL ? (*env)->GetStaticFieldID(env, system, "props", "Ljava/util/Properties;") : NULL;
    jobject set = field != NULL ? (*env)->GetStaticObjectField(env, system, field) : NULL;
    bool own = false;
    (void)agent_clear(env);
    if (set != NULL) {
        c = (*env)->GetObjectClass(env, set);
        own = own_class_extends(env, c, properties);
    }
    (*env)->DeleteLocalRef(env, c);
    (*env)->DeleteLocalRef(env, set);
    (*env)->DeleteLocalRef(env, system);
    return own;
}
