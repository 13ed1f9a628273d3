/* crashes.c - plugins that crash the daemon: the log names the plugin. One that crashes it again
 * and again is suspended, until an administrator enables it. */
#include "config.h"

#include "remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGIN_MS 1780284000000 /* 2026-06-01T03:20:00Z */
#define MINUTE_MS 60000LL
#define BOOM "/plugins/crasher/boom"
#define POST_BODY "{\"data\":{\"title\":\"T\"}}"

static struct daemon *d;
static struct remote admin;
static char *token;

/* Sets where the plugin crashes, from the next start on; NULL: nowhere. */
static void
crash_where(const char *where)
{
	if (where != NULL)
		setenv("STET_CRASH", where, 1);
	else
		unsetenv("STET_CRASH");
}

/* A page of the plugin. */
static void
put_page(void)
{
	FILE *f;

	assert_int_equal(mkdir(daemon_path(d, "crasher.pages"), 0755), 0);
	f = fopen(daemon_path(d, "crasher.pages/tale.html"), "we");
	assert_non_null(f);
	assert_true(fputs("<title>Tale</title>", f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(daemon_path(d, "crasher.pages/tale.html"), 0644), 0);
}

static void
assert_page(int status)
{
	struct answer a;

	ask(d, &a, "GET", "/_cms/admin/plugin-files/crasher/tale.html");
	assert_int_equal(a.status, status);
	answer_free(&a);
}

static int
start(void **state)
{
	(void)state;
	crash_where(NULL);
	d = remote_new(NULL, NULL);
	token = remote_token(d, "admin", "admin");
	free(COMMAND(d, "call", "schema_create_collection", "slug=posts", "label=Posts"));
	free(COMMAND(d, "call", "schema_create_field", "collection=posts", "slug=title",
	    "label=Title", "type=string"));
	remote_plugin(d, "t/plugins/.libs/crasher.so", "crasher.so", 0644);
	put_page();
	free(COMMAND(d, "module", "enable", "crasher"));
	daemon_clock(d, BEGIN_MS);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	crash_where(NULL);
	daemon_stop(d);
	free(token);
	unsetenv("STET_CLOCK");
	return 0;
}

static void
run(void)
{
	daemon_run(d, 0);
	remote_open(&admin, d, token);
}

static void
quit(void)
{
	remote_close(&admin);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
}

/* Sends a request at which the daemon dies. */
static void
ask_and_die(const char *method, const char *body, const char *path)
{
	remote_say(&admin, method, body, "%s", path);
	(void)client_ended(&admin.client);
	remote_close(&admin);
	assert_int_not_equal(daemon_ended(d), 0);
}

/* Starts the daemon so many times, a minute apart, and lets it die at a read. */
static void
die_reading(int times)
{
	static int minute;

	for (int i = 0; i < times; i++) {
		daemon_clock(d, BEGIN_MS + minute++ * MINUTE_MS);
		run();
		ask_and_die("GET", NULL, BOOM);
	}
}

static json_t *
plugin(void)
{
	json_t *data = remote_must(&admin, 200, "GET", NULL, "/admin/plugins/crasher"),
	       *item = json_incref(json_object_get(data, "item"));

	json_decref(data);
	return item;
}

static void
assert_status(const char *status)
{
	json_t *item = plugin();

	assert_string_equal(json_string_value(json_object_get(item, "status")), status);
	assert_int_equal(
	    json_object_get(item, "suspended") != NULL, strcmp(status, "suspended") == 0);
	json_decref(item);
}

static void
assert_suspended(const char *what)
{
	json_t *item = plugin(), *suspended = json_object_get(item, "suspended");
	const char *reason = json_string_value(json_object_get(suspended, "reason"));
	char *list = COMMAND(d, "module", "list"), *line = strstr(list, "crasher ");

	assert_string_equal(json_string_value(json_object_get(item, "status")), "suspended");
	assert_non_null(json_string_value(json_object_get(suspended, "since")));
	if (reason == NULL || strstr(reason, what) == NULL)
		fail_msg("suspended because %s", reason);
	assert_non_null(line);
	line[strcspn(line, "\n")] = '\0';
	assert_non_null(strstr(line, "suspended"));
	free(list);
	json_decref(item);
}

/* The plugin answers again, without a restart. */
static void
assert_survives(void)
{
	json_decref(remote_must(&admin, 200, "GET", NULL, BOOM));
	assert_status("active");
}

static void
save(void)
{
	json_decref(remote_must(&admin, 201, "POST", POST_BODY, "/content/posts"));
}

/* ---- what the log says ---- */

static const struct {
	const char *where, *method, *body, *path, *says, *culprit;
	int number;
} deaths[] = {
	{ "read", "GET", NULL, BOOM, "crash: SIGSEGV at address 0x0",
	    ", in operation crasher__boom of module crasher, site main, call 0", SIGSEGV },
	{ "stack", "GET", NULL, BOOM, "crash: SIGSEGV at address 0x",
	    ", in operation crasher__boom of module crasher, site main", SIGSEGV },
	{ "malloc", "GET", NULL, BOOM, "crash: SIGABRT",
	    ", in operation crasher__boom of module crasher, site main", SIGABRT },
	{ "save", "POST", POST_BODY, "/content/posts", "crash: SIGSEGV at address 0x0",
	    ", in hook entry_before_save of module crasher, site main", SIGSEGV },
	{ "assert", "POST", POST_BODY, "/content/posts", "\"!call->writing\" does not hold",
	    ", in hook entry_before_save of module crasher, site main", SIGABRT },
	{ "thread", "GET", NULL, BOOM, "crash: SIGSEGV at address 0x0", "", SIGSEGV },
};

static void
the_log_names_the_culprit_and_the_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(deaths) / sizeof(deaths[0]); i++) {
		size_t at = d->said_len;

		daemon_clock(d, BEGIN_MS + (long long)i * 60 * MINUTE_MS);
		crash_where(deaths[i].where);
		run();
		remote_say(&admin, deaths[i].method, deaths[i].body, "%s", deaths[i].path);
		at = daemon_said(d, at, deaths[i].says);
		at = daemon_said(d, at, deaths[i].culprit);
		at = daemon_said(d, at, "crash: #0 ");
		(void)daemon_said(d, at, "/crasher.so +0x");
		(void)client_ended(&admin.client);
		remote_close(&admin);
		assert_int_equal(daemon_ended(d), 128 + deaths[i].number);
		at = d->said_len;
		crash_where(NULL);
		run();
		(void)daemon_said(d, at, "the daemon died while the plugin crasher ran");
		assert_survives();
		quit();
	}
}

