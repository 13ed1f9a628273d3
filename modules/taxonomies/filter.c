/*
 * filter.c - filters lists of items by their terms: reads "category:news,!sport;tag:db" and writes
 * SQL conditions.
 *
 * A filter is a list of sets. An item has to pass all of them: to have at least one term of the set
 * or, if the set excludes, none of them.
 */
#include "taxonomies.h"
#include <string.h>

#define TEXT_MAX 2000 /* characters */
#define GROUPS_MAX 1000 /* terms, including those that a subtree adds */

struct set {
	const char *taxonomy;
	bool exclude;
	struct stet_val *group;
	size_t count;
	int64_t size; /* estimated number of items: the published ones */
};
struct stet_term_filter {
	size_t count;
	struct set set[2 * FILTER_PARTS_MAX];
	struct term_name *name; /* the terms that the text names */
	size_t names;
};
struct reader {
	struct stet_call *call;
	struct stet_term_filter *filter;
	struct term_name name[FILTER_NAMES_MAX];
	size_t names, groups;
};

/* ---- the text ---- */

/* Reads the terms of one taxonomy, like "news,!sport". Returns false if the text is invalid. */
static bool
read_names(struct stet_call *call, const struct term_name *part, const char *text, size_t len,
    struct term_name *out, size_t *count)
{
	for (const char *end = text + len; text < end; text++) {
		struct term_name name = *part;
		size_t n = 0;

		name.exclude = *text == '!';
		text += name.exclude;
		while (text + n < end && text[n] != ',')
			n++;
		name.below = n >= 2 && memcmp(text + n - 2, "/*", 2) == 0;
		if (n == (name.below ? 2 : 0) || *count == FILTER_NAMES_MAX || text + n + 1 == end)
			return false;
		name.slug = stet_strndup(call, text, name.below ? n - 2 : n);
		out[(*count)++] = name;
		text += n;
	}
	return true;
}

bool
filter_parse(struct stet_call *call, const char *text, struct term_name *out, size_t *count)
{
	*count = 0;
	for (size_t part = 0; part < FILTER_PARTS_MAX; part++) {
		size_t len = strcspn(text, ";"), name = strcspn(text, ":;");
		struct term_name n = { .taxonomy = stet_strndup(call, text, name), .part = part };

		if (text[name] != ':' || len == name + 1 || !stet_is_name(n.taxonomy) ||
		    !read_names(call, &n, text + name + 1, len - name - 1, out, count))
			return false;
		text += len;
		if (*text++ == '\0')
			return true;
	}
	return false;
}

/* Makes two sets of each part: the terms to have, and the terms to lack. */
static void
make_sets(struct reader *r)
{
	struct stet_term_filter *f = r->filter;

	for (size_t i = 0; i < r->names; i++) {
		struct term_name *n = &r->name[i];

		for (size_t k = 0; k < i && n->set == NULL; k++)
			if (r->name[k].part == n->part && r->name[k].exclude == n->exclude)
				n->set = r->name[k].set;
		if (n->set != NULL)
			continue;
		n->set = &f->set[f->count++];
		*n->set = (struct set){ .taxonomy = n->taxonomy, .exclude = n->exclude };
	}
}

/* ---- terms by their slugs ---- */

/* Writes one statement for all names, as a union of the parts, so that an index finds each part. */
static void
put_names(struct reader *r, struct stet_sql *sql)
{
	for (size_t i = 0; i < r->names; i++) {
		const struct term_name *n = &r->name[i];

		if (i > 0 && n->part == r->name[i - 1].part) {
			stet_sql_add(sql, ", ");
		} else {
			stet_sql_add(sql, i > 0 ? ")" TERM_LIVES " UNION ALL " : "");
			stet_sql_add(sql, "SELECT t.taxonomy, t.slug, t.locale, t.translation_group"
					  " FROM term AS t WHERE t.taxonomy = ");
			stet_sql_bind(sql, stet_val_str(n->taxonomy));
			stet_sql_add(sql, " AND t.slug IN (");
		}
		stet_sql_bind(sql, stet_val_str(n->slug));
	}
	stet_sql_add(sql, ")" TERM_LIVES);
}

static int
distance(struct stet_call *call, const char *locale, const char *wanted)
{
	if (wanted != NULL && strcmp(locale, wanted) == 0)
		return 0;
	return strcmp(locale, stet_locales(call)[0]) == 0 ? 1 : 2;
}

