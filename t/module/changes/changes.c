/* changes.t - the change feed: which changes each caller sees, their order, and how long they are
 * kept. */
#include "call/call.h"
#include "db/db.h"
#include "db/rows.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stet/changes.h>

static char cursor[2][2100]; /* [1]: of the editor, [0]: of the subscriber */

/* Requests the next page of a cursor, and advances it. */
static struct outcome *
next(struct harness *h, bool drafts, const char *more)
{
	struct outcome *o = ask(h, drafts ? editor : subscriber, "GET /changes%s%s%s",
	    cursor[drafts][0] != '\0' ? "?since=" : "", cursor[drafts],
	    cursor[drafts][0] != '\0' ? more : "");

	assert_ok(o);
	(void)snprintf(cursor[drafts], sizeof(cursor[0]), "%s", harness_text(o->data, "cursor"));
	return o;
}

/* Returns all new changes, such as "publish update"; of items as "change/version". */
static const char *
news(struct harness *h, bool drafts)
{
	static char text[2][4096];
	struct outcome *o = next(h, drafts, "");
	const json_t *item;
	size_t i, len = 0;

	text[drafts][0] = '\0';
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		const char *slug = json_string_value(json_object_get(item, "slug"));

		len += (size_t)snprintf(text[drafts] + len, sizeof(text[0]) - len, "%s%s %s",
		    i > 0 ? ", " : "", json_string_value(json_object_get(item, "change")),
		    slug != NULL ? slug : json_string_value(json_object_get(item, "id")));
	}
	return text[drafts];
}

static int
begin(void **state)
{
	int failed = posts_begin(state);

	cursor[0][0] = cursor[1][0] = '\0';
	assert_string_equal(news(*state, true), "");
	assert_string_equal(news(*state, false), "");
	return failed;
}

static struct outcome *
on(struct harness *h, const char *request, const char *id, const char *rest, const char *body)
{
	struct outcome *o;
	char text[256];

	(void)snprintf(text, sizeof(text), "%s " BASE "/%s%s", request, id, rest);
	o = body != NULL ? say(h, admin, text, "%s", body) : ask(h, admin, "%s", text);
	assert_ok(o);
	return o;
}

static void
the_public_hears_what_becomes_public_and_what_goes(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, editor, id, "{'slug':'one','data':{'title':'A'}}");
	on(h, "PUT", id, "", "{'data':{'title':'B'}}");
	on(h, "POST", id, "/publish", "{}");
	on(h, "PUT", id, "", "{'data':{'title':'C'}}");
	on(h, "POST", id, "/discard-draft", "{}");
	on(h, "POST", id, "/unpublish", "{}");
	on(h, "POST", id, "/publish", "{}");
	on(h, "DELETE", id, "", NULL);
	on(h, "POST", id, "/restore", "{}");
	assert_string_equal(news(h, true),
	    "create one, update one, publish one, stage one, discard one, unpublish one, "
	    "publish one, delete one, restore one");
	assert_string_equal(
	    news(h, false), "publish one, remove one, publish one, remove one, publish one");
	assert_string_equal(news(h, true), "");
	assert_string_equal(news(h, false), "");
}

static void
drafts_and_the_trash_are_not_told_to_the_public(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], want[256];

	make(h, editor, id, "{'slug':'secret','data':{'title':'A'}}");
	on(h, "POST", id, "/schedule", "{'scheduledAt':'2036-01-01T00:00:00Z'}");
	on(h, "POST", id, "/unpublish", "{}");
	on(h, "DELETE", id, "", NULL);
	on(h, "POST", id, "/restore", "{}");
	on(h, "DELETE", id, "", NULL);
	on(h, "DELETE", id, "/permanent", NULL);
	o = next(h, false, "");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_false(json_is_true(harness_at(o->data, "more")));
	(void)snprintf(want, sizeof(want),
	    "create secret, schedule secret, unpublish secret, delete secret, restore secret, "
	    "delete secret, purge %s",
	    id);
	assert_string_equal(news(h, true), want);
}

