/* leaving.c - a site with everything that an export has, and the command that writes it. */
#include "leaving.h"
#include "engine.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const leaving_locales[] = { "en", "de", NULL };

/* ---- the command ---- */

extern char **environ;
const char *leaving_plugins;

/* Runs `stet --config CONF ARGS…`, without its output; returns its exit status. */
int
leaving_run(const char *dir, const char *const *args, struct rusage *usage)
{
	char conf[200], command[1100];
	char *argv[16] = { command, (char *)(uintptr_t) "--config", conf };
	posix_spawn_file_actions_t quiet;
	pid_t pid;
	int status;

	(void)snprintf(conf, sizeof(conf), "%s/test.conf", dir);
	(void)snprintf(command, sizeof(command), "%s", harness_path("STET_BUILD", ".libs/stet"));
	for (size_t i = 0; args[i] != NULL; i++)
		argv[i + 3] = (char *)(uintptr_t)args[i];
	(void)setenv("STET_MODULE_PATH", harness_path("STET_BUILD", "modules/.libs"), 1);
	(void)setenv("STET_PLUGIN_PATH",
	    leaving_plugins != NULL ? harness_path("STET_BUILD", leaving_plugins) : "", 1);
	assert_int_equal(posix_spawn_file_actions_init(&quiet), 0);
	for (int fd = 1; fd <= 2 && getenv("STET_TEST_LOUD") == NULL; fd++)
		assert_int_equal(
		    posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_WRONLY, 0), 0);
	assert_int_equal(posix_spawn(&pid, command, &quiet, NULL, argv, environ), 0);
	(void)posix_spawn_file_actions_destroy(&quiet);
	assert_int_equal(wait4(pid, &status, 0, usage), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Closes the site and writes a configuration into its directory. Returns the directory. */
char *
leaving_close(struct harness *h, const char *const *locales)
{
	char *dir = strdup(harness_data(h)), path[200];
	FILE *f;

	harness_close(h, true);
	(void)snprintf(path, sizeof(path), "%s/test.conf", dir);
	assert_non_null(f = fopen(path, "w"));
	(void)fprintf(f,
	    "site main {\n\thosts = { \"*\" }\n\tbase-url = \"https://a.example\"\n\tdata = \"%s\"\n",
	    dir);
	(void)fprintf(f, "\tlocales = { \"%s\"", locales[0]);
	for (size_t i = 1; locales[i] != NULL; i++)
		(void)fprintf(f, ", \"%s\"", locales[i]);
	(void)fprintf(f, " }\n");
	engine_make(dir);
	engine_keys(f, dir);
	(void)fprintf(f, "}\n");
	assert_int_equal(fclose(f), 0);
	return dir;
}

struct harness *
leaving_open(const char *dir, const char *const *locales)
{
	const struct harness_options options = { .data = dir, .locales = locales };

	return harness_open(&options);
}

/* ---- a site with everything ---- */

#define FIELD(slug, type) \
	"{\"slug\":\"" slug "\",\"label\":\"" slug "\",\"type\":\"" type "\",\"required\":false}"
/* Text that breaks naive writers and parsers of XML, HTML and comments. */
#define HOSTILE "a ]]> b --> c <!-- d & &amp; &#38; <b>e</b> \\\"f\\\" ]]]]>> \\ufffd %s \\u00a0"
#define CONTROLS "\\u0001\\u001b\\ufffe\\uffff"

/* Opens a site with definitions and without items. */
struct harness *
leaving_furnished(void)
{
	const struct harness_options options = { .locales = leaving_locales };
	struct harness *h = harness_open(&options);
	static const char *const fields[] = { FIELD("title", "string"),
		FIELD("content", "portableText"), FIELD("excerpt", "text"),
		FIELD("featured_image", "image"), FIELD("menu_order", "integer"),
		FIELD("cover", "image"), FIELD("price", "number"), FIELD("count", "integer"),
		FIELD("open", "boolean"), FIELD("at", "datetime"), FIELD("extra", "json"),
		FIELD("notes", "portableText"), FIELD("seo_title", "string"),
		"{\"slug\":\"parent\",\"label\":\"P\",\"type\":\"reference\",\"options\":"
		"{\"collection\":\"stories\"}}",
		"{\"slug\":\"kinds\",\"label\":\"K\",\"type\":\"multiSelect\",\"validation\":"
		"{\"options\":[\"a\",\"b c\",\"d\\\"e\"]}}" };

	assert_ok(harness_send(
	    h, admin, "POST /schema/collections", "{\"slug\":\"stories\",\"label\":\"Stories\"}"));
	assert_ok(harness_send(h, admin, "PUT /schema/collections/stories",
	    "{\"commentsEnabled\":true,\"commentsModeration\":\"none\"}"));
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		assert_ok(harness_send(
		    h, admin, "POST /schema/collections/stories/fields", "%s", fields[i]));
	assert_ok(harness_send(h, admin, "POST /taxonomies",
	    "{\"name\":\"mood\",\"label\":\"Moods\",\"hierarchical\":true,\"collections\":[\"stories\"]}"));
	return h;
}

static const char *
id_of(struct outcome *o)
{
	static char ids[16][32];
	static size_t n;
	char *id = ids[n++ % 16];

	assert_code(o, "");
	(void)snprintf(id, sizeof(ids[0]), "%s", harness_text(o->data, "item.id"));
	if (*id == '\0')
		(void)snprintf(id, sizeof(ids[0]), "%s", harness_text(o->data, "term.id"));
	if (*id == '\0')
		(void)snprintf(id, sizeof(ids[0]), "%s", harness_text(o->data, "id"));
	assert_true(*id != '\0');
	return id;
}

/* Returns the id of a tag. */
static const char *
fill_terms(struct harness *h)
{
	const char *id;

	id = id_of(harness_send(h, admin, "POST /taxonomies/mood/terms",
	    "{\"slug\":\"dark\",\"label\":\"Dark & <deep>\",\"description\":\"a <b> &lt; c\"}"));
	assert_ok(harness_send(h, admin, "POST /taxonomies/mood/terms",
	    "{\"slug\":\"darker\",\"label\":\" Darker \",\"parentId\":\"%s\"}", id));
	assert_ok(harness_send(
	    h, admin, "POST /taxonomies/tag/terms", "{\"slug\":\"tagged\",\"label\":\"&amp;\"}"));
	assert_ok(harness_send(h, admin, "POST /taxonomies/tag/terms/tagged/translations",
	    "{\"slug\":\"tagged\",\"label\":\"Markiert\",\"locale\":\"de\"}"));
	return id_of(harness_send(
	    h, admin, "POST /taxonomies/tag/terms", "{\"slug\":\"after\",\"label\":\"After\"}"));
}

#define WHO "\"authorName\":\"Eve & co\",\"authorEmail\":\"eve@example.org\","

/* Creates two bylines. */
static void
fill_bylines(struct harness *h, const char **ann, const char **bob)
{
	*ann = id_of(harness_send(h, admin, "POST /admin/bylines",
	    "{\"slug\":\"ann\",\"displayName\":\"Ann & Co\",\"isGuest\":true}"));
	*bob = id_of(harness_send(h, admin, "POST /admin/bylines",
	    "{\"slug\":\"bob\",\"displayName\":\"Bob\",\"isGuest\":true}"));
}

/* Creates the first story, with a value in each field; returns its id. */
static const char *
fill_first(struct harness *h)
{
	const char *ann, *bob;

	fill_bylines(h, &ann, &bob);
	return id_of(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"first\",\"status\":\"published\",\"publishedAt\":\"2020-01-02T03:04:05.678Z\","
	    "\"createdAt\":\"2019-01-02T03:04:05.000Z\",\"data\":{\"title\":\" " HOSTILE " \","
	    "\"excerpt\":\"<p>&amp;&</p> " HOSTILE "\",\"menu_order\":7,\"price\":0.1,\"count\":-3,"
	    "\"open\":false,\"at\":\"2021-05-06T07:08:09.010Z\",\"extra\":[1,\"" CONTROLS
	    "\",{\"a\":null}],"
	    "\"seo_title\":\"{not json\",\"kinds\":[\"b c\",\"d\\\"e\"],"
	    "\"notes\":[" BLOCK(
		"n") "],\"featured_image\":{\"id\":\"\",\"provider\":\"external\","
		     "\"src\":\"https://x.example/p.jpg?a=1&b=2\",\"alt\":\"A & B\"},"
		     "\"cover\":{\"id\":\"\",\"provider\":\"external\",\"src\":\"https://x.example/c.jpg\"},"
		     "\"content\":[" BLOCK(HOSTILE
			     CONTROLS) ",{\"_type\":\"chart\",\"_key\":\"c\",\"values\":"
				       "[1.5,\"" HOSTILE CONTROLS "\"]}]},"
				       "\"bylines\":[{\"bylineId\":\"%s\",\"roleLabel\":\"Words\"},{\"bylineId\":\"%s\"}],"
				       "\"taxonomies\":{\"mood\":[\"darker\"],\"tag\":[\"tagged\"]}}",
	    "1", "2", "3", "4", bob, ann));
}

