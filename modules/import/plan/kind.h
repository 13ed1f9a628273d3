/* kind.h - what a text may be beside a text: a number, a boolean, a link. */
#ifndef IMPORT_KIND_H
#define IMPORT_KIND_H

#include <stdbool.h>

/*
 * Is the text a whole number, or a number, that is written back identically? "01234", "+49",
 * "1.10", "1e5" and numbers with more than 15 digits are not: they are codes, or would lose digits.
 */
bool kind_integer(const char *text);
bool kind_number(const char *text);
bool kind_boolean(const char *text); /* true or false, in any case */
bool kind_url(const char *text); /* an address with http or https */

#endif
