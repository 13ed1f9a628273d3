/*
 * platforms.c - exports of platforms on which people write, from fixtures that have the form and
 * the names of real ones. What each contains was counted by hand.
 */
#include "arrived.h"
#include "imported.h"
#include "importing.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GIF "sanity/images/5f1c2e9d0a7b4c3e8d6f1a2b3c4d5e6f70819293-1x1.gif"

/* Imports a zip file of fixtures. */
static struct arrived
zipped(const char *format, const struct arrived_file *files, const char *set, int status)
{
	char path[] = "/tmp/stet-zip-XXXXXX";
	int fd = mkstemp(path);
	struct arrived s;

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	arrived_zip(path, files);
	s = arrived_by(format, path, set, status);
	assert_int_equal(unlink(path), 0);
	return s;
}

/* ---- Notion ---- */

#define ID "1a2b3c4d5e6f47889900aabbccddee"
#define TOP "Export-7e1c/Home " ID "01"

static void
an_export_of_notion_is_imported(void **state)
{
	static const struct arrived_file files[] = { { TOP ".md", "notion/home.text" },
		{ TOP "/Tides " ID "02.md", "notion/tides.text" }, { TOP "/low tide.gif", GIF },
		{ TOP "/Tasks " ID "10.csv", "notion/tasks.csv" },
		{ TOP "/Tasks " ID "10_all.csv", "notion/tasks_all.csv" },
		{ TOP "/Tasks/Build wall " ID "11.md", "notion/wall.text" },
		{ TOP "/Tasks/Paint boat " ID "12.md", "notion/boat.text" },
		{ TOP "/Build wall/low.gif", GIF }, { NULL, NULL } };
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = zipped("notion", files, "status=published", 0);
	/* 2 pages, one inside the other; 3 rows, one of them without a page; 3 references. */
	ASK(&s, "SELECT count(*) FROM c_pages", "2");
	ASK(&s, "SELECT count(*) FROM c_tasks", "3");
	ASK(&s, "SELECT count(*) FROM media_items", "1");
	ASK(&s,
	    "SELECT p.slug FROM c_pages c JOIN c_pages p ON p.id = c.f_parent WHERE c.slug = "
	    "'tides'",
	    "home");
	ASK(&s,
	    "SELECT group_concat(line) FROM (SELECT t.slug || ' ' || r.slug AS line FROM c_tasks t,"
	    " json_each(t.f_related) j JOIN c_tasks r ON r.id = j.value ORDER BY line) AS l",
	    "build-wall paint-boat,rest build-wall,rest paint-boat");
	o = arrived_get(&s, "pages/home");
	TEXT(o, "data.title", "Home");
	TEXT(o, "status", "published");
	TEXT(o, "data.content[0].children[1].marks[0]", "strong");
	TEXT(o, "data.content[0].markDefs[0].href", "/tides");
	TEXT(o, "data.content[0].markDefs[1].href", "/tasks");
	TEXT(o, "data.content[1]._type", "image");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.content[1].asset.url"), "/media/file/"));
	o = arrived_get(&s, "pages/tides");
	TEXT(o, "data.content[0].markDefs[0].href", "/home");
	TEXT(o, "data.content[0].markDefs[1].href", "https://tides.example/a");
	TEXT(o, "data.content[0].markDefs[2].href", "/tasks/build-wall");
	o = arrived_get(&s, "tasks/build-wall");
	TEXT(o, "data.field_status", "In progress");
	TEXT(o, "data.due", "2024-01-05T10:00:00.000Z");
	TEXT(o, "data.cover.provider", "local");
	TEXT(o, "data.content[0].children[0].text", "Note: this line is text.");
	assert_true(json_is_false(harness_at(o->data, "item.data.done")));
	o = arrived_get(&s, "tasks/build-wall/terms/tag");
	assert_string_equal(harness_text(o->data, "terms[1].label"), "stone");
	arrived_done(&s);
}

