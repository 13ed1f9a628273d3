/* term.c - terms in the database: finds and loads them, and writes them as JSON. */
#include "taxonomies.h"

#define HAS STET_REQUIRED

const struct stet_member term_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "name", STET_STRING, HAS, .about = "Name of the taxonomy" },
	{ "slug", STET_STRING, HAS },
	{ "label", STET_STRING, HAS },
	{ "parentId", STET_STRING, HAS | STET_NULLABLE,
	    .about = "translationGroup of the parent; null at the top" },
	{ "description", STET_STRING },
	{ "locale", STET_STRING, HAS },
	{ "translationGroup", STET_STRING, HAS, .about = "Shared by all locales of a term" },
	{ "count", STET_INTEGER, .about = "Published items that have it" },
	{ "children", STET_ARRAY, .about = "Terms below it, in order" },
	{ 0 },
};
const struct stet_member term_out[] = {
	{ "term", STET_OBJECT, HAS, .of = term_shape },
	{ 0 },
};

void
term_load(struct stet_rows *rows, struct term *t)
{
	*t = (struct term){
		.id = stet_col_dup(rows, 0),
		.taxonomy = stet_col_dup(rows, 1),
		.slug = stet_col_dup(rows, 2),
		.label = stet_col_dup(rows, 3),
		.description = stet_col_dup(rows, 4),
		.locale = stet_col_dup(rows, 5),
		.group = stet_col_dup(rows, 6),
		.parent = stet_col_dup(rows, 7),
		.position = stet_col_int(rows, 8),
	};
}

void
term_open(struct stet_json *out, const char *key, const struct term *t)
{
	stet_object(out, key);
	stet_put_str(out, "id", t->id);
	stet_put_str(out, "name", t->taxonomy);
	stet_put_str(out, "slug", t->slug);
	stet_put_str(out, "label", t->label);
	stet_put_str(out, "parentId", *t->parent != '\0' ? t->parent : NULL);
	if (t->description != NULL)
		stet_put_str(out, "description", t->description);
	stet_put_str(out, "locale", t->locale);
	stet_put_str(out, "translationGroup", t->group);
}

void
term_reply(struct stet_call *call, const struct term *t)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	term_open(out, "term", t);
	stet_close(out);
	stet_close(out);
}

static enum stet_status
load_first(struct stet_rows *rows, struct term *t, bool *found)
{
	*found = stet_row(rows);
	if (*found)
		term_load(rows, t);
	return stet_rows_end(rows);
}

enum stet_status
has_row(struct stet_call *call, bool *found, const char *sql, const struct stet_val *v, size_t n)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, sql, v, n));
	*found = stet_row(&rows);
	return stet_rows_end(&rows);
}

enum stet_status
term_by_id(struct stet_call *call, const char *id, struct term *t, bool *found)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " TERM_COLUMNS " FROM term AS t WHERE t.id = ?1" TERM_LIVES, STET_ARGS(id)));
	STET_TRY(load_first(&rows, t, found));
	if (*found)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT " TERM_COLUMNS " FROM term AS t WHERE t.translation_group = ?1" TERM_LIVES
	    " ORDER BY t.locale LIMIT 1",
	    STET_ARGS(id)));
	return load_first(&rows, t, found);
}

static enum stet_status
find(struct stet_call *call, const char *locale, struct term *t)
{
	const char *taxonomy = stet_arg(call, "taxonomy"), *slug = stet_arg(call, "termSlug");
	struct stet_rows rows;
	bool found;

	if (locale != NULL)
		STET_TRY(stet_query(call, &rows,
		    "SELECT " TERM_COLUMNS
		    " FROM term AS t WHERE t.taxonomy = ?1 AND t.slug = ?2 AND t.locale = ?3" TERM_LIVES,
		    STET_ARGS(taxonomy, slug, locale)));
	else
		STET_TRY(stet_query(call, &rows,
		    "SELECT " TERM_COLUMNS
		    " FROM term AS t WHERE t.taxonomy = ?1 AND t.slug = ?2" TERM_LIVES
		    " ORDER BY t.locale LIMIT 1",
		    STET_ARGS(taxonomy, slug)));
	STET_TRY(load_first(&rows, t, &found));
	if (found)
		return STET_OK;
	return stet_fail(
	    call, STET_NOT_FOUND, NULL, "Term '%s' not found in taxonomy '%s'", slug, taxonomy);
}

enum stet_status
term_find(struct stet_call *call, struct term *t)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));

	STET_TRY(stet_issues(call));
	return find(call, locale, t);
}

enum stet_status
term_find_any(struct stet_call *call, struct term *t)
{
	return find(call, NULL, t);
}

/* ---- lists of values ---- */

size_t
add_texts(struct stet_call *call, struct stet_sql *sql, const json_t *texts, size_t from)
{
	size_t left = json_array_size(texts) - from, n = left < LIST_MAX ? left : LIST_MAX;
	struct stet_val *v = stet_alloc(call, (n + 1) * sizeof(*v));

	for (size_t i = 0; i < n; i++)
		v[i] = stet_val_str(json_string_value(json_array_get(texts, from + i)));
	stet_sql_list(sql, v, n);
	return n;
}

struct stet_terms *
terms_new(struct stet_call *call, size_t sets)
{
	struct stet_terms *terms;

	return stet_alloc(call, sizeof(*terms) + sets * sizeof(terms->set[0]));
}
