/*
 * html - HTML that people have written, without block markup. For any bytes, the converted value
 * can be written as markup, and reading the markup back loses nothing. A unit may only change on
 * the way if it has an address that no value may have.
 * fuzz: with modules/html/convert
 * fuzz: with modules/html/markup
 */
#include "../../modules/html/convert/html.h"
#include "../../modules/html/convert/convert.h"
#include "../../modules/html/markup/markup.h"
#include "fuzz.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

#define MOST 16384 /* bytes */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct markup_report report = { 0 };
	struct text markup = { 0 };
	json_t *value, *read, *lost;

	if (size > MOST || memmem(data, size, "<!--", 4) != NULL ||
	    !is_text((const char *)data, size))
		return 0;
	must(convert_text(NULL, (const char *)data, size, NULL, NULL, &value) == STET_OK);
	markup_write(&markup, value, NULL, &report);
	must(report.changed == 0 || memchr(data, ' ', size) != NULL ||
	     memchr(data, '\n', size) != NULL || memchr(data, '\t', size) != NULL);
	must(convert_text(NULL, markup.s != NULL ? markup.s : "", markup.len, NULL, NULL, &read) ==
	     STET_OK);
	lost = convert_check(markup.s != NULL ? markup.s : "", markup.len, read);
	if (lost != NULL)
		must(json_dumpf(lost, stderr, 0) != 0);
	json_decref(value);
	json_decref(read);
	free(markup.s);
	return 0;
}
