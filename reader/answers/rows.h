/* rows.h - expands the rows of ROWS, a table of answers (answers.h), with the macros that are defined, and ends these.
 * Other rows are nothing. It has also the rows that several answers share. There is no guard. */
#ifndef ANSWER
#define ANSWER(name, question, traits, summary)
#endif
#ifndef COLUMN
#define COLUMN(name, key, type, value, meaning)
#endif
#ifndef MEMBER
#define MEMBER(name, key, type, statement, meaning)
#endif
#ifndef ALWAYS
#define ALWAYS(name, key, type, statement, meaning)
#endif
#ifndef CELL
#define CELL(name, column, type, statement, meaning)
#endif
#ifndef PLAIN
#define PLAIN(name, column, statement)
#endif
#ifndef SHOWN
#define SHOWN(name, heading, width, type, value)
#endif
#ifndef LAST
#define LAST(name, heading, statement)
#endif
#ifndef END
#define END(name)
#endif

/* The columns of a value: one of _int, _double and _id has it, which one is said by _kind. */
#define VALUE_CELLS(answer, value)                                                                                     \
    CELL(answer, value##_kind, NAME, ,                                                                                 \
         "what the value is: Z B C S I J F D as in descriptors, L a reference, P a pc; null: there is no value")       \
    CELL(answer, value##_int, INT, , "of Z (0 or 1), B, C (the code), S, I, J and P")                                  \
    CELL(answer, value##_double, OF_DOUBLE, , "of F and D; a float as the double that equals it")                      \
    CELL(answer, value##_id, INT, , "of L: the id of the object; null: the null reference")                            \
    CELL(answer, value##_type, NAME, , "of L: the type of the object")                                                 \
    CELL(answer, value##_string, TEXT, , "of a string: its contents")
#define REFERENCE_CELLS(answer, name)                                                                                  \
    CELL(answer, name##_id, INT, , "the id of the object")                                                             \
    CELL(answer, name##_type, NAME, , "its type")
#define METHOD_CELLS(answer)                                                                                           \
    CELL(answer, class, NAME, , "with dots")                                                                           \
    CELL(answer, method, NAME, , "its name")                                                                           \
    CELL(answer, desc, NAME, , "its descriptor")
/* `c`, `m`: the struct hs_class and struct hs_method; of rows that others write nothing. */
#define METHOD_COLUMNS(answer, c, m)                                                                                   \
    COLUMN(answer, class, NAME, c->name, "the class, with dots")                                                       \
    COLUMN(answer, method, NAME, m->name, "name of the method")                                                        \
    COLUMN(answer, desc, NAME, m->desc, "its descriptor")                                                              \
    CUT_MEMBER(answer, out_member_cut(o))
#define PLACE_COLUMNS(answer, d)                                                                                       \
    COLUMN(answer, dataid, PLACE, d, "number of the place in the code, and of what happens there")                     \
    COLUMN(answer, event, EVENT, , "the event type")                                                                   \
    COLUMN(answer, class, OF_NAME, , "the class, with dots")                                                           \
    COLUMN(answer, method, OF_NAME, , "name of the method")                                                            \
    COLUMN(answer, desc, OF_NAME, , "its descriptor")                                                                  \
    CUT_MEMBER(answer, )                                                                                               \
    COLUMN(answer, file, OF_NAME, , "that the line is in, where the class names one (JSR-45)")                         \
    COLUMN(answer, line, OF_INT, , "of the source")                                                                    \
    COLUMN(answer, pc, OF_INT, , "offset of the instruction in the original bytecode")
#define PLACE_CELLS(answer)                                                                                            \
    CELL(answer, dataid, INT, , "the data ID")                                                                         \
    CELL(answer, event, NAME, , "the event type")                                                                      \
    METHOD_CELLS(answer)                                                                                               \
    CELL(answer, file, NAME, , "that the line is in, where the class names one (JSR-45)")                              \
    CELL(answer, line, INT, , "of the source")                                                                         \
    CELL(answer, pc, INT, , "offset in the original bytecode")
/* The members of an event, `what`, in the order of print; the first one writes all of them. */
#define EVENT_MEMBERS(answer, what)                                                                                    \
    ALWAYS(answer, seq, INT, show_event_members(show, what), "the moment: number of the event, rising")                \
    ALWAYS(answer, thread, INT, , "the trace's number of the thread")                                                  \
    ALWAYS(answer, dataid, INT, , "number of the place in the code, and of what happens there")                        \
    ALWAYS(answer, event, TEXT, , "what happened: METHOD_ENTRY, PUT_INSTANCE_FIELD_VALUE, CALL_RETURN, ...")           \
    METHOD_MEMBERS(answer)                                                                                             \
    FILE_MEMBERS(answer)                                                                                               \
    MEMBER(answer, pc, INT, , "offset of the instruction in the original bytecode")                                    \
    MEMBER(answer, value, ANY, , "the value; of a reference null or its id, type and string")                          \
    MEMBER(answer, attr, OBJECT, , "more of the instruction: owner, name, index, ...")                                 \
    MEMBER(answer, thrown_at, OBJECT, , "file, line and pc of the instruction that threw")                             \
    MEMBER(answer, time, INT, , "with timestamp=true: nanoseconds since the start")                                    \
    SOURCE_MEMBER(answer)
/* Members that another row, or code, writes. */
#define METHOD_MEMBERS(answer)                                                                                         \
    MEMBER(answer, class, NAME, , "the class, with dots")                                                              \
    MEMBER(answer, method, NAME, , "name of the method")                                                               \
    MEMBER(answer, desc, NAME, , "its descriptor")                                                                     \
    CUT_MEMBER(answer, )
#define FILE_MEMBERS(answer)                                                                                           \
    MEMBER(answer, file, TEXT, , "that the line is in, where the class names one (JSR-45)")                            \
    MEMBER(answer, line, INT, , "of the source")
#define CUT_MEMBER(answer, statement) MEMBER(answer, cut, BOOL, statement, "true: a name was cut")
#define SOURCE_MEMBER(answer)         MEMBER(answer, source, TEXT, , "with --source: the line of the source")

#include ROWS

#undef ANSWER
#undef COLUMN
#undef MEMBER
#undef ALWAYS
#undef CELL
#undef PLAIN
#undef SHOWN
#undef LAST
#undef END
#undef VALUE_CELLS
#undef REFERENCE_CELLS
#undef METHOD_CELLS
#undef METHOD_COLUMNS
#undef PLACE_COLUMNS
#undef PLACE_CELLS
#undef EVENT_MEMBERS
#undef METHOD_MEMBERS
#undef FILE_MEMBERS
#undef CUT_MEMBER
#undef SOURCE_MEMBER
