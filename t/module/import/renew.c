/*
 * renew.c - an export is imported again: items are recognized by the ids of their source, and stay
 * or are updated, whatever their slug. Local changes are not overwritten.
 */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

#define SITE(url) "<wp:base_blog_url>" url "</wp:base_blog_url>"
#define HERE SITE("https://www.Old.example/")
#define QUIET "{\"importMedia\":false}"
#define UPDATE "{\"importMedia\":false,\"update\":true}"
#define POST(id, slug, title, more) \
	ITEM(id, "post", slug, "<title>" title "</title><wp:status>publish</wp:status>" more)
#define EXCERPT(text) "<excerpt:encoded>" text "</excerpt:encoded>"
#define SAID(id, parent, text)                                                               \
	"<wp:comment><wp:comment_id>" id "</wp:comment_id><wp:comment_author>Ann"            \
	"</wp:comment_author><wp:comment_date_gmt>2020-01-02 03:04:05</wp:comment_date_gmt>" \
	"<wp:comment_content>" text "</wp:comment_content><wp:comment_approved>1"            \
	"</wp:comment_approved><wp:comment_parent>" parent "</wp:comment_parent></wp:comment>"

static const char *
title_of(struct harness *h, const char *slug)
{
	static char title[100];
	char request[100];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /content/posts/%s", slug);
	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	(void)snprintf(title, sizeof(title), "%s", harness_text(o->data, "item.data.title"));
	return title;
}

static void
edit(struct harness *h, const char *slug, const char *body)
{
	char request[100];

	(void)snprintf(request, sizeof(request), "PUT /content/posts/%s", slug);
	assert_ok(harness_request(h, admin, request, NULL, body));
}

/* Checks the number of items with an outcome ("created", "updated", …) of a run. */
#define COUNTED(o, outcome, n) assert_int_equal(harness_int((o)->data, "result.items." outcome), n)

static void
an_item_is_known_under_another_slug(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, QUIET, HERE POST("1", "a", "One", ""));
	COUNTED(o, "created", 1);
	edit(h, "a", "{\"slug\":\"mine\",\"status\":\"published\"}");
	/* The same site by another scheme has the same ids. */
	o = importing_run(h, QUIET, SITE("http://old.example") POST("1", "a", "One", ""));
	COUNTED(o, "skipped", 1);
	COUNTED(o, "created", -1);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "1");
	/* Another site has ids of its own; a configured source name does, too. */
	o = importing_run(h, QUIET, SITE("https://old.example/blog") POST("1", "b", "Two", ""));
	COUNTED(o, "created", 1);
	o = importing_run(
	    h, "{\"importMedia\":false,\"source\":\"third\"}", HERE POST("1", "c", "Three", ""));
	COUNTED(o, "created", 1);
	o = importing_run(h, "{\"importMedia\":false,\"source\":\"third\"}",
	    SITE("https://new.example") POST("1", "d", "Four", ""));
	COUNTED(o, "skipped", 1);
}

/* The slug is that of an item that was imported before, but the id differs. */
static void
another_item_with_its_slug_is_another_one(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET, HERE POST("1", "a", "One", ""));
	o = importing_run(h, QUIET, HERE POST("2", "a", "Two", ""));
	COUNTED(o, "created", 1);
	assert_string_equal(title_of(h, "a"), "One");
	assert_string_equal(title_of(h, "a-2"), "Two");
	/* An item that was not imported matches by its slug. */
	assert_ok(harness_request(h, admin, "POST /content/posts", NULL,
	    "{\"slug\":\"own\",\"data\":{\"title\":\"Own\"}}"));
	o = importing_run(h, QUIET, HERE POST("3", "own", "Theirs", ""));
	COUNTED(o, "skipped", 1);
	o = importing_run(h, UPDATE, HERE POST("3", "own", "Theirs", ""));
	COUNTED(o, "conflict", 1);
	assert_string_equal(title_of(h, "own"), "Own");
}

