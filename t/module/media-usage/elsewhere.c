/* elsewhere.c - random uses of media items outside of content, and items that arrive by import or
 * paste. */
#include "changes.h"
#include "imported.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define OTHERS 6 /* maximum number of records of a kind */

static int names;

/* Replaces each "@" by the path of a file, or by another path. Static buffer. */
static const char *
a_line(const char *around)
{
	static char text[800];
	const char *path = chosen(4) > 0 ? a_path() : "";
	size_t len = 0;

	for (; *around != '\0' && len + 200 < sizeof(text); around++)
		if (*around == '@')
			len += (size_t)snprintf(
			    text + len, sizeof(text) - len, "%s", *path != '\0' ? path : "/about");
		else
			text[len++] = *around;
	text[len] = '\0';
	return text;
}

static bool
is_one_in(int n)
{
	return chosen(n) == 0;
}

/* Returns a random id of those that the statement finds. Static buffer. */
static const char *
one_of(const char *table)
{
	static char id[64];
	char sql[120];

	(void)snprintf(sql, sizeof(sql), "SELECT id FROM %s ORDER BY id LIMIT 1 OFFSET %d", table,
	    chosen(OTHERS));
	(void)snprintf(id, sizeof(id), "%s", inside_ask(world.site, sql));
	return id;
}

static bool
has_room(const char *table)
{
	char sql[80];

	(void)snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
	return number(sql) < OTHERS;
}

/* ---- widgets, sections, menus, terms, bylines, settings ---- */

static json_t *
a_widget(void)
{
	const char *id = world.media[chosen(SLOTS)];

	if (is_one_in(2))
		return json_pack("{s:s, s:[{s:s, s:{s:s}}, {s:s, s:s}]}", "type", "content",
		    "content", "_type", "image", "asset", "_ref", *id != '\0' ? id : "none",
		    "_type", "htmlBlock", "html", a_line("<img src='@'>"));
	return json_pack("{s:s, s:s, s:{s:[s], s:s}}", "type", "component", "componentId", "hero",
	    "componentProps", "shots", *id != '\0' ? id : "none", "link",
	    a_line("https://example.org@?w=1"));
}

bool
step_widget(void)
{
	char id[64], request[120];

	(void)went(say(world.site, admin, "POST /widget-areas", "{'name':'side','label':'Side'}"));
	if (is_one_in(12))
		return went(ask(world.site, admin, "DELETE /widget-areas/side"));
	if (is_one_in(8))
		return went(send_json("PUT /widget-areas/side",
		    json_pack("{s:[o,o]}", "widgets", a_widget(), a_widget())));
	if (has_room("widget") && is_one_in(2))
		return went(send_json("POST /widget-areas/side/widgets", a_widget()));
	(void)snprintf(id, sizeof(id), "%s", one_of("widget"));
	(void)snprintf(request, sizeof(request), "%s /widget-areas/side/widgets/%s",
	    is_one_in(3) ? "DELETE" : "PUT", id);
	if (*id == '\0')
		return false;
	return went(*request == 'D' ? ask(world.site, admin, "%s", request)
				    : send_json(request, a_widget()));
}

bool
step_section(void)
{
	char slug[8], request[80];

	(void)snprintf(slug, sizeof(slug), "s%d", chosen(3));
	(void)snprintf(request, sizeof(request), "/sections/%s", slug);
	if (is_one_in(4))
		return went(ask(world.site, admin, "DELETE %s", request));
	if (is_one_in(2))
		return went(
		    send_json("POST /sections", json_pack("{s:s, s:s, s:s}", "slug", slug, "title",
						    "S", "content", a_line("A ![x](@) b"))));
	(void)snprintf(request, sizeof(request), "PUT /sections/%s", slug);
	return went(send_json(
	    request, json_pack("{s:s}", "content", a_line("[a](<@>)\n\n![x](</x.png>)"))));
}

bool
step_menu(void)
{
	(void)went(
	    say(world.site, admin, "POST /menus", "{'name':'main','label':'M','locale':'en'}"));
	if (is_one_in(6))
		return went(ask(world.site, admin, "DELETE /menus/main?locale=en"));
	return went(send_json("PUT /menus/main/items?locale=en",
	    json_pack("{s:[{s:s, s:s, s:s}, {s:s, s:s, s:s}]}", "items", "type", "custom", "label",
		"A", "customUrl", a_line("@"), "type", "custom", "label", "B", "customUrl", "/b")));
}

bool
step_term(void)
{
	char slug[8], request[80];

	(void)snprintf(slug, sizeof(slug), "t%d", chosen(3));
	(void)snprintf(request, sizeof(request), "/taxonomies/tag/terms/%s", slug);
	if (is_one_in(3))
		return went(ask(world.site, admin, "DELETE %s", request));
	if (is_one_in(2))
		return went(send_json("POST /taxonomies/tag/terms",
		    json_pack("{s:s, s:s, s:s}", "slug", slug, "label", "T", "description",
			a_line("<a href=\"@\">x</a>"))));
	(void)snprintf(request, sizeof(request), "PUT /taxonomies/tag/terms/%s", slug);
	return went(send_json(request, json_pack("{s:s}", "description", a_line("x@"))));
}

