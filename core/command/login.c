/*
 * login.c - signs the command line in to a site by the device flow (RFC 8628): it shows a code, the
 * user agrees in a browser, and the tokens are kept in a file (logins.h).
 */
#include "command/login.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/words.h"
#include "command/logins.h"
#include "command/print.h"
#include "command/request.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLIENT "stet"
#define DEVICE_GRANT "urn:ietf:params:oauth:grant-type:device_code"
#define ANSWER_MAX 262144
#define ANSWER_SECONDS 30
#define FIRST_POLL 2 /* seconds; short, for users who are signed in already */
#define INTERVAL_MAX 60
#define LIFETIME_MAX 3600 /* seconds in which a user may agree, whatever the site says */
#define EARLY 30 /* a token is renewed this many seconds before it expires */

static int complain(const char *, ...) STET_FMT(1, 2);

static int
complain(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = words_vformat(fmt, ap);
	va_end(ap);
	fputs("stet: ", stderr);
	print_text(stderr, text);
	fputc('\n', stderr);
	free(text);
	return EXIT_FAILURE;
}

static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* ---- metadata ---- */

/* Returns true if the endpoint belongs to the site, so that no other server gets its tokens. */
static bool
has_endpoint(const json_t *metadata, const char *url, const char *key)
{
	const char *endpoint = text_of(metadata, key);
	size_t len = strlen(url);

	return endpoint != NULL && strncmp(endpoint, url, len) == 0 && endpoint[len] == '/';
}

static bool
is_metadata(const json_t *metadata, const char *url)
{
	const char *issuer = text_of(metadata, "issuer");
	size_t len = strlen(url);

	if (issuer == NULL)
		complain("%s is not a site of stet, or its module oauth is disabled", url);
	else if (strncmp(issuer, url, len) != 0 || strcmp(issuer + len, "/_cms") != 0)
		complain("%s is known as %.*s: sign in there", url,
		    (int)(strlen(issuer) > 5 ? strlen(issuer) - 5 : 0), issuer);
	else if (!has_endpoint(metadata, url, "device_authorization_endpoint") ||
		 !has_endpoint(metadata, url, "token_endpoint"))
		complain("%s has no device flow", url);
	else
		return true;
	return false;
}

/* Returns the metadata (RFC 8414) of the site; NULL after an error message. */
static json_t *
discover(const char *url)
{
	char *where = words_format("%s/_cms/.well-known/oauth-authorization-server", url);
	json_t *metadata = NULL;
	struct response r;

	request_send(
	    &(struct request){ .url = where, .seconds = ANSWER_SECONDS, .most = ANSWER_MAX }, &r);
	if (r.code != CURLE_OK)
		complain("%s: %s", url, response_problem(&r));
	else if (r.redirect != NULL)
		complain("%s leads to %s: sign in there", url, r.redirect);
	else if (is_metadata(r.json, url))
		metadata = json_incref(r.json);
	response_free(&r);
	free(where);
	return metadata;
}

/* ---- requests of the protocol ---- */

static void
add_parameter(struct buf *form, const char *name, const char *value)
{
	char *escaped = curl_easy_escape(NULL, value, 0);

	if (escaped == NULL)
		stet_out_of_memory();
	buf_printf(form, "%s%s=%s", form->len > 0 ? "&" : "", name, escaped);
	curl_free(escaped);
}

static void
post(const char *url, struct buf *form, struct response *r)
{
	request_send(&(struct request){ .url = url,
			 .type = "application/x-www-form-urlencoded",
			 .body = form->data,
			 .seconds = ANSWER_SECONDS,
			 .most = ANSWER_MAX },
	    r);
	buf_free(form);
}

