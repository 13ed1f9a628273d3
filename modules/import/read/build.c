/*
 * build.c - makes the structures of wxr.h from the elements of an export, by the table of rules.c.
 * Unknown elements are skipped with all that is in them. What is too long is left out and reported:
 * a comment or meta alone, otherwise its whole item.
 */
#include "read/build.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_ROOM 65536
#define SITE_TEXT_MAX 65536
#define DEFINITION_MAX (1u << 20) /* of a collection with all its fields */
#define NOTICES_MAX 1000 /* of repairs; each item that is left out is reported */

/* ---- memory ---- */

struct block {
	struct block *next;
	size_t len, room;
	char at[];
};

static char *
take(struct block **list, size_t len)
{
	struct block *b = *list;

	if (b == NULL || b->room - b->len < len) {
		size_t room = len > BLOCK_ROOM ? len : BLOCK_ROOM;

		if ((b = malloc(sizeof(*b) + room)) == NULL)
			stet_out_of_memory();
		*b = (struct block){ .next = *list, .room = room };
		*list = b;
	}
	b->len += len;
	return b->at + b->len - len;
}

static void
drop(struct block **list)
{
	struct block *next;

	for (struct block *b = *list; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	*list = NULL;
}

/* Empties the list, and keeps a block of it for the next texts. */
static void
empty(struct block **list)
{
	struct block *b = *list;

	if (b == NULL || b->room > BLOCK_ROOM) {
		drop(list);
		return;
	}
	drop(&b->next);
	b->len = 0;
}

/* A part of an item is a comment or meta: it can be left out alone. */
static bool
in_part(const struct build *b)
{
	return b->where == ITEM_META || b->where == COMMENT || b->where == COMMENT_META ||
	       b->where == TERM_META;
}

static bool
failing(const struct build *b)
{
	return b->failed != NULL || (in_part(b) && b->failed_part != NULL);
}

static void
fail(struct build *b, const char *why)
{
	if (in_part(b) && b->failed_part == NULL)
		b->failed_part = why;
	else if (!in_part(b) && b->failed == NULL)
		b->failed = why;
}

static bool
charge(struct build *b, size_t len)
{
	if (failing(b))
		return false;
	if (b->bytes + len > WXR_ITEM_MAX) {
		fail(b, "it has more than 16 MiB");
		return false;
	}
	b->bytes += len;
	return true;
}

const char *
build_keep(struct build *b, const char *text, size_t len)
{
	char *copy;

	if (len == 0 || (b->where != CHANNEL && !charge(b, len + 1)))
		return "";
	copy = take(b->where == CHANNEL ? &b->site_blocks : &b->blocks, len + 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

/* Adds an element to the array at *array, whose elements have this size. Returns NULL if it is to
 * be left out. */
static void *
append(struct build *b, void *array, size_t *count, size_t *room, size_t size)
{
	char *at;

	if (!charge(b, size))
		return NULL;
	memcpy(&at, array, sizeof(at));
	if (*count == *room) {
		*room = *room == 0 ? 64 : *room * 2;
		if ((at = reallocarray(at, *room, size)) == NULL)
			stet_out_of_memory();
		memcpy(array, &at, sizeof(at));
	}
	return at + (*count)++ * size;
}

void
build_begin(
    struct build *b, struct stet_call *call, const struct wxr_sink *sink, struct wxr_totals *totals)
{
	*b = (struct build){ .call = call, .sink = sink, .totals = totals, .file = "" };
}

void
build_end(struct build *b)
{
	drop(&b->blocks);
	drop(&b->site_blocks);
	free(b->text);
	free(b->metas);
	free(b->comment_metas);
	free(b->labels);
	free(b->comments);
}

void
build_document(struct build *b, const char *file)
{
	b->file = file;
	b->where = OUTSIDE;
	b->exported = false;
	b->skip = 0;
	b->leaf = NULL;
}

/* ---- notices ---- */

enum stet_status
build_notice(struct build *b, int64_t line, bool skipped, const char *fmt, ...)
{
	struct wxr_notice notice = {
		.file = b->file, .line = line, .skipped = skipped, .type = b->left
	};
	char text[400];
	va_list args;

	if (skipped)
		b->totals->skipped++;
	if (b->sink->notice == NULL || (!skipped && b->notices++ >= NOTICES_MAX))
		return STET_OK;
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	notice.text = text;
	return b->sink->notice(b->sink->arg, &notice);
}

static void *
base_of(struct build *b, enum where where)
{
	switch (where) {
	case CHANNEL:
		return &b->site;
	case AUTHOR:
		return &b->author;
	case CATEGORY:
	case TAG:
	case TERM:
		return &b->term;
	case ITEM:
		return &b->item;
	case COMMENT:
		return &b->comment;
	case TERM_META:
	case ITEM_META:
	case COMMENT_META:
		return &b->meta;
	case OUTSIDE:
		break;
	}
	return NULL;
}

static const char **
text_of(struct build *b, const struct rule *rule)
{
	return (const char **)(void *)((char *)base_of(b, rule->in) + rule->offset);
}

/* Sets the texts that the file does not have to "". */
static void
fill(struct build *b, enum where where)
{
	for (size_t i = 0; i < rule_count; i++)
		if (rules[i].in == where && (rules[i].kind == WORDS || rules[i].kind == RAW) &&
		    *text_of(b, &rules[i]) == NULL)
			*text_of(b, &rules[i]) = "";
}

enum stet_status
build_site(struct build *b)
{
	if (b->site_told)
		return STET_OK;
	b->site_told = true;
	fill(b, CHANNEL);
	return b->sink->site == NULL ? STET_OK : b->sink->site(b->sink->arg, &b->site);
}

/* ---- the end of a structure ---- */

static enum stet_status
tell_author(struct build *b)
{
	fill(b, AUTHOR);
	if (b->failed == NULL && *b->author.login == '\0')
		b->failed = "it has no login";
	if (b->failed != NULL)
		return build_notice(b, b->begun, true, "An author is left out: %s", b->failed);
	return b->sink->author == NULL ? STET_OK : b->sink->author(b->sink->arg, &b->author);
}

static enum stet_status
tell_term(struct build *b, enum where where)
{
	fill(b, TERM);
	if (where != TERM)
		b->term.taxonomy = where == TAG ? "post_tag" : "category";
	if (b->failed == NULL &&
	    (*b->term.taxonomy == '\0' || (*b->term.slug == '\0' && *b->term.name == '\0')))
		b->failed = "it has no taxonomy, or neither slug nor name";
	if (b->failed != NULL)
		return build_notice(b, b->begun, true, "A term is left out: %s", b->failed);
	b->term.meta = b->metas;
	b->term.meta_count = b->meta_count;
	return b->sink->term == NULL ? STET_OK : b->sink->term(b->sink->arg, &b->term);
}

static void
join_item(struct build *b)
{
	size_t at = 0;

	b->item.meta = b->metas;
	b->item.meta_count = b->meta_count;
	b->item.labels = b->labels;
	b->item.label_count = b->label_count;
	b->item.comments = b->comments;
	b->item.comment_count = b->comment_count;
	for (size_t i = 0; i < b->comment_count; i++) {
		/* Without any, there is no array. */
		b->comments[i].meta = b->comment_metas != NULL ? b->comment_metas + at : NULL;
		at += b->comments[i].meta_count;
	}
}

/* Tells of an item that is left out. One that failed has been read, and is lost. */
static enum stet_status
leave_item(struct build *b)
{
	enum stet_status status;

	b->left = b->failed == NULL ? NULL : *b->item.type != '\0' ? b->item.type : "item";
	status =
	    build_notice(b, b->begun, true, "An item \"%.200s\" is left out: %s", b->item.title,
		b->failed != NULL ? b->failed : "it has neither wp:post_type nor wp:post_id");
	b->left = NULL;
	return status;
}

static enum stet_status
tell_item(struct build *b)
{
	fill(b, ITEM);
	if (b->failed != NULL || (*b->item.type == '\0' && b->item.id == 0))
		return leave_item(b);
	if (*b->item.type == '\0') /* the default of WordPress */
		b->item.type = "post";
	if (b->lost > 0)
		STET_TRY(build_notice(b, b->begun, true,
		    "%zu comments or custom fields of \"%.200s\" are left out: they are too long",
		    b->lost, b->item.title));
	join_item(b);
	b->totals->items++;
	return b->sink->item == NULL ? STET_OK : b->sink->item(b->sink->arg, &b->item);
}

static void
end_meta(struct build *b, enum where in)
{
	bool of_comment = in == COMMENT_META;
	struct wxr_meta *m;

	fill(b, in);
	m = of_comment ? append(b, &b->comment_metas, &b->comment_meta_count, &b->comment_meta_room,
			     sizeof(*m))
		       : append(b, &b->metas, &b->meta_count, &b->meta_room, sizeof(*m));
	if (m == NULL)
		return;
	*m = b->meta;
	b->comment.meta_count += of_comment;
}

static void
end_comment(struct build *b)
{
	struct wxr_comment *c;

	fill(b, COMMENT);
	c = append(b, &b->comments, &b->comment_count, &b->comment_room, sizeof(*c));
	if (c != NULL)
		*c = b->comment;
	else
		b->comment_meta_count -= b->comment.meta_count;
}

static enum where
outer(enum where where)
{
	static const enum where of[] = { [OUTSIDE] = OUTSIDE,
		[CHANNEL] = OUTSIDE,
		[AUTHOR] = CHANNEL,
		[CATEGORY] = CHANNEL,
		[TAG] = CHANNEL,
		[TERM] = CHANNEL,
		[TERM_META] = TERM,
		[ITEM] = CHANNEL,
		[ITEM_META] = ITEM,
		[COMMENT] = ITEM,
		[COMMENT_META] = COMMENT };

	return of[where];
}

/* If a meta of a comment is too long, the comment is left out; if one of an item is, the meta
 * alone. */
static void
end_part(struct build *b, enum where was)
{
	if (was == COMMENT)
		end_comment(b);
	else
		end_meta(b, was);
	if (was == COMMENT_META)
		return;
	b->lost += b->failed_part != NULL;
	b->failed_part = NULL;
}

static enum stet_status
end_structure(struct build *b)
{
	enum where was = b->where;

	if (in_part(b)) {
		end_part(b, was);
		b->where = was == TERM_META ? b->term_in : outer(was);
		return STET_OK;
	}
	b->where = outer(was);
	if (was == AUTHOR)
		return tell_author(b);
	if (was == ITEM)
		return tell_item(b);
	return was == CHANNEL ? build_site(b) : tell_term(b, was);
}

/* ---- elements ---- */

static void
forget(struct build *b)
{
	empty(&b->blocks);
	b->bytes = b->lost = 0;
	b->failed = b->failed_part = NULL;
	b->meta_count = b->comment_meta_count = b->label_count = b->comment_count = 0;
	b->begun = b->line;
}

static enum stet_status
begin_structure(struct build *b, enum where opens)
{
	if (b->where == CHANNEL) {
		forget(b);
		STET_TRY(build_site(b));
	}
	if (opens == CATEGORY || opens == TAG || opens == TERM)
		b->term_in = opens;
	b->where = opens;
	switch (opens) {
	case AUTHOR:
		b->author = (struct wxr_author){ 0 };
		break;
	case CATEGORY:
	case TAG:
	case TERM:
		b->term = (struct wxr_term){ 0 };
		break;
	case ITEM:
		b->item = (struct wxr_item){ .line = b->line };
		break;
	case COMMENT:
		b->comment = (struct wxr_comment){ 0 };
		break;
	default:
		b->meta = (struct wxr_meta){ 0 };
	}
	return STET_OK;
}

/* Old exports write "tag" for the taxonomy "post_tag". */
static void
begin_label(struct build *b, const char *(*attribute)(struct build *, void *arg, const char *name),
    void *arg)
{
	b->label.taxonomy = attribute(b, arg, "domain");
	b->label.slug = attribute(b, arg, "nicename");
	if (strcmp(b->label.taxonomy, "tag") == 0)
		b->label.taxonomy = "post_tag";
}

enum stet_status
build_open(struct build *b, enum space space, const char *name,
    const char *(*attribute)(struct build *, void *arg, const char *name), void *arg)
{
	const struct rule *rule;

	b->exported = b->exported || space == SPACE_WP;
	if (b->skip > 0 || b->leaf != NULL) {
		*(b->skip > 0 ? &b->skip : &b->inner) += 1;
		return STET_OK;
	}
	if (b->where == CHANNEL)
		b->span = 0;
	if ((rule = rule_find(b->where, space, name, b->last)) == NULL) {
		b->skip = 1;
		return STET_OK;
	}
	b->last = rule;
	if (rule->kind == OPENS)
		return begin_structure(b, rule->opens);
	if (rule->kind == DEFINITION)
		forget(b);
	b->leaf = rule;
	b->inner = 0;
	b->text_len = 0;
	if (rule->kind == LABEL)
		begin_label(b, attribute, arg);
	return STET_OK;
}

enum stet_status
build_text(struct build *b, const char *at, size_t len)
{
	size_t most = b->leaf != NULL && b->leaf->kind == DEFINITION ? DEFINITION_MAX
		      : b->where == CHANNEL                          ? SITE_TEXT_MAX
								     : WXR_TEXT_MAX;

	if (b->leaf == NULL && b->skip == 0)
		return STET_OK;
	b->span += len;
	if (b->span > WXR_REFUSED)
		return stet_fail(b->call, STET_VALIDATION_ERROR, "file",
		    "XML parsing error: line %lld: an item has more than 64 MiB",
		    (long long)b->begun);
	if (b->leaf == NULL || failing(b))
		return STET_OK;
	if (b->text_len + len > most) {
		fail(b, "it has a text of more than 8 MiB");
		return STET_OK;
	}
	while (b->text_room < b->text_len + len) {
		b->text_room = b->text_room == 0 ? BLOCK_ROOM : b->text_room * 2;
		if ((b->text = realloc(b->text, b->text_room)) == NULL)
			stet_out_of_memory();
	}
	memcpy(b->text + b->text_len, at, len);
	b->text_len += len;
	return STET_OK;
}

static int64_t
number_of(const char *at, size_t len)
{
	char text[32], *end;
	long long value;

	if (len == 0 || len >= sizeof(text))
		return 0;
	memcpy(text, at, len);
	text[len] = '\0';
	value = strtoll(text, &end, 10);
	return *end != '\0' ? 0 : value;
}

static void
end_label(struct build *b, const char *at, size_t len)
{
	struct wxr_label *l;

	b->label.text = build_keep(b, at, len);
	l = append(b, &b->labels, &b->label_count, &b->label_room, sizeof(*l));
	if (l != NULL)
		*l = b->label;
}

static enum stet_status
tell_definition(struct build *b)
{
	const char *kind = b->leaf->name;

	b->leaf = NULL;
	if (b->failed != NULL)
		return build_notice(
		    b, b->line, true, "The definition of a %s is left out: %s", kind, b->failed);
	if (b->sink->definition == NULL || b->text_len == 0)
		return STET_OK;
	if (b->text_len == b->text_room && (b->text = realloc(b->text, ++b->text_room)) == NULL)
		stet_out_of_memory();
	b->text[b->text_len] = '\0';
	return b->sink->definition(b->sink->arg, kind, b->text);
}

/* The first of several elements of a name counts. */
static void
end_leaf(struct build *b)
{
	const struct rule *rule = b->leaf;
	const char *at = b->text;
	size_t len = b->text_len;
	char *to = (char *)base_of(b, rule->in) + rule->offset;

	b->leaf = NULL;
	if (failing(b))
		return;
	while (rule->kind != RAW && len > 0 && strchr(" \t\r\n", at[len - 1]) != NULL)
		len--;
	for (; rule->kind != RAW && len > 0 && strchr(" \t\r\n", *at) != NULL; at++)
		len--;
	if (rule->kind == LABEL)
		end_label(b, at, len);
	else if (rule->kind == FLAG)
		*(bool *)to = len == 1 && *at == '1';
	else if (rule->kind == NUMBER && *(int64_t *)(void *)to == 0)
		*(int64_t *)(void *)to = number_of(at, len);
	else if (rule->kind != NUMBER && *text_of(b, rule) == NULL)
		*text_of(b, rule) = build_keep(b, at, len);
}

enum stet_status
build_close(struct build *b)
{
	if (b->skip > 0) {
		b->skip--;
		return STET_OK;
	}
	if (b->leaf != NULL && b->inner > 0) {
		b->inner--;
		return STET_OK;
	}
	if (b->leaf != NULL && b->leaf->kind == DEFINITION)
		return tell_definition(b);
	if (b->leaf != NULL) {
		end_leaf(b);
		return STET_OK;
	}
	return end_structure(b);
}
