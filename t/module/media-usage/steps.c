/* steps.c - one random change of everything that may change the content's uses of media items. */
#include "changes.h"
#include "engine.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLUGS 3 /* number of created collections */

static int uploads, names;
static char exported[80]; /* a directory with an export; "": none */
static struct {
	char media[SLOTS][27], byline[27];
} then; /* the state at the time of the export */

/* Sends a request about a random item, with the rest of its path. */
static bool
item_step(const char *method, const char *rest, bool trashed)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, trashed) : NULL;

	return id != NULL &&
	       went(ask(world.site, admin, "%s /content/%s/%s%s", method, c, id, rest));
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
	return went(send_json(
	    request, json_pack("{s:s, s:s, s:o}", "slug", slug, "status",
			 chosen(2) == 0 ? "draft" : "published", "data", some_values(c))));
}

static bool
step_update(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, false) : NULL;
	json_t *body;
	char request[120];
	int status = chosen(8);

	if (id == NULL)
		return false;
	(void)snprintf(request, sizeof(request), "PUT /content/%s/%s", c, id);
	body = json_pack("{s:o}", "data", some_values(c));
	if (status < 2)
		json_object_set_new(
		    body, "status", json_string(status == 0 ? "published" : "draft"));
	return went(send_json(request, body));
}

/* Inserts an image, or a link to one, into a text, as assistants do. */
static bool
step_patch(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, false) : NULL;
	const char *path = a_path();
	char rev[100];
	struct outcome *o;

	if (id == NULL || *path == '\0' || !has_field(c, "body"))
		return false;
	harness_ok(o, ask(world.site, admin, "GET /content/%s/%s", c, id));
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	return went(harness_op(world.site, admin, "content_patch",
	    "{\"collection\":\"%s\",\"id\":\"%s\",\"_rev\":\"%s\",\"field\":\"body\","
	    "\"blocks\":[{\"op\":\"insert_after\",\"value\":\"%s[x](%s)\"}]}",
	    c, id, rev, chosen(2) == 0 ? "!" : "", path));
}

static bool
step_markdown(void)
{
	const char *c = a_collection(), *path = a_path();

	if (c == NULL || is_full(c) || *path == '\0' || !has_field(c, "body"))
		return false;
	return went(harness_op(world.site, admin, "content_create",
	    "{\"collection\":\"%s\",\"slug\":\"s%06d\",\"data\":{\"title\":\"M\",\"body\":"
	    "\"A ![x](%s?w=2) b.\\n\\n![y](%s)\"}}",
	    c, names++, path, path));
}

/* Replaces the URL of a file by that of another. */
static bool
step_rewrite(void)
{
	char from[200], to[200];

	(void)snprintf(from, sizeof(from), "%s", a_path());
	(void)snprintf(to, sizeof(to), "%s", a_path());
	if (*from == '\0' || *to == '\0' || strcmp(from, to) == 0)
		return false;
	return went(harness_send(world.site, admin, "POST /import/platform/rewrite-urls",
	    "{\"urlMap\":{\"https://Example.org%s\":\"%s\"}}", from, to));
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

	return id != NULL && went(ask(world.site, admin, "POST /content/%s/%s/duplicate", c, id));
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
	return went(send_json(request, json_pack("{s:s, s:s, s:o}", "locale", locales[chosen(2)],
					   "translationOf", id, "data", some_values(c))));
}

/* Schedules an item and lets the job publish it. */
static bool
step_schedule(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, false) : NULL;
	char request[120];
	bool done;

	if (id == NULL)
		return false;
	(void)snprintf(request, sizeof(request), "POST /content/%s/%s/schedule", c, id);
	done = went(send_json(request, json_pack("{s:s}", "scheduledAt", time_in(1000))));
	time_goes_on(2000);
	inside_sweep(world.site);
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
	o = ask(world.site, admin, "GET /content/%s/%s/revisions?limit=100", c, id);
	list = harness_at(o->data, "items");
	if (!went(o) || json_array_size(list) == 0)
		return false;
	(void)snprintf(revision, sizeof(revision), "%s",
	    harness_text(json_array_get(list, (size_t)chosen((int)json_array_size(list))), "id"));
	return went(ask(world.site, admin, "POST /revisions/%s/restore", revision));
}

/* ---- steps on the schema ---- */

