/* diagram.h - sequence diagrams, call graphs and object graphs, in the languages mermaid, plantuml and dot.
 *
 *     diagram_sequence.c   the calls of each thread as messages between classes, loops folded
 *     diagram_calls.c      methods and who called them
 *     diagram_objects.c    objects at a moment, and the fields that join them
 *     mermaid.c plantuml.c dot.c   how a language writes the parts
 *
 * A diagram is for reading: it has DIAGRAM_PARTS messages, methods or objects at most, or --limit, and a note says what
 * is left out. Names of parts are numbers; texts are escaped by the language. */
#ifndef READER_EXPORT_DIAGRAM_H
#define READER_EXPORT_DIAGRAM_H

#include "reader/command/show.h"
#include "reader/export/escape.h"
#include "reader/export/export.h"

enum { DIAGRAM_PARTS = 200, DIAGRAM_TEXT_MAX = 100 };
enum diagram_kind { DIAGRAM_SEQUENCE, DIAGRAM_CALLS, DIAGRAM_OBJECTS, DIAGRAM_KINDS };

struct diagram {
    struct export_job *job;
    struct out *out;
    const struct diagram_language *language;
    enum diagram_kind kind;
    uint64_t most;      /* parts */
    struct out scratch; /* memory, for texts that are being made */
    struct show show;   /* writes to scratch */
};

/* One line, or several with \n between them. Slots that a language does not have are NULL, and its `kinds` says so. */
struct diagram_language {
    unsigned kinds; /* one bit each */
    enum diagram_kind usual;
    void (*begin)(struct diagram *d);
    void (*end)(struct diagram *d);
    /* ---- sequence ---- */
    void (*participant)(struct diagram *d, uint32_t id, const char *name);
    void (*message)(struct diagram *d, uint32_t from, uint32_t to, const char *text, bool reply);
    void (*active)(struct diagram *d, uint32_t id, bool on);
    void (*loop)(struct diagram *d, uint64_t times);
    void (*loop_end)(struct diagram *d);
    /* ---- graphs ---- */
    void (*node)(struct diagram *d, uint32_t id, const char *text);
    void (*edge)(struct diagram *d, uint32_t from, uint32_t to, const char *text);
    /* ---- both ---- */
    void (*note)(struct diagram *d, uint32_t beside, const char *text);
};

/* What export_mermaid and the others do. */
bool diagram_export(struct export_job *x, const struct diagram_language *language);

/* Each begins the diagram when nothing can be wrong with the options any more. */
bool diagram_sequence(struct diagram *d);
bool diagram_calls(struct diagram *d);
bool diagram_objects(struct diagram *d);

/* What was written to the scratch buffer, cut after DIAGRAM_TEXT_MAX characters a line; the buffer is empty again.
 * Until the next text is begun. */
const char *diagram_text(struct diagram *d);
/* Writes a text of several lines, with `between` between them. */
void diagram_lines(struct diagram *d, const char *text, const struct escape *how, const char *between);

#endif
