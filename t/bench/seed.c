/*
 * seed.c - what would take `make bench` hours over HTTP: written into a site's database as the
 * content module leaves it. The daemon does not run meanwhile.
 *
 *   seed revisions DB COLLECTION
 *       five revisions for each item: the first whole, four as what differs from it, the last live.
 *       As years of edits leave them: all first ones, then all second ones, ...
 *   seed siblings DB COLLECTION COUNT SOME
 *       a published translation in the locale fr for SOME of the items item-0 ... item-COUNT, those
 *       that the load generator asks for
 *   seed terms DB TAXONOMY COUNT ASSIGNMENTS
 *       terms term-0 ... of a taxonomy that is there, and so many assignments, to the items of
 *       "small" as far as there are items, all counted
 *   seed menu DB NAME COUNT
 *       a menu of so many items of "small"
 *   seed library DB COLLECTION COUNT
 *       so many media items, all but the first three of them used once by items of the collection
 *   seed uses DB COLLECTION MEDIA COUNT
 *       so many items with a title and an image, which is the media item of this id
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REVISIONS 5

static void
run(sqlite3 *db, char *sql)
{
	char *why = NULL;

	if (sql == NULL || sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) {
		fprintf(stderr, "seed: %s\n", why != NULL ? why : "no memory");
		exit(1);
	}
	sqlite3_free(sql);
}

static void
revisions(sqlite3 *db, const char *collection)
{
	run(db,
	    sqlite3_mprintf("INSERT INTO revision (id, collection, entry_id, author_id, created_at,"
			    " data) SELECT '01A1' || substr(id, 5), %Q, id, author_id, created_at,"
			    " json_object('title', 'Draft 1 of ' || slug, 'year', f_year, 'body',"
			    " json(f_body)) FROM \"c_%w\"",
		collection, collection));
	for (int i = 2; i <= REVISIONS; i++)
		run(db,
		    sqlite3_mprintf(
			"INSERT INTO revision (id, collection, entry_id, author_id, created_at,"
			" base, data) SELECT '01A%d' || substr(id, 5), %Q, id, author_id,"
			" created_at, '01A1' || substr(id, 5), json_object('title', CASE %d WHEN"
			" %d THEN f_title ELSE 'Draft %d of ' || slug END) FROM \"c_%w\"",
			i, collection, i, REVISIONS, i, collection));
	run(db, sqlite3_mprintf("UPDATE \"c_%w\" SET version = %d, live_revision_id = '01A%d' ||"
				" substr(id, 5)",
		    collection, 2 * REVISIONS - 1, REVISIONS));
}

static void
siblings(sqlite3 *db, const char *collection, long count, long some)
{
	run(db,
	    sqlite3_mprintf(
		"WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %ld - 1)"
		" INSERT INTO \"c_%w\" (id, slug, status, author_id, created_at, updated_at,"
		" published_at, version, locale, translation_group, f_title, f_year, f_body)"
		" SELECT '01B0' || substr(id, 5), slug || '-fr', 'published', author_id, created_at,"
		" updated_at, created_at, 1, 'fr', translation_group, f_title, f_year, f_body FROM n"
		" CROSS JOIN \"c_%w\" ON slug = 'item-' || (i * 7919 %% %ld) AND locale = 'en'",
		some, collection, collection, count));
}

/* Writes to the disk. */
static int
settle(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), bad = fd < 0 || fsync(fd) != 0;

	if (fd >= 0)
		close(fd);
	return bad;
}

static void
terms(sqlite3 *db, const char *taxonomy, long count, long assignments)
{
	run(db,
	    sqlite3_mprintf(
		"WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %ld - 1)"
		" INSERT INTO term (id, taxonomy, slug, label, parent_group, position, locale,"
		" translation_group) SELECT %Q || i, %Q, 'term-' || i, 'Term ' || i, '', i, 'en',"
		" %Q || i FROM n",
		count, taxonomy, taxonomy, taxonomy));
	run(db,
	    sqlite3_mprintf(
		"WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %ld - 1)"
		" INSERT INTO content_term (collection, entry_group, taxonomy, term_group, shown)"
		" SELECT 'small', COALESCE((SELECT translation_group FROM c_small WHERE slug ="
		" 'item-' || i), 'entry-' || i), %Q, %Q || (i %% %ld), 'en' FROM n",
		assignments, taxonomy, taxonomy, count));
	run(db,
	    sqlite3_mprintf(
		"INSERT INTO term_count (term_group, locale, collection, n) SELECT term_group, l.v,"
		" collection, COUNT(*) FROM content_term CROSS JOIN (SELECT '' AS v UNION ALL SELECT"
		" 'en') AS l WHERE taxonomy = %Q GROUP BY term_group, l.v, collection",
		taxonomy));
}

