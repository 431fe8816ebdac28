/* classfile.h - the ClassFile structure, JVMS 4.1: read, change attributes, write. Reading and writing back is
 * byte-identical, since every part is kept as a span of the original bytes. */
#ifndef FORMATS_JVM_CLASSFILE_H
#define FORMATS_JVM_CLASSFILE_H

#include "formats/jvm/cpool.h"

enum access {
    ACC_PUBLIC = 0x0001,
    ACC_PRIVATE = 0x0002,
    ACC_STATIC = 0x0008,
    ACC_FINAL = 0x0010,
    ACC_SYNCHRONIZED = 0x0020,
    ACC_VOLATILE = 0x0040,
    ACC_NATIVE = 0x0100,
    ACC_INTERFACE = 0x0200,
    ACC_ABSTRACT = 0x0400,
    ACC_BRIDGE = 0x0040,
    ACC_SYNTHETIC = 0x1000,
    ACC_MODULE = 0x8000,
};

/* attribute_info: `data` is what follows attribute_length. Borrowed from the class file or from the caller that
 * replaced it. */
struct attribute {
    uint16_t name;
    uint32_t length;
    const uint8_t *data;
};
typedef VEC(struct attribute) attribute_vec;

struct member {
    uint16_t access, name, desc;
    uint32_t first_attribute, attribute_count; /* in classfile.attributes */
};

struct classfile {
    const uint8_t *data; /* borrowed; must outlive this */
    size_t size;
    uint16_t minor, major;
    struct cpool cp;
    uint16_t access, this_class, super_class;
    const uint8_t *interfaces; /* interfaces_count u2s */
    uint16_t interface_count;
    VEC(struct member) fields;
    VEC(struct member) methods;
    attribute_vec attributes;                  /* of all members and of the class, in file order */
    uint32_t first_attribute, attribute_count; /* those of the class itself */
};

/* Parses all of `data`. Free with classfile_done, also after a failure. */
enum status classfile_read(struct classfile *cf, const void *data, size_t size, struct error *err);
void classfile_done(struct classfile *cf);
/* Appends the class file; out of memory sets w->bad. */
void classfile_write(const struct classfile *cf, struct writer *w);

/* The attribute of that name among `count` from `first`, or NULL. */
struct attribute *classfile_attribute(const struct classfile *cf, uint32_t first, uint32_t count, const char *name);
/* Reads an attribute list (count and entries) at the reader's position and appends it to `out`. ERR_FORMAT if it ends
 * too early, ERR_MEMORY; both set r->bad. */
enum status attributes_read(struct reader *r, attribute_vec *out, uint32_t *count);
void attributes_write(struct writer *w, const struct attribute *a, uint32_t count);

/* "java.lang.String[]" for "[Ljava/lang/String;": the type at the start of a field or method descriptor as Java source
 * writes it, appended to w. Returns the characters used of the descriptor, 0 if it is malformed. JVMS 4.3.2. */
size_t descriptor_to_source(const char *desc, size_t size, struct writer *w);
/* "(java.lang.String, int)" for "(Ljava/lang/String;I)V": the parameters of a method descriptor, appended to w. False
 * if it is malformed; what was appended is then to be ignored. */
bool descriptor_to_parameters(const char *desc, size_t size, struct writer *w);
/* Length of the first field type of a descriptor, 0 if malformed. */
size_t descriptor_type_length(const char *desc, size_t size);
/* Slots of the arguments (without receiver); false if malformed. `*result` is set to the return type. */
bool descriptor_measure(struct text desc, unsigned *argument_slots, struct text *result);
/* The parameters of a method descriptor, up to the first that is malformed. */
unsigned descriptor_count(struct text desc);
static inline unsigned type_slots(char letter) { return letter == 'V' ? 0 : letter == 'J' || letter == 'D' ? 2 : 1; }

#endif
