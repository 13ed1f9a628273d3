/* wording.h - tests of texts in several languages: that every text is there in each, with the same
 * values. */
#ifndef T_WORDING_H
#define T_WORDING_H

#include "harness.h"
#include <stet/words.h>
#include <string.h>

/* Counts the places for values in a text, such as {name}; `of`: those that begin like this. */
static inline size_t
wording_places(const char *text, const char *of)
{
	size_t n = 0;

	while ((text = strchr(text, '{')) != NULL) {
		size_t len = strcspn(text, "}") + 1;

		n += of == NULL || strncmp(of, text, len) == 0;
		text += len;
	}
	return n;
}

/* Each text of the one has its own in the other, with the same name, places and ends of line. */
static inline void
wording_same(const struct stet_word *w, const struct stet_word *own)
{
	for (; w->name != NULL && own->name != NULL; w++, own++) {
		size_t len = strlen(w->text), own_len = strlen(own->text);

		assert_string_equal(w->name, own->name);
		assert_true(len > 0 && own_len > 0);
		assert_int_equal(w->text[len - 1] == '\n', own->text[own_len - 1] == '\n');
		assert_int_equal(wording_places(w->text, NULL), wording_places(own->text, NULL));
		for (const char *at = strchr(w->text, '{'); at != NULL; at = strchr(at + 1, '{'))
			if (wording_places(own->text, at) == 0)
				fail_msg("%s: %s", w->name, own->text);
	}
	assert_null(w->name);
	assert_null(own->name);
}

/* The table has English, German, Spanish and French, with every text in each. */
static inline void
wording_complete(const struct stet_words *all)
{
	static const char *const languages[] = { "en", "de", "es", "fr" };

	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(all[i].language, languages[i]);
		wording_same(all[0].words, all[i].words);
	}
	assert_null(all[4].language);
}

#endif
