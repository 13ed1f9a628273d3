/* pgrows.t - large results of PostgreSQL come in portions, whatever else the connection does. */
#include "db/rows.h"
#include "pgserver.h"
#include <stet/call.h>

#define ROWS 20000
#define ROW_BYTES 5000 /* 100 MB in all */

/* The most memory that this process has had, in MiB. */
static int
peak(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[128];
	int kib = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "VmHWM:", 6) == 0)
			kib = (int)strtol(line + 6, NULL, 10);
	(void)fclose(f);
	return kib / 1024;
}

/* Reads all rows; with `each`, asks for something else at each of so many. */
static void
reads_all(struct stet_call *call, int each)
{
	struct stet_rows rows, other;
	int n = 0;

	assert_int_equal(
	    stet_query(call, &rows, "SELECT id, t, e FROM large ORDER BY id", NULL, 0), STET_OK);
	while (stet_row(&rows)) {
		size_t len;
		char begin[16];
		const char *t = stet_col_text(&rows, 1, &len);

		snprintf(begin, sizeof(begin), "%d,", ++n);
		assert_int_equal(stet_col_int(&rows, 0), n);
		assert_int_equal(len, ROW_BYTES);
		assert_memory_equal(t, begin, strlen(begin));
		assert_true(n % 3 == 0 ? stet_col_null(&rows, 2) : *stet_col_str(&rows, 2) == '\0');
		if (each == 0 || n % each != 0)
			continue;
		assert_int_equal(stet_one(call, &other, STET_NOT_FOUND,
				     "SELECT id FROM large WHERE id = ?1", STET_ARGS(n)),
		    STET_OK);
		assert_int_equal(stet_col_int(&other, 0), n);
		assert_int_equal(stet_rows_end(&other), STET_OK);
	}
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	assert_int_equal(n, ROWS);
}

static void
test_many_rows_take_little_memory(void **state)
{
	static const char sql[] =
	    "CREATE TABLE large (id INTEGER PRIMARY KEY, t TEXT, e TEXT);"
	    "INSERT INTO large (id, t, e) SELECT n, rpad(n || ',', 5000, 'x'),"
	    " CASE WHEN n % 3 = 0 THEN NULL ELSE '' END FROM generate_series(1, 20000) AS s (n)";
	struct store *s = *state;
	struct stet_call *call;
	struct stet_rows rows;
	int before;

	store_sql(s, sql);
	call = store_call(s);
	call->deadline = 0;
	assert_int_equal(rows_begin_read(call), STET_OK);
	before = peak();
	reads_all(call, 0);
	reads_all(call, 1500);
	reads_all(call, 7);
	/* Who stops early, or fails within, leaves the connection usable. */
	assert_int_equal(
	    stet_query(call, &rows, "SELECT t FROM large ORDER BY id", NULL, 0), STET_OK);
	assert_true(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	reads_all(call, 0);
	/* And so does who wants none of the rows after all. */
	assert_int_equal(
	    stet_query(call, &rows, "SELECT id, t FROM large ORDER BY id", NULL, 0), STET_OK);
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	reads_all(call, 0);
	assert_int_equal(
	    stet_query(call, &rows, "SELECT 1 / (id - 5000), t FROM large ORDER BY id", NULL, 0),
	    STET_OK);
	for (int n = 1; n < 5000; n++)
		assert_true(stet_row(&rows));
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_FAULT);
	store_end(call);
	assert_int_equal(store_int(s, "SELECT count(*) FROM large"), ROWS);
	printf("# 100 MB of rows: %d MiB of memory, %d MiB more than before\n", peak(),
	    peak() - before);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which keep what was freed \
								     */
	assert_true(peak() - before < 20);
#endif
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_many_rows_take_little_memory, pgserver_site, pgserver_site_end),
	};
	const char *why = pgserver_begin();

	if (why != NULL && getenv("CI") == NULL) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	return why == NULL ? cmocka_run_group_tests_name("pgrows", tests, NULL, pgserver_end) : 1;
}
