/* staged.t - lookup of items by the slug that a draft stages: who may use it, and for how long. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The slug in the path, in the query beside another id, and each with a locale. */
static const char *const forms[] = { "%s", "x?slug=%s", "%s?locale=en", "x?slug=%s&locale=EN" };

static struct outcome *
look(struct harness *h, const struct harness_user *user, size_t form, const char *slug)
{
	char query[128], before[64];
	const char *at = strstr(forms[form], "%s");

	snprintf(before, sizeof(before), "%.*s", (int)(at - forms[form]), forms[form]);
	snprintf(query, sizeof(query), "%s%s%s", before, slug, at + 2);
	return ask(h, user, "GET " BASE "/%s", query);
}

static void
assert_finds(struct harness *h, const struct harness_user *user, const char *slug, const char *id)
{
	struct outcome *o;

	for (size_t i = 0; i < COUNT(forms); i++) {
		harness_ok(o, look(h, user, i, slug));
		assert_string_equal(harness_text(o->data, "item.id"), id);
	}
	harness_ok(o, harness_op(h, user, "content_get",
			  "{\"collection\":\"posts\",\"id\":\"x\",\"slug\":\"%s\"}", slug));
	assert_string_equal(harness_text(o->data, "item.id"), id);
}

/* Fails unless the response equals that to an unknown slug, except for the name. */
static void
assert_hidden(struct harness *h, const struct harness_user *user, const char *slug)
{
	char unknown[64], text[1024];

	assert_true(strlen(slug) < sizeof(unknown));
	memset(unknown, 'z', strlen(slug));
	unknown[strlen(slug)] = '\0';
	for (size_t i = 0; i < COUNT(forms); i++) {
		struct outcome *o = look(h, user, i, unknown);
		unsigned http = (unsigned)o->http;
		bool tag = o->etag != NULL;
		char *named;

		if (user != nobody)
			assert_code(o, "NOT_FOUND");
		snprintf(text, sizeof(text), "%s", o->text);
		while ((named = strstr(text, unknown)) != NULL)
			memcpy(named, slug, strlen(slug));
		o = look(h, user, i, slug);
		assert_int_equal(o->http, http);
		assert_string_equal(o->text, text);
		assert_int_equal(o->etag != NULL, tag);
	}
}

static void
assert_gone(struct harness *h, const char *slug)
{
	assert_hidden(h, editor, slug);
	assert_hidden(h, author, slug);
	assert_hidden(h, subscriber, slug);
	assert_hidden(h, nobody, slug);
}

static void
stage(struct harness *h, const char *id, const char *slug)
{
	char request[64];

	snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, editor, request, "{'slug':'%s'}", slug));
}

static void
act(struct harness *h, const char *id, const char *action)
{
	assert_ok(ask(h, editor, "POST " BASE "/%s/%s", id, action));
}

/* Creates a published post with this slug and locale, and a draft with another slug. */
static void
make_staged(
    struct harness *h, const char *slug, const char *locale, const char *staged, char id[27])
{
	make(h, author, id, "{'slug':'%s','locale':'%s','status':'published','data':{}}", slug,
	    locale);
	stage(h, id, staged);
}

/* ---- tests ---- */

static void
who_may_read_the_draft_finds_it_by_its_slug(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make_staged(h, "old", "en", "new", id);
	assert_finds(h, editor, "new", id);
	assert_finds(h, author, "new", id);
	assert_finds(h, contributor, "new", id); /* may read the draft by its id, too */
	harness_ok(o, ask(h, author, "GET " BASE "/new"));
	assert_string_equal(harness_text(o->data, "item.slug"), "new");
	assert_string_equal(harness_text(o->data, "item.liveSlug"), "old");
	/* Other callers do not find it. */
	assert_hidden(h, subscriber, "new");
	assert_hidden(h, nobody, "new");
	assert_finds(h, subscriber, "old", id);
	assert_finds(h, editor, "old", id);
	/* Only reads find the item by the staged slug. */
	assert_code(say(h, editor, "PUT " BASE "/new", "{'data':{}}"), "NOT_FOUND");
	assert_code(ask(h, editor, "DELETE " BASE "/new"), "NOT_FOUND");
	assert_code(ask(h, editor, "GET /content/pages/new"), "NOT_FOUND");
}

static void
a_staged_slug_lasts_as_long_as_its_draft(void **state)
{
	struct harness *h = *state;
	char id[27];

	make_staged(h, "old", "en", "new", id);
	stage(h, id, "newer");
	assert_gone(h, "new");
	assert_finds(h, author, "newer", id);
	act(h, id, "discard-draft");
	assert_gone(h, "newer");
	stage(h, id, "last");
	act(h, id, "publish");
	assert_string_equal(
	    harness_text(ask(h, subscriber, "GET " BASE "/old")->details, "moved.slug"), "last");
	assert_finds(h, subscriber, "last", id);
	stage(h, id, "first");
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
	assert_gone(h, "first");
	assert_gone(h, "last");
	act(h, id, "restore");
	assert_finds(h, editor, "first", id);
	assert_hidden(h, subscriber, "first");
	/* A collection without revisions has no drafts. */
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':[]}"));
	assert_gone(h, "first");
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['revisions']}"));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", id));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
	assert_gone(h, "first");
}

