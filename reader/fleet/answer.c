/* answer.c - see answer.h. */
#include "reader/fleet/answer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/vec.h"
#include "reader/tables/sql_tables.h"

/* CREATE TABLE, INSERT and SELECT; columns are c0, c1, ... as several may have one name. */
static bool statements(size_t columns, answer_name_fn *name, void *context, char *out[3])
{
    static const char *const heads[] = { "CREATE TABLE temp.answer(", "INSERT INTO temp.answer VALUES(", "SELECT " };
    bool done = true;
    for (size_t k = 0; k < 3; k++) {
        sqlite3_str *s = sqlite3_str_new(NULL);
        sqlite3_str_appendall(s, heads[k]);
        for (size_t i = 0; i < columns; i++) {
            sqlite3_str_appendall(s, i > 0 ? "," : "");
            if (k == 1)
                sqlite3_str_appendall(s, "?");
            else
                sqlite3_str_appendf(s, "c%llu", (unsigned long long)i);
            if (k == 2)
                sqlite3_str_appendf(s, " AS \"%w\"", name(context, i));
        }
        sqlite3_str_appendall(s, k < 2 ? ")" : " FROM temp.answer");
        out[k] = sqlite3_str_finish(s);
        done = done && out[k] != NULL;
    }
    return done;
}

static enum status failed(const struct answer *a, struct error *err)
{
    return error_set(err, ERR_STORE, "the answer of %s: %s", a->engine, sql_error(a->db));
}

enum status answer_begin(struct answer *a, const char *engine, sqlite3 *db, size_t columns, answer_name_fn *name,
                         void *context, struct error *err)
{
    char *sql[3] = { 0 };
    enum status st = OK;
    *a = (struct answer){ .engine = engine, .db = db };
    if (!statements(columns, name, context, sql) || sqlite3_exec(db, sql[0], NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, sql[1], -1, &a->row, NULL) != SQLITE_OK)
        st = failed(a, err);
    sqlite3_free(sql[0]);
    sqlite3_free(sql[1]);
    a->select = sql[2];
    return st;
}

void answer_end(struct answer *a)
{
    (void)sqlite3_finalize(a->row);
    a->row = NULL;
}

/* Integers that fit 64 bits, exactly. */
static bool whole_number(const char *text, size_t n, int64_t *out)
{
    char digits[24], *end;
    if (n == 0 || n >= sizeof digits)
        return false;
    memcpy(digits, text, n);
    digits[n] = '\0';
    errno = 0;
    long long v = strtoll(digits, &end, 10);
    *out = v;
    return errno == 0 && end == digits + n;
}

void answer_double(struct answer *a, size_t column, double v)
{
    if (isnan(v)) /* SQLite would take it for null */
        (void)sqlite3_bind_text(a->row, (int)column + 1, "NaN", -1, SQLITE_STATIC);
    else
        (void)sqlite3_bind_double(a->row, (int)column + 1, v);
}

