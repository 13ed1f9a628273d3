/* memberlist.c - the lists of members that rows of a descriptor refer to: shapes of operations and
 * of transfers, members of settings, and forms. */
#include "module/memberlist.h"
#include <stddef.h>

/* Where rows refer to lists of members. */
static const struct list {
	size_t table, size, at; /* offset of the table; of our rows; offset of the pointer there */
} lists[] = {
#define LIST(table_, type_, member_)                                        \
	{                                                                   \
		offsetof(struct stet_module, table_), sizeof(struct type_), \
		    offsetof(struct type_, member_)                         \
	}
	LIST(ops, stet_op, in),
	LIST(ops, stet_op, out),
	LIST(transfers, stet_transfer, row),
	LIST(settings, stet_setting_def, member.of),
	LIST(field_types, stet_field_type, validation),
	LIST(field_types, stet_field_type, options),
	LIST(importers, stet_importer, options),
#undef LIST
};

void
memberlist_widen(struct stet_module *copy, void *rows, struct widening *w)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct stet_table *table =
		    (const void *)((const char *)copy + lists[i].table);

		for (uint32_t k = 0; rows == table->row && k < table->count; k++) {
			const struct stet_member **list =
			    (void *)((char *)rows + k * lists[i].size + lists[i].at);

			*list = widen(w, *list);
		}
	}
}
