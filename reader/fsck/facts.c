/* facts.c - types, fields and calls of events, found when one is first checked: see facts.h. */
#include "reader/fsck/facts.h"

#include <stdlib.h>
#include <string.h>

bool facts_init(struct fsck *f)
{
    f->events = code_events(f->trace);
    f->facts = calloc((size_t)f->event_count + 1, sizeof *f->facts);
    return f->events != NULL && f->facts != NULL;
}

void facts_done(struct fsck *f) { free(f->facts); }

/* Sets the type that the instruction requires of the value. */
static void expect_type(struct fsck *f, const struct code_event *e, struct event_facts *facts)
{
    const struct hs_dataid *row = e->row;
    const struct method *m = e->method;
    const char *type = attribute_text(row, "type");
    if (e->kind != KIND_REF)
        return;
    if (e->event == EVENT_METHOD_ENTRY || e->event == EVENT_METHOD_OBJECT_INITIALIZED) {
        facts->type = m->owner->name;
    } else if (e->event == EVENT_GET_INSTANCE_FIELD || e->event == EVENT_PUT_INSTANCE_FIELD) {
        facts->type = attribute_text(row, "owner");
    } else if (e->event == EVENT_OBJECT_CONSTANT_LOAD && type != NULL && strcmp(type, "java.lang.String") == 0) {
        facts->type = type;
        facts->exact_type = true;
    } else if (e->event == EVENT_NEW_ARRAY_RESULT || e->event == EVENT_NEW_OBJECT_CREATED) {
        int64_t pc = attribute_number(row, "created", -1);
        struct text name;
        struct writer w = { 0 };
        uint32_t insn = e->event == EVENT_NEW_ARRAY_RESULT ? e->insn : code_insn_at(&m->code, pc);
        if (insn == NO_INSN)
            return;
        const struct insn *in = m->insns[insn].in;
        static const char *const primitives[] = {
            "boolean", "char", "float", "double", "byte", "short", "int", "long"
        };
        if (in->op == OPC_newarray) {
            const char *s = in->operand >= 4 && in->operand <= 11 ? primitives[in->operand - 4] : "?";
            write_bytes(&w, s, strlen(s));
        } else if ((in->op == OPC_new || in->op == OPC_anewarray) &&
                   cpool_class(&m->classfile->cp, (uint32_t)in->operand, &name)) {
            if (name.size > 0 && name.data[0] == '[')
                (void)descriptor_to_source(name.data, name.size, &w);
            for (size_t i = 0; i < name.size && name.data[0] != '['; i++)
                write_u1(&w, name.data[i] == '/' ? '.' : (unsigned char)name.data[i]);
        }
        if (in->op != OPC_new)
            write_bytes(&w, "[]", 2);
        f->no_memory |= w.bad;
        if (!w.bad && w.size > 2) {
            facts->type = trace_text(f->trace, (struct text){ (const char *)w.data, w.size }, false);
            facts->exact_type = true;
        }
        writer_free(&w);
    }
}

struct event_facts *facts_of(struct fsck *f, const struct code_event *e)
{
    struct event_facts *facts = &f->facts[e->row->dataid];
    if (facts->known)
        return facts;
    facts->known = true;
    facts->purity = e->event == EVENT_CALL || e->event == EVENT_INVOKE_DYNAMIC ? call_purity(e->row) : CALL_PURE;
    if (e->event >= EVENT_GET_INSTANCE_FIELD && e->event <= EVENT_PUT_STATIC_FIELD)
        facts->field = field_of(f, e->row);
    if (e->method != NULL)
        expect_type(f, e, facts);
    return facts;
}
