/*
 * shown.c - the terms of an item in replies, each in the locale of the item, or else in the site's
 * default locale: the stored terms, or those of the item's draft.
 */
#include "taxonomies.h"
#include <string.h>

/* The rows of one term in all locales. */
struct shown {
	struct term *row;
	size_t count, room;
};

static void
add_shown(struct stet_call *call, struct shown *s, struct stet_rows *rows)
{
	if (s->count == s->room) {
		struct term *more = stet_alloc(call, (s->room = 2 * s->room + 4) * sizeof(*more));

		if (s->count > 0)
			memcpy(more, s->row, s->count * sizeof(*more));
		s->row = more;
	}
	term_load(rows, &s->row[s->count++]);
}

static const struct term *
in_locale(const struct shown *s, const char *locale)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->row[i].locale, locale) == 0)
			return &s->row[i];
	return NULL;
}

static void
put_unresolved(struct stet_json *out, const struct shown *s)
{
	stet_object(out, NULL);
	stet_put_str(out, "translationGroup", s->row[0].group);
	stet_array(out, "availableLocales");
	for (size_t i = 0; i < s->count; i++)
		stet_put_str(out, NULL, s->row[i].locale);
	stet_close(out);
	stet_array(out, "translations");
	for (size_t i = 0; i < s->count; i++) {
		stet_object(out, NULL);
		stet_put_str(out, "id", s->row[i].id);
		stet_put_str(out, "slug", s->row[i].slug);
		stet_put_str(out, "locale", s->row[i].locale);
		stet_close(out);
	}
	stet_close(out);
	stet_close(out);
}

/* Writes the term in the locale of the item, or else in the default locale, or else into
 * `unresolved`. */
static void
put_shown(struct stet_call *call, struct stet_json *out, struct stet_json *unresolved,
    const struct shown *s, const char *locale)
{
	const struct term *t = in_locale(s, locale);

	if (s->count == 0)
		return;
	if (t == NULL)
		t = in_locale(s, stet_locales(call)[0]);
	if (t == NULL) {
		put_unresolved(unresolved, s);
		return;
	}
	term_open(out, NULL, t);
	stet_close(out);
}

/* Writes the terms of the rows, which come by group, and ends the rows. */
static enum stet_status
put_rows(struct stet_call *call, struct stet_json *out, struct stet_json *unresolved,
    struct stet_rows *rows, const char *locale)
{
	struct shown s = { 0 };

	while (stet_row(rows)) {
		add_shown(call, &s, rows);
		if (strcmp(s.row[0].group, s.row[s.count - 1].group) == 0)
			continue;
		s.count--;
		put_shown(call, out, unresolved, &s, locale);
		s.row[0] = s.row[s.count];
		s.count = 1;
	}
	put_shown(call, out, unresolved, &s, locale);
	return stet_rows_end(rows);
}

/* The terms of an item, and where they go. */
struct listing {
	struct stet_call *call;
	struct stet_json *out, *unresolved;
	const char *collection, *group, *taxonomy, *locale;
};

static enum stet_status
put_stored(const struct listing *l, struct stet_json *unresolved)
{
	struct stet_rows rows;

	STET_TRY(stet_query(l->call, &rows,
	    "SELECT " TERM_COLUMNS " FROM content_term AS a CROSS JOIN term AS t"
	    " WHERE a.collection = ?1 AND a.entry_group = ?2 AND a.taxonomy = ?3"
	    " AND t.translation_group = a.term_group" TERM_LIVES " ORDER BY a.term_group, t.locale",
	    STET_ARGS(l->collection, l->group, l->taxonomy)));
	return put_rows(l->call, l->out, unresolved, &rows, l->locale);
}

static enum stet_status
put_kept(const struct listing *l, const json_t *kept)
{
	struct stet_rows rows;

	for (size_t i = 0; i < json_array_size(kept);) {
		struct stet_sql *sql = stet_sql_new(l->call);

		stet_sql_add(sql, "SELECT " TERM_COLUMNS " FROM term AS t WHERE t.taxonomy = ");
		stet_sql_bind(sql, stet_val_str(l->taxonomy));
		stet_sql_add(sql, " AND t.translation_group IN ");
		i += add_texts(l->call, sql, kept, i);
		stet_sql_add(sql, TERM_LIVES " ORDER BY t.translation_group, t.locale");
		STET_TRY(stet_sql_query(sql, &rows));
		STET_TRY(put_rows(l->call, l->out, l->unresolved, &rows, l->locale));
	}
	return STET_OK;
}

/* kept NULL: the item's draft has no terms of this taxonomy. */
enum stet_status
shown_put_kept(struct stet_call *call, struct stet_json *out, const char *collection,
    const char *entry_group, const char *taxonomy, const char *locale, const json_t *kept)
{
	struct listing l = { call, out, stet_json_new(call), collection, entry_group, taxonomy,
		locale };
	const char *text;
	size_t len;

	stet_object(out, NULL);
	stet_array(out, "terms");
	stet_array(l.unresolved, NULL);
	STET_TRY(kept != NULL ? put_kept(&l, kept) : put_stored(&l, l.unresolved));
	stet_close(out);
	stet_close(l.unresolved);
	text = stet_json_text(l.unresolved, &len);
	stet_put_raw(out, "unresolved", text, len);
	if (kept != NULL) {
		struct stet_json *nowhere = stet_json_new(call);

		stet_array(nowhere, NULL);
		stet_array(out, "liveTerms");
		STET_TRY(put_stored(&l, nowhere));
		stet_close(out);
	}
	stet_put_str(out, "entryLocale", locale);
	stet_put_str(out, "defaultLocale", stet_locales(call)[0]);
	stet_put_bool(out, "implicitDefaultLocale", stet_locales(call)[1] == NULL);
	stet_close(out);
	return STET_OK;
}

enum stet_status
shown_put(struct stet_call *call, struct stet_json *out, const char *collection,
    const char *entry_group, const char *taxonomy, const char *locale)
{
	return shown_put_kept(call, out, collection, entry_group, taxonomy, locale, NULL);
}
