/*
 * prepare.c - makes the collections and fields that an import needs. It only adds: what exists
 * stays as it is, whatever its type. Each collection is prepared in a transaction of its own. If
 * one fails, nothing of it is stored, and the others are prepared all the same.
 */
#include "plan/prepare.h"
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
	{ "validation", STET_OBJECT, .about = "As for POST /schema/collections/{slug}/fields" },
	{ "options", STET_OBJECT, .about = "As for POST /schema/collections/{slug}/fields" },
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
	const json_t *at;
	json_t *collections, *fields, *errors;
	/* Of the present post type; counted once its transaction is committed. */
	bool created;
	json_t *new_fields, *unknown;
};

static const char *
text_of(const json_t *object, const char *member)
{
	const char *text = json_string_value(json_object_get(object, member));

	return text != NULL ? text : "";
}

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

static json_t *
definition(struct stet_call *call, const char *slug, const char *type)
{
	bool posts = is_one_of(slug, "posts", "post"), pages = is_one_of(slug, "pages", "page");
	char *label = stet_strdup(call, slug);
	json_t *supports = json_pack("[ss]", "revisions", "drafts");

	label[0] = (char)toupper((unsigned char)label[0]);
	if (posts || pages)
		(void)json_array_append_new(supports, json_string("search"));
	return stet_json_own(
	    call, json_pack("{ss ss ss ss ss so ss*}", "slug", slug, "label", label,
		      "labelSingular", singular(call, label), "description",
		      stet_printf(call, "Imported from WordPress post type: %s", type), "source",
		      "import:wordpress", "supports", supports, "urlPattern",
		      posts   ? "/blog/{slug}"
		      : pages ? "/{slug}"
			      : NULL));
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
	STET_TRY(
	    schema->create_collection(call, tx, definition(call, slug, text_of(p->at, "name"))));
	p->created = true;
	return schema->collection(call, slug, out);
}

/* ---- a post type ---- */

static enum stet_status
have_field(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const json_t *field, struct preparation *p)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = text_of(field, "slug"), *type = text_of(field, "type");
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
	STET_TRY(have_collection(call, tx, text_of(p->at, "collection"), p, &c));
	json_array_foreach(fields, i, field)
	{
		/* Read the collection again, as it is after the fields before: a field may be
		 * listed twice. */
		const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);

		STET_TRY(schema->collection(call, text_of(p->at, "collection"), &c));
		STET_TRY(have_field(call, tx, c, field, p));
	}
	return STET_OK;
}

static enum stet_status
in_scope(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, prepare_type, arg);
}

/* Prepares one post type. A refusal (400 to 499) concerns its collection alone; any other failure
 * would hit the next one, too. */
static enum stet_status
prepare_one(struct stet_call *call, struct preparation *p)
{
	const char *slug = text_of(p->at, "collection");
	enum stet_status status = stet_scope(call, in_scope, p);
	int http = stet_status_http(status);

	if (status != STET_OK && (http < 400 || http >= 500))
		return status;
	if (status != STET_OK) {
		add_error(p->errors, slug,
		    stet_printf(call, "Failed to prepare collection: %s", stet_error_text(call)));
		stet_error_clear(call);
		return STET_VALIDATION_ERROR;
	}
	if (p->created)
		(void)json_array_append_new(p->collections, json_string(slug));
	(void)json_array_extend(p->fields, p->new_fields);
	(void)json_array_extend(p->errors, p->unknown);
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
	const json_t *types = stet_arg_json(call, "postTypes"), *type;
	json_t **lists[5];
	struct preparation p = { 0 };
	bool success = true;
	size_t i;

	lists[0] = &p.collections;
	lists[1] = &p.fields;
	lists[2] = &p.errors;
	lists[3] = &p.new_fields;
	lists[4] = &p.unknown;
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		*lists[i] = stet_json_own(call, json_array());
	json_array_foreach(types, i, type)
	{
		enum stet_status status;

		if (json_is_false(json_object_get(type, "enabled")))
			continue;
		p.at = type;
		status = prepare_one(call, &p);
		if (status != STET_OK && status != STET_VALIDATION_ERROR)
			return status;
		success = success && status == STET_OK;
	}
	if (!success)
		return answer_failed(call, &p);
	put(stet_reply(call), NULL, &p, true);
	return STET_OK;
}
