/* expression.c - expressions over what is recorded; see session.h.
 *
 *     or     a || b                    value   literal  this  name  Class.name  #12 (the object)  ( or )
 *     and    a && b                    suffix  .field  [index]  .length  .method()
 *     then   | ^ &   == !=   < <= > >= instanceof   << >> >>>   + -   * / %   ! ~ - +
 *
 * Values follow the rules of Java for numbers and texts. What was not recorded is "not known", and so is what is
 * computed from it; && and || need only what decides them. A method is not called: x.name() is what a method of the
 * name returned last for x in this thread, up to the moment, or else next. Nesting is limited. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json.h"
#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"
#include "reader/session/nav.h"

enum { NESTING_MAX = 100, NAME_MAX_BYTES = 1000, KIND_TEXT = 'T' };

struct reading {
    struct nav *nav; /* NULL: only the form is checked */
    uint32_t thread;
    size_t frame;
    struct arena *arena;
    const char *at;
    unsigned depth;
    enum status status;
    struct error *err;
    bool skip; /* the value is not needed */
};

static const struct nav_value not_known = { .seq = HS_NO_SEQ };

static struct nav_value fail(struct reading *r, const char *what, const char *name)
{
    if (r->status == OK)
        r->status = error_set(r->err, ERR_USAGE, name != NULL ? "%s: %.200s" : "%s", what, name);
    return not_known;
}

static struct nav_value number(char kind, uint64_t bits)
{
    return (struct nav_value){ .known = true, .kind = kind, .bits = bits, .seq = HS_NO_SEQ };
}
static struct nav_value boolean(bool v) { return number('Z', v); }

/* ---- words ---- */

