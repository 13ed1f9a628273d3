/*
 * confirm.c - reads texts back after they are stored. The account of an item says how much of its
 * texts the value has that is to be stored; a hook of a plugin, or a fault, may store another one.
 * So what is in the database is counted by the same rules (item/shown), and a lack is told.
 */
#include "item/confirm.h"
#include "item/shown.h"
#include "item/trial.h"
#include "state/account.h"
#include "state/outcome.h"
#include <string.h>

/* Returns true if values of the field have texts that are stored as they are given. A slug, a time
 * or an address may be written in another form. */
static bool
counts(const struct stet_field *f)
{
	enum stet_holds holds = f->type->holds;

	if (f->json_text || f->type->storage == STET_STORE_JSON)
		return holds == STET_HOLDS_BLOCKS || holds == STET_HOLDS_ROWS ||
		       holds == STET_HOLDS_VALUE;
	return f->type->storage == STET_STORE_TEXT && holds == STET_HOLDS_VALUE &&
	       (f->type->flags & STET_SEARCHABLE) != 0;
}

enum stet_status
confirm_expect(
    struct stet_call *call, const struct run *run, struct import_item *entry, const json_t *data)
{
	const struct stet_collection *c;

	entry->given = (struct stet_html_counts){ 0 };
	STET_TRY(trial_find(call, run, entry->collection, &c));
	for (size_t i = 0; c != NULL && i < c->field_count; i++)
		if (counts(c->fields[i]))
			shown_add(&entry->given, json_object_get(data, c->fields[i]->slug));
	entry->held = entry->given;
	return STET_OK;
}

/* ---- what is stored ---- */

/* Adds what the columns of a row show; the first one is the id. */
static void
add_row(struct stet_html_counts *shown, struct stet_rows *rows, const struct stet_collection *c)
{
	int column = 1;

	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];
		const char *text;

		if (!counts(f) || (text = stet_col_str(rows, column++)) == NULL)
			continue;
		if (f->json_text || f->type->storage == STET_STORE_JSON)
			shown_add_json(shown, text);
		else
			shown->characters += shown_characters(text, false);
	}
}

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* More than was to be stored makes up for no loss of another kind. */
static void
hold(struct import_item *entry, const struct stet_html_counts *shown)
{
	entry->held = (struct stet_html_counts){ least(entry->given.characters, shown->characters),
		least(entry->given.links, shown->links),
		least(entry->given.pictures, shown->pictures),
		least(entry->given.players, shown->players) };
}

static void
say(struct stet_call *call, struct import_item *entry)
{
	const struct stet_html_counts *g = &entry->given, *h = &entry->held;

	item_notice(entry,
	    stet_printf(call,
		"Its texts were changed on their way: stored are %lld of %lld characters, %lld of"
		" %lld links, %lld of %lld pictures, %lld of %lld players",
		(long long)h->characters, (long long)g->characters, (long long)h->links,
		(long long)g->links, (long long)h->pictures, (long long)g->pictures,
		(long long)h->players, (long long)g->players));
}

/* ---- outcomes ---- */

/* Finds the item that an interrupted run has made of an entry, and how much it was to have. */
static enum stet_status
find_known(struct stet_call *call, const struct run *run, struct import_item *entry)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT collection, item, account, notices FROM import_outcome"
	    " WHERE run = ?1 AND number = ?2 AND outcome IN ('" OUTCOME_CREATED
	    "', '" OUTCOME_UPDATED "') AND item IS NOT NULL",
	    STET_ARGS(run->id, entry->number)));
	if (stet_row(&rows)) {
		const char *account = stet_col_str(&rows, 2), *notices = stet_col_str(&rows, 3);

		item_set(&entry->collection, stet_col_str(&rows, 0));
		item_set(&entry->id_here, stet_col_str(&rows, 1));
		item_set_value(&entry->account,
		    account != NULL ? json_loads(account, 0, NULL) : json_object());
		item_set_value(
		    &entry->notices, notices != NULL ? json_loads(notices, 0, NULL) : json_array());
		account_texts_of(entry->account, &entry->given, &entry->held);
	}
	return stet_rows_end(&rows);
}

struct confirming {
	const struct run *run;
	struct import_item *const *entries;
	size_t count;
};

