/*
 * urls.c - an item uses a file if its values contain the file's URL, in any place and from any
 * source: the index, the list of unused items and the safe delete agree.
 */
#include "pictures.h"
#include "used.h"
#include <stdio.h>
#include <string.h>

#define FILES "/_cms/api/media/file/"

/* An uploaded image. */
struct shot {
	char id[27], key[64], url[120];
};

static struct shot
upload(struct harness *h, int which)
{
	const struct picture *p = &pictures[which];
	struct outcome *o;
	struct shot shot;

	harness_ok(o, harness_op(h, admin, "media_upload",
			  "{\"filename\":\"%s\",\"contentType\":\"%s\",\"base64\":\"%s\"}", p->name,
			  p->type, p->base64));
	(void)snprintf(shot.id, sizeof(shot.id), "%s", harness_text(o->data, "item.id"));
	(void)snprintf(shot.key, sizeof(shot.key), "%s", harness_text(o->data, "item.storageKey"));
	(void)snprintf(shot.url, sizeof(shot.url), "%s", harness_text(o->data, "item.url"));
	return shot;
}

static bool
is_listed_unused(struct harness *h, const char *id)
{
	struct outcome *o;
	json_t *list;
	bool found = false;

	harness_ok(o, ask(h, admin, "GET /media?unused=1&limit=100"));
	list = harness_at(o->data, "items");
	for (size_t i = 0; i < json_array_size(list); i++)
		found |= strcmp(harness_text(json_array_get(list, i), "id"), id) == 0;
	return found;
}

/* Fails unless all ops about the uses of a media item agree. */
static void
assert_used(struct harness *h, const struct shot *shot, bool is_used)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /media/%s?includeUsage=1", shot->id));
	assert_int_equal(harness_int(o->data, "item.usage.count") > 0, is_used);
	assert_int_equal(is_listed_unused(h, shot->id), !is_used);
	o = harness_op(h, admin, "media_usage_verify", "{}");
	assert_ok(o);
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
	if (!is_used)
		return;
	assert_code(ask(h, admin, "DELETE /media/%s?ifUnused=1", shot->id), "CONFLICT");
}

/* Calls a tool; arguments have " for each '. */
STET_FMT(3, 4)
static struct outcome *
tool(struct harness *h, const char *op, const char *fmt, ...)
{
	char args[4000];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(args, sizeof(args), fmt, ap);
	va_end(ap);
	return harness_op(h, admin, op, "%s", double_quotes(args));
}

/* Replaces "$" in the pattern. */
static void
fill_in(char *out, size_t size, const char *pattern, const char *with)
{
	const char *at = strchr(pattern, '$');

	(void)snprintf(out, size, "%.*s%s%s", (int)(at - pattern), pattern, with, at + 1);
}

/* ---- Markdown ---- */

static void
a_picture_that_markdown_places_is_used(void **state)
{
	struct harness *h = *state;
	struct shot shot = upload(h, 0);
	struct outcome *o;
	char id[27];

	activate(h);
	assert_used(h, &shot, false);
	harness_ok(o, tool(h, "content_create",
			  "{'collection':'posts','data':{'body':'One.\\n\\n![x](%s)'}}", shot.url));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	assert_used(h, &shot, true);
	harness_ok(o, ask(h, admin, "GET " BASE "/%s", id));
	assert_string_equal(harness_text(o->data, "item.data.body[1]._type"), "image");
	assert_string_equal(harness_text(o->data, "item.data.body[1].asset._type"), "reference");
	assert_string_equal(harness_text(o->data, "item.data.body[1].asset._ref"), shot.id);
	assert_string_equal(harness_text(o->data, "item.data.body[1].asset.url"), shot.url);
	assert_int_equal(harness_int(o->data, "item.data.body[1].asset.width"), pictures[0].width);
	assert_string_equal(places(h, shot.id), "columns body[1].asset._ref");
}

