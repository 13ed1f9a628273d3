/* importer.c - finds importers of enabled modules, and passes the items that they read to the
 * module import. */
#include "call/call.h"
#include "call/owner.h"
#include <stet/importer.h>
#include <string.h>

const char *const *
stet_importers(struct stet_call *call)
{
	const struct generation *gen = call->gen;
	const char **names = stet_alloc(call, (gen->importer_count + 1) * sizeof(*names));

	for (size_t i = 0; i < gen->importer_count; i++)
		names[i] = gen->importer[i].row.name;
	return names;
}

enum stet_status
stet_importer_read(struct stet_call *call, const char *name, struct stet_source *source)
{
	const struct generation *gen = call->gen;
	const struct loaded *was = call->owner;
	enum stet_status status;

	for (size_t i = 0; i < gen->importer_count; i++) {
		const struct importer_slot *slot = &gen->importer[i];

		if (strcmp(slot->row.name, name) != 0)
			continue;
		source->call = call;
		source->owner = was;
		call->owner = slot->owner;
		owner_mark_foreign(call, slot->owner);
		status = slot->row.read(call, source);
		call->owner = was;
		return status;
	}
	return stet_fail(call, STET_NOT_FOUND, NULL, "No importer is called %.40s", name);
}

enum stet_status
stet_source_put(struct stet_source *source, enum stet_source_kind kind, json_t *thing)
{
	struct stet_call *call = source->call;
	const struct loaded *was = call->owner;
	enum stet_status status;

	call->owner = source->owner;
	status = source->take(source, kind, thing);
	call->owner = was;
	json_decref(thing);
	return status;
}
