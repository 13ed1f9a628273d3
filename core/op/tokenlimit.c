/*
 * tokenlimit.c - limits that a token has among its scopes, as limit:<what>:<number>. They slow down
 * a program that has gone astray, so they are counted like other rate limits: in memory, with no
 * write to the database (limit.c).
 */
#include "op/tokenlimit.h"
#include "call/call.h"
#include "op/part.h"
#include <stdlib.h>
#include <stet/limit.h>
#include <string.h>

/* The limits by enum stet_token_limit. */
static const struct kind {
	const char *word; /* in scopes */
	const char *key; /* of the rate limit */
	int seconds; /* 0: no rate, but a number that a call may not exceed */
	const char *text; /* with the number before it */
} kinds[] = {
	[STET_LIMIT_CALLS] = { "calls", "token:calls", 60, "calls a minute" },
	[STET_LIMIT_WRITES] = { "writes", "token:writes", 3600, "writes an hour" },
	[STET_LIMIT_ITEMS] = { "items", NULL, 0, "items in a batch" },
	[STET_LIMIT_DELETIONS] = { "deletions", "token:deletions", 86400, "deletions a day" },
};

static const char *
scopes_of(const struct stet_call *call)
{
	const struct stet_principal *p = &call->principal;

	return call->has_principal && p->via == STET_VIA_TOKEN && p->scopes != NULL ? p->scopes
										    : "";
}

int
stet_token_limit(struct stet_call *call, enum stet_token_limit what)
{
	static const char prefix[] = STET_SCOPE_LIMIT;
	const char *word = kinds[what].word;
	size_t len = strlen(word);

	for (const char *at = scopes_of(call); (at = strstr(at, prefix)) != NULL;) {
		at += sizeof(prefix) - 1;
		if (strncmp(at, word, len) == 0 && at[len] == ':')
			return (int)strtol(at + len + 1, NULL, 10);
	}
	return 0;
}

static const char *
account(const struct stet_call *call)
{
	const struct stet_principal *p = &call->principal;

	return p->token_id != NULL ? p->token_id : p->id;
}

static enum stet_status
refuse(struct stet_call *call, const struct kind *kind, int most, int64_t wait)
{
	int64_t seconds = (wait + 999) / 1000;
	json_t *number = stet_json_own(call, json_integer(seconds));

	stet_header(call, "Retry-After", stet_printf(call, "%lld", (long long)seconds));
	stet_fail(call, STET_RATE_LIMITED, NULL,
	    "This program may make %d %s, and has made them: the next is possible in %lld seconds",
	    most, kind->text, (long long)seconds);
	stet_detail_json(call, "retryAfter", number);
	return STET_RATE_LIMITED;
}

enum stet_status
stet_token_take(struct stet_call *call, enum stet_token_limit what, int many)
{
	const struct kind *kind = &kinds[what];
	int most = stet_token_limit(call, what);
	int64_t wait;

	if (most == 0 || many == 0)
		return STET_OK;
	if (many > most) /* waiting would not help */
		return stet_fail(call, STET_VALIDATION_ERROR, NULL,
		    "This program may make %d %s: too few for a call with %d", most, kind->text,
		    many);
	if (kind->seconds == 0 || op_part(call)->tried)
		return STET_OK;
	wait = stet_limit_wait(call, kind->key, account(call), many, most, kind->seconds);
	return wait > 0 ? refuse(call, kind, most, wait) : STET_OK;
}

int
stet_token_left(struct stet_call *call, enum stet_token_limit what)
{
	const struct kind *kind = &kinds[what];
	int most = stet_token_limit(call, what);

	if (most == 0 || kind->seconds == 0)
		return most == 0 ? -1 : most;
	return stet_limit_left(call, kind->key, account(call), most, kind->seconds);
}

void
stet_token_tries(struct stet_call *call, bool tries)
{
	op_part(call)->tried = tries;
}

/* Returns true if calls of the op in this lane are writes. Ops of the slow lane whose route is a
 * GET read for a long time. */
static bool
writes(const struct stet_op *row, enum stet_lane lane)
{
	if ((row->flags & STET_ANY_SCOPE) != 0 || (row->more & STET_MORE_EACH) != 0)
		return false;
	return lane == STET_WRITE ||
	       (lane == STET_SLOW && (row->route == NULL || strncmp(row->route, "GET ", 4) != 0));
}

/* Returns true if the op takes a list of ids. */
static bool
takes_ids(const struct stet_op *row)
{
	for (const struct stet_member *m = row->in; m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, "ids") == 0 && m->type == STET_ARRAY)
			return true;
	return false;
}

/* Counts a call of the op by the records that it writes: as many as it is given ids. */
static enum stet_status
take_records(
    struct stet_call *call, const struct stet_op *row, enum stet_lane lane, const json_t *ids)
{
	int many = json_array_size(ids) > 1 ? (int)json_array_size(ids) : 1;

	if (!writes(row, lane))
		return STET_OK;
	STET_TRY(stet_token_take(call, STET_LIMIT_ITEMS, many));
	STET_TRY(stet_token_take(call, STET_LIMIT_WRITES, many));
	return (row->flags & STET_DESTRUCTIVE) != 0
		   ? stet_token_take(call, STET_LIMIT_DELETIONS, many)
		   : STET_OK;
}

enum stet_status
stet_token_call(struct stet_call *call, const struct stet_op_info *info, enum stet_lane lane,
    const json_t *args)
{
	return take_records(
	    call, info->op, lane, takes_ids(info->op) ? json_object_get(args, "ids") : NULL);
}

enum stet_status
tokenlimit_take(struct stet_call *call, bool request)
{
	const struct stet_op *row = &call->op->row;

	if (strstr(scopes_of(call), STET_SCOPE_LIMIT) == NULL || (row->flags & STET_ANY_SCOPE) != 0)
		return STET_OK;
	/* The tool server counts calls of tools. */
	if (request && (!call->nested || op_part(call)->plain))
		STET_TRY(stet_token_take(call, STET_LIMIT_CALLS, 1));
	return take_records(call, row, row->choose != NULL ? call->lane : row->lane,
	    takes_ids(row) ? stet_arg_json(call, "ids") : NULL);
}
