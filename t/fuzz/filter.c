/*
 * filter - fieldFilters of a list: the result is conditions and groups within the limits, or
 * issues. The SQL contains no text of the client.
 * fuzz: with modules/content
 */
#include "call/call.h"
#include "fuzz.h"
#include "read/read.h"
#include <stet/search.h>
#include <string.h>

static const struct stet_field_type string = { "string", STET_STORE_TEXT, STET_INDEXABLE,
	.type_name = "string" },
				    integer = { "integer", STET_STORE_INTEGER, STET_INDEXABLE,
					    .type_name = "number" },
				    number = { "number", STET_STORE_REAL, STET_INDEXABLE,
					    .type_name = "number" },
				    boolean = { "boolean", STET_STORE_BOOLEAN, STET_INDEXABLE,
					    .type_name = "boolean" },
				    datetime = { "datetime", STET_STORE_TEXT, STET_INDEXABLE,
					    .type_name = "string", .holds = STET_HOLDS_TIME },
				    choices = { "multiSelect", STET_STORE_JSON, STET_INDEXABLE,
					    .type_name = "string[]", .holds = STET_HOLDS_TEXTS };
static const struct stet_field field[] = {
	{ .slug = "s", .type = &string, .indexed = true },
	{ .slug = "i", .type = &integer, .indexed = true, .position = 1 },
	{ .slug = "n", .type = &number, .indexed = true, .position = 2 },
	{ .slug = "b", .type = &boolean, .indexed = true, .position = 3 },
	{ .slug = "d", .type = &datetime, .indexed = true, .position = 4 },
	{ .slug = "x", .type = &string, .searchable = true, .position = 5 },
	{ .slug = "m", .type = &choices, .indexed = true, .json_text = true, .position = 6 },
};
static const struct stet_field *const fields[] = { &field[0], &field[1], &field[2], &field[3],
	&field[4], &field[5], &field[6] };
static const struct stet_collection posts = {
	.slug = "posts", .fields = fields, .field_count = sizeof(fields) / sizeof(fields[0])
};

/* Checks a condition, alone or in a group, and how many operands it has. */
static size_t
check_cond(const struct cond *c)
{
	must(*c->prefix == '\0' || stet_field(&posts, c->column) != NULL);
	must((c->values != NULL) == (c->op == COND_HAS || c->op == COND_LACKS));
	must((c->words != NULL) == (c->op == COND_CONTAINS || c->op == COND_OMITS));
	if (c->words != NULL)
		must(strcmp(c->words->field, "x") == 0 && *c->words->text != '\0' &&
		     stet_utf8_length(c->words->text) <= 200);
	must(c->op != COND_RANGE || c->low != NULL || c->high != NULL);
	return c->op == COND_IN || c->op == COND_OUT ? c->count
	       : c->op == COND_RANGE
		   ? (size_t)(c->low != NULL) + (c->high != NULL)
		   : c->op == COND_EQUAL || (c->values != NULL && *c->values->value != '\0');
}

static size_t
check_group(const struct where *w, int depth)
{
	size_t operands = w->kind == WHERE_COND ? check_cond(w->cond) : 0;

	must(depth < 12);
	for (const struct where *child = w->first; child != NULL; child = child->next)
		operands += check_group(child, depth + 1);
	return operands;
}

static void
check_text(struct stet_sql *sql)
{
	must(strspn(stet_sql_text(sql),
		 " ABCDEFGHILMNORSTUWXacdefilmnoprsubhtvx_\"().<>=?,0123456789") ==
	     strlen(stet_sql_text(sql)));
}

/* Replaces the functions of the search module. */
static void
put_words(struct stet_sql *sql, const struct stet_search_words *words, bool lacks)
{
	must((const char *)words != NULL);
	stet_sql_add(sql, lacks ? " AND NOT EXISTS (" : " AND EXISTS (");
	stet_sql_bind(sql, stet_val_str((const char *)words));
	stet_sql_add(sql, ")");
}

static void
put_word_ids(struct stet_sql *sql, const struct stet_search_words *words, const char *status,
    const char *locale)
{
	must(status == NULL && locale == NULL);
	stet_sql_add(sql, "SELECT ");
	stet_sql_bind(sql, stet_val_str((const char *)words));
}

static const struct stet_search_1 search = { .words_put = put_words, .words_ids = put_word_ids };

static void
check_sql(struct stet_call *call, struct filter *f)
{
	struct stet_sql *sql = stet_sql_new(call);
	size_t operands = 0, words = 0;

	for (struct words_cond *w = f->words; w != NULL; w = w->next) {
		w->service = &search;
		w->words = (struct stet_search_words *)(uintptr_t)w->text;
		words++;
	}
	must(words <= 10);

	for (struct cond *c = f->conds; c != NULL; c = c->next) {
		struct stet_sql *ids = stet_sql_new(call);

		operands += c->op == COND_GROUP ? check_group(c->group, 0) : check_cond(c);
		if (c->op == COND_GROUP && where_has_ids(c->group))
			where_ids(ids, c->group, "posts");
		check_text(ids);
	}
	/* startsWith makes two conditions, and so does the opposite of a range. */
	must(operands <= 100);
	filter_add(sql, &posts, f);
	check_text(sql);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stet_call *call = call_new();
	struct filter f = { .tail = &f.conds };

	filter_fields(call, &posts, stet_strndup(call, (const char *)data, size), &f);
	if (stet_issues(call) == STET_OK)
		check_sql(call, &f);
	call_free(call);
	return 0;
}
