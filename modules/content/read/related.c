/*
 * related.c - lists published items that share terms with an item. The taxonomies module ranks
 * translation groups; of each group the list shows the item in the item's locale, or else in the
 * default locale, or else in the lowest.
 */
#include "read/read.h"
#include <string.h>

#define LOOKED_AT 3 /* groups examined for each wanted item: a group may have no item to show */

const struct stet_member related_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	{ "limit", STET_INTEGER, .about = "Items, at most", STET_RANGE(1, 50), .fallback = "10" },
	VIEW_FIELDS,
	VIEW_MARKDOWN,
	{ 0 },
};
const struct stet_member related_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = item_part_shape,
	    .about = "The nearest first: by the number of terms that they share with the item, "
		     "rare ones counting more" },
	{ 0 },
};

/* The item that is shown for a group. */
struct shown_as {
	const char *text, *locale;
	size_t len;
};
struct related {
	struct stet_call *call;
	const struct plan *plan;
	const char *locale;
	struct view view;
	const char **group;
	struct shown_as *shown;
	size_t count;
};

static int
distance(const struct related *r, const char *locale)
{
	return strcmp(locale, r->locale) == 0                  ? 0
	       : strcmp(locale, stet_locales(r->call)[0]) == 0 ? 1
							       : 2;
}

static bool
is_nearer(const struct related *r, const char *locale, const char *than)
{
	int a, b;

	if (than == NULL)
		return true;
	a = distance(r, locale);
	b = distance(r, than);
	return a < b || (a == b && strcmp(locale, than) < 0);
}

static void
take(struct related *r, struct stet_rows *rows)
{
	const char *group = stet_col_str(rows, C_GROUP), *locale = stet_col_str(rows, C_LOCALE);
	struct stet_json *item;
	size_t i = 0;

	while (i < r->count && strcmp(r->group[i], group) != 0)
		i++;
	if (i == r->count || strcmp(stet_col_str(rows, C_STATUS), "published") != 0 ||
	    !is_nearer(r, locale, r->shown[i].locale))
		return;
	item = stet_json_new(r->call);
	item_open(
	    item, NULL, rows, r->plan, stet_may(r->call, "content:read_drafts"), NULL, &r->view);
	stet_close(item);
	r->shown[i].locale = stet_strdup(r->call, locale);
	r->shown[i].text = stet_json_text(item, &r->shown[i].len);
}

/* Ranks the related groups; without the taxonomies module there are none. */
static enum stet_status
rank(struct related *r, const char *group, size_t most)
{
	const struct stet_taxonomies_1 *s = stet_service(r->call, STET_TAXONOMIES_1);
	struct stet_table found = { 0 };
	struct stet_related row;

	if (s != NULL && s->related != NULL)
		STET_TRY(s->related(r->call, r->plan->slug, group, &found));
	r->count = found.count < most ? found.count : most;
	r->group = stet_alloc(r->call, (r->count + 1) * sizeof(*r->group));
	r->shown = stet_alloc(r->call, (r->count + 1) * sizeof(*r->shown));
	for (size_t i = 0; i < r->count; i++) {
		stet_table_row(&found, (uint32_t)i, &row, sizeof(row));
		r->group[i] = row.group;
	}
	return STET_OK;
}

static enum stet_status
read_items(struct related *r)
{
	struct stet_rows rows;

	if (r->count == 0)
		return STET_OK;
	STET_TRY(stet_sql_query(
	    refer_select(r->call, r->plan, " AND translation_group IN ", r->group, r->count),
	    &rows));
	while (stet_row(&rows))
		take(r, &rows);
	return stet_rows_end(&rows);
}

enum stet_status
content_related(struct stet_call *call)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale")), *group;
	size_t limit = (size_t)stet_arg_int(call, "limit");
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *collection;
	struct related r = { .call = call };
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &collection, &r.plan));
	STET_TRY(view_read(call, collection, &r.view));
	r.view.members &= ~(1U << I_BYLINES | 1U << I_BYLINE);
	STET_TRY(item_find_seen(call, r.plan, stet_arg(call, "id"), locale, &rows));
	group = stet_col_dup(&rows, C_GROUP);
	r.locale = stet_col_dup(&rows, C_LOCALE);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(rank(&r, group, limit * LOOKED_AT));
	STET_TRY(read_items(&r));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0, shown = 0; i < r.count && shown < limit; i++)
		if (r.shown[i].text != NULL) {
			stet_put_raw(out, NULL, r.shown[i].text, r.shown[i].len);
			shown++;
		}
	stet_close(out);
	stet_close(out);
	return STET_OK;
}
