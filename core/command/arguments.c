/*
 * arguments.c - turns words of the command line into arguments of an op: its members are the
 * options.
 */
#include "command/arguments.h"
#include "base/arena.h"
#include "call/call.h"
#include "call/json.h"
#include "command/command.h"
#include <ctype.h>
#include <errno.h>
#include <sodium.h>
#include <string.h>

/* ---- names ---- */

bool
argument_usable(const struct stet_member *m)
{
	return (m->flags & STET_IGNORED) == 0;
}

/* Returns the option for a member: --create-schema for createSchema and create_schema. */
void
argument_option(const struct stet_member *m, char out[80])
{
	size_t n = 0;

	out[n++] = '-';
	out[n++] = '-';
	for (const char *s = m->name; *s != '\0' && n < 77; s++) {
		if (isupper((unsigned char)*s) && s > m->name)
			out[n++] = '-';
		out[n++] = (char)(*s == '_' && s > m->name ? '-' : tolower((unsigned char)*s));
	}
	out[n] = '\0';
}

void
argument_metavar(const char *name, char out[80])
{
	const struct stet_member m = { .name = name };

	argument_option(&m, out);
	memmove(out, out + 2, strlen(out + 2) + 1);
	for (char *p = out; *p != '\0'; p++)
		*p = (char)toupper((unsigned char)*p);
}

bool
argument_operand(const char *operands, const char *name)
{
	size_t len = strlen(name);

	for (const char *s = operands; s != NULL && *s != '\0'; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		if (n == len && memcmp(s, name, n) == 0)
			return true;
		s += n;
	}
	return false;
}

/* Returns the member that an option such as --create-schema (without "=VALUE") names, or NULL. */
static const struct stet_member *
by_option(const struct stet_member *in, const char *word, size_t len)
{
	for (; in != NULL && in->name != NULL; in++) {
		char option[80];

		if (!argument_usable(in))
			continue;
		argument_option(in, option);
		if (strlen(option) == len && memcmp(option, word, len) == 0)
			return in;
		if (strlen(in->name) == len - 2 && memcmp(in->name, word + 2, len - 2) == 0)
			return in;
	}
	return NULL;
}

static const struct stet_member *
by_name(const struct stet_member *in, const char *name, size_t len)
{
	for (; in != NULL && in->name != NULL; in++)
		if (strlen(in->name) == len && memcmp(in->name, name, len) == 0)
			return in;
	return NULL;
}

/* ---- values ---- */

static json_t *
parse(const char *text, const char **why)
{
	size_t position;

	return json_parse(text, strlen(text), why, &position);
}

static json_t *
string(const char *text, const char **why)
{
	json_t *value = json_string(text);

	if (value == NULL)
		*why = "is not UTF-8";
	return value;
}

static json_t *
number(const char *text)
{
	const char *why;

	return strspn(text, "+-0123456789.eE") == strlen(text) ? parse(text, &why) : NULL;
}

static json_t *
scalar(enum stet_type type, const char *text, const char **why)
{
	json_t *value;

	switch (type) {
	case STET_STRING:
	case STET_TIME:
		return string(text, why);
	case STET_INTEGER:
	case STET_NUMBER:
		if ((value = number(text)) == NULL)
			*why = "is not a number";
		return value;
	case STET_BOOLEAN:
		if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0 || strcmp(text, "yes") == 0)
			return json_true();
		if (strcmp(text, "false") == 0 || strcmp(text, "0") == 0 || strcmp(text, "no") == 0)
			return json_false();
		*why = "is not true or false";
		return NULL;
	case STET_ANY: /* JSON, otherwise the text itself */
		if ((value = parse(text, why)) == NULL)
			value = string(text, why);
		return value;
	default:
		return parse(text, why);
	}
}

static json_t *
list(enum stet_type item, const char *text, const char **why)
{
	json_t *values = json_array();

	for (; *text != '\0'; text += *text == ',') {
		size_t len = strcspn(text, ","), skip = strspn(text, " ");
		size_t n = skip < len ? len - skip : 0;
		char *one = xmalloc(n + 1);
		json_t *value;

		memcpy(one, text + (len - n), n);
		one[n] = '\0';
		value = scalar(item, one, why);
		free(one);
		if (value == NULL) {
			json_decref(values);
			return NULL;
		}
		json_array_append_new(values, value);
		text += len;
	}
	return values;
}

