/*
 * markdown.t - Portable Text to Markdown and back: what Markdown can express returns equal, other
 * blocks are kept, and an edit changes only its target.
 */
#include "config.h"

/* cmocka.h wants these before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */
#include "blocks.h"
#include "call/call.h"
#include "markdown/markdown.h"
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int
begin(void **state)
{
	*state = call_new();
	return 0;
}

static int
end(void **state)
{
	call_free(*state);
	return 0;
}

#define check(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* Parses JSON with " for each '. */
static json_t *
json(struct stet_call *call, const char *text)
{
	char *copy = stet_strdup(call, text);
	const char *why;
	json_t *value;

	for (char *p = copy; *p != '\0'; p++)
		if (*p == '\'')
			*p = '"';
	value = stet_json_parse(call, copy, strlen(copy), &why);
	if (value == NULL)
		fail_msg("%s: %s", why, text);
	return value;
}

static json_t *
read_text(struct stet_call *call, const char *text, const json_t *stored)
{
	json_t *blocks = markdown_read(call, "body", text, stored);

	if (blocks == NULL) {
		assert_int_equal(stet_issues(call), STET_VALIDATION_ERROR);
		fail_msg("%s", stet_error_text(call));
	}
	return blocks;
}

/* Reads and writes Markdown. */
static const char *
again(struct stet_call *call, const char *text)
{
	return markdown_write(call, read_text(call, text, NULL));
}

static const char *
key(const json_t *blocks, size_t i)
{
	return json_string_value(json_object_get(json_array_get(blocks, i), "_key"));
}

#define P(key, text)                                                                             \
	"{'_type':'block','_key':'" key "','style':'normal','markDefs':[],'children':[{'_type':" \
	"'span','_key':'s','text':'" text "','marks':[]}]}"
#define CALLOUT "{'_type':'callout','_key':'c','tone':'warn','text':'a --> b','n':[1,null,0.1]}"
#define NOTED                                                                                  \
	"{'_type':'block','_key':'n','style':'normal','markDefs':[{'_key':'m','_type':'note'," \
	"'text':'see'}],'children':[{'_type':'span','_key':'s','text':'noted words','marks':['m']}]}"

static void
a_document_of_every_kind_is_written_plainly(void **state)
{
	static const char text[] = "# Title\n\n"
				   "Some *emphasis*, **strong**, `code`, ~~gone~~, <u>line</u> and "
				   "[a *link*](https://x.org/a?b=1&c=2).<br>Next line.\n\n"
				   "- one\n  - two\n    1. three\n- four\n1. five\n\n"
				   "> quoted\n\n> again\n\n"
				   "```js\nlet a = \"`\";\n\n# no heading\n```\n\n"
				   "![alt \\[text\\]](<https://x.org/a b.png>)\n\n---\n\n"
				   "<!--empty-->\n\n\\####### seven";

	assert_string_equal(again(*state, text), text);
}

/* Returns the losses of a text, by line: "1 a table; 3 ...". */
static const char *
losses_of(struct stet_call *call, const char *text)
{
	json_t *lost = stet_json_own(call, json_array());
	const char *all = "";

	if (markdown_read_lost(call, "body", text, NULL, lost) == NULL)
		fail_msg("%s", text);
	for (size_t i = 0; i < json_array_size(lost); i++) {
		const json_t *one = json_array_get(lost, i);

		assert_string_equal(json_string_value(json_object_get(one, "field")), "body");
		all = stet_printf(call, "%s%s%d %s", all, i > 0 ? "; " : "",
		    (int)json_integer_value(json_object_get(one, "line")),
		    json_string_value(json_object_get(one, "what")));
	}
	return all;
}

static void
what_blocks_do_not_express_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *lost;
	} cases[] = {
		{ "a\n\n[![i](/i.png)](/x \"t\")", "3 the title of a link around a picture" },
		{ "> | a |\n> |---|", "1 a table in a quotation" },
		{ "- a\n\n  <div>", "3 HTML in a list" },
		{ "- a\n\n  b", "3 a paragraph in a list item, which stands behind it" },
		{ "- a\n\n      code", "3 code in a list" },
		{ "> ```\n> x\n> ```", "2 code in a quotation" },
		{ "> > x", "1 a quotation in a quotation" },
		{ "> # h", "1 a quotation around a heading" },
		/* These texts lose nothing, although some look so. */
		{ "```\n| a |\n|---|\n- [ ] x\n```", "" },
		{ "| a | b |\n|--|--|\n| 1 | 2 |\n\n- [ ] x\n- [x] y\n\n5. five", "" },
		{ "text ![i](/i.png \"t\") z [l](/x \"t\")\n\n- > ![i](/i.png)\n\n[^1]: a", "" },
		{ "![i](/i.png)\n\n[l](/x)\n\n> q\n\n1. a\n   - b\n2. c", "" },
		{ "\\| a |<br>|---|<br>| b |\n\n- \\[ \\] x\n\na --- b\n---", "" },
		{ "", "" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *lost = losses_of(*state, cases[i].text);

		if (strcmp(lost, cases[i].lost) != 0)
			fail_msg("%s\nloses %s\nnot   %s", cases[i].text, lost, cases[i].lost);
		/* Markdown that stet writes loses nothing. */
		assert_string_equal(losses_of(*state, again(*state, cases[i].text)), "");
	}
}

