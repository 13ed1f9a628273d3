/*
 * include.c - the argument include: kinds and their arguments are parsed within the limits, and
 * parsing the written form gives the same result.
 * fuzz: with modules/content/read/grammar.c
 */
#include "read/include.h"
#include "call/call.h"
#include "fuzz.h"
#include <string.h>

#define FIELDS 8

static void
check_fields(struct stet_call *call, const char *args)
{
	struct include_field list[FIELDS], again[FIELDS];
	int n = grammar_fields(call, args, list, FIELDS);
	char *said = stet_strdup(call, "");

	must(n == -1 || (n > 0 && n <= FIELDS));
	for (int i = 0; i < n; i++) {
		must(list[i].depth >= 1 && list[i].depth <= REFER_DEPTH);
		must(*list[i].slug != '\0' && strpbrk(list[i].slug, " ,:()") == NULL);
		said = stet_printf(
		    call, "%s%s%s:%d", said, i > 0 ? "," : "", list[i].slug, list[i].depth);
	}
	if (n < 0)
		return;
	must(grammar_fields(call, said, again, FIELDS) == n);
	for (int i = 0; i < n; i++)
		must(strcmp(list[i].slug, again[i].slug) == 0 && list[i].depth == again[i].depth);
}

static void
check_words(struct stet_call *call, const struct include_word *word, int n)
{
	struct include_word again[INCLUDE_KINDS_MAX];
	char *said = stet_strdup(call, "");
	size_t at;

	for (int i = 0; i < n; i++) {
		must(*word[i].name != '\0' && strpbrk(word[i].name, " ,:()*") == NULL);
		if (word[i].args != NULL)
			check_fields(call, word[i].args);
		said = word[i].args == NULL
			   ? stet_printf(call, "%s%s%s", said, i > 0 ? "," : "", word[i].name)
			   : stet_printf(call, "%s%s%s(%s)", said, i > 0 ? "," : "", word[i].name,
				 word[i].args);
	}
	must(grammar_read(call, said, again, &at) == n);
	for (int i = 0; i < n; i++)
		must(strcmp(word[i].name, again[i].name) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	const char *text = stet_strndup(call, (const char *)data, size);
	struct include_word word[INCLUDE_KINDS_MAX];
	size_t at = 0;
	int n = grammar_read(call, text, word, &at);

	must(n == -1 || (n > 0 && n <= INCLUDE_KINDS_MAX));
	must(at <= strlen(text));
	if (n > 0)
		check_words(call, word, n);
	call_free(call);
	return 0;
}