static bool
step_field(void)
{
	const char *c = a_collection();
	int i = chosen(changing_count);
	char request[80];
	json_t *body;

	if (c == NULL || has_field(c, changing[i].slug))
		return false;
	(void)snprintf(request, sizeof(request), "POST /schema/collections/%s/fields", c);
	body = json_pack("{s:s, s:s, s:s, s:b}", "slug", changing[i].slug, "label", "L", "type",
	    changing[i].type, "translatable", strcmp(changing[i].slug, "other") != 0);
	if (strcmp(changing[i].type, "repeater") == 0)
		json_object_set_new(body, "validation",
		    json_pack("{s:[{s:s,s:s,s:s},{s:s,s:s,s:s}]}", "subFields", "slug", "photo",
			"label", "P", "type", "image", "slug", "note", "label", "N", "type",
			"text"));
	return went(send_json(request, body));
}

static bool
step_field_delete(void)
{
	const char *c = a_collection();
	int i = chosen(changing_count);

	return c != NULL && has_field(c, changing[i].slug) &&
	       went(ask(world.site, admin, "DELETE /schema/collections/%s/fields/%s", c,
		   changing[i].slug));
}

static bool
step_sub_fields(void)
{
	const char *c = a_collection();
	char request[80];

	if (c == NULL || !has_field(c, "shots"))
		return false;
	(void)snprintf(request, sizeof(request), "PUT /schema/collections/%s/fields/shots", c);
	return went(send_json(request,
	    json_pack("{s:{s:[{s:s,s:s,s:s},{s:s,s:s,s:s}]}}", "validation", "subFields", "slug",
		chosen(2) == 0 ? "photo" : "more", "label", "P", "type", "image", "slug",
		chosen(2) == 0 ? "plan" : "extra", "label", "L", "type", "image")));
}

static bool
step_supports(void)
{
	const char *c = a_collection();
	char request[80];

	if (c == NULL)
		return false;
	(void)snprintf(request, sizeof(request), "PUT /schema/collections/%s", c);
	return went(send_json(
	    request, chosen(2) == 0 ? json_pack("{s:[s]}", "supports", "drafts")
				    : json_pack("{s:[s,s]}", "supports", "drafts", "revisions")));
}

static bool
step_collection(void)
{
	char slug[8];

	(void)snprintf(slug, sizeof(slug), "k%d", chosen(SLUGS));
	if (!went(say(world.site, admin, "POST /schema/collections",
		"{'slug':'%s','label':'K','supports':['drafts'%s]}", slug,
		chosen(3) == 0 ? "" : ",'revisions'")))
		return false;
	field(world.site, slug, "title", "string", "");
	field(world.site, slug, "hero", "image", "");
	return true;
}

static bool
step_collection_delete(void)
{
	const char *c = chosen(4) == 0 ? a_collection() : NULL;

	return c != NULL &&
	       went(ask(world.site, admin, "DELETE /schema/collections/%s?force=true", c));
}

/* ---- steps on the library, and on what refers to it outside of content ---- */

static bool
step_upload(void)
{
	int slot = chosen(SLOTS);
	struct outcome *o;

	if (world.media[slot][0] != '\0')
		return false;
	/* a PNG of one pixel with some extra bytes */
	harness_ok(o, harness_op(world.site, admin, "media_upload",
			  "{\"filename\":\"a.png\",\"contentType\":\"image/png\",\"base64\":"
			  "\"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9"
			  "QDwADhgGAWjR9awAAAABJRU5ErkJggjAw%08d\"}",
			  uploads++));
	(void)snprintf(
	    world.media[slot], sizeof(world.media[0]), "%s", harness_text(o->data, "item.id"));
	return true;
}

static bool
step_media_delete(void)
{
	int slot = chosen(SLOTS);

	if (world.media[slot][0] == '\0')
		return false;
	assert_ok(ask(world.site, admin, "DELETE /media/%s", world.media[slot]));
	memcpy(world.gone, world.media[slot], sizeof(world.gone));
	world.media[slot][0] = '\0';
	return true;
}

static bool
step_byline(void)
{
	char request[80], value[40];
	const char *id = world.media[chosen(SLOTS)];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "%s /bylines%s%s",
	    *world.byline == '\0' ? "POST" : "PUT", *world.byline == '\0' ? "" : "/", world.byline);
	(void)snprintf(value, sizeof(value), *id != '\0' ? "'%s'" : "null", id);
	harness_ok(
	    o, say(world.site, admin, request, "{'displayName':'Ann','avatarMediaId':%s}", value));
	(void)snprintf(world.byline, sizeof(world.byline), "%s", harness_text(o->data, "id"));
	return true;
}

static bool
step_settings(void)
{
	static const char *const name[] = { "logo", "favicon" };
	const char *id = world.media[chosen(SLOTS)];

	if (*id == '\0')
		return false;
	return went(say(
	    world.site, admin, "POST /settings", "{'%s':{'mediaId':'%s'}}", name[chosen(2)], id));
}

/* ---- steps on the index ---- */

