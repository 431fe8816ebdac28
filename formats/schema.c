/* schema.c - the table of schema.h as data. */
#include "formats/schema.h"

#include <stddef.h>

static const struct {
    const char *name;
    enum schema_key key;
} databases[DB_COUNT] = {
#define X(id, n, k) [DB_##id] = { #n, KEY_##k },
    SCHEMA(X)
#undef X
};

const char *schema_name(enum schema_db db) { return (unsigned)db < DB_COUNT ? databases[db].name : NULL; }

enum schema_key schema_key_type(enum schema_db db) { return (unsigned)db < DB_COUNT ? databases[db].key : KEY_TEXT; }
