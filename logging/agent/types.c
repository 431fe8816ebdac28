/* types.c - class objects that were seen, as rows of the type table. Uses JVMTI only; no code of the program runs. */
#include "logging/agent/agent.h"

void types_describe(JNIEnv *env, jclass c, uint32_t id)
{
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    struct writer name = { 0 }, w = { 0 };
    struct type_row row = { .id = id, .loader = hierarchy_loader_of(env, c) };
    jint modifiers = 0;
    types_put_name(&name, signature);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    if ((*agent.jvmti)->GetClassModifiers(agent.jvmti, c, &modifiers) == JVMTI_ERROR_NONE)
        row.access = (uint32_t)modifiers;
    row.name = (struct text){ (const char *)name.data, name.size };
    type_row_encode(&row, &w);
    (void)pendinglog_put(&agent.recorder.pending, DB_TYPE, id, &w);
    hierarchy_type(env, c);
    writer_free(&name);
    writer_free(&w);
}
