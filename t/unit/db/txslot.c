/* txslot.t - what modules cache with a write transaction is what they would read now. */
#include "db/batch.h"
#include "store.h"
#include <stet/call.h>

static const char key;

static int
setup(void **state)
{
	*state = store_new();
	store_sql(*state,
	    "CREATE TABLE item (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES root (id)"
	    " ON DELETE CASCADE); CREATE TABLE root (id INTEGER PRIMARY KEY);"
	    " CREATE TABLE note (id INTEGER); CREATE TABLE watched (id INTEGER);"
	    " CREATE TRIGGER follow AFTER INSERT ON watched BEGIN DELETE FROM item WHERE id ="
	    " NEW.id; END; INSERT INTO root VALUES (1); INSERT INTO item VALUES (1, 1), (2, NULL)");
	return 0;
}

static int
teardown(void **state)
{
	store_free(*state);
	return 0;
}

static void **
slot(struct stet_call *call)
{
	return stet_tx_slot(call, &key, "item");
}

static void
fill(struct stet_call *call)
{
	*slot(call) = stet_tx_alloc(call, 16);
}

/* Runs a statement. Returns true if the slot is empty afterwards. Fills the slot again. */
static bool
empties(struct stet_call *call, struct stet_tx *tx, const char *sql)
{
	bool empty;

	assert_int_equal(stet_exec(call, tx, sql, STET_NO_ARGS), STET_OK);
	empty = *slot(call) == NULL;
	fill(call);
	return empty;
}

static enum stet_status
writes(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)arg;
	assert_null(*slot(call));
	fill(call);
	assert_false(empties(call, tx, "INSERT INTO note (id) VALUES (1)"));
	assert_true(empties(call, tx, "INSERT INTO item VALUES (3, NULL)"));
	assert_true(empties(call, tx, "UPDATE \"ITEM\" SET parent = 1 WHERE id = 3"));
	assert_true(empties(call, tx, "DELETE FROM item WHERE id = 1000"));
	assert_true(empties(call, tx, "INSERT INTO watched VALUES (3)"));
	assert_true(empties(call, tx, "DELETE FROM root WHERE id = 1"));
	assert_true(empties(call, tx, "CREATE TABLE IF NOT EXISTS made (id INTEGER)"));
	return STET_OK;
}

static enum stet_status
looks(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	bool *found = arg;

	(void)tx;
	*found = *slot(call) != NULL;
	fill(call);
	return STET_OK;
}

static void
a_write_to_its_tables_empties_a_slot(void **state)
{
	assert_int_equal(store_write(*state, writes, NULL), STET_OK);
}

/* ---- the next transaction ---- */

static enum stet_status
refuses(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)looks(call, tx, arg);
	return stet_fail(call, STET_SAVE_REJECTED, NULL, "no");
}

static void
a_slot_stays_until_somebody_else_writes(void **state)
{
	struct store *s = *state;
	struct db *other = db_open(s->path, DB_WRITE);
	bool found = true;
	char *why;

	assert_int_equal(store_write(s, looks, &found), STET_OK);
	assert_false(found);
	assert_int_equal(store_write(s, looks, &found), STET_OK);
	assert_true(found);
	assert_int_equal(db_script(other, "INSERT INTO note (id) VALUES (9)", &why), STET_OK);
	assert_int_equal(store_write(s, looks, &found), STET_OK);
	assert_false(found);
	assert_int_equal(store_write(s, looks, &found), STET_OK);
	assert_true(found);
	db_close(other);
}

static void
a_transaction_that_is_undone_leaves_none(void **state)
{
	bool found = true;

	assert_int_equal(store_write(*state, refuses, &found), STET_SAVE_REJECTED);
	assert_false(found);
	assert_int_equal(store_write(*state, looks, &found), STET_OK);
	assert_false(found);
}

static enum stet_status
fills_much(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)looks(call, tx, arg);
	(void)stet_tx_alloc(call, 100000);
	return STET_OK;
}

static void
slots_do_not_grow_without_end(void **state)
{
	bool found = true;

	assert_int_equal(store_write(*state, fills_much, &found), STET_OK);
	assert_int_equal(store_write(*state, looks, &found), STET_OK);
	assert_false(found);
}

/* ---- which tables have been written ---- */

