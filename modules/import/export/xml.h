/*
 * xml.h - elements of an export, written by libxml2. An error is kept and told at the end, so that
 * no writer has to ask.
 */
#ifndef IMPORT_EXPORT_XML_H
#define IMPORT_EXPORT_XML_H

#include <stdbool.h>
#include <stdint.h>

struct xml;

/* To a file descriptor, which stays open. NULL: there is no memory. */
struct xml *xml_begin(int fd);
/* Ends the document. Returns false if anything could not be written; errno says why. */
bool xml_end(struct xml *);

void xml_open(struct xml *, const char *name);
void xml_attribute(struct xml *, const char *name, const char *value);
void xml_close(struct xml *);
void xml_comment(struct xml *, const char *text);
/* An element with a text, with a text in CDATA, with a number. What XML has no character for is
 * left out; U+FFFE and U+FFFF become U+FFFD. A text that is NULL is "". */
void xml_text(struct xml *, const char *name, const char *text);
void xml_cdata(struct xml *, const char *name, const char *text);
void xml_number(struct xml *, const char *name, int64_t);
/* CDATA in the element that is open. */
void xml_characters(struct xml *, const char *text);

#endif
