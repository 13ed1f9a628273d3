/*
 * leaving.c - "stet export wxr": importing an export into an empty site restores an equal site.
 * Tried with export files of other sites, a site with everything, malicious texts, and many items
 * in little memory.
 */
#include "leaving.h"
#include "exports.h"
#include "whole.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Memory limit in KiB of the process that exports many items; sanitizers need much more. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEMORY_MAX 4000000
#define MANY 2000
#else
#define MEMORY_MAX 60000
#define MANY 20000
#endif

static const char *const files[] = { "64-block-test-data", "a11y-unit-test-data",
	"entities-options-and-posts", "namespace-edge-cases", "post-content-blank-lines", "slashes",
	"small-export", "stylish-press", "term-formats", "theme-preview", "valid-wxr-1.0",
	"valid-wxr-1.1", "woocommerce-demo-products", "wxr-simple", "wxr-utf-8-challenges",
	"../theme-unit-test.wxr" };

static const char *const one[] = { "en", NULL };

/* ---- comparing ---- */

/* Fails at the first difference of two texts, and prints it. */
static void
assert_same(const char *name, const char *a, const char *b)
{
	size_t at = 0, line = 0;

	while (a[at] != '\0' && a[at] == b[at]) {
		if (a[at] == '\n')
			line = at + 1;
		at++;
	}
	if (a[at] != b[at])
		fail_msg("%s: %.600s\nhas become: %.600s\n", name,
		    a + (line > 300 ? line - 300 : 0), b + (line > 300 ? line - 300 : 0));
}

/* ---- files of others ---- */

static char *
imported_told(const char *file, const char *export)
{
	struct harness *h;
	char *dir = leaving_close(harness_open(NULL), one), *text;

	(void)RUN(dir, "import", "wxr", file, "--no-media");
	if (export != NULL)
		assert_int_equal(RUN(dir, "export", "wxr", export), 0);
	h = leaving_open(dir, one);
	text = site_told(h);
	harness_close(h, false);
	free(dir);
	return text;
}

static void
files_of_others_come_back(void **state)
{
	char export[] = "/tmp/stet-leaving-XXXXXX";

	(void)state;
	if (export_path("slashes") == NULL) {
		print_message(
		    "# skipped: the export files of others are not here (shared/data/wxr)\n");
		return;
	}
	close(mkstemp(export));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *path = strdup(export_path(files[i]) != NULL ? export_path(files[i]) : ""), *a,
		     *b;

		a = imported_told(path, export);
		b = imported_told(export, NULL);
		assert_same(files[i], a, b);
		free(path);
		free(a);
		free(b);
	}
	(void)unlink(export);
}

/* ---- a site with everything ---- */

/* Imports the file into a site, and compares it with `told`. Frees the directory. */
static void
assert_comes_back(const char *file, char *dir, const char *told)
{
	struct harness *h;
	char *text;

	assert_int_equal(RUN(dir, "import", "wxr", file, "--no-media"), 0);
	h = leaving_open(dir, leaving_locales);
	text = site_told(h);
	assert_same("a site", told, text);
	harness_close(h, false);
	free(dir);
	free(text);
}

/* Both on a site with the collections, and on one without any. */
static void
a_site_with_everything_comes_back(void **state)
{
	const struct harness_options empty = { .locales = leaving_locales };
	char export[] = "/tmp/stet-leaving-XXXXXX", *dir, *told;
	struct harness *h = leaving_furnished();

	(void)state;
	close(mkstemp(export));
	leaving_fill(h);
	told = site_told(h);
	dir = leaving_close(h, leaving_locales);
	assert_int_equal(RUN(dir, "export", "wxr", export), 0);
	leaving_remove(dir);
	assert_comes_back(export, leaving_close(leaving_furnished(), leaving_locales), told);
	assert_comes_back(export, leaving_close(harness_open(&empty), leaving_locales), told);
	free(told);
	(void)unlink(export);
}

/* Compares the definitions of two exports: the same members in the same order. */
static void
assert_same_definitions(const char *a, const char *b)
{
	static const char *const kinds[] = { "<stet:collection>", "<stet:taxonomy>" };
	size_t len;
	char *x = export_load(a, &len), *y = export_load(b, &len);

	for (size_t i = 0; i < 2; i++) {
		char *p = strstr(x, kinds[i]), *q = strstr(y, kinds[i]);

		assert_non_null(p);
		for (; p != NULL; p = strstr(p + 1, kinds[i]), q = strstr(q + 1, kinds[i])) {
			assert_non_null(q);
			len = strcspn(p, "\n");
			if (strncmp(p, q, len + 1) != 0)
				fail_msg("%.*s\nhas become: %.*s", (int)len, p, (int)len, q);
		}
		assert_null(q);
	}
	free(x);
	free(y);
}