/* The same as HTML: values that the page itself has count only where the table lacks its row. */
static void
an_export_of_notion_as_html_is_imported(void **state)
{
	static const struct arrived_file files[] = { { "index.html", "notion/database.html" },
		{ "Tasks " ID "10.html", "notion/database.html" },
		{ "Tasks " ID "10.csv", "notion/tasks.csv" },
		{ "Tasks/Build wall " ID "11.html", "notion/page.html" },
		{ "Tasks/Build wall/low.gif", GIF }, { "Build wall/low.gif", GIF },
		{ "Tasks/Paint boat " ID "12.html", "notion/boat.html" }, { NULL, NULL } };
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = zipped("notion", files, NULL, 0);
	ASK(&s, "SELECT count(*) FROM c_tasks", "2");
	ASK(&s, "SELECT count(*) FROM media_items", "1");
	o = arrived_get(&s, "tasks/build-wall");
	TEXT(o, "status", "draft");
	TEXT(o, "data.field_status", "In progress");
	TEXT(o, "data.featured_image.provider", "local");
	TEXT(o, "data.content[0].children[1].text", "the & painter");
	TEXT(o, "data.content[0].markDefs[0].href", "/tasks/paint-boat");
	arrived_done(&s);
}

static void
what_is_no_export_of_notion_is_refused(void **state)
{
	static const struct arrived_file rows[] = { { "a.csv", "notion/tasks.csv" },
		{ "../../x " ID "12.md", "notion/boat.text" },
		{ "x " ID "11.md", "notion/wall.text" }, { "Part-1.zip", GIF }, { NULL, NULL } };
	static const struct arrived_file packed[] = { { "Part-1.zip", GIF }, { NULL, NULL } };
	static const struct arrived_file nothing[] = { { "index.html", "notion/boat.html" },
		{ NULL, NULL } };
	struct arrived s;

	(void)state;
	if (arrived_recorded())
		return;
	s = zipped("notion", nothing, NULL, 1);
	arrived_done(&s);
	s = zipped("notion", packed, NULL, 1);
	arrived_done(&s);
	s = zipped("notion", rows, NULL, 1);
	ASK(&s, "SELECT count(*) FROM c_pages", "1");
	ASK(&s, "SELECT count(*) FROM media_items", "0");
	arrived_told(&s, "It is no table of a database");
	arrived_told(&s, "It is no zip file that can be read");
	arrived_told(&s, "Its name leads out of the archive");
	arrived_done(&s);
}

/* ---- Blogger ---- */

static void
a_feed_of_blogger_is_imported(void **state)
{
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = arrived_by("blogger", arrived_path("blogger/classic.xml"), NULL, 1);
	/* 2 posts, 1 page, 2 comments, 2 labels, 1 picture that cannot be fetched here. */
	ASK(&s, "SELECT count(*) FROM c_posts", "2");
	ASK(&s, "SELECT count(*) FROM c_pages", "1");
	ASK(&s, "SELECT count(*) FROM comment", "2");
	ASK(&s, "SELECT p.body FROM comment c JOIN comment p ON p.id = c.parent_id", "Well said");
	ASK(&s, "SELECT status FROM comment WHERE author_name = 'Bob'", "approved");
	arrived_told(&s, "2 entries with settings and the layout of the blog are left out");
	arrived_told(&s, "\"address\":\"low.gif\"");
	o = arrived_get(&s, "posts/tides");
	TEXT(o, "data.title", "Tides");
	TEXT(o, "publishedAt", "2012-03-01T09:00:00.000Z");
	TEXT(o, "data.location", "Pier 1");
	arrived_redirects(&s, "/2012/03/tides.html", "/blog/tides");
	arrived_redirects(&s, "/p/about.html", "/about");
	TEXT(o, "data.content[0].children[1].marks[0]", "strong");
	TEXT(o, "data.content[1]._type", "image");
	TEXT(o, "data.content[1].alt", "Low tide");
	o = arrived_get(&s, "posts/tides/terms/tag");
	assert_string_equal(harness_text(o->data, "terms[1].label"), "Sea & shore");
	o = arrived_get(&s, "posts/dunes");
	TEXT(o, "status", "draft");
	arrived_done(&s);
}

