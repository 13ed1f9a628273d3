/* stages.c - the stages of an import: analyze, plan, prepare, execute. */
#include "job/stages.h"
#include "item/custom.h"
#include "item/title.h"
#include "job/asked.h"
#include "plan/given.h"
#include "plan/suggest.h"
#include "run/execute.h"
#include "state/ops.h"
#include <stdio.h>
#include <string.h>

#define TYPES_MAX 1000

void
stages_begin(struct stages *s, struct stet_call *call)
{
	*s = (struct stages){ .call = call,
		.directory = -1,
		.types = stet_json_own(call, json_object()),
		.nested = stet_json_own(call, json_object()),
		.taxonomies = stet_json_own(call, json_object()),
		.prepare = stet_json_own(call, json_array()),
		.mappings = stet_json_own(call, json_object()),
		.title = true,
		.run = { .call = call,
		    .skip_existing = true,
		    .sections = true,
		    .menus = true,
		    .taxonomies = true,
		    .media = true } };
}

static const char *
base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Returns the origin of a source without an address: the importer and the file name. NULL for WXR
 * files, which have an address. */
static const char *
origin_of(struct stages *s)
{
	const char *path = s->file_count > 0 ? s->files[0] : "", *base = base_of(path);

	if (s->run.from == NULL)
		return NULL;
	/* Several files may come in any order. */
	for (size_t i = 1; i < s->file_count; i++)
		if (strcmp(base_of(s->files[i]), base) < 0)
			base = base_of(s->files[i]);
	return strncmp(path, "/proc/", 6) == 0
		   ? s->run.from->importer
		   : stet_printf(s->call, "%s:%.150s", s->run.from->importer, base);
}

void
stages_source(struct stages *s, const char *name, bool updates)
{
	s->run.keeps_ids = true;
	s->run.origin_given = name != NULL && *name != '\0';
	s->run.origin = s->run.origin_given ? name : origin_of(s);
	s->run.updates = updates;
	s->run.skip_existing = s->run.skip_existing || updates;
}

/* ---- analyze ---- */

static enum stet_status
count_term(void *arg, const struct wxr_term *term)
{
	struct stages *s = arg;

	s->terms++;
	stages_note_parent(s, term);
	return STET_OK;
}

static enum stet_status
count_item(void *arg, const struct wxr_item *item)
{
	struct stages *s = arg;
	json_t *type;

	STET_TRY(s->step(s, STAGE_ANALYZE, ++s->items, 0));
	s->attachments += strcmp(item->type, "attachment") == 0;
	if (suggest_internal_type(item->type))
		return STET_OK;
	type = json_object_get(s->types, item->type);
	if (type == NULL && json_object_size(s->types) >= TYPES_MAX)
		return stet_fail(s->call, STET_VALIDATION_ERROR, "file",
		    "The export has more than %d types of posts", TYPES_MAX);
	if (type == NULL) {
		type = json_pack("{si}", "count", 0);
		(void)json_object_set_new(s->types, item->type, type);
	}
	report_add(type, "count", 1);
	if (s->run.from != NULL)
		given_fields(type, item);
	else
		custom_note(s->call, type, item);
	stages_note_terms(s->call, type, item);
	if (wxr_meta_value(item, "_thumbnail_id") != NULL)
		(void)json_object_set_new(type, "pictures", json_true());
	return STET_OK;
}

static enum stet_status
tell_notice(void *arg, const struct wxr_notice *notice)
{
	struct stages *s = arg;
	char place[300];

	if (notice->line > 0)
		(void)snprintf(place, sizeof(place), "%s%s%.200s:%lld", s->files[0],
		    *notice->file != '\0' ? "/" : "", notice->file, (long long)notice->line);
	else
		(void)snprintf(place, sizeof(place), "%.250s", notice->file);
	s->says(s, STAGE_ANALYZE, place, notice->text);
	return STET_OK;
}

static enum stet_status
analyze(struct stet_call *call, void *arg)
{
	struct stages *s = arg;
	const struct wxr_sink sink = {
		.term = count_term, .item = count_item, .notice = tell_notice, .arg = s
	};

	return given_read(call, s->run.from, s->run.names, s->files, s->file_count, &sink);
}

