/* chain.t - the audit log is tamper-evident: changed records, retention, batches that run again. */
#include "call/call.h"
#include "call/site.h"
#include "db/writer.h"
#include "op/args.h"
#include "op/dispatch.h"
#include "op/part.h"
#include "records.h"
#include "site/site.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- tampering ---- */

/* Makes five records; the tests tamper with the second to last. */
static void
write_some(struct harness *h)
{
	char id[27];

	for (int i = 0; i < 5; i++) {
		at(h, 1000 * (i + 1));
		make(h, author, id, "{'data':{'title':'A'}}");
	}
	assert_sound(h);
}

static int64_t
newest(struct harness *h)
{
	return harness_int(record(h, 0), "seq");
}

static void
no_column_can_be_changed(void **state)
{
	static const char *const changes[] = { "created_at = '2026-06-01T12:00:03.001Z'",
		"actor = 'x'", "actor = NULL", "actor_email = 'x'", "token = 'x'",
		"via = 'session'", "op = 'x'", "module = 'x'", "names = NULL", "subject = 'x'",
		"result = 'x'", "changed = NULL", "outcome = 'x'", "reason = ''",
		"client = '127.0.0.2'", "request = 'x'", "hash = 'x'",
		"hash = (SELECT hash FROM audit_log ORDER BY seq LIMIT 1)" };
	struct harness *h = *state;
	char sql[512], seq[32], told[64];

	write_some(h);
	snprintf(seq, sizeof(seq), "%d", (int)newest(h) - 1);
	snprintf(
	    sql, sizeof(sql), "CREATE TABLE kept AS SELECT * FROM audit_log WHERE seq = %s", seq);
	inside_sql(h, sql, NULL);
	for (size_t i = 0; i < COUNT(changes); i++) {
		snprintf(sql, sizeof(sql), "UPDATE audit_log SET %s WHERE seq = ?1", changes[i]);
		inside_sql(h, sql, seq);
		snprintf(told, sizeof(told), "record %s ", seq);
		assert_broken(h, told);
		inside_sql(h, "DELETE FROM audit_log WHERE seq = ?1", seq);
		inside_sql(h, "INSERT INTO audit_log SELECT * FROM kept", NULL);
		assert_sound(h);
	}
}

static void
a_record_cannot_be_taken_out(void **state)
{
	struct harness *h = *state;
	char seq[32], told[96];

	write_some(h);
	snprintf(seq, sizeof(seq), "%d", (int)newest(h) - 1);
	inside_sql(h, "DELETE FROM audit_log WHERE seq = ?1", seq);
	snprintf(told, sizeof(told), "records %s to %s are gone", seq, seq);
	assert_broken(h, told);
	/* Closing the gap in the numbers does not hide the deletion. */
	inside_sql(h, "UPDATE audit_log SET seq = ?1 WHERE seq > ?1", seq);
	snprintf(told, sizeof(told), "record %s is not", seq);
	assert_broken(h, told);
}

static void
records_cannot_change_places(void **state)
{
	struct harness *h = *state;

	write_some(h);
	inside_sql(h, "UPDATE audit_log SET seq = -2 WHERE seq = 2", NULL);
	inside_sql(h, "UPDATE audit_log SET seq = 2 WHERE seq = 3", NULL);
	inside_sql(h, "UPDATE audit_log SET seq = 3 WHERE seq = -2", NULL);
	assert_broken(h, "record 2 is not");
}

static void
the_oldest_cannot_be_taken_off_unnoticed(void **state)
{
	struct harness *h = *state;

	write_some(h);
	inside_sql(h, "CREATE TABLE kept AS SELECT * FROM audit_log WHERE seq = 2", NULL);
	inside_sql(h, "DELETE FROM audit_log WHERE seq <= 2", NULL);
	assert_broken(h, "records 1 to 2 are gone");
	inside_sql(h, "UPDATE audit_anchor SET seq = 2, hash = (SELECT hash FROM kept)", NULL);
	assert_broken(h, "no record says that");
}

