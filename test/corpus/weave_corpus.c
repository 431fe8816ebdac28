/* weave_corpus.c - weaves every class of jars and folders in this process, without a JVM.
 *
 *     weave_corpus [-g GROUPS]... [-o FOLDER] [-v] JAR|FOLDER...
 *
 * For each class file: reading and writing is byte-identical; weaving each choice of groups (default: each group alone,
 * ALL with hooks that record inputs alone, ALL with hooks that only count, and ALL) succeeds or says why; woven code
 * minus what was inserted is the original (strip.h); weaving twice gives equal bytes; with the last choice, a class
 * that is saved and loaded with other data IDs is as if it were woven with them; hooks that record inputs alone are
 * those that are needed (hooked.h); our verifier (weaver/verify) takes the class woven with every choice, if it takes
 * the original. -o writes the classes woven with the last choice, for a JVM to verify. -v names every class and method
 * that lost something. Prints one line per choice: classes, woven, nothing to weave, failed, methods, methods that lost
 * groups, data IDs, MB/s. Exit 1 if anything is not as it should be.
 *
 *     weave_corpus -f ROUNDS [-s SEED] JAR|FOLDER...
 *
 * Fuzzing by a plain driver: bytes of each class are changed ROUNDS times; weaving must fail or succeed, never crash.
 * Meant for the asan build. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "formats/jvm/code.h"
#include "formats/vec.h"
#include "test/corpus/hooked.h"
#include "test/corpus/inputs.h"
#include "test/corpus/strip.h"
#include "weaver/saved.h"
#include "weaver/verify/verify.h"

struct choice {
    group_set groups;
    char name[64];
    uint64_t classes, woven, nothing, failed, methods, reduced, dataids, bytes_in, bytes_out;
    double seconds, verify_seconds;
    struct strip_result strip;
    bool inputs, counts, rounds; /* weave_config */
    struct hooked_result hooked;
};
static struct {
    struct choice *items;
    size_t count, cap;
} choices;
static struct class_files files;
static const char *out_folder;
static bool verbose;
static unsigned bad;
static unsigned not_verified; /* originals, by our verifier */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void write_out(const char *name, const uint8_t *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", out_folder, name);
    for (char *p = path + strlen(out_folder) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(path, 0777);
        *p = '/';
    }
    inputs_write(path, bytes, size);
}

static struct weave_config config_of(group_set groups)
{
    return (struct weave_config){ .groups = groups, .first_dataid = 1000, .hook_class = "java/lang/HindsightHook" };
}

/* What the agent does with the rows of a class; under ASan it proves that their texts are still there. */
static void encode_rows(const struct weave_result *r)
{
    struct writer w = { 0 };
    class_row_encode(&r->row, &w);
    dataid_rows_encode(&r->dataids, &w);
    writer_free(&w);
}

