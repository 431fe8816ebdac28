/* array_length.c - the length of an array (creation.h): from the event that made it, the operands of multianewarray,
 * the call that returned it, or any arraylength.
 *
 *     iload n   bipush 2   multianewarray [[I 2      n has an event, 2 is in the code: rows of length 2
 *     CALL a.clone()   CALL_RETURN b                 b is as long as a */
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "reader/query/creation.h"
#include "reader/query/outside_call.h"

/* The length that NEW_ARRAY was given. */
static bool length_of_new(hs_trace *t, const struct hs_event *made, uint64_t *length)
{
    struct hs_event before;
    if (event_type(t, made->dataid) != EVENT_NEW_ARRAY_RESULT || event_beside(t, made, -1, &before, NULL) != OK ||
        event_type(t, before.dataid) != EVENT_NEW_ARRAY)
        return false;
    *length = before.value;
    return true;
}

/* ---- multianewarray ---- */

static unsigned dimensions(const char *type)
{
    unsigned n = 0;
    for (const char *p = type != NULL ? strchr(type, '[') : NULL; p != NULL; p = strchr(p + 1, '['))
        n++;
    return n;
}

bool array_dimension(hs_trace *t, uint32_t array, const struct hs_event *made, struct dimension *out)
{
    struct text type;
    const struct hs_dataid *site = dataid_or_none(t, made->dataid);
    const struct hs_object *o = hs_object_get(t, array);
    const struct method *code = method_get(t, site->method_id);
    const struct insn *in = code != NULL ? code_at(&code->code, site->pc) : NULL;
    if (o == NULL || in == NULL || in->op != OPC_multianewarray ||
        !cpool_class(&code->classfile->cp, (uint32_t)in->operand, &type))
        return false;
    unsigned all = 0, own = dimensions(o->type);
    while (all < type.size && type.data[all] == '[')
        all++;
    if (own > all || all - own >= in->extra)
        return false;
    *out = (struct dimension){ .number = all - own, .depth = in->extra - 1 - (all - own) };
    return true;
}

/* An operand of the instruction of an event, as far as constants and the events of its frame show. */
struct operand_search {
    hs_trace *trace;
    struct method *code;
    struct call_frame frame;
    struct event_position at;
};

/* The value of the latest event of the frame at `pc`, that of what the instruction has pushed. */
static bool pushed(const struct operand_search *s, uint32_t pc, uint64_t *value)
{
    enum { EVENTS_MOST = 10000 };
    struct frame_walk walk;
    struct hs_event e;
    frame_walk_begin(&walk, s->trace, s->at, &s->frame);
    for (unsigned i = 0; i < EVENTS_MOST && frame_walk_back(&walk, &e, NULL) == OK; i++) {
        const struct hs_dataid *d = dataid_or_none(s->trace, e.dataid);
        if (d->pc != pc || event_has(d->event, USE_STATIC_ONLY | USE_LEFT_OUT) || d->event == EVENT_LABEL ||
            d->event == EVENT_LINE_NUMBER)
            continue;
        *value = e.value;
        return e.kind != HS_KIND_VOID && strchr("IBSC", e.kind) != NULL;
    }
    return false;
}

static bool int_operand(const struct operand_search *s, uint32_t pc, uint32_t depth, unsigned level, uint64_t *value)
{
    enum { LEVELS = 8 };
    uint64_t left, right;
    const struct producers p = method_producers(s->trace, s->code, pc, depth);
    if (level == LEVELS || p.count != 1 || p.more || (p.pcs[0] & PRODUCER_CAUGHT) != 0)
        return false;
    const struct insn *in = code_at(&s->code->code, p.pcs[0]);
    if (in->op != OPC_aconst_null &&
        code_constant(&s->code->classfile->cp, in, value)) /* an int, as code that verifies */
        return true;
    const bool binary = in->op == OPC_iadd || in->op == OPC_isub || in->op == OPC_imul || in->op == OPC_iand ||
                        in->op == OPC_ior || in->op == OPC_ixor || in->op == OPC_ishl || in->op == OPC_ishr ||
                        in->op == OPC_iushr || in->op == OPC_idiv || in->op == OPC_irem;
    if (!binary)
        return pushed(s, p.pcs[0], value);
    if (!int_operand(s, p.pcs[0], 0, level + 1, &right) || !int_operand(s, p.pcs[0], 1, level + 1, &left) ||
        (right == 0 && (in->op == OPC_idiv || in->op == OPC_irem)))
        return false;
    *value = arithmetic_binary(in->op, left, right);
    return true;
}

static enum status length_of_dimension(hs_trace *t, uint32_t array, const struct hs_event *made, bool *known,
                                       uint64_t *length, struct error *err)
{
    struct dimension d;
    const struct hs_dataid *site = dataid_or_none(t, made->dataid);
    struct operand_search s = { .trace = t, .at = { positions_stream(t, made->thread), made->position } };
    const struct replay *state;
    if (!array_dimension(t, array, made, &d))
        return OK;
    enum status st = frames_at(t, s.at, &state, err);
    const struct call_frame *top = st == OK ? replay_top(state) : NULL;
    if (top == NULL || top->method != site->method_id || (s.code = method_get(t, site->method_id)) == NULL)
        return st;
    s.frame = *top;
    *known = int_operand(&s, site->pc, d.depth, 0, length) && *length <= INT32_MAX;
    return OK;
}

/* ---- calls that return arrays ---- */

