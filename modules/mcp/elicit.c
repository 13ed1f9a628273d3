/*
 * elicit.c - questions to the person at the client, in the middle of a tools/call. From 2026-07-28
 * on a server answers `input_required` with a form; the client shows it, and calls again with what
 * the person said. Two things are asked: what a request for an approval is to say, and whether so
 * much is to be deleted.
 *
 * The client gives the answer, so it proves nothing: it only adds to what a call needs. An approval
 * is still given in the admin pages, and a confirmed deletion has all its other checks. Earlier
 * revisions declare what a client can in a session, which this server does not have, so there
 * nothing is asked; neither is it if the client does not declare that it shows forms.
 */
#include "mcp.h"
#include <sodium.h>
#include <stdlib.h>
#include <stet/limit.h>
#include <string.h>

#define APPROVAL "approval" /* names of questions; the first is also an argument of tools */
#define CONFIRM "confirm"
#define WHY "why" /* member of the form of an approval */
#define STATE "requestState"
#define ASKED "asked, not done"

/* Returns true if the client shows forms to its user. A bare `elicitation` means forms. */
static bool
shows_forms(const struct exchange *x, const struct message *m)
{
	const json_t *can =
	    json_object_get(json_object_get(m->params, "_meta"), META "clientCapabilities");
	const json_t *elicits = json_object_get(can, "elicitation");

	return x->era.modern && json_is_object(elicits) &&
	       (json_object_size(elicits) == 0 || json_object_get(elicits, "form") != NULL);
}

/* A digest of the caller and the call, without the answers: an answer belongs to one call. */
static const char *
state_of(struct stet_call *call, const struct message *m)
{
	const struct stet_principal *who = stet_principal(call);
	unsigned char sum[16];
	char *hex = stet_alloc(call, 2 * sizeof(sum) + 1), *text;
	json_t *what = stet_json_own(call,
	    json_pack("{ss* ss* sO* sO*}", "user", who != NULL ? who->id : NULL, "token",
		who != NULL ? who->token_id : NULL, "name", json_object_get(m->params, "name"),
		"arguments", json_object_get(m->params, "arguments")));

	text = json_dumps(what, JSON_COMPACT | JSON_SORT_KEYS);
	if (text == NULL)
		stet_out_of_memory();
	crypto_generichash(sum, sizeof(sum), (const unsigned char *)text, strlen(text), NULL, 0);
	free(text);
	return sodium_bin2hex(hex, 2 * sizeof(sum) + 1, sum, sizeof(sum));
}

/* Returns the answer to a question about this call: {action, content}; NULL: there is none. */
static const json_t *
answer_to(
    struct stet_call *call, const struct exchange *x, const struct message *m, const char *name)
{
	const json_t *answers = json_object_get(m->params, "inputResponses"),
		     *answer = json_object_get(answers, name);
	const char *state = json_string_value(json_object_get(m->params, STATE));

	if (!x->era.modern || !json_is_object(answer) || state == NULL ||
	    strcmp(state, state_of(call, m)) != 0)
		return NULL;
	return answer;
}

static bool
is_accepted(const json_t *answer)
{
	const char *action = json_string_value(json_object_get(answer, "action"));

	return action != NULL && strcmp(action, "accept") == 0;
}

/* ---- approvals ---- */

const json_t *
elicit_arguments(struct stet_call *call, const struct exchange *x, const struct message *m,
    const struct stet_op_info *tool, const json_t *args)
{
	const json_t *answer = answer_to(call, x, m, APPROVAL);
	json_t *why = json_object_get(json_object_get(answer, "content"), WHY), *more;

	if (!is_accepted(answer) || json_string_length(why) == 0 || !approve_offered(call, tool) ||
	    json_object_get(args, APPROVAL) != NULL)
		return args;
	more = args != NULL ? json_copy((json_t *)(uintptr_t)args) : json_object();
	(void)json_object_set(more, APPROVAL, why);
	return stet_json_own(call, more);
}

/* ---- deletions ---- */

/* The sum of the numbers in `removes` of an answer, and of the answers in that of a batch. */
static json_int_t
removed(const json_t *answer)
{
	json_int_t sum = 0;
	json_t *value;
	const char *name;
	size_t i;

	json_object_foreach(json_object_get(answer, "removes"), name, value) sum +=
	    json_integer_value(value);
	json_array_foreach(json_object_get(answer, "results"), i, value) sum +=
	    removed(json_object_get(value, "data"));
	return sum;
}

