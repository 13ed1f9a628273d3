/*
 * markup.c - Portable Text written as block markup reads back as an equal value: each block that
 * the converter makes, random values and malicious ones. MARKUP_ROUNDS (for example 100000) and
 * MARKUP_SEED set the random values.
 */
#include "markup/markup.h"
#include "convert/convert.h"
#include "convert/html.h"
#include "exports.h"
#include "harness.h"
#include "plain.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define ROUNDS 3000

/* ---- comparing ---- */

static char *
write_markup(const json_t *blocks, struct markup_report *report)
{
	struct text out = { 0 };

	*report = (struct markup_report){ 0 };
	markup_write(&out, blocks, NULL, report);
	return out.s;
}

static json_t *
read_markup(const char *markup)
{
	json_t *value;

	assert_int_equal(convert_text(NULL, markup, strlen(markup), NULL, NULL, &value), STET_OK);
	return value;
}

/* Takes the reference. Returns the number of blocks written as stet/block. */
static int64_t
assert_reads_back(json_t *blocks)
{
	struct markup_report report;
	char *markup = write_markup(blocks, &report), *a, *b;
	json_t *read = read_markup(markup), *lost = convert_check(markup, strlen(markup), read);

	assert_int_equal(report.changed, 0);
	if (lost != NULL)
		fail_msg("%s\nof which is lost: %s\n", markup, json_dumps(lost, 0));
	plain_make(blocks);
	plain_make(read);
	if (!json_equal(blocks, read)) {
		a = json_dumps(blocks, JSON_SORT_KEYS);
		b = json_dumps(read, JSON_SORT_KEYS);
		fail_msg("%s\nis written as\n%s\nwhich reads as\n%s\n", a, markup, b);
	}
	json_decref(blocks);
	json_decref(read);
	free(markup);
	return report.kept;
}

/* ---- each block ---- */

/* Parses JSON with " for each '. */
static json_t *
parsed(const char *text)
{
	char *copy = strdup(text);
	json_t *value;

	for (char *c = copy; *c != '\0'; c++)
		if (*c == '\'')
			*c = '"';
	value = json_loads(copy, 0, NULL);
	if (value == NULL)
		fail_msg("not JSON: %s", text);
	free(copy);
	return value;
}

#define SPAN(text) "{'_type':'span','_key':'s','text':'" text "'}"
#define SPAN_OF(text, marks) "{'_type':'span','_key':'t','text':'" text "','marks':[" marks "]}"
#define PARAGRAPH(more, spans) \
	"{'_type':'block','_key':'b','style':" more ",'children':[" spans "]}"
#define IMAGE(more)                                                                                         \
	"{'_type':'image','_key':'i','asset':{'_type':'reference','_ref':'/a&b.jpg','url':'/a&b.jpg'}" more \
	"}"
#define KNOWN(more)                                                                                \
	"{'_type':'image','_key':'i','asset':{'_type':'reference','_ref':'7','url':'/7.jpg'}" more \
	"}"
#define CELL(more, text) "{'_type':'tableCell','_key':'c','content':[" text "]" more "}"
#define ROW(more, cells) "{'_type':'tableRow','_key':'r','cells':[" cells "]" more "}"
#define LINK(key, href) "{'_type':'link','_key':'" key "','href':'" href "'}"
#define ITEM_OF(kind, level, text) \
	PARAGRAPH("'normal','listItem':'" kind "','level':" level, SPAN(text))

