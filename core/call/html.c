/* html.c - HTML pages as replies. */
#include "base/buf.h"
#include "base/log.h"
#include "call/call.h"
#include <stdarg.h>
#include <stet/html.h>
#include <string.h>

struct stet_html {
	struct buf text;
};

static void
let_go(void *arg)
{
	buf_free(&((struct stet_html *)arg)->text);
}

struct stet_html *
stet_html_new(struct stet_call *call)
{
	struct stet_html *html = stet_alloc(call, sizeof(*html));

	stet_defer(call, let_go, html);
	return html;
}

void
stet_html_raw(struct stet_html *html, const char *markup)
{
	buf_str(&html->text, markup);
}

static void
escape(struct buf *b, const char *text, size_t len)
{
	static const struct {
		char c;
		const char *entity;
	} entities[] = { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
		{ '\'', "&#39;" } };
	const char *end = text + len;

	while (text < end) {
		size_t plain = strcspn(text, "&<>\"'");

		if (plain > (size_t)(end - text))
			plain = (size_t)(end - text);
		buf_add(b, text, plain);
		text += plain;
		for (size_t i = 0; text < end && i < sizeof(entities) / sizeof(entities[0]); i++)
			if (*text == entities[i].c) {
				buf_str(b, entities[i].entity);
				text++;
				break;
			}
	}
}

static void
escape_text(struct buf *b, const char *text)
{
	if (text != NULL)
		escape(b, text, strlen(text));
}

/* Appends the value of the conversion at fmt, after its "%". Returns the rest of the format. */
static const char *
add_value(struct buf *b, const char *fmt, va_list *args)
{
	if (*fmt == 's')
		escape_text(b, va_arg(*args, const char *));
	else if (*fmt == 'd')
		buf_printf(b, "%d", va_arg(*args, int));
	else if (strncmp(fmt, "lld", 3) == 0) {
		buf_printf(b, "%lld", va_arg(*args, long long));
		return fmt + 3;
	} else {
		stet_assert(*fmt == '%');
		buf_char(b, '%');
	}
	return fmt + 1;
}

void
stet_html_add(struct stet_html *html, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	while (*fmt != '\0') {
		size_t plain = strcspn(fmt, "%");

		buf_add(&html->text, fmt, plain);
		fmt += plain;
		if (*fmt == '%')
			fmt = add_value(&html->text, fmt + 1, &args);
	}
	va_end(args);
}

/* ---- texts ---- */

#define VALUES_MAX 16

struct values {
	const char *name[VALUES_MAX], *value[VALUES_MAX];
	int count;
};

static const char *
find(const struct stet_word *words, const char *name, size_t len)
{
	for (; words != NULL && words->name != NULL; words++)
		if (strlen(words->name) == len && memcmp(words->name, name, len) == 0)
			return words->text;
	return NULL;
}

const char *
stet_word(const struct stet_word *words, const char *name)
{
	const char *text = find(words, name, strlen(name));

	stet_assert(text != NULL);
	return text;
}

static bool
add_argument(struct buf *b, const struct values *v, const char *name, size_t len)
{
	for (int i = 0; i < v->count; i++)
		if (strlen(v->name[i]) == len && memcmp(v->name[i], name, len) == 0) {
			escape_text(b, v->value[i]);
			return true;
		}
	return false;
}

/* Appends a text and replaces names in braces by their values. */
static void
add_word(struct buf *b, const struct values *v, const char *text)
{
	while (*text != '\0') {
		size_t plain = strcspn(text, "{"), len;
		bool bold;

		escape(b, text, plain);
		text += plain;
		if (*text == '\0')
			return;
		bold = strncmp(++text, "b:", 2) == 0;
		text += bold ? 2 : 0;
		len = strcspn(text, "}");
		buf_str(b, bold ? "<strong>" : "");
		stet_assert(add_argument(b, v, text, len));
		buf_str(b, bold ? "</strong>" : "");
		text += len + 1;
	}
}

void
stet_html_fill(struct stet_html *html, const struct stet_word *words, const char *markup, ...)
{
	struct values v = { .count = 0 };
	const char *name, *text;
	va_list args;

	va_start(args, markup);
	while ((name = va_arg(args, const char *)) != NULL) {
		stet_assert(v.count < VALUES_MAX);
		v.name[v.count] = name;
		v.value[v.count++] = va_arg(args, const char *);
	}
	va_end(args);
	while (*markup != '\0') {
		size_t plain = strcspn(markup, "{"), len;

		buf_add(&html->text, markup, plain);
		markup += plain;
		if (*markup == '\0')
			return;
		len = strcspn(++markup, "}");
		if (!add_argument(&html->text, &v, markup, len)) {
			text = find(words, markup, len);
			stet_assert(text != NULL);
			add_word(&html->text, &v, text);
		}
		markup += len + 1;
	}
}

enum stet_status
stet_html_reply(struct stet_call *call, int http, const struct stet_html *html, const char *policy)
{
	stet_header(call, "Content-Security-Policy",
	    policy != NULL ? policy
			   : "default-src 'none'; style-src 'self'; form-action 'self'; "
			     "frame-ancestors 'none'; base-uri 'none'");
	stet_header(call, "X-Frame-Options", "DENY");
	stet_header(call, "Cache-Control", "no-store");
	stet_reply_type(call, "text/html; charset=utf-8");
	stet_reply_status(call, http);
	return stet_write(call, html->text.data != NULL ? html->text.data : "", html->text.len);
}
