/* imported.c - a site with prepared collections, and exports that are imported into it. */
#include "imported.h"
#include <stdio.h>
#include <stdlib.h>

#define FIELD(slug, type) \
	"{\"slug\":\"" slug "\",\"label\":\"" slug "\",\"type\":\"" type "\",\"required\":false}"
#define TITLE "{\"slug\":\"title\",\"label\":\"Title\",\"type\":\"string\",\"required\":true}"
#define TEXTS TITLE "," FIELD("content", "portableText") "," FIELD("excerpt", "text")

void
imported_prepare(struct harness *h)
{
	assert_ok(harness_send(h, admin, "POST /import/platform/prepare",
	    "{\"postTypes\":[{\"name\":\"post\",\"collection\":\"posts\",\"fields\":[" TEXTS
	    "," FIELD("featured_image", "image") "," FIELD("price", "number") "," FIELD(
		"in_stock", "boolean") "," FIELD("seo_title", "string") "," FIELD("opening",
		"datetime") "," FIELD("rating",
		"integer") "]},"
			   "{\"name\":\"page\",\"collection\":\"pages\",\"fields\":[" TEXTS
			   "]}]}"));
	assert_ok(harness_op(h, admin, "schema_create_field",
	    "{\"collection\":\"pages\",\"slug\":\"parent\",\"label\":\"P\",\"type\":\"reference\","
	    "\"options\":{\"collection\":\"pages\"}}"));
}

static struct harness *
open_with(const struct harness_options *options)
{
	struct harness *h = harness_open(options);

	imported_prepare(h);
	return h;
}

struct harness *
imported_open(const char *const *locales)
{
	const struct harness_options options = { .locales = locales };

	return open_with(&options);
}

struct harness *
imported_meddled(void)
{
	const struct harness_options options = { .plugin_path = "t/plugins/meddler/.libs" };
	struct harness *h = open_with(&options);

	assert_ok(harness_request(h, admin, "POST /admin/plugins/meddler/enable", NULL, NULL));
	return h;
}

#define BOUNDARY "----parts"

struct outcome *
imported_post(struct harness *h, const char *request, const char *config, const char *file)
{
	struct outcome *o;
	char *body;

	if (asprintf(&body,
		"--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nn\r\n"
		"%s%s%s%s%s%s--" BOUNDARY "--\r\n",
		config != NULL ? "--" BOUNDARY
				 "\r\nContent-Disposition: form-data; name=\"config\"\r\n\r\n"
			       : "",
		config != NULL ? config : "", config != NULL ? "\r\n" : "",
		file != NULL ? "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"file\"; "
			       "filename=\"export.xml\"\r\nContent-Type: text/xml\r\n\r\n"
			     : "",
		file != NULL ? file : "", file != NULL ? "\r\n" : "") < 0)
		abort();
	o = harness_request(h, admin, request,
	    "X-CMS-Request: 1\r\nContent-Type: multipart/form-data; boundary=" BOUNDARY, body);
	free(body);
	return o;
}

struct outcome *
imported_send(struct harness *h, const char *config, const char *file)
{
	return imported_post(h, "POST /import/platform/execute", config, file);
}

struct outcome *
imported_channel(struct harness *h, const char *request, const char *config, const char *channel)
{
	struct outcome *o;
	char *file;

	if (asprintf(&file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<rss version=\"2.0\""
		" xmlns:wp=\"http://wordpress.org/export/1.2/\""
		" xmlns:excerpt=\"http://wordpress.org/export/1.2/excerpt/\""
		" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\""
		" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel><title>Site</title>"
		"<wp:wxr_version>1.2</wp:wxr_version>\n%s</channel></rss>\n",
		channel) < 0)
		abort();
	o = imported_post(h, request, config, file);
	free(file);
	return o;
}

struct outcome *
imported_run(struct harness *h, const char *config, const char *channel)
{
	struct outcome *o;
	char *all;

	if (asprintf(&all,
		"{\"postTypeMappings\":{\"post\":{\"collection\":\"posts\",\"enabled\":true},"
		"\"page\":{\"collection\":\"pages\",\"enabled\":true},"
		"\"off\":{\"collection\":\"posts\",\"enabled\":false},"
		"\"lost\":{\"collection\":\"gone\",\"enabled\":true}}%s}",
		config) < 0)
		abort();
	o = imported_channel(h, "POST /import/platform/execute", all, channel);
	free(all);
	return o;
}
