/* party.c - the relying party of the site's passkeys, and the credentials that clients send. */
#include "passkey.h"
#include <ctype.h>
#include <string.h>

/* ---- the relying party ---- */

/* Scheme, host and port of the base URL, in lower case. *host is the offset of the host. */
static char *
base_origin(struct stet_call *call, size_t *host)
{
	const char *base = stet_base_url(call), *scheme = strstr(base, "://");
	char *origin;

	*host = scheme != NULL ? (size_t)(scheme - base) + 3 : 0;
	origin = stet_strndup(call, base, *host + strcspn(base + *host, "/"));
	for (char *c = origin; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return origin;
}

/* The colon before the port; NULL: there is no port. The colons of an IPv6 address are in
 * brackets. */
static char *
find_port(char *host)
{
	char *colon = strrchr(host, ':');

	return colon != NULL && strchr(colon, ']') == NULL ? colon : NULL;
}

const char *
party_id(struct stet_call *call)
{
	size_t at;
	char *host = base_origin(call, &at) + at, *port = find_port(host);

	if (port != NULL)
		*port = '\0';
	return host;
}

const char *const *
party_origins(struct stet_call *call)
{
	const char *const *more = stet_passkey_origins(call);
	const char **all;
	size_t count = 0, at;
	char *own = base_origin(call, &at), *port = find_port(own + at);

	/* Browsers leave out the default port of the scheme. */
	if (port != NULL && strcmp(port, strncmp(own, "https:", 6) == 0 ? ":443" : ":80") == 0)
		*port = '\0';
	while (more[count] != NULL)
		count++;
	all = stet_alloc(call, (count + 2) * sizeof(*all));
	all[0] = own;
	memcpy(all + 1, more, count * sizeof(*all));
	return all;
}

/* ---- credentials from clients ---- */

/* Decodes base64url. *good is false and the result empty if the text is not base64url. */
static struct webauthn_bytes
decode(struct stet_call *call, const json_t *text, bool *good)
{
	const char *from = json_string_value(text), *end = NULL;
	size_t len = json_string_length(text), out_len = 0;
	unsigned char *out;

	*good = false;
	if (from == NULL)
		return (struct webauthn_bytes){ NULL, 0 };
	out = stet_alloc(call, len + 1);
	*good = sodium_base642bin(out, len + 1, from, len, NULL, &out_len, &end,
		    sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
		end == from + len;
	return (struct webauthn_bytes){ out, *good ? out_len : 0 };
}

struct webauthn_bytes
passkey_bytes(struct stet_call *call, struct passkey_input *in, const char *name)
{
	bool good;
	struct webauthn_bytes b = decode(call, json_object_get(in->response, name), &good);

	if (!good && in->bad == NULL)
		in->bad = stet_printf(call, "response.%s is not base64url", name);
	return b;
}

/* The credential with its members at the top level of the request, as an object. */
static const json_t *
gather(struct stet_call *call)
{
	static const char *const texts[] = { "id", "rawId", "type" };
	const json_t *response = stet_arg_json(call, "response");
	json_t *object = stet_json_own(call, json_object());

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (stet_arg(call, texts[i]) != NULL)
			json_object_set_new(
			    object, texts[i], json_string(stet_arg(call, texts[i])));
	if (response != NULL)
		json_object_set_new(object, "response", json_deep_copy(response));
	return object;
}

static enum stet_status
check_form(struct stet_call *call, const json_t *credential, const char *path)
{
	static const char *const texts[] = { "id", "rawId", "type" };
	const json_t *response = json_object_get(credential, "response");

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!json_is_string(json_object_get(credential, texts[i])))
			stet_issue(call, stet_printf(call, "%s%s", path, texts[i]), "is required");
	if (!json_is_object(response))
		stet_issue(call, stet_printf(call, "%sresponse", path), "is required");
	else if (!json_is_string(json_object_get(response, "clientDataJSON")))
		stet_issue(
		    call, stet_printf(call, "%sresponse.clientDataJSON", path), "is required");
	return stet_issues(call);
}

enum stet_status
passkey_read(struct stet_call *call, struct passkey_input *in)
{
	const json_t *credential = stet_arg_json(call, "credential"), *id, *raw;
	const bool wrapped = credential != NULL;
	bool good;

	*in = (struct passkey_input){ .bad = NULL };
	if (!wrapped)
		credential = gather(call);
	STET_TRY(check_form(call, credential, wrapped ? "credential." : ""));
	in->response = json_object_get(credential, "response");
	id = json_object_get(credential, "id");
	raw = json_object_get(credential, "rawId");
	if (strcmp(json_string_value(json_object_get(credential, "type")), "public-key") != 0)
		in->bad = "type is not public-key";
	if (!json_equal(id, raw))
		in->bad = "id is not rawId";
	in->id = decode(call, raw, &good);
	if (!good || in->id.len == 0)
		in->bad = "rawId is not base64url";
	in->client_data = passkey_bytes(call, in, "clientDataJSON");
	return STET_OK;
}
