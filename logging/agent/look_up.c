/* look_up.c - calls the look-ups of classes and fields of the other files, once. */
#include "logging/agent/agent.h"

void agent_look_up(JNIEnv *env, bool with_thread)
{
    class_source_init(env);
    parameters_init(env);
    throwables_init(env);
    values_init(env);
    threads_init(env, with_thread);
}
