/* site_locale.c - the locales of a directory of Markdown. */
#include "sources/site.h"
#include <string.h>

bool
site_code(const char *part, size_t len, char out[SITE_CODE])
{
	if (len == 0 || len >= SITE_CODE)
		return false;
	for (size_t i = 0; i < len; i++)
		out[i] = part[i] == '_'                     ? '-'
			 : part[i] >= 'A' && part[i] <= 'Z' ? (char)(part[i] + 32)
							    : part[i];
	out[len] = '\0';
	return true;
}

bool
site_is_locale(const struct site *site, const char *part, size_t len)
{
	char code[SITE_CODE];

	return site_code(part, len, code) && json_object_get(site->locales, code) != NULL;
}

const char *
site_here(const struct site *site, const char *locale)
{
	const char *const *all = stet_locales(site->call);
	char code[SITE_CODE], own[SITE_CODE];

	if (*locale == '\0')
		return "";
	for (; *all != NULL; all++)
		if (site_code(*all, strlen(*all), own) && site_code(locale, strlen(locale), code) &&
		    strcmp(own, code) == 0)
			return *all;
	return NULL;
}

static void
add_locale(struct site *site, const char *code, size_t len)
{
	char lower[SITE_CODE];

	if (site_code(code, len, lower))
		(void)json_object_set_new(site->locales, lower, json_true());
}

void
site_add_locales(struct site *site, const char *list)
{
	for (; *list != '\0'; list += strspn(list, ", ")) {
		size_t len = strcspn(list, ", ");

		add_locale(site, list, len);
		list += len;
	}
}
