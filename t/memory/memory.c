/*
 * memory.c - the daemon has no memory for one allocation, or for none from one on: at its start, a
 * reload, a read and a write. It may answer with an error, or end and say why. It must not crash,
 * answer wrongly, or leave a site that is not sound, or a write half done.
 *
 * MEMORY_POINTS (10) allocations of each are let fail, spread over all of them; 0: every one.
 * MEMORY_SEED (1) chooses the first; MEMORY_SECONDS (0: as long as it takes) ends each early, which
 * then says how far it came.
 */
#include "config.h"

#include "failing.h"
#include "http/remote.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VERIFY_EVERY 8 /* points */

static struct daemon *d;
static struct failing *failing;
static char *token;
static size_t from; /* length of the output before the last attempt */
static long points, seconds, seed;
static int stored; /* the last known number in the item; -1: it may also be `wanted` */
static int wanted;
static struct {
	long tried, ended, refused, confused;
} seen;

/* ---- the daemon ---- */

static void
arm(uint64_t number, bool onward)
{
	from = d->said_len;
	failing->fails_at = 0;
	failing->onward = onward;
	failing->failed = failing->confused = 0;
	failing->count = 0;
	failing->fails_at = number;
}

/* Returns the number of allocations. */
static uint64_t
disarm(void)
{
	failing->fails_at = 0;
	return failing->count;
}

static void
begin(void)
{
	char library[4096];

	(void)snprintf(
	    library, sizeof(library), "%s/t/memory/.libs/failing.so", getenv("STET_BUILD"));
	assert_int_equal(access(library, R_OK), 0);
	setenv("STET_FAILING", daemon_path(d, "failing"), 1);
	setenv("LD_PRELOAD", library, 1);
	daemon_begin(d, 0);
	unsetenv("LD_PRELOAD");
}

/* Checks that the daemon ended with a permitted status: by itself, not with success, and after a
 * message with the reason. */
static void
judge_end(int status, uint64_t number)
{
	const char *said = d->said != NULL ? d->said + from : "";

	/* libconfuse does not check all allocations, and has no hook for an allocator, so it may
	 * crash. */
	if (failing->confused != 0) {
		seen.confused++;
		return;
	}
	if (status == 0 || status >= 128 || strcasestr(said, "memory") == NULL)
		fail_msg("allocation %llu fails: stetd ends with %d, and says: %s",
		    (unsigned long long)number, status, said);
	seen.ended++;
}

static void
expect_clean_end(uint64_t number)
{
	(void)disarm();
	judge_end(daemon_ended(d), number);
}

/* A connection ends without a response only if the daemon has ended. */
static void
end_heard(uint64_t number)
{
	while (daemon_hears(d))
		continue;
	expect_clean_end(number);
}

/* Waits until the daemon prints a text, or has ended with a permitted status. */
static bool
says_or_ends(const char *text, const char *other, uint64_t number)
{
	for (;;) {
		const char *said = d->said != NULL ? d->said + from : "";

		if (strstr(said, text) != NULL || (other != NULL && strstr(said, other) != NULL))
			return true;
		if (!daemon_hears(d)) {
			expect_clean_end(number);
			return false;
		}
	}
}

/* ---- requests ---- */

/* Returns the status of the response; 0 if the connection ended before the response was
 * complete. */
static int
exchange(const char *method, const char *body, struct answer *a)
{
	struct client c;
	int status = 0;

	memset(a, 0, sizeof(*a));
	if (client_try(&c, d, false)) {
		client_say(&c,
		    "%s " API "/content/memory/one HTTP/1.1\r\nHost: x\r\n"
		    "Authorization: Bearer %s\r\nX-CMS-Request: 1\r\nConnection: close\r\n"
		    "Content-Length: %zu\r\n\r\n%s",
		    method, token, strlen(body), body);
		status = client_hears(&c, a, false) && a->whole ? a->status : 0;
	}
	client_close(&c);
	return status;
}

/* Returns the number of the item in a response; -1 if the response is not complete. */
static int
number_in(const struct answer *a)
{
	const json_t *item = json_object_get(json_object_get(a->json, "data"), "item");
	const json_t *data = json_object_get(item, "data");
	const char *body = json_string_value(json_object_get(data, "body"));
	int n = (int)json_integer_value(json_object_get(data, "n"));
	char want[64];

	(void)snprintf(want, sizeof(want), "this is number %d", n);
	return body != NULL && strcmp(body, want) == 0 ? n : -1;
}

