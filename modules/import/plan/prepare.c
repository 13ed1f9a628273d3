/*
 * prepare.c - makes the collections and fields that an import needs. It only adds: what exists
 * stays as it is, whatever its type. Each collection is prepared in a transaction of its own. If
 * one fails, nothing of it is stored, and the others are prepared all the same.
 */
#include "plan/prepare.h"
#include "plan/definition.h"
#include "read/text.h"
#include <ctype.h>
#include <string.h>

#define TYPES_MAX 1000 /* post types in one request */
#define NAME_MOST 255

static const struct stet_member field_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED, STET_RANGE(1, 63) },
	{ "label", STET_STRING, STET_REQUIRED, STET_RANGE(1, 500) },
	{ "type", STET_STRING, STET_REQUIRED, STET_RANGE(1, 63) },
	{ "required", STET_BOOLEAN, STET_REQUIRED },
	{ "searchable", STET_BOOLEAN },
	{ "options", STET_OBJECT, .about = "As for POST /schema/collections/{slug}/fields, and:" },
	{ "unique", STET_BOOLEAN },
	{ "defaultValue", STET_ANY },
	{ "validation", STET_OBJECT },
	{ "widget", STET_STRING, .max = 500 },
	{ "sortOrder", STET_INTEGER },
	{ "indexed", STET_BOOLEAN },
	{ "translatable", STET_BOOLEAN },
	{ 0 },
};
static const struct stet_member type_shape[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Type of posts in the source",
	    STET_RANGE(1, NAME_MOST) },
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection",
	    STET_RANGE(1, NAME_MOST) },
	{ "enabled", STET_BOOLEAN, .about = "false: it is not prepared", .fallback = "true" },
	{ "fields", STET_ARRAY, .of = field_shape, STET_RANGE(0, 500),
	    .about = "Those that the collection lacks are made; others stay" },
	{ "definition", STET_OBJECT,
	    .about = "Of a new collection, as for POST "
		     "/schema/collections; else it is made by the type" },
	{ 0 },
};
const struct stet_member prepare_in[] = {
	{ "postTypes", STET_ARRAY, STET_REQUIRED, .of = type_shape, STET_RANGE(0, TYPES_MAX) },
	{ 0 },
};

static const struct stet_member made_shape[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "field", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member wrong_shape[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "error", STET_STRING, STET_REQUIRED },
	{ 0 },
};
const struct stet_member prepare_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED,
	    .about = "false, with status 400, if a collection could not be prepared" },
	{ "collectionsCreated", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "fieldsCreated", STET_ARRAY, STET_REQUIRED, .of = made_shape },
	{ "errors", STET_ARRAY, STET_REQUIRED, .of = wrong_shape },
	{ 0 },
};

/* What was done so far. `at`: the present post type. */
struct preparation {
	const char *importer; /* NULL: the source is WordPress */
	const json_t *at;
	json_t *collections, *fields, *errors;
	/* Of the present post type; counted once its transaction is committed. */
	bool created;
	json_t *new_fields, *unknown;
};

static void
add_error(json_t *list, const char *collection, const char *error)
{
	(void)json_array_append_new(
	    list, json_pack("{ss ss}", "collection", collection, "error", error));
}

/* ---- a new collection ---- */

