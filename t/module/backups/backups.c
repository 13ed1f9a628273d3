/* backups.t - what administrators see of backups: archives by their names alone, what is noted of
 * the last, and nothing for others. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void
put(const struct harness *h, const char *name, const char *text)
{
	char path[4096];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", harness_data(h), name);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void
make_directory(const struct harness *h, const char *name)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", harness_data(h), name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void
without_backups_there_is_nothing_to_list(void **state)
{
	struct harness *h = harness_open(NULL);
	struct outcome *o;

	(void)state;
	harness_ok(o, harness_request(h, admin, "GET /admin/backups", NULL, NULL));
	assert_string_equal(harness_text(o->data, "state"), "idle");
	assert_int_equal(json_array_size(harness_at(o->data, "archives")), 0);
	assert_null(harness_at(o->data, "schedule"));
	assert_null(harness_at(o->data, "nextAt"));
	assert_null(harness_at(o->data, "problem"));
	assert_int_equal(json_object_size(harness_at(o->data, "scheduled")), 0);
	assert_int_equal(json_object_size(harness_at(o->data, "requested")), 0);
	assert_non_null(strstr(harness_text(o->data, "directory"), "/backups"));
	harness_close(h, false);
}

static void
archives_are_known_by_their_names(void **state)
{
	struct harness *h = harness_open(NULL);
	const char *site = site_name(harness_site(h));
	char name[256];
	struct outcome *o;

	(void)state;
	make_directory(h, "backups");
	(void)snprintf(name, sizeof(name), "backups/%s-20260601T033000Z.tar.zst", site);
	put(h, name, "12345");
	(void)snprintf(
	    name, sizeof(name), "backups/%s-20260602T033000Z-asked.tar.zst.sealed", site);
	put(h, name, "123");
	(void)snprintf(name, sizeof(name), "backups/%s-20269999T033000Z.tar.zst", site);
	put(h, name, "no time");
	(void)snprintf(name, sizeof(name), "backups/%s-20260602T033000Z-asked-not.tar.zst", site);
	put(h, name, "no name of ours");
	(void)snprintf(name, sizeof(name), "backups/.%s-20260601T033000Z.tar.zst.AbCdEf", site);
	put(h, name, "begun");
	put(h, "backups/\xff\xfe-20260601T033000Z.tar.zst", "another's");
	harness_ok(o, harness_request(h, admin, "GET /admin/backups", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "archives")), 2);
	assert_true(json_is_true(harness_at(o->data, "archives[0].isRequested")));
	assert_int_equal(harness_int(o->data, "archives[0].bytes"), 3);
	assert_string_equal(
	    harness_text(o->data, "archives[1].createdAt"), "2026-06-01T03:30:00.000Z");
	assert_true(json_is_false(harness_at(o->data, "archives[1].isRequested")));
	assert_int_equal(harness_int(o->data, "archives[1].bytes"), 5);
	assert_int_equal(harness_int(o->data, "archiveCount"), 2);
	assert_int_equal(harness_int(o->data, "archiveBytes"), 8);
	harness_close(h, false);
}

static void
the_newest_two_hundred_are_listed_of_many(void **state)
{
	struct harness *h = harness_open(NULL);
	const char *site = site_name(harness_site(h));
	char name[256];
	struct outcome *o;

	(void)state;
	make_directory(h, "backups");
	for (int i = 0; i < 250; i++) {
		(void)snprintf(name, sizeof(name), "backups/%s-20260601T%02d%02d00Z.tar.zst", site,
		    i / 60, i % 60);
		put(h, name, "x");
	}
	harness_ok(o, harness_request(h, admin, "GET /admin/backups", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "archives")), 200);
	assert_int_equal(harness_int(o->data, "archiveCount"), 250);
	assert_int_equal(harness_int(o->data, "archiveBytes"), 250);
	assert_string_equal(
	    harness_text(o->data, "archives[0].createdAt"), "2026-06-01T04:09:00.000Z");
	harness_close(h, false);
}

static void
a_directory_that_is_none_is_told(void **state)
{
	struct harness *h = harness_open(NULL);
	struct outcome *o;

	(void)state;
	put(h, "backups", "a file");
	harness_ok(o, harness_request(h, admin, "GET /admin/backups", NULL, NULL));
	assert_non_null(strstr(harness_text(o->data, "problem"), "Not a directory"));
	harness_close(h, false);
}

static void
what_came_of_the_last_ones_is_told_apart(void **state)
{
	struct harness *h = harness_open(NULL);
	struct outcome *o;

	(void)state;
	put(h, "backup.json",
	    "{\"tried\": 1780284000000, \"error\": \"no room\", \"failures\": 3,"
	    " \"asked\": {\"tried\": 1780284060000, \"made\": 1780284060000, \"file\": \"/b/x\","
	    " \"bytes\": 77, \"ms\": 5}}");
	harness_ok(o, harness_request(h, admin, "GET /admin/backups", NULL, NULL));
	assert_string_equal(harness_text(o->data, "scheduled.error"), "no room");
	assert_string_equal(harness_text(o->data, "scheduled.triedAt"), "2026-06-01T03:20:00.000Z");
	assert_null(harness_at(o->data, "scheduled.madeAt"));
	assert_int_equal(harness_int(o->data, "scheduled.failures"), 3);
	assert_string_equal(harness_text(o->data, "requested.madeAt"), "2026-06-01T03:21:00.000Z");
	assert_string_equal(harness_text(o->data, "requested.path"), "/b/x");
	assert_int_equal(harness_int(o->data, "requested.bytes"), 77);
	assert_null(harness_at(o->data, "requested.error"));
	put(h, "backup.json", "[1, 2");
	harness_ok(o, harness_request(h, admin, "GET /admin/backups", NULL, NULL));
	assert_int_equal(json_object_size(harness_at(o->data, "scheduled")), 0);
	put(h, "backup.json",
	    "{\"tried\": \"soon\", \"made\": [], \"bytes\": \"many\", \"file\": 5, \"error\": {},"
	    " \"asked\": 7}");
	harness_ok(o, harness_request(h, admin, "GET /admin/backups", NULL, NULL));
	assert_int_equal(json_object_size(harness_at(o->data, "scheduled")), 0);
	harness_close(h, false);
}

static void
only_the_daemon_makes_one(void **state)
{
	struct harness *h = harness_open(NULL);

	(void)state;
	assert_code(harness_request(h, admin, "POST /admin/backups", NULL, NULL), "CONFLICT");
	harness_close(h, false);
}

static void
others_than_administrators_are_refused(void **state)
{
	static const struct harness_user reader[] = { { "01READER000000000000000000", 50,
	    "content:read content:write", false } };
	struct harness *h = harness_open(NULL);

	(void)state;
	assert_code(harness_request(h, editor, "GET /admin/backups", NULL, NULL), "FORBIDDEN");
	assert_code(harness_request(h, editor, "POST /admin/backups", NULL, NULL), "FORBIDDEN");
	assert_code(
	    harness_request(h, reader, "GET /admin/backups", NULL, NULL), "INSUFFICIENT_SCOPE");
	assert_code(harness_request(h, nobody, "POST /admin/backups", NULL, NULL), "UNAUTHORIZED");
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_backups_there_is_nothing_to_list),
		cmocka_unit_test(archives_are_known_by_their_names),
		cmocka_unit_test(the_newest_two_hundred_are_listed_of_many),
		cmocka_unit_test(a_directory_that_is_none_is_told),
		cmocka_unit_test(what_came_of_the_last_ones_is_told_apart),
		cmocka_unit_test(only_the_daemon_makes_one),
		cmocka_unit_test(others_than_administrators_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
