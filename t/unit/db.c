/* db.t - connections and rows: snapshots, statements in use, values, refusals, faults. */
#include "store.h"
#include <sys/wait.h>

static int
setup(void **state)
{
	struct store *s = store_new();

	store_sql(s,
	    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, n INTEGER NOT NULL);"
	    "INSERT INTO item VALUES (1, 'one', 10), (2, 'two', 20), (3, 'three', 30)");
	*state = s;
	return 0;
}

static int
teardown(void **state)
{
	store_free(*state);
	return 0;
}

static enum stet_status
add_item(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	int id = *(int *)arg;

	return stet_exec(call, tx, "INSERT INTO item VALUES (?1, ?2, ?3)",
	    STET_ARGS(id, stet_printf(call, "item %d", id), id * 10));
}

static int64_t
count(struct stet_call *call)
{
	struct stet_rows rows;

	assert_int_equal(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM item", STET_NO_ARGS), STET_OK);
	return stet_col_int(&rows, 0);
}

/* ---- snapshots ---- */

static void
a_call_sees_one_snapshot(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s), *later;

	assert_int_equal(count(call), 3);
	assert_int_equal(store_write(s, add_item, &(int){ 4 }), STET_OK);
	assert_int_equal(count(call), 3);
	store_end(call);
	later = store_call(s);
	assert_int_equal(count(later), 4);
	store_end(later);
}

static void
a_call_inside_another_does_not_end_its_snapshot(void **state)
{
	struct store *s = *state;
	struct stet_call *outer = store_call(s), *inner = store_call(s);

	assert_int_equal(count(outer), 3);
	assert_int_equal(count(inner), 3);
	store_end(inner);
	assert_int_equal(store_write(s, add_item, &(int){ 4 }), STET_OK);
	assert_int_equal(count(outer), 3);
	store_end(outer);
	assert_int_equal(store_int(s, "SELECT count(*) FROM item"), 4);
}

static void
a_prepared_statement_sees_a_new_schema(void **state)
{
	struct store *s = *state;

	assert_int_equal(store_int(s, "SELECT count(*) FROM item WHERE n > 0"), 3);
	store_sql(s, "ALTER TABLE item ADD COLUMN extra TEXT; CREATE INDEX item_n ON item (n)");
	assert_int_equal(store_int(s, "SELECT count(*) FROM item WHERE n > 0"), 3);
}

/* ---- statements ---- */

static void
a_statement_in_use_is_not_handed_out_again(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	const char *sql = "SELECT id FROM item ORDER BY id";
	struct stet_rows outer, inner;
	int64_t sum = 0;

	assert_int_equal(stet_query(call, &outer, sql, STET_NO_ARGS), STET_OK);
	while (stet_row(&outer)) {
		assert_int_equal(stet_query(call, &inner, sql, STET_NO_ARGS), STET_OK);
		while (stet_row(&inner))
			sum += stet_col_int(&outer, 0) * stet_col_int(&inner, 0);
		assert_int_equal(stet_rows_end(&inner), STET_OK);
	}
	assert_int_equal(stet_rows_end(&outer), STET_OK);
	assert_int_equal(sum, 36);
	assert_int_equal(call->db->cached, 2);
	store_end(call);
}

static const char *
name_of(struct stet_call *call, int id)
{
	struct stet_rows rows;

	assert_int_equal(stet_one(call, &rows, STET_NOT_FOUND,
			     "SELECT name FROM item WHERE id = ?1", STET_ARGS(id)),
	    STET_OK);
	return stet_col_str(&rows, 0);
}

static void
the_row_of_stet_one_stays_until_the_call_ends(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	const char *one = name_of(call, 1), *two = name_of(call, 2), *three = name_of(call, 3);

	for (int i = 0; i < 1000; i++)
		name_of(call, i % 3 + 1);
	assert_string_equal(one, "one");
	assert_string_equal(two, "two");
	assert_string_equal(three, "three");
	assert_int_equal(call->db->cached, 2);
	store_end(call);
}

