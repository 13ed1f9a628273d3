/*
 * left.c - the row of an item as the last write has left it. Hooks of entry_changed and the answer
 * want it right after a write: a new row is known, one that was updated is read once for all. It is
 * read again as soon as any statement has written the table of the collection.
 */
#include "item/item.h"
#include <string.h>

#define TERMS "content_term" /* written by the module taxonomies */

struct left {
	const struct plan *plan;
	const struct stet_val *row; /* the columns and fields of plan->select */
	uint64_t written, tagged; /* see stet_tx_written: of the collection's table, of TERMS */
	bool own_group; /* it was inserted, with a translation group of its own */
	struct stet_item_row item;
};

static const char key;

static const char *
text(const struct stet_val *row, enum item_column column)
{
	return row[column].type == STET_V_TEXT ? row[column].u.s : NULL;
}

static struct left *
set(struct stet_call *call, const struct plan *plan, const struct stet_val *row)
{
	struct left *l = stet_alloc(call, sizeof(*l));

	*l = (struct left){ .plan = plan,
		.row = row,
		.written = stet_tx_written(call, plan->table),
		.tagged = stet_tx_written(call, TERMS),
		.item = { .id = text(row, C_ID),
		    .slug = text(row, C_SLUG),
		    .status = text(row, C_STATUS),
		    .locale = text(row, C_LOCALE),
		    .group = text(row, C_GROUP),
		    .draft = text(row, C_DRAFT),
		    .published_at = text(row, C_PUBLISHED),
		    .scheduled_at = text(row, C_SCHEDULED),
		    .version = row[C_VERSION].u.i,
		    .field = row + C_FIELDS,
		    .fields = plan->count,
		    .unpublish_at = text(row, C_UNPUBLISH) } };
	*stet_call_slot(call, &key) = l;
	return l;
}

void
left_new(struct stet_call *call, const struct plan *plan, const struct stet_val *row)
{
	struct left *l = set(call, plan, row);

	l->item.is_new = true;
	l->own_group = strcmp(l->item.group, l->item.id) == 0;
}

/* Returns what is known of this item; NULL: it has to be read. */
static struct left *
known(struct stet_call *call, const struct plan *plan, const char *id)
{
	struct left *l = stet_writing(call) ? *stet_call_slot(call, &key) : NULL;

	return l != NULL && strcmp(l->plan->slug, plan->slug) == 0 && strcmp(l->item.id, id) == 0 &&
		       l->written == stet_tx_written(call, plan->table)
		   ? l
		   : NULL;
}

/* ---- reading ---- */

static struct stet_val
copy(struct stet_call *call, struct stet_rows *rows, int column, enum column_kind kind)
{
	const char *s;
	size_t len;

	if (stet_col_null(rows, column))
		return stet_val_null();
	if (kind == AS_INTEGER || kind == AS_BOOLEAN)
		return stet_val_int(stet_col_int(rows, column));
	if (kind == AS_REAL)
		return stet_val_real(stet_col_real(rows, column));
	s = stet_col_text(rows, column, &len);
	return stet_val_strn(stet_strndup(call, s, len), len);
}

static enum column_kind
kind_of(const struct item_part *p)
{
	return p->shape.type == STET_INTEGER ? AS_INTEGER : AS_TEXT;
}

static struct left *
read_row(struct stet_call *call, const struct plan *plan, struct stet_rows *rows)
{
	struct stet_val *row = stet_alloc(call, (C_FIELDS + plan->count) * sizeof(*row));

	for (const struct item_part *p = item_parts; p->column != NULL; p++)
		if (p->at != C_FIELDS)
			row[p->at] = copy(call, rows, (int)p->at, kind_of(p));
	for (size_t i = 0; i < plan->count; i++)
		row[C_FIELDS + i] = copy(call, rows, C_FIELDS + (int)i, plan->field[i].kind);
	return set(call, plan, row);
}

/* *out NULL: there is none outside of the trash. */
static enum stet_status
find(struct stet_call *call, const struct plan *plan, const char *id, struct left **out)
{
	struct stet_rows rows;

	if ((*out = known(call, plan, id)) != NULL)
		return STET_OK;
	STET_TRY(stet_query(call, &rows, plan->by_id, STET_ARGS(id)));
	if (stet_row(&rows))
		*out = read_row(call, plan, &rows);
	return stet_rows_end(&rows);
}

enum stet_status
left_row(struct stet_call *call, const struct plan *plan, const char *id, struct stet_rows *rows)
{
	struct left *l;

	STET_TRY(find(call, plan, id, &l));
	if (l == NULL)
		return stet_fault(call, "item %s of %s is not there", id, plan->slug);
	stet_rows_made(call, rows, l->row, C_FIELDS + plan->count);
	return STET_OK;
}

enum stet_status
left_item(struct stet_call *call, const struct stet_collection *collection, const char *id,
    const struct stet_item_row **out)
{
	const struct plan *plan;
	struct left *l;

	STET_TRY(plan_get(call, collection->slug, &collection, &plan));
	STET_TRY(find(call, plan, id, &l));
	*out = l != NULL ? &l->item : NULL;
	if (l != NULL)
		l->item.untagged = l->own_group && l->tagged == stet_tx_written(call, TERMS);
	return STET_OK;
}
