/* lifecycle.c - options, draining, SIGHUP, the access log, sites by host. */
#include "daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define API "/_cms/api"

static void
let_go(const struct daemon *d, const char *name)
{
	int fd = open(daemon_path(d, name), O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	close(fd);
}

static void
sigterm_lets_calls_finish(void **state)
{
	/* One worker: if it has closed the idle connection, it knows that the daemon stops. */
	struct daemon *d = daemon_start("workers = 1\n", NULL, 0);
	struct client busy, idle, half;
	struct answer a;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&idle, d, false);
	client_say(&idle, "GET " API "/echo HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&idle, &a, false);
	answer_free(&a);
	client_open(&half, d, false);
	client_say(&half, "GET " API "/echo?text=half HTTP/1.1\r\nHost: x\r\n");
	client_open(&busy, d, false);
	client_say(&busy, "GET " API "/slow?wait=%s&started=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "fifo"), daemon_path(d, "started"));
	daemon_file(d, "started");
	daemon_signal(d, SIGTERM);
	(void)daemon_said(d, 0, "stopping");
	assert_true(client_ended(&idle));
	/* A request whose head had partly arrived is served, and a running one is finished. */
	client_say(&half, "\r\n");
	client_answer(&half, &a, false);
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(&half));
	client_close(&half);
	let_go(d, "fifo");
	client_answer(&busy, &a, false);
	assert_int_equal(a.status, 200);
	assert_string_equal(answer_header(&a, "Connection"), "close");
	answer_free(&a);
	assert_true(client_ended(&busy));
	client_close(&busy);
	client_close(&idle);
	assert_int_equal(daemon_ended(d), 0);
	daemon_stop(d);
}

/* While a long read runs in the slow lane, the only worker serves others. */
static void
serves_others_beside(const char *path)
{
	struct daemon *d = daemon_start("workers = 1\n", NULL, 0);
	struct client busy, other;
	struct answer a;

	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&busy, d, false);
	client_say(&busy, "GET " API "%s?wait=%s&started=%s HTTP/1.1\r\nHost: x\r\n\r\n", path,
	    daemon_path(d, "fifo"), daemon_path(d, "started"));
	daemon_file(d, "started");
	client_open(&other, d, false);
	client_say(&other, "GET " API "/echo?text=x HTTP/1.1\r\nHost: x\r\n\r\n");
	client_answer(&other, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	let_go(d, "fifo");
	client_answer(&busy, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&busy);
	client_close(&other);
	daemon_stop(d);
}

static void
a_read_moves_to_the_slow_lane(void **state)
{
	(void)state;
	serves_others_beside("/slower");
}

/* Called as a tool: inside the request of the tool server. */
static void
so_does_one_inside_of_another(void **state)
{
	(void)state;
	serves_others_beside("/outer");
}

static void
draining_ends_by_its_deadline(void **state)
{
	struct daemon *d = daemon_start("drain-timeout = \"300ms\"\n", NULL, 0);
	struct client busy, half;

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "fifo"), 0600), 0);
	client_open(&half, d, false);
	client_say(&half, "GET " API "/echo HTTP/1.1\r\n");
	client_open(&busy, d, false);
	client_say(&busy, "GET " API "/slow?wait=%s&started=%s HTTP/1.1\r\nHost: x\r\n\r\n",
	    daemon_path(d, "fifo"), daemon_path(d, "started"));
	daemon_file(d, "started");
	daemon_signal(d, SIGTERM);
	assert_true(client_ended(&busy));
	assert_true(client_ended(&half));
	/* The daemon waits for the handler itself: its module may be writing. */
	let_go(d, "fifo");
	assert_int_equal(daemon_ended(d), 0);
	client_close(&busy);
	client_close(&half);
	daemon_stop(d);
}

