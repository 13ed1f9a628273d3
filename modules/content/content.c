/*
 * content - items in collections: reading, lists, writing, revisions, scheduling, slugs, rights,
 * import and export.
 *
 * item/ has what an item is in the database and as JSON, read/ the ops that read, write/ those
 * that write, move/ imports, exports and verify, markdown/ Portable Text as Markdown and back.
 * This file has the tables of the module.
 */
#include "item/item.h"
#include "markdown/markdown.h"
#include "move/move.h"
#include "read/read.h"
#include "write/write.h"
#include <stet/check.h>
#include <string.h>

static const char *
text_of(struct stet_call *call, const json_t *item, const char *name)
{
	const json_t *v = json_object_get(item, name);

	if (v != NULL && !json_is_null(v) && !json_is_string(v))
		stet_issue(call, name, "must be a string");
	return json_string_value(v);
}

static struct maybe
time_of(struct stet_call *call, const json_t *item, const char *name)
{
	struct maybe m = { json_object_get(item, name) != NULL, text_of(call, item, name) };
	int64_t ms;

	if (m.text != NULL && !stet_time_parse(m.text, &ms)) {
		stet_issue(call, name, "must be an ISO 8601 date and time");
		m.text = NULL;
	} else if (m.text != NULL)
		m.text = stet_time_text(call, ms);
	return m;
}

/* ---- the service content/1 ---- */

struct creation {
	struct stet_tx *tx;
	struct create in;
	const char **id;
	const char *scheduled_at, *unpublish_at; /* NULL: it is not scheduled */
	const char *message, *markup; /* of one that was refused */
};

static enum stet_status
create(struct stet_call *call, void *arg)
{
	struct creation *c = arg;
	const struct stet_collection *collection;
	const struct plan *plan;
	struct stet_rows rows;

	STET_TRY(item_create(call, c->tx, &c->in, &collection, &plan, &rows));
	*c->id = stet_col_dup(&rows, C_ID);
	STET_TRY(stet_rows_end(&rows));
	return item_schedule(
	    call, c->tx, c->in.collection, *c->id, c->scheduled_at, c->unpublish_at);
}

/* An object or array of `item`; NULL: it has none. */
static const json_t *
part_of(const json_t *item, const char *name)
{
	const json_t *value = json_object_get(item, name);

	return json_is_null(value) ? NULL : value;
}

/* `item` has the form of the body of POST /content/:collection, with updatedAt and authorId. */
static enum stet_status
read_item(struct stet_call *call, const json_t *item, struct create *in)
{
	if (!json_is_object(item) || !json_is_object(json_object_get(item, "data")))
		return stet_fail(call, STET_VALIDATION_ERROR, "data", "is required: an object");
	in->data = json_object_get(item, "data");
	in->slug = text_of(call, item, "slug");
	in->status = text_of(call, item, "status");
	in->locale = text_of(call, item, "locale");
	in->translation_of = text_of(call, item, "translationOf");
	in->author = text_of(call, item, "authorId");
	in->published_at = time_of(call, item, "publishedAt");
	in->created_at = time_of(call, item, "createdAt");
	in->updated_at = time_of(call, item, "updatedAt");
	in->bylines = part_of(item, "bylines");
	in->taxonomies = part_of(item, "taxonomies");
	extra_read(item, in->extra);
	return STET_OK;
}

static enum stet_status
service_create(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const json_t *item, const char **id)
{
	struct creation c = { .tx = tx, .in.collection = collection, .id = id };

	STET_TRY(read_item(call, item, &c.in));
	c.scheduled_at = time_of(call, item, "scheduledAt").text;
	c.unpublish_at = time_of(call, item, "unpublishAt").text;
	return stet_as_service(call, STET_CONTENT_1, create, &c);
}

static enum stet_status
create_failed(struct stet_call *call, void *arg)
{
	struct creation *c = arg;

	return item_create_failed(call, c->tx, &c->in, c->message, c->markup, c->id);
}

static enum stet_status
service_create_failed(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const json_t *item, const char *message, const char *markup, const char **id)
{
	struct creation c = { .tx = tx,
		.in.collection = collection,
		.id = id,
		.message = message,
		.markup = markup };

	STET_TRY(read_item(call, item, &c.in));
	return stet_as_service(call, STET_CONTENT_1, create_failed, &c);
}

