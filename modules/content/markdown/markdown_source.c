/*
 * markdown_source.c - the text as md4c gets it. Footnotes, which md4c does not know, and comments
 * of ours, which it would take for blocks of HTML, are marked by control characters. These are
 * removed again from all that it gives back. Lines stay lines.
 *
 * So are two things that versions of md4c before 0.5 read as CommonMark was before 0.31: hyphens in
 * comments, and blank lines in the block of a <textarea>.
 */
#include "markdown/markdown.h"
#include <string.h>
#include <strings.h>

#define LABEL_MAX 64 /* bytes */

struct source {
	struct stet_call *call;
	const char *at;
	struct text out;
	char fence; /* the sign of the code that is open, or NUL */
	size_t fence_len;
	const char *above; /* the line before, or NULL */
	bool in_note; /* lines that are indented continue a footnote */
	bool any; /* every label counts as defined */
	json_t *labels; /* that are defined */
	const char *from, *comment; /* the text of a comment, and its end; or NULL */
	const char *area; /* the end of a <textarea>, or NULL */
	bool no_comment, no_area; /* none has an end from here on */
};

static bool
is_label(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '-' || c == '_' || (unsigned char)c >= 0x80;
}

size_t
note_label(const char *s)
{
	size_t n = 2;

	if (s[0] != '[' || s[1] != '^')
		return 0;
	while (is_label(s[n]) && n < LABEL_MAX + 2)
		n++;
	return n > 2 && s[n] == ']' ? n - 2 : 0;
}

/* Returns the length of the label that a line defines, or 0. *s: its bracket. */
static size_t
definition(const char **s)
{
	size_t blanks = strspn(*s, " "), len;

	*s += blanks;
	len = blanks < 4 ? note_label(*s) : 0;
	return len > 0 && (*s)[len + 3] == ':' ? len : 0;
}

/* Opens or closes code between fences. */
static void
turn_fence(struct source *s, const char *line)
{
	size_t blanks = strspn(line, " "), len;
	char sign;

	line += blanks;
	sign = *line;
	if (blanks > 3 || (sign != '`' && sign != '~'))
		return;
	for (len = 0; line[len] == sign;)
		len++;
	if (s->fence == '\0' && len >= 3) {
		const char *info = line + len, *end = strchrnul(info, '\n');

		if (sign == '~' || memchr(info, '`', (size_t)(end - info)) == NULL) {
			s->fence = sign;
			s->fence_len = len;
		}
	} else if (sign == s->fence && len >= s->fence_len &&
		   strchr("\r\n", line[len + strspn(line + len, " \t")]) != NULL)
		s->fence = '\0';
}

static void
find_labels(struct source *s, const char *text)
{
	for (const char *line = text; *line != '\0'; line += *line == '\n') {
		const char *p = line;
		size_t len;

		turn_fence(s, line);
		len = s->fence == '\0' ? definition(&p) : 0;
		if (len > 0)
			json_object_set_new(
			    s->labels, stet_strndup(s->call, p + 2, len), json_true());
		line = strchrnul(line, '\n');
	}
	s->fence = '\0';
}

static void
put_label(struct source *s, const char *label, size_t len)
{
	text_str(&s->out, NOTE_BEGIN);
	text_add(&s->out, label, len);
	text_str(&s->out, NOTE_END);
}

static bool
is_defined(const struct source *s, const char *label, size_t len)
{
	return s->any || json_object_get(s->labels, stet_strndup(s->call, label, len)) != NULL;
}

/* Does a comment begin here? Notes where its text is. One with an empty line is a block, which all
 * versions read alike. */
static void
find_comment(struct source *s, const char *p)
{
	if (p < s->comment || s->no_comment || strncmp(p, "<!--", 4) != 0 || p[4] == '>' ||
	    strncmp(p + 4, "->", 2) == 0)
		return;
	s->from = p + 4;
	s->comment = strstr(s->from, "-->");
	s->no_comment = s->comment == NULL;
	if (!s->no_comment && memmem(p, (size_t)(s->comment - p), "\n\n", 2) != NULL)
		s->from = s->comment;
}

/* Is this the first of two hyphens in a comment? */
static bool
is_in_comment(const struct source *s, const char *p)
{
	return p >= s->from && p < s->comment && p[0] == '-' && p[1] == '-';
}

/* Does the line begin a block of <textarea>? Notes its end. */
static void
find_area(struct source *s, const char *line)
{
	static const char tag[] = "<textarea";
	const size_t blanks = strspn(line, " "), len = strcspn(line, "\r\n");

	if (s->no_area || line < s->area || s->fence != '\0' || blanks > 3 ||
	    strncasecmp(line + blanks, tag, strlen(tag)) != 0 || line[len - 1] != '>' ||
	    strchr(" \t>", line[blanks + strlen(tag)]) == NULL ||
	    (s->above != NULL && strchr("\r\n", s->above[strspn(s->above, " \t")]) == NULL))
		return;
	s->area = strcasestr(line, "</textarea>");
	s->no_area = s->area == NULL;
}

