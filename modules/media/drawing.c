/*
 * drawing.c - uploads in SVG, if the setting allowSvg is on: what is stored is what svg/ leaves of
 * them. They are served as any other file: with a policy that runs nothing, and as a download,
 * which an img element shows all the same.
 */
#include "media.h"
#include "svg/svg.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
drawing_is(struct stet_call *call, const char *type)
{
	return strcmp(type, DRAWING) == 0 && json_is_true(stet_setting(call, "allowSvg"));
}

/* Reads the whole file into bytes, which have room for it. */
static bool
read_all(const char *path, char *bytes, size_t len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t at = 0;
	ssize_t n = 1;

	if (fd == -1)
		return false;
	while (at < len && n != 0) {
		n = read(fd, bytes + at, len - at);
		if (n > 0)
			at += (size_t)n;
		else if (n == -1 && errno != EINTR)
			break;
	}
	close(fd);
	return at == len;
}

/* Line breaks at the end of a document mean nothing. */
static bool
fill_up(struct stet_buf *text, size_t len)
{
	while (text->len < len)
		stet_buf_char(text, '\n');
	return text->len == len;
}

static enum stet_status
store(struct stet_call *call, struct svg *svg, uint64_t size, struct stet_part *part)
{
	if (size > 0 && !fill_up(&svg->text, (size_t)size))
		return stet_fail(call, stet_code(call, "INVALID_TYPE"), NULL,
		    "The SVG gets longer when it is cleaned: send it to POST /media");
	part->size = svg->text.len;
	return stet_file_temporary(call, svg->text.data, svg->text.len, &part->path);
}

static enum stet_status
clean(struct stet_call *call, const char *bytes, uint64_t size, struct stet_part *part,
    struct look *look)
{
	struct svg svg;
	enum stet_status status;

	if (!svg_clean(bytes, part->size, &svg)) {
		stet_buf_free(&svg.text);
		return stet_fail(call, stet_code(call, "INVALID_TYPE"), NULL,
		    "The SVG is not taken: %s", svg.why);
	}
	*look = (struct look){ .width = svg.width, .height = svg.height };
	status = store(call, &svg, size, part);
	stet_buf_free(&svg.text);
	return status;
}

enum stet_status
drawing_clean(
    struct stet_call *call, const struct stet_part **part, uint64_t size, struct look *look)
{
	struct stet_part *cleaned = stet_alloc(call, sizeof(*cleaned));
	enum stet_status status;
	char *bytes;

	*cleaned = **part;
	*part = cleaned;
	if (cleaned->size > SVG_MOST)
		return stet_fail(
		    call, STET_PAYLOAD_TOO_LARGE, NULL, "An SVG has at most 4 MiB here");
	bytes = malloc(cleaned->size + 1);
	if (bytes == NULL)
		stet_out_of_memory();
	status = read_all(cleaned->path, bytes, cleaned->size)
		     ? clean(call, bytes, size, cleaned, look)
		     : stet_fault(call, "cannot read a temporary file");
	free(bytes);
	return status;
}