/* Creates published items with drafts: changed slug, text and a removed value; one draft is
 * scheduled. */
static void
fill_drafts(struct harness *h)
{
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"drafted\",\"status\":\"published\",\"data\":{\"title\":\"Drafted\","
	    "\"count\":7,\"seo_title\":\"S\",\"content\":[" BLOCK("live") "]}}"));
	assert_ok(harness_send(h, admin, "PUT /content/stories/drafted",
	    "{\"slug\":\"redrafted\",\"data\":{\"title\":\"Drafted " HOSTILE "\",\"count\":null,"
	    "\"extra\":{\"a\":[]},\"content\":[" BLOCK(
		"not yet " HOSTILE) ",{\"_type\":\"chart\",\"_key\":\"c\",\"values\":[2]}]}}",
	    "1", "2"));
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"turning\",\"status\":\"published\",\"data\":{\"title\":\"Turning\"}}"));
	assert_ok(harness_send(
	    h, admin, "PUT /content/stories/turning", "{\"data\":{\"title\":\"Turned\"}}"));
	assert_ok(harness_send(h, admin, "POST /content/stories/turning/schedule",
	    "{\"scheduledAt\":\"2092-01-01T00:00:00.000Z\"}"));
}

/* Creates the other stories; returns the id of the last one. */
static const char *
fill_others(struct harness *h, const char *first)
{
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"erste\",\"locale\":\"de\",\"translationOf\":\"%s\",\"status\":\"published\","
	    "\"data\":{\"title\":\"Erste\",\"extra\":\"5\"},\"taxonomies\":{\"tag\":[\"tagged\"]}}",
	    first));
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"child\",\"data\":{\"title\":\"Child\",\"parent\":\"%s\",\"extra\":5,"
	    "\"excerpt\":\"\"}}",
	    first));
	assert_ok(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"soon\",\"data\":{\"title\":\"Soon\",\"featured_image\":{\"id\":\"\","
	    "\"provider\":\"external\",\"src\":\"https://x.example/s.jpg\",\"alt\":\"\"}}}"));
	assert_ok(harness_send(h, admin, "POST /content/stories/soon/schedule",
	    "{\"scheduledAt\":\"2091-01-01T00:00:00.250Z\"}"));
	fill_drafts(h);
	return id_of(harness_send(h, admin, "POST /content/stories",
	    "{\"slug\":\"late\",\"status\":\"published\",\"data\":{\"title\":\"Late\",\"extra\":true,"
	    "\"featured_image\":{\"id\":\"\",\"provider\":\"external\","
	    "\"src\":\"https://x.example/p.jpg?a=1&b=2\",\"alt\":\"A & B\"}}}"));
}