static void blanks(struct reading *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

/* Takes an operator if it is next, and none that it begins. */
static bool take(struct reading *r, const char *op)
{
    static const char *const longer[] = { "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", ">>>", NULL };
    size_t n = strlen(op);
    blanks(r);
    if (strncmp(r->at, op, n) != 0)
        return false;
    for (size_t i = 0; longer[i] != NULL; i++)
        if (strlen(longer[i]) > n && strncmp(longer[i], op, n) == 0 &&
            strncmp(r->at, longer[i], strlen(longer[i])) == 0)
            return false;
    r->at += n;
    return true;
}

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* A Java identifier into `name`; false: there is none. */
static bool take_name(struct reading *r, char name[NAME_MAX_BYTES])
{
    size_t n = 0;
    blanks(r);
    if (!begins_name(*r->at))
        return false;
    while (begins_name(r->at[n]) || isdigit((unsigned char)r->at[n]))
        n++;
    if (n >= NAME_MAX_BYTES) {
        (void)fail(r, "a name is too long", NULL);
        return false;
    }
    memcpy(name, r->at, n);
    name[n] = '\0';
    r->at += n;
    return true;
}

/* ---- texts ---- */

static struct nav_value text_value(struct reading *r, struct writer *w)
{
    write_u1(w, 0);
    char *copy = w->bad ? NULL : arena_chars(r->arena, w->size);
    if (copy != NULL)
        memcpy(copy, w->data, w->size);
    writer_free(w);
    if (copy == NULL) {
        r->status = error_memory(r->err, "expression");
        return not_known;
    }
    return (struct nav_value){ .known = true, .kind = KIND_TEXT, .text = copy, .seq = HS_NO_SEQ };
}

static const struct hs_object *string_of(struct reading *r, const struct nav_value *v)
{
    const struct hs_object *o = r->nav != NULL && v->known && v->kind == 'L' && v->bits - 1 < UINT32_MAX
                                    ? hs_object_get(r->nav->trace, (uint32_t)v->bits)
                                    : NULL;
    return o != NULL && o->has_string ? o : NULL;
}

static bool is_text(struct reading *r, const struct nav_value *v)
{
    return v->known && (v->kind == KIND_TEXT || string_of(r, v) != NULL);
}

/* The text that a value has in a concatenation. */
static void write_value(struct reading *r, const struct nav_value *v, struct writer *w)
{
    char digits[JSON_NUMBER_MAX];
    const struct hs_object *o;
    const char *text = digits;
    switch (v->kind) {
    case KIND_TEXT: text = v->text; break;
    case 'Z': text = v->bits != 0 ? "true" : "false"; break;
    case 'F': text = json_float_digits((uint32_t)v->bits, digits); break;
    case 'D': text = json_double_digits(v->bits, digits); break;
    case 'C': {
        uint8_t unit[2] = { (uint8_t)v->bits, (uint8_t)(v->bits >> 8) };
        utf16le_to_utf8(unit, 2, w);
        return;
    }
    case 'L':
        o = string_of(r, v);
        if (o != NULL) {
            (o->latin1 ? latin1_to_utf8 : utf16le_to_utf8)(o->data, o->data_bytes, w);
            return;
        }
        o = v->bits - 1 < UINT32_MAX ? hs_object_get(r->nav->trace, (uint32_t)v->bits) : NULL;
        text = v->bits == 0 ? "null" : o != NULL && o->type != NULL ? o->type : "object";
        write_bytes(w, text, strlen(text));
        if (v->bits == 0)
            return;
        (void)snprintf(digits, sizeof digits, "#%llu", (unsigned long long)v->bits);
        text = digits;
        break;
    default: (void)snprintf(digits, sizeof digits, "%lld", (long long)v->bits); break;
    }
    write_bytes(w, text, strlen(text));
}

static struct nav_value concatenated(struct reading *r, const struct nav_value *a, const struct nav_value *b)
{
    struct writer w = { 0 };
    write_value(r, a, &w);
    write_value(r, b, &w);
    return text_value(r, &w);
}

/* Equal contents; of two objects: the same object, as in Java. */
static bool same_text(struct reading *r, const struct nav_value *a, const struct nav_value *b)
{
    struct writer x = { 0 }, y = { 0 };
    write_value(r, a, &x);
    write_value(r, b, &y);
    bool same = !x.bad && !y.bad && x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
    writer_free(&x);
    writer_free(&y);
    return same;
}

/* ---- numbers ---- */

static bool is_number(const struct nav_value *v) { return strchr("BCSIJFD", v->kind) != NULL && v->kind != '\0'; }

/* I, J, F or D: as binary numeric promotion has it (JLS 5.6). */
static char promoted(char a, char b)
{
    static const char order[] = "DFJ";
    for (size_t i = 0; order[i] != '\0'; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return 'I';
}

static uint64_t converted(const struct nav_value *v, char to)
{
    if (to == 'D')
        return v->kind == 'D' ? v->bits
                              : of_double(v->kind == 'F' ? (double)as_float(v->bits) : (double)(int64_t)v->bits);
    if (to == 'F')
        return v->kind == 'F' ? v->bits : of_float((float)(int64_t)v->bits);
    return v->bits;
}

/* The instruction of an operator for ints; those for long, float and double follow it. */
static unsigned opcode_of(const char *op)
{
    switch (op[0]) {
    case '+': return OPC_iadd;
    case '-': return OPC_isub;
    case '*': return OPC_imul;
    case '/': return OPC_idiv;
    case '%': return OPC_irem;
    case '&': return OPC_iand;
    case '|': return OPC_ior;
    case '^': return OPC_ixor;
    case '<': return OPC_ishl;
    default: return op[2] == '>' ? OPC_iushr : OPC_ishr;
    }
}

static struct nav_value calculated(struct reading *r, const char *op, const struct nav_value *a,
                                   const struct nav_value *b)
{
    bool bitwise = strchr("&|^", op[0]) != NULL, shift = op[0] == '<' || op[0] == '>';
    if (!a->known || !b->known)
        return not_known;
    if (op[0] == '+' && (is_text(r, a) || is_text(r, b)))
        return concatenated(r, a, b);
    if (bitwise && a->kind == 'Z' && b->kind == 'Z')
        return number('Z', arithmetic_binary(opcode_of(op), a->bits, b->bits));
    if (!is_number(a) || !is_number(b))
        return fail(r, "numbers are needed on both sides of", op);
    char kind = shift ? promoted(a->kind, 'I') : promoted(a->kind, b->kind);
    if ((bitwise || shift) && (kind == 'F' || kind == 'D' || b->kind == 'F' || b->kind == 'D'))
        return fail(r, "whole numbers are needed on both sides of", op);
    unsigned wide = kind == 'D' ? 3 : kind == 'F' ? 2 : kind == 'J';
    uint64_t p = converted(a, kind), q = shift ? b->bits : converted(b, kind);
    if ((op[0] == '/' || op[0] == '%') && wide < 2 && q == 0)
        return fail(r, "division by zero", NULL);
    return number(kind, arithmetic_binary(opcode_of(op) + wide, p, q));
}

static struct nav_value compared(struct reading *r, const char *op, const struct nav_value *a,
                                 const struct nav_value *b)
{
    bool equality = op[0] == '=' || op[0] == '!', yes = false;
    if (!a->known || !b->known)
        return not_known;
    if (is_number(a) && is_number(b)) {
        char kind = promoted(a->kind, b->kind);
        uint64_t p = converted(a, kind), q = converted(b, kind);
        double x = kind == 'D' ? as_double(p) : kind == 'F' ? (double)as_float(p) : 0;
        double y = kind == 'D' ? as_double(q) : kind == 'F' ? (double)as_float(q) : 0;
        bool whole = kind == 'I' || kind == 'J';
        bool less = whole ? (int64_t)p < (int64_t)q : x < y, same = whole ? p == q : x >= y && x <= y;
        bool more = whole ? (int64_t)p > (int64_t)q : x > y;
        yes = equality       ? same == (op[0] == '=')
              : op[0] == '<' ? less || (op[1] == '=' && same)
                             : more || (op[1] == '=' && same);
        return boolean(yes);
    }
    if (!equality)
        return fail(r, "numbers are needed on both sides of", op);
    if (a->kind == 'Z' && b->kind == 'Z')
        yes = (a->bits != 0) == (b->bits != 0);
    else if (a->kind == 'L' && b->kind == 'L')
        yes = a->bits == b->bits;
    else if ((a->kind == KIND_TEXT || a->kind == 'L') && (b->kind == KIND_TEXT || b->kind == 'L'))
        yes = is_text(r, a) && is_text(r, b) && same_text(r, a, b);
    else
        return fail(r, "these two cannot be compared by", op);
    return boolean(yes == (op[0] == '='));
}

/* ---- names ---- */

static enum status frame_here(struct reading *r, const struct hs_frame **out)
{
    const struct hs_frame *const *frames;
    size_t count;
    enum status st = nav_frames(r->nav, r->thread, &frames, &count, r->err);
    *out = st == OK && r->frame < count ? frames[r->frame] : NULL;
    return st;
}

static bool variable_in(const struct hs_variable *const *list, size_t count, const char *name, struct nav_value *out)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i]->name, name) == 0) {
            *out = number(list[i]->kind, list[i]->value);
            return true;
        }
    return false;
}

