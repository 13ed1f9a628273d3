/* text.c - slugs and other names made of a text; and patterns, matched with a bound. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/arena.h"
#include "base/log.h"
#include <pcre2.h>
#include <pthread.h>
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>
#include <utf8proc.h>

/* ---- slugs ---- */

#define SLUG_GRAPHEMES 80
#define SLUG_BYTES 1024 /* a grapheme may carry any number of marks */
#define SLUG_SOURCE 8192 /* bytes of a title that are looked at */

struct slug {
	char *text;
	size_t len;
	int graphemes;
	bool hyphen; /* one is due before the next character */
	utf8proc_int32_t last, state;
};

static bool
slug_is_blank(utf8proc_int32_t c)
{
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_ZS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return true;
	default:
		return (c >= '\t' && c <= '\r') || c == 0xfeff;
	}
}

static bool
slug_is_kept(utf8proc_int32_t c)
{
	utf8proc_category_t k = utf8proc_category(c);

	/* The enum has letters, marks and numbers in this order, without gaps. */
	return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO;
}

/* false: the slug is full. */
static bool
slug_put(struct slug *slug, utf8proc_int32_t c)
{
	utf8proc_uint8_t bytes[4];
	utf8proc_ssize_t n = utf8proc_encode_char(c, bytes);
	bool begins =
	    slug->len == 0 || utf8proc_grapheme_break_stateful(slug->last, c, &slug->state);

	if ((begins && slug->graphemes == SLUG_GRAPHEMES) || slug->len + (size_t)n > SLUG_BYTES)
		return false;
	memcpy(slug->text + slug->len, bytes, (size_t)n);
	slug->len += (size_t)n;
	slug->graphemes += begins;
	slug->last = c;
	return true;
}

static bool
slug_take(struct slug *slug, utf8proc_int32_t c)
{
	if (c == '-' || c == '_' || slug_is_blank(c)) {
		slug->hyphen = slug->len > 0;
		return true;
	}
	if (!slug_is_kept(c))
		return true;
	if (slug->hyphen && !slug_put(slug, '-'))
		return false;
	slug->hyphen = false;
	if (c == 0x130) /* the only letter whose lower case is two */
		return slug_put(slug, 'i') && slug_put(slug, 0x307);
	return slug_put(slug, utf8proc_tolower(c));
}