struct rewriting {
	struct stet_tx *tx;
	const char *collection, *id;
	stet_rewrite_fn *fn;
	void *arg;
	bool *changed;
};

static enum stet_status
rewrite(struct stet_call *call, void *arg)
{
	struct rewriting *r = arg;

	return item_rewrite(call, r->tx, r->collection, r->id, r->fn, r->arg, r->changed);
}

/* `fn` runs as this module: it only computes. */
static enum stet_status
service_rewrite(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    stet_rewrite_fn *fn, void *arg, bool *changed)
{
	struct rewriting r = { tx, collection, id, fn, arg, changed };

	return stet_as_service(call, STET_CONTENT_1, rewrite, &r);
}

struct updating {
	struct stet_tx *tx;
	struct update in;
	bool discards; /* the draft, first */
	const char *scheduled_at, *unpublish_at; /* NULL: its schedule stays */
	bool *changed;
};

static enum stet_status
update(struct stet_call *call, void *arg)
{
	struct updating *u = arg;
	struct now now = { 0 };
	struct stet_rows rows;

	if (u->discards)
		STET_TRY(item_discard(call, u->tx, u->in.collection, u->in.id));
	STET_TRY(item_update(call, u->tx, &u->in, &now));
	STET_TRY(
	    item_schedule(call, u->tx, u->in.collection, now.id, u->scheduled_at, u->unpublish_at));
	STET_TRY(stet_one(call, &rows, STET_FAULT, now.plan->by_id, STET_ARGS(now.id)));
	*u->changed = stet_col_int(&rows, C_VERSION) != now.version;
	return stet_rows_end(&rows);
}

static enum stet_status
service_update(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    const json_t *item, bool *changed)
{
	struct updating u = { .tx = tx,
		.discards = json_is_null(json_object_get(item, "draft")),
		.changed = changed };
	struct create c = { 0 };

	STET_TRY(read_item(call, item, &c));
	u.scheduled_at = time_of(call, item, "scheduledAt").text;
	u.unpublish_at = time_of(call, item, "unpublishAt").text;
	u.in = (struct update){ .collection = collection,
		.id = id,
		.data = c.data,
		.status = c.status,
		.slug = { c.slug != NULL, c.slug },
		.author = { c.author != NULL, c.author },
		.published_at = c.published_at,
		.bylines = c.bylines,
		.taxonomies = c.taxonomies };
	memcpy(u.in.extra, c.extra, sizeof(c.extra));
	return stet_as_service(call, STET_CONTENT_1, update, &u);
}

static const struct stet_content_1 service = { service_create, markdown_write, markdown_read,
	item_rights, item_draft, service_rewrite, service_create_failed, service_update,
	markdown_read_lost, markdown_read_foreign, left_item, links_make, links_list,
	links_withdraw, preview_check };

