/* drain_thread.h - the drain thread, which decides when to store what (storing.h).
 *
 * Full buffers are held until there are enough of one thread for a full chunk, or until a second has passed. Snapshots,
 * pauses and snapshot requests are served in between. A failure is noted in the recorder (error, failed). */
#ifndef LOGGING_DRAIN_THREAD_H
#define LOGGING_DRAIN_THREAD_H

/* From recorder_start to the end of the journal; `recorder` is a struct recorder. Returns NULL. */
void *drain_thread_run(void *recorder);

#endif