static void
stet_one_goes_on_with_the_rows_behind(void **state)
{
	struct store *s = *state;

	for (int kept = 0; kept < 2; kept++) {
		struct stet_call *call = store_call(s);
		struct stet_rows rows;
		int64_t sum = 0;

		if (kept) /* outside the read lane the row is copied */
			call->op = NULL;
		assert_int_equal(stet_one(call, &rows, STET_NOT_FOUND,
				     "SELECT id FROM item ORDER BY id", STET_NO_ARGS),
		    STET_OK);
		assert_int_equal(stet_col_int(&rows, 0), 1);
		while (stet_row(&rows))
			sum = sum * 10 + stet_col_int(&rows, 0);
		assert_int_equal(stet_rows_end(&rows), STET_OK);
		assert_int_equal(sum, 123);
		assert_null(call->open);
		store_end(call);
	}
}

static void
no_row_is_told_as_the_caller_says(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_rows rows;

	assert_int_equal(stet_one(call, &rows, STET_COLLECTION_NOT_FOUND,
			     "SELECT 1 FROM item WHERE id = 99", STET_NO_ARGS),
	    STET_COLLECTION_NOT_FOUND);
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_COLLECTION_NOT_FOUND);
	store_end(call);
}

static void
the_cache_lets_go_of_what_was_not_used_for_longest(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	struct stet_rows rows;
	struct db *db;
	uint64_t before;

	for (int i = 0; i < 600; i++) {
		name_of(call, 1);
		assert_int_equal(stet_query(call, &rows,
				     stet_printf(call, "SELECT %d FROM item", i), STET_NO_ARGS),
		    STET_OK);
		while (stet_row(&rows))
			assert_int_equal(stet_col_int(&rows, 0), i);
		assert_int_equal(stet_rows_end(&rows), STET_OK);
	}
	db = call->db;
	assert_true(db->cached <= STMT_CACHE_MAX);
	before = db_statement_count(db);
	assert_int_equal(count(call), 3);
	assert_int_equal(db_statement_count(db) - before, 1);
	store_end(call);
	assert_int_equal(db->busy, 0);
}

static void
rows_left_open_end_with_the_call(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	struct stet_rows rows;
	struct db *db;

	for (int i = 0; i < 100; i++) {
		assert_int_equal(
		    stet_query(call, &rows, "SELECT id FROM item", STET_NO_ARGS), STET_OK);
		assert_true(stet_row(&rows));
	}
	db = call->db;
	assert_int_equal(db->busy, 100);
	store_end(call);
	assert_int_equal(db->busy, 0);
	assert_false(db_in_transaction(db));
	assert_true(store_logged(s, "64 statements are open at once"));
}

/* ---- values ---- */

static void
values_come_back_as_they_went_in(void **state)
{
	struct stet_call *call = store_call(*state);

	for (int kept = 0; kept < 2; kept++) {
		struct stet_rows rows;
		const char *text;
		const void *blob;
		size_t len;

		if (kept)
			call->op = NULL;
		assert_int_equal(
		    stet_one(call, &rows, STET_FAULT, "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8",
			STET_ARGS(INT64_MAX, 0.1, "caf\xc3\xa9", (const char *)NULL,
			    stet_val_strn("a\0b", 3), stet_val_blob("\0\1\2", 3),
			    stet_val_blob("", 0), true)),
		    STET_OK);
		assert_true(stet_col_int(&rows, 0) == INT64_MAX);
		assert_true(stet_col_real(&rows, 1) == 0.1);
		assert_string_equal(stet_col_str(&rows, 2), "caf\xc3\xa9");
		assert_true(stet_col_null(&rows, 3));
		assert_null(stet_col_str(&rows, 3));
		assert_null(stet_col_dup(&rows, 3));
		text = stet_col_text(&rows, 4, &len);
		assert_int_equal(len, 3);
		assert_memory_equal(text, "a\0b", 3);
		blob = stet_col_blob(&rows, 5, &len);
		assert_int_equal(len, 3);
		assert_memory_equal(blob, "\0\1\2", 3);
		assert_false(stet_col_null(&rows, 6));
		assert_int_equal(stet_col_int(&rows, 7), 1);
		assert_string_equal(stet_col_dup(&rows, 2), "caf\xc3\xa9");
		assert_string_equal(stet_col_str(&rows, 0), "9223372036854775807");
	}
	store_end(call);
}

static void
identifiers_are_quoted_and_values_bound(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, "", "name");
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, "it", "em");
	stet_sql_add(sql, " WHERE id IN (0");
	for (int i = 1; i < 40; i++) {
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_int(i == 39 ? 2 : i + 100));
	}
	stet_sql_add(sql, ")");
	assert_non_null(
	    strstr(stet_sql_text(sql), "SELECT \"name\" FROM \"item\" WHERE id IN (0, ?1"));
	assert_int_equal(stet_sql_one(sql, &rows, STET_NOT_FOUND), STET_OK);
	assert_string_equal(stet_col_str(&rows, 0), "two");
	store_end(call);
}

