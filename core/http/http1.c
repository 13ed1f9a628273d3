/* http1.c - HTTP/1.1 heads and chunked bodies, strictly: a request that two readers could take for
 * two different things is refused. Every refusal ends the connection. */
#include "http/http1.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <endian.h>
#include <string.h>
#include <strings.h>

const char *const http1_method_name[] = {
	"GET",
	"HEAD",
	"POST",
	"PUT",
	"PATCH",
	"DELETE",
	"OPTIONS",
	"OTHER",
};

/* clang-format off */
const unsigned char http1_token[256] = {
	[0x20] =
	0, '!', 0, '#', '$', '%', '&', '\'', 0, 0, '*', '+', 0, '-', '.', 0,
	'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 0, 0, 0, 0, 0, 0,
	0, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o',
	'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 0, 0, 0, '^', '_',
	'`', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o',
	'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 0, '|', 0, '~', 0,
};
/* clang-format on */

/* The state of parsing one head, with headers that may come only once. */
struct reading {
	struct http1_head *head;
	char *at, *end; /* end: past the final CRLF CRLF: it stops the loops over a line */
	char *target;
	char *host;
	bool transfer, close;
};

/* Returns the first control byte (below 0x20, or DEL), or end. Eight bytes at a time: x - n
 * borrows into the top bit of a byte below n. Only the lowest such bit is surely a byte's own
 * borrow. */
static const char *
plain_end(const char *p, const char *end)
{
	const uint64_t ones = ~0ULL / 255;

	for (; end - p >= 8; p += 8) {
		uint64_t x, del, hit;

		memcpy(&x, p, 8);
		x = le64toh(x);
		del = x ^ ones * 0x7f;
		hit = ((x - ones * 0x20) & ~x) | ((del - ones) & ~del);
		hit &= ones * 0x80;
		if (hit != 0)
			return p + (__builtin_ctzll(hit) >> 3);
	}
	while (p < end && (unsigned char)*p >= 0x20 && *p != 0x7f)
		p++;
	return p;
}

long
http1_head_end(const char *text, size_t len, size_t *scanned, int *status)
{
	const char *limit = text + (len < HTTP1_HEAD_MAX ? len : HTTP1_HEAD_MAX);
	const char *p = text + *scanned;

	for (;;) {
		p = plain_end(p, limit);
		if (p == limit || (*p == '\r' && p + 1 == limit))
			break;
		if (*p == '\t') {
			p++;
			continue;
		}
		/* 400: control bytes, NUL and DEL among them; CR without LF, LF without CR. */
		if (p[0] != '\r' || p[1] != '\n') {
			*status = 400;
			return -1;
		}
		p += 2;
		if (p - text >= 4 && p[-3] == '\n')
			return p - text;
	}
	*scanned = (size_t)(p - text);
	if (len >= HTTP1_HEAD_MAX) {
		*status = 431;
		return -1;
	}
	return 0;
}

static bool
refuse(struct http1_head *head, int status, const char *why)
{
	head->status = status;
	head->why = why;
	return false;
}

static char *
trim(char *text, char *end)
{
	while (*text == ' ' || *text == '\t')
		text++;
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	return text;
}

static bool
read_method(struct reading *r)
{
	char *start = r->at;
	size_t len;
	int i;

	while (http1_token[(unsigned char)*r->at] != 0)
		r->at++;
	len = (size_t)(r->at - start);
	/* 400: a method that is not a token, or not followed by one space. */
	if (len == 0 || *r->at != ' ')
		return refuse(r->head, 400, "the method is not a token");
	*r->at++ = '\0';
	for (i = 0; i < HTTP_OTHER && strcmp(start, http1_method_name[i]) != 0; i++)
		;
	r->head->method = (enum http_method)i;
	return true;
}

static bool
read_target(struct reading *r)
{
	char *p = r->at;

	r->target = p;
	for (; (unsigned char)(*p - 0x21) < 0x5e && *p != '#'; p++)
		if (*p == '?' && r->head->query == NULL) {
			*p = '\0';
			r->head->query = p + 1;
		}
	/* 400: control or non-ASCII bytes in the target, a fragment, no version after it. */
	if (p == r->target || *p != ' ')
		return refuse(r->head, 400, "a bad request target");
	*p++ = '\0';
	r->at = p;
	return true;
}