/* Copies a line to its end, with marks at references. */
static void
put_rest(struct source *s, const char *p)
{
	const char *end = strchrnul(p, '\n'), *from = p;
	size_t len;

	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end) {
			p++;
			continue;
		}
		find_comment(s, p);
		if (*p >= 1 && *p <= 4) {
			text_add(&s->out, from, (size_t)(p - from));
			from = p + 1;
		} else if (*p == '[' && (len = note_label(p)) > 0 && is_defined(s, p + 2, len)) {
			text_add(&s->out, from, (size_t)(p - from));
			put_label(s, p + 2, len);
			p += len + 2;
			from = p + 1;
		} else if (is_in_comment(s, p)) {
			text_add(&s->out, from, (size_t)(p + 1 - from));
			text_str(&s->out, GUARD);
			from = p + 1;
		}
	}
	text_add(&s->out, from, (size_t)(end - from));
	s->at = end;
}

/* Does what only a text has begin here? */
static bool
is_ours(const char *s)
{
	static const char *const marks[] = { BLOCK_MARK, INLINE_MARK, EMPTY_MARK, "<br>", "<br/>",
		"<br />" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strncmp(s, marks[i], strlen(marks[i])) == 0)
			return true;
	return false;
}

/* The number of cells between bars. */
static size_t
cells_of(const char *line)
{
	size_t bars = 0, since = 0; /* letters since the last bar */

	line += strspn(line, " \t");
	line += *line == '|';
	for (; strchr("\r\n", *line) == NULL; line++) {
		bars += *line == '|';
		since = *line == '|' ? 0 : since + (*line != ' ' && *line != '\t');
		line += *line == '\\' && line[1] == '|';
	}
	return bars + (since > 0);
}

/* Is the line one of bars and hyphens, below the names of a table's columns? */
static bool
is_rule(const char *s)
{
	size_t len = strspn(s, "|:- \t");

	return strchr("\r\n", s[len]) != NULL && strncmp(s, "- ", 2) != 0 &&
	       strncmp(s, "    ", 4) != 0 && memchr(s, '|', len) != NULL &&
	       memchr(s, '-', len) != NULL;
}

/* One hyphen is enough for GitHub, and three are for md4c. */
static void
put_rule(struct source *s)
{
	const char *end = strchrnul(s->at, '\n');

	while (s->at < end) {
		size_t hyphens = strspn(s->at, "-");

		text_add(&s->out, s->at, hyphens > 0 ? hyphens : 1);
		if (hyphens > 0 && hyphens < 3)
			text_add(&s->out, "--", 3 - hyphens);
		s->at += hyphens > 0 ? hyphens : 1;
	}
}

static void
put_line_of(struct source *s)
{
	const char *p = s->at;
	bool was_fence = s->fence != '\0';
	size_t len, lead;

	turn_fence(s, p);
	if (was_fence || s->fence != '\0') {
		s->in_note = false;
		put_rest(s, p);
		return;
	}
	if (is_rule(p) && s->above != NULL) {
		if (cells_of(s->above) == cells_of(p)) {
			put_rule(s);
			return;
		}
		text_str(&s->out, GUARD); /* md4c would drop cells of the line above */
	}
	len = definition(&p);
	if (len > 0) {
		put_label(s, p + 2, len);
		s->in_note = true;
		put_rest(s, p + len + 3);
		return;
	}
	p = s->at;
	if (s->in_note && strchr("\r\n", *p) == NULL) {
		if (strncmp(p, "    ", 4) == 0 || *p == '\t') {
			p += strspn(p, " \t");
			text_str(&s->out, NOTE_MORE);
		} else
			s->in_note = false;
	}
	lead = strspn(p, " \t>*+-.)0123456789");
	text_add(&s->out, p, lead);
	if (is_ours(p + lead))
		text_str(&s->out, GUARD);
	put_rest(s, p + lead);
}

const char *
source_mark(struct stet_call *call, const char *text, bool any)
{
	struct source s = { .call = call, .at = text, .out = { .call = call }, .any = any };

	s.labels = stet_json_own(call, json_object());
	find_labels(&s, text);
	text_str(&s.out, "");
	while (*s.at != '\0') {
		const char *line = s.at;

		find_area(&s, line);
		if (line < s.area && strchr("\r\n", line[strspn(line, " \t")]) != NULL)
			text_str(&s.out, GUARD);
		put_line_of(&s);
		s.above = line;
		if (*s.at == '\n')
			text_add(&s.out, s.at++, 1);
	}
	return s.out.s;
}

const char *
source_clean(struct stet_call *call, const char *s, size_t *len)
{
	struct text out = { .call = call };

	if (memchr(s, 1, *len) == NULL && memchr(s, 2, *len) == NULL &&
	    memchr(s, 3, *len) == NULL && memchr(s, 4, *len) == NULL)
		return s;
	text_str(&out, "");
	for (size_t i = 0; i < *len; i++) {
		if (i + 1 < *len && s[i] == '^' && s[i + 1] == 2) {
			text_str(&out, "[^");
			i++;
		} else if (i + 1 < *len && s[i] == 3 && s[i + 1] == '^') {
			text_str(&out, "]");
			i++;
		} else if (s[i] > 4 || s[i] < 1)
			text_add(&out, &s[i], 1);
	}
	*len = out.len;
	return out.s;
}
