/* insert.c - inserts the row of a new item, and counts the item. */
#include "write/write.h"
#include <string.h>

/* Sets what follows from the change, and the times that are not given. */
static void
complete(struct stet_call *call, const struct change *c, struct stet_val *column)
{
	static const enum item_column times[] = { C_CREATED, C_UPDATED };

	column[C_ID] = stet_val_str(c->id);
	column[C_SLUG] = stet_val_str(c->slug);
	column[C_STATUS] = stet_val_str(c->status);
	column[C_AUTHOR] = stet_val_str(c->author);
	column[C_VERSION] = stet_val_int(c->version);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (column[times[i]].type == STET_V_NULL)
			column[times[i]] = stet_val_str(stet_time_text(call, stet_now(call)));
}

enum stet_status
item_insert(struct stet_call *call, struct stet_tx *tx, const struct change *c,
    struct stet_val *column, const json_t *const *value, const struct values *given)
{
	const struct plan *plan = c->plan;
	struct stet_val *v = stet_alloc(call, (C_FIELDS + plan->count) * sizeof(*v));
	struct stet_val *fields = column + C_FIELDS;
	size_t n = 0;
	enum stet_status status;

	complete(call, c, column);
	for (const struct item_part *p = item_parts; p->column != NULL; p++)
		if ((p->use & STET_ITEM_INSERTED) != 0)
			v[n++] = column[p->at];
	for (size_t i = 0; i < plan->count; i++)
		v[n++] = fields[i] = values_sql(call, value[i], plan->field[i].kind);
	status = stet_exec_later(call, tx, STET_LATER_HOPED, plan->table, plan->insert, v, n);
	if (status == STET_CONFLICT)
		return taken_conflict(call, c, given);
	STET_TRY(status);
	left_new(call, plan, column);
	STET_TRY(count_new(call, tx, c, fields));
	return many_settle(call, tx, plan, c->id);
}
