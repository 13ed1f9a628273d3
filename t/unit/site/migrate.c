/* migrate.t - migrations: one transaction each, resumed after an interruption, refused with a
 * reason. */
#include "site/upgrade.h"
#include "store.h"
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char clock_file[] = "/tmp/stet-migrate-clock-XXXXXX"; /* missing: the time is real */

static int
setup(void **state)
{
	*state = store_new();
	return 0;
}

static int
teardown(void **state)
{
	store_free(*state);
	return 0;
}

/* Closes and opens the site, as a new process would. */
static void
again(struct store *s)
{
	store_close(s);
	store_open(s);
}

static enum stet_status
fill(struct stet_call *call, struct stet_tx *tx)
{
	stet_assert(call->writing && stet_principal(call)->via == STET_VIA_SYSTEM);
	for (int i = 0; i < 10; i++)
		STET_TRY(stet_exec(call, tx, "INSERT INTO thing VALUES (?1)", STET_ARGS(i)));
	return STET_OK;
}

static int fuse; /* controls what `moody` does */

static enum stet_status
moody(struct stet_call *call, struct stet_tx *tx)
{
	STET_TRY(fill(call, tx));
	if (fuse == 1)
		return stet_fail(call, STET_FAULT, NULL, "the moon is not full");
	if (fuse == 2)
		kill(getpid(), SIGKILL);
	return STET_OK;
}

static const struct stet_migration rows[] = {
	{ 1, "things", "CREATE TABLE thing (n INTEGER PRIMARY KEY)", NULL },
	{ 2, "fill", NULL, moody },
	{ 3, "names", "ALTER TABLE thing ADD COLUMN name TEXT; UPDATE thing SET name = 'x'", NULL },
};

static enum stet_status
migrate(struct store *s, const struct stet_migration *row, uint32_t count, char **why)
{
	enum stet_status status = migrate_core(&s->site, why);

	assert_int_equal(status, STET_OK);
	assert_null(*why);
	return migrate_rows(&s->site, "things", row, count, why);
}

static int64_t
journal(struct store *s)
{
	return store_int(s, "SELECT count(*) FROM migration WHERE module = 'things'");
}

static void
migrations_run_once_and_in_order(void **state)
{
	struct store *s = *state;
	char *why;

	for (int i = 0; i < 3; i++) {
		assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
		assert_int_equal(store_int(s, "SELECT count(*) FROM thing WHERE name = 'x'"), 10);
		assert_int_equal(journal(s), 3);
		again(s);
	}
	assert_int_equal(store_int(s, "SELECT count(*) FROM migration WHERE module = 'core'"), 10);
	assert_int_equal(store_int(s, "SELECT count(*) FROM module_state"), 0);
	assert_int_equal(store_int(s, "SELECT count(*) FROM module_setting"), 0);
}

static void
a_later_version_adds_its_own(void **state)
{
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate(s, rows, 1, &why), STET_OK);
	assert_int_equal(journal(s), 1);
	again(s);
	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
	assert_int_equal(journal(s), 3);
}

static void
a_failed_migration_leaves_nothing_and_is_tried_again(void **state)
{
	struct store *s = *state;
	char *why;

	fuse = 1;
	assert_int_equal(migrate(s, rows, 3, &why), STET_MIGRATION_FAILED);
	fuse = 0;
	assert_string_equal(why, "things: migration 2 (fill) failed: the moon is not full. Nothing"
				 " of it was kept, and it is tried again at the next start");
	free(why);
	assert_int_equal(journal(s), 1);
	assert_int_equal(store_int(s, "SELECT count(*) FROM thing"), 0);
	again(s);
	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
	assert_int_equal(store_int(s, "SELECT count(*) FROM thing"), 10);
}