/* Blocks that core blocks can express: none is written as stet/block. */
static const char *const plain_rows[] = {
	PARAGRAPH("'normal'", SPAN("a < b & c > d \\\" e ]]> --> [x] &amp;")),
	PARAGRAPH("'normal'", SPAN("a\\nb\\n\\nc")),
	PARAGRAPH("'normal'", SPAN("\\u0001\\u001b\\ufffe\\uffff\\u00a0")),
	PARAGRAPH("'h1'", SPAN("One")) "," PARAGRAPH("'h2'", SPAN("Two")) "," PARAGRAPH(
	    "'h6'", SPAN("6")),
	PARAGRAPH("'normal','markDefs':[" LINK("l", "/a?b=1&c=\\\"2\\\"") "]",
	    SPAN("a ") "," SPAN_OF("b", "'strong','em','l'") "," SPAN_OF("c", "'l'") "," SPAN(
		" d ") "," SPAN_OF("e", "'underline','strike-through','code','superscript'")),
	PARAGRAPH(
	    "'normal','markDefs':[{'_type':'link','_key':'l','href':'https://a.example/','blank':true}]",
	    SPAN_OF("window", "'l'")),
	PARAGRAPH("'normal','markDefs':[" LINK("l", "") "]", SPAN_OF("nowhere", "'l'")),
	PARAGRAPH("'normal','markDefs':[" LINK("l", "/a") "," LINK("m", "/b") "]",
	    SPAN("a") "," SPAN("b") "," SPAN_OF("c", "'em'") "," SPAN_OF("d", "'em'") "," SPAN_OF(
		"e", "'l'") "," SPAN_OF("f", "'l'") "," SPAN_OF("g", "'m'")),
	PARAGRAPH("'blockquote'", SPAN("a")) "," PARAGRAPH("'blockquote'", SPAN("b")) "," PARAGRAPH(
	    "'normal'", SPAN("\xe2\x80\x94 who")),
	ITEM_OF("bullet", "1", "a") "," ITEM_OF("bullet", "2", "b") "," ITEM_OF(
	    "number", "2", "c") "," ITEM_OF("number", "1", "d") "," ITEM_OF("number", "4",
	    "e") "," ITEM_OF("bullet", "3", "f") "," ITEM_OF("bullet", "1", "g"),
	ITEM_OF("number", "3", "a") "," ITEM_OF("number", "2", "b"),
	ITEM_OF("bullet", "10", "a") "," PARAGRAPH("'normal'", SPAN("b")),
	IMAGE(",'alt':'','caption':'C & c','alignment':'wide','link':'/there'"),
	IMAGE(",'alt':'\\\"quoted\\\" -->','caption':'C','links':[" LINK("l", "/x") "," LINK(
	    "m", "/y") "]"),
	KNOWN(",'alignment':'left'") "," IMAGE(",'link':''"),
	"{'_type':'gallery','_key':'g','images':[" IMAGE(",'caption':'one'") "," KNOWN(
	    ",'alt':'b'") "],'columns':3,'caption':'All'}",
	"{'_type':'gallery','_key':'g','images':[{'_type':'image','_key':'i','asset':{'_type':'reference',"
	"'_ref':'4'}},{'_type':'image','_key':'i','asset':{'_type':'reference','_ref':'5'}}],'columns':2}",
	"{'_type':'embed','_key':'e','url':'https://www.youtube.com/watch?v=a&b=c','provider':'youtube',"
	"'caption':'C','links':[" LINK("l", "/x") "]}",
	"{'_type':'embed','_key':'e','url':'https://other.example/x'}",
	"{'_type':'embed','_key':'e','url':'https://other.example/x','provider':'other-place'}",
	"{'_type':'embed','_key':'e','url':'/a.mp4','provider':'video','poster':'/p.jpg','caption':'C'}",
	"{'_type':'embed','_key':'e','url':'/a.mp3','provider':'audio','title':'T'}",
	"{'_type':'embed','_key':'e','url':'https://vimeo.com/1','provider':'vimeo','title':'T & t','caption':'C'}",
	"{'_type':'code','_key':'c','code':'  if (a < b && c)\\n\\treturn \\\"]]>\\\";\\n\\n<!-- wp:x -->','language':'c'}",
	"{'_type':'code','_key':'c','code':'x','language':'text'},{'_type':'code','_key':'c','code':'y'}",
	"{'_type':'code','_key':'c','code':'x','language':'c','caption':'Listing'}",
	"{'_type':'code','_key':'c','code':'x','links':[" LINK("l", "/x") "]}",
	"{'_type':'pullquote','_key':'p','text':'Said & done','citation':'Who','links':[" LINK(
	    "l", "/x") "]}",
	"{'_type':'break','_key':'b','style':'lineBreak'}",
	"{'_type':'htmlBlock','_key':'h','html':'\\n<b>x</b>\\n','originalBlockName':'core/html'}",
	"{'_type':'htmlBlock','_key':'h','html':'[form id=\\\"1\\\"]','originalBlockName':'core/shortcode'}",
	"{'_type':'htmlBlock','_key':'h','html':'<i>y</i>','originalBlockName':'shop/cart',"
	"'originalAttrs':{'a':'-->--<&\\\\\\\"','b':[1,{'c':null}]}}",
	"{'_type':'table','_key':'t','rows':[" ROW(
	    "", CELL(",'isHeader':true", SPAN("H")) "," CELL(",'isHeader':true", "")) "," ROW("",
	    CELL(",'isHeader':true", SPAN("a\\nb")) "," CELL(",'markDefs':[" LINK("l", "/x") "]",
		SPAN_OF("c", "'em','l'"))) "," ROW(",'isFooter':true",
	    CELL("", SPAN("F"))) "," ROW("",
	    CELL("", SPAN("after"))) "],'hasHeaderRow':true,'caption':'C'}",
	"{'_type':'table','_key':'t','rows':[],'hasHeaderRow':true}",
	"{'_type':'table','_key':'t','rows':[" ROW(
	    "", CELL(",'isHeader':true", SPAN("H"))) "],'hasHeaderRow':false}",
	"{'_type':'columns','_key':'k','columns':[{'_type':'column','_key':'l','content':[" PARAGRAPH(
	    "'normal'", SPAN("a")) "," ITEM_OF("bullet", "1",
	    "i") "]},{'_type':'column','_key':'m','content':[]},"
		 "{'_type':'column','_key':'m','content':[" IMAGE("") "]}]}",
	"{'_type':'cover','_key':'k','backgroundImage':'/bg.jpg','alt':'A','overlayOpacity':0.3,'overlayColor':'#112233',"
	"'minHeight':'430px','alignment':'left','content':[" PARAGRAPH("'h2'", SPAN("On it")) "]}",
	"{'_type':'cover','_key':'k','overlayColor':'primary','minHeight':'50.5vh','overlayOpacity':1.0,'content':[]}",
	"{'_type':'buttons','_key':'k','layout':'vertical','buttons':[{'_type':'button','_key':'l','text':'Go & go',"
	"'url':'/x','style':'outline'},{'_type':'button','_key':'m','text':'B','style':'default','links':[" LINK(
	    "l", "/y") "," LINK("m", "/z") "],'url':'/y'}]}",
	"{'_type':'buttons','_key':'k','layout':'horizontal','buttons':[{'_type':'button','_key':'l','text':'Fill',"
	"'style':'fill'}]}",
	"{'_type':'file','_key':'f','url':'/a.pdf','filename':'A & b','downloadButtonText':'Get','showDownloadButton':true}",
	"{'_type':'file','_key':'f','url':'/a.pdf','downloadButtonText':'Get','showDownloadButton':true},"
	"{'_type':'file','_key':'f','url':'/b.pdf','filename':'B','showDownloadButton':false}",
};

