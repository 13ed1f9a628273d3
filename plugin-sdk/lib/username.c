/* username.c - names of users: one line, without marks that change how the text around it reads. */
#include <stet/call.h>
#include <stet/users.h>
#include <string.h>
#include <utf8proc.h>

/* Characters that set the direction of a text (Unicode, UAX 9), or end a line. */
static bool
is_bad(utf8proc_int32_t c)
{
	return utf8proc_category(c) == UTF8PROC_CATEGORY_CC || c == 0x61c || c == 0x200e ||
	       c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

const char *
stet_user_name(struct stet_call *call, const char *name)
{
	const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)name;
	size_t begin = strspn(name, " "), len = strlen(name);
	utf8proc_int32_t c;

	for (utf8proc_ssize_t n; *at != '\0'; at += n) {
		n = utf8proc_iterate(at, -1, &c);
		if (n <= 0 || is_bad(c))
			return NULL;
	}
	while (len > begin && name[len - 1] == ' ')
		len--;
	return stet_strndup(call, name + begin, len - begin);
}
