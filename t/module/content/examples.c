/*
 * examples.c - the examples of the specifications of CommonMark and of GitHub's Markdown: after
 * Markdown, Portable Text and Markdown, each has the text and the links that its HTML has.
 *
 * The specifications are not part of stet: the files spec.txt and gfm.txt of shared/data/markdown.
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
#include "call/call.h"
#include "markdown/markdown.h"
#include <ctype.h>
#include <gumbo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FENCE "````````````````````````````````"

/*
 * How many examples may differ. It depends on the version of md4c, and on that of GitHub's text:
 *
 *   md4c                  CommonMark 0.31.2   GitHub's of 2019, of 2022
 *   0.4.8 (Debian 12)     10                  10, 9
 *   0.5.2 (Debian 13)     8                   10, 8
 *
 * In both, three of each have bare addresses, which GitHub's Markdown links and CommonMark does
 * not; four or five have tags that no HTML knows, which are kept as text; one of CommonMark's has
 * a link without words, which shows its address. In the rest md4c follows another version of the
 * specification (currency signs beside asterisks, comments without a text), and GitHub's text of
 * 2019 has comments as they were before CommonMark 0.31.
 */
#define DIFFER_MAX 10

/* What a reader sees: letters without blanks, and the addresses in their order. */
struct seen {
	FILE *letters, *links;
	char last[2000]; /* the address before */
	char *text, *list;
	size_t text_len, list_len;
};

static void
seen_open(struct seen *s)
{
	*s->last = '\0';
	s->letters = open_memstream(&s->text, &s->text_len);
	s->links = open_memstream(&s->list, &s->list_len);
	assert_true(s->letters != NULL && s->links != NULL);
}

static void
seen_close(struct seen *s)
{
	assert_int_equal(fclose(s->letters), 0);
	assert_int_equal(fclose(s->links), 0);
}

static void
see_text(struct seen *s, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		if (!isspace((unsigned char)*text))
			(void)fputc(*text, s->letters);
}

/* Writers of HTML escape some characters of addresses, others do not. */
static void
see_link(struct seen *s, const char *href)
{
	char pair[3] = "";

	/* A link around a picture is one before it and one of it. */
	if (strcmp(s->last, href) == 0)
		return;
	(void)snprintf(s->last, sizeof(s->last), "%s", href);
	for (; *href != '\0'; href++)
		if (*href == '%' && isxdigit((unsigned char)href[1]) &&
		    isxdigit((unsigned char)href[2])) {
			memcpy(pair, href + 1, 2);
			(void)fputc((int)strtol(pair, NULL, 16), s->links);
			href += 2;
		} else
			(void)fputc(*href, s->links);
	(void)fputc('\n', s->links);
}

static void
see_node(struct seen *s, const GumboNode *node)
{
	const GumboAttribute *address, *alt;

	if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA)
		see_text(s, node->v.text.text);
	if (node->type != GUMBO_NODE_ELEMENT)
		return;
	address = gumbo_get_attribute(
	    &node->v.element.attributes, node->v.element.tag == GUMBO_TAG_A ? "href" : "src");
	alt = gumbo_get_attribute(&node->v.element.attributes, "alt");
	if (address != NULL && *address->value != '\0')
		see_link(s, address->value);
	if (alt != NULL)
		see_text(s, alt->value);
	for (unsigned i = 0; i < node->v.element.children.length; i++)
		see_node(s, node->v.element.children.data[i]);
}

static void
see_html(struct seen *s, const char *html)
{
	GumboOutput *out = gumbo_parse(html);

	see_node(s, out->root);
	gumbo_destroy_output(&kGumboDefaultOptions, out);
}

/* ---- blocks as HTML ---- */

