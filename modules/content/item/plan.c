/*
 * plan.c - the plan of a collection: the SQL texts for its present fields, made once and cached.
 * When the fields change, a new plan replaces it; running calls keep the old one by its reference
 * count.
 */
#include "item/item.h"
#include <stdlib.h>
#include <string.h>

enum column_kind
plan_kind(const struct stet_field *field)
{
	if (field->json_text || field->type->storage == STET_STORE_JSON)
		return AS_JSON;
	if (field->type->storage == STET_STORE_REAL)
		return AS_REAL;
	if (field->type->storage == STET_STORE_TEXT)
		return AS_TEXT;
	return field->type->storage == STET_STORE_BOOLEAN ? AS_BOOLEAN : AS_INTEGER;
}

static void *
must(void *p)
{
	if (p == NULL)
		stet_out_of_memory();
	return p;
}

static void
plan_put(void *arg)
{
	struct plan *plan = arg;

	if (atomic_fetch_sub(&plan->refs, 1) != 1)
		return;
	for (size_t i = 0; i < plan->count; i++)
		free(plan->field[i].slug);
	free(plan->slug);
	free(plan->table);
	free(plan->select);
	free(plan->by_id);
	free(plan->by_slug);
	free(plan->by_slug_live);
	free(plan->by_slug_locale);
	free(plan->by_slug_staged);
	free(plan->insert);
	free(plan->by_id_trashed);
	free(plan->trash);
	free(plan->slug_rows);
	free(plan->count_add);
	free(plan->count_take);
	free(plan->many_row);
	free(plan);
}

static struct stet_sql *
begin(struct stet_call *call, const char *literal, const char *slug)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, literal);
	stet_sql_ident(sql, STET_ITEM_TABLE, slug);
	return sql;
}

static char *
finish(struct stet_sql *sql)
{
	return must(strdup(stet_sql_text(sql)));
}

/* Returns the name of the table, without the quotes that SQL needs. */
static char *
table_of(struct stet_call *call, const char *slug)
{
	const char *quoted = stet_sql_text(begin(call, "", slug));

	return must(strndup(quoted + 1, strlen(quoted) - 2));
}

static size_t
extra_count(const struct stet_collection *c)
{
	size_t n = 0;

	for (size_t i = 0; i < EXTRAS; i++)
		n += extras[i].has(c);
	return n;
}

static void
add_column(struct stet_sql *sql, const char *name, bool wanted)
{
	stet_sql_add(sql, ", ");
	if (wanted)
		stet_sql_ident(sql, STET_FIELD_COLUMN, name);
	else
		stet_sql_add(sql, "NULL");
}

/* Appends the columns of the wanted fields and extras (NULL: all). */
static void
add_columns(struct stet_sql *sql, const struct stet_collection *c, const bool *want)
{
	size_t n = 0;

	for (; n < c->field_count; n++)
		add_column(sql, c->fields[n]->slug, want == NULL || want[n]);
	for (size_t i = 0; i < EXTRAS; i++)
		if (extras[i].has(c)) {
			add_column(sql, extras[i].stored, want == NULL || want[n]);
			n++;
		}
}

void
plan_columns(struct stet_sql *sql, const struct stet_collection *c, const bool *want)
{
	for (int i = 0; i < C_FIELDS; i++) {
		stet_sql_add(sql, i == 0 ? "SELECT " : ", ");
		stet_sql_add(sql, row_columns[i]);
	}
	add_columns(sql, c, want);
}

/* Appends the columns of an item and the wanted fields (NULL: all), then `more`. */
static struct stet_sql *
select_some(
    struct stet_call *call, const struct stet_collection *c, const bool *want, const char *more)
{
	struct stet_sql *sql = stet_sql_new(call);

	plan_columns(sql, c, want);
	stet_sql_add(sql, more);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	return sql;
}

const char *
plan_select_some(struct stet_call *call, const struct stet_collection *c, const bool *want)
{
	struct stet_sql *sql = select_some(call, c, want, "");

	stet_sql_add(sql, " WHERE deleted_at IS NULL");
	return stet_sql_text(sql);
}

static struct stet_sql *
select_of(struct stet_call *call, const struct stet_collection *c)
{
	struct stet_sql *sql = select_some(call, c, NULL, "");

	stet_sql_add(sql, " WHERE deleted_at IS NULL");
	return sql;
}

static char *
select_trash(struct stet_call *call, const struct stet_collection *c, const char *condition)
{
	struct stet_sql *sql = select_some(call, c, NULL, ", deleted_at");

	stet_sql_add(sql, " WHERE deleted_at IS NOT NULL");
	stet_sql_add(sql, condition);
	return finish(sql);
}

static char *
select_by(struct stet_call *call, const struct stet_collection *c, const char *condition)
{
	struct stet_sql *sql = select_of(call, c);

	stet_sql_add(sql, condition);
	return finish(sql);
}

static char *
insert_of(struct stet_call *call, const struct stet_collection *c)
{
	struct stet_sql *sql = begin(call, "INSERT INTO ", c->slug);
	size_t n = 0;

	stet_sql_add(sql, " (");
	for (const struct item_part *p = item_parts; p->column != NULL; p++) {
		if ((p->use & STET_ITEM_INSERTED) == 0)
			continue;
		stet_sql_add(sql, n++ > 0 ? ", " : "");
		stet_sql_add(sql, p->column);
	}
	add_columns(sql, c, NULL);
	stet_sql_add(sql, ") VALUES (");
	for (size_t i = 0; i < n + c->field_count + extra_count(c); i++)
		stet_sql_add(sql, stet_printf(call, "%s?%zu", i > 0 ? ", " : "", i + 1));
	stet_sql_add(sql, ")");
	return finish(sql);
}

