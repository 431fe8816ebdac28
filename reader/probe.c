/* probe.c - is this LMDB file whole? Asked once when a trace is opened, before LMDB follows any of its page numbers.
 *
 * LMDB trusts its file: a page number behind the end is a SIGBUS, a wild offset a wild read, an odd page an abort. A trace may
 * have been truncated by a full disk, a broken copy or a test, so the reader walks every B-tree of its snapshot first. Only
 * branch and leaf pages are read (values of 2 KB and up lie in overflow pages, of which the head is checked), so the cost is a
 * few hundred pages for a hundred million events. What values hold is checked by their decoders.
 *
 *     page   pgno 8 | pad 2 | flags 2 | lower 2 | upper 2 | offsets of nodes, 2 each ... free ... nodes      (lmdb 0.9, mdb.c)
 *     node   lo 2 | hi 2 | flags 2 | key size 2 | key | data        branch: page = lo hi flags; leaf: data size = lo hi
 *     meta   page head 16 | magic 4 | version 4 | address 8 | map size 8 | db free | db main | last page 8 | txn id 8
 *     db     pad 4 | flags 2 | depth 2 | branch 8 | leaf 8 | overflow 8 | entries 8 | root 8                            */
#include "reader/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PAGE_HEAD = 16,
    PAGE_BRANCH = 1,
    PAGE_LEAF = 2,
    PAGE_OVERFLOW = 4,
    NODE_HEAD = 8,
    NODE_BIGDATA = 1,
    NODE_SUBDATA = 2,
    DB_SIZE = 48,
    META_DBS = PAGE_HEAD + 24,
    META_END = META_DBS + 2 * DB_SIZE + 16,
    DEPTH_MAX = 32,
    DB_INTEGERKEY = 8,
};
#define META_MAGIC 0xBEEFC0DEu
#define NO_PAGE UINT64_MAX

struct probe {
    const char *path;
    const uint8_t *file;
    uint64_t pages; /* whole ones in the file */
    uint64_t left;  /* pages that may still be visited: a tree with a cycle runs out of them */
    size_t page_bytes;
};

static uint64_t num(const uint8_t *p, unsigned bytes) /* the machine's order, which LMDB writes */
{
    uint64_t v = 0;
    memcpy(&v, p, bytes);
    return v;
}

static enum status bad(const struct probe *p, uint64_t page, const char *why, struct error *err)
{
    return error_set(err, ERR_FORMAT, "%s: damaged or truncated: page %llu %s", p->path, (unsigned long long)page, why);
}

static enum status page_at(struct probe *p, uint64_t number, const uint8_t **out, struct error *err)
{
    if (number < 2 || number >= p->pages)
        return bad(p, number, "is used but lies behind the end of the file", err);
    if (p->left-- == 0)
        return bad(p, number, "is reached twice", err);
    *out = p->file + number * p->page_bytes;
    return num(*out, 8) == number ? OK : bad(p, number, "does not carry its number", err);
}

static enum status walk_db(struct probe *p, const uint8_t *db, bool main, struct error *err);

static enum status check_leaf_node(struct probe *p, uint64_t page, const uint8_t *node, size_t room, bool main,
                                   struct error *err)
{
    uint64_t data_bytes = num(node, 2) | num(node + 2, 2) << 16;
    unsigned flags = (unsigned)num(node + 4, 2), key_bytes = (unsigned)num(node + 6, 2);
    const uint8_t *data = node + NODE_HEAD + key_bytes;
    if ((flags & ~(unsigned)(NODE_BIGDATA | NODE_SUBDATA)) != 0 || ((flags & NODE_SUBDATA) != 0 && !main))
        return bad(p, page, "has a node of an unknown kind", err);
    if (flags & NODE_BIGDATA) {
        const uint8_t *head = NULL;
        if (room < NODE_HEAD + (size_t)key_bytes + 8)
            return bad(p, page, "has a node that leaves it", err);
        uint64_t first = num(data, 8), pages;
        enum status st = page_at(p, first, &head, err);
        if (st != OK)
            return st;
        pages = num(head + 12, 4);
        if ((num(head + 10, 2) & PAGE_OVERFLOW) == 0 || pages == 0 || pages > p->pages - first ||
            data_bytes > pages * p->page_bytes - PAGE_HEAD)
            return bad(p, first, "is not the beginning of its value", err);
        return OK;
    }
    if (data_bytes > room - NODE_HEAD - key_bytes)
        return bad(p, page, "has a node that leaves it", err);
    if ((flags & NODE_SUBDATA) == 0)
        return OK;
    return data_bytes == DB_SIZE ? walk_db(p, data, false, err) : bad(p, page, "has a malformed database", err);
}

