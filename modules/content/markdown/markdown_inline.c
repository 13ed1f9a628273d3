/*
 * markdown_inline.c - the text of a block: marks, links, code, tags, entities. Read in two steps,
 * as CommonMark has it: tokens, then which sign belongs to which. Whatever searches back or ahead
 * does so in bounds, so that the time is linear.
 */
#include "markdown/markdown.h"
#include <string.h>

#define OPEN_MAX 64 /* signs, brackets or tags that wait for their end */
#define FENCE_MAX 32 /* backticks */
#define SIGNS_MAX 100 /* in one run; more are text */

struct token {
	const char *text;
	size_t len;
	const json_t *object;
	size_t link; /* that begins here */
	unsigned char count, was; /* of signs that are left, and that there were */
	signed char begin[MARKS], end[MARKS]; /* marks that begin behind it, and end before it */
	char sign; /* '*', '_', '~', '[', ']', '<' (a tag), 'a' (an address); 0: text */
	bool opens, closes, code;
};

struct reading {
	struct stet_call *call;
	const char *s, *end;
	struct line *line;
	struct token *token;
	size_t count, room;
	struct text plain; /* being collected */
	size_t bracket[OPEN_MAX], brackets;
	size_t tag[MARKS][OPEN_MAX], tags[MARKS];
	size_t sign[OPEN_MAX]; /* for `pair` */
	bool no_fence[FENCE_MAX + 1]; /* no run of so many backticks lies ahead */
	bool no_autolink, damaged;
};

static struct token *
add(struct reading *r)
{
	if (r->count == r->room) {
		struct token *more;

		r->room = r->room > 0 ? r->room * 2 : 8;
		more = stet_alloc(r->call, r->room * sizeof(*more));
		if (r->count > 0)
			memcpy(more, r->token, r->count * sizeof(*more));
		r->token = more;
	}
	r->token[r->count] = (struct token){ .text = "" };
	return &r->token[r->count++];
}

/* The text that was collected becomes a token. */
static void
flush(struct reading *r)
{
	struct token *t;

	if (r->plain.len == 0)
		return;
	t = add(r);
	t->text = r->plain.s;
	t->len = r->plain.len;
	r->plain = (struct text){ .call = r->call };
}

/* ---- characters ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

static bool
is_punct(char c)
{
	return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
	       (c >= '{' && c <= '~');
}

static void
put_utf8(struct text *text, unsigned long c)
{
	char s[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		s[i] = (char)(0x80 | (c & 0x3f));
	s[0] = (char)(n == 1 ? c : (0xf00UL >> n & 0xff) | c);
	text_add(text, s, n);
}

/* The value of a digit, or -1. */
static int
digit(char c, int base)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return base == 16 && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "&#32;" and the like: the bytes of it; 0 when it is none. */
static size_t
number_entity(struct reading *r)
{
	const char *p = r->s + 2, *first;
	int base = p < r->end && (*p | 32) == 'x' ? 16 : 10;
	unsigned long c = 0;

	p += base == 16;
	for (first = p; p < r->end && p - first < 7 && digit(*p, base) >= 0; p++)
		c = c * (unsigned long)base + (unsigned long)digit(*p, base);
	if (p >= r->end || *p != ';' || c == 0 || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	put_utf8(&r->plain, c);
	return (size_t)(p + 1 - r->s);
}

static size_t
entity(struct reading *r)
{
	static const struct {
		const char *name, *text;
	} names[] = { { "&amp;", "&" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" },
		{ "&apos;", "'" }, { "&nbsp;", "\xc2\xa0" } };
	size_t left = (size_t)(r->end - r->s);

	if (left > 2 && r->s[1] == '#')
		return number_entity(r);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i].name);

		if (left >= len && memcmp(r->s, names[i].name, len) == 0) {
			text_str(&r->plain, names[i].text);
			return len;
		}
	}
	return 0;
}

/* ---- tokens ---- */

static size_t
run_of(const struct reading *r, const char *s)
{
	size_t n = 1;

	while (s + n < r->end && s[n] == *s)
		n++;
	return n;
}

