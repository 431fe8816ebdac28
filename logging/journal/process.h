/* process.h - processes told apart by number and start time, since numbers are used again. */
#ifndef LOGGING_PROCESS_H
#define LOGGING_PROCESS_H

#include <stdint.h>

/* When a running process was started, in clock ticks since the machine was; 0 if there is none, or only its exit status
 * is left. */
uint64_t process_start(uint32_t pid);
/* The process that started it, or adopted it since; 0 if it is not visible here. */
uint32_t process_parent(uint32_t pid);

#endif
