/* hierarchy.h - no class is its own superclass or interface, and rows and class files name the same superclass */
#ifndef READER_FSCK_HIERARCHY_H
#define READER_FSCK_HIERARCHY_H

#include "reader/fsck/check.h"

enum status fsck_hierarchy(struct fsck *f, struct error *err);

#endif
