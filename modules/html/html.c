/* html.c - the service of the module: Portable Text from the HTML of posts, and back. */
#include "convert/html.h"
#include "convert/convert.h"
#include "markup/markup.h"
#include <stet/module.h>
#include <stet/portabletext.h>
#include <string.h>

static json_t *
read_counted(const char *text, size_t len, json_t **lost, struct stet_html_counts *shown,
    struct stet_html_counts *missing, size_t size)
{
	struct stet_html_counts here, gone;
	json_t *out;

	convert_checked(text, len, &out, lost, &here, &gone);
	memcpy(shown, &here, size < sizeof(here) ? size : sizeof(here));
	memcpy(missing, &gone, size < sizeof(gone) ? size : sizeof(gone));
	return out;
}

static json_t *
read_text(const char *text, size_t len, json_t **lost)
{
	struct stet_html_counts shown, missing;
	json_t *out;

	if (lost != NULL)
		convert_checked(text, len, &out, lost, &shown, &missing);
	else if (convert_text(NULL, text, len, NULL, NULL, &out) != STET_OK)
		return json_array();
	return out;
}

static const char *
write_blocks(struct stet_call *call, const json_t *blocks, struct stet_html_write *how, size_t size)
{
	struct stet_html_write given = { 0 };
	struct markup_report report = { 0 };
	struct text markup = { 0 };
	struct markup_rules rules;
	const char *copy;

	if (how != NULL)
		stet_extend(&given, sizeof(given), how, size);
	rules = (struct markup_rules){ given.number, given.arg, given.base };
	markup_write(&markup, blocks, &rules, &report);
	if (how != NULL) {
		how->kept += report.kept;
		how->changed += report.changed;
	}
	copy = stet_strndup(call, markup.s, markup.len);
	text_free(&markup);
	return copy;
}

static const struct stet_html_1 service = { read_text, write_blocks, read_counted };
static const struct stet_service_def services[] = { STET_SERVICE(STET_HTML_1, service) };

STET_MODULE(html) = {
	STET_MODULE_HEAD(html),
	.version = "1.0",
	.summary = "Portable Text from the HTML of posts, and back",
	.license = "MIT",
	.services = STET_TABLE(services),
};
