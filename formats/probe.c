/* probe.c - see probe.h.
 *
 * The file format of LMDB 0.9 (mdb.c), sizes in bytes:
 *
 *     page   pgno 8 | pad 2 | flags 2 | lower 2 | upper 2 | offsets of nodes, 2 each ... free ... nodes
 *     node   lo 2 | hi 2 | flags 2 | key size 2 | key | data      branch: page = lo hi flags; leaf: data size = lo hi
 *     meta   page head 16 | magic 4 | version 4 | address 8 | map size 8 | db free | db main | last page 8 | txn id 8
 *     db     pad 4 | flags 2 | depth 2 | branch 8 | leaf 8 | overflow 8 | entries 8 | root 8
 *
 * Numbers are in the byte order of the machine, which LMDB writes. Nodes are put one below the other from the end of
 * their page on, each of even length, and deleting one leaves no hole: their lengths add up to the bytes behind
 * `upper`. */
#include "formats/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "formats/resident.h"

enum {
    PAGE_HEAD = 16,
    PAGE_BRANCH = 1,
    PAGE_LEAF = 2,
    PAGE_OVERFLOW = 4,
    PAGE_META = 8,
    NODE_HEAD = 8,
    NODE_BIGDATA = 1,
    NODE_SUBDATA = 2,
    DB_SIZE = 48,
    META_FREE = PAGE_HEAD + 24,
    META_MAIN = META_FREE + DB_SIZE,
    META_LAST_PAGE = META_MAIN + DB_SIZE,
    META_TXN = META_LAST_PAGE + 8,
    META_END = META_TXN + 8,
    DATA_VERSION = 1,
    DEPTH_MAX = 31,
    DB_INTEGERKEY = 8,
    PAGE_BYTES_MIN = 4096,
    PAGE_BYTES_MAX = 65536,
    UNWRITTEN_MAX = 1 << 16, /* pages at the end that a transaction allocated and freed again are not in the file */
};
#define META_MAGIC 0xBEEFC0DEu
#define NO_PAGE    UINT64_MAX

struct file {
    const char *path;
    const uint8_t *bytes;
    uint64_t pages;     /* whole ones in the file */
    uint64_t last_page; /* of the snapshot */
    size_t page_bytes;
    uint8_t *seen; /* a bit for each page that a tree has */
    bool to_write;
    struct resident resident;
};

struct key {
    const uint8_t *data; /* NULL: none */
    size_t size;
};

/* One tree being walked. */
struct tree;
typedef bool leaf_fn(struct tree *t, uint64_t page, struct key key, unsigned flags, const uint8_t *data, size_t size);
struct tree {
    struct file *file;
    leaf_fn *leaf;
    struct found *found;
    unsigned table;   /* its number */
    size_t key_bytes; /* 4, 8; 0: text */
    struct key last;  /* of the leaf nodes so far */
    struct key floor; /* lower bound of the next key, from the branches above */
    uint64_t branches, leaves, overflow, entries;
    struct row_sum sum;
    struct probe_table *verdict; /* gets `why` */
};

/* What the walk over all tables finds. */
struct found {
    struct probe *out;
    bool there[DB_COUNT], sums_read;
    struct row_sum sums[DB_COUNT]; /* of the rows that are there */
    struct row_sums written;       /* as the row of `sum` says */
};

static uint64_t num(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    memcpy(&v, p, bytes);
    return v;
}

static bool bad(struct tree *t, uint64_t page, const char *why)
{
    (void)snprintf(t->verdict->why, sizeof t->verdict->why, "page %llu %s", (unsigned long long)page, why);
    return false;
}

static bool take_page(struct tree *t, uint64_t number)
{
    struct file *f = t->file;
    if (number < 2 || number >= f->pages || number > f->last_page)
        return bad(t, number, "is used but lies behind the end of the file");
    if (f->seen[number / 8] >> number % 8 & 1)
        return bad(t, number, "is used twice");
    f->seen[number / 8] |= (uint8_t)(1u << number % 8);
    return true;
}

static int compare(const struct tree *t, struct key a, struct key b)
{
    if (t->key_bytes != 0) {
        uint64_t x = num(a.data, (unsigned)a.size), y = num(b.data, (unsigned)b.size);
        return x < y ? -1 : x > y;
    }
    size_t least = a.size < b.size ? a.size : b.size;
    int c = memcmp(a.data, b.data, least);
    return c != 0 ? c : a.size < b.size ? -1 : a.size > b.size;
}

