/* expression.c - expressions over what is recorded; see session.h.
 *
 *     or     a || b                    value   literal  this  name  Class.name  #12 (the object)  ( or )
 *     and    a && b                    suffix  .field  [index]  .length  .method()
 *     then   | ^ &   == !=   < <= > >= instanceof   << >> >>>   + -   * / %   ! ~ - + (Type)
 *
 * Values follow the rules of Java for numbers and texts. What was not recorded is "not known", and so is what is
 * computed from it; && and || need only what decides them. A method is not called: x.name(a) is what a method of the
 * name returned last for x and such arguments in this thread, up to the moment, or else next. Nesting is limited. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/jvm/arithmetic.h"
#include "formats/mutf8.h"
#include "reader/session/operators.h"

enum { NESTING_MAX = 100, NAME_MAX_BYTES = 1000, ARGUMENTS_MAX = 4 };

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
        (void)value_fail(r, "a name is too long", NULL);
        return false;
    }
    memcpy(name, r->at, n);
    name[n] = '\0';
    r->at += n;
    return true;
}

/* a.b.Class into `name`. */
static bool take_class(struct reading *r, char name[NAME_MAX_BYTES])
{
    char more[NAME_MAX_BYTES];
    if (!take_name(r, name))
        return false;
    for (size_t used = strlen(name); *r->at == '.' && used < NAME_MAX_BYTES / 2; used = strlen(name)) {
        r->at++;
        if (!take_name(r, more))
            return false;
        (void)snprintf(name + used, NAME_MAX_BYTES - used, ".%.*s", NAME_MAX_BYTES / 2 - 2, more);
    }
    return true;
}

static bool next_is_instanceof(const struct reading *r)
{
    return strncmp(r->at, "instanceof", 10) == 0 && isspace((unsigned char)r->at[10]);
}

/* A name in brackets before a value, as in (Base) this; false: what is next is no cast, and nothing is taken. */
static bool take_cast(struct reading *r, char name[NAME_MAX_BYTES])
{
    const char *start = r->at;
    bool taken = take(r, "(") && take_class(r, name) && take(r, ")");
    blanks(r);
    bool value = begins_name(*r->at) || isdigit((unsigned char)*r->at) || (*r->at != '\0' && strchr("\"'(#", *r->at));
    if (taken && (value || value_kind_called(name) != '\0') && !next_is_instanceof(r))
        return true;
    r->at = start;
    return false;
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
            *out = value_number(list[i]->kind, list[i]->value);
            return true;
        }
    return false;
}

/* The code of the method has a variable of this name that is alive: it has no value that was recorded. */
static bool variable_exists(struct reading *r, const struct hs_frame *f, const char *name)
{
    const struct method *code = method_get(r->nav->trace, f->method_id);
    for (uint32_t i = 0; code != NULL && i < code->variable_count; i++)
        if (code->variables[i].name != NULL && strcmp(code->variables[i].name, name) == 0)
            return true;
    return false;
}

static struct nav_value plain_static(struct reading *r, const char *class_name, const char *field, bool *found)
{
    struct nav_value v = value_unknown;
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
    return value_fail(r, "no variable, field or class is called so here", class_name);
}

static struct nav_value named(struct reading *r, const char *name)
{
    const struct hs_frame *f;
    struct nav_value v = value_unknown;
    struct error err = { 0 };
    bool found = false;
    if (r->nav == NULL || r->skip)
        return value_unknown;
    enum status st = frame_here(r, &f);
    if (st != OK) {
        r->status = st;
        return value_unknown;
    }
    if (f == NULL)
        return qualified(r, name);
    const struct hs_method *m = hs_method_get(r->nav->trace, f->method_id);
    const struct hs_class *c = m != NULL ? hs_class_get(r->nav->trace, m->class_no) : NULL;
    if (strcmp(name, "this") == 0) {
        if (!f->has_this)
            return value_fail(r, "this frame has no receiver that is known", NULL);
        v = value_number('L', f->self);
        v.as = c != NULL ? c->name : NULL;
        return v;
    }
    if (variable_in(f->locals, f->local_count, name, &v) || variable_in(f->parameters, f->parameter_count, name, &v))
        return v;
    if (variable_exists(r, f, name))
        return value_unknown;
    const char *as = c != NULL ? c->name : NULL;
    if (f->has_this && f->self - 1 < UINT32_MAX && nav_field(r->nav, (uint32_t)f->self, as, name, &v, &err) == OK)
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
    struct nav_value length = value_unknown;
    const struct hs_object *s = value_string(r, v);
    if (s != NULL)
        return value_number('I', s->length);
    r->status = nav_object_part(r->nav, (uint32_t)v->bits, 0, 0, &arena, &o, r->err);
    if (r->status == OK && o.has_length)
        length = value_number('I', o.length);
    arena_done(&arena);
    return length;
}

