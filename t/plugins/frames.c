/* frames.c - a plugin with pictures of its own: it reads their properties, and lets the module
 * media make smaller copies. It also derives text files from them. */
#include <fcntl.h>
#include <stet/file.h>
#include <stet/image.h>
#include <stet/module.h>
#include <unistd.h>

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	return stet_exec(
	    call, tx, "INSERT INTO frames_picture (key) VALUES (?1)", STET_ARGS((const char *)arg));
}

static enum stet_status
keep(struct stet_call *call)
{
	const char *key = stet_arg(call, "key");
	int fd = open(stet_arg(call, "path"), O_RDONLY | O_CLOEXEC);
	struct stet_part part = { .path = NULL };
	enum stet_status status;

	if (fd == -1)
		return stet_fail(call, STET_NOT_FOUND, "path", "There is no such file");
	status = stet_file_temporary_copy(call, fd, &part.path);
	close(fd);
	STET_TRY(status);
	STET_TRY(stet_file_keep(call, &part, key, insert, (void *)(uintptr_t)key));
	stet_object(stet_reply(call), NULL);
	stet_close(stet_reply(call));
	return STET_OK;
}

static enum stet_status
put_copy(struct stet_call *call)
{
	const struct stet_rendition what = { .width = stet_arg_int(call, "width"),
		.format = STET_IMAGE_PNG };
	struct stet_image copy;
	enum stet_status status;
	const char *tag;
	int fd;

	STET_TRY(stet_rendition_open(call, stet_arg(call, "key"), &what, &fd, &tag));
	status = stet_image_look(call, fd, &copy);
	close(fd);
	STET_TRY(status);
	stet_put_str(stet_reply(call), "tag", tag);
	stet_put_int(stet_reply(call), "copyWidth", copy.width);
	return STET_OK;
}

static enum stet_status
look(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_renditions kept;
	struct stet_image image;
	enum stet_status status;
	int fd;

	STET_TRY(stet_file_open(call, stet_arg(call, "key"), &fd));
	status = stet_image_look(call, fd, &image);
	close(fd);
	STET_TRY(status);
	stet_object(out, NULL);
	stet_put_str(out, "type", image.type);
	stet_put_int(out, "width", image.width);
	STET_TRY(put_copy(call));
	STET_TRY(stet_renditions(call, NULL, false, &kept));
	stet_put_int(out, "kept", kept.count);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
write_line(struct stet_call *call, int from, int to, void *arg)
{
	(void)from;
	(*(int *)arg)++;
	if (dprintf(to, "a line") != 6)
		return stet_fault(call, "the file cannot be written");
	return stet_has(call, "fails")
		   ? stet_fail(call, STET_SAVE_REJECTED, NULL, "The line is not good enough")
		   : STET_OK;
}

/* Asks for a derived file twice. */
static enum stet_status
derive(struct stet_call *call)
{
	const char *key = stet_arg(call, "key"), *form = stet_arg(call, "form");
	struct stet_json *out = stet_reply(call);
	struct stet_file_derived kept;
	int times = 0, fd;

	for (int i = 0; i < 2; i++) {
		STET_TRY(stet_file_derive(call, key, form, write_line, &times, &fd));
		close(fd);
	}
	STET_TRY(stet_file_derived(call, key, true, &kept));
	stet_object(out, NULL);
	stet_put_int(out, "times", times);
	stet_put_int(out, "count", kept.count);
	stet_put_int(out, "bytes", kept.bytes);
	stet_close(out);
	return STET_OK;
}

static const struct stet_member keep_in[] = {
	{ "key", STET_STRING, STET_REQUIRED },
	{ "path", STET_STRING, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member look_in[] = {
	{ "key", STET_STRING, STET_REQUIRED },
	{ "width", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member derive_in[] = {
	{ "key", STET_STRING, STET_REQUIRED },
	{ "form", STET_STRING, STET_REQUIRED },
	{ "fails", STET_BOOLEAN },
	{ 0 },
};
static const struct stet_member nothing[] = { { 0 } };
static const struct stet_member look_out[] = {
	{ "type", STET_STRING, STET_REQUIRED },
	{ "width", STET_INTEGER, STET_REQUIRED },
	{ "tag", STET_STRING, STET_REQUIRED },
	{ "copyWidth", STET_INTEGER, STET_REQUIRED },
	{ "kept", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
static const struct stet_member derive_out[] = {
	{ "times", STET_INTEGER, STET_REQUIRED },
	{ "count", STET_INTEGER, STET_REQUIRED },
	{ "bytes", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};

/* clang-format off */
#define SLOW .lane = STET_SLOW, .permission = "frames:use"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "keep", "Keep a picture", SLOW, .in = keep_in, .out = nothing, .run = keep },
	{ "look", "Look at it, and at a copy", SLOW, .in = look_in, .out = look_out, .run = look },
	{ "derive", "A file made from it", SLOW, .in = derive_in, .out = derive_out,
	    .run = derive },
};
static const struct stet_migration migrations[] = {
	{ 1, "pictures", "CREATE TABLE frames_picture (key TEXT NOT NULL PRIMARY KEY);", NULL },
};
static const struct stet_file_column files[] = { { .table = "frames_picture", .key = "key" } };
static const struct stet_permission permissions[] = { { "frames:use", 40 } };

STET_MODULE(frames) = {
	STET_MODULE_HEAD(frames),
	.version = "1.0",
	.summary = "Pictures of its own",
	.license = "MIT",
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
	.files = STET_TABLE(files),
};
