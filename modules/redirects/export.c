/*
 * export.c - redirects as rules for web servers: a map of nginx, the file _redirects of Netlify and
 * Cloudflare Pages, or JSON. `stet redirects` and GET /redirects write the same.
 *
 * A rule leads from an old address to that of a published item. An address at which an item is gets
 * no rule, and each address gets one rule: an old slug of this site wins over an address of an
 * import. For that, all addresses are read first (stet/redirects.h).
 */
#include "redirects.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 500 /* rows that are read at once */
#define FORMATS "nginx", "netlify", "json"

const struct stet_member export_in[] = {
	{ "collection", STET_STRING, .about = "Slug of a collection; all by default" },
	{ "format", STET_STRING, STET_CHOICES(FORMATS), .fallback = "\"json\"" },
	{ 0 },
};

/* What is read of a collection, in this order. */
enum pass { PASS_HERE, PASS_SLUGS, PASS_IMPORTS, PASSES };

struct rules {
	const char *format, *only; /* only: slug of a collection, or NULL */
	enum pass pass;
	const struct stet_collection *collection;
	const char *slug; /* of the collection: definitions are read again for each page */
	struct stet_rules *rules;
	enum stet_status (*put)(struct stet_call *, void *, const char *, size_t);
	void *arg;
	FILE *to;
	char *place; /* the last row that was read; id follows in `id` */
	char id[32];
	bool more, first;
};

/* ---- one rule ---- */

static void
put_json(struct stet_call *call, struct rules *r, const char *from, const char *to, const char *id)
{
	struct stet_json *out = stet_json_new(call);

	stet_object(out, NULL);
	stet_put_str(out, "from", from);
	stet_put_str(out, "to", to);
	stet_put_int(out, "status", 301);
	stet_put_str(out, "collection", r->slug);
	stet_put_str(out, "id", id);
	stet_close(out);
	(void)fprintf(r->to, "%s\n%s", r->first ? "" : ",", stet_json_text(out, NULL));
	r->first = false;
}

static void
put_rule(struct stet_call *call, struct rules *r, const char *from, const char *to, const char *id)
{
	if (!stet_rules_take(r->rules, from, to))
		return;
	if (strcmp(r->format, "json") == 0)
		put_json(call, r, from, to, id);
	else
		stet_rule_put(r->to, r->format, from, to);
}

/* Takes a row of list_select, with another order of its columns: see read_page. */
static void
take(struct stet_call *call, struct rules *r, struct stet_rows *rows)
{
	const char *id = stet_col_str(rows, 1), *slug = stet_col_str(rows, 2),
		   *published = stet_col_str(rows, 4);
	const char *to = place_of(
	    call, r->collection, id, stet_col_str(rows, 5), stet_col_str(rows, 6), published);

	if (r->pass == PASS_HERE) {
		if (to != NULL)
			stet_rules_here(r->rules, to);
	} else if (r->pass == PASS_SLUGS && slug != NULL) {
		put_rule(call, r,
		    place_of(call, r->collection, id, slug, stet_col_str(rows, 3), published), to,
		    id);
	} else if (r->pass == PASS_IMPORTS && slug == NULL) {
		put_rule(call, r, stet_col_str(rows, 0), to, id);
	}
}

/* ---- pages ---- */

/* Appends a SELECT of all published items, with the columns of list_select. */
static void
select_items(struct stet_sql *sql, const struct stet_collection *c)
{
	stet_sql_add(sql, "SELECT id AS place, id, NULL AS slug, NULL AS locale, published_at,"
			  " slug AS at_slug, locale AS at_locale FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE " STET_UNINDEXED("deleted_at") " IS NULL AND " STET_UNINDEXED(
			      "status") " = 'published' AND slug IS NOT NULL");
}

static void
remember(struct rules *r, struct stet_rows *rows)
{
	free(r->place);
	r->place = strdup(stet_col_str(rows, 0));
	if (r->place == NULL)
		stet_out_of_memory();
	(void)snprintf(r->id, sizeof(r->id), "%s", stet_col_str(rows, 1));
}

static enum stet_status
read_page(struct stet_call *call, struct rules *r)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	int count = 0;

	stet_sql_add(
	    sql, "SELECT place, id, slug, locale, published_at, at_slug, at_locale FROM (");
	if (r->pass == PASS_HERE)
		select_items(sql, r->collection);
	else
		list_select(call, sql, r->collection);
	stet_sql_add(sql, ") AS x WHERE (place, id) > (");
	stet_sql_bind(sql, stet_val_str(r->place != NULL ? r->place : ""));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(r->id));
	stet_sql_add(sql, ") ORDER BY place, id LIMIT ");
	stet_sql_bind(sql, stet_val_int(PAGE));
	STET_TRY(stet_sql_query(sql, &rows));
	for (; stet_row(&rows); count++) {
		remember(r, &rows);
		take(call, r, &rows);
	}
	r->more = count == PAGE;
	return stet_rows_end(&rows);
}

