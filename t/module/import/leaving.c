/*
 * leaving.c - "stet export wxr": what a site exports, a second empty site imports to the same.
 * Export files of others by way of a site; a site with everything; hostile texts; many items in
 * little memory.
 */
#include "exports.h"
#include "harness.h"
#include "whole.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_MAX 60000 /* KiB of the process that exports many items */
#define MANY 20000

static const char *const files[] = { "64-block-test-data", "a11y-unit-test-data",
	"entities-options-and-posts", "namespace-edge-cases", "post-content-blank-lines", "slashes",
	"small-export", "stylish-press", "term-formats", "theme-preview", "valid-wxr-1.0",
	"valid-wxr-1.1", "woocommerce-demo-products", "wxr-simple", "wxr-utf-8-challenges",
	"../theme-unit-test.wxr" };

/* ---- the command ---- */

extern char **environ;

/* Runs `stet --config CONF ARGS…`, without its output; returns its exit status. */
static int
run(const char *dir, const char *const *args, struct rusage *usage)
{
	char conf[200], command[1100];
	char *argv[16] = { command, (char *)(uintptr_t) "--config", conf };
	posix_spawn_file_actions_t quiet;
	pid_t pid;
	int status;

	(void)snprintf(conf, sizeof(conf), "%s/test.conf", dir);
	(void)snprintf(command, sizeof(command), "%s", harness_path("STET_BUILD", "stet"));
	for (size_t i = 0; args[i] != NULL; i++)
		argv[i + 3] = (char *)(uintptr_t)args[i];
	(void)setenv("STET_MODULE_PATH", harness_path("STET_BUILD", "modules/.libs"), 1);
	(void)setenv("STET_PLUGIN_PATH", "", 1);
	assert_int_equal(posix_spawn_file_actions_init(&quiet), 0);
	for (int fd = 1; fd <= 2 && getenv("STET_TEST_LOUD") == NULL; fd++)
		assert_int_equal(
		    posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_WRONLY, 0), 0);
	assert_int_equal(posix_spawn(&pid, command, &quiet, NULL, argv, environ), 0);
	(void)posix_spawn_file_actions_destroy(&quiet);
	assert_int_equal(wait4(pid, &status, 0, usage), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define RUN(dir, ...) run(dir, (const char *const[]){ __VA_ARGS__, NULL }, NULL)

static const char *const two[] = { "en", "de", NULL }, *const one[] = { "en", NULL };

/* Closes the site, and leaves a configuration in its directory, whose name is returned. */
static char *
leave(struct harness *h, const char *const *locales)
{
	char *dir = strdup(harness_data(h)), path[200];
	FILE *f;

	harness_close(h, true);
	(void)snprintf(path, sizeof(path), "%s/test.conf", dir);
	assert_non_null(f = fopen(path, "w"));
	(void)fprintf(f,
	    "site main {\n\thosts = { \"*\" }\n\tbase-url = \"https://a.example\"\n\tdata = \"%s\"\n",
	    dir);
	(void)fprintf(f, "\tlocales = { \"%s\"", locales[0]);
	for (size_t i = 1; locales[i] != NULL; i++)
		(void)fprintf(f, ", \"%s\"", locales[i]);
	(void)fprintf(f, " }\n}\n");
	assert_int_equal(fclose(f), 0);
	return dir;
}

static struct harness *
enter(const char *dir, const char *const *locales)
{
	const struct harness_options options = { .data = dir, .locales = locales };

	return harness_open(&options);
}

/* ---- comparing ---- */

/* Where two texts differ. */
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
	char *dir = leave(harness_open(NULL), one), *text;

	(void)RUN(dir, "import", "wxr", file, "--no-media");
	if (export != NULL)
		assert_int_equal(RUN(dir, "export", "wxr", export), 0);
	h = enter(dir, one);
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

#define FIELD(slug, type) \
	"{\"slug\":\"" slug "\",\"label\":\"" slug "\",\"type\":\"" type "\",\"required\":false}"
#define SPAN(text) "{\"_type\":\"span\",\"_key\":\"s\",\"text\":\"" text "\"}"
#define BLOCK(text) \
	"{\"_type\":\"block\",\"_key\":\"b\",\"style\":\"normal\",\"children\":[" SPAN(text) "]}"
/* What XML, HTML, comments and readers of each trip over. */
#define HOSTILE "a ]]> b --> c <!-- d & &amp; &#38; <b>e</b> \\\"f\\\" ]]]]>> \\ufffd %s \\u00a0"
#define CONTROLS "\\u0001\\u001b\\ufffe\\uffff"

/* A site with definitions, and no items. */
static struct harness *
furnished(void)
{
	const struct harness_options options = { .locales = two };
	struct harness *h = harness_open(&options);
	static const char *const fields[] = { FIELD("title", "string"),
		FIELD("content", "portableText"), FIELD("excerpt", "text"),
		FIELD("featured_image", "image"), FIELD("menu_order", "integer"),
		FIELD("cover", "image"), FIELD("price", "number"), FIELD("count", "integer"),
		FIELD("open", "boolean"), FIELD("at", "datetime"), FIELD("extra", "json"),
		FIELD("notes", "portableText"), FIELD("seo_title", "string"),
		"{\"slug\":\"parent\",\"label\":\"P\",\"type\":\"reference\",\"options\":"
		"{\"collection\":\"stories\"}}",
		"{\"slug\":\"kinds\",\"label\":\"K\",\"type\":\"multiSelect\",\"validation\":"
		"{\"options\":[\"a\",\"b c\",\"d\\\"e\"]}}" };

	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"stories\",\"label\":\"Stories\"}"));
	assert_ok(harness_send(h, admin, "PUT /schema/collections/stories",
	    "{\"commentsEnabled\":true,\"commentsModeration\":\"none\"}"));
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		assert_ok(harness_send(
		    h, admin, "POST /schema/collections/stories/fields", "%s", fields[i]));
	assert_ok(harness_send(h, admin, "POST /taxonomies",
	    "{\"name\":\"mood\",\"label\":\"Moods\",\"hierarchical\":true,\"collections\":[\"stories\"]}"));
	return h;
}

