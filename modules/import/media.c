/*
 * media.c - copies attachments of a source into the library: several at once, few to one host. Each
 * is remembered by its address, so that a run that was interrupted goes on where it was, and a
 * second one fetches nothing. Progress is told line by line.
 */
#include "media.h"
#include "import.h"
#include <stdlib.h>
#include <stet/fetch.h>
#include <stet/media.h>
#include <string.h>

#define ATTACHMENTS_MAX 20000
#define AT_ONCE 32 /* attachments whose files lie here at the same time */
#define URL_MAX 2048
#define FETCH_MS 60000 /* for one file */
#define NAME_MAX_BYTES 255

static const struct stet_member attachment_shape[] = {
	{ "id", STET_INTEGER, .about = "Its number in the source" },
	{ "url", STET_STRING, .about = "Public http or https address" },
	{ "filename", STET_STRING },
	{ "mimeType", STET_STRING },
	{ "title", STET_STRING, STET_IGNORED },
	{ 0 },
};

const struct stet_member media_in[] = {
	{ "attachments", STET_ARRAY, STET_REQUIRED | STET_BOUNDED, .item = STET_OBJECT,
	    .of = attachment_shape, STET_RANGE(0, ATTACHMENTS_MAX) },
	{ "stream", STET_BOOLEAN, .about = "Tell the progress, a line of JSON a step",
	    .fallback = "true" },
	{ 0 },
};

struct attachment {
	int64_t source_id;
	const char *url, *filename, *type; /* "", NULL and NULL: not given */
};

struct copying {
	const struct stet_media_1 *media;
	json_t *imported, *failed, *urls; /* {old: new} */
	struct attachment *all;
	size_t count, from, until; /* all[from..until) are under way */
	const char *fetch_url[AT_ONCE];
	size_t fetched[AT_ONCE]; /* their places in `all` */
	size_t fetches;
	bool stream;
	bool late; /* the time of the request is over */
};

/* ---- progress ---- */

static enum stet_status
write_line(struct stet_call *call, json_t *line)
{
	char *text = json_dumps(line, JSON_COMPACT);
	enum stet_status status;

	json_decref(line);
	if (text == NULL)
		stet_out_of_memory();
	status = stet_write(call, text, strlen(text));
	free(text);
	return status == STET_OK ? stet_write(call, "\n", 1) : status;
}

static enum stet_status
tell(struct stet_call *call, const struct copying *c, size_t i, const char *status, const char *why)
{
	const struct attachment *a = &c->all[i];

	if (!c->stream)
		return STET_OK;
	return write_line(
	    call, json_pack("{ss sI sI ss ss ss*}", "type", "progress", "current",
		      (json_int_t)i + 1, "total", (json_int_t)c->count, "filename",
		      media_filename(call, a->url, a->filename), "status", status, "error", why));
}

/* ---- outcomes ---- */

static enum stet_status
fail(struct stet_call *call, struct copying *c, size_t i, const char *why)
{
	const struct attachment *a = &c->all[i];

	(void)json_array_append_new(
	    c->failed, json_pack("{sI ss ss}", "wpId", (json_int_t)a->source_id, "originalUrl",
			   a->url, "error", why));
	return tell(call, c, i, "failed", why);
}

static enum stet_status
succeed(struct stet_call *call, struct copying *c, size_t i, const char *id, const char *url,
    bool was_there)
{
	const struct attachment *a = &c->all[i];

	(void)json_array_append_new(
	    c->imported, json_pack("{sI ss ss ss}", "wpId", (json_int_t)a->source_id, "originalUrl",
			     a->url, "newUrl", url, "mediaId", id));
	(void)json_object_set_new(c->urls, a->url, json_string(url));
	return tell(call, c, i, was_there ? "skipped" : "done", NULL);
}

/* ---- one file ---- */

const char *
media_filename(struct stet_call *call, const char *url, const char *given)
{
	const char *end, *base;
	char *name;
	size_t len;

	if (given != NULL && *given != '\0')
		return given;
	end = url + strcspn(url, "?#");
	for (base = end; base > url && base[-1] != '/';)
		base--;
	name = stet_strndup(call, base, (size_t)(end - base));
	len = strlen(name);
	if (len > NAME_MAX_BYTES) /* keeps the extension */
		name += len - NAME_MAX_BYTES;
	while (((unsigned char)*name & 0xc0) == 0x80)
		name++;
	return stet_utf8_length(name) > 0 ? name : "file";
}

/* A type that says nothing yields to what the bytes say. */
static const char *
told_type(const struct attachment *a, const struct stet_fetched *got)
{
	const char *types[] = { a->type, got->type };

	for (size_t i = 0; i < 2; i++)
		if (types[i] != NULL && *types[i] != '\0' &&
		    strncasecmp(types[i], "application/octet-stream", 24) != 0)
			return types[i];
	return NULL;
}

static enum stet_status
add(struct stet_call *call, struct copying *c, size_t i, const struct stet_fetched *got)
{
	const struct attachment *a = &c->all[i];
	const struct stet_media_new file = { .path = got->path,
		.size = got->len,
		.filename = media_filename(call, a->url, a->filename),
		.type = told_type(a, got) };
	const char *id, *url, *why;
	bool same;

	if (c->media->add(call, &file, sizeof(file), &id, &url, &same) != STET_OK) {
		if (stet_error_status(call) == STET_FAULT)
			return STET_FAULT;
		why = stet_error_text(call);
		stet_error_clear(call);
		return fail(call, c, i, why);
	}
	STET_TRY(media_remember(call, a->url, id));
	return succeed(call, c, i, id, url, same);
}

