/* caller.h - whose a call is, as keys by which memory and waiting calls are counted. */
#ifndef CORE_CALLER_H
#define CORE_CALLER_H

#include <stdint.h>

struct address;

struct caller {
	uint64_t address; /* 0: the call is no client's */
	uint64_t principal; /* 0: nobody is signed in */
};
uint64_t caller_address(const struct address *);
/* `site` is a number of the site, since ids of users are of a site. */
uint64_t caller_principal(const char *id, uint64_t site);

#endif
