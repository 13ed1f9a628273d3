/* plancheck.c - finds plans that scan a table or sort, except the listed ones. */
#include "plancheck.h"
#include "harness.h"
#include "people.h"
#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- exceptions ---- */

/* Tables with a row for each definition or module: some hundreds at most. Scans of them are
 * fine. */
static const char *const tiny[] = { "block_type", "collection", "mcp_surface", "media_coverage",
	"media_deletion", "module_state", "notes_note", "release", "search_index", "site_setting",
	"sqlite_schema", NULL };

/* Plans that contain this text may scan and sort. */
struct exception {
	const char *plan, *reason;
};
static const struct exception exceptions[] = {
	{ "SCAN f; SEARCH c USING INDEX sqlite_autoindex_collection_1 (id=?)",
	    "all fields of all collections, once after a change of them" },
	{ "MATERIALIZE want; ", "credits of the items of one page" },
	{ "MATERIALIZE ranked; ", "the first answers of each thread of one page" },
	{ "MATERIALIZE want; SCAN CONSTANT ROW; SCAN w; SEARCH ",
	    "what the items of one menu name" },
	{ "MATERIALIZE a; SETUP; SEARCH c_posts USING INDEX i_authorcreated_posts (author_id>?)",
	    "a row for each author, found by skipping along the index" },
	{ "; RECURSIVE STEP; SCAN ", "the ancestors of a term, 102 at most; what is below it" },
	{ "LEFT-MOST SUBQUERY; MATERIALIZE a; SEARCH c_pages USING COVERING INDEX",
	    "the items of one batch of a scan" },
	{ "LEFT-MOST SUBQUERY; MATERIALIZE a; SEARCH t USING COVERING INDEX",
	    "the rows of one batch of a scan (media-usage/holders.c)" },
	{ "MATERIALIZE a; SCAN t USING COVERING INDEX sqlite_autoindex_module_setting_1",
	    "settings of modules, some dozens" },
	{ "SCAN t; SCALAR SUBQUERY 1; SEARCH media_use ", "settings of modules, some dozens" },
	{ "SCAN audit_log", "the whole log, which is verified" },
	{ "SCAN c_extra", "values that a deletion takes with it, counted before they go" },
	{ "MATERIALIZE few; ", "counts up to a bound" },
	{ "MATERIALIZE i; SCAN c_posts ", "numbers of a list's items, up to a bound (facet.c)" },
	{ "MATERIALIZE n; COMPOUND QUERY; LEFT-MOST SUBQUERY; SEARCH media_use ",
	    "all uses by a collection, for verify and repair" },
	{ "SEARCH c_posts USING INDEX c5_posts_kind (status=? AND f_kind=?); SCAN way; "
	  "USE TEMP B-TREE FOR ORDER BY",
	    "the heads of a few walks (walk.c)" },
	{ "SEARCH c_posts USING INDEX i_localecreated_posts (locale=?); USE TEMP B-TREE",
	    "a filter that few items pass, which were counted before (path.c)" },
	{ "SEARCH c_pages USING INDEX i_group_pages (translation_group=?); USE TEMP B-TREE",
	    "translations of one item: one a locale" },
	{ "SEARCH revision USING COVERING INDEX i_revision_slug (collection=? AND slug=?); USE TEMP",
	    "the items whose draft has staged one slug" },
	{ "SEARCH signin_links USING INDEX signin_links_kind (kind=?); USE TEMP",
	    "open invitations: 500 at most" },
	{ "MATERIALIZE used; SCAN i; SEARCH r ",
	    "the texts of all items, in the slow lane, before a type of blocks is deleted" },
	{ "SEARCH redirect USING INDEX redirect_entry (entry_id=?); USE TEMP",
	    "the old slugs of one item: 20 at most" },
	{ "SEARCH r USING INDEX redirect_entry (entry_id=?); ",
	    "the old slugs of one item: 20 at most" },
	{ "SEARCH c_posts USING INDEX sqlite_autoindex_c_posts_1 (id=?); LIST SUBQUERY",
	    "items with credits lead because there are few (list.c)" },
};

static bool
has(const char *text, size_t len, const char *part)
{
	return memmem(text, len, part, strlen(part)) != NULL;
}

static bool
is_tiny(const char *table, size_t len)
{
	for (size_t i = 0; tiny[i] != NULL; i++)
		if (strlen(tiny[i]) == len && memcmp(tiny[i], table, len) == 0)
			return true;
	return false;
}

