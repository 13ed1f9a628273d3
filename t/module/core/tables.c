/* tables - a plugin creates, changes and drops tables that begin with its name, and no others. */
#include "inside.h"
#include "posts.h"
#include <stdlib.h>

static int
begin(void **state)
{
	posts_plugins = "t/plugins/grabber";
	return posts_begin(state);
}

static int
end(void **state)
{
	posts_plugins = NULL;
	unsetenv("STET_GRABBER_SQL");
	return posts_end(state);
}

static struct outcome *
enable(struct harness *h)
{
	return say(h, admin, "POST /admin/plugins/grabber/enable", "{}");
}

static struct outcome *
grab(struct harness *h, const char *sql)
{
	return harness_send(h, admin, "POST /plugins/grabber/grab", "{\"sql\":\"%s\"}", sql);
}

static void
its_own_tables_are_a_plugins_to_change(void **state)
{
	static const char *const own[] = {
		"CREATE TABLE grabber_two (id TEXT PRIMARY KEY, n INTEGER UNIQUE)",
		"CREATE TABLE Grabber_Three AS SELECT 1 AS one",
		"CREATE UNIQUE INDEX grabber_n ON grabber_two (n, id)",
		"ALTER TABLE grabber_two ADD COLUMN more TEXT",
		"ALTER TABLE grabber_two RENAME COLUMN more TO less",
		"ALTER TABLE grabber_two DROP COLUMN less",
		" alter\\n table grabber_two rename to \\\"grabber_2\\\" ; ",
		"DROP INDEX grabber_n",
		"DROP TRIGGER grabber_told",
		"CREATE VIEW grabber_view AS SELECT * FROM c_posts",
		"DROP VIEW grabber_view",
		"DROP TABLE grabber_2",
		"UPDATE c_posts SET slug = slug",
	};
	struct harness *h = *state;

	assert_ok(enable(h));
	for (size_t i = 0; i < COUNT(own); i++)
		assert_ok(grab(h, own[i]));
	assert_string_equal(
	    inside_ask(h, "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE"
			  " name LIKE 'grabber%' ORDER BY name) AS s"),
	    "Grabber_Three,grabber_by_name,grabber_row");
}

static void
others_are_not(void **state)
{
	static const char *const others[] = {
		"CREATE TABLE other (id TEXT)",
		"CREATE TABLE grabber (id TEXT)",
		"CREATE TABLE grabberx_row (id TEXT)",
		"CREATE TABLE \\\"grabber-row\\\" (id TEXT)",
		"CREATE TEMP TABLE grabber_t (id TEXT)",
		"CREATE VIEW other AS SELECT 1",
		"CREATE INDEX grabber_posts ON c_posts (status)",
		"CREATE INDEX other ON grabber_row (name)",
		"CREATE TRIGGER grabber_x AFTER INSERT ON c_posts BEGIN SELECT 1; END",
		"CREATE VIRTUAL TABLE other USING fts5(x)",
		"ALTER TABLE c_posts ADD COLUMN x TEXT",
		"ALTER TABLE c_posts RENAME TO grabber_posts",
		"ALTER TABLE grabber_row RENAME TO other",
		"ALTER TABLE grabber_row RENAME TO \\\"c_other\\\"",
		"ALTER TABLE grabber_row RENAME /* TO grabber_x */ TO other",
		"ALTER TABLE grabber_row RENAME TO other -- RENAME TO grabber_x",
		"ALTER TABLE main.grabber_row RENAME TO other",
		"DROP TABLE c_posts",
		"DROP TABLE IF EXISTS users",
		"DROP INDEX i_created_posts",
	};
	struct harness *h = *state;
	char was[16384];

	assert_ok(enable(h));
	assert_true(
	    snprintf(was, sizeof(was), "%s",
		inside_ask(h, "SELECT group_concat(name) FROM sqlite_schema")) < (int)sizeof(was));
	for (size_t i = 0; i < COUNT(others); i++)
		if (grab(h, others[i])->http != 500)
			fail_msg("it may: %s", others[i]);
	assert_string_equal(inside_ask(h, "SELECT group_concat(name) FROM sqlite_schema"), was);
}

/* A statement that the core has left in the statement cache does not bypass the check of tables. */
static void
what_another_has_prepared_is_no_way_round(void **state)
{
	struct harness *h = *state;

	assert_ok(enable(h));
	inside_sql(h, "CREATE TABLE thing (id TEXT)", NULL);
	inside_sql(h, "DROP TABLE thing", NULL);
	inside_sql(h, "CREATE TABLE thing (id TEXT)", NULL);
	assert_int_equal(grab(h, "/* test */ DROP TABLE thing")->http, 500);
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'thing'"), "1");
}

static void
a_migration_that_reaches_for_more_enables_nothing(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	setenv("STET_GRABBER_SQL", "CREATE TABLE other (id TEXT)", 1);
	assert_code(enable(h), "PLUGIN_ENABLE_ERROR");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'grabber%'"), "0");
	harness_ok(o, ask(h, admin, "GET /admin/plugins/grabber"));
	assert_string_equal(harness_text(o->data, "item.status"), "inactive");
	unsetenv("STET_GRABBER_SQL");
	assert_ok(enable(h));
}

static void
names_that_begin_alike_are_refused(void **state)
{
	static const char *const names[] = { "grabber-x", "grabber_x", "grabber-" };
	struct harness *h = *state;
	struct outcome *o;

	for (size_t i = 0; i < COUNT(names); i++) {
		inside_sql(h,
		    "INSERT INTO module_state (module, enabled, installed_at)"
		    " VALUES (?1, 0, '2026-01-01T00:00:00.000Z')",
		    names[i]);
		o = enable(h);
		assert_code(o, "CONFLICT");
		assert_non_null(strstr(o->message, names[i]));
		inside_sql(h, "DELETE FROM module_state WHERE module = ?1", names[i]);
	}
	inside_sql(h,
	    "INSERT INTO module_state (module, enabled, installed_at)"
	    " VALUES (?1, 0, '2026-01-01T00:00:00.000Z')",
	    "grabberx");
	inside_sql(h, "CREATE TABLE grabber_thing (id TEXT)", NULL);
	o = enable(h);
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->message, "grabber_thing"));
	inside_sql(h, "DROP TABLE grabber_thing", NULL);
	assert_ok(enable(h));
}

static void
capabilities_are_shown(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /admin/plugins/grabber"));
	assert_string_equal(harness_text(o->data, "item.capabilities[0]"), "mail");
	assert_string_equal(harness_text(o->data, "item.capabilities[1]"), "fetch:api.example.org");
	harness_ok(o, ask(h, admin, "GET /admin/plugins/content"));
	assert_int_equal(json_array_size(harness_at(o->data, "item.capabilities")), 0);
}

#define grabbed(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		grabbed(its_own_tables_are_a_plugins_to_change),
		grabbed(others_are_not),
		grabbed(what_another_has_prepared_is_no_way_round),
		grabbed(a_migration_that_reaches_for_more_enables_nothing),
		grabbed(names_that_begin_alike_are_refused),
		grabbed(capabilities_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
