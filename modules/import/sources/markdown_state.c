/* markdown_state.c - whether a document is public, by its dates. */
#include "read/text.h"
#include "sources/markdown.h"
#include <stet/call.h>
#include <string.h>

/* Returns a time of the front matter as ISO 8601, or NULL. */
static const char *
time_of(const struct document *d, const json_t *value)
{
	return json_is_string(value) ? text_time(d->call, json_string_value(value)) : NULL;
}

static enum stet_status
tell(const struct document *d, const char *what)
{
	return source_notice(d->source, d->name, false, what);
}

enum stet_status
document_take_state(struct document *d)
{
	const char *now = stet_time_text(d->call, stet_now(d->call));
	const json_t *from = document_front(d, " publishdate ");
	const char *until = time_of(d, document_front(d, " expirydate unpublishdate "));
	const char *status = json_string_value(json_object_get(d->item, "status")), *time;

	if (json_is_string(from)) /* whatever its date is */
		(void)json_object_set(d->item, "published", (json_t *)(uintptr_t)from);
	/* stet's own exports say all of it. */
	if (strcmp(status, "draft") == 0 || json_object_get(d->fields, "_stet") != NULL)
		return STET_OK;
	if (until != NULL && strcmp(until, now) < 0) {
		document_set(d->item, "status", "draft");
		return tell(d, "It has expired, so it is a draft");
	}
	time = time_of(d, json_object_get(d->item, "published"));
	if (time == NULL || strcmp(time, now) <= 0)
		return STET_OK;
	document_set(d->item, "status", "draft");
	(void)json_object_del(d->item, "published");
	(void)json_object_set_new(d->fields, "_stet", json_pack("{ss}", "scheduledAt", time));
	return tell(
	    d, stet_printf(d->call, "Its date is in the future: it will be published at %s", time));
}
