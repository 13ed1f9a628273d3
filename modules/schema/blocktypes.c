/*
 * blocktypes.c - handlers: the types of blocks that the site defines. Deleting one deletes no
 * blocks: they stay in texts, as blocks of unknown types do.
 */
#include "blocktypes.h"
#include <string.h>

#define USES_MOST 1000 /* items that are counted before a type is deleted */

/* ---- shapes ---- */

const struct stet_member block_field_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "type", STET_STRING, STET_REQUIRED },
	{ "required", STET_BOOLEAN, STET_REQUIRED },
	{ "defaultValue", STET_ANY, .about = "What the editor puts into a new block" },
	{ "validation", STET_OBJECT },
	{ "widget", STET_STRING },
	{ "options", STET_OBJECT },
	{ 0 },
};
static const struct stet_member block_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED, "_type of the blocks" },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "icon", STET_STRING },
	{ "description", STET_STRING },
	{ "sortOrder", STET_INTEGER },
	{ "createdAt", STET_TIME, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ "fields", STET_ARRAY, STET_REQUIRED, .of = block_field_shape },
	{ 0 },
};
const struct stet_member block_types_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = block_shape },
	{ 0 },
};
const struct stet_member block_type_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = block_shape },
	{ 0 },
};
const struct stet_member block_type_in[] = {
	{ "block", STET_STRING, STET_REQUIRED, "Slug of the type" },
	{ 0 },
};

/* A field in a request. blockdefs.c checks it, as the types of fields want it. */
static const struct stet_member field_in[] = {
	{ "slug", STET_STRING, STET_REQUIRED, "Member of the block: a-z, 0-9 and _" },
	{ "label", STET_STRING, STET_REQUIRED, "Display name" },
	{ "type", STET_STRING, STET_REQUIRED, "Any field type but portableText and slug" },
	{ "required", STET_BOOLEAN, STET_NULLABLE },
	{ "defaultValue", STET_ANY, .about = "What the editor puts into a new block" },
	{ "validation", STET_OBJECT, STET_NULLABLE, "As that of a field of a collection" },
	{ "widget", STET_STRING, STET_NULLABLE },
	{ "options", STET_OBJECT, STET_NULLABLE, "As those of a field of a collection" },
	{ 0 },
};
#define TEXT_LIMIT STET_RANGE(1, 500)
#define REST                                                                                     \
	{ "icon", STET_STRING, STET_NULLABLE, "A character or a name, for menus", .max = 100 },  \
	    { "description", STET_STRING, STET_NULLABLE, "What the block is for", .max = 2000 }, \
	{                                                                                        \
		"sortOrder", STET_INTEGER, STET_NULLABLE, "Place in menus; default: by slug",    \
		    STET_RANGE(-1000000000, 1000000000)                                          \
	}

const struct stet_member block_create_in[] = {
	{ "slug", STET_STRING, STET_REQUIRED, "_type of the blocks: a-z, 0-9 and _, a letter first",
	    .pattern = "^[a-z][a-z0-9_]*$", STET_RANGE(1, NAME_MAX_LENGTH) },
	{ "label", STET_STRING, STET_REQUIRED, "Display name", TEXT_LIMIT },
	{ "fields", STET_ARRAY, .about = "In the order of the form", .of = field_in,
	    .max = BLOCK_FIELDS_MAX },
	REST,
	{ 0 },
};
const struct stet_member block_update_in[] = {
	{ "block", STET_STRING, STET_REQUIRED, "Slug of the type" },
	{ "label", STET_STRING, .about = "Display name", TEXT_LIMIT },
	{ "fields", STET_ARRAY,
	    .about = "All fields. Values of removed ones stay in the blocks that have them",
	    .of = field_in, .max = BLOCK_FIELDS_MAX },
	REST,
	{ "slug", STET_STRING, .about = "Cannot change" },
	{ "createdAt", STET_ANY, STET_IGNORED },
	{ "updatedAt", STET_ANY, STET_IGNORED },
	{ 0 },
};
const struct stet_member block_delete_in[] = {
	{ "block", STET_STRING, STET_REQUIRED, "Slug of the type" },
	{ "force", STET_STRING, .about = "\"true\": even if items have such blocks" },
	{ 0 },
};
const struct stet_member block_uses_in[] = {
	{ "block", STET_STRING, STET_REQUIRED, "Slug of the type" },
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "Items", STET_RANGE(1, USES_MOST),
	    .fallback = "100" },
	{ 0 },
};
static const struct stet_member user_shape[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "locale", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "title", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "deletedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE, .about = "In the trash" },
	{ 0 },
};
const struct stet_member block_uses_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = user_shape },
	{ 0 },
};

/* ---- reading ---- */

static enum stet_status
find(struct stet_call *call, const char *slug, const struct stet_block_type **out)
{
	const struct blockset *set;

	STET_TRY(snapshot_blocks(call, &set));
	if ((*out = blockset_find(set, slug)) == NULL)
		return stet_fail(call, stet_code(call, "BLOCK_TYPE_NOT_FOUND"), NULL,
		    "Block type \"%s\" not found", slug);
	return STET_OK;
}

