/*
 * probe.h - sends a request to a site's own URL to find out who answers there, and which proxies
 * are in between.
 */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "conf/conf.h"

struct probe_finding {
	char *text, *advice; /* to be freed; advice may be NULL */
};

/* Returns true if this very site answers; findings are then about proxies. Otherwise the first
 * finding says who answers instead. At most PROBE_FINDINGS are set; the others are zero. */
#define PROBE_FINDINGS 2
bool probe_site(
    const struct conf *, const struct conf_site *, struct probe_finding[PROBE_FINDINGS]);

#endif
