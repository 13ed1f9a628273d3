/* site_told.c - tells what a directory of Markdown has and this importer does not read. */
#include "sources/site.h"
#include <string.h>
#include <strings.h>

#define NAMED_MAX 5 /* names of one kind that are told */

void
site_note_other(struct site *site, const char *name)
{
	const char *dot = strrchr(name, '.');
	json_t *of = json_object_get(site->others, dot), *names;

	if (of == NULL) {
		of = json_pack("{si s[]}", "count", 0, "names");
		(void)json_object_set_new(site->others, dot, of);
	}
	names = json_object_get(of, "names");
	(void)json_integer_set(
	    json_object_get(of, "count"), json_integer_value(json_object_get(of, "count")) + 1);
	if (json_array_size(names) < NAMED_MAX)
		(void)json_array_append_new(names, json_string(name));
}

static const char *
format_of(const char *end)
{
	static const char *const formats[][2] = { { ".html", "HTML without front matter" },
		{ ".htm", "HTML without front matter" }, { ".adoc", "AsciiDoc" },
		{ ".asciidoc", "AsciiDoc" }, { ".org", "Org" }, { ".rst", "reStructuredText" },
		{ ".textile", "Textile" }, { ".rmd", "R Markdown" }, { ".ipynb", "Jupyter" },
		{ ".csv", "CSV" }, { ".tsv", "TSV" } };

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcasecmp(formats[i][0], end) == 0)
			return formats[i][1];
	return end;
}

static enum stet_status
tell_others(const struct site *site, const char *end, const json_t *of)
{
	long long count = (long long)json_integer_value(json_object_get(of, "count"));
	const char *all = NULL;
	const json_t *name;
	size_t i, named = json_array_size(json_object_get(of, "names"));

	json_array_foreach(json_object_get(of, "names"), i, name) all = stet_printf(site->call,
	    "%s%s%.100s", all != NULL ? all : "", i > 0 ? ", " : "", json_string_value(name));
	return source_notice(site->source,
	    json_string_value(json_array_get(json_object_get(of, "names"), 0)), true,
	    stet_printf(site->call, "%lld document%s of %s (%s) %s not read: %s%s", count,
		count == 1 ? "" : "s", format_of(end), end, count == 1 ? "is" : "are", all,
		count > (long long)named ? ", ..." : ""));
}

enum stet_status
site_tell(const struct site *site)
{
	size_t outside = json_array_size(site->names) - json_object_size(site->wanted);
	const char *end;
	json_t *of;

	json_object_foreach(site->others, end, of) STET_TRY(tell_others(site, end, of));
	if (outside > 0)
		STET_TRY(source_notice(site->source, site->content, false,
		    stet_printf(site->call,
			"%zu document%s outside of this directory %s no content of the site",
			outside, outside == 1 ? "" : "s", outside == 1 ? "is" : "are")));
	return site->full ? source_notice(site->source, "", true,
				stet_printf(site->call, "There are more than %d documents",
				    SITE_DOCUMENTS_MAX))
			  : STET_OK;
}
