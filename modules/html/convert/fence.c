/*
 * fence.c - cuts HTML into pieces that gumbo parses in time linear in their length.
 *
 * It tracks the tags of a text to have an upper bound of the parser's open elements: it never
 * counts an element as closed that the parser keeps open. Before a tag that would exceed a limit it
 * ends the piece. There the text loses structure, but no characters.
 */
#include "html.h"
#include "pool.h"
#include "runs.h"
#include "trees.h"
#include <stet/call.h>
#include <string.h>
#include <strings.h>

#define OPEN_MAX 200 /* most elements that are open at once */
#define MARKS_MAX 10 /* open formatting elements: the parser may reopen each in each block */
/* most attributes of a tag; of a formatting element MARK_ATTRIBUTES_MAX */
#define ATTRIBUTES_MAX 64
#define MARK_ATTRIBUTES_MAX 8
#define PIECE_WHOLE 65536 /* from this many bytes on a piece ends where nothing is open */
#define PIECE_MAX 262144 /* from this many bytes on it ends at the next tag */
#define NAME_MAX_LENGTH 32
#define DOCUMENT_MOST 512 /* bytes that gumbo allocates first, with the document */
#define BROKEN_MAX 8

/* Traits of an element that decide where to cut. */
#define MARK (1 << 0) /* formatting: the parser opens it again behind blocks that closed it */
#define BLOCK (1 << 1) /* its end tag closes it across other elements, up to a boundary */
#define BOUNDARY (1 << 2) /* end tags inside this element close no element outside of it */
#define COUNTLESS (1 << 3) /* not counted: the next one closes it, or it has no content */
/* the tag is dropped: no meaning in a post, or it changes the parser's mode */
#define DROPPED (1 << 4)
#define DROPPED_WHOLE (1 << 5) /* the content is dropped, too */
#define RAW (1 << 6) /* no tags inside */
#define OTHER 0
#define KINDS (MARK | BLOCK | BOUNDARY | COUNTLESS)

