/*
 * beside.c - include=media: adds the media items that content items refer to (stet/include.h), as
 * they are now. A value only has what was known of a file when the value was saved.
 */
#include "media.h"
#include <stet/include.h>
#include <string.h>

/* A place where an item refers to a media item. */
struct place {
	const char *media;
	size_t item;
};
struct places {
	struct stet_call *call;
	struct place *list;
	size_t count, room;
	size_t item; /* the item whose values are being read */
};

static const struct stet_media_usage_1 *
service(struct stet_call *call)
{
	const struct stet_media_usage_1 *s = stet_service(call, STET_MEDIA_USAGE_1);

	return s != NULL && s->refers != NULL && s->references != NULL ? s : NULL;
}

static bool
wants(struct stet_call *call, const struct stet_field *f)
{
	const struct stet_media_usage_1 *s = service(call);

	return s != NULL && s->refers(f);
}

/* Adds a reference, once for an item, and no more than a response can include. */
static void
add_place(void *arg, const char *media)
{
	struct places *p = arg;
	struct place *more;
	size_t first = p->count;

	for (; first > 0 && p->list[first - 1].item == p->item; first--)
		if (strcmp(p->list[first - 1].media, media) == 0)
			return;
	if (p->count - first > STET_INCLUDE_ROWS || p->count > 5 * STET_INCLUDE_ROWS)
		return;
	if (p->count == p->room) {
		p->room = p->room > 0 ? 2 * p->room : 32;
		more = stet_alloc(p->call, p->room * sizeof(*more));
		if (p->count > 0)
			memcpy(more, p->list, p->count * sizeof(*more));
		p->list = more;
	}
	p->list[p->count++] = (struct place){ stet_strdup(p->call, media), p->item };
}

static void
find_places(struct stet_call *call, const struct stet_include_page *page, struct places *p)
{
	const struct stet_media_usage_1 *s = service(call);

	for (p->item = 0; p->item < page->count; p->item++)
		for (size_t i = 0; i < page->collection->field_count; i++) {
			const struct stet_field *f = page->collection->fields[i];
			const char *text = page->item[p->item]->value[i];

			if (text != NULL && s->refers(f))
				s->references(call, f, text, strlen(text), add_place, p);
		}
}

/* The ids of the places, each once, at most `most` of them. */
static const char **
each_once(struct places *p, size_t most, size_t *count)
{
	json_t *seen = stet_json_own(p->call, json_object());
	const char **id = stet_alloc(p->call, (p->count + 1) * sizeof(*id));

	*count = 0;
	for (size_t i = 0; i < p->count && *count < most; i++) {
		if (json_object_get(seen, p->list[i].media) != NULL)
			continue;
		json_object_set_new(seen, p->list[i].media, json_true());
		id[(*count)++] = p->list[i].media;
	}
	return id;
}

static enum stet_status
read_items(
    struct stet_call *call, struct stet_include_page *page, const char *const *id, size_t count)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT " ITEM_COLUMNS " FROM media_items WHERE " STET_UNINDEXED(
			      "status") " = 'ready' AND id IN ");
	stet_sql_texts(sql, id, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const char *key = stet_col_dup(&rows, M_ID);
		struct stet_json *out = stet_include_row(page, key);

		if (out != NULL)
			item_put(call, out, key, &rows, NULL);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
media_read(struct stet_call *call, struct stet_include_page *page)
{
	struct places p = { .call = call };
	const char **id;
	size_t count;

	if (service(call) == NULL)
		return stet_fail(call, STET_VALIDATION_ERROR, "include",
		    "media needs the module media-usage, which is not enabled");
	find_places(call, page, &p);
	id = each_once(&p, stet_include_room(page), &count);
	if (count > 0)
		STET_TRY(read_items(call, page, id, count));
	for (size_t i = 0; i < p.count; i++) {
		struct stet_json *out = stet_include_row(page, p.list[i].media);

		if (out != NULL)
			stet_put_null(out, p.list[i].media);
		stet_include_link(page, p.list[i].item, NULL, p.list[i].media);
	}
	return STET_OK;
}

const struct stet_include media_includes[1] = {
	{ .name = "media",
	    .about = "The media items that images, files, galleries and image blocks of the items "
		     "refer to, as the library has them now",
	    .op = "media_get",
	    .wants = wants,
	    .read = media_read },
};