static void
a_feed_of_takeout_is_imported(void **state)
{
	static const struct arrived_file files[] = { { "Takeout/Blogger/Blogs/The shore/feed.atom",
							 "blogger/feed.atom" },
		{ "Takeout/Blogger/Blogs/The shore/theme-layouts.xml",
		    "blogger/theme-layouts.xml" },
		{ NULL, NULL } };
	static const struct arrived_file none[] = {
		{ "theme-layouts.xml", "blogger/theme-layouts.xml" }, { NULL, NULL }
	};
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = zipped("blogger", files, NULL, 1);
	ASK(&s, "SELECT count(*) FROM c_posts", "2");
	ASK(&s, "SELECT count(*) FROM comment", "2");
	ASK(&s, "SELECT status FROM comment WHERE parent_id IS NOT NULL", "spam");
	arrived_told(&s, "1 comments are left out: 1 have no post in the export");
	arrived_told(&s, "It is in the trash of the blog");
	arrived_told(&s, "It was to be published at 2034-03-01T10:00:00Z");
	arrived_told(&s, "It is no feed, and left out");
	arrived_redirects(&s, "/2024/03/tides.html", "/blog/tides");
	o = arrived_get(&s, "posts/tides");
	TEXT(o, "createdAt", "2024-03-01T09:00:00.000Z");
	TEXT(o, "publishedAt", "2024-03-01T10:00:00.000Z");
	TEXT(o, "data.seo_description", "All about tides");
	arrived_done(&s);
	s = zipped("blogger", none, NULL, 1);
	arrived_done(&s);
}

/* ---- Ghost ---- */

/* Cards of Ghost's editors become blocks, also where the export has the HTML of the page. */
static void
cards_of_ghost_are_blocks(void **state)
{
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = arrived_by("ghost", arrived_path("ghost/cards.json"), NULL, 1);
	o = arrived_get(&s, "posts/cards");
	TEXT(o, "data.content[0].children[1].marks[0]", "subscript");
	TEXT(o, "data.content[1]._type", "callout");
	TEXT(o, "data.content[1].kind", "tip");
	TEXT(o, "data.content[1].title", "\xf0\x9f\x92\xa1");
	TEXT(o, "data.content[1].content[0].children[1].text", "gap");
	TEXT(o, "data.content[1].content[0].markDefs[0].href", "/tides/");
	TEXT(o, "data.content[2]._type", "gallery");
	TEXT(o, "data.content[2].caption", "Both");
	TEXT(o, "data.content[2].images[0].link", "https://x.example/a");
	TEXT(o, "data.content[2].images[1].caption", "Low tide");
	TEXT(o, "data.content[3]._type", "group");
	TEXT(o, "data.content[3].content[1].children[0].text", "Answer");
	TEXT(o, "data.content[4]._type", "group");
	TEXT(o, "data.content[4].content[0]._type", "image");
	TEXT(o, "data.content[5]._type", "buttons");
	TEXT(o, "data.content[6].content[2].children[0].text",
	    "\xe2\x98\x85\xe2\x98\x85"
	    "\xe2\x98\x85\xe2\x98\x85"
	    "\xe2\x98\x86");
	TEXT(o, "data.content[7]._type", "table");
	TEXT(o, "data.content[8]._type", "image");
	TEXT(o, "data.content[8].alt", "C");
	TEXT(o, "data.content[8].asset._ref", "/content/images/c.gif");
	TEXT(o, "data.content[10].language", "c");
	TEXT(o, "data.content[11].children[0].text", "Less");
	TEXT(o, "data.content[12].link", "https://x.example/d");
	TEXT(o, "data.content[13]._type", "break");
	TEXT(o, "data.content[14].children[0].text", "Below");
	/* A card that is not known: the HTML of the page has it. */
	o = arrived_get(&s, "posts/chart");
	TEXT(o, "data.content[0].children[0].text", "Of the page");
	arrived_done(&s);
}

