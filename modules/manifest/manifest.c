/*
 * manifest - the data that administration pages load first: the user and the user's rights, the
 * names of collections, locales, modules, the version. Pages load the fields of a collection when
 * they open it, so the manifest stays small. All of it is derived from the declarations of modules
 * (definitions, permissions, operations), so there is no list to maintain.
 */
#include "forms.h"
#include "pages.h"
#include <stet/module.h>
#include <stet/settings.h>
#include <stet/users.h>
#include <string.h>

#define AT_ONCE "200" /* collections in one reply */
#define AT_ONCE_MAX 500

/* ---- shapes ---- */

static const char *const extents[] = { "none", "own", "any", NULL };

static const struct stet_member rights_shape[] = {
	{ "read", STET_STRING, STET_REQUIRED, "all: drafts, revisions and the trash as well",
	    STET_CHOICES("none", "published", "all") },
	{ "create", STET_BOOLEAN, STET_REQUIRED },
	{ "edit", STET_STRING, STET_REQUIRED, "Own items, or those of anybody",
	    .choices = extents },
	{ "publish", STET_STRING, STET_REQUIRED, .choices = extents },
	{ "delete", STET_STRING, STET_REQUIRED, "Into the trash", .choices = extents },
	{ "deletePermanently", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member collection_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "labelSingular", STET_STRING },
	{ "icon", STET_STRING },
	{ "hidden", STET_BOOLEAN, .about = "true: not for the navigation; otherwise absent" },
	{ "supports", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "rights", STET_OBJECT, STET_REQUIRED, .of = rights_shape },
	{ 0 },
};
static const struct stet_member user_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "role", STET_INTEGER, STET_REQUIRED,
	    "10 Subscriber, 20 Contributor, 30 Author, 40 Editor, 50 Admin" },
	{ "scopes", STET_ARRAY, .about = "Of a token; absent: not limited by scopes",
	    .item = STET_STRING },
	{ "language", STET_STRING, .about = "Of the pages; absent: none was chosen" },
	{ 0 },
};
static const struct stet_member manifest_shape[] = {
	{ "version", STET_STRING, STET_REQUIRED, "Of the server" },
	{ "siteTitle", STET_STRING, .about = "Title of the site, if it has one" },
	{ "siteUrl", STET_STRING, .about = "Address of the site, if its settings have one" },
	{ "siteTimezone", STET_STRING,
	    .about = "IANA name of the site's time zone, if its settings have one" },
	{ "user", STET_OBJECT, STET_REQUIRED, .of = user_shape },
	{ "permissions", STET_ARRAY, STET_REQUIRED,
	    "Those that the role has; a token's scopes limit them further", .item = STET_STRING },
	{ "locales", STET_ARRAY, STET_REQUIRED, "The first is the default", .item = STET_STRING },
	{ "defaultLocale", STET_STRING, STET_REQUIRED },
	{ "modules", STET_ARRAY, STET_REQUIRED, "Those that are enabled", .item = STET_STRING },
	{ "pages", STET_ARRAY, .about = "Of plugins, for this caller; absent: none",
	    .of = manifest_page_shape },
	{ "fieldWidgets", STET_ARRAY, .about = "Of plugins; absent: none",
	    .of = manifest_widget_shape },
	{ "blocks", STET_ARRAY,
	    .about = "Types of blocks that the site defines, without their fields; absent: none",
	    .of = manifest_block_shape },
	{ "maxUploadSize", STET_INTEGER,
	    .about = "Most bytes of a file, for those who may upload; absent: they may not" },
	{ "collections", STET_ARRAY, STET_REQUIRED,
	    "In their order; those in which the caller has no rights are left out",
	    .of = collection_shape },
	{ "nextCursor", STET_STRING, .about = "There are more collections: ask with this cursor" },
	{ 0 },
};
static const struct stet_member manifest_in[] = {
	{ "limit", STET_INTEGER, .about = "How many collections are looked at", .fallback = AT_ONCE,
	    STET_RANGE(1, AT_ONCE_MAX) },
	{ "cursor", STET_STRING, .about = "nextCursor of the answer before", .max = 2048 },
	{ 0 },
};