static void
a_picture_of_the_editor_is_markdown_and_comes_back_as_it_was(void **state)
{
	struct harness *h = *state;
	struct shot shot = upload(h, 0);
	struct outcome *o;
	char id[27], rev[100], text[300];
	json_t *before;

	make(h, admin, id,
	    "{'data':{'body':[{'_type':'image','_key':'k','asset':{'_type':'reference','_ref':'%s',"
	    "'url':'%s','width':8,'height':4},'alt':'a'}]}}",
	    shot.id, shot.url);
	harness_ok(o, ask(h, admin, "GET " BASE "/%s", id));
	before = json_deep_copy(harness_at(o->data, "item.data.body"));
	harness_ok(o, ask(h, admin, "GET " BASE "/%s?markdown=true", id));
	(void)snprintf(text, sizeof(text), "![a](%s)", shot.url);
	assert_string_equal(harness_text(o->data, "item.data.body"), text);
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	harness_ok(o, tool(h, "content_update",
			  "{'collection':'posts','id':'%s','_rev':'%s','data':{'body':'%s'}}", id,
			  rev, text));
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	harness_ok(o, ask(h, admin, "GET " BASE "/%s", id));
	assert_true(json_equal(before, harness_at(o->data, "item.data.body")));
	assert_ok(tool(h, "content_update",
	    "{'collection':'posts','id':'%s','_rev':'%s','data':{'body':'![b](%s)'}}", id, rev,
	    shot.url));
	harness_ok(o, ask(h, admin, "GET " BASE "/%s", id));
	json_object_set_new(json_array_get(before, 0), "alt", json_string("b"));
	assert_true(json_equal(before, harness_at(o->data, "item.data.body")));
	json_decref(before);
}

/* ---- where URLs stand ---- */

static void
a_url_counts_wherever_it_stands(void **state)
{
	static const char *const values[] = {
		"'title':'see $.'",
		"'body':[{'_type':'block','markDefs':[{'_type':'link','_key':'a','href':'$'}],"
		"'children':[]}]",
		"'body':[{'_type':'html','html':'<img srcset=\\\"$?preset=a 1w, /b.png 2w\\\">'}]",
		"'body':[{'_type':'html','html':'<p style=\\\"background:url($)\\\">'}]",
		"'body':[{'_type':'columns','columns':[{'content':[{'_type':'image','asset':{"
		"'_ref':'$'}}]}]}]",
		"'body':[{'_type':'file','file':{'url':'https://CDN.Example.org$#page=2'}}]",
		"'shots':[{'note':'at $, or so'}]",
		"'extra':{'deep':[{'er':'$'}]}",
		"'extra':{'a':'https:\\\\/\\\\/example.org$'}",
	};
	struct harness *h = *state;
	struct shot shot = upload(h, 0);

	activate(h);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char body[1000], id[27];

		fill_in(body, sizeof(body), values[i], shot.url);
		print_message("# %s\n", body);
		make(h, admin, id, "{'data':{%s}}", body);
		assert_used(h, &shot, true);
		assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
		assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
		assert_used(h, &shot, false);
	}
}

static void
a_url_counts_however_it_is_encoded(void **state)
{
	static const char *const values[] = {
		"/_cms/api/media%2Ffile%2F$",
		"/_cms/api/%6dedia/file/$",
		"&#47;_cms&#x2f;api&sol;media&#47;file&#47;$",
		"{\\\"a\\\":\\\"\\\\/media\\\\/file\\\\/$\\\"}",
		"url(\\\\2f media\\\\2f file\\\\2f $)",
		"It is at /_cms/api/media/file/$.",
		"/_cms/api/media/file/$.Then more",
	};
	struct harness *h = *state;
	struct shot shot = upload(h, 0);

	activate(h);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char text[300], id[27];
		struct outcome *o;

		fill_in(text, sizeof(text), values[i], shot.key);
		print_message("# %s\n", text);
		harness_ok(
		    o, harness_send(h, admin, "POST " BASE, "{\"data\":{\"title\":\"%s\"}}", text));
		(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
		assert_used(h, &shot, true);
		assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
		assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
		assert_used(h, &shot, false);
	}
}

static void
other_names_and_other_paths_are_no_files(void **state)
{
	struct harness *h = *state;
	struct shot shot = upload(h, 0);
	char id[27];

	activate(h);
	make(h, admin, id,
	    "{'data':{'title':'/elsewhere/%s /media/file/x%s " FILES " " FILES "%%'}}", shot.key,
	    shot.key);
	assert_used(h, &shot, false);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_use"), "0");
}

/* ---- ways into an item ---- */