/* What a method of this name returned last for the object in the thread, up to the moment, or else next. */
static struct nav_value returned(struct reading *r, const struct nav_value *object, const char *name)
{
    struct nav_value v = value_unknown;
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
            v = value_number(kind, bits);
            v.seq = seq;
            v.note = way == 0 ? "returned last" : "returned next";
        }
    }
    hs_cursor_close(cursor);
    return v;
}

enum answer { NO, YES, NOT_KNOWN };

/* Is the object of this class or interface? `*full` is the whole name of that, which lives with the trace. */
static enum answer is_a(struct reading *r, const struct nav_value *v, const char *name, const char **full)
{
    const struct hs_object *o = v->bits <= UINT32_MAX ? hs_object_get(r->nav->trace, (uint32_t)v->bits) : NULL;
    const struct hs_type *type = o != NULL ? hs_type_get(r->nav->trace, o->class_id) : NULL;
    bool unknown = false;
    if (o == NULL || o->type == NULL)
        return NOT_KNOWN;
    *full = "java.lang.Object";
    if (strcmp(name, "Object") == 0 || strcmp(name, *full) == 0)
        return YES;
    *full = o->type;
    if (hs_class_matches(name, o->type))
        return YES;
    const struct lineage *c = type != NULL ? lineage_of(r->nav->trace, type->name, type->loader) : NULL;
    if (c == NULL)
        return NOT_KNOWN;
    while (c != NULL) {
        *full = c->name;
        if (hs_class_matches(name, c->name))
            return YES;
        unknown |= !c->known;
        for (size_t i = 0; c->known && i < c->interface_count; i++)
            if (hs_class_matches(name, *full = c->interfaces[i]))
                return YES;
        c = c->known ? lineage_super(r->nav->trace, c, &unknown) : NULL;
    }
    return unknown ? NOT_KNOWN : NO;
}

static struct nav_value instance_of(struct reading *r, const struct nav_value *v, const char *name)
{
    const char *full;
    if (!v->known || v->kind != 'L')
        return v->known ? value_fail(r, "an object is needed on the left of instanceof", NULL) : value_unknown;
    if (v->bits == 0)
        return value_boolean(false);
    enum answer yes = is_a(r, v, name, &full);
    return yes == NOT_KNOWN ? value_unknown : value_boolean(yes == YES);
}

/* (name) v */
static struct nav_value cast(struct reading *r, struct nav_value v, const char *name)
{
    const char *full = NULL;
    char kind = value_kind_called(name);
    if (kind != '\0')
        return value_cast(r, kind, &v);
    if (!v.known || v.kind == NAV_TEXT || (v.kind == 'L' && v.bits == 0))
        return v;
    if (v.kind != 'L')
        return value_fail(r, "an object is needed behind a cast to", name);
    enum answer yes = is_a(r, &v, name, &full);
    if (yes == NO)
        return value_fail(r, "the object is not of the class of the cast", name);
    v.as = yes == YES ? full : NULL;
    return v;
}

/* What is in an object that a call returned at another moment says so, too. */
static void keep_note(struct nav_value *member, const struct nav_value *object)
{
    if (!member->known || object->note == NULL || object->note == value_note_contents)
        return;
    member->note = object->note;
    member->seq = object->seq;
}

static struct nav_value expression(struct reading *r);

