/* releases.t - releases over REST and as tools: published and undone as a whole, or not at all. */
#include "inside.h"
#include "posts.h"
#include "rpc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define R "/releases"
#define SPRING R "/Spring"

static char staged[27], fresh[27], old[27];

/* A published post with a draft, a draft, a published post; a menu, a term. */
static int
begin(void **state)
{
	struct harness *h;

	if (posts_begin_seo(state) != 0)
		return -1;
	h = *state;
	make(h, editor, staged, "{'slug':'staged','status':'published','data':{'title':'Was'}}");
	assert_ok(say(h, editor, "PUT " BASE "/staged", "{'data':{'title':'Will be'}}"));
	make(h, editor, fresh, "{'slug':'fresh','data':{'title':'Fresh'}}");
	make(h, editor, old, "{'slug':'old','status':'published','data':{'title':'Old'}}");
	assert_ok(say(h, editor, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_ok(say(h, editor, "PUT /menus/main/items",
	    "{'items':[{'type':'custom','label':'A','customUrl':'/a'},"
	    "{'type':'custom','label':'B','customUrl':'/b','parentIndex':0}]}"));
	assert_ok(say(h, editor, "POST /taxonomies/category/terms",
	    "{'slug':'news','label':'News','description':'What is new'}"));
	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'Site'}"));
	return 0;
}

static struct outcome *
create(struct harness *h, const struct harness_user *user)
{
	return say(h, user, "POST " R,
	    "{'name':'Spring','add':[{'type':'item','collection':'posts','item':'%s'},"
	    "{'type':'item','collection':'posts','item':'fresh'},"
	    "{'type':'item','action':'unpublish','collection':'posts','item':'old'},"
	    "{'type':'menu','name':'main','content':{'label':'Spring','items':["
	    "{'type':'custom','label':'C','customUrl':'/c'}]}},"
	    "{'type':'term','name':'category','slug':'news','content':{'label':'Fresh news'}},"
	    "{'type':'term','name':'category','slug':'spring','content':{'label':'Spring'}},"
	    "{'type':'settings','content':{'title':'In spring','postsPerPage':7}}]}",
	    staged);
}

static const char *
title_of(struct harness *h, const char *slug)
{
	static char title[64];
	struct outcome *o = ask(h, subscriber, "GET " BASE "/%s", slug);

	(void)snprintf(title, sizeof(title), "%s",
	    o->http == 200 ? harness_text(o->data, "item.data.title") : "");
	return title;
}

/* What readers see of everything, and what editors see of drafts, as one text. */
static const char *
world(struct harness *h)
{
	static char text[2][40000];
	static int turn;
	char *out = text[turn ^= 1];
	struct outcome *o;
	size_t n;
	json_t *item;
	size_t i;
	static const char *const parts[] = { "label", "customUrl", "type" };

	*out = '\0';
	for (i = 0; i < 3; i++) {
		static const char *const slugs[] = { "staged", "fresh", "old" };

		o = ask(h, editor, "GET " BASE "/%s", slugs[i]);
		n = strlen(out);
		(void)snprintf(out + n, sizeof(text[0]) - n, "%s %s/%s/%s %s ",
		    harness_text(o->data, "item.status"), harness_text(o->data, "item.data.title"),
		    /* A draft of a draft and its row become one. */
		    strcmp(harness_text(o->data, "item.status"), "published") == 0
			? harness_text(o->data, "item.liveData.title")
			: "",
		    harness_text(o->data, "item.scheduledAt"),
		    harness_text(o->data, "item.publishedAt"));
		n = strlen(out);
		(void)snprintf(out + n, sizeof(text[0]) - n, "%s\n", title_of(h, slugs[i]));
	}
	o = ask(h, editor, "GET /menus/main");
	n = strlen(out);
	(void)snprintf(out + n, sizeof(text[0]) - n, "%s:", harness_text(o->data, "label"));
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		for (size_t k = 0; k < COUNT(parts); k++) {
			n = strlen(out);
			(void)snprintf(
			    out + n, sizeof(text[0]) - n, "%s ", harness_text(item, parts[k]));
		}
		n = strlen(out);
		(void)snprintf(out + n, sizeof(text[0]) - n, "%s,",
		    *harness_text(item, "parentId") != '\0' ? "below" : "top");
	}
	o = ask(h, editor, "GET /taxonomies/category/terms");
	json_array_foreach(harness_at(o->data, "terms"), i, item)
	{
		n = strlen(out);
		(void)snprintf(out + n, sizeof(text[0]) - n, "%s=%s(%s) ",
		    harness_text(item, "slug"), harness_text(item, "label"),
		    harness_text(item, "description"));
	}
	o = ask(h, editor, "GET /settings");
	n = strlen(out);
	(void)snprintf(out + n, sizeof(text[0]) - n, "%s %lld", harness_text(o->data, "siteTitle"),
	    (long long)harness_int(o->data, "postsPerPage"));
	return out;
}