static const char *
member(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

static void
put_escaped(FILE *out, const char *s)
{
	for (; *s != '\0'; s++)
		if (strchr("<>&\"", *s) != NULL)
			(void)fprintf(out, "&#%d;", *s);
		else
			(void)fputc(*s, out);
}

static void
put_image(FILE *out, const json_t *image)
{
	if (*member(image, "link") != '\0') {
		(void)fputs("<a href=\"", out);
		put_escaped(out, member(image, "link"));
		(void)fputs("\">", out);
	}
	(void)fputs("<img src=\"", out);
	put_escaped(out, member(json_object_get(image, "asset"), "url"));
	(void)fputs("\" alt=\"", out);
	put_escaped(out, member(image, "alt"));
	(void)fputs(*member(image, "link") != '\0' ? "\"></a>" : "\">", out);
}

/* The address that the marks of a span name, or NULL. */
static const char *
href_of(const json_t *span, const json_t *defs)
{
	const json_t *marks = json_object_get(span, "marks");

	for (size_t i = 0; i < json_array_size(marks); i++)
		for (size_t k = 0; k < json_array_size(defs); k++)
			if (strcmp(member(json_array_get(defs, k), "_key"),
				json_string_value(json_array_get(marks, i))) == 0)
				return member(json_array_get(defs, k), "href");
	return NULL;
}

static void
put_spans(FILE *out, const json_t *block, const char *name)
{
	const json_t *children = json_object_get(block, name);
	const char *open = NULL;

	for (size_t i = 0; i < json_array_size(children); i++) {
		const json_t *child = json_array_get(children, i);
		const char *href = href_of(child, json_object_get(block, "markDefs"));

		if (href != open && open != NULL)
			(void)fputs("</a>", out);
		if (href != open && href != NULL) {
			(void)fputs("<a href=\"", out);
			put_escaped(out, href);
			(void)fputs("\">", out);
		}
		open = href;
		if (strcmp(member(child, "_type"), "image") == 0)
			put_image(out, child);
		(void)fputs(member(child, "html"), out);
		put_escaped(out, member(child, "text"));
	}
	(void)fputs(open != NULL ? "</a>\n" : "\n", out);
}

static void
put_block(FILE *out, const json_t *block)
{
	const json_t *rows = json_object_get(block, "rows");

	if (strcmp(member(block, "_type"), "image") == 0)
		put_image(out, block);
	put_escaped(out, member(block, "code"));
	(void)fputs(member(block, "html"), out);
	put_spans(out, block, "children");
	for (size_t i = 0; i < json_array_size(rows); i++) {
		const json_t *cells = json_object_get(json_array_get(rows, i), "cells");

		for (size_t k = 0; k < json_array_size(cells); k++)
			put_spans(out, json_array_get(cells, k), "content");
	}
}

static void
see_blocks(struct seen *s, const json_t *blocks)
{
	char *html;
	size_t len;
	FILE *out = open_memstream(&html, &len);

	assert_non_null(out);
	for (size_t i = 0; i < json_array_size(blocks); i++)
		put_block(out, json_array_get(blocks, i));
	assert_int_equal(fclose(out), 0);
	see_html(s, html);
	free(html);
}

/* ---- examples ---- */

/* Does the text of an example come back with the text and links of its HTML? */
static bool
comes_back(const char *markdown, const char *html)
{
	struct stet_call *call = call_new();
	const json_t *blocks = markdown_read(call, "b", markdown, NULL);
	struct seen want, got;
	bool same = false;

	seen_open(&want);
	seen_open(&got);
	see_html(&want, html);
	if (blocks != NULL)
		blocks = markdown_read(call, "b", markdown_write(call, blocks), NULL);
	if (blocks != NULL)
		see_blocks(&got, blocks);
	seen_close(&want);
	seen_close(&got);
	same =
	    blocks != NULL && strcmp(want.text, got.text) == 0 && strcmp(want.list, got.list) == 0;
	if (!same && getenv("STET_EXAMPLES") != NULL)
		print_message("# %s#   want %s | %s#   got  %s | %s", markdown, want.text,
		    want.list, got.text, got.list);
	free(want.text);
	free(want.list);
	free(got.text);
	free(got.list);
	call_free(call);
	return same;
}

/* The specifications show tabs as arrows. */
static void
put_tabs(char *s)
{
	static const char arrow[] = "\xe2\x86\x92";
	char *to = s;

	while (*s != '\0')
		if (strncmp(s, arrow, 3) == 0) {
			*to++ = '\t';
			s += 3;
		} else
			*to++ = *s++;
	*to = '\0';
}

static void
hold_examples(const char *text, int *count, int *differ)
{
	char *copy = strdup(text), *at = copy;

	assert_non_null(copy);
	while ((at = strstr(at, FENCE " example")) != NULL) {
		char *markdown = strchr(at, '\n') + 1, *html, *end;

		html = *markdown == '.' ? markdown - 1 : strstr(markdown, "\n.\n");
		assert_non_null(html);
		end = strstr(html + 2, "\n" FENCE); /* the HTML may be empty */
		assert_non_null(end);
		at = end + strlen(FENCE);
		*end = '\0';
		if (html >= markdown)
			html[1] = '\0';
		put_tabs(markdown);
		html = html + 3 < end ? html + 3 : end;
		put_tabs(html);
		(*count)++;
		*differ += !comes_back(*markdown == '.' ? "" : markdown, html);
	}
	free(copy);
}

/* Returns a file of the specifications, or NULL. */
static char *
file_of(const char *name)
{
	char path[600], *text;
	struct stat st;
	FILE *f;

	(void)snprintf(
	    path, sizeof(path), "%s/../shared/data/markdown/%s", getenv("STET_SOURCE"), name);
	f = fopen(path, "re");
	if (f == NULL)
		return NULL;
	assert_int_equal(fstat(fileno(f), &st), 0);
	text = calloc(1, (size_t)st.st_size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)st.st_size, f), st.st_size);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void
