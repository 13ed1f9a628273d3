/* linked.t - editing a published item stages bylines, terms and SEO together with its values. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char ann[27], bo[27], id[27];

static void
byline(struct harness *h, char out[27], const char *name)
{
	struct outcome *o;

	harness_ok(o, say(h, editor, "POST /bylines", "{'displayName':'%s'}", name));
	snprintf(out, 27, "%s", harness_text(o->data, "id"));
}

static struct outcome *
on(struct harness *h, const struct harness_user *user, const char *method, const char *rest,
    const char *body)
{
	char request[128];

	snprintf(request, sizeof(request), "%s " BASE "/%s%s", method, id, rest);
	return say(h, user, request, "%s", body);
}

/* Creates a published post by Ann with the tag a and an SEO title. Also creates Bo and the tag
 * b. */
static int
begin(void **state)
{
	struct harness *h;

	posts_begin_seo(state);
	h = *state;
	byline(h, ann, "Ann");
	byline(h, bo, "Bo");
	assert_ok(say(h, editor, "POST /taxonomies/tag/terms", "{'label':'a'}"));
	assert_ok(say(h, editor, "POST /taxonomies/tag/terms", "{'label':'b'}"));
	assert_ok(say(h, editor, "POST /taxonomies/category/terms", "{'label':'c'}"));
	make(h, editor, id,
	    "{'slug':'one','status':'published','data':{'title':'One'},'seo':{'title':'S1'},"
	    "'bylines':[{'bylineId':'%s','roleLabel':'Words'}],"
	    "'taxonomies':{'tag':['a'],'category':['c']}}",
	    ann);
	return 0;
}

#define EDIT                                                                              \
	"'data':{'title':'Two'},'slug':'two','seo':{'title':'S2'},'bylines':[{'bylineId'" \
	":'%s'}],'taxonomies':{'tag':['b']}"

/* Edits values, bylines, terms and SEO at once. */
static void
stage(struct harness *h)
{
	char body[512];

	snprintf(body, sizeof(body), "{" EDIT "}", bo);
	assert_ok(on(h, editor, "PUT", "", body));
}

/* Returns the slugs of the tags in an array of the response: "a b". Static buffer. */
static const char *
tags(struct outcome *o, const char *member)
{
	static char text[256];
	json_t *t;
	size_t i;

	assert_ok(o);
	*text = '\0';
	json_array_foreach(harness_at(o->data, member), i, t)
	{
		const char *slug =
		    json_is_string(t) ? json_string_value(t) : harness_text(t, "slug");

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
		    *text != '\0' ? " " : "", slug);
	}
	return text;
}

static int64_t
tagged(struct harness *h, const char *slug)
{
	struct outcome *o;

	harness_ok(o, ask(h, subscriber, "GET /taxonomies/tag/terms/%s", slug));
	return harness_int(o->data, "term.count");
}

static size_t
listed(struct harness *h, const char *query)
{
	struct outcome *o;

	harness_ok(o, ask(h, subscriber, "GET " BASE "?%s", query));
	return json_array_size(harness_at(o->data, "items"));
}

