/*
 * systems.c - exports of other headless systems, from directories beside this file. What each
 * contains was counted by hand; the account of the import, and the database, must agree.
 */
#include "arrived.h"
#include "imported.h"
#include "importing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Imports the main file of a system by a job into a site of its own, without files. */
static json_t *
account_of(const char *system, const char *name, const char *options)
{
	struct harness *h = importing_open();
	struct outcome *o;
	char id[40], config[200], path[700], *text;
	json_t *account;

	(void)snprintf(path, sizeof(path), "%s/%s", arrived_path(system), name);
	(void)snprintf(
	    config, sizeof(config), "{\"format\":\"%s\",\"importMedia\":false%s}", system, options);
	text = arrived_text(path);
	harness_ok(o, imported_post(h, IMPORTING_JOBS, config, text));
	free(text);
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	account = json_deep_copy(harness_at(importing_work(h, id, "done")->data, "result.account"));
	harness_close(h, false);
	return account;
}

/* ---- Sanity ---- */

static void
a_dataset_of_sanity_is_imported(void **state)
{
	struct arrived s;
	struct outcome *o;
	json_t *account;

	(void)state;
	if (arrived_recorded())
		return;
	account = account_of("sanity", "data.ndjson", "");
	arrived_account(account, "items", "post", 3, 3);
	arrived_account(account, "items", "author", 1, 1);
	arrived_account(account, "items", "category", 2, 2);
	arrived_account(account, "values", "rating", 2, 2);
	arrived_account(account, "values", "mainimage", 1, 1);
	json_decref(account);
	s = arrived_by("sanity", arrived_path("sanity"), NULL, 1);
	/* 3 posts, 1 author, 2 categories; 2 pictures; 4 references that lead somewhere. */
	ASK(&s, "SELECT count(*) FROM c_posts", "3");
	ASK(&s, "SELECT count(*) FROM c_author", "1");
	ASK(&s, "SELECT count(*) FROM c_category", "2");
	ASK(&s, "SELECT count(*) FROM media_items", "2");
	ASK(&s,
	    "SELECT count(*) FROM c_posts p JOIN c_author a ON p.f_author = a.id JOIN c_posts n ON "
	    "p.f_next = n.id WHERE p.slug = 'tides' AND n.slug = 'dunes'",
	    "1");
	ASK(&s,
	    "SELECT group_concat(c.f_title) FROM c_posts p, json_each(p.f_categories) j JOIN "
	    "c_category c ON c.id = j.value WHERE p.slug = 'tides'",
	    "Sea & shore,Hills");
	arrived_told(&s, "What it refers to is not in the export");
	arrived_told(&s, "The draft of a document that is published is left out");
	arrived_told(&s, "It has no _id or no _type");
	o = arrived_get(&s, "posts/tides");
	TEXT(o, "data.title", "Tides");
	TEXT(o, "createdAt", "2024-05-02T10:00:00.000Z");
	TEXT(o, "data.mainimage.provider", "local");
	TEXT(o, "data.mainimage.alt", "Low tide");
	TEXT(o, "data.content[0].children[1].marks[0]", "strong");
	TEXT(o, "data.content[0].markDefs[0].href", "https://tides.example/a");
	TEXT(o, "data.content[1]._type", "image");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.content[1].asset.url"), "/media/file/"));
	TEXT(o, "data.content[2].style", "h2");
	TEXT(o, "data.summary[0].children[0].text", "In short");
	assert_true(json_is_true(harness_at(o->data, "item.data.pinned")));
	o = arrived_get(&s, "posts/not-yet");
	TEXT(o, "status", "draft");
	o = arrived_get(&s, "author/ann-bee");
	TEXT(o, "data.title", "Ann Bee");
	arrived_done(&s);
}

/* ---- Contentful ---- */

