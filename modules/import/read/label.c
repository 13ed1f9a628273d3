/*
 * label.c - slugs for labels in any script. ICU transliterates what is not ASCII: Chinese by
 * Pinyin (Japanese too, as a text does not say which it is), other scripts by their letters.
 * Letters of scripts that ICU does not know, and symbols, are replaced by words of their names in
 * Unicode, so that labels stay distinct and can be read.
 */
#include "read/label.h"
#include "read/text.h"
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utrans.h>

#define LABEL_MOST 200 /* characters of a label that are read */
#define LATIN_MOST 4000 /* UTF-16 units of its transliteration */
#define NAME_MOST 128 /* bytes of the name of a character */

/* ---- signs ---- */

/* The sharp sign, U+266F. */
#define SHARP "\xe2\x99\xaf"

static bool
is_wordy(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Returns the word for a sign that belongs to the word beside it, or NULL. */
static const char *
sign_at(const char *text, size_t i, bool after, size_t *len)
{
	*len = strncmp(text + i, SHARP, 3) == 0 ? 3 : 1;
	if (after && (*len == 3 || text[i] == '#'))
		return "-sharp";
	if (after && text[i] == '+')
		return "-plus";
	if (text[i] == '.' && is_wordy(text[i + 1]) && (i == 0 || strchr(" \t(/", text[i - 1])))
		return "dot-";
	return NULL;
}

/* Replaces signs by words: "#" and "+" after a word, "." before one. */
static const char *
with_words(struct stet_call *call, const char *text)
{
	char *out = stet_alloc(call, 7 * strlen(text) + 1), *to = out;
	bool after = false; /* a word, or a sign that belongs to it */
	size_t len;

	for (size_t i = 0; text[i] != '\0'; i += len) {
		const char *word = sign_at(text, i, after, &len);

		if (word != NULL) {
			to = stpcpy(to, word);
			if (after && is_wordy(text[i + len]))
				*to++ = '-';
			continue;
		}
		len = 1;
		after = is_wordy(text[i]);
		*to++ = text[i];
	}
	*to = '\0';
	return out;
}

/* ---- transliteration ---- */

static pthread_mutex_t latin_lock = PTHREAD_MUTEX_INITIALIZER;
static UTransliterator *latin; /* made with the first label that needs it, under the lock */

static void
open_latin(void)
{
	/* Modifier letters are apostrophes for sounds without a Latin letter. */
	static const char id[] = "NFKC; Any-Latin; [:Lm:] Remove; NFD; [\\u0300-\\u036F] Remove; "
				 "Latin-ASCII; Lower";
	UChar wide[sizeof(id)];
	UErrorCode status = U_ZERO_ERROR;

	u_uastrcpy(wide, id);
	latin = utrans_openU(wide, -1, UTRANS_FORWARD, NULL, 0, NULL, &status);
}

/* Transliterates in place. Without data of ICU, or if there is no room, *len becomes 0. */
static void
to_latin(UChar *text, int32_t *len)
{
	UErrorCode status = U_ZERO_ERROR;
	int32_t end = *len;

	(void)pthread_mutex_lock(&latin_lock);
	if (latin == NULL)
		open_latin();
	if (latin != NULL)
		utrans_transUChars(latin, text, len, LATIN_MOST, 0, &end, &status);
	if (latin == NULL || U_FAILURE(status))
		*len = 0;
	(void)pthread_mutex_unlock(&latin_lock);
}

/* ---- names of characters ---- */

struct words {
	char *text;
	size_t len, room;
	bool apart; /* a blank is due */
};

static void
put(struct words *w, const char *text, size_t len)
{
	if (w->apart && w->len > 0 && w->len < w->room)
		w->text[w->len++] = ' ';
	w->apart = false;
	for (size_t i = 0; i < len && w->len < w->room; i++)
		w->text[w->len++] = (char)tolower((unsigned char)text[i]);
}

/* Returns the part of a letter's name that stands for its sound: "pho" of LAO LETTER PHO TAM. */
static const char *
sound_of(char *name)
{
	static const char *const before[] = { " LETTER ", " VOWEL SIGN " };
	char *at, *last = strrchr(name, ' ');

	if (strncmp(name, "LATIN ", 6) == 0)
		return last != NULL ? last + 1 : name; /* LATIN SMALL LETTER TURNED E */
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if ((at = strstr(name, before[i])) != NULL) {
			at += strlen(before[i]);
			at[strcspn(at, " ")] = '\0';
			return at;
		}
	return "";
}

static void
put_name(struct words *w, UChar32 c, bool punctuation)
{
	static const uint32_t silent =
	    U_GC_CC_MASK | U_GC_CF_MASK | U_GC_Z_MASK | U_GC_SK_MASK | U_GC_MN_MASK | U_GC_ME_MASK;
	char name[NAME_MOST];
	UErrorCode status = U_ZERO_ERROR;
	uint32_t kind = U_MASK(u_charType(c));
	int32_t len = u_charName(c, U_UNICODE_CHAR_NAME, name, NAME_MOST, &status);
	const char *sound = U_SUCCESS(status) && len > 0 ? sound_of(name) : "";

	if (*sound != '\0') {
		put(w, sound, strlen(sound));
		return;
	}
	if (kind & (U_GC_L_MASK | U_GC_N_MASK | U_GC_CO_MASK | U_GC_CN_MASK) || len <= 0 ||
	    U_FAILURE(status))
		len = snprintf(name, sizeof(name), "u%04x", (unsigned)c);
	else if (kind & (silent | (punctuation ? 0 : U_GC_P_MASK))) {
		w->apart |= (kind & (U_GC_Z_MASK | U_GC_P_MASK)) != 0;
		return;
	}
	w->apart = true;
	put(w, name, (size_t)len);
	w->apart = true;
}

static void
spell(struct words *w, const UChar *text, int32_t len)
{
	bool words = false;
	UChar32 c;

	for (int32_t i = 0; i < len;) {
		U16_NEXT(text, i, len, c);
		words |= u_isalnum(c) != 0;
	}
	for (int32_t i = 0; i < len;) {
		char one;

		U16_NEXT(text, i, len, c);
		one = (char)c;
		if (c < 0x80 && isalnum(c))
			put(w, &one, 1);
		else if (c < 0x80 && words)
			w->apart = true;
		else
			put_name(w, c, !words);
	}
}

/* Returns words of ASCII letters and digits, with single blanks between them. */
static char *
latin_words(struct stet_call *call, const char *label)
{
	UChar *text = stet_alloc(call, LATIN_MOST * sizeof(*text)), *latin_text;
	struct words w = { .text = stet_alloc(call, LATIN_MOST + 1), .room = LATIN_MOST };
	UErrorCode status = U_ZERO_ERROR;
	int32_t len = 0, latin_len;

	u_strFromUTF8WithSub(
	    text, LATIN_MOST, &len, text_cut(call, label, LABEL_MOST), -1, 0xfffd, NULL, &status);
	latin_text = stet_alloc(call, LATIN_MOST * sizeof(*text));
	memcpy(latin_text, text, (size_t)len * sizeof(*text));
	latin_len = len;
	to_latin(latin_text, &latin_len);
	spell(&w, latin_text, latin_len);
	/* Some letters have no sound of their own, such as the hard sign of Cyrillic; some are
	 * words (U+FDFA), of which too many have no room. */
	if (w.len == 0)
		spell(&w, text, len);
	/* Signs that are not shown get the code of the first one. */
	for (int32_t i = 0; w.len == 0 && i < len; i++)
		if (!u_isUWhiteSpace(text[i]))
			w.len = (size_t)snprintf(w.text, w.room, "u%04x", (unsigned)text[i]);
	w.text[w.len] = '\0';
	return w.text;
}

/* ---- slugs ---- */

bool
label_is_plain(const char *text)
{
	bool words = false;

	for (; *text != '\0'; text++) {
		if ((unsigned char)*text >= 0x80)
			return false;
		words |= isalnum((unsigned char)*text) != 0;
	}
	return words;
}

char *
label_name(struct stet_call *call, const char *label)
{
	char *slug = stet_alloc(call, LABEL_SLUG_MAX + 2), *out = slug;
	const char *at = with_words(call, label);

	if (!label_is_plain(at))
		at = latin_words(call, at);
	for (; *at != '\0' && out < slug + LABEL_SLUG_MAX; at++) {
		if (out == slug && isdigit((unsigned char)*at))
			*out++ = 'n';
		if (isalnum((unsigned char)*at))
			*out++ = (char)tolower((unsigned char)*at);
		else if (out > slug)
			*out++ = '_';
	}
	*out = '\0';
	return out > slug ? slug : stet_strdup(call, "imported");
}

char *
label_slug(struct stet_call *call, const char *label)
{
	char *slug = stet_slugify(call, with_words(call, label));

	return *slug != '\0' ? slug : label_ascii_slug(call, label);
}

char *
label_ascii_slug(struct stet_call *call, const char *label)
{
	const char *text = with_words(call, label);

	return stet_slugify(call, label_is_plain(text) ? text : latin_words(call, text));
}
