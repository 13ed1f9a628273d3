/* xml.c - writes elements of an export with libxml2. */
#include "xml.h"
#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 8 /* nesting of elements, for the line breaks */

struct xml {
	xmlTextWriter *writer;
	int fd, failed; /* errno of the first error; 0: none */
	int depth;
	bool leaf; /* the open element contains text */
};

static const xmlChar *
x(const char *text)
{
	return (const xmlChar *)text;
}

static void
check(struct xml *xml, int rc)
{
	if (rc < 0 && xml->failed == 0)
		xml->failed = errno != 0 ? errno : EIO;
}

/* ---- the document ---- */

static int
on_write(void *arg, const char *bytes, int len)
{
	const struct xml *xml = arg;
	int left = len;

	while (left > 0) {
		ssize_t n = write(xml->fd, bytes, (size_t)left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		bytes += n;
		left -= (int)n;
	}
	return len;
}

static int
on_close(void *arg)
{
	(void)arg;
	return 0;
}

struct xml *
xml_begin(int fd)
{
	struct xml *xml = calloc(1, sizeof(*xml));
	xmlOutputBuffer *out;

	if (xml == NULL)
		return NULL;
	xml->fd = fd;
	out = xmlOutputBufferCreateIO(on_write, on_close, xml, NULL);
	xml->writer = out != NULL ? xmlNewTextWriter(out) : NULL;
	if (xml->writer == NULL) {
		if (out != NULL)
			(void)xmlOutputBufferClose(out);
		free(xml);
		return NULL;
	}
	errno = 0;
	check(xml, xmlTextWriterStartDocument(xml->writer, "1.0", "UTF-8", NULL));
	return xml;
}

bool
xml_end(struct xml *xml)
{
	int failed;

	check(xml, xmlTextWriterEndDocument(xml->writer));
	check(xml, xmlTextWriterFlush(xml->writer));
	failed = xml->failed;
	xmlFreeTextWriter(xml->writer);
	free(xml);
	errno = failed;
	return failed == 0;
}

/* ---- elements ---- */

static void
new_line(struct xml *xml)
{
	static const char tabs[] = "\n\t\t\t\t\t\t\t";
	int depth = xml->depth < DEPTH_MAX ? xml->depth : DEPTH_MAX - 1;

	if (xml->depth > 0)
		check(xml, xmlTextWriterWriteRawLen(xml->writer, x(tabs), depth));
}

void
xml_open(struct xml *xml, const char *name)
{
	new_line(xml);
	check(xml, xmlTextWriterStartElement(xml->writer, x(name)));
	xml->depth++;
	xml->leaf = false;
}

void
xml_attribute(struct xml *xml, const char *name, const char *value)
{
	check(xml, xmlTextWriterWriteAttribute(xml->writer, x(name), x(value)));
}

void
xml_close(struct xml *xml)
{
	xml->depth--;
	if (!xml->leaf)
		new_line(xml);
	check(xml, xmlTextWriterFullEndElement(xml->writer));
	xml->leaf = false;
}

void
xml_comment(struct xml *xml, const char *text)
{
	check(xml, xmlTextWriterWriteComment(xml->writer, x(text)));
	check(xml, xmlTextWriterWriteRaw(xml->writer, x("\n")));
}

/* ---- texts ---- */

static bool
is_odd(const char *s)
{
	return s[0] == '\xef' && s[1] == '\xbf' && (s[2] == '\xbe' || s[2] == '\xbf');
}

/* Returns the length of the part before the first character that XML does not allow. */
static size_t
good_length(const char *s)
{
	const char *p = s;

	for (; *p != '\0'; p++)
		if (((unsigned char)*p < 0x20 && strchr("\t\n\r", *p) == NULL) || is_odd(p))
			break;
	return (size_t)(p - s);
}

typedef void put_fn(struct xml *, const char *, size_t);

static void
put_each(struct xml *xml, const char *text, put_fn *put)
{
	while (*text != '\0') {
		size_t len = good_length(text);

		if (len > 0)
			put(xml, text, len);
		text += len;
		if (is_odd(text)) {
			put(xml, "\xef\xbf\xbd", 3);
			text += 3;
		} else if (*text != '\0') {
			text++;
		}
	}
}

/* Copies the text, since the writer needs it NUL-terminated. */
static void
put_text(struct xml *xml, const char *text, size_t len)
{
	char *copy = strndup(text, len);

	check(xml, copy != NULL ? xmlTextWriterWriteString(xml->writer, x(copy)) : -1);
	free(copy);
}

static void
put_section(struct xml *xml, const char *text, size_t len)
{
	check(xml, xmlTextWriterWriteRawLen(xml->writer, x(text), (int)len));
}

/* Splits "]]>" into two CDATA sections. */
static void
put_sections(struct xml *xml, const char *text, size_t len)
{
	const char *end = text + len, *cut;

	while ((cut = memmem(text, (size_t)(end - text), "]]>", 3)) != NULL) {
		put_section(xml, text, (size_t)(cut + 2 - text));
		check(xml, xmlTextWriterEndCDATA(xml->writer));
		check(xml, xmlTextWriterStartCDATA(xml->writer));
		text = cut + 2;
	}
	put_section(xml, text, (size_t)(end - text));
}

void
xml_characters(struct xml *xml, const char *text)
{
	check(xml, xmlTextWriterStartCDATA(xml->writer));
	put_each(xml, text != NULL ? text : "", put_sections);
	check(xml, xmlTextWriterEndCDATA(xml->writer));
	xml->leaf = true;
}

void
xml_text(struct xml *xml, const char *name, const char *text)
{
	xml_open(xml, name);
	put_each(xml, text != NULL ? text : "", put_text);
	xml->leaf = true;
	xml_close(xml);
}

void
xml_cdata(struct xml *xml, const char *name, const char *text)
{
	xml_open(xml, name);
	xml_characters(xml, text);
	xml_close(xml);
}

void
xml_number(struct xml *xml, const char *name, int64_t number)
{
	xml_open(xml, name);
	check(xml, xmlTextWriterWriteFormatString(xml->writer, "%lld", (long long)number));
	xml->leaf = true;
	xml_close(xml);
}
