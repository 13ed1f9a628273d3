/*
 * settings.h - the service of the settings module: general settings of a site, such as its
 * title, its time zone and the number of posts on a page.
 */
#ifndef STET_SETTINGS_H
#define STET_SETTINGS_H

#include <stet/call.h>

#define STET_SETTINGS_1 "settings/1"
struct stet_settings_1 {
	/* All settings that are set, by their names in tools (`title`), as stored: media
	 * references are not resolved. Owned by the call. */
	enum stet_status (*get)(struct stet_call *, const json_t **out);
	/* Sets the title and the tagline; for setup and importers, which must check rights and
	 * lengths themselves. NULL leaves a setting as it is, "" removes it. Other settings are
	 * set through the op settings_update. */
	enum stet_status (*set_title)(
	    struct stet_call *, struct stet_tx *, const char *title, const char *tagline);
	/* Removes a setting, also a number, which the op cannot; the caller must check rights. */
	enum stet_status (*clear)(struct stet_call *, struct stet_tx *, const char *name);
	/* New functions go here, and nowhere else. */
};

/* Returns in *out a text setting, owned by the call; NULL: it is not set, or the module is off. */
static inline enum stet_status
stet_setting_text(struct stet_call *call, const char *name, const char **out)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	const json_t *values = NULL;
	enum stet_status status = settings != NULL ? settings->get(call, &values) : STET_OK;

	*out = json_string_value(json_object_get(values, name));
	return status;
}

/* The address of the site that people read, without a slash at its end: the setting `url`, or else
 * the base URL of the daemon. Owned by the call. */
STET_API STET_MUST enum stet_status stet_site_address(struct stet_call *, const char **out);

#endif
