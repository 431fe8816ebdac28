/* inputs.c - see inputs.h. */
#include "test/corpus/inputs.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#include "formats/vec.h"

static struct class_files *now; /* nftw gives its function no context */

void *inputs_checked(void *p)
{
    if (p == NULL) {
        fprintf(stderr, "inputs: out of memory\n");
        exit(1);
    }
    return p;
}

static void add_file(const char *name, uint8_t *bytes, size_t size)
{
    struct class_file *f = inputs_checked(vec_push(now));
    *f = (struct class_file){ inputs_checked(strdup(name)), bytes, size, false };
}

static bool is_class(const char *name)
{
    size_t n = strlen(name);
    return n > 6 && strcmp(name + n - 6, ".class") == 0;
}

static size_t folder_prefix;
static int visit(const char *path, const struct stat *info, int kind, struct FTW *ftw)
{
    (void)ftw;
    if (kind != FTW_F || !is_class(path))
        return 0;
    FILE *f = fopen(path, "rb");
    size_t size = (size_t)info->st_size;
    uint8_t *bytes = inputs_checked(malloc(size + 1));
    if (f == NULL || fread(bytes, 1, size, f) != size) {
        fprintf(stderr, "inputs: %s: cannot be read\n", path);
        exit(1);
    }
    fclose(f);
    add_file(path + folder_prefix, bytes, size);
    return 0;
}

void inputs_read(struct class_files *files, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        fprintf(stderr, "inputs: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    now = files;
    if (S_ISDIR(info.st_mode)) {
        folder_prefix = strlen(path) + 1;
        nftw(path, visit, 32, FTW_PHYS);
        return;
    }
    int code;
    zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
    if (zip == NULL) {
        fprintf(stderr, "inputs: %s: not a jar\n", path);
        exit(1);
    }
    for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); i++) {
        zip_stat_t s;
        zip_stat_index(zip, (zip_uint64_t)i, 0, &s);
        if (!is_class(s.name) || strncmp(s.name, "META-INF/", 9) == 0)
            continue;
        zip_file_t *f = zip_fopen_index(zip, (zip_uint64_t)i, 0);
        uint8_t *bytes = inputs_checked(malloc(s.size + 1));
        if (f == NULL || zip_fread(f, bytes, s.size) != (zip_int64_t)s.size) {
            fprintf(stderr, "inputs: %s: %s: cannot be read\n", path, s.name);
            exit(1);
        }
        zip_fclose(f);
        add_file(s.name, bytes, s.size);
    }
    zip_close(zip);
}

void inputs_done(struct class_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].name);
        free(files->items[i].bytes);
    }
    vec_free(files);
}

void inputs_write(const char *path, const void *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0) {
        fprintf(stderr, "inputs: %s: %s\n", path, strerror(errno));
        exit(1);
    }
}