/* Checks every public response: it shows version 1 or 2. */
static void
assert_live(struct harness *h, int n)
{
	const char *who = n == 1 ? ann : bo, *tag = n == 1 ? "a" : "b";
	struct outcome *o;
	char query[64], path[64];

	harness_ok(o, on(h, subscriber, "GET", "?include=terms,bylines", "{}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), n == 1 ? "One" : "Two");
	assert_string_equal(harness_text(o->data, "item.slug"), n == 1 ? "one" : "two");
	assert_string_equal(harness_text(o->data, "item.seo.title"), n == 1 ? "S1" : "S2");
	assert_string_equal(harness_text(o->data, "item.bylines[0].byline.id"), who);
	assert_string_equal(harness_text(o->data, "item.primaryBylineId"), who);
	assert_null(harness_at(o->data, "item.liveBylines"));
	assert_null(harness_at(o->data, "item.liveSeo"));
	assert_int_equal(json_object_size(harness_at(o->data, "included.bylines")), 1);
	snprintf(path, sizeof(path), "included.bylines.%s", who);
	assert_non_null(harness_at(o->data, path));
	assert_int_equal(json_object_size(harness_at(o->data, "included.terms")), 2);
	o = on(h, subscriber, "GET", "/terms/tag", "{}");
	assert_string_equal(tags(o, "terms"), tag);
	assert_null(harness_at(o->data, "liveTerms"));
	assert_string_equal(tags(on(h, subscriber, "GET", "/terms/category", "{}"), "terms"), "c");
	assert_int_equal(tagged(h, "a"), n == 1);
	assert_int_equal(tagged(h, "b"), n == 2);
	snprintf(query, sizeof(query), "terms=tag:%s&bylines=%s", tag, who);
	assert_int_equal(listed(h, query), 1);
	assert_int_equal(listed(h, n == 1 ? "terms=tag:b" : "terms=tag:a"), 0);
}

/* Checks that an editor sees the draft, and the published version beside it. */
static void
assert_staged(struct harness *h)
{
	struct outcome *o;
	char path[64];

	harness_ok(o, on(h, editor, "GET", "?include=terms,bylines", "{}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Two");
	assert_string_equal(harness_text(o->data, "item.bylines[0].byline.displayName"), "Bo");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo");
	assert_string_equal(harness_text(o->data, "item.primaryBylineId"), bo);
	assert_string_equal(harness_text(o->data, "item.liveBylines[0].byline.displayName"), "Ann");
	assert_string_equal(harness_text(o->data, "item.liveBylines[0].roleLabel"), "Words");
	assert_string_equal(harness_text(o->data, "item.seo.title"), "S2");
	assert_string_equal(harness_text(o->data, "item.liveSeo.title"), "S1");
	snprintf(path, sizeof(path), "included.bylines.%s", bo);
	assert_non_null(harness_at(o->data, path));
	assert_int_equal(json_object_size(harness_at(o->data, "included.terms")), 2);
	snprintf(path, sizeof(path), "included.links.%s.terms.tag[0]", id);
	snprintf(path, sizeof(path), "included.terms.%s.slug", harness_text(o->data, path));
	assert_string_equal(harness_text(o->data, path), "b");
	o = on(h, editor, "GET", "/terms/tag", "{}");
	assert_string_equal(tags(o, "terms"), "b");
	assert_string_equal(tags(o, "liveTerms"), "a");
	o = on(h, editor, "GET", "/terms/category", "{}");
	assert_string_equal(tags(o, "terms"), "c");
	assert_null(harness_at(o->data, "liveTerms"));
}

/* ---- tests ---- */

static void
an_edit_is_staged_whole_until_it_is_published(void **state)
{
	struct harness *h = *state;

	assert_live(h, 1);
	stage(h);
	assert_live(h, 1);
	assert_staged(h);
	/* Another edit of the draft keeps the staged bylines and terms. */
	assert_ok(on(h, editor, "PUT", "", "{'data':{'year':7}}"));
	assert_live(h, 1);
	assert_staged(h);
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	assert_live(h, 2);
}

static void
the_tool_stages_as_the_route_does(void **state)
{
	struct harness *h = *state;
	char input[640], rev[128];
	struct outcome *o;

	harness_ok(o, on(h, editor, "GET", "", "{}"));
	snprintf(input, sizeof(input), "{'collection':'posts','id':'%s','_rev':'%s'," EDIT "}", id,
	    harness_text(o->data, "_rev"), bo);
	harness_ok(o, harness_op(h, editor, "content_update", "%s", double_quotes(input)));
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo");
	assert_string_equal(harness_text(o->data, "item.liveBylines[0].byline.displayName"), "Ann");
	snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	assert_live(h, 1);
	assert_staged(h);
	snprintf(input, sizeof(input), "{'collection':'posts','id':'%s','_rev':'%s'}", id, rev);
	assert_ok(harness_op(h, editor, "content_publish", "%s", double_quotes(input)));
	assert_live(h, 2);
}

static void
a_discarded_draft_takes_all_with_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	stage(h);
	harness_ok(o, on(h, editor, "POST", "/discard-draft", "{}"));
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann");
	assert_live(h, 1);
	assert_string_equal(tags(on(h, editor, "GET", "/terms/tag", "{}"), "terms"), "a");
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	assert_live(h, 1);
}

static void
status_published_makes_all_of_it_public(void **state)
{
	struct harness *h = *state;
	char body[512];

	snprintf(body, sizeof(body), "{'status':'published'," EDIT "}", bo);
	assert_ok(on(h, editor, "PUT", "", body));
	assert_live(h, 2);
}

static void
a_schedule_publishes_all_of_it(void **state)
{
	struct harness *h = *state;

	stage(h);
	assert_ok(on(h, editor, "POST", "/schedule", "{'scheduledAt':'2026-06-01T12:30:00Z'}"));
	assert_live(h, 1);
	at(h, 30 * 60 * 1000);
	inside_sweep(h);
	assert_live(h, 2);
}

static void
members_that_are_equal_make_no_draft(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char body[256], *sent;
	json_t *item;

	snprintf(body, sizeof(body),
	    "{'bylines':[{'bylineId':'%s','roleLabel':'Words'}],'taxonomies':{'tag':['a']}}", ann);
	harness_ok(o, on(h, editor, "PUT", "", body));
	assert_int_equal(harness_int(o->data, "item.version"), 1);
	assert_true(json_is_null(harness_at(o->data, "item.draftRevisionId")));
	/* A client may send back what it has read. */
	stage(h);
	harness_ok(o, on(h, editor, "GET", "", "{}"));
	item = harness_at(o->data, "item");
	json_object_del(item, "status");
	json_object_del(item, "id");
	json_object_del(item, "locale");
	sent = json_dumps(item, 0);
	snprintf(body, sizeof(body), "PUT " BASE "/%s", id);
	harness_ok(o, harness_send(h, editor, body, "%s", sent));
	free(sent);
	assert_int_equal(harness_int(o->data, "item.version"), 2);
	assert_staged(h);
}

static void
compare_shows_what_a_draft_changes(void **state)
{
	struct harness *h = *state;
	json_t *d, *all;
	struct outcome *o;
	size_t i;
	int seen = 0;

	stage(h);
	harness_ok(o, on(h, editor, "GET", "/compare", "{}"));
	all = harness_at(o->data, "differences");
	json_array_foreach(all, i, d)
	{
		const char *field = harness_text(d, "field");

		if (strcmp(field, "_bylines") == 0) {
			assert_string_equal(harness_text(d, "live[0].byline.displayName"), "Ann");
			assert_string_equal(harness_text(d, "draft[0].byline.displayName"), "Bo");
		} else if (strcmp(field, "_taxonomies") == 0) {
			assert_string_equal(harness_text(d, "live.tag[0]"), "a");
			assert_string_equal(harness_text(d, "draft.tag[0]"), "b");
			assert_int_equal(json_object_size(harness_at(d, "draft")), 1);
		} else if (strcmp(field, "_seo") == 0)
			assert_string_equal(harness_text(d, "draft.title"), "S2");
		else if (strcmp(field, "_slug") == 0)
			assert_string_equal(harness_text(d, "live"), "one");
		else
			assert_string_equal(field, "title");
		seen++;
	}
	assert_int_equal(seen, 5);
	assert_string_equal(harness_text(o->data, "draft._taxonomies.tag[0]"), "b");
	assert_string_equal(harness_text(o->data, "live._taxonomies.tag[0]"), "a");
	harness_ok(o, harness_op(h, editor, "content_compare",
			  "{\"collection\":\"posts\",\"id\":\"%s\",\"fields\":\"title\"}", id));
	assert_int_equal(json_array_size(harness_at(o->data, "differences")), 1);
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	harness_ok(o, on(h, editor, "GET", "/compare", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "differences")), 0);
}

static void
a_preview_shows_the_draft_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char token[1024], path[64];

	stage(h);
	harness_ok(o, on(h, editor, "POST", "/preview-url", "{}"));
	snprintf(token, sizeof(token), "%s", harness_text(o->data, "token"));
	harness_ok(o, ask(h, editor, "GET " BASE "/%s?_preview=%s&include=terms", id, token));
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo");
	assert_string_equal(harness_text(o->data, "item.seo.title"), "S2");
	assert_null(harness_at(o->data, "item.liveBylines"));
	snprintf(path, sizeof(path), "included.links.%s.terms.tag[0]", id);
	snprintf(path, sizeof(path), "included.terms.%s.slug", harness_text(o->data, path));
	assert_string_equal(harness_text(o->data, path), "b");
	harness_ok(o, ask(h, nobody, "GET " BASE "/%s?_preview=%s", id, token));
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo");
}

