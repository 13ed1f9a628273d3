/* slug.c - the slug of an item: made from its title, and numbered when it is taken. */
#include "content.h"
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define SLUG_MAX 255 /* characters, when a client says it */
#define NUMBER_DIGITS 9 /* of numbers that are looked at */

bool
slug_is_good(struct stet_call *call, const char *slug)
{
	if (stet_utf8_length(slug) > SLUG_MAX) {
		stet_issue(call, "slug", "must be at most %d characters", SLUG_MAX);
		return false;
	}
	for (; *slug != '\0'; slug++)
		if ((unsigned char)*slug < 0x20 || *slug == 0x7f) {
			stet_issue(call, "slug", "must not hold control characters");
			return false;
		}
	return true;
}

/* FNV-1a, 32 bits, over the UTF-16 code units of a text that is NFKC and lower case. */
static uint32_t
hash(const char *title)
{
	utf8proc_uint8_t *text = NULL;
	uint32_t h = 2166136261U;

	if (utf8proc_map((const utf8proc_uint8_t *)title, 0, &text,
		UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT) < 0)
		return h;
	for (const utf8proc_uint8_t *s = text; *s != '\0';) {
		utf8proc_int32_t c;

		s += utf8proc_iterate(s, -1, &c);
		c = utf8proc_tolower(c);
		if (c > 0xffff) {
			h = (h ^ (0xd800U + ((uint32_t)(c - 0x10000) >> 10))) * 16777619U;
			c = 0xdc00 + ((c - 0x10000) & 0x3ff);
		}
		h = (h ^ (uint32_t)c) * 16777619U;
	}
	free(text);
	return h;
}

char *
slug_untitled(struct stet_call *call, const char *title)
{
	char *slug = stet_strdup(call, "untitled-0000000");
	char *to = slug + strlen(slug);

	for (uint32_t h = hash(title); h > 0; h /= 36)
		*--to = "0123456789abcdefghijklmnopqrstuvwxyz"[h % 36];
	return slug;
}

static enum stet_status
is_taken(struct stet_call *call, const struct plan *plan, const char *slug, const char *locale,
    bool *taken)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, plan->slug_taken, STET_ARGS(slug, locale)));
	*taken = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* The number behind "base-", or 0. */
static long
number(const char *digits)
{
	size_t len = strspn(digits, "0123456789");

	return len > 0 && len <= NUMBER_DIGITS && digits[len] == '\0' ? strtol(digits, NULL, 10)
								      : 0;
}

/* One more than the highest number behind this base, as far as one look at the index shows; then
 * upwards by growing steps, so that a million items of one title do not cost a million looks. */
static enum stet_status
next_number(struct stet_call *call, const struct plan *plan, const char *base, const char *locale,
    long *out)
{
	const char *low = stet_printf(call, "%s-0", base), *high = stet_printf(call, "%s-:", base);
	size_t skip = strlen(base) + 1;
	struct stet_rows rows;
	long highest = 0, step = 1;
	bool taken = true;

	STET_TRY(stet_query(call, &rows, plan->slug_range, STET_ARGS(low, high, locale)));
	while (stet_row(&rows)) {
		long n = number(stet_col_str(&rows, 0) + skip);
		highest = n > highest ? n : highest;
	}
	STET_TRY(stet_rows_end(&rows));
	for (*out = highest + 1; taken; step *= 2) {
		STET_TRY(
		    is_taken(call, plan, stet_printf(call, "%s-%ld", base, *out), locale, &taken));
		if (taken)
			*out += step;
	}
	return STET_OK;
}

enum stet_status
slug_make(struct stet_call *call, const struct plan *plan, const char *source, const char *locale,
    const char **out)
{
	char *base;
	bool taken;
	long n;

	*out = NULL;
	if (source == NULL || *source == '\0')
		return STET_OK;
	base = stet_slugify(call, source);
	if (*base == '\0')
		base = slug_untitled(call, source);
	*out = base;
	STET_TRY(is_taken(call, plan, base, locale, &taken));
	if (!taken)
		return STET_OK;
	STET_TRY(next_number(call, plan, base, locale, &n));
	*out = stet_printf(call, "%s-%ld", base, n);
	return STET_OK;
}
