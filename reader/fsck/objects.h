/* objects.h - checks of references: that they are known, of one type, accessed by one thread or several */
#ifndef READER_FSCK_OBJECTS_H
#define READER_FSCK_OBJECTS_H

#include "reader/fsck/facts.h"

bool objects_init(struct fsck *f);
void objects_check_done(struct fsck *f);
/* Checks a reference in an event of `thread`. */
void reference_check(struct fsck *f, const struct code_event *p, uint32_t thread, uint64_t value, uint64_t seq);
bool object_shared(struct fsck *f, uint64_t id);
uint32_t object_class(struct fsck *f, uint64_t id);        /* 0 unknown */
bool object_is_error(struct fsck *f, uint64_t id);         /* an Error that the JVM may throw anywhere, or not known */
bool object_is_monitor_error(struct fsck *f, uint64_t id); /* IllegalMonitorStateException, or not known */

#endif
