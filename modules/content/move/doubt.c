/*
 * doubt.c - values of an item that a save would now refuse: an id whose target was deleted, a value
 * that a later rule of the field excludes, no value in a required field that is newer than the
 * item. Exports and imports keep such values and report them.
 */
#include "move/move.h"
#include <stet/media.h>
#include <string.h>

/* ---- ids of media items ---- */

static bool
is_local(const json_t *value)
{
	const char *provider = json_string_value(json_object_get(value, "provider"));

	return provider == NULL || strcmp(provider, "local") == 0;
}

/* Records an issue if the image or file refers to a media item that does not exist any more. */
static enum stet_status
check_media(struct stet_call *call, const char *path, const json_t *value)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	json_t *id = json_object_get(value, "id");

	if (media == NULL || id == NULL || !is_local(value))
		return STET_OK;
	return media->gone(call, path, stet_json_own(call, json_pack("{s:O}", "mediaId", id)));
}

static enum stet_status
check_image(struct stet_call *call, const char *path, const json_t *value)
{
	STET_TRY(check_media(call, path, value));
	return check_media(
	    call, stet_printf(call, "%s.darkVariant", path), json_object_get(value, "darkVariant"));
}

/* Checks the images in the rows of a repeater. */
static enum stet_status
check_rows(struct stet_call *call, const struct stet_field *f, const char *path, const json_t *rows)
{
	const json_t *subs = json_object_get(f->validation, "subFields");
	json_t *row, *sub;
	size_t i, k;

	json_array_foreach(rows, i, row) json_array_foreach(subs, k, sub)
	{
		const char *slug = json_string_value(json_object_get(sub, "slug"));
		const char *type = json_string_value(json_object_get(sub, "type"));

		if (slug != NULL && type != NULL && strcmp(type, "image") == 0)
			STET_TRY(check_image(call, stet_printf(call, "%s[%zu].%s", path, i, slug),
			    json_object_get(row, slug)));
	}
	return STET_OK;
}

static enum stet_status check_files(
    struct stet_call *, const struct stet_field *, const char *path, const json_t *value);

/* Checks the files in the blocks that the site defines. */
static enum stet_status
check_blocks(struct stet_call *call, const char *path, const json_t *blocks)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_block_type *type;
	json_t *block;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)blocks, i, block)
	{
		STET_TRY(schema->block(call, block, &type));
		for (size_t k = 0; type != NULL && k < type->field_count; k++) {
			const struct stet_field *f = type->fields[k];

			STET_TRY(
			    check_files(call, f, stet_printf(call, "%s[%zu].%s", path, i, f->slug),
				json_object_get(block, f->slug)));
		}
	}
	return STET_OK;
}

static enum stet_status
check_files(
    struct stet_call *call, const struct stet_field *f, const char *path, const json_t *value)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);

	if (f->type->holds == STET_HOLDS_IMAGE || f->type->holds == STET_HOLDS_FILE)
		return check_image(call, path, value);
	if (f->type->holds == STET_HOLDS_BLOCKS && media != NULL) {
		STET_TRY(media->gone(call, path, value));
		return check_blocks(call, path, value);
	}
	return f->type->holds == STET_HOLDS_ROWS ? check_rows(call, f, path, value) : STET_OK;
}

/* ---- values ---- */

/* Turns a failure of a check into an issue. */
static enum stet_status
as_issue(struct stet_call *call, const char *path, enum stet_status status)
{
	const char *text;

	if (status == STET_OK || status == STET_FAULT)
		return status;
	text = stet_error_text(call);
	stet_error_clear(call);
	stet_issue(call, path, "%s", text);
	return STET_OK;
}

enum stet_status
doubt_value(
    struct stet_call *call, const struct stet_field *f, const char *path, const json_t *value)
{
	json_t *stored = NULL;
	enum stet_status status;

	if (values_is_empty(value)) {
		if (f->required)
			stet_issue(call, path, "is required");
		return STET_OK;
	}
	status = stet_field_check(call, f, path, value, &stored);
	json_decref(stored);
	STET_TRY(as_issue(call, path, status));
	return check_files(call, f, path, value);
}

static enum stet_status
check_extra(struct stet_call *call, const struct extra *e, const char *where, const json_t *data)
{
	json_t *id =
	    e->media == NULL ? NULL : json_object_get(json_object_get(data, e->stored), e->media);

	if (json_string_value(id) == NULL)
		return STET_OK;
	return check_media(call, stet_printf(call, "%s.%s", where, e->stored),
	    stet_json_own(call, json_pack("{s:O}", "id", id)));
}

/* Checks all values of `data`, except those that are equal in `known`. A draft may lack values if
 * its collection requires them to publish. */
static enum stet_status
check_all(struct stet_call *call, const struct now *now, const char *where, const json_t *data,
    const json_t *known)
{
	const struct stet_collection *c = now->collection;
	const bool may_lack = c->required_on_publish && (known != NULL || !now->is_published);

	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];
		const json_t *value = json_object_get(data, f->slug);
		const json_t *other = json_object_get(known, f->slug);

		if (may_lack && values_is_empty(value))
			continue;
		if (known == NULL || value == NULL || other == NULL ||
		    !json_equal((json_t *)(uintptr_t)value, (json_t *)(uintptr_t)other))
			STET_TRY(doubt_value(
			    call, f, stet_printf(call, "%s.%s", where, f->slug), value));
	}
	for (size_t i = now->plan->fields; i < now->plan->count; i++)
		STET_TRY(check_extra(call, now->plan->field[i].extra, where, data));
	return STET_OK;
}

enum stet_status
item_doubt(struct stet_call *call, const void *slug, const json_t *key)
{
	struct now now = { 0 };
	struct stet_rows rows;

	STET_TRY(plan_get(call, slug, &now.collection, &now.plan));
	STET_TRY(item_any(call, now.plan, json_string_value(json_object_get(key, "id")), &rows));
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	STET_TRY(check_all(call, &now, "data", now.columns, NULL));
	return now.data != now.columns ? check_all(call, &now, "draft", now.data, now.columns)
				       : STET_OK;
}
