/* plan.c - steps, and the data IDs of their events. See plan.h. */
#include "weaver/plan.h"

#include "formats/derived.h"
#include "formats/windows.h"

uint8_t plan_role_of(const struct method_plan *m, enum event e)
{
    if (!(m->groups & GROUP_BIT(EXEC)))
        return ROLE_NEUTRAL;
    return e == EVENT_METHOD_ENTRY              ? ROLE_ENTER
           : e == EVENT_METHOD_NORMAL_EXIT      ? ROLE_LEAVE
           : e == EVENT_METHOD_EXCEPTIONAL_EXIT ? ROLE_EXCEPTIONAL
           : e == EVENT_CATCH_LABEL             ? ROLE_CATCH_LABEL
           : e == EVENT_CATCH                   ? ROLE_CATCH
           : e == EVENT_EVENTS_LEFT_OUT         ? ROLE_LEFT_OUT
                                                : ROLE_NONE;
}

void plan_role(struct method_plan *m, uint8_t role)
{
    struct writer *roles = &m->c->out->dataids.roles;
    if (!(m->groups & GROUP_BIT(EXEC)) || roles->size == 0)
        return;
    roles->data[roles->size - 1] = role;
    record_close(m); /* the data ID is of that record */
}

/* Records the trigger role of the next data ID. */
static void add_trigger(struct method_plan *m, enum event e)
{
    struct writer *triggers = &m->c->out->triggers;
    triggers->size = m->c->out->dataids.count; /* drops the entries of attempts that were rewound */
    const unsigned edges =
        (m->triggers.starts >> e & 1 ? EDGE_START : 0u) | (m->triggers.ends >> e & 1 ? EDGE_END : 0u);
    write_u1(triggers, edges != 0 ? edges | m->triggers.edges : 0);
}

bool plan_has_triggers(const struct method_plan *m)
{
    const struct weave_triggers *t = m->c->config->triggers;
    return t != NULL && (t->total || (m->triggers.starts | m->triggers.ends) != 0);
}

bool plan_is_trigger(const struct method_plan *m, uint32_t id, unsigned events)
{
    const struct writer *triggers = &m->c->out->triggers;
    const size_t first = id - m->c->config->first_dataid;
    bool any = false;
    for (size_t i = first; m->c->config->triggers != NULL && !triggers->bad && i < first + events; i++)
        any |= i < triggers->size && (triggers->data[i] & (EDGE_START | EDGE_END)) != 0;
    return any;
}

/* Adds a data ID at `pc` with its line. */
static void add_dataid(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, const struct attr_list *attrs)
{
    struct dataid_row row; /* filled field by field: its array of attributes is not used */
    if (m->c->config->triggers != NULL)
        add_trigger(m, e);
    row.method = m->scan.index;
    row.event = e;
    row.kind = (uint8_t)kind;
    row.joined = false;
    row.role = plan_role_of(m, e);
    row.pc = pc;
    row.line = m->scan.lines[pc];
    row.attr_count = attrs != NULL ? attrs->count : 0;
    dataid_rows_add(&m->c->out->dataids, &row, attrs != NULL ? attrs->items : NULL);
}

void plan_static(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, const struct attr_list *attrs)
{
    add_dataid(m, e, pc, kind, attrs);
}

uint32_t plan_event(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, int32_t slot,
                    const struct attr_list *attrs)
{
    struct planned_event *ev = vec_push(&m->planned.events);
    const uint32_t id = plan_next_id(m), row = (uint32_t)m->c->out->dataids.rows.size;
    if (m->c->config->frames_only && e != EVENT_METHOD_THROW)
        kind = KIND_VOID;
    add_dataid(m, e, pc, kind, attrs);
    if (ev != NULL)
        *ev = (struct planned_event){ e, kind, slot, id, row, NO_RECORD };
    else
        m->glue.code.bad = true;
    return id;
}

void plan_join(struct method_plan *m, const struct planned_event *ev)
{
    struct writer *triggers = &m->c->out->triggers;
    const uint32_t number = ev->id - m->c->config->first_dataid;
    if (m->c->config->triggers != NULL && !triggers->bad) {
        triggers->data[number] |= EDGE_SAME_CALL;
        if (plan_is_trigger(m, ev->id - 1, 2)) /* what begins or ends an interval has a record of its own */
            return;
    }
    dataid_rows_join(&m->c->out->dataids, number, ev->row);
}

/* ---- steps ---- */

/* Appends a step with the events since the last one. */
static void add_step(struct method_plan *m, enum step_kind kind, enum hook hook, bool release, unsigned on_stack)
{
    release = release && !m->c->config->frames_only;
    const uint32_t code = (uint32_t)m->glue.code.size, events = (uint32_t)m->planned.events.count;
    if (!vec_reserve(&m->planned.steps, m->planned.steps.count + 2)) {
        m->glue.code.bad = true;
        return;
    }
    if (code > m->planned.code_taken)
        m->planned.steps.items[m->planned.steps.count++] =
            (struct step){ .kind = STEP_CODE, .first = m->planned.code_taken, .end = code, .record = NO_RECORD };
    m->planned.code_taken = code;
    if (kind != STEP_CODE)
        m->planned.steps.items[m->planned.steps.count++] = (struct step){ .kind = kind,
                                                                          .release = release,
                                                                          .hook = (uint8_t)hook,
                                                                          .on_stack = (uint8_t)on_stack,
                                                                          .scratch = m->scratch,
                                                                          .first = m->planned.events_taken,
                                                                          .end = events,
                                                                          .record = NO_RECORD };
    m->planned.events_taken = events;
}

