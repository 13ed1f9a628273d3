/* metadata.c - reads the metadata of a client (RFC 7591), from its registration or its document. */
#include "clients.h"
#include <string.h>

#define LIST_MAX 20 /* grant types, response types */
#define WORD_MAX 200 /* bytes of an element of such a list */

#define BAD "invalid_client_metadata"

/* Returns true for characters that change how the text around them is read: controls, and the
 * marks that turn the direction of text (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069). */
static bool
is_control(const unsigned char *c)
{
	if (*c < 0x20 || *c == 0x7f)
		return true;
	if (*c == 0xc2)
		return c[1] < 0xa0;
	if (*c != 0xe2)
		return false;
	return (c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae))) ||
	       (c[1] == 0x81 && c[2] >= 0xa0 && c[2] <= 0xaf);
}

bool
client_name_ok(const char *name)
{
	int64_t length = stet_utf8_length(name);

	if (length < 1 || length > CLIENT_NAME_MAX || strspn(name, " ") == strlen(name))
		return false;
	for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++)
		if (is_control(c))
			return false;
	return true;
}

/* Returns the strings of an array, or of `fallback` if the member is absent. Refuses anything
 * else. */
static enum stet_status
read_list(struct stet_call *call, const json_t *object, const char *name, const char *fallback,
    json_t **out)
{
	const json_t *list = json_object_get(object, name), *value;
	size_t i;

	*out = stet_json_own(call, json_array());
	if (list == NULL || json_is_null(list)) {
		json_array_append_new(*out, json_string(fallback));
		return STET_OK;
	}
	if (!json_is_array(list) || json_array_size(list) > LIST_MAX)
		return oauth_refuse(
		    call, BAD, "%s is not an array of at most %d strings", name, LIST_MAX);
	json_array_foreach((json_t *)list, i, value)
	{
		if (!json_is_string(value) || json_string_length(value) > WORD_MAX)
			return oauth_refuse(
			    call, BAD, "%s has an element that is no string, or is too long", name);
		json_array_append_new(*out, json_string(json_string_value(value)));
	}
	return STET_OK;
}

static bool
has(const json_t *list, const char *word)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), word) == 0)
			return true;
	return false;
}

/* Returns those of a client's grant types that this server has. */
static enum stet_status
read_grants(struct stet_call *call, const json_t *object, json_t **out)
{
	static const char *const ours[] = { "authorization_code", "refresh_token", DEVICE_GRANT };
	json_t *theirs, *responses;

	STET_TRY(read_list(call, object, "grant_types", "authorization_code", &theirs));
	STET_TRY(read_list(call, object, "response_types", "code", &responses));
	*out = stet_json_own(call, json_array());
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (has(theirs, ours[i]))
			json_array_append_new(*out, json_string(ours[i]));
	if (!has(theirs, "authorization_code") && !has(theirs, DEVICE_GRANT))
		return oauth_refuse(
		    call, BAD, "grant_types has neither authorization_code nor " DEVICE_GRANT);
	if (has(theirs, "authorization_code") && !has(responses, "code"))
		return oauth_refuse(call, BAD, "response_types lacks code, the only one here");
	return STET_OK;
}

static enum stet_status
read_uris(struct stet_call *call, const json_t *object, bool needed, const json_t **out)
{
	const json_t *list = json_object_get(object, "redirect_uris");
	size_t count = json_array_size(list);

	if (list == NULL && !needed) {
		*out = stet_json_own(call, json_array());
		return STET_OK;
	}
	if (!json_is_array(list) || count > CLIENT_URIS_MAX || (needed && count == 0))
		return oauth_refuse(call, "invalid_redirect_uri",
		    "redirect_uris is not an array of 1 to %d URIs", CLIENT_URIS_MAX);
	for (size_t i = 0; i < count; i++) {
		const json_t *uri = json_array_get(list, i);
		const char *why = "is not a string";

		if (!json_is_string(uri) || !redirect_allowed(json_string_value(uri), &why))
			return oauth_refuse(
			    call, "invalid_redirect_uri", "redirect_uris[%zu] %s", i, why);
	}
	*out = list;
	return STET_OK;
}

/* Sets *out to a string of at most `most` bytes, or to NULL if the member is absent. */
static enum stet_status
read_text(
    struct stet_call *call, const json_t *object, const char *name, size_t most, const char **out)
{
	const json_t *value = json_object_get(object, name);

	*out = NULL;
	if (value == NULL || json_is_null(value))
		return STET_OK;
	if (!json_is_string(value) || json_string_length(value) > most)
		return oauth_refuse(
		    call, BAD, "%s is not a string of at most %zu bytes", name, most);
	*out = json_string_value(value);
	return STET_OK;
}

static enum stet_status
read_scope(struct stet_call *call, const json_t *object, const char **out)
{
	const char *asked;

	*out = NULL;
	STET_TRY(read_text(call, object, "scope", SCOPES_LEN, &asked));
	if (asked == NULL || *asked == '\0')
		return STET_OK;
	*out = scopes_clamp(call, asked, NULL, 50);
	return **out != '\0'
		   ? STET_OK
		   : oauth_refuse(call, BAD, "scope has none of the scopes of this server");
}

/* The metadata that is stored, in the format of the response to a registration. */
static const char *
text_of(struct stet_call *call, const struct oauth_client *c, const json_t *grants)
{
	struct stet_json *json = stet_json_new(call);

	stet_object(json, NULL);
	stet_put_json(json, "grant_types", grants);
	stet_array(json, "response_types");
	if (has(grants, "authorization_code"))
		stet_put_str(json, NULL, "code");
	stet_close(json);
	stet_put_str(json, "token_endpoint_auth_method", "none");
	if (c->scopes != NULL)
		stet_put_str(json, "scope", c->scopes);
	stet_close(json);
	return stet_json_text(json, NULL);
}

enum stet_status
metadata_read(struct stet_call *call, const json_t *object, struct oauth_client *out)
{
	const char *method;
	json_t *grants;

	if (!json_is_object(object))
		return oauth_refuse(call, BAD, "The metadata is not a JSON object");
	STET_TRY(read_grants(call, object, &grants));
	STET_TRY(read_uris(call, object, has(grants, "authorization_code"), &out->redirect_uris));
	STET_TRY(read_text(call, object, "client_name", CLIENT_NAME_MAX * 4, &out->name));
	if (out->name != NULL && !client_name_ok(out->name))
		return oauth_refuse(call, BAD,
		    "client_name is empty, longer than %d characters, or has control characters",
		    CLIENT_NAME_MAX);
	STET_TRY(read_text(call, object, "token_endpoint_auth_method", WORD_MAX, &method));
	if (method != NULL && strcmp(method, "none") != 0)
		return oauth_refuse(call, BAD,
		    "token_endpoint_auth_method is not none: clients have no secrets here");
	STET_TRY(read_scope(call, object, &out->scopes));
	out->metadata = text_of(call, out, grants);
	return STET_OK;
}