/* The code of the method has a variable of this name that is alive: it has no value that was recorded. */
static bool variable_exists(struct reading *r, const struct hs_frame *f, const char *name)
{
    const struct code *code = codes_get(r->nav->trace, f->method_id);
    for (uint32_t i = 0; code != NULL && i < code->variable_count; i++)
        if (code->variables[i].name != NULL && strcmp(code->variables[i].name, name) == 0)
            return true;
    return false;
}

static struct nav_value plain_static(struct reading *r, const char *class_name, const char *field, bool *found)
{
    struct nav_value v = not_known;
    struct error err = { 0 };
    enum status st = nav_static(r->nav, class_name, field, &v, &err);
    *found = st == OK;
    if (st != OK && st != ERR_NOT_FOUND && r->status == OK)
        r->status = error_set(r->err, st, "%s", err.text);
    return v;
}

/* a.b.Class.field from its first name on: takes as many names as are needed. */
static struct nav_value qualified(struct reading *r, const char *first)
{
    char name[NAME_MAX_BYTES], class_name[2 * NAME_MAX_BYTES];
    bool found = false;
    size_t n = (size_t)snprintf(class_name, sizeof class_name, "%s", first);
    while (n < NAME_MAX_BYTES && take(r, ".")) {
        if (!take_name(r, name))
            break;
        struct nav_value v = plain_static(r, class_name, name, &found);
        if (found || r->status != OK)
            return v;
        n += (size_t)snprintf(class_name + n, sizeof class_name - n, ".%s", name);
    }
    return fail(r, "no variable, field or class is called so here", class_name);
}

