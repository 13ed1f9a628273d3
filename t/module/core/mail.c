/* mail.t - mails of modules: queued in a transaction, rendered and sent by a job, retried, given
 * up. */
#include "mail/mail.h"
#include "bytes.h"
#include "inside.h"
#include "postbox.h"
#include "template.h"

#include "base/words.h"
#include "call/call.h"
#include "conf/confdriver.h"
#include "db/rows.h"
#include "secrets/sealed.h"
#include "site/own.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ASK "mailer__ask"
#define WAITING "SELECT COUNT(*) FROM mail WHERE dead_at IS NULL"
#define DEAD "SELECT COUNT(*) FROM mail WHERE dead_at IS NOT NULL"
#define FIRST "2026-06-01T12:00:00.000Z"

static struct postbox server;

static struct harness *
open_site(bool with_mail)
{
	char url[64];
	const struct harness_options options = { .plugin_path = "t/plugins/mail/.libs",
		.mail_server = with_mail ? url : NULL };
	struct harness *h;

	(void)snprintf(url, sizeof(url), "smtp://127.0.0.1:%d", server.port);
	h = harness_open(&options);
	inside_enable(h, "mailer", true);
	harness_clock(h, FIRST);
	return h;
}

static int
begin(void **state)
{
	postbox_open(&server, NULL, NULL);
	*state = open_site(true);
	return 0;
}

static int
begin_without(void **state)
{
	postbox_open(&server, NULL, NULL);
	*state = open_site(false);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	postbox_close(&server);
	return 0;
}

/* Runs the job while it is due. Returns the number of runs. */
static int
work(struct harness *h)
{
	int runs = 0;
	bool due;

	do {
		struct stet_call *call = inside_call(h, "mailer");

		due = mail_job.due(call) <= stet_now(call);
		if (due)
			assert_int_equal(mail_job.run(call), STET_OK);
		runs += due;
		rows_end_call(call);
		call_free(call);
	} while (due);
	return runs;
}

static void
ask(struct harness *h, const char *to)
{
	assert_ok(harness_op(h, admin, ASK, "{\"to\":\"%s\"}", to));
}

/* Returns a header field of the last mail; static buffer. */
static const char *
field(const char *name)
{
	static char value[256];
	const char *at = strstr(server.mail, name);

	assert_non_null(at);
	at += strlen(name);
	(void)snprintf(value, sizeof(value), "%.*s", (int)strcspn(at, "\r\n"), at);
	return value;
}

static void
a_mail_is_sent_once_its_transaction_is_committed(void **state)
{
	struct harness *h = *state;

	ask(h, "Ann@Example.ORG");
	assert_string_equal(inside_ask(h, WAITING), "1");
	assert_int_equal(server.connections, 0);
	assert_int_equal(work(h), 1);
	assert_int_equal(server.mails, 1);
	assert_int_equal(postbox_count(&server, "EHLO localhost\r\n"), 1);
	assert_int_equal(postbox_count(&server, "MAIL FROM:<info@example.org>"), 1);
	assert_int_equal(postbox_count(&server, "RCPT TO:<Ann@example.org>\r\n"), 1);
	assert_string_equal(field("To: "), "Ann@example.org");
	assert_string_equal(field("Subject: "), "Your link");
	assert_string_equal(field("Date: "), "Mon, 01 Jun 2026 12:00:00 +0000");
	assert_non_null(strstr(field("Message-ID: "), "@localhost>"));
	assert_string_equal(field("Auto-Submitted: "), "auto-generated");
	assert_non_null(strstr(server.mail, "attempt 1\r\n=2E\r\nsecret none\r\ntoken-"));
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail"), "0");
	assert_int_equal(work(h), 0);
}

static void
what_is_rolled_back_sends_nothing(void **state)
{
	struct harness *h = *state;

	assert_code(
	    harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\",\"fail\":true}"), "CONFLICT");
	assert_string_equal(inside_ask(h, WAITING), "0");
	assert_int_equal(work(h), 0);
	assert_int_equal(server.connections, 0);
}

static void
without_a_server_nothing_can_be_asked_for(void **state)
{
	struct outcome *o = harness_op(*state, admin, ASK, "{\"to\":\"ann@example.org\"}");

	assert_code(o, "EMAIL_NOT_CONFIGURED");
	assert_int_equal(o->http, 503);
}