static void
documents_of_mobiledoc_are_read(void **state)
{
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = arrived_by("ghost", arrived_path("ghost/cards.json"), NULL, 1);
	o = arrived_get(&s, "posts/old");
	TEXT(o, "data.content[0].style", "h2");
	TEXT(o, "data.content[1].children[0].text", "Plain & ");
	TEXT(o, "data.content[1].children[2].marks[1]", "em");
	TEXT(o, "data.content[1].markDefs[0].href", "/p/");
	TEXT(o, "data.content[1].children[2].text", "both\n");
	TEXT(o, "data.content[1].children[4].text", "@annbare");
	TEXT(o, "data.content[2].listItem", "number");
	TEXT(o, "data.content[4].style", "blockquote");
	TEXT(o, "data.content[5]._type", "image");
	TEXT(o, "data.content[6].style", "h2");
	TEXT(o, "data.content[7].listItem", "bullet");
	TEXT(o, "data.content[8].caption", "Seen");
	TEXT(o, "data.content[9]._type", "break");
	TEXT(o, "data.content[10].code", "x();");
	TEXT(o, "data.content[11].kind", "danger");
	o = arrived_get(&s, "posts/both");
	TEXT(o, "data.content[0].children[0].text", "Of the page");
	arrived_told(&s, "The card \\\"nft\\\" of its text is not known here");
	arrived_told(&s, "The document of its editor cannot be read");
	arrived_done(&s);
}

/* ---- Substack ---- */

static void
an_export_of_substack_is_imported(void **state)
{
	static const struct arrived_file files[] = { { "posts.csv", "substack/posts.csv" },
		{ "posts/101.tides.html", "substack/tides.html" },
		{ "posts/101.delivers.csv", "substack/email_list.csv" },
		{ "posts/101.opens.csv", "substack/email_list.csv" },
		{ "posts/102.dunes.html", "substack/dunes.html" },
		{ "posts/103.secret.html", "substack/dunes.html" },
		{ "posts/104.waves.html", "substack/dunes.html" },
		{ "posts/106.stray.html", "substack/dunes.html" },
		{ "email_list.shore.csv", "substack/email_list.csv" }, { NULL, NULL } };
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	/* The picture cannot be fetched here. */
	s = zipped("substack", files, "url=https://shore.substack.example/", 1);
	ASK(&s, "SELECT count(*) FROM c_posts", "6");
	ASK(&s, "SELECT count(*) FROM c_posts WHERE status = 'published'", "2");
	arrived_told(&s, "It is for paying readers alone");
	arrived_told(&s, "https://api.substack.com/feed/podcast/104/abc.mp3");
	arrived_told(&s, "It has no text in the export");
	arrived_told(&s, "It is not in posts.csv");
	arrived_told(&s, "\"title\":\"email_list.shore.csv\"");
	arrived_told(&s, "\"title\":\"opens\"");
	arrived_redirects(&s, "/p/tides", "/blog/tides");
	arrived_told(&s, "\"address\":\"low.gif\"");
	ASK(&s, "SELECT count(*) FROM c_posts WHERE instr(f_content, 'ann@') > 0", "0");
	o = arrived_get(&s, "posts/tides");
	TEXT(o, "data.title", "Tides, again");
	TEXT(o, "data.excerpt", "How water falls");
	TEXT(o, "publishedAt", "2024-05-02T10:00:00.000Z");
	TEXT(o, "data.content[0].style", "h2");
	TEXT(o, "data.content[1].children[1].marks[0]", "strong");
	TEXT(o, "data.content[2]._type", "image");
	TEXT(o, "data.content[2].alt", "Low tide");
	ASK(&s,
	    "SELECT count(DISTINCT origin) FROM import_source WHERE instr(origin, 'shore.substack.example') > 0",
	    "1");
	o = arrived_get(&s, "posts/secret");
	TEXT(o, "status", "draft");
	TEXT(o, "data.audience", "only_paid");
	arrived_done(&s);
}

