/*
 * places.c - blocks with inner blocks: groups, columns, covers, buttons; and files.
 */
#include "places.h"
#include <string.h>

#define DEPTH_MAX 5 /* most levels of columns and covers; deeper ones are flattened */

/* ---- groups and columns ---- */

void
put_group(struct work *w, const struct block *b, json_t *to)
{
	put_children(w, b, to, to, false);
}

/* Enters a block with inner blocks. Returns false if it is nested too deep: then its content was
 * appended to `to`. */
static bool
enter(struct work *w, const struct block *b, json_t *to)
{
	if (w->conv.depth < DEPTH_MAX) {
		w->conv.depth++;
		return true;
	}
	w->conv.report->flattened++;
	put_group(w, b, to);
	return false;
}

static json_t *
new_column(struct work *w, json_t *columns)
{
	json_t *column = conv_new(&w->conv, "column"), *content = json_array();

	(void)json_object_set_new(column, "content", content);
	(void)json_array_append_new(columns, column);
	return content;
}

void
put_columns(struct work *w, const struct block *b, json_t *to)
{
	json_t *columns, *list;

	if (!enter(w, b, to))
		return;
	columns = conv_new(&w->conv, "columns");
	list = json_array();
	(void)json_object_set_new(columns, "columns", list);
	for (size_t i = b->first; i != NO_BLOCK; i = w->blocks.list[i].next) {
		const struct block *child = &w->blocks.list[i];
		json_t *content = new_column(w, list);

		put_block(w, child, content);
	}
	/* Between columns there is only their wrapper, or text from another editor, which goes
	 * first. */
	put_between(w, b, to);
	if (json_array_size(list) > 0)
		(void)json_array_append(to, columns);
	json_decref(columns);
	w->conv.depth--;
}

void
put_media_text(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes, *columns, *list, *media, *content;

	if (!enter(w, b, to))
		return;
	attributes = block_attributes(b);
	columns = conv_new(&w->conv, "columns");
	list = json_array();
	(void)json_object_set_new(columns, "columns", list);
	if (strcmp(member_text(attributes, "mediaPosition"), "right") == 0) {
		content = new_column(w, list);
		media = new_column(w, list);
	} else {
		media = new_column(w, list);
		content = new_column(w, list);
	}
	put_children(w, b, content, media, false);
	(void)json_array_append_new(to, columns);
	json_decref(attributes);
	w->conv.depth--;
}

/* ---- covers ---- */

static void
set_size(json_t *cover, const json_t *attributes)
{
	const json_t *height = json_object_get(attributes, "minHeight"),
		     *ratio = json_object_get(attributes, "dimRatio");
	const char *unit = member_text(attributes, "minHeightUnit"),
		   *custom = member_text(attributes, "customOverlayColor");

	if (json_is_number(ratio))
		(void)json_object_set_new(
		    cover, "overlayOpacity", json_real(json_number_value(ratio) / 100));
	set_text(cover, "overlayColor",
	    *custom != '\0' ? custom : member_text(attributes, "overlayColor"));
	if (json_is_number(height))
		(void)json_object_set_new(cover, "minHeight",
		    json_sprintf(
			"%.10g%s", json_number_value(height), *unit != '\0' ? unit : "px"));
}

/* contentPosition "top left" becomes "left". */
static void
set_side(json_t *cover, const json_t *attributes)
{
	static const char *const sides[] = { "left", "right", "center" };
	const char *position = member_text(attributes, "contentPosition");

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		if (strstr(position, sides[i]) == NULL)
			continue;
		set_text(cover, "alignment", sides[i]);
		return;
	}
}

/* Sets the background to the first picture or player in `loose` and removes it there. The attribute
 * `url` wins. */
static void
set_background(json_t *cover, json_t *loose, const json_t *attributes)
{
	const char *url = member_text(attributes, "url");
	json_t *part;
	size_t i;

	json_array_foreach(loose, i, part)
	{
		const char *src = is_type(part, "image")
				      ? member_text(json_object_get(part, "asset"), "url")
				      : member_text(part, "url");

		if (!is_type(part, "image") && !is_type(part, "embed"))
			continue;
		if (is_type(part, "image") && *member_text(part, "alt") != '\0')
			set_text(cover, "alt", member_text(part, "alt"));
		set_text(cover, "backgroundImage", src);
		(void)json_array_remove(loose, i);
		break;
	}
	if (*url != '\0')
		set_text(cover, "backgroundImage", url);
}

