/* auth.h - what the files of this module know of each other. */
#ifndef AUTH_H
#define AUTH_H

#include <pthread.h>
#include <stet/module.h>

/* ---- auth.c ---- */

/* UNAUTHORIZED in the one wording that every bad token gets. */
enum stet_status auth_refuse(struct stet_call *);

/* ---- users.c ---- */

extern const struct stet_member proof_in[], proof_out[];
extern const struct stet_member me_out[], me_update_in[], done_out[];

stet_handler me_get, me_update, site_proof;
/* The id of the user with this address (any case); NOT_FOUND when there is none. */
STET_MUST enum stet_status user_by_email(struct stet_call *, const char *email, const char **id);

/* ---- tokens.c ---- */

#define TOKEN_PREFIX "cms_pat_"

extern const struct stet_member token_create_in[], token_created_out[], tokens_out[];
extern const struct stet_member token_by_id[], token_revoked_out[];
extern const struct stet_member token_add_in[], token_by_email[];

stet_handler token_create, token_list, token_revoke; /* the caller's own, over REST */
stet_handler token_add, token_list_of, token_revoke_any; /* anyone's, for commands */
/* Set the principal of the call from a token with our prefix. */
STET_MUST enum stet_status token_authenticate(struct stet_call *, const char *token);

/* ---- usage.c: when tokens were last used, on its way to the database ---- */

struct usage_slot {
	char id[27]; /* of the token; "" is free */
	int64_t at; /* milliseconds */
};
/* The state of the module on a site. */
struct auth_state {
	pthread_mutex_t lock;
	struct usage_slot *slot; /* open addressing; malloc'd */
	size_t size, count; /* size is a power of two, or 0 */
	int64_t written; /* when the job last ran, milliseconds */
};

#define USAGE_JOB "token_usage"
void usage_note(struct stet_call *, const char *token_id);
int64_t usage_due(struct stet_call *);
stet_handler usage_write;
enum stet_status usage_open(struct stet_call *, void *state);
void usage_close(void *state);

#endif
