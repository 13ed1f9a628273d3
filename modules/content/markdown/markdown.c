/*
 * markdown.c - writes Portable Text as Markdown, and reads Markdown back.
 *
 * Markdown cannot express all of a block. So the blocks that are read are matched with the
 * stored ones: a block with the same content is replaced by the stored block, with everything
 * that Markdown cannot express. An edited block is matched with the most similar stored one
 * nearby, and keeps its key.
 */
#include "markdown/markdown.h"
#include <stet/media.h>
#include <string.h>

#define NEAR 8 /* stored blocks with which an edited block is compared */

/* ---- writing ---- */

static bool
is_item(const struct block *b)
{
	return b->kind == B_TEXT && (b->bullet || b->number);
}

/* What stands above a block in a document. */
struct above {
	int level; /* of the list item; 0: it is none */
	bool number[LEVEL_MAX + 1]; /* is the list of this level numbered? */
	const json_t *labels; /* of footnotes */
};

/* The labels of the footnotes of a value. */
static json_t *
labels_of(struct stet_call *call, const json_t *blocks)
{
	json_t *labels = stet_json_own(call, json_object());

	for (size_t i = 0; i < json_array_size(blocks); i++) {
		const json_t *block = json_array_get(blocks, i);
		const char *type = member_text(block, "_type"),
			   *label = member_text(block, "label");

		if (type != NULL && label != NULL && strcmp(type, "footnote") == 0)
			json_object_set_new(labels, label, json_true());
	}
	return labels;
}

/* Prints one block as it is in a document. */
static char *
print(struct stet_call *call, const json_t *json, struct block *b, struct above *above)
{
	char *text;

	block_read(call, json, b);
	b->labels = above->labels;
	/* Markdown cannot express an item that is two levels below the one above, nor a list that
	 * begins behind one of its kind: write them as JSON. */
	if (is_item(b) && (b->level > above->level + 1 ||
			      (b->starts && b->level <= above->level && above->number[b->level])))
		*b = (struct block){ .kind = B_OTHER, .json = json };
	text = block_print(call, json, b);
	above->level = is_item(b) ? b->level : 0;
	if (above->level > 0)
		above->number[above->level] = b->number;
	return text;
}

char *
markdown_write(struct stet_call *call, const json_t *blocks)
{
	struct text out = { .call = call };
	struct block b;
	struct above above = { .labels = labels_of(call, blocks) };
	size_t indent[LEVEL_MAX + 1] = { 0 };

	text_str(&out, "");
	for (size_t i = 0; i < json_array_size(blocks); i++) {
		const int before = above.level;
		const char *text = print(call, json_array_get(blocks, i), &b, &above);
		const int level = above.level;

		/* A list that begins with another number does not end the text above it. */
		if (i > 0)
			text_str(&out, level > 0 && before > 0 && !b.starts ? "\n" : "\n\n");
		if (level > 0 && level < LEVEL_MAX)
			indent[level] =
			    indent[level - 1] + (b.number ? strlen(block_number(call, &b)) : 2);
		for (size_t n = 0; level > 0 && n < indent[level - 1]; n++)
			text_str(&out, " ");
		text_str(&out, text);
	}
	return out.s;
}

/* ---- reading ---- */

/* A block of the stored or of the new value. */
struct side {
	const json_t *json; /* of stored blocks only */
	struct block block;
	const char *text; /* its content as Markdown, and its level */
	size_t len;
	size_t partner; /* the index + 1 of the matching block on the other side; 0: none */
	bool same; /* the partner has the same content */
};
struct merge {
	struct stet_call *call;
	const char *path;
	int how; /* READ_ */
	struct side *old, *new;
	size_t olds, news;
	json_t *index; /* {text: index + 1 of the first stored block with it} */
	size_t *next; /* index + 1 of the next stored block with the same text; 0: none */
};

static void
say(struct merge *m, struct side *side, const char *text)
{
	int level = is_item(&side->block) ? side->block.level : 0;

	side->text = stet_printf(m->call, "%d%s", level, text);
	side->len = strlen(side->text);
}

static void
read_old(struct merge *m, const json_t *stored)
{
	struct above above = { .labels = labels_of(m->call, stored) };

	m->olds = json_array_size(stored);
	m->old = stet_alloc(m->call, (m->olds + 1) * sizeof(*m->old));
	m->next = stet_alloc(m->call, (m->olds + 1) * sizeof(*m->next));
	m->index = stet_json_own(m->call, json_object());
	for (size_t i = 0; i < m->olds; i++) {
		struct side *old = &m->old[i];

		old->json = json_array_get(stored, i);
		say(m, old, print(m->call, old->json, &old->block, &above));
	}
	for (size_t i = m->olds; i-- > 0;) {
		m->next[i] = (size_t)json_integer_value(json_object_get(m->index, m->old[i].text));
		json_object_set_new(m->index, m->old[i].text, json_integer((json_int_t)i + 1));
	}
}