/* The pages of a long value. Their bytes are not read: the check of the row covers them. The head, which does not
 * belong to it, is only for writing. */
static bool check_overflow(struct tree *t, uint64_t page, const uint8_t *data, size_t size)
{
    struct file *f = t->file;
    uint64_t first = num(data, 8), pages = (PAGE_HEAD - 1 + size) / f->page_bytes + 1;
    if (first < 2 || first >= f->pages || pages > f->pages - first || first + pages - 1 > f->last_page)
        return bad(t, page, "has a value behind the end of the file");
    if (!f->to_write)
        return true;
    const uint8_t *head = f->bytes + first * f->page_bytes;
    uint64_t has = num(head + 12, 4);
    if (num(head, 8) != first || num(head + 10, 2) != PAGE_OVERFLOW || has < pages || has > f->pages - first)
        return bad(t, first, "is not the beginning of its value");
    for (uint64_t i = 0; i < has; i++)
        if (!take_page(t, first + i))
            return false;
    t->overflow += has;
    return true;
}

static bool leaf_node(struct tree *t, uint64_t page, const uint8_t *node, size_t room, size_t *used)
{
    size_t size = (size_t)(num(node, 2) | num(node + 2, 2) << 16);
    unsigned flags = (unsigned)num(node + 4, 2);
    struct key key = { node + NODE_HEAD, (size_t)num(node + 6, 2) };
    const uint8_t *data = key.data + key.size;
    bool big = (flags & NODE_BIGDATA) != 0; /* the value lies in pages of its own */
    *used = NODE_HEAD + key.size + (big ? 8 : size);
    if (*used > room)
        return bad(t, page, "has a node that leaves it");
    if (t->key_bytes != 0 ? key.size != t->key_bytes : key.size == 0)
        return bad(t, page, "has a malformed key");
    if ((t->last.data != NULL && compare(t, key, t->last) <= 0) ||
        (t->floor.data != NULL && compare(t, key, t->floor) < 0))
        return bad(t, page, "has a key that does not ascend");
    if (big && size <= WEIGHED_BYTES)
        return bad(t, page, "has a node of the wrong kind");
    if (big && !check_overflow(t, page, data, size))
        return false;
    t->last = key;
    t->entries++;
    return t->leaf(t, page, key, flags, data, size);
}

static bool walk_page(struct tree *t, uint64_t number, unsigned depth);

static bool branch_node(struct tree *t, uint64_t page, const uint8_t *node, size_t room, bool first, unsigned depth,
                        size_t *used)
{
    struct key key = { node + NODE_HEAD, (size_t)num(node + 6, 2) };
    *used = NODE_HEAD + key.size;
    if (*used > room)
        return bad(t, page, "has a key that leaves it");
    if (!first) { /* the key of the first node is not used */
        if (t->key_bytes != 0 ? key.size != t->key_bytes : key.size == 0)
            return bad(t, page, "has a malformed key");
        if (compare(t, t->last, key) >= 0)
            return bad(t, page, "has a key that does not ascend");
        t->floor = key;
    }
    return walk_page(t, num(node, 2) | num(node + 2, 2) << 16 | num(node + 4, 2) << 32, depth - 1);
}

static bool walk_page(struct tree *t, uint64_t number, unsigned depth)
{
    if (!take_page(t, number))
        return false;
    size_t page_bytes = t->file->page_bytes, filled = 0;
    const uint8_t *page = t->file->bytes + number * page_bytes;
    bool leaf = depth == 1;
    resident_read(&t->file->resident, page, page_bytes);
    size_t lower = (size_t)num(page + 12, 2), upper = (size_t)num(page + 14, 2);
    if (num(page, 8) != number)
        return bad(t, number, "does not carry its number");
    if (num(page + 10, 2) != (leaf ? PAGE_LEAF : PAGE_BRANCH))
        return bad(t, number, "is of the wrong type");
    if (lower < PAGE_HEAD || lower % 2 != 0 || upper < lower || upper > page_bytes)
        return bad(t, number, "has wild bounds");
    size_t count = (lower - PAGE_HEAD) / 2;
    if (count < (leaf ? 1u : 2u))
        return bad(t, number, "has too few nodes");
    t->branches += !leaf;
    t->leaves += leaf;
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)num(page + PAGE_HEAD + 2 * i, 2), used;
        if (at < upper || at % 2 != 0 || at + NODE_HEAD > page_bytes)
            return bad(t, number, "has a wild node");
        if (leaf ? !leaf_node(t, number, page + at, page_bytes - at, &used)
                 : !branch_node(t, number, page + at, page_bytes - at, i == 0, depth, &used))
            return false;
        filled += (used + 1) & ~(size_t)1;
    }
    return filled == page_bytes - upper || bad(t, number, "has nodes that do not fill it");
}

