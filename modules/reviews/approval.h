/*
 * approval.h - requests for approval: calls of a program that were refused with
 * PUBLISH_NEEDS_APPROVAL, and that a person may allow. An allowed call runs once, at once, with the
 * rights of the person who allows it.
 */
#ifndef APPROVAL_H
#define APPROVAL_H

#include "reviews.h"

#define APPROVAL_DAYS 7 /* a request is open so long */
#define APPROVAL_KEPT_DAYS 90 /* and its row is kept so long */
#define APPROVALS_OF_GRANT 20 /* open requests of one token or grant */
#define APPROVALS_OPEN 500 /* open requests of the site */
#define APPROVAL_ARGUMENTS_MAX 262144 /* bytes of the arguments, as JSON */

#define APPROVAL_MESSAGE_MAX REVIEW_MESSAGE_MAX

/* States, as stored. A request that is stored as open counts as expired after its end, and as
 * withdrawn when its grant or its user's account has ended (approval_state). */
#define APPROVAL_OPEN "open"
#define APPROVAL_ALLOWED "allowed"
#define APPROVAL_REFUSED "refused"
#define APPROVAL_WITHDRAWN "withdrawn"
#define APPROVAL_EXPIRED "expired"

struct approval {
	const char *id, *state, *op;
	const char *arguments; /* JSON text, with sorted keys */
	const char *collection, *entry; /* NULL: not about one item */
	int64_t version; /* of the item when it was asked */
	const char *grant; /* id of the token or grant; NULL: unknown */
	const char *client; /* what the program calls itself; NULL: unknown */
	const char *asker, *asker_name, *message;
	const char *created, *ends;
	const char *decider, *decider_name, *answer, *decided; /* NULL: not decided */
};

/* ---- approval.c: reading and writing requests as JSON ---- */

extern const struct stet_member approval_out[], approvals_in[], approvals_out[], approval_by_id[];
stet_handler approval_list, approval_get;
/* Finds the request of the argument id. Fails with NOT_FOUND for one that the caller may not see:
 * a program sees its own, a person sees their own and, if the person may decide, all. */
STET_MUST enum stet_status approval_find(struct stet_call *, struct approval *);
/* Reads the open request of this grant for the same call; *found false: there is none. */
STET_MUST enum stet_status approval_same(
    struct stet_call *, const struct approval *, struct approval *out, bool *found);
/* Sets *state to the state of a request now. */
STET_MUST enum stet_status approval_state(
    struct stet_call *, const struct approval *, const char **state);
/* Returns the op of this name, or NULL. */
const struct stet_op_info *approval_op(struct stet_call *, const char *name);
/* Writes {approval} as the reply. */
STET_MUST enum stet_status approval_answer(struct stet_call *, const struct approval *);
/* Returns true if the caller is a person who may decide on the request. */
bool approval_may_decide(struct stet_call *, const struct approval *);

/* ---- ask.c: asking for an approval ---- */

extern const struct stet_member approval_ask_in[];
stet_handler approval_ask;

/* ---- allow.c: allowing, refusing and withdrawing ---- */

extern const struct stet_member approval_decide_in[], approval_allowed_out[];
stet_handler approval_allow, approval_refuse, approval_withdraw;

/* ---- approvalend.c: requests that end by themselves ---- */

/* Withdraws the open requests about an item, or with entry NULL about a collection. */
STET_MUST enum stet_status approvals_withdraw(
    struct stet_call *, struct stet_tx *, const char *collection, const char *entry);
int64_t approvals_due(struct stet_call *);
stet_handler approvals_sweep;

#endif