static void
an_export_of_contentful_is_imported(void **state)
{
	struct arrived s;
	struct outcome *o;
	json_t *account;

	(void)state;
	if (arrived_recorded())
		return;
	/* That site has only one locale, so the German entry is told, and not stored. */
	account = account_of("contentful", "export.json", "");
	arrived_account(account, "items", "article", 3, 2);
	arrived_account(account, "items", "person", 1, 1);
	arrived_account(account, "values", "score", 1, 1);
	arrived_account(account, "values", "cover", 1, 1);
	arrived_account(account, "assignments", "tag", 1, 1);
	/* "High&low", "Water", "falls", "here", "One" */
	arrived_account(account, "characters", "", 8 + 5 + 5 + 4 + 3, 8 + 5 + 5 + 4 + 3);
	arrived_account(account, "links", "", 1, 1);
	arrived_account(account, "pictures", "", 1, 1);
	json_decref(account);
	s = arrived_by("contentful", arrived_path("contentful"), NULL, 1);
	/* 2 articles, one of them in two languages; 1 person; 1 picture; 2 references. */
	ASK(&s, "SELECT count(*) FROM c_article", "3");
	ASK(&s, "SELECT count(DISTINCT translation_group) FROM c_article", "2");
	ASK(&s, "SELECT count(*) FROM c_person", "1");
	ASK(&s, "SELECT count(*) FROM media_items", "1");
	ASK(&s,
	    "SELECT group_concat(r.slug || p.f_title) FROM c_article a CROSS JOIN json_each(a.f_related) j "
	    "JOIN c_article r ON r.id = j.value JOIN c_person p ON p.id = a.f_author WHERE "
	    "a.locale = 'en'",
	    "dunesAnn Bee");
	arrived_told(&s, "Its file is not in the export");
	o = arrived_get(&s, "article/tides?locale=en");
	TEXT(o, "data.title", "Tides");
	TEXT(o, "publishedAt", "2024-05-02T10:00:00.000Z");
	TEXT(o, "data.day", "2024-05-02T10:00:00.000Z");
	TEXT(o, "data.cover.provider", "local");
	TEXT(o, "data.cover.alt", "Low tide");
	TEXT(o, "data.content[0].style", "h2");
	TEXT(o, "data.content[0].children[0].text", "High & low");
	TEXT(o, "data.content[1].children[1].marks[0]", "strong");
	TEXT(o, "data.content[1].markDefs[0].href", "https://tides.example/a");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.content[2].asset.url"), "/media/file/"));
	TEXT(o, "data.content[3]._type", "reference");
	TEXT(o, "data.content[3].collection", "article");
	TEXT(o, "data.content[3].href", "/article/dunes");
	TEXT(o, "data.content[4].listItem", "bullet");
	o = arrived_get(&s, "article/tides/terms/tag?locale=en");
	assert_string_equal(harness_text(o->data, "terms[0].label"), "The sea");
	o = arrived_get(&s, "article/dunes");
	TEXT(o, "status", "draft");
	o = arrived_get(&s, "article/tides?locale=de");
	TEXT(o, "data.title", "Gezeiten");
	arrived_done(&s);
}

/* ---- Strapi ---- */

/* Strapi 5 has components inside of the entity. A zone with texts becomes one text. */
static void
zones_of_strapi_are_texts(struct arrived *s)
{
	struct outcome *o = arrived_get(s, "pages/coast");

	TEXT(o, "data.zone[0].style", "h2");
	TEXT(o, "data.zone[1].alt", "Low");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.zone[1].asset.url"), "/media/file/"));
	TEXT(o, "data.zone[3].style", "blockquote");
	TEXT(o, "data.zone[3].children[0].text", "The sea is never still.");
	TEXT(o, "data.zone[4].children[0].text", "\xe2\x80\x94 Ann Bee");
	TEXT(o, "data.zone[5].alt", "Low tide");
	/* In the order of their places, not of the links. */
	TEXT(o, "data.zone[6]._type", "gallery");
	TEXT(o, "data.zone[6].images[0].alt", "High tide");
	TEXT(o, "data.zone[6].images[1].alt", "Low tide");
	TEXT(o, "data.zone[7]._type", "teaser");
	TEXT(o, "data.zone[7].icon.alt", "High tide");
	TEXT(o, "data.zone[7].button.target._type", "reference");
	TEXT(o, "data.links[1].picture.alt", "Low tide");
	/* Keys are distinct. */
	ASK(s,
	    "SELECT count(*) - count(DISTINCT json_extract(j.value, '$._key')) FROM c_pages p "
	    "CROSS JOIN json_each(p.f_zone) j",
	    "0");
}

