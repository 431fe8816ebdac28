/* lineages.h - the classes of a trace as a table: woven ones, and those above them that were only looked at. */
#ifndef READER_CODE_LINEAGES_H
#define READER_CODE_LINEAGES_H

#include "reader/code/code.h"

enum { LINEAGE_DEPTH_MAX = 1000 };

/* A class; its class file is read on first use. */
struct lineage_entry {
    struct lineage lineage; /* the first member: entry_of finds the other by it */
    uint64_t hash;          /* of the name */
    uint64_t walk;          /* the last walk that was here */
    uint16_t above;         /* its superclasses, as far as they were counted */
    bool read;
    bool cut; /* its superclass is not followed: see cut_chains in lineages.c */
};
struct lineages {
    VEC(struct lineage_entry) entries; /* by hash, name, loader; woven classes first */
    VEC(const char *) faults;          /* sentences: what cut_chains found */
    uint64_t walk;                     /* number of the last one */
};

/* NULL: out of memory (trace_no_memory). */
struct lineages *lineages_get(hs_trace *t);
/* The class of that name and loader; else that of the boot loader, or of the loader that came first; else NULL. */
struct lineage_entry *lineages_find(const struct lineages *all, const char *name, uint64_t loader);
/* Reads its class file, if that was not done. */
const struct lineage *lineage_read(hs_trace *t, struct lineage_entry *e);
uint64_t lineage_hash(const char *name);

#endif
