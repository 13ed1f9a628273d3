/* sites.h - the list of all sites of the process. */
#ifndef CORE_SITE_SITES_H
#define CORE_SITE_SITES_H

#include "call/site.h"

struct conf;

/* All sites of the daemon (or the one of a command). */
/* Returns the site for a Host header; "*" matches all other names. NULL: none. */
struct site *sites_find(const char *host);
struct site *sites_named(const char *name);
/* Calls fn for each site while the list is locked: fn must not open or close sites, nor block. */
void sites_each(void (*fn)(struct site *, void *), void *arg);
/* Opens, closes and changes sites to match the configuration. A site that cannot be opened is
 * logged and answers 503 until the next SIGHUP. Any thread, one at a time; existing sites serve
 * meanwhile. */
void sites_apply(const struct conf *, bool daemon);
/* Returns true if a site could not be opened. */
bool sites_failed(void);
/* After writer_stop: empties the WAL of each site that was written to, until the deadline
 * (clock_monotonic), so that the next start has nothing to recover. */
void sites_settle(int64_t deadline);
void sites_close(void);

#endif
