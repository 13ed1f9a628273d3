/* colour - a plugin of the tests: a field type with a state, and an objection to some changes. */
#include <ctype.h>
#include <stet/module.h>
#include <string.h>

struct state {
	long long checked;
};

static enum stet_status
colour_define(struct stet_call *call, const struct stet_field *field)
{
	const json_t *named = json_object_get(field->options, "named");

	if (named != NULL && !json_is_boolean(named))
		stet_issue(call, "options.named", "must be true or false");
	return STET_OK;
}

/* "#rgb" or "#rrggbb", in lower case; names too when the options say so and the setting knows them.
 */
static enum stet_status
colour_check(struct stet_call *call, const struct stet_field *field, const char *path,
    const json_t *value, json_t **out)
{
	const char *text = json_string_value(value), *known = stet_setting_str(call, "name");
	struct state *state = stet_state(call);
	size_t len = text != NULL ? strlen(text) : 0;
	char *lower = stet_strdup(call, text);

	*out = NULL;
	__atomic_add_fetch(&state->checked, 1, __ATOMIC_RELAXED);
	if (text != NULL && json_is_true(json_object_get(field->options, "named")) &&
	    strcmp(text, known) == 0)
		*out = json_string("#663399");
	else if ((len == 4 || len == 7) && *text == '#' &&
		 strspn(text + 1, "0123456789abcdefABCDEF") == len - 1) {
		for (char *p = lower; *p != '\0'; p++)
			*p = (char)tolower((unsigned char)*p);
		*out = json_string(lower);
	} else
		stet_issue(call, path, "must be a colour");
	return STET_OK;
}

static enum stet_status
colour_checked(struct stet_call *call)
{
	struct state *state = stet_state(call);
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_int(out, "checked", __atomic_load_n(&state->checked, __ATOMIC_RELAXED));
	stet_close(out);
	return STET_OK;
}

/* Observes changes of the schema in their transaction: additions after they are made, removals
 * before. */
static enum stet_status
watch(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;

	(void)tx;
	STET_TRY(schema->collection(call, collection, &c));
	if (field != NULL && stet_field(c, field) == NULL)
		return stet_fail(call, STET_INTERNAL_ERROR, NULL, "a field that is not there");
	if (strcmp(change, "delete") == 0 && field != NULL && strcmp(field, "precious") == 0)
		return stet_fail(call, STET_SAVE_REJECTED, NULL, "precious stays");
	if (strcmp(change, "create") == 0 && field != NULL && strcmp(field, "colorless") == 0)
		return stet_fail(call, STET_SAVE_REJECTED, NULL, "no field without a colour");
	if (strcmp(change, "update") == 0 && strcmp(c->label, "Grey") == 0)
		return stet_fail(call, STET_SAVE_REJECTED, NULL, "no grey");
	return STET_OK;
}

static const struct stet_member checked[] = {
	{ "checked", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
static const struct stet_op ops[] = {
	{ "checked", .route = "GET /checked", .permission = "schema:read", .scope = "schema:read",
	    .out = checked, .run = colour_checked },
};
static const struct stet_hook hooks[] = { STET_ON(schema_changing, 0, watch) };
static const struct stet_field_type types[] = {
	{ .name = "colour",
	    .storage = STET_STORE_TEXT,
	    .flags = STET_INDEXABLE,
	    .type_name = "`#${string}`",
	    .define = colour_define,
	    .check = colour_check },
};
static const struct stet_setting_def settings[] = {
	{ { "name", STET_STRING, .fallback = "\"rebeccapurple\"" } },
};
static const char *const needs[] = { "schema", NULL };

STET_MODULE(colour) = {
	STET_MODULE_HEAD(colour),
	.version = "1.0",
	.summary = "A field type for colours",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.field_types = STET_TABLE(types),
	.settings = STET_TABLE(settings),
	.state_size = sizeof(struct state),
};
