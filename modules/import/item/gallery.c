/*
 * gallery.c - galleries of classic texts. A shortcode [gallery] without ids shows the pictures that
 * are attached to the item. These, and what orders pictures, may come later in the export: the
 * first pass notes them.
 */
#include "item/gallery.h"
#include "plan/suggest.h"
#include "read/text.h"
#include "state/map.h"
#include "state/ops.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CODE "[gallery"
#define CODE_MAX 2000 /* bytes of a shortcode */
#define FILLED_MAX 1000 /* galleries of a text, and pictures of a gallery */
#define ORDER_SHIFT (INT64_C(1) << 40) /* makes menu_order positive, so that names sort */

/* One shortcode. */
struct code {
	const char *begin, *end; /* its attributes, without the bracket */
};

/* A picture of a gallery. */
struct picture {
	const char *id, *word; /* word: by which it is sorted; NULL: it is not in the export */
	int64_t number; /* likewise; and then, the id */
	long long id_number;
};

enum stet_status
gallery_note(struct stet_call *call, struct run *run, const struct wxr_item *item)
{
	const char *type = suggest_media_type(wxr_attachment_url(item));

	if (run->from != NULL || strncmp(type, "image/", 6) != 0)
		return STET_OK;
	STET_TRY(map_note(run, MAP_PICTURE, map_id(call, item->id),
	    json_dumps_own(call, json_pack("{ss ss ss ss sI}", "title", item->title, "date",
				     item->date, "modified", item->modified, "name", item->slug,
				     "menu_order", (json_int_t)item->menu_order))));
	if (item->parent <= 0 || llabs((long long)item->menu_order) >= ORDER_SHIFT)
		return STET_OK;
	return map_note(run, MAP_ATTACHED,
	    stet_printf(call, "%020lld" MAP_SEP "%020lld" MAP_SEP "%020lld",
		(long long)item->parent, (long long)(item->menu_order + ORDER_SHIFT),
		(long long)item->id),
	    map_id(call, item->id));
}

/* Returns the value of an attribute, with or without quotes; "": it is not there. */
static const char *
value_of(struct stet_call *call, const struct code *code, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = code->begin; p + len + 1 < code->end; p++) {
		const char *value = p + len + 2;
		size_t size;

		if (*p != ' ' || strncasecmp(p + 1, name, len) != 0 || p[len + 1] != '=')
			continue;
		if (*value == '"' || *value == '\'')
			size = strcspn(value + 1, *value == '"' ? "\"]" : "']");
		else
			size = strcspn(value, " ]");
		return stet_strndup(call, value + (*value == '"' || *value == '\''), size);
	}
	return "";
}

/* Is the id one of a list with commas? */
static bool
is_in(const char *list, const char *id)
{
	size_t len = strlen(id);

	for (const char *p = list; p != NULL && (p = strstr(p, id)) != NULL; p += len)
		if ((p == list || strchr("0123456789", p[-1]) == NULL) &&
		    (p[len] == '\0' || strchr("0123456789", p[len]) == NULL))
			return true;
	return false;
}

/* ---- the order ---- */

/* Returns the member of a picture by which WordPress sorts for this name; NULL: as they are named.
 */
static const char *
member_of(const char *by)
{
	static const char *const members[][2] = { { "title", "title" }, { "post_title", "title" },
		{ "date", "date" }, { "post_date", "date" }, { "modified", "modified" },
		{ "post_modified", "modified" }, { "name", "name" }, { "post_name", "name" },
		{ "ID", "" }, { "rand", NULL }, { "none", NULL }, { "post__in", NULL } };
	size_t len = strcspn(by, " ,");

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (strncasecmp(by, members[i][0], len) == 0 && members[i][0][len] == '\0')
			return members[i][1];
	return "menu_order";
}

static int
by_members(const void *a, const void *b)
{
	const struct picture *x = a, *y = b;
	int words;

	if (x->word == NULL || y->word == NULL)
		return (x->word == NULL) - (y->word == NULL);
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	words = strcasecmp(x->word, y->word);
	return words != 0 ? words : (x->id_number > y->id_number) - (x->id_number < y->id_number);
}

/* Sorts pictures by a member; those that are not in the export come last. */
static enum stet_status
sort(struct stet_call *call, const struct run *run, const char **ids, size_t count,
    const char *member, bool down)
{
	struct picture *all = stet_alloc(call, (count + 1) * sizeof(*all));
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		const char *value;
		const json_t *row;

		STET_TRY(map_get(call, run, MAP_PICTURE, ids[i], &value));
		row = map_json(call, value);
		known += row != NULL;
		all[i] = (struct picture){ .id = ids[i],
			.word = row != NULL ? text_in(row, member) : NULL,
			.number = json_integer_value(json_object_get(row, member)),
			.id_number = strtoll(ids[i], NULL, 10) };
	}
	qsort(all, count, sizeof(*all), by_members);
	for (size_t i = 0; i < count; i++)
		ids[i] = all[down && i < known ? known - 1 - i : i].id;
	return STET_OK;
}

