/* hierarchy.c - data to find the class that declares a field: numbers of class loaders, and rows of classes that are
 * not woven.
 *
 * An instruction names a field by any class that inherits it (JVMS 5.4.3.2). Woven classes leave their class file in
 * the trace; for their supertypes that are not woven, and for types of objects, a hierarchy_row has superclass,
 * interfaces and declared fields. It is written when the JVM has prepared the woven class, before its code runs, or
 * when the type is first seen.
 *
 * A class is identified by name and loader. Loaders are numbered, and classes are marked as described, by tags of a
 * separate JVMTI environment: tags vanish with their objects, and those of agent.jvmti are ids of objects
 * (hook_natives.c). */
#include "logging/agent/agent.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "formats/map.h"

static struct {
    jvmtiEnv *jvmti;
    pthread_mutex_t mutex; /* guards the rest, and tags from get to set */
    uint64_t loaders;      /* numbers assigned */
    uint64_t rows;
    MAP(struct {
        uint64_t hash; /* of name and loader */
        uint64_t file; /* class_row.hash, of the last weaving */
        uint32_t start;
    })
    woven;
} hierarchy = { .mutex = PTHREAD_MUTEX_INITIALIZER };

bool hierarchy_init(JavaVM *vm)
{
    jvmtiCapabilities want = { 0 };
    want.can_tag_objects = 1;
    return (*vm)->GetEnv(vm, (void **)&hierarchy.jvmti, JVMTI_VERSION_1_2) == JNI_OK &&
           agent_ok((*hierarchy.jvmti)->AddCapabilities(hierarchy.jvmti, &want), "AddCapabilities");
}

/* Gives an object without tag the next one of `*last`; true if this call did. */
static bool tag(jobject o, uint64_t *last, jlong *out)
{
    bool made = false;
    *out = 0;
    (void)pthread_mutex_lock(&hierarchy.mutex);
    if ((*hierarchy.jvmti)->GetTag(hierarchy.jvmti, o, out) == JVMTI_ERROR_NONE && *out == 0) {
        made = (*hierarchy.jvmti)->SetTag(hierarchy.jvmti, o, (jlong)(*last + 1)) == JVMTI_ERROR_NONE;
        *last += made;
        *out = made ? (jlong)*last : 0;
    }
    (void)pthread_mutex_unlock(&hierarchy.mutex);
    return made;
}

uint64_t hierarchy_loader(jobject loader)
{
    jlong number;
    if (loader == NULL)
        return 0;
    (void)tag(loader, &hierarchy.loaders, &number);
    return (uint64_t)number;
}

uint64_t hierarchy_loader_of(JNIEnv *env, jclass c)
{
    jobject loader = NULL;
    if ((*agent.jvmti)->GetClassLoader(agent.jvmti, c, &loader) != JVMTI_ERROR_NONE)
        return 0;
    uint64_t number = hierarchy_loader(loader);
    (*env)->DeleteLocalRef(env, loader);
    return number;
}

/* ---- which classes are woven ---- */

uint64_t hierarchy_hash(struct text internal_name, uint64_t loader)
{
    uint64_t h = XXH64(internal_name.data, internal_name.size, loader);
    return h != 0 ? h : 1;
}

struct woven_first hierarchy_woven(struct text internal_name, uint64_t loader, uint64_t file)
{
    uint64_t hash = hierarchy_hash(internal_name, loader);
    struct woven_first first = { true, true };
    (void)pthread_mutex_lock(&hierarchy.mutex);
    const bool known = map_get(&hierarchy.woven, hash) != NULL;
    __typeof__(hierarchy.woven.slots) w = map_put(&hierarchy.woven, hash); /* no memory: as if it was not woven */
    if (w != NULL) {
        first = (struct woven_first){ !known || w->start != agent.starts, !known || w->file != file };
        w->start = agent.starts;
        w->file = file;
    }
    (void)pthread_mutex_unlock(&hierarchy.mutex);
    return first;
}

bool hierarchy_is_woven(struct text internal_name, uint64_t loader)
{
    uint64_t hash = hierarchy_hash(internal_name, loader);
    (void)pthread_mutex_lock(&hierarchy.mutex);
    bool found = map_get(&hierarchy.woven, hash) != NULL;
    (void)pthread_mutex_unlock(&hierarchy.mutex);
    return found;
}

static bool is_woven(const char *signature, uint64_t loader)
{
    size_t size = strlen(signature);
    return signature[0] == 'L' && size >= 3 && hierarchy_is_woven((struct text){ signature + 1, size - 2 }, loader);
}

/* ---- rows ---- */

