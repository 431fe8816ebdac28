/* opcode.c - decoding by the table. Short forms (iload_1) give their slot like the long ones. */
#include "formats/jvm/opcode.h"

#include <stddef.h>

#include "formats/bytes.h"

const struct op_info op_table[256] = {
#define BY_POOL      "by the constant pool"
#define SLOTS(types) (sizeof(types) == sizeof(BY_POOL) ? -1 : (int8_t)sizeof(types) - 1)
#define OP(code, name, format, pops, pushes, flags)                                                                    \
    [code] = { #name, pops, pushes, OPF_##format, SLOTS(pops), SLOTS(pushes), flags },
#include "formats/jvm/opcodes.def"
#undef OP
};

static uint32_t padded(uint32_t pc) { return (pc & ~3u) + 4; } /* first 4-byte boundary behind the opcode */

static bool decode_switch(const uint8_t *code, uint32_t code_length, struct insn *in)
{
    uint32_t at = padded(in->pc);
    bool table = in->op == OPC_tableswitch;
    if (code_length < at || code_length - at < (table ? 12u : 8u))
        return false;
    uint64_t cells;
    if (table) {
        int64_t low = (int32_t)be4(code + at + 4), high = (int32_t)be4(code + at + 8);
        if (low > high)
            return false;
        cells = 3 + (uint64_t)(high - low + 1);
    } else {
        int32_t npairs = (int32_t)be4(code + at + 4);
        if (npairs < 0)
            return false;
        cells = 2 + 2 * (uint64_t)npairs;
    }
    if (cells > (code_length - at) / 4)
        return false;
    in->length = at + 4 * (uint32_t)cells - in->pc;
    return true;
}

uint32_t switch_count(const uint8_t *code, const struct insn *in)
{
    const uint8_t *p = code + padded(in->pc);
    return in->op == OPC_tableswitch ? 2 + be4(p + 8) - be4(p + 4) : 1 + be4(p + 4);
}

int32_t switch_target(const uint8_t *code, const struct insn *in, uint32_t index)
{
    const uint8_t *p = code + padded(in->pc);
    if (index > 0)
        p += in->op == OPC_tableswitch ? 8 + 4 * index : 4 + 8 * index;
    return (int32_t)in->pc + (int32_t)be4(p);
}

int32_t switch_key(const uint8_t *code, const struct insn *in, uint32_t index)
{
    const uint8_t *p = code + padded(in->pc);
    return (int32_t)(in->op == OPC_tableswitch ? be4(p + 4) + (index - 1) : be4(p + 8 * index));
}

uint32_t switch_case(const uint8_t *code, const struct insn *in, int32_t value)
{
    uint32_t low = 1, high = switch_count(code, in);
    if (in->op == OPC_tableswitch) {
        const int64_t at = (int64_t)value - switch_key(code, in, 1) + 1;
        return at >= 1 && at < high ? (uint32_t)at : 0;
    }
    while (low < high) { /* keys rise */
        const uint32_t middle = low + (high - low) / 2;
        if (switch_key(code, in, middle) < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < switch_count(code, in) && switch_key(code, in, low) == value ? low : 0;
}

bool insn_decode(const uint8_t *code, uint32_t code_length, uint32_t pc, struct insn *in)
{
    if (pc >= code_length)
        return false;
    /* in place: the fields are of many sizes, and slow to copy at once */
    *in = (struct insn){ .pc = pc, .op = code[pc], .length = 1 };
    uint32_t left = code_length - pc;
    if (in->op == OPC_wide) {
        if (left < 4)
            return false;
        in->wide = true;
        in->op = code[pc + 1];
        if (op_table[in->op].name == NULL ||
            (op_table[in->op].format != OPF_LOCAL && op_table[in->op].format != OPF_IINC))
            return false;
    }
    const struct op_info *info = &op_table[in->op];
    if (info->name == NULL)
        return false;
    static const uint8_t sizes[] = {
        [OPF_NONE] = 1,         [OPF_BYTE] = 2,      [OPF_SHORT] = 3,   [OPF_CP1] = 2,     [OPF_CP2] = 3,
        [OPF_LOCAL] = 2,        [OPF_IINC] = 3,      [OPF_BRANCH2] = 3, [OPF_BRANCH4] = 5, [OPF_TABLESWITCH] = 1,
        [OPF_LOOKUPSWITCH] = 1, [OPF_INTERFACE] = 5, [OPF_DYNAMIC] = 5, [OPF_MULTI] = 4,   [OPF_WIDE] = 1,
    };
    in->pops = info->pops;
    in->pushes = info->pushes;
    in->length = sizes[info->format];
    if (in->wide)
        in->length = info->format == OPF_IINC ? 6 : 4;
    if (in->length > left)
        return false;
    const uint8_t *p = code + pc + 1;
    switch ((enum op_format)info->format) {
    case OPF_NONE:
        if (in->op >= OPC_iload_0 && in->op <= OPC_aload_3)
            in->local = (in->op - OPC_iload_0) & 3;
        else if (in->op >= OPC_istore_0 && in->op <= OPC_astore_3)
            in->local = (in->op - OPC_istore_0) & 3;
        break;
    case OPF_BYTE: in->operand = (int8_t)p[0]; break;
    case OPF_SHORT: in->operand = (int16_t)be2(p); break;
    case OPF_CP1: in->operand = p[0]; break;
    case OPF_CP2:
    case OPF_DYNAMIC: in->operand = be2(p); break;
    case OPF_LOCAL: in->local = in->wide ? be2(p + 1) : p[0]; break;
    case OPF_IINC:
        in->local = in->wide ? be2(p + 1) : p[0];
        in->operand = in->wide ? (int16_t)be2(p + 3) : (int8_t)p[1];
        break;
    case OPF_BRANCH2: in->operand = (int32_t)pc + (int16_t)be2(p); break;
    case OPF_BRANCH4: {
        int64_t to = (int64_t)pc + (int32_t)be4(p);
        if (to < 0 || to > INT32_MAX)
            return false;
        in->operand = (int32_t)to;
        break;
    }
    case OPF_INTERFACE:
        in->operand = be2(p);
        in->extra = p[2];
        break;
    case OPF_MULTI:
        in->operand = be2(p);
        in->pops = in->extra = p[2];
        break;
    case OPF_TABLESWITCH:
    case OPF_LOOKUPSWITCH:
        if (!decode_switch(code, code_length, in))
            return false;
        break;
    case OPF_WIDE: return false; /* wide wide */
    }
    return true;
}

char op_local_type(uint8_t op)
{
    static const char letters[] = "IJFDA";
    if (op >= OPC_iload && op <= OPC_aload)
        return letters[op - OPC_iload];
    if (op >= OPC_iload_0 && op <= OPC_aload_3)
        return letters[(op - OPC_iload_0) / 4];
    if (op >= OPC_istore && op <= OPC_astore)
        return letters[op - OPC_istore];
    if (op >= OPC_istore_0 && op <= OPC_astore_3)
        return letters[(op - OPC_istore_0) / 4];
    return 0;
}

const char *op_dup_order(uint8_t op)
{
    static const char *const orders[] = { "00", "010", "0210", "1010", "10210", "103210", "01" };
    return op >= OPC_dup && op <= OPC_swap ? orders[op - OPC_dup] : "";
}