static bool same_bytes(const struct writer *a, const struct writer *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* Saved with data IDs from 1000 and loaded with others, in two configurations, a class is what weaving with those gives
 * (weaver/saved.h); cut off or changed it is refused. `plain`: the class woven without constants of their own, which
 * has the same data IDs unless those took too much room: the cache does not keep such a class. */
static void saved(const struct class_file *f, const struct choice *c, const struct weave_result *plain)
{
    for (int few = 0; few < 2; few++) {
        struct weave_config config = config_of(c->groups);
        struct weave_result first, second, loaded;
        struct writer file = { 0 }, rows[2] = { { 0 }, { 0 } };
        struct text original, woven;
        struct error err = { 0 };
        config.relocatable = true;
        config.few_constants = few;
        (void)weave_class(f->bytes, f->size, &config, &first, &err);
        bool any = saved_encode(&config, f->bytes, f->size, &first, &file);
        config.first_dataid = 0x12345;
        (void)weave_class(f->bytes, f->size, &config, &second, &err);
        size_t whole = file.size;
        bool refused = true;
        for (int change = 0; any && change < 2; change++) {
            struct writer wrong = { 0 };
            write_bytes(&wrong, file.data, file.size - (change == 0));
            wrong.data[wrong.size / 2] ^= change == 1;
            refused &= saved_decode(&config, &wrong, &loaded, &original, &woven, &err) == ERR_FORMAT;
            weave_result_done(&loaded);
        }
        bool same = any == (plain->bytes.size > 0);
        if (any) {
            same &= saved_decode(&config, &file, &loaded, &original, &woven, &err) == OK;
            class_row_encode(&loaded.row, &rows[0]);
            class_row_encode(&second.row, &rows[1]);
            dataid_rows_encode(&loaded.dataids, &rows[0]);
            dataid_rows_encode(&second.dataids, &rows[1]);
            same &= same_bytes(&rows[0], &rows[1]) && same_bytes(&loaded.bytes, &second.bytes) &&
                    original.size == f->size && memcmp(original.data, f->bytes, f->size) == 0 &&
                    woven.size == first.bytes.size;
            same &= saved_is_reduced(&first) || (same_bytes(&loaded.dataids.kinds, &plain->dataids.kinds) &&
                                                 same_bytes(&loaded.dataids.roles, &plain->dataids.roles) &&
                                                 same_bytes(&loaded.dataids.places, &plain->dataids.places));
            weave_result_done(&loaded);
        }
        if (!same || !refused) {
            printf("FAILED: %s saved in %zu bytes and loaded with other data IDs is not the same, or it is taken when "
                   "damaged: %s\n",
                   f->name, whole, err.text);
            bad++;
        }
        weave_result_done(&first);
        weave_result_done(&second);
        for (int i = 0; i < 2; i++)
            writer_free(&rows[i]);
        writer_free(&file);
    }
}

/* The comparison can fail: an original with another constant in its code is not what is left. */
static void strip_sees(const struct class_file *f, const struct weave_result *woven)
{
    struct classfile cf;
    struct error err = { 0 };
    uint8_t *copy = inputs_checked(malloc(f->size)), *changed = NULL;
    memcpy(copy, f->bytes, f->size);
    if (classfile_read(&cf, copy, f->size, &err) == OK)
        for (size_t i = 0; changed == NULL && i < cf.methods.count; i++) {
            const struct member *m = &cf.methods.items[i];
            const struct attribute *a = classfile_attribute(&cf, m->first_attribute, m->attribute_count, "Code");
            struct code c = { 0 };
            if (a != NULL && code_read(&c, a->data, a->length, &err) == OK)
                for (size_t k = 0; changed == NULL && k < c.insns.count; k++)
                    if (c.insns.items[k].op == OPC_iconst_1)
                        changed = copy + (c.bytes + c.insns.items[k].pc - copy);
            code_done(&c);
        }
    classfile_done(&cf);
    struct strip_result strip = { 0 };
    if (changed != NULL)
        *changed = OPC_iconst_2;
    if (changed != NULL && strip_compare(copy, f->size, woven->bytes.data, woven->bytes.size, &strip)) {
        printf("FAILED: %s: another constant in the original is not seen\n", f->name);
        bad++;
    }
    free(copy);
}

/* `r` is woven with hooks that record inputs alone. */
static void compare_inputs(const struct class_file *f, struct choice *c, const struct weave_result *r)
{
    const struct weave_config config = config_of(c->groups);
    struct weave_result plain;
    struct error err = { 0 };
    if (weave_class(f->bytes, f->size, &config, &plain, &err) != OK ||
        !hooked_compare(&plain, r, config.first_dataid, &c->hooked)) {
        printf("FAILED: %s with %s: %s%s\n", f->name, c->name, err.text, c->hooked.why);
        bad++;
    }
    weave_result_done(&plain);
}

static void weave_one(const struct class_file *f, struct choice *c, bool last)
{
    struct weave_config config = config_of(c->groups);
    config.inputs = c->inputs;
    config.counts_only = c->counts;
    config.count_rounds = c->rounds;
    config.direct = c->rounds && !c->counts;
    struct weave_result a, b;
    struct error err = { 0 };
    double start = now();
    enum status s = weave_class(f->bytes, f->size, &config, &a, &err);
    c->seconds += now() - start;
    c->classes++;
    c->bytes_in += f->size;
    if (s != OK) {
        c->failed++;
        printf("not woven: %s with %s: %s\n", f->name, c->name, err.text);
    } else if (a.bytes.size == 0) {
        c->nothing++;
    } else {
        c->woven++;
        c->bytes_out += a.bytes.size;
    }
    if (s == OK) {
        c->methods += a.row.methods.count;
        c->dataids += a.dataids.count;
        for (size_t i = 0; i < a.row.methods.count; i++) {
            const struct method_row *m = &a.row.methods.items[i];
            if (m->reason.size == 0)
                continue;
            c->reduced++;
            if (verbose)
                printf("reduced: %s.%.*s (%u bytes) with %s: %.*s\n", f->name, (int)m->name.size, m->name.data,
                       m->code_length, c->name, (int)m->reason.size, m->reason.data);
        }
    }
    if (s == OK && a.bytes.size > 0 && !strip_compare(f->bytes, f->size, a.bytes.data, a.bytes.size, &c->strip)) {
        printf("FAILED: %s with %s is not the original and hooks: %s\n", f->name, c->name, c->strip.why);
        bad++;
    }
    if (s == OK && a.bytes.size > 0 && f->verified) {
        start = now();
        if (verify_class(a.bytes.data, a.bytes.size, &err) != OK) {
            printf("FAILED: %s with %s is not verified: %s\n", f->name, c->name, err.text);
            bad++;
        }
        c->verify_seconds += now() - start;
    }
    if (s == OK && a.bytes.size > 0 && c->inputs)
        compare_inputs(f, c, &a);
    if (s == OK && a.bytes.size > 0 && last)
        strip_sees(f, &a);
    struct error err2 = { 0 };
    enum status s2 = weave_class(f->bytes, f->size, &config, &b, &err2);
    if (s != s2 || a.bytes.size != b.bytes.size ||
        (a.bytes.size > 0 && memcmp(a.bytes.data, b.bytes.data, a.bytes.size) != 0)) {
        printf("FAILED: %s woven twice with %s is not the same\n", f->name, c->name);
        bad++;
    }
    encode_rows(&a);
    if (last && s == OK)
        saved(f, c, &a);
    if (last && out_folder != NULL) {
        if (s == OK && a.bytes.size > 0)
            write_out(f->name, a.bytes.data, a.bytes.size);
        else
            write_out(f->name, f->bytes, f->size);
    }
    weave_result_done(&a);
    weave_result_done(&b);
}

static void look_at_original(struct class_file *f)
{
    struct writer w = { 0 };
    struct error err = { 0 };
    f->verified = verify_class(f->bytes, f->size, &err) == OK;
    not_verified += !f->verified;
    if (!f->verified)
        printf("refused: %s: %s\n", f->name, err.text);
    if (weave_identity(f->bytes, f->size, &w, &err) != OK) {
        printf("FAILED: %s cannot be read: %s\n", f->name, err.text);
        bad++;
    } else if (w.size != f->size || memcmp(w.data, f->bytes, w.size) != 0) {
        printf("FAILED: %s is not the same after reading and writing\n", f->name);
        bad++;
    }
    writer_free(&w);
}

static uint64_t random_state;
static uint32_t random_next(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) % limit);
}

