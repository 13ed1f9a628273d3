/*
 * exporter.c - imports a site through its exporter, in phases, each in bounded requests: content
 * page by page, comments page by page, then menus and settings. The client passes the maps of ids
 * from one request to the next; the server keeps no state.
 */
#include "remote/exporter.h"
#include "files/media.h"
#include "item/title.h"
#include "plan/suggest.h"
#include "read/text.h"
#include "run/execute.h"
#include "state/map.h"
#include "state/ops.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/settings.h>
#include <string.h>

#define COMMENTS_PAGE 500
#define LISTED_MAX 1000 /* most entries of a list in the result of a whole import */
#define TOKEN_MAX 4096

#define EXPORTER_MEMBERS                                                                      \
	{ "url", STET_STRING, STET_REQUIRED | STET_BOUNDED,                                   \
		.about = "Address of the site; https:// if it names no scheme",               \
		STET_RANGE(1, REMOTE_ADDRESS_MAX) },                                          \
	{                                                                                     \
		"token", STET_STRING, STET_REQUIRED,                                          \
		    .pattern = "^[A-Za-z0-9+/=_-]+$", STET_RANGE(1, TOKEN_MAX),               \
		    .about = "\"user:application password\" of a user of the site, in base64" \
	}

const struct stet_member exporter_in[] = {
	EXPORTER_MEMBERS,
	{ "config", STET_OBJECT, STET_REQUIRED, .of = execute_config,
	    .about = "As for an export file" },
	{ "phase", STET_STRING, STET_CHOICES("content", "comments", "finalize"),
	    .about = "In this order, each until it is done; absent: everything in one request" },
	{ "cursor", STET_OBJECT, STET_NULLABLE, .about = "Of the answer before" },
	{ "idMap", STET_OBJECT,
	    .about = "{id of the source: {id, collection}}, of the answer "
		     "before" },
	{ "translationGroups", STET_OBJECT, .about = "Of the answer before" },
	{ "commentRoots", STET_OBJECT, .about = "Of the answer before" },
	{ 0 },
};
const struct stet_member exporter_analyze_in[] = { EXPORTER_MEMBERS, { 0 } };

const struct stet_member exporter_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "result", STET_OBJECT, STET_REQUIRED, .about = "Of this request, as of an export file" },
	{ "done", STET_BOOLEAN, .about = "The phase is" },
	{ "cursor", STET_OBJECT, .about = "For the next request; absent when it is done" },
	{ "chunk", STET_OBJECT,
	    .about = "{idMap, translationGroups} or {commentRoots}, for the next request" },
	{ 0 },
};

/* ---- the run of a page ---- */

static enum stet_status
read_page(struct run *run, const struct wxr_sink *sink)
{
	struct exporter_site *s = run->arg;

	return exporter_read(run->call, &s->page, sink);
}

static enum stet_status
note_ids(struct run *run, const char *kind, const char *prefix, const json_t *map)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)map, key, v)
	{
		const char *id = json_string_value(json_object_get(v, "id"));
		const char *collection = json_string_value(json_object_get(v, "collection"));

		if (id == NULL || collection == NULL ||
		    (*prefix == '\0' && !isdigit((unsigned char)*key)))
			continue;
		STET_TRY(map_note(run, kind, stet_printf(run->call, "%s%s", prefix, key),
		    stet_printf(run->call, "%s" MAP_SEP "%s", collection, id)));
	}
	return STET_OK;
}

struct reading {
	const struct run *run;
	const char *kind;
	size_t prefix; /* length of the prefix of the stored keys */
	json_t *map;
	char *after;
	bool more;
};

static enum stet_status
read_id(struct stet_call *call, void *arg)
{
	struct reading *r = arg;
	const char *source, *value, *id;

	for (int i = 0; i < 500; i++) {
		STET_TRY(map_next(call, r->run, r->kind, r->after, &source, &value));
		r->more = source != NULL;
		if (!r->more)
			return STET_OK;
		id = strchr(value, *MAP_SEP);
		if (id != NULL && strlen(source) > r->prefix)
			(void)json_object_set_new(r->map, source + r->prefix,
			    json_pack("{ss ss%}", "id", id + 1, "collection", value,
				(size_t)(id - value)));
		free(r->after);
		r->after = strdup(source);
		if (r->after == NULL)
			stet_out_of_memory();
	}
	return STET_OK;
}

static enum stet_status
read_ids(struct run *run, const char *kind, const char *prefix, json_t *map)
{
	struct reading r = { run, kind, strlen(prefix), map, strdup(prefix), true };
	enum stet_status status = STET_OK;

	if (r.after == NULL)
		stet_out_of_memory();
	while (status == STET_OK && r.more)
		status = stet_scope(run->call, read_id, &r);
	free(r.after);
	return status;
}