/* On a site without collections, too: they get the labels, the order and the types of their fields
 * from the export. */
static void
definitions_come_back(void **state)
{
	char first[] = "/tmp/stet-leaving-XXXXXX", second[] = "/tmp/stet-leaving-XXXXXX", *dir;
	const struct harness_options empty = { .locales = leaving_locales };
	struct harness *h = leaving_furnished();
	char *a, *b;

	(void)state;
	close(mkstemp(first));
	close(mkstemp(second));
	assert_ok(harness_send(h, admin, "PUT /schema/collections/stories",
	    "{\"labelSingular\":\"Story\",\"urlPattern\":\"/s/{slug}\",\"titleField\":\"title\","
	    "\"indexes\":[\"count:asc,price:desc\"]}"));
	assert_ok(harness_send(h, admin, "POST /schema/collections/stories/fields/reorder",
	    "{\"fieldSlugs\":[\"kinds\",\"title\",\"content\",\"extra\",\"excerpt\",\"featured_image\","
	    "\"menu_order\",\"cover\",\"price\",\"count\",\"open\",\"at\",\"notes\",\"seo_title\",\"parent\"]}"));
	assert_ok(harness_send(h, admin, "PUT /schema/collections/stories/fields/extra",
	    "{\"label\":\"Weiteres & <mehr>\"}"));
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"spans\",\"status\":\"published\",\"data\":{\"title\":\"Spans\",\"content\":[{\"_type\":\"block\","
	    "\"_key\":\"a\",\"style\":\"normal\",\"children\":[{\"_type\":\"span\",\"_key\":\"b\",\"text\":\"one \"},"
	    "{\"_type\":\"span\",\"_key\":\"c\",\"text\":\"two\"}]}]}}"));
	a = site_told(h);
	dir = leaving_close(h, leaving_locales);
	assert_int_equal(RUN(dir, "export", "wxr", first), 0);
	leaving_remove(dir);
	dir = leaving_close(harness_open(&empty), leaving_locales);
	assert_int_equal(RUN(dir, "import", "wxr", first, "--no-media"), 0);
	assert_int_equal(RUN(dir, "export", "wxr", second), 0);
	h = leaving_open(dir, leaving_locales);
	b = site_told(h);
	assert_same("a site", a, b);
	assert_same_definitions(first, second);
	harness_close(h, false);
	free(dir);
	free(a);
	free(b);
	(void)unlink(first);
	(void)unlink(second);
}

/* ---- many items ---- */

static void
write_lines(const char *path, int count)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	for (int i = 0; i < count; i++) {
		(void)fprintf(
		    f, "{\"slug\":\"s%d\",\"data\":{\"title\":\"T%d\",\"content\":[", i, i);
		for (int n = 0; n < 8; n++)
			(void)fprintf(f, "%s" BLOCK("Some words of paragraph %d, & more of them."),
			    n > 0 ? "," : "", n);
		(void)fprintf(f, "]}}\n");
	}
	assert_int_equal(fclose(f), 0);
}

/* Creates an item with a text of 1 MiB. */
static void
add_long_text(struct harness *h)
{
	char *text = malloc((1 << 20) + 1);

	assert_non_null(text);
	memset(text, '&', 1 << 20);
	text[1 << 20] = '\0';
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"long\",\"data\":{\"excerpt\":\"%s\"}}", text));
	free(text);
}

/* Returns how often a text occurs in a file. */
static int
count_of(const char *path, const char *text)
{
	size_t len;
	char *xml = export_load(path, &len);
	int count = 0;

	for (const char *p = xml; (p = strstr(p, text)) != NULL; p++)
		count++;
	free(xml);
	return count;
}

