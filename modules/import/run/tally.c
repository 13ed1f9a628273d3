/*
 * tally.c - counts in the database what a run has brought, and holds it against what was read: so a
 * mistake of the accounts, which are made while items are written, cannot hide a loss. The map of
 * the run says which item here belongs to one of the source. A dry run has rolled its items back,
 * so it counts those of its map.
 */
#include "run/tally.h"
#include "state/account.h"
#include "state/map.h"
#include <stdlib.h>
#include <stet/comments.h>
#include <stet/content.h>
#include <stet/taxonomies.h>
#include <string.h>

#define PAGE 200 /* rows of the map at once */

struct tally {
	struct run *run;
	char *after; /* the last row of the map that was read; malloc */
	size_t count; /* rows of the last page */
	json_t *items; /* {collection: number of items that are here} */
	json_t *terms_read, *terms; /* {taxonomy: number}: wanted, and here */
	int64_t comments, assigned;
};

static void
remember(struct tally *t, const char *source)
{
	free(t->after);
	if ((t->after = strdup(source)) == NULL)
		stet_out_of_memory();
	t->count++;
}

/* ---- items ---- */

/* Reads the next rows: {collection: [id]}. */
static enum stet_status
read_page(struct stet_call *call, struct tally *t, json_t *page)
{
	struct stet_rows rows;

	t->count = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT source, value FROM import_map WHERE run = ?1 AND kind = ?2 AND source > ?3"
	    " ORDER BY source LIMIT ?4",
	    STET_ARGS(t->run->id, MAP_ENTRY, t->after, PAGE)));
	while (stet_row(&rows)) {
		const char *value = stet_col_str(&rows, 1), *sep = strchr(value, *MAP_SEP);
		char *collection;

		remember(t, stet_col_str(&rows, 0));
		if (sep == NULL)
			continue;
		collection = stet_strndup(call, value, (size_t)(sep - value));
		if (json_object_get(page, collection) == NULL)
			(void)json_object_set_new(page, collection, json_array());
		(void)json_array_append_new(
		    json_object_get(page, collection), json_string(sep + 1));
	}
	return stet_rows_end(&rows);
}

static enum stet_status
count_items(struct stet_call *call, const char *collection, const char *const *ids, size_t count,
    int64_t *n)
{
	json_t *here = stet_json_own(call, json_object());
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id IN ");
	stet_sql_texts(sql, ids, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		(void)json_object_set_new(here, stet_col_str(&rows, 0), json_true());
	STET_TRY(stet_rows_end(&rows));
	*n = 0;
	/* Several items of the source may have become one here by an earlier import. */
	for (size_t i = 0; i < count; i++)
		*n += json_object_get(here, ids[i]) != NULL;
	return STET_OK;
}

static enum stet_status
count_collection(
    struct stet_call *call, struct tally *t, const char *collection, const json_t *list)
{
	const struct stet_comments_1 *comments = stet_service(call, STET_COMMENTS_1);
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	size_t count = json_array_size(list);
	const char **ids = stet_alloc(call, (count + 1) * sizeof(*ids));
	int64_t n = 0;

	for (size_t i = 0; i < count; i++)
		ids[i] = json_string_value(json_array_get(list, i));
	STET_TRY(count_items(call, collection, ids, count, &n));
	report_add(t->items, collection, n);
	if (comments != NULL) {
		STET_TRY(comments->count(call, collection, ids, count, &n));
		t->comments += n;
	}
	if (taxonomies != NULL) {
		STET_TRY(taxonomies->assigned(call, collection, ids, count, &n));
		t->assigned += n;
	}
	return STET_OK;
}

static enum stet_status
item_page(struct stet_call *call, void *arg)
{
	struct tally *t = arg;
	json_t *page = stet_json_own(call, json_object()), *list;
	const char *collection;

	STET_TRY(read_page(call, t, page));
	json_object_foreach(page, collection, list)
	{
		if (t->run->tries)
			report_add(t->items, collection, (int64_t)json_array_size(list));
		else
			STET_TRY(count_collection(call, t, collection, list));
	}
	return STET_OK;
}

/* The numbers of items for a collection of which the report says that they are not here. */
static enum stet_status
told_of(struct stet_call *call, const struct run *run, const char *collection,
    struct account_counted *n)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(*), count(*) FILTER (WHERE value = ?5) FROM import_map"
	    " WHERE run = ?1 AND kind = ?2 AND substr(source, 1, ?3) = ?4",
	    STET_ARGS(run->id, MAP_TOLD, (int64_t)strlen(collection) + 1,
		stet_printf(call, "%s" MAP_SEP, collection), MAP_GONE)));
	n->left = stet_col_int(&rows, 1);
	n->told = stet_col_int(&rows, 0) - n->left;
	return stet_rows_end(&rows);
}