hold_file(const char *name)
{
	char *text = file_of(name);
	int count = 0, differ = 0;

	if (text == NULL) {
		print_message("# skipped: shared/data/markdown/%s is not here\n", name);
		return;
	}
	hold_examples(text, &count, &differ);
	free(text);
	print_message("# %s: %d examples, %d differ\n", name, count, differ);
	assert_true(count > 600 && differ <= DIFFER_MAX);
}

static void
examples_of_commonmark_come_back(void **state)
{
	(void)state;
	hold_file("spec.txt");
}

static void
examples_of_github_come_back(void **state)
{
	(void)state;
	hold_file("gfm.txt");
}

#define EXAMPLE(markdown, html) FENCE " example\n" markdown "\n.\n" html "\n" FENCE "\n"

/* Of our own, so that this test runs where the files are not; the last two differ. */
static void
what_differs_is_found(void **state)
{
	static const char text[] = EXAMPLE("a *b* [c](/d \"e\") <f@g.h>",
	    "<p>a <em>b</em> <a href=\"/d\">c</a> <a href=\"mailto:f@g.h\">f@g.h</a></p>")
	    EXAMPLE("| a | b |\n| - | - |\n| ![c](d) | `e` |",
		"<table><tr><th>a<th>b<tr><td><img src=\"d\" alt=\"c\"><td>e</table>")
		EXAMPLE("<div>\n*a*\n</div>\n\nb <i class=\"c\">d</i>",
		    "<div>*a*</div><p>b <i class=\"c\">d</i></p>") EXAMPLE("\xe2\x86\x92"
									   "code &amp;",
		    "<pre><code>code &amp;amp;</code></pre>") EXAMPLE("- [ ] a\n\n      b",
		    "<ul><li><input type=checkbox> a<pre>b</pre></ul>") EXAMPLE("a", "<p>b</p>")
		    EXAMPLE("[a](/b)", "<p><a href=\"/c\">a</a></p>");
	int count = 0, differ = 0;

	(void)state;
	hold_examples(text, &count, &differ);
	assert_int_equal(count, 7);
	assert_int_equal(differ, 2);
}

/* What versions of md4c read differently comes back with each of them. */
static void
versions_are_alike(void **state)
{
	static const char text[] = EXAMPLE("a <!-- b -- c --- --> d <!-- e\nf -- g --->",
	    "<p>a <!-- b --> d <!-- e f -- g --></p>")
	    EXAMPLE("<textarea>\n\n*a*\n\n`b`\n</textarea>\n\n*c*", "<textarea>*a*`b`</textarea>c")
		EXAMPLE("www.a.example/b?c=(d))+e (http://a.example/(b))).",
		    "<p><a href=\"http://www.a.example/b?c=(d))+e\">www.a.example/b?c=(d))+e</a> "
		    "(<a href=\"http://a.example/(b)\">http://a.example/(b)</a>)).</p>")
		    EXAMPLE(
			"https://a.example/b<c and *www.a.example/?b&amp;c=d&hl;*, [www.b.example]",
			"<p><a href=\"https://a.example/b\">https://a.example/b</a>&lt;c and "
			"<em><a href=\"http://www.a.example/?b&amp;c=d\">www.a.example/?b&amp;c=d</a>"
			"&amp;hl;</em>, [<a href=\"http://www.b.example\">www.b.example</a>]</p>")
			EXAMPLE("| a |\n| - |\n| http://a.example/a\\_b\\|c www.a_b.example |",
			    "<table><tr><th>a<tr><td><a href=\"http://a.example/a_b|c\">"
			    "http://a.example/a_b|c</a> www.a_b.example</table>")
			    EXAMPLE("awww.b.example ahttp://c \\www.d.example `www.e.example` "
				    "[www.f.example](/g)",
				"<p>awww.b.example ahttp://c \\www.d.example <code>www.e.example</code> "
				"<a href=\"/g\">www.f.example</a></p>");
	int count = 0, differ = 0;

	(void)state;
	hold_examples(text, &count, &differ);
	assert_int_equal(count, 6);
	assert_int_equal(differ, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_differs_is_found),
		cmocka_unit_test(versions_are_alike),
		cmocka_unit_test(examples_of_commonmark_come_back),
		cmocka_unit_test(examples_of_github_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
