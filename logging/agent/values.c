/* values.c - copies the fields of objects that are shown by what they stand for (formats/values.def), when they are
 * first seen.
 *
 * No method is called: fields are read, of classes of the JDK and of records. Where a class is woven, its objects are
 * first seen inside their own constructors; nothing is copied of them, and their recorded writes show what they hold.
 * The same holds for a record that its constructor hands out before it ends.
 *
 * What references refer to gets ids of its own, and is described in turn, up to DEPTH_MAX. With redact= only names of
 * enum constants are copied: an object may be seen before it reaches the place that redact= names. With
 * format=exceptions nothing is copied of a record that has a secret (thrown_stacks.c). */
#include "logging/agent/agent.h"
#include "logging/agent/jdk.h"

#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "formats/mutf8.h"
#include "formats/values.h"

enum { DEPTH_MAX = 4, FRAMES_LOOKED_AT = 64 };

struct source {
    jfieldID id;
    char letter; /* values.def */
    char type;   /* the first letter of its descriptor */
};
/* How the objects of a class are copied. Never freed: others read it without a lock. */
struct layout {
    uint32_t type;               /* id of the class, as hooks have it */
    const struct value_row *row; /* NULL: nothing is copied */
    unsigned field_count;
    struct source fields[VALUE_FIELDS_MAX];
    jint constructor_count; /* of a record */
    jmethodID *constructors;
};
struct known {
    uint64_t type;
    struct layout *layout;
};

static struct {
    pthread_mutex_t mutex; /* guards `layouts` */
    MAP(struct known) layouts;
    struct layout *_Atomic recent[VALUES_PLAIN_SLOTS]; /* by the last bits of the type */
    uint32_t plain[VALUES_PLAIN_SLOTS];                /* likewise: types of which nothing is copied; hooks read it */
    jobject empty;                                     /* ImmutableCollections.EMPTY: no second element */
} values = { .mutex = PTHREAD_MUTEX_INITIALIZER };
static _Thread_local unsigned depth;

uint64_t values_plain(void) { return (uint64_t)(uintptr_t)values.plain; }

void values_init(JNIEnv *env)
{
    jclass collections = (*env)->FindClass(env, "java/util/ImmutableCollections");
    jfieldID field =
        agent_clear(env) ? NULL : (*env)->GetStaticFieldID(env, collections, "EMPTY", "Ljava/lang/Object;");
    jobject empty = agent_clear(env) || field == NULL ? NULL : (*env)->GetStaticObjectField(env, collections, field);
    values.empty = empty != NULL ? (*env)->NewGlobalRef(env, empty) : NULL;
    (void)agent_clear(env);
    (*env)->DeleteLocalRef(env, empty);
    (*env)->DeleteLocalRef(env, collections);
}

/* ---- layouts ---- */

/* Which letter a field of a record has. */
static char letter_of(char type)
{
    switch (type) {
    case 'F':
    case 'D': return type;
    case 'L':
    case '[': return 'L';
    default: return 'N';
    }
}

/* The instance field of this name, or with `name` NULL the one at this place of all of them. */
static bool is_wanted(jclass c, jfieldID id, const char *name, size_t size, char *type)
{
    enum { ACCESS_STATIC = 0x0008 };
    char *field, *desc;
    jint access = 0;
    if ((*agent.jvmti)->GetFieldModifiers(agent.jvmti, c, id, &access) != JVMTI_ERROR_NONE ||
        (access & ACCESS_STATIC) != 0 ||
        (*agent.jvmti)->GetFieldName(agent.jvmti, c, id, &field, &desc, NULL) != JVMTI_ERROR_NONE)
        return false;
    bool same = name == NULL || (strlen(field) == size && memcmp(field, name, size) == 0);
    *type = desc[0];
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)field);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)desc);
    return same;
}

