/* transfer.c - the tables that enabled modules move, for the module that indexes references in
 * them. */
#include "call/call.h"
#include "call/site.h"
#include <stet/transfer.h>

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
