/*
 * label.c - slugs of labels: any text in UTF-8 gets a name that a field can have, and URL slugs of
 * at most 1,024 bytes without blanks and signs of ASCII; the same ones each time.
 *
 * fuzz: with modules/import/read/label.c
 *
 * fuzz: with modules/import/read/text.c
 *
 * fuzz: with modules/import/read/php.c
 */
#include "../../modules/import/read/label.h"
#include "call/call.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	const char *text = stet_strndup(call, (const char *)data, size), *name, *slug, *ascii;

	if (stet_utf8_length(text) >= 0) {
		name = label_name(call, text);
		slug = label_slug(call, text);
		ascii = label_ascii_slug(call, text);
		must(stet_is_name(name) && strcmp(name, label_name(call, text)) == 0);
		must(stet_utf8_length(slug) >= 0 && strlen(slug) <= 1024);
		must(strpbrk(slug, " \t\n_/?#\\<>+.%&") == NULL);
		must(strcmp(slug, label_slug(call, text)) == 0);
		must(ascii[strspn(ascii, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0');
	}
	call_free(call);
	return 0;
}