/* NFKC of the first bytes of a text; NULL when it is not UTF-8. To be freed. */
static utf8proc_uint8_t *
slug_normal(const char *text)
{
	utf8proc_uint8_t *out = NULL;
	size_t len = strnlen(text, SLUG_SOURCE);
	utf8proc_ssize_t n;

	while (text[len] != '\0' && len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	n = utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &out,
	    UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
	stet_assert(n != UTF8PROC_ERROR_NOMEM);
	return n < 0 ? NULL : out;
}

char *
stet_slugify(struct stet_call *call, const char *text)
{
	struct slug slug = { .text = stet_alloc(call, SLUG_BYTES + 1) };
	utf8proc_uint8_t *normal = slug_normal(text);
	const utf8proc_uint8_t *s = normal;
	utf8proc_int32_t c;

	while (s != NULL && *s != '\0') {
		s += utf8proc_iterate(s, -1, &c);
		if (!slug_take(&slug, c))
			break;
	}
	free(normal);
	while (slug.len > 0 && slug.text[slug.len - 1] == '-')
		slug.len--;
	slug.text[slug.len] = '\0';
	return slug.text;
}

char *
stet_pascal(struct stet_call *call, const char *words)
{
	char *out = stet_alloc(call, strlen(words) + 1), *p = out;
	bool first = true;

	for (; *words != '\0'; words++) {
		bool lower = *words >= 'a' && *words <= 'z',
		     other = (*words >= 'A' && *words <= 'Z') || (*words >= '0' && *words <= '9');

		if (lower || other)
			*p++ = lower && first ? (char)(*words - 'a' + 'A') : *words;
		first = !lower && !other;
	}
	return out;
}

static bool
ends(const char *s, size_t len, const char *tail)
{
	size_t n = strlen(tail);

	return len >= n && memcmp(s + len - n, tail, n) == 0;
}

char *
stet_singular(struct stet_call *call, const char *word)
{
	size_t len = strlen(word);

	if (ends(word, len, "ies"))
		return stet_printf(call, "%.*sy", (int)len - 3, word);
	if (ends(word, len, "sses") || ends(word, len, "xes") || ends(word, len, "ches") ||
	    ends(word, len, "shes"))
		return stet_strndup(call, word, len - 2);
	if (ends(word, len, "s") && !ends(word, len, "ss"))
		return stet_strndup(call, word, len - 1);
	return stet_strdup(call, word);
}

/* ---- patterns ---- */

#define PATTERN_MAX 2048 /* bytes */
#define PATTERN_CACHE 32 /* a thread's compiled patterns */
#define MATCH_STEPS 4000000 /* about 10 ms of work, whatever pattern and text are */

struct pattern {
	char *text;
	pcre2_code *code;
	uint64_t used;
};

struct pattern_cache {
	struct pattern slot[PATTERN_CACHE];
	uint64_t uses;
	pcre2_match_context *match;
	pcre2_compile_context *compile;
	pcre2_match_data *data;
	char why[256];
};

static pthread_key_t pattern_key;
static pthread_once_t pattern_once = PTHREAD_ONCE_INIT;

static void
pattern_drop(struct pattern *p)
{
	free(p->text);
	pcre2_code_free(p->code);
	*p = (struct pattern){ 0 };
}

static void
pattern_cache_free(void *arg)
{
	struct pattern_cache *cache = arg;

	for (size_t i = 0; i < PATTERN_CACHE; i++)
		pattern_drop(&cache->slot[i]);
	pcre2_match_context_free(cache->match);
	pcre2_compile_context_free(cache->compile);
	pcre2_match_data_free(cache->data);
	free(cache);
}

static void
pattern_key_make(void)
{
	stet_assert(pthread_key_create(&pattern_key, pattern_cache_free) == 0);
}

/* PCRE2's own limit counts from anew at each start in the text, and loops over one character class
 * not at all. So steps are counted here: one for each item tried, and one for each byte moved. */
struct steps {
	uint64_t done;
	size_t at;
};

static int
count_steps(pcre2_callout_block *block, void *arg)
{
	struct steps *steps = arg;
	size_t at = block->current_position;

	steps->done += 1 + (at > steps->at ? at - steps->at : steps->at - at);
	steps->at = at;
	return steps->done > MATCH_STEPS ? PCRE2_ERROR_MATCHLIMIT : 0;
}

static struct pattern_cache *
pattern_cache(void)
{
	struct pattern_cache *cache;

	pthread_once(&pattern_once, pattern_key_make);
	cache = pthread_getspecific(pattern_key);
	if (cache != NULL)
		return cache;
	cache = xcalloc(1, sizeof *cache);
	cache->compile = pcre2_compile_context_create(NULL);
	cache->match = pcre2_match_context_create(NULL);
	cache->data = pcre2_match_data_create(1, NULL);
	stet_assert(cache->compile != NULL && cache->match != NULL && cache->data != NULL);
	pcre2_set_parens_nest_limit(cache->compile, 50);
	pcre2_set_heap_limit(cache->match, 4096); /* KiB */
	stet_assert(pthread_setspecific(pattern_key, cache) == 0);
	return cache;
}

/* NULL: it does not compile, and cache->why says where and what. */
static pcre2_code *
pattern_compile(struct pattern_cache *cache, const char *text)
{
	int code;
	size_t at;
	PCRE2_UCHAR message[160];
	pcre2_code *made;

	if (strlen(text) > PATTERN_MAX) {
		snprintf(cache->why, sizeof cache->why, "longer than %d bytes", PATTERN_MAX);
		return NULL;
	}
	made = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
	    PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_BSUX |
		PCRE2_AUTO_CALLOUT,
	    &code, &at, cache->compile);
	if (made == NULL) {
		if (pcre2_get_error_message(code, message, sizeof message) < 0)
			message[0] = '\0';
		snprintf(cache->why, sizeof cache->why, "%s at byte %zu", (char *)message, at);
	}
	return made;
}

static pcre2_code *
pattern_find(struct pattern_cache *cache, const char *text)
{
	struct pattern *oldest = &cache->slot[0];
	pcre2_code *code;

	for (size_t i = 0; i < PATTERN_CACHE; i++) {
		struct pattern *p = &cache->slot[i];
		if (p->text != NULL && strcmp(p->text, text) == 0) {
			p->used = ++cache->uses;
			return p->code;
		}
		if (p->used < oldest->used)
			oldest = p;
	}
	code = pattern_compile(cache, text);
	if (code == NULL)
		return NULL;
	pattern_drop(oldest);
	*oldest = (struct pattern){ xstrdup(text), code, ++cache->uses };
	return code;
}

enum stet_status
stet_match(
    struct stet_call *call, const char *pattern, const char *text, bool *found, const char **why)
{
	struct pattern_cache *cache = pattern_cache();
	pcre2_code *code = pattern_find(cache, pattern);
	struct steps steps = { 0, 0 };
	int n;

	*found = false;
	if (code == NULL) {
		if (why != NULL)
			*why = stet_strdup(call, cache->why);
		return STET_VALIDATION_ERROR;
	}
	pcre2_set_callout(cache->match, count_steps, &steps);
	n = pcre2_match(code, (PCRE2_SPTR)text, strlen(text), 0, 0, cache->data, cache->match);
	*found = n >= 0;
	return STET_OK;
}
