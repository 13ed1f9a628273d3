/*
 * usage.c - the uses of items, which the module media-usage knows. Without that module they are
 * unknown.
 */
#include "media.h"
#include <string.h>

static const struct stet_member coverage_shape[] = {
	{ "scope", STET_STRING, STET_REQUIRED, STET_CHOICES("all_content_collections") },
	{ "status", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("complete", "never", "running", "partial", "failed", "stale", "unknown") },
	{ 0 },
};
const struct stet_member usage_shape[] = {
	{ "count", STET_INTEGER, STET_REQUIRED | STET_NULLABLE,
	    .about = "Items of content that use it; null: not for this caller" },
	{ "coverage", STET_OBJECT, STET_REQUIRED, .of = coverage_shape,
	    .about = "Only with the status complete is the count more than a guess" },
	{ 0 },
};
static const struct stet_member content_shape[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "contentId", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "locale", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "scheduledAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "deletedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};
static const struct stet_member other_shape[] = {
	{ "kind", STET_STRING, STET_REQUIRED,
	    .about = "settings, byline, widget, section, menu_item, term, module_setting, or as a "
		     "plugin says" },
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ 0 },
};
static const struct stet_member uses_shape[] = {
	{ "count", STET_INTEGER, STET_REQUIRED | STET_NULLABLE },
	{ "coverage", STET_OBJECT, STET_REQUIRED, .of = coverage_shape },
	{ "content", STET_ARRAY, STET_REQUIRED, .of = content_shape, .about = "Twenty at most" },
	{ "others", STET_ARRAY, STET_REQUIRED, .of = other_shape,
	    .about = "What is not content, which does not count; twenty at most" },
	{ 0 },
};
const struct stet_member delete_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "ifUnused", STET_BOOLEAN, STET_QUERY, .about = "Only if nothing refers to it" },
	{ 0 },
};
const struct stet_member delete_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ "uses", STET_OBJECT, .of = uses_shape, .about = "What still refers to it" },
	{ 0 },
};

/* ---- in lists and items ---- */

enum stet_status
usage_begin(struct stet_call *call, struct usage *u)
{
	*u = (struct usage){ .wanted = stet_has(call, "includeUsage"), .status = "unknown" };
	u->service = stet_service(call, STET_MEDIA_USAGE_1);
	if (!u->wanted || u->service == NULL)
		return STET_OK;
	return u->service->coverage(call, &u->status, &u->told);
}

void
usage_column(const struct usage *u, struct stet_sql *sql)
{
	if (!u->told)
		return;
	stet_sql_add(sql, ", ");
	u->service->count(sql, "media_items.id");
}

void
usage_put(const struct usage *u, struct stet_json *out, struct stet_rows *rows)
{
	if (!u->wanted)
		return;
	stet_object(out, "usage");
	if (u->told)
		stet_put_int(out, "count", stet_col_int(rows, ITEM_COUNT));
	else
		stet_put_null(out, "count");
	stet_object(out, "coverage");
	stet_put_str(out, "scope", "all_content_collections");
	stet_put_str(out, "status", u->status);
	stet_close(out);
	stet_close(out);
}

/* ---- unused items ---- */

/* Fails with CONFLICT unless all uses are known: only then can an item be unused. */
static enum stet_status
require_complete(struct stet_call *call, const char *status)
{
	if (strcmp(status, "complete") == 0)
		return STET_OK;
	return stet_fail(call, STET_CONFLICT, NULL,
	    "What is unused cannot be said: the index of uses is not complete (coverage: %s)",
	    status);
}

static enum stet_status
no_index(struct stet_call *call)
{
	return stet_fail(call, STET_CONFLICT, NULL,
	    "What is unused cannot be said: the module media-usage is not enabled");
}

enum stet_status
usage_filter(struct stet_call *call, struct stet_sql *sql)
{
	const struct stet_media_usage_1 *service = stet_service(call, STET_MEDIA_USAGE_1);
	const char *status;
	bool told;

	if (!stet_arg_bool(call, "unused"))
		return STET_OK;
	if (service == NULL)
		return no_index(call);
	STET_TRY(stet_require(call, "content:read_drafts"));
	STET_TRY(service->coverage(call, &status, &told));
	if (!told)
		return stet_fail(call, STET_INSUFFICIENT_SCOPE, NULL,
		    "What is unused is told to tokens with the scope admin");
	STET_TRY(require_complete(call, status));
	return service->unused(call, sql, "media_items.id");
}

enum stet_status
usage_of(struct stet_call *call, const char *id, const json_t **uses)
{
	const struct stet_media_usage_1 *service = stet_service(call, STET_MEDIA_USAGE_1);
	const json_t *coverage;
	enum stet_status status;
	bool used;

	*uses = NULL;
	if (service == NULL)
		return stet_arg_bool(call, "ifUnused") ? no_index(call) : STET_OK;
	STET_TRY(service->uses(call, id, &used, uses));
	if (!stet_arg_bool(call, "ifUnused"))
		return STET_OK;
	if (used) {
		status = stet_fail(call, STET_CONFLICT, NULL, "The media item is used");
		stet_detail_json(call, "uses", *uses);
		return status;
	}
	coverage = json_object_get(*uses, "coverage");
	return require_complete(call, json_string_value(json_object_get(coverage, "status")));
}
