/* still_clock.c - preloaded into a JVM: System.currentTimeMillis() is always the same moment.
 *
 * Programs seed their hash tables with the time (Jackson does), and take other ways through them in each run. With a
 * clock that stands still such a program does the same each time, and its recordings can be compared to the last event.
 * Everything else, the recorder too, has the real time. The JVM must call what is defined here
 * (-XX:DisableIntrinsic=_currentTimeMillis), and nothing may wait for this clock. */
#include <stdint.h>

#define VISIBLE __attribute__((visibility("default")))

VISIBLE int64_t JVM_CurrentTimeMillis(void *env, void *system);

int64_t JVM_CurrentTimeMillis(void *env, void *system)
{
    (void)env;
    (void)system;
    return 1700000000123; /* ms since 1970 */
}
