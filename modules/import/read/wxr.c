/*
 * wxr.c - reads export files through the push parser of libxml2: no network, no document types, no
 * entities but the five of XML. An entity of HTML without a declaration ("&nbsp;") stays as text,
 * since most texts of an export are HTML. A reference to a character that XML does not have is left
 * out. What faults.c finds is repaired before the parser sees it. Any other error of syntax ends
 * the reading.
 */
#include "read/wxr.h"
#include "read/build.h"
#include "read/clean.h"
#include "read/source.h"
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define READ_ROOM 32768
#define TEXT_ROOM 16384
#define HEAD_ROOM 1024
#define DEPTH_MAX 64
#define NAMES_MAX 4096
#define ERROR_ROOM 300

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlErrorPtr xml_error;
#endif

struct reader {
	struct stet_call *call;
	struct build build;
	struct clean clean;
	struct source *source;
	xmlParserCtxtPtr xml;
	size_t depth;
	bool channel; /* inside a channel element */
	bool stopped; /* parsing has ended with `status` */
	enum stet_status status;
	uint64_t told, told_foreign; /* repairs that have been reported */
	xmlEntity entity; /* the last entity that was not declared */
	char *literal; /* its text */
	char in[READ_ROOM];
	size_t held; /* bytes of `text` that wait for those that follow */
	char text[CLEAN_AHEAD_MAX + TEXT_ROOM * CLEAN_GROWTH];
};

/* The attributes of an element, as libxml2 gives them: five pointers each. */
struct attributes {
	const xmlChar **at;
	int count;
};

static void
stop(struct reader *r, enum stet_status status)
{
	if (r->stopped || status == STET_OK)
		return;
	r->stopped = true;
	r->status = status;
	xmlStopParser(r->xml);
}

static enum stet_status
refuse(struct reader *r, int64_t line, const char *why)
{
	return stet_fail(r->call, STET_VALIDATION_ERROR, "file",
	    *r->build.file == '\0' ? "XML parsing error: line %lld: %s"
				   : "XML parsing error: line %lld: %s (in %s)",
	    (long long)line, why, r->build.file);
}

static int64_t
line_of(struct reader *r)
{
	r->build.line = r->xml->input != NULL ? r->xml->input->line : 0;
	return r->build.line;
}

/* ---- elements ---- */

/* The URI of WordPress's namespace has a version, which is ignored. */
static enum space
space_of(const xmlChar *prefix, const xmlChar *uri)
{
	static const struct {
		const char *prefix;
		enum space space;
	} prefixes[] = { { "wp", SPACE_WP }, { "excerpt", SPACE_EXCERPT },
		{ "content", SPACE_CONTENT }, { "dc", SPACE_DC } };
	const char *at = (const char *)uri, *end;

	if (uri == NULL && prefix == NULL)
		return SPACE_NONE;
	if (uri == NULL) { /* a prefix without a declaration */
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
			if (strcmp((const char *)prefix, prefixes[i].prefix) == 0)
				return prefixes[i].space;
		return SPACE_OTHER;
	}
	if (strcmp(at, "http://purl.org/rss/1.0/modules/content/") == 0)
		return SPACE_CONTENT;
	if (strcmp(at, "http://purl.org/dc/elements/1.1/") == 0)
		return SPACE_DC;
	if (strcmp(at, WXR_OWN_SPACE) == 0)
		return SPACE_STET;
	at += strncmp(at, "https://", 8) == 0 ? 8 : strncmp(at, "http://", 7) == 0 ? 7 : 0;
	if (strncmp(at, "wordpress.org/export/", 21) != 0)
		return SPACE_OTHER;
	end = strchr(at + 21, '/');
	if (end == NULL || end[1] == '\0')
		return SPACE_WP;
	return strncmp(end, "/excerpt", 8) == 0 ? SPACE_EXCERPT : SPACE_OTHER;
}

static const char *
attribute(struct build *b, void *arg, const char *name)
{
	const struct attributes *a = arg;

	for (int i = 0; i < a->count; i++) {
		const xmlChar **one = a->at + (size_t)i * 5;

		if (one[1] == NULL && strcmp((const char *)one[0], name) == 0)
			return build_keep(b, (const char *)one[3], (size_t)(one[4] - one[3]));
	}
	return "";
}

