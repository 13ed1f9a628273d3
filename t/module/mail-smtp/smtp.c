/* smtp.t - sending one mail to a server: TLS, passwords, servers that stop in the middle. */
#include "harness.h"
#include "mail/mailtransport.h"
#include "postbox.h"

#include "base/clock.h"
#include "conf/confdriver.h"
#include "http/openssl.h"
#include "module/driver.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct postbox server;
static char dir[] = "/tmp/stet-smtp-XXXXXX", ca[64], password[64], url[64];
static struct conf_brought brought[2]; /* the transport, and none */
static char said[MAILTRANSPORT_SAID];

static int
begin(void **state)
{
	char *why;
	FILE *f;

	(void)state;
	brought[0].driver =
	    driver_find(harness_path("STET_BUILD", "modules/.libs"), "", "mail-smtp", &why);
	assert_non_null(brought[0].driver);
	(void)signal(SIGPIPE, SIG_IGN); /* as the daemon does */
	assert_non_null(mkdtemp(dir));
	openssl_certificate(dir, "good", "DNS:localhost,IP:127.0.0.1");
	openssl_certificate(dir, "other", "DNS:mail.example.org");
	(void)snprintf(ca, sizeof(ca), "%s/ca.pem", dir);
	(void)snprintf(password, sizeof(password), "%s/password", dir);
	f = fopen(password, "w");
	assert_non_null(f);
	fputs("geheim\n", f);
	fclose(f);
	return chmod(password, 0600);
}

static int
end(void **state)
{
	(void)state;
	openssl_forget(dir);
	return 0;
}

static void
open_server(const char *certificate, const char *scheme)
{
	postbox_open(&server, certificate != NULL ? dir : NULL, certificate);
	(void)snprintf(url, sizeof(url), "%s://127.0.0.1:%d", scheme, server.port);
}

static struct conf_site
settings(enum conf_mail_tls tls)
{
	static char base_url[] = "https://example.org";

	return (struct conf_site){ .mail = url,
		.base_url = base_url,
		.fetch_ca = ca,
		.mail_tls = (int)tls,
		.brought = brought };
}

static enum stet_mail_outcome
send_by(const struct conf_site *conf, int64_t timeout)
{
	return mailtransport_send(conf,
	    &(struct stet_mail_letter){ .from = "info@example.org",
		.to = "ann@example.org",
		.text = "Subject: x\r\n\r\n.\r\n..\r\nend\r\n",
		.len = strlen("Subject: x\r\n\r\n.\r\n..\r\nend\r\n"),
		.timeout = timeout },
	    said);
}

static void
dots_arrive_and_the_server_is_heard(void **state)
{
	struct conf_site conf = settings(CONF_TLS_AUTO);
	(void)state;

	open_server(NULL, "smtp");
	assert_int_equal(send_by(&conf, 0), STET_MAIL_SENT);
	postbox_close(&server);
	assert_string_equal(server.mail, "Subject: x\r\n\r\n.\r\n..\r\nend\r\n");
	assert_non_null(strstr(said, "250 2.0.0 Taken"));
	assert_int_equal(postbox_count(&server, "EHLO example.org\r\n"), 1);
	assert_int_equal(postbox_count(&server, "AUTH"), 0);
}

static void
a_password_is_sent_from_a_file_that_is_not_open_to_all(void **state)
{
	static char user[] = "stet";
	struct conf_site conf = settings(CONF_TLS_AUTO);
	(void)state;

	conf.mail_user = user;
	conf.mail_password_file = password;
	open_server(NULL, "smtp");
	assert_int_equal(send_by(&conf, 0), STET_MAIL_SENT);
	assert_int_equal(postbox_count(&server, "AUTH PLAIN\r\nAHN0ZXQAZ2VoZWlt\r\n"), 1);
	server.command = "AUTH";
	server.answer = "535 5.7.8 Wrong\r\n";
	assert_int_equal(send_by(&conf, 0), STET_MAIL_DOWN);
	assert_string_equal(said, "535 5.7.8 Wrong");
	assert_null(strstr(said, "geheim"));
	server.command = NULL;
	assert_int_equal(chmod(password, 0604), 0);
	assert_int_equal(send_by(&conf, 0), STET_MAIL_DOWN);
	assert_non_null(strstr(said, "chmod 600"));
	assert_int_equal(chmod(password, 0600), 0);
	conf.mail_password_file = dir;
	assert_int_equal(send_by(&conf, 0), STET_MAIL_DOWN);
	postbox_close(&server);
	assert_int_equal(server.mails, 1);
}

static void
starttls_is_used_where_it_is_asked_for(void **state)
{
	struct conf_site conf = settings(CONF_TLS_REQUIRED);
	(void)state;

	open_server("good", "smtp");
	assert_int_equal(send_by(&conf, 0), STET_MAIL_SENT);
	postbox_close(&server);
	assert_int_equal(postbox_count(&server, "STARTTLS"), 1);
	assert_int_equal(server.mails, 1);
	/* By default, loopback servers are used without TLS; "off" never uses it. */
	for (enum conf_mail_tls tls = CONF_TLS_AUTO; tls <= CONF_TLS_OFF; tls += CONF_TLS_OFF) {
		conf.mail_tls = (int)tls;
		open_server("good", "smtp");
		assert_int_equal(send_by(&conf, 0), STET_MAIL_SENT);
		postbox_close(&server);
		assert_int_equal(postbox_count(&server, "STARTTLS"), 0);
	}
}