/* Does it stop the process? */
static bool
stops(void (*fn)(struct stet_call *, const char *), struct stet_call *call, const char *arg)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		fn(call, arg);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
quote_name(struct stet_call *call, const char *name)
{
	stet_sql_ident(stet_sql_new(call), "", name);
}

static void
prefix_name(struct stet_call *call, const char *name)
{
	stet_sql_ident(stet_sql_new(call), "c_", name);
}

static void
take_tx(struct stet_call *call, const char *arg)
{
	(void)arg;
	stet_write_tx(call);
}

static void
identifiers_that_are_not_plain_stop_the_process(void **state)
{
	static const char *const bad[] = { "", "Item", "a b", "a\"b", "1a", "a-b", "caf\xc3\xa9" };
	struct stet_call *call = store_call(*state);

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_true(stops(quote_name, call, bad[i]));
	assert_false(stops(quote_name, call, "_a9"));
	assert_false(stops(prefix_name, call, "9a"));
	assert_true(stops(take_tx, call, ""));
	store_end(call);
}

/* ---- refusals ---- */

static void
a_reader_only_reads(void **state)
{
	static const char *const bad[] = { "INSERT INTO item VALUES (9, 'x', 1)",
		"DELETE FROM item", "UPDATE item SET n = 1", "CREATE TABLE t (a)",
		"CREATE TEMP TABLE t (a)", "DROP TABLE item", "ATTACH 'x.db' AS x", "COMMIT",
		"BEGIN", "SAVEPOINT a", "PRAGMA query_only = OFF", "PRAGMA journal_mode = DELETE",
		"PRAGMA writable_schema = 1", "VACUUM", "ANALYZE", "REINDEX", "DETACH main" };
	struct store *s = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct stet_call *call = store_call(s);
		struct stet_rows rows;

		if (stet_query(call, &rows, bad[i], STET_NO_ARGS) == STET_OK)
			assert_false(stet_row(&rows)); /* VACUUM: not in a transaction */
		assert_int_equal(stet_rows_end(&rows), STET_FAULT);
		assert_int_equal(call->error.status, STET_FAULT);
		assert_null(call->error.text);
		store_end(call);
	}
	assert_int_equal(store_int(s, "SELECT sum(n) FROM item"), 60);
}

static enum stet_status
meddle(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return stet_exec(call, tx, arg, STET_NO_ARGS);
}

static void
a_writer_leaves_transactions_alone(void **state)
{
	static const char *const bad[] = { "COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT a",
		"RELEASE call", "ATTACH 'x.db' AS x", "PRAGMA synchronous = OFF",
		"PRAGMA foreign_keys = OFF", "VACUUM" };
	struct store *s = *state;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(store_write(s, meddle, (void *)(uintptr_t)bad[i]), STET_FAULT);
}

static void
double_quotes_are_not_strings(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_rows rows;

	assert_int_equal(
	    stet_query(call, &rows, "SELECT \"nothing_of_this_name\" FROM item", STET_NO_ARGS),
	    STET_FAULT);
	store_end(call);
}

static void
a_wrong_number_of_values_is_a_fault(void **state)
{
	struct store *s = *state;
	struct stet_call *call = store_call(s);
	struct stet_rows rows;

	assert_int_equal(stet_query(call, &rows, "SELECT ?1, ?2", STET_ARGS(1)), STET_FAULT);
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, "SELECT 1; SELECT 2", STET_NO_ARGS), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, " ", STET_NO_ARGS), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, "SELECT nonsense", STET_NO_ARGS), STET_FAULT);
	assert_int_equal(stet_query(call, &rows, "SELECT 1 ; \n", STET_NO_ARGS), STET_OK);
	store_end(call);
	assert_true(store_logged(s, "no such column: nonsense"));
	assert_true(store_logged(s, "1 values for: SELECT ?1, ?2"));
}

/* ---- violations and faults ---- */

