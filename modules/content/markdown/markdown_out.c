/* markdown_out.c - blocks as Markdown. */
#include "markdown/markdown.h"
#include <string.h>
#include <strings.h>

/* ---- JSON in a comment ---- */

static void
put_mark(struct text *text, const char *mark, const json_t *json)
{
	struct stet_json *out = stet_json_new(text->call);
	const char *s, *from;
	size_t len;

	stet_put_json(out, NULL, json);
	s = stet_json_text(out, &len);
	text_str(text, mark);
	/* In CommonMark of before 0.31 a comment holds no "--". */
	for (from = s; (s = strstr(s, "--")) != NULL; from = s += 2) {
		text_add(text, from, (size_t)(s - from) + 1);
		text_str(text, "\\u002d");
	}
	text_str(text, from);
	text_str(text, MARK_END);
}

char *
block_print_json(struct stet_call *call, const json_t *json)
{
	struct text text = { .call = call };

	put_mark(&text, BLOCK_MARK, json);
	return text.s;
}

/* ---- the text of a run ---- */

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (unsigned char)c >= 0x80;
}

/* https://example.org is a link by itself, and so are www.example.org and an address of mail. */
static bool
begins_link(const struct run *run, size_t i, char before, char after)
{
	if (run->text[i] == ':')
		return is_alnum(before) && after == '/' && i + 2 < run->len &&
		       run->text[i + 2] == '/';
	if (run->text[i] == '@')
		return is_alnum(after) && (is_alnum(before) || strchr("._-+", before) != NULL);
	return i >= 3 && is_alnum(after) && strncasecmp(run->text + i - 3, "www", 3) == 0;
}

static bool
needs_escape(const struct run *run, size_t i)
{
	char c = run->text[i], before = i > 0 ? run->text[i - 1] : '\0',
	     after = i + 1 < run->len ? run->text[i + 1] : '\0';

	/* One "~" is enough to begin what is struck. */
	if (strchr("\\`*[]~", c) != NULL)
		return true;
	switch (c) {
	case '_':
		return !is_alnum(before) || !is_alnum(after);
	case ':':
	case '@':
	case '.':
		return begins_link(run, i, before, after);
	case '<':
		return after == '\0' || strchr("/!?", after) != NULL || is_alnum(after);
	case '&':
		return after == '\0' || after == '#' || is_alnum(after);
	case '!':
		return after == '\0';
	default:
		return false;
	}
}

/* What would begin another kind of block: how many bytes stand before the one to escape, or -1. */
static int
begins_block(const struct run *run)
{
	size_t n = 0;

	if (run->len > 0 && strchr("#>-+=|", run->text[0]) != NULL)
		return 0;
	while (n < run->len && run->text[n] >= '0' && run->text[n] <= '9')
		n++;
	return n > 0 && n < run->len && (run->text[n] == '.' || run->text[n] == ')') ? (int)n : -1;
}

struct place {
	bool first, last; /* of the block */
	bool cell; /* of a table */
};

/* Puts a character that Markdown would drop or turn into another. */
static bool
put_special(struct text *text, char c, bool edge)
{
	if (c == '\n')
		text_str(text, "<br>");
	else if (c == '\r' || (c >= 1 && c <= 4) || (edge && (c == ' ' || c == '\t')))
		text_str(text, stet_printf(text->call, "&#%d;", c));
	else
		return false;
	return true;
}

static void
put_text(struct text *text, const struct run *run, struct place at)
{
	int begin = at.first ? begins_block(run) : -1;

	for (size_t i = 0; i < run->len; i++) {
		char c = run->text[i];
		bool edge = (at.first && i == 0) || (at.last && i + 1 == run->len);

		if (put_special(text, c, edge))
			continue;
		if ((int)i == begin || (at.cell && c == '|') || needs_escape(run, i))
			text_str(text, "\\");
		text_add(text, &c, 1);
	}
}