static void
smtps_is_tls_from_the_first_byte(void **state)
{
	struct conf_site conf = settings(CONF_TLS_AUTO);
	(void)state;

	open_server("good", "smtps");
	server.at_once = true;
	assert_int_equal(send_by(&conf, 0), STET_MAIL_SENT);
	postbox_close(&server);
	assert_int_equal(server.mails, 1);
}

static void
nothing_is_said_to_a_server_that_is_not_who_it_should_be(void **state)
{
	struct conf_site conf = settings(CONF_TLS_REQUIRED);
	(void)state;

	open_server("other", "smtp"); /* a certificate for another name */
	assert_int_equal(send_by(&conf, 0), STET_MAIL_DOWN);
	assert_string_not_equal(said, "");
	conf.fetch_ca = NULL; /* an unknown certificate authority */
	assert_int_equal(send_by(&conf, 0), STET_MAIL_DOWN);
	server.plain = true; /* an attacker in between removes STARTTLS */
	assert_int_equal(send_by(&conf, 0), STET_MAIL_DOWN);
	postbox_close(&server);
	assert_int_equal(postbox_count(&server, "MAIL"), 0);
	assert_int_equal(server.mails, 0);
}

static void
a_server_that_falls_silent_is_left(void **state)
{
	static const char *const commands[] = { "", "EHLO", "MAIL", "RCPT", "DATA", ".", "QUIT" };
	struct conf_site conf = settings(CONF_TLS_AUTO);
	(void)state;

	open_server(NULL, "smtp");
	server.answer = POSTBOX_SILENT;
	for (size_t i = 0; i < COUNT(commands); i++) {
		int64_t begun = clock_monotonic();

		server.command = commands[i];
		assert_int_equal(send_by(&conf, 500),
		    strcmp(commands[i], "QUIT") == 0 ? STET_MAIL_SENT : STET_MAIL_DOWN);
		assert_true(clock_monotonic() - begun < 15000);
		assert_string_not_equal(said, "");
	}
	postbox_close(&server);
	assert_int_equal(server.mails, 2);
}

static void
answers_decide_what_becomes_of_a_mail(void **state)
{
	static const struct {
		const char *command, *answer;
		enum stet_mail_outcome outcome;
	} rows[] = {
		{ "", "421 4.3.2 Busy\r\n", STET_MAIL_DOWN },
		{ "", "554 5.3.2 Go away\r\n", STET_MAIL_DOWN },
		{ "MAIL", "451 4.3.0 Oops\r\n", STET_MAIL_DOWN },
		{ "MAIL", "550 5.7.1 Not you\r\n", STET_MAIL_DOWN },
		{ "RCPT", "450 4.2.1 Busy\r\n", STET_MAIL_LATER },
		{ "RCPT", "550-5.1.1 No\r\n550 5.1.1 body\r\n", STET_MAIL_REFUSED },
		{ "DATA", "451 4.3.0 Oops\r\n", STET_MAIL_LATER },
		{ "DATA", "554 5.6.0 No\r\n", STET_MAIL_REFUSED },
		{ ".", "452 4.3.1 Full\r\n", STET_MAIL_LATER },
		{ ".", "554 5.7.1 Spam\r\n", STET_MAIL_REFUSED },
		{ ".", "what?\r\n", STET_MAIL_DOWN },
	};
	struct conf_site conf = settings(CONF_TLS_AUTO);
	(void)state;

	open_server(NULL, "smtp");
	for (size_t i = 0; i < COUNT(rows); i++) {
		enum stet_mail_outcome outcome;

		server.command = rows[i].command;
		server.answer = rows[i].answer;
		outcome = send_by(&conf, 2000);
		if (outcome != rows[i].outcome)
			fail_msg(
			    "%s %s: %d (%s)", rows[i].command, rows[i].answer, (int)outcome, said);
		if (rows[i].answer[0] != 'w')
			assert_memory_equal(said, rows[i].answer, 9);
	}
	postbox_close(&server);
}

static void
long_answers_are_cut(void **state)
{
	struct conf_site conf = settings(CONF_TLS_AUTO);
	static char answer[20000];
	(void)state;

	for (size_t i = 0; i < 300; i++)
		(void)snprintf(answer + strlen(answer), sizeof(answer) - strlen(answer),
		    "550%c5.1.1 line of a long answer \x1b[31m%zu\r\n", i < 299 ? '-' : ' ', i);
	open_server(NULL, "smtp");
	server.command = "RCPT";
	server.answer = answer;
	assert_int_equal(send_by(&conf, 5000), STET_MAIL_REFUSED);
	postbox_close(&server);
	assert_int_equal(strlen(said), MAILTRANSPORT_SAID - 1);
	assert_null(strchr(said, '\x1b'));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dots_arrive_and_the_server_is_heard),
		cmocka_unit_test(a_password_is_sent_from_a_file_that_is_not_open_to_all),
		cmocka_unit_test(starttls_is_used_where_it_is_asked_for),
		cmocka_unit_test(smtps_is_tls_from_the_first_byte),
		cmocka_unit_test(nothing_is_said_to_a_server_that_is_not_who_it_should_be),
		cmocka_unit_test(a_server_that_falls_silent_is_left),
		cmocka_unit_test(answers_decide_what_becomes_of_a_mail),
		cmocka_unit_test(long_answers_are_cut),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
