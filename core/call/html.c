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
escape(struct buf *b, const char *text)
{
	for (;;) {
		size_t plain = strcspn(text, "&<>\"'");

		buf_add(b, text, plain);
		text += plain;
		switch (*text++) {
		case '\0':
			return;
		case '&':
			buf_str(b, "&amp;");
			break;
		case '<':
			buf_str(b, "&lt;");
			break;
		case '>':
			buf_str(b, "&gt;");
			break;
		case '"':
			buf_str(b, "&quot;");
			break;
		default:
			buf_str(b, "&#39;");
			break;
		}
	}
}

/* Appends the value of the conversion at fmt, behind its "%". Returns where the format goes on. */
static const char *
add_value(struct buf *b, const char *fmt, va_list *args)
{
	const char *text;

	if (*fmt == 's') {
		text = va_arg(*args, const char *);
		escape(b, text != NULL ? text : "");
	} else if (*fmt == 'd')
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
