/*
 * execute.c - imports an export: reads what to import and how (the configuration of a form), runs
 * the passes (passes.c), and returns the report.
 */
#include "run/execute.h"
#include "plan/names.h"
#include "read/form.h"
#include "read/uploads.h"
#include "run/doubles.h"
#include "run/passes.h"
#include "run/write.h"
#include "state/map.h"
#include "state/ops.h"
#include <stet/taxonomies.h>
#include <string.h>

#define TYPES_MAX 1000

static const struct stet_member options_shape[] = {
	{ "includeMedia", STET_BOOLEAN, .about = "Featured images; true when omitted" },
	{ "includeTaxonomies", STET_BOOLEAN, .about = "True when omitted" },
	{ "includeMenus", STET_BOOLEAN, .about = "True when omitted" },
	{ 0 },
};
const struct stet_member execute_in[] = {
	{ "analysisId", STET_STRING, STET_RANGE(1, 64),
	    .about = "In place of a form: what analyze answered; its file is kept for a day and "
		     "imported as suggested there. What is there already stays" },
	{ "options", STET_OBJECT, .of = options_shape },
	{ 0 },
};

const struct stet_member execute_config[] = {
	{ "postTypeMappings", STET_OBJECT, STET_REQUIRED,
	    .about = "{type of posts: {collection, enabled}}" },
	{ "skipExisting", STET_BOOLEAN,
	    .about = "Items with the same collection, slug and locale stay as they are" },
	{ "authorMappings", STET_OBJECT, STET_NULLABLE, .about = "{login: user id or null}" },
	{ "importSections", STET_BOOLEAN, .about = "Reusable blocks; true when omitted" },
	{ "importMenus", STET_BOOLEAN, .about = "True when omitted" },
	{ "importSiteTitle", STET_BOOLEAN,
	    .about = "Title and tagline of a site with an exporter; true when omitted" },
	{ "importLogo", STET_BOOLEAN,
	    .about = "Its logo, once the file was copied; true when omitted" },
	{ "importSeo", STET_BOOLEAN,
	    .about = "What its SEO plugins have of an item; true when omitted" },
	{ "locale", STET_STRING, STET_NULLABLE, .about = "Of items that name none",
	    STET_RANGE(0, 64) },
	{ 0 },
};

/* ---- the configuration ---- */

static const struct stet_part *
part_of(struct stet_call *call, const char *name)
{
	const struct stet_part *const *part;
	size_t parts = stet_parts(call, &part);

	for (size_t i = 0; i < parts; i++)
		if (strcmp(part[i]->name, name) == 0)
			return part[i];
	return NULL;
}

enum stet_status
config_part(struct stet_call *call, json_t **out)
{
	const struct stet_part *part = part_of(call, "config");
	const char *why = "";

	*out = NULL;
	if (part == NULL || part->value == NULL)
		return STET_OK;
	*out = stet_json_parse(call, part->value, strlen(part->value), &why);
	return json_is_object(*out)
		   ? STET_OK
		   : stet_fail(call, STET_VALIDATION_ERROR, "config", "must be a JSON object%s%s",
			 *out == NULL ? ": " : "", *out == NULL ? why : "");
}

static enum stet_status
read_config(struct stet_call *call, json_t **out)
{
	STET_TRY(config_part(call, out));
	if (*out == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "config", "No config provided");
	stet_check_shape(call, "config", execute_config, *out);
	return stet_issues(call);
}

static void
check_mapping(struct stet_call *call, const char *type, const json_t *mapping)
{
	const char *path = stet_printf(call, "config.postTypeMappings.%.60s", type);

	if (!json_is_object(mapping))
		stet_issue(call, path, "must be an object: {collection, enabled}");
	else if (!json_is_string(json_object_get(mapping, "collection")))
		stet_issue(call, stet_printf(call, "%s.collection", path), "must be a string");
	else if (!json_is_boolean(json_object_get(mapping, "enabled")))
		stet_issue(call, stet_printf(call, "%s.enabled", path), "must be true or false");
}

enum stet_status
config_types(struct stet_call *call, const json_t *types)
{
	const char *type;
	json_t *mapping;

	if (json_object_size(types) > TYPES_MAX)
		stet_issue(
		    call, "config.postTypeMappings", "must have at most %d members", TYPES_MAX);
	else
		json_object_foreach((json_t *)(uintptr_t)types, type, mapping)
		    check_mapping(call, type, mapping);
	return stet_issues(call);
}

/* Checks that a user of authorMappings exists: its bylines will be made. */
static enum stet_status
check_user(struct stet_call *call, const char *login, const char *id)
{
	json_t *reply;
	enum stet_status status =
	    stet_invoke_json(call, "admin_user_get", json_pack("{ss}", "id", id), &reply);

	if (status == STET_OK || stet_error_status(call) != STET_NOT_FOUND)
		return status;
	stet_error_clear(call);
	return stet_fail(call, STET_VALIDATION_ERROR,
	    stet_printf(call, "config.authorMappings.%.60s", login), "There is no user %.60s", id);
}

enum stet_status
config_authors(struct stet_call *call, const json_t *authors)
{
	const char *login;
	json_t *id;

	json_object_foreach((json_t *)(uintptr_t)authors, login, id)
	{
		if (json_is_null(id))
			continue;
		if (!json_is_string(id))
			return stet_fail(call, STET_VALIDATION_ERROR,
			    stet_printf(call, "config.authorMappings.%.60s", login),
			    "must be the id of a user, or null");
		STET_TRY(check_user(call, login, json_string_value(id)));
	}
	return STET_OK;
}

