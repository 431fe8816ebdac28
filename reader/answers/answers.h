/* answers.h - the rows of answers, as tables: answers/NAME.def is the one description of a row of an answer.
 *
 *     ANSWER(name, question, traits, summary)            question: the command that gives it, with the option for
 *                                                        it; several with | between; NULL: none. traits: of
 *                                                        the table (enum table_trait), if the answer is one
 *     COLUMN(name, key, type, value, meaning)            a member of the JSON, and a column of the table in SQL
 *     MEMBER(name, key, type, statement, meaning)        a member of the JSON alone, which the statement writes; it may
 *     ALWAYS(name, key, type, statement, meaning)        ... be absent, or is always there
 *     CELL(name, column, type, statement, meaning)       a column of the table alone
 *     PLAIN(name, column, statement)                     a column of --csv alone, which the statement writes: what in
 *                                                        JSON is an object or an array
 *     SHOWN(name, heading, width, type, value)           a column of the text; a negative width: filled on the right
 *     LAST(name, heading, statement)                     its last column, which the statement writes
 *     END(name)
 *
 * Each renderer expands the rows that it needs:
 *
 *     row.h                     the text and the JSON of a command
 *     plain_row.h               --csv of a command, and table functions of `sql`: COLUMN and PLAIN
 *     tables/put_row.h          the cells of csv, jsonl, parquet, sqlite and `sql`
 *     answers.c                 keys, types and meanings: docs/json.md (test/docs/answer_list.c)
 *
 * What `value` and `statement` may name is said by the head of each .def; the file that expands it declares that as
 * ROW, parameters of the function that is made. Types are those of types.def. */
#ifndef READER_ANSWERS_ANSWERS_H
#define READER_ANSWERS_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

enum answer_type {
#define TYPE(name, column, json) ANSWER_##name,
#include "reader/answers/types.def"
#undef TYPE
};

/* Of an answer that is also a table (tables/tables.h). */
enum table_trait {
    NO_TABLE,      /* it is none */
    OF_EVENTS = 1, /* the filters of print select its rows */
    UNIQUE = 2,    /* no two rows have the same value in the first column */
    KEYED = 6,     /* also, they can be asked for by a range of it (rows_from.from and .to) */
    A_TABLE = 8,   /* none of these */
};

/* A member of the JSON, or a column that only the table has. */
struct answer_key {
    const char *name;
    enum answer_type type;
    bool member; /* of the JSON */
    bool column; /* of the table */
    const char *meaning;
};
struct answer_rows {
    const char *name, *question, *summary;
    const struct answer_key *keys;
    size_t key_count;
    bool is_table;
};
extern const struct answer_rows answer_list[];            /* ends with one without a name */
const char *answer_json_type(const struct answer_key *k); /* NULL: any */

/* A text that the trace does not have is "" in the rows of trace.h: NULL. */
static inline const char *answer_known(const char *text) { return text[0] != '\0' ? text : NULL; }

#endif