static enum stet_status
tells_writes(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	uint64_t item = stet_tx_written(call, "item"), note = stet_tx_written(call, "note");
	struct db *db = db_part(call)->db;

	(void)arg;
	assert_int_equal(stet_exec(call, tx, "INSERT INTO note (id) VALUES (5)", STET_NO_ARGS), 0);
	assert_true(stet_tx_written(call, "item") == item);
	assert_true(stet_tx_written(call, "note") > note);
	assert_true(stet_tx_written(call, "root item note") > note);
	note = stet_tx_written(call, "note");
	assert_int_equal(stet_exec(call, tx, "INSERT INTO watched VALUES (4)", STET_NO_ARGS), 0);
	assert_true(stet_tx_written(call, "item") > item); /* by its trigger */
	item = stet_tx_written(call, "item");
	assert_true(stet_tx_written(call, "note") == note);
	assert_int_equal(db_savepoint(db), STET_OK);
	assert_int_equal(db_savepoint_end(db, false), STET_OK);
	assert_true(stet_tx_written(call, "item") > item);
	*(uint64_t *)arg = stet_tx_written(call, "item");
	return STET_OK;
}

static enum stet_status
tells_later(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)tx;
	assert_true(stet_tx_written(call, "item") > *(uint64_t *)arg);
	return STET_OK;
}

static void
writes_of_tables_are_told(void **state)
{
	uint64_t last;

	assert_int_equal(store_write(*state, tells_writes, &last), STET_OK);
	assert_int_equal(store_write(*state, tells_later, &last), STET_OK);
}

static enum stet_status
undoes(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct db *db = db_part(call)->db;

	(void)tx;
	(void)arg;
	fill(call);
	assert_int_equal(db_savepoint(db), STET_OK);
	assert_int_equal(db_savepoint_end(db, true), STET_OK);
	assert_non_null(*slot(call));
	assert_int_equal(db_savepoint(db), STET_OK);
	assert_int_equal(db_savepoint_end(db, false), STET_OK);
	assert_null(*slot(call));
	return STET_OK;
}

static void
a_part_that_is_undone_empties_all_slots(void **state)
{
	assert_int_equal(store_write(*state, undoes, NULL), STET_OK);
}

static void
only_writers_have_slots(void **state)
{
	struct stet_call *call = store_call(*state);

	assert_null(slot(call));
	store_end(call);
}

/* ---- calls that share a transaction ---- */

struct lot {
	struct write_job job[3];
	int next;
	bool found[3];
};

static enum stet_status
fails(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	(void)looks(call, tx, arg);
	assert_int_equal(stet_exec(call, tx, "INSERT INTO note VALUES (4)", STET_NO_ARGS), STET_OK);
	return stet_fail(call, STET_SAVE_REJECTED, NULL, "no");
}

static struct write_job *
next(void *arg)
{
	struct lot *lot = arg;

	return lot->next < 3 ? &lot->job[lot->next++] : NULL;
}

static void
run_three(struct store *s, struct lot *lot, store_fn *second)
{
	struct db *db = db_open(s->path, DB_WRITE);
	struct batch b;

	memset(lot, 0, sizeof(*lot));
	for (int i = 0; i < 3; i++) {
		struct stet_call *call = call_new();

		call_enter(call, &s->site);
		lot->job[i] = (struct write_job){
			.call = call, .run = i == 1 ? second : looks, .arg = &lot->found[i]
		};
	}
	batch_init(&b, NULL, false);
	assert_true(batch_run(db, &b, next, lot));
	for (int i = 0; i < 3; i++)
		call_free(lot->job[i].call);
	db_close(db);
}

static void
calls_of_a_batch_share_slots(void **state)
{
	struct lot lot;

	run_three(*state, &lot, looks);
	assert_false(lot.found[0]);
	assert_true(lot.found[1]);
	assert_true(lot.found[2]);
}

static void
a_call_that_fails_leaves_nothing_in_them(void **state)
{
	struct lot lot;

	run_three(*state, &lot, fails);
	assert_true(lot.found[1]);
	assert_false(lot.found[2]);
	assert_int_equal(store_int(*state, "SELECT count(*) FROM note WHERE id = 4"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_write_to_its_tables_empties_a_slot),
		TEST(a_slot_stays_until_somebody_else_writes),
		TEST(a_transaction_that_is_undone_leaves_none),
		TEST(slots_do_not_grow_without_end),
		TEST(writes_of_tables_are_told),
		TEST(a_part_that_is_undone_empties_all_slots),
		TEST(only_writers_have_slots),
		TEST(calls_of_a_batch_share_slots),
		TEST(a_call_that_fails_leaves_nothing_in_them),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
