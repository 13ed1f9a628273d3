/* clients.t - clients that register themselves, are described by a document, or are added by
 * administrators. */
#include "day.h"
#include "flow.h"
#include "http/openssl.h"
#include "inside.h"
#include "neighbour.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define URIS "\"redirect_uris\":[\"https://client.example/back\"]"

static struct outcome *
register_from(struct harness *h, const char *body)
{
	return harness_request(
	    h, nobody, "POST /oauth/register", "Content-Type: application/json", body);
}

/* ---- registration ---- */

static void
a_client_registers_and_is_told_what_was_kept(void **state)
{
	struct harness *h = *state;
	struct outcome *o = register_from(h,
	    "{" URIS ",\"client_name\":\"Editor\",\"grant_types\":[\"authorization_code\","
	    "\"refresh_token\",\"implicit\"],\"response_types\":[\"code\"],\"scope\":\"content:read "
	    "content:read nonsense\",\"token_endpoint_auth_method\":\"none\",\"jwks\":{\"a\":1}}");
	const char *id;

	assert_int_equal(o->http, 201);
	id = harness_text(o->body, "client_id");
	assert_int_equal(strlen(id), 36);
	assert_string_equal(harness_text(o->body, "client_name"), "Editor");
	assert_string_equal(
	    harness_text(o->body, "redirect_uris[0]"), "https://client.example/back");
	assert_string_equal(harness_text(o->body, "grant_types[1]"), "refresh_token");
	assert_int_equal(json_array_size(harness_at(o->body, "grant_types")), 2);
	assert_string_equal(harness_text(o->body, "scope"), "content:read");
	assert_string_equal(harness_text(o->body, "token_endpoint_auth_method"), "none");
	assert_true(harness_int(o->body, "client_id_issued_at") > 1700000000);
	assert_null(harness_at(o->body, "client_secret"));
	harness_ok(o, harness_request(h, admin, "GET /admin/oauth-clients", NULL, NULL));
	assert_string_equal(harness_text(o->data, "items[0].kind"), "registered");
	assert_string_equal(harness_text(o->data, "items[0].scopes[0]"), "content:read");
}

static void
what_is_left_out_has_a_default(void **state)
{
	struct harness *h = *state;
	struct outcome *o = register_from(h, "{\"redirect_uris\":[\"http://127.0.0.1/cb\"]}");

	assert_int_equal(o->http, 201);
	assert_int_equal(strncmp(harness_text(o->body, "client_name"), "dynamic-", 8), 0);
	assert_string_equal(harness_text(o->body, "grant_types[0]"), "authorization_code");
	assert_string_equal(harness_text(o->body, "response_types[0]"), "code");
	assert_null(harness_at(o->body, "scope"));
}

static void
what_is_not_metadata_is_refused(void **state)
{
	static const struct {
		const char *body, *error;
	} rows[] = {
		{ "", "invalid_client_metadata" },
		{ "{", "invalid_client_metadata" },
		{ "[]", "invalid_client_metadata" },
		{ "{}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":[]}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":\"https://a.example/\"}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":[1]}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":[\"http://a.example/\"]}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":[\"https://a.example/#x\"]}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":[\"https://u@a.example/\"]}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":[\"javascript:alert(1)\"]}", "invalid_redirect_uri" },
		{ "{\"redirect_uris\":[\"com.example.app:/back\"]}", "invalid_redirect_uri" },
		{ "{" URIS ",\"client_name\":\"\"}", "invalid_client_metadata" },
		{ "{" URIS ",\"client_name\":\"a\\nb\"}", "invalid_client_metadata" },
		{ "{" URIS ",\"client_name\":\"a\\u202eb\"}", "invalid_client_metadata" },
		{ "{" URIS ",\"client_name\":7}", "invalid_client_metadata" },
		{ "{" URIS ",\"token_endpoint_auth_method\":\"client_secret_basic\"}",
		    "invalid_client_metadata" },
		{ "{" URIS ",\"grant_types\":[\"implicit\"]}", "invalid_client_metadata" },
		{ "{" URIS ",\"grant_types\":{}}", "invalid_client_metadata" },
		{ "{" URIS ",\"response_types\":[\"token\"]}", "invalid_client_metadata" },
		{ "{" URIS ",\"scope\":\"constructor __proto__\"}", "invalid_client_metadata" },
		{ "{" URIS ",\"scope\":[]}", "invalid_client_metadata" },
	};

	struct harness *h = NULL;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (i % 10 == 0) { /* the limit for an address */
			if (h != NULL)
				harness_close(h, false);
			h = harness_open(NULL);
			day++;
			day_at(h, "12:00:00");
		}
		day_refused(register_from(h, rows[i].body), 400, rows[i].error);
	}
	harness_close(h, false);
}

