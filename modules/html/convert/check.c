/*
 * check.c - checks that a converted value contains everything that its text shows.
 *
 * Text and value become lists of words and of addresses. These are compared by count, since
 * pictures, captions and footers may change their order. The text is read as HTML, without its
 * inner blocks, so that a mistake of a block handler is not repeated here.
 */
#include "blocks.h"
#include "flow.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TOLD_MAX 50 /* most entries of the result */
#define TOLD_LENGTH 120 /* an entry ends after this many bytes */
#define LOOKED_MAX \
	100 /* missing texts to search for across words: each search is a pass over all */

enum kind { WORD, LINK, PICTURE, PLAYER, KINDS };

/* A word or an address. Its bytes are in the text of its `struct items`. */
struct item {
	uint64_t hash;
	size_t offset, len;
	enum kind kind;
};

struct items {
	struct item *list;
	size_t count, room;
	struct text text;
};

struct side {
	struct items words, addresses;
	struct text plain; /* text that is not split into words yet */
	struct text shown; /* addresses of the value: the source may show an address as text */
	struct trees *trees; /* parsed pieces of the source; NULL: no cache */
};

/* ---- words and addresses ---- */

static uint64_t
hash_of(const char *s, size_t len)
{
	uint64_t h = 14695981039346656037U;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 1099511628211U;
	return h;
}

static void
add_item(struct items *items, enum kind kind, const char *s, size_t len)
{
	if (items->count == items->room) {
		items->room = items->room > 0 ? 2 * items->room : 64;
		items->list = realloc(items->list, items->room * sizeof(*items->list));
		if (items->list == NULL)
			stet_out_of_memory();
	}
	items->list[items->count++] = (struct item){ hash_of(s, len), items->text.len, len, kind };
	text_add(&items->text, s, len);
}

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns the next word at or after *p, which is set to it, or 0: there is none. Skips the dash
 * that the converter puts before the source of a quote. */
static size_t
next_word(const char **p)
{
	size_t len;

	for (;; *p += len) {
		while (is_blank(**p))
			++*p;
		for (len = 0; (*p)[len] != '\0' && !is_blank((*p)[len]);)
			len++;
		if (len != 3 || memcmp(*p, "\xe2\x80\x94", 3) != 0)
			return len;
	}
}

static const char *
plain_of(const struct side *side)
{
	return side->plain.s != NULL ? side->plain.s : "";
}

/* Splits `plain` into words. */
static void
cut_words(struct side *side)
{
	const char *p = plain_of(side);
	size_t len;

	for (; (len = next_word(&p)) > 0; p += len)
		add_item(&side->words, WORD, p, len);
}

/* Adds an address, unless it is one that the converter drops in silence (javascript:). */
static void
add_address(struct side *side, const char *address, enum kind kind)
{
	size_t len;

	if (address == NULL)
		return;
	address = address_trim(address, &len);
	if (len > 0 && strncasecmp(address, "javascript:", 11) != 0)
		add_item(&side->addresses, kind, address, len);
}

/* Adds the address of a player, unless it is that of the address before: an object holds an embed
 * for other browsers. */
static void
add_player(struct side *side, const GumboNode *node)
{
	struct items *all = &side->addresses;
	size_t before = all->count;

	add_address(side, player_address(node), PLAYER);
	if (node_is(node, "embed") && before > 0 && all->count > before &&
	    all->list[before].hash == all->list[before - 1].hash)
		all->count = before;
}

/* ---- HTML ---- */

static bool
has_picture(const GumboNode *node)
{
	const GumboVector *children = node_children(node);
	const char *src = node_is(node, "img") ? node_attribute(node, "src") : NULL;
	bool found = src != NULL && *src != '\0';

	for (unsigned i = 0; i < children->length && !found; i++)
		found = has_picture(children->data[i]);
	return found;
}

/* Returns true if a link has visible content. */
static bool
is_shown(const GumboNode *node)
{
	struct text t = { 0 };
	bool shown = has_picture(node);

	node_write(node, &t);
	if (t.len > 0)
		text_collapse(&t);
	shown |= t.len > 0;
	text_free(&t);
	return shown;
}

