/* class_hook.h - the environment of JVMTI whose class hook weaves is asked after those of all Java agents.
 *
 * The JVM passes a class through the environments in the order in which they were made, and a Java agent makes one when
 * it adds its first transformer that can retransform. One that is asked after ours would change code that was woven:
 * then the class file in the trace is not the code that runs, and no events follow from it. So a new environment of
 * ours takes over whenever a Java agent may have made one. */
#ifndef LOGGING_AGENT_CLASS_HOOK_H
#define LOGGING_AGENT_CLASS_HOOK_H

#include <jvmti.h>
#include <stdbool.h>

/* Once, before the others: what gets the event ClassFileLoadHook, and what is called when ours cannot be the last. */
void class_hook_init(jvmtiEventClassFileLoadHook on_load, void (*not_last)(JNIEnv *env));
/* The event. False: the JVM refused. */
bool class_hook_enable(bool on);
/* Is that the environment that weaves? Others are on their way out. */
bool class_hook_is(const jvmtiEnv *jvmti);
/* There is a Java agent, and the hook classes are defined: from now on ours is behind those of all. False: it cannot
 * be. Any number of times. */
bool class_hook_stay_last(JNIEnv *env);
/* A new environment, which is asked after all that are there now; its event is not enabled yet. NULL: the JVM gives
 * none. */
jvmtiEnv *class_hook_environment(jvmtiEventClassFileLoadHook on_load);
/* For HindsightHookLink.replace. */
bool class_hook_replace_method(JNIEnv *env);

#endif
