/*
 * assign.c - the terms of items: validates, stores and deletes assignments. It implements the
 * service taxonomies/1.
 */
#include "taxonomies.h"
#include <stet/changes.h>
#include <string.h>

#define SLUG_MAX 200 /* characters */

/* Adds a term unless the set has it. */
static void
add_group(struct term_set *set, const char *group)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->group[i], group) == 0)
			return;
	set->group[set->count++] = group;
}

/* ---- terms by slug ---- */

/* Returns the valid slugs of a list. Records an issue for each invalid element, and puts "" in its
 * place: no slug is empty. */
static json_t *
slugs_of(struct stet_call *call, const char *path, const json_t *given)
{
	json_t *out = stet_json_own(call, json_array());
	const json_t *v;
	size_t i;

	if (!json_is_array(given) || json_array_size(given) > STET_TERMS_MAX) {
		stet_issue(
		    call, path, "must be an array of at most %d slugs of terms", STET_TERMS_MAX);
		return out;
	}
	json_array_foreach(given, i, v)
	{
		const char *slug = json_string_value(v);
		bool good = slug != NULL && *slug != '\0' &&
			    strlen(slug) == json_string_length(v) &&
			    stet_utf8_length(slug) <= SLUG_MAX;

		if (!good)
			stet_issue(call, stet_printf(call, "%s[%zu]", path, i),
			    "must be the slug of a term");
		json_array_append_new(out, json_string(good ? slug : ""));
	}
	return out;
}

/* Finds terms by their slugs. *out is {slug: translation group}. */
static enum stet_status
groups_by_slug(struct stet_call *call, const char *taxonomy, const char *locale,
    const json_t *slugs, json_t **out)
{
	struct stet_rows rows;

	*out = stet_json_own(call, json_object());
	for (size_t i = 0; i < json_array_size(slugs);) {
		struct stet_sql *sql = stet_sql_new(call);

		stet_sql_add(
		    sql, "SELECT t.slug, t.translation_group FROM term AS t WHERE t.taxonomy = ");
		stet_sql_bind(sql, stet_val_str(taxonomy));
		stet_sql_add(sql, " AND t.locale = ");
		stet_sql_bind(sql, stet_val_str(locale));
		stet_sql_add(sql, TERM_LIVES " AND t.slug IN ");
		i += add_texts(call, sql, slugs, i);
		STET_TRY(stet_sql_query(sql, &rows));
		while (stet_row(&rows))
			json_object_set_new(
			    *out, stet_col_str(&rows, 0), json_string(stet_col_str(&rows, 1)));
		STET_TRY(stet_rows_end(&rows));
	}
	return STET_OK;
}

/* Adds the groups of terms that are named by the id of a row or of a group. A term found by its
 * slug takes precedence; slugs cannot look like ids, which have capital letters. */
static enum stet_status
groups_by_id(struct stet_call *call, const char *taxonomy, const json_t *names, json_t *groups)
{
	json_t *ids = stet_json_own(call, json_array()), *v;
	struct stet_rows rows;
	size_t i;

	json_array_foreach(names, i, v)
	{
		if (stet_is_id(json_string_value(v)) &&
		    json_object_get(groups, json_string_value(v)) == NULL)
			json_array_append(ids, v);
	}
	for (i = 0; i < json_array_size(ids);) {
		struct stet_sql *sql = stet_sql_new(call);
		size_t n;

		stet_sql_add(
		    sql, "SELECT t.id, t.translation_group FROM term AS t WHERE t.taxonomy = ");
		stet_sql_bind(sql, stet_val_str(taxonomy));
		stet_sql_add(sql, TERM_LIVES " AND t.id IN ");
		n = add_texts(call, sql, ids, i);
		stet_sql_add(sql, " UNION ALL SELECT t.translation_group, t.translation_group"
				  " FROM term AS t WHERE t.taxonomy = ");
		stet_sql_bind(sql, stet_val_str(taxonomy));
		stet_sql_add(sql, TERM_LIVES " AND t.translation_group IN ");
		add_texts(call, sql, ids, i);
		STET_TRY(stet_sql_query(sql, &rows));
		while (stet_row(&rows))
			json_object_set_new(
			    groups, stet_col_str(&rows, 0), json_string(stet_col_str(&rows, 1)));
		STET_TRY(stet_rows_end(&rows));
		i += n;
	}
	return STET_OK;
}

