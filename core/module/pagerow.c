/* pagerow.c - validates a module's rows of admin pages and field widgets. */
#include "module/pagerow.h"
#include <string.h>

#define ROWS_MOST 64
#define NAME_MOST 32
#define TITLE_MOST 80
#define LIST_MOST 64 /* ops, types */
#define BLOCK_MOST 64
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool
is_name(const char *name)
{
	size_t len = name != NULL ? strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;

	return len > 0 && len <= NAME_MOST && name[len] == '\0' && name[0] != '-';
}

static bool
is_title(const char *title)
{
	size_t len = title != NULL ? strlen(title) : 0;

	return len > 0 && len <= TITLE_MOST;
}

/* Returns true for a list of names that ends within LIST_MOST; NULL has none. */
static bool
is_list(const char *const *list)
{
	size_t count = 0;

	while (list != NULL && list[count] != NULL)
		if (count++ == LIST_MOST)
			return false;
	return true;
}

/* Checks the members that both kinds of rows have. */
static const char *
check(const char *name, const char *title, const char *file, const char *const *ops)
{
	if (!is_name(name))
		return "a row of its pages and controls has a bad name";
	if (!is_title(title))
		return "a row of its pages and controls has no title, or too long a one";
	if (file == NULL || !stet_page_file_named(file))
		return "a row of its pages and controls has a bad file name";
	return is_list(ops) ? NULL : "a row of its pages and controls names too many operations";
}

const char *
pagerow_check_page(const struct stet_module *m, uint32_t i)
{
	struct stet_admin_page row, other;
	const char *why;

	if (m->admin_pages.count > ROWS_MOST)
		return "it has too many pages";
	stet_table_row(&m->admin_pages, i, &row, sizeof(row));
	if ((why = check(row.name, row.title, row.file, row.ops)) != NULL)
		return why;
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->admin_pages, k, &other, sizeof(other));
		if (strcmp(other.name, row.name) == 0)
			return "it has two pages of one name";
	}
	return NULL;
}

/* Checks the type of blocks that a widget edits, if it edits any. */
static const char *
check_block(const struct stet_field_widget *row)
{
	/* What the editor of the admin pages edits itself. */
	static const char *const known[] = { "block", "image", "gallery", "code", "htmlBlock",
		"embed", "table", "break", "footnote", "callout" };
	const char *type = row->block;
	size_t len = type != NULL ? strlen(type) : 0;

	if (type == NULL)
		return NULL;
	if (len == 0 || len > BLOCK_MOST || strspn(type, LETTERS "0123456789") != len ||
	    strspn(type, "0123456789") > 0)
		return "a control of it has a bad name of a block";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i], type) == 0)
			return "a control of it is for a block that has one";
	return NULL;
}

/* Do two controls have the name, or the block, of one another? */
static const char *
check_twins(const struct stet_field_widget *a, const struct stet_field_widget *b)
{
	if (strcmp(a->name, b->name) == 0)
		return "it has two controls of one name";
	if (a->block != NULL && b->block != NULL && strcmp(a->block, b->block) == 0)
		return "it has two controls of one block";
	return NULL;
}

const char *
pagerow_check_widget(const struct stet_module *m, uint32_t i)
{
	struct stet_field_widget row, other;
	const char *why;

	if (m->field_widgets.count > ROWS_MOST)
		return "it has too many controls of fields";
	stet_table_row(&m->field_widgets, i, &row, sizeof(row));
	if ((why = check(row.name, row.label, row.file, row.ops)) != NULL)
		return why;
	if ((row.block == NULL && (row.types == NULL || row.types[0] == NULL)) ||
	    !is_list(row.types))
		return "a control of it names no field types, or too many";
	if ((why = check_block(&row)) != NULL)
		return why;
	for (uint32_t k = 0; k < i; k++) {
		stet_table_row(&m->field_widgets, k, &other, sizeof(other));
		if ((why = check_twins(&other, &row)) != NULL)
			return why;
	}
	return NULL;
}
