/*
 * front.c - front matter: what stands before the text of a document, as YAML (libyaml), TOML
 * (toml.c) or JSON. All become JSON. Values of YAML without quotes have the types of its core
 * schema; aliases are refused, since a few lines of them unfold to gigabytes.
 */
#include "plan/kind.h"
#include "sources/sources.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#define FRONT_MAX (256u << 10) /* bytes */
#define DEPTH_MAX 20

/* ---- YAML ---- */

/* Containers that are open, each with the key of the member that comes next. */
struct yaml {
	yaml_parser_t parser;
	json_t *open[DEPTH_MAX];
	char *key[DEPTH_MAX];
	int depth;
	json_t *root;
	const char *why;
};

static bool
is_word(const char *text, const char *words)
{
	const char *at = words;
	size_t len = strlen(text);

	for (; len > 0 && (at = strchr(at, ' ')) != NULL && *++at != '\0';)
		if (strncmp(at, text, len) == 0 && at[len] == ' ')
			return true;
	return false;
}

/* A scalar without quotes. */
static json_t *
plain(const char *text)
{
	json_t *value;

	if (*text == '\0' || is_word(text, " ~ null Null NULL "))
		return json_null();
	if (is_word(text, " true True TRUE "))
		return json_true();
	if (is_word(text, " false False FALSE "))
		return json_false();
	/* YAML has numbers that a text would not be written back as: 1.10, 1e5, 0x10. */
	value = kind_number(text) ? toml_number(text) : NULL;
	return value != NULL ? value : json_string(text);
}

static json_t *
scalar(const yaml_event_t *e)
{
	const char *text = (const char *)e->data.scalar.value;
	size_t len = e->data.scalar.length;

	if (memchr(text, '\0', len) != NULL)
		return json_null();
	return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE ? plain(text)
							       : json_stringn(text, len);
}

static void
forget_key(struct yaml *y)
{
	free(y->key[y->depth - 1]);
	y->key[y->depth - 1] = NULL;
}

/* Takes the reference. */
static void
add(struct yaml *y, json_t *value)
{
	json_t *to = y->depth > 0 ? y->open[y->depth - 1] : NULL;

	if (to == NULL) {
		y->root = value;
	} else if (json_is_array(to)) {
		(void)json_array_append_new(to, value);
	} else if (y->key[y->depth - 1] != NULL) {
		(void)json_object_set_new(to, y->key[y->depth - 1], value);
		forget_key(y);
	} else {
		if (!json_is_string(value))
			y->why = "Its front matter has a key that is no text";
		else if ((y->key[y->depth - 1] = strdup(json_string_value(value))) == NULL)
			stet_out_of_memory();
		json_decref(value);
	}
}

static void
open_container(struct yaml *y, json_t *value)
{
	if (y->depth > 0 && json_is_object(y->open[y->depth - 1]) && y->key[y->depth - 1] == NULL) {
		y->why = "Its front matter has a key that is no text";
		json_decref(value);
		return;
	}
	if (y->depth == DEPTH_MAX) {
		y->why = "Its front matter is nested too deep";
		json_decref(value);
		return;
	}
	add(y, value); /* the container above, or the root, holds it */
	y->open[y->depth] = value;
	y->key[y->depth++] = NULL;
}

static void
key_as_written(struct yaml *y, const yaml_event_t *e)
{
	bool is_key =
	    y->depth > 0 && json_is_object(y->open[y->depth - 1]) && y->key[y->depth - 1] == NULL;

	if (is_key)
		add(y, json_stringn((const char *)e->data.scalar.value,
			   strlen((const char *)e->data.scalar.value)));
	else
		add(y, scalar(e));
}

static void
take(struct yaml *y, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_ALIAS_EVENT:
		y->why = "Its front matter has aliases, which are not read";
		break;
	case YAML_SCALAR_EVENT:
		key_as_written(y, e);
		break;
	case YAML_SEQUENCE_START_EVENT:
		open_container(y, json_array());
		break;
	case YAML_MAPPING_START_EVENT:
		open_container(y, json_object());
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		forget_key(y);
		y->depth--;
		break;
	default:
		break;
	}
}

