/* oidc.h - what the files of the oidc module share. */
#ifndef OIDC_H
#define OIDC_H

#include <pthread.h>
#include <stet/module.h>

#define PAGE_SIGNIN "/_cms/signin"
#define PAGE_ACCOUNT "/_cms/account"

#define PROVIDERS_MAX 20
#define PROVIDER_ID_MAX 40
#define CLIENT_ID_MAX 255
#define SECRET_MAX 1000
#define URL_MAX 1000

/* ---- provider.c: the providers of the site, and what administrators may do with them ---- */

struct provider {
	const char *id, *label, *issuer, *client_id;
	const char *secret; /* NULL: a public client, which has none */
	const char *domains; /* JSON array: domains whose addresses the provider may vouch for */
	int role; /* role of users created at the first sign-in; 0: no users are created */
};
/* Reads a provider that is enabled, with its secret. Fails with NOT_FOUND. */
STET_MUST enum stet_status provider_load(struct stet_call *, const char *id, struct provider *);
/* Returns true if the address belongs to one of the provider's domains. */
bool provider_trusted(const struct provider *, const char *email);

#define PROVIDER_SECRET                                                 \
	{                                                               \
		"oidc_providers", "secret", "id", "stet oidc secret ID" \
	}
extern const struct stet_member provider_list_out[], provider_create_in[], provider_update_in[],
    provider_by_id[], provider_out[], provider_done_out[], provider_public_out[];
stet_handler provider_list, provider_create, provider_get, provider_update, provider_delete,
    provider_public;

/* ---- discover.c: metadata and keys of providers, cached in memory ---- */

/* A cache entry: metadata and keys of a provider. */
struct known {
	char id[PROVIDER_ID_MAX + 1], *issuer; /* id "": the entry is free */
	json_t *metadata, *keys; /* NULL: not read yet */
	int64_t read_at, keys_at; /* milliseconds */
	char *failure; /* why the last request to the provider failed; NULL: it did not */
	int64_t failed_at;
};
#define ASKING_MAX 2 /* providers of a site that are fetched from at the same time */
struct oidc_state {
	pthread_mutex_t lock;
	struct known known[PROVIDERS_MAX];
	pthread_cond_t asked; /* signalled when a request has ended its fetch */
	struct asking {
		char id[PROVIDER_ID_MAX + 1]; /* "": the slot is free */
		int64_t since; /* start of the fetch, in milliseconds of the monotonic clock */
	} asking[ASKING_MAX];
	bool waiting; /* a request waits up to WAIT_MOST; further ones wait less */
	_Atomic int64_t swept;
};
enum stet_status discover_open(struct stet_call *, void *state);
void discover_close(void *state);

/* Returns the provider's metadata and, if `keys` is not NULL, its keys; values of the call.
 * `renew`: the cached keys lack one, so fetch them again if they are older than a minute. For the
 * slow lane. Fails with UPSTREAM_ERROR; without a request if the last one failed less than half a
 * minute ago. */
STET_MUST enum stet_status discover(struct stet_call *, const struct provider *, bool renew,
    const json_t **metadata, const json_t **keys);

/* Returns NULL if these can be the metadata of the issuer, or what is wrong with them. */
const char *metadata_refuses(struct stet_call *, const char *issuer, const json_t *metadata);

/* ---- start.c: begins a sign-in, and reads its state at the callback ---- */

struct attempt {
	const char *user_id; /* the user who links an account; NULL: this is a sign-in */
	const char *next; /* a local path; NULL: none */
	const char *verifier, *nonce; /* PKCE (RFC 7636), and the nonce of the ID token */
	unsigned char id[16]; /* stored when it is used: it can be used once */
	int64_t expires; /* milliseconds */
};
/* Reads the attempt from the argument `state` and the browser's cookie. Returns false if they do
 * not belong together or the attempt has expired. */
bool attempt_read(struct stet_call *, const char *provider, struct attempt *);
void attempt_clear(struct stet_call *); /* deletes the cookie */
const char *redirect_uri(struct stet_call *, const char *provider);

extern const struct stet_member start_in[], link_in[], link_out[];
stet_handler start_signin, start_link;

/* ---- callback.c: back from the provider ---- */

extern const struct stet_member callback_in[];
stet_handler callback;
int64_t sweep_due(struct stet_call *);
stet_handler sweep_run;

/* ---- account.c: accounts at providers, and their users ---- */

/* The provider's claims about the person who has signed in there. */
struct claims {
	const char *subject, *email, *name; /* email in lower case; email and name may be NULL */
	bool verified; /* the provider has verified the address */
};
/* Finds the user of an account, links the account to a user, or creates the user; in the write
 * lane. Fails with FORBIDDEN and sets *word to an error code that the sign-in page explains. */
STET_MUST enum stet_status account_user(struct stet_call *, struct stet_tx *,
    const struct provider *, const struct claims *, const char *link_user, const char **user_id,
    const char **word);

extern const struct stet_member account_list_out[], account_by_id[], account_done_out[];
stet_handler account_list, account_remove;

#endif