#define GROUP_PREFIX "wpml:" /* the prefix of these groups in item/variant.c */

static enum stet_status
told(struct run *run, enum run_step step)
{
	struct exporter_site *s = run->arg;

	if (step == RUN_BEGUN) {
		STET_TRY(note_ids(run, MAP_ENTRY, "", s->ids));
		STET_TRY(note_ids(run, MAP_GROUP, GROUP_PREFIX, s->groups));
		return exporter_note(run, &s->page);
	}
	if (step != RUN_DONE)
		return STET_OK;
	STET_TRY(read_ids(run, MAP_ENTRY, "", s->ids));
	return read_ids(run, MAP_GROUP, GROUP_PREFIX, s->groups);
}

/* Imports the page and sets s->result to its report. */
static enum stet_status
import_page(struct exporter_site *s)
{
	struct run run = { .call = s->call,
		.taxonomies = true,
		.media = true,
		.home = s->remote.url,
		.source = read_page,
		.told = told,
		.arg = s };
	struct stet_json *out;
	const char *text;
	size_t len;

	STET_TRY(config_take(s->call, s->config, &run));
	STET_TRY(run_all(s->call, &run));
	out = stet_json_new(s->call);
	report_put(out, &run);
	text = stet_json_text(out, &len);
	s->result = stet_json_own(s->call, json_loadb(text, len, 0, NULL));
	if (json_array_size(s->definitions) > 0)
		(void)json_object_set_new(
		    s->result, "taxonomiesCreated", json_deep_copy(s->definitions));
	(void)json_array_clear(s->definitions);
	return STET_OK;
}

/* ---- phases ---- */

