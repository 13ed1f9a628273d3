/* out.c - XML and HTML as bytes: into the reply a piece at a time, or into memory. */
#include "feeds.h"
#include <string.h>

#define PIECE 16384

void
out_reply(struct out *o, struct stet_call *call)
{
	*o = (struct out){ .call = call, .room = PIECE, .at = stet_alloc(call, PIECE) };
}

void
out_memory(struct out *o, struct stet_call *call)
{
	*o = (struct out){ .call = call, .memory = true };
}

static void
send(struct out *o)
{
	if (o->status == STET_OK && o->len > 0)
		o->status = stet_write(o->call, o->at, o->len);
	o->len = 0;
}

/* Makes room for `len` more bytes in memory. */
static void
grow(struct out *o, size_t len)
{
	size_t room = o->room == 0 ? 1024 : o->room;
	char *more;

	while (room < o->len + len)
		room *= 2;
	more = stet_alloc(o->call, room);
	if (o->len > 0)
		memcpy(more, o->at, o->len);
	o->at = more;
	o->room = room;
}

static void
add(struct out *o, const char *bytes, size_t len)
{
	while (!o->memory && o->len + len > o->room) {
		size_t part = o->room - o->len;

		memcpy(o->at + o->len, bytes, part);
		o->len += part;
		send(o);
		bytes += part;
		len -= part;
	}
	if (o->len + len > o->room)
		grow(o, len);
	memcpy(o->at + o->len, bytes, len);
	o->len += len;
}

void
out_raw(struct out *o, const char *markup)
{
	add(o, markup, strlen(markup));
}

/* Returns the replacement of a byte; NULL: the byte itself; "": none. */
static const char *
stand_in(unsigned char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\t':
	case '\n':
	case '\r':
		return NULL;
	default:
		return c < 0x20 || c == 0x7f ? "" : NULL;
	}
}

/* U+FFFE and U+FFFF, which XML does not allow; and what is no UTF-8 of three bytes is not here. */
static bool
is_no_character(const unsigned char *s)
{
	return s[0] == 0xef && s[1] == 0xbf && (s[2] == 0xbe || s[2] == 0xbf);
}

void
out_text(struct out *o, const char *text)
{
	const unsigned char *s = (const unsigned char *)text, *from = s;

	for (; *s != '\0'; s++) {
		const char *other = stand_in(*s);
		size_t skip = is_no_character(s) ? 3 : other != NULL ? 1 : 0;

		if (skip == 0)
			continue;
		add(o, (const char *)from, (size_t)(s - from));
		if (other != NULL)
			out_raw(o, other);
		s += skip - 1;
		from = s + 1;
	}
	add(o, (const char *)from, (size_t)(s - from));
}

void
out_element(struct out *o, const char *name, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	out_raw(o, "<");
	out_raw(o, name);
	out_raw(o, ">");
	out_text(o, text);
	out_raw(o, "</");
	out_raw(o, name);
	out_raw(o, ">\n");
}

enum stet_status
out_end(struct out *o)
{
	send(o);
	return o->status;
}

const char *
out_all(struct out *o)
{
	add(o, "", 1);
	return o->at;
}