/* ---- terms ---- */

static enum stet_status
count_term(struct stet_call *call, struct tally *t, const char *source)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	char *name = stet_strdup(call, source), *rest;
	const char *taxonomy = strtok_r(name, MAP_SEP, &rest);
	const char *slug = strtok_r(NULL, MAP_SEP, &rest), *locale = strtok_r(NULL, MAP_SEP, &rest);
	const char *definition = json_string_value(
	    json_object_get(json_object_get(t->run->definitions, taxonomy), "name"));
	const char *id = NULL, *group;

	/* Without a definition here its terms are left. */
	if (taxonomies == NULL || definition == NULL || locale == NULL)
		return STET_OK;
	report_add(t->terms_read, taxonomy, 1);
	if (t->run->tries)
		id = json_object_get(t->run->unmade, source) == NULL ? "" : NULL;
	else
		STET_TRY(taxonomies->by_slug(call, definition, slug, locale, &id, &group));
	report_add(t->terms, taxonomy, id != NULL ? 1 : 0);
	return STET_OK;
}

static enum stet_status
term_page(struct stet_call *call, void *arg)
{
	struct tally *t = arg;
	json_t *page = stet_json_own(call, json_array()), *source;
	struct stet_rows rows;
	size_t i;

	t->count = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT source FROM import_map WHERE run = ?1 AND kind = ?2 AND source > ?3"
	    " ORDER BY source LIMIT ?4",
	    STET_ARGS(t->run->id, MAP_WANTED, t->after, PAGE)));
	while (stet_row(&rows)) {
		remember(t, stet_col_str(&rows, 0));
		(void)json_array_append_new(page, json_string(t->after));
	}
	STET_TRY(stet_rows_end(&rows));
	json_array_foreach(page, i, source)
	    STET_TRY(count_term(call, t, json_string_value(source)));
	return STET_OK;
}

/* ---- all ---- */

static void
enter(const struct tally *t, const char *what, const char *name, struct account_counted n)
{
	account_count(t->run->report.rest,
	    stet_printf(t->run->call, "%s%s%s", what, *name != '\0' ? " " : "", name), &n);
}

/* Of comments and terms, items that were here before may have more than the run has brought. */
static enum stet_status
enter_all(struct stet_call *call, const struct tally *t)
{
	const json_t *account = t->run->report.account;
	int64_t comments = account_stored(account, ACCOUNT_COMMENTS);
	int64_t assigned = account_stored(account, ACCOUNT_TERMS);
	bool tries = t->run->tries;
	const char *name;
	json_t *n;

	json_object_foreach(t->run->expected, name, n)
	{
		struct account_counted items = { .read = json_integer_value(n),
			.here = json_integer_value(json_object_get(t->items, name)) };

		STET_TRY(told_of(call, t->run, name, &items));
		enter(t, "items", name, items);
	}
	json_object_foreach(t->terms_read, name, n) enter(t, "terms", name,
	    (struct account_counted){
		json_integer_value(n), json_integer_value(json_object_get(t->terms, name)), 0, 0 });
	enter(t, "assignments", "",
	    (struct account_counted){ assigned, tries ? assigned : t->assigned, 0, 0 });
	enter(t, "comments", "",
	    (struct account_counted){ comments, tries ? comments : t->comments, 0, 0 });
	return STET_OK;
}

static enum stet_status
pages(struct tally *t, enum stet_status (*page)(struct stet_call *, void *))
{
	enum stet_status status;

	free(t->after);
	if ((t->after = strdup("")) == NULL)
		stet_out_of_memory();
	do
		status = stet_scope(t->run->call, page, t);
	while (status == STET_OK && t->count == PAGE);
	return status;
}

enum stet_status
tally(struct run *run)
{
	struct stet_call *call = run->call;
	struct tally t = { .run = run,
		.items = stet_json_own(call, json_object()),
		.terms_read = stet_json_own(call, json_object()),
		.terms = stet_json_own(call, json_object()) };
	enum stet_status status = pages(&t, item_page);

	if (status == STET_OK && run->taxonomies)
		status = pages(&t, term_page);
	if (status == STET_OK)
		status = enter_all(call, &t);
	free(t.after);
	return status;
}