static const unsigned char traits[GUMBO_TAG_LAST + 1] = {
	[GUMBO_TAG_A] = MARK,
	[GUMBO_TAG_ADDRESS] = BLOCK,
	[GUMBO_TAG_APPLET] = BOUNDARY,
	[GUMBO_TAG_AREA] = COUNTLESS,
	[GUMBO_TAG_ARTICLE] = BLOCK,
	[GUMBO_TAG_ASIDE] = BLOCK,
	[GUMBO_TAG_B] = MARK,
	[GUMBO_TAG_BASE] = DROPPED,
	[GUMBO_TAG_BIG] = MARK,
	[GUMBO_TAG_BLOCKQUOTE] = BLOCK,
	[GUMBO_TAG_BODY] = DROPPED,
	[GUMBO_TAG_BR] = COUNTLESS,
	[GUMBO_TAG_BUTTON] = BLOCK,
	[GUMBO_TAG_CAPTION] = BOUNDARY,
	[GUMBO_TAG_CENTER] = BLOCK,
	[GUMBO_TAG_CODE] = MARK,
	[GUMBO_TAG_COL] = COUNTLESS,
	[GUMBO_TAG_COLGROUP] = COUNTLESS,
	[GUMBO_TAG_DD] = BLOCK,
	[GUMBO_TAG_DETAILS] = BLOCK,
	[GUMBO_TAG_DIR] = BLOCK,
	[GUMBO_TAG_DIV] = BLOCK,
	[GUMBO_TAG_DL] = BLOCK,
	[GUMBO_TAG_DT] = BLOCK,
	[GUMBO_TAG_EM] = MARK,
	[GUMBO_TAG_EMBED] = COUNTLESS,
	[GUMBO_TAG_FIELDSET] = BLOCK,
	[GUMBO_TAG_FIGCAPTION] = BLOCK,
	[GUMBO_TAG_FIGURE] = BLOCK,
	[GUMBO_TAG_FONT] = MARK,
	[GUMBO_TAG_FOOTER] = BLOCK,
	[GUMBO_TAG_FORM] = DROPPED,
	[GUMBO_TAG_FRAME] = DROPPED,
	[GUMBO_TAG_FRAMESET] = DROPPED,
	[GUMBO_TAG_H1] = BLOCK,
	[GUMBO_TAG_H2] = BLOCK,
	[GUMBO_TAG_H3] = BLOCK,
	[GUMBO_TAG_H4] = BLOCK,
	[GUMBO_TAG_H5] = BLOCK,
	[GUMBO_TAG_H6] = BLOCK,
	[GUMBO_TAG_HEAD] = DROPPED,
	[GUMBO_TAG_HEADER] = BLOCK,
	[GUMBO_TAG_HGROUP] = BLOCK,
	[GUMBO_TAG_HR] = COUNTLESS,
	[GUMBO_TAG_HTML] = DROPPED,
	[GUMBO_TAG_I] = MARK,
	[GUMBO_TAG_IFRAME] = RAW,
	[GUMBO_TAG_IMG] = COUNTLESS,
	[GUMBO_TAG_INPUT] = COUNTLESS,
	[GUMBO_TAG_KEYGEN] = COUNTLESS,
	[GUMBO_TAG_LI] = COUNTLESS,
	[GUMBO_TAG_LINK] = COUNTLESS,
	[GUMBO_TAG_LISTING] = BLOCK,
	[GUMBO_TAG_MAIN] = BLOCK,
	[GUMBO_TAG_MARQUEE] = BOUNDARY,
	[GUMBO_TAG_MATH] = DROPPED,
	[GUMBO_TAG_MENU] = BLOCK,
	[GUMBO_TAG_META] = COUNTLESS,
	[GUMBO_TAG_NAV] = BLOCK,
	[GUMBO_TAG_NOBR] = MARK,
	[GUMBO_TAG_NOEMBED] = DROPPED,
	[GUMBO_TAG_NOFRAMES] = DROPPED,
	[GUMBO_TAG_OBJECT] = BOUNDARY,
	[GUMBO_TAG_OL] = BLOCK,
	[GUMBO_TAG_P] = COUNTLESS,
	[GUMBO_TAG_PARAM] = COUNTLESS,
	[GUMBO_TAG_PLAINTEXT] = DROPPED,
	[GUMBO_TAG_PRE] = BLOCK,
	[GUMBO_TAG_S] = MARK,
	[GUMBO_TAG_SCRIPT] = RAW,
	[GUMBO_TAG_SECTION] = BLOCK,
	[GUMBO_TAG_SELECT] = DROPPED,
	[GUMBO_TAG_SMALL] = MARK,
	[GUMBO_TAG_SOURCE] = COUNTLESS,
	[GUMBO_TAG_STRIKE] = MARK,
	[GUMBO_TAG_STRONG] = MARK,
	[GUMBO_TAG_STYLE] = RAW,
	[GUMBO_TAG_SUMMARY] = BLOCK,
	[GUMBO_TAG_SVG] = DROPPED | DROPPED_WHOLE,
	[GUMBO_TAG_TABLE] = BOUNDARY,
	[GUMBO_TAG_TBODY] = COUNTLESS,
	[GUMBO_TAG_TD] = COUNTLESS,
	[GUMBO_TAG_TEMPLATE] = DROPPED | DROPPED_WHOLE,
	[GUMBO_TAG_TEXTAREA] = RAW,
	[GUMBO_TAG_TFOOT] = COUNTLESS,
	[GUMBO_TAG_TH] = COUNTLESS,
	[GUMBO_TAG_THEAD] = COUNTLESS,
	[GUMBO_TAG_TITLE] = RAW,
	[GUMBO_TAG_TR] = COUNTLESS,
	[GUMBO_TAG_TRACK] = COUNTLESS,
	[GUMBO_TAG_TT] = MARK,
	[GUMBO_TAG_U] = MARK,
	[GUMBO_TAG_UL] = BLOCK,
	[GUMBO_TAG_WBR] = COUNTLESS,
	[GUMBO_TAG_XMP] = DROPPED,
};

/* An element whose name the parser does not know; the parser still treats it as a block. */
#define NEW_BLOCK "dialog"

struct open {
	unsigned kind; /* of KINDS */
	const char *name; /* points into the text */
	size_t len;
};

