/* replay.c - runs targets on files, in any build:
 *
 *     fuzz_replay TARGET FILE|FOLDER...       each file; an input that takes longer than the row of the target allows,
 *                                             or a crash, ends the program, and its last line names the file
 *     fuzz_replay --targets                   the names of the targets and the seconds of each
 *     fuzz_replay --keep TRACE FILE           the rows of a trace, for kept.h
 *     fuzz_replay --woven OUT FILE|FOLDER     OUT/N.plain and OUT/N.woven of each input of the target weaver that is
 *                                             woven */
#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/fuzz/kept.h"
#include "test/fuzz/target_weaver.h"

static const struct target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
    unsigned seconds;
} targets[] = {
#define TARGET(name, seconds, input) { #name, fuzz_##name, seconds },
#include "test/fuzz/targets.def"
#undef TARGET
};
enum {
    TARGETS = sizeof targets / sizeof *targets,
    INPUT_MAX = 1 << 20,
    SLOWER = 6 /* under a sanitizer, on a busy machine */
};

static const struct target *target; /* NULL: --woven */
static const char *out_folder;
static unsigned files, woven;
static char now[4096]; /* the input that runs */

static void say_which(int number)
{
    static const char text[] = " was being run\n";
    (void)!write(STDERR_FILENO, now, strlen(now));
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void write_class(const char *kind, const void *bytes, size_t size)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%u.%s", out_folder, files, kind);
    FILE *f = fopen(path, "wb");
    FUZZ_CHECK(f != NULL && fwrite(bytes, 1, size, f) == size && fclose(f) == 0);
}

static void write_pair(const uint8_t *data, size_t size)
{
    struct weave_result r;
    struct error err;
    if (size < WEAVER_INPUT_HEAD)
        return;
    if (weaver_input(data, size, &r, &err) == OK && r.bytes.size > 0) {
        write_class("plain", data + WEAVER_INPUT_HEAD, size - WEAVER_INPUT_HEAD);
        write_class("woven", r.bytes.data, r.bytes.size);
        woven++;
    }
    weave_result_done(&r);
}

static void run_file(const char *path)
{
    static uint8_t bytes[INPUT_MAX];
    FILE *f = fopen(path, "rb");
    FUZZ_CHECK(f != NULL);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    (void)fclose(f);
    (void)snprintf(now, sizeof now, "%s", path);
    files++;
    if (target == NULL) {
        write_pair(bytes, n);
        return;
    }
    (void)alarm(target->seconds * SLOWER);
    target->run(bytes, n);
    (void)alarm(0);
}

static void run(const char *path)
{
    struct dirent **names;
    struct stat info;
    FUZZ_CHECK(stat(path, &info) == 0);
    if (!S_ISDIR(info.st_mode)) {
        run_file(path);
        return;
    }
    int count = scandir(path, &names, NULL, alphasort);
    FUZZ_CHECK(count >= 0);
    for (int i = 0; i < count; i++) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            run_file(file);
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv)
{
    int first = 2;
    if (argc == 2 && strcmp(argv[1], "--targets") == 0) {
        for (unsigned i = 0; i < TARGETS; i++)
            (void)printf("%s %u\n", targets[i].name, targets[i].seconds);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--keep") == 0)
        return kept_save(argv[2], argv[3]) ? 0 : 1;
    if (argc > 3 && strcmp(argv[1], "--woven") == 0) {
        out_folder = argv[2];
        first = 3;
    }
    for (unsigned i = 0; i < TARGETS && argc > 1; i++)
        if (strcmp(argv[1], targets[i].name) == 0)
            target = &targets[i];
    if ((target == NULL && out_folder == NULL) || argc <= first) {
        (void)fprintf(stderr,
                      "fuzz_replay TARGET FILE|FOLDER... | --targets | --keep TRACE FILE | --woven OUT FOLDER\n");
        return 2;
    }
    (void)signal(SIGALRM, say_which);
    (void)signal(SIGABRT, say_which);
    for (int i = first; i < argc; i++)
        run(argv[i]);
    if (target == NULL)
        (void)printf("%u inputs, %u woven\n", files, woven);
    else
        (void)printf("%s: %u inputs\n", target->name, files);
    return files > 0 ? 0 : 1;
}
