/*
 * table.c - converts tables of HTML: rows with the text of their cells. Pictures in cells are
 * placed before the table.
 */
#include "flow.h"
#include <string.h>

struct rows {
	struct flow *flow;
	json_t *list;
	bool header, footer; /* the current rows are in thead, in tfoot */
};

static json_t *
cell_of(struct flow *f, const GumboNode *node, bool header)
{
	json_t *cell = conv_new(f->c, "tableCell"), *content, *defs;
	struct flow inner;

	flow_begin(&inner, f->c, f->to);
	inner.cell = true;
	flow_children(&inner, node);
	content = para_end(&inner.para, &defs);
	(void)json_object_set_new(cell, "content", content != NULL ? content : json_array());
	if (defs != NULL)
		(void)json_object_set_new(cell, "markDefs", defs);
	if (header || node_is(node, "th"))
		(void)json_object_set_new(cell, "isHeader", json_true());
	return cell;
}

static void
add_row(struct rows *r, const GumboNode *node)
{
	json_t *row = conv_new(r->flow->c, "tableRow"), *cells = json_array();
	const GumboVector *children = node_children(node);

	for (unsigned i = 0; i < children->length; i++)
		if (node_is(children->data[i], "td") || node_is(children->data[i], "th"))
			(void)json_array_append_new(
			    cells, cell_of(r->flow, children->data[i], r->header));
	(void)json_object_set_new(row, "cells", cells);
	if (r->footer)
		(void)json_object_set_new(row, "isFooter", json_true());
	(void)json_array_append_new(r->list, row);
}

static void
add_rows(struct rows *r, const GumboNode *node)
{
	const GumboVector *children = node_children(node);
	bool header = r->header, footer = r->footer;

	r->header |= node_is(node, "thead");
	r->footer |= node_is(node, "tfoot");
	if (node_is(node, "tr")) {
		add_row(r, node);
		return;
	}
	for (unsigned i = 0; i < children->length; i++)
		if (!node_is(children->data[i], "caption"))
			add_rows(r, children->data[i]);
	r->header = header;
	r->footer = footer;
}

static const GumboNode *
child_of(const GumboNode *node, const char *name)
{
	const GumboVector *children = node_children(node);

	for (unsigned i = 0; i < children->length; i++)
		if (node_is(children->data[i], name))
			return children->data[i];
	return NULL;
}

void
flow_table(struct flow *f, const GumboNode *node)
{
	const GumboNode *caption = child_of(node, "caption");
	struct rows rows = { .flow = f, .list = json_array() };
	json_t *table, *text;

	flow_break(f);
	add_rows(&rows, node);
	if (caption != NULL &&
	    (node_find(caption, "a") != NULL || node_find(caption, "img") != NULL))
		flow_children(f, caption);
	flow_break(f);
	table = conv_new(f->c, "table");
	(void)json_object_set_new(table, "rows", rows.list);
	(void)json_object_set_new(
	    table, "hasHeaderRow", json_boolean(child_of(node, "thead") != NULL));
	text = caption != NULL && node_find(caption, "a") == NULL ? text_of(caption, false) : NULL;
	if (text != NULL)
		(void)json_object_set_new(table, "caption", text);
	(void)json_array_append_new(f->to, table);
}