/* With collection=, the cursor skips changes of other collections. */
static void
one_collection_is_told_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	for (int i = 0; i < 3; i++) {
		assert_ok(say(h, editor, "POST /content/pages", "{'slug':'p%d','data':{}}", i));
		make(h, editor, id, "{'slug':'q%d','data':{'title':'A'}}", i);
	}
	assert_ok(say(h, editor, "POST /menus", "{'name':'pages','label':'Pages'}"));
	o = next(h, true, "&collection=pages&limit=2");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_string_equal(harness_text(o->data, "items[1].slug"), "p1");
	assert_true(json_is_true(harness_at(o->data, "more")));
	o = next(h, true, "&collection=pages&limit=2");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].slug"), "p2");
	/* The cursor also skips changes after the last one. */
	o = next(h, true, "&collection=pages");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_false(json_is_true(harness_at(o->data, "more")));
	assert_string_equal(news(h, true), "");
	o = next(h, false, "&collection=pages");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

/* Terms and authors apply at once, while changed text waits in the draft. */
static void
the_terms_of_a_draft_are_told_when_it_is_published(void **state)
{
	struct harness *h = *state;
	char id[27];

	assert_ok(say(
	    h, admin, "POST /taxonomies", "{'name':'genre','label':'G','collections':['posts']}"));
	assert_ok(say(h, admin, "POST /taxonomies/genre/terms", "{'label':'Up'}"));
	make(h, editor, id, "{'slug':'one','data':{'title':'A'}}");
	on(h, "POST", id, "/publish", "{}");
	(void)news(h, true);
	(void)news(h, false);
	on(h, "PUT", id, "", "{'data':{'title':'B'},'taxonomies':{'genre':['up']}}");
	assert_string_equal(news(h, false), "");
	assert_string_equal(news(h, true), "stage one");
	on(h, "POST", id, "/publish", "{}");
	assert_string_equal(news(h, false), "publish one");
	assert_string_equal(news(h, true), "publish one");
	/* The author changes at once, so the public sees an update, too. */
	on(h, "PUT", id, "", "{'data':{'title':'C'},'authorId':null}");
	assert_string_equal(news(h, false), "update one");
	assert_string_equal(news(h, true), "stage one, update one");
	on(h, "PUT", id, "", "{'data':{'title':'D'}}");
	assert_string_equal(news(h, false), "");
	assert_string_equal(news(h, true), "stage one");
}

static void
an_item_is_told_with_its_version_locale_and_slug(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(
	    h, editor, id, "{'slug':'un','locale':'fr','status':'published','data':{'title':'A'}}");
	o = next(h, false, "");
	assert_string_equal(harness_text(o->data, "items[0].kind"), "content");
	assert_string_equal(harness_text(o->data, "items[0].collection"), "posts");
	assert_string_equal(harness_text(o->data, "items[0].id"), id);
	assert_string_equal(harness_text(o->data, "items[0].change"), "publish");
	assert_string_equal(harness_text(o->data, "items[0].locale"), "fr");
	assert_string_equal(harness_text(o->data, "items[0].slug"), "un");
	assert_string_equal(harness_text(o->data, "items[0].at"), "2026-06-01T12:00:00.000Z");
	assert_int_equal(harness_int(o->data, "items[0].version"), 1);
}

static void
a_refused_write_leaves_nothing(void **state)
{
	struct harness *h = *state;

	assert_code(say(h, editor, "POST " BASE, "{'data':{'title':5}}"), "VALIDATION_ERROR");
	assert_string_equal(news(h, true), "");
}

/* Reads pages of three while items are created: each change comes once, in order. */
static void
who_goes_on_from_a_cursor_misses_nothing(void **state)
{
	struct harness *h = *state;
	char id[27], want[16];
	int told = 0;

	for (int i = 0; i < 20; i++)
		make(h, editor, id, "{'slug':'s%d','data':{'title':'A'}}", i);
	while (told < 30) {
		struct outcome *o = next(h, true, "&limit=3");
		size_t n = json_array_size(harness_at(o->data, "items"));

		assert_int_equal(n, 3);
		for (size_t i = 0; i < n; i++, told++) {
			(void)snprintf(want, sizeof(want), "s%d", told);
			assert_string_equal(
			    json_string_value(json_object_get(
				json_array_get(harness_at(o->data, "items"), i), "slug")),
			    want);
		}
		assert_int_equal(json_is_true(harness_at(o->data, "more")), told < 30);
		if (told <= 9) /* writes more while the feed is read */
			for (int i = 0; i < 3 + (told == 9); i++)
				make(h, editor, id, "{'slug':'s%d','data':{'title':'A'}}",
				    20 + told - 3 + i);
	}
}

