/* visits - a plugin for the tests of include. It brings a kind with one row for each item, and a
 * kind with one row that all items share. */
#include <stet/module.h>
#include <string.h>

static enum stet_status
read_visits(struct stet_call *call, struct stet_include_page *page)
{
	const char *all = page->args != NULL ? page->args : "all";

	for (size_t i = 0; i < page->count; i++) {
		struct stet_json *out = stet_include_row(page, all);

		if (out != NULL) {
			stet_object(out, all);
			stet_put_int(out, "items", (int64_t)page->count);
			stet_close(out);
		}
		out = stet_include_row(page, page->item[i]->id);
		if (out != NULL)
			stet_put_str(out, page->item[i]->id,
			    stet_printf(
				call, "%s of %s", page->item[i]->locale, page->collection->slug));
		stet_include_link(page, i, "every", all);
		stet_include_link(page, i, "own", page->item[i]->id);
		stet_include_link(page, i, "every", "that is not there");
		stet_include_link(page, i, NULL, all);
		stet_include_link(page, i, "every", page->item[i]->id);
	}
	return STET_OK;
}

static const struct stet_include includes[] = {
	{ .name = "visits", .about = "Visits of items.", .takes_args = true, .read = read_visits },
};

STET_MODULE(visits) = {
	STET_MODULE_HEAD(visits),
	.version = "1.0",
	.summary = "Visits",
	.includes = STET_TABLE(includes),
};
