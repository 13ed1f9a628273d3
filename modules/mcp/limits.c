/*
 * limits.c - limits of a token (stet/limit.h) on calls of tools: writes an hour and deletions a
 * day. The core counts those in a batch. A refusal is the result of the tool, with the time when
 * the next call is possible: the model reads it, while an error of HTTP ends at its host.
 */
#include "mcp.h"
#include <stet/limit.h>
#include <string.h>

enum stet_status
limits_take(struct stet_call *call, const struct stet_op_info *tool, const json_t *args, bool dry)
{
	size_t ids = json_array_size(json_object_get(args, "ids"));
	int many = ids > 1 ? (int)ids : 1;

	stet_token_tries(call, dry);
	if (tool->op->lane == STET_READ || (tool->op->flags & STET_ANY_SCOPE) != 0)
		return STET_OK;
	if (ids > 1)
		STET_TRY(stet_token_take(call, STET_LIMIT_ITEMS, many));
	STET_TRY(stet_token_take(call, STET_LIMIT_WRITES, many));
	if ((tool->op->flags & STET_DESTRUCTIVE) != 0)
		STET_TRY(stet_token_take(call, STET_LIMIT_DELETIONS, many));
	return STET_OK;
}

/* The limits that calls of tools use up. */
static const struct {
	enum stet_token_limit what;
	const char *name;
} used[] = {
	{ STET_LIMIT_WRITES, "writesPerHour" },
	{ STET_LIMIT_DELETIONS, "deletionsPerDay" },
};
#define USED (sizeof(used) / sizeof(used[0]))

/* Returns true if a tenth or less is left. */
static bool
is_near(struct stet_call *call, enum stet_token_limit what)
{
	int most = stet_token_limit(call, what);

	return most > 0 && stet_token_left(call, what) * 10 <= most;
}

bool
limits_near(struct stet_call *call)
{
	for (size_t i = 0; i < USED; i++)
		if (is_near(call, used[i].what))
			return true;
	return false;
}

void
limits_put(struct stet_call *call, struct stet_json *out)
{
	if (!limits_near(call))
		return;
	stet_object(out, "limits");
	for (size_t i = 0; i < USED; i++) {
		if (!is_near(call, used[i].what))
			continue;
		stet_object(out, used[i].name);
		stet_put_int(out, "most", stet_token_limit(call, used[i].what));
		stet_put_int(out, "left", stet_token_left(call, used[i].what));
		stet_close(out);
	}
	stet_close(out);
}
