/*
 * from.c - imports of other formats: rows of CSV and JSON, exports of Ghost, directories of
 * Markdown, and formats of a plugin.
 */
#include "harness.h"
#include "imported.h"
#include "importing.h"
#include "inside.h"
#include "leaving.h"
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int
begin(void **state)
{
	*state = importing_open();
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

static struct outcome *
run(struct harness *h, const char *config, const char *file, char id[40])
{
	struct outcome *o;

	harness_ok(o, imported_post(h, IMPORTING_JOBS, config, file));
	(void)snprintf(id, 40, "%s", harness_text(o->data, "id"));
	return importing_work(h, id, "done");
}

static struct outcome *
get(struct harness *h, const char *path)
{
	char request[200];
	struct outcome *o;

	(void)snprintf(request, sizeof(request), "GET /content/%s", path);
	harness_ok(o, harness_request(h, admin, request, NULL, NULL));
	return o;
}

#define COUNTED(o, outcome, n) assert_int_equal(harness_int((o)->data, "result.items." outcome), n)

/* ---- rows ---- */

#define CSV(more)                                                                                  \
	"{\"format\":\"csv\",\"importMedia\":false,\"postTypeMappings\":{\"row\":{\"collection\":" \
	"\"things\",\"enabled\":true}}" more "}"

static void
rows_of_csv_become_items(void **state)
{
	static const char rows[] =
	    "\xef\xbb\xbfID,Title,Price,In Stock,Tags,Secret\r\n"
	    "1,\"A \"\"quoted\"\", &amp; thing\",9.50,true,\"red, blue\",x\r\n"
	    "2,Second,3,,,\r\n,,,,,\r\n"
	    "3,\"Two\nlines\",,,,y,and,more\r\n"
	    "4,\xff\xfe,,,,\r\n";
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	o = run(h,
	    CSV(",\"options\":{\"fields\":{\"In Stock\":\"stocked\",\"Secret\":\"\"},"
		"\"status\":\"published\"}"),
	    rows, id);
	COUNTED(o, "created", 3);
	COUNTED(o, "failed", 1);
	assert_string_equal(harness_text(o->data, "found.types.row.fields.price"), "string");
	o = get(h, "things/a-quoted-amp-thing");
	assert_string_equal(harness_text(o->data, "item.data.title"), "A \"quoted\", &amp; thing");
	assert_string_equal(harness_text(o->data, "item.data.price"), "9.50");
	assert_true(json_is_true(harness_at(o->data, "item.data.stocked")));
	assert_null(harness_at(o->data, "item.data.secret"));
	assert_null(harness_at(o->data, "item.data.content"));
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	o = get(h, "things/a-quoted-amp-thing/terms/tag");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 2);
	harness_ok(o, importing_at(h, "GET", id, "/items"));
	assert_string_equal(harness_text(o->data, "items[0].title"), "row 6");
	assert_string_equal(harness_text(o->data, "items[0].reason"), "It is not UTF-8");
	assert_string_equal(harness_text(o->data, "items[1].outcome"), "repaired");
	assert_string_equal(harness_text(o->data, "items[1].title"), "row 5");
	/* With update, a second run changes the changed rows. */
	o = run(h, CSV(",\"update\":true,\"options\":{\"status\":\"published\"}"),
	    "id;title;price\n1;A thing;9.50\n2;Second;4\n", id);
	COUNTED(o, "updated", 2);
	o = get(h, "things/second");
	assert_string_equal(harness_text(o->data, "item.data.price"), "4");
}

/* The header line determines the separator, whatever the values contain. */
static void
semicolons_and_tabs_separate_beside_decimal_commas(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	o = run(h, CSV(",\"options\":{\"fields\":{\"a,b\":\"\"}}"),
	    "id;title;price;\"a,b\"\n1;Comma, semicolon;1,50;\"x,y,z;\"\n", id);
	COUNTED(o, "created", 1);
	o = get(h, "things/comma-semicolon");
	assert_string_equal(harness_text(o->data, "item.data.price"), "1,50");
	o = run(h, CSV(""), "id\ttitle\tprice\n2\tTab; comma, all\t3,00\n", id);
	COUNTED(o, "created", 1);
	o = get(h, "things/tab-comma-all");
	assert_string_equal(harness_text(o->data, "item.data.price"), "3,00");
	/* If the counts are equal, the separator is the comma. */
	o = run(h, CSV(""), "title\nOnly; one\n", id);
	COUNTED(o, "created", 1);
	(void)get(h, "things/only-one");
}

