/* table_names.h - a string literal with the names of the tables, a blank before each; included where the literal
 * stands. */
#define ROWS                                    "reader/answers/tables.def"
#define ANSWER(name, question, traits, summary) " " #name
#include "reader/answers/rows.h"
#undef ROWS