static void
hostile_addresses_reach_nobody(void **state)
{
	static const char *const bad[] = { "", "ann", "ann@example.org\\r\\nRCPT TO:<evil@b.cd>",
		"ann@example.org>\\r\\nRCPT TO:<evil@b.cd", "ann@example.org,evil@b.cd",
		"ann@example.org evil@b.cd", "<ann@example.org>", "ann@example.org\\nDATA",
		"ann@127.0.0.1", "ann@[127.0.0.1]", "\\\"ann\\\"@b.cd", "ann@b.cd NOTIFY=NEVER" };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_code(
		    harness_op(h, admin, ASK, "{\"to\":\"%s\"}", bad[i]), "VALIDATION_ERROR");
	/* A valid address gets its mail, and no bad address does. */
	ask(h, "ann@example.org");
	assert_int_equal(work(h), 1);
	assert_int_equal(postbox_count(&server, "RCPT TO"), 1);
	assert_int_equal(postbox_count(&server, "evil"), 0);
}

/* ---- secrets ---- */

static void
neither_values_nor_what_is_made_lie_in_the_database(void **state)
{
	struct harness *h = *state;
	const char *token;

	assert_ok(harness_op(h, admin, ASK,
	    "{\"to\":\"ann@example.org\",\"values\":{\"secret\":\"open-sesame-7\"}}"));
	assert_true(bytes_in_database(h, "ann@example.org"));
	assert_false(bytes_in_database(h, "open-sesame-7"));
	server.command = ".";
	server.answer = "451 4.7.1 Later\r\n";
	assert_int_equal(work(h), 1);
	assert_non_null(strstr(server.mail, "secret open-sesame-7\r\n"));
	token = strstr(server.mail, "token-");
	assert_non_null(token);
	assert_false(bytes_in_database(h, field("token-")));
	assert_false(bytes_in_database(h, "open-sesame-7"));
}

static void
the_values_of_mails_are_found_when_keys_change(void **state)
{
	struct harness *h = *state;
	char *database = words_format("%s/stet.db", harness_data(h)), *why = NULL;
	char *path = sitekey_path(harness_data(h), NULL);
	json_t *problems = json_array();
	struct sitekeys keys;
	uint64_t count = 0;

	assert_ok(harness_op(h, admin, ASK,
	    "{\"to\":\"ann@example.org\",\"values\":{\"secret\":\"open-sesame-7\"}}"));
	assert_int_equal(sitekey_read(path, &keys, &why), SITEKEY_THERE);
	assert_true(sealed_check(database, &keys, &own_sealed, problems, &count, &why));
	assert_int_equal(count, 2); /* the mail, and the signed head of the audit log */
	assert_int_equal(json_array_size(problems), 0);
	json_decref(problems);
	free(database);
	free(path);
}

/* ---- retries, and giving up ---- */

static void
a_mail_that_is_deferred_is_sent_again_as_the_same_one(void **state)
{
	struct harness *h = *state;
	char id[256], token[256];

	ask(h, "ann@example.org");
	server.command = ".";
	server.answer = "451-4.7.1 Greylisted\r\n451 4.7.1 come back\r\n";
	assert_int_equal(work(h), 1);
	assert_string_equal(
	    inside_ask(h, "SELECT error FROM mail"), "451-4.7.1 Greylisted451 4.7.1 come back");
	(void)snprintf(id, sizeof(id), "%s", field("Message-ID: "));
	(void)snprintf(token, sizeof(token), "%s", field("token-"));
	server.command = NULL;
	harness_clock(h, "2026-06-01T12:00:29.999Z");
	assert_int_equal(work(h), 0);
	harness_clock(h, "2026-06-01T12:00:30.000Z");
	assert_int_equal(work(h), 1);
	assert_string_equal(field("Message-ID: "), id);
	assert_string_equal(field("token-"), token);
	assert_string_equal(field("Date: "), "Mon, 01 Jun 2026 12:00:00 +0000");
	assert_non_null(strstr(server.mail, "attempt 2\r\n"));
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail"), "0");
}

static void
a_mail_whose_answer_is_lost_is_sent_again(void **state)
{
	struct harness *h = *state;

	ask(h, "ann@example.org");
	server.command = ".";
	server.answer = POSTBOX_DIE;
	assert_int_equal(work(h), 1);
	assert_int_equal(server.mails, 1);
	assert_string_equal(inside_ask(h, WAITING), "1");
	server.command = NULL;
	harness_clock(h, "2026-06-01T12:00:30.000Z");
	assert_int_equal(work(h), 1);
	assert_int_equal(server.mails, 2);
	assert_string_equal(inside_ask(h, WAITING), "0");
}

