/*
 * moved.c - releases in transfer files: open ones, and their changes. A publication and a schedule
 * belong to one installation. What is imported is checked like what is added by a request.
 */
#include "releases.h"
#include <string.h>

static const struct stet_member release_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING },
	{ "status", STET_STRING, STET_REQUIRED, STET_CHOICES("open") },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_STRING, STET_REQUIRED },
	{ "allowMissing", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member change_row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "releaseId", STET_STRING, STET_REQUIRED },
	{ "subject", STET_STRING, STET_REQUIRED },
	{ "kind", STET_STRING, STET_REQUIRED, STET_CHOICES("item", "term", "menu", "settings") },
	{ "action", STET_STRING, STET_CHOICES("publish", "unpublish", "delete") },
	{ "collection", STET_STRING },
	{ "item", STET_STRING },
	{ "name", STET_STRING },
	{ "slug", STET_STRING },
	{ "locale", STET_STRING },
	{ "content", STET_ANY },
	{ "base", STET_ANY },
	{ "addedAt", STET_STRING, STET_REQUIRED },
	{ "rank", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};

static bool
is_deleted(const char *change)
{
	return strcmp(change, "delete") == 0;
}

/* The row has been written: that it was not open is seen by what files do not have. */
static enum stet_status
release_moved(struct stet_call *call, struct stet_tx *tx, const void *arg, const char *change,
    const json_t *key)
{
	struct release r;

	(void)tx;
	(void)arg;
	if (is_deleted(change))
		return STET_OK;
	STET_TRY(release_find(call, text_of(key, "id"), &r));
	return r.scheduled_at == NULL && !r.is_published
		   ? STET_OK
		   : stet_fail(call, STET_CONFLICT, NULL,
			 "The release is %s here: %s it, then import",
			 r.is_published ? "published" : "scheduled",
			 r.is_published ? "undo" : "cancel the schedule of");
}

static enum stet_status
check_parent(struct stet_call *call, const char *id)
{
	struct release r;

	STET_TRY(release_find(call, id, &r));
	if (!release_is(&r, "open"))
		return stet_fail(call, STET_CONFLICT, NULL,
		    "The release %s is %s here: its changes cannot be replaced", r.name, r.status);
	return changes_count(call, &r);
}

static enum stet_status
change_moved(struct stet_call *call, struct stet_tx *tx, const void *arg, const char *change,
    const json_t *key)
{
	const char *release;
	struct change c;
	bool sound;

	(void)tx;
	(void)arg;
	if (is_deleted(change))
		return STET_OK;
	STET_TRY(change_find(call, text_of(key, "id"), &c, &release, &sound));
	if (c.kind == ITEM && c.action == NULL)
		stet_issue(call, "action", "is required of an item");
	else if (!sound)
		stet_issue(call, "subject", "does not name what is changed, or rank not its place");
	if (c.content != NULL && !json_is_object(c.content))
		stet_issue(call, "content", "must be an object");
	kinds[c.kind]->check(call, "change", &c);
	STET_TRY(stet_issues(call));
	return check_parent(call, release);
}

const struct stet_transfer release_transfers[2] = {
	{ .kind = "releases",
	    .table = "release",
	    .row = release_row,
	    .key = "id",
	    .name = "t.name",
	    .where = "t.status = 'open'",
	    .changed = release_moved },
	{ .kind = "release-changes",
	    .table = "release_change",
	    .row = change_row,
	    .key = "id",
	    .many = true,
	    .name = "r.name",
	    .join = "JOIN release AS r ON r.id = t.release_id",
	    .where = "r.status = 'open'",
	    .order = "t.id",
	    .changed = change_moved },
};
