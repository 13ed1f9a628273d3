/*
 * dialect_code.c - shortcodes. Pictures, players, code and references become what they are. Others
 * are kept as they stand, with their name, and counted.
 */
#include "sources/dialect.h"
#include "sources/markup.h"
#include <string.h>

struct code {
	struct dialect *dialect;
	const char *name, *args; /* args has args_len bytes */
	size_t args_len;
	const char *source, *end; /* all of it */
	bool alone;
};

/* Finds the parts of a shortcode. */
static bool
find(struct code *c, const char *s)
{
	static const char *const signs[][2] = { { "{{<", ">}}" }, { "{{%", "%}}" },
		{ "{%", "%}" } };
	const char *from, *to = NULL;
	size_t n;

	for (size_t i = 0; to == NULL && i < sizeof(signs) / sizeof(signs[0]); i++) {
		n = strlen(signs[i][0]);
		if (strncmp(s, signs[i][0], n) != 0)
			continue;
		to = memmem(s + n, strnlen(s + n, NEAR_MAX), signs[i][1], strlen(signs[i][1]));
		c->end = to != NULL ? to + strlen(signs[i][1]) : NULL;
		s += n;
	}
	if (to == NULL || (!c->alone && memchr(s, '\n', (size_t)(to - s)) != NULL))
		return false;
	from = s + strspn(s, "- \t\r\n");
	while (to > from && strchr("- \t\r\n/", to[-1]) != NULL)
		to--;
	n = strcspn(from, " \t\r\n");
	n = from + n > to ? (size_t)(to - from) : n;
	c->name = stet_strndup(c->dialect->call, from, n);
	c->args = from + n;
	c->args_len = (size_t)(to - from) - n;
	return n > 0;
}

static const char *
value(const struct code *c, const char *name)
{
	return dialect_value(c->dialect->call, c->args, c->args_len, name);
}

static const char *
first(const struct code *c)
{
	return dialect_first(c->dialect->call, c->args, c->args_len);
}

/* ---- those that are understood ---- */

static void
set(json_t *object, const char *name, const char *text)
{
	if (text != NULL && *text != '\0')
		(void)json_object_set_new(object, name, json_string(text));
}

static bool
figure(const struct code *c)
{
	const char *src = value(c, "src");
	json_t *image;

	if (src == NULL || !c->alone || (!stet_is_source(src) && !stet_is_link(src)))
		return false;
	image = json_pack("{ss s{ss}}", "_type", "image", "asset", "url", src);
	set(image, "alt", value(c, "alt"));
	set(image, "title", value(c, "title"));
	set(image, "caption", value(c, "caption"));
	if (value(c, "link") != NULL && stet_is_link(value(c, "link")))
		set(image, "link", value(c, "link"));
	dialect_block(c->dialect, image);
	return true;
}

static bool
player(const struct code *c)
{
	static const char *const players[][2] = { { "youtube", "https://www.youtube.com/watch?v=" },
		{ "vimeo", "https://vimeo.com/" } };
	const char *id = value(c, "id") != NULL ? value(c, "id") : first(c);

	for (size_t i = 0; id != NULL && c->alone && i < sizeof(players) / sizeof(players[0]); i++)
		if (strcmp(players[i][0], c->name) == 0) {
			dialect_block(c->dialect,
			    json_pack("{ss so ss}", "_type", "embed", "url",
				json_sprintf("%s%s", players[i][1], id), "provider", c->name));
			return true;
		}
	return false;
}

static void
put_ticks(struct dialect *d, size_t count)
{
	while (count-- > 0)
		(void)fputc('`', d->out);
}

/* Puts code, as a block of Markdown or as an element of HTML. */
static void
put_code(struct dialect *d, const char *language, const char *from, const char *to)
{
	size_t ticks = 3, n = 0;

	if (d->html) {
		(void)fprintf(d->out, "<pre><code class=\"language-%s\">",
		    language != NULL && strpbrk(language, "<>&\"") == NULL ? language : "");
		markup_text(d->out, stet_strndup(d->call, from, (size_t)(to - from)));
		(void)fputs("</code></pre>", d->out);
		return;
	}
	for (const char *p = from; p < to; p++) {
		n = *p == '`' ? n + 1 : 0;
		ticks = n >= ticks ? n + 1 : ticks;
	}
	(void)fputc('\n', d->out);
	put_ticks(d, ticks);
	(void)fprintf(d->out, "%s\n%.*s%s", language != NULL ? language : "", (int)(to - from),
	    from, to > from && to[-1] == '\n' ? "" : "\n");
	put_ticks(d, ticks);
	(void)fputs("\n\n", d->out);
}

/* Code stands between the shortcode and one that ends it. */
static bool
highlight(struct code *c)
{
	const bool hugo = c->source[1] == '{';
	const char *from = c->end, *to;
	struct code last = { .dialect = c->dialect, .alone = true };

	if ((!c->alone && !c->dialect->html) || c->dialect->unclosed)
		return false;
	for (to = from; (to = strstr(to, hugo ? "{{" : "{%")) != NULL; to += 2)
		if (find(&last, to) && strcmp(last.name, hugo ? "/highlight" : "endhighlight") == 0)
			break;
	c->dialect->unclosed = to == NULL;
	if (to == NULL)
		return false;
	from += *from == '\r';
	from += *from == '\n';
	put_code(c->dialect, first(c), from, to);
	c->end = last.end;
	return true;
}

/* The path of a document, in the address of a link. */
static bool
reference(const struct code *c)
{
	static const char *const names[] = { "ref", "relref", "link", "post_url" };
	const char *path = first(c);

	for (size_t i = 0; path != NULL && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], c->name) == 0) {
			(void)fputs(path, c->dialect->out);
			return true;
		}
	return false;
}

/* ---- others ---- */

static void
keep(const struct code *c)
{
	struct dialect *d = c->dialect;
	size_t len = (size_t)(c->end - c->source);
	json_t *kept;
	json_int_t count = json_integer_value(json_object_get(d->kept, c->name));

	(void)json_object_set_new(d->kept, c->name, json_integer(count + 1));
	if (d->html) {
		(void)fwrite(c->source, 1, len, d->out);
		return;
	}
	kept = json_pack("{ss ss so}", "_type", "shortcode", "name", c->name, "source",
	    json_stringn(c->source, len));
	if (c->alone)
		dialect_block(d, kept);
	else
		dialect_inline(d, kept);
}

size_t
dialect_code(struct dialect *d, const char *s, bool alone)
{
	struct code c = { .dialect = d, .source = s, .alone = alone };

	if (s[0] != '{' || (s[1] != '{' && s[1] != '%') || !find(&c, s))
		return 0;
	if (c.alone) {
		const char *rest = c.end + strspn(c.end, " \t\r");

		c.alone = *rest == '\n' || *rest == '\0';
	}
	if (!(strcmp(c.name, "figure") == 0 && figure(&c)) && !player(&c) &&
	    !(strcmp(c.name, "highlight") == 0 && highlight(&c)) && !reference(&c))
		keep(&c);
	return (size_t)(c.end - s);
}
