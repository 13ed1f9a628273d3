/* scalar.c - field types whose values are texts, links, numbers, booleans or times. */
#include "schema.h"
#include <math.h>
#include <string.h>

json_t *
keep(const json_t *value)
{
	return json_incref((json_t *)(uintptr_t)value);
}

const json_t *
rule(const struct stet_field *f, const char *name)
{
	return f->validation != NULL ? json_object_get(f->validation, name) : NULL;
}

/* ---- text ---- */

static enum stet_status
check_length(struct stet_call *call, const struct stet_field *f, const char *path, const char *text,
    bool *good)
{
	const json_t *min = rule(f, "minLength"), *max = rule(f, "maxLength");
	int64_t n;

	if (min == NULL && max == NULL)
		return STET_OK;
	n = stet_utf8_length(text);
	if (min != NULL && n < json_integer_value(min)) {
		stet_issue(call, path, "must have at least %lld characters",
		    (long long)json_integer_value(min));
		*good = false;
	}
	if (max != NULL && n > json_integer_value(max)) {
		stet_issue(call, path, "must have at most %lld characters",
		    (long long)json_integer_value(max));
		*good = false;
	}
	return STET_OK;
}

static enum stet_status
check_text_rules(struct stet_call *call, const struct stet_field *f, const char *path,
    const char *text, bool *good)
{
	const char *pattern, *why = NULL;
	bool found = false;

	*good = true;
	if (f->validation == NULL)
		return STET_OK;
	STET_TRY(check_length(call, f, path, text, good));
	pattern = json_string_value(rule(f, "pattern"));
	if (pattern != NULL &&
	    (stet_match(call, pattern, text, &found, &why) != STET_OK || !found)) {
		stet_issue(call, path, "must match %s", pattern);
		*good = false;
	}
	return STET_OK;
}

enum stet_status
check_string(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	bool good;

	*out = NULL;
	if (!json_is_string(value))
		return REFUSE(call, path, "must be a string");
	STET_TRY(check_text_rules(call, f, path, json_string_value(value), &good));
	if (good)
		*out = keep(value);
	return STET_OK;
}

enum stet_status
check_slug(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	const char *slug;
	bool good;

	*out = NULL;
	if (!json_is_string(value))
		return REFUSE(call, path, "must be a string");
	slug = stet_slugify(call, json_string_value(value));
	if (*slug == '\0' && json_string_length(value) > 0)
		return REFUSE(call, path, "must have letters or digits");
	STET_TRY(check_text_rules(call, f, path, slug, &good));
	if (good)
		*out = json_string(slug);
	return STET_OK;
}

/* ---- links ---- */

static bool
has_scheme(const char *url, const char *scheme, size_t *len)
{
	size_t n = strlen(scheme);

	for (size_t i = 0; i < n; i++)
		if ((url[i] >= 'A' && url[i] <= 'Z' ? url[i] + 32 : url[i]) != scheme[i])
			return false;
	*len = n;
	return true;
}

static bool
is_clean(const char *url)
{
	for (; *url != '\0'; url++)
		if ((unsigned char)*url <= ' ' || *url == 0x7f || *url == '\\')
			return false;
	return true;
}

bool
is_url(const char *url)
{
	size_t n;

	if (!is_clean(url))
		return false;
	if (url[0] == '/')
		return url[1] != '/'; /* "//host" leads to another site */
	if (has_scheme(url, "http://", &n) || has_scheme(url, "https://", &n))
		return url[n] != '\0' && strchr("/?#:@", url[n]) == NULL;
	if (has_scheme(url, "mailto:", &n) || has_scheme(url, "tel:", &n))
		return url[n] != '\0';
	return false;
}

enum stet_status
check_url(struct stet_call *call, const struct stet_field *f, const char *path, const json_t *value,
    json_t **out)
{
	static const char blanks[] = " \t\r\n";
	const char *text = json_string_value(value);
	size_t len;

	(void)f;
	*out = NULL;
	if (text == NULL)
		return REFUSE(call, path, "must be a string");
	text += strspn(text, blanks);
	len = strlen(text);
	while (len > 0 && strchr(blanks, text[len - 1]) != NULL)
		len--;
	text = stet_strndup(call, text, len);
	if (!is_url(text))
		return REFUSE(call, path,
		    "must be an http, https, mailto or tel URL, or a path from the root");
	*out = json_string(text);
	return STET_OK;
}

/* ---- numbers ---- */

static bool
check_range(
    struct stet_call *call, const struct stet_field *f, const char *path, const json_t *value)
{
	const json_t *min = rule(f, "min"), *max = rule(f, "max");
	double x = json_number_value(value);

	if (json_is_number(min) && x < json_number_value(min)) {
		stet_issue(call, path, "must be at least %.15g", json_number_value(min));
		return false;
	}
	if (json_is_number(max) && x > json_number_value(max)) {
		stet_issue(call, path, "must be at most %.15g", json_number_value(max));
		return false;
	}
	return true;
}

enum stet_status
check_number(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	json_int_t n = json_integer_value(value); /* 0: it is a real number */

	*out = NULL;
	if (!json_is_number(value) || !isfinite(json_number_value(value)))
		return REFUSE(call, path, "must be a number");
	if (!check_range(call, f, path, value))
		return STET_OK;
	if (n > SAFE_INTEGER || n < -SAFE_INTEGER)
		*out = json_real(json_number_value(value)); /* the column stores a double */
	else
		*out = keep(value);
	return STET_OK;
}

enum stet_status
check_integer(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	double x = json_number_value(value);
	int64_t i;

	*out = NULL;
	if (!json_is_number(value) || (json_is_real(value) && floor(x) != x))
		return REFUSE(call, path, "must be a whole number");
	if (fabs(x) > (double)SAFE_INTEGER)
		return REFUSE(call, path, "must be within -9007199254740991 and 9007199254740991");
	i = json_is_integer(value) ? json_integer_value(value) : (int64_t)x;
	if (i > SAFE_INTEGER || i < -SAFE_INTEGER)
		return REFUSE(call, path, "must be within -9007199254740991 and 9007199254740991");
	if (check_range(call, f, path, value))
		*out = json_is_integer(value) ? keep(value) : json_integer(i);
	return STET_OK;
}

enum stet_status
check_boolean(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	double x = json_number_value(value);

	(void)f;
	*out = NULL;
	if (json_is_boolean(value))
		*out = keep(value);
	else if (json_is_number(value) && (x == 0 || x == 1))
		*out = json_boolean(x == 1);
	else
		return REFUSE(call, path, "must be true or false");
	return STET_OK;
}

/* ---- time ---- */

enum stet_status
check_datetime(struct stet_call *call, const struct stet_field *f, const char *path,
    const json_t *value, json_t **out)
{
	const char *text = json_string_value(value), *bound;
	int64_t ms, limit;

	*out = NULL;
	if (text == NULL || !stet_time_parse(text, &ms))
		return REFUSE(call, path, "must be an ISO 8601 date or date and time");
	bound = json_string_value(rule(f, "min"));
	if (bound != NULL && stet_time_parse(bound, &limit) && ms < limit)
		return REFUSE(call, path, "must not be before %s", bound);
	bound = json_string_value(rule(f, "max"));
	if (bound != NULL && stet_time_parse(bound, &limit) && ms > stet_time_last(bound, limit))
		return REFUSE(call, path, "must not be after %s", bound);
	*out = json_string(stet_time_text(call, ms));
	return STET_OK;
}
