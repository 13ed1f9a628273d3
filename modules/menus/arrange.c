/* arrange.c - the items of a menu: adds, changes, moves, deletes and replaces them. */
#include "menus.h"
#include <string.h>

/* clang-format off */
#define NAME { "name", STET_STRING, STET_REQUIRED, .about = "Name of the menu" }
#define LOCALE \
	{ "locale", STET_STRING, STET_QUERY, .about = "Required when the menu has several", \
	    STET_RANGE(1, 63) }
#define ID { "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" }
#define LABEL(flags_) \
	{ "label", STET_STRING, flags_, .about = "As it is shown", .pattern = "\\S", \
	    STET_RANGE(1, 200) }
/* The value of an HTML attribute: no control characters. */
#define ATTRIBUTE(name_, about_, max_) \
	{ name_, STET_STRING, STET_NULLABLE, .about = (about_), \
	    .pattern = "^[^\\x00-\\x1f\\x7f]*(?![\\s\\S])", STET_RANGE(0, max_) }
#define LOOKS \
	{ "customUrl", STET_STRING, STET_NULLABLE, \
	    .about = "Of type custom: http(s), mailto or tel URL, /path or #fragment", \
	    STET_RANGE(0, 2048) }, \
	ATTRIBUTE("titleAttr", "HTML title", 500), \
	ATTRIBUTE("target", "HTML target", 64), \
	ATTRIBUTE("cssClasses", "Separated by blanks", 500)
#define KIND \
	{ "type", STET_STRING, STET_REQUIRED, ITEM_TYPES }, \
	{ "referenceCollection", STET_STRING, STET_NULLABLE, \
	    .about = "Slug of the collection (pages or posts when omitted); of type taxonomy the " \
		     "taxonomy's name", STET_RANGE(1, 63) }, \
	{ "referenceId", STET_STRING, STET_NULLABLE, \
	    .about = "Id or translation group of the item or term", STET_RANGE(1, 255) }
#define PLACE \
	{ "parentId", STET_STRING, STET_NULLABLE, .about = "Item of this menu; null: at the top" }, \
	{ "sortOrder", STET_INTEGER, .about = "Among its siblings; at the end when omitted", \
	    STET_RANGE(0, ORDER_MAX) }
/* clang-format on */

const struct stet_member item_create_in[] = { NAME, LOCALE, KIND, LABEL(STET_REQUIRED), LOOKS,
	PLACE, { 0 } };
const struct stet_member item_update_in[] = { NAME, LOCALE, ID, LABEL(0), LOOKS, PLACE, { 0 } };
const struct stet_member item_delete_in[] = { NAME, LOCALE, ID, { 0 } };

static const struct stet_member moved[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "parentId", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "sortOrder", STET_INTEGER, STET_REQUIRED, STET_RANGE(0, ORDER_MAX) },
	{ 0 },
};
const struct stet_member menu_reorder_in[] = {
	NAME,
	LOCALE,
	{ "items", STET_ARRAY, STET_REQUIRED, .of = moved, STET_RANGE(0, ITEMS_MAX),
	    .about = "Those that move; others stay" },
	{ 0 },
};