static void
put_code(struct text *text, const struct run *run, bool cell)
{
	size_t most = 0, n = 0;
	bool pad = run->text[0] == '`' || run->text[run->len - 1] == '`' ||
		   (run->text[0] == ' ' && run->text[run->len - 1] == ' ');

	for (size_t i = 0; i < run->len; i++) {
		n = run->text[i] == '`' ? n + 1 : 0;
		most = n > most ? n : most;
	}
	for (n = 0; n <= most; n++)
		text_str(text, "`");
	text_str(text, pad ? " " : "");
	for (size_t i = 0; i < run->len; i++) {
		if (cell && run->text[i] == '|')
			text_str(text, "\\");
		text_add(text, run->text[i] == '\n' ? " " : &run->text[i], 1);
	}
	text_str(text, pad ? " " : "");
	for (n = 0; n <= most; n++)
		text_str(text, "`");
}

static bool
is_entity(const char *s)
{
	size_t n = 1 + (s[1] == '#');

	while (is_alnum(s[n]))
		n++;
	return *s == '&' && n > 1 && s[n] == ';';
}

/* Puts a text with a backslash before each of these signs, and before what would be an entity. */
static void
put_escaped(struct text *text, const char *s, const char *signs)
{
	for (; *s != '\0'; s++) {
		if (strchr(signs, *s) != NULL || is_entity(s))
			text_str(text, "\\");
		text_add(text, *s == '\n' || *s == '\r' ? " " : s, 1);
	}
}

/* Puts an address and a title, in parentheses. */
static void
put_target(struct text *text, const struct target *to, bool cell)
{
	bool plain = *to->href == '\0' || strpbrk(to->href, " ()<>\\\t") == NULL;

	text_str(text, plain ? "(" : "(<");
	put_escaped(text, to->href, plain ? (cell ? "|" : "") : cell ? "<>\\|" : "<>\\");
	text_str(text, plain ? "" : ">");
	if (to->title != NULL) {
		text_str(text, " \"");
		put_escaped(text, to->title, cell ? "\\\"<|" : "\\\"<");
		text_str(text, "\"");
	}
	text_str(text, ")");
}

/* ---- pictures and objects ---- */

/* Puts a picture, in a link if it has one. */
static void
put_picture(struct text *text, const struct block *b, bool cell)
{
	text_str(text, b->link != NULL ? "[![" : "![");
	put_escaped(text, b->alt != NULL ? b->alt : "", cell ? "\\[]*_`<~:@|" : "\\[]*_`<~:@");
	text_str(text, "]");
	put_target(text, &(struct target){ b->src, b->title }, cell);
	if (b->link != NULL) {
		text_str(text, "]");
		put_target(text, &(struct target){ b->link, NULL }, cell);
	}
}

static bool
is_one_line(const char *s)
{
	while ((unsigned char)*s >= ' ')
		s++;
	return *s == '\0';
}

/* Reads a member that may be missing, and otherwise is a line. */
static bool
may_line(const json_t *object, const char *name, const char **out)
{
	*out = member_text(object, name);
	return json_object_get(object, name) == NULL ||
	       (*out != NULL && **out != '\0' && is_one_line(*out));
}

/* Reads an inline picture that Markdown can say. */
static bool
read_picture(const json_t *object, struct block *b)
{
	static const char *const members[] = { "_key", "_type", "asset", "alt", "title", "link",
		NULL },
				 *const asset_members[] = { "_type", "_ref", "url", NULL };
	const json_t *asset = json_object_get(object, "asset");
	const char *ref = member_text(asset, "_ref");

	b->src = member_text(asset, "url");
	return b->src != NULL && is_one_line(b->src) && members_only(object, members) &&
	       members_only(asset, asset_members) && (ref == NULL || strcmp(ref, b->src) == 0) &&
	       may_line(object, "alt", &b->alt) && may_line(object, "link", &b->link) &&
	       may_line(object, "title", &b->title);
}