/* The version before goes on with what only adds to the database, and opens it again. */
static void
what_is_additive_is_no_newer_database(void **state)
{
	static const struct stet_migration later[] = {
		{ 1, "things", "CREATE TABLE thing (n INTEGER PRIMARY KEY)", NULL, 0 },
		{ 2, "more", "CREATE TABLE more (n INTEGER)", NULL, STET_ADDITIVE },
		{ 3, "names", "ALTER TABLE thing ADD COLUMN name TEXT", NULL, STET_ADDITIVE },
		{ 4, "no more", "DROP TABLE more", NULL, 0 },
	};
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate(s, later, 1, &why), STET_OK);
	assert_int_equal(migrate(s, later, 3, &why), STET_OK);
	again(s);
	assert_int_equal(migrate(s, later, 1, &why), STET_OK);
	assert_int_equal(journal(s), 3);
	assert_int_equal(migrate(s, later, 4, &why), STET_OK);
	again(s);
	assert_int_equal(migrate(s, later, 3, &why), STET_MIGRATION_FAILED);
	assert_non_null(strstr(why, "a newer version wrote it"));
	free(why);
}

/* A daemon that runs asks whether it may go on. */
static void
a_newer_database_is_seen_while_the_site_is_open(void **state)
{
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate_core(&s->site, &why), STET_OK);
	assert_null(migrate_newer(&s->site));
	store_sql(s,
	    "INSERT INTO migration (module, version, name, applied_at, digest) SELECT"
	    " module, 98, 'later', applied_at, digest || '+' FROM migration WHERE version = 1");
	assert_null(migrate_newer(&s->site));
	store_sql(s, "UPDATE migration SET digest = substr(digest, 1, 32) WHERE version = 98");
	why = migrate_newer(&s->site);
	assert_non_null(why);
	assert_non_null(strstr(why, "the database has migration 98"));
	free(why);
}

static void
sql_that_fails_is_told_with_its_reason(void **state)
{
	static const struct stet_migration bad[] = {
		{ 1, "half",
		    "CREATE TABLE half (a); CREATE TABLE other (b); INSERT INTO nowhere"
		    " VALUES (1)",
		    NULL },
	};
	static const struct stet_migration ends[] = {
		{ 1, "ends", "CREATE TABLE half (a); COMMIT", NULL },
	};
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate(s, bad, 1, &why), STET_MIGRATION_FAILED);
	assert_non_null(strstr(why, "migration 1 (half) failed: no such table: nowhere"));
	free(why);
	assert_int_equal(migrate(s, ends, 1, &why), STET_MIGRATION_FAILED);
	assert_non_null(strstr(why, "not authorized"));
	free(why);
	assert_int_equal(
	    store_int(s, "SELECT count(*) FROM sqlite_schema WHERE name IN ('half', 'other')"), 0);
}

static void
a_killed_migration_is_finished_by_a_later_start(void **state)
{
	struct store *s = *state;
	int status;
	char *why;
	pid_t pid;

	store_close(s);
	pid = fork();
	if (pid == 0) {
		store_open(s);
		fuse = 2;
		migrate(s, rows, 3, &why);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	store_open(s);
	assert_int_equal(journal(s), 1);
	assert_int_equal(store_int(s, "SELECT count(*) FROM thing"), 0);
	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
	assert_int_equal(store_int(s, "SELECT count(*) FROM thing WHERE name = 'x'"), 10);
}

static void
a_database_of_a_newer_version_is_refused(void **state)
{
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
	again(s);
	assert_int_equal(migrate(s, rows, 2, &why), STET_MIGRATION_FAILED);
	assert_non_null(strstr(why, "the database has migration 3 (names), but this program knows"
				    " only 2"));
	free(why);
}

static void
a_migration_that_changed_is_refused(void **state)
{
	struct stet_migration changed[3];
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
	memcpy(changed, rows, sizeof(rows));
	changed[0].sql = "CREATE TABLE thing (n INTEGER PRIMARY KEY) STRICT";
	assert_int_equal(migrate(s, changed, 3, &why), STET_MIGRATION_FAILED);
	assert_non_null(strstr(why, "migration 1 (things) is not the one that was applied at 2"));
	free(why);
	changed[0] = rows[0];
	changed[1].name = "fill it";
	assert_int_equal(migrate(s, changed, 3, &why), STET_MIGRATION_FAILED);
	free(why);
}

static void
versions_count_up_from_one(void **state)
{
	static const struct stet_migration gap[] = { { 1, "a", NULL, NULL },
		{ 3, "b", NULL, NULL } };
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate(s, gap, 2, &why), STET_MIGRATION_FAILED);
	assert_string_equal(why, "things: its migrations do not count up from 1");
	free(why);
	assert_int_equal(journal(s), 0);
}

