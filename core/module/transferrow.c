/* transferrow.c - validates a module's row of transfers, for a table and its references to media
 * items; and lists the rows of all enabled modules, for the module that indexes such references. */
#include "module/transferrow.h"
#include "call/call.h"
#include "call/site.h"
#include <string.h>

const char *
transferrow_lacks(const struct stet_transfer *t)
{
	if (t->dump == NULL &&
	    (t->table == NULL || t->row == NULL || t->key == NULL || t->name == NULL))
		return "table, row, key or name";
	if (t->media == NULL)
		return NULL;
	if (t->table == NULL || t->key == NULL || strchr(t->key, ' ') != NULL ||
	    t->media_kind == NULL || t->media_name == NULL)
		return "what media needs: a table, a key of one column, media_kind and media_name";
	return NULL;
}

bool
stet_transfer_at_sized(struct stet_call *call, size_t i, struct stet_transfer *out, size_t size)
{
	const struct generation *gen = call->gen;

	for (size_t k = 0; k < gen->module_count; k++) {
		const struct stet_table *table = &gen->module[k]->m.transfers;

		if (i < table->count) {
			stet_table_row(table, (uint32_t)i, out, size);
			return true;
		}
		i -= table->count;
	}
	return false;
}
