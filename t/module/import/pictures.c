/*
 * pictures.c - a picture is the same media item whichever way it comes: from a directory, a zip
 * file, another server or an upload. Broken ones are reported with their addresses.
 */
#include "pictures.h"
#include "harness.h"
#include "inside.h"
#include "leaving.h"
#include "neighbour.h"
#include <minizip/zip.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define ROOM 2000
#define UPLOADS "/wp-content/uploads/2020/05/"
#define KINDS 4 /* of pictures[] */

#define EXPORT                                                                                \
	"<?xml version=\"1.0\"?><rss xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel>" \
	"<title>Old</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>"
#define EXPORT_END "</channel></rss>"
#define ATTACHED(id, name)                                                             \
	"<item><wp:post_id>" id "</wp:post_id><wp:post_type>attachment</wp:post_type>" \
	"<wp:attachment_url>https://old.example" UPLOADS name ".png</wp:attachment_url></item>"

static struct neighbour server;
static unsigned char bytes[KINDS][ROOM];
static size_t len[KINDS];
static unsigned char answer[ROOM + 200];

static int
begin(void **state)
{
	(void)state;
	for (int i = 0; i < KINDS; i++)
		assert_int_equal(sodium_base642bin(bytes[i], ROOM, pictures[i].base64,
				     strlen(pictures[i].base64), NULL, &len[i], NULL,
				     sodium_base64_VARIANT_ORIGINAL),
		    0);
	neighbour_open(&server);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	neighbour_close(&server);
	return 0;
}

/* Answers with the picture that the path names; a path with "cut" gets half of it, and one with
 * "wrong" another type. */
static const char *
site(const char *heard)
{
	for (int i = 0; i < KINDS; i++) {
		size_t size = strstr(heard, "cut") != NULL ? len[i] / 2 : len[i];
		int head;

		if (strstr(heard, pictures[i].name) == NULL)
			continue;
		head = snprintf((char *)answer, sizeof(answer),
		    "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
		    "Connection: close\r\n\r\n",
		    strstr(heard, "wrong") != NULL ? pictures[(i + 1) % KINDS].type
						   : pictures[i].type,
		    size);
		memcpy(answer + head, bytes[i], size);
		server.length = (size_t)head + size;
		return (const char *)answer;
	}
	server.length = 0;
	return NEIGHBOUR_ANSWER("404 Not Found", "0", "");
}

static void
write_file(const char *path, const void *data, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

/* ---- the ways ---- */

static void
from_directory(const char *dir)
{
	char path[700], text[4000];
	int at = snprintf(text, sizeof(text), EXPORT);

	for (int i = 0; i < KINDS; i++) {
		at += snprintf(text + at, sizeof(text) - (size_t)at,
		    "<item><wp:post_id>%d</wp:post_id><wp:post_type>attachment</wp:post_type>"
		    "<wp:attachment_url>https://old.example" UPLOADS
		    "%s</wp:attachment_url></item>",
		    i + 1, pictures[i].name);
		(void)snprintf(path, sizeof(path), "%s/%s", dir, pictures[i].name);
		write_file(path, bytes[i], len[i]);
	}
	at += snprintf(text + at, sizeof(text) - (size_t)at, EXPORT_END);
	(void)snprintf(path, sizeof(path), "%s/export.xml", dir);
	write_file(path, text, (size_t)at);
	assert_int_equal(RUN(dir, "import", "wxr", path, "--media-dir", dir), 0);
}

static void
add_to_zip(zipFile zip, const char *name, const void *data, size_t size)
{
	assert_int_equal(zipOpenNewFileInZip64(
			     zip, name, NULL, NULL, 0, NULL, 0, NULL, Z_DEFLATED, Z_BEST_SPEED, 0),
	    ZIP_OK);
	assert_int_equal(zipWriteInFileInZip(zip, data, (unsigned)size), ZIP_OK);
	assert_int_equal(zipCloseFileInZip(zip), ZIP_OK);
}

static void
from_zip(const char *dir)
{
	char path[700], text[1000] = "---\ntitle: Packed\n---\n";
	zipFile zip;

	(void)snprintf(path, sizeof(path), "%s/site.zip", dir);
	assert_non_null(zip = zipOpen64(path, APPEND_STATUS_CREATE));
	for (int i = 0; i < KINDS; i++) {
		char name[100];
		size_t at = strlen(text);

		(void)snprintf(text + at, sizeof(text) - at, "\n![p](/img/%s)\n", pictures[i].name);
		(void)snprintf(name, sizeof(name), "img/%s", pictures[i].name);
		add_to_zip(zip, name, bytes[i], len[i]);
	}
	add_to_zip(zip, "blog/packed.md", text, strlen(text));
	assert_int_equal(zipClose(zip, NULL), ZIP_OK);
	assert_int_equal(RUN(dir, "import", "from", "markdown", path), 0);
}

/* Copies these paths of the neighbour. */
static struct outcome *
copy(struct harness *h, const char *const *path)
{
	char text[2000];
	size_t at = (size_t)snprintf(text, sizeof(text), "{\"stream\":false,\"attachments\":[");

	for (int i = 0; path[i] != NULL; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s{\"id\":%d,\"url\":\"%s\"}",
		    i > 0 ? "," : "", i + 1, neighbour_url(&server, path[i]));
	(void)snprintf(text + at, sizeof(text) - at, "]}");
	return harness_send(h, admin, "POST /import/platform/media", "%s", text);
}

static void
from_another_server(struct harness *h, const char *directory)
{
	const char *path[KINDS + 1] = { NULL };
	char name[KINDS][100];
	struct outcome *o;

	for (int i = 0; i < KINDS; i++) {
		(void)snprintf(name[i], sizeof(name[i]), "/%s/%s", directory, pictures[i].name);
		path[i] = name[i];
	}
	harness_ok(o, copy(h, path));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), KINDS);
}

