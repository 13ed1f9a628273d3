/*
 * atom.c - entries of feeds (Atom, RFC 4287), as JSON. The feed is read by libxml2, one entry at a
 * time, so a feed may have any size. Document types are refused, so there are no entities.
 */
#include "sources/atom.h"
#include "read/source.h"
#include <libxml/xmlreader.h>
#include <string.h>

#define ATOM "http://www.w3.org/2005/Atom"

struct feed {
	struct stet_call *call;
	struct source *source;
	enum stet_status status; /* of reading bytes */
	xmlTextReaderPtr xml;
	atom_fn *fn;
	void *arg;
};

static int
read_bytes(void *arg, char *out, int room)
{
	struct feed *f = arg;
	size_t got = 0;

	if (f->status == STET_OK)
		f->status = source_read(f->source, out, (size_t)room, &got);
	return f->status == STET_OK ? (int)got : -1;
}

static int
close_nothing(void *arg)
{
	(void)arg;
	return 0;
}

/* ---- entries ---- */

static bool
is(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* Returns an attribute, "" if there is none; owned by the call. */
static const char *
attribute(struct stet_call *call, const xmlNode *node, const char *name)
{
	xmlChar *text = xmlGetNoNsProp(node, (const xmlChar *)name);
	const char *copy = text != NULL ? stet_strdup(call, (const char *)text) : "";

	xmlFree(text);
	return copy;
}

static const char *
content(struct stet_call *call, const xmlNode *node)
{
	xmlChar *text = xmlNodeGetContent(node);
	const char *copy = text != NULL ? stet_strdup(call, (const char *)text) : "";

	xmlFree(text);
	return copy;
}

static void
put_once(json_t *object, const char *name, const char *text)
{
	if (*text != '\0' && json_object_get(object, name) == NULL)
		(void)json_object_set_new(object, name, json_string(text));
}

static json_t *
part(json_t *entry, const char *name)
{
	json_t *object = json_object_get(entry, name);

	if (json_is_object(object))
		return object;
	object = json_object();
	(void)json_object_set_new(entry, name, object);
	return object;
}

static void
put_category(struct stet_call *call, json_t *entry, const xmlNode *node)
{
	json_t *schemes = part(entry, "category");
	const char *scheme = attribute(call, node, "scheme");
	json_t *list = json_object_get(schemes, scheme);

	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(schemes, scheme, list);
	}
	(void)json_array_append_new(list, json_string(attribute(call, node, "term")));
}

static void
put_node(struct stet_call *call, json_t *entry, const xmlNode *node)
{
	static const char *const from[][2] = { { "in-reply-to", "ref" }, { "enclosure", "href" } };
	const char *text = content(call, node);

	if (is(node, "category")) {
		put_category(call, entry, node);
		return;
	}
	if (is(node, "link")) {
		put_once(part(entry, "link"), attribute(call, node, "rel"),
		    attribute(call, node, "href"));
		return;
	}
	if (is(node, "author") || is(node, "control")) {
		for (const xmlNode *child = node->children; child != NULL; child = child->next)
			if (child->type == XML_ELEMENT_NODE)
				put_once(part(entry, (const char *)node->name),
				    (const char *)child->name, content(call, child));
		return;
	}
	for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++)
		if (is(node, from[i][0]))
			text = attribute(call, node, from[i][1]);
	put_once(entry, (const char *)node->name, text);
}

static enum stet_status
take_entry(struct stet_call *call, void *arg)
{
	struct feed *f = arg;
	const xmlNode *node = xmlTextReaderExpand(f->xml);
	json_t *entry = stet_json_own(call, json_object());

	if (node == NULL)
		return STET_OK; /* not well-formed: the next step of the reader says so */
	for (node = node->children; node != NULL; node = node->next)
		if (node->type == XML_ELEMENT_NODE)
			put_node(call, entry, node);
	return f->fn(f->arg, entry);
}

/* ---- feeds ---- */

static bool
at_element(const struct feed *f, int depth, const char *name)
{
	const xmlChar *space = xmlTextReaderConstNamespaceUri(f->xml);

	return xmlTextReaderNodeType(f->xml) == XML_READER_TYPE_ELEMENT &&
	       xmlTextReaderDepth(f->xml) == depth && space != NULL &&
	       strcmp((const char *)space, ATOM) == 0 &&
	       strcmp((const char *)xmlTextReaderConstLocalName(f->xml), name) == 0;
}

static enum stet_status
read_feed(struct feed *f, bool *feed)
{
	int more = xmlTextReaderRead(f->xml);

	while (more == 1 && xmlTextReaderNodeType(f->xml) != XML_READER_TYPE_ELEMENT &&
	       xmlTextReaderNodeType(f->xml) != XML_READER_TYPE_DOCUMENT_TYPE)
		more = xmlTextReaderRead(f->xml);
	*feed = more == 1 && at_element(f, 0, "feed");
	if (!*feed)
		return f->status;
	more = xmlTextReaderRead(f->xml);
	while (more == 1)
		if (at_element(f, 1, "entry")) {
			STET_TRY(stet_scope(f->call, take_entry, f));
			more = xmlTextReaderNext(f->xml);
		} else
			more = xmlTextReaderRead(f->xml);
	if (f->status != STET_OK || more == 0)
		return f->status;
	return stet_fail(f->call, STET_VALIDATION_ERROR, "file", "Line %d: it is not well-formed",
	    xmlTextReaderGetParserLineNumber(f->xml));
}

enum stet_status
atom_read(struct stet_call *call, struct source *source, bool *feed, atom_fn *fn, void *arg)
{
	struct feed f = { .call = call, .source = source, .fn = fn, .arg = arg };
	enum stet_status status;

	f.xml = xmlReaderForIO(read_bytes, close_nothing, &f, NULL, NULL,
	    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	if (f.xml == NULL)
		stet_out_of_memory();
	status = read_feed(&f, feed);
	xmlFreeTextReader(f.xml);
	return status;
}
