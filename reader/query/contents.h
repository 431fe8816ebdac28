/* contents.h - what a collection, text or single value of the JDK held at a moment, from the calls that recorded code
 * has made on it: replayed from the call that made the object on. trace.h has the question.
 *
 *     NEW_OBJECT_CREATED #7   CALL #7.add "a"   CALL #7.add "b"   CALL #7.remove 0      [b]
 *
 * contents.def has the classes and what their methods do. These files find what happened:
 *     contents_calls.c      the calls of an object, as ops (contents_ops.c)
 *     contents_views.c      those of the views that it gave (iterators, key sets)
 *     contents_set_value.c  those of the entries of a map
 *     contents_holders.c    those of other objects that have it
 *     contents_unbound.c    references to methods (List::clear), which reach what other collections hold
 *     contents_given.c      where code that is not woven was given it
 * and these replay it:
 *     contents_apply.c      what a call did
 *     contents_bulk.c       what it did with what another collection or an array holds
 *     contents_filter.c     what removeIf took out, as the calls of its condition show
 *     contents_maps.c, contents_text.c  what it did to a map, to a StringBuilder
 *     contents_array.c      the array behind Arrays.asList
 *     contents_equal.c      compares keys and elements as equals does, and finds the values of boxes
 *     contents.c            all of it, and the answer
 *
 * Nothing is guessed. Where a call may have changed the object in a way that its arguments and result do not show,
 * where the object was given to code that is not woven, and where a result contradicts what was replayed, the contents
 * are lost: not known, until a call shows them again (clear, toString of a StringBuilder, size() 0). */
#ifndef READER_CONTENTS_H
#define READER_CONTENTS_H

#include "formats/arena.h"
#include "formats/map.h"
#include "reader/query/handover.h"
#include "reader/query/outside_call.h"

enum shape {
    SHAPE_LIST = 1,
    SHAPE_DEQUE = 2,
    SHAPE_STACK = 4,
    SHAPE_QUEUE = 8,
    SHAPE_SET = 16,
    SHAPE_MAP = 32,
    SHAPE_SORTED = 64,
    SHAPE_TEXT = 128,
    SHAPE_OPTIONAL = 256,
    SHAPE_BOX = 512,
    SHAPE_ATOMIC = 1024,
    SHAPE_BACKED = 2048, /* by an array */
    SHAPE_VALUE = SHAPE_OPTIONAL | SHAPE_BOX | SHAPE_ATOMIC,
};
/* What a method does. ITEM in a name: the element of a list, queue or set; `argument` is the first one. */
enum contents_effect {
    DO_LOSE, /* something that is not known */
    DO_READ,
    DO_START, /* empty */
    DO_COPY,  /* holds what the argument holds */
    DO_ARGUMENTS,
    DO_PAIRS,        /* the arguments are a key, its value, and so on */
    DO_COPIES,       /* the first argument says how often it holds the second */
    DO_COMPARED,     /* empty, with a Comparator */
    DO_ACCESS_ORDER, /* empty; the third argument says whether reads change the order */
    DO_SIZE,         /* the result is the number of entries */
    DO_IS_EMPTY,
    DO_ADD_LAST,
    DO_ADD_FIRST,
    DO_ADD_AT, /* the argument of type int is the index */
    DO_SET_AT,
    DO_GET_AT,
    DO_REMOVE_AT,
    DO_REMOVE_FIRST,
    DO_REMOVE_LAST,
    DO_REMOVE_RESULT, /* the element that is the result */
    DO_REMOVE_VALUE,  /* the first element equal to the argument, if the result is true */
    DO_REMOVE_LAST_VALUE,
    DO_ADD_ALL,
    DO_ADD_ALL_AT,
    DO_ADD_ARRAY,
    DO_REMOVE_ALL,
    DO_RETAIN_ALL,
    DO_IF_TRUE_ANY, /* something that is not known, if the result is true */
    DO_REVERSE,
    DO_SWAP,
    DO_ADD_MEMBER,    /* of a set; new if the result is true */
    DO_REMOVE_MEMBER, /* of a set, or the key of a map; if the result is true */
    DO_PUT,
    DO_PUT_ABSENT,
    DO_PUT_RESULT,        /* the key has the result as value, unless it is null */
    DO_RESULT_IF_PRESENT, /* a key that is there has the result as value; null removes it */
    DO_PUT_RESULT_OR_REMOVE,
    DO_REMOVE_KEY,
    DO_REPLACE,
    DO_REPLACE_IF_TRUE,
    DO_PUT_ALL,
    DO_GET_KEY,
    DO_ACCESS,
    DO_VIEW_ITERATOR, /* the result is an object through which this one can be changed */
    DO_VIEW_BACKWARD,
    DO_VIEW_KEYS,
    DO_VIEW_VALUES,
    DO_VIEW_ENTRIES,
    DO_VIEW_OTHER,
    DO_TEXT_APPEND,
    DO_TEXT_APPEND_PART,
    DO_TEXT_CODE_POINT,
    DO_TEXT_INSERT,
    DO_TEXT_DELETE,
    DO_TEXT_DELETE_AT,
    DO_TEXT_SET_AT,
    DO_TEXT_SET_LENGTH,
    DO_TEXT_REPLACE,
    DO_TEXT_REVERSE,
    DO_TEXT_RESULT,
    DO_TEXT_LENGTH,
    DO_TEXT_UNKNOWN,
    DO_VALUE_ARGUMENT,
    DO_VALUE_OR_ABSENT, /* null: there is none */
    DO_VALUE_RESULT,
    DO_VALUE_SEEN, /* DO_VALUE_RESULT, and nothing was changed */
    DO_ATOMIC_START,
    DO_ATOMIC_SEEN,
    DO_RESULT_AND_1,
    DO_RESULT_LESS_1,
    DO_RESULT_AND_ARGUMENT,
    DO_SECOND_IF_TRUE,
    DO_PRESENT_IF_TRUE,
    DO_ABSENT_IF_TRUE,
    /* of views; not in contents.def */
    DO_VIEW_REMOVE,
    DO_CLONE,  /* DO_COPY, with the order of the other one */
    DO_ASKED,  /* its get may have been called: equals of another map asks it so */
    DO_HANDED, /* it was given to code that is not woven */
    DO_GAP,    /* events are missing */
};

