/*
 * numbers.c - gives numbers to items. An export refers to items by number, also to items that come
 * much later. The number of an item is its rank among the ids of its collection. Only every
 * RANK_PAGE-th id is kept in memory; the rest is counted on demand (core/adr/0063).
 */
#include "export.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

/* Returns true for post types that have another meaning in WordPress. */
static bool
is_taken(const char *type)
{
	static const char *const types[] = { "post", "page", "attachment", "revision",
		"nav_menu_item", "custom_css", "customize_changeset", "oembed_cache", "wp_block",
		"wp_global_styles", "wp_navigation", "wp_template", "wp_template_part" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return false;
}

/* Returns the post type that import would map to this collection. */
static const char *
type_of(struct stet_call *call, const struct export *x, const char *collection)
{
	static const char *const types[][2] = { { "posts", "post" }, { "pages", "page" },
		{ "products", "product" }, { "testimonials", "testimonial" }, { "events", "event" },
		{ "faqs", "faq" } };
	const char *given = json_string_value(json_object_get(x->types, collection));

	if (given != NULL)
		return given;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i][0], collection) == 0)
			return types[i][1];
	return is_taken(collection) ? stet_printf(call, "stet_%s", collection) : collection;
}

/* ---- counting ---- */

struct counting {
	struct export *x;
	struct rank *rank;
	size_t found; /* ids read of the current page */
};

static enum stet_status
count_page(struct stet_call *call, void *arg)
{
	struct counting *c = arg;
	struct rank *r = c->rank;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	const char *id = NULL;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, r->slug);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(r->count > 0 ? r->marks[r->count - 1] : ""));
	stet_sql_add(sql, " ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(RANK_PAGE));
	STET_TRY(stet_sql_query(sql, &rows));
	for (c->found = 0; stet_row(&rows); c->found++)
		id = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (id == NULL)
		return STET_OK;
	if (r->count == r->room) {
		r->room = r->room > 0 ? 2 * r->room : 16;
		r->marks = reallocarray(r->marks, r->room, sizeof(*r->marks));
		if (r->marks == NULL)
			stet_out_of_memory();
	}
	(void)snprintf(r->marks[r->count++], sizeof(*r->marks), "%s", id);
	c->x->next += (int64_t)c->found;
	return STET_OK;
}

static char *
copy_of(const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		stet_out_of_memory();
	return copy;
}

enum stet_status
numbers_count(struct export *x)
{
	const struct stet_schema_1 *schema = stet_service(x->call, STET_SCHEMA_1);
	const struct stet_collection *const *list;
	size_t count;

	STET_TRY(schema->collections(x->call, &list, &count));
	x->ranks = calloc(count + 1, sizeof(*x->ranks));
	if (x->ranks == NULL)
		stet_out_of_memory();
	for (size_t i = 0; i < count; i++) {
		struct counting c = { .x = x, .rank = &x->ranks[x->rank_count] };

		if (json_object_size(x->collections) > 0 &&
		    json_object_get(x->collections, list[i]->slug) == NULL)
			continue;
		x->rank_count++;
		*c.rank = (struct rank){ .slug = copy_of(list[i]->slug),
			.type = copy_of(type_of(x->call, x, list[i]->slug)),
			.base = x->next };
	}
	for (size_t i = 0; i < x->rank_count; i++) {
		struct counting c = { .x = x, .rank = &x->ranks[i] };

		c.rank->base = x->next;
		do
			STET_TRY(stet_scope(x->call, count_page, &c));
		while (c.found == RANK_PAGE);
	}
	return STET_OK;
}

void
numbers_free(struct export *x)
{
	for (size_t i = 0; i < x->rank_count; i++) {
		free(x->ranks[i].slug);
		free(x->ranks[i].type);
		free(x->ranks[i].marks);
	}
	free(x->ranks);
}

/* ---- one item ---- */

static const struct rank *
rank_of(const struct export *x, const char *collection)
{
	for (size_t i = 0; i < x->rank_count; i++)
		if (strcmp(x->ranks[i].slug, collection) == 0)
			return &x->ranks[i];
	return NULL;
}

/* Returns the page that an id is on: the first whose last id is not below it. */
static size_t
page_of(const struct rank *r, const char *id)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(r->marks[middle], id) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum stet_status
number_of_item(struct stet_call *call, const struct export *x, const char *collection,
    const char *id, int64_t *number, const char **type)
{
	const struct rank *r = rank_of(x, collection);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	bool there = false;
	size_t page;

	*number = 0;
	*type = r != NULL ? r->type : NULL;
	if (r == NULL || (page = page_of(r, id)) == r->count)
		return STET_OK;
	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(page > 0 ? r->marks[page - 1] : ""));
	stet_sql_add(sql, " AND id <= ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, " ORDER BY id");
	STET_TRY(stet_sql_query(sql, &rows));
	*number = r->base + (int64_t)page * RANK_PAGE;
	while (stet_row(&rows)) {
		++*number;
		there = strcmp(stet_col_str(&rows, 0), id) == 0;
	}
	STET_TRY(stet_rows_end(&rows));
	if (!there)
		*number = 0;
	return STET_OK;
}
