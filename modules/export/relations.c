/* relations.c - the credits, translations and terms of an item. */
#include "leaving.h"
#include <stet/bylines.h>
#include <stet/taxonomies.h>
#include <string.h>

/* ---- custom fields ---- */

void
leaving_meta(struct leaving *l, const char *key, const char *value)
{
	(void)json_array_append_new(l->meta, json_string(key));
	(void)json_array_append_new(l->meta, json_string(value));
}

/* ---- credits ---- */

enum stet_status
leaving_credits(struct stet_call *call, struct leaving *l)
{
	const struct stet_bylines_1 *bylines = stet_service(call, STET_BYLINES_1);
	const struct stet_credited item = { l->id, l->text[C_LOCALE], l->text[C_AUTHOR] };
	const struct stet_table table = { &item, 1, sizeof(item) };
	struct stet_byline_page *page = NULL;
	struct stet_json *out = stet_json_new(call);
	const json_t *credit;
	json_t *read;
	size_t len, i;

	l->credits = stet_json_own(call, json_array());
	if (bylines == NULL)
		return STET_OK;
	STET_TRY(bylines->read(call, l->collection->slug, &table, &page));
	stet_object(out, NULL);
	bylines->put(out, page, 0);
	stet_close(out);
	read = stet_json_own(call, json_loads(stet_json_text(out, &len), 0, NULL));
	json_array_foreach(json_object_get(read, "bylines"), i, credit)
	{
		const json_t *byline = json_object_get(credit, "byline");

		(void)json_array_append_new(
		    l->credits, json_pack("{ss ss sO*}", "slug", export_text(byline, "slug"),
				    "name", export_text(byline, "displayName"), "role",
				    json_is_string(json_object_get(credit, "roleLabel"))
					? json_object_get(credit, "roleLabel")
					: NULL));
	}
	return STET_OK;
}

/* Looks up the login of a user, which is the email address; "": there is no such user. */
static enum stet_status
login_of(struct stet_call *call, struct export *x, const char *user, const char **login)
{
	json_t *reply;
	enum stet_status status;

	*login = json_string_value(json_object_get(x->logins, user));
	if (*login != NULL)
		return STET_OK;
	status = stet_invoke_json(call, "admin_user_get", json_pack("{ss}", "id", user), &reply);
	if (status != STET_OK && stet_error_status(call) != STET_NOT_FOUND)
		return status;
	stet_error_clear(call);
	*login = status == STET_OK ? export_text(json_object_get(reply, "item"), "email") : "";
	if (json_object_size(x->logins) > 1000)
		(void)json_object_clear(x->logins);
	(void)json_object_set_new(x->logins, user, json_string(*login));
	return STET_OK;
}

/* The creator is the first byline, or else the author. Credits that this does not express go to
 * l->own. */
enum stet_status
leaving_creator(struct stet_call *call, struct leaving *l, const char **creator)
{
	const json_t *first = json_array_get(l->credits, 0);

	*creator = export_text(first, "slug");
	if (first == NULL && l->text[C_AUTHOR] != NULL)
		STET_TRY(login_of(call, l->x, l->text[C_AUTHOR], creator));
	if (json_array_size(l->credits) != (**creator != '\0') ||
	    json_object_get(first, "role") != NULL)
		(void)json_object_set(l->own, "credits", l->credits);
	return STET_OK;
}

/* ---- translations ---- */

enum stet_status
leaving_variants(struct stet_call *call, struct leaving *l)
{
	struct stet_sql *sql = stet_sql_new(call);
	json_t *others = stet_json_own(call, json_array());
	struct stet_rows rows;
	const char *text = "", *type;
	size_t count, made = 0;

	if (!l->x->locales)
		return STET_OK;
	stet_sql_add(sql, "SELECT id, locale FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, l->collection->slug);
	stet_sql_add(sql, " WHERE translation_group = ");
	stet_sql_bind(sql, stet_val_str(l->text[C_GROUP]));
	stet_sql_add(sql, " ORDER BY locale");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		(void)json_array_append_new(others, json_string(stet_col_str(&rows, 0)));
		(void)json_array_append_new(others, json_string(stet_col_str(&rows, 1)));
	}
	STET_TRY(stet_rows_end(&rows));
	count = json_array_size(others) / 2;
	for (size_t i = 0; i < count; i++) {
		const char *locale = json_string_value(json_array_get(others, 2 * i + 1));
		int64_t number;

		STET_TRY(number_of_item(call, l->x, l->collection->slug,
		    json_string_value(json_array_get(others, 2 * i)), &number, &type));
		if (number == 0)
			continue;
		text = stet_printf(call, "%ss:%zu:\"%s\";i:%lld;", text, strlen(locale), locale,
		    (long long)number);
		made++;
	}
	l->translated = made > 1;
	if (l->translated)
		leaving_meta(l, "_translations", stet_printf(call, "a:%zu:{%s}", made, text));
	return STET_OK;
}

/* ---- terms ---- */

bool
taxonomy_is_for(const json_t *taxonomy, const char *collection)
{
	const json_t *only = json_object_get(taxonomy, "collections"), *slug;
	size_t i;

	json_array_foreach(only, i, slug)
	{
		if (strcmp(json_string_value(slug), collection) == 0)
			return true;
	}
	return json_array_size(only) == 0;
}

enum stet_status
leaving_terms(struct stet_call *call, struct leaving *l, const char *taxonomy, json_t **terms)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	struct stet_json *out = stet_json_new(call);
	json_t *read, *term;
	size_t len, i;

	*terms = stet_json_own(call, json_array());
	STET_TRY(taxonomies->put(
	    call, out, l->collection->slug, l->text[C_GROUP], taxonomy, l->text[C_LOCALE]));
	read = stet_json_own(call, json_loads(stet_json_text(out, &len), 0, NULL));
	json_array_foreach(json_object_get(read, "terms"), i, term)
	{
		/* A term that falls back to the default locale belongs to another translation. */
		if (!l->translated || strcmp(export_text(term, "locale"), l->text[C_LOCALE]) == 0)
			(void)json_array_append(*terms, term);
	}
	return STET_OK;
}

static enum stet_status
put_labels_of(struct stet_call *call, struct leaving *l, const char *taxonomy)
{
	json_t *terms, *term;
	size_t i;

	STET_TRY(leaving_terms(call, l, taxonomy, &terms));
	json_array_foreach(terms, i, term)
	    export_label(l->x, strcmp(taxonomy, "tag") == 0 ? "post_tag" : taxonomy,
		export_text(term, "slug"), escape_entities(call, export_text(term, "label")));
	return STET_OK;
}

enum stet_status
leaving_labels(struct stet_call *call, struct leaving *l)
{
	const json_t *taxonomy, *credit;
	const char *slug;
	size_t i;

	json_array_foreach(l->x->taxonomies, i, taxonomy)
	{
		if (taxonomy_is_for(taxonomy, l->collection->slug))
			STET_TRY(put_labels_of(call, l, export_text(taxonomy, "name")));
	}
	if (l->x->locales)
		export_label(l->x, "language", l->text[C_LOCALE], l->text[C_LOCALE]);
	json_array_foreach(l->credits, i, credit)
	{
		slug = export_text(credit, "slug");
		if (json_array_size(l->credits) > 1)
			export_label(l->x, "author", stet_printf(call, "cap-%s", slug), slug);
	}
	return STET_OK;
}
