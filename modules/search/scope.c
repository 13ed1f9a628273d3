/* scope.c - the collections that a search covers. */
#include "search.h"
#include <string.h>

const json_t *
scope_list(struct stet_call *call, const char *text)
{
	json_t *out = stet_json_own(call, json_array());

	while (text != NULL && *text != '\0') {
		size_t n;

		text += strspn(text, ", ");
		n = strcspn(text, ", ");
		if (n > 0)
			json_array_append_new(out, json_stringn(text, n));
		text += n;
	}
	return json_array_size(out) > 0 ? out : NULL;
}

bool
scope_shows(struct stet_call *call, const struct stet_collection *c)
{
	const struct stet_principal *p = stet_principal(call);
	const char *setting = stet_public_search(call);

	/* The operations are public, so tokens without the scope content:read get here, too. */
	if (c->public_read ||
	    (p != NULL && stet_scope_allows(p->scopes, "content:read") && stet_may_read(call, c)))
		return true;
	if (setting == NULL)
		setting = stet_setting_str(call, "publicSearch");
	return setting != NULL && strcmp(setting, "all") == 0;
}
