/*
 * limits.c - limits of a token (stet/limit.h) on calls of tools: writes an hour and deletions a
 * day. The core counts them. A refusal is the result of the tool, with the time when
 * the next call is possible: the model reads it, while an error of HTTP ends at its host.
 */
#include "mcp.h"
#include <stet/limit.h>
#include <string.h>

enum stet_status
limits_take(struct stet_call *call, const struct stet_op_info *tool, const json_t *args, bool dry)
{
	stet_token_tries(call, dry);
	return stet_token_call(call, tool, stet_op_lane(call, tool, args), args);
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
