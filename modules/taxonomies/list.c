/* list.c - reads terms: a page as a tree or as a list, one term, its translations. */
#include "taxonomies.h"
#include <string.h>

#define TREE_MAX 5000 /* the most terms in one reply */
#define SEARCH_MAX 100 /* the most terms that a search finds */
#define CHILDREN_MAX 100 /* the most children that are shown with a term */

#define HAS STET_REQUIRED
/* clang-format off */
#define OF_LOCALE { "locale", STET_STRING, STET_RANGE(1, 64), .about = "All locales when omitted" }
#define CURSOR { "cursor", STET_STRING, STET_RANGE(1, 2048), .about = "nextCursor of the page before" }
#define TAXONOMY { "taxonomy", STET_STRING, HAS, .about = "Name of the taxonomy" }
/* clang-format on */

const struct stet_member terms_in[] = {
	TAXONOMY,
	OF_LOCALE,
	{ "includeCounts", STET_BOOLEAN, .fallback = "true", .about = "With `count`" },
	{ "resolveFallback", STET_BOOLEAN, .fallback = "false",
	    .about = "Terms without a translation in `locale` in the site's default locale" },
	{ "limit", STET_INTEGER, STET_RANGE(1, TREE_MAX), .fallback = "5000",
	    .about = "Terms a page" },
	CURSOR,
	{ "search", STET_STRING, STET_RANGE(1, 200),
	    .about = "Only terms whose label or slug begins with this, at most 100, without a next "
		     "page. Needs a locale" },
	{ 0 },
};
const struct stet_member terms_out[] = {
	{ "terms", STET_ARRAY, HAS, .of = term_shape,
	    .about = "In manual order; of a hierarchical taxonomy those whose parent is on the "
		     "page are its children" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};
const struct stet_member term_list_in[] = {
	TAXONOMY,
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	CURSOR,
	OF_LOCALE,
	{ 0 },
};
const struct stet_member term_list_out[] = {
	{ "items", STET_ARRAY, HAS, .of = term_shape, .about = "In manual order" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

/* ---- pages ---- */

struct page {
	struct stet_call *call;
	struct taxonomy taxonomy;
	const char *locale; /* NULL: all locales */
	bool counts, fallback;
	int64_t limit;
	struct node *node;
	size_t count;
	const char *next; /* cursor, or NULL */
};

/* Returns the name that binds a cursor to its list: one taxonomy and locale. */
static const char *
listing(const struct page *p)
{
	return stet_printf(p->call, "terms:%s:%s:%d", p->taxonomy.name,
	    p->locale != NULL ? p->locale : "", p->fallback);
}

/* Continues after the term of the cursor, at that term's present position. */
static enum stet_status
add_after(struct page *p, struct stet_sql *sql, const char *cursor)
{
	const json_t *key;
	const char *id;
	struct term t;
	bool found;

	if (cursor == NULL)
		return STET_OK;
	STET_TRY(stet_cursor_read(p->call, cursor, listing(p), &key, &id));
	STET_TRY(term_by_id(p->call, id, &t, &found));
	if (!found || strcmp(t.id, id) != 0)
		return stet_fail(p->call, STET_INVALID_CURSOR, "cursor",
		    "Pagination cursor no longer identifies a term");
	stet_sql_add(sql, " AND (t.position, t.label, t.id) > (");
	stet_sql_bind(sql, stet_val_int(t.position));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(t.label));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(t.id));
	stet_sql_add(sql, ")");
	return STET_OK;
}

static void
add_locale(struct stet_sql *sql, const struct page *p)
{
	const char *standard = stet_locales(p->call)[0];

	if (p->locale == NULL)
		return;
	if (!p->fallback || strcmp(p->locale, standard) == 0) {
		stet_sql_add(sql, " AND t.locale = ");
		stet_sql_bind(sql, stet_val_str(p->locale));
		return;
	}
	stet_sql_add(sql, " AND (" STET_UNINDEXED("t.locale") " = ");
	stet_sql_bind(sql, stet_val_str(p->locale));
	stet_sql_add(sql, " OR (" STET_UNINDEXED("t.locale") " = ");
	stet_sql_bind(sql, stet_val_str(standard));
	stet_sql_add(sql, " AND NOT EXISTS (SELECT 1 FROM term AS o WHERE o.translation_group ="
			  " t.translation_group AND o.locale = ");
	stet_sql_bind(sql, stet_val_str(p->locale));
	stet_sql_add(sql, ")))");
}

static enum stet_status
read_page(struct page *p)
{
	struct stet_sql *sql = stet_sql_new(p->call);
	size_t room = (size_t)p->limit < 64 ? (size_t)p->limit : 64;
	struct stet_rows rows;
	bool more = false;

	stet_sql_add(sql, "SELECT " TERM_COLUMNS);
	if (p->counts)
		STET_TRY(count_add(p->call, sql, &p->taxonomy, p->locale));
	stet_sql_add(sql, " FROM term AS t WHERE t.taxonomy = ");
	stet_sql_bind(sql, stet_val_str(p->taxonomy.name));
	add_locale(sql, p);
	STET_TRY(add_after(p, sql, stet_arg(p->call, "cursor")));
	stet_sql_add(sql, " ORDER BY t.position, t.label, t.id LIMIT ");
	stet_sql_bind(sql, stet_val_int(p->limit + 1));
	STET_TRY(stet_sql_query(sql, &rows));
	p->node = stet_alloc(p->call, room * sizeof(p->node[0]));
	while (!more && stet_row(&rows)) {
		more = p->count == (size_t)p->limit;
		if (more)
			break;
		if (p->count == room) {
			struct node *old = p->node;

			p->node = stet_alloc(p->call, 4 * room * sizeof(p->node[0]));
			memcpy(p->node, old, room * sizeof(p->node[0]));
			room *= 4;
		}
		term_load(&rows, &p->node[p->count].term);
		p->node[p->count++].count = p->counts ? stet_col_int(&rows, TERM_WIDTH) : -1;
	}
	if (more)
		p->next =
		    stet_cursor_make(p->call, listing(p), NULL, p->node[p->count - 1].term.id);
	return stet_rows_end(&rows);
}

static enum stet_status
begin(struct stet_call *call, struct page *p)
{
	*p = (struct page){ .call = call, .limit = stet_arg_int(call, "limit") };
	p->locale = stet_locale(call, stet_arg(call, "locale"));
	STET_TRY(stet_issues(call));
	return taxonomy_find(call, stet_arg(call, "taxonomy"), p->locale, &p->taxonomy);
}

/* Fills the page with the terms that a search finds. */
static enum stet_status
search(struct page *p, const char *text)
{
	struct sought s = { .call = p->call,
		.taxonomy = &p->taxonomy,
		.locale = p->locale,
		.counts = p->counts,
		.limit = p->limit < SEARCH_MAX ? p->limit : SEARCH_MAX };

	STET_TRY(sought_find(&s, text));
	p->node = s.node;
	p->count = s.count;
	return STET_OK;
}

static void
check_search(struct stet_call *call)
{
	if (!stet_has(call, "search"))
		return;
	if (!stet_has(call, "locale"))
		stet_issue(call, "search", "needs a locale");
	if (stet_has(call, "cursor"))
		stet_issue(call, "cursor", "does not go with search");
	if (stet_arg_bool(call, "resolveFallback"))
		stet_issue(call, "resolveFallback", "does not go with search");
}

enum stet_status
term_tree(struct stet_call *call)
{
	const char *sought = stet_arg(call, "search");
	struct stet_json *out = stet_reply(call);
	struct page p;

	check_search(call);
	if (stet_arg_bool(call, "resolveFallback") && !stet_has(call, "locale"))
		stet_issue(call, "resolveFallback", "needs a locale");
	STET_TRY(begin(call, &p));
	p.counts = stet_arg_bool(call, "includeCounts");
	p.fallback = stet_arg_bool(call, "resolveFallback");
	STET_TRY(sought != NULL ? search(&p, sought) : read_page(&p));
	stet_object(out, NULL);
	tree_put(call, out, "terms", p.node, p.count, p.taxonomy.hierarchical && sought == NULL);
	if (p.next != NULL)
		stet_put_str(out, "nextCursor", p.next);
	stet_close(out);
	return STET_OK;
}

enum stet_status
term_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct page p;

	STET_TRY(begin(call, &p));
	STET_TRY(read_page(&p));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < p.count; i++) {
		term_open(out, NULL, &p.node[i].term);
		stet_close(out);
	}
	stet_close(out);
	if (p.next != NULL)
		stet_put_str(out, "nextCursor", p.next);
	stet_close(out);
	return STET_OK;
}

