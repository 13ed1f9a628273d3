/*
 * clean.c - walks an SVG document with expat, and writes what is allowed as a new one. Elements and
 * attributes are known by their namespace, and written without prefix, so that nothing of the
 * source's own spelling is left. A document with an internal DTD is refused, so there are no
 * entities to expand; an external one is never read.
 */
#include "svg/svg.h"
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

#define SVG "http://www.w3.org/2000/svg\n" /* expat puts a line break behind the namespace */
#define XLINK "http://www.w3.org/1999/xlink\n"
#define XML "http://www.w3.org/XML/1998/namespace\n"
#define DEPTH_MAX 200
#define SIDE_MAX 1000000

struct walk {
	XML_Parser parser;
	struct svg *out;
	struct stet_buf css; /* text of an open style element */
	unsigned depth;
	unsigned skipped; /* depth of the element that is left out; 0: none */
	unsigned style; /* depth of the style element; 0: none */
	uint64_t opened[DEPTH_MAX / 64 + 1]; /* bit n: the element of depth n has no tag */
};

static void
stop(struct walk *w, const char *why)
{
	(void)snprintf(w->out->why, sizeof(w->out->why), "%s", why);
	w->skipped = DEPTH_MAX + 2; /* the end of an empty element is still called */
	(void)XML_StopParser(w->parser, XML_FALSE);
}

/* Returns what follows the namespace, or NULL if the name is of another one. */
static const char *
within(const char *name, const char *space)
{
	size_t len = strlen(space);

	return strncmp(name, space, len) == 0 ? name + len : NULL;
}

static void
put_escaped(struct stet_buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		switch (text[i]) {
		case '&':
			stet_buf_str(out, "&amp;");
			break;
		case '<':
			stet_buf_str(out, "&lt;");
			break;
		case '>':
			stet_buf_str(out, "&gt;");
			break;
		case '"':
			stet_buf_str(out, "&quot;");
			break;
		case '\t':
		case '\r':
			stet_buf_printf(out, "&#%d;", text[i]);
			break;
		default:
			stet_buf_char(out, text[i]);
		}
}

/* ---- the size ---- */