/* ---- Medium ---- */

static void
an_export_of_medium_is_imported(void **state)
{
	static const struct arrived_file files[] = { { "README.html", "medium/claps.html" },
		{ "claps/claps-0001.html", "medium/claps.html" },
		{ "posts/2018-07-10_Tides---time-0a1b2c3d4e5f.html", "medium/post.html" },
		{ "posts/draft_Dunes-aabbccddeeff.html", "medium/draft.html" },
		{ "posts/x.html", "medium/claps.html" }, { NULL, NULL } };
	static const struct arrived_file none[] = { { "claps/a.html", "medium/claps.html" },
		{ NULL, NULL } };
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = zipped("medium", files, NULL, 1);
	ASK(&s, "SELECT count(*) FROM c_posts", "2");
	arrived_told(&s, "\"title\":\"claps\"");
	arrived_told(&s, "\"title\":\"README.html\"");
	arrived_told(&s, "1 gists are links now");
	arrived_told(&s, "It is no post");
	arrived_told(&s, "\"address\":\"max/800/1*low.gif\"");
	arrived_redirects(&s, "/@annbee/tides-and-time-0a1b2c3d4e5f", "/blog/tides-and-time");
	o = arrived_get(&s, "posts/tides-and-time");
	TEXT(o, "data.title", "Tides & time");
	TEXT(o, "publishedAt", "2018-07-10T14:45:36.000Z");
	TEXT(o, "byline.displayName", "Ann Bee");
	ASK(&s,
	    "SELECT count(*) FROM c_posts p, json_each(p.f_content) j WHERE j.value LIKE "
	    "'%Tides &%'",
	    "0");
	ASK(&s,
	    "SELECT count(*) FROM c_posts p, json_each(p.f_content) j WHERE "
	    "json_extract(j.value, '$._type') = 'image'",
	    "1");
	ASK(&s,
	    "SELECT count(*) FROM c_posts WHERE instr(f_content, 'https://gist.github.com/ann/"
	    "0123abcd\"') > 0",
	    "1");
	o = arrived_get(&s, "posts/dunes");
	TEXT(o, "status", "draft");
	arrived_done(&s);
	s = zipped("medium", none, NULL, 1);
	arrived_done(&s);
}

/* ---- Drupal ---- */