static void
what_has_changed_there_is_changed_here(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET,
	    HERE POST("1", "a", "One", EXCERPT("Short") LABELLED("category", "c", "C"))
		POST("2", "b", "Two", "") POST("3", "c", "Three", ""));
	/* Without `update` nothing changes. */
	o = importing_run(h, QUIET, HERE POST("1", "a", "Uno", "") POST("2", "b", "Two", ""));
	COUNTED(o, "skipped", 2);
	assert_string_equal(title_of(h, "a"), "One");
	o = importing_run(h, UPDATE,
	    HERE POST("1", "a", "Uno", LABELLED("category", "d", "D")) POST(
		"2", "b", "Two", "<wp:post_modified_gmt>2024-01-01 00:00:00</wp:post_modified_gmt>")
		ITEM("3", "post", "c3", "<title>Three</title><wp:status>draft</wp:status>")
		    POST("4", "d", "Four", ""));
	COUNTED(o, "updated", 2);
	COUNTED(o, "unchanged", 1);
	COUNTED(o, "created", 1);
	assert_int_equal(harness_int(o->data, "result.byCollection.posts"), 1);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Uno");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_true(json_is_null(harness_at(o->data, "item.draftRevisionId")));
	assert_true(json_is_null(harness_at(o->data, "item.data.excerpt")) ||
		    harness_at(o->data, "item.data.excerpt") == NULL);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a/terms/category", NULL, NULL));
	assert_string_equal(harness_text(o->data, "terms[0].slug"), "d");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 1);
	harness_ok(o, harness_request(h, admin, "GET /content/posts/c3", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	/* A second update with equal data changes nothing. */
	o = importing_run(h, UPDATE,
	    HERE POST("1", "a", "Uno", LABELLED("category", "d", "D")) POST("4", "d", "Four", ""));
	COUNTED(o, "unchanged", 2);
	COUNTED(o, "updated", -1);
}

#define OWN(json) META("_stet", json)
#define LATER "2090-01-02T03:04:05.000Z"
#define DRAFT                                                                                     \
	"{\"draft\":{\"slug\":\"a-new\",\"fields\":{\"title\":\"New\"}},\"scheduledAt\":\"" LATER \
	"\"}"
#define FUTURE(at)             \
	ITEM("2", "post", "b", \
	    "<title>Two</title><wp:status>future</wp:status>" OWN("{\"scheduledAt\":\"" at "\"}"))

/* Returns a member of the item for a reader of drafts: values are those of the draft. */
static const json_t *
member(struct harness *h, const char *slug, const char *path)
{
	char request[100];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /content/posts/%s", slug);
	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	return harness_at(o->data, path);
}

static const char *
live_title(struct harness *h, const char *slug)
{
	static char title[100];
	char request[100];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /content/posts/%s", slug);
	harness_ok(o, harness_request(h, subscriber, request, NULL, NULL));
	(void)snprintf(title, sizeof(title), "%s", harness_text(o->data, "item.data.title"));
	return title;
}

/* Drafts and schedules from the source are the import's own, so updating them is no conflict. */
static void
drafts_and_schedules_follow_the_source(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET, HERE POST("1", "a", "One", OWN(DRAFT)) FUTURE(LATER));
	assert_string_equal(live_title(h, "a"), "One");
	assert_string_equal(title_of(h, "a"), "New");
	o = importing_run(h, UPDATE, HERE POST("1", "a", "One", OWN(DRAFT)) FUTURE(LATER));
	COUNTED(o, "unchanged", 2);
	/* Published values change; the draft stays as it is in the source. */
	o = importing_run(
	    h, UPDATE, HERE POST("1", "a", "Uno", OWN(DRAFT)) FUTURE("2091-01-01T00:00:00.000Z"));
	COUNTED(o, "updated", 2);
	assert_string_equal(live_title(h, "a"), "Uno");
	assert_string_equal(title_of(h, "a"), "New");
	assert_string_equal(json_string_value(member(h, "a", "item.scheduledAt")), LATER);
	assert_string_equal(
	    json_string_value(member(h, "b", "item.scheduledAt")), "2091-01-01T00:00:00.000Z");
	/* The scheduled item becomes a draft, and then is scheduled again. */
	o = importing_run(h, UPDATE,
	    HERE ITEM("2", "post", "b", "<title>Two</title><wp:status>draft</wp:status>"));
	COUNTED(o, "updated", 1);
	assert_string_equal(json_string_value(member(h, "b", "item.status")), "draft");
	assert_true(json_is_null(member(h, "b", "item.scheduledAt")));
	o = importing_run(h, UPDATE, HERE FUTURE(LATER));
	COUNTED(o, "updated", 1);
	/* In the source the draft was discarded, and the scheduled item was published. */
	o = importing_run(h, UPDATE, HERE POST("1", "a", "Due", "") POST("2", "b", "Two", ""));
	COUNTED(o, "updated", 2);
	assert_string_equal(live_title(h, "a"), "Due");
	assert_string_equal(title_of(h, "a"), "Due");
	assert_true(json_is_null(member(h, "a", "item.draftRevisionId")));
	assert_true(json_is_null(member(h, "a", "item.scheduledAt")));
	assert_string_equal(json_string_value(member(h, "b", "item.status")), "published");
	assert_true(json_is_null(member(h, "b", "item.scheduledAt")));
	/* An item without a draft gets one; a user's draft is not overwritten. */
	o = importing_run(h, UPDATE, HERE POST("1", "a", "Due", OWN(DRAFT)));
	COUNTED(o, "updated", 1);
	assert_string_equal(title_of(h, "a"), "New");
	edit(h, "a", "{\"data\":{\"title\":\"Mine\"}}");
	o = importing_run(h, UPDATE, HERE POST("1", "a", "Drei", ""));
	COUNTED(o, "conflict", 1);
	assert_string_equal(title_of(h, "a"), "Mine");
	assert_string_equal(live_title(h, "a"), "Due");
}