static void
definitions_are_told_to_all(void **state)
{
	struct harness *h = *state;
	char before[sizeof(cursor[0])];
	struct outcome *o;

	memcpy(before, cursor[true], sizeof(before));
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'notes','label':'Notes','labelSingular':'Note'}"));
	field(h, "notes", "size", "integer", "");
	assert_ok(ask(h, admin, "DELETE /schema/collections/notes?force=true"));
	/* The feed of one collection has changes of its definition, including its deletion. */
	o = next(h, true, "&collection=notes");
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 3);
	assert_string_equal(harness_text(o->data, "items[2].change"), "delete");
	memcpy(cursor[true], before, sizeof(before));
	assert_string_equal(news(h, true), "create notes, update notes, delete notes");
	assert_string_equal(news(h, false), "update notes, remove notes");
}

static enum stet_status
note(struct stet_call *call, void *arg)
{
	const struct stet_changes_1 *changes = stet_service(call, STET_CHANGES_1);

	(void)arg;
	return changes->note(call, stet_write_tx(call), "menu", "main", "update");
}

static void
other_modules_note_their_own(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_int_equal(inside_write(h, note, NULL), STET_OK);
	o = next(h, false, "");
	assert_string_equal(harness_text(o->data, "items[0].kind"), "menu");
	assert_string_equal(harness_text(o->data, "items[0].id"), "main");
	assert_string_equal(harness_text(o->data, "items[0].change"), "update");
}

/* Returns "kind id change" for all changes that an anonymous caller sees. */
static const char *
told(struct harness *h)
{
	static char text[2048];
	struct outcome *o = next(h, false, "");
	json_t *item;
	size_t i, len = 0;

	*text = '\0';
	json_array_foreach(harness_at(o->data, "items"), i, item)
	{
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s %s %s",
		    i > 0 ? ", " : "", harness_text(item, "kind"), harness_text(item, "id"),
		    harness_text(item, "change"));
		assert_true(len < sizeof(text));
	}
	return text;
}

static void
menus_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char request[64];

	assert_ok(say(h, admin, "POST /menus", "{'name':'m','label':'M'}"));
	assert_ok(say(h, admin, "PUT /menus/m", "{}"));
	assert_string_equal(told(h), "menu m create");
	assert_ok(say(h, admin, "PUT /menus/m", "{'label':'N'}"));
	harness_ok(o, say(h, admin, "POST /menus/m/items", "{'type':'custom','label':'A'}"));
	(void)snprintf(
	    request, sizeof(request), "PUT /menus/m/items/%s", harness_text(o->data, "id"));
	assert_ok(say(h, admin, request, "{'label':'B'}"));
	assert_ok(ask(h, admin, "DELETE%s", strchr(request, ' ')));
	assert_ok(say(h, admin, "POST /menus/m/reorder", "{'items':[]}"));
	assert_ok(say(h, admin, "PUT /menus/m/items", "{'items':[]}"));
	assert_string_equal(told(h),
	    "menu m update, menu m update, menu m update, menu m update, menu m update, "
	    "menu m update");
	assert_ok(say(h, admin, "POST /menus/m/translations", "{'locale':'fr'}"));
	assert_ok(ask(h, admin, "DELETE /menus/m?locale=fr"));
	assert_string_equal(told(h), "menu m create, menu m delete");
}

