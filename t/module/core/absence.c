/* absence.t - a disabled module: how it catches up when it is enabled again, and what it
 * reports. */
#include "db/db.h"
#include "db/rows.h"
#include "db/writer.h"
#include "module/module.h"
#include "op/part.h"
#include "searched.h"
#include "site/compile.h"
#include <stet/changes.h>

static void
turn(struct harness *h, const char *module, const char *verb)
{
	assert_ok(ask(h, admin, "POST /admin/plugins/%s/%s", module, verb));
}

/* Returns the first problem that search_verify finds, or "". */
static const char *
problems(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "search_verify", "{}"));
	return harness_text(o->data, "problems[0]");
}

static bool
is_updating(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /search/stats"));
	return json_is_true(harness_at(o->data, "updating"));
}

/* ---- search ---- */

static void
search_finds_what_was_changed_while_it_was_off(void **state)
{
	struct harness *h = *state;
	char same[27], changed[27], hidden[27], purged[27], made[27];

	post(h, same, "Same", "quagga");
	post(h, changed, "Changed", "walrus");
	post(h, hidden, "Hidden", "ocelot");
	post(h, purged, "Purged", "marmot");
	turn(h, "search", "disable");
	assert_ok(say(h, editor, "PUT /content/posts/changed", "{'data':{'title':'Otter'}}"));
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", changed));
	assert_ok(ask(h, editor, "POST " BASE "/%s/unpublish", hidden));
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", purged));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", purged));
	post(h, made, "Made", "narwhal");
	turn(h, "search", "enable");
	assert_true(is_updating(h));
	work_all(h);
	assert_false(is_updating(h));
	assert_string_equal(problems(h), "");
	assert_int_equal(hits(h, "quagga"), 1);
	assert_int_equal(hits(h, "otter"), 1);
	assert_int_equal(hits(h, "ocelot"), 0);
	assert_int_equal(hits(h, "marmot"), 0);
	assert_int_equal(hits(h, "narwhal"), 1);
	assert_int_equal(indexed(h, "posts"), 4);
}

static void
an_index_of_which_nothing_changed_is_not_written(void **state)
{
	struct harness *h = *state;
	char before[200], after[200];

	many(h, 600);
	assert_ok(say(h, admin, "POST /search/rebuild", "{'collection':'posts'}"));
	work_all(h);
	state_of(h, before);
	turn(h, "search", "disable");
	turn(h, "search", "enable");
	work_all(h);
	state_of(h, after);
	assert_string_equal(after, before);
	assert_string_equal(problems(h), "");
}

static void
what_was_compared_is_not_compared_again_after_a_crash(void **state)
{
	struct harness *h = *state;

	many(h, 600);
	turn(h, "search", "disable");
	inside_sql(h, "UPDATE c_posts SET f_title = 'Yak'", NULL);
	turn(h, "search", "enable");
	/* Each run of the job is interrupted, and the next one continues. */
	for (int turns = 0; is_updating(h); turns++) {
		assert_true(turns < 10);
		inside_run_job(h, "search");
	}
	assert_string_equal(problems(h), "");
	assert_int_equal(hits(h, "yak"), 100);
}

static void
what_is_saved_meanwhile_is_right_in_the_end(void **state)
{
	struct harness *h = *state;
	char a[27], b[27];

	post(h, a, "A", "quagga");
	post(h, b, "B", "walrus");
	turn(h, "search", "disable");
	inside_sql(h, "UPDATE c_posts SET f_title = 'Yak'", NULL);
	turn(h, "search", "enable");
	assert_ok(ask(h, editor, "DELETE " BASE "/%s", a));
	assert_ok(say(h, editor, "PUT /content/posts/b", "{'data':{'title':'Gnu'}}"));
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", b));
	work_all(h);
	assert_string_equal(problems(h), "");
	assert_int_equal(hits(h, "yak"), 0);
	assert_int_equal(hits(h, "gnu"), 1);
}

static void
search_follows_what_became_of_the_schema(void **state)
{
	struct harness *h = *state;
	char id[27];

	post(h, id, "Title", "quagga");
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'news','label':'N','labelSingular':'N','supports':['search']}"));
	assert_ok(say(h, admin, "POST /schema/collections/news/fields",
	    "{'slug':'title','label':'T','type':'string','searchable':true}"));
	enable(h, "news", "");
	work_all(h);
	turn(h, "search", "disable");
	assert_ok(ask(h, admin, "DELETE /schema/collections/news?force=true"));
	assert_ok(say(h, admin, "POST /schema/collections/posts/fields",
	    "{'slug':'more','label':'E','type':'string','searchable':true}"));
	assert_ok(say(h, editor, "PUT /content/posts/title", "{'data':{'more':'walrus'}}"));
	assert_ok(ask(h, editor, "POST " BASE "/%s/publish", id));
	turn(h, "search", "enable");
	work_all(h);
	assert_string_equal(problems(h), "");
	assert_int_equal(hits(h, "walrus"), 1);
	assert_int_equal(hits(h, "quagga"), 1);
	assert_string_equal(index_ask(h, "SELECT count(*) FROM search_index"), "1");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM search_config"), "1");
}