static bool walk_tree(struct tree *t, const uint8_t *db, unsigned want_flags)
{
    unsigned flags = (unsigned)num(db + 4, 2), depth = (unsigned)num(db + 6, 2);
    uint64_t root = num(db + 40, 8);
    if (flags != want_flags)
        return bad(t, root, "is the root of a tree of another kind");
    if (depth > DEPTH_MAX || (depth == 0) != (root == NO_PAGE))
        return bad(t, root, "is the root of a tree of wrong depth");
    if (root != NO_PAGE && !walk_page(t, root, depth))
        return false;
    if (t->branches != num(db + 8, 8) || t->leaves != num(db + 16, 8) || t->entries != num(db + 32, 8) ||
        (t->file->to_write && t->overflow != num(db + 24, 8)))
        return bad(t, root, "is the root of a tree of another size");
    return true;
}

/* ---- the trees of a trace ---- */

static bool row_leaf(struct tree *t, uint64_t page, struct key key, unsigned flags, const uint8_t *data, size_t size)
{
    if ((flags & ~(unsigned)NODE_BIGDATA) != 0)
        return bad(t, page, "has a node of an unknown kind");
    t->sum.rows++;
    t->sum.weight += row_weight(t->table, key.data, key.size, data, size);
    return true;
}

static bool sums_leaf(struct tree *t, uint64_t page, struct key key, unsigned flags, const uint8_t *data, size_t size)
{
    struct found *f = t->found;
    if (flags != 0 || f->sums_read || !row_open(ROW_SUMS_TABLE, key.data, key.size, data, &size) ||
        !row_sums_decode(data, size, &f->written))
        return bad(t, page, "has a damaged row");
    f->sums_read = true;
    return true;
}

static void walk_table(struct tree *main, unsigned number, const uint8_t *db, struct probe_table *verdict)
{
    bool sums = number == ROW_SUMS_TABLE;
    enum schema_key type = sums ? KEY_U32 : schema_key_type((enum schema_db)number);
    struct tree t = { .file = main->file,
                      .leaf = sums ? sums_leaf : row_leaf,
                      .found = main->found,
                      .table = number,
                      .key_bytes = type == KEY_TEXT  ? 0
                                   : type == KEY_U32 ? 4
                                                     : 8,
                      .verdict = verdict };
    uint64_t root = num(db + 40, 8);
    bool ok = num(db, 4) == 0 || bad(&t, root, "is the root of a tree of another kind");
    ok = ok && walk_tree(&t, db, type == KEY_TEXT ? 0 : DB_INTEGERKEY);
    if (ok && sums && !main->found->sums_read)
        ok = bad(&t, root, "is the root of a table without its row");
    verdict->state = ok ? PROBE_SOUND : PROBE_BROKEN;
    if (!sums) {
        main->found->sums[number] = t.sum;
        main->found->there[number] = true;
    }
}

static bool main_leaf(struct tree *t, uint64_t page, struct key key, unsigned flags, const uint8_t *data, size_t size)
{
    struct probe *out = t->found->out;
    if (flags != NODE_SUBDATA || size != DB_SIZE)
        return bad(t, page, "has a malformed table");
    if (key.size == strlen(ROW_SUMS_NAME) && memcmp(key.data, ROW_SUMS_NAME, key.size) == 0) {
        out->has_sums = true;
        walk_table(t, ROW_SUMS_TABLE, data, &out->sums);
        return true;
    }
    for (unsigned i = 0; i < DB_COUNT; i++) {
        const char *name = schema_name((enum schema_db)i);
        if (key.size == strlen(name) && memcmp(key.data, name, key.size) == 0) {
            walk_table(t, i, data, &out->tables[i]);
            return true;
        }
    }
    return bad(t, page, "has a table of an unknown name");
}

