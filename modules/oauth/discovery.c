/* discovery.c - the metadata by which clients find the endpoints (RFC 9728, RFC 8414). */
#include "clients.h"

static void
put_list(struct stet_json *json, const char *key, const char *const *values)
{
	stet_array(json, key);
	for (; *values != NULL; values++)
		stet_put_str(json, NULL, *values);
	stet_close(json);
}

static void
put_url(struct stet_call *call, struct stet_json *json, const char *key, const char *path)
{
	stet_put_str(json, key, stet_printf(call, "%s%s", stet_base_url(call), path));
}

static enum stet_status
send(struct stet_call *call, struct stet_json *json)
{
	size_t len;
	const char *text = stet_json_text(json, &len);

	stet_header(call, "Cache-Control", "public, max-age=3600");
	stet_reply_type(call, "application/json");
	return stet_write(call, text, len);
}

enum stet_status
resource_metadata(struct stet_call *call)
{
	struct stet_json *json = stet_json_new(call);

	stet_object(json, NULL);
	put_url(call, json, "resource", MCP_PATH);
	stet_array(json, "authorization_servers");
	put_url(call, json, NULL, ISSUER_PATH);
	stet_close(json);
	put_list(json, "scopes_supported", scopes_supported);
	put_list(json, "bearer_methods_supported", (const char *const[]){ "header", NULL });
	stet_close(json);
	return send(call, json);
}

enum stet_status
server_metadata(struct stet_call *call)
{
	static const char *const grants[] = { "authorization_code", "refresh_token",
		"urn:ietf:params:oauth:grant-type:device_code", NULL };
	static const char *const none[] = { "none", NULL };
	struct stet_json *json = stet_json_new(call);

	stet_object(json, NULL);
	put_url(call, json, "issuer", ISSUER_PATH);
	put_url(call, json, "authorization_endpoint", AUTHORIZE_PATH);
	put_url(call, json, "token_endpoint", API_PATH "/oauth/token");
	put_list(json, "scopes_supported", scopes_supported);
	put_list(json, "response_types_supported", (const char *const[]){ "code", NULL });
	put_list(json, "response_modes_supported", (const char *const[]){ "query", NULL });
	put_list(json, "grant_types_supported", grants);
	put_list(json, "code_challenge_methods_supported", (const char *const[]){ "S256", NULL });
	put_list(json, "token_endpoint_auth_methods_supported", none);
	put_url(call, json, "device_authorization_endpoint", API_PATH "/oauth/device/code");
	put_url(call, json, "revocation_endpoint", API_PATH "/oauth/token/revoke");
	put_list(json, "revocation_endpoint_auth_methods_supported", none);
	if (json_is_true(stet_setting(call, REGISTRATION)))
		put_url(call, json, "registration_endpoint", API_PATH "/oauth/register");
	stet_put_bool(json, "client_id_metadata_document_supported", true);
	stet_put_bool(json, "authorization_response_iss_parameter_supported", true);
	stet_close(json);
	return send(call, json);
}