static bool
read_new(struct merge *m, const char *text, json_t *list)
{
	struct losses lost;
	const char *why;
	struct block *blocks;
	json_t *labels = stet_json_own(m->call, json_object()); /* of footnotes */

	losses_begin(&lost, list, m->path);
	blocks = markdown_blocks(m->call, text, m->how, &lost, &m->news, &why);
	if (why != NULL) {
		stet_issue(m->call, m->path, "%s", why);
		return false;
	}
	m->new = stet_alloc(m->call, (m->news + 1) * sizeof(*m->new));
	for (size_t i = 0; i < m->news; i++)
		if (blocks[i].kind == B_NOTE)
			json_object_set_new(labels, blocks[i].label, json_true());
	for (size_t i = 0; i < m->news; i++) {
		m->new[i].block = blocks[i];
		m->new[i].block.labels = labels;
		say(m, &m->new[i], block_print(m->call, NULL, &m->new[i].block));
	}
	return true;
}

static void
pair(struct merge *m, size_t new, size_t old, bool same)
{
	m->new[new].partner = old + 1;
	m->old[old].partner = new + 1;
	m->new[new].same = m->old[old].same = same;
}

/* Matches blocks with the same content: in their order. */
static void
pair_same(struct merge *m)
{
	for (size_t i = 0; i < m->news; i++) {
		json_t *first = json_object_get(m->index, m->new[i].text);
		size_t old = (size_t)json_integer_value(first);

		if (old == 0)
			continue;
		pair(m, i, old - 1, true);
		json_integer_set(first, (json_int_t)m->next[old - 1]);
	}
}

static const char *
key_of(const json_t *block)
{
	return json_string_value(json_object_get(block, "_key"));
}

/* Matches blocks that are JSON in the Markdown by their _key. */
static void
pair_keys(struct merge *m)
{
	json_t *by_key = stet_json_own(m->call, json_object());

	for (size_t i = 0; i < m->olds; i++)
		if (m->old[i].partner == 0 && key_of(m->old[i].json) != NULL)
			json_object_set_new(
			    by_key, key_of(m->old[i].json), json_integer((json_int_t)i + 1));
	for (size_t i = 0; i < m->news; i++) {
		const struct side *new = &m->new[i];
		const char *key = new->block.kind == B_OTHER ? key_of(new->block.json) : NULL;
		json_int_t old = key != NULL ? json_integer_value(json_object_get(by_key, key)) : 0;

		if (new->partner != 0 || old == 0)
			continue;
		pair(m, i, (size_t)old - 1, false);
		json_object_del(by_key, key);
	}
}

/* How similar two texts are: the length of their common beginning and end, in percent of the
 * longer text. */
static size_t
likeness(const struct side *a, const struct side *b)
{
	size_t most = a->len > b->len ? a->len : b->len, least = a->len < b->len ? a->len : b->len;
	size_t head = 0, tail = 0;

	while (head < least && a->text[head] == b->text[head])
		head++;
	while (tail < least - head && a->text[a->len - 1 - tail] == b->text[b->len - 1 - tail])
		tail++;
	return (head + tail) * 100 / most;
}

static bool
may_pair(const struct side *new, const struct side *old)
{
	return old->partner == 0 && old->block.kind == new->block.kind &&new->block.kind != B_OTHER;
}

/* Matches the edited blocks between two unchanged ones: one to one if their number is the same,
 * otherwise each with the most similar one nearby. */
static void
pair_gap(struct merge *m, size_t new, size_t new_end, size_t old, size_t old_end)
{
	bool even = new_end - new == old_end - old;

	for (; new < new_end; new ++) {
		size_t best = old_end, score = 33;

		for (size_t i = old; i < old_end && i < old + NEAR && !even; i++) {
			size_t like = may_pair(&m->new[new], &m->old[i])
					  ? likeness(&m->new[new], &m->old[i])
					  : 0;

			if (like > score) {
				best = i;
				score = like;
			}
		}
		if (even)
			best = may_pair(&m->new[new], &m->old[old]) ? old : old_end;
		if (best < old_end)
			pair(m, new, best, false);
		old = even ? old + 1 : best < old_end ? best + 1 : old;
	}
}

static void
pair_edited(struct merge *m)
{
	size_t old = 0, old_end, end;

	for (size_t i = 0; i < m->news; i = end) {
		end = i + 1;
		if (m->new[i].partner != 0) {
			old = m->new[i].partner;
			continue;
		}
		while (end < m->news && m->new[end].partner == 0)
			end++;
		for (old_end = old; old_end < m->olds && m->old[old_end].partner == 0;)
			old_end++;
		pair_gap(m, i, end, old, old_end);
	}
}