bool
step_bio(void)
{
	char request[80];

	if (*world.byline == '\0')
		return false;
	(void)snprintf(request, sizeof(request), "PUT /bylines/%s", world.byline);
	return went(send_json(
	    request, json_pack("{s:s, s:s}", "displayName", "Ann", "bio", a_line("I: @"))));
}

bool
step_tagline(void)
{
	return went(send_json("POST /settings", json_pack("{s:s}", "tagline", a_line("See @"))));
}

/* ---- what is told of them ---- */

static bool
stands_in(const char *id, const char *key, const char *sql)
{
	char *text = strdup(inside_ask(world.site, sql));
	bool found = strstr(text, id) != NULL || (*key != '\0' && strstr(text, key) != NULL);

	free(text);
	return found;
}

bool
is_used_elsewhere(const char *id)
{
	static const char *const texts[] = {
		"SELECT group_concat(coalesce(content, '') || coalesce(component_props, '')) FROM "
		"widget",
		"SELECT group_concat(content) FROM section",
		"SELECT group_concat(custom_url) FROM menu_item",
		"SELECT group_concat(description) FROM term",
		"SELECT group_concat(coalesce(bio, '') || coalesce(avatar_media_id, '')) FROM "
		"byline",
		"SELECT group_concat(value) FROM site_setting",
	};
	char sql[200], key[200];
	bool found = false;

	(void)snprintf(sql, sizeof(sql), "SELECT kept_key FROM media_items WHERE id = '%s'", id);
	(void)snprintf(key, sizeof(key), "%s", inside_ask(world.site, sql));
	for (size_t i = 0; i < COUNT(texts); i++)
		found = found || stands_in(id, key, texts[i]);
	return found;
}

/* ---- imports, and what the editor sends of a pasted text ---- */

/* Returns true if imported items have a collection with room for one. */
static bool
is_ready(void)
{
	if (number("SELECT count(*) FROM collection WHERE slug = 'blog'") == 0)
		assert_ok(say(world.site, admin, "POST /import/platform/prepare",
		    "{'postTypes':[{'name':'post','collection':'blog','fields':["
		    "{'slug':'title','label':'T','type':'string','required':false},"
		    "{'slug':'content','label':'C','type':'portableText','required':false}]}]}"));
	return !is_full("blog");
}

bool
step_wxr(void)
{
	char *channel = NULL;
	struct outcome *o;

	if (!is_ready())
		return false;
	assert_true(asprintf(&channel,
			"<item><wp:post_id>%d</wp:post_id><wp:post_type>post</wp:post_type>"
			"<wp:status>publish</wp:status><title>W</title><wp:post_name>w%06d"
			"</wp:post_name><content:encoded><![CDATA[%s]]></content:encoded></item>\n",
			names, names,
			a_line("<p>a <a href=\"https://example.org@\">x</a></p><figure><img "
			       "src=\"@\" srcset=\"@ 2x\"/></figure>")) > 0);
	names++;
	o = imported_channel(world.site, "POST /import/platform/execute",
	    "{\"postTypeMappings\":{\"post\":{\"collection\":\"blog\",\"enabled\":true}}}",
	    channel);
	free(channel);
	return went(o);
}

bool
step_document(void)
{
	char dir[80], path[120];
	FILE *f;
	int status;

	if (!is_ready())
		return false;
	(void)snprintf(dir, sizeof(dir), "%s.md", harness_data(world.site));
	(void)snprintf(path, sizeof(path), "%s/m%06d.md", dir, names++);
	assert_int_equal(mkdir(dir, 0700), 0);
	f = fopen(path, "we");
	assert_non_null(f);
	(void)fprintf(f, "---\ntitle: D\n---\n\n%s\n",
	    a_line("A ![x](https://example.org@) and [y](https://example.org@)"));
	assert_int_equal(fclose(f), 0);
	status = command((const char *const[]){
	    "import", "from", "markdown", dir, "--no-media", "--map", "page=blog", NULL });
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
	return status == 0;
}

bool
step_paste(void)
{
	const char *c = a_collection(), *id = c != NULL ? an_item(c, false) : NULL;
	char request[120], src[200];

	(void)snprintf(src, sizeof(src), "%s", a_line("@"));
	if (id == NULL || !has_field(c, "body"))
		return false;
	(void)snprintf(request, sizeof(request), "PUT /content/%s/%s", c, id);
	return went(send_json(request,
	    json_pack("{s:{s:[{s:s, s:{s:s, s:s, s:s}}, {s:s, s:[{s:s, s:s, s:s}], s:[{s:s, s:s, "
		      "s:[s]}]}]}}",
		"data", "body", "_type", "image", "asset", "_type", "reference", "_ref", src, "url",
		src, "_type", "block", "markDefs", "_key", "l", "_type", "link", "href", src,
		"children", "_type", "span", "text", "t", "marks", "l")));
}
