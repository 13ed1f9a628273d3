/*
 * tool.c - the audit log for assistants: the records of audit_list, unless they are asked for
 * without addresses of people and machines, and without what only proves the chain.
 */
#include "audit.h"

const struct stet_member tool_in[] = {
	{ "actor", STET_STRING, .about = "Id of the user", STET_RANGE(1, 64) },
	{ "op", STET_STRING, .about = "Name of the operation", STET_RANGE(1, 128) },
	{ "subject", STET_STRING, .about = "Id or name of what was changed", STET_RANGE(1, 200) },
	{ "since", STET_TIME, .about = "From this time on" },
	{ "until", STET_STRING, .about = "Time, or day" },
	{ "details", STET_BOOLEAN, .about = "With addresses and hashes" },
	{ "limit", STET_INTEGER, STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
const struct stet_member tool_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about = "Like those of audit_list" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

static const char *const left_out[] = { "actorEmail", "client", "hash", "requestId", "module" };

static json_t *
arguments_of(struct stet_call *call)
{
	static const char *const texts[] = { "actor", "op", "subject", "since", "until", "cursor" };
	json_t *args = json_object();

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (stet_has(call, texts[i]))
			(void)json_object_set_new(
			    args, texts[i], json_string(stet_arg(call, texts[i])));
	(void)json_object_set_new(args, "limit", json_integer(stet_arg_int(call, "limit")));
	return args;
}

enum stet_status
audit_log(struct stet_call *call)
{
	const bool details = stet_arg_bool(call, "details");
	json_t *answer, *record;
	size_t i;

	STET_TRY(stet_invoke_json(call, "audit_list", arguments_of(call), &answer));
	json_array_foreach(json_object_get(answer, "items"), i, record)
	{
		for (size_t k = 0; !details && k < sizeof(left_out) / sizeof(left_out[0]); k++)
			(void)json_object_del(record, left_out[k]);
	}
	stet_put_json(stet_reply(call), NULL, answer);
	return STET_OK;
}