json_t *
argument_value(const struct stet_member *m, const char *text, const char **why)
{
	bool nullable = (m->flags & STET_NULLABLE) != 0 && m->type != STET_STRING;

	*why = NULL;
	if ((m->flags & STET_OR_TEXT) != 0 && *text != '[' && *text != '{')
		return string(text, why);
	if (nullable && strcmp(text, "null") == 0)
		return json_null();
	if (m->type == STET_ARRAY && m->of == NULL && m->item != STET_ANY && *text != '[')
		return list(m->item, text, why);
	return scalar(m->type, text, why);
}

/* ---- the command line ---- */

static int
wrong(const char *word, size_t len, const char *why)
{
	fprintf(stderr, "stet: %.*s %s\n", (int)len, word, why);
	return EXIT_USAGE;
}

static int
put(json_t *args, const struct stet_member *m, const char *word, size_t len, const char *text)
{
	const char *why;
	json_t *value = argument_value(m, text, &why), *had;

	if (value == NULL)
		return wrong(word, len, why != NULL ? why : "has a value that is not JSON");
	had = json_object_get(args, m->name);
	if (had != NULL && json_is_array(had) && json_is_array(value)) {
		json_array_extend(had, value);
		json_decref(value);
	} else if (had != NULL) {
		json_decref(value);
		return wrong(word, len, "is said twice");
	} else
		json_object_set_new(args, m->name, value);
	return -1;
}

static int
unknown_option(const struct stet_member *in, const char *word, size_t len)
{
	static const char *const before[] = { "--config", "--data", "--site", "--json" };
	bool any = false;

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (strlen(before[i]) == len && memcmp(before[i], word, len) == 0)
			return wrong(word, len, "stands before the command");
	fprintf(stderr, "stet: unknown option %.*s;", (int)len, word);
	for (; in != NULL && in->name != NULL; in++) {
		char option[80];

		if (!argument_usable(in))
			continue;
		argument_option(in, option);
		fprintf(stderr, "%s%s", any ? ", " : " there are ", option);
		any = true;
	}
	fputs(any ? "\n" : " there are none\n", stderr);
	return EXIT_USAGE;
}

/* ---- options whose value is in a file ---- */

#define FILE_SUFFIX "-file"
#define FILE_SUFFIX_LEN 5
#define FILE_MOST 1048576 /* bytes */

/* Returns the text member for "--secret-file", if the op has no such option itself; NULL: none. */
static const struct stet_member *
by_file_option(const struct stet_member *in, const char *word, size_t len)
{
	const struct stet_member *m;

	if (len <= FILE_SUFFIX_LEN + 2 ||
	    memcmp(word + len - FILE_SUFFIX_LEN, FILE_SUFFIX, FILE_SUFFIX_LEN) != 0)
		return NULL;
	m = by_option(in, word, len - FILE_SUFFIX_LEN);
	return m != NULL && m->type == STET_STRING ? m : NULL;
}

/* Returns the text of a file, or NULL with the reason in *why. */
static char *
read_file(FILE *f, const char **why)
{
	char *text = xmalloc(FILE_MOST + 2);
	size_t len = fread(text, 1, FILE_MOST + 1, f);

	*why = NULL;
	if (ferror(f))
		*why = strerror(errno);
	else if (len > FILE_MOST)
		*why = "has more than a MiB";
	else if (memchr(text, '\0', len) != NULL)
		*why = "has a NUL byte";
	if (*why != NULL) {
		free(text);
		return NULL;
	}
	if (len > 0 && text[len - 1] == '\n')
		len--;
	text[len] = '\0';
	return text;
}

static int
put_file(json_t *args, const struct stet_member *m, const char *word, size_t len, const char *path)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *f = standard ? stdin : fopen(path, "re");
	const char *why;
	char *text;
	int status;

	if (f == NULL) {
		fprintf(stderr, "stet: cannot read %s: %s\n", path, strerror(errno));
		return EXIT_USAGE;
	}
	text = read_file(f, &why);
	if (!standard)
		fclose(f);
	if (text == NULL) {
		fprintf(stderr, "stet: %s %s\n", standard ? "standard input" : path, why);
		return EXIT_USAGE;
	}
	status = put(args, m, word, len, text);
	sodium_memzero(text, strlen(text));
	free(text);
	return status;
}

