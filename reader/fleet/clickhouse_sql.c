/* clickhouse_sql.c - see clickhouse_sql.h. Tokens as in https://clickhouse.com/docs/sql-reference/syntax */
#include "reader/fleet/clickhouse_sql.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS  "0123456789"

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_QUOTED, TOKEN_TEXT, TOKEN_SIGN };
struct token {
    enum token_kind kind;
    const char *text; /* without quotes */
    size_t n;
};

static const char *skip_space(const char *at)
{
    for (;;) {
        const char *from = at;
        at += strspn(at, " \t\n\r\f\v");
        if (strncmp(at, "--", 2) == 0 || *at == '#') {
            at += strcspn(at, "\n");
        } else if (strncmp(at, "/*", 2) == 0) {
            const char *end = strstr(at + 2, "*/");
            at = end != NULL ? end + 2 : at + strlen(at);
        }
        if (at == from)
            return at;
    }
}

/* The next token at `at`; what is behind it. A quote is doubled in a name or text, or follows a backslash. */
static const char *next_token(const char *at, struct token *t)
{
    at = skip_space(at);
    *t = (struct token){ .kind = TOKEN_SIGN, .text = at, .n = 1 };
    if (*at == '\0') {
        t->kind = TOKEN_END;
        return at;
    }
    if (strchr("'`\"", *at) != NULL) {
        const char quote = *at++;
        t->kind = quote == '\'' ? TOKEN_TEXT : TOKEN_QUOTED;
        t->text = at;
        while (*at != '\0' && (*at != quote || at[1] == quote))
            at += (*at == '\\' || *at == quote) && at[1] != '\0' ? 2 : 1;
        t->n = (size_t)(at - t->text);
        return *at != '\0' ? at + 1 : at;
    }
    if ((t->n = strspn(at, LETTERS DIGITS)) > 0)
        t->kind = TOKEN_WORD;
    else
        t->n = 1;
    return at + t->n;
}

static bool is_word(const struct token *t, const char *word)
{
    return t->kind == TOKEN_WORD && t->n == strlen(word) && strncasecmp(t->text, word, t->n) == 0;
}
static bool is_sign(const struct token *t, char sign) { return t->kind == TOKEN_SIGN && *t->text == sign; }

static bool is_among(const struct token *t, const char *lines)
{
    for (const char *line = lines, *end; *line != '\0'; line = *end != '\0' ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if ((size_t)(end - line) == t->n && memcmp(line, t->text, t->n) == 0)
            return true;
    }
    return false;
}

/* Functions whose arguments name tables, dictionaries or files. */
static bool reads_elsewhere(const struct token *t)
{
    static const char *const begins[] = { "dict", "joinGet", "file", "model", "catboost" };
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (t->n >= strlen(begins[i]) && strncasecmp(t->text, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

enum status clickhouse_sql_check(const char *sql, const char *databases, const char *own, struct error *err)
{
    struct token t = { .kind = TOKEN_SIGN }, next;
    const char *at = next_token(sql, &t);
    while (is_sign(&t, '('))
        at = next_token(at, &t);
    if (!is_word(&t, "SELECT") && !is_word(&t, "WITH"))
        return error_set(err, ERR_USAGE, "ClickHouse is asked with SELECT, or WITH ... SELECT");
    for (; t.kind != TOKEN_END; t = next) {
        at = next_token(at, &next);
        if (t.kind != TOKEN_WORD && t.kind != TOKEN_QUOTED)
            continue;
        if (t.kind == TOKEN_QUOTED && memchr(t.text, '\\', t.n) != NULL)
            return error_set(err, ERR_USAGE, "ClickHouse: a name with a backslash");
        if ((is_sign(&next, '.') && is_among(&t, databases) && (strlen(own) != t.n || memcmp(own, t.text, t.n) != 0)) ||
            (is_sign(&next, '(') && reads_elsewhere(&t)))
            return error_set(err, ERR_USAGE, "ClickHouse: %.*s: only the tables of the fleet can be asked", (int)t.n,
                             t.text);
    }
    return OK;
}
