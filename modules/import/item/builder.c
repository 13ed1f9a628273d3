/*
 * builder.c - texts that a page builder has laid out. A layout of shortcodes is the text itself.
 * One of Elementor is a custom field beside the text that it has rendered: it is used if it has
 * every word and address of the text.
 */
#include "item/builder.h"
#include "layout/layout.h"
#include "state/account.h"
#include <stet/portabletext.h>
#include <string.h>

/* ---- words ---- */

static bool
is_address(const char *name)
{
	static const char *const names[] = { "href", "url", "link", "src" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* A smaller copy of a picture (-300x200) has the address of the picture. */
static void
drop_size(char *address)
{
	char *dash = strrchr(address, '-'), *p = dash;

	if (dash == NULL)
		return;
	p += 1 + strspn(p + 1, "0123456789");
	if (*p != 'x' || p == dash + 1)
		return;
	p += 1 + strspn(p + 1, "0123456789");
	if (*p == '.')
		memmove(dash, p, strlen(p) + 1);
}

/* Adds the words of a text to a set, or, if `missing` is not NULL, finds the first that it lacks.
 */
static void
take_words(struct stet_call *call, const char *text, json_t *words, const char **missing)
{
	static const char blanks[] = " \t\r\n";

	for (size_t len; *(text += strspn(text, blanks)) != '\0'; text += len) {
		const char *word;

		len = strcspn(text, blanks);
		word = stet_printf(call, "%.*s", (int)len, text);
		if (missing == NULL)
			(void)json_object_set_new(words, word, json_true());
		else if (*missing == NULL && json_object_get(words, word) == NULL)
			*missing = word;
	}
}

static void
take_all(struct stet_call *call, const char *name, const json_t *value, json_t *words,
    const char **missing)
{
	json_t *mutable = (json_t *)(uintptr_t)value, *inner;
	const char *key;
	char *text;
	size_t i;

	json_array_foreach(value, i, inner) take_all(call, name, inner, words, missing);
	json_object_foreach(mutable, key, inner)
	{
		if (*key != '_' && strcmp(key, "marks") != 0 && strcmp(key, "style") != 0)
			take_all(call, key, inner, words, missing);
	}
	if (!json_is_string(value))
		return;
	text = stet_strdup(call, json_string_value(value));
	if (is_address(name))
		drop_size(text);
	take_words(call, text, words, missing);
}

/* Returns a word or address of the text that the layout lacks; NULL: it has all. */
static const char *
lacking(struct stet_call *call, const char *text, const char *layout)
{
	const struct stet_html_1 *html = stet_service(call, STET_HTML_1);
	json_t *words = stet_json_own(call, json_object());
	const char *missing = NULL;

	take_all(
	    call, "", stet_json_own(call, html->read(layout, strlen(layout), NULL)), words, NULL);
	take_all(
	    call, "", stet_json_own(call, html->read(text, strlen(text), NULL)), words, &missing);
	return missing;
}

/* ---- telling ---- */

/* Returns a list of names with their counts, the names as in the source. */
static const char *
listed(struct stet_call *call, const json_t *counts)
{
	const char *name, *list = "";
	const json_t *count;

	json_object_foreach((json_t *)(uintptr_t)counts, name, count) list =
	    stet_printf(call, "%s%s%.60s (%lld)", list, *list != '\0' ? ", " : "", name,
		(long long)json_integer_value(count));
	return list;
}

static void
tell(struct stet_call *call, const struct layout *l, struct import_item *entry)
{
	const char *name;
	const json_t *count;

	item_notice(entry,
	    stet_printf(call, "It has a layout of %s: its columns and words are kept", l->builder));
	if (json_object_size(l->idle) > 0)
		item_notice(entry, stet_printf(call, "Left out, since they have no words: %s",
				       listed(call, l->idle)));
	if (json_object_size(l->unknown) > 0)
		item_notice(
		    entry, stet_printf(call, "Kept as shortcodes: %s", listed(call, l->unknown)));
	json_object_foreach((json_t *)(uintptr_t)l->idle, name, count) account_add(entry->account,
	    ACCOUNT_VALUES, name, json_integer_value(count), 0, json_integer_value(count));
}

/* Other builders, whose layouts are not read. */
static void
tell_others(struct stet_call *call, const char *text, struct import_item *entry)
{
	static const char *const codes[][2] = { { "[et_pb_", "Divi" }, { "[vc_", "WPBakery" },
		{ "[fusion_", "Avada" }, { "[av_", "Enfold" } };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strstr(text, codes[i][0]) != NULL)
			item_notice(entry,
			    stet_printf(call,
				"It has a layout of %s: its words are kept, with its shortcodes",
				codes[i][1]));
}

/* ---- a text ---- */

static const char *
elementor_text(
    struct stet_call *call, const char *data, const char *text, struct import_item *entry)
{
	struct layout l;
	const char *missing;

	if (!layout_elementor(call, data, &l))
		return text;
	if ((missing = lacking(call, text, l.markup)) == NULL) {
		tell(call, &l, entry);
		return l.markup;
	}
	item_notice(entry, stet_printf(call,
			       "It has a layout of Elementor without words of its text (%.80s), "
			       "which is kept instead",
			       missing));
	return text;
}

const char *
builder_text(struct stet_call *call, const struct wxr_item *item, const char *text,
    struct import_item *entry)
{
	const char *data = wxr_meta_value(item, "_elementor_data");
	const char *mode = wxr_meta_value(item, "_elementor_edit_mode");
	struct layout l;

	if (data != NULL && (mode == NULL || strcmp(mode, "builder") == 0))
		return elementor_text(call, data, text, entry);
	if (layout_codes(call, text, &l)) {
		tell(call, &l, entry);
		return l.markup;
	}
	tell_others(call, text, entry);
	return text;
}
