/*
 * target.c - the targets of menu items: the URL and title of the item or term that each links
 * to, as the public sees it. Takes one statement for each hundred items of a collection, and for
 * each hundred terms, in whatever order the menu has them.
 */
#include "menus.h"
#include <stet/taxonomies.h>
#include <string.h>

#define CHUNK 100

/* How well the locale of a translation matches the menu's. */
enum nearness { NONE, ANY, DEFAULT, SAME };

struct found {
	enum nearness nearness;
	const char *locale, *id, *slug, *published_at;
};
struct search {
	struct stet_call *call;
	const char *locale;
	const struct items *items;
	struct target *target;
	struct found *found; /* parallel to target */
};

/* ---- items of collections ---- */

static bool
is_entry(const struct item *it)
{
	return it->reference != NULL &&
	       (strcmp(it->type, "page") == 0 || strcmp(it->type, "post") == 0);
}

/* Returns the slug of the target's collection, which the item names or its type implies. */
static const char *
collection_of(const struct item *it)
{
	if (it->collection != NULL)
		return it->collection;
	return strcmp(it->type, "page") == 0 ? "pages" : "posts";
}

/* The field with the title of an item, if it holds text. */
static const struct stet_field *
title_of(const struct stet_collection *c)
{
	const char *const names[] = { c->title_field, "title", "name" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct stet_field *f = names[i] != NULL ? stet_field(c, names[i]) : NULL;

		if (f != NULL && f->type->storage == STET_STORE_TEXT && !f->json_text)
			return f;
	}
	return NULL;
}

static void
put_query(struct search *s, struct stet_sql *sql, const struct stet_collection *c,
    const size_t *index, size_t count)
{
	const struct stet_field *title = title_of(c);
	const size_t room = stet_sql_room(count);

	stet_sql_add(sql, "WITH want (n, id) AS (VALUES ");
	for (size_t i = 0; i < room; i++) {
		const char *id = i < count ? s->items->item[index[i]].reference : NULL;

		stet_sql_add(sql, i > 0 ? ", (" : "(");
		stet_sql_bind(sql, stet_val_int(i < count ? (int64_t)index[i] : 0));
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(id));
		stet_sql_add(sql, ")");
	}
	stet_sql_add(sql, ") SELECT w.n, c.id, c.slug, c.locale, c.published_at, ");
	if (title != NULL) {
		stet_sql_add(sql, "c.");
		stet_sql_ident(sql, STET_FIELD_COLUMN, title->slug);
	} else
		stet_sql_add(sql, "NULL");
	/* CROSS JOIN makes SQLite begin with the references, whatever its planner estimates. */
	stet_sql_add(sql, " FROM want AS w CROSS JOIN ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " AS c WHERE c.translation_group = coalesce((SELECT o.translation_group"
			  " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " AS o WHERE o.id = w.id), w.id)"
			  " AND " STET_UNINDEXED("c.deleted_at") " IS NULL AND " STET_UNINDEXED(
			      "c.status") " = 'published'");
}

static enum nearness
nearness_of(struct search *s, const char *locale)
{
	if (strcmp(locale, s->locale) == 0)
		return SAME;
	return strcmp(locale, stet_locales(s->call)[0]) == 0 ? DEFAULT : ANY;
}

/* Keeps the translation with the nearest locale; of equally near ones the lowest locale. */
static void
take(struct search *s, struct stet_rows *rows)
{
	size_t i = (size_t)stet_col_int(rows, 0);
	const char *locale = stet_col_str(rows, 3);
	enum nearness nearness = nearness_of(s, locale);
	struct found *f = &s->found[i];

	if (nearness < f->nearness || (nearness == f->nearness && strcmp(locale, f->locale) >= 0))
		return;
	*f = (struct found){ nearness, stet_col_dup(rows, 3), stet_col_dup(rows, 1),
		stet_col_dup(rows, 2), stet_col_dup(rows, 4) };
	s->target[i].title = stet_col_dup(rows, 5);
}

/* The path of an item; NULL if the collection has no URLs, or the pattern needs a value that is
 * not known here. */
static const char *
path_of(
    struct search *s, const struct stet_collection *c, const struct item *it, const struct found *f)
{
	const char *pattern = stet_url_pattern(c, f->locale);

	if (!c->routable)
		return NULL;
	if (pattern == NULL && c->url_pattern == NULL)
		pattern = strcmp(it->type, "page") == 0 ? "/{slug}" : "/{collection}/{slug}";
	return pattern != NULL ? stet_pattern_address(s->call, pattern, c, f->id, f->slug,
				     f->locale, f->published_at)
			       : NULL;
}

