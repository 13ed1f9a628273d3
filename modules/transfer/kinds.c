/* kinds.c - what the modules of this site move: the rows of their tables `transfers`. */
#include "transfer.h"

static enum stet_status
one(struct stet_call *call, const struct stet_transfer *t, kind_fn *fn, void *arg)
{
	const struct stet_transfer *more;
	size_t count;

	if (t->kinds == NULL)
		return fn(call, t, arg);
	STET_TRY(t->kinds(call, &more, &count));
	for (size_t i = 0; i < count; i++)
		STET_TRY(fn(call, &more[i], arg));
	return STET_OK;
}

enum stet_status
kinds_each(struct stet_call *call, kind_fn *fn, void *arg)
{
	const struct stet_module_info *modules;
	size_t count;

	STET_TRY(stet_modules(call, &modules, &count));
	for (size_t i = 0; i < count; i++) {
		const struct stet_table *table = &modules[i].module->transfers;

		if (!modules[i].enabled || modules[i].refused != NULL)
			continue;
		for (uint32_t k = 0; k < table->count; k++) {
			struct stet_transfer *t = stet_alloc(call, sizeof(*t));

			stet_table_row(table, k, t, sizeof(*t));
			STET_TRY(one(call, t, fn, arg));
		}
	}
	return STET_OK;
}
