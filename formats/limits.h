/* limits.h - what the process may take: limits on the size of files and on memory (setrlimit(2)).
 *
 * A file that passes RLIMIT_FSIZE is a signal to the whole process, and a mapping that just fits into RLIMIT_AS leaves
 * nothing to the program that is recorded. So both are asked before anything grows: a limit narrows a recording or an
 * answer, and ends no process. */
#ifndef FORMATS_LIMITS_H
#define FORMATS_LIMITS_H

#include <stdint.h>

/* The most bytes that a file may have; UINT64_MAX without a limit. */
uint64_t limit_file_bytes(void);
/* Address space and private memory, whichever is less; UINT64_MAX without a limit. */
uint64_t limit_memory_bytes(void);
/* `wanted`, or if memory is limited at most that part of the limit, but not less than `least`. */
uint64_t limit_memory_part(uint64_t wanted, unsigned parts, uint64_t least);

/* posix_fallocate, or EFBIG where that would pass the limit. 0, or the error. */
int limit_allocate(int fd, uint64_t at, uint64_t bytes);

#endif
