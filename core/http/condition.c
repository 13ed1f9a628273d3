/* condition.c - evaluates the conditional headers of a request. */
#include "http/condition.h"
#include "http/http1.h"
#include "http/httpdate.h"
#include <string.h>

bool
condition_good_tag(const char *tag)
{
	for (; *tag != '\0'; tag++)
		if (*tag <= 0x20 || *tag == '"' || *tag == 0x7f)
			return false;
	return true;
}

/* Returns true if the list of entity tags contains the tag. Ours is never weak, so in the strong
 * comparison a weak tag of the client (W/) matches nothing; in the weak comparison the W/ is
 * ignored (RFC 9110, 8.8.3.2). */
static bool
list_has_tag(const char *list, const char *tag, bool strong)
{
	size_t len = strlen(tag);

	for (;;) {
		const char *end;
		bool weak;

		list += strspn(list, " \t,");
		weak = strncmp(list, "W/", 2) == 0;
		if (weak)
			list += 2;
		if (*list != '"')
			return false;
		end = strchr(list + 1, '"');
		if (end == NULL)
			return false;
		if (!(weak && strong) && (size_t)(end - list - 1) == len &&
		    memcmp(list + 1, tag, len) == 0)
			return true;
		list = end + 1;
	}
}

/* Searches all lines of a header that may come several times. Returns 1 if it names the tag or is
 * "*", 0 if it does not, -1 if the header is absent. */
static int
header_has_tag(const struct http1_head *head, const char *name, const char *tag, bool strong)
{
	int found = -1;

	for (size_t i = 0; i < head->header_count && found < 1; i++) {
		const char *value = head->header[i].value;

		if (strcmp(head->header[i].name, name) == 0)
			found = strcmp(value, "*") == 0 ||
				(tag != NULL && list_has_tag(value, tag, strong));
	}
	return found;
}

/* Reads the date in a header. Returns false if it is absent or malformed: a bad date is ignored. */
static bool
date_of(const struct http1_head *head, const char *name, int64_t *out)
{
	const char *value = http1_header(head, name);

	return value != NULL && httpdate_parse(value, out);
}

enum condition
condition_judge(const struct http1_head *head, const struct condition_of *it)
{
	int match, none;
	int64_t date;

	if (head->method != HTTP_GET && head->method != HTTP_HEAD)
		return CONDITION_NONE;
	match = header_has_tag(head, "if-match", it->tag, true);
	if (match == 0)
		return CONDITION_FAILED;
	if (match == -1 && it->modified != CONDITION_UNDATED &&
	    date_of(head, "if-unmodified-since", &date) && it->modified > date)
		return CONDITION_FAILED;
	none = header_has_tag(head, "if-none-match", it->tag, false);
	/* If-None-Match, if present, wins over If-Modified-Since, whether it matches or not. */
	if (none != -1)
		return none == 1 ? CONDITION_UNMODIFIED : CONDITION_NONE;
	if (it->modified != CONDITION_UNDATED && date_of(head, "if-modified-since", &date) &&
	    it->modified <= date)
		return CONDITION_UNMODIFIED;
	return CONDITION_NONE;
}

bool
condition_range(const struct http1_head *head, const struct condition_of *it, int64_t now)
{
	const char *value = http1_header(head, "if-range");
	int64_t date;

	if (value == NULL)
		return true;
	if (*value == '"' || strncmp(value, "W/", 2) == 0)
		return it->tag != NULL && list_has_tag(value, it->tag, true);
	return it->modified != CONDITION_UNDATED && httpdate_parse(value, &date) &&
	       date == it->modified && date < now;
}

/* ---- If-Match of requests that change something ---- */

/* The tag of the resource, and the codings that a response's tag may have as its suffix. */
struct wanted {
	const char *tag;
	const char *const *coding;
	int codings;
};

/* Returns true if the tag that the client names is the resource's: the same, its part before the
 * first dot, or the tag with ".coding" behind it. */
static bool
fits(const struct wanted *w, const char *named, size_t len)
{
	size_t tag = strlen(w->tag);

	if (len <= tag)
		return memcmp(w->tag, named, len) == 0 && len > 0 &&
		       (len == tag || strcspn(w->tag, ".") == len);
	if (memcmp(w->tag, named, tag) != 0 || named[tag] != '.')
		return false;
	for (int i = 0; i < w->codings; i++)
		if (w->coding[i] != NULL && strlen(w->coding[i]) == len - tag - 1 &&
		    memcmp(w->coding[i], named + tag + 1, len - tag - 1) == 0)
			return true;
	return false;
}

static bool
list_fits(const struct wanted *w, const char *list)
/* No quote, comma or blank: a single tag without quotes, or "*". */
{
	if (strpbrk(list, "\", \t") == NULL)
		return strcmp(list, "*") == 0 || fits(w, list, strlen(list));
	for (;;) {
		const char *end;
		bool weak;

		list += strspn(list, " \t,");
		weak = strncmp(list, "W/", 2) == 0;
		list += weak ? 2 : 0;
		if (*list != '"' || (end = strchr(list + 1, '"')) == NULL)
			return false;
		if (!weak && fits(w, list + 1, (size_t)(end - list - 1)))
			return true;
		list = end + 1;
	}
}

bool
condition_if_match(
    const struct http1_head *head, const char *tag, const char *const *coding, int codings)
{
	const struct wanted w = { tag, coding, codings };

	for (size_t i = 0; i < head->header_count; i++)
		if (strcmp(head->header[i].name, "if-match") == 0 &&
		    list_fits(&w, head->header[i].value))
			return true;
	return false;
}