/* A code span; 0: these are backticks and no more. */
static size_t
code(struct reading *r)
{
	size_t fence = run_of(r, r->s), n;
	const char *from = r->s + fence, *p = from;
	struct token *t;

	if (fence > FENCE_MAX || r->no_fence[fence])
		return 0;
	for (;; p += n) {
		p = memchr(p, '`', (size_t)(r->end - p));
		if (p == NULL) {
			r->no_fence[fence] = true;
			return 0;
		}
		n = run_of(r, p);
		if (n == fence)
			break;
	}
	flush(r);
	t = add(r);
	t->code = true;
	t->text = from;
	t->len = (size_t)(p - from);
	n = strspn(from, " ");
	if (t->len > 2 && *from == ' ' && p[-1] == ' ' && n < t->len) {
		t->text++;
		t->len -= 2;
	}
	return (size_t)(p + fence - r->s);
}

/* Does a run of signs between these lean on what is behind it (CommonMark, 6.2)? */
static bool
leans(char before, char behind)
{
	return !is_blank(behind) && (!is_punct(behind) || is_blank(before) || is_punct(before));
}

/* A run of * _ or ~, and whether it can open or close. */
static size_t
signs(struct reading *r, const char *start)
{
	size_t n = run_of(r, r->s);
	char before = r->s > start ? r->s[-1] : ' ', after = r->s + n < r->end ? r->s[n] : ' ';
	bool left = leans(before, after), right = leans(after, before), inside = *r->s == '_';
	struct token *t;

	if (n > SIGNS_MAX) {
		text_add(&r->plain, r->s, n);
		return n;
	}
	flush(r);
	t = add(r);
	t->sign = *r->s;
	t->count = t->was = (unsigned char)n;
	t->text = r->s;
	t->opens = left && (!inside || !right || is_punct(before));
	t->closes = right && (!inside || !left || is_punct(after));
	return n;
}

const json_t *
mark_read(struct stet_call *call, const char *s, const char *limit, const char **end)
{
	const char *stop = memmem(s, (size_t)(limit - s), MARK_END, strlen(MARK_END)), *why;
	const json_t *json;

	if (stop == NULL)
		return NULL;
	*end = stop + strlen(MARK_END);
	json = stet_json_parse(call, s, (size_t)(stop - s), &why);
	return json_is_string(json_object_get(json, "_type")) ? json : NULL;
}

static size_t
object(struct reading *r)
{
	const char *end;
	const json_t *json = mark_read(r->call, r->s + strlen(INLINE_MARK), r->end, &end);

	if (json == NULL) {
		r->damaged = true;
		return 0;
	}
	flush(r);
	add(r)->object = json;
	return (size_t)(end - r->s);
}

static size_t
tag_of(struct reading *r, const char *name, size_t len, bool closing)
{
	struct token *t;
	unsigned bit = 0;

	for (; bit < MARKS; bit++) {
		const struct mark *m = &mark_table[bit];

		if ((strlen(m->tag) == len && memcmp(m->tag, name, len) == 0) ||
		    (m->tag2 != NULL && strlen(m->tag2) == len && memcmp(m->tag2, name, len) == 0))
			break;
	}
	if (bit == MARKS || (closing ? r->tags[bit] == 0 : r->tags[bit] == OPEN_MAX))
		return 0;
	flush(r);
	t = add(r);
	t->sign = '<';
	t->text = r->s;
	t->len = len + 2 + closing; /* it stays a text if it has no end */
	if (closing) {
		r->token[r->tag[bit][--r->tags[bit]]].begin[bit]++;
		r->token[r->tag[bit][r->tags[bit]]].len = 0;
		t->end[bit]++;
		t->len = 0;
	} else
		r->tag[bit][r->tags[bit]++] = r->count - 1;
	return len + 2 + closing;
}

/* <https://…> */
static size_t
autolink(struct reading *r)
{
	const char *p = r->s + 1;
	struct token *t;
	bool scheme = false;

	for (; p < r->end && p - r->s < HREF_MAX && !is_blank(*p) && *p != '<' && *p != '>'; p++)
		scheme |= *p == ':';
	if (p >= r->end || *p != '>' || !scheme || is_punct(r->s[1]))
		return 0;
	flush(r);
	t = add(r);
	t->text = r->s + 1;
	t->len = (size_t)(p - t->text);
	t->link = line_link(r->call, r->line, stet_strndup(r->call, t->text, t->len));
	t->sign = 'a';
	return (size_t)(p + 1 - r->s);
}