/* ---- one term ---- */

const struct stet_member term_get_in[] = {
	TAXONOMY,
	{ "termSlug", STET_STRING, HAS, .about = "Slug of the term" },
	{ "locale", STET_STRING, STET_RANGE(1, 64),
	    .about = "The lowest that has the slug when omitted" },
	{ 0 },
};
static const struct stet_member child_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "slug", STET_STRING, HAS },
	{ "label", STET_STRING, HAS },
	{ 0 },
};
const struct stet_member term_get_out[] = {
	{ "term", STET_OBJECT, HAS, .of = term_shape },
	{ 0 },
};

/* Counts the items that have the term in its locale. */
static enum stet_status
count_of(struct stet_call *call, const struct term *t, int64_t *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct taxonomy taxonomy;
	struct stet_rows rows;

	STET_TRY(taxonomy_find(call, t->taxonomy, t->locale, &taxonomy));
	stet_sql_add(sql, "SELECT t.id");
	STET_TRY(count_add(call, sql, &taxonomy, stet_has(call, "locale") ? t->locale : NULL));
	stet_sql_add(sql, " FROM term AS t WHERE t.id = ");
	stet_sql_bind(sql, stet_val_str(t->id));
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*out = stet_col_int(&rows, 1);
	return stet_rows_end(&rows);
}