/* `any`: it may be of any shape, not only a list of names and values. */
static json_t *
read_yaml(struct stet_call *call, const char *text, size_t len, bool any, const char **why)
{
	struct yaml y = { 0 };
	yaml_event_t event;
	bool ends = false;

	if (!yaml_parser_initialize(&y.parser))
		stet_out_of_memory();
	yaml_parser_set_input_string(&y.parser, (const unsigned char *)text, len);
	while (!ends && y.why == NULL) {
		if (!yaml_parser_parse(&y.parser, &event)) {
			y.why =
			    stet_printf(call, "Its front matter cannot be read: %.100s, line %zu",
				y.parser.problem != NULL ? y.parser.problem : "no YAML",
				y.parser.problem_mark.line + 2);
			break;
		}
		take(&y, &event);
		ends = event.type == YAML_STREAM_END_EVENT || event.type == YAML_DOCUMENT_END_EVENT;
		yaml_event_delete(&event);
	}
	while (y.depth > 0) {
		forget_key(&y);
		y.depth--;
	}
	yaml_parser_delete(&y.parser);
	if (!any && y.why == NULL && y.root != NULL && !json_is_object(y.root) &&
	    !json_is_null(y.root))
		y.why = "Its front matter is no list of names and values";
	*why = y.why;
	return y.root;
}

/* ---- finding it ---- */

/* Is there nothing but the mark in the line? */
static bool
is_mark(const char *line, const char *mark)
{
	const char *end = line + 3;

	if (strncmp(line, mark, 3) != 0)
		return false;
	end += strspn(end, " \t\r");
	return *end == '\n' || *end == '\0';
}

static const char *
after_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end != NULL ? end + 1 : line + strlen(line);
}

/* Returns the line that ends the front matter, or NULL. */
static const char *
end_line(const char *line, const char *mark)
{
	while (*line != '\0' && !is_mark(line, mark))
		line = after_line(line);
	return *line != '\0' ? line : NULL;
}

static json_t *
between_lines(struct stet_call *call, const char *text, const char **body, const char **why)
{
	const char *begin = after_line(text),
		   *end = end_line(begin, text[0] == '-' ? "---" : "+++");

	if (end == NULL) /* the mark is a horizontal rule */
		return NULL;
	*body = after_line(end);
	if (end - begin > (ptrdiff_t)FRONT_MAX) {
		*why = "Its front matter is longer than 256 KiB";
		return NULL;
	}
	return text[0] == '-' ? read_yaml(call, begin, (size_t)(end - begin), false, why)
			      : toml_read(call, begin, (size_t)(end - begin), why);
}

static json_t *
object(const char *text, size_t len, const char **body)
{
	json_error_t error;
	json_t *value =
	    json_loadb(text, len < FRONT_MAX ? len : FRONT_MAX, JSON_DISABLE_EOF_CHECK, &error);

	if (json_is_object(value))
		*body = text + error.position;
	return value;
}

void
front_read(struct stet_call *call, const char *text, size_t len, const json_t **out,
    const char **body, const char **why)
{
	json_t *value = NULL;

	*why = NULL;
	*body = text;
	if (is_mark(text, "---") || is_mark(text, "+++"))
		value = between_lines(call, text, body, why);
	else if (*text == '{')
		value = object(text, len, body);
	if (!json_is_object(value)) {
		json_decref(value);
		value = json_object();
	}
	*out = stet_json_own(call, value);
}

const json_t *
front_file(struct stet_call *call, const char *name, const char *text, size_t len, const char **why)
{
	const char *dot = strrchr(name, '.');
	json_error_t error;
	json_t *out = NULL;

	*why = NULL;
	if (dot != NULL && strcasecmp(dot, ".toml") == 0)
		out = toml_read(call, text, len, why);
	else if (dot != NULL && strcasecmp(dot, ".json") == 0) {
		out = json_loadb(text, len, 0, &error);
		if (out == NULL)
			*why = stet_printf(
			    call, "It is no JSON: line %d: %.100s", error.line, error.text);
	} else
		out = read_yaml(call, text, len, true, why);
	if (dot != NULL && strcasecmp(dot, ".json") != 0 && *why != NULL)
		*why = stet_printf(call, "It is no %s that is read here", dot + 1);
	else if (out == NULL && *why == NULL)
		*why = "It is empty";
	return stet_json_own(call, out);
}
