/* include.c - kinds of included rows that enabled modules supply with items, and how content gets
 * them. */
#include "call/call.h"
#include "call/owner.h"
#include "call/widen.h"
#include <stet/include.h>
#include <string.h>

static const struct include_slot *
find(struct stet_call *call, const char *name)
{
	const struct generation *gen = call->gen;

	for (size_t i = 0; i < gen->include_count; i++)
		if (strcmp(gen->include[i].row.name, name) == 0)
			return &gen->include[i];
	return NULL;
}

const char *const *
stet_includes(struct stet_call *call)
{
	const struct generation *gen = call->gen;
	const char **names = stet_alloc(call, (gen->include_count + 1) * sizeof(*names));

	for (size_t i = 0; i < gen->include_count; i++)
		names[i] = gen->include[i].row.name;
	return names;
}

bool
stet_include_find_sized(
    struct stet_call *call, const char *name, struct stet_include *out, size_t size)
{
	const struct include_slot *slot = find(call, name);

	if (slot != NULL)
		stet_extend(out, size, &slot->row, sizeof(slot->row));
	return slot != NULL;
}

enum stet_status
stet_include_read(struct stet_call *call, const char *name, struct stet_include_page *page)
{
	const struct include_slot *slot = find(call, name);
	const struct loaded *was = call->owner;
	enum stet_status status;

	if (slot == NULL)
		return stet_fail(
		    call, STET_NOT_FOUND, NULL, "Nothing to include is called %.40s", name);
	call->owner = slot->owner;
	owner_mark_foreign(call, slot->owner);
	status = slot->row.read(call, page);
	call->owner = was;
	return status;
}

struct stet_json *
stet_include_row(struct stet_include_page *page, const char *id)
{
	return page->row(page, id);
}

void
stet_include_link(struct stet_include_page *page, size_t item, const char *group, const char *id)
{
	page->link(page, item, group, id);
}

size_t
stet_include_room(struct stet_include_page *page)
{
	return page->room(page);
}
