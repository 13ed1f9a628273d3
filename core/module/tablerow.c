/* tablerow.c - rows of a descriptor's tables, in our size of them. */
#include "base/log.h"
#include "call/call.h"
#include <stet/table.h>

void
stet_table_row(const struct stet_table *table, uint32_t i, void *row, size_t size)
{
	stet_assert(i < table->count);
	stet_extend(row, size, (const char *)table->row + (size_t)i * table->stride, table->stride);
}