struct contents_class {
    const char *type;
    unsigned shapes;
    unsigned as; /* enum hs_contents_shape */
    bool ordered;
};
/* ---- contents_table.c ---- */
/* The class of an object whose contents are replayed; NULL: it is none of them. */
const struct contents_class *contents_class_named(const char *type);
/* A collection of the JDK that is not replayed; NULL: it is none. */
const struct contents_class *contents_class_unfollowed(const char *type);
const struct contents_class *contents_class_of(hs_trace *t, uint32_t id);
/* What objects of a class stand for, where that is known without looking at them (object_value.c). */
enum class_standing {
    STANDS_FOR_SOMETHING, /* or may: a text, a record, ... */
    STANDS_FOR_NOTHING,   /* but themselves, unless one is copied */
    STANDS_FOR_NUMBER,    /* a box */
    HOLDS_SEVERAL         /* [1, 2] or {1=2} */
};
enum class_standing class_standing(hs_trace *t, uint32_t class_id);
/* What a call of the method does to an object of these shapes. */
enum contents_effect contents_method(unsigned shapes, const char *name, const char *desc);
/* What the static method does with the object that it returns, or that is its first argument; DO_LOSE: not known. */
enum contents_effect contents_factory(const char *owner, const char *name);
enum contents_effect contents_changer(const char *owner, const char *name);
bool contents_reader(const char *owner, const char *name);

/* Calls that are followed: they are sorted in memory, about 300 bytes each. */
enum { CONTENTS_CALLS_MAX = 1000000 };

/* One change, or something that can prove one. */
enum { OP_ARGUMENTS = 10 }; /* of List.of, Map.of */
struct contents_op {
    uint64_t from, seq;           /* of the CALL; when it was done */
    struct hs_event call;         /* or what stands for it */
    const struct hs_dataid *site; /* of the CALL; NULL: there is none */
    enum contents_effect effect;
    uint32_t thread;
    struct hs_value arguments[OP_ARGUMENTS], result;
    uint8_t argument_count;
    bool returned;
    bool makes;                /* the object, in a way that is known */
    bool in_place;             /* setValue of an entry: it stays where it is, also by order of access */
    enum contents_effect view; /* VIEW_REMOVE: of the view that the iterator belongs to; arguments[0] what it gave */
    bool has_index;            /* VIEW_REMOVE: its place in a list */
    uint64_t index;
};
typedef VEC(struct contents_op) op_vec;