static void
options_say_what_columns_are(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	o = run(h,
	    "{\"format\":\"csv\",\"importMedia\":false,\"options\":{\"type\":\"part\",\"types\":{"
	    "\"price\":\"number\"},\"relations\":{\"in\":\"part.id\"},\"dates\":\"mdy\"}}",
	    "id,title,price,in,made\n1,A,1.50,2,3/4/2013\n2,B,2,9,5/6/2013\n", id);
	COUNTED(o, "created", 2);
	assert_string_equal(harness_text(o->data, "found.types.part.fields.price"), "number");
	assert_string_equal(harness_text(o->data, "found.types.part.fields.in"), "reference part");
	assert_int_equal(harness_int(o->data, "result.lost"), 1);
	o = get(h, "part/b");
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "item.id"));
	o = get(h, "part/a");
	assert_string_equal(harness_text(o->data, "item.data.in"), id);
	assert_string_equal(harness_text(o->data, "item.data.made"), "2013-03-04T00:00:00.000Z");
}

/* Cells that are too long, and rows with many cells. */
static void
rows_that_are_too_long_are_left_out(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40], *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	(void)fputs("id,title,a,b\n1,One,", f);
	for (int cell = 0; cell < 3; cell++) {
		for (int i = 0; i < 3 << 20; i++)
			(void)fputc('x', f);
		(void)fputc(cell < 2 ? ',' : '\n', f);
	}
	(void)fputs("2,Two,y,z\n", f);
	(void)fclose(f);
	o = run(h, CSV(""), text, id);
	free(text);
	COUNTED(o, "created", 1);
	COUNTED(o, "failed", 1);
	harness_ok(o, importing_at(h, "GET", id, "/items?outcome=failed"));
	assert_string_equal(harness_text(o->data, "items[0].reason"), "It is longer than 8 MiB");
}

