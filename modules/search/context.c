/*
 * context.c - passages for a question, within a budget of tokens: what an assistant reads before it
 * answers from the site's own content.
 *
 * The search finds the items. Their texts are read by content_get, as Markdown and with the rights
 * of the caller, and cut into passages: a few paragraphs each, which begin at headings. A passage
 * scores by the words of the question that it has, rare ones among the passages more, and half as
 * much by those of its item's title. The best ones that fit are the answer. Words are compared by
 * their beginnings, and texts of scripts without blanks by pairs of letters.
 */
#include "query.h"
#include "search.h"
#include "words.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 10 /* items that are read */
#define WORDS 32 /* words of a question */
#define TEXT_MOST 65536 /* bytes of an item that are read */
#define PASSAGE_FULL 500 /* bytes: the next paragraph begins another passage */
#define PASSAGE_MOST 1200 /* bytes: longer paragraphs are cut */
#define OVERHEAD 40 /* tokens of the members beside the text */
#define INSIDE_LEAST 4 /* bytes: longer words are found inside of others, too */
#define SCORE_LEAST 0.2 /* of the best score: passages with less are left out */

const struct stet_member search_context_in[] = {
	{ "q", STET_STRING, STET_REQUIRED, .about = "The question", STET_RANGE(1, 2000) },
	{ "collections", STET_STRING, .about = "Slugs, separated by commas; all when omitted" },
	{ "locale", STET_STRING, .about = "Only items of this locale" },
	{ "tokens", STET_INTEGER, STET_BOUNDED, .about = "The most that the passages have",
	    STET_RANGE(100, 8000), .fallback = "1500" },
	{ 0 },
};
static const struct stet_member passage_shape[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING },
	{ "field", STET_STRING, STET_REQUIRED, .about = "Slug of the field that has the passage" },
	{ "text", STET_STRING, STET_REQUIRED, .about = "Markdown" },
	{ "score", STET_NUMBER, STET_REQUIRED, .about = "Higher is better" },
	{ 0 },
};
const struct stet_member search_context_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = passage_shape },
	{ "tokens", STET_INTEGER, STET_REQUIRED, .about = "About so many tokens" },
	{ "more", STET_BOOLEAN, .about = "Other passages have words of the question, too" },
	{ 0 },
};

struct word {
	char text[WORD_SIZE]; /* folded, without its ending */
	bool pair; /* two letters of a script without blanks, which are found anywhere */
	size_t passages; /* that have it */
};
struct passage {
	const struct found *item;
	const char *field, *text, *folded;
	size_t place; /* of its item in the results */
	double score;
	int64_t tokens;
	double had[WORDS], titled[WORDS]; /* how often the text and the title have each word */
};
struct context {
	struct stet_call *call;
	struct word word[WORDS];
	size_t words;
	struct passage *passage;
	size_t count, room;
};

/* ---- words ---- */

/* Returns true for a letter of a script that is written without blanks between words, or in which
 * words have endings of all kinds (Hangul). Such texts are compared by pairs of letters. */
static bool
is_dense(int32_t c)
{
	static const struct {
		int32_t from, to;
	} ranges[] = { { 0x0E00, 0x0EFF }, { 0x1000, 0x109F }, { 0x1100, 0x11FF },
		{ 0x1780, 0x17FF }, { 0x3040, 0xD7FF }, { 0xF900, 0xFAFF }, { 0x20000, 0x3FFFF } };

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (c >= ranges[i].from && c <= ranges[i].to)
			return words_inside(c);
	return false;
}

/* Cuts common endings off, so that the beginning of a word is compared. */
static size_t
stem_length(const char *word, size_t len)
{
	static const char *const endings[] = { "ing", "ies", "ed", "es", "en", "s", "e", "y" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t end = strlen(endings[i]);

		if (len >= end + 4 && memcmp(word + len - end, endings[i], end) == 0)
			return len - end;
	}
	return len;
}

static void
add_word(struct context *c, const char *word, size_t len, bool pair)
{
	struct word *to = &c->word[c->words];

	len = pair ? len : stem_length(word, len);
	if (len < 2 || len >= sizeof(to->text) || c->words == WORDS)
		return;
	memcpy(to->text, word, len);
	to->text[len] = '\0';
	to->pair = pair;
	for (size_t i = 0; i < c->words; i++)
		if (strcmp(c->word[i].text, to->text) == 0)
			return;
	c->words++;
}

/* Reads the letters of a dense script at `at` as pairs; a single one stands for itself. Returns the
 * end of them. */