static void
sighup_takes_a_changed_configuration(void **state)
{
	struct daemon *d = daemon_start(NULL, "hosts = { \"one.example\" }", 0);
	struct client c;
	struct answer a;
	size_t at;

	(void)state;
	client_open(&c, d, false);
	client_say(&c, "GET " API "/echo HTTP/1.1\r\nHost: two.example\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 404);
	assert_string_equal(answer_code(&a), "NOT_FOUND");
	answer_free(&a);
	daemon_write_conf(
	    d, "idle-timeout = \"300ms\"\n", "hosts = { \"two.example\", \"three.example\" }");
	at = daemon_reload(d);
	client_say(&c, "GET " API "/echo HTTP/1.1\r\nHost: Two.Example:80\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	/* The new deadline also holds for existing connections. */
	assert_true(client_ended(&c));
	client_close(&c);
	/* A malformed file changes nothing. */
	daemon_write_conf(d, "bogus = 1\n", NULL);
	daemon_signal(d, SIGHUP);
	at = daemon_said(d, at, "stays as it was");
	(void)daemon_said(d, at, "bogus");
	client_open(&c, d, false);
	client_say(&c, "GET " API "/echo HTTP/1.1\r\nHost: two.example\r\n\r\n");
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&c);
	daemon_stop(d);
}

/* State that the parser keeps of a truncated file must not affect the next file. */
static void
sighup_with_a_file_that_ends_too_early_changes_nothing(void **state)
{
	/* What has no end is before the site, or is the last of it. */
	static const char *const broken[][2] = { { "/* a comment", "hosts = { \"two.example\" }" },
		{ NULL, "hosts = { \"two.example$" } };
	struct daemon *d = daemon_start(NULL, NULL, 0);
	struct answer a;
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		daemon_write_conf(d, broken[i][0], broken[i][1]);
		daemon_signal(d, SIGHUP);
		at = daemon_said(d, at, "stays as it was");
		at = daemon_said(d, at, "has no end");
		ask(d, &a, "GET", API "/echo");
		assert_int_equal(a.status, 200);
		answer_free(&a);
	}
	daemon_write_conf(d, NULL, "hosts = { \"two.example\" }");
	(void)daemon_reload(d);
	ask(d, &a, "GET", API "/echo");
	assert_int_equal(a.status, 404);
	answer_free(&a);
	daemon_stop(d);
}

static void
sighup_moves_to_another_address(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	struct answer a;
	size_t at;

	(void)state;
	daemon_write_conf(d, "listen = { \"127.0.0.2:0\", \"127.0.0.1:0\" }\n", NULL);
	daemon_signal(d, SIGHUP);
	at = daemon_said(d, d->said_len, "listening on http://127.0.0.2:");
	(void)daemon_said(d, at, "read again");
	/* The address that is in both configurations stays open. */
	ask(d, &a, "GET", API "/echo");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	daemon_stop(d);
}

/* Returns a whole file as text; the caller frees it. */
static char *
slurp(const char *path)
{
	char *text = calloc(1, 65536);
	FILE *file = fopen(path, "r");

	assert_true(text != NULL && file != NULL);
	assert_true(fread(text, 1, 65535, file) > 0);
	fclose(file);
	return text;
}

static void
the_access_log_has_a_line_a_request(void **state)
{
	struct daemon *d;
	char conf[200], path[64];
	struct client c;
	struct answer a;
	char *text, *at, *end;

	(void)state;
	(void)snprintf(path, sizeof(path), "/tmp/stet-access-%d", (int)getpid());
	(void)snprintf(conf, sizeof(conf),
	    "access-log = \"%s\"\ntrusted-proxies = { \"127.0.0.0/8\" }\n", path);
	d = daemon_start(conf, NULL, 0);
	client_open(&c, d, false);
	client_say(&c, "GET " API "/echo?text=secret HTTP/1.1\r\nHost: x\r\n"
		       "X-Forwarded-For: 198.51.100.7, 203.0.113.9\r\n\r\n");
	client_answer(&c, &a, false);
	client_close(&c);
	daemon_stop(d);
	text = slurp(path);
	assert_int_equal(strncmp(text, "time=", 5), 0);
	assert_int_equal(text[5 + 23], 'Z');
	(void)snprintf(conf, sizeof(conf),
	    "Z site=main op=probe_echo method=GET path=" API "/echo status=200 bytes=%zu us=",
	    a.len);
	at = strstr(text, conf);
	assert_non_null(at);
	assert_in_range(strtol(at + strlen(conf), &end, 10), 1, 10000000);
	(void)snprintf(conf, sizeof(conf), " client=203.0.113.9 request=%s\n",
	    answer_header(&a, "X-Request-Id"));
	assert_string_equal(end, conf);
	free(text);
	answer_free(&a);
	(void)unlink(path);
}

