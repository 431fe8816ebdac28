/* c2_thresholds.c - see c2_thresholds.h; the flags are described in OpenJDK's compiler_globals.hpp. */
#include "logging/agent/c2_thresholds.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "logging/agent/vmflags.h"

enum { FACTOR = 100 };

static struct {
    const char *name;
    int32_t usual; /* 0: it is not there, or not raised */
} thresholds[] = {
    { "Tier4InvocationThreshold", 0 },
    { "Tier4MinInvocationThreshold", 0 },
    { "Tier4CompileThreshold", 0 },
    { "Tier4BackEdgeThreshold", 0 },
};
enum { COUNT = sizeof thresholds / sizeof *thresholds };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Does the command line say when methods are compiled? */
static bool chosen_by_user(void)
{
    static const char *const prefixes[] = { "-XX:Tier4", "-XX:CompileThreshold" };
    size_t count = 0;
    char *const *arguments = vm_arguments(&count);
    for (size_t i = 0; arguments != NULL && i < count; i++)
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
            if (strncmp(arguments[i], prefixes[k], strlen(prefixes[k])) == 0)
                return true;
    return false;
}

static int32_t raised(int32_t usual) { return usual > INT32_MAX / FACTOR ? INT32_MAX : usual * FACTOR; }

void c2_thresholds_raise(void)
{
    const bool chosen = chosen_by_user();
    (void)pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < COUNT && !chosen && thresholds[i].usual == 0; i++) {
        int32_t usual;
        if (vmflag_get_int(thresholds[i].name, &usual) && usual > 0 &&
            vmflag_set_int(thresholds[i].name, raised(usual)))
            thresholds[i].usual = usual;
    }
    (void)pthread_mutex_unlock(&mutex);
}

void c2_thresholds_restore(void)
{
    (void)pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < COUNT; i++) {
        if (thresholds[i].usual != 0)
            (void)vmflag_set_int(thresholds[i].name, thresholds[i].usual);
        thresholds[i].usual = 0;
    }
    (void)pthread_mutex_unlock(&mutex);
}

void c2_thresholds_name(struct writer *w)
{
    char text[64];
    for (size_t i = 0; i < COUNT; i++) {
        if (thresholds[i].usual == 0)
            continue;
        (void)snprintf(text, sizeof text, " %s=%d", thresholds[i].name, (int)raised(thresholds[i].usual));
        write_bytes(w, text, strlen(text));
    }
}
