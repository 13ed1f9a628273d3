/* lengths.t - how many words texts have is kept by a connection, until it needs no memory. */
#include "../modules/search/fulltext/lengths.h"
#include "../modules/search/fulltext/extension.h"
#include "db/db.h"
#include "db/sqlite/liteconn.h"

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ASKED 8 /* times: more than it takes until lengths are kept */

struct place {
	char dir[64], path[80];
	struct db *db;
	struct lengths *lengths; /* of its connection */
};

static void
run(struct db *db, const char *sql)
{
	liteconn(db)->trusted = true;
	if (sqlite3_exec(liteconn(db)->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(liteconn(db)->handle));
	liteconn(db)->trusted = false;
}

/* A table of 100 texts, of three words each, in a read transaction. */
static int
setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	snprintf(p->dir, sizeof(p->dir), "/tmp/stet-lengths-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	snprintf(p->path, sizeof(p->path), "%s/stet.db", p->dir);
	assert_non_null(p->db = db_open(p->path, DB_WRITE));
	p->lengths = liteconn(p->db)->extensions.kept[0];
	run(p->db, "CREATE VIRTUAL TABLE part USING fts5(a)");
	run(p->db, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
		   "INSERT INTO part (rowid, a) SELECT i, 'zebra and okapi' FROM n");
	run(p->db, "BEGIN; SELECT count(*) FROM part");
	*state = p;
	return 0;
}

static int
teardown(void **state)
{
	struct place *p = *state;

	if (p->db != NULL) {
		run(p->db, "COMMIT");
		db_close(p->db);
	}
	assert_int_equal(unlink(p->path), 0);
	assert_int_equal(rmdir(p->dir), 0);
	free(p);
	return 0;
}

static int
begin(struct place *p, struct lengths_view *out)
{
	return lengths_begin(p->lengths, liteconn(p->db)->handle, "part", 1, out);
}

static bool
is_kept(const struct lengths_view *v)
{
	int32_t words = 0;

	if (!lengths_get(v, 7, 1, &words))
		return false;
	assert_int_equal(words, 3);
	return true;
}

static void
lengths_are_kept_for_a_table_that_is_asked_often(void **state)
{
	struct place *p = *state;
	struct lengths_view v;

	assert_int_equal(begin(p, &v), SQLITE_OK);
	assert_false(is_kept(&v));
	for (int i = 1; i < ASKED; i++)
		assert_int_equal(begin(p, &v), SQLITE_OK);
	assert_true(is_kept(&v));
}

static int
stop(void *arg)
{
	(void)arg;
	return 1;
}

static void
a_statement_that_is_interrupted_does_not_keep_them_from_later_ones(void **state)
{
	struct place *p = *state;
	struct lengths_view v;
	int rc;

	/* First before the rows are counted, then at each later step. */
	for (int steps = 1; steps < 200; steps += 10) {
		lengths_empty(p->lengths);
		sqlite3_progress_handler(liteconn(p->db)->handle, steps, stop, NULL);
		for (int i = 0; i < ASKED && (rc = begin(p, &v)) == SQLITE_OK; i++)
			continue;
		assert_int_equal(rc, SQLITE_INTERRUPT);
		assert_int_equal(begin(p, &v), SQLITE_INTERRUPT);
		sqlite3_progress_handler(liteconn(p->db)->handle, 0, NULL, NULL);
		assert_int_equal(begin(p, &v), SQLITE_OK);
		assert_true(is_kept(&v));
	}
}

static void
a_connection_that_releases_its_memory_keeps_none(void **state)
{
	struct place *p = *state;
	struct lengths_view v;

	for (int i = 0; i < ASKED; i++)
		assert_int_equal(begin(p, &v), SQLITE_OK);
	assert_true(is_kept(&v));
	db_release_memory(p->db);
	assert_false(is_kept(&v));
	/* It is as new. */
	for (int i = 0; i < ASKED; i++)
		assert_int_equal(begin(p, &v), SQLITE_OK);
	assert_true(is_kept(&v));
}

/* ---- without memory ---- */

static sqlite3_mem_methods plain;
static int left = -1; /* allocations of SQLite before one fails; -1: none does */

static void *
shaky_malloc(int size)
{
	if (left >= 0 && left-- == 0)
		return NULL;
	return plain.xMalloc(size);
}

/* Before SQLite is used. */
static int
make_shaky(void **state)
{
	sqlite3_mem_methods shaky;

	(void)state;
	assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain), SQLITE_OK);
	shaky = plain;
	shaky.xMalloc = shaky_malloc;
	return sqlite3_config(SQLITE_CONFIG_MALLOC, &shaky);
}

/* AddressSanitizer tells what leaks. */
static void
a_connection_that_is_not_opened_for_want_of_memory_leaks_nothing(void **state)
{
	struct place *p = *state;
	int failed = 0, n = 0;

	run(p->db, "COMMIT");
	db_close(p->db);
	/* The last one has enough allocations. */
	for (bool enough = false; !enough; n++) {
		left = n;
		p->db = db_open(p->path, DB_WRITE);
		enough = left >= 0;
		left = -1;
		failed += p->db == NULL;
		if (!enough)
			db_close(p->db);
	}
	assert_in_range(failed, 50, n);
	run(p->db, "BEGIN");
}

static const struct stet_sqlite_extension extension = { fulltext_open, fulltext_release,
	fulltext_close };

#define check(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(lengths_are_kept_for_a_table_that_is_asked_often),
		check(a_statement_that_is_interrupted_does_not_keep_them_from_later_ones),
		check(a_connection_that_releases_its_memory_keeps_none),
		check(a_connection_that_is_not_opened_for_want_of_memory_leaks_nothing),
	};

	if (!extension_add(&extension))
		return 1;
	return cmocka_run_group_tests(tests, make_shaky, NULL);
}
