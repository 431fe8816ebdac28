/* compile_policy.c - see compile_policy.h; the flags are described in OpenJDK's compiler_globals.hpp. */
#include "logging/agent/compile_policy.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "logging/agent/vmflags.h"

/* Flags that are changed together, or not at all if the JVM lacks one. */
enum { C2, PROFILING, GROUPS };

static struct {
    const char *name;
    uint8_t group;
    int8_t value;   /* that it is set to, if there is no factor */
    uint8_t factor; /* times the usual value */
    int64_t *flag;  /* NULL: it was not looked for, or the JVM has none */
    bool changed;
    int64_t usual;
} flags[] = {
    { .name = "Tier4InvocationThreshold", .group = C2, .factor = 100 },
    { .name = "Tier4MinInvocationThreshold", .group = C2, .factor = 100 },
    { .name = "Tier4CompileThreshold", .group = C2, .factor = 100 },
    { .name = "Tier4BackEdgeThreshold", .group = C2, .factor = 100 },
    /* so many methods a compiler thread must wait for C2 until C1 does not count for it: always, until a method is old
     * (in percent of the calls that it is compiled by C1 after) */
    { .name = "Tier3DelayOn", .group = PROFILING, .value = -1 },
    { .name = "Tier3DelayOff", .group = PROFILING, .value = -1 },
    { .name = "TieredOldPercentage", .group = PROFILING, .factor = 100 },
};
enum { COUNT = sizeof flags / sizeof *flags };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Has the user said when methods are compiled? Without tiers there is no C1 to run what C2 does not take. */
static bool chosen_by_user(void)
{
    return !vmflag_is_set("TieredCompilation") || vmflags_are_chosen("Tier") ||
           vmflags_are_chosen("CompileThreshold") || vmflags_are_chosen("CompilationMode");
}

static int64_t changed_value(size_t i)
{
    if (flags[i].factor == 0)
        return flags[i].value;
    return flags[i].usual > INT32_MAX / flags[i].factor ? INT32_MAX : flags[i].usual * flags[i].factor;
}

void compile_policy_relax(void)
{
    const bool chosen = chosen_by_user();
    bool complete[GROUPS] = { !chosen, !chosen };
    (void)pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < COUNT && !chosen; i++) {
        if (flags[i].changed)
            continue;
        if (flags[i].flag == NULL)
            flags[i].flag = vmflag_long(flags[i].name);
        flags[i].usual = flags[i].flag != NULL ? *flags[i].flag : 0;
        if (flags[i].usual <= 0)
            complete[flags[i].group] = false;
    }
    for (size_t i = 0; i < COUNT; i++)
        if (!flags[i].changed && complete[flags[i].group]) {
            *flags[i].flag = changed_value(i);
            flags[i].changed = true;
        }
    (void)pthread_mutex_unlock(&mutex);
}

void compile_policy_restore(void)
{
    (void)pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < COUNT; i++) {
        if (flags[i].changed)
            *flags[i].flag = flags[i].usual;
        flags[i].changed = false;
    }
    (void)pthread_mutex_unlock(&mutex);
}

void compile_policy_name(struct writer *w)
{
    char text[64];
    for (size_t i = 0; i < COUNT; i++) {
        if (!flags[i].changed)
            continue;
        (void)snprintf(text, sizeof text, "%s%s=%" PRId64, w->size > 0 ? " " : "", flags[i].name, changed_value(i));
        write_bytes(w, text, strlen(text));
    }
}