static void
a_pinned_head_shows_that_the_newest_were_cut_off(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char pin[100], id[27], seq[32];

	write_some(h);
	harness_ok(o, ask(h, admin, "GET /admin/audit/verify"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
	snprintf(pin, sizeof(pin), "%s", harness_text(o->data, "head"));
	make(h, author, id, "{'data':{'title':'A'}}");
	assert_ok(harness_op(h, admin, "audit_prove", "{\"pin\":\"%s\"}", pin));
	snprintf(seq, sizeof(seq), "%d", (int)newest(h) - 1);
	inside_sql(h, "DELETE FROM audit_log WHERE seq >= ?1", seq);
	assert_sound(h); /* without the pin the chain is intact */
	o = harness_op(h, admin, "audit_prove", "{\"pin\":\"%s\"}", pin);
	assert_code(o, "AUDIT_BROKEN");
	assert_non_null(strstr(o->text, "which was pinned, is gone"));
	harness_ok(o, ask(h, admin, "GET /admin/audit/verify?pin=%s", pin));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 1);
	assert_code(ask(h, editor, "GET /admin/audit/verify"), "FORBIDDEN");
	make(h, author, id, "{'data':{'title':'Another'}}");
	o = harness_op(h, admin, "audit_prove", "{\"pin\":\"%s\"}", pin);
	assert_code(o, "AUDIT_BROKEN");
	assert_non_null(strstr(o->text, "is not the one that was pinned"));
	assert_code(harness_op(h, admin, "audit_prove", "{\"pin\":\"5\"}"), "VALIDATION_ERROR");
}

/* ---- the signed head ---- */

/* Runs the job that signs, a minute later. */
static void
sign(struct harness *h)
{
	static int minute;

	at(h, 60000 * ++minute + 5000);
	for (int i = 0; i < 5 && inside_work(h, "audit"); i++)
		continue;
}

static void
records_that_were_cut_off_are_noticed(void **state)
{
	struct harness *h = *state;
	char seq[32], id[27];

	write_some(h);
	sign(h);
	assert_sound(h);
	snprintf(seq, sizeof(seq), "%d", (int)newest(h) - 1);
	inside_sql(h, "DELETE FROM audit_log WHERE seq >= ?1", seq);
	assert_broken(h, "the newest that was signed, is gone");
	sign(h); /* a new signature does not hide it */
	assert_broken(h, "the newest that was signed, is gone");
	make(h, author, id, "{'data':{'title':'B'}}");
	make(h, author, id, "{'data':{'title':'C'}}");
	make(h, author, id, "{'data':{'title':'D'}}");
	sign(h);
	assert_broken(h, "is not the one that was signed");
}

static void
a_head_that_is_changed_or_gone_is_noticed(void **state)
{
	struct harness *h = *state;

	write_some(h);
	sign(h);
	inside_sql(h, "CREATE TABLE kept_head AS SELECT sealed FROM audit_head", NULL);
	inside_sql(h, "UPDATE audit_head SET sealed = 'x'", NULL);
	assert_broken(h, "was not signed with the site's key");
	inside_sql(h, "DELETE FROM audit_head", NULL);
	assert_broken(h, "its signed head is gone");
	sign(h);
	assert_broken(h, "its signed head is gone");
	inside_sql(h, "INSERT INTO audit_head SELECT 1, sealed FROM kept_head", NULL);
	assert_sound(h);
	/* An administrator may have the log signed again, which leaves a record. */
	inside_sql(h, "DELETE FROM audit_head", NULL);
	assert_ok(harness_op(h, admin, "audit_sign", "{}"));
	assert_string_equal(harness_text(record(h, 0), "op"), "audit_sign");
	assert_sound(h);
	/* A log without a signature is signed by the job, which leaves a record. */
	inside_sql(h, "UPDATE audit_head SET sealed = NULL", NULL);
	assert_broken(h, "no head of it was ever signed");
	sign(h);
	assert_string_equal(harness_text(record(h, 0), "op"), "audit_sign");
}

static void
what_retention_deleted_may_have_been_signed(void **state)
{
	struct harness *h = *state;

	write_some(h);
	sign(h);
	assert_ok(say(
	    h, admin, "PUT /admin/plugins/audit/settings", "{'values':{'retentionRecords':1}}"));
	write_some(h);
	sign(h);
	assert_sound(h);
}

/* ---- retention ---- */

static void
keep(struct harness *h, const char *values)
{
	assert_ok(say(h, admin, "PUT /admin/plugins/audit/settings", "{'values':%s}", values));
}

static void
retention_keeps_the_newest_and_a_sound_chain(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	for (int i = 0; i < 1100; i++)
		make(h, author, id, "{'data':{'title':'A'}}");
	keep(h, "{'retentionRecords':100}");
	inside_run_job(h, "audit");
	assert_int_equal(records(h), 100);
	harness_ok(o, harness_op(h, admin, "audit_verify", "{}"));
	assert_true(harness_int(o->data, "pruned") > 1000);
	assert_member(record(h, 0), "op", "audit_prune");
	assert_member(record(h, 0), "via", "system");
	/* Records within the limit stay. */
	inside_run_job(h, "audit");
	assert_int_equal(records(h), 100);
	make(h, author, id, "{'data':{'title':'A'}}");
	inside_run_job(h, "audit");
	assert_int_equal(records(h), 100);
	assert_sound(h);
}

static void
retention_takes_what_is_too_old(void **state)
{
	struct harness *h = *state;
	char id[27];

	write_some(h);
	keep(h, "{'retentionDays':1,'retentionRecords':0}");
	inside_run_job(h, "audit");
	assert_true(records(h) > 5);
	harness_clock(h, "2026-06-02T12:00:03Z");
	make(h, author, id, "{'data':{'title':'A'}}");
	inside_run_job(h, "audit");
	assert_string_equal(
	    inside_ask(h, "SELECT min(created_at) FROM audit_log"), "2026-06-01T12:00:03.000Z");
	assert_sound(h);
	/* The record of the first pruning is deleted, too; the record of the last one stays. */
	harness_clock(h, "2026-06-09T12:00:00Z");
	inside_run_job(h, "audit");
	assert_int_equal(records(h), 1);
	assert_sound(h);
	keep(h, "{'retentionDays':0}");
	harness_clock(h, "2036-06-09T12:00:00Z");
	inside_run_job(h, "audit");
	assert_int_equal(records(h), 2);
	assert_sound(h);
}

static void
a_pin_that_retention_took_is_told_so(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], pin[100];

	make(h, author, id, "{'data':{'title':'A'}}");
	harness_ok(o, ask(h, admin, "GET /admin/audit/verify"));
	assert_int_equal(json_array_size(harness_at(o->data, "problems")), 0);
	snprintf(pin, sizeof(pin), "%s", harness_text(o->data, "head"));
	write_some(h);
	keep(h, "{'retentionRecords':3}");
	inside_run_job(h, "audit");
	o = harness_op(h, admin, "audit_prove", "{\"pin\":\"%s\"}", pin);
	assert_non_null(strstr(o->text, "older than what is kept"));
}