static void
settings_sections_and_widgets_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char request[80];

	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'S','tagline':'T'}"));
	assert_ok(say(h, admin, "POST /settings", "{}"));
	assert_string_equal(told(h), "settings  update");
	assert_ok(say(h, admin, "POST /sections", "{'slug':'s','title':'S','content':[]}"));
	assert_ok(say(h, admin, "PUT /sections/s", "{'title':'T'}"));
	assert_ok(say(h, admin, "PUT /sections/s", "{'slug':'t'}"));
	assert_ok(ask(h, admin, "DELETE /sections/t"));
	/* A renamed section is deleted under its old slug and created under the new one. */
	assert_string_equal(told(h),
	    "section s create, section s update, section s delete, section t create, "
	    "section t delete");
	assert_ok(say(h, admin, "POST /widget-areas", "{'name':'a','label':'A'}"));
	harness_ok(o, say(h, admin, "POST /widget-areas/a/widgets", "{'type':'menu'}"));
	(void)snprintf(request, sizeof(request), "PUT /widget-areas/a/widgets/%s",
	    harness_text(o->data, "id"));
	assert_ok(say(h, admin, request, "{'title':'T'}"));
	assert_ok(say(h, admin, "POST /widget-areas/a/reorder", "{'widgetIds':[]}"));
	assert_ok(ask(h, admin, "DELETE%s", strchr(request, ' ')));
	assert_ok(ask(h, admin, "DELETE /widget-areas/a"));
	assert_string_equal(told(h),
	    "widget-area a create, widget-area a update, widget-area a update, "
	    "widget-area a update, widget-area a update, widget-area a delete");
}

static void
taxonomies_and_bylines_are_told(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], want[256], request[64];

	assert_ok(say(h, admin, "POST /taxonomies", "{'name':'genre','label':'G'}"));
	assert_ok(say(h, admin, "PUT /taxonomies/genre", "{'label':'H'}"));
	assert_ok(say(h, admin, "POST /taxonomies/genre/terms", "{'label':'Up'}"));
	assert_ok(say(h, admin, "PUT /taxonomies/genre/terms/up", "{'label':'Down'}"));
	assert_ok(say(h, admin, "PUT /taxonomies/genre/terms/up", "{'slug':'down'}"));
	assert_ok(say(h, admin, "POST /taxonomies/genre/reorder", "{'ids':[]}"));
	assert_ok(ask(h, admin, "DELETE /taxonomies/genre/terms/down"));
	assert_ok(ask(h, admin, "DELETE /taxonomies/genre"));
	assert_string_equal(told(h),
	    "taxonomy genre create, taxonomy genre update, term genre/up create, "
	    "term genre/up update, term genre/up delete, term genre/down create, "
	    "taxonomy genre update, term genre/down delete, taxonomy genre delete");
	harness_ok(o, say(h, admin, "POST /bylines", "{'displayName':'Ann'}"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	(void)snprintf(request, sizeof(request), "PUT /bylines/%s", id);
	assert_ok(say(h, admin, request, "{'bio':'B'}"));
	assert_ok(ask(h, admin, "DELETE /bylines/%s", id));
	(void)snprintf(
	    want, sizeof(want), "byline %s create, byline %s update, byline %s delete", id, id, id);
	assert_string_equal(told(h), want);
}

static void
without_a_feed_all_is_written_all_the_same(void **state)
{
	struct harness *h = *state;

	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\":\"changes\"}"));
	assert_ok(say(h, admin, "POST /sections", "{'slug':'s','title':'S','content':[]}"));
	assert_ok(say(h, admin, "PUT /sections/s", "{'slug':'t'}"));
	assert_ok(harness_op(h, admin, "plugin_enable", "{\"id\":\"changes\"}"));
	assert_code(ask(h, admin, "GET /changes?since=%s", cursor[1]), "CURSOR_EXPIRED");
}

static void
sweep(struct harness *h)
{
	struct stet_call *call;
	struct stet_job job;

	do {
		inside_job_of(h, "changes", &call, &job);
		assert_int_equal(job.run(call), STET_OK);
		rows_end_call(call);
		call_free(call);
		inside_job_of(h, "changes", &call, &job);
	} while (job.due(call) <= stet_now(call));
	call_free(call);
}

