/* example.h - what the examples share: opening, failing, and printing names of the recorded program. */
#ifndef READER_EXAMPLES_EXAMPLE_H
#define READER_EXAMPLES_EXAMPLE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reader/trace.h"

/* Names come from the recorded program: control characters would reach the terminal. */
static inline void print_name(const char *name)
{
    for (const char *p = name != NULL ? name : "?"; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == '\\')
            (void)printf("\\x%02x", (unsigned char)*p);
        else
            (void)putchar(*p);
}

static inline void print_method(hs_trace *trace, uint32_t method_id)
{
    const struct hs_method *m = hs_method_get(trace, method_id);
    print_name(m != NULL ? m->name : NULL);
}

static inline void print_type(hs_trace *trace, uint64_t id)
{
    const struct hs_object *object = id != 0 && id <= UINT32_MAX ? hs_object_get(trace, (uint32_t)id) : NULL;
    print_name(object != NULL && object->type != NULL ? object->type : "-");
}

static inline int fail(const struct hs_error *error)
{
    (void)fprintf(stderr, "%s\n", error->text);
    return 1;
}

/* Ends the program when it cannot. */
static inline hs_trace *open_trace(int argc, char **argv, int words, const char *usage)
{
    struct hs_error error = HS_ERROR_INIT;
    hs_trace *trace;
    if (argc < 1 + words) {
        (void)fprintf(stderr, "usage: %s\n", usage);
        exit(2);
    }
    if (hs_open(argv[1], 0, NULL, &trace, &error) == 0)
        return trace;
    exit(fail(&error));
}

#endif
