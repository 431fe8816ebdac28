/* test_jvm.c - tests=on: only a JVM that runs tests is recorded (which of its classes: test_classes.def). */
#include <fnmatch.h>

#include "logging/agent/agent.h"

bool test_jvm_is_one(void)
{
    static const char *const commands[] = {
#define TEST_JVM(glob) glob,
#include "formats/test_jvms.def"
    };
    char *value = NULL;
    bool found = false;
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, "sun.java.command", &value) != JVMTI_ERROR_NONE)
        return false;
    for (size_t i = 0; !found && i < sizeof commands / sizeof *commands; i++)
        found = fnmatch(commands[i], value, 0) == 0;
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)value);
    return found;
}
