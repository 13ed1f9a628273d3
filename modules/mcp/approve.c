/*
 * approve.c - the argument `approval` of tools that write. A token that may write drafts only is
 * refused what changes the public (PUBLISH_NEEDS_APPROVAL). With approval: "why" the call becomes a
 * request to a person instead, and with the id of that request it answers what came of it.
 *
 * No schema lists the argument: the refusal names it, so it costs nothing where it is not needed.
 * The answer is an error in the protocol, since the tool has not done its work: hosts compare other
 * results with the tool's schema.
 */
#include "mcp.h"
#include <string.h>

#define APPROVAL "approval"
#define ASK "approval_ask"
#define GET "approval_get"

bool
approve_offered(struct stet_call *call, const struct stet_op_info *tool)
{
	for (const struct stet_member *m = tool->op->in; m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, APPROVAL) == 0)
			return false; /* the operation has its own argument of this name */
	return tool->bundled && tool->op->lane != STET_READ && tool_op(call, ASK) != NULL;
}

bool
approve_asked(struct stet_call *call, const struct stet_op_info *tool, const json_t *args)
{
	return json_object_get(args, APPROVAL) != NULL && approve_offered(call, tool);
}

enum stet_status
approve_take(
    struct stet_call *call, const struct stet_op_info *tool, const json_t **args, const char **why)
{
	const json_t *given = json_object_get(*args, APPROVAL);
	json_t *rest;

	*why = NULL;
	if (given == NULL || !approve_offered(call, tool))
		return STET_OK;
	if (!json_is_string(given) || *json_string_value(given) == '\0')
		stet_issue(call, APPROVAL,
		    "must be a text: why it is to be done, or the id of a request for approval");
	else
		*why = json_string_value(given);
	rest = stet_json_own(call, json_copy((json_t *)(uintptr_t)*args));
	json_object_del(rest, APPROVAL);
	*args = rest;
	return stet_issues(call);
}

static const char *
text_member(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* Describes the state of a request in a sentence. */
static const char *
text_of(struct stet_call *call, const json_t *approval)
{
	const char *state = text_member(approval, "state"), *id = text_member(approval, "id");
	const char *who = text_member(approval, "decidedByName");
	const char *answer = text_member(approval, "answer");

	if (who == NULL)
		who = "somebody";
	if (strcmp(state, "open") == 0)
		return stet_printf(call,
		    "[APPROVAL_WAITING] Not done yet: a person has to allow it in the admin pages, by "
		    "%s%s. The same call with " APPROVAL
		    ": \"%s\" answers what came of it; ask when "
		    "you are told to, or after a while",
		    text_member(approval, "endsAt"),
		    json_is_true(json_object_get(approval, "stale"))
			? "; but the item has changed since, so it can only be refused"
			: "",
		    id);
	if (strcmp(state, "allowed") == 0)
		return stet_printf(call, "[APPROVAL_ALLOWED] Done: %s has allowed it%s%s", who,
		    answer != NULL ? ", and says: " : "", answer != NULL ? answer : "");
	if (strcmp(state, "refused") == 0)
		return stet_printf(call, "[APPROVAL_REFUSED] Not done: %s has refused it%s%s", who,
		    answer != NULL ? ", and says: " : "", answer != NULL ? answer : "");
	if (strcmp(state, "expired") == 0)
		return "[APPROVAL_EXPIRED] Not done: nobody has decided in time";
	return "[APPROVAL_WITHDRAWN] Not done: the request was withdrawn, or what it was about has "
	       "ended";
}

enum stet_status
approve_run(struct stet_call *call, const char *tool, const json_t *args, const char *why,
    const char **text, const json_t **approval)
{
	json_t *asked = stet_is_id(why) ? json_pack("{ss}", "id", why)
					: json_pack("{ss ss sO?}", "op", tool, "message", why,
					      "arguments", (json_t *)(uintptr_t)args);
	json_t *answer;

	STET_TRY(stet_invoke_json(call, stet_is_id(why) ? GET : ASK, asked, &answer));
	*approval = json_object_get(answer, "approval");
	*text = text_of(call, *approval);
	return STET_OK;
}

const char *
approve_hint(struct stet_call *call, const struct stet_op_info *tool, enum stet_status status)
{
	if (status != STET_PUBLISH_NEEDS_APPROVAL || tool == NULL || !approve_offered(call, tool))
		return "";
	return ". To ask for it, make the same call with the argument " APPROVAL
	       ", a text that says why";
}
