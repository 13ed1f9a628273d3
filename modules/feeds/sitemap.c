/*
 * sitemap.c - the sitemap of the site (sitemaps.org): one file up to 50,000 addresses, and above
 * that an index of parts. It is written while it is read, a page of items at a time, so that
 * neither memory nor a snapshot of the database grows with it.
 */
#include "feeds.h"
#include <stdlib.h>
#include <string.h>

#define PAGE 500 /* items read by one statement */
#define NAMESPACE "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\""

const struct stet_member part_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of a public collection" },
	{ "part", STET_STRING, STET_REQUIRED, .about = "1.xml, 2.xml ..." },
	{ 0 },
};

/* Everybody may read the sitemap: it shows only public collections. */
bool
sitemap_is_open(struct stet_call *call)
{
	(void)call;
	return true;
}

/* ---- items with their translations ---- */

struct entry {
	const char *id, *slug, *locale, *group, *updated;
	const char *path; /* NULL: the item is not shown */
};
struct page {
	struct stet_call *call;
	struct out *out;
	const struct stet_collection *collection;
	const char *site;
	struct place after, until; /* until: "" means to the end */
	size_t room; /* how many more may be written */
	bool more;
	struct entry entry[PAGE];
	size_t count;
	struct entry *sibling; /* by group, then locale */
	size_t siblings;
};

/* Appends "SELECT ... FROM" the items, with the columns that load() reads. */
static void
add_select(struct stet_sql *sql, const struct stet_collection *c)
{
	stet_sql_add(sql, "SELECT id, slug, locale, translation_group, updated_at, created_at,"
			  " published_at, ");
	stet_sql_add(sql, c->has_seo ? "f__seo FROM " : "NULL FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
}

/* Returns true if the item's SEO keeps it out of the sitemap: noIndex, or another canonical
 * address. */
static bool
is_kept_out(const struct page *p, const char *seo, const char *path)
{
	const json_t *all;
	const char *canonical;

	if (seo == NULL)
		return false;
	all = stet_json_own(p->call, json_loads(seo, 0, NULL));
	if (json_is_true(json_object_get(all, "noIndex")))
		return true;
	canonical = json_string_value(json_object_get(all, "canonical"));
	return canonical != NULL && *canonical != '\0' &&
	       strcmp(canonical, stet_printf(p->call, "%s%s", p->site, path)) != 0;
}

static void
load(const struct page *p, struct stet_rows *rows, struct entry *e)
{
	*e = (struct entry){ stet_col_dup(rows, 0), stet_col_dup(rows, 1), stet_col_dup(rows, 2),
		stet_col_dup(rows, 3), stet_col_dup(rows, 4), NULL };
	e->path = stet_item_address(
	    p->call, p->collection, e->id, e->slug, e->locale, stet_col_str(rows, 6));
	if (e->path != NULL && is_kept_out(p, stet_col_str(rows, 7), e->path))
		e->path = NULL;
}

static void
add_place(struct stet_sql *sql, const char *condition, const struct place *p)
{
	stet_sql_add(sql, condition);
	stet_sql_bind(sql, stet_val_str(p->created));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(p->id));
	stet_sql_add(sql, ")");
}

static void
copy(char to[32], const char *text)
{
	size_t len = strnlen(text, 31);

	memcpy(to, text, len);
	to[len] = '\0';
}

static enum stet_status
read_items(struct page *p)
{
	struct stet_sql *sql = stet_sql_new(p->call);
	struct stet_rows rows;

	add_select(sql, p->collection);
	stet_sql_add(sql, " WHERE status = 'published' AND deleted_at IS NULL");
	add_place(sql, " AND (created_at, id) > (", &p->after);
	if (*p->until.id != '\0')
		add_place(sql, " AND (created_at, id) <= (", &p->until);
	stet_sql_add(sql, " ORDER BY created_at, id LIMIT ");
	stet_sql_bind(sql, stet_val_int(p->room < PAGE ? (int64_t)p->room : PAGE));
	STET_TRY(stet_sql_query(sql, &rows));
	for (p->count = 0; p->count < PAGE && stet_row(&rows); p->count++) {
		load(p, &rows, &p->entry[p->count]);
		copy(p->after.created, stet_col_str(&rows, 5));
		copy(p->after.id, stet_col_str(&rows, 0));
	}
	p->room -= p->count;
	p->more = p->count == PAGE && p->room > 0;
	return stet_rows_end(&rows);
}

