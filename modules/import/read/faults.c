/*
 * faults.c - follows the markup of a document on its way to the parser, and finds faults of form
 * that can be repaired without doubt: a bare &, a < that begins no tag, tags in an element that
 * holds only text, and a ]]> that does not end its section. The parser would end at them.
 *
 * libxml2 buffers a tag until it is complete, and compares each attribute with all others. So tags
 * that are too long are refused here, before the parser sees them.
 */
#include "read/clean.h"
#include <string.h>

#define REFERENCE_MAX 64 /* bytes of &name; */

static bool
refuse(struct clean *c, const char *why)
{
	c->why = why;
	return false;
}

/* ---- the state ---- */

#define LEAF(name)                     \
	{                              \
		name, sizeof(name) - 1 \
	}
/* The elements of an export that hold only text. */
static const struct {
	const char *name;
	size_t len;
} leaves[] = { LEAF("title"), LEAF("link"), LEAF("description"), LEAF("category"),
	LEAF("dc:creator"), LEAF("guid"), LEAF("content:encoded"), LEAF("excerpt:encoded"),
	LEAF("wp:cat_name"), LEAF("wp:category_description"), LEAF("wp:tag_name"),
	LEAF("wp:tag_description"), LEAF("wp:term_name"), LEAF("wp:term_description"),
	LEAF("wp:author_display_name"), LEAF("wp:author_first_name"), LEAF("wp:author_last_name"),
	LEAF("wp:meta_key"), LEAF("wp:meta_value"), LEAF("wp:comment_author"),
	LEAF("wp:comment_author_url"), LEAF("wp:comment_content"), LEAF("wp:post_name"),
	LEAF("wp:post_password"), LEAF("wp:attachment_url") };

static void
set_leaf(struct clean *c)
{
	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
		if (leaves[i].len != c->name_len ||
		    memcmp(leaves[i].name, c->name, c->name_len) != 0)
			continue;
		c->leaf = leaves[i].name;
		c->leaf_len = leaves[i].len;
	}
}

static bool
is_blank(char b)
{
	return b == ' ' || b == '\t' || b == '\n';
}

static void
open_markup(struct clean *c, char b)
{
	c->length = 0;
	c->attributes = 0;
	c->run = 0;
	c->named = c->empty = false;
	c->closing = b == '/';
	c->state = b == '!' ? CLEAN_BANG : b == '?' ? CLEAN_PI : b == '>' ? CLEAN_TEXT : CLEAN_TAG;
	c->name[0] = b;
	c->name_len = c->closing ? 0 : 1;
}

static bool
bang(struct clean *c, char b)
{
	if (b != '-' && b != '[')
		return refuse(c, "it has a document type declaration, which an export has not");
	c->state = b == '-' ? CLEAN_DASH : CLEAN_MARK;
	c->run = 0;
	return true;
}

static void
end_tag(struct clean *c)
{
	c->state = CLEAN_TEXT;
	c->leaf = NULL;
	if (!c->closing && !c->empty)
		set_leaf(c);
}

static void
tag(struct clean *c, char b)
{
	if (b == '>') {
		end_tag(c);
	} else if (b == '"' || b == '\'') {
		c->state = CLEAN_VALUE;
		c->quote = b;
		c->attributes++;
		c->empty = false;
	}
}

/* Ends a section that ends in `count` bytes of one kind and a >. */
static void
section(struct clean *c, char b, char mark, unsigned count)
{
	if (b == '>' && c->run >= count)
		c->state = CLEAN_TEXT;
	c->run = b == mark ? c->run + 1 : 0;
}

static bool
step(struct clean *c, char b)
{
	switch (c->state) {
	case CLEAN_TEXT:
		c->state = b == '<' ? CLEAN_OPEN : CLEAN_TEXT;
		break;
	case CLEAN_OPEN:
		open_markup(c, b);
		break;
	case CLEAN_BANG:
		return bang(c, b);
	case CLEAN_DASH:
		c->state = CLEAN_COMMENT;
		break;
	case CLEAN_TAG:
		tag(c, b);
		break;
	case CLEAN_VALUE:
		c->state = b == c->quote ? CLEAN_TAG : CLEAN_VALUE;
		break;
	case CLEAN_COMMENT:
		section(c, b, '-', 2);
		break;
	case CLEAN_MARK:
		if (++c->run < strlen("CDATA["))
			break;
		c->run = 0;
		c->state = CLEAN_CDATA;
		break;
	case CLEAN_CDATA:
		section(c, b, ']', 2);
		break;
	case CLEAN_PI:
		section(c, b, '?', 1);
		break;
	}
	return true;
}