static void
menu(sqlite3 *db, const char *name, long count)
{
	run(db, sqlite3_mprintf("INSERT INTO menu (id, name, label, locale, translation_group,"
				" created_at, updated_at) VALUES (%Q, %Q, 'Menu', 'en', %Q,"
				" '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
		    name, name, name));
	run(db, sqlite3_mprintf(
		    "INSERT INTO menu_item (id, menu_id, sort_order, type,"
		    " reference_collection, reference_id, label, translation_group,"
		    " created_at) SELECT %Q || id, %Q, 0, 'post', 'small', id, slug, %Q || id,"
		    " created_at FROM c_small ORDER BY id LIMIT %ld",
		    name, name, name, count));
}

#define NUMBERS "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %ld - 1)"
#define DAY "'2026-01-01T00:00:00.000Z'"

static void
library(sqlite3 *db, const char *collection, long count)
{
	run(db,
	    sqlite3_mprintf(NUMBERS
		" INSERT INTO media_items (id, filename, mime_type, size, storage_key, kept_key,"
		" created_at) SELECT printf('01M%%023d', i), 'a.png', 'image/png', 1, 'k' || i,"
		" 'k' || i, " DAY " FROM n",
		count));
	run(db, sqlite3_mprintf(NUMBERS
		    " INSERT INTO media_use (media_id, collection_id, content_id, active, sources)"
		    " SELECT printf('01M%%023d', i), (SELECT id FROM collection WHERE slug = %Q),"
		    " printf('01T%%023d', i), 1, '[]' FROM n WHERE i > 2",
		    count, collection));
	run(db,
	    sqlite3_mprintf(NUMBERS
		" INSERT INTO media_use_count (media_id, collection_id, active, uses)"
		" SELECT printf('01M%%023d', i), (SELECT id FROM collection WHERE slug = %Q), 1, 1"
		" FROM n WHERE i > 2",
		count, collection));
}

static void
uses(sqlite3 *db, const char *collection, const char *media, long count)
{
	run(db,
	    sqlite3_mprintf(NUMBERS
		" INSERT INTO \"c_%w\" (id, slug, status, created_at, updated_at, published_at,"
		" version, locale, translation_group, f_title, f_hero) SELECT"
		" printf('01T%%023d', i), %Q || i, 'published', " DAY ", " DAY ", " DAY ", 1, 'en',"
		" printf('01T%%023d', i), 'Item ' || i, json_object('id', %Q) FROM n",
		count, collection, collection, media));
	run(db,
	    sqlite3_mprintf(NUMBERS
		" INSERT INTO media_use (media_id, collection_id, content_id, active, sources)"
		" SELECT %Q, (SELECT id FROM collection WHERE slug = %Q), printf('01T%%023d', i), 1,"
		" '[{\"variant\":\"columns\",\"occurrences\":[{\"fieldSlug\":\"hero\","
		"\"fieldPath\":\"hero\",\"occurrenceIndex\":0,\"referenceType\":\"image_field\"}]}]'"
		" FROM n",
		count, media, collection));
	run(db, sqlite3_mprintf(
		    "INSERT INTO media_use_count (media_id, collection_id, active, uses) SELECT %Q,"
		    " id, %ld, %ld FROM collection WHERE slug = %Q",
		    media, count, count, collection));
}

int
main(int argc, char **argv)
{
	sqlite3 *db;

	if (argc < 4 || sqlite3_open_v2(argv[2], &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
		fputs(
		    "usage: seed revisions|siblings|terms|menu|library|uses DB NAME ..., see the top of seed.c\n",
		    stderr);
		return 2;
	}
	/* If this fails, the whole site is discarded. */
	run(db, sqlite3_mprintf("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
				"PRAGMA cache_size = -262144; BEGIN"));
	if (strcmp(argv[1], "revisions") == 0)
		revisions(db, argv[3]);
	else if (strcmp(argv[1], "terms") == 0 && argc == 6)
		terms(db, argv[3], strtol(argv[4], NULL, 10), strtol(argv[5], NULL, 10));
	else if (strcmp(argv[1], "menu") == 0 && argc == 5)
		menu(db, argv[3], strtol(argv[4], NULL, 10));
	else if (strcmp(argv[1], "library") == 0 && argc == 5)
		library(db, argv[3], strtol(argv[4], NULL, 10));
	else if (strcmp(argv[1], "uses") == 0 && argc == 6)
		uses(db, argv[3], argv[4], strtol(argv[5], NULL, 10));
	else if (argc == 6)
		siblings(db, argv[3], strtol(argv[4], NULL, 10), strtol(argv[5], NULL, 10));
	run(db, sqlite3_mprintf("COMMIT"));
	if (sqlite3_close(db) != SQLITE_OK)
		return 1;
	/* Without this, the daemon's first commit would wait until all of it is on the disk. */
	return settle(argv[2]);
}