static void
an_export_of_strapi_is_imported(void **state)
{
	struct arrived s;
	struct outcome *o;
	json_t *account;

	(void)state;
	if (arrived_recorded())
		return;
	/* The entities alone: without links, and without schemas. */
	account = account_of("strapi", "entities/entities_00001.jsonl", "");
	arrived_account(account, "items", "article", 3, 2);
	arrived_account(account, "items", "author", 1, 1);
	arrived_account(account, "values", "score", 1, 1);
	json_decref(account);
	s = arrived_by("strapi", arrived_path("strapi"), NULL, 1);
	/* 2 articles, one of them in two languages; 1 author; 2 pictures; 2 references. */
	ASK(&s, "SELECT count(*) FROM c_article", "3");
	ASK(&s, "SELECT count(DISTINCT translation_group) FROM c_article", "2");
	ASK(&s, "SELECT count(*) FROM c_author", "1");
	ASK(&s, "SELECT count(*) FROM media_items", "2");
	ASK(&s,
	    "SELECT group_concat(r.slug || p.f_title) FROM c_article a CROSS JOIN json_each(a.f_related) j "
	    "JOIN c_article r ON r.id = j.value JOIN c_author p ON p.id = a.f_author",
	    "dunesAnn Bee");
	arrived_told(&s, "What it refers to is not in the export");
	arrived_told(&s, "The draft of a document that is published is left out");
	o = arrived_get(&s, "article/tides");
	TEXT(o, "publishedAt", "2024-05-03T10:00:00.000Z");
	TEXT(o, "data.day", "2024-05-02T10:00:00.000Z");
	TEXT(o, "data.note", "In *short*");
	TEXT(o, "data.cover.provider", "local");
	TEXT(o, "data.cover.alt", "Low tide");
	TEXT(o, "data.seo.metaTitle", "All about tides");
	TEXT(o, "data.seo.shareImage.alt", "High tide");
	TEXT(o, "data.pictures[0].alt", "Low tide");
	assert_true(*harness_text(o->data, "item.data.pictures[0].id") != '\0');
	assert_true(*harness_text(o->data, "item.data.seo.shareImage.id") != '\0');
	TEXT(o, "data.pictures[1].alt", "High tide");
	TEXT(o, "data.content[0].style", "h2");
	TEXT(o, "data.content[0].children[0].text", "High & low");
	TEXT(o, "data.content[1].children[1].marks[0]", "strong");
	TEXT(o, "data.content[1].markDefs[0].href", "https://tides.example/a");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.content[2].asset.url"), "/media/file/"));
	TEXT(o, "data.content[3].listItem", "bullet");
	o = arrived_get(&s, "article/dunes");
	TEXT(o, "status", "draft");
	o = arrived_get(&s, "article/gezeiten?locale=de");
	TEXT(o, "data.title", "Gezeiten");
	zones_of_strapi_are_texts(&s);
	arrived_done(&s);
}

/* ---- Directus ---- */

