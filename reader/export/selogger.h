/* selogger.h - what the files of the format selogger have in common.
 *
 * The layout is that of SELogger 0.6 (DataFormat.md of github.com/takashi-ishio/selogger). Its CSV knows neither
 * quotation marks inside of a column nor commas: in names they are written as Java escapes (\u002c), as are control
 * characters. Object ids, thread numbers, data IDs and method ids are those of the trace; classes are numbered anew,
 * since SELogger lists only those that it has woven. Where SELogger counts instructions of ASM's list, pcs are
 * written.
 *
 * SELogger has one more location for each METHOD_EXCEPTIONAL_EXIT: a CATCH of the exception that leaves the method.
 * Such locations get the data IDs behind the last one of the trace. */
#ifndef READER_EXPORT_SELOGGER_H
#define READER_EXPORT_SELOGGER_H

#include "formats/vec.h"
#include "reader/export/export.h"

struct selogger {
    struct export_job *job;
    u32_vec classes; /* numbers of the woven classes, rising: the index is the ClassID */
    u32_vec exits;   /* data IDs of METHOD_EXCEPTIONAL_EXIT, rising */
};

/* classes.txt, methods.txt, dataids.txt; fills `classes` and `exits`. */
bool selogger_tables(struct selogger *s);
/* The data ID of the CATCH before this METHOD_EXCEPTIONAL_EXIT. */
uint32_t selogger_catch(const struct selogger *s, uint32_t exit);
/* LOG$Types.txt, LOG$ObjectTypes00001.txt, LOG$String00001.txt, LOG$Exceptions00001.txt. */
bool selogger_objects(struct selogger *s);
/* eventfreq.txt, and trace.json; with `values` also recentdata.txt, and the values in trace.json. */
bool selogger_counts(struct selogger *s, bool values);

/* Text as a part of a column. */
void selogger_text(struct out *o, const char *text);
/* A class name as the internal name, or with dots. */
void selogger_internal(struct out *o, const char *class_name);
/* "k=v,k=v", or "null", with the quotation marks. */
void selogger_attributes(struct out *o, const struct hs_dataid *d);
/* The class and method of a data ID; false: the trace does not have them. */
bool selogger_place(hs_trace *t, const struct hs_dataid *d, const struct hs_class **c, const struct hs_method **m);
/* 120, null, a.b.C@1f, "java.lang.String@1f:text" with JSON escapes; without `content` as of other objects. */
void selogger_value(struct out *o, hs_trace *t, const struct hs_event *e, bool content);
/* Loader@1f:a/b/C */
void selogger_loader(struct out *o, uint64_t loader, const char *class_name);

#endif