/* Blocks that no core block can express: each is written as stet/block. */
static const char *const kept_rows[] = {
	"{'_type':'chart','_key':'c','values':[1,2.5,'x',null,{'deep':[true]}],'-->':'<b>'}",
	PARAGRAPH("'lead'", SPAN("x")),
	PARAGRAPH(
	    "'normal','markDefs':[{'_type':'note','_key':'n','text':'foot'}]", SPAN_OF("x", "'n'")),
	PARAGRAPH("'normal'", SPAN_OF("x", "'highlight'")),
	PARAGRAPH("'normal'", SPAN("a ") ",{'_type':'icon','_key':'j','name':'star'}"),
	PARAGRAPH("'normal','listItem':'bullet','level':12", SPAN("deep")),
	IMAGE(",'width':300"),
	"{'_type':'htmlBlock','_key':'h','html':'<!-- /wp:html --> <!-- open','originalBlockName':'core/html'}",
	"{'_type':'htmlBlock','_key':'h','html':'<!-- cut','originalBlockName':'core/html'}",
	"{'_type':'htmlBlock','_key':'h','html':'x','originalBlockName':'core/paragraph'}",
	"{'_type':'columns','_key':'k','columns':[],'caption':'C'}",
};

static json_t *
blocks_of(const char *row)
{
	char *text;
	json_t *value;

	if (asprintf(&text, "[%s]", row) < 0)
		abort();
	value = parsed(text);
	free(text);
	return value;
}

