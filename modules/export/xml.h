/*
 * xml.h - writes elements of an export with libxml2. An error is kept until xml_end returns it, so
 * that no caller has to check each write.
 */
#ifndef EXPORT_XML_H
#define EXPORT_XML_H

#include <stdbool.h>
#include <stdint.h>

struct xml;

/* Writes to a file descriptor, which stays open. Returns NULL if there is no memory. */
struct xml *xml_begin(int fd);
/* Ends the document. Returns false if anything could not be written; errno says why. */
bool xml_end(struct xml *);

void xml_open(struct xml *, const char *name);
void xml_attribute(struct xml *, const char *name, const char *value);
void xml_close(struct xml *);
void xml_comment(struct xml *, const char *text);
/* Write an element with a text, with a text in CDATA, or with a number. Characters that XML does
 * not allow are left out; U+FFFE and U+FFFF become U+FFFD. NULL stands for "". */
void xml_text(struct xml *, const char *name, const char *text);
void xml_cdata(struct xml *, const char *name, const char *text);
void xml_number(struct xml *, const char *name, int64_t);
/* Writes CDATA into the open element. */
void xml_characters(struct xml *, const char *text);

#endif
