/* php.c - a reader of serialized PHP. It trusts no length, and returns no value after an error. */
#include "read/php.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEP_MAX 64
#define VALUES_MAX 100000

struct php {
	const char *p, *end;
	size_t values;
	size_t budget; /* bytes that may be scanned to correct lengths */
	int deep;
};

static json_t *read_value(struct php *);

static bool
take(struct php *s, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(s->end - s->p) < len || memcmp(s->p, word, len) != 0)
		return false;
	s->p += len;
	return true;
}

/* Digits with a sign up to `stop`, which is taken. */
static bool
take_integer(struct php *s, char stop, long long *out)
{
	bool minus = s->p < s->end && *s->p == '-';
	unsigned long long n = 0;
	const char *first;

	s->p += minus;
	for (first = s->p; s->p < s->end && *s->p >= '0' && *s->p <= '9'; s->p++) {
		if (n > (INT64_MAX - 9ULL) / 10)
			return false;
		n = n * 10 + (unsigned)(*s->p - '0');
	}
	if (s->p == first || s->p == s->end || *s->p != stop)
		return false;
	s->p++;
	*out = minus ? -(long long)n : (long long)n;
	return true;
}

static bool
take_length(struct php *s, size_t *out)
{
	long long n;

	if (!take_integer(s, ':', &n) || n < 0 || n > s->end - s->p)
		return false;
	*out = (size_t)n;
	return true;
}

/* Returns the real length of a text whose CR LF became LF; `len` if it cannot be found. */
static size_t
shorter(struct php *s, size_t len, const char *close)
{
	size_t lines = 0;

	if (len > s->budget)
		return len;
	s->budget -= len;
	for (size_t i = 0; i < len; i++)
		lines += s->p[i] == '\n';
	for (size_t k = 1; k <= lines && k <= len; k++)
		if ((size_t)(s->end - s->p) - len + k >= 2 && memcmp(s->p + len - k, close, 2) == 0)
			return len - k;
	return len;
}

/* Reads "…" and the bytes that close it; *text points into the source. */
static bool
take_bytes(struct php *s, const char *close, const char **text, size_t *len)
{
	if (!take_length(s, len) || !take(s, "\""))
		return false;
	if (*len > (size_t)(s->end - s->p))
		return false;
	if ((size_t)(s->end - s->p) - *len < 2 || memcmp(s->p + *len, close, 2) != 0)
		*len = shorter(s, *len, close);
	*text = s->p;
	if ((size_t)(s->end - s->p) - *len < 2 || memcmp(s->p + *len, close, 2) != 0)
		return false;
	s->p += *len + 2;
	return true;
}

static json_t *
read_text(struct php *s)
{
	const char *text;
	size_t len;

	return take_bytes(s, "\";", &text, &len) && memchr(text, '\0', len) == NULL
		   ? json_stringn(text, len)
		   : NULL;
}

static json_t *
read_integer(struct php *s)
{
	long long n;

	return take_integer(s, ';', &n) ? json_integer(n) : NULL;
}

static json_t *
read_boolean(struct php *s)
{
	long long n;

	return take_integer(s, ';', &n) && (n == 0 || n == 1) ? json_boolean((int)n) : NULL;
}

/* JSON has no number for INF and NAN. */
static json_t *
read_float(struct php *s)
{
	char digits[64], *last;
	size_t len = 0;
	double d;

	while (s->p + len < s->end && s->p[len] != ';' && len < sizeof(digits) - 1)
		len++;
	if (len == 0 || s->p + len == s->end || s->p[len] != ';')
		return NULL;
	memcpy(digits, s->p, len);
	digits[len] = '\0';
	s->p += len + 1;
	d = strtod(digits, &last);
	if (*last != '\0')
		return NULL;
	return isfinite(d) ? json_real(d) : json_null();
}

/* ---- lists and objects ---- */

