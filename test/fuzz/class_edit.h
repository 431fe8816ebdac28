/* class_edit.h - a class file being changed: for class_mutator.c. */
#ifndef TEST_FUZZ_CLASS_EDIT_H
#define TEST_FUZZ_CLASS_EDIT_H

#include "formats/arena.h"
#include "formats/jvm/code.h"
#include "weaver/stack_map.h"

struct class_edit {
    uint8_t *copy; /* of the class file; what it is parsed from */
    struct classfile cf;
    struct arena arena;
    uint64_t random;
};

/* False: it cannot be parsed, or has no constants. End it with edit_end if true. */
bool edit_begin(struct class_edit *e, const uint8_t *data, size_t size, unsigned seed);
void edit_end(struct class_edit *e);

/* A random number below `limit`, which is not 0. */
uint32_t edit_below(struct class_edit *e, uint32_t limit);
/* What is borrowed from the copy or the arena, to be changed. */
static inline uint8_t *edit_bytes(const struct class_edit *e, const uint8_t *p)
{
    (void)e;
    return (uint8_t *)(uintptr_t)p;
}
/* A random constant, of the kind of `like` if it is given and some tries find one. */
uint32_t edit_constant(struct class_edit *e, const uint8_t *like);

/* One method's code: changed through `code` (maxima, handlers) and `bytes`. */
struct code_edit {
    struct attribute *attribute;
    struct member *member;
    struct code code;
    uint8_t *bytes; /* the instructions */
    uint32_t length;
    struct stack_map frames;
    vtype initial[256];
    uint16_t initial_count;
    bool new_frames; /* the frames are to be written again */
};

/* The Code attribute of a random method; NULL: it has none. */
struct attribute *edit_code_attribute(struct class_edit *e);
/* Parses the code of a random method; false: it has none that can be parsed. */
bool edit_code(struct class_edit *e, struct code_edit *c);
/* Writes it back if `changed`. Returns that. */
bool edit_code_done(struct class_edit *e, struct code_edit *c, bool changed);
/* The pc of a random instruction. */
uint32_t edit_pc(struct class_edit *e, const struct code_edit *c);
/* Inserts bytes before the instruction at a pc; their number is a multiple of 4. Branches, handlers and frames lead to
 * the same instructions as before. False: it does not fit. */
bool edit_insert(struct class_edit *e, struct code_edit *c, uint32_t pc, const uint8_t *bytes, uint32_t n);

#endif
