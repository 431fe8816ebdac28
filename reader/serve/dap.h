/* dap.h - `hindsight dap`: the debug adapter protocol over a trace. cmd_dap.c starts it.
 *
 * dap.c reads requests, of which requests.def has the list; dap_wire.c sends answers and events. dap_launch.c opens a
 * trace; dap_breaks.c breakpoints; dap_moves.c steps; dap_state.c threads, frames and variables, which dap_handles.c
 * numbers; dap_values.c values as text and expressions, dap_contents.c what collections held; dap_sources.c sources;
 * dap_custom.c and dap_lines.c requests of our own. They see a trace by trace.h and session.h.
 *
 * Ids of the protocol: a thread is its number + 1; frames and variables are numbers that are valid until the session
 * moves; a source reference is the number of a class + 1. */
#ifndef READER_SERVE_DAP_H
#define READER_SERVE_DAP_H

#include <cjson/cJSON.h>

#include "formats/arena.h"
#include "formats/bytes.h"
#include "formats/json.h"
#include "formats/vec.h"
#include "reader/command/show.h"
#include "reader/command/source.h"
#include "reader/serve/message.h"
#include "reader/session/session.h"

enum dap_scope { SCOPE_LOCALS, SCOPE_MONITORS, SCOPE_EVENT, SCOPE_OBJECT };
struct dap_handle {
    enum dap_scope scope;
    uint32_t thread;
    size_t frame;
    uint32_t object; /* of OBJECT */
};
struct dap_file {
    uint32_t class_no;
    const char *file; /* as in struct spot; NULL: the source file of the class */
};
struct dap_frame {
    uint32_t thread;
    size_t frame; /* 0 is innermost */
};
enum dap_break_kind { DAP_SOURCE, DAP_FUNCTION, DAP_EXCEPTION, DAP_DATA };
struct dap_break {
    enum dap_break_kind kind;
    uint32_t id; /* of the session; 0: it has no place */
    char *path;  /* of SOURCE */
    char *log;   /* NULL: it stops */
};

struct dap {
    struct connection connection;
    int64_t seq; /* of our messages */
    bool ended, lines_from_0, columns_from_0, configured;
    struct context *context; /* of the command `dap` */
    const char *command;     /* of the request that is being answered */
    int64_t request_seq;
    bool answered;
    bool shown;          /* a failure of it, to the user */
    struct writer body;  /* of the answer: the inside of an object */
    struct json json;    /* writes to it */
    struct writer event; /* that is being written */
    struct json event_json;
    struct dap_progress {
        bool wanted, shown; /* the client shows progress; it was notified that something began */
        uint64_t since_ms, sent_ms;
        uint32_t number;
    } progress;
    uint64_t began_ms; /* the request that is being answered */
    char failure[HS_ERROR_TEXT_MAX];
    VEC(char *) queue; /* requests that came while another one was answered */
    size_t queue_at;
    bool cancelled;
    unsigned polls;

    hs_trace *trace; /* NULL: none is open */
    struct nav *nav;
    struct out text; /* of values */
    struct show show;
    struct sources *sources;
    const char *entry_reason;
    struct dap_sent { /* dap_output.c: the lines of output */
        hs_cursor *lines;
        const struct hs_output_line *next; /* that is not sent yet; NULL: it was not read */
        uint64_t until;                    /* lines written up to this event were sent */
        bool none;                         /* output was not recorded */
    } sent;
    VEC(struct dap_frame) frames;
    VEC(struct dap_handle) handles;
    VEC(struct dap_break) breaks;
    bool stops_caught, stops_uncaught; /* filters of exceptions that are set */
    VEC(uint64_t) targets;             /* of goto: seq */
    VEC(struct dap_file) files;        /* that lines of classes are in, beside their source files */
};

/* A request: writes members of its body with d->json. False: it failed, `failure` has the reason. */
typedef bool dap_request_fn(struct dap *d, const cJSON *arguments);
#define REQUEST(name, needs_trace, shown) bool dap_##name(struct dap *d, const cJSON *arguments);
#include "reader/serve/requests.def"
#undef REQUEST

/* Serves one connection until it ends. Returns the exit status. */
int dap_serve(struct connection *connection, struct context *context);

