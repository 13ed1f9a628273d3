/* xmlread.c - see xmlread.h. */
#include "xmlread.h"
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>

static xmlDoc *doc;
static xmlXPathContext *paths;

void
xml_forget(void)
{
	xmlXPathFreeContext(paths);
	xmlFreeDoc(doc);
	paths = NULL;
	doc = NULL;
}

void
xml_read(const char *text, const struct xml_space *space, size_t spaces)
{
	xml_forget();
	doc = xmlReadMemory(text, (int)strlen(text), "answer", NULL, XML_PARSE_NONET);
	assert_non_null(doc);
	paths = xmlXPathNewContext(doc);
	for (size_t i = 0; i < spaces; i++)
		xmlXPathRegisterNs(paths, BAD_CAST space[i].prefix, BAD_CAST space[i].uri);
}

const char *
at_path(const char *path)
{
	static char text[4000];
	xmlXPathObject *x = xmlXPathEvalExpression(BAD_CAST path, paths);
	xmlChar *s;

	assert_non_null(x);
	s = xmlXPathCastToString(x);
	(void)snprintf(text, sizeof(text), "%s", (const char *)s);
	xmlFree(s);
	xmlXPathFreeObject(x);
	return text;
}
