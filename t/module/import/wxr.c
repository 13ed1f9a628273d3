/*
 * wxr.c - reading export files of other sites: exact counts, whole and cut into pieces. Violations
 * of XML by WordPress are repaired and reported.
 */
#include "exports.h"
#include "harness.h"
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- files of others ---- */

/* Counts by another parser (Python's ElementTree). The last four are bytes. */
static const struct file {
	const char *name;
	int authors, categories, tags, terms, items, skipped, metas, comments, labels;
	size_t content, excerpts, values, said;
} files[] = {
	{ "64-block-test-data", 2, 7, 4, 13, 72, 0, 14, 2, 92, 451230, 354, 244, 47 },
	{ "a11y-unit-test-data", 1, 27, 61, 5, 154, 0, 763, 29, 298, 138970, 1271, 23075, 7614 },
	{ "entities-options-and-posts", 2, 3, 0, 0, 1, 0, 2, 0, 1, 125, 0, 2, 0 },
	{ "large-authors", 300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "namespace-edge-cases", 2, 0, 0, 2, 5, 1, 1, 0, 0, 163, 0, 12, 0 },
	{ "post-content-blank-lines", 1, 0, 0, 0, 1, 0, 0, 0, 0, 113, 0, 0, 0 },
	{ "slashes", 1, 1, 1, 0, 1, 0, 1, 1, 1, 24, 0, 1, 17 },
	{ "small-export", 3, 30, 3, 0, 11, 0, 17, 1, 36, 1399, 0, 68, 150 },
	{ "stylish-press", 1, 0, 0, 0, 3, 0, 3, 0, 3, 10749, 0, 3, 0 },
	{ "term-formats", 0, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
	{ "theme-preview", 0, 0, 0, 0, 7, 0, 0, 2, 15, 10891, 0, 0, 111 },
	{ "valid-wxr-1.0", 0, 5, 4, 0, 6, 0, 13, 1, 14, 435, 0, 65, 150 },
	{ "valid-wxr-1.1", 1, 1, 1, 1, 2, 0, 1, 1, 3, 355, 0, 7, 150 },
	{ "woocommerce-demo-products", 1, 0, 0, 0, 47, 0, 924, 0, 61, 5956, 476, 13314, 0 },
	{ "wxr-simple", 1, 0, 0, 0, 1, 0, 2, 0, 1, 544, 0, 2, 0 },
	{ "wxr-utf-8-challenges", 1, 0, 0, 0, 1, 0, 5, 0, 1, 1831, 336, 328, 0 },
};

static bool
has_files(void)
{
	if (export_path("slashes") != NULL)
		return true;
	print_message("# skipped: the export files of others are not here (shared/data/wxr)\n");
	return false;
}

static void
check_counts(const struct file *f, const struct told *t)
{
	const int64_t pairs[][2] = { { f->authors, t->authors },
		{ f->categories + f->tags + f->terms, t->categories + t->tags + t->terms },
		{ f->items, t->items }, { f->skipped, t->skipped }, { f->metas, t->metas },
		{ f->comments, t->comments }, { f->labels, t->labels },
		{ (int64_t)f->content, (int64_t)t->content },
		{ (int64_t)f->excerpts, (int64_t)t->excerpts },
		{ (int64_t)f->values, (int64_t)t->values }, { (int64_t)f->said, (int64_t)t->said },
		{ 1, t->sites }, { 0, t->repaired } };

	if (t->status != STET_OK)
		fail_msg("%s: %s", f->name, t->error);
	for (size_t i = 0; i < COUNT(pairs); i++)
		if (pairs[i][0] != pairs[i][1])
			fail_msg("%s: count %zu is %lld, not %lld (%s)", f->name, i,
			    (long long)pairs[i][1], (long long)pairs[i][0], t->notice);
}

static void
files_of_others_have_exact_counts(void **state)
{
	struct told t;

	(void)state;
	if (!has_files())
		return;
	for (size_t i = 0; i < COUNT(files); i++) {
		export_read(export_path(files[i].name), UINT64_MAX, &t);
		check_counts(&files[i], &t);
	}
}

static void
packed_files_are_the_same(void **state)
{
	struct told t;

	(void)state;
	if (!has_files())
		return;
	for (size_t i = 0; i < COUNT(files); i++) {
		size_t len, packed;
		char *bytes = export_load(export_path(files[i].name), &len);
		char *gzip = export_gzip(bytes, len, &packed);

		export_read_bytes(gzip, packed, &t);
		check_counts(&files[i], &t);
		assert_int_equal(t.totals.bytes, len);
		free(bytes);
		free(gzip);
	}
}

static void
files_that_are_not_well_formed_are_refused_with_the_line(void **state)
{
	struct told t;

	(void)state;
	if (!has_files())
		return;
	export_read(export_path("malformed"), UINT64_MAX, &t);
	assert_int_equal(t.status, STET_VALIDATION_ERROR);
	assert_non_null(strstr(t.error, "XML parsing error: line 90: "));
	export_read(export_path("malformed-simple"), UINT64_MAX, &t);
	assert_int_equal(t.status, STET_VALIDATION_ERROR);
	assert_non_null(strstr(t.error, "XML parsing error: line 13: the file is cut off"));
}

/* A file cut anywhere before the end of its last element is refused. */
static void
a_file_that_is_cut_anywhere_is_refused(void **state)
{
	static const char *const names[] = { "small-export", "slashes", "wxr-utf-8-challenges" };
	struct told t;

	(void)state;
	if (!has_files())
		return;
	for (size_t i = 0; i < COUNT(names); i++) {
		size_t len;
		char *bytes = export_load(export_path(names[i]), &len);

		while (len > 0 && bytes[len - 1] != '>')
			len--;
		for (size_t cut = 0; cut < len; cut += i == 0 ? 1000 : 37) {
			export_read_bytes(bytes, cut, &t);
			if (t.status != STET_VALIDATION_ERROR)
				fail_msg("%s cut at %zu: %s", names[i], cut, t.error);
		}
		export_read_bytes(bytes, len - 1, &t);
		assert_int_equal(t.status, STET_VALIDATION_ERROR);
		export_read_bytes(bytes, len, &t);
		assert_int_equal(t.status, STET_OK);
		free(bytes);
	}
}

/* ---- what an item has ---- */

static void
every_member_of_an_item_is_read(void **state)
{
	struct told t;

	(void)state;
	export_read_text(EXPORT_HEAD
	    "<item><title> A &amp; B </title><link>https://a.example/b</link>\n"
	    "<dc:creator><![CDATA[ann]]></dc:creator>"
	    "<content:encoded> <![CDATA[<p>1]]>]]&gt;<![CDATA[2</p>]]> "
	    "</content:encoded><wp:post_id> 12 </wp:post_id>"
	    "<wp:post_parent>11</wp:post_parent><wp:post_id>13</wp:post_id>"
	    "<wp:post_name>a-b</wp:post_name>"
	    "<wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt>"
	    "<wp:post_type>page</wp:post_type>"
	    "<wp:postmeta><wp:meta_key>k</wp:meta_key><wp:meta_value> v "
	    "</wp:meta_value></wp:postmeta>"
	    "<wp:unknown><wp:post_id>99</wp:post_id></wp:unknown>"
	    "</item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_string_equal(t.title, "Site");
	assert_string_equal(t.text, " <p>1]]>2</p> ");
	assert_string_equal(t.link, "https://a.example/b");
	assert_string_equal(t.author, "ann");
	assert_string_equal(t.slug, "a-b");
	assert_string_equal(t.date, "2020-01-02 03:04:05");
	assert_string_equal(t.type, "page");
	assert_string_equal(t.value, " v ");
	assert_int_equal(t.id, 12);
	assert_int_equal(t.parent, 11);
	assert_int_equal(t.line, 4);
}

static void
an_export_without_items_is_empty_and_a_feed_is_refused(void **state)
{
	static const char *const feeds[] = { "", " \n", "<rss/>", "<rss><channel/></rss>",
		"<rss version=\"2.0\"><channel><item><title>T</title></item></channel></rss>",
		"<feed xmlns=\"http://www.w3.org/2005/Atom\"/>", "<html><body/></html>", "{}",
		"plain text",
		"<rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><wp:tag/></rss>" };
	struct told t;

	(void)state;
	export_read_text(EXPORT_HEAD EXPORT_END, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.sites, 1);
	assert_int_equal(t.items, 0);
	for (size_t i = 0; i < COUNT(feeds); i++) {
		export_read_text(feeds[i], &t);
		if (t.status != STET_VALIDATION_ERROR ||
		    strstr(t.error, "XML parsing error: line ") == NULL)
			fail_msg("%s: %s", feeds[i], t.error);
	}
}

static void
an_item_that_is_none_is_left_out_with_its_line(void **state)
{
	struct told t;

	(void)state;
	export_read_text(EXPORT_HEAD
	    "<item><title>Of a feed</title></item>\n" EXPORT_ITEM("a") "</item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, 1);
	assert_int_equal(t.skipped, 1);
	assert_int_equal(t.notice_line, 4);
	assert_non_null(strstr(t.notice, "\"Of a feed\" is left out"));
}

/* ---- repairs ---- */

static void
control_characters_are_left_out_and_told(void **state)
{
	static const char text[] = EXPORT_HEAD "\n" EXPORT_ITEM(
	    "<![CDATA[a\x01\x08"
	    "b\vc\x1f\xef\xbf\xbf\xed\xa0\x80&#8;]]>&#x1F;&#0;d") "</item>" EXPORT_END;
	struct told t;

	(void)state;
	export_read_text(text, &t);
	assert_string_equal(t.error, "");
	assert_string_equal(t.text, "ab c\xef\xbf\xbd\xef\xbf\xbd&#8;d");
	assert_int_equal(t.totals.repaired, 8);
	assert_int_equal(t.notice_line, 5);
	export_read_bytes("<rss>\0</rss>", 12, &t); /* U+0000 is a forbidden character, too */
	assert_int_equal(t.totals.repaired, 1);
}

static void
entities_of_html_stay_text(void **state)
{
	struct told t;

	(void)state;
	export_read_text(
	    EXPORT_HEAD EXPORT_ITEM("a&nbsp;&amp;nbsp;&hellip;&#8217;&lt;") "</item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_string_equal(t.text, "a&nbsp;&nbsp;&hellip;\xe2\x80\x99<");
	assert_int_equal(t.repaired, 2);
}

static const struct fault {
	const char *written, *read; /* the content of an item */
	int repaired;
} faults[] = {
	{ "a & b &c &; &#; &#x; &1; &#12a; &amp", "a & b &c &; &#; &#x; &1; &#12a; &amp", 8 },
	{ "&amp;&#65;&#x42;<![CDATA[ & < ]]>", "&AB & < ", 0 },
	{ "1 < 2 <3 <= <", "1 < 2 <3 <= <", 4 },
	{ "a <b>c</b> <br> <i/>d</p> <?e?> <!f>", "a <b>c</b> <br> <i/>d</p> <?e?> <!f>", 7 },
	{ "a<!-- b -->c<![CDATA[d]]> e <![CDATA[f]]>g", "acd e fg", 0 },
	{ "a]]>b]]c]>]", "a]]>b]]c]>]", 1 },
	{ "<![CDATA[<script>//<![CDATA[\nx\n//]]></script>]]>",
	    "<script>//<![CDATA[\nx\n//]]></script>", 1 },
	{ "<![CDATA[a]]> b]]> c ]]]>\n]]>", "a]]> b]]> c ]]]>\n", 3 },
	{ "<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b", 0 },
	{ "<![CDATA[caf\xe9 \x80 \xc3\xa9\xe9\xe8]]>",
	    "caf\xc3\xa9 \xe2\x82\xac \xc3\xa9\xc3\xa9\xc3\xa8", 4 },
};

/* Each is told with its line, and read the same wherever the buffer of the reader ends. */
static void
faults_of_form_are_repaired_and_told(void **state)
{
	char *text = malloc(40000);
	struct told t;

	(void)state;
	for (size_t i = 0; i < COUNT(faults); i++) {
		const struct fault *f = &faults[i];
		size_t before = strlen(EXPORT_HEAD), most = strlen(f->written) + 90;

		for (size_t shift = 0; shift <= most; shift++) {
			int pad = shift == 0 ? 0 : (int)(16384 + 45 - before - 90 - shift + 45);

			(void)snprintf(text, 40000,
			    EXPORT_HEAD "%*s" EXPORT_ITEM("%s") "</item>" EXPORT_END, pad, "",
			    f->written);
			export_read_text(text, &t);
			if (t.status != STET_OK || strcmp(t.text, f->read) != 0 ||
			    t.totals.repaired != f->repaired)
				fail_msg("%zu, %zu: %s %s %lld", i, shift, t.text, t.error,
				    (long long)t.totals.repaired);
			if (f->repaired > 0 && i != 6 && i != 7)
				assert_int_equal(t.notice_line, 4);
		}
	}
	free(text);
}

/* Brackets in texts do not count as bytes of a tag. */
static void
many_brackets_are_text(void **state)
{
	size_t count = 200000;
	char *text = malloc(3 * count + 2000), *p = stpcpy(text, EXPORT_HEAD);
	struct told t;

	(void)state;
	p = stpcpy(p, "<item><wp:post_id>7</wp:post_id><content:encoded><![CDATA[");
	memset(p, ']', count);
	p = stpcpy(p + count, "x]]></content:encoded><title>");
	memset(p, ']', count);
	p = stpcpy(p + count, "</title></item>" EXPORT_END);
	export_read_text(text, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.content, count + 1);
	free(text);
}

static void
faults_have_their_line(void **state)
{
	struct told t;

	(void)state;
	export_read_text(EXPORT_HEAD EXPORT_ITEM("a\n\n&\n") "\n\n</item>" EXPORT_END, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.notice_line, 6);
	assert_string_equal(t.notice, "A bare & is kept as text");
	export_read_text(EXPORT_HEAD "<item><title>a < b</title><category domain='c' "
				     "nicename='d&e<f'>G & H</category><wp:post_id>1</wp:post_id>"
				     "</item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.totals.repaired, 4);
	assert_int_equal(t.labels, 1);
}

/* Many such bytes, three in a row, or one that Windows-1252 does not have, are another encoding. */
static void
texts_of_other_encodings_are_refused(void **state)
{
	static const char *const bytes[] = { "\x81", "\xe9\xe9\xe9\xe9" };
	char *text = malloc(50000), *p = text;
	struct told t;

	(void)state;
	for (size_t i = 0; i < COUNT(bytes); i++) {
		(void)snprintf(
		    text, 50000, EXPORT_HEAD EXPORT_ITEM("%s") "</item>" EXPORT_END, bytes[i]);
		export_read_text(text, &t);
		assert_non_null(strstr(t.error, "line 4: it has bytes that are no UTF-8"));
	}
	p = stpcpy(text, EXPORT_HEAD);
	for (size_t i = 0; i <= 10000; i++)
		p = stpcpy(p, "\xe9 ");
	export_read_text(text, &t);
	assert_non_null(strstr(t.error, "it has bytes that are no UTF-8"));
	free(text);
}

static void
blanks_before_the_declaration_are_no_harm(void **state)
{
	struct told t;

	(void)state;
	export_read_text("\n\n  " EXPORT_HEAD EXPORT_ITEM("a") "</item>" EXPORT_END, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, 1);
	assert_int_equal(t.repaired, 1);
	export_read_text("\xef\xbb\xbf" EXPORT_HEAD EXPORT_END, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.repaired, 0);
}

static void
ends_of_lines_are_line_feeds(void **state)
{
	struct told t;

	(void)state;
	export_read_text(EXPORT_HEAD
	    "\r\n\r" EXPORT_ITEM(
		"<![CDATA[a\r\nb\rc\r\r\n\xc3\xa9\r\xc3\xa9\n]]>&#13;") "</item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_string_equal(t.text, "a\nb\nc\n\n\xc3\xa9\n\xc3\xa9\n\r");
	assert_int_equal(t.line, 6);
}

/* CDATA sections and their ends at every distance from the end of a read buffer. */
static void
long_sections_keep_every_byte(void **state)
{
	size_t size = 70000, len = 0;
	char *text = malloc(size * 2 + 2000), *body = malloc(size + 1);
	struct told t;

	(void)state;
	for (size_t shift = 0; shift < 24; shift++) {
		for (size_t i = 0; i < size; i++)
			body[i] = "]]x]>]]] y"[(i + i / 16384) % 10];
		memcpy(body + 16384 - 340 - shift, "]]]]]]]]]]]]]]]]z", 17);
		body[size] = '\0';
		len = (size_t)snprintf(text, size * 2,
		    EXPORT_HEAD EXPORT_ITEM("<![CDATA[%s]]>]") "</item>" EXPORT_END, body);
		export_read_bytes(text, len, &t);
		assert_string_equal(t.error, "");
		assert_int_equal(t.content, size + 1);
		assert_int_equal(t.items, 1);
	}
	free(text);
	free(body);
}

/* ---- encodings ---- */

/* Returns the text as UTF-16, with or without a byte order mark; to be freed. */
static char *
wide(const char *text, bool big, bool mark, size_t *len)
{
	char *out = malloc(strlen(text) * 2 + 2);

	assert_non_null(out);
	*len = 0;
	if (mark) {
		out[(*len)++] = (char)(big ? 0xfe : 0xff);
		out[(*len)++] = (char)(big ? 0xff : 0xfe);
	}
	for (; *text != '\0'; text++) {
		out[(*len)++] = (char)(big ? 0 : *text);
		out[(*len)++] = (char)(big ? *text : 0);
	}
	return out;
}

static void
encodings_are_read_as_they_are_declared(void **state)
{
	static const struct {
		const char *name, *bytes, *text;
	} in[] = { { "ISO-8859-1", "caf\xe9", "café" }, { "windows-1252", "\x80 5", "€ 5" },
		{ "koi8-r", "\xc1", "а" }, { "Shift_JIS", "\x83\x65", "テ" },
		{ "us-ascii", "a", "a" }, { "GB18030", "\x84\x31\xa4\x37", "\xef\xbf\xbd" },
		{ "utf8", "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" } };
	struct told t;
	char text[2000];

	(void)state;
	for (size_t i = 0; i < COUNT(in); i++) {
		(void)snprintf(text, sizeof(text),
		    "<?xml version='1.0' encoding='%s'?>%s" EXPORT_ITEM("%s") "</item>" EXPORT_END,
		    in[i].name, strchr(EXPORT_HEAD, '\n'), in[i].bytes);
		export_read_text(text, &t);
		if (t.status != STET_OK || (i != 5 && strcmp(t.text, in[i].text) != 0))
			fail_msg("%s: %s, %s", in[i].name, t.text, t.error);
	}
	for (int i = 0; i < 4; i++) {
		size_t len;
		char *bytes = wide(strstr(EXPORT_HEAD EXPORT_ITEM("x") "</item>" EXPORT_END, "<"),
		    i % 2 == 0, i < 2, &len);

		export_read_bytes(bytes, len, &t);
		assert_string_equal(t.error, "");
		assert_string_equal(t.text, "x");
		export_read_bytes(bytes, len - 1, &t);
		assert_int_equal(t.status, STET_VALIDATION_ERROR);
		free(bytes);
	}
}

static void
encodings_that_do_not_fit_are_refused(void **state)
{
	static const char *const heads[] = { "<?xml version='1.0' encoding='UTF-16'?>",
		"<?xml version='1.0' encoding='UTF-7'?>", "<?xml version='1.0' encoding='x-none'?>",
		"<?xml version='1.0' encoding='us-ascii'?>", "<?xml version='1.0'?>",
		"<?xml version='1.0' encoding='Shift_JIS'?>" };
	struct told t;
	char text[2000];

	(void)state;
	for (size_t i = 0; i < COUNT(heads); i++) {
		(void)snprintf(text, sizeof(text), "%s%s" EXPORT_ITEM("%s") "</item>" EXPORT_END,
		    heads[i], strchr(EXPORT_HEAD, '\n'),
		    "a\x81\xfd"
		    "b");
		export_read_text(text, &t);
		if (t.status != STET_VALIDATION_ERROR)
			fail_msg("%s: %s", heads[i], t.text);
	}
}

/* ---- zip ---- */

/* Makes a zip file of these files; the caller closes it. */
static int
zip(char path[64], const char *const *names, const char *const *texts, size_t count)
{
	int fd = export_file(path);
	zipFile z = zipOpen64(path, APPEND_STATUS_CREATE);

	assert_non_null(z);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(zipOpenNewFileInZip64(
				     z, names[i], NULL, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 6, 0),
		    0);
		assert_int_equal(zipWriteInFileInZip(z, texts[i], (unsigned)strlen(texts[i])), 0);
		assert_int_equal(zipCloseFileInZip(z), 0);
	}
	assert_int_equal(zipClose(z, NULL), 0);
	return fd;
}

#define PART(id, title)                                                                      \
	EXPORT_HEAD "<item><wp:post_id>" id "</wp:post_id><wp:post_type>post</wp:post_type>" \
		    "<wp:post_name>" title "</wp:post_name></item>" EXPORT_END

static void
the_files_of_a_zip_are_one_export_by_name(void **state)
{
	static const char *const names[] = { "a/x.002.xml", "readme.txt", "a/x.001.XML",
		"__MACOSX/a/._x.001.xml" };
	static const char *const texts[] = { PART("2", "second"), "no XML", PART("1", "first"),
		"junk" };
	struct told t;
	char path[64];
	int fd = zip(path, names, texts, COUNT(names));

	(void)state;
	export_read(path, UINT64_MAX, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, 2);
	assert_int_equal(t.sites, 1);
	assert_int_equal(t.totals.documents, 2);
	assert_string_equal(t.slug, "second");
	close(fd);
	fd = zip(path, names + 1, texts + 1, 1);
	export_read(path, UINT64_MAX, &t);
	assert_non_null(strstr(t.error, "no file that ends with one of: .xml"));
	close(fd);
}

static void
an_error_names_the_file_in_the_zip(void **state)
{
	static const char *const names[] = { "1.xml", "2.xml" };
	static const char *const texts[] = { PART("1", "first"), "<rss>\n</rs>" };
	struct told t;
	char path[64];
	int fd = zip(path, names, texts, COUNT(names));

	(void)state;
	export_read(path, UINT64_MAX, &t);
	assert_int_equal(t.status, STET_VALIDATION_ERROR);
	assert_non_null(strstr(t.error, "line 2: "));
	assert_non_null(strstr(t.error, "(in 2.xml)"));
	close(fd);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_others_have_exact_counts),
		cmocka_unit_test(packed_files_are_the_same),
		cmocka_unit_test(files_that_are_not_well_formed_are_refused_with_the_line),
		cmocka_unit_test(a_file_that_is_cut_anywhere_is_refused),
		cmocka_unit_test(every_member_of_an_item_is_read),
		cmocka_unit_test(an_export_without_items_is_empty_and_a_feed_is_refused),
		cmocka_unit_test(an_item_that_is_none_is_left_out_with_its_line),
		cmocka_unit_test(control_characters_are_left_out_and_told),
		cmocka_unit_test(entities_of_html_stay_text),
		cmocka_unit_test(faults_of_form_are_repaired_and_told),
		cmocka_unit_test(many_brackets_are_text),
		cmocka_unit_test(faults_have_their_line),
		cmocka_unit_test(texts_of_other_encodings_are_refused),
		cmocka_unit_test(blanks_before_the_declaration_are_no_harm),
		cmocka_unit_test(long_sections_keep_every_byte),
		cmocka_unit_test(ends_of_lines_are_line_feeds),
		cmocka_unit_test(encodings_are_read_as_they_are_declared),
		cmocka_unit_test(encodings_that_do_not_fit_are_refused),
		cmocka_unit_test(the_files_of_a_zip_are_one_export_by_name),
		cmocka_unit_test(an_error_names_the_file_in_the_zip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
