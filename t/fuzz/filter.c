/*
 * filter - fieldFilters of a list: conditions and groups within the limits, or issues; and SQL that
 * holds nothing of what the client said.
 * fuzz: with modules/content
 */
#include "call/call.h"
#include "fuzz.h"
#include "read/read.h"
#include <string.h>

static const struct stet_field_type
    string = { "string", STET_STORE_TEXT, STET_INDEXABLE, .type_name = "string" },
    integer = { "integer", STET_STORE_INTEGER, STET_INDEXABLE, .type_name = "number" },
    number = { "number", STET_STORE_REAL, STET_INDEXABLE, .type_name = "number" },
    boolean = { "boolean", STET_STORE_BOOLEAN, STET_INDEXABLE, .type_name = "boolean" },
    datetime = { "datetime", STET_STORE_TEXT, STET_INDEXABLE, .type_name = "string" };
static const struct stet_field field[] = {
	{ .slug = "s", .type = &string, .indexed = true },
	{ .slug = "i", .type = &integer, .indexed = true, .position = 1 },
	{ .slug = "n", .type = &number, .indexed = true, .position = 2 },
	{ .slug = "b", .type = &boolean, .indexed = true, .position = 3 },
	{ .slug = "d", .type = &datetime, .indexed = true, .position = 4 },
	{ .slug = "x", .type = &string, .position = 5 },
};
static const struct stet_field *const fields[] = { &field[0], &field[1], &field[2], &field[3],
	&field[4], &field[5] };
static const struct stet_collection posts = {
	.slug = "posts", .fields = fields, .field_count = sizeof(fields) / sizeof(fields[0])
};

/* A condition of a group or by itself, and how many operands it has. */
static size_t
check_cond(const struct cond *c)
{
	must(*c->prefix == '\0' || stet_field(&posts, c->column) != NULL);
	must(c->op != COND_RANGE || c->low != NULL || c->high != NULL);
	return c->op == COND_IN || c->op == COND_OUT ? c->count
	       : c->op == COND_RANGE                 ? (size_t)(c->low != NULL) + (c->high != NULL)
						     : c->op == COND_EQUAL;
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
	must(
	    strspn(stet_sql_text(sql), " ABCDEFGHILMNORSTUWacdefilnoprsubht_\"()<>=?,0123456789") ==
	    strlen(stet_sql_text(sql)));
}

static void
check_sql(struct stet_call *call, struct filter *f)
{
	struct stet_sql *sql = stet_sql_new(call);
	size_t operands = 0;

	for (struct cond *c = f->conds; c != NULL; c = c->next) {
		struct stet_sql *ids = stet_sql_new(call);

		operands += c->op == COND_GROUP ? check_group(c->group, 0) : check_cond(c);
		if (c->op == COND_GROUP && where_has_ids(c->group))
			where_ids(ids, c->group, "posts");
		check_text(ids);
	}
	/* startsWith is two bounds, and what is not in a range lies on either side. */
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
