/* jdwp.h - `hindsight jdwp`: a trace as a suspended JVM, for debuggers of Java. cmd_jdwp.c starts it.
 *
 * jdwp.c answers packets, which jdwp_wire.c reads and writes; jdwp_commands.def has one row for each command that is
 * answered, and NOT_IMPLEMENTED answers the others. jdwp_types.c has classes as reference types; jdwp_classes.c their
 * fields, methods and lines; jdwp_values.c objects and values; jdwp_threads.c threads and frames; jdwp_events.c
 * requests for events, and what resume does; jdwp_calls.c calls of methods, jdwp_made.c what they made;
 * jdwp_time.c the class hindsight.Time. They see a trace by trace.h and session.h.
 *
 * All ids have 64 bits. The upper half is the kind of thing, the lower half its number:
 *
 *     0  an object of the trace      1  a reference type, also its class object    2  a thread, number + 1
 *     3  the thread group            4  a class loader                             5  a string made by the client
 *     6  an object that stands for a value that was not recorded (number 1), or that says why it is not known (the
 *        number of that text + 1)
 *     7  an object that a call made; invalid when the session moves
 *
 * A method is its method id + 1, one of our own has METHOD_OWN, one of the JDK METHOD_JDK; a field is reference type
 * << 32 | number + 1; a frame is the count of moves << 32 | its depth, so that a frame of before is refused. A pc is
 * that of the class file.
 *
 * Nothing of a packet is trusted: reads are bounded (bytes.h), and no memory is taken by a number in it. */
#ifndef READER_SERVE_JDWP_H
#define READER_SERVE_JDWP_H

#include "formats/arena.h"
#include "formats/bytes.h"
#include "formats/map.h"
#include "formats/vec.h"
#include "reader/command/show.h"
#include "reader/session/session.h"

enum jdwp_error {
    JDWP_NONE = 0,
    JDWP_INVALID_THREAD = 10,
    JDWP_INVALID_OBJECT = 20,
    JDWP_INVALID_CLASS = 21,
    JDWP_INVALID_METHODID = 23,
    JDWP_INVALID_FIELDID = 25,
    JDWP_INVALID_FRAMEID = 30,
    JDWP_NO_MORE_FRAMES = 31,
    JDWP_NOT_IMPLEMENTED = 99,
    JDWP_ABSENT_INFORMATION = 101,
    JDWP_INVALID_EVENT_TYPE = 102,
    JDWP_ILLEGAL_ARGUMENT = 103,
    JDWP_OUT_OF_MEMORY = 110,
    JDWP_INTERNAL = 113,
    JDWP_INVALID_INDEX = 503,
    JDWP_INVALID_LENGTH = 504,
    JDWP_INVALID_STRING = 506,
};
enum jdwp_space {
    SPACE_OBJECT,
    SPACE_TYPE,
    SPACE_THREAD,
    SPACE_GROUP,
    SPACE_LOADER,
    SPACE_TEXT,
    SPACE_UNKNOWN,
    SPACE_MADE
};
enum jdwp_type_tag { TYPE_CLASS = 1, TYPE_INTERFACE = 2, TYPE_ARRAY = 3 };
enum jdwp_event {
    EVENT_SINGLE_STEP = 1,
    EVENT_BREAKPOINT = 2,
    EVENT_EXCEPTION = 4,
    EVENT_THREAD_START = 6,
    EVENT_THREAD_END = 7,
    EVENT_CLASS_PREPARE = 8,
    EVENT_CLASS_UNLOAD = 9,
    EVENT_FIELD_ACCESS = 20,
    EVENT_FIELD_MODIFICATION = 21,
    EVENT_ENTRY = 40,
    EVENT_EXIT = 41,
    EVENT_EXIT_WITH_VALUE = 42,
    EVENT_VM_START = 90,
    EVENT_VM_DEATH = 99,
};
enum jdwp_policy { SUSPEND_NONE, SUSPEND_THREAD, SUSPEND_ALL };
#define METHOD_OWN (UINT64_C(1) << 32)
#define METHOD_JDK (UINT64_C(2) << 32)

/* A class, interface or array type. */
struct jdwp_type {
    const char *name; /* as in Java source, nested classes with $ */
    uint64_t loader;
    uint32_t class_no; /* NO_CLASS: only its name is known */
    uint32_t access;
    uint8_t tag; /* enum jdwp_type_tag */
    uint32_t method_count;
    bool fields_read;
    const struct nav_declared *fields;
    size_t field_count;
};
#define NO_CLASS UINT32_MAX

struct jdwp_location {
    uint8_t tag;
    uint64_t type, method, pc; /* type 0: nowhere */
};

/* A modifier of a request. */
struct jdwp_modifier {
    uint8_t kind;
    uint32_t count, thread;
    uint64_t type;   /* 0: any */
    char *pattern;   /* ClassMatch, ClassExclude */
    uint64_t object; /* InstanceOnly */
};
struct jdwp_request {
    uint32_t id, nav_id; /* nav_id 0: it has no breakpoint of the session */
    uint8_t event, policy;
    bool expired;
    struct jdwp_location at; /* of BREAKPOINT */
    uint32_t step_thread, step_size, step_depth;
    VEC(struct jdwp_modifier) modifiers;
};

