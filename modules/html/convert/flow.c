/* flow.c - converts HTML to blocks. element.c converts single elements. */
#include "flow.h"

/* ---- blocks ---- */

void
flow_begin(struct flow *f, struct conv *c, json_t *to)
{
	*f = (struct flow){
		.c = c, .to = to, .style = { .name = "normal" }, .own = json_array_size(to)
	};
	para_begin(&f->para, c);
}

/* Makes the block an item of a list. Only the first block of an item has its number and its box. */
static void
put_item(struct flow *f, json_t *block)
{
	int *start = f->style.start;
	enum box *box = f->style.box;

	(void)json_object_set_new(block, "listItem", json_string(f->style.item));
	(void)json_object_set_new(block, "level", json_integer(f->style.level));
	if (start != NULL && *start != 0) {
		(void)json_object_set_new(block, "start", json_integer(*start));
		*start = 0;
	}
	if (box != NULL && *box != NO_BOX) {
		(void)json_object_set_new(block, "checked", json_boolean(*box == BOX_CHECKED));
		*box = NO_BOX;
	}
}

void
flow_break(struct flow *f)
{
	json_t *defs, *children, *block;

	if (f->cell) {
		para_newline(&f->para);
		return;
	}
	children = para_end(&f->para, &defs);
	f->link = NULL;
	if (children == NULL)
		return;
	block = conv_new(f->c, "block");
	(void)json_object_set_new(block, "style", json_string(f->style.name));
	if (f->style.item != NULL && !f->parted)
		put_item(f, block);
	(void)json_object_set_new(block, "children", children);
	if (defs != NULL)
		(void)json_object_set_new(block, "markDefs", defs);
	(void)json_array_append_new(f->to, block);
}

void
flow_part(struct flow *f)
{
	size_t before = json_array_size(f->to);

	if (f->cell)
		return;
	flow_break(f);
	f->parted |= f->style.item != NULL && json_array_size(f->to) > before;
}

void
flow_end(struct flow *f)
{
	json_t *defs;

	flow_break(f);
	json_decref(para_end(&f->para, &defs));
	json_decref(defs);
	text_free(&f->caption);
}

void
flow_split(struct flow *f, const GumboNode *node)
{
	(void)node;
	para_split(&f->para);
}

/* ---- HTML ---- */

void
flow_node(struct flow *f, const GumboNode *node)
{
	f->c->element(f, node);
}

void
flow_children(struct flow *f, const GumboNode *node)
{
	const GumboVector *children = node_children(node);

	for (unsigned i = 0; i < children->length; i++)
		flow_node(f, children->data[i]);
}

static void
on_tree(void *arg, const struct piece *piece)
{
	struct flow *f = arg;
	json_t *html;

	if (f->c->keys < KEYS_MAX) {
		flow_children(f, piece->root);
		return;
	}
	flow_break(f);
	html = conv_new(f->c, "htmlBlock");
	(void)json_object_set_new(html, "html", json_bytes(piece->html, piece->len));
	(void)json_array_append_new(f->to, html);
}

void
flow_html(struct flow *f, const char *html, size_t len)
{
	html_each(f->c->trees, html, len, on_tree, f);
}

void
flow_all(struct conv *c, json_t *to, const char *html, size_t len, bool classic)
{
	struct text expanded = { 0 };
	struct flow f;

	flow_begin(&f, c, to);
	f.classic = classic;
	if (classic && shortcodes(html, len, &expanded))
		flow_html(&f, expanded.s, expanded.len);
	else
		flow_html(&f, html, len);
	text_free(&expanded);
	flow_end(&f);
}
