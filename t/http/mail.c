/* mail.c - mails from a daemon that is killed while it sends, and the command `stet mail`. */
#include "remote.h"

#include "postbox.h"
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ASK "/plugins/mailer/ask"

static struct daemon *d;
static struct remote admin;
static struct postbox server;
static char *token;

static void
set_clock(const char *ms)
{
	FILE *f = fopen(daemon_path(d, "clock"), "w");

	assert_non_null(f);
	fputs(ms, f);
	fclose(f);
}

static int
start(void **state)
{
	char site[128];

	(void)state;
	postbox_open(&server, NULL, NULL);
	(void)snprintf(site, sizeof(site),
	    "mail = \"smtp://127.0.0.1:%d\"\nmail-from = \"Example <info@example.org>\"\n",
	    server.port);
	d = remote_new(NULL, site);
	remote_plugin(d, "t/plugins/mail/.libs/mailer.so", "mailer.so", 0644);
	set_clock("1780315200000");
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	token = remote_token(d, "admin", "admin");
	free(COMMAND(d, "module", "enable", "mailer"));
	daemon_run(d, 0);
	remote_open(&admin, d, token);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	remote_close(&admin);
	daemon_stop(d);
	unsetenv("STET_CLOCK");
	postbox_close(&server);
	free(token);
	return 0;
}

/* The Message-ID of the last mail, in one of two static buffers. */
static const char *
message_id(void)
{
	static char ids[2][128];
	static int next;
	const char *at = strstr(server.mail, "Message-ID: ");

	next = !next;
	assert_non_null(at);
	(void)snprintf(ids[next], sizeof(ids[0]), "%.*s", (int)strcspn(at, "\r\n"), at);
	return ids[next];
}

static void
a_mail_leaves_at_once(void **state)
{
	size_t at = d->said_len;
	char *out;

	(void)state;
	json_decref(remote_must(&admin, 200, "POST", "{\"to\":\"ann@example.org\"}", ASK));
	(void)daemon_said(d, at, "sent in attempt 1");
	assert_int_equal(server.mails, 1);
	assert_non_null(strstr(server.mail, "token-"));
	assert_null(strstr(d->said, "token-"));
	assert_null(strstr(d->said, "ann@"));
	out = COMMAND(d, "mail", "list");
	assert_null(strstr(out, "ann@"));
	free(out);
}

static void
a_kill_while_it_is_sent_does_not_lose_it(void **state)
{
	const char *id;
	char *out;

	(void)state;
	postbox_forget(&server);
	server.command = ".";
	server.answer = POSTBOX_SILENT;
	json_decref(remote_must(&admin, 200, "POST", "{\"to\":\"bob@example.org\"}", ASK));
	while (server.mails < 1) /* the server has accepted the mail, but not answered yet */
		sched_yield();
	daemon_signal(d, SIGKILL);
	assert_int_equal(daemon_ended(d), 128 + SIGKILL);
	id = message_id();
	out = COMMAND(d, "mail", "list");
	assert_non_null(strstr(out, "bob@example.org"));
	free(out);
	server.command = NULL;
	set_clock("1780315230000");
	daemon_run(d, 0);
	(void)daemon_said(d, 0, "sent in attempt 2");
	assert_int_equal(server.mails, 2);
	assert_string_equal(message_id(), id);
	remote_close(&admin);
	remote_open(&admin, d, token);
}

#define MANY 150 /* more than the runs in a row that a job without progress may have */

/* The clock does not move, so a pause would never end. */
static void
many_mails_are_sent_without_a_pause(void **state)
{
	int before;

	(void)state;
	server.command = "";
	server.answer = "421 4.3.2 Closed\r\n";
	for (int i = 0; i < MANY; i++) {
		char body[60];

		(void)snprintf(body, sizeof(body), "{\"to\":\"many%d@example.org\"}", i);
		json_decref(remote_must(&admin, 200, "POST", body, ASK));
	}
	(void)daemon_said(d, 0, "deferred");
	server.command = NULL;
	before = server.mails;
	set_clock("1780326000000");
	for (int i = 0; i < 60000 && server.mails < before + MANY; i++) {
		(void)usleep(1000); /* the daemon has at most a minute */
		/* An attempt that had begun before may have been deferred at the new time. */
		if (i % 5000 == 4999 && server.mails == before)
			set_clock("1780329600000");
	}
	assert_int_equal(server.mails, before + MANY);
}

static void
the_command_tries_the_server(void **state)
{
	struct command c;
	char *out;

	(void)state;
	postbox_forget(&server);
	out = COMMAND(d, "mail", "test", "cid@example.org");
	assert_non_null(strstr(out, "250 2.0.0 Taken"));
	free(out);
	assert_non_null(strstr(server.mail, "Subject: Test\r\n"));
	server.command = "RCPT";
	server.answer = "550 5.1.1 Nobody here\r\n";
	command_run(d, &c, (const char *const[]){ "mail", "test", "cid@example.org", NULL });
	assert_int_equal(c.status, 1);
	assert_non_null(strstr(c.out, "550 5.1.1 Nobody here"));
	command_free(&c);
	command_run(d, &c, (const char *const[]){ "mail", "test", "a@b.cd\r\nx", NULL });
	assert_int_equal(c.status, 2);
	command_free(&c);
	command_run(d, &c, (const char *const[]){ "mail", "test", NULL });
	assert_int_equal(c.status, 2);
	command_free(&c);
	server.command = NULL;
}

/* Fails unless doctor prints a line about mail with this text, whatever else it finds. */
static void
doctor_says(const char *want)
{
	struct command c;
	const char *line;

	command_run(d, &c, (const char *const[]){ "doctor", NULL });
	line = strstr(c.out, want);
	if (line == NULL)
		fail_msg("stet doctor does not say \"%s\": %s%s", want, c.out, c.err);
	command_free(&c);
}

static void
the_doctor_asks_the_server_and_sends_nothing(void **state)
{
	(void)state;
	postbox_forget(&server);
	doctor_says("smtp://127.0.0.1:");
	doctor_says(" answers");
	assert_true(postbox_count(&server, "EHLO") > 0);
	assert_int_equal(postbox_count(&server, "MAIL"), 0);
	server.command = "";
	server.answer = "554 5.3.2 No service here\r\n";
	doctor_says("554 5.3.2 No service here");
	doctor_says("Mails wait until it does");
	server.command = NULL;
	assert_int_equal(server.mails, 0);
}

static void
the_doctor_tells_of_mails_that_were_given_up(void **state)
{
	size_t at = d->said_len;

	(void)state;
	server.command = "RCPT";
	server.answer = "550 5.1.1 Nobody here\r\n";
	json_decref(remote_must(&admin, 200, "POST", "{\"to\":\"eve@example.org\"}", ASK));
	(void)daemon_said(d, at, " dead in attempt 1");
	server.command = NULL;
	doctor_says("given up in the last 30 days: 1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mail_leaves_at_once),
		cmocka_unit_test(a_kill_while_it_is_sent_does_not_lose_it),
		cmocka_unit_test(many_mails_are_sent_without_a_pause),
		cmocka_unit_test(the_command_tries_the_server),
		cmocka_unit_test(the_doctor_asks_the_server_and_sends_nothing),
		cmocka_unit_test(the_doctor_tells_of_mails_that_were_given_up),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