/* Restores the revision that was live, with its bylines and terms. */
static void
a_restored_revision_brings_its_bylines_and_terms(void **state)
{
	struct harness *h = *state;
	char request[64];
	struct outcome *o;
	size_t i;
	json_t *r;

	stage(h);
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	assert_live(h, 2);
	harness_ok(o, on(h, editor, "GET", "/revisions", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	snprintf(request, sizeof(request), "POST /revisions/%s/restore",
	    harness_text(o->data, "items[1].id"));
	harness_ok(o, say(h, editor, request, "{}"));
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann");
	assert_string_equal(harness_text(o->data, "item.liveBylines[0].byline.displayName"), "Bo");
	assert_live(h, 2);
	assert_ok(on(h, editor, "PUT", "", "{'slug':'one'}"));
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	assert_live(h, 1);
	/* The item is not published, so the restored values apply at once. */
	assert_ok(on(h, editor, "POST", "/unpublish", "{}"));
	harness_ok(o, on(h, editor, "GET", "/revisions", "{}"));
	json_array_foreach(harness_at(o->data, "items"), i, r)
	{
		if (strcmp(harness_text(r, "data.title"), "Two") == 0)
			snprintf(request, sizeof(request), "POST /revisions/%s/restore",
			    harness_text(r, "id"));
	}
	harness_ok(o, say(h, editor, request, "{}"));
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo");
	assert_string_equal(tags(on(h, editor, "GET", "/terms/tag", "{}"), "terms"), "b");
}

static void
the_route_of_terms_is_at_once_and_wins_over_the_draft(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char body[64];

	assert_ok(on(h, editor, "PUT", "", "{'taxonomies':{'tag':['b'],'category':[]}}"));
	harness_ok(o, ask(h, editor, "GET /taxonomies/tag/terms/b"));
	snprintf(body, sizeof(body), "{'termIds':['%s']}", harness_text(o->data, "term.id"));
	o = on(h, editor, "POST", "/terms/tag", body);
	assert_string_equal(tags(o, "terms"), "b");
	assert_string_equal(tags(on(h, subscriber, "GET", "/terms/tag", "{}"), "terms"), "b");
	assert_ok(on(h, editor, "POST", "/terms/tag", "{'termIds':[]}"));
	assert_string_equal(tags(on(h, editor, "GET", "/terms/tag", "{}"), "terms"), "");
	/* The terms of the other taxonomy are still staged. */
	assert_string_equal(tags(on(h, subscriber, "GET", "/terms/category", "{}"), "terms"), "c");
	assert_string_equal(tags(on(h, editor, "GET", "/terms/category", "{}"), "terms"), "");
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	assert_string_equal(tags(on(h, subscriber, "GET", "/terms/tag", "{}"), "terms"), "");
	assert_string_equal(tags(on(h, subscriber, "GET", "/terms/category", "{}"), "terms"), "");
}

static void
what_is_gone_by_then_is_left_out(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char request[64];

	stage(h);
	snprintf(request, sizeof(request), "DELETE /bylines/%s", bo);
	assert_ok(ask(h, editor, "%s", request));
	assert_ok(ask(h, editor, "DELETE /taxonomies/tag/terms/b"));
	harness_ok(o, on(h, editor, "GET", "?include=terms,bylines", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.bylines")), 0);
	assert_string_equal(tags(on(h, editor, "GET", "/terms/tag", "{}"), "terms"), "");
	assert_ok(on(h, editor, "GET", "/compare", "{}"));
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	harness_ok(o, on(h, subscriber, "GET", "", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.bylines")), 0);
	assert_true(json_is_null(harness_at(o->data, "item.primaryBylineId")));
	assert_string_equal(tags(on(h, subscriber, "GET", "/terms/tag", "{}"), "terms"), "");
	assert_int_equal(tagged(h, "a"), 0);
}

/* Setting a value that translations share writes it into the draft of this item. */
static void
a_draft_that_is_written_for_another_reason_keeps_them(void **state)
{
	struct harness *h = *state;
	char fr[27], request[64];

	field(h, "posts", "shared", "integer", "'translatable':false");
	make(h, editor, fr, "{'locale':'fr','translationOf':'%s','data':{'title':'Un'}}", id);
	stage(h);
	snprintf(request, sizeof(request), "PUT " BASE "/%s", fr);
	assert_ok(say(h, editor, request, "{'data':{'shared':8}}"));
	assert_staged(h);
	assert_live(h, 1);
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	assert_live(h, 2);
	assert_string_equal(tags(ask(h, editor, "GET " BASE "/%s/terms/tag", fr), "terms"), "b");
}

static void
a_copy_has_the_newest_credits(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	stage(h);
	harness_ok(o, on(h, editor, "POST", "/duplicate", "{}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Two (Copy)");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Bo");
	assert_string_equal(harness_text(o->data, "item.primaryBylineId"), bo);
	assert_string_equal(harness_text(o->data, "item.seo.title"), "S2");
	assert_live(h, 1);
}

static void
a_taken_slug_is_refused_and_nothing_else_goes_live(void **state)
{
	struct harness *h = *state;
	char other[27];

	stage(h);
	make(h, editor, other, "{'slug':'two','data':{}}");
	assert_code(on(h, editor, "POST", "/publish", "{}"), "SLUG_CONFLICT");
	assert_live(h, 1);
	assert_staged(h);
	assert_ok(on(h, editor, "PUT", "", "{'data':{'year':1}}"));
	/* Without a draft nothing conflicts with the edit. */
	assert_ok(on(h, editor, "PUT", "", "{'slug':'one'}"));
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
}

/* Without revisions there are no drafts. */
static void
a_collection_without_revisions_is_at_once(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'supports':['seo']}"));
	stage(h);
	assert_live(h, 2);
}

static void
while_the_modules_are_off_a_draft_is_published_without_them(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	stage(h);
	inside_enable(h, "bylines", false);
	inside_enable(h, "taxonomies", false);
	harness_ok(o, on(h, editor, "GET", "", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.bylines")), 0);
	assert_ok(on(h, editor, "GET", "/compare", "{}"));
	assert_ok(on(h, editor, "POST", "/publish", "{}"));
	inside_enable(h, "bylines", true);
	inside_enable(h, "taxonomies", true);
	harness_ok(o, on(h, editor, "GET", "", "{}"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "Two");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann");
}

/* Such a draft may come from the file of an import. */
static void
odd_members_of_a_stored_draft_do_no_harm(void **state)
{
	static const char *const odd[] = { "{'_bylines':7,'_taxonomies':[1]}",
		"{'_bylines':[7,{'bylineId':[]},{'bylineId':'x'}],'_taxonomies':{'tag':7,'A B':[7,{}]}}",
		"{'_bylines':null,'_taxonomies':null}", "{'_bylines':[],'_taxonomies':{}}" };
	struct harness *h = *state;
	char sql[160];

	(void)snprintf(sql, sizeof(sql),
	    "UPDATE revision SET base = NULL, data = ?1 WHERE id ="
	    " (SELECT draft_revision_id FROM c_posts WHERE id = '%s')",
	    id);
	for (size_t i = 0; i < COUNT(odd); i++) {
		char *text = double_quotes(strdup(odd[i]));

		stage(h);
		inside_sql(h, sql, text);
		assert_ok(on(h, editor, "GET", "?include=terms,bylines", "{}"));
		assert_ok(on(h, editor, "GET", "?fields=bylines,data", "{}"));
		assert_ok(on(h, editor, "GET", "/terms/tag", "{}"));
		assert_ok(on(h, editor, "GET", "/terms/category", "{}"));
		assert_ok(on(h, editor, "GET", "/compare", "{}"));
		assert_ok(on(h, editor, "POST", "/duplicate", "{}"));
		assert_ok(on(h, editor, "PUT", "", "{'taxonomies':{'tag':['a']}}"));
		assert_ok(on(h, editor, "PUT", "", "{'slug':'one'}"));
		assert_ok(on(h, editor, "POST", "/publish", "{}"));
		free(text);
	}
}

#define t(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		t(an_edit_is_staged_whole_until_it_is_published),
		t(the_tool_stages_as_the_route_does),
		t(a_discarded_draft_takes_all_with_it),
		t(status_published_makes_all_of_it_public),
		t(a_schedule_publishes_all_of_it),
		t(members_that_are_equal_make_no_draft),
		t(compare_shows_what_a_draft_changes),
		t(a_preview_shows_the_draft_alone),
		t(a_restored_revision_brings_its_bylines_and_terms),
		t(the_route_of_terms_is_at_once_and_wins_over_the_draft),
		t(what_is_gone_by_then_is_left_out),
		t(a_draft_that_is_written_for_another_reason_keeps_them),
		t(a_copy_has_the_newest_credits),
		t(a_taken_slug_is_refused_and_nothing_else_goes_live),
		t(a_collection_without_revisions_is_at_once),
		t(while_the_modules_are_off_a_draft_is_published_without_them),
		t(odd_members_of_a_stored_draft_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