static void
all_of_it_is_published_and_undone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char before[40000];

	harness_ok(o, create(h, admin));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "release.status"), "open");
	assert_int_equal(json_array_size(harness_at(o->data, "release.changes")), 7);
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.changes[0].does"), "update");
	assert_string_equal(harness_text(o->data, "release.changes[1].does"), "create");
	assert_string_equal(harness_text(o->data, "release.changes[2].title"), "Will be");
	(void)snprintf(before, sizeof(before), "%s", world(h));
	harness_ok(o, say(h, admin, "POST " SPRING "/check", "{}"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
	assert_string_equal(world(h), before);
	harness_ok(o, say(h, admin, "POST " SPRING "/publish", "{}"));
	assert_string_equal(harness_text(o->data, "release.status"), "published");
	assert_string_equal(title_of(h, "staged"), "Will be");
	assert_string_equal(title_of(h, "fresh"), "Fresh");
	assert_string_equal(title_of(h, "old"), "");
	harness_ok(o, ask(h, subscriber, "GET /menus/main"));
	assert_string_equal(harness_text(o->data, "items[0].label"), "C");
	harness_ok(o, ask(h, editor, "GET /settings"));
	assert_string_equal(harness_text(o->data, "siteTitle"), "In spring");
	assert_int_equal(harness_int(o->data, "postsPerPage"), 7);
	assert_ok(ask(h, editor, "GET /taxonomies/category/terms/spring"));
	assert_code(say(h, admin, "POST " SPRING "/publish", "{}"), "CONFLICT");
	harness_ok(o, say(h, admin, "POST " SPRING "/undo", "{}"));
	assert_string_equal(harness_text(o->data, "release.status"), "open");
	assert_string_equal(world(h), before);
	/* It can be published again. */
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	assert_string_equal(title_of(h, "staged"), "Will be");
}

static bool
has_problem(const struct outcome *o, const char *title, const char *code)
{
	json_t *one;
	size_t i;

	json_array_foreach(harness_at(o->details, "problems"), i,
	    one) if (strcmp(harness_text(one, "title"), title) == 0 &&
		     strcmp(harness_text(one, "code"), code) == 0) return true;
	return false;
}

static void
nothing_is_published_if_anything_stands_against_it(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char before[40000], id[27];

	assert_ok(create(h, admin));
	inside_user(h, admin);
	/* Later edits, a link that is refused, and a reference to a draft. */
	field(h, "posts", "next", "reference", "'options':{'collection':'posts'}");
	make(h, editor, id, "{'slug':'hidden','data':{'title':'Hidden'}}");
	assert_ok(say(h, editor, "PUT " BASE "/fresh", "{'data':{'next':'%s'}}", id));
	assert_ok(say(h, editor, "PUT /menus/main", "{'label':'Another'}"));
	assert_ok(say(h, admin, "PUT " SPRING,
	    "{'add':[{'type':'item','collection':'posts','item':'fresh'},"
	    "{'type':'settings','content':{'url':'javascript:1'}}]}"));
	(void)snprintf(before, sizeof(before), "%s", world(h));
	o = say(h, admin, "POST " SPRING "/publish", "{}");
	assert_code(o, "RELEASE_BLOCKED");
	assert_int_equal(o->http, 409);
	assert_int_equal(json_array_size(harness_at(o->details, "problems")), 3);
	assert_true(has_problem(o, "Another", "CONFLICT"));
	assert_true(has_problem(o, "Fresh", "MISSING_REFERENCE"));
	assert_true(has_problem(o, "", "VALIDATION_ERROR"));
	assert_string_equal(world(h), before);
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.status"), "open");
	assert_string_equal(harness_text(o->data, "release.changes[5].problem.code"), "CONFLICT");
	o = say(h, admin, "POST " SPRING "/schedule", "{'scheduledAt':'2026-07-01T00:00:00Z'}");
	assert_code(o, "RELEASE_BLOCKED");
	/* Looked at again, and with a reference that may be missing. */
	assert_ok(say(h, admin, "PUT " SPRING,
	    "{'add':[{'type':'menu','name':'main','content':{'label':'Spring'}},"
	    "{'type':'settings','content':{'title':'In spring'}}]}"));
	assert_code(say(h, admin, "POST " SPRING "/publish", "{}"), "RELEASE_BLOCKED");
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{'allowMissing':true}"));
	assert_string_equal(title_of(h, "fresh"), "Fresh");
}

static void
undoing_refuses_by_name_what_was_changed_since(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char before[40000];

	assert_ok(create(h, admin));
	assert_ok(say(h, admin, "POST " SPRING "/publish", "{}"));
	assert_ok(say(h, editor, "PUT " BASE "/fresh", "{'data':{'title':'Fresher'}}"));
	assert_ok(say(h, editor, "PUT /taxonomies/category/terms/news", "{'label':'Newer'}"));
	(void)snprintf(before, sizeof(before), "%s", world(h));
	o = say(h, admin, "POST " SPRING "/undo", "{}");
	assert_code(o, "RELEASE_BLOCKED");
	assert_int_equal(json_array_size(harness_at(o->details, "problems")), 2);
	assert_true(has_problem(o, "Fresher", "CONFLICT"));
	assert_true(has_problem(o, "Newer", "CONFLICT"));
	assert_string_equal(world(h), before);
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.status"), "published");
}

/* A part that the caller could not publish alone stops the release. */
static void
each_part_needs_the_right_to_publish_it_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char own[27];

	assert_code(ask(h, subscriber, "GET " R), "FORBIDDEN");
	assert_code(say(h, contributor, "POST " R, "{'name':'N'}"), "FORBIDDEN");
	assert_ok(ask(h, contributor, "GET " R));
	make(h, author, own, "{'slug':'own','data':{'title':'Own'}}");
	assert_ok(say(h, author, "POST " R,
	    "{'name':'Mine','add':[{'type':'item','collection':'posts','item':'own'}]}"));
	assert_code(say(h, author, "PUT " R "/Mine",
			"{'add':[{'type':'menu','name':'main','content':{'label':'X'}}]}"),
	    "FORBIDDEN");
	assert_code(say(h, editor, "PUT " R "/Mine",
			"{'add':[{'type':'settings','content':{'title':'X'}}]}"),
	    "FORBIDDEN");
	assert_code(ask(h, other_author, "DELETE " R "/Mine"), "FORBIDDEN");
	/* The items of others. */
	assert_code(say(h, author, "PUT " R "/Mine",
			"{'add':[{'type':'item','collection':'posts','item':'fresh'}]}"),
	    "FORBIDDEN");
	assert_ok(say(h, editor, "PUT " R "/Mine",
	    "{'add':[{'type':'item','collection':'posts','item':'fresh'}]}"));
	o = say(h, author, "POST " R "/Mine/publish", "{}");
	assert_code(o, "RELEASE_BLOCKED");
	assert_true(has_problem(o, "Fresh", "FORBIDDEN"));
	assert_string_equal(title_of(h, "own"), "");
	assert_ok(say(h, editor, "POST " R "/Mine/publish", "{}"));
	assert_string_equal(title_of(h, "own"), "Own");
	o = say(h, author, "POST " R "/Mine/undo", "{}");
	assert_code(o, "RELEASE_BLOCKED");
	assert_string_equal(title_of(h, "own"), "Own");
	/* Settings, which only administrators change. */
	assert_ok(create(h, admin));
	o = say(h, editor, "POST " SPRING "/publish", "{}");
	assert_code(o, "RELEASE_BLOCKED");
	assert_int_equal(json_array_size(harness_at(o->details, "problems")), 1);
	assert_string_equal(harness_text(o->details, "problems[0].type"), "settings");
	harness_ok(o, ask(h, contributor, "GET " SPRING));
	assert_null(harness_at(o->data, "release.changes[6].content"));
}

