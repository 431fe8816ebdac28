/* target_options.c - the option string of the agent: taken, or refused with one line of printable text. The first byte
 * chooses whether what follows up to a newline is parsed first and the rest then changes it, as a later start does.
 * The agent is no library to link with: the file is included. */
#include "test/fuzz/fuzz.h"

#include "formats/visible.h"
#include "logging/agent/options.c"

static void told(const struct error *e)
{
    struct writer line = { 0 };
    visible_write(e->text, strlen(e->text), &line); /* as it is printed */
    FUZZ_CHECK(line.size > 0);
    for (size_t i = 0; i < line.size; i++)
        FUZZ_CHECK(line.data[i] >= 0x20);
    writer_free(&line);
}

void fuzz_options(const uint8_t *data, size_t size)
{
    struct reader in = reader_of(data, size);
    struct error e = { 0 };
    struct options *o = malloc(sizeof *o);
    FUZZ_CHECK(o != NULL);
    bool changes = read_u1(&in) == '+';
    struct reader line = fuzz_part(&in, '\n');
    char *first = fuzz_text(&line), *then = fuzz_text(&in);
    enum status s = options_parse(o, first, &e);
    if (s != OK) {
        told(&e);
    } else if (changes) {
        char groups[256];
        if (options_change(o, then, &e) != OK)
            told(&e);
        options_groups(o->groups, groups, sizeof groups);
    }
    options_done(o);
    free(o);
    free(first);
    free(then);
}