static void
what_is_no_csv_is_refused(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	harness_ok(
	    o, imported_post(h, IMPORTING_JOBS, CSV(""), "id,title\n1,\"without end\n2,x\n"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	o = importing_work(h, id, "failed");
	assert_non_null(strstr(harness_text(o->data, "error"), "quotes"));
	assert_code(
	    imported_post(h, IMPORTING_JOBS, "{\"format\":\"nothing\"}", "x"), "VALIDATION_ERROR");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome"), "0");
}

static void
lines_of_json_have_values_of_each_type(void **state)
{
	static const char lines[] =
	    "{\"id\":\"a\",\"type\":\"thing\",\"title\":\"One & <only>\",\"n\":5,\"x\":1,\"ok\":true,"
	    "\"list\":[1],\"markdown\":\"# H\\n\\ntext\",\"author\":\"Ann\"}\n\nno json\n[1]\n"
	    "{\"id\":\"b\",\"type\":\"thing\",\"title\":\"Two\",\"status\":\"published\",\"n\":null,"
	    "\"x\":1.5,\"parent\":\"a\"}";
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	o = run(h, "{\"format\":\"jsonl\",\"importMedia\":false}", lines, id);
	COUNTED(o, "created", 2);
	COUNTED(o, "failed", 2);
	assert_string_equal(harness_text(o->data, "found.types.thing.fields.n"), "integer");
	assert_string_equal(harness_text(o->data, "found.types.thing.fields.x"), "number");
	assert_string_equal(harness_text(o->data, "found.types.thing.fields.list"), "json");
	o = get(h, "thing/one-only");
	assert_string_equal(harness_text(o->data, "item.data.title"), "One & <only>");
	assert_int_equal(harness_int(o->data, "item.data.n"), 5);
	assert_true(json_is_true(harness_at(o->data, "item.data.ok")));
	assert_int_equal(harness_int(o->data, "item.data.list[0]"), 1);
	assert_string_equal(harness_text(o->data, "item.data.content[0].style"), "h1");
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann");
	harness_ok(o, harness_op(h, admin, "schema_get_collection", "{\"slug\":\"thing\"}"));
	assert_string_equal(harness_text(o->data, "description"), "Imported from jsonl: thing");
	assert_string_equal(harness_text(o->data, "source"), "import:jsonl");
	/* An existing collection gets no new fields: values without a field are reported. */
	o = run(h, "{\"format\":\"jsonl\",\"importMedia\":false}",
	    "{\"id\":\"c\",\"type\":\"thing\",\"title\":\"Three\",\"colour\":\"red\",\"n\":\"many\"}",
	    id);
	harness_ok(o, importing_at(h, "GET", id, "/items"));
	assert_string_equal(
	    harness_text(o->data, "items[0].notices[0]"), "The collection has no field \"colour\"");
	assert_non_null(strstr(harness_text(o->data, "items[0].notices[1]"), "\"n\" does not fit"));
}

/* ---- Ghost ---- */

#define LEXICAL                                                                                \
	"{\\\"root\\\":{\\\"children\\\":[{\\\"type\\\":\\\"paragraph\\\",\\\"children\\\":[{" \
	"\\\"type\\\":\\\"extended-text\\\",\\\"format\\\":1,\\\"text\\\":\\\"A <b\\\"},{"     \
	"\\\"type\\\":\\\"link\\\",\\\"url\\\":\\\"__GHOST_URL__/x/\\\",\\\"children\\\":[{"   \
	"\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"link\\\"}]}]}]}}"

static const char ghost[] =
    "{\"db\":[{\"meta\":{\"version\":\"5.0\"},\"data\":{\"posts\":["
    "{\"id\":\"p1\",\"title\":\"R&D\",\"slug\":\"r-d\",\"type\":\"post\",\"status\":\"published\","
    "\"html\":\"<p>One\\nline</p><!--kg-card-begin: html--><figure><img "
    "src=\\\"__GHOST_URL__/content/images/2020/a.png\\\" alt=\\\"A\\\"></figure>\","
    "\"created_at\":\"2020-01-01T00:00:00.000Z\",\"published_at\":\"2020-02-03T04:05:06.000Z\","
    "\"feature_image\":\"__GHOST_URL__/content/images/f.png\",\"custom_excerpt\":\"Short\"},"
    "{\"id\":\"p2\",\"title\":\"About\",\"slug\":\"about\",\"type\":\"page\",\"status\":\"draft\","
    "\"html\":null,\"lexical\":\"" LEXICAL "\",\"created_at\":1577836800000}],"
    "\"tags\":[{\"id\":\"t1\",\"name\":\"News & more\",\"slug\":\"news\",\"visibility\":\"public\"},"
    "{\"id\":\"t2\",\"name\":\"#mark\",\"slug\":\"hash-mark\",\"visibility\":\"internal\"}],"
    "\"posts_tags\":[{\"post_id\":\"p1\",\"tag_id\":\"t1\"},{\"post_id\":\"p1\",\"tag_id\":\"t2\"}],"
    "\"users\":[{\"id\":\"u1\",\"name\":\"Ann Bee\",\"slug\":\"ann\",\"email\":\"a@b.example\"}],"
    "\"posts_authors\":[{\"post_id\":\"p1\",\"author_id\":\"u1\"}],"
    "\"posts_meta\":[{\"post_id\":\"p1\",\"meta_title\":\"Meta\",\"feature_image_alt\":\"Alt\"}]}}]}";

static void
an_export_of_ghost_is_imported(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[40];

	o = run(h,
	    "{\"format\":\"ghost\",\"options\":{\"url\":"
	    "\"https://192.0.2.1/\"}}",
	    ghost, id);
	COUNTED(o, "created", 2);
	assert_int_equal(harness_int(o->data, "found.attachments"), 2);
	o = get(h, "posts/r-d");
	assert_string_equal(harness_text(o->data, "item.data.title"), "R&D");
	assert_string_equal(harness_text(o->data, "item.data.excerpt"), "Short");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2020-02-03T04:05:06.000Z");
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2020-01-01T00:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann Bee");
	assert_string_equal(harness_text(o->data, "item.data.featured_image.src"),
	    "https://192.0.2.1/content/images/f.png");
	assert_string_equal(harness_text(o->data, "item.data.featured_image.alt"), "Alt");
	/* The text is HTML, in which a line end is a blank. */
	assert_string_equal(
	    harness_text(o->data, "item.data.content[0].children[0].text"), "One line");
	assert_string_equal(harness_text(o->data, "item.data.content[1].asset.url"),
	    "https://192.0.2.1/content/images/2020/a.png");
	assert_string_equal(harness_text(o->data, "item.data.seo_title"), "Meta");
	o = get(h, "posts/r-d/terms/tag");
	assert_int_equal(json_array_size(harness_at(o->data, "terms")), 1);
	assert_string_equal(harness_text(o->data, "terms[0].label"), "News & more");
	o = get(h, "pages/about");
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2020-01-01T00:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.data.content[0].children[0].text"), "A <b");
	assert_string_equal(harness_text(o->data, "item.data.content[0].markDefs[0].href"), "/x/");
	harness_ok(o, imported_post(h, IMPORTING_JOBS, "{\"format\":\"ghost\"}", "{\"db\":[]}"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	o = importing_work(h, id, "failed");
	assert_non_null(strstr(harness_text(o->data, "error"), "no export of Ghost"));
}

/* ---- Markdown ---- */

static void
put(const char *dir, const char *name, const char *text, size_t len)
{
	char path[500];
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	for (char *slash = path + strlen(dir) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
	assert_non_null(f = fopen(path, "w"));
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}
#define PUT(dir, name, text) put(dir, name, text, sizeof(text) - 1)

/* A GIF of one pixel. */
static const char gif[] = "GIF89a\1\0\1\0\200\0\0\377\0\0\377\377\377!\371\4\1\0\0\0\0,\0\0\0\0\1\0"
			  "\1\0\0\2\2D\1\0;";

static const char toml[] =
    "+++\r\ntitle = \"Of \\u0054OML\" # as Hugo writes it\r\n"
    "date = 2024-05-06 10:00:00Z\ndraft = false\nweight = 1_000\nmask = 0xff\n"
    "share = 2.5\ndescription = '''\nno \\escape'''\n"
    "tags = [\n  \"sea\", # one\n  '2024',\n]\n"
    "[params]\nauthor.name = \"Ann\"\n[[params.link]]\nto = \"/a\"\n"
    "[[params.link]]\nto = \"\"\"\n/b \\\n   /c\"\"\"\"\n+++\nText\n";

/* A text of 300,000 bytes. */
static void
put_long(const char *dir)
{
	char *text = malloc(300000);

	assert_non_null(text);
	memset(text, 'x', 300000);
	put(dir, "content/docs/long.md", text, 300000);
	free(text);
}

static void
fill(const char *dir)
{
	put_long(dir);
	PUT(dir, "content/posts/trip/index.md",
	    "---\ntitle: \"A trip & more\"\ndate: 2024-05-06T10:00:00Z\ntags: [sea, 2024]\n"
	    "categories: Travel\nauthor: Ann Bee\naliases: [/old/trip/, /older]\n"
	    "description: Where we went.\nimage: img/cover.gif\nrating: 5\n---\n\n"
	    "Text with ![A boat](img/boat.gif).\n\n![Alone](./img/boat.gif)\n");
	put(dir, "content/posts/trip/img/boat.gif", gif, sizeof(gif) - 1);
	put(dir, "content/posts/trip/img/cover.gif", gif, sizeof(gif) - 1);
	PUT(dir, "_posts/2020-01-02-first-post.md",
	    "---\nlayout: post\npublished: false\n---\nBody\n");
	PUT(dir, "about.md", "No front [matter](javascript:x).\n\n---\n\nA line is none.\n");
	PUT(dir, "about.de.md", "---\ntitle: Über uns\n---\nText\n");
	PUT(dir, "content/docs/json.md", "{\"title\": \"Of JSON\", \"draft\": true}\n\nText\n");
	PUT(dir, "content/docs/toml.md", toml);
	PUT(dir, "content/docs/wrong-toml.md", "+++\ntitle=\"x\n+++\nhi\n");
	PUT(dir, "content/docs/alias.md", "---\na: &x [1]\nb: *x\n---\nhi\n");
	PUT(dir, "content/docs/wrong.md", "---\na: [1\nb: 2\n---\nhi\n");
	PUT(dir, ".git/hidden.md", "hidden\n");
	PUT(dir, "node_modules/x/README.md", "of others\n");
	PUT(dir, "content/docs/up.md", "---\ntitle: Up\n---\n![x](../../../../etc/passwd.png)\n");
}

/* Returns the first bytes of a file. Static buffer. */
static const char *
head_of(const char *path)
{
	static char text[8192];
	FILE *file = fopen(path, "re");
	size_t len;

	assert_non_null(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	assert_int_equal(fclose(file), 0);
	return text;
}

static void
a_dry_run_of_a_directory_writes_its_report_alone(void **state)
{
	struct harness *h;
	char *dir, source[600], report[600], redirects[600];
	const char *said;

	(void)state;
	if (getenv("STET_RECORD") != NULL)
		return;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	(void)snprintf(source, sizeof(source), "%s/source", dir);
	(void)snprintf(report, sizeof(report), "%s/report.jsonl", dir);
	(void)snprintf(redirects, sizeof(redirects), "%s/_redirects", dir);
	assert_int_equal(mkdir(source, 0700), 0);
	fill(source);
	/* The exit status is that of the import: some documents cannot be read. */
	assert_int_equal(RUN(dir, "import", "from", "markdown", source, "--dry-run", "--report",
			     report, "--redirects", redirects),
	    1);
	said = head_of(report);
	assert_non_null(strstr(said, "\"slug\":\"trip\""));
	assert_null(strstr(said, "Not checked"));
	assert_non_null(strstr(said, "\"outcome\":\"failed\""));
	assert_int_equal(access(redirects, F_OK), -1);
	h = leaving_open(dir, leaving_locales);
	assert_code(
	    harness_request(h, admin, "GET /content/docs", NULL, NULL), "COLLECTION_NOT_FOUND");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_outcome"), "0");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM import_map"), "0");
	harness_close(h, true);
	leaving_remove(dir);
}

static void
a_directory_of_markdown_is_imported(void **state)
{
	struct harness *h;
	struct outcome *o;
	char *dir, source[600], report[600], redirects[600];

	(void)state;
	if (getenv("STET_RECORD") != NULL)
		return;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	(void)snprintf(source, sizeof(source), "%s/source", dir);
	(void)snprintf(report, sizeof(report), "%s/report.jsonl", dir);
	(void)snprintf(redirects, sizeof(redirects), "%s/_redirects", dir);
	assert_int_equal(mkdir(source, 0700), 0);
	fill(source);
	/* Four documents cannot be read, and one image is outside of the directory. */
	assert_int_equal(RUN(dir, "import", "from", "markdown", source, "--report", report,
			     "--redirects", redirects),
	    1);
	assert_non_null(strstr(head_of(report), "long.md"));
	h = leaving_open(dir, leaving_locales);
	o = get(h, "posts/trip");
	assert_string_equal(harness_text(o->data, "item.data.title"), "A trip & more");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2024-05-06T10:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.data.excerpt"), "Where we went.");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Ann Bee");
	assert_int_equal(harness_int(o->data, "item.data.rating"), 5);
	assert_string_equal(harness_text(o->data, "item.data.featured_image.provider"), "local");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.content[1].asset.url"), "/media/file/"));
	assert_non_null(strstr(
	    harness_text(o->data, "item.data.content[0].children[1].asset.url"), "/media/file/"));
	o = get(h, "posts/first-post");
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	assert_string_equal(harness_text(o->data, "item.createdAt"), "2020-01-02T00:00:00.000Z");
	o = get(h, "pages/about?locale=de");
	assert_string_equal(harness_text(o->data, "item.data.title"), "Über uns");
	o = get(h, "docs/json");
	assert_string_equal(harness_text(o->data, "item.status"), "draft");
	o = get(h, "docs/toml");
	assert_string_equal(harness_text(o->data, "item.data.title"), "Of TOML");
	assert_string_equal(harness_text(o->data, "item.status"), "published");
	assert_string_equal(harness_text(o->data, "item.publishedAt"), "2024-05-06T10:00:00.000Z");
	assert_string_equal(harness_text(o->data, "item.data.excerpt"), "no \\escape");
	assert_int_equal(harness_int(o->data, "item.data.weight"), 1000);
	assert_int_equal(harness_int(o->data, "item.data.mask"), 255);
	assert_string_equal(harness_text(o->data, "item.data.params.author.name"), "Ann");
	assert_string_equal(harness_text(o->data, "item.data.params.link[1].to"), "/b /c\"");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_docs"), "3");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_pages"), "2");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_items"), "1");
	/* A picture that is missing got its path by a second write. */
	assert_string_equal(inside_ask(h, "SELECT max(version) FROM c_docs"), "2");
	harness_close(h, true);
	assert_int_equal(RUN(dir, "import", "from", "markdown", source, "--update"), 1);
	assert_int_equal(RUN(dir, "import", "from", "nothing", source), 2);
	assert_int_equal(RUN(dir, "import", "from"), 2);
	assert_int_equal(RUN(dir, "import", "wxr", "--set", "a=b", source), 2);
	h = leaving_open(dir, leaving_locales);
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "2");
	assert_string_equal(inside_ask(h, "SELECT max(version) FROM c_docs"), "2");
	harness_close(h, true);
	leaving_remove(dir);
}