static void
a_slug_that_an_item_has_comes_before_a_staged_one(void **state)
{
	struct harness *h = *state;
	char id[27], live[27], draft[27];

	make_staged(h, "old", "en", "live", id);
	assert_finds(h, author, "live", id);
	make(h, author, live, "{'slug':'live','status':'published','data':{}}");
	assert_finds(h, author, "live", live);
	assert_finds(h, subscriber, "live", live);
	stage(h, id, "draft");
	make(h, author, draft, "{'slug':'draft','data':{}}");
	assert_finds(h, editor, "draft", draft);
	assert_hidden(h, subscriber, "draft");
}

static void
of_several_drafts_the_oldest_item_is_found(void **state)
{
	struct harness *h = *state;
	char a[27], b[27];

	make_staged(h, "a", "en", "same", a);
	at(h, 5);
	make_staged(h, "b", "en", "same", b);
	assert_finds(h, editor, "same", a);
	at(h, 9);
	stage(h, a, "same"); /* the item's draft is now the newest */
	assert_finds(h, editor, "same", a);
	act(h, b, "publish");
	assert_finds(h, editor, "same", b);
	assert_finds(h, subscriber, "same", b);
}

static void
a_staged_slug_goes_by_locale_as_others_do(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char fr[27], de[27], live[27];

	make_staged(h, "a", "fr", "same", fr);
	make_staged(h, "b", "de", "same", de);
	harness_ok(o, ask(h, editor, "GET " BASE "/same"));
	assert_string_equal(harness_text(o->data, "item.id"), de);
	harness_ok(o, ask(h, editor, "GET " BASE "/same?locale=FR"));
	assert_string_equal(harness_text(o->data, "item.id"), fr);
	assert_code(ask(h, editor, "GET " BASE "/same?locale=en"), "NOT_FOUND");
	/* With a locale, items of other locales do not hide it; without one, a published item is
	 * found first. */
	make(h, author, live, "{'slug':'same','locale':'it','status':'published','data':{}}");
	harness_ok(o, ask(h, editor, "GET " BASE "/same"));
	assert_string_equal(harness_text(o->data, "item.id"), live);
	harness_ok(o, ask(h, editor, "GET " BASE "/same?locale=de"));
	assert_string_equal(harness_text(o->data, "item.id"), de);
	assert_code(ask(h, subscriber, "GET " BASE "/same?locale=de"), "NOT_FOUND");
}

static void
a_preview_finds_its_item_by_the_staged_slug(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], other[27], token[1024];

	make_staged(h, "old", "en", "new", id);
	make_staged(h, "other", "en", "new-too", other);
	harness_ok(o, ask(h, author, "POST " BASE "/%s/preview-url", id));
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	harness_ok(o, ask(h, nobody, "GET " BASE "/new?_preview=%s", token));
	assert_string_equal(harness_text(o->data, "item.slug"), "new");
	assert_ok(ask(h, nobody, "GET " BASE "/old?locale=en&_preview=%s", token));
	assert_code(ask(h, nobody, "GET " BASE "/new?locale=fr&_preview=%s", token), "NOT_FOUND");
	assert_code(ask(h, nobody, "GET " BASE "/new-too?_preview=%s", token), "NOT_FOUND");
}

/* The preview URL is that of the sitemap, feeds and menus. */
static void
a_preview_link_leads_to_the_address_of_the_item(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'hello','data':{'title':'A'}}");
	assert_ok(say(h, admin, "POST /settings", "{'url':'https://www.example.org/'}"));
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'/blog/{slug}'}"));
	harness_ok(o, ask(h, author, "POST " BASE "/%s/preview-url", id));
	assert_non_null(
	    strstr(harness_text(o->data, "url"), "https://www.example.org/blog/hello?_preview="));
	harness_ok(
	    o, say(h, author, "POST " BASE "/hello/preview-url", "{'pathPattern':'/x/{id}'}"));
	assert_non_null(strstr(harness_text(o->data, "url"), "https://www.example.org/x/01"));
	/* The URL pattern needs a value that the item lacks. */
	assert_ok(
	    say(h, admin, "PUT /schema/collections/posts", "{'urlPattern':'/{unknown}/{slug}'}"));
	harness_ok(o, ask(h, author, "POST " BASE "/%s/preview-url", id));
	assert_non_null(strstr(harness_text(o->data, "url"), "https://www.example.org/posts/01"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(who_may_read_the_draft_finds_it_by_its_slug),
		check(a_staged_slug_lasts_as_long_as_its_draft),
		check(a_slug_that_an_item_has_comes_before_a_staged_one),
		check(of_several_drafts_the_oldest_item_is_found),
		check(a_staged_slug_goes_by_locale_as_others_do),
		check(a_preview_finds_its_item_by_the_staged_slug),
		check(a_preview_link_leads_to_the_address_of_the_item),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
