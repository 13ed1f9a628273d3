/* db.t - connections and their statements: snapshots, statements in use, the statement cache,
 * threads that close connections. */
#include "db/db.h"
#include "db/part.h"
#include "db/reader.h"
#include "store.h"

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
	assert_int_equal(db_part(call)->db->cached, 2);
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
	assert_int_equal(db_part(call)->db->cached, 2);
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
		assert_null(db_part(call)->open);
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
	db = db_part(call)->db;
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
	db = db_part(call)->db;
	assert_int_equal(db->busy, 100);
	store_end(call);
	assert_int_equal(db->busy, 0);
	assert_false(db_in_transaction(db));
	assert_true(store_logged(s, "64 statements are open at once"));
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
		site[i].db_place = s->path;
	}
	first = reader_get(&site[0]);
	assert_non_null(first);
	assert_ptr_equal(reader_get(&site[0]), first);
	for (size_t i = 0; i < 150; i++)
		assert_non_null(reader_get(&site[i]));
	reader_retire(&site[149]);
	reader_close(NULL);
	assert_int_equal(store_int(s, "SELECT count(*) FROM item"), 3);
}

struct elsewhere {
	pthread_barrier_t turn;
	struct site *site;
	struct store *store;
	size_t open_files[2];
};

/* Returns how many WAL files are open: SQLite keeps descriptors of a database file while it has
 * locks on it. */
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

	reader_get(e->site);
	pthread_barrier_wait(&e->turn);
	pthread_barrier_wait(&e->turn); /* the main thread has closed the site */
	e->open_files[0] = open_files();
	reader_get(&e->store->site);
	e->open_files[1] = open_files();
	return NULL;
}

static void
other_threads_let_go_of_a_site_that_closed(void **state)
{
	struct store *s = *state;
	struct elsewhere e = { .site = &(struct site){ .id = 7000, .db_place = s->path },
		.store = s };
	pthread_t thread;
	size_t before;

	/* Open both connections first, so that the files they share are open. */
	assert_non_null(reader_get(&s->site));
	pthread_barrier_init(&e.turn, NULL, 2);
	before = open_files();
	assert_int_equal(pthread_create(&thread, NULL, read_elsewhere, &e), 0);
	pthread_barrier_wait(&e.turn);
	assert_true(open_files() > before);
	reader_retire(e.site);
	pthread_barrier_wait(&e.turn);
	pthread_join(thread, NULL);
	/* The thread closed one connection and opened another. */
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
	reader_close(NULL);
	call = store_call(s);
	assert_string_equal(name_of(call, 1), "one");
	assert_string_equal(name_of(call, 2), "two");
	text = db_trace_take(db_part(call)->db);
	unsetenv("STET_SQL_TRACE");
	assert_non_null(text);
	assert_non_null(strstr(text, "SELECT name FROM item WHERE id = ?1\n    SEARCH item USING"));
	free(text);
	text = db_trace_take(db_part(call)->db);
	assert_string_equal(text, "");
	free(text);
	store_end(call);
	reader_close(NULL);
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
		TEST(a_new_database_is_private),
		TEST(a_file_that_is_no_database_is_not_opened),
		TEST(connections_of_many_sites_take_turns),
		TEST(other_threads_let_go_of_a_site_that_closed),
		TEST(statements_are_traced_with_their_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
