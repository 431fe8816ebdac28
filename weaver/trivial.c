/* trivial.c - see trivial.h. */
#include "weaver/trivial.h"

#include "formats/jvm/opcode.h"

enum { TRIVIAL_BYTES = 24 }; /* longer code is not trivial */

/* May it be an instruction of one? Constants of classes are loaded by code that may be the program's. */
static bool is_plain(const struct classfile *cf, const struct insn *in, bool writes)
{
    const struct op_info *op = &op_table[in->op];
    switch (in->op) {
    case OPC_ldc:
    case OPC_ldc_w:
    case OPC_ldc2_w: {
        const unsigned tag = cpool_tag(&cf->cp, (uint32_t)in->operand);
        return tag == CONSTANT_Integer || tag == CONSTANT_Float || tag == CONSTANT_Long || tag == CONSTANT_Double ||
               tag == CONSTANT_String;
    }
    case OPC_getfield:
    case OPC_getstatic:
    case OPC_checkcast:
    case OPC_arraylength: return true;
    case OPC_putfield:
    case OPC_putstatic: return writes;
    default:
        return op->name != NULL && (op->flags & (OP_COND | OP_INVOKE | OP_JSR | OP_STORE)) == 0 &&
               ((op->flags & OP_RETURN) != 0 || (op->flags & (OP_THROWS | OP_END)) == 0);
    }
}

bool trivial_method(const struct classfile *cf, const struct member *m, struct text code, group_set groups)
{
    struct insn in = { 0 };
    if (code.size == 0 || code.size > TRIVIAL_BYTES || (m->access & ACC_SYNCHRONIZED) != 0)
        return false;
    for (uint32_t pc = 0; pc < code.size; pc += in.length)
        if (!insn_decode((const uint8_t *)code.data, (uint32_t)code.size, pc, &in) ||
            !is_plain(cf, &in, !(groups & GROUP_BIT(FIELD))) ||
            ((op_table[in.op].flags & OP_RETURN) != 0 && pc + in.length < code.size)) /* a handler follows */
            return false;
    return (op_table[in.op].flags & OP_RETURN) != 0;
}