static void
a_file_that_is_no_site_is_refused(void **state)
{
	struct store *s = *state;
	char *why;

	store_sql(s, "CREATE TABLE somebody_elses (a)");
	assert_int_equal(migrate_core(&s->site, &why), STET_MIGRATION_FAILED);
	assert_non_null(strstr(why, "it is not the database of a site"));
	free(why);
	assert_int_equal(store_int(s, "SELECT count(*) FROM sqlite_schema"), 1);
}

static const struct loaded module = {
	.bundled = true, /* bundled, so its tables may have any name */
	.m = { .name = "things", .migrations = STET_TABLE(rows) },
};

static enum stet_status
enable(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	enum stet_status status = migrate_in_call(call, tx, &module, arg);

	assert_int_equal(call->error.status, STET_OK);
	assert_null(call->owner);
	return status;
}

static void
a_module_is_migrated_inside_a_call(void **state)
{
	struct store *s = *state;
	char *why;

	assert_int_equal(migrate_core(&s->site, &why), STET_OK);
	fuse = 1;
	assert_int_equal(store_write(s, enable, &why), STET_MIGRATION_FAILED);
	fuse = 0;
	assert_non_null(strstr(why, "module things: migration 2 (fill) failed"));
	free(why);
	assert_int_equal(journal(s), 0);
	assert_int_equal(
	    store_int(s, "SELECT count(*) FROM sqlite_schema WHERE name = 'thing'"), 0);
	assert_int_equal(store_write(s, enable, &why), STET_OK);
	assert_null(why);
	assert_int_equal(journal(s), 3);
	assert_int_equal(migrate_module(&s->site, &module, &why), STET_OK);
	assert_int_equal(journal(s), 3);
}

/* ---- what was before ---- */

/* Returns how many copies exist, and the path of the newest one. */
static int
copies(struct store *s, char path[512])
{
	char directory[128];
	struct dirent **list;
	int count;

	snprintf(directory, sizeof(directory), "%s/upgrades", s->dir);
	count = scandir(directory, &list, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		(void)snprintf(path, 512, "%s/%s", directory, list[i]->d_name);
		free(list[i]);
	}
	if (count >= 0)
		free(list);
	return count < 0 ? 0 : count - 2; /* . and .. */
}

static void
the_database_before_a_migration_is_kept(void **state)
{
	struct store *s = *state, copy = { 0 };
	char *why, path[512];

	assert_int_equal(migrate(s, rows, 2, &why), STET_OK);
	assert_int_equal(copies(s, path), 0); /* the database was empty */
	again(s);
	assert_int_equal(migrate(s, rows, 2, &why), STET_OK);
	assert_int_equal(copies(s, path), 0); /* nothing was migrated */
	again(s);
	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
	assert_int_equal(copies(s, path), 1);
	assert_true(strlen(path) < sizeof(copy.path));
	memcpy(copy.path, path, strlen(path));
	store_open(&copy);
	assert_int_equal(journal(&copy), 2);
	assert_int_equal(store_int(&copy, "SELECT count(*) FROM thing"), 10);
	store_close(&copy);
}

