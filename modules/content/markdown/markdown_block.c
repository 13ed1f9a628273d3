/*
 * markdown_block.c - converts blocks of Portable Text from JSON to struct block and back. What
 * struct block cannot represent makes a block lossy, or B_OTHER.
 */
#include "markdown/markdown.h"
#include <stet/media.h>
#include <string.h>

/* ---- from JSON ---- */

static const char *
str(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static bool
listed(const char *const *names, const char *name)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* Returns true if the object has no members other than these. */
static bool
only(const json_t *object, const char *const *names)
{
	json_t *mutable = (json_t *)(uintptr_t)object, *value;
	const char *name;

	json_object_foreach(mutable, name, value)
	{
		if (!listed(names, name))
			return false;
	}
	return true;
}

static unsigned
mark_bit(const char *name)
{
	for (unsigned i = 0; i < MARKS; i++)
		if (strcmp(mark_table[i].name, name) == 0)
			return 1U << i;
	return 0;
}

/* Reads markDefs to an object of numbers by key: index + 1 of a link's href, or 0 for other
 * annotations. Returns NULL if the keys are invalid. */
static json_t *
read_defs(struct stet_call *call, const json_t *defs, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "href", NULL };
	json_t *by_key = stet_json_own(call, json_object());

	for (size_t i = 0; i < json_array_size(defs); i++) {
		const json_t *def = json_array_get(defs, i);
		const char *key = str(def, "_key"), *type = str(def, "_type"),
			   *href = str(def, "href");
		bool link = type != NULL && strcmp(type, "link") == 0 && href != NULL;
		size_t n = 0;

		if (key == NULL || type == NULL || json_object_get(by_key, key) != NULL)
			return NULL;
		if (link)
			n = line_link(call, &out->line, href);
		if (!link || !only(def, members))
			out->lossy = true;
		json_object_set_new(by_key, key, json_integer((json_int_t)n));
	}
	return by_key;
}

static bool
read_marks(const json_t *marks, const json_t *defs, struct run *run, bool *lossy)
{
	for (size_t i = 0; i < json_array_size(marks); i++) {
		const char *name = json_string_value(json_array_get(marks, i));
		const json_t *def;

		if (name == NULL)
			return false;
		def = json_object_get(defs, name);
		if (def == NULL && mark_bit(name) != 0)
			run->marks |= mark_bit(name);
		else if (def != NULL && json_integer_value(def) > 0 && run->link == 0)
			run->link = (size_t)json_integer_value(def);
		else
			*lossy = true;
	}
	return marks == NULL || json_is_array(marks);
}

static bool
read_child(struct stet_call *call, const json_t *child, const json_t *defs, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "text", "marks", NULL };
	const char *type = str(child, "_type");
	const json_t *text = json_object_get(child, "text");
	struct run run = { 0 };

	if (type == NULL)
		return false;
	if (strcmp(type, "span") != 0)
		run.object = child;
	else if (!json_is_string(text) ||
		 !read_marks(json_object_get(child, "marks"), defs, &run, &out->lossy))
		return false;
	else {
		run.text = json_string_value(text);
		run.len = json_string_length(text);
		if (!only(child, members))
			out->lossy = true;
	}
	line_add(call, &out->line, &run);
	return true;
}

static void
read_style(const char *style, struct block *out)
{
	if (style == NULL || strcmp(style, "normal") == 0)
		return;
	if (strcmp(style, "blockquote") == 0)
		out->quote = true;
	else if (style[0] == 'h' && style[1] >= '1' && style[1] <= '6' && style[2] == '\0')
		out->heading = style[1] - '0';
	else
		out->lossy = true;
}

static bool
read_list(const json_t *block, struct block *out)
{
	const char *item = str(block, "listItem");
	const json_t *level = json_object_get(block, "level");

	if (json_object_get(block, "listItem") == NULL) {
		out->lossy |= level != NULL;
		return true;
	}
	out->bullet = item != NULL && strcmp(item, "bullet") == 0;
	out->number = item != NULL && strcmp(item, "number") == 0;
	out->level = level != NULL ? (int)json_integer_value(level) : 1;
	return (out->bullet || out->number) && out->level >= 1 && out->level <= LEVEL_MAX &&
	       (level == NULL || json_integer_value(level) == out->level);
}