static const char *
read_dense(struct context *c, const char *at, const char *end)
{
	const char *first = at;
	int32_t letter;

	while (at < end) {
		const size_t len = query_character(at, end, &letter);
		size_t next;

		if (!is_dense(letter))
			break;
		next = at + len < end ? query_character(at + len, end, &letter) : 0;
		if (next > 0 && is_dense(letter))
			add_word(c, at, len + next, true);
		else if (at == first)
			add_word(c, at, len, true);
		at += len;
	}
	return at;
}

static void
read_question(struct context *c, const char *q)
{
	const char *at = stet_fold(c->call, q, strlen(q)), *end = at + strlen(at);

	while (at < end) {
		const char *word = at;
		int32_t letter = 0;
		size_t len = 0;

		for (; at < end; at += len) {
			len = query_character(at, end, &letter);
			if (!words_inside(letter) || is_dense(letter))
				break;
		}
		if (at > word)
			add_word(c, word, (size_t)(at - word), false);
		else if (is_dense(letter))
			at = read_dense(c, at, end);
		else
			at += len;
	}
}

/* Returns true if a word begins at `at`: no letter is before it. */
static bool
begins_word(const char *text, const char *at)
{
	const char *before = at;
	int32_t letter;

	if (at == text)
		return true;
	do
		before--;
	while (before > text && ((unsigned char)*before & 0xc0) == 0x80);
	(void)query_character(before, at, &letter);
	return !words_inside(letter);
}

/* Counts the words of the text that begin with this one; of those that only have it inside, as
 * compounds do, every third. */
static double
count_word(const char *text, const struct word *word)
{
	const bool inside = strlen(word->text) > INSIDE_LEAST;
	double n = 0;

	for (const char *at = text; (at = strstr(at, word->text)) != NULL; at++)
		if (word->pair || begins_word(text, at))
			n += 1;
		else if (inside)
			n += 1.0 / 3;
	return n;
}

/* ---- passages ---- */

/* Estimates tokens: a token has about four letters of ASCII, or one of another script. */
static int64_t
tokens_of(const char *text)
{
	int64_t ascii = 0, other = 0;

	for (; *text != '\0'; text++)
		if ((unsigned char)*text < 0x80)
			ascii++;
		else if (((unsigned char)*text & 0xc0) != 0x80)
			other++;
	return ascii / 4 + other + 1;
}

static void
add_passage(struct context *c, const struct passage *like, const char *text, size_t len)
{
	struct passage *p;

	while (len > 0 && strchr(" \n\t", text[len - 1]) != NULL)
		len--;
	if (len == 0)
		return;
	if (c->count == c->room) {
		struct passage *more = stet_alloc(c->call, (c->room * 2 + 64) * sizeof(*more));

		if (c->count > 0)
			memcpy(more, c->passage, c->count * sizeof(*more));
		c->passage = more;
		c->room = c->room * 2 + 64;
	}
	p = &c->passage[c->count++];
	*p = *like;
	p->text = stet_strndup(c->call, text, len);
	p->folded = stet_fold(c->call, p->text, len);
	p->tokens = tokens_of(p->text) + OVERHEAD;
	for (size_t i = 0; i < c->words; i++)
		p->had[i] = count_word(p->folded, &c->word[i]);
}

/* The length of the first part of a long paragraph: up to the end of a sentence, or else of a
 * word, or else of a character. */
