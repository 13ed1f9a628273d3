/*
 * outgoing.c - "stet export markdown" and "stet export jsonl": an import into a site with the same
 * collections restores equal items, whatever their texts are; many items take little memory.
 */
#include "imported.h"
#include "importing.h"
#include "leaving.h"
#include "whole.h"
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Memory limit in KiB of the process that exports many items; sanitizers need much more. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_MAX 4000000
#define MANY 1000
#else
#define MEMORY_MAX 60000
#define MANY 20000
#endif

/* Fails at the first difference of two texts, and prints it. */
static void
assert_same(const char *name, const char *a, const char *b)
{
	size_t at = 0;

	while (a[at] != '\0' && a[at] == b[at])
		at++;
	if (a[at] != b[at])
		fail_msg("%s: %.900s\nhas become: %.900s\n", name, a + (at > 500 ? at - 500 : 0),
		    b + (at > 500 ? at - 500 : 0));
}

/* ---- a site with everything ---- */

#define PARAGRAPH(marks, defs, text)                                                               \
	"{\"_type\":\"block\",\"_key\":\"p\",\"style\":\"normal\",\"markDefs\":[" defs "],"        \
	"\"children\":[{\"_type\":\"span\",\"_key\":\"s\",\"text\":\"" text "\",\"marks\":[" marks \
	"]}]}"
#define LISTED(kind, level)                                                                   \
	"{\"_type\":\"block\",\"_key\":\"i\",\"style\":\"normal\",\"listItem\":\"" kind "\"," \
	"\"level\":" level ",\"markDefs\":[],\"children\":[" SPAN("item") "]}"

/* Texts that Markdown can say, and texts that it cannot. */
static const char *const bodies[] = { PARAGRAPH("\"strong\",\"em\"", "", "words"),
	PARAGRAPH("\"k\"", "{\"_key\":\"k\",\"_type\":\"link\",\"href\":\"/x?a=1&b=(2)\"}", "link"),
	PARAGRAPH("\"k\"",
	    "{\"_key\":\"k\",\"_type\":\"link\",\"href\":\"https://x.example/\","
	    "\"blank\":true}",
	    "link"),
	LISTED("bullet", "1") "," LISTED("number", "2") "," LISTED("bullet", "1"),
	LISTED("bullet", "3") "," PARAGRAPH("", "", "--- --> -- # no heading"),
	"{\"_type\":\"code\",\"_key\":\"c\",\"code\":\"---\\n```\\n<x>\",\"language\":\"c\"}",
	"{\"_type\":\"image\",\"_key\":\"m\",\"asset\":{\"url\":\"https://x.example/a b.jpg\"},"
	"\"alt\":\"A ] b\"}",
	"{\"_type\":\"image\",\"_key\":\"m\",\"asset\":{\"url\":\"https://x.example/c.jpg\"},"
	"\"caption\":\"Cap -- tion\"}",
	/* Spans that could be one, and an empty alternative text. */
	"{\"_type\":\"block\",\"_key\":\"p\",\"style\":\"normal\",\"children\":[" SPAN(
	    "one ") "," SPAN("two") "]}",
	"{\"_type\":\"image\",\"_key\":\"m\",\"asset\":{\"url\":\"https://x.example/d.jpg\"},"
	"\"alt\":\"\"}" };

/* Adds items with hostile slugs, names and values. */
static void
fill_more(struct harness *h)
{
	char slug[40];

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		(void)snprintf(slug, sizeof(slug), "body-%zu", i);
		assert_ok(harness_send(h, admin, "POST /content/stories",
		    "{\"slug\":\"%s\",\"status\":\"published\",\"data\":{\"title\":\"123\","
		    "\"seo_title\":\"true\",\"extra\":[],\"content\":[%s]}}",
		    slug, bodies[i]));
	}
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"index\",\"status\":\"published\",\"data\":{\"title\":\"---\",\"extra\":{},"
	    "\"featured_image\":{\"id\":\"\",\"provider\":\"external\",\"alt\":\"\",\"src\":\"https://x.example/e.jpg\"},"
	    "\"cover\":{\"id\":\"\",\"provider\":\"external\",\"alt\":\"\",\"src\":\"https://x.example/e.jpg\"}}}"));
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"2020-01-02-day\",\"status\":\"published\",\"data\":{\"title\":\"null\","
	    "\"price\":1e20,\"extra\":{\"yes\":[{\"no\":\"no\"},[[1.5],\"\"]],\"a: b\":{}}}}"));
}