static void fuzz(unsigned long rounds, uint64_t seed)
{
    static const uint8_t likely[] = { 0, 1, 2, 127, 128, 255 };
    uint64_t woven = 0, refused = 0;
    for (size_t i = 0; i < files.count; i++) {
        for (unsigned long r = 0; r < rounds; r++) {
            random_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (i * 1000003 + r + 1);
            random_next(2);
            uint8_t *copy = inputs_checked(malloc(files.items[i].size)); /* exact size: reading past it is seen */
            size_t size = files.items[i].size;
            memcpy(copy, files.items[i].bytes, size);
            if (random_next(8) == 0)
                size = random_next((uint32_t)size);
            for (unsigned k = 1 + random_next(4); size > 10 && k > 0; k--)
                copy[8 + random_next((uint32_t)size - 8)] =
                    random_next(2) ? likely[random_next(sizeof likely)] : (uint8_t)random_next(256);
            struct weave_config config = config_of(random_next(3) == 0 ? random_next(GROUP_ALL) + 1 : GROUP_ALL);
            struct weave_result out;
            struct error err = { 0 };
            uint8_t *exact = inputs_checked(malloc(size > 0 ? size : 1));
            memcpy(exact, copy, size);
            enum status s = weave_class(exact, size, &config, &out, &err);
            *(s == OK ? &woven : &refused) += 1;
            if (s != OK && err.text[0] == '\0') {
                printf("FAILED: %s round %lu: refused without a word\n", files.items[i].name, r);
                bad++;
            }
            encode_rows(&out);
            weave_result_done(&out);
            free(exact);
            free(copy);
        }
    }
    printf("%zu classes changed %lu times: %llu woven, %llu refused\n", files.count, rounds, (unsigned long long)woven,
           (unsigned long long)refused);
}