enum stet_status
stages_analyze(struct stages *s)
{
	s->items = s->attachments = s->terms = 0;
	(void)json_object_clear(s->types);
	(void)json_object_clear(s->nested);
	return stet_scope(s->call, analyze, s);
}

/* ---- plan ---- */

/* Describes what happens to the collection. *good: it can be imported into. */
static const char *
state_of(struct stet_call *call, const json_t *status, bool *good)
{
	const json_t *fields = json_object_get(status, "fieldStatus");
	const char *missing = "", *name, *reason;
	json_t *field;

	*good = json_is_true(json_object_get(status, "canImport"));
	if (!json_is_true(json_object_get(status, "exists")))
		return "new";
	reason = json_string_value(json_object_get(status, "reason"));
	if (!*good)
		return reason != NULL ? stet_strdup(call, reason) : "cannot be imported into";
	json_object_foreach((json_t *)(uintptr_t)fields, name, field)
	{
		if (strcmp(json_string_value(json_object_get(field, "status")), "missing") == 0)
			missing = stet_printf(
			    call, "%s%s%s", missing, *missing != '\0' ? ", " : "", name);
	}
	return *missing != '\0' ? stet_printf(call, "gets %s", missing) : "is there";
}

enum stet_status
stages_plan(struct stages *s)
{
	struct stet_call *call = s->call;
	const char *type;
	json_t *found;

	s->fits = true;
	(void)json_array_clear(s->prepare);
	(void)json_object_clear(s->mappings);
	json_object_foreach(s->types, type, found)
	{
		const char *target = given_target(call, s->given, type);
		json_t *fields, *status = NULL;
		bool good;

		if (target == NULL)
			continue;
		fields = suggest_fields(json_object_get(found, "pictures") != NULL);
		if (s->run.from != NULL)
			STET_TRY(given_suggest(call, target, found, s->given, fields));
		else if (s->fields)
			STET_TRY(custom_fields(call, target, found, fields));
		asked_fields(call, s->asked, fields);
		STET_TRY(suggest_status(call, target, stet_json_own(call, fields), &status));
		(void)json_object_set_new(found, "collection", json_string(target));
		(void)json_object_set_new(found, "state",
		    json_string(state_of(call, stet_json_own(call, status), &good)));
		s->fits = s->fits && good;
		(void)json_array_append_new(
		    s->prepare, json_pack("{ss ss sb sO}", "name", type, "collection", target,
				    "enabled", 1, "fields", fields));
		(void)json_object_set_new(
		    s->mappings, type, json_pack("{ss sb}", "collection", target, "enabled", 1));
	}
	return STET_OK;
}

/* ---- prepare and execute ---- */

enum stet_status
stages_prepare(struct stages *s)
{
	struct stet_call *call = s->call;
	const json_t *errors;
	json_t *reply;

	if (!s->fits)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "A collection has fields of other types: choose another");
	STET_TRY(stet_invoke_json(
	    call, "import_prepare", json_pack("{sO}", "postTypes", s->prepare), &reply));
	errors = json_object_get(reply, "errors");
	if (json_array_size(errors) == 0)
		return stages_taxonomies(s);
	return stet_fail(call, STET_CONFLICT, NULL, "%s: %s",
	    json_string_value(json_object_get(json_array_get(errors, 0), "collection")),
	    json_string_value(json_object_get(json_array_get(errors, 0), "error")));
}

static enum stet_status
told(struct run *run, enum run_step step)
{
	struct stages *s = run->arg;

	if (step == RUN_TERMS)
		return s->terms_made != NULL ? s->terms_made(s) : STET_OK;
	if (step == RUN_BEGUN || step == RUN_DONE)
		return STET_OK;
	/* There are two passes over the items. */
	return s->step(s, STAGE_EXECUTE, (run->read + run->number) / 2, s->items);
}

/* Sets title and tagline of the site, if it has none. */
static enum stet_status
take_title(struct stages *s)
{
	const char *title = json_string_value(json_object_get(s->run.channel, "title"));
	const char *tagline = json_string_value(json_object_get(s->run.channel, "tagline"));

	return title_take(s->call, title != NULL ? title : "", tagline != NULL ? tagline : "", true,
	    stet_json_own(s->call, json_array()));
}

