/* php.h - values as PHP serializes them, which WordPress keeps in custom fields and options. */
#ifndef IMPORT_PHP_H
#define IMPORT_PHP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the text begin like a serialized list or object? */
bool php_is(const char *text);
/*
 * Returns the value as JSON, a new reference; NULL: the text is no serialized value. A list whose
 * keys are 0, 1, 2 … becomes an array, any other list an object, and an object of PHP an object of
 * its members. References, and classes with a serialization of their own, are refused. Lengths
 * count bytes; a length is corrected if an XML reader has turned CR LF into LF. Takes linear time.
 */
json_t *php_read(const char *text, size_t len);

#endif