/* Pages that may be written over: le8 how many, then their numbers. None is in use. */
static bool free_leaf(struct tree *t, uint64_t page, struct key key, unsigned flags, const uint8_t *data, size_t size)
{
    struct file *f = t->file;
    (void)key;
    if ((flags & ~(unsigned)NODE_BIGDATA) != 0)
        return bad(t, page, "has a node of an unknown kind");
    if (flags & NODE_BIGDATA)
        data = f->bytes + num(data, 8) * f->page_bytes + PAGE_HEAD;
    uint64_t count = size >= 8 ? num(data, 8) : UINT64_MAX;
    if (count > size / 8 - 1)
        return bad(t, page, "has a malformed list of free pages");
    for (uint64_t i = 0, last = UINT64_MAX; i < count; i++) {
        uint64_t number = num(data + 8 + 8 * i, 8);
        if (number < 2 || number > f->last_page || number >= last || (f->seen[number / 8] >> number % 8 & 1) != 0)
            return bad(t, page, "lists a page as free that is not");
        f->seen[number / 8] |= (uint8_t)(1u << number % 8);
        last = number;
    }
    return true;
}

/* ---- sums of the tables ---- */

static void incomplete(struct probe_table *t, const char *why)
{
    t->state = PROBE_INCOMPLETE;
    (void)snprintf(t->why, sizeof t->why, "%s", why);
}

static void compare_sums(const struct found *f, uint64_t txn)
{
    struct probe *p = f->out;
    for (unsigned i = 0; i < DB_COUNT; i++) {
        struct probe_table *t = &p->tables[i];
        if (t->state != PROBE_SOUND)
            continue;
        if (!f->there[i]) {
            t->state = PROBE_BROKEN;
            (void)snprintf(t->why, sizeof t->why, "it is missing");
        } else if (f->sums_read && f->sums[i].rows != f->written.tables[i].rows)
            (void)snprintf(t->why, sizeof t->why, "it has %llu rows of %llu", (unsigned long long)f->sums[i].rows,
                           (unsigned long long)f->written.tables[i].rows);
        else if (f->sums_read && f->sums[i].weight != f->written.tables[i].weight)
            (void)snprintf(t->why, sizeof t->why, "a row of it is not the one that was written");
        if (t->state == PROBE_SOUND && t->why[0] != '\0')
            t->state = PROBE_INCOMPLETE;
    }
    if (f->sums_read && f->written.txn != txn)
        incomplete(&p->sums, "the file goes back to an older state");
}

const struct probe_table *probe_fault(const struct probe *p, const char **table)
{
    for (unsigned i = 0; i < DB_COUNT; i++)
        if (p->tables[i].state != PROBE_SOUND) {
            *table = schema_name((enum schema_db)i);
            return &p->tables[i];
        }
    *table = ROW_SUMS_NAME;
    return p->sums.state != PROBE_SOUND ? &p->sums : NULL;
}

/* ---- the file ---- */

static enum status damaged(const char *path, const char *why, struct error *err)
{
    return error_set(err, ERR_FORMAT, "%s: damaged or truncated: %s", path, why);
}

static bool sane_meta(const uint8_t *meta, unsigned number, size_t page_bytes)
{
    return num(meta, 8) == number && num(meta + 10, 2) == PAGE_META && num(meta + PAGE_HEAD, 4) == META_MAGIC &&
           num(meta + PAGE_HEAD + 4, 4) == DATA_VERSION && num(meta + PAGE_HEAD + 8, 8) == 0 &&
           num(meta + META_FREE, 4) == page_bytes && num(meta + META_FREE + 4, 2) == DB_INTEGERKEY &&
           (num(meta + META_TXN, 8) & 1) == number;
}

/* Two transactions, one after the other; the first two pages of a new file are alike. */
static bool metas_fit(const uint8_t *a, const uint8_t *b)
{
    uint64_t x = num(a + META_TXN, 8), y = num(b + META_TXN, 8);
    return x == y + 1 || y == x + 1;
}

