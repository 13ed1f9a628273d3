/*
 * large.c - a generated export of many items: read at a steady speed, in memory that does not grow
 * with its size. EXPORT_ITEMS=400000 makes 1 GB; the test prints its measures.
 */
#include "exports.h"
#include "harness.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define ITEMS 4000
#define PARAGRAPHS 12
#define MEMORY_MAX 20000 /* KiB that reading may add */

#define WORDS_MAX 24

/* Returns the same pseudo-random numbers each time. */
static unsigned
next_below(unsigned below)
{
	static unsigned long seed = 88172645463325252UL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % below;
}

static void
write_words(FILE *f)
{
	static const char *const words[WORDS_MAX] = { "river", "stone", "caf\xc3\xa9", "morning",
		"of", "the", "a", "small", "letter", "from", "nobody", "in", "particular", "bridge",
		"under", "which", "boats", "pass", "&amp;", "<em>slowly</em>", "\xe6\x97\xa5",
		"\xf0\x9f\x98\x80", "until", "dusk" };

	for (unsigned n = 10 + next_below(15); n > 0; n--)
		(void)fprintf(f, "%s ", words[next_below(WORDS_MAX)]);
}

static void
write_item(FILE *f, int id)
{
	(void)fprintf(f,
	    "<item><title><![CDATA[Item %d]]></title><link>https://a.example/%d</link>"
	    "<pubDate>Mon, 01 Jan 2024 00:00:00 +0000</pubDate><dc:creator><![CDATA[user%d]]>"
	    "</dc:creator><content:encoded><![CDATA[",
	    id, id, id % 20);
	for (int i = 0; i < PARAGRAPHS; i++) {
		(void)fputs("<!-- wp:paragraph -->\n<p>", f);
		write_words(f);
		(void)fputs("</p>\n<!-- /wp:paragraph -->\n\n", f);
	}
	(void)fprintf(f,
	    "]]></content:encoded><excerpt:encoded><![CDATA[]]></excerpt:encoded>"
	    "<wp:post_id>%d</wp:post_id><wp:post_date><![CDATA[2024-01-01 00:00:00]]>"
	    "</wp:post_date><wp:post_name><![CDATA[item-%d]]></wp:post_name>"
	    "<wp:status><![CDATA[publish]]></wp:status><wp:post_type><![CDATA[%s]]></wp:post_type>"
	    "<category domain=\"category\" nicename=\"c%d\"><![CDATA[C]]></category>"
	    "<wp:postmeta><wp:meta_key><![CDATA[_edit_last]]></wp:meta_key>"
	    "<wp:meta_value><![CDATA[1]]></wp:meta_value></wp:postmeta></item>\n",
	    id, id, id % 5 == 0 ? "page" : "post", id % 100);
}

static long
rss(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

static void
memory_does_not_grow_with_the_file(void **state)
{
	const char *wanted = getenv("EXPORT_ITEMS");
	int items = wanted != NULL ? (int)strtol(wanted, NULL, 10) : ITEMS;
	char path[] = "/tmp/stet-export-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");
	struct told t;
	long before;

	(void)state;
	assert_non_null(f);
	(void)fputs(EXPORT_HEAD, f);
	for (int i = 1; i <= items; i++)
		write_item(f, i);
	(void)fputs(EXPORT_END, f);
	assert_int_equal(fclose(f), 0);
	before = rss();
	export_read(path, UINT64_MAX, &t);
	assert_int_equal(unlink(path), 0);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, items);
	assert_int_equal(t.metas, items);
	print_message("# %d items, %.0f MB: %.0f items/s, %.0f MB/s, %ld KiB more\n", items,
	    (double)t.totals.bytes / 1e6, items / t.seconds,
	    (double)t.totals.bytes / 1e6 / t.seconds, rss() - before);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	assert_true(rss() - before < MEMORY_MAX);
#endif
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_does_not_grow_with_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