static void
what_was_changed_here_stays(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	(void)importing_run(h, QUIET,
	    HERE POST("1", "a", "One", "") POST("2", "b", "Two", "") POST("3", "c", "Three", "")
		POST("4", "d", "Four", ""));
	edit(h, "a", "{\"data\":{\"title\":\"Mine\"},\"status\":\"published\"}");
	edit(h, "d", "{\"data\":{\"title\":\"A draft\"}}");
	assert_ok(harness_request(h, admin, "DELETE /content/posts/b", NULL, NULL));
	assert_ok(harness_request(h, admin, "DELETE /content/posts/c", NULL, NULL));
	inside_sql(h, "DELETE FROM c_posts WHERE slug = ?1", "c");
	importing_create(h, UPDATE,
	    HERE POST("1", "a", "Uno", "") POST("2", "b", "Due", "") POST("3", "c", "Drei", "")
		POST("4", "d", "Quattro", ""),
	    id);
	o = importing_work(h, id, "done");
	COUNTED(o, "conflict", 2);
	COUNTED(o, "skipped", 2);
	assert_string_equal(title_of(h, "a"), "Mine");
	harness_ok(o, importing_at(h, "GET", id, "/items"));
	assert_string_equal(
	    harness_text(o->data, "items[0].reason"), "It was changed here, and in the source");
	assert_string_equal(harness_text(o->data, "items[1].reason"), "It is in the trash here");
	assert_string_equal(harness_text(o->data, "items[2].reason"), "It was deleted here");
	/* An item that is unchanged in the source is no conflict. */
	o = importing_run(h, UPDATE, HERE POST("1", "a", "One", ""));
	COUNTED(o, "unchanged", 1);
	/* An import without `update` creates the purged item again. */
	o = importing_run(h, QUIET, HERE POST("2", "b", "Two", "") POST("3", "c", "Three", ""));
	COUNTED(o, "created", 1);
	COUNTED(o, "skipped", 1);
	assert_string_equal(title_of(h, "c"), "Three");
}

/* The collection refuses a new value: the item stays unchanged, and the refusal is reported. */
static void
a_change_that_is_refused_changes_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	(void)importing_run(h, QUIET, HERE POST("1", "a", "One", "") POST("2", "b", "Two", ""));
	assert_ok(harness_op(h, admin, "schema_update_field",
	    "{\"collection\":\"posts\",\"fieldSlug\":\"title\",\"validation\":{\"maxLength\":10}}"));
	importing_create(
	    h, UPDATE, HERE POST("1", "a", "A title too long", "") POST("2", "b", "Due", ""), id);
	o = importing_work(h, id, "done");
	COUNTED(o, "failed", 1);
	COUNTED(o, "updated", 1);
	assert_string_equal(title_of(h, "a"), "One");
	assert_string_equal(title_of(h, "b"), "Due");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "2");
	harness_ok(o, importing_at(h, "GET", id, "/items?outcome=failed"));
	assert_non_null(strstr(harness_text(o->data, "items[0].reason"), "title"));
}

static void
comments_that_are_new_there_come(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET, HERE POST("1", "a", "One", SAID("5", "0", "First")));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "1");
	edit(h, "a", "{\"data\":{\"title\":\"Mine\"},\"status\":\"published\"}");
	o = importing_run(h, UPDATE,
	    HERE POST("1", "a", "One", SAID("5", "0", "First") SAID("6", "5", "Second")));
	COUNTED(o, "unchanged", 1);
	assert_int_equal(harness_int(o->data, "result.comments"), 1);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM comment WHERE parent_id IS NOT NULL"), "1");
	/* A comment that was deleted here is not created again. */
	inside_sql(h, "DELETE FROM comment WHERE body = ?1", "Second");
	o = importing_run(h, UPDATE,
	    HERE POST("1", "a", "One", SAID("5", "0", "First") SAID("6", "5", "Second")));
	assert_int_equal(harness_int(o->data, "result.comments"), 0);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM comment"), "1");
}