/* Returns the pixels of a unit of length, or 0 if it depends on where the picture is shown. */
static double
pixels_of(const char *unit)
{
	static const struct {
		const char *name;
		double pixels;
	} units[] = { { "", 1 }, { "px", 1 }, { "pt", 96.0 / 72 }, { "pc", 16 }, { "in", 96 },
		{ "cm", 96 / 2.54 }, { "mm", 96 / 25.4 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].pixels;
	return 0;
}

/* Returns a length in pixels; 0: it is relative, or none. */
static int64_t
pixels(const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (end == value || !isfinite(number))
		return 0;
	number *= pixels_of(end);
	return number >= 1 && number <= SIDE_MAX ? (int64_t)(number + 0.5) : 0;
}

/* Reads the third and fourth number of a viewBox. */
static void
read_box(const char *value, int64_t *width, int64_t *height)
{
	double number[4];
	char *end;

	for (int i = 0; i < 4; i++) {
		value += strspn(value, " \t\r\n,");
		number[i] = strtod(value, &end);
		if (end == value || !isfinite(number[i]) || fabs(number[i]) > SIDE_MAX)
			return;
		value = end;
	}
	*width = number[2] >= 1 ? (int64_t)(number[2] + 0.5) : 0;
	*height = number[3] >= 1 ? (int64_t)(number[3] + 0.5) : 0;
}

/* Completes the size by the viewBox: its shape if one side is known, or its size. */
static void
complete_size(struct svg *out, int64_t width, int64_t height)
{
	if (width == 0 || height == 0)
		width = height = 0;
	if (out->width == 0 && out->height == 0) {
		out->width = width;
		out->height = height;
	} else if (out->width == 0) {
		out->width = height > 0 ? out->height * width / height : 0;
	} else if (out->height == 0) {
		out->height = width > 0 ? out->width * height / width : 0;
	}
	if (out->width == 0 || out->height == 0 || out->width > SIDE_MAX || out->height > SIDE_MAX)
		out->width = out->height = 0;
}

/* Reads width and height, as far as they are not relative. */
static void
read_size(struct svg *out, const char **attribute)
{
	int64_t box[2] = { 0, 0 };

	for (; *attribute != NULL; attribute += 2)
		if (strcmp(attribute[0], "width") == 0)
			out->width = pixels(attribute[1]);
		else if (strcmp(attribute[0], "height") == 0)
			out->height = pixels(attribute[1]);
		else if (strcmp(attribute[0], "viewBox") == 0)
			read_box(attribute[1], &box[0], &box[1]);
	complete_size(out, box[0], box[1]);
}

/* ---- elements ---- */

static void
put_attribute(struct walk *w, const char *name, const char *value)
{
	stet_buf_printf(&w->out->text, " %s=\"", name);
	for (; *value != '\0'; value++)
		if (*value == '\n')
			stet_buf_str(&w->out->text, "&#10;");
		else
			put_escaped(&w->out->text, value, 1);
	stet_buf_char(&w->out->text, '"');
}

/* An address may be given twice, by the attribute of SVG 2 and by that of XLink. */
static void
put_attributes(struct walk *w, const char *element, const char **attribute)
{
	bool has_href = false;

	for (; *attribute != NULL; attribute += 2) {
		const char *link = within(attribute[0], XLINK), *xml = within(attribute[0], XML);
		const char *name = link != NULL ? link : attribute[0], *value = attribute[1];

		if (xml != NULL && (strcmp(xml, "space") == 0 || strcmp(xml, "lang") == 0)) {
			put_attribute(w, xml[0] == 's' ? "xml:space" : "xml:lang", value);
		} else if (strchr(name, '\n') == NULL &&
			   (link == NULL || strcmp(name, "href") == 0) &&
			   !(has_href && strcmp(name, "href") == 0) &&
			   svg_attribute(element, name, value)) {
			has_href = has_href || strcmp(name, "href") == 0;
			put_attribute(w, name, value);
		}
	}
}

static void
put_start(struct walk *w, const char *name, const char **attribute)
{
	switch (svg_element(name)) {
	case SVG_KEPT:
		stet_buf_printf(&w->out->text, "<%s", name);
		if (w->depth == 1)
			stet_buf_str(&w->out->text, " xmlns=\"http://www.w3.org/2000/svg\"");
		put_attributes(w, name, attribute);
		stet_buf_char(&w->out->text, '>');
		break;
	case SVG_STYLE:
		w->style = w->depth;
		w->css.len = 0;
		break;
	case SVG_OPENED:
		w->opened[w->depth / 64] |= UINT64_C(1) << w->depth % 64;
		break;
	default:
		w->skipped = w->depth;
	}
}

static void XMLCALL
begin(void *arg, const char *qualified, const char **attribute)
{
	struct walk *w = arg;
	const char *name = within(qualified, SVG);

	if (++w->depth > DEPTH_MAX) {
		stop(w, "its elements are nested too deeply");
	} else if (w->depth == 1 && (name == NULL || strcmp(name, "svg") != 0)) {
		stop(w, "it is no SVG: its first element is not svg of the SVG namespace");
	} else if (w->skipped == 0) {
		w->opened[w->depth / 64] &= ~(UINT64_C(1) << w->depth % 64);
		if (w->depth == 1)
			read_size(w->out, attribute);
		if (name == NULL || w->style != 0)
			w->skipped = w->depth;
		else
			put_start(w, name, attribute);
	}
}

static void
put_style(struct walk *w)
{
	stet_buf_char(&w->css, '\0');
	if (w->css.len > 1 && svg_is_local(w->css.data)) {
		stet_buf_str(&w->out->text, "<style>");
		put_escaped(&w->out->text, w->css.data, w->css.len - 1);
		stet_buf_str(&w->out->text, "</style>");
	}
	w->style = 0;
}

static void XMLCALL
end(void *arg, const char *qualified)
{
	struct walk *w = arg;
	unsigned depth = w->depth--;

	if (w->skipped != 0) {
		w->skipped = w->skipped == depth ? 0 : w->skipped;
		return;
	}
	if (w->style != 0)
		put_style(w);
	else if ((w->opened[depth / 64] >> depth % 64 & 1) == 0)
		stet_buf_printf(&w->out->text, "</%s>", within(qualified, SVG));
}

static void XMLCALL
text(void *arg, const char *bytes, int len)
{
	struct walk *w = arg;

	if (w->skipped != 0)
		return;
	if (w->style != 0)
		stet_buf_add(&w->css, bytes, (size_t)len);
	else
		put_escaped(&w->out->text, bytes, (size_t)len);
}

/* ---- declarations ---- */

static void XMLCALL
doctype(void *arg, const char *name, const char *system, const char *public, int internal)
{
	(void)name;
	(void)system;
	(void)public;
	if (internal != 0)
		stop(arg, "its DOCTYPE has declarations");
}

static void XMLCALL
entity(void *arg, const char *name, int is_parameter)
{
	(void)name;
	if (is_parameter == 0)
		stop(arg, "it uses an entity that it does not declare");
}

bool
svg_clean(const char *bytes, size_t len, struct svg *out)
{
	struct walk w = { .parser = XML_ParserCreateNS(NULL, '\n'), .out = out };
	bool good;

	*out = (struct svg){ .width = 0 };
	if (w.parser == NULL)
		stet_out_of_memory();
	XML_SetUserData(w.parser, &w);
	XML_SetElementHandler(w.parser, begin, end);
	XML_SetCharacterDataHandler(w.parser, text);
	XML_SetStartDoctypeDeclHandler(w.parser, doctype);
	XML_SetSkippedEntityHandler(w.parser, entity);
	good = XML_Parse(w.parser, bytes, (int)len, 1) == XML_STATUS_OK;
	if (!good && out->why[0] == '\0')
		(void)snprintf(out->why, sizeof(out->why), "%s in line %lu",
		    XML_ErrorString(XML_GetErrorCode(w.parser)),
		    (unsigned long)XML_GetCurrentLineNumber(w.parser));
	XML_ParserFree(w.parser);
	stet_buf_free(&w.css);
	return good;
}
