/*
 * untagged.c - remembers in a write that the change feed has found no terms of an item, so that
 * count.c need not ask again.
 */
#include "taxonomies.h"
#include <string.h>

struct untagged {
	const char *collection, *id;
	uint64_t written; /* see stet_tx_written: it is true until somebody writes terms */
};

static const char key;

static uint64_t
written(struct stet_call *call)
{
	return stet_tx_written(call, "content_term");
}

void
untagged_note(struct stet_call *call, const char *collection, const char *id, bool untagged)
{
	struct untagged *u = NULL;

	if (untagged) {
		u = stet_alloc(call, sizeof(*u));
		*u = (struct untagged){ stet_strdup(call, collection), stet_strdup(call, id),
			written(call) };
	}
	*stet_call_slot(call, &key) = u;
}

bool
untagged_is(struct stet_call *call, const char *collection, const char *id)
{
	const struct untagged *u = *stet_call_slot(call, &key);

	return u != NULL && strcmp(u->id, id) == 0 && strcmp(u->collection, collection) == 0 &&
	       u->written == written(call);
}