/* Returns the id of a request with these header lines, to be freed. */
static char *
called(struct daemon *d, const char *path, const char *headers)
{
	struct client c;
	struct answer a;
	char *id;

	client_open(&c, d, false);
	client_say(&c, "GET %s HTTP/1.1\r\nHost: x\r\n%sConnection: close\r\n\r\n", path, headers);
	client_answer(&c, &a, false);
	id = strdup(answer_header(&a, "X-Request-Id"));
	assert_non_null(id);
	answer_free(&a);
	client_close(&c);
	return id;
}

/* An id with other characters, or with more than 64, is not accepted. */
static void
a_request_keeps_the_id_it_came_with(void **state)
{
	static const char *const bad[] = {
		"", "X-Request-Id: \r\n", "X-Request-Id: a b\r\n", "X-Request-Id: a\"b\r\n",
		"X-Request-Id: a,b\r\n",
		"X-Request-Id: 12345678901234567890123456789012345678901234567890123456789012345\r\n"
	};
	struct daemon *d = daemon_start(NULL, NULL, 0);
	char *id = called(d, API "/echo", "X-Request-Id: edge-7_f.A1\r\n");

	(void)state;
	assert_string_equal(id, "edge-7_f.A1");
	free(id);
	id = called(d, API "/echo",
	    "X-Request-Id: 1234567890123456789012345678901234567890123456789012345678901234\r\n");
	assert_int_equal(strlen(id), 64);
	free(id);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		id = called(d, API "/echo", bad[i]);
		assert_int_equal(strlen(id), 26);
		assert_int_equal(strspn(id, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"), 26);
		free(id);
	}
	daemon_stop(d);
}

/* A log line is one request, and valid JSON, whatever bytes a path contains. */
static void
the_access_log_may_be_json(void **state)
{
	struct daemon *d;
	char conf[200], path[64];
	char *text, *save = NULL, *line;
	json_t *entry;
	int lines = 0, ops = 0;

	(void)state;
	(void)snprintf(path, sizeof(path), "/tmp/stet-access-%d", (int)getpid());
	(void)snprintf(
	    conf, sizeof(conf), "access-log = \"%s\"\naccess-log-format = \"json\"\n", path);
	d = daemon_start(conf, NULL, 0);
	free(called(d, API "/echo?text=secret", ""));
	free(called(d, "/a\"b\\c=d%0aop=fake", ""));
	free(called(d, "/no where", ""));
	daemon_stop(d);
	text = slurp(path);
	assert_null(strstr(text, "secret"));
	for (line = strtok_r(text, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
		entry = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
		assert_non_null(entry);
		assert_true(json_is_integer(json_object_get(entry, "status")));
		ops += json_object_get(entry, "op") != NULL;
		lines++;
		json_decref(entry);
	}
	assert_int_equal(lines, 3);
	assert_int_equal(ops, 1);
	free(text);
	(void)unlink(path);
}

/* The reader of the FIFO may be gone when the log is opened again. */
static void
a_log_that_nobody_reads_stops_nothing(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	struct answer a;
	char conf[200];

	(void)state;
	assert_int_equal(mkfifo(daemon_path(d, "pipe"), 0600), 0);
	(void)snprintf(conf, sizeof(conf), "access-log = \"%s\"\n", daemon_path(d, "pipe"));
	daemon_write_conf(d, conf, NULL);
	(void)daemon_said(d, daemon_reload(d), "cannot open the access log");
	ask(d, &a, "GET", API "/echo");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	daemon_stop(d);
}

static void
a_slow_statement_is_told_without_its_values(void **state)
{
	struct daemon *d = daemon_start("slow-statement = \"8ms\"\n", NULL, 0);
	struct answer a;
	size_t at;

	(void)state;
	ask(d, &a, "GET", API "/rows?size=2000000");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	at = daemon_said(d, 0, " main/probe [");
	at = daemon_said(d, at, "slow statement: ");
	at = daemon_said(d, at, " ms, 1 rows, op probe_rows: WITH RECURSIVE");
	(void)daemon_said(d, at, "\n");
	assert_null(strstr(d->said + at, "2000000"));
	/* Without a wait the statement is not slow. */
	ask(d, &a, "GET", API "/rows?size=1");
	answer_free(&a);
	assert_null(strstr(d->said + at, "slow statement"));
	daemon_stop(d);
}

/* ---- options ---- */

#define WORDS_MAX 6

/* Runs stetd with these arguments; *out is its output, to be freed by the caller. */
static int
stetd(const char *const words[WORDS_MAX], char **out)
{
	char program[4096];
	char *argv[WORDS_MAX + 2] = { program };
	int ends[2], status;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	(void)snprintf(program, sizeof(program), "%s/.libs/stetd", getenv("STET_BUILD"));
	for (int i = 0; i < WORDS_MAX && words[i] != NULL; i++)
		argv[i + 1] = (char *)(uintptr_t)words[i];
	*out = calloc(1, 65536);
	assert_non_null(*out);
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)dup2(ends[1], STDOUT_FILENO);
		(void)dup2(ends[1], STDERR_FILENO);
		(void)close(ends[0]);
		(void)close(ends[1]);
		(void)execv(program, argv);
		_exit(127);
	}
	close(ends[1]);
	while ((n = read(ends[0], *out + len, 65535 - len)) > 0)
		len += (size_t)n;
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
options_that_are_wrong_are_told(void **state)
{
	static const struct {
		const char *words[WORDS_MAX];
		const char *said;
		int status;
	} cases[] = { { { "--version" }, "stetd ", 0 }, { { "--help" }, "--listen ADDR:PORT", 0 },
		{ { "--bogus" }, "--help", 2 }, { { "word" }, "unexpected argument \"word\"", 2 },
		{ { "--data", "/tmp/x", "--config", "/tmp/y" }, "exclude each other", 2 },
		{ { "--data", "/tmp/x", "--listen", "80" }, "is not an address and port", 2 },
		{ { "--config", "/nonexistent/x" }, "/nonexistent/x", 2 },
		{ { "--check", "--config", "/nonexistent/x" }, "/nonexistent/x", 1 },
		{ { "--data", "" }, "a directory is wanted", 2 } };
	char *out;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int status = stetd(cases[i].words, &out);

		if (status != cases[i].status || strstr(out, cases[i].said) == NULL)
			fail_msg("case %zu: %d %s", i, status, out);
		free(out);
	}
}

