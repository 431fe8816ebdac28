/* look_up.c - what the files of the agent look up in the JVM, once. */
#include "logging/agent/agent.h"

void agent_look_up(JNIEnv *env, bool with_thread)
{
    classes_init(env);
    throwables_init(env);
    threads_init(env, with_thread);
}
