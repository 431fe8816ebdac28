/* limits.h - the resource limits of the process on file size and memory (setrlimit(2)).
 *
 * Writing past RLIMIT_FSIZE sends a signal to the whole process, and a mapping that just fits into RLIMIT_AS leaves no
 * memory to the recorded program. Both limits are therefore checked before anything grows: they shorten a recording or
 * an answer, but never end the process. */
#ifndef FORMATS_LIMITS_H
#define FORMATS_LIMITS_H

#include <stdint.h>

/* Numbers of data IDs, classes, methods and threads are given in order. Some have no row in a trace: of a recording
 * that was killed. A number that lies more than these beyond the rows is damage: tables by number stay in proportion to
 * the file. */
enum { NUMBERS_MISSING_MAX = 1 << 24 };

/* The most bytes that a file may have; UINT64_MAX without a limit. */
uint64_t limit_file_bytes(void);
/* Address space and private memory, whichever is less; UINT64_MAX without a limit. */
uint64_t limit_memory_bytes(void);
/* `wanted`, or if memory is limited at most that part of the limit, but not less than `least`. */
uint64_t limit_memory_part(uint64_t wanted, unsigned parts, uint64_t least);

/* posix_fallocate, or EFBIG where that would pass the limit. 0, or the error. */
int limit_allocate(int fd, uint64_t at, uint64_t bytes);
/* Adds so many zeros to a file of `at` bytes, with their disk space. Returns 0 or errno; ESTALE: it has fewer bytes by
 * now. Allocating alone would put zeros in place of what somebody cuts off at this moment. */
int limit_append(int fd, uint64_t at, uint64_t bytes);

#endif