static void
an_address_registers_ten_times_an_hour(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	for (int i = 0; i < 10; i++)
		assert_int_equal(register_from(h, "{" URIS "}")->http, 201);
	for (int i = 0; i < 100; i++)
		assert_code(register_from(h, "{" URIS "}"), "RATE_LIMITED");
	harness_ok(o, harness_request(h, admin, "GET /admin/oauth-clients", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 10);
}

static void
registration_can_be_off(void **state)
{
	struct harness *h = *state;

	assert_ok(harness_request(h, admin, "PUT /admin/plugins/oauth/settings", NULL,
	    "{\"values\":{\"clientRegistration\":false}}"));
	day_refused(register_from(h, "{" URIS "}"), 400, "access_denied");
}

static void
clients_that_nobody_uses_go_after_a_day(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	day_at(h, "12:00:00");
	assert_int_equal(register_from(h, "{" URIS "}")->http, 201);
	assert_ok(harness_request(h, admin, "POST /admin/oauth-clients", NULL,
	    "{\"id\":\"kept\",\"name\":\"Kept\",\"redirectUris\":[\"https://a.example/\"]}"));
	day++;
	day_at(h, "11:00:00");
	inside_run_job(h, "oauth");
	harness_ok(o, harness_request(h, admin, "GET /admin/oauth-clients", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	day_at(h, "12:00:01");
	inside_run_job(h, "oauth");
	harness_ok(o, harness_request(h, admin, "GET /admin/oauth-clients", NULL, NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].id"), "kept");
}

static void
a_site_has_a_thousand_unused_registrations_at_most(void **state)
{
	struct harness *h = *state;

	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
	    " INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at, updated_at)"
	    " SELECT 'c' || i, 'registered', 'n', '[]', '2026', '2026' FROM n",
	    NULL);
	day_refused(register_from(h, "{" URIS "}"), 503, "temporarily_unavailable");
	inside_sql(h, "UPDATE oauth_clients SET used_at = updated_at WHERE id = 'c1'", NULL);
	assert_int_equal(register_from(h, "{" URIS "}")->http, 201);
}

/* ---- administrators ---- */

static void
administrators_enter_change_and_delete_clients(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, harness_request(h, admin, "POST /admin/oauth-clients", NULL,
			  "{\"id\":\"site-builder\",\"name\":\"Builder\",\"redirectUris\":"
			  "[\"https://a.example/back\"],\"scopes\":[\"content:read\"]}"));
	assert_int_equal(o->http, 201);
	assert_string_equal(harness_text(o->data, "kind"), "static");
	assert_code(harness_request(h, admin, "POST /admin/oauth-clients", NULL,
			"{\"id\":\"site-builder\",\"name\":\"B\",\"redirectUris\":"
			"[\"https://a.example/back\"]}"),
	    "CONFLICT");
	harness_ok(o, harness_request(h, admin, "PUT /admin/oauth-clients/site-builder", NULL,
			  "{\"name\":\"Site builder\",\"scopes\":null}"));
	assert_string_equal(harness_text(o->data, "name"), "Site builder");
	assert_true(json_is_null(harness_at(o->data, "scopes")));
	assert_string_equal(harness_text(o->data, "redirectUris[0]"), "https://a.example/back");
	harness_ok(
	    o, harness_request(h, admin, "GET /admin/oauth-clients/site-builder", NULL, NULL));
	assert_ok(
	    harness_request(h, admin, "DELETE /admin/oauth-clients/site-builder", NULL, NULL));
	assert_code(
	    harness_request(h, admin, "DELETE /admin/oauth-clients/site-builder", NULL, NULL),
	    "NOT_FOUND");
	assert_code(harness_request(h, admin, "GET /admin/oauth-clients/site-builder", NULL, NULL),
	    "NOT_FOUND");
	assert_code(
	    harness_request(h, editor, "GET /admin/oauth-clients", NULL, NULL), "FORBIDDEN");
}

static void
bad_clients_are_refused_with_all_issues(void **state)
{
	struct harness *h = *state;
	struct outcome *o = harness_request(h, admin, "POST /admin/oauth-clients", NULL,
	    "{\"id\":\"x\",\"name\":\"a\\u0007\",\"redirectUris\":[\"https://a.example/\","
	    "\"ftp://a.example/\"],\"scopes\":[\"content:read\",\"nonsense\"]}");

	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "name"));
	assert_true(harness_issue(o, "redirectUris[1]"));
	assert_true(harness_issue(o, "scopes[1]"));
	assert_code(harness_request(h, admin, "POST /admin/oauth-clients", NULL,
			"{\"id\":\"x\",\"name\":\"a\",\"redirectUris\":[]}"),
	    "VALIDATION_ERROR");
}

