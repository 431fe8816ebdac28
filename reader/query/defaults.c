/* defaults.c - see defaults.h. */
#include "reader/query/defaults.h"

#include <stdlib.h>
#include <string.h>

#include "formats/map.h"
#include "reader/query/creation.h"
#include "reader/query/handover.h"
#include "reader/query/left_out.h"
#include "reader/query/periods.h"
#include "reader/query/state.h"

/* ---- what the trace does not record ---- */

struct unrecorded {
    bool any;              /* events are lost, or calls do not show all that they are given */
    bool outside;          /* code of the program that is not woven, or that ran before it was */
    bool fields, elements; /* methods have their events; else nothing is known of them */
    MAP(uint64_t) names;   /* hashes of fields that methods without these events write */
    uint64_t kinds;        /* of elements: bit kind - 'A' */
};

static void unrecorded_free(void *what)
{
    struct unrecorded *u = what;
    map_free(&u->names);
    free(u);
}

/* The JDK's own code does not know the fields of the program. What it does by reflection is given the object. */
static bool of_jdk(const struct hs_class *c)
{
    static const char *const packages[] = { "java.", "javax.", "jdk.", "sun.", "com.sun." };
    bool found = c->loader_id == 0;
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        found |= strncmp(c->name, packages[i], strlen(packages[i])) == 0;
    return found;
}

static uint64_t name_key(const char *name)
{
    const uint64_t hash = site_hash(name, strlen(name));
    return hash != 0 ? hash : 1;
}

static const char *const store_kinds[] = {
    [OPC_iastore - OPC_iastore] = "I", [OPC_lastore - OPC_iastore] = "J", [OPC_fastore - OPC_iastore] = "F",
    [OPC_dastore - OPC_iastore] = "D", [OPC_aastore - OPC_iastore] = "L", [OPC_bastore - OPC_iastore] = "BZ",
    [OPC_castore - OPC_iastore] = "C", [OPC_sastore - OPC_iastore] = "S",
};
static uint64_t kind_bit(char kind) { return kind >= 'A' && kind <= 'Z' ? (uint64_t)1 << (kind - 'A') : 0; }

/* Notes what a method does without an event. False: out of memory. */
static bool note_method(hs_trace *t, struct unrecorded *u, const struct hs_method *m)
{
    const bool put = (m->groups & GROUP_BIT(FIELD)) == 0 ||
                     ((m->groups & GROUP_BIT(EXEC)) == 0 && strcmp(m->name, "<init>") == 0); /* puts without object */
    const bool store = (m->groups & GROUP_BIT(ARRAY)) == 0;
    /* a call of a method of which nothing is recorded is one of code that is not woven */
    const bool call =
        m->groups != 0 && (m->groups & (GROUP_BIT(CALL) | GROUP_BIT(PARAM))) != (GROUP_BIT(CALL) | GROUP_BIT(PARAM));
    const bool result = m->groups != 0 && (m->groups & GROUP_BIT(EXEC)) == 0;
    bool reads = false, calls = false;
    const struct method *code = put || store || call || result ? method_get(t, m->method_id) : NULL;
    if (code == NULL) {
        u->any |= m->code_length > 0 && (put || store || call || result);
        return true;
    }
    struct member_ref field;
    char name[256];
    for (size_t i = 0; i < code->code.insns.count; i++) {
        const struct insn *in = &code->code.insns.items[i];
        const bool invokes = in->op >= OPC_invokevirtual && in->op <= OPC_invokedynamic;
        u->any |= (call && invokes) || (result && in->op == OPC_areturn);
        calls |= invokes;
        reads |= in->op == OPC_getfield || in->op == OPC_getstatic || in->op == OPC_aaload;
        for (const char *k = store && in->op >= OPC_iastore && in->op <= OPC_sastore ? store_kinds[in->op - OPC_iastore]
                                                                                     : "";
             *k != '\0'; k++)
            u->kinds |= kind_bit(*k);
        if (!put || in->op != OPC_putfield)
            continue;
        if (!cpool_member(&code->classfile->cp, (uint32_t)in->operand, &field) || field.name.size >= sizeof name) {
            u->any = true;
            continue;
        }
        memcpy(name, field.name.data, field.name.size);
        name[field.name.size] = '\0';
        if (map_put(&u->names, name_key(name)) == NULL)
            return false;
    }
    u->outside |= m->groups == 0 && calls && reads; /* it may give what it finds to others */
    return true;
}

static bool note_classes(hs_trace *t, struct unrecorded *u)
{
    const struct hs_class *c;
    const char *lost = hs_info(t, "lost");
    group_set all = 0;
    for (size_t i = 0; (c = class_at(t, i)) != NULL; i++) {
        u->outside |= c->state != HS_CLASS_WOVEN && !of_jdk(c);
        for (uint32_t k = 0; c->state == HS_CLASS_WOVEN && k < c->method_count; k++)
            all |= c->methods[k]->groups;
    }
    u->outside |= t->late || t->periods.count > 0;
    u->fields = (all & GROUP_BIT(FIELD)) != 0;
    u->elements = (all & GROUP_BIT(ARRAY)) != 0;
    u->any = (lost != NULL && strcmp(lost, "0") != 0) || hs_info(t, "dropped") != NULL ||
             (all & GROUP_BIT(CALL)) == 0 || (all & GROUP_BIT(PARAM)) == 0;
    for (size_t i = 0; !u->any && (u->fields || u->elements) && (c = class_at(t, i)) != NULL; i++)
        for (uint32_t k = 0; c->state == HS_CLASS_WOVEN && k < c->method_count; k++)
            if (!note_method(t, u, c->methods[k]))
                return false;
    return true;
}

