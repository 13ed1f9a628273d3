/*
 * cards.c - texts of Ghost's editors, Lexical and Mobiledoc, with their cards: any JSON is refused,
 * or becomes HTML in UTF-8, the same each time, which is read as blocks without a loss that is not
 * told; what cards do not become has its words.
 * fuzz: with modules/import/sources/lexical.c
 * fuzz: with modules/import/sources/mobiledoc.c
 * fuzz: with modules/import/sources/cards.c
 * fuzz: with modules/import/sources/markup.c
 * fuzz: with modules/import/sources/dialect.c
 * fuzz: with modules/import/sources/dialect_code.c
 * fuzz: with modules/import/sources/dialect_line.c
 * fuzz: with modules/import/sources/dialect_put.c
 * fuzz: with modules/import/sources/dialect_site.c
 * fuzz: with modules/import/read/text.c
 * fuzz: with modules/import/read/php.c
 * fuzz: with modules/html
 */
#include "../../modules/import/sources/lexical.h"
#include "call/call.h"
#include "call/site.h"
#include "fuzz.h"
#include "module/module.h"
#include "text.h"
#include <stet/content.h>
#include <stet/portabletext.h>
#include <string.h>

extern const struct stet_module html_LTX_stet_module;

/* In place of the module content: a card of Markdown is one paragraph. */
static json_t *
one_block(struct stet_call *call, const char *path, const char *markdown, json_t *lost)
{
	(void)path;
	(void)lost;
	return stet_json_own(
	    call, json_pack("[{ss ss s[{ss ss s[]}] s[]}]", "_type", "block", "style", "normal",
		      "children", "_type", "span", "text", markdown, "marks", "markDefs"));
}

static void
hold(struct stet_call *call,
    const char *(*read)(struct stet_call *, const char *, json_t *, json_t *), const char *text)
{
	const struct stet_html_1 *html = stet_service(call, STET_HTML_1);
	json_t *left = json_object(), *lost = json_array(), *blocks, *one, *again;
	const char *out = read(call, text, left, lost), *same;
	size_t i;

	json_array_foreach(lost, i, one) must(json_string_length(json_object_get(one, "what")) > 0);
	if (out != NULL) {
		must(stet_utf8_length(out) >= 0);
		again = json_array();
		same = read(call, text, left, again);
		must(same != NULL && strcmp(same, out) == 0);
		must(json_array_size(again) == json_array_size(lost));
		json_decref(again);
		again = NULL;
		blocks = html->read(out, strlen(out), &again);
		must(json_is_array(blocks));
		json_decref(blocks);
		json_decref(again);
	}
	json_decref(left);
	json_decref(lost);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct stet_content_1 content = { .blocks_foreign = one_block };
	static const struct loaded owner = { .bundled = true };
	struct service services[] = { { STET_CONTENT_1, &content, &owner },
		{ STET_HTML_1, NULL, &owner } };
	struct generation gen = { .service = services, .service_count = 2 };
	struct stet_call *call;
	char *text;

	if (size > 16384 || !is_text((const char *)data, size))
		return 0;
	services[1].functions =
	    ((const struct stet_service_def *)html_LTX_stet_module.services.row)->functions;
	call = call_new();
	call->gen = &gen;
	text = strndup((const char *)data, size);
	hold(call, lexical_html, text);
	hold(call, mobiledoc_html, text);
	free(text);
	call->gen = NULL;
	call_free(call);
	return 0;
}