/* Opens a regular file. A symbolic link is refused: its target does not belong to the trace. */
static int open_regular(const char *path, uint64_t *size, struct error *err)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) {
        (void)error_set(err, ERR_IO, "%s: %s", path, errno == ELOOP ? "is a symbolic link" : strerror(errno));
        return -1;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        (void)error_set(err, ERR_FORMAT, "%s: is no regular file", path);
        (void)close(fd);
        return -1;
    }
    *size = (uint64_t)info.st_size;
    return fd;
}

enum status probe_metas(const char *path, uint64_t *txn, struct error *err)
{
    static const struct timespec pause = { 0, 1000000 };
    uint64_t size;
    uint8_t a[META_END], b[META_END];
    int fd = open_regular(path, &size, err);
    if (fd < 0)
        return err != NULL ? err->status : ERR_IO;
    bool ok = false;
    for (unsigned attempt = 0; attempt < 3 && !ok; attempt++) { /* a running recording may be writing them */
        if (attempt > 0)
            (void)nanosleep(&pause, NULL);
        ok = pread(fd, a, sizeof a, 0) == (ssize_t)sizeof a;
        size_t page_bytes = ok ? (size_t)num(a + META_FREE, 4) : 0;
        ok = ok && page_bytes >= PAGE_BYTES_MIN && page_bytes <= PAGE_BYTES_MAX &&
             (page_bytes & (page_bytes - 1)) == 0 && pread(fd, b, sizeof b, (off_t)page_bytes) == (ssize_t)sizeof b &&
             sane_meta(a, 0, page_bytes) && sane_meta(b, 1, page_bytes) && metas_fit(a, b);
    }
    (void)close(fd);
    if (!ok)
        return damaged(path, size == 0 ? "it is empty" : "its first pages are not those of a trace", err);
    uint64_t x = num(a + META_TXN, 8), y = num(b + META_TXN, 8);
    *txn = x > y ? x : y;
    return OK;
}

static enum status probe_map(struct file *f, uint64_t size, uint64_t txn, struct probe *out, struct error *err)
{
    struct found found = { .out = out };
    struct probe_table whole = { .state = PROBE_SOUND };
    f->page_bytes = (size_t)num(f->bytes + META_FREE, 4);
    if (f->page_bytes < PAGE_BYTES_MIN || f->page_bytes > PAGE_BYTES_MAX || size < 2 * f->page_bytes)
        return damaged(f->path, "its page size is wrong", err);
    f->pages = size / f->page_bytes;
    const uint8_t *meta = f->bytes + (txn & 1) * f->page_bytes;
    f->last_page = num(meta + META_LAST_PAGE, 8);
    if (num(meta + META_TXN, 8) != txn || f->last_page >= f->pages + UNWRITTEN_MAX)
        return damaged(f->path, "its first pages are not those of a trace", err);
    uint64_t bits = f->pages > f->last_page ? f->pages : f->last_page + 1;
    if ((f->seen = calloc(bits / 8 + 1, 1)) == NULL)
        return error_memory(err, "%s", f->path);
    struct tree main = { .file = f, .leaf = main_leaf, .found = &found, .verdict = &whole };
    bool ok = walk_tree(&main, meta + META_MAIN, 0);
    struct tree empty = { .file = f, .leaf = free_leaf, .found = &found, .verdict = &whole, .key_bytes = 8 };
    ok = ok && (!f->to_write || walk_tree(&empty, meta + META_FREE, DB_INTEGERKEY));
    free(f->seen);
    if (!ok)
        return damaged(f->path, whole.why, err);
    compare_sums(&found, txn);
    return OK;
}

enum status probe_file(const char *path, uint64_t txn, bool to_write, struct probe *out, struct error *err)
{
    uint64_t size;
    memset(out, 0, sizeof *out);
    int fd = open_regular(path, &size, err);
    if (fd < 0)
        return err != NULL ? err->status : ERR_IO;
    enum status st;
    void *bytes = size >= META_END ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (size < META_END)
        st = damaged(path, "it is too short", err);
    else if (bytes == MAP_FAILED)
        st = error_set(err, ERR_IO, "%s: cannot map: %s", path, strerror(errno));
    else {
        struct file f = {
            .path = path, .bytes = bytes, .to_write = to_write, .resident = { .begin = bytes, .bytes = (size_t)size }
        };
        st = probe_map(&f, size, txn, out, err);
        (void)munmap(bytes, (size_t)size);
    }
    (void)close(fd);
    return st;
}