/* ---- suspended ---- */

static void
three_deaths_within_ten_minutes_suspend_a_plugin(void **state)
{
	size_t at;
	char *log;
	json_t *data;

	(void)state;
	crash_where("read");
	die_reading(2);
	daemon_clock(d, BEGIN_MS + 3 * MINUTE_MS);
	run();
	assert_status("active");
	assert_page(200);
	ask_and_die("GET", NULL, BOOM);
	at = d->said_len;
	run();
	(void)daemon_said(
	    d, at, "the plugin crasher is suspended on site main: stetd died 3 times");
	assert_suspended("operation crasher__boom");
	json_decref(remote_must(&admin, 404, "GET", NULL, BOOM));
	assert_page(404);
	save();
	log = COMMAND(d, "audit", "list");
	assert_non_null(strstr(log, "plugin_suspended"));
	free(log);
	/* The plugin stays suspended, and the suspension is recorded once. */
	quit();
	crash_where(NULL);
	run();
	assert_suspended("operation crasher__boom");
	log = COMMAND(d, "audit", "list");
	assert_null(strstr(strstr(log, "plugin_suspended") + 1, "plugin_suspended"));
	free(log);
	data = remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable");
	assert_string_equal(
	    json_string_value(json_object_get(json_object_get(data, "item"), "status")), "active");
	json_decref(data);
	assert_survives();
	assert_page(200);
	/* Its crashes are deleted from the record. */
	quit();
	crash_where("read");
	daemon_clock(d, BEGIN_MS + 4 * MINUTE_MS);
	run();
	ask_and_die("GET", NULL, BOOM);
	run();
	assert_status("active");
}

/* A reply left open, or issues left recorded, are found after the handler has returned; they count
 * as the fault of the plugin. */
static void
a_handler_that_ends_badly_is_to_blame(void **state)
{
	static const char *const ends[] = { "open", "issue" };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		crash_where(ends[i]);
		die_reading(3);
		run();
		assert_suspended("in operation crasher__boom");
		quit();
		crash_where(NULL);
		free(COMMAND(d, "module", "enable", "crasher"));
	}
	run();
	assert_survives();
}

static void
deaths_that_lie_apart_suspend_nothing(void **state)
{
	(void)state;
	crash_where("read");
	for (int i = 0; i < 5; i++) {
		daemon_clock(d, BEGIN_MS + i * 6 * MINUTE_MS);
		run();
		assert_status("active");
		ask_and_die("GET", NULL, BOOM);
	}
	run();
	assert_status("active");
}

