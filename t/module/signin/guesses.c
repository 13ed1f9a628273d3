/*
 * guesses.c - requests that can guess a secret (links, invitations, all kinds of codes, passkeys,
 * tokens) and all public requests are limited by client address and, if they name an account, by
 * account.
 */
#include "browser.h"
#include "day.h"
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ANN "ann@example.org"
#define GUESS "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define TOKEN "{\"token\":\"" GUESS "\"}"
#define FORM "Content-Type: application/x-www-form-urlencoded\r\nX-CMS-Request: 1"
#define DEVICE \
	"grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=" GUESS
#define CODE "grant_type=authorization_code&client_id=x&code=" GUESS
#define REFRESH "grant_type=refresh_token&client_id=x&refresh_token=" GUESS

static int
begin(void **state)
{
	static const struct harness_options options = { .mail_server = "smtp://127.0.0.1:1" };

	*state = harness_open(&options);
	day++;
	day_at(*state, "12:00:00");
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

static struct outcome *
guess(struct harness *h, int address, const char *request, const char *body)
{
	char text[40];

	(void)snprintf(text, sizeof(text), "203.0.%d.%d", address / 256, address % 256);
	harness_client(h, text);
	return harness_request(
	    h, nobody, request, body != NULL && *body != '{' ? FORM : NULL, body);
}

/* Checks that the response is a refusal with Retry-After. */
static void
refused(const struct outcome *o, const char *request, int seconds)
{
	long wait = strtol(o->retry_after, NULL, 10);

	if (o->http != 429 || strcmp(o->code, "RATE_LIMITED") != 0 || wait < 1 || wait > seconds)
		fail_msg("%s: no limit, but %d, Retry-After \"%s\": %s", request, o->http,
		    o->retry_after, o->text);
}

static void
let(const struct outcome *o, const char *request)
{
	if (o->http == 429 || o->http >= 500)
		fail_msg("%s: %d %s", request, o->http, o->text);
}

/* Returns the body with a number in place of %d; static buffer. */
static const char *
numbered(const char *body, int n)
{
	static char text[300];
	const char *at = body != NULL ? strstr(body, "%d") : NULL;

	if (at == NULL)
		return body;
	(void)snprintf(text, sizeof(text), "%.*s%d%s", (int)(at - body), body, n, at + 2);
	return text;
}

static void
every_guess_is_limited_by_address(void **state)
{
	static const struct {
		const char *request, *body;
		int most, seconds; /* requests at once; time until as many are allowed again */
	} rows[] = {
		{ "POST /auth/magic-link/verify", TOKEN, 30, 300 },
		{ "GET /auth/magic-link/verify?token=" GUESS, NULL, 30, 300 },
		{ "POST /auth/recovery-codes/use", "{\"email\":\"%d@x.org\",\"code\":\"x\"}", 30,
		    300 },
		{ "POST /auth/magic-link/send", "{\"email\":\"%d@x.org\"}", 10, 300 },
		{ "GET /auth/invite/accept?token=" GUESS, NULL, 30, 300 },
		{ "POST /auth/invite/register-options", TOKEN, 30, 300 },
		{ "POST /auth/invite/complete", TOKEN, 30, 300 },
		{ "POST /auth/passkey/options", NULL, 10, 60 },
		{ "POST /auth/passkey/verify", "{\"id\":\"x\"}", 10, 60 },
		{ "POST /setup",
		    "{\"token\":\"" GUESS "\",\"title\":\"x\",\"includeContent\":false}", 30, 300 },
		{ "POST /setup/admin", "{\"token\":\"" GUESS "\",\"email\":\"a@x.org\"}", 30, 300 },
		{ "POST /setup/admin/verify", TOKEN, 30, 300 },
		{ "POST /oauth/token", CODE, 120, 60 },
		{ "POST /oauth/token", REFRESH, 120, 60 },
		{ "POST /oauth/token", DEVICE, 120, 60 },
		{ "POST /oauth/token/refresh", REFRESH, 120, 60 },
		{ "POST /oauth/token/revoke", "token=" GUESS, 120, 60 },
		{ "POST /oauth/device/token", DEVICE, 12, 60 },
		{ "POST /oauth/device/code", "client_id=x", 10, 60 },
		{ "POST /oauth/register", "{\"redirect_uris\":[\"https://client.example/\"]}", 10,
		    3600 },
		{ "GET /auth/oauth/none", NULL, 60, 300 },
		{ "GET /auth/oauth/none/callback?state=" GUESS "&code=x", NULL, 60, 300 },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *request = rows[i].request, *body = rows[i].body;
		int address = 2 * (int)i, n = 1000 * (int)i;

		day_at(h, "12:00:00");
		for (int last = n + rows[i].most; n < last; n++)
			let(guess(h, address, request, numbered(body, n)), request);
		refused(guess(h, address, request, numbered(body, n)), request, rows[i].seconds);
		let(guess(h, address + 1, request, numbered(body, n)), request);
		day_at(h, rows[i].seconds > 300 ? "13:00:00" : "12:05:00");
		let(guess(h, address, request, numbered(body, n)), request);
	}
}

/* An account's limit applies however many client addresses guess. */
static void
what_names_an_account_is_limited_by_it(void **state)
{
	static const struct {
		const char *request, *body, *same, *other;
		int most, seconds;
	} rows[] = {
		{ "POST /auth/recovery-codes/use", "{\"email\":\"ann@x.org\",\"code\":\"x\"}",
		    "{\"email\":\"Ann@X.org\",\"code\":\"x\"}",
		    "{\"email\":\"bob@x.org\",\"code\":\"x\"}", 10, 3600 },
		{ "POST /auth/magic-link/send", "{\"email\":\"ann@x.org\"}",
		    "{\"email\":\"ANN@x.org\"}", "{\"email\":\"bob@x.org\"}", 10, 600 },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *request = rows[i].request;
		int address = 1000 + 200 * (int)i;

		day_at(h, "12:00:00");
		for (int n = 0; n < rows[i].most; n++)
			let(guess(h, address++, request, rows[i].body), request);
		refused(guess(h, address++, request, rows[i].same), request, rows[i].seconds);
		let(guess(h, address++, request, rows[i].other), request);
		day_at(h, "13:00:00");
		let(guess(h, address++, request, rows[i].body), request);
	}
}

static struct outcome *
type_code(struct harness *h, const struct browser *b)
{
	return browser_ask(h, b, "POST /oauth/device/authorize", "{\"user_code\":\"AAAA-AAAA\"}");
}

/* Two limits: of wrong codes, counted in the database, and of requests. */
static void
codes_of_devices_are_limited_by_user_and_by_address(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, ANN, "author");
	int made = 0;

	harness_client(h, "203.0.113.1");
	for (int i = 0; i < 10; i++)
		assert_code(type_code(h, &b), "INVALID_CODE");
	harness_client(h, "203.0.113.2");
	refused(type_code(h, &b), "a user's eleventh wrong code", 900);
	harness_client(h, "203.0.113.3");
	for (int i = 0; i < 30; i++) {
		char email[40];

		if (i % 10 == 0) {
			(void)snprintf(email, sizeof(email), "bob%d@example.org", made++);
			harness_client(h, "203.0.113.4"); /* links have a limit, too */
			b = browser_make(h, email, "author");
			harness_client(h, "203.0.113.3");
		}
		assert_code(type_code(h, &b), "INVALID_CODE");
	}
	harness_client(h, "203.0.113.4");
	b = browser_make(h, "cid@example.org", "author");
	harness_client(h, "203.0.113.3");
	refused(type_code(h, &b), "an address' 31st code", 300);
}

static void
registering_passkeys_is_limited_by_user(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, ANN, "author");
	const char *request = "POST /auth/passkey/register/verify";

	for (int i = 0; i < 20; i++)
		let(browser_ask(h, &b, request, "{\"id\":\"x\"}"), request);
	harness_client(h, "203.0.113.9");
	refused(browser_ask(h, &b, request, "{\"id\":\"x\"}"), request, 60);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(every_guess_is_limited_by_address),
		TEST(what_names_an_account_is_limited_by_it),
		TEST(codes_of_devices_are_limited_by_user_and_by_address),
		TEST(registering_passkeys_is_limited_by_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