static struct nav_value member(struct reading *r, struct nav_value v)
{
    char name[NAME_MAX_BYTES];
    struct nav_value arguments[ARGUMENTS_MAX], out = value_unknown;
    size_t given = 0;
    if (!take_name(r, name))
        return value_fail(r, "a name is missing behind the dot", NULL);
    bool called = take(r, "(");
    if (called && !take(r, ")"))
        do {
            if (given == ARGUMENTS_MAX)
                return value_fail(r, "a call has too many arguments", name);
            arguments[given++] = expression(r);
            if (take(r, ")"))
                break;
            if (!take(r, ","))
                return value_fail(r, "a closing bracket is missing", NULL);
        } while (r->status == OK);
    if (r->nav == NULL || r->skip || !v.known || r->status != OK)
        return value_unknown;
    if (given == 1 && strcmp(name, "equals") == 0 && value_is_text(r, &v))
        return arguments[0].known ? value_same_text(r, &v, &arguments[0]) : value_unknown;
    if (v.kind != 'L')
        return value_fail(r, "only an object has a member", name);
    if (v.bits == 0)
        return value_fail(r, "null has no member", name);
    if (v.bits > UINT32_MAX)
        return value_unknown;
    if (strcmp(name, "length") == 0 && (!called || value_string(r, &v) != NULL))
        return length_of(r, &v);
    if (called)
        out = value_held(r, (uint32_t)v.bits, name, arguments, given);
    if (called && given == 0 && !out.known)
        out = returned(r, &v, name);
    if (called)
        return out.known || r->status != OK ? out : value_called(r, (uint32_t)v.bits, NULL, name, arguments, given);
    enum status st = nav_field(r->nav, (uint32_t)v.bits, v.as, name, &out, r->err);
    if (st != OK)
        r->status = st == ERR_NOT_FOUND ? ERR_USAGE : st;
    keep_note(&out, &v);
    return out;
}

static struct nav_value element(struct reading *r, const struct nav_value *v)
{
    struct nav_value index = expression(r), out = value_unknown;
    if (!take(r, "]"))
        return value_fail(r, "a closing bracket is missing", NULL);
    if (r->nav == NULL || r->skip || !v->known || !index.known || r->status != OK)
        return value_unknown;
    if (v->kind != 'L' || !value_is_number(&index) || index.kind == 'F' || index.kind == 'D')
        return value_fail(r, "an array and a whole number are needed for an element", NULL);
    if (v->bits == 0 || v->bits > UINT32_MAX)
        return value_fail(r, "null has no elements", NULL);
    r->status = nav_element(r->nav, (uint32_t)v->bits, index.bits, &out, r->err);
    keep_note(&out, v);
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
            return value_number('F', of_float((float)d));
        }
        r->at += *r->at == 'd' || *r->at == 'D';
        return value_number('D', of_double(d));
    }
    errno = 0;
    uint64_t v = strtoull(r->at, &end, 0);
    if (errno != 0 || end == r->at)
        return value_fail(r, "a number that does not fit 64 bits", NULL);
    r->at = end;
    if (*r->at == 'L' || *r->at == 'l') {
        r->at++;
        return value_number('J', v);
    }
    return v <= (hex ? UINT32_MAX : (uint64_t)INT32_MAX + 1) ? value_number('I', of_int((int32_t)(uint32_t)v))
                                                             : value_number('J', v);
}

/* The number of an object behind #; a dot behind it begins a member, not a fraction. */
static struct nav_value object_number(struct reading *r)
{
    char *end = NULL;
    if (!isdigit((unsigned char)*r->at))
        return value_fail(r, "the number of an object is missing behind #", NULL);
    errno = 0;
    uint64_t id = strtoull(r->at, &end, 10);
    if (errno != 0)
        return value_fail(r, "a number that does not fit 64 bits", NULL);
    r->at = end;
    return r->nav != NULL ? value_number('L', id) : value_unknown;
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
            return value_fail(r, "a closing quotation mark is missing", NULL);
        }
        write_u1(&w, (unsigned char)c);
    }
    r->at++;
    if (quote == '"')
        return value_text(r, &w);
    uint32_t code = 0;
    size_t n = w.size > 0 && w.data[0] >= 0x80 ? utf8_char(w.data, w.size, &code) : w.size;
    if (w.size > 0 && w.data[0] < 0x80)
        code = w.data[0];
    bool one = w.size > 0 && n == w.size && n > 0 && code <= UINT16_MAX;
    writer_free(&w);
    v = value_number('C', code);
    return one ? v : value_fail(r, "a character literal has one character", NULL);
}