/* Runs the job every half hour for a day. */
static void
pass_a_day(struct harness *h)
{
	char now[32];

	for (int i = 1; i <= 49; i++) {
		(void)snprintf(now, sizeof(now), "2026-06-%02dT%02d:%02d:00.000Z", i < 24 ? 1 : 2,
		    (12 + i / 2) % 24, i % 2 * 30);
		harness_clock(h, now);
		(void)work(h);
	}
}

static void
what_is_deferred_for_a_day_is_dead_and_tells_why(void **state)
{
	struct harness *h = *state;

	assert_ok(harness_op(
	    h, admin, ASK, "{\"to\":\"ann@example.org\",\"values\":{\"secret\":\"x\"}}"));
	server.command = "RCPT";
	server.answer = "450 4.2.1 Busy\r\n";
	(void)work(h);
	pass_a_day(h);
	assert_string_equal(inside_ask(h, DEAD), "1");
	assert_true(server.connections > 20 && server.connections < 40);
	assert_string_equal(inside_ask(h, "SELECT error FROM mail"),
	    "its time is over; the last failure: 450 4.2.1 Busy");
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail WHERE content IS NULL"), "1");
	assert_int_equal(work(h), 0);
	/* A settled mail is deleted a month later, when another one is settled. */
	harness_clock(h, "2026-07-03T12:00:00.000Z");
	server.command = NULL;
	ask(h, "bob@example.org");
	assert_int_equal(work(h), 1);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail"), "0");
}

static void
a_mail_with_a_shorter_life_is_dead_sooner(void **state)
{
	struct harness *h = *state;

	assert_ok(harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\",\"lifetime\":45000}"));
	server.command = "RCPT";
	server.answer = "450 4.2.1 Busy\r\n";
	assert_int_equal(work(h), 1);
	harness_clock(h, "2026-06-01T12:00:30.000Z");
	assert_int_equal(work(h), 1);
	harness_clock(h, "2026-06-01T12:00:45.000Z");
	assert_int_equal(work(h), 1);
	assert_string_equal(inside_ask(h, DEAD), "1");
	assert_int_equal(server.connections, 2);
}

static void
what_is_refused_for_good_is_dead_at_once(void **state)
{
	struct harness *h = *state;

	ask(h, "ann@example.org");
	server.command = "RCPT";
	server.answer = "550 5.1.1 Nobody\x07 here\r\n";
	assert_int_equal(work(h), 1);
	assert_string_equal(inside_ask(h, "SELECT error FROM mail WHERE dead_at IS NOT NULL"),
	    "550 5.1.1 Nobody? here");
}

static void
a_server_that_is_down_is_asked_once_for_all(void **state)
{
	static const char *const answers[][2] = { { "", "554 5.3.2 No service\r\n" },
		{ "", POSTBOX_DIE }, { "EHLO", POSTBOX_DIE }, { "MAIL", "530 5.7.0 Sign in\r\n" },
		{ "RCPT", POSTBOX_DIE } };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(answers); i++) {
		harness_clock(h, FIRST);
		postbox_forget(&server);
		ask(h, "ann@example.org");
		ask(h, "bob@example.org");
		ask(h, "cid@example.org");
		server.command = answers[i][0];
		server.answer = answers[i][1];
		assert_int_equal(work(h), 1);
		/* If EHLO fails, curl may connect again and send HELO. */
		assert_in_range(server.connections, 1, 2);
		assert_string_equal(inside_ask(h, WAITING), "3");
		server.command = NULL;
		harness_clock(h, "2026-06-01T12:00:30.000Z");
		assert_int_equal(work(h), 3);
		assert_int_equal(server.mails, 3);
		assert_string_equal(inside_ask(h, WAITING), "0");
	}
}

/* ---- what the maker says ---- */

static void
a_maker_may_drop_a_mail_fail_or_make_a_bad_one(void **state)
{
	struct harness *h = *state;

	ask(h, "nobody@example.org");
	ask(h, "unmade@example.org");
	ask(h, "bad@example.org");
	assert_int_equal(work(h), 3);
	assert_int_equal(server.connections, 0);
	assert_string_equal(
	    inside_ask(h, "SELECT COUNT(*) FROM mail WHERE recipient LIKE 'nobody%'"), "0");
	assert_string_equal(inside_ask(h, "SELECT error FROM mail WHERE dead_at IS NULL"),
	    "it was not made: NOT_FOUND: not today");
	assert_string_equal(inside_ask(h, "SELECT error FROM mail WHERE dead_at IS NOT NULL"),
	    "its subject is not one line of UTF-8");
}

