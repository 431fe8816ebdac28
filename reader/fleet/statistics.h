/* statistics.h - aggregates of SQL over the tables of a fleet, for `fleet compare` and `fleet query`:
 *
 *     median(value)               of the numbers
 *     mann_whitney(side, value)   how probable it is that the values of the rows whose side is 1 and of the others
 *                                 differ so in order if both come from one distribution: p, two-sided; null: a side
 *                                 has no value */
#ifndef READER_FLEET_STATISTICS_H
#define READER_FLEET_STATISTICS_H

#include <sqlite3.h>

#include "formats/status.h"

enum status statistics_create(sqlite3 *db, struct error *err);

#endif