/* Chooses among terms with the same slug in different locales: the list's locale wins, then the
 * default locale, then the lowest. */
static void
take(struct stet_rows *rows, const char *wanted, struct term_name *n)
{
	const char *locale = stet_col_str(rows, 2);

	if (n->group != NULL) {
		int now = distance(rows->call, locale, wanted),
		    was = distance(rows->call, n->locale, wanted);

		if (now > was || (now == was && strcmp(locale, n->locale) >= 0))
			return;
	}
	n->locale = stet_col_dup(rows, 2);
	n->group = stet_col_dup(rows, 3);
}

static enum stet_status
find_names(struct reader *r, const char *locale)
{
	struct stet_sql *sql = stet_sql_new(r->call);
	struct stet_rows rows;

	put_names(r, sql);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		for (size_t i = 0; i < r->names; i++)
			if (strcmp(r->name[i].slug, stet_col_str(&rows, 1)) == 0 &&
			    strcmp(r->name[i].taxonomy, stet_col_str(&rows, 0)) == 0)
				take(&rows, locale, &r->name[i]);
	return stet_rows_end(&rows);
}

/* ---- terms below others ---- */

static bool
add(struct reader *r, struct set *s, const char *group)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->group[i].u.s, group) == 0)
			return true;
	if (r->groups == GROUPS_MAX)
		return false;
	if ((s->count & (s->count - 1)) == 0) {
		struct stet_val *more = stet_alloc(r->call, (2 * s->count + 1) * sizeof(*more));

		if (s->count > 0)
			memcpy(more, s->group, s->count * sizeof(*more));
		s->group = more;
	}
	s->group[s->count++] = stet_val_str(group);
	r->groups++;
	return true;
}

static enum stet_status
add_below(struct reader *r, const struct term_name *n, bool *room)
{
	struct stet_rows rows;

	/* The group is read from the table as place.c's queries do it, for its collation. */
	STET_TRY(stet_query(r->call, &rows,
	    "WITH RECURSIVE below (g) AS (SELECT (SELECT t.translation_group FROM term AS t"
	    " WHERE t.translation_group = ?1 LIMIT 1) UNION SELECT t.translation_group"
	    " FROM below AS b CROSS JOIN term AS t WHERE t.taxonomy = ?2 AND t.parent_group = b.g)"
	    " SELECT g FROM below LIMIT ?3",
	    STET_ARGS(n->group, n->set->taxonomy, (int64_t)GROUPS_MAX + 1)));
	while (*room && stet_row(&rows))
		*room = add(r, n->set, stet_col_dup(&rows, 0));
	return stet_rows_end(&rows);
}

/* Adds the terms to their sets. A term that does not exist is ignored: no item can have it. */
static enum stet_status
add_names(struct reader *r, const char *path)
{
	bool room = true;

	for (size_t i = 0; i < r->names && room; i++) {
		const struct term_name *n = &r->name[i];

		if (n->group == NULL)
			continue;
		if (n->below)
			STET_TRY(add_below(r, n, &room));
		else
			room = add(r, n->set, n->group);
	}
	if (!room)
		stet_issue(
		    r->call, path, "names more than %d terms, with those below others", GROUPS_MAX);
	return STET_OK;
}

enum stet_status
taxonomy_there(struct stet_call *call, const char *taxonomy, bool *there)
{
	return has_row(call, there,
	    "SELECT 1 FROM taxonomy AS d WHERE d.name = ?1 AND NOT EXISTS"
	    " (SELECT 1 FROM taxonomy_gone AS g WHERE g.kind = 'taxonomy' AND g.name = d.name)",
	    STET_ARGS(taxonomy));
}

/* Records an issue for each unknown taxonomy. A set with terms has a known one. */
static enum stet_status
check_taxonomies(struct reader *r, const char *path)
{
	for (size_t i = 0; i < r->filter->count; i++) {
		const struct set *s = &r->filter->set[i];
		bool found;

		if (s->count > 0)
			continue;
		STET_TRY(taxonomy_there(r->call, s->taxonomy, &found));
		if (!found)
			stet_issue(r->call, path, "Unknown taxonomy '%s'", s->taxonomy);
	}
	return STET_OK;
}

/* ---- the order of sets: the smallest first, those that exclude last ---- */

static void
put_groups(struct stet_sql *sql, const struct set *s)
{
	stet_sql_add(sql, " IN ");
	stet_sql_list(sql, s->group, s->count);
}

