/*
 * phpserial.c - serialized PHP: any input is parsed or refused; the result is JSON that can be
 * written and parsed to the same value. A text with an additional line break is refused.
 * fuzz: with modules/import/read/php.c
 */
#include "../../modules/import/read/php.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *written;
	json_t *value, *again;

	must(text != NULL);
	memcpy(text, data, size);
	text[size] = '\n';
	value = php_read(text, size);
	must(php_read(text, size + 1) == NULL || value == NULL);
	if (value != NULL) {
		written = json_dumps(value, JSON_ENCODE_ANY);
		must(written != NULL);
		again = json_loads(written, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		must(again != NULL && json_equal(again, value));
		json_decref(again);
		free(written);
	}
	json_decref(value);
	free(text);
	return 0;
}
