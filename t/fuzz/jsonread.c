/* jsonread - what the quick reader returns is what Jansson makes of the text. */
#include "call/jsonread.h"
#include "fuzz.h"
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	json_t *ours = json_read(text, size, 100), *theirs;
	char *a, *b;

	if (ours == NULL)
		return 0;
	theirs = json_loadb(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
	must(theirs != NULL);
	must(json_equal(ours, theirs));
	/* the order of members, and the bits of numbers */
	a = json_dumps(ours, JSON_ENCODE_ANY);
	b = json_dumps(theirs, JSON_ENCODE_ANY);
	must((a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0));
	free(a);
	free(b);
	json_decref(ours);
	json_decref(theirs);
	return 0;
}