static void
check_tells_the_line_of_an_error(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	const char *words[WORDS_MAX] = { "--check", "--config", daemon_path(d, "stet.conf") };
	char *out;

	(void)state;
	assert_int_equal(stetd(words, &out), 0);
	assert_non_null(strstr(out, "1 site"));
	free(out);
	daemon_write_conf(d, "workers = 2\nbogus = 1", NULL);
	assert_int_equal(stetd(words, &out), 1);
	assert_non_null(strstr(out, "stet.conf:2: "));
	free(out);
	daemon_write_conf(d, "workers = 2\n/* bogus", NULL);
	assert_int_equal(stetd(words, &out), 1);
	assert_non_null(strstr(out, "stet.conf:2: this comment has no end"));
	free(out);
	daemon_stop(d);
}

static void
an_address_that_is_taken_is_told(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	char listen[32];
	const char *words[WORDS_MAX] = { "--data", daemon_path(d, "other"), "--listen", listen };
	char *out;

	(void)state;
	(void)snprintf(listen, sizeof(listen), "127.0.0.1:%d", d->port);
	assert_int_equal(stetd(words, &out), 1);
	assert_non_null(strstr(out, "Address already in use"));
	free(out);
	/* No file was created. */
	assert_int_equal(access(daemon_path(d, "other"), F_OK), -1);
	daemon_stop(d);
}

