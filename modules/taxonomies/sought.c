/*
 * sought.c - finds terms by the beginning of their label or slug, for people who type.
 *
 * Each term has a key: its label as a slug is made from it, so without regard to case and
 * punctuation. An index has the terms by it, so a search reads only the terms that it returns.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <string.h>

#define PART 500 /* terms that are read at once */

const char *
sought_key(struct stet_call *call, const char *label)
{
	return stet_slugify(call, label);
}

/* ---- searching ---- */

/* Terms of which this value, a column or an expression that has an index, begins with this text, in
 * its order. */
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
	/* U+10FFFF, which no slug has, is behind all other characters. */
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

/* As lower() of SQL: letters from A to Z. */
static const char *
lowered(struct stet_call *call, const char *text)
{
	char *out = stet_strdup(call, text);

	for (char *c = out; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return out;
}

enum stet_status
sought_find(struct sought *s, const char *text)
{
	s->node = stet_alloc(s->call, (size_t)s->limit * sizeof(*s->node));
	STET_TRY(take(s, "t.label_key", sought_key(s->call, text)));
	return take(s, "lower(t.slug)", lowered(s->call, text));
}

/* ---- keys ---- */

struct part {
	struct stet_tx *tx;
	char *last; /* id of the last term that was read */
	const char *id[PART], *key[PART];
	size_t count, seen;
};

/* The terms after `last` whose key is not that of their label. */
static enum stet_status
read_part(struct stet_call *call, struct part *p)
{
	const char *last = "";
	struct stet_rows rows;

	p->count = p->seen = 0;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, label, label_key FROM term WHERE id > ?1 ORDER BY id LIMIT ?2",
	    STET_ARGS(p->last, PART)));
	while (stet_row(&rows)) {
		const char *key = sought_key(call, stet_col_str(&rows, 1));

		last = stet_col_dup(&rows, 0);
		p->seen++;
		if (strcmp(key, stet_col_str(&rows, 2)) == 0)
			continue;
		p->id[p->count] = last;
		p->key[p->count++] = key;
	}
	free(p->last);
	p->last = strdup(last);
	if (p->last == NULL)
		stet_out_of_memory();
	return stet_rows_end(&rows);
}

/* In a scope of its own: a site may have a million terms. */
static enum stet_status
key_part(struct stet_call *call, void *arg)
{
	struct part *p = arg;

	STET_TRY(read_part(call, p));
	for (size_t i = 0; i < p->count; i++)
		STET_TRY(stet_exec(call, p->tx, "UPDATE term SET label_key = ?2 WHERE id = ?1",
		    STET_ARGS(p->id[i], p->key[i])));
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
