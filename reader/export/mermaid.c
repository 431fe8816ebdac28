/* mermaid.c - diagrams in the language of mermaid. Special characters are written as #NUMBER;
 * Syntax: https://mermaid.js.org/syntax/sequenceDiagram.html, https://mermaid.js.org/syntax/flowchart.html */
#include "reader/export/diagram.h"

static const struct escape entity = { "#;\"<>&{}[]()|%\\`*_~", "#", ESCAPE_DECIMAL, ";", NULL };
static const struct escape rest_of_line = { "#;\"<>&{}%\\", "#", ESCAPE_DECIMAL, ";", NULL };

static void begin(struct diagram *d)
{
    out_line(d->out, d->kind == DIAGRAM_SEQUENCE ? "sequenceDiagram" : "flowchart LR");
}

static void end(struct diagram *d) { (void)d; }

static void text_line(struct diagram *d, const char *text)
{
    diagram_lines(d, text, &rest_of_line, " ");
    out_char(d->out, '\n');
}

static void participant(struct diagram *d, uint32_t id, const char *name)
{
    out_format(d->out, "    participant p%u as ", id);
    text_line(d, name);
}

static void message(struct diagram *d, uint32_t from, uint32_t to, const char *text, bool reply)
{
    out_format(d->out, "    p%u%sp%u: ", from, reply ? "-->>" : "->>", to);
    text_line(d, text);
}

static void active(struct diagram *d, uint32_t id, bool on)
{
    out_format(d->out, "    %s p%u\n", on ? "activate" : "deactivate", id);
}

static void loop(struct diagram *d, uint64_t times)
{
    out_format(d->out, "    loop %llu times\n", (unsigned long long)times);
}

static void loop_end(struct diagram *d) { out_line(d->out, "    end"); }

static void node(struct diagram *d, uint32_t id, const char *text)
{
    out_format(d->out, "    n%u[\"", id);
    diagram_lines(d, text, &entity, "<br/>");
    out_line(d->out, "\"]");
}

static void edge(struct diagram *d, uint32_t from, uint32_t to, const char *text)
{
    out_format(d->out, "    n%u -->|\"", from);
    diagram_lines(d, text, &entity, "<br/>");
    out_format(d->out, "\"| n%u\n", to);
}

static void note(struct diagram *d, uint32_t beside, const char *text)
{
    if (d->kind != DIAGRAM_SEQUENCE) {
        node(d, UINT32_MAX, text);
        return;
    }
    out_format(d->out, "    Note over p%u: ", beside);
    text_line(d, text);
}

static const struct diagram_language mermaid = {
    .kinds = 1 << DIAGRAM_SEQUENCE | 1 << DIAGRAM_CALLS | 1 << DIAGRAM_OBJECTS,
    .usual = DIAGRAM_SEQUENCE,
    .begin = begin,
    .end = end,
    .participant = participant,
    .message = message,
    .active = active,
    .loop = loop,
    .loop_end = loop_end,
    .node = node,
    .edge = edge,
    .note = note,
};

bool export_mermaid(struct export_job *x) { return diagram_export(x, &mermaid); }