static void
add_addresses(struct side *side, const GumboNode *node)
{
	const GumboVector *children = node_children(node);

	if (node_is_hidden(node))
		return;
	if (node_is(node, "a") && is_shown(node))
		add_address(side, node_attribute(node, "href"), LINK);
	else if (node_is(node, "img"))
		add_address(side, node_picture(node), PICTURE);
	else if (is_player(node))
		add_player(side, node);
	for (unsigned i = 0; i < children->length; i++)
		add_addresses(side, children->data[i]);
}

static void
on_tree(void *arg, const struct piece *piece)
{
	struct side *side = arg;
	const GumboVector *children = node_children(piece->root);

	add_addresses(side, piece->root);
	for (unsigned i = 0; i < children->length; i++)
		node_write(children->data[i], &side->plain);
}

static void
add_html(struct side *side, const char *html, size_t len)
{
	/* Skip leading blanks as the converter does, so that the cached pieces are found. */
	while (len > 0 && is_blank(*html)) {
		html++;
		len--;
	}
	text_str(&side->plain, "\n");
	if (len > 0)
		html_each(side->trees, html, len, on_tree, side);
	text_str(&side->plain, "\n");
}

/* Adds text between blocks or of a classic block, with its shortcodes expanded. */
static void
add_classic(struct side *side, const char *p, const char *end)
{
	struct text expanded = { 0 };

	if (shortcodes(p, (size_t)(end - p), &expanded))
		add_html(side, expanded.s, expanded.len);
	else
		add_html(side, p, (size_t)(end - p));
	text_free(&expanded);
}

static bool
is_classic(const struct block *b)
{
	return block_is(b, "freeform") || block_is(b, "shortcode");
}

/* Adds the text of block i, with the shortcodes of classic blocks in it expanded. */
static void
add_block(struct side *side, const struct blocks *blocks, size_t i)
{
	const struct block *b = &blocks->list[i], *inner = b;
	const struct block *end = blocks->list + blocks->count;
	struct text whole = { 0 };
	const char *p = b->begin;
	bool any = false;

	for (; inner < end && inner->open < b->end; inner++) {
		if (!is_classic(inner) || inner->begin < p)
			continue;
		text_add(&whole, p, (size_t)(inner->begin - p));
		any |= shortcodes(inner->begin, (size_t)(inner->end - inner->begin), &whole);
		p = inner->end;
	}
	text_add(&whole, p, (size_t)(b->end - p));
	if (any)
		add_html(side, whole.s, whole.len);
	else
		add_html(side, b->begin, (size_t)(b->end - b->begin));
	text_free(&whole);
}

static void
add_source(struct side *side, const struct blocks *blocks, const char *text, size_t len)
{
	const char *p = text;

	for (size_t i = blocks->list[0].first; i != NO_BLOCK; i = blocks->list[i].next) {
		add_classic(side, p, blocks->list[i].open);
		add_block(side, blocks, i);
		p = blocks->list[i].close;
	}
	add_classic(side, p, text + len);
}

/* ---- the value ---- */

static void add_value(struct side *, const char *name, const json_t *);

static void
add_string(struct side *side, const char *name, const char *text)
{
	size_t len = strlen(name);

	if (*name == '_') /* _type, _key: the most frequent */
		return;
	if (name_in(" url href link src backgroundImage ", name, len)) {
		const char *address = address_trim(text, &len);

		add_item(&side->addresses, LINK, address, len); /* the kind does not count here */
		text_str(&side->shown, "\n");
		text_str(&side->shown, text);
	} else if (strcmp(name, "html") == 0) {
		add_html(side, text, strlen(text));
	} else if (strcmp(name, "span") == 0) {
		text_str(&side->plain, text);
	} else if (name_in(" text caption citation code filename downloadButtonText ", name, len)) {
		text_str(&side->plain, "\n");
		text_str(&side->plain, text);
		text_str(&side->plain, "\n");
	}
}

