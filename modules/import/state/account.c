/* account.c - what was read from a source, and what of it is stored here, kind by kind. */
#include "state/account.h"

#define NAMES_MAX 1000 /* of a kind */

/* TOLD: the part of what is lost that other rows have, too. */
enum column { READ, STORED, LEFT, TOLD, COLUMNS };

static const char *const kinds[] = { ACCOUNT_ITEMS, ACCOUNT_VALUES, ACCOUNT_REFERENCES,
	ACCOUNT_TERMS, ACCOUNT_COMMENTS, ACCOUNT_AUTHORS, ACCOUNT_CHARACTERS, ACCOUNT_LINKS,
	ACCOUNT_PICTURES, ACCOUNT_PLAYERS, ACCOUNT_MENUS, ACCOUNT_MEDIA, ACCOUNT_COUNTED };
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const struct stet_member account_shape[] = {
	{ "what", STET_STRING, STET_REQUIRED, .about = "items, values, assignments, ..." },
	{ "name", STET_STRING, .about = "In the source: a type of posts, a field, a taxonomy" },
	{ "read", STET_INTEGER, STET_REQUIRED },
	{ "stored", STET_INTEGER, STET_REQUIRED },
	{ "left", STET_INTEGER, STET_REQUIRED, .about = "By choice: not mapped, no field for it" },
	{ "lost", STET_INTEGER, STET_REQUIRED, .about = "The rest" },
	{ 0 },
};

static int64_t
number(const json_t *row, enum column column)
{
	return json_integer_value(json_array_get(row, column));
}

static int64_t
lost_of(const json_t *row)
{
	int64_t lost = number(row, READ) - number(row, STORED) - number(row, LEFT);

	return lost > 0 ? lost : 0;
}

static void
add(json_t *account, const char *what, const char *name, const int64_t more[COLUMNS])
{
	json_t *names = json_object_get(account, what), *row;

	if (more[READ] == 0 && more[STORED] == 0 && more[LEFT] == 0 && more[TOLD] == 0)
		return;
	if (names == NULL) {
		names = json_object();
		(void)json_object_set_new(account, what, names);
	}
	row = json_object_get(names, name);
	if (row == NULL && json_object_size(names) >= NAMES_MAX) {
		name = "...";
		row = json_object_get(names, name);
	}
	if (row != NULL) {
		for (size_t i = 0; i < COLUMNS; i++)
			(void)json_integer_set(
			    json_array_get(row, i), number(row, (enum column)i) + more[i]);
		return;
	}
	row = json_array();
	for (size_t i = 0; i < COLUMNS; i++)
		(void)json_array_append_new(row, json_integer(more[i]));
	(void)json_object_set_new(names, name, row);
}

void
account_add(
    json_t *account, const char *what, const char *name, int64_t read, int64_t stored, int64_t left)
{
	add(account, what, name, (int64_t[COLUMNS]){ read, stored, left, 0 });
}

void
account_count(json_t *account, const char *name, const struct account_counted *n)
{
	int64_t most = n->read - n->left - n->told;

	add(account, ACCOUNT_COUNTED, name,
	    (int64_t[COLUMNS]){ n->read, n->here < most ? n->here : most, n->left, n->told });
}

static const char *const texts[] = { ACCOUNT_CHARACTERS, ACCOUNT_LINKS, ACCOUNT_PICTURES,
	ACCOUNT_PLAYERS };
#define TEXTS (sizeof(texts) / sizeof(texts[0]))

/* The member of counts that `texts` names. */
static int64_t *
text_at(struct stet_html_counts *counts, size_t i)
{
	int64_t *const members[TEXTS] = { &counts->characters, &counts->links, &counts->pictures,
		&counts->players };

	return members[i];
}

void
account_texts(
    json_t *account, const struct stet_html_counts *given, const struct stet_html_counts *held)
{
	struct stet_html_counts read = { 0 }, here = *held;

	if (given != NULL)
		read = *given;
	for (size_t i = 0; i < TEXTS; i++)
		account_add(
		    account, ACCOUNT_COUNTED, texts[i], *text_at(&read, i), *text_at(&here, i), 0);
}

void
account_texts_of(
    const json_t *account, struct stet_html_counts *given, struct stet_html_counts *held)
{
	for (size_t i = 0; i < TEXTS; i++) {
		const json_t *row =
		    json_object_get(json_object_get(account, ACCOUNT_COUNTED), texts[i]);

		*text_at(given, i) = number(row, READ);
		*text_at(held, i) = number(row, STORED);
	}
}

void
account_join(json_t *account, const json_t *other)
{
	const char *what, *name;
	json_t *names, *row;

	json_object_foreach((json_t *)(uintptr_t)other, what, names)
	{
		json_object_foreach(names, name, row) add(account, what, name,
		    (int64_t[COLUMNS]){ number(row, READ), number(row, STORED), number(row, LEFT),
			number(row, TOLD) });
	}
}

json_t *
account_list(const json_t *account)
{
	json_t *list = json_array(), *row;
	const char *name;

	for (size_t i = 0; i < KINDS; i++)
		json_object_foreach(json_object_get(account, kinds[i]), name, row)(void)
		    json_array_append_new(list,
			json_pack("{ss ss* sI sI sI sI}", "what", kinds[i], "name",
			    *name != '\0' ? name : NULL, "read", (json_int_t)number(row, READ),
			    "stored", (json_int_t)number(row, STORED), "left",
			    (json_int_t)number(row, LEFT), "lost", (json_int_t)lost_of(row)));
	return list;
}

void
account_put(struct stet_json *out, const json_t *account)
{
	json_t *list = account_list(account);

	stet_put_json(out, "account", list);
	json_decref(list);
}

int64_t
account_stored(const json_t *account, const char *what)
{
	const char *name;
	json_t *row;
	int64_t stored = 0;

	json_object_foreach(json_object_get(account, what), name, row) stored +=
	    number(row, STORED);
	return stored;
}

int64_t
account_lost(const json_t *account)
{
	const char *what, *name;
	json_t *names, *row;
	int64_t lost = 0;

	json_object_foreach((json_t *)(uintptr_t)account, what, names)
	{
		json_object_foreach(names, name, row) lost += lost_of(row) - number(row, TOLD);
	}
	return lost;
}