/* Comments that were imported before are not lost when their item changes. */
static void
comments_of_changed_items_are_not_lost(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET, HERE POST("1", "a", "One", SAID("5", "0", "First")));
	o = importing_run(h, UPDATE,
	    HERE POST("1", "a", "Two", SAID("5", "0", "First") SAID("6", "5", "Second")));
	COUNTED(o, "updated", 1);
	assert_int_equal(harness_int(o->data, "result.comments"), 1);
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
	o = importing_run(h, UPDATE,
	    HERE POST("1", "a", "Three", SAID("5", "0", "First") SAID("6", "5", "Second")));
	COUNTED(o, "updated", 1);
	assert_int_equal(harness_int(o->data, "result.lost"), 0);
}

/* A later export of a part of the site refers to items of an earlier import. */
static void
what_came_before_is_found(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET, HERE ITEM("1", "page", "top", "<title>Top</title>"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"pages\",\"slug\":\"parent\",\"label\":\"P\",\"type\":\"reference\","
	    "\"options\":{\"collection\":\"pages\"}}"));
	(void)importing_run(h, QUIET,
	    HERE ITEM(
		"2", "page", "below", "<title>Below</title><wp:post_parent>1</wp:post_parent>"));
	harness_ok(o, harness_request(h, admin, "GET /content/pages/below", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.data.parent"),
	    inside_ask(h, "SELECT id FROM c_pages WHERE slug = 'top'"));
}

/* The import rewrites URLs after it has created the items; that is no change by a user. */
static void
addresses_that_were_rewritten_are_no_change(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	const char *posts = HERE POST("1", "a", "One",
	    "<content:encoded><![CDATA[<p><a href=\"https://192.0.2.1/f.pdf\">F</a></p>]]>"
	    "</content:encoded>");

	(void)importing_run(h, QUIET, posts);
	assert_ok(harness_request(h, admin, "POST /import/platform/rewrite-urls", NULL,
	    "{\"urlMap\":{\"https://192.0.2.1/f.pdf\":\"/f.pdf\"}}"));
	assert_string_equal(inside_ask(h, "SELECT version FROM c_posts"), "2");
	o = importing_run(h, UPDATE, posts);
	COUNTED(o, "unchanged", 1);
	o = importing_run(h, UPDATE, HERE POST("1", "a", "Uno", ""));
	COUNTED(o, "updated", 1);
	assert_string_equal(title_of(h, "a"), "Uno");
}

#define BLOCK(slug, text)                                                               \
	ITEM("7", "wp_block", slug,                                                     \
	    "<title>Notice</title><wp:status>publish</wp:status><content:encoded>" text \
	    "</content:encoded>")

static const char *
said(struct harness *h, const char *request, const char *path)
{
	static char text[100];
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	(void)snprintf(text, sizeof(text), "%s", harness_text(o->data, path));
	return text;
}
#define SECTION "GET /sections/notice"
#define SECTION_TEXT "content[0].children[0].text"

/* A reusable block is recognized by its id, whatever its slug here. */
static void
sections_are_changed_unless_somebody_did(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET, HERE BLOCK("notice", "First"));
	assert_string_equal(said(h, SECTION, SECTION_TEXT), "First");
	harness_clock(h, "2026-06-02T12:00:00.000Z");
	(void)importing_run(h, QUIET, HERE BLOCK("renamed", "Second"));
	assert_string_equal(said(h, SECTION, SECTION_TEXT), "First");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM section"), "1");
	o = importing_run(h, UPDATE, HERE BLOCK("renamed", "Second"));
	COUNTED(o, "updated", 1);
	assert_string_equal(said(h, SECTION, SECTION_TEXT), "Second");
	o = importing_run(h, UPDATE, HERE BLOCK("renamed", "Second"));
	COUNTED(o, "unchanged", 1);
	harness_clock(h, "2026-06-03T12:00:00.000Z");
	assert_ok(harness_request(h, admin, "PUT /sections/notice", NULL, "{\"title\":\"Mine\"}"));
	o = importing_run(h, UPDATE, HERE BLOCK("renamed", "Third"));
	COUNTED(o, "conflict", 1);
	assert_string_equal(said(h, SECTION, SECTION_TEXT), "Second");
	assert_ok(harness_request(h, admin, "DELETE /sections/notice", NULL, NULL));
	o = importing_run(h, UPDATE, HERE BLOCK("renamed", "Fourth"));
	COUNTED(o, "skipped", 1);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM section"), "0");
	o = importing_run(h, QUIET, HERE BLOCK("renamed", "Fourth"));
	COUNTED(o, "created", 1);
}

