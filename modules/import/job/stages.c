/* stages.c - the stages of an import: analyze, plan, prepare, execute. */
#include "job/stages.h"
#include "item/custom.h"
#include "item/title.h"
#include "item/trial.h"
#include "job/asked.h"
#include "plan/definition.h"
#include "plan/given.h"
#include "plan/prepare.h"
#include "plan/suggest.h"
#include "read/repack.h"
#include "read/text.h"
#include "run/execute.h"
#include <stdio.h>
#include <string.h>

#define TYPES_MAX 1000
#define NOTICES_MAX 1000 /* that are kept to be said */

void
stages_begin(struct stages *s, struct stet_call *call)
{
	*s = (struct stages){ .call = call,
		.directory = -1,
		.types = stet_json_own(call, json_object()),
		.definitions = stet_json_own(call, json_object()),
		.nested = stet_json_own(call, json_object()),
		.taxonomies = stet_json_own(call, json_object()),
		.ahead = stet_json_own(call, json_array()),
		.prepare = stet_json_own(call, json_array()),
		.mappings = stet_json_own(call, json_object()),
		.notices = stet_json_own(call, json_array()),
		.title = true,
		.run = { .call = call,
		    .skip_existing = true,
		    .sections = true,
		    .menus = true,
		    .taxonomies = true,
		    .media = true,
		    .names = names_new(call) } };
}

/* Returns the origin of a source without an address: the importer and the file name. NULL for WXR
 * files, which have an address. */