static void
a_mail_that_the_module_has_no_more_is_dead(void **state)
{
	struct harness *h = *state;

	ask(h, "ann@example.org");
	inside_sql(h, "UPDATE mail SET name = ?1", "gone");
	assert_int_equal(work(h), 1);
	assert_string_equal(inside_ask(h, DEAD), "1");
	assert_code(harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\",\"name\":\"gone\"}"),
	    "INTERNAL_ERROR");
}

static void
values_that_cannot_be_opened_are_told(void **state)
{
	struct harness *h = *state;

	assert_ok(harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\",\"values\":[1]}"));
	inside_sql(h, "UPDATE mail SET content = ?1", "AAAA");
	assert_int_equal(work(h), 1);
	assert_int_equal(server.connections, 0);
	assert_non_null(strstr(inside_ask(h, "SELECT error FROM mail"), "SEAL_BROKEN"));
}

static void
mails_of_a_module_that_is_off_wait(void **state)
{
	struct harness *h = *state;

	ask(h, "ann@example.org");
	inside_enable(h, "mailer", false);
	inside_enable(h, "mailer", true);
	assert_int_equal(work(h), 1);
	assert_int_equal(server.mails, 1);
}

/* ---- bounds ---- */

static void
few_mails_to_one_address_wait_at_once(void **state)
{
	static const char *const same[] = { "ann@example.org", "Ann@example.org", "ANN@EXAMPLE.org",
		"aNn@example.org", "ann@example.oRg" };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(same); i++)
		ask(h, same[i]);
	assert_code(harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\"}"), "RATE_LIMITED");
	assert_ok(harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\",\"once\":true}"));
	ask(h, "bob@example.org");
	assert_int_equal(work(h), 6);
	ask(h, "ann@example.org");
}

static void
what_is_asked_for_once_waits_once(void **state)
{
	struct harness *h = *state;

	for (int i = 0; i < 10; i++)
		assert_ok(harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\",\"once\":true}"));
	assert_ok(harness_op(
	    h, admin, ASK, "{\"to\":\"ann@example.org\",\"once\":true,\"name\":\"other\"}"));
	assert_string_equal(inside_ask(h, WAITING), "2");
	assert_int_equal(work(h), 2);
	assert_ok(harness_op(h, admin, ASK, "{\"to\":\"ann@example.org\",\"once\":true}"));
	assert_string_equal(inside_ask(h, WAITING), "1");
}

static void
the_mails_of_a_site_that_wait_are_bounded(void **state)
{
	struct harness *h = *state;

	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
	    " INSERT INTO mail (id, module, name, recipient, created_at, expires_at, attempts,"
	    " due_at) SELECT 'x' || i, 'gone', 'x', i || '@example.org', '2026-06-01', ?1, 0,"
	    " '2026-06-01' FROM n",
	    "2026-06-02T12:00:00.000Z");
	ask(h, "ann@example.org");
	assert_code(harness_op(h, admin, ASK, "{\"to\":\"bob@example.org\"}"), "RATE_LIMITED");
	assert_int_equal(work(h), 1);
	ask(h, "bob@example.org");
	/* Expired mails do not count against the limit. */
	harness_clock(h, "2026-06-02T12:00:00.000Z");
	ask(h, "cid@example.org");
}

/* ---- transports ---- */

static void
a_mail_waits_while_the_module_of_its_transport_is_missing(void **state)
{
	struct harness *h = *state;
	struct stet_call *call = inside_call(h, "mailer");
	struct conf_site *conf = call->gen->conf;
	struct conf_site copy = conf_site_dup(conf);

	confdriver_free(conf);
	ask(h, "ann@example.org");
	ask(h, "bob@example.org");
	assert_int_equal(work(h), 1);
	assert_int_equal(server.connections, 0);
	assert_string_equal(inside_ask(h, "SELECT error FROM mail WHERE attempts = 1"),
	    "the module mail-smtp, which sends mails by SMTP, is not there");
	assert_string_equal(inside_ask(h, WAITING), "2");
	confdriver_copy(conf, &copy); /* it was installed */
	harness_clock(h, "2026-06-01T12:00:30.000Z");
	assert_int_equal(work(h), 2);
	assert_int_equal(server.mails, 2);
	conf_site_drop(&copy);
	call_free(call);
}

