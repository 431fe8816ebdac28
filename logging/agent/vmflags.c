/* vmflags.c - the exported table describes structures of the JVM by name: offsets of fields, addresses of static ones.
 * The layout of the table itself is described by further exported symbols (vmStructs.hpp of OpenJDK documents them). */
#include "logging/agent/vmflags.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct vm_table {
    const char *rows;
    uint64_t stride, type_name, field_name, is_static, offset, address;
};

/* The type of a flag: JVMFlag, before JDK 11 Flag. */
static bool is_flag_type(const char *type) { return strcmp(type, "JVMFlag") == 0 || strcmp(type, "Flag") == 0; }
static bool is_arguments_type(const char *type) { return strcmp(type, "Arguments") == 0; }

void *vm_symbol(const char *name)
{
    void *lib = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
    void *p = lib != NULL ? dlsym(lib, name) : NULL;
    if (lib != NULL)
        (void)dlclose(lib); /* it stays: the JVM has it */
    return p;
}

static uint64_t number(const char *symbol, bool *ok)
{
    const uint64_t *p = vm_symbol(symbol);
    if (p == NULL) {
        *ok = false;
        return 0;
    }
    return *p;
}

static bool open_table(struct vm_table *t)
{
    bool ok = true;
    const char **rows = vm_symbol("gHotSpotVMStructs");
    t->stride = number("gHotSpotVMStructEntryArrayStride", &ok);
    t->type_name = number("gHotSpotVMStructEntryTypeNameOffset", &ok);
    t->field_name = number("gHotSpotVMStructEntryFieldNameOffset", &ok);
    t->is_static = number("gHotSpotVMStructEntryIsStaticOffset", &ok);
    t->offset = number("gHotSpotVMStructEntryOffsetOffset", &ok);
    t->address = number("gHotSpotVMStructEntryAddressOffset", &ok);
    t->rows = rows != NULL ? *rows : NULL;
    return ok && t->rows != NULL;
}

/* The row of a field; NULL if there is none. */
static const char *find(const struct vm_table *t, bool (*is_type)(const char *), const char *field)
{
    for (const char *row = t->rows;; row += t->stride) {
        const char *row_type, *row_field;
        memcpy(&row_type, row + t->type_name, sizeof row_type);
        memcpy(&row_field, row + t->field_name, sizeof row_field);
        if (row_type == NULL || row_field == NULL)
            return NULL;
        if (is_type(row_type) && strcmp(row_field, field) == 0)
            return row;
    }
}

static bool offset_of(const struct vm_table *t, const char *field, uint64_t *out)
{
    const char *row = find(t, is_flag_type, field);
    if (row == NULL)
        return false;
    memcpy(out, row + t->offset, sizeof *out);
    return true;
}

static void *static_address(const struct vm_table *t, bool (*is_type)(const char *), const char *field)
{
    const char *row = find(t, is_type, field);
    void *p = NULL;
    if (row != NULL)
        memcpy(&p, row + t->address, sizeof p);
    return p;
}

/* Size of a flag, from the exported table of types. */
static uint64_t flag_size(void)
{
    bool ok = true;
    const char **rows = vm_symbol("gHotSpotVMTypes");
    uint64_t stride = number("gHotSpotVMTypeEntryArrayStride", &ok),
             name = number("gHotSpotVMTypeEntryTypeNameOffset", &ok),
             size = number("gHotSpotVMTypeEntrySizeOffset", &ok), result = 0;
    for (const char *row = ok && rows != NULL ? *rows : NULL; row != NULL; row += stride) {
        const char *type;
        memcpy(&type, row + name, sizeof type);
        if (type == NULL)
            break;
        if (is_flag_type(type)) {
            memcpy(&result, row + size, sizeof result);
            break;
        }
    }
    return result;
}

/* Where the value of a flag came from (JVMFlagOrigin of OpenJDK, before Flag::Flags): the low bits of a word. */
enum { ORIGIN_DEFAULT = 0, ORIGIN_ERGONOMIC = 5, ORIGIN_INTERNAL = 7, ORIGIN_MASK = 15 };

static bool is_chosen(unsigned origin)
{
    return origin != ORIGIN_DEFAULT && origin != ORIGIN_ERGONOMIC && origin != ORIGIN_INTERNAL;
}

struct vm_flag {
    const char *name;
    char *addr;
    bool chosen;
};

/* Calls `visit` with each flag, until that says true. */
static bool each_flag(bool (*visit)(void *context, const struct vm_flag *flag), void *context)
{
    struct vm_table t;
    uint64_t name_at, addr_at, flags_at, size = flag_size();
    if (size == 0 || !open_table(&t) || !offset_of(&t, "_name", &name_at) || !offset_of(&t, "_addr", &addr_at))
        return false;
    const char **flags = static_address(&t, is_flag_type, "flags");
    const size_t *count = static_address(&t, is_flag_type, "numFlags");
    if (flags == NULL || count == NULL || *flags == NULL)
        return false;
    const bool has_origin = offset_of(&t, "_flags", &flags_at);
    for (size_t i = 0; i < *count; i++) {
        const char *row = *flags + i * size;
        struct vm_flag flag;
        unsigned word = 0;
        memcpy(&flag.name, row + name_at, sizeof flag.name);
        memcpy(&flag.addr, row + addr_at, sizeof flag.addr);
        if (has_origin)
            memcpy(&word, row + flags_at, sizeof word);
        flag.chosen = is_chosen(word & ORIGIN_MASK);
        if (flag.name != NULL && visit(context, &flag))
            return true;
    }
    return false;
}

struct flag_search {
    const char *name;
    char *addr;
};

static bool has_name(void *context, const struct vm_flag *flag)
{
    struct flag_search *s = context;
    if (strcmp(flag->name, s->name) == 0)
        s->addr = flag->addr;
    return s->addr != NULL;
}

static bool has_address(void *context, const struct vm_flag *flag)
{
    const struct flag_search *s = context;
    return flag->addr == s->addr;
}

static bool is_chosen_of(void *context, const struct vm_flag *flag)
{
    const struct flag_search *s = context;
    return flag->chosen && strncmp(flag->name, s->name, strlen(s->name)) == 0;
}

static void *find_flag(const char *name)
{
    struct flag_search s = { name, NULL };
    return each_flag(has_name, &s) ? s.addr : NULL;
}

bool vmflag_is_set(const char *name)
{
    const bool *p = find_flag(name);
    return p != NULL && *p;
}

bool vmflags_are_chosen(const char *prefix)
{
    struct flag_search s = { prefix, NULL };
    return each_flag(is_chosen_of, &s);
}

bool vmflag_set_bool(const char *name, bool value)
{
    bool *p = find_flag(name);
    if (p != NULL && !vmflags_are_chosen(name))
        *p = value;
    return p != NULL && *p == value;
}

int64_t *vmflag_long(const char *name)
{
    char *p = find_flag(name);
    if (p == NULL || (uintptr_t)p % sizeof(int64_t) != 0)
        return NULL;
    struct flag_search second_half = { NULL, p + sizeof(int32_t) };
    return each_flag(has_address, &second_half) ? NULL : (int64_t *)p;
}

char *const *vm_arguments(size_t *count)
{
    struct vm_table t;
    if (!open_table(&t))
        return NULL;
    char *const *const *arguments = static_address(&t, is_arguments_type, "_jvm_args_array");
    const int *n = static_address(&t, is_arguments_type, "_num_jvm_args");
    if (arguments == NULL || n == NULL || *arguments == NULL || *n < 0)
        return NULL;
    *count = (size_t)*n;
    return *arguments;
}
