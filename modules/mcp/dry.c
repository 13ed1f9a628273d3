/*
 * dry.c - dry runs of tools that write (argument dry_run). The op runs as usual, and its result
 * is kept. Then the call fails with a special error, so that everything it wrote is rolled back,
 * and the kept result is sent.
 */
#include "mcp.h"
#include <string.h>

#define DRY_RUN "dry_run"
#define TRIED "tried, not done"

const struct stet_member dry_member = { DRY_RUN, STET_BOOLEAN,
	.about = "Answer what would happen; write nothing" };

bool
dry_offered(const struct stet_op_info *tool)
{
	for (const struct stet_member *m = tool->op->in; m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, DRY_RUN) == 0)
			return false; /* the operation has its own argument of this name */
	return tool->bundled && tool->op->lane == STET_WRITE;
}

enum stet_status
dry_take(struct stet_call *call, const struct stet_op_info *tool, const json_t **args, bool *dry)
{
	const json_t *asked = json_object_get(*args, DRY_RUN);
	json_t *rest;

	*dry = false;
	if (asked == NULL || !dry_offered(tool))
		return STET_OK;
	if (!json_is_boolean(asked))
		stet_issue(call, DRY_RUN, "must be a boolean");
	*dry = json_is_true(asked);
	rest = stet_json_own(call, json_copy((json_t *)(uintptr_t)*args));
	json_object_del(rest, DRY_RUN);
	*args = rest;
	return stet_issues(call);
}

enum stet_status
dry_end(struct stet_call *call, struct exchange *x, const char *json)
{
	static const char said[] = "{\"dryRun\":true";

	if (*json == '{')
		x->dry = stet_printf(call, "%s%s%s", said, json[1] == '}' ? "" : ",", json + 1);
	else
		x->dry = stet_printf(call, "%s,\"items\":%s}", said, json);
	return stet_fail(call, STET_DECLINED, NULL, TRIED);
}

bool
dry_ended(struct stet_call *call, const struct exchange *x)
{
	return x->dry != NULL && strstr(stet_error_text(call), TRIED) != NULL;
}
