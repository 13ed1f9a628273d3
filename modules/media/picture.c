/*
 * picture.c - a small copy of an image as a part of an answer, for assistants: they look at it to
 * write its alternative text. The tool server sends it as an image.
 */
#include "media.h"
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIDE 512 /* pixels */
#define FILE_MOST (2 << 20) /* bytes; a copy of this size has less */

const struct stet_member picture_out[] = {
	{ "mimeType", STET_STRING, STET_REQUIRED },
	{ "data", STET_STRING, STET_REQUIRED, .about = "Its bytes in base64" },
	{ 0 },
};

static enum stet_status
read_file(struct stet_call *call, int fd, unsigned char *to, size_t len)
{
	for (size_t at = 0; at < len;) {
		ssize_t n = pread(fd, to + at, len - at, (off_t)at);

		if (n <= 0)
			return stet_fault(call, "cannot read the copy of an image");
		at += (size_t)n;
	}
	return STET_OK;
}

static enum stet_status
encode(struct stet_call *call, int fd, const char **out)
{
	unsigned char *bytes;
	struct stat st;
	size_t room;
	char *text;

	if (fstat(fd, &st) != 0 || st.st_size < 1 || st.st_size > FILE_MOST)
		return stet_fault(call, "the copy of an image is empty or too large");
	bytes = stet_alloc(call, (size_t)st.st_size);
	STET_TRY(read_file(call, fd, bytes, (size_t)st.st_size));
	room = sodium_base64_ENCODED_LEN((size_t)st.st_size, sodium_base64_VARIANT_ORIGINAL);
	text = stet_alloc(call, room);
	*out = sodium_bin2base64(
	    text, room, bytes, (size_t)st.st_size, sodium_base64_VARIANT_ORIGINAL);
	return STET_OK;
}

/* Makes or opens the copy, and returns it in base64. In the read lane it fails if there is no copy
 * yet, and the call runs again in the slow lane. */
static enum stet_status
read_picture(struct stet_call *call, const char *key, const char **out)
{
	const struct stet_rendition what = {
		.width = SIDE, .height = SIDE, .fit = STET_IMAGE_INSIDE, .format = STET_IMAGE_JPEG
	};
	enum stet_status status;
	const char *tag;
	int fd;

	STET_TRY(stet_rendition_open(call, key, &what, &fd, &tag));
	status = encode(call, fd, out);
	close(fd);
	return status;
}

enum stet_status
picture_answer(struct stet_call *call, const char *id)
{
	struct stet_json *out = stet_reply(call);
	const char *key, *type, *data = NULL;
	struct stet_rows rows;
	bool ready;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND,
	    "SELECT kept_key, mime_type, status = 'ready' FROM media_items WHERE id = ?1",
	    STET_ARGS(id)));
	key = stet_col_dup(&rows, 0);
	type = stet_col_dup(&rows, 1);
	ready = stet_col_int(&rows, 2) != 0;
	STET_TRY(stet_rows_end(&rows));
	if (!ready || !look_can(type))
		return stet_fail(call, STET_IMAGE_UNREADABLE, "image", "The file is no image");
	STET_TRY(read_picture(call, key, &data));
	STET_TRY(item_find(call, id, &rows));
	stet_object(out, NULL);
	item_put(call, out, "item", &rows, NULL);
	STET_TRY(stet_rows_end(&rows));
	stet_object(out, "image");
	stet_put_str(out, "mimeType", "image/jpeg");
	stet_put_str(out, "data", data);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}
