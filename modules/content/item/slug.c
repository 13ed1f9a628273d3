/* slug.c - the slug of an item: made from its title, and numbered if another item has it. */
#include "item/item.h"
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define SLUG_MAX 255 /* characters of a slug that a client gives */

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

/* FNV-1a with 32 bits over the UTF-16 code units of a text in NFKC and lower case. */
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

enum stet_status
slug_make(struct stet_call *call, const struct plan *plan, const char *source, const char *locale,
    const char **out)
{
	char *base;

	*out = NULL;
	if (source == NULL || *source == '\0')
		return STET_OK;
	base = stet_slugify(call, source);
	if (*base == '\0')
		base = slug_untitled(call, source);
	return stet_free_name(call, base, 2, plan->slug_rows, STET_ARGS(locale), out);
}