struct fence {
	const char *p, *end;
	struct text piece;
	struct runs runs; /* of the piece */
	struct open open[OPEN_MAX + 1];
	size_t depth, marks, work;
	bool unclosed[2]; /* [0]: no </template> follows, [1]: no </svg> follows */
	bool no_comment_ends;
	int broken; /* tags without an end */
	void (*tree)(void *, const struct piece *);
	void *arg;
	/* Cache for the pieces of this part of a text; NULL: none. */
	struct trees *trees;
	const char *part;
	size_t part_len, kept; /* kept: index of the last piece in the cache, or NO_TREE */
};

/* ---- pieces ---- */

static struct piece
parse(struct fence *f, const char *html, struct pool *pool)
{
	GumboOptions options = kGumboDefaultOptions;
	const GumboOutput *output;
	size_t len = f->piece.len;
	const char *cut = runs_cut(&f->runs, html, &len, pool);

	options.max_errors = 0;
	options.fragment_context = GUMBO_TAG_BODY;
	options.allocator = pool_alloc;
	options.deallocator = pool_free;
	options.userdata = pool;
	/* gumbo does not set the quirks mode of a fragment's document, but reads it; 0 is none. */
	pool_clear(pool, DOCUMENT_MOST);
	output = gumbo_parse_with_options(&options, cut, len);
	if (output == NULL)
		stet_out_of_memory();
	runs_restore(&f->runs, html, output->root, pool);
	return (struct piece){ output->root, html, f->piece.len };
}

/* Parses a piece into the cache. The tree points into its text, so the text is copied, too. */
static void
end_kept_piece(struct fence *f)
{
	char *text = pool_alloc(&f->trees->pool, f->piece.len + 1);
	struct piece piece;

	memcpy(text, f->piece.s, f->piece.len + 1);
	piece = parse(f, text, &f->trees->pool);
	f->kept = trees_add(f->trees, f->part, f->part_len, &piece, f->kept);
	f->tree(f->arg, &piece);
}

static void
end_piece(struct fence *f)
{
	struct pool pool;
	struct piece piece;

	f->depth = f->marks = f->work = 0;
	if (f->piece.len == 0)
		return;
	if (f->trees != NULL) {
		end_kept_piece(f);
	} else {
		pool_begin(&pool);
		piece = parse(f, f->piece.s, &pool);
		f->tree(f->arg, &piece);
		pool_end(&pool);
	}
	f->piece.len = 0;
	runs_clear(&f->runs);
}

/* Ends the piece before a tag, if it is large enough or costs too much. */
static void
cut(struct fence *f)
{
	f->work += 1 + f->marks;
	if ((f->depth == 0 && f->piece.len >= PIECE_WHOLE) || f->piece.len >= PIECE_MAX ||
	    f->depth >= OPEN_MAX || f->marks >= MARKS_MAX || f->work > 1024 + 2 * f->piece.len)
		end_piece(f);
}

/* ---- what is open ---- */

static unsigned
traits_of(const char *name, size_t len)
{
	if (len == strlen(NEW_BLOCK) && strncasecmp(name, NEW_BLOCK, len) == 0)
		return BLOCK;
	return len <= NAME_MAX_LENGTH ? traits[gumbo_tagn_enum(name, (unsigned)len)] : OTHER;
}

static void
push(struct fence *f, const char *name, size_t len, unsigned kind)
{
	if (kind == COUNTLESS)
		return;
	f->open[f->depth++] = (struct open){ kind, name, len };
	f->marks += kind == MARK;
}

static bool
ends_search(unsigned wanted, unsigned passed)
{
	return passed == BOUNDARY || (wanted == OTHER && passed == BLOCK);
}

/* Removes the elements that an end tag closes. Formatting elements above them stay, since the
 * parser opens them again. */
static void
pop(struct fence *f, const char *name, size_t len, unsigned kind)
{
	size_t at = f->depth, kept;

	while (at > 0) {
		const struct open *o = &f->open[at - 1];

		if (o->kind == kind && o->len == len && strncasecmp(o->name, name, len) == 0)
			break;
		if (ends_search(kind, o->kind))
			return;
		at--;
	}
	if (at == 0)
		return;
	f->marks -= kind == MARK;
	kept = at - 1;
	for (size_t i = at; i < f->depth; i++)
		if (kind == MARK || f->open[i].kind == MARK)
			f->open[kept++] = f->open[i];
	f->depth = kept;
}