static void
documents_of_drupal_are_imported(void **state)
{
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = arrived_by("drupal", arrived_path("drupal"), NULL, 1);
	/* 2 articles, one of them in two languages; 1 page; 2 comments; 2 terms; 1 picture. */
	ASK(&s, "SELECT count(*) FROM c_article", "3");
	ASK(&s, "SELECT count(DISTINCT translation_group) FROM c_article", "2");
	ASK(&s, "SELECT count(*) FROM c_pages", "1");
	ASK(&s, "SELECT count(*) FROM media_items", "1");
	ASK(&s, "SELECT count(*) FROM comment", "2");
	ASK(&s, "SELECT p.author_name FROM comment c JOIN comment p ON p.id = c.parent_id", "Bob");
	ASK(&s, "SELECT author_name FROM comment WHERE parent_id IS NOT NULL", "Ann Bee");
	ASK(&s,
	    "SELECT r.slug FROM c_article a, json_each(a.f_related) j JOIN c_article r ON r.id = "
	    "j.value",
	    "dunes");
	arrived_told(&s, "Tides & time, gone");
	arrived_told(&s, "It is an error: Forbidden");
	arrived_told(&s, "The page that follows it is not among the files");
	arrived_told(&s, "menu_link_content--menu_link_content");
	o = arrived_get(&s, "article/tides?locale=en");
	TEXT(o, "data.title", "Tides & time");
	TEXT(o, "data.excerpt", "In short");
	TEXT(o, "publishedAt", "2024-05-01T10:00:00.000Z");
	TEXT(o, "byline.displayName", "Ann Bee");
	TEXT(o, "data.subtitle", "A story");
	TEXT(o, "data.seo_description", "All about tides");
	TEXT(o, "data.note[0].children[1].marks[0]", "em");
	TEXT(o, "data.image.provider", "local");
	TEXT(o, "data.image.alt", "Low tide");
	TEXT(o, "data.media.provider", "local");
	TEXT(o, "data.link.uri", "https://tides.example/b");
	TEXT(o, "data.rows[0].type", "quote");
	TEXT(o, "data.rows[0].words", "<p>Wet</p>");
	TEXT(o, "data.rows[0].by", "Bob");
	TEXT(o, "data.content[0].children[1].marks[0]", "strong");
	TEXT(o, "data.content[1]._type", "image");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.content[1].asset.url"), "/media/file/"));
	assert_int_equal(json_integer_value(harness_at(o->data, "item.data.score")), 7);
	o = arrived_get(&s, "article/tides/terms/tag?locale=en");
	assert_string_equal(harness_text(o->data, "terms[1].slug"), "the-moon");
	assert_string_equal(harness_text(o->data, "terms[0].label"), "Sea & shore");
	o = arrived_get(&s, "article/gezeiten?locale=de");
	TEXT(o, "data.title", "Gezeiten");
	o = arrived_get(&s, "article/dunes");
	TEXT(o, "status", "draft");
	arrived_redirects(&s, "/sea/tides", "/article/tides");
	arrived_redirects(&s, "/node/5", "/article/tides");
	arrived_redirects(&s, "/old-tides", "/article/tides");
	arrived_redirects(&s, "/de/gezeiten", "/article/gezeiten");
	arrived_redirects(&s, "/node/7", "/about");
	arrived_done(&s);
}

/* ---- Squarespace ---- */

static void
an_export_of_squarespace_is_imported(void **state)
{
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = arrived_by("wxr", arrived_path("squarespace/export.xml"), NULL, 1);
	ASK(&s, "SELECT count(*) FROM c_posts", "1");
	ASK(&s, "SELECT count(*) FROM c_pages", "1");
	ASK(&s, "SELECT count(*) FROM comment", "1");
	ASK(&s, "SELECT count(*) FROM c_posts WHERE instr(f_content, 'margin-right') > 0", "0");
	/* Its 3 pictures stand there twice; the attachment cannot be fetched here. */
	arrived_told(&s, "\"address\":\"low.gif\"");
	arrived_redirects(&s, "/blog/2024/3/5/tides", "/blog/tides");
	o = arrived_get(&s, "posts/tides");
	TEXT(o, "data.excerpt", "In short");
	TEXT(o, "publishedAt", "2024-03-05T09:00:00.000Z");
	TEXT(o, "byline.displayName", "Ann Bee");
	TEXT(o, "data.content[0].style", "h2");
	TEXT(o, "data.content[1].markDefs[0].href", "/about");
	TEXT(o, "data.content[2]._type", "image");
	TEXT(o, "data.content[2].caption", "At noon");
	TEXT(o, "data.content[3]._type", "gallery");
	TEXT(o, "data.content[3].images[1].caption", "Two");
	assert_int_equal(json_array_size(harness_at(o->data, "item.data.content[3].images")), 2);
	TEXT(o, "data.content[4].provider", "youtube");
	TEXT(o, "data.content[5].style", "blockquote");
	TEXT(o, "data.content[7].markDefs[0].href", "https://tides.example/a");
	TEXT(o, "data.content[8]._type", "break");
	assert_int_equal(json_array_size(harness_at(o->data, "item.data.content")), 9);
	o = arrived_get(&s, "posts/tides/terms/category");
	assert_string_equal(harness_text(o->data, "terms[0].label"), "Sea & shore");
	arrived_done(&s);
}

