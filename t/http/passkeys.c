/* passkeys.c - passkeys over real sockets: registration, sign-in, one challenge used by many at the
 * same time, and a challenge made by another daemon. */
#include "authenticator.h"
#include "crowd.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANN "ann@example.org"
#define CONF "trusted-proxies = { \"127.0.0.1\" }\n"
#define SITE "base-url = \"http://localhost\"\n"

/* A daemon with an administrator and their token. Its tests send X-Forwarded-For, so that one
 * client looks like many. */
static struct daemon *
begin(char token[128])
{
	struct daemon *d = remote_new(CONF, SITE);
	char *text;

	free(COMMAND(d, "user", "add", ANN, "--role", "admin"));
	text = COMMAND(d, "token", "add", ANN, "--name", "t", "--scope", "admin");
	(void)snprintf(token, 128, "%.*s", (int)strcspn(text, "\n"), text);
	free(text);
	daemon_run(d, 0);
	return d;
}

static void
enrol(struct daemon *d, const char *token, struct authenticator *a)
{
	struct remote r;
	json_t *data, *credential;
	char *text;

	remote_open(&r, d, token);
	data = remote_must(&r, 200, "POST", NULL, "/auth/passkey/register/options");
	credential = authenticator_create_json(a, json_object_get(data, "options"));
	text = json_dumps(credential, 0);
	json_decref(data);
	json_decref(remote_must(&r, 200, "POST", text, "/auth/passkey/register/verify"));
	json_decref(credential);
	free(text);
	remote_close(&r);
}

/* Returns the body of a sign-in with a new challenge. */
static char *
assertion(struct daemon *d, struct authenticator *a)
{
	struct remote r;
	json_t *data, *credential;
	char *text;

	remote_open(&r, d, NULL);
	data = remote_must(&r, 200, "POST", NULL, "/auth/passkey/options");
	credential = authenticator_get_json(a, json_object_get(data, "options"));
	text = json_dumps(credential, 0);
	json_decref(data);
	json_decref(credential);
	remote_close(&r);
	return text;
}

static void
a_passkey_signs_in_over_a_socket(void **state)
{
	static const int algorithms[] = { -7, -8, -35, -257 };
	char token[128], cookie[200], *body;
	struct daemon *d = begin(token);

	*state = d;
	for (size_t i = 0; i < 4; i++) {
		struct authenticator a;
		struct answer answer;
		struct remote r;
		json_t *me;

		authenticator_open(&a, algorithms[i], "localhost", "http://localhost");
		enrol(d, token, &a);
		body = assertion(d, &a);
		remote_open(&r, d, NULL);
		remote_ask(&r, &answer, "POST", body, "/auth/passkey/verify");
		assert_int_equal(answer.status, 200);
		(void)snprintf(cookie, sizeof(cookie), "%.*s",
		    (int)strcspn(answer_header(&answer, "Set-Cookie"), ";"),
		    answer_header(&answer, "Set-Cookie"));
		(void)snprintf(r.more, sizeof(r.more), "Cookie: %s\r\n", cookie);
		answer_free(&answer);
		me = remote_must(&r, 200, "GET", NULL, "/auth/me");
		assert_string_equal(json_string_value(json_object_get(me, "email")), ANN);
		json_decref(me);
		remote_close(&r);
		free(body);
		authenticator_close(&a);
	}
}

static void
of_many_with_one_challenge_one_gets_in(void **state)
{
	char token[128], *body;
	struct daemon *d = begin(token);
	struct authenticator a;
	struct crowd c;

	*state = d;
	authenticator_open(&a, -7, "localhost", "http://localhost");
	enrol(d, token, &a);
	body = assertion(d, &a);
	crowd_rush(&c, d, "POST", "/auth/passkey/verify", (const char *const[]){ body }, 1, "");
	(void)crowd_winner(&c, 200, "\"UNAUTHORIZED\"", "\"INVALID_PASSKEY\"");
	assert_int_equal(crowd_signed_in(&c), 1);
	crowd_rush(&c, d, "POST", "/auth/passkey/verify", (const char *const[]){ body }, 1, "");
	assert_int_equal(crowd_signed_in(&c), 0);
	free(body);
	authenticator_close(&a);
}

/* Starts a second daemon with a copy of the site of a stopped daemon. */
static struct daemon *
copy_of(const struct daemon *d)
{
	struct daemon *copy = daemon_new(CONF, SITE);
	char from[300], to[300];
	int status;
	pid_t pid;

	(void)snprintf(from, sizeof(from), "%s/data", d->dir);
	(void)snprintf(to, sizeof(to), "%s/data", copy->dir);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)execlp("cp", "cp", "-a", from, to, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return copy;
}

/* Returns the status of a sign-in at `at` with a challenge that `by` made. */
static int
sign_in_across(struct daemon *by, struct daemon *at, struct authenticator *a)
{
	char *body = assertion(by, a);
	struct answer answer;
	struct remote r;
	int status;

	remote_open(&r, at, NULL);
	remote_ask(&r, &answer, "POST", body, "/auth/passkey/verify");
	status = answer.status;
	answer_free(&answer);
	remote_close(&r);
	free(body);
	return status;
}

/* Challenges are not stored in memory: every daemon with the site's key accepts them. */
static void
a_daemon_with_the_same_key_takes_the_challenges_of_another(void **state)
{
	char token[128];
	struct daemon *d = begin(token), *other;
	struct authenticator a;

	*state = d;
	authenticator_open(&a, -7, "localhost", "http://localhost");
	enrol(d, token, &a);
	daemon_signal(d, SIGTERM);
	assert_int_equal(daemon_ended(d), 0);
	other = copy_of(d);
	daemon_run(other, 0);
	daemon_run(d, 0);
	assert_int_equal(sign_in_across(d, other, &a), 200);
	assert_int_equal(sign_in_across(other, d, &a), 200);
	/* A daemon with another key accepts none. */
	daemon_signal(other, SIGTERM);
	assert_int_equal(daemon_ended(other), 0);
	free(COMMAND(other, "key", "rotate"));
	daemon_run(other, 0);
	assert_int_equal(sign_in_across(d, other, &a), 401);
	daemon_stop(other);
	authenticator_close(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_passkey_signs_in_over_a_socket, daemon_teardown),
		cmocka_unit_test_teardown(of_many_with_one_challenge_one_gets_in, daemon_teardown),
		cmocka_unit_test_teardown(
		    a_daemon_with_the_same_key_takes_the_challenges_of_another, daemon_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
