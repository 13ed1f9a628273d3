/* invoke.c - runs an op, with its result as JSON. */
#include <stet/json.h>
#include <stet/module.h>

enum stet_status
stet_invoke_json(struct stet_call *call, const char *op, json_t *args, json_t **out)
{
	const char *text;
	size_t len;

	*out = NULL;
	STET_TRY(stet_invoke(call, op, stet_json_own(call, args), &text, &len));
	*out = stet_json_stored(call, text, len);
	return STET_OK;
}

enum stet_status
stet_invoke_found(struct stet_call *call, const char *op, json_t *args, json_t **out)
{
	enum stet_status status = stet_invoke_json(call, op, args, out);

	if (status == STET_OK || stet_status_http(status) != 404)
		return status;
	stet_error_clear(call);
	*out = NULL;
	return STET_OK;
}

enum stet_status
stet_invoke_unread(struct stet_call *call, const char *op, json_t *args)
{
	const size_t most = (size_t)32 << 20;
	const char *text;
	size_t len;

	return stet_invoke_alone(call, op, stet_json_own(call, args), most, &text, &len);
}
