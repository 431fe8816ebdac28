/* regions.h - several tables in one file, mapped: each grows independently, and rows never move in memory.
 *
 *     file     head, UNIT bytes | piece | piece | ...
 *     memory   head | table 0 ............ | table 1 ............ | ...
 *
 * A piece is a multiple of UNIT and belongs to one table, at whose end it is mapped.
 *
 * The file has only the pieces in use, all with disk blocks allocated: a full disk or a limit is an error and never a
 * signal. Address space is only reserved; where it is limited (limits.h) the tables can grow less. The first 4096 bytes
 * of the head belong to the owner, then comes the list of pieces; a piece exists once it is in the list, so a killed
 * process leaves a consistent file. Byte order of the machine. */
#ifndef LOGGING_REGIONS_H
#define LOGGING_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/status.h"

enum { REGIONS_MAX = 8 };

struct regions {
    int fd;
    bool writable, cut; /* cut: an old file was shorter than its list says; the tables have the rest */
    bool shrunk;        /* somebody has cut the file since it was opened (cut_guard.h) */
    void (*fill)(void *context, uint8_t *page,
                 size_t page_bytes); /* then: a page in place of a lost one; may be NULL */
    void *fill_context;
    bool leave; /* then: for the drain, as in cut_guard.h */
    unsigned pieces;
    unsigned count;
    uint8_t *head; /* NULL: not open */
    uint64_t file_bytes, reserved;
    uint8_t *at[REGIONS_MAX];
    uint64_t ready[REGIONS_MAX]; /* bytes that are mapped */
    uint64_t room[REGIONS_MAX];  /* bytes to which it can grow */
};

/* Creates the file, which must not exist. `room`: the most bytes of each table. */
enum status regions_create(struct regions *r, const char *path, const uint64_t *room, unsigned count,
                           struct error *err);
/* Opens an existing file, whose content is checked. Pieces behind the end of the file are dropped (`cut`).
 * ERR_NOT_FOUND: there is no file. */
enum status regions_open(struct regions *r, const char *path, bool writable, const uint64_t *room, unsigned count,
                         struct error *err);
void regions_close(struct regions *r);

/* Grows the table to at least `bytes`. ERR_FULL, or ERR_LIMIT: that is more than its maximum. */
enum status regions_provide(struct regions *r, unsigned table, uint64_t bytes, const char *what, struct error *err);

#endif
