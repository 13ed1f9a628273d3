/*
 * corpus.c - pictures that nobody here made: each becomes an item with a size and copies without
 * metadata, or is refused in words. They are those of shared/data, or of the directory that
 * STET_PICTURES names; without any the test is skipped.
 */
#include "uploads.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#define SIZE_MAX_BYTES (8L << 20)

static const struct kind {
	const char *extension, *type;
} kinds[] = { { ".jpg", "image/jpeg" }, { ".jpeg", "image/jpeg" }, { ".png", "image/png" },
	{ ".gif", "image/gif" }, { ".webp", "image/webp" }, { ".avif", "image/avif" },
	{ ".heic", "image/heic" }, { ".svg", "image/svg+xml" } };
static int taken, refused;

static void
check_copy(const char *path, const char *key)
{
	static const char *const never[] = { "Exif", "EXIF", "ns.adobe.com/xap", "XMP " };
	char url[300];
	struct answer a;

	(void)snprintf(url, sizeof(url), API "/media/file/%s?preset=small", key);
	ask(library.daemon, &a, "GET", url);
	if (a.status != 200)
		fail_msg("%s: its copy: %s", path, a.body);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		if (memmem(a.body, a.len < 2000 ? a.len : 2000, never[i], strlen(never[i])) != NULL)
			fail_msg("%s: its copy has %s", path, never[i]);
	answer_free(&a);
}

static void
check_item(const char *path, const struct kind *k, const struct answer *a)
{
	if (strcmp(k->type, "image/svg+xml") == 0)
		return;
	if (!json_is_integer(json_object_get(item_of(a), "width")) ||
	    strlen(text_of(item_of(a), "blurhash")) != 28)
		fail_msg("%s: %s", path, a->body);
	check_copy(path, text_of(item_of(a), "storageKey"));
}

static void
check_file(const char *path, const struct kind *k, size_t size)
{
	char *bytes = malloc(size + 1);
	FILE *f = fopen(path, "r");
	struct answer a;

	assert_non_null(bytes);
	assert_non_null(f);
	assert_int_equal(fread(bytes, 1, size, f), size);
	(void)fclose(f);
	upload(
	    library.daemon, &a, library.admin, &(struct file){ "a", k->type, bytes, size, NULL });
	if (a.status == 200 || a.status == 201) {
		check_item(path, k, &a);
		taken++;
	} else {
		if (strcmp(answer_code(&a), "IMAGE_UNREADABLE") != 0 &&
		    strcmp(answer_code(&a), "INVALID_TYPE") != 0)
			fail_msg("%s: %s", path, a.body);
		print_message("# %s: %.200s\n", path, a.body);
		refused++;
	}
	answer_free(&a);
	free(bytes);
}

static int
visit(const char *path, const struct stat *st, int what, struct FTW *at)
{
	size_t len = strlen(path);

	(void)at;
	if (what != FTW_F || !S_ISREG(st->st_mode) || st->st_size > SIZE_MAX_BYTES)
		return 0;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t end = strlen(kinds[i].extension);

		if (len > end && strcasecmp(path + len - end, kinds[i].extension) == 0)
			check_file(path, &kinds[i], (size_t)st->st_size);
	}
	return 0;
}

static void
each_is_an_image_with_copies_or_refused_in_words(void **state)
{
	const char *chosen = getenv("STET_PICTURES");
	char path[600];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s%s", chosen != NULL ? chosen : getenv("STET_SOURCE"),
	    chosen != NULL ? "" : "/../shared/data");
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"moreTypes\":\"image/avif,image/heic\",\"allowSvg\":true}}",
	    "/admin/plugins/media/settings"));
	(void)nftw(path, visit, 16, FTW_PHYS);
	if (taken + refused == 0)
		print_message("# skipped: there are no pictures of others (shared/data)\n");
	print_message("# %d taken, %d refused\n", taken, refused);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(
	    each_is_an_image_with_copies_or_refused_in_words) };

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
