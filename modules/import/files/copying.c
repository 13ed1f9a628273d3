/* copying.c - the op that copies a list of attachments. It reports its progress line by line. */
#include "files/media.h"
#include <stdlib.h>
#include <string.h>

#define ATTACHMENTS_MAX 20000
#define URL_MAX 2048

static const struct stet_member attachment_shape[] = {
	{ "id", STET_INTEGER, .about = "Its number in the source" },
	{ "url", STET_STRING, .about = "Public http or https address" },
	{ "filename", STET_STRING,
	    .about = "Of a path the last part counts; else that of the URL" },
	{ "mimeType", STET_STRING },
	{ "alt", STET_STRING, .about = "What the picture shows, in words" },
	{ "caption", STET_STRING },
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

struct list {
	json_t *imported, *failed, *urls; /* {old: new} */
	struct attachment *all;
	size_t count, from; /* all[from] is the first of the current batch */
	bool stream, late;
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
tell(struct stet_call *call, const struct list *l, size_t i, const char *status, const char *why)
{
	if (!l->stream)
		return STET_OK;
	return write_line(
	    call, json_pack("{ss sI sI ss ss ss*}", "type", "progress", "current",
		      (json_int_t)i + 1, "total", (json_int_t)l->count, "filename",
		      media_filename(call, &l->all[i]), "status", status, "error", why));
}

/* ---- the outcome of each download ---- */

static enum stet_status
begins(struct stet_call *call, void *arg, size_t i)
{
	const struct list *l = arg;

	return tell(call, l, l->from + i, "downloading", NULL);
}

static enum stet_status
fail(struct stet_call *call, struct list *l, size_t i, const char *why)
{
	const struct attachment *a = &l->all[i];

	(void)json_array_append_new(
	    l->failed, json_pack("{sI ss ss}", "wpId", (json_int_t)a->source_id, "originalUrl",
			   a->url, "error", why));
	return tell(call, l, i, "failed", why);
}

static enum stet_status
failed(struct stet_call *call, void *arg, size_t i, const char *why)
{
	struct list *l = arg;

	return fail(call, l, l->from + i, why);
}

static enum stet_status
copied(struct stet_call *call, void *arg, size_t i, const char *id, const char *url, bool was_there)
{
	struct list *l = arg;
	const struct attachment *a = &l->all[l->from + i];

	(void)json_array_append_new(
	    l->imported, json_pack("{sI ss ss ss}", "wpId", (json_int_t)a->source_id, "originalUrl",
			     a->url, "newUrl", url, "mediaId", id));
	(void)json_object_set_new(l->urls, a->url, json_string(url));
	return tell(call, l, l->from + i, was_there ? "skipped" : "done", NULL);
}

/* ---- the op ---- */

/* Copies a batch in a scope of its own: its temporary files are deleted before the next batch. */
static enum stet_status
copy_some(struct stet_call *call, void *arg)
{
	const struct media_here here = { .directory = -1 };
	struct list *l = arg;
	const struct media_sink sink = { begins, copied, failed, l };
	size_t left = l->count - l->from;

	return media_copy(call, l->all + l->from, left < MEDIA_AT_ONCE ? left : MEDIA_AT_ONCE,
	    &here, &sink, &l->late);
}

static enum stet_status
copy_all(struct stet_call *call, struct list *l)
{
	for (l->from = 0; l->from < l->count && !l->late; l->from += MEDIA_AT_ONCE)
		STET_TRY(stet_scope(call, copy_some, l));
	for (size_t i = l->from; i < l->count; i++)
		STET_TRY(fail(call, l, i, "Out of time: send it again"));
	return STET_OK;
}

static enum stet_status
read_attachments(struct stet_call *call, struct list *l)
{
	const json_t *list = stet_arg_json(call, "attachments"), *one;
	size_t i;

	l->count = json_array_size(list);
	l->all = stet_alloc(call, (l->count + 1) * sizeof(*l->all));
	json_array_foreach(list, i, one)
	{
		const char *url = json_string_value(json_object_get(one, "url"));

		l->all[i] = (struct attachment){ .source_id =
						     json_integer_value(json_object_get(one, "id")),
			.url = url != NULL ? url : "",
			.filename = json_string_value(json_object_get(one, "filename")),
			.type = json_string_value(json_object_get(one, "mimeType")),
			.alt = json_string_value(json_object_get(one, "alt")),
			.caption = json_string_value(json_object_get(one, "caption")) };
		if (strlen(l->all[i].url) > URL_MAX)
			stet_issue(call, stet_printf(call, "attachments[%zu].url", i),
			    "has more than %d bytes", URL_MAX);
	}
	return stet_issues(call);
}

static enum stet_status
answer(struct stet_call *call, const struct list *l)
{
	struct stet_json *out;

	if (l->stream)
		return write_line(
		    call, json_pack("{sO sO sO ss}", "imported", l->imported, "failed", l->failed,
			      "urlMap", l->urls, "type", "result"));
	out = stet_reply(call);
	stet_object(out, NULL);
	stet_put_json(out, "imported", l->imported);
	stet_put_json(out, "failed", l->failed);
	stet_put_json(out, "urlMap", l->urls);
	stet_close(out);
	return STET_OK;
}

enum stet_status
import_media(struct stet_call *call)
{
	struct list *l = stet_alloc(call, sizeof(*l));

	STET_TRY(read_attachments(call, l));
	l->imported = stet_json_own(call, json_array());
	l->failed = stet_json_own(call, json_array());
	l->urls = stet_json_own(call, json_object());
	l->stream = stet_arg_bool(call, "stream");
	if (l->stream)
		stet_reply_type(call, "application/x-ndjson");
	STET_TRY(copy_all(call, l));
	return answer(call, l);
}