/* Prints why a request of the protocol failed. */
static int
refused(const char *url, const struct response *r)
{
	const json_t *error = json_object_get(r->json, "error");
	const char *text = text_of(r->json, "error_description");

	if (r->code != CURLE_OK)
		return complain("%s: %s", url, response_problem(r));
	if (json_is_object(error)) /* an error in stet's envelope, for example of a rate limit */
		text = text_of(error, "message");
	return complain("%s answers %ld: %s", url, r->status,
	    text != NULL            ? text
	    : json_is_string(error) ? json_string_value(error)
				    : "no reason is given");
}

/* Makes a login from the response of a token endpoint; NULL: it has no token. */
static json_t *
login_of(const json_t *metadata, const json_t *answer)
{
	json_int_t lifetime = json_integer_value(json_object_get(answer, "expires_in"));

	if (text_of(answer, "access_token") == NULL)
		return NULL;
	return json_pack("{s:O, s:O?, s:O, s:O?, s:O?, s:I}", "tokenEndpoint",
	    json_object_get(metadata, "token_endpoint"), "revocationEndpoint",
	    json_object_get(metadata, "revocation_endpoint"), "accessToken",
	    json_object_get(answer, "access_token"), "refreshToken",
	    json_object_get(answer, "refresh_token"), "scope", json_object_get(answer, "scope"),
	    "expiresAt", (json_int_t)(clock_now() / 1000) + lifetime);
}

/* ---- stet login ---- */

/* Returns the scopes requested without --scope: all except administration. */
static char *
usual_scopes_dup(const json_t *metadata)
{
	const json_t *all = json_object_get(metadata, "scopes_supported");
	struct buf list = { 0 };

	for (size_t i = 0; i < json_array_size(all); i++) {
		const char *scope = json_string_value(json_array_get(all, i));

		if (scope != NULL && strcmp(scope, "admin") != 0)
			buf_printf(&list, "%s%s", list.len > 0 ? " " : "", scope);
	}
	return list.data != NULL ? list.data : xstrdup("");
}

static void
wait_seconds(json_int_t seconds)
{
	struct timespec left = { .tv_sec = (time_t)seconds };

	while (nanosleep(&left, &left) != 0)
		;
}

/* Polls until the user has decided. Returns the login; NULL after an error message. */
static json_t *
poll_for(const char *url, const json_t *metadata, const json_t *code)
{
	json_int_t interval = json_integer_value(json_object_get(code, "interval"));
	json_int_t lifetime = json_integer_value(json_object_get(code, "expires_in"));
	int64_t until =
	    clock_monotonic() + 1000 * (lifetime < LIFETIME_MAX ? lifetime : LIFETIME_MAX);
	json_t *login = NULL;

	interval = interval > 0 && interval < INTERVAL_MAX ? interval : 5;
	wait_seconds(FIRST_POLL);
	for (bool waits = true; waits;) {
		struct buf form = { 0 };
		struct response r;
		const char *error;

		add_parameter(&form, "grant_type", DEVICE_GRANT);
		add_parameter(&form, "client_id", CLIENT);
		add_parameter(&form, "device_code", text_of(code, "device_code"));
		post(text_of(metadata, "token_endpoint"), &form, &r);
		error = text_of(r.json, "error");
		waits = error != NULL && (strcmp(error, "authorization_pending") == 0 ||
					     strcmp(error, "slow_down") == 0);
		if (waits && strcmp(error, "slow_down") == 0 && interval < INTERVAL_MAX)
			interval += 5; /* RFC 8628 3.5 */
		if (!waits && (login = login_of(metadata, r.json)) == NULL)
			refused(url, &r);
		response_free(&r);
		if (waits && clock_monotonic() > until) {
			complain("nobody has agreed in time");
			waits = false;
		}
		if (waits)
			wait_seconds(interval);
	}
	return login;
}

