/* plantuml.c - diagrams in the language of PlantUML. Special characters, of its markup too, are written as <U+CODE>.
 * Syntax: https://plantuml.com/sequence-diagram, https://plantuml.com/object-diagram, https://plantuml.com/unicode */
#include "reader/export/diagram.h"

static const struct escape code = { "\\\"<>*_/~[]{}&#|%'!$@^`-=+.", "<U+", ESCAPE_HEX, ">", NULL };

static void begin(struct diagram *d) { out_line(d->out, "@startuml"); }
static void end(struct diagram *d) { out_line(d->out, "@enduml"); }

static void named(struct diagram *d, const char *word, const char *name, char letter, uint32_t id)
{
    out_format(d->out, "%s \"", word);
    diagram_lines(d, name, &code, "\\n");
    out_format(d->out, "\" as %c%u\n", letter, id);
}

static void text_line(struct diagram *d, const char *text)
{
    diagram_lines(d, text, &code, " ");
    out_char(d->out, '\n');
}

static void participant(struct diagram *d, uint32_t id, const char *name) { named(d, "participant", name, 'p', id); }

static void message(struct diagram *d, uint32_t from, uint32_t to, const char *text, bool reply)
{
    out_format(d->out, "p%u %s p%u : ", from, reply ? "-->" : "->", to);
    text_line(d, text);
}

static void active(struct diagram *d, uint32_t id, bool on)
{
    out_format(d->out, "%s p%u\n", on ? "activate" : "deactivate", id);
}

static void loop(struct diagram *d, uint64_t times)
{
    out_format(d->out, "loop %llu times\n", (unsigned long long)times);
}

static void loop_end(struct diagram *d) { out_line(d->out, "end"); }

static void node(struct diagram *d, uint32_t id, const char *text) { named(d, "rectangle", text, 'n', id); }

static void edge(struct diagram *d, uint32_t from, uint32_t to, const char *text)
{
    out_format(d->out, "n%u --> n%u : ", from, to);
    text_line(d, text);
}

static void note(struct diagram *d, uint32_t beside, const char *text)
{
    if (d->kind == DIAGRAM_SEQUENCE)
        out_format(d->out, "note over p%u : ", beside);
    else
        out_text(d->out, "footer ");
    text_line(d, text);
}

static const struct diagram_language plantuml = {
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

bool export_plantuml(struct export_job *x) { return diagram_export(x, &plantuml); }
