/* order.c - conversion of post texts to Portable Text: order, links, and what is kept and told. */
#include "harness.h"
#include "rows.h"
#include <stet/portabletext.h>
#include <string.h>

#define SPANS(text) "'children':[{'_type':'span','text':'" text "'}]}"
#define TEXT(text) "{'_type':'block','style':'normal'," SPANS(text)
#define BULLET(text) "{'_type':'block','style':'normal','listItem':'bullet','level':1," SPANS(text)
#define IMAGE "{'_type':'image','asset':{'_type':'reference','_ref':'/a.png','url':'/a.png'}}"

static void
words_pictures_and_players_keep_their_order(void **state)
{
	static const struct row rows[] = {
		{ "<p>one<img src='/a.png'>two</p>",
		    "[" TEXT("one") "," IMAGE "," TEXT("two") "]" },
		{ "<p><img src='../../a.png'> one</p>", "[" IMAGE "," TEXT("one") "]" },
		{ "<ul><li>one<img src='/a.png'>two</li><li>three</li></ul>",
		    "[" BULLET("one") "," IMAGE "," TEXT("two") "," BULLET("three") "]" },
		{ "<ul><li><img src='/a.png'>one</li></ul>", "[" IMAGE "," BULLET("one") "]" },
		{ "<p>See</p><object width='450'><param name='movie' value='http://www.youtube.com/v/"
		  "abc'></param><embed src='http://www.youtube.com/v/abc' type='x'></embed>No player"
		  "</object><embed src='/b.swf'>",
		    "[" TEXT(
			"See") ",{'_type':'embed','url':'http://www.youtube.com/v/abc','provider':"
			       "'youtube'}," TEXT(
				   "No player") ",{'_type':'embed','url':'/b.swf'}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

/* The parser gets one character in place of long texts, which these texts have themselves. */
static void
long_texts_stay_as_they_are(void **state)
{
	static const struct row rows[] = {
		{ "<p>a &am<!-- x -->p; b, and so on to its end</p>",
		    "[" TEXT("a & b, and so on to its end") "]" },
		{ "<p>a\xee\x80\x80 b, and so on to its end</p>",
		    "[" TEXT("a\xee\x80\x80 b, and so on to its end") "]" },
		{ "<p>a&#57344; b, and so on to its end</p>",
		    "[" TEXT("a\xee\x80\x80 b, and so on to its end") "]" },
		{ "<p>a &notit;a whole line of \xc3\xa9 and \xe0\xa4\x95</p><table>and one before it",
		    "[" TEXT("a \xc2\xacit;a whole line of \xc3\xa9 and \xe0\xa4\x95") "," TEXT(
			"and one before it") ",{'_type':'table','rows':[],'hasHeaderRow':false}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

static void
links_of_good_schemes_stay_and_others_are_told(void **state)
{
	static const struct row rows[] = {
		{ "<p><a href='../other/'>rel</a> <a href='page.html'>p</a> <a href='?p=2'>q</a></p>",
		    "[{'_type':'block','style':'normal','children':[{'_type':'span','text':'rel',"
		    "'marks':['->../other/']},{'_type':'span','text':' '},{'_type':'span','text':'p',"
		    "'marks':['->page.html']},{'_type':'span','text':' '},{'_type':'span','text':'q',"
		    "'marks':['->?p=2']}],'markDefs':[{'_type':'link','href':'../other/'},{'_type':"
		    "'link','href':'page.html'},{'_type':'link','href':'?p=2'}]}]" },
	};
	static const char other[] = "<p><a href=\"skype:me?call\">s</a></p>";
	json_t *value, *lost;

	(void)state;
	rows_check(rows, COUNT(rows));
	assert_int_equal(convert_text(NULL, other, strlen(other), NULL, NULL, &value), STET_OK);
	assert_null(json_object_get(json_array_get(value, 0), "markDefs"));
	lost = convert_check(other, strlen(other), value);
	assert_string_equal(json_string_value(json_array_get(lost, 0)), "address: skype:me?call");
	json_decref(lost);
	json_decref(value);
}

static void
a_block_with_values_only_is_kept_and_told(void **state)
{
	static const char text[] = "<!-- wp:acf/quote {\"data\":{\"words\":\"Only here\"}} /-->";
	struct stet_html_counts shown, missing;
	json_t *value, *lost, *block;

	(void)state;
	convert_checked(text, strlen(text), &value, &lost, &shown, &missing);
	block = json_array_get(value, 0);
	assert_string_equal(
	    json_string_value(json_object_get(block, "originalBlockName")), "acf/quote");
	block = json_object_get(json_object_get(block, "originalAttrs"), "data");
	assert_string_equal(json_string_value(json_object_get(block, "words")), "Only here");
	assert_string_equal(json_string_value(json_array_get(lost, 0)),
	    "block: acf/quote, whose words are kept in its attributes");
	json_decref(lost);
	json_decref(value);
}

static void
the_text_beside_the_link_of_a_file_is_not_lost(void **state)
{
	static const struct row rows[] = {
		{ "<!-- wp:file -->vvv ext <a href='/b'>go</autt-->",
		    "[{'_type':'file','url':'/b','filename':'go','caption':'vvv ext',"
		    "'showDownloadButton':false}]" },
		{ "<!-- wp:file --><p>one <a href='/b'>go</a> two <a href='/c'>there</a></p>"
		  "<!-- /wp:file -->",
		    "[{'_type':'file','url':'/b','filename':'go','caption':'one two there',"
		    "'showDownloadButton':false,'links':[{'_type':'link','href':'/c'}]}]" },
	};

	(void)state;
	rows_check(rows, COUNT(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_pictures_and_players_keep_their_order),
		cmocka_unit_test(long_texts_stay_as_they_are),
		cmocka_unit_test(links_of_good_schemes_stay_and_others_are_told),
		cmocka_unit_test(a_block_with_values_only_is_kept_and_told),
		cmocka_unit_test(the_text_beside_the_link_of_a_file_is_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
