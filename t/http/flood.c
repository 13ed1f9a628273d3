/*
 * flood - requests from ever new addresses for passkey options, links, clients, device codes and
 * authorization, at FLOOD_RATE (5000 a second) at most, FLOOD_REQUESTS times (5500; `make long`:
 * 300000, a minute). The result must be bounded: rows by the limits of the modules, memory by its
 * size after a third of the requests. Prints how long another client had to wait.
 */
#include "bystander.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CLIENTS 4
#define AT_ONCE 25 /* requests of one client that are in flight */
#define MANY 1000 /* waiting mails, registrations and device codes of a site */

static const struct {
	const char *request, *type, *body; /* %d is the number of the request */
} kinds[] = {
	{ "POST /_cms/api/auth/passkey/options", "application/json", "{}" },
	{ "POST /_cms/api/auth/magic-link/send", "application/json",
	    "{\"email\":\"user%d@example.org\"}" },
	{ "POST /_cms/api/oauth/register", "application/json",
	    "{\"redirect_uris\":[\"https://c%d.example/\"]}" },
	{ "POST /_cms/api/oauth/device/code", "application/x-www-form-urlencoded",
	    "client_id=tv%d" },
	{ "GET /_cms/oauth/authorize?response_type=code&client_id=none", "text/plain", "" },
};
#define KINDS ((int)(sizeof(kinds) / sizeof(kinds[0])))

static struct daemon *d;
static char *token;
static struct client client[CLIENTS];
static int asked, served[KINDS];

static int
number_of(const char *name, int fallback)
{
	const char *text = getenv(name);

	return text != NULL ? (int)strtol(text, NULL, 10) : fallback;
}

/* ---- the flood ---- */

static void
say_one(struct client *c, int n)
{
	const char *body = kinds[n % KINDS].body, *at = strstr(body, "%d");
	char text[200];

	if (at != NULL)
		(void)snprintf(text, sizeof(text), "%.*s%d%s", (int)(at - body), body, n, at + 2);
	else
		(void)snprintf(text, sizeof(text), "%s", body);
	client_say(c,
	    "%s HTTP/1.1\r\nHost: localhost\r\nX-CMS-Request: 1\r\nX-Forwarded-For: 11.%d.%d.%d\r\n"
	    "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n%s",
	    kinds[n % KINDS].request, n >> 16 & 255, n >> 8 & 255, n & 255, kinds[n % KINDS].type,
	    strlen(text), text);
}

static void
hear_one(struct client *c, int n)
{
	struct answer a;

	client_answer(c, &a, false);
	if (a.status >= 500 && a.status != 503)
		fail_msg("%s: %s%s", kinds[n % KINDS].request, a.head, a.body);
	served[n % KINDS] += a.status < 400;
	answer_free(&a);
}

static void
flood(int count, int rate)
{
	int64_t begun = bystander_now();

	for (int done = 0; done < count; done += CLIENTS * AT_ONCE) {
		int64_t ahead = begun + (int64_t)done * 1000000 / rate - bystander_now();
		int first = asked;

		if (ahead > 0)
			nanosleep(&(struct timespec){ .tv_sec = ahead / 1000000,
				      .tv_nsec = ahead % 1000000 * 1000 },
			    NULL);
		for (int i = 0; i < CLIENTS * AT_ONCE; i++)
			say_one(&client[i % CLIENTS], first + i);
		for (int i = 0; i < CLIENTS * AT_ONCE; i++)
			hear_one(&client[i % CLIENTS], first + i);
		asked += CLIENTS * AT_ONCE;
		bystander_hear_log(d);
	}
}

/* ---- the state after the flood ---- */

static void
assert_bounded(void)
{
	static const struct {
		const char *table;
		int most;
	} bounds[] = { { "mail", MANY }, { "oauth_clients", MANY }, { "oauth_devices", MANY },
		{ "signin_links", 0 }, { "sessions", 0 }, { "used_challenges", 0 },
		{ "oauth_grants", 0 }, { "oauth_codes", 0 }, { "audit_log", 100 } };

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		int is = remote_rows(d, bounds[i].table);

		if (is > bounds[i].most)
			fail_msg("%s: %d rows", bounds[i].table, is);
		print_message("# %s: %d rows\n", bounds[i].table, is);
	}
}

static void
a_flood_of_strangers_leaves_little(void **state)
{
	static struct bystander other;
	int64_t longest;
	const int count = number_of("FLOOD_REQUESTS", 5500), rate = number_of("FLOOD_RATE", 5000);
	int64_t before, during, begun;
	long early, late;

	(void)state;
	other.daemon = d;
	other.token = token;
	other.path = "/content/things/one";
	bystander_start(&other);
	nanosleep(&(struct timespec){ .tv_nsec = 500000000 }, NULL);
	before = bystander_stop(&other, &longest);
	for (int i = 0; i < CLIENTS; i++)
		client_open(&client[i], d, false);
	bystander_start(&other);
	begun = bystander_now();
	flood(count / 3, rate);
	early = daemon_resident(d);
	flood(count - count / 3, rate);
	late = daemon_resident(d);
	begun = bystander_now() - begun;
	during = bystander_stop(&other, &longest);
	for (int i = 0; i < CLIENTS; i++)
		client_close(&client[i]);
	print_message("# %d requests, %lld a second; GET of an item: p99 %lld us, before %lld us "
		      "(%.1f times)\n",
	    asked, (long long)asked * 1000000 / begun, (long long)during, (long long)before,
	    (double)during / (double)before);
	print_message(
	    "# memory: %ld KiB after a third, %ld KiB at the end\n", early / 1024, late / 1024);
	for (int i = 0; i < KINDS; i++)
		print_message("# %s: %d served\n", kinds[i].request, served[i]);
	assert_true(served[0] > 0 && served[1] > 0 && served[2] > 0 && served[3] > 0);
	assert_bounded();
	assert_true(late <= early + early / 10 + (16 << 20));
}

static int
start(void **state)
{
	(void)state;
	/* A mail server that cannot be reached, so that mails stay in the queue. */
	d = remote_new("trusted-proxies = { \"127.0.0.0/8\" }\nworkers = 2\n",
	    "mail = \"smtp://127.0.0.1:1\"\nmail-from = \"Example <info@example.org>\"\n");
	free(COMMAND(d, "call", "schema_create_collection", "slug=things", "label=Things"));
	free(COMMAND(d, "call", "content_create", "collection=things", "slug=one", "data={}"));
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	free(token);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flood_of_strangers_leaves_little),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