static struct plan *
make(struct stet_call *call, const struct stet_collection *c)
{
	const size_t count = c->field_count + extra_count(c);
	struct plan *plan = must(calloc(1, sizeof(*plan) + count * sizeof(plan->field[0])));
	struct stet_sql *sql;
	size_t n;

	atomic_init(&plan->refs, 1);
	plan->slug = must(strdup(c->slug));
	plan->table = table_of(call, c->slug);
	plan->count = count;
	plan->fields = n = c->field_count;
	for (size_t i = 0; i < c->field_count; i++)
		plan->field[i] =
		    (struct plan_field){ must(strdup(c->fields[i]->slug)), plan_kind(c->fields[i]),
			    count_has(c->fields[i]), many_has(c->fields[i]), NULL };
	for (size_t i = 0; i < EXTRAS; i++)
		if (extras[i].has(c))
			plan->field[n++] = (struct plan_field){ must(strdup(extras[i].stored)),
				AS_JSON, .extra = &extras[i] };
	plan->select = finish(select_of(call, c));
	plan->by_id = select_by(call, c, " AND id = ?1");
	plan->by_slug = select_by(call, c, " AND slug = ?1 ORDER BY locale LIMIT 1");
	plan->by_slug_live = select_by(call, c,
	    " AND slug = ?1 AND " STET_UNINDEXED(
		"status") " = 'published' ORDER BY locale LIMIT 1");
	plan->by_slug_locale = select_by(call, c, " AND slug = ?1 AND locale = ?2");
	/* COALESCE keeps SQLite from choosing the index of the locale, which excludes few rows. */
	plan->by_slug_staged = select_by(call, c,
	    " AND (id, draft_revision_id) IN"
	    " (SELECT entry_id, id FROM revision WHERE collection = ?1 AND slug = ?2)"
	    " AND locale = COALESCE(?3, locale) ORDER BY locale, id LIMIT 1");
	plan->insert = insert_of(call, c);
	plan->by_id_trashed = select_trash(call, c, " AND id = ?1");
	plan->trash = select_trash(
	    call, c, " AND (deleted_at, id) < (?1, ?2) ORDER BY deleted_at DESC, id DESC LIMIT ?3");
	sql = begin(call, "", c->slug);
	stet_sql_add(sql, " WHERE locale = ?2 AND slug = ");
	plan->slug_rows = finish(sql);
	plan->count_add = must(strdup(count_sql(call, c, "1")));
	plan->count_take = must(strdup(count_sql(call, c, "-1")));
	for (size_t i = 0; i < plan->count && plan->many_row == NULL; i++)
		if (plan->field[i].many)
			plan->many_row = must(strdup(many_row_sql(call, c)));
	return plan;
}

/* Returns true if the plan has the collection's fields. Comparing schema versions would not
 * suffice: a version may belong to a transaction that is never committed. */
static bool
fits(const struct plan *plan, const struct stet_collection *c)
{
	if (plan->fields != c->field_count || plan->count != c->field_count + extra_count(c))
		return false;
	for (size_t i = plan->fields; i < plan->count; i++)
		if (!plan->field[i].extra->has(c))
			return false;
	for (size_t i = 0; i < c->field_count; i++)
		if (strcmp(plan->field[i].slug, c->fields[i]->slug) != 0 ||
		    plan->field[i].kind != plan_kind(c->fields[i]) ||
		    plan->field[i].counted != count_has(c->fields[i]) ||
		    plan->field[i].many != many_has(c->fields[i]))
			return false;
	return true;
}

/* Returns the cached plan of this collection with a new reference, or NULL. Removes an outdated
 * plan from the cache. */
static struct plan *
find(struct content_state *state, const struct stet_collection *c)
{
	for (struct plan **p = &state->plans; *p != NULL; p = &(*p)->next) {
		struct plan *plan = *p;

		if (strcmp(plan->slug, c->slug) != 0)
			continue;
		if (fits(plan, c)) {
			atomic_fetch_add(&plan->refs, 1);
			return plan;
		}
		*p = plan->next;
		plan_put(plan);
		return NULL;
	}
	return NULL;
}

enum stet_status
plan_get(struct stet_call *call, const char *slug, const struct stet_collection **collection,
    const struct plan **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct content_state *state = stet_state_of(call, "content");
	struct plan *plan;

	if (schema == NULL || state == NULL)
		return stet_fault(call, "content runs without schema");
	STET_TRY(schema->collection(call, slug, collection));
	pthread_mutex_lock(&state->lock);
	plan = find(state, *collection);
	pthread_mutex_unlock(&state->lock);
	if (plan == NULL) {
		plan = make(call, *collection);
		pthread_mutex_lock(&state->lock);
		atomic_fetch_add(&plan->refs, 1);
		plan->next = state->plans;
		state->plans = plan;
		pthread_mutex_unlock(&state->lock);
	}
	stet_defer(call, plan_put, plan);
	*out = plan;
	return STET_OK;
}

enum stet_status
plan_open(struct stet_call *call, void *arg)
{
	struct content_state *state = arg;

	if (pthread_mutex_init(&state->lock, NULL) != 0)
		return stet_fault(call, "content: no mutex");
	return STET_OK;
}

void
plan_close(void *arg)
{
	struct content_state *state = arg;

	while (state->plans != NULL) {
		struct plan *plan = state->plans;

		state->plans = plan->next;
		plan_put(plan);
	}
	pthread_mutex_destroy(&state->lock);
}

void
plan_surrogates(struct stet_call *call, const struct plan *plan)
{
	stet_surrogate(call, "l", plan->slug);
	stet_surrogate(call, "c", plan->slug);
	stet_surrogate(call, "k", "bylines");
}