static struct nav_value named(struct reading *r, const char *name)
{
    const struct hs_frame *f;
    struct nav_value v = not_known;
    struct error err = { 0 };
    bool found = false;
    if (r->nav == NULL || r->skip)
        return not_known;
    enum status st = frame_here(r, &f);
    if (st != OK) {
        r->status = st;
        return not_known;
    }
    if (f == NULL)
        return qualified(r, name);
    if (strcmp(name, "this") == 0)
        return f->has_this ? number('L', f->self) : fail(r, "this frame has no receiver that is known", NULL);
    if (variable_in(f->locals, f->local_count, name, &v) || variable_in(f->parameters, f->parameter_count, name, &v))
        return v;
    if (variable_exists(r, f, name))
        return not_known;
    const struct hs_method *m = hs_method_get(r->nav->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(r->nav->trace, m->class_no) : NULL;
    if (f->has_this && f->self - 1 < UINT32_MAX && nav_field(r->nav, (uint32_t)f->self, name, &v, &err) == OK)
        return v;
    if (c != NULL)
        v = plain_static(r, c->name, name, &found);
    return found ? v : qualified(r, name);
}

/* ---- members ---- */

static struct nav_value length_of(struct reading *r, const struct nav_value *v)
{
    struct arena arena = { 0 };
    struct nav_object o;
    struct nav_value length = not_known;
    const struct hs_object *s = string_of(r, v);
    if (s != NULL)
        return number('I', s->length);
    r->status = nav_object(r->nav, (uint32_t)v->bits, &arena, &o, r->err);
    if (r->status == OK && o.has_length)
        length = number('I', o.length);
    arena_done(&arena);
    return length;
}

/* What a method of this name returned last for the object in the thread, up to the moment, or else next. */
static struct nav_value returned(struct reading *r, const struct nav_value *object, const char *name)
{
    struct nav_value v = not_known;
    struct hs_error error = HS_ERROR_INIT;
    struct hs_filter filter = HS_FILTER_ALL;
    const unsigned exits[] = { HS_EVENT_METHOD_NORMAL_EXIT };
    const struct hs_event *e;
    hs_cursor *cursor;
    enum { TRIES = 10000 };
    filter.threads = &r->thread;
    filter.thread_count = 1;
    filter.events = exits;
    filter.event_count = 1;
    filter.method_glob = name;
    if (hs_events_open(r->nav->trace, &filter, &cursor, &error) != 0) {
        r->status = state_take(&error, r->err);
        return v;
    }
    for (int way = 0; way < 2 && !v.known; way++) {
        if (hs_cursor_seek(cursor, r->nav->seq + 1, &error) != 0)
            break;
        for (int i = 0; i < TRIES && !v.known; i++) {
            const struct replay *f;
            if ((way == 0 ? hs_event_previous : hs_event_next)(cursor, &e, &error) <= 0)
                break;
            struct event_position at = { positions_stream(r->nav->trace, e->thread), e->position };
            uint64_t seq = e->seq, bits = e->value;
            char kind = e->kind;
            if (kind == 'V' || frames_at(r->nav->trace, at, &f, NULL) != OK || replay_top(f) == NULL)
                continue;
            if (object != NULL && (!replay_top(f)->has_self || replay_top(f)->self != object->bits))
                continue;
            v = number(kind, bits);
            v.seq = seq;
            v.note = way == 0 ? "returned last" : "returned next";
        }
    }
    hs_cursor_close(cursor);
    return v;
}

static struct nav_value instance_of(struct reading *r, const struct nav_value *v, const char *name)
{
    const struct hs_object *o =
        v->known && v->bits != 0 && v->bits <= UINT32_MAX ? hs_object_get(r->nav->trace, (uint32_t)v->bits) : NULL;
    const struct hs_type *type = o != NULL ? hs_type_get(r->nav->trace, o->class_id) : NULL;
    bool unknown = false;
    if (!v->known || v->kind != 'L')
        return v->known ? fail(r, "an object is needed on the left of instanceof", NULL) : not_known;
    if (v->bits == 0)
        return boolean(false);
    if (o == NULL || o->type == NULL)
        return not_known;
    if (hs_class_matches(name, o->type) || strcmp(name, "Object") == 0 || strcmp(name, "java.lang.Object") == 0)
        return boolean(true);
    const struct lineage *c = type != NULL ? lineage_of(r->nav->trace, type->name, type->loader) : NULL;
    if (c == NULL)
        return not_known;
    for (unsigned depth = 0; c != NULL && depth < 1000; depth++) {
        if (hs_class_matches(name, c->name))
            return boolean(true);
        unknown |= !c->known;
        for (size_t i = 0; c->known && i < c->interface_count; i++)
            if (hs_class_matches(name, c->interfaces[i]))
                return boolean(true);
        c = c->known ? lineage_super(r->nav->trace, c, &unknown) : NULL;
    }
    return unknown ? not_known : boolean(false);
}

static struct nav_value expression(struct reading *r);

static struct nav_value member(struct reading *r, struct nav_value v)
{
    char name[NAME_MAX_BYTES];
    struct nav_value argument = not_known, out = not_known;
    if (!take_name(r, name))
        return fail(r, "a name is missing behind the dot", NULL);
    bool called = take(r, "("), given = false;
    if (called && !take(r, ")")) {
        argument = expression(r);
        given = true;
        if (!take(r, ")"))
            return fail(r, "a closing bracket is missing", NULL);
    }
    if (r->nav == NULL || r->skip || !v.known || r->status != OK)
        return not_known;
    if (called && given && strcmp(name, "equals") == 0 && is_text(r, &v))
        return argument.known ? boolean(is_text(r, &argument) && same_text(r, &v, &argument)) : not_known;
    if (v.kind == KIND_TEXT || v.kind != 'L')
        return fail(r, "only an object has a member", name);
    if (v.bits == 0)
        return fail(r, "null has no member", name);
    if (v.bits > UINT32_MAX)
        return not_known;
    if (strcmp(name, "length") == 0 && (!called || string_of(r, &v) != NULL))
        return length_of(r, &v);
    if (called)
        return given ? fail(r, "a method with arguments is not called", name) : returned(r, &v, name);
    enum status st = nav_field(r->nav, (uint32_t)v.bits, name, &out, r->err);
    if (st != OK)
        r->status = st == ERR_NOT_FOUND ? ERR_USAGE : st;
    return out;
}

static struct nav_value element(struct reading *r, const struct nav_value *v)
{
    struct nav_value index = expression(r), out = not_known;
    if (!take(r, "]"))
        return fail(r, "a closing bracket is missing", NULL);
    if (r->nav == NULL || r->skip || !v->known || !index.known || r->status != OK)
        return not_known;
    if (v->kind != 'L' || !is_number(&index) || index.kind == 'F' || index.kind == 'D')
        return fail(r, "an array and a whole number are needed for an element", NULL);
    if (v->bits == 0 || v->bits > UINT32_MAX)
        return fail(r, "null has no elements", NULL);
    r->status = nav_element(r->nav, (uint32_t)v->bits, index.bits, &out, r->err);
    return out;
}

/* ---- literals ---- */

static struct nav_value digits(struct reading *r)
{
    char *end = NULL;
    bool hex = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X');
    size_t n = strspn(r->at, hex ? "0123456789abcdefABCDEFxX" : "0123456789");
    if (!hex && (r->at[n] == '.' || ((r->at[n] == 'e' || r->at[n] == 'E') && n > 0))) {
        double d = strtod(r->at, &end);
        r->at = end;
        if (*r->at == 'f' || *r->at == 'F') {
            r->at++;
            return number('F', of_float((float)d));
        }
        r->at += *r->at == 'd' || *r->at == 'D';
        return number('D', of_double(d));
    }
    errno = 0;
    uint64_t v = strtoull(r->at, &end, 0);
    if (errno != 0 || end == r->at)
        return fail(r, "a number that does not fit 64 bits", NULL);
    r->at = end;
    if (*r->at == 'L' || *r->at == 'l') {
        r->at++;
        return number('J', v);
    }
    return v <= (hex ? UINT32_MAX : (uint64_t)INT32_MAX + 1) ? number('I', of_int((int32_t)(uint32_t)v))
                                                             : number('J', v);
}

/* "..." or 'x', with the escapes \n \t \r \0 \\ \" \'. */
static struct nav_value quoted(struct reading *r, char quote)
{
    static const char escapes[] = "n\nt\tr\r0\0\\\\\"\"''";
    struct writer w = { 0 };
    struct nav_value v;
    while (*r->at != quote) {
        char c = *r->at++;
        if (c == '\\' && *r->at != '\0') {
            size_t i = 0;
            while (i < sizeof escapes - 1 && escapes[i] != *r->at)
                i += 2;
            c = i < sizeof escapes - 1 ? escapes[i + 1] : *r->at;
            r->at++;
        }
        if (c == '\0' && r->at[-1] == '\0') {
            writer_free(&w);
            r->at--;
            return fail(r, "a closing quotation mark is missing", NULL);
        }
        write_u1(&w, (unsigned char)c);
    }
    r->at++;
    if (quote == '"')
        return text_value(r, &w);
    uint32_t code = 0;
    size_t n = w.size > 0 && w.data[0] >= 0x80 ? utf8_char(w.data, w.size, &code) : w.size;
    if (w.size > 0 && w.data[0] < 0x80)
        code = w.data[0];
    bool one = w.size > 0 && n == w.size && n > 0 && code <= UINT16_MAX;
    writer_free(&w);
    v = number('C', code);
    return one ? v : fail(r, "a character literal has one character", NULL);
}

static struct nav_value primary(struct reading *r)
{
    char name[NAME_MAX_BYTES];
    struct nav_value v;
    blanks(r);
    if (take(r, "(")) {
        v = expression(r);
        return take(r, ")") ? v : fail(r, "a closing bracket is missing", NULL);
    }
    if (isdigit((unsigned char)*r->at))
        return digits(r);
    if (*r->at == '"' || *r->at == '\'')
        return quoted(r, *r->at++);
    if (*r->at == '#') {
        r->at++;
        v = isdigit((unsigned char)*r->at) ? digits(r) : fail(r, "the number of an object is missing behind #", NULL);
        return r->nav != NULL ? number('L', v.bits) : not_known;
    }
    if (!take_name(r, name))
        return *r->at == '\0' ? fail(r, "the expression ends too early", NULL)
                              : fail(r, "this is not understood", r->at);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return boolean(name[0] == 't');
    if (strcmp(name, "null") == 0)
        return number('L', 0);
    if (take(r, "(")) {
        if (!take(r, ")"))
            return fail(r, "a method with arguments is not called", name);
        return r->nav != NULL && !r->skip ? returned(r, NULL, name) : not_known;
    }
    return named(r, name);
}

static struct nav_value unary(struct reading *r)
{
    static const char ops[] = "!~-+";
    struct nav_value v;
    if (r->depth++ > NESTING_MAX)
        return fail(r, "the expression is nested too deeply", NULL);
    for (size_t i = 0; ops[i] != '\0'; i++) {
        const char op[2] = { ops[i], '\0' };
        if (!take(r, op))
            continue;
        v = unary(r);
        r->depth--;
        if (!v.known)
            return not_known;
        if (ops[i] == '!')
            return v.kind == 'Z' ? boolean(v.bits == 0) : fail(r, "! needs a boolean", NULL);
        struct nav_value left = number(ops[i] == '~' || v.kind != 'D' ? 'I' : 'D', 0);
        if (ops[i] == '-' && (v.kind == 'D' || v.kind == 'F')) {
            v.bits ^= v.kind == 'D' ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
            return v;
        }
        if (ops[i] == '~')
            left.bits = UINT64_MAX;
        return calculated(r, ops[i] == '~' ? "^" : ops[i] == '-' ? "-" : "+", &left, &v);
    }
    v = primary(r);
    while (r->status == OK) {
        if (take(r, "."))
            v = member(r, v);
        else if (take(r, "["))
            v = element(r, &v);
        else
            break;
    }
    r->depth--;
    return v;
}

/* The operators of each level, the weakest first; "" ends a level. && and || are above them. */
static const char *const levels[][5] = {
    { "|" },      { "^" },           { "&" }, { "==", "!=" }, { "<=", ">=", "<", ">" }, { "<<", ">>>", ">>" },
    { "+", "-" }, { "*", "/", "%" },
};
enum { LEVELS = sizeof levels / sizeof *levels, LEVEL_EQUAL = 3, LEVEL_ORDER = 4 };

static struct nav_value level(struct reading *r, size_t n)
{
    char name[NAME_MAX_BYTES];
    if (n == LEVELS)
        return unary(r);
    struct nav_value v = level(r, n + 1);
    while (r->status == OK) {
        const char *op = NULL;
        for (size_t i = 0; op == NULL && i < 5 && levels[n][i] != NULL; i++)
            op = take(r, levels[n][i]) ? levels[n][i] : NULL;
        blanks(r);
        if (op == NULL && n == LEVEL_ORDER && strncmp(r->at, "instanceof", 10) == 0 &&
            isspace((unsigned char)r->at[10])) {
            r->at += 10;
            if (!take_name(r, name))
                return fail(r, "a class is missing behind instanceof", NULL);
            for (size_t used = strlen(name); *r->at == '.' && used < NAME_MAX_BYTES / 2; used = strlen(name)) {
                char more[NAME_MAX_BYTES];
                r->at++;
                if (!take_name(r, more))
                    return fail(r, "a class is missing behind instanceof", NULL);
                (void)snprintf(name + used, sizeof name - used, ".%.*s", NAME_MAX_BYTES / 2 - 2, more);
            }
            v = r->nav != NULL && !r->skip ? instance_of(r, &v, name) : not_known;
            continue;
        }
        if (op == NULL)
            break;
        struct nav_value b = level(r, n + 1);
        if (r->status == OK)
            v = n == LEVEL_EQUAL || n == LEVEL_ORDER ? compared(r, op, &v, &b) : calculated(r, op, &v, &b);
    }
    return v;
}

/* a && b ... (`decides` false), a || b ... (true): what comes behind the value that decides is only read. */
static struct nav_value chain(struct reading *r, const char *op, bool decides)
{
    struct nav_value v = decides ? chain(r, "&&", false) : level(r, 0);
    bool skipped = r->skip;
    while (r->status == OK && take(r, op)) {
        if (v.known && v.kind != 'Z') {
            v = fail(r, "booleans are needed on both sides of", op);
            break;
        }
        bool decided = v.known && (v.bits != 0) == decides;
        r->skip |= decided;
        struct nav_value b = decides ? chain(r, "&&", false) : level(r, 0);
        r->skip = skipped;
        if (decided)
            continue;
        if (b.known && b.kind != 'Z')
            v = fail(r, "booleans are needed on both sides of", op);
        else if (v.known || (b.known && (b.bits != 0) == decides))
            v = b;
        else
            v = not_known;
    }
    return v;
}

static struct nav_value expression(struct reading *r)
{
    if (r->depth++ > NESTING_MAX)
        return fail(r, "the expression is nested too deeply", NULL);
    struct nav_value v = chain(r, "||", true);
    r->depth--;
    return v;
}

static enum status evaluate(struct reading *r, const char *text, struct nav_value *out)
{
    r->at = text;
    struct nav_value v = expression(r);
    blanks(r);
    if (r->status == OK && *r->at != '\0')
        v = fail(r, "this is not understood", r->at);
    if (r->status == OK)
        *out = v;
    return r->status;
}

enum status nav_evaluate(struct nav *nav, uint32_t thread, size_t frame, const char *text, struct arena *arena,
                         struct nav_value *out, struct error *err)
{
    struct reading r = { .nav = nav, .thread = thread, .frame = frame, .arena = arena, .err = err };
    return evaluate(&r, text, out);
}

enum status nav_check_expression(const char *text, struct error *err)
{
    struct arena arena = { 0 };
    struct nav_value v;
    struct reading r = { .arena = &arena, .err = err };
    enum status st = evaluate(&r, text, &v);
    arena_done(&arena);
    return st;
}
