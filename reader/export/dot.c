/* dot.c - graphs in the language of Graphviz. Syntax: https://graphviz.org/doc/info/lang.html */
#include "reader/export/diagram.h"

/* Graphviz reads HTML entities in labels, and before that escapes: a backslash cannot be an entity. */
static const struct escape quoted = { "\"&", "&#", ESCAPE_DECIMAL, ";", .backslashed = "\\" };

static void label(struct diagram *d, const char *text)
{
    out_text(d->out, "[label=\"");
    diagram_lines(d, text, &quoted, "\\n");
    out_line(d->out, "\"];");
}

static void begin(struct diagram *d)
{
    out_format(d->out, "digraph %s {\n", d->kind == DIAGRAM_CALLS ? "calls" : "objects");
    out_line(d->out, "    rankdir=LR;");
    out_line(d->out, "    node [shape=box];");
}

static void end(struct diagram *d) { out_line(d->out, "}"); }

static void node(struct diagram *d, uint32_t id, const char *text)
{
    out_format(d->out, "    n%u ", id);
    label(d, text);
}

static void edge(struct diagram *d, uint32_t from, uint32_t to, const char *text)
{
    out_format(d->out, "    n%u -> n%u ", from, to);
    label(d, text);
}

static void note(struct diagram *d, uint32_t beside, const char *text)
{
    (void)beside;
    out_text(d->out, "    graph ");
    label(d, text);
}

static const struct diagram_language dot = {
    .kinds = 1 << DIAGRAM_CALLS | 1 << DIAGRAM_OBJECTS,
    .usual = DIAGRAM_CALLS,
    .begin = begin,
    .end = end,
    .node = node,
    .edge = edge,
    .note = note,
};

bool export_dot(struct export_job *x) { return diagram_export(x, &dot); }