/* ---- batches ---- */

struct batch {
	pthread_mutex_t lock;
	pthread_cond_t change;
	bool open;
	int left, destroyed;
};

static void
one_less(struct batch *b)
{
	pthread_mutex_lock(&b->lock);
	b->left--;
	pthread_cond_broadcast(&b->change);
	pthread_mutex_unlock(&b->lock);
}

/* Blocks the writer until the other writes wait behind it. */
static enum stet_status
hold(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct batch *b = arg;

	(void)call;
	(void)tx;
	pthread_mutex_lock(&b->lock);
	while (!b->open)
		pthread_cond_wait(&b->change, &b->lock);
	pthread_mutex_unlock(&b->lock);
	return STET_OK;
}

/* Rolls back the transaction the first time that it runs. */
static enum stet_status
destroy(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct batch *b = arg;

	if (b->destroyed++ > 0)
		return STET_OK;
	return stet_exec(call, tx,
	    "/* test */ INSERT OR ROLLBACK INTO audit_anchor VALUES (1, 0, '')", STET_NO_ARGS);
}

static void
ran(struct stet_call *call, enum stet_status status, void *arg)
{
	(void)call;
	(void)status;
	one_less(arg);
}

static void
created(struct stet_call *call)
{
	one_less(op_part(call)->io);
}

static struct stet_call *
create_later(struct harness *h, struct batch *b)
{
	json_t *args = json_pack("{s:s, s:{s:s}}", "collection", "posts", "data", "title", "A");
	struct stet_call *call = call_new();

	call_enter(call, harness_site(h));
	stet_principal_set(call, &(struct stet_principal){ .id = author->id, .role = 30 });
	call->op = generation_op(call->gen, "content_create");
	call->owner = call->op->owner;
	op_part(call)->done = created;
	op_part(call)->io = b;
	assert_int_equal(args_json(call, stet_json_own(call, args)), STET_OK);
	return call;
}

static void
submit(struct harness *h, struct write_job *job, struct batch *b,
    enum stet_status (*run)(struct stet_call *, struct stet_tx *, void *))
{
	*job = (struct write_job){ .call = call_new(), .run = run, .arg = b, .done = ran };
	call_enter(job->call, harness_site(h));
	assert_int_equal(writer_submit(harness_site(h)->writer, job), STET_OK);
}

static void
a_batch_that_is_run_again_leaves_a_sound_chain(void **state)
{
	struct harness *h = *state;
	struct batch b = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 10, 0 };
	struct stet_call *create[8];
	struct write_job holder, destroyer;
	struct writer_stats stats;
	int before = records(h);

	writer_start(1);
	submit(h, &holder, &b, hold);
	for (int i = 0; i < 8; i++) {
		if (i == 4)
			submit(h, &destroyer, &b, destroy);
		create[i] = create_later(h, &b);
		dispatch_call(create[i]);
	}
	pthread_mutex_lock(&b.lock);
	b.open = true;
	pthread_cond_broadcast(&b.change);
	while (b.left > 0)
		pthread_cond_wait(&b.change, &b.lock);
	pthread_mutex_unlock(&b.lock);
	writer_stop();
	writer_stats(harness_site(h)->writer, &stats);
	assert_int_equal(stats.replays, 1);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(create[i]->error.status, STET_OK);
		call_free(create[i]);
	}
	call_free(holder.call);
	call_free(destroyer.call);
	assert_int_equal(records(h), before + 8);
	assert_sound(h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(no_column_can_be_changed),
		check(a_record_cannot_be_taken_out),
		check(records_cannot_change_places),
		check(the_oldest_cannot_be_taken_off_unnoticed),
		check(a_pinned_head_shows_that_the_newest_were_cut_off),
		check(records_that_were_cut_off_are_noticed),
		check(a_head_that_is_changed_or_gone_is_noticed),
		check(what_retention_deleted_may_have_been_signed),
		check(retention_keeps_the_newest_and_a_sound_chain),
		check(retention_takes_what_is_too_old),
		check(a_pin_that_retention_took_is_told_so),
		check(a_batch_that_is_run_again_leaves_a_sound_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
