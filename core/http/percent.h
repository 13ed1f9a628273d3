/* percent.h - percent-encoding of paths, queries and forms. */
#ifndef CORE_HTTP_PERCENT_H
#define CORE_HTTP_PERCENT_H

#include <stdbool.h>
#include <stddef.h>

/* Decodes the len bytes in place and ends them with NUL: text[len] must be writable. `plus`: "+" is
 * a blank, as in queries and forms. Returns false for a broken escape, NUL or invalid UTF-8. */
bool percent_decode(char *text, size_t len, bool plus);

#endif