/* Of a record: does the name say that its value stays out (thrown_stacks.c)? */
static bool is_secret(jclass c, jfieldID id)
{
    char *name = NULL;
    if (!thrown_stacks_on() || (*agent.jvmti)->GetFieldName(agent.jvmti, c, id, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return false;
    const bool secret = thrown_stacks_secret(name);
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    return secret;
}

/* The fields that the row names, of the class that declares them; false: it has others. */
static bool find_fields(struct layout *l, jclass c)
{
    jint count = 0;
    jfieldID *ids = NULL;
    char type;
    bool all = true;
    if ((*agent.jvmti)->GetClassFields(agent.jvmti, c, &count, &ids) != JVMTI_ERROR_NONE)
        return false;
    for (jint i = 0; i < count && l->row->form == VALUE_RECORD && all; i++)
        if (is_wanted(c, ids[i], NULL, 0, &type)) {
            all = l->field_count < VALUE_FIELDS_MAX && !is_secret(c, ids[i]);
            if (all)
                l->fields[l->field_count++] = (struct source){ ids[i], letter_of(type), type };
        }
    for (const char *at = l->row->fields; *at != '\0' && all;) {
        size_t size = strcspn(at, ":");
        jint i = 0;
        while (i < count && !is_wanted(c, ids[i], at, size, &type))
            i++;
        all = i < count;
        if (all)
            l->fields[l->field_count++] = (struct source){ ids[i], at[size + 1], type };
        at += size + 2;
        at += *at == ' ';
    }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)ids);
    return all;
}

/* May objects of this row be copied, as the options say? */
static bool allowed(const struct value_row *row)
{
    if (row->form == VALUE_CONSTANT)
        return true;
    if (row->form == VALUE_PAIR && values.empty == NULL && !jdk_ends_pairs_with_null())
        return false;
    return agent.options.redact.globs.count == 0 && (agent.options.string || row->form != VALUE_TEXT);
}

/* The row of a class by its signature; `itself`: not of a superclass of the object's class. */
static const struct value_row *row_of(const char *signature, bool itself)
{
    size_t size = strlen(signature);
    const struct value_row *row =
        size > 2 && signature[0] == 'L' ? value_row_of((struct text){ signature + 1, size - 2 }) : NULL;
    bool above = row != NULL && (row->form == VALUE_CONSTANT || row->form == VALUE_RECORD);
    return row != NULL && itself != above ? row : NULL;
}

static bool is_woven(JNIEnv *env, jclass c)
{
    char *signature = NULL;
    if ((*agent.jvmti)->GetClassSignature(agent.jvmti, c, &signature, NULL) != JVMTI_ERROR_NONE)
        return true;
    size_t size = strlen(signature);
    bool woven = size > 2 && hierarchy_is_woven((struct text){ signature + 1, size - 2 }, hierarchy_loader_of(env, c));
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
    return woven;
}

static void find_constructors(struct layout *l, jclass c)
{
    jint count = 0;
    jmethodID *methods = NULL;
    if ((*agent.jvmti)->GetClassMethods(agent.jvmti, c, &count, &methods) != JVMTI_ERROR_NONE)
        return;
    l->constructors = calloc((size_t)count + 1, sizeof *l->constructors);
    for (jint i = 0; i < count && l->constructors != NULL; i++) {
        char *name;
        if ((*agent.jvmti)->GetMethodName(agent.jvmti, methods[i], &name, NULL, NULL) != JVMTI_ERROR_NONE)
            continue;
        if (strcmp(name, "<init>") == 0)
            l->constructors[l->constructor_count++] = methods[i];
        (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
    }
    (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)methods);
}

