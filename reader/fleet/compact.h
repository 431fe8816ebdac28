/* compact.h - the tables of all runs as one Parquet file each, for engines that read files by themselves:
 *
 *     tables/SET/runs.parquet calls.parquet ...      SET: a hash of which runs these are; the files never change
 *     tables/current                                 the name of the set that is meant, in one line
 *
 * So an engine that reads the files of the set that tables/current names sees each run once, in all tables. Any number
 * of processes may do it at once. */
#ifndef READER_FLEET_COMPACT_H
#define READER_FLEET_COMPACT_H

#include "reader/fleet/gather.h"

/* Writes the tables of `g`, and makes them the current ones; `set` gets their name. */
enum status fleet_compact(const struct gathered *g, struct place *p, struct run_id *set, struct error *err);

#endif
