/*
 * acf.c - puts fields together that hold others. ACF stores their parts side by side:
 *
 *	team = 2, team_0_name = Ann, team_1_name = Bob		a repeater, with its number of rows
 *	hero = "", hero_title = Hello				a group
 *	page = ["text", "quote"], page_0_body = …		flexible content, with its layouts
 *
 * and beside each KEY it stores _KEY with the id of its definition ("field_5f…"). A custom field
 * without that is not of ACF. Names have underscores too, so a part belongs to the longest name
 * before it that can hold it.
 */
#include "item/acf.h"
#include "read/php.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MOST 255 /* bytes; the column of the source has no more */
#define DEEP_MAX 16

struct acf_part {
	const char *key, *text;
	size_t place; /* in the item: of two with one name the later counts */
	bool known; /* it has a definition */
	enum acf_kind kind;
	size_t rows;
	int deep;
	const struct acf_part *within;
	json_t *layouts, *value;
};

struct acf {
	struct acf_part *part; /* by name */
	size_t count;
};

/* ---- names ---- */

static int
by_name(const void *a, const void *b)
{
	const struct acf_part *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order != 0 ? order : x->place < y->place ? -1 : x->place > y->place;
}

/* The first part whose name is not before this text. */
static size_t
first_from(const struct acf *acf, const char *text)
{
	size_t low = 0, high = acf->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(acf->part[middle].key, text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct acf_part *
part_of(const struct acf *acf, const char *key)
{
	size_t i = first_from(acf, key);

	return i < acf->count && strcmp(acf->part[i].key, key) == 0 ? &acf->part[i] : NULL;
}

/* Does "_KEY" hold the id of a definition ("field_5f…")? */
static bool
is_known(const struct acf *acf, const char *key)
{
	char name[KEY_MOST + 2];
	const struct acf_part *p;

	(void)snprintf(name, sizeof(name), "_%s", key);
	p = part_of(acf, name);
	return p != NULL && strncmp(p->text, "field_", 6) == 0 &&
	       p->text[6 + strspn(p->text + 6, "0123456789abcdefghijklmnopqrstuvwxyz_")] == '\0';
}

/* ---- what holds others ---- */

/* Splits "3_name" into a row and a name. Returns false if it belongs to none of so many rows. */
static bool
row_of(const char *rest, size_t rows, size_t *row, const char **name)
{
	size_t digits = strspn(rest, "0123456789");

	if (digits == 0 || digits > 6 || rest[digits] != '_' || rest[digits + 1] == '\0')
		return false;
	*row = strtoul(rest, NULL, 10);
	*name = rest + digits + 1;
	return *row < rows;
}

/* Counts the parts with a definition whose names begin with "KEY_"; with rows > 0 only those where
 * the number of a row follows. */
static size_t
count_parts(const struct acf *acf, const char *key, size_t rows)
{
	char prefix[KEY_MOST + 2];
	size_t len = (size_t)snprintf(prefix, sizeof(prefix), "%s_", key), count = 0, row;
	const char *name;

	for (size_t i = first_from(acf, prefix);
	     i < acf->count && strncmp(acf->part[i].key, prefix, len) == 0; i++)
		count += acf->part[i].known && acf->part[i].key[len] != '\0' &&
			 (rows == 0 || row_of(acf->part[i].key + len, rows, &row, &name));
	return count;
}

static bool
are_texts(const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
	{
		if (!json_is_string(one))
			return false;
	}
	return json_array_size(list) > 0;
}

/* A number counts as a number of rows only if there are at least as many parts: otherwise a small
 * item could make millions of rows. */
static void
find_kind(const struct acf *acf, struct acf_part *p)
{
	size_t digits = strspn(p->text, "0123456789");

	if (p->text[0] == '\0') {
		p->kind = count_parts(acf, p->key, 0) > 0 ? ACF_GROUP : ACF_PLAIN;
	} else if (digits > 0 && digits < 7 && p->text[digits] == '\0') {
		p->rows = strtoul(p->text, NULL, 10);
		if (p->rows > 0 && count_parts(acf, p->key, p->rows) >= p->rows)
			p->kind = ACF_ROWS;
	} else if (php_is(p->text) && are_texts(p->layouts = php_read(p->text, strlen(p->text)))) {
		p->rows = json_array_size(p->layouts);
		if (count_parts(acf, p->key, p->rows) > 0)
			p->kind = ACF_ROWS;
	}
}

/* Finds the part that holds this one. Its name is shorter, so it has been handled before. */
static void
find_place(const struct acf *acf, struct acf_part *p)
{
	char prefix[KEY_MOST + 1];
	size_t len = strlen(p->key), row;
	const char *name;

	memcpy(prefix, p->key, len + 1);
	while (p->within == NULL && len-- > 1) {
		const struct acf_part *above;

		if (prefix[len] != '_')
			continue;
		prefix[len] = '\0';
		above = part_of(acf, prefix);
		if (above == NULL || !above->known || p->key[len + 1] == '\0')
			continue;
		if (above->kind == ACF_GROUP ||
		    (above->kind == ACF_ROWS && row_of(p->key + len + 1, above->rows, &row, &name)))
			p->within = above;
	}
	p->deep = p->within != NULL ? p->within->deep + 1 : 0;
	if (p->deep >= DEEP_MAX)
		p->kind = ACF_PLAIN;
}

/* ---- values ---- */

static json_t *
empty_rows(const struct acf_part *p)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < p->rows; i++) {
		json_t *row = json_object();

		if (p->layouts != NULL)
			(void)json_object_set(row, "acf_fc_layout", json_array_get(p->layouts, i));
		(void)json_array_append_new(rows, row);
	}
	return rows;
}