static void
items_of_directus_are_imported(void **state)
{
	struct arrived s;
	struct outcome *o;
	json_t *account;

	(void)state;
	if (arrived_recorded())
		return;
	/* A collection alone: nothing is known of its relations, files and texts. */
	account = account_of("directus", "articles.json", ",\"options\":{\"type\":\"articles\"}");
	arrived_account(account, "items", "articles", 3, 2);
	arrived_account(account, "values", "score", 1, 1);
	arrived_account(account, "values", "ratio", 1, 1);
	arrived_account(account, "values", "author", 2, 2);
	json_decref(account);
	s = arrived_by("directus", arrived_path("directus"), NULL, 1);
	/* 2 articles, 1 author, 1 picture; 2 references; 1 item without an id is told. */
	ASK(&s, "SELECT count(*) FROM c_articles", "2");
	ASK(&s, "SELECT count(*) FROM c_authors", "1");
	ASK(&s, "SELECT count(*) FROM media_items", "1");
	ASK(&s,
	    "SELECT group_concat(n.slug || p.f_title) FROM c_articles a JOIN c_articles n ON n.id = "
	    "a.f_next JOIN c_authors p ON p.id = a.f_author",
	    "dunesAnn Bee");
	arrived_told(&s, "What it refers to is not in the export");
	arrived_told(&s, "Its file is not in the export");
	arrived_told(&s, "articles, item 3");
	o = arrived_get(&s, "articles/tides");
	TEXT(o, "createdAt", "2024-05-01T10:00:00.000Z");
	TEXT(o, "data.cover.provider", "local");
	TEXT(o, "data.cover.alt", "Low tide");
	TEXT(o, "data.tags[1]", "moon");
	TEXT(o, "data.content[0].style", "h2");
	TEXT(o, "data.content[0].children[0].text", "High & low");
	TEXT(o, "data.content[1].markDefs[0].href", "https://tides.example/a");
	assert_true(json_is_true(harness_at(o->data, "item.data.open")));
	o = arrived_get(&s, "articles/dunes");
	TEXT(o, "status", "draft");
	arrived_done(&s);
}

/* ---- Payload ---- */

static void
documents_of_payload_are_imported(void **state)
{
	struct arrived s;
	struct outcome *o;
	json_t *account;

	(void)state;
	if (arrived_recorded())
		return;
	/* A collection alone; its author and its picture stay ids. */
	account = account_of("payload", "articles.jsonl", ",\"options\":{\"type\":\"articles\"}");
	arrived_account(account, "items", "articles", 3, 2);
	arrived_account(account, "values", "score", 1, 1);
	/* "High&low", "Water", "falls", "here", "One" */
	arrived_account(account, "characters", "", 8 + 5 + 5 + 4 + 3, 8 + 5 + 5 + 4 + 3);
	arrived_account(account, "links", "", 1, 1);
	json_decref(account);
	s = arrived_by("payload", arrived_path("payload"), NULL, 1);
	/* 2 articles, 1 author, 1 picture; 3 references; 1 document without an id is told. */
	ASK(&s, "SELECT count(*) FROM c_articles", "2");
	ASK(&s, "SELECT count(*) FROM c_authors", "1");
	ASK(&s, "SELECT count(*) FROM media_items", "1");
	ASK(&s,
	    "SELECT group_concat(r.slug || p.f_title) FROM c_articles a CROSS JOIN json_each(a.f_related) j "
	    "JOIN c_articles r ON r.id = j.value JOIN c_authors p ON p.id = a.f_author AND p.id = "
	    "r.f_author",
	    "dunesAnn Bee");
	arrived_told(&s, "It has no id");
	o = arrived_get(&s, "articles/tides");
	TEXT(o, "createdAt", "2024-05-01T10:00:00.000Z");
	TEXT(o, "data.cover.provider", "local");
	TEXT(o, "data.cover.alt", "Low tide");
	TEXT(o, "data.content[0].style", "h2");
	TEXT(o, "data.content[0].children[0].text", "High & low");
	TEXT(o, "data.content[1].children[1].marks[0]", "strong");
	TEXT(o, "data.content[1].markDefs[0].href", "https://tides.example/a");
	assert_non_null(
	    strstr(harness_text(o->data, "item.data.content[2].asset.url"), "/media/file/"));
	TEXT(o, "data.content[3]._type", "banner");
	TEXT(o, "data.content[4].listItem", "bullet");
	o = arrived_get(&s, "articles/dunes");
	TEXT(o, "status", "draft");
	TEXT(o, "createdAt", "2024-05-01T10:00:00.000Z");
	arrived_done(&s);
}