static void
each_block_reads_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(plain_rows); i++)
		if (assert_reads_back(blocks_of(plain_rows[i])) != 0)
			fail_msg("kept: %s", plain_rows[i]);
}

static void
what_no_block_can_say_is_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(kept_rows); i++)
		if (assert_reads_back(blocks_of(kept_rows[i])) != 1)
			fail_msg("not kept: %s", kept_rows[i]);
}

/* ---- what strangers keep ---- */

#define KEPT(blocks, text) \
	"<!-- wp:stet/block {\"blocks\":" blocks "} --><p>" text "</p><!-- /wp:stet/block -->"

/* Returns the type of the first block that a text converts to. */
static const char *
first_type(const char *text)
{
	static char type[40];
	json_t *read = read_markup(text);
	const char *is = json_string_value(json_object_get(json_array_get(read, 0), "_type"));

	(void)snprintf(type, sizeof(type), "%s", is != NULL ? is : "");
	json_decref(read);
	return type;
}

static void
what_strangers_keep_is_checked(void **state)
{
	static const char *const refused[] = { "7", "[]", "[1]", "[{\"a\":1}]", "{\"_type\":\"x\"}",
		"[{\"_type\":" };
	struct text deep = { 0 }, wide = { 0 };
	char *text;

	(void)state;
	assert_string_equal(first_type(KEPT("[{\"_type\":\"x\",\"href\":\"/y\"}]", "z")), "x");
	for (size_t i = 0; i < COUNT(refused); i++) {
		assert_true(asprintf(&text, KEPT("%s", "z"), refused[i]) > 0);
		assert_string_equal(first_type(text), "block");
		free(text);
	}
	for (int i = 0; i < 100; i++)
		text_str(&deep, "[");
	assert_true(asprintf(&text, KEPT("%s{\"_type\":\"x\"}]", "z"), deep.s) > 0);
	assert_string_equal(first_type(text), "block");
	free(text);
	text_str(&wide, "[{\"_type\":\"x\"}");
	for (int i = 0; i < 100000; i++)
		text_str(&wide, ",{\"_type\":\"x\"}");
	assert_true(asprintf(&text, KEPT("%s]", "z"), wide.s) > 0);
	assert_string_equal(first_type(text), "block");
	free(text);
	text_free(&deep);
	text_free(&wide);
}

static void
what_strangers_keep_loses_bad_addresses(void **state)
{
	json_t *read = read_markup(KEPT("[{\"_type\":\"x\",\"href\":\"javascript:alert(1)\","
					"\"a\":{\"b\":[{\"url\":\"data:text/html,x\", \"c\":1}]}}]",
	    "z"));
	json_t *block = json_array_get(read, 0);
	json_t *inner = json_object_get(json_object_get(block, "a"), "b");

	(void)state;
	assert_int_equal(json_array_size(read), 1);
	assert_null(json_object_get(block, "href"));
	assert_null(json_object_get(json_array_get(inner, 0), "url"));
	assert_int_equal(json_integer_value(json_object_get(json_array_get(inner, 0), "c")), 1);
	json_decref(read);
}

/* ---- random values ---- */

static unsigned long seed = 88172645463325252UL;

static unsigned
below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % n;
}

static const char *
word(void)
{
	static const char *const words[] = { "river", "caf\xc3\xa9", "a&b", "<i>", "x]]>y", "-->",
		"&amp;", "\"q\"", "'", "[gallery]", "\xe6\x97\xa5", "\xf0\x9f\x98\x80", "<!--",
		"\xef\xbf\xbe", "\x01", "wp:html", "\xc2\xa0", "1", "</p>", "\\", "\\\"", "--" };

	return words[below(COUNT(words))];
}

