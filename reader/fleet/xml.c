/* xml.c - see xml.h. https://gnome.pages.gitlab.gnome.org/libxml2/devhelp/libxml2-xmlreader.html */
#include "reader/fleet/xml.h"

#include <libxml/xmlreader.h>
#include <limits.h>
#include <string.h>

#include "formats/vec.h"
#include "reader/command/library.h"

enum { DEPTH_MAX = 8 };

#define FUNCTIONS                                                                                                      \
    FUNCTION(xmlReaderForMemory)                                                                                       \
    FUNCTION(xmlFreeTextReader)                                                                                        \
    FUNCTION(xmlTextReaderRead)                                                                                        \
    FUNCTION(xmlTextReaderNodeType)                                                                                    \
    FUNCTION(xmlTextReaderDepth)                                                                                       \
    FUNCTION(xmlTextReaderIsEmptyElement)                                                                              \
    FUNCTION(xmlTextReaderConstLocalName)                                                                              \
    FUNCTION(xmlTextReaderConstValue)                                                                                  \
    FUNCTION(xmlTextReaderSetErrorHandler)

struct library {
#define FUNCTION(name) __typeof__(name) *name;
    FUNCTIONS
#undef FUNCTION
};

static enum status load(struct library *l, struct error *err)
{
    bool whole = true;
    void *library = library_open("libxml2", NULL, "libxml2.so.2", err);
    if (library == NULL)
        library = library_open("libxml2", NULL, "libxml2.so.16", err);
    if (library == NULL)
        return ERR_NOT_FOUND;
#define FUNCTION(name) whole = library_find(library, #name, &l->name, sizeof l->name) && whole;
    FUNCTIONS
#undef FUNCTION
    return whole ? OK : error_set(err, ERR_UNSUPPORTED, "libxml2 has another interface");
}

struct reading {
    struct library library;
    xmlTextReaderPtr reader;
    const char *root;
    xml_each_fn *each;
    void *context;
    VEC(char) texts[DEPTH_MAX]; /* of the open elements */
};

static enum status add_text(struct reading *r, size_t depth, const char *text, struct error *err)
{
    const size_t n = text != NULL ? strlen(text) : 0;
    if (!vec_reserve(&r->texts[depth], r->texts[depth].count + n + 1))
        return error_memory(err, "XML");
    memcpy(r->texts[depth].items + r->texts[depth].count, text != NULL ? text : "", n);
    r->texts[depth].count += n;
    r->texts[depth].items[r->texts[depth].count] = '\0';
    return OK;
}

static enum status begin_element(struct reading *r, size_t depth, const char *name, struct error *err)
{
    if (depth >= DEPTH_MAX)
        return error_set(err, ERR_FORMAT, "its XML is too deep");
    if (depth == 0 && strcmp(name, r->root) != 0)
        return error_set(err, ERR_FORMAT, "it is <%.40s>, not <%s>", name, r->root);
    r->texts[depth].count = 0;
    return add_text(r, depth, "", err);
}

/* One node of the document. */
static enum status read_node(struct reading *r, struct error *err)
{
    const struct library *l = &r->library;
    const int kind = l->xmlTextReaderNodeType(r->reader), at = l->xmlTextReaderDepth(r->reader);
    const size_t depth = at >= 0 ? (size_t)at : DEPTH_MAX;
    const char *name = (const char *)l->xmlTextReaderConstLocalName(r->reader);
    enum status st = OK;
    switch (kind) {
    case XML_READER_TYPE_ELEMENT:
        st = begin_element(r, depth, name != NULL ? name : "", err);
        if (st != OK || l->xmlTextReaderIsEmptyElement(r->reader) == 0)
            return st;
        return r->each(r->context, depth, name, "");
    case XML_READER_TYPE_END_ELEMENT: return r->each(r->context, depth, name, r->texts[depth].items);
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA:
    case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
        if (depth == 0 || depth > DEPTH_MAX)
            return OK;
        return add_text(r, depth - 1, (const char *)l->xmlTextReaderConstValue(r->reader), err);
    case XML_READER_TYPE_DOCUMENT_TYPE:
    case XML_READER_TYPE_ENTITY_REFERENCE: return error_set(err, ERR_FORMAT, "its XML has entities of its own");
    default: return OK;
    }
}

static void ignore(void *unused, const char *text, xmlParserSeverities severity, xmlTextReaderLocatorPtr where)
{
    (void)unused;
    (void)text;
    (void)severity;
    (void)where;
}

enum status xml_read(const char *bytes, size_t n, const char *root, xml_each_fn *each, void *context, struct error *err)
{
    struct reading r = { .root = root, .each = each, .context = context };
    enum status st = load(&r.library, err);
    int more = 1;
    if (st != OK)
        return st;
    if (n == 0 || n > INT_MAX)
        return error_set(err, ERR_FORMAT, n == 0 ? "it is empty" : "it is too long");
    r.reader = r.library.xmlReaderForMemory(bytes, (int)n, NULL, NULL,
                                            XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (r.reader == NULL)
        return error_memory(err, "XML");
    r.library.xmlTextReaderSetErrorHandler(r.reader, ignore, NULL);
    while (st == OK && (more = r.library.xmlTextReaderRead(r.reader)) > 0)
        st = read_node(&r, err);
    if (st == OK && more < 0)
        st = error_set(err, ERR_FORMAT, "it is no XML, or cut");
    r.library.xmlFreeTextReader(r.reader);
    for (size_t i = 0; i < DEPTH_MAX; i++)
        vec_free(&r.texts[i]);
    return st;
}