static void
a_session_must_be_recent_to_change_clients(void **state)
{
	static const struct harness_user old[1] = { { "01SESSION00000000000000000", 50, NULL, true,
	    3600000 } };
	struct harness *h = *state;

	assert_code(harness_request(h, old, "POST /admin/oauth-clients", NULL,
			"{\"id\":\"x\",\"name\":\"a\",\"redirectUris\":[\"https://a.example/\"]}"),
	    "REAUTH_REQUIRED");
}

/* ---- documents ---- */

static struct {
	char dir[32], ca[64];
	pid_t server;
	int port, out;
} site;

static int
documents_begin(void **state)
{
	static struct harness_options options = { .fetch_allow = neighbour_block };

	(void)snprintf(site.dir, sizeof(site.dir), "/tmp/stet-doc-XXXXXX");
	assert_non_null(mkdtemp(site.dir));
	(void)snprintf(site.ca, sizeof(site.ca), "%s/ca.pem", site.dir);
	openssl_certificate(site.dir, "good", "IP:127.0.0.1");
	site.server = openssl_files(site.dir, "good", &site.out, &site.port);
	options.fetch_ca = site.ca;
	*state = harness_open(&options);
	day++;
	day_at(*state, "12:00:00");
	return 0;
}

static int
documents_end(void **state)
{
	harness_close(*state, false);
	openssl_end(site.server);
	close(site.out);
	openssl_forget(site.dir);
	return 0;
}

/* Writes a file for the server; %s in the body becomes its URL. */
static void
serve(const char *name, const char *head, const char *body)
{
	char path[128], url[128];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", site.dir, name);
	(void)snprintf(url, sizeof(url), "https://127.0.0.1:%d/%s", site.port, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "HTTP/1.0 %s\r\n\r\n", head);
	for (const char *c = body; *c != '\0'; c++)
		if (*c == '@')
			fputs(url, f);
		else
			fputc(*c, f);
	fclose(f);
}

static struct outcome *
device_with(struct harness *h, const char *id)
{
	char body[300];

	(void)snprintf(body, sizeof(body), "{\"client_id\":\"https://%s\"}", id);
	return harness_request(
	    h, nobody, "POST /oauth/device/code", "Content-Type: application/json", body);
}

static struct outcome *
device_of(struct harness *h, const char *name)
{
	char id[200];

	(void)snprintf(id, sizeof(id), "127.0.0.1:%d/%s", site.port, name);
	return device_with(h, id);
}

#define JSON "200 OK\r\nContent-Type: application/json"
#define DEVICES \
	"\"grant_types\":[\"urn:ietf:params:oauth:grant-type:device_code\"],\"client_name\":\"D\""

static void
a_document_describes_its_client_and_is_kept(void **state)
{
	struct harness *h = *state;
	char path[128];

	serve("client.json", JSON "; charset=utf-8\r\nCache-Control: public, max-age=3600",
	    "{\"client_id\":\"@\"," DEVICES "}");
	day_at(h, "12:00:00");
	assert_int_equal(device_of(h, "client.json")->http, 200);
	(void)snprintf(path, sizeof(path), "%s/client.json", site.dir);
	assert_int_equal(unlink(path), 0);
	day_at(h, "12:59:59");
	assert_int_equal(device_of(h, "client.json")->http, 200);
	day_at(h, "13:00:01");
	day_refused(device_of(h, "client.json"), 401, "invalid_client");
	/* Nothing is stored until a user consents. */
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_clients"), "0");
}