/* ---- schedules ---- */

static void
a_scheduled_release_is_published_at_its_time(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_user(h, admin);
	assert_ok(create(h, admin));
	assert_code(
	    say(h, admin, "POST " SPRING "/schedule", "{'scheduledAt':'2026-06-01T12:00:00Z'}"),
	    "VALIDATION_ERROR");
	harness_ok(
	    o, say(h, admin, "POST " SPRING "/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	assert_string_equal(harness_text(o->data, "release.status"), "scheduled");
	assert_code(say(h, admin, "PUT " SPRING, "{'remove':['x']}"), "CONFLICT");
	at(h, 4000);
	assert_false(inside_work(h, "releases"));
	at(h, 60000); /* the daemon was off at that time */
	assert_true(inside_work(h, "releases"));
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.status"), "published");
	assert_string_equal(harness_text(o->data, "release.publishedBy"), admin->id);
	assert_string_equal(title_of(h, "fresh"), "Fresh");
	assert_false(inside_work(h, "releases"));
	/* A schedule that is cancelled publishes nothing. */
	assert_ok(say(h, admin, "POST " SPRING "/undo", "{}"));
	assert_ok(
	    say(h, admin, "POST " SPRING "/schedule", "{'scheduledAt':'2026-06-01T12:02:00Z'}"));
	assert_ok(ask(h, admin, "DELETE " SPRING "/schedule"));
	at(h, 300000);
	assert_false(inside_work(h, "releases"));
}

static void
a_scheduled_release_has_the_rights_of_its_scheduler_at_that_time(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_user(h, admin);
	assert_ok(create(h, admin));
	assert_ok(
	    say(h, admin, "POST " SPRING "/schedule", "{'scheduledAt':'2026-06-01T12:00:05Z'}"));
	inside_sql(h, "UPDATE users SET role = 40 WHERE id = ?1", admin->id);
	at(h, 6000);
	assert_true(inside_work(h, "releases"));
	harness_ok(o, ask(h, admin, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.status"), "scheduled");
	assert_string_equal(harness_text(o->data, "release.error.code"), "RELEASE_BLOCKED");
	assert_string_equal(harness_text(o->data, "release.error.problems[0].type"), "settings");
	assert_string_equal(title_of(h, "fresh"), "");
	assert_false(inside_work(h, "releases")); /* again in a minute */
	inside_sql(h, "UPDATE users SET disabled = 1 WHERE id = ?1", admin->id);
	at(h, 70000);
	assert_true(inside_work(h, "releases"));
	harness_ok(o, ask(h, editor, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.error.code"), "FORBIDDEN");
	inside_sql(h, "UPDATE users SET disabled = 0, role = 50 WHERE id = ?1", admin->id);
	at(h, 140000);
	assert_false(inside_work(h, "releases")); /* it waits for two minutes, now */
	at(h, 200000);
	assert_true(inside_work(h, "releases"));
	harness_ok(o, ask(h, editor, "GET " SPRING));
	assert_string_equal(harness_text(o->data, "release.status"), "published");
	assert_null(harness_at(o->data, "release.error"));
	/* Somebody who is no user cannot schedule. */
	assert_ok(say(h, editor, "POST " R,
	    "{'name':'E','add':[{'type':'item','action':'unpublish','collection':'posts',"
	    "'item':'fresh'}]}"));
	assert_code(
	    say(h, editor, "POST " R "/E/schedule", "{'scheduledAt':'2027-06-01T12:00:05Z'}"),
	    "VALIDATION_ERROR");
}

/* ---- tools ---- */

static void
assistants_make_check_publish_and_undo_releases(void **state)
{
	struct harness *h = *state;
	json_t *r = rpc_call(h, admin, "release_save",
	    "{'name':'By tool','add':[{'type':'item','collection':'posts','item':'fresh'}]}");

	assert_string_equal(rpc_code(r), "");
	r = rpc_call(h, admin, "release_publish", "{'id':'By tool','dry_run':true}");
	assert_true(json_is_true(harness_at(r, "structuredContent.dryRun")));
	assert_string_equal(title_of(h, "fresh"), "");
	r = rpc_call(h, admin, "release_publish", "{'id':'By tool'}");
	assert_string_equal(rpc_code(r), "");
	assert_string_equal(title_of(h, "fresh"), "Fresh");
	r = rpc_call(h, admin, "release_get", "{}");
	assert_string_equal(harness_text(r, "structuredContent.items[0].name"), "By tool");
	r = rpc_call(h, admin, "release_undo", "{'id':'By tool'}");
	assert_string_equal(rpc_code(r), "");
	assert_string_equal(title_of(h, "fresh"), "");
	assert_ok(say(h, editor, "PUT " BASE "/fresh", "{'data':{'title':'Later'}}"));
	r = rpc_call(h, admin, "release_publish", "{'id':'By tool'}");
	assert_string_equal(rpc_code(r), "RELEASE_BLOCKED");
	r = rpc_call(h, admin, "release_get", "{'id':'By tool'}");
	assert_string_equal(
	    harness_text(r, "structuredContent.release.changes[0].problem.code"), "CONFLICT");
}

/* ---- any order of changes ---- */

static void
disturb(struct harness *h, unsigned *seed)
{
	static const char *const slugs[] = { "staged", "fresh", "old" };
	const char *slug = slugs[rand_r(seed) % 3];
	char request[64], n = (char)('a' + rand_r(seed) % 26);

	switch (rand_r(seed) % 7) {
	case 0:
	case 1:
		(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", slug);
		assert_ok(say(h, editor, request, "{'data':{'title':'T%c'}}", n));
		break;
	case 2:
		(void)snprintf(request, sizeof(request), "POST " BASE "/%s/publish", slug);
		assert_ok(say(h, editor, request, "{}"));
		break;
	case 3:
		(void)snprintf(request, sizeof(request), "POST " BASE "/%s/unpublish", slug);
		assert_ok(say(h, editor, request, "{}"));
		break;
	case 4:
		(void)snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", slug);
		assert_ok(say(h, editor, request, "{'scheduledAt':'2027-01-01T00:00:00Z'}"));
		break;
	case 5:
		assert_ok(say(h, editor, "PUT /menus/main/items",
		    "{'items':[{'type':'custom','label':'%c','customUrl':'/%c'},"
		    "{'type':'custom','label':'Below','customUrl':'/b','parentIndex':0}]}",
		    n, n));
		break;
	default:
		assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'Site %c'}", n));
	}
}

static void
act(struct harness *h, int round, const char *what)
{
	char request[64];

	(void)snprintf(request, sizeof(request), "POST " R "/%d/%s", round, what);
	assert_ok(say(h, admin, request, "{}"));
}

static void
undoing_restores_whatever_was_there(void **state)
{
	struct harness *h = *state;
	unsigned seed = 7;
	char before[40000];

	for (int round = 0; round < 40; round++) {
		at(h, round * 1000);
		for (int i = rand_r(&seed) % 5; i >= 0; i--)
			disturb(h, &seed);
		assert_ok(say(h, admin, "POST " R,
		    "{'name':'%d','add':[{'type':'item','action':'%s','collection':'posts',"
		    "'item':'staged'},{'type':'item','action':'%s','collection':'posts',"
		    "'item':'fresh'},{'type':'item','action':'%s','collection':'posts',"
		    "'item':'old'},{'type':'menu','name':'main','content':{'label':'L','items':[]}},"
		    "{'type':'settings','content':{'title':'R','postsPerPage':3}}]}",
		    round, rand_r(&seed) % 2 ? "publish" : "unpublish",
		    rand_r(&seed) % 2 ? "publish" : "unpublish",
		    rand_r(&seed) % 2 ? "publish" : "unpublish"));
		(void)snprintf(before, sizeof(before), "%s", world(h));
		act(h, round, "publish");
		act(h, round, "undo");
		if (strcmp(world(h), before) != 0)
			fail_msg("round %d:\n%s\n---\n%s", round, before, world(h));
	}
}

static void
the_calendar_shows_what_is_scheduled(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	inside_user(h, admin);
	assert_ok(say(h, editor, "POST " BASE "/fresh/schedule",
	    "{'scheduledAt':'2026-06-10T09:00:00Z','unpublishAt':'2026-06-20T09:00:00Z'}"));
	assert_ok(say(h, admin, "POST " R,
	    "{'name':'June','add':[{'type':'item','collection':'posts','item':'staged'}]}"));
	assert_ok(
	    say(h, admin, "POST " R "/June/schedule", "{'scheduledAt':'2026-06-15T09:00:00Z'}"));
	harness_ok(o, ask(h, contributor, "GET /calendar?from=2026-06-01&to=2026-07-01"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_equal(harness_text(o->data, "items[0].act"), "publish");
	assert_string_equal(harness_text(o->data, "items[0].title"), "Fresh");
	assert_string_equal(harness_text(o->data, "items[1].act"), "release");
	assert_string_equal(harness_text(o->data, "items[2].act"), "unpublish");
	harness_ok(o, ask(h, contributor, "GET /calendar?from=2026-06-11&to=2026-06-15"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_code(ask(h, subscriber, "GET /calendar?from=2026-06-01&to=2026-07-01"), "FORBIDDEN");
}

static void
limits_and_names_hold(void **state)
{
	struct harness *h = *state;

	assert_ok(say(h, author, "POST " R, "{'name':'A'}"));
	assert_code(say(h, author, "POST " R, "{'name':'A'}"), "CONFLICT");
	assert_code(say(h, author, "POST " R, "{'name':'  '}"), "VALIDATION_ERROR");
	assert_code(say(h, author, "POST " R "/A/publish", "{}"), "CONFLICT");
	assert_code(say(h, author, "POST " R "/A/undo", "{}"), "CONFLICT");
	assert_code(say(h, author, "PUT " R "/A",
			"{'add':[{'type':'item','collection':'posts','item':'nope'}]}"),
	    "NOT_FOUND");
	assert_code(say(h, author, "PUT " R "/A", "{'add':[{'type':'item','collection':'posts'}]}"),
	    "VALIDATION_ERROR");
	assert_code(say(h, author, "PUT " R "/A", "{'remove':['nope']}"), "VALIDATION_ERROR");
	/* The same subject again replaces the change. */
	assert_ok(say(h, editor, "PUT " R "/A",
	    "{'add':[{'type':'item','collection':'posts','item':'fresh'},"
	    "{'type':'item','action':'unpublish','collection':'posts','item':'fresh'}]}"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM release_change"), "1");
	assert_ok(ask(h, author, "DELETE " R "/A"));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM release_change"), "0");
	assert_code(ask(h, author, "GET " R "/A"), "NOT_FOUND");
}

#define with(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with(all_of_it_is_published_and_undone),
		with(nothing_is_published_if_anything_stands_against_it),
		with(undoing_refuses_by_name_what_was_changed_since),
		with(each_part_needs_the_right_to_publish_it_alone),
		with(a_scheduled_release_is_published_at_its_time),
		with(a_scheduled_release_has_the_rights_of_its_scheduler_at_that_time),
		with(assistants_make_check_publish_and_undo_releases),
		with(undoing_restores_whatever_was_there),
		with(the_calendar_shows_what_is_scheduled),
		with(limits_and_names_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
