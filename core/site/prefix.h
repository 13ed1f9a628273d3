/* prefix.h - tests that a plugin's tables cannot be confused with others of the site. */
#ifndef CORE_SITE_PREFIX_H
#define CORE_SITE_PREFIX_H

#include "call/loaded.h"
#include <stet/status.h>

struct stet_call;

/* Fails with CONFLICT if the plugin's tables could have the names of another plugin's that is or
 * was enabled on this site, or of a table of stet. Bundled modules are not tested. */
enum stet_status prefix_check(struct stet_call *, const struct loaded *);

#endif
