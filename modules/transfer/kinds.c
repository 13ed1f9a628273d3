/*
 * kinds.c - collects the kinds of rows that can be exported and imported: those in the tables
 * `transfers` of the modules of this site.
 */
#include "transfer.h"

/* Calls fn for each kind that the function t->kinds returns. Copies each kind to the current size
 * of the structure, since the module may have been built when that was smaller. */
static enum stet_status
made(struct stet_call *call, const struct stet_transfer *t, size_t member, kind_fn *fn, void *arg)
{
	struct stet_table more = { NULL, 0, 0 };

	STET_TRY(t->kinds(call, &more));
	for (uint32_t i = 0; i < more.count; i++) {
		struct stet_transfer *kind = stet_alloc(call, sizeof(*kind));

		stet_table_row(&more, i, kind, sizeof(*kind));
		kind->row = stet_members(call, kind->row, member);
		STET_TRY(fn(call, kind, arg));
	}
	return STET_OK;
}

enum stet_status
kinds_each(struct stet_call *call, kind_fn *fn, void *arg)
{
	const struct stet_module_info *const *modules;
	size_t count;

	STET_TRY(stet_modules(call, &modules, &count));
	for (size_t i = 0; i < count; i++) {
		const struct stet_table *table = &modules[i]->module->transfers;

		if (!modules[i]->enabled || modules[i]->refused != NULL)
			continue;
		for (uint32_t k = 0; k < table->count; k++) {
			struct stet_transfer *t = stet_alloc(call, sizeof(*t));

			stet_table_row(table, k, t, sizeof(*t));
			STET_TRY(t->kinds != NULL ? made(call, t, modules[i]->member_size, fn, arg)
						  : fn(call, t, arg));
		}
	}
	return STET_OK;
}
