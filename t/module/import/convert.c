/*
 * convert.c - texts of posts become Portable Text: each block of the core, classic HTML, and what
 * is broken, deep or hostile. Rows are a text and its value, without keys.
 */
#include "../../../modules/import/convert/convert.h"
#include "exports.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct row {
	const char *text, *value; /* ' for " in both, but \x01 for ' */
};

/* ---- comparing ---- */

/* Puts the address for the key of a link in the marks of a span. */
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

/* Takes out the keys, which are there and differ. */
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
		*p = *p == '\'' ? '"' : *p == '\x01' ? '\'' : *p;
	return copy;
}

static const char *
media_here(void *arg, int64_t id)
{
	(void)arg;
	return id == 7 ? "01HERE" : NULL;
}

/* The value of a text; nothing is lost. */
static json_t *
convert(const char *text, struct convert_report *report)
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
	json_t *wanted = json_loads(value, 0, NULL), *got = convert(text, NULL),
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

static void
check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check_row(&rows[i]);
}

#define SPAN(text) "{'_type':'span','text':'" text "'}"
#define MARKED(text, marks) "{'_type':'span','text':'" text "','marks':[" marks "]}"
#define LINK(href) "'markDefs':[{'_type':'link','href':'" href "'}]"
#define STYLED(style, spans) "{'_type':'block','style':'" style "','children':[" spans "]}"
#define NORMAL(spans) STYLED("normal", spans)
#define ITEM(item, level, spans)                                                     \
	"{'_type':'block','style':'normal','listItem':'" item "','level':" level "," \
	"'children':[" spans "]}"
#define BREAK "{'_type':'break','style':'lineBreak'}"
#define PARAGRAPH(html) "<!-- wp:paragraph -->\n" html "\n<!-- /wp:paragraph -->\n"

/* ---- text ---- */

static void
paragraphs_headings_and_lists(void **state)
{
	static const struct row rows[] = {
		{ "", "[]" },
		{ PARAGRAPH("<p></p>"), "[]" },
		{ PARAGRAPH("<p class='has-drop-cap'>One</p>") PARAGRAPH("<p>two\nlines</p>"),
		    "[" NORMAL(SPAN("One")) "," NORMAL(SPAN("two lines")) "]" },
		{ "<!-- wp:heading --><h2>A</h2><!-- /wp:heading -->"
		  "<!-- wp:heading {'level':4} --><h4>B</h4><!-- /wp:heading -->"
		  "<!-- wp:heading {'level':3} -->C<!-- /wp:heading -->",
		    "[" STYLED("h2", SPAN("A")) "," STYLED("h4", SPAN("B")) "," STYLED(
			"h3", SPAN("C")) "]" },
		{ "<!-- wp:list --><ul><!-- wp:list-item --><li>a<!-- wp:list {'ordered':true} -->"
		  "<ol><!-- wp:list-item --><li>b</li><!-- /wp:list-item --></ol>"
		  "<!-- /wp:list --></li><!-- /wp:list-item --><!-- wp:list-item --><li>c</li>"
		  "<!-- /wp:list-item --></ul><!-- /wp:list -->",
		    "[" ITEM("bullet", "1", SPAN("a")) "," ITEM("number", "2", SPAN("b")) "," ITEM(
			"bullet", "1", SPAN("c")) "]" },
		{ "<!-- wp:list --><ul><li>a<ul><li>b</li></ul></li></ul><!-- /wp:list -->",
		    "[" ITEM("bullet", "1", SPAN("a")) "," ITEM("bullet", "2", SPAN("b")) "]" },
		{ "<!-- wp:separator --><hr class='wp-block-separator'/><!-- /wp:separator -->"
		  "<!-- wp:spacer {'height':9} --><div></div><!-- /wp:spacer -->"
		  "<!-- wp:more --><!--more--><!-- /wp:more --><!-- wp:nextpage -->"
		  "<!--nextpage--><!-- /wp:nextpage -->",
		    "[" BREAK "," BREAK "," BREAK "," BREAK "]" },
	};

	(void)state;
	check_rows(rows, COUNT(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paragraphs_headings_and_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