static struct harness *
furnished(bool filled)
{
	struct harness *h = leaving_furnished();
	struct outcome *o;
	char child[40];

	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"news\",\"label\":\"News\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/news/fields",
	    "{\"slug\":\"tags\",\"label\":\"T\",\"type\":\"json\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/news/fields",
	    "{\"slug\":\"words\",\"label\":\"W\",\"type\":\"portableText\"}"));
	/* Items of this one come behind those to which they refer. */
	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"zines\",\"label\":\"Zines\"}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/zines/fields",
	    "{\"slug\":\"friends\",\"label\":\"F\",\"type\":\"reference\",\"options\":"
	    "{\"collection\":\"stories\",\"allowMultiple\":true}}"));
	if (!filled)
		return h;
	leaving_fill(h);
	fill_more(h);
	harness_ok(o, harness_request(h, admin, "GET /content/stories/child", NULL, NULL));
	(void)snprintf(child, sizeof(child), "%s", harness_text(o->data, "item.id"));
	harness_ok(o, harness_request(h, admin, "GET /content/stories/first", NULL, NULL));
	assert_ok(harness_send(h, admin, "POST /content/zines",
	    "{\"slug\":\"zine\",\"status\":\"published\",\"data\":{\"friends\":[\"%s\",\"%s\"]}}",
	    child, harness_text(o->data, "item.id")));
	assert_ok(harness_send(h, admin, "POST /content/news",
	    "{\"slug\":\"first\",\"status\":\"published\",\"data\":{\"tags\":[\"a\",1],"
	    "\"words\":[" BLOCK("Body") "]}}"));
	return h;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

static void
remove_all(const char *path)
{
	assert_int_equal(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* Imports an export into an empty site; returns what that then has. */
static char *
imported_told(const char *format, const char *path)
{
	char *dir = leaving_close(furnished(false), leaving_locales), *text;
	struct harness *h;

	assert_int_equal(RUN(dir, "import", "from", format, path, "--no-media"), 0);
	h = leaving_open(dir, leaving_locales);
	text = site_items_told(h);
	harness_close(h, false);
	free(dir);
	return text;
}

static void
a_site_with_everything_comes_back(void **state)
{
	char out[] = "/tmp/stet-outgoing-XXXXXX", path[2][100], *dir, *a, *b;
	const char *const formats[] = { "jsonl", "markdown" };
	struct harness *h = furnished(true);

	(void)state;
	assert_non_null(mkdtemp(out));
	a = site_items_told(h);
	dir = leaving_close(h, leaving_locales);
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(path[i], sizeof(path[i]), "%s/out%s", out, i == 0 ? ".jsonl" : "");
		assert_int_equal(RUN(dir, "export", formats[i], path[i], "--drafts"), 0);
	}
	/* Without drafts, a reference to one is lost, which the status tells. */
	assert_int_equal(RUN(dir, "export", "jsonl", "-"), 1);
	assert_int_equal(RUN(dir, "export", "jsonl", "-", "--collection", "stories"), 0);
	leaving_remove(dir);
	for (size_t i = 0; i < 2; i++) {
		b = imported_told(formats[i], path[i]);
		assert_same(formats[i], a, b);
		free(b);
	}
	free(a);
	remove_all(out);
}

/* ---- earlier addresses ---- */

static char *
text_of(const char *directory, const char *name)
{
	char path[300], *text = calloc(1, 4000);
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_non_null(f = fopen(path, "r"));
	assert_true(fread(text, 1, 3999, f) > 0);
	(void)fclose(f);
	return text;
}

static void
earlier_addresses_become_redirects(void **state)
{
	static const char *const en[] = { "en", NULL };
	char out[] = "/tmp/stet-outgoing-XXXXXX", path[100], *dir, *text;
	struct harness *h = importing_open();

	(void)state;
	assert_non_null(mkdtemp(out));
	(void)importing_run(h, "{\"importMedia\":false}",
	    "<wp:base_blog_url>https://old.example</wp:base_blog_url>" ITEM("1", "post", "a",
		"<link>https://old.example/2020/a/</link><title>A</title>"
		"<wp:status>publish</wp:status>" META("_wp_old_slug", "before"))
		ITEM("2", "post", "b",
		    "<link>https://old.example/?p=2</link><title>B</title>"
		    "<wp:status>publish</wp:status>") ITEM("3", "post", "c",
		    "<link>https://old.example/blog/c</link><title>C</title>"
		    "<wp:status>publish</wp:status>"));
	dir = leaving_close(h, en);
	(void)snprintf(path, sizeof(path), "%s/site", out);
	assert_int_equal(RUN(dir, "export", "markdown", path), 0);
	text = text_of(path, "_redirects");
	assert_string_equal(text, "/2020/a/ /blog/a 301\n/2020/before/ /blog/a 301\n");
	free(text);
	text = text_of(path, "posts/a.md");
	assert_non_null(strstr(text, "aliases:\n"));
	assert_non_null(strstr(text, "- \"/2020/a/\"\n"));
	assert_non_null(strstr(text, "- \"/2020/before/\"\n"));
	free(text);
	text = text_of(path, "posts/c.md");
	assert_null(strstr(text, "aliases"));
	free(text);
	harness_close(leaving_open(dir, en), false);
	free(dir);
	remove_all(out);
}

/* ---- many items ---- */

static void
many_items_take_little_memory(void **state)
{
	char lines[] = "/tmp/stet-outgoing-XXXXXX", out[] = "/tmp/stet-outgoing-XXXXXX", *dir;
	const char *const formats[] = { "jsonl", "markdown" };
	FILE *f = fdopen(mkstemp(lines), "w");
	struct rusage usage;

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < MANY; i++)
		(void)fprintf(f,
		    "{\"slug\":\"s%d\",\"status\":\"published\",\"data\":{\"title\":\"T%d\","
		    "\"content\":[" BLOCK("Some words, & more of them.") "]}}\n",
		    i, i);
	assert_int_equal(fclose(f), 0);
	assert_non_null(mkdtemp(out));
	dir = leaving_close(leaving_furnished(), leaving_locales);
	assert_int_equal(RUN(dir, "import", "jsonl", lines, "--collection", "stories"), 0);
	for (size_t i = 0; i < 2; i++) {
		char path[100];

		(void)snprintf(path, sizeof(path), "%s/%s", out, formats[i]);
		assert_int_equal(
		    leaving_run(
			dir, (const char *const[]){ "export", formats[i], path, NULL }, &usage),
		    0);
		print_message("# %s, %d items: %ld KiB, %ld.%02ld s\n", formats[i], MANY,
		    usage.ru_maxrss, (long)usage.ru_utime.tv_sec,
		    (long)usage.ru_utime.tv_usec / 10000);
#ifndef __SANITIZE_ADDRESS__
		assert_true(usage.ru_maxrss < MEMORY_MAX);
#endif
	}
	leaving_remove(dir);
	(void)unlink(lines);
	remove_all(out);
}