/* Answers of the REST API of Payload 3.90.2 on SQLite, where ids are numbers of each collection:
 * 3 articles in English, 2 of them in German, 2 pages of 3, 3 tags, 8 files, 2 accounts. */
static void
answers_of_payload_are_imported(void **state)
{
	struct arrived s;
	struct outcome *o;

	(void)state;
	if (arrived_recorded())
		return;
	s = arrived_by("payload", arrived_path("payload3"), NULL, 1);
	/* Counted in the files by name. Article 6 is a draft, and has no German text. */
	ASK(&s,
	    "SELECT group_concat(n) FROM (SELECT f_title || ':' || locale || ':' || status AS n FROM"
	    " c_articles ORDER BY n) AS t",
	    "Article 1:en:published,Article 2:en:published,Article 6:en:draft,"
	    "Artikel 1:de:published,Artikel 2:de:published");
	ASK(&s, "SELECT group_concat(n) FROM (SELECT f_title AS n FROM c_pages ORDER BY n) AS t",
	    "Page 1,Page 2");
	ASK(&s, "SELECT group_concat(n) FROM (SELECT f_title AS n FROM c_tags ORDER BY n) AS t",
	    "Moon,Sand,Sea");
	/* The files have the same bytes. */
	ASK(&s, "SELECT count(*) FROM media_items", "1");
	arrived_told(&s, "Its answers have 2 of 3 documents");
	o = arrived_get(&s, "articles/article-2?locale=en");
	TEXT(o, "data.cover.alt", "Picture 3");
	TEXT(o, "data.gallery[1].alt", "Picture 2");
	TEXT(o, "data.related[1].collection", "pages");
	TEXT(o, "data.links[0].to.collection", "articles");
	TEXT(o, "data.meta.image.alt", "Picture 8");
	TEXT(o, "data.content[2]._type", "tip");
	TEXT(o, "data.content[3].alt", "Picture 3");
	TEXT(o, "data.content[4].title", "Article 1");
	TEXT(o, "data.content[5].picture.alt", "Picture 6");
	assert_true(json_is_true(harness_at(o->data, "item.data.content[8].checked")));
	assert_int_equal(json_integer_value(harness_at(o->data, "item.data.content[9].start")), 3);
	assert_true(json_is_true(harness_at(o->data, "item.data.content[12].hasHeaderRow")));
	TEXT(o, "data.content[12].rows[1].cells[1].content[0].text", "cell b");
	arrived_done(&s);
}

/* A document that a program has printed over many lines, beside one of lines, which mongoexport
 * calls .json, too; and one file alone. */
static void
answers_of_payload_may_have_lines(void **state)
{
	struct harness *h;
	struct arrived s;
	char path[600], *dir;

	(void)state;
	if (arrived_recorded())
		return;
	h = leaving_furnished();
	dir = leaving_close(h, leaving_locales);
	(void)snprintf(path, sizeof(path), "%s/answers", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof(path), "%s/answers/things.json", dir);
	arrived_put(path, "{\n  \"docs\" : [\n    { \"id\": 1,\n  \"title\": \"One ] }\" },\n"
			  "    { \"id\": 2, \"title\": \"Two\" } ],\n  \"totalDocs\": 5\n}\n");
	(void)snprintf(path, sizeof(path), "%s/answers/sorts.json", dir);
	arrived_put(path, "{\"_id\":{\"$oid\":\"65f000000000000000000001\"},\"title\":\"Red\"}\n"
			  "{\"_id\":{\"$oid\":\"65f000000000000000000002\"},\"title\":\"Blue\"}\n");
	(void)snprintf(path, sizeof(path), "%s/answers", dir);
	s = arrived_by("payload", path, NULL, 1);
	ASK(&s, "SELECT group_concat(n) FROM (SELECT f_title AS n FROM c_things ORDER BY n) AS t",
	    "One ] },Two");
	ASK(&s, "SELECT group_concat(n) FROM (SELECT f_title AS n FROM c_sorts ORDER BY n) AS t",
	    "Blue,Red");
	arrived_told(&s, "Its answers have 2 of 5 documents");
	arrived_done(&s);
	leaving_remove(dir);
}

