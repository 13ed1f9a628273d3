/*
 * fence.c - cuts HTML into pieces that gumbo parses in time linear in their length.
 *
 * It follows the tags of a text closely enough to have an upper bound of what the parser has open:
 * it never thinks an element closed that the parser keeps open. Before a tag that would pass a
 * limit it ends the piece, so a text loses structure there, and no text.
 */
#include "html.h"
#include "pool.h"
#include <stet/call.h>
#include <string.h>
#include <strings.h>

#define OPEN_MAX 200 /* elements that are open at once */
#define MARKS_MAX 10 /* formatting elements among them: each may be made again for each block */
#define ATTRIBUTES_MAX 64 /* of a tag; of a formatting element MARK_ATTRIBUTES_MAX */
#define MARK_ATTRIBUTES_MAX 8
#define PIECE_WHOLE 65536 /* bytes from which a piece ends where nothing is open */
#define PIECE_MAX 262144 /* bytes from which it ends at the next tag */
#define NAME_MAX_LENGTH 32
#define BROKEN_MAX 8

/* Formatting elements: the parser opens them again behind blocks that closed them. */
#define MARKS " a b big code em font i nobr s small strike strong tt u "
/* Their end is looked for beyond any other element, up to a boundary. */
#define BLOCKS                                                                                      \
	" address article aside blockquote button center dd details dialog dir div dl dt fieldset " \
	"figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav ol pre "    \
	"section summary ul "
/* No end tag inside of one closes what is outside of it. */
#define BOUNDARIES " applet caption marquee object table "
/* They close their like themselves, or have no content. */
#define COUNTLESS                                                                                     \
	" area br col colgroup embed hr img input keygen li link meta p param source tbody td tfoot " \
	"th thead tr track wbr "
/* They mean nothing inside of a post, or change how the parser reads. */
#define DROPPED                                                                                \
	" base body form frame frameset head html math noembed noframes plaintext select svg " \
	"template xmp "
#define DROPPED_WHOLE " svg template " /* with their content */
#define RAW " iframe script style textarea title " /* no tags inside */

enum kind { MARK, BLOCK, BOUNDARY, COUNTLESS_KIND, OTHER };

struct open {
	enum kind kind;
	const char *name; /* in the text */
	size_t len;
};

struct fence {
	const char *p, *end;
	struct text piece;
	struct open open[OPEN_MAX + 1];
	size_t depth, marks, work;
	bool unclosed[2]; /* from here on no svg, no template ends */
	bool no_comment_ends;
	int broken; /* tags without an end */
	void (*tree)(void *, const struct piece *);
	void *arg;
};

/* ---- pieces ---- */

