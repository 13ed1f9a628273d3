/* serve.c - the files themselves, for everybody who has their URL. */
#include "media.h"

const struct stet_member file_in[] = {
	{ "key", STET_STRING, STET_REQUIRED, .about = "storageKey of the item" },
	{ "preset", STET_STRING,
	    .about = "A smaller copy of an image, as this preset of imagePresets says",
	    STET_RANGE(1, 32) },
	RENDITION_PARAMETERS,
	{ "s", STET_STRING, .about = "Signature of these five", STET_RANGE(1, 100) },
	{ 0 },
};

enum stet_lane
media_serve_lane(struct stet_call *call)
{
	const char *key = stet_arg(call, "key");

	if (rendition_asked(call))
		return STET_READ; /* not cached: runs again in the slow lane */
	return stet_file_has_urls(call) || stet_file_here(call, key) ? STET_READ : STET_SLOW;
}

/* A key is never used again, so caches may keep the file for as long as they like. */
enum stet_status
media_serve(struct stet_call *call)
{
	struct stet_file_answer answer = { .cache = "public, max-age=31536000, immutable" };
	const char *key = stet_arg(call, "key"), *url;
	struct stet_rows rows;
	double focal[2];
	int fd;

	STET_TRY(stet_query(call, &rows,
	    "SELECT mime_type, filename, sha256, coalesce(focal_x, -1), coalesce(focal_y, -1)"
	    " FROM media_items WHERE kept_key = ?1 AND status = 'ready'",
	    STET_ARGS(key)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return stet_fail(call, STET_NOT_FOUND, NULL, "File not found");
	}
	answer.type = stet_col_dup(&rows, 0);
	answer.name = stet_col_dup(&rows, 1);
	answer.tag = stet_col_dup(&rows, 2);
	focal[0] = stet_col_real(&rows, 3);
	focal[1] = stet_col_real(&rows, 4);
	STET_TRY(stet_rows_end(&rows));
	if (rendition_asked(call))
		return rendition_serve(call, key, answer.type, focal);
	STET_TRY(stet_file_url(call, key, &answer, &url));
	if (url != NULL)
		return stet_redirect(call, 302, url);
	STET_TRY(stet_file_open(call, key, &fd));
	return stet_reply_file(call, fd, &answer);
}
