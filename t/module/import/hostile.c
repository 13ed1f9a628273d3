/*
 * hostile.c - malicious export files: each is refused, or read, within a second of processor time
 * after its limit is passed, and in 50 MB. Sanitizers need more, so the measures are left out under
 * them.
 */
#include "exports.h"
#include "harness.h"
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MIB (1u << 20)
/* Bytes a second that are read until a limit is passed: a tenth of the rate on an idle machine. */
#define SLOWEST 20e6
#define MEMORY_MAX 50000 /* KiB that the process may grow by, in all tests together */

static long base_rss;

static long
rss(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

static void
check_costs(const struct told *t)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	if (t->seconds >= 1 + (double)t->totals.bytes / SLOWEST)
		fail_msg("%f seconds", t->seconds);
	if (rss() - base_rss > MEMORY_MAX)
		fail_msg("%ld KiB more", rss() - base_rss);
#else
	(void)t;
#endif
}

static void
refused(const char *bytes, size_t len, const char *why)
{
	struct told t;

	export_read_bytes(bytes, len, &t);
	if (t.status != STET_VALIDATION_ERROR || strstr(t.error, why) == NULL)
		fail_msg("%.60s: %s, not %s", bytes, t.error, why);
	check_costs(&t);
}

/* A file of many pieces, written as it goes so that the test needs no memory itself. */
static void
read_repeated(const char *head, const char *piece, size_t size, const char *tail, struct told *t)
{
	char block[65536], path[64];
	size_t len = strlen(piece), fill = sizeof(block) / len * len;
	int fd = export_file(path);

	for (size_t i = 0; i < fill; i += len)
		memcpy(block + i, piece, len);
	export_write(fd, head, strlen(head));
	for (size_t done = 0; done < size; done += fill)
		export_write(fd, block, fill);
	export_write(fd, tail, strlen(tail));
	export_read(path, UINT64_MAX, t);
	close(fd);
	check_costs(t);
}

static void
refused_repeated(
    const char *head, const char *piece, size_t size, const char *tail, const char *why)
{
	struct told t;

	read_repeated(head, piece, size, tail, &t);
	if (t.status != STET_VALIDATION_ERROR || strstr(t.error, why) == NULL)
		fail_msg("%s: %s, not %s", piece, t.error, why);
}

/* ---- document types and entities ---- */

#define LAUGHS                                                                              \
	"<!DOCTYPE rss [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">" \
	"<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;\">]>"

static void
no_document_type_is_read(void **state)
{
	static const char *const types[] = {
		"<!DOCTYPE rss>",
		"<!DOCTYPE rss SYSTEM \"file:///etc/passwd\">",
		"<!DOCTYPE rss SYSTEM \"http://127.0.0.1:9/x.dtd\">",
		"<!DOCTYPE rss PUBLIC \"-//X//Y\" \"http://127.0.0.1:9/x.dtd\">",
		LAUGHS,
		"<!DOCTYPE rss [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>",
		"<!DOCTYPE rss [<!ENTITY % x SYSTEM \"http://127.0.0.1:9/e\"> %x;]>",
		"<!DOCTYPE rss [<!ENTITY % a \"<!ENTITY b 'c'>\"> %a;]>",
		"<!DOCTYPE rss [<!ATTLIST rss version CDATA \"2.0\">]>",
		"<!doctype html>",
		"<!ENTITY x \"y\">",
		"<!ELEMENT rss ANY>",
		"<! >",
	};
	char text[4000];

	(void)state;
	for (size_t i = 0; i < COUNT(types); i++) {
		(void)snprintf(text, sizeof(text),
		    "<?xml version=\"1.0\"?>%s<rss><channel>&d;&x;</channel></rss>", types[i]);
		refused(text, strlen(text), "document type declaration");
		(void)snprintf(text, sizeof(text), EXPORT_HEAD "%s" EXPORT_END, types[i]);
		refused(text, strlen(text), "document type declaration");
	}
	refused_repeated("<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a \"", "a", 4 * MIB,
	    "\">]><rss>&a;&a;&a;</rss>", "document type declaration");
}

