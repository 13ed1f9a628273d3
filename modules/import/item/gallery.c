/*
 * gallery.c - galleries of classic texts. A shortcode [gallery] without ids shows the pictures that
 * are attached to the item, which may come later in the export: the first pass notes them.
 */
#include "item/gallery.h"
#include "plan/suggest.h"
#include "state/map.h"
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

enum stet_status
gallery_note(struct stet_call *call, struct run *run, const struct wxr_item *item)
{
	const char *type = suggest_media_type(wxr_attachment_url(item));

	if (item->parent <= 0 || strncmp(type, "image/", 6) != 0 ||
	    llabs((long long)item->menu_order) >= ORDER_SHIFT)
		return STET_OK;
	return map_note(run, MAP_ATTACHED,
	    stet_printf(call, "%020lld" MAP_SEP "%020lld" MAP_SEP "%020lld",
		(long long)item->parent, (long long)(item->menu_order + ORDER_SHIFT),
		(long long)item->id),
	    map_id(call, item->id));
}

/* Returns the value of an attribute, with or without quotes; NULL: it is not there. */
static const char *
value_of(struct stet_call *call, const struct code *code, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = code->begin; p + len + 1 < code->end; p++) {
		const char *value = p + len + 2;
		size_t size;

		if (*p != ' ' || strncasecmp(p + 1, name, len) != 0 || p[len + 1] != '=')
			continue;
		size = *value == '"' ? strcspn(++value, "\"]") : strcspn(value, " ]'");
		return stet_strndup(call, value, size);
	}
	return NULL;
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

static int
by_number(const void *x, const void *y)
{
	long long a = strtoll(*(const char *const *)x, NULL, 10),
		  b = strtoll(*(const char *const *)y, NULL, 10);

	return (a > b) - (a < b);
}

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

/* *out: the ids of a shortcode, with commas; "": none are known. */
static enum stet_status
ids_of(struct stet_call *call, const struct run *run, const struct wxr_item *item,
    const struct code *code, const char **out)
{
	const char *of = value_of(call, code, "id"), *order = value_of(call, code, "order");
	const char *by = value_of(call, code, "orderby"), **ids;
	size_t count;

	*out = value_of(call, code, "include");
	if (*out != NULL && **out != '\0')
		return STET_OK;
	*out = "";
	ids = stet_alloc(call, FILLED_MAX * sizeof(*ids));
	STET_TRY(attached(call, run, of != NULL ? strtoll(of, NULL, 10) : item->id,
	    value_of(call, code, "exclude"), ids, &count));
	if (by != NULL && strcasecmp(by, "ID") == 0)
		qsort(ids, count, sizeof(*ids), by_number);
	for (size_t i = 0; i < count; i++)
		*out = stet_printf(call, "%s%s%s", *out, i > 0 ? "," : "",
		    ids[order != NULL && strcasecmp(order, "DESC") == 0 ? count - 1 - i : i]);
	return STET_OK;
}

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
	const char *at = *text;
	struct code code;
	char *filled = NULL;
	size_t len, found = 0;
	enum stet_status status = STET_OK;
	FILE *out;

	if (!next(at, &code))
		return STET_OK;
	if ((out = open_memstream(&filled, &len)) == NULL)
		stet_out_of_memory();
	while (status == STET_OK && found++ < FILLED_MAX && next(at, &code)) {
		const char *ids = "";

		if (value_of(call, &code, "ids") == NULL)
			status = ids_of(call, run, item, &code, &ids);
		(void)fwrite(at, 1, (size_t)(code.end - at), out);
		if (*ids != '\0')
			(void)fprintf(out, " ids=\"%s\"", ids);
		at = code.end;
	}
	(void)fputs(at, out);
	if (fclose(out) != 0)
		stet_out_of_memory();
	*text = stet_strdup(call, filled);
	free(filled);
	return status;
}
