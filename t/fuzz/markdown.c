/*
 * markdown.c - Portable Text and Markdown: blocks written as Markdown are read as the same blocks,
 * with the stored blocks byte for byte, without them except for keys. Any text is read or refused,
 * and writing and reading the result again changes nothing.
 * fuzz: with modules/content/markdown
 * fuzz: with t/module/lib/blocks.c
 */
#include "markdown/markdown.h"
#include "blocks.h"
#include "call/call.h"
#include "fuzz.h"
#include <string.h>

static void
hold_blocks(struct stet_call *call, const json_t *blocks)
{
	const char *text = markdown_write(call, blocks);
	const json_t *back = markdown_read(call, "p", text, blocks);
	bool whole, same;
	json_t *plain = stet_json_own(call, blocks_plain(blocks, &whole)), *again;

	must(back != NULL && json_equal((json_t *)(uintptr_t)back, (json_t *)(uintptr_t)blocks));
	back = markdown_read(call, "p", text, NULL);
	must(back != NULL);
	again = stet_json_own(call, blocks_plain(back, &same));
	must(!whole || json_equal(plain, again));
}

static void
hold_text(struct stet_call *call, const char *text)
{
	const json_t *blocks = markdown_read(call, "p", text, NULL), *again;

	if (blocks == NULL) {
		must(stet_issues(call) == STET_VALIDATION_ERROR);
		return;
	}
	text = markdown_write(call, blocks);
	again = markdown_read(call, "p", text, blocks);
	must(again != NULL && json_equal((json_t *)(uintptr_t)again, (json_t *)(uintptr_t)blocks));
	again = markdown_read(call, "p", text, NULL);
	must(again != NULL && strcmp(markdown_write(call, again), text) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	struct bytes bytes = { data + 1, data + size };

	if (size > 0 && *data % 2 == 0)
		hold_blocks(call, stet_json_own(call, blocks_make(&bytes)));
	else if (size > 0)
		hold_text(call, stet_strndup(call, (const char *)data + 1, size - 1));
	call_free(call);
	return 0;
}