static enum stet_status
check_set(struct stet_call *call, const char *path, const json_t *given, const char *locale,
    struct term_set *set)
{
	json_t *slugs = slugs_of(call, path, given), *groups, *v;
	size_t i;

	set->group = stet_alloc(call, (json_array_size(slugs) + 1) * sizeof(set->group[0]));
	STET_TRY(groups_by_slug(call, set->taxonomy, locale, slugs, &groups));
	STET_TRY(groups_by_id(call, set->taxonomy, slugs, groups));
	json_array_foreach(slugs, i, v)
	{
		const char *slug = json_string_value(v);
		const char *group = json_string_value(json_object_get(groups, slug));

		if (group != NULL)
			add_group(set, group);
		else if (*slug != '\0')
			stet_issue(call, stet_printf(call, "%s[%zu]", path, i),
			    "Unknown taxonomy term: %s='%s' (locale '%s')", set->taxonomy, slug,
			    locale);
	}
	return STET_OK;
}

static enum stet_status
check(struct stet_call *call, const char *path, const json_t *taxonomies, const char *locale,
    struct stet_terms **out)
{
	size_t n = json_object_size(taxonomies);
	const char *name;
	json_t *v;

	if (!json_is_object(taxonomies) || n > STET_TERM_SETS_MAX) {
		stet_issue(call, path,
		    "must be an object of at most %d taxonomies, each an array"
		    " of slugs",
		    STET_TERM_SETS_MAX);
		n = 0;
	}
	*out = terms_new(call, n);
	json_object_foreach(n > 0 ? (json_t *)(uintptr_t)taxonomies : NULL, name, v)
	{
		struct term_set *set = &(*out)->set[(*out)->count];

		if (!stet_is_name(name)) {
			stet_issue(call, path, "has a member that is no taxonomy");
			continue;
		}
		set->taxonomy = stet_strdup(call, name);
		(*out)->count++;
		STET_TRY(check_set(call, stet_printf(call, "%s.%s", path, name), v, locale, set));
	}
	return STET_OK;
}

/* ---- terms by id ---- */

static enum stet_status
check_term(struct stet_call *call, const char *taxonomy, const char *id, const json_t *term)
{
	const char *of = json_string_value(json_array_get(term, 0));

	if (term == NULL)
		return stet_fail(call, STET_NOT_FOUND, "termIds", "Term ID '%s' not found", id);
	if (strcmp(of, taxonomy) != 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "termIds",
		    "Term ID '%s' belongs to taxonomy '%s', not '%s'", id, of, taxonomy);
	return STET_OK;
}

static enum stet_status
terms_by_id(struct stet_call *call, const json_t *ids, json_t **out)
{
	struct stet_rows rows;

	*out = stet_json_own(call, json_object());
	for (size_t i = 0; i < json_array_size(ids);) {
		struct stet_sql *sql = stet_sql_new(call);

		stet_sql_add(sql,
		    "SELECT t.id, t.taxonomy, t.translation_group FROM term AS t WHERE t.id IN ");
		i += add_texts(call, sql, ids, i);
		stet_sql_add(sql, TERM_LIVES);
		STET_TRY(stet_sql_query(sql, &rows));
		while (stet_row(&rows))
			json_object_set_new(*out, stet_col_str(&rows, 0),
			    json_pack("[ss]", stet_col_str(&rows, 1), stet_col_str(&rows, 2)));
		STET_TRY(stet_rows_end(&rows));
	}
	return STET_OK;
}

static enum stet_status
pick(struct stet_call *call, const char *taxonomy, const json_t *ids, struct stet_terms **out)
{
	json_t *terms, *v;
	struct term_set *set;
	size_t i;

	*out = terms_new(call, 1);
	(*out)->count = 1;
	set = (*out)->set;
	set->taxonomy = taxonomy;
	set->group = stet_alloc(call, (json_array_size(ids) + 1) * sizeof(set->group[0]));
	STET_TRY(terms_by_id(call, ids, &terms));
	json_array_foreach((json_t *)(uintptr_t)ids, i, v)
	{
		const json_t *term = json_object_get(terms, json_string_value(v));

		STET_TRY(check_term(call, taxonomy, json_string_value(v), term));
		add_group(set, json_string_value(json_array_get(term, 1)));
	}
	return STET_OK;
}

