/*
 * model.c - random sequences of all that changes which content uses which media items. Every few
 * steps the index is compared with a scan of all items as clients get them (fullscan.c), the
 * module's own verification has to agree, and so do counts, details and the list of unused items.
 *
 * USAGE_STEPS says how many steps (1500; `make long`: 100000), USAGE_SEED which.
 */
#include "chance.h"
#include "fullscan.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOTS 8 /* media items at once */
#define SLUGS 3 /* of collections */
#define ITEMS_MOST 12 /* of a collection, in the trash or not */
#define COMPARE_EVERY 10

static const char *const types[] = { "image", "file", "repeater", "portableText" };
static const char *const slugs[] = { "hero", "other", "manual", "shots", "body" };
static const int type_of[] = { 0, 0, 1, 2, 3 };

static struct harness *site;
static char media[SLOTS][27]; /* "": deleted; what refers to it still does */
static char gone[27]; /* the media item that was deleted last */
static char byline[27];
static int uploads, names;
static int now = 12 * 3600 * 1000; /* ms since the first midnight */
static bool absent; /* the module is disabled */
static bool missed; /* it was, and has not looked yet at what it has missed */
static char exported[64]; /* a directory; "": none */
static struct {
	char media[SLOTS][27], byline[27];
} then; /* as it was when that was written */

/* ---- time ---- */

/* The time that is `ms` from now, as text. Static buffer. */
static const char *
time_in(int ms)
{
	static char text[40];
	int64_t s = ((int64_t)now + ms) / 1000;

	(void)snprintf(text, sizeof(text), "2026-06-%02dT%02d:%02d:%02d.%03dZ", 1 + (int)(s / 86400),
	    (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60), (now + ms) % 1000);
	return text;
}

static void
time_goes_on(int ms)
{
	harness_clock(site, time_in(ms));
	now += ms;
}

/* ---- choosing ---- */

static int
number(const char *sql)
{
	return (int)strtol(inside_ask(site, sql), NULL, 10);
}

/* A collection; NULL: there is none. Static buffer of two. */
static const char *
a_collection(void)
{
	static char out[2][40];
	static int turn;
	int count = number("SELECT count(*) FROM collection");
	char sql[200];

	if (count == 0)
		return NULL;
	(void)snprintf(
	    sql, sizeof(sql), "SELECT slug FROM collection ORDER BY slug LIMIT 1 OFFSET %d", pick(count));
	turn = !turn;
	(void)snprintf(out[turn], sizeof(out[0]), "%s", inside_ask(site, sql));
	return out[turn];
}

/* An item of the collection, as its id; NULL: there is none. Static buffer. */
static const char *
an_item(const char *collection, bool trashed)
{
	static char id[40];
	const char *which = trashed ? "NOT NULL" : "NULL";
	char sql[300];
	int count;

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM c_%s WHERE deleted_at IS %s",
	    collection, which);
	count = number(sql);
	if (count == 0)
		return NULL;
	(void)snprintf(sql, sizeof(sql),
	    "SELECT id FROM c_%s WHERE deleted_at IS %s ORDER BY slug, locale, id LIMIT 1 OFFSET %d",
	    collection, which, pick(count));
	(void)snprintf(id, sizeof(id), "%s", inside_ask(site, sql));
	return id;
}

static bool
is_full(const char *collection)
{
	char sql[100];

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM c_%s", collection);
	return number(sql) >= ITEMS_MOST;
}

/* An id that values refer to: of an item that is there, mostly. */
static const char *
an_id(void)
{
	const char *id = media[pick(SLOTS)];

	if (*id != '\0')
		return id;
	return *gone != '\0' ? gone : M1;
}

/* ---- values ---- */

static json_t *
an_image(void)
{
	json_t *v = json_pack("{s:s}", "id", an_id());

	switch (pick(6)) {
	case 0:
		json_decref(v);
		return json_null();
	case 1:
		json_object_set_new(v, "provider", json_string("unsplash"));
		break;
	case 2:
	case 3:
		json_object_set_new(v, "darkVariant", json_pack("{s:s}", "id", an_id()));
		break;
	default:
		break;
	}
	return v;
}

static json_t *
a_file(void)
{
	switch (pick(4)) {
	case 0:
		return json_null();
	case 1:
		return json_string(an_id());
	default:
		return json_pack("{s:s}", "id", an_id());
	}
}

