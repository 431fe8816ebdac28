/* jdwp_calls.c - calls of methods on the objects of the trace (InvokeMethod, NewInstance): executed over the heap as it
 * was where the session stands. What a call makes has ids of SPACE_MADE until the session moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/command/show_contents.h"
#include "reader/serve/jdwp.h"

enum { ARGUMENTS_MAX = 255, INVOKE_NONVIRTUAL = 2 };

/* The one with this id; clients ask by the class of the object, not by the one that was said to have it. */
static bool jdk_method(uint64_t id, struct nav_jdk_method *out)
{
    return id >= METHOD_JDK && nav_jdk_method_at((size_t)(id - METHOD_JDK), out);
}

/* ---- calls ---- */

static const struct hs_method *method_of(struct jdwp *d, uint64_t method)
{
    return method - 1 < UINT32_MAX ? hs_method_get(d->trace, (uint32_t)(method - 1)) : NULL;
}

/* An object or value of a packet, as an argument. */
static struct expression_value value_of(struct jdwp *d, char tag, uint64_t bits)
{
    const bool number = strchr("ZBCSIJFD", tag) != NULL;
    uint64_t loader;
    struct expression_value v = { .known = true, .kind = number ? tag : 'L' };
    v.bits = tag == 'B'   ? (uint64_t)(int8_t)bits
             : tag == 'S' ? (uint64_t)(int16_t)bits
             : tag == 'I' ? (uint64_t)(int32_t)bits
                          : bits;
    if (number || bits >> 32 == SPACE_OBJECT)
        return v;
    if (bits >> 32 == SPACE_MADE) {
        v.known = jdwp_made_type(d, bits, &v.bits, &loader) != NULL;
        v.missing = "an object of another moment";
    } else if (bits >> 32 == SPACE_TEXT) {
        v.kind = EXPRESSION_TEXT;
        v.known = (uint32_t)bits - 1 < d->made.count;
        v.text = v.known ? d->made.items[(uint32_t)bits - 1] : "";
    } else {
        v.known = false;
        v.missing =
            bits >> 32 == SPACE_UNKNOWN ? "a value that it takes" : "an object that stands for none of the trace";
    }
    return v;
}

/* The rest of the packet: arguments and options. False: it is malformed. */
static bool read_arguments(struct jdwp *d, struct reader *in, struct expression_value *to, size_t *count,
                           uint32_t *options)
{
    uint32_t n = read_u4(in);
    if (n > ARGUMENTS_MAX)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = 0;
        char tag;
        if (!jdwp_read_value(in, &bits, &tag))
            return false;
        to[(*count)++] = value_of(d, tag, bits);
    }
    *options = read_u4(in);
    return !in->bad;
}

/* The reply: the value, or none and the exception. Where the value is not known an exception, too, so that no
 * expression of the client goes on with it. */
static void put_result(struct jdwp *d, const struct expression_value *v, struct writer *out)
{
    if (v->thrown != NULL) {
        jdwp_put_object(d, out, 0);
        jdwp_put_object(d, out, v->bits >= NAV_MADE ? jdwp_made_id(d, v->bits) : v->bits);
        return;
    }
    if (!v->known) {
        jdwp_put_object(d, out, 0);
        jdwp_put_unknown(d, out, v->missing != NULL ? v->missing : "something that it depends on");
        return;
    }
    jdwp_put_value(d, out, v);
    jdwp_put_object(d, out, 0);
}

static enum jdwp_error call(struct jdwp *d, struct nav_call *call, struct expression_value *out)
{
    if (jdwp_calls(d) == NULL)
        return JDWP_OUT_OF_MEMORY;
    *out = nav_call(d->calls, call);
    return JDWP_NONE;
}