/* Returns words separated by single blanks, and sometimes by line ends. */
static char *
words(unsigned most, bool lines)
{
	struct text t = { 0 };

	text_str(&t, word());
	for (unsigned n = below(most); n > 0; n--) {
		text_str(&t, lines && below(8) == 0 ? "\n" : " ");
		text_str(&t, word());
	}
	return t.s;
}

static void
set_words(json_t *object, const char *member, unsigned most)
{
	char *text = words(most, false);

	(void)json_object_set_new(object, member, json_string(text));
	free(text);
}

static json_t *
random_link(unsigned n)
{
	static const char *const hrefs[] = { "https://a.example/?a=1&b=2", "/there", "#here",
		"mailto:a@b.example", "" };

	return json_pack("{ss so ss}", "_type", "link", "_key", json_sprintf("l%u", n), "href",
	    hrefs[n % COUNT(hrefs)]);
}

static json_t *
random_spans(json_t *block, const char *member, bool lines)
{
	static const char *const names[] = { "strong", "em", "underline", "strike-through", "code",
		"superscript", "subscript" };
	json_t *spans = json_array(), *defs = json_array();
	unsigned set, link;

	for (unsigned n = 1 + below(4), used = 0; n > 0; n--) {
		json_t *marks = json_array(), *span;
		char *text = words(6, lines);

		set = below(3) > 0 ? below(128) : 0;
		link = below(4) == 0 ? 1 + used : 0;
		for (unsigned i = 0; i < COUNT(names); i++)
			if (set & 1u << i)
				(void)json_array_append_new(marks, json_string(names[i]));
		if (link != 0) {
			(void)json_array_append_new(defs, random_link(used));
			(void)json_array_append_new(marks, json_sprintf("l%u", used++));
		}
		span = json_pack("{ss ss ss}", "_type", "span", "_key", "s", "text", text);
		if (json_array_size(marks) > 0)
			(void)json_object_set(span, "marks", marks);
		json_decref(marks);
		(void)json_array_append_new(spans, span);
		free(text);
	}
	if (json_array_size(defs) > 0)
		(void)json_object_set(block, "markDefs", defs);
	json_decref(defs);
	(void)json_object_set_new(block, member, spans);
	return block;
}

static json_t *
random_text(void)
{
	static const char *const styles[] = { "normal", "h1", "h2", "h3", "h4", "h5", "h6",
		"blockquote" };
	json_t *block = json_pack("{ss ss}", "_type", "block", "_key", "b");
	bool item = below(3) == 0;

	(void)json_object_set_new(
	    block, "style", json_string(item ? "normal" : styles[below(COUNT(styles))]));
	if (item) {
		(void)json_object_set_new(
		    block, "listItem", json_string(below(2) == 0 ? "bullet" : "number"));
		(void)json_object_set_new(block, "level", json_integer(1 + below(6)));
	}
	return random_spans(block, "children", true);
}

static json_t *
random_image(void)
{
	json_t *image;
	unsigned id = below(3);

	image = json_pack("{ss ss s{ss so ss}}", "_type", "image", "_key", "i", "asset", "_type",
	    "reference", "_ref", id > 0 ? json_sprintf("%u", id) : json_string("/x&y.jpg"), "url",
	    "/x&y.jpg");
	if (below(2) == 0)
		set_words(image, "alt", 3);
	if (below(2) == 0)
		set_words(image, "caption", 3);
	return image;
}

static json_t *
random_table(void)
{
	json_t *rows = json_array();
	bool header = below(2) == 0;

	for (unsigned n = below(4); n > 0; n--) {
		json_t *cells = json_array(), *row, *cell;

		for (unsigned c = below(4); c > 0; c--) {
			cell = json_pack("{ss ss}", "_type", "tableCell", "_key", "c");
			(void)json_array_append_new(cells, random_spans(cell, "content", true));
			if (below(3) == 0)
				(void)json_object_set_new(cell, "isHeader", json_true());
		}
		row = json_pack("{ss ss so}", "_type", "tableRow", "_key", "r", "cells", cells);
		if (below(4) == 0)
			(void)json_object_set_new(row, "isFooter", json_true());
		(void)json_array_append_new(rows, row);
	}
	return json_pack(
	    "{ss ss so sb}", "_type", "table", "_key", "t", "rows", rows, "hasHeaderRow", header);
}