static bool
read_text(struct stet_call *call, const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "style", "listItem", "level",
		"markDefs", "children", NULL };
	const json_t *children = json_object_get(block, "children"),
		     *defs = json_object_get(block, "markDefs"),
		     *style = json_object_get(block, "style");
	json_t *by_key;

	if (!json_is_array(children) || (defs != NULL && !json_is_array(defs)) ||
	    (style != NULL && !json_is_string(style)) || !read_list(block, out))
		return false;
	out->kind = B_TEXT;
	out->lossy |= !only(block, members);
	read_style(str(block, "style"), out);
	by_key = read_defs(call, defs, out);
	if (by_key == NULL)
		return false;
	for (size_t i = 0; i < json_array_size(children); i++)
		if (!read_child(call, json_array_get(children, i), by_key, out))
			return false;
	return true;
}

static bool
read_code(const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "code", "language", NULL };
	const json_t *language = json_object_get(block, "language");

	out->kind = B_CODE;
	out->code = str(block, "code");
	out->language = json_string_value(language);
	return out->code != NULL && only(block, members) &&
	       (language == NULL || (out->language != NULL && *out->language != '\0'));
}

/* Returns true if Markdown can express the asset: a URL, or a file of the library with its URL as
 * the editor writes it. Other members of the reference stay with the stored block; for a new block
 * they are looked up again. */
static bool
is_sayable(const json_t *asset)
{
	static const char *const alone[] = { "url", NULL }, *const members[] = { "_type", "_ref",
		"url", "width", "height", NULL };
	const char *url = str(asset, "url"), *ref = str(asset, "_ref"), *type = str(asset, "_type");

	if (url == NULL || only(asset, alone))
		return url != NULL;
	return ref != NULL && type != NULL && strcmp(type, "reference") == 0 &&
	       only(asset, members) &&
	       (strcmp(ref, url) == 0 || strstr(url, "/media/file/") != NULL);
}

static bool
read_image(const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "asset", "alt", NULL };
	const json_t *asset = json_object_get(block, "asset"), *alt = json_object_get(block, "alt");

	out->kind = B_IMAGE;
	out->src = str(asset, "url");
	out->alt = json_string_value(alt);
	return is_sayable(asset) && only(block, members) &&
	       (alt == NULL || (out->alt != NULL && *out->alt != '\0'));
}

static bool
read_rule(const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "style", NULL };
	const char *style = str(block, "style");

	out->kind = B_RULE;
	return style != NULL && strcmp(style, "lineBreak") == 0 && only(block, members);
}

static bool
read_any(struct stet_call *call, const json_t *block, struct block *out)
{
	const char *type = str(block, "_type");

	if (type == NULL)
		return false;
	if (strcmp(type, "block") == 0)
		return read_text(call, block, out);
	if (strcmp(type, "code") == 0)
		return read_code(block, out);
	if (strcmp(type, "image") == 0)
		return read_image(block, out);
	return strcmp(type, "break") == 0 && read_rule(block, out);
}

void
block_read(struct stet_call *call, const json_t *json, struct block *out)
{
	*out = (struct block){ 0 };
	if (!read_any(call, json, out))
		*out = (struct block){ .kind = B_OTHER, .json = json };
}

/* ---- to JSON ---- */

bool
key_take(struct keys *keys, const char *key)
{
	if (json_object_get(keys->taken, key) != NULL)
		return false;
	json_object_set_new(keys->taken, key, json_true());
	return true;
}

/* Gives the object a new key: eight hexadecimal digits (splitmix64 of the seed). */
static void
put_new_key(json_t *object, struct keys *keys)
{
	static const char digits[] = "0123456789abcdef";
	char key[9];

	do {
		uint64_t z = keys->seed += 0x9e3779b97f4a7c15ULL;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
		z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
		z ^= z >> 31;
		for (int i = 0; i < 8; i++, z >>= 4)
			key[i] = digits[z & 15];
		key[8] = '\0';
	} while (!key_take(keys, key));
	json_object_set_new(object, "_key", json_string(key));
}

void
key_put(json_t *object, const char *key, struct keys *keys)
{
	if (key != NULL && key_take(keys, key))
		json_object_set_new(object, "_key", json_string(key));
	else
		put_new_key(object, keys);
}

static json_t *
typed(const char *type)
{
	json_t *object = json_object();

	json_object_set_new(object, "_type", json_string(type));
	return object;
}

/* Returns the stored definition of a link: the first with this href whose key is not in use. */
static const json_t *
def_of(const json_t *defs, const char *href, const struct keys *keys)
{
	for (size_t i = 0; i < json_array_size(defs) && i < 64; i++) {
		const json_t *def = json_array_get(defs, i);
		const char *is = str(def, "href"), *key = str(def, "_key");

		if (is != NULL && key != NULL && strcmp(is, href) == 0 &&
		    json_object_get(keys->taken, key) == NULL)
			return def;
	}
	return NULL;
}

