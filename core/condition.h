/* condition.h - conditional requests (RFC 9110, 13). */
#ifndef CORE_CONDITION_H
#define CORE_CONDITION_H

#include "http1.h"

/* May it stand between the quotes of an entity tag? */
bool condition_good_tag(const char *);
/* Does the request (GET, HEAD) say that it has this? Weak comparison. */
bool condition_none_match(const struct http1_head *, const char *tag);

#endif
