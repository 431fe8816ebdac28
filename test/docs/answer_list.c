/* answer_list.c - prints the answers that are tables: ANSWER, QUESTION (- for none), KEY, its type in JSON, where it
 * is (`row` of JSON, `column` of the table, or `both`), and what it means, a key a line with tabs between. Read by
 * keys.py. */
#include <stdio.h>

#include "reader/answers/answers.h"

int main(void)
{
    for (const struct answer_rows *a = answer_list; a->name != NULL; a++)
        for (size_t i = 0; i < a->key_count; i++) {
            const struct answer_key *k = &a->keys[i];
            const char *type = answer_json_type(k);
            (void)printf("%s\t%s\t%s\t%s\t%s\t%s\n", a->name, a->question != NULL ? a->question : "-", k->name,
                         type != NULL ? type : "any",
                         !k->member                 ? "column"
                         : k->column && a->is_table ? "both"
                                                    : "row",
                         k->meaning);
        }
    return 0;
}