enum stet_status
config_take(struct stet_call *call, const json_t *config, struct run *run)
{
	run->types = json_object_get(config, "postTypeMappings");
	run->authors = json_object_get(config, "authorMappings");
	if (json_is_null(run->authors))
		run->authors = NULL;
	run->skip_existing = json_is_true(json_object_get(config, "skipExisting"));
	run->sections = !json_is_false(json_object_get(config, "importSections"));
	run->menus = !json_is_false(json_object_get(config, "importMenus"));
	run->locale =
	    stet_locale_stored(call, json_string_value(json_object_get(config, "locale")));
	STET_TRY(config_types(call, run->types));
	return config_authors(call, run->authors);
}

/* ---- the run ---- */

static enum stet_status
has_module(struct stet_call *call, const char *name, bool *out)
{
	const struct stet_module_info *info;
	enum stet_status status = stet_module_find(call, name, &info);

	*out = status == STET_OK && info->enabled;
	if (status == STET_NOT_FOUND)
		stet_error_clear(call);
	return status == STET_NOT_FOUND ? STET_OK : status;
}

/* The names of a run that was not analysed: its types go where the configuration says. */
static struct names *
names_for(struct stet_call *call, const json_t *types)
{
	json_t *given = stet_json_own(call, json_object()), *mapping;
	struct names *names = names_new(call);
	const char *type;

	json_object_foreach((json_t *)(uintptr_t)types, type, mapping)
	{
		(void)json_object_set(given, type, json_object_get(mapping, "collection"));
	}
	names->given = given;
	return names;
}

/* Prepares the run. What belongs to modules that are off is not imported. */
static enum stet_status
begin(struct stet_call *call, struct run *run)
{
	bool sections, menus;

	STET_TRY(has_module(call, "sections", &sections));
	STET_TRY(has_module(call, "menus", &menus));
	run->sections = run->sections && sections;
	run->menus = run->menus && menus;
	run->taxonomies = run->taxonomies && stet_service(call, STET_TAXONOMIES_1) != NULL;
	if (!run->lasts)
		run->id = stet_id(call);
	if (run->names == NULL)
		run->names = names_for(call, run->types);
	report_begin(call, &run->report);
	run->definitions = stet_json_own(call, json_object());
	run->seen = stet_json_own(call, json_object());
	run->expected = stet_json_own(call, json_object());
	run->doubles = stet_json_own(call, json_object());
	run->unmade = stet_json_own(call, json_object());
	run->notes = stet_json_own(call, json_array());
	run->channel = stet_json_own(call, json_object());
	return STET_OK;
}

static enum stet_status
passes(struct stet_call *call, void *arg)
{
	enum stet_status status;

	write_begin(call, arg);
	status = run_passes(arg);
	doubles_end(arg);
	return status;
}

/* Deletes the rows of the run, whether it has succeeded or failed. A resumable run keeps them. */
static enum stet_status
finish(struct stet_call *call, struct run *run, enum stet_status status)
{
	const char *why = status != STET_OK ? stet_error_text(call) : NULL;
	enum stet_status cleared;

	if (run->lasts)
		return status;
	stet_error_clear(call);
	cleared = map_clear(call, run->id);
	if (status == STET_OK)
		return cleared;
	stet_error_clear(call);
	return stet_fail(call, status, NULL, "%s", why + strcspn(why, " ") + 1);
}

enum stet_status
run_all(struct stet_call *call, struct run *run)
{
	STET_TRY(begin(call, run));
	return finish(call, run, stet_scope(call, passes, run));
}

/* Takes the files and the configuration of a form. */
static enum stet_status
take_form(struct stet_call *call, struct run *run)
{
	json_t *config = NULL;

	STET_TRY(form_files(call, &run->paths, &run->path_count));
	STET_TRY(read_config(call, &config));
	return config_take(call, config, run);
}

static bool
option(struct stet_call *call, const char *name)
{
	return !json_is_false(json_object_get(stet_arg_json(call, "options"), name));
}

/* Takes the files of an analysis, and the collections that the analysis has suggested. */
static enum stet_status
take_analysis(struct stet_call *call, struct run *run)
{
	json_t *suggested = NULL, *types = stet_json_own(call, json_object()), *collection;
	const char *type;

	STET_TRY(uploads_find(
	    call, stet_arg(call, "analysisId"), &run->paths, &run->path_count, &suggested));
	json_object_foreach(suggested, type, collection)(void) json_object_set_new(
	    types, type, json_pack("{sO sb}", "collection", collection, "enabled", true));
	run->types = types;
	run->skip_existing = run->sections = true;
	run->locale = stet_locale_stored(call, NULL);
	run->media = option(call, "includeMedia");
	run->taxonomies = option(call, "includeTaxonomies");
	run->menus = option(call, "includeMenus");
	return STET_OK;
}

enum stet_status
import_execute(struct stet_call *call)
{
	struct run run = { .call = call, .taxonomies = true, .media = true };
	bool analysed = stet_arg(call, "analysisId") != NULL;

	STET_TRY(analysed ? take_analysis(call, &run) : take_form(call, &run));
	STET_TRY(run_all(call, &run));
	report_put(stet_reply(call), &run);
	return STET_OK;
}