enum stet_status
term_get(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	int64_t count;
	struct term t;

	STET_TRY(term_find(call, &t));
	STET_TRY(count_of(call, &t, &count));
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, slug, label FROM term WHERE taxonomy = ?1 AND parent_group = ?2"
	    " AND " STET_UNINDEXED("locale") " = ?3 ORDER BY position LIMIT ?4",
	    STET_ARGS(t.taxonomy, t.group, t.locale, CHILDREN_MAX)));
	stet_object(out, NULL);
	term_open(out, "term", &t);
	stet_put_int(out, "count", count);
	STET_TRY(stet_put_rows(out, "children", &rows, child_shape));
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- translations ---- */

const struct stet_member term_by_id_in[] = {
	{ "id", STET_STRING, HAS, .about = "Id of the term in any locale" },
	{ 0 },
};
static const struct stet_member translation_shape[] = {
	{ "id", STET_STRING, HAS },
	{ "slug", STET_STRING, HAS },
	{ "label", STET_STRING, HAS },
	{ "locale", STET_STRING, HAS },
	{ 0 },
};
const struct stet_member term_translations_out[] = {
	{ "translationGroup", STET_STRING, HAS },
	{ "translations", STET_ARRAY, HAS, .of = translation_shape, .about = "By locale" },
	{ 0 },
};

static enum stet_status
put_translations(struct stet_call *call, const struct term *t)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, slug, label, locale FROM term WHERE translation_group = ?1"
	    " ORDER BY locale",
	    STET_ARGS(t->group)));
	stet_object(out, NULL);
	stet_put_str(out, "translationGroup", t->group);
	STET_TRY(stet_put_rows(out, "translations", &rows, translation_shape));
	stet_close(out);
	return STET_OK;
}

enum stet_status
term_translations(struct stet_call *call)
{
	struct term t;

	STET_TRY(term_find(call, &t));
	return put_translations(call, &t);
}

enum stet_status
term_translations_tool(struct stet_call *call)
{
	struct term t;
	bool found;

	STET_TRY(term_by_id(call, stet_arg(call, "id"), &t, &found));
	if (!found)
		return stet_fail(
		    call, STET_NOT_FOUND, NULL, "Term not found: %s", stet_arg(call, "id"));
	return put_translations(call, &t);
}
