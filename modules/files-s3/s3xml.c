/* s3xml.c - answers of an S3 service in XML, read by expat. */
#include "s3xml.h"
#include <expat.h>
#include <stdlib.h>
#include <stet/buf.h>
#include <stet/call.h>
#include <string.h>

#define DEPTH_MAX 8

struct reading {
	XML_Parser parser;
	struct s3_xml *out;
	char name[DEPTH_MAX][64]; /* names of the open elements */
	unsigned depth;
	char text[S3XML_TEXT];
	size_t len;
	bool full; /* more items than requested */
};

static void
copy(char *to, size_t size, const char *from)
{
	size_t len = strlen(from);

	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

static bool
is(const struct reading *r, unsigned depth, const char *name)
{
	return r->depth > depth && strcmp(r->name[depth], name) == 0;
}

/* Returns true inside an object or an upload of a listing. */
static bool
in_item(const struct reading *r)
{
	return (is(r, 0, "ListBucketResult") && is(r, 1, "Contents")) ||
	       (is(r, 0, "ListMultipartUploadsResult") && is(r, 1, "Upload"));
}

/* ---- elements ---- */

static void XMLCALL
begin(void *arg, const char *name, const char **attributes)
{
	struct reading *r = arg;

	(void)attributes;
	r->len = 0;
	if (r->depth == DEPTH_MAX) {
		(void)XML_StopParser(r->parser, XML_FALSE);
		return;
	}
	copy(r->name[r->depth++], sizeof(r->name[0]), name);
	if (r->depth == 1)
		copy(r->out->root, sizeof(r->out->root), name);
	if (r->depth == 2 && in_item(r) && !r->full) {
		r->full = r->out->count == S3XML_ITEMS;
		if (r->full)
			(void)XML_StopParser(r->parser, XML_FALSE);
		else
			r->out->count++;
	}
}

static void XMLCALL
text(void *arg, const char *bytes, int len)
{
	struct reading *r = arg;
	size_t room = sizeof(r->text) - 1 - r->len, n = (size_t)len < room ? (size_t)len : room;

	memcpy(r->text + r->len, bytes, n);
	r->len += n;
}

static void
replace(char **to, const char *value)
{
	free(*to);
	*to = stet_format_dup("%s", value);
}

static void
end_of_item(struct reading *r)
{
	struct s3_item *item = &r->out->item[r->out->count - 1];
	int64_t ms;

	if (is(r, 2, "Key"))
		replace(&item->key, r->text);
	else if (is(r, 2, "UploadId"))
		replace(&item->upload, r->text);
	else if ((is(r, 2, "LastModified") || is(r, 2, "Initiated")) &&
		 stet_time_parse(r->text, &ms))
		item->time = ms / 1000;
}

static void
end_of_answer(struct reading *r)
{
	struct s3_xml *out = r->out;

	if (is(r, 1, "IsTruncated"))
		out->truncated = strcmp(r->text, "true") == 0;
	else if (is(r, 1, "Code"))
		copy(out->code, sizeof(out->code), r->text);
	else if (is(r, 1, "Message"))
		copy(out->message, sizeof(out->message), r->text);
	else if (is(r, 1, "UploadId"))
		copy(out->upload, sizeof(out->upload), r->text);
	else if (is(r, 1, "NextKeyMarker"))
		copy(out->next_key, sizeof(out->next_key), r->text);
	else if (is(r, 1, "NextUploadIdMarker"))
		copy(out->next_upload, sizeof(out->next_upload), r->text);
}

static void XMLCALL
end(void *arg, const char *name)
{
	struct reading *r = arg;

	(void)name;
	r->text[r->len] = '\0';
	if (r->depth == 3 && in_item(r))
		end_of_item(r);
	else if (r->depth == 2)
		end_of_answer(r);
	r->len = 0;
	r->depth--;
}

static void XMLCALL
refuse_type(void *arg, const char *name, const char *system, const char *public, int internal)
{
	const struct reading *r = arg;

	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	(void)XML_StopParser(r->parser, XML_FALSE);
}

/* ---- the answer ---- */

bool
s3xml_read(const char *bytes, size_t len, struct s3_xml *out)
{
	struct reading *r = calloc(1, sizeof(*r));
	bool good;

	memset(out, 0, sizeof(*out));
	out->item = calloc(S3XML_ITEMS, sizeof(*out->item));
	if (r == NULL || out->item == NULL || (r->parser = XML_ParserCreate("UTF-8")) == NULL)
		stet_out_of_memory();
	r->out = out;
	XML_SetUserData(r->parser, r);
	XML_SetElementHandler(r->parser, begin, end);
	XML_SetCharacterDataHandler(r->parser, text);
	XML_SetStartDoctypeDeclHandler(r->parser, refuse_type);
	good = len <= S3XML_MAX && XML_Parse(r->parser, bytes, (int)len, 1) == XML_STATUS_OK;
	XML_ParserFree(r->parser);
	free(r);
	return good;
}

void
s3xml_free(struct s3_xml *xml)
{
	for (size_t i = 0; i < xml->count; i++) {
		free(xml->item[i].key);
		free(xml->item[i].upload);
	}
	free(xml->item);
	memset(xml, 0, sizeof(*xml));
}