static const struct stet_member replacement[] = {
	{ "id", STET_STRING, .about = "Of one that stays" },
	KIND,
	LABEL(STET_REQUIRED),
	LOOKS,
	{ "parentIndex", STET_INTEGER, .about = "Index of its parent, an earlier item",
	    STET_RANGE(0, ITEMS_MAX) },
	{ 0 },
};
const struct stet_member menu_set_in[] = {
	NAME,
	LOCALE,
	{ "items", STET_ARRAY, STET_REQUIRED, .of = replacement, STET_RANGE(0, ITEMS_MAX),
	    .about = "All of them, in order" },
	{ 0 },
};
const struct stet_member menu_set_out[] = {
	{ "name", STET_STRING, STET_REQUIRED },
	{ "itemCount", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};

/* ---- the tree ---- */

/* The index of each item's parent; an item at the top has its own index. */
static size_t *
parents(struct stet_call *call, const struct items *items)
{
	size_t *up = stet_alloc(call, (items->count + 1) * sizeof(*up));

	for (size_t i = 0; i < items->count; i++) {
		const char *id = items->item[i].parent;
		const struct item *parent = id != NULL ? items_find(items, id) : NULL;

		up[i] = parent != NULL ? (size_t)(parent - items->item) : i;
	}
	return up;
}

static bool
is_below_itself(const struct items *items, const size_t *up, size_t i)
{
	size_t at = i;

	if (items->item[i].parent != NULL && up[i] == i)
		return true;
	for (size_t steps = 0; steps <= items->count; steps++) {
		if (up[at] == at)
			return false;
		at = up[at];
		if (at == i)
			return true;
	}
	return true;
}

/* Puts the item below `parent` (NULL: at the top); records an issue if the menu has no such
 * item. */
static void
put_below(struct stet_call *call, const struct items *items, struct item *it, const char *path,
    const char *parent)
{
	if (parent != NULL && items_find(items, parent) == NULL)
		stet_issue(call, path, "is not an item of this menu");
	else
		it->parent = parent;
}

/* The sort order after the last child of the same parent. */
static int64_t
last_order(const struct items *items, const char *parent)
{
	int64_t last = -1;

	for (size_t i = 0; i < items->count; i++) {
		const struct item *it = &items->item[i];
		bool sibling = it->parent == NULL || parent == NULL
				   ? it->parent == parent
				   : strcmp(it->parent, parent) == 0;

		if (sibling && it->order > last)
			last = it->order;
	}
	return last < ORDER_MAX ? last + 1 : ORDER_MAX;
}

/* ---- one item ---- */

/* Sets *to to the argument, if it is given; "" counts as null. */
static void
take(struct stet_call *call, const char *name, const char **to)
{
	const char *text = stet_arg(call, name);

	if (stet_has(call, name))
		*to = text != NULL && *text != '\0' ? text : NULL;
}

static enum stet_status
take_all(struct stet_call *call, const struct items *items, struct item *it)
{
	const char *url = stet_arg(call, "customUrl");

	take(call, "label", &it->label);
	take(call, "titleAttr", &it->title);
	take(call, "target", &it->target);
	take(call, "cssClasses", &it->classes);
	if (url != NULL)
		STET_TRY(item_link(call, "customUrl", url, &it->url));
	else if (stet_has(call, "customUrl"))
		it->url = NULL;
	if (stet_has(call, "parentId"))
		put_below(call, items, it, "parentId", stet_arg(call, "parentId"));
	if (stet_has(call, "sortOrder"))
		it->order = stet_arg_int(call, "sortOrder");
	return STET_OK;
}

static enum stet_status
begin(struct stet_call *call, struct menu *m, struct items *items)
{
	STET_TRY(menu_pick(call, m));
	return items_read(call, m->id, items);
}

/* Writes the item with this id as it is now. */
static enum stet_status
reply(struct stet_call *call, const struct menu *m, const char *id)
{
	struct items items, one = { NULL, 1 };

	STET_TRY(menu_touch(call, stet_write_tx(call), m));
	STET_TRY(items_read(call, m->id, &items));
	one.item = items_find(&items, id);
	return items_put(call, stet_reply(call), m, &one);
}

static enum stet_status
not_found(struct stet_call *call)
{
	return stet_fail(
	    call, STET_NOT_FOUND, "id", "Menu item '%s' not found", stet_arg(call, "id"));
}

enum stet_status
item_create(struct stet_call *call)
{
	struct item it = { .type = stet_arg(call, "type") };
	struct items items;
	struct menu m;

	STET_TRY(begin(call, &m, &items));
	if (items.count >= ITEMS_MAX)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "A menu has at most %d items", ITEMS_MAX);
	it.id = it.group = stet_id(call);
	it.menu = m.id;
	take(call, "referenceCollection", &it.collection);
	take(call, "referenceId", &it.reference);
	STET_TRY(take_all(call, &items, &it));
	STET_TRY(stet_issues(call));
	if (!stet_has(call, "sortOrder"))
		it.order = last_order(&items, it.parent);
	STET_TRY(item_insert(call, stet_write_tx(call), &it));
	return reply(call, &m, it.id);
}

