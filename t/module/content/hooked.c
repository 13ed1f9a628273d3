/* hooked.t - the hooks of a plugin for saving items: what it may change and refuse. */
#include "call/call.h"
#include "db/db.h"
#include "db/rows.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
begin(void **state)
{
	posts_plugins = "t/plugins/meddler/.libs";
	posts_begin(state);
	assert_ok(ask(*state, admin, "POST /admin/plugins/meddler/enable"));
	return 0;
}

static int64_t
count(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET " BASE "?includeTotal=1"));
	return harness_int(o->data, "total");
}

/* Returns the payloads that wait in the outbox, concatenated. */
static char *
waiting(struct harness *h)
{
	struct stet_call *call = call_new();
	struct stet_rows rows;
	char *out = strdup("");

	call_enter(call, harness_site(h));
	assert_int_equal(
	    stet_query(call, &rows, "SELECT point || ' ' || payload FROM outbox ORDER BY id",
		STET_NO_ARGS),
	    STET_OK);
	while (stet_row(&rows)) {
		char *more = NULL;

		assert_true(asprintf(&more, "%s%s\n", out, stet_col_str(&rows, 0)) > 0);
		free(out);
		out = more;
	}
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	rows_end_call(call);
	call_free(call);
	return out;
}

static void
a_filter_sets_fields_before_they_are_checked(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, say(h, author, "POST " BASE, "{'data':{'title':'filter'}}"));
	assert_string_equal(harness_text(o->data, "item.data.summary"), "filtered");
	o = say(h, author, "POST " BASE, "{'data':{'title':'filter badly'}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "data.year"));
	o = say(h, author, "POST " BASE, "{'data':{'title':'filter unknown'}}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "data.nope"));
	assert_int_equal(count(h), 1);
	/* The filter runs for an update of another field, too; only changed values are written. */
	harness_ok(
	    o, say(h, author, "PUT " BASE "/filter", "{'data':{'title':'filter clear','year':3}}"));
	assert_null(harness_at(o->data, "item.data.summary"));
	assert_int_equal(harness_int(o->data, "item.data.year"), 3);
	assert_int_equal(harness_int(o->data, "item.data.rank"), 7);
	harness_ok(o, say(h, author, "PUT " BASE "/filter", "{'data':{'title':'filter'}}"));
	assert_string_equal(harness_text(o->data, "item.data.summary"), "filtered");
	assert_int_equal(harness_int(o->data, "item.data.year"), 3);
	assert_code(say(h, author, "PUT " BASE "/filter", "{'data':{'title':'filter badly'}}"),
	    "VALIDATION_ERROR");
}

static void
a_rejected_save_leaves_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], *text;

	make(h, author, id, "{'slug':'a','data':{'title':'a'}}");
	text = waiting(h);
	free(text);
	o = say(h, author, "POST " BASE, "{'data':{'title':'reject'}}");
	assert_code(o, "SAVE_REJECTED");
	assert_int_equal(o->http, 422);
	assert_string_equal(o->message, "I do not like it");
	assert_string_equal(harness_text(o->details, "field"), "data.title");
	o = say(h, author, "POST " BASE, "{'data':{'title':'filter reject'}}");
	assert_code(o, "SAVE_REJECTED");
	/* The plugin's own writes are rolled back, too. */
	assert_code(
	    say(h, author, "POST " BASE, "{'data':{'title':'write and reject'}}"), "SAVE_REJECTED");
	assert_code(say(h, author, "PUT " BASE "/a", "{'slug':'b','data':{'title':'reject'}}"),
	    "SAVE_REJECTED");
	assert_int_equal(count(h), 1);
	harness_ok(o, ask(h, author, "GET " BASE "/a"));
	assert_string_equal(harness_text(o->data, "item.data.title"), "a");
	assert_int_equal(harness_int(o->data, "item.version"), 1);
}

