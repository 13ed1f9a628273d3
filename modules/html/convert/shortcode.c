/*
 * shortcode.c - replaces shortcodes of classic text that become blocks: caption, embed, audio,
 * video, gallery with ids, and those of old players. flow.c handles the elements that replace them.
 * Other shortcodes stay text.
 */
#include "flow.h"
#include <string.h>
#include <strings.h>

#define CODE_MAX 8192 /* bytes of a tag in brackets */
#define VALUE_MAX 2048

struct scan {
	const char *begin, *p, *end;
	struct text *out;
	bool no_caption, no_embed; /* no closing tag of this kind follows */
};

static bool
is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

static bool
begins(const char *p, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - p) > len && strncmp(p, word, len) == 0 && !is_name(p[len]);
}

/* Finds the value of an attribute between p and end. Returns its length; 0: not found. */
static size_t
value_of(const char *p, const char *end, const char *name, const char **value)
{
	size_t len = strlen(name);
	char quote;

	for (; p + len + 1 < end; p++) {
		if (is_name(p[-1]) || strncasecmp(p, name, len) != 0 || p[len] != '=')
			continue;
		p += len + 1;
		quote = p < end && (*p == '"' || *p == '\'') ? *p++ : '\0';
		*value = p;
		while (p < end && (quote != '\0' ? *p != quote
						 : strchr(" \t\r\n/]", *p) == NULL ||
						       (*p == '/' && p + 1 < end)))
			p++;
		return (size_t)(p - *value);
	}
	return 0;
}

static void
put_attribute(struct scan *s, const char *name, const char *value, size_t len)
{
	if (len == 0 || len > VALUE_MAX)
		return;
	text_str(s->out, " ");
	text_str(s->out, name);
	text_str(s->out, "=\"");
	for (size_t i = 0; i < len; i++) {
		if (value[i] == '"')
			text_str(s->out, "&quot;");
		else
			text_add(s->out, &value[i], 1);
	}
	text_str(s->out, "\"");
}

/* Finds the address of a player: an attribute, or a bare address ([audio https://...]). */
static size_t
address_of(const char *p, const char *end, const char **value)
{
	static const char *const names[] = { "src", "mp4", "m4v", "webm", "ogv", "flv", "mp3",
		"ogg", "m4a", "wav" };
	size_t len = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && len == 0; i++)
		len = value_of(p, end, names[i], value);
	if (len > 0)
		return len;
	while (p < end && *p == ' ')
		p++;
	*value = p;
	if (end - p < 8 || (strncmp(p, "http://", 7) != 0 && strncmp(p, "https://", 8) != 0))
		return 0;
	while (p < end && *p != ' ')
		p++;
	return (size_t)(p - *value);
}

static bool
put_player(struct scan *s, const char *name, const char *p, const char *end)
{
	const char *value;
	size_t len = address_of(p, end, &value);

	if (len == 0 || len > VALUE_MAX)
		return false;
	text_str(s->out, "<");
	text_str(s->out, name);
	put_attribute(s, "src", value, len);
	text_str(s->out, "></");
	text_str(s->out, name);
	text_str(s->out, ">");
	s->p = end + 1;
	/* [audio src="..."][/audio] */
	if ((size_t)(s->end - s->p) >= 8 && strncmp(s->p, "[/", 2) == 0 &&
	    strncmp(s->p + 2, name, 5) == 0 && s->p[7] == ']')
		s->p += 8;
	return true;
}

static bool
put_gallery(struct scan *s, const char *p, const char *end)
{
	const char *value;
	size_t len = value_of(p, end, "ids", &value);

	if (len == 0 || len > VALUE_MAX)
		return false;
	text_str(s->out, "<stet-gallery");
	put_attribute(s, "ids", value, len);
	len = value_of(p, end, "columns", &value);
	put_attribute(s, "columns", value, len);
	len = value_of(p, end, "link", &value);
	put_attribute(s, "link", value, len);
	text_str(s->out, "></stet-gallery>");
	s->p = end + 1;
	return true;
}

/* Returns the closing tag after p. NULL: none follows in the text, which *none records. */
static const char *
find_close(struct scan *s, const char *p, const char *close, bool *none)
{
	const char *found = *none ? NULL : memmem(p, (size_t)(s->end - p), close, strlen(close));

	*none = found == NULL;
	return found;
}

static bool
put_caption(struct scan *s, const char *p, const char *end)
{
	const char *close = find_close(s, end, "[/caption]", &s->no_caption), *value;
	size_t len;

	if (close == NULL)
		return false;
	text_str(s->out, "<figure class=\"stet-caption ");
	len = value_of(p, end, "align", &value);
	if (len > 0 && len < 16 && memchr(value, '"', len) == NULL)
		text_add(s->out, value, len);
	text_str(s->out, "\">");
	text_add(s->out, end + 1, (size_t)(close - end - 1));
	/* Old texts have the caption in an attribute. */
	len = value_of(p, end, "caption", &value);
	text_str(s->out, " ");
	text_add(s->out, value, len);
	text_str(s->out, "</figure>");
	s->p = close + 10;
	return true;
}

