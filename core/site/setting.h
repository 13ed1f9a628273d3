/* setting.h - the settings of a module on a site. */
#ifndef CORE_SITE_SETTING_H
#define CORE_SITE_SETTING_H

#include "call/call.h"

/* Finds a setting that the module declares. */
bool setting_find(const struct loaded *, const char *name, struct stet_setting_def *out);
/* Reads the settings of one module: stored values that are still valid, otherwise the defaults.
 * Owned by the caller. */
enum stet_status setting_read(struct stet_call *, const struct loaded *, json_t **out);

#endif