/* A static method of a type, or a constructor. */
static enum jdwp_error call_of_type(struct jdwp *d, struct reader *in, struct writer *out, bool makes)
{
    enum { ACC_STATIC = 0x0008 };
    struct expression_value given[ARGUMENTS_MAX], v;
    struct nav_jdk_method jdk;
    struct nav_call c = { .given = given };
    uint64_t type = read_u8(in), thread_id = read_u8(in), method = read_u8(in);
    uint32_t thread, options;
    if (jdwp_type_of(d, type) == NULL)
        return JDWP_INVALID_CLASS;
    if (!jdwp_thread(d, thread_id, &thread))
        return JDWP_INVALID_THREAD;
    if (jdwp_type_is(d, type, "hindsight.Time")) {
        if (makes || method < METHOD_OWN || method - METHOD_OWN >= OWN_TEXT)
            return JDWP_INVALID_METHODID;
        enum jdwp_error error = jdwp_call_time(d, thread, method - METHOD_OWN, in, out);
        if (error == JDWP_NONE)
            jdwp_put_object(d, out, 0);
        return error;
    }
    const struct hs_method *m = method_of(d, method);
    if (m != NULL) {
        if ((strcmp(m->name, "<init>") == 0) != makes || (!makes && (m->access & ACC_STATIC) == 0))
            return JDWP_INVALID_METHODID;
        c.method_id = m->method_id;
        c.exact = true;
    } else if (!makes && jdk_method(method, &jdk) && jdk.is_static) {
        c.jdk = &jdk;
    } else {
        return JDWP_INVALID_METHODID;
    }
    if (!read_arguments(d, in, given, &c.count, &options))
        return JDWP_ILLEGAL_ARGUMENT;
    enum jdwp_error error = call(d, &c, &v);
    if (error == JDWP_NONE)
        put_result(d, &v, out);
    return error;
}
COMMAND_OF(invoke_static) { return call_of_type(d, in, out, false); }
COMMAND_OF(invoke_interface) { return call_of_type(d, in, out, false); }
COMMAND_OF(new_instance) { return call_of_type(d, in, out, true); }

/* The text of an object whose toString() is not known: its type and id, and what a collection of the JDK held. */
static void put_text(struct jdwp *d, uint64_t object, struct writer *out)
{
    const struct hs_contents *c;
    uint64_t bits, loader;
    const char *type;
    d->text.used = 0;
    if (object >> 32 == SPACE_UNKNOWN) {
        jdwp_put_made(d, out, jdwp_unknown_text(d, object));
        return;
    }
    if (object >> 32 == SPACE_OBJECT) {
        bool held = hs_contents_at(d->trace, (uint32_t)object, nav_seq(d->nav), &c, NULL) > 0;
        if (!held || !c->known)
            show_value_text(&d->show, HS_KIND_REF, object);
        if (held) {
            out_text(&d->text, c->known ? "" : " ");
            show_contents_line(&d->show, c);
        }
    } else if ((type = jdwp_made_type(d, object, &bits, &loader)) != NULL) {
        out_text(&d->text, type);
        out_text(&d->text, ", made by a call");
    } else
        out_text(&d->text, "an object of the debugger");
    out_char(&d->text, '\0');
    jdwp_put_made(d, out, d->text.failed == 0 ? d->text.data : "(too long)");
}

/* toString of any object, as that of its class says it. */
static enum jdwp_error text_of(struct jdwp *d, uint64_t object, struct writer *out)
{
    static const struct nav_jdk_method to_string = { "", "toString", "()Ljava/lang/String;", false };
    struct expression_value self = value_of(d, 'L', object), v = { 0 };
    struct nav_call c = { .jdk = &to_string, .given = &self, .count = 1 };
    enum jdwp_error error = self.known ? call(d, &c, &v) : JDWP_NONE;
    if (error != JDWP_NONE)
        return error;
    if (v.known || v.thrown != NULL)
        put_result(d, &v, out);
    else {
        put_text(d, object, out);
        jdwp_put_object(d, out, 0);
    }
    return JDWP_NONE;
}

COMMAND_OF(invoke_object)
{
    struct expression_value given[ARGUMENTS_MAX + 1], v;
    struct nav_jdk_method jdk;
    struct nav_call c = { .given = given, .count = 1 };
    uint64_t object = read_u8(in), thread_id = read_u8(in), method;
    uint32_t thread, options = 0;
    (void)read_u8(in); /* the class of the object */
    method = read_u8(in);
    if (object == 0 || object >> 32 > SPACE_MADE)
        return JDWP_INVALID_OBJECT;
    if (!jdwp_thread(d, thread_id, &thread))
        return JDWP_INVALID_THREAD;
    if (method == METHOD_OWN + OWN_TEXT)
        return text_of(d, object, out);
    const struct hs_method *m = method_of(d, method);
    if (m != NULL)
        c.method_id = m->method_id;
    else if (jdk_method(method, &jdk) && !jdk.is_static)
        c.jdk = &jdk;
    else
        return JDWP_INVALID_METHODID;
    given[0] = value_of(d, 'L', object);
    if (!read_arguments(d, in, given, &c.count, &options))
        return JDWP_ILLEGAL_ARGUMENT;
    c.exact = (options & INVOKE_NONVIRTUAL) != 0;
    enum jdwp_error error = call(d, &c, &v);
    if (error == JDWP_NONE)
        put_result(d, &v, out);
    return error;
}