/* Finds the collection again; a page may come after a change of the schema. */
static enum stet_status
put_page(struct stet_call *call, void *arg, FILE *to)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct rules *r = arg;

	STET_TRY(schema->collection(call, r->slug, &r->collection));
	r->more = false;
	r->to = to;
	return r->collection->routable ? read_page(call, r) : STET_OK;
}

static enum stet_status
put_pass(struct stet_call *call, struct rules *r)
{
	enum stet_status status;

	free(r->place);
	r->place = NULL;
	r->id[0] = '\0';
	do
		status = stet_rules_page(call, r->rules, put_page, r);
	while (status == STET_OK && r->more);
	return status;
}

/* The addresses of all items count, also if only rules of one collection are wanted. */
static enum stet_status
put_all(struct stet_call *call, struct rules *r)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *all;
	const char **slugs;
	size_t count;

	STET_TRY(schema->collections(call, &all, &count));
	slugs = stet_alloc(call, (count + 1) * sizeof(*slugs));
	for (size_t i = 0; i < count; i++)
		slugs[i] = stet_strdup(call, all[i]->slug);
	for (r->pass = PASS_HERE; r->pass < PASSES; r->pass++)
		for (size_t i = 0; i < count; i++) {
			r->slug = slugs[i];
			if (r->pass == PASS_HERE || r->only == NULL ||
			    strcmp(r->only, r->slug) == 0)
				STET_TRY(put_pass(call, r));
		}
	return STET_OK;
}

static enum stet_status
put_text(struct stet_call *call, struct rules *r, const char *text)
{
	return r->put(call, r->arg, text, strlen(text));
}

static enum stet_status
rules_write(struct stet_call *call, struct rules *r)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const bool json = strcmp(r->format, "json") == 0;
	enum stet_status status = STET_OK;

	if (r->only != NULL)
		STET_TRY(schema->collection(call, r->only, &r->collection));
	r->first = true;
	r->rules = stet_rules_new(call, r->format, r->put, r->arg);
	if (json)
		status = put_text(call, r, "[");
	if (status == STET_OK)
		status = put_all(call, r);
	if (status == STET_OK && json)
		status = put_text(call, r, "\n]\n");
	free(r->place);
	return status;
}

/* ---- the op and the command ---- */

static enum stet_status
send(struct stet_call *call, void *arg, const char *text, size_t len)
{
	(void)arg;
	return stet_write(call, text, len);
}

enum stet_status
export_rules(struct stet_call *call)
{
	struct rules r = { .format = stet_arg(call, "format"),
		.only = stet_arg(call, "collection"),
		.put = send };
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);

	if (r.only != NULL) /* before the reply begins */
		STET_TRY(schema->collection(call, r.only, &r.collection));
	stet_reply_type(
	    call, strcmp(r.format, "json") == 0 ? "application/json" : "text/plain; charset=utf-8");
	return rules_write(call, &r);
}

static enum stet_status
print(struct stet_call *call, void *arg, const char *text, size_t len)
{
	if (fwrite(text, 1, len, arg) != len)
		return stet_fail(call, STET_FAULT, NULL, "cannot write: %s", strerror(errno));
	return STET_OK;
}

static bool
parse(struct rules *r, int argc, char **argv)
{
	static const char *const formats[] = { FORMATS };
	static const struct option options[] = { { "collection", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, 'f' }, { NULL, 0, NULL, 0 } };
	bool good = true;
	int c;

	optind = 0;
	while (good && (c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'c':
			r->only = optarg;
			break;
		case 'f':
			r->format = optarg;
			break;
		default:
			good = false;
		}
	for (size_t i = 0; good && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i], r->format) == 0)
			return optind == argc;
	return false;
}

int
command_redirects(struct stet_call *call, int argc, char **argv)
{
	struct rules r = { .format = "json", .put = print, .arg = stdout };

	if (!parse(&r, argc, argv)) {
		fputs("usage: stet redirects [--format nginx|netlify|json] [--collection SLUG]\n",
		    stderr);
		return 2;
	}
	if (rules_write(call, &r) == STET_OK && fflush(stdout) == 0)
		return 0;
	fprintf(stderr, "stet: %s\n", stet_error_text(call));
	return 1;
}
