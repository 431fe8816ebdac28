/* own_properties.c - may the system properties be an object of a class of the program?
 *
 * The JDK reads them while it loads and initializes classes, and then calls methods of that class. It takes a class
 * that extends Properties, and a call of System.setProperties, which is looked for in the constants of classes that are
 * woven. */
#include <stdatomic.h>
#include <string.h>

#include "logging/agent/agent.h"

static jclass properties;                           /* a global reference, or NULL */
static atomic_bool sets_properties, has_properties; /* classes were seen that do */

void own_properties_begin(jclass c) { properties = c; }

void own_properties_look_at(const unsigned char *bytes, size_t size)
{
    static const char *const constants[] = { "setProperties", "(Ljava/util/Properties;)V", "java/lang/System" };
    bool all = true;
    for (size_t i = 0; all && i < sizeof constants / sizeof *constants; i++)
        all = memmem(bytes, size, constants[i], strlen(constants[i])) != NULL;
    if (all)
        sets_properties = true;
}

bool own_class_extends(JNIEnv *env, jclass c, jclass super)
{
    jobject loader = NULL;
    bool own = super != NULL && (*env)->IsAssignableFrom(env, c, super) &&
               (*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader) == JVMTI_ERROR_NONE && loader != NULL;
    (*env)->DeleteLocalRef(env, loader);
    return own;
}

bool own_properties_possible(JNIEnv *env, jclass c)
{
    if (own_class_extends(env, c, properties))
        has_properties = true;
    return sets_properties && has_properties;
}
