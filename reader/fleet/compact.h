/* compact.h - keeps the merged tables (merged.h): runs that are in no part, or whose part has runs that are gone,
 * replaced or changed, are written into new parts; the other parts stay as they are. A part has at most PART_RUNS runs.
 * One that has not, and at most twice as many as are to be written, is written with them: so a run is written about
 * log2(PART_RUNS) times, and of the parts that are not full each is twice as large as the next. */
#ifndef READER_FLEET_COMPACT_H
#define READER_FLEET_COMPACT_H

#include "reader/fleet/gather.h"
#include "reader/fleet/merged.h"

/* `parts` gets the names of all parts, in their order. */
enum status fleet_compact(const struct gathered *g, struct place *p, run_ids *parts, struct error *err);

#endif
