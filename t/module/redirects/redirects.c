/* redirects.t - what is answered of old slugs, and to whom. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a published post with this slug. */
static void
publish(struct harness *h, char id[27], const char *slug)
{
	make(h, editor, id, "{'slug':'%s','status':'published','data':{'title':'T'}}", slug);
}

/* Gives an item a slug that is public at once. */
static void
rename_to(struct harness *h, const char *id, const char *slug)
{
	char path[64];

	snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, path, "{'slug':'%s','status':'published'}", slug));
}

static struct outcome *
look(struct harness *h, const struct harness_user *user, const char *slug)
{
	return ask(h, user, "GET " BASE "/%s", slug);
}

static void
assert_moved(struct outcome *o, const char *id, const char *slug)
{
	assert_code(o, "NOT_FOUND");
	assert_int_equal(o->http, 404);
	assert_string_equal(harness_text(o->details, "moved.id"), id);
	assert_string_equal(harness_text(o->details, "moved.slug"), slug);
	assert_string_equal(harness_text(o->details, "moved.collection"), "posts");
}

static void
assert_nowhere(struct outcome *o)
{
	assert_code(o, "NOT_FOUND");
	assert_null(harness_at(o->details, "moved"));
}

static void
an_old_slug_names_the_new_one(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	publish(h, id, "first");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'/b/{slug}'}"));
	rename_to(h, id, "second");
	o = look(h, subscriber, "first");
	assert_moved(o, id, "second");
	assert_string_equal(harness_text(o->details, "moved.url"), "/b/second");
	assert_non_null(strstr(o->message, "second"));
	assert_moved(ask(h, subscriber, "GET " BASE "/x?slug=first"), id, "second");
	assert_moved(ask(h, subscriber, "GET " BASE "/first?locale=en"), id, "second");
	assert_nowhere(ask(h, subscriber, "GET " BASE "/first?locale=de"));
	rename_to(h, id, "third");
	assert_moved(look(h, subscriber, "first"), id, "third");
	assert_moved(look(h, subscriber, "second"), id, "third");
	/* Tools and writes tell it, too, and write nothing. */
	o = harness_op(h, editor, "content_get", "{\"collection\":\"posts\",\"id\":\"first\"}");
	assert_moved(o, id, "third");
	assert_moved(say(h, editor, "PUT " BASE "/first", "{'data':{'title':'X'}}"), id, "third");
}

/* The slug of a draft is nobody's business, and neither is one that a draft stages. */
static void
slugs_of_drafts_do_not_leak(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], path[64];

	publish(h, id, "open");
	rename_to(h, id, "moved");
	snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, path, "{'slug':'secret'}"));
	assert_moved(look(h, subscriber, "open"), id, "moved");
	assert_ok(ask(h, editor, "POST " BASE "/%s/unpublish", id));
	assert_nowhere(look(h, subscriber, "open"));
	assert_nowhere(look(h, subscriber, "moved"));
	assert_moved(look(h, editor, "open"), id, "moved");
	assert_code(ask(h, subscriber, "GET " BASE "/%s/redirects", id), "NOT_FOUND");
	harness_ok(o, ask(h, subscriber, "GET /redirects/posts"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 0);
	/* A draft at the old address does not show itself either. */
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", id));
	make(h, editor, path, "{'slug':'open','data':{'title':'D'}}");
	assert_moved(look(h, subscriber, "open"), id, "secret");
	assert_moved(ask(h, subscriber, "GET " BASE "/open?locale=en"), id, "secret");
	assert_ok(look(h, editor, "open"));
}

static void
a_release_and_a_schedule_move_items(void **state)
{
	struct harness *h = *state;
	char id[27], path[80], release[27];
	struct outcome *o;

	publish(h, id, "one");
	snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, path, "{'slug':'two'}"));
	harness_ok(
	    o, say(h, editor, "POST /releases",
		   "{'name':'R','add':[{'type':'item','collection':'posts','item':'%s'}]}", id));
	snprintf(release, sizeof(release), "%s", harness_text(o->data, "release.id"));
	assert_nowhere(look(h, subscriber, "two"));
	assert_ok(ask(h, editor, "POST /releases/%s/publish", release));
	assert_moved(look(h, subscriber, "one"), id, "two");

	snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, path, "{'slug':'three'}"));
	inside_user(h, editor);
	snprintf(path, sizeof(path), "POST " BASE "/%s/schedule", id);
	assert_ok(say(h, editor, path, "{'scheduledAt':'2026-06-01T13:00:00Z'}"));
	at(h, 2 * 3600 * 1000);
	inside_run_job(h, "content");
	assert_moved(look(h, subscriber, "two"), id, "three");
}

static void
an_item_has_twenty_old_slugs(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], slug[16];

	publish(h, id, "n0");
	for (int i = 1; i <= 30; i++) {
		at(h, i * 1000);
		snprintf(slug, sizeof(slug), "n%d", i);
		rename_to(h, id, slug);
	}
	harness_ok(o, ask(h, editor, "GET " BASE "/%s/redirects", id));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 20);
	assert_string_equal(harness_text(o->data, "items[0].slug"), "n29");
	assert_string_equal(harness_text(o->data, "items[19].slug"), "n10");
	assert_moved(look(h, subscriber, "n10"), id, "n30");
	assert_nowhere(look(h, subscriber, "n9"));
	/* Two of the same millisecond. */
	rename_to(h, id, "m0");
	rename_to(h, id, "m1");
	harness_ok(o, ask(h, editor, "GET " BASE "/%s/redirects", id));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 20);
}

