/* type_names.c - names of types as the trace has them. */
#include <string.h>

#include "formats/jvm/classfile.h"
#include "logging/agent/agent.h"

/* "Lcom/acme/Outer$Inner;" as com.acme.Outer$Inner; hidden classes are "Lcom/acme/X.0x0000;" and shown like
 * Class.getName. */
void types_put_name(struct writer *w, const char *signature)
{
    size_t start = w->size;
    if (descriptor_to_source(signature, strlen(signature), w) == 0)
        write_bytes(w, signature, strlen(signature));
    const char *dot = strrchr(signature, '.');
    if (dot == NULL)
        return;
    for (size_t i = start + (size_t)(dot - signature) - 1; i < w->size; i++)
        if (w->data[i] == '.') {
            w->data[i] = '/'; /* the part behind the name is not a package */
            break;
        }
}