static enum stet_status
read_siblings(struct page *p)
{
	struct stet_sql *sql;
	struct stet_rows rows;
	size_t room = 4 * PAGE;

	p->siblings = 0;
	if (stet_locales(p->call)[1] == NULL || p->count == 0)
		return STET_OK;
	p->sibling = stet_alloc(p->call, room * sizeof(*p->sibling));
	sql = stet_sql_new(p->call);
	add_select(sql, p->collection);
	stet_sql_add(sql, " WHERE " STET_UNINDEXED("deleted_at") " IS NULL AND " STET_UNINDEXED(
			      "status") " = 'published' AND translation_group IN (");
	/* The statement is the same for every page. */
	for (size_t i = 0; i < PAGE; i++) {
		if (i > 0)
			stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(i < p->count ? p->entry[i].group : NULL));
	}
	stet_sql_add(sql, ") ORDER BY translation_group, locale");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		if (p->siblings == room) {
			struct entry *all = stet_alloc(p->call, 2 * room * sizeof(*all));

			memcpy(all, p->sibling, room * sizeof(*all));
			p->sibling = all;
			room *= 2;
		}
		load(p, &rows, &p->sibling[p->siblings]);
		p->siblings += p->sibling[p->siblings].path != NULL;
	}
	return stet_rows_end(&rows);
}

static int
by_group(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->group, ((const struct entry *)b)->group);
}

/* Returns the first item of this translation group; NULL: the group has one item. */
static const struct entry *
group_of(const struct page *p, const struct entry *e, size_t *count)
{
	const struct entry *end = p->sibling + p->siblings, *at, *first;

	at = p->siblings == 0 ? NULL
			      : bsearch(e, p->sibling, p->siblings, sizeof(*p->sibling), by_group);
	if (at == NULL)
		return NULL;
	for (first = at; first > p->sibling && by_group(first - 1, e) == 0; first--)
		continue;
	for (*count = 0; first + *count < end && by_group(first + *count, e) == 0; ++*count)
		continue;
	return *count > 1 ? first : NULL;
}

static void
put_alternate(struct page *p, const char *locale, const char *path)
{
	out_raw(p->out, "<xhtml:link rel=\"alternate\" hreflang=\"");
	out_text(p->out, locale);
	out_raw(p->out, "\" href=\"");
	out_text(p->out, p->site);
	out_text(p->out, path);
	out_raw(p->out, "\"/>\n");
}

static void
put_alternates(struct page *p, const struct entry *e)
{
	size_t count = 0;
	const struct entry *all = group_of(p, e, &count);

	for (size_t i = 0; all != NULL && i < count; i++) {
		const struct entry *s = &all[i];

		put_alternate(p, s->locale, s->path);
		if (strcmp(s->locale, stet_locales(p->call)[0]) == 0)
			put_alternate(p, "x-default", s->path);
	}
}

static void
put_entry(struct page *p, const struct entry *e)
{
	if (e->path == NULL)
		return;
	out_raw(p->out, "<url>\n<loc>");
	out_text(p->out, p->site);
	out_text(p->out, e->path);
	out_raw(p->out, "</loc>\n");
	out_element(p->out, "lastmod", e->updated);
	put_alternates(p, e);
	out_raw(p->out, "</url>\n");
}

static enum stet_status
put_page(struct stet_call *call, void *arg)
{
	struct page *p = arg;

	(void)call;
	STET_TRY(read_items(p));
	STET_TRY(read_siblings(p));
	for (size_t i = 0; i < p->count; i++)
		put_entry(p, &p->entry[i]);
	return p->out->status;
}

/* Writes the items after `after` (NULL: from the first) up to `until` (NULL: to the last). */
static enum stet_status
put_items(struct out *out, const struct stet_collection *c, const char *site,
    const struct place *after, const struct place *until)
{
	struct page *p = stet_alloc(out->call, sizeof(*p));

	*p = (struct page){ .call = out->call, .out = out, .collection = c, .site = site };
	p->room = URLS_MAX;
	if (after != NULL)
		p->after = *after;
	if (until != NULL)
		p->until = *until;
	do
		STET_TRY(stet_scope(out->call, put_page, p));
	while (p->more);
	return STET_OK;
}

/* ---- the collections of the site, and their state ---- */

struct shown {
	const struct stet_collection *collection;
	int64_t total;
	const char *mark; /* mark.c; NULL: none */
	struct parts parts; /* if the reply is an index */
};
struct map {
	struct stet_call *call;
	const char *site;
	struct shown *shown;
	size_t count;
	int64_t total;
};

static enum stet_status
read_state(struct stet_call *call, struct shown *s)
{
	STET_TRY(mark_read(call, s->collection, &s->mark));
	return site_count(call, s->collection, &s->total);
}

static enum stet_status
read_map(struct stet_call *call, struct map *m)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *all;
	size_t count;

	*m = (struct map){ .call = call };
	if (schema == NULL)
		return stet_fault(call, "the schema module offers no service");
	stet_surrogate(call, "k", "schema");
	STET_TRY(site_url(call, &m->site));
	STET_TRY(schema->collections(call, &all, &count));
	m->shown = stet_alloc(call, (count + 1) * sizeof(*m->shown));
	for (size_t i = 0; i < count; i++) {
		struct shown *s = &m->shown[m->count];

		if (!site_shows(all[i]))
			continue;
		stet_surrogate(call, "l", all[i]->slug);
		*s = (struct shown){ .collection = all[i] };
		STET_TRY(read_state(call, s));
		m->total += s->total;
		m->count++;
	}
	return STET_OK;
}