/* Adds a file to a zip archive. */
static void
zip_file(zipFile zip, const char *name, const char *bytes, size_t len)
{
	assert_int_equal(zipOpenNewFileInZip64(
			     zip, name, NULL, NULL, 0, NULL, 0, NULL, Z_DEFLATED, Z_BEST_SPEED, 0),
	    ZIP_OK);
	assert_int_equal(zipWriteInFileInZip(zip, bytes, (unsigned)len), ZIP_OK);
	assert_int_equal(zipCloseFileInZip(zip), ZIP_OK);
}
#define ZIP_TEXT(zip, name, text) zip_file(zip, name, text, sizeof(text) - 1)

static void
a_zip_file_of_markdown_brings_its_pictures(void **state)
{
	struct harness *h;
	struct outcome *o;
	char *dir, path[600];
	zipFile zip;

	(void)state;
	if (getenv("STET_RECORD") != NULL)
		return;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	(void)snprintf(path, sizeof(path), "%s/site.zip", dir);
	assert_non_null(zip = zipOpen64(path, APPEND_STATUS_CREATE));
	ZIP_TEXT(
	    zip, "blog/a.md", "---\ntitle: A\nimage: /img/a%20b.gif\n---\n![x](../img/c.gif)\n");
	zip_file(zip, "img/a b.gif", gif, sizeof(gif) - 1);
	ZIP_TEXT(zip, "img/c.gif", "<html>no picture");
	ZIP_TEXT(zip, "__MACOSX/blog/._a.md", "of a Mac");
	assert_int_equal(zipClose(zip, NULL), ZIP_OK);
	/* One of the images is not an image. */
	assert_int_equal(RUN(dir, "import", "from", "markdown", path), 1);
	h = leaving_open(dir, leaving_locales);
	o = get(h, "posts/a");
	assert_string_equal(harness_text(o->data, "item.data.featured_image.provider"), "local");
	assert_string_equal(harness_text(o->data, "item.data.content[0].asset.url"), "/img/c.gif");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_posts"), "1");
	harness_close(h, true);
	leaving_remove(dir);
}

