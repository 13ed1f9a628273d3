/*
 * settings.h - what a site says of itself (its title, its time zone, how many posts a page has):
 * the service of the settings module.
 */
#ifndef STET_SETTINGS_H
#define STET_SETTINGS_H

#include <stet/call.h>

#define STET_SETTINGS_1 "settings/1"
struct stet_settings_1 {
	/* All that are set, by the names of the tools (`title`), as they are stored: media
	 * references are not resolved. Owned by the call. */
	enum stet_status (*get)(struct stet_call *, const json_t **out);
	/* Set them, for setup and importers, who check rights and lengths; NULL leaves one as it
	 * is,
	 * "" clears it. Others go through the op settings_update. */
	enum stet_status (*set_title)(
	    struct stet_call *, struct stet_tx *, const char *title, const char *tagline);
	/* New functions go here, and nowhere else. */
};

#endif
