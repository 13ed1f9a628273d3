/* kind.c - what a text may be beside a text. */
#include "plan/kind.h"
#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"
#define DIGITS_MAX 15 /* that a double keeps (DBL_DIG) */

/* Returns what follows the digits before the point; NULL: it does not begin like a number. */
static const char *
whole_part(const char *text)
{
	const char *at = text + (*text == '-');
	size_t len = strspn(at, DIGITS);
	bool zero = len == 1 && *at == '0' && at[1] == '\0';

	if (len == 0 || len > DIGITS_MAX || (*at == '0' && len > 1) || (at > text && zero))
		return NULL;
	return at + len;
}

bool
kind_integer(const char *text)
{
	const char *end = whole_part(text);

	return end != NULL && *end == '\0';
}

bool
kind_number(const char *text)
{
	const char *end = whole_part(text);
	size_t len;

	if (end == NULL || *end == '\0')
		return end != NULL;
	/* Small numbers are written with an exponent. */
	len = *end == '.' ? strspn(end + 1, DIGITS) : 0;
	return len > 0 && end[1 + len] == '\0' && end[len] != '0' &&
	       (size_t)(end - text) + len <= DIGITS_MAX && strncmp(end, ".0000", 5) != 0;
}

bool
kind_boolean(const char *text)
{
	return strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0;
}

bool
kind_url(const char *text)
{
	size_t len = strncasecmp(text, "http://", 7) == 0    ? 7
		     : strncasecmp(text, "https://", 8) == 0 ? 8
							     : 0;

	if (len == 0 || text[len] == '\0' || strchr("/?#:@", text[len]) != NULL)
		return false;
	for (; *text != '\0'; text++)
		if ((unsigned char)*text <= ' ' || *text == 0x7f || *text == '\\')
			return false;
	return true;
}