static bool
is_one_of(const char *text, const char *a, const char *b)
{
	return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

static const char *
singular(struct stet_call *call, const char *label)
{
	size_t len = strlen(label);

	if (len > 3 && strcmp(label + len - 3, "ies") == 0)
		return stet_printf(call, "%.*sy", (int)len - 3, label);
	if (len > 1 && label[len - 1] == 's')
		return stet_strndup(call, label, len - 1);
	return label;
}

const char *
prepare_pattern(const char *collection)
{
	return is_one_of(collection, "posts", "post")   ? "/blog/{slug}"
	       : is_one_of(collection, "pages", "page") ? "/{slug}"
							: NULL;
}

static json_t *
definition_by_type(struct stet_call *call, const char *slug, const struct preparation *p)
{
	const char *type = text_in(p->at, "name"), *from = p->importer;
	bool posts = is_one_of(slug, "posts", "post"), pages = is_one_of(slug, "pages", "page");
	char *label = stet_strdup(call, slug);
	json_t *supports = json_pack("[ss]", "revisions", "drafts");

	label[0] = (char)toupper((unsigned char)label[0]);
	if (posts || pages)
		(void)json_array_append_new(supports, json_string("search"));
	return stet_json_own(call,
	    json_pack("{ss ss ss ss ss so ss*}", "slug", slug, "label", label, "labelSingular",
		singular(call, label), "description",
		from == NULL ? stet_printf(call, "Imported from WordPress post type: %s", type)
			     : stet_printf(call, "Imported from %s: %s", from, type),
		"source", stet_printf(call, "import:%s", from == NULL ? "wordpress" : from),
		"supports", supports, "urlPattern", prepare_pattern(slug)));
}

static json_t *
definition(struct stet_call *call, const char *slug, const struct preparation *p)
{
	const json_t *given = json_object_get(p->at, "definition");
	json_t *out;

	if (given == NULL)
		return definition_by_type(call, slug, p);
	out = stet_json_own(call, json_pack("{ss}", "slug", slug));
	definition_copy(out, given, false);
	return out;
}

/* Sets what refers to fields, and comments. */
static enum stet_status
finish_collection(struct stet_call *call, const struct preparation *p)
{
	const json_t *given = json_object_get(p->at, "definition");
	json_t *args, *reply;

	if (given == NULL || !p->created)
		return STET_OK;
	args = json_pack("{ss}", "slug", text_in(p->at, "collection"));
	definition_copy(args, given, true);
	return stet_invoke_json(call, "schema_update_collection", args, &reply);
}

/* The collection, made if there is none. */
static enum stet_status
have_collection(struct stet_call *call, struct stet_tx *tx, const char *slug, struct preparation *p,
    const struct stet_collection **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	enum stet_status status = schema->collection(call, slug, out);

	if (status == STET_OK || stet_error_status(call) != STET_COLLECTION_NOT_FOUND)
		return status;
	stet_error_clear(call);
	STET_TRY(schema->create_collection(call, tx, definition(call, slug, p)));
	p->created = true;
	return schema->collection(call, slug, out);
}

/* ---- a post type ---- */

static enum stet_status
have_field(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const json_t *field, struct preparation *p)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = text_in(field, "slug"), *type = text_in(field, "type");
	struct stet_field_type known;

	if (stet_field(c, slug) != NULL)
		return STET_OK;
	if (!stet_field_type(call, type, &known)) {
		add_error(p->unknown, c->slug,
		    stet_printf(call, "Field \"%s\" has the unknown type \"%s\"", slug, type));
		return STET_OK;
	}
	STET_TRY(schema->create_field(call, tx, c->slug, field));
	(void)json_array_append_new(
	    p->new_fields, json_pack("{ss ss}", "collection", c->slug, "field", slug));
	return STET_OK;
}

static enum stet_status
prepare_type(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct preparation *p = arg;
	const json_t *fields = json_object_get(p->at, "fields"), *field;
	const struct stet_collection *c = NULL;
	size_t i;

	p->created = false;
	(void)json_array_clear(p->new_fields);
	(void)json_array_clear(p->unknown);
	STET_TRY(have_collection(call, tx, text_in(p->at, "collection"), p, &c));
	json_array_foreach(fields, i, field)
	{
		/* Read the collection again, as it is after the fields before: a field may be
		 * listed twice. */
		const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);

		STET_TRY(schema->collection(call, text_in(p->at, "collection"), &c));
		STET_TRY(have_field(call, tx, c, field, p));
	}
	return finish_collection(call, p);
}

static enum stet_status
in_scope(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, prepare_type, arg);
}

static const char *
refusal(struct stet_call *call)
{
	const char *why =
	    stet_printf(call, "Failed to prepare collection: %s", stet_error_text(call));

	stet_error_clear(call);
	return why;
}

/* Prepares one post type. A refusal (400 to 499) concerns its collection alone; any other failure
 * would hit the next one, too. */
