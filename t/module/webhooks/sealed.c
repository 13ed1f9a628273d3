/* sealed.t - secrets at rest: what modules seal, databases of earlier versions, a lost key. */
#include "base/dir.h"
#include "base/words.h"
#include "bytes.h"
#include "secrets/vault.h"
#include "told.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct stet_sealed_column column = { "webhook", "secret", "id" };

/* ---- files of the site ---- */

static char *
path_of(struct harness *h, const char *name)
{
	return words_format("%s/%s", harness_data(h), name);
}

static void
remove_key(struct harness *h)
{
	char *key = path_of(h, DATADIR_KEY);

	assert_int_equal(unlink(key), 0);
	free(key);
}

/* ---- the SDK ---- */

struct sealing {
	const char *row, *sealed;
	char text[400], value[64];
	size_t len;
};

static enum stet_status
seal_it(struct stet_call *call, void *arg)
{
	struct sealing *s = arg;

	STET_TRY(stet_seal(
	    call, stet_write_tx(call), &column, s->row, s->value, strlen(s->value), &s->sealed));
	(void)snprintf(s->text, sizeof(s->text), "%s", s->sealed);
	return STET_OK;
}

static enum stet_status
unseal_it(struct stet_call *call, void *arg)
{
	struct sealing *s = arg;
	const char *value;

	STET_TRY(stet_unseal(call, &column, s->row, s->text, &value, &s->len));
	assert_int_equal(value[s->len], '\0');
	(void)snprintf(s->value, sizeof(s->value), "%s", value);
	return STET_OK;
}

static void
a_module_seals_and_opens(void **state)
{
	struct harness *h = *state;
	struct sealing s = { .row = "one", .value = "hello" };

	assert_int_equal(inside_write(h, seal_it, &s), STET_OK);
	memset(s.value, 0, sizeof(s.value));
	assert_int_equal(inside_read(h, unseal_it, &s), STET_OK);
	assert_string_equal(s.value, "hello");
	assert_int_equal(s.len, 5);
	s.row = "two";
	assert_int_equal(inside_read(h, unseal_it, &s), STET_SEAL_BROKEN);
	s.row = "one";
	s.text[strlen(s.text) - 1] = '\0';
	assert_int_equal(inside_read(h, unseal_it, &s), STET_SEAL_BROKEN);
}

struct digesting {
	const char *purpose, *text;
	unsigned char mac[STET_MAC_SIZE];
};

static enum stet_status
digest_it(struct stet_call *call, void *arg)
{
	struct digesting *d = arg;

	return stet_mac(call, d->purpose, d->text, strlen(d->text), d->mac);
}

static void
macs_differ_by_text_and_purpose(void **state)
{
	struct harness *h = *state;
	struct digesting a = { "p", "xy", { 0 } }, same = a, text = { "p", "xz", { 0 } },
			 moved = { "px", "y", { 0 } };

	assert_int_equal(inside_read(h, digest_it, &a), STET_OK);
	assert_int_equal(inside_read(h, digest_it, &same), STET_OK);
	assert_int_equal(inside_read(h, digest_it, &text), STET_OK);
	assert_int_equal(inside_read(h, digest_it, &moved), STET_OK);
	assert_memory_equal(a.mac, same.mac, STET_MAC_SIZE);
	assert_memory_not_equal(a.mac, text.mac, STET_MAC_SIZE);
	assert_memory_not_equal(a.mac, moved.mac, STET_MAC_SIZE);
	h = told_again(state);
	assert_int_equal(inside_read(h, digest_it, &same), STET_OK);
	assert_memory_equal(a.mac, same.mac, STET_MAC_SIZE);
}

static enum stet_status
record_another(struct stet_call *call, void *arg)
{
	(void)arg;
	return stet_exec(
	    call, stet_write_tx(call), "UPDATE site_key SET id = 'other'", STET_NO_ARGS);
}

static void
who_has_an_old_key_in_memory_seals_nothing(void **state)
{
	struct harness *h = *state;
	struct sealing s = { .row = "one", .value = "hello" };

	assert_int_equal(inside_write(h, record_another, NULL), STET_OK);
	assert_int_equal(inside_write(h, seal_it, &s), STET_KEY_UNAVAILABLE);
}

/* ---- a database from before ---- */

#define OLD_KEY "0123456789abcdefTHE-OLD-SECRET-X"