static const struct stet_member field_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED },
	{ "kind", STET_STRING, STET_REQUIRED, "What its value is; json: all else",
	    STET_CHOICES("string", "number", "integer", "boolean", "json") },
	{ "required", STET_BOOLEAN, STET_REQUIRED },
	{ "unique", STET_BOOLEAN, STET_REQUIRED },
	{ "indexed", STET_BOOLEAN, STET_REQUIRED, "Lists can be filtered by it" },
	{ "sortable", STET_BOOLEAN, STET_REQUIRED, "Lists can be sorted by it" },
	{ "searchable", STET_BOOLEAN, STET_REQUIRED },
	{ "translatable", STET_BOOLEAN, STET_REQUIRED },
	{ "defaultValue", STET_ANY },
	{ "validation", STET_OBJECT },
	{ "options", STET_OBJECT },
	{ "widget", STET_STRING },
	{ 0 },
};
static const struct stet_member block_definition[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "icon", STET_STRING },
	{ "description", STET_STRING },
	{ "fields", STET_ARRAY, STET_REQUIRED, .of = field_shape },
	{ 0 },
};
static const struct stet_member blocks_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = block_definition },
	{ 0 },
};
static const struct stet_member definition_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "labelSingular", STET_STRING },
	{ "description", STET_STRING },
	{ "icon", STET_STRING },
	{ "supports", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "titleField", STET_STRING, .about = "Items are called by it" },
	{ "dateField", STET_STRING },
	{ "urlPattern", STET_STRING },
	{ "urlPatterns", STET_OBJECT, .about = "{locale: pattern}, in place of urlPattern" },
	{ "hasSeo", STET_BOOLEAN, STET_REQUIRED },
	{ "requiredOn", STET_STRING, STET_REQUIRED, "When required values are needed",
	    STET_CHOICES("save", "publish") },
	{ "admin", STET_OBJECT, .about = "listColumns, revisionsKept" },
	{ "rights", STET_OBJECT, STET_REQUIRED, .of = rights_shape },
	{ "fields", STET_ARRAY, STET_REQUIRED, .of = field_shape },
	{ 0 },
};
static const struct stet_member definition_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, "Slug of the collection" },
	{ 0 },
};
static const struct stet_member definition_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = definition_shape },
	{ 0 },
};

/* ---- the caller ---- */

static void
put_scopes(struct stet_call *call, struct stet_json *out, const char *scopes)
{
	char *list = stet_strdup(call, scopes), *word;

	stet_array(out, "scopes");
	while ((word = strsep(&list, " ")) != NULL)
		if (*word != '\0')
			stet_put_str(out, NULL, word);
	stet_close(out);
}

static enum stet_status
put_user(struct stet_call *call, struct stet_json *out)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const struct stet_principal *who = stet_principal(call);
	const char *language = NULL;

	STET_TRY(users->language(call, who->id, &language));

	stet_object(out, "user");
	stet_put_str(out, "id", who->id);
	stet_put_str(out, "name", who->name);
	stet_put_int(out, "role", who->role);
	if (who->scopes != NULL)
		put_scopes(call, out, who->scopes);
	if (language != NULL)
		stet_put_str(out, "language", language);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
put_site(struct stet_call *call, struct stet_json *out)
{
	static const char *const names[][2] = { { "title", "siteTitle" }, { "url", "siteUrl" },
		{ "timezone", "siteTimezone" } };
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	const json_t *values = NULL;

	if (settings != NULL)
		STET_TRY(settings->get(call, &values));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = json_string_value(json_object_get(values, names[i][0]));

		if (text != NULL && *text != '\0')
			stet_put_str(out, names[i][1], text);
	}
	return STET_OK;
}

