/* regions.h - several tables in one file, mapped: each grows by itself, and no row of it ever moves in memory.
 *
 *     file     head, UNIT bytes | piece | piece | ...                   a piece is a multiple of UNIT, and belongs to
 * one table memory   head | table 0 ............ | table 1 ............ | ...  reserved; a piece is mapped where its
 * table ends
 *
 * The file has the pieces that are used, no more, and all of them have disk: a full one, or a limit, is an error and
 * never a signal. Memory is only reserved; where it is limited (limits.h) the tables may become less great. The head's
 * first 4096 bytes are the owner's, then comes the list of pieces; a piece counts when the list says so, so a killed
 * process leaves a whole file. Byte order of the machine. */
#ifndef LOGGING_REGIONS_H
#define LOGGING_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/status.h"

enum { REGIONS_MAX = 8 };

struct regions {
    int fd;
    bool writable, cut; /* cut: an old file was shorter than its list says; the tables have what is there */
    unsigned pieces;
    unsigned count;
    uint8_t *head; /* NULL: not open */
    uint64_t file_bytes, reserved;
    uint8_t *at[REGIONS_MAX];
    uint64_t ready[REGIONS_MAX]; /* bytes that can be used */
    uint64_t room[REGIONS_MAX];  /* to which it can grow */
};

/* Creates the file, which must not be there. `room`: bytes that each table may get. */
enum status regions_create(struct regions *r, const char *path, const uint64_t *room, unsigned count,
                           struct error *err);
/* An old one; it is not trusted. What lies behind the end of the file is not there (`cut`). ERR_NOT_FOUND: there is no
 * file. */
enum status regions_open(struct regions *r, const char *path, bool writable, const uint64_t *room, unsigned count,
                         struct error *err);
void regions_close(struct regions *r);

/* At least so many bytes of the table. ERR_FULL, or ERR_LIMIT: that is more than it may get. */
enum status regions_provide(struct regions *r, unsigned table, uint64_t bytes, const char *what, struct error *err);

#endif
