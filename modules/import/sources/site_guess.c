/*
 * site_guess.c - guesses which parts of names are locales that neither this site nor the settings
 * of the program name.
 */
#include "read/text.h"
#include "sources/site.h"
#include <string.h>

/* Could it be a locale: "de", "pt-BR", "zh-hans"? */
static bool
looks_like_locale(const char *text, size_t len)
{
	static const char lower[] = "abcdefghijklmnopqrstuvwxyz",
			  letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t n = strspn(text, lower), more;

	if (n < 2 || n > 3 || n > len)
		return false;
	if (n == len)
		return true;
	more = strspn(text + n + 1, letters);
	return (text[n] == '-' || text[n] == '_') && more >= 2 && more <= 4 && n + 1 + more == len;
}

/* Is this the page of a document in a locale that is known, or without one? */
static bool
is_page(const struct site *site, struct stet_call *call, const char *name)
{
	struct place p;

	site_place(site, call, name, &p);
	return site_has_page(site, call, p.page);
}

/* A part of a name that looks like a locale is one if the document is there without it, too, or in
 * a locale that is known. */
void
site_guess_locales(struct site *site, struct stet_call *call, const char *name)
{
	const char *part = name, *slash, *base = text_base(name), *dot, *end = strrchr(base, '.');

	for (; (slash = strchr(part, '/')) != NULL; part = slash + 1) {
		size_t len = (size_t)(slash - part);

		if (looks_like_locale(part, len) && !site_is_locale(site, part, len) &&
		    is_page(site, call,
			stet_printf(call, "%.*s%s", (int)(part - name), name, slash + 1)))
			site_add_locales(site, stet_strndup(call, part, len));
	}
	dot = end != NULL ? memrchr(base, '.', (size_t)(end - base)) : NULL;
	if (dot != NULL && looks_like_locale(dot + 1, (size_t)(end - dot - 1)) &&
	    is_page(site, call, stet_printf(call, "%.*s%s", (int)(dot - name), name, end)))
		site_add_locales(site, stet_strndup(call, dot + 1, (size_t)(end - dot - 1)));
}