/* Reads --flag, --no-flag, --name VALUE, --name=VALUE or --name-file FILE. *used: how many words
 * were read. */
static int
take_option(const struct stet_member *in, int argc, char **argv, json_t *args, int *used)
{
	const char *word = argv[0];
	size_t len = strcspn(word, "=");
	const struct stet_member *m = by_option(in, word, len);
	int (*take)(json_t *, const struct stet_member *, const char *, size_t, const char *) = put;
	char positive[80] = "--";

	*used = 1;
	if (m == NULL && (m = by_file_option(in, word, len)) != NULL)
		take = put_file;
	if (m == NULL && strncmp(word, "--no-", 5) == 0 && len < sizeof(positive)) {
		memcpy(positive + 2, word + 5, len - 5);
		m = by_option(in, positive, len - 3);
		if (m != NULL && m->type == STET_BOOLEAN && word[len] == '\0')
			return put(args, m, word, len, "false");
		m = NULL;
	}
	if (m == NULL)
		return unknown_option(in, word, len);
	if (word[len] == '=')
		return take(args, m, word, len, word + len + 1);
	if (m->type == STET_BOOLEAN)
		return put(args, m, word, len, "true");
	if (argc < 2)
		return wrong(word, len, "needs a value");
	*used = 2;
	return take(args, m, word, len, argv[1]);
}

/* Returns the member of the next operand, or NULL if there are no more. */
static const struct stet_member *
next_operand(const struct stet_member *in, const char **operands)
{
	const char *name = *operands != NULL ? *operands + strspn(*operands, " ") : "";
	size_t len = strcspn(name, " ");

	*operands = name + len;
	return len > 0 ? by_name(in, name, len) : NULL;
}

static bool
is_choice(const struct stet_member *m, const char *text)
{
	if (m->choices == NULL)
		return true;
	for (int i = 0; m->choices[i] != NULL; i++)
		if (strcmp(m->choices[i], text) == 0)
			return true;
	return false;
}

