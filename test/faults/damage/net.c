/* net.c - damages a trace again and again and asks everything: net TRACE QUESTIONS FLIPS CUTS SEED.
 *
 * QUESTIONS has one command in each line, the trace's place written @. They are asked of an untouched copy first
 * (twice, and must answer alike), then of copies in which one bit is flipped or one file cut off. The functions of the
 * commands run in a child process each time, under the sanitizer that the build has, with at most SECONDS of CPU time
 * for each: a busy machine is no fault, and one that waits for good runs into the limit of the test. Then every answer
 * has to be
 *
 *     the one before          same output, same exit status
 *     or told                 exit status 1 or 3 and a line on standard error that was not there before (fsck: 1, and
 *                             violations)
 *
 * Files that are mapped and written while events come (journal, state, intervals) are not checked bit by bit: of a
 * trace that says anyway that its recorder died, other answers after a fault in them are only counted (`unsaid`). If
 * any answer is not the one before, fsck has to say something too. Exit status 1 with a line for each case that is
 * wrong. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reader/command/cli.h"

enum { QUESTIONS_MAX = 64, WORDS_MAX = 16, FILES_MAX = 32, SECONDS = 20 };

const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0:exitcode=99:max_allocation_size_mb=500"; }
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void) { return "halt_on_error=1:exitcode=99:print_stacktrace=1"; }

struct question {
    char *line, *words[WORDS_MAX + 1];
    int count;
};
static struct question questions[QUESTIONS_MAX];
static unsigned question_count;

struct answer {
    int status;
    uint64_t out, err; /* hashes */
    bool said;         /* anything on standard error */
};
struct answers {
    unsigned done; /* the question being asked */
    struct answer of[QUESTIONS_MAX];
};

static const char *trace, *work;
static uint64_t seed;
static uint64_t random_below(uint64_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return n > 0 ? (seed >> 24) % n : 0;
}

static void die(const char *what)
{
    (void)fprintf(stderr, "net: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* ---- copies ---- */

static void remove_copy(void)
{
    DIR *d = opendir(work);
    char path[4096];
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        (void)snprintf(path, sizeof path, "%s/%s", work, e->d_name);
        (void)unlink(path);
    }
    if (d != NULL)
        (void)closedir(d);
    (void)rmdir(work);
}

/* What a sparse file has on disk alone: some are larger than the disk. */
static void copy_file(const char *from, const char *to)
{
    static char bytes[1 << 16];
    struct stat info;
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (in < 0 || out < 0 || fstat(in, &info) != 0 || ftruncate(out, info.st_size) != 0)
        die(from);
    for (off_t at = 0, end; (at = lseek(in, at, SEEK_DATA)) >= 0;) {
        end = lseek(in, at, SEEK_HOLE);
        while (at < end) {
            size_t want = (size_t)(end - at) < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
            ssize_t n = pread(in, bytes, want, at);
            if (n <= 0 || pwrite(out, bytes, (size_t)n, at) != n)
                die(to);
            at += n;
        }
    }
    (void)close(in);
    (void)close(out);
}

static void make_copy(void)
{
    DIR *d = opendir(trace);
    char from[4096], to[4096];
    remove_copy();
    if (d == NULL || mkdir(work, 0700) != 0)
        die(work);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        struct stat info;
        (void)snprintf(from, sizeof from, "%s/%s", trace, e->d_name);
        (void)snprintf(to, sizeof to, "%s/%s", work, e->d_name);
        if (lstat(from, &info) == 0 && S_ISREG(info.st_mode))
            copy_file(from, to);
    }
    (void)closedir(d);
}

/* ---- asking ---- */