/* Returns the output of the daemon since the attempt began, as far as it has arrived. */
static const char *
said_now(void)
{
	struct pollfd p = { .fd = d->log, .events = POLLIN };

	while (poll(&p, 1, 200) > 0 && daemon_hears(d))
		continue;
	return d->said != NULL ? d->said + from : "";
}

/* A response without an item must be a server error that gives a reason. */
static void
expect_error(const struct answer *a, int status, uint64_t number)
{
	if (status < 500 || *answer_code(a) == '\0')
		fail_msg("allocation %llu fails: the answer is %d %s, and stetd says: %s",
		    (unsigned long long)number, status, a->body, said_now());
	seen.refused++;
}

/* ---- what is tried ---- */

/* Does something while allocation `number` fails, which may end the daemon. Returns the number of
 * allocations, or 0 if the daemon ended before all was done. */
typedef uint64_t attempt(uint64_t number, bool onward);

/* Sends one request to a daemon that may run out of memory. */
static void
ask_it(const char *method, const char *body, uint64_t number)
{
	struct answer a;
	int status = exchange(method, body, &a);

	if (status == 0) {
		end_heard(number);
	} else if (status != 200)
		expect_error(&a, status, number);
	else if (number_in(&a) != stored && number_in(&a) != wanted)
		fail_msg("allocation %llu fails: the answer is wrong: %s",
		    (unsigned long long)number, a.body);
	else
		stored = wanted = number_in(&a);
	answer_free(&a);
}

/* Stops the daemon. It may have ended by itself: a thread may notice late that it got no memory. */
static void
stop_it(uint64_t number)
{
	int status;

	daemon_signal(d, SIGTERM);
	status = daemon_ended(d);
	if (status != 0)
		judge_end(status, number);
}

/* The daemon listens before it opens its site, so it has started once it serves the site. If it
 * lacked the memory to open the site, a reload opens it. */
static uint64_t
start_it(uint64_t number, bool onward)
{
	static const char where[] = "listening on http://127.0.0.1:";
	long refused = seen.refused;
	uint64_t all;

	if (d->pid != 0)
		stop_it(number);
	arm(number, onward);
	begin();
	if (!says_or_ends(where, NULL, number))
		return disarm();
	d->port = (int)strtol(strstr(d->said + from, where) + strlen(where), NULL, 10);
	ask_it("GET", "", number);
	all = disarm();
	if (d->pid != 0 && seen.refused > refused) {
		daemon_signal(d, SIGHUP);
		(void)says_or_ends("read again", NULL, number);
	}
	return all;
}

static void
run(void)
{
	if (d->pid == 0)
		(void)start_it(0, false);
	assert_true(d->pid != 0);
}

/* With memory again, the daemon serves, and the item has the expected number. */
static void
expect_service(uint64_t number)
{
	struct answer a;
	int status = exchange("GET", "", &a), n;

	/* Another thread may have ended the daemon after the response. */
	if (status == 0) {
		end_heard(number);
		run();
		answer_free(&a);
		status = exchange("GET", "", &a);
	}
	n = status == 200 ? number_in(&a) : -1;
	if (n != stored && n != wanted)
		fail_msg("after allocation %llu: %d, number %d, not %d or %d: %s; stetd says: %s",
		    (unsigned long long)number, status, n, stored, wanted,
		    a.body != NULL ? a.body : "", said_now());
	stored = wanted = n;
	answer_free(&a);
}

/* Checks that everything is in order after an allocation has failed. */
static void
expect_sound(uint64_t number)
{
	/* libconfuse may have read only a part of a list without reporting an error. */
	if (failing->confused != 0 && d->pid != 0)
		stop_it(number);
	run();
	expect_service(number);
	if (++seen.tried % VERIFY_EVERY == 0)
		free(COMMAND(d, "verify"));
}

static uint64_t
reload_it(uint64_t number, bool onward)
{

	run();
	arm(number, onward);
	daemon_signal(d, SIGHUP);
	if (!says_or_ends("read again", "stays as it was", number))
		return 0;
	return disarm();
}

static uint64_t
ask_while(const char *method, const char *body, uint64_t number, bool onward)
{

	run();
	arm(number, onward);
	ask_it(method, body, number);
	return disarm();
}