static void
fill_structure(struct harness *h, const char *first, const char *tag)
{
	struct outcome *menu;
	char id[27];

	assert_ok(harness_send(h, admin, "POST /sections",
	    "{\"slug\":\"part\",\"title\":\"Part & <i>\",\"description\":\"D & ]]>\",\"keywords\":[\"k & l\",\"m\"],\"content\":[" BLOCK(
		"x") "]}"));
	harness_ok(menu,
	    harness_send(h, admin, "POST /menus", "{\"name\":\"main\",\"label\":\"Main & more\"}"));
	(void)snprintf(id, sizeof(id), "%s", harness_text(menu->data, "id"));
	assert_ok(harness_send(h, admin, "PUT /menus/main/items",
	    "{\"items\":[{\"type\":\"post\",\"referenceCollection\":\"stories\",\"referenceId\":\"%s\","
	    "\"label\":\"A <b> & c\",\"titleAttr\":\"t & u\",\"cssClasses\":\"x y\",\"target\":\"_blank\"},"
	    "{\"type\":\"custom\",\"customUrl\":\"/?a=1&b=]]>\",\"label\":\"Below\",\"parentIndex\":0},"
	    "{\"type\":\"taxonomy\",\"referenceCollection\":\"tag\",\"referenceId\":\"%s\","
	    "\"label\":\"To a tag\"}]}",
	    first, tag));
	assert_ok(harness_send(h, admin, "POST /menus",
	    "{\"name\":\"main\",\"label\":\"Haupt\",\"locale\":\"de\",\"translationOf\":\"%s\"}",
	    id));
	assert_ok(harness_send(h, admin, "PUT /menus/main/items?locale=de",
	    "{\"items\":[{\"type\":\"custom\",\"customUrl\":\"/de\",\"label\":\"Heim\"}]}"));
}

static void
fill_comments(struct harness *h, const char *id)
{
	char request[80];
	struct outcome *o;
	char root[32];

	(void)snprintf(request, sizeof(request), "POST /comments/stories/%s", id);
	harness_ok(o, harness_send(h, nobody, request,
			  "{" WHO "\"body\":\"<script> ]]> --> &lt; \\n\\n  x & y\"}"));
	(void)snprintf(root, sizeof(root), "%s", harness_text(o->data, "id"));
	assert_ok(harness_send(
	    h, nobody, request, "{" WHO "\"body\":\"An answer\",\"parentId\":\"%s\"}", root));
	harness_ok(o, harness_send(h, nobody, request, "{" WHO "\"body\":\"Buy\"}"));
	assert_ok(harness_send(h, admin, "POST /admin/comments/bulk",
	    "{\"ids\":[\"%s\"],\"action\":\"spam\"}", harness_text(o->data, "id")));
}

void
leaving_fill(struct harness *h)
{
	const char *first, *late, *tag;

	tag = fill_terms(h);
	first = fill_first(h);
	late = fill_others(h, first);
	fill_structure(h, first, tag);
	fill_comments(h, late);
}

void
leaving_remove(char *dir)
{
	harness_close(leaving_open(dir, leaving_locales), false);
	free(dir);
}
