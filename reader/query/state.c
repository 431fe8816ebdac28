/* state.c - the stack and the locals at a moment, and the memory of answers; see state.h. */
#include "reader/query/state.h"

#include "reader/query/past_heap.h"

#include "reader/query/place.h"

#include "formats/jvm/classfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIVES = 4096 };
struct answers {
    struct arena arenas[ANSWER_COUNT];
    struct last_answers last;
    struct object_life lives[LIVES];
};

static void answers_free(void *what)
{
    struct answers *a = what;
    for (unsigned i = 0; i < ANSWER_COUNT; i++)
        arena_done(&a->arenas[i]);
    free(a);
}

static struct answers *answers_of(hs_trace *t)
{
    struct answers *a = trace_attached(t, ATTACHED_ANSWERS);
    if (a != NULL)
        return a;
    a = calloc(1, sizeof *a);
    if (a != NULL)
        trace_attach(t, ATTACHED_ANSWERS, a, answers_free);
    return a;
}

struct arena *state_answer(hs_trace *t, enum answer kind)
{
    struct answers *a = answers_of(t);
    if (a == NULL)
        return NULL;
    arena_done(&a->arenas[kind]);
    return &a->arenas[kind];
}

struct last_answers *state_last(hs_trace *t)
{
    struct answers *a = answers_of(t);
    return a != NULL ? &a->last : NULL;
}

struct object_life *state_life(hs_trace *t, uint32_t id)
{
    struct answers *a = answers_of(t);
    return a != NULL ? &a->lives[id % LIVES] : NULL;
}

/* ---- the stack at a moment ---- */

struct making {
    hs_trace *trace;
    struct arena *arena;
    uint32_t stream;
    const struct hs_event *thrown; /* METHOD_EXCEPTIONAL_EXIT, if that happens at the moment */
    struct hs_frame *out;
};

static const char *slot_name(struct arena *arena, uint32_t slot)
{
    enum { ROOM = 16 };
    char *name = arena_chars(arena, ROOM);
    if (name != NULL)
        (void)snprintf(name, ROOM, "#%u", slot);
    return name;
}

/* The parameter's value as it was passed: in its slot, unless that was written since; then at the start of the
 * frame. */
