/* addresses.h - takes addresses out of a value that a field of Portable Text refuses. */
#ifndef HTML_ADDRESSES_H
#define HTML_ADDRESSES_H

#include <jansson.h>

/* Removes each member of the blocks that stet_block_address_good refuses, and pictures and players
 * that have no address then. */
void addresses_clean(json_t *blocks);

#endif