static void
an_index_that_was_half_built_is_built_anew(void **state)
{
	struct harness *h = *state;

	many(h, 600);
	assert_ok(say(h, admin, "POST /search/enable",
	    "{'collection':'posts','enabled':true,'tokenize':'unicode61'}"));
	index_sql(h,
	    "INSERT INTO search_index (id, collection, state, tokenizer, columns, cursor, total,"
	    " done) SELECT 1000, collection, 'building', tokenizer, columns, 'zzz', 600, 500 FROM"
	    " search_index WHERE state = 'serving'",
	    NULL);
	turn(h, "search", "disable");
	turn(h, "search", "enable");
	work_all(h);
	assert_string_equal(problems(h), "");
	assert_int_equal(indexed(h, "posts"), 600);
}

/* ---- by the word of the configuration ---- */

static void
configure(struct harness *h, const char *const *modules)
{
	struct site *site = harness_site(h);
	char **was = site->conf.modules, *why;
	enum stet_status status;

	site->conf.modules = (char **)(uintptr_t)modules;
	status = compile_site(site, &why);
	site->conf.modules = was;
	assert_int_equal(status, STET_OK);
}

static void
a_module_that_the_configuration_left_out_makes_up_for_it_too(void **state)
{
	static const char *const without[] = { "schema", "content", NULL }, *const all[] = { "*",
		NULL };
	struct harness *h = *state;
	char id[27];

	post(h, id, "A", "quagga");
	configure(h, without);
	inside_sql(h, "UPDATE c_posts SET f_title = 'Yak'", NULL);
	configure(h, all);
	work_all(h);
	assert_string_equal(problems(h), "");
	assert_int_equal(hits(h, "yak"), 1);
}

/* ---- the change feed ---- */

static void
a_cursor_from_before_the_feed_was_off_is_gone(void **state)
{
	struct harness *h = *state;
	char cursor[2][2100], id[27];
	struct outcome *o;

	post(h, id, "A", "a");
	harness_ok(o, ask(h, editor, "GET /changes"));
	snprintf(cursor[0], sizeof(cursor[0]), "%s", harness_text(o->data, "cursor"));
	assert_ok(ask(h, editor, "GET /changes?since=%s", cursor[0]));
	turn(h, "changes", "disable");
	post(h, id, "B", "b");
	turn(h, "changes", "enable");
	o = ask(h, editor, "GET /changes?since=%s", cursor[0]);
	assert_code(o, "CURSOR_EXPIRED");
	assert_int_equal(o->http, 410);
	assert_code(ask(h, subscriber, "GET /changes?since=%s", cursor[0]), "CURSOR_EXPIRED");
	assert_code(
	    ask(h, subscriber, "GET /changes?wait=5&since=%s", cursor[0]), "CURSOR_EXPIRED");
	assert_code(
	    harness_op(h, editor, "changes", "{\"since\":\"%s\"}", cursor[0]), "CURSOR_EXPIRED");
	harness_ok(o, ask(h, editor, "GET /changes"));
	snprintf(cursor[1], sizeof(cursor[1]), "%s", harness_text(o->data, "cursor"));
	post(h, id, "C", "c");
	harness_ok(o, ask(h, editor, "GET /changes?since=%s", cursor[1]));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	/* Every new enabling invalidates cursors, even if nothing was written meanwhile. */
	turn(h, "changes", "disable");
	turn(h, "changes", "enable");
	assert_code(ask(h, editor, "GET /changes?since=%s", cursor[1]), "CURSOR_EXPIRED");
}

/* ---- writes that began before the module was enabled ---- */

static enum stet_status
note_one(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_changes_1 *changes = stet_service(call, STET_CHANGES_1);

	(void)arg;
	assert_non_null(changes);
	return changes->note(call, tx, "menu", "late", "update");
}

