/* notify.c - the messages to systemd; this test receives them in its place. */
#include "config.h"

#include "watcher.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define API "/_cms/api"
#define WATCHDOG_US "300000"

static struct daemon *d;
static int heard;

static int
start(void **state)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };

	(void)state;
	d = daemon_start("workers = 1\n", NULL, 0);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	(void)snprintf(un.sun_path, sizeof(un.sun_path), "%s", daemon_path(d, "notify"));
	heard = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_true(heard >= 0);
	assert_int_equal(bind(heard, (const struct sockaddr *)&un, sizeof(un)), 0);
	assert_int_equal(setenv("NOTIFY_SOCKET", un.sun_path, 1), 0);
	assert_int_equal(setenv("WATCHDOG_USEC", WATCHDOG_US, 1), 0);
	assert_int_equal(mkfifo(daemon_path(d, "pipe"), 0600), 0);
	assert_int_equal(setenv("STET_PROBE_MIGRATION", daemon_path(d, "pipe"), 1), 0);
	daemon_run(d, 0);
	unsetenv("STET_PROBE_MIGRATION");
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	if (d->pid != 0)
		daemon_signal(d, SIGKILL);
	(void)daemon_ended(d);
	daemon_stop(d);
	close(heard);
	return 0;
}

/* Returns the next message, or "" if none comes in time. */
static const char *
hear(int ms)
{
	static char text[256];
	struct pollfd p = { .fd = heard, .events = POLLIN };
	ssize_t n = 0;

	if (poll(&p, 1, ms) == 1)
		n = recv(heard, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* Waits for a message that begins with this text; watchdog messages may come before it. */
static void
await(const char *want)
{
	const char *text = hear(WAIT_MS);

	while (strcmp(text, "WATCHDOG=1") == 0 && strcmp(want, text) != 0)
		text = hear(WAIT_MS);
	if (strncmp(text, want, strlen(want)) != 0)
		fail_msg("\"%s\" came instead of %s", text, want);
}

static void
it_says_when_it_is_ready_and_reloading(void **state)
{
	(void)state;
	await("READY=1");
	await("WATCHDOG=1");
	daemon_signal(d, SIGHUP);
	await("RELOADING=1\nMONOTONIC_USEC=");
	await("READY=1");
	await("WATCHDOG=1");
}

/* During a migration the start timeout is extended again and again, until the daemon is ready. */
static void
a_start_that_changes_tables_is_given_time(void **state)
{
	struct daemon *slow = daemon_new(WATCHED, NULL);
	struct answer a;
	const char *text;
	int fd;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(slow, "fifo"), 0600), 0);
	assert_int_equal(setenv("STET_PROBE_MIGRATION", daemon_path(slow, "fifo"), 1), 0);
	while (*hear(0) != '\0')
		continue;
	daemon_begin(slow, 0);
	unsetenv("STET_PROBE_MIGRATION");
	for (int i = 0; i < 2; i++) {
		do
			text = hear(WAIT_MS);
		while (strcmp(text, "WATCHDOG=1") == 0);
		assert_string_equal(text,
		    "EXTEND_TIMEOUT_USEC=30000000\n"
		    "STATUS=site main: its tables are changed: module probe, migration 1 (counter)");
	}
	watcher_ask(slow, &a, "/readyz");
	assert_int_equal(a.status, 503);
	assert_string_equal(a.body,
	    "starting\nsite main: its tables are changed: module probe, migration 1 (counter)\n");
	answer_free(&a);
	fd = open(daemon_path(slow, "fifo"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
	do
		text = hear(WAIT_MS);
	while (strcmp(text, "READY=1") != 0 && *text != '\0');
	assert_string_equal(text, "READY=1");
	watcher_ask(slow, &a, "/readyz");
	assert_string_equal(a.body, "ready\n");
	answer_free(&a);
	daemon_stop(slow);
	await("STOPPING=1");
}

/* The same while the daemon serves, with watchdog messages in between. */
static void
a_reload_that_changes_tables_is_given_time_too(void **state)
{
	char conf[512];
	const char *text;
	int fd, beats = 0, extensions = 0;

	(void)state;
	(void)snprintf(conf, sizeof(conf),
	    "workers = 1\nsite \"other\" {\n hosts = { \"other.example\" }\n"
	    " data = \"%s/other\"\n}\n",
	    d->dir);
	daemon_write_conf(d, conf, NULL);
	daemon_signal(d, SIGHUP);
	await("RELOADING=1\nMONOTONIC_USEC=");
	fd = open(daemon_path(d, "pipe"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	while (beats < 3 || extensions < 2) {
		text = hear(WAIT_MS);
		if (strcmp(text, "WATCHDOG=1") == 0) {
			beats++;
			continue;
		}
		assert_string_equal(text,
		    "EXTEND_TIMEOUT_USEC=30000000\n"
		    "STATUS=site other: its tables are changed: module probe, migration 1 (counter)");
		extensions++;
	}
	close(fd);
	do
		text = hear(WAIT_MS);
	while (strcmp(text, "STATUS=") != 0 && *text != '\0');
	await("READY=1");
}

static void
a_worker_that_hangs_is_no_life(void **state)
{
	struct client c;
	struct answer a;
	int fd;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&c, d, false);
	client_say(
	    &c, "GET " API "/block?wait=%s HTTP/1.1\r\nHost: x\r\n\r\n", daemon_path(d, "fifo"));
	(void)daemon_said(d, 0, "worker 0 does not respond");
	while (*hear(0) != '\0')
		continue;
	/* For two watchdog intervals, no message is sent. */
	assert_string_equal(hear(250), "");
	fd = open(daemon_path(d, "fifo"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&c);
	await("WATCHDOG=1");
}

static void
it_says_that_it_ends(void **state)
{
	(void)state;
	daemon_signal(d, SIGTERM);
	await("STOPPING=1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_when_it_is_ready_and_reloading),
		cmocka_unit_test(a_start_that_changes_tables_is_given_time),
		cmocka_unit_test(a_reload_that_changes_tables_is_given_time_too),
		cmocka_unit_test(a_worker_that_hangs_is_no_life),
		cmocka_unit_test(it_says_that_it_ends),
	};

#ifndef HAVE_SYSTEMD
	puts("1..0 # SKIP built without libsystemd");
	return 0;
#endif
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, start, stop);
}