static uint64_t hash_of(int fd, bool *any)
{
    static char text[1 << 16];
    uint64_t h = UINT64_C(14695981039346656037);
    bool number = false, storage = false; /* in the numbers of "storage" */
    char last[8] = "";
    *any = false;
    (void)lseek(fd, 0, SEEK_SET);
    for (ssize_t n; (n = read(fd, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < n; i++) {
            *any = true;
            number = number && ((text[i] >= '0' && text[i] <= '9') || text[i] == '.');
            if (!number)
                h = (h ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
            memmove(last, last + 1, sizeof last - 1);
            last[sizeof last - 1] = text[i];
            storage = (storage || memcmp(last, "torage\":", 8) == 0) && text[i] != '}';
            number = number || memcmp(last, "\"bytes\":", 8) == 0 || memcmp(last, "_event\":", 8) == 0 ||
                     (storage && text[i] == ':'); /* room on the disk */
        }
    return h;
}

static void limit_time(unsigned seconds) /* 0: no more */
{
    struct itimerval limit = { .it_value.tv_sec = seconds };
    if (setitimer(ITIMER_PROF, &limit, NULL) != 0)
        _exit(98);
}

static void ask(struct answers *to, int out, int err)
{
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(err, STDERR_FILENO);
    for (to->done = 0; to->done < question_count; to->done++) {
        const struct question *q = &questions[to->done];
        char *words[WORDS_MAX + 1];
        memcpy(words, q->words, sizeof words);
        for (int i = 0; i < 2; i++)
            if (ftruncate(i == 0 ? out : err, 0) != 0 || lseek(i == 0 ? out : err, 0, SEEK_SET) != 0)
                _exit(98);
        limit_time(SECONDS);
        struct answer a = { .status = command_run(NULL, q->count, words) };
        (void)fflush(stdout);
        (void)fflush(stderr);
        limit_time(0);
        bool any;
        a.out = hash_of(out, &any);
        a.err = hash_of(err, &a.said);
        to->of[to->done] = a;
    }
}

/* 0, or how the child ended. */
static int ask_in_child(struct answers *to, int out, int err)
{
    int status = 0;
    (void)fflush(stdout); /* else the child writes it once more */
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGBUS, SIG_DFL);
        ask(to, out, err);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        die("fork");
    return status;
}

/* ---- faults ---- */

struct fault {
    char file[256];
    uint64_t at;
    unsigned bit; /* 8: the file ends there */
};

/* Of the copy: a file by its size on the disk, and a place in it that has any. */
static bool choose(struct fault *f, bool cut)
{
    struct {
        char name[256];
        uint64_t room, bytes;
    } files[FILES_MAX];
    unsigned count = 0;
    uint64_t total = 0;
    DIR *d = opendir(work);
    char path[4096];
    struct stat info;
    for (struct dirent *e; d != NULL && count < FILES_MAX && (e = readdir(d)) != NULL;) {
        (void)snprintf(path, sizeof path, "%s/%s", work, e->d_name);
        if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_blocks == 0 ||
            strcmp(e->d_name, "lock.mdb") == 0 || strcmp(e->d_name, "reserve") == 0) /* nobody reads them */
            continue;
        (void)snprintf(files[count].name, sizeof files[count].name, "%s", e->d_name);
        files[count].room = cut ? 1 : (uint64_t)info.st_blocks * 512;
        files[count].bytes = (uint64_t)info.st_size;
        total += files[count++].room;
    }
    (void)closedir(d);
    uint64_t pick = random_below(total);
    unsigned i = 0;
    while (i + 1 < count && pick >= files[i].room)
        pick -= files[i++].room;
    (void)snprintf(f->file, sizeof f->file, "%s", files[i].name);
    (void)snprintf(path, sizeof path, "%s/%s", work, f->file);
    int fd = open(path, O_RDWR);
    uint8_t byte = 0;
    f->bit = cut ? 8 : (unsigned)random_below(8);
    bool used = random_below(4) != 0; /* mostly bytes that hold something */
    for (unsigned attempt = 0; attempt < 200; attempt++) {
        f->at = random_below(files[i].bytes);
        off_t data = lseek(fd, (off_t)f->at, SEEK_DATA);
        if (data < 0)
            continue;
        if ((uint64_t)data != f->at) { /* in a hole: somewhere in the piece behind it */
            off_t hole = lseek(fd, data, SEEK_HOLE);
            f->at = (uint64_t)data + random_below((uint64_t)(hole - data));
        }
        if (pread(fd, &byte, 1, (off_t)f->at) == 1 && (byte != 0 || !used || cut))
            break;
    }
    byte ^= (uint8_t)(1u << f->bit % 8);
    bool ok = cut ? ftruncate(fd, (off_t)f->at) == 0 : pwrite(fd, &byte, 1, (off_t)f->at) == 1;
    (void)close(fd);
    return ok;
}

/* ---- judging ---- */

struct tally {
    uint64_t cases, same, told, unsaid, wrong, by_fsck;
};

static bool is_hot(const char *file)
{
    static const char *const hot[] = { "journal", "state", "intervals", "cuts" };
    for (size_t i = 0; i < sizeof hot / sizeof *hot; i++)
        if (strcmp(file, hot[i]) == 0)
            return true;
    return false;
}

static void complain(struct tally *t, const struct fault *f, const char *what, const char *line)
{
    t->wrong++;
    (void)printf("WRONG: %s: %s at %llu, %s %u: %s: %s\n", trace, f->file, (unsigned long long)f->at,
                 f->bit == 8 ? "cut" : "bit", f->bit, line, what);
}

static void judge(struct tally *t, const struct fault *f, const struct answers *before, const struct answers *now)
{
    bool any = false, told = false, unsaid = false, fsck = false;
    for (unsigned i = 0; i < question_count; i++) {
        const struct answer *a = &before->of[i], *b = &now->of[i];
        bool is_fsck = strcmp(questions[i].words[0], "fsck") == 0, same = a->status == b->status && a->out == b->out;
        bool says = b->said && (a->err != b->err || a->status != b->status) && (b->status == 1 || b->status == 3);
        fsck |= is_fsck && (!same || says);
        told |= says;
        if (same || says || (is_fsck && b->status == 1))
            continue;
        any = true;
        if (b->said && b->status != 0 && is_hot(f->file)) /* 2: there is no such event any more */
            unsaid = true;
        else
            complain(t, f, "another answer, and nothing is said", questions[i].line);
    }
    if (told && !fsck && !is_hot(f->file))
        complain(t, f, "others say something, fsck does not", "fsck");
    t->unsaid += unsaid;
    t->told += told && !unsaid;
    t->same += !any && !told;
    t->by_fsck += fsck;
}

static void run_case(struct tally *t, const struct answers *before, struct answers *now, bool cut, int out, int err)
{
    struct fault f;
    char text[2000];
    make_copy();
    if (!choose(&f, cut))
        die("fault");
    int status = ask_in_child(now, out, err);
    t->cases++;
    if (status == 0) {
        judge(t, &f, before, now);
        return;
    }
    ssize_t n = pread(err, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    complain(t, &f, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "the sanitizer says",
             questions[now->done].line);
    (void)printf("%s\n", text);
}

static void read_questions(const char *path)
{
    FILE *in = fopen(path, "r");
    char line[1000];
    while (in != NULL && question_count < QUESTIONS_MAX && fgets(line, sizeof line, in) != NULL) {
        struct question *q = &questions[question_count];
        line[strcspn(line, "\n")] = '\0';
        q->line = strdup(line);
        char *rest = strdup(line), *save = NULL;
        for (char *word = strtok_r(rest, " ", &save); word != NULL && q->count < WORDS_MAX;
             word = strtok_r(NULL, " ", &save))
            q->words[q->count++] = strcmp(word, "@") == 0 ? (char *)(uintptr_t)work : word;
        question_count += q->count > 0 && command_find(q->words[0]) != NULL;
    }
    if (question_count == 0)
        die(path);
    (void)fclose(in);
}

int main(int argc, char **argv)
{
    static char place[4096];
    commands = command_table;
    if (argc != 6) {
        (void)fprintf(stderr, "net TRACE QUESTIONS FLIPS CUTS SEED\n");
        return 2;
    }
    trace = argv[1];
    (void)snprintf(place, sizeof place, "%s.work", trace);
    work = place;
    seed = strtoull(argv[5], NULL, 10);
    read_questions(argv[2]);
    int out = memfd_create("out", 0), err = memfd_create("err", 0);
    struct answers *now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct answers first, before;
    for (unsigned i = 0; i < 2; i++) {
        make_copy();
        int status = ask_in_child(now, out, err);
        if (status != 0) {
            (void)fprintf(stderr, "net: %s: the untouched trace: question %s ends with status %#x\n", trace,
                          questions[now->done].line, (unsigned)status);
            return 1;
        }
        memcpy(i == 0 ? &first : &before, now, sizeof before);
    }
    for (unsigned i = 0; i < question_count; i++)
        if (first.of[i].out != before.of[i].out || first.of[i].status != before.of[i].status) {
            (void)fprintf(stderr, "net: %s: %s is not answered alike twice\n", trace, questions[i].line);
            return 1;
        }
    struct tally t = { 0 };
    unsigned long flips = strtoul(argv[3], NULL, 10), cuts = strtoul(argv[4], NULL, 10);
    for (unsigned long i = 0; i < flips + cuts; i++)
        run_case(&t, &before, now, i >= flips, out, err);
    remove_copy();
    (void)printf("%s: %llu cases: %llu change nothing, %llu told, %llu unsaid, %llu wrong; %llu by fsck\n",
                 strrchr(trace, '/') != NULL ? strrchr(trace, '/') + 1 : trace, (unsigned long long)t.cases,
                 (unsigned long long)t.same, (unsigned long long)t.told, (unsigned long long)t.unsaid,
                 (unsigned long long)t.wrong, (unsigned long long)t.by_fsck);
    (void)printf("figure: damaged traces: %llu\nfigure: damaged traces that answer as before: %llu\n"
                 "figure: damaged traces that say so or are refused: %llu\n"
                 "figure: damaged traces that crash, hang or answer wrongly: %llu\n",
                 (unsigned long long)t.cases, (unsigned long long)t.same, (unsigned long long)(t.told + t.unsaid),
                 (unsigned long long)t.wrong);
    return t.wrong > 0;
}
