/* values.c - see values.h. */
#include "formats/values.h"

#include <string.h>

static const struct value_row rows[] = {
#define VALUE(number, class_name, form, kind, fields)                                                                  \
    { (number), { (class_name), sizeof(class_name) - 1 }, VALUE_##form, (kind), (fields) },
#include "formats/values.def"
#undef VALUE
};
enum { ROWS = sizeof rows / sizeof *rows };

enum {
#define VALUE(number, ...) VALUE_NUMBER_##number = (number), /* no number twice */
#include "formats/values.def"
#undef VALUE
};

const struct value_row *value_row_of(struct text class_name)
{
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].class_name.size == class_name.size &&
            memcmp(rows[i].class_name.data, class_name.data, class_name.size) == 0)
            return &rows[i];
    return NULL;
}

const struct value_row *value_row_at(unsigned number)
{
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

size_t value_enum_length(const char *type)
{
    const char *dollar = strrchr(type, '$');
    const bool body = dollar != NULL && dollar[1] != '\0' && strspn(dollar + 1, "0123456789") == strlen(dollar + 1);
    return body ? (size_t)(dollar - type) : strlen(type);
}
