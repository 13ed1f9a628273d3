/*
 * multipart.c - parses multipart/form-data strictly: lines end with CRLF, parts are not nested, and
 * every part has a name.
 *
 * A delimiter (CRLF "--" boundary) may be split between two pieces of input. The parser keeps no
 * copy for that: `matched` says how many bytes of the delimiter the input ends with, and if the
 * next bytes do not continue it, those bytes of the delimiter are given out as content. A delimiter
 * has only one CR, its first byte, so a failed match never hides another.
 */
#include "http/multipart.h"
#include "http/http1.h"

#include "base/arena.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum state {
	PREAMBLE, /* before the first delimiter; its bytes are ignored */
	CONTENT, /* content of a part */
	DELIMITED, /* after a delimiter: CRLF or "--" must follow */
	DELIMITED_CR,
	DELIMITED_HYPHEN,
	HEAD, /* the head of a part */
	CLOSED, /* after the close delimiter: CRLF or the end */
	CLOSED_CR,
	EPILOGUE,
	FAILED
};

struct multipart {
	enum state state;
	const struct multipart_events *events;
	void *ctx;
	const char *why;
	int parts;
	size_t matched; /* length of the delimiter's prefix with which the input so far ends */
	size_t delimiter_len;
	char delimiter[4 + 70 + 1]; /* CRLF "--" boundary; its only CR is its first byte */
	size_t head_len;
	char head[MULTIPART_HEAD_MAX + 1];
};

/* What the head of a part says. Strings are slices of the head. */
struct about {
	char *name, *filename, *type;
	char *filename_utf8; /* from filename*; wins over filename */
	bool disposition;
};

/* ---- values such as "type; name=token; name=\"text\"", cut into strings in place ---- */

/* Cuts a quoted string; p is past the opening quote. Only \" and \\ are escapes, since browsers
 * send backslashes in file names unescaped. Returns the byte past the closing quote, or NULL if
 * there is none. */