/* ---- tags ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns the position after the value of an attribute. */
static const char *
skip_value(const char *p, const char *end)
{
	const char *close;

	while (p < end && is_blank(*p))
		p++;
	if (p < end && (*p == '"' || *p == '\'')) {
		close = memchr(p + 1, *p, (size_t)(end - p - 1));
		return close != NULL ? close + 1 : end;
	}
	while (p < end && !is_blank(*p) && *p != '>')
		p++;
	return p;
}

/* Returns the position after an attribute. */
static const char *
skip_attribute(const char *p, const char *end)
{
	p++; /* a name may begin with = */
	while (p < end && !is_blank(*p) && *p != '=' && *p != '>' && *p != '/')
		p++;
	while (p < end && is_blank(*p))
		p++;
	return p < end && *p == '=' ? skip_value(p + 1, end) : p;
}

/* If the text ends within a tag, makes its < text, up to BROKEN_MAX times: a browser would drop the
 * rest of the text. Returns true if it did. */
static bool
is_broken(struct fence *f, const char *p)
{
	if (p < f->end || f->broken++ >= BROKEN_MAX)
		return false;
	text_str(&f->piece, "&lt;");
	f->p++;
	return true;
}

/* Copies the tag whose name ends at p, with at most `most` attributes; skips it without `keep`.
 * Returns the position after it, or NULL if the tag became text. */
static const char *
copy_tag(struct fence *f, const char *p, bool keep, size_t most)
{
	const char *begin = f->p, *copied = NULL;
	size_t n = 0;

	while (p < f->end && *p != '>') {
		if (is_blank(*p) || *p == '/') {
			p++;
			continue;
		}
		if (n++ == most)
			copied = p;
		p = skip_attribute(p, f->end);
	}
	if (is_broken(f, p))
		return NULL;
	if (keep && p < f->end) {
		text_add(&f->piece, begin, (size_t)((copied != NULL ? copied : p) - begin));
		text_add(&f->piece, ">", 1);
	}
	f->work += (n < most ? n : most) * (1 + f->marks) / 2;
	return p < f->end ? p + 1 : f->end;
}

