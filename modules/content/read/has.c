/*
 * has.c - filters by one of many values, as SQL: along the rows of the table value_item
 * (item/many.c).
 */
#include "read/read.h"
#include <string.h>

enum stet_status
has_indexes(struct stet_call *call, const struct filter *f)
{
	for (struct value_cond *v = f->values; v != NULL; v = v->next) {
		const struct value_cond *known = f->values;

		while (known != v && strcmp(known->field, v->field) != 0)
			known = known->next;
		if (known != v)
			v->index = known->index;
		else
			STET_TRY(many_index(call, v->collection, v->field, &v->index));
	}
	return STET_OK;
}

static void
put_value(struct stet_sql *sql, const char *table, const struct value_cond *v)
{
	stet_sql_add(sql, table);
	stet_sql_add(sql, ".index_id = ");
	stet_sql_bind(sql, stet_val_int(v->index));
	stet_sql_add(sql, " AND ");
	stet_sql_add(sql, table);
	stet_sql_add(sql, ".value = ");
	stet_sql_bind(sql, stet_val_str(v->value));
}

void
has_put(struct stet_sql *sql, const struct value_cond *v, bool lacks)
{
	stet_sql_add(sql, lacks ? " AND NOT EXISTS" : " AND EXISTS");
	stet_sql_add(sql, " (SELECT 1 FROM value_item AS v WHERE v.item = ");
	stet_sql_ident(sql, STET_ITEM_TABLE, v->collection);
	stet_sql_add(sql, ".id AND ");
	put_value(sql, "v", v);
	stet_sql_add(sql, ")");
}

void
has_ids(struct stet_sql *sql, const struct value_cond *v)
{
	stet_sql_add(sql, "SELECT v.item FROM value_item AS v WHERE ");
	put_value(sql, "v", v);
}

enum stet_status
has_total(const struct walk *w, bool *known, int64_t *total)
{
	const struct filter *f = &w->filter;
	const struct value_cond *v = NULL;

	*known = false;
	if (f->sure != NULL || f->q != NULL || f->bylines != NULL)
		return STET_OK;
	for (const struct cond *c = f->conds; c != NULL; c = c->next) {
		if (c != f->status && (c->op != COND_HAS || v != NULL))
			return STET_OK;
		v = c != f->status ? c->values : v;
	}
	if (v == NULL)
		return STET_OK;
	*known = true;
	return many_count_read(
	    w->call, v->index, v->value, f->status != NULL ? f->status->value[0].u.s : NULL, total);
}

void
has_walk(struct stet_sql *sql, const struct value_cond *v, const char *status)
{
	stet_sql_add(sql, " AND ");
	put_value(sql, "k", v);
	stet_sql_add(sql, " AND k.item_status = ");
	stet_sql_bind(sql, stet_val_str(status));
}
