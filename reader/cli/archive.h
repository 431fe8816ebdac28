/* archive.h - JVMs that make an archive of classes (CDS) take no native agent: they end at once, before they have
 * loaded it. */
#ifndef CLI_ARCHIVE_H
#define CLI_ARCHIVE_H

/* The option of such a JVM among the words of a java command, or in the variables from which the JVM and its launcher
 * take options, or in files of options (@FILE, -XX:VMOptionsFile=FILE; -XX:Flags= is not looked into); NULL: none. */
const char *archive_option(char *const *words, int count);

#endif