/* ---- other shapes ---- */

/* Members of other types, missing ones, and files of something else: the command ends by itself. */
static void
other_shapes_end_no_import_by_a_signal(void **state)
{
	static const char *const systems[] = { "ghost", "sanity", "contentful", "strapi",
		"directus", "payload", "notion", "blogger", "substack", "medium", "drupal" };
	static const char *const texts[] = { "", "null", "[]", "{}", "[[[[", "{\"entries\":5}",
		"{\"db\":[{\"data\":{\"posts\":[1,null,{\"id\":{},\"tags\":7}]}}]}",
		"{\"_id\":\"a\",\"_type\":\"b\",\"x\":{\"_ref\":\"\"},\"y\":[{\"_type\":\"reference\"}],"
		"\"z\":{\"_sanityAsset\":\"@file://\"},\"body\":[{\"_type\":\"block\"}],\"slug\":[]}",
		"{\"entries\":[null,{},{\"sys\":{\"id\":\"a\"},\"fields\":{\"a\":5,\"b\":{\"en-US\":{\"sys\":"
		"{\"type\":\"Link\",\"linkType\":\"Entry\",\"id\":5}}},\"c\":{\"en-US\":{\"nodeType\":"
		"\"document\",\"content\":[1,{\"nodeType\":\"embedded-asset-block\"}]}}}}],\"assets\":{}}",
		"{\"type\":\"api::a.b\",\"id\":\"x\",\"data\":{\"documentId\":5,\"body\":[[]]}}",
		"{\"left\":{\"type\":\"api::a.b\",\"field\":\"x\"},\"right\":{}}",
		"{\"data\":[5,null,{\"type\":\"node--a\",\"id\":\"x\",\"attributes\":{\"body\":[],"
		"\"path\":7,\"metatag\":{},\"n\":{\"value\":\"\",\"format\":1}},\"relationships\":{\"a\":5,"
		"\"b\":{\"data\":[{\"type\":\"media--a\",\"id\":\"m\"},7]}}}],\"included\":[{\"type\":"
		"\"media--a\",\"id\":\"m\",\"relationships\":[]},{\"type\":\"comment--c\",\"id\":\"c\"}],"
		"\"links\":5,\"errors\":null}",
		"[{\"id\":1,\"title\":[],\"body\":{\"root\":{\"children\":[]}}},7]",
		"{\"id\":{\"value\":{\"value\":{\"value\":{\"value\":1}}}},\"filename\":\"../x\","
		"\"mimeType\":\"x\",\"content\":{\"root\":{\"children\":[{\"type\":\"upload\"},{\"type\":"
		"\"heading\",\"tag\":\"h\"},5]}}}" };
	char *dir, path[600];

	(void)state;
	if (arrived_recorded())
		return;
	dir = leaving_close(leaving_furnished(), leaving_locales);
	for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++)
		for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
			(void)snprintf(path, sizeof(path), "%s/export.json", dir);
			arrived_put(path, texts[k]);
			assert_in_range(RUN(dir, "import", "from", systems[i], path, "--set",
					    "type=things", "--no-media", "--dry-run"),
			    0, 2);
		}
	leaving_remove(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dataset_of_sanity_is_imported),
		cmocka_unit_test(an_export_of_contentful_is_imported),
		cmocka_unit_test(an_export_of_strapi_is_imported),
		cmocka_unit_test(items_of_directus_are_imported),
		cmocka_unit_test(documents_of_payload_are_imported),
		cmocka_unit_test(answers_of_payload_are_imported),
		cmocka_unit_test(answers_of_payload_may_have_lines),
		cmocka_unit_test(other_shapes_end_no_import_by_a_signal),
	};

	return cmocka_run_group_tests_name("import/systems", tests, NULL, NULL);
}