/* Puts an object of a text; `labels`: as in struct block. */
static void
put_object(struct text *text, const json_t *object, const json_t *labels, bool cell)
{
	static const char *const html_members[] = { "_key", "_type", "html", NULL },
				 *const note_members[] = { "_key", "_type", "label", NULL };
	const char *type = member_text(object, "_type"), *html = member_text(object, "html"),
		   *label = member_text(object, "label");
	struct block picture = { 0 };

	if (strcmp(type, "image") == 0 && read_picture(object, &picture))
		put_picture(text, &picture, cell);
	else if (strcmp(type, "html") == 0 && html != NULL && *html == '<' &&
		 members_only(object, html_members))
		text_str(text, html);
	else if (strcmp(type, "footnoteReference") == 0 && label != NULL &&
		 members_only(object, note_members) &&
		 (labels == NULL || json_object_get(labels, label) != NULL))
		text_str(text, stet_printf(text->call, "[^%s]", label));
	else
		put_mark(text, INLINE_MARK, object);
}

void
object_print(struct text *text, const json_t *object)
{
	put_object(text, object, NULL, false);
}

/* ---- runs ---- */

struct printing {
	struct text *text;
	bool tags, cell;
	size_t link; /* that is open */
	unsigned open; /* marks */
	unsigned stack[MARKS], depth; /* in their order */
};

static void
put_sign(struct printing *p, unsigned bit, bool begin)
{
	const struct mark *mark = &mark_table[bit];

	if (!p->tags && mark->sign != NULL) {
		text_str(p->text, mark->sign);
		return;
	}
	text_str(p->text, begin ? "<" : "</");
	text_str(p->text, mark->tag);
	text_str(p->text, ">");
}

static void
close_but(struct printing *p, unsigned stay)
{
	while ((p->open & ~stay) != 0) {
		unsigned bit = p->stack[--p->depth];

		p->open &= ~(1U << bit);
		put_sign(p, bit, false);
	}
}

static void
open_marks(struct printing *p, unsigned marks)
{
	for (unsigned bit = 0; bit < MARKS; bit++) {
		if ((marks & ~p->open & 1U << bit) == 0)
			continue;
		p->stack[p->depth++] = bit;
		p->open |= 1U << bit;
		put_sign(p, bit, true);
	}
}

/* A link is outside of all marks. */
static void
turn_link(struct printing *p, const struct line *line, size_t link)
{
	if (p->link == link)
		return;
	close_but(p, 0);
	if (p->link > 0) {
		text_str(p->text, "]");
		put_target(p->text, &line->link[p->link - 1], p->cell);
	}
	if (link > 0)
		text_str(p->text, "[");
	p->link = link;
}

/* May the address stand in angle brackets? */
static bool
is_absolute(const char *href)
{
	size_t n = 0;

	while (is_alnum(href[n]) && (unsigned char)href[n] < 0x80)
		n++;
	for (const char *p = href; (p = strchr(p, '&')) != NULL; p++)
		if (is_entity(p))
			return false;
	return n >= 2 && n <= 32 && href[n] == ':' && strpbrk(href, " \t\r\n<>\\|`") == NULL;
}

/* Is the run the whole text of a link to the address that it shows? */
static bool
is_autolink(const struct line *line, size_t i)
{
	const struct run *run = &line->run[i];
	const struct target *link = run->link > 0 ? &line->link[run->link - 1] : NULL;

	if (link == NULL || link->title != NULL || run->object != NULL ||
	    strlen(link->href) != run->len || memcmp(link->href, run->text, run->len) != 0)
		return false;
	if ((i > 0 && line->run[i - 1].link == run->link) ||
	    (i + 1 < line->count && line->run[i + 1].link == run->link))
		return false;
	return (run->marks & M_CODE) == 0 && is_absolute(link->href);
}

static void
put_run(struct printing *p, const struct line *line, size_t i, const json_t *labels)
{
	const struct run *run = &line->run[i];
	bool code = (run->marks & M_CODE) != 0 && !p->tags, alone = is_autolink(line, i);
	unsigned marks = code ? run->marks & ~(unsigned)M_CODE : run->marks;

	turn_link(p, line, alone ? 0 : run->link);
	close_but(p, marks);
	open_marks(p, marks);
	if (run->object != NULL)
		put_object(p->text, run->object, labels, p->cell);
	else if (alone) {
		text_str(p->text, "<");
		text_add(p->text, run->text, run->len);
		text_str(p->text, ">");
	} else if (code)
		put_code(p->text, run, p->cell);
	else
		put_text(p->text, run,
		    (struct place){ i == 0 && p->depth == 0 && p->link == 0,
			i + 1 == line->count && p->depth == 0 && p->link == 0, p->cell });
}