enum stet_status
item_update(struct stet_call *call)
{
	struct items items;
	struct item *it;
	struct menu m;

	STET_TRY(begin(call, &m, &items));
	it = items_find(&items, stet_arg(call, "id"));
	if (it == NULL)
		return not_found(call);
	STET_TRY(take_all(call, &items, it));
	if (is_below_itself(&items, parents(call, &items), (size_t)(it - items.item)))
		stet_issue(call, "parentId", "must not be the item itself, or one below it");
	STET_TRY(stet_issues(call));
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "UPDATE menu_item SET parent_id = ?2, sort_order = ?3, custom_url = ?4, label = ?5,"
	    " title_attr = ?6, target = ?7, css_classes = ?8 WHERE id = ?1",
	    STET_ARGS(it->id, it->parent, it->order, it->url, it->label, it->title, it->target,
		it->classes)));
	STET_TRY(item_changed(call, stet_write_tx(call), it->id));
	return reply(call, &m, it->id);
}

/* The children of the item move up to its parent. */
enum stet_status
item_delete(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct items items;
	struct item *it;
	struct menu m;

	STET_TRY(begin(call, &m, &items));
	it = items_find(&items, stet_arg(call, "id"));
	if (it == NULL)
		return not_found(call);
	STET_TRY(stet_exec(call, tx,
	    "UPDATE menu_item SET parent_id = ?3 WHERE menu_id = ?1 AND parent_id = ?2",
	    STET_ARGS(m.id, it->id, it->parent)));
	STET_TRY(stet_exec(call, tx, "DELETE FROM menu_item WHERE id = ?1", STET_ARGS(it->id)));
	STET_TRY(item_changed(call, tx, it->id));
	STET_TRY(menu_touch(call, tx, &m));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}

/* ---- all items ---- */

/* Ignores ids that the menu does not have: another editor may have deleted the item. */
static void
move(struct stet_call *call, const struct items *items, const json_t *moves, bool *moving)
{
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const json_t *move = json_array_get(moves, i);
		struct item *it = items_find(items, json_string_value(json_object_get(move, "id")));

		if (it == NULL)
			continue;
		if (moving[it - items->item])
			stet_issue(call, stet_printf(call, "items[%zu].id", i), "is listed twice");
		moving[it - items->item] = true;
		it->order = json_integer_value(json_object_get(move, "sortOrder"));
		put_below(call, items, it, stet_printf(call, "items[%zu].parentId", i),
		    json_string_value(json_object_get(move, "parentId")));
	}
}

static void
check_tree(struct stet_call *call, const struct items *items, const bool *moving)
{
	const size_t *up = parents(call, items);

	for (size_t i = 0; i < items->count; i++)
		if (moving[i] && is_below_itself(items, up, i))
			stet_issue(
			    call, "items", "would put the item %s below itself", items->item[i].id);
}

enum stet_status
menu_reorder(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct items items;
	struct menu m;
	bool *moving;

	STET_TRY(begin(call, &m, &items));
	moving = stet_alloc(call, (items.count + 1) * sizeof(*moving));
	move(call, &items, stet_arg_json(call, "items"), moving);
	check_tree(call, &items, moving);
	STET_TRY(stet_issues(call));
	for (size_t i = 0; i < items.count; i++)
		if (moving[i])
			STET_TRY(stet_exec(call, tx,
			    "UPDATE menu_item SET parent_id = ?2, sort_order = ?3 WHERE id = ?1",
			    STET_ARGS(
				items.item[i].id, items.item[i].parent, items.item[i].order)));
	STET_TRY(menu_touch(call, tx, &m));
	STET_TRY(items_read(call, m.id, &items));
	stet_array(out, NULL);
	STET_TRY(items_put(call, out, &m, &items));
	stet_close(out);
	return STET_OK;
}