static void
kills_and_stops_suspend_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		size_t at = d->said_len;

		run();
		json_decref(remote_must(&admin, 200, "GET", NULL, BOOM));
		save();
		(void)daemon_said(d, at, "crasher has heard");
		remote_close(&admin);
		daemon_signal(d, SIGKILL);
		assert_int_equal(daemon_ended(d), 128 + SIGKILL);
	}
	for (int i = 0; i < 4; i++) {
		run();
		json_decref(remote_must(&admin, 200, "GET", NULL, BOOM));
		quit();
	}
	run();
	assert_status("active");
	assert_null(strstr(d->said, "died while"));
}

/* A signal handler does not see this crash, but the mark of the first call shows it. */
static void
a_first_call_that_ends_the_process_counts(void **state)
{
	static const char *const where[] = { "exit", "kill", "exit" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		crash_where(where[i]);
		run();
		assert_status("active");
		ask_and_die("GET", NULL, BOOM);
	}
	run();
	assert_suspended("operation crasher__boom");
}

static void
a_crash_in_a_constructor_keeps_the_plugin_out(void **state)
{
	size_t at;

	(void)state;
	crash_where("constructor");
	for (int i = 0; i < 3; i++) {
		daemon_begin(d, 0);
		assert_int_not_equal(daemon_ended(d), 0);
	}
	at = d->said_len;
	run();
	(void)daemon_said(d, at, "the plugin crasher is suspended: stetd died 3 times");
	assert_suspended("its constructor");
	save();
	quit();
	/* Enabled while the daemon is down, it is loaded with the next start. */
	crash_where(NULL);
	free(COMMAND(d, "module", "enable", "crasher"));
	run();
	assert_survives();
	quit();
	/* The same with a running daemon, when it reloads the modules. */
	crash_where("constructor");
	for (int i = 0; i < 3; i++) {
		daemon_begin(d, 0);
		assert_int_not_equal(daemon_ended(d), 0);
	}
	crash_where(NULL);
	run();
	assert_suspended("its constructor");
	at = d->said_len;
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable"));
	(void)daemon_said(d, at, "read again");
	assert_survives();
}

static void
a_crash_in_a_migration_keeps_the_plugin_out(void **state)
{
	size_t at;

	(void)state;
	assert_int_equal(unlink(daemon_path(d, "crasher.so")), 0);
	remote_plugin(d, "t/plugins/newer/.libs/crasher.so", "crasher.so", 0644);
	crash_where("migration");
	for (int i = 0; i < 3; i++) {
		daemon_clock(
		    d, BEGIN_MS + i * MINUTE_MS); /* each start keeps a copy of the database */
		daemon_begin(d, 0);
		assert_int_not_equal(daemon_ended(d), 0);
	}
	at = d->said_len;
	run();
	(void)daemon_said(d, at, "the plugin crasher is suspended on site main");
	assert_suspended("migration");
	save();
	quit();
	crash_where(NULL);
	run();
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable"));
	assert_survives();
}

static void
what_waits_for_a_suspended_plugin_is_delivered_when_it_is_back(void **state)
{
	size_t at;

	(void)state;
	unsetenv("STET_CLOCK"); /* deliveries wait for time to pass */
	crash_where("notify");
	run();
	json_decref(remote_must(&admin, 200, "GET", NULL, BOOM)); /* a first call must succeed */
	/* The crash may come before the answer. */
	remote_say(&admin, "POST", POST_BODY, "/content/posts");
	assert_int_equal(daemon_ended(d), 128 + SIGSEGV);
	remote_close(&admin);
	for (int i = 0; i < 2; i++) {
		daemon_begin(d, 0);
		assert_int_equal(daemon_ended(d), 128 + SIGSEGV);
	}
	run();
	assert_suspended("hook entry_after_save");
	quit();
	for (int i = 0; i < 14; i++) { /* as often as the delivery of a message is tried */
		run();
		quit();
	}
	crash_where(NULL);
	run();
	at = d->said_len;
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable"));
	(void)daemon_said(d, at, "crasher has heard");
	assert_survives();
}

/* ---- disabled in spite of it ---- */

static void
a_module_that_cannot_be_loaded_can_be_disabled(void **state)
{
	(void)state;
	crash_where("constructor");
	free(COMMAND(d, "module", "disable", "crasher"));
	run();
	assert_suspended("while it was loaded");
	quit();
	crash_where(NULL);
	free(COMMAND(d, "module", "enable", "crasher"));
	run();
	assert_survives();
}