static enum status find_argument(struct making *m, const struct replay *state, const struct call_frame *f,
                                 uint32_t slot, uint32_t id, uint64_t offset, bool *known, uint64_t *value,
                                 struct error *err)
{
    const struct local *l = slot < f->local_count ? &state->locals.items[f->first_local + slot] : NULL;
    *known = l != NULL && l->id == id;
    *value = *known ? l->value : 0;
    if (*known || l == NULL || f->entry == NO_POSITION)
        return OK;
    struct hs_event e;
    enum status st = positions_event(m->trace, (struct event_position){ m->stream, f->entry + offset }, &e, err);
    if (st == OK && e.dataid == id) {
        *known = true;
        *value = e.value;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

static const char *parameter_name(struct making *m, const struct method *code, const struct hs_dataid *d, uint32_t slot)
{
    const char *name = attribute_text(d, "name");
    if (name != NULL)
        return name;
    const struct variable_scope *scope = code != NULL ? method_variable(code, (uint16_t)slot, 0) : NULL;
    return scope != NULL ? scope->name : slot_name(m->arena, slot);
}

/* METHOD_PARAM follow METHOD_ENTRY, in the table of data IDs as in the stream. NULL: there is none of this number. */
static const struct hs_dataid *parameter_event(struct making *m, const struct call_frame *f, uint32_t number)
{
    enum { PARAMETERS_MAX = 255 };
    const struct hs_dataid *d =
        f->entry_id != UINT32_MAX && number < PARAMETERS_MAX ? hs_dataid_get(m->trace, f->entry_id + 1 + number) : NULL;
    return d != NULL && d->event == EVENT_METHOD_PARAM && d->method_id == f->method ? d : NULL;
}

/* `*known` false: the moment lies between METHOD_ENTRY and this METHOD_PARAM. */
static enum status parameter_of(struct making *m, const struct replay *state, const struct call_frame *f,
                                const struct method *code, uint32_t number, struct hs_variable *out, bool *known,
                                struct error *err)
{
    const uint32_t id = f->entry_id + 1 + number;
    const struct hs_dataid *d = hs_dataid_get(m->trace, id);
    const uint32_t slot = effects_get(m->trace, id)->slot;
    uint64_t value;
    enum status st = find_argument(m, state, f, slot, id, number + 1, known, &value, err);
    if (st == OK && *known)
        *out = (struct hs_variable){ .name = parameter_name(m, code, d, slot),
                                     .slot = slot,
                                     .kind = d->kind,
                                     .value = value,
                                     .position = f->entry + 1 + number };
    return st;
}

static enum status add_parameters(struct making *m, const struct replay *state, const struct call_frame *f,
                                  const struct method *code, struct error *err)
{
    uint32_t count = 0;
    while (parameter_event(m, f, count) != NULL)
        count++;
    if (count == 0)
        return OK;
    struct hs_variable *v = arena_array(m->arena, count, sizeof *v);
    if (v == NULL)
        return state_memory(m->trace, err);
    for (uint32_t i = 0; i < count; i++) {
        bool known;
        enum status st = parameter_of(m, state, f, code, i, &v[m->out->parameter_count], &known, err);
        if (st != OK)
            return st;
        m->out->parameter_count += known;
    }
    m->out->parameters = pointers_to(m->arena, v, sizeof *v, m->out->parameter_count);
    return m->out->parameters != NULL ? OK : state_memory(m->trace, err);
}

/* One variable has several ranges where branches assign it. */
static bool same_variable(const struct variable_scope *a, const struct variable_scope *b)
{
    return a == b || (a != NULL && b != NULL && a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0 &&
                      a->desc != NULL && b->desc != NULL && strcmp(a->desc, b->desc) == 0);
}

/* Name of the variable in a slot that was written by an event of data ID `d`, if it is alive at pc; NULL if it is not.
 * A variable whose range begins right after the instruction at pc is alive after its store (`stored`), not before. */
static const char *local_name(struct making *m, const struct method *code, uint32_t slot, const struct hs_dataid *d,
                              uint32_t pc, bool stored)
{
    if (code != NULL && code->variable_count > 0) {
        const struct variable_scope *now = method_variable(code, (uint16_t)slot, pc);
        const struct variable_scope *then = method_stored_variable(code, (uint16_t)slot, d->pc);
        return now != NULL && same_variable(now, then) && (stored || now->start <= pc) ? now->name : NULL;
    }
    const char *name = attribute_text(d, "name");
    return name != NULL ? name : slot_name(m->arena, slot);
}

/* False: none is alive in this slot. */
static bool local_of(struct making *m, const struct replay *state, const struct call_frame *f,
                     const struct method *code, uint32_t slot, struct hs_variable *out)
{
    const struct local *l = &state->locals.items[f->first_local + slot];
    const struct hs_dataid *d = l->id != UINT32_MAX ? hs_dataid_get(m->trace, l->id) : NULL;
    const char *name = d != NULL && d->event != EVENT_METHOD_PARAM
                           ? local_name(m, code, slot, d, m->out->pc, l->id == f->last_id)
                           : NULL;
    if (name != NULL)
        *out = (struct hs_variable){
            .name = name, .slot = slot, .kind = d->kind, .value = l->value, .position = l->position
        };
    return name != NULL;
}

static enum status add_locals(struct making *m, const struct replay *state, const struct call_frame *f,
                              const struct method *code, struct error *err)
{
    struct hs_variable *v = arena_array(m->arena, f->local_count, sizeof *v);
    if (v == NULL)
        return state_memory(m->trace, err);
    for (uint32_t slot = 0; slot < f->local_count; slot++)
        m->out->local_count += local_of(m, state, f, code, slot, &v[m->out->local_count]);
    m->out->locals = pointers_to(m->arena, v, sizeof *v, m->out->local_count);
    return m->out->locals != NULL ? OK : state_memory(m->trace, err);
}

static enum status add_monitors(struct making *m, const struct replay *state, const struct call_frame *f, size_t depth,
                                struct error *err)
{
    size_t first = 0, end;
    uint64_t own = hs_method_monitor(m->trace, f->method, f->has_self ? f->self : 0);
    while (first < state->monitors.count && state->monitors.items[first].depth < depth)
        first++;
    for (end = first; end < state->monitors.count && state->monitors.items[end].depth == depth;)
        end++;
    if (own == 0 && first == end)
        return OK;
    struct hs_monitor *held = arena_array(m->arena, end - first + 1, sizeof *held);
    if (held == NULL)
        return state_memory(m->trace, err);
    if (own != 0)
        held[m->out->monitor_count++] = (struct hs_monitor){ own, m->out->entered };
    for (; first < end; first++) {
        struct hs_monitor *to = &held[m->out->monitor_count++];
        to->object = state->monitors.items[first].object;
        enum status st =
            positions_seq(m->trace, (struct event_position){ m->stream, state->monitors.items[first].position },
                          state->monitors.items[first].stamp, &to->entered, err);
        if (st != OK)
            return st;
    }
    m->out->monitors = pointers_to(m->arena, held, sizeof *held, m->out->monitor_count);
    return m->out->monitors != NULL ? OK : state_memory(m->trace, err);
}

/* Are events of the frame missing? Its latest event shows it: percall= keeps the first ones. */
static enum status add_left_out(struct making *m, const struct call_frame *f, struct error *err)
{
    struct hs_event last;
    enum status st = positions_event(m->trace, (struct event_position){ m->stream, f->last }, &last, err);
    if (st != OK)
        return st == ERR_NOT_FOUND ? OK : st;
    if (effects_get(m->trace, last.dataid)->op != EFFECT_LEFT_OUT)
        return OK;
    m->out->left_out = last.value;
    m->out->nowhere = f->last_id == last.dataid;
    if (m->out->nowhere) {
        m->out->pc = 0;
        m->out->line = -1;
        m->out->file = NULL;
    }
    return OK;
}

/* Does the frame wait for the initialization of a class? The event of the instruction that needs it may come later. */
static bool called_by_jvm(hs_trace *t, const struct replay *state, size_t depth)
{
    const struct hs_method *callee = hs_method_get(t, state->stack.items[depth + 1].method);
    return callee != NULL && strcmp(callee->name, "<clinit>") == 0;
}

/* The instruction at which the frame stands, where that is not the one of its latest event: it threw, or called without
 * an event. */
static enum status find_place(struct making *m, const struct replay *state, size_t depth, struct error *err)
{
    const bool innermost = depth + 1 == state->stack.count;
    const struct hs_method *method = hs_method_get(m->trace, m->out->method_id);
    struct hs_place place;
    enum status st = OK;
    if (innermost && m->thrown != NULL)
        st = place_of(m->trace, m->thrown, &place, err);
    else if (method != NULL && !innermost && !m->out->nowhere &&
             ((method->groups & GROUP_BIT(CALL)) == 0 || called_by_jvm(m->trace, state, depth)))
        st = place_of_call(m->trace, state, depth, m->thrown, &place, err);
    else
        return OK;
    if (st != OK)
        return st;
    m->out->pc = place.pc;
    m->out->line = place.line;
    m->out->file = place.file;
    m->out->unsure = place.unsure;
    return OK;
}

/* All of a frame but its variables, when it was entered, and its monitors. */
static enum status begin_frame(struct making *m, const struct replay *state, const struct call_frame *f, size_t depth,
                               struct error *err)
{
    const struct hs_dataid *d = f->last_id != UINT32_MAX ? hs_dataid_get(m->trace, f->last_id) : NULL;
    *m->out = (struct hs_frame){ .method_id = f->method,
                                 .thread = m->trace->streams[m->stream].thread,
                                 .line = -1,
                                 .entered = HS_NO_SEQ,
                                 .has_this = f->has_self,
                                 .self = f->self };
    if (d != NULL) {
        m->out->pc = d->pc;
        m->out->line = d->line;
        m->out->file = d->file;
    }
    enum status st = add_left_out(m, f, err);
    return st == OK ? find_place(m, state, depth, err) : st;
}

static enum status add_variables(struct making *m, const struct replay *state, const struct call_frame *f,
                                 struct error *err)
{
    const struct method *code = method_get(m->trace, f->method);
    enum status st = add_parameters(m, state, f, code, err);
    return st == OK ? add_locals(m, state, f, code, err) : st;
}

static enum status add_frame(struct making *m, const struct replay *state, const struct call_frame *f, size_t depth,
                             struct error *err)
{
    enum status st = begin_frame(m, state, f, depth, err);
    if (st == OK)
        st = add_variables(m, state, f, err);
    if (st == OK && f->entry != NO_POSITION)
        st = positions_seq(m->trace, (struct event_position){ m->stream, f->entry }, f->entry_stamp, &m->out->entered,
                           err);
    return st == OK ? add_monitors(m, state, f, depth, err) : st;
}

/* The innermost frame just after the event. ERR_NOT_FOUND: no frame is open, or it is of a method whose entries are not
 * recorded (`*strange`), of which only the place is known. */
static enum status top_of(struct making *m, const struct hs_event *e, const struct replay **state, struct call_frame *f,
                          bool *strange, struct error *err)
{
    const struct effect *effect = effects_get(m->trace, e->dataid);
    const bool leaving = effect->op == EFFECT_LEAVE;
    m->stream = positions_stream(m->trace, e->thread);
    enum status st = frames_at(m->trace, (struct event_position){ m->stream, e->position + !leaving }, state, err);
    *strange = effect->op == EFFECT_STRANGE && hs_dataid_get(m->trace, e->dataid) != NULL;
    if (st != OK || *strange || (*state)->stack.count == 0)
        return st != OK ? st : ERR_NOT_FOUND;
    *f = *replay_top(*state);
    if (leaving && f->method == effect->method)
        f->last_id = e->dataid;
    if (effect->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
        m->thrown = e;
    return OK;
}

enum status top_frame_at(hs_trace *t, const struct hs_event *e, struct hs_frame *out, struct error *err)
{
    struct making m = { .trace = t, .out = out };
    const struct replay *state;
    struct call_frame f;
    bool strange;
    enum status st = top_of(&m, e, &state, &f, &strange, err);
    if (st == ERR_NOT_FOUND && strange) {
        const struct hs_dataid *d = hs_dataid_get(t, e->dataid);
        *out = (struct hs_frame){ .method_id = d->method_id, .thread = e->thread, .pc = d->pc, .line = d->line };
        return OK;
    }
    return st == OK ? begin_frame(&m, state, &f, state->stack.count - 1, err) : st;
}

enum status top_variables_at(hs_trace *t, const struct hs_event *e, struct arena *arena, struct hs_frame *top,
                             struct error *err)
{
    struct making m = { .trace = t, .arena = arena, .out = top };
    const struct replay *state;
    struct call_frame f;
    bool strange;
    const enum status st = top_of(&m, e, &state, &f, &strange, err);
    return st == OK ? add_variables(&m, state, &f, err) : st == ERR_NOT_FOUND ? OK : st;
}

enum status top_variable_at(hs_trace *t, const struct hs_event *e, const struct hs_frame *top, const char *name,
                            struct arena *arena, struct hs_variable *out, struct error *err)
{
    struct hs_frame frame = *top;
    struct making m = { .trace = t, .arena = arena, .out = &frame };
    const struct replay *state;
    struct call_frame f;
    bool strange, known;
    enum status st = top_of(&m, e, &state, &f, &strange, err);
    if (st != OK)
        return st;
    const struct method *code = method_get(t, f.method);
    for (uint32_t slot = 0; slot < f.local_count; slot++)
        if (local_of(&m, state, &f, code, slot, out) && strcmp(out->name, name) == 0)
            return OK;
    for (uint32_t i = 0; parameter_event(&m, &f, i) != NULL; i++) {
        st = parameter_of(&m, state, &f, code, i, out, &known, err);
        if (st != OK || (known && strcmp(out->name, name) == 0))
            return st;
    }
    return ERR_NOT_FOUND;
}

enum status stack_at(hs_trace *t, uint64_t seq, struct arena *arena, const struct hs_frame **out, size_t *count,
                     struct error *err)
{
    struct making m = { .trace = t, .arena = arena };
    struct event_position at;
    struct hs_event e;
    const struct replay *state;
    index_wish(t);
    enum status st = positions_find(t, seq, &at, err);
    if (st != OK)
        return st;
    st = positions_event(t, at, &e, err);
    if (st != OK)
        return st;
    const struct effect *effect = effects_get(t, e.dataid);
    const struct hs_dataid *d = hs_dataid_get(t, e.dataid);
    bool leaving = effect->op == EFFECT_LEAVE; /* an exit is recorded before its frame is removed */
    m.stream = at.stream;
    if (effect->event == EVENT_METHOD_EXCEPTIONAL_EXIT)
        m.thrown = &e;
    if (!leaving)
        at.position++;
    st = frames_at(t, at, &state, err);
    if (st != OK)
        return st;
    size_t n = 0, depth = state->stack.count;
    struct hs_frame *frames = arena_array(m.arena, depth + 1, sizeof *frames);
    if (frames == NULL)
        return state_memory(t, err);
    /* a method whose entries are not recorded: only its pc and line are known */
    if (effect->op == EFFECT_STRANGE && d != NULL)
        frames[n++] = (struct hs_frame){ .method_id = d->method_id,
                                         .thread = e.thread,
                                         .pc = d->pc,
                                         .line = d->line,
                                         .file = d->file,
                                         .entered = HS_NO_SEQ };
    for (size_t i = depth; i-- > 0;) {
        struct call_frame f = state->stack.items[i];
        if (leaving && i + 1 == depth && f.method == effect->method)
            f.last_id = e.dataid;
        m.out = &frames[n++];
        st = add_frame(&m, state, &f, i, err);
        if (st != OK)
            return st;
    }
    *out = frames;
    *count = n;
    return OK;
}

int hs_frames_open(hs_trace *trace, uint64_t seq, hs_cursor **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(trace, "frames");
    struct error err = { .status = ERR_MEMORY, .text = "out of memory" };
    const struct hs_frame *frames = NULL;
    size_t count = 0;
    struct list_answer *answer = list_answer_new();
    index_reach(trace, seq);
    if (answer == NULL || stack_at(trace, seq, &answer->arena, &frames, &count, &err) != OK) {
        list_answer_free(answer);
        return give(error, &err);
    }
    return cursor_over(ROW_frame, frames, sizeof *frames, count, answer, out, error);
}

enum status event_at(hs_trace *t, uint64_t seq, struct hs_event *out, struct error *err)
{
    struct event_position at;
    struct hs_event e;
    enum status st = positions_find(t, seq, &at, err);
    if (st == OK)
        st = positions_event(t, at, &e, err);
    if (st != OK)
        return st;
    e.seq = seq;
    e.kind = element_kind_of(t, &e);
    *out = e;
    return OK;
}

int hs_event_at(hs_trace *t, uint64_t seq, const struct hs_event **out, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "event");
    struct error err = { 0 };
    struct answers *a = answers_of(t);
    if (a == NULL) {
        (void)state_memory(t, &err);
        return give(error, &err);
    }
    if (event_at(t, seq, &a->last.event, &err) != OK)
        return give(error, &err);
    *out = &a->last.event;
    return 0;
}