/* Finds the row of the class or of one above it, and what is read for it. */
static void lay_out(JNIEnv *env, struct layout *l, jclass c)
{
    jclass at = (*env)->NewLocalRef(env, c);
    for (bool itself = true; at != NULL && l->row == NULL; itself = false) {
        char *signature = NULL;
        jclass super = (*env)->GetSuperclass(env, at);
        if (hierarchy_loader_of(env, at) == 0 &&
            (*agent.jvmti)->GetClassSignature(agent.jvmti, at, &signature, NULL) == JVMTI_ERROR_NONE) {
            l->row = row_of(signature, itself);
            (void)(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
        }
        if (l->row != NULL) {
            jclass declaring = l->row->form == VALUE_RECORD ? c : at;
            if (!allowed(l->row) || is_woven(env, declaring) || !find_fields(l, declaring))
                l->row = NULL;
            else if (l->row->form == VALUE_RECORD)
                find_constructors(l, c);
            (*env)->DeleteLocalRef(env, super);
            break;
        }
        (*env)->DeleteLocalRef(env, at);
        at = super;
    }
    (*env)->DeleteLocalRef(env, at);
}

static struct layout *layout_of(JNIEnv *env, jobject o, uint32_t type)
{
    struct layout *_Atomic *slot = &values.recent[type % VALUES_PLAIN_SLOTS];
    struct layout *l = atomic_load_explicit(slot, memory_order_acquire);
    if (l != NULL && l->type == type)
        return l;
    (void)pthread_mutex_lock(&values.mutex);
    const struct known *k = map_get(&values.layouts, type);
    l = k != NULL ? k->layout : NULL;
    (void)pthread_mutex_unlock(&values.mutex);
    if (l == NULL) { /* two threads may both make one: the first that is entered stays */
        struct layout *made = calloc(1, sizeof *made);
        if (made == NULL)
            return NULL;
        made->type = type;
        jclass c = (*env)->GetObjectClass(env, o);
        lay_out(env, made, c);
        (*env)->DeleteLocalRef(env, c);
        (void)pthread_mutex_lock(&values.mutex);
        struct known *to = map_put(&values.layouts, type);
        if (to != NULL && to->layout == NULL)
            to->layout = made;
        l = to != NULL ? to->layout : NULL;
        (void)pthread_mutex_unlock(&values.mutex);
        if (l != made) {
            free(made->constructors);
            free(made);
        }
        if (l == NULL)
            return NULL;
    }
    atomic_store_explicit(slot, l, memory_order_release);
    if (l->row == NULL)
        __atomic_store_n(&values.plain[type % VALUES_PLAIN_SLOTS], type, __ATOMIC_RELAXED);
    return l;
}

/* ---- copies ---- */

/* Appends the id of what a field refers to, which it takes. False: it could not be described. */
static bool put_reference(JNIEnv *env, jclass hook, jobject o, struct writer *w)
{
    uint64_t id = o != NULL && (values.empty == NULL || !(*env)->IsSameObject(env, o, values.empty))
                      ? agent_id_of(env, hook, o)
                      : 0;
    bool put = id != 0 || o == NULL || (values.empty != NULL && (*env)->IsSameObject(env, o, values.empty));
    (*env)->DeleteLocalRef(env, o);
    write_varint(w, id);
    return put;
}

static bool put_text(JNIEnv *env, jstring s, struct writer *w)
{
    jsize n = s != NULL ? (*env)->GetStringLength(env, s) : VALUE_BYTES_MAX;
    if (n >= VALUE_BYTES_MAX || (uint32_t)n > agent.options.maxstring) { /* or not ready */
        (*env)->DeleteLocalRef(env, s);
        return false;
    }
    struct writer text = { 0 };
    const jchar *units = (*env)->GetStringChars(env, s, NULL);
    if (units != NULL) {
        utf16le_to_utf8(units, 2 * (size_t)n, &text);
        (*env)->ReleaseStringChars(env, s, units);
    }
    (*env)->DeleteLocalRef(env, s);
    bool put = !agent_clear(env) && units != NULL && !text.bad;
    write_varint(w, text.size);
    write_bytes(w, text.data, text.size);
    writer_free(&text);
    return put;
}

/* The elements of an array of bytes or ints. */
static bool put_numbers(JNIEnv *env, jarray a, char letter, struct writer *w)
{
    jsize n = a != NULL ? (*env)->GetArrayLength(env, a) : VALUE_BYTES_MAX;
    uint8_t buffer[VALUE_BYTES_MAX];
    bool ints = letter == 'M', put = (size_t)n < sizeof buffer / (ints ? 4 : 1);
    if (put && ints)
        (*env)->GetIntArrayRegion(env, a, 0, n, (jint *)(void *)buffer);
    else if (put)
        (*env)->GetByteArrayRegion(env, a, 0, n, (jbyte *)buffer);
    put = put && !agent_clear(env);
    if (put) {
        write_varint(w, (uint64_t)n);
        write_bytes(w, buffer, (size_t)n * (ints ? 4 : 1));
    }
    (*env)->DeleteLocalRef(env, a);
    return put;
}

/* The first elements of an array of objects; without nulls where the array is a hash table. */
static bool put_elements(JNIEnv *env, jclass hook, jobjectArray a, bool table, struct writer *w)
{
    enum { TABLE_MAX = 4096 };
    jsize length = a != NULL ? (*env)->GetArrayLength(env, a) : 0, count = table ? 0 : length;
    uint64_t copied = 0;
    struct writer ids = { 0 };
    bool put = a != NULL && (!table || length <= TABLE_MAX);
    for (jsize i = 0; i < length && put && (table || copied < VALUE_ELEMENTS_MAX); i++) {
        jobject e = (*env)->GetObjectArrayElement(env, a, i);
        count += table && e != NULL;
        if ((table && e == NULL) || copied == VALUE_ELEMENTS_MAX) {
            (*env)->DeleteLocalRef(env, e);
            continue;
        }
        put = put_reference(env, hook, e, &ids);
        copied++;
    }
    (*env)->DeleteLocalRef(env, a);
    write_varint(w, (uint64_t)count);
    write_varint(w, copied);
    write_bytes(w, ids.data, ids.size);
    put = put && !ids.bad;
    writer_free(&ids);
    return put;
}

static int64_t number_of(JNIEnv *env, jobject o, const struct source *s)
{
    switch (s->type) {
    case 'Z': return (*env)->GetBooleanField(env, o, s->id);
    case 'B': return (*env)->GetByteField(env, o, s->id);
    case 'C': return (*env)->GetCharField(env, o, s->id);
    case 'S': return (*env)->GetShortField(env, o, s->id);
    case 'I': return (*env)->GetIntField(env, o, s->id);
    default: return (*env)->GetLongField(env, o, s->id);
    }
}

static bool put_field(JNIEnv *env, jclass hook, jobject o, const struct source *s, struct writer *w)
{
    uint32_t single;
    uint64_t real;
    float f;
    double d;
    switch (s->letter) {
    case 'F':
        f = (*env)->GetFloatField(env, o, s->id);
        memcpy(&single, &f, sizeof single);
        write_le4(w, single);
        return true;
    case 'D':
        d = (*env)->GetDoubleField(env, o, s->id);
        memcpy(&real, &d, sizeof real);
        write_le8(w, real);
        return true;
    case 'L': return put_reference(env, hook, (*env)->GetObjectField(env, o, s->id), w);
    case 'T': return put_text(env, (*env)->GetObjectField(env, o, s->id), w);
    case 'B':
    case 'M': return put_numbers(env, (*env)->GetObjectField(env, o, s->id), s->letter, w);
    case 'A':
    case 'H': return put_elements(env, hook, (*env)->GetObjectField(env, o, s->id), s->letter == 'H', w);
    default: write_svarint(w, number_of(env, o, s)); return true;
    }
}

/* Is a constructor of the record running in this thread? Then it may be this one's. */
static bool being_made(const struct layout *l)
{
    jvmtiFrameInfo frames[FRAMES_LOOKED_AT];
    jint count = 0;
    if ((*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, FRAMES_LOOKED_AT, frames, &count) != JVMTI_ERROR_NONE)
        return true;
    for (jint i = 0; i < count; i++)
        for (jint k = 0; k < l->constructor_count; k++)
            if (frames[i].method == l->constructors[k])
                return true;
    return l->constructors == NULL;
}

bool values_copy(JNIEnv *env, jclass hook, jobject o, uint32_t type, struct writer *w)
{
    const struct layout *l = layout_of(env, o, type);
    if (l == NULL || l->row == NULL || depth >= DEPTH_MAX || (l->row->form == VALUE_RECORD && being_made(l)))
        return false;
    bool copied = true;
    depth++;
    write_u1(w, l->row->number);
    for (unsigned i = 0; i < l->field_count && copied; i++)
        copied = put_field(env, hook, o, &l->fields[i], w);
    depth--;
    return copied && !w->bad;
}