/* Why there is no file, in words; the address behind the URL and what it answers are not told. */
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
done(struct stet_call *call, void *arg, size_t which, enum stet_status status,
    const struct stet_fetched *got)
{
	struct copying *c = arg;
	size_t i = c->fetched[which];

	if (status == STET_INSUFFICIENT_STORAGE || status == STET_FAULT)
		return status;
	if (status == STET_OK && got->path != NULL)
		return add(call, c, i, got);
	c->late |= status == STET_REQUEST_TIMEOUT;
	stet_error_clear(call);
	return fail(call, c, i, reason(call, status, got));
}

/* ---- many ---- */

/* Those that were copied before, and whose items are still there. */
static enum stet_status
skip_known(struct stet_call *call, struct copying *c)
{
	const char *url[AT_ONCE], *id[AT_ONCE], *here[AT_ONCE];
	size_t count = c->until - c->from;

	for (size_t k = 0; k < count; k++)
		url[k] = c->all[c->from + k].url;
	STET_TRY(media_known(call, url, count, id, here));
	c->fetches = 0;
	for (size_t k = 0; k < count; k++) {
		size_t i = c->from + k;

		if (*url[k] == '\0')
			STET_TRY(fail(call, c, i, "No URL provided"));
		else if (id[k] != NULL)
			STET_TRY(succeed(call, c, i, id[k], here[k], true));
		else {
			STET_TRY(tell(call, c, i, "downloading", NULL));
			c->fetch_url[c->fetches] = url[k];
			c->fetched[c->fetches++] = i;
		}
	}
	return STET_OK;
}

/* In a scope of its own: its files go before the next ones come. */
static enum stet_status
copy_some(struct stet_call *call, void *arg)
{
	struct copying *c = arg;
	const struct stet_fetch ask = { .timeout = FETCH_MS,
		.plain = true,
		.redirects = 5,
		.to_file = true,
		.most = (size_t)media_most(call) };
	const struct stet_fetch_many many = {
		.url = c->fetch_url, .done = done, .arg = c, .count = 0
	};
	struct stet_fetch_many these = many;

	STET_TRY(skip_known(call, c));
	these.count = c->fetches;
	return c->fetches > 0 ? stet_fetch_many(call, &these, &ask) : STET_OK;
}

static enum stet_status
copy_all(struct stet_call *call, struct copying *c)
{
	for (c->from = 0; c->from < c->count && !c->late; c->from = c->until) {
		c->until = c->from + AT_ONCE < c->count ? c->from + AT_ONCE : c->count;
		STET_TRY(stet_scope(call, copy_some, c));
	}
	for (size_t i = c->from; i < c->count; i++)
		STET_TRY(fail(call, c, i, "Out of time: send it again"));
	return STET_OK;
}

/* ---- the op ---- */

static enum stet_status
read_attachments(struct stet_call *call, struct copying *c)
{
	const json_t *list = stet_arg_json(call, "attachments"), *one;
	size_t i;

	c->count = json_array_size(list);
	c->all = stet_alloc(call, (c->count + 1) * sizeof(*c->all));
	json_array_foreach(list, i, one)
	{
		const char *url = json_string_value(json_object_get(one, "url"));

		c->all[i] = (struct attachment){ json_integer_value(json_object_get(one, "id")),
			url != NULL ? url : "", json_string_value(json_object_get(one, "filename")),
			json_string_value(json_object_get(one, "mimeType")) };
		if (strlen(c->all[i].url) > URL_MAX)
			stet_issue(call, stet_printf(call, "attachments[%zu].url", i),
			    "has more than %d bytes", URL_MAX);
	}
	return stet_issues(call);
}

static enum stet_status
answer(struct stet_call *call, const struct copying *c)
{
	struct stet_json *out;

	if (c->stream)
		return write_line(
		    call, json_pack("{sO sO sO ss}", "imported", c->imported, "failed", c->failed,
			      "urlMap", c->urls, "type", "result"));
	out = stet_reply(call);
	stet_object(out, NULL);
	stet_put_json(out, "imported", c->imported);
	stet_put_json(out, "failed", c->failed);
	stet_put_json(out, "urlMap", c->urls);
	stet_close(out);
	return STET_OK;
}

enum stet_status
import_media(struct stet_call *call)
{
	struct copying *c = stet_alloc(call, sizeof(*c));

	c->media = stet_service(call, STET_MEDIA_1);
	if (c->media == NULL || c->media->add == NULL)
		return stet_fail(call, stet_code(call, "NO_STORAGE"), NULL,
		    "Storage not configured. Media import requires storage.");
	STET_TRY(read_attachments(call, c));
	c->imported = stet_json_own(call, json_array());
	c->failed = stet_json_own(call, json_array());
	c->urls = stet_json_own(call, json_object());
	c->stream = stet_arg_bool(call, "stream");
	if (c->stream)
		stet_reply_type(call, "application/x-ndjson");
	STET_TRY(copy_all(call, c));
	return answer(call, c);
}
