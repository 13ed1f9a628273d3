/* pages.c - pages and field widgets of modules, blocks of the site, as the manifest lists them. */
#include "pages.h"
#include <stet/pages.h>
#include <string.h>

#define API "/_cms/api"

const struct stet_member manifest_page_shape[] = {
	{ "plugin", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED },
	{ "file", STET_STRING, STET_REQUIRED },
	{ "requests", STET_ARRAY,
	    .about = "Routes besides its plugin's own; absent: none. \"GET /content/:collection\"",
	    .item = STET_STRING },
	{ 0 },
};
const struct stet_member manifest_widget_shape[] = {
	{ "plugin", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "file", STET_STRING, STET_REQUIRED },
	{ "types", STET_ARRAY, STET_REQUIRED, "Field types whose values it edits",
	    .item = STET_STRING },
	{ "requests", STET_ARRAY, .about = "As those of a page", .item = STET_STRING },
	{ "block", STET_STRING,
	    .about = "The type of the blocks of rich text that it edits; absent: none" },
	{ 0 },
};
const struct stet_member manifest_block_shape[] = {
	{ "slug", STET_STRING, STET_REQUIRED, "_type of the blocks" },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "icon", STET_STRING },
	{ 0 },
};

bool
module_works(const struct stet_module_info *info)
{
	return info->enabled && info->refused == NULL;
}

/* Returns the route of an operation below the root of the API; NULL: no such operation, or a page
 * cannot use it. */
static const char *
route_of(const struct stet_op_info *const *ops, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		const char *route = ops[i]->route, *path;

		if (strcmp(ops[i]->name, name) != 0)
			continue;
		path = route != NULL ? strchr(route, '/') : NULL;
		return path != NULL && strncmp(path, API "/", strlen(API "/")) == 0 ? route : NULL;
	}
	return NULL;
}

static void
put_requests(struct stet_call *call, struct stet_json *out, const char *const *names)
{
	const struct stet_op_info *const *ops;
	size_t count;

	if (names == NULL || names[0] == NULL)
		return;
	count = stet_ops(call, &ops);
	stet_array(out, "requests");
	for (size_t i = 0; names[i] != NULL; i++) {
		const char *route = route_of(ops, count, names[i]), *path;

		if (route == NULL)
			continue;
		path = strchr(route, '/');
		stet_put_str(out, NULL,
		    stet_printf(call, "%.*s%s", (int)(path - route), route, path + strlen(API)));
	}
	stet_close(out);
}

static void
put_page(struct stet_call *call, struct stet_json *out, const char *module,
    const struct stet_admin_page *row)
{
	stet_object(out, NULL);
	stet_put_str(out, "plugin", module);
	stet_put_str(out, "name", row->name);
	stet_put_str(out, "title", row->title);
	stet_put_str(out, "file", row->file);
	put_requests(call, out, row->ops);
	stet_close(out);
}

void
put_pages(struct stet_call *call, struct stet_json *out, const struct stet_module_info *const *all,
    size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		const struct stet_module *m = all[i]->module;

		for (uint32_t k = 0; module_works(all[i]) && k < m->admin_pages.count; k++) {
			struct stet_admin_page row;

			stet_table_row(&m->admin_pages, k, &row, sizeof(row));
			if (row.permission != NULL && !stet_may(call, row.permission))
				continue;
			if (!any)
				stet_array(out, "pages");
			any = true;
			put_page(call, out, m->name, &row);
		}
	}
	if (any)
		stet_close(out);
}

static void
put_widget(struct stet_call *call, struct stet_json *out, const char *module,
    const struct stet_field_widget *row)
{
	stet_object(out, NULL);
	stet_put_str(out, "plugin", module);
	stet_put_str(out, "name", row->name);
	stet_put_str(out, "label", row->label);
	stet_put_str(out, "file", row->file);
	stet_array(out, "types");
	for (size_t i = 0; row->types != NULL && row->types[i] != NULL; i++)
		stet_put_str(out, NULL, row->types[i]);
	stet_close(out);
	put_requests(call, out, row->ops);
	if (row->block != NULL)
		stet_put_str(out, "block", row->block);
	stet_close(out);
}

void
put_widgets(struct stet_call *call, struct stet_json *out,
    const struct stet_module_info *const *all, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		const struct stet_module *m = all[i]->module;

		for (uint32_t k = 0; module_works(all[i]) && k < m->field_widgets.count; k++) {
			struct stet_field_widget row;

			if (!any)
				stet_array(out, "fieldWidgets");
			any = true;
			stet_table_row(&m->field_widgets, k, &row, sizeof(row));
			put_widget(call, out, m->name, &row);
		}
	}
	if (any)
		stet_close(out);
}

enum stet_status
put_blocks(struct stet_call *call, struct stet_json *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_block_type *const *list;
	size_t count;

	STET_TRY(schema->blocks(call, &list, &count));
	if (count == 0)
		return STET_OK;
	stet_array(out, "blocks");
	for (size_t i = 0; i < count; i++) {
		stet_object(out, NULL);
		stet_put_str(out, "slug", list[i]->slug);
		stet_put_str(out, "label", list[i]->label);
		if (list[i]->icon != NULL)
			stet_put_str(out, "icon", list[i]->icon);
		stet_close(out);
	}
	stet_close(out);
	return STET_OK;
}
