/*
 * kept.c - the terms of an item in its draft, until the draft is published: an object {taxonomy:
 * [group, ...]}. It names translation groups, so it stays valid when slugs change. A draft may be
 * older than the present terms, or imported, so everything in it is checked.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the texts as a sorted array; also sorts `text` itself. */
static json_t *
sorted(const char **text, size_t count)
{
	json_t *out = json_array();

	if (count > 0)
		qsort(text, count, sizeof(*text), by_text);
	for (size_t i = 0; i < count; i++)
		json_array_append_new(out, json_string(text[i]));
	return out;
}

json_t *
kept_of(struct stet_call *call, const struct stet_terms *terms)
{
	json_t *out = stet_json_own(call, json_object());

	for (size_t i = 0; i < terms->count; i++) {
		const struct term_set *set = &terms->set[i];
		const char **group = stet_alloc(call, (set->count + 1) * sizeof(*group));

		if (set->count > 0)
			memcpy(group, set->group, set->count * sizeof(*group));
		json_object_set_new(out, set->taxonomy, sorted(group, set->count));
	}
	return out;
}

/* Reads into the set those groups of `from` that are terms of its taxonomy. */
static enum stet_status
read_set(struct stet_call *call, const json_t *from, struct term_set *set)
{
	size_t most = json_array_size(from);
	struct stet_rows rows;

	if (most > STET_TERMS_MAX)
		most = STET_TERMS_MAX;
	set->group = stet_alloc(call, (most + 1) * sizeof(set->group[0]));
	for (size_t i = 0; i < most;) {
		struct stet_sql *sql = stet_sql_new(call);

		stet_sql_add(
		    sql, "SELECT DISTINCT t.translation_group FROM term AS t WHERE t.taxonomy = ");
		stet_sql_bind(sql, stet_val_str(set->taxonomy));
		stet_sql_add(sql, " AND t.translation_group IN ");
		i += add_texts(call, sql, from, i);
		stet_sql_add(sql, TERM_LIVES);
		STET_TRY(stet_sql_query(sql, &rows));
		while (stet_row(&rows) && set->count < most)
			set->group[set->count++] = stet_col_dup(&rows, 0);
		STET_TRY(stet_rows_end(&rows));
	}
	return STET_OK;
}

enum stet_status
kept_read(struct stet_call *call, const json_t *kept, struct stet_terms **out)
{
	const char *name;
	json_t *v;

	*out = terms_new(call, STET_TERM_SETS_MAX);
	json_object_foreach((json_t *)(uintptr_t)kept, name, v)
	{
		struct term_set *set = &(*out)->set[(*out)->count];

		if (!stet_is_name(name) || (*out)->count == STET_TERM_SETS_MAX)
			continue;
		set->taxonomy = stet_strdup(call, name);
		(*out)->count++;
		STET_TRY(read_set(call, v, set));
	}
	return STET_OK;
}

enum stet_status
kept_stored(struct stet_call *call, const char *collection, const char *entry_group, json_t **out)
{
	struct stet_rows rows;

	*out = stet_json_own(call, json_object());
	STET_TRY(stet_query(call, &rows,
	    "SELECT taxonomy, term_group FROM content_term"
	    " WHERE collection = ?1 AND entry_group = ?2 ORDER BY term_group",
	    STET_ARGS(collection, entry_group)));
	while (stet_row(&rows)) {
		const char *name = stet_col_str(&rows, 0);

		if (json_object_get(*out, name) == NULL)
			json_object_set_new(*out, name, json_array());
		json_array_append_new(
		    json_object_get(*out, name), json_string(stet_col_str(&rows, 1)));
	}
	return stet_rows_end(&rows);
}

/* Reads the slugs of terms of one taxonomy. */
static enum stet_status
slugs_of(struct stet_call *call, const char *taxonomy, const json_t *groups, const char *locale,
    json_t **out)
{
	size_t n = 0, most = json_array_size(groups);
	const char **text = stet_alloc(call, (most + 1) * sizeof(*text));
	struct stet_term_found found;
	struct stet_table table;

	for (size_t i = 0; i < most; i++)
		if (json_is_string(json_array_get(groups, i)))
			text[n++] = json_string_value(json_array_get(groups, i));
	STET_TRY(terms_found(call, text, n, locale, &table));
	n = 0;
	for (uint32_t i = 0; i < table.count; i++) {
		stet_table_row(&table, i, &found, sizeof(found));
		if (found.slug != NULL && strcmp(found.taxonomy, taxonomy) == 0)
			text[n++] = found.slug;
	}
	*out = sorted(text, n);
	return STET_OK;
}

enum stet_status
kept_slugs(struct stet_call *call, const json_t *kept, const char *locale, json_t **out)
{
	const char *name;
	json_t *groups, *slugs;

	*out = stet_json_own(call, json_object());
	json_object_foreach((json_t *)(uintptr_t)kept, name, groups)
	{
		STET_TRY(slugs_of(call, name, groups, locale, &slugs));
		json_object_set_new(*out, name, slugs);
	}
	return STET_OK;
}