static json_t *random_blocks(unsigned most, int depth);

static json_t *
random_columns(int depth)
{
	json_t *columns = json_array();

	for (unsigned n = 1 + below(3); n > 0; n--)
		(void)json_array_append_new(
		    columns, json_pack("{ss ss so}", "_type", "column", "_key", "k", "content",
				 random_blocks(3, depth + 1)));
	return json_pack("{ss ss so}", "_type", "columns", "_key", "k", "columns", columns);
}

static json_t *
random_object(int depth)
{
	json_t *object;

	switch (below(depth < 3 ? 7 : 5)) {
	case 0:
		return random_image();
	case 1:
		return random_table();
	case 2:
		object = json_pack("{ss ss}", "_type", "pullquote", "_key", "p");
		set_words(object, "text", 8);
		return object;
	case 3:
		object = json_pack("{ss ss}", "_type", "chart", "_key", "p");
		set_words(object, "whatever", 8);
		return object;
	case 4:
		object = json_pack("{ss ss ss}", "_type", "htmlBlock", "_key", "p",
		    "originalBlockName", "core/html");
		set_words(object, "html", 8);
		return object;
	case 5:
		return random_columns(depth);
	default:
		return json_pack("{ss ss ss sf so}", "_type", "cover", "_key", "k",
		    "backgroundImage", "/b.jpg", "overlayOpacity", below(101) / 100.0, "content",
		    random_blocks(3, depth + 1));
	}
}

static json_t *
random_blocks(unsigned most, int depth)
{
	json_t *blocks = json_array();

	for (unsigned n = below(most + 1); n > 0; n--)
		(void)json_array_append_new(
		    blocks, below(3) > 0 ? random_text() : random_object(depth));
	return blocks;
}

static void
random_values_read_back(void **state)
{
	const char *rounds = getenv("MARKUP_ROUNDS"), *from = getenv("MARKUP_SEED");
	long n = rounds != NULL ? strtol(rounds, NULL, 10) : ROUNDS;

	(void)state;
	if (from != NULL)
		seed += (unsigned long)strtol(from, NULL, 10) * 2654435769UL;
	while (n-- > 0)
		(void)assert_reads_back(random_blocks(6, 0));
}

/* ---- large values ---- */

#define LARGE 30000 /* number of spans */

/* Returns a paragraph in which each span has its own link. */
static json_t *
many_links(int count)
{
	json_t *spans = json_array(), *defs = json_array();

	for (int i = 0; i < count; i++) {
		(void)json_array_append_new(
		    defs, json_pack("{ss so so}", "_type", "link", "_key", json_sprintf("l%d", i),
			      "href", json_sprintf("/%d", i)));
		(void)json_array_append_new(
		    spans, json_pack("{ss ss ss s[o]}", "_type", "span", "_key", "s", "text", "x",
			       "marks", json_sprintf("l%d", i)));
	}
	return json_pack("[{ss ss ss so so}]", "_type", "block", "_key", "b", "style", "normal",
	    "children", spans, "markDefs", defs);
}

static double
seconds(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double
time_to_write(int count)
{
	struct markup_report report;
	json_t *value = many_links(count);
	double begun = seconds();

	free(write_markup(value, &report));
	assert_int_equal(report.changed, 0);
	json_decref(value);
	return seconds() - begun;
}

static void
many_links_take_linear_time(void **state)
{
	double small = time_to_write(LARGE / 10), large;

	(void)state;
	large = time_to_write(LARGE);
	print_message("# %d links: %.2f s, a tenth of them %.3f s\n", LARGE, large, small);
	assert_true(large < 60 * small + 0.1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_block_reads_back),
		cmocka_unit_test(what_no_block_can_say_is_kept),
		cmocka_unit_test(what_strangers_keep_is_checked),
		cmocka_unit_test(what_strangers_keep_loses_bad_addresses),
		cmocka_unit_test(random_values_read_back),
		cmocka_unit_test(many_links_take_linear_time) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
