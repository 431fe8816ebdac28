/* xml.h - the documents that a server of S3 answers with, read by libxml2, which is loaded when it is needed. No
 * document type, no entities but those of XML itself, nothing from elsewhere: a document with others is refused, and so
 * is one that is cut. */
#ifndef READER_FLEET_XML_H
#define READER_FLEET_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/status.h"

/* The end of an element, with the text in it that is in no element below it. `depth`: 0 for the root. An error ends the
 * reading. */
typedef enum status xml_each_fn(void *context, size_t depth, const char *name, const char *text);
/* ERR_FORMAT, with what is wrong with the document and without its name, unless the whole is XML whose root has the
 * name `root`. */
enum status xml_read(const char *bytes, size_t n, const char *root, xml_each_fn *each, void *context,
                     struct error *err);

#endif
