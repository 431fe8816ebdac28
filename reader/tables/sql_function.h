/* sql_function.h - a table function of `sql`: its columns, its arguments, and what asks for its rows. */
#ifndef READER_TABLES_SQL_FUNCTION_H
#define READER_TABLES_SQL_FUNCTION_H

#include "reader/answers/plain.h"
#include "reader/command/suspect_runs.h"
#include "reader/tables/sql_tables.h"

enum { GIVEN_MAX = 3, VALUES_MAX = 8, OTHERS = 2 };

struct asked;
struct function {
    const char *name;
    const char *arguments[GIVEN_MAX + 1]; /* ends with NULL; `needed` of them must be given */
    unsigned needed;
    const char *example; /* if any must be given */
    void (*names)(struct plain_row *to);
    int (*open)(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error);
    int (*next)(struct asked *a, struct hs_error *error); /* fills a->row */
};
struct function_table {
    sqlite3_vtab base; /* first */
    const struct function *function;
    struct sql_source *source;
    int columns; /* without those of arguments */
};
struct asked {
    sqlite3_vtab_cursor base; /* first */
    const struct function_table *of;
    struct plain_row row;
    hs_trace *others[OTHERS]; /* of diff: what its arguments name, which `rows` reads; NULL: none */
    struct plain_row other;   /* values of others[0] */
    struct suspect_runs runs; /* of suspects */
    VEC(hs_trace *) traces;   /* that it has opened */
    hs_cursor *rows;
    sqlite3_int64 number;
    bool ready, ended;
};

/* ---- sql_other.c ---- */
/* A path in a query: only of the command of a shell, whose user may read the file anyway. NULL: the error says why. */
hs_trace *asked_open_trace(struct asked *a, const char *path, struct hs_error *error);

/* ---- sql_suspects.c ---- */
void suspects_names(struct plain_row *to);
int suspects_open(struct asked *a, const char *const *arguments, hs_cursor **out, struct hs_error *error);
int suspects_next(struct asked *a, struct hs_error *error);
void suspects_close(struct asked *a);

#endif