static const char *
text_of(const json_t *in, const char *name)
{
	const char *text = json_string_value(json_object_get(in, name));

	return text != NULL && *text != '\0' ? text : NULL;
}

/* Gives item i the id and the group of the stored item that it names, or new ones. */
static void
name_item(struct stet_call *call, const struct items *was, const struct items *items, size_t i,
    const char *id, struct item *it)
{
	const struct item *old = id != NULL ? items_find(was, id) : NULL;

	it->id = it->group = stet_id(call);
	if (id == NULL)
		return;
	if (old == NULL)
		stet_issue(
		    call, stet_printf(call, "items[%zu].id", i), "is not an item of this menu");
	else if (items_find(items, id) != NULL)
		stet_issue(call, stet_printf(call, "items[%zu].id", i), "is listed twice");
	else {
		it->id = old->id;
		it->group = old->group;
	}
}

/* Reads item i of a replacement, and gives it an id. `items` has the items before it, `was` those
 * that are stored. */
static enum stet_status
read_item(struct stet_call *call, const struct menu *m, const json_t *in, const struct items *was,
    struct items *items)
{
	const json_t *url = json_object_get(in, "customUrl"),
		     *parent = json_object_get(in, "parentIndex");
	size_t i = items->count;
	struct item *it = &items->item[i];
	int64_t at = json_integer_value(parent);

	name_item(call, was, items, i, text_of(in, "id"), it);
	it->menu = m->id;
	it->order = (int64_t)i;
	it->type = text_of(in, "type");
	it->collection = text_of(in, "referenceCollection");
	it->reference = text_of(in, "referenceId");
	it->label = text_of(in, "label");
	it->title = text_of(in, "titleAttr");
	it->target = text_of(in, "target");
	it->classes = text_of(in, "cssClasses");
	if (json_is_string(url) && strcmp(it->type, "custom") == 0)
		STET_TRY(item_link(call, stet_printf(call, "items[%zu].customUrl", i),
		    json_string_value(url), &it->url));
	if (parent != NULL && at >= (int64_t)i)
		stet_issue(call, stet_printf(call, "items[%zu].parentIndex", i),
		    "item[%zu].parentIndex (%lld) must reference an earlier item", i,
		    (long long)at);
	else if (parent != NULL)
		it->parent = items->item[at].id;
	items->count++;
	return STET_OK;
}

/* Replaces the stored items by these. */
static enum stet_status
replace(struct stet_call *call, const struct items *was, const struct items *items)
{
	struct stet_tx *tx = stet_write_tx(call);

	for (size_t i = 0; i < was->count; i++)
		if (items_find(items, was->item[i].id) == NULL) {
			STET_TRY(stet_exec(call, tx, "DELETE FROM menu_item WHERE id = ?1",
			    STET_ARGS(was->item[i].id)));
			STET_TRY(item_changed(call, tx, was->item[i].id));
		}
	for (size_t i = 0; i < items->count; i++) {
		const struct item *it = &items->item[i];

		if (items_find(was, it->id) == NULL)
			STET_TRY(item_insert(call, tx, it));
		else
			STET_TRY(item_replace(call, tx, it));
	}
	return STET_OK;
}

enum stet_status
menu_set_items(struct stet_call *call)
{
	const json_t *in = stet_arg_json(call, "items");
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	size_t count = json_array_size(in);
	struct items items = { stet_alloc(call, (count + 1) * sizeof(*items.item)), 0 }, was;
	struct menu m;

	STET_TRY(begin(call, &m, &was));
	for (size_t i = 0; i < count; i++)
		STET_TRY(read_item(call, &m, json_array_get(in, i), &was, &items));
	STET_TRY(stet_issues(call));
	STET_TRY(replace(call, &was, &items));
	STET_TRY(menu_touch(call, tx, &m));
	stet_object(out, NULL);
	stet_put_str(out, "name", m.name);
	stet_put_int(out, "itemCount", (int64_t)count);
	stet_close(out);
	return STET_OK;
}
