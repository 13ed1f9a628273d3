/* changed.t - the hook entry_changed: its kinds of change, its items, how often it is called, and
 * that it runs in the transaction. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char id[27];

static int
begin(void **state)
{
	unsetenv("STET_LEDGER_FAILS");
	posts_plugins = "t/plugins/ledger/.libs";
	posts_begin(state);
	assert_ok(ask(*state, admin, "POST /admin/plugins/ledger/enable"));
	return 0;
}

static int
end(void **state)
{
	unsetenv("STET_LEDGER_FAILS");
	posts_plugins = NULL;
	return posts_end(state);
}

/* Returns the lines since the last call, without the collection, with ID for the item's id. Static
 * buffer. */
static const char *
told(struct harness *h)
{
	static char sql[512];
	static char text[4096];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT coalesce(group_concat(replace(replace(line, '%s', 'ID'), 'posts ', ''), '; '), "
	    "'') FROM (SELECT line FROM ledger_row ORDER BY n) AS l",
	    id);
	(void)snprintf(text, sizeof(text), "%s", inside_ask(h, sql));
	inside_sql(h, "DELETE FROM ledger_row", NULL);
	return text;
}

static struct outcome *
on(struct harness *h, const char *method, const char *item, const char *rest, const char *body)
{
	char request[128];

	(void)snprintf(request, sizeof(request), "%s " BASE "/%s%s", method, item, rest);
	return say(h, admin, request, "%s", body);
}

static void
made(struct harness *h, const char *body)
{
	make(h, admin, id, "%s", body);
}

static void
every_change_of_an_item_is_told_once(void **state)
{
	struct harness *h = *state;

	made(h, "{'data':{'title':'One'}}");
	assert_string_equal(told(h), "ID create 1 (1 One)");
	assert_ok(on(h, "PUT", id, "", "{'data':{'title':'Two'}}"));
	assert_string_equal(told(h), "ID update 2 (2 Two)");
	assert_ok(on(h, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05.000Z'}"));
	assert_string_equal(told(h), "ID schedule 3 (3 Two)");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/schedule", id));
	assert_string_equal(told(h), "ID schedule 4 (4 Two)");
	assert_ok(on(h, "POST", id, "/publish", ""));
	assert_string_equal(told(h), "ID publish 5 (5 Two)");
	assert_ok(on(h, "PUT", id, "", "{'data':{'title':'Three'}}"));
	assert_string_equal(told(h), "ID stage 6 (6 Two)");
	assert_ok(on(h, "POST", id, "/discard-draft", "{}"));
	assert_string_equal(told(h), "ID discard 7 (7 Two)");
	assert_ok(on(h, "POST", id, "/unpublish", "{}"));
	assert_string_equal(told(h), "ID unpublish 8 (8 Two)");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_string_equal(told(h), "ID delete 9 (9 Two)");
	assert_ok(on(h, "POST", id, "/restore", "{}"));
	assert_string_equal(told(h), "ID restore 9 (9 Two)");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
	assert_string_equal(told(h), "ID delete 10 (10 Two); ID purge 11 (none)");
}

static void
what_changes_nothing_is_not_told(void **state)
{
	struct harness *h = *state;

	made(h, "{'data':{'title':'One'},'status':'published'}");
	assert_string_equal(told(h), "ID create 1 (1 One)");
	assert_ok(on(h, "POST", id, "/publish", ""));
	assert_ok(on(h, "PUT", id, "", "{'data':{'title':'One'}}"));
	assert_ok(on(h, "PUT", id, "", "{}"));
	assert_ok(on(h, "POST", id, "/discard-draft", "{}"));
	assert_string_equal(told(h), "");
}

static void
a_request_that_makes_two_changes_tells_both(void **state)
{
	struct harness *h = *state;

	made(h, "{'data':{'title':'One'},'status':'published'}");
	(void)told(h);
	assert_ok(on(h, "PUT", id, "", "{'data':{'title':'Two'},'status':'draft'}"));
	assert_string_equal(told(h), "ID stage 2 (2 One); ID unpublish 3 (3 One)");
}

static void
a_publication_on_time_is_told(void **state)
{
	struct harness *h = *state;

	made(h, "{'data':{'title':'One'}}");
	assert_ok(on(h, "POST", id, "/schedule", "{'scheduledAt':'2026-06-01T12:00:05.000Z'}"));
	(void)told(h);
	at(h, 5000);
	inside_sweep(h);
	assert_string_equal(told(h), "ID publish 3 (3 One)");
}

static void
siblings_that_share_a_value_are_told(void **state)
{
	struct harness *h = *state;
	char sibling[27];

	field(h, "posts", "isbn", "string", "'translatable':false");
	made(h, "{'data':{'title':'One','isbn':'1'}}");
	make(h, admin, sibling, "{'data':{'title':'Un'},'locale':'fr','translationOf':'%s'}", id);
	(void)told(h);
	assert_ok(on(h, "PUT", sibling, "", "{'data':{'isbn':'2'}}"));
	assert_non_null(strstr(told(h), "; ID update 2 (2 One)"));
}

static void
a_copy_and_a_restored_revision_are_told(void **state)
{
	struct harness *h = *state;
	const char *revision;

	made(h, "{'data':{'title':'One'}}");
	assert_ok(on(h, "PUT", id, "", "{'data':{'title':'Two'}}"));
	(void)told(h);
	revision = inside_ask(h, "SELECT id FROM revision ORDER BY id LIMIT 1");
	assert_ok(ask(h, admin, "POST /revisions/%s/restore", revision));
	assert_string_equal(told(h), "ID update 3 (3 One)");
	assert_ok(on(h, "POST", id, "/duplicate", "{}"));
	assert_non_null(strstr(told(h), " create 1 (1 One (Copy))"));
}

static void
it_is_part_of_the_transaction(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	made(h, "{'data':{'title':'One'}}");
	(void)told(h);
	setenv("STET_LEDGER_FAILS", "1", 1);
	o = on(h, "PUT", id, "", "{'data':{'title':'Two'}}");
	assert_code(o, "CONTENT_HOOK_ERROR");
	assert_null(strstr(o->text, "secret"));
	assert_string_equal(told(h), "");
	assert_string_equal(inside_ask(h, "SELECT f_title || version FROM c_posts"), "One1");
}

#define told_of(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		told_of(every_change_of_an_item_is_told_once),
		told_of(what_changes_nothing_is_not_told),
		told_of(a_request_that_makes_two_changes_tells_both),
		told_of(a_publication_on_time_is_told),
		told_of(siblings_that_share_a_value_are_told),
		told_of(a_copy_and_a_restored_revision_are_told),
		told_of(it_is_part_of_the_transaction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
