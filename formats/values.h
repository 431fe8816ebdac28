/* values.h - the classes whose objects are shown by what they stand for: the rows of values.def. */
#ifndef FORMATS_VALUES_H
#define FORMATS_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include "formats/rows.h"

enum value_form {
    VALUE_NUMBER,   /* 42 */
    VALUE_CONSTANT, /* HALF_UP */
    VALUE_TEXT,     /* a/b */
    VALUE_BIG_INTEGER,
    VALUE_BIG_DECIMAL,
    VALUE_UUID,
    VALUE_DATE,
    VALUE_TIME,
    VALUE_JOINED,   /* the first, then the second */
    VALUE_JOINED_T, /* with a T in between */
    VALUE_ZONED,
    VALUE_INSTANT,
    VALUE_DURATION,
    VALUE_PERIOD,
    VALUE_YEAR,
    VALUE_YEAR_MONTH,
    VALUE_MONTH_DAY,
    VALUE_OFFSET,
    VALUE_OPTIONAL,
    VALUE_PAIR, /* a list of one or two: the second may be missing */
    VALUE_ONE,  /* a list of one */
    VALUE_LIST,
    VALUE_MAP,       /* keys and values in turns */
    VALUE_MAP_ENTRY, /* a map of one entry */
    VALUE_ENTRY,     /* key=value */
    VALUE_RECORD,
};
/* What is longer is not copied; of an array only the first elements are. */
enum { VALUE_BYTES_MAX = 4096, VALUE_ELEMENTS_MAX = 16, VALUE_COPY_MAX = 2 * VALUE_BYTES_MAX, VALUE_FIELDS_MAX = 32 };

struct value_row {
    uint8_t number;
    struct text class_name; /* internal */
    enum value_form form;
    char kind;
    const char *fields;
};
/* The row of a class by its internal name, or by number; NULL: there is none. */
const struct value_row *value_row_of(struct text class_name);
const struct value_row *value_row_at(unsigned number);

/* How much of the class name of an enum constant names the enum: that of a constant with a body is State$1. */
size_t value_enum_length(const char *type);

/* Types of which the hooks remember that nothing is copied. */
enum { VALUES_PLAIN_SLOTS = 1 << 12 };

#endif
