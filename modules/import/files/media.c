/*
 * media.c - copies attachments of a source into the library: several at once, few from one host.
 * Each copy is recorded by its URL, so that an interrupted run continues and a second run fetches
 * nothing.
 */
#include "files/media.h"
#include "plan/given.h"
#include "read/text.h"
#include <stet/fetch.h>
#include <stet/media.h>
#include <stet/module.h>
#include <string.h>
#include <strings.h>

#define FETCH_MS 60000 /* timeout for one file */
#define NAME_MAX_BYTES 255

struct copying {
	const struct stet_media_1 *media;
	const struct attachment *all;
	const struct media_sink *sink;
	const char *url[MEDIA_AT_ONCE]; /* URLs of the downloads in progress */
	size_t at[MEDIA_AT_ONCE]; /* their indexes in `all` */
	size_t count;
	bool late;
};

/* Returns what follows the last slash of a path, of either kind. */
static const char *
last_part(const char *path)
{
	const char *part = path;

	for (; *path != '\0'; path++)
		if (*path == '/' || *path == '\\')
			part = path + 1;
	return part;
}

const char *
media_filename(struct stet_call *call, const struct attachment *a)
{
	const char *given = a->filename != NULL ? a->filename : "", *path;
	char *name;
	size_t len;

	path = *last_part(given) != '\0'
		   ? given
		   : text_unescape(call, stet_strndup(call, a->url, strcspn(a->url, "?#")));
	name = stet_strdup(call, last_part(path));
	len = strlen(name);
	if (len > NAME_MAX_BYTES) /* keeps the extension */
		name += len - NAME_MAX_BYTES;
	while (((unsigned char)*name & 0xc0) == 0x80)
		name++;
	return stet_utf8_length(name) > 0 ? name : "file";
}

/* Returns the type that the source or the server declares. NULL: neither says more than
 * octet-stream, so the library looks at the bytes. */
static const char *
told_type(const struct attachment *a, const char *told)
{
	const char *types[] = { a->type, told };

	for (size_t i = 0; i < 2; i++)
		if (types[i] != NULL && *types[i] != '\0' &&
		    strncasecmp(types[i], "application/octet-stream", 24) != 0)
			return types[i];
	return NULL;
}

/* Has the file a path in its source, and no address? Another source may have another file there. */
static bool
is_given(const char *url)
{
	return given_place(url) != url;
}

static enum stet_status
add(struct stet_call *call, struct copying *c, size_t i, const char *path, uint64_t size,
    const char *told)
{
	const struct attachment *a = &c->all[i];
	const struct stet_media_new file = { .path = path,
		.size = size,
		.filename = media_filename(call, a),
		.type = told_type(a, told),
		.alt = a->alt,
		.caption = a->caption };
	const char *id, *url, *why;
	bool same;

	if (c->media->add(call, &file, sizeof(file), &id, &url, &same) != STET_OK) {
		if (stet_error_status(call) == STET_FAULT)
			return STET_FAULT;
		why = stet_error_text(call);
		stet_error_clear(call);
		if (is_given(a->url))
			STET_TRY(copies_forget(call, a->url));
		return c->sink->failed(call, c->sink->arg, i, why);
	}
	STET_TRY(copies_remember(call, a->url, id));
	return c->sink->copied(call, c->sink->arg, i, id, url, same);
}

/* Returns why there is no file, without the server's IP address and without its response. */
static const char *
reason(struct stet_call *call, enum stet_status status, const struct stet_fetched *got)
{
	if (status == STET_OK)
		return stet_printf(call, "HTTP %d", got->status);
	if (got->refused)
		return "Blocked: not a public http or https address";
	if (got->cut)
		return "The file is larger than an upload may be";
	if (status == STET_REQUEST_TIMEOUT)
		return "Out of time: send it again";
	return "The server does not answer";
}

static enum stet_status
fetched(struct stet_call *call, void *arg, size_t which, enum stet_status status,
    const struct stet_fetched *got)
{
	struct copying *c = arg;
	size_t i = c->at[which];

	if (status == STET_INSUFFICIENT_STORAGE || status == STET_FAULT)
		return status;
	if (status == STET_OK && got->path != NULL)
		return add(call, c, i, got->path, got->len, got->type);
	c->late |= status == STET_REQUEST_TIMEOUT;
	stet_error_clear(call);
	return c->sink->failed(call, c->sink->arg, i, reason(call, status, got));
}

/* Copies an attachment that was not copied before from a local file, or else queues its
 * download. */
static enum stet_status
begin(struct stet_call *call, struct copying *c, size_t i, const struct media_here *here)
{
	const struct attachment *a = &c->all[i];
	const char *path = NULL;
	uint64_t size;

	if (*a->url == '\0')
		return c->sink->failed(call, c->sink->arg, i, "No URL provided");
	if (c->sink->begins != NULL)
		STET_TRY(c->sink->begins(call, c->sink->arg, i));
	if (here->directory != -1)
		STET_TRY(local_take(call, here->directory, a, &path, &size));
	if (path == NULL)
		STET_TRY(packed_take(call, here->archive, a, &path, &size));
	if (path != NULL)
		return add(call, c, i, path, size, NULL);
	if (is_given(a->url)) {
		STET_TRY(copies_forget(call, a->url));
		return c->sink->failed(
		    call, c->sink->arg, i, "It is not among the files of the source");
	}
	c->url[c->count] = a->url;
	c->at[c->count++] = i;
	return STET_OK;
}

static enum stet_status
begin_all(struct stet_call *call, struct copying *c, size_t count, const struct media_here *files)
{
	const char *url[MEDIA_AT_ONCE], *id[MEDIA_AT_ONCE], *here[MEDIA_AT_ONCE];

	for (size_t i = 0; i < count; i++)
		url[i] = c->all[i].url;
	STET_TRY(copies_known(call, url, count, id, here));
	for (size_t i = 0; i < count; i++)
		if (*url[i] != '\0' && id[i] != NULL && !is_given(url[i]))
			STET_TRY(c->sink->copied(call, c->sink->arg, i, id[i], here[i], true));
		else
			STET_TRY(begin(call, c, i, files));
	return STET_OK;
}

/* The most bytes of a file: the library's setting. */
static enum stet_status
most_of(struct stet_call *call, size_t *most)
{
	json_t *settings;

	STET_TRY(stet_settings_get(call, "media", &settings));
	*most = (size_t)json_integer_value(json_object_get(settings, "maxUploadSize"));
	return STET_OK;
}

enum stet_status
media_copy(struct stet_call *call, const struct attachment *all, size_t count,
    const struct media_here *here, const struct media_sink *sink, bool *late)
{
	struct copying c = { .media = stet_service(call, STET_MEDIA_1), .all = all, .sink = sink };
	struct stet_fetch ask = {
		.timeout = FETCH_MS, .plain = true, .redirects = 5, .to_file = true
	};
	struct stet_fetch_many many = { .url = c.url, .done = fetched, .arg = &c };

	*late = false;
	if (c.media == NULL || c.media->add == NULL)
		return stet_fail(call, stet_code(call, "NO_STORAGE"), NULL,
		    "Storage not configured. Media import requires storage.");
	STET_TRY(most_of(call, &ask.most));
	STET_TRY(begin_all(call, &c, count, here));
	many.count = c.count;
	if (c.count > 0)
		STET_TRY(stet_fetch_many(call, &many, &ask));
	*late = c.late;
	return STET_OK;
}
