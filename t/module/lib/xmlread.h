/* xmlread.h - queries XML responses by XPath. Requires libxml2. */
#ifndef T_MODULE_XMLREAD_H
#define T_MODULE_XMLREAD_H

#include "harness.h"

struct xml_space {
	const char *prefix, *uri;
};
/* Parses the text, which replaces the last one. Fails the test if it is not well-formed. */
void xml_read(const char *text, const struct xml_space *, size_t spaces);
void xml_forget(void);
/* Returns the string value of a path; static buffer. */
const char *at_path(const char *path);
#define assert_path(path, want) assert_string_equal(at_path(path), want)

#endif
