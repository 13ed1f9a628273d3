/* player.c - players of HTML, which become embeds. */
#include "flow.h"
#include <string.h>
#include <strings.h>

json_t *
put_embed(struct conv *c, json_t *to, const char *url, const char *provider)
{
	static const struct {
		const char *host, *provider;
	} known[] = { { "youtube.com", "youtube" }, { "youtu.be", "youtube" },
		{ "youtube-nocookie.com", "youtube" }, { "vimeo.com", "vimeo" },
		{ "twitter.com", "twitter" }, { "//x.com", "twitter" }, { "www.x.com", "twitter" },
		{ "instagram.com", "instagram" }, { "facebook.com", "facebook" },
		{ "tiktok.com", "tiktok" }, { "spotify.com", "spotify" },
		{ "soundcloud.com", "soundcloud" }, { "codepen.io", "codepen" },
		{ "gist.github.com", "gist" } };
	json_t *embed = conv_new(c, "embed");
	size_t host = strstr(url, "//") != NULL ? 2 + strcspn(strstr(url, "//") + 2, "/?#") : 0,
	       len;

	url = address_trim(url, &len);
	(void)json_object_set_new(embed, "url", json_bytes(url, len));
	for (size_t i = 0; provider == NULL && i < sizeof(known) / sizeof(known[0]); i++) {
		const char *begin = strstr(url, "//");
		const char *found = begin != NULL ? strstr(begin, known[i].host) : NULL;

		if (found != NULL && found + strlen(known[i].host) == begin + host &&
		    (found == begin || strchr("./", found[-1]) != NULL))
			provider = known[i].provider;
	}
	set_text(embed, "provider", provider);
	(void)json_array_append_new(to, embed);
	return embed;
}

bool
is_player(const GumboNode *node)
{
	return node_is(node, "iframe") || node_is(node, "video") || node_is(node, "audio") ||
	       node_is(node, "object") || node_is(node, "embed");
}

/* The address of a player of a plugin, as old browsers had them. */
static const char *
object_source(const GumboNode *node)
{
	const char *data = node_attribute(node, "data");
	const GumboVector *children = node_children(node);

	for (unsigned i = 0; i < children->length && data == NULL; i++) {
		const char *name = node_attribute(children->data[i], "name");

		if (node_is(children->data[i], "param") && name != NULL &&
		    (strcasecmp(name, "movie") == 0 || strcasecmp(name, "src") == 0 ||
			strcasecmp(name, "url") == 0))
			data = node_attribute(children->data[i], "value");
	}
	return data;
}

const char *
player_address(const GumboNode *node)
{
	const char *src =
	    node_is(node, "object") ? object_source(node) : node_attribute(node, "src");
	const GumboNode *source = src == NULL ? node_find(node, "source") : NULL;

	if (source != NULL)
		src = node_attribute(source, "src");
	if (src == NULL && node_is(node, "iframe"))
		src = node_attribute(node, "data-src");
	return src != NULL && strncasecmp(src, "javascript:", 11) != 0 ? src : "";
}

/* Returns true if the last block is the same player: an object holds an embed for other
 * browsers. */
static bool
is_again(const struct flow *f, const char *src)
{
	const json_t *last = last_of(f->to);
	const char *url = member_text(last, "url");
	size_t len;

	src = address_trim(src, &len);
	return is_type(last, "embed") && strlen(url) == len && memcmp(url, src, len) == 0;
}

void
flow_media(struct flow *f, const GumboNode *node)
{
	const char *src = player_address(node), *title = node_attribute(node, "title");
	const char *provider = node_is(node, "video")   ? "video"
			       : node_is(node, "audio") ? "audio"
							: NULL;
	bool old = node_is(node, "object") || node_is(node, "embed");
	json_t *embed;

	flow_part(f);
	if (*src != '\0' && !(old && is_again(f, src))) {
		embed = put_embed(f->c, f->to, src, provider);
		set_text(embed, "title", title);
		set_text(embed, "poster", node_attribute(node, "poster"));
	}
	/* The fallback content for browsers without players. */
	if (!node_is(node, "iframe"))
		flow_children(f, node);
}

void
flow_address(struct flow *f, const GumboNode *node)
{
	json_t *text = text_of(node, false);

	flow_break(f);
	if (text != NULL && !stet_is_link(json_string_value(text)))
		flow_children(f, node);
	else if (text != NULL)
		(void)put_embed(f->c, f->to, json_string_value(text), NULL);
	json_decref(text);
}
