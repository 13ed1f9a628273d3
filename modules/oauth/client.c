/* client.c - clients and their redirect URIs. */
#include "oauth.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum stet_status
client_find(struct stet_call *call, const char *id, struct oauth_client *out)
{
	struct stet_rows rows;
	const char *uris;
	const char *why;
	size_t len;

	if (strlen(id) > CLIENT_ID_MAX)
		return oauth_refuse(call, "invalid_client", "Unknown client application");
	STET_TRY(stet_query(call, &rows,
	    "SELECT id, kind, name, redirect_uris, scopes, metadata FROM oauth_clients WHERE id = ?1",
	    STET_ARGS(id)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return oauth_refuse(call, "invalid_client", "Unknown client application");
	}
	uris = stet_col_text(&rows, 3, &len);
	*out = (struct oauth_client){ .id = stet_col_dup(&rows, 0),
		.kind = stet_col_dup(&rows, 1),
		.name = stet_col_dup(&rows, 2),
		.redirect_uris = stet_json_parse(call, uris, len, &why),
		.scopes = stet_col_dup(&rows, 4),
		.metadata = stet_col_dup(&rows, 5) };
	return stet_rows_end(&rows);
}

enum stet_status
client_store(struct stet_call *call, struct stet_tx *tx, const struct oauth_client *c)
{
	struct stet_json *uris = stet_json_new(call);

	stet_put_json(uris, NULL, c->redirect_uris);
	return stet_exec(call, tx,
	    "INSERT INTO oauth_clients (id, kind, name, redirect_uris, scopes, metadata, created_at,"
	    " updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)"
	    " ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
	    " redirect_uris = excluded.redirect_uris, scopes = excluded.scopes,"
	    " metadata = excluded.metadata, updated_at = excluded.updated_at",
	    STET_ARGS(c->id, c->kind, c->name, stet_json_text(uris, NULL), c->scopes, c->metadata,
		stet_time_text(call, stet_now(call))));
}

/* ---- URIs ---- */

/* The authority of a URI, "user@host:port"; *len is 0 if the URI has none. */
static const char *
authority(const char *uri, size_t *len)
{
	const char *at = strstr(uri, "://");

	*len = at != NULL ? strcspn(at + 3, "/?#") : 0;
	return at != NULL ? at + 3 : uri;
}

const char *
uri_host(struct stet_call *call, const char *uri)
{
	size_t len;
	const char *at = authority(uri, &len);

	return stet_strndup(call, at, len);
}

/* If the URI begins with "http://HOST" and HOST is this computer: the length of that, without the
 * port. 0 otherwise. */
static size_t
loopback_prefix(const char *uri)
{
	static const char *const hosts[] = { "http://127.0.0.1", "http://[::1]",
		"http://localhost" };

	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		size_t len = strlen(hosts[i]);

		if (strncmp(uri, hosts[i], len) == 0 && strchr(":/?", uri[len]) != NULL)
			return len;
	}
	return 0;
}

/* The length of ":PORT"; 0 if there is no port, or an invalid one. */
static size_t
port_length(const char *text)
{
	size_t len = *text == ':' ? strspn(text + 1, "0123456789") : 0;
	long port = len > 0 && len <= 5 ? strtol(text + 1, NULL, 10) : 0;

	return port > 0 && port <= 65535 ? len + 1 : 0;
}

bool
uri_is_loopback(const char *uri)
{
	return loopback_prefix(uri) != 0;
}

#define URI_CHARS                                                        \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"-._~:/?[]@!$&'()*+,;=%"
#define URI_MAX 2000

bool
redirect_allowed(const char *uri, const char **why)
{
	size_t len, loopback = loopback_prefix(uri);
	const char *at = authority(uri, &len);

	*why = NULL;
	if (strlen(uri) > URI_MAX || strspn(uri, URI_CHARS) != strlen(uri))
		*why = "is too long or has characters that no URI has (a fragment is one)";
	else if (loopback != 0 && uri[loopback] == ':' &&
		 (port_length(uri + loopback) == 0 ||
		     strchr("/?", uri[loopback + port_length(uri + loopback)]) == NULL))
		*why = "has an invalid port";
	else if (loopback == 0 && strncmp(uri, "https://", 8) != 0)
		*why = "is neither https nor http on this computer (127.0.0.1, [::1], localhost)";
	else if (len == 0 || memchr(at, '@', len) != NULL || *at == ':')
		*why = "has no host, or a user before it";
	return *why == NULL;
}

/* Returns true if two loopback URIs are equal but for their ports: a program listens on any port
 * that is free (RFC 8252 7.3). Not for "localhost". */
static bool
same_but_port(const char *registered, const char *uri)
{
	size_t len = loopback_prefix(registered);

	if (len == 0 || len != loopback_prefix(uri) || memcmp(registered, uri, len) != 0 ||
	    strncmp(uri, "http://localhost", 16) == 0)
		return false;
	return strcmp(registered + len + port_length(registered + len),
		   uri + len + port_length(uri + len)) == 0;
}

bool
redirect_matches(const struct oauth_client *client, const char *uri)
{
	const char *why;

	if (!redirect_allowed(uri, &why))
		return false;
	for (size_t i = 0; i < json_array_size(client->redirect_uris); i++) {
		const char *r = json_string_value(json_array_get(client->redirect_uris, i));

		if (r != NULL && (strcmp(r, uri) == 0 || same_but_port(r, uri)))
			return true;
	}
	return false;
}