static json_t *
plain_value(const char *text)
{
	json_t *value = php_is(text) ? php_read(text, strlen(text)) : NULL;

	return value != NULL ? value : json_string(text);
}

static void
set_value(struct acf_part *p)
{
	const char *name;
	json_t *into;
	size_t row;

	p->value = p->kind == ACF_ROWS    ? empty_rows(p)
		   : p->kind == ACF_GROUP ? json_object()
					  : plain_value(p->text);
	if (p->within == NULL)
		return;
	into = p->within->value;
	name = p->key + strlen(p->within->key) + 1;
	if (p->within->kind == ACF_ROWS && row_of(name, p->within->rows, &row, &name))
		into = json_array_get(into, row);
	(void)json_object_set(into, name, p->value);
}

/* ---- the whole ---- */

static void
read_parts(struct acf *acf, const struct wxr_item *item)
{
	size_t kept = 0;

	for (size_t i = 0; i < item->meta_count; i++) {
		const struct wxr_meta *m = &item->meta[i];

		if (*m->key != '\0' && strlen(m->key) <= KEY_MOST)
			acf->part[acf->count++] =
			    (struct acf_part){ .key = m->key, .text = m->value, .place = i };
	}
	qsort(acf->part, acf->count, sizeof(*acf->part), by_name);
	for (size_t i = 0; i < acf->count; i++)
		if (i + 1 == acf->count || strcmp(acf->part[i].key, acf->part[i + 1].key) != 0)
			acf->part[kept++] = acf->part[i];
	acf->count = kept;
}

static bool
has_definitions(const struct wxr_item *item)
{
	for (size_t i = 0; i < item->meta_count; i++)
		if (*item->meta[i].key == '_' && strncmp(item->meta[i].value, "field_", 6) == 0)
			return true;
	return false;
}

struct acf *
acf_read(const struct wxr_item *item)
{
	struct acf *acf;

	if (!has_definitions(item))
		return NULL;
	acf = calloc(1, sizeof(*acf));
	if (acf == NULL || (acf->part = calloc(item->meta_count, sizeof(*acf->part))) == NULL)
		stet_out_of_memory();
	read_parts(acf, item);
	for (size_t i = 0; i < acf->count; i++)
		acf->part[i].known = is_known(acf, acf->part[i].key);
	for (size_t i = 0; i < acf->count; i++) {
		struct acf_part *p = &acf->part[i];

		if (!p->known)
			continue;
		find_kind(acf, p);
		find_place(acf, p);
		set_value(p);
	}
	return acf;
}

void
acf_free(struct acf *acf)
{
	for (size_t i = 0; acf != NULL && i < acf->count; i++) {
		json_decref(acf->part[i].layouts);
		json_decref(acf->part[i].value);
	}
	free(acf != NULL ? acf->part : NULL);
	free(acf);
}

const struct acf_part *
acf_part(const struct acf *acf, const char *key)
{
	const struct acf_part *p =
	    acf != NULL && strlen(key) <= KEY_MOST ? part_of(acf, key) : NULL;

	return p != NULL && p->known ? p : NULL;
}

const char *
acf_key(const struct acf_part *p)
{
	return p->key;
}

enum acf_kind
acf_kind(const struct acf_part *p)
{
	return p->kind;
}

const struct acf_part *
acf_within(const struct acf_part *p)
{
	return p->within;
}

json_t *
acf_value(const struct acf_part *p)
{
	return p->value;
}

bool
acf_fits(const struct acf_part *p, const struct stet_field *f)
{
	return p->kind != ACF_PLAIN && f != NULL &&
	       (strcmp(f->type->name, "repeater") == 0 || strcmp(f->type->name, "json") == 0);
}
