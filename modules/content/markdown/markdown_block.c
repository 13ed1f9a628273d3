/*
 * markdown_block.c - converts blocks of Portable Text from JSON to struct block and back. What
 * struct block cannot represent makes a block lossy, or B_OTHER.
 */
#include "markdown/markdown.h"
#include <stet/media.h>
#include <string.h>

#define START_MAX 999999999 /* of a list; Markdown has nine digits */

/* ---- from JSON ---- */

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
read_task(const json_t *checked, struct block *out)
{
	out->task = checked == NULL ? TASK_NONE : json_is_true(checked) ? TASK_DONE : TASK_OPEN;
	return checked == NULL || json_is_boolean(checked);
}

static bool
read_start(const json_t *start, struct block *out)
{
	const json_int_t n = json_integer_value(start);

	out->starts = start != NULL;
	out->start = n >= 0 && n <= START_MAX ? (unsigned)n : 0;
	return start == NULL || (json_is_integer(start) && out->start == n);
}

static bool
read_list(const json_t *block, struct block *out)
{
	const char *item = member_text(block, "listItem");
	const json_t *level = json_object_get(block, "level"),
		     *checked = json_object_get(block, "checked"),
		     *start = json_object_get(block, "start");

	if (json_object_get(block, "listItem") == NULL) {
		out->lossy |= level != NULL || checked != NULL || start != NULL;
		return true;
	}
	if (!read_task(checked, out) || !read_start(start, out))
		return false;
	out->bullet = item != NULL && strcmp(item, "bullet") == 0;
	out->number = item != NULL && strcmp(item, "number") == 0;
	out->level = level != NULL ? (int)json_integer_value(level) : 1;
	return (out->number || (out->bullet && !out->starts)) && out->level >= 1 &&
	       out->level <= LEVEL_MAX &&
	       (level == NULL || json_integer_value(level) == out->level);
}

static bool
read_text(struct stet_call *call, const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "style", "listItem", "level",
		"checked", "start", "markDefs", "children", NULL };
	const json_t *style = json_object_get(block, "style");

	if ((style != NULL && !json_is_string(style)) || !read_list(block, out))
		return false;
	out->kind = B_TEXT;
	out->lossy |= !members_only(block, members);
	read_style(member_text(block, "style"), out);
	return spans_read(call, json_object_get(block, "children"),
	    json_object_get(block, "markDefs"), &out->line, &out->lossy);
}

static bool
read_note(struct stet_call *call, const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "label", "content", "markDefs",
		NULL };
	const char *label = member_text(block, "label");

	out->kind = B_NOTE;
	out->label = label;
	out->lossy = !members_only(block, members);
	return label != NULL && note_label(stet_printf(call, "[^%s]", label)) == strlen(label) &&
	       spans_read(call, json_object_get(block, "content"),
		   json_object_get(block, "markDefs"), &out->line, &out->lossy);
}

static bool
read_html(const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "html", NULL };

	out->kind = B_HTML;
	out->code = member_text(block, "html");
	return out->code != NULL && members_only(block, members);
}

static bool
read_code(const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "code", "language", NULL };
	const json_t *language = json_object_get(block, "language");

	out->kind = B_CODE;
	out->code = member_text(block, "code");
	out->language = json_string_value(language);
	return out->code != NULL && members_only(block, members) &&
	       (language == NULL || (out->language != NULL && *out->language != '\0'));
}

/* An asset that Markdown can say: a URL alone, or a file of the library with its URL, as the editor
 * writes it. What the reference holds beside the URL stays with the stored block, and is found
 * anew for a new one. */
static bool
is_sayable(const json_t *asset)
{
	static const char *const alone[] = { "url", NULL }, *const members[] = { "_type", "_ref",
		"url", "width", "height", NULL };
	const char *url = member_text(asset, "url"), *ref = member_text(asset, "_ref"),
		   *type = member_text(asset, "_type");

	if (url == NULL || members_only(asset, alone))
		return url != NULL;
	return ref != NULL && type != NULL && strcmp(type, "reference") == 0 &&
	       members_only(asset, members) &&
	       (strcmp(ref, url) == 0 || strstr(url, "/media/file/") != NULL);
}

/* Reads a member that may be missing. Returns false if it is no text, or "". */
static bool
may_text(const json_t *object, const char *name, const char **out)
{
	const json_t *value = json_object_get(object, name);

	*out = json_string_value(value);
	return value == NULL || (*out != NULL && **out != '\0');
}

