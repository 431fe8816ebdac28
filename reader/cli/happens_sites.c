/* happens_sites.c - what data IDs mean for the order of threads: fields, methods, calls of library code; see happens.h.
 */
#include <string.h>

#include "reader/cli/happens.h"
#include "reader/cli/show.h"

/* What library code does for the order of threads, by the class that a call names or the type of its receiver. The
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
    { "java.lang.reflect.Method", BY_POOL }, /* may call Thread.start */
    { "java.util.stream.", BY_POOL },
    { "java.util.Timer", BY_POOL },
    { "java.util.Collections$Synchronized", BY_OBJECT },
    { "java.util.Vector", BY_OBJECT },
    { "java.util.Stack", BY_OBJECT },
    { "java.util.Hashtable", BY_OBJECT },
    { "java.lang.StringBuffer", BY_OBJECT },
    { "java.lang.Thread$Builder", BY_POOL },
    { "javax.swing.", BY_POOL },
    { "java.awt.", BY_POOL },
};

uint8_t happens_library_of(const char *class_name)
{
    for (size_t i = 0; class_name != NULL && i < sizeof library / sizeof *library; i++)
        if (strncmp(class_name, library[i].prefix, strlen(library[i].prefix)) == 0)
            return library[i].does;
    return 0;
}

bool happens_unsafe_collection(const char *type)
{
    static const char package[] = "java.util.";
    static const char *const names[] = { "ArrayDeque",    "ArrayList",       "BitSet",     "EnumMap",
                                         "HashMap",       "HashSet",         "LinkedList", "LinkedHashMap",
                                         "LinkedHashSet", "IdentityHashMap", "TreeMap",    "TreeSet",
                                         "PriorityQueue", "WeakHashMap" };
    if (type == NULL || strncmp(type, package, sizeof package - 1) != 0)
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

static bool flag(const struct hs_dataid *d, const char *name)
{
    for (uint32_t i = 0; i < d->attr_count; i++)
        if (strcmp(d->attrs[i]->name, name) == 0)
            return d->attrs[i]->type == HS_ATTR_BOOL && d->attrs[i]->number != 0;
    return false;
}

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

/* A field has a number, as its class and its name have. */
static void learn_field(struct happens *h, const struct hs_dataid *d, struct happens_site *s)
{
    uint32_t name = name_number(h, show_text_attr(d, "name"));
    s->class_name = name_number(h, hs_field_declaring(h->trace, d->dataid));
    s->is_volatile = flag(d, "volatile");
    s->is_static = d->event == HS_EVENT_GET_STATIC_FIELD || d->event == HS_EVENT_PUT_STATIC_FIELD;
    if (name == 0 || s->class_name == 0)
        return;
    struct happens_thread *f = map_put(&h->fields, (uint64_t)s->class_name << 32 | name);
    h->failed |= f == NULL;
    if (f != NULL && f->slot == 0)
        f->slot = (uint32_t)h->fields.count;
    s->field = f != NULL ? f->slot : 0;
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

/* A VarHandle orders threads as volatile fields do, but for its plain and opaque accesses. What it accesses is not
 * looked at: all that it may be used for is taken as one. */
static bool orders_as_volatile(const char *owner, const char *name)
{
    static const char *const plain[] = { "get", "set", "getOpaque", "setOpaque", "weakCompareAndSetPlain" };
    if (owner == NULL || strcmp(owner, "java.lang.invoke.VarHandle") != 0)
        return false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(name, plain[i]) == 0)
            return false;
    return true;
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

/* By name and descriptor: whether it is called on a thread is known by its receiver. */
static void learn_call(const struct hs_dataid *d, struct happens_site *s)
{
    const char *name = show_text_attr(d, "name"), *desc = show_text_attr(d, "desc");
    const char *owner = show_text_attr(d, "owner");
    s->library = happens_library_of(owner);
    if (name == NULL || desc == NULL)
        return;
    if (orders_as_volatile(owner, name))
        s->library |= BY_OBJECT;
    s->future = future_of(name);
    s->gives_part = (s->library & BY_OBJECT) != 0 && gives_part(name);
    s->creates = strcmp(name, "<init>") == 0;
    s->changes = changes_collection(name);
    if (strcmp(name, "startVirtualThread") == 0)
        s->library |= BY_POOL;
    if (strcmp(name, "start") == 0 && strcmp(desc, "()V") == 0)
        s->call = CALL_START;
    else if (strcmp(name, "isAlive") == 0 && strcmp(desc, "()Z") == 0)
        s->call = CALL_IS_ALIVE;
    else if (strcmp(name, "interrupt") == 0 && strcmp(desc, "()V") == 0)
        s->call = CALL_INTERRUPT;
    else if ((strcmp(name, "interrupted") == 0 || strcmp(name, "isInterrupted") == 0) && strcmp(desc, "()Z") == 0)
        s->call = CALL_INTERRUPTED;
    else if (strcmp(desc, "()V") != 0 && strcmp(desc, "(J)V") != 0 && strcmp(desc, "(JI)V") != 0)
        return;
    else if (strcmp(name, "wait") == 0)
        s->call = CALL_WAIT;
    else if (strcmp(name, "join") == 0)
        s->call = CALL_JOIN;
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
