/* export.h - `hindsight export`: what every exporter is given, and where it writes.
 *
 * An exporter is a row of exporters.def and a function `bool export_<name>(struct export_job *x)`. It asks the trace
 * (reader/trace.h) and writes with x->out. What it writes appears under the final name when the function has returned
 * true, whole; after export_fail, Ctrl-C or a full disk nothing is left. Memory is bounded: nothing is kept per event.
 *
 *     bool export_example(struct export_job *x)
 *     {
 *         const struct hs_event *event;
 *         if (!export_events_open(x))
 *             return false;
 *         while (export_event_next(x, &event))
 *             out_format(x->out, "%llu\n", (unsigned long long)event->seq);
 *         return true;
 *     }
 *
 * Failures are kept in x: loops end by themselves, and cmd_export reports the first one. */
#ifndef READER_EXPORT_EXPORT_H
#define READER_EXPORT_EXPORT_H

#include <limits.h>

#include "reader/command/chosen_events.h"
#include "reader/command/out.h"
#include "reader/trace.h"

enum export_shape { EXPORT_FILE, EXPORT_SEEKABLE, EXPORT_DIRECTORY, EXPORT_TABLE, EXPORT_TABLES, EXPORT_SERVER };

struct export_options {
    const char *output;   /* -o; NULL: standard output */
    const char *table;    /* --table; NULL: not given */
    uint64_t at;          /* --at; UINT64_MAX: not given */
    const char *time;     /* --time: "clock" or "seq"; NULL: not given, clock */
    const char *weight;   /* --weight; NULL: not given */
    const char *diagram;  /* --diagram; NULL: not given */
    const char *per;      /* --per; NULL: not given */
    uint64_t min_ns;      /* --min; UINT64_MAX: not given */
    bool famix3;          /* --famix3 */
    const char *server;   /* --server; NULL: not given */
    const char *database; /* --database; NULL: not given */
    bool replace;         /* --replace */
    const char *derived;  /* --derived: "all" or "none"; NULL: not given, all */
};

struct export_job {
    hs_trace *trace;
    struct session *session;
    const struct exporter *exporter;
    enum export_shape shape; /* FILE, SEEKABLE, DIRECTORY or SERVER: what the format writes with these options */
    struct export_options options;
    const struct chosen_events *filter; /* filter->all: every event is wanted */
    struct out *out;                    /* FILE: where it goes; DIRECTORY: the file that is open, NULL: none */
    hs_cursor *cursor;                  /* of export_events_open */
    uint64_t jobs;                      /* --jobs; 0: not given */
    uint64_t limit, left;               /* --limit: events at most; those of this pass */
    uint64_t events, rows;              /* events of the last pass; rows of all tables */
    bool reads_events;                  /* there was such a pass */
    struct hs_error error;              /* text[0] != 0: it failed */
    bool usage;                         /* the failure is a wrong option */
    int status;                         /* PARSED, or the exit status of a failure that was reported */
    struct out file;                    /* behind `out`, unless it is standard output */
    int dir;                            /* DIRECTORY: its temporary directory, -1: none */
    char temporary[PATH_MAX];           /* what is renamed to `output`; "" none */
};

struct exporter {
    const char *name;
    enum export_shape shape;
    const char *summary;
    bool (*run)(struct export_job *x);
};
extern const struct exporter exporter_table[]; /* ends with a row without a name */
#define EXPORTER(name, shape, summary) bool export_##name(struct export_job *x);
#include "reader/export/exporters.def"
#undef EXPORTER

/* ---- for exporters ---- */

/* Keeps the first failure; false. */
bool export_fail(struct export_job *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* As export_fail, for an option that the format cannot follow: exit status 2. */
bool export_wrong(struct export_job *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Keeps what a function of trace.h reported. */
bool export_failed(struct export_job *x, const struct hs_error *error);

/* False: it fails, since the trace keeps no stream of events. For exporters that do not begin with
 * export_events_open. */
bool export_has_stream(struct export_job *x);
/* The events that pass the filters, from the first on; may be called again for another pass. */
bool export_events_open(struct export_job *x);
/* False: there are no more, or it failed; see export_ok. */
bool export_event_next(struct export_job *x, const struct hs_event **event);
/* Reports that there is no `what` if no event of these uses (event_use) was woven; what others show is written. */
void export_unwoven(const struct export_job *x, const char *what, uint32_t uses);
/* Nothing has failed, writing included. */
bool export_ok(const struct export_job *x);

/* DIRECTORY: ends the file that is open and begins the next one, x->out. The name is one of ours, without a slash. */
bool export_file_open(struct export_job *x, const char *name);
/* SEEKABLE: the path of the file to write; it is there, and empty. */
const char *export_path(const struct export_job *x);

/* ---- for cmd_export ---- */

/* x->options, x->session and x->exporter are set. */
bool export_begin(struct export_job *x);
/* Puts what was written in its place, if `done` and nothing failed; else removes it. */
bool export_end(struct export_job *x, bool done);

#endif