/* ---- other shapes ---- */

#define ODD_ID " 1a2b3c4d5e6f47889900aabbccddee77"

/* Empty files, cut ones, tags without end, and columns that are missing: the command ends by
 * itself.
 */
static void
odd_files_end_no_import_by_a_signal(void **state)
{
	static const char *const formats[] = { "notion", "blogger", "substack", "medium",
		"drupal" };
	static const char *const files[][2] = { { "posts.csv", "post_id,title\n1.a,\"x\n" },
		{ "T" ODD_ID ".csv", "" }, { "U" ODD_ID "_all.csv", "Name\nA\nA,b,c\n,\n" },
		{ "U/A" ODD_ID ".md", "# A\nName: \n[a](../../../../etc/passwd) ![](%%%.png)" },
		{ "B" ODD_ID ".html",
		    "<article class=h-entry><h1 class='page-title p-name'>&#0;<table class=properties>"
		    "<th>a<td>b<td><th><div class=\"page-body e-content\"><a href=><img src='><a href=" },
		{ "posts/draft_.html",
		    "<article class=\"h-entry\"><p class=e-content><script src=" },
		{ "posts/.html", "h-entry <!-- <" },
		{ "a.xml",
		    "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>x-</id></entry><entry/>"
		    "<entry><id>a-1</id><category scheme='http://schemas.google.com/g/2005#kind' "
		    "term='http://schemas.google.com/blogger/2008/kind#post'/><link/></entry>" },
		{ "b.atom", "<!DOCTYPE feed [<!ENTITY a 'b'>]><feed xmlns='http://www.w3.org/2005/"
			    "Atom'><entry><title>&a;</title></entry></feed>" },
		{ "c.json",
		    "{\"data\":{\"type\":\"node--\",\"id\":\"n\"},\"included\":[[],{\"id\":\"t\","
		    "\"type\":\"taxonomy_term--\",\"relationships\":{\"parent\":{\"data\":[{\"id\":\"t\""
		    "}]}}}]}" },
		{ "d.json", "{}" } };
	char *dir, path[600];

	(void)state;
	if (arrived_recorded())
		return;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	(void)snprintf(path, sizeof(path), "%s/odd", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	for (size_t i = 0; i < 2; i++) {
		(void)snprintf(path, sizeof(path), "%s/odd/%s", dir, i == 0 ? "posts" : "U");
		assert_int_equal(mkdir(path, 0700), 0);
	}
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/odd/%s", dir, files[i][0]);
		arrived_put(path, files[i][1]);
	}
	(void)snprintf(path, sizeof(path), "%s/odd", dir);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		assert_in_range(
		    RUN(dir, "import", "from", formats[i], path, "--no-media", "--dry-run"), 0, 2);
	leaving_remove(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_export_of_notion_is_imported),
		cmocka_unit_test(an_export_of_notion_as_html_is_imported),
		cmocka_unit_test(what_is_no_export_of_notion_is_refused),
		cmocka_unit_test(a_feed_of_blogger_is_imported),
		cmocka_unit_test(a_feed_of_takeout_is_imported),
		cmocka_unit_test(cards_of_ghost_are_blocks),
		cmocka_unit_test(documents_of_mobiledoc_are_read),
		cmocka_unit_test(an_export_of_substack_is_imported),
		cmocka_unit_test(an_export_of_medium_is_imported),
		cmocka_unit_test(documents_of_drupal_are_imported),
		cmocka_unit_test(an_export_of_squarespace_is_imported),
		cmocka_unit_test(odd_files_end_no_import_by_a_signal),
	};

	return cmocka_run_group_tests_name("import/platforms", tests, NULL, NULL);
}
