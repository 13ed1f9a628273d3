/*
 * terms - the argument `terms` of a list: it is refused, or parsed within the limits. The parts and
 * names of the result, written again, are the text.
 * fuzz: with modules/taxonomies
 */
#include "call/call.h"
#include "fuzz.h"
#include "taxonomies.h"
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	const char *text = stet_strndup(call, (const char *)data, size);
	struct term_name name[FILTER_NAMES_MAX];
	size_t names = 0, len = strlen(text), said = 0;

	if (filter_parse(call, text, name, &names)) {
		must(names > 0 && names <= FILTER_NAMES_MAX);
		for (size_t i = 0; i < names; i++) {
			must(stet_is_name(name[i].taxonomy) && name[i].part < FILTER_PARTS_MAX);
			must(*name[i].slug != '\0' && strpbrk(name[i].slug, ",;") == NULL);
			must(strstr(text, name[i].slug) != NULL);
			must(i == 0 || name[i].part >= name[i - 1].part);
			said += strlen(name[i].slug) + name[i].exclude + 2U * name[i].below;
		}
		said += names - 1;
		for (size_t i = 0; i < names; i++)
			if (i == 0 || name[i].part != name[i - 1].part)
				said += strlen(name[i].taxonomy) + 1;
		must(said == len);
	}
	call_free(call);
	return 0;
}
