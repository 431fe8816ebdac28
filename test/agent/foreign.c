/* foreign.c - a process that loads the agent as a JVM does that cannot be recorded: foreign AGENT NAME RELEASE OPTIONS.
 * It answers the questions for its properties, and ends when it is asked anything else. Then its "program" runs. */
#include <dlfcn.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name, *release;

static void trap(void)
{
    (void)fprintf(stderr, "the agent asked this JVM for more than its properties\n");
    _Exit(9);
}

static jvmtiError JNICALL get_property(jvmtiEnv *jvmti, const char *property, char **value)
{
    (void)jvmti;
    const char *text = strcmp(property, "java.vm.name") == 0                    ? name
                       : strcmp(property, "java.vm.specification.version") == 0 ? release
                                                                                : NULL;
    *value = text != NULL ? strdup(text) : NULL;
    return text != NULL ? JVMTI_ERROR_NONE : JVMTI_ERROR_NOT_AVAILABLE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *jvmti, unsigned char *memory)
{
    (void)jvmti;
    free(memory);
    return JVMTI_ERROR_NONE;
}

static union {
    struct jvmtiInterface_1_ known;
    void (*all[sizeof(struct jvmtiInterface_1_) / sizeof(void *)])(void);
} functions;
static jvmtiEnv environment = { &functions.known };

static jint JNICALL get_environment(JavaVM *vm, void **out, jint version)
{
    (void)vm, (void)version;
    *out = &environment;
    return JNI_OK;
}

int main(int argc, char **argv)
{
    const struct JNIInvokeInterface_ invoke = { .GetEnv = get_environment };
    JavaVM vm = { &invoke };
    if (argc != 5)
        return 2;
    name = argv[2];
    release = argv[3];
    for (size_t i = 0; i < sizeof functions.all / sizeof *functions.all; i++)
        functions.all[i] = trap;
    functions.known.GetSystemProperty = get_property;
    functions.known.Deallocate = deallocate;
    void *agent = dlopen(argv[1], RTLD_NOW);
    jint (*load)(JavaVM *, char *, void *) =
        agent != NULL ? (jint(*)(JavaVM *, char *, void *))dlsym(agent, "Agent_OnLoad") : NULL;
    if (load == NULL || load(&vm, argv[4], NULL) != JNI_OK)
        return 3;
    (void)puts("the program runs");
    return 0;
}