/* clang-format off */
#define READS .lane = STET_READ, .permission = "content:read", .scope = "content:read"
#define EDITS .lane = STET_WRITE, .permission = "content:edit_own", .scope = "content:write"
#define DRAFTS .lane = STET_READ, .permission = "content:read_drafts", .scope = "content:read"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "content_list", "List Content",
	    .about = "Items of a collection; only published ones without the right to drafts.",
	    .route = "GET /content/:collection", .flags = STET_TOOL, .cached = true, READS,
	    .in = list_in, .out = list_out, .run = content_list, .open = stet_collection_open,
	    .error = STET_CONTENT_LIST_ERROR,
	    .find = "find show filter articles posts pages drafts scheduled which" },
	{ "content_get", "Get Content",
	    .about = "One item by id or slug, with the _rev that an update needs.",
	    .flags = STET_TOOL, READS, .in = get_in, .out = get_out, .run = content_get,
	    .error = STET_CONTENT_GET_ERROR, .find = "read open show article post page" },
	/* Anonymous callers may call it with the token of a preview link, in any collection. */
	{ "content_read", "Get Content", .about = "One item by id or slug.",
	    .route = "GET /content/:collection/:id", .flags = STET_ANONYMOUS, .cached = true, READS,
	    .in = preview_get_in, .out = get_out, .run = content_read, .open = stet_collection_open,
	    .error = STET_CONTENT_GET_ERROR },
	{ "content_add", "Create Content",
	    .about = "A new item: a draft unless status is published.",
	    .route = "POST /content/:collection", .flags = STET_CREATED, .lane = STET_WRITE,
	    .permission = "content:create", .scope = "content:write", .in = create_in,
	    .out = item_reply_shape, .run = content_create, .fault = "CONTENT_CREATE_ERROR",
	    .more = STET_MORE_DRAFTS },
	{ "content_create", "Create Content",
	    .about = "A new item: a draft unless status is published.",
	    .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE, .lane = STET_WRITE,
	    .permission = "content:create", .scope = "content:write", .in = create_tool_in,
	    .out = item_written_shape, .run = content_create_tool, .fault = "CONTENT_CREATE_ERROR",
	    .more = STET_MORE_DRAFTS,
	    .find = "write article post page blog story news add new translation" },
	{ "content_put", "Update Content", .about = "Change fields, slug or status of an item.",
	    .route = "PUT /content/:collection/:id", EDITS, .in = update_in,
	    .out = item_reply_shape, .run = content_put, .fault = "CONTENT_UPDATE_ERROR",
	    .more = STET_MORE_DRAFTS },
	{ "content_update", "Update Content",
	    .about =
		"Change an item; of a published one its draft. Fails if it has changed since it was read.",
	    .flags = STET_TOOL, EDITS, .in = update_tool_in, .out = item_written_shape,
	    .run = content_update, .fault = "CONTENT_UPDATE_ERROR", .more = STET_MORE_DRAFTS,
	    .find = "edit rewrite rename article post page seo title slug author tags" },
	{ "content_patch", "Patch Content",
	    .about =
		"Change single blocks of a Portable Text field, and whole fields: the way to edit "
		"long texts.",
	    .route = "POST /content/:collection/:id/patch", .flags = STET_TOOL, EDITS,
	    .in = patch_in, .out = item_written_shape, .run = content_patch,
	    .fault = "CONTENT_UPDATE_ERROR", .more = STET_MORE_DRAFTS,
	    .find = "edit paragraph sentence typo text article insert picture" },
	{ "content_replace", "Replace Text",
	    .about = "Replace a text in many items: drafts, as content_update makes them.",
	    .route = "POST /content/:collection/replace", .flags = STET_TOOL, EDITS,
	    .in = replace_in, .out = replace_out, .run = content_replace,
	    .fault = "CONTENT_UPDATE_ERROR", .more = STET_MORE_DRAFTS | STET_MORE_EACH,
	    .find = "find fix typo typos correct spelling name everywhere articles posts pages" },
	{ "content_delete", "Delete Content", .about = "Move an item to the trash.",
	    .route = "DELETE /content/:collection/:id", .flags = STET_TOOL | STET_DESTRUCTIVE,
	    .lane = STET_WRITE, .permission = "content:delete_own", .scope = "content:write",
	    .in = delete_in, .out = delete_out, .run = content_delete,
	    .fault = "CONTENT_DELETE_ERROR", .find = "remove article post page throw away bin" },
	{ "content_publish_now", "Publish Content",
	    .about = "Publish the newest values of an item, now.",
	    .route = "POST /content/:collection/:id/publish", .flags = STET_BODY_OPTIONAL,
	    .lane = STET_WRITE, .permission = "content:publish_own", .scope = "content:write",
	    .in = publish_in, .out = item_reply_shape, .run = content_publish,
	    .fault = "CONTENT_PUBLISH_ERROR" },
	{ "content_publish", "Publish Content",
	    .about = "Publish the newest values of an item, now.", .flags = STET_TOOL,
	    .lane = STET_WRITE, .permission = "content:publish_own", .scope = "content:write",
	    .in = publish_tool_in, .out = item_part_reply_shape, .run = content_publish_tool,
	    .fault = "CONTENT_PUBLISH_ERROR",
	    .find = "go live release article post page draft online" },
	{ "content_withdraw", "Unpublish Content", .about = "Make an item a draft again.",
	    .route = "POST /content/:collection/:id/unpublish", .flags = STET_BODY_OPTIONAL,
	    .lane = STET_WRITE, .permission = "content:publish_own", .scope = "content:write",
	    .in = item_in, .out = item_reply_shape, .run = content_unpublish,
	    .fault = "CONTENT_UNPUBLISH_ERROR" },
	{ "content_unpublish", "Unpublish Content", .about = "Make an item a draft again.",
	    .flags = STET_TOOL, .lane = STET_WRITE, .permission = "content:publish_own",
	    .scope = "content:write", .in = item_tool_in, .out = item_part_reply_shape,
	    .run = content_unpublish_tool, .fault = "CONTENT_UNPUBLISH_ERROR",
	    .find = "offline hide withdraw retract take down article post page" },
	{ "content_schedule_at", "Schedule Content",
	    .about = "Publish an item or its draft at a time, or unpublish it.",
	    .route = "POST /content/:collection/:id/schedule", .lane = STET_WRITE,
	    .permission = "content:publish_own", .scope = "content:write", .in = schedule_in,
	    .out = item_reply_shape, .run = content_schedule, .fault = "CONTENT_SCHEDULE_ERROR" },
	{ "content_schedule", "Schedule Content",
	    .about = "Publish an item or its draft at a time, or unpublish it.", .flags = STET_TOOL,
	    .lane = STET_WRITE, .permission = "content:publish_own", .scope = "content:write",
	    .in = schedule_tool_in, .out = item_part_reply_shape, .run = content_schedule_tool,
	    .fault = "CONTENT_SCHEDULE_ERROR",
	    .find = "later plan date tomorrow monday live embargo article post page" },
	{ "content_unschedule", "Cancel Scheduled Publication",
	    .about = "Take the schedule of an item away.",
	    .route = "DELETE /content/:collection/:id/schedule",
	    .flags = STET_TOOL | STET_IDEMPOTENT, .lane = STET_WRITE,
	    .permission = "content:publish_own", .scope = "content:write", .in = item_part_in,
	    .out = item_part_reply_shape, .run = content_unschedule,
	    .fault = "CONTENT_UNSCHEDULE_ERROR", .find = "cancel planned publication schedule" },
	{ "content_discard", "Discard Draft",
	    .about = "Drop the pending draft of a published item.",
	    .route = "POST /content/:collection/:id/discard-draft", .flags = STET_BODY_OPTIONAL,
	    EDITS, .in = item_in, .out = item_reply_shape, .run = content_discard,
	    .fault = "CONTENT_DISCARD_DRAFT_ERROR", .more = STET_MORE_DRAFTS },
	{ "content_discard_draft", "Discard Draft",
	    .about = "Drop the pending draft of a published item.",
	    .flags = STET_TOOL | STET_DESTRUCTIVE, EDITS, .in = item_tool_in,
	    .out = item_part_reply_shape, .run = content_discard_tool,
	    .fault = "CONTENT_DISCARD_DRAFT_ERROR", .more = STET_MORE_DRAFTS,
	    .find = "forget revert undo unpublished changes edits drop" },
	{ "content_compare", "Compare Live vs Draft",
	    .about = "What is live, the draft, and what differs between them.",
	    .route = "GET /content/:collection/:id/compare", .flags = STET_TOOL, .cached = true,
	    DRAFTS, .in = compare_in, .out = compare_out, .run = content_compare,
	    .fault = "CONTENT_COMPARE_ERROR",
	    .find = "difference diff changes changed since version unpublished" },
	{ "content_copy", "Duplicate Content",
	    .about = "A copy of an item's newest values, as a draft with a slug of its own.",
	    .route = "POST /content/:collection/:id/duplicate",
	    .flags = STET_BODY_OPTIONAL | STET_CREATED, .lane = STET_WRITE,
	    .permission = "content:create", .scope = "content:write", .in = duplicate_in,
	    .out = item_reply_shape, .run = content_duplicate, .fault = "CONTENT_DUPLICATE_ERROR",
	    .more = STET_MORE_DRAFTS },
	{ "content_duplicate", "Duplicate Content",
	    .about = "A copy of an item's newest values, as a draft with a slug of its own.",
	    .flags = STET_TOOL | STET_ADDITIVE, .lane = STET_WRITE, .permission = "content:create",
	    .scope = "content:write", .in = duplicate_tool_in, .out = item_part_reply_shape,
	    .run = content_duplicate_tool, .fault = "CONTENT_DUPLICATE_ERROR",
	    .more = STET_MORE_DRAFTS, .find = "copy clone template article post page" },
	{ "content_list_trashed", "List Trashed Content",
	    .about = "Items in the trash, the last deleted first.",
	    .route = "GET /content/:collection/trash", .flags = STET_TOOL, .cached = true, DRAFTS,
	    .in = trash_in, .out = trash_out, .run = content_list_trashed,
	    .error = STET_CONTENT_LIST_ERROR, .find = "deleted recycle bin articles posts" },
	{ "content_restore", "Restore Content", .about = "Take an item out of the trash.",
	    .route = "POST /content/:collection/:id/restore",
	    .flags = STET_TOOL | STET_BODY_OPTIONAL | STET_ADDITIVE, EDITS, .in = restore_in,
	    .out = restore_out, .run = content_restore, .fault = "CONTENT_RESTORE_ERROR",
	    .find = "undelete recover bring back deleted article post page bin" },
	{ "content_permanent_delete", "Permanently Delete Content",
	    .about = "Remove an item for good that is in the trash.",
	    .route = "DELETE /content/:collection/:id/permanent",
	    .flags = STET_TOOL | STET_DESTRUCTIVE, .lane = STET_WRITE,
	    .permission = "content:delete_permanent", .scope = "content:write", .in = delete_in,
	    .out = purge_out, .run = content_purge, .fault = "CONTENT_DELETE_ERROR",
	    .find = "empty forever purge recycle bin article post page" },
	{ "content_neighbors", "Get Neighbors of an Item",
	    .about = "What stands before and behind an item in the order of a list.",
	    .route = "GET /content/:collection/:id/neighbors", .cached = true, READS,
	    .in = neighbours_in, .out = neighbours_out, .run = content_neighbours,
	    .error = STET_CONTENT_LIST_ERROR },
	{ "content_related", "Get Related Items",
	    .about = "Published items that share terms with an item, the nearest first.",
	    .route = "GET /content/:collection/:id/related", .cached = true, READS,
	    .in = related_in, .out = related_out, .run = content_related,
	    .error = STET_CONTENT_LIST_ERROR },
	{ "content_authors", "List Authors", .about = "The users who have items in a collection.",
	    .route = "GET /content/:collection/authors", .cached = true, DRAFTS, .in = authors_in,
	    .out = authors_out, .run = content_authors, .error = STET_CONTENT_LIST_ERROR },
	{ "content_uses", "List Uses of an Item",
	    .about = "Items whose references, texts or drafts hold the id of an item. A page looks "
		     "at some thousand items.",
	    .route = "GET /content/:collection/:id/uses", DRAFTS, .in = uses_in, .out = uses_out,
	    .run = content_uses, .error = STET_CONTENT_LIST_ERROR },
	{ "content_terms", "Get Terms of an Item", .about = "The terms of a taxonomy of an item.",
	    .route = "GET /content/:collection/:id/terms/:taxonomy", .cached = true, READS,
	    .in = terms_get_in, .out = terms_out, .run = content_terms,
	    .open = stet_collection_open, .fault = "TERMS_GET_ERROR" },
	{ "content_set_terms", "Set Terms of an Item",
	    .about = "Let an item, in all its locales, have these terms of a taxonomy alone: at "
		     "once, also if the item is published. A save with taxonomies stages them.",
	    .route = "POST /content/:collection/:id/terms/:taxonomy", EDITS, .in = terms_set_in,
	    .out = terms_out, .run = content_set_terms, .fault = "TERMS_SET_ERROR" },
	{ "content_translations", "List Translations",
	    .about = "The items of an item's translation group, by locale.",
	    .route = "GET /content/:collection/:id/translations", .flags = STET_TOOL,
	    .cached = true, READS, .in = translations_in, .out = translations_out,
	    .run = content_translations, .open = stet_collection_open,
	    .error = STET_CONTENT_GET_ERROR, .find = "language versions article translate" },
	{ "content_preview_url", "Get Preview URL",
	    .about = "A link that shows an item's newest values to whoever has it, for a time.",
	    .route = "POST /content/:collection/:id/preview-url",
	    .flags = STET_TOOL | STET_BODY_OPTIONAL, .permission = "content:read_drafts",
	    .lane = STET_READ, .scope = "content:write", .in = preview_in, .out = preview_out,
	    .run = content_preview_url, .error = STET_CONTENT_GET_ERROR,
	    .find = "share show draft link look article post page" },
	{ "preview_link_add", "Share Preview",
	    .about = "A preview link that is listed, and can be withdrawn before its end.",
	    .route = "POST /content/:collection/:id/preview-links",
	    .flags = STET_BODY_OPTIONAL | STET_CREATED | STET_SECRET, .lane = STET_WRITE,
	    .permission = "content:read_drafts", .scope = "content:write", .in = preview_in,
	    .out = link_made_out, .run = content_link_make, .error = STET_CONTENT_GET_ERROR },
	{ "preview_links", "List Shared Previews",
	    .about = "The shared preview links of an item that are open.",
	    .route = "GET /content/:collection/:id/preview-links", DRAFTS, .in = links_in,
	    .out = links_out, .run = content_links, .error = STET_CONTENT_GET_ERROR },
	{ "preview_link_delete", "Withdraw Shared Preview",
	    .about = "End a shared preview link: one's own, or for editors any.",
	    .route = "DELETE /content/:collection/:id/preview-links/:link",
	    .flags = STET_DESTRUCTIVE, .lane = STET_WRITE, .permission = "content:read_drafts",
	    .scope = "content:write", .in = link_withdraw_in, .out = link_withdrawn_out,
	    .run = content_link_withdraw, .error = STET_CONTENT_GET_ERROR },
	{ "revisions", "List Revisions", .about = "Revisions of an item, newest first.",
	    .route = "GET /content/:collection/:id/revisions", .cached = true, DRAFTS,
	    .in = revisions_in, .out = revisions_out, .run = revision_list,
	    .fault = "REVISION_LIST_ERROR" },
	{ "revision_list", "List Revisions", .about = "Revisions of an item, newest first.",
	    .flags = STET_TOOL, DRAFTS, .in = revision_list_in, .out = revisions_out,
	    .run = revision_list_tool, .fault = "REVISION_LIST_ERROR",
	    .find = "version history earlier versions who changed" },
	{ "revision_get", "Get Revision", .about = "One revision.",
	    .route = "GET /revisions/:revisionId", .cached = true, DRAFTS, .in = revision_in,
	    .out = revision_out, .run = revision_get, .fault = "REVISION_GET_ERROR" },
	{ "revision_restore", "Restore Revision",
	    .about = "Make the values of a revision the draft of its item. Nothing is published.",
	    .route = "POST /revisions/:revisionId/restore", .flags = STET_TOOL | STET_BODY_OPTIONAL,
	    EDITS, .in = revision_restore_in, .out = item_part_reply_shape, .run = revision_restore,
	    .fault = "REVISION_RESTORE_ERROR", .more = STET_MORE_DRAFTS,
	    .find = "go back earlier older previous version history revert" },
	/* For stet verify. It reads every row, so it runs in the slow lane. */
	{ "content_verify", "Check Items", .about = "Do items and revisions lead to each other?",
	    .lane = STET_SLOW, .permission = "backups:manage", .scope = "admin",
	    .out = content_verify_out, .run = content_verify },
};