static enum stet_status
open_outside(struct reader *r, const char *name)
{
	if (r->depth == 1 && strcasecmp(name, "rss") != 0)
		return refuse(r, line_of(r), "the file is no export: it does not begin with rss");
	if (r->depth == 2 && strcasecmp(name, "channel") == 0) {
		r->channel = true;
		r->build.where = CHANNEL;
	}
	return STET_OK;
}

static void
start_element(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
    int namespace_count, const xmlChar **namespaces, int count, int defaulted, const xmlChar **at)
{
	struct reader *r = ctx;
	struct attributes a = { at, count };

	(void)namespace_count;
	(void)namespaces;
	(void)defaulted;
	if (r->stopped)
		return;
	(void)line_of(r);
	if (++r->depth > DEPTH_MAX)
		stop(r, refuse(r, line_of(r), "its elements are nested too deeply"));
	else if (!r->channel)
		stop(r, open_outside(r, (const char *)name));
	else
		stop(r, build_open(
			    &r->build, space_of(prefix, uri), (const char *)name, attribute, &a));
}

static void
end_element(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	struct reader *r = ctx;

	(void)name;
	(void)prefix;
	(void)uri;
	if (r->stopped)
		return;
	if (r->depth > 0)
		r->depth--;
	if (!r->channel)
		return;
	(void)line_of(r);
	stop(r, build_close(&r->build));
	r->channel = r->depth >= 2;
}

static void
characters(void *ctx, const xmlChar *at, int len)
{
	struct reader *r = ctx;

	if (!r->stopped && r->channel)
		stop(r, build_text(&r->build, (const char *)at, (size_t)len));
}

/* ---- what is not well-formed ---- */

static enum stet_status
repaired(struct reader *r, int64_t line, const char *what)
{
	r->build.totals->repaired++;
	return build_notice(&r->build, line, false, "%s", what);
}

/*
 * libxml2 asks for each entity (XML_PARSE_OLDSAX). One that was not declared gets its own text as
 * its content. After a repaired error the parser would drop all entities, so the mark of that error
 * is removed.
 */
static xmlEntityPtr
entity(void *ctx, const xmlChar *name)
{
	struct reader *r = ctx;
	xmlEntityPtr known = xmlGetPredefinedEntity(name);
	size_t len = strlen((const char *)name);
	char *literal;

	r->xml->wellFormed = 1;
	if (known != NULL || r->stopped)
		return known;
	if ((literal = realloc(r->literal, len + 3)) == NULL)
		stet_out_of_memory();
	r->literal = literal;
	(void)snprintf(literal, len + 3, "&%s;", (const char *)name);
	r->entity = (xmlEntity){ .type = XML_ENTITY_DECL,
		.etype = XML_INTERNAL_PREDEFINED_ENTITY,
		.name = (const xmlChar *)literal,
		.content = (xmlChar *)literal,
		.orig = (xmlChar *)literal,
		.length = (int)len + 2 };
	stop(r, repaired(r, line_of(r), "An entity that XML does not have is kept as text"));
	return &r->entity;
}

/* Refuses a document type. libxml2 calls this before it reads what is in it. */
static void
document_type(void *ctx, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
	struct reader *r = ctx;

	(void)name;
	(void)external;
	(void)system;
	stop(r, refuse(r, line_of(r), "it has a document type declaration"));
}

static void
failed(void *ctx, xml_error error)
{
	struct reader *r = ctx;
	char text[ERROR_ROOM];
	size_t len;

	if (r->stopped || error->level < XML_ERR_ERROR || error->domain == XML_FROM_NAMESPACE)
		return;
	if (error->code == XML_ERR_INVALID_CHAR) { /* a reference by number, such as &#1; */
		stop(r, repaired(r, error->line, "A character that XML does not have is left out"));
		return;
	}
	if (error->code == XML_ERR_DOCUMENT_END && r->depth > 0) {
		stop(r, refuse(r, error->line, "the file is cut off"));
		return;
	}
	(void)snprintf(text, sizeof(text), "%s",
	    error->message != NULL ? error->message : "it is not well-formed");
	len = strcspn(text, "\r\n");
	text[len] = '\0';
	stop(r, refuse(r, error->line, text));
}