enum length_of { OF_RECEIVER, OF_ARGUMENT, OF_RANGE };
static const struct {
    const char *owner, *name; /* owner NULL: an array */
    enum length_of of;
    unsigned argument; /* from 0 on; of a range the first one */
} returned[] = {
    { NULL, "clone", OF_RECEIVER, 0 },
    { "java.util.Arrays", "copyOf", OF_ARGUMENT, 1 },
    { "java.util.Arrays", "copyOfRange", OF_RANGE, 1 },
    { "java.lang.reflect.Array", "newInstance", OF_ARGUMENT, 1 },
    { "java.lang.String", "toCharArray", OF_RECEIVER, 0 },
};

/* The length of what a call returned; `*like` is an array that is as long. */
static bool length_of_call(hs_trace *t, const struct outside_call *c, uint64_t *length, uint32_t *like)
{
    const char *owner = outside_call_owner(c), *name = outside_call_name(c);
    const bool array = strchr(owner, '[') != NULL;
    for (size_t i = 0; i < sizeof returned / sizeof *returned; i++) {
        const struct hs_event *a = c->arguments + returned[i].argument;
        const size_t left = c->argument_count > returned[i].argument ? c->argument_count - returned[i].argument : 0;
        if (strcmp(returned[i].name, name) != 0 ||
            (returned[i].owner != NULL ? strcmp(returned[i].owner, owner) != 0 : !array))
            continue;
        if (returned[i].of == OF_RECEIVER) {
            const struct hs_object *o = hs_object_get(t, object_of(&c->call));
            *like = o == NULL || !o->has_string ? object_of(&c->call) : 0;
            *length = o != NULL ? o->length : 0;
            return o != NULL && o->has_string;
        }
        if (left <= (returned[i].of == OF_RANGE) || a[0].kind != HS_KIND_INT)
            return false;
        *length = returned[i].of == OF_RANGE ? a[1].value - a[0].value : a[0].value;
        return *length <= INT32_MAX;
    }
    return false;
}

/* Of the call whose CALL_RETURN is the first event of the array; `*like` as above. */
static enum status length_returned(hs_trace *t, uint32_t array, bool *known, uint64_t *length, uint32_t *like,
                                   struct error *err)
{
    struct walk w;
    struct hs_event first;
    struct outside_call c;
    walk_open_object(&w, t, array);
    const bool found = walk_next(&w, &first);
    enum status st = walk_close(&w, err);
    if (st != OK || !found || event_type(t, first.dataid) != EVENT_CALL_RETURN)
        return st;
    st = outside_call_of(t, &first, &c, err);
    if (st == OK)
        *known = length_of_call(t, &c, length, like);
    return st == ERR_NOT_FOUND ? OK : st;
}

/* ---- arraylength ---- */

static enum status length_asked(hs_trace *t, uint32_t array, bool *known, uint64_t *length, struct error *err)
{
    static const unsigned types[] = { EVENT_ARRAY_LENGTH };
    struct walk w;
    struct hs_event e, result;
    walk_open_types(&w, t, types, 1, array, UINT64_MAX);
    const bool asked = walk_next(&w, &e);
    enum status st = walk_close(&w, err);
    if (st != OK || !asked)
        return st;
    st = event_beside(t, &e, 1, &result, err);
    if (st == OK && event_type(t, result.dataid) == EVENT_ARRAY_LENGTH_RESULT) {
        *known = true;
        *length = result.value;
    }
    return st == ERR_NOT_FOUND ? OK : st;
}

enum status array_length_from(hs_trace *t, uint32_t array, const struct hs_event *made, bool *known, uint64_t *length,
                              struct error *err)
{
    enum { COPIES_MOST = 16 };
    struct hs_event other;
    enum status st = OK;
    *known = false;
    for (unsigned i = 0; i < COPIES_MOST; i++) {
        uint32_t like = 0;
        if (made != NULL) {
            if ((*known = length_of_new(t, made, length)))
                return OK;
            st = length_of_dimension(t, array, made, known, length, err);
        } else {
            st = length_returned(t, array, known, length, &like, err);
        }
        if (st == OK && !*known)
            st = length_asked(t, array, known, length, err);
        if (st != OK || *known || like == 0)
            return st;
        array = like;
        st = creation_of(t, array, &other, err);
        if (st != OK && st != ERR_NOT_FOUND)
            return st;
        made = st == OK ? &other : NULL;
    }
    return OK;
}

enum status array_length(hs_trace *t, uint32_t array, bool *known, uint64_t *length, struct error *err)
{
    struct hs_event made = { 0 };
    event_vec rows = { 0 };
    *known = false;
    enum status st = multi_elements(t, array, &rows, err);
    if (st == OK && rows.count > 0) {
        *known = true;
        *length = rows.count;
    }
    vec_free(&rows);
    if (st != OK || *known)
        return st;
    st = creation_of(t, array, &made, err);
    if (st != OK && st != ERR_NOT_FOUND)
        return st;
    return array_length_from(t, array, st == OK ? &made : NULL, known, length, err);
}

int hs_array_length(hs_trace *t, uint32_t array, uint64_t *length, struct hs_error *error)
{
    struct phase phase PHASE_ENDS = trace_phase(t, "length");
    struct error err = { 0 };
    const struct hs_object *o = hs_object_get(t, array);
    bool known = false;
    uint64_t found = 0;
    if (o == NULL || o->type == NULL || strchr(o->type, '[') == NULL)
        return 0;
    index_wish(t);
    if (array_length(t, array, &known, &found, &err) != OK)
        return give(error, &err);
    if (known)
        *length = found;
    return known;
}