/* Counts bytes of markup that were passed, and checks the limits. */
static bool
within_limits(struct clean *c, size_t passed)
{
	if (c->state == CLEAN_TEXT || c->state == CLEAN_CDATA)
		return true;
	c->length += passed;
	if (c->state == CLEAN_COMMENT || c->state == CLEAN_PI)
		return c->length <= CLEAN_ASIDE_MAX || refuse(c, "it has a comment without an end");
	if (c->length > CLEAN_TAG_MAX)
		return refuse(c, "it has a tag of more than 65,536 bytes");
	return c->attributes <= CLEAN_ATTRIBUTES_MAX ||
	       refuse(c, "it has a tag with more than 128 attributes");
}

/* ---- what follows ---- */

enum verdict {
	SOUND,
	FAULT,
	AHEAD, /* the bytes that follow decide */
};

/* Does the text begin with this word? */
static enum verdict
begins(const char *at, const char *end, const char *word)
{
	size_t len = strlen(word), left = (size_t)(end - at);

	if (memcmp(at, word, left < len ? left : len) != 0)
		return FAULT;
	return left < len ? AHEAD : SOUND;
}

/* Is this the end tag of the element around, behind its "</"? */
static enum verdict
ends_leaf(const struct clean *c, const char *at, const char *end)
{
	size_t len = c->leaf_len, left = (size_t)(end - at - 2);

	at += 2;
	if (memcmp(at, c->leaf, left < len ? left : len) != 0)
		return FAULT;
	if (left <= len)
		return AHEAD;
	return at[len] == '>' || is_blank(at[len]) ? SOUND : FAULT;
}

/* Is this markup what an element that holds only text may have? */
static enum verdict
fits_leaf(const struct clean *c, const char *at, const char *end)
{
	enum verdict v;

	if (end - at < 2)
		return AHEAD;
	if (at[1] == '/')
		return ends_leaf(c, at, end);
	if (at[1] != '!')
		return FAULT;
	v = begins(at, end, "<![CDATA[");
	return v != FAULT ? v : begins(at, end, "<!--");
}

static bool
begins_name(char b)
{
	return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || b == ':' ||
	       (unsigned char)b >= 0x80;
}

static enum verdict
judge_open(const struct clean *c, const char *at, const char *end)
{
	if (c->leaf != NULL)
		return fits_leaf(c, at, end);
	if (end - at < 2)
		return AHEAD;
	return begins_name(at[1]) || at[1] == '/' || at[1] == '!' || at[1] == '?' ? SOUND : FAULT;
}

/* How many bytes of a name, or of the digits of a number, are at the beginning. */
static size_t
reference_length(const char *at, const char *end, bool number, bool hex)
{
	static const char *const allowed[] = { "0123456789.-", "0123456789",
		"0123456789abcdefABCDEF" };
	const char *marks = allowed[hex ? 2 : number ? 1 : 0], *p = at;

	if (p < end && !number && !begins_name(*p))
		return 0;
	while (p < end && *p != '\0' && (strchr(marks, *p) != NULL || (!number && begins_name(*p))))
		p++;
	return (size_t)(p - at);
}

/* A reference: &name; &#10; or &#xa; */
static enum verdict
judge_reference(const char *at, const char *end)
{
	const char *most = end - at > REFERENCE_MAX ? at + REFERENCE_MAX : end, *p = at + 1;
	bool number = p < most && *p == '#', hex;
	size_t len;

	p += number;
	hex = number && p < most && *p == 'x';
	p += hex;
	len = reference_length(p, most, number, hex);
	if (p + len < most)
		return len > 0 && p[len] == ';' ? SOUND : FAULT;
	return most == end ? AHEAD : FAULT;
}

/*
 * A > behind ]] ends its section if the element ends there, too, or if another section follows. If
 * other markup or another ]]> come first, it is a part of the text: some exporters do not split
 * these three characters.
 */
static enum verdict
judge_end(const struct clean *c, const char *at, const char *end)
{
	const char *p = at + 1, *next = memchr(p, '<', (size_t)(end - p));
	size_t len = (size_t)((next != NULL ? next : end) - p);

	if (memmem(p, len, "]]>", 3) != NULL)
		return FAULT;
	return next == NULL ? AHEAD : fits_leaf(c, next, end);
}