/* ---- modules ---- */

/* Writes the permissions of a module that the caller has; they decide which of its pages the caller
 * may open. */
static void
put_permissions(struct stet_call *call, struct stet_json *out, const struct stet_module *m)
{
	for (uint32_t i = 0; i < m->permissions.count; i++) {
		struct stet_permission row;

		stet_table_row(&m->permissions, i, &row, sizeof(row));
		if (stet_may(call, row.name))
			stet_put_str(out, NULL, row.name);
	}
}

static enum stet_status
put_upload(struct stet_call *call, struct stet_json *out, const struct stet_module_info *const *all,
    size_t count)
{
	json_t *settings;

	for (size_t i = 0; i < count; i++)
		if (module_works(all[i]) && strcmp(all[i]->module->name, "media") == 0 &&
		    stet_may(call, "media:upload")) {
			STET_TRY(stet_settings_get(call, "media", &settings));
			stet_put_int(out, "maxUploadSize",
			    json_integer_value(json_object_get(settings, "maxUploadSize")));
		}
	return STET_OK;
}

static enum stet_status
put_modules(struct stet_call *call, struct stet_json *out)
{
	const struct stet_module_info *const *all;
	size_t count;

	STET_TRY(stet_modules(call, &all, &count));
	stet_array(out, "permissions");
	for (size_t i = 0; i < count; i++)
		if (module_works(all[i]))
			put_permissions(call, out, all[i]->module);
	stet_close(out);
	stet_array(out, "modules");
	for (size_t i = 0; i < count; i++)
		if (module_works(all[i]))
			stet_put_str(out, NULL, all[i]->module->name);
	stet_close(out);
	put_pages(call, out, all, count);
	put_widgets(call, out, all, count);
	return put_upload(call, out, all, count);
}

static void
put_locales(struct stet_call *call, struct stet_json *out)
{
	const char *const *locales = stet_locales(call);

	stet_array(out, "locales");
	for (size_t i = 0; locales[i] != NULL; i++)
		stet_put_str(out, NULL, locales[i]);
	stet_close(out);
	stet_put_str(out, "defaultLocale", locales[0]);
}

/* ---- collections ---- */

static const char *
extent(uint32_t may, uint32_t own, uint32_t any)
{
	return (may & any) != 0 ? "any" : (may & own) != 0 ? "own" : "none";
}

static void
put_rights(struct stet_json *out, uint32_t may)
{
	stet_object(out, "rights");
	stet_put_str(out, "read",
	    (may & STET_MAY_READ_DRAFTS) != 0 ? "all"
	    : (may & STET_MAY_READ) != 0      ? "published"
					      : "none");
	stet_put_bool(out, "create", (may & STET_MAY_CREATE) != 0);
	stet_put_str(out, "edit", extent(may, STET_MAY_EDIT_OWN, STET_MAY_EDIT_ANY));
	stet_put_str(out, "publish", extent(may, STET_MAY_PUBLISH_OWN, STET_MAY_PUBLISH_ANY));
	stet_put_str(out, "delete", extent(may, STET_MAY_DELETE_OWN, STET_MAY_DELETE_ANY));
	stet_put_bool(out, "deletePermanently", (may & STET_MAY_DELETE_PERMANENTLY) != 0);
	stet_close(out);
}

static void
put_collection(struct stet_json *out, const struct stet_collection *c, uint32_t may)
{
	stet_object(out, NULL);
	stet_put_str(out, "slug", c->slug);
	stet_put_str(out, "label", c->label);
	if (c->label_singular != NULL)
		stet_put_str(out, "labelSingular", c->label_singular);
	if (c->icon != NULL)
		stet_put_str(out, "icon", c->icon);
	if (c->hidden)
		stet_put_bool(out, "hidden", true);
	stet_put_json(out, "supports", c->supports);
	put_rights(out, may);
	stet_close(out);
}