static void
a_user_agrees_to_a_client_with_a_document(void **state)
{
	struct harness *h = *state;
	struct browser b = browser_make(h, "ann@example.org", "editor");
	char query[500], path[128], code[64];
	struct tokens t;

	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"posts\",\"label\":\"Posts\"}"));
	serve("app.json", JSON, "{\"client_id\":\"@\",\"client_name\":\"App\"," URIS "}");
	(void)snprintf(query, sizeof(query),
	    "response_type=code&client_id=https%%3A%%2F%%2F127.0.0.1%%3A%d%%2Fapp.json"
	    "&redirect_uri=" BACK PKCE "&scope=content:read",
	    site.port);
	assert_int_equal(flow_show(h, &b, query)->http, 200);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_clients"), "0");
	(void)snprintf(path, sizeof(path), "%s/app.json", site.dir);
	/* the document was fetched once, and is not needed again */
	assert_int_equal(unlink(path), 0);
	flow_code(h, &b, query, code);
	assert_string_equal(inside_ask(h, "SELECT kind FROM oauth_clients"), "document");
	flow_take(flow_token(h,
		      "grant_type=authorization_code&code=%s&redirect_uri=" BACK
		      "&code_verifier=" VERIFIER
		      "&client_id=https%%3A%%2F%%2F127.0.0.1%%3A%d%%2Fapp.json",
		      code, site.port),
	    &t);
	assert_true(flow_opens(h, t.access));
}

static void
hostile_documents_are_refused(void **state)
{
	struct harness *h = *state;
	char *big = malloc(20001);
	static char deep[3000];

	assert_non_null(big);
	memset(big, ' ', 20000);
	big[20000] = '\0';
	memset(deep, '[', sizeof(deep) - 1);
	serve("other", JSON, "{\"client_id\":\"https://other.example/x\"," DEVICES "}");
	serve("text", "200 OK\r\nContent-Type: text/html", "{\"client_id\":\"@\"," DEVICES "}");
	serve("moved", "302 Found\r\nLocation: /other\r\nContent-Type: application/json", "");
	serve("big", JSON, big);
	serve("deep", JSON, deep);
	serve("secret", JSON, "{\"client_id\":\"@\",\"client_secret\":\"s\"," DEVICES "}");
	serve("private", JSON,
	    "{\"client_id\":\"@\",\"token_endpoint_auth_method\":\"private_key_jwt\"," DEVICES "}");
	free(big);
	for (size_t i = 0; i < 7; i++)
		day_refused(device_of(h, ((const char *const[]){ "other", "text", "moved", "big",
					     "deep", "secret", "private" })[i]),
		    401, "invalid_client");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM oauth_devices"), "0");
}

static void
urls_that_are_no_ids_are_not_fetched(void **state)
{
	static const char *const ids[] = { "127.0.0.1", "127.0.0.1/a?b", "127.0.0.1/a#b",
		"127.0.0.1/a/../b", "127.0.0.1/a/%2e%2E/b", "127.0.0.1/./b", "u:p@127.0.0.1/x" };
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(ids); i++)
		day_refused(device_with(h, ids[i]), 401, "invalid_client");
}

static void
private_addresses_are_not_asked_for_documents(void **state)
{
	struct harness *h = *state; /* without fetch-allow */

	day_refused(device_with(h, "127.0.0.1:9/x"), 401, "invalid_client");
	day_refused(device_with(h, "[::1]:9/x"), 401, "invalid_client");
}

int
main(void)
{
#define ONE(name) cmocka_unit_test_setup_teardown(name, day_begin, inside_end)
#define DOC(name) cmocka_unit_test_setup_teardown(name, documents_begin, documents_end)
	const struct CMUnitTest tests[] = {
		ONE(a_client_registers_and_is_told_what_was_kept),
		ONE(what_is_left_out_has_a_default),
		cmocka_unit_test(what_is_not_metadata_is_refused),
		ONE(an_address_registers_ten_times_an_hour),
		ONE(registration_can_be_off),
		ONE(clients_that_nobody_uses_go_after_a_day),
		ONE(a_site_has_a_thousand_unused_registrations_at_most),
		ONE(administrators_enter_change_and_delete_clients),
		ONE(bad_clients_are_refused_with_all_issues),
		ONE(a_session_must_be_recent_to_change_clients),
		DOC(a_document_describes_its_client_and_is_kept),
		DOC(a_user_agrees_to_a_client_with_a_document),
		DOC(hostile_documents_are_refused),
		DOC(urls_that_are_no_ids_are_not_fetched),
		ONE(private_addresses_are_not_asked_for_documents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