/* ---- a plugin ---- */

static void
a_plugin_brings_one(void **state)
{
	const struct harness_options options = { .plugin_path = "t/plugins/diary/.libs" };
	struct harness *h;
	struct outcome *o;
	char id[40];

	harness_close(*state, false);
	*state = h = harness_open(&options);
	inside_sql(h,
	    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1,"
	    " 'admin@example.org', 50, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
	    admin->id);
	assert_code(imported_post(h, IMPORTING_JOBS, "{\"format\":\"diary\"}", "1|One|*a*"),
	    "VALIDATION_ERROR");
	assert_ok(harness_request(h, admin, "POST /admin/plugins/diary/enable", NULL, NULL));
	o = run(h, "{\"format\":\"diary\",\"importMedia\":false}",
	    "1|One & more|*a*\nnothing\n2|Two|b|1\n", id);
	COUNTED(o, "created", 2);
	COUNTED(o, "failed", 1);
	o = get(h, "day/one-more");
	assert_string_equal(harness_text(o->data, "item.data.title"), "One & more");
	assert_string_equal(
	    harness_text(o->data, "item.data.content[0].children[0].marks[0]"), "em");
	assert_string_equal(harness_text(o->data, "item.byline.displayName"), "Me & you");
	o = get(h, "day/one-more/terms/category");
	assert_string_equal(harness_text(o->data, "terms[0].label"), "Days & nights");
	o = run(h, "{\"format\":\"diary\",\"importMedia\":false,\"update\":true}",
	    "1|Uno|*a*\n2|Two|b|1\n", id);
	COUNTED(o, "updated", 1);
	COUNTED(o, "unchanged", 1);
	/* A row that is not an object ends the import. */
	harness_ok(o, imported_post(h, IMPORTING_JOBS, "{\"format\":\"diary\"}", "!\n"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	(void)importing_work(h, id, "failed");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM c_day"), "2");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(rows_of_csv_become_items),
		TEST(semicolons_and_tabs_separate_beside_decimal_commas),
		TEST(rows_that_are_too_long_are_left_out),
		TEST(options_say_what_columns_are),
		TEST(what_is_no_csv_is_refused),
		TEST(lines_of_json_have_values_of_each_type),
		TEST(an_export_of_ghost_is_imported),
		TEST(a_dry_run_of_a_directory_writes_its_report_alone),
		TEST(a_directory_of_markdown_is_imported),
		TEST(a_zip_file_of_markdown_brings_its_pictures),
		TEST(a_plugin_brings_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
