/* rows.h - texts of posts and their values, for tests of the converter. */
#ifndef T_MODULE_HTML_ROWS_H
#define T_MODULE_HTML_ROWS_H

#include "../../../modules/html/convert/convert.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct row {
	const char *text, *value; /* with " for each ' */
};

/* Converts a text, and checks that nothing is lost. */
json_t *rows_convert(const char *text, struct convert_report *);
/* Checks that each text gives its value, without keys, and that nothing is lost. */
void rows_check(const struct row *, size_t count);

#endif
