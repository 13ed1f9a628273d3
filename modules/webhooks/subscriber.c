/* subscriber.c - the enabled targets, and which of them an event is delivered to. */
#include "webhooks.h"
#include <string.h>

/* Returns true if the stored list has this name. Names contain nothing that JSON escapes, so a
 * search in the text is enough. */
static bool
lists(struct stet_call *call, const char *list, const char *name)
{
	return strstr(list, stet_printf(call, "\"%s\"", name)) != NULL;
}

/* An empty list means all events except purges, which are useful only to caches, and what editors
 * say to one another, which must not leave the site unless an administrator names it. */
static bool
is_for_all(const char *event)
{
	return strcmp(event, EVENT_PURGE) != 0 && strncmp(event, "note.", 5) != 0 &&
	       strncmp(event, "review.", 7) != 0;
}

static bool
wants(struct stet_call *call, const struct subscriber *s, const struct happening *h)
{
	const char *family = stet_printf(call, "%.*s.*", (int)strcspn(h->event, "."), h->event);
	bool all = strcmp(s->events, "[]") == 0 && is_for_all(h->event);

	if (!all && !lists(call, s->events, h->event) && !lists(call, s->events, family))
		return false;
	return strcmp(s->collections, "[]") == 0 ||
	       (h->collection != NULL && lists(call, s->collections, h->collection));
}

enum stet_status
subscriber_list(struct stet_call *call, struct subscriber **out)
{
	static const char key, none; /* the slot points to `none` if there are no targets */
	void **slot = stet_tx_slot(call, &key, "webhook");
	struct stet_rows rows;

	*out = NULL;
	if (slot != NULL && *slot != NULL)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, events, collections, waiting, failing, retry_at, due_at FROM webhook"
	    " WHERE enabled = 1 ORDER BY created_at, id",
	    STET_NO_ARGS));
	while (stet_row(&rows)) {
		struct subscriber *s = stet_alloc(call, sizeof(*s));

		*s = (struct subscriber){ .next = *out,
			.id = stet_col_dup(&rows, 0),
			.events = stet_col_dup(&rows, 1),
			.collections = stet_col_dup(&rows, 2),
			.waiting = stet_col_int(&rows, 3),
			.backoff = { stet_col_int(&rows, 4), stet_col_dup(&rows, 5) },
			.due_at = stet_col_dup(&rows, 6) };
		*out = s;
	}
	STET_TRY(stet_rows_end(&rows));
	if (slot != NULL && *out == NULL)
		*slot = (void *)(uintptr_t)&none;
	return STET_OK;
}

bool
subscriber_wants(struct stet_call *call, const struct subscriber *all, const struct happening *h)
{
	while (all != NULL && !wants(call, all, h))
		all = all->next;
	return all != NULL;
}

enum stet_status
subscriber_deliver(struct stet_call *call, struct stet_tx *tx, const struct subscriber *all,
    const struct happening *h)
{
	for (; all != NULL; all = all->next)
		if (wants(call, all, h))
			STET_TRY(queue_add(call, tx, all, h));
	return STET_OK;
}