/* Makes the database of an earlier version, with secrets in clear text. */
static void
make_old(struct harness *h, const struct hook *hook)
{
	inside_sql(h, "UPDATE webhook SET secret = ?1", hook->secret);
	told_older(h);
	inside_sql(h, "DELETE FROM migration WHERE module = 'webhooks' AND version = 2", NULL);
	inside_sql(h,
	    "CREATE TABLE content_secret (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL)",
	    NULL);
	inside_sql(h, "INSERT INTO content_secret VALUES ('preview', CAST(?1 AS BLOB))", OLD_KEY);
	inside_sql(h, "DELETE FROM migration WHERE module = 'content' AND version >= 4", NULL);
	inside_sql(h, "ALTER TABLE revision DROP COLUMN version", NULL);
	inside_sql(h, "ALTER TABLE revision DROP COLUMN last_version", NULL);
	inside_sql(h, "DROP TABLE item_count", NULL);
	inside_sql(h, "DROP TABLE value_index", NULL);
	inside_sql(h, "DROP TABLE value_item", NULL);
	inside_sql(h, "DROP TABLE value_count", NULL);
	inside_sql(h,
	    "CREATE TABLE comment_secret (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),"
	    " secret BLOB NOT NULL)",
	    NULL);
	inside_sql(h, "INSERT INTO comment_secret VALUES (1, CAST(?1 AS BLOB))", OLD_KEY);
	inside_sql(h, "DELETE FROM migration WHERE module = 'comments' AND version = 2", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'core' AND version >= 4", NULL);
	inside_sql(h, "DROP INDEX outbox_failed", NULL);
	inside_sql(h, "DROP TABLE item_scheduler", NULL);
	inside_sql(h, "DROP TABLE item_unpublisher", NULL);
	inside_sql(h, "DROP TABLE preview_link", NULL);
	inside_sql(h, "DELETE FROM migration WHERE module = 'audit' AND version >= 2", NULL);
	inside_sql(h, "DROP TABLE audit_head", NULL);
	inside_sql(h, "DROP INDEX audit_log_session", NULL);
	inside_sql(h, "ALTER TABLE audit_log DROP COLUMN client_name", NULL);
	inside_sql(h, "ALTER TABLE audit_log DROP COLUMN tool", NULL);
	inside_sql(h, "ALTER TABLE audit_log DROP COLUMN session", NULL);
	inside_sql(h, "DROP TABLE site_key", NULL);
	inside_sql(h, "DROP TABLE mail", NULL);
	inside_sql(h, "DROP TABLE site_node", NULL);
	inside_sql(h, "DROP TABLE site_lease", NULL);
	inside_sql(h, "DROP TABLE site_wake", NULL);
	inside_sql(h, "DROP TABLE site_failure", NULL);
	inside_sql(h, "DROP TABLE site_lack", NULL);
	inside_sql(h, "DROP TABLE site_backup", NULL);
	inside_sql(h, "DROP TABLE site_beacon", NULL);
	remove_key(h);
}

static void
what_lay_in_clear_is_sealed_and_gone(void **state)
{
	struct harness *h = *state;
	struct hook a;
	char id[27], *key;
	struct stat st;

	hook(h, &here, "", &a);
	make_old(h, &a);
	h = told_again(state);
	key = path_of(h, DATADIR_KEY);
	assert_int_equal(stat(key, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	free(key);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM sqlite_schema WHERE name IN"
					  " ('content_secret', 'comment_secret')"),
	    "0");
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	assert_int_equal(sent(h), 1);
	assert_true(signed_with(&here, a.secret)); /* the receiver notices no change */
	h = told_again(state);
	assert_false(bytes_in_database(h, a.secret));
	assert_false(bytes_in_database(h, OLD_KEY));
}

/* Checks the search of the previous tests: it finds a secret in clear text. */
static void
what_lies_in_clear_is_found(void **state)
{
	struct harness *h = *state;
	struct hook a;

	hook(h, &here, "", &a);
	assert_false(bytes_in_database(h, a.secret));
	make_old(h, &a);
	assert_true(bytes_in_database(h, a.secret));
	assert_true(bytes_in_database(h, OLD_KEY));
}

/* ---- a key that is lost ---- */

static struct outcome *
preview(struct harness *h, const char *id)
{
	char request[100];

	(void)snprintf(request, sizeof(request), "POST " BASE "/%s/preview-url", id);
	return say(h, editor, request, "{}");
}

static void
without_its_key_a_site_serves_and_seals_nothing(void **state)
{
	struct harness *h = *state;
	struct hook a;
	char id[27], *key, *why;

	hook(h, &here, ",'events':['content.create']", &a);
	make(h, editor, id, "{'slug':'one','status':'published','data':{'title':'One'}}");
	remove_key(h);
	h = told_again(state);
	why = vault_problem(harness_site(h));
	assert_non_null(why);
	free(why);
	key = path_of(h, DATADIR_KEY);
	assert_int_not_equal(access(key, F_OK), 0); /* no new key is made */
	free(key);
	assert_ok(ask(h, editor, "GET " BASE "/one"));
	assert_code(say(h, admin, "POST " HOOKS, "{'url':'%s'}", neighbour_url(&here, "/in")),
	    "KEY_UNAVAILABLE");
	assert_code(preview(h, id), "KEY_UNAVAILABLE");
	assert_int_equal(sent(h), 0); /* no request is sent unsigned */
	assert_non_null(strstr(newest(h, &a, "error"), "its secret cannot be opened"));
	assert_true(vault_adopt(harness_site(h), &why));
	assert_null(vault_problem(harness_site(h)));
	hook(h, &there, "", &a);
	assert_ok(preview(h, id));
}

static void
a_value_of_another_row_is_not_used(void **state)
{
	struct harness *h = *state;
	struct hook a, b;
	char id[27];

	hook(h, &here, "", &a);
	hook(h, &there, ",'events':['content.delete']", &b);
	inside_sql(
	    h, "UPDATE webhook SET secret = (SELECT secret FROM webhook WHERE id = ?1)", b.id);
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	assert_int_equal(sent(h), 0);
	assert_non_null(strstr(newest(h, &a, "error"), "belongs to another row"));
	assert_ok(harness_op(h, admin, "webhook_rotate", "{\"id\":\"%s\"}", a.id));
}

int
main(void)
{
#define TEST(test_) cmocka_unit_test_setup_teardown(test_, told_begin, told_end)
	const struct CMUnitTest tests[] = {
		TEST(a_module_seals_and_opens),
		TEST(macs_differ_by_text_and_purpose),
		TEST(who_has_an_old_key_in_memory_seals_nothing),
		TEST(what_lay_in_clear_is_sealed_and_gone),
		TEST(what_lies_in_clear_is_found),
		TEST(without_its_key_a_site_serves_and_seals_nothing),
		TEST(a_value_of_another_row_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
