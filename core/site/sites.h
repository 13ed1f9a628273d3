/* sites.h - all sites of the process. */
#ifndef CORE_SITE_SITES_H
#define CORE_SITE_SITES_H

#include "call/site.h"

struct conf;

/* All sites of the daemon (or the one of a command). */
struct site *sites_find(const char *host); /* by Host; "*" answers for the rest; NULL: none */
struct site *sites_named(const char *name);
/* For each, with the list held: fn asks little, and calls nothing that opens or closes sites. */
void sites_each(void (*fn)(struct site *, void *), void *arg);
/* Open, close and change sites to match the configuration. A site that cannot be opened is logged,
 * and answers 503 until the next SIGHUP. On any thread, one at a time; the sites that there were
 * serve meanwhile. */
void sites_apply(const struct conf *, bool daemon);
/* Leave no log to recover where anything was written, as far as time goes (clock_monotonic). After
 * writer_stop. */
void sites_settle(int64_t deadline);
void sites_close(void);

#endif
