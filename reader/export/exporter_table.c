/* exporter_table.c - the table of exporters, from the rows of exporters.def. */
#include "reader/export/export.h"

const struct exporter exporter_table[] = {
#define EXPORTER(name, shape, summary) { #name, EXPORT_##shape, summary, export_##name },
#include "reader/export/exporters.def"
#undef EXPORTER
    { 0 },
};
