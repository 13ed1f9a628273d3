/* metrics.c - metrics of the library. */
#include "inside.h"
#include "metric.h"
#include "posts.h"
#include <stdio.h>

static struct outcome *
upload(struct harness *h, const char *name, const char *type, const char *bytes)
{
	return harness_op(h, admin, "media_upload",
	    "{\"filename\":\"%s\",\"contentType\":\"%s\",\"base64\":\"%s\"}", name, type, bytes);
}

static void
uploads_are_counted(void **state)
{
	struct harness *h = *state;

	assert_ok(upload(h, "film.mp4", "video/mp4", "YSBmaWxt"));
	assert_ok(upload(h, "other.mp4", "video/mp4", "YSBmaWxt"));
	assert_ok(upload(h, "sound.mp3", "audio/mpeg", "YSBzb3VuZA=="));
	assert_code(upload(h, "bad.mp3", "audio/mpeg", "?"), "VALIDATION_ERROR");
	assert_true(metric_shows(h, "# TYPE stet_media_uploads_total counter\n"
				    "stet_media_uploads_total{site=\"test\"} 2\n"));
	assert_true(metric_shows(h, "\nstet_media_upload_bytes_total{site=\"test\"} 13\n"));
	assert_true(metric_shows(h, "\nstet_media_deduplicated_total{site=\"test\"} 1\n"));
}

static void
the_library_is_measured_by_a_job(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	harness_ok(o, upload(h, "film.mp4", "video/mp4", "YSBmaWxt"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	while (inside_work(h, "media"))
		;
	assert_true(
	    metric_shows(h, "# TYPE stet_media_items gauge\nstet_media_items{site=\"test\"} 1\n"));
	assert_true(metric_shows(h, "\nstet_media_bytes{site=\"test\"} 6\n"));
	assert_ok(harness_op(h, admin, "media_delete", "{\"id\":\"%s\"}", id));
	at(h, 11 * 60000);
	while (inside_work(h, "media"))
		;
	assert_true(metric_shows(h, "stet_media_items{site=\"test\"} 0\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(uploads_are_counted),
		check(the_library_is_measured_by_a_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
