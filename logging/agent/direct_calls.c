/* direct_calls.c - which calls enter woven code at once; see weaver/plan_direct.c.
 *
 * Of some calls that are not known yet the hook asks: it notes which method makes the call. The method that is entered
 * next has that one right below it on the stack, or else other code is in between. No woven method is: entering it
 * would have ended the question. */
#include <sys/mman.h>

#include "logging/agent/agent.h"

static uint64_t *sites; /* by data ID: HindsightHook.SITES */

enum { SITES_BYTES = COUNTER_IDS * sizeof *sites };

void direct_calls_init(void)
{
    const struct options *o = &agent.options;
    if (agent.recorder.counters.ring_room <= 1 || o->order_total || o->logstart != NULL || o->logend != NULL ||
        o->prewoven[0] != '\0' || /* woven for any format */
        filter_includes_system(&o->filter))
        return;
    void *at = mmap(NULL, SITES_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    sites = at != MAP_FAILED ? at : NULL;
}

uint64_t direct_calls_sites(void) { return (uint64_t)(uintptr_t)sites; }

void direct_calls_forget(void)
{
    if (sites != NULL)
        (void)madvise(sites, SITES_BYTES, MADV_DONTNEED);
}

/* The method `below` frames below that hook of the current thread, which called native code through another; NULL: it
 * is not known. */
static jmethodID frame_below(JNIEnv *env, jclass hooks, const char *hook, const char *type, jint below)
{
    enum { HOOK_AT = 2, FRAMES_MAX = HOOK_AT + 3 };
    jvmtiFrameInfo frames[FRAMES_MAX];
    jint count = 0;
    jmethodID id = (*env)->GetStaticMethodID(env, hooks, hook, type);
    if (agent_clear(env) || id == NULL ||
        (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, FRAMES_MAX, frames, &count) != JVMTI_ERROR_NONE)
        return NULL;
    return HOOK_AT + below < count && frames[HOOK_AT].method == id ? frames[HOOK_AT + below].method : NULL;
}

static struct thread_state *state_of(jlong desc)
{
    const struct thread_desc *d = (const struct thread_desc *)(uintptr_t)desc;
    return sites != NULL && !d->is_guest ? (struct thread_state *)(uintptr_t)d->owner : NULL;
}

bool direct_calls_ask(JNIEnv *env, jclass hooks, jint type, jlong desc)
{
    struct thread_state *t = state_of(desc);
    if (t == NULL)
        return false;
    t->asked_by = frame_below(env, hooks, "calls", type == 1 ? "(I)V" : "(Ljava/lang/Object;I)V", 1);
    t->asked_type = (uint32_t)type;
    return t->asked_by != NULL;
}

bool direct_calls_answer(JNIEnv *env, jclass hooks, uint32_t id, jlong desc)
{
    const struct thread_state *t = state_of(desc);
    if (t == NULL || id >= COUNTER_IDS || t->asked_by == NULL ||
        frame_below(env, hooks, "called", "()I", 2) != t->asked_by)
        return false;
    const uint64_t known = __atomic_load_n(&sites[id], __ATOMIC_RELAXED);
    __atomic_store_n(&sites[id], t->asked_type == 1 ? 1 : known << 32 | t->asked_type, __ATOMIC_RELAXED);
    return true;
}
