/*
 * range.c - a header Range of a file of some size (the first eight bytes): an accepted part lies
 * within the file. Any text of a condition or a date is handled.
 */
#include "http/range.h"
#include "fuzz.h"
#include "http/condition.h"
#include "http/http1.h"
#include "http/httpdate.h"
#include <string.h>

static void
judge(char *text)
{
	static const char *const names[] = { "if-match", "if-none-match", "if-modified-since",
		"if-unmodified-since", "if-range" };
	const struct condition_of it = { "tag", 1700000000 };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct http1_head head = { .method = HTTP_GET, .header_count = 1 };

		head.header[0].name = (char *)(uintptr_t)names[i];
		head.header[0].value = text;
		must(condition_judge(&head, &it) <= CONDITION_FAILED);
		/* If-Range without Range has no effect. */
		must(i < 4 || condition_judge(&head, &it) == CONDITION_NONE);
		(void)condition_range(&head, &it, 1800000000);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t of, first = 0, last = 0;
	int64_t at;
	char *text, again[HTTPDATE_SIZE];

	if (size < sizeof(of))
		return 0;
	memcpy(&of, data, sizeof(of));
	size -= sizeof(of);
	text = malloc(size + 1);
	must(text != NULL);
	memcpy(text, data + sizeof(of), size);
	text[size] = '\0';
	if (range_read(text, of, &first, &last) == RANGE_PART)
		must(first <= last && last < of);
	if (httpdate_parse(text, &at) && at >= 0 && at < 253402300800) {
		int64_t same;

		httpdate_text(at, again);
		must(httpdate_parse(again, &same) && same == at);
	}
	judge(text);
	free(text);
	return 0;
}
