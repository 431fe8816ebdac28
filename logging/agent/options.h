/* options.h - the agent's option string, parsed and checked: `key=value,key=value` (options.def). */
#ifndef LOGGING_AGENT_OPTIONS_H
#define LOGGING_AGENT_OPTIONS_H

#include <stdbool.h>

#include "formats/event.h"
#include "formats/format.h"
#include "formats/objects.h"
#include "formats/status.h"
#include "formats/vec.h"
#include "logging/capture/patterns.h"
#include "logging/capture/windows.h"
#include "logging/sinks/sink.h"
#include "weaver/filter.h"
#include "weaver/redact.h"

/* Which woven classes are verified: those of rare shapes (weave_result.rare_shape). */
enum verify_choice { VERIFY_RARE, VERIFY_ALL, VERIFY_OFF };
/* When the index is made; of INDEX_OFF only `hindsight index` makes it. */
enum index_choice { INDEX_LATER, INDEX_NOW, INDEX_OFF };
enum exception_detail { EXCEPTION_FULL, EXCEPTION_MESSAGE, EXCEPTION_NONE };

struct options {
    char output[4096];    /* with its placeholders replaced */
    bool skip_generated;  /* generated.h */
    bool fold_trivial;    /* trivial.h */
    uint32_t percall;     /* percall.h; 0: no bound */
    bool output_recorded; /* stdout= */
    bool overwrite, string, timestamp, order_total, dump, quiet, strict, start_off, control, derive, tests;
    enum format_id format;
    enum exception_detail exception;
    enum verify_choice verify;
    enum index_choice index;
    group_set groups;
    uint32_t size;     /* of the ring, format=latest */
    uint64_t maxbytes; /* 0: no bound */
    bool drop_oldest;
    uint32_t maxstring; /* UTF-16 units kept of a string, at most OBJECT_STRING_UNITS_MAX */
    struct filter filter;
    struct redact redact;              /* places whose values are kept out */
    const struct sink *sink;           /* of the format */
    bool values;                       /* of events are kept (formats.def) */
    struct pattern *logstart, *logend; /* NULL: not given */
    bool lognested;
    enum window_save logsave;
    enum keep keep;
    bool freeze_uncaught;
    VEC(char *) freeze; /* class names with dots; subclasses match too */
    uint32_t freezes;
    char reply[256];   /* of an agent that is attached; empty: none */
    const char *twice; /* an option that was given with two values, of which the last one counts; NULL: none */
    char weavecache[4096], prewoven[4096]; /* directories of woven classes; empty: none */
};

/* Fills `o`; on failure `err` holds one line that names the option and what is accepted. */
enum status options_parse(struct options *o, const char *text, struct error *err);
/* Frees what a parse has filled, also one that failed. */
void options_done(struct options *o);
/* At a later start: weave= replaces the groups, only= i= e= exlocation= together replace the filter; nothing else may
 * change. On failure `o` is as it was. */
enum status options_change(struct options *o, const char *text, struct error *err);
/* Groups as weave= has them. */
void options_groups(group_set groups, char *out, size_t size);
/* Are parts of the run chosen by logstart=, logend=? With derive=on that is done when it has ended (formats/drop.h). */
static inline bool options_in_parts(const struct options *o) { return o->logstart != NULL || o->logend != NULL; }
/* Are there windows, or requests for snapshots, so that all events must pass through the drain? */
static inline bool options_cut(const struct options *o)
{
    return options_in_parts(o) || o->freeze_uncaught || o->freeze.count > 0 || o->keep != KEEP_ALL;
}
/* Are only entries and exits wanted, of each thread alone (weave_config.frames_only)? */
static inline bool options_frames_only(const struct options *o)
{
    return o->format == FORMAT_TIMING && !options_cut(o);
}

#endif
