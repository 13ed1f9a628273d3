/* fetch.h - outgoing HTTP requests (stet_fetch): what the core itself needs of them. */
#ifndef CORE_FETCH_H
#define CORE_FETCH_H

#include "http/address.h"

/* Returns true if the address is a public one, which may be requested without an entry in the
 * configuration (fetch-allow). */
bool fetch_is_public(const struct address *);

#endif