struct held {
    struct hs_value key, value; /* key: of a map */
    uint64_t token;             /* contents_token of the key, or of the value where there are no keys */
    uint64_t seq;               /* of the call that put it there */
};
struct box {
    uint64_t id;
    bool known;
    struct hs_value value;
};
/* What is left for an object and what was copied into it, in ops; and what was too much for it, NULL nothing. */
struct contents_effort {
    uint64_t left;
    const char *limit;
};
struct contents;
/* Replays another object up to `to`, for `c`. contents_done frees it, also after a failure. */
typedef enum status contents_replay_fn(const struct contents *c, uint32_t id, uint64_t to, struct contents *out);
/* Called for each op when it was applied. False: out of memory. */
typedef bool contents_step_fn(void *follower, struct contents *c, const struct contents_op *op);
struct contents {
    hs_trace *t;
    contents_replay_fn *replay; /* of other objects that are copied */
    contents_step_fn *step;     /* NULL: nobody follows it */
    void *follower;
    uint32_t id;
    const struct contents_class *class;
    uint64_t to;                    /* the moment */
    unsigned depth;                 /* of copies of copies */
    struct contents_effort *effort; /* of all of them */
    unsigned calls_max;             /* more calls on one of them are not followed */
    bool known, by_access, compared;
    bool order_unclear; /* whether by order of access, or by which Comparator */
    uint64_t lost;      /* seq of what made it not known; HS_NO_SEQ: it never was */
    char why[320];
    VEC(struct held) items; /* from `first` on */
    size_t first, nulls;    /* entries of a map whose value is null */
    VEC(uint16_t) text;
    uint32_t array;  /* that holds the elements: of Arrays.asList */
    uint64_t backed; /* seq of the op that said so */
    MAP(struct box) boxes;
    unsigned searches; /* for boxes */
    VEC(uint8_t) scratch;
    uint64_t work;
};
static inline size_t contents_count(const struct contents *c) { return c->items.count - c->first; }
/* Are its entries in the order of the program? */
static inline bool contents_ordered(const struct contents *c) { return c->class->ordered && !c->order_unclear; }
/* Are its elements or keys equal as a Comparator says, or may they be? */
static inline bool contents_by_comparator(const struct contents *c)
{
    return c->compared || (c->order_unclear && (c->class->shapes & SHAPE_SORTED) != 0);
}

/* ---- contents.c ---- */
/* The entries of the object at `to`, if no more calls than that are to be followed; contents_done ends it, also after a
 * failure. `*effort` lives as long. */
enum status contents_replay(hs_trace *t, uint32_t id, uint64_t to, unsigned calls_max, struct contents_effort *effort,
                            struct contents *out, struct error *err);

/* As contents_replay, followed op by op. */
enum status contents_follow(hs_trace *t, uint32_t id, uint64_t to, struct contents_effort *effort,
                            contents_step_fn *step, void *follower, struct contents *out, struct error *err);
/* May the op change what it holds, or what is known of it? */
bool contents_changes(const struct contents_op *op);

/* ---- contents_state.c ---- */
void contents_done(struct contents *c);
/* From now on the contents are not known. */
void contents_lose(struct contents *c, const struct contents_op *op, const char *why);
/* They are empty, and known. */
void contents_start(struct contents *c);

/* ---- contents_calls.c ---- */
/* What happened to the object up to c->to, as ops in the order in which they were done. */
enum status contents_calls(struct contents *c, op_vec *out, struct error *err);

/* ---- contents_apply.c ---- */
/* False: out of memory. */
bool contents_apply(struct contents *c, const struct contents_op *op);

/* ---- contents_array.c ---- */
/* The elements of the array behind Arrays.asList are those of the moment. */
enum status contents_read_array(struct contents *c, struct error *err);

/* ---- contents_text.c ---- */
bool contents_text_apply(struct contents *c, const struct contents_op *op);

/* ---- contents_equal.c ---- */
enum sameness { SAME, DIFFERENT, UNSURE };
enum sameness contents_equal(struct contents *c, struct hs_value a, struct hs_value b);
/* Equal for texts, numbers in boxes and nulls that are equal, and different for those that differ; 0: look at both. */
uint64_t contents_token(struct contents *c, struct hs_value v);
/* The number that a box holds; false: not known. */
bool contents_box(struct contents *c, uint32_t id, struct hs_value *out);
/* Remembers that of a box that was made right before the call. False: out of memory. */
bool contents_box_before(struct contents *c, const struct hs_event *call, uint32_t id);
/* Sorts by the natural order; false: it is not known. */
bool contents_sort(struct contents *c);
bool contents_is_box(const char *type);

#endif