static const char *
id_of(struct outcome *o)
{
	static char ids[16][32];
	static size_t n;
	char *id = ids[n++ % 16];

	assert_code(o, "");
	(void)snprintf(id, sizeof(ids[0]), "%s", harness_text(o->data, "item.id"));
	if (*id == '\0')
		(void)snprintf(id, sizeof(ids[0]), "%s", harness_text(o->data, "term.id"));
	if (*id == '\0')
		(void)snprintf(id, sizeof(ids[0]), "%s", harness_text(o->data, "id"));
	assert_true(*id != '\0');
	return id;
}

static void
fill_terms(struct harness *h)
{
	const char *id;

	id = id_of(harness_send(h, admin, "POST /taxonomies/mood/terms",
	    "{\"slug\":\"dark\",\"label\":\"Dark & <deep>\",\"description\":\"a <b> &lt; c\"}"));
	assert_ok(harness_send(h, admin, "POST /taxonomies/mood/terms",
	    "{\"slug\":\"darker\",\"label\":\" Darker \",\"parentId\":\"%s\"}", id));
	assert_ok(harness_send(
	    h, admin, "POST /taxonomies/tag/terms", "{\"slug\":\"tagged\",\"label\":\"&amp;\"}"));
	assert_ok(harness_send(h, admin, "POST /taxonomies/tag/terms/tagged/translations",
	    "{\"slug\":\"tagged\",\"label\":\"Markiert\",\"locale\":\"de\"}"));
}

#define WHO "\"authorName\":\"Eve & co\",\"authorEmail\":\"eve@example.org\","

/* Two bylines. */
static void
fill_bylines(struct harness *h, const char **ann, const char **bob)
{
	*ann = id_of(harness_send(h, admin, "POST /admin/bylines",
	    "{\"slug\":\"ann\",\"displayName\":\"Ann & Co\",\"isGuest\":true}"));
	*bob = id_of(harness_send(h, admin, "POST /admin/bylines",
	    "{\"slug\":\"bob\",\"displayName\":\"Bob\",\"isGuest\":true}"));
}