void
put_cover(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes, *cover, *loose, *content;

	if (!enter(w, b, to))
		return;
	attributes = block_attributes(b);
	cover = conv_new(&w->conv, "cover");
	loose = json_array();
	content = json_array();
	put_children(w, b, content, loose, false);
	set_background(cover, loose, attributes);
	set_size(cover, attributes);
	set_side(cover, attributes);
	(void)json_array_extend(loose, content);
	(void)json_object_set_new(cover, "content", loose);
	(void)json_array_append_new(to, cover);
	json_decref(content);
	json_decref(attributes);
	w->conv.depth--;
}

/* ---- content that a button or file cannot have ---- */

static void
look_for_media(void *arg, const struct piece *piece)
{
	static const char *const names[] = { "img", "video", "audio", "iframe", "table" };
	bool *found = arg;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		*found |= node_find(piece->root, names[i]) != NULL;
}

/* A button or file has only a text. If the block holds a picture, player or table, converts its
 * content as HTML; else returns false. */
static bool
put_as_held(struct work *w, const struct block *b, json_t *to)
{
	size_t len = (size_t)(b->end - b->begin);
	bool found = false;

	html_each(w->conv.trees, b->begin, len, look_for_media, &found);
	if (found)
		flow_all(&w->conv, to, b->begin, len, false);
	return found;
}

/* ---- buttons ---- */

struct button {
	struct work *work;
	json_t *button;
	struct text text;
};

static const char *
style_of(const GumboNode *node)
{
	if (node_has_class(node, "is-style-outline"))
		return "outline";
	return node_has_class(node, "is-style-fill") ? "fill" : NULL;
}

/* If there is exactly one link, it becomes the url of the button, even after an `a` without
 * href. */
static void
take_only_link(json_t *button)
{
	const json_t *links = json_object_get(button, "links");

	if (json_array_size(links) != 1)
		return;
	if (*member_text(button, "url") == '\0')
		set_text(button, "url", member_text(json_array_get(links, 0), "href"));
	(void)json_object_del(button, "links");
}

static void
on_button(void *arg, const struct piece *piece)
{
	struct button *b = arg;
	const GumboNode *root = piece->root, *link = node_find(root, "a");
	const GumboVector *children = node_children(root);
	const char *href = link != NULL ? node_attribute(link, "href") : NULL;

	node_write(root, &b->text);
	add_links(&b->work->conv, b->button, root);
	if (href != NULL && stet_is_link(href))
		set_text(b->button, "url", href);
	take_only_link(b->button);
	for (unsigned i = 0; i < children->length; i++)
		set_text(b->button, "style", style_of(children->data[i]));
	if (link != NULL)
		set_text(b->button, "style", style_of(link));
}

static json_t *
new_button(struct work *w, const struct block *b)
{
	struct button button = { .work = w, .button = conv_new(&w->conv, "button") };
	json_t *attributes = block_attributes(b);
	const char *class = member_text(attributes, "className");

	set_text(button.button, "style",
	    strstr(class, "is-style-outline") != NULL ? "outline"
	    : strstr(class, "is-style-fill") != NULL  ? "fill"
						      : "default");
	html_each(w->conv.trees, b->begin, (size_t)(b->end - b->begin), on_button, &button);
	if (button.text.s != NULL)
		text_collapse(&button.text);
	(void)json_object_set_new(button.button, "text",
	    button.text.len > 0 ? json_bytes(button.text.s, button.text.len)
				: json_string("Button"));
	if (*member_text(button.button, "url") == '\0')
		set_text(button.button, "url", member_text(attributes, "url"));
	text_free(&button.text);
	json_decref(attributes);
	return button.button;
}

static json_t *
new_buttons(struct work *w, const json_t *attributes)
{
	json_t *buttons = conv_new(&w->conv, "buttons");
	const json_t *layout = json_object_get(attributes, "layout");
	bool vertical = strcmp(member_text(layout, "orientation"), "vertical") == 0 ||
			(layout != NULL && strcmp(member_text(layout, "type"), "flex") != 0);

	(void)json_object_set_new(buttons, "buttons", json_array());
	set_text(buttons, "layout", vertical ? "vertical" : "horizontal");
	return buttons;
}

void
put_buttons(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b), *buttons = new_buttons(w, attributes);
	json_t *others = json_array();

	for (size_t i = b->first; i != NO_BLOCK; i = w->blocks.list[i].next) {
		const struct block *child = &w->blocks.list[i];

		if (!block_is(child, "button"))
			put_block(w, child, others);
		else if (!put_as_held(w, child, others))
			(void)json_array_append_new(
			    json_object_get(buttons, "buttons"), new_button(w, child));
	}
	put_between(w, b, others);
	if (json_array_size(json_object_get(buttons, "buttons")) > 0)
		(void)json_array_append(to, buttons);
	(void)json_array_extend(to, others);
	json_decref(others);
	json_decref(buttons);
	json_decref(attributes);
}