static enum verdict
judge(const struct clean *c, const char *at, const char *end, struct clean_fault *fault)
{
	bool value = c->state == CLEAN_VALUE;

	if (*at == '&') {
		*fault = (struct clean_fault){ "A bare & is kept as text", "&amp;", 1 };
		return judge_reference(at, end);
	}
	if (*at == '<') {
		*fault =
		    (struct clean_fault){ "A < that begins no element is kept as text", "&lt;", 1 };
		return value ? FAULT : judge_open(c, at, end);
	}
	if (*at == ']') {
		enum verdict v = begins(at, end, "]]>");

		*fault = (struct clean_fault){ "A ]]> without a beginning is kept as text",
			"]]&gt;", 3 };
		return v == SOUND ? FAULT : v == FAULT ? SOUND : AHEAD;
	}
	*fault = (struct clean_fault){ "A ]]> that ends nothing is kept as text", "", 0 };
	return judge_end(c, at, end);
}

/* May a fault begin with this byte? */
static bool
is_doubtful(const struct clean *c, char b)
{
	switch (c->state) {
	case CLEAN_TEXT: /* one of the marks of `ahead` */
		return true;
	case CLEAN_VALUE:
		return b != c->quote; /* one of the marks of pass_value */
	case CLEAN_CDATA:
		return b == '>' && c->run >= 2 && c->leaf != NULL;
	default:
		return false;
	}
}

/* ---- a text ---- */

#define SHORT_TEXT 64 /* bytes, up to which one look at each is the fastest */

/* The next <, & or ] of a text. */
static const char *
next_mark(const char *at, const char *end)
{
	const char *found = memchr(at, '<', (size_t)(end - at));

	end = found != NULL ? found : end;
	if (end - at <= SHORT_TEXT) {
		while (at < end && *at != '&' && *at != ']')
			at++;
		return at;
	}
	if ((found = memchr(at, '&', (size_t)(end - at))) != NULL)
		end = found;
	found = memchr(at, ']', (size_t)(end - at));
	return found != NULL ? found : end;
}

/* Passes the bytes of a tag up to its end or the next value. */
static const char *
pass_tag(struct clean *c, const char *at, const char *end)
{
	const char *p = at;
	size_t room = sizeof(c->name) - c->name_len, len;

	if (!c->named) {
		while (p < end && !is_blank(*p) && *p != '/' && *p != '>')
			p++;
		len = (size_t)(p - at) < room ? (size_t)(p - at) : room;
		memcpy(c->name + c->name_len, at, len);
		c->name_len += len;
		c->named = p < end;
	}
	while (p < end && *p != '>' && *p != '"' && *p != '\'')
		p++;
	if (p > at)
		c->empty = p[-1] == '/';
	c->length += (size_t)(p - at);
	return p;
}

static const char *
pass_value(struct clean *c, const char *at, const char *end)
{
	const char *p = at;

	while (p < end && *p != c->quote && *p != '&' && *p != '<')
		p++;
	c->length += (size_t)(p - at);
	return p;
}

/* The next byte that means something in this state: most of a file is text between. */
static const char *
ahead(struct clean *c, const char *at, const char *end)
{
	const char *found;

	switch (c->state) {
	case CLEAN_TEXT:
		return next_mark(at, end);
	case CLEAN_TAG:
		return pass_tag(c, at, end);
	case CLEAN_VALUE:
		return pass_value(c, at, end);
	case CLEAN_CDATA:
		found = c->run > 0 ? at : memchr(at, ']', (size_t)(end - at));
		return found == NULL ? end : found;
	default:
		return at;
	}
}

/* Judges a byte. AHEAD remains only if more bytes are to come, and not too many are held back. */
static enum verdict
verdict_of(
    const struct clean *c, const char *at, const char *end, bool last, struct clean_fault *fault)
{
	enum verdict v = is_doubtful(c, *at) ? judge(c, at, end, fault) : SOUND;

	if (v == AHEAD && (last || end - at >= CLEAN_AHEAD_MAX))
		return *at == '&' ? FAULT : SOUND;
	return v;
}

size_t
clean_follow(struct clean *c, const char *text, size_t len, bool last, struct clean_fault *fault)
{
	const char *at = text, *end = text + len;
	enum verdict v = SOUND;

	while ((at = ahead(c, at, end)) < end) {
		v = verdict_of(c, at, end, last, fault);
		if (v != SOUND)
			break;
		if (!step(c, *at++) || !within_limits(c, 1))
			break;
	}
	if (at == end && c->why == NULL)
		(void)within_limits(c, 0);
	if (v != FAULT)
		*fault = (struct clean_fault){ 0 };
	else if (c->faults++ == CLEAN_FAULTS_MAX)
		(void)refuse(c, "it has more than 100,000 faults of form");
	else
		c->run = 0; /* of a ]]>: the rest of the section goes on behind the ]] */
	return (size_t)(at - text);
}