/* Returns true if a step scans a table without an index, sorts rows, or builds an automatic
 * index. */
static bool
is_bad(const char *step, size_t len)
{
	if (has(step, len, "AUTOMATIC") ||
	    (has(step, len, "USE TEMP B-TREE") && has(step, len, "ORDER BY")))
		return true;
	if (len < 5 || memcmp(step, "SCAN ", 5) != 0)
		return false;
	return !has(step, len, " INDEX ") && !has(step, len, " CONSTANT ROW") &&
	       !is_tiny(step + 5, len - 5);
}

static bool
has_bad_step(const char *plan, size_t len)
{
	const char *end = plan + len;

	for (size_t i = 0; i < COUNT(exceptions); i++)
		if (has(plan, len, exceptions[i].plan))
			return false;
	for (const char *step = strpbrk(plan, ":\n"); step != NULL && step < end;) {
		size_t step_len = strcspn(step += 2, ";\n");

		if (is_bad(step, step_len))
			return true;
		step += step_len;
	}
	return false;
}

void
plancheck_level(char *text)
{
	static const char *const partial[] = { "COVERING INDEX passkeys_unverified",
		"COVERING INDEX webhook_delivery_subject" };
	const size_t len = strlen("COVERING ");

	for (size_t i = 0; i < sizeof(partial) / sizeof(partial[0]); i++)
		for (char *p = text; (p = strstr(p, partial[i])) != NULL;)
			memmove(p, p + len, strlen(p + len) + 1);
}

int
plancheck_bad(const char *text)
{
	const char *op = text;
	int bad = 0;

	for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
		size_t len = strcspn(line, "\n");

		if (*line != '\t') {
			op = line;
		} else if (has_bad_step(line, len)) {
			print_message("# scan or sort: %.*s%.*s\n", (int)strcspn(op, ":"), op,
			    (int)len, line);
			bad++;
		}
	}
	return bad;
}

void
plancheck_excuses(const char *text)
{
	for (size_t i = 0; i < COUNT(exceptions); i++)
		if (strstr(text, exceptions[i].plan) == NULL)
			fail_msg("no plan is excused by: %s", exceptions[i].plan);
}

void
plancheck_leave_proof(const struct harness *h, const char *token)
{
	char path[4096];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/tmp/proof-%s", harness_data(h), token);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
}

void
plancheck_leave_grant(struct harness *h, const char *user)
{
	person_sql(h,
	    "INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at, updated_at)"
	    " VALUES (?1, 'static', 'C', '[]', '2026-06-01', '2026-06-01')",
	    "granted");
	person_sql(h,
	    "INSERT INTO oauth_grants (id, user_id, client_id, scopes, created_at, used_at,"
	    " expires_at) VALUES ('g', ?1, 'granted', 'admin', '2026-06-01', '2026-06-01', '9999')",
	    user);
}

void
plancheck_leave_import(struct harness *h, const char *user)
{
	person_sql(h,
	    "INSERT INTO import_job (id, owner, state, stage, done, total, attempts, options, result,"
	    " upload, created_at, updated_at) VALUES ('j', ?1, 'queued', 0, 0, 0, 0, '{}', '{}', 'u',"
	    " '2026-06-01', '2026-06-01')",
	    user);
}

void
plancheck_selftest(void **state)
{
	(void)state;
	assert_int_equal(plancheck_bad("x: 1\n\tSELECT: SCAN c_posts\n"), 1);
	assert_int_equal(plancheck_bad("x: 1\n\tSELECT: SEARCH a USING INDEX i (b=?); "
				       "USE TEMP B-TREE FOR ORDER BY\n"),
	    1);
	assert_int_equal(plancheck_bad("x: 1\n\tSELECT: SCAN a USING INDEX i; USE TEMP B-TREE FOR "
				       "RIGHT PART OF ORDER BY\n"),
	    1);
	assert_int_equal(plancheck_bad("x: 1\n\tSELECT: SCAN c_posts USING INDEX i\n"), 0);
	assert_int_equal(plancheck_bad("x: 1\n\tSELECT: SCAN collection; SCAN CONSTANT ROW\n"), 0);
	assert_int_equal(
	    plancheck_bad("x: 1\n\tSELECT: SCAN collections\n\tINSERT INTO a\n\tSELECT: SCAN r\n"),
	    2);
}