static const xmlSAXHandler handlers = {
	.initialized = XML_SAX2_MAGIC,
	.internalSubset = document_type,
	.getEntity = entity,
	.startElementNs = start_element,
	.endElementNs = end_element,
	.characters = characters,
	.ignorableWhitespace = characters,
	.cdataBlock = characters,
	.serror = failed,
};

/* ---- a document ---- */

static enum stet_status
tell_count(struct reader *r, uint64_t *told, uint64_t found, int64_t line, const char *what)
{
	uint64_t count = found - *told;

	if (count == 0)
		return STET_OK;
	*told = found;
	r->build.totals->repaired += (int64_t)count;
	return build_notice(&r->build, line, false, "%llu %s", (unsigned long long)count, what);
}

static enum stet_status
tell_repairs(struct reader *r)
{
	STET_TRY(tell_count(r, &r->told_foreign, r->clean.foreign, r->clean.foreign_line,
	    "bytes that are no UTF-8 are read as Windows-1252"));
	return tell_count(r, &r->told, r->clean.repaired, r->clean.repaired_line,
	    "control characters that XML does not have are left out");
}

static enum stet_status
parse(struct reader *r, const char *at, size_t len, bool last)
{
	(void)xmlParseChunk(r->xml, at, (int)len, last);
	if (r->stopped)
		return r->status;
	if (xmlDictSize(r->xml->dict) > NAMES_MAX) /* names stay in memory to the end */
		return refuse(
		    r, line_of(r), "it has more than 4,096 names of elements and attributes");
	if (r->xml->disableSAX != 0)
		return refuse(r, line_of(r), "it is not well-formed");
	return STET_OK;
}

/*
 * The parser buffers a CDATA section until its end, and scans all of the buffer for each piece. So
 * a section that goes on behind the piece is closed here, and opened again. Brackets at the end of
 * the piece may belong to the end of the section, so they go into the new one.
 */
static enum stet_status
parse_piece(struct reader *r, const char *at, size_t len)
{
	static const char cut[] = "]]><![CDATA[";
	size_t back = r->clean.run < 2 ? r->clean.run : 2;

	if (r->clean.state != CLEAN_CDATA || len < back)
		return len > 0 ? parse(r, at, len, false) : STET_OK;
	STET_TRY(parse(r, at, len - back, false));
	STET_TRY(parse(r, cut, sizeof(cut) - 1, false));
	return parse(r, at + len - back, back, false);
}

static int64_t
count_lines(const char *at, const char *end)
{
	int64_t count = 0;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		count++;
		at++;
	}
	return count;
}

/* Passes `len` bytes of `text` to the parser, with their faults repaired. Holds those back that
 * only what follows can judge. */
static enum stet_status
feed_text(struct reader *r, size_t len, bool last)
{
	struct clean_fault fault;
	const char *at = r->text, *end = r->text + len, *counted = NULL;
	int64_t line = 0; /* of `counted`, the last fault */

	do {
		size_t sound = clean_follow(&r->clean, at, (size_t)(end - at), last, &fault);

		if (fault.what != NULL || r->clean.why != NULL) {
			line = counted == NULL ? r->clean.line - count_lines(at + sound, end)
					       : line + count_lines(counted, at + sound);
			counted = at + sound;
		}
		if (r->clean.why != NULL)
			return refuse(r, line, r->clean.why);
		if (sound > 0 || fault.what != NULL)
			STET_TRY(parse_piece(r, at, sound));
		at += sound;
		if (fault.what != NULL) {
			STET_TRY(repaired(r, line, fault.what));
			STET_TRY(parse(r, fault.put, strlen(fault.put), false));
			at += fault.skip;
		}
	} while (fault.what != NULL);
	r->held = (size_t)(end - at);
	memmove(r->text, at, r->held);
	return STET_OK;
}