/* ---- for the requests ---- */

bool dap_fail(struct dap *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Members of the arguments; the text is NULL, and the number `absent`, if it is not there or of another type. */
const char *dap_text(const cJSON *object, const char *name);
int64_t dap_number(const cJSON *object, const char *name, int64_t absent);
/* Also as decimal text, since numbers of JSON clients have 53 bits. */
bool dap_u64(const cJSON *object, const char *name, uint64_t *out);
/* The answer of the request; not done: with `failure`. */
void dap_answer_with(struct dap *d, bool done);
/* Sends the answer now; what follows are events. */
void dap_answer(struct dap *d);
/* An event: members of its body are written between the two calls. */
struct json *dap_event_begin(struct dap *d, const char *event);
void dap_event_end(struct dap *d);
/* Output events of what the program wrote on the way to the moment. */
void dap_send_output(struct dap *d);
void dap_output_close(struct dap *d);
void dap_output(struct dap *d, const char *category, const char *text);

/* dap_progress.c: from now on the client is notified how far long queries are (hs_set_progress), and can stop them. */
void dap_watch_progress(struct dap *d);
uint64_t dap_now_ms(void);
/* At the end of a request. */
void dap_end_progress(struct dap *d);
/* Reads the requests that have come meanwhile, for later; true: one of them asks to stop what runs. */
bool dap_poll(void *dap);
/* dap_launch.c */
void dap_close_trace(struct dap *d);
/* dap_moves.c: reports that the session stands somewhere else. */
void dap_stopped(struct dap *d, const char *reason, const struct nav_stop *stop);
/* dap_handles.c: frames and variables of before are gone. */
void dap_forget(struct dap *d);
int64_t dap_frame_id(struct dap *d, uint32_t thread, size_t frame);
bool dap_frame_get(struct dap *d, int64_t id, struct dap_frame *out);
/* The number of a scope or object; 0: out of memory. */
int64_t dap_handle_of(struct dap *d, struct dap_handle handle);
bool dap_handle_get(struct dap *d, int64_t id, struct dap_handle *out);
/* dap_values.c: members "value" (or `name`), "type", "variablesReference", "indexedVariables" of a value. */
void dap_value_members(struct dap *d, const char *name, const struct expression_value *value);
/* The text of a value, borrowed until the next call. */
const char *dap_value_text(struct dap *d, const struct expression_value *value);
/* dap_contents.c: one variable for each entry of a collection from `start` on. False: the object is none, or out of
 * memory. */
bool dap_contents(struct dap *d, uint32_t id, uint64_t start, uint64_t count);
/* dap_values.c: one variable; `expression` evaluates to it, `what` is its location; both may be NULL. */
void dap_variable(struct dap *d, const char *name, const struct expression_value *value, const char *expression,
                  const char *what);
/* A log message with {expressions} filled in, into the writer. */
void dap_expand(struct dap *d, const char *message, uint32_t thread, struct writer *out);
/* dap_sources.c: member "source" of an answer or event, the file (as in struct spot) of a class. */
void dap_source_member(struct dap *d, struct json *j, const struct hs_class *c, const char *file);
/* The path that breakpoints of a source are matched with; NULL: the arguments name none. */
const char *dap_source_path(struct dap *d, const cJSON *source, char room[SOURCE_NAME_MAX]);
/* dap_state.c: NULL: there is no such frame. */
const struct hs_frame *dap_frame_at(struct dap *d, const struct dap_frame *f);
/* The variable of a frame that the arguments name (variablesReference, name); NULL: they name none. */
const struct hs_variable *dap_variable_of(struct dap *d, const cJSON *arguments, uint32_t *thread);
/* dap_breaks.c: the location of a variable that the client was shown (variablesReference, name), or `name` as it is:
 * one of the forms of `hindsight history`. It lives in the arena or the arguments. */
bool dap_location_of(struct dap *d, const cJSON *arguments, struct arena *arena, const char **what);
void dap_drop_breaks(struct dap *d, enum dap_break_kind kind, const char *path);
bool dap_pass(void *dap, const struct nav_stop *stop);
const struct dap_break *dap_break_of(struct dap *d, uint32_t id);

#endif