/* Returns true if the tool may be asked about once it has run: it deletes, and its writes can be
 * rolled back. */
static bool
is_asked_about(struct stet_call *call, const struct exchange *x, const struct message *m)
{
	return stet_token_limit(call, STET_LIMIT_DELETIONS) > 0 &&
	       (x->tool->op->flags & STET_DESTRUCTIVE) != 0 && dry_offered(x->tool) &&
	       shows_forms(x, m);
}

bool
elicit_counts_late(struct stet_call *call, const struct exchange *x, const struct message *m)
{
	return is_asked_about(call, x, m) && (x->tool->op->flags & STET_BATCH) == 0;
}

enum stet_status
elicit_check(struct stet_call *call, struct exchange *x, const struct message *m, const char *json,
    size_t len)
{
	const int most = stet_token_limit(call, STET_LIMIT_DELETIONS);
	const json_t *answer;
	const char *why;
	json_int_t many;

	if (!is_asked_about(call, x, m) || strstr(json, "\"removes\"") == NULL)
		return STET_OK;
	many = removed(stet_json_parse(call, json, len, &why));
	if (many <= most)
		return STET_OK;
	answer = answer_to(call, x, m, CONFIRM);
	if (answer == NULL) {
		x->removes = many;
		return stet_fail(call, STET_DECLINED, NULL, ASKED);
	}
	if (is_accepted(answer) &&
	    json_is_true(json_object_get(json_object_get(answer, "content"), CONFIRM)))
		return STET_OK;
	return stet_fail(call, STET_CONFLICT, NULL,
	    "Nothing was deleted: the user has not confirmed that %lld things are to go",
	    (long long)many);
}

/* ---- questions ---- */

/* A question as its form has it: a text, and one member. */
struct question {
	const char *name, *text, *member, *type, *title;
};

static void
put_question(
    struct stet_call *call, struct exchange *x, const struct message *m, const struct question *q)
{
	struct stet_json *out = reply_open(call, x, m->id);

	stet_object(out, "result");
	stet_put_str(out, "resultType", "input_required");
	stet_object(out, "inputRequests");
	stet_object(out, q->name);
	stet_put_str(out, "method", "elicitation/create");
	stet_object(out, "params");
	stet_put_str(out, "mode", "form");
	stet_put_str(out, "message", q->text);
	stet_put_json(out, "requestedSchema",
	    stet_json_own(
		call, json_pack("{ss s{s{ss ss}} s[s]}", "type", "object", "properties", q->member,
			  "type", q->type, "title", q->title, "required", q->member)));
	stet_close(out);
	stet_close(out);
	stet_close(out);
	stet_put_str(out, STATE, state_of(call, m));
	stet_object(out, "_meta");
	reply_server(out, META "serverInfo");
	stet_close(out);
	stet_close(out);
	reply_close(out);
}

bool
elicit_put(
    struct stet_call *call, struct exchange *x, const struct message *m, enum stet_status status)
{
	if (x->tool == NULL || m->method == NULL || !shows_forms(x, m))
		return false;
	if (x->removes > 0 && strstr(stet_error_text(call), ASKED) != NULL) {
		put_question(call, x, m,
		    &(struct question){ CONFIRM,
			stet_printf(call,
			    "%s deletes %lld things, for good; this program may make %d deletions a "
			    "day. Is that meant?",
			    x->tool->name, (long long)x->removes,
			    stet_token_limit(call, STET_LIMIT_DELETIONS)),
			CONFIRM, "boolean", "Delete them" });
		return true;
	}
	if (status != STET_PUBLISH_NEEDS_APPROVAL || !approve_offered(call, x->tool) ||
	    answer_to(call, x, m, APPROVAL) != NULL)
		return false;
	put_question(call, x, m,
	    &(struct question){ APPROVAL,
		stet_printf(call,
		    "%s changes what the public sees, which this program may not do alone. To ask "
		    "somebody for it, who decides in the admin pages, say why it is to be done.",
		    x->tool->name),
		WHY, "string", "Why it is to be done" });
	return true;
}