static bool
read_version(struct reading *r)
{
	const char *v = r->at;

	/* 400: anything that is not "HTTP/" DIGIT "." DIGIT and the end of the line. */
	if (r->end - v < 12 || memcmp(v, "HTTP/", 5) != 0 || (unsigned char)(v[5] - '0') > 9 ||
	    v[6] != '.' || (unsigned char)(v[7] - '0') > 9 || v[8] != '\r' || v[9] != '\n')
		return refuse(r->head, 400, "a bad request line");
	/* 505: any version but 1.0 and 1.1. */
	if (v[5] != '1' || v[7] > '1')
		return refuse(r->head, 505, "only HTTP/1.1 and HTTP/1.0 are spoken here");
	r->head->minor = v[7] - '0';
	r->at += 10;
	return true;
}

static bool
see_host(struct reading *r, char *value)
{
	/* 400: more than one Host. */
	if (r->host != NULL)
		return refuse(r->head, 400, "more than one Host");
	r->host = value;
	return true;
}

static bool
see_length(struct reading *r, const char *value)
{
	struct http1_head *head = r->head;
	const char *p = value;
	uint64_t n = 0;

	/* 400: Content-Length twice, even with one value; one that is not 1*DIGIT; one of more than
	 * 18 digits. */
	if (head->has_length)
		return refuse(head, 400, "more than one Content-Length");
	for (; *p >= '0' && *p <= '9' && p - value < 18; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	if (p == value || *p != '\0')
		return refuse(head, 400, "a bad Content-Length");
	head->has_length = true;
	head->length = n;
	return true;
}

/* Returns the next element of a comma-separated list, trimmed, or NULL at the end of the list. */
static const char *
next_element(const char *list, size_t *len)
{
	list += strspn(list, " \t,");
	*len = strcspn(list, ",");
	while (*len > 0 && (list[*len - 1] == ' ' || list[*len - 1] == '\t'))
		--*len;
	return *len > 0 ? list : NULL;
}

static bool
element_is(const char *element, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(element, word, len) == 0;
}

static bool
see_transfer(struct reading *r, const char *value)
{
	const char *element = value;
	size_t len = 0, i;
	bool chunked = false;

	/* 400: Transfer-Encoding twice. */
	if (r->transfer)
		return refuse(r->head, 400, "more than one Transfer-Encoding");
	r->transfer = true;
	r->head->chunked = strcasecmp(value, "chunked") == 0;
	if (r->head->chunked)
		return true;
	/* 400: no coding at all; chunked twice or not last; bytes that are in no coding's name. */
	while ((element = next_element(element + len, &len)) != NULL) {
		for (i = 0; i < len && http1_token[(unsigned char)element[i]] != 0; i++)
			;
		if (chunked || i < len)
			return refuse(r->head, 400, "a bad Transfer-Encoding");
		chunked = element_is(element, len, "chunked");
	}
	if (value[0] == '\0')
		return refuse(r->head, 400, "a bad Transfer-Encoding");
	/* 501: other transfer codings. */
	return refuse(r->head, 501, "no transfer coding but chunked is understood");
}

/* "close" always wins. HTTP/1.0 connections stay open only with "keep-alive" (RFC 9112, 9.3). */
static void
see_connection(struct http1_head *head, const char *value, bool *close)
{
	const char *element = value;
	size_t len = 0;

	while ((element = next_element(element + len, &len)) != NULL) {
		if (element_is(element, len, "close"))
			*close = true;
		else if (element_is(element, len, "keep-alive"))
			head->keep_alive = true;
	}
}

static bool
see_expect(struct http1_head *head, const char *value)
{
	/* Expectations of HTTP/1.0 are ignored (RFC 9110, 10.1.1). */
	if (head->minor == 0)
		return true;
	/* 417: any expectation but 100-continue. */
	if (strcasecmp(value, "100-continue") != 0)
		return refuse(head, 417, "no expectation but 100-continue is met");
	head->expect_continue = true;
	return true;
}

/* Handles the headers that frame the message or name its destination. */
static bool
see_header(struct reading *r, const struct http1_header *header, size_t name_len)
{
	switch (name_len) {
	case 4:
		if (memcmp(header->name, "host", 4) == 0)
			return see_host(r, header->value);
		break;
	case 6:
		if (memcmp(header->name, "expect", 6) == 0)
			return see_expect(r->head, header->value);
		break;
	case 10:
		if (memcmp(header->name, "connection", 10) == 0)
			see_connection(r->head, header->value, &r->close);
		break;
	case 14:
		if (memcmp(header->name, "content-length", 14) == 0)
			return see_length(r, header->value);
		break;
	case 17:
		if (memcmp(header->name, "transfer-encoding", 17) == 0)
			return see_transfer(r, header->value);
		break;
	}
	return true;
}

static bool
read_header(struct reading *r)
{
	struct http1_head *head = r->head;
	struct http1_header *header;
	char *p = r->at, *value;
	unsigned char c;
	size_t name_len;

	/* 431: more than 100 headers. */
	if (head->header_count == HTTP1_HEADERS_MAX)
		return refuse(head, 431, "more than 100 headers");
	while ((c = http1_token[(unsigned char)*p]) != 0)
		*p++ = (char)c;
	name_len = (size_t)(p - r->at);
	/* 400: a name that is empty, no token or followed by a blank; a folded line. */
	if (name_len == 0 || *p != ':')
		return refuse(head, 400, "a bad header name");
	header = &head->header[head->header_count++];
	header->name = r->at;
	*p++ = '\0';
	value = p;
	while (p += plain_end(p, r->end) - p, *p == '\t')
		p++;
	/* 400: control bytes but HTAB in a value; a line that does not end with CRLF. */
	if (p[0] != '\r' || p[1] != '\n')
		return refuse(head, 400, "a control byte in a header");
	header->value = trim(value, p);
	r->at = p + 2;
	return see_header(r, header, name_len);
}

/* Returns where "[address]" ends and makes it lower case; NULL: it is no IPv6 address. */
static char *
bracketed_end(char *p)
{
	struct in6_addr address;
	char *close = strchr(p, ']');

	if (close == NULL)
		return NULL;
	*close = '\0';
	if (inet_pton(AF_INET6, p + 1, &address) != 1)
		return NULL;
	for (p++; p < close; p++)
		*p = (char)(*p >= 'A' && *p <= 'F' ? *p | 0x20 : *p);
	*close = ']';
	return close + 1;
}

static bool
name_byte(unsigned char c)
{
	return (http1_token[c] != 0 && isalnum(c)) || c == '-' || c == '.' || c == '_';
}

/* Returns where a host name or IPv4 address ends and makes it lower case; NULL: it is none. */
static char *
name_end(char *p)
{
	const char *start = p;

	while (name_byte((unsigned char)*p)) {
		*p = (char)http1_token[(unsigned char)*p];
		p++;
	}
	return p == start || p - start > 255 ? NULL : p;
}

/* Splits Host into name and port. */
static bool
split_host(struct http1_head *head, char *host)
{
	char *p = *host == '[' ? bracketed_end(host) : name_end(host);
	int port = 0;

	head->host = host;
	if (p == NULL || (*p != '\0' && *p != ':'))
		return false;
	if (*p == '\0')
		return true;
	*p++ = '\0';
	for (; *p >= '0' && *p <= '9' && port <= 65535; p++)
		port = port * 10 + (*p - '0');
	head->port = port;
	return *p == '\0' && port <= 65535;
}

/* Takes the path from the target, which has four forms (RFC 9112, 3.2). */
static bool
read_form(struct reading *r)
{
	struct http1_head *head = r->head;
	char *target = r->target, *authority;
	size_t len;

	head->path = target;
	if (*target == '/')
		return true;
	if (*target == '*') {
		/* 400: "*" for anything but OPTIONS. */
		if (head->method != HTTP_OPTIONS || target[1] != '\0' || head->query != NULL)
			return refuse(head, 400, "\"*\" is a target of OPTIONS only");
		return true;
	}
	if (strncasecmp(target, "http://", 7) == 0)
		authority = target + 7;
	else if (strncasecmp(target, "https://", 8) == 0)
		authority = target + 8;
	else /* 400: the authority form, other schemes, relative paths. */
		return refuse(head, 400, "the target is not a path");
	len = strcspn(authority, "/");
	/* 400: an absolute target whose authority is not the Host. */
	if (r->host == NULL || strlen(r->host) != len || strncasecmp(authority, r->host, len) != 0)
		return refuse(head, 400, "the target and Host differ");
	if (authority[len] == '/')
		head->path = authority + len;
	else
		memcpy(target, "/", 2);
	return true;
}

/* The checks that need the whole head. */
static bool
conclude(struct reading *r)
{
	struct http1_head *head = r->head;

	/* 400: Content-Length and Transfer-Encoding together; Transfer-Encoding on 1.0. */
	if (r->transfer && head->has_length)
		return refuse(head, 400, "Content-Length and Transfer-Encoding together");
	if (r->transfer && head->minor == 0)
		return refuse(head, 400, "Transfer-Encoding in HTTP/1.0");
	/* 400: no Host on 1.1. */
	if (r->host == NULL && head->minor > 0)
		return refuse(head, 400, "no Host");
	if (!read_form(r))
		return false;
	/* 400: a Host that is not a name, an IPv4 address or [IPv6 address], with a port or not. */
	if (r->host != NULL && !split_host(head, r->host))
		return refuse(head, 400, "a bad Host");
	head->keep_alive = (head->keep_alive || head->minor > 0) && !r->close;
	head->expect_continue = head->expect_continue && (head->chunked || head->length > 0);
	return true;
}

bool
http1_parse(char *text, size_t len, struct http1_head *head)
{
	struct reading r = { .head = head, .at = text, .end = text + len };

	memset(head, 0, offsetof(struct http1_head, header));
	head->host = "";
	head->header_count = 0;
	head->status = 0;
	head->why = NULL;
	if (len < 4 || memcmp(r.end - 4, "\r\n\r\n", 4) != 0)
		return refuse(head, 400, "the head has no end");
	if (r.at[0] == '\r' && r.at[1] == '\n')
		r.at += 2;
	if (!read_method(&r) || !read_target(&r) || !read_version(&r))
		return false;
	while (r.at[0] != '\r' || r.at[1] != '\n')
		if (!read_header(&r))
			return false;
	if (r.at + 2 != r.end)
		return refuse(head, 400, "bytes after the head");
	return conclude(&r);
}

const char *
http1_header(const struct http1_head *head, const char *name)
{
	const struct http1_header *h = head->header, *end = h + head->header_count;

	for (; h < end; h++)
		if (h->name[0] == name[0] && strcmp(h->name, name) == 0)
			return h->value;
	return NULL;
}

/* ---- chunked bodies: a state machine over classes of bytes; a missing step is an error ---- */

/* clang-format off */
enum kind {
	CONTROL, TAB, CR, LF, SPACE, QUOTE, BACKSLASH, SEMICOLON, EQUALS, COLON, VISIBLE, HEX, TOKEN,
	KINDS
};
/* START: of the first size line; AGAIN: of a later one; *_CR: LF must follow. */
enum {
	START, AGAIN, SIZE,
	EXTENSION, EXTENSION_NAME, EXTENSION_EQUALS, EXTENSION_TOKEN, EXTENSION_QUOTED,
	EXTENSION_ESCAPE, EXTENSION_CLOSED,
	SIZE_CR, DATA, DATA_END, DATA_CR,
	TRAILER, TRAILER_NAME, TRAILER_VALUE, TRAILER_CR, END_CR,
	DONE, REFUSED,
	STATES
};
/* clang-format on */

#define ON_TOKEN(to) [HEX] = (to), [TOKEN] = (to)
#define ON_TEXT(to)                                                                      \
	ON_TOKEN(to), [TAB] = (to), [SPACE] = (to), [SEMICOLON] = (to), [EQUALS] = (to), \
		      [COLON] = (to), [VISIBLE] = (to)

static const unsigned char next_state[STATES][KINDS] = {
	[START] = { [HEX] = SIZE },
	[AGAIN] = { [HEX] = SIZE },
	[SIZE] = { [HEX] = SIZE, [SEMICOLON] = EXTENSION, [CR] = SIZE_CR },
	[EXTENSION] = { ON_TOKEN(EXTENSION_NAME) },
	[EXTENSION_NAME] = { ON_TOKEN(EXTENSION_NAME), [EQUALS] = EXTENSION_EQUALS,
	    [SEMICOLON] = EXTENSION, [CR] = SIZE_CR },
	[EXTENSION_EQUALS] = { ON_TOKEN(EXTENSION_TOKEN), [QUOTE] = EXTENSION_QUOTED },
	[EXTENSION_TOKEN] = { ON_TOKEN(EXTENSION_TOKEN), [SEMICOLON] = EXTENSION, [CR] = SIZE_CR },
	[EXTENSION_QUOTED] = { ON_TEXT(EXTENSION_QUOTED), [QUOTE] = EXTENSION_CLOSED,
	    [BACKSLASH] = EXTENSION_ESCAPE },
	[EXTENSION_ESCAPE] = { ON_TEXT(EXTENSION_QUOTED), [QUOTE] = EXTENSION_QUOTED,
	    [BACKSLASH] = EXTENSION_QUOTED },
	[EXTENSION_CLOSED] = { [SEMICOLON] = EXTENSION, [CR] = SIZE_CR },
	[SIZE_CR] = { [LF] = DATA },
	[DATA_END] = { [CR] = DATA_CR },
	[DATA_CR] = { [LF] = AGAIN },
	[TRAILER] = { ON_TOKEN(TRAILER_NAME), [CR] = END_CR },
	[TRAILER_NAME] = { ON_TOKEN(TRAILER_NAME), [COLON] = TRAILER_VALUE },
	[TRAILER_VALUE] = { ON_TEXT(TRAILER_VALUE), [QUOTE] = TRAILER_VALUE,
	    [BACKSLASH] = TRAILER_VALUE, [CR] = TRAILER_CR },
	[TRAILER_CR] = { [LF] = TRAILER },
	[END_CR] = { [LF] = DONE },
};

static enum kind
kind_of(unsigned char c)
{
	static const char marks[] = "\t\r\n \"\\;=:"; /* TAB to COLON */
	const char *mark = c != 0 ? strchr(marks, c) : NULL;

	if (http1_token[c] != 0)
		return isxdigit(c) ? HEX : TOKEN;
	if (mark != NULL)
		return (enum kind)(TAB + (mark - marks));
	return c > ' ' && c != 0x7f ? VISIBLE : CONTROL;
}

/* Takes one byte of framing. Returns false if it is refused: missing steps in next_state are
 * START, to which no step leads. A size has at most 16 hex digits: no overflow. */
static bool
chunk_step(struct http1_chunks *c, unsigned char byte)
{
	int next = next_state[c->state][kind_of(byte)];
	unsigned digit;

	if (next == START)
		return false;
	c->line++;
	if (next == SIZE) {
		digit = http1_token[byte];
		c->left = c->left << 4 | (digit <= '9' ? digit - '0' : digit - 'a' + 10);
		if (c->line > 16)
			return false;
	}
	if ((next >= EXTENSION && next < SIZE_CR) || (next >= TRAILER && next < END_CR))
		c->overhead++;
	if (next == DATA && c->left == 0)
		next = TRAILER;
	if (next == AGAIN)
		c->line = 0;
	c->state = next;
	c->done = next == DONE;
	return c->overhead <= HTTP1_OVERHEAD_MAX &&
	       (next >= SIZE_CR || c->line <= 16 + HTTP1_EXTENSION_MAX);
}

long
http1_chunk(struct http1_chunks *c, const char *in, size_t len, const char **data, size_t *size)
{
	const char *p = in, *end = in + len;

	*data = in;
	*size = 0;
	while (p < end && !c->done) {
		if (c->state == DATA) {
			*data = p;
			*size = c->left < (uint64_t)(end - p) ? (size_t)c->left : (size_t)(end - p);
			c->left -= *size;
			if (c->left == 0)
				c->state = DATA_END;
			return p - in + (long)*size;
		}
		if (!chunk_step(c, (unsigned char)*p++)) {
			c->state = REFUSED;
			return -1;
		}
	}
	return p - in;
}
