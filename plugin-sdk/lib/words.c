/* words.c - chooses the language of texts for people: that of the person's profile, or that of the
 * browser (Accept-Language, RFC 9110 12.5.4), or that of the site. */
#include "base/log.h"
#include <stdarg.h>
#include <stdlib.h>
#include <stet/call.h>
#include <stet/users.h>
#include <stet/words.h>
#include <string.h>
#include <strings.h>

#define RANGES_MAX 32 /* of a header that are read; browsers send less than ten */
#define VALUES_MAX 8

/* Returns the row of the language that a range names ("de-AT" names de), or NULL. */
static const struct stet_words *
named(const struct stet_words *all, const char *range, size_t len)
{
	for (; all->language != NULL; all++) {
		size_t n = strlen(all->language);

		if (len >= n && strncasecmp(range, all->language, n) == 0 &&
		    (len == n || range[n] == '-'))
			return all;
	}
	return NULL;
}

/* The weight of a range: 1 if it names none, 0 if it cannot be read. */
static double
weight(const char *range, size_t len)
{
	const char *at = memchr(range, ';', len), *end = range + len;

	if (at == NULL)
		return 1;
	for (at++; at < end && (*at == ' ' || *at == '\t'); at++)
		;
	return end - at > 2 && strncasecmp(at, "q=", 2) == 0 ? strtod(at + 2, NULL) : 0;
}

/* Returns the row that the header Accept-Language prefers, or NULL. */
static const struct stet_words *
preferred(struct stet_call *call, const struct stet_words *all)
{
	const char *at = stet_request_header(call, "accept-language");
	const struct stet_words *best = NULL;
	double most = 0;

	for (int i = 0; at != NULL && *at != '\0' && i < RANGES_MAX; i++) {
		size_t len;
		const struct stet_words *row;

		at += strspn(at, " \t,");
		len = strcspn(at, ",");
		row = named(all, at, strcspn(at, " \t;,"));
		if (row != NULL && weight(at, len) > most) {
			best = row;
			most = weight(at, len);
		}
		at += len;
	}
	return best;
}

/* Reads the language of the profile of the person who is signed in; NULL: nobody is, or none was
 * chosen. A page is shown in another language rather than not at all if it cannot be read. */
static const char *
read_chosen(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const char *language = NULL;

	if (p == NULL || p->session_id == NULL || users == NULL)
		return NULL;
	if (users->language(call, p->id, &language) != STET_OK) {
		stet_error_clear(call);
		return NULL;
	}
	return language;
}

/* As read_chosen, which runs once in a call. */
static const char *
chosen(struct stet_call *call)
{
	static const char key[1];
	const char **kept = *stet_call_slot(call, key);

	if (kept == NULL) {
		kept = stet_alloc(call, sizeof(*kept));
		*kept = read_chosen(call);
		*stet_call_slot(call, key) = kept;
	}
	return *kept;
}

const struct stet_words *
stet_words_in(struct stet_call *call, const struct stet_words *all, const char *language)
{
	const char *const *locales = stet_locales(call);
	const struct stet_words *row =
	    language != NULL ? named(all, language, strlen(language)) : NULL;

	if (row == NULL && locales[0] != NULL)
		row = named(all, locales[0], strlen(locales[0]));
	return row != NULL ? row : all;
}

const struct stet_words *
stet_words(struct stet_call *call, const struct stet_words *all)
{
	const char *language = chosen(call);
	const struct stet_words *row =
	    language != NULL ? named(all, language, strlen(language)) : NULL;

	if (row == NULL)
		row = preferred(call, all);
	return row != NULL ? row : stet_words_in(call, all, NULL);
}

/* ---- texts with values ---- */

struct values {
	const char *name[VALUES_MAX], *value[VALUES_MAX];
	int count;
};

static const char *
value_of(const struct values *v, const char *name, size_t len)
{
	for (int i = 0; i < v->count; i++)
		if (strlen(v->name[i]) == len && memcmp(v->name[i], name, len) == 0)
			return v->value[i] != NULL ? v->value[i] : "";
	stet_assert(false);
	return "";
}

const char *
stet_word_fill(struct stet_call *call, const struct stet_word *words, const char *name, ...)
{
	const char *text = stet_word(words, name), *out = "", *at;
	struct values v = { .count = 0 };
	va_list args;

	va_start(args, name);
	while ((at = va_arg(args, const char *)) != NULL) {
		stet_assert(v.count < VALUES_MAX);
		v.name[v.count] = at;
		v.value[v.count++] = va_arg(args, const char *);
	}
	va_end(args);
	for (; (at = strchr(text, '{')) != NULL; text = at + strcspn(at, "}") + 1)
		out = stet_printf(call, "%s%.*s%s", out, (int)(at - text), text,
		    value_of(&v, at + 1, strcspn(at + 1, "}")));
	return stet_printf(call, "%s%s", out, text);
}
