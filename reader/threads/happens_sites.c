/* happens_sites.c - what data IDs mean for the order of threads: fields, methods, calls of library code; see
 * happens.h. */
#include <string.h>

#include "reader/code/code.h"
#include "reader/threads/happens.h"
#include "reader/threads/target.h"

/* What library code does for the order of threads, by the class that a call names or that declares the method. The
 * first row that fits counts. */
static const struct {
    const char *prefix;
    uint8_t does;
} library[] = {
    { "java.util.concurrent.ThreadLocalRandom", 0 },
    { "java.util.concurrent.TimeUnit", 0 },
    { "java.util.concurrent.Executor", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.AbstractExecutorService", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.ForkJoin", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.Recursive", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.CountedCompleter", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.ThreadPool", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.ThreadPerTask", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.Scheduled", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.RunnableFuture", BY_OBJECT | BY_POOL | BY_FUTURE },
    { "java.util.concurrent.Future", BY_OBJECT | BY_POOL | BY_FUTURE },
    { "java.util.concurrent.Completable", BY_OBJECT | BY_POOL | BY_FUTURE },
    { "java.util.concurrent.Completion", BY_OBJECT | BY_POOL | BY_FUTURE },
    { "java.util.concurrent.Structured", BY_OBJECT | BY_POOL },
    { "java.util.concurrent.", BY_OBJECT },
    { "java.lang.invoke.VarHandle", BY_OBJECT }, /* what it accesses is not looked at: all of that is taken as one */
    { "java.lang.reflect.Method", BY_POOL },     /* may call Thread.start */
    { "java.util.stream.", BY_POOL },
    { "java.util.Timer", BY_POOL },
    { "java.util.Collections$Synchronized", BY_OBJECT },
    { "java.util.Vector", BY_OBJECT },
    { "java.util.Stack", BY_OBJECT },
    { "java.util.Hashtable", BY_OBJECT },
    { "java.lang.StringBuffer", BY_OBJECT },
    { "javax.swing.", BY_POOL },
    { "java.awt.", BY_POOL },
};

/* Methods of these that order nothing: plain and opaque accesses. */
static const struct {
    const char *prefix, *method;
} unordered[] = {
    { "java.lang.invoke.VarHandle", "get" },
    { "java.lang.invoke.VarHandle", "set" },
    { "java.lang.invoke.VarHandle", "getOpaque" },
    { "java.lang.invoke.VarHandle", "setOpaque" },
    { "java.lang.invoke.VarHandle", "weakCompareAndSetPlain" },
    { "java.util.concurrent.atomic.", "getPlain" },
    { "java.util.concurrent.atomic.", "setPlain" },
    { "java.util.concurrent.atomic.", "getOpaque" },
    { "java.util.concurrent.atomic.", "setOpaque" },
    { "java.util.concurrent.atomic.", "weakCompareAndSetPlain" },
    { "java.util.concurrent.atomic.", "weakCompareAndSet" }, /* plain, too, in these */
};

static bool begins(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* Sets enum library of a method of the class; false: the class has no row. */
static bool library_of(const char *class_name, const char *method, uint8_t *out)
{
    size_t row = 0;
    const size_t rows = sizeof library / sizeof *library;
    while (row < rows && !begins(class_name, library[row].prefix))
        row++;
    if (row == rows)
        return false;
    *out = library[row].does;
    for (size_t i = 0; i < sizeof unordered / sizeof *unordered; i++)
        if (begins(class_name, unordered[i].prefix) && strcmp(method, unordered[i].method) == 0)
            *out = 0;
    return true;
}

/* Is it a collection of the JDK that threads may not use at the same time? */
static bool unsafe_collection(const char *type)
{
    static const char package[] = "java.util.";
    static const char *const names[] = { "ArrayDeque",    "ArrayList",       "BitSet",     "EnumMap",
                                         "HashMap",       "HashSet",         "LinkedList", "LinkedHashMap",
                                         "LinkedHashSet", "IdentityHashMap", "TreeMap",    "TreeSet",
                                         "PriorityQueue", "WeakHashMap" };
    if (!begins(type, package))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(type + sizeof package - 1, names[i]) == 0)
            return true;
    return false;
}