static void
a_failing_hook_is_told_without_its_text(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'a','data':{'title':'a'}}");
	for (int i = 0; i < 2; i++) {
		o = say(h, author, "POST " BASE, "{'data':{'title':'%s'}}",
		    i == 0 ? "fault" : "filter fault");
		assert_code(o, "CONTENT_HOOK_ERROR");
		assert_int_equal(o->http, 500);
		assert_null(strstr(o->text, "secret"));
	}
	assert_code(
	    say(h, author, "PUT " BASE "/a", "{'data':{'title':'fault'}}"), "CONTENT_HOOK_ERROR");
	assert_int_equal(count(h), 1);
	assert_string_equal(
	    harness_text(ask(h, author, "GET " BASE "/a")->data, "item.data.title"), "a");
}

static void
hooks_see_the_item_as_it_will_be(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], text[512];

	o = say(h, author, "POST " BASE,
	    "{'data':{'title':'tell','day':'2026-01-02','flag':1},'status':'published',"
	    "'locale':'FR'}");
	assert_code(o, "SAVE_REJECTED");
	snprintf(text, sizeof(text), "1 tell published fr %s ", author->id);
	assert_true(strncmp(o->message, text, strlen(text)) == 0);
	assert_non_null(strstr(o->message, "\"day\":\"2026-01-02T00:00:00.000Z\""));
	assert_non_null(strstr(o->message, "\"rank\":7"));
	make(h, author, id, "{'slug':'a','data':{'title':'a','year':1,'tags':['b']}}");
	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'other@example.org', 30, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    other_author->id);
	o = say(h, editor, "PUT " BASE "/a",
	    "{'slug':'c','data':{'title':'tell','year':null},'authorId':'%s'}", other_author->id);
	assert_code(o, "SAVE_REJECTED");
	snprintf(text, sizeof(text), "0 c draft en %s ", other_author->id);
	assert_true(strncmp(o->message, text, strlen(text)) == 0);
	assert_non_null(strstr(o->message, "\"tags\":[\"b\"]"));
	assert_null(strstr(o->message, "\"year\""));
}

static void
a_deletion_can_be_blocked(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	make(h, author, id, "{'slug':'a','data':{'title':'keep'}}");
	o = ask(h, author, "DELETE " BASE "/a");
	assert_code(o, "DELETE_BLOCKED");
	assert_int_equal(o->http, 400);
	assert_string_equal(o->message, "It stays");
	assert_ok(ask(h, author, "GET " BASE "/a"));
}

static void
saves_and_deletions_are_told_after_they_are_stored(void **state)
{
	struct harness *h = *state;
	char id[27], *text, line[512];

	make(h, author, id, "{'slug':'a','data':{}}");
	assert_ok(say(h, author, "PUT " BASE "/a", "{'slug':'b'}"));
	assert_code(say(h, author, "PUT " BASE "/b", "{'data':{'nope':1}}"), "VALIDATION_ERROR");
	assert_ok(ask(h, author, "DELETE " BASE "/b"));
	text = waiting(h);
	for (int i = 1; i <= 2; i++) {
		snprintf(line, sizeof(line),
		    "entry_after_save {\"collection\":\"posts\",\"id\":\"%s\",\"slug\":\"%s\","
		    "\"status\":\"draft\",\"locale\":\"en\",\"isNew\":%s,\"version\":%d}",
		    id, i == 1 ? "a" : "b", i == 1 ? "true" : "false", i);
		if (strstr(text, line) == NULL)
			fail_msg("not %s, but\n%s", line, text);
	}
	snprintf(line, sizeof(line),
	    "entry_after_delete {\"collection\":\"posts\",\"id\":\"%s\",\"slug\":\"b\","
	    "\"permanent\":false}",
	    id);
	if (strstr(text, line) == NULL)
		fail_msg("not %s, but\n%s", line, text);
	free(text);
}