static json_t *
write_defs(const struct line *line, const json_t *was, struct keys *keys)
{
	json_t *defs = json_array();

	for (size_t i = 0; i < line->links; i++) {
		json_t *def = typed("link");

		key_put(def, str(def_of(was, line->href[i], keys), "_key"), keys);
		json_object_set_new(def, "href", json_string(line->href[i]));
		json_array_append_new(defs, def);
	}
	return defs;
}

static json_t *
write_run(const struct run *run, const json_t *defs, const json_t *was, struct keys *keys)
{
	json_t *span, *marks;

	if (run->object != NULL)
		return json_deep_copy(run->object);
	span = typed("span");
	key_put(span, str(was, "_key"), keys);
	json_object_set_new(span, "text", json_stringn(run->text, run->len));
	marks = json_array();
	for (unsigned i = 0; i < MARKS; i++)
		if ((run->marks & 1U << i) != 0)
			json_array_append_new(marks, json_string(mark_table[i].name));
	if (run->link > 0)
		json_array_append(
		    marks, json_object_get(json_array_get(defs, run->link - 1), "_key"));
	json_object_set_new(span, "marks", marks);
	return span;
}

static void
write_text(const struct block *b, const json_t *was, json_t *out)
{
	/* Keys of a block's parts must be unique only in that block. */
	struct keys keys = { json_object(), 0 };
	const json_t *children_were = json_object_get(was, "children");
	json_t *children = json_array(), *defs;
	const char style[] = { 'h', (char)('0' + b->heading), '\0' }, *key = str(out, "_key");
	static const struct run empty = { .text = "" };

	for (const char *p = key; *p != '\0'; p++)
		keys.seed = keys.seed * 31 + (unsigned char)*p;
	json_object_set_new(out, "style",
	    json_string(b->heading > 0 ? style
			: b->quote     ? "blockquote"
				       : "normal"));
	if (b->bullet || b->number) {
		json_object_set_new(out, "listItem", json_string(b->bullet ? "bullet" : "number"));
		json_object_set_new(out, "level", json_integer(b->level));
	}
	defs = write_defs(&b->line, json_object_get(was, "markDefs"), &keys);
	for (size_t i = 0; i < b->line.count; i++)
		json_array_append_new(children,
		    write_run(&b->line.run[i], defs, json_array_get(children_were, i), &keys));
	if (b->line.count == 0)
		json_array_append_new(
		    children, write_run(&empty, defs, json_array_get(children_were, 0), &keys));
	json_object_set_new(out, "markDefs", defs);
	json_object_set_new(out, "children", children);
	json_decref(keys.taken);
}

/* Returns the stored asset if the picture is unchanged, or else an asset in the editor's form. */
static json_t *
write_asset(const struct block *b, const json_t *was)
{
	const char *url = str(was, "url");
	json_t *asset;

	if (url != NULL && strcmp(url, b->src) == 0)
		return json_deep_copy(was);
	asset = b->file != NULL ? typed("reference") : json_object();
	if (b->file != NULL)
		json_object_set_new(asset, "_ref", json_string(b->file->id));
	json_object_set_new(asset, "url", json_string(b->src));
	if (b->file != NULL && b->file->width > 0) {
		json_object_set_new(asset, "width", json_integer(b->file->width));
		json_object_set_new(asset, "height", json_integer(b->file->height));
	}
	return asset;
}

static json_t *
write_image(const struct block *b, const json_t *was, json_t *out)
{
	json_object_set_new(out, "asset", write_asset(b, json_object_get(was, "asset")));
	if (b->alt != NULL)
		json_object_set_new(out, "alt", json_string(b->alt));
	return out;
}

static json_t *
write_code(const struct block *b, json_t *out)
{
	if (b->language != NULL)
		json_object_set_new(out, "language", json_string(b->language));
	json_object_set_new(out, "code", json_string(b->code));
	return out;
}

json_t *
block_write(struct stet_call *call, const struct block *b, const json_t *was, struct keys *keys)
{
	static const char *const types[] = {
		[B_TEXT] = "block", [B_CODE] = "code", [B_IMAGE] = "image", [B_RULE] = "break"
	};
	json_t *out;

	(void)call;
	if (b->kind == B_OTHER) {
		out = json_deep_copy(b->json);
		key_put(out, str(b->json, "_key"), keys);
		return out;
	}
	out = typed(types[b->kind]);
	key_put(out, str(was, "_key"), keys);
	if (b->kind == B_CODE)
		return write_code(b, out);
	if (b->kind == B_IMAGE)
		return write_image(b, was, out);
	if (b->kind == B_RULE)
		json_object_set_new(out, "style", json_string("lineBreak"));
	else
		write_text(b, was, out);
	return out;
}
