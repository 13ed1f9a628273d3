/* prefix.h - may a plugin have tables beside those that the site has? */
#ifndef CORE_SITE_PREFIX_H
#define CORE_SITE_PREFIX_H

#include "call/loaded.h"
#include <stet/status.h>

struct stet_call;

/* CONFLICT when the names of its tables could be those of another plugin that is or was enabled on
 * this site, or of a table that stet has made. Bundled modules are not asked. */
enum stet_status prefix_check(struct stet_call *, const struct loaded *);

#endif