bool
step_activate(void)
{
	struct outcome *o;

	if (world.absent)
		return false;
	o = say(world.site, admin, "POST " USAGE "/activation", "{'writersDrained':true}");
	assert_ok(o);
	if (strcmp(harness_text(o->data, "outcome"), "active") == 0)
		assert_ok(progress(world.site));
	return true;
}

static bool
step_repair(void)
{
	const char *c = chosen(2) == 0 ? "" : a_collection();
	struct outcome *o;

	if (world.absent || c == NULL)
		return false;
	harness_ok(o, repair(world.site, c));
	assert_string_equal(harness_text(o->data, "status"), "complete");
	assert_int_equal(harness_int(o->data, "failedSourceCount"), 0);
	return true;
}

static bool
step_retry(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, chosen(2) == 0) : NULL;

	return !world.absent && id != NULL &&
	       went(say(world.site, admin, "POST " USAGE "/work/retry",
		   "{'collectionId':'%s','contentId':'%s'}", collection_id(world.site, c), id));
}

bool
step_module(void)
{
	if (!world.absent && chosen(3) > 0)
		return false;
	inside_enable(world.site, "media-usage", world.absent);
	world.absent = !world.absent;
	world.missed = true;
	return true;
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

void
remove_export(void)
{
	if (exported[0] != '\0')
		(void)nftw(exported, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	exported[0] = '\0';
}

int
command(const char *const *words)
{
	static const char *const locales[] = { "en", "fr", "de", "es", "it", NULL };
	char data[64], conf[80], program[1100], modules[1100];
	const char *argv[12] = { program, "--config", conf };
	int status = -1, n = 3;
	FILE *f;
	pid_t pid;

	(void)snprintf(data, sizeof(data), "%s", harness_data(world.site));
	(void)snprintf(conf, sizeof(conf), "%s.conf", data);
	(void)snprintf(program, sizeof(program), "%s", harness_path("STET_BUILD", ".libs/stet"));
	(void)snprintf(modules, sizeof(modules), "%s", harness_path("STET_BUILD", "modules/.libs"));
	harness_close(world.site, true);
	world.site = NULL;
	time_goes_on(0); /* closing has released the clock */
	f = fopen(conf, "we");
	assert_non_null(f);
	(void)fprintf(f,
	    "site \"main\" {\n\tdata = \"%s\"\n\tlocales = { \"en\", \"fr\", \"de\", \"es\", \"it\" }\n",
	    data);
	engine_make(data);
	engine_keys(f, data);
	(void)fprintf(f, "}\n");
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
	world.site = harness_open(&(struct harness_options){ .locales = locales, .data = data });
	time_goes_on(0);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool
step_export(void)
{
	if (chosen(3) > 0)
		return false;
	remove_export();
	(void)snprintf(exported, sizeof(exported), "%s.export", harness_data(world.site));
	assert_int_equal(command((const char *const[]){ "export", exported, NULL }), 0);
	memcpy(then.media, world.media, sizeof(world.media));
	memcpy(then.byline, world.byline, sizeof(world.byline));
	return true;
}

/* Restores the site from its export. A value from before a change of the field's type makes the
 * import fail, and then nothing has changed. */
static bool
step_import(void)
{
	if (exported[0] == '\0' || chosen(3) > 0)
		return false;
	if (command((const char *const[]){ "import", "site", exported, "--delete", NULL }) != 0)
		return false;
	memcpy(world.media, then.media, sizeof(world.media));
	memcpy(world.byline, then.byline, sizeof(world.byline));
	return true;
}

struct kind kinds[] = {
#define KIND(name, weight)                    \
	{                                     \
		step_##name, weight, 0, #name \
	}
	KIND(create, 60),
	KIND(update, 120),
	KIND(patch, 30),
	KIND(markdown, 20),
	KIND(rewrite, 10),
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
	KIND(widget, 16),
	KIND(section, 10),
	KIND(menu, 8),
	KIND(term, 10),
	KIND(bio, 4),
	KIND(tagline, 4),
	KIND(wxr, 6),
	KIND(document, 3),
	KIND(paste, 10),
	KIND(activate, 6),
	KIND(repair, 4),
	KIND(retry, 30),
	KIND(module, 6),
	KIND(export, 16),
	KIND(import, 16),
	{ NULL, 0, 0, NULL },
};

void
step(void)
{
	int all = 0, left;

	for (size_t i = 0; kinds[i].name != NULL; i++)
		all += kinds[i].weight;
	left = chosen(all);
	for (size_t i = 0; kinds[i].name != NULL; i++) {
		if (left < kinds[i].weight) {
			kinds[i].done += kinds[i].run();
			return;
		}
		left -= kinds[i].weight;
	}
}
