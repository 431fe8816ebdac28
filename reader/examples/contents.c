/* contents.c - what did a collection, a StringBuilder, an AtomicInteger ... hold at a moment?   contents TRACE ID
 * [SEQ] */
#include "reader/examples/example.h"

static void print_entry(const struct hs_entry *entry) /* references are object ids, null is 0 */
{
    if (entry->key != NULL)
        (void)printf("%" PRId64 ": ", (int64_t)entry->key->bits);
    (void)printf("%" PRId64 "\n", (int64_t)(entry->value_number != NULL ? entry->value_number : entry->value)->bits);
}

int main(int argc, char **argv)
{
    struct hs_error error = HS_ERROR_INIT;
    const struct hs_contents *contents;
    hs_trace *trace = open_trace(argc, argv, 2, "contents TRACE ID [SEQ]");
    uint64_t seq = argc > 3 ? strtoull(argv[3], NULL, 10) : HS_NO_SEQ;
    int found = hs_contents_at(trace, (uint32_t)strtoul(argv[2], NULL, 10), seq, &contents, &error);
    if (found > 0 && !contents->known)
        (void)printf("not known%s%s\n", contents->why != NULL ? ": " : "", contents->why != NULL ? contents->why : "");
    if (found > 0 && contents->text != NULL)
        (void)printf("%s\n", contents->text);
    for (size_t i = 0; found > 0 && i < contents->entry_count; i++)
        print_entry(contents->entries[i]);
    hs_close(trace);
    return found < 0 ? fail(&error) : 0;
}