static enum stet_status
measure(struct stet_call *call, struct set *s, const char *collection)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	s->size = s->exclude ? INT64_MAX : 0;
	if (s->exclude || s->count == 0)
		return STET_OK;
	stet_sql_add(sql, "SELECT COALESCE(SUM(n), 0) FROM term_count WHERE locale = '' AND "
			  "collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND term_group");
	put_groups(sql, s);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	s->size = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
sort(struct stet_call *call, struct stet_term_filter *f, const char *collection)
{
	for (size_t i = 0; i < f->count && f->count > 1; i++)
		STET_TRY(measure(call, &f->set[i], collection));
	for (size_t i = 1; i < f->count; i++)
		for (size_t k = i; k > 0 && f->set[k - 1].size > f->set[k].size; k--) {
			const struct set other = f->set[k];

			f->set[k] = f->set[k - 1];
			f->set[k - 1] = other;
		}
	return STET_OK;
}

enum stet_status
filter_read(struct stet_call *call, const char *path, const char *text, const char *collection,
    const char *locale, struct stet_term_filter **out, size_t *sets)
{
	struct reader r = { .call = call, .filter = stet_alloc(call, sizeof(**out)) };

	*out = r.filter;
	*r.filter = (struct stet_term_filter){ 0 };
	*sets = 0;
	if (stet_utf8_length(text) > TEXT_MAX || !filter_parse(call, text, r.name, &r.names)) {
		stet_issue(call, path,
		    "must be taxonomy:term,term;taxonomy:term: up to %d terms in up to %d parts. "
		    "!term excludes, term/* has those below it as well",
		    FILTER_NAMES_MAX, FILTER_PARTS_MAX);
		return STET_OK;
	}
	make_sets(&r);
	STET_TRY(find_names(&r, locale));
	STET_TRY(add_names(&r, path));
	STET_TRY(check_taxonomies(&r, path));
	*sets = r.filter->count;
	r.filter->names = r.names;
	r.filter->name = stet_alloc(call, (r.names + 1) * sizeof(r.name[0]));
	memcpy(r.filter->name, r.name, r.names * sizeof(r.name[0]));
	return sort(call, r.filter, collection);
}

/* ---- for changes ---- */

enum stet_status
filter_follow(struct stet_call *call, const char *path, const char *text,
    struct stet_term_filter **out, const char **missing)
{
	size_t sets;

	*missing = NULL;
	STET_TRY(filter_read(call, path, text, "", NULL, out, &sets));
	for (size_t i = 0; i < (*out)->names && *missing == NULL; i++) {
		const struct term_name *n = &(*out)->name[i];

		if (n->group == NULL)
			*missing = stet_printf(call, "%s/%s", n->taxonomy, n->slug);
	}
	return STET_OK;
}

static bool
has_one(const struct set *s, const json_t *groups)
{
	for (size_t i = 0; i < json_array_size(groups); i++)
		for (size_t k = 0; k < s->count; k++)
			if (strcmp(json_string_value(json_array_get(groups, i)), s->group[k].u.s) ==
			    0)
				return true;
	return false;
}

bool
filter_passes(const struct stet_term_filter *f, const json_t *groups)
{
	for (size_t i = 0; i < f->count; i++)
		if (has_one(&f->set[i], groups) == f->set[i].exclude)
			return false;
	return true;
}

bool
filter_names(const struct stet_term_filter *f, const char *kind, const char *id)
{
	const bool term = strcmp(kind, "term") == 0;

	for (size_t i = 0; i < f->names; i++) {
		const struct term_name *n = &f->name[i];
		const size_t len = strlen(n->taxonomy);

		if (strncmp(id, n->taxonomy, len) != 0)
			continue;
		if (term ? id[len] == '/' && strcmp(id + len + 1, n->slug) == 0 : id[len] == '\0')
			return true;
	}
	return false;
}

/* ---- SQL ---- */

/* Appends the condition on a translation group: of a row k of term_item, or of an item. */
static void
put_test(struct stet_sql *sql, const struct set *s, const char *collection, bool beside)
{
	if (s->count == 0) {
		stet_sql_add(sql, s->exclude ? "" : " AND 1 = 0");
		return;
	}
	stet_sql_add(sql, s->exclude ? " AND NOT EXISTS" : " AND EXISTS");
	stet_sql_add(sql, " (SELECT 1 FROM content_term AS a WHERE a.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND a.entry_group = ");
	if (beside)
		stet_sql_add(sql, "k.entry_group");
	else {
		stet_sql_ident(sql, STET_ITEM_TABLE, collection);
		stet_sql_add(sql, ".translation_group");
	}
	stet_sql_add(sql, " AND a.taxonomy = ");
	stet_sql_bind(sql, stet_val_str(s->taxonomy));
	stet_sql_add(sql, " AND a.term_group");
	put_groups(sql, s);
	stet_sql_add(sql, ")");
}