static enum stet_status
add_twice(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	static const char sql[] = "INSERT INTO item VALUES (?1, ?2, ?3)";

	(void)arg;
	assert_int_equal(stet_exec(call, tx, sql, STET_ARGS(7, "one", 1)), STET_CONFLICT);
	assert_int_equal(stet_exec(call, tx, sql, STET_ARGS(1, "x", 1)), STET_CONFLICT);
	assert_int_equal(call->error.status, STET_OK);
	assert_int_equal(stet_exec(call, tx, sql, STET_ARGS(7, "x", stet_val_null())), STET_FAULT);
	assert_int_equal(call->error.status, STET_FAULT);
	memset(&call->error, 0, sizeof(call->error));
	STET_TRY(stet_exec(call, tx, sql, STET_ARGS(7, "seven", 70)));
	assert_int_equal(stet_changes(call), 1);
	STET_TRY(stet_exec(call, tx, "UPDATE item SET n = n + 1 WHERE id < ?1", STET_ARGS(3)));
	assert_int_equal(stet_changes(call), 2);
	return STET_OK;
}

static void
a_taken_key_is_a_conflict_and_others_are_faults(void **state)
{
	struct store *s = *state;

	assert_int_equal(store_write(s, add_twice, NULL), STET_OK);
	assert_int_equal(store_int(s, "SELECT count(*) FROM item"), 4);
	assert_int_equal(store_int(s, "SELECT n FROM item WHERE id = 1"), 11);
	assert_true(store_logged(s, "NOT NULL constraint failed"));
	/* A conflict is an answer, not an event. */
	assert_false(store_logged(s, "error test [] UNIQUE"));
}

