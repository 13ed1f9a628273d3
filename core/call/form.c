/* form.c - the bodies of HTML forms. */
#include "call/call.h"
#include "http/percent.h"
#include <stet/form.h>
#include <string.h>

/* Decodes one field, "name=value" or "name". Returns false if it cannot be decoded. */
static bool
read_field(char *text, size_t len, struct stet_form_field *out)
{
	char *equals = memchr(text, '=', len);
	size_t name_len = equals != NULL ? (size_t)(equals - text) : len;

	out->name = text;
	out->value = equals != NULL ? equals + 1 : text + len;
	return percent_decode(text, name_len, true) &&
	       (equals == NULL || percent_decode(equals + 1, len - name_len - 1, true));
}

static enum stet_status
refuse(struct stet_call *call, const char *why)
{
	return stet_fail(call, STET_VALIDATION_ERROR, NULL, "The form %s", why);
}

enum stet_status
stet_form(struct stet_call *call, const char *bytes, size_t len,
    const struct stet_form_field *const **fields, size_t *count)
{
	char *text = len > 0 ? stet_alloc(call, len + 1) : NULL, *end;
	const struct stet_form_field **list;
	size_t most = 1;

	for (size_t i = 0; i < len; i++)
		most += bytes[i] == '&';
	if (most > STET_FORM_MAX)
		return refuse(call, "has too many fields");
	list = stet_alloc(call, most * sizeof(struct stet_form_field *));
	*fields = list;
	*count = 0;
	if (len > 0)
		memcpy(text, bytes, len);
	for (size_t at = 0; at < len; at += (size_t)(end - (text + at)) + 1) {
		struct stet_form_field *f;

		end = memchr(text + at, '&', len - at);
		if (end == NULL)
			end = text + len;
		if (end == text + at)
			continue;
		f = stet_alloc(call, sizeof(*f));
		if (!read_field(text + at, (size_t)(end - (text + at)), f))
			return refuse(call, "cannot be decoded");
		list[(*count)++] = f;
	}
	return STET_OK;
}

size_t
stet_form_value(
    const struct stet_form_field *const *fields, size_t count, const char *name, const char **value)
{
	size_t found = 0;

	*value = NULL;
	for (size_t i = 0; i < count; i++)
		if (strcmp(fields[i]->name, name) == 0 && found++ == 0)
			*value = fields[i]->value;
	return found;
}