static enum stet_status
prepare_one(struct stet_call *call, struct preparation *p)
{
	const char *slug = text_in(p->at, "collection");
	enum stet_status status = stet_scope(call, in_scope, p);
	int http = stet_status_http(status);

	if (status != STET_OK && (http < 400 || http >= 500))
		return status;
	if (status != STET_OK) {
		add_error(p->errors, slug, refusal(call));
		return STET_VALIDATION_ERROR;
	}
	if (p->created)
		(void)json_array_append_new(p->collections, json_string(slug));
	(void)json_array_extend(p->fields, p->new_fields);
	(void)json_array_extend(p->errors, p->unknown);
	return STET_OK;
}

static void
begin(struct stet_call *call, struct preparation *p, const char *importer)
{
	*p = (struct preparation){ .importer = importer,
		.collections = stet_json_own(call, json_array()),
		.fields = stet_json_own(call, json_array()),
		.errors = stet_json_own(call, json_array()),
		.new_fields = stet_json_own(call, json_array()),
		.unknown = stet_json_own(call, json_array()) };
}

/* Prepares all post types. *success: none was refused. */
static enum stet_status
prepare(struct stet_call *call, struct preparation *p, const json_t *types, bool *success)
{
	const json_t *type;
	size_t i;

	*success = true;
	json_array_foreach(types, i, type)
	{
		enum stet_status status;

		if (json_is_false(json_object_get(type, "enabled")))
			continue;
		p->at = type;
		status = prepare_one(call, p);
		if (status != STET_OK && status != STET_VALIDATION_ERROR)
			return status;
		*success = *success && status == STET_OK;
	}
	return STET_OK;
}

/* ---- for an import ---- */

static enum stet_status
first_error(struct stet_call *call, const json_t *errors)
{
	const json_t *first = json_array_get(errors, 0);

	return first == NULL ? STET_OK
			     : stet_fail(call, STET_CONFLICT, NULL, "%s: %s",
				   text_in(first, "collection"), text_in(first, "error"));
}

enum stet_status
prepare_all(struct stet_call *call, const json_t *types, const char *importer)
{
	struct preparation p;
	bool success;

	begin(call, &p, importer);
	STET_TRY(prepare(call, &p, types, &success));
	return first_error(call, p.errors);
}

enum stet_status
prepare_within(
    struct stet_call *call, struct stet_tx *tx, const json_t *types, const char *importer)
{
	const json_t *type;
	struct preparation p;
	size_t i;

	begin(call, &p, importer);
	json_array_foreach(types, i, type)
	{
		enum stet_status status;

		p.at = type;
		status = prepare_type(call, tx, &p);
		if (status != STET_OK && stet_status_http(status) < 500)
			add_error(p.errors, text_in(type, "collection"), refusal(call));
		else if (status != STET_OK)
			return status;
		STET_TRY(first_error(call, p.errors));
		STET_TRY(first_error(call, p.unknown));
	}
	return STET_OK;
}

/* ---- the op ---- */

static void
put(struct stet_json *out, const char *key, const struct preparation *p, bool success)
{
	stet_object(out, key);
	stet_put_bool(out, "success", success);
	stet_put_json(out, "collectionsCreated", p->collections);
	stet_put_json(out, "fieldsCreated", p->fields);
	stet_put_json(out, "errors", p->errors);
	stet_close(out);
}

/* The envelope of a success, with the status of an error: clients read what went wrong in it. */
static enum stet_status
answer_failed(struct stet_call *call, const struct preparation *p)
{
	struct stet_json *out = stet_json_new(call);
	const char *text;
	size_t len;

	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	put(out, "data", p, false);
	stet_close(out);
	text = stet_json_text(out, &len);
	stet_reply_type(call, "application/json");
	stet_reply_status(call, 400);
	return stet_write(call, text, len);
}

enum stet_status
import_prepare(struct stet_call *call)
{
	struct preparation p;
	bool success;

	begin(call, &p, NULL);
	STET_TRY(prepare(call, &p, stet_arg_json(call, "postTypes"), &success));
	if (!success)
		return answer_failed(call, &p);
	put(stet_reply(call), NULL, &p, true);
	return STET_OK;
}
