/*
 * byline.c - the credits of items, through the service of the bylines module. If that module is
 * disabled, items have no credits, and a body with `bylines` is refused.
 */
#include "item/item.h"
#include <string.h>

static const struct stet_bylines_1 *
service(struct stet_call *call)
{
	return stet_service(call, STET_BYLINES_1);
}

/* ---- writing credits ---- */

enum stet_status
byline_check(struct stet_call *call, const json_t *bylines, struct stet_credits **out)
{
	const struct stet_bylines_1 *s = service(call);

	*out = NULL;
	if (bylines == NULL)
		return STET_OK;
	if (s != NULL)
		return s->check(call, "bylines", bylines, out);
	if (json_array_size(bylines) > 0)
		stet_issue(call, "bylines", "needs the module bylines, which is not enabled");
	return STET_OK;
}

enum stet_status
byline_store(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id,
    const struct stet_credits *credits)
{
	const struct stet_bylines_1 *s = service(call);

	return s == NULL || credits == NULL ? STET_OK : s->store(call, tx, collection, id, credits);
}

enum stet_status
byline_copy(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *from,
    const char *to)
{
	const struct stet_bylines_1 *s = service(call);

	return s == NULL ? STET_OK : s->copy(call, tx, collection, from, to);
}

enum stet_status
byline_forget(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *id)
{
	const struct stet_bylines_1 *s = service(call);

	return s == NULL ? STET_OK : s->forget(call, tx, collection, id);
}

/* ---- showing credits ---- */

enum stet_status
byline_begin(struct stet_call *call, struct shown *shown)
{
	*shown = (struct shown){ .service = service(call) };
	return shown->service == NULL ? STET_OK : shown->service->version(call, &shown->version);
}

enum stet_status
byline_read(struct stet_call *call, const char *collection, const struct stet_credited *item,
    size_t count, struct shown *shown)
{
	const struct stet_table items = { item, (uint32_t)count, sizeof(*item) };

	if (shown->version == 0 || count == 0)
		return STET_OK;
	return shown->service->read(call, collection, &items, &shown->page);
}

enum stet_status
byline_read_row(struct stet_call *call, const char *collection, struct stet_rows *rows,
    const json_t *staged, struct shown *shown)
{
	const json_t *kept = json_object_get(staged, BYLINES);
	struct stet_credited item[2] = { { stet_col_str(rows, C_ID), stet_col_str(rows, C_LOCALE),
	    stet_col_str(rows, C_AUTHOR) } };

	item[1] = item[0];
	item[0].kept = kept;
	STET_TRY(byline_begin(call, shown));
	shown->with_live = kept != NULL;
	return byline_read(call, collection, item, kept != NULL ? 2 : 1, shown);
}

void
byline_put(struct stet_json *out, const struct shown *shown, size_t i)
{
	if (shown != NULL && shown->page != NULL) {
		shown->service->put(out, shown->page, i);
		return;
	}
	stet_array(out, "bylines");
	stet_close(out);
	stet_put_null(out, "byline");
}

void
byline_put_live(struct stet_json *out, const struct shown *shown)
{
	if (shown != NULL && shown->page != NULL && shown->with_live)
		shown->service->put_list(out, "liveBylines", shown->page, 1);
}

json_t *
byline_json(struct stet_call *call, const struct shown *shown, size_t i)
{
	struct stet_json *out = stet_json_new(call);
	const char *text;
	size_t len;

	if (shown->page == NULL)
		return stet_json_own(call, json_array());
	shown->service->put_list(out, NULL, shown->page, i);
	text = stet_json_text(out, &len);
	return stet_json_stored(call, text, len);
}

char *
byline_tag(struct stet_call *call, const char *rev, const struct shown *shown)
{
	if (shown->version == 0)
		return stet_strdup(call, rev);
	return stet_printf(call, "%s.%lld", rev, (long long)shown->version);
}

/* ---- filtering by credits ---- */

enum stet_status
byline_filter(struct stet_call *call, const char *collection, const struct byline_filter **out)
{
	const char *text = stet_arg(call, "bylines");
	struct byline_filter *f = stet_alloc(call, sizeof(*f));

	*out = NULL;
	if (text == NULL)
		return STET_OK;
	*f = (struct byline_filter){ .service = service(call), .collection = collection };
	if (f->service == NULL) {
		if (strcmp(text, "none") != 0)
			stet_issue(
			    call, "bylines", "needs the module bylines, which is not enabled");
		return STET_OK;
	}
	*out = f;
	return f->service->filter(
	    call, "bylines", text, stet_arg_bool(call, "includeInferredBylines"), &f->it);
}