void
put_button(struct work *w, const struct block *b, json_t *to)
{
	json_t *buttons;

	if (put_as_held(w, b, to))
		return;
	buttons = new_buttons(w, NULL);
	(void)json_array_append_new(json_object_get(buttons, "buttons"), new_button(w, b));
	(void)json_array_append_new(to, buttons);
}

/* A link to a social profile becomes a list item. */
void
put_social(struct work *w, const struct block *b, json_t *to)
{
	json_t *attributes = block_attributes(b);
	const char *url = member_text(attributes, "url"), *label = member_text(attributes, "label");
	struct flow f;

	if (*label == '\0')
		label = member_text(attributes, "service");
	flow_begin(&f, &w->conv, to);
	f.style.item = "bullet";
	f.style.level = 1;
	if (*label != '\0' && *url != '\0' && stet_is_link(url))
		f.link = para_link(&f.para, url, false);
	para_text(&f.para, label, strlen(label), 0, f.link, false);
	flow_html(&f, b->begin, (size_t)(b->end - b->begin));
	flow_end(&f);
	json_decref(attributes);
}

/* ---- files ---- */

struct file {
	struct work *work;
	json_t *file, *to;
	struct text beside; /* the link and the button */
};

static const GumboNode *
find_class(const GumboNode *node, const char *name, const char *class)
{
	const GumboVector *children = node_children(node);
	const GumboNode *found = NULL;

	if (node_is(node, name) && node_has_class(node, class))
		return node;
	for (unsigned i = 0; i < children->length && found == NULL; i++)
		found = find_class(children->data[i], name, class);
	return found;
}

/* Writes the text of a node that is neither in the link nor in the button of a file, and gives the
 * file the links there. */
static void
write_beside(struct file *f, const GumboNode *node, const GumboNode *link, const GumboNode *button)
{
	const GumboVector *children = node_children(node);

	if (node == link || node == button || node_is_hidden(node))
		return;
	if (children->length == 0 || node_find(node, "a") == NULL) {
		node_write(node, &f->beside);
		return;
	}
	if (node_is(node, "a"))
		add_links(&f->work->conv, f->file, node);
	text_str(&f->beside, node_is_block(node) ? "\n" : "");
	for (unsigned i = 0; i < children->length; i++)
		write_beside(f, children->data[i], link, button);
	text_str(&f->beside, node_is_block(node) ? "\n" : "");
}

static void
on_file(void *arg, const struct piece *piece)
{
	struct file *f = arg;
	const GumboNode *root = piece->root;
	const GumboNode *button = find_class(root, "a", "wp-block-file__button"),
			*link = node_find(root, "a");
	json_t *text;

	text_str(&f->beside, "\n");
	if (json_object_get(f->file, "url") != NULL ||
	    json_object_get(f->file, "filename") != NULL || link == NULL) {
		write_beside(f, root, NULL, NULL);
		return;
	}
	write_beside(f, root, link, button);
	set_text(f->file, "url", node_attribute(link, "href"));
	text = link != button ? text_of(link, false) : NULL;
	if (text != NULL)
		(void)json_object_set_new(f->file, "filename", text);
	text = button != NULL ? text_of(button, false) : NULL;
	if (text != NULL)
		(void)json_object_set_new(f->file, "downloadButtonText", text);
	(void)json_object_set_new(f->file, "showDownloadButton", json_boolean(button != NULL));
}

void
put_file(struct work *w, const struct block *b, json_t *to)
{
	struct file f = { .work = w, .to = to };
	json_t *attributes;

	if (put_as_held(w, b, to))
		return;
	f.file = conv_new(&w->conv, "file");
	attributes = block_attributes(b);
	html_each(w->conv.trees, b->begin, (size_t)(b->end - b->begin), on_file, &f);
	if (f.beside.s != NULL)
		text_collapse(&f.beside);
	if (f.beside.len > 0)
		(void)json_object_set_new(f.file, "caption", json_bytes(f.beside.s, f.beside.len));
	text_free(&f.beside);
	if (*member_text(f.file, "url") == '\0')
		set_text(f.file, "url", member_text(attributes, "href"));
	if (json_object_get(f.file, "filename") == NULL)
		set_text(f.file, "filename", member_text(attributes, "fileName"));
	if (*member_text(f.file, "url") != '\0' || *member_text(f.file, "caption") != '\0' ||
	    *member_text(f.file, "filename") != '\0' ||
	    *member_text(f.file, "downloadButtonText") != '\0')
		(void)json_array_append(to, f.file);
	json_decref(f.file);
	json_decref(attributes);
}