static json_t *
some_rows(void)
{
	json_t *list = json_array();

	for (int n = pick(3); n > 0; n--)
		json_array_append_new(list,
		    json_pack("{s:o, s:o, s:s}", "photo", an_image(), "plan", a_file(), "note", "n"));
	return list;
}

static json_t *
an_asset(void)
{
	return json_pack("{s:{s:s}}", "asset", "_ref", an_id());
}

static json_t *
some_blocks(void)
{
	json_t *list = json_array();

	for (int n = pick(4); n > 0; n--) {
		json_t *block = pick(2) == 0 ? an_asset() : json_object();

		json_object_set_new(block, "_type",
		    json_string(json_object_size(block) > 0 ? "image" : "gallery"));
		if (json_object_size(block) == 1)
			json_object_set_new(
			    block, "images", json_pack("[o, o]", an_asset(), an_asset()));
		json_array_append_new(list, block);
	}
	return list;
}

static bool
has_field(const char *collection, const char *slug)
{
	char sql[300];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM field f JOIN collection c ON c.id = f.collection_id WHERE "
	    "c.slug = '%s' AND f.slug = '%s'",
	    collection, slug);
	return number(sql) > 0;
}

/* Values of some of its fields. */
static json_t *
some_values(const char *collection)
{
	json_t *data = json_pack("{s:s}", "title", pick(2) == 0 ? "One" : "Two");

	for (size_t i = 0; i < COUNT(slugs); i++) {
		json_t *v;

		if (pick(2) == 0 || !has_field(collection, slugs[i]))
			continue;
		v = type_of[i] == 0   ? an_image()
		    : type_of[i] == 1 ? a_file()
		    : type_of[i] == 2 ? some_rows()
				      : some_blocks();
		json_object_set_new(data, slugs[i], v);
	}
	return data;
}

/* ---- asking ---- */

static struct outcome *
send(const char *request, json_t *body)
{
	char *text = json_dumps(body, 0);
	struct outcome *o = harness_request(site, admin, request, NULL, text);

	free(text);
	json_decref(body);
	return o;
}

/* What a step may meet: there was nothing to do for it. Anything else is a fault. */
static bool
went(struct outcome *o)
{
	static const char *const fine[] = { "CONFLICT", "SLUG_CONFLICT", "NOT_FOUND",
		"TRANSLATION_EXISTS", "COLLECTION_NOT_FOUND", "COLLECTION_EXISTS" };

	if (*o->code == '\0')
		return true;
	for (size_t i = 0; i < COUNT(fine); i++)
		if (strcmp(o->code, fine[i]) == 0)
			return false;
	fail_msg("%d %s", o->http, o->text);
	return false;
}

/* A request about an item, with the rest of its path. */
static bool
item_step(const char *method, const char *rest, bool trashed)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, trashed) : NULL;

	return id != NULL && went(ask(site, admin, "%s /content/%s/%s%s", method, c, id, rest));
}

/* ---- steps on content ---- */

static bool
step_create(void)
{
	const char *c = a_collection();
	char request[80], slug[20];

	if (c == NULL || is_full(c))
		return false;
	(void)snprintf(request, sizeof(request), "POST /content/%s", c);
	(void)snprintf(slug, sizeof(slug), "s%06d", names++);
	return went(send(request, json_pack("{s:s, s:s, s:o}", "slug", slug, "status",
				      pick(2) == 0 ? "draft" : "published", "data", some_values(c))));
}

static bool
step_update(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, false) : NULL;
	json_t *body;
	char request[120];
	int status = pick(8);

	if (id == NULL)
		return false;
	(void)snprintf(request, sizeof(request), "PUT /content/%s/%s", c, id);
	body = json_pack("{s:o}", "data", some_values(c));
	if (status < 2)
		json_object_set_new(
		    body, "status", json_string(status == 0 ? "published" : "draft"));
	return went(send(request, body));
}

static bool
step_publish(void)
{
	return item_step("POST", "/publish", false);
}

static bool
step_unpublish(void)
{
	return item_step("POST", "/unpublish", false);
}

static bool
step_discard(void)
{
	return item_step("POST", "/discard-draft", false);
}

static bool
step_trash(void)
{
	return item_step("DELETE", "", false);
}

static bool
step_restore(void)
{
	return item_step("POST", "/restore", true);
}

static bool
step_purge(void)
{
	return item_step("DELETE", "/permanent", true);
}