static bool
is_word(const char *text)
{
	return text[strspn(text,
		   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

/* Lists the enabled types in the order of the configuration, then reusable blocks. */
static enum stet_status
list_types(struct exporter_site *s)
{
	json_t *list = stet_json_own(s->call, json_array()), *mapping;
	const char *type;

	json_object_foreach(json_object_get(s->config, "postTypeMappings"), type, mapping)
	{
		if (json_is_true(json_object_get(mapping, "enabled")) && is_word(type) &&
		    !suggest_internal_type(type))
			(void)json_array_append_new(list, json_string(type));
	}
	s->types = list;
	if (json_array_size(list) == 0)
		return stet_fail(s->call, STET_VALIDATION_ERROR, "config.postTypeMappings",
		    "No post types selected for import");
	if (exporter_wants(s, "importSections"))
		(void)json_array_append_new(list, json_string("wp_block"));
	return STET_OK;
}

/* The progress of a phase. */
struct cursor {
	int64_t type, page;
	bool done;
};

/* Imports one page of one type and moves the cursor on. */
static enum stet_status
content(struct exporter_site *s, struct cursor *at)
{
	const char *type = json_string_value(json_array_get(s->types, (size_t)at->type));
	const struct remote_export ask = { .path = "content",
		.query = stet_printf(s->call, "post_type=%s&status=any&per_page=%d&page=%lld",
		    type != NULL ? type : "", EXPORTER_PAGE, (long long)at->page),
		.timeout = EXPORTER_MS,
		.shape = REMOTE_PAGE,
		.optional = type != NULL && strcmp(type, "wp_block") == 0 };
	const json_t *got;
	int64_t pages = 1;

	s->page = (struct exporter_page){ .seo = exporter_wants(s, "importSeo") };
	if (type == NULL)
		return stet_fail(s->call, STET_VALIDATION_ERROR, "cursor", "is not of this import");
	/* First, since every exporter has it: afterwards it is known where the site has its API. */
	STET_TRY(remote_export(s->call, &s->remote, &ask, &got));
	if (got != NULL)
		STET_TRY(remote_pages(s->call, ask.path, got, EXPORTER_PAGE, &pages));
	if (at->type == 0 && at->page == 1)
		STET_TRY(exporter_taxonomies(s));
	s->page.items = json_object_get(got, "items");
	STET_TRY(exporter_check(s->call, &s->page));
	STET_TRY(exporter_fields(s, type));
	STET_TRY(import_page(s));
	if (at->page < pages) {
		at->page++;
	} else {
		at->type++;
		at->page = 1;
	}
	at->done = at->type >= (int64_t)json_array_size(s->types);
	return STET_OK;
}

static enum stet_status
comments(struct exporter_site *s, struct cursor *at)
{
	struct exporter_talk talk = { .ids = s->ids, .roots = s->roots };
	const struct remote_export ask = { .path = "comments",
		.query = stet_printf(
		    s->call, "per_page=%d&page=%lld", COMMENTS_PAGE, (long long)at->page),
		.timeout = EXPORTER_LIST_MS,
		.shape = REMOTE_PAGE,
		.optional = true };
	const json_t *got;
	int64_t pages = 1;

	STET_TRY(remote_export(s->call, &s->remote, &ask, &got));
	if (got != NULL)
		STET_TRY(remote_pages(s->call, ask.path, got, COMMENTS_PAGE, &pages));
	talk.comments = json_object_get(got, "items");
	STET_TRY(exporter_talk(s->call, &talk));
	s->result = stet_json_own(
	    s->call, json_pack("{s:{sI sI}}", "comments", "imported", (json_int_t)talk.imported,
			 "skipped", (json_int_t)talk.skipped));
	at->done = at->page >= pages;
	at->page++;
	return STET_OK;
}

/* Sets title and tagline of the site; with skipExisting, only those that it lacks. */
static enum stet_status
take_settings(struct exporter_site *s, const json_t *options)
{
	const char *title = text_member(s->call, options, "site_title"),
		   *tagline = text_member(s->call, options, "site_description");
	json_t *set = json_array();

	(void)json_object_set_new(s->result, "siteSettings", set);
	if (!exporter_wants(s, "importSiteTitle"))
		return STET_OK;
	if (*tagline == '\0')
		tagline = text_member(s->call, options, "tagline");
	return title_take(
	    s->call, title, tagline, json_is_true(json_object_get(s->config, "skipExisting")), set);
}

static enum stet_status
write_settings(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	json_t *reply;

	(void)tx;
	return stet_invoke_json(call, "settings_update", json_incref(arg), &reply);
}

static enum stet_status
write_search(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	return stet_settings_put(
	    call, tx, "search", stet_json_own(call, json_pack("{ss}", "publicSearch", "all")));
}

/* On EmDash sites everybody can search all published items, whatever their collections say: allows
 * that here, too. */
static enum stet_status
open_search(struct exporter_site *s)
{
	json_t *set = json_object_get(s->result, "siteSettings"), *now;
	const char *is;

	if (s->remote.space == NULL || strcmp(s->remote.space, "emdash/v1") != 0)
		return STET_OK;
	if (stet_settings_get(s->call, "search", &now) != STET_OK) { /* the module search is off */
		stet_error_clear(s->call);
		return STET_OK;
	}
	is = json_string_value(json_object_get(now, "publicSearch"));
	if (is != NULL && strcmp(is, "all") == 0)
		return STET_OK;
	STET_TRY(stet_require(s->call, "settings:manage"));
	STET_TRY(stet_write_lane(s->call, write_search, NULL));
	(void)json_array_append_new(set, json_string("publicSearch"));
	return STET_OK;
}

/* Sets logo and favicon of the site, if their files were copied into the library. */
static enum stet_status
take_logo(struct exporter_site *s, const json_t *options)
{
	static const char *const names[][2] = { { "custom_logo", "logo" },
		{ "site_icon", "favicon" } };
	json_t *set = json_object_get(s->result, "siteSettings"), *values;

	values = stet_json_own(s->call, json_object());
	for (size_t i = 0; i < 2 && exporter_wants(s, "importLogo"); i++) {
		const json_t *from = json_object_get(options, names[i][0]);
		const char *url = json_is_string(from) ? json_string_value(from)
						       : text_member(s->call, from, "url");
		const char *id = NULL, *here;

		if (*url != '\0')
			STET_TRY(copies_known(s->call, &url, 1, &id, &here));
		if (id == NULL)
			continue;
		(void)json_object_set_new(values, names[i][1], json_pack("{ss}", "mediaId", id));
		(void)json_array_append_new(set, json_string(names[i][1]));
	}
	return json_object_size(values) > 0 ? stet_write_lane(s->call, write_settings, values)
					    : STET_OK;
}

static enum stet_status
finalize(struct exporter_site *s, struct cursor *at)
{
	static const struct remote_export ask_menus = { "menus", NULL, EXPORTER_LIST_MS,
		REMOTE_LIST, true };
	static const struct remote_export ask_options = { "options", NULL, EXPORTER_LIST_MS,
		REMOTE_OBJECT, true };
	const json_t *options;

	s->page = (struct exporter_page){ 0 };
	if (exporter_wants(s, "importMenus"))
		STET_TRY(remote_export(s->call, &s->remote, &ask_menus, &s->page.menus));
	STET_TRY(exporter_check(s->call, &s->page));
	STET_TRY(import_page(s));
	STET_TRY(remote_export(s->call, &s->remote, &ask_options, &options));
	at->done = true;
	STET_TRY(take_settings(s, options));
	STET_TRY(open_search(s));
	return take_logo(s, options);
}

/* ---- the op ---- */

typedef enum stet_status phase_fn(struct exporter_site *, struct cursor *);

/* Merges a result into another: adds numbers, ANDs booleans, joins lists and members. */
static void
merge(json_t *into, const json_t *from)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)from, key, v)
	{
		json_t *old = json_object_get(into, key);

		if (json_is_integer(old) && json_is_integer(v))
			(void)json_integer_set(
			    old, json_integer_value(old) + json_integer_value(v));
		else if (json_is_object(old) && json_is_object(v))
			merge(old, v);
		else if (json_is_array(old) && json_is_array(v)) {
			for (size_t i = 0;
			     i < json_array_size(v) && json_array_size(old) < LISTED_MAX; i++)
				(void)json_array_append(old, json_array_get(v, i));
		} else if (json_is_boolean(old) && json_is_boolean(v))
			(void)json_object_set_new(
			    into, key, json_boolean(json_is_true(old) && json_is_true(v)));
		else
			(void)json_object_set_new(into, key, json_deep_copy(v));
	}
}