static const struct stet_migration migrations[] = {
	{ 1, "revisions",
	    "CREATE TABLE revision ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " collection TEXT NOT NULL,"
	    " entry_id TEXT NOT NULL,"
	    " author_id TEXT,"
	    " created_at TEXT NOT NULL,"
	    " slug TEXT," /* the slug that this draft stages; empty: the draft removes the slug */
	    " base TEXT," /* the keyframe that data is a difference to; NULL: data is complete */
	    " data TEXT NOT NULL);"
	    "CREATE INDEX i_revision_entry ON revision (entry_id, id)" },
	{ 2, "secret of previews",
	    "CREATE TABLE content_secret (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL)" },
	/* Finds drafts by the slug that they stage. Few revisions stage one. */
	{ 3, "revisions by staged slug",
	    "CREATE INDEX i_revision_slug ON revision (collection, slug, entry_id, id)"
	    " WHERE slug IS NOT NULL" },
	/* Preview links are signed with the key of the site (stet_mac). */
	{ 4, "no secret of previews in the database", "DROP TABLE content_secret" },
	/* Of the item: its newest values were these from one to the other. NULL: not known. */
	{ 5, "versions of revisions",
	    "ALTER TABLE revision ADD COLUMN version INTEGER;"
	    "ALTER TABLE revision ADD COLUMN last_version INTEGER" },
	/* Of count.c. */
	{ 6, "kept numbers of items", COUNT_MIGRATION, count_all },
	/* Of many.c. */
	{ 7, "items by the values of a field",
	    "CREATE TABLE value_index ("
	    " id INTEGER NOT NULL PRIMARY KEY,"
	    " collection TEXT NOT NULL,"
	    " field TEXT NOT NULL,"
	    " filled TEXT NOT NULL," /* id of the last item indexed */
	    " state INTEGER NOT NULL);" /* 0: in use, 1: being filled, 2: to be emptied */
	    "CREATE INDEX i_value_index_field ON value_index (collection, field, state);"
	    "CREATE INDEX i_value_index_state ON value_index (state, id);"
	    "CREATE TABLE value_item ("
	    " item TEXT NOT NULL,"
	    " index_id INTEGER NOT NULL,"
	    " value TEXT NOT NULL," /* empty: the item has none */
	    " item_status TEXT NOT NULL,"
	    " created TEXT NOT NULL,"
	    " published TEXT,"
	    " PRIMARY KEY (item, index_id, value));"
	    "CREATE INDEX i_value_item_created ON value_item"
	    " (index_id, value, item_status, created, item);"
	    "CREATE INDEX i_value_item_published ON value_item"
	    " (index_id, value, item_status, published, item)" },
	/* Of many_count.c. */
	{ 8, "kept numbers of items by the values of a field",
	    "CREATE TABLE value_count ("
	    " index_id INTEGER NOT NULL,"
	    " value TEXT NOT NULL,"
	    " status TEXT NOT NULL,"
	    " n INTEGER NOT NULL,"
	    " PRIMARY KEY (index_id, value, status));"
	    "CREATE INDEX i_value_count_none ON value_count (index_id) WHERE n = 0",
	    many_recount },
	/* Before this version an import gave fields its own time, so that they were newer than the
	 * drafts that it brought: see fit_is_newer. */
	{ 9, "age of imported fields",
	    "UPDATE field SET created_at ="
	    " (SELECT created_at FROM collection WHERE id = field.collection_id)"
	    " WHERE collection_id IN (SELECT c.id FROM collection c JOIN (SELECT collection,"
	    " MIN(created_at) AS oldest FROM revision GROUP BY collection) AS r"
	    " ON r.collection = c.slug WHERE r.oldest < c.created_at)" },
	/* Of scheduler.c. */
	{ 10, "who scheduled an item", SCHEDULER_MIGRATION },
	{ 11, "who scheduled the end of a publication", UNPUBLISHER_MIGRATION,
	    .flags = STET_ADDITIVE },
	/* Of links.c. */
	{ 12, "shared preview links", PREVIEW_LINK_MIGRATION, .flags = STET_ADDITIVE },
};