static void put_field(struct hierarchy_row *row, jclass c, jfieldID id)
{
    char *name, *desc;
    jint access = 0;
    if ((*agent.jvmti)->GetFieldName(agent.jvmti, c, id, &name, &desc, NULL) != JVMTI_ERROR_NONE)
        return;
    struct hierarchy_field *to = vec_push(&row->fields);
    (void)(*agent.jvmti)->GetFieldModifiers(agent.jvmti, c, id, &access);
    if (to != NULL) {
        *to = (struct hierarchy_field){ { name, strlen(name) }, { desc, strlen(desc) }, (uint32_t)access };
        return;
    }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)desc);
}

static void put_fields(struct hierarchy_row *row, jclass c)
{
    jint count = 0;
    jfieldID *fields = NULL;
    if ((*agent.jvmti)->GetClassFields(agent.jvmti, c, &count, &fields) != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++)
        put_field(row, c, fields[i]);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)fields);
}

static void free_fields(struct hierarchy_row *row)
{
    for (size_t i = 0; i < row->fields.count; i++) {
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)(uintptr_t)row->fields.items[i].name.data);
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)(uintptr_t)row->fields.items[i].desc.data);
    }
    hierarchy_row_done(row);
}

/* The name of a class as types have it. The row keeps offsets into `names` until all names are written. */
static struct text name_of(jclass c, struct writer *names)
{
    char *signature;
    size_t at = names->size;
    if (c == NULL || (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return (struct text){ NULL, 0 };
    types_put_name(names, signature);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return (struct text){ (const char *)(uintptr_t)at, names->size - at };
}

static void settle(struct text *t, const struct writer *names)
{
    t->data = t->size > 0 ? (const char *)names->data + (uintptr_t)t->data : "";
}

static void put_row(jclass c, jclass super, const jclass *interfaces, jint interface_count, uint64_t loader,
                    uint32_t number)
{
    struct writer names = { 0 }, w = { 0 };
    struct hierarchy_row row = { .loader = loader };
    row.name = name_of(c, &names);
    row.super = name_of(super, &names);
    for (jint i = 0; i < interface_count; i++) {
        struct text *to = vec_push(&row.interfaces);
        if (to != NULL)
            *to = name_of(interfaces[i], &names);
    }
    settle(&row.name, &names);
    settle(&row.super, &names);
    for (size_t i = 0; i < row.interfaces.count; i++)
        settle(&row.interfaces.items[i], &names);
    put_fields(&row, c);
    hierarchy_row_encode(&row, &w);
    if (!w.bad && !names.bad)
        (void)pendinglog_put(&agent.recorder.pending, DB_HIERARCHY, number, &w);
    free_fields(&row);
    writer_free(&names);
    writer_free(&w);
}

/* Describes the supertypes of a class, and with `itself` the class. */
static void above(JNIEnv *env, jclass c, unsigned depth, bool itself);

/* Describes a class unless it is woven or was described, and its supertypes. */
static void describe(JNIEnv *env, jclass c, unsigned depth)
{
    enum { DEPTH_MAX = 256 };
    char *signature = NULL;
    if (c == NULL || depth > DEPTH_MAX ||
        (*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    bool wanted = signature[0] == 'L' && strcmp(signature, "Ljava/lang/Object;") != 0 &&
                  !is_woven(signature, hierarchy_loader_of(env, c));
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    if (wanted)
        above(env, c, depth, true);
}

static void above(JNIEnv *env, jclass c, unsigned depth, bool itself)
{
    jint count = 0;
    jclass *interfaces = NULL;
    jlong number;
    if (itself && !tag(c, &hierarchy.rows, &number))
        return; /* it is described already */
    jclass super = (*env)->GetSuperclass(env, c);
    if ((*agent.jvmti)->GetImplementedInterfaces(agent.jvmti, c, &count, &interfaces) != JVMTI_ERROR_NONE)
        count = 0;
    if (itself)
        put_row(c, super, interfaces, count, hierarchy_loader_of(env, c), (uint32_t)number);
    describe(env, super, depth + 1);
    for (jint i = 0; i < count; i++) {
        describe(env, interfaces[i], depth + 1);
        (*env)->DeleteLocalRef(env, interfaces[i]);
    }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)interfaces);
    (*env)->DeleteLocalRef(env, super);
}

void hierarchy_type(JNIEnv *env, jclass c) { describe(env, c, 0); }

void hierarchy_above(JNIEnv *env, jclass woven) { above(env, woven, 0, false); }

void JNICALL hierarchy_on_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass c)
{
    char *signature = NULL;
    (void)thread;
    if (!agent.hooks_ready || !agent.weaving || agent.dead || agent.recorder.failed ||
        (*jvmti)->GetClassSignature(jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return;
    bool woven = is_woven(signature, hierarchy_loader_of(env, c));
    (void)(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    if (woven)
        hierarchy_above(env, c);
}
