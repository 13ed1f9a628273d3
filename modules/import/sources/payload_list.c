/* payload_list.c - lists of references as Payload's plugin import-export writes them. */
#include "read/text.h"
#include "sources/payload.h"
#include <string.h>

const json_t *
payload_list(struct stet_call *call, const json_t *object, const char *name)
{
	json_t *list = stet_json_own(call, json_array()), *id;
	const char *of;

	for (size_t i = 0;; i++) {
		id = json_object_get(object, stet_printf(call, "%s_%zu_id", name, i));
		of = text_in(object, stet_printf(call, "%s_%zu_relationTo", name, i));
		if (id == NULL)
			break;
		(void)json_array_append_new(
		    list, *of != '\0' ? json_pack("{ss sO}", "relationTo", of, "value", id)
				      : json_incref(id));
	}
	if (json_array_size(list) > 0)
		return list;
	id = json_object_get(object, stet_printf(call, "%s_id", name));
	of = text_in(object, stet_printf(call, "%s_relationTo", name));
	return id != NULL && *of != '\0'
		   ? stet_json_own(call, json_pack("{ss sO}", "relationTo", of, "value", id))
		   : NULL;
}

bool
payload_is_folded(struct stet_call *call, const json_t *object, const char *member)
{
	const char *end = strrchr(member, '_'), *from = end, *name;

	if (end == NULL || (strcmp(end, "_id") != 0 && strcmp(end, "_relationTo") != 0))
		return false;
	while (from > member && from[-1] >= '0' && from[-1] <= '9')
		from--;
	if (from < end && from > member && from[-1] == '_')
		end = from - 1;
	name = stet_strndup(call, member, (size_t)(end - member));
	return json_is_null(json_object_get(object, name)) &&
	       payload_list(call, object, name) != NULL;
}
