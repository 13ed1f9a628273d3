/*
 * taken.c - finds out which value of an item is used by another item, after a UNIQUE index refused
 * a write.
 */
#include "item/item.h"

/* Looks for another item of the same locale with this value in a column. */
static enum stet_status
holder(struct stet_call *call, const struct change *c, const char *prefix, const char *column,
    struct stet_val value, bool text, const char **id)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->collection->slug);
	stet_sql_add(sql, " WHERE ");
	stet_sql_ident(sql, prefix, column);
	stet_sql_add(sql, " = ");
	stet_sql_bind(sql, value);
	stet_sql_add(sql, " AND locale = ");
	stet_sql_bind(sql, stet_val_str(c->locale));
	stet_sql_add(sql, " AND id <> ");
	stet_sql_bind(sql, stet_val_str(c->id));
	/* An item in the trash keeps its slug, but other items may take its unique values. The
	 * index of texts excludes "", so the statement must exclude it, too, to use the index. */
	if (*prefix != '\0')
		stet_sql_add(sql, " AND deleted_at IS NULL");
	if (*prefix != '\0' && text) {
		stet_sql_add(sql, " AND ");
		stet_sql_ident(sql, prefix, column);
		stet_sql_add(sql, " <> ''");
	}
	stet_sql_add(sql, " LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

enum stet_status
taken_conflict(struct stet_call *call, const struct change *c, const struct values *values)
{
	const char *id;

	STET_TRY(holder(call, c, "", "slug", stet_val_str(c->slug), true, &id));
	if (id != NULL)
		return stet_fail(call, STET_SLUG_CONFLICT, "slug",
		    "The slug \"%s\" is taken by item %s", c->slug, id);
	for (size_t i = 0; values != NULL && i < c->collection->field_count; i++) {
		const struct stet_field *field = c->collection->fields[i];

		if (!field->unique || !values->given[i])
			continue;
		STET_TRY(holder(call, c, STET_FIELD_COLUMN, field->slug,
		    values_sql(call, values->value[i], plan_kind(field)),
		    field->type->storage == STET_STORE_TEXT, &id));
		if (id != NULL)
			return stet_fail(call, STET_CONFLICT, field->slug,
			    "Another item has the same value of \"%s\"", field->slug);
	}
	return stet_fault(
	    call, "a unique index of %s refused, but no item holds the value", c->collection->slug);
}
