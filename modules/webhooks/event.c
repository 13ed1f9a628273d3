/* event.c - the names of events, their subjects, and the body of a delivery. */
#include "webhooks.h"
#include <string.h>

static const char *const known[] = { "content.*", "content.create", "content.update",
	"content.stage", "content.publish", "content.unpublish", "content.schedule",
	"content.overdue", "content.discard", "content.delete", "content.restore", "content.purge",
	"collection.*", "collection.create", "collection.update", "collection.delete", "comment.*",
	"comment.create", "comment.moderate", "note.*", "note.create", "note.update",
	"note.resolve", "note.reopen", "note.delete", "review.*", "review.open", "review.approved",
	"review.returned", "review.withdrawn", "review.published", "byline.*", "byline.save",
	"byline.delete", "release.*", "release.publish", "release.undo", "release.overdue",
	"cache.*", EVENT_PURGE };

bool
event_known(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i], name) == 0)
			return true;
	return false;
}

const char *
event_names(struct stet_call *call)
{
	const char *all = known[0];

	for (size_t i = 1; i < sizeof(known) / sizeof(known[0]); i++)
		all = stet_printf(call, "%s, %s", all, known[i]);
	return all;
}

/* Families of events, each with the member of the payload that names the subject. Comments have the
 * subject of their item, so that a reply is sent after the comment that it answers. */
static const struct {
	const char *family, *kind, *member;
} subjects[] = {
	{ "content.", "i", "id" },
	{ "comment.", "i", "contentId" },
	{ "note.", "i", "contentId" },
	{ "review.", "i", "contentId" },
	{ "collection.", "c", "collection" },
	{ "byline.", "b", "id" },
	{ "release.", "r", "id" },
};

const char *
event_subject(struct stet_call *call, const char *event, const json_t *data)
{
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		const char *id = json_string_value(json_object_get(data, subjects[i].member));

		if (id != NULL &&
		    strncmp(event, subjects[i].family, strlen(subjects[i].family)) == 0)
			return stet_printf(call, "%s:%s", subjects[i].kind, id);
	}
	return "";
}

const char *
event_body(struct stet_call *call, const char *delivery, const char *event, const char *now,
    const char *data)
{
	struct stet_json *out = stet_json_new(call);

	stet_object(out, NULL);
	stet_put_str(out, "id", delivery);
	stet_put_str(out, "event", event);
	stet_put_str(out, "createdAt", now);
	stet_put_str(out, "site", stet_base_url(call));
	stet_put_raw(out, "data", data, strlen(data));
	stet_close(out);
	return stet_json_text(out, NULL);
}