/* ---- what is not written ---- */

static int
entries_of(const char *path)
{
	DIR *d = opendir(path);
	int count = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		count++;
	(void)closedir(d);
	return count;
}

static void
an_export_that_fails_leaves_nothing(void **state)
{
	char out[] = "/tmp/stet-outgoing-XXXXXX", path[100], inside[120];
	char *dir = leaving_close(leaving_furnished(), leaving_locales);
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(out));
	(void)snprintf(path, sizeof(path), "%s/site", out);
	(void)snprintf(inside, sizeof(inside), "%s/site/mine", out);
	assert_int_equal(RUN(dir, "export", "markdown"), 2);
	assert_int_equal(RUN(dir, "export", "markdown", path, "other"), 2);
	assert_int_equal(RUN(dir, "export", "jsonl", path, "--no-media"), 2);
	assert_int_equal(RUN(dir, "export", "markdown", path, "--collection", "nothing"), 1);
	assert_int_equal(RUN(dir, "export", "jsonl", path, "--locale", "xx"), 1);
	assert_int_equal(RUN(dir, "export", "markdown", "/nowhere/site"), 1);
	assert_int_equal(entries_of(out), 2);
	/* A directory that is not empty, and a link, are left alone. */
	assert_int_equal(mkdir(path, 0755), 0);
	assert_int_equal(mkdir(inside, 0755), 0);
	assert_int_equal(RUN(dir, "export", "markdown", path), 1);
	assert_int_equal(stat(inside, &st), 0);
	assert_int_equal(rmdir(inside), 0);
	assert_int_equal(RUN(dir, "export", "markdown", path), 0);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(symlink("/tmp", path), 0);
	assert_int_equal(RUN(dir, "export", "markdown", path), 1);
	assert_int_equal(entries_of(out), 3);
	leaving_remove(dir);
	remove_all(out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_site_with_everything_comes_back),
		cmocka_unit_test(earlier_addresses_become_redirects),
		cmocka_unit_test(many_items_take_little_memory),
		cmocka_unit_test(an_export_that_fails_leaves_nothing) };

	/* t/portable needs no statements of this test: other processes create the tables. */
	if (getenv("STET_RECORD") != NULL)
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