/* The name of a member without its class: "\0*\0name". */
static void
bare_name(const char **text, size_t *len)
{
	const char *nul = *len > 0 && **text == '\0' ? memchr(*text + 1, '\0', *len - 1) : NULL;

	if (nul != NULL) {
		*len -= (size_t)(nul + 1 - *text);
		*text = nul + 1;
	}
}

struct list {
	json_t *items, *members; /* items: NULL once a key was not the next number */
	long long next;
};

/* Turns the list into an object whose keys are 0, 1, 2 … */
static bool
become_object(struct list *l)
{
	char key[24];

	for (size_t i = 0; i < json_array_size(l->items); i++) {
		(void)snprintf(key, sizeof(key), "%zu", i);
		if (json_object_set(l->members, key, json_array_get(l->items, i)) != 0)
			return false;
	}
	json_decref(l->items);
	l->items = NULL;
	return true;
}

static bool
put_numbered(struct list *l, long long number, json_t *value)
{
	char key[24];

	if (l->items != NULL && number == l->next) {
		l->next++;
		return json_array_append(l->items, value) == 0;
	}
	if (l->items != NULL && !become_object(l))
		return false;
	(void)snprintf(key, sizeof(key), "%lld", number);
	return json_object_set(l->members, key, value) == 0;
}

static bool
put_named(struct list *l, const char *name, size_t len, json_t *value)
{
	if (memchr(name, '\0', len) != NULL || (l->items != NULL && !become_object(l)))
		return false;
	return json_object_setn(l->members, name, len, value) == 0;
}

static bool
read_member(struct php *s, struct list *l)
{
	const char *name = NULL;
	long long number = 0;
	size_t len = 0;
	json_t *value;
	bool good;

	if (take(s, "i:"))
		good = take_integer(s, ';', &number);
	else
		good = take(s, "s:") && take_bytes(s, "\";", &name, &len);
	if (!good || (value = read_value(s)) == NULL)
		return false;
	if (name != NULL)
		bare_name(&name, &len);
	good = name != NULL ? put_named(l, name, len, value) : put_numbered(l, number, value);
	json_decref(value);
	return good;
}

/* Reads "3:{…}". An object of PHP becomes an object even if it has no members. */
static json_t *
read_list(struct php *s, bool object)
{
	struct list l = { .items = object ? NULL : json_array(), .members = json_object() };
	long long count = 0;
	bool good = take_integer(s, ':', &count) && count >= 0 && take(s, "{");
	json_t *out;

	while (good && count-- > 0)
		good = read_member(s, &l);
	good = good && take(s, "}");
	out = l.items != NULL ? l.items : l.members;
	if (l.items != NULL)
		json_decref(l.members);
	if (good)
		return out;
	json_decref(out);
	return NULL;
}

static json_t *
read_object(struct php *s)
{
	const char *class;
	size_t len;

	return take_bytes(s, "\":", &class, &len) ? read_list(s, true) : NULL;
}

static json_t *
read_value(struct php *s)
{
	json_t *out = NULL;

	if (++s->values > VALUES_MAX || s->deep >= DEEP_MAX)
		return NULL;
	s->deep++;
	if (take(s, "N;"))
		out = json_null();
	else if (take(s, "i:"))
		out = read_integer(s);
	else if (take(s, "b:"))
		out = read_boolean(s);
	else if (take(s, "d:"))
		out = read_float(s);
	else if (take(s, "s:") || take(s, "E:"))
		out = read_text(s);
	else if (take(s, "a:"))
		out = read_list(s, false);
	else if (take(s, "O:"))
		out = read_object(s);
	s->deep--;
	return out;
}

bool
php_is(const char *text)
{
	return (text[0] == 'a' || text[0] == 'O') && text[1] == ':' && text[2] >= '0' &&
	       text[2] <= '9';
}

json_t *
php_read(const char *text, size_t len)
{
	struct php s = { .p = text, .end = text + len, .budget = 4 * len };
	json_t *out = read_value(&s);

	if (out == NULL || s.p == s.end)
		return out;
	json_decref(out);
	return NULL;
}