/* The end tag of this name, from p; NULL: there is none. */
static const char *
find_end(const char *p, const char *end, const char *name, size_t len)
{
	while ((p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		if ((size_t)(end - p) > len + 2 && p[1] == '/' &&
		    strncasecmp(p + 2, name, len) == 0 && !is_letter(p[2 + len]))
			return p;
		p++;
	}
	return NULL;
}

static void
raw_content(struct fence *f, const char *name, size_t len)
{
	const char *close = find_end(f->p, f->end, name, len);

	if (close == NULL)
		close = f->end;
	text_add(&f->piece, f->p, (size_t)(close - f->p));
	f->p = close;
	if (close == f->end) {
		text_str(&f->piece, "</");
		text_add(&f->piece, name, len);
		text_str(&f->piece, ">");
	}
}

/* Skips the content of an element up to its end tag, if there is one. */
static void
skip_content(struct fence *f, const char *name, size_t len)
{
	bool *unclosed = &f->unclosed[len == 3];
	const char *close = *unclosed ? NULL : find_end(f->p, f->end, name, len);

	*unclosed = close == NULL;
	if (close != NULL)
		f->p = close;
}

/* Returns the length of the name of a tag. *is: the traits of the element. */
static size_t
name_length(const struct fence *f, const char *name, unsigned *is)
{
	const char *p = name;
	size_t len;

	while (p < f->end && !is_blank(*p) && *p != '/' && *p != '>')
		p++;
	len = (size_t)(p - name);
	*is = len > NAME_MAX_LENGTH ? DROPPED : traits_of(name, len);
	return len;
}

static void
start_tag(struct fence *f)
{
	const char *name = f->p + 1, *behind;
	unsigned is;
	size_t len = name_length(f, name, &is);

	cut(f);
	behind = copy_tag(f, name + len, (is & DROPPED) == 0,
	    (is & MARK) != 0 ? MARK_ATTRIBUTES_MAX : ATTRIBUTES_MAX);
	if (behind == NULL)
		return;
	f->p = behind;
	if ((is & DROPPED_WHOLE) != 0)
		skip_content(f, name, len);
	else if ((is & RAW) != 0)
		raw_content(f, name, len);
	else if ((is & DROPPED) == 0)
		push(f, name, len, is & KINDS);
}

static void
end_tag(struct fence *f)
{
	const char *name = f->p + 2, *behind;
	unsigned is;
	size_t len = name_length(f, name, &is);

	f->work += 1;
	behind = copy_tag(f, name + len, (is & DROPPED) == 0, 0);
	if (behind == NULL)
		return;
	f->p = behind;
	if ((is & DROPPED) == 0)
		pop(f, name, len, is & KINDS);
	if (f->work > 1024 + 2 * f->piece.len)
		end_piece(f);
}

/* Returns true if a comment begins or ends a block: it separates the words around it. */
static bool
is_of_block(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	if (p < end && *p == '/')
		p++;
	return end - p >= 3 && memcmp(p, "wp:", 3) == 0;
}

/* Skips a comment; of one without an end, only the <!--. The comments `more` and `nextpage` become
 * <hr>. <!--stet:span--> parts two spans with equal marks (markup/inline.c). */
static void
comment(struct fence *f)
{
	const char *begin = f->p + 4, *close = NULL;

	if (!f->no_comment_ends)
		close = memmem(f->p + 2, (size_t)(f->end - f->p - 2), "-->", 3);
	f->no_comment_ends = close == NULL;
	f->p = close != NULL ? close + 3 : begin;
	if (close != NULL && close - begin >= 4 &&
	    (memcmp(begin, "more", 4) == 0 ||
		(close - begin >= 8 && memcmp(begin, "nextpage", 8) == 0)))
		text_str(&f->piece, "<hr>");
	else if (close != NULL && close - begin == 9 && memcmp(begin, "stet:span", 9) == 0)
		text_str(&f->piece, "<stet-span></stet-span>");
	else if (close != NULL && is_of_block(begin, close))
		text_str(&f->piece, "\n");
}

static void
markup(struct fence *f)
{
	size_t left = (size_t)(f->end - f->p);
	const char *close;

	if (left >= 2 && is_letter(f->p[1])) {
		start_tag(f);
	} else if (left >= 3 && f->p[1] == '/' && is_letter(f->p[2])) {
		end_tag(f);
	} else if (left >= 4 && memcmp(f->p, "<!--", 4) == 0) {
		comment(f);
	} else if (left >= 2 && strchr("!?/", f->p[1]) != NULL && f->p[1] != '\0') {
		/* A bogus comment for the parser (<!doctype, <?xml). */
		close = memchr(f->p, '>', left);
		f->p = close != NULL ? close + 1 : f->end;
	} else {
		text_str(&f->piece, "&lt;");
		f->p++;
	}
}

/* The arrays of open elements and runs stay as they are: they are large, and have no members. */
static void
begin(struct fence *f, struct trees *trees, const char *text, size_t len)
{
	f->p = f->part = text;
	f->end = text + len;
	f->part_len = len;
	f->piece = (struct text){ 0 };
	f->depth = f->marks = f->work = 0;
	f->unclosed[0] = f->unclosed[1] = f->no_comment_ends = false;
	f->broken = 0;
	f->trees = trees_keep(trees, text, len) ? trees : NULL;
	f->kept = NO_TREE;
	runs_begin(&f->runs);
}

/* Copies the text up to the next tag. */
static void
plain(struct fence *f)
{
	const char *next = memchr(f->p, '<', (size_t)(f->end - f->p));
	size_t from = f->piece.len;

	if (next == NULL)
		next = f->end;
	text_add(&f->piece, f->p, (size_t)(next - f->p));
	runs_add(&f->runs, &f->piece, from);
	f->p = next;
}

void
html_each(struct trees *trees, const char *text, size_t len,
    void (*tree)(void *, const struct piece *), void *arg)
{
	struct fence f;

	if (trees_each(trees, text, len, tree, arg))
		return;
	begin(&f, trees, text, len);
	f.tree = tree;
	f.arg = arg;
	while (f.p < f.end) {
		plain(&f);
		if (f.p < f.end)
			markup(&f);
	}
	end_piece(&f);
	text_free(&f.piece);
	runs_end(&f.runs);
}
