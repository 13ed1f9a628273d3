/*
 * variant.c - locale and translation group of an item: as WPML wrote them into the export, else as
 * Polylang did, else those of the whole import.
 */
#include "item/variant.h"
#include "read/text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define IDS_MAX 200 /* translations of one item */

/* Returns the site's locale for a code of the source ("de_DE"): that locale, or else its language
 * alone ("de"). NULL: the site has neither. */
static const char *
site_locale(struct stet_call *call, const char *code)
{
	const char *const *all = stet_locales(call);
	char *tag = stet_strdup(call, code);
	size_t language;

	for (char *c = tag; *c != '\0'; c++)
		if (*c == '_')
			*c = '-';
	for (size_t i = 0; all[i] != NULL; i++)
		if (strcasecmp(all[i], tag) == 0)
			return all[i];
	language = strcspn(tag, "-");
	for (size_t i = 0; all[i] != NULL && tag[language] != '\0'; i++)
		if (strlen(all[i]) == language && strncasecmp(all[i], tag, language) == 0)
			return all[i];
	return NULL;
}

/* The term of Polylang's taxonomy `language`. */
static const char *
language_of(const struct wxr_item *item)
{
	for (size_t i = 0; i < item->label_count; i++)
		if (strcmp(item->labels[i].taxonomy, "language") == 0)
			return item->labels[i].slug;
	return NULL;
}

static int
by_number(const void *x, const void *y)
{
	const long long *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* "pll:12,15": the ids of all translations, sorted. NULL: it has none. */
static const char *
polylang_group(struct stet_call *call, const char *translations)
{
	json_t *ids = text_serialized(call, translations, true);
	size_t count = json_array_size(ids);
	long long id[IDS_MAX];
	const char *out = "pll:";

	if (count < 2 || count > IDS_MAX)
		return NULL;
	for (size_t i = 0; i < count; i++)
		id[i] = json_integer_value(json_array_get(ids, i));
	qsort(id, count, sizeof(id[0]), by_number);
	for (size_t i = 0; i < count; i++)
		out = stet_printf(call, "%s%s%lld", out, i > 0 ? "," : "", id[i]);
	return out;
}

static bool
is_set(const char *text)
{
	return text != NULL && *text != '\0';
}

enum stet_status
variant_of(struct stet_call *call, const struct run *run, const struct wxr_item *item,
    const char **locale, const char **wanted, const char **group)
{
	static const char *const others[] = { "trid", "_icl_translation_id" };
	const char *code = wxr_meta_value(item, "_icl_lang_code"),
		   *trid = wxr_meta_value(item, "_icl_trid");

	*group = NULL;
	if (is_set(code)) {
		for (size_t i = 0; i < sizeof(others) / sizeof(others[0]) && !is_set(trid); i++)
			trid = wxr_meta_value(item, others[i]);
		if (is_set(trid))
			*group = stet_printf(call, "wpml:%s", trid);
	} else if (item->own != NULL) {
		if (is_set(trid))
			*group = stet_printf(call, "wpml:%s", trid);
	} else {
		const char *translations = wxr_meta_value(item, "_translations");

		code = wxr_meta_value(item, "_locale");
		if (!is_set(code))
			code = language_of(item);
		if (is_set(code) && translations != NULL)
			*group = polylang_group(call, translations);
	}
	*wanted = is_set(code) ? code : run->locale;
	*locale = is_set(code) ? site_locale(call, code) : run->locale;
	return STET_OK;
}

enum stet_status
variant_need(struct stet_call *call, const struct run *run, const struct wxr_item *item,
    const char **locale, const char **group)
{
	const char *wanted;

	STET_TRY(variant_of(call, run, item, locale, &wanted, group));
	return *locale != NULL ? STET_OK
			       : stet_fail(call, STET_VALIDATION_ERROR, "locale",
				     "The site has no locale \"%.60s\": list it in stet.conf and "
				     "import again",
				     wanted);
}
