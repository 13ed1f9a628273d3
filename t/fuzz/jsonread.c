/* jsonread.c - the fast JSON reader returns what Jansson returns, and finds the members of
 * objects. */
#include "call/jsonread.h"
#include "fuzz.h"
#include <stet/call.h>
#include <string.h>

#define MEMBERS 8

/* Splits a text. `whole`: the parsed text, or NULL if it is not valid JSON. The result must be
 * right for valid JSON. */
static void
split(const char *text, size_t size, const json_t *whole)
{
	struct stet_json_member m[MEMBERS];
	int n = stet_json_split(text, size, m, MEMBERS);

	if (whole == NULL)
		return;
	must(n == -1 || (json_is_object(whole) && n == (int)json_object_size(whole)));
	for (int i = 0; i < n; i++) {
		json_t *v = json_loadb(m[i].value, m[i].value_len, JSON_DECODE_ANY, NULL);
		char *name = strndup(m[i].name, m[i].name_len);

		must(v != NULL && json_equal(v, json_object_get(whole, name)));
		json_decref(v);
		free(name);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	json_t *ours = json_read(text, size, 100), *theirs;
	char *a, *b;

	split(text, size, ours);
	if (ours == NULL)
		return 0;
	theirs = json_loadb(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
	must(theirs != NULL);
	must(json_equal(ours, theirs));
	/* compares the order of members, and the bits of numbers */
	a = json_dumps(ours, JSON_ENCODE_ANY);
	b = json_dumps(theirs, JSON_ENCODE_ANY);
	must((a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0));
	free(a);
	free(b);
	json_decref(ours);
	json_decref(theirs);
	return 0;
}