static enum stet_status
read_chunk(struct search *s, const struct stet_collection *c, const size_t *index, size_t count)
{
	struct stet_sql *sql = stet_sql_new(s->call);
	struct stet_rows rows;

	put_query(s, sql, c, index, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		take(s, &rows);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count; i++) {
		size_t at = index[i];

		if (s->found[at].nearness != NONE)
			s->target[at].url = path_of(s, c, &s->items->item[at], &s->found[at]);
	}
	return STET_OK;
}

/* Reads all items of the menu, from `first` on, that link to items of this collection. */
static enum stet_status
read_collection(struct search *s, const struct stet_collection *c, size_t first)
{
	size_t index[CHUNK], count = 0;

	for (size_t i = first; i < s->items->count; i++) {
		const struct item *it = &s->items->item[i];

		if (!is_entry(it) || strcmp(collection_of(it), c->slug) != 0)
			continue;
		index[count++] = i;
		if (count < CHUNK)
			continue;
		STET_TRY(read_chunk(s, c, index, count));
		count = 0;
	}
	return count > 0 ? read_chunk(s, c, index, count) : STET_OK;
}

/* Returns true if an earlier item links to the same collection, which is then read already. */
static bool
is_read(const struct items *items, size_t i)
{
	const char *slug = collection_of(&items->item[i]);

	while (i-- > 0)
		if (is_entry(&items->item[i]) && strcmp(collection_of(&items->item[i]), slug) == 0)
			return true;
	return false;
}

/* ---- terms ---- */

/* Reads all items of the menu that link to terms. A term is always public; its id is enough to
 * find it, whatever referenceCollection says. */
static enum stet_status
read_terms(struct search *s)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(s->call, STET_TAXONOMIES_1);
	size_t *index = stet_alloc(s->call, (s->items->count + 1) * sizeof(*index)), count = 0;
	const char **ids = stet_alloc(s->call, (s->items->count + 1) * sizeof(*ids));
	struct stet_table found;

	if (taxonomies == NULL)
		return STET_OK;
	for (size_t i = 0; i < s->items->count; i++) {
		const struct item *it = &s->items->item[i];

		if (it->reference == NULL || strcmp(it->type, "taxonomy") != 0)
			continue;
		index[count] = i;
		ids[count++] = it->reference;
	}
	STET_TRY(taxonomies->find(s->call, ids, count, s->locale, &found));
	for (uint32_t i = 0; i < count && i < found.count; i++) {
		struct stet_term_found term;

		stet_table_row(&found, i, &term, sizeof(term));
		if (term.slug != NULL)
			s->target[index[i]] = (struct target){
				stet_path_fill(s->call, "/{taxonomy}/{slug}",
				    (const char *const[]){
					"taxonomy", term.taxonomy, "slug", term.slug, NULL }),
				term.label,
			};
	}
	return STET_OK;
}

/* ---- all targets ---- */

/* Returns the collection, or NULL if the caller may not read it or it does not exist. */
static const struct stet_collection *
collection_find(struct stet_call *call, const struct stet_collection *const *all, size_t count,
    const char *slug)
{
	if (stet_is_name(slug))
		stet_surrogate(call, "l", slug);
	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i]->slug, slug) == 0)
			return stet_may_read(call, all[i]) ? all[i] : NULL;
	return NULL;
}

enum stet_status
targets_read(
    struct stet_call *call, const char *locale, const struct items *items, struct target **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct search s = { call, locale, items,
		stet_alloc(call, (items->count + 1) * sizeof(*s.target)),
		stet_alloc(call, (items->count + 1) * sizeof(*s.found)) };
	const struct stet_collection *const *all, *c;
	size_t count;

	*out = s.target;
	STET_TRY(schema->collections(call, &all, &count));
	for (size_t i = 0; i < items->count; i++) {
		const struct item *it = &items->item[i];

		if (strcmp(it->type, "custom") == 0) {
			s.target[i].url = it->url;
		} else if (strcmp(it->type, "collection") == 0 && it->collection != NULL) {
			c = collection_find(call, all, count, it->collection);
			if (c == NULL)
				continue;
			s.target[i] = (struct target){ stet_printf(call, "/%s/", c->slug),
				stet_strdup(call, c->label) };
		} else if (is_entry(it) && !is_read(items, i)) {
			c = collection_find(call, all, count, collection_of(it));
			if (c != NULL)
				STET_TRY(read_collection(&s, c, i));
		}
	}
	return read_terms(&s);
}
