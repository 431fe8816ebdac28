/* secrets.c - redact=: texts that stay out of the trace (weaver/redact.h says at which places they are noticed).
 *
 * The content of a string is written when the string is first seen, by describeString; of an exception, by
 * describeThrowable. Before, they ask here: a text that is one of those noticed, or contains one of at least
 * PART_UNITS, is left out. So a string is kept out wherever it is seen, if the first place where it is seen is one that
 * redact= names, and so are strings and messages made of it later. When the table is full, no text is stored any more.
 *
 * Texts live in this process alone; they are never written. */
#include "logging/agent/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PART_UNITS = 4,           /* shorter texts are in many others: those are compared as a whole */
    TEXTS_MAX = 4096,         /* of different texts */
    TEXT_UNITS_MAX = 1 << 16, /* of one text; a longer one is noticed by its beginning */
    LATE_KEPT = 16,           /* info names the places of so many */
};

struct secret {
    jchar *units;
    size_t count;
};
static struct {
    pthread_mutex_t mutex;
    VEC(struct secret) texts;
    bool full;
    uint64_t hidden;                  /* strings and messages that were left out */
    unsigned late;                    /* texts whose string was stored at another place before, */
    uint32_t late_objects[LATE_KEPT]; /* and the first such strings */
    jclass string, chars;
} secrets = { .mutex = PTHREAD_MUTEX_INITIALIZER };

bool secrets_wanted(void) { return agent.options.redact.globs.count > 0 || thrown_stacks_on(); }

void secrets_init(JNIEnv *env)
{
    if (!secrets_wanted())
        return;
    jclass string = agent_find_class(env, "java/lang/String"), chars = agent_find_class(env, "[C");
    secrets.string = (*env)->NewGlobalRef(env, string);
    secrets.chars = (*env)->NewGlobalRef(env, chars);
    (void)agent_clear(env);
    (*env)->DeleteLocalRef(env, string);
    (*env)->DeleteLocalRef(env, chars);
}

static bool is_part(const struct secret *s, const jchar *units, size_t count)
{
    if (s->count < PART_UNITS)
        return count == s->count && memcmp(units, s->units, count * sizeof *units) == 0;
    for (size_t at = 0; count - at >= s->count && at < count; at++)
        if (units[at] == s->units[0] && memcmp(units + at, s->units, s->count * sizeof *units) == 0)
            return true;
    return false;
}

static bool find(const jchar *units, size_t count)
{
    for (size_t i = 0; i < secrets.texts.count; i++)
        if (is_part(&secrets.texts.items[i], units, count))
            return true;
    return false;
}

/* Takes `units`; `stored`: the id of a string whose content is in the trace, unless it was left out; else 0. */
static void add(jchar *units, size_t count, uint32_t stored)
{
    (void)pthread_mutex_lock(&secrets.mutex);
    bool known = secrets.full || count == 0 || find(units, count);
    struct secret *s = !known && secrets.texts.count < TEXTS_MAX ? vec_push(&secrets.texts) : NULL;
    if (s != NULL)
        *s = (struct secret){ units, count };
    secrets.full |= !known && s == NULL;
    if (!known && stored != 0 && secrets.late++ < LATE_KEPT)
        secrets.late_objects[secrets.late - 1] = stored;
    (void)pthread_mutex_unlock(&secrets.mutex);
    if (s == NULL)
        free(units);
}