static void
drafts_patches_copies_and_restored_revisions_count(void **state)
{
	struct harness *h = *state;
	struct shot shot = upload(h, 0);
	struct outcome *o;
	char id[27], rev[100], revision[27], twin[27];

	activate(h);
	make(h, admin, id,
	    "{'status':'published','slug':'a','data':{'title':'T',"
	    "'body':[{'_type':'break','_key':'k','style':'lineBreak'}]}}");
	harness_ok(o, ask(h, admin, "GET " BASE "/%s", id));
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	assert_ok(tool(h, "content_patch",
	    "{'collection':'posts','id':'%s','_rev':'%s','field':'body','blocks':[{'op':'replace',"
	    "'key':'k','value':'[x](%s)'}]}",
	    id, rev, shot.url));
	assert_string_equal(places(h, shot.id), "draft_overlay body[0].markDefs[0].href");
	assert_used(h, &shot, true);
	assert_ok(say(h, admin, "POST " BASE "/a/publish", "{}"));
	assert_string_equal(places(h, shot.id), "columns body[0].markDefs[0].href");
	harness_ok(o, ask(h, admin, "POST " BASE "/%s/duplicate", id));
	(void)snprintf(twin, sizeof(twin), "%s", harness_text(o->data, "item.id"));
	assert_int_equal(uses(h, shot.id), 2);
	harness_ok(o, ask(h, admin, "GET " BASE "/%s/revisions", id));
	(void)snprintf(revision, sizeof(revision), "%s", harness_text(o->data, "items[0].id"));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", twin));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", twin));
	assert_ok(say(h, admin, "PUT " BASE "/a", "{'data':{'body':[]}}"));
	assert_ok(say(h, admin, "POST " BASE "/a/publish", "{}"));
	assert_used(h, &shot, false);
	assert_ok(ask(h, admin, "POST /revisions/%s/restore", revision));
	assert_used(h, &shot, true);
}

static void
addresses_that_are_rewritten_count(void **state)
{
	struct harness *h = *state;
	struct shot shot = upload(h, 0);
	char id[27];

	activate(h);
	make(h, admin, id,
	    "{'data':{'body':[{'_type':'html','html':'<img src=\\\"https://old.example/a.png\\\">'}]}}");
	assert_used(h, &shot, false);
	assert_ok(say(h, admin, "POST /import/platform/rewrite-urls",
	    "{'urlMap':{'https://old.example/a.png':'%s'}}", shot.url));
	assert_used(h, &shot, true);
}

/* ---- the life of the index ---- */

static void
a_use_of_a_deleted_file_stays_until_the_item_changes(void **state)
{
	struct harness *h = *state;
	struct shot shot = upload(h, 0);
	struct outcome *o;
	char id[27];

	activate(h);
	make(h, admin, id, "{'slug':'a','data':{'title':'%s'}}", shot.url);
	assert_ok(ask(h, admin, "DELETE /media/%s", shot.id));
	harness_ok(o, harness_op(h, admin, "media_usage_verify", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
	harness_ok(o, repair(h, "posts"));
	assert_string_equal(places(h, shot.id), "columns title");
	assert_ok(say(h, admin, "PUT " BASE "/a", "{'data':{'title':'x'}}"));
	assert_string_equal(places(h, shot.id), "");
}

static void
what_an_index_of_before_lacks_is_found_by_its_job(void **state)
{
	struct harness *h = *state;
	struct shot shot = upload(h, 0);
	char id[27];

	activate(h);
	make(h, admin, id, "{'data':{'title':'%s'}}", shot.url);
	/* An older site, whose index did not contain URLs. */
	inside_sql(h, "DELETE FROM media_use", NULL);
	inside_sql(h, "DELETE FROM media_use_count", NULL);
	inside_sql(h, "DROP TABLE media_use_file", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'media-usage' AND version >= 3", NULL);
	*state = h = harness_again(h);
	assert_code(ask(h, admin, "DELETE /media/%s?ifUnused=1", shot.id), "CONFLICT");
	assert_code(ask(h, admin, "GET /media?unused=1"), "CONFLICT");
	while (inside_work(h, "media-usage"))
		;
	assert_string_equal(state_of(h, "posts"), "complete");
	assert_used(h, &shot, true);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(a_picture_that_markdown_places_is_used),
		used(a_picture_of_the_editor_is_markdown_and_comes_back_as_it_was),
		used(a_url_counts_wherever_it_stands),
		used(a_url_counts_however_it_is_encoded),
		used(other_names_and_other_paths_are_no_files),
		used(drafts_patches_copies_and_restored_revisions_count),
		used(addresses_that_are_rewritten_count),
		used(a_use_of_a_deleted_file_stays_until_the_item_changes),
		used(what_an_index_of_before_lacks_is_found_by_its_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