/* The hook gets the stored slug, status and version. */
static void
what_is_told_of_a_save_is_what_it_answers(void **state)
{
	static const struct {
		const char *create, *update;
	} cases[] = {
		{ "", "{'data':{'title':'b'}}" },
		{ "", "{'status':'published'}" },
		{ "", "{'status':'published','slug':'b','data':{'title':'b'}}" },
		{ ",'status':'published'", "{'data':{'title':'b'}}" },
		{ ",'status':'published'", "{'status':'draft'}" },
		{ ",'status':'published'", "{'status':'draft','data':{'title':'b'}}" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct outcome *o;
		char id[27], want[128], *text, *last = NULL;

		make(h, author, id, "{'slug':'a','data':{'title':'a'}%s}", cases[i].create);
		harness_ok(o, say(h, editor, "PUT " BASE "/a", "%s", cases[i].update));
		(void)snprintf(want, sizeof(want),
		    "\"slug\":\"%s\",\"status\":\"%s\",\"locale\":\"en\",\"isNew\":false,"
		    "\"version\":%d}",
		    harness_text(o->data, "item.slug"), harness_text(o->data, "item.status"),
		    (int)harness_int(o->data, "item.version"));
		text = waiting(h);
		for (char *p = text; (p = strstr(p, "entry_after_save")) != NULL; p++)
			last = p;
		if (last == NULL || strstr(last, want) == NULL)
			fail_msg("%s %s: not %s, but\n%s", cases[i].create, cases[i].update, want,
			    last != NULL ? last : "nothing");
		free(text);
		assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
		assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
	}
}

static int
told(struct harness *h)
{
	char *text = waiting(h);
	int count = 0;

	for (char *p = text; (p = strstr(p, "entry_after_save")) != NULL; p++)
		count++;
	free(text);
	return count;
}

static void
a_save_that_changes_nothing_is_told_to_nobody(void **state)
{
	static const char *const updates[] = { "{'data':{'title':'a'}}", "{'data':{}}",
		"{'slug':'a'}", "{'status':'published'}",
		"{'status':'published','slug':'a','data':{'title':'a'}}" };
	struct harness *h = *state;
	struct outcome *o;
	char id[27];
	int before;

	make(h, author, id, "{'slug':'a','status':'published','data':{'title':'a'}}");
	before = told(h);
	at(h, 1000);
	for (size_t i = 0; i < COUNT(updates); i++) {
		harness_ok(o, say(h, editor, "PUT " BASE "/a", "%s", updates[i]));
		assert_int_equal(harness_int(o->data, "item.version"), 1);
		assert_string_equal(
		    harness_text(o->data, "item.updatedAt"), "2026-06-01T12:00:00.000Z");
	}
	assert_int_equal(told(h), before);
	harness_ok(o, ask(h, editor, "GET " BASE "/a/revisions"));
	assert_int_equal(harness_int(o->data, "total"), 0);
	/* An equal save of a pending draft calls no hook. */
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'b'}}"));
	before++;
	assert_int_equal(told(h), before);
	harness_ok(o, say(h, editor, "PUT " BASE "/a", "{'data':{'title':'b'}}"));
	assert_int_equal(harness_int(o->data, "item.version"), 2);
	assert_int_equal(told(h), before);
	assert_ok(say(h, editor, "PUT " BASE "/a", "{'data':{'title':'b'},'authorId':null}"));
	assert_int_equal(told(h), before + 1);
}

#define hooked(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		hooked(a_filter_sets_fields_before_they_are_checked),
		hooked(a_rejected_save_leaves_nothing),
		hooked(a_failing_hook_is_told_without_its_text),
		hooked(hooks_see_the_item_as_it_will_be),
		hooked(a_deletion_can_be_blocked),
		hooked(what_is_told_of_a_save_is_what_it_answers),
		hooked(a_save_that_changes_nothing_is_told_to_nobody),
		hooked(saves_and_deletions_are_told_after_they_are_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