static void
put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Like a start in the same second as one that was killed. */
static void
a_copy_that_is_there_stays_and_what_is_not_whole_goes(void **state)
{
	struct store *s = *state;
	char *why, path[512], part[512];
	struct stat st;

	put_file(clock_file, "1000000\n");
	assert_int_equal(migrate(s, rows, 2, &why), STET_OK);
	again(s);
	snprintf(path, sizeof(path), "%s/upgrades", s->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/upgrades/stet-19700101T001640Z.db", s->dir);
	put_file(path, "old");
	snprintf(part, sizeof(part), "%s/upgrades/stet-19700101T001639Z.db.part", s->dir);
	put_file(part, "half");
	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
	unlink(clock_file);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(access(part, F_OK), -1);
	assert_int_equal(copies(s, path), 2);
}

static void
who_is_stopping_begins_nothing(void **state)
{
	struct store *s = *state;
	char *why, path[512];

	assert_int_equal(migrate(s, rows, 2, &why), STET_OK);
	again(s);
	upgrade_stop();
	assert_int_equal(migrate(s, rows, 2, &why), STET_OK); /* there is nothing to do */
	assert_int_equal(migrate(s, rows, 3, &why), STET_MIGRATION_FAILED);
	atomic_store(&upgrade_stopped, false);
	assert_non_null(strstr(why, "is left to the next start, since stetd is stopping"));
	free(why);
	assert_int_equal(copies(s, path), 0);
	assert_int_equal(journal(s), 2);
	assert_int_equal(migrate(s, rows, 3, &why), STET_OK);
}

static void
few_copies_are_kept(void **state)
{
	static struct stet_migration many[12];
	struct store *s = *state;
	char *why, path[512];

	for (uint32_t i = 0; i < 12; i++)
		many[i] = (struct stet_migration){ i + 1, "nothing", "SELECT 1", NULL };
	for (uint32_t i = 1; i <= 12; i++) {
		char time[16];

		snprintf(time, sizeof(time), "%u\n", 1000000 * i);
		put_file(clock_file, time); /* the time is part of the copies' names */
		assert_int_equal(migrate(s, many, i, &why), STET_OK);
		again(s);
	}
	unlink(clock_file);
	assert_int_equal(copies(s, path), 3);
}

/* A migration that fails at each start must not replace the copies of successful ones. */
static void
a_failure_leaves_the_copies_as_they_are(void **state)
{
	static const struct stet_migration bad[] = { { 1, "one", "CREATE TABLE thing (x)", NULL },
		{ 2, "two", "SELECT 1", NULL }, { 3, "three", "SELECT * FROM nothing", NULL } };
	struct store *s = *state;
	char *why, path[512], first[512];

	assert_int_equal(migrate(s, bad, 1, &why), STET_OK);
	again(s);
	assert_int_equal(migrate(s, bad, 2, &why), STET_OK);
	assert_int_equal(copies(s, first), 1);
	for (int i = 0; i < 5; i++) {
		again(s);
		assert_int_equal(migrate(s, bad, 3, &why), STET_MIGRATION_FAILED);
		free(why);
		assert_int_equal(copies(s, path), 1);
		assert_string_equal(path, first);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(migrations_run_once_and_in_order),
		TEST(a_later_version_adds_its_own),
		TEST(a_failed_migration_leaves_nothing_and_is_tried_again),
		TEST(what_is_additive_is_no_newer_database),
		TEST(a_newer_database_is_seen_while_the_site_is_open),
		TEST(sql_that_fails_is_told_with_its_reason),
		TEST(a_killed_migration_is_finished_by_a_later_start),
		TEST(a_database_of_a_newer_version_is_refused),
		TEST(a_migration_that_changed_is_refused),
		TEST(versions_count_up_from_one),
		TEST(a_file_that_is_no_site_is_refused),
		TEST(a_module_is_migrated_inside_a_call),
		TEST(the_database_before_a_migration_is_kept),
		TEST(a_copy_that_is_there_stays_and_what_is_not_whole_goes),
		TEST(who_is_stopping_begins_nothing),
		TEST(few_copies_are_kept),
		TEST(a_failure_leaves_the_copies_as_they_are),
	};

	close(mkstemp(clock_file));
	unlink(clock_file);
	setenv("STET_CLOCK", clock_file, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
