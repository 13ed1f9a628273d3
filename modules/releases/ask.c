/* ask.c - runs ops of other modules: a release allows nothing that a request would not. */
#include "releases.h"
#include <stdint.h>
#include <string.h>

const char *const kind_names[KINDS + 1] = {
	[ITEM] = "item", [TERM] = "term", [MENU] = "menu", [SETTINGS] = "settings"
};

#define ANSWER_MAX ((size_t)32 << 20) /* bytes of what an op answers; it is not read */

const char *
caller(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	return p != NULL && *p->id != '\0' ? p->id : NULL;
}

enum stet_status
ask(struct stet_call *call, const char *op, json_t *args)
{
	const char *answer;
	size_t len;

	return stet_invoke_alone(call, op, stet_json_own(call, args), ANSWER_MAX, &answer, &len);
}

enum stet_status
ask_for(struct stet_call *call, const char *op, json_t *args, json_t **out)
{
	enum stet_status status = stet_invoke_json(call, op, args, out);

	if (status == STET_OK || stet_status_http(status) != 404)
		return status;
	stet_error_clear(call);
	*out = NULL;
	return STET_OK;
}

const char *
text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

json_t *
again(const json_t *value)
{
	return json_incref((json_t *)(uintptr_t)value);
}