/* How the names of methods begin that change a collection. */
static bool changes_collection(const char *name)
{
    static const char *const prefixes[] = { "add",    "and",     "clear",  "compute", "flip", "merge",
                                            "offer",  "or",      "poll",   "pop",     "push", "put",
                                            "remove", "replace", "retain", "set",     "sort", "xor" };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* A number for a text that lives as long as the trace; 0: none, or out of memory. */
static uint32_t name_number(struct happens *h, const char *text)
{
    if (text == NULL)
        return 0;
    uint64_t hash = map_hash(text, strlen(text));
    struct happens_name *n;
    while ((n = map_get(&h->names, hash)) != NULL && strcmp(n->text, text) != 0)
        hash = map_next_hash(hash);
    if (n != NULL)
        return n->number;
    n = map_put(&h->names, hash);
    h->failed |= n == NULL;
    if (n == NULL)
        return 0;
    n->text = text;
    n->number = (uint32_t)h->names.count;
    return n->number;
}

static bool flag(const struct hs_dataid *d, const char *name) { return attribute_number(d, name, 0) != 0; }

enum { ACCESS_STATIC = 0x0008, ACCESS_SYNCHRONIZED = 0x0020 };

static void learn_method(struct happens *h, const struct hs_dataid *d, struct happens_site *s)
{
    const struct hs_method *m = hs_method_get(h->trace, d->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(h->trace, m->class_no) : NULL;
    if (c == NULL)
        return;
    s->is_static = (m->access & ACCESS_STATIC) != 0;
    s->is_synchronized = (m->access & ACCESS_SYNCHRONIZED) != 0;
    s->initialiser = strcmp(m->name, "<clinit>") == 0;
    s->method_id = m->method_id;
    if (s->is_static || strcmp(m->name, "<init>") == 0)
        s->class_name = name_number(h, c->name);
    if (s->is_static && s->is_synchronized)
        s->class_object = hs_class_object(h->trace, c);
}

/* The number of a key, from 1 on. */
static uint32_t field_number(struct happens *h, uint64_t key)
{
    struct happens_thread *f = map_put(&h->fields, key);
    h->failed |= f == NULL;
    if (f != NULL && f->slot == 0)
        f->slot = (uint32_t)h->fields.count;
    return f != NULL ? f->slot : 0;
}

/* A field has a number: its class may declare several of its name, of other types. */
static void learn_field(struct happens *h, const struct hs_dataid *d, struct happens_site *s)
{
    uint32_t name = name_number(h, attribute_text(d, "name"));
    s->class_name = name_number(h, hs_field_declaring(h->trace, d->dataid));
    s->is_volatile = flag(d, "volatile");
    s->is_static = d->event == HS_EVENT_GET_STATIC_FIELD || d->event == HS_EVENT_PUT_STATIC_FIELD;
    if (name == 0 || s->class_name == 0)
        return;
    const uint32_t named = field_number(h, (uint64_t)s->class_name << 32 | name);
    const uint64_t typed = UINT64_C(1) << 63 | (uint64_t)named << 32;
    s->field = named != 0 ? field_number(h, typed | name_number(h, attribute_text(d, "type"))) : 0;
}

/* Methods of CompletableFuture and CompletionStage, by how their names begin. */
static const struct {
    const char *prefix;
    uint8_t does;
} futures[] = {
    { "complete", FUTURE_COMPLETED },      { "obtrude", FUTURE_COMPLETED }, { "cancel", FUTURE_COMPLETED },
    { "then", FUTURE_CONTINUED },          { "when", FUTURE_CONTINUED },    { "handle", FUTURE_CONTINUED },
    { "runAfter", FUTURE_CONTINUED },      { "accept", FUTURE_CONTINUED },  { "applyTo", FUTURE_CONTINUED },
    { "exceptionally", FUTURE_CONTINUED },
};

static uint8_t future_of(const char *name)
{
    for (size_t i = 0; i < sizeof futures / sizeof *futures; i++)
        if (strncmp(name, futures[i].prefix, strlen(futures[i].prefix)) == 0)
            return futures[i].does;
    return FUTURE_NONE;
}

/* Does a method of a lock return a part of it, which locks and unlocks the same? */
static bool gives_part(const char *name)
{
    static const char *const names[] = { "newCondition", "readLock",    "writeLock",
                                         "asReadLock",   "asWriteLock", "asReadWriteLock" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Methods of Thread, and Object.wait, by name and descriptor. */
static const struct {
    const char *name, *desc;
    uint8_t call, shown;
} calls[] = {
    { "start", "()V", CALL_START, 0 },
    { "start", "(Ljava/lang/Runnable;)Ljava/lang/Thread;", CALL_START_NEW, 0 }, /* of a Thread.Builder */
    { "startVirtualThread", "(Ljava/lang/Runnable;)Ljava/lang/Thread;", CALL_START_NEW, 0 },
    { "join", "()V", CALL_JOIN, SHOWN_ALWAYS },
    { "join", "(J)V", CALL_JOIN, SHOWN_PERHAPS },
    { "join", "(JI)V", CALL_JOIN, SHOWN_PERHAPS },
    { "join", "(Ljava/time/Duration;)Z", CALL_JOIN, SHOWN_BY_TRUE },
    { "isAlive", "()Z", CALL_JOIN, SHOWN_BY_FALSE },
    { "interrupt", "()V", CALL_INTERRUPT, 0 },
    { "interrupted", "()Z", CALL_INTERRUPTED, 0 },
    { "isInterrupted", "()Z", CALL_INTERRUPTED, 0 },
    { "wait", "()V", CALL_WAIT, 0 },
    { "wait", "(J)V", CALL_WAIT, 0 },
    { "wait", "(JI)V", CALL_WAIT, 0 },
};

/* A final method of Object: it looks at nothing that the object holds. */
static bool final_of_object(const char *name)
{
    static const char *const names[] = { "wait", "notify", "notifyAll", "getClass" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void learn_call(const struct hs_dataid *d, struct happens_site *s)
{
    const char *name = attribute_text(d, "name"), *desc = attribute_text(d, "desc");
    const char *owner = attribute_text(d, "owner");
    if (name == NULL || desc == NULL || owner == NULL)
        return;
    (void)library_of(owner, name, &s->library);
    s->future = future_of(name);
    s->gives_part = gives_part(name);
    s->creates = strcmp(name, "<init>") == 0;
    s->changes = changes_collection(name);
    s->of_object = final_of_object(name);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(name, calls[i].name) == 0 && strcmp(desc, calls[i].desc) == 0) {
            s->call = calls[i].call;
            s->shown = calls[i].shown;
        }
    if (s->call == CALL_START_NEW && !begins(owner, "java.lang.Thread"))
        s->call = CALL_OTHER;
}

static void learn_called(struct happens *h, const struct hs_dataid *d, const struct hs_type *receiver,
                         struct happens_called *c)
{
    const struct happens_site *site = &h->sites[d->dataid];
    const char *name = attribute_text(d, "name");
    bool unknown;
    c->library = site->library;
    c->call = site->call;
    if ((c->call == CALL_START || c->call == CALL_JOIN) && !target_is_thread(h->trace, d, receiver, &unknown) &&
        !unknown)
        c->call = CALL_OTHER;
    const struct call_target to = call_target(h->trace, d, receiver);
    const char *from = name != NULL ? to.outside : NULL;
    uint8_t does = 0;
    bool found = false;
    for (int i = 0; i < HS_SUPERCLASSES_MAX && from != NULL; i++, from = hs_class_super(h->trace, from, to.loader)) {
        found = found || library_of(from, name, &does);
        c->collection |= receiver != NULL && !site->creates && !site->of_object && unsafe_collection(from);
    }
    c->library |= does;
}

const struct happens_called *happens_called(struct happens *h, const struct hs_event *call, uint64_t receiver)
{
    const struct hs_type *type = target_type(h->trace, receiver);
    struct happens_called *c = map_put(&h->called, ((uint64_t)call->dataid << 32 | (type != NULL ? type->id : 0)) + 1);
    h->failed |= c == NULL;
    if (c == NULL || c->known)
        return c;
    c->known = true;
    learn_called(h, hs_dataid_get(h->trace, call->dataid), type, c);
    return c;
}

const struct happens_site *happens_site_of(struct happens *h, uint32_t dataid)
{
    const struct hs_dataid *d = hs_dataid_get(h->trace, dataid);
    struct happens_site *s = d != NULL ? &h->sites[dataid] : NULL;
    if (s == NULL || s->event != 0)
        return s;
    s->event = d->event;
    switch (d->event) {
    case HS_EVENT_METHOD_ENTRY:
    case HS_EVENT_METHOD_NORMAL_EXIT:
    case HS_EVENT_METHOD_EXCEPTIONAL_EXIT: learn_method(h, d, s); break;
    case HS_EVENT_CALL: learn_call(d, s); break;
    case HS_EVENT_GET_INSTANCE_FIELD_RESULT:
    case HS_EVENT_GET_STATIC_FIELD:
    case HS_EVENT_PUT_INSTANCE_FIELD_VALUE:
    case HS_EVENT_PUT_STATIC_FIELD: learn_field(h, d, s); break;
    default: break;
    }
    return s;
}
