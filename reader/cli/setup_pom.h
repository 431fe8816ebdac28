/* setup_pom.h - what a project of Maven already gives its test JVMs. */
#ifndef READER_CLI_SETUP_POM_H
#define READER_CLI_SETUP_POM_H

#include "reader/cli/failure_show.h"

struct setup_pom {
    failure_bytes bytes; /* pom.xml, to be freed */
    bool property;       /* it sets the property argLine */
    const char *words;   /* <argLine> of a plugin, not ended by NUL; NULL: it has none */
    size_t length;
};
/* Reads pom.xml in the current folder; without one all is empty. What stands in profiles does not count. */
void setup_pom_read(struct setup_pom *out);

#endif
