/*
 * renamed.c - exports whose custom fields get other names, so that a hidden one ("_price") is read
 * like all others.
 */
#include "plan/renamed.h"
#include "read/form.h"
#include <stdlib.h>

struct renaming {
	const json_t *names;
	const struct wxr_sink *to;
};

static enum stet_status
on_site(void *arg, const struct wxr_site *site)
{
	const struct wxr_sink *to = ((const struct renaming *)arg)->to;

	return to->site != NULL ? to->site(to->arg, site) : STET_OK;
}

static enum stet_status
on_author(void *arg, const struct wxr_author *author)
{
	const struct wxr_sink *to = ((const struct renaming *)arg)->to;

	return to->author != NULL ? to->author(to->arg, author) : STET_OK;
}

static enum stet_status
on_term(void *arg, const struct wxr_term *term)
{
	const struct wxr_sink *to = ((const struct renaming *)arg)->to;

	return to->term != NULL ? to->term(to->arg, term) : STET_OK;
}

static enum stet_status
on_notice(void *arg, const struct wxr_notice *notice)
{
	const struct wxr_sink *to = ((const struct renaming *)arg)->to;

	return to->notice != NULL ? to->notice(to->arg, notice) : STET_OK;
}

static enum stet_status
on_item(void *arg, const struct wxr_item *item)
{
	const struct renaming *r = arg;
	struct wxr_meta *meta;
	struct wxr_item copy = *item;
	enum stet_status status;

	if (r->to->item == NULL || item->meta_count == 0)
		return r->to->item != NULL ? r->to->item(r->to->arg, item) : STET_OK;
	meta = malloc(item->meta_count * sizeof(*meta));
	if (meta == NULL)
		stet_out_of_memory();
	copy.meta_count = 0;
	for (size_t i = 0; i < item->meta_count; i++) {
		const char *name = json_string_value(json_object_get(r->names, item->meta[i].key));

		if (name == NULL)
			name = item->meta[i].key;
		if (*name != '\0')
			meta[copy.meta_count++] = (struct wxr_meta){ name, item->meta[i].value };
	}
	copy.meta = meta;
	status = r->to->item(r->to->arg, &copy);
	free(meta);
	return status;
}

enum stet_status
renamed_read(struct stet_call *call, const json_t *names, const char *const *paths, size_t count,
    const struct wxr_sink *to)
{
	struct renaming r = { names, to };
	const struct wxr_sink sink = { on_site, on_author, on_term, on_item, on_notice, &r };
	struct wxr_totals totals;

	return wxr_read(call, paths, count, (uint64_t)import_most(call),
	    json_object_size(names) > 0 ? &sink : to, &totals);
}
