/* faulty.c - an agent whose weaver makes mistakes, for test/agent/verify.sh: the linker puts this in the place of
 * weave_class (CMakeLists.txt). In woven classes with these beginnings of their names, methods named `run` get
 *
 *     Stack    a max_stack that is too small
 *     Call     a hook call whose constant is no method */
#include <string.h>

#include "formats/jvm/code.h"
#include "formats/jvm/opcode.h"
#include "weaver/weave.h"

enum status __real_weave_class(const void *data, size_t size, const struct weave_config *config,
                               struct weave_result *out, struct error *err);
enum status __wrap_weave_class(const void *data, size_t size, const struct weave_config *config,
                               struct weave_result *out, struct error *err);

static bool begins(struct text t, const char *with)
{
    return t.size >= strlen(with) && memcmp(t.data, with, strlen(with)) == 0;
}

static void put_fault(uint8_t *bytes, const struct classfile *cf, const struct attribute *a, struct text name)
{
    struct code c;
    uint8_t *max_stack = bytes + (a->data - cf->data);
    if (code_read(&c, a->data, a->length, NULL) == OK && begins(name, "Stack"))
        put_be2(max_stack, 1);
    for (size_t i = 0; i < c.insns.count && begins(name, "Call"); i++)
        if (c.insns.items[i].op == OPC_invokestatic)
            put_be2(bytes + (c.bytes + c.insns.items[i].pc + 1 - cf->data), cf->this_class);
    code_done(&c);
}

enum status __wrap_weave_class(const void *data, size_t size, const struct weave_config *config,
                               struct weave_result *out, struct error *err)
{
    struct classfile cf;
    struct text method;
    enum status s = __real_weave_class(data, size, config, out, err);
    if (s != OK || out->bytes.size == 0)
        return s;
    if (classfile_read(&cf, out->bytes.data, out->bytes.size, NULL) == OK)
        for (size_t i = 0; i < cf.methods.count; i++) {
            const struct member *m = &cf.methods.items[i];
            const struct attribute *a = classfile_attribute(&cf, m->first_attribute, m->attribute_count, "Code");
            if (a != NULL && cpool_utf8(&cf.cp, m->name, &method) && text_is(method, "run"))
                put_fault(out->bytes.data, &cf, a, out->row.name);
        }
    classfile_done(&cf);
    return s;
}
