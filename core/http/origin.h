/* origin.h - which origins (RFC 6454) a list of allowed ones, such as cors-origins, covers. */
#ifndef CORE_HTTP_ORIGIN_H
#define CORE_HTTP_ORIGIN_H

#include <stdbool.h>

/* Returns true if the list allows the origin: it contains the origin, a pattern such as
 * "https://(star).example.org" for it, or "*". The list ends with NULL; a NULL list is empty. The
 * origin "null" is never allowed. */
bool origin_allowed(char *const *list, const char *origin);

#endif