static bool
put_address(struct scan *s, const char *end)
{
	const char *close = find_close(s, end, "[/embed]", &s->no_embed);

	if (close == NULL || close - end > VALUE_MAX ||
	    memchr(end + 1, '<', (size_t)(close - end - 1)) != NULL)
		return false;
	text_str(s->out, "<stet-embed>");
	text_add(s->out, end + 1, (size_t)(close - end - 1));
	text_str(s->out, "</stet-embed>");
	s->p = close + 8;
	return true;
}

/* Shortcodes of players of other sites: an address, or an id that follows `prefix`. */
static const struct old {
	const char *name, *attribute, *prefix;
} olds[] = {
	{ "youtube", "id", "https://www.youtube.com/watch?v=" },
	{ "vimeo", "id", "https://vimeo.com/" },
	{ "dailymotion", "id", "https://www.dailymotion.com/video/" },
	{ "googlevideo", "src", "https://video.google.com/videoplay?docid=" },
	{ "soundcloud", "url", NULL },
	{ "googlemaps", "src", NULL },
	{ "gist", "id", "https://gist.github.com/" },
	{ "flash", "src", NULL },
	{ "kml_flashembed", "movie", NULL },
};

/* The value of [name=value], [name value] or [name attribute=value]. Returns its length; 0: none.
 */
static size_t
old_value(const struct old *old, const char *p, const char *end, const char **value)
{
	size_t len = value_of(p, end, old->attribute, value);

	if (len == 0)
		len = value_of(p, end, "src", value);
	if (len > 0)
		return len;
	while (p < end && strchr(" =\"'", *p) != NULL && *p != '\0')
		p++;
	*value = p;
	while (p < end && strchr(" |\"'<", *p) == NULL && *p != '\0')
		p++;
	return memchr(*value, '=', (size_t)(p - *value)) == NULL || strncmp(*value, "http", 4) == 0
		   ? (size_t)(p - *value)
		   : 0;
}

static bool
is_id(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_name(value[i]))
			return false;
	return true;
}

static bool
put_old(struct scan *s, const struct old *old, const char *end)
{
	const char *value;
	size_t len = old_value(old, s->p + 1 + strlen(old->name), end, &value);
	bool address =
	    len > 8 && (strncmp(value, "http://", 7) == 0 || strncmp(value, "https://", 8) == 0);

	if (len == 0 || len > VALUE_MAX ||
	    !(address ? memchr(value, '<', len) == NULL : old->prefix != NULL && is_id(value, len)))
		return false;
	text_str(s->out, "<stet-embed>");
	text_str(s->out, address ? "" : old->prefix);
	text_add(s->out, value, len);
	text_str(s->out, "</stet-embed>");
	s->p = end + 1;
	/* [youtube]...[/youtube] has no value before its end, so only an empty one is closed. */
	len = strlen(old->name);
	if ((size_t)(s->end - s->p) > len + 2 && strncmp(s->p, "[/", 2) == 0 &&
	    strncmp(s->p + 2, old->name, len) == 0 && s->p[len + 2] == ']')
		s->p += len + 3;
	return true;
}

/* Replaces the shortcode at s->p and returns true, if it is a known one. */
static bool
shortcode(struct scan *s)
{
	size_t left = (size_t)(s->end - s->p);
	const char *p = s->p + 1, *end = memchr(s->p, ']', left < CODE_MAX ? left : CODE_MAX);

	if (end == NULL ||
	    (s->p > s->begin && s->p[-1] == '[' && end + 1 < s->end && end[1] == ']'))
		return false;
	if (begins(p, s->end, "caption") || begins(p, s->end, "wp_caption"))
		return put_caption(s, p + 7, end);
	if (begins(p, s->end, "gallery"))
		return put_gallery(s, p + 7, end);
	if (begins(p, s->end, "embed"))
		return put_address(s, end);
	for (size_t i = 0; i < sizeof(olds) / sizeof(olds[0]); i++)
		if (begins(p, s->end, olds[i].name))
			return put_old(s, &olds[i], end);
	if (begins(p, s->end, "audio"))
		return put_player(s, "audio", p + 5, end);
	return begins(p, s->end, "video") && put_player(s, "video", p + 5, end);
}

bool
shortcodes(const char *text, size_t len, struct text *out)
{
	struct scan s = { .begin = text, .p = text, .end = text + len, .out = out };
	const char *next;
	bool any = false;

	while ((next = memchr(s.p, '[', (size_t)(s.end - s.p))) != NULL) {
		text_add(out, s.p, (size_t)(next - s.p));
		s.p = next;
		if (shortcode(&s)) {
			any = true;
			continue;
		}
		text_add(out, "[", 1);
		s.p++;
	}
	text_add(out, s.p, (size_t)(s.end - s.p));
	return any;
}
