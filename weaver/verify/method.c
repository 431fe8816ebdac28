/* method.c - faults, and the types that a method begins with (the implicit first frame, JVMS 4.10.1.6). See
 * method.h. */
#include "weaver/verify/method.h"

#include <stdarg.h>
#include <stdio.h>

bool method_fault(struct method_check *m, const char *fmt, ...)
{
    char what[ERROR_TEXT_MAX / 2], where[2 * TYPE_TEXT_MAX];
    va_list args;
    if (m->status != OK)
        return false;
    va_start(args, fmt);
    (void)vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    (void)snprintf(where, sizeof where, "%.*s%.*s", (int)m->name.size, m->name.data, (int)m->desc.size, m->desc.data);
    if (m->t->no_memory)
        m->status = error_memory(m->err, "the types of a class");
    else if (m->at != NULL)
        m->status = error_set(m->err, ERR_FORMAT, "%s pc %u: %s: %s", where, m->at->pc, op_table[m->at->op].name, what);
    else
        m->status = error_set(m->err, ERR_FORMAT, "%s: %s", where, what);
    return false;
}

bool method_no_memory(struct method_check *m)
{
    m->t->no_memory = true;
    return method_fault(m, "out of memory");
}

bool method_limit(struct method_check *m, const char *what)
{
    (void)method_fault(m, "%s", what);
    if (m->status == ERR_FORMAT)
        m->status = ERR_LIMIT;
    return false;
}

bool method_parameters(struct method_check *m, vtype out[256], uint16_t *count)
{
    struct text result;
    unsigned slots;
    uint16_t n = 0;
    if (!descriptor_measure(m->desc, &slots, &result))
        return method_fault(m, "a malformed descriptor");
    if (!(m->member->access & ACC_STATIC)) {
        out[n++] = m->is_constructor ? vtype_of(VT_UNINITIALIZED_THIS, 0) : m->t->this_type;
        slots++;
    }
    if (slots > 255 || slots > m->locals)
        return method_fault(m, "the parameters do not fit max_locals %u", m->locals);
    for (size_t i = 1; m->desc.data[i] != ')';) {
        size_t size = descriptor_type_length(m->desc.data + i, m->desc.size - i);
        out[n++] = types_of_descriptor(m->t, m->desc.data + i, size);
        i += size;
    }
    m->returns_void = result.data[0] == 'V';
    m->result = m->returns_void ? (vtype)VT_TOP : types_of_descriptor(m->t, result.data, result.size);
    *count = n;
    return true;
}

bool method_start(struct method_check *m)
{
    vtype types[256];
    uint16_t count;
    uint32_t at = 0;
    if (!method_parameters(m, types, &count))
        return false;
    for (uint32_t i = 0; i < m->slots; i++)
        m->now.slots[i] = VT_TOP;
    for (uint32_t i = 0; i < count; i++) {
        m->now.slots[at++] = types[i];
        if (type_is_wide(types[i]))
            m->now.slots[at++] = type_half(types[i]);
    }
    m->now.depth = 0;
    m->now.this_uninit = m->is_constructor;
    return true;
}
