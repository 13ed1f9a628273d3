/* state.c - the state of what has no revisions, read by the ops that show it. What releases change
 * too is read by their module. */
#include "history.h"
#include <stdint.h>
#include <stet/content.h>
#include <string.h>

const char *
text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

const struct stet_releases_1 *
releases(struct stet_call *call)
{
	return stet_service(call, STET_RELEASES_1);
}

struct stet_release_part
part_of(const struct subject *s, const json_t *groups)
{
	return (struct stet_release_part){
		.kind = s->kind == ITEM   ? "item"
			: s->kind == TERM ? "term"
			: s->kind == MENU ? "menu"
					  : "settings",
		.collection = s->kind == ITEM ? s->name : NULL,
		.item = s->kind == ITEM ? s->id : NULL,
		.name = s->kind == ITEM ? NULL : s->name,
		.slug = s->kind == TERM ? s->id : NULL,
		.locale = s->kind == ITEM ? NULL : s->locale,
		.groups = groups,
		.whole = s->deleted,
	};
}

/* Copies the members of these names, also null ones. A new reference. */
static json_t *
picked(const json_t *from, const char *const *names)
{
	json_t *out = json_object();

	for (; *names != NULL; names++)
		(void)json_object_set(out, *names, json_object_get(from, *names));
	return out;
}

/* ---- items ---- */

static const char *const item_members[] = { "id", "slug", "status", "locale", "authorId",
	"publishedAt", "scheduledAt", "unpublishAt", "liveRevisionId", "draftRevisionId", "data",
	"seo", "translationGroup", NULL };

/* The credits as a save takes them. A new reference. */
static json_t *
credits(const json_t *shown)
{
	json_t *out = json_array(), *credit;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)shown, i, credit)
	{
		const char *source = text_of(credit, "source"),
			   *id = text_of(json_object_get(credit, "byline"), "id");

		if (id == NULL || (source != NULL && strcmp(source, "inferred") == 0))
			continue;
		(void)json_array_append_new(out, json_pack("{ss ss*}", "bylineId", id, "roleLabel",
						     text_of(credit, "roleLabel")));
	}
	return out;
}

/* The ids of the item's terms by taxonomy, as a save takes them. A new reference. */
static json_t *
terms(const json_t *included, const char *id)
{
	const json_t *links = json_object_get(json_object_get(included, "links"), id);
	json_t *all = json_object_get(links, "terms");

	return json_is_object(all) ? json_incref(all) : json_object();
}

enum stet_status
state_version(struct stet_call *call, const struct subject *s, int64_t *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*out = 0;
	stet_sql_add(sql, "SELECT version FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, s->name);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(s->id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
item_state(struct stet_call *call, struct subject *s, const json_t **out)
{
	json_t *answer, *item, *state;
	int64_t version;

	*out = NULL;
	STET_TRY(stet_invoke_found(call, "content_read",
	    json_pack("{ss ss ss* ss}", "collection", s->name, "id", s->id, "locale", s->locale,
		"include", "terms"),
	    &answer));
	if (answer == NULL)
		return STET_OK;
	item = json_object_get(answer, "item");
	state = stet_json_own(call, picked(item, item_members));
	(void)json_object_set_new(state, "bylines", credits(json_object_get(item, "bylines")));
	(void)json_object_set_new(
	    state, "taxonomies", terms(json_object_get(answer, "included"), text_of(item, "id")));
	s->id = text_of(state, "id");
	s->locale = NULL;
	STET_TRY(state_version(call, s, &version));
	(void)json_object_set_new(state, "version", json_integer(version));
	*out = state;
	return STET_OK;
}

/* ---- what releases do not change ---- */

static enum stet_status
taxonomy_state(struct stet_call *call, struct subject *s, const json_t **out)
{
	static const char *const members[] = { "label", "labelSingular", "hierarchical",
		"collections", NULL };
	json_t *answer, *it;

	*out = NULL;
	STET_TRY(stet_invoke_found(call, "taxonomy_get",
	    json_pack("{ss ss*}", "name", s->name, "locale", s->locale), &answer));
	it = json_object_get(answer, "taxonomy");
	if (it == NULL || (s->locale != NULL && strcmp(text_of(it, "locale"), s->locale) != 0))
		return STET_OK;
	s->locale = text_of(it, "locale");
	*out = stet_json_own(call, picked(it, members));
	return STET_OK;
}

static enum stet_status
area_state(struct stet_call *call, struct subject *s, const json_t **out)
{
	static const char *const members[] = { "label", "description", "widgets", NULL };
	json_t *answer;

	STET_TRY(stet_invoke_found(
	    call, "widget_area_get", json_pack("{ss}", "name", s->name), &answer));
	*out = answer != NULL ? stet_json_own(call, picked(answer, members)) : NULL;
	return STET_OK;
}

static enum stet_status
byline_state(struct stet_call *call, struct subject *s, const json_t **out)
{
	static const char *const members[] = { "slug", "displayName", "bio", "avatarMediaId",
		"websiteUrl", "userId", "isGuest", "locale", "translationGroup", NULL };
	const json_t *it;
	json_t *answer;

	STET_TRY(stet_invoke_found(call, "byline_get", json_pack("{ss}", "id", s->id), &answer));
	it = json_object_get(answer, "id") != NULL ? answer : json_object_get(answer, "item");
	*out = it != NULL ? stet_json_own(call, picked(it, members)) : NULL;
	return STET_OK;
}

/* The locale of a menu that was named without one. */
static enum stet_status
menu_state(struct stet_call *call, struct subject *s, const json_t **out)
{
	const struct stet_release_part part = part_of(s, NULL);
	json_t *answer;

	if (s->locale == NULL) {
		STET_TRY(stet_invoke_found(
		    call, "menu_get", json_pack("{ss}", "name", s->name), &answer));
		s->locale = text_of(answer, "locale");
	}
	return releases(call)->state(call, &part, out);
}

enum stet_status
state_read(struct stet_call *call, struct subject *s, const json_t **out)
{
	const struct stet_release_part part = part_of(s, NULL);

	*out = NULL;
	switch (s->kind) {
	case ITEM:
		return item_state(call, s, out);
	case TAXONOMY:
		return taxonomy_state(call, s, out);
	case AREA:
		return area_state(call, s, out);
	case BYLINE:
		return byline_state(call, s, out);
	case MENU:
		return menu_state(call, s, out);
	case TERM:
		STET_TRY(releases(call)->state(call, &part, out));
		if (*out != NULL)
			s->locale = text_of(*out, "locale");
		return STET_OK;
	default:
		return releases(call)->state(call, &part, out);
	}
}

const json_t *
state_shown(struct stet_call *call, enum kind kind, const json_t *state)
{
	json_t *shown;

	if (state == NULL || (kind != ITEM && kind != TERM))
		return state;
	shown = stet_json_own(call, json_copy((json_t *)(uintptr_t)state));
	(void)json_object_del(shown, "version");
	(void)json_object_del(
	    shown, "items"); /* of a term: also those that the caller may not see */
	(void)json_object_del(shown, "group");
	return shown;
}