static void
put_line(struct text *text, const struct line *line, const struct block *b, bool tags)
{
	struct printing p = { .text = text, .tags = tags, .cell = b->kind == B_TABLE };

	for (size_t i = 0; i < line->count; i++)
		put_run(&p, line, i, b->labels);
	turn_link(&p, line, 0);
	close_but(&p, 0);
}

/* ---- blocks ---- */

char *
block_number(struct stet_call *call, const struct block *b)
{
	return stet_printf(call, "%u. ", b->starts ? b->start : 1);
}

static void
put_item(struct text *text, const struct block *b)
{
	static const char *const boxes[] = {
		[TASK_NONE] = "", [TASK_OPEN] = "[ ] ", [TASK_DONE] = "[x] "
	};

	if (b->bullet || b->number)
		text_str(text, b->bullet ? "- " : block_number(text->call, b));
	text_str(text, boxes[b->task]);
}

static void
put_text_block(struct text *text, const struct block *b, bool tags)
{
	if (b->line.count == 0 && !b->bullet && !b->number && !b->quote && b->heading == 0) {
		text_str(text, EMPTY_MARK);
		return;
	}
	put_item(text, b);
	text_add(text, "######", (size_t)b->heading);
	text_str(text, b->heading > 0 ? " " : b->quote ? "> " : "");
	if (b->line.count > 0)
		put_line(text, &b->line, b, tags);
	else if (b->level > 1 ||
		 b->task != TASK_NONE) /* a "-" alone would underline the item above */
		text_str(text, EMPTY_MARK);
	else /* the blank behind the sign would be trimmed */
		text->s[--text->len] = '\0';
}

static void
put_code_block(struct text *text, const struct block *b)
{
	size_t most = 2, n = 0;

	for (const char *p = b->code; *p != '\0'; p++) {
		n = *p == '`' ? n + 1 : 0;
		most = n > most ? n : most;
	}
	for (n = 0; n <= most; n++)
		text_str(text, "`");
	text_str(text, b->language != NULL ? b->language : "");
	text_str(text, "\n");
	text_str(text, b->code);
	text_str(text, "\n");
	for (n = 0; n <= most; n++)
		text_str(text, "`");
}

static void
put_row(struct text *text, const struct block *b, size_t row, bool tags)
{
	const struct table *t = b->table;

	for (size_t i = 0; i < t->columns; i++) {
		text_str(text, "| ");
		put_line(text, &t->cell[row * t->columns + i], b, tags);
		text_str(text, text->s[text->len - 1] == ' ' ? "" : " ");
	}
	text_str(text, "|");
}

static void
put_table(struct text *text, const struct block *b, bool tags)
{
	static const char *const rules[] = { "| --- ", "| :-- ", "| :-: ", "| --: " };

	put_row(text, b, 0, tags);
	text_str(text, "\n");
	for (size_t i = 0; i < b->table->columns; i++)
		text_str(text, rules[(size_t)b->table->align[i]]);
	text_str(text, "|");
	for (size_t i = 1; i < b->table->rows; i++) {
		text_str(text, "\n");
		put_row(text, b, i, tags);
	}
}

char *
block_print_as(struct stet_call *call, const struct block *b, bool tags)
{
	struct text text = { .call = call };

	switch (b->kind) {
	case B_TEXT:
		put_text_block(&text, b, tags);
		break;
	case B_CODE:
		put_code_block(&text, b);
		break;
	case B_IMAGE:
		put_picture(&text, b, false);
		break;
	case B_TABLE:
		put_table(&text, b, tags);
		break;
	case B_HTML:
		text_str(&text, b->code);
		break;
	case B_NOTE:
		text_str(&text, stet_printf(call, "[^%s]: ", b->label));
		put_line(&text, &b->line, b, tags);
		break;
	case B_RULE:
		text_str(&text, "---");
		break;
	case B_OTHER:
		return block_print_json(call, b->json);
	}
	return text.s;
}