static void
a_transport_of_a_plugin_sends_mails(void **state)
{
	char dir[] = "/tmp/stet-drop-XXXXXX", *keys, *path, text[4096] = "";
	struct harness_options options = { .plugin_path = "t/plugins/mail/.libs",
		.mail_server = "drops://mail.example.org:99" };
	struct harness *h;
	FILE *f;
	(void)state;

	assert_non_null(mkdtemp(dir));
	assert_int_equal(rmdir(dir), 0);
	path = words_format("%s/mails", dir);
	options.mail_keys = keys = words_format("drop-file = \"%s\"\n", path);
	h = harness_open(&options);
	inside_enable(h, "mailer", true);
	harness_clock(h, FIRST);
	ask(h, "ann@example.org");
	assert_int_equal(work(h), 1);
	assert_string_equal(inside_ask(h, "SELECT error FROM mail"), "it cannot? be ? opened");
	assert_int_equal(mkdir(dir, 0700), 0);
	harness_clock(h, "2026-06-01T12:00:30.000Z");
	assert_int_equal(work(h), 1);
	assert_string_equal(inside_ask(h, "SELECT COUNT(*) FROM mail"), "0");
	f = fopen(path, "r");
	assert_non_null(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	fclose(f);
	assert_non_null(strstr(text,
	    "drops://mail.example.org:99 localhost info@example.org ann@example.org tls 1\n"));
	assert_non_null(strstr(text, "\r\nSubject: Your link\r\n"));
	assert_non_null(strstr(text, "attempt 2\r\n"));
	harness_close(h, false);
	template_remove(dir);
	free(path);
	free(keys);
}

/* The error of a section with these lines, which the caller frees; NULL: it is good. */
static char *
error_of(const char *plugins, const char *lines)
{
	char *why,
	    *text = words_format("site \"main\" {\nmail-from = \"a@example.org\"\n%s}\n", lines);

	setenv("STET_PLUGIN_PATH", plugins, 1);
	conf_free(conf_parse(text, "t.conf", &why));
	unsetenv("STET_PLUGIN_PATH");
	free(text);
	return why;
}

static void
keys_of_a_transport_are_checked_like_every_other(void **state)
{
	static const char *const rows[][2] = {
		{ "mail = \"drop://a\"\n", "site \"main\": mail = \"drop:...\" needs drop-file" },
		{ "mail = \"drop://a\"\ndrop-file = \"\"\n", "t.conf:4: drop-file: " },
		{ "drop-fill = \"x\"\n", "t.conf:3: no such option 'drop-fill'" },
		{ "mail = \"drop:a\"\n", "t.conf:3: mail: \"drop:a\" is not the URL of a mail" },
		{ "mail = \"drop://a/x\"\n", "is not the URL of a mail server" },
		{ "mail = \"dropss://a\"\n", "is not the URL of a mail server" },
	};
	const char *plugins = harness_path("STET_BUILD", "t/plugins/mail/.libs");
	char *why;
	(void)state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		why = error_of(plugins, rows[i][0]);
		if (why == NULL || strstr(why, rows[i][1]) == NULL)
			fail_msg("%s: %s", rows[i][0], why);
		free(why);
	}
	assert_null(error_of(plugins, "mail = \"drop://a\"\ndrop-file = \"/x\"\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_mail_is_sent_once_its_transaction_is_committed),
		TEST(what_is_rolled_back_sends_nothing),
		cmocka_unit_test_setup_teardown(
		    without_a_server_nothing_can_be_asked_for, begin_without, end),
		TEST(hostile_addresses_reach_nobody),
		TEST(neither_values_nor_what_is_made_lie_in_the_database),
		TEST(the_values_of_mails_are_found_when_keys_change),
		TEST(a_mail_that_is_deferred_is_sent_again_as_the_same_one),
		TEST(a_mail_whose_answer_is_lost_is_sent_again),
		TEST(what_is_deferred_for_a_day_is_dead_and_tells_why),
		TEST(a_mail_with_a_shorter_life_is_dead_sooner),
		TEST(what_is_refused_for_good_is_dead_at_once),
		TEST(a_server_that_is_down_is_asked_once_for_all),
		TEST(a_maker_may_drop_a_mail_fail_or_make_a_bad_one),
		TEST(a_mail_waits_while_the_module_of_its_transport_is_missing),
		cmocka_unit_test(a_transport_of_a_plugin_sends_mails),
		cmocka_unit_test(keys_of_a_transport_are_checked_like_every_other),
		TEST(a_mail_that_the_module_has_no_more_is_dead),
		TEST(values_that_cannot_be_opened_are_told),
		TEST(mails_of_a_module_that_is_off_wait),
		TEST(few_mails_to_one_address_wait_at_once),
		TEST(what_is_asked_for_once_waits_once),
		TEST(the_mails_of_a_site_that_wait_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