static int
no_choice(const struct stet_member *m, const char *text)
{
	fprintf(stderr, "stet: %s is none of", text);
	for (int i = 0; m->choices[i] != NULL; i++)
		fprintf(stderr, "%s %s", i > 0 ? "," : "", m->choices[i]);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

static int
missing(const struct stet_member *in, const char *operands, const json_t *args)
{
	const struct stet_member *m;
	char name[80];

	while ((m = next_operand(in, &operands)) != NULL) {
		if ((m->flags & STET_REQUIRED) == 0 || json_object_get(args, m->name) != NULL)
			continue;
		argument_metavar(m->name, name);
		fprintf(stderr, "stet: %s is missing\n", name);
		return EXIT_USAGE;
	}
	return -1;
}

int
argument_parse(
    const struct stet_member *in, const char *operands, int argc, char **argv, json_t *args)
{
	const char *left = operands;
	bool options = true;
	int status = -1, used;

	for (int i = 0; i < argc && status < 0; i += used) {
		const char *word = argv[i];
		const struct stet_member *m;

		used = 1;
		if (options && strcmp(word, "--") == 0)
			options = false;
		else if (options && strncmp(word, "--", 2) == 0)
			status = take_option(in, argc - i, argv + i, args, &used);
		else if (options && word[0] == '-' && word[1] != '\0')
			status = wrong(word, strlen(word), "is no option: options begin with --");
		else if ((m = next_operand(in, &left)) == NULL)
			status = wrong(word, strlen(word), "is one word too many");
		else if (!is_choice(m, word))
			status = no_choice(m, word);
		else
			status = put(args, m, word, strlen(word), word);
	}
	return status < 0 ? missing(in, operands, args) : status;
}

/* ---- usage ---- */

/* Returns true for a flag that is on by default, so that usage shows only --no-NAME. */
static bool
is_on(const struct stet_member *m)
{
	return m->type == STET_BOOLEAN && m->fallback != NULL && strcmp(m->fallback, "true") == 0;
}

static void
usage_option(FILE *f, const struct stet_member *m)
{
	bool required = (m->flags & STET_REQUIRED) != 0;
	char option[80], metavar[80];

	argument_option(m, option);
	argument_metavar(m->name, metavar);
	fprintf(f, " %s%s%s", required ? "" : "[", is_on(m) ? "--no-" : "--", option + 2);
	if (m->type != STET_BOOLEAN)
		fprintf(f, " %s%s", metavar, m->type == STET_ARRAY && m->of == NULL ? ",…" : "");
	fputs(required ? "" : "]", f);
}

void
argument_usage(FILE *f, const struct stet_member *in, const char *operands)
{
	const char *left = operands;
	const struct stet_member *m;
	char metavar[80];

	while ((m = next_operand(in, &left)) != NULL) {
		bool required = (m->flags & STET_REQUIRED) != 0;

		argument_metavar(m->name, metavar);
		fprintf(f, required ? " %s" : " [%s]", metavar);
	}
	for (int pass = 0; pass < 2; pass++) /* required ones first */
		for (m = in; m != NULL && m->name != NULL; m++)
			if (argument_usable(m) && !argument_operand(operands, m->name) &&
			    ((m->flags & STET_REQUIRED) != 0) == (pass == 0))
				usage_option(f, m);
}

/* Returns true if the description explains each choice ("test: ... list: ..."). */
static bool
tells_choices(const struct stet_member *m)
{
	char text[80];

	for (int i = 0; m->choices != NULL && m->choices[i] != NULL; i++) {
		(void)snprintf(text, sizeof(text), "%s: ", m->choices[i]);
		if (m->about == NULL || strstr(m->about, text) == NULL)
			return false;
	}
	return true;
}

static void
detail(FILE *f, const struct stet_member *m, const char *operands)
{
	char name[80], both[180];

	if (argument_operand(operands, m->name))
		argument_metavar(m->name, name);
	else
		argument_option(m, name);
	(void)snprintf(both, sizeof(both), "%s, --no-%s", name, name + 2);
	fprintf(f, "  %-20s %s", is_on(m) && name[0] == '-' ? both : name,
	    m->about != NULL ? m->about : "");
	for (int i = 0; !tells_choices(m) && m->choices != NULL && m->choices[i] != NULL; i++)
		fprintf(f, "%s%s", i > 0 ? ", " : m->about != NULL ? ": " : "", m->choices[i]);
	if (m->fallback != NULL)
		fprintf(f, " (%s)", m->fallback);
	fputc('\n', f);
}

void
argument_details(FILE *f, const struct stet_member *in, const char *operands)
{
	bool texts = false, flags = false;

	for (const struct stet_member *m = in; m != NULL && m->name != NULL; m++) {
		if (!argument_usable(m))
			continue;
		detail(f, m, operands);
		texts |= m->type == STET_STRING && !argument_operand(operands, m->name);
		flags |= m->type == STET_BOOLEAN && !argument_operand(operands, m->name);
	}
	if (flags)
		fputs("  --no-OPTION          the opposite of an option without a value\n", f);
	if (texts)
		fputs("  --OPTION-file FILE   its text from a file, -: standard input\n", f);
}

static const char *
kind(const struct stet_member *m)
{
	static const char *const names[] = {
		[STET_ANY] = "JSON",
		[STET_STRING] = "TEXT",
		[STET_INTEGER] = "INTEGER",
		[STET_NUMBER] = "NUMBER",
		[STET_BOOLEAN] = "true|false",
		[STET_TIME] = "TIME",
		[STET_OBJECT] = "JSON",
		[STET_ARRAY] = "JSON",
	};
	bool words =
	    m->type == STET_ARRAY && m->of == NULL && m->item != STET_ANY && m->item != STET_OBJECT;

	return words ? "LIST" : names[m->type];
}

void
argument_keys(FILE *f, const struct stet_member *in)
{
	for (; in != NULL && in->name != NULL; in++) {
		if (!argument_usable(in))
			continue;
		fprintf(f, "  %s=%s%s\n", in->name, kind(in),
		    (in->flags & STET_REQUIRED) != 0 ? "  (required)" : "");
		if (in->about != NULL)
			fprintf(f, "      %s\n", in->about);
		for (int i = 0; in->choices != NULL && in->choices[i] != NULL; i++)
			fprintf(f, "%s%s%s", i == 0 ? "      one of: " : ", ", in->choices[i],
			    in->choices[i + 1] == NULL ? "\n" : "");
		if (in->fallback != NULL)
			fprintf(f, "      when left out: %s\n", in->fallback);
	}
}