/* Finds the first collection of the page: the one after the cursor's collection, or the one now at
 * its position if it was deleted. */
static enum stet_status
first_of_page(
    struct stet_call *call, const struct stet_collection *const *list, size_t count, size_t *first)
{
	const json_t *place;
	const char *id;

	*first = 0;
	if (stet_arg(call, "cursor") == NULL)
		return STET_OK;
	STET_TRY(stet_cursor_read(call, stet_arg(call, "cursor"), "manifest", &place, &id));
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i]->id, id) == 0) {
			*first = i + 1;
			return STET_OK;
		}
	*first = (size_t)json_integer_value(place);
	if (*first > count)
		*first = count;
	return STET_OK;
}

static enum stet_status
put_collections(struct stet_call *call, struct stet_json *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const struct stet_collection *const *list;
	size_t count, first, end, limit = (size_t)stet_arg_int(call, "limit");

	STET_TRY(schema->collections(call, &list, &count));
	STET_TRY(first_of_page(call, list, count, &first));
	end = count - first > limit ? first + limit : count;
	stet_array(out, "collections");
	for (size_t i = first; i < end; i++) {
		uint32_t may = content->rights(call, list[i]);

		if (may != 0)
			put_collection(out, list[i], may);
	}
	stet_close(out);
	if (end < count)
		stet_put_str(out, "nextCursor",
		    stet_cursor_make(call, "manifest",
			stet_json_own(call, json_integer((json_int_t)end - 1)), list[end - 1]->id));
	return STET_OK;
}

/* ---- one collection ---- */

static void
put_text(struct stet_json *out, const char *name, const char *text)
{
	if (text != NULL)
		stet_put_str(out, name, text);
}

static void
put_value(struct stet_json *out, const char *name, const json_t *value)
{
	if (value != NULL)
		stet_put_json(out, name, value);
}

static void
put_field(struct stet_json *out, const struct stet_field *f)
{
	stet_object(out, NULL);
	stet_put_str(out, "slug", f->slug);
	stet_put_str(out, "label", f->label);
	stet_put_str(out, "type", f->type->name);
	stet_put_str(out, "kind", kind_of_field(f));
	stet_put_bool(out, "required", f->required);
	stet_put_bool(out, "unique", f->unique);
	stet_put_bool(out, "indexed", f->indexed && (f->building & STET_BUILDING_ORDER) == 0);
	stet_put_bool(out, "sortable", f->sortable);
	stet_put_bool(out, "searchable", f->searchable);
	stet_put_bool(out, "translatable", f->translatable);
	put_value(out, "defaultValue", f->default_value);
	put_value(out, "validation", f->validation);
	put_value(out, "options", f->options);
	put_text(out, "widget", f->widget);
	stet_close(out);
}

static void
put_definition(struct stet_json *out, const struct stet_collection *c, uint32_t may)
{
	stet_object(out, "item");
	stet_put_str(out, "slug", c->slug);
	stet_put_str(out, "label", c->label);
	put_text(out, "labelSingular", c->label_singular);
	put_text(out, "description", c->description);
	put_text(out, "icon", c->icon);
	stet_put_json(out, "supports", c->supports);
	put_text(out, "titleField", c->title_field);
	put_text(out, "dateField", c->date_field);
	put_text(out, "urlPattern", c->url_pattern);
	put_value(out, "urlPatterns", c->url_patterns);
	stet_put_bool(out, "hasSeo", c->has_seo);
	stet_put_str(out, "requiredOn", c->required_on_publish ? "publish" : "save");
	put_value(out, "admin", c->admin);
	put_rights(out, may);
	stet_array(out, "fields");
	for (size_t i = 0; i < c->field_count; i++)
		put_field(out, c->fields[i]);
	stet_close(out);
	stet_close(out);
}

/* Users who write items get the fields for the form, even without the right to read the schema.
 * Users who only read published items do not need them. */
