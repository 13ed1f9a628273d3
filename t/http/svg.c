/* svg.c - uploads in SVG: refused, or stored without all that could run or load something. */
#include "uploads.h"

#include <stdio.h>
#include <stdlib.h>

#define NS "xmlns=\"http://www.w3.org/2000/svg\""
#define IN(content) "<svg " NS ">" content "</svg>"
#define XLINK "xmlns:xlink='http://www.w3.org/1999/xlink'"
#define PIXEL "data:image/png;base64,iVBORw0KGgo="
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int
begin(void **state)
{
	assert_int_equal(library_start(state), 0);
	json_decref(remote_must(&library.by_admin, 200, "PUT", "{\"values\":{\"allowSvg\":true}}",
	    "/admin/plugins/media/settings"));
	return 0;
}

static void
send_svg(struct answer *a, const char *text)
{
	upload(library.daemon, a, library.admin,
	    &(struct file){ "a.svg", "image/svg+xml", text, strlen(text), NULL });
}

/* Reads the stored file of an item. */
static void
read_stored(struct answer *a, const json_t *item)
{
	char path[300];

	(void)snprintf(path, sizeof(path), API "/media/file/%s", text_of(item, "storageKey"));
	ask(library.daemon, a, "GET", path);
	assert_int_equal(a->status, 200);
}

static void
becomes(const char *text, const char *wanted)
{
	struct answer a, file;

	send_svg(&a, text);
	if (a.status != 201 && a.status != 200)
		fail_msg("%s\n%s", text, a.body);
	read_stored(&file, item_of(&a));
	if (strlen(wanted) != file.len || memcmp(file.body, wanted, file.len) != 0)
		fail_msg("%s\nbecomes\n%.*s", text, (int)file.len, file.body);
	answer_free(&file);
	answer_free(&a);
}

static void
is_refused(const char *text, const char *why)
{
	struct answer a;

	send_svg(&a, text);
	if (a.status != 400 || strcmp(answer_code(&a), "INVALID_TYPE") != 0 ||
	    strstr(a.body, why) == NULL)
		fail_msg("%s\n%s", text, a.body);
	answer_free(&a);
}

/* ---- tests ---- */

static void
what_draws_is_kept(void **state)
{
	static const char *const all[] = {
		IN("<g fill=\"red\" transform=\"scale(2)\"><path d=\"M0 0h9\"></path></g>"),
		IN("<title>A &amp; B &lt;3</title><text x=\"1\" xml:space=\"preserve\">a  b</text>"),
		IN("<defs><linearGradient id=\"a\"><stop offset=\"0\"></stop></linearGradient></defs>"
		   "<rect fill=\"url(#a)\" width=\"9\"></rect><use href=\"#a\"></use>"),
		IN("<style>.a&gt;.b{fill:url('#a')}</style><circle class=\"a\" r=\"1\"></circle>"),
		IN("<style>/* of a program */.a{fill:red}</style>"),
		IN("<style>@media (prefers-color-scheme: dark){.a{fill:red}}</style>"),
		IN("<image href=\"" PIXEL "\" width=\"9\"></image>"),
		IN("<filter id=\"f\"><feGaussianBlur stdDeviation=\"2\"></feGaussianBlur></filter>"),
	};

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++)
		becomes(all[i], all[i]);
}