static size_t
cut_length(const char *text, size_t len)
{
	size_t at = PASSAGE_MOST;

	if (len <= PASSAGE_MOST)
		return len;
	for (size_t i = PASSAGE_MOST; i > PASSAGE_MOST / 2; i--)
		if (text[i] == ' ' && strchr(".!?", text[i - 1]) != NULL)
			return i;
	for (size_t i = PASSAGE_MOST; i > PASSAGE_MOST / 2; i--)
		if (text[i] == ' ' || text[i] == '\n')
			return i;
	while (at > 1 && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

static void
split(struct context *c, const struct passage *like, const char *text)
{
	const char *end = text + strnlen(text, TEXT_MOST), *from = text;

	while (end > text && ((unsigned char)*end & 0xc0) == 0x80)
		end--;
	for (const char *at = text; at < end;) {
		const char *stop = strstr(at, "\n\n");
		size_t len;

		if (stop == NULL || stop > end)
			stop = end;
		/* A heading, or a passage that is full, ends the one before. */
		if (at > from && (*at == '#' || (size_t)(stop - from) > PASSAGE_FULL)) {
			add_passage(c, like, from, (size_t)(at - from));
			from = at;
		}
		while ((len = (size_t)(stop - from)) > PASSAGE_MOST) {
			len = cut_length(from, len);
			add_passage(c, like, from, len);
			from += len;
		}
		at = stop + strspn(stop, "\n");
	}
	if (from < end)
		add_passage(c, like, from, (size_t)(end - from));
}

/* Returns true for a failure that only says that this caller does not see the item. */
static bool
is_hidden(enum stet_status status)
{
	return status == STET_NOT_FOUND || status == STET_COLLECTION_NOT_FOUND ||
	       status == STET_FORBIDDEN || status == STET_INSUFFICIENT_SCOPE;
}

/* Adds the passages of an item: of its searchable texts, as they are live. */
static enum stet_status
add_item(struct context *c, const struct found *f, size_t place)
{
	const struct stet_schema_1 *schema = stet_service(c->call, STET_SCHEMA_1);
	struct passage like = { .item = f, .place = place };
	const struct stet_collection *collection;
	const json_t *item, *data;
	enum stet_status status;
	json_t *answer;

	status = stet_invoke_json(c->call, "content_get",
	    json_pack("{ss ss sb}", "collection", f->collection, "id", f->id, "markdown", 1),
	    &answer);
	if (is_hidden(status)) {
		stet_error_clear(c->call);
		return STET_OK;
	}
	STET_TRY(status);
	STET_TRY(schema->collection(c->call, f->collection, &collection));
	item = json_object_get(answer, "item");
	data = json_object_get(item, "liveData");
	data = data != NULL ? data : json_object_get(item, "data");
	if (f->title != NULL) {
		const char *title = stet_fold(c->call, f->title, strlen(f->title));

		for (size_t i = 0; i < c->words; i++)
			like.titled[i] = count_word(title, &c->word[i]);
	}
	for (size_t i = 0; i < collection->field_count; i++) {
		const struct stet_field *field = collection->fields[i];
		const char *text = json_string_value(json_object_get(data, field->slug));

		like.field = field->slug;
		if (text != NULL && field->searchable && field != title_of(collection))
			split(c, &like, text);
	}
	return STET_OK;
}

/* ---- the best ---- */

static void
score_all(struct context *c)
{
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < c->words; k++)
			c->word[k].passages += c->passage[i].had[k] > 0;
	for (size_t i = 0; i < c->count; i++) {
		struct passage *p = &c->passage[i];

		for (size_t k = 0; k < c->words; k++) {
			double rare = log(1 + (double)c->count / (1 + (double)c->word[k].passages)),
			       own = p->had[k] / (p->had[k] + 1.0);

			p->score += rare * (own + (p->titled[k] > 0 ? 0.5 : 0));
		}
		p->score *= 1 + 0.3 * (double)(ITEMS - p->place) / ITEMS;
	}
}

static int
by_score(const void *a, const void *b)
{
	const struct passage *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

static void
put_passage(struct stet_json *out, const struct passage *p)
{
	stet_object(out, NULL);
	stet_put_str(out, "collection", p->item->collection);
	stet_put_str(out, "id", p->item->id);
	stet_put_str(out, "slug", p->item->slug);
	stet_put_str(out, "locale", p->item->locale);
	if (p->item->title != NULL)
		stet_put_str(out, "title", p->item->title);
	stet_put_str(out, "field", p->field);
	stet_put_str(out, "text", p->text);
	stet_put_real(out, "score", p->score);
	stet_close(out);
}

static void
put_best(struct context *c, int64_t budget)
{
	struct stet_json *out = stet_reply(c->call);
	int64_t used = 0;
	bool more = false;

	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < c->count; i++) {
		const struct passage *p = &c->passage[i];

		if (p->score <= 0 || p->score < SCORE_LEAST * c->passage[0].score)
			break;
		if (used + p->tokens > budget) {
			more = true;
			continue;
		}
		used += p->tokens;
		put_passage(out, p);
	}
	stet_close(out);
	stet_put_int(out, "tokens", used);
	if (more)
		stet_put_bool(out, "more", true);
	stet_close(out);
}

enum stet_status
search_context(struct stet_call *call)
{
	struct context c = { .call = call };
	struct finding want = { .q = stet_arg(call, "q"),
		.status = "published",
		.collections = scope_list(call, stet_arg(call, "collections")),
		.limit = ITEMS,
		.supported = true };

	STET_TRY(beside_ready(call));
	STET_TRY(search_locale(call, &want.locale));
	STET_TRY(search_is_on(call, want.collections));
	STET_TRY(find_run(call, &want));
	read_question(&c, want.corrected != NULL ? want.corrected : want.q);
	for (size_t i = 0; i < want.count; i++)
		STET_TRY(add_item(&c, &want.item[i], i));
	score_all(&c);
	if (c.count > 0)
		qsort(c.passage, c.count, sizeof(*c.passage), by_score);
	put_best(&c, stet_arg_int(call, "tokens"));
	return STET_OK;
}
