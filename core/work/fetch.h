/* fetch.h - outgoing HTTP (stet_fetch): the core's own part. */
#ifndef CORE_FETCH_H
#define CORE_FETCH_H

#include "http/address.h"

/* Makes libcurl ready for this process; to be called before libcurl is, by any thread. */
void fetch_library(void);
/* May everybody reach this address, so that it may be asked without a word in the configuration? */
bool fetch_is_public(const struct address *);

#endif