static bool
step_duplicate(void)
{
	const char *c = a_collection(), *id = c != NULL && !is_full(c) ? an_item(c, false) : NULL;

	return id != NULL && went(ask(site, admin, "POST /content/%s/%s/duplicate", c, id));
}

static bool
step_translate(void)
{
	static const char *const locales[] = { "fr", "de" };
	const char *c = a_collection(), *id = c != NULL && !is_full(c) ? an_item(c, false) : NULL;
	char request[80];

	if (id == NULL)
		return false;
	(void)snprintf(request, sizeof(request), "POST /content/%s", c);
	return went(send(request, json_pack("{s:s, s:s, s:o}", "locale", locales[pick(2)],
				      "translationOf", id, "data", some_values(c))));
}

/* Published by the job, when its time comes. */
static bool
step_schedule(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, false) : NULL;
	char request[120];
	bool done;

	if (id == NULL)
		return false;
	(void)snprintf(request, sizeof(request), "POST /content/%s/%s/schedule", c, id);
	done = went(send(request, json_pack("{s:s}", "scheduledAt", time_in(1000))));
	time_goes_on(2000);
	inside_sweep(site);
	return done;
}

static bool
step_revision(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, false) : NULL;
	struct outcome *o;
	json_t *list;
	char revision[27];

	if (id == NULL)
		return false;
	o = ask(site, admin, "GET /content/%s/%s/revisions?limit=100", c, id);
	list = harness_at(o->data, "items");
	if (!went(o) || json_array_size(list) == 0)
		return false;
	(void)snprintf(revision, sizeof(revision), "%s",
	    harness_text(json_array_get(list, (size_t)pick((int)json_array_size(list))), "id"));
	return went(ask(site, admin, "POST /revisions/%s/restore", revision));
}

/* ---- steps on the schema ---- */

static bool
step_field(void)
{
	const char *c = a_collection();
	int i = pick(COUNT(slugs));
	char request[80];
	json_t *body;

	if (c == NULL || has_field(c, slugs[i]))
		return false;
	(void)snprintf(request, sizeof(request), "POST /schema/collections/%s/fields", c);
	body = json_pack("{s:s, s:s, s:s, s:b}", "slug", slugs[i], "label", "L", "type",
	    types[type_of[i]], "translatable", strcmp(slugs[i], "other") != 0);
	if (type_of[i] == 2)
		json_object_set_new(body, "validation",
		    json_pack("{s:[{s:s,s:s,s:s},{s:s,s:s,s:s}]}", "subFields", "slug", "photo",
			"label", "P", "type", "image", "slug", "note", "label", "N", "type", "text"));
	return went(send(request, body));
}

static bool
step_field_delete(void)
{
	const char *c = a_collection();
	int i = pick(COUNT(slugs));

	return c != NULL && has_field(c, slugs[i]) &&
	       went(ask(site, admin, "DELETE /schema/collections/%s/fields/%s", c, slugs[i]));
}

static bool
step_sub_fields(void)
{
	const char *c = a_collection();
	char request[80];

	if (c == NULL || !has_field(c, "shots"))
		return false;
	(void)snprintf(request, sizeof(request), "PUT /schema/collections/%s/fields/shots", c);
	return went(
	    send(request, json_pack("{s:{s:[{s:s,s:s,s:s},{s:s,s:s,s:s}]}}", "validation",
			      "subFields", "slug", pick(2) == 0 ? "photo" : "more", "label", "P",
			      "type", "image", "slug", pick(2) == 0 ? "plan" : "extra", "label", "L",
			      "type", "image")));
}

static bool
step_supports(void)
{
	const char *c = a_collection();
	char request[80];

	if (c == NULL)
		return false;
	(void)snprintf(request, sizeof(request), "PUT /schema/collections/%s", c);
	return went(send(request, pick(2) == 0 ? json_pack("{s:[s]}", "supports", "drafts")
					       : json_pack("{s:[s,s]}", "supports", "drafts", "revisions")));
}

static bool
step_collection(void)
{
	char slug[8];

	(void)snprintf(slug, sizeof(slug), "k%d", pick(SLUGS));
	if (!went(say(site, admin, "POST /schema/collections",
		"{'slug':'%s','label':'K','supports':['drafts'%s]}", slug,
		pick(3) == 0 ? "" : ",'revisions'")))
		return false;
	field(site, slug, "title", "string", "");
	field(site, slug, "hero", "image", "");
	return true;
}