/* ---- storing ---- */

/* Reads the terms of a group of items: {term: locales in which it was counted}. taxonomy NULL: all
 * taxonomies. */
static enum stet_status
assigned(struct stet_call *call, const char *collection, const char *entry_group,
    const char *taxonomy, json_t **out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*out = stet_json_own(call, json_object());
	stet_sql_add(sql, "SELECT term_group, shown FROM content_term WHERE collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND entry_group = ");
	stet_sql_bind(sql, stet_val_str(entry_group));
	if (taxonomy != NULL) {
		stet_sql_add(sql, " AND taxonomy = ");
		stet_sql_bind(sql, stet_val_str(taxonomy));
	}
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		json_object_set_new(
		    *out, stet_col_str(&rows, 0), json_string(stet_col_str(&rows, 1)));
	return stet_rows_end(&rows);
}

enum stet_status
assign_take(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *entry_group, const char *term, const char *shown)
{
	STET_TRY(count_change(call, tx, term, collection, shown, ""));
	STET_TRY(items_take(call, tx, collection, entry_group, term));
	return stet_exec(call, tx,
	    "DELETE FROM content_term WHERE collection = ?1 AND entry_group = ?2"
	    " AND term_group = ?3",
	    STET_ARGS(collection, entry_group, term));
}

static enum stet_status
store_set(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *entry_group, const struct term_set *set, const char *shown, bool *added,
    bool *taken)
{
	const char *term;
	json_t *had, *v;

	STET_TRY(assigned(call, collection, entry_group, set->taxonomy, &had));
	for (size_t i = 0; i < set->count; i++) {
		if (json_object_del(had, set->group[i]) == 0)
			continue;
		STET_TRY(stet_exec(call, tx,
		    "INSERT INTO content_term (collection, entry_group, taxonomy, term_group,"
		    " shown) VALUES (?1, ?2, ?3, ?4, ?5)",
		    STET_ARGS(collection, entry_group, set->taxonomy, set->group[i], shown)));
		STET_TRY(count_change(call, tx, set->group[i], collection, "", shown));
		*added = true;
	}
	*taken = *taken || json_object_size(had) > 0;
	json_object_foreach(had, term, v)
	{
		STET_TRY(
		    assign_take(call, tx, collection, entry_group, term, json_string_value(v)));
	}
	return STET_OK;
}

static enum stet_status
read_groups(struct stet_call *call, struct stet_sql *sql, json_t **out)
{
	struct stet_rows rows;

	*out = stet_json_own(call, json_array());
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		json_array_append_new(*out, json_string(stet_col_str(&rows, 0)));
	return stet_rows_end(&rows);
}

/* Reads the terms of a group of items in the form that the change feed wants. */
static enum stet_status
groups_of(struct stet_call *call, const char *collection, const char *entry_group, json_t **out)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT a.term_group FROM content_term AS a WHERE a.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND a.entry_group = ");
	stet_sql_bind(sql, stet_val_str(entry_group));
	return read_groups(call, sql, out);
}

static enum stet_status
item_groups(struct stet_call *call, const char *collection, const char *id, json_t **out)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "SELECT a.term_group FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " AS i CROSS JOIN content_term AS a WHERE i.id = ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, " AND a.entry_group = i.translation_group AND a.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	STET_TRY(read_groups(call, sql, out));
	if (stet_writing(call))
		untagged_note(call, collection, id, json_array_size(*out) == 0);
	return STET_OK;
}

static enum stet_status
store_item(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *entry_group, const char *item, const struct stet_terms *terms)
{
	const struct stet_changes_1 *feed = stet_service(call, STET_CHANGES_1);
	bool added = false, taken = false;
	json_t *had = NULL, *has = NULL;
	const char *shown;

	if (terms->count == 0)
		return STET_OK;
	if (feed != NULL)
		STET_TRY(groups_of(call, collection, entry_group, &had));
	STET_TRY(count_shown(call, collection, entry_group, &shown));
	for (size_t i = 0; i < terms->count; i++)
		STET_TRY(store_set(
		    call, tx, collection, entry_group, &terms->set[i], shown, &added, &taken));
	if (added)
		STET_TRY(items_settle(call, tx, collection, entry_group));
	if (feed == NULL || (!added && !taken))
		return STET_OK;
	STET_TRY(groups_of(call, collection, entry_group, &has));
	return feed->retagged(call, tx, collection, entry_group, item, had, has);
}

