/* jsonsplit.c - the members of an object as they stand in its text, unread. */
#include <stdbool.h>
#include <stet/call.h>
#include <string.h>

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* From the quotation mark of a string to behind its end; NULL: it has none. */
static const char *
skip_string(const char *p, const char *end)
{
	const char *begin = p, *mark;

	while (++p < end && (p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		for (mark = p; mark > begin + 1 && mark[-1] == '\\'; mark--)
			continue;
		if ((p - mark) % 2 == 0)
			return p + 1;
	}
	return NULL;
}

static const char *
skip_nest(const char *p, const char *end)
{
	size_t depth = 0;

	while (p != NULL && p < end) {
		if (*p == '"') {
			p = skip_string(p, end);
			continue;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p++;
		if (depth == 0)
			return p;
	}
	return NULL;
}

static const char *
skip_value(const char *p, const char *end)
{
	const char *begin = p;

	if (p == end)
		return NULL;
	if (*p == '"')
		return skip_string(p, end);
	if (*p == '{' || *p == '[')
		return skip_nest(p, end);
	while (p < end && *p != ',' && *p != '}' && *p != ' ' && *p != '\n')
		p++;
	return p > begin ? p : NULL;
}

/* Takes `c` and the blanks behind it. */
static bool
take(const char **p, const char *end, char c)
{
	if (*p == end || **p != c)
		return false;
	*p = skip_blanks(*p + 1, end);
	return true;
}

static bool
split_member(const char **at, const char *end, struct stet_json_member *m)
{
	const char *p = *at;

	m->name = p + 1;
	if (p == end || *p != '"' || (p = skip_string(p, end)) == NULL)
		return false;
	m->name_len = (size_t)(p - m->name) - 1;
	p = skip_blanks(p, end);
	if (memchr(m->name, '\\', m->name_len) != NULL || !take(&p, end, ':'))
		return false;
	m->value = p;
	if ((p = skip_value(p, end)) == NULL)
		return false;
	m->value_len = (size_t)(p - m->value);
	*at = skip_blanks(p, end);
	return true;
}

int
stet_json_split(const char *text, size_t len, struct stet_json_member *out, int max)
{
	const char *end = text + len, *p = skip_blanks(text, end);
	int n = 0;

	if (!take(&p, end, '{'))
		return -1;
	if (take(&p, end, '}'))
		return p == end ? 0 : -1;
	do
		if (n == max || !split_member(&p, end, &out[n++]))
			return -1;
	while (take(&p, end, ','));
	return take(&p, end, '}') && p == end ? n : -1;
}
