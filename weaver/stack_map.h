/* stack_map.h - the StackMapTable, JVMS 4.7.4, as complete frames at absolute pcs, and back.
 *
 * Verification types are kept as one word: the tag in the low byte, the pool index or the pc of `new` above it. A long
 * or double is one entry, as in the class file. */
#ifndef WEAVER_STACK_MAP_H
#define WEAVER_STACK_MAP_H

#include "formats/bytes.h"
#include "formats/status.h"
#include "formats/vec.h"

enum verification {
    VT_TOP,
    VT_INTEGER,
    VT_FLOAT,
    VT_DOUBLE,
    VT_LONG,
    VT_NULL,
    VT_UNINITIALIZED_THIS,
    VT_OBJECT,
    VT_UNINITIALIZED
};
typedef uint32_t vtype;
static inline enum verification vtype_tag(vtype v) { return (enum verification)(v & 0xff); }
static inline uint32_t vtype_index(vtype v) { return v >> 8; }
static inline vtype vtype_of(enum verification tag, uint32_t index) { return (uint32_t)tag | index << 8; }
static inline unsigned vtype_slots(vtype v) { return vtype_tag(v) == VT_LONG || vtype_tag(v) == VT_DOUBLE ? 2 : 1; }

struct stack_map_frame {
    uint32_t pc;
    uint32_t first; /* of its types in frames.types: locals, then stack, then unset */
    uint16_t locals, stack;
    /* An early_larval_frame (JEP 401) lists the strict fields that the constructor may not have set yet: that many, as
     * indices of NameAndType constants. A frame of another shape has those of the frame before it. */
    bool early;
    uint16_t unset;
};

struct stack_map {
    VEC(struct stack_map_frame) list; /* ascending pc; the implicit first frame is not in it */
    VEC(vtype) types;
};

/* `initial` are the locals of the implicit first frame (stack_map_initial). */
enum status stack_map_read(struct stack_map *f, const uint8_t *data, size_t size, uint32_t code_length,
                           const vtype *initial, uint16_t initial_count, struct error *err);
void stack_map_done(struct stack_map *f);

/* Appends a StackMapTable's content. Frames must ascend; pcs and `new` pcs are those of the new code. */
enum status stack_map_write(const struct stack_map_frame *list, size_t count, const vtype *types, const vtype *initial,
                            uint16_t initial_count, struct writer *w, struct error *err);

#endif
