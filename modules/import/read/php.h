/* php.h - values as PHP serializes them, which WordPress keeps in custom fields and options. */
#ifndef IMPORT_PHP_H
#define IMPORT_PHP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the text begin as a serialized list or object does? */
bool php_is(const char *text);
/*
 * The value as JSON, a new reference; NULL: it is no such text. Lists whose keys are 0, 1, 2 … are
 * arrays, others objects, as objects of PHP are by their members. References and classes that read
 * themselves are refused. Lengths of texts count bytes; those that are too long since an XML reader
 * has made one of two line ends are put right. Linear in the text.
 */
json_t *php_read(const char *text, size_t len);

#endif