static struct nav_value primary(struct reading *r)
{
    char name[NAME_MAX_BYTES];
    struct nav_value v;
    blanks(r);
    if (take(r, "(")) {
        v = expression(r);
        return take(r, ")") ? v : value_fail(r, "a closing bracket is missing", NULL);
    }
    if (isdigit((unsigned char)*r->at))
        return digits(r);
    if (*r->at == '"' || *r->at == '\'')
        return quoted(r, *r->at++);
    if (*r->at == '#') {
        r->at++;
        return object_number(r);
    }
    if (!take_name(r, name))
        return *r->at == '\0' ? value_fail(r, "the expression ends too early", NULL)
                              : value_fail(r, "this is not understood", r->at);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return value_boolean(name[0] == 't');
    if (strcmp(name, "null") == 0)
        return value_number('L', 0);
    if (take(r, "(")) {
        if (!take(r, ")"))
            return value_fail(r, "a method with arguments is not called", name);
        return r->nav != NULL && !r->skip ? returned(r, NULL, name) : value_unknown;
    }
    return named(r, name);
}

static struct nav_value unary(struct reading *r)
{
    static const char ops[] = "!~-+";
    char name[NAME_MAX_BYTES];
    struct nav_value v;
    if (r->depth++ > NESTING_MAX)
        return value_fail(r, "the expression is nested too deeply", NULL);
    if (take_cast(r, name)) {
        v = unary(r);
        r->depth--;
        return r->nav == NULL || r->skip || r->status != OK ? value_unknown : cast(r, v, name);
    }
    for (size_t i = 0; ops[i] != '\0'; i++) {
        const char op[2] = { ops[i], '\0' };
        if (!take(r, op))
            continue;
        v = unary(r);
        r->depth--;
        if (!v.known)
            return value_unknown;
        if (ops[i] == '!')
            return v.kind == 'Z' ? value_boolean(v.bits == 0) : value_fail(r, "! needs a boolean", NULL);
        struct nav_value left = value_number(ops[i] == '~' || v.kind != 'D' ? 'I' : 'D', 0);
        if (ops[i] == '-' && (v.kind == 'D' || v.kind == 'F')) {
            v.bits ^= v.kind == 'D' ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
            return v;
        }
        if (ops[i] == '~')
            left.bits = UINT64_MAX;
        return value_calculated(r, ops[i] == '~' ? "^" : ops[i] == '-' ? "-" : "+", &left, &v);
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
        if (op == NULL && n == LEVEL_ORDER && next_is_instanceof(r)) {
            r->at += 10;
            if (!take_class(r, name))
                return value_fail(r, "a class is missing behind instanceof", NULL);
            v = r->nav != NULL && !r->skip ? instance_of(r, &v, name) : value_unknown;
            continue;
        }
        if (op == NULL)
            break;
        struct nav_value b = level(r, n + 1);
        if (r->status == OK)
            v = n == LEVEL_EQUAL || n == LEVEL_ORDER ? value_compared(r, op, &v, &b) : value_calculated(r, op, &v, &b);
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
            v = value_fail(r, "booleans are needed on both sides of", op);
            break;
        }
        bool decided = v.known && (v.bits != 0) == decides;
        r->skip |= decided;
        struct nav_value b = decides ? chain(r, "&&", false) : level(r, 0);
        r->skip = skipped;
        if (decided)
            continue;
        if (b.known && b.kind != 'Z')
            v = value_fail(r, "booleans are needed on both sides of", op);
        else if (v.known || (b.known && (b.bits != 0) == decides))
            v = b;
        else
            v = value_unknown;
    }
    return v;
}

static struct nav_value expression(struct reading *r)
{
    if (r->depth++ > NESTING_MAX)
        return value_fail(r, "the expression is nested too deeply", NULL);
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
        v = value_fail(r, "this is not understood", r->at);
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