static const char *
origin_of(struct stages *s)
{
	const char *path = s->file_count > 0 ? s->files[0] : "", *base = text_base(path);

	if (s->run.from == NULL)
		return NULL;
	/* Several files may come in any order. */
	for (size_t i = 1; i < s->file_count; i++)
		if (strcmp(text_base(s->files[i]), base) < 0)
			base = text_base(s->files[i]);
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

/* A collection without items is made, too. */
static enum stet_status
take_definition(void *arg, const char *kind, const char *json)
{
	struct stages *s = arg;
	const char *type = definition_take(s->definitions, kind, json);

	if (type != NULL && strcmp(kind, "collection") == 0 &&
	    json_object_get(s->types, type) == NULL && json_object_size(s->types) < TYPES_MAX)
		(void)json_object_set_new(s->types, type, json_pack("{si}", "count", 0));
	return STET_OK;
}

static enum stet_status
count_item(void *arg, const struct wxr_item *item)
{
	struct stages *s = arg;
	json_t *type;

	STET_TRY(s->step(s, STAGE_ANALYZE, ++s->items, 0));
	stages_note_media(s, item);
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
	if (json_integer_value(json_object_get(type, "count")) == 0)
		(void)json_object_set_new(type, "untitled", json_true());
	report_add(type, "count", 1);
	if (*item->title != '\0')
		(void)json_object_del(type, "untitled");
	if (s->run.from != NULL)
		given_fields(type, item);
	else
		custom_note(s->call, s->run.names, type, item);
	stages_note_terms(s, type, item);
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
	if (!s->runs)
		s->says(s, STAGE_ANALYZE, place, notice->text);
	else if (json_array_size(s->notices) < NOTICES_MAX)
		(void)json_array_append_new(
		    s->notices, json_pack("{ss ss}", "about", place, "text", notice->text));
	return STET_OK;
}

static enum stet_status
analyze(struct stet_call *call, void *arg)
{
	struct stages *s = arg;
	const struct wxr_sink sink = { .term = count_term,
		.item = count_item,
		.notice = tell_notice,
		.arg = s,
		.definition = take_definition };

	return given_read(call, s->run.from, s->files, s->file_count, s->run.names, &sink);
}

enum stet_status
stages_open(struct stages *s)
{
	struct stet_call *call = s->call;
	const char **files = stet_alloc(call, (s->file_count + 1) * sizeof(*files));
	struct given *from = stet_alloc(call, sizeof(*from));
	json_t *left = stet_json_own(call, json_array());

	if (s->run.from == NULL)
		return STET_OK;
	*from = *s->run.from;
	from->left = left;
	for (size_t i = 0; i < s->file_count; i++)
		files[i] = s->files[i];
	s->files = files;
	s->run.from = from;
	/* A large export of Notion has its parts as zip files in one. */
	return repack_all(call, files, s->file_count, strcmp(from->importer, "notion") == 0, left);
}

/* Says what a run would have told, [{about, text}]. */
static void
say_all(struct stages *s, const json_t *told)
{
	const json_t *one;
	size_t i;

	json_array_foreach(told, i, one)
	{
		s->says(s, STAGE_ANALYZE, json_string_value(json_object_get(one, "about")),
		    json_string_value(json_object_get(one, "text")));
	}
}

enum stet_status
stages_analyze(struct stages *s)
{
	enum stet_status status;

	s->items = s->attachments = s->terms = 0;
	(void)json_array_clear(s->notices);
	(void)json_object_clear(s->types);
	(void)json_object_clear(s->definitions);
	(void)json_object_clear(s->nested);
	status = stet_scope(s->call, analyze, s);
	if (status != STET_OK) {
		say_all(s, s->notices);
		return status;
	}
	stages_note_defined(s);
	return STET_OK;
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

static enum stet_status
take_fields(struct stages *s, const char *collection, const json_t *definition, json_t *fields)
{
	const char *replaced;

	STET_TRY(definition_fields(s->call, collection, definition, s->fields, fields, &replaced));
	if (*replaced != '\0')
		s->says(s, STAGE_ANALYZE, collection,
		    stet_printf(s->call,
			"Fields of types that this site does not have are of type json: %s",
			replaced));
	return STET_OK;
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
		const char *target = names_collection(call, s->run.names, type);
		const json_t *own = definition_of(s->definitions, "collection", type);
		json_t *fields, *status = NULL, *order;
		bool good;

		if (target == NULL)
			continue;
		fields = suggest_fields(json_object_get(found, "untitled") == NULL,
		    json_object_get(found, "pictures") != NULL);
		if (own != NULL)
			STET_TRY(take_fields(s, target, own, fields));
		if (s->run.from != NULL)
			STET_TRY(given_suggest(call, target, type, found, s->run.names, fields));
		else if (s->fields)
			STET_TRY(custom_fields(call, s->run.names, target, type, found, fields));
		asked_fields(call, s->asked, fields);
		STET_TRY(suggest_status(call, target, stet_json_own(call, fields), &status));
		(void)json_object_set_new(found, "collection", json_string(target));
		(void)json_object_set_new(found, "state",
		    json_string(state_of(call, stet_json_own(call, status), &good)));
		s->fits = s->fits && good;
		order = json_pack("{ss ss sb sO}", "name", type, "collection", target, "enabled", 1,
		    "fields", fields);
		if (own != NULL)
			(void)json_object_set(order, "definition", (json_t *)(uintptr_t)own);
		(void)json_array_append_new(s->prepare, order);
		(void)json_object_set_new(
		    s->mappings, type, json_pack("{ss sb}", "collection", target, "enabled", 1));
	}
	return STET_OK;
}

/* ---- prepare and execute ---- */

static enum stet_status
does_not_fit(struct stet_call *call)
{
	return stet_fail(
	    call, STET_CONFLICT, NULL, "A collection has fields of other types: choose another");
}

static const char *
importer_of(const struct stages *s)
{
	return s->run.from != NULL ? s->run.from->importer : NULL;
}

enum stet_status
stages_prepare(struct stages *s)
{
	if (!s->fits)
		return does_not_fit(s->call);
	STET_TRY(prepare_all(s->call, s->prepare, importer_of(s)));
	return stages_taxonomies(s);
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

/* Returns the address of the site that the files were written by, as the option `url` gives it;
 * NULL: it is not known. Exports of WordPress keep their links, since redirects have those. */
static const char *
home_of(const struct stages *s)
{
	const char *url = s->run.from != NULL
			      ? json_string_value(json_object_get(s->run.from->options, "url"))
			      : NULL;

	return url != NULL && strstr(url, "://") != NULL ? url : NULL;
}

enum stet_status
stages_execute(struct stages *s)
{
	s->run.paths = s->files;
	s->run.path_count = s->file_count;
	s->run.types = s->mappings;
	s->run.told = told;
	s->run.arg = s;
	s->run.home = home_of(s);
	STET_TRY(run_all(s->call, &s->run));
	return s->title && !s->run.tries ? take_title(s) : STET_OK;
}

/* ---- a dry run ---- */

/* Makes what the import makes before its items, in a transaction of a dry run. */
static enum stet_status
make_ahead(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stages *s = arg;
	json_t *step, *reply;
	size_t i;

	STET_TRY(prepare_within(call, tx, s->prepare, importer_of(s)));
	json_array_foreach(s->ahead, i, step)
	    STET_TRY(stet_invoke_json(call, json_string_value(json_object_get(step, "op")),
		json_incref(json_object_get(step, "args")), &reply));
	return STET_OK;
}

/* Keeps the definitions of the collections, which the items are read by. */
static enum stet_status
keep_collections(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct run *run = arg;
	const struct stages *s = run->arg;
	json_t *type;
	size_t i;

	(void)tx;
	run->made_count = 0;
	json_array_foreach(s->prepare, i, type)
	{
		const char *slug = json_string_value(json_object_get(type, "collection"));

		STET_TRY(schema->collection(call, slug, &run->made[run->made_count++]));
	}
	return STET_OK;
}

enum stet_status
stages_try(struct stages *s)
{
	struct run *run = &s->run;

	if (!s->fits)
		return does_not_fit(s->call);
	run->tries = true;
	run->ahead = make_ahead;
	run->ahead_arg = s;
	run->made = stet_alloc(
	    s->call, (json_array_size(s->prepare) + 1) * sizeof(struct stet_collection *));
	run->arg = s;
	STET_TRY(trial_lane(s->call, run, keep_collections, run));
	STET_TRY(stages_taxonomies(s));
	run->makes_taxonomies = s->taxonomies;
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

	STET_TRY(custom_fields(s->call, s->run.names, collection, name, type, fields));
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
stages_tell(struct stages *s)
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
		STET_TRY(custom_hidden(s->call, s->run.names, collection, name, type, &hidden));
		if (*hidden != '\0')
			s->says(s, STAGE_ANALYZE, name,
			    stet_printf(s->call,
				"Hidden custom fields are left out: %s. A field whose name is one "
				"of these without \"_\" gets its values",
				hidden));
	}
	if (s->titles + s->descriptions > 0)
		s->says(s, STAGE_ANALYZE, "attachment",
		    stet_printf(s->call,
			"Titles (%lld) and descriptions (%lld) of files are left out: files here "
			"have an alt text and a caption",
			(long long)s->titles, (long long)s->descriptions));
	if (s->fits)
		return STET_OK;
	say_all(s, s->notices);
	say_all(s, json_object_get(s->run.names->known, "told"));
	return STET_OK;
}