static const struct stet_setting_def settings[] = {
	{ { REVISIONS_KEPT, STET_INTEGER, STET_RANGE(1, 1000), .fallback = "50",
	    .about = "Revisions kept of an item; the live one and the draft always are" } },
};

static const struct stet_job jobs[] = { { SCHEDULE_JOB, schedule_due, schedule_run },
	{ MANY_JOB, many_due, many_run } };
static const struct stet_check checks[] = { { "schedules", overdue_check } };
static const struct stet_hook hooks[] = { STET_ON(schema_changing, 0, hook_schema),
	STET_ON(schema_changing, 1, links_schema) };

static const struct stet_transfer transfers[] = { { .kinds = transfer_kinds } };
static const struct stet_command commands[] = {
	{ "import jsonl", .run = import_jsonl,
	    .usage = "FILE --collection SLUG [--create-schema] [--update]",
	    .about = "Create an item from each line {slug, status, data} of a file; - is the "
		     "standard input." },
};

static const struct stet_service_def services[] = { STET_SERVICE(STET_CONTENT_1, service) };
static const char *const needs[] = { "auth", "schema", NULL };

static const struct stet_permission permissions[] = {
	{ "content:read", 10 },
	{ "content:read_drafts", 20 },
	{ "content:create", 20 },
	{ "content:edit_own", 30 },
	{ "content:delete_own", 30 },
	{ "content:publish_own", 30 },
	{ "content:edit_any", 40 },
	{ "content:delete_any", 40 },
	{ "content:publish_any", 40 },
	{ "content:delete_permanent", 50 },
	{ "backups:manage", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "DELETE_BLOCKED", 400, "The deletion was blocked by a plugin", STET_VERDICT,
	    STET_DELETE_BLOCKED },
	{ "SLUG_CONFLICT", 409, "The slug already exists", 0, STET_SLUG_CONFLICT },
	{ "SAVE_REJECTED", 422, "The save was rejected by a plugin", STET_VERDICT,
	    STET_SAVE_REJECTED },
	{ "CONTENT_LIST_ERROR", 500, "Failed to list content", 0, STET_CONTENT_LIST_ERROR },
	{ "CONTENT_GET_ERROR", 500, "Failed to read content", 0, STET_CONTENT_GET_ERROR },
	{ "CONTENT_CREATE_ERROR", 500, "Failed to create content" },
	{ "CONTENT_UPDATE_ERROR", 500, "Failed to update content" },
	{ "CONTENT_DELETE_ERROR", 500, "Failed to delete content" },
	{ "CONTENT_HOOK_ERROR", 500, "A plugin hook failed while saving content", STET_HOOK_FAILED,
	    STET_CONTENT_HOOK_ERROR },
	{ "CONTENT_PUBLISH_ERROR", 500, "Failed to publish content" },
	{ "CONTENT_UNPUBLISH_ERROR", 500, "Failed to unpublish content" },
	{ "CONTENT_SCHEDULE_ERROR", 500, "Failed to schedule content" },
	{ "CONTENT_UNSCHEDULE_ERROR", 500, "Failed to unschedule content" },
	{ "CONTENT_DISCARD_DRAFT_ERROR", 500, "Failed to discard the draft" },
	{ "CONTENT_COMPARE_ERROR", 500, "Failed to compare content" },
	{ "CONTENT_DUPLICATE_ERROR", 500, "Failed to duplicate content" },
	{ "CONTENT_RESTORE_ERROR", 500, "Failed to restore content" },
	{ "REVISION_LIST_ERROR", 500, "Failed to list revisions" },
	{ "REVISION_GET_ERROR", 500, "Failed to read the revision" },
	{ "REVISION_RESTORE_ERROR", 500, "Failed to restore the revision" },
	{ "TERMS_GET_ERROR", 500, "Failed to read the terms of the item" },
	{ "TERMS_SET_ERROR", 500, "Failed to store the terms of the item" },
};

STET_MODULE(content) = {
	STET_MODULE_HEAD(content),
	.version = "1.0",
	.summary = "Content items: lists, reading, writing, import",
	.license = "MIT",
	.flags = STET_ESSENTIAL,
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.hooks = STET_TABLE(hooks),
	.migrations = STET_TABLE(migrations),
	.jobs = STET_TABLE(jobs),
	.checks = STET_TABLE(checks),
	.settings = STET_TABLE(settings),
	.commands = STET_TABLE(commands),
	.transfers = STET_TABLE(transfers),
	.services = STET_TABLE(services),
	.includes = STET_TABLE(content_includes),
	.state_size = sizeof(struct content_state),
	.open = plan_open,
	.close = plan_close,
	.statuses = STET_TABLE(statuses),
};