static void
an_old_slug_can_be_forgotten(void **state)
{
	struct harness *h = *state;
	char id[27];

	publish(h, id, "a");
	rename_to(h, id, "b");
	assert_code(ask(h, contributor, "DELETE " BASE "/%s/redirects/a", id), "FORBIDDEN");
	assert_code(ask(h, author, "DELETE " BASE "/%s/redirects/a", id), "FORBIDDEN");
	assert_code(ask(h, editor, "DELETE " BASE "/%s/redirects/b", id), "NOT_FOUND");
	assert_ok(ask(h, editor, "DELETE " BASE "/%s/redirects/a?locale=en", id));
	assert_nowhere(look(h, subscriber, "a"));
}

/* Two collections may have an item with the same slug; those of one end with it. */
static void
collections_are_apart(void **state)
{
	struct harness *h = *state;
	char id[27];

	publish(h, id, "a");
	rename_to(h, id, "b");
	assert_nowhere(ask(h, subscriber, "GET /content/pages/a"));
	assert_ok(ask(h, admin, "DELETE /schema/collections/posts?force=true"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM redirect"), "0");
}

static void
nothing_leads_on_while_the_module_is_off(void **state)
{
	struct harness *h = *state;
	char id[27];

	publish(h, id, "a");
	rename_to(h, id, "b");
	inside_enable(h, "redirects", false);
	assert_nowhere(look(h, subscriber, "a"));
	rename_to(h, id, "c");
	inside_enable(h, "redirects", true);
	assert_moved(look(h, subscriber, "a"), id, "c");
	assert_nowhere(look(h, subscriber, "b"));
}

/* Pages of one list, whose cursor works. */
static void
site_builders_get_pages(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], slug[32], cursor[2100] = "";
	int count = 0;

	publish(h, id, "p0");
	for (int i = 1; i <= 7; i++) {
		snprintf(slug, sizeof(slug), "p%d", i);
		rename_to(h, id, slug);
	}
	do {
		harness_ok(o, ask(h, subscriber, "GET /redirects/posts?limit=3%s%s",
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		for (size_t i = 0; i < json_array_size(json_object_get(o->data, "items")); i++) {
			json_t *row = json_array_get(json_object_get(o->data, "items"), i);

			snprintf(slug, sizeof(slug), "/posts/p%d", count++);
			assert_string_equal(harness_text(row, "from"), slug);
			assert_string_equal(harness_text(row, "slug"), slug + 7);
			assert_string_equal(harness_text(row, "locale"), "en");
			assert_string_equal(harness_text(row, "id"), id);
		}
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	assert_int_equal(count, 7);
}

/* ---- rules ---- */

static void
assert_rules(struct harness *h, const char *query, const char *rules)
{
	struct outcome *o = ask(h, subscriber, "GET /redirects%s", query);

	assert_int_equal(o->http, 200);
	assert_string_equal(o->text, rules);
}

static void
rules_for_web_servers(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], page[27], json[300];

	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'/{slug}'}"));
	assert_ok(say(h, admin, "PUT /schema/collections/pages", "{'urlPattern':'/{slug}'}"));
	publish(h, id, "a");
	rename_to(h, id, "b");
	snprintf(json, sizeof(json),
	    "[\n{\"from\":\"/a\",\"to\":\"/b\",\"status\":301,\"collection\":\"posts\",\"id\":\"%s\"}"
	    "\n]\n",
	    id);
	assert_rules(h, "", json);
	assert_rules(h, "?format=nginx", "\"/a\" \"/b\";\n");
	assert_rules(h, "?format=netlify&collection=posts", "/a /b 301\n");
	assert_rules(h, "?format=netlify&collection=pages", "");
	assert_code(ask(h, subscriber, "GET /redirects?collection=none"), "COLLECTION_NOT_FOUND");
	assert_code(ask(h, subscriber, "GET /redirects?format=apache"), "VALIDATION_ERROR");
	assert_code(ask(h, nobody, "GET /redirects"), "UNAUTHORIZED");
	/* A page of another collection is at that address now. */
	harness_ok(o, say(h, editor, "POST /content/pages",
			  "{'slug':'a','status':'published','data':{'name':'P'}}"));
	snprintf(page, sizeof(page), "%s", harness_text(o->data, "item.id"));
	assert_rules(h, "?format=nginx&collection=posts", "");
	assert_ok(ask(h, editor, "DELETE /content/pages/%s", page));
	assert_rules(h, "?format=nginx", "\"/a\" \"/b\";\n");
	/* A value of nginx with $ is a variable. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'/$x/{slug}'}"));
	assert_rules(h, "?format=nginx", "");
	assert_rules(h, "?format=netlify", "/$x/a /$x/b 301\n");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'routable':false}"));
	assert_rules(h, "?format=netlify", "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(an_old_slug_names_the_new_one),
		check(slugs_of_drafts_do_not_leak),
		check(a_release_and_a_schedule_move_items),
		check(an_item_has_twenty_old_slugs),
		check(an_old_slug_can_be_forgotten),
		check(collections_are_apart),
		check(nothing_leads_on_while_the_module_is_off),
		check(site_builders_get_pages),
		check(rules_for_web_servers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