int main(int argc, char **argv)
{
    unsigned long rounds = 0;
    uint64_t seed = 1;
    for (int i = 1; i < argc; i++) {
        const char *word;
        int length;
        if (strcmp(argv[i], "-v") == 0) {
            verbose = true;
        } else if (argv[i][0] == '-' && i + 1 < argc) {
            const char *value = argv[++i];
            switch (argv[i - 1][1]) {
            case 'g': {
                struct choice *c = inputs_checked(vec_push(&choices));
                *c = (struct choice){ 0 };
                snprintf(c->name, sizeof c->name, "%s", value);
                if (!group_set_parse(value, &c->groups, &word, &length))
                    return fprintf(stderr, "weave_corpus: no such group: %s\n", value), 2;
                break;
            }
            case 'o': out_folder = value; break;
            case 'f': rounds = strtoul(value, NULL, 10); break;
            case 's': seed = strtoul(value, NULL, 10); break;
            default: return fprintf(stderr, "weave_corpus: what is %s?\n", argv[i - 1]), 2;
            }
        } else {
            inputs_read(&files, argv[i]);
        }
    }
    if (files.count == 0)
        return fprintf(stderr, "weave_corpus: no classes\n"), 2;
    if (rounds > 0) {
        fuzz(rounds, seed);
        return bad > 0;
    }
    if (choices.count == 0) {
        enum { INPUTS = GROUP_COUNT, COUNTS, ROUNDS, CALLS, ALL };
        for (unsigned g = 0; g <= ALL; g++) {
            struct choice *c = inputs_checked(vec_push(&choices));
            *c = (struct choice){ .groups = g == CALLS         ? GROUP_BIT(EXEC) | GROUP_BIT(CALL) | GROUP_BIT(PARAM)
                                            : g >= GROUP_COUNT ? GROUP_ALL
                                                               : (group_set)1 << g,
                                  .inputs = g == INPUTS,
                                  .counts = g == COUNTS,
                                  .rounds = g == COUNTS || g == ROUNDS || g == CALLS };
            snprintf(c->name, sizeof c->name, "%s",
                     g == INPUTS   ? "ALL, inputs"
                     : g == COUNTS ? "ALL, counts"
                     : g == ROUNDS ? "ALL, rounds"
                     : g == CALLS  ? "EXEC+CALL+PARAM, rounds"
                     : g == ALL    ? "ALL"
                                   : group_name(g));
        }
    }
    for (size_t i = 0; i < files.count; i++) {
        look_at_original(&files.items[i]);
        for (size_t c = 0; c < choices.count; c++)
            weave_one(&files.items[i], &choices.items[c], c + 1 == choices.count);
    }
    for (size_t i = 0; i < choices.count; i++) {
        struct choice *c = &choices.items[i];
        printf("%-16s %llu classes, %llu woven, %llu nothing to weave, %llu failed, %llu methods, %llu reduced, %llu "
               "data IDs, %.1f -> %.1f MB, %.0f MB/s, verified in %.0f%% of that time; stripped: %llu methods, %llu "
               "instructions, %llu inserted\n",
               c->name, (unsigned long long)c->classes, (unsigned long long)c->woven, (unsigned long long)c->nothing,
               (unsigned long long)c->failed, (unsigned long long)c->methods, (unsigned long long)c->reduced,
               (unsigned long long)c->dataids, (double)c->bytes_in / 1e6, (double)c->bytes_out / 1e6,
               (double)c->bytes_in / 1e6 / (c->seconds > 0 ? c->seconds : 1e-9),
               100 * c->verify_seconds / (c->seconds > 0 ? c->seconds : 1e-9), c->strip.methods, c->strip.instructions,
               c->strip.inserted);
        if (c->inputs)
            printf("%-16s %llu methods record inputs alone: %llu of %llu data IDs have hooks\n", "", c->hooked.methods,
                   c->hooked.hooked, c->hooked.events);
        bad += c->failed > 0;
    }
    inputs_done(&files);
    vec_free(&choices);
    return bad > 0;
}