static void
a_text_that_loses_much_tells_a_hundred(void **state)
{
	json_t *lost = stet_json_own(*state, json_array());
	char text[8001] = "";

	for (size_t i = 0; i < 1000; i++)
		memcpy(text + 8 * i, "> > a\n\n\n", 9);
	assert_non_null(markdown_read_lost(*state, "body", text, NULL, lost));
	assert_int_equal(json_array_size(lost), 100);
	assert_string_equal(json_string_value(json_object_get(json_array_get(lost, 99), "what")),
	    "and more that is not listed");
}

static void
what_assistants_write_is_read(void **state)
{
	static const struct {
		const char *given, *means;
	} cases[] = {
		{ "Title\n=====\n\nSub\n---\ntext", "# Title\n\n## Sub\n\ntext" },
		{ "a\nb\n\nc  \nd\\\ne", "a b\n\nc<br>d<br>e" },
		{ "* a\n    * b\n\n    * c\n* d", "- a\n  - b\n  - c\n- d" },
		{ "1) a\n   - b\n2) c", "1. a\n   - b\n1. c" },
		{ "- # a\n- > b", "- # a\n- > b" },
		{ "__b__ and _i_ and ***both***", "**b** and *i* and ***both***" },
		{ "snake_case_name and 2 * 3", "snake_case_name and 2 \\* 3" },
		{ "<b>x</b> <del>y</del><br/>z", "**x** ~~y~~<br>z" },
		{ "<https://x.org> https://x.org/a?b=1&c=2, www.x.org a@x.org",
		    "<https://x.org> <https://x.org/a?b=1&c=2>, "
		    "[www\\.x.org](http://www.x.org) [a\\@x.org](mailto:a@x.org)" },
		{ "[t](x \"title\") ![i](y)", "[t](x \"title\") ![i](y)" },
		{ "[](x)", "[x](x)" },
		{ "&copy; &Aacute;&ngE; &copyx; &nosuch; &#0; &AMP;",
		    "\xc2\xa9 \xc3\x81\xe2\x89\xa7\xcc\xb8 \\&copyx; \\&nosuch; "
		    "\xef\xbf\xbd \\&" },
		{ "a\n\n    code\n      more\n\n    rest\n\nb",
		    "a\n\n```\ncode\n  more\n\nrest\n```\n\nb" },
		{ "a\n    b", "a b" },
		{ "a &amp; b &lt;c&gt; &#233;&#x41;&nbsp;.", "a & b \\<c> éA\xc2\xa0." },
		{ "~~~\nx\n~~~\n```py\n- y", "```\nx\n```\n\n```py\n- y\n```" },
		{ "> a\n> b\nc\n>\n> d", "> a b c\n\n> d" },
		{ "| a |\n|---|\n| b |", "| a |\n| --- |\n| b |" },
		{ "a | *b* | c\n:-- | --: | :-:\n1 | `x\\|y` | a\\|b<br>c\nmore",
		    "| a | *b* | c |\n| :-- | --: | :-: |\n| 1 | `x\\|y` | a\\|b<br>c |\n"
		    "| more | | |" },
		{ "- [ ] a\n  - [x] b\n1. [X] c", "- [ ] a\n  - [x] b\n1. [x] c" },
		{ "5. a\n   - b\n6. c\n\nx\n\n0. d", "5. a\n   - b\n1. c\n\nx\n\n0. d" },
		{ "a[^1] and [^n_o].\n\n[^1]: See [b](c).\n    More.\n\n    On.\n[^2]: two",
		    "a[^1] and \\[^n_o\\].\n\n[^1]: See [b](c). More.<br><br>On.\n\n[^2]: two" },
		{ "[![a *b*](/b.png \"t\")](/c) x\n\n[![a](/b.png)](/c)",
		    "[![a b](/b.png \"t\")](/c) x\n\n[![a](/b.png)](/c)" },
		{ "a <kbd>x</kbd> Vec<String> <!-- n -->",
		    "a <kbd>x</kbd> Vec\\<String> <!-- n -->" },
		{ "<div class=\"a\">\n*x*\n</div>\n\ny", "<div class=\"a\">\n*x*\n</div>\n\ny" },
		{ "In\n1986. it was", "In 1986. it was" },
		{ "* * *\n***\n___", "---\n\n---\n\n---" },
		{ "**open *and [not](closed <b>", "\\*\\*open \\*and \\[not\\](closed \\<b>" },
		{ "a\r\n\r\nb\r\n", "a\n\nb" },
		{ "[a][r] and [r]\n\n[r]: /x?a&amp;b", "[a](/x?a&b) and [r](/x?a&b)" },
		{ "1. a\n\n   more\n2. b", "1. a\n\nmore\n\n1. b" },
		{ "- a\n  ```\n  x\n  ```", "- a\n\n```\nx\n```" },
		{ "> # t\n> - i", "# t\n\n- > i" },
		{ "- a\n  - <!--empty-->\n    - b", "- a\n  - <!--empty-->\n    - b" },
		{ "[a *b <!--block {\"_type\":\"t\",\"_key\":\"k\"}--> c* d](x)",
		    "[a <em>b </em>](x)\n\n<!--block {\"_type\":\"t\",\"_key\":\"k\"}-->\n\n"
		    "<em> c</em> d" },
		{ "![a *b*](x) ![](y)", "![a b](x) ![](y)" },
		{ "![](y)", "![](y)" },
		{ "a ~b~ c~", "a ~~b~~ c\\~" },
		{ "<p>x</p> <!-- note -->", "<p>x</p> <!-- note -->" },

		{ "", "" },
		{ " \n\n ", "" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(again(*state, cases[i].given), cases[i].means);
}

static void
text_that_looks_like_a_sign_is_no_sign(void **state)
{
	static const char *const texts[] = { "# a", "1. a", "12) a", "- a", "* a", "+ a", "> a",
		"---", "***", "===", "```", "~~~", "| a |", "_a_", "__a__", "*a*", "[a](b)",
		"![a](b)", "`a`", "<b>a</b>", "<br>", "&amp;", "&#32;", "<!--block {}-->",
		"<!--empty-->", "<!--inline {}-->", " a", "a ", "\\\\*", "a\\nb", "\\n", "\\ta",
		"a\\\\", "<https://x.org>", "~~a~~", "!" };

	for (size_t i = 0; i < COUNT(texts); i++) {
		json_t *blocks = json(*state, stet_printf(*state, "[" P("a", "%s") "]", texts[i]));
		const char *text = markdown_write(*state, blocks);
		bool whole, same;

		if (strstr(text, BLOCK_MARK "{") == text)
			fail_msg("%s is JSON", texts[i]);
		if (!json_equal(stet_json_own(*state, blocks_plain(blocks, &whole)),
			stet_json_own(*state, blocks_plain(read_text(*state, text, NULL), &same))))
			fail_msg("%s is written as %s", texts[i], text);
		assert_true(whole && strstr(text, BLOCK_MARK "{") != text);
	}
}

/* Random documents (xorshift). */
static void
any_document_comes_back_as_it_was(void **state)
{
	uint64_t x = 88172645463325252ULL;
	int plain = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct stet_call *call = call_new();
		uint8_t noise[160];
		struct bytes bytes = { noise, noise + sizeof(noise) };
		json_t *blocks, *back;
		const char *text;
		bool whole, same;

		for (size_t j = 0; j < sizeof(noise); j++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			noise[j] = (uint8_t)(x >> 32);
		}
		blocks = stet_json_own(call, blocks_make(&bytes));
		text = markdown_write(call, blocks);
		assert_true(json_equal(read_text(call, text, blocks), blocks));
		back = stet_json_own(call, blocks_plain(read_text(call, text, NULL), &same));
		plain += stet_json_own(call, blocks_plain(blocks, &whole)) != NULL && whole;
		if (whole && !json_equal(stet_json_own(call, blocks_plain(blocks, &same)), back))
			fail_msg("%s", text);
		call_free(call);
	}
	assert_true(plain > 500);
}

static void
an_edit_changes_the_block_that_it_edits(void **state)
{
	json_t *stored =
	    json(*state, "[" P("a", "One.") "," P("b", "Two words.") "," CALLOUT "," NOTED
								     "," P("d", "Four.") "]");
	const char *text = markdown_write(*state, stored);
	json_t *back;

	assert_non_null(strstr(text, "<!--block {\"_type\":\"callout\",\"_key\":\"c\""));
	assert_non_null(strstr(text, "a -\\u002d> b"));
	back = read_text(*state,
	    "One.\n\nNew here.\n\nTwo other words.\n\n"
	    "<!--block {\"_type\":\"callout\",\"_key\":\"c\",\"tone\":\"info\"}-->\n\n"
	    "Four.\n\nnoted words",
	    stored);
	assert_int_equal(json_array_size(back), 6);
	assert_true(json_equal(json_array_get(back, 0), json_array_get(stored, 0)));
	assert_true(strcmp(key(back, 1), "b") != 0);
	assert_string_equal(key(back, 2), "b");
	assert_string_equal(
	    json_string_value(json_object_get(
		json_array_get(json_object_get(json_array_get(back, 2), "children"), 0), "_key")),
	    "s");
	assert_string_equal(
	    json_string_value(json_object_get(json_array_get(back, 3), "tone")), "info");
	assert_true(json_equal(json_array_get(back, 4), json_array_get(stored, 4)));
	assert_true(json_equal(json_array_get(back, 5), json_array_get(stored, 3)));
}

static void
keys_of_links_stay_and_new_keys_are_unique(void **state)
{
	json_t *stored = json(*state,
	    "[{'_type':'block','_key':'a','style':'normal','markDefs':[{'_type':'link','_key':'l1',"
	    "'href':'x'}],'children':[{'_type':'span','_key':'s1','text':'read the page','marks':['l1']}]}]");
	json_t *back = read_text(*state,
	    "[read the page](x) [on](y)\n\nmore\n\nmore\n\n"
	    "<!--block {\"_type\":\"t\",\"_key\":\"k\"}-->\n\n"
	    "<!--block {\"_type\":\"t\",\"_key\":\"k\"}-->",
	    stored);
	const json_t *defs = json_object_get(json_array_get(back, 0), "markDefs");

	assert_string_equal(key(back, 0), "a");
	assert_string_equal(key(defs, 0), "l1");
	for (size_t i = 0; i < json_array_size(back); i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(key(back, i), key(back, j));
}

static void
a_link_that_would_run_something_is_text(void **state)
{
	static const char *const addresses[] = { "javascript:alert(1)", "JavaScript:alert%281%29",
		"VBSCRIPT:x", "java&#9;script:alert(1)", "&#1;javascript:alert(1)" };
	static const char *const links[] = { "javascript",
		"/javascript:", "https://a.example/javascript:", "mailto:a@b.example" };
	char text[128];

	for (size_t i = 0; i < COUNT(addresses) + COUNT(links); i++) {
		const bool is_link = i >= COUNT(addresses);
		json_t *back, *block;

		snprintf(text, sizeof(text), "[read](%s) on",
		    is_link ? links[i - COUNT(addresses)] : addresses[i]);
		back = markdown_read_foreign(*state, "body", text, NULL);
		block = json_array_get(back, 0);
		assert_int_equal(
		    json_array_size(json_object_get(block, "markDefs")), is_link ? 1 : 0);
		assert_int_equal(
		    json_array_size(json_object_get(block, "children")), is_link ? 2 : 1);
	}
}

/* A stored link of this kind does not prevent edits of other parts. */
static void
such_a_link_that_is_stored_stays_where_it_is_not_edited(void **state)
{
	json_t *stored = json(*state,
	    "[{'_type':'block','_key':'a','style':'normal','markDefs':[{'_type':'link','_key':'l',"
	    "'href':'javascript:x'}],'children':[{'_type':'span','_key':'s','text':'read','marks':['l']}]}]");
	json_t *back = read_text(*state, "[read](javascript:x)\n\nmore", stored);

	assert_int_equal(json_array_size(back), 2);
	assert_true(json_equal(json_array_get(back, 0), json_array_get(stored, 0)));
}

static void
an_edit_that_loses_something_is_refused(void **state)
{
	static const struct {
		const char *text, *key;
	} cases[] = {
		{ "One.\n\nnoted word", "\"n\"" },
		{ "One.", "\"n\"" },
		{ "noted words", "\"c\"" },
		{ "", "\"c\"" },
		{ "<!--block {\"_type\":\"callout\"-->", "damaged" },
		{ "<!--block 3-->", "damaged" },
		{ "<!--block {\"_type\":\"callout\"}", "damaged" },
		{ "a <!--inline nothing--> b", "damaged" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct stet_call *call = call_new();
		const char *stored = strstr(cases[i].text, "noted words") != NULL
					 ? "[" CALLOUT "," NOTED "]"
					 : "[" P("a", "One.") "," CALLOUT "," NOTED "]";

		assert_null(markdown_read(call, "body", cases[i].text, json(call, stored)));
		assert_int_equal(stet_issues(call), STET_VALIDATION_ERROR);
		if (strstr(stet_error_text(call), cases[i].key) == NULL)
			fail_msg("%s: %s", cases[i].text, stet_error_text(call));
		call_free(call);
	}
}

/* Such a text makes hundreds of thousands of allocations, which sanitizers slow down. */
#ifdef STET_SANITIZED
#define HOSTILE_LEN (MARKDOWN_MAX / 32)
#else
#define HOSTILE_LEN MARKDOWN_MAX
#endif

static void
hostile_text_is_read_in_bounded_time(void **state)
{
	static const char *const parts[] = { "*a ", "[", "](", "`", "``` ", "<b>", "<", "**_~~",
		"&", "> ", "- ", "\n- ", "![", "<!--inline ", "~~a", "\\", "*", "\n```\n", "[a](",
		"a\n", "![[]()", "[a]: u\n", "<!--", "<?", "*_", "- - - -\n", "\n\n  - " };

	for (size_t i = 0; i < COUNT(parts); i++) {
		struct stet_call *call = call_new();
		size_t len = strlen(parts[i]), n = HOSTILE_LEN / len;
		char *text = stet_alloc(call, n * len + 2);

		for (size_t j = 0; j < n; j++)
			memcpy(text + j * len, parts[i], len);
		if (markdown_read(call, "body", text, NULL) == NULL)
			assert_int_equal(stet_issues(call), STET_VALIDATION_ERROR);
		call_free(call);
	}
	assert_null(markdown_read(*state, "body", "\xff", NULL));
	assert_int_equal(stet_issues(*state), STET_VALIDATION_ERROR);
}

static void
fill(char **to, const char *with, size_t times)
{
	for (; times > 0; times--)
		*to = stpcpy(*to, with);
}

/* Each use of a reference copies its URL: 2 GB of them here. */
static void
references_that_repeat_too_much_are_refused(void **state)
{
	char *text = stet_alloc(*state, MARKDOWN_MAX + 1), *to = stpcpy(text, "[a]: ");

	fill(&to, "u", MARKDOWN_MAX / 4);
	fill(&to, "\n\n", 1);
	fill(&to, "[a] ", MARKDOWN_MAX / 8);
	assert_null(markdown_read(*state, "body", text, NULL));
	assert_int_equal(stet_issues(*state), STET_VALIDATION_ERROR);
	if (strstr(stet_error_text(*state), "repeat") == NULL)
		fail_msg("%s", stet_error_text(*state));
}

/* Each of the nested lists examines an empty line below them. */
static void
lists_in_lists_are_read_to_the_tenth_level(void **state)
{
	char *text = stet_alloc(*state, MARKDOWN_MAX + 1), *to = text;
	const json_t *blocks, *last;

	fill(&to, "- ", 100);
	fill(&to, "x", 1);
	fill(&to, "\n", MARKDOWN_MAX - 201);
	blocks = read_text(*state, text, NULL);
	assert_int_equal(json_array_size(blocks), 100);
	last = json_array_get(blocks, 99);
	assert_int_equal(json_integer_value(json_object_get(last, "level")), LEVEL_MAX);
	to = text;
	fill(&to, "a\n", 10);
	fill(&to, "1. - >", MARKDOWN_MAX / 12);
	fill(&to, "\n", MARKDOWN_MAX / 2 - 20);
	assert_null(markdown_read(*state, "body", text, NULL));
	assert_int_equal(stet_issues(*state), STET_VALIDATION_ERROR);
	assert_non_null(strstr(stet_error_text(*state), "too many"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_document_of_every_kind_is_written_plainly),
		check(what_assistants_write_is_read),
		check(what_blocks_do_not_express_is_told_with_its_line),
		check(a_text_that_loses_much_tells_a_hundred),
		check(text_that_looks_like_a_sign_is_no_sign),
		check(any_document_comes_back_as_it_was),
		check(an_edit_changes_the_block_that_it_edits),
		check(keys_of_links_stay_and_new_keys_are_unique),
		check(a_link_that_would_run_something_is_text),
		check(such_a_link_that_is_stored_stays_where_it_is_not_edited),
		check(an_edit_that_loses_something_is_refused),
		check(hostile_text_is_read_in_bounded_time),
		check(references_that_repeat_too_much_are_refused),
		check(lists_in_lists_are_read_to_the_tenth_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