void answer_text(struct answer *a, size_t column, const char *text, size_t n, bool number)
{
    int64_t v;
    if (number && whole_number(text, n, &v))
        (void)sqlite3_bind_int64(a->row, (int)column + 1, v);
    else
        (void)sqlite3_bind_text64(a->row, (int)column + 1, text, n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void answer_bool(struct answer *a, size_t column, bool v) { (void)sqlite3_bind_int(a->row, (int)column + 1, v); }

enum status answer_row(struct answer *a, struct error *err)
{
    enum status st = sqlite3_step(a->row) == SQLITE_DONE ? OK : failed(a, err);
    (void)sqlite3_reset(a->row);
    (void)sqlite3_clear_bindings(a->row);
    return st;
}

/* ---- from ClickHouse: a line of names, a line of types, lines of values, joined by tabs; \N is null ---- */

struct field {
    char *text;
    size_t length;
    bool null;
};
typedef VEC(struct field) fields;

/* Replaces \n and so on, in place. */
static void unescape(struct field *f)
{
    static const char letters[] = "btnrf0", meant[] = { '\b', '\t', '\n', '\r', '\f', '\0' };
    size_t used = 0;
    f->null = f->length == 2 && memcmp(f->text, "\\N", 2) == 0;
    for (size_t i = 0; i < f->length; i++) {
        char c = f->text[i];
        if (c == '\\' && i + 1 < f->length) {
            c = f->text[++i];
            const char *letter = c != '\0' ? strchr(letters, c) : NULL;
            if (letter != NULL)
                c = meant[letter - letters];
        }
        f->text[used++] = c;
    }
    f->length = used;
}

/* The fields of the line at *at, which moves behind it. False: out of memory. */
static bool read_line(char **at, char *end, fields *out)
{
    char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL)
        stop = end;
    *at = stop < end ? stop + 1 : end;
    out->count = 0;
    for (char *tab; line != NULL; line = tab != NULL ? tab + 1 : NULL) {
        tab = memchr(line, '\t', (size_t)(stop - line));
        struct field *f = vec_push(out);
        if (f == NULL)
            return false;
        *f = (struct field){ .text = line, .length = (size_t)((tab != NULL ? tab : stop) - line) };
        unescape(f);
    }
    return true;
}

/* What stands in Nullable(...) and LowCardinality(...). */
static const char *inner_type(char *type)
{
    static const char *const around[] = { "Nullable(", "LowCardinality(" };
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (strncmp(type, around[k], strlen(around[k])) == 0)
                type += strlen(around[k]);
    return type;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static void put_field(struct answer *a, size_t column, const struct field *f, const char *type)
{
    char digits[64];
    if (f->null)
        return;
    if (begins(type, "Float") && f->length < sizeof digits) {
        memcpy(digits, f->text, f->length);
        digits[f->length] = '\0';
        answer_double(a, column, strtod(digits, NULL));
    } else if (begins(type, "Bool")) {
        answer_bool(a, column, f->length == 4);
    } else {
        answer_text(a, column, f->text, f->length, begins(type, "Int") || begins(type, "UInt"));
    }
}

/* Ends each field of a line of names with a zero: a tab or a newline was there. */
static const char *field_name(void *context, size_t column)
{
    const struct field *f = &((const fields *)context)->items[column];
    f->text[f->length] = '\0';
    return f->text;
}

enum status answer_from_tsv(struct answer *a, const char *engine, sqlite3 *db, char *text, size_t n, struct error *err)
{
    fields names = { 0 }, types = { 0 }, row = { 0 };
    char *at = text, *end = text + n;
    enum status st = OK;
    *a = (struct answer){ .engine = engine, .db = db };
    bool table = n > 0 && end[-1] == '\n' && read_line(&at, end, &names) && at < end && read_line(&at, end, &types) &&
                 names.count == types.count;
    for (size_t i = 0; table && i < types.count; i++)
        table = types.items[i].length > 0 && types.items[i].text[0] >= 'A' && types.items[i].text[0] <= 'Z';
    if (!table)
        st = error_set(err, ERR_USAGE, "%s: the answer is no table; SQL without INTO OUTFILE and FORMAT makes one",
                       engine);
    for (size_t i = 0; st == OK && i < types.count; i++)
        (void)field_name(&types, i);
    if (st == OK)
        st = answer_begin(a, engine, db, names.count, field_name, &names, err);
    while (st == OK && at < end) {
        if (!read_line(&at, end, &row))
            st = error_memory(err, "the answer of %s", engine);
        else if (row.count != names.count)
            st = error_set(err, ERR_FORMAT, "the answer of %s: a row has %zu values, not %zu", engine, row.count,
                           names.count);
        for (size_t i = 0; st == OK && i < row.count; i++)
            put_field(a, i, &row.items[i], inner_type(types.items[i].text));
        if (st == OK)
            st = answer_row(a, err);
    }
    answer_end(a);
    vec_free(&names);
    vec_free(&types);
    vec_free(&row);
    return st;
}