static bool
step_collection_delete(void)
{
	const char *c = pick(4) == 0 ? a_collection() : NULL;

	return c != NULL && went(ask(site, admin, "DELETE /schema/collections/%s?force=true", c));
}

/* ---- steps on the library, and on what refers to it outside of content ---- */

static bool
step_upload(void)
{
	int slot = pick(SLOTS);
	struct outcome *o;

	if (media[slot][0] != '\0')
		return false;
	/* a PNG of one pixel, with some bytes behind it */
	harness_ok(
	    o, harness_op(site, admin, "media_upload",
		   "{\"filename\":\"a.png\",\"contentType\":\"image/png\",\"base64\":"
		   "\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9"
		   "QDwADhgGAWjR9awAAAABJRU5ErkJggjAw%08d\"}",
		   uploads++));
	(void)snprintf(media[slot], sizeof(media[0]), "%s", harness_text(o->data, "item.id"));
	return true;
}

static bool
step_media_delete(void)
{
	int slot = pick(SLOTS);

	if (media[slot][0] == '\0')
		return false;
	assert_ok(ask(site, admin, "DELETE /media/%s", media[slot]));
	memcpy(gone, media[slot], sizeof(gone));
	media[slot][0] = '\0';
	return true;
}

static bool
step_byline(void)
{
	char request[80], value[40];
	const char *id = media[pick(SLOTS)];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "%s /bylines%s%s", *byline == '\0' ? "POST" : "PUT",
	    *byline == '\0' ? "" : "/", byline);
	(void)snprintf(value, sizeof(value), *id != '\0' ? "'%s'" : "null", id);
	harness_ok(o, say(site, admin, request, "{'displayName':'Ann','avatarMediaId':%s}", value));
	(void)snprintf(byline, sizeof(byline), "%s", harness_text(o->data, "id"));
	return true;
}

static bool
step_settings(void)
{
	static const char *const name[] = { "logo", "favicon" };
	const char *id = media[pick(SLOTS)];

	if (*id == '\0')
		return false;
	return went(say(site, admin, "POST /settings", "{'%s':{'mediaId':'%s'}}", name[pick(2)], id));
}

/* ---- steps on the index ---- */

static bool
step_activate(void)
{
	struct outcome *o;

	if (absent)
		return false;
	o = say(site, admin, "POST " USAGE "/activation", "{'writersDrained':true}");
	assert_ok(o);
	if (strcmp(harness_text(o->data, "outcome"), "active") == 0)
		assert_ok(progress(site));
	return true;
}

static bool
step_repair(void)
{
	const char *c = pick(2) == 0 ? "" : a_collection();
	struct outcome *o;

	if (absent || c == NULL)
		return false;
	harness_ok(o, repair(site, c));
	assert_string_equal(harness_text(o->data, "status"), "complete");
	assert_int_equal(harness_int(o->data, "failedSourceCount"), 0);
	return true;
}

static bool
step_retry(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, pick(2) == 0) : NULL;

	return !absent && id != NULL &&
	       went(say(site, admin, "POST " USAGE "/work/retry",
		   "{'collectionId':'%s','contentId':'%s'}", collection_id(site, c), id));
}

static bool
step_module(void)
{
	if (!absent && pick(3) > 0)
		return false;
	inside_enable(site, "media-usage", absent);
	absent = !absent;
	missed = true;
	return true;
}

static void
until_idle(void)
{
	time_goes_on(20000);
	for (int i = 0; inside_work(site, "media-usage"); i++)
		assert_true(i < 100);
	missed = false;
}