struct jdwp {
    int fd;
    struct context *context;
    bool ended, run; /* run: resumed, not stopped yet */
    bool handling;   /* a packet: no other bytes are read */
    /* how breakpoints are taken: as the client asked; they stop, and send nothing; they are passed */
    enum { TIME_RUNS, TIME_STOPS, TIME_PASSES } time;
    const char *bad;
    struct writer in; /* bytes that came and were not handled yet */
    size_t in_at;
    uint32_t packet_id; /* of our own packets */
    hs_trace *trace;
    struct nav *nav;
    struct show show;
    struct out text;
    struct arena arena; /* what lives as long as the connection */
    VEC(struct jdwp_type) types;
    MAP(struct jdwp_named) by_name;
    MAP(struct jdwp_numbered) by_class;
    VEC(const char *) made;  /* strings, numbers from 1 on */
    struct nav_calls *calls; /* NULL: none at this moment yet */
    uint32_t unknown_types;  /* classes of objects of SPACE_UNKNOWN */
    uint32_t made_before;    /* objects that calls of other moments made */
    uint32_t moves;          /* frames of before are invalid */
    uint32_t suspends;       /* of the whole VM */
    u32_vec thread_suspends;
    VEC(struct jdwp_request *) requests;
    uint32_t last_request;
    u32_vec hit; /* ids of requests that the present stop satisfies */
    /* what was answered about one moment: clients ask for a field at a time, and again (jdwp_values.c) */
    struct jdwp_answers {
        uint64_t seq;
        struct arena arena;
        MAP(struct jdwp_object) objects;
        MAP(struct jdwp_static) statics;
    } answers;
    /* the write that a FIELD_MODIFICATION event was sent for last, which comes before it is done; HS_NO_SEQ: none */
    uint64_t written;
};
struct jdwp_named {
    uint64_t hash;
    uint32_t type;
};
struct jdwp_numbered {
    uint64_t class_no_and_1;
    uint32_t type;
};

struct jdwp_object {
    uint64_t id;
    struct nav_object object;
};
struct jdwp_static {
    uint64_t field; /* its id in the protocol */
    struct expression_value value;
};

/* A command: reads its data, writes its reply. What it returns is the error code of the reply. */
typedef enum jdwp_error jdwp_fn(struct jdwp *d, struct reader *in, struct writer *out);
#define COMMAND_OF(name)        enum jdwp_error jdwp_##name(struct jdwp *d, struct reader *in, struct writer *out)
#define JDWP(set, number, name) COMMAND_OF(name);
#include "reader/serve/jdwp_commands.def"
#undef JDWP

struct common;
/* Serves the connections of a port of 127.0.0.1 until the process is ended: debuggers of this user, each in a process
 * of its own. `at`: the event where a session begins. Returns the exit status. */
int jdwp_listen(const struct common *common, struct context *context, const char *dir, uint16_t port, uint64_t at);

/* One connection, until it ends: a socket, which the caller closes. */
void jdwp_serve(struct context *context, hs_trace *trace, int fd, uint64_t at);

/* ---- jdwp_wire.c ---- */
enum { JDWP_HEAD = 11 }; /* bytes before the data of a packet */
bool jdwp_send(struct jdwp *d, const void *data, size_t size);
void jdwp_send_packet(struct jdwp *d, uint32_t id, uint8_t flags, uint8_t high, uint8_t low, struct writer *body);
/* Waits for more bytes; false: the connection has ended. */
bool jdwp_receive(struct jdwp *d);
/* The size of the packet that begins at a byte of `in`, if it is there as a whole; else 0. */
size_t jdwp_whole(struct jdwp *d, size_t at);
/* A packet of our own: a command, with what the writer holds. Frees the writer. */
void jdwp_send_events(struct jdwp *d, struct writer *body);
/* Reads what has come; true: the client wants what runs to stop. */
bool jdwp_poll(void *jdwp);
void jdwp_text(struct writer *out, const char *text);
/* How many rows there are, and then the rows. Frees `rows`. */
void jdwp_put_rows(struct writer *out, uint32_t count, struct writer *rows);
/* `size` bytes for as long as the connection lasts, of at most 64 MB in all; NULL: out of memory. */
char *jdwp_chars(struct jdwp *d, size_t size);
/* A string of a packet as a text of jdwp_chars; NULL: it is cut off, or out of memory. */
const char *jdwp_read_text(struct jdwp *d, struct reader *in);
static inline uint64_t jdwp_id(enum jdwp_space space, uint32_t number) { return (uint64_t)space << 32 | number; }