static enum stet_status
insert_returning(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct stet_rows rows;

	(void)tx;
	STET_TRY(stet_query(call, &rows,
	    "INSERT INTO item (name, n) VALUES ('new', 5) RETURNING id", STET_NO_ARGS));
	assert_true(stet_row(&rows));
	*(int64_t *)arg = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static void
returning_gives_rows(void **state)
{
	int64_t id = 0;

	assert_int_equal(store_write(*state, insert_returning, &id), STET_OK);
	assert_int_equal(id, 4);
	assert_int_equal(store_int(*state, "SELECT n FROM item WHERE id = 4"), 5);
}

static void
a_query_stops_at_the_deadline(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_rows rows;

	call->deadline = clock_monotonic() - 1;
	assert_int_equal(stet_query(call, &rows,
			     "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
			     " SELECT count(*) FROM n",
			     STET_NO_ARGS),
	    STET_OK);
	assert_false(stet_row(&rows));
	assert_int_equal(stet_rows_end(&rows), STET_REQUEST_TIMEOUT);
	assert_int_equal(call->error.status, STET_REQUEST_TIMEOUT);
	store_end(call);
}

static void
many_short_queries_stop_at_the_deadline(void **state)
{
	struct stet_call *call = store_call(*state);
	struct stet_rows rows;
	enum stet_status status = STET_OK;
	int n = 0;

	call->deadline = clock_monotonic() - 1;
	for (; n < 100 && status == STET_OK; n++)
		if ((status = stet_query(call, &rows, "SELECT 1", STET_NO_ARGS)) == STET_OK)
			status = stet_rows_end(&rows);
	assert_int_equal(status, STET_REQUEST_TIMEOUT);
	assert_true(n <= 16);
	store_end(call);
}

/* ---- connections ---- */

static void
a_new_database_is_private(void **state)
{
	struct store *s = *state;
	struct stat st;

	assert_int_equal(stat(s->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void
a_file_that_is_no_database_is_not_opened(void **state)
{
	struct store *s = *state;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/other", s->dir);
	f = fopen(path, "w");
	assert_non_null(f);
	for (int i = 0; i < 100; i++)
		fputs("this is not a database\n", f);
	fclose(f);
	assert_null(db_open(path, DB_WRITE));
	snprintf(path, sizeof(path), "%s/none/db", s->dir);
	assert_null(db_open(path, DB_WRITE));
	assert_null(db_open(path, DB_READ));
	assert_true(store_logged(s, "file is not a database"));
}

static void
connections_of_many_sites_take_turns(void **state)
{
	struct store *s = *state;
	struct site site[150];
	struct db *first;

	memset(site, 0, sizeof(site));
	for (size_t i = 0; i < 150; i++) {
		site[i].id = 5000 + i;
		site[i].db_path = s->path;
	}
	first = db_reader(&site[0]);
	assert_non_null(first);
	assert_ptr_equal(db_reader(&site[0]), first);
	for (size_t i = 0; i < 150; i++)
		assert_non_null(db_reader(&site[i]));
	db_retire(&site[149]);
	db_reader_close(NULL);
	assert_int_equal(store_int(s, "SELECT count(*) FROM item"), 3);
}

struct elsewhere {
	pthread_barrier_t turn;
	struct site *site;
	struct store *store;
	size_t open_files[2];
};

/* Of logs: SQLite keeps descriptors of a database while it has locks there. */
static size_t
open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	struct dirent *e;
	size_t n = 0;

	while ((e = readdir(d)) != NULL) {
		char to[256] = "";
		ssize_t len = readlinkat(dirfd(d), e->d_name, to, sizeof(to) - 1);

		n += len > 4 && strcmp(to + len - 4, "-wal") == 0;
	}
	closedir(d);
	return n;
}

static void *
read_elsewhere(void *arg)
{
	struct elsewhere *e = arg;

	db_reader(e->site);
	pthread_barrier_wait(&e->turn);
	pthread_barrier_wait(&e->turn); /* the site is closed by now */
	e->open_files[0] = open_files();
	db_reader(&e->store->site);
	e->open_files[1] = open_files();
	return NULL;
}

static void
other_threads_let_go_of_a_site_that_closed(void **state)
{
	struct store *s = *state;
	struct elsewhere e = { .site = &(struct site){ .id = 7000, .db_path = s->path },
		.store = s };
	pthread_t thread;
	size_t before;

	/* Both connections are there once, so that files they share are open. */
	assert_non_null(db_reader(&s->site));
	pthread_barrier_init(&e.turn, NULL, 2);
	before = open_files();
	assert_int_equal(pthread_create(&thread, NULL, read_elsewhere, &e), 0);
	pthread_barrier_wait(&e.turn);
	assert_true(open_files() > before);
	db_retire(e.site);
	pthread_barrier_wait(&e.turn);
	pthread_join(thread, NULL);
	/* One went, one came. */
	assert_int_equal(e.open_files[0], e.open_files[1]);
	assert_int_equal(open_files(), before);
	pthread_barrier_destroy(&e.turn);
}

static void
statements_are_traced_with_their_plan(void **state)
{
	struct store *s = *state;
	struct stet_call *call;
	char *text;

	setenv("STET_SQL_TRACE", "1", 1);
	db_reader_close(NULL);
	call = store_call(s);
	assert_string_equal(name_of(call, 1), "one");
	assert_string_equal(name_of(call, 2), "two");
	text = db_trace_take(call->db);
	unsetenv("STET_SQL_TRACE");
	assert_non_null(text);
	assert_non_null(strstr(text, "SELECT name FROM item WHERE id = ?1\n    SEARCH item USING"));
	free(text);
	text = db_trace_take(call->db);
	assert_string_equal(text, "");
	free(text);
	store_end(call);
	db_reader_close(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_call_sees_one_snapshot),
		TEST(a_call_inside_another_does_not_end_its_snapshot),
		TEST(a_prepared_statement_sees_a_new_schema),
		TEST(a_statement_in_use_is_not_handed_out_again),
		TEST(the_row_of_stet_one_stays_until_the_call_ends),
		TEST(stet_one_goes_on_with_the_rows_behind),
		TEST(no_row_is_told_as_the_caller_says),
		TEST(the_cache_lets_go_of_what_was_not_used_for_longest),
		TEST(rows_left_open_end_with_the_call),
		TEST(values_come_back_as_they_went_in),
		TEST(identifiers_are_quoted_and_values_bound),
		TEST(identifiers_that_are_not_plain_stop_the_process),
		TEST(a_reader_only_reads),
		TEST(a_writer_leaves_transactions_alone),
		TEST(double_quotes_are_not_strings),
		TEST(a_wrong_number_of_values_is_a_fault),
		TEST(a_taken_key_is_a_conflict_and_others_are_faults),
		TEST(returning_gives_rows),
		TEST(a_query_stops_at_the_deadline),
		TEST(many_short_queries_stop_at_the_deadline),
		TEST(a_new_database_is_private),
		TEST(a_file_that_is_no_database_is_not_opened),
		TEST(connections_of_many_sites_take_turns),
		TEST(other_threads_let_go_of_a_site_that_closed),
		TEST(statements_are_traced_with_their_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