/* The first story: each field; returns its id. */
static const char *
fill_first(struct harness *h)
{
	const char *ann, *bob;

	fill_bylines(h, &ann, &bob);
	return id_of(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"first\",\"status\":\"published\",\"publishedAt\":\"2020-01-02T03:04:05.678Z\","
	    "\"createdAt\":\"2019-01-02T03:04:05.000Z\",\"data\":{\"title\":\" " HOSTILE " \","
	    "\"excerpt\":\"<p>&amp;&</p> " HOSTILE "\",\"menu_order\":7,\"price\":0.1,\"count\":-3,"
	    "\"open\":false,\"at\":\"2021-05-06T07:08:09.010Z\",\"extra\":[1,\"" CONTROLS
	    "\",{\"a\":null}],"
	    "\"seo_title\":\"{not json\",\"kinds\":[\"b c\",\"d\\\"e\"],"
	    "\"notes\":[" BLOCK(
		"n") "],\"featured_image\":{\"id\":\"\",\"provider\":\"external\","
		     "\"src\":\"https://x.example/p.jpg?a=1&b=2\",\"alt\":\"A & B\"},"
		     "\"cover\":{\"id\":\"\",\"provider\":\"external\",\"src\":\"https://x.example/c.jpg\"},"
		     "\"content\":[" BLOCK(HOSTILE
			     CONTROLS) ",{\"_type\":\"chart\",\"_key\":\"c\",\"values\":"
				       "[1.5,\"" HOSTILE CONTROLS "\"]}]},"
				       "\"bylines\":[{\"bylineId\":\"%s\",\"roleLabel\":\"Words\"},{\"bylineId\":\"%s\"}],"
				       "\"taxonomies\":{\"mood\":[\"darker\"],\"tag\":[\"tagged\"]}}",
	    "1", "2", "3", "4", bob, ann));
}

/* Returns the id of the last one. */
static const char *
fill_others(struct harness *h, const char *first)
{
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"erste\",\"locale\":\"de\",\"translationOf\":\"%s\",\"status\":\"published\","
	    "\"data\":{\"title\":\"Erste\",\"extra\":\"5\"},\"taxonomies\":{\"tag\":[\"tagged\"]}}",
	    first));
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"child\",\"data\":{\"title\":\"Child\",\"parent\":\"%s\",\"extra\":5,"
	    "\"excerpt\":\"\"}}",
	    first));
	return id_of(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"late\",\"status\":\"published\",\"data\":{\"title\":\"Late\",\"extra\":true,"
	    "\"featured_image\":{\"id\":\"\",\"provider\":\"external\","
	    "\"src\":\"https://x.example/p.jpg?a=1&b=2\",\"alt\":\"A & B\"}}}"));
}

static void
fill_structure(struct harness *h, const char *first)
{
	assert_ok(harness_send(h, admin, "POST /sections",
	    "{\"slug\":\"part\",\"title\":\"Part & <i>\",\"content\":[" BLOCK("x") "]}"));
	assert_ok(
	    harness_send(h, admin, "POST /menus", "{\"name\":\"main\",\"label\":\"Main & more\"}"));
	assert_ok(harness_send(h, admin, "PUT /menus/main/items",
	    "{\"items\":[{\"type\":\"post\",\"referenceCollection\":\"stories\",\"referenceId\":\"%s\","
	    "\"label\":\"A <b> & c\",\"titleAttr\":\"t & u\",\"cssClasses\":\"x y\",\"target\":\"_blank\"},"
	    "{\"type\":\"custom\",\"customUrl\":\"/?a=1&b=]]>\",\"label\":\"Below\",\"parentIndex\":0}]}",
	    first));
}