void
filter_put(struct stet_sql *sql, const struct stet_term_filter *f, size_t i, const char *collection)
{
	put_test(sql, &f->set[i], collection, false);
}

/* The table content_term, joined for a set, has a name with the set's number. */
static const char *
joined(size_t i)
{
	static const char *const names[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
		"11", "12", "13", "14", "15", "16", "17", "18", "19" };

	_Static_assert(sizeof(names) / sizeof(names[0]) >= 2 * FILTER_PARTS_MAX, "one each");
	return names[i];
}

/* An item has one term at most once, so a join with its row is a test; it costs less than a
 * subquery. */
static bool
is_joined(const struct set *s)
{
	return s->count == 1 && !s->exclude;
}

void
filter_join(struct stet_sql *sql, const struct stet_term_filter *f, size_t i)
{
	if (!is_joined(&f->set[i]))
		return;
	stet_sql_add(sql, " CROSS JOIN content_term AS ");
	stet_sql_ident(sql, "a", joined(i));
}

void
filter_beside(
    struct stet_sql *sql, const struct stet_term_filter *f, size_t i, const char *collection)
{
	const struct set *s = &f->set[i];

	if (!is_joined(s)) {
		put_test(sql, s, collection, true);
		return;
	}
	stet_sql_add(sql, " AND ");
	stet_sql_ident(sql, "a", joined(i));
	stet_sql_add(sql, ".entry_group = k.entry_group AND ");
	stet_sql_ident(sql, "a", joined(i));
	stet_sql_add(sql, ".collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND ");
	stet_sql_ident(sql, "a", joined(i));
	stet_sql_add(sql, ".taxonomy = ");
	stet_sql_bind(sql, stet_val_str(s->taxonomy));
	stet_sql_add(sql, " AND ");
	stet_sql_ident(sql, "a", joined(i));
	stet_sql_add(sql, ".term_group = ");
	stet_sql_bind(sql, s->group[0]);
}

bool
filter_ids(struct stet_sql *sql, const struct stet_term_filter *f, size_t i, const char *collection)
{
	const struct set *s = &f->set[i];

	if (s->exclude)
		return false;
	stet_sql_add(sql, "SELECT k.item FROM term_item AS k WHERE k.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	if (s->count == 0) {
		stet_sql_add(sql, " AND 1 = 0");
		return true;
	}
	stet_sql_add(sql, " AND k.term_group");
	put_groups(sql, s);
	return true;
}

size_t
filter_terms(const struct stet_term_filter *f, size_t i)
{
	return f->set[i].exclude ? 0 : f->set[i].count;
}

int64_t
filter_size(const struct stet_term_filter *f, size_t i)
{
	return f->count > 1 && !f->set[i].exclude ? f->set[i].size : -1;
}

void
filter_walk(struct stet_sql *sql, const struct stet_term_filter *f, size_t i, size_t term,
    const char *collection, const char *status)
{
	stet_sql_add(sql, " AND k.term_group = ");
	stet_sql_bind(sql, f->set[i].group[term]);
	stet_sql_add(sql, " AND k.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND k.item_status = ");
	stet_sql_bind(sql, stet_val_str(status));
}

void
facet_join(struct stet_sql *sql, const char *collection, const char *taxonomy)
{
	stet_sql_add(sql, " CROSS JOIN content_term AS a WHERE a.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	stet_sql_add(sql, " AND a.entry_group = i.entry_group AND a.taxonomy = ");
	stet_sql_bind(sql, stet_val_str(taxonomy));
}

enum stet_status
filter_total(struct stet_call *call, const struct stet_term_filter *f, const char *collection,
    const char *locale, bool *known, int64_t *n)
{
	struct stet_rows rows;

	*known = f->count == 1 && f->set[0].count == 1 && !f->set[0].exclude;
	if (!*known)
		return STET_OK;
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COALESCE(SUM(n), 0) FROM term_count WHERE term_group = ?1 AND collection = ?2"
	    " AND locale <> '' AND locale = COALESCE(?3, locale)",
	    STET_ARGS(f->set[0].group[0].u.s, collection, locale)));
	*n = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}