/* Corrects the outcomes of items that have less than they were to have. */
static enum stet_status
correct(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct confirming *c = arg;

	for (size_t i = 0; i < c->count; i++) {
		const struct import_item *entry = c->entries[i];
		json_t *account;

		if (!entry->lacks)
			continue;
		account =
		    stet_json_own(call, entry->known ? json_incref(entry->account) : json_object());
		if (!entry->known)
			item_account(entry, account);
		STET_TRY(outcome_correct(call, tx, c->run, entry->number, account, entry->notices));
	}
	return STET_OK;
}

/* ---- a collection at a time ---- */

static bool
is_written(const struct import_item *entry)
{
	return entry->id_here != NULL && entry->collection != NULL &&
	       (entry->known ||
		   (entry->settled != NULL && (strcmp(entry->settled, OUTCOME_CREATED) == 0 ||
						  strcmp(entry->settled, OUTCOME_UPDATED) == 0)));
}

static void
compare(struct stet_call *call, struct import_item *entry, const struct stet_html_counts *shown)
{
	const struct stet_html_counts was = entry->held;

	hold(entry, shown);
	entry->lacks = memcmp(&was, &entry->held, sizeof(was)) != 0;
	if (!entry->lacks)
		return;
	say(call, entry);
	if (entry->known)
		account_texts(entry->account, NULL,
		    &(struct stet_html_counts){ entry->held.characters - was.characters,
			entry->held.links - was.links, entry->held.pictures - was.pictures,
			entry->held.players - was.players });
}

/* at: {id: number of its entry}. */
static enum stet_status
read_rows(struct stet_call *call, const struct confirming *all, const struct stet_collection *c,
    const json_t *at, const char *const *ids, size_t count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id");
	for (size_t i = 0; i < c->field_count; i++)
		if (counts(c->fields[i])) {
			stet_sql_add(sql, ", ");
			stet_sql_ident(sql, STET_FIELD_COLUMN, c->fields[i]->slug);
		}
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id IN ");
	stet_sql_texts(sql, ids, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const json_t *number = json_object_get(at, stet_col_str(&rows, 0));
		struct stet_html_counts shown = { 0 };

		add_row(&shown, &rows, c);
		if (number != NULL)
			compare(call, all->entries[json_integer_value(number)], &shown);
	}
	return stet_rows_end(&rows);
}

/* Reads the items from `first` on that have the collection of the first one. */
static enum stet_status
read_collection(struct stet_call *call, const struct confirming *all, size_t first)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = all->entries[first]->collection;
	const char **ids = stet_alloc(call, all->count * sizeof(*ids));
	json_t *at = stet_json_own(call, json_object());
	const struct stet_collection *c;
	size_t count = 0;

	STET_TRY(schema->collection(call, slug, &c));
	for (size_t i = first; i < all->count; i++) {
		const struct import_item *entry = all->entries[i];

		if (!is_written(entry) || strcmp(entry->collection, slug) != 0)
			continue;
		/* Of two entries that are one item here, the later one was written last. */
		(void)json_object_set_new(at, entry->id_here, json_integer((json_int_t)i));
		ids[count++] = entry->id_here;
	}
	return read_rows(call, all, c, at, ids, count);
}

static bool
is_first(const struct confirming *all, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_written(all->entries[i]) &&
		    strcmp(all->entries[i]->collection, all->entries[at]->collection) == 0)
			return false;
	return true;
}

enum stet_status
confirm_items(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *const *entries, size_t count)
{
	struct confirming all = { run, entries, count };
	bool lacks = false;

	for (size_t i = 0; i < count; i++)
		if (entries[i]->known)
			STET_TRY(find_known(call, run, entries[i]));
	for (size_t i = 0; i < count; i++)
		if (is_written(entries[i]) && is_first(&all, i))
			STET_TRY(read_collection(call, &all, i));
	for (size_t i = 0; i < count; i++)
		lacks |= entries[i]->lacks;
	return lacks && tx == NULL && run->lasts ? stet_write_lane(call, correct, &all) : STET_OK;
}

void
confirm_part(struct stet_call *call, json_t *account, json_t *notices, const json_t *given,
    const json_t *held)
{
	struct import_item part = { .notices = notices };
	struct stet_html_counts shown = { 0 };

	shown_add(&part.given, given);
	shown_add(&shown, held);
	hold(&part, &shown);
	if (memcmp(&part.given, &part.held, sizeof(part.given)) != 0)
		say(call, &part);
	account_texts(account, &part.given, &part.held);
}