static enum status walk_page(struct probe *p, uint64_t number, unsigned depth, const uint8_t *db, bool main,
                             struct error *err)
{
    const uint8_t *page = NULL;
    enum status st = page_at(p, number, &page, err);
    if (st != OK)
        return st;
    bool leaf = depth == 1, integer = (num(db + 4, 2) & DB_INTEGERKEY) != 0;
    size_t lower = (size_t)num(page + 12, 2), upper = (size_t)num(page + 14, 2);
    if (num(page + 10, 2) != (leaf ? PAGE_LEAF : PAGE_BRANCH))
        return bad(p, number, "is of the wrong type", err);
    if (lower < PAGE_HEAD || lower % 2 != 0 || upper < lower || upper > p->page_bytes)
        return bad(p, number, "has wild bounds", err);
    size_t count = (lower - PAGE_HEAD) / 2;
    if (count < (leaf ? 1u : 2u))
        return bad(p, number, "has too few nodes", err);
    for (size_t i = 0; st == OK && i < count; i++) {
        size_t at = (size_t)num(page + PAGE_HEAD + 2 * i, 2);
        if (at < upper || at + NODE_HEAD > p->page_bytes)
            return bad(p, number, "has a wild node", err);
        const uint8_t *node = page + at;
        unsigned key_bytes = (unsigned)num(node + 6, 2);
        if (key_bytes > p->page_bytes - at - NODE_HEAD)
            return bad(p, number, "has a key that leaves it", err);
        if (integer && key_bytes != 4 && key_bytes != 8 && (leaf || i > 0))
            return bad(p, number, "has a malformed key", err);
        st = leaf ? check_leaf_node(p, number, node, p->page_bytes - at, main, err)
                  : walk_page(p, num(node, 2) | num(node + 2, 2) << 16 | num(node + 4, 2) << 32, depth - 1, db, main, err);
    }
    return st;
}

static enum status walk_db(struct probe *p, const uint8_t *db, bool main, struct error *err)
{
    unsigned flags = (unsigned)num(db + 4, 2), depth = (unsigned)num(db + 6, 2);
    uint64_t root = num(db + 40, 8);
    if ((flags & ~(unsigned)DB_INTEGERKEY) != 0 || depth > DEPTH_MAX)
        return bad(p, root, "belongs to a malformed database", err);
    if (root == NO_PAGE)
        return OK;
    return depth > 0 ? walk_page(p, root, depth, db, main, err) : bad(p, root, "belongs to an empty database", err);
}

static enum status probe_map(struct probe *p, uint64_t size, uint64_t txnid, struct error *err)
{
    size_t first_page = (size_t)num(p->file + META_DBS, 4); /* the free database's pad is the page size */
    if (first_page < 512 || first_page > 65536 || (first_page & (first_page - 1)) != 0 || size < 2 * first_page)
        return bad(p, 0, "names a wild page size", err);
    p->page_bytes = first_page;
    p->pages = p->left = size / first_page;
    const uint8_t *meta = p->file + (txnid & 1) * first_page;
    if (num(meta + PAGE_HEAD, 4) != META_MAGIC || num(meta + META_DBS, 4) != first_page)
        return bad(p, txnid & 1, "is not a meta page", err);
    if (num(meta + META_END - 8, 8) != txnid)
        return bad(p, txnid & 1, "belongs to another transaction", err);
    return walk_db(p, meta + META_DBS + DB_SIZE, true, err);
}

enum status probe_file(const char *path, uint64_t txnid, struct error *err)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    enum status st;
    if (fstat(fd, &info) != 0 || info.st_size < META_END + 512) {
        st = error_set(err, ERR_FORMAT, "%s: too short for a trace", path);
        goto out;
    }
    void *file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED) {
        st = error_set(err, ERR_IO, "%s: cannot map: %s", path, strerror(errno));
        goto out;
    }
    struct probe p = { .path = path, .file = file };
    st = probe_map(&p, (uint64_t)info.st_size, txnid, err);
    (void)munmap(file, (size_t)info.st_size);
out:
    (void)close(fd);
    return st;
}