/* Mixes all that the reply depends on into its tag. */
static enum stet_status
mix_map(const struct map *m)
{
	struct stet_absence absence;

	STET_TRY(stet_absence(m->call, &absence));
	stet_etag_mix(m->call, &absence.number, sizeof(absence.number));
	site_mix(m->call, m->site);
	for (const char *const *l = stet_locales(m->call); *l != NULL; l++)
		site_mix(m->call, *l);
	for (size_t i = 0; i < m->count; i++) {
		const struct shown *s = &m->shown[i];

		site_mix(m->call, s->collection->slug);
		site_mix(m->call, s->collection->created_at);
		stet_etag_mix(m->call, &s->collection->version, sizeof(s->collection->version));
		stet_etag_mix(m->call, &s->total, sizeof(s->total));
		site_mix(m->call, s->mark);
		for (size_t k = 0; k < s->parts.count; k++)
			site_mix(m->call, s->parts.modified[k]);
	}
	return STET_OK;
}

/* Begins the reply. Returns false if the client has the current one: then nothing is written. */
static bool
begin(struct out *out, struct stet_call *call, const char *element)
{
	stet_reply_type(call, "application/xml; charset=utf-8");
	out_reply(out, call);
	if (stet_unchanged(call))
		return false;
	out_raw(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<");
	out_raw(out, element);
	out_raw(out, " " NAMESPACE);
	if (strcmp(element, "urlset") == 0)
		out_raw(out, " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"");
	out_raw(out, ">\n");
	return true;
}

/* ---- ops ---- */

static enum stet_status
put_index(struct map *m)
{
	struct out out;

	for (size_t i = 0; i < m->count; i++)
		STET_TRY(parts_get(
		    m->call, m->shown[i].collection, m->shown[i].total, &m->shown[i].parts));
	STET_TRY(mix_map(m));
	if (!begin(&out, m->call, "sitemapindex"))
		return STET_OK;
	for (size_t i = 0; i < m->count; i++) {
		const struct shown *s = &m->shown[i];

		for (size_t k = 0; k < s->parts.count; k++) {
			out_raw(&out, "<sitemap>\n");
			out_element(&out, "loc",
			    stet_printf(m->call, "%s/sitemaps/%s/%zu.xml", m->site,
				s->collection->slug, k + 1));
			out_element(&out, "lastmod", s->parts.modified[k]);
			out_raw(&out, "</sitemap>\n");
		}
	}
	out_raw(&out, "</sitemapindex>\n");
	return out_end(&out);
}

enum stet_status
sitemap_read(struct stet_call *call)
{
	struct map m;
	struct out out;

	STET_TRY(read_map(call, &m));
	if (m.total > URLS_MAX)
		return put_index(&m);
	STET_TRY(mix_map(&m));
	if (!begin(&out, call, "urlset"))
		return STET_OK;
	for (size_t i = 0; i < m.count; i++)
		STET_TRY(put_items(&out, m.shown[i].collection, m.site, NULL, NULL));
	out_raw(&out, "</urlset>\n");
	return out_end(&out);
}

/* Returns the number of a part: 3 for "3.xml"; 0: invalid. */
static size_t
number_of(const char *text)
{
	char *end;
	unsigned long n;

	if (*text < '1' || *text > '9')
		return 0;
	n = strtoul(text, &end, 10);
	return strcmp(end, ".xml") == 0 && end - text < 10 ? n : 0;
}

enum stet_status
sitemap_part(struct stet_call *call)
{
	size_t n = number_of(stet_arg(call, "part"));
	struct shown s = { 0 };
	struct map m = { .call = call, .shown = &s, .count = 1 };
	struct out out;

	STET_TRY(site_collection(call, &s.collection));
	stet_surrogate(call, "l", s.collection->slug);
	STET_TRY(site_url(call, &m.site));
	STET_TRY(read_state(call, &s));
	STET_TRY(parts_get(call, s.collection, s.total, &s.parts));
	if (n < 1 || n > s.parts.count)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Not found");
	STET_TRY(mix_map(&m));
	stet_etag_mix(call, &n, sizeof(n));
	if (!begin(&out, call, "urlset"))
		return STET_OK;
	STET_TRY(put_items(&out, s.collection, m.site, &s.parts.from[n - 1],
	    n < s.parts.count ? &s.parts.from[n] : NULL));
	out_raw(&out, "</urlset>\n");
	return out_end(&out);
}

enum stet_status
sitemap_address(struct stet_call *call, const char **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *all;
	const char *site;
	size_t count, i = 0;

	*out = NULL;
	if (schema == NULL)
		return STET_OK;
	STET_TRY(schema->collections(call, &all, &count));
	while (i < count && !site_shows(all[i]))
		i++;
	if (i == count)
		return STET_OK;
	STET_TRY(site_url(call, &site));
	*out = stet_printf(call, "%s/sitemap.xml", site);
	return STET_OK;
}