enum stet_status
stages_execute(struct stages *s)
{
	s->run.paths = s->files;
	s->run.path_count = s->file_count;
	s->run.types = s->mappings;
	s->run.told = told;
	s->run.arg = s;
	STET_TRY(run_all(s->call, &s->run));
	return s->title && !s->run.tries ? take_title(s) : STET_OK;
}

/* ---- a dry run ---- */

/* Returns the fields that prepare would create, {collection: {field: true}}. Several types may
 * share a collection. */
static const json_t *
makes_of(struct stages *s)
{
	json_t *makes = stet_json_own(s->call, json_object()), *type, *of, *field;
	size_t i, k;

	json_array_foreach(s->prepare, i, type)
	{
		const char *slug = json_string_value(json_object_get(type, "collection"));

		of = json_object_get(makes, slug);
		if (of == NULL) {
			of = json_object();
			(void)json_object_set_new(makes, slug, of);
		}
		json_array_foreach(json_object_get(type, "fields"), k, field)(void)
		    json_object_set_new(
			of, json_string_value(json_object_get(field, "slug")), json_true());
	}
	return makes;
}

/* Reports which items or values cannot be checked, since their collection or field does not
 * exist. */
static enum stet_status
tell_unchecked(struct stages *s, const char *slug, const json_t *fields)
{
	const struct stet_collection *c;
	const char *missing = "", *field;
	json_t *any;

	STET_TRY(suggest_find(s->call, slug, &c));
	json_object_foreach((json_t *)(uintptr_t)fields, field, any)
	{
		if (c != NULL && stet_field(c, field) == NULL)
			missing = stet_printf(
			    s->call, "%s%s%s", missing, *missing != '\0' ? ", " : "", field);
	}
	if (c == NULL)
		s->says(s, STAGE_EXECUTE, slug,
		    "Its items are not checked: the import makes the collection");
	else if (*missing != '\0')
		s->says(s, STAGE_EXECUTE, slug,
		    stet_printf(s->call, "Not checked, since the import makes them: values of %s",
			missing));
	return STET_OK;
}

enum stet_status
stages_try(struct stages *s)
{
	const char *slug;
	json_t *fields;

	s->run.tries = true;
	s->run.makes = makes_of(s);
	json_object_foreach((json_t *)(uintptr_t)s->run.makes, slug, fields)
	    STET_TRY(tell_unchecked(s, slug, fields));
	STET_TRY(stages_taxonomies(s));
	s->run.makes_taxonomies = s->taxonomies;
	return stages_execute(s);
}

/* ---- what is left out ---- */

/* Reports the custom fields of a type that are left out. */
static enum stet_status
tell_custom(struct stages *s, const char *name, const json_t *type, const char *collection)
{
	json_t *fields = stet_json_own(s->call, json_array()), *field;
	const char *text = "";
	size_t i;

	STET_TRY(custom_fields(s->call, collection, type, fields));
	json_array_foreach(fields, i, field)
	{
		text = stet_printf(s->call, "%s%s%s", text, i > 0 ? ", " : "",
		    json_string_value(json_object_get(field, "label")));
	}
	if (json_array_size(fields) > 0)
		s->says(s, STAGE_ANALYZE, name,
		    stet_printf(
			s->call, "Custom fields that have no field here are left out: %s", text));
	return STET_OK;
}

enum stet_status
stages_tell_custom(struct stages *s)
{
	const char *name;
	json_t *type;

	json_object_foreach(s->types, name, type)
	{
		const char *collection = json_string_value(json_object_get(type, "collection"));
		const char *hidden;

		if (collection == NULL)
			continue;
		if (!s->fields)
			STET_TRY(tell_custom(s, name, type, collection));
		STET_TRY(custom_hidden(s->call, collection, type, &hidden));
		if (*hidden != '\0')
			s->says(s, STAGE_ANALYZE, name,
			    stet_printf(s->call,
				"Hidden custom fields are left out: %s. A field whose name is one "
				"of these without \"_\" gets its values",
				hidden));
	}
	return STET_OK;
}