static void
a_module_whose_migration_crashes_can_be_disabled(void **state)
{
	(void)state;
	assert_int_equal(unlink(daemon_path(d, "crasher.so")), 0);
	remote_plugin(d, "t/plugins/newer/.libs/crasher.so", "crasher.so", 0644);
	crash_where("migration");
	free(COMMAND(d, "module", "disable", "crasher"));
	run();
	assert_status("inactive");
	quit();
	crash_where(NULL);
	run();
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable"));
	assert_survives();
}

/* The failure keeps the whole site from writing, so disabling the plugin must not need a write. */
static void
a_module_whose_migration_fails_can_be_disabled(void **state)
{
	struct answer a;
	char *said;

	(void)state;
	assert_int_equal(unlink(daemon_path(d, "crasher.so")), 0);
	remote_plugin(d, "t/plugins/newer/.libs/crasher.so", "crasher.so", 0644);
	crash_where("refusal");
	run();
	remote_ask(&admin, &a, "POST", POST_BODY, "/content/posts");
	assert_string_equal(answer_code(&a), "MIGRATION_FAILED");
	answer_free(&a);
	said = COMMAND(d, "module", "disable", "crasher");
	assert_non_null(strstr(said, "A request to disable crasher is left"));
	free(said);
	(void)daemon_said(d, 0, "the module crasher is disabled, as was asked for");
	assert_status("inactive");
	save();
	quit();
	crash_where(NULL);
	run();
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable"));
	assert_survives();
}

static void
a_module_that_holds_the_writer_can_be_disabled(void **state)
{
	size_t at;
	char *said;
	struct remote writer;

	(void)state;
	crash_where("hang");
	run();
	json_decref(remote_must(&admin, 200, "GET", NULL, BOOM));
	remote_open(&writer, d, token);
	remote_say(&writer, "POST", POST_BODY, "/content/posts");
	/* Reads continue; after the command has given up waiting they run without the plugin. */
	json_decref(remote_must(&admin, 200, "GET", NULL, BOOM));
	at = d->said_len;
	said = COMMAND(d, "module", "disable", "crasher");
	assert_non_null(strstr(said, "A request to disable crasher is left"));
	free(said);
	(void)daemon_said(d, at, "read again");
	json_decref(remote_must(&admin, 404, "GET", NULL, BOOM));
	assert_status("inactive");
	remote_close(&writer);
	remote_close(&admin);
	daemon_signal(d, SIGKILL);
	assert_int_equal(daemon_ended(d), 128 + SIGKILL);
	at = d->said_len;
	run();
	(void)daemon_said(d, at, "the module crasher is disabled, as was asked for");
	assert_status("inactive");
	save();
	said = COMMAND(d, "audit", "list");
	assert_non_null(strstr(said, "plugin_disable"));
	free(said);
	quit();
	crash_where(NULL);
	run();
	json_decref(remote_must(&admin, 200, "POST", NULL, "/admin/plugins/crasher/enable"));
	assert_survives();
	save();
}

int
main(void)
{
#ifdef STET_SANITIZED
	puts("1..0 # SKIP a sanitizer handles the signals itself, and a crash is an exit");
	return 0;
#endif
#define ON_A_DAEMON(test) cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		ON_A_DAEMON(the_log_names_the_culprit_and_the_place),
		ON_A_DAEMON(three_deaths_within_ten_minutes_suspend_a_plugin),
		ON_A_DAEMON(a_handler_that_ends_badly_is_to_blame),
		ON_A_DAEMON(deaths_that_lie_apart_suspend_nothing),
		ON_A_DAEMON(kills_and_stops_suspend_nothing),
		ON_A_DAEMON(a_first_call_that_ends_the_process_counts),
		ON_A_DAEMON(a_crash_in_a_constructor_keeps_the_plugin_out),
		ON_A_DAEMON(a_crash_in_a_migration_keeps_the_plugin_out),
		ON_A_DAEMON(a_module_that_cannot_be_loaded_can_be_disabled),
		ON_A_DAEMON(a_module_whose_migration_crashes_can_be_disabled),
		ON_A_DAEMON(a_module_whose_migration_fails_can_be_disabled),
		ON_A_DAEMON(a_module_that_holds_the_writer_can_be_disabled),
		ON_A_DAEMON(what_waits_for_a_suspended_plugin_is_delivered_when_it_is_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
