/* record.c - definitions as JSON, for clients and in the database. */
#include "schema.h"
#include <stdlib.h>
#include <string.h>

const char *
json_text(struct stet_call *call, const json_t *value)
{
	char *text;
	const char *copy;

	if (value == NULL || json_is_null(value))
		return NULL;
	if ((text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY)) == NULL)
		stet_out_of_memory();
	copy = stet_strdup(call, text);
	free(text);
	return copy;
}

const char *
column_type(const struct stet_field *f)
{
	static const char *const names[] = { [STET_STORE_TEXT] = "TEXT",
		[STET_STORE_REAL] = "REAL",
		[STET_STORE_INTEGER] = "INTEGER",
		[STET_STORE_BOOLEAN] = "INTEGER",
		[STET_STORE_JSON] = "JSON" };

	return names[f->type->storage];
}

void
put_set(struct stet_json *j, const char *key, const char *value)
{
	if (value != NULL)
		stet_put_str(j, key, value);
}

void
put_set_json(struct stet_json *j, const char *key, const json_t *value)
{
	if (value != NULL)
		stet_put_json(j, key, value);
}

void
put_field(
    struct stet_json *j, const char *key, const char *collection_id, const struct stet_field *f)
{
	stet_object(j, key);
	stet_put_str(j, "id", f->id);
	stet_put_str(j, "collectionId", collection_id);
	stet_put_str(j, "slug", f->slug);
	stet_put_str(j, "label", f->label);
	stet_put_str(j, "type", f->type->name);
	stet_put_str(j, "columnType", column_type(f));
	stet_put_bool(j, "required", f->required);
	stet_put_bool(j, "unique", f->unique);
	put_set_json(j, "defaultValue", f->default_value);
	put_set_json(j, "validation", f->validation);
	put_set(j, "widget", f->widget);
	put_set_json(j, "options", f->options);
	stet_put_int(j, "sortOrder", f->sort_order);
	stet_put_bool(j, "searchable", f->searchable);
	stet_put_bool(j, "indexed", f->indexed);
	stet_put_bool(j, "translatable", f->translatable);
	stet_put_str(j, "createdAt", f->created_at);
	if (f->building != 0)
		stet_put_str(j, "indexState",
		    (f->building & STET_BUILDING_CONFLICT) != 0 ? "conflict" : "building");
	stet_close(j);
}

void
put_collection(
    struct stet_json *j, const char *key, const struct stet_collection *c, bool with_fields)
{
	stet_object(j, key);
	stet_put_str(j, "id", c->id);
	stet_put_str(j, "slug", c->slug);
	stet_put_str(j, "label", c->label);
	put_set(j, "labelSingular", c->label_singular);
	put_set(j, "description", c->description);
	put_set(j, "icon", c->icon);
	put_set_json(j, "admin", c->admin);
	stet_put_json(j, "supports", c->supports);
	put_set(j, "source", c->source);
	stet_put_bool(j, "hasSeo", c->has_seo);
	put_set(j, "titleField", c->title_field);
	put_set(j, "dateField", c->date_field);
	put_set(j, "urlPattern", c->url_pattern);
	put_set_json(j, "urlPatterns", c->url_patterns);
	put_set_json(j, "indexes", c->indexes);
	put_set_json(j, "indexesBuilding", c->building);
	stet_put_bool(j, "routable", c->routable);
	stet_put_bool(j, "hidden", c->hidden);
	if (c->sort_order != INT64_MIN)
		stet_put_int(j, "sortOrder", c->sort_order);
	stet_put_bool(j, "commentsEnabled", c->comments_enabled);
	stet_put_str(j, "commentsModeration", c->comments_moderation);
	stet_put_int(j, "commentsClosedAfterDays", c->comments_closed_after_days);
	stet_put_bool(j, "commentsAutoApproveUsers", c->comments_auto_approve_users);
	stet_put_bool(j, "publicRead", c->public_read);
	stet_put_str(j, "requiredOn", c->required_on_publish ? "publish" : "save");
	stet_put_str(j, "createdAt", c->created_at);
	stet_put_str(j, "updatedAt", c->updated_at);
	if (with_fields) {
		stet_array(j, "fields");
		for (size_t i = 0; i < c->field_count; i++)
			put_field(j, NULL, c->id, c->fields[i]);
		stet_close(j);
	}
	stet_close(j);
}