/* ---- jdwp_types.c ---- */
bool jdwp_types_open(struct jdwp *d);
/* The type with this id; NULL: there is none. Borrowed until types are added. */
struct jdwp_type *jdwp_type_of(struct jdwp *d, uint64_t id);
uint64_t jdwp_type_named(struct jdwp *d, const char *name, uint64_t loader); /* 0: none */
/* The same; it is added if there is none. 0: out of memory. */
uint64_t jdwp_type_made(struct jdwp *d, const char *name, uint64_t loader);
uint64_t jdwp_type_of_class(struct jdwp *d, uint32_t class_no);
/* 0: a call made it that was of another moment. */
uint64_t jdwp_type_of_object(struct jdwp *d, uint64_t object);
uint8_t jdwp_type_tag(struct jdwp *d, uint64_t type);
/* "Ljava/lang/String;" of "java.lang.String". */
void jdwp_put_signature(struct writer *out, const char *name);
/* `type` or one of its superclasses is `super`. */
bool jdwp_is_a(struct jdwp *d, uint64_t type, uint64_t super);
uint64_t jdwp_super(struct jdwp *d, uint64_t type);
bool jdwp_type_is(struct jdwp *d, uint64_t type, const char *name);
/* The field with this id; NULL: there is none. */
const struct nav_declared *jdwp_field(struct jdwp *d, uint64_t id, uint64_t *type);
bool jdwp_read_fields(struct jdwp *d, struct jdwp_type *t);

/* Methods of hindsight.Time, and toString of Object, by number; NULL: there are no more. */
enum { OWN_NOW, OWN_BACK, OWN_FORWARD, OWN_RUN_BACK, OWN_GO, OWN_LAST_WRITE, OWN_WHY, OWN_TEXT, OWN_COUNT };
struct jdwp_own_method {
    const char *name, *desc;
    bool is_static;
};
const struct jdwp_own_method *jdwp_own(size_t number);

/* ---- jdwp_classes.c ---- */
/* The line of a location; -1: none. */
int32_t jdwp_line_of(struct jdwp *d, const struct jdwp_location *l);
/* Is it where its line begins first in the method? */
bool jdwp_begins_line(struct jdwp *d, const struct hs_method *m, uint64_t pc);

/* ---- jdwp_time.c ---- */
enum jdwp_error jdwp_call_time(struct jdwp *d, uint32_t thread, size_t number, struct reader *in, struct writer *out);

/* ---- jdwp_made.c ---- */
extern const char jdwp_not_recorded[];
/* The last event that the values of fields show. */
uint64_t jdwp_values_seq(const struct jdwp *d);
/* What an object of SPACE_UNKNOWN says. */
const char *jdwp_unknown_text(struct jdwp *d, uint64_t id);
/* The calls of the moment; NULL: out of memory. */
struct nav_calls *jdwp_calls(struct jdwp *d);
void jdwp_forget_made(struct jdwp *d);
uint64_t jdwp_made_id(const struct jdwp *d, uint64_t object);
/* The type of an object of SPACE_MADE, and its id for nav_made_*; NULL: there is none. */
const char *jdwp_made_type(struct jdwp *d, uint64_t id, uint64_t *object, uint64_t *loader);
/* The next method of a type that can be executed although it is of the JDK, from number `*at` on, which becomes the one
 * behind it: METHOD_JDK + `*at` - 1 is its id. False: there are no more. */
bool jdwp_jdk_method(struct jdwp *d, const struct jdwp_type *t, size_t *at, struct nav_jdk_method *out);

/* ---- jdwp_values.c ---- */
void jdwp_forget_answers(struct jdwp *d);
void jdwp_put_object(struct jdwp *d, struct writer *out, uint64_t id);
/* A value that is not known, with the reason. */
void jdwp_put_unknown(struct jdwp *d, struct writer *out, const char *why);
/* The tag and the value; one that is not known is the object of SPACE_UNKNOWN. */
void jdwp_put_value(struct jdwp *d, struct writer *out, const struct expression_value *v);
void jdwp_put_made(struct jdwp *d, struct writer *out, const char *text);
/* Bytes of a value without its tag; false: there is no such tag. */
bool jdwp_read_value(struct reader *in, uint64_t *bits, char *tag);
/* Appends the text of a string object, or of one that was made; false: it is none. */
bool jdwp_string(struct jdwp *d, uint64_t id, struct writer *out);

/* ---- jdwp_threads.c ---- */
bool jdwp_thread(struct jdwp *d, uint64_t id, uint32_t *thread);
void jdwp_put_location(struct writer *out, const struct jdwp_location *l);
/* The innermost frame of a thread, with its location; NULL: it has none. */
const struct hs_frame *jdwp_top(struct jdwp *d, uint32_t thread, struct jdwp_location *at);
struct jdwp_location jdwp_place(struct jdwp *d, uint32_t method_id, uint32_t pc);
/* Frames that clients know are invalid from now on. */
void jdwp_moved(struct jdwp *d);

/* ---- jdwp_events.c ---- */
void jdwp_start_event(struct jdwp *d);
/* Goes on until an event suspends. */
void jdwp_resume(struct jdwp *d);
void jdwp_requests_done(struct jdwp *d);
bool jdwp_pass(void *jdwp, const struct nav_stop *stop);

#endif