static void
what_looks_like_a_document_type_in_text_is_text(void **state)
{
	struct told t;

	(void)state;
	export_read_text(EXPORT_HEAD
	    "<!-- <!DOCTYPE a> -->" EXPORT_ITEM(
		"<![CDATA[<!DOCTYPE a [<!ENTITY b \"c\">]>&b;]]>") "</item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_string_equal(t.text, "<!DOCTYPE a [<!ENTITY b \"c\">]>&b;");
}

/* ---- sizes ---- */

static void
long_markup_is_refused(void **state)
{
	(void)state;
	refused_repeated(EXPORT_HEAD "<item a=\"", "x", 20 * MIB, "\"/>", "more than 65,536 bytes");
	refused_repeated(EXPORT_HEAD "<item a='", ">", 20 * MIB, "'/>", "more than 65,536 bytes");
	refused_repeated(EXPORT_HEAD "<n", "ame", 20 * MIB, "/>", "more than 65,536 bytes");
	refused_repeated(EXPORT_HEAD "</n", "ame", 20 * MIB, ">", "more than 65,536 bytes");
	refused_repeated(EXPORT_HEAD "<item ", "\n", 20 * MIB, "/>", "more than 65,536 bytes");
	refused_repeated(EXPORT_HEAD "<item ", "a='' ", 20 * MIB, "/>", "128 attributes");
	refused_repeated(EXPORT_HEAD "<!--", "- ", 20 * MIB, "-->", "comment without an end");
	refused_repeated(EXPORT_HEAD "<?a ", "? >", 20 * MIB, "?>", "comment without an end");
	refused_repeated("<?xml version='1.0' encoding='", "u", 20 * MIB, "'?>", "XML parsing");
}

static void
deep_elements_are_refused(void **state)
{
	(void)state;
	refused_repeated(EXPORT_HEAD, "<a>", 20 * MIB, "", "nested too deeply");
	refused_repeated(EXPORT_HEAD "<item><wp:x>", "<a>", 20 * MIB, "", "nested too deeply");
	refused_repeated(EXPORT_HEAD "<item><title>", "<a>", 20 * MIB, "", "100,000 faults");
	refused_repeated(EXPORT_HEAD, "&\n", 20 * MIB, "", "100,000 faults");
	refused_repeated(
	    EXPORT_HEAD "<item><title><![CDATA[", "]]>", 20 * MIB, "", "100,000 faults");
}

/* libxml2 keeps each distinct name until the end of the file. */
static void
many_names_are_refused_or_read_in_little_memory(void **state)
{
	char text[256], path[64];
	int fd = export_file(path);
	struct told t;

	(void)state;
	export_write(fd, EXPORT_HEAD, strlen(EXPORT_HEAD));
	for (int i = 0; i < 300000; i++) {
		int len = snprintf(text, sizeof(text), "<n%0*d x%d=''/>", 60, i, i);

		export_write(fd, text, (size_t)len);
	}
	export_read(path, UINT64_MAX, &t);
	assert_non_null(strstr(t.error, "4,096 names"));
	close(fd);
	check_costs(&t);
}

static void
an_item_that_is_too_long_is_left_out_and_a_huge_one_refused(void **state)
{
	struct told t;

	(void)state;
	read_repeated(EXPORT_HEAD EXPORT_ITEM("a") "</item><item><wp:post_id>8</wp:post_id>"
						   "<content:encoded>",
	    "text ", 9 * MIB, "</content:encoded></item>" EXPORT_ITEM("b") "</item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, 2);
	assert_int_equal(t.skipped, 1);
	assert_non_null(strstr(t.notice, "more than 8 MiB"));
	assert_string_equal(t.text, "b");
	read_repeated(EXPORT_HEAD EXPORT_ITEM("a"), "<category domain='a'>x</category>", 20 * MIB,
	    "</item>" EXPORT_END, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, 0);
	assert_non_null(strstr(t.notice, "more than 16 MiB"));
	refused_repeated(EXPORT_HEAD "<item><wp:nothing>", "text ", 66 * MIB,
	    "</wp:nothing></item>" EXPORT_END, "more than 64 MiB");
	refused_repeated(EXPORT_HEAD "<item><content:encoded><![CDATA[", "]] >", 66 * MIB,
	    "]]></content:encoded></item>" EXPORT_END, "more than 64 MiB");
}

/* A post with too many comments is imported, with as many comments as fit. */
static void
comments_and_meta_that_are_too_long_are_left_out_alone(void **state)
{
	struct told t;

	(void)state;
	read_repeated(EXPORT_HEAD EXPORT_ITEM("a") "<wp:comment><wp:comment_id>1</wp:comment_id>"
						   "<wp:comment_content>",
	    "text ", 9 * MIB,
	    "</wp:comment_content></wp:comment><wp:postmeta><wp:meta_key>k</wp:meta_key>"
	    "<wp:meta_value>v</wp:meta_value></wp:postmeta></item>" EXPORT_END,
	    &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, 1);
	assert_int_equal(t.comments, 0);
	assert_int_equal(t.metas, 1);
	assert_non_null(strstr(t.notice, "1 comments or custom fields"));
	read_repeated(EXPORT_HEAD EXPORT_ITEM("a"),
	    "<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>All of these are "
	    "words that somebody has written</wp:comment_content></wp:comment>",
	    24 * MIB, "</item>" EXPORT_END, &t);
	assert_string_equal(t.error, "");
	assert_int_equal(t.items, 1);
	assert_true(t.comments > 60000);
	assert_int_equal(t.skipped, 1);
}

/* ---- bombs ---- */

/* 96 MiB of blanks in a small gzip file. */
static void
a_gzip_bomb_is_refused(void **state)
{
	size_t len = 96 * MIB, packed;
	char *blanks = malloc(len), *bomb;

	(void)state;
	assert_non_null(blanks);
	memset(blanks, ' ', len);
	memcpy(blanks, EXPORT_HEAD, strlen(EXPORT_HEAD));
	bomb = export_gzip(blanks, len, &packed);
	free(blanks);
	base_rss = rss(); /* memory that the test itself has used so far */
	refused(bomb, packed, "far more than an export");
	refused(bomb, packed / 8, "far more than an export");
	refused(bomb, 1000, "cut off");
	bomb[500] ^= 0x55;
	refused(bomb, packed, "file");
	free(bomb);
}

static void
a_zip_bomb_is_refused(void **state)
{
	char path[64], block[65536];
	int fd = export_file(path);
	zipFile z = zipOpen64(path, APPEND_STATUS_CREATE);
	struct told t;

	(void)state;
	memset(block, ' ', sizeof(block));
	assert_int_equal(
	    zipOpenNewFileInZip64(z, "a.xml", NULL, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 9, 0), 0);
	assert_int_equal(zipWriteInFileInZip(z, EXPORT_HEAD, (unsigned)strlen(EXPORT_HEAD)), 0);
	for (int i = 0; i < 1500; i++)
		assert_int_equal(zipWriteInFileInZip(z, block, sizeof(block)), 0);
	assert_int_equal(zipCloseFileInZip(z), 0);
	assert_int_equal(zipClose(z, NULL), 0);
	export_read(path, UINT64_MAX, &t);
	assert_non_null(strstr(t.error, "far more than an export"));
	check_costs(&t);
	close(fd);
}

static void
a_zip_file_of_many_files_is_refused(void **state)
{
	char path[64], name[32];
	int fd = export_file(path);
	zipFile z = zipOpen64(path, APPEND_STATUS_CREATE);
	struct told t;

	(void)state;
	for (int i = 0; i < 10001; i++) {
		(void)snprintf(name, sizeof(name), "%d.xml", i);
		assert_int_equal(
		    zipOpenNewFileInZip64(z, name, NULL, NULL, 0, NULL, 0, NULL, 0, 0, 0), 0);
		assert_int_equal(zipCloseFileInZip(z), 0);
	}
	assert_int_equal(zipClose(z, NULL), 0);
	export_read(path, UINT64_MAX, &t);
	assert_non_null(strstr(t.error, "more than 10,000 documents"));
	check_costs(&t);
	close(fd);
}

static void
a_zip_file_with_changed_bytes_is_read_or_refused(void **state)
{
	char path[64];
	int fd = export_file(path);
	zipFile z = zipOpen64(path, APPEND_STATUS_CREATE);
	const char *text = EXPORT_HEAD EXPORT_ITEM("a") "</item>" EXPORT_END;
	size_t len;
	char *bytes;
	struct told t;

	(void)state;
	assert_int_equal(
	    zipOpenNewFileInZip64(z, "1.xml", NULL, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 6, 0), 0);
	assert_int_equal(zipWriteInFileInZip(z, text, (unsigned)strlen(text)), 0);
	assert_int_equal(zipCloseFileInZip(z), 0);
	assert_int_equal(zipClose(z, NULL), 0);
	bytes = export_load(path, &len);
	for (size_t i = 4; i < len; i++) {
		for (int bit = 0; bit < 8; bit += 7) {
			bytes[i] ^= (char)(1 << bit);
			export_read_bytes(bytes, len, &t);
			assert_true(t.status == STET_OK || t.status == STET_VALIDATION_ERROR);
			assert_true(t.status != STET_OK || t.items == 1);
			bytes[i] ^= (char)(1 << bit);
		}
	}
	free(bytes);
	close(fd);
}

static void
more_bytes_than_the_limit_are_refused(void **state)
{
	const char *text = EXPORT_HEAD EXPORT_ITEM("a") "</item>" EXPORT_END;
	char path[64];
	int fd = export_file(path);
	struct told t;

	(void)state;
	export_write(fd, text, strlen(text));
	export_read(path, strlen(text), &t);
	assert_int_equal(t.status, STET_OK);
	export_read(path, strlen(text) - 1, &t);
	assert_int_equal(t.status, STET_PAYLOAD_TOO_LARGE);
	close(fd);
}

static int
begin(void **state)
{
	struct told t;

	(void)state;
	/* allocates what every process needs, before measuring */
	export_read_text(EXPORT_HEAD EXPORT_END, &t);
	base_rss = rss();
	return 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_document_type_is_read),
		cmocka_unit_test(what_looks_like_a_document_type_in_text_is_text),
		cmocka_unit_test(long_markup_is_refused),
		cmocka_unit_test(deep_elements_are_refused),
		cmocka_unit_test(many_names_are_refused_or_read_in_little_memory),
		cmocka_unit_test(an_item_that_is_too_long_is_left_out_and_a_huge_one_refused),
		cmocka_unit_test(comments_and_meta_that_are_too_long_are_left_out_alone),
		cmocka_unit_test(a_zip_bomb_is_refused),
		cmocka_unit_test(a_zip_file_of_many_files_is_refused),
		cmocka_unit_test(a_zip_file_with_changed_bytes_is_read_or_refused),
		cmocka_unit_test(more_bytes_than_the_limit_are_refused),
		cmocka_unit_test(a_gzip_bomb_is_refused),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
