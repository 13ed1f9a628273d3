/* script.c - objects in programs of JavaScript. */
#include "sources/script.h"
#include <ctype.h>
#include <string.h>

/* Returns the end of a text in quotes that begins here. */
static const char *
quoted_end(const char *s)
{
	char quote = *s++;

	while (*s != '\0' && *s != quote)
		s += *s == '\\' && s[1] != '\0' ? 2 : 1;
	return *s != '\0' ? s + 1 : s;
}

/* Returns the end of a comment that begins here; NULL: none does. */
static const char *
comment_end(const char *s)
{
	const char *end;

	if (strncmp(s, "//", 2) == 0)
		return s + strcspn(s, "\n");
	if (strncmp(s, "/*", 2) != 0)
		return NULL;
	end = strstr(s + 2, "*/");
	return end != NULL ? end + 2 : s + strlen(s);
}

/* Returns a program without its comments and tabs, with a blank behind each colon, as YAML has it.
 */
static char *
without_comments(struct stet_call *call, const char *s)
{
	char *out = stet_alloc(call, 2 * strlen(s) + 1), *to = out;

	while (*s != '\0') {
		const char *end = comment_end(s);

		if (end == NULL && strchr("\"'", *s) != NULL) {
			end = quoted_end(s);
			(void)memcpy(to, s, (size_t)(end - s));
			to += end - s;
		} else if (end == NULL) {
			*to++ = *s == '\t' ? ' ' : *s;
			if (*s == ':')
				*to++ = ' ';
			end = s + 1;
		}
		s = end;
	}
	*to = '\0';
	return out;
}

/* Does what ends here begin the object: the name of the member and ":", or else "=" or "default"?
 */
static bool
is_before(const char *text, const char *end, const char *member)
{
	const char *word = member != NULL ? member : "default";
	size_t len = strlen(word);

	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	if (end == text)
		return false;
	if (member == NULL && end[-1] == '=')
		return true;
	if (member != NULL && *--end != ':')
		return false;
	while (end > text && strchr("\"'", end[-1]) != NULL)
		end--;
	return (size_t)(end - text) >= len && strncmp(end - len, word, len) == 0 &&
	       (end - len == text || !isalnum((unsigned char)end[-1 - (ptrdiff_t)len]));
}

const char *
script_object(struct stet_call *call, const char *program, const char *member)
{
	char *text = without_comments(call, program), *at = text, *end;
	int depth = 0;

	while (*at != '\0' && !(*at == '{' && is_before(text, at, member)))
		at++;
	for (end = at; *end != '\0'; end++) {
		if (strchr("\"'", *end) != NULL)
			end = (char *)(uintptr_t)quoted_end(end) - 1;
		depth += strchr("{[", *end) != NULL;
		if (strchr("}]", *end) != NULL && --depth == 0) {
			end[1] = '\0';
			return at;
		}
	}
	return NULL;
}