static void
end_piece(struct fence *f)
{
	GumboOptions options = kGumboDefaultOptions;
	GumboOutput *output;
	struct pool pool;

	f->depth = f->marks = f->work = 0;
	if (f->piece.len == 0)
		return;
	options.max_errors = 0;
	options.fragment_context = GUMBO_TAG_BODY;
	options.allocator = pool_alloc;
	options.deallocator = pool_free;
	options.userdata = &pool;
	pool_begin(&pool);
	output = gumbo_parse_with_options(&options, f->piece.s, f->piece.len);
	if (output == NULL)
		stet_out_of_memory();
	f->tree(f->arg, &(struct piece){ output->root, f->piece.s, f->piece.len });
	pool_end(&pool);
	f->piece.len = 0;
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

static enum kind
kind_of(const char *name, size_t len)
{
	if (name_in(MARKS, name, len))
		return MARK;
	if (name_in(COUNTLESS, name, len))
		return COUNTLESS_KIND;
	if (name_in(BLOCKS, name, len))
		return BLOCK;
	return name_in(BOUNDARIES, name, len) ? BOUNDARY : OTHER;
}

static void
push(struct fence *f, const char *name, size_t len)
{
	enum kind kind = kind_of(name, len);

	if (kind == COUNTLESS_KIND)
		return;
	f->open[f->depth++] = (struct open){ kind, name, len };
	f->marks += kind == MARK;
}

static bool
ends_search(enum kind wanted, enum kind passed)
{
	return passed == BOUNDARY || (wanted == OTHER && passed == BLOCK);
}

/* Removes what an end tag closes. Formatting elements above it stay, since the parser opens them
 * again. */
static void
pop(struct fence *f, const char *name, size_t len)
{
	enum kind kind = kind_of(name, len);
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

/* Behind the value of an attribute. */
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

/* Behind an attribute. */
static const char *
skip_attribute(const char *p, const char *end)
{
	p++; /* may be an = */
	while (p < end && !is_blank(*p) && *p != '=' && *p != '>' && *p != '/')
		p++;
	while (p < end && is_blank(*p))
		p++;
	return p < end && *p == '=' ? skip_value(p + 1, end) : p;
}

/* A tag that the text ends in is text, a few times: a browser would lose what is behind it. */
static bool
is_broken(struct fence *f, const char *p)
{
	if (p < f->end || f->broken++ >= BROKEN_MAX)
		return false;
	text_str(&f->piece, "&lt;");
	f->p++;
	return true;
}

/* Adds a tag, whose name ends at p, with so many attributes. Returns what is behind it; NULL: it is
 * text. */
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

/* Leaves out what is between a tag and its end, if it has one. */
static void
skip_content(struct fence *f, const char *name, size_t len)
{
	bool *unclosed = &f->unclosed[len == 3];
	const char *close = *unclosed ? NULL : find_end(f->p, f->end, name, len);

	*unclosed = close == NULL;
	if (close != NULL)
		f->p = close;
}

/* The length of the name of a tag; *dropped: the tag is left out. */
static size_t
name_length(const struct fence *f, const char *name, bool *dropped)
{
	const char *p = name;
	size_t len;

	while (p < f->end && !is_blank(*p) && *p != '/' && *p != '>')
		p++;
	len = (size_t)(p - name);
	*dropped = len > NAME_MAX_LENGTH || name_in(DROPPED, name, len);
	return len;
}

static void
start_tag(struct fence *f)
{
	const char *name = f->p + 1, *behind;
	bool dropped;
	size_t len = name_length(f, name, &dropped);

	cut(f);
	behind = copy_tag(f, name + len, !dropped,
	    name_in(MARKS, name, len) ? MARK_ATTRIBUTES_MAX : ATTRIBUTES_MAX);
	if (behind == NULL)
		return;
	f->p = behind;
	if (name_in(DROPPED_WHOLE, name, len))
		skip_content(f, name, len);
	else if (name_in(RAW, name, len))
		raw_content(f, name, len);
	else if (!dropped)
		push(f, name, len);
}

static void
end_tag(struct fence *f)
{
	const char *name = f->p + 2, *behind;
	bool dropped;
	size_t len = name_length(f, name, &dropped);

	f->work += 1;
	behind = copy_tag(f, name + len, !dropped, 0);
	if (behind == NULL)
		return;
	f->p = behind;
	if (!dropped)
		pop(f, name, len);
	if (f->work > 1024 + 2 * f->piece.len)
		end_piece(f);
}

/* A block begins or ends: words beside it are two. */
static bool
is_of_block(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	if (p < end && *p == '/')
		p++;
	return end - p >= 3 && memcmp(p, "wp:", 3) == 0;
}

/* Leaves out a comment; of one without an end, its first characters. Keeps the two that mean a
 * break. */
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
		/* A comment, too, if not a good one. */
		close = memchr(f->p, '>', left);
		f->p = close != NULL ? close + 1 : f->end;
	} else {
		text_str(&f->piece, "&lt;");
		f->p++;
	}
}

void
html_each(const char *text, size_t len, void (*tree)(void *, const struct piece *), void *arg)
{
	struct fence f = { .p = text, .end = text + len, .tree = tree, .arg = arg };

	while (f.p < f.end) {
		const char *next = memchr(f.p, '<', (size_t)(f.end - f.p));

		if (next == NULL)
			next = f.end;
		text_add(&f.piece, f.p, (size_t)(next - f.p));
		f.p = next;
		if (f.p < f.end)
			markup(&f);
	}
	end_piece(&f);
	text_free(&f.piece);
}