static void
must_not_start(const char *data, const char *why)
{
	const char *words[WORDS_MAX] = { "--data", data, "--listen", "127.0.0.1:0" };
	char *out;
	int status = stetd(words, &out);

	if (status != 1 || strstr(out, why) == NULL)
		fail_msg("%s: %d %s", data, status, out);
	free(out);
}

/* The daemon serves only the site that the command line names. */
static void
the_only_site_that_cannot_be_opened_ends_the_daemon(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	char modules[4096];
	struct answer a;

	(void)state;
	(void)snprintf(modules, sizeof(modules), "%s/modules/.libs", getenv("STET_BUILD"));
	assert_int_equal(setenv("STET_MODULE_PATH", modules, 1), 0);
	must_not_start(daemon_path(d, "data"), "is in use by the daemon with process id");
	daemon_put_file(d, "file", "");
	must_not_start(daemon_path(d, "file/data"), "cannot be made: Not a directory");
	/* The daemon that has locked the site is not disturbed. */
	ask(d, &a, "GET", API "/echo");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	daemon_stop(d);
}

/* A site whose directory cannot be used answers 503, and is there after SIGHUP once it can. */
static void
a_broken_site_answers_503(void **state)
{
	struct daemon *d = daemon_start(NULL, NULL, 0);
	char site[4200];
	struct answer a;
	FILE *file = fopen(daemon_path(d, "file"), "w");

	(void)state;
	assert_non_null(file);
	fclose(file);
	(void)snprintf(site, sizeof(site),
	    "hosts = { \"main.example\" }\n}\nsite \"other\" {\n"
	    "data = \"%s/file/data\"\n",
	    d->dir);
	daemon_write_conf(d, NULL, site);
	(void)daemon_reload(d);
	ask(d, &a, "GET", API "/echo");
	assert_int_equal(a.status, 503);
	assert_string_equal(answer_code(&a), "UNAVAILABLE");
	assert_non_null(answer_header(&a, "Retry-After"));
	answer_free(&a);
	assert_int_equal(unlink(daemon_path(d, "file")), 0);
	assert_int_equal(mkdir(daemon_path(d, "file"), 0700), 0);
	(void)daemon_reload(d);
	ask(d, &a, "GET", API "/echo");
	assert_int_equal(a.status, 200);
	answer_free(&a);
	daemon_stop(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sigterm_lets_calls_finish),
		cmocka_unit_test(a_read_moves_to_the_slow_lane),
		cmocka_unit_test(so_does_one_inside_of_another),
		cmocka_unit_test(draining_ends_by_its_deadline),
		cmocka_unit_test(sighup_takes_a_changed_configuration),
		cmocka_unit_test(sighup_with_a_file_that_ends_too_early_changes_nothing),
		cmocka_unit_test(sighup_moves_to_another_address),
		cmocka_unit_test(the_access_log_has_a_line_a_request),
		cmocka_unit_test(a_request_keeps_the_id_it_came_with),
		cmocka_unit_test(the_access_log_may_be_json),
		cmocka_unit_test(a_log_that_nobody_reads_stops_nothing),
		cmocka_unit_test(a_slow_statement_is_told_without_its_values),
		cmocka_unit_test(options_that_are_wrong_are_told),
		cmocka_unit_test(check_tells_the_line_of_an_error),
		cmocka_unit_test(an_address_that_is_taken_is_told),
		cmocka_unit_test(the_only_site_that_cannot_be_opened_ends_the_daemon),
		cmocka_unit_test(a_broken_site_answers_503),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
