/* roff.c - see roff.h. */
#include "reader/man/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool fresh; /* a section has just begun, and needs no paragraph */

void roff_fresh(void) { fresh = true; }

static void begin_paragraph(void)
{
    if (!fresh)
        (void)printf(".PP\n");
    fresh = false;
}

static void character(char c)
{
    switch (c) {
    case '\\': (void)fputs("\\e", stdout); break;
    case '-': (void)fputs("\\-", stdout); break;
    case '\'': (void)fputs("\\(aq", stdout); break;
    case '`': (void)fputs("\\(ga", stdout); break;
    case '^': (void)fputs("\\(ha", stdout); break;
    case '~': (void)fputs("\\(ti", stdout); break;
    case '\n': (void)fputs("\n.br\n", stdout); break;
    default: (void)putchar(c);
    }
}

void roff_text_n(const char *text, size_t n)
{
    if (n > 0 && (*text == '.' || *text == '\''))
        (void)fputs("\\&", stdout);
    for (size_t i = 0; i < n; i++)
        character(text[i]);
}

void roff_text(const char *text) { roff_text_n(text, strlen(text)); }

void roff_head(const char *name, const char *section, const char *manual, const char *summary)
{
    (void)printf(".\\\" Made by the build (reader/man/manual.c).\n.TH ");
    for (const char *p = name; *p != '\0'; p++)
        character((char)toupper((unsigned char)*p));
    (void)printf(" %s \"2026-11-20\" \"Hindsight\" \"%s\"\n.SH NAME\n", section, manual);
    roff_text(name);
    (void)printf(" \\- ");
    roff_text(summary);
    (void)putchar('\n');
}

void roff_section(const char *title)
{
    (void)printf(".SH \"");
    for (const char *p = title; *p != '\0'; p++)
        character((char)toupper((unsigned char)*p));
    (void)printf("\"\n");
    fresh = true;
}

void roff_paragraph(const char *text)
{
    begin_paragraph();
    roff_text(text);
    (void)putchar('\n');
}

void roff_item(const char *term, const char *text)
{
    fresh = false;
    (void)printf(".TP\n\\fB");
    roff_text(term);
    (void)printf("\\fR\n");
    roff_text(text);
    (void)putchar('\n');
}

void roff_example(const char *line)
{
    begin_paragraph();
    (void)printf(".nf\n.RS 4\n");
    roff_text(line);
    (void)printf("\n.RE\n.fi\n");
}

/* ---- Markdown ---- */

enum { BLOCK_NONE, BLOCK_TEXT, BLOCK_CODE, BLOCK_TABLE_HEAD, BLOCK_TABLE };

/* A run of text: `code` and **strong** are bold. */
static void inline_text(const char *text, size_t n)
{
    char clean[8192];
    size_t used = 0;
    for (size_t i = 0; i < n && used + 1 < sizeof clean; i++) {
        bool mark = text[i] == '`' || (text[i] == '*' && i + 1 < n && text[i + 1] == '*');
        bool escaped = text[i] == '\\' && i + 1 < n && ispunct((unsigned char)text[i + 1]);
        if (mark) {
            i += text[i] == '*';
            continue;
        }
        i += escaped;
        clean[used++] = text[i];
    }
    roff_text_n(clean, used);
}

/* A row of a table: its first cells are the term of an item, the last one its text. */
static void table_row(char *line)
{
    char *cells[8], *p = line + 1;
    size_t count = 0;
    while (*p != '\0' && count < sizeof cells / sizeof *cells) {
        char *end = p;
        while (*end != '\0' && (*end != '|' || end[-1] == '\\'))
            end++;
        if (*end == '\0')
            break;
        *end = '\0';
        cells[count++] = p + strspn(p, " ");
        for (char *last = end; last > p && last[-1] == ' '; last--)
            last[-1] = '\0';
        p = end + 1;
    }
    if (count == 0)
        return;
    fresh = false;
    (void)printf(".TP\n\\fB");
    for (size_t i = 0; i + 1 < count; i++) {
        (void)fputs(i > 0 ? "  " : "", stdout);
        inline_text(cells[i], strlen(cells[i]));
    }
    (void)printf("\\fR\n");
    inline_text(cells[count - 1], strlen(cells[count - 1]));
    (void)putchar('\n');
}

static void leave(struct roff_markdown *m)
{
    if (m->block == BLOCK_CODE)
        (void)printf(".RE\n.fi\n");
    m->block = BLOCK_NONE;
}

static void code_line(struct roff_markdown *m, const char *text)
{
    if (m->block != BLOCK_CODE) {
        leave(m);
        begin_paragraph();
        (void)printf(".nf\n.RS 4\n");
    }
    m->block = BLOCK_CODE;
    roff_text(text);
    (void)putchar('\n');
}

static void text_line(struct roff_markdown *m, const char *text)
{
    if (m->block != BLOCK_TEXT) {
        leave(m);
        begin_paragraph();
    }
    m->block = BLOCK_TEXT;
    inline_text(text, strlen(text));
    (void)putchar('\n');
}

static void table_line(struct roff_markdown *m, char *line)
{
    if (m->block == BLOCK_TABLE) {
        table_row(line);
        return;
    }
    if (m->block != BLOCK_TABLE_HEAD) { /* the head says what the columns are; the terms speak for themselves */
        leave(m);
        m->block = BLOCK_TABLE_HEAD;
        return;
    }
    m->block = BLOCK_TABLE; /* the line |---|---| */
}

void roff_markdown_line(struct roff_markdown *m, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    size_t hashes = strspn(line, "#");
    if (*line == '\0') {
        if (m->block != BLOCK_CODE)
            leave(m);
    } else if (hashes > 0 && line[hashes] == ' ') {
        leave(m);
        roff_section(line + hashes + 1);
    } else if (strncmp(line, "    ", 4) == 0 && m->block != BLOCK_TEXT) {
        code_line(m, line + 4);
    } else if (*line == '|') {
        table_line(m, line);
    } else {
        text_line(m, line);
    }
}

void roff_markdown_end(struct roff_markdown *m) { leave(m); }