static enum stet_status
manifest_collection(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *c;
	uint32_t may;

	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &c));
	if ((may = content->rights(call, c)) == 0)
		return stet_fail(call, STET_COLLECTION_NOT_FOUND, NULL, "Collection not found");
	if ((may & ~(uint32_t)STET_MAY_READ) == 0)
		STET_TRY(stet_require(call, "schema:read"));
	stet_object(out, NULL);
	put_definition(out, c, may);
	stet_close(out);
	return STET_OK;
}

/* ---- blocks that the site defines ---- */

/* Whoever can save a text gets the fields, even without the right to read the schema. */
static enum stet_status
manifest_blocks(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_json *out = stet_reply(call);
	const struct stet_block_type *const *list;
	size_t count;

	STET_TRY(schema->blocks(call, &list, &count));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < count; i++) {
		stet_object(out, NULL);
		stet_put_str(out, "slug", list[i]->slug);
		stet_put_str(out, "label", list[i]->label);
		put_text(out, "icon", list[i]->icon);
		put_text(out, "description", list[i]->description);
		stet_array(out, "fields");
		for (size_t k = 0; k < list[i]->field_count; k++)
			put_field(out, list[i]->fields[k]);
		stet_close(out);
		stet_close(out);
	}
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- the ops ---- */

static enum stet_status
manifest_get(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_str(out, "version", stet_version());
	STET_TRY(put_site(call, out));
	STET_TRY(put_user(call, out));
	STET_TRY(put_modules(call, out));
	STET_TRY(put_blocks(call, out));
	put_locales(call, out);
	STET_TRY(put_collections(call, out));
	stet_close(out);
	return STET_OK;
}

static const struct stet_op ops[] = {
	/* Below /admin, but without the scope admin: the reply shows only what the caller's rights
	 * allow. */
	{ "manifest_get", "Get Manifest",
	    .about = "What administration pages begin with: who is signed in and may do what, the "
		     "collections by name, locales, modules.",
	    .route = "GET /admin/manifest", .flags = STET_ANY_SCOPE, .lane = STET_READ,
	    .in = manifest_in, .out = manifest_shape, .run = manifest_get },
	{ "manifest_collection", "Get Collection for Its Pages",
	    .about =
		"A collection with its fields and the caller's rights in it, for lists and forms: "
		"for those who may write there, or read the schema.",
	    .route = "GET /admin/manifest/:collection", .flags = STET_ANY_SCOPE, .lane = STET_READ,
	    .in = definition_in, .out = definition_out, .run = manifest_collection },
	/* Their names have a hyphen, which no collection's has. */
	{ "manifest_field_types", "Get Field Types for Forms",
	    .about = "The field types of all modules: names, what their values are, and what a "
		     "field of each may be told.",
	    .route = "GET /admin/manifest/field-types", .lane = STET_READ,
	    .permission = "schema:read", .scope = "admin", .out = manifest_types_out,
	    .run = manifest_field_types },
	{ "manifest_block_types", "Get Block Types for Forms",
	    .about = "The types of blocks that the site defines for its texts, with their fields: "
		     "for those who may write items.",
	    .route = "GET /admin/manifest/block-types", .lane = STET_READ, .scope = "admin",
	    .permission = "content:create", .out = blocks_out, .run = manifest_blocks },
	{ "manifest_importers", "Get Importers for Forms",
	    .about = "The importers of all modules, besides that of WXR, which is the module "
		     "import's own: names, files, options.",
	    .route = "GET /admin/manifest/import-formats", .lane = STET_READ, .scope = "admin",
	    .out = manifest_importers_out, .run = manifest_importers },
};

static const char *const needs[] = { "auth", "schema", "content", NULL };

STET_MODULE(manifest) = {
	STET_MODULE_HEAD(manifest),
	.version = "1.0",
	.summary = "What administration pages begin with",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
};