/* <br>, <br/>, <br /> */
static size_t
line_break(struct reading *r)
{
	static const char *const tags[] = { "<br>", "<br/>", "<br />" };

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t len = strlen(tags[i]);

		if ((size_t)(r->end - r->s) >= len && memcmp(r->s, tags[i], len) == 0) {
			text_str(&r->plain, "\n");
			return len;
		}
	}
	return 0;
}

static size_t
angle(struct reading *r)
{
	size_t left = (size_t)(r->end - r->s), len;
	bool closing = left > 1 && r->s[1] == '/';
	const char *name = r->s + 1 + closing, *p = name;

	if (left > strlen(INLINE_MARK) && memcmp(r->s, INLINE_MARK, strlen(INLINE_MARK)) == 0)
		return object(r);
	len = line_break(r);
	if (len > 0)
		return len;
	while (p < r->end && p - name < 8 && *p >= 'a' && *p <= 'z')
		p++;
	if (p < r->end && *p == '>')
		return tag_of(r, name, (size_t)(p - name), closing);
	return closing ? 0 : autolink(r);
}

/* ---- which sign belongs to which ---- */

static bool
pairs(const struct token *open, const struct token *close)
{
	if (open->sign != close->sign || open->count == 0)
		return false;
	if (open->sign == '~')
		return open->count == 2 && close->count == 2;
	return !(open->closes || close->opens) || (open->was + close->was) % 3 != 0 ||
	       (open->was % 3 == 0 && close->was % 3 == 0);
}

static unsigned
mark_of(const struct token *t, size_t use)
{
	return t->sign == '~' ? 0 : use == 2 ? 1 : 2; /* their places in mark_table */
}

/* What this one closes, of those that wait; how many wait then. */
static size_t
close_sign(struct reading *r, struct token *close, size_t depth)
{
	while (close->closes && close->count > 0) {
		size_t j = depth, use;
		struct token *open;

		while (j > 0 && !pairs(&r->token[r->sign[j - 1]], close))
			j--;
		if (j == 0)
			break;
		open = &r->token[r->sign[j - 1]];
		use = open->count >= 2 && close->count >= 2 ? 2 : 1;
		open->begin[mark_of(open, use)]++;
		close->end[mark_of(open, use)]++;
		open->count = (unsigned char)(open->count - use);
		close->count = (unsigned char)(close->count - use);
		depth = open->count > 0 ? j : j - 1;
	}
	return depth;
}

/* Pair the signs from this token on; those within a link have no partner outside. */
static void
pair(struct reading *r, size_t first)
{
	size_t depth = 0;

	for (size_t i = first; i < r->count; i++) {
		struct token *t = &r->token[i];

		if (t->sign != '*' && t->sign != '_' && t->sign != '~')
			continue;
		depth = close_sign(r, t, depth);
		if (t->opens && t->count > 0 && depth < OPEN_MAX)
			r->sign[depth++] = i;
	}
	for (size_t i = first; i < r->count; i++)
		r->token[i].opens = r->token[i].closes = false;
}

/* The end of an address; its bytes go to *out, if that is not NULL. */
static const char *
address(const char *p, const char *limit, bool angled, char *out)
{
	int depth = 0;

	for (; p < limit && *p != '\n'; p++) {
		if (angled ? *p == '>' : is_blank(*p) || (*p == ')' && depth == 0))
			break;
		depth += angled ? 0 : *p == '(' ? 1 : *p == ')' ? -1 : 0;
		if (*p == '\\' && p + 1 < limit && is_punct(p[1]))
			p++;
		if (out != NULL)
			*out++ = *p;
	}
	return p;
}