static void
from_an_upload(struct harness *h)
{
	for (int i = 0; i < KINDS; i++) {
		const struct picture *p = &pictures[i];
		struct outcome *o;

		harness_ok(o, harness_op(h, admin, "media_upload",
				  "{\"filename\":\"x\",\"contentType\":\"%s\",\"base64\":\"%s\"}",
				  p->type, p->base64));
		assert_true(json_is_true(harness_at(o->data, "deduplicated")));
		assert_string_equal(harness_text(o->data, "item.filename"), p->name);
		assert_int_equal(harness_int(o->data, "item.width"), p->width);
		assert_int_equal(harness_int(o->data, "item.height"), p->height);
		assert_int_equal(strlen(harness_text(o->data, "item.blurhash")), 28);
	}
}

/* ---- tests ---- */

static void
every_way_brings_the_same_items(void **state)
{
	struct harness *h;
	char *dir;

	(void)state;
	if (getenv("STET_RECORD") != NULL)
		return;
	server.choose = site;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	from_directory(dir);
	from_zip(dir);
	h = harness_open(&(struct harness_options){
	    .fetch_allow = neighbour_block, .data = dir, .locales = leaving_locales });
	from_another_server(h, "far");
	from_another_server(h, "wrong");
	from_an_upload(h);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_items"), "4");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM media_items WHERE width IS NULL"), "0");
	harness_close(h, true);
	leaving_remove(dir);
}

/* Counts the attachments of the export in the database: two addresses may lead to one file, and
 * what was there before is no loss. A trigger takes the note of one that was stored. */
static void
files_are_counted_in_the_database(void **state)
{
	char path[700], text[1000], *dir;
	struct harness *h;

	(void)state;
	if (getenv("STET_RECORD") != NULL)
		return;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	for (int i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s/%d.png", dir, i);
		write_file(path, bytes[i / 2], len[i / 2]);
	}
	(void)snprintf(text, sizeof(text), EXPORT ATTACHED("1", "0") ATTACHED("2", "1") EXPORT_END);
	(void)snprintf(path, sizeof(path), "%s/export.xml", dir);
	write_file(path, text, strlen(text));
	for (int i = 0; i < 2; i++)
		assert_int_equal(RUN(dir, "import", "wxr", path, "--media-dir", dir), 0);
	h = harness_open(&(struct harness_options){ .data = dir, .locales = leaving_locales });
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_items"), "1");
	inside_sql(h,
	    "CREATE TRIGGER lost AFTER INSERT ON import_copies BEGIN"
	    " DELETE FROM import_copies WHERE url = new.url; END",
	    NULL);
	free(leaving_close(h, leaving_locales));
	(void)snprintf(text, sizeof(text), EXPORT ATTACHED("1", "0") ATTACHED("3", "2") EXPORT_END);
	write_file(path, text, strlen(text));
	assert_int_equal(RUN(dir, "import", "wxr", path, "--media-dir", dir), 1);
	leaving_remove(dir);
}

static void
broken_ones_are_told_by_their_addresses(void **state)
{
	static const char *const path[] = { "/cut/good.png", "/cut/turned.jpg", "/cut/good.gif",
		"/far/good.webp", NULL };
	struct harness *h =
	    harness_open(&(struct harness_options){ .fetch_allow = neighbour_block });
	struct outcome *o;

	(void)state;
	server.choose = site;
	harness_ok(o, copy(h, path));
	assert_int_equal(json_array_size(harness_at(o->data, "imported")), 1);
	assert_int_equal(json_array_size(harness_at(o->data, "failed")), 3);
	for (size_t i = 0; i < 3; i++) {
		json_t *one = json_array_get(harness_at(o->data, "failed"), i);

		assert_non_null(strstr(harness_text(one, "error"), "The image cannot be read"));
		assert_string_equal(harness_text(one, "originalUrl"),
		    neighbour_url(&server, path[harness_int(one, "wpId") - 1]));
	}
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_items"), "1");
	harness_close(h, false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_way_brings_the_same_items),
		cmocka_unit_test(files_are_counted_in_the_database),
		cmocka_unit_test(broken_ones_are_told_by_their_addresses) };

	return cmocka_run_group_tests(tests, begin, end);
}