/* Refuses an edit that would lose content that Markdown cannot express. */
static bool
check_losses(struct merge *m)
{
	bool lost = false;

	for (size_t i = 0; i < m->olds; i++) {
		const struct side *old = &m->old[i];
		const char *key = key_of(old->json);

		if (old->same || (!old->block.lossy && old->block.kind != B_OTHER) ||
		    (old->block.kind == B_OTHER && old->partner != 0))
			continue;
		lost = true;
		stet_issue(m->call, m->path,
		    "block \"%s\" (_type %s, number %zu) holds what Markdown cannot say, and this "
		    "would lose it: leave it as content_get shows it, or change it with "
		    "content_patch",
		    key != NULL ? key : "", json_string_value(json_object_get(old->json, "_type")),
		    i + 1);
	}
	return !lost;
}

static uint64_t
seed_of(struct stet_call *call)
{
	uint64_t seed = 0xcbf29ce484222325ULL;

	for (const char *id = stet_id(call); *id != '\0'; id++)
		seed = (seed ^ (unsigned char)*id) * 0x100000001b3ULL;
	return seed;
}

/* ---- pictures of the library ---- */

static bool
is_new_image(const struct side *new)
{
	return !new->same &&new->block.kind == B_IMAGE &&strchr(new->block.src, '/') != NULL;
}

/* Finds the media items whose URLs new pictures have, all at once. */
static enum stet_status
find_files(struct merge *m)
{
	const struct stet_media_1 *media = stet_service(m->call, STET_MEDIA_1);
	const char **urls;
	struct stet_table found;
	size_t count = 0;

	if (media == NULL)
		return STET_OK;
	urls = stet_alloc(m->call, (m->news + 1) * sizeof(*urls));
	for (size_t i = 0; i < m->news; i++)
		if (is_new_image(&m->new[i]))
			urls[count++] = m->new[i].block.src;
	if (count == 0)
		return STET_OK;
	STET_TRY(media->find(m->call, urls, count, &found));
	for (size_t i = 0, k = 0; i < m->news; i++) {
		struct stet_media_item *item;

		if (!is_new_image(&m->new[i]))
			continue;
		item = stet_alloc(m->call, sizeof(*item));
		stet_table_row(&found, k++, item, sizeof(*item));
		if (item->id != NULL)
			m->new[i].block.file = item;
	}
	return STET_OK;
}

/* Reserves all keys that stay before it makes new ones. */
static json_t *
write_new(struct merge *m)
{
	struct keys keys = { stet_json_own(m->call, json_object()), seed_of(m->call) };
	json_t *out = stet_json_own(m->call, json_array());

	for (size_t i = 0; i < m->olds; i++)
		if (key_of(m->old[i].json) != NULL && m->old[i].same)
			key_take(&keys, key_of(m->old[i].json));
	for (size_t i = 0; i < m->news; i++) {
		const struct side *new = &m->new[i];
		const json_t *was = new->partner != 0 ? m->old[new->partner - 1].json : NULL;

		if (new->same)
			json_array_append(out, (json_t *)(uintptr_t)was);
		else
			json_array_append_new(out, block_write(m->call, &new->block, was, &keys));
	}
	return out;
}

static json_t *
read_text(struct stet_call *call, const char *path, const char *text, const json_t *stored,
    json_t *lost, int how)
{
	struct merge m = { .call = call, .path = path, .how = how };
	const int most = (how & READ_FOREIGN) != 0 ? FOREIGN_MAX : MARKDOWN_MAX;

	if (stet_utf8_length(text) < 0) {
		stet_issue(call, path, "is not UTF-8");
		return NULL;
	}
	if (strlen(text) > (size_t)most) {
		stet_issue(call, path, "is too long for Markdown: at most %d bytes", most);
		return NULL;
	}
	read_old(&m, stored);
	if (!read_new(&m, text, lost))
		return NULL;
	pair_same(&m);
	pair_keys(&m);
	pair_edited(&m);
	if (!check_losses(&m))
		return NULL;
	return find_files(&m) == STET_OK ? write_new(&m) : NULL;
}

json_t *
markdown_read_lost(
    struct stet_call *call, const char *path, const char *text, const json_t *stored, json_t *lost)
{
	return read_text(call, path, text, stored, lost, 0);
}

json_t *
markdown_read_foreign(struct stet_call *call, const char *path, const char *text, json_t *lost)
{
	return read_text(call, path, text, NULL, lost, READ_FOREIGN);
}

json_t *
markdown_read(struct stet_call *call, const char *path, const char *text, const json_t *stored)
{
	return markdown_read_lost(call, path, text, stored, NULL);
}
