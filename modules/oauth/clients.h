/* clients.h - how clients become known: registration, documents, devices, administrators. */
#ifndef OAUTH_CLIENTS_H
#define OAUTH_CLIENTS_H

#include "oauth.h"

#define DEVICE_GRANT "urn:ietf:params:oauth:grant-type:device_code"
#define CLIENT_DEVICE "device" /* kind: it named itself when it asked for a device code */

/* ---- metadata.c ---- */

#define CLIENT_URIS_MAX 20 /* redirect URIs */
#define CLIENT_NAME_MAX 100 /* characters */

/*
 * Checks the metadata of a client (RFC 7591 section 2), from a registration or a document. Members
 * that we do not know are ignored. Sets name (NULL: it has none), redirect_uris, scopes and
 * metadata of *out. Refuses invalid_client_metadata and invalid_redirect_uri.
 */
STET_MUST enum stet_status metadata_read(
    struct stet_call *, const json_t *object, struct oauth_client *out);
/* Returns true if a text may be shown as a client's name: it has 1 to CLIENT_NAME_MAX characters,
 * and none of them controls the terminal or the direction of text. */
bool client_name_ok(const char *name);

/* ---- register.c ---- */

#define REGISTRATION "clientRegistration" /* setting */

stet_handler client_register;
int64_t clients_due(struct stet_call *); /* deletes unused clients and old device codes */
stet_handler clients_sweep;

/* ---- document.c ---- */

struct documents; /* the cache */
struct documents *documents_new(void);
void documents_free(struct documents *);
/* Returns true if the id of a client is the URL of a document about it. */
bool document_is_id(const char *client_id);
/* Returns NULL if this may be the URL of a document, or what is wrong with it. */
const char *document_refuses(const char *url);
/*
 * Finds the client that this document describes: in the cache or, in the slow lane, by fetching it.
 * Refuses invalid_client. Refuses temporarily_unavailable if the cache lacks the document and it
 * cannot be fetched now: in the write lane, or while too many fetches run.
 */
STET_MUST enum stet_status document_find(
    struct stet_call *, const char *url, struct oauth_client *);
/* Parses and checks the bytes of a document. */
STET_MUST enum stet_status document_read(
    struct stet_call *, const char *url, const char *text, size_t len, struct oauth_client *);

/* ---- device.c ---- */

stet_handler device_code, device_token, device_authorize;
extern const struct stet_member device_authorize_in[], device_authorize_out[];
/* The device grant at the token endpoint; in the write lane. */
STET_MUST enum stet_status device_exchange(
    struct stet_call *, struct stet_tx *, const struct oauth_params *, struct oauth_issued *out);

struct device {
	const char *user_code; /* in the form for people: XXXX-XXXX */
	const char *client_id;
	struct oauth_client client; /* the client as it was when the device asked */
	const char *scopes, *resource; /* as requested; resource NULL: the whole API */
	const char *address; /* where the request came from */
	const char *created_at, *expires_at;
};
/* Finds the pending request with this code as the user typed it, and counts wrong codes. For the
 * slow lane, and only for users who are signed in. Fails with INVALID_CODE, EXPIRED_CODE and
 * RATE_LIMITED. */
STET_MUST enum stet_status device_find(struct stet_call *, const char *user_code, struct device *);
/* The scopes of the request that this user can grant. */
const char *device_scopes(struct stet_call *, const struct device *);
/* Approves the request with these scopes, or denies it if they are NULL. Fails with
 * INSUFFICIENT_ROLE if they are "". */
STET_MUST enum stet_status device_decide(
    struct stet_call *, const struct device *, const char *scopes);

/* ---- devicepage.c ---- */

stet_handler device_page, device_post;

/* ---- clients.c ---- */

extern const struct stet_member client_in[], client_change_in[], client_by_id[], client_out[],
    clients_out[], clients_in[], client_deleted_out[];
stet_handler client_list, client_get, client_create, client_update, client_delete;

#endif
