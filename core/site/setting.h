/* setting.h - the settings of a module on a site. */
#ifndef CORE_SITE_SETTING_H
#define CORE_SITE_SETTING_H

#include "call/call.h"

/* The settings of one module: stored values that still fit, else fallbacks. Owned by the
 * caller. */
enum stet_status setting_read(struct stet_call *, const struct loaded *, json_t **out);

#endif