static char *
cut_quoted(char *p)
{
	char *to = p;

	for (; *p != '"'; *to++ = *p++) {
		if (*p == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		if (*p == '\0')
			return NULL;
	}
	*to = '\0';
	return p + 1;
}

/* Returns the end of a token, which the caller must overwrite with NUL, or NULL if there is no
 * token. With `lower`, makes it lower case. */
static char *
token_end(char *p, bool lower)
{
	char *start = p;

	for (; http1_token[(unsigned char)*p] != 0; p++)
		if (lower)
			*p = (char)http1_token[(unsigned char)*p];
	return p == start ? NULL : p;
}

/* Cuts at the next semicolon or the end; only blanks may come before it. Returns what follows, or
 * NULL if there is something else. */
static char *
cut_end(char *p)
{
	char *blank = p;

	p += strspn(p, " \t");
	if (*p != '\0' && *p != ';')
		return NULL;
	if (*p == ';')
		*p++ = '\0';
	*blank = '\0';
	return p;
}

/* Cuts the next parameter into name and value and moves *at past it. Returns false at the end,
 * or, with *at set to NULL, if the text is malformed. */
static bool
next_parameter(char **at, char **name, char **value)
{
	char *p = *at;

	p += strspn(p, " \t;");
	*at = p;
	if (*p == '\0')
		return false;
	*name = p;
	*at = NULL;
	p = token_end(p, true);
	if (p == NULL || *p != '=')
		return false;
	*p++ = '\0';
	*value = *p == '"' ? p + 1 : p;
	p = *p == '"' ? cut_quoted(p + 1) : token_end(p, false);
	if (p != NULL)
		*at = cut_end(p);
	return *at != NULL;
}

/* Returns where the parameters start if the text begins with this word, otherwise NULL. */
static char *
after_word(char *text, const char *word)
{
	char *p = token_end(text, false);

	while (p != NULL && *p == '/')
		p = token_end(p + 1, false);
	if (p != NULL)
		p = cut_end(p);
	return p != NULL && strcasecmp(text, word) == 0 ? p : NULL;
}

/* The syntax of RFC 2046, 5.1.1, without the space, which no client uses. */
static bool
good_boundary(const char *boundary)
{
	size_t len = strlen(boundary);

	return len >= 1 && len <= 70 &&
	       strspn(boundary,
		   "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'()+_,-./:=?") ==
		   len;
}

bool
multipart_boundary(const char *content_type, char boundary[71])
{
	char text[512], *at, *name, *value;
	bool found = false;

	if (strlen(content_type) >= sizeof(text))
		return false;
	memcpy(text, content_type, strlen(content_type) + 1);
	at = after_word(text, "multipart/form-data");
	while (at != NULL && next_parameter(&at, &name, &value)) {
		if (strcmp(name, "boundary") != 0)
			continue;
		if (found || !good_boundary(value))
			return false;
		found = true;
		memcpy(boundary, value, strlen(value) + 1);
	}
	return found && at != NULL;
}

struct multipart *
multipart_new(const char *boundary, const struct multipart_events *events, void *ctx)
{
	struct multipart *m = xcalloc(1, sizeof(*m));
	size_t len = strnlen(boundary, 70);

	memcpy(m->delimiter, "\r\n--", 4);
	memcpy(m->delimiter + 4, boundary, len);
	m->delimiter_len = 4 + len;
	/* The body may begin with the first delimiter, which then has no CRLF before it: start as
	 * if the CRLF had been read. */
	m->matched = 2;
	m->events = events;
	m->ctx = ctx;
	return m;
}

void
multipart_free(struct multipart *m)
{
	free(m);
}

const char *
multipart_why(const struct multipart *m)
{
	return m->why;
}

static bool
fail(struct multipart *m, const char *why)
{
	m->state = FAILED;
	m->why = why;
	return false;
}

/* ---- heads of parts ---- */

/* Decodes an extended value, UTF-8'language'percent-encoded (RFC 8187, 3.2), in place. Returns
 * NULL if it is malformed, has another charset or encodes a control byte. */
static char *
extended_value(char *text)
{
	char *from, *to;
	int high, low;

	if (strncasecmp(text, "UTF-8'", 6) != 0)
		return NULL;
	from = strchr(text + 6, '\'');
	if (from == NULL)
		return NULL;
	to = text = from + 1;
	for (from++; *from != '\0'; from++, to++) {
		*to = *from;
		if (*from != '%')
			continue;
		high = utf8_hex(from[1]);
		low = high < 0 ? -1 : utf8_hex(from[2]);
		if (low < 0 || high < 2 || (high == 7 && low == 15))
			return NULL;
		*to = (char)(high << 4 | low);
		from += 2;
	}
	*to = '\0';
	return text;
}

static const char *
see_disposition(struct about *about, char *value)
{
	char *at = after_word(value, "form-data"), *name, **slot;

	if (about->disposition)
		return "a part has two Content-Dispositions";
	about->disposition = true;
	while (at != NULL && next_parameter(&at, &name, &value)) {
		if (strcmp(name, "name") == 0)
			slot = &about->name;
		else if (strcmp(name, "filename") == 0)
			slot = &about->filename;
		else if (strcmp(name, "filename*") == 0)
			slot = &about->filename_utf8;
		else
			continue;
		if (*slot != NULL)
			return "a Content-Disposition parameter is there twice";
		*slot = slot == &about->filename_utf8 ? extended_value(value) : value;
		if (*slot == NULL)
			return "a bad filename*";
	}
	return at == NULL ? "a bad Content-Disposition" : NULL;
}

static const char *
see_type(struct about *about, char *value)
{
	if (about->type != NULL)
		return "a part has two Content-Types";
	if (strncasecmp(value, "multipart/", 10) == 0)
		return "a part is multipart itself";
	about->type = value;
	return NULL;
}

/* Reads one header of a part, without its CRLF. Returns NULL, or what is wrong. */
static const char *
see_line(struct about *about, char *line)
{
	char *p = token_end(line, true), *end = line + strlen(line);

	if (p == NULL || *p != ':')
		return "a bad header name in a part";
	*p++ = '\0';
	p += strspn(p, " ");
	while (end > p && end[-1] == ' ')
		*--end = '\0';
	if (strcmp(line, "content-disposition") == 0)
		return see_disposition(about, p);
	if (strcmp(line, "content-type") == 0)
		return see_type(about, p);
	if (strcmp(line, "content-transfer-encoding") == 0 && strcasecmp(p, "binary") != 0 &&
	    strcasecmp(p, "8bit") != 0 && strcasecmp(p, "7bit") != 0)
		return "a part has a transfer encoding";
	return NULL;
}

static bool
begin_part(struct multipart *m)
{
	struct about about = { 0 };
	char *line, *end;
	const char *why;

	m->head[m->head_len - 2] = '\0'; /* drop the empty line */
	for (line = m->head; *line != '\0'; line = end + 2) {
		end = strchr(line, '\r');
		*end = '\0';
		why = see_line(&about, line);
		if (why != NULL)
			return fail(m, why);
	}
	if (about.name == NULL || *about.name == '\0')
		return fail(m, "a part has no name");
	if (about.filename_utf8 != NULL)
		about.filename = about.filename_utf8;
	m->state = CONTENT;
	return m->events->part(m->ctx, about.name, about.filename, about.type) || fail(m, NULL);
}

/* ---- input: each function consumes some bytes and returns where it stopped ---- */

static const char *
feed_head(struct multipart *m, const char *p, const char *end)
{
	while (p < end) {
		char c = *p++, before = m->head_len > 0 ? m->head[m->head_len - 1] : '\0';

		if ((before == '\r') != (c == '\n'))
			fail(m, "a bare CR or LF in a part's head");
		else if (c == 0x7f || ((unsigned char)c < 0x20 && c != '\r' && c != '\n'))
			fail(m, "a control byte in a part's head");
		else if (m->head_len == MULTIPART_HEAD_MAX)
			fail(m, "a part's head is too long");
		if (m->state == FAILED)
			return p;
		m->head[m->head_len++] = c;
		if (c == '\n' && (m->head_len == 2 || m->head[m->head_len - 3] == '\n')) {
			begin_part(m);
			return p;
		}
	}
	return p;
}

/* Gives content of a part to the caller. Bytes before the first part are dropped. */
static bool
give(struct multipart *m, const char *data, size_t len)
{
	if (m->state != CONTENT || len == 0)
		return true;
	return m->events->data(m->ctx, data, len) || fail(m, NULL);
}

/* Counts `n` more bytes of the delimiter; if it is complete, ends the part. */
static void
match(struct multipart *m, size_t n)
{
	m->matched += n;
	if (m->matched < m->delimiter_len)
		return;
	m->matched = 0;
	if (m->state == CONTENT && !m->events->end(m->ctx))
		fail(m, NULL);
	else
		m->state = DELIMITED;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static const char *
feed_content(struct multipart *m, const char *p, const char *end)
{
	const char *run = p, *cr; /* run: start of the content that has not been given out yet */
	size_t n;

	if (m->matched > 0) {
		n = least((size_t)(end - p), m->delimiter_len - m->matched);
		if (memcmp(p, m->delimiter + m->matched, n) == 0) {
			match(m, n);
			return p + n;
		}
		/* These bytes were content. The part of the delimiter that matched at p has no
		 * CR, so the search can start at p again. */
		n = m->matched;
		m->matched = 0;
		if (!give(m, m->delimiter, n))
			return p;
	}
	for (; (cr = memchr(p, '\r', (size_t)(end - p))) != NULL; p = cr + 1) {
		n = least((size_t)(end - cr), m->delimiter_len);
		if (memcmp(cr, m->delimiter, n) == 0) {
			if (give(m, run, (size_t)(cr - run)))
				match(m, n);
			return cr + n;
		}
	}
	give(m, run, (size_t)(end - run));
	return end;
}

/* Takes one byte after a delimiter: CRLF begins a part, "--" ends the body. */
static void
feed_delimited(struct multipart *m, char c)
{
	if (m->state == DELIMITED && c == '\r')
		m->state = DELIMITED_CR;
	else if (m->state == DELIMITED && c == '-')
		m->state = DELIMITED_HYPHEN;
	else if (m->state == DELIMITED_HYPHEN && c == '-')
		m->state = CLOSED;
	else if (m->state == CLOSED && c == '\r')
		m->state = CLOSED_CR;
	else if (m->state == CLOSED_CR && c == '\n')
		m->state = EPILOGUE;
	else if (m->state != DELIMITED_CR || c != '\n')
		fail(m, "a bad delimiter");
	else if (m->parts++ == MULTIPART_PARTS_MAX)
		fail(m, "too many parts");
	else {
		m->state = HEAD;
		m->head_len = 0;
	}
}

bool
multipart_feed(struct multipart *m, const char *in, size_t len)
{
	const char *p = in, *end = in + len;

	while (p < end && m->state != FAILED && m->state != EPILOGUE) {
		if (m->state == CONTENT || m->state == PREAMBLE)
			p = feed_content(m, p, end);
		else if (m->state == HEAD)
			p = feed_head(m, p, end);
		else
			feed_delimited(m, *p++);
	}
	return m->state != FAILED;
}

bool
multipart_finish(struct multipart *m)
{
	if (m->state == CLOSED || m->state == EPILOGUE)
		return true;
	return m->state != FAILED ? fail(m, "the body ends before its close delimiter") : false;
}