static void
a_cursor_that_is_too_old_is_gone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], old[2][2100];

	make(h, editor, id, "{'slug':'a','status':'published','data':{'title':'A'}}");
	(void)snprintf(old[0], sizeof(old[0]), "%s", cursor[0]);
	(void)snprintf(old[1], sizeof(old[1]), "%s", cursor[1]);
	make(h, editor, id, "{'slug':'b','data':{'title':'A'}}");
	assert_string_equal(news(h, false), "publish a");
	make(h, editor, id, "{'slug':'c','data':{'title':'A'}}");
	assert_string_equal(news(h, true), "create a, create b, create c");
	harness_clock(h, "2026-07-02T12:00:00.001Z");
	sweep(h);
	/* A reader who has read everything goes on. The cursor of the subscriber is at a; the
	 * change of b after it, which the editor would see, was pruned. */
	assert_string_equal(news(h, true), "");
	assert_string_equal(news(h, false), "");
	o = ask(h, editor, "GET /changes?since=%s", cursor[0]);
	assert_code(o, "CURSOR_EXPIRED");
	assert_int_equal(o->http, 410);
	assert_code(ask(h, editor, "GET /changes?since=%s", old[1]), "CURSOR_EXPIRED");
	assert_code(ask(h, subscriber, "GET /changes?since=%s", old[0]), "CURSOR_EXPIRED");
	/* Numbering continues after all rows were pruned. */
	make(h, editor, id, "{'slug':'d','status':'published','data':{'title':'A'}}");
	assert_string_equal(news(h, true), "create d");
	assert_string_equal(news(h, false), "publish d");
}

static void
no_more_rows_are_kept_than_is_set(void **state)
{
	struct harness *h = *state;
	char id[27];

	assert_ok(
	    say(h, admin, "PUT /admin/plugins/changes/settings", "{'values':{'keepRows':100}}"));
	for (int i = 0; i < 130; i++)
		make(h, editor, id, "{'data':{'title':'A'}}");
	sweep(h);
	assert_string_equal(
	    inside_ask(h, "SELECT COUNT(*) FROM change_feed WHERE shown IS NULL"), "100");
	assert_code(ask(h, editor, "GET /changes?since=%s", cursor[1]), "CURSOR_EXPIRED");
}

static void
what_is_no_cursor_of_the_feed_is_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], other[2100];

	make(h, editor, id, "{'data':{'title':'A'}}");
	make(h, editor, id, "{'data':{'title':'B'}}");
	harness_ok(o, ask(h, editor, "GET " BASE "?limit=1"));
	(void)snprintf(other, sizeof(other), "%s", harness_text(o->data, "nextCursor"));
	assert_code(ask(h, editor, "GET /changes?since=%s", other), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET /changes?since=abc"), "INVALID_CURSOR");
	assert_code(ask(h, editor, "GET /changes?since="), "VALIDATION_ERROR");
	assert_code(ask(h, editor, "GET /changes?limit=0"), "VALIDATION_ERROR");
	assert_code(ask(h, editor, "GET /changes?wait=61"), "VALIDATION_ERROR");
	/* The cursor is ahead of the database, as after a restore of an older backup. */
	inside_sql(h, "DELETE FROM change_feed WHERE number > 1", NULL);
	assert_code(ask(h, editor, "GET /changes?since=%s", cursor[1]), "CURSOR_EXPIRED");
}

#undef check
#define check(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(the_public_hears_what_becomes_public_and_what_goes),
		check(one_collection_is_told_alone),
		check(drafts_and_the_trash_are_not_told_to_the_public),
		check(the_terms_of_a_draft_are_told_when_it_is_published),
		check(an_item_is_told_with_its_version_locale_and_slug),
		check(a_refused_write_leaves_nothing),
		check(who_goes_on_from_a_cursor_misses_nothing),
		check(definitions_are_told_to_all),
		check(other_modules_note_their_own),
		check(menus_are_told),
		check(settings_sections_and_widgets_are_told),
		check(taxonomies_and_bylines_are_told),
		check(without_a_feed_all_is_written_all_the_same),
		check(a_cursor_that_is_too_old_is_gone),
		check(no_more_rows_are_kept_than_is_set),
		check(what_is_no_cursor_of_the_feed_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