/* Returns the response with the codes; NULL after an error message. */
static json_t *
ask_for_code(const char *url, const json_t *metadata, const char *scopes)
{
	char *usual = scopes == NULL ? usual_scopes_dup(metadata) : NULL;
	struct buf form = { 0 };
	json_t *code = NULL;
	struct response r;

	add_parameter(&form, "client_id", CLIENT);
	add_parameter(&form, "scope", scopes != NULL ? scopes : usual);
	post(text_of(metadata, "device_authorization_endpoint"), &form, &r);
	if (r.status == 200 && text_of(r.json, "device_code") != NULL &&
	    text_of(r.json, "user_code") != NULL && text_of(r.json, "verification_uri") != NULL)
		code = json_incref(r.json);
	else
		refused(url, &r);
	response_free(&r);
	free(usual);
	return code;
}

static void
show_code(const json_t *code)
{
	const char *whole = text_of(code, "verification_uri_complete");

	fputs("Open this page, and agree if it shows the code ", stderr);
	print_text(stderr, text_of(code, "user_code"));
	fputs(":\n\n  ", stderr);
	print_text(stderr, whole != NULL ? whole : text_of(code, "verification_uri"));
	fputs("\n\nWaiting ...\n", stderr);
}

static int
keep(const struct options *o, const char *url, json_t *login)
{
	json_t *shown =
	    json_pack("{s:s, s:O?}", "site", url, "scope", json_object_get(login, "scope"));
	struct logins all;
	char *why = NULL;
	bool good = logins_open(&all, &why);

	if (good) {
		good = logins_put(&all, url, login, &why);
		logins_close(&all);
	} else
		json_decref(login);
	if (good)
		print_command_result(stdout, o, shown);
	else {
		complain("%s", why);
		json_decref(shown);
	}
	free(why);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int
login(const struct options *o, const char *url, const char *scopes)
{
	json_t *metadata = discover(url);
	json_t *code = metadata != NULL ? ask_for_code(url, metadata, scopes) : NULL, *got = NULL;

	if (code != NULL) {
		show_code(code);
		got = poll_for(url, metadata, code);
	}
	json_decref(code);
	json_decref(metadata);
	return got != NULL ? keep(o, url, got) : EXIT_FAILURE;
}

static int
show_logins(const struct options *o)
{
	json_t *items = json_array();
	struct logins all;
	char *why = NULL;
	const char *url;
	json_t *login;

	if (!logins_open(&all, &why)) {
		complain("%s", why);
		free(why);
		json_decref(items);
		return EXIT_FAILURE;
	}
	json_object_foreach(all.all, url, login) json_array_append_new(
	    items, json_pack("{s:s, s:O?}", "site", url, "scope", json_object_get(login, "scope")));
	logins_close(&all);
	print_command_result(stdout, o, json_pack("{s:o}", "items", items));
	return EXIT_SUCCESS;
}

/* Reads the URL of a site; NULL after an error message. */
static char *
read_url(const char *typed)
{
	char *why = NULL, *url = request_site_url(typed, &why);

	if (url == NULL)
		complain("%s", why);
	free(why);
	return url;
}

int
login_run(const struct options *o, int argc, char **argv)
{
	const char *scopes = NULL;
	char *url;
	int status;

	if (argc == 0)
		return show_logins(o);
	if (argc == 3 && strcmp(argv[1], "--scope") == 0)
		scopes = argv[2];
	else if (argc == 2 && strncmp(argv[1], "--scope=", 8) == 0)
		scopes = argv[1] + 8;
	else if (argc != 1) {
		complain("a URL is wanted, and --scope SCOPES at most");
		return EXIT_USAGE;
	}
	if ((url = read_url(argv[0])) == NULL)
		return EXIT_USAGE;
	status = login(o, url, scopes);
	free(url);
	return status;
}

/* ---- stet logout ---- */

/* Revokes the grant at the site. The local token is deleted even if the site does not answer. */
static void
revoke(const char *url, const json_t *login)
{
	const char *endpoint = text_of(login, "revocationEndpoint");
	const char *token = text_of(login, "refreshToken");
	struct buf form = { 0 };
	struct response r;

	if (endpoint == NULL)
		return;
	add_parameter(&form, "token", token != NULL ? token : text_of(login, "accessToken"));
	add_parameter(&form, "client_id", CLIENT);
	post(endpoint, &form, &r);
	if (r.code != CURLE_OK || r.status != 200) {
		refused(url, &r);
		complain(
		    "the site has not ended the grant: withdraw it on %s/_cms/account/apps", url);
	}
	response_free(&r);
}

static int
logout(const char *url)
{
	struct logins all;
	char *why = NULL;
	json_t *login;
	bool good;

	if (!logins_open(&all, &why)) {
		complain("%s", why);
		free(why);
		return EXIT_FAILURE;
	}
	login = json_incref(json_object_get(all.all, url));
	good = login != NULL && logins_put(&all, url, NULL, &why);
	logins_close(&all);
	if (login == NULL)
		complain("there is no login of %s; \"stet login\" lists them", url);
	else if (!good)
		complain("%s", why);
	else
		revoke(url, login);
	json_decref(login);
	free(why);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
logout_run(const struct options *o, int argc, char **argv)
{
	char *url;
	int status;

	(void)o;
	if (argc != 1) {
		complain("the URL of one site is wanted; \"stet login\" lists them");
		return EXIT_USAGE;
	}
	if ((url = read_url(argv[0])) == NULL)
		return EXIT_USAGE;
	status = logout(url);
	free(url);
	return status;
}

/* ---- tokens for requests ---- */

/* Returns the renewed login, stored; NULL after an error message. The file stays locked meanwhile:
 * two commands that renew with one refresh token would end the grant (RFC 9700 4.14). */
static json_t *
renew(struct logins *all, const char *url, const json_t *old)
{
	const json_t *metadata;
	struct buf form = { 0 };
	json_t *known, *login;
	char *why = NULL;
	struct response r;

	add_parameter(&form, "grant_type", "refresh_token");
	add_parameter(&form, "client_id", CLIENT);
	add_parameter(&form, "refresh_token", text_of(old, "refreshToken"));
	post(text_of(old, "tokenEndpoint"), &form, &r);
	known = json_pack("{s:O, s:O?}", "token_endpoint", json_object_get(old, "tokenEndpoint"),
	    "revocation_endpoint", json_object_get(old, "revocationEndpoint"));
	metadata = known;
	login = login_of(metadata, r.json);
	if (login == NULL) {
		refused(url, &r);
		if (r.status == 400)
			complain("sign in again: stet login %s", url);
	} else if (!logins_put(all, url, json_incref(login), &why)) {
		complain("%s", why);
		json_decref(login);
		login = NULL;
	}
	json_decref(known);
	response_free(&r);
	free(why);
	return login;
}

static bool
is_over(const json_t *login, const char *refused)
{
	json_int_t until = json_integer_value(json_object_get(login, "expiresAt"));

	return (refused != NULL && strcmp(refused, text_of(login, "accessToken")) == 0) ||
	       clock_now() / 1000 > until - EARLY;
}

char *
login_token(const char *url, const char *refused)
{
	const char *given = getenv("STET_TOKEN");
	json_t *login, *renewed = NULL;
	char *why = NULL, *token = NULL;
	struct logins all;

	if (given != NULL && *given != '\0')
		return xstrdup(given);
	if (!logins_open(&all, &why)) {
		complain("%s", why);
		free(why);
		return NULL;
	}
	login = json_object_get(all.all, url);
	if (text_of(login, "accessToken") == NULL || text_of(login, "tokenEndpoint") == NULL)
		complain("not signed in: stet login %s", url);
	else if (!is_over(login, refused))
		token = xstrdup(text_of(login, "accessToken"));
	else if (text_of(login, "refreshToken") == NULL)
		complain("the login has expired: stet login %s", url);
	else if ((renewed = renew(&all, url, login)) != NULL)
		token = xstrdup(text_of(renewed, "accessToken"));
	json_decref(renewed);
	logins_close(&all);
	return token;
}
