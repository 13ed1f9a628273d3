/*
 * missing.c - what readers will not find once a release is published: targets of references of its
 * items, also of those in blocks that the site defines, and of links of its menus, that are not
 * public then. Fields inside of repeaters hold no references. It runs when all changes are made.
 */
#include "releases.h"
#include <stet/content.h>
#include <string.h>

/* ---- references of items ---- */

/* Returns why readers do not find the item, or NULL. */
static enum stet_status
hidden(struct stet_call *call, const char *collection, const char *id, const char **why)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT status, deleted_at FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	*why = "does not exist";
	if (stet_row(&rows))
		*why = !stet_col_null(&rows, 1)                           ? "is in the trash"
		       : strcmp(stet_col_str(&rows, 0), "published") != 0 ? "is not published"
									  : NULL;
	return stet_rows_end(&rows);
}

struct looking {
	struct problems *problems;
	const struct change *change;
	const struct stet_field *field;
	const char *title;
};

static enum stet_status
look(struct stet_call *call, const struct looking *l, const char *id)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *target = text_of(l->field->options, "collection"), *why = NULL;
	const struct stet_collection *c;

	if (id == NULL || target == NULL)
		return STET_OK;
	if (schema->collection(call, target, &c) != STET_OK) {
		stet_error_clear(call);
		return STET_OK;
	}
	STET_TRY(hidden(call, target, id, &why));
	if (why != NULL)
		problems_add(l->problems, l->change, l->title, "MISSING_REFERENCE",
		    stet_printf(
			call, "%s refers to %s of %s, which %s", l->field->slug, id, target, why));
	return STET_OK;
}

static enum stet_status
look_at(struct stet_call *call, const struct looking *l, const json_t *value)
{
	size_t i;
	json_t *one;

	if (!json_is_array(value))
		return look(call, l, json_string_value(value));
	json_array_foreach((json_t *)(uintptr_t)value, i, one)
	    STET_TRY(look(call, l, json_string_value(one)));
	return STET_OK;
}

/* Looks at the references in blocks that the site defines. */
static enum stet_status
look_in(struct stet_call *call, struct looking *l, const json_t *blocks)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_block_type *type;
	json_t *block;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)blocks, i, block)
	{
		STET_TRY(schema->block(call, block, &type));
		for (size_t k = 0; type != NULL && k < type->field_count; k++) {
			l->field = type->fields[k];
			if (l->field->type->holds == STET_HOLDS_ITEMS)
				STET_TRY(look_at(call, l, json_object_get(block, l->field->slug)));
		}
	}
	return STET_OK;
}

static enum stet_status
of_item(struct stet_call *call, const struct change *c, struct problems *problems)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *collection;
	struct looking l = { .problems = problems, .change = c };
	const json_t *now;
	json_t *answer, *data;

	if (schema->collection(call, c->collection, &collection) != STET_OK) {
		stet_error_clear(call); /* it is told already that the item is gone */
		return STET_OK;
	}
	STET_TRY(item_kind.state(call, c, &now));
	l.title = text_of(now, "title");
	STET_TRY(stet_invoke_found(call, "content_get",
	    json_pack("{ss ss}", "collection", c->collection, "id", c->item), &answer));
	data = json_object_get(json_object_get(answer, "item"), "data");
	for (size_t i = 0; i < collection->field_count; i++) {
		l.field = collection->fields[i];
		if (l.field->type->holds == STET_HOLDS_ITEMS)
			STET_TRY(look_at(call, &l, json_object_get(data, l.field->slug)));
		else if (l.field->type->holds == STET_HOLDS_BLOCKS)
			STET_TRY(look_in(call, &l, json_object_get(data, l.field->slug)));
	}
	return STET_OK;
}

/* ---- links of menus ---- */

/* A link whose target the public does not see has neither address nor title. */
static enum stet_status
of_menu(struct stet_call *call, const struct change *c, struct problems *problems)
{
	json_t *answer, *item;
	size_t i;

	STET_TRY(stet_invoke_found(call, "menu_get",
	    json_pack("{ss ss*}", "name", c->name, "locale", c->locale), &answer));
	json_array_foreach(json_object_get(answer, "items"), i, item)
	{
		const char *target = text_of(item, "referenceId");

		if (target == NULL || text_of(item, "url") != NULL ||
		    text_of(item, "title") != NULL)
			continue;
		problems_add(problems, c, text_of(answer, "label"), "MISSING_REFERENCE",
		    stet_printf(call, "The link %s leads to %s %s, which is not public",
			text_of(item, "label"), text_of(item, "type"), target));
	}
	return STET_OK;
}

enum stet_status
missing_find(struct stet_call *call, const struct changes *all, struct problems *problems)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct change *c = &all->change[i];

		if (c->kind == ITEM && strcmp(c->action, "unpublish") != 0)
			STET_TRY(of_item(call, c, problems));
		if (c->kind == MENU)
			STET_TRY(of_menu(call, c, problems));
	}
	return STET_OK;
}