static enum stet_status
whole(struct exporter_site *s, json_t *result)
{
	static phase_fn *const phases[] = { content, comments, finalize };

	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		struct cursor at = { .page = 1 };

		while (!at.done) {
			STET_TRY(phases[i](s, &at));
			merge(result, s->result);
		}
	}
	return STET_OK;
}

static void
answer(struct stet_call *call, const struct exporter_site *s, const char *phase,
    const struct cursor *at)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_json(out, "result", s->result);
	if (phase != NULL) {
		stet_put_bool(out, "done", at->done);
		if (!at->done) {
			stet_object(out, "cursor");
			if (strcmp(phase, "content") == 0)
				stet_put_int(out, "postTypeIndex", at->type);
			stet_put_int(out, "page", at->page);
			stet_close(out);
		}
		stet_object(out, "chunk");
		if (strcmp(phase, "content") == 0) {
			stet_put_json(out, "idMap", s->ids);
			stet_put_json(out, "translationGroups", s->groups);
		} else if (strcmp(phase, "comments") == 0)
			stet_put_json(out, "commentRoots", s->roots);
		stet_close(out);
	}
	stet_close(out);
}

static json_t *
map_arg(struct stet_call *call, const char *name)
{
	const json_t *given = stet_arg_json(call, name);

	return stet_json_own(call, given != NULL ? json_deep_copy(given) : json_object());
}

static enum stet_status
begin(struct stet_call *call, struct exporter_site *s)
{
	*s = (struct exporter_site){ .call = call,
		.remote = { .token = stet_arg(call, "token") },
		.config = stet_arg_json(call, "config"),
		.ids = map_arg(call, "idMap"),
		.groups = map_arg(call, "translationGroups"),
		.roots = map_arg(call, "commentRoots"),
		.definitions = stet_json_own(call, json_array()) };

	STET_TRY(remote_address(call, stet_arg(call, "url"), &s->remote.url));
	STET_TRY(config_types(call, json_object_get(s->config, "postTypeMappings")));
	return list_types(s);
}

static enum stet_status
read_cursor(struct stet_call *call, struct cursor *at)
{
	const json_t *given = stet_arg_json(call, "cursor");

	*at = (struct cursor){ .type = source_number(given, "postTypeIndex"),
		.page = given != NULL ? source_number(given, "page") : 1 };
	return at->type < 0 || at->page < 1
		   ? stet_fail(call, STET_VALIDATION_ERROR, "cursor", "is not of this import")
		   : STET_OK;
}

enum stet_status
exporter_execute(struct stet_call *call)
{
	const char *phase = stet_arg(call, "phase");
	json_t *result = stet_json_own(call, json_object());
	struct cursor at;
	struct exporter_site s;

	STET_TRY(begin(call, &s));
	STET_TRY(read_cursor(call, &at));
	if (phase == NULL) {
		STET_TRY(whole(&s, result));
		s.result = result;
	} else if (strcmp(phase, "content") == 0)
		STET_TRY(content(&s, &at));
	else
		STET_TRY(strcmp(phase, "comments") == 0 ? comments(&s, &at) : finalize(&s, &at));
	answer(call, &s, phase, &at);
	return STET_OK;
}
