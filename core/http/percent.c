/* percent.c - percent-encoding of paths, queries and forms. */
#include "http/percent.h"
#include "base/utf8.h"
#include <stet/call.h>

bool
percent_decode(char *text, size_t len, bool plus)
{
	char *to = text;
	bool ascii = true;

	for (size_t i = 0; i < len; i++) {
		int c = (unsigned char)text[i];

		if (c == '+' && plus)
			c = ' ';
		else if (c == '%') {
			if (len - i < 3 || utf8_hex(text[i + 1]) < 0 || utf8_hex(text[i + 2]) < 0)
				return false;
			c = utf8_hex(text[i + 1]) << 4 | utf8_hex(text[i + 2]);
			i += 2;
		}
		if (c == 0)
			return false;
		ascii &= c < 0x80;
		*to++ = (char)c;
	}
	*to = '\0';
	return ascii || stet_utf8_length(text) >= 0;
}