void record_value(struct method_plan *m, enum event e, uint32_t pc, unsigned kind, int32_t slot, bool release,
                  const struct attr_list *attrs)
{
    (void)plan_event(m, e, pc, kind, slot, attrs);
    add_step(m, STEP_VALUE, HOOK_v, release, 0);
}

void record_void(struct method_plan *m, enum event e, uint32_t pc, bool release, const struct attr_list *attrs)
{
    record_value(m, e, pc, KIND_VOID, SLOT_TOP, release, attrs);
}

void plan_items(struct method_plan *m, uint32_t pc, const struct sequence_item *items, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        (void)plan_event(m, items[i].event, pc, items[i].kind, items[i].slot, &items[i].attrs);
}

void record_sequence(struct method_plan *m, uint32_t pc, const struct sequence_item *items, unsigned count,
                     bool release)
{
    if (items[0].event == EVENT_METHOD_ENTRY && !plan_counts_only(m))
        m->planned.entry = (uint32_t)m->planned.events.count;
    plan_items(m, pc, items, count);
    add_step(m, STEP_SEQUENCE, HOOK_v, release, 0);
}

void record_pair(struct method_plan *m, uint32_t pc, const struct sequence_item items[2], bool release)
{
    plan_items(m, pc, items, 2);
    add_step(m, STEP_PAIR, HOOK_v, release, 0);
}

void record_pushed(struct method_plan *m, enum hook hook, bool release, unsigned on_stack)
{
    add_step(m, STEP_PUSHED, hook, release, on_stack);
}

void record_alone(struct method_plan *m, enum hook hook, bool release, unsigned on_stack)
{
    add_step(m, STEP_ALONE, hook, release, on_stack);
}

void record_close(struct method_plan *m) { add_step(m, STEP_CLOSE, HOOK_v, false, 0); }
void record_harmless(struct method_plan *m) { add_step(m, STEP_HARMLESS, HOOK_v, false, 0); }

uint32_t plan_place(struct method_plan *m)
{
    if (m->glue.code.size > m->planned.code_taken)
        add_step(m, STEP_CODE, HOOK_v, false, 0);
    return (uint32_t)m->planned.steps.count;
}

void plan_clear_steps(struct method_plan *m)
{
    m->glue.code.size = 0;
    m->planned.steps.count = m->planned.events.count = 0;
    m->planned.code_taken = m->planned.events_taken = 0;
    m->planned.entry = NO_EVENT;
}

bool plan_is_valueless(const struct method_plan *m, enum event e) { return m->inputs && derive_event_valueless(e); }

/* Classes whose initializers run no woven code: of the packages java.lang, java.util and java.io themselves, and
 * arrays. Others of the JDK may, as that of ForkJoinPool does, which makes an object of a class that a property names,
 * or that of SplittableRandom, which asks the security providers if a property says so. */
static bool is_platform(struct text name)
{
    static const char *const packages[] = { "java/lang/", "java/util/", "java/io/" };
    if (name.size > 0 && name.data[0] == '[')
        return true;
    if (text_is(name, "java/util/SplittableRandom"))
        return false;
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        size_t n = strlen(packages[i]);
        if (name.size > n && memcmp(name.data, packages[i], n) == 0)
            return memchr(name.data + n, '/', name.size - n) == NULL;
    }
    return false;
}

void record_mark(struct method_plan *m, uint32_t class_index)
{
    struct text name;
    if (m->inputs &&
        (m->c->config->asks_loader || !cpool_class(&m->c->cf->cp, class_index, &name) || !is_platform(name)))
        add_step(m, STEP_MARK, HOOK_v, false, 0);
}

void record_mark_named(struct method_plan *m)
{
    if (m->inputs && m->c->config->asks_loader)
        add_step(m, STEP_MARK, HOOK_v, false, 0);
}

unsigned plan_scratch(struct method_plan *m, char type)
{
    unsigned slot = m->scratch;
    m->scratch = (uint16_t)(m->scratch + type_slots(type));
    if (m->scratch > m->scratch_max)
        m->scratch_max = m->scratch;
    return slot;
}

unsigned plan_hidden_kind(struct method_plan *m, unsigned kind, bool hidden)
{
    if (kind == KIND_VOID || kind == KIND_REF || !hidden)
        return kind;
    m->hides_numbers = true;
    m->hidden++;
    return KIND_VOID;
}

/* ---- what the class file says ---- */

struct text source_of_descriptor(struct class_plan *c, const char *desc, size_t size)
{
    /* the same pool entries are looked up repeatedly */
    struct source_cache *slot = &c->descriptor_sources[((uintptr_t)desc ^ size) % SOURCE_CACHE];
    if (slot->desc == desc && slot->size == size)
        return slot->source;
    size_t room = 2 * size + sizeof "boolean";
    struct writer w = { .data = (uint8_t *)arena_chars(&c->arena, room), .cap = room };
    if (w.data == NULL || descriptor_to_source(desc, size, &w) == 0)
        return TEXT_OF("");
    *slot = (struct source_cache){ desc, size, { (const char *)w.data, w.size } };
    return slot->source;
}

struct text source_of_class(struct class_plan *c, uint32_t index)
{
    struct text name;
    if (!cpool_class(&c->cf->cp, index, &name))
        return TEXT_OF("");
    if (c->sources[index] != NULL)
        return *c->sources[index];
    struct text *t = arena_get(&c->arena, sizeof *t + name.size);
    if (t == NULL)
        return TEXT_OF("");
    if (name.size > 0 && name.data[0] == '[') {
        *t = source_of_descriptor(c, name.data, name.size);
    } else {
        char *copy = (char *)(t + 1);
        for (size_t i = 0; i < name.size; i++)
            copy[i] = name.data[i] == '/' ? '.' : name.data[i];
        *t = (struct text){ copy, name.size };
    }
    c->sources[index] = t;
    return *t;
}
