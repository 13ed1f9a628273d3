/* parts.c - the sections and menus of earlier imports. One that was changed here since is never
 * overwritten. */
#include "item/parts.h"
#include "state/outcome.h"
#include <string.h>

/* Menus and sections share the numbering of items, so their ids are stored with a prefix. */
static const char *
name_of(struct stet_call *call, const char *kind, const char *source)
{
	return stet_printf(call, "%s%s", kind, source);
}

enum stet_status
part_find(struct stet_call *call, const struct run *run, const char *kind, const char *source,
    struct kept *out)
{
	return ids_find(call, run, name_of(call, kind, source), out);
}

enum stet_status
part_put(struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *kind,
    const char *source, const char *item, const char *hash, const char *changed)
{
	const struct kept k = { .collection = kind,
		.item = item,
		.slug = changed != NULL ? changed : "",
		.hash = hash,
		.version = 1 };

	return ids_put(call, tx, run, name_of(call, kind, source), &k);
}

const char *
part_outcome(const struct run *run, const struct kept *kept, const char *hash, const char *changed,
    const char **reason)
{
	*reason = NULL;
	if (!run->updates)
		return changed != NULL ? OUTCOME_SKIPPED : NULL;
	if (changed == NULL) {
		*reason = "It was deleted here";
		return OUTCOME_SKIPPED;
	}
	if (strcmp(kept->hash, hash) == 0)
		return OUTCOME_UNCHANGED;
	if (strcmp(kept->slug, changed) == 0)
		return OUTCOME_UPDATED;
	*reason = "It was changed here, and in the source";
	return OUTCOME_CONFLICT;
}
