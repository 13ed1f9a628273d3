/* content - items in collections: lists, reading, writing, slugs, rights, import. */
#include "content.h"
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

/* The service: `item` as in the body of POST /content/:collection. */
static enum stet_status
service_create(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const json_t *item, const char **id)
{
	struct create in = { .collection = collection };
	const struct plan *plan;
	struct stet_rows rows;

	if (!json_is_object(item) || !json_is_object(json_object_get(item, "data")))
		return stet_fail(call, STET_VALIDATION_ERROR, "data", "is required: an object");
	in.data = json_object_get(item, "data");
	in.slug = text_of(call, item, "slug");
	in.status = text_of(call, item, "status");
	in.locale = text_of(call, item, "locale");
	in.translation_of = text_of(call, item, "translationOf");
	in.published_at = time_of(call, item, "publishedAt");
	in.created_at = time_of(call, item, "createdAt");
	STET_TRY(item_create(call, tx, &in, &plan, &rows));
	*id = stet_col_dup(&rows, C_ID);
	return stet_rows_end(&rows);
}

static const struct stet_content_1 service = { service_create };

static const struct stet_op ops[] = {
	{ "content_list", "List Content",
	    .about = "Items of a collection, a page at a time. Without the right to drafts, only "
		     "published ones.",
	    .route = "GET /content/:collection", .flags = STET_TOOL, .lane = STET_READ,
	    .permission = "content:read", .scope = "content:read", .in = list_in, .out = list_out,
	    .run = content_list, .error = STET_CONTENT_LIST_ERROR },
	{ "content_get", "Get Content",
	    .about = "One item by id or slug, with the _rev that an update needs.",
	    .route = "GET /content/:collection/:id", .flags = STET_TOOL, .lane = STET_READ,
	    .permission = "content:read", .scope = "content:read", .in = get_in,
	    .out = item_reply_shape, .run = content_get, .error = STET_CONTENT_GET_ERROR },
	{ "content_create", "Create Content",
	    .about = "A new item: a draft unless status is published. The slug is made from the "
		     "title when omitted.",
	    .route = "POST /content/:collection", .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE,
	    .lane = STET_WRITE, .permission = "content:create", .scope = "content:write",
	    .in = create_in, .out = item_reply_shape, .run = content_create,
	    .error = STET_CONTENT_CREATE_ERROR },
	{ "content_put", "Update Content", .about = "Change fields, slug or status of an item.",
	    .route = "PUT /content/:collection/:id", .lane = STET_WRITE,
	    .permission = "content:edit_own", .scope = "content:write", .in = update_in,
	    .out = item_reply_shape, .run = content_update, .error = STET_CONTENT_UPDATE_ERROR },
	{ "content_update", "Update Content",
	    .about = "Change fields, slug or status of an item. Fails with a conflict when it has "
		     "changed since it was read.",
	    .flags = STET_TOOL, .lane = STET_WRITE, .permission = "content:edit_own",
	    .scope = "content:write", .in = update_tool_in, .out = item_reply_shape,
	    .run = content_update, .error = STET_CONTENT_UPDATE_ERROR },
	{ "content_delete", "Delete Content", .about = "Move an item to the trash.",
	    .route = "DELETE /content/:collection/:id", .flags = STET_TOOL | STET_DESTRUCTIVE,
	    .lane = STET_WRITE, .permission = "content:delete_own", .scope = "content:write",
	    .in = delete_in, .out = delete_out, .run = content_delete,
	    .error = STET_CONTENT_DELETE_ERROR },
};

static const struct stet_command commands[] = {
	{ "import jsonl", .run = import_jsonl,
	    .usage = "FILE --collection SLUG [--create-schema] [--update]",
	    .about = "Create an item from each line {slug, status, data} of a file; - is the "
		     "standard input." },
};

static const struct stet_service_def services[] = { { STET_CONTENT_1, &service } };
static const char *const needs[] = { "auth", "schema", NULL };

STET_MODULE(content) = {
	STET_MODULE_HEAD(content),
	.version = "1.0",
	.summary = "Content items: lists, reading, writing, import",
	.license = "MIT",
	.flags = STET_ESSENTIAL,
	.needs = needs,
	.ops = STET_TABLE(ops),
	.commands = STET_TABLE(commands),
	.services = STET_TABLE(services),
	.state_size = sizeof(struct content_state),
	.open = plan_open,
	.close = plan_close,
};
