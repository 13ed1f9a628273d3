/*
 * postgresql.t - the driver of PostgreSQL does what the core expects of an engine: values, rows,
 * errors, transactions, the state, and what becomes of all that when the connection is lost.
 */
#include "db/catalogue.h"
#include "db/driver.h"
#include "db/reader.h"
#include "db/stamp.h"
#include "module/driver.h"
#include "store.h"
#include <signal.h>
#include <stet/call.h>
#include <sys/wait.h>

static struct {
	char dir[64], place[256];
	pid_t server;
} pg;

/* ---- a server ---- */

static void
start_server(void)
{
	const char *source = getenv("STET_SOURCE");
	char program[512], socket[128];
	int status;

	snprintf(program, sizeof(program), "%s/t/engine/server", source);
	snprintf(socket, sizeof(socket), "%s/pg/.s.PGSQL.5432", pg.dir);
	pg.server = fork();
	assert_true(pg.server >= 0);
	if (pg.server == 0) {
		execl(program, program, pg.dir, (char *)NULL);
		_exit(127);
	}
	for (int i = 0; i < 600 && access(socket, F_OK) != 0; i++) {
		if (waitpid(pg.server, &status, WNOHANG) == pg.server) {
			pg.server = 0;
			if (!WIFEXITED(status) || WEXITSTATUS(status) != 77)
				fail_msg("the server ended with status %d", status);
			return;
		}
		usleep(100000);
	}
}

static int
begin(void **state)
{
	char *why = NULL, path[512];

	(void)state;
	db_global_init();
	snprintf(path, sizeof(path), "%s/modules/.libs", getenv("STET_BUILD"));
	snprintf(pg.dir, sizeof(pg.dir), "%s", "/tmp/stet-pg-XXXXXX");
	assert_non_null(mkdtemp(pg.dir));
	if (driver_find(path, "", "database-postgresql", &why) == NULL) {
		print_message("# SKIP: built without PostgreSQL\n");
		return 0;
	}
	start_server();
	if (pg.server == 0 && getenv("CI") != NULL)
		fail_msg("no PostgreSQL: apt-get install postgresql");
	return 0;
}

static int
end(void **state)
{
	char command[128];

	(void)state;
	if (pg.server > 0) {
		kill(pg.server, SIGINT);
		waitpid(pg.server, NULL, 0);
	}
	snprintf(command, sizeof(command), "rm -rf %s", pg.dir);
	return system(command) == 0 ? 0 : -1;
}

/* A site in a schema of its own. */
static int
setup(void **state)
{
	static int last;
	struct store *s;

	*state = NULL;
	if (pg.server == 0)
		return 0;
	s = xcalloc(1, sizeof(*s));
	snprintf(s->dir, sizeof(s->dir), "%s", "/tmp/stet-store-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	snprintf(pg.place, sizeof(pg.place),
	    "postgresql:///postgres?host=%s/pg&user=stet&stet_schema=s%d&stet_timeout=2000", pg.dir,
	    ++last);
	snprintf(s->path, sizeof(s->path), "%s", pg.place);
	snprintf(s->log, sizeof(s->log), "%s/log", s->dir);
	assert_int_equal(log_open(s->log, STET_DEBUG), 0);
	store_open(s);
	*state = s;
	return 0;
}

static int
teardown(void **state)
{
	if (*state != NULL)
		store_free(*state);
	return 0;
}

#define NEEDS_SERVER(state)        \
	do {                       \
		if (*(state) == NULL) \
			skip();    \
	} while (0)

/* ---- values ---- */

static enum stet_status
writes_values(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	STET_TRY(stet_exec(call, tx,
	    "INSERT INTO v (id, i, r, t, b) VALUES (?1, ?2, ?3, ?4, ?5)",
	    STET_ARGS(1, INT64_MIN, 1.5, "a'b\xc3\xbc", stet_val_blob("\0\1", 2))));
	assert_int_equal(stet_changes(call), 1);
	STET_TRY(stet_exec(call, tx, "INSERT INTO v (i, t) VALUES (?1, ?2)",
	    STET_ARGS(INT64_MAX, stet_val_null())));
	return stet_exec(call, tx, "UPDATE v SET r = ?1 WHERE r IS NULL", STET_ARGS(2));
}

static enum stet_status
reads_values(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;
	size_t len;

	(void)tx;
	(void)arg;
	assert_int_equal(stet_query(call, &rows,
			     "SELECT id, i, r, t, b, EXISTS (SELECT 1 FROM v WHERE id = ?1),"
			     " (SELECT SUM(i) FROM v WHERE id = 1), CAST(r AS INTEGER)"
			     " FROM v ORDER BY id",
			     STET_ARGS(2)),
	    STET_OK);
	assert_true(stet_row(&rows));
	assert_int_equal(stet_col_int(&rows, 0), 1);
	assert_true(stet_col_int(&rows, 1) == INT64_MIN);
	assert_string_equal(stet_col_str(&rows, 1), "-9223372036854775808");
	assert_true(stet_col_real(&rows, 2) == 1.5);
	assert_string_equal(stet_col_str(&rows, 2), "1.5");
	assert_string_equal(stet_col_str(&rows, 3), "a'b\xc3\xbc");
	assert_memory_equal(stet_col_blob(&rows, 4, &len), "\0\1", 2);
	assert_int_equal(len, 2);
	assert_int_equal(stet_col_int(&rows, 5), 1);
	assert_true(stet_col_int(&rows, 6) == INT64_MIN);
	assert_true(stet_row(&rows));
	assert_int_equal(stet_col_int(&rows, 0), 2); /* numbered by the engine */
	assert_true(stet_col_int(&rows, 1) == INT64_MAX);
	assert_string_equal(stet_col_str(&rows, 2), "2.0");
	assert_true(stet_col_null(&rows, 3));
	assert_null(stet_col_str(&rows, 3));
	assert_int_equal(stet_col_int(&rows, 7), 2);
	assert_false(stet_row(&rows));
	return stet_rows_end(&rows);
}

static void
test_values(void **state)
{
	NEEDS_SERVER(state);
	store_sql(*state, "CREATE TABLE v (id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB)");
	assert_int_equal(store_write(*state, writes_values, NULL), STET_OK);
	assert_int_equal(store_write(*state, reads_values, NULL), STET_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_values, setup, teardown),
	};

	return cmocka_run_group_tests_name("postgresql", tests, begin, end);
}
