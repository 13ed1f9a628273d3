/* credit.c - authors of a source become bylines: of users, or of guests. */
#include "item/credit.h"
#include "state/map.h"
#include <stet/bylines.h>

/* The name that the export has for the author. */
static enum stet_status
name_of(struct stet_call *call, const struct run *run, const char *login, const char **name)
{
	STET_TRY(map_get(call, run, MAP_NAME, login, name));
	if (*name == NULL || **name == '\0')
		*name = login;
	return STET_OK;
}

enum stet_status
credit_of(struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *login,
    const char *locale, const char **id)
{
	const struct stet_bylines_1 *bylines = stet_service(call, STET_BYLINES_1);
	const char *key = stet_printf(call, "%s" MAP_SEP "%s", locale, login);
	struct stet_byline_person person = { .slug = login, .locale = locale };

	*id = NULL;
	if (bylines == NULL)
		return STET_OK;
	STET_TRY(map_get(call, run, MAP_AUTHOR, key, id));
	if (*id != NULL)
		return STET_OK;
	person.user_id = json_string_value(json_object_get(run->authors, login));
	STET_TRY(name_of(call, run, login, &person.name));
	STET_TRY(bylines->person(call, tx, &person, sizeof(person), id));
	return map_put(call, tx, run, MAP_AUTHOR, key, *id);
}

enum stet_status
credit_entry(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *entry, json_t *body)
{
	const json_t *credits = entry->credits, *credit, *role;
	json_t *user;
	const char *locale = entry->locale;
	const char *login = entry->author, *id = NULL;
	json_t *bylines = stet_json_own(call, json_array());
	size_t i;

	if (credits == NULL && login != NULL)
		STET_TRY(credit_of(call, tx, run, login, locale, &id));
	if (id != NULL)
		(void)json_array_append_new(bylines, json_pack("{ss}", "bylineId", id));
	json_array_foreach(credits, i, credit)
	{
		STET_TRY(credit_of(call, tx, run,
		    json_string_value(json_object_get(credit, "slug")), locale, &id));
		role = json_object_get(credit, "role");
		if (id != NULL)
			(void)json_array_append_new(
			    bylines, json_pack("{ss sO*}", "bylineId", id, "roleLabel", role));
	}
	entry->credited = json_array_size(bylines) > 0;
	if (entry->credited)
		(void)json_object_set(body, "bylines", bylines);
	user = login != NULL ? json_object_get(run->authors, login) : NULL;
	if (json_is_string(user)) /* and not null: credited, but the author is the importer */
		(void)json_object_set(body, "authorId", user);
	return STET_OK;
}