static const char *
member(const json_t *key, const char *name)
{
	return json_string_value(json_object_get(key, name));
}

enum stet_status
assign_moved(struct stet_call *call, struct stet_tx *tx, const void *arg, const char *change,
    const json_t *key)
{
	const struct stet_changes_1 *feed = stet_service(call, STET_CHANGES_1);
	const char *collection = member(key, "collection"), *group = member(key, "entryGroup");
	json_t *had, *has, *term = json_object_get(key, "termGroup");
	size_t i = 0;
	bool known;

	(void)arg;
	if (feed == NULL || strcmp(change, "update") == 0)
		return STET_OK;
	STET_TRY(is_collection(call, collection, &known));
	if (!known && strcmp(change, "delete") == 0) /* its items were deleted with it */
		return STET_OK;
	if (!known)
		return stet_fail(call, STET_VALIDATION_ERROR, "collection",
		    "There is no collection %.100s", collection);
	STET_TRY(groups_of(call, collection, group, &has));
	had = stet_json_own(call, json_copy(has));
	while (i < json_array_size(had) && !json_equal(json_array_get(had, i), term))
		i++;
	if (strcmp(change, "delete") == 0)
		json_array_append(had, term);
	else
		json_array_remove(had, i);
	return feed->retagged(call, tx, collection, group, NULL, had, has);
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *entry_group,
    const struct stet_terms *terms)
{
	return store_item(call, tx, collection, entry_group, NULL, terms);
}

/* ---- when a term, an item or a collection is deleted ---- */

/* Returns the translation group of an item if the item is the last of the group, otherwise NULL. */
static enum stet_status
last_group(struct stet_call *call, const char *collection, const char *id, const char **group)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT i.translation_group FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " AS i WHERE i.id = ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, " AND NOT EXISTS (SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(
	    sql, " AS o WHERE o.translation_group = i.translation_group AND o.id <> i.id)");
	STET_TRY(stet_sql_query(sql, &rows));
	*group = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

enum stet_status
assign_purge(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	const char *collection = stet_entry_collection(entry)->slug, *group, *term;
	json_t *had, *v;

	STET_TRY(last_group(call, collection, stet_entry_id(entry), &group));
	if (group == NULL)
		return STET_OK;
	STET_TRY(assigned(call, collection, group, NULL, &had));
	json_object_foreach(had, term, v)
	{
		STET_TRY(assign_take(call, tx, collection, group, term, json_string_value(v)));
	}
	return STET_OK;
}

enum stet_status
assign_schema(struct stet_call *call, struct stet_tx *tx, const char *change,
    const char *collection, const char *field)
{
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	STET_TRY(stet_exec(call, tx,
	    "DELETE FROM term_count WHERE collection = ?1 AND term_group IN"
	    " (SELECT term_group FROM content_term WHERE collection = ?1)",
	    STET_ARGS(collection)));
	STET_TRY(stet_exec(
	    call, tx, "DELETE FROM term_item WHERE collection = ?1", STET_ARGS(collection)));
	return stet_exec(
	    call, tx, "DELETE FROM content_term WHERE collection = ?1", STET_ARGS(collection));
}

const struct stet_taxonomies_1 taxonomies_service = {
	.check = check,
	.pick = pick,
	.store = store,
	.put = shown_put,
	.find = terms_found,
	.by_slug = terms_by_slug,
	.filter = filter_read,
	.filter_put = filter_put,
	.filter_ids = filter_ids,
	.filter_terms = filter_terms,
	.filter_size = filter_size,
	.filter_walk = filter_walk,
	.filter_join = filter_join,
	.filter_beside = filter_beside,
	.filter_total = filter_total,
	.related = terms_related,
	.there = taxonomy_there,
	.facet_join = facet_join,
	.store_item = store_item,
	.groups = item_groups,
	.follow = filter_follow,
	.filter_passes = filter_passes,
	.filter_names = filter_names,
	.keep = kept_of,
	.kept = kept_read,
	.stored = kept_stored,
	.put_kept = shown_put_kept,
	.slugs = kept_slugs,
	.assigned = count_assigned,
};
