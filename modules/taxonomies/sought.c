/*
 * sought.c - finds terms by the beginning of their label or slug, while a user types.
 *
 * Each term has two keys, made from its label and its slug as slugs are made, so that case, accents
 * and punctuation do not matter. Both keys are indexed, so a search reads only the terms that it
 * returns.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

#define PART 500 /* terms that are read at once */

const char *
sought_key(struct stet_call *call, const char *text)
{
	return stet_slugify(call, stet_fold(call, text, strlen(text)));
}

/* ---- searching ---- */

/* Adds the terms whose `value`, an indexed column, begins with this text, in its order. */
static enum stet_status
add_terms(struct sought *s, const char *value, const char *begin, struct stet_rows *rows)
{
	struct stet_sql *sql = stet_sql_new(s->call);

	stet_sql_add(sql, "SELECT " TERM_COLUMNS);
	if (s->counts)
		STET_TRY(count_add(s->call, sql, s->taxonomy, s->locale));
	stet_sql_add(sql, " FROM term AS t WHERE t.taxonomy = ");
	stet_sql_bind(sql, stet_val_str(s->taxonomy->name));
	stet_sql_add(sql, " AND t.locale = ");
	stet_sql_bind(sql, stet_val_str(s->locale));
	stet_sql_add(sql, " AND ");
	stet_sql_add(sql, value);
	stet_sql_add(sql, " >= ");
	stet_sql_bind(sql, stet_val_str(begin));
	stet_sql_add(sql, " AND ");
	stet_sql_add(sql, value);
	stet_sql_add(sql, " < ");
	/* The upper bound: U+10FFFF, which no slug has, sorts after all other characters. */
	stet_sql_bind(sql, stet_val_str(stet_printf(s->call, "%s\xf4\x8f\xbf\xbf", begin)));
	stet_sql_add(sql, " ORDER BY ");
	stet_sql_add(sql, value);
	stet_sql_add(sql, ", t.id LIMIT ");
	stet_sql_bind(sql, stet_val_int(s->limit));
	return stet_sql_query(sql, rows);
}

static bool
is_there(const struct sought *s, const char *id)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->node[i].term.id, id) == 0)
			return true;
	return false;
}

static enum stet_status
take(struct sought *s, const char *value, const char *begin)
{
	struct stet_rows rows;

	if (*begin == '\0' || s->count == (size_t)s->limit)
		return STET_OK;
	STET_TRY(add_terms(s, value, begin, &rows));
	while (stet_row(&rows) && s->count < (size_t)s->limit) {
		struct node *n = &s->node[s->count];

		term_load(&rows, &n->term);
		n->count = s->counts ? stet_col_int(&rows, TERM_WIDTH) : -1;
		s->count += !is_there(s, n->term.id);
	}
	return stet_rows_end(&rows);
}

enum stet_status
sought_find(struct sought *s, const char *text)
{
	const char *key = sought_key(s->call, text);

	s->node = stet_alloc(s->call, (size_t)s->limit * sizeof(*s->node));
	STET_TRY(take(s, "t.label_key", key));
	return take(s, "t.slug_key", key);
}

/* ---- keys ---- */

struct keyed {
	const char *id, *label, *slug;
};
struct part {
	struct stet_tx *tx;
	char *last; /* id of the last term that was read */
	struct keyed term[PART]; /* terms whose keys are to be written */
	size_t count, seen;
};

/* Reads the next terms after `last`, and keeps those whose keys do not match label and slug. */
static enum stet_status
read_part(struct stet_call *call, struct part *p)
{
	const char *last = "";
	struct stet_rows rows;

	p->count = p->seen = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, label, slug, label_key, slug_key FROM term WHERE id > ?1 ORDER BY id"
	    " LIMIT ?2",
	    STET_ARGS(p->last, PART)));
	while (stet_row(&rows)) {
		const struct keyed t = { .id = stet_col_dup(&rows, 0),
			.label = sought_key(call, stet_col_str(&rows, 1)),
			.slug = sought_key(call, stet_col_str(&rows, 2)) };

		last = t.id;
		p->seen++;
		if (strcmp(t.label, stet_col_str(&rows, 3)) != 0 ||
		    strcmp(t.slug, stet_col_str(&rows, 4)) != 0)
			p->term[p->count++] = t;
	}
	free(p->last);
	p->last = strdup(last);
	if (p->last == NULL)
		stet_out_of_memory();
	return stet_rows_end(&rows);
}

/* Runs in a scope, which frees its memory: a site may have a million terms. */
static enum stet_status
key_part(struct stet_call *call, void *arg)
{
	struct part *p = arg;

	STET_TRY(read_part(call, p));
	for (size_t i = 0; i < p->count; i++) {
		const struct keyed *t = &p->term[i];

		STET_TRY(stet_exec(call, p->tx,
		    "UPDATE term SET label_key = ?2, slug_key = ?3 WHERE id = ?1",
		    STET_ARGS(t->id, t->label, t->slug)));
	}
	return STET_OK;
}

enum stet_status
sought_anew(struct stet_call *call, struct stet_tx *tx)
{
	struct part *p = stet_alloc(call, sizeof(*p));
	enum stet_status status;

	p->tx = tx;
	p->last = strdup("");
	if (p->last == NULL)
		stet_out_of_memory();
	do
		status = stet_scope(call, key_part, p);
	while (status == STET_OK && p->seen == PART);
	free(p->last);
	return status;
}
