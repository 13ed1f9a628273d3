/* utf8.c - what a text is: well-formed UTF-8, a name, a locale, an id; its hash. */
#include "base/utf8.h"
#include <stet/call.h>
#include <string.h>
#include <xxhash.h>

/* Returns true if the second byte may follow the first: no overlong form, no surrogate, nothing
 * beyond U+10FFFF. */
static bool
second_fits(unsigned char first, unsigned char second)
{
	unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return second >= least && second <= most;
}

size_t
utf8_sequence(const unsigned char *s, size_t left)
{
	size_t len = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (len == 1)
		return left > 0;
	if (s[0] < 0xc2 || s[0] > 0xf4 || left < len || !second_fits(s[0], s[1]))
		return 0;
	for (size_t i = 2; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

int
utf8_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int64_t
stet_utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	int64_t n = 0;

	while (*s != '\0') {
		size_t len = *s < 0x80 ? 1 : utf8_sequence(s, 4);

		if (len == 0)
			return -1;
		s += len;
		n++;
	}
	return n;
}

size_t
stet_utf8_cut(const char *text, size_t most)
{
	size_t len = strnlen(text, most);

	while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

size_t
stet_utf8_first(const char *text, size_t characters)
{
	size_t len = 0;

	while (text[len] != '\0' && characters-- > 0)
		for (len++; ((unsigned char)text[len] & 0xc0) == 0x80; len++)
			continue;
	return len;
}

uint64_t
stet_hash(const char *text)
{
	return XXH3_64bits(text, strlen(text));
}

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_alpha(char c)
{
	return is_lower((char)(c | 0x20));
}

bool
stet_is_name(const char *s)
{
	size_t n = 1;

	if (!is_lower(s[0]))
		return false;
	for (; s[n] != '\0'; n++)
		if (n == 63 || !(is_lower(s[n]) || utf8_digit(s[n]) || s[n] == '_'))
			return false;
	return true;
}

bool
stet_is_locale(const char *s)
{
	size_t n = 0, total = 0;

	while (is_alpha(s[n]))
		n++;
	if (n < 2 || n > 3)
		return false;
	for (s += n, total = n; *s == '-'; s += n + 1, total += n + 1) {
		for (n = 0; is_alpha(s[n + 1]) || utf8_digit(s[n + 1]); n++)
			if (n == 8)
				return false;
		if (n < 2)
			return false;
	}
	return *s == '\0' && total <= 63;
}

bool
stet_is_id(const char *s)
{
	size_t n = 0;

	while (n < 27 && ((s[n] >= 'A' && s[n] <= 'Z') || utf8_digit(s[n])))
		n++;
	return n == 26 && s[n] == '\0';
}
