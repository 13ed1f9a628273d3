/* probe.h - a request to a site's own URL: who answers there, and through what? */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "conf/conf.h"

struct probe_finding {
	char *text, *advice; /* to be freed; advice may be NULL */
};

/* Ask. true: this very site answers, and findings are about proxies on the way. false: it does not,
 * and the first finding says who does. At most PROBE_FINDINGS, the others are zero. */
#define PROBE_FINDINGS 2
bool probe_site(
    const struct conf *, const struct conf_site *, struct probe_finding[PROBE_FINDINGS]);

#endif