static void
add_array(struct side *side, const json_t *array)
{
	const json_t *part;
	size_t i;

	text_str(&side->plain, "\n");
	json_array_foreach(array, i, part)
	{
		if (is_type(part, "span"))
			add_string(side, "span", member_text(part, "text"));
		else
			add_value(side, "", part);
	}
	text_str(&side->plain, "\n");
}

static void
add_value(struct side *side, const char *name, const json_t *value)
{
	json_t *mutable = (json_t *)(uintptr_t)value, *member;
	const char *key;

	if (json_is_string(value))
		add_string(side, name, json_string_value(value));
	else if (json_is_array(value))
		add_array(side, value);
	else
		json_object_foreach(mutable, key, member) add_value(side, key, member);
}

/* ---- comparing ---- */

static int
by_hash(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int
by_place(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
sort(struct items *items, int (*order)(const void *, const void *))
{
	if (items->count > 0)
		qsort(items->list, items->count, sizeof(*items->list), order);
}

static int64_t
characters_of(const char *s, size_t len)
{
	int64_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += (s[i] & 0xc0) != 0x80;
	return n;
}

/* Returns true if the value has all words of the source in their order, as for nearly every text:
 * then nobody needs lists of them. *characters: of the words of the source. */
static bool
has_words(const struct side *source, const struct side *value, int64_t *characters)
{
	const char *p = plain_of(source), *q = plain_of(value);
	size_t len, there;

	*characters = 0;
	for (; (len = next_word(&p)) > 0; p += len, q += there) {
		while ((there = next_word(&q)) > 0 && (there != len || memcmp(p, q, len) != 0))
			q += there;
		if (there == 0)
			return false;
		*characters += characters_of(p, len);
	}
	return true;
}

/* Returns true if `there` has all items of `all` in their order: then nothing has to be sorted. */
static bool
in_order(const struct items *all, const struct items *there)
{
	size_t j = 0;

	for (size_t i = 0; i < all->count; i++, j++) {
		while (j < there->count && there->list[j].hash != all->list[i].hash)
			j++;
		if (j == there->count)
			return false;
	}
	return true;
}

/* Keeps the items of `all` that occur less often in `there`, or, with `once`, not at all. */
static void
keep_missing(struct items *all, struct items *there, bool once)
{
	size_t n = 0, j = 0;

	if (in_order(all, there)) {
		all->count = 0;
		return;
	}
	sort(all, by_hash);
	sort(there, by_hash);
	for (size_t i = 0; i < all->count; i++) {
		uint64_t hash = all->list[i].hash;

		while (j < there->count && there->list[j].hash < hash)
			j++;
		if (j == there->count || there->list[j].hash != hash)
			all->list[n++] = all->list[i];
		else if (!once)
			j++;
	}
	all->count = n;
	sort(all, by_place);
}

/* How often these bytes are in a text. */
static size_t
count_of(const struct text *text, const char *s, size_t len)
{
	const char *p = text->s, *end = p != NULL ? p + text->len : NULL;
	size_t n = 0;

	while (p != NULL && (p = memmem(p, (size_t)(end - p), s, len)) != NULL) {
		p += len;
		n++;
	}
	return n;
}

/* Returns how many words from item i on follow each other without a gap. */
static size_t
run_of(const struct items *items, size_t i)
{
	size_t n = 1;

	while (i + n < items->count && items->list[i + n].offset == items->list[i + n - 1].offset +
									items->list[i + n - 1].len)
		n++;
	return n;
}

/* The end of an element may split a word in the source and not in the value, or the reverse. So a
 * run of missing words is searched for in the value's words, joined without blanks. It is dropped
 * if it occurs there at least as often as in the source. */
static void
drop_joined(struct items *missing, const struct text *there)
{
	size_t kept = 0, looked = 0;

	for (size_t i = 0, n; i < missing->count; i += n) {
		const struct item *first = &missing->list[i], *last;
		const char *s = missing->text.s + first->offset;
		size_t len;

		n = run_of(missing, i);
		last = &missing->list[i + n - 1];
		len = last->offset + last->len - first->offset;
		if (looked++ < LOOKED_MAX &&
		    count_of(there, s, len) >= count_of(&missing->text, s, len))
			continue;
		memmove(&missing->list[kept], first, n * sizeof(*first));
		kept += n;
	}
	missing->count = kept;
}

/* Adds an entry for each missing item to the list. With `join`, words that follow each other become
 * one entry. */
static void
tell(json_t *list, const char *what, const struct items *items, bool join)
{
	struct text t = { 0 };

	for (size_t i = 0; i < items->count && json_array_size(list) < TOLD_MAX; i++) {
		const struct item *item = &items->list[i];
		bool more =
		    join && i + 1 < items->count && item[1].offset == item->offset + item->len;
		size_t len = item->len < TOLD_LENGTH ? item->len : TOLD_LENGTH;

		text_str(&t, t.len == 0 ? what : " ");
		text_add(&t, items->text.s + item->offset, len);
		if (more && t.len < TOLD_LENGTH)
			continue;
		(void)json_array_append_new(list, json_bytes(t.s, t.len));
		t.len = 0;
	}
	text_free(&t);
}

static void
free_side(struct side *side)
{
	free(side->words.list);
	free(side->addresses.list);
	text_free(&side->words.text);
	text_free(&side->addresses.text);
	text_free(&side->plain);
	text_free(&side->shown);
}

/* Counts items by kind; of words, their characters. */
static void
count_items(const struct items *items, struct stet_html_counts *to)
{
	int64_t *by_kind[KINDS] = {
		[LINK] = &to->links, [PICTURE] = &to->pictures, [PLAYER] = &to->players
	};

	for (size_t i = 0; i < items->count; i++) {
		const struct item *item = &items->list[i];

		if (item->kind != WORD)
			++*by_kind[item->kind];
		else
			to->characters += characters_of(items->text.s + item->offset, item->len);
	}
}

/* Counts the items of the source: all, or those that the value lacks if the others were removed. */
static void
count_shown(const struct side *source, struct stet_html_counts *counts)
{
	*counts = (struct stet_html_counts){ 0 };
	count_items(&source->words, counts);
	count_items(&source->addresses, counts);
}

/* Keeps the words of the source that the value lacks. */
static void
compare_words(struct side *source, struct side *value, struct stet_html_counts *shown)
{
	int64_t characters;

	if (has_words(source, value, &characters)) {
		shown->characters = characters;
		return;
	}
	cut_words(source);
	count_items(&source->words, shown);
	cut_words(value);
	keep_missing(&source->words, &value->words, false);
	drop_joined(&source->words, &value->words.text);
}

json_t *
check_value(const char *text, size_t len, const struct blocks *of, const json_t *value,
    struct trees *trees, struct stet_html_counts *shown, struct stet_html_counts *missing)
{
	struct side source = { .trees = trees }, there = { 0 };
	json_t *list = json_array();

	add_source(&source, of, text, len);
	count_shown(&source, shown);
	add_value(&there, "", value);
	/* The addresses go after the words: in between, one could split a word. */
	text_add(&there.plain, there.shown.s != NULL ? there.shown.s : "", there.shown.len);
	compare_words(&source, &there, shown);
	keep_missing(&source.addresses, &there.addresses, true);
	count_shown(&source, missing);
	tell(list, "text: ", &source.words, true);
	tell(list, "address: ", &source.addresses, false);
	free_side(&source);
	free_side(&there);
	if (json_array_size(list) > 0)
		return list;
	json_decref(list);
	return NULL;
}

json_t *
convert_check(const char *text, size_t len, const json_t *value)
{
	struct stet_html_counts shown, missing;
	struct blocks blocks;
	json_t *list;

	blocks_read(&blocks, text, len);
	list = check_value(text, len, &blocks, value, NULL, &shown, &missing);
	blocks_free(&blocks);
	return list;
}