#define MENU "GET /menus/main"

static void
menus_are_changed_unless_somebody_did(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	o = importing_run(h, QUIET, HERE LINK("5", "1", "0", "custom", "", "/a", "One"));
	assert_int_equal(harness_int(o->data, "result.menus.created"), 1);
	harness_clock(h, "2026-06-04T12:00:00.000Z");
	(void)importing_run(h, QUIET, HERE LINK("5", "1", "0", "custom", "", "/b", "Uno"));
	assert_string_equal(said(h, MENU, "items[0].label"), "One");
	o = importing_run(h, UPDATE,
	    HERE LINK("5", "1", "0", "custom", "", "/b", "Uno")
		LINK("6", "2", "0", "custom", "", "/c", "Due"));
	assert_int_equal(harness_int(o->data, "result.menus.updated"), 1);
	assert_int_equal(harness_int(o->data, "result.menus.items"), 2);
	assert_string_equal(said(h, MENU, "items[0].label"), "Uno");
	assert_string_equal(said(h, MENU, "items[1].label"), "Due");
	o = importing_run(h, UPDATE,
	    HERE LINK("5", "1", "0", "custom", "", "/b", "Uno")
		LINK("6", "2", "0", "custom", "", "/c", "Due"));
	assert_int_equal(harness_int(o->data, "result.menus.updated"), 0);
	harness_clock(h, "2026-06-05T12:00:00.000Z");
	assert_ok(harness_request(h, admin, "PUT /menus/main", NULL, "{\"label\":\"Mine\"}"));
	o = importing_run(h, UPDATE, HERE LINK("5", "1", "0", "custom", "", "/b", "Quattro"));
	assert_int_equal(harness_int(o->data, "result.menus.updated"), 0);
	assert_string_equal(said(h, MENU, "items[0].label"), "Uno");
	assert_ok(harness_request(h, admin, "DELETE /menus/main", NULL, NULL));
	o = importing_run(h, UPDATE, HERE LINK("5", "1", "0", "custom", "", "/b", "Quattro"));
	assert_int_equal(harness_int(o->data, "result.menus.created"), 0);
	o = importing_run(h, QUIET, HERE LINK("5", "1", "0", "custom", "", "/b", "Quattro"));
	assert_int_equal(harness_int(o->data, "result.menus.created"), 1);
}

/* An item that its schedule has published is as the import has made it. An editor's change is not.
 */
static void
its_schedule_is_no_editor(void **state)
{
#define SCHEDULED(id, slug, title)                                  \
	ITEM(id, "post", slug,                                      \
	    "<title>" title "</title><wp:status>future</wp:status>" \
	    "<wp:post_date_gmt>2090-01-02 03:04:05</wp:post_date_gmt>")
	struct harness *h = *state;
	struct outcome *o;

	(void)importing_run(h, QUIET, HERE SCHEDULED("1", "a", "One") SCHEDULED("2", "b", "Two"));
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.scheduledAt"), "2090-01-02T03:04:05.000Z");
	inside_sql(h, "UPDATE c_posts SET scheduled_at = ?1", "2020-01-01T00:00:00.000Z");
	inside_run_job(h, "content");
	harness_ok(o, harness_request(h, admin, "GET /content/posts/a", NULL, NULL));
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	edit(h, "b", "{\"data\":{\"title\":\"Mine\"},\"status\":\"published\"}");
	o = importing_run(h, UPDATE, HERE POST("1", "a", "Uno", "") POST("2", "b", "Due", ""));
	COUNTED(o, "updated", 1);
	COUNTED(o, "conflict", 1);
	assert_string_equal(title_of(h, "a"), "Uno");
	assert_string_equal(title_of(h, "b"), "Mine");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, importing_begin, importing_end)
	const struct CMUnitTest tests[] = {
		TEST(an_item_is_known_under_another_slug),
		TEST(its_schedule_is_no_editor),
		TEST(another_item_with_its_slug_is_another_one),
		TEST(what_has_changed_there_is_changed_here),
		TEST(drafts_and_schedules_follow_the_source),
		TEST(what_was_changed_here_stays),
		TEST(a_change_that_is_refused_changes_nothing),
		TEST(comments_that_are_new_there_come),
		TEST(comments_of_changed_items_are_not_lost),
		TEST(what_came_before_is_found),
		TEST(addresses_that_were_rewritten_are_no_change),
		TEST(sections_are_changed_unless_somebody_did),
		TEST(menus_are_changed_unless_somebody_did),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
