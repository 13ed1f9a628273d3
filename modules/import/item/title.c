/* title.c - sets title and tagline of the site to those of a source. */
#include "item/title.h"
#include "read/text.h"
#include <stet/settings.h>
#include <string.h>

#define TITLE_MOST 200 /* characters */
#define TAGLINE_MOST 500

struct title {
	const char *title, *tagline; /* NULL: it stays */
};

static enum stet_status
set_title(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	const struct title *t = arg;

	return settings->set_title(call, tx, t->title, t->tagline);
}

static bool
is_set(const json_t *now, const char *member)
{
	return json_string_length(json_object_get(now, member)) > 0;
}

enum stet_status
title_take(struct stet_call *call, const char *title, const char *tagline, bool keep, json_t *set)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	struct title t = { 0 };
	const json_t *now;

	if (settings == NULL || settings->set_title == NULL)
		return STET_OK;
	STET_TRY(stet_require(call, "settings:manage"));
	STET_TRY(settings->get(call, &now));
	if (*title != '\0' && !(keep && is_set(now, "title")))
		t.title = text_cut(call, text_decode(call, title), TITLE_MOST);
	if (*tagline != '\0' && !(keep && is_set(now, "tagline")))
		t.tagline = text_cut(call, text_decode(call, tagline), TAGLINE_MOST);
	if (t.title == NULL && t.tagline == NULL)
		return STET_OK;
	STET_TRY(stet_write_lane(call, set_title, &t));
	if (t.title != NULL)
		(void)json_array_append_new(set, json_string("title"));
	if (t.tagline != NULL)
		(void)json_array_append_new(set, json_string("tagline"));
	return STET_OK;
}
