/* types.h - types that javac knows of values, generic ones too: from descriptors, the attributes Signature (JVMS
 * 4.7.9.1) and LocalVariableTypeTable. A public header of this folder.
 *
 *     class Shop<T extends Item> { Map<String, T> all; T first(); }
 *     Shop<Pen> s;         s.all           java.util.Map<java.lang.String,shop.Pen>
 *                          s.first()       shop.Pen
 *
 * A type is written as in Java source, with the full names of classes ($ before those of nested ones) and without
 * blanks; an argument "? extends X" is X, "? super X" and "?" are "?". TYPE_UNSURE stands for a type, or an argument,
 * that is not known. A raw type has no arguments. All texts live as long as the trace: one address for one
 * content. NULL, where a text is given: out of memory (trace_no_memory). */
#ifndef READER_CODE_TYPES_H
#define READER_CODE_TYPES_H

#include "reader/code/code.h"

#define TYPE_UNSURE "!"
static inline bool type_unsure(const char *type) { return type != NULL && type[0] == TYPE_UNSURE[0]; }

/* The same text, one address for one content. */
const char *type_kept(hs_trace *t, struct text type);
/* The type without arguments: the name of its class or array. */
const char *type_erased(hs_trace *t, const char *type);
/* Of an element of an array; TYPE_UNSURE: it is none. */
const char *type_of_element(hs_trace *t, const char *array);
/* Argument `number` of a type, or of that of its supertypes which is not woven, and so is no generic class of the
 * trace: of an Orders extends ArrayList<Order> that is Order. */
const char *type_argument(hs_trace *t, const char *type, uint64_t loader, unsigned number);

/* A variable of a method, by its row in LocalVariableTable. */
const char *type_of_variable(hs_trace *t, const struct method *m, const struct variable_scope *v);
/* A field of a receiver of that type (NULL: it is static, or of its own class); `loader`: of the receiver's class. */
const char *type_of_field(hs_trace *t, const char *receiver, const struct field *f, uint64_t loader);
/* What a method gives that is called on a receiver of that type (NULL as above) with arguments of such types. */
const char *type_of_result(hs_trace *t, const char *receiver, const struct hs_class *of, const struct hs_method *m,
                           const char *const *arguments, unsigned count);
/* What a method of a class without class file gives; `result`: a signature, whose variables E, K and T are the first
 * argument of the receiver's type, V is the second. */
const char *type_of_native(hs_trace *t, const char *receiver, uint64_t loader, struct text result);

/* value_texts.c: appends BigDecimal.toString(). `digits`: the unscaled value in decimal, with its sign. */
void value_big_decimal(struct writer *w, const char *digits, int64_t scale);

#endif
