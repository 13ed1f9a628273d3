/*
 * known.c - which terms items have, and the terms as JSON, kept with the snapshot for include=terms
 * (beside.c): the lists of many callers show the same items, and their items the same terms.
 *
 * It is bounded: when it is full, and whenever not all of something could be read, later calls
 * begin again. So do calls with locales that the site does not have, or of a site with many
 * locales, whose terms are only read in the locales of the page.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024 /* a power of two */
#define KNOWN_MAX 4000 /* items and terms together */
#define BYTES_MAX ((size_t)1 << 20) /* of terms as JSON */
#define LOCALES_MAX 8 /* of a site whose terms are read in all locales */

struct known {
	struct stet_call *call; /* that uses it now */
	bool shared; /* its memory is the snapshot's */
	bool complete; /* nothing is missing */
	bool incomplete; /* this use leaves something out */
	struct known_entry *entry[BUCKETS];
	struct known_term *term[BUCKETS];
	size_t count, bytes;
	struct stet_val locale[LIST_MAX];
	size_t locales;
};

static void *
alloc(const struct known *k, size_t size)
{
	return k->shared ? stet_snapshot_alloc(k->call, size) : stet_alloc(k->call, size);
}

static const char *
copy(const struct known *k, const char *text, size_t len)
{
	return memcpy(alloc(k, len + 1), text, len);
}

/* ---- locales ---- */

/* Adds a locale. Returns false if it was there. */
static bool
add_locale(struct known *k, const char *locale)
{
	for (size_t i = 0; i < k->locales; i++)
		if (strcmp(k->locale[i].u.s, locale) == 0)
			return false;
	if (k->locales < LIST_MAX)
		k->locale[k->locales++] = stet_val_str(locale);
	return true;
}

/* Sets the locales in which terms are read: all of the site, or the default one and those of the
 * page. Returns whether they are all. */
static bool
set_locales(struct known *k, const struct stet_include_page *page)
{
	const char *const *all = stet_locales(k->call);
	bool whole = true;

	k->locales = 0;
	for (size_t i = 0; all[i] != NULL && i <= LOCALES_MAX; i++)
		(void)add_locale(k, all[i]);
	if (k->locales > LOCALES_MAX) {
		k->locales = 1;
		whole = false;
	}
	for (size_t i = 0; i < page->count; i++)
		whole = !add_locale(k, page->item[i]->locale) && whole;
	return whole;
}

void
known_locales(const struct known *k, struct stet_sql *sql)
{
	stet_sql_list(sql, k->locale, k->locales);
}

/* ---- one use of it ---- */

static const char slot_key;

struct known *
known_begin(struct stet_call *call, const struct stet_include_page *page)
{
	struct known own = { .call = call }, *k;
	void **slot = set_locales(&own, page) ? stet_snapshot_slot(call, &slot_key) : NULL;

	k = slot != NULL ? *slot : NULL;
	if (k == NULL || !k->complete || k->count > KNOWN_MAX || k->bytes > BYTES_MAX) {
		own.shared = slot != NULL;
		k = alloc(&own, sizeof(*k));
		*k = own;
		if (slot != NULL)
			*slot = k;
	}
	k->call = call;
	memcpy(k->locale, own.locale, sizeof(own.locale));
	k->locales = own.locales;
	k->complete = false;
	k->incomplete = false;
	return k;
}

void
known_end(struct known *k)
{
	k->complete = !k->incomplete;
}

void
known_incomplete(struct known *k)
{
	k->incomplete = true;
}

/* ---- items ---- */

struct known_entry *
known_entry(struct known *k, const char *collection, const char *group)
{
	struct known_entry **bucket = &k->entry[stet_hash(group) % BUCKETS], *e = *bucket;

	while (
	    e != NULL && (strcmp(e->group, group) != 0 || strcmp(e->collection, collection) != 0))
		e = e->next;
	if (e != NULL)
		return e;
	e = alloc(k, sizeof(*e));
	*e = (struct known_entry){ .next = *bucket,
		.collection = copy(k, collection, strlen(collection)),
		.group = copy(k, group, strlen(group)) };
	*bucket = e;
	k->count++;
	return e;
}

void
known_add(struct known *k, struct known_entry *e, struct known_term *t)
{
	struct known_term **more;

	if ((e->count & (e->count - 1)) == 0) {
		more = alloc(k, (2 * e->count + 1) * sizeof(struct known_term *));
		if (e->count > 0)
			memcpy(more, e->term, e->count * sizeof(struct known_term *));
		e->term = more;
	}
	e->term[e->count++] = t;
}

/* ---- terms ---- */

struct known_term *
known_term(struct known *k, const char *group)
{
	struct known_term **bucket = &k->term[stet_hash(group) % BUCKETS], *t = *bucket;

	while (t != NULL && strcmp(t->group, group) != 0)
		t = t->next;
	if (t != NULL)
		return t;
	t = alloc(k, sizeof(*t));
	*t = (struct known_term){
		.next = *bucket, .group = copy(k, group, strlen(group)), .taxonomy = ""
	};
	*bucket = t;
	k->count++;
	return t;
}

void
known_row(struct known *k, const struct term *term)
{
	struct known_term *t = known_term(k, term->group);
	struct known_row *row = alloc(k, sizeof(*row));
	struct stet_json *json = stet_json_new(k->call);
	const char *text;
	size_t len;

	term_open(json, NULL, term);
	stet_close(json);
	text = stet_json_text(json, &len);
	if (t->row == NULL) {
		t->taxonomy = copy(k, term->taxonomy, strlen(term->taxonomy));
		t->position = term->position;
	}
	*row = (struct known_row){ t->row, copy(k, term->id, strlen(term->id)),
		copy(k, term->locale, strlen(term->locale)), copy(k, text, len), len };
	t->row = row;
	k->bytes += len;
}

const struct known_row *
known_nearest(const struct known *k, const struct known_term *t, const char *locale)
{
	const struct known_row *found = NULL;

	for (const struct known_row *row = t->row; row != NULL; row = row->next) {
		if (strcmp(row->locale, locale) == 0)
			return row;
		if (strcmp(row->locale, k->locale[0].u.s) == 0)
			found = row;
	}
	return found;
}

int
known_order(const struct known_term *x, const struct known_term *y)
{
	int d = strcmp(x->taxonomy, y->taxonomy);

	if (d == 0 && x->position != y->position)
		d = x->position < y->position ? -1 : 1;
	return d != 0 ? d : strcmp(x->group, y->group);
}

static int
by_order(const void *a, const void *b)
{
	return known_order(
	    *(const struct known_term *const *)a, *(const struct known_term *const *)b);
}

void
known_sort(struct known_entry *e)
{
	if (!e->sorted && e->count > 1)
		qsort(e->term, e->count, sizeof(struct known_term *), by_order);
	e->sorted = true;
}
