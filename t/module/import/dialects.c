/* dialects.c - imports of Markdown as generators of sites have it. */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include "leaving.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static struct outcome *
get(struct harness *h, const char *path)
{
	char request[200];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /content/%s", path);
	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	return o;
}

/* Returns the first bytes of a file. Static buffer. */
static const char *
head_of(const char *path)
{
	static char text[8192];
	FILE *file = fopen(path, "re");
	size_t len;

	assert_non_null(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	assert_int_equal(fclose(file), 0);
	return text;
}

static void
put(const char *dir, const char *name, const char *text)
{
	char path[700];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_non_null(f = fopen(path, "we"));
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static const char dialects[] =
    "---\ntitle: Dialects\n---\n"
    "<details><summary>More</summary>\n\nin *it*\n\n</details>\n\n"
    "<iframe src=\"https://www.youtube.com/embed/x\"></iframe>\n\n"
    "> [!NOTE]\n> of **it**\n\n"
    "$$\na_1 * b_2\n$$\n\nso $x_1 * y_2$ of $5 and $6 `$c$`\n\n"
    ":::tip Well\nyes\n:::\n\n"
    "Term\n: meaning\n\n"
    "{{< youtube abc >}}\n\n{{< figure src=\"https://x.example/f.png\" caption=\"F\" >}}\n\n"
    "{% highlight ruby %}\n*x*\n{% endhighlight %}\n\n"
    "{% include nav.html %}\n\n[to]({{< ref \"b.md\" >}}) <a href=\"/l\" title=\"t\">l</a> "
    "<img src=\"https://x.example/i.png\" alt=\"i\"> {{< icon >}}\n\n"
    "```\n{{< icon >}}\n$$\n```\n";

/* The type of each block, and of what stands in a text other than spans. */
static char *
types_of(const json_t *blocks)
{
	char *all;
	size_t size, i, k;
	FILE *out = open_memstream(&all, &size);
	json_t *one, *child;

	assert_non_null(out);
	json_array_foreach(blocks, i, one)
	{
		(void)fprintf(out, "%s%s", i > 0 ? " " : "",
		    json_string_value(json_object_get(one, "_type")));
		json_array_foreach(json_object_get(one, "children"), k, child)
		{
			const char *type = json_string_value(json_object_get(child, "_type"));

			if (strcmp(type, "span") != 0)
				(void)fprintf(out, "/%s", type);
		}
	}
	assert_int_equal(fclose(out), 0);
	return all;
}

static void
hold_types(const struct outcome *o, const char *want)
{
	char *types = types_of(harness_at(o->data, "item.data.content"));

	assert_string_equal(types, want);
	free(types);
}

static void
dialects_of_markdown_are_read(void **state)
{
	struct harness *h;
	struct outcome *o;
	char *dir, source[500], docs[600], report[600];

	(void)state;
	if (getenv("STET_RECORD") != NULL)
		return;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	(void)snprintf(source, sizeof(source), "%s/source", dir);
	(void)snprintf(docs, sizeof(docs), "%s/docs", source);
	(void)snprintf(report, sizeof(report), "%s/report.jsonl", dir);
	assert_int_equal(mkdir(source, 0700), 0);
	assert_int_equal(mkdir(docs, 0700), 0);
	put(docs, "dialects.md", dialects);
	put(docs, "mdx.mdx", "import A from './a'\n\n<A b={1}>\n\n*x*\n\n</A>\n\ntext <br> $y$\n");
	(void)RUN(dir, "import", "from", "markdown", source, "--report", report);
	h = leaving_open(dir, leaving_locales);
	o = get(h, "docs/dialects");
	hold_types(o,
	    "block block embed callout math block/math callout definitionList embed image code "
	    "shortcode block/image/shortcode code");
	assert_string_equal(harness_text(o->data, "item.data.content[3].kind"), "note");
	assert_string_equal(harness_text(o->data, "item.data.content[4].tex"), "a_1 * b_2");
	assert_string_equal(
	    harness_text(o->data, "item.data.content[3].content[0].children[1].text"), "it");
	assert_string_equal(harness_text(o->data, "item.data.content[6].title"), "Well");
	assert_string_equal(
	    harness_text(o->data, "item.data.content[7].items[0].content[0].children[0].text"),
	    "meaning");
	assert_string_equal(harness_text(o->data, "item.data.content[10].code"), "*x*");
	assert_string_equal(
	    harness_text(o->data, "item.data.content[12].markDefs[0].href"), "b.md");
	assert_string_equal(harness_text(o->data, "item.data.content[12].markDefs[1].title"), "t");
	o = get(h, "docs/mdx");
	hold_types(o, "htmlBlock htmlBlock block/math");
	assert_non_null(strstr(head_of(report), "include (1)"));
	harness_close(h, true);
	leaving_remove(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dialects_of_markdown_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