static enum stet_status
feed(struct reader *r, const char *at, size_t len, bool last)
{
	do {
		size_t taken = len, made = 0;
		char *text = r->text + r->held;

		if (!clean_decode(&r->clean, at, &taken, last, text, TEXT_ROOM, &made) ||
		    !clean_repair(&r->clean, text, &made, TEXT_ROOM * CLEAN_GROWTH))
			return refuse(r, r->clean.line, r->clean.why);
		STET_TRY(tell_repairs(r));
		at += taken;
		len -= taken;
		STET_TRY(feed_text(r, r->held + made, last && len == 0));
	} while (len > 0);
	return STET_OK;
}

/* Collects the first HEAD_ROOM bytes before it feeds any, since they tell the encoding. */
static enum stet_status
feed_head(struct reader *r, bool *last)
{
	size_t len = 0, got = 1, skip;

	while (len < HEAD_ROOM && got > 0) {
		STET_TRY(source_read(r->source, r->in + len, HEAD_ROOM - len, &got));
		len += got;
	}
	if (len == 0)
		return refuse(r, 1, "the file is empty");
	if (!clean_head(&r->clean, r->in, len, &skip))
		return refuse(r, r->clean.line, r->clean.why);
	if (skip > 3)
		STET_TRY(repaired(r, 1, "There are blanks before the beginning"));
	*last = got == 0;
	return feed(r, r->in + skip, len - skip, *last);
}

static enum stet_status
read_pieces(struct reader *r)
{
	bool last = false;
	size_t got;

	STET_TRY(feed_head(r, &last));
	while (!last) {
		STET_TRY(source_read(r->source, r->in, sizeof(r->in), &got));
		last = got == 0;
		STET_TRY(feed(r, r->in, got, last));
	}
	STET_TRY(parse(r, "", 0, true));
	if (!r->build.exported)
		return refuse(r, r->clean.line,
		    "the file is a feed and no export: nothing in it is of the export's namespace");
	return STET_OK;
}

static enum stet_status
read_document(struct reader *r, const char *name)
{
	enum stet_status status;

	build_document(&r->build, name);
	r->depth = 0;
	r->channel = false;
	r->told = r->told_foreign = 0;
	r->held = 0;
	r->build.totals->documents++;
	clean_begin(&r->clean);
	r->xml = xmlCreatePushParserCtxt((xmlSAXHandlerPtr)(uintptr_t)&handlers, r, NULL, 0, NULL);
	if (r->xml == NULL)
		stet_out_of_memory();
	(void)xmlCtxtUseOptions(r->xml, XML_PARSE_NONET | XML_PARSE_RECOVER | XML_PARSE_IGNORE_ENC |
					    XML_PARSE_NOENT | XML_PARSE_OLDSAX);
	status = read_pieces(r);
	xmlFreeParserCtxt(r->xml);
	clean_end(&r->clean);
	return status;
}

static enum stet_status
read_file(struct reader *r, const char *path, uint64_t most)
{
	const char *name = NULL;
	enum stet_status status = source_open(r->call, path, " .xml ", most, &r->source);

	while (status == STET_OK) {
		status = source_next(r->source, &name);
		if (status != STET_OK || name == NULL)
			break;
		status = read_document(r, name);
	}
	r->build.totals->bytes += source_bytes(r->source);
	source_close(r->source);
	return status;
}

enum stet_status
wxr_read(struct stet_call *call, const char *const *paths, size_t count, uint64_t most,
    const struct wxr_sink *sink, struct wxr_totals *totals)
{
	struct reader *r = calloc(1, sizeof(*r));
	enum stet_status status = STET_OK;

	if (r == NULL)
		stet_out_of_memory();
	*totals = (struct wxr_totals){ 0 };
	r->call = call;
	build_begin(&r->build, call, sink, totals);
	for (size_t i = 0; i < count && status == STET_OK; i++)
		status = read_file(r, paths[i], most - totals->bytes);
	build_end(&r->build);
	free(r->literal);
	free(r);
	return status;
}

const char *
wxr_meta_value(const struct wxr_item *item, const char *key)
{
	for (size_t i = item->meta_count; i > 0; i--)
		if (strcmp(item->meta[i - 1].key, key) == 0)
			return item->meta[i - 1].value;
	return NULL;
}
