/* discovery.t - the documents by which clients find the authorization server. */
#include "harness.h"

static const char *const places[] = { "GET //.well-known/oauth-authorization-server/_cms",
	"GET //.well-known/oauth-authorization-server",
	"GET //.well-known/oauth-authorization-server/_cms/api/mcp",
	"GET //_cms/.well-known/oauth-authorization-server" };
static const char scopes[] =
    "[\"content:read\",\"content:write\",\"media:read\",\"media:write\",\"schema:read\","
    "\"schema:write\",\"taxonomies:manage\",\"menus:manage\",\"settings:read\","
    "\"settings:manage\",\"admin\"]";

static void
the_resource_names_its_authorization_server(void **state)
{
	struct harness *h = harness_open(NULL);
	struct outcome *o =
	    harness_request(h, nobody, "GET //.well-known/oauth-protected-resource", NULL, NULL);
	char *list;

	(void)state;
	assert_int_equal(o->http, 200);
	assert_string_equal(harness_text(o->body, "resource"), "http://localhost/_cms/api/mcp");
	assert_string_equal(
	    harness_text(o->body, "authorization_servers[0]"), "http://localhost/_cms");
	assert_string_equal(harness_text(o->body, "bearer_methods_supported[0]"), "header");
	list = json_dumps(harness_at(o->body, "scopes_supported"), JSON_COMPACT);
	assert_string_equal(list, scopes);
	free(list);
	assert_int_equal(json_object_size(o->body), 4);
	list = strdup(o->text);
	o = harness_request(h, nobody,
	    "GET //.well-known/oauth-protected-resource/_cms/api/mcp?x=1&x=2", NULL, NULL);
	assert_string_equal(o->text, list);
	free(list);
	harness_close(h, false);
}

static void
the_server_is_described_alike_wherever_clients_look(void **state)
{
	struct harness *h = harness_open(NULL);
	char *first = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct outcome *o = harness_request(h, nobody, places[i], NULL, NULL);

		assert_int_equal(o->http, 200);
		assert_string_equal(harness_text(o->body, "issuer"), "http://localhost/_cms");
		assert_string_equal(harness_text(o->body, "token_endpoint"),
		    "http://localhost/_cms/api/oauth/token");
		assert_string_equal(harness_text(o->body, "authorization_endpoint"),
		    "http://localhost/_cms/oauth/authorize");
		assert_string_equal(harness_text(o->body, "device_authorization_endpoint"),
		    "http://localhost/_cms/api/oauth/device/code");
		assert_string_equal(
		    harness_text(o->body, "code_challenge_methods_supported[0]"), "S256");
		assert_int_equal(
		    json_array_size(harness_at(o->body, "code_challenge_methods_supported")), 1);
		assert_true(json_is_true(
		    harness_at(o->body, "authorization_response_iss_parameter_supported")));
		if (first == NULL)
			first = strdup(o->text);
		assert_string_equal(first, o->text);
	}
	free(first);
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_resource_names_its_authorization_server),
		cmocka_unit_test(the_server_is_described_alike_wherever_clients_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
