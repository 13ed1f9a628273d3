/*
 * site_html.c - which files of HTML are documents: those that begin with front matter, as documents
 * of Markdown do. Generators of sites also keep their templates in such files.
 */
#include "sources/site.h"
#include <string.h>

void
site_add_document(struct site *site, const char *name)
{
	if (json_array_size(site->names) < SITE_DOCUMENTS_MAX)
		(void)json_array_append_new(site->names, json_string(name));
	else
		site->full = true;
}

/* Returns true if the text makes a list of other documents. Posts may show such code. */
static bool
is_template(const char *name, const char *text)
{
	return strstr(name, "_posts/") == NULL &&
	       (strstr(text, "{% for ") != NULL || strstr(text, "{%- for ") != NULL);
}

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct site *site = arg;
	const json_t *front;
	const char *body, *why;

	front_read(site->source->call, text, len, &front, &body, &why);
	if (body == text)
		site_note_other(site, name);
	else if (is_template(name, body))
		return source_notice(site->source, name, true,
		    "It is a template, which makes a list with {% for %}");
	else
		site_add_document(site, name);
	return STET_OK;
}

enum stet_status
site_choose_html(struct site *site)
{
	if (json_object_size(site->html) == 0)
		return STET_OK;
	return tree_some(site->source, SITE_HTML, site->html, take, site);
}