/* ---- export and import, by the command ---- */

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void
remove_export(void)
{
	if (exported[0] != '\0')
		(void)nftw(exported, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	exported[0] = '\0';
}

/* stet COMMAND …, while nobody else has the site open. */
static void
command(const char *const *words)
{
	static const char *const locales[] = { "en", "fr", "de", "es", "it", NULL };
	char data[64], conf[80], program[1100], modules[1100];
	const char *argv[12] = { program, "--config", conf };
	int status = -1, n = 3;
	FILE *f;
	pid_t pid;

	(void)snprintf(data, sizeof(data), "%s", harness_data(site));
	(void)snprintf(conf, sizeof(conf), "%s.conf", data);
	(void)snprintf(program, sizeof(program), "%s", harness_path("STET_BUILD", "stet"));
	(void)snprintf(modules, sizeof(modules), "%s", harness_path("STET_BUILD", "modules/.libs"));
	harness_close(site, true);
	site = NULL;
	time_goes_on(0); /* closing has let it go */
	f = fopen(conf, "we");
	assert_non_null(f);
	(void)fprintf(f,
	    "site \"main\" {\n\tdata = \"%s\"\n\tlocales = { \"en\", \"fr\", \"de\", \"es\", \"it\" }\n}\n",
	    data);
	assert_int_equal(fclose(f), 0);
	while (*words != NULL)
		argv[n++] = *words++;
	(void)fflush(stdout);
	if ((pid = fork()) == 0) {
		(void)setenv("STET_MODULE_PATH", modules, 1);
		(void)setenv("STET_PLUGIN_PATH", "", 1);
		(void)dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
		(void)execv(program, (char **)(uintptr_t)argv);
		_exit(127);
	}
	assert_true(waitpid(pid, &status, 0) == pid);
	assert_int_equal(unlink(conf), 0);
	site = harness_open(
	    &(struct harness_options){ .locales = locales, .data = data });
	time_goes_on(0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool
step_export(void)
{
	if (pick(3) > 0)
		return false;
	remove_export();
	(void)snprintf(exported, sizeof(exported), "%s.export", harness_data(site));
	command((const char *const[]){ "export", exported, NULL });
	memcpy(then.media, media, sizeof(media));
	memcpy(then.byline, byline, sizeof(byline));
	return true;
}

/* The site is what it was. */
static bool
step_import(void)
{
	if (exported[0] == '\0' || pick(3) > 0)
		return false;
	command((const char *const[]){ "import", "site", exported, "--delete", NULL });
	memcpy(media, then.media, sizeof(media));
	memcpy(byline, then.byline, sizeof(byline));
	return true;
}

/* ---- comparing ---- */

/* Of collections that are not covered the index does not claim to know all. */
static void
drop_uncovered(json_t *all)
{
	const char *key;
	json_t *use;
	void *next;
	char slug[40];

	json_object_foreach_safe(all, next, key, use)
	{
		const char *from = strchr(key, ' ') + 1;

		(void)snprintf(slug, sizeof(slug), "%.*s", (int)strcspn(from, " "), from);
		if (strcmp(state_of(site, slug), "complete") != 0)
			json_object_del(all, key);
	}
}

static void
compare_uses(json_t *is, json_t *wanted)
{
	const char *key;
	json_t *use;

	json_object_foreach(wanted, key, use) if (!json_equal(use, json_object_get(is, key)))
	    fail_msg("%s: the item has %s, the index %s", key, json_dumps(use, 0),
		json_dumps(json_object_get(is, key), 0));
	json_object_foreach(is, key, use) if (json_object_get(wanted, key) == NULL)
	    fail_msg("%s: only the index has %s", key, json_dumps(use, 0));
}

/* What clients are told of a media item. */
struct told {
	int count, groups;
	bool unused;
};

static void
hear(const char *id, struct told *t)
{
	struct outcome *o;
	json_t *list;

	harness_ok(o, ask(site, admin, "GET /media/%s?includeUsage=1", id));
	t->count = (int)harness_int(o->data, "item.usage.count");
	harness_ok(o, ask(site, admin, "GET /media/%s/usage?limit=100", id));
	t->groups = (int)json_array_size(harness_at(o->data, "items"));
	harness_ok(o, ask(site, admin, "GET /media?unused=1&limit=100"));
	list = harness_at(o->data, "items");
	t->unused = false;
	for (size_t i = 0; i < json_array_size(list); i++)
		t->unused |= strcmp(harness_text(json_array_get(list, i), "id"), id) == 0;
}

static bool
is_used_elsewhere(const char *id)
{
	struct outcome *o;

	harness_ok(o, ask(site, admin, "GET /settings"));
	if (strcmp(harness_text(o->data, "logo.mediaId"), id) == 0 ||
	    strcmp(harness_text(o->data, "favicon.mediaId"), id) == 0)
		return true;
	if (*byline == '\0')
		return false;
	harness_ok(o, ask(site, admin, "GET /bylines/%s", byline));
	return strcmp(harness_text(o->data, "avatarMediaId"), id) == 0;
}

static bool
is_complete(void)
{
	struct outcome *o = ask(site, admin, "GET " USAGE "/progress");

	if (strcmp(o->code, "MEDIA_USAGE_PROGRESS_NOT_ACTIVE") == 0)
		return false;
	assert_ok(o);
	return strcmp(harness_text(o->data, "status"), "ready") == 0;
}

static void
compare(void)
{
	bool complete = is_complete();
	const char *id = media[pick(SLOTS)];
	json_t *is = index_dump(site), *wanted;
	struct outcome *o;
	struct told told;

	harness_ok(o, harness_op(site, admin, "media_usage_verify", "{}"));
	if (json_array_size(harness_at(o->data, "problems")) > 0)
		fail_msg("%s", o->text);
	complete = complete && *id != '\0';
	if (complete)
		hear(id, &told);
	wanted = items_scan(site);
	drop_uncovered(is);
	drop_uncovered(wanted);
	compare_uses(is, wanted);
	if (complete) {
		assert_int_equal(told.count, uses_in(wanted, id, true));
		assert_int_equal(told.groups, uses_in(wanted, id, false));
		assert_int_equal(told.unused, told.groups == 0 && !is_used_elsewhere(id));
	}
	json_decref(is);
	json_decref(wanted);
}

/* Nothing is left of what was deleted, and all is covered. */
static void
compare_idle(void)
{
	static const char *const table[] = { "media_use", "media_use_count", "media_work",
		"media_deletion", "media_coverage" };
	char sql[200];

	until_idle();
	for (size_t i = 0; i < COUNT(table); i++) {
		(void)snprintf(sql, sizeof(sql),
		    "SELECT count(*) FROM %s WHERE collection_id NOT IN (SELECT id FROM collection)",
		    table[i]);
		if (number(sql) != 0)
			fail_msg("%d of %s are left", number(sql), table[i]);
	}
	compare();
}

/* ---- the whole ---- */

static struct kind {
	bool (*run)(void);
	int weight, done;
	const char *name;
} kinds[] = {
#define KIND(name, weight) { step_##name, weight, 0, #name }
	KIND(create, 60),
	KIND(update, 120),
	KIND(publish, 40),
	KIND(unpublish, 20),
	KIND(discard, 30),
	KIND(trash, 30),
	KIND(restore, 25),
	KIND(purge, 20),
	KIND(duplicate, 20),
	KIND(translate, 30),
	KIND(schedule, 10),
	KIND(revision, 30),
	KIND(field, 20),
	KIND(field_delete, 10),
	KIND(sub_fields, 8),
	KIND(supports, 8),
	KIND(collection, 12),
	KIND(collection_delete, 16),
	KIND(upload, 20),
	KIND(media_delete, 8),
	KIND(byline, 8),
	KIND(settings, 8),
	KIND(activate, 6),
	KIND(repair, 4),
	KIND(retry, 4),
	KIND(module, 6),
	KIND(export, 8),
	KIND(import, 8),
};

static void
step(void)
{
	int all = 0, chosen;

	for (size_t i = 0; i < COUNT(kinds); i++)
		all += kinds[i].weight;
	chosen = pick(all);
	for (size_t i = 0; i < COUNT(kinds); i++) {
		if (chosen < kinds[i].weight) {
			kinds[i].done += kinds[i].run();
			return;
		}
		chosen -= kinds[i].weight;
	}
}

static void
the_index_goes_as_the_items_go(void **state)
{
	site = *state;
	field(site, "pages", "title", "string", "");
	for (int i = 1; i <= chance.steps; i++) {
		time_goes_on(pick(30));
		step();
		if (absent || i % COMPARE_EVERY != 0)
			continue;
		if (pick(2) == 0 && !missed)
			compare();
		else
			compare_idle();
	}
	if (absent)
		(void)step_module();
	while (!is_complete()) {
		until_idle();
		(void)step_activate();
	}
	compare_idle();
	for (size_t i = 0; i < COUNT(kinds); i++)
		print_message("# %s: %d\n", kinds[i].name, kinds[i].done);
	for (size_t i = 0; i < COUNT(kinds) && chance.steps >= 1500; i++)
		assert_true(kinds[i].done > 0);
}

static int
end(void **state)
{
	remove_export();
	*state = site;
	return posts_end(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_index_goes_as_the_items_go, used_begin, end),
	};

	chance_from("USAGE_SEED", "USAGE_STEPS", 1500);
	print_message("# USAGE_SEED=%u USAGE_STEPS=%d\n", chance.seed, chance.steps);
	return cmocka_run_group_tests_name("media-usage/model", tests, NULL, NULL);
}
