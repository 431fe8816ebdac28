/* process.h - identifies a process by number and start time, since numbers are reused. */
#ifndef LOGGING_PROCESS_H
#define LOGGING_PROCESS_H

#include <stdint.h>

/* Start time of a running process, in clock ticks since boot; 0 if there is none, or if it is a zombie. */
uint64_t process_start(uint32_t pid);
/* Its parent process; 0 if that is not visible here. */
uint32_t process_parent(uint32_t pid);

#endif