/* NULL: out of memory. */
static const struct unrecorded *unrecorded_of(hs_trace *t)
{
    struct unrecorded *u = trace_attached(t, ATTACHED_UNRECORDED);
    if (u != NULL)
        return u;
    u = calloc(1, sizeof *u);
    if (u != NULL && note_classes(t, u)) {
        trace_attach(t, ATTACHED_UNRECORDED, u, unrecorded_free);
        return u;
    }
    if (u != NULL)
        unrecorded_free(u);
    trace_no_memory(t);
    return NULL;
}

bool default_of_field(hs_trace *t, struct field f)
{
    const struct unrecorded *u = unrecorded_of(t);
    return u != NULL && !u->any && u->fields && map_get(&u->names, name_key(f.name)) == NULL;
}

bool default_of_elements(hs_trace *t, char kind)
{
    const struct unrecorded *u = unrecorded_of(t);
    return u != NULL && !u->any && u->elements && (u->kinds & kind_bit(kind)) == 0;
}

/* ---- since when ---- */

/* METHOD_OBJECT_INITIALIZED of the constructor of the object's own class. */
static enum status own_constructor(hs_trace *t, uint32_t object, struct hs_event *out, struct error *err)
{
    static const unsigned types[] = { EVENT_METHOD_OBJECT_INITIALIZED };
    const struct hs_object *o = hs_object_get(t, object);
    struct walk w;
    struct hs_event e;
    bool found = false;
    if (o == NULL || o->type == NULL)
        return ERR_NOT_FOUND;
    walk_open_types(&w, t, types, 1, object, UINT64_MAX);
    while (!found && walk_next(&w, &e)) {
        const struct hs_method *m = hs_method_get(t, effects_get(t, e.dataid)->method);
        const struct hs_class *c = m != NULL ? hs_class_get(t, m->class_no) : NULL;
        found = c != NULL && strcmp(c->name, o->type) == 0;
    }
    enum status st = walk_close(&w, err);
    if (st == OK && found)
        *out = e;
    return st != OK || found ? st : ERR_NOT_FOUND;
}

enum status default_since_constructor(hs_trace *t, uint32_t object, struct hs_event *made, struct error *err)
{
    const struct unrecorded *u = unrecorded_of(t);
    /* code of the JDK returns it as it is, other code may have written it by then */
    return u == NULL ? state_memory(t, err) : u->outside ? ERR_NOT_FOUND : own_constructor(t, object, made, err);
}

enum status default_since(hs_trace *t, uint32_t object, struct hs_event *made, struct error *err)
{
    const enum status st = creation_of(t, object, made, err);
    return st == ERR_NOT_FOUND ? default_since_constructor(t, object, made, err) : st;
}

/* Was the object stored where code that is not woven can find it without being given it? */
static enum status is_stored(hs_trace *t, uint32_t object, uint64_t seq, bool *out, struct error *err)
{
    static const unsigned types[] = { EVENT_PUT_INSTANCE_FIELD_VALUE, EVENT_PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION,
                                      EVENT_PUT_STATIC_FIELD,         EVENT_ARRAY_STORE_VALUE,
                                      EVENT_INVOKE_DYNAMIC_PARAM,     EVENT_MULTI_NEW_ARRAY_ELEMENT };
    struct walk w;
    struct hs_event e;
    walk_open_types(&w, t, types, sizeof types / sizeof *types, object, seq);
    *out = walk_next(&w, &e);
    return walk_close(&w, err);
}

/* Are events missing between the two that may have written anything? */
static enum status is_left_out(hs_trace *t, uint64_t since, uint64_t seq, bool *out, struct error *err)
{
    u32_vec marks = { 0 };
    struct left_out missing = { 0 };
    *out = false;
    if (!left_out_any(t))
        return OK;
    enum status st = left_out_marks(t, NULL, &marks, err);
    if (st == OK)
        st = left_out_before(t, &marks, seq < UINT64_MAX ? seq + 1 : seq, &missing, err);
    vec_free(&marks);
    *out = missing.until > since;
    return st;
}

enum status defaults_hold(hs_trace *t, uint32_t object, const struct hs_event *made, uint64_t first, uint64_t seq,
                          bool *hold, struct error *err)
{
    const struct unrecorded *u = unrecorded_of(t);
    struct hs_handover handed;
    struct hs_event moment;
    bool missing = false;
    *hold = false;
    if (u == NULL)
        return state_memory(t, err);
    if (u->any || seq < first || t->events == 0)
        return OK;
    enum status st = event_at(t, seq < t->events ? seq : t->events - 1, &moment, err);
    if (st != OK || recording_gap(t, made, &moment))
        return st;
    st = handover_last(t, object, 0, seq, &handed, err);
    if (st != OK || handed.seq != HS_NO_SEQ)
        return st;
    st = is_left_out(t, first, seq, &missing, err);
    if (st == OK && !missing && u->outside)
        st = is_stored(t, object, seq, &missing, err);
    *hold = st == OK && !missing;
    return st;
}
