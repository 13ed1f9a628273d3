/* origin.h - which origins a list of allowed ones covers (cors-origins). */
#ifndef CORE_HTTP_ORIGIN_H
#define CORE_HTTP_ORIGIN_H

#include <stdbool.h>

/* Is the origin among these, below one of them (a pattern of cors-origins), or is any allowed
 * ("*")? The list ends with NULL; NULL: it is empty. The origin "null" is never allowed. */
bool origin_allowed(char *const *list, const char *origin);

#endif