static enum stet_status
reply(struct stet_call *call, const char *slug)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_block_type *t;

	STET_TRY(find(call, slug, &t));
	stet_object(out, NULL);
	put_block_type(out, "item", t, true);
	stet_close(out);
	return STET_OK;
}

enum stet_status
block_types_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_block_type *const *list;
	size_t n;

	STET_TRY(own_blocks_list(call, &list, &n));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < n; i++)
		put_block_type(out, NULL, list[i], true);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

enum stet_status
block_type_get(struct stet_call *call)
{
	return reply(call, stet_arg(call, "block"));
}

enum stet_status
block_type_uses(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_block_type *t;

	STET_TRY(find(call, stet_arg(call, "block"), &t));
	stet_object(out, NULL);
	stet_array(out, "items");
	STET_TRY(block_put_users(call, t->slug, stet_arg_int(call, "limit"), out));
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- changing ---- */

/* The definition as it is, or an empty one. */
static struct block_def
def_of(struct stet_call *call, const struct stet_block_type *t)
{
	struct block_def def = { .fields = stet_json_own(call, json_array()) };
	struct stet_json *j = stet_json_new(call);
	const char *text;
	json_t *whole;
	size_t len;

	if (t == NULL)
		return def;
	put_block_type(j, NULL, t, false);
	text = stet_json_text(j, &len);
	whole = stet_json_own(call, json_loadb(text, len, 0, NULL));
	return (struct block_def){ t->slug, t->label, t->icon, t->description,
		json_object_get(whole, "fields"), json_object_get(whole, "sortOrder") };
}

/* Overwrites the definition with the arguments of the call. */
static void
overlay(struct stet_call *call, struct block_def *def)
{
	if (stet_has(call, "label"))
		def->label = stet_arg(call, "label");
	if (stet_has(call, "icon"))
		def->icon = stet_arg(call, "icon");
	if (stet_has(call, "description"))
		def->description = stet_arg(call, "description");
	if (stet_has(call, "fields"))
		def->fields = stet_arg_json(call, "fields");
	if (stet_has(call, "sortOrder")) {
		def->sort_order = stet_arg_json(call, "sortOrder");
		if (json_is_null(def->sort_order))
			def->sort_order = NULL;
	}
}

static enum stet_status
store(struct stet_call *call, struct block_def *def, const struct stet_block_type *is)
{
	struct stet_tx *tx = stet_write_tx(call);

	overlay(call, def);
	STET_TRY(block_define(call, def));
	STET_TRY(block_store(call, tx, def, is));
	return reply(call, def->slug);
}

enum stet_status
block_type_create(struct stet_call *call)
{
	const struct stet_block_type *t;
	struct block_def def = def_of(call, NULL);
	const struct blockset *set;
	size_t n;

	def.slug = stet_arg(call, "slug");
	STET_TRY(snapshot_blocks(call, &set));
	(void)blockset_list(set, &n);
	if ((t = blockset_find(set, def.slug)) != NULL)
		return stet_fail(call, stet_code(call, "BLOCK_TYPE_EXISTS"), "slug",
		    "Block type \"%s\" already exists", t->slug);
	if (n >= BLOCK_TYPES_MAX)
		return stet_fail(call, STET_VALIDATION_ERROR, NULL,
		    "A site has at most %d types of blocks", BLOCK_TYPES_MAX);
	return store(call, &def, NULL);
}

enum stet_status
block_type_update(struct stet_call *call)
{
	const char *slug = stet_arg(call, "slug"), *path = stet_arg(call, "block");
	const struct stet_block_type *t;
	struct block_def def;

	if (slug != NULL && strcmp(slug, path) != 0)
		stet_issue(call, "slug", "cannot change");
	STET_TRY(stet_issues(call));
	STET_TRY(find(call, path, &t));
	def = def_of(call, t);
	return store(call, &def, t);
}

/* ---- deleting ---- */

static enum stet_status
drop(struct stet_call *call, struct stet_tx *tx, void *slug)
{
	return block_drop(call, tx, slug);
}

/* Counts outside of the write lane: it reads the texts of all items. Blocks that are saved
 * meanwhile do no harm, since no block is deleted. */
enum stet_status
block_type_delete(struct stet_call *call)
{
	const char *force = stet_arg(call, "force");
	struct stet_json *out = stet_reply(call);
	const struct stet_block_type *t;
	int64_t uses;
	char *slug;

	STET_TRY(find(call, stet_arg(call, "block"), &t));
	slug = stet_strdup(call, t->slug);
	if (force == NULL || strcmp(force, "true") != 0) {
		STET_TRY(block_uses(call, slug, USES_MOST, &uses));
		if (uses > 0) {
			stet_detail(call, "items", stet_printf(call, "%lld", (long long)uses));
			return stet_fail(call, stet_code(call, "BLOCK_TYPE_IN_USE"), NULL,
			    "%s%lld items have blocks of the type \"%s\". Use force=true to "
			    "delete its definition; the blocks stay.",
			    uses == USES_MOST ? "At least " : "", (long long)uses, slug);
		}
	}
	STET_TRY(stet_write_lane(call, drop, slug));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_str(out, "deleted", slug);
	stet_close(out);
	return STET_OK;
}