/* ---- the pictures ---- */

/* Sets the ids of the pictures attached to an item; returns their number in *count. */
static enum stet_status
attached(struct stet_call *call, const struct run *run, int64_t parent, const char *exclude,
    const char **ids, size_t *count)
{
	const char *prefix = stet_printf(call, "%020lld" MAP_SEP, (long long)parent);
	const char *after = prefix, *source, *id;

	*count = 0;
	for (;;) {
		STET_TRY(map_next(call, run, MAP_ATTACHED, after, &source, &id));
		if (source == NULL || strncmp(source, prefix, strlen(prefix)) != 0 ||
		    *count == FILLED_MAX)
			return STET_OK;
		if (!is_in(exclude, id))
			ids[(*count)++] = id;
		after = source;
	}
}

/* Sets the ids of a list. Returns their number. */
static size_t
listed(struct stet_call *call, const char *list, const char **ids)
{
	size_t count = 0, len;

	for (; *list != '\0' && count < FILLED_MAX; list += len) {
		list += strcspn(list, "0123456789");
		len = strspn(list, "0123456789");
		if (len > 0)
			ids[count++] = stet_strndup(call, list, len);
	}
	return count;
}

/* *out: the ids of a shortcode in their order, with commas; "": none are known, or its own list is
 * right. */
static enum stet_status
ids_of(struct stet_call *call, const struct run *run, const struct wxr_item *item,
    const struct code *code, const char **out)
{
	const char *list = value_of(call, code, "ids"), *by = value_of(call, code, "orderby");
	const char *of = value_of(call, code, "id"), *order = value_of(call, code, "order");
	const char **ids, *member = *by != '\0' || *list == '\0' ? member_of(by) : NULL;
	size_t count;

	*out = "";
	if (*list != '\0' && member == NULL)
		return STET_OK;
	if (*list == '\0')
		list = value_of(call, code, "include");
	ids = stet_alloc(call, FILLED_MAX * sizeof(*ids));
	if (*list != '\0')
		count = listed(call, list, ids);
	else
		STET_TRY(attached(call, run, *of != '\0' ? strtoll(of, NULL, 10) : item->id,
		    value_of(call, code, "exclude"), ids, &count));
	if (member != NULL && strcasecmp(order, "RAND") != 0)
		STET_TRY(sort(call, run, ids, count, member, strcasecmp(order, "DESC") == 0));
	for (size_t i = 0; i < count; i++)
		*out = stet_printf(call, "%s%s%s", *out, i > 0 ? "," : "", ids[i]);
	return STET_OK;
}

/* ---- the text ---- */

/* Finds the next shortcode of a gallery in the text. */
static bool
next(const char *text, struct code *code)
{
	while ((text = strstr(text, CODE)) != NULL) {
		text += strlen(CODE);
		code->begin = text;
		code->end = text + strcspn(text, "]\n");
		if (*code->end == ']' && (*text == ' ' || *text == ']') &&
		    code->end - text <= CODE_MAX)
			return true;
	}
	return false;
}

enum stet_status
gallery_fill(
    struct stet_call *call, const struct run *run, const struct wxr_item *item, const char **text)
{
	const char *at = *text, *ids;
	struct code code;
	char *filled = NULL;
	size_t len, found = 0;
	enum stet_status status = STET_OK;
	FILE *out = NULL;

	while (status == STET_OK && found++ < FILLED_MAX && next(at, &code)) {
		if (out == NULL && (out = open_memstream(&filled, &len)) == NULL)
			stet_out_of_memory();
		(void)fwrite(at, 1, (size_t)(code.begin - at), out);
		status = ids_of(call, run, item, &code, &ids);
		/* Of two attributes with one name the first counts. */
		if (status == STET_OK && *ids != '\0')
			(void)fprintf(out, " ids=\"%s\"", ids);
		(void)fwrite(code.begin, 1, (size_t)(code.end - code.begin), out);
		at = code.end;
	}
	if (out == NULL)
		return status;
	(void)fputs(at, out);
	if (fclose(out) != 0)
		stet_out_of_memory();
	*text = stet_strdup(call, filled);
	free(filled);
	return status;
}
