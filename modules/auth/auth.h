/* auth.h - what the files of the auth module share. */
#ifndef AUTH_H
#define AUTH_H

#include <stet/module.h>
#include <stet/usage.h>

/* ---- auth.c ---- */

/* The state of the module on a site. */
struct auth_state {
	struct stet_usage *usage; /* last use of tokens */
};

/* ---- users.c ---- */

extern const struct stet_member proof_in[], proof_out[];
extern const struct stet_member me_out[], me_update_in[], me_rename_in[], done_out[];

stet_handler me_get, me_update, me_rename, site_proof;
/* Finds the user with this address, ignoring case. Fails with NOT_FOUND. */
STET_MUST enum stet_status user_by_email(struct stet_call *, const char *email, const char **id);

/* ---- tokens.c ---- */

#define TOKEN_PREFIX "cms_pat_"
#define DELIVERY_PREFIX "cms_dlv_" /* as long as TOKEN_PREFIX */
#define DELIVERY_SCOPE "content:read media:read"
#define DELIVERY_ROLE 50 /* of auth:manage_connections */
#define DELIVERY_FROM " FROM delivery_token t LEFT JOIN users u ON u.id = t.maker "
/* SQL: 1 if the user who made the token has lost the right to make one. */
#define DELIVERY_SUSPENDED                                                                  \
	"(t.maker IS NOT NULL AND (u.id IS NULL OR u.disabled <> 0 OR u.role < " AUTH_TEXT( \
	    DELIVERY_ROLE) "))"
#define AUTH_TEXT(macro) AUTH_TEXT_OF(macro)
#define AUTH_TEXT_OF(value) #value
/* The columns of a token with its user. */
#define DELIVERY_PRINCIPAL                                                             \
	"SELECT t.id, t.hash, '" DELIVERY_SCOPE "', t.expires_at, '', NULL, NULL, 10," \
	" CASE WHEN " DELIVERY_SUSPENDED " THEN 1 ELSE 0 END, t.name" DELIVERY_FROM    \
	"WHERE t.hash = ?1"

extern const struct stet_member token_create_in[], token_created_out[], tokens_out[];
extern const struct stet_member token_by_id[], token_revoked_out[];
extern const struct stet_member token_add_in[], token_added_out[], token_list_in[],
    tokens_any_out[];
extern const struct stet_member delivery_create_in[];

stet_handler token_create, token_list, token_revoke; /* the caller's own tokens, over REST */
stet_handler token_add, token_list_of, token_revoke_any; /* the tokens of any user, for commands */
stet_handler delivery_create, delivery_list, delivery_revoke;
/* Fails with UNAUTHORIZED, with the same text for every bad token. */
enum stet_status token_refuse(struct stet_call *);
/* Sets the principal of the call from a token with one of our prefixes. */
STET_MUST enum stet_status token_authenticate(struct stet_call *, const char *token);

/* When tokens were last used. */
#define USAGE_JOB "token_usage"
int64_t token_used_due(struct stet_call *);
stet_handler token_used_write;

#endif