static bool
read_image(const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "asset", "alt", "title", "link",
		NULL };
	const json_t *asset = json_object_get(block, "asset");

	out->kind = B_IMAGE;
	out->src = member_text(asset, "url");
	return is_sayable(asset) && members_only(block, members) &&
	       may_text(block, "alt", &out->alt) && may_text(block, "title", &out->title) &&
	       may_text(block, "link", &out->link);
}

static bool
read_rule(const json_t *block, struct block *out)
{
	static const char *const members[] = { "_key", "_type", "style", NULL };
	const char *style = member_text(block, "style");

	out->kind = B_RULE;
	return style != NULL && strcmp(style, "lineBreak") == 0 && members_only(block, members);
}

static bool
read_any(struct stet_call *call, const json_t *block, struct block *out)
{
	const char *type = member_text(block, "_type");

	if (type == NULL)
		return false;
	if (strcmp(type, "block") == 0)
		return read_text(call, block, out);
	if (strcmp(type, "code") == 0)
		return read_code(block, out);
	if (strcmp(type, "image") == 0)
		return read_image(block, out);
	if (strcmp(type, "table") == 0)
		return table_read(call, block, out);
	if (strcmp(type, "htmlBlock") == 0)
		return read_html(block, out);
	if (strcmp(type, "footnote") == 0)
		return read_note(call, block, out);
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

static void
write_text(const struct block *b, const json_t *was, json_t *out)
{
	/* Keys of parts must be unique only in their block. */
	struct keys keys = { json_object(), keys_seed(member_text(out, "_key")) };
	const char style[] = { 'h', (char)('0' + b->heading), '\0' };

	json_object_set_new(out, "style",
	    json_string(b->heading > 0 ? style
			: b->quote     ? "blockquote"
				       : "normal"));
	if (b->bullet || b->number) {
		json_object_set_new(out, "listItem", json_string(b->bullet ? "bullet" : "number"));
		json_object_set_new(out, "level", json_integer(b->level));
	}
	if (b->task != TASK_NONE)
		json_object_set_new(out, "checked", json_boolean(b->task == TASK_DONE));
	if (b->starts)
		json_object_set_new(out, "start", json_integer(b->start));
	spans_write(out, "children", &b->line, was, &keys);
	json_decref(keys.taken);
}

static json_t *
write_note(const struct block *b, const json_t *was, json_t *out)
{
	struct keys keys = { json_object(), keys_seed(member_text(out, "_key")) };

	json_object_set_new(out, "label", json_string(b->label));
	spans_write(out, "content", &b->line, was, &keys);
	json_decref(keys.taken);
	return out;
}

/* The stored asset, if the picture is still the same; otherwise as the editor writes it. */
static json_t *
write_asset(const struct block *b, const json_t *was)
{
	const char *url = member_text(was, "url");
	json_t *asset;

	if (url != NULL && strcmp(url, b->src) == 0)
		return json_deep_copy(was);
	asset = b->file != NULL ? json_typed("reference") : json_object();
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
	if (b->title != NULL)
		json_object_set_new(out, "title", json_string(b->title));
	if (b->link != NULL)
		json_object_set_new(out, "link", json_string(b->link));
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
	static const char *const types[] = { [B_TEXT] = "block",
		[B_CODE] = "code",
		[B_IMAGE] = "image",
		[B_RULE] = "break",
		[B_TABLE] = "table",
		[B_HTML] = "htmlBlock",
		[B_NOTE] = "footnote" };
	json_t *out;

	(void)call;
	if (b->kind == B_OTHER) {
		out = json_deep_copy(b->json);
		key_put(out, member_text(b->json, "_key"), keys);
		return out;
	}
	out = json_typed(types[b->kind]);
	key_put(out, member_text(was, "_key"), keys);
	if (b->kind == B_CODE)
		return write_code(b, out);
	if (b->kind == B_IMAGE)
		return write_image(b, was, out);
	if (b->kind == B_NOTE)
		return write_note(b, was, out);
	if (b->kind == B_TABLE)
		return table_write(b->table, was, out);
	if (b->kind == B_HTML)
		json_object_set_new(out, "html", json_string(b->code));
	else if (b->kind == B_RULE)
		json_object_set_new(out, "style", json_string("lineBreak"));
	else
		write_text(b, was, out);
	return out;
}