static void
a_write_that_was_queued_before_is_heard_by_a_module_that_was_enabled_since(void **state)
{
	struct harness *h = *state;
	struct stet_call *call;
	struct outcome *o;

	turn(h, "changes", "disable");
	call = call_new();
	call_enter(call, harness_site(h));
	assert_null(stet_service(call, STET_CHANGES_1));
	turn(h, "changes", "enable");
	call->owner = modules_find("changes");
	op_part(call)->job = (struct write_job){ .call = call, .run = note_one };
	assert_int_equal(writer_run(call->site->writer, &op_part(call)->job), STET_OK);
	rows_end_call(call);
	call_free(call);
	harness_ok(o, ask(h, editor, "GET /changes"));
	assert_string_equal(
	    inside_ask(h, "SELECT id FROM change_feed ORDER BY number DESC LIMIT 1"), "late");
}

static enum stet_status
do_nothing(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)tx;
	(*(int *)arg)++;
	(void)call;
	return STET_OK;
}

static void
a_write_that_was_queued_before_others_were_swapped_is_to_be_tried_again(void **state)
{
	struct harness *h = *state;
	struct stet_call *call;
	int ran = 0;

	turn(h, "changes", "disable");
	call = call_new();
	call_enter(call, harness_site(h));
	turn(h, "changes", "enable");
	turn(h, "search", "disable");
	op_part(call)->job = (struct write_job){ .call = call, .run = do_nothing, .arg = &ran };
	assert_int_equal(writer_run(call->site->writer, &op_part(call)->job), STET_UNAVAILABLE);
	assert_int_equal(ran, 0);
	rows_end_call(call);
	call_free(call);
	/* A call whose generation only lost a module runs to its end. */
	call = call_new();
	call_enter(call, harness_site(h));
	turn(h, "changes", "disable");
	op_part(call)->job = (struct write_job){ .call = call, .run = do_nothing, .arg = &ran };
	assert_int_equal(writer_run(call->site->writer, &op_part(call)->job), STET_OK);
	assert_int_equal(ran, 1);
	rows_end_call(call);
	call_free(call);
}

/* ---- audit ---- */

/* Returns the i-th newest record as "op subject". */
static const char *
record(struct harness *h, int i)
{
	static char text[128];
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /admin/audit?limit=5"));
	snprintf(text, sizeof(text), "%s %s",
	    harness_text(json_array_get(harness_at(o->data, "items"), (size_t)i), "op"),
	    harness_text(json_array_get(harness_at(o->data, "items"), (size_t)i), "subject"));
	return text;
}

static void
audit_keeps_its_own_disabling_and_enabling(void **state)
{
	struct harness *h = *state;
	char id[27];

	turn(h, "audit", "disable");
	post(h, id, "A", "a");
	turn(h, "audit", "enable");
	assert_string_equal(record(h, 0), "plugin_enable audit");
	assert_string_equal(record(h, 1), "plugin_disable audit");
	assert_ok(harness_op(h, admin, "audit_prove", "{}"));
	/* A refused attempt to disable leaves nothing behind; later records are kept. */
	assert_code(ask(h, editor, "POST /admin/plugins/audit/disable"), "FORBIDDEN");
	assert_ok(harness_op(h, admin, "audit_prove", "{}"));
}

static void
audit_says_since_when_it_was_off(void **state)
{
	static const char *const without[] = { "schema", "content", NULL }, *const all[] = { "*",
		NULL };
	struct harness *h = *state;
	struct outcome *o;

	harness_clock(h, "2026-06-02T12:00:00Z");
	configure(h, without);
	harness_clock(h, "2026-06-03T12:00:00Z");
	configure(h, all);
	assert_true(inside_work(h, "audit"));
	harness_ok(o, ask(h, admin, "GET /admin/audit?limit=1"));
	assert_string_equal(harness_text(o->data, "items[0].op"), "audit_resume");
	assert_string_equal(
	    harness_text(o->data, "items[0].names.from"), "2026-06-02T12:00:00.000Z");
	assert_string_equal(
	    harness_text(o->data, "items[0].names.until"), "2026-06-03T12:00:00.000Z");
	assert_ok(harness_op(h, admin, "audit_prove", "{}"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		searched(search_finds_what_was_changed_while_it_was_off),
		searched(an_index_of_which_nothing_changed_is_not_written),
		searched(what_was_compared_is_not_compared_again_after_a_crash),
		searched(what_is_saved_meanwhile_is_right_in_the_end),
		searched(search_follows_what_became_of_the_schema),
		searched(an_index_that_was_half_built_is_built_anew),
		searched(a_module_that_the_configuration_left_out_makes_up_for_it_too),
		searched(a_cursor_from_before_the_feed_was_off_is_gone),
		searched(
		    a_write_that_was_queued_before_is_heard_by_a_module_that_was_enabled_since),
		searched(a_write_that_was_queued_before_others_were_swapped_is_to_be_tried_again),
		searched(audit_keeps_its_own_disabling_and_enabling),
		searched(audit_says_since_when_it_was_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