static uint64_t
read_it(uint64_t number, bool onward)
{
	return ask_while("GET", "", number, onward);
}

static uint64_t
write_it(uint64_t number, bool onward)
{
	char body[200];

	wanted = stored + 1;
	(void)snprintf(body, sizeof(body), "{\"data\":{\"n\":%d,\"body\":\"this is number %d\"}}",
	    wanted, wanted);
	return ask_while("PUT", body, number, onward);
}

/* ---- the run ---- */

enum which { ALONE, ONWARD, IN_TURN };

/* Lets so many allocations fail (0: every one), one after the other: alone, with all later ones, or
 * both in turn. */
static void
fail_all(attempt *try, const char *what, long some, enum which which)
{
	uint64_t all, step;
	time_t until = time(NULL) + seconds;

	/* The first attempt allocates more than later ones, so the second one is counted. */
	(void)try(0, false);
	all = try(0, false);
	expect_sound(0);
	assert_true(all > 10);
	memset(&seen, 0, sizeof(seen));
	step = some > 0 && all > (uint64_t)some ? all / (uint64_t)some : 1;
	for (uint64_t at = 1 + (uint64_t)seed % step; at <= all; at += step) {
		if (seconds > 0 && time(NULL) >= until)
			break;
		(void)try(at, which == ONWARD || (which == IN_TURN && at / step % 2 == 1));
		expect_sound(at);
	}
	free(COMMAND(d, "verify"));
	print_message(
	    "# %s: %ld of %llu allocations fail: %ld ends that say why, %ld in libconfuse, "
	    "%ld errors\n",
	    what, seen.tried, (unsigned long long)all, seen.ended, seen.confused, seen.refused);
}

static void
a_start_without_memory_ends_and_says_why(void **state)
{
	(void)state;
	fail_all(start_it, "start", points, IN_TURN);
}

static void
a_reload_without_memory_is_refused_or_ends(void **state)
{
	(void)state;
	fail_all(reload_it, "reload", points, IN_TURN);
}

static void
a_read_without_memory_is_never_answered_wrongly(void **state)
{
	(void)state;
	/* There are few allocations, so each of them fails, alone and with all later ones. */
	fail_all(read_it, "read, one", 0, ALONE);
	fail_all(read_it, "read, all from one on", 0, ONWARD);
}

static void
a_write_without_memory_is_whole_or_not_there(void **state)
{
	(void)state;
	fail_all(write_it, "write", points, IN_TURN);
}

static long
number_of(const char *name, long otherwise)
{
	const char *said = getenv(name);

	return said != NULL ? strtol(said, NULL, 10) : otherwise;
}

static int
begin_all(void **state)
{
	int fd;

	(void)state;
	points = number_of("MEMORY_POINTS", 10);
	seconds = number_of("MEMORY_SECONDS", 0);
	seed = number_of("MEMORY_SEED", 1);
	d = remote_new("log-level = \"info\"\nanswer-cache = 0", NULL);
	token = remote_token(d, "admin", "admin");
	free(COMMAND(d, "call", "schema_create_collection", "slug=memory", "label=Memory"));
	free(COMMAND(d, "call", "schema_create_field", "collection=memory", "slug=n", "label=N",
	    "type=integer"));
	free(COMMAND(d, "call", "schema_create_field", "collection=memory", "slug=body",
	    "label=Body", "type=text"));
	free(COMMAND(d, "call", "content_create", "--input",
	    "{\"collection\":\"memory\",\"slug\":\"one\","
	    "\"data\":{\"n\":0,\"body\":\"this is number 0\"}}"));
	fd = open(daemon_path(d, "failing"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && ftruncate(fd, sizeof(struct failing)) == 0);
	failing = mmap(NULL, sizeof(*failing), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(failing != MAP_FAILED);
	close(fd);
	return 0;
}

static int
end_all(void **state)
{
	(void)state;
	free(token);
	(void)disarm();
	daemon_stop(d);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_start_without_memory_ends_and_says_why),
		cmocka_unit_test(a_reload_without_memory_is_refused_or_ends),
		cmocka_unit_test(a_read_without_memory_is_never_answered_wrongly),
		cmocka_unit_test(a_write_without_memory_is_whole_or_not_there),
	};

#ifdef STET_SANITIZED
	puts("1..0 # SKIP a sanitizer has an allocator of its own");
	return 0;
#endif
	return cmocka_run_group_tests(tests, begin_all, end_all);
}