const char *
href_read(struct stet_call *call, const char *s, const char *end, const char **href)
{
	bool angled = s + 1 < end && s[1] == '<';
	const char *from = s + 1 + angled, *limit = end - from > HREF_MAX ? from + HREF_MAX : end,
		   *p, *quote;
	char *out;

	if (s >= end || *s != '(')
		return NULL;
	p = address(from, limit, angled, NULL);
	if (angled && (p >= limit || *p++ != '>'))
		return NULL;
	if (p + 1 < limit && *p == ' ' && p[1] == '"') { /* a title, dropped */
		quote = memchr(p + 2, '"', (size_t)(limit - p - 2));
		p = quote != NULL ? quote + 1 : p;
	}
	if (p >= limit || *p != ')')
		return NULL;
	out = stet_alloc(call, (size_t)(p - from) + 1);
	address(from, limit, angled, out);
	*href = out;
	return p + 1;
}

static size_t
bracket(struct reading *r, size_t len)
{
	struct token *t;

	flush(r);
	t = add(r);
	t->text = r->s;
	t->len = len;
	t->sign = '[';
	if (r->brackets < OPEN_MAX)
		r->bracket[r->brackets++] = r->count - 1;
	return len;
}

/* The end of a link, if it is one: its text is paired by itself. */
static size_t
bracket_end(struct reading *r)
{
	const char *href, *behind;
	struct token *t;
	size_t open;

	if (r->brackets == 0)
		return 0;
	open = r->bracket[--r->brackets];
	behind = href_read(r->call, r->s + 1, r->end, &href);
	if (behind == NULL)
		return 0;
	flush(r);
	pair(r, open + 1);
	r->brackets = 0; /* a link holds no link, and is in none */
	t = &r->token[open];
	t->link = line_link(r->call, r->line, href);
	t->len = 0;
	if (open + 1 == r->count) { /* no text: show where it goes */
		t = add(r);
		t->text = href;
		t->len = strlen(href);
	}
	t = add(r);
	t->sign = ']';
	return (size_t)(behind - r->s);
}

static size_t
special(struct reading *r, const char *start)
{
	switch (*r->s) {
	case '\\':
		if (r->s + 1 < r->end && is_punct(r->s[1])) {
			text_add(&r->plain, r->s + 1, 1);
			return 2;
		}
		return 0;
	case '`':
		return code(r);
	case '*':
	case '_':
	case '~':
		return signs(r, start);
	case '!':
		return r->s + 1 < r->end && r->s[1] == '[' ? bracket(r, 2) : 0;
	case '[':
		return bracket(r, 1);
	case ']':
		return bracket_end(r);
	case '<':
		return angle(r);
	case '&':
		return entity(r);
	default:
		return 0;
	}
}

/* ---- runs ---- */

static void
turn(int depth[MARKS], const signed char by[MARKS], int sign)
{
	for (int i = 0; i < MARKS; i++)
		depth[i] += sign * by[i];
}

static void
make_runs(struct reading *r)
{
	int depth[MARKS] = { 0 };
	size_t link = 0;

	for (size_t i = 0; i < r->count; i++) {
		const struct token *t = &r->token[i];
		struct run run = { .text = t->text, .len = t->len, .object = t->object };

		if (t->count > 0) /* signs that found no partner */
			run.len = t->count;
		turn(depth, t->end, -1);
		for (unsigned bit = 0; bit < MARKS; bit++)
			run.marks |= depth[bit] > 0 ? 1U << bit : 0;
		run.marks |= t->code ? M_CODE : 0;
		run.link = t->sign == 'a' ? t->link : link;
		if (t->object != NULL)
			run.marks = 0, run.link = 0;
		line_add(r->call, r->line, &run);
		turn(depth, t->begin, 1);
		if (t->sign == '[' && t->link > 0)
			link = t->link;
		else if (t->sign == ']')
			link = 0;
	}
}

bool
line_read(struct stet_call *call, const char *text, size_t len, struct line *line)
{
	struct reading r = {
		.call = call, .s = text, .end = text + len, .line = line, .plain = { .call = call }
	};

	while (r.s < r.end && !r.damaged) {
		size_t n =
		    strchr("\\`*_~![]<&", *r.s) != NULL && *r.s != '\0' ? special(&r, text) : 0;

		if (n == 0) { /* a backtick that opens nothing takes its whole run along */
			n = *r.s == '`' ? run_of(&r, r.s) : 1;
			text_add(&r.plain, r.s, n);
		}
		r.s += n;
	}
	flush(&r);
	pair(&r, 0);
	make_runs(&r);
	return !r.damaged;
}