/* EXPORT_ITEMS=1000000 tries more items; the test prints time and memory. */
static void
many_items_take_little_memory(void **state)
{
	char lines[] = "/tmp/stet-leaving-XXXXXX", export[] = "/tmp/stet-leaving-XXXXXX", *dir;
	const char *wanted = getenv("EXPORT_ITEMS");
	int count = wanted != NULL ? (int)strtol(wanted, NULL, 10) : MANY;
	struct harness *h = leaving_furnished();
	struct rusage usage;

	(void)state;
	close(mkstemp(lines));
	close(mkstemp(export));
	add_long_text(h);
	dir = leaving_close(h, leaving_locales);
	write_lines(lines, count);
	assert_int_equal(RUN(dir, "import", "jsonl", lines, "--collection", "stories"), 0);
	assert_int_equal(
	    leaving_run(dir, (const char *const[]){ "export", "wxr", export, NULL }, &usage), 0);
	print_message("# %d items: %ld KiB, %ld.%02ld s\n", count, usage.ru_maxrss,
	    (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec / 10000);
	assert_int_equal(count_of(export, "<item>"), count + 1);
#ifndef __SANITIZE_ADDRESS__
	assert_true(usage.ru_maxrss < MEMORY_MAX);
#endif
	leaving_remove(dir);
	(void)unlink(lines);
	(void)unlink(export);
}

/* ---- what is not written ---- */

static void
an_export_that_fails_leaves_no_file(void **state)
{
	char path[200], *dir = leaving_close(leaving_furnished(), leaving_locales);
	struct stat st;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/out.xml", dir);
	assert_int_equal(RUN(dir, "export", "wxr", path, "--collection", "nothing"), 1);
	assert_int_equal(RUN(dir, "export", "wxr", path, "--map", "nothing=post"), 1);
	assert_int_equal(RUN(dir, "export", "wxr", path, "--status", "lost"), 2);
	assert_int_equal(RUN(dir, "export", "wxr", path, "--map", "=post"), 2);
	assert_int_equal(RUN(dir, "export", "wxr", path, "other"), 2);
	assert_int_equal(RUN(dir, "export", "wxr", "/nowhere/out.xml"), 1);
	assert_int_not_equal(stat(path, &st), 0);
	leaving_remove(dir);
}

#define TYPE(type) "<wp:post_type><![CDATA[" type "]]></wp:post_type>"
#define STATUS(status) "<wp:status><![CDATA[" status "]]></wp:status>"

static void
options_choose_what_is_written(void **state)
{
	struct harness *h = leaving_furnished();
	char path[200], *dir;

	(void)state;
	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"posts\",\"label\":\"Posts\"}"));
	for (int i = 0; i < 3; i++)
		assert_ok(harness_send(h, admin, "POST /content/stories",
		    "{\"slug\":\"s%d\",\"status\":\"%s\",\"data\":{\"title\":\"%d\"}}", i,
		    i == 0 ? "published" : "draft", i));
	assert_ok(harness_send(h, admin, "POST /content/posts", "{\"slug\":\"p\",\"data\":{}}"));
	assert_ok(harness_send(h, admin, "DELETE /content/stories/s2", "{}"));
	assert_ok(harness_send(h, admin, "POST /content/stories/s1/schedule",
	    "{\"scheduledAt\":\"2090-01-01T00:00:00Z\"}"));
	dir = leaving_close(h, leaving_locales);
	(void)snprintf(path, sizeof(path), "%s/out.xml", dir);
	assert_int_equal(RUN(dir, "export", "wxr", path), 0);
	assert_int_equal(count_of(path, TYPE("stories")), 2);
	assert_int_equal(count_of(path, TYPE("post")), 1);
	assert_int_equal(count_of(path, STATUS("publish")), 1);
	assert_int_equal(count_of(path, STATUS("future")), 1);
	assert_int_equal(count_of(path, "<![CDATA[2090-01-01 00:00:00]]>"), 2);
	assert_int_equal(
	    RUN(dir, "export", "wxr", path, "--status", "trash", "--map", "stories=story"), 0);
	assert_int_equal(count_of(path, TYPE("story")), 1);
	assert_int_equal(count_of(path, STATUS("trash")), 1);
	assert_int_equal(count_of(path, "<item>"), 1);
	assert_int_equal(RUN(dir, "export", "wxr", path, "--collection", "posts"), 0);
	assert_int_equal(count_of(path, "<item>"), 1);
	assert_int_equal(count_of(path, TYPE("post")), 1);
	leaving_remove(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(files_of_others_come_back),
		cmocka_unit_test(a_site_with_everything_comes_back),
		cmocka_unit_test(definitions_come_back),
		cmocka_unit_test(many_items_take_little_memory),
		cmocka_unit_test(an_export_that_fails_leaves_no_file),
		cmocka_unit_test(options_choose_what_is_written) };

	/* t/portable needs no statements of this test: other processes create the tables. */
	if (getenv("STET_RECORD") != NULL)
		return 0;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