static void
fill_comments(struct harness *h, const char *id)
{
	char request[80];
	struct outcome *o;
	char root[32];

	(void)snprintf(request, sizeof(request), "POST /comments/stories/%s", id);
	harness_ok(o, harness_send(h, nobody, request,
			  "{" WHO "\"body\":\"<script> ]]> --> &lt; \\n\\n  x & y\"}"));
	(void)snprintf(root, sizeof(root), "%s", harness_text(o->data, "id"));
	assert_ok(harness_send(
	    h, nobody, request, "{" WHO "\"body\":\"An answer\",\"parentId\":\"%s\"}", root));
	harness_ok(o, harness_send(h, nobody, request, "{" WHO "\"body\":\"Buy\"}"));
	assert_ok(harness_send(h, admin, "POST /admin/comments/bulk",
	    "{\"ids\":[\"%s\"],\"action\":\"spam\"}", harness_text(o->data, "id")));
}

static void
a_site_with_everything_comes_back(void **state)
{
	char export[] = "/tmp/stet-leaving-XXXXXX", *dir, *a, *b;
	struct harness *h = furnished();
	const char *first, *late;

	(void)state;
	close(mkstemp(export));
	fill_terms(h);
	first = fill_first(h);
	late = fill_others(h, first);
	fill_structure(h, first);
	fill_comments(h, late);
	a = site_told(h);
	dir = leave(h, two);
	assert_int_equal(RUN(dir, "export", "wxr", export), 0);
	harness_close(enter(dir, two), false);
	free(dir);
	dir = leave(furnished(), two);
	assert_int_equal(RUN(dir, "import", "wxr", export, "--no-media"), 0);
	h = enter(dir, two);
	b = site_told(h);
	assert_same("a site", a, b);
	harness_close(h, false);
	free(dir);
	free(a);
	free(b);
	(void)unlink(export);
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

/* One of them has a title of a MiB. */
static void
add_long_title(struct harness *h)
{
	char *title = malloc((1 << 20) + 1);

	assert_non_null(title);
	memset(title, '&', 1 << 20);
	title[1 << 20] = '\0';
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"long\",\"data\":{\"title\":\"%s\"}}", title));
	free(title);
}

/* How often a text stands in a file. */
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

/* EXPORT_ITEMS=1000000 tries more; the figures are printed. */
static void
many_items_take_little_memory(void **state)
{
	char lines[] = "/tmp/stet-leaving-XXXXXX", export[] = "/tmp/stet-leaving-XXXXXX", *dir;
	const char *wanted = getenv("EXPORT_ITEMS");
	int count = wanted != NULL ? (int)strtol(wanted, NULL, 10) : MANY;
	struct harness *h = furnished();
	struct rusage usage;

	(void)state;
	close(mkstemp(lines));
	close(mkstemp(export));
	add_long_title(h);
	dir = leave(h, two);
	write_lines(lines, count);
	assert_int_equal(RUN(dir, "import", "jsonl", lines, "--collection", "stories"), 0);
	assert_int_equal(
	    run(dir, (const char *const[]){ "export", "wxr", export, NULL }, &usage), 0);
	print_message("# %d items: %ld KiB, %ld.%02ld s\n", count, usage.ru_maxrss,
	    (long)usage.ru_utime.tv_sec, (long)usage.ru_utime.tv_usec / 10000);
	assert_int_equal(count_of(export, "<item>"), count + 1);
#ifndef __SANITIZE_ADDRESS__
	assert_true(usage.ru_maxrss < MEMORY_MAX);
#endif
	harness_close(enter(dir, two), false);
	free(dir);
	(void)unlink(lines);
	(void)unlink(export);
}

/* ---- what is not written ---- */

static void
an_export_that_fails_leaves_no_file(void **state)
{
	char path[200], *dir = leave(furnished(), two);
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
	harness_close(enter(dir, two), false);
	free(dir);
}

#define TYPE(type) "<wp:post_type><![CDATA[" type "]]></wp:post_type>"
#define STATUS(status) "<wp:status><![CDATA[" status "]]></wp:status>"

static void
options_choose_what_is_written(void **state)
{
	struct harness *h = furnished();
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
	dir = leave(h, two);
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
	harness_close(enter(dir, two), false);
	free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(files_of_others_come_back),
		cmocka_unit_test(a_site_with_everything_comes_back),
		cmocka_unit_test(many_items_take_little_memory),
		cmocka_unit_test(an_export_that_fails_leaves_no_file),
		cmocka_unit_test(options_choose_what_is_written) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