JNIEXPORT void JNICALL Java_java_lang_HindsightHookRedact_noteText(JNIEnv *, jclass, jobject, jlong);
JNIEXPORT void JNICALL Java_java_lang_HindsightHookRedact_noteText(JNIEnv *env, jclass c, jobject o, jlong id)
{
    (void)c;
    if (o == NULL || secrets.string == NULL || secrets.chars == NULL || !agent.recording)
        return;
    bool string = (*env)->IsInstanceOf(env, o, secrets.string);
    if (!string && !(*env)->IsInstanceOf(env, o, secrets.chars))
        return;
    jsize length = string ? (*env)->GetStringLength(env, o) : (*env)->GetArrayLength(env, o);
    jsize kept = length < TEXT_UNITS_MAX ? length : TEXT_UNITS_MAX;
    jchar *units = malloc((size_t)kept * sizeof *units + 1);
    if (units == NULL) {
        secrets.full = true;
        return;
    }
    if (string)
        (*env)->GetStringRegion(env, o, 0, kept, units);
    else
        (*env)->GetCharArrayRegion(env, o, 0, kept, units);
    (void)agent_clear(env);
    add(units, (size_t)kept, string && id > 0 && agent.options.string ? object_id((uint64_t)id) : 0);
}

bool secrets_hide(JNIEnv *env, jstring s)
{
    if (s == NULL || !secrets_wanted())
        return false;
    jsize count = (*env)->GetStringLength(env, s);
    const jchar *units = (*env)->GetStringChars(env, s, NULL);
    bool hide = true;
    (void)pthread_mutex_lock(&secrets.mutex);
    hide = units == NULL || secrets.full || find(units, (size_t)count);
    secrets.hidden += hide;
    (void)pthread_mutex_unlock(&secrets.mutex);
    if (units != NULL)
        (*env)->ReleaseStringChars(env, s, units);
    (void)agent_clear(env);
    return hide;
}

unsigned secrets_late(void)
{
    (void)pthread_mutex_lock(&secrets.mutex);
    unsigned late = secrets.late;
    (void)pthread_mutex_unlock(&secrets.mutex);
    return late;
}

unsigned secrets_unmatched(const char **first)
{
    unsigned count = 0;
    for (size_t i = agent.options.redact.globs.count; i > 0; i--) {
        const struct redact_glob *g = &agent.options.redact.globs.items[i - 1];
        const bool unmatched = redact_unmatched(g);
        count += unmatched;
        *first = unmatched ? g->text : *first;
    }
    return count;
}

/* The globs that match nothing, joined by commas: an option has none in it. Empty: each of them matches. */
void secrets_put_places(void)
{
    struct writer w = { 0 };
    char number[24];
    if (agent.options.redact.globs.count == 0)
        return;
    for (size_t i = 0; i < agent.options.redact.globs.count; i++) {
        const struct redact_glob *g = &agent.options.redact.globs.items[i];
        if (!redact_unmatched(g))
            continue;
        if (w.size > 0)
            write_u1(&w, ',');
        write_bytes(&w, g->text, strlen(g->text));
    }
    write_u1(&w, '\0');
    if (!w.bad)
        (void)pendinglog_put_info(&agent.recorder.pending, "redact_unmatched", (const char *)w.data);
    writer_free(&w);
    (void)snprintf(number, sizeof number, "%u", agent.hidden_places);
    (void)pendinglog_put_info(&agent.recorder.pending, "redacted_places", number);
}

void secrets_put_counts(void)
{
    char number[24];
    if (agent.options.redact.globs.count == 0)
        return;
    secrets_put_places();
    (void)pthread_mutex_lock(&secrets.mutex);
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)secrets.hidden);
    (void)pthread_mutex_unlock(&secrets.mutex);
    (void)pendinglog_put_info(&agent.recorder.pending, "redacted_texts", number);
    const unsigned late = secrets_late();
    (void)snprintf(number, sizeof number, "%u", late);
    (void)pendinglog_put_info(&agent.recorder.pending, "redacted_late", number);
    char objects[LATE_KEPT * 12] = "";
    for (unsigned i = 0; i < late && i < LATE_KEPT; i++)
        (void)snprintf(objects + strlen(objects), sizeof objects - strlen(objects), "%s%u", i > 0 ? "," : "",
                       secrets.late_objects[i]);
    if (late > 0)
        (void)pendinglog_put_info(&agent.recorder.pending, "redacted_late_objects", objects);
}
