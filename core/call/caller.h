/* caller.h - the client of a call, as keys by which memory and waiting calls are counted. */
#ifndef CORE_CALLER_H
#define CORE_CALLER_H

#include <stdint.h>

struct address;

struct caller {
	uint64_t address; /* 0: the call has no client */
	uint64_t principal; /* 0: anonymous */
};
uint64_t caller_address(const struct address *);
/* Makes the key of a user. `site` is the site's number, since user ids are unique only within a
 * site. */
uint64_t caller_principal(const char *id, uint64_t site);

#endif
