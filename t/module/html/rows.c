/* rows.c - converts texts and compares the values with those that are expected. */
#include "rows.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

/* ---- comparing ---- */

/* Replaces the key of a link by its URL in the marks of a span. */
static void
name_link(json_t *span, const char *key, const char *href)
{
	json_t *marks = json_object_get(span, "marks");

	for (size_t i = 0; i < json_array_size(marks); i++)
		if (strcmp(json_string_value(json_array_get(marks, i)), key) == 0)
			(void)json_array_set_new(marks, i, json_sprintf("->%s", href));
}

static void
name_links(json_t *object)
{
	json_t *defs = json_object_get(object, "markDefs"), *def, *span,
	       *spans = json_object_get(object, "children");
	size_t i, k;

	if (spans == NULL)
		spans = json_object_get(object, "content");
	json_array_foreach(defs, i, def)
	{
		assert_string_equal(json_string_value(json_object_get(def, "_type")), "link");
		json_array_foreach(spans, k, span)
		    name_link(span, json_string_value(json_object_get(def, "_key")),
			json_string_value(json_object_get(def, "href")));
	}
}

/* Removes the keys, and checks that they exist and differ. */
static void
take_keys(json_t *value, json_t *taken)
{
	json_t *member, *key = json_object_get(value, "_key");
	const char *name;
	size_t i;

	if (json_is_object(value) && json_object_get(value, "_type") != NULL) {
		if (strcmp(json_string_value(json_object_get(value, "_type")), "reference") != 0) {
			assert_non_null(key);
			assert_null(json_object_get(taken, json_string_value(key)));
			(void)json_object_set_new(taken, json_string_value(key), json_true());
		}
		name_links(value);
		(void)json_object_del(value, "_key");
	}
	json_object_foreach(value, name, member) take_keys(member, taken);
	json_array_foreach(value, i, member) take_keys(member, taken);
}

static char *
quoted(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	for (char *p = copy; *p != '\0'; p++)
		*p = *p == '\'' ? '"' : *p;
	return copy;
}

static const char *
media_here(void *arg, int64_t id)
{
	(void)arg;
	return id == 7 ? "01HERE" : NULL;
}

/* Converts a text, and checks that nothing is lost. */
json_t *
rows_convert(const char *text, struct convert_report *report)
{
	const struct convert_rules rules = { .media = media_here };
	json_t *value, *lost;

	assert_int_equal(convert_text(NULL, text, strlen(text), &rules, report, &value), STET_OK);
	lost = convert_check(text, strlen(text), value);
	if (lost != NULL)
		fail_msg("%s: %s", text, json_dumps(lost, 0));
	return value;
}

static void
check_row(const struct row *row)
{
	char *text = quoted(row->text), *value = quoted(row->value);
	json_t *wanted = json_loads(value, 0, NULL), *got = rows_convert(text, NULL),
	       *taken = json_object();

	if (wanted == NULL)
		fail_msg("not JSON: %s", value);
	take_keys(got, taken);
	if (!json_equal(got, wanted))
		fail_msg("%s\n gives %s\n not   %s", text, json_dumps(got, 0), value);
	json_decref(taken);
	json_decref(wanted);
	json_decref(got);
	free(text);
	free(value);
}

void
rows_check(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_row(&rows[i]);
}
