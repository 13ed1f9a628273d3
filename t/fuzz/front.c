/*
 * front - front matter of documents: any input is read, or refused with a reason. The result,
 * written as JSON front matter, is read as the same values, with the same text after it.
 * fuzz: with modules/import/plan/kind.c
 * fuzz: with modules/import/sources/front.c
 * fuzz: with modules/import/sources/toml.c
 */
#include "../../modules/import/sources/sources.h"
#include "call/call.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	char *text = malloc(size + 1), *json, *again;
	const json_t *front, *same;
	const char *body, *why, *behind;
	size_t len;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	len = strlen(text);
	front_read(call, text, len, &front, &body, &why);
	must(json_is_object(front) && body >= text && body <= text + len);
	must(why == NULL || *why != '\0');
	json = json_dumps(front, JSON_COMPACT);
	must(json != NULL);
	if (why == NULL && json_object_size(front) > 0 && strlen(json) < (200u << 10)) {
		must(asprintf(&again, "%s%s", json, body) >= 0);
		front_read(call, again, strlen(again), &same, &behind, &why);
		must(why == NULL && json_equal((json_t *)(uintptr_t)front, same));
		must(strcmp(behind, body) == 0);
		free(again);
	}
	free(json);
	free(text);
	call_free(call);
	return 0;
}