static void
what_runs_or_loads_is_left_out(void **state)
{
	static const char *const all[][2] = {
		{ IN("<script>alert(1)</script><g/>"), IN("<g></g>") },
		{ IN("<g onclick='alert(1)' ONLOAD='x' fill='red'/>"), IN("<g fill=\"red\"></g>") },
		{ IN("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>x</p></foreignObject>"),
		    IN("") },
		{ IN("<p xmlns='http://www.w3.org/1999/xhtml'><script>x</script></p>"), IN("") },
		{ IN("<h:script xmlns:h='http://www.w3.org/1999/xhtml'>x</h:script>"), IN("") },
		{ IN("<a href='javascript:alert(1)'><text>t</text></a>"), IN("<text>t</text>") },
		{ IN("<use href='https://a.example/x.svg#a'/><use href='#a'/>"),
		    IN("<use></use><use href=\"#a\"></use>") },
		{ IN("<use " XLINK " xlink:href='data:image/svg+xml,x'/>"), IN("<use></use>") },
		{ IN("<use " XLINK " xlink:href='#b' href='#b'/>"), IN("<use href=\"#b\"></use>") },
		{ IN("<image href='https://a.example/x.png'/>"), IN("<image></image>") },
		{ IN("<image href='data:image/svg+xml;base64,PHN2Zz4='/>"), IN("<image></image>") },
		{ IN("<image href='data:image/png;base64,A&quot;onload='/>"),
		    IN("<image></image>") },
		{ IN("<animate attributeName='href' values='javascript:x'/><set/>"), IN("") },
		{ IN("<g style='fill:url(https://a.example/x)'/>"), IN("<g></g>") },
		{ IN("<g fill='URL( &quot;//a.example/x#a&quot; )'/>"), IN("<g></g>") },
		{ IN("<g style='fill:u\\72l(//a.example/x)'/>"), IN("<g></g>") },
		{ IN("<g style='fill:image-set(&quot;//a.example/x&quot; 1x)'/>"), IN("<g></g>") },
		{ IN("<style>@import '//a.example/x';</style><g/>"), IN("<g></g>") },
		{ IN("<style>@media x{a{b:c}}@IMPORT '//a.example/x';</style><g/>"),
		    IN("<g></g>") },
		{ IN("<style><![CDATA[a{b:url(//a.example)}]]></style><g/>"), IN("<g></g>") },
		{ IN("<style>.a{}<script/></style>"), IN("<style>.a{}</style>") },
		{ IN("<metadata><x:y xmlns:x='urn:x'>Ann</x:y></metadata><!-- Ann --><g/>"),
		    IN("<g></g>") },
		{ "<?xml version='1.0'?><?xml-stylesheet href='//a.example/x.css'?>"
		  "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://a.example/x.dtd'>" IN(""),
		    IN("") },
		{ "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:g x:y='1' xmlns:x='urn:x'/></s:svg>",
		    IN("<g></g>") },
		{ IN("<g>&#60;script&#62;<![CDATA[<script>]]></g>"),
		    IN("<g>&lt;script&gt;&lt;script&gt;</g>") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++)
		becomes(all[i][0], all[i][1]);
}

static void
what_is_no_svg_is_refused_in_words(void **state)
{
	char deep[2000] = "<svg " NS ">";
	size_t head = strlen(deep);

	(void)state;
	is_refused("", "no element found");
	is_refused("words", "line 1");
	is_refused("<svg " NS "><g></svg>", "mismatched tag");
	is_refused("<svg/>", "not svg of the SVG namespace");
	is_refused("<html xmlns='http://www.w3.org/1999/xhtml'><svg " NS "/></html>", "not svg");
	is_refused("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg " NS ">&a;</svg>", "DOCTYPE");
	is_refused("<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" IN("&a;"), "DOCTYPE");
	is_refused("<!DOCTYPE svg SYSTEM 'x.dtd'>" IN("&a;"), "entity");
	for (int i = 0; i < 300; i++)
		memcpy(deep + head + 3 * (size_t)i, "<g>", 4);
	is_refused(deep, "too deeply");
}

static void
has_size(const char *attributes, int width, int height)
{
	char text[300];
	struct answer a;

	(void)snprintf(text, sizeof(text), "<svg " NS " %s/>", attributes);
	send_svg(&a, text);
	assert_string_equal(text_of(item_of(&a), "status"), "ready");
	assert_int_equal(json_integer_value(json_object_get(item_of(&a), "width")), width);
	assert_int_equal(json_integer_value(json_object_get(item_of(&a), "height")), height);
	assert_true(json_is_null(json_object_get(item_of(&a), "srcset")));
	answer_free(&a);
}

static void
its_size_is_that_of_its_first_element(void **state)
{
	(void)state;
	has_size("width='48' height='32px'", 48, 32);
	has_size("viewBox='0 0 24 16.4'", 24, 16);
	has_size("viewBox='-5,-5 , 24,16' width='100%' height='2em'", 24, 16);
	has_size("viewBox='0 0 24 16' width='48' height='32'", 48, 32);
	has_size("viewBox='0 0 24 16' width='3in' height='72pt'", 288, 96);
	has_size("viewBox='0 0 24 16' height='32'", 48, 32);
	has_size("viewBox='0 0 24 16' width='48' height='100%'", 48, 32);
	has_size("width='48'", 0, 0);
	has_size("viewBox='0 0 1e99 nan'", 0, 0);
	has_size("", 0, 0);
}

static void
it_is_served_so_that_nothing_runs(void **state)
{
	struct answer a, file;

	(void)state;
	send_svg(&a, IN("<g id='served'/>"));
	read_stored(&file, item_of(&a));
	assert_string_equal(answer_header(&file, "content-type"), "image/svg+xml");
	assert_string_equal(answer_header(&file, "x-content-type-options"), "nosniff");
	assert_non_null(strstr(answer_header(&file, "content-security-policy"), "sandbox"));
	assert_non_null(
	    strstr(answer_header(&file, "content-security-policy"), "default-src 'none'"));
	assert_int_equal(strncmp(answer_header(&file, "content-disposition"), "attachment", 10), 0);
	answer_free(&file);
	answer_free(&a);
}

/* The cleaned file has the size that was announced. */
static void
an_upload_in_three_steps_is_cleaned_too(void **state)
{
	static const char dirty[] = IN("<script>alert(1)</script><g id='steps'/>");
	static const char clean[] = IN("<g id=\"steps\"></g>");
	char body[300];
	struct answer file;
	json_t *data;
	struct client c;
	struct answer a;

	(void)state;
	(void)snprintf(body, sizeof(body),
	    "{\"filename\":\"a.svg\",\"contentType\":\"image/svg+xml\",\"size\":%zu}",
	    sizeof(dirty) - 1);
	data = remote_must(&library.by_admin, 200, "POST", body, "/media/upload-url");
	client_open(&c, library.daemon, false);
	client_say(&c,
	    "PUT %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nX-CMS-Request: 1\r\n"
	    "Content-Type: image/svg+xml\r\nContent-Length: %zu\r\n\r\n%s",
	    text_of(data, "uploadUrl"), library.admin, sizeof(dirty) - 1, dirty);
	client_answer(&c, &a, false);
	assert_int_equal(a.status, 200);
	answer_free(&a);
	client_close(&c);
	(void)snprintf(body, sizeof(body), "{\"size\":%zu}", sizeof(dirty) - 1);
	json_decref(remote_must(
	    &library.by_admin, 200, "POST", body, "/media/%s/confirm", text_of(data, "mediaId")));
	json_decref(data);
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media");
	read_stored(&file, json_array_get(json_object_get(data, "items"), 0));
	assert_int_equal(file.len, sizeof(dirty) - 1);
	assert_memory_equal(file.body, clean, sizeof(clean) - 1);
	assert_string_equal(file.body + sizeof(dirty) - 3, "\n\n");
	answer_free(&file);
	json_decref(data);
}

static void
it_is_refused_where_the_site_does_not_allow_it(void **state)
{
	struct answer a;

	(void)state;
	json_decref(remote_must(&library.by_admin, 200, "PUT",
	    "{\"values\":{\"allowSvg\":null,\"moreTypes\":\"image/\"}}",
	    "/admin/plugins/media/settings"));
	send_svg(&a, IN("<g id='off'/>"));
	assert_int_equal(a.status, 400);
	assert_string_equal(answer_code(&a), "INVALID_TYPE");
	answer_free(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_draws_is_kept),
		cmocka_unit_test(what_runs_or_loads_is_left_out),
		cmocka_unit_test(what_is_no_svg_is_refused_in_words),
		cmocka_unit_test(its_size_is_that_of_its_first_element),
		cmocka_unit_test(it_is_served_so_that_nothing_runs),
		cmocka_unit_test(an_upload_in_three_steps_is_cleaned_too),
		cmocka_unit_test(it_is_refused_where_the_site_does_not_allow_it),
	};

	return cmocka_run_group_tests(tests, begin, library_stop);
}
