/* ops.c - ops of other modules, run inside the call of an import. */
#include "state/ops.h"
#include <stdlib.h>
#include <string.h>

enum stet_status
op_changed(struct stet_call *call, const char *op, json_t *args, const char **changed)
{
	json_t *reply;
	enum stet_status status = stet_invoke_json(call, op, args, &reply);

	*changed = NULL;
	if (status == STET_OK) {
		*changed =
		    stet_strdup(call, json_string_value(json_object_get(reply, "updatedAt")));
		return STET_OK;
	}
	if (stet_error_status(call) != STET_NOT_FOUND)
		return status;
	stet_error_clear(call);
	return STET_OK;
}

char *
json_dumps_own(struct stet_call *call, json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT), *out = stet_strdup(call, text);

	free(text);
	json_decref(value);
	return out;
}
