/*
 * svg - an upload in SVG: it is refused with a reason, or cleaned. Cleaning the result again
 * changes nothing, and the result has no script, event, foreign address or declaration.
 *
 * fuzz: with modules/media/svg/clean.c
 * fuzz: with modules/media/svg/allow.c
 */
#include "svg/svg.h"
#include "fuzz.h"
#include <string.h>

/* A "<" or a quote that is text is escaped, so each of these would be markup. */
static const char *const never[] = { "<script", "<foreignObject", "<animate", "<set", "<iframe",
	"<!", "<?", "\" on", "\" xlink:", "href=\"j", "href=\"h", "href=\"/" };

static void
check(const struct svg *svg)
{
	const char *text = svg->text.data;

	must(text != NULL && strncmp(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39) == 0);
	must(strlen(text) == svg->text.len);
	must(svg->width >= 0 && svg->height >= 0);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		must(strstr(text, never[i]) == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct svg svg, again;

	if (svg_clean((const char *)data, size, &svg)) {
		check(&svg);
		must(svg_clean(svg.text.data, svg.text.len, &again));
		must(again.text.len == svg.text.len);
		must(memcmp(again.text.data, svg.text.data, svg.text.len) == 0);
		stet_buf_free(&again.text);
	} else {
		must(svg.why[0] != '\0');
	}
	stet_buf_free(&svg.text);
	return 0;
}
