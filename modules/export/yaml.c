/*
 * yaml.c - an object as YAML 1.2: the front matter of a document. Texts are in double quotes, so
 * that none is read as a number or a date; times are not, since programs expect them like that.
 */
#include "outgoing.h"
#include <stdlib.h>
#include <string.h>

static void put_value(FILE *, const json_t *, int depth);

/* ---- scalars ---- */

/* Is the character at `s` one that a document of YAML may not contain? *len: its bytes. */
static bool
is_control(const char *s, size_t *len)
{
	const unsigned char *u = (const unsigned char *)s;

	*len = 1;
	if (u[0] < 0x20 || u[0] == 0x7f)
		return true;
	if (u[0] == 0xc2 && u[1] < 0xa0) {
		*len = 2;
		return true;
	}
	*len = 3;
	return u[0] == 0xef && ((u[1] == 0xbf && u[2] >= 0xbe) || (u[1] == 0xbb && u[2] == 0xbf));
}

static unsigned
code_of(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;

	if (len == 1)
		return u[0];
	return len == 2 ? (u[0] & 0x1fu) << 6 | (u[1] & 0x3fu)
			: (u[0] & 0xfu) << 12 | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu);
}

static void
put_text(FILE *f, const char *s)
{
	size_t len;

	(void)fputc('"', f);
	while (*s != '\0') {
		if (*s == '\n') {
			(void)fputs("\\n", f);
			s++;
		} else if (*s == '"' || *s == '\\') {
			(void)fprintf(f, "\\%c", *s++);
		} else if (is_control(s, &len)) {
			(void)fprintf(f, "\\u%04x", code_of(s, len));
			s += len;
		} else {
			(void)fputc(*s++, f);
		}
	}
	(void)fputc('"', f);
}

/* A number with the fewest digits that are read as the same one. */
static void
put_real(FILE *f, double value)
{
	char text[40];

	(void)snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) < value || strtod(text, NULL) > value)
		(void)snprintf(text, sizeof(text), "%.17g", value);
	(void)fputs(text, f);
	if (strpbrk(text, ".e") == NULL)
		(void)fputs(".0", f);
}

/* Does the text consist of the characters of a time, as "2024-01-31T10:20:30.000Z" does? */
static bool
is_time(const char *text)
{
	return strlen(text) == 24 && text[4] == '-' && text[10] == 'T' && text[23] == 'Z' &&
	       strspn(text, "0123456789-T:.Z") == 24;
}

static void
put_scalar(FILE *f, const json_t *value)
{
	if (json_is_string(value) && is_time(json_string_value(value)))
		(void)fputs(json_string_value(value), f);
	else if (json_is_string(value))
		put_text(f, json_string_value(value));
	else if (json_is_integer(value))
		(void)fprintf(f, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		put_real(f, json_real_value(value));
	else if (json_is_null(value))
		(void)fputs("null", f);
	else
		(void)fputs(json_is_true(value) ? "true" : "false", f);
}

/* ---- lists and maps ---- */

static void
put_key(FILE *f, const char *key)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char words[] = " true false null yes no on off y n True False Null Yes No ";
	const char *at = *key != '\0' ? strstr(words, key) : NULL;
	bool is_word = at != NULL && at[-1] == ' ' && at[strlen(key)] == ' ';

	if (!is_word && *key != '\0' && strchr(letters, *key) != NULL &&
	    strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
		strlen(key))
		(void)fputs(key, f);
	else
		put_text(f, key);
	(void)fputc(':', f);
}

static void
indent(FILE *f, int depth)
{
	(void)fprintf(f, "%*s", 2 * depth, "");
}

static void
put_members(FILE *f, const json_t *object, int depth)
{
	const char *key;
	json_t *value;
	bool first = true;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		/* The first member of an object in a list stands behind the dash. */
		if (!first || depth == 0)
			indent(f, depth);
		first = false;
		put_key(f, key);
		put_value(f, value, depth);
	}
}

static void
put_list(FILE *f, const json_t *list, int depth)
{
	json_t *value;
	size_t i;

	json_array_foreach(list, i, value)
	{
		indent(f, depth);
		(void)fputc('-', f);
		if (json_object_size(value) > 0) {
			(void)fputc(' ', f);
			put_members(f, value, depth + 1);
		} else
			put_value(f, value, depth);
	}
}

/* Writes a value behind its key or dash, and ends the line. */
static void
put_value(FILE *f, const json_t *value, int depth)
{
	if (json_array_size(value) > 0) {
		(void)fputc('\n', f);
		put_list(f, value, depth + 1);
	} else if (json_object_size(value) > 0) {
		(void)fputc('\n', f);
		indent(f, depth + 1);
		put_members(f, value, depth + 1);
	} else if (json_is_array(value) || json_is_object(value)) {
		(void)fputs(json_is_array(value) ? " []\n" : " {}\n", f);
	} else {
		(void)fputc(' ', f);
		put_scalar(f, value);
		(void)fputc('\n', f);
	}
}

const char *
yaml_of(struct stet_call *call, const json_t *object)
{
	char *text;
	const char *out;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (f == NULL)
		stet_out_of_memory();
	put_members(f, object, 0);
	if (fclose(f) != 0)
		stet_out_of_memory();
	out = stet_strdup(call, text);
	free(text);
	return out;
}
